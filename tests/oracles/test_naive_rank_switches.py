"""The naive ranked regiments: switches, editions and what always holds."""

import copy
import random

import pytest

from . import naive_rank as nr
from . import naive_rank_declare as nd
from . import naive_rank_geometry as ng
from . import naive_rank_resolve as nres
from . import naive_rank_shapes as ns
from . import naive_rank_state as nst
from .rank_cases import (
    EXACT,
    NORTH,
    SOUTH,
    WEST,
    A,
    T,
    box,
    interception,
    near,
    random_state,
    spin,
    unit,
)


def test_turn_and_status_reasons():
    """The first reason against a charge, one by one."""

    def reason(charger=None, target=None, **state):
        units = [unit("a", "A", 0, 0, **(charger or {})), unit("b", "B", 0, 9, **(target or {}))]
        return nd.legal(nst.make_state(units, **state), "a", "b").reason

    assert reason() == ""
    assert reason(turn=1) == "RNK-TURN-01"
    assert reason(active="B") == "RNK-TURN-03"
    assert reason(passed={"A"}) == "RNK-TURN-04"
    assert reason({"in_combat": True}) == "RNK-DECL-01"
    assert reason({"fleeing": True}) == "RNK-DECL-01"
    assert reason({"move": 0}) == "RNK-DECL-04"
    assert reason({"crewed": True}) == "RNK-DECL-05"
    assert reason({"move": 6.9}) == "RNK-DECL-06"
    assert reason({"flee_declared": True}) == "RNK-FLEE-09"
    taken = {"engaged_sides": {"rear", "left"}, "in_combat": True}
    assert reason(None, taken) == "RNK-ONE-02"
    assert reason(None, {"engaged_sides": {"front"}, "in_combat": True}) == ""
    assert reason(terrain=[box("impassable", -1, 4, 1, 5)]) == "RNK-DECL-07"
    assert reason(terrain=[box("building", -9, 4, 9, 5)]) == "RNK-DECL-06"
    with pytest.raises(ValueError, match="RNK-TURN-01"):
        nd.play_declarations(nst.make_state([A, T], turn=1), "A", nr.passive_policy, None)


def test_counter_sight_is_a_switch():
    """RNK-CTR-02: a charger in the rear is not seen; it may be answered if that is waived."""
    for how, side, ok in (
        ("any", "rear", False),
        ("waived", "rear", True),
        ("front_only", "rear", False),
        ("front_only", "front", True),
    ):
        y, facing = (-14, NORTH) if side == "rear" else (14, SOUTH)
        units = [unit("A", "A", 0, y, facing), unit("E", "B", 0, 0)]
        state = nst.make_state(units, switches=nst.switches_of(counter_los=how))
        assert nd.declare(state, "A", "E").side == side
        verdict = nd.legal(state, "E", "A")
        assert verdict.ok is ok
        assert verdict.reason == ("" if ok else "RNK-CTR-02")
    # the flank charge of the vector is seen in part, but it is no frontal one
    units = [unit("E", "B", 0, 0, d=3.0), unit("A", "A", -6.6, 6, ns.unit_vector(1, -1))]
    state = nst.make_state(units, switches=nst.switches_of(counter_los="front_only"))
    nd.declare(state, "A", "E")
    assert nd.legal(state, "E", "A").reason == "RNK-CTR-02"


def test_orphaned_reactions():
    """RNK-INT-06: a counter-charge goes on as ordinary, a flight is dropped."""
    for reaction in ("counter", "flee"):
        units = [
            unit("A", "A", 0, 0),
            unit("E", "B", 0, 14, SOUTH),
            unit("F", "B", 14, 0, WEST),
        ]
        state = nst.make_state(units)
        nd.declare(state, "A", "E")
        if reaction == "counter":
            nd.declare(state, "E", "A")
        else:
            nd.declare_flight(state, "E")
        nd.declare(state, "F", "A")
        assert nst.live_charge_of(state, "A") is None
        assert not state.units["E"].flee_declared
        if reaction == "counter":
            assert not nst.live_charge_of(state, "E").is_counter
            assert nres.resolve(state) == [("charge", "E", "A"), ("charge", "F", "A")]
        else:
            assert nd.legal(state, "E", "A").ok
            assert nres.resolve(state) == [("charge", "F", "A")]


def test_a_cancelled_charge_counts_or_not():
    """RNK-DECL-02, RNK-ONE-01: by their switches."""
    for counts in (True, False):
        state, _ = interception(11.9, cancelled_counts=counts)
        nd.declare(state, "Q", "E")
        assert nd.legal(state, "E", "Q").ok is not counts
        assert nd.may_flee(state, "E").reason == ("RNK-FLEE-01" if counts else "")
    for frees in (True, False):
        state, _ = interception(11.9, cancelled_frees_side=frees)
        nd.declare(state, "Q", "E")
        assert nd.side_closed(state, state.units["P"], "front") is not frees


@pytest.mark.parametrize("how", ["both_fail", "as_normal_charges"])
def test_blocked_meeting(how):
    """RNK-CTR-06: something stands where they would meet."""
    units = [unit("A", "A", 0, 0), unit("E", "B", 0, 20, SOUTH)]
    rock = box("impassable", 1.5, 9, 3, 11)
    state = nst.make_state(units, [rock], switches=nst.switches_of(meeting_blocked=how))
    nd.declare(state, "A", "E")
    nd.declare(state, "E", "A")
    steps = nres.resolve(state)
    if how == "both_fail":
        assert steps == [("no meeting", "A", "E")]
        assert [c.outcome for c in state.order] == ["failed", "failed"]
        assert state.units["A"].at == (0, 0)
    else:
        assert steps == [("no meeting", "A", "E"), ("charge", "A", "E"), ("met", "E", "A")]
        assert near(state.units["A"].at, (0, 18))
        (contact,) = state.contacts
        assert contact.unit_charged
        assert contact.enemy_charged


def test_blocked_run():
    """RNK-FLEE-10: both stop short of a wall and of each other."""
    units = [unit("C", "A", 0, 0, move=16), unit("R", "B", 0, 12, d=4, move=7)]
    state = nst.make_state(units, [box("cliff", -9, 16, 9, 17)])
    nd.declare(state, "C", "R")
    nd.declare_flight(state, "R")
    nres.resolve(state)
    assert near(state.units["R"].at, (0, 14))
    assert near(state.units["C"].at, (0, 11))


def test_run_off_the_table():
    """RNK-FLEE-08: over the edge is destroyed."""
    units = [unit("C", "A", 0, 0, move=16), unit("R", "B", 0, 12, d=4, move=7)]
    state = nst.make_state(units, table=(-20, -20, 20, 20))
    nd.declare(state, "C", "R")
    nd.declare_flight(state, "R")
    nres.resolve(state)
    assert state.units["R"].destroyed
    assert nres.lost_at_battle_end(state.units["R"])


def test_older_edition():
    """The rows of the edition switch."""
    older = nst.switches_of("older")
    assert nst.TURNS == {"seed": 7, "older": 8}
    # the arc that holds most of it, not the one of its centre
    wide = unit("W", "A", 6.2, 6, ns.unit_vector(-1, -1), w=12, d=2)
    state = nst.make_state([wide, copy.deepcopy(T)], switches=older)
    areas = ng.arc_areas(T, wide.corners())
    assert sum(areas.values()) == pytest.approx(24, abs=EXACT)
    assert nd.arc_side(state, wide, T) == max(areas, key=areas.get)
    # priority: a frontal charge does not beat one on a flank however short, nor by a friend
    state, verdict = interception(14, friend=True, intercept="priority")
    assert verdict.reason == "RNK-INT-01"
    state, verdict = interception(11.9, intercept="priority")
    assert verdict.ok
    nst.live_charge_of(state, "E").side = "right"
    assert nd.legal(state, "Q", "E").reason == "RNK-INT-01"
    # a flight of one die for every four points of Move
    lengths = {
        nres.flight_length(unit("r", "A", 0, 0, move=8), "d6_per_4", random.Random(i))
        for i in range(300)
    }
    assert lengths == set(range(2, 13))
    # frenzy: the nearest valid target, and no pass
    units = [
        unit("z", "A", 0, 0, frenzied=True),
        unit("n", "B", -4, 9, SOUTH),
        unit("f", "B", 4, 12, SOUTH),
    ]
    state = nst.make_state(units, active="A", switches=older)
    assert nd.legal(state, "z", "f").reason == "FRENZY"
    assert nd.options(state) == [("charge", "z", "n")]
    with pytest.raises(ValueError, match="los"):
        nst.switches_of(los="some")


def test_arc_of_sight_is_the_front_arc():
    """Outside its own rectangle a unit sees what lies in its front arc."""
    rng = random.Random(1)
    for _ in range(2000):
        u = unit("u", "A", 1, 2, spin(rng), rng.uniform(1, 6), rng.uniform(1, 6))
        p = (rng.uniform(-12, 12), rng.uniform(-12, 12))
        if max(ng.side_scores(u, p).values()) > 0:
            assert ng.in_sight_arc(u, p) == (ng.side_hit(u, p) == "front")


def test_flight_is_legal_when_the_final_gap_is_not_negative():
    """In line and facing along it."""
    rng = random.Random(3)
    for _ in range(200):
        gap, d = rng.uniform(0.5, 15), rng.uniform(1, 6)
        move = rng.uniform(1, 15)
        units = [unit("C", "A", 0, 0, move=16), unit("R", "B", 0, 1 + gap + d / 2, d=d, move=move)]
        state = nst.make_state(units, switches=nst.switches_of(run_blocked="full_move"))
        nd.declare(state, "C", "R")
        ok = nd.may_flee(state, "R").ok
        state.units["R"].flee_declared = True
        nres.resolve(state)
        c, r = state.units["C"], state.units["R"]
        assert ok == ((r.at[1] - d / 2) - (c.at[1] + 1) >= -EXACT)


@pytest.mark.parametrize("edition", ["seed", "older"])
def test_random_games(edition):
    """The invariant of the declarations, no overlaps afterwards, failures that stay."""
    rng = random.Random(33)
    seen = set()
    for _ in range(70):
        state = random_state(rng)
        state.switches = nst.switches_of(edition)

        def policy(state, side, options, rng):
            check_invariant(state, edition)
            acts = [o for o in options if o[0] != "pass"]
            return rng.choice(acts) if acts and rng.random() < 0.85 else options[0]

        nd.play_declarations(state, rng.choice("AB"), policy, rng)
        check_invariant(state, edition)
        before = {u.name: (u.at, u.facing) for u in state.units.values()}
        nres.resolve(state, rng)
        seen |= {c.outcome for c in state.order}
        for c in state.order:
            unmoved = all(
                x.outcome in ("failed", "cancelled")
                for x in state.order
                if c.unit in (x.unit, x.target)
            )
            if unmoved:
                u = state.units[c.unit]
                assert (u.at, u.facing) == before[c.unit]
        units = list(state.units.values())
        for i, u in enumerate(units):
            for other in units[i + 1 :]:
                assert not ns.overlap(u.corners(), other.corners(), 1e-7), (u, other)
    assert seen >= {"met", "contact", "pursued", "cancelled"}


def check_invariant(state, edition):
    """Section 3.3: a unit with a live charge is charged by its counter partner at most."""
    for c in nst.live_charges(state):
        who = nst.incoming(state, c.unit)
        partner = nst.live_charge_of(state, c.target)
        pair = partner is not None and partner.target == c.unit
        assert who <= ({c.target} if pair and (c.is_counter or partner.is_counter) else set())
    if edition == "seed":
        names = [c.unit for c in state.order]
        assert len(names) == len(set(names))
    for u in state.units.values():
        if u.flee_declared:
            assert len(nst.incoming(state, u.name)) == 1
            assert nst.live_charge_of(state, u.name) is None
