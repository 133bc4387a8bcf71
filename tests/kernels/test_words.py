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
    words = np.zeros(w.ROW // 4, np.uint64)
    w.run_lanes(lanes, words)
    for step, word in enumerate((41943041, 58720359, 3588806011781223, 3591011842654386)):
        assert set(words[step * w.LANES : (step + 1) * w.LANES].tolist()) == {word}


def test_lanes_of_different_rows_blocks_points_and_seeds_differ() -> None:
    states = set()
    for seed, point in ((0, 0), (0, 1), (1, 0)):
        dice = new_dice(Mode.SAMPLE, seed, point)[0]
        for place in (0, 1, w.PLACES - 1):
            for block in (0, 1, 2**33):
                w.seed_lanes(dice, place, block)
                states |= {tuple(lane) for lane in dice["lanes"].T.tolist()}
    assert len(states) == 3 * 3 * 3 * w.LANES


def test_a_uniform_is_a_head_of_its_row_and_a_tail_of_its_own() -> None:
    trial, place, seed, point = 5 * w.BLOCK + 4321, 77, 2**63 + 9, 3
    dice = new_dice(Mode.SAMPLE, seed, point)[0]
    w.set_trial(dice, trial)
    w.fill_row(dice, place)
    words = np.zeros(w.ROW // 4, np.uint64)
    w.seed_lanes(dice, place, 5)
    w.run_lanes(dice["lanes"], words)
    head = int(words[4321 // 4]) >> 16 * (4321 % 4) & 0xFFFF
    counter = (trial, 0, 2**31 + place, point)
    block = w.philox(*(np.uint64(x) for x in (*counter, seed & 0xFFFFFFFF, seed >> 32)))
    assert w.uniform(dice, place) == head << 15 | int(block[0]) >> 17
    assert w.lowest(dice, place) == head << 15
    assert w.HEAD_BITS + w.TAIL_BITS == 31


def test_tails_differ_by_trial_place_point_and_seed_and_are_spread_evenly() -> None:
    tails = {
        w.tail_of(np.uint64(seed), np.uint64(point), trial, place)
        for seed in (0, 2**32)
        for point in (0, 1)
        for trial in (0, 1, 2**32)
        for place in (0, 1)
    }
    assert len(tails) == 2 * 2 * 3 * 2
    some = np.array([w.tail_of(np.uint64(7), np.uint64(0), trial, 9) for trial in range(20_000)])
    assert some.min() >= 0
    assert some.max() < 1 << w.TAIL_BITS
    counts = np.bincount(some >> 11, minlength=16)
    assert abs(counts - 1250).max() < 5 * 1250**0.5


def test_heads_of_a_block_are_spread_evenly_and_neighbours_have_nothing_in_common() -> None:
    dice = new_dice(Mode.SAMPLE, 12)[0]
    w.set_trial(dice, 0)
    rows = []
    for place in range(32):
        w.fill_row(dice, place)
        rows.append(dice["heads"][place, : w.BLOCK] / 65536)
    heads = np.array(rows)
    for bins in (16, 256):
        counts = np.bincount((heads * bins).astype(int).ravel(), minlength=bins)
        expected = heads.size / bins
        assert ((counts - expected) ** 2 / expected).sum() < bins + 6 * (2 * bins) ** 0.5
    centred = heads - 0.5
    for lag in (1, 2, 3, 4, 128):  # within a word, of the next lane, of the next step
        product = (centred[:, lag:] * centred[:, :-lag]).mean() * 12
        assert abs(product) < 5 / heads.size**0.5
    assert abs((centred[1:] * centred[:-1]).mean() * 12) < 5 / heads.size**0.5
