"""The naive ranked regiments against the vectors of declarations."""

import copy
import math
import random

import pytest

from . import naive_rank_declare as nd
from . import naive_rank_geometry as ng
from . import naive_rank_resolve as nres
from . import naive_rank_shapes as ns
from . import naive_rank_state as nst
from .rank_cases import (
    EAST,
    EXACT,
    NORTH,
    SOUTH,
    WEST,
    T,
    interception,
    near,
    phi,
    random_state,
    unit,
)


def test_11_intercept():
    """V-RNK-11."""
    for gap, flank, friend, ok in (
        (11.9, False, False, True),
        (12.0, False, False, False),
        (15, True, False, True),
        (14, False, False, False),
        (14, False, True, True),
    ):
        state, verdict = interception(gap, flank, friend)
        assert verdict.distance == pytest.approx(gap, abs=EXACT)
        assert verdict.ok is ok
        assert verdict.reason == ("" if ok else "RNK-INT-01")
        if ok:
            nd.declare(state, "Q", "E")
            assert nst.live_charge_of(state, "E") is None
            assert nst.incoming(state, "P") == set()


def test_11_flank_beyond_move():
    """A flank charge too must be within the Move."""
    state, verdict = interception(15, flank=True)
    state.units["Q"].move = 14.9
    assert verdict.ok
    assert nd.legal(state, "Q", "E").reason == "RNK-DECL-06"


def test_12_counter_cancelled():
    """V-RNK-12."""
    units = [unit("A", "A", 0, 14, SOUTH), unit("E", "B", 0, 0), unit("B", "A", 14, 0, WEST)]
    state = nst.make_state(units)
    nd.declare(state, "A", "E")
    assert nd.declare(state, "E", "A").is_counter
    nd.declare(state, "B", "E")
    assert nst.live_charge_of(state, "E") is None
    assert nst.incoming(state, "E") == {"A", "B"}
    assert nst.incoming(state, "A") == set()
    assert nd.may_flee(state, "E").reason == "RNK-FLEE-01"
    assert nres.resolve(state) == [("charge", "A", "E"), ("charge", "B", "E")]


def test_13_flight_condition():
    """V-RNK-13: fast enough."""
    assert nd.fast_enough(7, 16, 9)
    assert not nd.fast_enough(6.99, 16, 9)
    assert not nd.fast_enough(7, 16, 9, "more")
    assert nd.fast_enough(7.01, 16, 9, "more")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ({}, ""),
        ({"frenzied": True}, "RNK-FLEE-03"),
        ({"reanimated": True}, "RNK-FLEE-03"),
        ({"demonic": True}, "RNK-FLEE-03"),
        ({"demonic": True, "may_flee_anyway": True}, ""),
        ({"demonic": True, "frenzied": True, "may_flee_anyway": True}, "RNK-FLEE-03"),
        ({"reanimated": True, "may_flee_anyway": True}, "RNK-FLEE-03"),
        ({"move": 0.0}, "RNK-FLEE-02"),
        ({"move": 6.99}, "RNK-FLEE-04"),
    ],
)
def test_13_who_may_flee(flags, reason):
    """V-RNK-13: flags, and the run with its pursuit."""
    runner = unit("R", "B", 0, 12, **({"d": 4.0, "move": 7.0} | flags))
    state = nst.make_state([unit("C", "A", 0, 0, move=16), runner])
    assert nd.declare(state, "C", "R").distance == pytest.approx(9, abs=EXACT)
    verdict = nd.may_flee(state, "R")
    assert (verdict.ok, verdict.reason) == (reason == "", reason)
    if verdict.ok:
        nd.declare_flight(state, "R")
        assert nres.resolve(state) == [("flight", "C", "R")]
        charger, runner = state.units["C"], state.units["R"]
        assert near(runner.at, (0, 19))
        assert near(charger.at, (0, 16))
        assert near(runner.facing, NORTH)
        assert near(charger.facing, NORTH)
        assert runner.fleeing
        assert charger.may_not_move
        assert not runner.in_combat
        assert not charger.in_combat


def test_13_two_chargers():
    """V-RNK-13: charged by two, no flight."""
    units = [unit("C", "A", 0, 0), unit("D", "A", 14, 12, WEST), unit("R", "B", 0, 12)]
    state = nst.make_state(units)
    nd.declare(state, "C", "R")
    nd.declare(state, "D", "R")
    assert nd.may_flee(state, "R").reason == "RNK-FLEE-01"


def test_14_flight_dropped():
    """V-RNK-14."""
    units = [unit("A", "A", 0, 0), unit("B", "A", 14, 12, WEST), unit("t", "B", 0, 12)]
    state = nst.make_state(units)
    nd.declare(state, "A", "t")
    nd.declare_flight(state, "t")
    nd.declare(state, "B", "t")
    assert not state.units["t"].flee_declared
    assert nres.resolve(state) == [("charge", "A", "t"), ("charge", "B", "t")]
    assert near(state.units["t"].at, (0, 12))
    assert state.units["t"].engaged_sides == {"rear", "right"}


def test_15_order():
    """V-RNK-15."""
    units = []
    for i, x in enumerate((0, 30, 60)):
        units.append(unit(f"A{i + 1}", "A", x, 0))
        units.append(unit(f"B{i + 1}", "B", x, 14, SOUTH))
    state = nst.make_state(units, active="A")
    for option in (
        ("charge", "A1", "B1"),
        ("charge", "B2", "A2"),
        ("flee", "A2"),
        ("charge", "B1", "A1"),
        ("charge", "A3", "B3"),
        ("pass",),
        ("pass",),
    ):
        assert option in nd.options(state)
        nd.take_turn(state, option)
    assert state.active is None
    assert nres.resolve(state) == [
        ("counter", "A1", "B1"),
        ("flight", "B2", "A2"),
        ("charge", "A3", "B3"),
    ]


@pytest.mark.parametrize(("final", "count"), [(True, 6), (False, 7)])
def test_16_declaration_tree(final, count):
    """V-RNK-16."""
    units = [unit("a", "A", 0, 0), unit("b", "B", 0, 12, SOUTH)]
    switches = nst.switches_of(pass_final=final)
    state = nst.make_state(units, active="A", switches=switches)
    assert len(nd.complete_lines(state)) == count


def test_17_noise():
    """V-RNK-17."""
    assert phi(1) == pytest.approx(0.84134, abs=5e-6)
    assert phi(0.5) == pytest.approx(0.69146, abs=5e-6)
    rng, n = random.Random(17), 20_000

    def check(hits, trials, p):
        assert abs(hits / trials - p) < 4 * math.sqrt(p * (1 - p) / trials)

    charger = unit("A", "A", 0, 0, move=8)
    for sigma, p in ((0.5, phi(1)), (1.0, phi(0.5))):
        reached = 0
        for _ in range(n):
            target = unit("T", "B", 0, 2 + rng.gauss(7.5, sigma), SOUTH)
            reached += ng.charge_distance(charger, target, "front", "edge") <= charger.move
        check(reached, n, p)
    right = sum(
        ng.side_hit(T, (rng.gauss(6, 0.5), rng.gauss(5, 0.5))) == "right" for _ in range(100_000)
    )
    check(right, 100_000, phi(0.5 / (0.5 * math.sqrt(2))))
    check(sum(nd.fast_enough(8, 16, rng.gauss(8.5, 0.5)) for _ in range(n)), n, phi(1))


def moved(state, angle, shift, factor, mirror):
    """The same state turned, shifted, scaled and perhaps mirrored."""
    c, s = math.cos(angle), math.sin(angle)
    flip = -1 if mirror else 1

    def place(p):
        x, y = flip * p[0] * factor, p[1] * factor
        return (c * x - s * y + shift[0], s * x + c * y + shift[1])

    def way(f):
        return (c * flip * f[0] - s * f[1], s * flip * f[0] + c * f[1])

    out = copy.deepcopy(state)
    for u in out.units.values():
        u.at, u.facing = place(u.at), way(u.facing)
        u.frontage, u.depth, u.move = u.frontage * factor, u.depth * factor, u.move * factor
    out.terrain = [nst.Terrain(t.kind, [place(p) for p in t.polygon]) for t in out.terrain]
    return out


@pytest.mark.parametrize("mirror", [False, True])
def test_18_symmetry(mirror):
    """V-RNK-18."""
    rng = random.Random(18)
    swap = {"left": "right", "right": "left"} if mirror else {}
    for _ in range(12):
        state = random_state(rng)
        factor = rng.uniform(0.5, 3)
        shift = (rng.uniform(-50, 50), rng.uniform(-50, 50))
        other = moved(state, rng.uniform(0, 7), shift, factor, mirror)
        for name in state.units:
            for target, verdict in nd.targets(state, name).items():
                again = nd.legal(other, name, target)
                assert (again.ok, again.reason) == (verdict.ok, verdict.reason)
                assert again.side == swap.get(verdict.side, verdict.side)
                if verdict.distance < math.inf:
                    assert again.distance == pytest.approx(verdict.distance * factor, abs=1e-6)


def flanked(b_at, **switches):
    """A charges E's left flank and E counters; B stands to its left too."""
    units = [
        unit("E", "B", 0, 0, d=3.0),
        unit("A", "A", -6.6, 6, ns.unit_vector(1, -1)),
        unit("B", "A", *b_at, EAST),
    ]
    state = nst.make_state(units, switches=nst.switches_of(**switches))
    assert nd.declare(state, "A", "E").side == "left"
    assert nd.declare(state, "E", "A").is_counter
    return state


def test_19_sides_while_a_counter_charge_stands():
    """V-RNK-19."""
    assert nd.legal(flanked((-9, 1)), "B", "E").reason == "RNK-ONE-01"
    state = flanked((-9, 2))
    charge = nd.declare(state, "B", "E")
    assert charge.side == "front"
    assert nres.resolve(state) == [("charge", "A", "E"), ("charge", "B", "E")]
    assert near(state.units["A"].at, (-3, 0))
    assert near(state.units["B"].at, (0, 2.5))
    sides = {c.unit: (c.enemy_side, c.unit_charged, c.enemy_charged) for c in state.contacts}
    assert sides == {"A": ("left", True, False), "B": ("front", True, False)}


def test_19_counter_undisturbed():
    """Left alone the pair meets front to front, both charging."""
    state = flanked((-30, 2))
    assert nres.resolve(state) == [("counter", "A", "E")]
    (contact,) = state.contacts
    assert (contact.unit_side, contact.enemy_side) == ("front", "front")
    assert contact.unit_charged
    assert contact.enemy_charged


@pytest.mark.parametrize(
    ("w", "d", "move", "distance", "runner", "pursuer"),
    [(2, 8, 7, 9, 18, 13), (8, 2, 10, 6, 21, 16)],
)
def test_20_turning_changes_the_gap(w, d, move, distance, runner, pursuer):
    """V-RNK-20."""
    for m, ok in ((move, True), (move - 0.01, False)):
        units = [unit("C", "A", 0, 0, move=16), unit("R", "B", 0, 11, EAST, w, d, m)]
        state = nst.make_state(units)
        assert nd.declare(state, "C", "R").distance == pytest.approx(distance, abs=EXACT)
        assert nd.may_flee(state, "R").ok is ok
        if ok:
            nd.declare_flight(state, "R")
            full = copy.deepcopy(state)
            nres.resolve(state)
            assert near(state.units["R"].at, (0, runner))
            assert near(state.units["C"].at, (0, pursuer))
            full.switches = nst.switches_of(run_blocked="full_move")
            nres.resolve(full)
            assert near(full.units["C"].at, (0, 16))
