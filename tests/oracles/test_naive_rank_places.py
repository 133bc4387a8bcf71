"""The naive ranked regiments against the vectors of places: sight, sides, room."""

import copy
import math
import random
from pathlib import Path

import pytest

from . import naive_rank_declare as nd
from . import naive_rank_geometry as ng
from . import naive_rank_resolve as nres
from . import naive_rank_shapes as ns
from . import naive_rank_state as nst
from .rank_cases import EAST, EXACT, NORTH, SOUTH, WEST, A, T, box, near, spin, unit

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


def test_every_rule_has_its_function():
    """All ids of the specification are named in a docstring."""
    text = "".join(p.read_text() for p in Path(__file__).parent.glob("naive_rank*.py"))
    ids = [f"RNK-{part}-{i:02}" for part, n in TALLIES.items() for i in range(1, n + 1)]
    assert [i for i in ids if i not in text] == []


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
