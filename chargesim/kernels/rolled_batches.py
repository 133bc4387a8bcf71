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
_TEST, _COUNT, _RACE, _BANDS = int(Node.TEST), int(Node.COUNT), int(Node.RACE), int(Node.BANDS)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SHOWN = AGAIN - _ONE


@kernel
def draw_words(keys: Any, luck: int, number: int, words: Any) -> None:
    """Draw word ``number``, from 0, of each trial at the node whose place has this luck."""
    step = STEP * np.uint64(number + 1)
    for k in range(keys.size):
        words[k] = mixed((keys[k] ^ luck) + step)


@tiny
def add_hand(n: int, words: Any, shift: int, faces: Any, sides: int, over: int) -> None:
    """Add what a hand of ``n`` dice shows: what :func:`add_dice` does, for a number written out."""
    for k in range(faces.size):
        x, shown = words[k] >> shift, _ZERO
        for _ in range(n):
            x = (x & MASK32) * sides
            shown += x >> U32
        # what is left of the number is what :func:`chargesim.kernels.rolled.is_fair` looks at
        faces[k] += shown + (AGAIN if (x & MASK32) < over else _ZERO)


@tiny
def count_hand(
    n: int, words: Any, shift: int, faces: Any, sides: int, over: int, border: int
) -> None:
    """Count the dice of a hand below a border; as :func:`add_hand`."""
    for k in range(faces.size):
        x, shown = words[k] >> shift, _ZERO
        for _ in range(n):
            x = (x & MASK32) * sides
            shown += _ONE if x < border else _ZERO
        faces[k] += shown + (AGAIN if (x & MASK32) < over else _ZERO)


@kernel
def add_dice(words: Any, upper: int, faces: Any, n: int, sides: int) -> None:
    """Roll a hand of dice of each trial, and add what they show, each counted from 0.

    Parameters
    ----------
    words
        Of the trials, uint64.
    upper
        1 for dice of the upper half of the words, 0 for ones of the lower half.
    faces
        Added to; and ``AGAIN`` where the number is not fair.
    n
        Dice, 1 to :func:`chargesim.kernels.rolled.hand_of`.
    sides
        Of each.
    """
    shift, over, many = np.uint64(32 * upper), surplus(throws_of(n, sides)), np.uint64(sides)
    # a loop of so many turns for the compiler, which can put the trials side by side
    if n == 1:
        add_hand(1, words, shift, faces, many, over)
    elif n == 2:
        add_hand(2, words, shift, faces, many, over)
    elif n == 3:
        add_hand(3, words, shift, faces, many, over)
    elif n == 4:
        add_hand(4, words, shift, faces, many, over)
    elif n == 5:
        add_hand(5, words, shift, faces, many, over)
    elif n == 6:
        add_hand(6, words, shift, faces, many, over)
    elif n == 7:
        add_hand(7, words, shift, faces, many, over)
    else:
        add_hand(8, words, shift, faces, many, over)


@kernel
def count_dice(words: Any, upper: int, faces: Any, n: int, sides: int, upto: int) -> None:
    """Roll a hand of dice, and add how many show at most ``upto``; as :func:`add_dice`."""
    shift, over, many = np.uint64(32 * upper), surplus(throws_of(n, sides)), np.uint64(sides)
    border = np.uint64(upto) << U32
    if n == 1:
        count_hand(1, words, shift, faces, many, over, border)
    elif n == 2:
        count_hand(2, words, shift, faces, many, over, border)
    elif n == 3:
        count_hand(3, words, shift, faces, many, over, border)
    elif n == 4:
        count_hand(4, words, shift, faces, many, over, border)
    elif n == 5:
        count_hand(5, words, shift, faces, many, over, border)
    elif n == 6:
        count_hand(6, words, shift, faces, many, over, border)
    elif n == 7:
        count_hand(7, words, shift, faces, many, over, border)
    else:
        count_hand(8, words, shift, faces, many, over, border)


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
        Added to: what the dice show, counted from 0, or with ``upto`` how many show at most this.
    n, sides
        Dice, and their sides.
    upto
        Or 0.

    Returns
    -------
    int
        How many halves of words have been used now.
    """
    hand = hand_of(sides)
    while n > 0:
        if halves % 2 == 0:
            draw_words(keys, luck, halves // 2, words)
        if upto > 0:
            count_dice(words, halves % 2, faces, min(n, hand), sides, upto)
        else:
            add_dice(words, halves % 2, faces, min(n, hand), sides)
        halves += 1
        n -= hand
    return halves


@kernel
def roll_lower_two(keys: Any, luck: int, words: Any, faces: Any) -> None:
    """Roll three D6 and add what the lower two show, each counted from 0."""
    over, six = surplus(throws_of(3, 6)), np.uint64(6)
    draw_words(keys, luck, 0, words)
    for k in range(faces.size):
        a = (words[k] & MASK32) * six
        b = (a & MASK32) * six
        c = (b & MASK32) * six
        shown = (a >> U32) + (b >> U32) + (c >> U32) - (max(a, max(b, c)) >> U32)
        faces[k] += shown + (AGAIN if (c & MASK32) < over else _ZERO)


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
) -> None:
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
    """
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    # all lengths are so much longer that none is below 0
    faces[:] = np.uint64(8 + number + plus)
    farthest[:] = 0
    halves = roll_hands(keys, luck, words, 0, faces, number, 6, 0)
    for kind in range(4):
        count = fast if kind >= 2 else slow
        for _ in range((hunters >> (5 * kind)) & PURSUERS):
            spare[:] = np.uint64(8 + count - (less if kind % 2 == 1 else 0))
            halves = roll_hands(keys, luck, words, halves, spare, count, 6, 0)
            for k in range(faces.size):
                farthest[k] = max(farthest[k], spare[k])
    border = np.uint64(8 + edge) if edge > 0 else _SHOWN
    for k in range(faces.size):
        away = _ONE + np.uint64(faces[k] >= border)
        marked = (faces[k] | farthest[k]) >= AGAIN
        faces[k] = np.uint64(farthest[k] < faces[k]) * away + (AGAIN if marked else _ZERO)


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
    ask: Any, place: int, keys: Any, words: Any, faces: Any, farthest: Any, spare: Any
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
    kind, n, a, b = ask[0], ask[1], ask[2], ask[3]
    luck = luck_at(place)
    faces[:] = 0
    if kind == _COUNT:
        upto, sides = least_die(a, b)
        roll_hands(keys, luck, words, 0, faces, n, sides, upto)
    elif kind == _RACE:
        roll_race(keys, luck, words, faces, farthest, spare, n, a, b)
    elif kind == _BANDS:
        roll_hands(keys, luck, words, 0, faces, 1, n, 0)
        read_bands(faces, n, a | (b << MASK_BITS))
    elif (a if kind == _TEST else b) != 0:
        roll_lower_two(keys, luck, words, faces)
    elif kind == _TEST:
        roll_hands(keys, luck, words, 0, faces, 2, 6, 0)
    else:
        roll_hands(keys, luck, words, 0, faces, n, a, 0)
    if kind == _TEST:
        for k in range(faces.size):
            failed = (faces[k] & _SHOWN) + np.uint64(2) > np.uint64(n)
            faces[k] = np.uint64(failed) + (faces[k] & ~_SHOWN)
    highest = _ZERO
    for k in range(faces.size):
        highest = max(highest, faces[k])
    return bool(highest >= AGAIN)
