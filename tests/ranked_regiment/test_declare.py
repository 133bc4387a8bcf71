"""Rules of sight, sides, declarations, counter-charges, interceptions and flights."""

from __future__ import annotations

from math import sqrt

import pytest
from ranked_regiment.build import Hands, battle, block, chances, facing, unit, words

from chargesim.engine.exact import UncountableError, solve
from chargesim.engine.play import play
from chargesim.faults import ScenarioError
from chargesim.report.trace import told
from chargesim.rulesets.ranked_regiment.rules_sight import survey
from chargesim.rulesets.ranked_regiment.state import Face, Why

F, L, R, B = (int(face) for face in Face)


def pair(**others: object) -> dict[str, dict[str, object]]:
    """A and B face each other, 8 apart."""
    return {
        "a": unit("active", 0, 0, **others),  # type: ignore[arg-type]  # changes of a
        "b": unit("reactive", 0, 10, 180),
    }


def three() -> dict[str, dict[str, object]]:
    """A ahead of E, B on its right, V a victim of E's own charge on its left front."""
    return {
        "a": unit("active", 0, 12, 180),
        "e": unit("reactive", 0, 0, 0),
        "b": unit("active", 12, 0, 270),
    }


# turn


def test_RNK_TURN_01_no_charges_on_turn_1() -> None:
    with pytest.raises(ScenarioError, match="no charge phase on turn 1"):
        battle(pair(), turn=1)


def test_RNK_TURN_02_nothing_moves_before_the_last_declaration() -> None:
    hands = Hands(three())
    before = [hands.pose(name) for name in hands.names]
    hands.charge("a", "e")
    hands.charge("e", "a")
    assert [hands.pose(name) for name in hands.names] == before
    hands.resolve()
    assert [hands.pose(name) for name in hands.names] != before


def order_told(scenario: object) -> list[str | None]:
    """Who declares, in order."""
    lines = told(scenario)  # type: ignore[arg-type]  # a scenario
    return [line.unit for line in lines if "declared" in line.text or "counter-" in line.text]


def test_RNK_TURN_03_players_alternate() -> None:
    units = {
        f"{side}{i}": unit(name, 30 * i, y, look)
        for i in (1, 2)
        for side, name, y, look in (("a", "active", 0, 0), ("b", "reactive", 10, 180))
    }
    scenario = battle(units, charges=[("a1", "b1"), ("a2", "b2"), ("b2", "a2")])
    assert order_told(scenario) == ["a1", "b2", "a2"]


def test_RNK_TURN_04_who_has_passed_may_only_flee() -> None:
    # the active side has nothing to declare and passes; then it is charged
    behind = {"a": unit("active", 0, 0, 0), "b": unit("reactive", 0, -10, 0)}
    assert words(battle(behind, charges=[("b", "a")], reaction={"a": "flee"})) == ["fled"]
    front = {"a": unit("active", 0, 0, 0), "b": unit("reactive", 0, 10, 180)}
    countered = battle(front, charges=[("b", "a")], reaction={"a": "counter"})
    assert words(countered) == ["contact"]
    free = battle(
        front, charges=[("b", "a")], reaction={"a": "counter"}, switches={"pass_final": False}
    )
    assert words(free) == ["countered"]


@pytest.mark.parametrize(("first", "word"), [("active", "a"), ("reactive", "b")])
def test_RNK_TURN_05_who_declares_first_is_given(first: str, word: str) -> None:
    scenario = battle(pair(), charges=[("a", "b"), ("b", "a")], first=first)
    assert order_told(scenario)[0] == word


def test_RNK_TURN_05_or_a_coin_decides() -> None:
    scenario = battle(pair(), charges=[("a", "b"), ("b", "a")], first="coin")
    tally = solve(scenario.whole)
    first, second = (tally.reading.charges[i] for i in (0, 1))
    assert chances(tally, first) == pytest.approx({"countered": 0.5, "contact": 0.5})
    assert chances(tally, second) == pytest.approx({"countered": 0.5, "contact": 0.5})
    as_counter = tally.probabilities[first.flags["as_counter"]].sum()
    assert as_counter == pytest.approx(0.5)


# who can charge


def test_RNK_DECL_01_not_in_combat_and_not_fleeing() -> None:
    assert Hands(pair(engaged=True)).why("a", "b") == Why.IN_COMBAT
    assert Hands(pair(fleeing=True)).why("a", "b") == Why.FLEEING


def test_RNK_DECL_02_one_declaration_a_phase() -> None:
    hands = Hands({**pair(), "c": unit("reactive", 6, 12, 180)})
    hands.charge("a", "b")
    assert hands.why("a", "c") == Why.DECLARED


@pytest.mark.parametrize(("counts", "why"), [(True, Why.DECLARED), (False, Why.LEGAL)])
def test_RNK_DECL_02_a_cancelled_charge_counts_by_the_switch(counts: bool, why: Why) -> None:
    units = {
        "e": unit("reactive", 0, 0, 0, move=20.0),
        "v": unit("active", 5, 16, 180),
        "u": unit("active", -3, 8, 180),
    }
    hands = Hands(units, switches={"cancelled_counts": counts})
    hands.charge("e", "v")
    hands.charge("u", "e")
    assert hands["e"]["cancelled"] == 1
    assert hands.why("e", "u") == why


def test_RNK_DECL_03_who_is_charged_may_charge_nobody_else() -> None:
    hands = Hands(three())
    hands.charge("a", "e")
    assert hands.why("e", "b") == Why.CHARGED
    hands.charge("b", "e")
    assert hands.why("e", "a") == Why.TWO_CHARGERS


def test_RNK_DECL_04_a_move_of_0_cannot_charge() -> None:
    assert Hands(pair(move=0)).why("a", "b") == Why.MOVE_0


def test_RNK_DECL_05_nor_can_a_crewed_weapon() -> None:
    assert Hands(pair(rules=("crewed_weapon",))).why("a", "b") == Why.CREWED


def test_RNK_DECL_06_an_enemy_within_move() -> None:
    assert Hands(pair(move=8)).why("a", "b") == Why.LEGAL
    assert Hands(pair(move=7.99)).why("a", "b") == Why.TOO_FAR
    with pytest.raises(ScenarioError, match="of the charger's own side"):
        battle({**pair(), "c": unit("active", 9, 9)}, charges=[("a", "c")])


def test_RNK_DECL_06_the_frenzied_of_the_older_edition_charge_the_nearest() -> None:
    units = {**pair(rules=("frenzied",)), "c": unit("reactive", 8, 13, 180)}
    assert Hands(units).why("a", "c") == Why.LEGAL
    older = {"switches": {"frenzy_charges": True}}
    assert Hands(units, **older).why("a", "c") == Why.NOT_NEAREST
    assert Hands(units, **older).why("a", "b") == Why.LEGAL


@pytest.mark.parametrize(("open_", "why"), [("open", Why.LEGAL), ("barred", Why.TARGET_FLEES)])
def test_RNK_DECL_06_fleeing_targets_by_the_switch(open_: str, why: Why) -> None:
    units = {"a": unit("active", 0, 0), "b": unit("reactive", 0, 10, 180, fleeing=True)}
    assert Hands(units, switches={"fleeing_targets": open_}).why("a", "b") == why


def test_RNK_DECL_07_room_to_end_in_contact() -> None:
    wall = block(-9, 9, 8.1, 8.9)
    assert Hands(pair(), terrain=[wall]).why("a", "b") == Why.NO_ROOM


@pytest.mark.parametrize(("path", "why"), [("segment", Why.LEGAL), ("swept", Why.NO_PATH)])
def test_RNK_DECL_07_a_clear_path(path: str, why: Why) -> None:
    switches = {"path": path}
    assert Hands(pair(), terrain=[block(-1, 1, 4, 5)]).why("a", "b") == Why.NO_PATH
    beside = Hands(pair(), terrain=[block(1, 3, 4, 5)], switches=switches)
    assert beside.why("a", "b") == why


def test_RNK_DECL_08_every_target_has_a_reason() -> None:
    units = {**three(), "far": unit("reactive", 0, -40, 0), "side": unit("reactive", 20, 12, 0)}
    hands = Hands(units)
    told_of = {t: hands.why("a", t) for t in ("e", "far", "side")}
    assert told_of == {"e": Why.LEGAL, "far": Why.TOO_FAR, "side": Why.OUT_OF_ARC}


# sight


def test_RNK_LOS_01_nothing_beside_or_behind() -> None:
    for x, y, why in ((0, 9, 0), (10, 0, Why.OUT_OF_ARC), (0, -9, Why.OUT_OF_ARC), (9, 9, 0)):
        hands = Hands({"a": unit("active", 0, 0), "b": unit("reactive", x, y)})
        assert survey(hands.game, 0, 1)["sight"] == why


@pytest.mark.parametrize("side", ["active", "reactive"])
def test_RNK_LOS_02_units_hide_what_is_behind(side: str) -> None:
    units = {**pair(), "c": unit(side, 0, 6, 0, 30, 1)}
    assert Hands(units).why("a", "b") == Why.HIDDEN


@pytest.mark.parametrize("kind", ["forest", "building", "cliff", "rocks"])
def test_RNK_LOS_02_terrain_hides(kind: str) -> None:
    assert Hands(pair(), terrain=[block(-20, 20, 4, 5, kind)]).why("a", "b") == Why.HIDDEN
    assert survey(Hands(pair(), terrain=[block(-20, 20, 4, 5)]).game, 0, 1)["sight"] == 0


def test_RNK_LOS_02_units_shoulder_to_shoulder_leave_no_gap() -> None:
    units = {**pair(), "c": unit("active", -10, 5, 0, 20, 1), "d": unit("active", 10, 5, 0, 20, 1)}
    assert Hands(units).why("a", "b") == Why.HIDDEN
    units["d"] = unit("active", 10.01, 5, 0, 20, 1)
    assert Hands(units).why("a", "b") != Why.HIDDEN


def test_RNK_LOS_03_sight_enters_a_wood_and_leaves_it_but_does_not_cross_it() -> None:
    for y0, y1, why in ((7, 12, Why.LEGAL), (-2, 3, Why.LEGAL), (4, 5, Why.HIDDEN)):
        hands = Hands(pair(), terrain=[block(-20, 20, y0, y1, "forest")])
        assert hands.why("a", "b") == why
    two = [block(-20, 20, 4, 7, "forest"), block(-20, 20, 7, 12, "forest")]
    assert Hands(pair(), terrain=two).why("a", "b") == Why.HIDDEN


@pytest.mark.parametrize(("los", "why"), [("any", Why.LEGAL), ("centre", Why.HIDDEN)])
def test_RNK_LOS_04_any_point_or_the_centres(los: str, why: Why) -> None:
    terrain = [block(-1, 1, 4, 5, "forest")]
    assert Hands(pair(), terrain=terrain, switches={"los": los}).why("a", "b") == why


def test_RNK_LOS_04_a_slanting_gap_is_found() -> None:
    walls = [block(-30, 0.9, 3, 3.2, "cliff"), block(1.1, 30, 3, 3.2, "cliff")]
    walls += [block(-30, 1.2, 6, 6.2, "cliff"), block(1.4, 30, 6, 6.2, "cliff")]
    assert survey(Hands(pair(), terrain=walls).game, 0, 1)["sight"] == 0
    walls[2:] = [block(-30, 8.9, 6, 7, "cliff"), block(9.1, 30, 6, 7, "cliff")]
    assert survey(Hands(pair(), terrain=walls).game, 0, 1)["sight"] == Why.HIDDEN


def test_RNK_LOS_05_two_ways_to_measure() -> None:
    units = {"a": unit("active", 0, 0), "b": unit("reactive", 6, 9, 180)}
    assert Hands(units).length("a", "b") == pytest.approx(sqrt(53))
    older = Hands(units, switches={"distance": "centre_side"})
    assert older.length("a", "b", F) == pytest.approx(sqrt(85))
    assert older.length("a", "b", R) == pytest.approx(sqrt(16 + 64))


# sides


def test_RNK_SIDE_01_by_the_centre_or_by_most_of_it() -> None:
    units = {
        "t": unit("reactive", 0, 0, 0, 0.2, 0.2),
        "u": unit("active", 1, 0.9, 0, 1, 20),
    }
    assert survey(Hands(units).game, 1, 0)["arc"] == R
    assert survey(Hands(units, switches={"side": "majority"}).game, 1, 0)["arc"] == F


def test_RNK_ONE_01_one_charge_a_side() -> None:
    hands = Hands({**pair(), "c": unit("active", 6, 0)})
    hands.charge("a", "b")
    assert hands.why("c", "b") == Why.SIDE_TAKEN


@pytest.mark.parametrize(("frees", "why"), [(True, Why.LEGAL), (False, Why.SIDE_TAKEN)])
def test_RNK_ONE_01_a_cancelled_charge_frees_its_side_by_the_switch(frees: bool, why: Why) -> None:
    units = {
        "e": unit("reactive", 0, 0, 0, move=20.0),
        "v": unit("active", 5, 16, 180),
        "u": unit("active", -3, 8, 180),
        "w": unit("reactive", 8, 3, 0),
    }
    hands = Hands(units, switches={"cancelled_frees_side": frees})
    hands.charge("e", "v")
    hands.charge("u", "e")
    assert hands.why("w", "v") == why


def test_RNK_ONE_02_a_side_in_combat_is_closed() -> None:
    units = {"a": unit("active", 0, 0), "b": unit("reactive", 0, 10, 180, engaged=True)}
    assert Hands(units).why("a", "b") == Why.SIDE_IN_COMBAT


def test_RNK_ONE_03_a_fight_may_be_joined_on_a_free_side() -> None:
    units = {
        "x": unit("active", 0, 2, 180),
        "e": unit("reactive", 0, 0, 0, engaged="x"),
        "b": unit("active", 12, 0, 270),
    }
    scenario = battle(units, charges=[("b", "e")])
    assert Hands(units).judge("b", "e") == (Why.LEGAL, R)
    tally = solve(scenario.whole)
    assert "no_combat" not in chances(tally, tally.reading.combats["e"])
    assert words(scenario) == ["contact"]


def test_RNK_ONE_04_from_a_flank_to_the_front_when_ahead_of_it() -> None:
    units = {**three(), "c": unit("active", 9, 6, facing(-9, -6), 2, 2)}
    hands = Hands(units)
    hands.charge("b", "e")
    assert hands.judge("c", "e") == (Why.LEGAL, F)
    older = Hands(units, switches={"taken_side": "illegal"})
    older.charge("b", "e")
    assert older.why("c", "e") == Why.SIDE_TAKEN


def test_RNK_ONE_05_from_the_rear_to_the_nearer_flank() -> None:
    for x, face in ((1, R), (-1, L), (0, L)):
        hands = Hands(
            {"e": unit("reactive", 0, 0), "u": unit("active", x, -9, 0, 1, 1)},
        )
        hands["e"]["closed"] = 1 << B
        assert hands.judge("u", "e") == (Why.LEGAL, face)


def test_RNK_ONE_06_one_step_and_no_more() -> None:
    hands = Hands({"e": unit("reactive", 0, 0), "u": unit("active", 1, -9, 0, 1, 1)})
    hands["e"]["closed"] = 1 << B | 1 << R
    assert hands.why("u", "e") == Why.NEXT_SIDE_TAKEN


# counter-charges


def test_RNK_CTR_01_only_against_the_one_who_charges() -> None:
    hands = Hands(three())
    hands.charge("a", "e")
    assert hands.judge("e", "a") == (Why.LEGAL, F)
    assert hands.why("e", "b") == Why.CHARGED


@pytest.mark.parametrize(
    ("los", "rear", "front"),
    [
        ("any", Why.OUT_OF_ARC, Why.LEGAL),
        ("waived", Why.LEGAL, Why.LEGAL),
        ("front_only", Why.NOT_FRONTAL, Why.LEGAL),
    ],
)
def test_RNK_CTR_02_it_must_reach_it(los: str, rear: Why, front: Why) -> None:
    for y, look, why in ((10, 180, front), (-10, 0, rear)):
        hands = Hands(
            {"e": unit("reactive", 0, 0), "a": unit("active", 0, y, look)},
            switches={"counter_los": los},
        )
        hands.charge("a", "e")
        assert hands.why("e", "a") == why


def test_RNK_CTR_02_a_warning_when_the_switch_decides() -> None:
    units = {"e": unit("reactive", 0, 0), "a": unit("active", 0, -10, 0)}
    for los in ("any", "waived"):
        scenario = battle(
            units,
            charges=[("a", "e")],
            reaction={"e": "counter"},
            switches={"counter_los": los, "pass_final": False},
        )
        notes = [line for line in told(scenario) if line.is_note]
        assert any("counter_los decides" in line.text for line in notes)


def test_RNK_CTR_05_the_side_first_declared_stays_closed() -> None:
    units = {**three(), "c": unit("active", 14, -3, 270, 1, 1)}
    hands = Hands(units, switches={"counter_los": "waived"})
    assert hands.charge("b", "e") == R
    hands.charge("e", "b")
    assert hands.why("c", "e") == Why.NOT_AHEAD
    assert hands.judge("a", "e") == (Why.LEGAL, F)


# interceptions


def reach_out() -> dict[str, dict[str, object]]:
    """E has V ahead on its right, 12 away; U stands to charge E."""
    return {
        "e": unit("reactive", 0, 0, 0, move=20.0),
        "v": unit("active", 2, 14, 180, 4, 2),
        "u": unit("active", -4, 10, 180, 3, 2),
        "f": unit("active", 12, 0, 270, 2, 2),
    }


def test_RNK_INT_01_not_without_a_reason() -> None:
    units = {**reach_out(), "u": unit("active", -4, 14.5, 180, 3, 2, 30)}
    hands = Hands(units)
    assert hands.why("u", "e") == Why.LEGAL
    hands.charge("e", "v")
    assert hands.why("u", "e") == Why.NO_INTERCEPT


def test_RNK_INT_02_by_a_shorter_charge() -> None:
    hands = Hands(reach_out())
    hands.charge("e", "v")
    assert hands.length("u", "e") < hands.length("e", "v")
    assert hands.judge("u", "e") == (Why.LEGAL, F)


def test_RNK_INT_03_on_flank_or_rear() -> None:
    units = {**reach_out(), "f": unit("active", 18, 0, 270, 2, 2, 20)}
    hands = Hands(units)
    hands.charge("e", "v")
    assert hands.length("f", "e") > hands.length("e", "v")
    assert hands.judge("f", "e") == (Why.LEGAL, R)


def test_RNK_INT_03_the_older_edition_ranks_the_charges() -> None:
    units = {**reach_out(), "f": unit("active", 18, 0, 270, 2, 2, 20)}
    hands = Hands(units, switches={"intercept": "priority"})
    hands.charge("e", "v")
    assert hands.why("f", "e") == Why.LEGAL
    hands["e"]["aim_side"] = L
    assert hands.why("f", "e") == Why.NO_INTERCEPT
    assert hands.why("u", "e") == Why.NO_INTERCEPT


def test_RNK_INT_04_who_is_charged_by_a_friend() -> None:
    hands = Hands(three())
    hands.charge("a", "e")
    hands.charge("e", "a")
    assert hands.why("b", "e") == Why.LEGAL


def test_RNK_INT_05_its_charge_is_cancelled() -> None:
    scenario = battle(reach_out(), charges=[("e", "v"), ("u", "e")], first="reactive")
    assert words(scenario) == ["cancelled", "contact"]


@pytest.mark.parametrize(
    ("orphans", "aim"), [("keep_charge_drop_flight", True), ("drop_both", False)]
)
def test_RNK_INT_06_a_counter_charge_outlives_what_it_answered(orphans: str, aim: bool) -> None:
    units = {**reach_out(), "f": unit("active", 12, 0, 270, 2, 2)}
    hands = Hands(units, switches={"orphan_reaction": orphans})
    hands.charge("e", "v")
    hands.charge("v", "e")
    hands.charge("f", "e")
    assert hands["e"]["aim"] == -1
    assert (hands["v"]["aim"] == hands.at("e")) == aim
    assert hands["v"]["counter"] == 0


def test_RNK_INT_06_a_flight_is_dropped() -> None:
    hands = Hands(reach_out())
    hands.charge("e", "v")
    hands.flee("v")
    hands.charge("u", "e")
    assert hands["v"]["runs"] == 0


# flights


def chased(*rules: str, **others: object) -> Hands:
    """A charges R, which runs well, from 9 away."""
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16),
            "r": unit("reactive", 0, 12, 0, 4, 4, 9.0, rules=rules, **others),
        },
    )
    hands.charge("a", "r")
    return hands


def test_RNK_FLEE_01_charged_by_one_in_no_combat_and_nothing_declared() -> None:
    hands = Hands(pair())
    assert hands.why_not_flee("b") == Why.NOT_CHARGED
    hands.charge("b", "a")
    assert hands.why_not_flee("b") == Why.NOT_CHARGED
    hands.charge("a", "b")
    assert hands.why_not_flee("b") == Why.DECLARED
    fighting = Hands(
        {
            "x": unit("active", 0, 2, 180),
            "e": unit("reactive", 0, 0, 0, engaged="x"),
            "b": unit("active", 12, 0, 270),
        }
    )
    fighting.charge("b", "e")
    assert fighting.why_not_flee("e") == Why.IN_COMBAT


def test_RNK_FLEE_02_with_a_move() -> None:
    hands = Hands(
        {"a": unit("active", 0, 0, 0, 4, 2, 8), "b": unit("reactive", 0, 10, 0, move=0.0)}
    )
    hands.charge("a", "b")
    assert hands.why_not_flee("b") == Why.MOVE_0


def test_RNK_FLEE_03_some_never_run() -> None:
    for rule in ("frenzied", "reanimated", "demonic"):
        assert chased(rule).why_not_flee("r") == Why.NEVER_FLEES
        gift = chased(rule, "may_flee_anyway").why_not_flee("r")
        assert gift == (Why.LEGAL if rule == "demonic" else Why.NEVER_FLEES)


@pytest.mark.parametrize(("speed", "why"), [("at_least", Why.LEGAL), ("more", Why.TOO_SLOW)])
def test_RNK_FLEE_04_fast_enough(speed: str, why: Why) -> None:
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 16),
        "r": unit("reactive", 0, 12, 0, 4, 4, 7.0),
    }
    hands = Hands(units, switches={"flight_speed": speed})
    hands.charge("a", "r")
    assert hands.why_not_flee("r") == why


def test_RNK_FLEE_05_a_later_charge_cancels_it() -> None:
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 16),
        "r": unit("reactive", 0, 12, 0, 4, 4, 12.0),
        "b": unit("active", 12, 12, 270, 4, 2, 16),
    }
    scenario = battle(units, charges=[("a", "r"), ("b", "r")], reaction={"r": "flee"})
    assert words(scenario) == ["contact", "contact"]


def test_RNK_FLEE_09_in_place_of_a_counter_charge() -> None:
    hands = Hands(
        {"a": unit("active", 0, 0, 0), "r": unit("reactive", 0, 12, 180, 4, 4, 12.0)},
    )
    hands.charge("a", "r")
    assert hands.why("r", "a") == Why.LEGAL
    hands.flee("r")
    assert hands.why("r", "a") == Why.RUNNING


# uncertainty


def test_noise_is_sampled_and_refused_by_enumeration() -> None:
    scenario = battle(pair(noise={"x": 1.0}), charges=[("a", "b")])
    with pytest.raises(UncountableError, match="normal numbers"):
        play(scenario, engine="exact")
    tallies = play(scenario, engine="auto", trials=1000)
    assert tallies[0].engine == "sample"


def test_a_move_of_several_is_enumerated() -> None:
    scenario = battle(pair(move=[6, 7, 8, 9]), charges=[("a", "b")])
    tally = solve(scenario.whole)
    assert chances(tally, tally.reading.charges[0])["contact"] == pytest.approx(0.5)
    assert tally.probabilities[
        tally.reading.charges[0].flags["illegal_by_RNK-DECL-06"]
    ].sum() == pytest.approx(0.5)
