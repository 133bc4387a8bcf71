"""The four waves of benchmarks/four_waves.toml, as others would answer them.

Six faces of 36 break the infantry before the melee; then each wave rolls at even odds on the
made-up table. The waves end with a hit on the infantry or a rout of the column; two disorders rout
it too.
"""

import icepool
import numpy as np
from numpy.typing import NDArray

WORDS = ("targets_broke", "charger_routed", "charger_disordered", "bounced", "pursues",
         "no_pursuit")  # fmt: skip
WAVES = 4
_BROKE, _ROUTED, _DISORDERED, _BOUNCED, _PURSUES, _NO_PURSUIT = range(len(WORDS))
_FACES = {"AR": 2, "AD": 6, "blank": 20, "DD": 8}
_HIT, _OVER = 10, 20


def with_icepool() -> list[float]:
    """Chance of each word, exact: a chain of dice whose faces are the states between waves."""
    wave = icepool.Die(_FACES)

    def on(state: int, result: str) -> int:
        # disorders so far, a hit and the end of the column in one number
        if result == "AR":
            return _OVER
        if result == "AD":
            return state + 1
        return state + _HIT if result == "DD" else state

    state = icepool.Die([0])
    for _ in range(WAVES):
        state = state.map(lambda s: s if s >= _HIT else wave.map(lambda r: on(s, r)))

    def word(end: int) -> int:
        if end >= _OVER or end % _HIT >= 2:
            return _ROUTED
        if end % _HIT == 1:
            return _DISORDERED
        return _PURSUES if end >= _HIT else _BOUNCED

    ends = state.map(word)
    broke = icepool.Die({True: 6, False: 30})
    found = broke.map(lambda b: _BROKE if b else ends)
    return [float(found.probability(i)) for i in range(len(WORDS))]


def with_numpy(trials: int, seed: int) -> NDArray[np.int64]:
    """Trials that end in each word: every wave rolled in all of them at once."""
    rng = np.random.default_rng(seed)
    broke = rng.integers(36, size=trials) < 6
    faces = rng.integers(36, size=(WAVES, trials), dtype=np.int8)
    disorders = np.zeros(trials, np.int8)
    routed = np.zeros(trials, bool)
    hit = np.zeros(trials, bool)
    for face in faces:
        on = ~(routed | hit)
        routed |= on & (face < 2)
        disorders += on & (face >= 2) & (face < 8)
        hit |= on & (face >= 28)
    routed |= disorders >= 2
    words = np.select(
        [broke, routed, disorders == 1, hit],
        [_BROKE, _ROUTED, _DISORDERED, _PURSUES],
        _BOUNCED,
    )
    return np.bincount(words, minlength=len(WORDS))
