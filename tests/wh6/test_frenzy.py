"""Charges that Frenzy compels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from wh6.build import MAN, Solved, battle, battle_tables, game_of

from chargesim.kernels.dice import Mode, new_dice
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules import charge_moves
from chargesim.rulesets.wh6.rules_charge import must_charge
from chargesim.scenario import Scenario

F = Fraction
RIDER: dict[str, Any] = {**MAN, "side": "active", "models": 5, "troop": "cavalry", "M": 18}
SPEARS: dict[str, Any] = {**MAN, "side": "reactive", "models": 8, "rules": ["unbreakable"]}
ORCS: dict[str, Any] = {**MAN, "side": "active", "models": 5, "rules": ["frenzy"]}


def compelled(
    *entries: dict[str, Any], orcs: dict[str, Any] | None = None, **others: Any
) -> Solved:
    """Orcs of reach 20 without a charge of their own, while riders charge somebody else."""
    units = {
        "a": RIDER,
        "b": SPEARS,
        "orcs": {**ORCS, **(orcs or {}), "may_reach": list(entries)},
        "d": SPEARS,
        "e": SPEARS,
    }
    return battle(units, ("a", "b"), **others)


def at(distance: float, target: str = "d", **more: Any) -> dict[str, Any]:
    """An enemy in sight."""
    return {"target": target, "distance": distance, **more}


def test_WH6_FRENZ_01_an_enemy_in_reach_must_be_charged() -> None:
    found = compelled(at(18))
    assert found.words_of(1) == {"contact": 1}
    view = found.reading.charges[1]
    assert view.labels["charger"] == "orcs"
    assert view.labels["target"] == "d"
    assert view.labels["compulsory"]
    assert found.fate("no_combat", "d") == 0


@pytest.mark.parametrize(("distance", "charges"), [(20, 2), (20.01, 1)])
def test_WH6_FRENZ_01_up_to_its_reach(distance: float, charges: int) -> None:
    found = compelled(at(distance))
    assert len(found.reading.charges) == charges


def test_WH6_FRENZ_01_only_the_frenzied() -> None:
    assert len(compelled(at(18), orcs={"rules": ["hatred"]}).reading.charges) == 1


def test_WH6_FRENZ_01_the_first_that_is_feasible() -> None:
    found = compelled(at(21), at(19, "e"), at(5, "b"))
    assert found.reading.charges[1].labels["target"] == "e"


def test_WH6_CHG_13_not_through_a_unit_in_the_way() -> None:
    # T-17: another unit wholly in the way excuses it.
    assert len(compelled(at(10, blocked_by=["a"])).reading.charges) == 1
    found = compelled(at(10, blocked_by=["e"]), at(15, "e"))
    assert found.reading.charges[1].labels["target"] == "e"


def test_WH6_CHG_13_by_flight_and_by_the_faster_way_of_a_flying_chariot() -> None:
    flyer = {"rules": ["frenzy", "flyer"], "M": 4}
    assert len(compelled(at(50), orcs=flyer).reading.charges) == 2
    assert len(compelled(at(50.01), orcs=flyer).reading.charges) == 1
    chariot = {**flyer, "troop": "chariot", "M": 30, "models": 1, "width": 1}
    assert len(compelled(at(60), orcs=chariot).reading.charges) == 2
    assert len(compelled(at(60.01), orcs=chariot).reading.charges) == 1


def test_WH6_CHG_13_in_inches_too() -> None:
    for distance, charges in ((8, 2), (8.01, 1)):
        found = compelled(at(distance), orcs={"M": 4}, units="inch")
        assert len(found.reading.charges) == charges


def test_WH6_CHG_13_not_one_who_flees_or_fights() -> None:
    game = game_of(**battle_tables({"a": ORCS, "b": SPEARS}, ("a", "b")))
    unit = game["units"][0]
    assert must_charge(game, 0, 2000, False)
    assert not must_charge(game, 0, 2000, True)
    assert not must_charge(game, 0, 2001, False)
    unit["engaged"] = 1
    assert not must_charge(game, 0, 1000, False)
    unit["engaged"], unit["state"] = 0, 4
    assert not must_charge(game, 0, 1000, False)
    unit["state"], unit["calm"] = 0, 1
    assert not must_charge(game, 0, 1000, False)


def test_WH6_CHG_14_the_compulsory_check_takes_the_plain_reach() -> None:
    # T-07: items that the owner may use do not widen it: M 18 is 36, so not at 40; and a charge it
    # declares itself reaches 36 + D6 + 2.
    rider = {**RIDER, "rules": ["frenzy"], "may_reach": [at(40)]}
    units = {"a": RIDER, "b": SPEARS, "c": rider, "d": SPEARS}
    assert len(battle(units, ("a", "b")).reading.charges) == 1
    own = battle(units, ("a", "b"), ("c", "d", {"distance": 40, "reach": "36+1D6+2"}))
    assert own.p("contact", 1) == F(5, 6)


def test_WH6_FRENZ_06_ones_own_declaration_spares_the_check() -> None:
    units = {"a": {**ORCS, "may_reach": [at(10)]}, "b": SPEARS, "d": SPEARS}
    found = battle(units, ("a", "b", {"distance": 19}))
    assert len(found.reading.charges) == 1
    assert found.words == {"contact": 1}


def test_WH6_FRENZ_06_it_is_a_declaration_in_every_respect() -> None:
    # Its target reacts: it shoots beyond half of 20, one shot of S 10 kills 25/36; or it flees.
    units = {
        "a": RIDER,
        "b": SPEARS,
        "orcs": {**ORCS, "models": 20, "may_reach": [at(18)]},
        "d": {**SPEARS, "missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1},
    }
    shot = battle(units, ("a", "b"), reaction={"d": "stand_and_shoot"})
    assert shot.dist("shooting_casualties", 1)[1] == F(25, 36)
    units["d"] = {**SPEARS, "rules": []}
    units["orcs"]["may_reach"] = [at(18, edge=4)]
    fled = battle(units, ("a", "b"), reaction={"d": "flee"})
    assert fled.words_of(1) == {"target_fled_off_table": 1}


def test_WH6_FRENZ_06_it_may_be_redirected() -> None:
    way = at(18, edge=4, redirect=[{"target": "e", "distance": 20}])
    units = {
        "a": RIDER,
        "b": SPEARS,
        "orcs": {**ORCS, "may_reach": [way]},
        "d": {**SPEARS, "rules": []},
        "e": SPEARS,
    }
    found = battle(units, ("a", "b"), reaction={"d": "flee"})
    assert found.words_of(1) == {"redirected_contact": 1}
    assert found.fate("no_combat", "e") == 0


def test_WH6_FRENZ_06_after_the_declared_charges() -> None:
    # Both stand on one front: the declared charge first, though its unit is later in the file.
    units = {
        "orcs": {**ORCS, "may_reach": [at(18, "b")]},
        "a": {**RIDER, "rules": ["unbreakable"]},
        "b": {**SPEARS, "models": 20, "width": 20},
    }
    found = battle(units, ("a", "b"))
    assert found.reading.combats["b"].labels["chargers"] == ["a", "orcs"]


@pytest.mark.parametrize(
    ("value", "order"), [("compulsory", ["orcs", "a"]), ("after_chargers", ["a", "orcs"])]
)
def test_WH6_FRENZ_02_frenzy_move(value: str, order: list[str]) -> None:
    # The notes of the moves, in the order in which they are made.
    units = {"a": RIDER, "b": SPEARS, "orcs": {**ORCS, "may_reach": [at(18)]}, "d": SPEARS}
    scenario = Scenario(**battle_tables(units, ("a", "b"), switches={"frenzy_move": value}))
    game = scenario.whole.game()[0]
    for charge in game["charges"][:2]:
        charge["in_reach"], charge["distance"], charge["reach"] = 1, 1000, 2000
    dice = new_dice(Mode.TRACE)[0]
    charge_moves(game, dice)
    log = dice["log"][: int(dice["logged"])]
    arrivals = [row for row in log if Event.MAKES_CONTACT in row.tolist()]
    names = [list(units)[who_of(row)] for row in arrivals]
    assert names == order


def who_of(row: np.ndarray) -> int:
    """The unit that a row of the log speaks of: what stands after the event."""
    found = row.tolist()
    return int(found[found.index(int(Event.MAKES_CONTACT)) + 1])


@pytest.mark.parametrize("value", ["compulsory", "after_chargers"])
def test_WH6_CHAR_02_compelled_over_bad_ground_a_chariot_is_hit(value: str) -> None:
    # T-39: D6 hits of S 6 on T 5 (3+, 4/6) without a save: four wounds are 488/2187.
    chariot = {
        **ORCS, "models": 1, "troop": "chariot", "T": 5, "W": 4, "S": 5,
        "chariot": {"impact_hits": "0"}, "may_reach": [at(18, terrain="difficult")],
    }  # fmt: skip
    units = {"a": RIDER, "b": SPEARS, "orcs": chariot, "d": SPEARS}
    found = battle(units, ("a", "b"), switches={"frenzy_move": value})
    assert found.words_of(1) == {"charger_destroyed": F(488, 2187), "contact": F(1699, 2187)}
    # its armour helps (4+ at -3 is none, 2+ is 5+: fails 4/6); open ground does nothing
    saved = battle(
        {**units, "orcs": {**chariot, "save": "2+"}}, ("a", "b"), switches={"frenzy_move": value}
    )
    hit = F(4, 6) * F(4, 6)
    four = sum(
        F(1, 6) * binomial(n, k) * hit**k * (1 - hit) ** (n - k)
        for n in range(4, 7)
        for k in range(4, n + 1)
    )
    assert saved.p("charger_destroyed", 1) == four
    chariot["may_reach"] = [at(18)]
    assert battle(units, ("a", "b")).words_of(1) == {"contact": 1}


def binomial(n: int, k: int) -> int:
    """Ways to choose k of n."""
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)
