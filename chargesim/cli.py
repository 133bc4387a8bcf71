"""The ``chargesim`` command: it parses, calls and prints; no logic.

Everything but the parser is imported inside the commands, so that ``--help`` costs next to nothing.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable
from contextlib import contextmanager
from enum import Enum
from typing import Annotated, Any

import typer

from chargesim.errors import ChargesimError, InputError

app = typer.Typer(
    name="chargesim",
    help="Probabilities of charges in tabletop wargames: exact where they can be.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Form(str, Enum):  # noqa: UP042  # typer shows the value of a str enum
    """Forms of output."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    html = "html"


class Language(str, Enum):  # noqa: UP042  # as above
    """Languages of output."""

    en = "en"
    es = "es"


class Engine(str, Enum):  # noqa: UP042  # as above
    """Engines."""

    auto = "auto"
    exact = "exact"
    sample = "sample"


class SchemaName(str, Enum):  # noqa: UP042  # as above
    """Kinds of files with a schema."""

    scenario = "scenario"
    result = "result"


def _whole(text: str) -> int:
    """Read a whole number, also as 1e6 or 1_000_000."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        raise typer.BadParameter(f"{text!r} is not a whole number such as 100000 or 1e6")
    return int(value)


def _trials(text: str) -> int:
    from chargesim.engine.sample import check_trials

    return check_trials(_whole(text))


def _seed(text: str) -> int:
    from chargesim.engine.sample import check_seed

    return check_seed(_whole(text))


def _threads(text: str) -> int:
    value = _whole(text)
    if not 1 <= value <= _MOST_THREADS:
        raise InputError(f"threads: {value} cannot be: from 1 to {_MOST_THREADS}")
    return value


def _half_width(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a half-width such as 0.001") from None
    if not 0 < value < 0.5:
        raise InputError(f"precision: {value:g} is no half-width: above 0 and below 0.5")
    return value


def _figure(text: str) -> str:
    """A file that a figure can be written to, known before the work is done."""
    from pathlib import Path

    path = Path(text)
    if path.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"figure: {text!r} is no figure: end it in .svg or .png")
    if not path.parent.is_dir():
        raise InputError(f"figure: {text!r}: no folder {str(path.parent)!r}: make it first")
    return text


def _reach(text: str) -> float:
    from chargesim.report.levels import read_reach

    return read_reach(text)


_MOST_THREADS = 1024
ScenarioFile = Annotated[str, typer.Argument(metavar="SCENARIO.toml", help="Scenario file.")]
Seed = Annotated[int, typer.Option("--seed", parser=_seed, metavar="S", help="Seed of a sample.")]
Trials = Annotated[
    int, typer.Option("--trials", parser=_trials, metavar="N", help="Trials of a sample.")
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", parser=_threads, metavar="N", help="Threads; default: one a core."),
]
Format = Annotated[Form, typer.Option("--format", help="Form of the output.")]
Lang = Annotated[Language, typer.Option("--lang", help="Language of the output.")]
MaxStates = Annotated[
    int | None,
    typer.Option("--max-states", parser=_whole, metavar="N", help="Most states of a phase, exact."),
]
EngineName = Annotated[Engine, typer.Option(help="Exact, sampled, or exact where it can be.")]
Value = Annotated[
    str,
    typer.Option("--value", metavar="OUTCOME", help='Such as "contact" or "mean:impact_wounds".'),
]
Against = Annotated[
    str | None,
    typer.Option(metavar="PATH=VALUE", help="Differences to this: 0 is break-even."),
]
FigureFile = Annotated[
    str | None, typer.Option(parser=_figure, metavar="FILE", help="Draw it as .svg or .png.")
]
_TRIALS = 1_000_000


def _question(file: str) -> Any:
    """Read a scenario that the kernels are to answer."""
    from chargesim.scenario import load

    question = load(file)  # first: a fault of the file is told without waiting for numba
    from chargesim.kernels.jit import spare_blas

    spare_blas()
    return question


def _print(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def _print_json(content: Any) -> None:
    import json

    _print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _show(document: Any, form: Form, lang: Language) -> None:
    from chargesim.report.render import write

    _print(write(document, form.value, lang.value, colour=_colour()))


@contextmanager
def _progress(what: str) -> Any:
    """A progress bar on standard error when that is a terminal; nothing otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} / {task.total:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=1)

        def report(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        yield report


@app.command()
def run(
    scenario: ScenarioFile,
    engine: Annotated[Engine, typer.Option(help="Exact, sampled, or exact where it can be.")] = (
        Engine.auto
    ),
    trials: Trials = _TRIALS,
    precision: Annotated[
        float | None,
        typer.Option(
            parser=_half_width,
            metavar="H",
            help="Double the trials until no half-width is above H.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: Annotated[
        str | None,
        typer.Option(
            parser=_figure, metavar="FILE", help="Draw charges and combats as .svg or .png."
        ),
    ] = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Answer a scenario: how charges and combats end, and with which probability."""
    from chargesim.report.result import solve
    from chargesim.report.result_tables import result_document

    question = _question(scenario)
    with _progress("trials") as progress:
        result = solve(
            question,
            engine=engine.value,
            trials=trials,
            precision=precision,
            seed=seed,
            threads=threads,
            max_states=max_states,
            progress=progress,
        )
    if figure is not None:
        from chargesim.report.figures import picture, save

        save(picture(result, lang.value), figure)
    if form is Form.json:
        _print_json(result.to_dict())
    else:
        _show(result_document(result, lang.value), form, lang)


@app.command()
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
    engine: EngineName = Engine.auto,
    trials: Trials = _TRIALS,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
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
    from chargesim.report.axes import read_axis, read_levels
    from chargesim.report.grid import grid
    from chargesim.report.grid_tables import grid_document

    question = _question(scenario)
    scale = value if against is None else "mean:"  # differences are in points as they are
    wanted = None if levels is None else read_levels(levels, scale)
    with _progress("cells") as progress:
        found = grid(
            question,
            read_axis(question, rows),
            None if cols is None else read_axis(question, cols),
            value,
            against=None if against is None else read_axis(question, against),
            yes=yes,
            progress=progress,
            engine=engine.value,
            trials=trials,
            seed=seed,
            threads=threads,
            max_states=max_states,
        )
    if figure is not None:
        from chargesim.report.figures import save
        from chargesim.report.figures_tables import draw

        save(draw(found, lang=lang.value, levels=wanted), figure)
    if form is Form.json:
        _print_json(found.to_dict())
    else:
        _show(grid_document(found, lang.value), form, lang)


@app.command()
def compare(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="A.toml B.toml...", help="Two scenario files or more.")
    ],
    value: Value,
    engine: EngineName = Engine.auto,
    trials: Trials = _TRIALS,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Compare scenarios by a value with shared luck: differences, intervals, ranking."""
    from chargesim.report.compare import compare as compared
    from chargesim.report.compare_tables import compare_document

    questions = [_question(scenario) for scenario in scenarios]
    with _progress("scenarios") as progress:
        found = compared(
            *questions,
            value=value,
            engine=engine.value,
            trials=trials,
            seed=seed,
            threads=threads,
            max_states=max_states,
            progress=progress,
        )
    if figure is not None:
        from chargesim.report.figures import save
        from chargesim.report.figures_tables import ranking

        save(ranking(found, lang=lang.value), figure)
    if form is Form.json:
        _print_json(found.to_dict())
    else:
        _show(compare_document(found, lang.value), form, lang)


@app.command()
def solve(
    scenario: ScenarioFile,
    axis: Annotated[
        str, typer.Option("--for", metavar="PATH=SPEC", help="Such as unit.spears.Ld=5:10.")
    ],
    value: Value,
    reach: Annotated[
        float,
        typer.Option(parser=_reach, metavar="P", help="Such as 0.25, 25%, 1/4; or a mean."),
    ],
    against: Against = None,
    engine: EngineName = Engine.auto,
    trials: Trials = _TRIALS,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: FigureFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do more levels than usual.")] = False,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Find the level of a path at which a value reaches a probability."""
    from chargesim.report.axes import read_axis
    from chargesim.report.levels import find_level
    from chargesim.report.levels_tables import levels_document

    question = _question(scenario)
    with _progress("levels") as progress:
        found = find_level(
            question,
            read_axis(question, axis),
            value,
            reach,
            against=None if against is None else read_axis(question, against),
            yes=yes,
            progress=progress,
            engine=engine.value,
            trials=trials,
            seed=seed,
            threads=threads,
            max_states=max_states,
        )
    if figure is not None:
        from chargesim.report.figures import save
        from chargesim.report.figures_tables import levels

        save(levels(found, lang=lang.value), figure)
    if form is Form.json:
        _print_json(found.to_dict())
    else:
        _show(levels_document(found, lang.value), form, lang)


@app.command()
def why(
    scenario: ScenarioFile,
    value: Value,
    engine: EngineName = Engine.auto,
    trials: Trials = 100_000,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Show what matters most: each rule, statistic and modifier switched or shifted in turn."""
    from chargesim.report.why import why as asked
    from chargesim.report.why_tables import why_document

    question = _question(scenario)
    with _progress("changes") as progress:
        found = asked(
            question,
            value,
            engine=engine.value,
            trials=trials,
            seed=seed,
            threads=threads,
            max_states=max_states,
            progress=progress,
        )
    if figure is not None:
        from chargesim.report.figures import save
        from chargesim.report.figures_tables import tornado

        save(tornado(found, lang=lang.value), figure)
    if form is Form.json:
        _print_json(found.to_dict())
    else:
        _show(why_document(found, lang.value), form, lang)


@app.command()
def check(
    scenario: ScenarioFile,
    trials: Trials = _TRIALS,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Compare exact and sampled, cell by cell; exit 1 when they disagree."""
    from chargesim.report.caveats import caveat_of
    from chargesim.report.check import check as compare
    from chargesim.report.tables import check_document

    question = _question(scenario)
    with _progress("trials") as progress:
        cells = compare(question, trials, seed, threads, progress, max_states)
    agree = all(cell.agrees for cell in cells)
    if form is Form.json:
        _print_json(
            {
                "title": question.title,
                "trials": trials,
                "seed": seed,
                "agrees": agree,
                **caveat_of(question),
                "cells": [
                    {
                        "what": cell.what,
                        "exact": cell.exact,
                        "sampled": cell.count / cell.trials,
                        "count": cell.count,
                        "p_value": cell.p_value,
                        "agrees": cell.agrees,
                    }
                    for cell in cells
                ],
            }
        )
    else:
        title = f"{question.title} ({trials:,}, seed {seed})"
        caveat = question.caveat(lang.value)
        everything = form is Form.csv
        document = check_document(title, cells, lang.value, caveat, everything=everything)
        _show(document, form, lang)
    if not agree:
        raise typer.Exit(1)


@app.command()
def trace(
    scenario: ScenarioFile,
    trial: Annotated[
        int, typer.Option(parser=_whole, metavar="N", help="Number of the trial, from 0.")
    ] = 0,
    seed: Seed = 0,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Tell one trial of the sample step by step: rule, dice, modifiers, target number, result."""
    from chargesim.report import trace as tracing
    from chargesim.report.tables import trace_document

    question = _question(scenario)
    if form is Form.text:
        text = tracing.trace(question, seed, trial, lang.value)
        _print(f"{question.title} (seed {seed}, trial {trial})\n\n{text}")
        return
    lines = tracing.told(question, seed, trial, lang.value)
    if form is Form.json:
        _print_json(
            {
                "title": question.title,
                "seed": seed,
                "trial": trial,
                "steps": [
                    {"rule": line.rule, "unit": line.unit, "dice": line.dice, "text": line.text}
                    for line in lines
                ],
            }
        )
    else:
        _show(trace_document(question.title, lines, lang.value, seed, trial), form, lang)


@app.command()
def odds(
    expression: Annotated[
        str, typer.Argument(help='Such as "2d6 <= 7", "3d6dh1 <= 8", "10x 4+ 4+ !5+ >= 2".')
    ],
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Answer a dice question exactly."""
    from chargesim.engine.odds import parse

    answer = parse(expression).answer()
    if form is Form.json:
        _print_json(
            {
                "expression": answer.expression,
                "engine": "exact",
                "p": None if answer.probability is None else float(answer.probability),
                "fraction": None if answer.probability is None else str(answer.probability),
                "mean": float(answer.mean),
                "standard_deviation": answer.standard_deviation,
                "stages": [{"stage": name, "p": float(p)} for name, p in answer.stages],
                "distribution": {str(value): float(p) for value, p in answer.pmf.items()},
            }
        )
        return
    from chargesim.report.tables import odds_document

    _show(odds_document(answer, lang.value), form, lang)


@app.command()
def rules(
    ruleset: Annotated[str | None, typer.Argument(help="wh6, hex_increment; default: all.")] = None,
    rule_id: Annotated[str | None, typer.Argument(metavar="RULE-ID", help="One rule.")] = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """List what is covered, by which function and tests, what is left out and why."""
    from dataclasses import asdict

    from chargesim import rulesets
    from chargesim.faults import nearest
    from chargesim.report.tables import rule_document, rules_document
    from chargesim.rulesets.coverage import rows

    if ruleset is not None and ruleset not in rulesets.NAMES:
        raise InputError(
            f"rules: there is no ruleset {ruleset!r}" + nearest(ruleset, rulesets.NAMES)
        )
    names = rulesets.NAMES if ruleset is None else (ruleset,)
    found = [row for name in names for row in rows(name)]
    if rule_id is not None:
        wanted = [row for row in found if row.id.upper() == rule_id.upper()]
        if not wanted:
            raise InputError(
                f"rules: there is no rule {rule_id!r}" + nearest(rule_id, [r.id for r in found])
            )
        found = wanted
    if form is Form.json:
        _print_json([asdict(row) for row in found])
    elif rule_id is not None and form is not Form.csv:
        _show(rule_document(found[0], lang.value), form, lang)
    else:
        every = rule_id is None
        table = [row for name in names if every for row in rulesets.get(name).switch_rows()]
        _show(rules_document(", ".join(names), found, table, lang.value), form, lang)


@app.command()
def schema(
    name: Annotated[SchemaName, typer.Argument(help="scenario or result.")],
) -> None:
    """Print the JSON Schema of a file."""
    from chargesim.report.schema import result_schema, scenario_schema

    _print_json(scenario_schema() if name is SchemaName.scenario else result_schema())


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        from chargesim import __version__

        _print(__version__)
        raise typer.Exit()


_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises; typer gives it no name of its own."""


def _wrong_use(error: Any) -> str:
    """A fault of the command line as one message: where, what, and where to find what is right."""
    text = str(error.format_message())
    if text.startswith("Usage:"):
        return text
    text = re.sub(r"^Invalid value for '(.+?)'", r"\1", text).replace("Value error, ", "", 1)
    command = error.ctx.command_path if error.ctx is not None else app.info.name
    return f"{command}: {text.rstrip('.')} (what is right: {command} --help)"


def _guard(command: Callable[[], None]) -> int:
    """Run a command; turn what can go wrong into one message and an exit code."""
    try:
        command()
    except ChargesimError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except _UsageError as error:
        sys.stderr.write(f"{_wrong_use(error)}\n")
        return 2
    except typer.Exit as stop:
        return int(stop.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("interrupted: nothing was written\n")
        return 3
    except BrokenPipeError:
        # whoever read the output has seen enough; keep Python from flushing into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def _run(arguments: list[str]) -> None:
    """Parse and run; what goes wrong is left to :func:`_guard`, interruptions included."""
    command = typer.main.get_command(app)
    with command.make_context(str(app.info.name), list(arguments)) as context:
        command.invoke(context)


def main() -> None:
    """Entry point.

    Half a million objects come with the imports, hardly one of them garbage: looking through them
    again and again, and once more at the end, would be a third of a short answer's time.
    """
    gc.set_threshold(50_000)
    code = _guard(lambda: _run(sys.argv[1:]))
    gc.freeze()
    sys.exit(code)
