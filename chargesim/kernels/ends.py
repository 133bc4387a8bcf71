"""The end states of a game in rising order."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.room import LISTED, Room

_KEPT = -2
"""Mark of an end state in which the game before has ended too."""


@kernel
def write_keys(rows: Any, n: int, places: Any, keys: Any, count: int) -> bool:
    """Write keys that rise as states do: the first 64 of the bits in which these differ.

    False when they differ in more, so that states of equal keys have still to be compared.
    """
    runs = np.empty((64, 3), np.int64)  # bits side by side: word, lowest bit, how many
    many, bits = 0, 0
    for j in range(n):
        differs = np.uint64(0)
        for k in range(1, count):
            differs |= rows[places[k] * n + j] ^ rows[places[0] * n + j]
        high = 63
        while differs and bits < 64:
            while not (differs >> np.uint64(high)) & np.uint64(1):
                high -= 1
            low = high
            while low > 0 and (differs >> np.uint64(low - 1)) & np.uint64(1):
                low -= 1
            low = max(low, high + 1 - (64 - bits))
            runs[many, 0], runs[many, 1], runs[many, 2] = j, low, high + 1 - low
            many += 1
            bits += high + 1 - low
            differs &= (np.uint64(1) << np.uint64(low)) - np.uint64(1)
            high = low - 1
        if differs:
            bits = 65
    for k in range(count):
        key = np.uint64(0)
        for r in range(many):
            word = rows[places[k] * n + runs[r, 0]] >> np.uint64(runs[r, 1])
            own = ~np.uint64(0) >> np.uint64(64 - runs[r, 2])
            key = (key << np.uint64(runs[r, 2] & 63)) | (word & own)
        keys[k] = key
    return bits <= 64


@kernel
def comes_after(rows: Any, n: int, a: int, b: int) -> bool:
    """True when a state is greater than another, word by word."""
    for j in range(n):
        x, y = rows[a * n + j], rows[b * n + j]
        if x != y:
            return bool(x > y)
    return False


@kernel
def sort(
    rows: Any, n: int, places: Any, order: Any, keys: Any, spare: Any, room: Any, count: int
) -> None:
    """Write the order that sorts states.

    Parameters
    ----------
    rows, n
        Words of all states, and how many each has.
    places
        The states.
    order
        int64: overwritten.
    keys, spare, room
        uint64, int64 and uint64, as long: to work with.
    count
        How many there are.
    """
    settled = write_keys(rows, n, places, keys, count)
    here, there, low, high = order, spare, keys, room
    for k in range(count):
        here[k] = k
    width = 1
    while width < count:
        for begin in range(0, count, 2 * width):
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            a, b = begin, middle
            for k in range(begin, end):
                first = a < middle
                if first and b < end:
                    first = low[a] < low[b]
                    if low[a] == low[b] and not settled:
                        first = not comes_after(rows, n, places[here[a]], places[here[b]])
                if first:
                    there[k], high[k] = here[a], low[a]
                    a += 1
                else:
                    there[k], high[k] = here[b], low[b]
                    b += 1
        here, there, low, high = there, here, high, low
        width *= 2
    for k in range(count):
        order[k] = here[k]


@tiny
def are_same(marks: Any, listed: Any, count: int) -> bool:
    """True when a game has come to all of so many states."""
    unmet = np.int64(0)
    for k in range(count):
        unmet |= marks[np.uint64(listed[k])]
    return bool(unmet >= 0)


@kernel
def list_ends(room: Room, n: int, count: int) -> None:
    """Put the end states of a game in order.

    The games of a batch mostly end in the same states. Those in which the game before has ended
    too are in order already; the others are sorted, and put between them.
    """
    rows, notes, used, ends = room.rows, room.after, room.used, room.ends
    listed, kept, fresh = room.order[0], room.order[1], room.order[2]
    many = 0
    for k in range(used[LISTED]):
        if room.marks[listed[k]] >= 0:
            kept[many] = listed[k]
            many += 1
    for k in range(count):
        notes[ends[k]] = -1
    for k in range(many):
        notes[kept[k]] = _KEPT
    others = 0
    for k in range(count):
        if notes[ends[k]] != _KEPT:
            fresh[others] = ends[k]
            others += 1
    order = room.order[3]
    sort(rows, n, fresh, order, room.keys[0], listed, room.keys[1], others)
    a, b = 0, 0
    for k in range(count):
        if b == others or (a < many and comes_after(rows, n, fresh[order[b]], kept[a])):
            listed[k] = kept[a]
            a += 1
        else:
            listed[k] = fresh[order[b]]
            b += 1
    used[LISTED] = count
