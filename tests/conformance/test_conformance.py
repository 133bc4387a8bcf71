"""Worked examples with the numbers they must give, exact and sampled.

The first twelve are those of the specification and speak of the charge. Of those named ``own_`` the
numbers are worked out in ``tests/oracles/work_cases.py`` without the package; they speak of the
combat and of the units as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from oracles.work_cases import ALL, text_of

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.engine.tally import Tally
from chargesim.rulesets import View
from chargesim.scenario import Scenario, load

HERE = Path(__file__).parent
EXAMPLES = sorted(path.stem for path in HERE.glob("*.toml"))
NUMBERS = {
    "charges": ("shooting_casualties", "flee_distance", "impact_hits", "impact_wounds"),
    "combats": ("combat_result", "active_wounds", "reactive_wounds"),
    "units": ("models_left", "wounds_left", "flee_distance"),
}
NEVER = ("flee_distance", "combat_result")
"""Numbers of which an empty distribution means that they never arise; of others, a certain 0."""
WORD = {"charges": "outcome", "combats": "outcome", "units": "state"}
NAMES = {"charges": ("charger", "target"), "combats": ("target", "chargers")}
TRIALS = 400_000
MOST_CELLS = 1_000
CHANCE_OF_FALSE_ALARM = 1e-6
Cells = dict[tuple[str, ...], float]


def expected_cells(kind: str, place: str, stated: dict[str, Any]) -> Cells:
    """Chances that an example states of one charge, combat or unit."""
    word = WORD[kind]
    cells: Cells = {
        (kind, place, word, name): cell["p"] if isinstance(cell, dict) else cell
        for name, cell in stated.get(word, {}).items()
    }
    for name in NUMBERS[kind]:
        if name in stated:
            certain = {} if name in NEVER else {"0": 1.0}
            cells |= {
                (kind, place, name, value): p for value, p in (stated[name] or certain).items()
            }
    if "needs_sixes" in stated:
        cells[kind, place, "needs_sixes", ""] = stated["needs_sixes"]
    return cells


def found_cells(
    kind: str, place: str, view: View, stated: dict[str, Any], chances: list[float]
) -> Cells:
    """The same cells of a tally, as probabilities or frequencies; only of what is stated."""
    cells: Cells = {}

    def add(name: str, value: str, p: float) -> None:
        cells[kind, place, name, value] = cells.get((kind, place, name, value), 0.0) + p

    numbers = [name for name in NUMBERS[kind] if name in stated]
    for state, p in enumerate(chances):
        if WORD[kind] in stated:
            add(WORD[kind], view.words[int(view.codes[state])], p)
        if "needs_sixes" in stated:
            add("needs_sixes", "", p if view.flags["needs_sixes"][state] else 0.0)
        for name in numbers:
            quantity = view.quantities[name]
            if quantity.arises is None or quantity.arises[state]:
                add(name, str(int(quantity.values[state])), p)
    return cells


def compared(scenario: Scenario, tally: Tally, stated: dict[str, Any]) -> dict[Any, Any]:
    """What is stated and what was found in each cell."""
    reading = scenario.whole.read(tally.states)
    chances = tally.probabilities.tolist()
    assert len(reading.charges) == len(stated["charges"])
    expected: Cells = {}
    found: Cells = {}
    parts = [
        *(("charges", str(i), reading.charges[i], c) for i, c in enumerate(stated["charges"])),
        *(
            ("combats", c["target"], reading.combats[c["target"]], c)
            for c in stated.get("combats", ())
        ),
        *(("units", name, reading.units[name], c) for name, c in stated.get("units", {}).items()),
    ]
    for kind, place, view, said in parts:
        for label in NAMES.get(kind, ()):
            assert view.labels[label] == said[label]
        expected |= expected_cells(kind, place, said)
        found |= found_cells(kind, place, view, said, chances)
    return {cell: (expected.get(cell, 0.0), found.get(cell, 0.0)) for cell in {**expected, **found}}


def example(name: str) -> tuple[Scenario, dict[str, Any]]:
    """An example's scenario and what it must give."""
    text = (HERE / f"{name}.expected.json").read_text(encoding="utf-8")
    stated: dict[str, Any] = json.loads(text)
    return load(HERE / f"{name}.toml"), stated


def test_there_are_examples() -> None:
    """Every example has its expectation, and there are enough of them."""
    assert len(EXAMPLES) >= 12
    stated = sorted(path.name.removesuffix(".expected.json") for path in HERE.glob("*.json"))
    assert stated == EXAMPLES
    assert [name for name in EXAMPLES if name.startswith("own_")] == sorted(ALL)


@pytest.mark.parametrize("name", ALL)
def test_own_numbers_are_those_that_were_worked_out(name: str) -> None:
    """The files of expectations are what the script writes."""
    assert (HERE / f"{name}.expected.json").read_text(encoding="utf-8") == text_of(name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_exact(name: str) -> None:
    """Each stated chance to 1e-9; what is not stated is impossible."""
    scenario, stated = example(name)
    for cell, (expected, found) in compared(scenario, solve(scenario.whole), stated).items():
        assert found == pytest.approx(expected, abs=1e-9), cell


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("own_")])
def test_the_parts_say_the_same(name: str) -> None:
    """Every charge and combat is whole in one part, and says there what it says of the game."""
    scenario, stated = example(name)
    found: dict[Any, float] = {}
    for part in scenario.parts:
        tally = solve(part)
        reading = part.read(tally.states)
        chances = tally.probabilities.tolist()
        for number, view in reading.charges.items():
            said = stated["charges"][number]
            found |= found_cells("charges", str(number), view, said, chances)
        for said in stated.get("combats", ()):
            if said["target"] in reading.combats:
                view = reading.combats[said["target"]]
                found |= found_cells("combats", said["target"], view, said, chances)
        for unit, said in stated.get("units", {}).items():
            if unit in reading.units:
                found |= found_cells("units", unit, reading.units[unit], said, chances)
    whole = compared(scenario, solve(scenario.whole), stated)
    for cell, (expected, _) in whole.items():
        assert found.get(cell, 0.0) == pytest.approx(expected, abs=1e-9), cell


@pytest.mark.parametrize("name", EXAMPLES)
def test_sampled(name: str) -> None:
    """Each frequency within its error, all cells of all examples together at 1e-6."""
    scenario, stated = example(name)
    tally = sample(scenario.whole, TRIALS, seed=7)
    assert int(tally.weights.sum()) == TRIALS
    bound = CHANCE_OF_FALSE_ALARM / (len(EXAMPLES) * MOST_CELLS)
    cells = compared(scenario, tally, stated)
    assert len(cells) <= MOST_CELLS
    for cell, (expected, found) in cells.items():
        p = 1.0 if expected > 1 - 1e-12 else expected
        assert binomial_test(round(found * TRIALS), TRIALS, p) >= bound, (cell, p, found)
