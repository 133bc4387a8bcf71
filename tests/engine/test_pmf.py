"""Exact distributions against closed forms, enumeration, icepool and the rules' own numbers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chargesim.engine import pmf as dist
from chargesim.engine.pmf import Pmf

steady = settings(derandomize=True, deadline=None, max_examples=60)


@st.composite
def rolls(draw: st.DrawFn, most: int = 12) -> tuple[int, int, int, int]:
    """Dice, sides, highest and lowest dropped."""
    n = draw(st.integers(0, most))
    highest = draw(st.integers(0, n))
    return n, draw(st.integers(1, 10)), highest, draw(st.integers(0, n - highest))


@st.composite
def pmfs(draw: st.DrawFn) -> Pmf:
    """Any small distribution, gaps and negative values included."""
    weights = draw(st.dictionaries(st.integers(-50, 50), st.integers(1, 30), min_size=1))
    ways = sum(weights.values())
    return {value: Fraction(weights[value], ways) for value in sorted(weights)}


def roll(n: int, sides: int, drop_highest: int, drop_lowest: int) -> Pmf:
    return dist.dice_sum(n, sides, drop_highest=drop_highest, drop_lowest=drop_lowest)


def from_icepool(die: icepool.Die[int]) -> Pmf:
    ways = die.denominator()
    return {value: Fraction(quantity, ways) for value, quantity in die.items()}


# Sums of dice


@pytest.mark.parametrize("sides", [1, 2, 3, 4, 6])
def test_dice_sum_equals_enumeration_of_every_roll(sides: int) -> None:
    for n in range(5):
        faces = list(product(range(1, sides + 1), repeat=n))
        for highest in range(n + 1):
            for lowest in range(n + 1 - highest):
                counts = Counter(sum(sorted(dice)[lowest : n - highest]) for dice in faces)
                expected = {total: Fraction(counts[total], sides**n) for total in sorted(counts)}
                assert roll(n, sides, highest, lowest) == expected


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (5, 6), (8, 6), (3, 3), (7, 10)])
def test_dice_sum_equals_the_closed_form(n: int, sides: int) -> None:
    def ways(total: int) -> int:
        terms = range((total - n) // sides + 1)
        return sum((-1) ** j * comb(n, j) * comb(total - sides * j - 1, n - 1) for j in terms)

    expected = {x: Fraction(ways(x), sides**n) for x in range(n, n * sides + 1)}
    assert dist.dice_sum(n, sides) == expected


@pytest.mark.parametrize(
    ("n", "sides", "highest", "lowest"),
    [
        (1, 6, 0, 0),
        (8, 6, 0, 0),
        (60, 6, 0, 0),
        (3, 6, 1, 0),
        (4, 6, 0, 1),
        (12, 6, 5, 0),
        (12, 6, 0, 11),
        (12, 6, 4, 4),
        (30, 6, 2, 3),
        (3, 100, 1, 0),
        (9, 2, 4, 4),
    ],
)
def test_dice_sum_equals_icepool(n: int, sides: int, highest: int, lowest: int) -> None:
    die = icepool.d(sides).pool(n)[lowest : n - highest].sum()
    assert roll(n, sides, highest, lowest) == from_icepool(die)


@steady
@given(rolls())
def test_dice_sum_sums_to_one_exactly_and_is_a_proper_pmf(
    rolled: tuple[int, int, int, int],
) -> None:
    n, sides, highest, lowest = rolled
    pmf = roll(*rolled)
    kept = n - highest - lowest
    assert sum(pmf.values()) == 1
    assert list(pmf) == list(range(kept, kept * sides + 1))
    assert min(pmf.values()) > 0


@steady
@given(rolls())
def test_dropping_low_mirrors_dropping_high(rolled: tuple[int, int, int, int]) -> None:
    n, sides, highest, lowest = rolled
    turned = (n - highest - lowest) * (sides + 1)  # each face f becomes sides + 1 - f
    mirrored = {turned - total: p for total, p in roll(n, sides, lowest, highest).items()}
    assert roll(*rolled) == mirrored


@steady
@given(st.integers(2, 10), st.integers(1, 8))
def test_means_of_the_dropped_and_the_kept_add_up(n: int, sides: int) -> None:
    highest_alone = dist.mean(roll(n, sides, 0, n - 1))
    assert dist.mean(roll(n, sides, 1, 0)) + highest_alone == n * Fraction(sides + 1, 2)


@steady
@given(rolls(most=8))
def test_dropping_one_more_highest_die_never_raises_the_sum(
    rolled: tuple[int, int, int, int],
) -> None:
    n, sides, highest, lowest = rolled
    before = dist.at_most(roll(n, sides, highest, lowest))
    if highest + lowest < n:
        after = dist.at_most(roll(n, sides, highest + 1, lowest))
        top = max(after)
        assert all(after[min(x, top)] >= p for x, p in before.items() if x >= min(after))


def test_dice_sum_of_nothing_is_zero() -> None:
    assert dist.dice_sum(0) == {0: 1}
    assert dist.dice_sum(5, drop_highest=2, drop_lowest=3) == {0: 1}


@pytest.mark.parametrize(
    ("n", "sides", "highest", "lowest"),
    [(-1, 6, 0, 0), (2, 0, 0, 0), (2, 6, -1, 0), (2, 6, 0, -1), (2, 6, 2, 1)],
)
def test_dice_sum_refuses_what_no_dice_can_do(
    n: int, sides: int, highest: int, lowest: int
) -> None:
    message = f"out of range: n={n}, sides={sides}, drop_highest={highest}, drop_lowest={lowest}"
    with pytest.raises(ValueError, match=message):
        roll(n, sides, highest, lowest)


# Binomials


@pytest.mark.parametrize(("n", "p"), [(0, "1/3"), (1, "5/6"), (10, "1/9"), (40, "1/36")])
def test_successes_equal_the_closed_form_and_icepool(n: int, p: str) -> None:
    chance = Fraction(p)
    pmf = dist.successes(n, chance)
    assert pmf == {k: comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)}
    if n:
        coin = icepool.coin(chance.numerator, chance.denominator)
        assert pmf == from_icepool(coin.pool(n).sum())


def test_successes_of_the_certain_and_the_impossible() -> None:
    assert dist.successes(7, Fraction(0)) == {0: 1}
    assert dist.successes(7, Fraction(1)) == {7: 1}


@steady
@given(st.integers(0, 60), st.fractions(0, 1, max_denominator=216))
def test_successes_have_mean_np_and_variance_npq(n: int, p: Fraction) -> None:
    pmf = dist.successes(n, p)
    assert sum(pmf.values()) == 1
    assert dist.mean(pmf) == n * p
    assert dist.variance(pmf) == n * p * (1 - p)


@pytest.mark.parametrize(("n", "p"), [(-1, "1/2"), (3, "-1/2"), (3, "7/6")])
def test_successes_refuse_what_is_no_chance(n: int, p: str) -> None:
    with pytest.raises(ValueError, match=f"needs n >= 0 and 0 <= p <= 1, not n={n}, p={p}"):
        dist.successes(n, Fraction(p))


# Arithmetic


@steady
@given(pmfs(), pmfs())
def test_means_and_variances_of_independent_sums_add(a: Pmf, b: Pmf) -> None:
    both = dist.add(a, b)
    assert sum(both.values()) == 1
    assert list(both) == sorted(both)
    assert both == dist.add(b, a)
    assert dist.mean(both) == dist.mean(a) + dist.mean(b)
    assert dist.variance(both) == dist.variance(a) + dist.variance(b)


@steady
@given(pmfs(), st.integers(-1000, 1000))
def test_shift_moves_the_mean_and_leaves_the_variance(pmf: Pmf, constant: int) -> None:
    moved = dist.shift(pmf, constant)
    assert moved == dist.add(pmf, {constant: Fraction(1)})
    assert dist.mean(moved) == dist.mean(pmf) + constant
    assert dist.variance(moved) == dist.variance(pmf)


@steady
@given(pmfs())
def test_at_least_and_at_most_are_the_sums_of_the_tails(pmf: Pmf) -> None:
    sf, cdf = dist.at_least(pmf), dist.at_most(pmf)
    assert list(sf) == list(cdf) == list(pmf)
    for value in pmf:
        assert sf[value] == sum(p for x, p in pmf.items() if x >= value)
        assert cdf[value] == sum(p for x, p in pmf.items() if x <= value)
        assert sf[value] + cdf[value] == 1 + pmf[value]


def test_add_equals_icepool_and_one_roll_of_all_dice() -> None:
    mixed = dist.add(dist.dice_sum(2), dist.dice_sum(1, 3))
    assert mixed == from_icepool(2 @ icepool.d6 + icepool.d3)
    assert dist.add(dist.dice_sum(3), dist.dice_sum(5)) == dist.dice_sum(8)


# Numbers of the rules


def cdf(pmf: Pmf, value: int) -> Fraction:
    return dist.at_most(pmf)[value]


def test_wh6_flee_01_a_slow_unit_is_caught_on_16_of_5d6() -> None:
    assert cdf(dist.dice_sum(5), 16) == Fraction(259, 648)
    assert cdf(dist.shift(dist.dice_sum(5), -2), 16) == Fraction(389, 648)


def test_wh6_unit_04_a_fast_unit_is_caught_on_16_of_8d6() -> None:
    assert cdf(dist.dice_sum(8), 16) == Fraction(695, 93312)


def test_wh6_unit_03_means_of_the_random_moves() -> None:
    assert dist.mean(dist.dice_sum(2)) == 7
    assert dist.mean(dist.dice_sum(5)) == Fraction(35, 2)
    assert dist.mean(dist.dice_sum(8)) == 28
    assert dist.variance(dist.dice_sum(8)) == 8 * Fraction(35, 12)


def test_wh6_t_25_leadership_tests_passed_on_5_to_10() -> None:
    failed = ["13/18", "7/12", "5/12", "5/18", "1/6", "1/12"]
    test = dist.dice_sum(2)
    assert [1 - cdf(test, leadership) for leadership in range(5, 11)] == [*map(Fraction, failed)]


def test_wh6_army_03_cold_blooded_tests_passed_on_5_to_9() -> None:
    passed = ["113/216", "49/72", "29/36", "193/216", "205/216"]
    test = dist.dice_sum(3, drop_highest=1)
    assert [cdf(test, leadership) for leadership in range(5, 10)] == [*map(Fraction, passed)]


@pytest.mark.parametrize(
    ("target", "chance"),
    [(-9, "5/6"), (1, "5/6"), (2, "5/6"), (3, "2/3"), (4, "1/2"), (5, "1/3"), (6, "1/6")],
)
def test_wh6_shoot_01_a_natural_1_always_fails(target: int, chance: str) -> None:
    assert dist.chance(target) == Fraction(chance)


@pytest.mark.parametrize(
    ("target", "chance"), [(7, "1/12"), (8, "1/18"), (9, "1/36"), (10, "0"), (11, "0"), (99, "0")]
)
def test_wh6_shoot_03_above_6_needs_a_6_and_a_second_roll(target: int, chance: str) -> None:
    assert dist.chance(target) == Fraction(chance)


@pytest.mark.parametrize(
    ("target", "chance"),
    [(-1, "5/6"), (1, "5/6"), (2, "5/6"), (5, "1/3"), (6, "1/6"), (7, "0"), (10, "0")],
)
def test_wh6_save_01_no_save_above_6_and_none_better_than_2(target: int, chance: str) -> None:
    assert dist.save_chance(target) == Fraction(chance)


# Cost


def test_the_largest_ordinary_questions_take_a_moment() -> None:
    start = time.perf_counter()
    dist.dice_sum(8)
    dist.dice_sum(100)
    dist.dice_sum(40, drop_highest=10)
    dist.successes(1000, Fraction(1, 6))
    assert time.perf_counter() - start < 2  # about 0.05 s; a tree walk would never end


def test_importing_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'numba', 'pandas', 'scipy'}"
    code = f"import sys, chargesim.engine.pmf; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
