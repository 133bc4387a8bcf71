"""Exact expansion: many games of one shape, each advanced over every outcome.

How one is advanced is told in :mod:`.branches`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.branches import (
    CHANCE,
    FIRST,
    FULL,
    SPAN,
    STATES,
    STATUS,
    STEP,
    STEPS,
    expand,
)
from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.ends import are_same, list_ends
from chargesim.kernels.jit import address_of, kernel
from chargesim.kernels.room import (
    BITS,
    FILLED,
    LISTED,
    MOST_STEPS,
    MOST_VARYING,
    UNMET,
    Room,
    forget_states,
    make_ready,
    new_room,
)

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
    totals: Any,
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
        int64, shape (games, ``SPAN``): overwritten. A game whose states must stop the expansion
        does not stop the others. It ends before a game for whose end states there is no more room.
    ends
        uint64: end states in rising order; games that end in the same states share them.
    weights, steps
        float64 and int64: probabilities of the end states of each game, and the numbers of states
        after each step, of one game behind those of another.
    totals
        int64, five: how many games were expanded, end states written, their probabilities, and
        steps; and of how many games there was no room for the states.
    """
    game, dice = games[0], dices[0]
    n = live.size
    limit = min(room.shares.size, room.rows.size // n)
    sizes = np.empty(MOST_STEPS, np.int64)
    shares, listed, met = room.shares, room.order[0], room.ends
    at, taken, written, full, done = 0, 0, 0, 0, starts.shape[0]
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
            full += span[STATUS] == FULL
            continue
        count = span[STATES]
        fits = at + count <= weights.size and taken + span[STEPS] <= steps.size
        if fits and (count != room.used[LISTED] or not are_same(room.marks, listed, count)):
            fits = (written + count) * n <= ends.size
            if fits:
                list_ends(room, n, count)
                for k in range(count):
                    begin, own = np.uint64((written + k) * n), np.uint64(listed[k] * n)
                    for j in range(n):
                        ends[begin + np.uint64(j)] = room.rows[own + np.uint64(j)]
                written += count
        if fits:
            for k in range(count):
                weights[np.uint64(at + k)] = shares[np.uint64(listed[k])]
            for k in range(span[STEPS]):
                steps[taken + k] = sizes[k]
            span[FIRST], span[CHANCE], span[STEP] = written - count, at, taken
            at += count
            taken += span[STEPS]
        for k in range(count):
            shares[np.uint64(met[k])] = UNMET
        if not fits:
            done = g
            break
    totals[0], totals[1], totals[2], totals[3], totals[4] = done, written, at, taken, full


@kernel
def add_differences(starts: Any, differs: Any) -> None:
    """Add the bits in which starts differ from the first, of each word."""
    for g in range(1, starts.shape[0]):
        for j in range(starts.shape[1]):
            differs[j] |= starts[g, j] ^ starts[0, j]


_JOINED = 64
"""Starts that are joined at a time."""
_own = threading.local()


def own_dice() -> Any:
    """Array of one dice record in ENUMERATE mode, the thread's own: a fresh one takes long to make.

    Whoever uses it must be done before somebody else on the thread does; nothing is kept in it.
    """
    if not hasattr(_own, "dice"):
        _own.dice = new_dice(Mode.ENUMERATE)
    return _own.dice


class Expansions(NamedTuple):
    """What became of games that were expanded one after another.

    Parameters
    ----------
    spans
        int64, shape (games, ``SPAN``): of each game, as :mod:`.branches` names them; a status of 0,
        or why there are no end states.
    states
        uint64, shape (states, words): end states in rising order, those of a game side by side.
    chances
        float64: probabilities of the end states of each game, of one behind those of another.
    sizes
        int64: number of states after each step that was looked at, likewise.
    """

    spans: Any
    states: Any
    chances: Any
    sizes: Any


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
        self._starts = np.empty(0, np.uint64)

    def put_together(self, starts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        """Starts of games of one shape, each with its words, as one array, until the next call.

        Fresh memory for many of them would cost more than to fill it.
        """
        size = starts[0].size
        if len(starts) == 1:
            return starts[0][None, :]
        if self._starts.size < size * len(starts):
            self._starts = np.empty(2 * size * len(starts), np.uint64)
        for first in range(0, len(starts), _JOINED):
            # joining bytes is the quickest that Python has to put small arrays together
            some = np.frombuffer(b"".join(starts[first : first + _JOINED]), np.uint64)
            self._starts[size * first : size * first + some.size] = some
        return self._starts[: size * len(starts)].reshape(-1, size)

    def expand(
        self, live: Any, places: Any, starts: Any, most: int, reads: Any = None
    ) -> list[tuple[Expansions, int]]:
        """Expand games of one shape.

        Parameters
        ----------
        live, places, starts, most
            As for :func:`expand_many`.
        reads
            As for :func:`expand`, of all words of a start; ``None``: nothing is to be remembered
            from one game to the next.

        Returns
        -------
        list of tuple
            What became of each game: some games, and its place among them.
        """
        if places is not self.loaded:
            if self.loaded is not None:
                self.words[self.loaded] = 0  # of another shape
            self.loaded = places
        forget_states(self.room)
        known = _what_varies(starts, reads)
        found: list[tuple[Expansions, int]] = []
        ends = self.ends
        while len(found) < len(starts):
            rest = starts[len(found) :]
            done, full = self._expand(live, places, rest, self.room, known, ends, most)
            found += [(done, place) for place in range(len(done.spans))]
            if not len(done.spans):
                ends = _new_ends(4 * ends[1].size, 4 * ends[0].size, 4 * ends[2].size)
            if full:
                first = len(found) - len(done.spans)
                for place in np.flatnonzero(done.spans[:, STATUS] == FULL).tolist():
                    own = self._in_more_room(live, places, rest[place : place + 1], most)
                    found[first + place] = own, 0
        return found

    def _in_more_room(self, live: Any, places: Any, start: Any, most: int) -> Expansions:
        """Expand a game whose states need a larger room; it is not kept."""
        n = live.size
        states = min(ROOM[0], ROOM[1] // n)
        while True:
            states *= 8
            ends = _new_ends(states, states * n, MOST_STEPS)
            room = new_room(states, states * n)
            known = _what_varies(start, None)
            one, full = self._expand(live, places, start, room, known, ends, most)
            if not full:
                return one

    def _expand(
        self, live: Any, places: Any, starts: Any, room: Room, known: _Known, ends: _Ends, most: int
    ) -> tuple[Expansions, int]:
        """Expand the first of some games, as many as there is room for what comes of them.

        Also of how many there was no room for the states.
        """
        spans, totals = np.empty((len(starts), SPAN), np.int64), np.empty(5, np.int64)
        expand_many(
            self.step, self.game, self.dice, self.words, live, places, starts, room, *known, spans,
            *ends, totals, most,
        )  # fmt: skip
        done, written, chances, steps, full = totals.tolist()
        n = live.size
        found = Expansions(
            spans[:done],
            ends[0][: written * n].copy().reshape(written, n),
            ends[1][:chances].copy(),
            ends[2][:steps].copy(),
        )
        return found, full


_Ends = tuple[Any, Any, Any]
_Known = tuple[Any, Any, bool]


def _new_ends(states: int, words: int, steps: int) -> _Ends:
    """Room for end states, their probabilities, and numbers of states."""
    return np.empty(words, np.uint64), np.empty(states), np.empty(steps, np.int64)


def _what_varies(starts: Any, reads: Any) -> _Known:
    """Words that vary in a batch, what of them is read, and whether to remember what is alike."""
    if reads is not None and len(starts) > 1:
        differs = np.zeros(starts.shape[1], np.uint64)
        add_differences(starts, differs)
        varying = np.flatnonzero(differs & np.bitwise_or.reduce(reads, axis=0))
        if len(varying) <= MOST_VARYING:
            return varying, np.ascontiguousarray(reads[:, varying]), True
    return np.empty(0, np.int64), np.empty((BITS, 0), np.uint64), False
