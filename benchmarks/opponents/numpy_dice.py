"""The canonical charge with numpy, rolling every die."""

import numpy as np
from numpy.typing import NDArray

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
)

_CHUNK = 1 << 17

# Casualties of the 64 codes 8 * count + casualties, largest code first.
_CASUALTIES = (np.arange(64) % 8)[::-1].astype(np.uint8)


def _at_least(tally: NDArray[np.intp]) -> NDArray[np.intp]:
    """Turn the number of trials with exactly k into the number with k or more."""
    return tally[::-1].cumsum()[::-1]


def play(trials: int, seed: int) -> CanonicalResult:
    """Play the charge `trials` times, rolling each die that the rules ask for and no other.

    The generator costs more per die than everything else together, so the quickest way to roll
    every die is to roll only those that matter: 18.5 a trial instead of 62. A trial's state
    between two steps is one small number, so sorting by it is a count and a repeat, and then the
    trials that need a kth die are always the first few: no masks, no gathers, no dice thrown
    away. One byte per die, one row per die, and chunks that stay in the cache.

    Tried and slower: all 62 dice for every trial (3.3 times the time), survivors compressed with
    masks but every shot rolling its three dice (1.5 times), and hits compressed die by die
    through their indices (1.8 times). PCG64 and SFC64 take the same time here.
    """
    generator = np.random.Generator(np.random.SFC64(seed))
    joint = np.zeros(JOINT_SHAPE, dtype=np.int64)
    contact, caught, escaped, panic, destroyed = joint
    target_flight = np.zeros(TARGET_FLIGHT_SIZE, dtype=np.int64)
    charger_flight = np.zeros(CHARGER_FLIGHT_SIZE, dtype=np.int64)
    hits_tally = np.zeros(HITS_SIZE, dtype=np.int64)

    def roll(*shape: int) -> NDArray[np.uint8]:
        return generator.integers(1, 7, size=shape, dtype=np.uint8)

    def total(dice: int, size: int) -> NDArray[np.uint8]:
        sums: NDArray[np.uint8] = roll(dice, size).sum(axis=0, dtype=np.uint8)
        return sums

    for start in range(0, trials, _CHUNK):
        size = min(_CHUNK, trials - start)

        # 1. Fear.
        fled = int(np.count_nonzero(total(2, size) > 7))
        target_flight += np.bincount(total(5, fled), minlength=TARGET_FLIGHT_SIZE)

        # 2. Stand and shoot: ten shots; a die to wound per hit; a save per wound.
        struck = (roll(10, size - fled) >= 5).view(np.uint8).sum(axis=0, dtype=np.uint8)
        for wounding in (True, False):
            having = _at_least(np.bincount(struck, minlength=11))
            struck = np.zeros(having[0], dtype=np.uint8)
            for needed in having[1:]:
                dice = roll(needed)
                struck[:needed] += dice >= 4 if wounding else dice < 5
        lost = np.bincount(np.minimum(struck, 5), minlength=6)

        # 3. Panic.
        destroyed[5, 0] += lost[5]
        fighting = lost[:5]
        for casualties in (2, 3, 4):
            broken = int(np.count_nonzero(total(2, fighting[casualties]) > 8))
            fighting[casualties] -= broken
            panic[casualties, 0] += broken
            charger_flight += np.bincount(total(8, broken), minlength=CHARGER_FLIGHT_SIZE)

        # 4. Contact: D6 + 1 hits; a die to wound per hit; a save per wound.
        code = np.repeat(np.arange(5, dtype=np.uint8), fighting)
        code += (roll(code.size) + np.uint8(1)) * np.uint8(8)
        tally = np.bincount(code, minlength=64)
        hits_tally += tally.reshape(8, 8).sum(axis=1)
        for wounding in (True, False):
            having = _at_least(tally.reshape(8, 8).sum(axis=1))
            struck = np.zeros(having[0], dtype=np.uint8)
            for needed in having[1:]:
                dice = roll(needed)
                struck[:needed] += dice >= 2 if wounding else dice < 6
            code = struck * np.uint8(8) + np.repeat(_CASUALTIES, tally[::-1])
            tally = np.bincount(code, minlength=64)
        contact += tally.reshape(8, 8).T[:6]

    caught[0, 0] = target_flight[:13].sum()
    escaped[0, 0] = target_flight[13:].sum()
    hits_tally[0] = trials - hits_tally.sum()
    return CanonicalResult(joint, target_flight, charger_flight, hits_tally)
