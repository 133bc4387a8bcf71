"""Bad input: each way to get a battle wrong has a message that says what, where and the remedy."""

from __future__ import annotations

from typing import Any

import pytest
from ranked_regiment.build import battle, unit

from chargesim.faults import ScenarioError
from chargesim.rulesets.ranked_regiment.scenario import SWITCH_RULES, Switches, switch_rows

A = unit("active", 0, 0)
B = unit("reactive", 0, 10, 180)


def message(units: dict[str, dict[str, Any]] | None = None, **others: Any) -> str:
    """What is said of a faulty battle."""
    with pytest.raises(ScenarioError) as caught:
        battle(units or {"a": A, "b": B}, **others)
    return str(caught.value)


def changed(**more: Any) -> dict[str, dict[str, Any]]:
    """A and B, A with changes."""
    return {"a": {**A, **more}, "b": B}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"frontage": 0}, "unit.a.frontage: 0 is too small: at least 0.01"),
        ({"depth": 0}, "unit.a.depth: 0 is too small: at least 0.01"),
        ({"move": -1}, "unit.a.move: -1 is too small: at least 0"),
        ({"move": "far"}, "unit.a.move: 'far' is not a number"),
        ({"facing": 400}, "unit.a.facing: 400 degrees is no facing: from -360 to 360"),
        ({"facing": float("nan")}, "unit.a.facing: nan is not a finite number"),
        ({"at": (0, 9)}, "unit.b.at: stands on unit 'a': move one of them"),
        ({"width": 9, "models": 4}, "unit.a.width: 9 in front of 4 models: at most all"),
        ({"attacks": 21}, "unit.a.attacks: 21 is too large: at most 20"),
        ({"colour": "red"}, "unit.a.colour: unknown key"),
        ({"engaged": "c"}, "unit.a.engaged: there is no unit 'c'"),
        ({"engaged": {"top": True}}, "'top' is no side: one of front, left, right, rear"),
        ({"engaged": True, "fleeing": True}, "unit.a.fleeing: and engaged at one time"),
        ({"move": {"mean": 8, "sd": 0}}, "unit.a.move.sd: 0 is too small"),
        ({"noise": {"facing": 200}}, "unit.a.noise.facing: 200 is too large: at most 180"),
    ],
)
def test_faults_of_a_unit(changes: dict[str, Any], said: str) -> None:
    assert said in message(changed(**changes))


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (
            {"table": {"width": 20, "height": 20}},
            "unit.a.at: stands off the table (x from -2 to 2, y from -1 to 1): that goes from",
        ),
        ({"turn": 1}, "turn: there is no charge phase on turn 1 (RNK-TURN-01)"),
        ({"first": "me"}, "first: 'me' is not one of active, reactive, coin"),
        ({"reaction": {"b": "hide"}}, "reaction.b: 'hide' is not one of hold, counter, flee, best"),
        ({"reaction": {"c": "flee"}}, "reaction.c: is no unit"),
        ({"charges": [("a", "c")]}, "charge.0.target: there is no unit 'c'"),
        ({"charges": [("a", "a")]}, "charge.0.target: 'a' is of the charger's own side"),
        ({"charges": [("a", "b"), ("a", "b")]}, "charge.1: stands twice: a on b"),
        ({"switches": {"edition": "2019"}}, "switches.edition: '2019' is not one of 2026, 2022"),
    ],
)
def test_faults_of_a_battle(others: dict[str, Any], said: str) -> None:
    assert said in message(**others)


@pytest.mark.parametrize(
    ("polygon", "said"),
    [
        (((0, 0), (4, 4), (4, 0), (0, 4)), "crosses itself"),
        (((0, 0), (4, 0), (4, 4), (2, 0)), "crosses itself"),
        (((0, 0), (4, 0), (2, 0)), "crosses itself"),
        (((0, 0), (4, 0)), "2 corners: from 3 to 24"),
        (((0, 0), (4, 0), (4, 4), (0, 0)), "names a corner twice"),
        (((0, 0), (1e-4, 0), (1e-4, 1e-4)), "encloses no ground"),
        ((("x", 0), (4, 0), (4, 4)), "terrain.0.polygon.0.0: 'x' is not a number"),
    ],
)
def test_faults_of_terrain(polygon: Any, said: str) -> None:
    assert said in message(terrain=[{"kind": "forest", "polygon": polygon}])


def test_an_unknown_kind_of_terrain() -> None:
    terrain = [{"kind": "lake", "polygon": ((20, 0), (24, 0), (24, 4))}]
    assert "terrain.0.kind: 'lake' is not one of forest, building, cliff" in message(
        terrain=terrain
    )


def test_all_faults_are_told_at_once() -> None:
    said = message(changed(move=-1, facing=361), first="me")
    assert said.startswith("scenario: 3 faults")


def test_a_facing_has_no_default() -> None:
    turned = {key: value for key, value in A.items() if key != "facing"}
    assert "unit.a.facing: is missing" in message({"a": turned, "b": B})


def test_too_many_units_charges_and_pieces_of_terrain() -> None:
    crowd = {f"u{i}": unit("active", 6 * i, 0) for i in range(25)}
    assert "unit: 25 are too many: at most 24" in message(crowd)
    pieces = [{"kind": "rocks", "polygon": ((i, 50), (i + 0.5, 50), (i, 51))} for i in range(17)]
    assert "terrain: 17 are too many: at most 16" in message(terrain=pieces)
    units = {f"a{i}": unit("active", 6 * i, 0) for i in range(5)}
    units |= {f"b{i}": unit("reactive", 6 * i, 9, 180) for i in range(5)}
    pairs = [(a, b) for a in units for b in units if a[0] == "a" and b[0] == "b"]
    assert "charge: 25 are too many: at most 24" in message(units, charges=pairs)


def test_touching_units_are_no_fault() -> None:
    battle({"a": A, "b": unit("reactive", 4, 0), "c": unit("reactive", 0, 2)})


def test_the_older_edition_sets_its_switches_and_each_may_be_set() -> None:
    older = Switches(edition="2022")
    assert (older.distance, older.side, older.taken_side) == ("centre_side", "majority", "illegal")
    assert (older.counter_los, older.intercept) == ("front_only", "priority")
    assert (older.flight_speed, older.flight_move) == ("more", "dice")
    assert older.frenzy_charges is True
    assert older.cancelled_counts is False
    assert Switches(edition="2022", flight_speed="at_least").flight_speed == "at_least"
    assert [name for name, *_ in switch_rows()] == list(SWITCH_RULES) == list(Switches.model_fields)
    assert all(values and default for _, values, default, _ in switch_rows())
