"""Scenarios from Python: files and dictionaries, copies with changes, and what the hash is of."""

from __future__ import annotations

import math
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import chargesim as cs
from chargesim.faults import ScenarioError

SHOOT = Path(__file__).parent / "conformance" / "02_stand_and_shoot_panic.toml"
TABLES = tomllib.loads(SHOOT.read_text(encoding="utf-8"))
# by hand: of ten shots each kills one of five on 1/9; two to four lost: Panic, failed by 15 of 36
LOST = [math.comb(10, k) * 8 ** (10 - k) / 9**10 for k in range(11)]
CONTACT = 1 - sum(LOST[2:5]) * 15 / 36 - sum(LOST[5:])
near = pytest.approx


def test_a_dictionary_is_as_good_as_a_file() -> None:
    scenario = cs.Scenario(**TABLES)
    assert scenario.hash == cs.load(SHOOT).hash
    assert scenario.title == TABLES["title"]
    assert cs.load(str(SHOOT)).hash == scenario.hash
    before = deepcopy(TABLES)
    assert cs.solve(scenario).probability("contact") == near(CONTACT)
    assert before == TABLES


def test_the_title_is_the_files_name_where_there_is_none(tmp_path: Path) -> None:
    text = "\n".join(
        line
        for line in SHOOT.read_text(encoding="utf-8").splitlines()
        if not line.startswith("title")
    )
    file = tmp_path / "untitled.toml"
    file.write_text(text, encoding="utf-8")
    assert cs.load(file).title == "untitled"


SAME: list[dict[str, Any]] = [
    {"title": "Another"},
    {"units": "cm"},
    {"switches.panic_engaged": True},
    {"switches.charger_test": "after_reaction"},
    {"charge.0.arc": "front"},
    {"charge.0.distance": 20.0},
    {"unit.boars.base": 25},
    {"unit.boars.width": 5},
    {"unit.boars.unit_strength": 2},
    {"unit.boars.weapon": "hand_weapon"},
    {"unit.boars.rules": []},
]
OTHER: list[dict[str, Any]] = [
    {"switches.panic_engaged": False},
    {"switches.charger_test": "before_reaction"},
    {"units": "inch"},
    {"charge.0.distance": 20.01},
    {"charge.0.arc": "flank"},
    {"unit.boars.Ld": 8},
    {"unit.boars.rules": ["fear"]},
    {"reaction.handgunners": "hold"},
]


@pytest.mark.parametrize("changes", SAME, ids=str)
def test_defaults_written_out_and_titles_do_not_change_the_hash(changes: dict[str, Any]) -> None:
    assert cs.load(SHOOT).replace(**changes).hash == cs.load(SHOOT).hash


def test_what_may_change_a_result_changes_the_hash() -> None:
    scenario = cs.load(SHOOT)
    hashes = {scenario.hash, *(scenario.replace(**changes).hash for changes in OTHER)}
    assert len(hashes) == 1 + len(OTHER)
    assert all(len(h) == 64 and set(h) <= set("0123456789abcdef") for h in hashes)


def test_the_order_of_rules_does_not_change_the_hash() -> None:
    rules = (["fear", "frenzy"], ["frenzy", "fear"], ["fear", "frenzy", "fear"])
    assert len({cs.load(SHOOT).replace(**{"unit.boars.rules": r}).hash for r in rules}) == 1


def test_spanish_statistics_are_the_same_scenario() -> None:
    spanish = {"WS": "HA", "BS": "HP", "S": "F", "T": "R", "W": "H", "Ld": "L"}
    tables = deepcopy(TABLES)
    tables["unit"]["boars"] = {spanish.get(k, k): v for k, v in TABLES["unit"]["boars"].items()}
    assert cs.Scenario(**tables).hash == cs.load(SHOOT).hash


def test_replace_changes_a_copy() -> None:
    scenario = cs.load(SHOOT)
    far = scenario.replace(**{"charge.0.distance": 90, "unit.boars.Ld": 8})
    # 90 cm is long range: 6+ to hit, 1/18 a shot; Panic on 8 is failed by 10 of 36
    lost = [math.comb(10, k) * 17 ** (10 - k) / 18**10 for k in range(11)]
    panic = sum(lost[2:5]) * 10 / 36
    assert cs.solve(far).probability("out_of_reach") == near(1 - panic - sum(lost[5:]), rel=1e-12)
    assert cs.solve(scenario).probability("contact") == near(CONTACT)
    near_again = far.replace(**{"charge.0.distance": 20, "unit.boars.Ld": 7})
    assert near_again.hash == scenario.hash
    with pytest.raises(ScenarioError, match=r"charge\.0\.distance: -1 is too small"):
        scenario.replace(**{"charge.0.distance": -1})
