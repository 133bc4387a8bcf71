"""Trees: a scenario's chance nodes and what comes of each outcome, as the rule text unrolls them.

Equal states are one, so strictly this is no tree; a node has higher numbers below it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.chances import LEADERSHIP, cumulate
from chargesim.kernels.dice import TAPE, Node, memo_key, weigh
from chargesim.kernels.jit import call_step, kernel
from chargesim.kernels.words import UNIFORM

_TEST, _LENGTH = int(Node.TEST), int(Node.LENGTH)
END = 1 << 62
"""Where a state leads when the game is over."""
NODES, CHILDREN, STATES, STATUS = 0, 1, 2, 3
"""What the sizes of a tree count, and its status."""
NO_PLAN, NO_ROOM = 1, 2
"""Status: the tree is too deep in one step, or its outcomes cannot be counted; an array is full."""
DRAWS, OUTCOMES_KEPT = 1024, 1 << 15
"""Places for draws that are remembered, used up to three quarters; and for their outcomes."""


class Known(NamedTuple):
    """Draws whose chances have been reckoned: they come again, in a tree and in the next.

    ``draws`` (int64, shape (DRAWS, 3)) holds the key of each, where its outcomes begin, and how
    many there are; ``shares`` and ``upto`` are theirs, as of :class:`Tree`; ``used`` (int64) counts
    draws and outcomes.
    """

    draws: Any
    shares: Any
    upto: Any
    used: Any


class Tree(NamedTuple):
    """A tree as it grows; where it leads is a node, or -1 - state.

    ``states`` (uint64), one behind the other, are in the order in which they were met; ``index``
    (int64, a power of two long, at least twice the states) finds them by hash, counted from 1, at
    ``slots`` (int64); ``leads`` (int64) says where each goes on. ``nodes`` (int64, shape (nodes,
    4)) holds place, first child, number of children, and 1 for a test; ``asks`` (int64, shape
    (nodes, 4)) kind and numbers of the dice of each; ``children`` (int64),
    ``shares`` (float64) and ``upto`` (uint32) hold where each outcome leads, its chance and its
    cumulative threshold. ``sizes`` (int64, shape (4,)) says how much of it is in use, and the
    status.
    """

    states: Any
    index: Any
    slots: Any
    leads: Any
    nodes: Any
    asks: Any
    children: Any
    shares: Any
    upto: Any
    sizes: Any
    known: Known


@kernel
def new_tree(nodes: int, words: int) -> Tree:
    """Empty tree with room for so many nodes, and states of so many words.

    The room for the rest goes with it.
    """
    children = 32 * nodes
    states = 2048  # few nodes may lead to many states, many nodes lead to the same ones
    while states < 2 * nodes:
        states *= 2
    known = Known(
        np.zeros((DRAWS, 3), np.int64),
        np.empty(OUTCOMES_KEPT, np.float64),
        np.empty(OUTCOMES_KEPT, np.uint32),
        np.zeros(2, np.int64),
    )
    return Tree(
        np.empty(states * words, np.uint64),
        np.zeros(2 * states, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int64),
        np.empty((nodes, 4), np.int64),
        np.zeros((nodes, 4), np.int64),
        np.empty(children, np.int64),
        np.empty(children, np.float64),
        np.empty(children, np.uint32),
        np.zeros(4, np.int64),
        known,
    )


@kernel
def clear(tree: Tree) -> None:
    """Empty a tree; the draws that are known stay."""
    for number in range(tree.sizes[STATES]):
        tree.index[tree.slots[number]] = 0
    tree.sizes[:] = 0


@kernel
def state_number(tree: Tree, words: Any, live: Any) -> int:
    """Number of the game's state in a tree, where a new one is added; -1 when it has no room."""
    n = live.size
    index, states = tree.index, tree.states
    mask = index.size - 1
    h = np.uint64(0x9E3779B97F4A7C15)
    for j in range(n):
        h = (h ^ words[live[j]]) * np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
    slot = np.int64(h >> np.uint64(1)) & mask
    while index[slot] > 0:
        number = index[slot] - 1
        differs = np.uint64(0)
        for j in range(n):
            differs |= states[number * n + j] ^ words[live[j]]
        if differs == 0:
            return number
        slot = (slot + 1) & mask
    number = tree.sizes[STATES]
    if number == tree.leads.size or (number + 1) * n > states.size:
        tree.sizes[STATUS] = NO_ROOM
        return -1
    for j in range(n):
        states[number * n + j] = words[live[j]]
    tree.sizes[STATES] += 1
    index[slot] = number + 1
    tree.slots[number] = slot
    return number


@kernel
def known_slot(known: Known, key: int) -> int:
    """Place of a draw among those that are known, or the free one where it belongs."""
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(54))
    while known.draws[slot, 0] != 0 and known.draws[slot, 0] != key:
        slot = (slot + 1) % DRAWS
    return slot


@kernel
def remember(known: Known, key: int, shares: Any, upto: Any) -> None:
    """Keep the chances of a draw; when there is no more room, it begins anew."""
    count = shares.size
    if 4 * known.used[0] == 3 * DRAWS or known.used[1] + count > OUTCOMES_KEPT:
        known.draws[:] = 0
        known.used[:] = 0
    slot, at = known_slot(known, key), known.used[1]
    known.draws[slot, 0], known.draws[slot, 1], known.draws[slot, 2] = key, at, count
    known.shares[at : at + count] = shares
    known.upto[at : at + count] = upto
    known.used[0] += 1
    known.used[1] += count


@kernel
def reckon(dice: Any, shares: Any, upto: Any) -> None:
    """Write chances and thresholds of the node that asks, which has been weighed.

    A test has the outcomes pass and fail, in this order: a low uniform is a low roll.
    """
    pending, pmf = dice["pending"], dice["pmf"]
    kind, count = int(pending[0]), shares.size
    if kind == _LENGTH:
        below = np.uint32(0)
        for k in range(count):
            above = np.uint32(dice["upto"][k])
            upto[k] = above
            shares[k] = (above - below) / UNIFORM  # what the thresholds say, as a sample sees it
            below = above
    elif kind == _TEST:
        upto[0], upto[1] = LEADERSHIP[int(pending[2]), int(pending[1])], UNIFORM
        shares[0], shares[1] = pmf[1], pmf[0]
    else:
        cumulate(pmf, count, upto)
        for k in range(count):
            shares[k] = pmf[k]


@kernel
def new_node(tree: Tree, dice: Any) -> int:
    """Add the node that asks to a tree; its number, or -1 with a status when that cannot be."""
    pending, known = dice["pending"], tree.known
    kind = int(pending[0])
    key = memo_key(kind, int(pending[1]), int(pending[2]), int(pending[3]))
    draw = known.draws[known_slot(known, key)]
    met = kind != _LENGTH and draw[0] == key  # cells of lengths depend on more than these numbers
    count = int(draw[2]) if met else int(weigh(dice))
    if dice["depth"] == TAPE or count == 0:
        tree.sizes[STATUS] = NO_PLAN
        return -1
    node, first = tree.sizes[NODES], tree.sizes[CHILDREN]
    stop = first + count
    if node == tree.nodes.shape[0] or stop > tree.children.size:
        tree.sizes[STATUS] = NO_ROOM
        return -1
    if met:
        at = draw[1]
        tree.shares[first:stop] = known.shares[at : at + count]
        tree.upto[first:stop] = known.upto[at : at + count]
    else:
        reckon(dice, tree.shares[first:stop], tree.upto[first:stop])
        if kind != _LENGTH:
            remember(known, key, tree.shares[first:stop], tree.upto[first:stop])
    tree.children[first:stop] = 0
    tree.nodes[node, 0], tree.nodes[node, 1] = int(pending[4]), first
    tree.nodes[node, 2], tree.nodes[node, 3] = count, kind == _TEST
    for k in range(4):
        tree.asks[node, k] = int(pending[k])
    tree.sizes[NODES] += 1
    tree.sizes[CHILDREN] += count
    return node


@kernel
def grow(step: Any, game: Any, dice: Any, words: Any, live: Any, tree: Tree) -> None:
    """Unroll the game from its initial state, which is the tree's first.

    Parameters
    ----------
    step
        Address of the ruleset's step.
    game, words, live
        The game, its words (they share memory) and the places of its live words.
    dice
        Dice record in ENUMERATE mode.
    tree
        Grows until every state has been played, or its status says why it cannot.
    """
    n = live.size
    tape, head = dice["tape"], game["head"]
    states, leads_of, nodes, sizes = tree.states, tree.leads, tree.nodes, tree.sizes
    children, shares = tree.children, tree.shares
    path = np.empty(TAPE + 1, np.int64)  # nodes on the way
    taken = np.empty(TAPE + 1, np.int64)  # which child of each
    state = 0
    while state < sizes[STATES]:
        depth = 0
        while True:
            for j in range(n):
                words[live[j]] = states[state * n + j]
            if head["done"]:
                leads_of[state] = END
                break
            dice["asked"] = 0
            dice["depth"] = depth
            dice["wanting"] = 0
            call_step(step, game, dice)
            leads = (
                new_node(tree, dice) if dice["wanting"] else -1 - state_number(tree, words, live)
            )
            if sizes[STATUS]:
                return
            if depth == 0:
                leads_of[state] = leads
            else:
                children[nodes[path[depth - 1], 1] + taken[depth - 1]] = leads
            if leads >= 0:
                path[depth], taken[depth] = leads, -1
                depth += 1
            # on to the next outcome of positive weight, back over nodes that are used up
            while depth > 0:
                node = path[depth - 1]
                first, count = nodes[node, 1], nodes[node, 2]
                k = taken[depth - 1] + 1
                while k < count and shares[first + k] <= 0.0:
                    k += 1
                if k < count:
                    taken[depth - 1] = k
                    tape[depth - 1] = count - 1 - k if nodes[node, 3] else k
                    break
                depth -= 1
            if depth == 0:
                break
        state += 1


@kernel
def unroll(step: Any, game: Any, dice: Any, words: Any, live: Any, tree: Tree, most: int) -> Tree:
    """Grow the tree of the game as it stands: in the tree given, or in a larger one.

    Parameters
    ----------
    step, game, dice, words, live
        As for :func:`grow`.
    tree
        What is in it is forgotten.
    most
        Most chance nodes; there is no larger tree when one with room for more is full.

    Returns
    -------
    Tree
        The one that was used; its status says whether it is complete.
    """
    begin = np.empty(live.size, np.uint64)
    for j in range(live.size):
        begin[j] = words[live[j]]
    dice["unrolling"] = 1
    while True:
        clear(tree)
        state_number(tree, words, live)
        grow(step, game, dice, words, live, tree)
        room = tree.nodes.shape[0]
        if tree.sizes[STATUS] != NO_ROOM or room > most:
            break
        tree = new_tree(4 * room, live.size)
        for j in range(live.size):
            words[live[j]] = begin[j]
    dice["unrolling"] = 0
    return tree


@kernel
def comes_after(tree: Tree, n: int, one: int, other: int) -> bool:
    """True when a state of ``n`` words is greater than another, word by word."""
    for j in range(n):
        a, b = tree.states[one * n + j], tree.states[other * n + j]
        if a != b:
            return bool(a > b)
    return False


@kernel
def rising(tree: Tree, n: int, numbers: Any) -> Any:
    """Sort numbers of states of ``n`` words so that the states rise."""
    here, there = numbers.copy(), numbers.copy()
    width = 1
    while width < here.size:
        for begin in range(0, here.size, 2 * width):
            middle, end = min(begin + width, here.size), min(begin + 2 * width, here.size)
            a, b = begin, middle
            for k in range(begin, end):
                if b == end or (a < middle and not comes_after(tree, n, here[a], here[b])):
                    there[k] = here[a]
                    a += 1
                else:
                    there[k] = here[b]
                    b += 1
        here, there = there, here
        width *= 2
    return here


@kernel
def join(tree: Tree, n: int) -> Any:
    """Let every child lead to a node or, counted from -1 down, to an end.

    Parameters
    ----------
    tree
        Complete.
    n
        Words of a state.

    Returns
    -------
    array of uint64
        End states in rising order, shape (ends, n).
    """
    states = tree.sizes[STATES]
    goes = tree.leads[:states].copy()
    numbers = rising(tree, n, np.flatnonzero(goes == END))
    ends = np.empty((numbers.size, n), np.uint64)
    for e in range(numbers.size):
        goes[numbers[e]] = -1 - e
        for j in range(n):
            ends[e, j] = tree.states[numbers[e] * n + j]
    # a state that asks for nothing hands on to a later one
    for state in range(states - 1, -1, -1):
        if tree.leads[state] < 0:
            goes[state] = goes[-1 - tree.leads[state]]
    for child in range(tree.sizes[CHILDREN]):
        if tree.children[child] < 0:
            tree.children[child] = goes[-1 - tree.children[child]]
    return ends
