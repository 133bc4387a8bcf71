"""Chance primitives: sampled frequencies against weights."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chisquare

from chargesim.kernels import dice as d
from chargesim.kernels import lengths, refine
from chargesim.kernels import words as w
from chargesim.kernels.normal import normal_cdf, normal_quantile

TRIALS = 60_000


def new(mode: d.Mode = d.Mode.SAMPLE, seed: int = 0, point: int = 0) -> np.void:
    return d.new_dice(mode, seed, point)[0]


def drawn(primitive, dice: np.void, *arguments: object) -> int:
    """Ask until nothing is missing, as the loops do."""
    while True:
        value = primitive(dice, *arguments)
        if not dice["wanting"]:
            return int(value)
        d.supply(dice)


def test_a_draw_does_not_depend_on_the_order_of_asking() -> None:
    forward, backward = new(seed=5), new(seed=5)
    trials = [0, 1, 511, 512, 8191, 8192, 20_000, 10**9]
    values = {}
    for trial in trials:
        w.set_trial(forward, trial)
        values[trial] = drawn(d.dice_sum, forward, 3, 5, 6)
    for trial in reversed(trials):
        w.set_trial(backward, trial)
        assert drawn(d.dice_sum, backward, 9, 2, 6) >= 2
        assert drawn(d.dice_sum, backward, 3, 5, 6) == values[trial]


TABLE = sum(1 << face for face in (2, 5, 8, 28, 31))


@pytest.mark.parametrize(
    ("primitive", "arguments", "kind", "numbers", "base"),
    [
        (d.dice_sum, (2, 6), d.Node.SUM, (2, 6, 0), 2),
        (d.dice_sum, (8, 6), d.Node.SUM, (8, 6, 0), 8),
        (d.dice_sum, (1, 36), d.Node.SUM, (1, 36, 0), 1),
        (d.dice_sum, (3, 3), d.Node.SUM, (3, 3, 0), 3),
        (d.successes, (10, 1, 9), d.Node.COUNT, (10, 1, 9), 0),
        (d.successes, (40, 864, 7776), d.Node.COUNT, (40, 864, 7776), 0),
        (d.successes, (255, 5, 6), d.Node.COUNT, (255, 5, 6), 0),
        (d.band_of, (36, TABLE), d.Node.BANDS, (36, TABLE & 0x3FFFF, TABLE >> 18), 0),
        (d.band_of, (6, 4), d.Node.BANDS, (6, 4, 0), 0),
    ],
)
def test_sampled_frequencies_match_the_weights(primitive, arguments, kind, numbers, base) -> None:
    pmf = np.zeros(2048)
    count = d.node_pmf(int(kind), *numbers, pmf)
    assert abs(pmf[:count].sum() - 1) < 1e-13
    dice = new(seed=1)
    seen = np.zeros(count, int)
    for trial in range(TRIALS):
        w.set_trial(dice, trial)
        seen[drawn(primitive, dice, 7, *arguments) - base] += 1
    expected = pmf[:count] * TRIALS
    large = expected >= 5
    observed = [*seen[large], seen[~large].sum()]
    wanted = [*expected[large], expected[~large].sum()]
    if wanted[-1] < 5:
        observed[-2:] = [sum(observed[-2:])]
        wanted[-2:] = [sum(wanted[-2:])]
    assert chisquare(observed, wanted, sum_check=False).pvalue > 1e-6


@pytest.mark.parametrize("three", [0, 1])
def test_a_leadership_test_passes_as_often_as_it_should(three: int) -> None:
    dice = new(seed=2)
    passed = 0
    for trial in range(TRIALS):
        w.set_trial(dice, trial)
        passed += drawn(d.leadership_test, dice, 1, 7, three)
    p = 29 / 36 if three else 21 / 36  # 29/36: cold-blooded on Ld 7, counted over 216 rolls
    assert abs(passed / TRIALS - p) < 5 * (p * (1 - p) / TRIALS) ** 0.5


def chances_of_a_race(
    flight: tuple[int, int], pursuits: list[tuple[int, int]], edge: int
) -> list[float]:
    """Caught, away, away over the edge: one die after the other, all six faces."""

    def rolls(number: int, plus: int) -> dict[int, float]:
        sums = {plus: 1.0}
        for _ in range(number):
            after: dict[int, float] = {}
            for total, p in sums.items():
                for face in range(1, 7):
                    after[total + face] = after.get(total + face, 0.0) + p / 6
            sums = after
        return sums

    found = [0.0, 0.0, 0.0]
    for length, p in rolls(*flight).items():
        away = p
        for pursuit in pursuits:
            away *= sum(q for far, q in rolls(*pursuit).items() if far < length)
        found[0] += p - away
        found[2 if edge and length >= edge else 1] += away
    return found


SLOW, SLOW_DWARF, QUICK, QUICK_DWARF = (d.one_pursuer(kind) for kind in range(4))


@pytest.mark.parametrize(
    ("flight", "hunters", "edge", "pursuits"),
    [
        ((2, 0), SLOW, 0, [(2, 0)]),
        ((2, -1), 2 * SLOW + QUICK, 7, [(2, 0), (2, 0), (3, 0)]),
        ((3, 1), SLOW_DWARF + QUICK_DWARF, 0, [(2, -1), (3, -1)]),
        ((5, 0), SLOW + SLOW_DWARF, 20, [(5, 0), (5, -2)]),
        ((8, 3), QUICK, 30, [(8, 0)]),
        ((5, -2), QUICK_DWARF, 1, [(8, -2)]),
        ((2, 0), 0, 6, []),
    ],
)
def test_a_race_is_one_flight_and_every_pursuit(flight, hunters, edge, pursuits) -> None:
    expected = chances_of_a_race(flight, pursuits, edge)
    pmf = np.zeros(2048)
    packed = d.packed_flight(*flight)
    assert d.node_pmf(int(d.Node.RACE), packed, hunters, edge, pmf) == 3
    assert pmf[:3] == pytest.approx(expected, abs=1e-14)
    dice = new(seed=6)
    seen = np.zeros(3, int)
    for trial in range(TRIALS // 4):
        d.set_trial(dice, trial)
        seen[drawn(d.race, dice, 8, packed, hunters, edge)] += 1
    for count, p in zip(seen, expected, strict=True):
        assert abs(count - TRIALS // 4 * p) <= 5 * (TRIALS // 4 * p * (1 - p)) ** 0.5 + 1e-6


def test_a_race_with_nobody_behind_and_no_edge_needs_no_dice() -> None:
    dice = new()
    d.set_trial(dice, 0)
    assert d.race(dice, 8, d.packed_flight(2, 0), 0, 0) == 1
    assert not dice["wanting"]


def test_never_and_always_are_not_left_to_rounding() -> None:
    dice = new()
    for trial in range(2000):
        w.set_trial(dice, trial)
        assert drawn(d.successes, dice, 2, 9, 0, 6) == 0
        assert drawn(d.successes, dice, 2, 9, 6, 6) == 9
        assert drawn(d.leadership_test, dice, 3, 12, 0) == 1
        assert drawn(d.leadership_test, dice, 3, 1, 0) == 0


def test_more_tries_than_a_table_holds_are_drawn_in_two_halves() -> None:
    dice = new(seed=3)
    total = 0
    for trial in range(5000):
        w.set_trial(dice, trial)
        total += drawn(d.successes, dice, 4, 510, 1, 3)
    assert abs(total / 5000 - 170) < 5 * (510 * 2 / 9 / 5000) ** 0.5


def test_nodes_that_hash_alike_do_not_drive_each_other_out() -> None:
    dice = new()
    w.set_trial(dice, 0)
    arguments = [(n, a, 46_656) for n in range(1, 15) for a in range(1, 15)]
    assert len(arguments) < d.MEMO_LIMIT
    for _ in range(2):
        for n, a, b in arguments:
            drawn(d.successes, dice, 5, n, a, b)
    for n, a, b in arguments:
        assert d.successes(dice, 5, n, a, b) >= 0
        assert not dice["wanting"]


def test_a_full_memo_begins_again() -> None:
    dice = new()
    w.set_trial(dice, 0)
    for a in range(1, 3 * d.MEMO):
        assert 0 <= drawn(d.successes, dice, 5, 3, a, 10_000) <= 3


def test_the_normal_quantile_inverts_its_distribution_function() -> None:
    for p in [
        1e-300,
        1e-20,
        1e-9,
        0.001,
        0.07,
        0.075,
        0.3,
        0.5,
        0.7,
        0.925,
        0.93,
        0.999,
        1 - 1e-12,
    ]:
        assert normal_quantile(p) == pytest.approx(NormalDist().inv_cdf(p), rel=1e-13)
    for z in (-3.0, -0.2, 0.0, 1.7):
        assert normal_cdf(z) == pytest.approx(NormalDist().cdf(z), rel=1e-13)


def test_an_estimated_length_is_a_normal_cut_off_at_zero() -> None:
    dice = new(seed=4)
    cuts = np.array([2000, 3000, 3400, 4000], np.int32)
    values = []
    for trial in range(20_000):
        w.set_trial(dice, trial)
        values.append(drawn(lengths.estimated_length, dice, 6, 3400, 300, cuts, 4))
    assert min(values) > 0
    assert abs(np.mean(values) - 3400.5) < 5 * 300 / 20_000**0.5  # rounded up: half a hundredth
    ask = new(d.Mode.ENUMERATE)
    lengths.estimated_length(ask, 6, 3400, 300, cuts, 4)
    assert d.weigh(ask) == 5
    cells = ask["pmf"][:5]
    assert cells.sum() == pytest.approx(1, abs=1e-15)
    assert cells[2] == pytest.approx(0.5 - NormalDist().cdf(-4 / 3), rel=1e-12)
    assert np.mean(np.array(values) > 4000) == pytest.approx(cells[4], abs=0.006)


def test_a_die_read_on_a_table_is_the_die_itself() -> None:
    dice = new(seed=3)
    bands = [sum(face - 1 >= edge for edge in (2, 5, 8, 28, 31)) for face in range(1, 37)]
    for trial in range(2_000):
        w.set_trial(dice, trial)
        face = drawn(d.dice_sum, dice, 7, 1, 36)
        band = drawn(d.band_of, dice, 7, 36, TABLE)
        assert band == bands[face - 1]
        assert refine.face(36, TABLE, int(w.uniform(dice, 7)), band) == face


def test_a_table_of_one_band_rolls_nothing() -> None:
    assert d.band_of(new(), 7, 36, 0) == 0


def test_a_normal_number_has_the_right_distribution_and_no_outcomes() -> None:
    dice = new(seed=8)
    values = []
    for trial in range(20_000):
        w.set_trial(dice, trial)
        while True:
            value = lengths.normal(dice, 6)
            if not dice["wanting"]:
                break
            d.supply(dice)
        values.append(value)
    assert abs(np.mean(values)) < 5 / 20_000**0.5
    assert np.std(values) == pytest.approx(1, abs=0.03)
    for z in (-2.0, -0.5, 1.0):
        assert np.mean(np.array(values) <= z) == pytest.approx(NormalDist().cdf(z), abs=0.015)
    ask = new(d.Mode.ENUMERATE)
    lengths.normal(ask, 6)
    assert ask["wanting"] == 1
    assert d.weigh(ask) == 0
