"""From a unit of a list to a unit of the scenario model, field by field."""

from __future__ import annotations

import re

from chargesim.rosters import vocabulary as words
from chargesim.rosters.arms import Kit, kit_of, put_missile, put_weapon
from chargesim.rosters.counts import put_models
from chargesim.rosters.dialects import STATS, Dialect
from chargesim.rosters.findings import Findings, _, message
from chargesim.rosters.lines import Line, Troop, between, counted
from chargesim.rosters.lists import Selection
from chargesim.rosters.saves import put_other_saves, put_save
from chargesim.rosters.statistics import put_chariot, put_profile
from chargesim.rosters.text import plain
from chargesim.rosters.troops import put_base, put_strength, put_troop


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
    put_models(found, troop)
    if main is None and body is None:
        for name in STATS:
            found.tell(name, None, "missing", troop.selection.place,
                       message(_("no stat line: give it in an overrides file")))  # fmt: skip
        _put_points(found, troop)
        return found
    if body is not None:
        put_chariot(found, troop, body, dialect)
    elif main is not None:
        put_profile(found, main, mount, dialect)
    line = body or main
    assert line is not None
    on_steed = mount is not None and body is None
    _put_rules(found, troop, kit)
    kind = put_troop(found, troop, line, mount, dialect)
    put_strength(found, troop, line, mount, dialect)
    put_base(found, line, mount, dialect)
    # merged lines of cavalry have no steed of their own, whose point their save counts
    put_save(found, troop, line, kit, dialect, mounted=on_steed and kind == "cavalry")
    put_other_saves(found, troop, line, dialect)
    if main is not None:
        put_weapon(found, kit, troop.selection.place, mounted=on_steed, on_chariot=body is not None)
        put_missile(found, kit, main, serves_machine=bool(troop.of("machine")))
    _put_command(found, troop)
    _put_points(found, troop)
    _tell_rest(found, troop, kit, main)
    return found


def _main_line(troop: Troop) -> Line | None:
    """The line of those who fight: the ranks, or the crew of a machine or chariot."""
    role = "crew" if troop.of("machine", "body") else "troops"
    return next(iter(troop.of(role)), None)


def _put_rules(found: Findings, troop: Troop, kit: Kit) -> None:
    """Special rules by their exact names; those of gear and champions are not the unit's."""
    rules: dict[str, str] = {}
    unknown: dict[str, str] = {}
    roles = {holder: one.role for one in troop.lines for holder in one.holders}
    for one in troop.inside:
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
                found.tell("rules", rule, "partial", one.place, message(
                    _("{name}: holds for a part, or against some: add {rule!r} where it does"),
                    name=name, rule=rule))  # fmt: skip
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
