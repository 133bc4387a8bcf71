"""Random charges: the exact engine against the naive twin, die by die."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hex_increment.random_charges import RESULTS, SWITCHES, random_file
from hex_increment.test_properties import random_charge
from oracles.hex_cells import engine_cells, twin_cells
from oracles.hex_files import twin_terrain, twin_unit
from oracles.naive_hex_map import strikes, zone_of
from oracles.wh6_cells import Cells, disagreements

from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.sample import sample
from chargesim.faults import ScenarioError
from chargesim.rulesets.hex_increment.plan import plans
from chargesim.rulesets.hex_increment.state import Fate, State, Word
from chargesim.scenario import Scenario

SEED = 1_9002
CASES = range(150)
TRIALS = 1_000
MOST_STATES = 20_000
CHANCE_OF_FALSE_ALARM = 1e-4
"""Over all comparisons of the twin, and again over all of the sampler."""
SAMPLED = CASES[::10]
SAMPLE_TRIALS = 100_000
WAYS = 120


@dataclass(frozen=True)
class Case:
    """A random scenario and its exact chances."""

    file: dict[str, Any]
    scenario: Scenario
    cells: Cells


def answered(scenario: Scenario) -> bool:
    """Whether every reaction meets the charger that it answers."""
    every = zip(scenario.model.charge, plans(scenario.model), strict=True)
    return all(plan.met[0].contact for one, plan in every if one.kind == "reaction")


@cache
def case(number: int) -> Case:
    """Random scenario of a number: the first that is legal and small enough."""
    rng = random.Random(f"{SEED} {number}")
    while True:
        file = random_file(rng)
        try:
            scenario = Scenario(**file)
            if not answered(scenario):
                continue
            tallies = [solve(part, max_states=MOST_STATES) for part in scenario.parts]
        except (ScenarioError, ExactLimitError):
            continue
        assert max(tally.mass_defect for tally in tallies) < 1e-12
        return Case(file, scenario, engine_cells(scenario, tallies))


def report(found: list[str], file: dict[str, Any]) -> str:
    return "\n".join([*found, json.dumps(file)])


@pytest.mark.parametrize("number", CASES)
def test_exact_agrees_with_the_twin(number: int) -> None:
    one = case(number)
    seen = twin_cells(one.file, number, TRIALS)
    found = disagreements(one.cells, seen, TRIALS, CHANCE_OF_FALSE_ALARM / len(CASES))
    assert not found, report(found, one.file)


@pytest.mark.parametrize("number", SAMPLED)
def test_sampled_agrees_with_exact(number: int) -> None:
    one = case(number)
    played = [
        sample(part, SAMPLE_TRIALS, seed=number, by_rules=number % 20 == 0)
        for part in one.scenario.parts
    ]
    seen = engine_cells(one.scenario, played)
    bound = CHANCE_OF_FALSE_ALARM / len(SAMPLED)
    assert not (found := disagreements(one.cells, seen, SAMPLE_TRIALS, bound)), report(
        found, one.file
    )


def test_the_generator_reaches_every_word_and_switch() -> None:
    """Enough of the scenarios turn on each word, fate, state, formation, result and switch."""
    chances: Counter[str] = Counter()
    for number in CASES:
        for name, values in case(number).cells.items():
            if name.rpartition(".")[2] in ("word", "outcome", "state"):
                chances.update(str(word) for word, p in values.items() if p > 0.02)
    words = {word.name.lower() for word in (*Word, *Fate, *State)} - {"undecided", "pending"}
    assert not {word: chances[word] for word in words if chances[word] < 3}
    named = Counter(
        word.strip('"[]{}:,') for number in CASES for word in json.dumps(case(number).file).split()
    )
    rare = [*SWITCHES, *RESULTS, "1*/0", "0/1*", "rear", "company_column", "skirmish", "square"]
    rare += ["extend_left", "extend_right", "consolidate_left", "consolidate_right", "artillery"]
    rare += [
        "reaction",
        "advance_into",
        "opportunity_fire",
        "defensive_fire",
        "can_retire",
        "2d6",
        "d10",
        "probability",
    ]
    assert not {name: named[name] for name in rare if named[name] < 5}


# The way that is found where the file names none


def ways() -> list[dict[str, Any]]:
    """Random charges over random ground against one stack, without a path."""
    found: list[dict[str, Any]] = []
    number = 0
    while len(found) < WAYS:
        number += 1
        file = random_charge(number)
        if len(file["unit"]) == 2:
            try:
                Scenario(**file)
            except ScenarioError:
                continue
            found.append(file)
    return found


@pytest.mark.parametrize("file", ways())
def test_the_cheapest_way_is_the_twins(file: dict[str, Any]) -> None:
    """It is in contact where the twin's reach strikes, at its cost; a line pays for more hexes."""
    terrain = twin_terrain(file)
    charger, target = (twin_unit(name, file["unit"][name]) for name in ("cav", "s0"))
    found = strikes(charger, zone_of(charger), terrain, [target], steps=file["switches"]["steps"])
    (plan,) = plans(Scenario(**file).model)
    assert plan.met[0].contact == ("s0" in found)
    if found:
        assert plan.move.spent >= 2 * found["s0"]
        assert plan.move.spent == 2 * found["s0"] or len(plan.move.end) > 1
