"""The canonical charge with numpy the usual way: arrays of trials, a draw a stage."""

import numpy as np

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)

_CHUNK = 1 << 16


def play(trials: int, seed: int) -> CanonicalResult:
    """Play the charge `trials` times, each trial an element of the arrays of its stage.

    What a good numpy programmer writes first: one `binomial()` for each volley, sums of dice, and
    boolean masks that keep the survivors of a stage. Chunks stay in the cache.
    """
    generator = np.random.Generator(np.random.SFC64(seed))
    joint = np.zeros(JOINT_SHAPE, dtype=np.int64)
    contact, caught, escaped, panic, destroyed = joint
    target_flight = np.zeros(TARGET_FLIGHT_SIZE, dtype=np.int64)
    charger_flight = np.zeros(CHARGER_FLIGHT_SIZE, dtype=np.int64)
    hits_tally = np.zeros(HITS_SIZE, dtype=np.int64)

    def dice(number: int, size: int) -> np.ndarray:
        rolled = generator.integers(1, 7, size=(number, size), dtype=np.uint8)
        return rolled.sum(axis=0, dtype=np.uint8)

    for start in range(0, trials, _CHUNK):
        size = min(_CHUNK, trials - start)
        fled = np.count_nonzero(dice(2, size) > 7)
        flights = dice(5, fled)
        target_flight += np.bincount(flights, minlength=TARGET_FLIGHT_SIZE)
        run_down = np.count_nonzero(flights <= 12)
        caught[0, 0] += run_down
        escaped[0, 0] += fled - run_down

        lost = np.minimum(generator.binomial(10, 1 / 9, size - fled), 5)
        alive = lost < 5
        destroyed[5, 0] += np.count_nonzero(~alive)
        lost = lost[alive]
        breaks = (lost >= 2) & (dice(2, lost.size) > 8)
        panic[:, 0] += np.bincount(lost[breaks], minlength=6)
        charger_flight += np.bincount(
            dice(8, np.count_nonzero(breaks)), minlength=CHARGER_FLIGHT_SIZE
        )
        lost = lost[~breaks]
        hits = generator.integers(2, 8, lost.size, dtype=np.uint8)
        wounds = generator.binomial(hits, 25 / 36)
        contact += np.bincount(lost * 8 + wounds, minlength=48).reshape(6, 8)
        hits_tally += np.bincount(hits, minlength=HITS_SIZE)
        hits_tally[0] += size - lost.size
    return CanonicalResult(joint, target_flight, charger_flight, hits_tally)
