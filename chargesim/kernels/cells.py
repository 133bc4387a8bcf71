"""Cut the heads of last draws into cells, and say where each cell leads.

A *spot* is a row of cells with one beginning: the target to which it belongs, its first cell, and
how many bits of a head choose among its cells. A node's cells are divided among its outcomes, those
of an end all lead to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.kernels.plans import MARK, WALK, lead_to
from chargesim.kernels.trees import NODES, Tree
from chargesim.kernels.words import HEAD_BITS, ROW, TAIL_BITS

CELL_BITS = 12
"""Heads of a node are cut into two to this many cells at most."""
CELLS = 2048
"""Cells of a node that every trial comes to, and with two outcomes, about."""


@kernel
def bits_wanted(tree: Tree, reach: Any, node: int) -> int:
    """Bits of the number of cells that a node is worth by itself."""
    # the rarer a node, the fewer cells; but not many outcomes in one
    outcomes = tree.nodes[node, 2]
    wanted = max(np.sqrt(reach[node] * outcomes / 2) * CELLS, 2 * outcomes)
    bits = 1
    while bits < CELL_BITS and (2 << bits) <= wanted:
        bits += 1
    return bits


@kernel
def lead_codes(leads: Any, walk: int) -> Any:
    """``by_code`` of a plan, of the leads of its codes; those that cannot be trusted walk."""
    doubt = 1
    while doubt < leads.size:
        doubt *= 2
    by_code = np.full(2 * doubt, np.uint64(lead_to(0, walk, 0)))
    by_code[: leads.size] = leads
    return by_code


@kernel
def spots_by_node(tree: Tree, reach: Any, drawn: Any, come: Any, ends: int) -> tuple[Any, Any, Any]:
    """Give a spot to each node that trials draw at by themselves, and to each end of a code.

    Parameters
    ----------
    tree, reach
        The tree, and the chance that a trial comes to a node.
    drawn
        1 for those nodes, uint8.
    come
        Target of each code.
    ends
        How many there are.

    Returns
    -------
    tuple of array
        The spots (int64, shape (spots, 3)), ``by_node`` and ``by_code`` of a plan.
    """
    nodes, total = tree.nodes, reach.size
    wanted = np.zeros(total + ends, np.uint8)
    wanted[:total] = drawn
    wanted[come] = 1
    by_target = np.zeros(total + ends, np.uint64)
    spots = np.empty((wanted.sum(), 3), np.int64)
    at, size = 0, 0
    for target in range(total + ends):
        if wanted[target]:
            bits = bits_wanted(tree, reach, target) if target < total else 0
            place = nodes[target, 0] if target < total else 0
            by_target[target] = lead_to(place, size, bits)
            spots[at, 0], spots[at, 1], spots[at, 2] = target, size, bits
            at += 1
            size += 1 << bits
    return spots, by_target[:total].copy(), lead_codes(by_target[come], size)


@kernel
def spots_by_code(bands: Any, come: Any, total: int) -> tuple[Any, Any, Any]:
    """Give a spot to each code, as its band has it.

    Parameters
    ----------
    bands
        As of a plan.
    come
        Target of each code.
    total
        How many nodes there are.

    Returns
    -------
    tuple of array
        As :func:`spots_by_node`; nothing asks for ``by_node`` where codes have bands.
    """
    spots, leads = np.empty((come.size, 3), np.int64), np.empty(come.size, np.uint64)
    at, size, k, bits = 0, 0, -1, 0
    for code in range(come.size):
        begun = False
        # bands that fill up the room begin where the last one does
        while k + 1 < bands.shape[0] and bands[k + 1, 0] == code and (k < 0 or code > bands[k, 0]):
            k, begun = k + 1, True
            bits = HEAD_BITS - bands[k, 2]
        first = bands[k, 4] + code * bands[k, 3]
        if begun or bands[k, 3] > 0:
            spots[at, 0], spots[at, 1], spots[at, 2] = come[code], first, bits
            at += 1
            size += 1 << bits
        leads[code] = lead_to(bands[k, 1] // ROW, first, bits)
    return spots[:at], np.zeros(total, np.uint64), lead_codes(leads, size)


@kernel
def divide_node(tree: Tree, targets: Any, spot: Any, cells: Any, runs: Any, found: int) -> int:
    """Divide a node's cells among its outcomes.

    Parameters
    ----------
    tree, targets
        The tree, and its children's targets.
    spot
        The node's.
    cells
        Those in which outcomes that lead elsewhere have a part are marked, with the first of them.
    runs
        First cell, cell to stop before, and target, of all others; those of this node are added.
    found
        How many runs there are.

    Returns
    -------
    int
        How many runs there are then.
    """
    upto, at = tree.upto, spot[1]
    stop, bits = at + (1 << spot[2]), TAIL_BITS + HEAD_BITS - spot[2]
    width, child, low = 1 << bits, tree.nodes[spot[0], 1], 0
    while at < stop:
        while upto[child] <= low:
            child += 1
        # cells of this child alone, then one that others have a part in
        alone = (int(upto[child]) - low) >> bits
        begin, target = at, targets[child]
        at = at + alone if at + alone < stop else stop
        low += (at - begin) << bits
        whole = at
        if at < stop:
            while upto[child] <= low:
                child += 1
            last = child
            while upto[last] < low + width and targets[last] == targets[child]:
                last += 1
            # one without a share may lead anywhere: then it is looked at closely, to no harm
            if targets[last] != targets[child]:
                cells[at] = MARK + child
            elif targets[child] == target:
                whole = at + 1
            else:
                runs[found, 0], runs[found, 1], runs[found, 2] = at, at + 1, targets[child]
                found += 1
            low += width
            at += 1
        if begin < whole:
            runs[found, 0], runs[found, 1], runs[found, 2] = begin, whole, target
            found += 1
    return found


@kernel
def cut_cells(tree: Tree, targets: Any, spots: Any, further: bool) -> tuple[Any, Any]:
    """Say where each cell leads.

    Parameters
    ----------
    tree, targets
        The tree, and its children's targets.
    spots
        Of nodes and ends.
    further
        As of a plan.

    Returns
    -------
    tuple of array
        ``cells`` and ``runs`` of a plan; the last cell is of trials that have to walk.
    """
    total = tree.sizes[NODES]
    size, room = 0, 0
    for k in range(spots.shape[0]):
        size += 1 << spots[k, 2]
        room += 2 * tree.nodes[spots[k, 0], 2] if spots[k, 0] < total else 1
    cells, runs = np.zeros(size + 1, np.uint32), np.empty((room, 3), np.int64)
    cells[size] = WALK
    found = 0
    for k in range(spots.shape[0]):
        if spots[k, 0] < total:
            found = divide_node(tree, targets, spots[k], cells, runs, found)
        else:
            runs[found, 0], runs[found, 2] = spots[k, 1], spots[k, 0]
            runs[found, 1] = spots[k, 1] + (1 << spots[k, 2])
            found += 1
    if further:
        for k in range(found):
            cells[runs[k, 0] : runs[k, 1]] = runs[k, 2]
        return cells, runs[:0].copy()
    for k in range(found):
        runs[k, 2] -= total
    return cells, runs[:found].copy()
