"""What kind of troop a unit is, its base and its unit strength."""

from __future__ import annotations

import re

from chargesim.rosters import vocabulary as words
from chargesim.rosters.dialects import Dialect
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop
from chargesim.rosters.text import plain
from chargesim.rosters.values import whole


def put_troop(
    found: Findings, troop: Troop, line: Line, mount: Line | None, dialect: Dialect
) -> str:
    """The troop type: said by a column, else told by roles, rules, base and wounds."""
    place = f"{line.place} > {line.name}"
    text = dialect.cell(line.profile, dialect.troop) or ""
    said = words.troop_of(text) if text else None
    kind, why = _told_troop(found, troop, line, mount, dialect)
    if said == "cavalry" and kind == "flyer":
        kind = "cavalry"
    structural = ("chariot", "light_chariot", "war_machine", "ridden_monster")
    if said is not None and (said == kind or (kind not in structural and said not in structural)):
        found.put("troop", said, "read", place)
        return said
    if said is not None:
        note = message(_("the list says {text!r}, but: {why}"), text=text, why=why)
        found.put("troop", kind, "conflicting", place, note)
        return kind
    found.put("troop", kind, "derived", place, why)
    return kind


def _told_troop(
    found: Findings, troop: Troop, line: Line, mount: Line | None, dialect: Dialect
) -> tuple[str, Message]:
    rules = found.table.get("rules", ())
    names = [troop.selection.name, line.name, *(r for one in troop.inside for r in one.rules)]
    if troop.of("machine"):
        return "war_machine", message(_("its line has T and W alone"))
    if troop.of("body"):
        light = any(words.is_light_chariot(name) for name in names)
        return ("light_chariot" if light else "chariot"), message(
            _("its line is that of a chariot")
        )
    if mount is not None:
        if (mount.value("W") or 0) >= 3:
            return "ridden_monster", message(_("its steed has {wounds} wounds"),
                                             wounds=mount.value("W"))  # fmt: skip
        return "cavalry", message(_("it has a steed"))
    wounds, fast = line.value("W") or 1, 7 if dialect.unit == "inch" else 18
    strength = whole(dialect.cell(line.profile, dialect.strength) or "", 1, 20)
    base = _base_of(line, dialect)
    if any(words.is_swarm(name) for name in names[:2]):
        return "swarm", message(_("by its name"))
    if "large_target" in rules or (
        wounds >= 4 and not troop.is_character and found.table.get("models") == 1
    ):
        return "monster", message(_("by its size"))
    if not troop.is_character and (strength == 3 or base == 40 or wounds >= 3):
        return "ogre", message(_("by its size"))
    if "flyer" in rules and not troop.is_character and strength != 2:
        return "flyer", message(_("by its flight"))
    if strength == 2 and (line.value("M") or 0) >= fast:
        return "cavalry", message(_("by its unit strength and its move"))
    return "infantry", message(_("nothing tells otherwise"))


def _base_of(line: Line, dialect: Dialect) -> int | None:
    text = dialect.cell(line.profile, dialect.base) or ""
    found = re.match(r"^(\d{2,3})\s*[x×]\s*\d{2,3}", text.casefold())
    return int(found[1]) if found and 10 <= int(found[1]) <= 300 else None


def put_base(found: Findings, line: Line, mount: Line | None, dialect: Dialect) -> None:
    """Write the front of a base, a steed's where there is one."""
    lines = [one for one in (mount, line) if one is not None]
    for one in lines:
        base = _base_of(one, dialect)
        if base is not None:
            found.put("base", base, "normalised", f"{one.place} > {one.name}")
            return


def put_strength(
    found: Findings, troop: Troop, line: Line, mount: Line | None, dialect: Dialect
) -> None:
    """Unit strength of a model: the line's and the steed's, a rule's, or that of its type."""
    for one in troop.inside:
        for name in one.rules:
            number = re.match(rf"^(?:{'|'.join(words.STRENGTH)})\s*:?\s*(\d+)$", plain(name))
            if number and 1 <= int(number[1]) <= 20:
                found.put("unit_strength", int(number[1]), "read", one.place)
                return
    place = f"{line.place} > {line.name}"
    text = dialect.cell(line.profile, dialect.strength) or ""
    own = whole(text, 1, 20)
    if mount is not None:
        steed = dialect.cell(mount.profile, dialect.strength) or ""
        there = whole(steed, 1, 20)
        if there is not None and dialect.whole_strength:
            found.put("unit_strength", there, "read", f"{mount.place} > {mount.name}")
            return
        if own is not None and there is not None:
            note = message(_("{rider} of the rider and {steed} of the steed"), rider=own,
                           steed=there)  # fmt: skip
            found.put("unit_strength", own + there, "derived", place, note)
            return
        text = "" if own is None and there is None else text or steed
    elif own is not None and (own == 1 or not troop.of("machine")):
        found.put("unit_strength", own, "read", place)
        return
    kind = found.table.get("troop", "infantry")
    if text and text.casefold() not in ("-", "–") and mount is None:
        note = message(_("the list says {text!r}: that of a {troop} is taken"), text=text,
                       troop=kind.replace("_", " "))  # fmt: skip
        found.tell("unit_strength", text, "conflicting", place, note)
    else:
        note = message(_("that of a {troop}"), troop=kind.replace("_", " "))
        found.tell("unit_strength", None, "derived", place, note)
