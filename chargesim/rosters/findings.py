"""What a reader understood, field by field, each with its status and its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from chargesim.errors import InputError
from chargesim.words import translation

DOMAIN = "rosters"
"""Catalogue of this package's texts."""
STATUSES = (
    "missing", "conflicting", "assumed", "partial", "not read", "derived", "normalised", "read",
    "given",
)  # fmt: skip
"""What may be said of a value, the most urgent first.

``read`` as it stands; ``normalised`` the same in another writing; ``derived`` by a rule from other
values; ``assumed`` for want of anything in the file; ``conflicting`` where the file says two
things; ``partial`` what holds for part of a unit, or sometimes; ``not read`` what is not played;
``missing`` what cannot be known; ``given`` by an overrides file.
"""
SILENT = ("read", "normalised", "given")
"""Statuses that need nobody's attention."""
DOUBTS = ("missing", "conflicting", "assumed")
"""Statuses at which a strict reader stops."""


class RosterError(InputError):
    """An army list cannot be read, or not as strictly as was asked."""


def _(text: str) -> str:
    """Mark a text for the catalogue."""
    return text


@dataclass(frozen=True)
class Message:
    """A sentence with its parts, said in a language when it is shown.

    Parameters
    ----------
    text
        English text, which is the id in the catalogue.
    parts
        What stands in its brackets.
    """

    text: str = ""
    parts: tuple[tuple[str, Any], ...] = ()

    def say(self, lang: str = "en") -> str:
        """The sentence in a language, ``"en"`` or ``"es"``."""
        if not self.text:
            return ""
        text = translation(DOMAIN, lang).gettext(self.text)
        return text.format(**{key: _said(part, lang) for key, part in self.parts})

    def __bool__(self) -> bool:
        return bool(self.text)


def _said(part: Any, lang: str) -> Any:
    """A part of a sentence; sentences and sums of them in the language of the whole."""
    if isinstance(part, Message):
        return part.say(lang)
    return " + ".join(one.say(lang) for one in part) if isinstance(part, tuple) else part


def message(text: str, /, **parts: Any) -> Message:
    """A sentence and its parts."""
    return Message(text, tuple(parts.items()))


@dataclass(frozen=True)
class Finding:
    """One value, or what was found in place of one.

    Parameters
    ----------
    unit
        Key of the unit; empty for the list as a whole.
    field
        Path in the unit's table, such as ``"save"`` or ``"chariot.crew.count"``.
    value
        As it stands in the table, or what was found; ``None`` for nothing.
    status
        One of :data:`STATUSES`.
    place
        Where in the file: names from the force down.
    note
        Why, and what to do.
    """

    unit: str
    field: str
    value: Any
    status: str
    place: str
    note: Message = Message()

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "unit": self.unit,
            "field": self.field,
            "value": self.value,
            "status": self.status,
            "place": self.place,
            "note": self.note.say(lang),
        }


@dataclass
class Findings:
    """The findings of one unit while it is read: a value is written where it is explained.

    Parameters
    ----------
    table
        The unit as a table of a scenario.
    rows
        Field, value, status, place and note of each.
    """

    table: dict[str, Any] = field(default_factory=dict)
    rows: list[tuple[str, Any, str, str, Message]] = field(default_factory=list)
    _told: set[tuple[str, str, str, str, Message]] = field(default_factory=set)

    def put(
        self, path: str, value: Any, status: str, place: str, note: Message = Message()
    ) -> None:  # frozen
        """Write a value into the table, and tell where it came from."""
        at = self.table
        *way, last = path.split(".")
        for key in way:
            at = at.setdefault(key, {})
        at[last] = value
        self.tell(path, value, status, place, note)

    def tell(
        self, path: str, value: Any, status: str, place: str, note: Message = Message()
    ) -> None:  # frozen
        """Tell of something that is no value of the table."""
        key = (path, repr(value), status, place, note)
        if key not in self._told:
            self._told.add(key)
            self.rows.append((path, value, status, place, note))

    def under(self, unit: str) -> Iterator[Finding]:
        """The findings with the unit's key."""
        for path, value, status, place, note in self.rows:
            yield Finding(unit, path, value, status, place, note)
