"""The compiled geometry against shapely, which knows nothing of it."""

from __future__ import annotations

from math import hypot, pi
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate, translate

from chargesim.kernels import geometry as g
from chargesim.rulesets.ranked_regiment.drawing import reach_region
from chargesim.rulesets.ranked_regiment.legality import corners_of, crosses_itself
from chargesim.rulesets.ranked_regiment.scenario import Unit
from chargesim.rulesets.ranked_regiment.state import cos_sin

FAR = 1000.0
CASES = 2000


class Body:
    """A random body, for the kernels and for shapely."""

    def __init__(self, rng: np.random.Generator, wide: float = 12.0) -> None:
        self.x, self.y = rng.uniform(-wide, wide, 2)
        turn = rng.choice([0, 1, 2, 3]) * pi / 2 if rng.random() < 0.3 else rng.uniform(0, 2 * pi)
        self.fx, self.fy = float(np.sin(turn)), float(np.cos(turn))
        self.a, self.b = rng.uniform(0.5, 4, 2)
        self.pose = (self.x, self.y, self.fx, self.fy, self.a, self.b)

    def point(self, u: float, v: float) -> tuple[float, float]:
        return self.x + u * self.fy + v * self.fx, self.y - u * self.fx + v * self.fy

    @property
    def shape(self) -> Polygon:
        a, b = self.a, self.b
        return Polygon([self.point(*c) for c in ((-a, -b), (a, -b), (a, b), (-a, b))])

    @property
    def arc(self) -> Polygon:
        """Its sight arc, as far as matters here."""
        a, b = self.a, self.b
        corners = ((-a, b), (a, b), (a + FAR, b + FAR), (-a - FAR, b + FAR))
        return Polygon([self.point(*c) for c in corners])


def blob(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Corners of a star-shaped polygon, anticlockwise, seldom convex."""
    n = int(rng.integers(3, 9))
    turns = np.sort(rng.uniform(0, 2 * pi, n))
    while np.diff(np.append(turns, turns[0] + 2 * pi)).max() > 3:
        turns = np.sort(rng.uniform(0, 2 * pi, n))
    far = rng.uniform(1, 5, n)
    x, y = rng.uniform(-8, 8, 2)
    return np.stack([x + far * np.cos(turns), y + far * np.sin(turns)], 1)


def room(corners: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    xs, ys = np.zeros(g.ROOM), np.zeros(g.ROOM)
    xs[: len(corners)], ys[: len(corners)] = corners[:, 0], corners[:, 1]
    return xs, ys


def in_arc(one: Body, other: Body) -> tuple[Any, Any, int]:
    """The part of a body in another's arc, in the frame of that, from its front edge."""
    xs, ys, tx, ty = (np.zeros(g.ROOM) for _ in range(4))
    n = g.rectangle(xs, ys, *other.pose)
    g.into_frame(xs, ys, n, one.x, one.y, one.fx, one.fy)
    ys[:n] -= one.b
    return xs, ys, g.cut_to_arc(xs, ys, n, one.a, tx, ty)


def test_the_part_in_the_arc_and_its_distance() -> None:
    rng = np.random.default_rng(1)
    seen = 0
    for _ in range(CASES):
        one, other = Body(rng), Body(rng)
        xs, ys, n = in_arc(one, other)
        part = one.arc.intersection(other.shape)
        size = g.area(xs, ys, n) if n > 2 else 0.0
        assert size == pytest.approx(part.area, abs=1e-6)
        if part.area > 1e-6:
            seen += 1
            front = LineString([one.point(-one.a, one.b), one.point(one.a, one.b)])
            assert g.edge_to_polygon(one.a, xs, ys, n) == pytest.approx(
                front.distance(part), abs=1e-7
            )
    assert seen > CASES / 6


def test_points_in_the_arc() -> None:
    rng = np.random.default_rng(2)
    for _ in range(CASES):
        one = Body(rng)
        x, y = rng.uniform(-15, 15, 2)
        u = g.frame_u(x, y, one.x, one.y, one.fx, one.fy)
        v = g.frame_v(x, y, one.x, one.y, one.fx, one.fy)
        far = g.arc_distance(u, v, one.a, one.b)
        if one.arc.boundary.distance(Point(x, y)) > 1e-6:
            assert (far >= 0) == one.arc.contains(Point(x, y))
        if far >= 0:
            front = LineString([one.point(-one.a, one.b), one.point(one.a, one.b)])
            assert far == pytest.approx(front.distance(Point(x, y)), abs=1e-9)


def test_the_side_is_the_arc_that_holds_a_point() -> None:
    rng = np.random.default_rng(3)
    for _ in range(CASES):
        one = Body(rng)
        a, b = one.a, one.b
        x, y = rng.uniform(-15, 15, 2)
        u = g.frame_u(x, y, one.x, one.y, one.fx, one.fy)
        v = g.frame_v(x, y, one.x, one.y, one.fx, one.fy)
        corners = {
            "front": ((-a, b), (a, b), (a + FAR, b + FAR), (-a - FAR, b + FAR)),
            "left": ((-a, -b), (-a, b), (-a - FAR, b + FAR), (-a - FAR, -b - FAR)),
            "right": ((a, -b), (a, b), (a + FAR, b + FAR), (a + FAR, -b - FAR)),
            "rear": ((-a, -b), (a, -b), (a + FAR, -b - FAR), (-a - FAR, -b - FAR)),
        }
        arcs = [Polygon([one.point(*c) for c in shape]) for shape in corners.values()]
        holds = [arc.buffer(-1e-6).contains(Point(x, y)) for arc in arcs]
        if any(holds):
            assert holds.index(True) == g.side_at(u, v, a, b)


def test_overlaps() -> None:
    rng = np.random.default_rng(4)
    seen = np.zeros(2, int)
    for _ in range(CASES):
        one, other, corners = Body(rng, 5), Body(rng, 5), blob(rng)
        shared = one.shape.intersection(other.shape).area
        if shared == 0 or shared > 1e-5:
            assert g.bodies_overlap(*one.pose, *other.pose) == (shared > 0)
            seen[int(shared > 0)] += 1
        land, (xs, ys) = Polygon(corners), room(corners)
        shared = one.shape.intersection(land).area
        if shared == 0 or shared > 1e-5:
            assert g.body_on_polygon(*one.pose, xs, ys, len(corners)) == (shared > 0)
            px, py = room(np.array(one.shape.exterior.coords)[:-1])
            assert g.polygons_overlap(px, py, 4, xs, ys, len(corners)) == (shared > 0)
    assert (seen > CASES / 10).all()


def test_what_cuts_a_line_off() -> None:
    rng = np.random.default_rng(5)
    seen = np.zeros(2, int)
    for _ in range(2 * CASES):
        corners = blob(rng)
        land, (xs, ys) = Polygon(corners), room(corners)
        (x0, y0), (x1, y1) = rng.uniform(-12, 12, (2, 2))
        within = LineString([(x0, y0), (x1, y1)]).intersection(land)
        if 0 < within.length < 1e-5:
            continue
        found = g.is_cut_off(x0, y0, x1, y1, xs, ys, len(corners), False)
        assert found == (within.length > 0)
        # a wood hides only what lies behind it: some stretch in it that reaches neither end
        ends = Point(x0, y0), Point(x1, y1)
        stretches = [s for s in getattr(within, "geoms", [within]) if s.length > 1e-5]
        through = any(all(s.distance(end) > 1e-6 for end in ends) for s in stretches)
        assert g.is_cut_off(x0, y0, x1, y1, xs, ys, len(corners), True) == through
        seen[int(through)] += 1
    assert (seen > CASES / 10).all()


def test_points_within_and_the_rim() -> None:
    rng = np.random.default_rng(6)
    for _ in range(CASES):
        corners = blob(rng)
        land, (xs, ys) = Polygon(corners), room(corners)
        x, y = rng.uniform(-12, 12, 2)
        assert g.rim_distance(x, y, xs, ys, len(corners)) == pytest.approx(
            land.exterior.distance(Point(x, y)), abs=1e-9
        )
        assert g.is_within(x, y, xs, ys, len(corners)) == land.contains(Point(x, y))
        assert g.area(xs, ys, len(corners)) == pytest.approx(land.area)


def any_line_is_free(one: Body, part: Polygon, blocks: Any) -> bool:
    """Whether some of many lines from a front to a target's part meets none of the blocks."""
    share = np.linspace(-1, 1, max(int(2 * one.a / 0.15), 2))
    starts = np.array([one.point(one.a * u, one.b) for u in share])
    far = np.linspace(0, 1, max(int(part.length / 0.15), 4))
    goals = shapely.get_coordinates(part.exterior.interpolate(far, normalized=True))
    goals = np.concatenate([goals, np.array(part.exterior.coords)])
    ends = np.stack([np.repeat(starts, len(goals), 0), np.tile(goals, (len(starts), 1))], axis=1)
    lines = shapely.linestrings(ends)
    return bool((shapely.length(shapely.intersection(lines, blocks)) < 1e-9).any())


def test_sight_against_many_lines() -> None:
    """A free line is seen; where none is free, though all in the way shrinks, nothing is seen."""
    rng = np.random.default_rng(7)
    seen = np.zeros(2, int)
    for _ in range(220):
        one, other = Body(rng, 8), Body(rng, 8)
        xs, ys, n = in_arc(one, other)
        part = one.arc.intersection(other.shape)
        if part.area < 0.1 or one.shape.distance(other.shape) < 3:
            continue
        blocks: list[Polygon] = []
        for _ in range(40):
            block = Body(rng, 8)
            block.x = (one.x + other.x) / 2 + rng.uniform(-2, 2)
            block.y = (one.y + other.y) / 2 + rng.uniform(-2, 2)
            shape = block.shape
            if len(blocks) < 3 and not any(shape.intersects(x.shape) for x in (one, other)):
                blocks.append(shape)
        if len(blocks) < 3:
            continue
        ox, oy = np.zeros((3, g.CORNERS)), np.zeros((3, g.CORNERS))
        counts, woods = np.full(3, 4), np.zeros(3, bool)
        for o, shape in enumerate(blocks):
            px, py = room(np.array(shape.exterior.coords)[:-1])
            g.into_frame(px, py, 4, one.x, one.y, one.fx, one.fy)
            py[:4] -= one.b
            g.widen(px, py, 4, g.RIM, ox[o], oy[o])
        found = g.sees(one.a, xs, ys, n, ox, oy, counts, woods, 3)
        if any_line_is_free(one, part, shapely.unary_union(blocks)):
            assert found
            seen[1] += 1
        elif not any_line_is_free(
            one, part, shapely.unary_union([shape.buffer(-0.2) for shape in blocks])
        ):
            assert not found
            seen[0] += 1
    assert (seen > 10).all(), seen


def test_reach_regions_have_the_area_of_the_formula() -> None:
    """V-RNK-02: frontage times Move and a quarter of a circle, the arc drawn in short lines."""
    for facing in (0.0, 37.0, 270.0):
        unit = Unit(side="active", at=(3, -2), facing=facing, frontage=4, depth=2, move=8.0)
        area = Polygon(reach_region(unit)).area
        assert area == pytest.approx(32 + 16 * pi, rel=2e-3)
        assert Polygon(corners_of(unit)).equals_exact(
            translate(rotate(box(-2, -1, 2, 1), -facing, (0, 0)), 3, -2), 1e-9
        ) or Polygon(corners_of(unit)).symmetric_difference(
            translate(rotate(box(-2, -1, 2, 1), -facing, (0, 0)), 3, -2)
        ).area == pytest.approx(0, abs=1e-9)


def test_crossing_outlines_are_those_that_shapely_calls_invalid() -> None:
    rng = np.random.default_rng(8)
    seen = np.zeros(2, int)
    for _ in range(CASES):
        corners = rng.uniform(-5, 5, (int(rng.integers(3, 7)), 2))
        crosses = crosses_itself(tuple((float(x), float(y)) for x, y in corners))
        assert crosses == (not Polygon(corners).is_valid)
        seen[int(crosses)] += 1
    assert (seen > CASES / 10).all()


def test_cosines_and_sines_of_our_own() -> None:
    for angle in (*np.linspace(-20, 20, 4001), 0.0, pi, -pi, 2 * pi, 1e-12):
        c, s = cos_sin(float(angle))
        assert hypot(c - np.cos(angle), s - np.sin(angle)) < 4e-15
        assert c * c + s * s == pytest.approx(1, abs=1e-15)
