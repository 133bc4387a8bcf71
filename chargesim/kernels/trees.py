"""Trees: a scenario's chance nodes and what comes of each outcome, as the rule text unrolls them.

Equal states are one, so strictly this is no tree; a node has higher numbers below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.chances import LEADERSHIP, cumulate
from chargesim.kernels.dice import TAPE, Node, weigh
from chargesim.kernels.jit import kernel
from chargesim.kernels.words import UNIFORM

_TEST, _LENGTH = int(Node.TEST), int(Node.LENGTH)
END = 1 << 62
"""Where a state leads when the game is over."""
NODES, CHILDREN, STATES, STATUS = 0, 1, 2, 3
"""What the sizes of a tree count, and its status."""
NO_PLAN, NO_ROOM = 1, 2
"""Status: the tree is too deep in one step, or its outcomes cannot be counted; an array is full."""


class Tree(NamedTuple):
    """A tree as it grows; where it leads is a node, or -1 - state.

    ``states`` (uint64, shape (states, words)) are in the order in which they were met; ``index``
    (int64, a power of two long, at least twice the states) finds them by hash, counted from 1;
    ``leads`` (int64) says where each goes on. ``nodes`` (int64, shape (nodes, 4)) holds place,
    first child, number of children, and 1 for a test; ``children`` (int64), ``shares`` (float64)
    and ``upto`` (uint32) hold where each outcome leads, its chance and its cumulative threshold.
    ``sizes`` (int64, shape (4,)) says how much of it is in use, and the status.
    """

    states: Any
    index: Any
    leads: Any
    nodes: Any
    children: Any
    shares: Any
    upto: Any
    sizes: Any


def new_tree(nodes: int, words: int) -> Tree:
    """Empty tree with room for so many nodes; the room for the rest goes with it."""
    children = 32 * nodes
    # few nodes may lead to many states, many nodes lead to the same ones
    states = 1 << max(2048, 2 * nodes - 1).bit_length()
    return Tree(
        np.empty((states, words), np.uint64),
        np.zeros(2 * states, np.int64),
        np.zeros(states, np.int64),
        np.empty((nodes, 4), np.int64),
        np.zeros(children, np.int64),
        np.zeros(children),
        np.empty(children, np.uint32),
        np.zeros(4, np.int64),
    )


@kernel
def state_number(tree: Tree, words: Any, live: Any) -> int:
    """Number of the game's state in a tree that has room for it; a new one is added."""
    mask = tree.index.size - 1
    h = np.uint64(0x9E3779B97F4A7C15)
    for j in range(live.size):
        h = (h ^ words[live[j]]) * np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
    slot = np.int64(h >> np.uint64(1)) & mask
    while tree.index[slot] > 0:
        number = tree.index[slot] - 1
        same = True
        for j in range(live.size):
            same = same and tree.states[number, j] == words[live[j]]
        if same:
            return number
        slot = (slot + 1) & mask
    number = tree.sizes[STATES]
    for j in range(live.size):
        tree.states[number, j] = words[live[j]]
    tree.sizes[STATES] += 1
    tree.index[slot] = number + 1
    return number


@kernel
def new_node(tree: Tree, dice: Any) -> int:
    """Add the node that asks to a tree; its number, or -1 with a status when that cannot be.

    A test has the outcomes pass and fail, in this order: a low uniform is a low roll.
    """
    pending = dice["pending"]
    kind = int(pending[0])
    if dice["depth"] == TAPE:
        tree.sizes[STATUS] = NO_PLAN
        return -1
    count = weigh(dice)
    if count == 0:
        tree.sizes[STATUS] = NO_PLAN
        return -1
    node, first = tree.sizes[NODES], tree.sizes[CHILDREN]
    if node == tree.nodes.shape[0] or first + count > tree.children.size:
        tree.sizes[STATUS] = NO_ROOM
        return -1
    pmf = dice["pmf"]
    if kind == _LENGTH:
        below = np.uint32(0)
        for k in range(count):
            upto = np.uint32(dice["upto"][k])
            tree.upto[first + k] = upto
            pmf[k] = (upto - below) / UNIFORM  # what the thresholds say, as a sample sees it
            below = upto
    elif kind == _TEST:
        tree.upto[first] = LEADERSHIP[int(pending[2]), int(pending[1])]
        tree.upto[first + 1] = UNIFORM
    else:
        cumulate(pmf, count, tree.upto[first : first + count])
    for k in range(count):
        tree.shares[first + k] = pmf[count - 1 - k if kind == _TEST else k]
    tree.nodes[node, 0], tree.nodes[node, 1] = int(pending[4]), first
    tree.nodes[node, 2], tree.nodes[node, 3] = count, kind == _TEST
    tree.sizes[NODES] += 1
    tree.sizes[CHILDREN] += count
    return node


def grow(
    step: Callable[..., None], game: Any, dice: Any, words: Any, live: Any, tree: Tree
) -> None:
    """Unroll the game from its initial state, which is the tree's first.

    Parameters
    ----------
    step
        The ruleset's step.
    game, words, live
        The game, its words (they share memory) and the places of its live words.
    dice
        Dice record in ENUMERATE mode.
    tree
        Grows until every state has been played, or its status says why it cannot.
    """
    tape = dice["tape"]
    dice["unrolling"] = 1
    path = np.empty(TAPE + 1, np.int64)  # nodes on the way
    taken = np.empty(TAPE + 1, np.int64)  # which child of each
    state = 0
    while state < tree.sizes[STATES]:
        depth = 0
        while True:
            for j in range(live.size):
                words[live[j]] = tree.states[state, j]
            if game["head"]["done"]:
                tree.leads[state] = END
                break
            dice["asked"] = 0
            dice["depth"] = depth
            dice["wanting"] = 0
            step(game, dice)
            if dice["wanting"]:
                leads = new_node(tree, dice)
                if leads < 0:
                    dice["unrolling"] = 0
                    return
            else:
                if tree.sizes[STATES] == tree.states.shape[0]:
                    tree.sizes[STATUS] = NO_ROOM
                    dice["unrolling"] = 0
                    return
                leads = -1 - state_number(tree, words, live)
            if depth == 0:
                tree.leads[state] = leads
            else:
                tree.children[tree.nodes[path[depth - 1], 1] + taken[depth - 1]] = leads
            if leads >= 0:
                path[depth], taken[depth] = leads, -1
                depth += 1
            # on to the next outcome of positive weight, back over nodes that are used up
            while depth > 0:
                node = path[depth - 1]
                first, count = tree.nodes[node, 1], tree.nodes[node, 2]
                k = taken[depth - 1] + 1
                while k < count and tree.shares[first + k] <= 0.0:
                    k += 1
                if k < count:
                    taken[depth - 1] = k
                    tape[depth - 1] = count - 1 - k if tree.nodes[node, 3] else k
                    break
                depth -= 1
            if depth == 0:
                break
        state += 1
    dice["unrolling"] = 0


@kernel
def join(tree: Tree) -> Any:
    """Let every child lead to a node or, counted from -1 down, to an end.

    Returns
    -------
    array of int64
        Numbers of the states in which the game is over.
    """
    states = tree.sizes[STATES]
    goes = tree.leads[:states].copy()
    ends = np.flatnonzero(goes == END)
    for e in range(ends.size):
        goes[ends[e]] = -1 - e
    # a state that asks for nothing hands on to a later one
    for state in range(states - 1, -1, -1):
        if tree.leads[state] < 0:
            goes[state] = goes[-1 - tree.leads[state]]
    for child in range(tree.sizes[CHILDREN]):
        if tree.children[child] < 0:
            tree.children[child] = goes[-1 - tree.children[child]]
    return ends
