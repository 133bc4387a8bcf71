"""The naive reading of the ranked regiments against the vectors of its specification."""

import copy
import math
import random
from fractions import Fraction
from pathlib import Path

import pytest

from . import naive_rank as nr
from . import naive_rank_combat as nc
from . import naive_rank_declare as nd
from . import naive_rank_geometry as ng
from . import naive_rank_resolve as nres
from . import naive_rank_shapes as ns
from . import naive_rank_state as nst

NORTH, SOUTH, EAST, WEST = (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)
EXACT = 1e-9
TALLIES = {
    "TURN": 5,
    "DECL": 8,
    "LOS": 5,
    "SIDE": 4,
    "ONE": 6,
    "CTR": 6,
    "INT": 6,
    "FLEE": 10,
    "RES": 7,
    "CMB": 12,
}


def unit(name, side, x, y, facing=NORTH, w=4.0, d=2.0, move=20.0, **more):
    """A unit with a long Move."""
    return nst.Unit(name, side, (x, y), facing, w, d, move, **more)


def box(kind, x0, y0, x1, y1):
    """Terrain in a box."""
    return nst.Terrain(kind, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def phi(x):
    """The normal distribution function."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def near(a, b, tol=EXACT):
    """Whether two points or poses are equal within tol."""
    return all(math.isclose(p, q, abs_tol=tol, rel_tol=0) for p, q in zip(a, b, strict=True))


A = unit("A", "A", 0, 0)
T = unit("T", "B", 0, 0, d=3.0)


def test_every_rule_has_its_function():
    """All ids of the specification are named in a docstring."""
    text = "".join(p.read_text() for p in Path(__file__).parent.glob("naive_rank*.py"))
    ids = [f"RNK-{part}-{i:02}" for part, n in TALLIES.items() for i in range(1, n + 1)]
    assert [i for i in ids if i not in text] == []


# ---------------------------------------------------------------- 01 to 05


@pytest.mark.parametrize(
    ("at", "facing", "w", "point", "inside", "distance"),
    [
        ((0, 0), NORTH, 4, (0, 5), True, 4),
        ((0, 0), NORTH, 4, (5, 4), True, math.sqrt(18)),
        ((0, 0), NORTH, 4, (5, 3.9), False, None),
        ((0, 0), NORTH, 4, (5, 4.1), True, None),
        ((0, 0), NORTH, 4, (0, 0.9), False, None),
        ((0, 0), NORTH, 4, (-2, 1), True, 0),
        ((0, 0), NORTH, 4, (-6, 5.5), True, math.hypot(4, 4.5)),
        ((0, 0), EAST, 4, (5, -5), True, 5),
        ((0, 0), EAST, 4, (5, 0), True, 4),
        ((0, 0), EAST, 4, (0, 5), False, None),
        ((10, 10), (math.sqrt(0.5), math.sqrt(0.5)), 3, (14, 14), True, None),
        ((10, 10), (math.sqrt(0.5), math.sqrt(0.5)), 3, (10, 14), True, None),
        ((10, 10), (math.sqrt(0.5), math.sqrt(0.5)), 3, (14, 10), True, None),
    ],
)
def test_01_arc(at, facing, w, point, inside, distance):
    """V-RNK-01."""
    u = unit("u", "A", *at, facing, w=w)
    assert ng.in_sight_arc(u, point) is inside
    if inside and distance is not None:
        assert ng.distance_to_point(u, point) == pytest.approx(distance, abs=EXACT)


def test_01_quoted_distances():
    """V-RNK-01: the printed digits."""
    assert ng.distance_to_point(A, (5, 4)) == pytest.approx(4.2426, abs=5e-5)
    assert ng.distance_to_point(A, (-6, 5.5)) == pytest.approx(6.0208, abs=5e-5)


def test_02_reach_area():
    """V-RNK-02."""
    u = unit("u", "A", 0, 0, move=8)
    exact = ng.reach_area(u)
    assert exact == pytest.approx(32 + 16 * math.pi, abs=EXACT)
    assert exact == pytest.approx(82.265, abs=5e-4)
    rng, n = random.Random(2), 40_000
    x = 2 + 8 / math.sqrt(2)
    hits = 0
    for _ in range(n):
        p = (rng.uniform(-x, x), rng.uniform(1, 9))
        hits += ng.in_sight_arc(u, p) and ng.distance_to_point(u, p) <= 8
    whole = 2 * x * 8
    share = hits / n
    assert abs(share * whole - exact) < 4 * whole * math.sqrt(share * (1 - share) / n)


def test_03_metric():
    """V-RNK-03."""
    charger = unit("A", "A", 0, 0, move=8)
    target = unit("T", "B", 6, 9, SOUTH)
    edge = nst.make_state([charger, target])
    verdict = nd.legal(edge, "A", "T")
    assert verdict.ok
    assert verdict.side == "front"
    assert verdict.distance == pytest.approx(math.sqrt(53), abs=EXACT)
    old = nst.make_state([charger, target], switches=nst.switches_of(distance="centre_side"))
    verdict = nd.legal(old, "A", "T")
    assert verdict.reason == "RNK-DECL-06"
    assert verdict.distance == pytest.approx(math.sqrt(85), abs=EXACT)


@pytest.mark.parametrize(
    ("kind", "corners", "any_seen", "centre_seen"),
    [
        ("unit", (-1, 4, 1, 5), True, False),
        ("unit", (-8, 4, 8, 5), False, False),
        ("building", (-1, 4, 1, 5), True, False),
        ("forest", (-8, 7.5, 8, 12), True, True),
        ("forest", (-8, 4, 8, 5), False, False),
        ("forest", (-8, -3, 8, 4), True, True),  # the charger looks out
        ("forest", (-8, 1, 8, 4), False, False),  # it stands behind it
        ("impassable", (-8, 4, 8, 5), True, True),
    ],
)
def test_04_line_of_sight(kind, corners, any_seen, centre_seen):
    """V-RNK-04, and what a forest before the unit does."""
    x0, y0, x1, y1 = corners
    units, land = [unit("A", "A", 0, 0), unit("T", "B", 0, 9)], []
    if kind == "unit":
        units.append(unit("X", "A", (x0 + x1) / 2, (y0 + y1) / 2, w=x1 - x0, d=y1 - y0))
    else:
        land.append(box(kind, *corners))
    for how, seen in (("any", any_seen), ("centre", centre_seen)):
        state = nst.make_state(units, land, switches=nst.switches_of(los=how))
        assert nd.sight(state, state.units["A"], state.units["T"]) is seen


def test_04_no_sight_between_units_side_by_side():
    """Two that touch leave no gap; a gap of a thousandth is one."""
    for gap, seen in ((0.0, False), (1e-3, True)):
        units = [unit("A", "A", 0, 0), unit("T", "B", 0, 9)]
        units.append(unit("X", "A", -4, 4.5, w=8, d=1))
        units.append(unit("Y", "A", 4 + gap, 4.5, w=8, d=1))
        state = nst.make_state(units)
        assert nd.sight(state, units[0], units[1]) is seen


def test_04_critical_lines_see_all_that_samples_see():
    """A dense sample of lines never sees more; and the reverse holds but for narrow gaps."""
    rng = random.Random(4)
    differ = 0
    for _ in range(120):
        target = unit("T", "B", rng.uniform(-6, 6), rng.uniform(8, 14), spin(rng))
        solids = []
        for _ in range(4):
            x, y = rng.uniform(-7, 7), rng.uniform(2, 6)
            solids.append(ns.rectangle((x, y), spin(rng), rng.uniform(1, 5), rng.uniform(1, 3)))
        part = ng.part_in_arc(A, target.corners())
        if not part:
            continue
        exact = ng.any_line(A, part, solids, [])
        sampled = ng.sampled_line(A, part, solids, [], 25)
        assert exact or not sampled
        differ += exact != sampled
    assert differ <= 6


def spin(rng):
    """A random facing."""
    return ns.facing_from_degrees(rng.uniform(0, 360))


@pytest.mark.parametrize(
    ("facing", "point", "side"),
    [
        (NORTH, (0, 6), "front"),
        (NORTH, (6, 5), "right"),
        (NORTH, (5.5, 5), "front"),
        (NORTH, (6, 0), "right"),
        (NORTH, (-3, -6), "rear"),
        (NORTH, (-7, -5), "left"),
        (NORTH, (7, -6), "right"),
        (NORTH, (3, 2), "right"),
        (NORTH, (0, -2), "rear"),
        (EAST, (0, 6), "left"),
        (EAST, (6, 0), "front"),
        (EAST, (5, 4), "front"),
    ],
)
def test_05_side(facing, point, side):
    """V-RNK-05."""
    assert ng.side_hit(unit("T", "B", 0, 0, facing, d=3.0), point) == side


def test_05_tie_order_is_a_switch():
    """The tie goes to the side that stands first."""
    assert ng.side_hit(T, (5.5, 5), ("right", "rear", "front", "left")) == "right"


# ---------------------------------------------------------------- 06 to 10


@pytest.mark.parametrize(
    ("w", "d", "front", "left"), [(4, 3, 0.26877, 0.23123), (4, 4, 0.25, 0.25)]
)
def test_06_arc_share(w, d, front, left):
    """V-RNK-06."""
    target, n = unit("T", "B", 0, 0, w=w, d=d), 100_000
    count = dict.fromkeys(nst.SIDES, 0)
    for k in range(n):
        angle = 2 * math.pi * (k + 0.5) / n
        count[ng.side_hit(target, (6 * math.cos(angle), 6 * math.sin(angle)))] += 1
    for side in nst.SIDES:
        share = front if side in ("front", "rear") else left
        assert count[side] / n == pytest.approx(share, abs=4e-5)
    a, b = w / 2, d / 2
    t = (-(a + b) + math.sqrt((a + b) ** 2 - 2 * (a * a + b * b - 36))) / 2
    if d == 3:
        assert t == pytest.approx(2.48527, abs=5e-6)
    assert 2 * math.atan2(a + t, b + t) / (2 * math.pi) == pytest.approx(front, abs=5e-6)


@pytest.mark.parametrize(
    ("closed", "point", "side"),
    [
        ({"right"}, (6, 5), "front"),
        ({"right"}, (6, 1), None),
        ({"rear"}, (1, -6), "right"),
        ({"rear"}, (-1, -6), "left"),
        ({"rear"}, (0, -6), "left"),
        ({"front"}, (0, 6), None),
        ({"rear", "right"}, (1, -6), None),
        ({"right", "front"}, (6, 5), None),
        (set(), (6, 1), "right"),
    ],
)
def test_07_fallback(closed, point, side):
    """V-RNK-07."""
    first = ng.side_hit(T, point)
    assert ng.open_side(T, point, first, closed.__contains__) == side


def test_07_more_steps_change_nothing_and_none_forbids():
    """From the rear arc nothing is ahead of the front line, so a second step never helps."""
    rng = random.Random(7)
    for _ in range(500):
        point = (rng.uniform(-9, 9), rng.uniform(-9, 9))
        closed = set(rng.sample(nst.SIDES, rng.randrange(4)))
        first = ng.side_hit(T, point)
        one, two, none = (
            ng.open_side(T, point, first, closed.__contains__, steps) for steps in (1, 2, 0)
        )
        assert one == two
        assert none == (None if first in closed else first)


@pytest.mark.parametrize(
    ("one", "d1", "two", "d2", "how", "point", "centre1", "centre2"),
    [
        ((0, 0), 2, (0, 10), 4, "front_gap", (0, 4.5), (0, 3.5), (0, 6.5)),
        ((0, 0), 2, (0, 10), 4, "centres", (0, 5), (0, 4), (0, 7)),
        ((0, 0), 2, (6, 8), 2, "front_gap", (3, 4), (2.4, 3.2), (3.6, 4.8)),
        ((2, 1), 2, (10, 1), 3, "front_gap", (5.75, 1), (4.75, 1), (7.25, 1)),
    ],
)
def test_08_meeting(one, d1, two, d2, how, point, centre1, centre2):
    """V-RNK-08."""
    first, second = unit("1", "A", *one, d=d1), unit("2", "B", *two, SOUTH, d=d2)
    m, (c1, f1), (c2, f2) = ng.meeting(first, second, how)
    assert near(m, point)
    assert near(c1, centre1)
    assert near(c2, centre2)
    assert near(f1, (-f2[0], -f2[1]))


@pytest.mark.parametrize(
    ("side", "centre", "facing"),
    [
        ("front", (0, 2), SOUTH),
        ("right", (2.5, 0), WEST),
        ("rear", (0, -2), NORTH),
        ("left", (-2.5, 0), EAST),
    ],
)
def test_09_contact(side, centre, facing):
    """V-RNK-09."""
    at, to = ng.contact_pose(unit("u", "A", 0, 9, w=2, d=1), T, side)
    assert near(at, centre)
    assert near(to, facing)


@pytest.mark.parametrize(
    ("low", "high", "start", "s"),
    [(-1, 0.2, -5, 1.2), (-1, 0.2, 5, 1.2), (-0.5, 0.5, 5, 1.5), (-0.5, 0.5, -5, -1.5)],
)
def test_09_slide(low, high, start, s):
    """V-RNK-09: past an obstacle along the front."""
    charger = unit("u", "A", start, 9, w=2, d=1)
    piece = [(low, 1.5), (high, 1.5), (high, 2.5), (low, 2.5)]
    assert ng.slide_spot(charger, T, "front", [piece]) == pytest.approx(s, abs=EXACT)


def test_09_slide_ends_where_only_corners_would_touch():
    """V-RNK-09: |s| < 3."""
    charger = unit("u", "A", 0, 9, w=2, d=1)
    for half, s in ((1.999, 2.999), (2.0, None)):
        piece = [(-half, 1.5), (half, 1.5), (half, 2.5), (-half, 2.5)]
        got = ng.slide_spot(charger, T, "front", [piece])
        assert got == (None if s is None else pytest.approx(s, abs=EXACT))
    # the other way for the first obstacle of the vector is -2
    piece = [(-1, 1.5), (0.2, 1.5), (0.2, 2.5), (-1, 2.5)]
    beyond = [(0.2, 1.5), (9, 1.5), (9, 2.5), (0.2, 2.5)]
    assert ng.slide_spot(charger, T, "front", [piece, beyond]) == pytest.approx(-2, abs=EXACT)


@pytest.mark.parametrize("rock", [False, True])
def test_10_earlier_charger_blocks(rock):
    """V-RNK-10."""
    x = unit("X", "A", 0, 12, SOUTH, w=10)
    y = unit("Y", "A", 12, 0, WEST, w=6)
    state = nst.make_state([x, y, copy.deepcopy(T)])
    assert nd.declare(state, "X", "T").side == "front"
    assert nd.declare(state, "Y", "T").side == "right"
    first, second = state.order
    assert nres.resolve_contact(state, first) == ("charge", "X", "T")
    assert near(state.units["X"].at, (0, 2.5))
    if rock:
        # put there only now: X too would have had to slide off it
        state.terrain.append(box("impassable", 2, -10, 4, 10))
    step = nres.resolve_contact(state, second)
    if rock:
        assert step == ("failed", "Y", "T")
        assert state.units["Y"].at == (12, 0)
        assert state.units["Y"].facing == WEST
        assert not state.units["Y"].in_combat
    else:
        assert near(state.units["Y"].at, (3, -1.5))
        assert state.units["T"].engaged_sides == {"front", "right"}


# ---------------------------------------------------------------- 11 to 15


def interception(gap, flank=False, friend=False, **switches):
    """E charges P from 12 away; the state, and the verdict on Q charging E."""
    e = unit("E", "B", 0, 0)
    p = unit("P", "A", -1.5, 14, SOUTH, w=1)
    q = unit("Q", "A", 1.5, 2 + gap, SOUTH, w=1)
    if flank:
        q = unit("Q", "A", 3 + gap, 0, WEST, w=1)
    f = unit("F", "A", -14, 0, EAST)
    state = nst.make_state([e, p, q, f], switches=nst.switches_of(**switches))
    assert nd.declare(state, "E", "P").distance == pytest.approx(12, abs=EXACT)
    if friend:
        state.order.append(nst.Charge("F", "E", "left", 11.0, 1))
    return state, nd.legal(state, "Q", "E")


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


# ---------------------------------------------------------------- 16 to 20


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


# ---------------------------------------------------------------- switches and editions


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


# ---------------------------------------------------------------- properties


def random_state(rng, n=3, land=True):
    """Three units a side, none overlapping, and perhaps some terrain."""
    state = nst.make_state([])
    if land and rng.random() < 0.5:
        x, y = rng.uniform(-8, 8), rng.uniform(-8, 8)
        kind = rng.choice(["forest", "building", "impassable"])
        state.terrain.append(box(kind, x, y, x + rng.uniform(1, 5), y + rng.uniform(1, 5)))
    names = [f"{side}{i}" for i in range(n) for side in "AB"]
    while names:
        side = names[0][0]
        y = rng.uniform(1, 12) * (1 if side == "B" else -1)
        turned = rng.gauss(180 if side == "B" else 0, 60)
        new = unit(
            names[0],
            side,
            rng.uniform(-12, 12),
            y,
            ns.facing_from_degrees(turned),
            rng.uniform(2, 6),
            rng.uniform(1, 4),
            rng.choice([6.0, 8.0, 14.0, 18.0]),
        )
        if ng.clear(new.corners(), nst.obstacles(state)):
            state.units[names.pop(0)] = new
    return state


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


# ---------------------------------------------------------------- combat


def horse(**more):
    """Ten chargers, five wide, that wound the foot with 4/9."""
    return nc.Profile(**({"models": 10, "wide": 5, "skill": 5, "power": 5, "defense": 5} | more))


def foot(**more):
    """Twenty, five wide, Discipline 7, that wound the chargers with 1/6."""
    return nc.Profile(**({"models": 20, "wide": 5, "discipline": 7} | more))


def test_cmb_two_dice():
    """P(2d6 <= t)."""
    ways = [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]
    assert [nc.two_dice_at_most(t) for t in range(2, 13)] == [Fraction(k, 36) for k in ways]
    assert nc.rally_chance(5, 2) == Fraction(21, 36)


def test_cmb_dice():
    """Dice by side."""
    assert nc.attack_dice(foot(), {"front"}) == {"front": 10}
    assert nc.attack_dice(foot(), {"left"}) == {"left": 4}
    assert nc.attack_dice(foot(), {"rear"}) == {"rear": 0}
    assert nc.attack_dice(foot(attacks=2), {"front"}) == {"front": 15}
    assert nc.attack_dice(foot(attacks=0), {"front"}) == {"front": 0}
    spears = foot(spear_and_shield=True)
    assert nc.attack_dice(spears, {"front"}, False) == {"front": 15}
    assert nc.attack_dice(spears, {"front"}, True) == {"front": 10}
    # each model once, the front first
    assert nc.attack_dice(foot(), {"front", "right"}) == {"front": 10, "right": 2}
    assert nc.attack_dice(foot(charge_attacks=1), {"front"}, True) == {"front": 15}
    assert nc.silenced({"rear", "front"}) == {"rear"}
    assert nc.silenced({"rear", "front"}, "whole_unit") == {"rear", "front"}


def test_cmb_hit_save_and_wounds():
    """Ten dice, 4+ to hit, 3+ save."""
    assert [nc.save_needed(k, 0) for k in (4, 3, 2, 1, 0, -1, -2, -3)] == [6, 6, 5, 5, 4, 3, 3, 2]
    assert (nc.hit_needed(5, 4), nc.hit_needed(4, 4), nc.hit_needed(3, 4)) == (3, 4, 4)
    assert nc.wound_chance(horse(), foot(), True) == Fraction(4, 9)
    assert nc.wound_chance(foot(), horse()) == Fraction(1, 6)
    dist = nc.wound_distribution(10, Fraction(1, 6))
    assert sum(dist) == 1
    assert sum(k * p for k, p in enumerate(dist)) == Fraction(5, 3)
    assert dist[0] == Fraction(5, 6) ** 10
    assert float(dist[0]) == pytest.approx(0.16151, abs=5e-6)
    assert float(sum(dist[3:])) == pytest.approx(0.22477, abs=5e-6)


def test_cmb_ranks_and_casualties():
    """Full ranks, a partial one of three, the pool of wounds."""
    counts = [nc.rank_count(m, 5) for m in (20, 18, 17, 13, 10, 8, 7, 5, 3, 2)]
    assert counts == [4, 4, 3, 3, 2, 2, 1, 1, 1, 0]
    assert nc.rank_count(2, 2) == 0
    assert nc.casualties(10, 3, 2, 5) == (8, 1)
    assert nc.casualties(2, 1, 0, 7) == (0, 0)
    assert [nc.rank_bonus(r, False) for r in range(6)] == [0, 0, 1, 2, 2, 2]


PRICES = [
    ("front", "before", 0.19282, 0.74562),
    ("front", "after", 0.27311, 0.70047),
    ("left", "before", 0.66122, None),
    ("left", "after", 0.75454, None),
    ("rear", "before", 0.74246, None),
    ("rear", "after", 0.82292, None),
]


@pytest.mark.parametrize(("side", "when", "breaks", "higher"), PRICES)
def test_cmb_price_of_a_flank(side, when, breaks, higher):
    """V-RNK-CMB."""
    got = nc.fight_exact(horse(), foot(), side, ranks_when=when)
    assert float(got["target_breaks"]) == pytest.approx(breaks, abs=5e-6)
    if higher is not None:
        assert float(got["charger_higher"]) == pytest.approx(higher, abs=5e-6)
    assert got["charger_higher"] + got["target_higher"] + got["tie"] == 1
    for who in ("charger", "target"):
        assert sum(got[f"{who}_{f}"] for f in ("stands", "breaks", "destroyed")) == 1


@pytest.mark.parametrize(
    ("mine", "theirs", "side", "counter"),
    [
        ({}, {}, "front", False),
        ({}, {}, "left", False),
        ({}, {}, "rear", False),
        ({"charge_power": 2}, {"charge_attacks": 1}, "front", True),
        ({"models": 4, "reanimated": True}, {"fearless": True, "models": 8}, "front", False),
        ({"wounds": 3, "banners": 1}, {"construct": True, "models": 3}, "right", False),
    ],
)
def test_cmb_dice_against_the_sum(mine, theirs, side, counter):
    """The sampled round agrees with the exact one."""
    exact = nc.fight_exact(horse(**mine), foot(**theirs), side, counter)
    rng, n = random.Random(5), 3000
    count = dict.fromkeys(exact, 0)
    for _ in range(n):
        fighters = nc.duel_fighters(horse(**mine), foot(**theirs), side, counter)
        out = nc.simulate_engagement(fighters, ["charger", "target"], rng)
        for who in ("charger", "target"):
            count[f"{who}_{out['fate'][who]}"] += 1
        a, b = out["scores"]["A"], out["scores"]["B"]
        count["tie" if a == b else "charger_higher" if a > b else "target_higher"] += 1
    for key, p in exact.items():
        p = float(p)
        assert abs(count[key] / n - p) <= 4 * math.sqrt(max(p * (1 - p), 1 / n) / n), key


def test_cmb_broken_between_two_and_commanders():
    """Opposite enemies destroy; commanders lead, duel and are out of reach behind a retinue."""
    assert nc.destroyed_when_broken({"left", "right"}, 8)
    assert nc.destroyed_when_broken({"front", "rear"}, 8)
    assert not nc.destroyed_when_broken({"front", "left"}, 8)
    assert nc.destroyed_when_broken({"front"}, 0.5)
    led = foot(commander=nc.Commander(discipline=9))
    assert nc.discipline_of(led) == 9
    assert not nc.rank_and_file_may_hit(led)
    led.commander.lost = 1
    assert nc.discipline_of(led) == 7
    assert nc.break_target(foot(fearless=True), 4, 6) == 11
    fighters = nc.duel_fighters(
        horse(attacks=0, commander=nc.Commander(attacks=600, skill=9)),
        foot(attacks=0, commander=nc.Commander(attacks=0, wounds=3)),
        "front",
    )
    out = nc.simulate_engagement(fighters, ["charger", "target"], random.Random(1))
    assert fighters["target"].profile.models == 20
    assert fighters["target"].profile.commander.lost == out["wounds"]["charger"] > 100


def test_cmb_rally_run():
    """RNK-CMB-11: to the nearest edge."""
    table = (0, 0, 48, 48)
    assert nc.run_to_edge((10, 30), 8, table) == ((2, 30), WEST, False)
    assert nc.run_to_edge((40, 44), 8, table) == ((40, 52), NORTH, True)


# ---------------------------------------------------------------- the whole phase


def battle(**more):
    """Horse before foot, twelve apart."""
    return {
        "turn": 2,
        "first": "A",
        "unit": {
            "horse": {
                "side": "A",
                "at": [0, 0],
                "frontage": 5,
                "depth": 2,
                "move": 16,
                "profile": {"models": 10, "skill": 5, "power": 5, "defense": 5},
            },
            "foot": {
                "side": "B",
                "at": [0, 15],
                "facing": 180,
                "frontage": 5,
                "depth": 4,
                "move": 8,
                "profile": {"models": 20},
            },
        },
        "charge": [{"unit": "horse", "target": "foot"}],
    } | more


def test_battle_breaks_as_often_as_the_sum_says():
    """The whole phase, die by die."""
    exact = float(nc.fight_exact(horse(), foot(), "front")["target_breaks"])
    rng, n, broken = random.Random(9), 1500, 0
    for _ in range(n):
        out = nr.simulate_battle(battle(), rng=rng)
        assert out["charges"][0]["outcome"] == "contact"
        broken += out["units"]["foot"]["fleeing"]
    assert abs(broken / n - exact) < 4 * math.sqrt(exact * (1 - exact) / n)


def test_battle_reactions():
    """Counter-charge and flight as asked for; a passive game; a random one with noise."""
    rng = random.Random(11)
    out = nr.simulate_battle(battle(reaction={"foot": "counter"}), rng=rng)
    assert [c["outcome"] for c in out["charges"]] == ["contact"]  # out of the foot's reach
    near_foot = battle(reaction={"foot": "counter"})
    near_foot["unit"]["foot"]["at"] = [0, 10]
    out = nr.simulate_battle(near_foot, rng=rng)
    assert [c["outcome"] for c in out["charges"]] == ["met", "met"]
    out = nr.simulate_battle(battle(reaction={"foot": "flee"}), rng=rng)
    assert out["charges"][0]["outcome"] == "pursued"
    assert out["units"]["foot"]["fleeing"]
    assert out["combats"] == []
    assert near(out["units"]["foot"]["at"], (0, 23))
    out = nr.simulate_battle(battle(), nr.passive_policy, rng)
    assert out["charges"] == []
    noisy = battle()
    noisy["unit"]["horse"]["noise"] = {"x": 1, "y": 1, "facing": 10}
    for _ in range(20):
        out = nr.simulate_battle(noisy, nr.random_policy, rng)
        assert set(out["units"]) == {"horse", "foot"}


def test_battle_older_edition_and_started_fight():
    """An edition by name; a fight that was there before goes on without a charge bonus."""
    rng = random.Random(12)
    out = nr.simulate_battle(battle(switches={"edition": "older"}), rng=rng)
    assert out["notes"]["distance"] == "centre_side"
    begun = battle(
        contact=[{"unit": "horse", "unit_side": "front", "enemy": "foot", "enemy_side": "front"}]
    )
    begun["unit"]["horse"]["at"] = [0, 12]
    out = nr.simulate_battle(begun, rng=rng)
    assert out["charges"] == []
    assert len(out["combats"]) == 1
