"""Intervals and tests for counts of trials."""

from __future__ import annotations

from math import sqrt

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
