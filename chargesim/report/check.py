"""Compare the exact engine with the sampler, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chargesim.engine.exact import MAX_STATES, solve
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.report.outcomes import views
from chargesim.report.result import Result
from chargesim.scenario import Scenario

FAMILY = 1e-6
"""Chance that a sound pair of engines is ever called different."""


@dataclass(frozen=True)
class Cell:
    """One probability, exact and sampled.

    Parameters
    ----------
    what
        Charge or unit, quantity and value.
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
    max_states: int = MAX_STATES,
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
    exact = Result(scenario, solve(scenario, max_states=max_states))
    sampled = Result(
        scenario, sample(scenario, trials, seed=seed, threads=threads, progress=progress)
    )
    pairs: dict[str, tuple[float, int]] = {}
    for prefix, here in views(exact.reading).items():
        there = views(sampled.reading)[prefix]
        for code, word in here.words.items():
            pairs[f"{prefix}:{word}"] = (
                exact.estimate(here.codes == code)[0],
                _count(sampled, there.codes == code),
            )
        for name in here.flags:
            pairs[f"{prefix}:{name}"] = (
                exact.estimate(here.flags[name])[0],
                _count(sampled, there.flags[name]),
            )
        for name, quantity in here.quantities.items():
            other = there.quantities[name].values
            for value in np.union1d(quantity.values, other):
                if value >= 0:
                    pairs[f"{prefix}:{name}={int(value)}"] = (
                        exact.estimate(quantity.values == value)[0],
                        _count(sampled, other == value),
                    )
    pairs = {what: pair for what, pair in pairs.items() if pair != (0.0, 0)}
    bound = FAMILY / max(len(pairs), 1)
    cells = []
    for what, (p, count) in pairs.items():
        p_value = binomial_test(count, trials, p)
        cells.append(Cell(what, p, count, trials, p_value, p_value >= bound))
    return cells


def _count(result: Result, mask: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    return int(result.tally.weights[mask].sum())
