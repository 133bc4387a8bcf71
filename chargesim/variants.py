"""Variants of a scenario, put together of tables that were read before.

Most values stand in the table of one unit or one charge, and such a table is valid or not by
itself. So each is read once for each combination of its own values, however many combinations with
the values of other tables there are.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel

from chargesim.models import MOST_PARTS, PLAIN

Read = Callable[[str, str, Sequence[str], Sequence[Any]], BaseModel | None]
TABLES = ("unit", "charge")
"""Parts of a model that hold tables, by name and in a row."""


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
        Of the scenario that is varied.
    tables
        Its ``unit`` and ``charge``, each table by itself: before they are joined.
    read
        Reads a table: (``unit`` or ``charge``, its name or place, paths, values) to the table with
        these values, or ``None`` where that has a fault.
    paths
        What is varied.
    """

    def __init__(
        self, model: Any, tables: dict[str, Any], read: Read, paths: Sequence[str]
    ) -> None:
        self._model, self._tables, self._read = model, tables, read
        groups: dict[tuple[str, str], list[int]] = {}
        self.is_of_use = True
        for place, path in enumerate(paths):
            name, key, *_ = (*path.split("."), "")
            if name not in TABLES or key not in self._keys(name):
                self.is_of_use = False
                return
            groups.setdefault((name, key), []).append(place)
        self._changed = [
            _Changed(*where, tuple(paths[place] for place in places), tuple(places))
            for where, places in groups.items()
        ]
        self._known: list[dict[bytes, BaseModel | None]] = [{} for _ in self._changed]

    def _keys(self, name: str) -> list[str]:
        own = self._tables[name]
        return list(own) if isinstance(own, dict) else [str(place) for place in range(len(own))]

    def model(self, row: Sequence[Any]) -> Any:
        """Model with the values of a row; ``None`` where it has to be read as a whole."""
        units, charges = dict(self._tables["unit"]), list(self._tables["charge"])
        for changed, known in zip(self._changed, self._known, strict=True):
            values = [row[place] for place in changed.places]
            try:
                # the same bytes are the same numbers of the same types: 1, 1.0 and true differ
                code = marshal.dumps(values, PLAIN)
            except ValueError:
                return None
            if code not in known:
                if len(known) >= MOST_PARTS:
                    known.clear()
                known[code] = self._read(changed.name, changed.key, changed.paths, values)
            table = known[code]
            if table is None:
                return None
            if changed.name == "unit":
                units[changed.key] = table
            else:
                charges[int(changed.key)] = table
        return self._model.model_copy(update={"unit": units, "charge": tuple(charges)}).joined()
