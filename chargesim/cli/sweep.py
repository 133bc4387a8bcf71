"""Commands on studies: sweep run, sweep status, sweep export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chargesim.cli.manner import Command, group
from chargesim.cli.options import Form, Format, Lang, Language, Threads, whole
from chargesim.cli.output import present, progress_bar
from chargesim.cli.streams import print_text
from chargesim.errors import InputError

app = group("sweep", "Answer many points of a scenario, interrupted or not, and keep the results.")
Folder = Annotated[str, typer.Argument(metavar="DIR", help="Folder of a study's results.")]


@app.command(cls=Command)
def run(
    study: Annotated[str, typer.Argument(metavar="STUDY.toml", help="Study file.")],
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder of the results; run again, it goes on there."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="Processes; default: one a core where worth it."
        ),
    ] = None,
    threads: Threads = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Cluster that does it, such as tcp://HOST:8786."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it will take, and start nothing.")
    ] = False,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Run a study, or what is missing of it."""
    from chargesim.study.file import load_study

    asked = load_study(study)
    if out is None and not dry_run:
        raise InputError("sweep run: where to? write --out DIR")
    from chargesim.report.study_tables import forecast_document, summary_document
    from chargesim.study.plan import forecast, make_plan
    from chargesim.study.store import Store
    from chargesim.study.sweep import run as bring_to_its_end

    if dry_run:
        if out is not None:
            Store(out)  # a folder that holds something else is told now
        present(forecast(make_plan(asked)), forecast_document, form, lang)
        return
    try:
        with progress_bar("points", rate=True) as progress:
            done = bring_to_its_end(
                asked, out or "", workers=workers, threads=threads, dask=dask, progress=progress
            )
    except KeyboardInterrupt:
        from chargesim.study.workers import IncompleteError

        raise IncompleteError(
            "interrupted: what is finished is kept; the same command goes on from there"
        ) from None
    present(done, summary_document, form, lang)
    if done.status.exit_code:
        raise typer.Exit(done.status.exit_code)


@app.command(cls=Command)
def status(folder: Folder, form: Format = Form.text, lang: Lang = Language.en) -> None:
    """Say how far a study is; also while it runs."""
    from chargesim.report.study_tables import status_document
    from chargesim.study.status import status as how_far

    found = how_far(folder)
    present(found, status_document, form, lang)
    if found.exit_code and not found.is_busy:
        raise typer.Exit(found.exit_code)


@app.command(cls=Command)
def export(
    folder: Folder,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Ends in .csv or .parquet.")],
    value: Annotated[
        list[str] | None,
        typer.Option(metavar="OUTCOME", help="A column; may be repeated. Default: all words."),
    ] = None,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Add the ends of 95 % intervals.")
    ] = False,
    tidy: Annotated[
        bool, typer.Option("--tidy", help="One row a number: everything that is kept.")
    ] = False,
    lang: Lang = Language.en,
) -> None:
    """Write the results to one file, one row a point."""
    from chargesim.study.export import export as write
    from chargesim.words import translation

    rows = write(folder, Path(file), value or None, intervals=intervals, tidy=tidy)
    say = translation("chargesim", lang).gettext
    print_text(say("{file}: {rows} rows.").format(file=file, rows=rows))
