"""Every rule, statistic and modifier of a scenario, switched or shifted one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from chargesim.models import ABSENT
from chargesim.scenario import Scenario
from chargesim.study.axes import NONE

CHOSEN = ("ruleset", "title", "units", "goal", "map", "reaction")
"""Beginnings of paths that are the question itself, or somebody's choice."""
FIXED = {
    "side", "charger", "target", "targets", "troop", "base", "engaged", "fleeing", "restrain",
    "points", "terror_tested", "redirect", "redirect_choice", "blocked_by", "may_reach", "hexes",
    "facing", "path", "changes", "kind", "formation", "width", "late", "unit", "chariot",
}  # fmt: skip
"""Keys that say who is who and where."""
_SAVE = re.compile(r"(-?\d)\+")


@dataclass(frozen=True)
class Variation:
    """One change of a scenario.

    Parameters
    ----------
    path
        What is changed.
    value
        What it is set to, for ``Scenario.replace``.
    old, new
        Before and after, for people; ``new`` is ``None`` for what is taken away.
    is_shift
        True for one of the two neighbours of a number.
    """

    path: str
    value: Any
    old: Any
    new: Any
    is_shift: bool = False


def variations(scenario: Scenario) -> list[Variation]:
    """Every change that can be tried: numbers one up and one down, the rest off or otherwise.

    Whether a change can stand is for the scenario to say.
    """
    found: list[Variation] = []
    for path, field in scenario.paths.items():
        parts = path.split(".")
        if field is None or parts[0] in CHOSEN or parts[-1] in FIXED:
            continue
        found += _of(path, field, scenario.at(path))
    return found


def _of(path: str, field: Any, value: Any) -> Iterator[Variation]:
    if isinstance(value, bool):
        yield Variation(path, not value, value, not value)
    elif isinstance(value, (int, float)):
        for step in (-1, 1):
            new = round(value + step, 2)
            yield Variation(path, new, value, new, is_shift=True)
    elif isinstance(value, str):
        yield from _of_word(path, field, value)
    elif isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        for one in value:
            yield Variation(path, [other for other in value if other != one], one, None)
    elif value not in (None, ()) and (field.default is None or field.default == ()):
        # a table that may be absent, such as steeds that fight, or a list of tables
        yield Variation(path, ABSENT, path.rpartition(".")[2], None)


def _of_word(path: str, field: Any, value: str) -> Iterator[Variation]:
    save = _SAVE.fullmatch(value)
    if save is not None:
        for step in (-1, 1):
            new = f"{int(save[1]) + step}+"
            gone = new == "7+"
            yield Variation(path, ABSENT if gone else new, value, NONE if gone else new, True)
    elif path.startswith("switches."):
        for other in get_args(field.annotation):
            if other != value:
                yield Variation(path, other, value, other)
    elif field.default is None:
        yield Variation(path, ABSENT, value, NONE)
    elif isinstance(field.default, str) and field.default != value:
        yield Variation(path, ABSENT, value, field.default)
