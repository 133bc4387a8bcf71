"""The room in which games are expanded: states by hash, chances of nodes, and what came of states.

It is used again and again, and read and written only as far as a game needs: with states packed one
behind the other and an index of their hashes, a small question touches little memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import TAPE, Node, memo_key, weigh
from chargesim.kernels.jit import kernel, tiny

MOST_STEPS = 2048
"""More steps than any game takes; the time of states in which the game is over."""
LEAST = 1024
"""Places of the index that are used in the least."""
NODES = 1024
"""Places for nodes whose chances are remembered; used up to three quarters."""
CHANCES = 1 << 15
"""Chances remembered."""
_SPARE = TAPE * 2048
"""Chances of the nodes of one path that are not remembered."""
EVENTS, MEMORIES = 1 << 18, 1 << 14
"""Events that there is room for, and states whose events are remembered."""
RECALLED = 1 << 16
"""Places by which memories are found: more than twice as many as there are of them."""
MOST_VARYING = 16
"""Most words in which starts may differ for anything to be remembered."""
BITS = 32
"""Bits that say what has happened in some steps: those of their phases, and one more."""
TEST_BIT = BITS - 1
"""Bit of a test that was asked for."""
ASKS, TESTS = -1, -2
"""Where an outcome leads when a further node asks, and when that is a test."""
PIECE = 1024
"""Events for which there is always room: more are dealt with piece by piece."""
_LENGTH = int(Node.LENGTH)
STAMP, NODES_USED, CHANCES_USED, FILLED, MASK, RECALL, MEMORY, EVENT, LISTED = range(9)
"""What ``used`` counts: the stamp by which places of the index are taken, nodes and chances
remembered, states, the mask of the index, the stamp by which places of the recalled are taken,
states and events remembered, and the end states of the game before, as far as its states are still
here."""
UNMET = -0.0
"""Share of a state that the game at hand has not come to. Added to a chance it leaves its bits as
they are, and only its own sign bit is set."""


class Room(NamedTuple):
    """Room for the states of games, and for the chances of nodes.

    Parameters
    ----------
    rows
        Words of the states, uint64, one state behind the other.
    times
        int64: steps after which a state waits for its turn; ``MOST_STEPS`` when the game is over.
    shares
        float64: probability of a state in the game at hand, ``UNMET`` between games.
    marks
        int64: the bits of the shares, which share their memory.
    after
        int64: the state that waits behind it, -1: none; or a mark.
    queues
        int64, shape (2, MOST_STEPS): the first and last state that waits, by time; -1: none.
        Between games nobody waits.
    ends
        int64: states in which the game at hand is over.
    index
        uint64, a power of two long: stamp and place of a state, by hash.
    order
        int64, shape (4, states): the end states of the game before, in rising order, and room to
        sort those of the next.
    keys
        uint64, shape (2, states): room to sort them.
    nodes
        int64, shape (NODES, 3): key of a node, where its chances begin, how many there are.
    chances
        float64: chances of nodes that are remembered, then of those that are not.
    memory
        int64: the latest memory of a state, -1: none.
    memories
        int64, shape (MEMORIES, 6): see :mod:`.memories`.
    recalled
        uint64, a power of two long: stamp and number of a memory, by hash of the state and of the
        bits on which it rests, all or but for the targets of tests.
    given
        uint64, shape (3, MEMORIES, MOST_VARYING): bits of the start on which it rests, their
        values, and those bits on which it rests but for the targets of tests.
    levels, leads, runs, outcomes, parts
        Events (int32 but for the last, float64): how many outcomes led there; to which state, or
        that a further node asked; from here on, how many outcomes of the same node end the game;
        the last outcome and its chance, 0 and 1 where there was none.
    used
        int64: see ``STAMP``.
    """

    rows: Any
    times: Any
    shares: Any
    marks: Any
    after: Any
    queues: Any
    ends: Any
    index: Any
    order: Any
    keys: Any
    nodes: Any
    chances: Any
    memory: Any
    memories: Any
    recalled: Any
    given: Any
    levels: Any
    leads: Any
    runs: Any
    outcomes: Any
    parts: Any
    used: Any


def new_room(states: int, words: int) -> Room:
    """Room for so many states, and so many words of them in all; memory is taken as it is used."""
    size = LEAST
    while size <= 2 * states:
        size *= 4
    used = np.zeros(9, np.int64)
    used[MASK] = LEAST - 1
    shares = np.empty(states)
    return Room(
        np.empty(words, np.uint64),
        np.empty(states, np.int64),
        shares,
        shares.view(np.int64),
        np.empty(states, np.int64),
        np.full((2, MOST_STEPS), -1),
        np.empty(states, np.int64),
        np.zeros(size, np.uint64),
        np.empty((4, states), np.int64),
        np.empty((2, states), np.uint64),
        np.zeros((NODES, 3), np.int64),
        np.empty(CHANCES + _SPARE),
        np.empty(states, np.int64),
        np.empty((MEMORIES, 6), np.int64),
        np.zeros(RECALLED, np.uint64),
        np.empty((3, MEMORIES, MOST_VARYING), np.uint64),
        np.empty(EVENTS, np.int32),
        np.empty(EVENTS, np.int32),
        np.empty(EVENTS, np.int32),
        np.empty(EVENTS, np.int32),
        np.empty(EVENTS),
        used,
    )


@kernel
def forget_nodes(room: Room) -> None:
    """Begin to remember nodes anew."""
    for i in range(NODES):
        room.nodes[i, 0] = 0
    room.used[NODES_USED] = 0
    room.used[CHANCES_USED] = 0


@kernel
def forget_states(room: Room) -> None:
    """Begin anew with no states."""
    used = room.used
    used[STAMP] = next_stamp(room.index, used[STAMP])
    used[RECALL] = next_stamp(room.recalled, used[RECALL])
    used[FILLED] = used[MEMORY] = used[EVENT] = 0
    used[MASK] = LEAST - 1
    used[LISTED] = 0


@kernel
def make_ready(room: Room, limit: int, learn: bool) -> None:
    """Forget before a game what it may not use, or what leaves it too little room.

    Parameters
    ----------
    limit
        States for which there is room.
    learn
        True when what came of states in the games before may be used.
    """
    used = room.used
    if 4 * used[NODES_USED] >= 3 * NODES or 2 * used[CHANCES_USED] >= CHANCES:
        forget_nodes(room)
    much = 2 * used[FILLED] > limit
    if 2 * used[EVENT] > room.levels.size or 2 * used[MEMORY] > room.memories.shape[0]:
        much = True
    if not learn or much:
        forget_states(room)


@kernel
def chances_of(nodes: Any, chances: Any, used: Any, dice: Any, spare: int) -> tuple[int, int]:
    """Where the chances of the node that asks begin, and how many there are; 0: not countable.

    Parameters
    ----------
    nodes, chances, used
        Of the room: to hand over all of it takes longer than the look-up.
    spare
        Where those of a node that is not remembered may be written.
    """
    pending = dice["pending"]
    kind = int(pending[0])
    key, slot = np.int64(0), np.int64(0)
    if kind != _LENGTH:
        key = np.int64(memo_key(kind, int(pending[1]), int(pending[2]), int(pending[3])))
        slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(54))
        while nodes[slot, 0] != 0:
            if nodes[slot, 0] == key:
                return nodes[slot, 1], nodes[slot, 2]
            slot = (slot + 1) % NODES
    count = weigh(dice)
    at = spare
    known = used[CHANCES_USED]
    if kind != _LENGTH and 4 * used[NODES_USED] < 3 * NODES and known + count <= CHANCES:
        at = known
        used[NODES_USED] += 1
        used[CHANCES_USED] += count
        nodes[slot, 0], nodes[slot, 1], nodes[slot, 2] = key, at, count
    for k in range(count):
        chances[at + k] = dice["pmf"][k]
    return at, count


@tiny
def slot_of(rows: Any, at: int, n: int, time: int) -> Any:
    """Where in the index a state is looked for first, to be masked."""
    h = np.uint64(time)
    odd = np.uint64(0x9E3779B97F4A7C15)
    begin = np.uint64(at)
    for j in range(n):
        h += rows[begin + np.uint64(j)] * odd
        odd += np.uint64(0x6A09E667F3BCC908)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h >> np.uint64(32)


# places are unsigned where it counts: signed ones might be meant from the end, which takes a look


@tiny
def write_state(words: Any, live: Any, rows: Any, at: int, n: int) -> None:
    """Write the live words of a game down, one behind the other from a place on."""
    begin = np.uint64(at)
    for j in range(n):
        rows[begin + np.uint64(j)] = words[np.uint64(live[j])]


@tiny
def read_state(words: Any, live: Any, rows: Any, at: int, n: int) -> None:
    """Put live words that were written down into a game."""
    begin = np.uint64(at)
    for j in range(n):
        words[np.uint64(live[j])] = rows[begin + np.uint64(j)]


@tiny
def place_of(
    rows: Any, times: Any, index: Any, mask: Any, stamp: int, at: int, n: int, time: int, fresh: int
) -> tuple[int, Any]:
    """Which state it is that waits for a turn, and where in the index it stands.

    Parameters
    ----------
    rows, times, index, n
        As in a :class:`Room`.
    mask, stamp
        Of the index.
    at
        Where its words are.
    time
        Of its turn.
    fresh
        The number of a state that is not there yet.
    """
    slot = slot_of(rows, at, n, time) & mask
    found, own = np.int64(fresh), np.uint64(at)
    while index[slot] >> np.uint64(32) == np.uint64(stamp):
        met = np.int64(index[slot] & np.uint64(0xFFFFFFFF))
        differs, its = np.uint64(times[np.uint64(met)] ^ time), np.uint64(met * n)
        for j in range(n):
            differs |= rows[its + np.uint64(j)] ^ rows[own + np.uint64(j)]
        if differs == 0:
            found = met
            break
        slot = (slot + np.uint64(1)) & mask
    return found, slot


@kernel
def next_stamp(index: Any, last: int) -> int:
    """Stamp by which no place of the index is taken."""
    if (last + 1) >> 32:
        index[:] = 0
        return 1
    return last + 1


@kernel
def enlarge(
    used: Any, index: Any, mask: Any, rows: Any, times: Any, count: int, n: int
) -> tuple[Any, int]:
    """Take more of the index, and enter all states anew: its mask and its stamp."""
    mask = mask << np.uint64(2) | np.uint64(3)
    stamp = next_stamp(index, used[STAMP])
    used[STAMP] = stamp
    for i in range(count):
        slot = slot_of(rows, i * n, n, times[i]) & mask
        while index[slot] >> np.uint64(32) == np.uint64(stamp):
            slot = (slot + np.uint64(1)) & mask
        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(i)
    return mask, stamp
