"""Army lists: files of list builders to units of scenarios, and a report of what was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chargesim.rosters.dialects import Dialect, recognise
from chargesim.rosters.findings import (
    DOUBTS,
    STATUSES,
    Finding,
    Findings,
    RosterError,
    _,
    message,
)
from chargesim.rosters.lines import troops_of
from chargesim.rosters.lists import ArmyList, read_list
from chargesim.rosters.nodes import MOST_BYTES
from chargesim.rosters.overrides import override
from chargesim.rosters.text import slug
from chargesim.rosters.units import read_unit

ORDER = (
    "side", "models", "width", "base", "M", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "save",
    "ward", "regeneration", "troop", "unit_strength", "points", "weapon", "shield", "missile",
    "rules", "standard", "musician", "champion", "battle_standard", "mount", "chariot",
)  # fmt: skip
"""Order of the keys of a unit, as in scenario files; others follow."""
MOST_UNITS = 500
"""Most units of a list."""
COMPULSORY = ("models", "M", "S", "T", "W")
FIGHTING = ("WS", "BS", "I", "A", "Ld")
CREW = ("count", "WS", "S", "I", "A", "Ld")
BEASTS = ("count", "WS", "S", "I", "A")
STEED = ("WS", "S", "I", "A")


@dataclass(frozen=True)
class Unit:
    """A unit of a list.

    Parameters
    ----------
    key
        Its name in scenarios.
    name, label
        As the list calls it, and as its owner does (empty if not at all).
    slot
        The part of the army it fills.
    place
        Where it stands in the file.
    table
        Its table for a scenario; what is missing is left out.
    missing
        Paths that a scenario needs and the list does not give.
    """

    key: str
    name: str
    label: str
    slot: str
    place: str
    table: dict[str, Any]
    missing: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """True when it can be simulated."""
        return not self.missing

    @property
    def title(self) -> str:
        """Its name for people."""
        return f"{self.label} ({self.name})" if self.label else self.name


@dataclass(frozen=True)
class Army:
    """What was understood of a list.

    Parameters
    ----------
    source
        Its file.
    list
        The list as it stands there.
    dialect
        How its columns are called, and the unit of its lengths.
    units
        By key, in the order of the file.
    findings
        Of the whole, then unit by unit.
    """

    source: str
    list: ArmyList
    dialect: Dialect
    units: dict[str, Unit]
    findings: tuple[Finding, ...]

    def counts(self) -> dict[str, int]:
        """How many findings there are of each status."""
        return {s: sum(row.status == s for row in self.findings) for s in STATUSES}


def read_file(file: str | Path) -> bytes:
    """Bytes of a file, no more than a list may have.

    Raises
    ------
    RosterError
        When it cannot be read.
    """
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RosterError(f"{file}: cannot be read ({why}): give an army list") from None


def read_army(
    data: bytes,
    source: str = "list",
    overrides: Mapping[str, Any] | None = None,
    *,
    strict: bool = False,
    side: str = "active",
) -> Army:
    """Read an army list from the bytes of its file.

    Parameters
    ----------
    data
        .ros, .rosz or New Recruit's .json, told apart by what they hold.
    source
        Its name, for messages.
    overrides
        Tables of an overrides file: what it gives stands in place of what the list says.
    strict
        Stop at the first value that is missing, conflicting or assumed.
    side
        ``"active"`` or ``"reactive"``, for the units' tables.

    Raises
    ------
    RosterError
        When the list cannot be read, the overrides do not fit, or ``strict`` found a doubt.
    """
    if side not in ("active", "reactive"):
        raise RosterError(f"side: {side!r} is none: write active or reactive")
    army = read_list(data, source)
    dialect, is_sure = recognise(army, source)
    unit = dialect.unit
    found: list[tuple[Any, Findings]] = []
    for force in army.forces:
        for selection in force.selections:
            troops = troops_of(selection, dialect)
            found += [(troop.selection, read_unit(troop, dialect)) for troop in troops]
            if len(found) > MOST_UNITS:
                raise RosterError(f"{source}: has more than {MOST_UNITS} units: that is no army")
    if not found:
        raise RosterError(f"{source}: holds no units: add units to the list and save it again")
    keys = _keys([(one.name, one.label, rows.table) for one, rows in found])
    unit = override(dict(zip(keys, (rows for _one, rows in found), strict=True)), overrides, unit)
    units, rows = {}, list(_of_whole(army, dialect, unit, is_sure, found))
    for key, (one, findings) in zip(keys, found, strict=True):
        values = {"side": side, **findings.table}
        table = {name: values[name] for name in (*ORDER, *values) if name in values}
        units[key] = Unit(key, one.name, one.label, one.primary, one.place, table, _missing(table))
        rows += findings.under(key)
    if unit != dialect.unit:
        dialect = Dialect(**{**vars(dialect), "unit": unit})
    read = Army(source, army, dialect, units, tuple(rows))
    if strict:
        _check_strict(read)
    return read


def _keys(units: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """A key for each unit; of several of one name the order of the file decides nothing."""
    names = [slug(label or name) for name, label, _table in units]
    keys = list(names)
    taken = set(names)
    for name in dict.fromkeys(names):
        same = [i for i, other in enumerate(names) if other == name]
        same.sort(
            key=lambda i: (-(units[i][2].get("models") or 0), repr(sorted_items(units[i][2])))
        )
        number = 1
        for i in same[1:]:
            number += 1
            while f"{name}_{number}" in taken:
                number += 1
            keys[i] = f"{name}_{number}"
            taken.add(keys[i])
    return keys


def sorted_items(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """Nested tables as sorted pairs, for comparing."""
    return [
        (key, sorted_items(value) if isinstance(value, dict) else value)
        for key, value in sorted(table.items())
    ]


def _missing(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Paths that a scenario needs and a table does not have."""
    chariot = table.get("chariot", {})
    crew = chariot.get("crew") if isinstance(chariot, Mapping) else None
    wanted = [*COMPULSORY, *(() if crew else FIGHTING)]
    wanted += [f"chariot.crew.{key}" for key in CREW] if crew else []
    if isinstance(chariot, Mapping) and chariot.get("beasts"):
        wanted += [f"chariot.beasts.{key}" for key in BEASTS]
    if table.get("mount"):
        wanted += [f"mount.{key}" for key in STEED]
    return tuple(path for path in wanted if _get(table, path) is None)


def _get(table: Any, path: str) -> Any:
    for key in path.split("."):
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _of_whole(
    army: ArmyList, dialect: Dialect, unit: str, is_sure: bool, found: list[tuple[Any, Findings]]
) -> list[Finding]:
    """What is to be said of the list as a whole."""
    rows = [_total(army), _lengths(dialect, unit, is_sure, found)]
    if not army.version:
        note = message(_("the file does not say its version"))
        rows.append(Finding("", "version", None, "assumed", army.name, note))
    elif army.version[:4] not in ("2.02", "2.03"):
        note = message(_("newer than what was tried: look at the units with care"))
        rows.append(Finding("", "version", army.version, "assumed", army.name, note))
    else:
        rows.append(Finding("", "version", army.version, "read", army.name))
    if dialect.edition:
        note = message(_("made for {game}, another edition of the rules"), game=dialect.edition)
        rows.append(Finding("", "game", army.system or None, "assumed", army.name, note))
    taken = {id(one) for one, _rows in found}
    for force in army.forces:
        settings = [
            one.name for one in force.selections
            if not any(id(below) in taken for below in one.walk())
        ]  # fmt: skip
        if settings:
            note = message(_("settings, no units: {names}"), names=", ".join(sorted(settings)))
            rows.append(Finding("", "selections", None, "not read", force.place, note))
        if force.rules:
            note = message(_("rules of the whole force: {names}"),
                           names=", ".join(sorted(set(force.rules))))  # fmt: skip
            rows.append(Finding("", "rules", None, "not read", force.place, note))
    return rows


def _total(army: ArmyList) -> Finding:
    """The sum of all costs against the list's own total: whether it was cut or edited."""
    said, added = army.total, army.sum
    if said is None:
        note = message(_("the file has no total to compare the costs with"))
        return Finding("", "points", float(added), "assumed", army.name, note)
    if said != added:
        note = message(_("the costs add up to {sum:g}, not to {total:g}: the file was edited or "
                         "is not whole"), sum=float(added), total=float(said))  # fmt: skip
        return Finding("", "points", float(said), "conflicting", army.name, note)
    return Finding("", "points", float(said), "read", army.name)


def _lengths(
    dialect: Dialect, unit: str, is_sure: bool, found: list[tuple[Any, Findings]]
) -> Finding:
    """The unit of lengths, and whether moves look like it: 4 inches are printed as 10 cm."""
    if unit != dialect.unit:
        return Finding("", "units", unit, "given", "overrides")
    moves = [rows.table["M"] for _one, rows in found if isinstance(rows.table.get("M"), int)]
    place = dialect.name
    odd = bool(moves) and (
        min(moves) >= 10 if unit == "inch" else max(moves) < 10
    )  # fmt: skip
    if odd:
        note = message(_("moves from {low} to {high} do not look like it: write units = ... in an "
                         "overrides file"), low=min(moves), high=max(moves))  # fmt: skip
        return Finding("", "units", unit, "conflicting", place, note)
    if is_sure:
        return Finding("", "units", unit, "derived", place, message(_("from the type of profiles")))
    return Finding("", "units", unit, "derived", place, message(_("from the columns of profiles")))


def _check_strict(army: Army) -> None:
    row = next((row for row in army.findings if row.status in DOUBTS), None)
    if row is None:
        return
    whose = f"{row.unit}: " if row.unit else ""
    note = f" ({row.note.say()})" if row.note else ""
    raise RosterError(
        f"{army.source}: {whose}{row.field} is {row.status} at {row.place!r}{note}: give it in an "
        "overrides file, or read the list without --strict"
    )
