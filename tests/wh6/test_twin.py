"""Random charges: the engines against the naive twin, each other, and themselves."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from wh6.random_scenarios import MISSILES, RULES, SWITCHES, TARGETS, WEAPONS, random_scenario

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.engine.tally import Tally, merge
from chargesim.rulesets.wh6.state import Reaction, UnitState, Word
from chargesim.scenario import Scenario

SEED = 6_2004
SCENARIOS = 300
TRIALS = 1_500
SAMPLED = range(0, SCENARIOS, 15)
SAMPLE_TRIALS = 200_000
CHANCE_OF_FALSE_ALARM = 1e-6
Cells = dict[str, Counter[Any]]


@cache
def load_twin() -> ModuleType:
    """The naive twin, from its file."""
    path = Path(__file__).parent.parent / "oracles" / "naive_wh6.py"
    spec = importlib.util.spec_from_file_location("naive_wh6_twin", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def scenario_tables(number: int) -> dict[str, Any]:
    """Tables of random scenario ``number``."""
    return random_scenario(random.Random(SEED * 1_000 + number))


class Dice(random.Random):
    """A generator whose dice are quick: its uniforms have 53 bits, so a face is fair to 1e-15."""

    def randint(self, a: int, b: int) -> int:
        """One face, ``a`` to ``b``."""
        return a + int(self.random() * (b - a + 1))


def twin_cells(tables: dict[str, Any], number: int, trials: int) -> Cells:
    """What the twin saw, by quantity."""
    twin = load_twin()
    rng = Dice(SEED + number)
    cells: Cells = {}

    def count(name: str, value: Any) -> None:
        cells.setdefault(name, Counter())[value] += 1

    for _ in range(trials):
        end = twin.simulate(tables, rng)
        count("word", end["word"])
        for name in ("shooting_casualties", "impact_hits", "impact_wounds", "needs_sixes"):
            count(name, end[name])
        count("flee_distance", end["flee_distance"] or 0)
        count("charger_flee_distance", end["charger_flee_distance"] or 0)
        for who in ("charger", "target"):
            for name in ("state", "models_left", "wounds_left"):
                count(f"{who}.{name}", end[who][name])
        count("reaction", end["reaction"])
        joint = (end["word"], end["charger"]["models_left"], end["target"]["models_left"])
        count("joint", (*joint, end["needs_sixes"], end["reaction"]))
    return cells


def engine_cells(scenario: Scenario, tally: Tally) -> Cells:
    """Weights of the same quantities in the end states of an engine."""
    games = tally.games(scenario)
    charge = games["charges"][:, 0]
    cells: Cells = {}
    a, b = (games["units"][:, scenario.unit_names.index(name)] for name in ("a", "b"))
    words = [Word(int(w)).name.lower() for w in charge["word"]]
    sixes = [bool(s) for s in charge["sixes"]]
    reactions = [Reaction(int(r)).name.lower() for r in charge["reaction"]]
    columns: dict[str, list[Any]] = {
        "word": words,
        "shooting_casualties": charge["shot_down"].tolist(),
        "impact_hits": charge["impact_hits"].tolist(),
        "impact_wounds": charge["impact_wounds"].tolist(),
        "needs_sixes": sixes,
        "flee_distance": b["flight"].tolist(),
        "charger_flee_distance": a["flight"].tolist(),
        "reaction": reactions,
    }
    for who, unit in (("charger", a), ("target", b)):
        left = unit["start"].astype(int) * unit["w"] - unit["damage"]
        columns[f"{who}.state"] = [UnitState(int(s)).name.lower() for s in unit["state"]]
        columns[f"{who}.models_left"] = unit["models"].tolist()
        columns[f"{who}.wounds_left"] = np.where(unit["models"] > 0, left, 0).tolist()
    joint = zip(words, a["models"].tolist(), b["models"].tolist(), sixes, reactions, strict=True)
    columns["joint"] = list(joint)
    for name, values in columns.items():
        cells[name] = Counter()
        for value, weight in zip(values, tally.weights.tolist(), strict=True):
            cells[name][value] += weight
    return cells


def disagreements(exact: Cells, seen: Cells, trials: int, families: int) -> list[str]:
    """Cells whose frequency is no fair sample of their probability, family-wise."""
    pairs = [
        (name, value) for name in exact for value in sorted({*exact[name], *seen[name]}, key=repr)
    ]
    bound = CHANCE_OF_FALSE_ALARM / families / len(pairs)
    found = []
    for name, value in pairs:
        p, count = min(exact[name][value], 1.0), seen[name][value]
        if 1.0 - p < 1e-12:
            p = 1.0
        if (count - trials * p) ** 2 <= 9 * trials * p * (1 - p):
            continue  # within three standard deviations: no need to be exact
        if binomial_test(count, trials, p) < bound:
            found.append(f"{name} = {value!r}: exact {p:.6f}, seen {count} of {trials}")
    return found


@pytest.mark.parametrize("number", range(SCENARIOS))
def test_exact_agrees_with_the_twin(number: int) -> None:
    """Every quantity's exact distribution explains what the twin saw."""
    tables = scenario_tables(number)
    scenario = Scenario(**tables)
    tally = solve(scenario)
    assert tally.mass_defect < 1e-12
    found = disagreements(
        engine_cells(scenario, tally), twin_cells(tables, number, TRIALS), TRIALS, SCENARIOS
    )
    assert not found, "\n".join([*found, json.dumps(tables, indent=1)])


@pytest.mark.parametrize("number", SAMPLED)
def test_sampled_agrees_with_exact(number: int) -> None:
    """The sampler plays the probabilities that the exact engine gives, joint cells included."""
    scenario = Scenario(**scenario_tables(number))
    exact = engine_cells(scenario, solve(scenario))
    played = sample(scenario, SAMPLE_TRIALS, seed=number)
    assert played.weights.sum() == SAMPLE_TRIALS
    seen = engine_cells(scenario, played)
    assert not disagreements(exact, seen, SAMPLE_TRIALS, len(SAMPLED))


def test_the_generator_reaches_every_word_and_rule() -> None:
    """Enough of the random scenarios turn on each word, troop, rule, missile and switch."""
    chances: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for number in range(SCENARIOS):
        tables = scenario_tables(number)
        scenario = Scenario(**tables)
        words = engine_cells(scenario, solve(scenario))["word"]
        chances.update(word for word, p in words.items() if 0.02 < p < 0.98)
        named.update(str(part) for part in _leaves(tables))
    for word in Word:
        if word is not Word.UNDECIDED:
            assert chances[word.name.lower()] >= 5, word
    for name in (*TARGETS, *RULES, *MISSILES, *WEAPONS, "dwarf_legs", "cm", "inch"):
        assert named[name] >= 3, name
    for switch in SWITCHES:
        assert named[switch] >= 20, switch


def _leaves(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from _leaves(value)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from _leaves(value)
    else:
        yield part


def digest(tally: Tally) -> str:
    """Hash of the states and their counts."""
    return hashlib.sha256(tally.states.tobytes() + tally.weights.tobytes()).hexdigest()


JIT_OFF = """
import json, random, sys
sys.path[:0] = json.loads(sys.argv[1])
import numba
from wh6.test_twin import PLAIN, PLAIN_TRIALS, digest, scenario_tables
from chargesim.engine.sample import sample
from chargesim.scenario import Scenario
assert numba.config.DISABLE_JIT
scenarios = [Scenario(**scenario_tables(number)) for number in PLAIN]
print([digest(sample(s, PLAIN_TRIALS, seed=5, threads=1)) for s in scenarios])
"""
PLAIN = (38, 219, 119)
PLAIN_TRIALS = 200


def test_compiled_code_plays_the_same_trials_as_plain_python() -> None:
    """With the JIT off the end states and their counts are the same, bit for bit."""
    tests = Path(__file__).parent.parent
    paths = json.dumps([str(tests), str(tests.parent)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", JIT_OFF, paths],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    scenarios = [Scenario(**scenario_tables(number)) for number in PLAIN]
    compiled = [digest(sample(s, PLAIN_TRIALS, seed=5, threads=1)) for s in scenarios]
    assert done.stdout.strip() == str(compiled)
    assert min(len(solve(s).states) for s in scenarios) >= 10  # there was something to tell apart


@pytest.mark.parametrize("number", [38, 219, 285])
def test_the_tally_does_not_depend_on_threads_or_ranges(number: int) -> None:
    """One, two and four threads, and any split of the trials, count the same end states."""
    scenario = Scenario(**scenario_tables(number))
    trials = 50_000
    whole = sample(scenario, trials, seed=9, threads=1)
    for threads in (2, 4):
        assert digest(sample(scenario, trials, seed=9, threads=threads)) == digest(whole)
    edges = [0, 1, 511, 512, 8_191, 8_192, 20_000, trials]
    parts = [
        sample(scenario, stop - first, seed=9, first=first, threads=2)
        for first, stop in pairwise(edges)
    ]
    states, counts = merge([(part.states, part.weights) for part in parts])
    assert np.array_equal(states, whole.states)
    assert np.array_equal(counts, whole.weights)
    other = sample(scenario, trials, seed=10, threads=1)
    assert digest(other) != digest(whole)
