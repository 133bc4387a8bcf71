"""Every die rolled: chance nodes answered without tables, thresholds or rows of words.

An auditor of the other readers. It shares the rule text with them and nothing else: words come from
SplitMix64, keyed by (seed, point, trial, place), and a node's dice are rolled one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.normal import normal_quantile
from chargesim.kernels.words import BLOCK

PURSUERS = 31
"""Mask of the number of one kind of pursuers, five bits a kind."""
BITS = 53
"""Random bits of a normal number."""
_MASK32 = np.uint64(0xFFFFFFFF)


@tiny
def mixed(word: int) -> int:
    """Finaliser of SplitMix64: a bijection in which every bit of the input counts."""
    x = np.uint64(word)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def next_word(dice: Any) -> int:
    """Next 64 random bits of the node that is being rolled."""
    dice["roll"] = np.uint64(dice["roll"]) + np.uint64(0x9E3779B97F4A7C15)
    return mixed(dice["roll"])


@tiny
def luck_of(dice: Any) -> int:
    """What the words of all trials of a seed and point have in common."""
    key = mixed(np.uint64(dice["seed"]) + np.uint64(0x9E3779B97F4A7C15))
    return mixed(key ^ np.uint64(dice["point"]))


@kernel
def turn_to_node(dice: Any, place: int) -> None:
    """Begin the words of one trial at one place."""
    trial = np.uint64(dice["block"]) * np.uint64(BLOCK) + np.uint64(dice["slot"])
    dice["roll"] = mixed(mixed(luck_of(dice) ^ trial) ^ np.uint64(place))


@kernel
def face(dice: Any, sides: int) -> int:
    """One die: 1 to ``sides``, all equally likely (what does not divide evenly is rolled again)."""
    many = np.uint64(sides)
    while True:
        product = (next_word(dice) >> np.uint64(32)) * many
        # the first (2**32 mod sides) remainders of each face would be one too many
        if (product & _MASK32) >= (_MASK32 - many + np.uint64(1)) % many:
            return int(product >> np.uint64(32)) + 1


@kernel
def rolled_sum(dice: Any, n: int, sides: int) -> int:
    """Sum of n dice."""
    total = 0
    for _ in range(n):
        total += face(dice, sides)
    return total


@kernel
def rolled_lower_two(dice: Any) -> int:
    """Three D6 without the highest."""
    a, b, c = face(dice, 6), face(dice, 6), face(dice, 6)
    return a + b + c - max(a, b, c)


@kernel
def rolled_count(dice: Any, n: int, a: int, b: int) -> int:
    """Successes among n tries: each a die of ``b`` sides that shows at most ``a``."""
    count = 0
    for _ in range(n):
        if face(dice, b) <= a:
            count += 1
    return count


@kernel
def rolled_race(dice: Any, flight: int, hunters: int, edge: int) -> int:
    """Roll the flight and every pursuit: 0 caught, 1 away, 2 away and over an edge."""
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    length = rolled_sum(dice, number, 6) + plus
    caught = False
    for kind in range(4):
        for _ in range((hunters >> (5 * kind)) & PURSUERS):
            pursuit = rolled_sum(dice, fast if kind >= 2 else slow, 6)
            if kind % 2 == 1:
                pursuit -= less
            if pursuit >= length:
                caught = True
    if caught:
        return 0
    return 2 if edge > 0 and length >= edge else 1


@kernel
def rolled_band(dice: Any, sides: int, mask: int) -> int:
    """Roll one die and count the bands that begin below it."""
    shown = face(dice, sides)
    band = 0
    for index in range(1, shown):
        band += (mask >> index) & 1
    return band


@kernel
def rolled_normal(dice: Any) -> float:
    """A standard normal number of ``BITS`` random bits."""
    return normal_quantile(
        (np.float64(next_word(dice) >> np.uint64(11)) + 0.5) / 9007199254740992.0
    )


@kernel
def rolled_length(dice: Any, mean: int, sd: int) -> int:
    """A length judged by eye: judged again until it is above 0, then rounded up."""
    while True:
        value = mean + sd * rolled_normal(dice)
        if value > 0.0:
            return max(int(np.ceil(value)), 1)
