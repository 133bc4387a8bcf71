"""Every die rolled: frequencies of each node against weights worked out otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chisquare

from chargesim.kernels import dice as d
from chargesim.kernels import lengths
from chargesim.kernels import rolled as r
from chargesim.kernels import words as w

TRIALS = 40_000
MASK = sum(1 << face for face in (2, 5, 8, 28, 31))


def new(seed: int = 0, point: int = 0) -> np.void:
    return d.new_dice(d.Mode.ROLL, seed, point)[0]


def sums(*counts: int, without_highest: bool = False) -> dict[int, Fraction]:
    """Chances of a sum of dice, each with that many sides, by listing every throw."""
    found: dict[int, Fraction] = {}
    throws = list(product(*(range(1, sides + 1) for sides in counts)))
    for throw in throws:
        total = sum(throw) - (max(throw) if without_highest else 0)
        found[total] = found.get(total, Fraction(0)) + Fraction(1, len(throws))
    return found


def raced() -> dict[int, Fraction]:
    """A flight of 2D6 + 1 before one slow and one fast pursuer with short legs, edge at 9."""
    flight, slow, fast = sums(6, 6), sums(6, 6), sums(6, 6, 6)
    found = dict.fromkeys(range(3), Fraction(0))
    for (run, p), (one, q), (two, s) in product(flight.items(), slow.items(), fast.items()):
        caught = max(one, two - 1) >= run + 1
        found[0 if caught else 2 if run + 1 >= 9 else 1] += p * q * s
    return found


HUNTERS = int(d.one_pursuer(0)) + int(d.one_pursuer(3))


@pytest.mark.parametrize(
    ("primitive", "arguments", "wanted"),
    [
        (d.leadership_test, (7, 0), {1: Fraction(21, 36), 0: Fraction(15, 36)}),
        (d.leadership_test, (7, 1), {1: Fraction(174, 216), 0: Fraction(42, 216)}),
        (d.dice_sum, (2, 6), sums(6, 6)),
        (d.dice_sum, (3, 3), sums(3, 3, 3)),
        (d.dice_sum, (1, 36), sums(36)),
        (d.lower_two, (), sums(6, 6, 6, without_highest=True)),
        (d.successes, (2, 1, 6), {0: Fraction(25, 36), 1: Fraction(10, 36), 2: Fraction(1, 36)}),
        (d.band_of, (36, MASK), dict(enumerate(Fraction(n, 36) for n in (2, 3, 3, 20, 3, 5)))),
        (d.race, (int(d.packed_flight(2, 1)), HUNTERS, 9), raced()),
    ],
)
def test_rolled_frequencies_match_chances_by_hand(primitive, arguments, wanted) -> None:
    assert sum(wanted.values()) == 1
    dice = new(seed=1)
    seen = dict.fromkeys(wanted, 0)
    for trial in range(TRIALS):
        w.set_trial(dice, trial)
        seen[int(primitive(dice, 7, *arguments))] += 1
        assert not dice["wanting"]
    expected = [float(p) * TRIALS for p in wanted.values()]
    assert chisquare(list(seen.values()), expected).pvalue > 1e-6


def test_a_length_judged_by_eye_is_a_normal_above_nothing() -> None:
    dice, mean, sd = new(seed=3), 200, 300
    none = np.zeros(1, np.int64)
    values = []
    for trial in range(TRIALS):
        w.set_trial(dice, trial)
        values.append(int(lengths.estimated_length(dice, 5, mean, sd, none, 0)))
    assert min(values) >= 1
    normal = NormalDist(mean, sd)
    for cut in (50, 200, 500, 800):
        p = (normal.cdf(cut) - normal.cdf(0)) / (1 - normal.cdf(0))
        share = sum(value <= cut for value in values) / TRIALS
        assert abs(share - p) < 5 * (p * (1 - p) / TRIALS) ** 0.5


def test_normal_numbers_have_their_distribution() -> None:
    dice = new(seed=4)
    values = []
    for trial in range(TRIALS):
        w.set_trial(dice, trial)
        values.append(float(lengths.normal(dice, 9)))
    for cut in (-2.0, -0.5, 0.0, 1.0):
        p = NormalDist().cdf(cut)
        assert abs(np.mean(np.array(values) <= cut) - p) < 5 * (p * (1 - p) / TRIALS) ** 0.5


def test_a_rolled_node_depends_on_seed_point_trial_and_place_alone() -> None:
    def rolled(seed: int, point: int, trial: int, place: int) -> int:
        dice = new(seed, point)
        w.set_trial(dice, trial)
        return int(d.dice_sum(dice, place, 8, 6))

    keys = list(product((0, 1), (0, 1), (0, 1, 1024, 10**9), (0, 1, 4095)))
    once = {key: rolled(*key) for key in keys}
    assert {key: rolled(*key) for key in reversed(keys)} == once
    words = set()
    for seed, point, trial, place in keys:
        dice = new(seed, point)
        w.set_trial(dice, trial)
        r.turn_to_node(dice, place)
        words.add(int(dice["roll"]))
    assert len(words) == len(keys)


HANDS = [(1, 6), (2, 6), (4, 6), (3, 9), (1, 36), (2, 36), (8, 2), (1, 7776), (1, 6480)]


@pytest.mark.parametrize(("n", "sides"), HANDS)
def test_every_throw_of_a_hand_has_as_many_numbers(n: int, sides: int) -> None:
    """The numbers of a throw are an interval, for a larger number never gives a smaller throw."""
    dice, throws = new(), sides**n
    assert int(r.throws_of(n, sides)) == throws
    assert n <= r.hand_of(sides)

    def shown(x: int) -> list[int]:
        dice["hand"] = x
        return [int(r.face(dice, sides)) for _ in range(n)]

    for number, throw in enumerate(product(range(1, sides + 1), repeat=n)):
        first = -(-number * 2**32 // throws)
        last = -(-(number + 1) * 2**32 // throws) - 1
        assert shown(first) == shown(last) == list(throw)
        # of the others each leaves more than the one before, and so they are fair if the second is
        assert r.is_fair(first + 1, n, sides)
        unfair = not r.is_fair(first, n, sides)
        assert last - first + 1 - unfair == 2**32 // throws


def test_a_hand_is_as_large_as_it_may_be() -> None:
    for sides in (*range(2, 40), 216, 1296, 7776, 3 << 20):
        n = int(r.hand_of(sides))
        assert n == 1 or (n <= 8 and sides**n <= 2**21)
        assert n == 8 or sides ** (n + 1) > 2**21
    assert [int(r.hand_of(sides)) for sides in (6, 9, 36, 7776)] == [8, 6, 4, 1]


MASK64 = 2**64 - 1


def mixed(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK64
    return x ^ (x >> 31)


def halves(state: int):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK64
        yield mixed(state) & 0xFFFFFFFF
        yield mixed(state) >> 32


def thrown(numbers, n: int, sides: int, hand: int) -> tuple[list[int], int]:
    """Faces of n dice, and how many numbers were not fair: digits of whole numbers, no more."""
    faces: list[int] = []
    refused = 0
    while len(faces) < n:
        count = min(hand, n - len(faces))
        throw, rest = divmod(next(numbers) * sides**count, 2**32)
        if rest < 2**32 % sides**count:
            refused += 1
            continue
        faces += [throw // sides**k % sides + 1 for k in reversed(range(count))]
    return faces, refused


SELDOM = 3 << 20
"""Sides of a die that 1 trial in 4,000 has to roll again."""


@pytest.mark.parametrize(
    ("n", "sides"), [(5, 6), (8, 6), (30, 6), (4, 36), (9, 3), (2, 7776), (7, SELDOM)]
)
def test_dice_of_a_node_are_digits_of_its_random_words(n: int, sides: int) -> None:
    dice, refused = new(seed=8), 0
    for trial in range(2_000):
        w.set_trial(dice, trial)
        r.turn_to_node(dice, 3)
        numbers = halves(int(dice["roll"]))
        expected, again = thrown(numbers, n, sides, int(r.hand_of(sides)))
        assert int(r.rolled_sum(dice, n, sides)) == sum(expected)
        assert int(r.next_half(dice)) == next(numbers)
        refused += again
    assert (refused > 0) == (sides == SELDOM)


def test_a_chance_is_a_die_of_as_few_sides_as_it_has() -> None:
    assert tuple(r.least_die(864, 7776)) == (1, 9)
    dice, other = new(seed=2), new(seed=2)
    for trial in range(500):
        w.set_trial(dice, trial)
        w.set_trial(other, trial)
        count = d.successes(dice, 4, 10, 864, 7776)
        assert count == d.successes(other, 4, 10, 1, 9)
        r.turn_to_node(other, 4)
        faces, _ = thrown(halves(int(other["roll"])), 10, 9, 6)
        assert count == faces.count(1)


def test_words_are_those_of_splitmix64() -> None:
    # the first outputs of the published generator for the state 1234567
    dice = new()
    dice["roll"] = 1234567
    assert [int(r.next_word(dice)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
