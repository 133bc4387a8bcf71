"""What came of states is remembered, and taken again where another game comes to the same.

A memory rests on bits of the start: those that the steps taken can read (:mod:`.reads`). Where
starts differ in the target of a test alone, the same outcomes lead to the same states: only the
chances of the tests are asked for anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.dice import TAPE, Node
from chargesim.kernels.jit import call_step, kernel, tiny
from chargesim.kernels.room import (
    ASKS,
    BITS,
    CHANCES,
    EVENT,
    MEMORY,
    PIECE,
    RECALL,
    RECALLED,
    TEST_BIT,
    TESTS,
    Room,
    chances_of,
    read_state,
)

BEFORE, BEGIN, END, STATE, HAPPENED, PLAIN = range(6)
"""What is known of a memory: the one of the same state before it, where its events begin and end,
the state, bits of what has happened, and whether all tests may be passed and failed."""
WHOLLY, PARTLY = 0, 2
"""Where the bits stand on which a memory rests: all of them, and all but for targets of tests."""
_VALUES = 1
_TEST = int(Node.TEST)


@tiny
def agrees(given: Any, which: int, known: int, start: Any, varying: Any) -> bool:
    """True when a start has the bits on which a memory rests."""
    differs = np.uint64(0)
    for v in range(varying.size):
        differs |= (start[varying[v]] ^ given[_VALUES, known, v]) & given[which, known, v]
    return bool(differs == 0)


@tiny
def recall_at(given: Any, which: int, known: int, start: Any, varying: Any, state: int) -> Any:
    """Where a memory of a state is looked for that rests on the same bits as a known one."""
    h = np.uint64(state * 4 + which) * np.uint64(0x9E3779B97F4A7C15)
    for v in range(varying.size):
        h = (h ^ (start[varying[v]] & given[which, known, v])) * np.uint64(0xD6E8FEB86659FD93)
        h ^= h >> np.uint64(32)
    return h & np.uint64(RECALLED - 1)


# arrays by themselves: to take one out of the room costs more than its use


@tiny
def recall(
    given: Any,
    memories: Any,
    recalled: Any,
    stamp: Any,
    which: int,
    like: int,
    start: Any,
    varying: Any,
) -> int:
    """Number of a memory that agrees with a start and rests on the same bits as another; -1: none.

    Parameters
    ----------
    given, memories, recalled, stamp
        Of the room; the stamp is that of the recalled.
    which
        ``WHOLLY``, or ``PARTLY``: it may differ in the targets of tests, each of which may be
        passed and failed.
    like
        The other, of the same state.
    """
    state, found = memories[like, STATE], np.int64(-1)
    slot = recall_at(given, which, like, start, varying, state)
    while found < 0 and recalled[slot] >> np.uint64(32) == stamp:
        known = np.int64(recalled[slot] & np.uint64(0xFFFFFFFF))
        if memories[known, STATE] == state and (which == WHOLLY or memories[known, PLAIN]):
            if agrees(given, which, known, start, varying):
                found = known
        slot = (slot + np.uint64(1)) & np.uint64(RECALLED - 1)
    return int(found)


@kernel
def remember(
    given: Any,
    memories: Any,
    recalled: Any,
    memory: Any,
    used: Any,
    reads: Any,
    bits: int,
    start: Any,
    varying: Any,
    state: int,
    end: int,
    plain: bool,
) -> int:
    """Remember what comes of a state, for which there is room: the number of the memory.

    Parameters
    ----------
    given, memories, recalled, memory, used
        Of the room.
    reads
        As for :func:`.branches.expand`.
    bits
        Of what has happened.
    end
        Where its events end; they begin where the last ones that are remembered end.
    plain
        True when others may take it but for the chances of tests.
    """
    known = used[MEMORY]
    memories[known, BEFORE], memories[known, STATE] = memory[state], state
    memories[known, BEGIN], memories[known, END] = used[EVENT], end
    memories[known, HAPPENED], memories[known, PLAIN] = bits, plain
    for v in range(varying.size):
        bound, tests = np.uint64(0), np.uint64(0)
        for b in range(BITS):
            if (bits >> b) & 1:
                if b == TEST_BIT:
                    tests |= reads[b, v]
                else:
                    bound |= reads[b, v]
        given[WHOLLY, known, v], given[PARTLY, known, v] = bound | tests, bound
        given[_VALUES, known, v] = start[varying[v]] & (bound | tests)
    memory[state] = known
    used[MEMORY], used[EVENT] = known + 1, end
    stamp = np.uint64(used[RECALL])
    for which in range(WHOLLY, (PARTLY if plain else WHOLLY) + 1, PARTLY - WHOLLY):
        slot = recall_at(given, which, known, start, varying, state)
        while recalled[slot] >> np.uint64(32) == stamp:
            slot = (slot + np.uint64(1)) & np.uint64(RECALLED - 1)
        recalled[slot] = stamp << np.uint64(32) | np.uint64(known)
    return int(known)


@kernel
def test_anew(step: Any, game: Any, dice: Any, words: Any, live: Any, room: Room, near: int) -> int:
    """Write the events of a memory down once more, with the chances that tests have now.

    Where these events end; -1 where there is no room, or a test cannot be passed or failed.
    """
    levels, leads, runs, parts = room.levels, room.leads, room.runs, room.parts
    outcomes, chances, tape = room.outcomes, room.chances, dice["tape"]
    first, last = room.memories[near, BEGIN], room.memories[near, END]
    state, end = room.memories[near, STATE], room.used[EVENT]
    if end + (last - first) + PIECE > levels.size or room.used[MEMORY] >= room.memories.shape[0]:
        return -1
    # by depth: where the chances of a test begin, -1 for other nodes
    tests, spare = np.full(TAPE + 1, -1), CHANCES
    for event in range(first, last):
        level = levels[event]
        levels[end], leads[end], runs[end] = level, leads[event], runs[event]
        outcomes[end], parts[end] = outcomes[event], parts[event]
        if level > 0:
            tape[level - 1] = outcomes[event]
            if tests[level - 1] >= 0:
                parts[end] = chances[tests[level - 1] + outcomes[event]]
        if leads[event] == ASKS:
            tests[level] = -1
        elif leads[event] == TESTS:
            read_state(words, live, room.rows, state * live.size, live.size)
            dice["asked"], dice["depth"], dice["wanting"] = 0, level, 0
            call_step(step, game, dice)
            if not dice["wanting"] or dice["pending"][0] != _TEST:
                return -1
            at, count = chances_of(room.nodes, chances, room.used, dice, spare)
            if not is_open(chances, at, count):
                return -1
            tests[level] = at
            spare += count if at >= CHANCES else 0
        end += 1
    return int(end)


@tiny
def is_open(chances: Any, at: int, count: int) -> bool:
    """True when a test may be passed and failed."""
    return bool(count == 2 and chances[at] > 0.0 and chances[at + 1] > 0.0)
