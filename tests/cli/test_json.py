"""Answers as JSON: the schema, the contract, numbers as they are."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli.files import FILES, PHASE, SHOOT, Run

import chargesim as cs

FIELDS = {
    "chargesim", "schema", "ruleset", "ruleset_version", "title", "engine", "trials", "seed",
    "scenario_hash", "rules_hash", "switches", "charges", "combats", "units", "notes",
    "alternatives", "mass_defect",
}  # fmt: skip
CHARGE = {
    "charger", "target", "reaction", "outcome", "shooting_casualties", "flee_distance",
    "impact_hits", "impact_wounds", "needs_sixes",
}  # fmt: skip
WORDS = {
    "contact", "out_of_reach", "refused_fear", "charger_fled_terror", "charger_fled_panic",
    "charger_destroyed", "target_fled_escaped", "target_fled_caught", "target_fled_off_table",
    "redirected_contact", "blocked",
}  # fmt: skip
COMBAT = {
    "target", "chargers", "outcome", "combat_result", "active_wounds", "reactive_wounds",
}  # fmt: skip
ENDS = {
    "no_combat", "draw", "target_wiped_out", "target_broke_caught", "target_broke_escaped",
    "target_held", "charger_wiped_out", "charger_broke_caught", "charger_broke_escaped",
    "charger_held",
}  # fmt: skip
STATES = {
    "steady", "fighting", "pursuing", "overran", "fleeing", "fled_off_table", "destroyed",
}  # fmt: skip


def is_sound(outcome: dict[str, dict[str, float]], words: set[str], engine: str) -> None:
    assert set(outcome) <= words
    assert sum(e["p"] for e in outcome.values()) == pytest.approx(1, abs=1e-12)
    for e in outcome.values():
        assert e["low"] <= e["p"] <= e["high"]
        assert (e["low"] == e["p"] == e["high"]) == (engine == "exact")


def adds_up(spread: dict[str, float], mass: float = 1.0) -> None:
    assert sum(spread.values()) == pytest.approx(mass, abs=1e-12)


@pytest.mark.parametrize("engine", ["exact", "sample"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_json_is_what_the_schema_and_the_contract_say(file: Path, engine: str, run: Run) -> None:
    out = run(
        "run", str(file), "--engine", engine, "--trials", "2000", "--format", "json", "--seed", "3"
    )
    found = json.loads(out)
    schema = json.loads(run("schema", "result"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(found)
    assert set(found) == FIELDS
    assert found["chargesim"] == cs.__version__
    assert found["engine"] == engine
    assert (found["trials"], found["seed"]) == ((None, None) if engine == "exact" else (2000, 3))
    assert found["mass_defect"] < 1e-12
    for charge in found["charges"]:
        assert set(charge) - {"redirect", "compulsory"} == CHARGE
        is_sound(charge["outcome"], WORDS, engine)
        adds_up(charge["shooting_casualties"])
        for name in ("impact_hits", "impact_wounds"):
            assert charge[name] != {"0": 1.0}  # {} says so
            adds_up(charge[name] or {"0": 1.0})
        assert sum(charge["flee_distance"].values()) <= 1 + 1e-12
    # one for every charged target, and for those of redirected charges
    charges = found["charges"]
    again = [new for charge in charges for new in charge.get("redirect", ())]
    targets = dict.fromkeys(charge["target"] for charge in (*charges, *again))
    assert [combat["target"] for combat in found["combats"]] == list(targets)
    for combat in found["combats"]:
        assert set(combat) == COMBAT
        is_sound(combat["outcome"], ENDS, engine)
        adds_up(combat["combat_result"], 1 - combat["outcome"].get("no_combat", {"p": 0})["p"])
        adds_up(combat["active_wounds"])
        adds_up(combat["reactive_wounds"])
    for unit in found["units"].values():
        assert {"models_left", "wounds_left", "state"} <= set(unit)
        assert set(unit["state"]) <= STATES
        adds_up(unit["state"])
        adds_up(unit["models_left"])


def test_the_schema_of_results_refuses_what_it_does_not_know(run: Run) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(run("schema", "result")))
    found = json.loads(run("run", PHASE, "--format", "json"))
    validator.validate(found)
    wrong: list[Callable[[dict[str, Any]], Any]] = [
        lambda result: result["combats"][0].pop("combat_result"),
        lambda result: result["combats"][0].update(chargers="orc"),
        lambda result: result["combats"][0]["combat_result"].update(draw=0.5),
        lambda result: result["charges"][1]["redirect"][0].pop("outcome"),
        lambda result: result["charges"][0].update(outcomes={}),
        lambda result: result["alternatives"].append({"unit": "orc", "choice": "hold"}),
        lambda result: result["notes"].append({"unit": "orc", "rule": "WH6-CHG-01"}),
    ]
    for spoil in wrong:
        spoilt = json.loads(json.dumps(found))
        spoil(spoilt)
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(spoilt)


def test_json_numbers_are_not_rounded(run: Run) -> None:
    found = json.loads(run("run", SHOOT, "--format", "json"))
    # 10 shots of 1/3 x 1/2 x 2/3 = 1/9; two to four of five lost: Panic on 7, failed by 15 in 36
    lost = [math.comb(10, k) * 8 ** (10 - k) / 9**10 for k in range(11)]
    outcome = found["charges"][0]["outcome"]
    assert math.isclose(outcome["charger_destroyed"]["p"], sum(lost[5:]), rel_tol=1e-12)
    assert math.isclose(outcome["charger_fled_panic"]["p"], sum(lost[2:5]) * 5 / 12, rel_tol=1e-12)


def test_schema_of_a_scenario_accepts_the_shipped_ones(run: Run) -> None:
    import tomllib

    schema = json.loads(run("schema", "scenario"))
    validator = jsonschema.Draft202012Validator(schema)
    for file in FILES:
        validator.validate(tomllib.loads(file.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"ruleset": "wh6", "unit": {}, "charge": [], "chrge": 1})
