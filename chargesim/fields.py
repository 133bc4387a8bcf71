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
        self.dtype = self.short_dtype(self.rooms)

    def short_dtype(self, counts: Sequence[int]) -> np.dtype[Any]:
        """Dtype of a game with room for no more than so many of each part."""
        return np.dtype(
            [
                ("head", self.head.dtype),
                *(
                    (name, record.dtype, (count,))
                    for (name, record), count in zip(self.parts.items(), counts, strict=True)
                ),
            ]
        )

    def new(self) -> np.ndarray[Any, Any]:
        """Array of one game, all zero."""
        return np.zeros(1, self.dtype)

    def live(
        self, counts: Sequence[int], *, short: bool = False
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Places of the live words in a game, or in a short one, viewed as 64-bit words."""
        dtype = self.short_dtype(counts) if short else self.dtype
        places: list[int] = []
        kinds = [("head", self.head, 1)]
        kinds += [
            (name, record, count)
            for (name, record), count in zip(self.parts.items(), counts, strict=True)
        ]
        for name, record, used in kinds:
            start = dtype.fields[name][1] // WORD  # type: ignore[index]  # has fields
            step = record.dtype.itemsize // WORD
            for i in range(used):
                places.extend(range(start + i * step, start + i * step + record.live_words))
        return np.array(places, dtype=np.int64)

    def live_of(
        self, records: Sequence[tuple[str, int]], counts: Sequence[int] | None = None
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Places of the live words of some records, in a game or in a short one of so many.

        Parameters
        ----------
        records
            Name of the part and place in it, of each record.
        counts
            How many of each part a short game has room for.
        """
        dtype = self.dtype if counts is None else self.short_dtype(counts)
        places: list[int] = []
        for name, i in records:
            record = self.parts[name]
            start = dtype.fields[name][1] // WORD  # type: ignore[index]  # has fields
            first = start + i * (record.dtype.itemsize // WORD)
            places.extend(range(first, first + record.live_words))
        return np.array(places, dtype=np.int64)

    def check(self, game: np.ndarray[Any, Any], counts: Sequence[int]) -> list[str]:
        """All values in use that leave their declared range, one sentence each."""
        faults = self.head.check(game["head"])
        for (name, record), count in zip(self.parts.items(), counts, strict=True):
            faults += record.check(game[name][0, :count])
        return faults
