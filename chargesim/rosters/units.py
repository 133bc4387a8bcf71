"""From a unit of a list to a unit of the scenario model, field by field."""

from __future__ import annotations

import re
from typing import Any

from chargesim.rosters import vocabulary as words
from chargesim.rosters.arms import Kit, kit_of, put_missile, put_weapon
from chargesim.rosters.dialects import STATS, Dialect
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop, between, counted
from chargesim.rosters.lists import Selection
from chargesim.rosters.saves import put_other_saves, put_save
from chargesim.rosters.text import plain
from chargesim.rosters.values import dice, whole

LIMITS = {"W": (1, 10), "S": (1, 10), "T": (1, 10), "Ld": (1, 10)}
"""Least and greatest of statistics; the others are from 0 to 10."""
MOST_M = {"inch": 20, "cm": 50}
"""Greatest move that is believed."""
CREWLESS = ("WS", "BS", "I", "A", "Ld")
"""Statistics that a chariot takes from its crew."""


def read_unit(troop: Troop, dialect: Dialect) -> Findings:
    """What a unit of a list says, as a table of a scenario with its findings.

    Parameters
    ----------
    troop
        The unit with its lines.
    dialect
        How its columns are called.
    """
    found = Findings()
    main = _main_line(troop)
    mount = next(iter(troop.of("mount")), None)
    body = next(iter(troop.of("body")), None)
    kit = kit_of(troop, main, dialect)
    _put_models(found, troop)
    if main is None and body is None:
        for name in STATS:
            found.tell(name, None, "missing", troop.selection.place,
                       message(_("no stat line: give it in an overrides file")))  # fmt: skip
        _put_points(found, troop)
        return found
    if body is not None:
        _put_chariot(found, troop, body, dialect)
    elif main is not None:
        _put_profile(found, main, mount, dialect)
    line = body or main
    assert line is not None
    on_steed = mount is not None and body is None
    _put_rules(found, troop, kit)
    kind = _put_troop(found, troop, line, mount, dialect)
    _put_strength(found, troop, line, mount, dialect)
    _put_base(found, line, mount, dialect)
    # merged lines of cavalry have no steed of their own, whose point their save counts
    put_save(found, troop, line, kit, dialect, mounted=on_steed and kind == "cavalry")
    put_other_saves(found, troop, line, dialect)
    if main is not None:
        put_weapon(found, kit, mounted=on_steed, on_chariot=body is not None)
        put_missile(found, kit, main, serves_machine=bool(troop.of("machine")))
    _put_command(found, troop)
    _put_points(found, troop)
    _tell_rest(found, troop, kit, main)
    return found


def _main_line(troop: Troop) -> Line | None:
    """The line of those who fight: the ranks, or the crew of a machine or chariot."""
    role = "crew" if troop.of("machine", "body") else "troops"
    return next(iter(troop.of(role)), None)


def _put_models(found: Findings, troop: Troop) -> None:
    one, place = troop.selection, troop.selection.place
    if troop.of("machine"):
        _put_crew_models(found, troop)
        return
    if troop.of("body"):
        _put_chariots(found, troop)
        return
    models = counted(troop)
    ranks = troop.of("troops")
    extra = [line for line in ranks if line.count and not _on_models(line, models)]
    total = sum(model.number for model in models)
    if models and _is_pack(troop, models):
        names = " + ".join(sorted(line.name for line in ranks))
        found.tell("models", None, "missing", place,
                   message(_("{number} × {name} of {lines}: how many heads each has is not in the "
                             "file"), number=total, name=models[0].name, lines=names))  # fmt: skip
    elif models:
        total += sum(line.count for line in extra)
        several = len(models) > 1 or extra
        parts = [(model.name, model.number) for model in models]
        parts += [(line.name, line.count) for line in extra]
        note = message(_("added up: {sum}"), sum=" + ".join(f"{n} {name}" for name, n in parts))
        found.put("models", total, "derived" if several else "read", models[0].place,
                  note if several else Message())  # fmt: skip
    elif (named := _named_alike(troop)) and not troop.is_character:
        total = sum(s.number for s in named)
        note = message(_("from the option of the unit's name"))
        found.put("models", total, "derived", named[0].place, note)
    elif troop.is_character or one.type == "model" or one.number > 1:
        found.put("models", one.number, "read", place)
    else:
        note = message(_("no count of models: the unit's own number"))
        found.put("models", one.number, "assumed", place, note)


def _on_models(line: Line, models: list[Selection]) -> bool:
    return any(one in models for one in line.holders) or any(
        words.bears(one.name, line.name) for one in models
    )


def _is_pack(troop: Troop, models: list[Selection]) -> bool:
    """True when models hold two lines of ranks below them: so many of each, nobody says."""
    below = [
        line for line in troop.of("troops")
        if not line.count
        and all(one not in models and one is not troop.selection for one in line.holders)
    ]  # fmt: skip
    return len(below) > 1


def _named_alike(troop: Troop) -> list[Selection]:
    """Options that bear the unit's name, or that of a line of its ranks."""
    names = [troop.selection.name, *(line.name for line in troop.of("troops"))]
    return [
        one for one in troop.inside
        if one is not troop.selection and one.type not in ("unit", "model")
        and any(words.bears(one.name, name) for name in names)
    ]  # fmt: skip


def _put_crew_models(found: Findings, troop: Troop) -> None:
    """A war machine is as many models as serve it."""
    machines = _machines(troop)
    crew = troop.of("crew")
    count = sum(line.count for line in crew)
    status, place = "read", crew[0].place if crew else troop.selection.place
    if not count:
        named = [(words.crew_count(one.name), one.place) for one in troop.inside]
        named += [(words.crew_count(line.name), line.place) for line in crew]
        first = next(((n, at) for n, at in named if n), None)
        if first is None:
            found.tell("models", None, "missing", place,
                       message(_("how many serve the machine is not in the file")))  # fmt: skip
            return
        count, status, place = first[0] or 1, "derived", first[1]
    elif machines > 1:
        count, status = count // machines, "derived"
    note = message(_("a war machine counts as many models as serve it"))
    found.put("models", count, status, place, note if status == "derived" else Message())


def _machines(troop: Troop) -> int:
    return troop.selection.number if troop.selection.type == "model" else 1


def _put_chariots(found: Findings, troop: Troop) -> None:
    one = troop.selection
    members = [
        s for s in troop.inside
        if s is not one and s.type == "unit"
        and not any(above.type == "unit" for above in between(s, one) if above is not s)
    ]  # fmt: skip
    bodies = sum(line.count for line in troop.of("body"))
    if members or bodies:
        total = sum(s.number for s in members) or bodies
        note = message(_("chariots of one entry: if each stands by itself, give models = 1"))
        place = members[0].place if members else troop.of("body")[0].place
        alone = total == 1
        found.put("models", total, "read" if alone else "assumed", place,
                  Message() if alone else note)  # fmt: skip
        return
    note = message(_("no count of models: the unit's own number"))
    found.put("models", one.number, "assumed", one.place, note)


def _put_profile(found: Findings, line: Line, mount: Line | None, dialect: Dialect) -> None:
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


def _put_value(
    found: Findings, path: str, value: int, kind: str, text: str, place: str
) -> None:
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


def _put_chariot(found: Findings, troop: Troop, body: Line, dialect: Dialect) -> None:
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


def _put_riders(
    found: Findings, troop: Troop, lines: list[Line], path: str, chariots: int
) -> None:
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


def _put_rules(found: Findings, troop: Troop, kit: Kit) -> None:
    """Special rules by their exact names; those of gear, champions and steeds are not the unit's."""
    rules: dict[str, str] = {}
    unknown: dict[str, str] = {}
    roles = {holder: one.role for one in troop.lines for holder in one.holders}
    for one in sorted(troop.inside, key=lambda s: s.place):
        ways = list(between(one, troop.selection))
        if any(words.is_gear(way.name) or words.is_magic(way.group) for way in ways):
            continue
        if any(roles.get(way) in ("champion", "other") for way in ways):
            continue
        ridden = any(roles.get(way) == "mount" or words.is_mounts(way.group) for way in ways)
        for name in one.rules:
            rule, limit = words.rule_of(name)
            if rule is None:
                if not _is_a_number(name):
                    unknown.setdefault(name, one.place)
            elif limit or (ridden and rule not in ("fear", "terror", "flyer", "large_target")):
                part = limit or _("the steed")
                found.tell("rules", rule, "partial", one.place, message(
                    _("{name}: holds for a part, or against some: add {rule!r} where it does"),
                    name=name, rule=rule, part=part))  # fmt: skip
            else:
                rules.setdefault(rule, one.place)
    if rules:
        found.table["rules"] = sorted(rules)
        for rule, place in sorted(rules.items()):
            found.tell("rules", rule, "read", place)
    if unknown:
        note = message(_("rules that are not played: {names}"), names=", ".join(sorted(unknown)))
        found.tell("rules", None, "not read", troop.selection.place, note)


def _is_a_number(name: str) -> bool:
    """True for rules that are read elsewhere, as saves, hits or unit strength."""
    kinds = (*words.WARD, *words.REGENERATION, *words.SCALY, *words.IMPACT, *words.STRENGTH)
    return bool(re.match(rf"^(?:{'|'.join(kinds)})\b", plain(name)))


def _put_troop(
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
        note = message(_("the list says {text!r}, its lines say {why}"), text=text, why=why)
        found.put("troop", kind, "conflicting", place, note)
        return kind
    found.put("troop", kind, "derived", place, message(_("from {why}"), why=why))
    return kind


def _told_troop(
    found: Findings, troop: Troop, line: Line, mount: Line | None, dialect: Dialect
) -> tuple[str, Message]:
    rules = found.table.get("rules", ())
    names = [troop.selection.name, line.name, *(r for one in troop.inside for r in one.rules)]
    if troop.of("machine"):
        return "war_machine", message(_("a line with T and W alone"))
    if troop.of("body"):
        light = any(words.is_light_chariot(name) for name in names)
        return ("light_chariot" if light else "chariot"), message(_("the line of a chariot"))
    if mount is not None:
        if (mount.value("W") or 0) >= 3:
            return "ridden_monster", message(_("a steed of {wounds} wounds"),
                                             wounds=mount.value("W"))  # fmt: skip
        return "cavalry", message(_("a steed"))
    wounds, fast = line.value("W") or 1, 7 if dialect.unit == "inch" else 18
    strength = whole(dialect.cell(line.profile, dialect.strength) or "", 1, 20)
    base = _base_of(line, dialect)
    if any(words.is_swarm(name) for name in names[:2]):
        return "swarm", message(_("its name"))
    if "large_target" in rules or (
        wounds >= 4 and not troop.is_character and found.table.get("models") == 1
    ):
        return "monster", message(_("its size"))
    if not troop.is_character and (strength == 3 or base == 40 or wounds >= 3):
        return "ogre", message(_("its size"))
    if "flyer" in rules and not troop.is_character and strength != 2:
        return "flyer", message(_("its flight"))
    if strength == 2 and (line.value("M") or 0) >= fast:
        return "cavalry", message(_("its unit strength and move"))
    return "infantry", message(_("nothing that tells otherwise"))


def _base_of(line: Line, dialect: Dialect) -> int | None:
    text = dialect.cell(line.profile, dialect.base) or ""
    found = re.match(r"^(\d{2,3})\s*[x×]\s*\d{2,3}", text.casefold())
    return int(found[1]) if found and 10 <= int(found[1]) <= 300 else None


def _put_base(found: Findings, line: Line, mount: Line | None, dialect: Dialect) -> None:
    lines = [one for one in (mount, line) if one is not None]
    for one in lines:
        base = _base_of(one, dialect)
        if base is not None:
            found.put("base", base, "normalised", f"{one.place} > {one.name}")
            return


def _put_strength(
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
    elif own is not None and not troop.of("machine"):
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


def _put_command(found: Findings, troop: Troop) -> None:
    """Standard, musician, champion, and a battle standard."""
    one = troop.selection
    if words.command_of(one.name) == "battle_standard":
        found.put("battle_standard", True, "derived", one.place, message(_("by its name")))
    alone = found.table.get("models") == 1
    for below in troop.inside:
        key = words.command_of(below.name) if below is not one else None
        if key == "champion" and (alone or _is_magic(below)):
            found.tell("champion", below.name, "not read", below.place,
                       message(_("a model by itself has no champion")))  # fmt: skip
        elif key is not None and not (key == "standard" and alone):
            found.put(key, True, "read", below.place)
    line = next(iter(troop.of("champion")), None)
    if line is not None and not alone:
        found.put("champion", True, "read", f"{line.place} > {line.name}")


def _is_magic(one: Selection) -> bool:
    return words.is_magic(one.group)


def _put_points(found: Findings, troop: Troop) -> None:
    """Costs of the unit, what stands alone within it left out."""
    total = sum(float(one.own_points) for one in troop.inside)
    if troop.selection.type == "model" and troop.selection.number > 1 and troop.of("machine"):
        total /= troop.selection.number
    if total > 0:
        value = int(total) if total == int(total) else round(total, 2)
        found.put("points", value, "derived", troop.selection.place, message(_("sum of its costs")))


def _tell_rest(found: Findings, troop: Troop, kit: Kit, main: Line | None) -> None:
    """What a unit has that is not played: other lines, other arms, magic."""
    ranks = troop.of("troops")
    for line in ranks[1:]:
        if main is None:
            break
        differs = [
            f"{name} {line.stats[name].text}" for name in STATS
            if line.stats[name].text != main.stats[name].text
        ]  # fmt: skip
        if differs:
            note = message(_("{other} × {count} differ ({values}): all are played as {name}"),
                           other=line.name, count=line.count or "?", values=", ".join(differs),
                           name=main.name)  # fmt: skip
            found.tell("profile", main.name, "assumed", f"{line.place} > {line.name}", note)
    texts = {
        "champion": _("line of the champion, who is one more attack"),
        "absent": _("line of what was not taken"),
        "other": _("models with a line of their own, no part of the ranks"),
        "machine": _("line of the machine itself; in a fight its crew is hit"),
    }
    for role, text in texts.items():
        for line in troop.of(role):
            found.tell("profile", line.name, "not read", f"{line.place} > {line.name}",
                       message(text))  # fmt: skip
    for line in troop.of("mount")[1:]:
        found.tell("mount", line.name, "not read", f"{line.place} > {line.name}",
                   message(_("a second steed")))  # fmt: skip
    without = [
        one for one in counted(troop)
        if len(ranks) > 1 and not any(one in line.holders for line in ranks)
        and not any(words.bears(one.name, line.name) for line in ranks)
    ]  # fmt: skip
    for one in without:
        found.tell("profile", one.name, "missing" if not ranks else "assumed", one.place,
                   message(_("{count} models without a stat line: played like the others"),
                           count=one.number))  # fmt: skip
    for name, place in sorted(kit.unread.items()):
        found.tell("equipment", name, "not read", place,
                   message(_("not played: give what it changes in an overrides file")))  # fmt: skip
