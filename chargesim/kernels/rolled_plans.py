"""Every die rolled, by a plan: trials that are at the same node wait for each other there.

Of the plan only the tree is used: no thresholds, no cells, no rows of words. A trial is bit for bit
the one that rolls every die by the rules, for its dice hang on its number and on places alone.

All that moves is a trial's *key*, from which its words follow. Each node has a queue of keys; once
it holds more than a batch, a batch of them is rolled side by side (:mod:`.rolled_batches`) and
dealt to the queues of the nodes that follow. What is left is rolled in the end. So even a node to
which few trials come rolls them by the batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import MASK_BITS, OUTCOMES, Node, roll_node
from chargesim.kernels.jit import kernel
from chargesim.kernels.plans import Plan
from chargesim.kernels.rolled import begin_words, luck_at, luck_of, mixed
from chargesim.kernels.rolled_batches import AGAIN, roll_side_by_side

MOST_BATCH, LEAST_BATCH = 960, 64
"""Trials that are rolled together: what their dice show stays in a processor's first cache,"""
ROOM = 1 << 20
"""and no more than these may wait, unless this would make batches too small."""
_TEST, _SUM, _COUNT, _LENGTH = int(Node.TEST), int(Node.SUM), int(Node.COUNT), int(Node.LENGTH)
_RACE = int(Node.RACE)
_LAST, _FEW, _MANY = 0, 1, 2
"""All outcomes of a node are ends; they lead to few different targets; to more."""
_SLOTS, _SLOT_BITS, _MOST_MAPPED = 8, 4, 16
_ALIKE = np.uint64(0xFEDCBA9876543210)
"""Slots of outcomes of which each has its own."""
_SHARE = 240
"""Trials dealt at a time: no slot has more than its eight bits count."""
_ONE, _COUNTED = np.uint64(1), np.uint64(255)


class Tray(NamedTuple):
    """What a thread that rolls the dice of a plan works with.

    ``batch``: how many trials are rolled together. ``queue`` (uint64) are the keys that wait, twice
    as many places as a batch for each node; behind them are ``_SHARE`` places for what need not be
    kept. ``free`` (uint64, shape (nodes + ends,)): by target, the first place of its queue that is
    free; of an end, which has none, how many trials came to it. Of each node, ``sizes`` (int64) is
    how many outcomes it has, ``ways`` (int64) how they are dealt, and ``slots`` (uint64) for
    ``_FEW`` the slot of each outcome, ``_SLOT_BITS`` bits apart. ``stack`` (int64): nodes that have
    to be rolled, each before the one below. Of the trials of a batch, ``words``, ``faces``,
    ``farthest`` and ``spare`` (uint64), as of :func:`.rolled_batches.roll_side_by_side`. ``begins``
    (uint64, shape (_SLOTS,)): where the keys of each slot go. ``seen`` (int64, shape (4,
    OUTCOMES)): trials of each outcome.
    """

    batch: int
    queue: Any
    free: Any
    sizes: Any
    ways: Any
    slots: Any
    stack: Any
    words: Any
    faces: Any
    farthest: Any
    spare: Any
    begins: Any
    seen: Any


@kernel
def can_be_rolled(plan: Plan) -> bool:
    """Tell whether outcomes can be told from dice: a length judged by eye is none of few."""
    return bool(np.all(plan.asks[:, 0] != _LENGTH))


@kernel
def outcomes_of(ask: Any) -> int:
    """How many outcomes a node has."""
    kind, n, a, b = ask[0], ask[1], ask[2], ask[3]
    if kind == _TEST:
        return 2
    if kind == _SUM:
        return 11 if b else n * (a - 1) + 1
    if kind == _COUNT:
        return n + 1
    if kind == _RACE:
        return 3
    bands, mask = 1, a | (b << MASK_BITS)
    while mask:
        bands += mask & 1
        mask >>= 1
    return bands


@kernel
def way_to_deal(targets: Any, total: int) -> tuple[int, int]:
    """Find how the outcomes of a node are dealt.

    Parameters
    ----------
    targets
        Where each outcome leads.
    total
        How many nodes there are.

    Returns
    -------
    tuple of int
        One of ``ways`` and of ``slots``.
    """
    if np.all(targets >= total):
        return _LAST, _ALIKE
    if targets.size > _MOST_MAPPED:
        return _MANY, _ALIKE
    slots, used = np.uint64(0), 0
    for k in range(targets.size):
        first = 0
        while targets[first] != targets[k]:
            first += 1
        slot = (slots >> np.uint64(_SLOT_BITS * first)) & np.uint64(15)
        if first == k:
            if used == _SLOTS:
                return _MANY, _ALIKE
            slot = np.uint64(used)
            used += 1
        slots |= slot << np.uint64(_SLOT_BITS * k)
    return _FEW, _ALIKE if used == targets.size else slots


@kernel
def new_tray(plan: Plan, ends: int) -> Tray:
    """Room to roll the dice of a plan of so many ends, nothing counted."""
    total = plan.order.size
    batch = max(LEAST_BATCH, min(MOST_BATCH, ROOM // (2 * total) // 16 * 16))
    free = np.zeros(total + ends, np.uint64)
    sizes, ways = np.zeros(total, np.int64), np.zeros(total, np.int64)
    slots = np.zeros(total, np.uint64)
    for node in range(total):
        free[node] = 2 * batch * node
        sizes[node], child = outcomes_of(plan.asks[node]), plan.nodes[node, 1]
        ways[node], slots[node] = way_to_deal(plan.targets[child : child + sizes[node]], total)
    return Tray(
        batch,
        np.empty(2 * batch * total + _SHARE, np.uint64),
        free,
        sizes,
        ways,
        slots,
        np.zeros(total, np.int64),
        np.zeros(batch, np.uint64),
        np.zeros(batch, np.uint64),
        np.zeros(batch, np.uint64),
        np.zeros(batch, np.uint64),
        np.zeros(_SLOTS, np.uint64),
        np.zeros((4, OUTCOMES), np.int64),
    )


@kernel
def count_outcomes(faces: Any, targets: Any, free: Any, seen: Any) -> None:
    """Count trials at the ends to which their outcomes lead."""
    seen[:, : targets.size] = 0
    # in turns: adding to a number just added to has to wait
    for k in range(faces.size // 4):
        seen[0, faces[4 * k]] += 1
        seen[1, faces[4 * k + 1]] += 1
        seen[2, faces[4 * k + 2]] += 1
        seen[3, faces[4 * k + 3]] += 1
    for k in range(faces.size // 4 * 4, faces.size):
        seen[0, faces[k]] += 1
    for k in range(targets.size):
        free[targets[k]] += np.uint64(seen[0, k] + seen[1, k] + seen[2, k] + seen[3, k])


@kernel
def deal_slots(keys: Any, slots: Any, first: int, stop: int, begins: Any, queue: Any) -> int:
    """Put keys first to stop - 1 where their slots begin, one behind another.

    Parameters
    ----------
    keys
        No more than 255 of them are dealt.
    slots
        Of each, uint64, 0 to 7.
    first, stop
        Which.
    begins, queue
        Those of the tray.

    Returns
    -------
    int
        How many each slot got, eight bits a slot: in a register, for to read what was just written
        takes longer than all the rest.
    """
    counts = np.uint64(0)
    for at in range(first, stop):
        k = np.uint64(at)
        slot = slots[k]
        shift = (slot << np.uint64(3)) & np.uint64(63)
        queue[begins[slot] + ((counts >> shift) & _COUNTED)] = keys[k]
        counts += _ONE << shift
    return counts


@kernel
def deal_few(
    keys: Any, faces: Any, slots: int, targets: Any, total: int, free: Any, begins: Any, queue: Any
) -> None:
    """Deal keys to few different targets, by the slots of their outcomes; as :func:`deal_many`."""
    wide, low, dump = np.uint64(_SLOT_BITS), np.uint64((1 << _SLOT_BITS) - 1), queue.size - _SHARE
    if slots != _ALIKE:
        for k in range(faces.size):
            faces[k] = (slots >> (faces[k] * wide & np.uint64(63))) & low
    for first in range(0, keys.size, _SHARE):
        for k in range(targets.size):
            slot = (slots >> np.uint64(_SLOT_BITS * k)) & low
            begins[slot] = free[targets[k]] if targets[k] < total else dump
        stop = min(first + _SHARE, keys.size)
        counts = np.uint64(deal_slots(keys, faces, first, stop, begins, queue))
        for k in range(targets.size):
            shift = ((slots >> np.uint64(_SLOT_BITS * k)) & low) * np.uint64(8)
            free[targets[k]] += (counts >> shift) & _COUNTED
            counts &= ~(_COUNTED << shift)  # outcomes may share a slot


@kernel
def deal_many(keys: Any, faces: Any, targets: Any, total: int, free: Any, queue: Any) -> None:
    """Deal keys to the targets to which their outcomes lead.

    Parameters
    ----------
    keys, faces
        Of the trials, and their outcomes.
    targets
        Where each outcome leads.
    total
        How many nodes there are.
    free, queue
        Those of the tray.
    """
    dump = np.uint64(queue.size - _SHARE)
    for k in range(keys.size):
        target = targets[faces[k]]
        queue[free[target] if target < total else dump] = keys[k]
        free[target] += _ONE


@kernel
def full_child(targets: Any, total: int, free: Any, batch: int) -> int:
    """First of the nodes among targets that have no room for a batch more, or -1."""
    for k in range(targets.size):
        target = np.int64(targets[k])
        if target < total and np.int64(free[target]) > (2 * target + 1) * batch:
            return target
    return -1


@kernel
def roll_down(dice: Any, plan: Plan, tray: Tray, node: int) -> None:
    """Roll the dice of a node for a batch of those that wait there, or for all if they are less.

    Where there is no room behind it, a batch is rolled there first.

    Parameters
    ----------
    dice
        Dice record in ROLL mode.
    plan, tray
        The plan, and its tray.
    node
        The node.
    """
    # taken out here, since each time that an array leaves its tuple a count of its uses is kept
    nodes, asks, leads_to, batch = plan.nodes, plan.asks, plan.targets, tray.batch
    queue, free, sizes, ways, slots = tray.queue, tray.free, tray.sizes, tray.ways, tray.slots
    words, faces, farthest, spare = tray.words, tray.faces, tray.farthest, tray.spare
    stack, begins, seen, total = tray.stack, tray.begins, tray.seen, nodes.shape[0]
    stack[0], depth = node, 1
    while depth > 0:
        node = stack[depth - 1]
        way, place, child = ways[node], nodes[node, 0], nodes[node, 1]
        targets = leads_to[child : child + sizes[node]]
        full = -1 if way == _LAST else full_child(targets, total, free, batch)
        if full >= 0:
            stack[depth] = full
            depth += 1
            continue
        depth -= 1
        stop: Any = np.int64(free[node])
        count = min(batch, stop - 2 * batch * node)
        free[node] = stop - count
        keys, shown = queue[stop - count : stop], faces[:count]
        kind, n, a, b = asks[node, 0], asks[node, 1], asks[node, 2], asks[node, 3]
        if roll_side_by_side(
            (kind, n, a, b), place, keys, words[:count], shown, farthest[:count], spare[:count]
        ):
            for k in range(count):
                if shown[k] >= AGAIN:
                    begin_words(dice, keys[k] ^ luck_at(place))
                    outcome = roll_node(dice, kind, n, a, b)
                    shown[k] = 1 - outcome if kind == _TEST else outcome
        if way == _LAST:
            count_outcomes(shown, targets, free, seen)
        elif way == _FEW:
            deal_few(keys, shown, slots[node], targets, total, free, begins, queue)
        else:
            deal_many(keys, shown, targets, total, free, queue)


@kernel
def play_rolled(dice: Any, plan: Plan, tray: Tray, first: int, stop: int, rest: bool) -> None:
    """Play trials first to stop - 1 of a plan, rolling every die.

    Parameters
    ----------
    dice
        Dice record in ROLL mode.
    plan
        A plan that :func:`can_be_rolled`.
    tray
        Trials may wait in it, all of them of one seed and point.
    first, stop
        Trials to play.
    rest
        Whether to roll for all that wait: then :func:`ends_of` has them.
    """
    luck, queue, free, batch = luck_of(dice), tray.queue, tray.free, tray.batch
    while first < stop:
        count = min(batch, stop - first)
        begin = np.int64(free[0])
        for k in range(count):
            queue[begin + k] = mixed(luck ^ np.uint64(first + k))
        free[0] = begin + count
        roll_down(dice, plan, tray, np.int64(0))
        first += count
    if rest:
        for node in plan.order:
            while np.int64(free[node]) > 2 * batch * node:
                roll_down(dice, plan, tray, node)


def ends_of(tray: Tray) -> Any:
    """How many trials came to each end (int64, shape (ends,))."""
    return tray.free[tray.sizes.size :].astype(np.int64)
