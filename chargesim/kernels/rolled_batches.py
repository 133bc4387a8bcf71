"""Every die rolled, for a batch of trials that are at the same node: side by side.

What :mod:`.rolled` says, in its words and numbers, one loop over the trials for a handful of dice,
so that a processor rolls as many at a time as its vectors hold. A number that is not fair to its
dice is rare: its trial is marked, and has to be rolled by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.dice import MASK_BITS, Node
from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.rolled import (
    MASK32,
    PURSUERS,
    STEP,
    U32,
    hand_of,
    least_die,
    luck_at,
    mixed,
    surplus,
    throws_of,
)

AGAIN = np.uint64(1 << 32)
"""From here on a trial's faces are marked."""
NOTHING, ALL = np.uint64(0), np.uint64((1 << 64) - 1)
_TEST, _SUM, _COUNT = int(Node.TEST), int(Node.SUM), int(Node.COUNT)
_RACE, _BANDS = int(Node.RACE), int(Node.BANDS)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def draw_words(keys: Any, luck: int, number: int, words: Any) -> None:
    """Draw word ``number``, from 0, of each trial at the node whose place has this luck."""
    step = STEP * np.uint64(number + 1)
    for k in range(keys.size):
        words[k] = mixed((keys[k] ^ luck) + step)


@tiny
def add_hand(n: int, words: Any, shift: int, faces: Any, keep: int, sides: int, over: int) -> int:
    """Add what a hand of ``n`` dice shows: what :func:`add_dice` does, for a number written out."""
    marks = _ZERO
    for k in range(faces.size):
        x, shown = words[k] >> shift, _ZERO
        for _ in range(n):
            x = (x & MASK32) * sides
            shown += x >> U32
        # what is left of the number is what :func:`chargesim.kernels.rolled.is_fair` looks at
        mark = AGAIN if (x & MASK32) < over else _ZERO
        faces[k] = (faces[k] & keep) + shown + mark
        marks |= mark
    return marks


@tiny
def count_hand(
    n: int, words: Any, shift: int, faces: Any, keep: int, sides: int, over: int, border: int
) -> int:
    """Count the dice of a hand below a border; as :func:`add_hand`."""
    marks = _ZERO
    for k in range(faces.size):
        x, shown = words[k] >> shift, _ZERO
        for _ in range(n):
            x = (x & MASK32) * sides
            shown += _ONE if x < border else _ZERO
        mark = AGAIN if (x & MASK32) < over else _ZERO
        faces[k] = (faces[k] & keep) + shown + mark
        marks |= mark
    return marks


@kernel
def add_dice(words: Any, upper: int, faces: Any, keep: int, n: int, sides: int) -> int:
    """Roll a hand of dice of each trial, and add what they show, each counted from 0.

    Parameters
    ----------
    words
        Of the trials, uint64.
    upper
        1 for dice of the upper half of the words, 0 for ones of the lower half.
    faces
        Added to; and ``AGAIN`` where the number is not fair.
    keep
        Mask of what is in ``faces``: ``NOTHING`` or ``ALL``.
    n
        Dice, 1 to :func:`chargesim.kernels.rolled.hand_of`.
    sides
        Of each.

    Returns
    -------
    int
        ``AGAIN`` or 0: whether any was not fair.
    """
    shift, over, many = np.uint64(32 * upper), surplus(throws_of(n, sides)), np.uint64(sides)
    # a loop of so many turns for the compiler, which can put the trials side by side
    if n == 1:
        return add_hand(1, words, shift, faces, keep, many, over)
    if n == 2:
        return add_hand(2, words, shift, faces, keep, many, over)
    if n == 3:
        return add_hand(3, words, shift, faces, keep, many, over)
    if n == 4:
        return add_hand(4, words, shift, faces, keep, many, over)
    if n == 5:
        return add_hand(5, words, shift, faces, keep, many, over)
    if n == 6:
        return add_hand(6, words, shift, faces, keep, many, over)
    if n == 7:
        return add_hand(7, words, shift, faces, keep, many, over)
    return add_hand(8, words, shift, faces, keep, many, over)


@kernel
def count_dice(words: Any, upper: int, faces: Any, keep: int, n: int, sides: int, upto: int) -> int:
    """Roll a hand of dice, and add how many show at most ``upto``; as :func:`add_dice`."""
    shift, over, many = np.uint64(32 * upper), surplus(throws_of(n, sides)), np.uint64(sides)
    border = np.uint64(upto) << U32
    if n == 1:
        return count_hand(1, words, shift, faces, keep, many, over, border)
    if n == 2:
        return count_hand(2, words, shift, faces, keep, many, over, border)
    if n == 3:
        return count_hand(3, words, shift, faces, keep, many, over, border)
    if n == 4:
        return count_hand(4, words, shift, faces, keep, many, over, border)
    if n == 5:
        return count_hand(5, words, shift, faces, keep, many, over, border)
    if n == 6:
        return count_hand(6, words, shift, faces, keep, many, over, border)
    if n == 7:
        return count_hand(7, words, shift, faces, keep, many, over, border)
    return count_hand(8, words, shift, faces, keep, many, over, border)


@kernel
def roll_hands(
    keys: Any, luck: int, words: Any, halves: int, faces: Any, n: int, sides: int, upto: int
) -> int:
    """Roll dice by the handful.

    Parameters
    ----------
    keys
        Of the trials, uint64.
    luck
        Of the place.
    words
        The word that was drawn last, of each trial.
    halves
        How many halves of words have been used.
    faces
        What the dice show, counted from 0, or with ``upto`` how many show at most this.
    n, sides
        Dice, and their sides.
    upto
        Or 0.

    Returns
    -------
    int
        As of :func:`add_dice`.
    """
    hand, keep, marks = hand_of(sides), NOTHING, NOTHING
    while n > 0:
        if halves % 2 == 0:
            draw_words(keys, luck, halves // 2, words)
        if upto > 0:
            marks |= count_dice(words, halves % 2, faces, keep, min(n, hand), sides, upto)
        else:
            marks |= add_dice(words, halves % 2, faces, keep, min(n, hand), sides)
        halves += 1
        n -= hand
        keep = ALL
    return marks


@kernel
def roll_lower_two(keys: Any, luck: int, words: Any, faces: Any) -> int:
    """Roll three D6: what the lower two show, each counted from 0; as :func:`roll_hands`."""
    over, six, marks = surplus(throws_of(3, 6)), np.uint64(6), _ZERO
    draw_words(keys, luck, np.int64(0), words)
    for k in range(faces.size):
        a = (words[k] & MASK32) * six
        b = (a & MASK32) * six
        c = (b & MASK32) * six
        shown = (a >> U32) + (b >> U32) + (c >> U32) - (max(a, max(b, c)) >> U32)
        mark = AGAIN if (c & MASK32) < over else _ZERO
        faces[k] = shown + mark
        marks |= mark
    return marks


@kernel
def roll_race(
    keys: Any,
    luck: int,
    words: Any,
    faces: Any,
    farthest: Any,
    spare: Any,
    flight: int,
    hunters: int,
    edge: int,
) -> int:
    """Roll a flight and every pursuit, as :func:`chargesim.kernels.rolled.rolled_race` does.

    Parameters
    ----------
    keys, luck, words
        As for :func:`roll_hands`.
    faces
        0 caught, 1 away, 2 away and over an edge.
    farthest, spare
        Room for the farthest pursuit, and for one of them.
    flight, hunters, edge
        As :func:`chargesim.kernels.dice.race` has them.

    Returns
    -------
    int
        As of :func:`roll_hands`.
    """
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    halves, marks = 0, NOTHING
    farthest[:] = 0
    # the flight, which is no kind of pursuers, and then these: every length is one hand
    for kind in range(-1, 4):
        count = number if kind < 0 else fast if kind >= 2 else slow
        # all lengths are so much longer that none is below 0
        longer = np.uint64(8 + count - (less if kind % 2 == 1 else 0))
        for _ in range(1 if kind < 0 else (hunters >> (5 * kind)) & PURSUERS):
            if halves % 2 == 0:
                draw_words(keys, luck, halves // 2, words)
            marks |= add_dice(words, halves % 2, spare, NOTHING, count, np.int64(6))
            halves += 1
            if kind < 0:
                faces[:] = spare
            else:
                for k in range(faces.size):
                    farthest[k] = max(farthest[k], spare[k] + longer)
    longer = np.uint64(8 + number + plus)
    border = np.uint64(8 + edge) if edge > 0 else AGAIN
    for k in range(faces.size):
        length = faces[k] + longer
        marked = (length | farthest[k]) >= AGAIN
        away = _ONE + np.uint64(length >= border)
        faces[k] = np.uint64(farthest[k] < length) * away + (AGAIN if marked else _ZERO)
    return marks


@kernel
def read_bands(faces: Any, sides: int, mask: int) -> None:
    """Read a die of each trial on a table of bands."""
    bands = np.zeros(sides, np.uint64)
    for face in range(1, sides):
        bands[face] = bands[face - 1] + np.uint64((mask >> face) & 1)
    for k in range(faces.size):
        if faces[k] < AGAIN:
            faces[k] = bands[faces[k]]


@kernel
def roll_side_by_side(
    ask: tuple[int, int, int, int],
    place: int,
    keys: Any,
    words: Any,
    faces: Any,
    farthest: Any,
    spare: Any,
) -> bool:
    """Roll the dice of a node for all trials at it.

    Parameters
    ----------
    ask
        Kind and numbers of the node.
    place
        Its place.
    keys
        Of the trials, uint64: for each :func:`chargesim.kernels.rolled.mixed` of its number and
        what all trials have in common.
    words
        Room for their words.
    faces
        The outcomes, counted from 0 in the order of the node's children: of a test the outcome that
        is passed comes first.
    farthest, spare
        Room for what else their dice show.

    Returns
    -------
    bool
        True when some have to be rolled by themselves: their outcomes are ``AGAIN`` or more.
    """
    kind, n, a, b = ask
    luck, dice, sides, upto = luck_at(place), n, a, 0
    if kind == _COUNT:
        upto, sides = least_die(a, b)
    elif kind == _TEST:
        dice, sides = 2, 6
    elif kind == _BANDS:
        dice, sides = 1, n
    if kind == _RACE:
        marks = roll_race(keys, luck, words, faces, farthest, spare, n, a, b)
    elif (kind == _TEST and a != 0) or (kind == _SUM and b != 0):
        marks = roll_lower_two(keys, luck, words, faces)
    else:
        marks = roll_hands(keys, luck, words, np.int64(0), faces, dice, sides, upto)
    if kind == _TEST:
        two, most = np.uint64(2), np.uint64(n)
        for k in range(faces.size):
            faces[k] = (faces[k] & AGAIN) + np.uint64(faces[k] + two > most)
    elif kind == _BANDS:
        read_bands(faces, n, a | (b << MASK_BITS))
    return bool(marks != _ZERO)
