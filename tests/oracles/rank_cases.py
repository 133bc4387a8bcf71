"""Units, terrain and numbers that the tests of the naive ranked regiments share."""

import math

import pytest

from . import naive_rank_declare as nd
from . import naive_rank_geometry as ng
from . import naive_rank_shapes as ns
from . import naive_rank_state as nst

NORTH, SOUTH, EAST, WEST = (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)
EXACT = 1e-9


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


def spin(rng):
    """A random facing."""
    return ns.facing_from_degrees(rng.uniform(0, 360))


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
