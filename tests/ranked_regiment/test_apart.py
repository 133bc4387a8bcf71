"""A battle in parts has the chances of the whole, and the luck of the same trials."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from ranked_regiment.build import battle, unit
from ranked_regiment.random_battles import random_battle

from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.sample import sample
from chargesim.engine.tally import Tally
from chargesim.report.result import solve as answer
from chargesim.scenario import Scenario


def cells(tallies: list[Tally]) -> dict[str, float]:
    """Chance of every word, flag and number."""
    found: Counter[str] = Counter()
    for tally in tallies:
        p = tally.probabilities
        for kind in ("charges", "combats", "units"):
            for name, view in getattr(tally.reading, kind).items():
                for code, word in view.words.items():
                    found[f"{kind}.{name}.{word}"] += float(p[view.codes == code].sum())
                for flag, mask in view.flags.items():
                    found[f"{kind}.{name}.{flag}"] += float(p[mask].sum())
                for quantity, told in view.quantities.items():
                    for value in np.unique(told.values):
                        mass = float(p[told.values == value].sum())
                        found[f"{kind}.{name}.{quantity}={int(value)}"] += mass
                found[f"{kind}.{name}:{view.labels}"] += 1
    return {key: p for key, p in found.items() if p > 0}


@pytest.mark.parametrize("seed", range(30))
def test_parts_have_the_chances_of_the_whole(seed: int) -> None:
    scenario = random_battle(seed, most=3)
    try:
        whole = cells([solve(scenario.whole, max_states=100_000)])
    except ExactLimitError:
        pytest.skip("too large as a whole")
    parts = cells([solve(part) for part in scenario.parts])
    assert set(parts) == set(whole)
    for key, p in whole.items():
        assert parts[key] == pytest.approx(p, abs=1e-12), key


@pytest.mark.parametrize("seed", [3, 7, 12, 21])
def test_parts_play_the_same_trials(seed: int) -> None:
    scenario = random_battle(seed, most=3)
    whole = cells([sample(scenario.whole, 3000, seed=seed)])
    assert cells([sample(part, 3000, seed=seed) for part in scenario.parts]) == pytest.approx(whole)


def lanes(count: int) -> Scenario:
    """So many fights far from each other."""
    units = {}
    for i in range(count):
        units[f"a{i}"] = unit("active", 40 * i, 0, 0, 5, 2, 12, models=20, width=5, skill=4)
        units[f"b{i}"] = unit("reactive", 40 * i, 10, 180, 5, 2, 12, models=20, width=5)
    return battle(units, charges=[(f"a{i}", f"b{i}") for i in range(count)])


def test_many_fights_are_exact() -> None:
    scenario = lanes(8)
    result = answer(scenario, engine="exact")
    assert result.probability("7:contact") == 1
    one = answer(lanes(1), engine="exact").probability("b0:target_broke")
    assert result.probability("b7:target_broke") == pytest.approx(one, abs=1e-12)
    assert len(scenario.parts) == 8


def turned(scenario: Scenario, way: str) -> Scenario:
    """The same battle seen in a mirror, or with the table turned by a right angle."""
    tables = scenario.tables
    width = tables.get("table", {}).get("width", 0)

    def moved(x: float, y: float) -> tuple[float, float]:
        return (width - x, y) if way == "mirror" else (y, -x)

    units = {}
    for name, told in tables["unit"].items():
        look = -told["facing"] if way == "mirror" else told["facing"] + 90
        units[name] = {**told, "at": moved(*told["at"]), "facing": look % 360}
    terrain = [
        {**piece, "polygon": [moved(*corner) for corner in piece["polygon"]]}
        for piece in tables["terrain"]
    ]
    return Scenario(**{**tables, "unit": units, "terrain": terrain})


@pytest.mark.parametrize("way", ["mirror", "turn"])
def test_a_battle_in_a_mirror_or_turned_has_the_same_chances(way: str) -> None:
    tried = 0
    for seed in range(60):
        scenario = random_battle(seed, most=3)
        if way == "turn" and "table" in scenario.tables:
            continue
        try:
            plain = cells([solve(part, max_states=50_000) for part in scenario.parts])
            other = cells([solve(part, max_states=50_000) for part in turned(scenario, way).parts])
        except ExactLimitError:
            continue
        if way == "mirror":
            sides = {"on_left": "on_right", "on_right": "on_left"}
            ends = {key: key.rpartition(".")[2] for key in other}
            other = {
                key.removesuffix(ends[key]) + sides.get(ends[key], ends[key]): p
                for key, p in other.items()
            }
        assert other == pytest.approx(plain, abs=1e-9), seed
        tried += 1
    assert tried > 15
