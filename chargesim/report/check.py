"""Compare the exact engine with the sampler, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chargesim.engine.play import play
from chargesim.engine.stats import binomial_test
from chargesim.report.result import Result, solve
from chargesim.rulesets import Quantity, View
from chargesim.scenario import Scenario

Mask = np.ndarray[Any, Any]

FAMILY = 1e-6
"""Chance that a sound pair of engines is ever called different."""


@dataclass(frozen=True)
class Cell:
    """One probability, exact and sampled.

    Parameters
    ----------
    what
        Charge, combat or unit, and its word, flag or quantity and value.
    exact
        Exact probability.
    count, trials
        Times it came about among the trials.
    p_value
        Of a two-sided exact binomial test.
    agrees
        False when the p-value is below 1e-6 divided by the number of cells, or the impossible was
        seen.
    """

    what: str
    exact: float
    count: int
    trials: int
    p_value: float
    agrees: bool


def check(
    scenario: Scenario,
    trials: int = 1_000_000,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    max_states: int | None = None,
) -> list[Cell]:
    """Solve and sample a scenario and compare every cell of both.

    Parameters
    ----------
    scenario
        The question.
    trials, seed, threads, progress, max_states
        As for :func:`chargesim.report.result.solve`.

    Returns
    -------
    list of Cell
        Every outcome word, state and value that either engine knows.

    Raises
    ------
    ExactLimitError
        When the tree is too large to be solved exactly.
    """
    options: dict[str, Any] = {"threads": threads, "progress": progress}
    exact = solve(scenario, engine="exact", max_states=max_states)
    # of choices left open both play the best, which the exact engine knows
    question = exact.played
    sampled = Result(question, play(question, engine="sample", trials=trials, seed=seed, **options))
    pairs = {what: pair for what, pair in _pairs(exact, sampled) if pair != (0.0, 0)}
    bound = FAMILY / max(len(pairs), 1)
    cells = []
    for what, (p, count) in pairs.items():
        p_value = binomial_test(count, trials, p)
        cells.append(Cell(what, p, count, trials, p_value, p_value >= bound))
    return cells


def _pairs(exact: Result, sampled: Result) -> Iterator[tuple[str, tuple[float, int]]]:
    """Every cell with its exact probability and how often it was seen.

    A unit and the combat about it share a prefix: their words and numbers have different names.
    """
    for prefix, (part, views) in exact.views.items():
        weights = sampled.tallies[part].weights
        for here, there in zip(views, sampled.views[prefix][1], strict=True):
            for name, mask, other in _cells(here, there):
                yield f"{prefix}:{name}", (exact.chance(part, mask)[0], int(weights[other].sum()))


def _cells(here: View, there: View) -> Iterator[tuple[str, Mask, Mask]]:
    """Each word, flag and value that either of two readings of a view knows, with its states."""
    for code, word in here.words.items():
        yield word, here.codes == code, there.codes == code
    for name, flag in here.flags.items():
        yield name, flag, there.flags[name]
    for name, mine in here.quantities.items():
        other = there.quantities[name]
        for value in np.union1d(mine.values, other.values):
            yield f"{name}={int(value)}", _at(mine, value), _at(other, value)


def _at(found: Quantity, value: int) -> Mask:
    """States in which a quantity arises and has a value."""
    mask: Mask = found.values == value
    return mask if found.arises is None else mask & found.arises
