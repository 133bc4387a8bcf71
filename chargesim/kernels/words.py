"""Random words: a counter generator, rows of words, and the uniform of a trial at a place.

A draw is a function of (seed, point, trial, place). Its uniform has 31 bits, made in two pieces,
for the first 16 almost always settle it:

* the *head*, 16 bits, comes from the *row* of the place: the 8,192 trials of a logical block, made
  by 32 lanes of xoshiro256++ whose states are Philox4x32-10 blocks keyed by the seed, with (block,
  place, lane, point) as counter. Word ``j`` of a row is output ``j // 32`` of lane ``j % 32``;
  trial ``i`` of the block takes 16 bits of word ``i // 4``, the lowest ones first.
* the *tail*, 15 bits, is a Philox4x32-10 block of its own, with (trial, place, point) as counter:
  it is reckoned only where a threshold lies within the head's 1/65536.

Rows do not depend on each other, so a reader may fill them trial by trial, stage by stage, or only
where asked.

Why lanes cannot overlap in practice: Philox is a bijection of its counter, so all lane states
differ; each lane runs 64 steps of a cycle of 2**256 - 1, and even among 2**64 lanes the chance
that any two segments meet is below 2**64 * 2**64 * 2**7 / 2**256 = 2**-121. Counters of tails have
the upper bit of the third word, those of lanes never.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel, scratch, tiny

BLOCK = 8192
"""Trials in a logical block, the unit of work."""
LANES = 32
PLACES = 4096
"""Rows. One that is never asked for costs nothing."""
ROW = BLOCK + 32
"""Heads of a row and a cache line more: neighbouring rows must not fight for the same lines."""
HEAD_BITS, TAIL_BITS = 16, 15
UNIFORM = 1 << (HEAD_BITS + TAIL_BITS)
"""Uniforms are whole numbers below this; a threshold of 0 is never, of this is always."""
SPAN = (1 << TAIL_BITS) - 1
"""A head leaves the uniform open up to this."""
_TAILS = 1 << 31
_MASK32 = np.uint64(0xFFFFFFFF)
_U32 = np.uint64(32)


@tiny
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Philox4x32-10: 128 random bits from a counter and a key, all in 32-bit words."""
    m0, m1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    w0, w1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
    x0, x1, x2, x3 = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    y0, y1 = np.uint64(k0), np.uint64(k1)
    for _ in range(10):
        # upper halves may hold anything but where they enter a product: there, masking is free
        p0 = m0 * (x0 & _MASK32)
        p1 = m1 * (x2 & _MASK32)
        x0, x1, x2, x3 = (p1 >> _U32) ^ x1 ^ y0, p1, (p0 >> _U32) ^ x3 ^ y1, p0
        y0 = (y0 + w0) & _MASK32
        y1 = (y1 + w1) & _MASK32
    return x0 & _MASK32, x1 & _MASK32, x2 & _MASK32, x3 & _MASK32


@kernel
def seed_lanes(dice: Any, place: int, block: int) -> None:
    """Set the 32 lanes to their states for the row of a place in a logical block."""
    seed = np.uint64(dice["seed"])
    point = np.uint64(dice["point"])
    number = np.uint64(block)
    lanes = dice["lanes"]
    for half in range(2):
        for lane in range(LANES):
            c2 = np.uint64((place * LANES + lane) * 2 + half)
            x0, x1, x2, x3 = philox(
                number & _MASK32, number >> _U32, c2, point, seed & _MASK32, seed >> _U32
            )
            lanes[2 * half, lane] = x0 | (x1 << _U32)
            lanes[2 * half + 1, lane] = x2 | (x3 << _U32)


@kernel
def run_lanes(lanes: Any, words: Any) -> None:
    """Fill the words of a row: xoshiro256++, 32 lanes side by side."""
    r23, r41, r45, r19 = np.uint64(23), np.uint64(41), np.uint64(45), np.uint64(19)
    seventeen = np.uint64(17)
    s = scratch()
    for k in range(4):
        for lane in range(LANES):
            s[k, lane] = lanes[k, lane]
    for start in range(0, BLOCK // 4, LANES):
        for lane in range(LANES):
            s0, s1, s2, s3 = s[0, lane], s[1, lane], s[2, lane], s[3, lane]
            total = s0 + s3
            words[start + lane] = ((total << r23) | (total >> r41)) + s0
            shifted = s1 << seventeen
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            s3 = (s3 << r45) | (s3 >> r19)
            s[0, lane], s[1, lane], s[2, lane], s[3, lane] = s0, s1, s2, s3


@kernel
def fill_row(dice: Any, place: int) -> None:
    """Make the heads of the current block at one place."""
    seed_lanes(dice, place, int(dice["block"]))
    # every machine that runs this has the low end of a word first
    run_lanes(dice["lanes"], dice["heads"][place].view(np.uint64))
    dice["ready"][place] = dice["block"]


@kernel
def set_trial(dice: Any, trial: int) -> None:
    """Turn to a trial, numbered from 0."""
    dice["block"] = trial // BLOCK
    dice["slot"] = trial % BLOCK


@kernel
def tail_of(seed: int, point: int, trial: int, place: int) -> int:
    """The last 15 bits of a trial's uniform at a place."""
    key, number = np.uint64(seed), np.uint64(trial)
    x0, _, _, _ = philox(
        number & _MASK32,
        number >> _U32,
        np.uint64(_TAILS + place),
        np.uint64(point),
        key & _MASK32,
        key >> _U32,
    )
    return int(x0 >> np.uint64(32 - TAIL_BITS))


@kernel
def lowest(dice: Any, place: int) -> int:
    """The least uniform with the trial's head at a place whose row is ready."""
    return int(dice["heads"][place, int(dice["slot"])]) << TAIL_BITS


@kernel
def tail(dice: Any, place: int) -> int:
    """What the trial's tail adds to that."""
    trial = int(dice["block"]) * BLOCK + int(dice["slot"])
    return int(tail_of(dice["seed"], dice["point"], trial, place))


@kernel
def uniform(dice: Any, place: int) -> int:
    """The trial's 31 random bits at a place whose row is ready."""
    return int(lowest(dice, place) + tail(dice, place))
