"""Lay a tree of chance nodes out for play: its digits, its cells, and where these lead."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.bands import make_bands, order_digits, places_drawn_at, recode
from chargesim.kernels.cells import cut_cells, spots_by_code, spots_by_node
from chargesim.kernels.dice import OUTCOMES
from chargesim.kernels.jit import kernel
from chargesim.kernels.plans import Plan
from chargesim.kernels.rows import WIDE
from chargesim.kernels.trees import CHILDREN, NODES, Tree
from chargesim.kernels.words import PLACES, TAIL_BITS

MOST_CODES = 4096
COMMON = 1 / 1024
"""What only nodes draw to which fewer trials come is not thought of as a digit."""
DRAW, EDGE, DIGIT = 1.0, 0.025, 0.04
"""Time of a trial's own draw, and of one for all trials: for each threshold, and besides."""
SHORT = 0.8
"""Time that is saved where no trial draws by itself more than once."""


@kernel
def sort_nodes(tree: Tree) -> tuple[Any, Any]:
    """Put parents before children.

    Returns
    -------
    tuple of array
        The nodes in order (int64), and by node the chance that a trial comes to it (float64).
    """
    nodes, children = tree.nodes, tree.children
    total = tree.sizes[NODES]
    parents, reach = np.zeros(total, np.int64), np.zeros(total)
    for child in children[: tree.sizes[CHILDREN]]:
        if child > 0:
            parents[child] += 1
    order = np.zeros(total, np.int64)
    reach[0] = 1.0
    found = 1
    for at in range(total):
        node = order[at]
        for k in range(nodes[node, 1], nodes[node, 1] + nodes[node, 2]):
            child = children[k]
            if child > 0:
                reach[child] += reach[node] * tree.shares[k]
                parents[child] -= 1
                if parents[child] == 0:
                    order[found] = child
                    found += 1
    return order, reach


@kernel
def alike(tree: Tree, one: int, other: int) -> bool:
    """Tell whether two nodes draw at the same place by the same thresholds."""
    nodes = tree.nodes
    if nodes[one, 0] != nodes[other, 0] or nodes[one, 2] != nodes[other, 2]:
        return False
    for k in range(nodes[one, 2]):
        if tree.upto[nodes[one, 1] + k] != tree.upto[nodes[other, 1] + k]:
            return False
    return True


@kernel
def group_nodes(tree: Tree, reach: Any) -> tuple[Any, Any]:
    """Find the nodes that draw alike.

    Returns
    -------
    tuple of array
        The first node of each group (int64); by node, its group, or -1 when all of its group are
        rare (int64).
    """
    first = np.empty(reach.size, np.int64)
    group = np.full(reach.size, -1)
    newest, before = np.full(PLACES, -1), np.empty(reach.size, np.int64)
    groups = 0
    for common in (True, False):
        for node in range(reach.size):
            if group[node] >= 0 or (common and reach[node] < COMMON):
                continue
            place = tree.nodes[node, 0]
            found = newest[place]
            while found >= 0 and not alike(tree, first[found], node):
                found = before[found]
            if found < 0 and common:
                first[groups], before[groups], newest[place] = node, newest[place], groups
                found = groups
                groups += 1
            group[node] = found
    return first[:groups], group


@kernel
def mark_ways(tree: Tree, first: Any, group: Any) -> Any:
    """Mark the outcomes at which a trial's way changes, whichever node of a group it is at.

    Returns
    -------
    array of uint8
        1 where it does, shape (groups, OUTCOMES); also at the first outcome that may be drawn.
    """
    nodes, upto, children = tree.nodes, tree.upto, tree.children
    marks = np.zeros((first.size, OUTCOMES), np.uint8)
    for node in range(group.size):
        if group[node] < 0:
            continue
        below, before = np.uint32(0), -1
        for k in range(nodes[node, 2]):
            at = nodes[node, 1] + k
            if upto[at] == below:
                continue  # never drawn
            below = upto[at]
            if before < 0 or children[at] != children[before]:
                marks[group[node], k] = 1
            before = at
    return marks


@kernel
def come_by_codes(tree: Tree, order: Any, group: Any, digit_of: Any, come: Any) -> None:
    """Write the chance that a trial comes to a node by digits alone; 0 beyond a draw of its own."""
    come[:] = 0.0
    come[0] = 1.0
    for node in order:
        if come[node] > 0.0 and group[node] >= 0 and digit_of[group[node]] >= 0:
            for k in range(tree.nodes[node, 1], tree.nodes[node, 1] + tree.nodes[node, 2]):
                if tree.children[k] > 0:
                    come[tree.children[k]] += come[node] * tree.shares[k]


@kernel
def leads_on(tree: Tree, node: int) -> bool:
    """Tell whether a trial may draw again after it has drawn at a node."""
    for k in range(tree.nodes[node, 1], tree.nodes[node, 1] + tree.nodes[node, 2]):
        if tree.children[k] > 0:
            return True
    return False


@kernel
def choose_digits(tree: Tree, order: Any, reach: Any) -> tuple[Any, Any, Any]:
    """Choose groups of nodes that are drawn for all trials.

    First those that save time by themselves; then, if a few thresholds suffice, those without which
    some trials would draw by themselves more than once.

    Returns
    -------
    tuple of array
        By node, int64: its digit, or -1; by digit: its first node (int64), and at which outcomes it
        changes (uint8, shape (digits, OUTCOMES)), as :func:`mark_ways` has them.
    """
    first, group = group_nodes(tree, reach)
    marks = mark_ways(tree, first, group)
    ways = marks.astype(np.int64).sum(axis=1)
    digit_of = np.full(first.size, -1)
    chosen = np.empty(first.size, np.int64)
    taken = np.zeros(PLACES, np.uint8)
    come, gain = np.empty(order.size), np.empty(first.size)
    digits, kept, codes = 0, 0, 1
    alone, spent = True, 0.0
    while True:
        come_by_codes(tree, order, group, digit_of, come)
        gain[:] = 0.0
        further = False
        for node in order:
            if come[node] > 0.0 and (group[node] < 0 or digit_of[group[node]] < 0):
                on = leads_on(tree, node)
                further = further or on
                if group[node] >= 0 and taken[tree.nodes[node, 0]] == 0:
                    gain[group[node]] += come[node] * DRAW + (SHORT if on and not alone else 0.0)
        if alone or not further:
            kept = digits
        best, most = -1, 0.0
        for g in range(first.size):
            if gain[g] > 0.0:
                more = gain[g] - DIGIT - EDGE * (ways[g] - 1)
                if more > most and codes * ways[g] <= MOST_CODES:
                    best, most = g, more
        if alone and best < 0 and further:
            alone = False
            continue
        if best >= 0 and not alone:
            spent += DIGIT + EDGE * (ways[best] - 1)
        if best < 0 or spent > SHORT or not (alone or further):
            break
        taken[tree.nodes[first[best], 0]] = 1
        digit_of[best], chosen[digits] = digits, best
        codes *= ways[best]
        digits += 1
    chosen = chosen[:kept]
    digit = np.full(group.size, -1)
    for node in range(group.size):
        if group[node] >= 0 and digit_of[group[node]] < kept:
            digit[node] = digit_of[group[node]]
    return digit, first[chosen], marks[chosen]


@kernel
def aim(tree: Tree) -> Any:
    """Target to which each child leads, uint32."""
    total = tree.sizes[NODES]
    targets = np.empty(tree.sizes[CHILDREN], np.uint32)
    for child in range(targets.size):
        leads = tree.children[child]
        # outcomes that are never drawn lead nowhere: to the first end
        targets[child] = leads if leads > 0 else total - 1 - min(leads, -1)
    return targets


@kernel
def list_ways(digits: Any) -> tuple[Any, Any]:
    """Ways of each digit, and the first outcome of each of them, shape (digits, OUTCOMES)."""
    _, _, marks = digits
    sizes = np.zeros(marks.shape[0], np.int64)
    begins = np.zeros(marks.shape, np.int64)
    for k in range(sizes.size):
        for outcome in range(OUTCOMES):
            if marks[k, outcome]:
                begins[k, sizes[k]] = outcome
                sizes[k] += 1
    return sizes, begins


@kernel
def follow_codes(tree: Tree, targets: Any, digits: Any) -> tuple[Any, Any, bool]:
    """Follow each code through the tree.

    Parameters
    ----------
    tree, targets
        The tree and its children's targets.
    digits
        As :func:`choose_digits` gives them.

    Returns
    -------
    tuple
        Target of each code (uint32); 1 for the nodes that are drawn at one by one, uint8; and
        ``further`` as of :class:`Plan`.
    """
    digit = digits[0]
    sizes, begins = list_ways(digits)
    total = digit.size
    come = np.empty(np.prod(sizes), np.uint32)
    drawn = np.zeros(total, np.uint8)
    ways = np.zeros(sizes.size, np.int64)
    further = False
    for code in range(come.size):
        target = 0
        while target < total and digit[target] >= 0:
            k = digit[target]
            target = int(targets[tree.nodes[target, 1] + begins[k, ways[k]]])
        come[code] = target
        if target < total and not drawn[target]:
            drawn[target] = 1
            for k in range(tree.nodes[target, 1], tree.nodes[target, 1] + tree.nodes[target, 2]):
                further = further or targets[k] < total
        # on to the ways of the next code, the first digit counting the units
        k = 0
        while k < sizes.size and ways[k] == sizes[k] - 1:
            ways[k] = 0
            k += 1
        if k < sizes.size:
            ways[k] += 1
    if further:
        drawn[:] = 1
    return come, drawn, further


@kernel
def compare_with(tree: Tree, digits: Any) -> tuple[Any, Any, Any]:
    """Thresholds of the digits: ``dense``, ``edges`` and ``worth`` as of :class:`Plan`."""
    firsts = digits[1]
    sizes, begins = list_ways(digits)
    groups = 0
    for size in sizes:
        groups += (size + WIDE - 2) // WIDE
    dense = np.empty(groups, np.int64)
    edges, worth = np.zeros((groups, WIDE), np.uint16), np.zeros((groups, WIDE), np.uint16)
    at, unit = 0, 1
    for k in range(sizes.size):
        place, first = tree.nodes[firsts[k], 0], tree.nodes[firsts[k], 1]
        for way in range(1, sizes[k]):
            column = (way - 1) % WIDE
            dense[at] = place
            # what is not used stands for this one once more, and is worth nothing
            edges[at, column:] = tree.upto[first + begins[k, way] - 1] >> np.uint32(TAIL_BITS)
            worth[at, column] = unit
            at += column == WIDE - 1 or way == sizes[k] - 1
        unit *= sizes[k]
    return dense, edges, worth


@kernel
def lay_out(tree: Tree, ends: int) -> Plan:
    """Plan of a joined tree with so many ends, which with its nodes are below ``MOST_TARGETS``."""
    total = tree.sizes[NODES]
    order, reach = sort_nodes(tree)
    targets = aim(tree)
    digits = choose_digits(tree, order, reach)
    come, drawn, further = follow_codes(tree, targets, digits)
    bands = np.empty((0, 5), np.int64)
    if not further:
        sizes, _ = list_ways(digits)
        turn = order_digits(places_drawn_at(tree, come), sizes)
        turned = recode(come, sizes, turn)
        bands = make_bands(tree, reach, turned)
        if bands.shape[0]:
            come, digits = turned, (digits[0], digits[1][turn], digits[2][turn])
    if bands.shape[0]:
        spots, by_node, by_code = spots_by_code(bands, come, total)
    else:
        spots, by_node, by_code = spots_by_node(tree, reach, drawn, come, ends)
    cells, runs = cut_cells(tree, targets, spots, further)
    dense, edges, worth = compare_with(tree, digits)
    nodes, upto = tree.nodes[:total, :2].copy(), tree.upto[: targets.size].copy()
    places = np.unique(nodes[:, 0])
    asks = tree.asks[:total].copy()
    return Plan(
        places, dense, edges, worth, by_code, by_node, further, bands, cells, runs, nodes, upto,
        targets, order, asks,
    )  # fmt: skip
