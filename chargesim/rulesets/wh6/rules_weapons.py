"""Close combat weapons (WH6-WPN): what they add, and when their bearers strike."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.rules_unit import has, is_frenzied, is_on_foot
from chargesim.rulesets.wh6.state import Rule, Troop, Weapon

_CAVALRY, _RIDDEN = int(Troop.CAVALRY), int(Troop.RIDDEN_MONSTER)
_CHARIOT, _LIGHT_CHARIOT = int(Troop.CHARIOT), int(Troop.LIGHT_CHARIOT)
_TWO, _GREAT, _FLAIL = (
    int(Weapon.TWO_HAND_WEAPONS),
    int(Weapon.GREAT_WEAPON),
    int(Weapon.FLAIL),
)
_STAR, _HALBERD, _SPEAR = int(Weapon.MORNING_STAR), int(Weapon.HALBERD), int(Weapon.SPEAR)
_LANCE, _PISTOL, _BRACE = int(Weapon.LANCE), int(Weapon.PISTOL), int(Weapon.BRACE_OF_PISTOLS)
_FIRST, _LAST = int(Rule.ALWAYS_STRIKES_FIRST), int(Rule.STRIKES_LAST)
_ZOMBIE = int(Rule.ZOMBIE)

CLASSES, INITIATIVES = 5, 11
"""Classes of the strike order, and initiatives inside each."""


@kernel
def is_mounted(unit: Any) -> bool:
    """True for riders and for crews of chariots."""
    troop = int(unit["troop"])
    return troop == _CAVALRY or troop == _RIDDEN or troop == _CHARIOT or troop == _LIGHT_CHARIOT


@kernel
def weapon_strength(unit: Any, charging: bool, first_round: bool) -> int:
    """Strength of a rider's or foot soldier's blow (section 13, WH6-WPN).

    Great weapon and flail 2 more, halberd and morning star 1, lance 2 on the charge, mounted spear
    1 on the charge; flail and morning star in the first round alone. Pistols strike with S 4 then.
    """
    weapon = int(unit["weapon"])
    strength = int(unit["riders_s"])
    if (weapon == _PISTOL or weapon == _BRACE) and first_round:
        return 4
    if weapon == _GREAT or (weapon == _FLAIL and first_round):
        strength += 2
    elif weapon == _HALBERD or (weapon == _STAR and first_round):
        strength += 1
    elif weapon == _LANCE and charging:
        strength += 2
    elif weapon == _SPEAR and charging and is_mounted(unit):
        strength += 1
    return min(strength, 10)


@kernel
def weapon_piercing(unit: Any, first_round: bool) -> int:
    """1 for pistols in the first round: armour piercing (WH6-WPN-pistol)."""
    weapon = int(unit["weapon"])
    return 1 if first_round and (weapon == _PISTOL or weapon == _BRACE) else 0


@kernel
def attacks_of_rider(unit: Any) -> int:
    """Attacks of a rider, foot soldier or crewman: one more for Frenzy or a second weapon on foot.

    WH6-FRENZ-03, WH6-WPN-two_hand_weapons.
    """
    attacks = int(unit["a"])
    weapon = int(unit["weapon"])
    if (weapon == _TWO or weapon == _BRACE) and is_on_foot(unit):
        attacks += 1
    if is_frenzied(unit):
        attacks += 1
    return attacks


@kernel
def strike_class(unit: Any, charging: bool, steeds: bool) -> int:
    """Place in the strike order (WH6-CC-03).

    0 always strikes first, 1 chargers, 2 the rest, 3 strikes last, 4 zombies (WH6-ARMY-09). A
    charger's great weapon strikes with the chargers, and one that waits delays its bearer alone.
    """
    if has(unit, _ZOMBIE):
        return 4
    if has(unit, _FIRST):
        return 0
    if has(unit, _LAST):
        return 3
    if charging:
        return 1
    return 3 if unit["weapon"] == _GREAT and not steeds else 2


@kernel
def strike_level(unit: Any, charging: bool, steeds: bool) -> int:
    """Number that rises in the order of striking: by class, and inside it by falling Initiative."""
    initiative = int(unit["steed_i"]) if steeds else int(unit["i"])
    return strike_class(unit, charging, steeds) * INITIATIVES + 10 - initiative
