"""Declare a game once: its records give the dtype, the checks, the columns and the documentation.

This is the lowest layer: it imports numpy and nothing of the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

EnumType = type[IntEnum]
"""A class of whole-number names."""
WORD = 8
"""Bytes in the words by which live states are copied, hashed and compared."""


@dataclass(frozen=True)
class Field:
    """One number of a game record.

    Parameters
    ----------
    name
        Name in the dtype.
    type
        A numpy integer or float type without byte order, such as ``"i2"``.
    doc
        What the number means, one sentence.
    unit
        Unit of measure, ``""`` for plain counts.
    lo, hi
        Inclusive range; ``None`` leaves that end to the type.
    live
        True when the rules change it during a trial; the live fields identify a state.
    shape
        Shape of a sub-array, ``()`` for a single number.
    enum
        The enumeration whose values it holds, if any.
    """

    name: str
    type: str
    doc: str
    unit: str = ""
    lo: int | None = None
    hi: int | None = None
    live: bool = False
    shape: tuple[int, ...] = ()
    enum: EnumType | None = None


class Record:
    """A packed numpy record: live fields first, then what a trial never changes.

    Both halves are rounded up to whole words by a declared filler of zero bytes, so that a state
    can be copied and compared word by word and equal states have equal bytes.

    Parameters
    ----------
    name
        Name used in messages and tables.
    fields
        The declarations; their order is kept within equal item sizes.
    """

    def __init__(self, name: str, fields: Sequence[Field]) -> None:
        self.name = name
        self.fields = tuple(fields)
        layout: list[Any] = []
        self.live_words = 0
        for live in (True, False):
            half = [f for f in self.fields if f.live == live]
            half.sort(key=lambda f: -np.dtype(f.type).itemsize)
            size = 0
            for f in half:
                layout.append((f.name, f.type, f.shape) if f.shape else (f.name, f.type))
                size += np.dtype(f.type).itemsize * int(np.prod(f.shape, dtype=int))
            spare = -size % WORD
            if spare:
                layout.append((f"filler_{'live' if live else 'fixed'}", "u1", (spare,)))
            if live:
                self.live_words = (size + spare) // WORD
        self.dtype = np.dtype(layout)
        self.slim = np.dtype(self._without_lists(layout))

    def _without_lists(self, layout: list[Any]) -> list[Any]:
        """Layout of the live half as it is, and of the single numbers of the other."""
        lists = {f.name for f in self.fields if f.shape and not f.live}
        kept = [one for one in layout if one[0] not in lists and one[0] != "filler_fixed"]
        spare = -np.dtype(kept).itemsize % WORD
        return [*kept, ("filler_slim", "u1", (spare,))] if spare else kept

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def check(self, records: np.ndarray[Any, Any]) -> list[str]:
        """Say which values leave their declared range.

        Parameters
        ----------
        records
            Array of this record's dtype, any length.

        Returns
        -------
        list of str
            One sentence a fault, naming record, place and field; empty when all is well.
        """
        faults = []
        for f in self.fields:
            values = records[f.name]
            if f.enum is not None:
                allowed = np.array([int(m) for m in f.enum])
                wrong = ~np.isin(values, allowed)
                bounds = f"one of {', '.join(m.name for m in f.enum)}"
            else:
                wrong = np.zeros(values.shape, dtype=bool)
                if f.lo is not None:
                    wrong |= values < f.lo
                if f.hi is not None:
                    wrong |= values > f.hi
                low, high = ("any" if end is None else str(end) for end in (f.lo, f.hi))
                bounds = f"{low} to {high}"
            for place in np.argwhere(wrong):
                value = values[tuple(place)]
                faults.append(f"{self.name} {int(place[0])}: {f.name} is {value}, not {bounds}")
        return faults

    def table(self) -> str:
        """Markdown table of the fields: name, type, unit, range and meaning."""
        rows = ["| field | type | unit | range | meaning |", "|---|---|---|---|---|"]
        for f in self.fields:
            span = "" if f.lo is None and f.hi is None else f"{f.lo} to {f.hi}"
            if f.enum is not None:
                span = ", ".join(f"{int(m)} {m.name.lower()}" for m in f.enum)
            kind = f.type + (str(list(f.shape)) if f.shape else "")
            rows.append(f"| `{f.name}` | {kind} | {f.unit} | {span} | {f.doc} |")
        return "\n".join(rows)


class Layout:
    """A whole game as one record: a head and rooms for several kinds of record.

    The dtype is fixed, so that one compiled step serves every scenario; what a scenario does not
    use is never touched, copied or hashed.

    Parameters
    ----------
    head
        The record that a game has once.
    **parts
        Name to (record, how many there is room for), in the order in which games hold them.
    """

    def __init__(self, head: Record, **parts: tuple[Record, int]) -> None:
        self.head = head
        self.parts = {name: record for name, (record, _) in parts.items()}
        self.rooms = tuple(room for _, room in parts.values())
        # what was asked for before, by counts and kind: making it costs more than a small question
        self._dtypes: dict[Any, np.dtype[Any]] = {}
        self._live: dict[
            tuple[tuple[int, ...], bool, bool], np.ndarray[Any, np.dtype[np.int64]]
        ] = {}
        self._slims: dict[Any, tuple[np.dtype[Any], Any, Any]] = {}
        self._places: dict[int, tuple[np.dtype[Any], np.ndarray[Any, np.dtype[np.int64]]]] = {}
        self.dtype = self.short_dtype(self.rooms)

    def short_dtype(self, counts: Sequence[int], *, slim: bool = False) -> np.dtype[Any]:
        """Dtype of a game with room for no more than so many of each part.

        Parameters
        ----------
        counts
            How many of each part.
        slim
            True leaves out lists of numbers that a trial never changes: for many games at a time.
        """
        key = tuple(counts), slim
        if key not in self._dtypes:
            self._dtypes[key] = np.dtype(
                [
                    ("head", self.head.slim if slim else self.head.dtype),
                    *(
                        (name, record.slim if slim else record.dtype, (count,))
                        for (name, record), count in zip(self.parts.items(), counts, strict=True)
                    ),
                ]
            )
        return self._dtypes[key]

    def new(self, counts: Sequence[int] | None = None) -> np.ndarray[Any, Any]:
        """Array of one game, all zero; short where counts are given."""
        return _zero(self.dtype if counts is None else self.short_dtype(counts))

    def assembled(self, **records: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        """Array of one short game made of whole records.

        Parameters
        ----------
        **records
            For ``head`` and each part of the layout, in their order, its records as 64-bit words:
            numpy would copy them field by field.
        """
        counts = [len(records[name]) for name in self.parts]
        words = np.concatenate([one for own in records.values() for one in own])
        return records_of(words, self.short_dtype(counts))

    def shortened(self, game: np.ndarray[Any, Any], counts: Sequence[int]) -> np.ndarray[Any, Any]:
        """Copy of a full game with room for no more than so many of each part."""
        short = self.new(counts)
        short.view(np.uint64)[:] = game.view(np.uint64)[self.places(short.dtype)]
        return short

    def full(
        self, short: np.ndarray[Any, Any], into: np.ndarray[Any, Any] | None = None
    ) -> np.ndarray[Any, Any]:
        """Copy of a short game with all the room there is, new or ``into``, overwritten."""
        if into is None:
            game = self.new()
        else:
            game = into
            game.view(np.uint64)[:] = 0
        game.view(np.uint64)[self.places(short.dtype)] = short.view(np.uint64)
        return game

    def slim(self, short: np.ndarray[Any, Any], counts: Sequence[int]) -> np.ndarray[Any, Any]:
        """Copies of short games, for so many of each part, without lists that never change.

        Parameters
        ----------
        short
            Array of short games, shape (games,), nothing between them.
        counts
            How many records of each part are wanted.

        Returns
        -------
        array
            Slim games, shape (games,).
        """
        key = id(short.dtype), tuple(counts)
        if key not in self._slims:
            self._slims[key] = short.dtype, *self._slimming(short.dtype, counts)
        _, into, out_of = self._slims[key]
        slim = _zero(self.short_dtype(counts, slim=True), len(short))
        many = len(short), -1
        slim.view(np.uint8).reshape(many)[:, into] = short.view(np.uint8).reshape(many)[:, out_of]
        return slim

    def _slimming(self, dtype: np.dtype[Any], counts: Sequence[int]) -> tuple[Any, Any]:
        """Bytes of a slim game and of a short one that hold the same."""
        new: Any = self.short_dtype(counts, slim=True).fields
        old: Any = dtype.fields
        into: list[int] = []
        out_of: list[int] = []
        for name, i in self.records(counts):
            kinds = new[name][0].base, old[name][0].base
            starts = [
                part[name][1] + i * kind.itemsize
                for part, kind in zip((new, old), kinds, strict=True)
            ]
            for field, (kind, at, *_) in kinds[0].fields.items():
                if field in kinds[1].fields:
                    begin = starts[1] + kinds[1].fields[field][1]
                    into += range(starts[0] + at, starts[0] + at + kind.itemsize)
                    out_of += range(begin, begin + kind.itemsize)
        return np.array(into), np.array(out_of)

    def places(self, dtype: np.dtype[Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Places in a full game of the words of a short one of a dtype, in their order."""
        known = self._places.get(id(dtype))
        if known is not None:
            return known[1]
        places: list[int] = []
        for name in ("head", *self.parts):
            inner, start = dtype.fields[name], self.dtype.fields[name]  # type: ignore[index]  # has fields
            first = start[1] // WORD
            places.extend(range(first, first + inner[0].itemsize // WORD))
        # with the dtype itself, so that no other can take its number
        self._places[id(dtype)] = dtype, np.array(places, dtype=np.int64)
        return self._places[id(dtype)][1]

    def live(
        self, counts: Sequence[int], *, short: bool = False, slim: bool = False
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Places of the live words in a game, a short or a slim one, viewed as 64-bit words."""
        key = tuple(counts), short, slim
        if key not in self._live:
            dtype = self.short_dtype(counts, slim=slim) if short or slim else self.dtype
            self._live[key] = self.live_of(self.records(counts), dtype)
        return self._live[key]

    def records(self, counts: Sequence[int]) -> list[tuple[str, int]]:
        """Name of the part, and place in it, of every record of a game of so many of each part."""
        parts = zip(self.parts, counts, strict=True)
        return [("head", 0), *((name, i) for name, count in parts for i in range(count))]

    def live_of(
        self, records: Sequence[tuple[str, int]], dtype: np.dtype[Any] | None = None
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Places of the live words of some records, in a game of a dtype.

        Parameters
        ----------
        records
            Name of the part and place in it, of each, as :meth:`records` gives them.
        dtype
            Of a short game, slim or not; by default of a full one.
        """
        fields = (self.dtype if dtype is None else dtype).fields
        places: list[int] = []
        for name, i in records:
            kind, start = fields[name][:2]  # type: ignore[index]  # has fields
            first = (start + i * kind.base.itemsize) // WORD
            record = self.head if name == "head" else self.parts[name]
            places.extend(range(first, first + record.live_words))
        return np.array(places, dtype=np.int64)

    def column(
        self,
        records: Sequence[tuple[str, int]],
        at: tuple[str, int, str],
        states: np.ndarray[Any, Any],
    ) -> np.ndarray[Any, Any]:
        """One live field of many states.

        Parameters
        ----------
        records
            Those whose live words make a state, as :meth:`records` gives them.
        at
            Part, place of a record in it, and name of the field.
        states
            Live words, uint64, shape (states, words), one state behind the other.
        """
        name, i, field = at
        place = 0
        for record in records:
            if record == (name, i):
                break
            place += (self.head if record[0] == "head" else self.parts[record[0]]).live_words
        kind, offset = self.parts[name].dtype.fields[field][:2]  # type: ignore[index]  # has fields
        many, words = states.shape
        at_byte = place * WORD + offset
        return np.ndarray(many, kind, states, at_byte, (words * WORD,))

    def check(self, game: np.ndarray[Any, Any], counts: Sequence[int]) -> list[str]:
        """All values in use that leave their declared range, one sentence each."""
        faults = self.head.check(game["head"])
        for (name, record), count in zip(self.parts.items(), counts, strict=True):
            faults += record.check(game[name][0, :count])
        return faults


def _zero(dtype: np.dtype[Any], many: int = 1) -> np.ndarray[Any, Any]:
    """Array of records of whole words, all zero; numpy itself would fill it field by field."""
    return records_of(np.zeros(many * dtype.itemsize // WORD, np.uint64), dtype, many)


def records_of(
    words: np.ndarray[Any, Any], dtype: np.dtype[Any], many: int = 1
) -> np.ndarray[Any, Any]:
    """Words seen as so many records: what a view is, without the checks that take longer."""
    return np.ndarray(many, dtype, words)
