"""The joint distribution that both engines return: end states and how often each came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from chargesim.rulesets import Reading


@dataclass(eq=False)  # frozen ones take twice as long to make
class Tally:
    """End states of a part of a scenario with their weights; of disjoint trials they add up.

    Parameters
    ----------
    engine
        ``"exact"`` or ``"sample"``.
    states
        Live words of the end states, uint64, shape (states, words), in rising order.
    weights
        Counts (int64) of a sample, probabilities (float64) of an exact solution, shape (states,).
    trials
        Number of trials, ``None`` when exact.
    seed
        Seed of a sample, ``None`` when exact.
    sizes
        States of an exact solution that waited for chance, at each step at which any did.
    fractions
        Probabilities as fractions where they were asked for.
    of
        The part or piece of a scenario that it is of, which can read its states.
    """

    engine: str
    states: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]
    trials: int | None = None
    seed: int | None = None
    sizes: tuple[int, ...] = ()
    fractions: tuple[Fraction, ...] = field(default=(), repr=False)
    of: Any = field(default=None, repr=False, compare=False)

    @cached_property
    def reading(self) -> Reading:
        """What its states say."""
        reading: Reading = self.of.read(self.states)
        return reading

    @property
    def probabilities(self) -> np.ndarray[Any, Any]:
        """Probabilities of the states, estimated or exact, shape (states,)."""
        return self.weights if self.trials is None else self.weights / self.trials

    @property
    def mass_defect(self) -> float:
        """How far the probabilities are from adding up to 1."""
        return abs(float(np.sum(self.probabilities)) - 1.0)


def in_order(
    states: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """States in rising order, so that equal distributions are equal arrays."""
    order = np.lexsort(states.T[::-1])
    return states[order], weights[order]


def merge(parts: list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]) -> tuple[Any, Any]:
    """Add up counts of equal states."""
    states, weights = in_order(
        np.concatenate([s for s, _ in parts]), np.concatenate([w for _, w in parts])
    )
    if len(states) == 0:
        return states, weights
    first = np.ones(len(states), dtype=bool)
    first[1:] = np.any(states[1:] != states[:-1], axis=1)
    starts = np.flatnonzero(first)
    return states[starts], np.add.reduceat(weights, starts)
