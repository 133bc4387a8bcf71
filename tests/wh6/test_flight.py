"""Flights: their dice, who is caught, and the table edge."""

from __future__ import annotations

from fractions import Fraction

import pytest
from wh6.build import FRIEND, dice, play

F = Fraction
DWARFS = {"rules": ["dwarf_legs"]}


def test_WH6_UNIT_03_the_dice_of_each_edition() -> None:
    # cm: 5D6 and 8D6; inches: 2D6 and 3D6. Their ranges and means 17.5, 28, 7, 10.5.
    for units, move, number in (("cm", 10, 5), ("cm", 18, 8), ("inch", 4, 2), ("inch", 7, 3)):
        flights = play(None, {"M": move}, None, "flee", units=units).dist("flee_distance")
        assert (min(flights), max(flights)) == (number, 6 * number)
        assert sum(flights.values()) == 1
        assert sum(n * p for n, p in flights.items()) == F(7 * number, 2)
        assert flights[number] == F(1, 6**number)


def test_WH6_UNIT_04_slow_up_to_6_inches_or_15_cm() -> None:
    cases = (("cm", 15, 5), ("cm", 15.01, 8), ("inch", 6, 2), ("inch", 6.01, 3))
    for units, move, number in cases:
        flights = play(None, {"M": move}, None, "flee", units=units).dist("flee_distance")
        assert min(flights) == number


def test_WH6_UNIT_04_flyers_are_fast() -> None:
    for target in ({"troop": "flyer"}, {"rules": ["flyer"]}):
        assert min(play(None, target, None, "flee").dist("flee_distance")) == 8


def test_WH6_FLEE_01_dwarf_legs_run_1_inch_or_2_cm_less() -> None:
    for units, move, lo, hi in (("cm", 8, 3, 28), ("inch", 3, 1, 11)):
        flights = play(None, {**DWARFS, "M": move}, None, "flee", units=units).dist("flee_distance")
        assert (min(flights), max(flights)) == (lo, hi)


def test_WH6_ARMY_06_dwarfs_are_caught_more_often() -> None:
    # T-08: 5D6 - 2 <= 16: 389/648. T-09: 2D6 - 1 <= 6: 7/12.
    assert play(None, DWARFS, None, "flee").p("target_fled_caught") == F(389, 648)
    solved = play({"M": 7}, {**DWARFS, "M": 3}, {"distance": 8}, "flee", units="inch")
    assert solved.p("target_fled_caught") == F(7, 12)


@pytest.mark.parametrize(
    ("units", "reach", "gap", "move", "caught"),
    [
        ("cm", 36, 20, 15, F(259, 648)),  # T-08
        ("cm", 36, 20, 18, F(695, 93312)),
        ("inch", 14, 8, 4, F(5, 12)),  # T-09
        ("inch", 14, 8, 7, F(5, 54)),
        ("cm", 20, 12, 10, F(7, 972)),  # T-10
        ("cm", 40, 20, 10, F(1009, 1296)),
    ],
)
def test_WH6_FLEE_02_caught_when_gap_and_flight_are_within_the_reach(
    units: str, reach: int, gap: int, move: int, caught: Fraction
) -> None:
    charge = {"distance": gap, "reach": reach}
    solved = play(None, {"M": move}, charge, "flee", units=units)
    assert solved.words == {"target_fled_caught": caught, "target_fled_escaped": 1 - caught}
    assert solved.state("b") == {"destroyed": caught, "fleeing": 1 - caught}
    assert solved.unit_dist("b", "models_left") == {0: caught, 20: 1 - caught}
    assert solved.state("a") == {"steady": 1}


def test_WH6_FLEE_02_by_the_straight_gap_and_only_in_reach() -> None:
    # Path 30, gap 20, reach 36: caught by the gap. Path 37: out of reach, never caught.
    bent = play(None, None, {"distance": 30, "gap": 20}, "flee")
    assert bent.p("target_fled_caught") == F(259, 648)
    short = play(None, None, {"distance": 37, "gap": 5}, "flee")
    assert short.words == {"target_fled_escaped": 1}


def test_WH6_FLEE_02_not_by_a_charger_whose_way_is_blocked() -> None:
    # Blocked 21/36.
    solved = play(None, None, {"blocked_by": ["c"]}, "flee", more={"c": FRIEND})
    assert solved.p("target_fled_caught") == F(259, 648) * F(15, 36)


def test_WH6_FLEE_02_nor_by_one_that_refuses() -> None:
    # Fear of the target on Ld 7 fails 15/36; the word is then the refusal.
    solved = play(None, {"rules": ["fear"]}, None, "flee")
    assert solved.p("target_fled_caught") == F(259, 648) * F(21, 36)
    assert solved.p("refused_fear") == F(15, 36)
    assert solved.state("b")["destroyed"] == solved.p("target_fled_caught")


def test_WH6_FLEE_04_the_edge_is_looked_at_before_the_chase() -> None:
    # 5D6 > 14 leaves the table although up to 16 would be caught; 14 exactly stays on it.
    solved = play(None, None, {"edge": 14}, "flee")
    stays = dice(5, lambda total: total <= 14)
    assert stays == F(7776 - 6054, 7776)
    assert solved.words == {"target_fled_off_table": 1 - stays, "target_fled_caught": stays}
    assert solved.state("b")["fled_off_table"] == 1 - stays


def test_WH6_FLEE_09_one_who_flees_already_flees_anew() -> None:
    for reaction in ("hold", "stand_and_shoot", "flee"):
        solved = play(None, {"fleeing": True, "missile": "bow"}, None, reaction)
        assert solved.reaction == "flee"
        assert solved.p("target_fled_caught") == F(259, 648)
    undead = play(None, {"fleeing": True, "rules": ["unbreakable"]}, None, "hold")
    assert undead.reaction == "flee"


def test_WH6_FLEE_11_one_who_flees_does_not_shoot() -> None:
    solved = play(None, {"fleeing": True, "missile": "bow"}, None, "stand_and_shoot")
    assert solved.dist("shooting_casualties") == {0: 1}


def test_WH6_FLEE_13_the_reactive_side_flees_before_the_shots_the_active_after() -> None:
    # Archers (12, US 12) put to flight by fear of 10 riders never shoot; riders that panic from
    # shots have been shot at, so both flights never happen in one trial.
    archers = {"models": 12, "missile": "bow", "shooters": 12}
    solved = play({"rules": ["fear"], "models": 10}, archers, None, "stand_and_shoot")
    flown = solved.p("target_fled_caught") + solved.p("target_fled_escaped")
    assert flown == F(15, 36)
    both = solved.games["units"]["flight"] > 0
    assert not both.all(axis=1).any()
    assert solved.p("charger_fled_panic") > 0


def test_WH6_CHAR_05_a_chariot_flees_by_its_movement() -> None:
    chariot = {"troop": "chariot", "models": 1, "W": 4}
    assert min(play(None, {**chariot, "M": 18}, None, "flee").dist("flee_distance")) == 8
    assert min(play(None, {**chariot, "M": 15}, None, "flee").dist("flee_distance")) == 5
