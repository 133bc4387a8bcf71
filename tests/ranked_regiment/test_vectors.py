"""The vectors of the charge phase and of combat, V-RNK-01 to V-RNK-20 and V-RNK-CMB."""

from __future__ import annotations

from math import atan2, cos, erf, hypot, pi, sin, sqrt

import numpy as np
import pytest
from ranked_regiment.build import Hands, battle, block, chances, facing, unit, words

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.kernels import geometry as g
from chargesim.rulesets.ranked_regiment.state import Face, Why

F, L, R, B = (int(face) for face in Face)
A = {"w": 4.0, "d": 2.0}
EXACT = {"abs": 1e-9}


def arc(x: float, y: float, at: tuple[float, ...] = (0, 0, 0, 1, 4, 2)) -> float:
    """Distance of a point in the arc of a body, -1 outside."""
    cx, cy, fx, fy, w, d = (float(v) for v in at)
    u, v = g.frame_u(x, y, cx, cy, fx, fy), g.frame_v(x, y, cx, cy, fx, fy)
    return float(g.arc_distance(u, v, w / 2, d / 2))


def test_V_RNK_01_arc() -> None:
    assert arc(0.0, 5.0) == pytest.approx(4, **EXACT)
    assert arc(5.0, 4.0) == pytest.approx(3 * sqrt(2), **EXACT)
    assert arc(5.0, 3.9) == -1
    assert arc(5.0, 4.1) > 0
    assert arc(0.0, 0.9) == -1
    assert arc(-2.0, 1.0) == pytest.approx(0, **EXACT)
    assert arc(-6.0, 5.5) == pytest.approx(6.0207972894, **EXACT)
    east = (0, 0, 1, 0, 4, 2)
    assert arc(5.0, -5.0, east) > 0
    assert arc(5.0, 0.0, east) == pytest.approx(4, **EXACT)
    assert arc(0.0, 5.0, east) == -1
    slanting = (10, 10, sqrt(0.5), sqrt(0.5), 3, 2)
    assert all(arc(x, y, slanting) >= 0 for x, y in ((14.0, 14.0), (10.0, 14.0), (14.0, 10.0)))


def test_V_RNK_02_reach_area() -> None:
    rng = np.random.default_rng(2)
    n = 40_000
    xs, ys = rng.uniform(-11, 11, n), rng.uniform(0, 10, n)
    inside = sum(0 <= arc(float(x), float(y)) <= 8 for x, y in zip(xs, ys, strict=True))
    p = inside / n
    assert p * 220 == pytest.approx(32 + 16 * pi, abs=4 * 220 * sqrt(p * (1 - p) / n))


@pytest.mark.parametrize(
    ("metric", "length", "why"),
    [("edge", sqrt(53), Why.LEGAL), ("centre_side", sqrt(85), Why.TOO_FAR)],
)
def test_V_RNK_03_metric(metric: str, length: float, why: Why) -> None:
    hands = Hands(
        {"a": unit("active", 0, 0, move=8.0), "t": unit("reactive", 6, 9, 180)},
        switches={"distance": metric},
    )
    assert hands.length("a", "t") == pytest.approx(length, **EXACT)
    assert hands.judge("a", "t") == (why, F)


@pytest.mark.parametrize(
    ("los", "terrain", "why"),
    [
        ("any", block(-1, 1, 4, 5, "rocks"), Why.LEGAL),
        ("centre", block(-1, 1, 4, 5, "rocks"), Why.HIDDEN),
        ("any", block(-8, 8, 4, 5, "rocks"), Why.HIDDEN),
        ("centre", block(-8, 8, 4, 5, "rocks"), Why.HIDDEN),
        ("any", block(-8, 8, 7.5, 12, "forest"), Why.LEGAL),
        ("any", block(-8, 8, 4, 5, "forest"), Why.HIDDEN),
    ],
)
def test_V_RNK_04_sight(los: str, terrain: dict[str, object], why: Why) -> None:
    hands = Hands(
        {"a": unit("active", 0, 0), "t": unit("reactive", 0, 9, 180)},
        terrain=[terrain],
        switches={"los": los},
    )
    from chargesim.rulesets.ranked_regiment.rules_sight import survey

    assert survey(hands.game, 0, 1)["sight"] == why


T = (0.0, 0.0, 0.0, 1.0, 2.0, 1.5)


def side(x: float, y: float, fx: float = 0.0, fy: float = 1.0) -> int:
    """Side of T at which a point lies."""
    u, v = g.frame_u(x, y, 0.0, 0.0, fx, fy), g.frame_v(x, y, 0.0, 0.0, fx, fy)
    return int(g.side_at(u, v, 2.0, 1.5))


def test_V_RNK_05_side() -> None:
    expected = {
        (0.0, 6.0): F, (6.0, 5.0): R, (5.5, 5.0): F, (6.0, 0.0): R, (-3.0, -6.0): B,
        (-7.0, -5.0): L, (7.0, -6.0): R, (3.0, 2.0): R, (0.0, -2.0): B,
    }  # fmt: skip
    assert {at: side(*at) for at in expected} == expected
    assert side(0.0, 6.0, 1.0, 0.0) == L
    assert side(6.0, 0.0, 1.0, 0.0) == F
    assert side(5.0, 4.0, 1.0, 0.0) == F


def test_V_RNK_06_arc_share() -> None:
    n = 100_000
    counts = [0, 0, 0, 0]
    for i in range(n):
        angle = 2 * pi * (i + 0.5) / n
        counts[side(6 * cos(angle), 6 * sin(angle))] += 1
    t = 2.4852713
    front = 2 * atan2(2 + t, 1.5 + t) / (2 * pi)
    assert front == pytest.approx(0.26877, abs=5e-6)
    for face in (F, B):
        assert counts[face] / n == pytest.approx(front, abs=3e-5)
    for face in (L, R):
        assert counts[face] / n == pytest.approx(0.23123, abs=3e-5)


def fallback(x: float, y: float, closed: int) -> tuple[Why, int]:
    """What becomes of a charge from a place when sides of T are closed, one bit each."""
    look = facing(-x, -y)
    hands = Hands({"t": unit("reactive", 0, 0, 0, 4, 3), "u": unit("active", x, y, look, 0.4, 0.4)})
    hands["t"]["closed"] = closed
    return hands.judge("u", "t")


def test_V_RNK_07_fallback() -> None:
    assert fallback(6, 5, 1 << R) == (Why.LEGAL, F)
    assert fallback(6, 1, 1 << R)[0] == Why.NOT_AHEAD
    assert fallback(1, -6, 1 << B) == (Why.LEGAL, R)
    assert fallback(-1, -6, 1 << B) == (Why.LEGAL, L)
    assert fallback(0, -6, 1 << B) == (Why.LEGAL, L)
    assert fallback(0, 6, 1 << F)[0] == Why.SIDE_TAKEN
    assert fallback(1, -6, 1 << B | 1 << R)[0] == Why.NEXT_SIDE_TAKEN


@pytest.mark.parametrize(
    ("one", "two", "midpoint", "ends"),
    [
        ((0, 0, 2), (0, 10, 4), "front_gap", ((0, 3.5), (0, 6.5))),
        ((0, 0, 2), (0, 10, 4), "centres", ((0, 4), (0, 7))),
        ((0, 0, 2), (6, 8, 2), "front_gap", ((2.4, 3.2), (3.6, 4.8))),
        ((2, 1, 2), (10, 1, 3), "front_gap", ((4.75, 1), (7.25, 1))),
    ],
)
def test_V_RNK_08_meeting(
    one: tuple[float, ...],
    two: tuple[float, ...],
    midpoint: str,
    ends: tuple[tuple[float, float], ...],
) -> None:
    look = facing(two[0] - one[0], two[1] - one[1])
    hands = Hands(
        {
            "a": unit("active", one[0], one[1], look, 4, one[2]),
            "b": unit("reactive", two[0], two[1], (look + 180) % 360, 4, two[2]),
        },
        switches={"midpoint": midpoint},
    )
    hands.charge("a", "b")
    hands.charge("b", "a")
    assert hands.resolve() == ["a"]
    for name, end in zip("ab", ends, strict=True):
        assert hands.pose(name)[:2] == pytest.approx(end, **EXACT)
    (_, _, fx, fy), (_, _, gx, gy) = hands.pose("a"), hands.pose("b")
    assert (fx, fy) == pytest.approx((-gx, -gy), **EXACT)


def strike(x: float, y: float, terrain: list[dict[str, object]] | None = None) -> Hands:
    """A small unit charges T from a place."""
    hands = Hands(
        {
            "t": unit("reactive", 0, 0, 0, 4, 3),
            "u": unit("active", x, y, facing(-x, -y), 2, 1),
        },
        terrain=terrain or [],
    )
    hands.charge("u", "t")
    hands.resolve()
    return hands


def test_V_RNK_09_contact() -> None:
    assert strike(0, 8).pose("u") == pytest.approx((0, 2, 0, -1), **EXACT)
    assert strike(8, 0).pose("u") == pytest.approx((2.5, 0, -1, 0), **EXACT)
    assert strike(0, -8).pose("u")[:2] == pytest.approx((0, -2), **EXACT)


def test_V_RNK_09_slide() -> None:
    def slid(x: float, lo: float, hi: float) -> float:
        hands = Hands(
            {"t": unit("reactive", 0, 0, 0, 4, 3), "u": unit("active", x, 8, 180, 2, 1)},
            terrain=[block(lo, hi, 1.6, 1.9)],
            switches={"path": "segment"},
        )
        from chargesim.rulesets.ranked_regiment.rules_sight import slides_to

        return float(slides_to(hands.game, 1, 0, F))

    assert slid(0, -1, 0.2) == pytest.approx(1.2, **EXACT)
    assert slid(1, -0.5, 0.5) == pytest.approx(1.5, **EXACT)
    assert slid(-1, -0.5, 0.5) == pytest.approx(-1.5, **EXACT)
    assert slid(0, -2.1, 2.1) > 1e8


def test_V_RNK_10_earlier_charger_blocks() -> None:
    units = {
        "t": unit("reactive", 0, 0, 0, 4, 3),
        "x": unit("active", 0, 10, 180, 10, 2),
        "y": unit("active", 12, 0, 270, 6, 2),
    }
    hands = Hands(units)
    assert hands.charge("x", "t") == F
    assert hands.charge("y", "t") == R
    assert hands.resolve() == ["x", "y"]
    assert hands.pose("y")[:2] == pytest.approx((3, -1.5), **EXACT)
    blocked = Hands(units)
    blocked.charge("x", "t")
    blocked.charge("y", "t")
    terrain = block(2, 4, -10, 10)["polygon"]
    blocked.game["head"]["terrains"] = 1
    piece = blocked.game["terrains"][0]
    piece["corners"], piece["impassable"] = 4, 1
    piece["x"][:4], piece["y"][:4] = [x for x, _ in terrain], [y for _, y in terrain]
    blocked.resolve()
    assert blocked.pose("y")[:2] == (12, 0)
    assert blocked["y"]["state"] == 0


def intercepted(distance: float, face: str = "front", friend: bool = False) -> Hands:
    """E has declared a charge of length 12 on V; U may charge E."""
    at = {"front": (0.0, 2 + distance, 180), "left": (-3 - distance, 0.0, 90)}[face]
    hands = Hands(
        {
            "e": unit("reactive", 0, 0, 0, 4, 2, 20),
            "v": unit("active", 9, 14, 180, 2, 2, 20),
            "u": unit("active", *at, 2, 2, 20),
            "f": unit("active", 12, 0, 270, 2, 2, 20),
        }
    )
    # nearest point of v in e's arc: (8, 13) from (2, 1) is further; set v so that the length is 12
    hands["v"]["x"], hands["v"]["y"] = 2.0, 14.0
    if friend:
        hands.charge("f", "e")
        hands["e"]["aim"] = hands.at("v")
        hands["e"]["order"], hands["e"]["declared"] = 2, 1
    else:
        hands.charge("e", "v")
    assert hands.length("e", "v") == pytest.approx(12)
    return hands


def test_V_RNK_11_intercept() -> None:
    assert intercepted(11.9).why("u", "e") == Why.LEGAL
    assert intercepted(12.0).why("u", "e") == Why.NO_INTERCEPT
    assert intercepted(15.0, "left").judge("u", "e") == (Why.LEGAL, L)
    assert intercepted(14.0).why("u", "e") == Why.NO_INTERCEPT
    assert intercepted(14.0, friend=True).why("u", "e") == Why.LEGAL
    hands = intercepted(11.9)
    hands.charge("u", "e")
    assert hands["e"]["aim"] == -1
    assert hands.incoming("v") == set()


def test_V_RNK_12_counter_cancelled() -> None:
    hands = Hands(
        {
            "a": unit("active", 0, 12, 180),
            "e": unit("reactive", 0, 0, 0),
            "b": unit("active", 12, 0, 270),
        }
    )
    hands.charge("a", "e")
    hands.charge("e", "a")
    assert hands.charge("b", "e") == R
    assert hands["e"]["aim"] == -1
    assert hands.incoming("e") == {"a", "b"}
    assert hands.why_not_flee("e") == Why.TWO_CHARGERS


def runner(move: float, *rules: str, charger: float = 16, **others: object) -> Hands:
    """A charges R from 9 away."""
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, charger),
            "r": unit("reactive", 0, 12, 0, 4, 4, move, rules=rules),
        },
        **others,
    )
    hands.charge("a", "r")
    return hands


def test_V_RNK_13_flight() -> None:
    assert runner(7).why_not_flee("r") == Why.LEGAL
    assert runner(6.99).why_not_flee("r") == Why.TOO_SLOW
    older = {"switches": {"flight_speed": "more"}}
    assert runner(7, **older).why_not_flee("r") == Why.TOO_SLOW
    hands = runner(7)
    hands.flee("r")
    hands.resolve()
    assert hands.pose("r") == pytest.approx((0, 19, 0, 1), **EXACT)
    assert hands.pose("a") == pytest.approx((0, 16, 0, 1), **EXACT)
    for rule in ("frenzied", "reanimated", "demonic"):
        assert runner(9, rule).why_not_flee("r") == Why.NEVER_FLEES
    assert runner(9, "demonic", "may_flee_anyway").why_not_flee("r") == Why.LEGAL
    assert runner(0, charger=9).why_not_flee("r") == Why.MOVE_0


def test_V_RNK_13_two_chargers() -> None:
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16),
            "r": unit("reactive", 0, 12, 0, 4, 4, 12),
            "b": unit("active", 12, 12, 270, 4, 2, 16),
        }
    )
    hands.charge("a", "r")
    hands.charge("b", "r")
    assert hands.why_not_flee("r") == Why.TWO_CHARGERS


def test_V_RNK_14_flight_dropped() -> None:
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16),
            "r": unit("reactive", 0, 12, 0, 4, 4, 12),
            "b": unit("active", 12, 12, 270, 4, 2, 16),
        }
    )
    hands.charge("a", "r")
    hands.flee("r")
    hands.charge("b", "r")
    assert hands["r"]["runs"] == 0
    assert hands.resolve() == ["a", "b"]
    assert hands["r"]["state"] == hands["a"]["state"] == hands["b"]["state"] == 1


def lanes() -> dict[str, dict[str, object]]:
    """Three pairs of units that face each other, far from the other pairs."""
    units = {}
    for i in (1, 2, 3):
        units[f"a{i}"] = unit("active", 40 * i, 0, 0, 4, 2, 12)
        units[f"b{i}"] = unit("reactive", 40 * i, 10, 180, 4, 2, 12)
    return units


def test_V_RNK_15_order() -> None:
    hands = Hands(lanes())
    hands.charge("a1", "b1")
    hands.charge("b2", "a2")
    hands.flee("a2")
    hands.charge("b1", "a1")
    hands.charge("a3", "b3")
    assert hands.resolve() == ["a1", "b2", "a3"]
    assert [int(hands[n]["state"]) for n in hands.names] == [1, 1, 3, 2, 1, 1]


def test_V_RNK_15_order_by_the_file() -> None:
    scenario = battle(
        lanes(),
        charges=[("a1", "b1"), ("b2", "a2"), ("a3", "b3")],
        reaction={"a2": "flee", "b1": {"do": "counter", "after": 2}},
    )
    assert words(scenario) == ["countered", "fled", "contact"]


def phi(z: float) -> float:
    """Standard normal distribution function."""
    return 0.5 * (1 + erf(z / sqrt(2)))


@pytest.mark.parametrize("sd", [0.5, 1.0])
def test_V_RNK_17_noise_of_reach(sd: float) -> None:
    scenario = battle(
        {
            "a": unit("active", 0, 0, move=8.0),
            "t": unit("reactive", 0, 9.5, 180, noise={"y": sd}),
        },
        charges=[("a", "t")],
    )
    tally = sample(scenario.whole, 100_000)
    p = chances(tally, tally.reading.charges[0])["contact"]
    assert p == pytest.approx(phi(0.5 / sd), abs=0.006)


def test_V_RNK_17_noise_of_side() -> None:
    scenario = battle(
        {
            "t": unit("reactive", 0, 0, 0, 4, 3),
            "a": unit("active", 6, 5, facing(-6, -5), 0.4, 0.4, 30, noise={"x": 0.5, "y": 0.5}),
        },
        charges=[("a", "t")],
    )
    tally = sample(scenario.whole, 100_000)
    right = tally.probabilities[tally.reading.charges[0].flags["on_right"]].sum()
    assert right == pytest.approx(0.76025, abs=0.006)


def test_V_RNK_17_noise_of_flight() -> None:
    scenario = battle(
        {
            "a": unit("active", 0, 0, move=16.0),
            "r": unit("reactive", 0, 1 + 8.5 + 1, 0, 4, 2, 8, noise={"y": 0.5}),
        },
        charges=[("a", "r")],
        reaction={"r": "flee"},
    )
    tally = sample(scenario.whole, 100_000)
    view = tally.reading.charges[0]
    assert chances(tally, view)["fled"] == pytest.approx(phi(1), abs=0.006)
    possible = tally.probabilities[view.flags["flight_possible"]].sum()
    assert possible == pytest.approx(phi(1), abs=0.006)


def test_V_RNK_18_symmetry() -> None:
    rng = np.random.default_rng(18)
    for _ in range(60):
        x, y, look, turn, dx, dy, k = (
            rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(0, 360), rng.uniform(0, 360),
            rng.uniform(-50, 50), rng.uniform(-50, 50), rng.uniform(0.5, 3),
        )  # fmt: skip
        if hypot(x, y) < 4.5:
            continue

        def told(
            x: float, y: float, look: float, base: float, ox: float, oy: float, k: float
        ) -> tuple[float, int, int]:
            hands = Hands(
                {
                    "t": unit("reactive", ox, oy, base % 360, 4 * k, 3 * k),
                    "u": unit("active", x, y, look % 360, 2 * k, k),
                }
            )
            from chargesim.rulesets.ranked_regiment.rules_sight import survey

            pair = survey(hands.game, 1, 0)
            return float(pair["straight"]) / k, int(pair["arc"]), int(pair["sight"])

        plain = told(x, y, look, 0, 0, 0, 1)
        c, s = cos(turn * pi / 180), sin(turn * pi / 180)
        moved = told(
            k * (x * c + y * s) + dx, k * (y * c - x * s) + dy, look + turn, turn, dx, dy, k
        )
        assert moved[0] == pytest.approx(plain[0], abs=1e-7)
        assert moved[1:] == plain[1:]
        mirrored = told(-x, y, -look, 0, 0, 0, 1)
        assert mirrored[0] == pytest.approx(plain[0], abs=1e-9)
        assert mirrored[1] == {L: R, R: L}.get(plain[1], plain[1])
        assert mirrored[2] == plain[2]


def test_V_RNK_19_sides_while_a_counter_charge_stands() -> None:
    units = {
        "a": unit("active", -10, 4, facing(10, -4), 2, 2, 20),
        "e": unit("reactive", 0, 0, facing(-5, 9), 4, 3, 20),
        "b": unit("active", -14, 9, facing(14, -9), 2, 2, 20),
        "c": unit("active", 0, 14, 180, 2, 2, 20),
    }
    units["e"]["facing"] = 0
    hands = Hands(units, switches={"counter_los": "waived"})
    assert hands.charge("a", "e") == L
    hands.charge("e", "a")
    assert hands.judge("b", "e") == (Why.LEGAL, F)
    low = Hands({**units, "b": unit("active", -14, 1, 90, 2, 2, 20)},
                switches={"counter_los": "waived"})  # fmt: skip
    low.charge("a", "e")
    low.charge("e", "a")
    assert low.why("b", "e") == Why.NOT_AHEAD
    assert hands.charge("c", "e") == F
    assert hands["e"]["aim"] == -1
    hands.resolve()
    assert [int(x) for x in hands["e"]["foe"]] == [hands.at("c"), hands.at("a"), -1, -1]
    assert [int(hands[n]["charged"]) for n in "ace"] == [1, 1, 0]


def test_V_RNK_20_turning_changes_the_gap() -> None:
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16),
            "r": unit("reactive", 0, 11, 90, 2, 8, 7),
        }
    )
    hands.charge("a", "r")
    assert hands.length("a", "r") == pytest.approx(9)
    hands.flee("r")
    hands.resolve()
    assert hands.pose("r") == pytest.approx((0, 18, 0, 1), **EXACT)
    assert hands.pose("a")[:2] == pytest.approx((0, 13), **EXACT)
    wide = {
        "a": unit("active", 0, 0, 0, 4, 2, 16),
        "r": unit("reactive", 0, 11, 90, 8, 2, 9.99),
    }
    short = Hands(wide)
    short.charge("a", "r")
    assert short.length("a", "r") == pytest.approx(6)
    assert short.why_not_flee("r") == Why.TOO_SLOW
    wide["r"]["move"] = 10
    hands = Hands(wide)
    hands.charge("a", "r")
    hands.flee("r")
    hands.resolve()
    assert hands.pose("r")[:2] == pytest.approx((0, 21), **EXACT)
    assert hands.pose("a")[1] + 1 == pytest.approx(17, **EXACT)


PRICES = {
    ("before", "front"): 0.19282, ("after", "front"): 0.27311,
    ("before", "right"): 0.66122, ("after", "right"): 0.75454,
    ("before", "rear"): 0.74246, ("after", "rear"): 0.82292,
}  # fmt: skip


@pytest.mark.parametrize(("when", "face"), PRICES)
def test_V_RNK_CMB_price_of_a_flank(when: str, face: str) -> None:
    x, y = {"front": (0, 20), "right": (20, 0), "rear": (0, -20)}[face]
    scenario = battle(
        {
            "c": unit(
                "active", x, y, facing(-x, -y) % 360, 5, 2, 30, models=10, width=5,
                skill=5, power=4, defense=5,
            ),
            "t": unit(
                "reactive", 0, 0, 0, 5, 4, 8, models=20, width=5, skill=3, power=3, defense=3
            ),
        },
        charges=[("c", "t")],
        switches={"ranks_when": when},
    )  # fmt: skip
    tally = solve(scenario.whole)
    view = tally.reading.combats["t"]
    assert chances(tally, view)["target_broke"] == pytest.approx(PRICES[when, face], abs=5e-6)
    if face == "front":
        higher = tally.probabilities[view.quantities["combat_result"].values > 0].sum()
        expected = {"before": 0.74562, "after": 0.70047}[when]
        assert higher == pytest.approx(expected, abs=1e-5)
