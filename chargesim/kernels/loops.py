"""The loop every ruleset shares to play trials by its rules.

A game is one record; seen as 64-bit words, ``live`` names those that a trial may change. Only these
are reset, hashed and stored. ``step(game, dice)`` advances a game by one phase until its head says
``done``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import supply, turn_to
from chargesim.kernels.jit import kernel
from chargesim.kernels.words import set_trial

PART = 1024
"""Trials whose end states are counted at one time."""


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
