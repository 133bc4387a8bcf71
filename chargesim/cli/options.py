"""Options and arguments of the commands: what they are called, how they are read.

A value that cannot be is refused here, before any work is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import signature
from typing import Annotated, Any

import typer

from chargesim.errors import InputError


class Form(StrEnum):
    """Forms of output."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    html = "html"


class Language(StrEnum):
    """Languages of output."""

    en = "en"
    es = "es"


class Engine(StrEnum):
    """Engines."""

    auto = "auto"
    exact = "exact"
    sample = "sample"


class SchemaName(StrEnum):
    """Kinds of files with a schema."""

    scenario = "scenario"
    result = "result"
    table = "table"
    compare = "compare"
    solve = "solve"
    why = "why"
    payoffs = "payoffs"
    casualties = "casualties"
    distribution = "distribution"
    study = "study"
    plan = "plan"


def whole(text: str) -> int:
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


def trials_of(text: str) -> int:
    """Read a number of trials that can be played."""
    from chargesim.engine.sample import check_trials

    return check_trials(whole(text))


def seed_of(text: str) -> int:
    """Read a seed of 64 bits."""
    from chargesim.engine.sample import check_seed

    return check_seed(whole(text))


def _threads(text: str) -> int:
    value = whole(text)
    if not 1 <= value <= MOST_THREADS:
        raise InputError(f"threads: {value} cannot be: from 1 to {MOST_THREADS}")
    return value


def half_width(text: str) -> float:
    """Read a half-width of an interval, above 0 and below 0.5."""
    try:
        value = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a half-width such as 0.001") from None
    if not 0 < value < 0.5:
        raise InputError(f"precision: {value:g} is no half-width: above 0 and below 0.5")
    return value


def figure_file(text: str) -> str:
    """A file that a figure can be written to, known before the work is done."""
    from pathlib import Path

    path = Path(text)
    if path.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"figure: {text!r} is no figure: end it in .svg or .png")
    if not path.parent.is_dir():
        raise InputError(f"figure: {text!r}: no folder {str(path.parent)!r}: make it first")
    return text


def reach_of(text: str) -> float:
    """Read a probability, such as 0.25, 25 % or 1/4, or a mean."""
    from chargesim.report.levels import read_reach

    return read_reach(text)


MOST_THREADS = 1024
ScenarioFile = Annotated[str, typer.Argument(metavar="SCENARIO.toml", help="Scenario file.")]
Seed = Annotated[int, typer.Option("--seed", parser=seed_of, metavar="S", help="Seed of a sample.")]
Trials = Annotated[
    int, typer.Option("--trials", parser=trials_of, metavar="N", help="Trials of a sample.")
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", parser=_threads, metavar="N", help="Threads; default: one a core."),
]
Format = Annotated[Form, typer.Option("--format", help="Form of the output.")]
Lang = Annotated[Language, typer.Option("--lang", help="Language of the output.")]
MaxStates = Annotated[
    int | None,
    typer.Option("--max-states", parser=whole, metavar="N", help="Most states of a phase, exact."),
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
    str | None, typer.Option(parser=figure_file, metavar="FILE", help="Draw it as .svg or .png.")
]
TRIALS = 1_000_000


@dataclass(frozen=True)
class Playing:
    """Options of every command that has many questions answered: by what, and how long."""

    engine: EngineName = Engine.auto
    trials: Trials = TRIALS
    seed: Seed = 0
    threads: Threads = None
    max_states: MaxStates = None

    @property
    def keywords(self) -> dict[str, Any]:
        """The same as keywords of the functions that do the work."""
        return {**asdict(self), "engine": self.engine.value}


PLAYING = Playing()


def unfold(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command have a group of options as one parameter.

    The parser reads options from signatures. It is shown one in which each parameter whose default
    is such a group stands for the fields of it, with their defaults.
    """
    own = signature(command, eval_str=True)
    groups: dict[str, Any] = {
        p.name: p.default for p in own.parameters.values() if is_dataclass(p.default)
    }
    shown = []
    for parameter in own.parameters.values():
        if parameter.name in groups:
            group = groups[parameter.name]
            options = signature(type(group), eval_str=True).parameters.values()
            shown += [option.replace(default=getattr(group, option.name)) for option in options]
        else:
            shown.append(parameter)

    @wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = type(group)(**{one.name: given.pop(one.name) for one in fields(group)})
        command(**given)

    called.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]  # typer looks there
    return called
