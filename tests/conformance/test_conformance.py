"""The worked examples of the specification, exact and sampled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.engine.tally import Tally
from chargesim.scenario import Scenario, load

HERE = Path(__file__).parent
EXAMPLES = sorted(path.stem for path in HERE.glob("*.toml"))
NUMBERS = ("shooting_casualties", "flee_distance", "impact_hits", "impact_wounds")
TRIALS = 400_000
MOST_CELLS = 100
CHANCE_OF_FALSE_ALARM = 1e-6
Cells = dict[tuple[str, str], float]


def expected_cells(charge: dict[str, Any]) -> Cells:
    """Chances that an example states; an empty distribution is a certain 0, or never a flight."""
    cells: Cells = {("outcome", w): cell["p"] for w, cell in charge["outcome"].items()}
    for name in NUMBERS:
        certain = {} if name == "flee_distance" else {"0": 1.0}
        cells |= {(name, value): p for value, p in (charge[name] or certain).items()}
    cells["needs_sixes", ""] = charge["needs_sixes"]
    return cells


def cells_of(scenario: Scenario, tally: Tally, place: int) -> Cells:
    """The same cells of a tally, as probabilities or frequencies."""
    games = tally.games(scenario)
    reading = scenario.ruleset.read(games, scenario.unit_names, scenario.charges)
    view = reading.charges[place]
    cells: Cells = {}

    def add(name: str, value: str, p: float) -> None:
        cells[name, value] = cells.get((name, value), 0.0) + p

    for state, p in enumerate(tally.probabilities.tolist()):
        add("outcome", view.words[int(view.codes[state])], p)
        add("needs_sixes", "", p if view.flags["needs_sixes"][state] else 0.0)
        for name in NUMBERS:
            quantity = view.quantities[name]
            value = int(quantity.values[state])
            if quantity.always or value >= 0:
                add(name, str(value), p)
    return cells


def example(name: str) -> tuple[Scenario, list[dict[str, Any]]]:
    """An example's scenario and what it expects of each charge."""
    text = (HERE / f"{name}.expected.json").read_text(encoding="utf-8")
    charges: list[dict[str, Any]] = json.loads(text)["charges"]
    scenario = load(HERE / f"{name}.toml")
    assert scenario.charges == len(charges)
    return scenario, charges


def test_there_are_examples() -> None:
    """Every example has its expectation, and there are enough of them."""
    assert len(EXAMPLES) >= 12
    stated = sorted(path.name.removesuffix(".expected.json") for path in HERE.glob("*.json"))
    assert stated == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_exact(name: str) -> None:
    """Each stated chance to 1e-9; what is not stated is impossible."""
    scenario, charges = example(name)
    tally = solve(scenario)
    for place, charge in enumerate(charges):
        labels = scenario.ruleset.read(
            tally.games(scenario), scenario.unit_names, scenario.charges
        ).charges[place].labels  # fmt: skip
        assert (labels["charger"], labels["target"]) == (charge["charger"], charge["target"])
        expected, found = expected_cells(charge), cells_of(scenario, tally, place)
        for cell in {**expected, **found}:
            assert found.get(cell, 0.0) == pytest.approx(expected.get(cell, 0.0), abs=1e-9), cell


@pytest.mark.parametrize("name", EXAMPLES)
def test_sampled(name: str) -> None:
    """Each frequency within its error, all cells of all examples together at 1e-6."""
    scenario, charges = example(name)
    tally = sample(scenario, TRIALS, seed=7)
    assert int(tally.weights.sum()) == TRIALS
    bound = CHANCE_OF_FALSE_ALARM / (len(EXAMPLES) * MOST_CELLS)
    for place, charge in enumerate(charges):
        expected, found = expected_cells(charge), cells_of(scenario, tally, place)
        assert len({**expected, **found}) <= MOST_CELLS
        for cell in {**expected, **found}:
            p = expected.get(cell, 0.0)
            p = 1.0 if p > 1 - 1e-12 else p
            count = round(found.get(cell, 0.0) * TRIALS)
            assert binomial_test(count, TRIALS, p) >= bound, (cell, p, count / TRIALS)
