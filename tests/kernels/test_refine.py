"""Dice behind a node: they agree with what the node drew and are distributed as if rolled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import chisquare

from chargesim.kernels import dice, refine

UNIFORM = dice.UNIFORM


def test_uniforms_are_those_of_the_dice() -> None:
    assert refine.UNIFORM == dice.UNIFORM


# sums


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (3, 6), (5, 6), (8, 6), (2, 3)])
def test_dice_add_up_at_the_edges_of_every_interval(n: int, sides: int) -> None:
    ways = refine._ways(n, sides)
    assert sum(ways) == sides**n
    below = 0
    for total, count in enumerate(ways, start=n):
        low = refine.threshold(below, sides**n)
        high = refine.threshold(below + count, sides**n)
        for u in {low, (low + high) // 2, high - 1}:
            faces = refine.roll(n, sides, u, total)
            assert len(faces) == n
            assert sum(faces) == total
            assert all(1 <= face <= sides for face in faces)
        if n <= 3:
            least = min(r for r in product(range(1, sides + 1), repeat=n) if sum(r) == total)
            assert refine.roll(n, sides, low, total) == least
        below += count


# Leadership tests


def test_ordered_rolls_have_equal_shares() -> None:
    grid = 36 * 200
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        faces, total = refine.leadership_roll(u, three_dice=False)
        assert faces == refine.roll(2, 6, u, total)
        seen[faces] += 1
    assert set(seen) == set(product(range(1, 7), repeat=2))
    assert set(seen.values()) == {200}


def test_three_dice_have_equal_shares_and_lose_the_highest() -> None:
    grid = 216 * 50
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        faces, total = refine.leadership_roll((2 * i + 1) * UNIFORM // (2 * grid), three_dice=True)
        assert sum(faces) - max(faces) == total
        seen[faces] += 1
    assert set(seen) == set(product(range(1, 7), repeat=3))
    assert set(seen.values()) == {50}


@pytest.mark.parametrize("three", [0, 1])
def test_leadership_dice_agree_with_the_test_at_every_threshold(three: int) -> None:
    for edge in {int(t) for t in dice.LEADERSHIP[three]}:
        for u in {max(edge - 1, 0), min(edge, UNIFORM - 1)}:
            _, total = refine.leadership_roll(u, three_dice=bool(three))
            for target in range(13):
                assert (total <= target) == (u < dice.LEADERSHIP[three, target])


# counts

STAGES = [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(5, 6)]


def falls(stages: list[Fraction]) -> list[Fraction]:
    """Chance to fall out at each stage of a chain."""
    reached, out = Fraction(1), []
    for chance in stages:
        out.append(reached * (1 - chance))
        reached *= chance
    return out


def binomial(n: int, chance: Fraction, k: int) -> Fraction:
    return refine.comb(n, k) * chance**k * (1 - chance) ** (n - k)


def edges_of(n: int, chance: Fraction) -> list[int]:
    a, b = chance.numerator, chance.denominator
    below, edges = 0, [0]
    for k in range(n + 1):
        below += refine.comb(n, k) * a**k * (b - a) ** (n - k)
        edges.append(refine.threshold(below, b**n))
    return edges


def test_sorting_is_consistent_at_the_edges() -> None:
    out = falls(STAGES)
    chance = 1 - sum(out, Fraction(0))
    ways = [chance / 3, chance * 2 / 3]
    edges = edges_of(10, chance)
    for value in range(11):
        low, high = edges[value], edges[value + 1]
        for u in {low, (low + high) // 2, max(high - 1, low)}:
            through, fallen = refine.sort_out(10, ways, out, u, value)
            assert (len(through), len(fallen)) == (2, 4)
            assert sum(through) == value
            assert sum(fallen) == 10 - value
            assert min(through + fallen) >= 0


def test_sorting_is_distributed_as_rolling() -> None:
    n, grid = 3, 40_000
    out = falls(STAGES[:2])
    ways = [Fraction(1, 24), Fraction(3, 24)]
    chance = sum(ways)
    assert chance + sum(out) == 1
    edges = edges_of(n, chance)
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        value = next(k for k in range(n + 1) if u < edges[k + 1])
        through, fallen = refine.sort_out(n, ways, out, u, value)
        seen[tuple(through + fallen)] += 1
    total = Fraction(0)
    for kinds in product(range(n + 1), repeat=4):
        if sum(kinds) != n:
            continue
        weight, left, rest = Fraction(1), n, Fraction(1)
        for count, share in zip(kinds, [*ways, *out], strict=True):
            if left:
                weight *= binomial(left, share / rest, count)
            left -= count
            rest -= share
        total += weight
        # the grid is even, so a cell of the refinement is off by less than two points
        assert abs(seen[kinds] - weight * grid) < 2
    assert total == 1


def test_sorting_of_what_is_certain() -> None:
    assert refine.sort_out(4, [Fraction(1)], [Fraction(0)], 0, 4) == ([4], [0])
    assert refine.sort_out(3, [Fraction(1, 2)], [Fraction(1, 2)], UNIFORM - 1, 3) == ([3], [0])


def test_a_roll_off_is_never_a_tie_and_every_roll_is_as_likely() -> None:
    grid = 30 * 100
    seen: Counter[tuple[int, int]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        won = int(u >= UNIFORM // 2)  # a count of one try at even chances
        own, other = refine.roll_off(u, won)
        assert (own > other) == bool(won)
        seen[own, other] += 1
    assert len(seen) == 30
    assert set(seen.values()) == {100}


# races


def packed(number: int, plus: int) -> int:
    return number * 8 + plus + 4


RACES = [
    pytest.param(packed(2, 0), 1, 0, [(2, 0)], id="inches"),
    pytest.param(packed(2, -1), 1 | 1 << 10, 7, [(2, 0), (3, 0)], id="dwarfs-before-an-edge"),
    pytest.param(packed(3, 1), 2 << 5, 9, [(2, -1), (2, -1)], id="skaven-before-two-dwarfs"),
    pytest.param(packed(2, 0), 0, 6, [], id="nobody-but-an-edge"),
]


def fate(lengths: list[int], edge: int) -> int:
    flight, *pursuits = lengths
    if any(pursuit >= flight for pursuit in pursuits):
        return 0
    return 2 if edge and flight >= edge else 1


@pytest.mark.parametrize(("flight", "hunters", "edge", "pursuers"), RACES)
def test_race_is_distributed_as_rolling_all_dice(flight, hunters, edge, pursuers) -> None:
    runners = [(flight // 8, flight % 8 - 4), *pursuers]
    sums = [
        {total + plus: ways for total, ways in enumerate(refine._ways(n, 6), start=n)}
        for n, plus in runners
    ]
    truth: Counter[tuple[int, ...]] = Counter()
    for lengths in product(*sums):
        ways = 1
        for run, length in zip(sums, lengths, strict=True):
            ways *= run[length]
        truth[lengths] = ways
    whole = sum(truth.values())
    shares = [0, 0, 0]
    for lengths, ways in truth.items():
        shares[fate(list(lengths), edge)] += ways
    edges = [refine.threshold(sum(shares[: k + 1]), whole) for k in range(3)]
    grid = 20_000
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        outcome = next(k for k in range(3) if u < edges[k])
        runs = refine.race(flight, hunters, edge, u, outcome)
        assert [(len(run.dice), run.plus) for run in runs] == runners
        assert all(1 <= face <= 6 for run in runs for face in run.dice)
        lengths = [run.length for run in runs]
        assert fate(lengths, edge) == outcome
        seen[tuple(lengths)] += 1
    likely = [key for key, ways in truth.items() if ways * grid >= 5 * whole]
    expected = [truth[key] * grid / whole for key in likely]
    found = [seen[key] for key in likely]
    scale = sum(found) / sum(expected)
    assert abs(scale - 1) < 0.01
    assert chisquare(found, [e * scale for e in expected]).pvalue > 1e-4


def test_single_dice_of_a_race_are_even() -> None:
    grid = 12_000
    shown: Counter[tuple[int, int, int]] = Counter()
    pmf = dice.new_dice(dice.Mode.SAMPLE)[0]["pmf"]
    dice.race_pmf(packed(5, -2), 1 << 10 | 1, 0, pmf)
    caught = int(pmf[0] * UNIFORM + 0.5)
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        runs = refine.race(packed(5, -2), 1 << 10 | 1, 0, u, int(u >= caught))
        assert fate([run.length for run in runs], 0) == int(u >= caught)
        for who, run in enumerate(runs):
            for at, face in enumerate(run.dice):
                shown[who, at, face] += 1
    for who, number in enumerate((5, 5, 8)):
        for at in range(number):
            counts = [shown[who, at, face] for face in range(1, 7)]
            assert chisquare(counts).pvalue > 1e-4
