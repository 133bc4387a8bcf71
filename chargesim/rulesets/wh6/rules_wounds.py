"""Wounding, saves, regeneration, and whole models lost."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note, successes
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_unit import is_chariot
from chargesim.rulesets.wh6.state import NO_SAVE

CHANCES = 36 * 6 * 6 * 6
"""Denominator of a wound's chance: to hit (two dice at 7+), to wound, armour, ward."""
_TO_WOUND, _NO_WOUND = int(Event.TO_WOUND), int(Event.CANNOT_WOUND)
_ARMOUR, _NO_ARMOUR = int(Event.ARMOUR), int(Event.NO_ARMOUR)
_WARD, _WRECKS = int(Event.WARD), int(Event.WRECKS_CHARIOT)
_REGENERATES = int(Event.REGENERATES)


@kernel
def to_wound(strength: int, toughness: int) -> int:
    """Target number to wound, 2 to 6; 7 when T exceeds S by four or more (WH6-WND-01)."""
    if toughness - strength >= 4:
        return 7
    return min(max(4 + toughness - strength, 2), 6)


@kernel
def armour_save(save: int, strength: int, armour_piercing: int) -> int:
    """Armour save against a blow: worse by one for each point of S above 3 (WH6-SAVE-01)."""
    if save >= NO_SAVE:
        return NO_SAVE
    return save + max(strength - 3, 0) + armour_piercing


@kernel
def combat_save(unit: Any) -> int:
    """Armour save in close combat (WH6-SAVE-02).

    Hand weapon and shield on foot save one better; two hands on the weapon leave the shield unused.
    """
    shield = int(unit["shield"])
    save = int(unit["save"])
    if shield == 0:
        return save
    save = min(save, 7) - shield
    return save if save <= 6 else NO_SAVE


@kernel
def fails(target: int) -> int:
    """Sixths of the chance to fail a save of ``target``+: a 1 always fails, above 6 always."""
    return 6 if target > 6 else max(target, 2) - 1


@kernel
def wrecks(strength: int, victim: Any) -> bool:
    """True when any wound destroys a chariot outright: S 7 or more (WH6-CHAR-03)."""
    return strength >= 7 and is_chariot(victim)


@kernel
def suffer(
    game: Any,
    dice: Any,
    where: int,
    who: int,
    blows: int,
    hits: int,
    straight: int,
    strength: int,
    armour_piercing: int,
    slaying: bool,
    in_combat: bool,
    spared: int,
) -> tuple[int, int]:
    """Roll wounds and saves of many equal blows and take the wounds off a unit.

    One chance a blow for being slain outright (Killing Blow, WH6-SPEC-03; S 7 on a chariot) and one
    for an ordinary unsaved wound: to wound, then armour, then a ward (WH6-SAVE-03). Wounds add up
    over the unit and whole models go (WH6-SPEC-05); who is slain loses all wounds.

    Also WH6-CHAR-10.

    Parameters
    ----------
    where
        Place of the node for the slain; the ordinary wounds draw under the next name.
    who
        The unit that suffers.
    blows
        How many.
    hits, straight
        Chances, in 36ths, that a blow hits and rolls to wound, and that it wounds by itself
        (poison).
    strength, armour_piercing
        Of the blows.
    slaying
        True when a natural 6 to wound slays the victim.
    in_combat
        True in close combat, where the shield counts otherwise.
    spared
        Wounds that these blows cannot reach.

    Returns
    -------
    tuple of int
        Wounds suffered that may be regenerated, and those that may not.
    """
    unit = game["units"][who]
    need = to_wound(strength, int(unit["t"]))
    ward = fails(int(unit["ward"]))
    wrecked = wrecks(strength, unit)
    base = int(unit["save"])
    if in_combat:
        base = combat_save(unit)
    save = NO_SAVE if wrecked else armour_save(base, strength, armour_piercing)
    armour = fails(save)
    wounding = 0 if need > 6 else 7 - need
    if wounding:
        note(dice, _TO_WOUND, who, need, strength, int(unit["t"]))
    else:
        note(dice, _NO_WOUND, who, strength, int(unit["t"]))
    if wrecked:
        note(dice, _WRECKS, who, strength)
    elif base < NO_SAVE:
        note(dice, _ARMOUR if save <= 6 else _NO_ARMOUR, who, base, save, strength)
    if unit["ward"] < NO_SAVE:
        note(dice, _WARD, who, int(unit["ward"]))
    if wrecked:
        slay, wound = (hits * wounding + straight * 6) * 6 * ward, 0
    else:
        deadly = 1 if slaying else 0
        slay = hits * deadly * 6 * ward
        wound = (hits * max(wounding - deadly, 0) + straight * 6) * armour * ward
    slain = successes(dice, where, blows, slay, CHANCES)
    wounds = successes(dice, where + 1, blows - slain, wound, CHANCES - slay)
    each = int(unit["w"])
    pool = int(unit["start"]) * each - int(unit["damage"]) - spared
    for_good = min(slain * each, pool)
    ordinary = min(wounds, pool - for_good)
    unit["damage"] += for_good + ordinary
    unit["models"] = models_left(unit)
    if wrecked and game["head"]["s7_regeneration"]:
        return for_good + ordinary, 0
    return ordinary, for_good


@kernel
def models_left(unit: Any) -> int:
    """Whole models left: wounds add up and models go one by one."""
    each = int(unit["w"])
    left = int(unit["start"]) * each - int(unit["damage"])
    return (left + each - 1) // each


@kernel
def regenerate(game: Any, dice: Any, where: int, who: int, wounds: int) -> None:
    """One die for each wound actually suffered; regained wounds never happened (WH6-SPEC-01)."""
    unit = game["units"][who]
    target = int(unit["regeneration"])
    if target > 6 or wounds == 0:
        return
    regained = successes(dice, where, wounds, 6 - fails(target), 6)
    unit["damage"] -= regained
    unit["models"] = models_left(unit)
    note(dice, _REGENERATES, who, wounds, regained, target)
