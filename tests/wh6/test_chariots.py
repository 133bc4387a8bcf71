"""Chariots on the charge and their impact hits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, FRIEND, Solved, battle, dice, duel, foes, men, play, tables

from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

F = Fraction


def ram(
    charger: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    hits: str | None = "1D6",
    **others: Any,
) -> Solved:
    """A chariot with some impact hits charges twenty spearmen of T 3 without save."""
    table = {k: v for k, v in CHARIOT["chariot"].items() if k != "impact_hits"}
    if hits is not None:
        table["impact_hits"] = hits
    return play(charger, target, charge, a={**CHARIOT, "chariot": table}, **others)


def test_WH6_CHAR_01_its_beasts_movement_doubled() -> None:
    assert ram(charge={"distance": 36}).p("contact") == 1
    assert ram(charge={"distance": 36.01}).p("out_of_reach") == 1


def test_WH6_CHAR_02_not_by_choice_through_difficult_ground() -> None:
    for terrain in ("difficult", "obstacle", "defended"):
        with pytest.raises(ScenarioError, match="WH6-CHAR-02"):
            Scenario(**tables(a=CHARIOT, charge={"terrain": terrain}))
        Scenario(**tables(charge={"terrain": terrain}))  # riders may


def test_WH6_CHAR_07_what_its_line_leaves_blank_is_its_crews() -> None:
    # T-56's profile: crew Ld 8 fails 10/36, and as a light chariot alike.
    for troop in ("chariot", "light_chariot"):
        solved = ram({"troop": troop}, {"rules": ["fear"]})
        assert solved.p("refused_fear") == F(10, 36)


def test_WH6_CHAR_11_scythes_add_a_hit_and_beasts_no_unit_strength() -> None:
    assert set(ram(hits="1D6+1").dist("impact_hits")) == {2, 3, 4, 5, 6, 7}
    # T-57: a third wolf widens the front to 75 mm, the unit strength stays 4: three men flee
    # from its fear (15/36), four need sixes.
    third = {"base": 75, "rules": ["fear"]}
    assert ram(third, {"models": 3}).sixes == 0
    assert ram(third, {"models": 4}).sixes == F(15, 36)


def test_WH6_IMPACT_01_d6_light_d3_or_as_given() -> None:
    assert ram(hits=None).dist("impact_hits") == {n: F(1, 6) for n in range(1, 7)}
    light = ram({"troop": "light_chariot"}, hits=None)
    assert light.dist("impact_hits") == {n: F(1, 3) for n in range(1, 4)}
    doom = ram(hits="1D6+2")  # the Doomwheel
    assert doom.dist("impact_hits") == {n: F(1, 6) for n in range(3, 9)}
    assert ram(hits="2D6").dist("impact_hits")[7] == F(6, 36)
    assert ram(hits="3").dist("impact_hits") == {3: 1}


def test_WH6_IMPACT_01_expected_wounds() -> None:
    # T-51: S 5 against T 3 wounds on 2+: D6 35/12, with scythes 15/4.
    assert ram().mean("impact_wounds") == F(35, 12)
    assert ram(hits="1D6+1").mean("impact_wounds") == F(15, 4)


def test_WH6_IMPACT_01_joint_of_hits_and_wounds() -> None:
    # No wound: sum over n of 1/6 (1/6)^n.
    none = sum(F(1, 6) * F(1, 6) ** n for n in range(1, 7))
    assert ram().dist("impact_wounds")[0] == none
    assert ram().dist("impact_wounds")[6] == F(1, 6) * F(5, 6) ** 6


def test_WH6_IMPACT_02_not_in_a_fight_that_is_not_played() -> None:
    # The target fights a unit that is not in the scenario: contact, and no more is told.
    solved = ram(target={"engaged": True})
    assert solved.words == {"contact": 1}
    assert solved.dist("impact_hits") == {0: 1}


@pytest.mark.parametrize("arc", ["front", "flank", "rear"])
def test_WH6_IMPACT_02_on_any_side(arc: str) -> None:
    assert ram(charge={"arc": arc}).mean("impact_hits") == F(7, 2)


def test_WH6_IMPACT_02_only_when_it_charged_and_made_contact() -> None:
    assert ram(charge={"distance": 37}).dist("impact_hits") == {0: 1}
    assert ram(reaction="flee").dist("impact_hits") == {0: 1}
    blocked = ram(charge={"blocked_by": ["c"]}, more={"c": FRIEND})
    assert blocked.dist("impact_hits")[0] == F(21, 36)
    charged = {k: v for k, v in CHARIOT.items() if k != "side"}
    charged |= {"WS": 4, "BS": 4, "I": 5, "A": 1, "Ld": 8}
    assert play(None, charged).dist("impact_hits") == {0: 1}


def test_WH6_IMPACT_02_before_everything_else() -> None:
    # T-52: pikes and always strikes first change nothing.
    pikes = {"weapon": "pike", "rules": ["always_strikes_first"]}
    assert ram(target=pikes).mean("impact_wounds") == F(35, 12)


def test_WH6_IMPACT_02_a_target_wiped_out_fights_no_more() -> None:
    # Two men: at least two wounds of n hits at 5/6.
    solved = ram(target={"models": 2})
    fewer = sum(F(1, 6) * (F(1, 6) ** n + n * F(5, 6) * F(1, 6) ** (n - 1)) for n in range(1, 7))
    assert solved.fate("target_wiped_out") == 1 - fewer
    assert solved.state("a")["overran"] == 1 - fewer
    assert max(solved.dist("impact_wounds")) == 2


def test_WH6_IMPACT_04_the_champion_is_out_of_reach() -> None:
    # Two men, one the champion: at most one wound.
    pair = {"models": 2, "champion": True}
    assert max(ram(target=pair).dist("impact_wounds")) == 1
    # a lone champion is hit
    lone = {"models": 1, "champion": True}
    assert max(ram(target=lone).dist("impact_wounds")) == 1
    # of W 2, two wounds are spared
    assert max(ram(target={**pair, "W": 2}).dist("impact_wounds")) == 2


def test_WH6_IMPACT_05_each_chariot_in_contact_rolls_its_own() -> None:
    # T-53: two chariots side by side: 2D6 hits.
    solved = ram({"models": 2})
    assert solved.dist("impact_hits") == {
        n: dice(2, lambda total, n=n: total == n) for n in range(2, 13)
    }
    # in a column only the front one touches
    column = ram({"models": 2, "width": 1})
    assert column.dist("impact_hits") == {n: F(1, 6) for n in range(1, 7)}


@pytest.mark.parametrize(
    ("chariots", "men", "touching"),
    [
        # bases of 50 mm centred on a front of 20 mm each; corners touch
        (3, 1, 1),  # 20 mm: the middle one covers -25..25, the others begin at 25
        (3, 2, 1),  # 40 mm: up to 20
        (3, 3, 3),  # 60 mm: up to 30, past 25
        (2, 1, 2),  # two meet at 0
        (4, 1, 2),  # the middle two at -50..0..50
        (4, 5, 4),  # 100 mm: up to 50, where the outer ones begin: corner to corner
        (5, 5, 3),  # outer two begin at 75
    ],
)
def test_WH6_CC_05_bases_that_touch_corners_included(
    chariots: int, men: int, touching: int
) -> None:
    solved = ram({"models": chariots}, {"models": men, "width": men}, hits="1")
    assert solved.dist("impact_hits") == {touching: 1}


def test_WH6_CC_05_on_a_flank_the_ranks_face() -> None:
    # Twenty men five wide: four ranks of 20 mm, 80 mm; up to 40: of four chariots (their outer two
    # begin at 50) two touch; to the front (100 mm, up to 50) all four do; one rank of five: 20 mm.
    four = {"models": 4}
    assert ram(four, {"width": 5}, {"arc": "flank"}, "1").dist("impact_hits") == {2: 1}
    assert ram(four, {"width": 5}, {"arc": "rear"}, "1").dist("impact_hits") == {4: 1}
    assert ram(four, {"width": 5}, {"arc": "front"}, "1").dist("impact_hits") == {4: 1}
    three = {"models": 3}
    assert ram(three, {"models": 11, "width": 5}, {"arc": "flank"}, "1").mean("impact_hits") == 3
    assert ram(three, {"models": 10, "width": 5}, {"arc": "flank"}, "1").mean("impact_hits") == 1


def test_WH6_CC_05_the_base_given_counts() -> None:
    # Men on 40 mm: 80 mm for two, up to 40: three chariots of 50 mm (from 25) touch; on 20 mm one.
    two = {"models": 2, "width": 2}
    assert ram({"models": 3}, {**two, "base": 40}, hits="1").mean("impact_hits") == 3
    assert ram({"models": 3}, two, hits="1").mean("impact_hits") == 1
    assert ram({"models": 3, "base": 40}, two, hits="1").mean("impact_hits") == 3


def test_WH6_IMPACT_06_its_own_strength_not_its_crews() -> None:
    # S 3 chariot with a crew of S 3 + lance: 4+ against T 3.
    assert ram({"S": 3, "weapon": "lance"}).mean("impact_wounds") == F(7, 2) * F(1, 2)


def test_WH6_IMPACT_06_hand_weapon_and_shield_save_the_victim() -> None:
    # Save 5+ with the shield 4+, at -2: 6+, fails 5/6.
    solved = ram(target={"save": "5+", "shield": True})
    assert solved.mean("impact_wounds") == F(7, 2) * F(5, 6) * F(5, 6)


# its blows

BEASTS = {"count": 2, "WS": 3, "S": 4, "I": 3, "A": 1}
CREW = {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8}


def cold_one(side: str = "active", models: int = 1, **changes: Any) -> dict[str, Any]:
    """The Cold One chariot of T-56; ``crew``, ``beasts`` and ``hits`` change its table."""
    table = {
        "impact_hits": changes.pop("hits", "0"),
        "crew": {**CREW, **changes.pop("crew", {})},
        "beasts": {**BEASTS, **changes.pop("beasts", {})},
    }
    base = {"side": side, "models": models, "M": 18, "S": 5, "T": 5, "W": 4, "troop": "chariot"}
    return {**base, "rules": ["unbreakable"], "chariot": table, **changes}


def test_WH6_CHAR_07_the_cold_one_chariot() -> None:
    # T-56: D6 S 5 hits, then 2 crew and 2 beast attacks. Impact 35/12; crew WS 4 on 3 3+ and 4+;
    # beasts WS 3 4+ and S 4 3+. Struck against WS 4 by WS 3 of S 3: 4+, 6+.
    fight = duel(cold_one(hits="1D6"), foes(20, W=3))
    crew, beasts = 2 * F(4, 6) * F(1, 2), 2 * F(1, 2) * F(4, 6)
    assert fight.wounds("active") == F(35, 12) + crew + beasts
    back = duel(cold_one(), foes(3, A=1, W=9))
    assert back.wounds("reactive") == 3 * F(1, 2) * F(1, 6)
    assert play(a=CHARIOT, charge={"distance": 36}).p("contact") == 1


def test_WH6_CHAR_04_crew_and_beasts_strike_when_they_charge() -> None:
    crew, beasts = 2 * F(4, 6) * F(1, 2), 2 * F(1, 2) * F(4, 6)
    assert duel(cold_one(), foes(20)).wounds("active") == crew + beasts
    # whichever side they strike
    for arc in ("flank", "rear"):
        assert duel(cold_one(), foes(20), {"arc": arc}).wounds("active") == crew + beasts
    assert duel(cold_one(beasts={"A": 0}), foes(20)).wounds("active") == crew


def test_WH6_CHAR_04_charged_in_the_flank_the_beasts_do_not_strike() -> None:
    crew, beasts = 2 * F(4, 6) * F(1, 2), 2 * F(1, 2) * F(4, 6)
    chariot = cold_one("reactive")
    assert duel(men(20, W=3, M=18), chariot).wounds("reactive") == crew + beasts
    for arc in ("flank", "rear"):
        assert duel(men(20, W=3, M=18), chariot, {"arc": arc}).wounds("reactive") == crew


def test_WH6_CHAR_04_partly_in_contact_all_beasts_strike() -> None:
    # Two chariots against one man, 20 mm: both touch him in the middle and strike with all.
    fight = duel(cold_one(models=2, width=2), foes(1, W=10))
    assert fight.wounds("active") == 4 * F(4, 6) * F(1, 2) + 4 * F(1, 2) * F(4, 6)


def test_WH6_CHAR_04_each_at_its_own_initiative() -> None:
    # Charged: crew of I 5, beasts of I 3. A man of I 4 who fought before strikes between them: he
    # is slain by the crew with p; else he strikes, then the beasts.
    units = {
        "a": men(1, M=18),
        "b": cold_one("reactive", base=20, engaged="c", crew={"count": 1}, beasts={"count": 1}),
        "c": men(2, A=1, S=10, I=4),
    }
    fight = battle(units, ("a", "b", {"distance": 10}))
    crew = F(4, 6) * F(1, 2)
    beast = F(1, 2) * F(4, 6)
    # c touches with both; the crew kills one with p and leaves one; S 10 wrecks it at 5/6 a hit
    hit = F(1, 2) * F(5, 6)
    wrecked = crew * hit + (1 - crew) * (1 - (1 - hit) ** 2)
    assert fight.wounds("active") == 4 * wrecked
    assert fight.wounds("reactive") == crew + (1 - wrecked) * beast


def test_WH6_CHAR_04_frenzy_is_its_crews() -> None:
    # T 8 is beyond the beasts of S 4: four blows of the crew (S 8: 4+) and no more.
    fight = duel(
        cold_one(crew={"S": 8}, rules=["frenzy"], weapon="hand_weapon"), foes(20, T=8, W=3)
    )
    assert fight.wounds("active") == 2 * 2 * F(4, 6) * F(1, 2)


def test_WH6_IMPACT_06_the_crews_lance_is_its_own() -> None:
    # S 3 + 2 on the charge: 2+ against T 3; the beasts stay at S 4.
    fight = duel(cold_one(weapon="lance"), foes(20))
    assert fight.wounds("active") == 2 * F(4, 6) * F(5, 6) + 2 * F(1, 2) * F(4, 6)


def test_WH6_CHAR_03_strength_7_in_combat_wrecks_it() -> None:
    # T-38: three S 7 wounds on three light chariots destroy all three; the score counts all wounds.
    chariots = cold_one("reactive", models=3, width=3, T=4, troop="light_chariot", crew={"A": 0})
    chariots["chariot"]["beasts"]["A"] = 0
    fight = duel(men(3, A=1, S=7, WS=10, M=18), chariots)
    p = F(4, 6) * F(5, 6)
    assert fight.combat("active_wounds")[12] == p**3
    assert fight.combat("active_wounds")[4] == 3 * p * (1 - p) ** 2
    assert fight.fate("target_wiped_out") == p**3


def test_WH6_CHAR_03_no_regeneration_in_combat_unless_the_switch_says_so() -> None:
    # T-59. One blow of S 10: 4+ and 2+; four wounds for good, or regained one by one on 4+.
    chariot = cold_one("reactive", crew={"A": 0, "WS": 3}, beasts={"A": 0}, regeneration="4+")
    blow = men(1, A=1, S=10, M=18)
    p = F(1, 2) * F(5, 6)
    assert duel(blow, chariot).combat("active_wounds") == {0: 1 - p, 4: p}
    kept = duel(blow, chariot, switches={"s7_regen": True}).combat("active_wounds")
    assert kept[4] == p * F(1, 16)
    assert kept[2] == p * F(6, 16)


def test_WH6_IMPACT_05_of_two_chargers_each_rolls_and_strikes_its_own() -> None:
    units = {
        "a": {**cold_one(hits="2"), "chariot": {"impact_hits": "2"}, "WS": 3, "BS": 3, "I": 3},
        "c": {**cold_one(hits="3"), "chariot": {"impact_hits": "3"}, "WS": 3, "BS": 3, "I": 3},
        "b": foes(20, W=3),
    }
    for name in "ac":
        units[name] |= {"A": 0, "Ld": 7}
    found = battle(units, ("a", "b"), ("c", "b"))
    assert found.dist("impact_hits", 0) == {2: 1}
    assert found.dist("impact_hits", 1) == {3: 1}
    assert found.wounds("active") == 5 * F(5, 6)


def test_WH6_IMPACT_02_who_falls_to_impact_does_not_strike() -> None:
    # Two hits of S 5 (5/6): strikers less the dead; S 5 on T 5 4+, and 4+ to hit.
    fight = duel(cold_one(hits="2", crew={"A": 0}, beasts={"A": 0}, W=9), foes(10, A=1, S=5))
    # -25..25: of ten bases those from -40 to 40: four
    assert fight.wounds("reactive") == (4 - 2 * F(5, 6)) * F(1, 2) * F(1, 2)
    assert fight.mean("impact_wounds") == 2 * F(5, 6)
