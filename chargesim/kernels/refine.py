"""What a logged chance node hides: single dice behind a sum, stages behind a count.

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
from itertools import product
from math import comb

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
    rank = place * ways[total - n] // whole
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


def chain(n: int, stages: Sequence[Fraction], u: int, value: int) -> list[int]:
    """Counts after each stage of a chain of rolls of which a node drew only the last.

    Whoever is not among the ``value`` that came through fell out at one of the stages, each
    independently with the same chances; so the counts that fell out are drawn one after the other.

    Parameters
    ----------
    n
        Tries at the start.
    stages
        Chance to come through each stage; the node's chance is their product.
    u
        The node's uniform.
    value
        The count it gave.

    Returns
    -------
    list of int
        Never rising, one a stage, the last equal to ``value``.
    """
    through = Fraction(1)
    for chance in stages:
        through *= chance
    a, b = through.numerator, through.denominator
    below = sum(comb(n, k) * a**k * (b - a) ** (n - k) for k in range(value))
    own = comb(n, value) * a**value * (b - a) ** (n - value)
    place, whole = _position(u, threshold(below, b**n), threshold(below + own, b**n))
    counts = []
    left, lost = n - value, 1 - through
    reached = Fraction(1)
    for chance in stages[:-1]:
        out = reached * (1 - chance)
        fell = 0
        if left and out:
            fell, place, whole = _pick(left, out / lost, place, whole)
        left -= fell
        lost -= out
        reached *= chance
        counts.append(value + left)
    return [*counts, value]


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
