"""The canonical charge in plain Python."""

from random import Random

import numpy as np

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)


def play(trials: int, seed: int) -> CanonicalResult:
    """Play the charge `trials` times, one die after another.

    This is the loop a wargamer would write, made as quick as the standard library allows while
    it still reads as the rules do: `int(random() * 6)` rolls a die in half the time of
    `randint(1, 6)`, comparing `random()` itself rolls a die of which only pass or fail matters
    (a test of 5+ is `random() * 6 >= 4`), every name is local, a shot that misses rolls no die to
    wound, and a trial ends at the first step that decides it. A list indexed by a combined code
    is the cheapest tally, cheaper than a dictionary keyed by tuples.
    """
    random = Random(seed).random
    joint = [0] * (5 * 6 * 8)
    target_flight = [0] * TARGET_FLIGHT_SIZE
    charger_flight = [0] * CHARGER_FLIGHT_SIZE
    hits_tally = [0] * HITS_SIZE
    shots = (None,) * 10
    impact = tuple((None,) * hits for hits in range(HITS_SIZE))

    for _ in range(trials):
        if int(random() * 6) + int(random() * 6) + 2 > 7:
            flight = (
                int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + 5
            )
            target_flight[flight] += 1
            joint[48 if 24 + flight <= 36 else 96] += 1
            continue

        casualties = 0
        for _ in shots:
            if random() * 6 >= 4 and random() * 6 >= 3 and random() * 6 < 4:
                casualties += 1
        if casualties >= 5:
            joint[192 + 5 * 8] += 1
            continue
        if 4 * casualties >= 5 and int(random() * 6) + int(random() * 6) + 2 > 8:
            flight = (
                int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + int(random() * 6)
                + 8
            )
            charger_flight[flight] += 1
            joint[144 + casualties * 8] += 1
            continue

        hits = int(random() * 6) + 2
        wounds = 0
        for _ in impact[hits]:
            if random() * 6 >= 1 and random() * 6 < 5:
                wounds += 1
        hits_tally[hits] += 1
        joint[casualties * 8 + wounds] += 1

    hits_tally[0] = trials - sum(hits_tally)
    return CanonicalResult(
        np.array(joint, dtype=np.int64).reshape(JOINT_SHAPE),
        np.array(target_flight, dtype=np.int64),
        np.array(charger_flight, dtype=np.int64),
        np.array(hits_tally, dtype=np.int64),
    )
