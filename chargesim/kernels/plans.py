"""Trials played by a plan: a tree's chance nodes as tables, a block of trials at a time.

Nothing in here knows a rule. A trial draws at the node that it has come to, at the node's place, by
the node's thresholds, as the rules do; only the order differs, and that many trials share the work:

* The nodes on the way of most trials are drawn for all of them at once, needed or not, by comparing
  a row of heads with every threshold. Their outcomes are digits of a *code*, and a table says for
  each code where it leads.
* From there each trial draws at its own node. The heads of a node are cut into *cells*. Where that
  ends every trial, it is the cells in which heads fell that are counted, and read in the end. Else
  a cell holds the number of the node, or end, to which it leads; what has not ended draws again.
* Where codes whose last draws are at the same place stand together, in few *bands*, there are cells
  for each code of a band, and a trial's cell is reckoned from its code and head alone: no look-ups.

A head that a threshold divides settles nothing: its trial is looked at by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import child_at
from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.rows import draw_one, draw_wide, numbers_of, reckon_cells
from chargesim.kernels.words import BLOCK, HEAD_BITS, ROW, SPAN, TAIL_BITS, fill_row

STRIP_BITS = 12
STRIP = 1 << STRIP_BITS
"""Trials that go through the plan together: what is noted of them stays in near caches."""
MOST_TARGETS = 1 << 19
"""Nodes and ends are fewer: a target and the number of a trial share 32 bits."""
MARK = 1 << 31
"""Marks a cell in which more than one outcome has a part; it names the first of them."""
WALK = (1 << 32) - 1
"""Cell of a trial that has to begin again from the root."""
SHIFT_BITS, ROW_AT = 6, 38
MOST_UNREAD = MARK - 1
"""More trials may not be counted in one cell."""
BANDS = 4
"""Most bands of codes."""
MOST_BAND_CELLS = 1 << 16
"""Cells of bands are fewer: their numbers have 16 bits."""


class Plan(NamedTuple):
    """A tree laid out for play, by :func:`chargesim.kernels.layout.lay_out`.

    Where a trial is, is a *target*: a node, or the number of nodes plus an end.

    ``places`` (int64) are those of all nodes. The digits: ``dense`` (int64) is the place of each
    group of thresholds, ``edges`` and ``worth`` (uint16, shape (groups, WIDE)) the heads above
    which a trial's code grows, and by how much; a group of one has it in front and 0 behind.
    ``by_code`` (uint64, shape (2 * codes,)), the upper half for codes that cannot be trusted, and
    ``by_node`` (uint64, shape (nodes,)) hold :func:`lead_to`. ``further`` is true where a trial may
    draw again after its code has led it to a node. ``bands`` (int64, shape (BANDS, 5), or none)
    hold the code at which each band begins, where the row of its place does, by how much heads are
    shifted, how many cells there are for a code, and the first cell, had the band begun at code 0.
    ``cells`` (uint32) hold with ``MARK`` a child, else, with ``further``, a target; without it, 0,
    and ``runs`` (int64, shape (runs, 3)) name first cell, cell to stop before, and end, of cells
    that lead to the same. ``nodes`` (int64, shape (nodes, 2)) holds place and first child; ``upto``
    (uint32) and ``targets`` (uint32) are the children's. For :mod:`.rolled_plans`: ``order``
    (int64), the nodes, parents before children;
    ``asks`` as of :class:`chargesim.kernels.trees.Tree`.
    """

    places: Any
    dense: Any
    edges: Any
    worth: Any
    by_code: Any
    by_node: Any
    further: Any
    bands: Any
    cells: Any
    runs: Any
    nodes: Any
    upto: Any
    targets: Any
    order: Any
    asks: Any


class Bench(NamedTuple):
    """What a thread that plays by a plan works with.

    Of shape (STRIP,): ``codes`` (uint16); where each trial is, ``targets`` (uint32), and for a plan
    without ``further``, in which cell, ``inside`` (uint16) if it has bands; ``queue`` and
    ``doubtful`` (uint32), number of a node, times STRIP, plus that of a trial. ``counts`` (int64,
    shape (4, ends)), to which trials are added in turns: adding to a number just added to has to
    wait. ``tally`` (int32): trials in the plan's cells, those that are marked far below 0; it is
    for a plan without ``further``.
    """

    codes: Any
    inside: Any
    targets: Any
    queue: Any
    doubtful: Any
    counts: Any
    tally: Any


@kernel
def set_up(plan: Plan, ends: int, room: Any) -> Bench:
    """Bench to play a plan of so many ends, nothing counted; its room may be others' too."""
    codes, inside, targets, queue, doubtful = room
    tally = np.empty(0 if plan.further else plan.cells.size, np.int32)
    clear_tally(plan, tally)
    return Bench(codes, inside, targets, queue, doubtful, np.zeros((4, ends), np.int64), tally)


@kernel
def clear_tally(plan: Plan, tally: Any) -> None:
    """Empty the cells of a plan without ``further``, and mark those that settle nothing."""
    for cell in range(tally.size):
        tally[cell] = np.int32(plan.cells[cell] & np.uint32(MARK))


@kernel
def new_room() -> tuple[Any, Any, Any, Any, Any]:
    """Codes, cells, targets, queue and doubtful trials of a bench."""
    return (
        np.zeros(STRIP, np.uint16),
        np.zeros(STRIP, np.uint16),
        np.zeros(STRIP, np.uint32),
        np.zeros(STRIP, np.uint32),
        np.zeros(STRIP, np.uint32),
    )


@kernel
def new_bench(plan: Plan, ends: int) -> Bench:
    """Room of its own to play a plan of so many ends, nothing counted."""
    return set_up(plan, ends, new_room())


@tiny
def lead_to(place: int, cell: int, bits: int) -> int:
    """One number for a node: its place, and the first of its two to ``bits`` cells."""
    return (place * ROW << ROW_AT) | (cell << SHIFT_BITS) | (HEAD_BITS - bits)


@tiny
def cell_of(lead: Any, heads: Any, i: Any) -> Any:
    """Cell of a node in which the head of a trial lies."""
    head = np.uint64(heads[(lead >> np.uint64(ROW_AT)) + i])
    first = np.uint64(np.uint32(lead >> np.uint64(SHIFT_BITS)))
    return first + (head >> (lead & np.uint64(63)))


@kernel
def find_cells(leads: Any, codes: Any, heads: Any, found: Any, count: int) -> None:
    """Note the cells into which the heads of trials fall at the nodes to which their codes lead.

    Parameters
    ----------
    leads
        ``by_code`` of the plan.
    codes
        Of the trials.
    heads
        All rows in one, from the first of the trials on.
    found
        Numbers of the cells.
    count
        How many trials there are.
    """
    # by itself, for what follows would wait for too many things at a time
    for i in range(count):
        found[i] = cell_of(leads[codes[i]], heads, np.uint64(i))


@kernel
def count_cells(tally: Any, found: Any, doubtful: Any, count: int) -> int:
    """Count trials in the cells into which they fell.

    Returns
    -------
    int
        How many have to be settled: their numbers are in ``doubtful``.
    """
    doubts = 0
    for i in range(count):
        cell = np.uint64(found[i])
        number = np.int32(tally[cell] + np.int32(1))
        tally[cell] = number
        if number < np.int32(0):
            doubtful[doubts] = i
            doubts += 1
    return doubts


@kernel
def draw_first(plan: Plan, bench: Bench, heads: Any, count: int) -> tuple[int, int]:
    """Let trials draw at the nodes to which their codes lead.

    Parameters
    ----------
    plan
        The plan.
    bench
        Codes of the trials.
    heads
        All rows in one, from the first of the trials on.
    count
        How many there are.

    Returns
    -------
    tuple of int
        How many have not ended and are in the queue, and how many have to be settled.
    """
    leads, cells = plan.by_code, plan.cells
    codes, targets, queue, doubtful = bench.codes, bench.targets, bench.queue, bench.doubtful
    total = np.uint32(plan.nodes.shape[0])
    left, doubts = 0, 0
    for i in range(count):
        target = cells[cell_of(leads[codes[i]], heads, np.uint64(i))]
        if target >= np.uint32(MARK):
            doubtful[doubts] = i
            doubts += 1
        else:
            targets[i] = target
            queue[left] = (target << np.uint32(STRIP_BITS)) | np.uint32(i)
            left += int(target < total)
    return left, doubts


@kernel
def draw_next(plan: Plan, bench: Bench, heads: Any, count: int) -> tuple[int, int]:
    """Let the trials of the queue draw at the nodes where they are; as :func:`draw_first`."""
    leads, cells = plan.by_node, plan.cells
    targets, queue, doubtful = bench.targets, bench.queue, bench.doubtful
    total = np.uint32(plan.nodes.shape[0])
    left, doubts = 0, 0
    for j in range(count):
        item = queue[j]
        i = item & np.uint32(STRIP - 1)
        target = cells[cell_of(leads[item >> np.uint32(STRIP_BITS)], heads, np.uint64(i))]
        if target >= np.uint32(MARK):
            doubtful[doubts] = item
            doubts += 1
        else:
            targets[i] = target
            queue[left] = (target << np.uint32(STRIP_BITS)) | i
            left += int(target < total)
    return left, doubts


@kernel
def settle(
    dice: Any, plan: Plan, bench: Bench, coded: bool, heads: Any, slot: int, left: int, count: int
) -> int:
    """Let the doubtful trials draw with all bits of their uniforms.

    Parameters
    ----------
    dice
        Dice record turned to the block.
    plan, bench
        The plan, and where the trials are; without ``further`` they are counted.
    coded
        True when the trials are where their codes lead, not at a node of which they have noted the
        number.
    heads
        All rows in one, from the first of the trials on.
    slot
        That of the first trial in its block.
    left, count
        How many trials are in the queue, and how many are doubtful.

    Returns
    -------
    int
        How many are in the queue now.
    """
    # taken out here, since each time that an array leaves its tuple a count of its uses is kept
    by_code, by_node, nodes, cells = plan.by_code, plan.by_node, plan.nodes, plan.cells
    upto, leads_to, codes, queue = plan.upto, plan.targets, bench.codes, bench.queue
    doubtful, targets, counts, further = bench.doubtful, bench.targets, bench.counts, plan.further
    total = np.uint32(nodes.shape[0])
    for k in range(count):
        item = doubtful[k]
        i = item & np.uint32(STRIP - 1)
        lead = by_code[codes[i]] if coded else by_node[item >> np.uint32(STRIP_BITS)]
        cell = cells[cell_of(lead, heads, np.uint64(i))]
        if cell != np.uint32(WALK):
            row = lead >> np.uint64(ROW_AT)
            low = np.int64(heads[row + np.uint64(i)]) << TAIL_BITS
            child = np.int64(cell) - MARK
            # as likely as not the next one: no branch, which would be guessed wrongly as often
            child += np.int64(low >= upto[child])
            if low + SPAN >= upto[child]:  # seldom: another threshold, or within the head
                dice["slot"] = slot + i
                child = np.int64(child_at(dice, np.int64(row) // ROW, upto, child))
            target = leads_to[child]
        else:
            dice["slot"] = slot + i
            target = np.uint32(0)
            while target < total:
                target = leads_to[child_at(dice, nodes[target, 0], upto, nodes[target, 1])]
        if further:
            targets[i] = target
            queue[left] = (target << np.uint32(STRIP_BITS)) | i
            left += int(target < total)
        else:
            counts[0, target - total] += 1
    return left


@kernel
def count_ends(plan: Plan, bench: Bench, count: int) -> None:
    """Count the ends to which trials have come."""
    targets, counts, total = bench.targets, bench.counts, np.uint32(plan.nodes.shape[0])
    for i in range(count):
        counts[np.uint64(i & 3), targets[i] - total] += 1


@kernel
def begin_block(dice: Any, plan: Plan, first: int, stop: int) -> int:
    """Turn to the block of a trial and make the rows of heads.

    Returns
    -------
    int
        How many trials from this one to ``stop`` - 1 are in that block.
    """
    dice["block"] = first // BLOCK
    for k in range(plan.places.size):
        if dice["ready"][plan.places[k]] != dice["block"]:
            fill_row(dice, plan.places[k])
    return min(BLOCK - first % BLOCK, stop - first)


@kernel
def give_codes(plan: Plan, bench: Bench, heads: Any, count: int) -> Any:
    """Codes of trials, which draw the digits; ``heads`` are all rows, from the first of them on."""
    codes = bench.codes[:count]
    codes[:] = 0
    doubt = np.uint16(plan.by_code.size // 2)
    for k in range(plan.dense.size):
        row = heads[plan.dense[k] * ROW :][:count]
        if plan.worth[k, 1] == 0:
            draw_one(row, codes, plan.edges[k, 0], plan.worth[k, 0], doubt)
        else:
            draw_wide(row, codes, plan.edges[k], plan.worth[k], doubt)
    return codes


@kernel
def play_short(dice: Any, plan: Plan, bench: Bench, heads: Any, slot: int, count: int) -> None:
    """Play trials by a plan in which every trial ends where its code leads it, or one draw on.

    Parameters
    ----------
    dice, plan, bench
        As for :func:`play_plan`.
    heads
        All rows in one, from the first of the trials on.
    slot
        That of the first trial in its block.
    count
        How many they are, at most ``STRIP``.
    """
    tally, doubtful, bands = bench.tally, bench.doubtful, plan.bands
    codes = give_codes(plan, bench, heads, count)
    if bands.shape[0]:
        rows = (
            heads[bands[0, 1] :][:count],
            heads[bands[1, 1] :][:count],
            heads[bands[2, 1] :][:count],
            heads[bands[3, 1] :][:count],
        )
        untold = np.uint16(plan.by_code.size // 2), np.uint16(plan.cells.size - 1)
        reckon_cells(
            rows, codes, numbers_of(bands, 0), numbers_of(bands, 2), numbers_of(bands, 3),
            numbers_of(bands, 4), untold, bench.inside[:count],
        )  # fmt: skip
        doubts = count_cells(tally, bench.inside, doubtful, count)
    else:
        find_cells(plan.by_code, codes, heads, bench.targets, count)
        doubts = count_cells(tally, bench.targets, doubtful, count)
    settle(dice, plan, bench, True, heads, slot, 0, doubts)


@kernel
def read_tally(plan: Plan, bench: Bench) -> None:
    """Count the ends of the trials that are in the cells, and empty these."""
    runs, tally, counts = plan.runs, bench.tally, bench.counts
    for k in range(runs.shape[0]):
        total = np.int64(0)
        for cell in range(runs[k, 0], runs[k, 1]):
            total += np.int64(tally[cell])
        counts[0, runs[k, 2]] += total
    clear_tally(plan, tally)


@kernel
def play_long(dice: Any, plan: Plan, bench: Bench, heads: Any, slot: int, count: int) -> None:
    """Play trials by any plan; as :func:`play_short`."""
    give_codes(plan, bench, heads, count)
    left, doubts = draw_first(plan, bench, heads, count)
    left = settle(dice, plan, bench, True, heads, slot, left, doubts)
    while left:
        left, doubts = draw_next(plan, bench, heads, left)
        left = settle(dice, plan, bench, False, heads, slot, left, doubts)
    count_ends(plan, bench, count)


@kernel
def play_plan(dice: Any, plan: Plan, bench: Bench, first: int, stop: int) -> None:
    """Play trials first to stop - 1 by a plan; their counts are complete after :func:`read_tally`.

    Parameters
    ----------
    dice
        Dice record in SAMPLE mode.
    plan
        The plan.
    bench
        Its counts are added to; no more than ``MOST_UNREAD`` before they are read.
    first, stop
        Trials to play.
    """
    while first < stop:
        slot = first % BLOCK
        end = slot + begin_block(dice, plan, first, stop)
        first += end - slot
        while slot < end:
            heads = dice["heads"].reshape(-1)[slot:]
            count = min(STRIP, end - slot)
            if plan.further:
                play_long(dice, plan, bench, heads, slot, count)
            else:
                play_short(dice, plan, bench, heads, slot, count)
            slot += count
