"""Intervals and tests for counts of trials."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

Z95 = 1.959963984540054
"""Normal quantile of a two-sided 95 % interval."""


def wilson(count: int, trials: int) -> tuple[float, float]:
    """Wilson 95 % interval of a probability.

    Parameters
    ----------
    count
        Trials in which it happened, 0 to ``trials``.
    trials
        At least 1.

    Returns
    -------
    tuple of float
        Lower and upper end, within 0 and 1.
    """
    p = count / trials
    z2 = Z95 * Z95 / trials
    middle = (p + z2 / 2) / (1 + z2)
    half = Z95 * sqrt(p * (1 - p) / trials + z2 / (4 * trials)) / (1 + z2)
    low = 0.0 if count == 0 else max(middle - half, 0.0)
    high = 1.0 if count == trials else min(middle + half, 1.0)
    return low, high


def wilson_all(
    counts: np.ndarray[Any, Any], trials: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Ends of the intervals of many probabilities, each as :func:`wilson` gives it, bit for bit."""
    p = counts / trials
    z2 = Z95 * Z95 / trials
    middle = (p + z2 / 2) / (1 + z2)
    half = Z95 * np.sqrt(p * (1 - p) / trials + z2 / (4 * trials)) / (1 + z2)
    low = np.where(counts == 0, 0.0, np.maximum(middle - half, 0.0))
    high = np.where(counts == trials, 1.0, np.minimum(middle + half, 1.0))
    return low, high


def half_width(count: int, trials: int) -> float:
    """Half of the width of the Wilson interval."""
    low, high = wilson(count, trials)
    return (high - low) / 2


def binomial_test(count: int, trials: int, p: float) -> float:
    """Two-sided p-value of an exact binomial test, certain and impossible outcomes included."""
    if p <= 0.0:
        return 1.0 if count == 0 else 0.0
    if p >= 1.0:
        return 1.0 if count == trials else 0.0
    from scipy.stats import binomtest  # slow to import, needed by check alone

    return float(binomtest(count, trials, p).pvalue)


def t95(freedom: int) -> float:
    """Quantile of Student's t of a two-sided 95 % interval, within 0.001 from 5 degrees up.

    By the expansion of Cornish and Fisher around the normal one.
    """
    z, n = Z95, max(freedom, 1)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def jackknife(values: np.ndarray[Any, Any]) -> float:
    """Standard error of a statistic from its values without each block in turn."""
    many = len(values)
    return sqrt((many - 1) / many * float(np.sum((values - values.mean()) ** 2)))
