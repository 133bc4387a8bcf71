"""The study file: which points of a scenario are answered, how, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from chargesim.engine.sample import MOST_TRIALS, check_precision
from chargesim.errors import InputError
from chargesim.faults import Fault, StudyError, describe, nearest, shown
from chargesim.scenario import Scenario, load, read_toml
from chargesim.study.axes import MOST_LEVELS, Axis, make_axis, read_axis
from chargesim.study.design import Design

TRIALS = 100_000
"""Trials a point, where the file gives neither trials nor a precision."""
MOST_POINTS = 2**32
"""Most points of a study: numbers of points with luck of their own have so many bits."""
MOST_LHS = 10_000_000
"""Most points of a Latin hypercube, which is made as a whole."""


def _number(value: Any) -> Any:
    if isinstance(value, (bool, str)):
        raise ValueError(f"{shown(value)} is not a number")
    return value


Whole = Annotated[int, BeforeValidator(_number)]


class Span(BaseModel):
    """Levels from low to high: of a Latin hypercube's axis."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    low: Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False)]
    high: Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False)]
    step: Annotated[float, BeforeValidator(_number), Field(gt=0, allow_inf_nan=False)] | None = (
        Field(None, description="Default: 1 where only whole numbers can stand, else 0.01.")
    )


class Model(BaseModel):
    """A study file."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="chargesim study")

    scenario: str = Field(description="Scenario file, relative to this one.")
    title: str | None = Field(None, description="Default: the title of the scenario.")
    design: Literal["grid", "zip", "lhs"] = Field(
        "grid",
        description="All combinations; the axes side by side; a Latin hypercube of `points`.",
    )
    points: Annotated[Whole, Field(ge=1, le=MOST_LHS)] | None = Field(
        None, description="Points of a Latin hypercube."
    )
    engine: Literal["auto", "exact", "sample"] = "auto"
    trials: Annotated[Whole, Field(ge=1, le=MOST_TRIALS)] | None = Field(
        None, description=f"Trials of a sampled point; default {TRIALS:,}."
    )
    precision: Annotated[float, BeforeValidator(_number), Field(gt=0, lt=0.5)] | None = Field(
        None, description="Instead of trials: double them until no half-width is above this."
    )
    seed: Annotated[Whole, Field(ge=0, lt=2**64)] = 0
    luck: Literal["shared", "independent"] = Field(
        "shared", description="Whether all points see the same dice, or each its own."
    )
    keep: Literal["outcome", "all"] = Field(
        "outcome",
        description="The words of charges and combats; or distributions, facts and units too.",
    )
    until: str | None = Field(
        None, description="Last phase that is played, where nothing is asked of what follows."
    )
    max_states: Annotated[Whole, Field(ge=1)] | None = Field(
        None, description="Most states of a phase of the exact engine."
    )
    axes: dict[str, str | int | float | bool | list[Any] | Span | dict[str, Any]] = Field(
        min_length=1,
        description="Path to its levels: PATH=SPEC's SPEC, a list, or { low, high } for lhs.",
    )


@dataclass(frozen=True)
class Study:
    """A study that can be run.

    Parameters
    ----------
    title
        For people.
    scenario
        What is varied.
    design
        Its points.
    engine, trials, precision, seed, max_states
        As for a scenario; exactly one of ``trials`` and ``precision`` is not ``None``.
    luck
        ``"shared"`` or ``"independent"``.
    keep
        ``"outcome"`` or ``"all"``.
    until
        Name of the last phase that is played, ``None`` for all.
    """

    title: str
    scenario: Scenario
    design: Design
    engine: str = "auto"
    trials: int | None = TRIALS
    precision: float | None = None
    seed: int = 0
    luck: str = "shared"
    keep: str = "outcome"
    until: str | None = None
    max_states: int | None = None

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Its axes, in the order of the file."""
        return self.design.axes


def load_study(file: str | Path) -> Study:
    """Read a study file.

    Parameters
    ----------
    file
        Path of a TOML file.

    Raises
    ------
    InputError
        When a file cannot be read, or (:class:`StudyError`) with all that is wrong in it.
    """
    path = Path(file)
    return make_study(read_toml(path, "study"), str(path), path.parent)


def make_study(tables: Mapping[str, Any], source: str = "study", base: str | Path = ".") -> Study:
    """Study of the tables and keys of a study file.

    Parameters
    ----------
    tables
        What the file holds.
    source
        Where it came from, for messages.
    base
        Folder that the scenario's file is relative to.

    Raises
    ------
    StudyError
        With every fault that was found, each with its path.
    """
    faults: list[Fault] = []
    model = None
    try:
        model = Model.model_validate(dict(tables))
    except ValidationError as error:
        faults += _told(error)
    scenario = _scenario(tables.get("scenario"), Path(base), faults)
    given = tables.get("axes")
    axes: list[Axis] = []
    if scenario is not None and isinstance(given, dict):
        axes = _axes(scenario, given, str(tables.get("design", "grid")), faults)
        _check_phase(scenario, tables.get("until"), faults)
    if model is not None:
        _check_sense(model, axes, faults)
    if faults or model is None or scenario is None:
        raise StudyError(source, faults)
    return Study(
        title=model.title or scenario.title,
        scenario=scenario,
        design=Design(model.design, axes, model.points, model.seed),
        engine=model.engine,
        trials=(model.trials or TRIALS) if model.precision is None else None,
        precision=model.precision,
        seed=model.seed,
        luck=model.luck,
        keep=model.keep,
        until=model.until.lower() if model.until else None,
        max_states=model.max_states,
    )


def _told(error: ValidationError) -> list[Fault]:
    """Pydantic's faults in our words, one a path."""
    found: dict[str, Fault] = {}
    for entry in error.errors():
        place = entry["loc"]
        if place[0] == "axes" and len(place) > 1:
            continue  # told by those who read the axes, with the path and what would be right
        if entry["type"] in ("less_than", "greater_than"):
            limit = entry["ctx"].get("lt", entry["ctx"].get("gt"))
            way = "below" if "lt" in entry["ctx"] else "above"
            fault = Fault(str(place[0]), f"{shown(entry['input'])} cannot be: {way} {limit}")
        elif entry["type"] == "too_short":
            fault = Fault("axes", 'there is none: write "charge.0.distance" = "10:40:2" below it')
        elif entry["type"] == "missing":
            fault = Fault(str(place[0]), "is missing", _EXAMPLES.get(str(place[0]), ""))
        else:
            fault = describe(entry, lambda place: list(Model.model_fields) if not place else [])
        found.setdefault(fault.path, fault)
    return list(found.values())


_EXAMPLES = {
    "scenario": 'write scenario = "boar_riders.toml"',
    "axes": 'write [axes] and below it "charge.0.distance" = "10:40:2"',
}


def _scenario(given: Any, base: Path, faults: list[Fault]) -> Scenario | None:
    if not isinstance(given, str):
        return None
    try:
        return load(base / given)
    except InputError as error:
        faults.append(Fault("scenario", str(error)))
        return None


def _check_phase(scenario: Scenario, until: Any, faults: list[Fault]) -> None:
    known = [phase.name.lower() for phase in scenario.ruleset.phases]
    if isinstance(until, str) and until.lower() not in known:
        hint = nearest(until, known) or f"; known: {', '.join(known)}"
        faults.append(Fault("until", f"there is no phase {until!r}{hint}"))


def _check_sense(model: Model, axes: list[Axis], faults: list[Fault]) -> None:
    """Faults of keys that do not go together."""
    if model.precision is not None:
        if model.trials is not None:
            faults.append(Fault("precision", "stands beside trials: keep one of the two"))
        try:
            check_precision(model.precision)
        except InputError as error:
            faults.append(Fault("precision", str(error).removeprefix("precision: ")))
    if model.design == "lhs":
        if model.points is None:
            faults.append(Fault("points", "is missing: a Latin hypercube needs a number of them"))
    elif model.points is not None:
        faults.append(Fault("points", f'belongs to design = "lhs", this is {model.design!r}'))
    lengths = {axis.path: len(axis.values) for axis in axes}
    if model.design == "zip" and len(set(lengths.values())) > 1:
        counts = ", ".join(f"{path} {many:,}" for path, many in lengths.items())
        faults.append(Fault("axes", f"of a zip must be of one length; these have {counts}"))
    if model.design == "grid" and axes and Design("grid", axes).count > MOST_POINTS:
        many = Design("grid", axes).count
        faults.append(Fault("axes", f"{many:,} points are too many: at most {MOST_POINTS:,}"))


def _axes(
    scenario: Scenario, given: Mapping[str, Any], design: str, faults: list[Fault]
) -> list[Axis]:
    axes: list[Axis] = []
    for path, levels in given.items():
        where = f'axes."{path}"'
        try:
            axis = _axis(scenario, path, levels, design)
        except InputError as error:
            text = str(error).removeprefix("axis: ").removeprefix(f"{path}: ")
            faults.append(Fault(where, text))
            continue
        if any(axis.path == other.path for other in axes):
            faults.append(Fault(where, f"{axis.path} has an axis already: keep one"))
        axes.append(axis)
    return axes


def _axis(scenario: Scenario, path: str, levels: Any, design: str) -> Axis:
    if isinstance(levels, str):
        return read_axis(scenario, f"{path}={levels}")
    if isinstance(levels, dict) and {"low", "high"} & set(levels):
        if design != "lhs":
            raise InputError(
                f'{shown(levels)} belongs to design = "lhs": write "10:40:2" or a list'
            )
        return make_axis(scenario, path, _span(scenario.full_path(path), levels, scenario))
    return make_axis(scenario, path, levels if isinstance(levels, list) else [levels])


def _span(path: str, given: dict[str, Any], scenario: Scenario) -> list[int | float]:
    try:
        span = Span.model_validate(given)
    except ValidationError as error:
        texts = [str(describe(one, lambda _: list(Span.model_fields))) for one in error.errors()]
        raise InputError("; ".join(texts)) from None
    low, high = Decimal(repr(span.low)), Decimal(repr(span.high))
    default = Decimal(1) if _is_whole(scenario.paths.get(path)) else Decimal("0.01")
    step = default if span.step is None else Decimal(repr(span.step))
    if high < low:
        raise InputError(f"low is {low.normalize():f} and high {high.normalize():f}: turn them")
    many = int((high - low) / step) + 1
    if many > MOST_LEVELS:
        raise InputError(
            f"{many:,} levels are too many, at most {MOST_LEVELS:,}: write a larger step"
        )
    values = (low + i * step for i in range(many))
    return [int(v) if v == v.to_integral_value() else float(v) for v in values]


def _is_whole(field: Any) -> bool:
    """True where only whole numbers can stand."""

    def kinds(kind: Any) -> set[Any]:
        return {kind}.union(*(kinds(inner) for inner in get_args(kind)), set())

    found = kinds(getattr(field, "annotation", None))
    return int in found and float not in found


def study_schema() -> dict[str, Any]:
    """JSON Schema of a study file."""
    schema = Model.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
