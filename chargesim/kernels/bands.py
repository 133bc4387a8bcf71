"""Order the digits of a plan so that codes whose last draws are at the same place stand together.

A code tells at which place its trial draws last. Digits count in the order in which they are given,
so their order decides how often that place changes from one code to the next. Where it changes
seldom, a code has only to be compared with the few at which a *band* of the same place begins, and
the cell of its trial's last head is reckoned from that alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.kernels.plans import BANDS, MOST_BAND_CELLS
from chargesim.kernels.trees import NODES, Tree
from chargesim.kernels.words import HEAD_BITS, ROW

ENDING = -1
"""In place of a place: the code ends its trials, and may belong to any band."""
FEWEST_BITS, MOST_BITS = 1, 12
"""A head is cut into 2 to the power of these many cells at least, and at most."""
MOST_DOUBTFUL = 0.03
"""Share of the trials that may be expected to fall into cells that settle nothing."""


@kernel
def places_drawn_at(tree: Tree, come: Any) -> Any:
    """Place of the node at which each target draws, or ``ENDING``, int64."""
    total = tree.sizes[NODES]
    places = np.full(come.size, ENDING)
    for code in range(come.size):
        if come[code] < total:
            places[code] = tree.nodes[come[code], 0]
    return places


@kernel
def count_changes(places: Any, size: int, unit: int) -> int:
    """Count how often the place changes from one way of a digit to the next."""
    changes = 0
    for code in range(places.size):
        if (code // unit) % size > 0:
            continue
        before = ENDING
        for way in range(size):
            place = places[code + way * unit]
            if place != ENDING:
                changes += int(before not in (ENDING, place))
                before = place
    return changes


@kernel
def order_digits(places: Any, sizes: Any) -> Any:
    """Digits in an order in which those along which places change most come last, int64."""
    changes = np.zeros(sizes.size, np.int64)
    unit = 1
    for k in range(sizes.size):
        changes[k] = count_changes(places, sizes[k], unit)
        unit *= sizes[k]
    return np.argsort(changes, kind="mergesort")


@kernel
def recode(come: Any, sizes: Any, order: Any) -> Any:
    """Targets by code once the digits count in another order."""
    units = np.ones(sizes.size, np.int64)
    for k in range(1, sizes.size):
        units[k] = units[k - 1] * sizes[k - 1]
    found = np.empty_like(come)
    for code in range(come.size):
        rest, old = code, 0
        for k in order:
            old += (rest % sizes[k]) * units[k]
            rest //= sizes[k]
        found[code] = come[old]
    return found


@kernel
def find_bands(places: Any) -> Any:
    """Begin a band at each code from which another place is drawn at.

    Returns
    -------
    array of int64
        The code, and its place, shape (bands, 2); of more than ``BANDS``, one more.
    """
    bands = np.zeros((BANDS + 1, 2), np.int64)
    count = 0
    for code in range(places.size):
        if places[code] == ENDING or (count > 0 and places[code] == bands[count - 1, 1]):
            continue
        if count > BANDS:
            break
        bands[count, 0], bands[count, 1] = code if count > 0 else 0, places[code]
        count += 1
    return bands[:count]


@kernel
def weigh_band(tree: Tree, reach: Any, come: Any, seen: Any) -> tuple[int, float]:
    """Say how many codes of a band need cells, and how many trials come to a threshold there.

    Parameters
    ----------
    tree, reach
        The tree, and the chance that a trial comes to a node.
    come
        Targets of the band's codes.
    seen
        0 for each node, uint8; changed.

    Returns
    -------
    tuple
        1 if all lead to the same, else how many codes there are; the number of thresholds of each
        node, times its chance.
    """
    total, weight, many = tree.sizes[NODES], 0.0, False
    for target in come:
        many = many or target != come[0]
        if target < total and not seen[target]:
            seen[target] = 1
            weight += reach[target] * (tree.nodes[target, 2] - 1)
    return come.size if many else 1, weight


@kernel
def make_bands(tree: Tree, reach: Any, come: Any) -> Any:
    """Bands of a plan, or none where they would be too many, or too many trials doubtful.

    Parameters
    ----------
    tree, reach
        The tree, and the chance that a trial comes to a node.
    come
        Target of each code.

    Returns
    -------
    array of int64
        ``bands`` as of a plan.
    """
    none = np.empty((0, 5), np.int64)
    found = find_bands(places_drawn_at(tree, come))
    count = found.shape[0]
    if count > BANDS or come.size << FEWEST_BITS >= MOST_BAND_CELLS:
        return none
    bands = np.zeros((BANDS, 5), np.int64)
    if count == 0:  # codes alone end all trials
        bands[:, 1], bands[:, 2] = tree.nodes[0, 0] * ROW, HEAD_BITS - FEWEST_BITS
        bands[:, 3] = 1 << FEWEST_BITS
        return bands
    codes, weights = np.empty(count, np.int64), np.empty(count)
    for k in range(count):
        stop = found[k + 1, 0] if k + 1 < count else come.size
        seen = np.zeros(reach.size, np.uint8)
        codes[k], weights[k] = weigh_band(tree, reach, come[found[k, 0] : stop], seen)
    # so divided, the fewest trials are doubtful
    wanted = np.sqrt(weights * codes)
    wanted *= (MOST_BAND_CELLS - 1) / wanted.sum()
    first, doubtful = 0, 0.0
    for k in range(count):
        bits = FEWEST_BITS
        while bits < MOST_BITS and codes[k] << (bits + 1) <= wanted[k]:
            bits += 1
        doubtful += weights[k] / (1 << bits)
        step = 1 << bits if codes[k] > 1 else 0
        bands[k, 0], bands[k, 1], bands[k, 2] = found[k, 0], found[k, 1] * ROW, HEAD_BITS - bits
        bands[k, 3], bands[k, 4] = step, first - found[k, 0] * step
        first += codes[k] << bits
    if first >= MOST_BAND_CELLS or doubtful > MOST_DOUBTFUL:
        return none
    bands[count:] = bands[count - 1]
    return bands
