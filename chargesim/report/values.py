"""Values of expressions: chances and means with their intervals, and what they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np

from chargesim.engine.outcomes import masks, quantity
from chargesim.engine.stats import Z95
from chargesim.report.result import Result

MEAN = "mean:"


@dataclass(frozen=True)
class Estimate:
    """A value and its interval.

    Parameters
    ----------
    value, low, high
        Value and ends of a 95 % interval, all equal when exact, all NaN when undefined.
    engine
        ``"exact"`` or ``"sample"``.
    """

    value: float
    low: float
    high: float
    engine: str

    @property
    def is_exact(self) -> bool:
        """True when it is no estimate."""
        return self.engine == "exact"


@dataclass(frozen=True)
class Factor:
    """What one part of a scenario contributes to a value: a ratio of two weighted sums.

    Parameters
    ----------
    part
        Number of the part.
    top, bottom
        What each end state adds to the sum above and below, shape (states,).
    """

    part: int
    top: np.ndarray[Any, Any]
    bottom: np.ndarray[Any, Any]


def is_mean(expression: str) -> bool:
    """True for a mean, false for a chance."""
    return expression.strip().startswith(MEAN)


def factors(result: Result, expression: str) -> list[Factor]:
    """Ratios whose product is the value of an expression; parts do not influence each other.

    Raises
    ------
    InputError
        When the expression cannot be read.
    """
    if is_mean(expression):
        part, found = quantity(result.views, expression.strip().removeprefix(MEAN))
        arises = np.ones(len(found.values), bool) if found.arises is None else found.arises
        return [Factor(part, found.values * arises, arises)]
    asked, given = masks(result.views, expression)
    ratios = []
    for part in sorted({*asked, *(given or {})}):
        everything = np.ones(len(result.tallies[part].states), bool)
        below = (given or {}).get(part, everything)
        ratios.append(Factor(part, asked.get(part, everything) & below, below))
    return ratios


def measure(result: Result, expression: str) -> Estimate:
    """Value of an expression in a solved scenario, with its interval.

    Parameters
    ----------
    result
        A solved scenario.
    expression
        An outcome, or ``mean:`` and a quantity.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    if not is_mean(expression):
        return Estimate(*result.estimate(*masks(result.views, expression)), result.engine)
    (factor,) = factors(result, expression)
    weights = np.asarray(result.tallies[factor.part].weights, float)
    whole = float(weights @ factor.bottom)
    if not whole > 0:
        return Estimate(nan, nan, nan, result.engine)
    mean = float(weights @ factor.top) / whole
    if result.is_exact:
        return Estimate(mean, mean, mean, result.engine)
    square = float(weights @ (factor.top.astype(float) ** 2)) / whole
    error = Z95 * sqrt(max(square - mean**2, 0.0) / whole)
    return Estimate(mean, mean - error, mean + error, result.engine)
