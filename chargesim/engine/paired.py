"""Samples in blocks, so that what two scenarios do with the same luck can be compared.

Trial N of a seed has the same dice in every scenario. Differences between the blocks of two
scenarios are therefore independent of each other, and their scatter is that of the paired trials.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from chargesim.engine.sample import (
    Progress,
    TooManyStates,
    check_trials,
    sample,
    sample_pieces,
)
from chargesim.engine.tally import Tally, merge
from chargesim.scenario import Scenario

BLOCKS = 100
"""Blocks of a sample, fewer when there are fewer trials."""


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


def joined(blocks: list[list[Tally]]) -> list[Tally]:
    """The tallies of all trials of some blocks."""
    found = []
    for tallies in zip(*blocks, strict=True):
        states, weights = merge([(tally.states, tally.weights) for tally in tallies])
        trials = sum(int(tally.trials or 0) for tally in tallies)
        found.append(Tally("sample", states, weights, trials, tallies[0].seed, of=tallies[0].of))
    return found
