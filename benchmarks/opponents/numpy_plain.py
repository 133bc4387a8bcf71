"""The canonical charge with numpy, rolling every die that any trial could need, for every trial."""

from functools import partial

import numpy as np
from numpy.typing import DTypeLike

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    OUTCOMES,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)

_CONTACT, _CAUGHT, _ESCAPED, _PANIC, _DESTROYED = range(len(OUTCOMES))


def play(trials: int, seed: int, dtype: DTypeLike = np.int64) -> CanonicalResult:
    """Play the charge `trials` times, a whole array of dice at each step and masks for what counts.

    This is what most people would write with numpy, written well: `default_rng`, one call of
    `integers` a step, one row a die so that sums run along the trials, and no loop. Every trial
    rolls all 62 dice of the longest charge, fled or destroyed or not. It is not the quickest way
    with numpy: `numpy_dice` rolls only the dice that matter, and `numpy_best` draws sums and counts
    in place of dice. Nor does it spare memory: all trials are there at once.

    `dtype` is that of the dice: the default of `integers`, or the smallest that holds them, for
    which one random word is cut into several dice.
    """
    rng = np.random.default_rng(seed)
    roll = partial(rng.integers, 1, 7, dtype=dtype)
    total = partial(np.sum, axis=0, dtype=dtype)

    # 1. Fear.
    fled = total(roll((2, trials))) > 7
    target_flight = total(roll((5, trials)))
    caught = 24 + target_flight <= 36

    # 2. Stand and shoot: to hit, to wound, to save.
    shots = (10, trials)
    struck = (roll(shots) >= 5) & (roll(shots) >= 4) & (roll(shots) < 5)
    casualties = np.minimum(total(struck), 5)
    casualties[fled] = 0
    destroyed = casualties == 5

    # 3. Panic.
    broken = (casualties >= 2) & ~destroyed & (total(roll((2, trials))) > 8)
    charger_flight = total(roll((8, trials)))

    # 4. Contact: D6 + 1 hits, to wound, to save; the dice of hits that were not made count nothing.
    contact = ~(fled | destroyed | broken)
    hits = roll(trials) + 1
    hits[~contact] = 0
    made = np.arange(1, HITS_SIZE)[:, np.newaxis] <= hits
    wounds = total(made & (roll(made.shape) >= 2) & (roll(made.shape) < 6))

    outcome = np.select(
        [contact, fled & caught, fled, broken], [_CONTACT, _CAUGHT, _ESCAPED, _PANIC], _DESTROYED
    )
    cells = np.ravel_multi_index((outcome, casualties, wounds), JOINT_SHAPE)
    return CanonicalResult(
        np.bincount(cells, minlength=np.prod(JOINT_SHAPE)).reshape(JOINT_SHAPE),
        np.bincount(target_flight[fled], minlength=TARGET_FLIGHT_SIZE),
        np.bincount(charger_flight[broken], minlength=CHARGER_FLIGHT_SIZE),
        np.bincount(hits, minlength=HITS_SIZE),
    )
