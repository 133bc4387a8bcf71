"""The canonical charge solved exactly with icepool."""

import icepool
import numpy as np

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    OUTCOMES,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)

_, CAUGHT, ESCAPED, PANIC, DESTROYED = (48 * outcome for outcome in range(len(OUTCOMES)))
_LOST = 8


def solve() -> CanonicalResult:
    """Return the exact probabilities of every cell, each an exact ratio rounded once.

    Written the way icepool is quick: `n @ die` sums dice by convolution and adds up a random
    number of impact hits in one step, each stage is mapped once over the few outcomes of the one
    before it, and the joint outcome is one integer, because dice of integers are several times
    quicker to combine than dice of tuples. The flights and the hits do not depend on anything
    but having happened, so they are scaled from the joint result and never enter it.
    """
    d6 = icepool.d6
    brave = 2 @ d6 <= 7
    steady = 2 @ d6 <= 8
    target_flight = 5 @ d6
    charger_flight = 8 @ d6
    hits = d6 + 1
    casualties = icepool.coin(2 * 3 * 4, 6**3).pool(10).sum()
    wounds = hits @ icepool.coin(5 * 5, 6**2)

    def after_volley(lost: int) -> "icepool.Die[int] | int":
        if lost >= 5:
            return DESTROYED + _LOST * 5
        contact = wounds + _LOST * lost
        if 4 * lost >= 5:
            return steady.if_else(contact, PANIC + _LOST * lost)
        return contact

    caught = target_flight <= 36 - 24
    joint = brave.if_else(casualties.map(after_volley), caught.if_else(CAUGHT, ESCAPED))

    # Python divides two integers of any size with a single rounding, so nothing is lost by
    # leaving Fraction, which is much slower, out of it.
    total = joint.denominator()
    cells = np.zeros(np.prod(JOINT_SHAPE))
    by_outcome = [0] * len(OUTCOMES)
    for code, quantity in joint.items():
        cells[code] = quantity / total
        by_outcome[code // 48] += quantity

    def scaled(die: "icepool.Die[int]", happened: int, size: int) -> np.ndarray:
        table = np.zeros(size)
        divisor = die.denominator() * total
        for outcome, quantity in die.items():
            table[outcome] = quantity * happened / divisor
        return table

    contact, caught_total, escaped_total, panic_total, _ = by_outcome
    hits_table = scaled(hits, contact, HITS_SIZE)
    hits_table[0] = (total - contact) / total
    return CanonicalResult(
        cells.reshape(JOINT_SHAPE),
        scaled(target_flight, caught_total + escaped_total, TARGET_FLIGHT_SIZE),
        scaled(charger_flight, panic_total, CHARGER_FLIGHT_SIZE),
        hits_table,
    )
