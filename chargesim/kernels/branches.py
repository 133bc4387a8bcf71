"""One game advanced over every outcome, equal states merged.

A state waits at the step that asks for chance; its game is run once for every path through the
nodes of that step, and on from there until a step asks again. States wait by the number of steps
taken, and what comes to the same state at the same time is merged.

In a batch much is alike. What came of a state is remembered with the bits of the start on which it
rests: those of the fields that the steps taken can read (:mod:`.reads`). Where another game comes
to that state with the same bits, the rules need not be run: the same chances lead to the same
states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.dice import TAPE, Node
from chargesim.kernels.jit import call_step, kernel
from chargesim.kernels.room import (
    BITS,
    CHANCES,
    EVENT,
    FILLED,
    GAME,
    MASK,
    MEMORY,
    MOST_STEPS,
    STAMP,
    TEST_BIT,
    Room,
    chances_of,
    enter_all,
    next_stamp,
    slot_of,
)

TOO_DEEP, FULL, UNCOUNTABLE, TOO_MANY = 1, 2, 3, 4
"""Why a game has no end states: more nodes in one step than the tape holds; no room for its states;
a node whose outcomes cannot be counted; more states after a step than are allowed."""
STATES, STEPS, STATUS, PHASE, FIRST = 0, 1, 2, 3, 4
"""What a span holds: end states, steps that were looked at, a status, the phase of the last of
them, that of its first state, and the place of the first end state among those written down."""
_TEST = int(Node.TEST)
_ASKS, _END = -1, -2
"""Where an outcome leads when a further node asks, and when the game is over in state 0, 1, ...:
this, and from here down."""
_TRIES = 32
"""Memories of a state that are looked at, the latest first."""
_PIECE = 1024
"""Events for which there is always room: more are dealt with piece by piece."""


@kernel
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
    rows, times, shares, after, seen = room.rows, room.times, room.shares, room.after, room.seen
    firsts, lasts, index, ends = room.queues[0], room.queues[1], room.index, room.ends
    nodes, chances, used = room.nodes, room.chances, room.used
    memory, memories = room.memory, room.memories
    rests, values = room.given[0], room.given[1]
    levels, leads, parts = room.levels, room.leads, room.parts
    filled, stamp, mask = used[FILLED], used[STAMP], np.uint64(used[MASK])
    limit = min(shares.size, rows.size // n) - 1
    # by depth: where a node's chances begin, how many there are, where free room for them begins
    nests, share, tape = np.empty((3, TAPE + 1), np.int64), np.empty(TAPE + 1), dice["tape"]
    first, count, spare = nests[0], nests[1], nests[2]
    spare[0] = CHANCES
    head = game["head"]
    number, vary = used[GAME], varying.size
    waiting, ended, steps = 0, 0, 0
    # the start is reached as other states are: by running on until a step asks
    i, time = -1, -1
    share[0] = 1.0
    while True:
        # what comes of a state: remembered,
        known, tries = memory[i] if learn and i >= 0 else -1, 0
        while known >= 0:
            differs = np.uint64(0)
            for v in range(vary):
                differs |= (start[varying[v]] & rests[known, v]) ^ values[known, v]
            if differs == 0:
                break
            tries += 1
            known = memories[known, 0] if tries < _TRIES else -1
        # or found out: the game is run for every path through its nodes
        depth, asks, bits = 0, -1, np.uint64(0)
        whole = True
        while True:
            begin = memories[known, 1] if known >= 0 else used[EVENT]
            end = memories[known, 2] if known >= 0 else begin
            while known < 0:
                wanting = 0
                if i >= 0:
                    for j in range(n):
                        words[live[j]] = rows[i * n + j]
                    bits |= np.uint64(1) << np.uint64(head["phase"])
                    dice["asked"], dice["depth"], dice["wanting"] = 0, depth, 0
                    call_step(step, game, dice)
                    wanting = dice["wanting"]
                levels[end] = depth
                leads[end] = _ASKS
                if depth > 0:
                    parts[end] = chances[first[depth - 1] + tape[depth - 1]]
                if wanting:
                    if depth == TAPE:
                        span[STATUS] = TOO_DEEP
                        return
                    if dice["pending"][0] == _TEST:
                        bits |= np.uint64(1) << np.uint64(TEST_BIT)
                    first[depth], count[depth] = chances_of(
                        nodes, chances, used, dice, spare[depth]
                    )
                    if count[depth] == 0:
                        span[STATUS] = UNCOUNTABLE
                        return
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
                        for j in range(n):
                            rows[at + j] = words[live[j]]
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
                    slot = slot_of(rows, at, n, now) & mask
                    place = np.int64(filled)
                    while index[slot] >> np.uint64(32) == np.uint64(stamp):
                        met = np.int64(index[slot] & np.uint64(0xFFFFFFFF))
                        differs = np.uint64(times[met] ^ now)
                        for j in range(n):
                            differs |= rows[met * n + j] ^ rows[at + j]
                        if differs == 0:
                            place = met
                            break
                        slot = (slot + np.uint64(1)) & mask
                    if place == filled:
                        times[filled], seen[filled], memory[filled] = now, 0, -1
                        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(filled)
                        filled += 1
                        if 2 * filled > np.int64(mask):
                            mask = mask << np.uint64(2) | np.uint64(3)
                            stamp = next_stamp(index, stamp)
                            used[STAMP] = stamp
                            enter_all(index, mask, stamp, rows, times, filled, n)
                    leads[end] = place if now < MOST_STEPS else _END - place
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
            for event in range(begin, end):
                level, place = levels[event], np.int64(leads[event])
                if level > 0:
                    share[level] = share[level - 1] * parts[event]
                if place == _ASKS:
                    continue
                over = place <= _END
                if over:
                    place = _END - place
                if seen[place] == number:
                    shares[place] += share[level]
                    continue
                seen[place] = number
                shares[place] = share[level]
                if over:
                    ends[ended] = place
                    ended += 1
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
        if learn and known < 0 and i >= 0 and whole:
            if end + _PIECE <= levels.size and used[MEMORY] < memories.shape[0]:
                known = used[MEMORY]
                memories[known, 0], memories[known, 1], memories[known, 2] = memory[i], begin, end
                for v in range(vary):
                    bound = np.uint64(0)
                    for b in range(BITS):
                        if (bits >> np.uint64(b)) & np.uint64(1):
                            bound |= reads[b, v]
                    rests[known, v], values[known, v] = bound, start[varying[v]] & bound
                memory[i] = known
                used[MEMORY] += 1
                used[EVENT] = end
        # who is next
        if i >= 0:
            waiting -= 1
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
        for j in range(n):
            words[live[j]] = rows[i * n + j]
        span[PHASE] = head["phase"]
    used[FILLED], used[MASK] = filled, np.int64(mask)
    span[STATES], span[STEPS] = ended, steps
