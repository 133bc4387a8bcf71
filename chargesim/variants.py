"""Variants of a scenario, put together of tables that were read before.

Most values stand in the table of one unit or one charge, and such a table is valid or not by
itself. So each is read once for each combination of its own values, however many combinations with
the values of other tables there are.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from chargesim.models import MOST_PARTS, PLAIN

_UNREAD = object()
Read = Callable[[str, str, Sequence[str], Sequence[Any]], BaseModel | None]


class _Changed(NamedTuple):
    """A table that rows change: where it stands, paths into it, and places of their values."""

    name: str
    key: str
    paths: tuple[str, ...]
    places: tuple[int, ...]


class Mixer:
    """Puts tables together to models.

    Parameters
    ----------
    model
        Of the scenario that is varied; ``None`` when there is none.
    tables
        Its tables, with each of a ``unit`` or ``charge`` by itself: before they are joined.
    read
        Reads a table: (``unit`` or ``charge``, its name or place, paths, values) to the table with
        these values, or ``None`` where that has a fault.
    paths
        What is varied: all of it :func:`is_inside` tables.
    """

    def __init__(
        self, model: Any, tables: Mapping[str, Any], read: Read, paths: Sequence[str]
    ) -> None:
        self._model, self._read = model, read
        self._units = dict(tables.get("unit", {}))
        self._charges = list(tables.get("charge", []))
        groups: dict[tuple[str, str], list[int]] = {}
        for place, path in enumerate(paths):
            name, key = path.split(".")[:2]
            groups.setdefault((name, key), []).append(place)
        self._changed = [
            _Changed(*where, tuple(paths[place] for place in places), tuple(places))
            for where, places in groups.items()
        ]
        # threads may read it side by side: nothing is looked up twice
        self._known: list[dict[bytes, Any]] = [{} for _ in self._changed]
        # tables of which something is not plain are not remembered, and so not put together
        plain = all(isinstance(one, BaseModel) for one in (*self._units.values(), *self._charges))
        self._is_of_use = model is not None and plain and all(map(self._has, groups))

    def _has(self, where: tuple[str, str]) -> bool:
        name, key = where
        return key in self._units if name == "unit" else int(key) < len(self._charges)

    def model(self, row: Sequence[Any]) -> Any:
        """Model with the values of a row; ``None`` where it has to be read as a whole."""
        if not self._is_of_use:
            return None
        units, charges = dict(self._units), list(self._charges)
        for changed, known in zip(self._changed, self._known, strict=True):
            values = [row[place] for place in changed.places]
            code = code_of(values)
            if code is None:
                return None
            table = known.get(code, _UNREAD)
            if table is _UNREAD:
                table = self._read(changed.name, changed.key, changed.paths, values)
                if len(known) >= MOST_PARTS:
                    known.clear()
                known[code] = table
            if table is None:
                return None
            if changed.name == "unit":
                units[changed.key] = table
            else:
                charges[int(changed.key)] = table
        return self._model.model_copy(update={"unit": units, "charge": tuple(charges)}).joined()


def is_inside(path: str) -> bool:
    """True for a path to the table of a unit or charge, or to something in it."""
    name, key, *_ = (*path.split("."), "")
    return (name == "unit" and key != "") or (name == "charge" and key.isdecimal())


def code_of(values: Sequence[Any]) -> bytes | None:
    """Bytes that only the same numbers and words of the same types have; ``None`` for others."""
    try:
        # 1, 1.0 and true differ
        return marshal.dumps(list(values), PLAIN)
    except ValueError:
        return None
