"""What a logged chance node hides: single dice behind a sum or a race, stages behind a count.

A node draws one uniform where players would roll many dice. The uniform's place inside the
interval of the value it gave is luck left over; here it picks the dice or the stages, exactly in
their chances given the value. So a trial is always told alike, and what is told is distributed as
rolled dice are.
Plain Python on whole numbers, for the few nodes of one trial.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb
from typing import NamedTuple

UNIFORM = 1 << 31
"""Uniforms are whole numbers below this, as in :mod:`.dice`."""


def threshold(part: int, whole: int) -> int:
    """A cumulative chance ``part / whole``, rounded once to 31 bits, halves up."""
    return (2 * part * UNIFORM + whole) // (2 * whole)


@cache
def _ways(n: int, sides: int) -> tuple[int, ...]:
    """Ordered rolls of each sum of ``n`` dice, from sum ``n`` upwards."""
    ways = [1]
    for _ in range(n):
        longer = [0] * (len(ways) + sides - 1)
        for at, count in enumerate(ways):
            for face in range(sides):
                longer[at + face] += count
        ways = longer
    return tuple(ways)


def _position(u: int, low: int, high: int) -> tuple[int, int]:
    """Place of a uniform in ``[low, high)`` as a fraction of 1: the middle of its own cell.

    Thresholds of the kernels come from floating point and may differ from the exact ones by one,
    so the place is held inside the interval.
    """
    width = max(high - low, 1)
    return 2 * min(max(u - low, 0), width - 1) + 1, 2 * width


def _faces(n: int, sides: int, total: int, rank: int) -> tuple[int, ...]:
    """Ordered roll of some rank among those with a sum, in dictionary order."""
    dice = []
    for left in range(n - 1, -1, -1):
        after = _ways(left, sides)
        for face in range(1, sides + 1):
            spare = total - face - left
            count = after[spare] if 0 <= spare < len(after) else 0
            if rank < count:
                dice.append(face)
                total -= face
                break
            rank -= count
    return tuple(dice)


def roll(n: int, sides: int, u: int, total: int) -> tuple[int, ...]:
    """Dice behind a sum, each ordered roll with that sum equally likely.

    Parameters
    ----------
    n, sides
        The dice.
    u
        The node's uniform.
    total
        The sum it gave.

    Returns
    -------
    tuple of int
        The dice in the order of rolling, in dictionary order as ``u`` rises.
    """
    ways = _ways(n, sides)
    below = sum(ways[: total - n])
    place, whole = _position(
        u, threshold(below, sides**n), threshold(below + ways[total - n], sides**n)
    )
    return _faces(n, sides, total, place * ways[total - n] // whole)


@cache
def _without_highest() -> dict[int, tuple[tuple[int, ...], ...]]:
    """Ordered rolls of three dice by the sum of the lower two."""
    rolls: dict[int, list[tuple[int, ...]]] = {total: [] for total in range(2, 13)}
    for dice in product(range(1, 7), repeat=3):
        rolls[sum(dice) - max(dice)].append(dice)
    return {total: tuple(found) for total, found in rolls.items()}


def leadership_roll(u: int, three_dice: bool) -> tuple[tuple[int, ...], int]:
    """Dice behind a Leadership test, and what they count for.

    The thresholds of the test for all targets are those of the sum, so the uniform alone says it.

    Parameters
    ----------
    u
        The node's uniform.
    three_dice
        True when three dice are rolled and the highest does not count.

    Returns
    -------
    tuple
        The dice in the order of rolling; their sum, without the highest of three.
    """
    if not three_dice:
        below = 0
        for total in range(2, 12):
            below += _ways(2, 6)[total - 2]
            if u < threshold(below, 36):
                return roll(2, 6, u, total), total
        return (6, 6), 12
    below = 0
    for total, rolls in _without_highest().items():
        low, high = threshold(below, 216), threshold(below + len(rolls), 216)
        if u < high:
            place, whole = _position(u, low, high)
            return rolls[place * len(rolls) // whole], total
        below += len(rolls)
    return (6, 6, 6), 12


def _pick(n: int, chance: Fraction, place: int, whole: int) -> tuple[int, int, int]:
    """Binomial count at a place ``place / whole`` of its distribution, and the place inside it."""
    a, b = chance.numerator, chance.denominator
    everything = b**n
    below = 0
    for count in range(n):
        weight = comb(n, count) * a**count * (b - a) ** (n - count)
        if place * everything < (below + weight) * whole:
            return count, place * everything - below * whole, weight * whole
        below += weight
    return n, place * everything - below * whole, a**n * whole


def _split(
    n: int, weights: Sequence[Fraction], place: int, whole: int
) -> tuple[list[int], int, int]:
    """Multinomial counts of ``n`` tries over kinds of these weights, and the place inside them."""
    counts = []
    left = sum(weights, Fraction(0))
    for weight in weights[:-1]:
        count = 0
        if n and weight:
            count, place, whole = _pick(n, weight / left, place, whole)
        counts.append(count)
        n -= count
        left -= weight
    return [*counts, n], place, whole


def sort_out(
    n: int, through: Sequence[Fraction], out: Sequence[Fraction], u: int, value: int
) -> tuple[list[int], list[int]]:
    """Sort the tries of a count by what became of them, of which the node drew only how many.

    Whoever came through did so in one of several ways, and whoever did not fell out at one of
    several stages, each try independently and with the same chances.

    Parameters
    ----------
    n
        Tries at the start.
    through
        Chance of each way to come through; the node's chance is their sum.
    out
        Chance of each way to fall out: what is left to 1, taken apart.
    u
        The node's uniform.
    value
        The count it gave.

    Returns
    -------
    tuple of list of int
        Tries by way, adding up to ``value``; tries that fell out by stage, to the rest of ``n``.
    """
    chance = sum(through, Fraction(0))
    a, b = chance.numerator, chance.denominator
    below = sum(comb(n, k) * a**k * (b - a) ** (n - k) for k in range(value))
    own = comb(n, value) * a**value * (b - a) ** (n - value)
    place, whole = _position(u, threshold(below, b**n), threshold(below + own, b**n))
    fallen, place, whole = _split(n - value, out, place, whole)
    return _split(value, through, place, whole)[0], fallen


def roll_off(u: int, won: int) -> tuple[int, int]:
    """Dice of a roll-off of even chances, never equal: of who won with 1 and lost with 0."""
    half = UNIFORM // 2
    place, whole = _position(u, half * won, half * (won + 1))
    pairs = [pair for pair in permutations(range(1, 7), 2) if (pair[0] > pair[1]) == (won == 1)]
    return pairs[place * len(pairs) // whole]


class Run(NamedTuple):
    """Dice of a flight or a pursuit, and what is added to their sum."""

    dice: tuple[int, ...]
    plus: int

    @property
    def length(self) -> int:
        """How far it goes."""
        return sum(self.dice) + self.plus


def _runners(flight: int, hunters: int) -> list[tuple[int, int]]:
    """Dice of a race and what is added to them: the flight, then every pursuer by class."""
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    found = [(number, plus)]
    for kind in range(4):
        pursuit = (fast if kind >= 2 else slow, -less if kind % 2 else 0)
        found += [pursuit] * ((hunters >> (5 * kind)) & 31)
    return found


def _short(runner: tuple[int, int], length: int) -> Fraction:
    """Chance that a run stays below a length."""
    number, plus = runner
    return Fraction(sum(_ways(number, 6)[: max(length - plus - number, 0)]), 6**number)


def _choose(weights: Sequence[Fraction], place: int, whole: int) -> tuple[int, int, int]:
    """Which of several weights holds a place of their sum, and the place inside it."""
    everything = sum(weights, Fraction(0))
    at = Fraction(place, whole) * everything
    for number, weight in enumerate(weights):
        if at < weight:
            inside = at / weight
            return number, inside.numerator, inside.denominator
        at -= weight
    raise AssertionError("a place is below the whole")


def race(flight: int, hunters: int, edge: int, u: int, outcome: int) -> list[Run]:
    """Dice behind a race, each roll of all dice with its outcome equally likely.

    Parameters
    ----------
    flight, hunters, edge
        The node's numbers, as :func:`chargesim.kernels.dice.race` takes them.
    u
        Its uniform.
    outcome
        What it gave: 0 caught, 1 away, 2 away and over an edge.

    Returns
    -------
    list of Run
        The flight, then the pursuers by class: slow, slow with short legs, fast, fast with short
        legs.
    """
    runners = _runners(flight, hunters)
    number, plus = runners[0]

    def missed(first: int, length: int) -> Fraction:
        """Chance that no pursuer from one on gets as far as the flight."""
        chance = Fraction(1)
        for runner in runners[first:]:
            chance *= _short(runner, length)
        return chance

    ways_of = _ways(number, 6)
    weights: list[list[Fraction]] = [[], [], []]
    for length, ways in enumerate(ways_of, start=number + plus):
        away, off = ways * missed(1, length), bool(edge) and length >= edge
        for fate, weight in enumerate((ways - away, away * (not off), away * off)):
            weights[fate].append(weight)
    below = sum((sum(fate) for fate in weights[:outcome]), Fraction(0)) / 6**number
    upto = below + sum(weights[outcome]) / 6**number
    place, whole = _position(
        u,
        threshold(below.numerator, below.denominator),
        threshold(upto.numerator, upto.denominator),
    )
    at, place, whole = _choose(weights[outcome], place, whole)
    length = number + plus + at
    rank, place = divmod(place * ways_of[at], whole)
    runs = [Run(_faces(number, 6, number + at, rank), plus)]
    caught = False
    for i, (number, plus) in enumerate(runners[1:], start=2):
        ways_of = _ways(number, 6)
        others = 1 - missed(i, length)
        chances = []
        for reached, ways in enumerate(ways_of, start=number + plus):
            if outcome != 0:
                fits = Fraction(reached < length)
            else:
                fits = Fraction(1) if caught or reached >= length else others
            chances.append(ways * fits)
        at, place, whole = _choose(chances, place, whole)
        rank, place = divmod(place * ways_of[at], whole)
        runs.append(Run(_faces(number, 6, number + at, rank), plus))
        caught = caught or runs[-1].length >= length
    return runs


def face(sides: int, mask: int, u: int, band: int) -> int:
    """Face of a die behind the band of a table that it fell in.

    Parameters
    ----------
    sides
        Of the die.
    mask
        Bit ``i`` is set where a band begins at the face of index ``i``, as for ``band_of``.
    u
        The node's uniform.
    band
        The band it gave, from 0.

    Returns
    -------
    int
        1 to ``sides``; every face of the band is equally likely.
    """
    edges = [0, *(i for i in range(1, sides) if mask >> i & 1), sides]
    first, after = edges[band], edges[band + 1]
    place, whole = _position(u, threshold(first, sides), threshold(after, sides))
    return first + 1 + place * (after - first) // whole
