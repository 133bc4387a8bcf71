"""Exact weights of chance nodes, and the thresholds by which 31-bit uniforms answer them.

A cumulative chance is rounded once, to the nearest of 2**31 parts, so an outcome's chance is off by
2**-31 at most: a sample would have to be of 10**18 trials for this to show as one standard error.
Chances of 0 and 1 are exact. Only a few sums and products, in a fixed order, so that every machine
gets the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.kernels.normal import normal_cdf, normal_quantile
from chargesim.kernels.words import UNIFORM

GUIDE = 1024
"""Starting points of a table look-up: so many that the search which follows is hardly a step."""


def _leadership() -> Any:
    """Cumulative thresholds of 2D6 and of 3D6 without the highest, by target 0..12."""
    rows = np.zeros((2, 13), dtype=np.int64)
    for target in range(13):
        two = sum(a + b <= target for a in range(1, 7) for b in range(1, 7))
        three = sum(
            a + b + c - max(a, b, c) <= target
            for a in range(1, 7)
            for b in range(1, 7)
            for c in range(1, 7)
        )
        rows[0, target] = (two * UNIFORM * 2 + 36) // 72
        rows[1, target] = (three * UNIFORM * 2 + 216) // 432
    return rows


LEADERSHIP = _leadership()


@kernel
def sum_pmf(n: int, sides: int, pmf: Any) -> int:
    """Write the weights of the sums of n dice, from n upwards; return how many there are."""
    count = 1
    pmf[0] = 1.0
    for _ in range(n):
        for k in range(count + sides - 2, -1, -1):
            total = 0.0
            for face in range(sides):
                if 0 <= k - face < count:
                    total += pmf[k - face]
            pmf[k] = total / sides
        count += sides - 1
    return count


@kernel
def lower_two_pmf(pmf: Any) -> int:
    """Write the weights of three dice without the highest, from 2 to 12."""
    for total in range(2, 13):
        ways = 0
        for a in range(1, 7):
            for b in range(1, 7):
                for c in range(1, 7):
                    if a + b + c - max(a, b, c) == total:
                        ways += 1
        pmf[total - 2] = ways / 216
    return 11


@kernel
def race_pmf(flight: int, hunters: int, edge: int, pmf: Any) -> int:
    """Write the weights of a RACE node: caught, away, away and over the edge."""
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    one = np.zeros(64)
    short = np.ones(64)  # chance that every pursuit is below a length
    for kind in range(4):
        count = (hunters >> (5 * kind)) & 31
        if count == 0:
            continue
        dice = fast if kind >= 2 else slow
        values = sum_pmf(dice, 6, one)
        minus = less if kind % 2 == 1 else 0
        for length in range(64):
            below = 0.0
            for k in range(values):
                if dice + k - minus < length:
                    below += one[k]
            for _ in range(count):
                short[length] *= below
    values = sum_pmf(number, 6, one)
    pmf[0] = pmf[1] = pmf[2] = 0.0
    for k in range(values):
        length = number + k + plus
        away = one[k] * short[length]
        pmf[0] += one[k] * (1.0 - short[length])
        if edge > 0 and length >= edge:
            pmf[2] += away
        else:
            pmf[1] += away
    return 3


@kernel
def bands_pmf(sides: int, mask: int, pmf: Any) -> int:
    """Write the weights of a BANDS node: the share of the faces in each band."""
    count, faces = 0, 1
    for face in range(1, sides):
        if (mask >> face) & 1:
            pmf[count] = faces / sides
            count += 1
            faces = 0
        faces += 1
    pmf[count] = faces / sides
    return count + 1


@kernel
def count_pmf(n: int, a: int, b: int, pmf: Any) -> int:
    """Write the weights of the successes among ``n`` tries of chance ``a / b``."""
    p = a / b
    q = (b - a) / b
    pmf[0] = 1.0
    for i in range(n):
        pmf[i + 1] = pmf[i] * p
        for k in range(i, 0, -1):
            pmf[k] = pmf[k] * q + pmf[k - 1] * p
        pmf[0] = pmf[0] * q
    return n + 1


@kernel
def cumulate(pmf: Any, count: int, row: Any) -> None:
    """Write the cumulative thresholds of ``count`` weights, each rounded once."""
    last = 0
    for k in range(count):
        if pmf[k] > 0.0:
            last = k
    total = 0.0
    for k in range(count):
        total += pmf[k]
        row[k] = np.uint32(UNIFORM) if k >= last else np.uint32(total * UNIFORM + 0.5)


@kernel
def guide_to(row: Any, guide: Any) -> None:
    """Write where to begin in a row of thresholds, by the top bits of a uniform."""
    k = 0
    for top in range(GUIDE):
        while row[k] <= np.uint32(top * (UNIFORM // GUIDE)):
            k += 1
        guide[top] = k


@kernel
def length_at(u: int, mean: int, sd: int) -> int:
    """Length that a uniform means: it rises with the uniform."""
    at_zero = normal_cdf(-mean / sd)
    p = at_zero + (u + 0.5) / UNIFORM * (1.0 - at_zero)
    return max(int(np.ceil(mean + sd * normal_quantile(p))), 1)


@kernel
def weigh_lengths(mean: int, sd: int, cuts: Any, count: int, pmf: Any) -> None:
    """Write the chances of the cells between lengths."""
    at_zero = normal_cdf(-mean / sd)
    below = at_zero
    for i in range(count):
        cdf = normal_cdf((int(cuts[i]) - mean) / sd)
        pmf[i] = (cdf - below) / (1.0 - at_zero)
        below = cdf
    above = normal_cdf((mean - int(cuts[count - 1])) / sd) if count else 1.0 - at_zero
    pmf[count] = above / (1.0 - at_zero)


@kernel
def cut_lengths(mean: int, sd: int, cuts: Any, count: int, upto: Any) -> None:
    """Write the thresholds of these cells, as uniforms fall into them."""
    low = 0
    for i in range(count):
        high = UNIFORM
        while low < high:
            middle = (low + high) // 2
            if length_at(middle, mean, sd) <= cuts[i]:
                low = middle + 1
            else:
                high = middle
        upto[i] = np.uint32(low)
    upto[count] = np.uint32(UNIFORM)
