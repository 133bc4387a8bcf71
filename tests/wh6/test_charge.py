"""The charge itself: declaration, reach, reactions, stand and shoot as a reaction, the path."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, FRIEND, MAN, RIDERS, dice, estimated, play, tables

from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

F = Fraction
BOW = {"missile": "bow"}


def refused(**changes: Any) -> str:
    """Message of a scenario that is not accepted."""
    with pytest.raises(ScenarioError) as error:
        Scenario(**tables(**changes))
    return str(error.value)


# sequence


def test_WH6_SEQ_01_rally_comes_before_the_chargers_move() -> None:
    # The fleeing friend tests on Ld 7 (21/36 pass) before chargers move: only if it fails, 15/36,
    # is the path free when the charge is moved.
    solved = play(charge={"blocked_by": ["c"]}, more={"c": FRIEND})
    assert solved.words == {"contact": F(15, 36), "blocked": F(21, 36)}
    assert solved.state("c") == {"steady": F(21, 36), "fleeing": F(15, 36)}


def test_WH6_SEQ_02_only_a_charge_in_reach_causes_tests() -> None:
    # At 36 of 36 the target fears 6 riders (US 12 > 8): Ld 7 fails 15/36. At 36.01 nobody tests.
    near = play({"rules": ["fear"], "models": 6}, {"models": 8}, {"distance": 36})
    far = play({"rules": ["fear"], "models": 6}, {"models": 8}, {"distance": 36.01})
    assert near.p("contact") == F(21, 36)
    assert far.words == {"out_of_reach": 1}


def test_WH6_SEQ_02_in_reach_at_exactly_the_reach() -> None:
    assert play(charge={"distance": 36}).words == {"contact": 1}
    assert play(charge={"distance": 36.01}).words == {"out_of_reach": 1}


def test_WH6_SEQ_02_the_charger_tests_after_the_reaction() -> None:
    # The target has declared Flee when the charger fails its Fear test (15/36): it still runs.
    solved = play(target={"rules": ["fear"]}, reaction="flee")
    assert solved.p("refused_fear") == F(15, 36)
    assert sum(solved.dist("flee_distance").values()) == 1


def test_WH6_SEQ_05_range_then_fear_then_shots() -> None:
    # Fear of 10 riders (US 20) by 12 archers (US 12): failed (15/36) they flee and do not shoot.
    # Ten riders of T 3, five bows of BS 3 at 4+ and -1: 5+, wound 4+, no save: 1/6 a shot.
    archers = {"models": 12, **BOW}
    solved = play({"rules": ["fear"], "models": 10}, archers, {"distance": 20}, "stand_and_shoot")
    none_dead = F(5, 6) ** 5
    assert sum(solved.dist("flee_distance").values()) == F(15, 36)
    assert solved.dist("shooting_casualties")[0] == F(15, 36) + F(21, 36) * none_dead


# reach


def test_WH6_CHG_01_who_flees_or_fights_cannot_charge() -> None:
    assert "WH6-CHG-01" in refused(charger={"fleeing": True})
    assert "WH6-CHG-01" in refused(charger={"engaged": True})


def test_WH6_CHG_02_reach_is_twice_the_movement() -> None:
    # T-01: knights M 7 inches, 15 inches away: reach 14, a failed charge.
    knights = {"M": 7}
    assert play(knights, charge={"distance": 15}, units="inch").words == {"out_of_reach": 1}
    assert play(knights, charge={"distance": 14}, units="inch").words == {"contact": 1}
    assert play({"M": 8}, charge={"distance": 16}).words == {"contact": 1}
    assert play({"M": 8}, charge={"distance": 16.01}).words == {"out_of_reach": 1}


def test_WH6_CHG_02_the_wheel_is_paid_from_the_reach() -> None:
    # T-02: reach 12, a wheel of 4: 8 straight is 12 spent, 8.01 is too much.
    slow = {"M": 6}
    for gap, word in ((8, "contact"), (8.01, "out_of_reach")):
        solved = play(slow, charge={"distance": gap + 4, "gap": gap}, units="inch")
        assert solved.words == {word: 1}


@pytest.mark.parametrize(("units", "flight"), [("cm", 50), ("inch", 20)])
def test_WH6_CHG_04_flyers_charge_by_their_flight_never_doubled(units: str, flight: int) -> None:
    for flyer in ({"troop": "flyer", "M": 4}, {"rules": ["flyer"], "M": 12}):
        assert play(flyer, charge={"distance": flight}, units=units).p("contact") == 1
        assert play(flyer, charge={"distance": flight + 0.01}, units=units).p("out_of_reach") == 1


def test_WH6_CHG_04_a_flying_chariot_takes_the_longer_of_the_two() -> None:
    for move, reach in ((30, 60), (20, 50)):
        flying = {**CHARIOT, "rules": ["flyer"], "M": move}
        assert play(a=flying, charge={"distance": reach}).words == {"contact": 1}
        assert play(a=flying, charge={"distance": reach + 0.01}).words == {"out_of_reach": 1}


def test_WH6_CHG_06_a_failed_charge_moves_its_single_move() -> None:
    # Reach 36, target at 80: after 18 it stands at 62, beyond the bow's 60; at 78 it stands at 60.
    shot = {"switches": {"ss_on_failed": "if_in_range_after_failed_move"}}
    beyond = play(None, BOW, {"distance": 78.01}, "stand_and_shoot", **shot)
    within = play(None, BOW, {"distance": 78}, "stand_and_shoot", **shot)
    assert beyond.dist("shooting_casualties") == {0: 1}
    assert within.dist("shooting_casualties")[0] < 1


def test_WH6_CHG_06_a_flyer_that_fails_still_flies_its_whole_flight() -> None:
    # 60 of range and 50 of flight: shot at up to 110 (T-13: the full 20 inches, 50 cm).
    shot = {"switches": {"ss_on_failed": "if_in_range_after_failed_move"}}
    flyer = {"rules": ["flyer"]}
    within = play(flyer, BOW, {"distance": 110}, "stand_and_shoot", **shot)
    beyond = play(flyer, BOW, {"distance": 110.01}, "stand_and_shoot", **shot)
    assert within.dist("shooting_casualties")[0] < 1
    assert beyond.dist("shooting_casualties") == {0: 1}


def test_WH6_CHG_07_a_charger_that_fears_stays() -> None:
    solved = play(target={"rules": ["fear"]})
    assert solved.words == {"contact": F(21, 36), "refused_fear": F(15, 36)}
    assert solved.before_fight("a") == {"fighting": F(21, 36), "steady": F(15, 36)}


def test_WH6_CHG_08_a_charger_that_is_terrified_flees() -> None:
    # M 18 flees 8D6 cm.
    solved = play(target={"rules": ["terror"]})
    assert solved.words == {"contact": F(21, 36), "charger_fled_terror": F(15, 36)}
    assert solved.before_fight("a") == {"fighting": F(21, 36), "fleeing": F(15, 36)}
    flights = solved.unit_dist("a", "flee_distance")
    assert flights[8] == F(15, 36) * F(1, 6**8)
    assert sum(flights.values()) == F(15, 36)


@pytest.mark.parametrize(("units", "stop"), [("cm", 3), ("inch", 1)])
def test_WH6_CHG_09_a_failed_charge_stops_short_of_contact(units: str, stop: float) -> None:
    # Reach given as 10, move 18, gap 19: it would come within 1, but stops 3 cm (1 inch) away,
    # so that a weapon of range 3 (1) just shoots and one of 2.99 (0.99) does not.
    for length, shoots in ((stop, True), (stop - 0.01, False)):
        solved = play(
            None,
            {"missile": {"range": length, "S": 3}},
            {"distance": 19, "reach": 10},
            "stand_and_shoot",
            units=units,
            switches={"ss_on_failed": "if_in_range_after_failed_move"},
        )
        assert (solved.dist("shooting_casualties")[0] < 1) == shoots


def test_WH6_UNIT_02_one_inch_is_3_cm_and_a_flight_50_cm() -> None:
    flyer = {"troop": "flyer"}
    assert play(flyer, charge={"distance": 50}).p("contact") == 1
    assert play(flyer, charge={"distance": 20.01}, units="inch").p("out_of_reach") == 1


# reactions


def test_WH6_CHG_10_one_who_fights_only_holds() -> None:
    for reaction in ("flee", "stand_and_shoot"):
        solved = play(None, {"engaged": True, **BOW}, None, reaction)
        assert solved.reaction == "hold"
        assert solved.words == {"contact": 1}


@pytest.mark.parametrize(
    "rule", ["immune_to_psychology", "frenzy", "unbreakable", "undead", "daemon"]
)
def test_WH6_CHG_10_the_immune_never_choose_to_flee(rule: str) -> None:
    # A charger that causes terror need not test against what causes fear or nothing.
    solved = play({"rules": ["terror"]}, {"rules": [rule]}, None, "flee")
    assert solved.reaction == "hold"
    assert solved.words == {"contact": 1}


def test_WH6_CHG_11_a_failed_test_overrides_the_reaction() -> None:
    # Held, yet put to flight by terror on Ld 7: 15/36. Flight 5D6 from gap 20, reach 36.
    solved = play({"rules": ["terror"]})
    caught = F(15, 36) * F(259, 648)
    assert solved.p("contact") == F(21, 36)
    assert solved.p("target_fled_caught") == caught
    assert solved.p("target_fled_escaped") == F(15, 36) - caught


def test_WH6_CHG_12_only_a_friend_in_flight_may_stand_in_the_way() -> None:
    steady = {k: v for k, v in FRIEND.items() if k != "fleeing"}
    blocked = {"blocked_by": ["c"]}
    assert "WH6-CHG-12" in refused(charge=blocked, more={"c": steady})
    enemy = {**FRIEND, "side": "reactive"}
    assert "WH6-CHG-12" in refused(charge=blocked, more={"c": enemy})  # T-16


def test_WH6_CHG_12_every_unit_in_the_path_must_flee_on() -> None:
    # T-16 twice: Ld 7 fails 5/12, Ld 8 fails 5/18: 25/216.
    friends = {"c": FRIEND, "d": {**FRIEND, "Ld": 8}}
    solved = play(charge={"blocked_by": ["c", "d"]}, more=friends)
    assert solved.p("contact") == F(5, 12) * F(5, 18)


def test_WH6_CHG_14_dice_in_the_reach_are_rolled_when_it_is_measured() -> None:
    # T-07: 36 + D6 + 2 reaches 40 on D6 >= 2: 5/6.
    assert play(charge={"distance": 40, "reach": "36+1D6+2"}).p("contact") == F(5, 6)


def test_WH6_CHG_14_a_slowing_item_fails_the_charge() -> None:
    # T-06: orcs of reach 20, 18 away, less 3D6 (at least 3 > 2): never. At 17: 3D6 = 3, 1/216.
    orcs = {"M": 10}
    assert play(orcs, charge={"distance": 18, "reach": "20-3D6"}).words == {"out_of_reach": 1}
    assert play(orcs, charge={"distance": 17, "reach": "20-3D6"}).p("contact") == F(1, 216)


def test_WH6_CHG_15_who_stays_in_the_path_fails_the_charge_after_the_shots() -> None:
    # Blocked 21/36; the five bows (1/6 a shot) have shot at it all the same.
    solved = play({"models": 12}, BOW, {"blocked_by": ["c"]}, "stand_and_shoot", more={"c": FRIEND})
    assert solved.dist("shooting_casualties")[0] == F(5, 6) ** 5
    assert solved.p("blocked") > 0
    assert solved.p("blocked") / solved.p("contact") == F(21, 15)


def test_WH6_CHG_15_out_of_reach_is_said_before_blocked() -> None:
    solved = play(charge={"blocked_by": ["c"], "distance": 37}, more={"c": FRIEND})
    assert solved.words == {"out_of_reach": 1}


def test_WH6_RALLY_01_a_musician_adds_one() -> None:
    # Ld 7 and a musician: 2D6 <= 8, 26/36; without: 21/36.
    with_music = {"c": {**FRIEND, "musician": True}}
    solved = play(charge={"blocked_by": ["c"]}, more=with_music)
    assert solved.p("blocked") == F(26, 36)


# stand and shoot as a reaction


def test_WH6_SS_01_half_reach_is_strict() -> None:
    # T-03: knights M 18 at 18: no; at 18.01: yes. In inches M 7 at 7: no; at 7.01: yes.
    for units, move, distance in (("cm", 18, 18.0), ("inch", 7, 7.0)):
        at = play({"M": move}, BOW, {"distance": distance}, "stand_and_shoot", units=units)
        after = play(
            {"M": move}, BOW, {"distance": distance + 0.01}, "stand_and_shoot", units=units
        )
        assert at.reaction == "hold"
        assert at.dist("shooting_casualties") == {0: 1}
        assert after.reaction == "stand_and_shoot"
        assert after.dist("shooting_casualties")[0] == F(5, 6) ** 5


def test_WH6_SS_01_the_path_spent_counts_not_the_straight_gap() -> None:
    # 20 spent over a straight gap of 12: more than half of 36, so they shoot.
    solved = play(None, BOW, {"distance": 20, "gap": 12}, "stand_and_shoot")
    assert solved.reaction == "stand_and_shoot"
    assert solved.dist("shooting_casualties")[0] < 1


def test_WH6_SS_01_half_of_the_reach_that_was_rolled() -> None:
    # 20 away; reach 34 + 2D6: half of it is below 20 while 2D6 < 6: 10/36. Bows: 1/6 a shot.
    solved = play({"models": 20}, BOW, {"reach": "34+2D6"}, "stand_and_shoot")
    assert dice(2, lambda total: total < 6) == F(10, 36)
    assert solved.dist("shooting_casualties")[0] == F(26, 36) + F(10, 36) * F(5, 6) ** 5


def test_WH6_SS_01_an_estimated_distance_decides_by_trial() -> None:
    # Half of 36 is the middle of the estimate: they shoot in half of the trials (5 bows, 1/6).
    solved = estimated({"models": 20}, BOW, {"distance": {"mean": 18, "sd": 1}}, "stand_and_shoot")
    assert solved.dist("shooting_casualties")[0] == pytest.approx(
        0.5 + 0.5 * float(F(5, 6)) ** 5, abs=1e-12
    )


def test_WH6_SS_01_only_with_a_missile_weapon_and_in_sight() -> None:
    assert play(reaction="stand_and_shoot").reaction == "hold"
    for arc in ("flank", "rear"):
        assert play(None, BOW, {"arc": arc}, "stand_and_shoot").reaction == "hold"
        skirmishers = {**BOW, "rules": ["skirmishers"]}
        solved = play(None, skirmishers, {"arc": arc}, "stand_and_shoot")
        assert solved.reaction == "stand_and_shoot"
        fast = {**BOW, "troop": "cavalry", "rules": ["fast_cavalry"]}
        assert play(None, fast, {"arc": arc}, "stand_and_shoot").reaction == "hold"


def test_WH6_SS_03_not_for_war_machines_and_undead() -> None:
    for target in ({"troop": "war_machine"}, {"rules": ["undead"]}):
        solved = play({"rules": ["terror"]}, {**BOW, **target}, None, "stand_and_shoot")
        assert solved.reaction == "hold"
        assert solved.dist("shooting_casualties") == {0: 1}
    pistols = play(None, {"missile": "pistol"}, None, "stand_and_shoot")
    assert pistols.reaction == "stand_and_shoot"


def test_WH6_SS_08_who_fears_and_stays_still_shoots() -> None:
    # Five riders (US 10) frighten twenty archers (US 20): on a failure (15/36) sixes, no flight.
    # None of five shots kills: (5/6)^5, whether the test was passed or not.
    solved = play({"rules": ["fear"]}, BOW, None, "stand_and_shoot")
    assert solved.dist("shooting_casualties")[0] == F(5, 6) ** 5
    assert solved.dist("flee_distance") == {}


def test_WH6_SS_10_a_charger_that_failed_its_test_is_not_shot_at() -> None:
    for rule in ("fear", "terror"):
        solved = play(None, {**BOW, "rules": [rule]}, None, "stand_and_shoot")
        assert solved.dist("shooting_casualties")[0] == F(15, 36) + F(21, 36) * F(5, 6) ** 5


def test_WH6_SS_06_a_charge_that_falls_short_is_shot_at() -> None:
    solved = play({"models": 20}, BOW, {"distance": 50}, "stand_and_shoot")
    # 50 of 60: long range, 4+ becomes 6+ with -1: 1/6 to hit, 1/2 to wound: 1/12 a shot.
    assert solved.dist("shooting_casualties")[0] == F(11, 12) ** 5
    # all five shots kill: 5 of 20 are a quarter, and Ld 7 fails 15/36
    assert solved.p("charger_fled_panic") == F(1, 12) ** 5 * F(15, 36)
    assert solved.p("out_of_reach") == 1 - solved.p("charger_fled_panic")


def test_WH6_SS_07_the_charger_panics_at_a_quarter_lost() -> None:
    # The worked example (T-04, T-05): ten handguns at five boars, save 3+. 5+ to hit, 4+ against
    # T 4, save 3+ at -2 is 5+ failed 4/6: 1/9 a shot. Two dead of five are 40 %.
    boars = {"T": 4, "save": "3+"}
    guns = {"missile": "handgun", "shooters": 10}
    solved = play(boars, guns, None, "stand_and_shoot")
    shot = F(1, 9)
    none, one = (1 - shot) ** 10, 10 * shot * (1 - shot) ** 9
    assert round(float(1 - none - one), 5) == 0.30712
    lost = solved.dist("shooting_casualties")
    assert (lost[0], lost[1]) == (none, one)
    assert solved.p("charger_fled_panic") == (1 - none - one - lost[5]) * F(5, 12)
    assert solved.p("charger_destroyed") == lost[5]


def test_WH6_SS_07_the_panicked_charger_flees_by_its_own_dice() -> None:
    # Foot of M 10 flees 5D6; the mass of its flight is that of the word.
    foot = {k: v for k, v in RIDERS.items() if k != "troop"} | MAN
    foot["M"] = 10
    solved = play(None, BOW, {"distance": 18}, "stand_and_shoot", a=foot)
    flights = solved.unit_dist("a", "flee_distance")
    assert set(flights) == set(range(5, 31))
    assert sum(flights.values()) == solved.p("charger_fled_panic") > 0
    assert solved.before_fight("a")["fleeing"] == solved.p("charger_fled_panic")
