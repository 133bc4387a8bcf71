"""Random charges and battles: the engines against the naive twin, each other, and themselves."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.wh6_cells import Cells, disagreements, engine_cells, twin_cells
from wh6 import random_battles
from wh6.random_scenarios import MISSILES, RULES, SWITCHES, TARGETS, WEAPONS, random_scenario

from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.plan import make_plan
from chargesim.engine.sample import sample, sample_pieces
from chargesim.engine.tally import Tally, merge
from chargesim.faults import ScenarioError
from chargesim.rulesets import Reading, View
from chargesim.rulesets.wh6.state import Fate, UnitState, Word
from chargesim.scenario import Scenario

SEED = 6_2004
SINGLES, BATTLES = 300, 150
TRIALS = 1_000
MOST_STATES = 4_000
"""Scenarios with more states are passed over, so that all is done in good time."""
CHANCE_OF_FALSE_ALARM = 1e-4
"""Over all comparisons of the twin, and again over all of the sampler."""
CASES = [
    *(("single", number) for number in range(SINGLES)),
    *(("battle", number) for number in range(BATTLES)),
]
SAMPLED = [*CASES[:SINGLES:29], *CASES[SINGLES::9]]
SAMPLE_TRIALS = 100_000
SAME = [
    *(("single", number) for number in (0, 20, 50, 57)),
    *(("battle", number) for number in (2, 7, 15, 23, 26, 30, 33, 45, 73, 135)),
]
"""Whose trials are compared bit for bit."""
SAME_TRIALS = 20_000
PLAIN = [SAME[1], SAME[4], SAME[8]]
"""Which plain Python plays too."""
PLAIN_TRIALS = 150


@dataclass(frozen=True)
class Case:
    """A random scenario and its exact solution."""

    tables: dict[str, Any]
    scenario: Scenario
    tallies: tuple[Tally, ...]

    @property
    def cells(self) -> Cells:
        """Chances of every value of every quantity."""
        return engine_cells(self.scenario, self.tallies)


@cache
def case(kind: str, number: int) -> Case:
    """Random scenario ``number`` of a kind: the first that is legal and small enough."""
    rng = random.Random(f"{SEED} {kind} {number}")
    make = {"single": random_scenario, "battle": random_battles.random_battle}[kind]
    while True:
        tables = make(rng)
        try:
            scenario = Scenario(**tables)
            tallies = tuple(solve(part, max_states=MOST_STATES) for part in scenario.parts)
        except (ScenarioError, ExactLimitError):
            continue
        return Case(tables, scenario, tallies)


def report(found: list[str], tables: dict[str, Any]) -> str:
    return "\n".join([*found, json.dumps(tables, indent=1)])


@pytest.mark.parametrize(("kind", "number"), CASES)
def test_exact_agrees_with_the_twin(kind: str, number: int) -> None:
    one = case(kind, number)
    assert max(tally.mass_defect for tally in one.tallies) < 1e-12
    seen = twin_cells(one.tables, one.scenario, number, TRIALS)
    found = disagreements(one.cells, seen, TRIALS, CHANCE_OF_FALSE_ALARM / len(CASES))
    assert not found, report(found, one.tables)


@pytest.mark.parametrize(("kind", "number"), SAMPLED)
def test_sampled_agrees_with_exact(kind: str, number: int) -> None:
    one = case(kind, number)
    played = [
        sample(part, SAMPLE_TRIALS, seed=number, by_rules=number % 2 == 0)
        for part in one.scenario.parts
    ]
    assert {int(tally.weights.sum()) for tally in played} == {SAMPLE_TRIALS}
    seen = engine_cells(one.scenario, played)
    bound = CHANCE_OF_FALSE_ALARM / len(SAMPLED)
    found = disagreements(one.cells, seen, SAMPLE_TRIALS, bound)
    assert not found, report(found, one.tables)


# What the generators reach


def words_in_doubt() -> Counter[str]:
    """How many words of charges, fates and states of units are in doubt, by the word."""
    found: Counter[str] = Counter()
    for kind, number in CASES:
        for name, values in case(kind, number).cells.items():
            if name.rpartition(".")[2] in ("word", "outcome", "state"):
                found.update(str(word) for word, p in values.items() if 0.02 < p < 0.98)
    return found


def leaves(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from leaves(value)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from leaves(value)
    else:
        yield part


def test_the_generators_reach_every_word_and_rule() -> None:
    """Enough of the scenarios turn on each word, troop, rule, weapon, missile and switch."""
    chances = words_in_doubt()
    named = Counter(
        str(leaf) for kind, number in CASES for leaf in leaves(case(kind, number).tables)
    )
    words = {word.name.lower() for word in (*Word, *Fate, *UnitState)} - {"undecided"}
    assert not {word: chances[word] for word in words if chances[word] < 5}
    rare = [*TARGETS, *RULES, *random_battles.RULES, *MISSILES, *WEAPONS, "cm", "inch"]
    assert not {name: named[name] for name in rare if named[name] < 5}
    often = [*SWITCHES, *random_battles.SWITCHES, "mount", "crew", "beasts", "engaged"]
    often += ["neighbours", "may_reach", "redirect", "blocked_by", "edge", "terrain", "sd"]
    assert not {name: named[name] for name in often if named[name] < 20}


# The same trials, however they are played


def digest(tally: Tally) -> str:
    """Hash of the states and their counts."""
    return hashlib.sha256(tally.states.tobytes() + tally.weights.tobytes()).hexdigest()


def test_what_is_compared_has_something_to_compare() -> None:
    parts = [part for one in SAME for part in case(*one).scenario.parts]
    assert sum(make_plan(part) is not None for part in parts) >= len(SAME)
    assert sum(len(part.pieces) > 1 for part in parts) >= 5
    states = [[len(tally.states) for tally in case(*one).tallies] for one in SAME]
    assert min(max(counts) for counts in states) >= 20
    assert max(sorted(counts)[-2] for counts in states if len(counts) > 1) >= 5  # no idle part
    assert sum("sd" in leaves(case(*one).tables) for one in SAME) >= 2  # estimated distances


@pytest.mark.parametrize(("kind", "number"), SAME)
def test_the_plan_plays_the_trials_of_the_rules(kind: str, number: int) -> None:
    for part in case(kind, number).scenario.parts:
        by_rules = sample(part, SAME_TRIALS, seed=number, by_rules=True)
        assert digest(sample(part, SAME_TRIALS, seed=number)) == digest(by_rules)


def views(reading: Reading) -> dict[str, View]:
    """All that a reading tells, by name."""
    found = {f"charge {number}": view for number, view in reading.charges.items()}
    found |= {f"combat {name}": view for name, view in reading.combats.items()}
    found |= {f"unit {name}": view for name, view in reading.units.items()}
    within = {
        f"{name} {inner}": seen
        for name, view in found.items()
        for inner, seen in view.within.items()
    }
    return found | within


def marginals(tally: Tally) -> dict[str, Counter[Any]]:
    """Counts of what each view says, its word, numbers and flags together."""
    found = {}
    for name, view in views(tally.reading).items():
        columns = [view.codes, *view.flags.values()]
        columns += [quantity.values for quantity in view.quantities.values()]
        values = zip(*(column.tolist() for column in columns), strict=True)
        found[name] = counter = Counter()
        for value, weight in zip(values, tally.weights.tolist(), strict=True):
            counter[value] += weight
    return found


@pytest.mark.parametrize(("kind", "number"), SAME)
def test_pieces_are_the_marginals_of_the_whole(kind: str, number: int) -> None:
    for part in case(kind, number).scenario.parts:
        whole = sample(part, SAME_TRIALS, seed=number)
        told: dict[str, Counter[Any]] = {}
        for tally in sample_pieces(part, SAME_TRIALS, seed=number):
            assert np.isin(tally.of.live, part.live).all()
            places = np.searchsorted(part.live, tally.of.live)
            states, counts = merge([(whole.states[:, places], whole.weights)])
            assert np.array_equal(tally.states, states)
            assert np.array_equal(tally.weights, counts)
            mine = marginals(tally)
            assert not mine.keys() & told.keys()
            told |= mine
        assert told == marginals(whole)


@pytest.mark.parametrize(("kind", "number"), SAME[::3])
def test_the_tally_does_not_depend_on_threads_or_ranges(kind: str, number: int) -> None:
    """One, two and four threads, and any split of the trials, count the same end states."""
    trials = 50_000
    edges = [0, 1, 511, 512, 8_191, 8_192, 20_000, trials]
    for part in case(kind, number).scenario.parts:
        whole = sample(part, trials, seed=9, threads=1, by_rules=True)
        for threads in (2, 4):
            again = sample(part, trials, seed=9, threads=threads, by_rules=True)
            assert digest(again) == digest(whole)
            assert digest(sample(part, trials, seed=9, threads=threads)) == digest(whole)
        split = [
            sample(part, stop - first, seed=9, first=first, threads=2)
            for first, stop in pairwise(edges)
        ]
        states, counts = merge([(one.states, one.weights) for one in split])
        assert np.array_equal(states, whole.states)
        assert np.array_equal(counts, whole.weights)


def test_another_seed_plays_other_trials() -> None:
    part = case(*SAME[0]).scenario.parts[0]
    assert digest(sample(part, 50_000, seed=9)) != digest(sample(part, 50_000, seed=10))


JIT_OFF = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
import numba
from wh6.test_twin import PLAIN_TRIALS, digest
from chargesim.engine.sample import sample
from chargesim.scenario import Scenario
assert numba.config.DISABLE_JIT
scenarios = [Scenario(**tables) for tables in json.load(sys.stdin)]
print([
    digest(sample(part, PLAIN_TRIALS, seed=5, threads=1, by_rules=True))
    for scenario in scenarios for part in scenario.parts
])
"""


def test_compiled_code_plays_the_same_trials_as_plain_python() -> None:
    """With the JIT off the end states and their counts are the same, bit for bit."""
    cases = [case(*one) for one in PLAIN]
    tests = Path(__file__).parent.parent
    paths = json.dumps([str(tests), str(tests.parent)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", JIT_OFF, paths],
        input=json.dumps([one.tables for one in cases]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    compiled = [
        digest(sample(part, PLAIN_TRIALS, seed=5, threads=1, by_rules=True))
        for one in cases
        for part in one.scenario.parts
    ]
    assert done.stdout.strip() == str(compiled)
