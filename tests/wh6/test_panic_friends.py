"""Panic of friends, and the old opponent of a unit that is charged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import MAN, Solved, battle, men

F = Fraction
FAIL_7 = F(15, 36)
RIDER: dict[str, Any] = {**MAN, "side": "active", "models": 5, "troop": "cavalry", "M": 18}
SPEARS: dict[str, Any] = {**MAN, "side": "reactive", "models": 8}
CAUGHT = F(259, 648)
"""Reach 36, gap 20, flight 5D6 <= 16 (T-08)."""
SHORT = {"distance": 20, "reach": 19}
"""A charge that is shot at and falls short: no fight follows."""


def friend(distance: float, name: str = "f") -> list[dict[str, Any]]:
    """A friend near by."""
    return [{"unit": name, "distance": distance}]


def run_down(distance: float = 10, who: dict[str, Any] | None = None, **others: Any) -> Solved:
    """A fleeing unit may be run down near a friend."""
    units = {"a": RIDER, "b": {**SPEARS, "neighbours": friend(distance)}, "f": SPEARS}
    units["f"] = {**SPEARS, **(who or {})}
    return battle(units, ("a", "b", {"distance": 20}), reaction={"b": "flee"}, **others)


@pytest.mark.parametrize(("units", "near"), [("cm", 10), ("inch", 4)])
def test_WH6_PANIC_01_a_fleeing_friend_run_down_near_by(units: str, near: float) -> None:
    move = {"cm": (18, 10, 20), "inch": (7, 4, 8)}[units]
    for distance, panics in ((near, FAIL_7), (near + 0.01, F(0))):
        scene = {
            "a": {**RIDER, "M": move[0]},
            "b": {**SPEARS, "M": move[1], "neighbours": friend(distance)},
            "f": {**SPEARS, "M": move[1]},
        }
        found = battle(
            scene, ("a", "b", {"distance": move[2]}), reaction={"b": "flee"}, units=units
        )
        caught = CAUGHT if units == "cm" else F(5, 12)
        assert found.p("target_fled_caught") == caught
        assert found.state("f").get("fleeing", 0) == caught * panics


def test_WH6_PANIC_01_not_when_it_gets_away() -> None:
    found = run_down()
    assert found.state("f") == {"fleeing": CAUGHT * FAIL_7, "steady": 1 - CAUGHT * FAIL_7}


def test_WH6_PANIC_01_a_friend_shot_to_the_last_model() -> None:
    # Two riders, three shots of S 10: two or three of 25/36 kill them.
    guns = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 3}
    hit = F(25, 36)
    gone = hit**3 + 3 * hit**2 * (1 - hit)
    for distance, panics in ((10, FAIL_7), (10.01, F(0))):
        units = {
            "a": {**RIDER, "models": 2, "neighbours": friend(distance)},
            "b": {**SPEARS, **guns},
            "f": RIDER,
        }
        found = battle(units, ("a", "b", SHORT), reaction={"b": "stand_and_shoot"})
        assert found.p("charger_destroyed") == gone
        assert found.state("f").get("fleeing", 0) == gone * panics


@pytest.mark.parametrize(
    ("models", "wounds", "counts"), [(1, 4, False), (1, 5, True), (2, 1, True)]
)
def test_WH6_PANIC_04_a_small_lone_model_causes_none(
    models: int, wounds: int, counts: bool
) -> None:
    guns = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 6}
    units = {
        "a": {**RIDER, "models": models, "W": wounds, "neighbours": friend(5)},
        "b": {**SPEARS, **guns},
        "f": RIDER,
    }
    found = battle(units, ("a", "b", SHORT), reaction={"b": "stand_and_shoot"})
    gone = found.p("charger_destroyed")
    assert gone > 0
    assert found.state("f").get("fleeing", 0) == (gone * FAIL_7 if counts else 0)


def test_WH6_PANIC_04_in_combat_too() -> None:
    # A lone model of W 1 slain (5/12) causes none, two may.
    for models, panics in ((1, F(0)), (2, FAIL_7)):
        units = {
            "a": men(2, A=models, S=10, restrain=True),
            "b": men(models, "reactive", neighbours=friend(5)),
            "f": SPEARS,
        }
        found = battle(units, ("a", "b"))
        wiped = found.fate("target_wiped_out")
        assert wiped > 0
        assert found.state("f").get("fleeing", 0) == wiped * panics


def test_WH6_PANIC_04_single_as_the_phase_of_combat_begins() -> None:
    # One of two is shot (25/36); the last is slain in the fight: it was a lone model by then.
    units = {
        "a": men(2, M=20, neighbours=friend(5)),
        "b": {
            **men(3, "reactive", A=1, S=10, WS=10, restrain=True),
            "missile": {"range": 60, "S": 10},
            "BS": 6,
            "shooters": 1,
        },
        "f": RIDER,
    }
    found = battle(units, ("a", "b", {"distance": 30}), reaction={"b": "stand_and_shoot"})
    shot = found.charge.quantities["shooting_casualties"].values
    gone, fled = {0: F(0), 1: F(0)}, {0: F(0), 1: F(0)}
    for state, weight in enumerate(found.weights):
        word = {
            name: view.words[int(view.codes[state])] for name, view in found.reading.units.items()
        }
        if word["a"] == "destroyed":
            gone[int(shot[state])] += weight
            fled[int(shot[state])] += weight * (word["f"] == "fleeing")
    assert gone[1] > 0
    assert fled == {0: gone[0] * FAIL_7, 1: 0}


def broken(
    distance: float = 10, who: dict[str, Any] | None = None, models: int = 4, **others: Any
) -> Solved:
    """A unit that cannot hold breaks near a friend."""
    units = {
        "a": men(models, combat_bonus=1, rules=["unbreakable"]),
        "b": men(models, "reactive", rules=[], Ld=2, neighbours=friend(distance)),
        "f": {**SPEARS, **(who or {})},
    }
    return battle(units, ("a", "b"), **others)


@pytest.mark.parametrize(("units", "far", "M"), [("cm", 15, 10), ("inch", 6, 6)])
def test_WH6_PANIC_01_a_friend_that_broke_near_by(units: str, far: float, M: int) -> None:
    charge = {"distance": 10}
    for distance, panics in ((far, FAIL_7), (far + 0.01, F(0))):
        scene = {
            "a": men(4, combat_bonus=1, M=M),
            "b": men(4, "reactive", rules=[], Ld=2, M=M, neighbours=friend(distance)),
            "f": {**SPEARS, "M": M},
        }
        found = battle(scene, ("a", "b", charge), units=units)
        assert found.state("f").get("fleeing", 0) == panics


def test_WH6_PANIC_05_size_plays_no_part() -> None:
    # One man breaks: a friend of a hundred tests.
    found = broken(who={"models": 100}, models=1)
    assert found.state("f")["fleeing"] == FAIL_7


def test_WH6_PANIC_06_no_cascade() -> None:
    # The friend panics, its own friend beside it does not.
    units = {
        "a": men(4, combat_bonus=1),
        "b": men(4, "reactive", rules=[], Ld=2, neighbours=friend(5)),
        "f": {**SPEARS, "neighbours": friend(5, "g")},
        "g": SPEARS,
    }
    found = battle(units, ("a", "b"))
    assert found.state("f")["fleeing"] == FAIL_7
    assert found.state("g") == {"steady": 1}


def test_WH6_PANIC_10_a_charger_put_to_flight_by_shots_has_not_broken() -> None:
    guns = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    units = {
        "a": {**RIDER, "models": 4, "neighbours": friend(1)},
        "b": {**SPEARS, **guns, "rules": ["unbreakable"]},
        "f": RIDER,
    }
    found = battle(units, ("a", "b", {"distance": 20}), reaction={"b": "stand_and_shoot"})
    panicked = found.p("charger_fled_panic")
    assert panicked == F(25, 36) * FAIL_7
    # of those that made contact some broke and made the friend test; the panicked did not
    fled = [
        weight
        for state, weight in enumerate(found.weights)
        if found.charge.words[int(found.charge.codes[state])] == "charger_fled_panic"
        and found.reading.units["f"].words[int(found.reading.units["f"].codes[state])] != "steady"
    ]
    assert fled == []


def test_WH6_PANIC_02_one_test_in_a_phase() -> None:
    # Two friends break beside one unit: it tests once.
    units = {
        "a": men(4, combat_bonus=1),
        "b": men(4, "reactive", rules=[], Ld=2, neighbours=friend(5)),
        "c": men(4, combat_bonus=1),
        "d": men(4, "reactive", rules=[], Ld=2, neighbours=friend(5)),
        "f": SPEARS,
    }
    found = battle(units, ("a", "b"), ("c", "d"))
    assert found.state("f")["fleeing"] == FAIL_7


def test_WH6_PANIC_02_but_again_in_the_next_phase() -> None:
    # One friend is run down, another breaks: a unit that passed the first tests again.
    units = {
        "a": RIDER,
        "b": {**SPEARS, "neighbours": friend(5)},
        "c": men(4, combat_bonus=1),
        "d": men(4, "reactive", rules=[], Ld=2, neighbours=friend(5)),
        "f": SPEARS,
    }
    found = battle(units, ("a", "b", {"distance": 20}), ("c", "d"), reaction={"b": "flee"})
    steady = (1 - CAUGHT * FAIL_7) * (1 - FAIL_7)
    assert found.state("f")["steady"] == steady


@pytest.mark.parametrize("rule", ["immune_to_psychology", "unbreakable", "undead", "frenzy"])
def test_WH6_IMM_01_the_immune_do_not_panic_for_friends(rule: str) -> None:
    assert run_down(who={"rules": [rule]}).state("f") == {"steady": 1}
    assert broken(who={"rules": [rule]}).state("f") == {"steady": 1}


def test_WH6_PANIC_01_who_flees_already_is_not_asked() -> None:
    assert broken(who={"fleeing": True}).state("f") == {"fleeing": 1}


def test_WH6_LD_02_a_general_steadies_the_friends() -> None:
    assert broken(who={"Ld": 5, "general_ld": 9}).state("f")["fleeing"] == F(1, 6)


def beside(panic_engaged: bool = True, bonus: int = 0, **changes: Any) -> Solved:
    """Two combats side by side: ``b`` breaks, ``d`` beside it is in a fight of its own."""
    units = {
        "a": men(4, combat_bonus=1, M=6),
        "b": men(4, "reactive", rules=[], Ld=2, M=6, neighbours=friend(5, "d")),
        "c": men(4, M=6),
        "d": men(4, "reactive", **{"rules": [], "M": 6, "combat_bonus": bonus, **changes}),
    }
    return battle(
        units,
        ("a", "b"),
        ("c", "d"),
        units="inch",
        switches={"panic_engaged": panic_engaged},
    )


@pytest.mark.parametrize(("engaged", "flees"), [(True, FAIL_7), (False, F(0))])
def test_WH6_PANIC_08_who_fights_panics_too_unless_the_switch_says_no(
    engaged: bool, flees: Fraction
) -> None:
    found = beside(engaged)
    assert found.state("d").get("fleeing", 0) == flees
    assert found.fates("d") == {"draw": 1}


def test_WH6_PANIC_09_pursued_only_by_an_enemy_that_won_the_round() -> None:
    # Drawn: it leaves unpursued, and its enemy stands.
    drawn = beside()
    assert drawn.state("d") == {"fleeing": FAIL_7, "fighting": 1 - FAIL_7}
    assert drawn.state("c") == {"steady": FAIL_7, "fighting": 1 - FAIL_7}
    # won: the same, and the word stays
    won = beside(bonus=1)
    assert won.fates("d") == {"charger_held": 1}  # the unbreakable enemy
    assert won.state("d")["fleeing"] == FAIL_7
    # lost, and held: it panics away and is pursued like the broken, 2D6 after 2D6
    units = {
        "a": men(4, combat_bonus=1, M=6),
        "b": men(4, "reactive", rules=[], Ld=2, M=6, neighbours=friend(5, "d")),
        "c": men(4, M=6, combat_bonus=1),
        "d": men(4, "reactive", rules=["stubborn"], M=6, Ld=7),
    }
    lost = battle(units, ("a", "b"), ("c", "d"), units="inch")
    away = FAIL_7 + (1 - FAIL_7) * FAIL_7
    assert lost.fate("target_held", "d") == 1 - away
    assert lost.fate("target_broke_caught", "d") == away * F(721, 1296)
    assert lost.state("d")["destroyed"] == away * F(721, 1296)


def test_WH6_PANIC_01_in_the_movement_phase_one_leaves_the_fight_it_has_just_begun() -> None:
    # The charger beside a friend shot to the last panics: its word stays contact, no fight.
    guns = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 3}
    units = {
        "a": {**RIDER, "models": 2, "neighbours": friend(5, "c")},
        "b": {**SPEARS, **guns},
        "c": RIDER,
        "d": {**SPEARS, "rules": ["unbreakable"]},
    }
    found = battle(
        units,
        ("a", "b", SHORT),
        ("c", "d", {"distance": 20}),
        reaction={"b": "stand_and_shoot"},
    )
    gone = F(25, 36) ** 3 + 3 * F(25, 36) ** 2 * F(11, 36)
    assert found.p("contact", 1) == 1
    assert found.fate("no_combat", "d") == gone * FAIL_7
    assert found.state("d")["steady"] == gone * FAIL_7


def test_WH6_PANIC_01_who_loses_its_enemy_to_panic_before_the_fight_is_free() -> None:
    # The friend run down beside it puts a charged unit to flight: its charger stands.
    units = {
        "a": RIDER,
        "b": {**SPEARS, "neighbours": friend(5, "d")},
        "c": RIDER,
        "d": SPEARS,
    }
    found = battle(
        units, ("a", "b", {"distance": 20}), ("c", "d", {"distance": 20}), reaction={"b": "flee"}
    )
    assert found.p("contact", 1) == 1
    assert found.fate("no_combat", "d") == CAUGHT * FAIL_7
    assert found.state("c")["steady"] == CAUGHT * FAIL_7


def test_WH6_PANIC_09_a_target_left_by_chargers_in_panic_is_free() -> None:
    # Four beaten for certain break beside four that have drawn: these flee with 15/36 unpursued,
    # and the unit they fought stands.
    units = {
        "a": men(4, rules=[], Ld=2, M=6, neighbours=friend(5, "c")),
        "b": men(4, "reactive", combat_bonus=1, M=6),
        "c": men(4, rules=[], M=6),
        "d": men(4, "reactive", M=6),
    }
    found = battle(units, ("a", "b"), ("c", "d"), units="inch")
    assert found.fates("d") == {"draw": 1}
    assert found.state("c") == {"fleeing": FAIL_7, "fighting": 1 - FAIL_7}
    assert found.state("d") == {"steady": FAIL_7, "fighting": 1 - FAIL_7}


# the old opponent


def old(rule: str = "fear", models: int = 8, **charge: Any) -> Solved:
    """Riders charge eight men who fight ``c`` already."""
    units = {
        "a": {**RIDER, "rules": [rule]},
        "b": {**SPEARS, "models": models, "engaged": "c"},
        "c": men(2, "active"),
    }
    return battle(units, ("a", "b", {"distance": 20, **charge}))


def test_WH6_FEAR_07_its_old_opponent_neither_pursues_nor_charges() -> None:
    # T-27: eight men flee from the fear of riders (US 10) with 15/36; who fought them stands.
    found = old()
    fled = F(15, 36)
    assert sum(found.dist("flee_distance").values()) == fled
    assert found.state("c")["steady"] == fled
    assert found.p("target_fled_caught") == fled * CAUGHT


def test_WH6_CHG_10_who_fights_a_unit_of_the_file_only_holds() -> None:
    units = {"a": RIDER, "b": {**SPEARS, "engaged": "c"}, "c": men(2, "active")}
    found = battle(units, ("a", "b", {"distance": 20}), reaction={"b": "flee"})
    assert found.reaction == "hold"
    assert found.words == {"contact": 1}
    assert found.fate("no_combat") == 0


def test_WH6_PANIC_01_a_flank_charge_on_one_who_fights_a_unit_of_the_file() -> None:
    found = old("hatred", arc="flank")
    assert found.p("contact") == 1 - FAIL_7
    assert found.state("c")["steady"] >= FAIL_7


def test_WH6_CC_03_without_a_new_enemy_the_old_fight_is_not_played() -> None:
    found = old("hatred", distance=37)
    assert found.fates() == {"no_combat": 1}
    assert found.state("b") == found.state("c") == {"fighting": 1}
