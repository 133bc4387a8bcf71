"""Every die rolled: frequencies of each node against weights worked out otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chisquare

from chargesim.kernels import dice as d
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
        values.append(int(d.estimated_length(dice, 5, mean, sd, none, 0)))
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
        values.append(float(d.normal(dice, 9)))
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


def test_words_are_those_of_splitmix64() -> None:
    # the first outputs of the published generator for the state 1234567
    dice = new()
    dice["roll"] = 1234567
    assert [int(r.next_word(dice)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
