"""Faults of form and of sense told together, but never one that hangs on the other."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from chargesim.data import scenarios
from chargesim.faults import ScenarioError
from chargesim.rulesets.wh6.scenario import SPANISH
from chargesim.scenario import Scenario

FILES = {name: tomllib.loads(Path(file).read_text("utf-8")) for name, file in scenarios().items()}
FOLDER = next(iter(scenarios().values())).parent
HEX, WH6 = FILES["stand_or_square"], FILES["boar_riders"]


def told(file: dict[str, Any], changes: dict[str, Any]) -> list[str]:
    """Paths of the faults of a file with values put at paths; of an unknown key ``+``, too."""
    file = deepcopy(file)
    for path, value in changes.items():
        at: Any = file
        *way, last = path.split(".")
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
        at[last] = value
    with pytest.raises(ScenarioError) as caught:
        Scenario(**file)
    return [fault.path for fault in caught.value.faults]


TOGETHER: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("of one unit", HEX, {"unit.dragoons.facing": 9, "unit.dragoons.hexes": [[50, 0], [50, -1]]}),
    ("of two units", HEX, {"unit.battalion.state": "x", "unit.dragoons.morale": 17}),
    ("of unit and charge", HEX, {"unit.battalion.leader": 3, "charge.0.targets": ["batalion"]}),
    ("of a switch", HEX, {"switches.fraction": "x", "unit.dragoons.morale": 17}),
    ("of a misspelt key", HEX, {"unit.battalion.formaton": "x", "unit.dragoons.morale": 17}),
    ("of a reaction", HEX, {"reaction.battalion": "flee", "map.default": "field"}),
    ("of an unknown key", WH6, {"unit.boars.colour": "x", "charge.0.target": "handgunner"}),
    ("of a profile", WH6, {"unit.boars.S": 11, "unit.handgunners.shooters": 99}),
    ("of a word", WH6, {"unit.boars.weapon": "x", "unit.handgunners.shooters": 99}),
]


@pytest.mark.parametrize(
    ("file", "changes"), [c[1:] for c in TOGETHER], ids=[c[0] for c in TOGETHER]
)
def test_both_are_told(file: dict[str, Any], changes: dict[str, Any]) -> None:
    assert set(told(file, changes)) == set(changes)


HANGING: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # whether the line lies across its facing hangs on the facing
    ("facing", HEX, {"unit.dragoons.facing": 9, "unit.dragoons.hexes": [[0, 0], [1, -1]]},
     "unit.dragoons.facing"),
    # whether it may charge hangs on the arm, and on the formation
    ("kind", HEX, {"unit.dragoons.kind": "cavalery"}, "unit.dragoons.kind"),
    ("formation", HEX, {"unit.dragoons.formation": "colum"}, "unit.dragoons.formation"),
    # whether 7 is a morale hangs on the dice
    ("dice", HEX, {"switches.morale_dice": "2d7", "unit.dragoons.morale": 7},
     "switches.morale_dice"),
    # no more shooters than models
    ("models", WH6, {"unit.handgunners.models": "ten", "unit.handgunners.shooters": 12},
     "unit.handgunners.models"),
    # what a misspelt key meant
    ("misspelt", HEX, {"unit.dragoons.knd": "infantry"}, "unit.dragoons.knd"),
    # nothing can stand in for the hexes
    ("hexes", HEX, {"unit.dragoons.hexes": "x", "unit.battalion.morale": 17},
     "unit.dragoons.hexes"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "changes", "only"), [c[1:] for c in HANGING], ids=[c[0] for c in HANGING]
)
def test_what_hangs_on_a_fault_of_form_waits(
    file: dict[str, Any], changes: dict[str, Any], only: str
) -> None:
    assert told(file, changes) == [only]


@pytest.mark.parametrize("name", FILES)
def test_a_sound_file_with_one_fault_of_form_has_one_fault(name: str) -> None:
    """Every scalar in turn made a thing of no sense: nothing else is told."""
    for path in _scalars(FILES[name], ""):
        if path in ("ruleset", "include"):
            continue
        way, _, last = path.rpartition(".")
        plain = f"{way}.{SPANISH.get(last, last)}"
        found = told_at(FILES[name], path)
        near = [one for one in found if f"{one}.".startswith((f"{path}.", f"{plain}.", f"{way}."))]
        assert found == near, (path, found)


def told_at(file: dict[str, Any], path: str) -> list[str]:
    """Paths of the faults of a file in which nonsense stands at a path."""
    file = deepcopy(file)
    at: Any = file
    *way, last = path.split(".")
    for key in way:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = {"non": "sense"}
    try:
        Scenario(base=FOLDER, **file)
    except ScenarioError as error:
        return [fault.path for fault in error.faults]
    return []


def _scalars(value: Any, path: str) -> list[str]:
    if isinstance(value, dict):
        return [p for key, one in value.items() for p in _scalars(one, f"{path}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [p for i, one in enumerate(value) for p in _scalars(one, f"{path}.{i}")]
    return [path]
