"""Commands on a scenario and its variations: table, compare, solve, why."""

from __future__ import annotations

from typing import Annotated

import typer

from chargesim.cli.options import (
    PLAYING,
    Against,
    FigureFile,
    Form,
    Format,
    Lang,
    Language,
    Playing,
    ScenarioFile,
    Value,
    reach_of,
    unfold,
)
from chargesim.cli.output import present, progress_bar, question_of

MANY_CHANGES = Playing(trials=100_000)
"""Every change is a question by itself."""


@unfold
def table(
    scenario: ScenarioFile,
    rows: Annotated[
        str,
        typer.Option(metavar="PATH=SPEC", help="Such as charge.0.distance=10:40:2."),
    ],
    value: Value,
    cols: Annotated[
        str | None,
        typer.Option(metavar="PATH=SPEC", help="Such as unit.spears.Ld=6,7,8."),
    ] = None,
    against: Against = None,
    playing: Playing = PLAYING,
    figure: FigureFile = None,
    levels: Annotated[
        str | None,
        typer.Option(metavar="L,L", help="Levels of contours: per cent, or means."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do more cells than usual.")] = False,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Show a value over one or two axes of a scenario."""
    from chargesim.report.grid import grid
    from chargesim.report.grid_tables import grid_document
    from chargesim.study.axes import read_axis, read_levels

    question = question_of(scenario)
    scale = value if against is None else "mean:"  # differences are in points as they are
    wanted = None if levels is None else read_levels(levels, scale)
    with progress_bar("cells") as progress:
        found = grid(
            question,
            read_axis(question, rows),
            None if cols is None else read_axis(question, cols),
            value,
            against=None if against is None else read_axis(question, against),
            yes=yes,
            progress=progress,
            **playing.keywords,
        )
    present(found, grid_document, form, lang, figure, levels=wanted)


@unfold
def compare(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="A.toml B.toml...", help="Two scenario files or more.")
    ],
    value: Value,
    playing: Playing = PLAYING,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Compare scenarios by a value with shared luck: differences, intervals, ranking."""
    from chargesim.report.compare import compare as compared
    from chargesim.report.compare_tables import compare_document

    questions = [question_of(scenario) for scenario in scenarios]
    with progress_bar("scenarios") as progress:
        found = compared(
            *questions,
            value=value,
            **playing.keywords,
            progress=progress,
        )
    present(found, compare_document, form, lang, figure)


@unfold
def solve(
    scenario: ScenarioFile,
    axis: Annotated[
        str, typer.Option("--for", metavar="PATH=SPEC", help="Such as unit.spears.Ld=5:10.")
    ],
    value: Value,
    reach: Annotated[
        float,
        typer.Option(parser=reach_of, metavar="P", help="Such as 0.25, 25%, 1/4; or a mean."),
    ],
    against: Against = None,
    playing: Playing = PLAYING,
    figure: FigureFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do more levels than usual.")] = False,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Find the level of a path at which a value reaches a probability."""
    from chargesim.report.levels import find_level
    from chargesim.report.levels_tables import levels_document
    from chargesim.study.axes import read_axis

    question = question_of(scenario)
    with progress_bar("levels") as progress:
        found = find_level(
            question,
            read_axis(question, axis),
            value,
            reach,
            against=None if against is None else read_axis(question, against),
            yes=yes,
            progress=progress,
            **playing.keywords,
        )
    present(found, levels_document, form, lang, figure)


@unfold
def why(
    scenario: ScenarioFile,
    value: Value,
    playing: Playing = MANY_CHANGES,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Show what matters most: each rule, statistic and modifier switched or shifted in turn."""
    from chargesim.report.why import why as asked
    from chargesim.report.why_tables import why_document

    question = question_of(scenario)
    with progress_bar("changes") as progress:
        found = asked(
            question,
            value,
            **playing.keywords,
            progress=progress,
        )
    present(found, why_document, form, lang, figure)
