"""The armour save of a unit: what its line says against what its armour adds up to."""

from __future__ import annotations

from dataclasses import dataclass

from chargesim.rosters import vocabulary as words
from chargesim.rosters.arms import Kit
from chargesim.rosters.dialects import Dialect
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop
from chargesim.rosters.values import first_save, save

BEST = 7 - 1 + 2
"""Most points of armour that are believed: a save of -1+ is the best of any list."""


@dataclass(frozen=True)
class Sum:
    """Points of armour and what they are made of.

    Parameters
    ----------
    points
        A save is 7 less these.
    words
        The sum, for people.
    has_body
        True when there is armour on the body itself, or scales.
    """

    points: int
    words: tuple[Message, ...]
    has_body: bool


def add_up(kit: Kit, scales: int, *, mounted: bool) -> Sum:
    """What body armour, scales, shield, steed and barding add up to."""
    parts: list[tuple[str, int]] = []
    if kit.body:
        points = max(points for points, _place in kit.body.values())
        parts.append((_("armour {points}"), points))
    if scales:
        parts.append((_("scales {points}"), 7 - scales))
    has_body = bool(parts)
    parts += [
        (name, 1)
        for name, there in (
            (_("shield {points}"), kit.shield),
            (_("steed {points}"), mounted or kit.steed),
            (_("barding {points}"), kit.barding and mounted),
        )
        if there
    ]
    return Sum(
        sum(points for _name, points in parts),
        tuple(message(name, points=points) for name, points in parts),
        has_body,
    )


def scales_of(troop: Troop) -> int:
    """The save of scaly skin among the rules of a unit, 0 without."""
    found = [
        value
        for one in troop.inside
        for name in one.rules
        if (value := words.save_of_rule(name, words.SCALY))
    ]
    return min(found, default=0)


def put_save(
    found: Findings, troop: Troop, line: Line, kit: Kit, dialect: Dialect, *, mounted: bool
) -> None:
    """Write the armour save: read, added up, or neither.

    Parameters
    ----------
    found
        Where to.
    troop, line
        The unit, and the line that is hit.
    kit
        What it carries.
    dialect
        Whether its lines count all that is worn.
    mounted
        True when a steed gives its point.
    """
    if kit.shield:
        found.put("shield", True, "read", kit.shield)
    text = dialect.cell(line.profile, dialect.save)
    cell = save(text or "")
    total = add_up(kit, scales_of(troop), mounted=mounted)
    place = f"{line.place} > {line.name}"
    worn = 7 - min(total.points, BEST)
    if cell.kind == "odd" or (cell.kind == "bonus" and not total.has_body):
        _put_odd(found, cell.text, worn, total, place)
    elif cell.kind == "save" and dialect.whole_save:
        found.put("save", f"{cell.value}+", "read", place)
    elif cell.kind == "save":
        _put_both(found, int(cell.value or 6), worn, total, kit, place)
    elif total.points:
        note = message(_("added up: {sum}"), sum=total.words)
        found.put("save", f"{worn}+", "derived", place, note)
    elif text is not None and cell.text:
        found.tell("save", None, "read", place)
    else:
        note = message(_("neither a save nor armour is listed: none"))
        found.tell("save", None, "assumed", place, note)


def _put_odd(found: Findings, text: str, worn: int, total: Sum, place: str) -> None:
    first = first_save(text)
    value = worn if total.has_body else first
    if value is None:
        note = message(_("{text!r} is no save such as 4+, and no armour is listed: none is taken"),
                       text=text)  # fmt: skip
        found.tell("save", None, "conflicting", place, note)
        return
    note = message(_("the line says {text!r}: its first save is taken"), text=text)
    if total.has_body:
        note = message(_("the line says {text!r}; added up: {sum}"), text=text, sum=total.words)
    found.put("save", f"{value}+", "conflicting", place, note)


def _put_both(found: Findings, said: int, worn: int, total: Sum, kit: Kit, place: str) -> None:
    """A line with a save, and perhaps armour that says the same."""
    if not total.points or said == worn:
        found.put("save", f"{said}+", "read", place)
    elif not total.has_body:
        note = message(_("counted as it stands; what else is worn: {sum}"), sum=total.words)
        found.put("save", f"{said}+", "conflicting", place, note)
    elif kit.shield and said == worn - 1:
        note = message(_("the line's {said}+ counts the shield in combat, which is added there: "
                         "{sum}"), said=said, sum=total.words)  # fmt: skip
        found.put("save", f"{worn}+", "conflicting", place, note)
    else:
        note = message(_("the line says {said}+, but all that is worn adds up: {sum}"),
                       said=said, sum=total.words)  # fmt: skip
        found.put("save", f"{worn}+", "conflicting", place, note)


def put_other_saves(found: Findings, troop: Troop, line: Line, dialect: Dialect) -> None:
    """Ward save and regeneration, from the line or from rules of their exact names."""
    place = f"{line.place} > {line.name}"
    text = dialect.cell(line.profile, dialect.ward) or ""
    cell = save(text)
    if cell.kind == "save":
        _put_fixed(found, "ward", int(cell.value or 6), "read", place, Message())
    elif cell.kind in ("odd", "bonus"):
        note = message(_("{text!r} is no ward save such as 5+: none is taken"), text=text)
        found.tell("ward", text, "conflicting", place, note)
    for one in troop.inside:
        for name in one.rules:
            ward = words.save_of_rule(name, words.WARD)
            if ward and "ward" not in found.table:
                _put_fixed(found, "ward", ward, "read", one.place, Message())
            back = words.save_of_rule(name, words.REGENERATION)
            if back is not None and "regeneration" not in found.table:
                note = Message() if back else message(_("4+ unless the list says otherwise"))
                status = "read" if back else "derived"
                _put_fixed(found, "regeneration", back or 4, status, one.place, note)


def _put_fixed(
    found: Findings, path: str, value: int, status: str, place: str, note: Message
) -> None:
    if not 2 <= value <= 6:
        found.tell(path, f"{value}+", "conflicting", place,
                   message(_("is no save from 2+ to 6+: none is taken")))  # fmt: skip
        return
    found.put(path, f"{value}+", status, place, note)
