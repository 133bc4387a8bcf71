"""Exact discrete distributions in plain integers and fractions.

A probability mass function (pmf) is a dictionary from whole value to exact probability, ascending,
without zeros. Only the standard library is imported: a dice question costs milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, product
from math import comb, lcm
from operator import sub
from typing import TypeAlias

Pmf: TypeAlias = dict[int, Fraction]
D6 = 6


def dice_sum(n: int, sides: int = D6, *, drop_highest: int = 0, drop_lowest: int = 0) -> Pmf:
    """Distribution of the sum of equal dice, some of the highest and lowest left out.

    Parameters
    ----------
    n : int
        Dice rolled, at least 0.
    sides : int, default 6
        Faces of a die, numbered from 1; at least 1.
    drop_highest, drop_lowest : int, default 0
        Dice left out of the sum at either end, at least 0 and together at most `n`.

    Returns
    -------
    Pmf
        Probability of each sum of the ``n - drop_highest - drop_lowest`` dice kept.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """
    if min(n, sides - 1, drop_highest, drop_lowest, n - drop_highest - drop_lowest) < 0:
        drops = f"drop_highest={drop_highest}, drop_lowest={drop_lowest}"
        raise ValueError(f"dice_sum: out of range: n={n}, sides={sides}, {drops}")
    if n == drop_highest + drop_lowest:
        return {0: Fraction(1)}
    counts, ways = _kept_counts(n, sides, drop_highest, drop_lowest), sides**n
    return {total: Fraction(count, ways) for total, count in enumerate(counts) if count}


def successes(n: int, p: Fraction) -> Pmf:
    """Binomial distribution: successes among independent trials of one chance.

    Parameters
    ----------
    n : int
        Trials, at least 0.
    p : Fraction
        Chance of success of each, 0 to 1.

    Returns
    -------
    Pmf
        Probability of each number of successes, 0 to `n`.

    Raises
    ------
    ValueError
        If `n` or `p` is outside its range.
    """
    if n < 0 or not 0 <= p <= 1:
        raise ValueError(f"successes: needs n >= 0 and 0 <= p <= 1, not n={n}, p={p}")
    good, bad, ways = p.numerator, p.denominator - p.numerator, p.denominator**n
    choices = accumulate(range(n), lambda c, k: c * (n - k) // (k + 1), initial=1)
    counts = (c * good**k * bad ** (n - k) for k, c in enumerate(choices))
    return {k: Fraction(count, ways) for k, count in enumerate(counts) if count}


def shift(pmf: Mapping[int, Fraction], constant: int) -> Pmf:
    """Distribution of the quantity plus a constant.

    Parameters
    ----------
    pmf : Mapping of int to Fraction
        Distribution of the quantity.
    constant : int
        What is added; may be negative.

    Returns
    -------
    Pmf
        The same probabilities at the shifted values.
    """
    return {value + constant: p for value, p in pmf.items()}


def add(a: Mapping[int, Fraction], b: Mapping[int, Fraction]) -> Pmf:
    """Distribution of the sum of two independent quantities.

    Parameters
    ----------
    a, b : Mapping of int to Fraction
        Their distributions.

    Returns
    -------
    Pmf
        Distribution of the sum.
    """
    a_counts, a_ways = _over_common_denominator(a)
    b_counts, b_ways = _over_common_denominator(b)
    counts: dict[int, int] = {}
    for x, x_count in a_counts.items():
        for y, y_count in b_counts.items():
            counts[x + y] = counts.get(x + y, 0) + x_count * y_count
    return {total: Fraction(counts[total], a_ways * b_ways) for total in sorted(counts)}


def mean(pmf: Mapping[int, Fraction]) -> Fraction:
    """Exact mean.

    Parameters
    ----------
    pmf : Mapping of int to Fraction
        Distribution.

    Returns
    -------
    Fraction
        The mean, in the unit of the values.
    """
    counts, ways = _over_common_denominator(pmf)
    return Fraction(sum(value * count for value, count in counts.items()), ways)


def variance(pmf: Mapping[int, Fraction]) -> Fraction:
    """Exact variance of the distribution (that of a whole population, not of a sample).

    Parameters
    ----------
    pmf : Mapping of int to Fraction
        Distribution.

    Returns
    -------
    Fraction
        The variance, in the squared unit of the values; at least 0.
    """
    counts, ways = _over_common_denominator(pmf)
    square = Fraction(sum(value * value * count for value, count in counts.items()), ways)
    return square - mean(pmf) ** 2


def at_most(pmf: Mapping[int, Fraction]) -> Pmf:
    """Cumulative distribution function (cdf): probability of at most each value.

    Parameters
    ----------
    pmf : Mapping of int to Fraction
        Distribution.

    Returns
    -------
    dict of int to Fraction
        P(quantity <= value) at each value of the distribution, ascending; the last is 1.
    """
    return _accumulated(pmf, sorted(pmf))


def at_least(pmf: Mapping[int, Fraction]) -> Pmf:
    """Survival function (sf, the "at least" curve): probability of at least each value.

    Parameters
    ----------
    pmf : Mapping of int to Fraction
        Distribution.

    Returns
    -------
    dict of int to Fraction
        P(quantity >= value) at each value of the distribution, ascending; the first is 1.
    """
    descending = _accumulated(pmf, sorted(pmf, reverse=True))
    return dict(reversed(descending.items()))


def chance(target: int) -> Fraction:
    """Chance that a D6 reaches a target number (WH6-SHOOT-01, WH6-SHOOT-03).

    Parameters
    ----------
    target : int
        Number needed, any integer: a natural 1 always fails, so 1 and below behave as 2; 7, 8 and 9
        need a 6 followed by 4+, 5+ and 6+; 10 and above are impossible.

    Returns
    -------
    Fraction
        The chance, 0 to 5/6.
    """
    if target <= D6:
        return Fraction(D6 + 1 - max(target, 2), D6)
    return Fraction(max(10 - target, 0), D6 * D6)


def save_chance(target: int) -> Fraction:
    """Chance that an armour or ward save succeeds (WH6-SAVE-01).

    Parameters
    ----------
    target : int
        Number needed after all modifiers, any integer: a natural 1 always fails, so 1 and below
        behave as 2; above 6 there is no save.

    Returns
    -------
    Fraction
        The chance, 0 to 5/6.
    """
    return chance(target) if target <= D6 else Fraction(0)


def _over_common_denominator(pmf: Mapping[int, Fraction]) -> tuple[dict[int, int], int]:
    """Return counts over one denominator: adding fractions one by one is far slower."""
    ways = lcm(*{p.denominator for p in pmf.values()})
    return {value: p.numerator * (ways // p.denominator) for value, p in pmf.items()}, ways


def _accumulated(pmf: Mapping[int, Fraction], order: list[int]) -> Pmf:
    counts, ways = _over_common_denominator(pmf)
    sums = accumulate(counts[value] for value in order)
    return {value: Fraction(count, ways) for value, count in zip(order, sums, strict=True)}


def _kept_counts(n: int, sides: int, drop_highest: int, drop_lowest: int) -> list[int]:
    """Count the ``sides**n`` rolls by the sum of the dice kept (at least one).

    Rolls are split by the faces ``u < v`` of the lowest and the highest die kept, the edges. Dice
    strictly between them are never dropped: an ordinary sum; multinomials count those at the edges.
    """
    kept = n - drop_highest - drop_lowest
    # Where nothing is dropped the edge is an imaginary face outside the die, which no die shows.
    nobody = [1] + [0] * kept
    faces = range(1, sides + 1)
    low, high = {0: nobody}, {sides + 1: nobody}
    if drop_lowest:
        low = {u: _edge_ways(drop_lowest, kept, u - 1) for u in faces}
    if drop_highest:
        high = {v: _edge_ways(drop_highest, kept, sides - v) for v in faces}
    counts = [0] * (kept * (sides + 1) + 1)
    if drop_lowest and drop_highest:  # u = v: every die kept shows the same face
        for u in faces:
            counts[kept * u] = sum(
                comb(n, i) * comb(n - i, j) * (u - 1) ** i * (sides - u) ** j
                for i, j in product(range(drop_lowest + 1), range(drop_highest + 1))
            )
    # Edges equally far apart have the same sums between them, but for a shift by kept * u.
    for gap in range(1, sides + 2):
        if starts := [u for u in low if u + gap in high]:
            edges = [(low[u], high[u + gap]) for u in starts]
            sums = _gap_counts(n, kept, drop_highest, gap, edges)
            for place, count in enumerate(sums, kept * starts[0]):
                counts[place] += count
    return counts


def _edge_ways(dropped: int, kept: int, beyond: int) -> list[int]:
    """Count the ways to set the dice at and beyond an edge, by dice kept there (0 to `kept`).

    Of ``dropped + k`` dice at most `dropped` show one of the `beyond` faces further out, the others
    that of the edge; none without a kept die, whose face it is.
    """
    every = range(dropped + 1)
    return [k and sum(comb(dropped + k, i) * beyond**i for i in every) for k in range(kept + 1)]


def _gap_counts(
    n: int, kept: int, drop_highest: int, gap: int, edges: list[tuple[list[int], list[int]]]
) -> list[int]:
    """Count rolls by sum less the lowest edge, for all edges one gap apart, in rising order.

    Horner's scheme in the number of dice strictly between the edges, the most first.
    """
    sums = [0] * (kept * (len(edges) - 1) + 1)
    for between in range(kept, -1, -1):
        if between < kept:
            sums = [*_one_more_die(sums, gap - 1), 0]
        for k in range(kept - between + 1):
            choices = comb(n, between) * comb(n - between, drop_highest + k)
            for shift, (low, high) in enumerate(edges):
                sums[kept * shift + gap * k] += choices * low[kept - between - k] * high[k]
    return sums


def _one_more_die(counts: list[int], sides: int) -> list[int]:
    """Convolve with a die: a running window of `sides` entries, taken from prefix sums."""
    if sides == 0:
        return [0] * len(counts)
    prefix = list(accumulate(counts + [0] * (sides - 1)))
    return [0, *prefix[:sides], *map(sub, prefix[sides:], prefix)]
