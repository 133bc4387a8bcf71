"""Every die rolled: chance nodes answered without tables, thresholds or rows of words.

An auditor of the other readers. It shares the rule text with them and nothing else: words come from
SplitMix64, keyed by (seed, point, trial, place), and a node's dice are rolled one by one. Tries
that the rules draw as successes of one chance are one die each, of as few sides as that chance has.

Several dice are rolled from one number ``x`` of 32 bits: ``x * sides`` has the first of them above
its 32 lower bits, and these are the number for the next one. After ``n`` dice the digits above are
``x * sides**n // 2**32``, and every throw has as many numbers as any other once those are left out
that :func:`is_fair` refuses. (Lemire's unbiased integers below a bound, the bound being the number
of throws.)
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.normal import normal_quantile
from chargesim.kernels.words import BLOCK

PURSUERS = 31
"""Mask of the number of one kind of pursuers, five bits a kind."""
STEP = np.uint64(0x9E3779B97F4A7C15)
"""From one state of SplitMix64 to the next."""
MASK32 = np.uint64(0xFFFFFFFF)
U32 = np.uint64(32)
MOST_DICE = 8
"""Dice that are rolled from one number,"""
MOST_THROWS = 1 << 21
"""unless they have more throws than this: too many numbers would have to be left out."""


@tiny
def mixed(word: int) -> int:
    """Finaliser of SplitMix64: a bijection in which every bit of the input counts."""
    x = np.uint64(word)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@tiny
def luck_of(dice: Any) -> int:
    """What the words of all trials of a seed and point have in common."""
    key = mixed(np.uint64(dice["seed"]) + STEP)
    return mixed(key ^ np.uint64(dice["point"]))


@tiny
def luck_at(place: int) -> int:
    """What the words of all trials at a place have in common."""
    return mixed(np.uint64(place) + STEP)


@kernel
def turn_to_node(dice: Any, place: int) -> None:
    """Begin the words of one trial at one place."""
    trial = np.uint64(dice["block"]) * np.uint64(BLOCK) + np.uint64(dice["slot"])
    begin_words(dice, mixed(luck_of(dice) ^ trial) ^ luck_at(place))


@kernel
def begin_words(dice: Any, state: int) -> None:
    """Begin the words that follow a state of SplitMix64."""
    dice["roll"] = state
    dice["halves"] = 0


@kernel
def next_word(dice: Any) -> int:
    """Next 64 random bits of the node that is being rolled."""
    dice["roll"] = np.uint64(dice["roll"]) + STEP
    return mixed(dice["roll"])


@kernel
def next_half(dice: Any) -> int:
    """Next 32 random bits: the lower half of a word, and then the upper one."""
    upper = dice["halves"] % 2 == 1
    word = mixed(dice["roll"]) if upper else next_word(dice)
    dice["halves"] += 1
    return word >> U32 if upper else word & MASK32


@kernel
def hand_of(sides: int) -> int:
    """Most dice of so many sides that are rolled from one number."""
    n, throws = 1, int(sides)
    while n < MOST_DICE and throws * sides <= MOST_THROWS:
        n += 1
        throws *= sides
    return n


@kernel
def throws_of(n: int, sides: int) -> int:
    """Number of the throws of n dice, which differ in the order of the dice too."""
    throws = np.uint64(1)
    for _ in range(n):
        throws *= np.uint64(sides)
    return throws


@tiny
def surplus(throws: int) -> int:
    """Numbers of 32 bits that are too many for all throws to be equally likely."""
    return (MASK32 - throws + np.uint64(1)) % throws


@kernel
def is_fair(x: int, n: int, sides: int) -> bool:
    """Tell whether a number of 32 bits may be made n dice of: the rest would favour some throws."""
    throws = throws_of(n, sides)
    return (np.uint64(x) * throws & MASK32) >= surplus(throws)


@kernel
def pick_up(dice: Any, n: int, sides: int) -> None:
    """Take n dice in hand: the first number that is fair to them."""
    dice["hand"] = next_half(dice)
    while not is_fair(dice["hand"], n, sides):
        dice["hand"] = next_half(dice)


@kernel
def face(dice: Any, sides: int) -> int:
    """One die of the hand: 1 to ``sides``."""
    product = np.uint64(dice["hand"]) * np.uint64(sides)
    dice["hand"] = product & MASK32
    return int(product >> U32) + 1


@kernel
def next_face(dice: Any, k: int, n: int, sides: int) -> int:
    """Die number ``k``, from 0, of the ``n`` that are rolled, by the handful."""
    hand = hand_of(sides)
    if k % hand == 0:
        pick_up(dice, min(hand, n - k), sides)
    return face(dice, sides)


@kernel
def rolled_sum(dice: Any, n: int, sides: int) -> int:
    """Sum of n dice."""
    total = 0
    for k in range(n):
        total += next_face(dice, k, n, sides)
    return total


@kernel
def rolled_lower_two(dice: Any) -> int:
    """Three D6 without the highest."""
    pick_up(dice, 3, 6)
    a, b, c = face(dice, 6), face(dice, 6), face(dice, 6)
    return a + b + c - max(a, b, c)


@tiny
def least_die(a: int, b: int) -> tuple[int, int]:
    """Chance a/b in lowest terms: a die of the second many sides shows at most the first."""
    shared = gcd(a, b)
    return a // shared, b // shared


@kernel
def rolled_count(dice: Any, n: int, a: int, b: int) -> int:
    """Successes among n tries of chance a/b, each a die."""
    upto, sides = least_die(a, b)
    count = 0
    for k in range(n):
        if next_face(dice, k, n, sides) <= upto:
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
    shown = next_face(dice, 0, 1, sides)
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
