"""Arms and armour of a unit: what its options and their profiles say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chargesim.rosters import vocabulary as words
from chargesim.rosters.dialects import Dialect
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop, between
from chargesim.rosters.lists import Profile, Selection
from chargesim.rosters.text import plain
from chargesim.rosters.values import Range, reach, save, shots

PREFERENCE = (
    "lance", "great_weapon", "halberd", "pike", "flail", "morning_star", "two_hand_weapons",
    "spear", "brace_of_pistols", "pistol", "hand_weapon",
)  # fmt: skip
"""Which of several weapons is taken for granted, the first first."""


class Common(NamedTuple):
    """A weapon that the ruleset knows by name.

    Parameters
    ----------
    inches, centimetres
        Range in both units.
    strength
        Of a shot; ``None``: the user's.
    armour_piercing
        Its rule.
    shots
        Of a model.
    """

    inches: int
    centimetres: int
    strength: int | None
    armour_piercing: bool = False
    shots: int = 1


COMMON = {
    "short_bow": Common(16, 40, 3),
    "bow": Common(24, 60, 3),
    "long_bow": Common(30, 75, 3),
    "crossbow": Common(30, 75, 4),
    "repeater_crossbow": Common(24, 60, 3, shots=2),
    "handgun": Common(24, 60, 4, armour_piercing=True),
    "pistol": Common(8, 20, 4, armour_piercing=True),
    "sling": Common(18, 45, 3),
    "javelin": Common(8, 20, None),
    "throwing_axe": Common(6, 15, None),
    "throwing_knife": Common(6, 15, None),
}
"""Missile weapons of the common tables; tests hold this against the ruleset's own."""
THROWN = ("javelin", "throwing_axe", "throwing_knife")
_PIERCING = re.compile(r"armou?r piercing|poder de penetracion|perforante")
_THROWN = re.compile(r"\bthrown\b|\barrojadiz")
_AS_USER = re.compile(r"^(as? user|como el usuario|usuario|la del usuario|user|as user s)\b")


@dataclass
class Kit:
    """What a unit carries.

    Parameters
    ----------
    weapons, missiles
        By their key, the place where it is named.
    body
        Points of body armour by its place.
    scales
        Points and place of scaly skin.
    shield, barding, steed
        Place where each is named, empty when it is not; ``steed`` is a point for being mounted
        that an armour of that name gives.
    shots
        Weapons that shoot: what they are, and the place.
    unread
        Names and places of what is not played.
    """

    weapons: dict[str, str] = field(default_factory=dict)
    body: dict[str, tuple[int, str]] = field(default_factory=dict)
    shield: str = ""
    barding: str = ""
    steed: str = ""
    shots: dict[str, Shot] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Shot:
    """A missile weapon as found.

    Parameters
    ----------
    value
        Name or table for the scenario.
    status, place, note
        As in a finding.
    length
        Its range.
    """

    value: Any
    status: str
    place: str
    note: Message
    length: float


def kit_of(troop: Troop, line: Line | None, dialect: Dialect) -> Kit:
    """What the ranks of a unit carry; arms of champions, steeds and magic are left out."""
    kit = Kit()
    roles = {holder: one.role for one in troop.lines for holder in one.holders}
    for one in troop.inside:
        owners = [roles.get(s) for s in between(one, troop.selection) if s is not one]
        if "champion" in owners or "other" in owners or roles.get(one) == "champion":
            continue
        ridden = "mount" in owners or roles.get(one) in ("mount", "beast")
        if _is_magic(one, troop):
            if one.profiles or one.rules or one.own_points:
                kit.unread[one.name] = one.place
            continue
        _take(kit, one, line, dialect, ridden=ridden)
    return kit


def _is_magic(one: Selection, troop: Troop) -> bool:
    """True for a magic item: named, never interpreted."""
    ways = [*between(one, troop.selection)]
    return any(words.is_magic(way.group) for way in ways) or any(
        words.is_magic(profile.type_name) for profile in one.profiles
    )


def _take(kit: Kit, one: Selection, line: Line | None, dialect: Dialect, *, ridden: bool) -> None:
    """Take what one selection gives, by its profiles, else by its name."""
    gave = False
    for profile in one.profiles:
        if dialect.columns(profile):
            continue
        if dialect.cell(profile, dialect.range) is not None:
            if not ridden:
                _take_weapon(kit, one, profile, line, dialect)
            gave = True
        elif dialect.cell(profile, dialect.armour) is not None:
            _take_armour(kit, one, profile, dialect)
            gave = True
        elif _is_armour(profile):
            kit.unread[profile.name] = one.place
            gave = True
    if one.type in ("unit", "model") or ridden:
        if words.is_barding(one.name):
            kit.barding = kit.barding or one.place
        return
    if words.has_shield(one.name):
        kit.shield = kit.shield or one.place
    if gave:
        return
    weapon, missile = words.weapon_of(_without_shield(one.name)), words.missile_of(one.name)
    armour = words.armour_of(one.name)
    if weapon:
        kit.weapons.setdefault(weapon, one.place)
    if missile:
        _take_named(kit, missile, one.place, dialect)
    if armour:
        kit.body.setdefault(armour, (words.BODY[armour], one.place))
    if words.is_barding(one.name):
        kit.barding = kit.barding or one.place


def _is_armour(profile: Profile) -> bool:
    return bool(re.search(r"\b(armou?r|armadura)\b", plain(profile.type_name)))


def _without_shield(name: str) -> str:
    return re.sub(r"\s+(?:and|&|y)\s+(?:shields?|escudos?)\b.*$", "", name, flags=re.IGNORECASE)


def _take_weapon(
    kit: Kit, one: Selection, profile: Profile, line: Line | None, dialect: Dialect
) -> None:
    length = reach(dialect.cell(profile, dialect.range) or "")
    special = plain(dialect.cell(profile, dialect.special) or "")
    place = f"{one.place} > {profile.name}" if profile.name != one.name else one.place
    names = (profile.name, _without_shield(one.name))
    weapon = next((w for w in map(words.weapon_of, (one.name, *names)) if w), None)
    if weapon:
        kit.weapons.setdefault(weapon, place)
    if length.value is not None:
        shot = _shot(names, profile, length, special, line, dialect, place)
        if shot is None:
            kit.unread[profile.name] = place
        else:
            kit.shots.setdefault(plain(profile.name), shot)
    elif not length.is_melee or not weapon:
        missile = next((m for m in map(words.missile_of, names) if m), None)
        if missile and length.is_melee and not dialect.cell(profile, dialect.range):
            _take_named(kit, missile, place, dialect)
        elif not weapon and not words.has_scythes(one.name):
            kit.unread[profile.name] = place


def _shot(
    names: Iterable[str], profile: Profile, length: Range, special: str, line: Line | None,
    dialect: Dialect, place: str,
) -> Shot | None:  # fmt: skip
    """A missile weapon from its profile; ``None`` when it is not of the kind that is played."""
    if length.unit not in (None, dialect.unit) or not length.value:
        return None
    strength, known = plain(dialect.cell(profile, dialect.weapon_strength) or ""), True
    own = line.value("S") if line else None
    if re.fullmatch(r"\d{1,2}", strength) and 1 <= int(strength) <= 10:
        power: int | None = int(strength)
    elif _AS_USER.match(strength):
        plus = re.search(r"\+\s*(\d)", strength)
        power = None if own is None else own + int(plus[1] if plus else 0)
        known = False
    else:
        return None
    if power is None or not 1 <= power <= 10:
        return None
    key = next((m for m in map(words.missile_of, names) if m), None)
    piercing, count = bool(_PIERCING.search(special)), shots(special) or 1
    thrown = bool(_THROWN.search(special)) or key in THROWN
    value = {
        "range": int(length.value) if length.value == int(length.value) else length.value,
        "S": power, "armour_piercing": piercing, "shots": count, "thrown": thrown,
    }  # fmt: skip
    if key is not None and _is_common(key, value, dialect, as_user=not known):
        return Shot(key, "read", place, Message(), length.value)
    usual = {"armour_piercing": False, "shots": 1, "thrown": False}
    found = {k: v for k, v in value.items() if k not in usual or usual[k] != v}
    status = "read" if known else "derived"
    return Shot(found, status, place, Message(), length.value)


def _is_common(key: str, value: dict[str, Any], dialect: Dialect, *, as_user: bool) -> bool:
    """True when a profile says just what the ruleset knows of a weapon of that name."""
    inches, centimetres, strength, piercing, count = COMMON[key]
    length = inches if dialect.unit == "inch" else centimetres
    if key == "throwing_axe" or (strength is None) != as_user:
        return False
    same = (value["range"], value["armour_piercing"], value["shots"]) == (length, piercing, count)
    return same and (as_user or value["S"] == strength)


def _take_named(kit: Kit, missile: str, place: str, dialect: Dialect) -> None:
    """A missile weapon known by name alone, from the common table."""
    common = COMMON[missile]
    length = common.inches if dialect.unit == "inch" else common.centimetres
    note = message(_("by its name, from the common table of missile weapons"))
    kit.shots.setdefault(missile, Shot(missile, "derived", place, note, length))


def _take_armour(kit: Kit, one: Selection, profile: Profile, dialect: Dialect) -> None:
    text = dialect.cell(profile, dialect.armour) or ""
    cell, place = save(text), one.place
    if words.has_shield(profile.name) or words.has_shield(one.name):
        kit.shield = kit.shield or place
    elif words.is_barding(profile.name) or words.is_barding(one.name):
        kit.barding = kit.barding or place
    elif words.is_mounts(profile.name):
        kit.steed = kit.steed or place
    elif cell.kind == "save":
        key = words.armour_of(profile.name) or words.armour_of(one.name) or plain(profile.name)
        kit.body.setdefault(key, (7 - int(cell.value or 7), place))
    elif words.armour_of(profile.name) or words.armour_of(one.name):
        key = words.armour_of(profile.name) or words.armour_of(one.name) or ""
        kit.body.setdefault(key, (words.BODY[key], place))
    elif cell.kind != "absent" or profile.name:
        kit.unread[profile.name] = place


def put_weapon(found: Findings, kit: Kit, place: str, *, mounted: bool, on_chariot: bool) -> None:
    """The weapon of close combat; where there are several, the one that is meant to be used."""
    fit = {
        key: place for key, place in kit.weapons.items()
        if (key != "lance" or mounted or on_chariot) and (key != "pike" or not mounted)
    }  # fmt: skip
    for key in kit.weapons:
        if key not in fit:
            found.tell("weapon", key, "not read", kit.weapons[key],
                       message(_("is no weapon for those who use it")))  # fmt: skip
    special = [key for key in PREFERENCE if key in fit and key != "hand_weapon"]
    if not special:
        named = fit.get("hand_weapon")
        note = Message() if named else message(_("none is named: everybody has a hand weapon"))
        found.put("weapon", "hand_weapon", "read" if named else "derived", named or place, note)
        return
    chosen = special[0]
    if len(special) == 1:
        found.put("weapon", chosen, "read", fit[chosen])
        return
    others = ", ".join(special[1:])
    note = message(_("has {others} too: the scenario holds one weapon"), others=others)
    found.put("weapon", chosen, "assumed", fit[chosen], note)


def put_missile(found: Findings, kit: Kit, line: Line | None, *, serves_machine: bool) -> None:
    """The missile weapon; crew that serves a machine shoots with nothing else that is played."""
    if not kit.shots:
        return
    places = sorted(kit.shots.items(), key=lambda pair: (-pair[1].length, pair[0]))
    if serves_machine:
        for name, shot in places:
            found.tell("missile", name, "not read", shot.place,
                       message(_("war machines do not stand and shoot")))  # fmt: skip
        return
    skill = line.value("BS") if line else None
    shot = places[0][1]
    if not skill:
        found.tell("missile", shot.value, "conflicting", shot.place,
                   message(_("the line has no BS to shoot with: left out")))  # fmt: skip
        return
    if len(places) > 1:
        others = ", ".join(name for name, _shot_ in places[1:])
        note = message(_("has {others} too: the longest range is taken"), others=others)
        found.put("missile", shot.value, "conflicting", shot.place, note)
        return
    found.put("missile", shot.value, shot.status, shot.place, shot.note)
