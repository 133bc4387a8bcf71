"""The loops every ruleset shares: play trials by the rules, and enumerate them all.

A game is one record; seen as 64-bit words, ``live`` names those that a trial may change. Only these
are reset, hashed and stored. ``step(game, dice)`` advances a game by one phase until its head says
``done``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import TAPE, supply, turn_to, weigh
from chargesim.kernels.jit import kernel
from chargesim.kernels.words import set_trial

BATCH = 512
"""States that are entered into a table at one time; at most a quarter of its least capacity."""
PART = 1024
"""Trials whose end states are counted at one time."""
TOO_DEEP, FULL, UNCOUNTABLE = 1, 2, 3
"""Why an enumeration stopped: more nodes in one step than the tape holds; table too small; a node
whose outcomes cannot be counted."""


class Table(NamedTuple):
    """States by hash, with open addressing; an empty place has count 0.

    ``keys`` has shape (capacity, words), capacity a power of two; ``counts`` (int64) and
    ``weights`` (float64) have shape (capacity,); ``used`` has shape (1,).
    """

    keys: Any
    counts: Any
    weights: Any
    used: Any


def new_table(capacity: int, words: int) -> Table:
    """Empty table; ``capacity`` is a power of two, at least 2048."""
    return Table(
        np.zeros((capacity, words), np.uint64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.float64),
        np.zeros(1, np.int64),
    )


@kernel
def enter(keys: Any, counts: Any, weights: Any, used: Any, rows: Any, shares: Any, n: int) -> None:
    """Add ``n`` states, each with its weight, to a table that has room for them.

    It takes many at once because passing arrays from one kernel to another costs more than the
    look-up.
    """
    mask = keys.shape[0] - 1
    words = keys.shape[1]
    for i in range(n):
        h = np.uint64(0x9E3779B97F4A7C15)
        for j in range(words):
            h = (h ^ rows[i, j]) * np.uint64(0xD6E8FEB86659FD93)
            h ^= h >> np.uint64(32)
        place = np.int64(h >> np.uint64(1)) & mask
        while counts[place] > 0:
            differs = np.uint64(0)
            for j in range(words):
                differs |= keys[place, j] ^ rows[i, j]
            if differs == 0:
                break
            place = (place + 1) & mask
        if counts[place] == 0:
            for j in range(words):
                keys[place, j] = rows[i, j]
            used[0] += 1
        counts[place] += 1
        weights[place] += shares[i]


def play_block(
    play: Callable[..., None],
    game: Any,
    dice: Any,
    words: Any,
    live: Any,
    start: Any,
    kept: Any,
    table: Table,
    span: Any,
) -> None:
    """Play trials and count their end states, or pieces of them.

    Parameters
    ----------
    play
        The ruleset's play: a whole trial.
    game, words, live
        The game, its words (they share memory) and the places of its live words.
    dice
        Dice record in SAMPLE mode.
    start
        Live words of the initial state.
    kept
        int64, shape (pieces, words): places of the words of each piece that is counted; a negative
        one stands for the number ``-1 - place`` itself.
    table
        Where end states are counted.
    span
        int64 array: next trial, trial to stop before. The first is moved on, and the loop returns
        early when the table is more than half full.
    """
    n = live.size
    pieces = kept.shape[0]
    rows = np.empty((PART * pieces, kept.shape[1]), np.uint64)
    shares = np.ones(PART * pieces)
    limit = table.keys.shape[0] // 2
    trial = span[0]
    while trial < span[1] and table.used[0] <= limit:
        count = min(PART - trial % PART, span[1] - trial)
        turn_to(dice, trial)
        for i in range(count):
            set_trial(dice, trial + i)
            while True:
                for j in range(n):
                    words[live[j]] = start[j]
                play(game, dice)
                if dice["wanting"] == 0:
                    break
                supply(dice)
            for q in range(pieces):
                for j in range(kept.shape[1]):
                    place = kept[q, j]
                    if place >= 0:
                        rows[i * pieces + q, j] = words[place]
                    else:
                        rows[i * pieces + q, j] = np.uint64(-1 - place)
        enter(table.keys, table.counts, table.weights, table.used, rows, shares, count * pieces)
        trial += count
    span[0] = trial


@kernel
def unload(table: Table, states: Any, chances: Any) -> None:
    """Move a table's states and weights into arrays that hold just as many, and empty it."""
    row = 0
    for place in range(table.counts.size):
        if table.counts[place] > 0:
            for j in range(states.shape[1]):
                states[row, j] = table.keys[place, j]
            chances[row] = table.weights[place]
            table.counts[place] = 0
            table.weights[place] = 0.0
            row += 1
    table.used[0] = 0


def expand_all(
    step: Callable[..., None],
    game: Any,
    dice: Any,
    words: Any,
    live: Any,
    states: Any,
    chances: Any,
    table: Table,
    sizes: Any,
    span: Any,
) -> None:
    """Advance the initial state step by step over every outcome, merging equal states.

    Parameters
    ----------
    step
        The ruleset's step.
    game, words, live
        As for :func:`play_block`.
    dice
        Dice record in ENUMERATE mode.
    states, chances
        Room for the live words and probabilities of a phase, shapes (half the capacity of the
        table, words) and (the same,); row 0 holds the initial state with probability 1 and
        afterwards the
        end states stand there.
    table
        Where next states are gathered.
    sizes
        int64 array, one row a step: its phase, and the number of states after it.
    span
        int64 array: number of states, steps taken, and a status: 0, ``TOO_DEEP``,
        ``FULL`` or ``UNCOUNTABLE``.
    """
    n = live.size
    rows = np.empty((BATCH, n), np.uint64)
    shares = np.empty(BATCH)
    filled = 0
    limit = states.shape[0]
    pmf = np.empty((TAPE, dice["pmf"].size))
    count = np.empty(TAPE, np.int64)
    upto = np.empty(TAPE + 1)
    tape = dice["tape"]
    while True:
        going = 0
        for i in range(span[0]):
            depth = 0
            upto[0] = chances[i]
            while True:
                for j in range(n):
                    words[live[j]] = states[i, j]
                dice["asked"] = 0
                dice["depth"] = depth
                dice["wanting"] = 0
                # a trial that is over waits for the others
                if game["head"]["done"] == 0:
                    going += 1
                    sizes[span[1], 0] = game["head"]["phase"]
                    step(game, dice)
                if dice["wanting"]:
                    if depth == TAPE:
                        span[2] = TOO_DEEP
                        return
                    count[depth] = weigh(dice)
                    if count[depth] == 0:
                        span[2] = UNCOUNTABLE
                        return
                    for k in range(count[depth]):
                        pmf[depth, k] = dice["pmf"][k]
                    tape[depth] = -1
                    depth += 1
                else:
                    for j in range(n):
                        rows[filled, j] = words[live[j]]
                    shares[filled] = upto[depth]
                    filled += 1
                    if filled == BATCH:
                        enter(
                            table.keys,
                            table.counts,
                            table.weights,
                            table.used,
                            rows,
                            shares,
                            filled,
                        )
                        filled = 0
                        if table.used[0] > limit - BATCH:
                            span[2] = FULL
                            return
                # on to the next outcome of positive weight, back over nodes that are used up
                while depth > 0:
                    k = tape[depth - 1] + 1
                    while k < count[depth - 1] and pmf[depth - 1, k] <= 0.0:
                        k += 1
                    if k < count[depth - 1]:
                        tape[depth - 1] = k
                        upto[depth] = upto[depth - 1] * pmf[depth - 1, k]
                        break
                    depth -= 1
                if depth == 0:
                    break
        enter(table.keys, table.counts, table.weights, table.used, rows, shares, filled)
        filled = 0
        span[0] = table.used[0]
        unload(table, states, chances)
        if going == 0 or span[1] == sizes.shape[0] - 1:
            return
        sizes[span[1], 1] = span[0]
        span[1] += 1
