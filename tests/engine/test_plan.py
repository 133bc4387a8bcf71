"""Plans of scenarios: which are made, and that their trials are those of the rules."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import chargesim as cs
from chargesim.engine.exact import solve
from chargesim.engine.plan import _FIRST_ROOM, make_plan
from chargesim.engine.sample import sample
from chargesim.parts import Part

SCENARIOS = Path(str(files("chargesim") / "data" / "scenarios"))
CASES = Path(__file__).parent.parent / "conformance"


@pytest.fixture
def large() -> Part:
    """A scenario with more chance nodes than there is room for at first."""
    scenario = cs.load(SCENARIOS / "killing_blow_arrows.toml")
    return scenario.replace(**{"unit.riders.models": 14, "unit.riders.width": 7}).whole


def test_a_large_tree_is_planned_and_its_trials_are_those_of_the_rules(large: Part) -> None:
    plan = make_plan(large)
    assert plan is not None
    assert plan.layout.by_node.size > _FIRST_ROOM
    planned, ruled = (sample(large, 20_000, seed=3, by_rules=rules) for rules in (False, True))
    assert np.array_equal(planned.states, ruled.states)
    assert np.array_equal(planned.weights, ruled.weights)


def test_a_plan_ends_where_the_exact_engine_does(large: Part) -> None:
    plan = make_plan(large)
    assert plan is not None
    assert {bytes(s) for s in plan.states} == {bytes(s) for s in solve(large).states}


def test_a_tree_above_the_limit_is_not_planned(large: Part) -> None:
    plan = make_plan(large)
    assert plan is not None
    nodes = plan.layout.by_node.size
    assert make_plan(large, nodes) is not None
    assert make_plan(large, nodes - 1) is None
    assert make_plan(large, 1) is None


def test_a_distance_judged_by_eye_is_planned_by_the_exact_thresholds_of_its_cells() -> None:
    part = cs.load(SCENARIOS / "by_eye.toml").whole
    planned, ruled = (sample(part, 200_000, seed=5, by_rules=rules) for rules in (False, True))
    assert make_plan(part) is not None
    assert np.array_equal(planned.states, ruled.states)
    assert np.array_equal(planned.weights, ruled.weights)


def test_what_is_certain_is_not_planned() -> None:
    tables = {"unit.handgunners.engaged": True}  # the fight against others is not played
    certain = cs.load(CASES / "01_hold.toml").replace(**tables).whole
    assert solve(certain).weights.tolist() == [1.0]
    assert make_plan(certain) is None
