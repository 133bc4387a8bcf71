"""Exact expansion: many games of one shape, each advanced over every outcome.

How one is advanced is told in :mod:`.branches`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.branches import (
    FIRST,
    FULL,
    STATES,
    STATUS,
    STEPS,
    expand,
)
from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.ends import list_ends
from chargesim.kernels.jit import address_of, kernel
from chargesim.kernels.room import (
    BITS,
    FILLED,
    LISTED,
    MOST_STEPS,
    MOST_VARYING,
    Room,
    forget_states,
    make_ready,
    new_room,
)

WAITS = -1
"""Status of a game whose turn has not come."""
ROOM = 1 << 15, 1 << 19
"""States and words of the room that a desk has at first."""
ENDS = 1 << 18, 1 << 20, 1 << 14
"""Probabilities, words of end states, and steps that a desk can write down in one call."""


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
    varying: Any,
    reads: Any,
    learn: bool,
    spans: Any,
    ends: Any,
    weights: Any,
    steps: Any,
    most: int,
) -> None:
    """Expand many games of one shape, each as it is expanded by itself, bit for bit.

    Parameters
    ----------
    step, words, live, room, varying, reads, learn, most
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
    ends
        uint64: end states in rising order; games that end in the same states share them.
    weights, steps
        float64 and int64: probabilities of the end states of each game, and the numbers of states
        after each step, of one game behind those of another.
    """
    game, dice = games[0], dices[0]
    n = live.size
    limit = min(room.shares.size, room.rows.size // n)
    sizes = np.empty(MOST_STEPS, np.int64)
    at, taken, written = 0, 0, 0
    room.used[LISTED] = 0  # they are not written down here
    for g in range(starts.shape[0]):
        span = spans[g]
        make_ready(room, limit, learn)
        while True:
            began = room.used[FILLED]
            for j in range(places.size):
                words[places[j]] = starts[g, j]
            span[STATUS] = 0
            expand(
                step, game, dice, words, live, room, starts[g], varying, reads, learn, sizes, span,
                most,
            )  # fmt: skip
            if span[STATUS] == 0:
                break
            room.queues[:] = -1
            forget_states(room)
            if span[STATUS] != FULL or began == 0:
                break
        if span[STATUS]:
            continue
        count = span[STATES]
        same = list_ends(room, n, count)
        no_room = at + count > weights.size or (not same and (written + count) * n > ends.size)
        if no_room or taken + span[STEPS] > steps.size:
            span[STATUS] = WAITS
            return
        listed = room.order[0]
        if not same:
            for k in range(count):
                place = listed[k]
                for j in range(n):
                    ends[(written + k) * n + j] = room.rows[place * n + j]
            written += count
        span[FIRST] = written - count
        for k in range(count):
            weights[at + k] = room.shares[listed[k]]
        at += count
        for k in range(span[STEPS]):
            steps[taken + k] = sizes[k]
        taken += span[STEPS]


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
        Of the last step that was looked at.
    states, chances
        End states in rising order (uint64, shape (states, words)) and their probabilities.
    sizes
        Number of states after each step that was looked at.
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

    def expand(
        self, live: Any, places: Any, starts: Any, most: int, reads: Any = None
    ) -> list[Expansion]:
        """Expand games of one shape.

        Parameters
        ----------
        live, places, starts, most
            As for :func:`expand_many`.
        reads
            As for :func:`expand`, of all words of a start; ``None``: nothing is to be remembered
            from one game to the next.
        """
        if places is not self.loaded:
            if self.loaded is not None:
                self.words[self.loaded] = 0  # of another shape
            self.loaded = places
        forget_states(self.room)
        known = _what_varies(starts, reads)
        found: list[Expansion] = []
        ends = self.ends
        while len(found) < len(starts):
            rest = starts[len(found) :]
            done = self._expand(live, places, rest, self.room, known, ends, most)
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
            states *= 8
            ends = _new_ends(states, states * n, MOST_STEPS)
            room = new_room(states, states * n)
            (one,) = self._expand(live, places, start, room, _what_varies(start, None), ends, most)
            if one.status != FULL:
                return one

    def _expand(
        self, live: Any, places: Any, starts: Any, room: Room, known: _Known, ends: _Ends, most: int
    ) -> list[Expansion]:
        """Expand the first of some games, as many as there is room for what comes of them."""
        spans = np.full((len(starts), 5), WAITS, np.int64)
        expand_many(
            self.step, self.game, self.dice, self.words, live, places, starts, room, *known, spans,
            *ends, most,
        )  # fmt: skip
        told = [one for one in spans.tolist() if one[STATUS] != WAITS]
        n = live.size
        written = max((one[FIRST] + one[STATES] for one in told if not one[STATUS]), default=0)
        states = ends[0][: written * n].reshape(written, n).copy()
        chances = ends[1][: sum(one[STATES] for one in told if not one[STATUS])].copy()
        sizes = ends[2][: sum(one[STEPS] for one in told if not one[STATUS])].tolist()
        found = []
        at, taken, place, own = 0, 0, -1, states[:0]
        for count, steps, status, phase, first in told:
            if status:
                found.append(Expansion(status, phase, states[:0], chances[:0], ()))
                continue
            if first != place:
                place, own = first, states[first : first + count]
            size = tuple(sizes[taken : taken + steps])
            found.append(Expansion(0, phase, own, chances[at : at + count], size))
            at += count
            taken += steps
        return found


_Ends = tuple[Any, Any, Any]
_Known = tuple[Any, Any, bool]


def _new_ends(states: int, words: int, steps: int) -> _Ends:
    """Room for end states, their probabilities, and numbers of states."""
    return np.empty(words, np.uint64), np.empty(states), np.empty(steps, np.int64)


def _what_varies(starts: Any, reads: Any) -> _Known:
    """Words that vary in a batch, what of them is read, and whether to remember what is alike."""
    if reads is not None and len(starts) > 1:
        varying = np.flatnonzero((starts != starts[0]).any(axis=0) & reads.any(axis=0))
        if len(varying) <= MOST_VARYING:
            return varying, np.ascontiguousarray(reads[:, varying]), True
    return np.empty(0, np.int64), np.empty((BITS, 0), np.uint64), False
