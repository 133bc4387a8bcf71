"""Missile weapons of wh6: facts of the tables in both editions (WH6-MW)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Missile:
    """A missile weapon.

    Parameters
    ----------
    inches, centimetres
        Range in the two editions.
    strength
        Of a shot; ``None`` takes the user's, plus ``extra``.
    extra
        Added to the user's strength.
    armour_piercing, thrown
        Special rules.
    shots
        Shots of a model, always with the penalty for multiple shots.
    double_within
        Range in inches and centimetres within which it fires two shots, ``None`` if it does not.
    """

    inches: int
    centimetres: int
    strength: int | None
    extra: int = 0
    armour_piercing: bool = False
    thrown: bool = False
    shots: int = 1
    double_within: tuple[int, int] | None = None


MISSILES = {
    "short_bow": Missile(16, 40, 3),
    "bow": Missile(24, 60, 3),
    "long_bow": Missile(30, 75, 3),
    "crossbow": Missile(30, 75, 4),
    "repeater_crossbow": Missile(24, 60, 3, shots=2),
    "handgun": Missile(24, 60, 4, armour_piercing=True),
    "pistol": Missile(8, 20, 4, armour_piercing=True),
    "sling": Missile(18, 45, 3, double_within=(9, 22)),
    "javelin": Missile(8, 20, None, thrown=True),
    "throwing_axe": Missile(6, 15, None, extra=1, thrown=True),
    "throwing_knife": Missile(6, 15, None, thrown=True),
}

WEAPONS = (
    "hand_weapon",
    "two_hand_weapons",
    "great_weapon",
    "flail",
    "morning_star",
    "halberd",
    "spear",
    "pike",
    "lance",
    "pistol",
    "brace_of_pistols",
)
TWO_HANDED = frozenset({"great_weapon", "flail", "halberd", "pike"})
"""Weapons that leave no hand for the shield."""
