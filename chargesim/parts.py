"""Parts of scenarios: the games that engines play, and what their end states say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from chargesim import rulesets
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.fields import records_of


class Part:
    """A game of a ruleset that engines play: a scenario's units that can influence each other.

    Parameters
    ----------
    ruleset
        Its rules.
    part
        Its initial state.

    Attributes
    ----------
    words
        Its initial state as uint64.
    shape
        Equal for parts with as many records of each kind.
    """

    def __init__(self, ruleset: rulesets.Ruleset, part: rulesets.Part) -> None:
        self.ruleset, self.counts, self.units = ruleset, part.counts, part.units
        self._part = part
        # word by word: numpy copies records, and hands them out, field by field
        self.words: np.ndarray[Any, Any] = part.start.view(np.uint64)
        # the layout makes one dtype for so many records of each kind
        self.shape: tuple[tuple[int, ...], int] = part.counts, id(part.start.dtype)

    @property
    def start(self) -> np.ndarray[Any, Any]:
        """Its initial state: array of one short game, not to be changed."""
        return self._part.start

    def game(self, into: np.ndarray[Any, Any] | None = None) -> np.ndarray[Any, Any]:
        """Array of one game record in its initial state: a fresh copy, or ``into`` overwritten."""
        return self.ruleset.layout.full(self.start, into)

    def until(self, phase: str) -> Part:
        """The same part, played no further than a phase of its ruleset; what follows stays open.

        Parameters
        ----------
        phase
            Name of the last phase that is played, such as ``"charge_moves"`` or ``"impact"``.

        Raises
        ------
        InputError
            When there is none of that name, or games of the ruleset are always played to their end.
        """
        if "until" not in (self.ruleset.layout.head.dtype.names or ()):
            raise InputError(f"until: {self.ruleset.name} is played to its end: leave it out")
        last = self.ruleset.phases.__members__.get(phase.upper())
        if last is None:
            names = [one.name.lower() for one in self.ruleset.phases]
            known = nearest(phase, names) or f": one of {', '.join(names)}"
            raise InputError(f"until: there is no phase {phase!r}{known}")
        start = records_of(self.words.copy(), self.start.dtype)
        start["head"]["until"] = last
        part = rulesets.Part(start, self.counts, self.units)
        return Part(self.ruleset, part)

    @cached_property
    def live(self) -> np.ndarray[Any, Any]:
        """Places of the words that a trial of it may change."""
        return self.ruleset.layout.live(self.counts)

    @cached_property
    def pieces(self) -> list[Piece]:
        """Its charges one by one, for when there are too many end states of it all."""
        return [Piece(self, keeps) for keeps in self.ruleset.pieces(self._part)]

    def games(self, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Games with the given live words, shape (states,).

        Only with as many records as are in use, and without the lists in them that a trial never
        changes, so that many states take little memory.
        """
        return self._games(states, self.ruleset.layout.live(self.counts, slim=True))

    def _places(self, records: Sequence[tuple[str, int]]) -> np.ndarray[Any, Any]:
        """Places of the live words of some records in the games that are read."""
        return self.ruleset.layout.live_of(records, self._blank.dtype)

    @cached_property
    def _blank(self) -> np.ndarray[Any, Any]:
        """The initial state as the games that are read hold it."""
        return self.ruleset.layout.slim(self.start, self.counts)

    def _games(
        self, states: np.ndarray[Any, Any], places: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        blank = self._blank
        words = np.empty((len(states), blank.dtype.itemsize // 8), np.uint64)
        words[:] = blank.view(np.uint64)
        words[:, places] = states
        return records_of(words, blank.dtype, len(words))

    def read(self, states: np.ndarray[Any, Any]) -> rulesets.Reading:
        """What end states say."""
        return self.ruleset.read(self.games(states), self._part)

    def column(
        self, at: tuple[str, int, str], states: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        """One live field of many end states; ``at`` as in :class:`chargesim.rulesets.View`."""
        return self.ruleset.layout.column(self.ruleset.layout.records(self.counts), at, states)


def _stacked(parts: Sequence[Part]) -> np.ndarray[Any, Any]:
    """Initial states of parts of one shape, shape (parts,)."""
    words = np.stack([part.words for part in parts])
    return records_of(words, parts[0].start.dtype, len(words))


def alike(parts: Sequence[Part]) -> list[list[int]]:
    """Places of parts in groups of one shape whose records stand for the same charges and units."""
    shapes: dict[Any, list[int]] = {}
    for place, part in enumerate(parts):
        shapes.setdefault((part.shape, part.units), []).append(place)
    groups = []
    for own in shapes.values():
        starts = _stacked([parts[place] for place in own])
        cast = np.concatenate(
            [
                starts[name][field].reshape(len(own), -1).astype(np.int64)
                for name, field in parts[own[0]].ruleset.cast
            ],
            axis=1,
        )
        if np.all(cast == cast[0]):
            groups.append(own)
            continue
        kinds: dict[bytes, list[int]] = {}
        for place, row in zip(own, cast, strict=True):
            kinds.setdefault(row.tobytes(), []).append(place)
        groups += kinds.values()
    return groups


class Piece:
    """Some records of a part, whose end states are counted without regard to the rest of it.

    Parameters
    ----------
    part
        What it is a piece of.
    keeps
        The records that are kept, and what they tell.
    """

    def __init__(self, part: Part, keeps: rulesets.Piece) -> None:
        self.part, self._keeps = part, keeps
        self.live = part.ruleset.layout.live_of(keeps.records)
        self._places = part._places(keeps.records)

    def read(self, states: np.ndarray[Any, Any]) -> rulesets.Reading:
        """What end states say of the records that are kept."""
        part = self.part
        reading = part.ruleset.read(part._games(states, self._places), part._part)
        keeps = self._keeps
        return rulesets.Reading(
            {number: reading.charges[number] for number in keeps.charges},
            {name: reading.combats[name] for name in keeps.combats},
            {name: reading.units[name] for name in keeps.units},
        )

    def column(
        self, at: tuple[str, int, str], states: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        """As of a :class:`Part`."""
        return self.part.ruleset.layout.column(self._keeps.records, at, states)
