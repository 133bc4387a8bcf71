"""Impact hits and blows of a combat round of the naive `wh6` twin, in their order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from oracles.naive_wh6_fight import Fight, Fighter, regenerate, take_wounds
from oracles.naive_wh6_hits import poison_works_on, save_in_combat, wound_once
from oracles.naive_wh6_units import (
    Unit,
    crew_profile,
    is_chariot,
    is_on_foot,
    own_or_crew,
    roll_die,
    roll_expression,
    stat,
    weapon_skill,
)

# Impact hits


def impact_hits(fight: Fight, rng: random.Random) -> None:
    """WH6-IMPACT-02, IMPACT-04: before everything, in order of declaration."""
    target = fight.target
    champion = target.models > 1 and target.unit.raw.get("champion", False)
    rank_and_file = fight.game.switches["impact_targets"] == "rank_and_file"
    spared = target.unit.wounds_each if champion and rank_and_file else 0
    for attacker in fight.attackers:
        if attacker.charge is None:
            continue
        slain = 0
        wounds = 0
        for strength in roll_impact_hits(attacker, target, fight, rng):
            attacker.charge.impact_hits += 1
            effect = wound_once(
                target.unit,
                strength=strength,
                piercing=False,
                save=save_in_combat(target.unit),
                poisoned=False,
                killing_blow=False,
                rng=rng,
            )
            if effect == "slain":
                slain += 1
            if effect == "wound":
                wounds += 1
        target.unit.wounds_left -= spared  # the champion is no victim of impact hits
        attacker.charge.impact_wounds = take_wounds(fight, target, slain, wounds)
        target.unit.wounds_left += spared


def roll_impact_hits(
    attacker: Fighter, target: Fighter, fight: Fight, rng: random.Random
) -> list[int]:
    """WH6-IMPACT-01, IMPACT-05, IMPACT-07: the strength of every impact hit."""
    unit = attacker.unit
    touching = attacker.touching[target.unit.name]
    hits: list[int] = []
    if is_chariot(unit):
        default = "1D3" if unit.troop == "light_chariot" else "1D6"
        expression = str(unit.raw.get("chariot", {}).get("impact_hits", default))
        for _ in range(touching):
            for _ in range(round(roll_expression(expression, rng))):
                hits.append(own_or_crew(unit, "S"))
    elif unit.has("bull_charge") and unit.troop == "ogre" and attacker.models >= 3:
        assert attacker.charge is not None
        if attacker.charge.gap >= fight.game.near(6, 15):
            full_ranks = attacker.models // attacker.width
            last_rank = attacker.models % attacker.width
            for place in range(touching):
                behind = full_ranks - 1 + (1 if place < last_rank else 0)
                hits.append(min(10, own_or_crew(unit, "S") + behind))
    return hits


# The order of the blows

FIRST, CHARGERS, BY_INITIATIVE, LAST, ZOMBIES = range(5)


@dataclass(eq=False)
class Blows:
    """What one kind of a unit's models (riders or crew, steeds, beasts) strikes with."""

    fighter: Fighter
    kind: str  # "own", "steeds" or "beasts"
    when: int
    weapon_skill: int
    strength: int
    piercing: bool
    initiative: int
    attacks: int  # of one fighting model


def needed_stat(profile: dict[str, Any], name: str, unit: Unit) -> int:
    """Look up a characteristic of the crew, the beasts or the steeds, else of the unit."""
    value = stat(profile, name)
    return own_or_crew(unit, name) if value is None else value


def when_it_strikes(fighter: Fighter, weapon_counts: bool) -> int:
    """WH6-CC-03, ARMY-09: the class of the order in which the unit strikes."""
    unit = fighter.unit
    if unit.has("zombie"):
        return ZOMBIES
    if unit.has("always_strikes_first"):
        return FIRST
    if unit.has("strikes_last"):
        return LAST
    if fighter.charge is not None:
        return CHARGERS
    if weapon_counts and unit.raw.get("weapon") == "great_weapon":
        return LAST
    return BY_INITIATIVE


def armed_strength(fighter: Fighter, strength: int) -> tuple[int, bool]:
    """WH6-WPN: strength with the weapon, and whether it pierces armour."""
    unit = fighter.unit
    weapon = unit.raw.get("weapon", "hand_weapon")
    charging = fighter.charge is not None
    mounted = unit.troop in ("cavalry", "ridden_monster") or is_chariot(unit)
    if weapon in ("pistol", "brace_of_pistols") and fighter.first_round:
        return 4, True
    if weapon == "great_weapon" or (weapon == "flail" and fighter.first_round):
        strength += 2
    if weapon == "halberd" or (weapon == "morning_star" and fighter.first_round):
        strength += 1
    if weapon == "spear" and mounted and charging:
        strength += 1
    if weapon == "lance" and charging:
        strength += 2
    return min(strength, 10), False


def own_blows(fighter: Fighter) -> Blows:
    """Riders, crew, or models on foot: WH6-FRENZ-03, CHAR-04, WPN."""
    unit = fighter.unit
    profile = crew_profile(unit) if is_chariot(unit) else {}
    strength, piercing = armed_strength(fighter, needed_stat(profile, "S", unit))
    attacks = needed_stat(profile, "A", unit)
    if fighter.frenzied:
        attacks += 1
    if is_on_foot(unit) and unit.raw.get("weapon") in (
        "two_hand_weapons",
        "brace_of_pistols",
    ):
        attacks += 1
    return Blows(
        fighter=fighter,
        kind="own",
        when=when_it_strikes(fighter, weapon_counts=True),
        weapon_skill=needed_stat(profile, "WS", unit),
        strength=strength,
        piercing=piercing,
        initiative=needed_stat(profile, "I", unit),
        attacks=attacks * profile.get("count", 1),
    )


def other_blows(fighter: Fighter, kind: str, profile: dict[str, Any]) -> Blows:
    """Steeds and beasts: no weapon, no Frenzy, their own Initiative (WH6-WPN, CHAR-04)."""
    unit = fighter.unit
    return Blows(
        fighter=fighter,
        kind=kind,
        when=when_it_strikes(fighter, weapon_counts=False),
        weapon_skill=needed_stat(profile, "WS", unit),
        strength=needed_stat(profile, "S", unit),
        piercing=False,
        initiative=needed_stat(profile, "I", unit),
        attacks=(stat(profile, "A") or 0) * profile.get("count", 1),
    )


def all_blows(fight: Fight) -> list[Blows]:
    """Gather the blows of all units, in order of declaration, riders before steeds."""
    found: list[Blows] = []
    for fighter in fight.fighters:
        found.append(own_blows(fighter))
        if "mount" in fighter.unit.raw:
            found.append(other_blows(fighter, "steeds", fighter.unit.raw["mount"]))
        beasts = fighter.unit.raw.get("chariot", {}).get("beasts")
        if beasts is not None and is_chariot(fighter.unit):
            found.append(other_blows(fighter, "beasts", beasts))
    return found


def active_side_wins_roll_off(rng: random.Random) -> bool:
    """WH6-CC-03: equal Initiative is rolled off, ties again."""
    while True:
        active, reactive = roll_die(rng), roll_die(rng)
        if active != reactive:
            return active > reactive


def strike_in_order(fight: Fight, rng: random.Random) -> None:
    """WH6-CC-03: class by class, the higher Initiative first, then the roll-off."""
    blows = all_blows(fight)
    levels = sorted({(one.when, -one.initiative) for one in blows})
    for level in levels:
        here = [one for one in blows if (one.when, -one.initiative) == level]
        active = [one for one in here if one.fighter.active]
        reactive = [one for one in here if not one.fighter.active]
        if active and reactive and not active_side_wins_roll_off(rng):
            active, reactive = reactive, active
        for one in [*active, *reactive]:
            strike(fight, one, rng)


# The blows


def strike(fight: Fight, blows: Blows, rng: random.Random) -> None:
    """WH6-CC-05, CC-06: deal the strikers out to the enemies that still stand, and strike."""
    fighter = blows.fighter
    faced = {
        enemy.unit.name: fighter.touching.get(enemy.unit.name, 0)
        + fighter.supports.get(enemy.unit.name, 0)
        for enemy in fight.enemies(fighter)
        if blows.kind != "beasts" or fighter.active or enemy.arc == "front"  # WH6-CHAR-04
    }
    fighters = min(sum(faced.values()), fighter.models)
    strikers = max(0, fighters - (fighter.models - fighter.unit.models_left))
    champion = fighter.unit.raw.get("champion", False) and blows.kind == "own"
    for enemy in fight.enemies(fighter):
        name = enemy.unit.name
        if not enemy.alive or name not in faced:
            continue
        dealt = min(strikers, faced[name])
        strikers -= dealt
        if blows.kind == "own":
            attacks = dealt * blows.attacks
            if champion and dealt > 0:
                attacks += 1
                champion = False
        else:
            attacks = min(dealt, fighter.touching.get(name, 0)) * blows.attacks
        strike_at(fight, blows, enemy, attacks, rng)


def needed_to_hit(skill: int, against: int) -> int:
    """WH6-CC-01: 3+ against the less skilled, 5+ against more than twice the skill, else 4+."""
    if skill > against:
        return 3
    return 5 if against > 2 * skill else 4


def needs_sixes(fighter: Fighter, enemy: Fighter) -> bool:
    """WH6-FEAR-01: the target that failed its test; WH6-CC-08: the charger at an obstacle."""
    if not fighter.active:
        return enemy.charge is not None and enemy.charge.needs_sixes
    return fighter.charge is not None and fighter.charge.entry.get("terrain") == "defended"


def strike_at(fight: Fight, blows: Blows, enemy: Fighter, attacks: int, rng: random.Random) -> None:
    """Roll the blows at one enemy one by one, then take the wounds."""
    fighter = blows.fighter
    needed = needed_to_hit(blows.weapon_skill, weapon_skill(enemy.unit))
    if needs_sixes(fighter, enemy):
        needed = 6
    slain = 0
    wounds = 0
    for _ in range(attacks):
        die = roll_die(rng)
        if die < needed and fighter.hating and fighter.first_round:
            die = roll_die(rng)  # WH6-HATE-01
        if die < needed:
            continue
        trained = blows.kind == "own"  # WH6-SPEC-03, SPEC-04: no steeds, no beasts
        effect = wound_once(
            enemy.unit,
            strength=blows.strength,
            piercing=blows.piercing,
            save=save_in_combat(enemy.unit),
            poisoned=trained
            and die == 6
            and fighter.unit.has("poison")
            and poison_works_on(enemy.unit),
            killing_blow=trained and fighter.unit.has("killing_blow"),
            rng=rng,
        )
        if effect == "slain":
            slain += 1
        if effect == "wound":
            wounds += 1
    take_wounds(fight, enemy, slain, wounds)


def play_blows(fight: Fight, rng: random.Random) -> None:
    """Everything after the impact hits, up to the last regeneration."""
    strike_in_order(fight, rng)
    regenerate(fight, rng)
    for fighter in fight.fighters:
        if not fighter.alive:
            fighter.unit.state = "destroyed"
