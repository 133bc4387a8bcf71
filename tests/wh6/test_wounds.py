"""Wounding, saves, regeneration, and models lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, Solved, play

F = Fraction
HIT = F(5, 6)
"""BS 6 standing and shooting hits on 2+."""


def shot(strength: int, charger: dict[str, Any], **missile: Any) -> Solved:
    """One shot of some strength, hitting on 2+, at many riders."""
    gun = {"BS": 6, "shooters": 1, "missile": {"range": 60, "S": strength, **missile}}
    return play({"models": 20, **charger}, gun, None, "stand_and_shoot")


def wound(strength: int, charger: dict[str, Any], **missile: Any) -> Fraction:
    """Chance that a hit kills a model of W 1."""
    found: Fraction = shot(strength, charger, **missile).mean("shooting_casualties") / HIT
    return found


def ram(target: dict[str, Any], strength: int = 5, **others: Any) -> Fraction:
    """Mean wounds of a single impact hit."""
    one_hit = {**CHARIOT, "S": strength, "chariot": {**CHARIOT["chariot"], "impact_hits": "1"}}
    found: Fraction = play(None, target, a=one_hit, **others).mean("impact_wounds")
    return found


@pytest.mark.parametrize(
    ("difference", "need"),
    [(-5, 2), (-3, 2), (-2, 2), (-1, 3), (0, 4), (1, 5), (2, 6), (3, 6), (4, 7), (5, 7)],
)
def test_WH6_WND_01_four_plus_toughness_less_strength(difference: int, need: int) -> None:
    # need = 4 + T - S between 2 and 6; T - S >= 4 cannot be wounded.
    toughness = 7 if difference > 0 else 5
    assert wound(toughness - difference, {"T": toughness}) == F(7 - need, 6)


@pytest.mark.parametrize("save", ["-1+", "0+", "1+", "2+", "3+", "4+", "5+", "6+"])
def test_WH6_SAVE_01_worse_by_one_for_each_point_of_strength_above_3(save: str) -> None:
    # T 1 is wounded on 2+ (5/6) by S 3 and more; a save needs base + S - 3, never better than 2+.
    for strength in range(3, 11):
        need = max(int(save[:-1]) + strength - 3, 2)
        saved = F(max(7 - need, 0), 6)
        assert wound(strength, {"T": 1, "save": save}) == F(5, 6) * (1 - saved)


def test_WH6_SAVE_01_examples() -> None:
    # T-34: S 4 against 5+: 6+; against 2+: 3+; against 1+: 2+.
    for save, need in (("5+", 6), ("2+", 3), ("1+", 2)):
        assert wound(4, {"T": 1, "save": save}) == F(5, 6) * F(need - 1, 6)


def test_WH6_SAVE_01_armour_piercing_is_one_more() -> None:
    # S 4 armour piercing is -2: 3+ becomes 5+; S 3 armour piercing -1; S 2 too.
    for strength, base, need in ((4, "3+", 5), (3, "3+", 4), (2, "3+", 4)):
        wounds = F(5, 6) if strength > 2 else F(4, 6)  # T 1: S 2 wounds on 3+
        got = wound(strength, {"T": 1, "save": base}, armour_piercing=True)
        assert got == wounds * F(need - 1, 6)


def test_WH6_SAVE_02_hand_weapon_and_shield_on_foot() -> None:
    # S 5 on T 3 wounds on 2+; save 4+ at -2 is 6+ (fails 5/6), with the shield 5+ (4/6).
    assert ram({"save": "4+"}) == F(5, 6) * F(5, 6)
    assert ram({"save": "4+", "shield": True}) == F(5, 6) * F(4, 6)
    # no save of its own at all: the shield makes it 6+, which S 3 leaves
    assert ram({"shield": True}, strength=3) == F(3, 6) * F(5, 6)
    # not for riders
    rider = {"save": "4+", "shield": True, "troop": "cavalry"}
    assert ram(rider) == F(5, 6) * F(5, 6)
    # and not against shots: the shield is in the save
    assert wound(3, {"T": 1, "save": "5+", "shield": True, "troop": "infantry"}) == F(5, 6) * F(
        4, 6
    )


@pytest.mark.parametrize("two_handed", ["great_weapon", "flail", "halberd", "pike"])
def test_WH6_SAVE_02_two_hands_leave_the_shield_unused(two_handed: str) -> None:
    # S 3 on T 3: 4+. Save 4+ becomes 5+; a 6+ becomes none.
    held = {"shield": True, "weapon": two_handed}
    assert ram({**held, "save": "4+"}, strength=3) == F(1, 2) * F(4, 6)
    assert ram({**held, "save": "6+"}, strength=3) == F(1, 2)
    # without a shield nothing is lost
    assert ram({"weapon": two_handed, "save": "4+"}, strength=3) == F(1, 2) * F(3, 6)


@pytest.mark.parametrize(
    "weapon", ["two_hand_weapons", "morning_star", "spear", "pistol", "brace_of_pistols"]
)
def test_WH6_SAVE_02_other_weapons_neither_gain_nor_lose(weapon: str) -> None:
    held = {"shield": True, "weapon": weapon, "save": "4+"}
    assert ram(held, strength=3) == F(1, 2) * F(3, 6)


def test_WH6_WPN_hand_weapon() -> None:
    # Named or by default it is the one that saves better with a shield on foot.
    for named in ({}, {"weapon": "hand_weapon"}):
        assert ram({**named, "save": "5+", "shield": True}, strength=3) == F(1, 2) * F(3, 6)


def test_WH6_SAVE_03_a_ward_after_the_armour_never_modified() -> None:
    # T 1, S 10: 5/6; save 4+ is gone; ward 5+ fails 4/6. S 3: 4+ fails 3/6, then the ward.
    for strength, armour in ((10, 1), (3, F(3, 6))):
        got = wound(strength, {"T": 1, "save": "4+", "ward": "5+"})
        assert got == F(5, 6) * armour * F(4, 6)
    assert wound(10, {"T": 1, "ward": "2+"}) == F(5, 6) * F(1, 6)


def test_WH6_SPEC_01_one_die_a_wound_regained_wounds_never_happened() -> None:
    # Kill 25/36; regained on 4+: half of the deaths do not happen. On 2+ five of six.
    assert wound(10, {"regeneration": "4+"}) == F(5, 6) * F(1, 2)
    assert wound(10, {"regeneration": "2+"}) == F(5, 6) * F(1, 6)
    # never more dice than wounds the models had: two shots at one man of W 1
    gun = {"BS": 6, "shooters": 2, "missile": {"range": 60, "S": 10}}
    man = {"models": 1, "troop": "cavalry", "regeneration": "4+"}
    solved = play(man, gun, None, "stand_and_shoot")
    assert solved.p("charger_destroyed") == (1 - F(11, 36) ** 2) / 2


def test_WH6_SPEC_01_impact_wounds_are_told_before_the_end_of_the_fight() -> None:
    # Regeneration waits for the end of the phase: the wound stands.
    assert ram({"regeneration": "2+"}) == F(5, 6)


def test_WH6_SPEC_05_wounds_add_up_and_whole_models_go() -> None:
    # Four shots that each wound 25/36 at ogres of W 3: a model is lost with the third wound.
    gun = {"BS": 6, "shooters": 4, "missile": {"range": 60, "S": 10}}
    solved = play({"models": 20, "W": 3}, gun, {"reach": 19}, "stand_and_shoot")
    p, q = F(25, 36), F(11, 36)
    assert solved.dist("shooting_casualties") == {
        0: 1 - 4 * p**3 * q - p**4,
        1: 4 * p**3 * q + p**4,
    }
    assert solved.unit_dist("a", "wounds_left")[56] == p**4
    # no more wounds than there are: the last rider of a unit of one
    alone = play({"models": 1, "W": 3}, gun, {"reach": 19}, "stand_and_shoot")
    assert alone.unit_dist("a", "wounds_left")[0] == 4 * p**3 * q + p**4


def test_WH6_CHAR_10_its_wounds_stand_for_chariot_crew_and_beasts() -> None:
    # Four shots of S 5: 2+ to hit, 4+ against T 5, save 4+ at -2 fails 5/6: all four destroy W 4.
    gun = {"BS": 6, "shooters": 4, "missile": {"range": 60, "S": 5}}
    solved = play(None, gun, None, "stand_and_shoot", a=CHARIOT)
    assert solved.p("charger_destroyed") == (HIT * F(1, 2) * F(5, 6)) ** 4


def test_WH6_CHAR_03_strength_7_destroys_a_chariot_outright() -> None:
    # 5/6 to hit, S 7 on T 5 wounds on 2+, no save, whatever wounds are left.
    solved = play(None, one_bolt(7), None, "stand_and_shoot", a=CHARIOT)
    assert solved.p("charger_destroyed") == F(25, 36)
    # S 6 only wounds: 3+ (4/6), save 4+ at -3 is none
    weaker = play(None, one_bolt(6), {"reach": 19}, "stand_and_shoot", a=CHARIOT)
    assert weaker.p("charger_destroyed") == 0
    assert weaker.unit_dist("a", "wounds_left")[3] == F(5, 6) * F(4, 6)


def one_bolt(strength: int) -> dict[str, Any]:
    """One shooter of BS 6 with a bolt of some strength."""
    return {"BS": 6, "shooters": 1, "missile": {"range": 60, "S": strength}}


def test_WH6_CHAR_03_each_such_wound_takes_one_chariot_a_ward_saves_it() -> None:
    # T-38: three light chariots, three wounding hits: all destroyed, (25/36)^3.
    light = {**CHARIOT, "troop": "light_chariot", "models": 3}
    three = {**one_bolt(7), "shooters": 3}
    assert (
        play(None, three, None, "stand_and_shoot", a=light).p("charger_destroyed") == F(25, 36) ** 3
    )
    warded = play({"ward": "4+"}, one_bolt(7), None, "stand_and_shoot", a=CHARIOT)
    assert warded.p("charger_destroyed") == F(25, 36) / 2


def test_WH6_CHAR_03_no_regeneration_of_a_destroyed_chariot() -> None:
    # T-59: S 10, regeneration 4+: destroyed all the same.
    solved = play({"regeneration": "4+"}, one_bolt(10), None, "stand_and_shoot", a=CHARIOT)
    assert solved.p("charger_destroyed") == F(25, 36)


def test_WH6_CHAR_03_impact_hits_of_strength_7_destroy_chariots_too() -> None:
    # One S 7 hit on T 5: 5/6; the chariot loses its four wounds at once.
    enemy = {k: v for k, v in CHARIOT.items() if k != "side"}
    enemy |= {"WS": 4, "BS": 4, "I": 5, "A": 1, "Ld": 8}
    one_hit = {**CHARIOT, "S": 7, "chariot": {**CHARIOT["chariot"], "impact_hits": "1"}}
    solved = play(None, enemy, a=one_hit)
    assert solved.dist("impact_wounds") == {0: F(1, 6), 4: F(5, 6)}
    assert solved.state("b")["destroyed"] == F(5, 6)
