"""Close combat weapons: what they add, when, and for whom."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import battle, duel, foes, men

F = Fraction
STEED = {"WS": 3, "S": 3, "I": 3, "A": 1}


def strength(wounds: Fraction) -> Fraction:
    """Strength of one blow from its wounds: 4+ to hit, T 5 wounded on 9 - S: (S - 2)/12."""
    return wounds * 12 + 2


def charging(weapon: str, **changes: Any) -> Fraction:
    """Strength with which a lone charger strikes, from its wounds on nine men of T 5."""
    fight = duel(men(A=1, weapon=weapon, **changes), foes(9, T=5))
    return strength(fight.wounds("active"))


def charged(weapon: str, **changes: Any) -> Fraction:
    """Strength with which a lone target strikes in its first round."""
    fight = duel(men(9, T=5), foes(A=1, weapon=weapon, **changes))
    return strength(fight.wounds("reactive"))


def later(weapon: str, **changes: Any) -> Fraction:
    """Strength of a target that fought already: it strikes its old opponent, not the new one."""
    units = {
        "a": men(T=5),
        "b": foes(A=1, weapon=weapon, engaged="c", **changes),
        "c": men(9, T=5),
    }
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    return strength(fight.wounds("reactive"))


def opponent(weapon: str, **changes: Any) -> Fraction:
    """Strength of an old opponent of a unit that is charged: neither a charge nor a first round."""
    units = {"a": men(), "b": foes(9, T=5, engaged="c"), "c": men(A=1, weapon=weapon, **changes)}
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    return strength(fight.wounds("active"))


def check(weapon: str, expected: tuple[int, int, int, int], **changes: Any) -> None:
    """Strength on the charge, charged, later and as an old opponent."""
    found = tuple(case(weapon, **changes) for case in (charging, charged, later, opponent))
    assert found == expected


def test_WH6_WPN_hand_weapon_adds_no_strength() -> None:
    check("hand_weapon", (3, 3, 3, 3))


def test_WH6_WPN_two_hand_weapons_one_more_attack_on_foot() -> None:
    # two blows: 2 (S - 2)/12, which reads as S 4; cavalry and a chariot's crew gain nothing
    check("two_hand_weapons", (4, 4, 4, 4))
    assert charging("two_hand_weapons", troop="cavalry") == 3
    assert charging("two_hand_weapons", troop="ogre") == 4
    crew = {"crew": {"count": 1, "WS": 3, "S": 3, "I": 3, "A": 1, "Ld": 7}, "impact_hits": "0"}
    chariot = {"troop": "chariot", "T": 9, "chariot": crew}
    assert charged("two_hand_weapons", **chariot) == 3


def test_WH6_WPN_great_weapon_two_strength() -> None:
    check("great_weapon", (5, 5, 5, 5))


def test_WH6_WPN_flail_two_strength_in_the_own_first_round() -> None:
    check("flail", (5, 5, 3, 3))


def test_WH6_WPN_morning_star_one_strength_in_the_own_first_round() -> None:
    check("morning_star", (4, 4, 3, 3))


def test_WH6_WPN_halberd_one_strength() -> None:
    check("halberd", (4, 4, 4, 4))


def test_WH6_WPN_lance_two_strength_on_the_charge() -> None:
    check("lance", (5, 3, 3, 3), troop="cavalry")


def test_WH6_WPN_spear_mounted_one_strength_on_the_charge() -> None:
    check("spear", (4, 3, 3, 3), troop="cavalry")
    assert charging("spear", troop="ridden_monster") == 4
    check("spear", (3, 3, 3, 3))  # on foot none


def test_WH6_WPN_pike_adds_no_strength() -> None:
    check("pike", (3, 3, 3, 3))


def test_WH6_WPN_pistol_strength_4_in_the_own_first_round() -> None:
    check("pistol", (4, 4, 3, 3))
    check("pistol", (4, 4, 6, 6), S=6)  # whatever the user's own
    assert charging("pistol", S=2) == 4


def test_WH6_WPN_pistol_armour_piercing_in_the_first_round() -> None:
    # S 4 on T 5 5+, save 4+ at -2: 6+, fails 5/6. Later S 3: 6+ and 4+ fails 3/6.
    saved = duel(men(A=1, weapon="pistol"), foes(9, T=5, save="4+")).wounds("active")
    assert saved == F(1, 2) * F(2, 6) * F(5, 6)
    units = {
        "a": men(),
        "b": foes(A=1, weapon="pistol", engaged="c"),
        "c": men(9, T=5, save="4+"),
    }
    later_round = battle(units, ("a", "b", {"arc": "flank"})).wounds("reactive")
    assert later_round == F(1, 2) * F(1, 6) * F(3, 6)


def test_WH6_WPN_brace_of_pistols_as_two_weapons_of_strength_4() -> None:
    # two blows of S 4: 4/12; later two of S 3: 2/12
    check("brace_of_pistols", (6, 6, 4, 4))
    # a rider has no second attack for it
    assert charging("brace_of_pistols", troop="cavalry") == 4


def test_WH6_WPN_great_weapon_no_stronger_than_10() -> None:
    # S 9 + 2 is 10: T 10 on 4+, and T 10 from S 9 on 5+.
    for weapon, need in (("great_weapon", 4), ("hand_weapon", 5)):
        fight = duel(men(A=1, S=9, weapon=weapon), foes(9, T=10))
        assert fight.wounds("active") == F(1, 2) * F(7 - need, 6)
    # and its save is taken at -7: 0+ becomes 7+, none; at -8 too, but -1+ tells: 6+ at -7
    fight = duel(men(A=1, S=9, weapon="great_weapon"), foes(9, T=10, save="-1+"))
    assert fight.wounds("active") == F(1, 2) * F(1, 2) * F(5, 6)


@pytest.mark.parametrize("weapon", ["great_weapon", "flail", "lance", "halberd", "spear"])
def test_WH6_CC_09_steeds_do_not_use_their_riders_weapon(weapon: str) -> None:
    # The rider strikes no blow (A 0), the steed one of S 3.
    assert charging(weapon, troop="cavalry") > 3
    fight = duel(men(weapon=weapon, troop="cavalry", mount=STEED), foes(9, T=5))
    assert strength(fight.wounds("active")) == 3


def test_WH6_CC_09_one_weapon_for_the_whole_unit() -> None:
    # Three halberds: three blows of S 4: 3 * 2/12.
    fight = duel(men(3, A=1, weapon="halberd"), foes(9, T=5))
    assert fight.wounds("active") == 3 * F(2, 12)
