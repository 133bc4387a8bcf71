"""Leadership, immunity, panic, fear and terror at a charge."""

from __future__ import annotations

from fractions import Fraction

import pytest
from wh6.build import CHARIOT, FRIEND, play

F = Fraction
FAIL_7 = F(15, 36)
"""2D6 > 7."""


# Leadership


@pytest.mark.parametrize(
    ("leadership", "fails"),
    [
        (2, F(35, 36)),
        (5, F(13, 18)),
        (6, F(7, 12)),
        (7, F(5, 12)),
        (8, F(5, 18)),
        (9, F(1, 6)),
        (10, F(1, 12)),
    ],
)
def test_WH6_LD_01_two_dice_at_most_leadership(leadership: int, fails: Fraction) -> None:
    # T-25; Ld 2 still fails 35/36 and Ld 10 still fails 3/36: nothing is automatic.
    solved = play({"Ld": leadership}, {"rules": ["fear"]})
    assert solved.p("refused_fear") == fails


def test_WH6_LD_02_the_better_of_the_unit_and_a_general_at_most_10() -> None:
    afraid = {"rules": ["fear"]}
    assert play({"Ld": 6, "general_ld": 9}, afraid).p("refused_fear") == F(1, 6)
    assert play({"Ld": 9, "general_ld": 6}, afraid).p("refused_fear") == F(1, 6)
    assert play({"Ld": 5, "general_ld": 10}, afraid).p("refused_fear") == F(1, 12)


def test_WH6_LD_02_a_general_helps_panic_terror_and_rally_too() -> None:
    general = {"general_ld": 9}
    flank = play({"models": 6}, {"engaged": True, **general}, {"arc": "flank"})
    assert flank.p("contact") == F(5, 6)
    assert play({"rules": ["terror"]}, general).p("contact") == F(5, 6)
    friend = {"c": {**FRIEND, **general}}
    assert play(charge={"blocked_by": ["c"]}, more=friend).p("blocked") == F(5, 6)


def test_WH6_LD_03_a_chariot_tests_on_its_crews_leadership() -> None:
    # Crew Ld 8: fails 10/36.
    assert play(a=CHARIOT, target={"rules": ["fear"]}).p("refused_fear") == F(5, 18)


def test_WH6_LD_07_panic_is_taken_before_fear() -> None:
    # T-26 for one charger: engaged, flank, fear; Ld 7 passes both in 49/144. Panic fails first
    # (15/36, flight); fear then fails 21/36 * 15/36 and only asks for sixes (US 12 against 20).
    solved = play({"rules": ["fear"], "models": 6}, {"engaged": True}, {"arc": "flank"})
    fled = solved.p("target_fled_caught") + solved.p("target_fled_escaped")
    assert fled == F(15, 36)
    assert solved.sixes == F(21, 36) * F(15, 36)
    assert solved.p("contact") - solved.sixes == F(49, 144)


def test_WH6_LD_08_who_flees_takes_no_test() -> None:
    # A fleeing target charged by terror flees once more and never tests; and frightens nobody.
    solved = play({"rules": ["terror"]}, {"fleeing": True})
    assert solved.p("contact") == 0
    assert play(None, {"fleeing": True, "rules": ["terror"]}).p("charger_fled_terror") == 0
    assert play(None, {"fleeing": True, "rules": ["fear"]}).p("refused_fear") == 0


def test_WH6_LD_08_a_failed_panic_test_spares_the_fear_test() -> None:
    # Ld 7: flight 15/36 by panic and, of the rest, 15/36 by fear (US 40 against 20).
    solved = play({"rules": ["fear"], "models": 20}, {"engaged": True}, {"arc": "rear"})
    assert solved.p("contact") == F(21, 36) ** 2


@pytest.mark.parametrize(
    ("leadership", "passes"),
    [(5, F(113, 216)), (6, F(49, 72)), (7, F(29, 36)), (8, F(193, 216)), (9, F(205, 216))],
)
def test_WH6_ARMY_03_the_cold_blooded_drop_the_highest_of_three(
    leadership: int, passes: Fraction
) -> None:
    # T-25.
    cold = {"rules": ["cold_blooded"], "Ld": leadership}
    assert play(cold, {"rules": ["fear"]}).p("contact") == passes
    assert play({"rules": ["terror"]}, cold).p("contact") == passes


# panic


def test_WH6_PANIC_01_only_who_already_fights_panics_at_a_flank_charge() -> None:
    six = {"models": 6}
    for arc in ("flank", "rear"):
        assert play(six, {"engaged": True}, {"arc": arc}).p("contact") == F(21, 36)
        assert play(six, {}, {"arc": arc}).p("contact") == 1
    assert play(six, {"engaged": True}, {"arc": "front"}).p("contact") == 1


def test_WH6_PANIC_03_a_quarter_of_the_models_at_the_start() -> None:
    # One shot of S 10; BS 6 and -1: 2+ to hit, 2+ to wound, no save: 25/36.
    # One of four is a quarter, one of five is not.
    gun = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    hit = F(5, 6) * F(5, 6)
    quarter = play({"models": 4}, gun, None, "stand_and_shoot")
    assert quarter.p("charger_fled_panic") == hit * FAIL_7
    fifth = play({"models": 5}, gun, None, "stand_and_shoot")
    assert fifth.words == {"contact": 1}


def test_WH6_PANIC_03_whole_models_after_regeneration() -> None:
    # Ogres of W 3: one wound is no model; regenerated 4+ (1/2) a model of W 1 is not lost.
    gun = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    wounded = play({"models": 2, "W": 3}, gun, None, "stand_and_shoot")
    assert wounded.words == {"contact": 1}
    regained = play({"models": 4, "regeneration": "4+"}, gun, None, "stand_and_shoot")
    assert regained.p("charger_fled_panic") == F(25, 36) * F(1, 2) * FAIL_7


def test_WH6_PANIC_03_a_single_model_does_not_panic() -> None:
    gun = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    alone = play({"models": 1}, gun, None, "stand_and_shoot")
    assert alone.words == {"charger_destroyed": F(25, 36), "contact": F(11, 36)}


def test_WH6_PANIC_07_who_panics_flees_at_once_from_the_charger() -> None:
    # Failed 15/36; 5D6 from gap 20 under reach 36: 5D6 <= 16, 259/648, is caught.
    solved = play({"models": 6}, {"engaged": True}, {"arc": "flank"})
    assert solved.p("target_fled_caught") == FAIL_7 * F(259, 648)
    assert set(solved.dist("flee_distance")) == set(range(5, 31))


def test_WH6_PANIC_08_engaged_units_panic_unless_the_switch_says_no() -> None:
    scene = ({"models": 6}, {"engaged": True}, {"arc": "flank"})
    assert play(*scene).p("contact") == F(21, 36)
    assert play(*scene, switches={"panic_engaged": False}).p("contact") == 1


# fear


def test_WH6_FEAR_01_the_smaller_flees_the_equal_and_larger_need_sixes() -> None:
    # 5 riders are US 10. Against 9 men: flight 15/36. Against 10 (T-23) and 11: sixes 15/36.
    for men, flees in ((9, True), (10, False), (11, False)):
        solved = play({"rules": ["fear"]}, {"models": men})
        assert solved.p("contact") == (F(21, 36) if flees else 1)
        assert solved.sixes == (0 if flees else FAIL_7)


def test_WH6_FEAR_01_sixes_count_only_where_there_is_contact() -> None:
    # The fear test is failed 15/36, and a friend that rallies (21/36) keeps the charger away.
    solved = play({"rules": ["fear"]}, None, {"blocked_by": ["c"]}, more={"c": FRIEND})
    assert solved.p("contact") == F(15, 36)
    assert solved.sixes == F(15, 36) * F(15, 36)


def test_WH6_FEAR_02_the_chargers_own_unit_strength_counts_as_it_stood_before_the_shots() -> None:
    # Ogres US 3 each: 4 of them (12) against 12 men: equal, no flight; 5 of them: flight.
    ogres = {"troop": "ogre", "rules": ["fear"]}
    assert play({**ogres, "models": 4}, {"models": 12}).p("contact") == 1
    assert play({**ogres, "models": 5}, {"models": 12}).p("contact") == F(21, 36)


def test_WH6_FEAR_03_a_charger_that_fears_tests_whatever_the_sizes() -> None:
    for men in (1, 10, 100):
        solved = play({"models": 100}, {"models": men, "rules": ["fear"]})
        assert solved.p("refused_fear") == FAIL_7


def test_WH6_FEAR_03_both_sides_may_test() -> None:
    # Only one can fear the other: who causes fear ignores it.
    solved = play({"rules": ["fear"]}, {"rules": ["fear"]})
    assert solved.words == {"contact": 1}
    assert solved.sixes == 0


# terror


def test_WH6_TERR_01_who_causes_terror_causes_fear() -> None:
    # Who causes fear takes the terror of riders (US 10) as fear: twenty need sixes on 15/36, nine
    # flee on 15/36. And it is immune to fear: whom fear-causers charge, it does not test.
    terror, fear = {"rules": ["terror"]}, {"rules": ["fear"]}
    twenty = play(terror, {**fear, "models": 20})
    assert (twenty.p("contact"), twenty.sixes) == (1, FAIL_7)
    nine = play(terror, {**fear, "models": 9})
    assert (nine.p("contact"), nine.sixes) == (F(21, 36), 0)
    assert play(fear, terror).p("refused_fear") == FAIL_7
    assert play(fear, {**terror, "models": 5}).sixes == 0


def test_WH6_TERR_02_terror_tests_charged_and_charging() -> None:
    assert play({"rules": ["terror"]}).p("contact") == F(21, 36)
    assert play(None, {"rules": ["terror"]}).p("charger_fled_terror") == FAIL_7


def test_WH6_TERR_03_one_terror_test_a_battle_afterwards_it_is_fear() -> None:
    # Tested before: twenty spearmen (20 against 10) need sixes on 15/36; nine flee.
    terror = {"rules": ["terror"]}
    larger = play(terror, {"terror_tested": True})
    assert (larger.p("contact"), larger.sixes) == (1, FAIL_7)
    smaller = play(terror, {"terror_tested": True, "models": 9})
    assert (smaller.p("contact"), smaller.sixes) == (F(21, 36), 0)
    charger = play({"terror_tested": True}, terror)
    assert charger.words == {"contact": F(21, 36), "refused_fear": FAIL_7}


def test_WH6_TERR_03_passing_terror_passes_fear_too() -> None:
    # One test only: contact 21/36 and never sixes.
    solved = play({"rules": ["terror", "fear"]})
    assert (solved.p("contact"), solved.sixes) == (F(21, 36), 0)


def test_WH6_TERR_04_flight_whatever_the_sizes() -> None:
    for men in (1, 9, 100):
        assert play({"rules": ["terror"], "models": 1}, {"models": men}).p("contact") == F(21, 36)


@pytest.mark.parametrize(
    ("feared", "tester", "test"),
    [
        ("fear", "", "fear"),
        ("fear", "fear", ""),
        ("fear", "terror", ""),
        ("fear", "undead", ""),
        ("terror", "", "terror"),
        ("terror", "fear", "fear"),
        ("terror", "terror", ""),
        ("undead", "", "fear"),
        ("undead", "fear", ""),
        ("daemon", "", "fear"),
        ("terror", "immune_to_psychology", ""),
        ("terror", "frenzy", ""),
        ("terror", "unbreakable", ""),
        ("terror", "daemon", ""),
    ],
)
def test_WH6_TERR_05_who_tests_for_what(feared: str, tester: str, test: str) -> None:
    solved = play({"rules": [tester] if tester else []}, {"rules": [feared]})
    # what the tester causes itself may put the target to flight: look at its own words only
    assert solved.p("refused_fear") == (FAIL_7 if test == "fear" else 0)
    assert solved.p("charger_fled_terror") == (FAIL_7 if test == "terror" else 0)


def test_WH6_TERR_06_the_charger_tests_whatever_the_target_did() -> None:
    # The target (Ld 7) flees from terror 15/36; the charger (Ld 8), which ignores it, has no test;
    # a charger without terror that fears a fleeing-declared target still tests, 10/36.
    solved = play({"Ld": 8}, {"rules": ["terror"]}, None, "flee")
    assert solved.p("charger_fled_terror") == F(5, 18)
    assert sum(solved.dist("flee_distance").values()) == 1


def test_WH6_TERR_06_a_terrifying_charger_asks_for_terror_only_after_panic() -> None:
    # Panic (21/36) then terror (21/36); no sixes, though terror implies fear.
    solved = play({"rules": ["terror"], "models": 6}, {"engaged": True}, {"arc": "flank"})
    assert (solved.p("contact"), solved.sixes) == (F(21, 36) ** 2, 0)


# immunity


@pytest.mark.parametrize("rule", ["immune_to_psychology", "frenzy", "unbreakable"])
def test_WH6_IMM_01_no_panic_fear_or_terror(rule: str) -> None:
    steady = {"rules": [rule]}
    assert play({"rules": ["terror"]}, steady).words == {"contact": 1}
    assert play({"rules": ["fear"]}, steady).sixes == 0
    assert play(steady, {"rules": ["terror"]}).words == {"contact": 1}
    flank = play({"models": 6}, {**steady, "engaged": True}, {"arc": "flank"})
    assert flank.words == {"contact": 1}
    gun = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 2}
    shot = play({**steady, "models": 4}, gun, None, "stand_and_shoot")
    assert shot.p("charger_fled_panic") == 0


def test_WH6_FRENZ_04_the_frenzied_hold_or_shoot() -> None:
    frenzied = {"rules": ["frenzy"], "missile": "bow"}
    assert play(None, frenzied, None, "flee").reaction == "hold"
    assert play(None, frenzied, None, "stand_and_shoot").reaction == "stand_and_shoot"


def test_WH6_FRENZ_07_the_frenzied_pass_every_psychology_test() -> None:
    assert play({"rules": ["terror"]}, {"rules": ["frenzy"], "Ld": 2}).words == {"contact": 1}
    assert play({"rules": ["frenzy"], "Ld": 2}, {"rules": ["fear"]}).words == {"contact": 1}


def test_WH6_UNBR_01_the_unbreakable_neither_test_nor_flee() -> None:
    dwarfs = {"rules": ["unbreakable"], "Ld": 2}
    assert play({"rules": ["terror"]}, dwarfs, None, "flee").words == {"contact": 1}


def test_WH6_ARMY_01_undead_cause_fear_are_immune_and_only_hold() -> None:
    assert play(None, {"rules": ["undead"]}).p("refused_fear") == FAIL_7
    assert play({"rules": ["terror"]}, {"rules": ["undead"]}).words == {"contact": 1}
    for reaction in ("flee", "stand_and_shoot"):
        undead = {"rules": ["undead"], "missile": "bow"}
        assert play({"rules": ["undead"]}, undead, None, reaction).reaction == "hold"


def test_WH6_ARMY_02_daemons_cause_fear_and_are_immune() -> None:
    assert play(None, {"rules": ["daemon"]}).p("refused_fear") == FAIL_7
    assert play({"rules": ["terror"]}, {"rules": ["daemon"]}, None, "flee").words == {"contact": 1}
    archers = {"rules": ["daemon"], "missile": "bow"}
    solved = play({"rules": ["daemon"]}, archers, None, "stand_and_shoot")
    assert solved.reaction == "stand_and_shoot"


# unit strength


@pytest.mark.parametrize(
    ("troop", "models", "strength"),
    [
        ("infantry", 7, 7),
        ("cavalry", 3, 6),
        ("ogre", 2, 6),
        ("swarm", 2, 6),
        ("flyer", 6, 6),
        ("chariot", 1, 4),
        ("chariot", 2, 8),
        ("light_chariot", 1, 3),
    ],
)
def test_WH6_US_01_unit_strength_by_troop(troop: str, models: int, strength: int) -> None:
    # US - 1 men flee from it, US men need sixes: T-20's numbers, 5 cavalry 10 and 12 cavalry 24.
    frightening = {"troop": troop, "models": models, "rules": ["fear"]}
    assert play(frightening, {"models": strength - 1}).sixes == 0
    assert play(frightening, {"models": strength}).sixes == FAIL_7


def test_WH6_US_01_monsters_count_their_starting_wounds_ridden_ones_one_more() -> None:
    for troop, strength in (("monster", 5), ("ridden_monster", 6)):
        monster = {"troop": troop, "models": 1, "W": 5, "rules": ["fear"]}
        assert play(monster, {"models": strength - 1}).sixes == 0
        assert play(monster, {"models": strength}).sixes == FAIL_7


def test_WH6_US_01_a_given_unit_strength_counts_per_model() -> None:
    riders = {"rules": ["fear"], "models": 4, "unit_strength": 3}
    assert play(riders, {"models": 11}).sixes == 0
    assert play(riders, {"models": 12}).sixes == FAIL_7


def test_WH6_US_02_below_5_no_panic_by_a_flank_charge() -> None:
    # T-22 single: two riders (4) and a chariot (4) cause none; three riders (6) and 5 men do.
    held = ({"engaged": True}, {"arc": "flank"})
    assert play({"models": 2}, *held).p("contact") == 1
    assert play({}, *held, a=CHARIOT).p("contact") == 1
    assert play({"unit_strength": 5}, *held, a=CHARIOT).p("contact") == F(21, 36)
    assert play({"models": 5, "troop": "infantry"}, *held).p("contact") == F(21, 36)
    assert play({"models": 4, "troop": "infantry"}, *held).p("contact") == 1
