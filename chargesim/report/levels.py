"""Inverse questions: the level of a path at which a value reaches what is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from chargesim.errors import InputError
from chargesim.report.grid import SPREADS, Grid, grid
from chargesim.report.shown import Shown
from chargesim.report.values import Estimate, is_mean
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis, make_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chargesim.report.render import Document

ROUNDING = 1e-12
"""An exact value that falls short by less reaches what is asked for."""


@dataclass(frozen=True)
class Crossing:
    """Two neighbouring levels between which a value begins or ceases to reach what is asked for.

    Parameters
    ----------
    before, after
        The levels.
    rises
        True where it reaches it after, not before.
    """

    before: Any
    after: Any
    rises: bool


class Levels(Shown):
    """A value over the levels of one path, and where it reaches what is asked for.

    Parameters
    ----------
    grid
        Its values.
    reach
        What is asked for.
    """

    def __init__(self, grid: Grid, reach: float) -> None:
        self.grid, self.reach = grid, reach
        self.values = grid.rows.values
        self.cells = [row[0] for row in grid.cells]
        self.states = [_reached(cell, reach) for cell in self.cells]

    @property
    def reached(self) -> list[Any]:
        """Levels at which it is reached; of a sample those where the whole interval is above."""
        return [v for v, state in zip(self.values, self.states, strict=True) if state]

    @property
    def undecided(self) -> list[Any]:
        """Levels whose interval does not decide."""
        return [v for v, state in zip(self.values, self.states, strict=True) if state is None]

    @property
    def crossings(self) -> list[Crossing]:
        """Every change from one level to the next that is decided."""
        decided = [(v, s) for v, s in zip(self.values, self.states, strict=True) if s is not None]
        return [
            Crossing(before, after, bool(now))
            for (before, was), (after, now) in itertools.pairwise(decided)
            if was != now
        ]

    @property
    def is_monotone(self) -> bool:
        """True when it changes at most once along the axis."""
        return len(self.crossings) <= 1

    @property
    def level(self) -> Any:
        """The level that was asked for, ``None`` when it is never reached.

        The first that reaches it; where it is reached from the start and then no more, the last.
        """
        if not self.reached:
            return None
        falls = self.states[0] and self.crossings and self.is_monotone
        return self.reached[-1] if falls else self.reached[0]

    @property
    def verdict(self) -> str:
        """The answer in a sentence."""
        from chargesim.report.levels_tables import verdict

        return verdict(self, "en")

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON: those of the table, and what they come to."""
        return {
            **self.grid.to_dict(),
            "reach": self.reach,
            "level": self.level,
            "reached": self.reached,
            "undecided": self.undecided,
            "monotone": self.is_monotone,
            "crossings": [vars(one) for one in self.crossings],
            "verdict": self.verdict,
        }

    def plot(self, **options: Any) -> Axes:
        """Draw the curve, what is asked for, and where it is reached."""
        from chargesim.report.figures_tables import levels

        return levels(self, **options)

    def _document(self) -> Document:
        from chargesim.report.levels_tables import levels_document

        return levels_document(self, "en")

    def __repr__(self) -> str:
        return f"Levels({self.verdict})"


def _reached(cell: Estimate, reach: float) -> bool | None:
    """Whether a value reaches what is asked for; ``None`` where its interval does not say."""
    if cell.value != cell.value:
        return False
    if cell.is_exact:
        return cell.value >= reach - ROUNDING
    if cell.low >= reach:
        return True
    return False if cell.high < reach else None


def find_level(
    scenario: Scenario,
    axis: Mapping[str, Iterable[Any]] | Axis,
    value: str,
    reach: float,
    **options: Any,
) -> Levels:
    """Find the level of a path at which a value reaches what is asked for.

    Every level is evaluated, so that a value that rises and falls again hides nothing.

    Parameters
    ----------
    scenario
        The question.
    axis
        One path and its levels, in their order.
    value
        An outcome, or ``mean:`` and a quantity.
    reach
        A probability, or a mean; with ``against`` a difference, in points where one of chances.
    **options
        As for :func:`chargesim.grid`.

    Returns
    -------
    Levels

    Raises
    ------
    InputError
        For a probability out of range, or as :func:`chargesim.grid`.
    """
    alone = options.get("against") is None
    if not isfinite(reach) or (alone and not is_mean(value) and not 0 <= reach <= 1):
        raise InputError(f"reach: {reach:g} is no probability: from 0 to 1, such as 0.25 or 25%")
    if any(value.strip().startswith(begin) for begin in SPREADS):
        raise InputError(f"value: {value!r} is a whole distribution: write one such as x>=2")
    if isinstance(axis, Mapping):
        if len(axis) != 1:
            raise InputError(f"for: {len(axis)} paths are given: write one, with its values")
        ((path, values),) = axis.items()
        axis = make_axis(scenario, path, values)
    return Levels(grid(scenario, axis, None, value, **options), float(reach))


def read_reach(text: str) -> float:
    """Read ``0.25``, ``25%`` or ``1/4``.

    Raises
    ------
    InputError
        When it is no number.
    """
    plain = text.strip()
    try:
        if plain.endswith("%"):
            return float(Fraction(plain.removesuffix("%").strip()) / 100)
        return float(Fraction(plain))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"reach: {text!r} is no number: write 0.25, 25% or 1/4") from None
