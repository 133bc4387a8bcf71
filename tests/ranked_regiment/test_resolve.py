"""Rules of resolving charges: meetings, contact, slides, failures, runs and pursuits."""

from __future__ import annotations

import pytest
from ranked_regiment.build import Hands, battle, block, chances, unit, words

from chargesim.engine.exact import solve
from chargesim.rulesets.ranked_regiment.state import Face, State

F, L, R, B = (int(face) for face in Face)


def pair(gap: float = 8.0) -> dict[str, dict[str, object]]:
    """A and B face each other."""
    return {"a": unit("active", 0, 0), "b": unit("reactive", 0, 2 + gap, 180)}


@pytest.mark.parametrize(("midpoint", "y"), [("front_gap", 5.0), ("centres", 5.0)])
def test_RNK_CTR_03_they_meet_halfway(midpoint: str, y: float) -> None:
    hands = Hands(pair(), switches={"midpoint": midpoint})
    hands.charge("a", "b")
    hands.charge("b", "a")
    hands.resolve()
    assert hands.pose("a") == pytest.approx((0, y - 1, 0, 1))
    assert hands.pose("b") == pytest.approx((0, y + 1, 0, -1))


def test_RNK_CTR_04_both_have_their_charge_bonus() -> None:
    hands = Hands(pair())
    hands.charge("a", "b")
    hands.charge("b", "a")
    hands.resolve()
    assert hands["a"]["charged"] == hands["b"]["charged"] == 1


def test_RNK_CTR_05_a_flank_charge_becomes_front_to_front() -> None:
    units = {"e": unit("reactive", 0, 0), "a": unit("active", 12, 0, 270)}
    hands = Hands(units, switches={"counter_los": "waived"})
    assert hands.charge("a", "e") == R
    hands.charge("e", "a")
    hands.resolve()
    assert [int(x) for x in hands["e"]["foe"]] == [hands.at("a"), -1, -1, -1]


@pytest.mark.parametrize(
    ("rule", "expected"), [("both_fail", ["failed"]), ("as_normal_charges", ["contact"])]
)
def test_RNK_CTR_06_no_room_to_meet(rule: str, expected: list[str]) -> None:
    scenario = battle(
        pair(),
        charges=[("a", "b")],
        reaction={"b": "counter"},
        terrain=[block(1, 1.9, 4.2, 5.8)],
        switches={"blocked_meeting": rule},
    )
    assert words(scenario) == expected


def lanes() -> dict[str, dict[str, object]]:
    """Three pairs far from each other."""
    units = {}
    for i in (1, 2, 3):
        units[f"a{i}"] = unit("active", 40 * i, 0, 0, 4, 2, 12)
        units[f"b{i}"] = unit("reactive", 40 * i, 10, 180, 4, 2, 12)
    return units


def test_RNK_RES_01_counter_charges_first() -> None:
    hands = Hands(lanes())
    hands.charge("a1", "b1")
    hands.charge("a2", "b2")
    hands.charge("b2", "a2")
    assert hands.resolve() == ["a2", "a1"]


def test_RNK_RES_02_then_in_order_of_declaration() -> None:
    hands = Hands(lanes())
    for u, t in (("a3", "b3"), ("b1", "a1"), ("a2", "b2")):
        hands.charge(u, t)
    assert hands.resolve() == ["a3", "b1", "a2"]


def test_RNK_RES_03_a_flight_has_its_place_in_the_order() -> None:
    hands = Hands(lanes())
    hands.charge("a1", "b1")
    hands.flee("b1")
    hands.charge("a2", "b2")
    assert hands.resolve() == ["a1", "a2"]
    assert hands["b1"]["state"] == State.FLED


@pytest.mark.parametrize(
    ("at", "look", "end"),
    [((0, 10), 180, (0, 2, 0, -1)), ((10, 0), 270, (3, 0, -1, 0)), ((0, -10), 0, (0, -2, 0, 1))],
)
def test_RNK_RES_04_contact_is_centred(
    at: tuple[float, float], look: float, end: tuple[float, ...]
) -> None:
    hands = Hands({"t": unit("reactive", 0, 0), "u": unit("active", *at, look)})
    hands.charge("u", "t")
    hands.resolve()
    assert hands.pose("u") == pytest.approx(end, abs=1e-9)


def test_RNK_RES_05_it_slides_to_the_nearest_clear_spot() -> None:
    hands = Hands(pair(), terrain=[block(0.5, 3, 8.2, 8.8)], switches={"path": "segment"})
    hands.charge("a", "b")
    hands.resolve()
    assert hands.pose("a")[0] == pytest.approx(-1.5)


def test_RNK_RES_05_triangles_too() -> None:
    wedge = {"kind": "impassable", "polygon": ((1, 7), (3, 8), (1, 9))}
    hands = Hands(pair(), terrain=[wedge])
    hands.charge("a", "b")
    hands.resolve()
    assert hands.pose("a")[0] == pytest.approx(-1)


def test_RNK_RES_06_what_does_not_fit_fails_and_stays() -> None:
    units = {
        "t": unit("reactive", 0, 0, 0, 2, 2),
        "x": unit("active", 0, 12, 180, 20, 9),
        "y": unit("active", 12, 0, 270, 4, 9),
        "rock": unit("reactive", 4, -11, 0, 6, 19),
    }
    hands = Hands(units)
    hands.charge("x", "t")
    hands.charge("y", "t")
    hands.resolve()
    assert hands.pose("y")[:2] == (12, 0)
    assert hands["y"]["state"] == State.STEADY
    assert words(battle(units, charges=[("x", "t"), ("y", "t")])) == ["contact", "failed"]


def test_RNK_RES_07_both_are_in_combat_and_fight() -> None:
    hands = Hands(pair())
    hands.charge("a", "b")
    hands.resolve()
    assert hands["a"]["state"] == hands["b"]["state"] == State.FIGHTING
    tally = solve(battle(pair(), charges=[("a", "b")]).whole)
    assert "no_combat" not in chances(tally, tally.reading.combats["b"])


def run(*, switches: dict[str, object] | None = None, **others: object) -> Hands:
    """A charges R, which runs."""
    hands = Hands(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16),
            "r": unit("reactive", 0, 12, 0, 4, 4, 9.0),
            **others.pop("more", {}),  # type: ignore[call-overload]  # further units
        },
        switches=switches or {},
        **others,
    )
    hands.charge("a", "r")
    hands.flee("r")
    hands.resolve()
    return hands


def test_RNK_FLEE_06_straight_away_for_the_full_move() -> None:
    hands = run()
    assert hands.pose("r") == pytest.approx((0, 21, 0, 1))
    assert hands.pose("a") == pytest.approx((0, 16, 0, 1))


def test_RNK_FLEE_06_the_older_edition_rolls() -> None:
    units = {
        "a": unit("active", 30, 10, 0, 4, 2, 12),
        "r": unit("reactive", 30, 22, 0, 4, 4, 9.0),
    }
    scenario = battle(
        units, charges=[("a", "r")], reaction={"r": "flee"}, table={"width": 60, "height": 30.5},
        switches={"flight_move": "dice"},
    )  # fmt: skip
    tally = solve(scenario.whole)
    # 2D6: rear edge of the table 6.5 ahead of its front; off with 7 or more
    assert chances(tally, tally.reading.units["r"])["off_table"] == pytest.approx(21 / 36)


def test_RNK_FLEE_07_the_pursuer_has_moved() -> None:
    assert run()["a"]["state"] == State.PURSUED


def test_RNK_FLEE_08_a_runner_flees_and_is_lost_over_the_edge() -> None:
    assert run()["r"]["state"] == State.FLED
    units = {
        "a": unit("active", 20, 10, 0, 4, 2, 16),
        "r": unit("reactive", 20, 22, 0, 4, 4, 9.0),
    }
    table = {"width": 40, "height": 30}
    scenario = battle(units, charges=[("a", "r")], reaction={"r": "flee"}, table=table)
    tally = solve(scenario.whole)
    assert chances(tally, tally.reading.units["r"]) == {"off_table": 1}


@pytest.mark.parametrize(("rule", "y"), [("stop_short", 15.0), ("full_move", 21.0)])
def test_RNK_FLEE_10_a_run_that_is_blocked(rule: str, y: float) -> None:
    hands = run(terrain=[block(-9, 9, 17, 18)], switches={"run_blocked": rule})
    assert hands.pose("r")[1] == pytest.approx(y)
    assert hands.pose("a")[1] == pytest.approx(12.0 if rule == "stop_short" else 16.0)


def test_RNK_FLEE_10_a_unit_stops_it_too() -> None:
    hands = run(more={"w": unit("reactive", 2, 19, 90, 4, 4)})
    assert hands.pose("r")[1] == pytest.approx(15)
