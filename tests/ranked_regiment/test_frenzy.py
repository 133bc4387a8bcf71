"""Frenzy in the older edition compels, also in a script; fights that no charge joins."""

from __future__ import annotations

from typing import Any

import pytest
from ranked_regiment.build import battle, chances, unit, words

import chargesim as cs
from chargesim.engine.exact import solve
from chargesim.errors import ChargesimError
from chargesim.report.trace import trace
from chargesim.rulesets.ranked_regiment.game_tree import Battle
from chargesim.scenario import Scenario

OLD = {"frenzy_charges": True}


def wolves(**others: Any) -> Scenario:
    """A frenzied unit between a near enemy and a far one, both in reach."""
    units = {
        "wolves": unit("active", 0, 0, 0, move=16.0, models=10, rules=["frenzied"]),
        "near": unit("reactive", -3, 9, 180, move=1.0, models=10),
        "far": unit("reactive", 5, 13, 180, move=1.0, models=10),
    }
    return battle(units, **{"switches": OLD, **others})


def test_RNK_DECL_06_the_frenzied_charge_though_their_owner_does_without() -> None:
    scenario = wolves(charges=[{"charger": "wolves", "target": "near", "declare": False}])
    assert words(scenario) == ["contact", "not_declared"]
    assert words(wolves(charges=scenario.model.model_dump()["charge"], switches={})) == [
        "not_declared"
    ]
    reading = solve(scenario.whole).reading
    assert reading.charges[0].flags["forced"].all()
    assert reading.charges[1].labels["only_if_forced"] is True


def test_RNK_DECL_06_they_charge_though_no_charge_is_in_the_file() -> None:
    scenario = wolves()
    result = cs.solve(scenario)
    assert [view.labels["target"] for _, view in result.charges] == ["near", "far"]
    assert result.probability("0:contact") == 1
    assert result.probability("near:no_combat") == 0
    assert "had to charge near" in trace(scenario)
    assert any("frenzied" in note["text"] for note in result.notes)


def test_RNK_DECL_06_they_do_not_wait_for_other_declarations() -> None:
    late = {"charger": "wolves", "target": "near", "after": 2}
    assert words(wolves(charges=[late]))[0] == "contact"
    assert words(wolves(charges=[late], switches={})) == ["illegal"]


def test_RNK_DECL_06_the_nearest_it_is_whatever_was_meant() -> None:
    scenario = wolves(charges=[("wolves", "far")])
    assert words(scenario) == ["illegal", "contact"]


def test_a_script_passes_just_when_the_game_may() -> None:
    """Where the game lets the frenzied hold back, so does the script, and nowhere else."""
    for x, expected in ((0.0, "charge"), (40.0, "pass")):
        scenario = wolves()
        units = scenario.tables["unit"]
        units["wolves"]["at"] = (x, 0.0)
        scenario = battle(units, switches=OLD)
        played = Battle(scenario.model)
        ((_, case),) = played.cases(1) or ()
        played.begin(case)
        root = played.root(0)
        kinds = {played.step_of(root, move).kind for move in played.options(root)}
        assert kinds == {expected}
        views = solve(scenario.whole).reading.charges.values()
        forced = any(view.flags["legal"].any() for view in views)
        assert forced == (expected == "charge")


def test_too_many_forced_charges_are_refused() -> None:
    units = {}
    for i in range(6):
        units[f"a{i}"] = unit("active", 6 * i, 0, 0, rules=["frenzied"])
        units[f"r{i}"] = unit("reactive", 6 * i, 9, 180)
    with pytest.raises(ChargesimError, match="that Frenzy may force there are more than 24"):
        battle(units, switches=OLD)
    battle(units)


def melee(**others: Any) -> Scenario:
    """Two units in contact from before, with somebody to charge into it or not."""
    units = {
        "a": unit("active", 0, 0, 0, models=10, width=5, skill=5, engaged="b"),
        "b": unit("reactive", 0, 2, 180, models=10, width=5, engaged="a"),
        "c": unit("active", 10, 2, 270, models=10, width=5),
    }
    return battle(units, **others)


def test_RNK_CMB_01_a_fight_from_before_is_played_without_a_charge() -> None:
    result = cs.solve(melee())
    assert [view.labels for _, view in result.combats] == [{"target": "b", "chargers": ["a"]}]
    assert result.probability("b:no_combat") == 0
    state = chances(result.tallies[0], result.tallies[0].reading.units["b"])
    assert state.get("broken", 0) > 0.1
    # neither has charged: the same as ten dice each without bonus, whoever is the target
    mirrored = {
        name: {**table, "side": {"active": "reactive", "reactive": "active"}[table["side"]]}
        for name, table in melee().tables["unit"].items()
    }
    other = cs.solve(battle(mirrored))
    assert [view.labels["target"] for _, view in other.combats] == ["a"]
    assert other.probability("a:charger_broke") == pytest.approx(
        result.probability("b:target_broke"), abs=1e-12
    )


def test_RNK_ONE_03_a_charge_joins_it() -> None:
    result = cs.solve(melee(charges=[("c", "b")]))
    assert [view.labels for _, view in result.combats] == [{"target": "b", "chargers": ["c"]}]
    alone = cs.solve(melee())
    assert result.probability("b:target_broke") > alone.probability("b:target_broke")
