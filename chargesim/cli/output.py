"""What commands share: reading the question, showing the answer, telling how far the work is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from chargesim.cli.options import Form, Language
from chargesim.cli.streams import print_text, use_utf8


def question_of(file: str) -> Any:
    """Read a scenario that the kernels are to answer."""
    from chargesim.scenario import load

    return load(file)


def print_json(content: Any) -> None:
    """Print as JSON; what is not a number is refused."""
    import json

    use_utf8()
    print_text(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def _colour() -> bool:
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def show(document: Any, form: Form, lang: Language) -> None:
    """Print a document in any form but JSON; coloured on a terminal that wants it."""
    from chargesim.report.render import write

    if form is not Form.text:
        use_utf8()
    print_text(write(document, form.value, lang.value, colour=_colour()))


@contextmanager
def progress_bar(what: str, *, rate: bool = False) -> Any:
    """A progress bar on standard error when that is a terminal; nothing otherwise.

    Parameters
    ----------
    what
        What is counted.
    rate
        True shows how many there are in a second, too.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} / {task.total:,.0f}"),
        *((TextColumn("{task.fields[rate]}"),) if rate else ()),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=1, start=False, visible=False, rate="")

        def report(done: int, total: int, failed: int = 0) -> None:
            if not bars.tasks[0].started:
                # what was there before does not count for the rate
                bars.reset(task, completed=done, total=total, visible=True)
            bars.update(task, completed=done, total=total)
            speed = bars.tasks[0].speed or 0.0
            text = f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.2g}/s" if speed else ""
            bars.update(task, rate=f"{text}, {failed:,} failed" if failed else text)

        yield report


def present(
    found: Any,
    document: Callable[[Any, str], Any],
    form: Form,
    lang: Language,
    figure: str | None = None,
    **drawing: Any,
) -> None:
    """Show an answer in the form that was asked for, and draw it when that was asked for, too.

    Parameters
    ----------
    found
        The answer; its ``to_dict`` is what JSON shows.
    document
        Makes the document of the other forms, from the answer and a language.
    form, lang
        As asked for.
    figure
        File for its picture.
    drawing
        Further options of its ``plot``.
    """
    if figure is not None:
        from chargesim.report.figures import save

        save(found.plot(lang=lang.value, **drawing), figure)
    if form is Form.json:
        print_json(found.to_dict())
    else:
        show(document(found, lang.value), form, lang)
