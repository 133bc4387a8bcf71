"""Axes of tables: a path into a scenario and the values that it takes, from ``PATH=SPEC``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any, get_args

from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.models import ABSENT
from chargesim.scenario import Scenario

MOST_LEVELS = 1_000_000
"""A longer axis is refused."""
NONE = "none"
"""Word for a key that is left out."""


@dataclass(frozen=True)
class Axis:
    """A path and its values.

    Parameters
    ----------
    path
        Dotted, as the scenario's model names it.
    values
        What it takes, at least one; numbers, words, truth values or whole tables.
    """

    path: str
    values: tuple[Any, ...]

    @property
    def is_numeric(self) -> bool:
        """True when every value is a number, so that it can be drawn to scale."""
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.values)

    def changes(self, scenario: Scenario, place: int) -> dict[str, Any]:
        """What a scenario is to be given at a place of the axis, for ``Scenario.replace``."""
        return {self.path: meant(scenario, self.path, self.values[place])}


def read_axis(scenario: Scenario, text: str) -> Axis:
    """Read ``PATH=SPEC``, such as ``charge.0.distance=10:40:2`` or ``unit.spears.Ld=6,7,8``.

    Parameters
    ----------
    scenario
        What the path leads into.
    text
        ``SPEC`` is from, to (inclusive) and step, or values separated by commas.

    Raises
    ------
    InputError
        When it cannot be read or the path leads to nothing.
    """
    path, equals, spec = text.partition("=")
    if not equals or not path.strip() or not spec.strip():
        raise InputError(
            f"axis: {text!r} cannot be read: write PATH=SPEC, such as charge.0.distance=10:40:2 "
            "or reaction.NAME=hold,flee"
        )
    known = _known(scenario, path)
    spec = spec.strip()
    if ":" in spec:
        return Axis(known, _range(path.strip(), spec))
    words = [word.strip() for word in spec.split(",")]
    if "" in words:
        raise InputError(f"axis: {path.strip()}: {spec!r} has an empty place between commas")
    return make_axis(scenario, path, [typed(word) for word in words])


def make_axis(scenario: Scenario, path: str, values: Iterable[Any] | str) -> Axis:
    """Axis of a path and values, or of a path and a ``SPEC`` as :func:`read_axis` has it.

    Raises
    ------
    InputError
        When there are no values, a value stands twice, the ``SPEC`` cannot be read, or the path
        leads to nothing.
    """
    if isinstance(values, str):  # not its letters
        return read_axis(scenario, f"{path}={values}")
    known = _known(scenario, path)
    taken = tuple(_plain(value) for value in values)
    if not taken:
        raise InputError(f"axis: {path}: there is no value in it: name at least one")
    if len(taken) > MOST_LEVELS:
        raise InputError(
            f"axis: {path}: {len(taken):,} values are too many: at most {MOST_LEVELS:,}"
        )
    seen: set[str] = set()
    for text in map(repr, taken):
        if text in seen:
            raise InputError(f"axis: {path}: {text} stands twice: write each value once")
        seen.add(text)
    return Axis(known, taken)


def read_levels(text: str, value: str) -> list[float]:
    """Levels of contours: per cent for a chance, as they are for a mean.

    Raises
    ------
    InputError
        When they are no numbers.
    """
    try:
        levels = [float(part) for part in text.split(",")]
        if not all(isfinite(one) for one in levels):
            raise ValueError
    except ValueError:
        raise InputError(f"levels: {text!r} are no levels: write numbers, such as 25,50") from None
    return levels if value.strip().startswith("mean:") else [one / 100 for one in levels]


def _known(scenario: Scenario, path: str) -> str:
    try:
        return scenario.full_path(path)
    except InputError as error:
        raise InputError(f"axis: {error}") from None


def _range(path: str, spec: str) -> tuple[Any, ...]:
    try:
        parts = [Decimal(part.strip()) for part in spec.split(":")]
        if not 2 <= len(parts) <= 3 or not all(part.is_finite() for part in parts):
            raise InvalidOperation
    except InvalidOperation:
        raise InputError(
            f"axis: {path}: {spec!r} is no range: write from:to or from:to:step, such as 10:40:2"
        ) from None
    first, last = parts[:2]
    step = parts[2] if len(parts) == 3 else Decimal(1)
    if step == 0:
        raise InputError(f"axis: {path}: {spec!r} has a step of 0: write another, such as 1")
    if (last - first) / step < 0:
        raise InputError(
            f"axis: {path}: {spec!r} is empty: from {first} no step of {step} leads to {last}"
        )
    count = int((last - first) / step) + 1
    if count > MOST_LEVELS:
        raise InputError(
            f"axis: {path}: {spec!r} has {count:,} values, too many: at most {MOST_LEVELS:,}"
        )
    return tuple(_number(first + i * step) for i in range(count))


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def typed(word: str) -> Any:
    """A word of a ``SPEC`` as a number or truth where it is one."""
    if word in ("true", "false"):
        return word == "true"
    try:
        value = Decimal(word)
    except InvalidOperation:
        return word
    # "3+" is no number, but "+3" and "Infinity" would be
    return _number(value) if value.is_finite() and word[0] != "+" else word


def _plain(value: Any) -> Any:
    """A value without the types of numpy."""
    return value.item() if hasattr(value, "item") else value


def meant(scenario: Scenario, path: str, value: Any) -> Any:
    """What a word of an axis means at a path.

    A unit's name in place of a unit is that unit; ``none`` is a key left out, where its default is
    to be absent; words joined by ``+`` are a list, where a list is wanted.
    """
    field = scenario.paths.get(path)
    if isinstance(value, str) and path.startswith("unit.") and path.count(".") == 1:
        return _swapped(scenario, path, value)
    if field is None or not (value is None or isinstance(value, str)):
        return value
    if isinstance(field.default, tuple):
        return [] if value in (NONE, None) else [word.strip() for word in str(value).split("+")]
    if value is None or (value == NONE and field.default is None and not _has_word(field, NONE)):
        return ABSENT
    return value


def _has_word(field: Any, word: str) -> bool:
    return any(word in get_args(kind) for kind in (field.annotation, *get_args(field.annotation)))


def _swapped(scenario: Scenario, path: str, other: str) -> Any:
    name = path.split(".")[1]
    if other not in scenario.unit_names:
        raise InputError(
            f"axis: {path}: there is no unit {other!r} in {scenario.source}: one of "
            f"{', '.join(scenario.unit_names)}"
        )
    return scenario.unit_like(name, other)


def varied(scenario: Scenario, *steps: tuple[Axis, int]) -> Scenario:
    """The scenario at given places of some axes.

    Raises
    ------
    InputError
        When a value cannot stand; names the values and the faults.
    """
    changes: dict[str, Any] = {}
    for axis, place in steps:
        changes |= axis.changes(scenario, place)
    try:
        return scenario.replace(**changes)
    except ScenarioError as error:
        raise InputError(f"{where(*steps)} cannot stand\n{_faults(error)}") from None


def where(*steps: tuple[Axis, int]) -> str:
    """The values at given places of some axes, as a message names them."""
    return ", ".join(f"{axis.path} = {shown(axis.values[place])}" for axis, place in steps)


def shown(value: Any) -> str:
    """A value as a file would write it."""
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _faults(error: ScenarioError) -> str:
    return "\n".join(f"  {fault}" for fault in error.faults)
