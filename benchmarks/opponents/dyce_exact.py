"""The canonical charge solved exactly with dyce."""

import warnings
from fractions import Fraction

import numpy as np
from dyce import H, expand
from dyce.evaluation import HResult
from dyce.lifecycle import ExperimentalWarning
from numpy.typing import NDArray

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    OUTCOMES,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)

_, _CAUGHT, _ESCAPED, _PANIC, _DESTROYED = (48 * outcome for outcome in range(len(OUTCOMES)))
_LOST = 8
warnings.filterwarnings("ignore", category=ExperimentalWarning)  # the release is pinned
_EVERY_PATH = Fraction(0)
"""Nothing is cut off: by default paths below a ten-millionth are dropped."""


def solve() -> CanonicalResult:
    """Return the exact probabilities of every cell, each an exact ratio rounded once.

    Written as for icepool: sums by `@`, a test as a histogram of two counts, one whole number for
    the joint outcome. What depends on an outcome is an `expand`, in which impossible throws never
    come up, so every level costs a call for each of its outcomes.
    """
    d6 = H(6)
    test = 2 @ d6
    brave, steady = test.le(7), test.le(8)
    target_flight = 5 @ d6
    charger_flight = 8 @ d6
    hits = d6 + 1
    casualties = 10 @ H({0: 6**3 - 24, 1: 24})
    wound = H({0: 11, 1: 25})
    wounds = expand(lambda hit: hit.outcome @ wound, hits, min_path_probability=_EVERY_PATH)
    fled = target_flight.le(36 - 24)
    fates = H({_CAUGHT: fled[True], _ESCAPED: fled[False]})

    def after_volley(shot: "HResult[int]") -> "H[int] | int":
        lost = min(shot.outcome, 5)
        if lost == 5:
            return _DESTROYED + _LOST * 5
        contact = wounds + _LOST * lost
        if 4 * lost < 5:
            return contact
        panic = _PANIC + _LOST * lost
        return expand(
            lambda passed: contact if passed.outcome else panic,
            steady,
            min_path_probability=_EVERY_PATH,
        )

    volley = expand(after_volley, casualties, min_path_probability=_EVERY_PATH)
    joint = expand(
        lambda passed: volley if passed.outcome else fates, brave, min_path_probability=_EVERY_PATH
    )

    total = joint.total
    cells = np.zeros(np.prod(JOINT_SHAPE))
    by_outcome = [0] * len(OUTCOMES)
    for code, count in joint.items():
        cells[code] = count / total
        by_outcome[code // 48] += count

    def scaled(histogram: "H[int]", happened: int, size: int) -> NDArray[np.float64]:
        table = np.zeros(size)
        divisor = histogram.total * total
        for outcome, count in histogram.items():
            table[outcome] = count * happened / divisor
        return table

    contact, caught, escaped, panicked, _ = by_outcome
    hits_table = scaled(hits, contact, HITS_SIZE)
    hits_table[0] = (total - contact) / total
    return CanonicalResult(
        cells.reshape(JOINT_SHAPE),
        scaled(target_flight, caught + escaped, TARGET_FLIGHT_SIZE),
        scaled(charger_flight, panicked, CHARGER_FLIGHT_SIZE),
        hits_table,
    )
