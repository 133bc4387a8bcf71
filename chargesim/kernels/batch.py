"""Trials of many games: each unrolled, laid out and played without Python in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.kernels.layout import lay_out
from chargesim.kernels.plans import MOST_TARGETS, new_room, play_plan, read_tally, set_up
from chargesim.kernels.trees import NODES, STATUS, Tree, join, unroll
from chargesim.kernels.words import BLOCK

GROUP = 16
"""Most games that are played side by side: their plans share the nearer caches."""
NO_PLAN = -1
"""In place of a number of end states."""


@kernel
def can_be_planned(tree: Tree, most: int) -> bool:
    """Tell whether a tree is complete, leaves anything to chance, and has at most so many nodes."""
    return bool(tree.sizes[STATUS] == 0 and 0 < tree.sizes[NODES] <= most)


@kernel
def turn_to_point(dice: Any, point: int) -> None:
    """Turn to the luck of a study point; rows that are ready stay so when it is the same."""
    if dice["point"] != point:
        dice["point"] = point
        dice["ready"][:] = -1


@kernel
def play_side_by_side(dice: Any, plans: Any, benches: Any, first: int, stop: int) -> None:
    """Play the same trials by several plans, block by block: rows of words serve all of them."""
    begin = first
    while begin < stop:
        end = min(stop, (begin // BLOCK + 1) * BLOCK)
        for k in range(len(plans)):
            play_plan(dice, plans[k], benches[k], begin, end)
        begin = end


@kernel
def play_games(
    step: Any,
    games: Any,
    dices: Any,
    words: Any,
    live: Any,
    places: Any,
    starts: Any,
    points: Any,
    tree: Tree,
    most: int,
    first: int,
    stop: int,
) -> tuple[Any, Any, Any]:
    """Plan games of one shape and play trials of them, each game by itself.

    Parameters
    ----------
    step
        Address of the ruleset's step.
    games, dices
        Arrays of one game and of one dice record in ENUMERATE mode.
    words, live
        The game's words (they share memory) and the places of its live words.
    places
        int64: places in the game of the words of a start.
    starts
        uint64, shape (games, words of a start).
    points
        uint64, shape (games,): number of the study point of each.
    tree
        Trees grow in it, where it has room.
    most
        Most chance nodes of a plan.
    first, stop
        Trials first to stop - 1 are played.

    Returns
    -------
    tuple of array
        How many end states each game came to, or ``NO_PLAN`` (int64); of one game behind those of
        another, these states in rising order (uint64, shape (states, words)), and how many trials
        came to each (int64).
    """
    game, dice = games[0], dices[0]
    total, n = starts.shape[0], live.size
    room = new_room()
    found = np.full(total, NO_PLAN)
    seen, tallies = [np.empty((0, n), np.uint64)], [np.empty(0, np.int64)]
    begin, size = 0, 0
    while begin < total:
        end = begin
        members = []
        plans = []
        ends = []
        benches = []
        while end < total and end < begin + GROUP and points[end] == points[begin]:
            for j in range(places.size):
                words[places[j]] = starts[end, j]
            tree = unroll(step, game, dice, words, live, tree, most)
            if can_be_planned(tree, most):
                states = join(tree, n)
                count = states.shape[0]
                if tree.sizes[NODES] + count < MOST_TARGETS:
                    plan = lay_out(tree, count)
                    members.append(end)
                    plans.append(plan)
                    ends.append(states)
                    benches.append(set_up(plan, count, room))
            end += 1
        turn_to_point(dice, points[begin])
        play_side_by_side(dice, plans, benches, first, stop)
        for k in range(len(plans)):
            read_tally(plans[k], benches[k])
            tally = benches[k].counts.sum(axis=0)
            came = np.flatnonzero(tally)
            found[members[k]] = came.size
            size += came.size
            seen.append(ends[k][came])
            tallies.append(tally[came])
        begin = end
    states, counts = np.empty((size, n), np.uint64), np.empty(size, np.int64)
    at = 0
    for k in range(len(seen)):
        count = tallies[k].size
        states[at : at + count] = seen[k]
        counts[at : at + count] = tallies[k]
        at += count
    return found, states, counts
