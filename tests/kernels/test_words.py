"""Random words: known answers of the generators, and lanes that never meet."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels import words as w
from chargesim.kernels.dice import Mode, new_dice


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_gives_the_published_vectors(counter, key, words) -> None:
    found = w.philox(*(np.uint64(x) for x in (*counter, *key)))
    assert " ".join(f"{int(x):08x}" for x in found) == words


def test_xoshiro_gives_the_published_vector_in_every_lane() -> None:
    lanes = np.repeat(np.array([[1], [2], [3], [4]], np.uint64), w.LANES, axis=1)
    words = np.zeros(w.PART // 2 + 8, np.uint64)
    w.step_lanes(lanes, words)
    for step, word in enumerate((41943041, 58720359, 3588806011781223, 3591011842654386)):
        assert set(words[step * w.LANES : (step + 1) * w.LANES].tolist()) == {word}


def test_lanes_of_different_rows_blocks_points_and_seeds_differ() -> None:
    states = set()
    for seed, point in ((0, 0), (0, 1), (1, 0)):
        dice = new_dice(Mode.SAMPLE, seed, point)[0]
        for place in (0, 1, w.PLACES - 1):
            for block in (0, 1, 2**33):
                w.seed_lanes(dice, place, block)
                states |= {tuple(lane) for lane in dice["lanes"][place].T.tolist()}
    assert len(states) == 3 * 3 * 3 * w.LANES
