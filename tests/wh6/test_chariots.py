"""Chariots on the charge and their impact hits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, FRIEND, Solved, dice, play, tables

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
