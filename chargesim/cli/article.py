"""Commands on articles: build one, or begin a new one."""

from __future__ import annotations

from typing import Annotated

import typer

from chargesim.cli.manner import Command, group
from chargesim.cli.options import (
    Engine,
    Form,
    Format,
    Language,
    MaxStates,
    Threads,
    seed_of,
    trials_of,
)
from chargesim.cli.output import present, progress_bar
from chargesim.cli.streams import print_text
from chargesim.errors import ChargesimError

app = group(
    "article", "Strategy articles whose every number is a query: build PLAN, or new KIND FILE."
)


class Interrupted(ChargesimError):
    """A build was stopped; what it had found is kept."""

    exit_code = 3


@app.command(cls=Command)
def build(
    plan: Annotated[str, typer.Argument(metavar="PLAN.md", help="Article plan.")],
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Folder of the pages.")],
    lang: Annotated[
        Language | None,
        typer.Option("--lang", help="One language; default: all of the plan."),
    ] = None,
    engine: Annotated[
        Engine | None, typer.Option(help="In place of the plan's: exact, sample or auto.")
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(parser=trials_of, metavar="N", help="In place of the plan's."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=seed_of, metavar="S", help="In place of the plan's.")
    ] = None,
    threads: Threads = None,
    max_states: MaxStates = None,
    form: Format = Form.text,
) -> None:
    """Build an article: Markdown with pictures, and one page a language; every claim is tested."""
    from chargesim.report.article.build import build as built_from
    from chargesim.report.article.build import built_document

    try:
        with progress_bar("answers") as progress:
            built = built_from(
                plan,
                out,
                None if lang is None else lang.value,
                progress=progress,
                engine=None if engine is None else engine.value,
                trials=trials,
                seed=seed,
                threads=threads,
                max_states=max_states,
            )
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted: no page was written; the answers found are kept in {out}, and the same "
            "command goes on from there"
        ) from None
    present(built, built_document, form, Language.en if lang is None else lang)


@app.command(cls=Command)
def new(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="A template: charge, flee, list or editions; or a shipped "
            "article: chariot_charge, metric_dice or stand_hold_run.",
        ),
    ],
    file: Annotated[str, typer.Argument(metavar="FILE.md", help="Where it goes.")],
) -> None:
    """Begin an article: copy out the template of a kind, which builds as it is."""
    from chargesim.report.article.build import new as copied

    print_text(f"{copied(kind, file)}: build it with chargesim article build {file} --out DIR")
