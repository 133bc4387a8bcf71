"""Missiles, wounds and saves of the naive `wh6` twin: what one shot or one hit does."""

from __future__ import annotations

import random
from dataclasses import dataclass

from oracles.naive_wh6_units import (
    Unit,
    crew_profile,
    front_width,
    hundredths,
    is_chariot,
    is_on_foot,
    own_or_crew,
    roll_die,
    roll_needed,
    stat,
)

# WH6-MW: range in inches, range in centimetres, strength ("user" or a number), added strength,
# armour piercing, number of shots, thrown.
MISSILES: dict[str, tuple[int, int, int | str, int, bool, int, bool]] = {
    "short_bow": (16, 40, 3, 0, False, 1, False),
    "bow": (24, 60, 3, 0, False, 1, False),
    "long_bow": (30, 75, 3, 0, False, 1, False),
    "crossbow": (30, 75, 4, 0, False, 1, False),
    "repeater_crossbow": (24, 60, 3, 0, False, 2, False),
    "handgun": (24, 60, 4, 0, True, 1, False),
    "pistol": (8, 20, 4, 0, True, 1, False),
    "sling": (18, 45, 3, 0, False, 1, False),
    "javelin": (8, 20, "user", 0, False, 1, True),
    "throwing_axe": (6, 15, "user", 1, False, 1, True),
    "throwing_knife": (6, 15, "user", 0, False, 1, True),
}

TWO_HANDED = ("great_weapon", "flail", "halberd", "pike")


@dataclass
class Missile:
    """A missile weapon as it is used in this scenario (range in hundredths)."""

    name: str
    range: int
    strength: int
    armour_piercing: bool
    shots: int
    thrown: bool
    rules: tuple[str, ...]


def read_missile(unit: Unit) -> Missile:
    """WH6-MW: the missile weapon of a unit, from the table or given in full."""
    given = unit.raw["missile"]
    if isinstance(given, dict):
        given_strength = stat(given, "S")
        return Missile(
            name="",
            range=hundredths(given["range"]),
            strength=user_strength(unit) if given_strength is None else given_strength,
            armour_piercing=given.get("armour_piercing", False),
            shots=given.get("shots", 1),
            thrown=given.get("thrown", False),
            rules=tuple(given.get("rules", [])),
        )
    inches, centimetres, strength, added, piercing, shots, thrown = MISSILES[given]
    return Missile(
        name=given,
        range=hundredths(inches if unit.inch else centimetres),
        strength=min(10, (user_strength(unit) if strength == "user" else int(strength)) + added),
        armour_piercing=piercing,
        shots=shots,
        thrown=thrown,
        rules=(),
    )


def user_strength(unit: Unit) -> int:
    """Strength of the one who throws: on a chariot the crew, never the vehicle (CHAR-07)."""
    crew_strength = stat(crew_profile(unit), "S")
    if is_chariot(unit) and crew_strength is not None:
        return crew_strength
    return own_or_crew(unit, "S")


def number_of_shooters(shooter: Unit, charger: Unit, on_a_hill: bool) -> int:
    """WH6-SHOOT-04: the front rank (two on a hill), all at a large target, or as the file says."""
    if "shooters" in shooter.raw:
        return int(shooter.raw["shooters"])
    if charger.has("large_target"):
        return shooter.models_left
    if on_a_hill:
        return min(2 * front_width(shooter), shooter.models_left)
    return front_width(shooter)


def shots_each(missile: Missile, gap: float, inch: bool) -> int:
    """WH6-MW: shots of one model; a sling has two within 9 inches or 22 centimetres."""
    if missile.name == "sling":
        near = 900 if inch else 2200
        return 2 if gap <= near else 1
    return missile.shots


def hard_to_see(charger: Unit) -> bool:
    """WH6-SHOOT-02: skirmishers, or a single man-sized model on foot."""
    if charger.has("skirmishers"):
        return True
    return (
        charger.start_models == 1
        and charger.troop == "infantry"
        and not charger.has("large_target")
    )


def to_hit_needed(
    shooter: Unit, charger: Unit, missile: Missile, gap: float, cover: str, shots: int
) -> int:
    """WH6-SHOOT-01, SHOOT-02, SS-04, SS-05: the number needed to hit, 7 and more included."""
    modifier = -1  # stand and shoot
    if charger.has("large_target"):
        modifier += 1
    if 2 * gap > missile.range and not missile.thrown:
        modifier -= 1
    if hard_to_see(charger):
        modifier -= 1
    if cover == "soft":
        modifier -= 1
    if cover == "hard":
        modifier -= 2
    if shots > 1:
        modifier -= 1
    return max(2, 7 - own_or_crew(shooter, "BS") - modifier)


def roll_to_hit(needed: int, rng: random.Random) -> tuple[bool, bool]:
    """WH6-SHOOT-01, SHOOT-03: (hit, natural six of a shot that needed no more than 6)."""
    if needed >= 10:
        return False, False
    die = roll_die(rng)
    if needed <= 6:
        return die >= needed, die == 6
    if die != 6:
        return False, False
    return roll_die(rng) >= needed - 3, False


def to_wound_needed(strength: int, toughness: int) -> int | None:
    """WH6-WND-01: the number needed to wound, None when it cannot be done."""
    if toughness - strength >= 4:
        return None
    return min(6, max(2, 4 + toughness - strength))


def saved_by_armour(save: int, strength: int, piercing: bool, rng: random.Random) -> bool:
    """WH6-SAVE-01: one armour save; a natural 1 always fails."""
    needed = save + max(0, strength - 3) + (1 if piercing else 0)
    if needed > 6:
        return False
    return roll_die(rng) >= max(2, needed)


def saved_by_ward(unit: Unit, rng: random.Random) -> bool:
    """WH6-SAVE-03: one ward save, never modified."""
    if "ward" not in unit.raw:
        return False
    return roll_die(rng) >= max(2, roll_needed(unit.raw["ward"]))


def poison_works_on(unit: Unit) -> bool:
    """WH6-SPEC-04: chariots and war machines do not feel poison."""
    return not is_chariot(unit) and unit.troop != "war_machine"


def killing_blow_works_on(unit: Unit) -> bool:
    """WH6-SPEC-03: man-sized models and riders only."""
    return unit.troop in ("infantry", "cavalry", "flyer")


def shoot_once(missile: Missile, charger: Unit, needed: int, rng: random.Random) -> str | None:
    """Fire one shot: None, "wound" (one wound) or "slain" (a whole model at once)."""
    hit, natural_six = roll_to_hit(needed, rng)
    if not hit:
        return None
    return wound_once(
        charger,
        strength=missile.strength,
        piercing=missile.armour_piercing,
        save=roll_needed(charger.raw.get("save")),
        poisoned=natural_six and "poison" in missile.rules and poison_works_on(charger),
        killing_blow="killing_blow" in missile.rules,
        rng=rng,
    )


def wound_once(
    victim: Unit,
    *,
    strength: int,
    piercing: bool,
    save: int,
    poisoned: bool,
    killing_blow: bool,
    rng: random.Random,
) -> str | None:
    """WH6-WND-01, SAVE, SPEC-03, SPEC-04, CHAR-03: what one hit does.

    None, "wound" (one wound) or "slain" (a whole model at once).
    """
    killing = False
    if not poisoned:
        die = roll_die(rng)
        killing = die == 6 and killing_blow and killing_blow_works_on(victim)
        to_wound = to_wound_needed(strength, own_or_crew(victim, "T"))
        if not killing and (to_wound is None or die < to_wound):
            return None
    smashed = is_chariot(victim) and strength >= 7
    if not killing and not smashed and saved_by_armour(save, strength, piercing, rng):
        return None
    if saved_by_ward(victim, rng):
        return None
    return "slain" if killing or smashed else "wound"


def regain_wounds(unit: Unit, wounds: int, rng: random.Random) -> int:
    """WH6-SPEC-01: one regeneration die for each wound actually suffered."""
    if "regeneration" not in unit.raw:
        return 0
    regained = 0
    for _ in range(wounds):
        if roll_die(rng) >= max(2, roll_needed(unit.raw["regeneration"])):
            regained += 1
    return regained


def save_in_combat(unit: Unit) -> int:
    """WH6-SAVE-02, IMPACT-06: hand weapon and shield on foot; two hands leave the shield."""
    save = roll_needed(unit.raw.get("save"))
    weapon = unit.raw.get("weapon", "hand_weapon")
    if not unit.raw.get("shield", False):
        return save
    if weapon == "hand_weapon" and is_on_foot(unit):
        return save - 1
    if weapon in TWO_HANDED:
        return save + 1
    return save
