"""Ranked regiments: declaration phases a second, whole turns, and declaration games solved.

Three units a side. The opponent is the naive twin of the tests, plain Python from the same
specification, on the same battle.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import chargesim as cs
from chargesim.data import scenarios
from chargesim.engine.sample import sample
from chargesim.kernels.dice import Mode, new_dice, supply
from chargesim.kernels.jit import kernel
from chargesim.kernels.words import set_trial
from chargesim.rulesets.ranked_regiment.game_tree import Battle
from chargesim.rulesets.ranked_regiment.rules import positions
from chargesim.rulesets.ranked_regiment.rules_declare import close_declarations, take_turn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from oracles import naive_rank
from oracles.naive_rank_declare import play_declarations

ROUNDS = 9
PHASES, NAIVE = 20_000, 20
SIDES = ("active", "reactive")
WOOD = [(-8, 4), (-4, 4), (-4, 9), (-8, 9)]
HOUSE = [(5, 5), (7, 5), (7, 9), (5, 9)]
ROCKS = [(16, 6), (18, 6), (18, 8), (16, 8)]


def battle(los: str, *, terrain: bool) -> cs.Scenario:
    """Three against three at uncertain places; six charges, counter-charges and a flight."""
    units: dict[str, Any] = {}
    for i in range(3):
        for side, x, y, facing in zip(SIDES, (10 * i, 10 * i + 2), (0, 14), (0, 180), strict=True):
            units[f"{side[0]}{i}"] = {
                "side": side, "at": (x, y), "facing": facing, "frontage": 5, "depth": 2,
                "move": 18, "models": 10, "width": 5, "noise": {"x": 1, "y": 1, "facing": 5},
            }  # fmt: skip
    pairs = [("a0", "r0"), ("r1", "a1"), ("a2", "r2"), ("a1", "r1"), ("r0", "a0"), ("r2", "a2")]
    land = [("forest", WOOD), ("building", HOUSE), ("rocks", ROCKS)] if terrain else []
    return cs.Scenario(
        ruleset="ranked_regiment",
        unit=units,
        charge=[{"charger": u, "target": t} for u, t in pairs],
        reaction={"r0": "counter", "r2": "flee", "a1": "counter"},
        terrain=[{"kind": kind, "polygon": corners} for kind, corners in land],
        switches={"los": los},
        rally=False,
    )


def naive(scenario: cs.Scenario) -> dict[str, Any]:
    """The same battle for the naive twin."""
    tables = scenario.tables
    return {
        "unit": tables["unit"],
        "first": "active",
        "charge": [{"unit": c["charger"], "target": c["target"]} for c in tables["charge"]],
        "reaction": tables["reaction"],
        "terrain": [
            {"kind": {"rocks": "rock"}.get(t["kind"], t["kind"]), "polygon": t["polygon"]}
            for t in tables["terrain"]
        ],
        "switches": {"los": tables["switches"]["los"]},
    }


@kernel
def declare_all(game: Any, dice: Any, words: Any, live: Any, start: Any, trials: int) -> int:
    """Draw places and declare all there is to declare, many times; how many declarations."""
    made = 0
    for trial in range(trials):
        set_trial(dice, trial)
        while True:
            for j in range(live.size):
                words[live[j]] = start[j]
            positions(game, dice)
            while take_turn(game, dice):
                pass
            close_declarations(game)
            if dice["wanting"] == 0:
                break
            supply(dice)
        made += int(game["head"]["order"])
    return made


def _seconds(call: Callable[[], object], count: int) -> float:
    """Processor seconds of one of ``count``, the median of some rounds."""
    call()
    found = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        call()
        found.append((time.process_time() - begun) / count)
    return statistics.median(found)


def _phases(scenario: cs.Scenario) -> float:
    part = scenario.whole
    array = part.game()
    words = array.view(np.uint64)
    start, dice = words[part.live].copy(), new_dice(Mode.SAMPLE, 0)
    made = declare_all(array[0], dice[0], words, part.live, start, 200)
    assert made > 200 * 2, "hardly anything is declared"
    return _seconds(lambda: declare_all(array[0], dice[0], words, part.live, start, PHASES), PHASES)


def _naive_phases(scenario: cs.Scenario) -> float:
    tables, rng = naive(scenario), random.Random(0)

    def play() -> None:
        for _ in range(NAIVE):
            state = naive_rank.load_state(tables, rng)
            play_declarations(state, "active", naive_rank.scripted_policy(tables), rng)

    return _seconds(play, NAIVE)


def declarations() -> list[str]:
    """Lines of a table: phases and turns a second, against the naive twin."""
    lines = [
        "| three against three, one core | declaration phases a second | whole turns a second | "
        "against plain Python |",
        "|---|---|---|---|",
    ]
    for name, los, terrain in (
        ("`los = any`, with terrain", "any", True),
        ("`los = centre`, open ground", "centre", False),
    ):
        scenario = battle(los, terrain=terrain)
        phases, slow = _phases(scenario), _naive_phases(scenario)
        turns = _seconds(
            lambda scenario=scenario: sample(scenario.whole, PHASES, threads=1, by_rules=True),
            PHASES,
        )
        lines.append(f"| {name} | {1 / phases:,.0f} | {1 / turns:,.0f} | {slow / phases:,.0f} x |")
    return lines


def games() -> list[str]:
    """Lines of a table: the exact game of declarations of three against three."""
    model = cs.load(scenarios()["three_against_three"]).model

    def solve() -> Any:
        played = Battle(model)
        ((_, case),) = played.cases(1) or ()
        return played.search(played.begin(case), 1_000_000)

    tree = solve()
    return [
        "| exact declaration game | positions | lines of play | seconds |",
        "|---|---|---|---|",
        f"| `three_against_three.toml` | {len(tree.states):,} | {tree.complete:,} | "
        f"{_seconds(solve, 1):.3f} |",
    ]


if __name__ == "__main__":
    print("\n".join([*declarations(), "", *games()]))
