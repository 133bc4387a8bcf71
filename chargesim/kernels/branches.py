"""One game advanced over every outcome, equal states merged.

A state waits at the step that asks for chance; its game is run once for every path through the
nodes of that step, and on from there until a step asks again. States wait by the number of steps
taken, and what comes to the same state at the same time is merged.

In a batch much is alike. What came of a state is remembered with the bits of the start on which it
rests. Where another game comes to that state with the same bits, the rules need not be run: the
same chances lead to the same states (:mod:`.memories`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.dice import TAPE, Node
from chargesim.kernels.jit import call_step, tiny
from chargesim.kernels.memories import (
    BEFORE,
    BEGIN,
    END,
    HAPPENED,
    PARTLY,
    WHOLLY,
    agrees,
    is_open,
    recall,
    remember,
    test_anew,
)
from chargesim.kernels.room import (
    ASKS,
    CHANCES,
    EVENT,
    FILLED,
    MASK,
    MEMORY,
    MOST_STEPS,
    PIECE,
    RECALL,
    STAMP,
    TEST_BIT,
    TESTS,
    UNMET,
    Room,
    chances_of,
    enlarge,
    place_of,
    read_state,
    write_state,
)

TOO_DEEP, FULL, UNCOUNTABLE, TOO_MANY = 1, 2, 3, 4
"""Why a game has no end states: more nodes in one step than the tape holds; no room for its states;
a node whose outcomes cannot be counted; more states after a step than are allowed."""
STATES, STEPS, STATUS, PHASE, FIRST, CHANCE, STEP, SPAN = range(8)
"""What a span holds: how many end states, how many steps that were looked at, a status, the phase
of the last of them, that of its first state; where among those written down the end states, their
probabilities and the steps begin. How many these are."""
_TEST = int(Node.TEST)
_TRIES = 3
"""Memories of a state, the latest first, whose kind is looked for: they may rest on other bits."""
_BEGIN, _START = -1, MOST_STEPS + 1
"""Time of the start, from which the rules run on until a step asks; and as states have it."""


@tiny  # it is called in one place, and to hand over a room takes long
def expand(
    step: Any,
    game: Any,
    dice: Any,
    words: Any,
    live: Any,
    room: Room,
    start: Any,
    varying: Any,
    reads: Any,
    learn: bool,
    sizes: Any,
    span: Any,
    most: int,
) -> None:
    """Advance a game over every outcome, merging equal states, until it is over in all of them.

    States that wait have an order, that in which they were met, so that sums depend neither on the
    room nor on the games before.

    Parameters
    ----------
    step
        Address of the ruleset's step.
    game, words, live
        The game, its words (they share memory) and the places of its live words.
    dice
        Dice record in ENUMERATE mode.
    room
        It names the end states in the end.
    start
        Words with which the game starts, uint64.
    varying
        Places in the start of the words that differ from game to game and are not live.
    reads
        uint64, shape (BITS, words that vary): the bits of these words that can be read by a step of
        a phase, and in a test.
    learn
        True when what comes of states is to be remembered.
    sizes
        int64: number of states, waiting or at their end, after each step that was looked at.
    span
        int64: see ``STATES``.
    most
        Most states after a step.
    """
    n = live.size
    # arrays by themselves: to take one out of the room again and again costs more than its use
    rows, times, shares, after, marks = room.rows, room.times, room.shares, room.after, room.marks
    firsts, lasts, index, ends = room.queues[0], room.queues[1], room.index, room.ends
    nodes, chances, used = room.nodes, room.chances, room.used
    memory, memories, given = room.memory, room.memories, room.given
    recalled, recalls = room.recalled, np.uint64(used[RECALL])
    levels, leads, runs, parts = room.levels, room.leads, room.runs, room.parts
    outcomes = room.outcomes
    filled, stamp, mask = used[FILLED], used[STAMP], np.uint64(used[MASK])
    limit = min(shares.size, rows.size // n) - 1
    # by depth: where a node's chances begin, how many there are, where free room for them begins
    nests, share, tape = np.empty((3, TAPE + 1), np.int64), np.empty(TAPE + 1), dice["tape"]
    first, count, spare = nests[0], nests[1], nests[2]
    spare[0] = CHANCES
    head = game["head"]
    waiting, ended, steps = 0, 0, 0
    # the start is a state like any other, but for its time
    time = _BEGIN
    share[0] = 1.0
    if filled == limit:
        span[STATUS] = FULL
        return
    write_state(words, live, rows, filled * n, n)
    i, slot = place_of(rows, times, index, mask, stamp, filled * n, n, _START, filled)
    if i == filled:
        times[filled], shares[filled], memory[filled] = _START, UNMET, -1
        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(filled)
        filled += 1
        if 2 * filled > np.int64(mask):
            mask, stamp = enlarge(used, index, mask, rows, times, filled, n)
    while True:
        # what comes of a state: remembered,
        known, near, tries = memory[i], -1, 0
        while known >= 0 and not agrees(given, WHOLLY, known, start, varying):
            found = recall(given, memories, recalled, recalls, WHOLLY, known, start, varying)
            if found >= 0:
                known = found
                break
            if near < 0:
                near = recall(given, memories, recalled, recalls, PARTLY, known, start, varying)
            tries += 1
            known = memories[known, BEFORE] if tries < _TRIES else -1
        # or so but for the chances of tests,
        if known < 0 and near >= 0:
            upto = test_anew(step, game, dice, words, live, room, near)
            if upto >= 0:
                happened = memories[near, HAPPENED]
                known = remember(
                    given, memories, recalled, memory, used, reads, happened, start, varying, i,
                    upto, False,
                )  # fmt: skip
        # or found out: the game is run for every path through its nodes
        depth, asks, bits = 0, -1, np.uint64(0)
        whole, plain = True, True
        while True:
            begin = memories[known, BEGIN] if known >= 0 else used[EVENT]
            end = memories[known, END] if known >= 0 else begin
            run = -1  # where outcomes of one node begin that end the game
            while known < 0:
                wanting = 0
                if time > _BEGIN:
                    read_state(words, live, rows, i * n, n)
                    bits |= np.uint64(1) << np.uint64(head["phase"])
                    dice["asked"], dice["depth"], dice["wanting"] = 0, depth, 0
                    call_step(step, game, dice)
                    wanting = dice["wanting"]
                levels[end], leads[end], runs[end] = depth, ASKS, 0
                outcomes[end], parts[end] = 0, 1.0
                if depth > 0:
                    outcomes[end] = tape[depth - 1]
                    parts[end] = chances[first[depth - 1] + tape[depth - 1]]
                if wanting:
                    run = -1
                    if depth == TAPE:
                        span[STATUS] = TOO_DEEP
                        return
                    is_test = dice["pending"][0] == _TEST
                    if is_test:
                        bits |= np.uint64(1) << np.uint64(TEST_BIT)
                    first[depth], count[depth] = chances_of(
                        nodes, chances, used, dice, spare[depth]
                    )
                    if count[depth] == 0:
                        span[STATUS] = UNCOUNTABLE
                        return
                    if is_test:
                        leads[end] = TESTS
                        plain = plain and is_open(chances, first[depth], count[depth])
                    own = count[depth] if first[depth] >= CHANCES else 0
                    spare[depth + 1] = spare[depth] + own
                    tape[depth] = -1
                    depth += 1
                else:
                    if filled == limit:
                        span[STATUS] = FULL
                        return
                    # run on; the state is written where a new one goes, then looked up
                    at, now = filled * n, time + 1
                    while True:
                        write_state(words, live, rows, at, n)
                        if head["done"] or now == MOST_STEPS:
                            now = MOST_STEPS
                            break
                        # what is next to the last that was asked for will be asked for too
                        if now == asks:
                            break
                        bits |= np.uint64(1) << np.uint64(head["phase"])
                        dice["asked"], dice["depth"], dice["wanting"] = 0, 0, 0
                        call_step(step, game, dice)
                        if dice["wanting"]:
                            asks = now
                            if dice["pending"][0] == _TEST:
                                bits |= np.uint64(1) << np.uint64(TEST_BIT)
                            break
                        now += 1
                    place, slot = place_of(rows, times, index, mask, stamp, at, n, now, filled)
                    if place == filled:
                        times[filled], shares[filled], memory[filled] = now, UNMET, -1
                        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(filled)
                        filled += 1
                        if 2 * filled > np.int64(mask):
                            mask, stamp = enlarge(used, index, mask, rows, times, filled, n)
                    leads[end] = place
                    if now < MOST_STEPS:
                        run = -1
                    elif run >= 0 and levels[run] == depth:
                        runs[run] += 1
                    else:
                        runs[end], run = 1, end
                end += 1
                # on to the next outcome of positive weight, back over nodes that are used up
                while depth > 0:
                    k = tape[depth - 1] + 1
                    while k < count[depth - 1] and chances[first[depth - 1] + k] <= 0.0:
                        k += 1
                    if k < count[depth - 1]:
                        tape[depth - 1] = k
                        break
                    depth -= 1
                if depth == 0 or end == levels.size:
                    break
            # deal out its probability
            event = begin
            while event < end:
                level, many = levels[event], runs[event]
                if many:
                    above, least, last = (
                        share[max(level - 1, 0)],
                        np.uint64(event),
                        np.uint64(ended),
                    )
                    for k in range(many):
                        own = least + np.uint64(k)
                        lead = np.uint64(leads[own])
                        ends[last] = lead
                        last += np.uint64(marks[lead]) >> np.uint64(63)
                        shares[lead] += above * parts[own]
                    event, ended = event + many, int(last)
                    continue
                if level > 0:
                    share[level] = share[level - 1] * parts[event]
                place = int(leads[event])
                event += 1
                if place < 0:
                    continue
                is_met = marks[place] >= 0
                shares[place] += share[level]
                if is_met:
                    continue
                waiting += 1
                after[place] = -1
                when = times[place]
                if firsts[when] < 0:
                    firsts[when] = place
                else:
                    after[lasts[when]] = place
                lasts[when] = place
            if depth == 0:
                break
            whole = False
        # remember it, where there is room
        if learn and known < 0 and whole:
            if end + PIECE <= levels.size and used[MEMORY] < memories.shape[0]:
                remember(
                    given, memories, recalled, memory, used, reads, np.int64(bits), start, varying,
                    i, end, plain,
                )  # fmt: skip
        # who is next
        if time > _BEGIN:
            waiting -= 1
            shares[i] = UNMET
            i = after[i]
            if i >= 0:
                share[0] = shares[i]
                continue
            sizes[steps] = waiting + ended
            steps += 1
            if waiting + ended > most:
                span[STATUS] = TOO_MANY
                return
        if waiting == 0:
            break
        time += 1
        while firsts[time] < 0:
            time += 1
        i = firsts[time]
        firsts[time] = -1
        share[0] = shares[i]
        read_state(words, live, rows, i * n, n)
        span[PHASE] = head["phase"]
    used[FILLED], used[MASK] = filled, np.int64(mask)
    span[STATES], span[STEPS] = ended, steps
