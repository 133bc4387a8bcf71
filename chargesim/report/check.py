"""Compare the exact engine with the sampler and with every die rolled, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from chargesim.engine.sample import sample_whole
from chargesim.engine.stats import binomial_test
from chargesim.report.result import Result, solve
from chargesim.rulesets import Quantity, View
from chargesim.scenario import Scenario

Mask = np.ndarray[Any, Any]

FAMILY = 1e-6
"""Chance that a sound pair of engines is ever called different."""


ROLLED_SHARE = 10
"""One trial in so many is played again with every die rolled; that takes the longer way."""
LEAST_ROLLED = 10_000
"""Trials that are rolled at the least, where so many were asked for."""


@dataclass(frozen=True)
class Seen:
    """How often something came about in a sample.

    Parameters
    ----------
    count, trials
        Times it came about among the trials.
    p_value
        Of a two-sided exact binomial test against the exact probability.
    """

    count: int
    trials: int
    p_value: float

    @property
    def share(self) -> float:
        """Share of the trials."""
        return self.count / self.trials


@dataclass(frozen=True)
class Cell:
    """One probability, exact and in two samples.

    Parameters
    ----------
    what
        Charge, combat or unit, and its word, flag or quantity and value.
    exact
        Exact probability.
    sampled
        As ``run`` samples: by chance tables, planned where the tree is small enough.
    rolled
        With every die rolled, by the rules: a witness that has only the rule text in common with
        the others.
    agrees
        False when a p-value is below 1e-6 divided by the number of tests, or the impossible was
        seen.
    """

    what: str
    exact: float
    sampled: Seen
    rolled: Seen
    agrees: bool


def rolled_trials(trials: int) -> int:
    """How many trials are rolled die by die beside a sample."""
    return min(trials, max(trials // ROLLED_SHARE, LEAST_ROLLED))


def check(
    scenario: Scenario,
    trials: int = 1_000_000,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    max_states: int | None = None,
) -> list[Cell]:
    """Solve a scenario, sample it and roll it die by die; compare every cell of all three.

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
    exact = solve(scenario, engine="exact", max_states=max_states)
    # of choices left open all play the best, which the exact engine knows
    question = exact.played
    rolled = rolled_trials(trials)
    samples = []
    for rolling, number, before in ((False, trials, 0), (True, rolled, trials)):
        told = None if progress is None else _after(progress, before, trials + rolled)
        tallies = [
            tally for part in question.parts for tally in sample_whole(
                part, number, rolled=rolling, by_rules=rolling,
                seed=seed, threads=threads, progress=told,
            )
        ]  # fmt: skip
        samples.append(Result(question, tallies))
    found = {what: cell for what, *cell in _cells(exact, *samples) if cell != [0.0, 0, 0]}
    bound = FAMILY / max(2 * len(found), 1)
    cells = []
    for what, (p, often, seldom) in found.items():
        sampled = Seen(often, trials, binomial_test(often, trials, p))
        dice = Seen(seldom, rolled, binomial_test(seldom, rolled, p))
        agrees = min(sampled.p_value, dice.p_value) >= bound
        cells.append(Cell(what, p, sampled, dice, agrees))
    return cells


def _after(
    progress: Callable[[int, int], None], before: int, total: int
) -> Callable[[int, int], None]:
    """Progress of a sample that follows on ``before`` trials."""
    return lambda done, _: progress(before + done, total)


def _cells(exact: Result, *samples: Result) -> Iterator[tuple[Any, ...]]:
    """Every cell: its name, its exact probability and how often it was seen in each sample."""
    for prefix, (part, views) in exact.views.items():
        weights = [sample.tallies[part].weights for sample in samples]
        others = [sample.views[prefix][1] for sample in samples]
        for here, *there in zip(views, *others, strict=True):
            for name, mask, *seen in _masks(here, there):
                counts = [int(w[states].sum()) for w, states in zip(weights, seen, strict=True)]
                yield f"{prefix}:{name}", exact.chance(part, mask)[0], *counts


def _masks(here: View, there: list[View]) -> Iterator[tuple[Any, ...]]:
    """Each word, flag and value that any reading of a view knows, with its states in each."""
    every = [here, *there]
    for code, word in here.words.items():
        yield word, *(view.codes == code for view in every)
    for name in here.flags:
        yield name, *(view.flags[name] for view in every)
    for name in here.quantities:
        numbers = [view.quantities[name] for view in every]
        for value in reduce(np.union1d, [found.values for found in numbers]):
            yield f"{name}={int(value)}", *(_at(found, value) for found in numbers)


def _at(found: Quantity, value: int) -> Mask:
    """States in which a quantity arises and has a value."""
    mask: Mask = found.values == value
    return mask if found.arises is None else mask & found.arises
