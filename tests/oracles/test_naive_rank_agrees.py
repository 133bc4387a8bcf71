"""The rules of ranked regiments against their naive twin: every verdict, side, length and pose."""

from __future__ import annotations

import random
from math import cos, radians, sin
from typing import Any

import pytest
from oracles.naive_rank_declare import (
    declare,
    declare_flight,
    legal,
    may_flee,
)
from oracles.naive_rank_resolve import resolve
from oracles.naive_rank_state import State, Terrain, Unit, switches_of
from ranked_regiment.build import Hands, unit

from chargesim.faults import ScenarioError
from chargesim.rulesets.ranked_regiment import rules_declare as d
from chargesim.rulesets.ranked_regiment.rules_sight import span
from chargesim.rulesets.ranked_regiment.state import Why

SIDES = ("front", "left", "right", "rear")
SWITCHES: dict[str, tuple[str, dict[Any, Any]]] = {
    "distance": ("distance", {"edge": "edge", "centre_side": "centre_side"}),
    "los": ("los", {"any": "any", "centre": "centre"}),
    "side": ("side_by", {"centre": "centre", "majority": "majority"}),
    "taken_side": ("fallback_steps", {"next": 1, "illegal": 0}),
    "cancelled_frees_side": ("cancelled_frees_side", {True: True, False: False}),
    "counter_los": ("counter_los", {w: w for w in ("any", "waived", "front_only")}),
    "midpoint": ("midpoint", {w: w for w in ("front_gap", "centres")}),
    "blocked_meeting": ("meeting_blocked", {w: w for w in ("both_fail", "as_normal_charges")}),
    "intercept": ("intercept", {"any_of_three": "any_of", "priority": "priority"}),
    "flight_speed": ("flight_condition", {"at_least": "at_least", "more": "more"}),
    "run_blocked": ("run_blocked", {"stop_short": "stop_short", "full_move": "full_move"}),
    "frenzy_charges": ("frenzy_must_charge", {True: True, False: False}),
}
KINDS = {"forest": "forest", "building": "building", "rocks": "rock", "impassable": "impassable"}
RULES = {"frenzied": "frenzied", "crewed_weapon": "crewed", "demonic": "demonic"}


def pair(seed: int) -> tuple[Hands, State]:
    """The same random battle, for the rules and for the twin."""
    rng = random.Random(seed)
    while True:
        units, naive = {}, []
        for side in ("active", "reactive"):
            for i in range(rng.randint(1, 4)):
                name = f"{side}{i}"
                x = rng.uniform(0, 26)
                y = rng.uniform(0, 9) if side == "active" else rng.uniform(10, 20)
                look = ((0 if side == "active" else 180) + rng.gauss(0, 45)) % 360
                w, depth = rng.choice([1, 2, 4]), rng.choice([1, 2, 3])
                move = rng.choice([0, 9.0, 14.0, 18.0, 25.0])
                rules = [rule for rule in RULES if rng.random() < 0.08]
                units[name] = unit(side, x, y, look, w, depth, move, rules=rules)
                facing = sin(radians(look)), cos(radians(look))
                flags = {RULES[rule]: True for rule in rules}
                naive.append(Unit(name, side, (x, y), facing, w, depth, move, **flags))
        terrain, plain = [], []
        for _ in range(rng.choice([0, 0, 1, 2])):
            x, y = rng.uniform(-2, 24), rng.uniform(0, 18)
            w, h = rng.uniform(1, 6), rng.uniform(0.5, 4)
            corners = [(x, y), (x + w, y), (x + w, y + h), (x + w / 2, y + h / 3), (x, y + h)]
            kind = rng.choice(list(KINDS))
            terrain.append({"kind": kind, "polygon": corners})
            plain.append(Terrain(KINDS[kind], corners))
        mine, theirs = {}, {}
        for name, (other, values) in SWITCHES.items():
            if rng.random() < 0.3:
                mine[name] = rng.choice(list(values))
                theirs[other] = values[mine[name]]
        try:
            hands = Hands(units, terrain=terrain, switches=mine)
        except ScenarioError:
            continue
        state = State({u.name: u for u in naive}, plain, switches_of("seed", **theirs))
        return hands, state


def compare(hands: Hands, state: State, seed: int) -> list[tuple[str, ...]]:
    """Every verdict of both; what may be declared."""
    found: list[tuple[str, ...]] = []
    for u in hands.names:
        flight = hands.why_not_flee(u) == Why.LEGAL
        assert flight == may_flee(state, u).ok, (seed, u)
        if flight:
            found.append((u,))
        for t in hands.names:
            if hands[u]["side"] == hands[t]["side"]:
                continue
            why, face = hands.judge(u, t)
            verdict = legal(state, u, t)
            assert (why == Why.LEGAL) == verdict.ok, (seed, u, t, why, verdict)
            if verdict.ok:
                assert SIDES[face] == verdict.side, (seed, u, t)
                length = float(span(hands.game, hands.at(u), hands.at(t), face))
                assert length == pytest.approx(verdict.distance, abs=1e-6), (seed, u, t)
                found.append((u, t))
    return found


@pytest.mark.parametrize("first", range(0, 400, 20))
def test_verdicts_and_poses_are_those_of_the_twin(first: int) -> None:
    declared = 0
    for seed in range(first, first + 20):
        hands, state = pair(seed)
        rng = random.Random(seed)
        while options := compare(hands, state, seed):
            if rng.random() < 0.1:
                break
            option = rng.choice(options)
            if len(option) == 1:
                hands.flee(option[0])
                declare_flight(state, option[0])
            else:
                u, t = option
                _, face = hands.judge(u, t)
                d.declare(hands.game, hands.dice, hands.at(u), hands.at(t), face)
                declare(state, u, t)
            declared += 1
        hands.resolve()
        resolve(state, random.Random(seed))
        for name in hands.names:
            x, y, fx, fy = hands.pose(name)
            twin = state.units[name]
            assert (x, y) == pytest.approx(twin.at, abs=1e-6), (seed, name)
            assert (fx, fy) == pytest.approx(twin.facing, abs=1e-6), (seed, name)
    assert declared > 5
