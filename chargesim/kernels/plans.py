"""Plans: a tree of chance nodes laid out in stages, and trials played by it, not by the rules.

Many nodes draw at the same place of the ruleset: they form a *stage*. A part of the trials goes
through the stages one after the other, so that each reads one row of words from end to end and few
tables at a time, however many nodes there are.

The uniforms of a node are cut into equal *cells*, and a cell names the outcome to begin at; almost
always it is this one or the next. So a trial goes on without a branch that could be guessed wrong.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.kernels.trees import CHILDREN, NODES, Tree
from chargesim.kernels.words import PART, PLACES, UNIFORM, fill_row, set_trial

CELL_BITS = 10
"""The uniforms of a node that every trial comes to are cut into two to this many cells."""
SEARCH = 1 << 31
"""Marks a cell that more than two outcomes have a part in."""
WAY = 1 << 30
"""The upper two bits of a target say which of its stage's ways leads there."""
MOST_STAGES = (1 << 16) // PART - 2
"""Their queues are numbered through in 16 bits."""


class Plan(NamedTuple):
    """A tree laid out for play.

    Stages: ``places`` (int64), ``starts`` (int64, with two more than stages: number of the first
    node), ``ways`` (int64, shape (stages, 4)) and ``stage_of`` (int64, by node), as of :func:`aim`.
    Nodes and outcomes: ``entries``, ``cells`` as of :func:`cut_cells`, ``upto`` as of
    :class:`Tree`, and ``targets`` as of :func:`aim`.
    """

    places: Any
    starts: Any
    ways: Any
    stage_of: Any
    entries: Any
    cells: Any
    upto: Any
    targets: Any


@kernel
def sort_nodes(tree: Tree, order: Any, places: Any, starts: Any) -> int:
    """Sort the nodes into stages, parents before children.

    Next comes a place at which every node left is ready, or the one with the most ready nodes: a
    place that different branches come to in different order makes several stages.

    Parameters
    ----------
    tree
        Joined.
    order
        Room for the nodes' new numbers, int64, shape (nodes,).
    places, starts
        Room for the place of each stage and the number of its first node, int64; two starts more
        than stages give the number of nodes.

    Returns
    -------
    int
        Number of stages.
    """
    nodes, children = tree.nodes, tree.children
    total = tree.sizes[NODES]
    parents, after = np.zeros(total, np.int64), np.empty(total, np.int64)
    left, ready = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
    newest = np.full(PLACES, -1)
    for child in children[: tree.sizes[CHILDREN]]:
        if child > 0:
            parents[child] += 1
    for node in range(total):
        left[nodes[node, 0]] += 1
    root = nodes[0, 0]
    ready[root], newest[root], after[0] = 1, 0, -1
    done, stages = 0, 0
    while done < total:
        best, most = 0, 0
        for place in range(PLACES):
            score = ready[place] + (total if 0 < ready[place] == left[place] else 0)
            if score > most:
                best, most = place, score
        places[stages], starts[stages] = best, done
        node = newest[best]
        left[best] -= ready[best]
        ready[best], newest[best] = 0, -1
        while node >= 0:
            order[node] = done
            done += 1
            for child in children[nodes[node, 1] : nodes[node, 1] + nodes[node, 2]]:
                if child > 0:
                    parents[child] -= 1
                    if parents[child] == 0:
                        place = nodes[child, 0]
                        after[child], newest[place] = newest[place], child
                        ready[place] += 1
            node = after[node]
        stages += 1
    starts[stages], starts[stages + 1] = total, total
    return stages


@kernel
def reach_of(tree: Tree, by_number: Any, order: Any) -> Any:
    """Chance that a trial comes to each node, by new number."""
    reach = np.zeros(order.size)
    reach[0] = 1.0
    for number in range(order.size):
        node = by_number[number]
        first = tree.nodes[node, 1]
        for child in range(first, first + tree.nodes[node, 2]):
            if tree.children[child] > 0:
                reach[order[tree.children[child]]] += reach[number] * tree.shares[child]
    return reach


@kernel
def cut_cells(tree: Tree, order: Any) -> tuple[Any, Any]:
    """Cut each node's uniforms into cells, and let each cell name the child to begin at.

    Parameters
    ----------
    tree
        Joined.
    order
        New numbers of the nodes.

    Returns
    -------
    tuple of array
        ``entries`` (uint64): a node's first cell, times 256, plus the bits of a uniform that a cell
        leaves open; ``cells`` (uint32): a child, plus ``SEARCH`` if it may be any after it and not
        this one or the next.
    """
    nodes, upto, total = tree.nodes, tree.upto, order.size
    by_number = np.empty(total, np.int64)
    for node in range(total):
        by_number[order[node]] = node
    reach = reach_of(tree, by_number, order)
    entries = np.empty(total, np.uint64)
    size = 0
    for number in range(total):
        # the rarer a node, the fewer cells; but not many outcomes in one
        wanted = max(np.sqrt(reach[number]) * (1 << CELL_BITS), 2 * nodes[by_number[number], 2])
        bits = 0
        while bits < CELL_BITS and (2 << bits) <= wanted:
            bits += 1
        entries[number] = (size << 8) + 31 - bits
        size += 1 << bits
    cells = np.empty(size, np.uint32)
    at = 0
    for number in range(total):
        child = nodes[by_number[number], 1]
        width = 1 << np.int64(entries[number] & np.uint64(255))
        for low in range(0, UNIFORM, width):
            while upto[child] <= low:
                child += 1
            many = upto[child] < low + width and upto[child + 1] < low + width
            cells[at] = child + (SEARCH if many else 0)
            at += 1
    return entries, cells


@kernel
def aim(tree: Tree, order: Any, places: Any, starts: Any) -> tuple[Any, Any, Any]:
    """Say for each child where a trial goes on.

    Parameters
    ----------
    tree
        Joined.
    order, places, starts
        As :func:`sort_nodes` made them, cut to size.

    Returns
    -------
    tuple of array
        ``targets`` (uint32), by child: a node or the number of nodes plus an end; above it, from
        ``WAY`` up, which of its stage's ways leads there, 0 for an end; ``ways`` (int64, shape
        (stages, 4)): the stages to which these lead, ``ways[:, 0]`` of no meaning, and the stage
        after the last, which is empty, for a missing one; ``stage_of`` (int64), by node. A stage
        with more than three ways has -1 for all of them, and ways in its targets mean nothing.
    """
    stages, total = places.size, order.size
    stage_of = np.empty(total, np.int64)
    for stage in range(stages):
        stage_of[starts[stage] : starts[stage + 1]] = stage
    ways = np.full((stages, 4), stages)
    targets = np.empty(tree.sizes[CHILDREN], np.uint32)
    for node in range(total):
        mine = ways[stage_of[order[node]]]
        for child in range(tree.nodes[node, 1], tree.nodes[node, 1] + tree.nodes[node, 2]):
            leads = tree.children[child]
            if leads <= 0:
                targets[child] = total - 1 - min(leads, -1)
                continue
            targets[child] = order[leads]
            stage = stage_of[order[leads]]
            way = 1
            while way < 4 and mine[way] != stage and mine[way] != stages:
                way += 1
            if mine[0] >= 0 and way < 4:
                mine[way] = stage
                targets[child] += way * WAY
            else:
                mine[:] = -1
    return targets, ways, stage_of


def lay_out(tree: Tree) -> Plan:
    """Plan of a joined tree."""
    nodes = int(tree.sizes[NODES])
    order = np.empty(nodes, np.int64)
    places, starts = np.empty(nodes, np.int64), np.empty(nodes + 2, np.int64)
    stages = sort_nodes(tree, order, places, starts)
    places, starts = places[:stages].copy(), starts[: stages + 2].copy()
    entries, cells = cut_cells(tree, order)
    targets, ways, stage_of = aim(tree, order, places, starts)
    upto = tree.upto[: targets.size].copy()
    return Plan(places, starts, ways, stage_of, entries, cells, upto, targets)


def new_line(plan: Plan) -> Any:
    """Room for the trials of a part that wait for the stages of a plan, and for the ended."""
    return np.zeros((plan.places.size + 1) * PART, np.uint16)


@kernel
def search(u: int, child: Any, upto: Any) -> Any:
    """Child next to that in whose share a uniform lies, sought from a marked one."""
    child -= np.uint32(SEARCH)
    while u >= upto[child + np.uint32(1)]:
        child += np.uint32(1)
    return child


@kernel
def draw_at_one(queue: Any, row: Any, at: Any, plan: Plan, stage: int) -> None:
    """As :func:`draw_at`, for a stage of one node, whose entry is looked up once."""
    upto, targets = plan.upto, plan.targets
    entry = plan.entries[plan.starts[stage]]
    cells = plan.cells[np.int64(entry >> np.uint64(8)) :]
    open_bits = np.uint32(entry & np.uint64(255))
    for j in range(queue.size):
        i = np.uint64(queue[j])
        u = row[i] >> np.uint32(1)
        child = cells[u >> open_bits]
        if child >= np.uint32(SEARCH):
            child = search(u, child, upto)
        child += np.uint32(u >= upto[child])
        at[i] = targets[child]


@kernel
def draw_at(queue: Any, row: Any, at: Any, plan: Plan) -> None:
    """Let the trials that wait for a stage draw.

    Parameters
    ----------
    queue
        The trials, by their slot in the part.
    row
        Words of the stage's place, 32 bits for each trial.
    at
        The target to which each trial has come; changed.
    plan
        The plan.
    """
    entries, cells, upto, targets = plan.entries, plan.cells, plan.upto, plan.targets
    eight, low, number = np.uint64(8), np.uint64(255), np.uint32(WAY - 1)
    for j in range(queue.size):
        i = np.uint64(queue[j])
        entry = entries[at[i] & number]
        u = row[i] >> np.uint32(1)
        child = cells[(entry >> eight) + (np.uint64(u) >> (entry & low))]
        if child >= np.uint32(SEARCH):
            child = search(u, child, upto)
        child += np.uint32(u >= upto[child])
        at[i] = targets[child]


@kernel
def go_on(queue: Any, at: Any, line: Any, tails: Any) -> Any:
    """Let trials that have drawn join the queues to which their targets' ways lead.

    Nothing has to be guessed: a trial always joins a queue, that of the ended if no other. A loop
    of its own is faster than a few lines more in the loops that draw: they keep more loads going.

    Parameters
    ----------
    queue, at
        The trials and where they have come to.
    line
        Memory of all queues.
    tails
        Where in it the queues of the four ways end: a uint64 with 16 bits for each.

    Returns
    -------
    int
        The new tails.
    """
    one, way_bits, field = np.uint64(1), np.uint64(26), np.uint64(0xFFFF)
    for j in range(queue.size):
        i = np.uint64(queue[j])
        shift = np.uint64(at[i]) >> way_bits
        line[(tails >> shift) & field] = i
        tails += one << shift
    return tails


@kernel
def scatter(queue: Any, at: Any, plan: Plan, line: Any, waiting: Any) -> None:
    """Let trials that have drawn join the queues of more stages than tails have fields."""
    for j in range(queue.size):
        number = at[queue[j]] & np.uint32(WAY - 1)
        if number < plan.stage_of.size:
            stage = plan.stage_of[number]
            line[stage * PART + waiting[stage]] = queue[j]
            waiting[stage] += 1


@kernel
def count_ends(at: Any, total: Any, counts: Any) -> None:
    """Count the ends to which trials have come; adding to a number just added to has to wait.

    Parameters
    ----------
    at
        Targets of the trials.
    total
        Number of nodes.
    counts
        int64, shape (4, ends): added to, in turns.
    """
    whole = at.size // 4 * 4
    for i in range(0, whole, 4):
        j = np.uint64(i)
        counts[0, at[j] - total] += 1
        counts[1, at[j + np.uint64(1)] - total] += 1
        counts[2, at[j + np.uint64(2)] - total] += 1
        counts[3, at[j + np.uint64(3)] - total] += 1
    for i in range(whole, at.size):
        counts[0, at[i] - total] += 1


@kernel
def play_plan(dice: Any, plan: Plan, line: Any, counts: Any, first: int, stop: int) -> None:
    """Play trials by a plan: the nodes of a scenario's tree instead of its rules.

    Parameters
    ----------
    dice
        Dice record in SAMPLE mode.
    plan
        The plan.
    line
        Room for the trials that wait: uint16, PART for each stage and PART more.
    counts
        int64, shape (4, ends): added to, as :func:`count_ends` does.
    first, stop
        Trials to play: first to stop - 1.
    """
    places, ways = plan.places, plan.ways
    stages, total = places.size, np.uint32(plan.entries.size)
    field = np.uint64(0xFFFF)
    waiting = np.zeros(stages + 1, np.int64)
    at = np.empty(PART, np.uint32)
    # 32 bits a trial: every machine that runs this has the low half of a word first
    rows = dice["words"].view(np.uint32)
    trial = first
    while trial < stop:
        set_trial(dice, trial)
        slot = trial % PART
        until = min(slot + stop - trial, PART)
        for i in range(slot, until):
            line[i - slot] = i
            at[i] = 0
        waiting[0] = until - slot
        for stage in range(stages):
            place = places[stage]
            if dice["ready"][place] != dice["part"]:
                fill_row(dice, place)
            queue = line[stage * PART : stage * PART + waiting[stage]]
            waiting[stage] = 0
            if plan.starts[stage + 1] - plan.starts[stage] == 1:
                draw_at_one(queue, rows[place], at, plan, stage)
            else:
                draw_at(queue, rows[place], at, plan)
            if ways[stage, 0] < 0:
                scatter(queue, at, plan, line, waiting)
            elif ways[stage, 1] < stages:
                tails = np.uint64(stages * PART)
                for way in range(1, 4):
                    to = ways[stage, way]
                    tails |= np.uint64(to * PART + waiting[to]) << np.uint64(16 * way)
                tails = go_on(queue, at, line, tails)
                for way in range(1, 4):
                    to = ways[stage, way]
                    tail = np.int64((tails >> np.uint64(16 * way)) & field)
                    waiting[to] = tail - to * PART
        count_ends(at[slot:until], total, counts)
        trial += until - slot
