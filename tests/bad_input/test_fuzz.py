"""Mutated scenarios: a result, or a message that helps."""

from __future__ import annotations

import random
import warnings
from copy import deepcopy
from typing import Any

from bad_input.sound import (
    CREW,
    INF,
    NAN,
    TABLES,
)

import chargesim as cs
from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, 7, 10, 11, -1, 10**9, 10**30, 0.005, 1.5, 19.99, NAN, INF, "",
    "hold", "boars", "handgunners", "3+", "1D6", "36+1D6", "-1D6+40", "\0", "ñ", [], {}, [[]],
    [None], [1], ["fear"], ["boars"], {"": 1}, {"mean": 34, "sd": 3}, {"do": "flee"},
    {"range": 60, "S": 4}, {"crew": CREW}, "flee", "chariot", "monster", "war_machine", "inch",
)  # fmt: skip
KEYS = (
    "rules", "troop", "chariot", "missile", "reach", "gap", "edge", "blocked_by", "engaged",
    "fleeing", "ward", "regeneration", "general_ld", "shooters", "units", "switches", "HA", "L",
    "unit", "base", "points", "arc", "terrain", "mean", "include", "title", "", "0", "a.b",
)  # fmt: skip


def containers(at: Any) -> list[Any]:
    inside = at.values() if isinstance(at, dict) else at if isinstance(at, list) else ()
    found = [at] if isinstance(at, (dict, list)) else []
    for value in inside:
        found += containers(value)
    return found


def mutated(dice: random.Random) -> dict[str, Any]:
    tables = deepcopy(TABLES)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        at = dice.choice(containers(tables))
        value = deepcopy(dice.choice(VALUES))
        if isinstance(at, list):
            at[:] = dice.choice(([], [*at, value], [value], [*at, *at]))
        elif at and dice.random() < 0.2:
            del at[dice.choice(list(at))]
        else:
            key = dice.choice((dice.choice(list(at) or [""]), dice.choice(KEYS)))
            if isinstance(at.get(key), int) and dice.random() < 0.7:
                value = dice.randint(0, 12)
            if not (at is tables and key == "base"):  # a name of the constructor
                at[key] = value
    return tables


def built(tables: dict[str, Any], source: str) -> Scenario | ScenarioError:
    try:
        scenario = Scenario(source, **tables)
    except ScenarioError as error:
        return error
    assert len(scenario.hash) == 64
    whole = scenario.whole
    assert whole.ruleset.layout.check(whole.game(), whole.counts) == []
    return scenario


def test_mutated_scenarios_give_a_result_or_a_scenario_error() -> None:
    kept, refusals = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(1500):
            found = built(mutated(random.Random(seed)), f"seed {seed}")
            (refusals if isinstance(found, ScenarioError) else kept).append(found)
        for scenario in kept[:50]:
            result = cs.solve(scenario, engine="exact", max_states=20_000).to_dict()
            assert result["mass_defect"] < 1e-12
    assert len(kept) > 100
    assert len(refusals) > 800
    for error in refusals:
        assert all(fault.path and fault.message for fault in error.faults)
        assert "pydantic" not in str(error)
