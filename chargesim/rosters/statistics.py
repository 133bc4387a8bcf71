"""Statistics of a unit, its steeds, and of a chariot with its crew and beasts."""

from __future__ import annotations

import re
from typing import Any

from chargesim.rosters import vocabulary as words
from chargesim.rosters.dialects import STATS, Dialect
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop
from chargesim.rosters.text import plain
from chargesim.rosters.values import dice

LIMITS = {"W": (1, 10), "S": (1, 10), "T": (1, 10), "Ld": (1, 10)}
"""Least and greatest of statistics; the others are from 0 to 10."""
MOST_M = {"inch": 20, "cm": 50}
"""Greatest move that is believed."""
CREWLESS = ("WS", "BS", "I", "A", "Ld")
"""Statistics that a chariot takes from its crew."""


def put_profile(found: Findings, line: Line, mount: Line | None, dialect: Dialect) -> None:
    """The nine statistics: feet of the steed, all else of who sits on it."""
    _put_move(found, mount or line, dialect)
    for name in STATS[1:]:
        _put_stat(found, name, line)
    if mount is None:
        return
    place = f"{mount.place} > {mount.name}"
    if (mount.value("W") or 0) >= 3:
        note = message(_("of the monster {name}, which is hit in its rider's place"),
                       name=mount.name)  # fmt: skip
        for name in ("T", "W"):
            value = mount.value(name)
            if value is not None:
                found.rows = [row for row in found.rows if row[0] != name]
                found.put(name, value, "assumed", place, note)
    _put_fighters(found, "mount", mount, ("WS", "S", "I", "A"))


def _put_fighters(found: Findings, path: str, line: Line, names: tuple[str, ...]) -> None:
    """Statistics of steeds, crew or beasts; steeds without attacks do not fight."""
    place = f"{line.place} > {line.name}"
    if path == "mount" and not line.value("A"):
        if line.stats["A"].kind in ("dice", "two", "odd"):
            found.tell("mount.A", line.stats["A"].text, "missing", place,
                       message(_("is no whole number: give it in an overrides file")))  # fmt: skip
        return
    for name in names:
        _put_stat(found, name, line, f"{path}.{name}")


def _put_move(found: Findings, line: Line, dialect: Dialect) -> None:
    cell, place = line.stats["M"], f"{line.place} > {line.name}"
    random = dice(cell.text)
    if random is not None:
        note = message(_("moves at random, {dice}: that is not played; give M"), dice=random)
        found.tell("M", random, "missing", place, note)
    elif cell.value is None:
        note = message(_("is {text!r}: give it in an overrides file"), text=cell.text)
        found.tell("M", None, "missing", place, note)
    elif cell.value > MOST_M[dialect.unit]:
        note = message(_("{text!r} is out of range: give it in an overrides file"), text=cell.text)
        found.tell("M", cell.value, "missing", place, note)
    else:
        _put_value(found, "M", cell.value, cell.kind, cell.text, place)


def _put_value(found: Findings, path: str, value: int, kind: str, text: str, place: str) -> None:
    if kind == "two":
        note = message(_("the file says {text!r}: the first is taken"), text=text)
        found.put(path, value, "conflicting", place, note)
    else:
        found.put(path, value, "read" if text == str(value) else "normalised", place)


def _put_stat(found: Findings, name: str, line: Line, path: str = "") -> None:
    cell, place, path = line.stats[name], f"{line.place} > {line.name}", path or name
    low, high = LIMITS.get(name, (0, 10))
    if cell.value is not None and low <= cell.value <= high:
        _put_value(found, path, cell.value, cell.kind, cell.text, place)
    elif name == "BS" and cell.kind == "absent":
        found.put(path, 0, "derived", place, message(_("none: does not shoot")))
    else:
        note = message(_("is {text!r}: give it in an overrides file"), text=cell.text)
        if cell.value is not None:
            note = message(_("{text!r} is out of range: give it in an overrides file"),
                           text=cell.text)  # fmt: skip
        found.tell(path, cell.text or None, "missing", place, note)


def put_chariot(found: Findings, troop: Troop, body: Line, dialect: Dialect) -> None:
    """A chariot: its own M, S, T and W; the rest of its crew; its beasts."""
    beasts = troop.of("beast")
    mover = body if body.has("M") or not beasts else beasts[0]
    _put_move(found, mover, dialect)
    for name in ("S", "T", "W"):
        _put_stat(found, name, body)
    _put_impact(found, troop, body)
    chariots = found.table.get("models", 1)
    crew = troop.of("crew")
    if crew:
        _put_riders(found, troop, crew, "chariot.crew", chariots)
    else:
        for name in CREWLESS:
            found.tell(name, None, "missing", f"{body.place} > {body.name}",
                       message(_("the chariot has no line of its crew")))  # fmt: skip
    if beasts:
        _put_riders(found, troop, beasts, "chariot.beasts", chariots)


def _put_riders(found: Findings, troop: Troop, lines: list[Line], path: str, chariots: int) -> None:
    """Crew or beasts: their number on each chariot, and the line of most of them."""
    line, is_crew = lines[0], path.endswith("crew")
    count = sum(one.count for one in lines)
    place = f"{line.place} > {line.name}"
    if not count and is_crew:
        names = [(one.name, one.place) for one in troop.inside]
        names += [(one.name, place) for one in lines]
        number = next(((n, at) for name, at in names if (n := words.crew_count(name))), None)
        if number:
            found.put(f"{path}.count", number[0], "derived", number[1],
                      message(_("the number in a name")))  # fmt: skip
    elif count and count % chariots == 0 and count // chariots <= 10:
        status = "read" if chariots == 1 and len(lines) == 1 else "derived"
        note = message(_("{count} on {chariots} chariots"), count=count, chariots=chariots)
        found.put(f"{path}.count", count // chariots, status, place,
                  note if status == "derived" else Message())  # fmt: skip
    if "count" not in _at(found.table, path):
        found.tell(f"{path}.count", count or None, "missing", place,
                   message(_("how many there are on a chariot is not in the file")))  # fmt: skip
    names_ = ("WS", "BS", "S", "I", "A", "Ld") if is_crew else ("WS", "S", "I", "A")
    for name in names_:
        if name == "Ld":
            best = max(lines, key=lambda one: (one.value("Ld") or 0, one.name))
            _put_stat(found, name, best, f"{path}.{name}")
        else:
            _put_stat(found, name, line, f"{path}.{name}")
    for other in lines[1:]:
        differs = [
            f"{name} {other.stats[name].text}" for name in names_
            if name != "Ld" and other.stats[name].text != line.stats[name].text
        ]  # fmt: skip
        if differs:
            note = message(_("{other} differs ({values}): all are played as {name}"),
                           other=other.name, values=", ".join(differs), name=line.name)  # fmt: skip
            found.tell(path, line.name, "assumed", f"{other.place} > {other.name}", note)


def _at(table: dict[str, Any], path: str) -> dict[str, Any]:
    for key in path.split("."):
        table = table.get(key, {})
    return table


def _put_impact(found: Findings, troop: Troop, body: Line) -> None:
    """Impact hits: a rule of theirs, or the dice among the chariot's attacks; scythes add one."""
    place = f"{body.place} > {body.name}"
    hits = dice(body.stats["A"].text)
    for one in troop.inside:
        for name in one.rules:
            named = re.match(rf"^(?:{'|'.join(words.IMPACT)})\s*\(?(.*?)\)?$", plain(name))
            spelt = re.search(r"\(?\s*(\d?\s*[dD]\d(?:\s*\+\s*\d)?)", name)
            if named and spelt:
                hits, place = dice(spelt[1]), one.place
    scythes = next((s for s in troop.inside if words.has_scythes(s.name)), None)
    if scythes is not None and (hits is None or "+" not in hits):
        note = message(_("scythes add one impact hit"))
        found.put("chariot.impact_hits", f"{hits or '1D6'}+1", "derived", scythes.place, note)
    elif hits is not None:
        found.put("chariot.impact_hits", hits, "normalised", place)
    else:
        note = message(_("none are listed: those of every chariot of its kind"))
        found.tell("chariot.impact_hits", None, "derived", place, note)
