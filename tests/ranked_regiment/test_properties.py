"""Properties of section 5, and the geometry against plain search."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import numpy as np
import pytest
from ranked_regiment.build import Hands, block, facing, unit

from chargesim.kernels import geometry as g
from chargesim.rulesets.ranked_regiment.rules_sight import is_clear, slides_to, survey
from chargesim.rulesets.ranked_regiment.state import Face, Why

FRONT = int(Face.FRONT)


def test_the_sight_arc_is_the_front_arc_outside_the_rectangle() -> None:
    rng = np.random.default_rng(1)
    a, b = 2.0, 1.5
    for u, v in rng.uniform(-9, 9, (4000, 2)):
        if abs(u) <= a and abs(v) <= b:
            continue
        seen = g.arc_distance(float(u), float(v), a, b) >= 0
        assert seen == (g.side_at(float(u), float(v), a, b) == FRONT)


def test_arcs_of_four_sides_cover_the_plane_and_follow_the_scores() -> None:
    rng = np.random.default_rng(2)
    for u, v in rng.uniform(-9, 9, (2000, 2)):
        scores = [v - 1.5, -u - 2, u - 2, -v - 1.5]
        assert g.side_at(float(u), float(v), 2.0, 1.5) == int(np.argmax(scores))


def test_a_flight_is_legal_when_the_final_gap_is_none_or_more() -> None:
    """For units in line, facing along it."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        look = float(rng.uniform(0, 360))
        gap, mine, theirs = (float(x) for x in rng.uniform((2, 6, 1), (9, 16, 14)))
        d0, d1 = (float(x) for x in rng.uniform(1, 4, 2))
        if gap > mine:
            continue
        far = gap + (d0 + d1) / 2
        x, y = far * sin(look * pi / 180), far * cos(look * pi / 180)
        hands = Hands(
            {
                "a": unit("active", 0, 0, look, 4, d0, mine),
                "r": unit("reactive", x, y, look, 4, d1, theirs),
            },
            switches={"run_blocked": "full_move"},
        )
        hands.charge("a", "r")
        legal = hands.why_not_flee("r") == Why.LEGAL
        assert legal == (gap + theirs - mine >= -1e-9)
        if legal:
            hands.flee("r")
            hands.resolve()
            (ax, ay, _, _), (rx, ry, _, _) = hands.pose("a"), hands.pose("r")
            between = hypot(rx - ax, ry - ay) - (d0 + d1) / 2
            assert between == pytest.approx(gap + theirs - mine, abs=1e-9)


def inside(px: float, py: float, corners: tuple[tuple[float, float], ...]) -> bool:
    """Plain test of a point in a polygon."""
    odd = False
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y0 > py) != (y1 > py) and px < x0 + (py - y0) / (y1 - y0) * (x1 - x0):
            odd = not odd
    return odd


def test_sight_against_plain_search() -> None:
    """What a search through many lines sees is seen; of what is hidden none of them sees any."""
    rng = np.random.default_rng(4)
    seen, hidden, missed = 0, 0, 0
    for _ in range(150):
        pieces = []
        for _ in range(int(rng.integers(1, 5))):
            x, y = float(rng.uniform(-7, 5)), float(rng.uniform(1.2, 7))
            w, h = float(rng.uniform(1, 8)), float(rng.uniform(0.2, 2))
            # an arrow head: not convex
            corners = ((x, y), (x + w, y), (x + w, y + h), (x + w / 2, y + h / 4), (x, y + h))
            pieces.append({"kind": "cliff", "polygon": corners})
        t = unit("reactive", float(rng.uniform(-4, 4)), 11, float(rng.uniform(150, 210)), 3, 2)
        hands = Hands({"a": unit("active", 0, 0), "t": t}, terrain=pieces)
        said = int(survey(hands.game, 0, 1)["sight"])
        assert said in (0, Why.HIDDEN)
        cx, cy, fx, fy = hands.pose("t")
        found = False
        for s in np.linspace(-2, 2, 17):
            for u in np.linspace(-1.5, 1.5, 13):
                ex, ey = cx + u * fy + fx, cy - u * fx + fy  # its front edge is nearest
                points = [
                    (s + k / 80 * (ex - s), 1 + k / 80 * (ey - 1)) for k in range(1, 80)
                ]  # fmt: skip
                if not any(inside(*p, piece["polygon"]) for p in points for piece in pieces):
                    found = True
                    break
            if found:
                break
        seen += said == 0
        hidden += said != 0
        missed += said == 0 and not found
        if said != 0 and found:
            # the search steps over thin corners: look closer at what it found
            fine = [(s + k / 4000 * (ex - s), 1 + k / 4000 * (ey - 1)) for k in range(1, 4000)]
            assert any(inside(*p, piece["polygon"]) for p in fine for piece in pieces)
    assert seen > 30
    assert hidden > 10
    assert missed < seen / 4


def test_slides_against_plain_search() -> None:
    rng = np.random.default_rng(5)
    slid, failed = 0, 0
    for _ in range(250):
        pieces = []
        for _ in range(int(rng.integers(1, 4))):
            x, y = float(rng.uniform(-5, 4)), float(rng.uniform(0.5, 3))
            w, h = float(rng.uniform(0.3, 4)), float(rng.uniform(0.2, 3))
            corners = ((x, y), (x + w, y), (x + w, y + h), (x + w / 2, y + h / 4), (x, y + h))
            pieces.append({"kind": "impassable", "polygon": corners})
        width = float(rng.uniform(0.5, 5))
        hands = Hands(
            {
                "t": unit("reactive", 0, -1, 0, 4, 2),
                "u": unit("active", float(rng.uniform(-3, 3)), 15, 180, width, 1.5),
                "w": unit(
                    "active", float(rng.uniform(-4, 4)), 1.2, float(rng.uniform(0, 90)), 1, 1
                ),
            },
            terrain=pieces,
        )
        s = float(slides_to(hands.game, 1, 0, FRONT))
        limit = 2 + width / 2

        def clear(s: float, hands: Hands = hands, width: float = width) -> bool:
            return bool(is_clear(hands.game, s, 0.75, 0.0, -1.0, width / 2, 0.75, 1, 0))

        steps = [k / 200 for k in range(int(limit * 200)) if k / 200 < limit]
        nearest = next((k for k in steps if clear(k) or clear(-k)), None)
        if s > 1e8:
            failed += 1
            assert nearest is None
            continue
        assert abs(s) < limit
        assert clear(s) or clear(s + 1e-9) or clear(s - 1e-9)
        slid += s != 0
        if nearest is not None:
            assert abs(s) <= nearest + 1e-9
        assert not any(clear(x) or clear(-x) for x in steps if x < abs(s) - 1e-6)
    assert slid > 50
    assert failed > 3


def test_more_room_never_makes_a_charge_illegal() -> None:
    rng = np.random.default_rng(6)
    for _ in range(60):
        x, y = float(rng.uniform(-9, 9)), float(rng.uniform(3, 12))
        units = {
            "a": unit("active", 0, 0, facing(x, y), 3, 2, 20),
            "t": unit("reactive", x, y + 2, float(rng.uniform(0, 360)), 3, 2),
        }
        wall = block(float(rng.uniform(-9, 0)), float(rng.uniform(1, 9)), 2.1, 2.6, "rocks")
        walled = Hands(units, terrain=[wall]).why("a", "t")
        free = Hands(units).why("a", "t")
        assert free == Why.LEGAL or walled != Why.LEGAL
