"""Exact and sampled, by plan and by rules, told and counted: one rule text, the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hex_increment.build import charge, column, line
from hex_increment.test_properties import CHARGES
from hex_increment.test_vectors import first_example

import chargesim as cs
from chargesim.data import scenarios
from chargesim.engine.exact import solve, solve_fractions
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.report.trace import told
from chargesim.scenario import Scenario

TRIALS = 100_000
CHANCE_OF_FALSE_ALARM = 1e-6
FILES: list[dict[str, Any]] = [first_example(), column(3), line(3), *CHARGES[:12]]


@pytest.mark.parametrize("file", FILES)
def test_exact_and_sampled_agree(file: dict[str, Any]) -> None:
    for part in Scenario(**file).parts:
        exact, seen = solve(part), sample(part, TRIALS, seed=5, threads=1)
        assert exact.mass_defect < 1e-12
        chances = {state.tobytes(): p for state, p in zip(exact.states, exact.weights, strict=True)}
        limit = CHANCE_OF_FALSE_ALARM / (len(chances) * len(FILES))
        for state, count in zip(seen.states, seen.weights, strict=True):
            assert binomial_test(int(count), TRIALS, chances[state.tobytes()]) > limit


@pytest.mark.parametrize("file", FILES[:6])
def test_the_plan_plays_the_trials_of_the_rules(file: dict[str, Any]) -> None:
    for part in Scenario(**file).parts:
        by_plan = sample(part, 20_000, seed=3, threads=1)
        by_rules = sample(part, 20_000, seed=3, threads=2, by_rules=True)
        np.testing.assert_array_equal(by_plan.states, by_rules.states)
        np.testing.assert_array_equal(by_plan.weights, by_rules.weights)


@pytest.mark.parametrize("file", FILES[:8])
def test_fractions_and_floats_agree(file: dict[str, Any]) -> None:
    for part in Scenario(**file).parts:
        floats, fractions = solve(part), solve_fractions(part)
        np.testing.assert_array_equal(floats.states, fractions.states)
        np.testing.assert_allclose(floats.weights, fractions.weights, rtol=1e-12)


@pytest.mark.parametrize("file", FILES[:10])
def test_parts_and_the_whole_agree(file: dict[str, Any]) -> None:
    scenario = Scenario(**file)
    whole = scenario.whole
    reading = whole.read(solve(whole).states)
    assert list(reading.units) == list(scenario.unit_names)


def test_charges_stand_apart() -> None:
    file = charge()
    file["unit"]["hussars"] = {**file["unit"]["cav"], "hexes": [[-6, 6]]}
    file["unit"]["guns"] = {**file["unit"]["inf"], "kind": "artillery", "hexes": [[-3, 6]]}
    file["unit"]["idle"] = {**file["unit"]["inf"], "hexes": [[9, -9]]}
    file["charge"].append({"charger": "hussars", "targets": ["guns"]})
    scenario = Scenario(**file)
    assert [part.units for part in scenario.parts] == [("cav", "inf"), ("hussars", "guns", "idle")]
    alone = solve(Scenario(**charge()).parts[0])
    np.testing.assert_array_equal(alone.weights, solve(scenario.parts[0]).weights)
    # the luck of a unit is named by its place in the file, whatever else happens
    assert cs.solve(scenario).to_dict()["charges"][1]["charger"] == "hussars"


def test_best_compares_stand_square_and_retire() -> None:
    file = charge(
        infantry={"hexes": [[5, 0]], "can_retire": 0.5},
        reaction={"inf": "best"},
        goal={"reactive": "inf:target_stood+target_retired"},
    )
    result = cs.solve(Scenario(**file))
    values = {a["choice"]: a["value"] for a in result.alternatives}
    assert list(values) == [
        "stand", "square at 1", "square at 2", "square at 3", "square at 4", "retire",
    ]  # fmt: skip
    chosen = [a["choice"] for a in result.alternatives if a["chosen"]]
    assert chosen == [max(values, key=values.__getitem__)]
    assert values["square at 4"] == pytest.approx(1 - 415 / 1944)
    assert values["stand"] == pytest.approx(11 / 36)


def test_a_square_by_its_distance_in_a_table() -> None:
    """The made-up table: 11-56, 11-46, 11-34 and 11-24, so 30, 24, 16 and 10 faces of 36."""
    scenario = Scenario(**charge(infantry={"hexes": [[5, 0]]}))
    words = [f"square at {at}" for at in (4, 3, 2, 1)]
    found = cs.table(scenario, rows={"reaction.inf": words}, value="inf:forms_square>=1")
    assert found.iloc[:, 0].tolist() == pytest.approx([30 / 36, 24 / 36, 16 / 36, 10 / 36])
    for at, word in zip((4, 3, 2, 1), words, strict=True):
        other = scenario.replace(**{"reaction.inf": {"do": "square", "at": at}})
        one = scenario.replace(**{"reaction.inf": word})
        assert one.model.wish("inf") == other.model.wish("inf") == ("square", at)
        assert cs.solve(one).probability("pursues") == cs.solve(other).probability("pursues")


def test_best_without_a_goal_is_by_swing() -> None:
    file = charge(infantry={"hexes": [[5, 0]]}, reaction={"inf": "best"})
    result = cs.solve(Scenario(**file))
    assert [a["choice"] for a in result.alternatives if a["chosen"]] == ["square at 4"]


def test_the_python_interface() -> None:
    result = cs.solve(Scenario(**charge()))
    assert result.probability("targets_broke") == 0.5
    assert result.probability("inf:target_broke*") == 0.5
    assert result.probability("pursues") == pytest.approx(7 / 36)
    assert result.mean("charger_recoil") > 0
    found = result.to_dict()
    assert found["ruleset"] == "hex_increment"
    assert sum(one["p"] for one in found["charges"][0]["outcome"].values()) == pytest.approx(1)
    assert found["units"]["cav"]["state"]["good"] > 0
    assert any("ILLUSTRATIVE" in note["text"] for note in found["notes"])
    assert found["switches"]["square_divisor"] == 3


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("file", FILES)
def test_every_trial_can_be_told(file: dict[str, Any], lang: str) -> None:
    for trial in range(12):
        lines = told(Scenario(**file), seed=2, trial=trial, lang=lang)
        assert lines[0].level == 0
        for line_told in lines:
            assert line_told.rule.startswith("HEX-")
            assert "{" not in line_told.text


def test_luck_belongs_to_its_place() -> None:
    """A change that does not concern a stack leaves its dice alone."""
    scenarios = [Scenario(**line(2)), Scenario(**line(2, reaction={"s1": "square"}))]
    for trial in range(40):
        dice = [
            [one.dice for one in told(s, trial=trial) if one.unit == "s2" and "D66" in one.dice]
            for s in scenarios
        ]
        assert dice[0][:1] == dice[1][:1]


def test_what_the_shipped_scenarios_say_is_true() -> None:
    waves = cs.load(scenarios()["three_waves"])
    result = cs.solve(waves)
    assert [a["choice"] for a in result.alternatives if a["chosen"]] == ["square at 4"]
    assert 1 - result.probability("infantry:target_stood") == pytest.approx(0.15, abs=0.005)
    standing = cs.solve(waves.replace(**{"reaction.infantry": "stand"}))
    assert 1 - standing.probability("infantry:target_stood") == pytest.approx(0.75, abs=0.005)
    battalion = cs.solve(cs.load(scenarios()["stand_or_square"]))
    values = {a["choice"]: a["value"] for a in battalion.alternatives}
    assert values["stand"] == pytest.approx(0.51, abs=0.005)
    assert values["square at 4"] == pytest.approx(0.87, abs=0.005)
    assert values["square at 1"] == pytest.approx(0.49, abs=0.005)
    assert [a["choice"] for a in battalion.alternatives if a["chosen"]] == ["square at 4"]
    line_up = cs.load(scenarios()["three_in_line"]).replace(**{"reaction.infantry": "stand"})
    assert 1 - cs.solve(line_up).probability("infantry:target_stood") == pytest.approx(25 / 36)
    assert standing.probability("charger_routed") == pytest.approx(0.09, abs=0.005)
    turned = cs.load(scenarios()["charged_in_turn"])
    alone = Scenario(**{**turned.tables, "charge": turned.tables["charge"][:1]})
    for scenario, stood, routs in ((turned, 0.43, 0.35), (alone, 0.31, 0.0)):
        found = cs.solve(scenario)
        assert found.probability("battalion:target_stood") == pytest.approx(stood, abs=0.005)
        assert found.probability("charger_routed") == pytest.approx(routs, abs=0.005)
    lancers = cs.load(scenarios()["worth_consolidating"])
    hit = "column:target_disordered+target_broke*"
    broad = cs.solve(lancers.replace(**{"charge.0.changes": []})).probability(hit)
    assert broad == pytest.approx(0.41, abs=0.005)
    for morale, better in ((16, True), (24, True), (25, False), (36, False)):
        narrow = cs.solve(lancers.replace(**{"unit.lancers.morale": morale})).probability(hit)
        assert (narrow > broad) == better
    assert cs.solve(lancers).probability(hit) == pytest.approx(0.47, abs=0.005)
    stacks = cs.solve(cs.load(scenarios()["line_on_three_stacks"]))
    assert stacks.probability("skirmishers:target_retired") == 1
    assert stacks.probability("pursues") < 0.05
