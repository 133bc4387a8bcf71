"""Exact expansion: games advanced step by step over every outcome, equal states merged.

Each step is run once for every path through its chance nodes. A *room* holds all that it takes, is
used again and again, and is read and written only as far as a game needs: with states packed one
behind the other and an index of their hashes, a small question touches little memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import TAPE, Mode, Node, memo_key, new_dice, weigh
from chargesim.kernels.jit import address_of, call_step, kernel, tiny

MOST_STEPS = 2048
"""More steps than any game takes."""
WAITS, TOO_DEEP, FULL, UNCOUNTABLE, TOO_MANY = -1, 1, 2, 3, 4
"""Why a game has no end states: its turn has not come; more nodes in one step than the tape holds;
no room for the states of a step; a node whose outcomes cannot be counted; more states after a step
than are allowed."""
LEAST = 256
"""Places of the index that are used in the least."""
NODES = 1024
"""Places for nodes whose chances are remembered; used up to three quarters."""
CHANCES = 1 << 15
"""Chances remembered."""
_SPARE = TAPE * 2048
"""Chances of the nodes of one path that are not remembered."""
_LENGTH = int(Node.LENGTH)
STATES, STEPS, STATUS, SIDE, PHASE = 0, 1, 2, 3, 4
"""What a span holds: states before the next step, steps taken, a status, the half of the room in
which the states stand, and the phase of the last step, that of its first state."""
ROOM = 1 << 15, 1 << 19
"""States and words of the room that a desk has at first."""
ENDS = 1 << 15, 1 << 18, 1 << 12
"""End states, words of them, and steps that a desk can write down in one call."""


class Room(NamedTuple):
    """Room for the states of a step and of the next, and for the chances of nodes.

    Parameters
    ----------
    rows, shares
        States (uint64, shape (2, words)), one behind the other, and their probabilities (float64,
        shape (2, states)): the step that is taken and the next, in turn.
    index
        uint64, a power of two long: stamp of a step and place of a state, by hash.
    order
        int64, shape (2, states): to sort them.
    nodes
        int64, shape (NODES, 3): key of a node, where its chances begin, how many there are.
    chances
        float64: chances of nodes that are remembered, then of those that are not.
    used
        int64: the last stamp, nodes remembered, chances remembered.
    """

    rows: Any
    shares: Any
    index: Any
    order: Any
    nodes: Any
    chances: Any
    used: Any


def new_room(states: int, words: int) -> Room:
    """Room for so many states, and so many words of them in all; memory is taken as it is used."""
    size = LEAST
    while size <= 2 * states:
        size *= 4
    return Room(
        np.empty((2, words), np.uint64),
        np.empty((2, states)),
        np.zeros(size, np.uint64),
        np.empty((2, states), np.int64),
        np.zeros((NODES, 3), np.int64),
        np.empty(CHANCES + _SPARE),
        np.zeros(3, np.int64),
    )


@kernel
def forget_nodes(room: Room) -> None:
    """Begin to remember nodes anew."""
    for i in range(NODES):
        room.nodes[i, 0] = 0
    room.used[1] = 0
    room.used[2] = 0


@kernel
def chances_of(room: Room, dice: Any, spare: int) -> tuple[int, int]:
    """Where the chances of the node that asks begin, and how many there are; 0: not countable.

    Parameters
    ----------
    spare
        Where those of a node that is not remembered may be written.
    """
    pending = dice["pending"]
    kind = int(pending[0])
    key, slot = np.int64(0), np.int64(0)
    if kind != _LENGTH:
        key = np.int64(memo_key(kind, int(pending[1]), int(pending[2]), int(pending[3])))
        slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(54))
        while room.nodes[slot, 0] != 0:
            if room.nodes[slot, 0] == key:
                return room.nodes[slot, 1], room.nodes[slot, 2]
            slot = (slot + 1) % NODES
    count = weigh(dice)
    at = spare
    if kind != _LENGTH and 4 * room.used[1] < 3 * NODES and room.used[2] + count <= CHANCES:
        at = room.used[2]
        room.used[1] += 1
        room.used[2] += count
        room.nodes[slot, 0], room.nodes[slot, 1], room.nodes[slot, 2] = key, at, count
    for k in range(count):
        room.chances[at + k] = dice["pmf"][k]
    return at, count


@tiny
def slot_of(rows: Any, at: int, n: int) -> Any:
    """Where in the index a state is looked for first, to be masked."""
    h = np.uint64(0)
    odd = np.uint64(0x9E3779B97F4A7C15)
    for j in range(n):
        h += rows[at + j] * odd
        odd += np.uint64(0x6A09E667F3BCC908)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h >> np.uint64(32)


@kernel
def next_stamp(room: Room) -> int:
    """Stamp by which no place of the index is taken."""
    stamp = room.used[0] + 1
    if stamp >> 32:
        room.index[:] = 0
        stamp = 1
    room.used[0] = stamp
    return stamp


@kernel
def enter_all(index: Any, mask: Any, stamp: int, rows: Any, count: int, n: int) -> None:
    """Enter different states into more of the index."""
    for i in range(count):
        slot = slot_of(rows, i * n, n) & mask
        while index[slot] >> np.uint64(32) == np.uint64(stamp):
            slot = (slot + np.uint64(1)) & mask
        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(i)


@kernel
def expand(
    step: Any,
    game: Any,
    dice: Any,
    words: Any,
    live: Any,
    room: Room,
    sizes: Any,
    span: Any,
    most: int,
) -> None:
    """Advance states step by step over every outcome, merging equal ones, until all games are over.

    A state that is met again keeps the place of its first, so that sums do not depend on the room.

    Parameters
    ----------
    step
        Address of the ruleset's step.
    game, words, live
        The game, its words (they share memory) and the places of its live words.
    dice
        Dice record in ENUMERATE mode.
    room
        Where the states stand, in the half that the span names; the end states in the end.
    sizes
        int64: number of states after each step.
    span
        int64: see ``STATES``.
    most
        Most states after a step.
    """
    n = live.size
    index, chances = room.index, room.chances
    limit = min(room.shares.shape[1], room.rows.shape[1] // n) - 1
    first, count, tape = np.empty(TAPE, np.int64), np.empty(TAPE, np.int64), dice["tape"]
    upto = np.empty(TAPE + 1)
    spare = np.empty(TAPE + 1, np.int64)
    spare[0] = CHANCES
    head = game["head"]
    while True:
        side = span[SIDE]
        rows, shares = room.rows[side], room.shares[side]
        new, parts = room.rows[1 - side], room.shares[1 - side]
        stamp = next_stamp(room)
        # no more of the index than is needed: its lines are seldom near
        mask = np.uint64(LEAST - 1)
        while np.int64(mask) < 2 * span[STATES]:
            mask = mask << np.uint64(2) | np.uint64(3)
        filled, going = 0, 0
        for i in range(span[STATES]):
            depth = 0
            upto[0] = shares[i]
            while True:
                for j in range(n):
                    words[live[j]] = rows[i * n + j]
                dice["asked"] = 0
                dice["depth"] = depth
                dice["wanting"] = 0
                # a trial that is over waits for the others
                if head["done"] == 0:
                    if going == 0:
                        span[PHASE] = head["phase"]
                    going += 1
                    call_step(step, game, dice)
                if dice["wanting"]:
                    if depth == TAPE:
                        span[STATUS] = TOO_DEEP
                        return
                    first[depth], count[depth] = chances_of(room, dice, spare[depth])
                    if count[depth] == 0:
                        span[STATUS] = UNCOUNTABLE
                        return
                    own = count[depth] if first[depth] >= CHANCES else 0
                    spare[depth + 1] = spare[depth] + own
                    tape[depth] = -1
                    depth += 1
                else:
                    # the state is written where a new one goes, then looked up
                    at = filled * n
                    for j in range(n):
                        new[at + j] = words[live[j]]
                    slot = slot_of(new, at, n) & mask
                    place = np.int64(filled)
                    while index[slot] >> np.uint64(32) == np.uint64(stamp):
                        known = np.int64(index[slot] & np.uint64(0xFFFFFFFF))
                        differs = np.uint64(0)
                        for j in range(n):
                            differs |= new[known * n + j] ^ new[at + j]
                        if differs == 0:
                            place = known
                            break
                        slot = (slot + np.uint64(1)) & mask
                    if place < filled:
                        parts[place] += upto[depth]
                    elif filled == limit:
                        span[STATUS] = FULL
                        return
                    else:
                        parts[filled] = upto[depth]
                        index[slot] = np.uint64(stamp) << np.uint64(32) | np.uint64(filled)
                        filled += 1
                        if 2 * filled > np.int64(mask):
                            mask = mask << np.uint64(2) | np.uint64(3)
                            stamp = next_stamp(room)
                            enter_all(index, mask, stamp, new, filled, n)
                # on to the next outcome of positive weight, back over nodes that are used up
                while depth > 0:
                    k = tape[depth - 1] + 1
                    while k < count[depth - 1] and chances[first[depth - 1] + k] <= 0.0:
                        k += 1
                    if k < count[depth - 1]:
                        tape[depth - 1] = k
                        upto[depth] = upto[depth - 1] * chances[first[depth - 1] + k]
                        break
                    depth -= 1
                if depth == 0:
                    break
        if going == 0:
            return
        span[STATES], span[SIDE] = filled, 1 - side
        sizes[span[STEPS]] = filled
        span[STEPS] += 1
        if filled > most:
            span[STATUS] = TOO_MANY
            return
        if span[STEPS] == MOST_STEPS:
            return


@kernel
def comes_after(rows: Any, n: int, varying: Any, columns: int, i: int, k: int) -> bool:
    """True when state ``i`` is greater than state ``k``, word by word."""
    for c in range(columns):
        a, b = rows[i * n + varying[c]], rows[k * n + varying[c]]
        if a != b:
            return bool(a > b)
    return False


@kernel
def rising(room: Room, side: int, count: int, n: int) -> Any:
    """Numbers of the states of one half in rising order."""
    rows = room.rows[side]
    varying = np.empty(n, np.int64)
    columns = 0
    for j in range(n):
        differs = np.uint64(0)
        for i in range(1, count):
            differs |= rows[i * n + j] ^ rows[j]
        if differs:
            varying[columns] = j
            columns += 1
    here, there = room.order[0], room.order[1]
    for i in range(count):
        here[i] = i
    width = 1
    while width < count:
        for begin in range(0, count, 2 * width):
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            a, b = begin, middle
            for k in range(begin, end):
                if b == end or (
                    a < middle and not comes_after(rows, n, varying, columns, here[a], here[b])
                ):
                    there[k] = here[a]
                    a += 1
                else:
                    there[k] = here[b]
                    b += 1
        here, there = there, here
        width *= 2
    return here


@kernel
def expand_many(
    step: Any,
    games: Any,
    dices: Any,
    words: Any,
    live: Any,
    places: Any,
    starts: Any,
    room: Room,
    spans: Any,
    ends: Any,
    weights: Any,
    steps: Any,
    most: int,
) -> None:
    """Expand many games of one shape, each by itself.

    Parameters
    ----------
    step, words, live, room, most
        As for :func:`expand`.
    games, dices
        Arrays of one game and of one dice record.
    places
        int64: places in the game of the words of a start.
    starts
        uint64, shape (games, words of a start).
    spans
        int64, shape (games, 5): spans in the end. A game whose states must stop the expansion does
        not stop the others. Status ``WAITS`` has to stand in all: it is left in those for whose
        end states there is no more room.
    ends, weights, steps
        uint64, float64 and int64: end states of each game in rising order, their probabilities,
        and the numbers of states after each step, of one game behind those of another.
    """
    game, dice = games[0], dices[0]
    n = live.size
    sizes = np.empty(MOST_STEPS, np.int64)
    at, taken = 0, 0
    for g in range(starts.shape[0]):
        for j in range(places.size):
            words[places[j]] = starts[g, j]
        for j in range(n):
            room.rows[0, j] = words[live[j]]
        room.shares[0, 0] = 1.0
        span = spans[g]
        span[STATES], span[STEPS], span[STATUS], span[SIDE] = 1, 0, 0, 0
        if 4 * room.used[1] >= 3 * NODES or 2 * room.used[2] >= CHANCES:
            forget_nodes(room)
        expand(step, game, dice, words, live, room, sizes, span, most)
        if span[STATUS]:
            continue
        count = span[STATES]
        no_room = at + count > weights.size or (at + count) * n > ends.size
        if no_room or taken + span[STEPS] > steps.size:
            span[STATUS] = WAITS
            return
        rows, shares = room.rows[span[SIDE]], room.shares[span[SIDE]]
        order = rising(room, span[SIDE], count, n)
        for i in range(count):
            for j in range(n):
                ends[at * n + j] = rows[order[i] * n + j]
            weights[at] = shares[order[i]]
            at += 1
        for k in range(span[STEPS]):
            steps[taken] = sizes[k]
            taken += 1


_own = threading.local()


def own_dice() -> Any:
    """Array of one dice record in ENUMERATE mode, the thread's own: a fresh one takes long to make.

    Whoever uses it must be done before somebody else on the thread does; nothing is kept in it.
    """
    if not hasattr(_own, "dice"):
        _own.dice = new_dice(Mode.ENUMERATE)
    return _own.dice


class Expansion(NamedTuple):
    """What became of one game.

    Parameters
    ----------
    status
        0, or why there are no end states.
    phase
        Of the last step.
    states, chances
        End states in rising order (uint64, shape (states, words)) and their probabilities.
    sizes
        Number of states after each step.
    """

    status: int
    phase: int
    states: Any
    chances: Any
    sizes: tuple[int, ...]


class Desk:
    """A game, dice and room with which one thread at a time expands games of a ruleset.

    Parameters
    ----------
    step
        The ruleset's step.
    game
        Array of one full game, all of it or what stays the same in all that is expanded.
    """

    def __init__(self, step: Callable[..., None], game: np.ndarray[Any, Any]) -> None:
        self.game, self.words, self.dice = game, game.view(np.uint64), new_dice(Mode.ENUMERATE)
        self.step = address_of(step, game[0], self.dice[0])
        self.room, self.ends = new_room(*ROOM), _new_ends(*ENDS)
        self.loaded: Any = None

    def expand(self, live: Any, places: Any, starts: Any, most: int) -> list[Expansion]:
        """Expand games of one shape.

        Parameters
        ----------
        live, places, starts, most
            As for :func:`expand_many`.
        """
        if places is not self.loaded:
            if self.loaded is not None:
                self.words[self.loaded] = 0  # of another shape
            self.loaded = places
        found: list[Expansion] = []
        ends = self.ends
        while len(found) < len(starts):
            done = self._expand(live, places, starts[len(found) :], self.room, ends, most)
            found += done
            if not done:
                ends = _new_ends(4 * ends[1].size, 4 * ends[0].size, 4 * ends[2].size)
        for i, one in enumerate(found):
            if one.status == FULL:
                found[i] = self._in_more_room(live, places, starts[i : i + 1], most)
        return found

    def _in_more_room(self, live: Any, places: Any, start: Any, most: int) -> Expansion:
        """Expand a game whose states need a larger room; it is not kept."""
        n = live.size
        states = min(ROOM[0], ROOM[1] // n)
        while True:
            states = min(8 * states, most + 2)
            ends = _new_ends(states, states * n, MOST_STEPS)
            (one,) = self._expand(live, places, start, new_room(states, states * n), ends, most)
            if one.status != FULL:
                return one
            if states == most + 2:
                # there was room for one more than are allowed
                return one._replace(status=TOO_MANY)

    def _expand(
        self, live: Any, places: Any, starts: Any, room: Room, ends: _Ends, most: int
    ) -> list[Expansion]:
        """Expand the first of some games, as many as there is room for what comes of them."""
        spans = np.full((len(starts), 5), WAITS, np.int64)
        expand_many(
            self.step, self.game, self.dice, self.words, live, places, starts, room, spans, *ends,
            most,
        )  # fmt: skip
        told = [one for one in spans.tolist() if one[STATUS] != WAITS]
        n = live.size
        count = sum(one[STATES] for one in told if not one[STATUS])
        states, chances = ends[0][: count * n].reshape(count, n).copy(), ends[1][:count].copy()
        sizes = ends[2][: sum(one[STEPS] for one in told if not one[STATUS])].tolist()
        found = []
        at, taken = 0, 0
        for count, steps, status, _, phase in told:
            if status:
                found.append(Expansion(status, phase, states[:0], chances[:0], ()))
                continue
            own = slice(at, at + count)
            size = tuple(sizes[taken : taken + steps])
            found.append(Expansion(0, phase, states[own], chances[own], size))
            at += count
            taken += steps
        return found


_Ends = tuple[Any, Any, Any]


def _new_ends(states: int, words: int, steps: int) -> _Ends:
    """Room for end states, their probabilities, and numbers of states."""
    return np.empty(words, np.uint64), np.empty(states), np.empty(steps, np.int64)
