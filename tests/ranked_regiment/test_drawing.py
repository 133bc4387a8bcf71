"""The picture of a battle: what is on it, where, and what the legend says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text
from ranked_regiment.build import battle, block, unit

import chargesim as cs
from chargesim.data import scenarios
from chargesim.report import figures, figures_maps
from chargesim.rulesets import Drawing, Shape
from chargesim.rulesets.games import Step
from chargesim.rulesets.ranked_regiment.drawing import draw
from chargesim.scenario import Scenario

SHIPPED = [s for s in map(cs.load, scenarios().values()) if s.ruleset.name == "ranked_regiment"]


def shapes(drawing: Drawing, role: str) -> list[Shape]:
    return [shape for shape in drawing.shapes if shape.role == role]


def drawn(scenario: Scenario, line: tuple[Step, ...] | None = None) -> Drawing:
    return draw(scenario.model, "en", line)


def close(points: Any, other: Any) -> bool:
    return [p == pytest.approx(q, abs=1e-9) for p, q in zip(points, other, strict=True)] == [
        True
    ] * len(points)


def pair(**others: Any) -> Scenario:
    """A at (0, 0), B before it at (0, 12); A charges."""
    return battle(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 16.0),
            "b": unit("reactive", 0, 12, 180, 4, 4, 14.0),
        },
        charges=[("a", "b")],
        **others,
    )


def test_contact_shows_way_side_and_where_it_ends() -> None:
    found = drawn(pair())
    (way,) = shapes(found, "way")
    assert close(way.points, [(0, 1), (0, 10)])
    (end,) = shapes(found, "end")
    assert close(sorted(end.points), [(-2, 8), (-2, 10), (2, 8), (2, 10)])
    (struck,) = shapes(found, "struck")
    assert close(sorted(struck.points), [(-2, 10), (2, 10)])
    assert len(shapes(found, "arc")) == 4
    assert len(shapes(found, "zone")) == 1
    assert shapes(found, "outcome")[0].charge == 0


def test_a_counter_charge_meets_at_the_midpoint() -> None:
    """V-RNK-08: with depths 2 and 4, 12 apart, fronts meet at 5.5."""
    found = drawn(pair(reaction={"b": "counter"}))
    (spot,) = shapes(found, "meeting")
    assert sum(y for _, y in spot.points) / 4 == pytest.approx(5.5)
    assert len(shapes(found, "way")) == len(shapes(found, "end")) == len(shapes(found, "zone")) == 2
    assert not shapes(found, "struck")


def test_a_flight_and_its_pursuit() -> None:
    found = drawn(pair(reaction={"b": "flee"}))
    (flight,), (pursuit,) = shapes(found, "flight"), shapes(found, "pursuit")
    assert close(flight.points, [(0, 12), (0, 26)])
    assert close(pursuit.points, [(0, 1), (0, 17)])
    old = pair(reaction={"b": "flee"}, switches={"flight_move": "dice"})
    (flight,) = shapes(drawn(old), "flight")
    assert close(flight.points, [(0, 12), (0, 22.5)])  # three dice are 10.5 on average
    assert ("flight", "flight, of its average length") in drawn(old).legend


def test_what_fails_is_cancelled_or_is_not_declared() -> None:
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 16.0),
        "b": unit("reactive", 0, 12, 180, 10, 2, 16.0),
        "c": unit("active", 12, 12, 270, 6, 2, 16.0),
    }
    rock = block(6.2, 7.2, 12.5, 20)
    found = drawn(battle(units, charges=[("a", "b"), ("c", "b")], terrain=[rock]))
    assert len(shapes(found, "way")) == 2
    rock = block(7, 20, -1, 1)
    far = {"charger": "c", "target": "b", "declare": False}
    found = drawn(battle(units, charges=[("a", "b"), far], terrain=[rock]))
    (never,) = shapes(found, "never")
    assert never.points == ((12, 12), (0, 12))
    crossed = drawn(
        battle(units, first="reactive", charges=[("b", "a"), {**far, "declare": True, "after": 1}])
    )
    (failed,) = shapes(crossed, "failed")  # intercepted in the flank
    assert failed.points == ((0, 12), (0, 0))


def test_uncertain_places_are_ringed_and_said() -> None:
    scenario = pair()
    units = scenario.tables["unit"]
    units["a"]["noise"] = {"x": 1.0, "y": 0.5}
    found = drawn(battle(units, charges=[("a", "b")], first="coin"))
    (ring,) = shapes(found, "noise")
    assert max(x for x, _ in ring.points) == pytest.approx(1)
    assert max(y for _, y in ring.points) == pytest.approx(0.5)
    said = [text for _, text in found.legend]
    assert "as it goes when the active side declares first" in said
    assert "as it goes at the stated places and Moves" in said


def test_a_line_of_play_is_drawn_in_place_of_the_script() -> None:
    line = (Step("active", "charge", "a", "b", "front"), Step("reactive", "flee", "b"))
    found = drawn(pair(), line)
    assert shapes(found, "flight")
    assert not shapes(found, "outcome")
    assert not shapes(drawn(pair(), ()), "way")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_shape_of_the_shipped_battles_is_known_and_told(lang: str) -> None:
    met = set()
    for scenario in SHIPPED:
        found = draw(scenario.model, lang)
        roles = {shape.role for shape in found.shapes}
        assert roles <= set(figures_maps.ROLES)
        told = {role for role, _ in found.legend}
        assert roles - told <= {"facing", "name", "outcome", "ground name"}
        met |= roles
    assert met >= {"way", "flight", "pursuit", "failed", "never", "noise", "zone", "struck"}


def test_the_picture_says_how_each_charge_ends(tmp_path: Path) -> None:
    result = cs.solve(cs.load(scenarios()["counter_hold_or_run"]))
    figure = figures.picture(result)
    texts = [text.get_text() for text in figure.findobj(Text)]
    # the best reaction is to run: the map shows what is played
    assert any(text.startswith("0: target runs") and "100 %" in text for text in texts)
    for name in ("a.svg", "b.svg"):
        figures.save(figures.picture(result, "es"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
