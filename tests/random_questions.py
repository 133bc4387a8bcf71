"""Sound random scenarios of all rulesets, from the builders of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from hex_increment.random_charges import random_file
from ranked_regiment import random_battles as ranked
from wh6.random_battles import random_battle
from wh6.random_scenarios import random_scenario

from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario


def _drawn(number: int) -> Iterator[Scenario]:
    """Endless scenarios, sound or not; those that are not raise nothing and are left out."""
    rng = random.Random(number)
    while True:
        build = rng.choice((random_scenario, random_battle, random_file, None))
        if build is None:
            noise = rng.random() < 0.1
            yield ranked.random_battle(rng.randrange(10**6), noise=noise, most=2)
            continue
        try:
            yield Scenario(**build(rng))
        except ScenarioError:
            continue


@cache
def questions(count: int, number: int = 1) -> tuple[Scenario, ...]:
    """So many sound scenarios of all rulesets."""
    drawn = _drawn(number)
    found = tuple(next(drawn) for _ in range(count))
    assert len({scenario.ruleset.name for scenario in found}) == 3
    return found
