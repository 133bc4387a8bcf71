"""Samples in blocks, so that what two scenarios do with the same luck can be compared.

Trial N of a seed has the same dice in every scenario. Differences between the blocks of two
scenarios are therefore independent of each other, and their scatter is that of the paired trials.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from chargesim.engine.sample import (
    Progress,
    TooManyStates,
    check_trials,
    sample,
    sample_pieces,
)
from chargesim.engine.tally import Tally
from chargesim.scenario import Scenario

BLOCKS = 100
"""Blocks of a sample, fewer when there are fewer trials."""
SMALL = 8_192
"""Blocks of fewer trials are played by one thread."""


def sample_in_blocks(
    scenario: Scenario,
    trials: int = 1_000_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[list[Tally]]:
    """Play trials and count them block by block.

    Parameters
    ----------
    scenario
        A question without open choices.
    trials, seed, threads
        As for :func:`chargesim.engine.sample.sample`.
    progress
        Called with (trials played, trials).

    Returns
    -------
    list of list of Tally
        For each block one tally a part, or a piece of a part.
    """
    many = min(BLOCKS, check_trials(trials))
    edges = [trials * place // many for place in range(many + 1)]
    if trials // many < SMALL:
        threads = 1  # starting more would take longer than playing
    options: dict[str, Any] = {"seed": seed, "threads": threads}
    try:
        return _blocks(scenario, edges, options, progress, whole=True)
    except TooManyStates:
        return _blocks(scenario, edges, options, progress, whole=False)


def _blocks(
    scenario: Scenario,
    edges: list[int],
    options: dict[str, Any],
    progress: Progress | None,
    *,
    whole: bool,
) -> list[list[Tally]]:
    blocks = []
    for first, stop in pairwise(edges):
        tallies: list[Tally] = []
        for part in scenario.parts:
            if whole:
                tallies.append(sample(part, stop - first, first=first, **options))
            else:
                tallies += sample_pieces(part, stop - first, first=first, **options)
        blocks.append(tallies)
        if progress:
            progress(stop, edges[-1])
    return blocks


@dataclass(frozen=True)
class Joined:
    """The tally of all trials of some blocks, and which of its states each block saw how often.

    Parameters
    ----------
    tally
        Of all trials.
    blocks
        How many there are.
    block, state, count
        Numbers of a block and of a state, and how often it saw that, shape (entries,).
    """

    tally: Tally
    blocks: int
    block: np.ndarray[Any, Any]
    state: np.ndarray[Any, Any]
    count: np.ndarray[Any, Any]

    def sums(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """What each block adds up to, given what each state adds, shape (blocks,)."""
        return np.bincount(self.block, self.count * values[self.state], self.blocks)


def joined(blocks: list[list[Tally]]) -> list[Joined]:
    """The tallies of all trials of some blocks, one a part or piece."""
    found = []
    for tallies in zip(*blocks, strict=True):
        every = np.concatenate([tally.states for tally in tallies])
        count = np.concatenate([tally.weights for tally in tallies])
        states, state = np.unique(every, axis=0, return_inverse=True)
        state = state.reshape(-1)
        weights = np.zeros(len(states), np.int64)
        np.add.at(weights, state, count)
        block = np.repeat(np.arange(len(tallies)), [len(tally.weights) for tally in tallies])
        trials = sum(int(tally.trials or 0) for tally in tallies)
        whole = Tally("sample", states, weights, trials, tallies[0].seed, of=tallies[0].of)
        found.append(Joined(whole, len(tallies), block, state, count))
    return found
