"""Cavalry charged in turn, and lines that advance: the rules of the charge that hang on others."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from hex_increment.build import ALL_RESULTS, CAVALRY, INFANTRY, STEADY, charge, face, line, solved
from hex_increment.build import played as played_first
from hex_increment.test_zone import refused

import chargesim as cs
from chargesim.report.trace import trace
from chargesim.rulesets.hex_increment.hexes import DIRECTIONS, moved, turn_to_face
from chargesim.rulesets.hex_increment.plan import plans
from chargesim.scenario import Scenario

ALL = {"melee": ALL_RESULTS}
BESIDE = [moved((2, 0), side) for side in range(6)]
"""Hexes next to where the charger ends."""


def reacting(
    side: int,
    cavalry: dict[str, Any] | None = None,
    reactor: dict[str, Any] | None = None,
    *,
    beside: tuple[int, int] = (2, 0),
    **others: Any,
) -> dict[str, Any]:
    """``cav`` charges ``inf``; ``hus`` reacts, from two hexes off, to a hex's side."""
    end = moved(beside, side)
    hussars = {
        **CAVALRY, "side": "reactive", "melee": 12, "facing": (side + 3) % 6,
        "hexes": [list(moved(end, side, 2))], **(reactor or {}),
    }  # fmt: skip
    given = others.pop("charge", {})
    infantry = {**STEADY, **others.pop("infantry", {})}
    file = charge(
        {"morale": 16, **(cavalry or {})}, infantry, more={"hus": hussars},
        charge={"path": [[1, 0], [2, 0]], **given}, **others,
    )  # fmt: skip
    way = [list(moved(end, side)), list(end)]
    file["charge"].append({"charger": "hus", "kind": "reaction", "targets": ["cav"], "path": way})
    return file


@pytest.mark.parametrize(("side", "facing"), list(enumerate([0, 0, 1, 2, 4, 5])))
def test_HEX_FORM_03_no_farther_than_it_must(side: int, facing: int) -> None:
    assert turn_to_face((2, 0), 0, [BESIDE[side]]) == facing
    for turned in range(6):
        enemy = moved((0, 0), side + turned)
        assert turn_to_face((0, 0), turned, [enemy]) == (facing + turned) % 6


def test_HEX_FORM_03_to_the_left_where_both_ways_are_as_far() -> None:
    assert turn_to_face((0, 0), 0, [DIRECTIONS[2], DIRECTIONS[5]]) == 1
    assert turn_to_face((0, 0), 0, [(3, 3)]) == 0


@pytest.mark.parametrize("side", [1, 2, 3, 4, 5])
def test_HEX_FORM_03_what_is_no_longer_in_front_is_not_fought(side: int) -> None:
    # the stack is on side 0: with a turn of one to the right, to facing 5, it stays in front
    file = reacting(side)
    first, second = plans(Scenario(**file).model)
    assert first.turned == (((2, 0), [0, 0, 1, 2, 4, 5][side]),)
    assert second.met[0].turns == (side != 1)
    fought = side in (1, 5)
    end = played_first(file)
    assert (end.word == "no_target") == (not fought)
    assert (end.fates["inf"] == "no_contact") == (not fought)
    assert ("melee.inf" in end.asked) == fought
    assert "melee.cav" in end.asked
    assert ("turns to face hus" in trace(Scenario(**file))) == (side != 1)


def test_HEX_FORM_03_only_the_hexes_next_to_it_turn() -> None:
    # two hexes face a stack of two; the left one turns round and leaves its half of the value
    file = reacting(
        3,
        {"hexes": [[0, 0], [0, -1]]},
        beside=(2, -1),
        infantry={"hexes": [[3, 0], [3, -1]]},
    )
    first, _ = plans(Scenario(**file).model)
    assert dict(first.turned) == {(2, -1): 2}
    assert played_first(file).values == [("inf", F(12)), ("cav", F(12))]


def test_HEX_FORM_03_who_has_turned_is_met_in_front() -> None:
    # morale 36: half of the faces pass; from the rear, twelve less, one in six
    file = reacting(3, {"morale": 36})
    assert solved(file).combats["cav"]["stands=1"] == F(1, 2)
    file["charge"] = [{**file["charge"][1], "kind": "normal"}]
    file["unit"]["cav"]["hexes"] = [[2, 0]]
    assert solved(file).combats["cav"]["stands=1"] == F(1, 6)


def test_HEX_FORM_03_who_does_not_stand_fights_no_melee() -> None:
    file = reacting(1, {"morale": 36})
    found = solved(file)
    assert found.charges[0]["melees=1"] == F(1, 2)
    assert found.combats["inf"]["target_stood"] == F(1, 2) + F(1, 2) * F(22, 36)
    end = played_first(file, {"stand.cav": 11})
    assert (end.word, end.fates, end.states["cav"]) == (
        "charger_routed",
        {"inf": "target_stood", "cav": "target_broke_before_melee"},
        "pgd",
    )


@pytest.mark.parametrize(
    ("own", "theirs", "word", "state"),
    [
        ("DR", "BLANK", "pursues", "good"),
        ("DR", "DD1", "no_pursuit", "disordered"),
        ("DR", "DR", "charger_routed", "pgd"),
        ("DR", "DS", "charger_surrendered", "gone"),
        ("AD1", "BLANK", "charger_disordered", "disordered"),
        ("AD1", "DD1", "charger_disordered", "pgd"),
        ("AR", "DS", "charger_surrendered", "gone"),
        ("AS", "DR", "charger_surrendered", "gone"),
        ("BLANK", "BLANK", "bounced", "good"),
        ("BLANK", "DD1", "bounced", "disordered"),
    ],
)
def test_HEX_FORM_03_both_melees_tell_on_the_charger(
    own: str, theirs: str, word: str, state: str
) -> None:
    end = played_first(reacting(1, tables=ALL), {"melee.inf": face(own), "melee.cav": face(theirs)})
    assert (end.word, end.states["cav"]) == (word, state)


def test_HEX_FORM_03_all_gone_and_thrown_back() -> None:
    file = reacting(1, tables=ALL, infantry={"can_retire": True}, reaction={"inf": "retire"})
    for result, word in (("BLANK", "targets_retired"), ("DR", "charger_routed"),
                         ("DS", "charger_surrendered")):  # fmt: skip
        assert played_first(file, {"melee.cav": face(result)}).word == word


def test_HEX_FORM_03_a_column_thrown_back_ends_in_its_head_hex() -> None:
    column = {"formation": "company_column", "hexes": [[0, 0], [-1, 0]]}
    file = reacting(2, column, beside=(1, 0), tables=ALL)
    end = played_first(file, {"melee.cav": face("DD1"), "wave.0": face("DR")})
    assert (end.word, end.states["cav"], end.flags["head_hex"]) == (
        "no_pursuit",
        "disordered",
        True,
    )
    # the hex behind the head turned, the head did not
    assert plans(Scenario(**file).model)[0].turned == (((1, 0), 1),)


def test_a_reaction_is_one_part_with_the_charge_it_answers() -> None:
    file = reacting(1)
    file["unit"]["idle"] = {**INFANTRY, "hexes": [[9, -9]]}
    (part,) = Scenario(**file).parts
    assert part.units == ("cav", "inf", "hus", "idle")
    result = cs.solve(Scenario(**file))
    assert list(result.to_dict()["units"]) == ["cav", "inf", "hus", "idle"]
    # marginals charge by charge, for when there are too many end states, tell each unit once
    told = [name for piece in part.pieces for name in piece.read(_states(part, piece)).units]
    assert sorted(told) == sorted(part.units)


def _states(part: Any, piece: Any) -> Any:
    return part.game().view("u8")[piece.live][None, :]


WRONG: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("normal", reacting(1), ("charge.1.kind", "only a reaction charge", "HEX-FORM-03")),
    ("before", reacting(1), ("charge.0.targets", "behind the charge that it answers")),
    ("width", reacting(1, charge={"changes": ["extend_left"]}), ("charge.0.changes", "hus reacts")),
    ("square", reacting(1, reaction={"cav": "square"}), ("reaction.cav", "stand")),
    ("best", reacting(1, reaction={"cav": "best"}), ("reaction.cav", "stand")),
]  # fmt: skip
WRONG[0][1]["charge"][1].pop("kind")
WRONG[1][1]["charge"].reverse()


@pytest.mark.parametrize(("file", "words"), [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_a_reaction_that_cannot_be(file: dict[str, Any], words: tuple[str, ...]) -> None:
    refused(file, *words)


# A line that advances


def two_on_one(**others: Any) -> dict[str, Any]:
    """A line of two hexes against one hex of steady infantry: 24 against 12, column 2:1."""
    cavalry = {"hexes": [[0, 0], [0, -1]], "melee": 24, **others.pop("cavalry", {})}
    infantry = {"hexes": [[3, -1]], **STEADY, **others.pop("infantry", {})}
    given = {"path": [[1, 0], [2, 0]], **others.pop("charge", {})}
    return charge(cavalry, infantry, charge=given, **others)


def test_HEX_LINE_15_to_fit_the_hexes_of_its_target() -> None:
    # DD1 and DD2 are 14 of the 36 faces of column 2:1
    assert solved(two_on_one()).word["consolidates"] == F(14, 36)
    assert solved(two_on_one()).word["pursues"] == F(14, 36)
    # two hexes of the target are as many as the line has
    both = {"hexes": [[3, -1], [3, 0]]}
    assert solved(two_on_one(infantry=both)).word.get("consolidates", 0) == 0
    one = {"advance_into": "one_hex"}
    assert solved(two_on_one(infantry=both, switches=one)).word["consolidates"] == F(14, 36)
    text = trace(Scenario(**two_on_one(tables={"melee": _always("DR")})))
    assert "consolidates to fit the hexes it takes: 1 of 2" in text


def test_HEX_LINE_15_only_as_it_advances() -> None:
    # recalled on 3 and more, which is four times in six
    recalled = two_on_one(charge={"recall": True})
    assert solved(recalled).word["consolidates"] == F(14, 36) * F(2, 6)
    assert solved(two_on_one(charge={"pursue": False})).word.get("consolidates", 0) == 0
    file = charge({"formation": "company_column", "hexes": [[0, 0], [-1, 0]]}, STEADY)
    assert solved(file).word.get("consolidates", 0) == 0


def test_HEX_LINE_15_who_retired_leaves_no_hex_to_take() -> None:
    file = line(2, tables={"melee": _always("DR")}, reaction={"s2": "retire"})
    file["unit"]["s2"]["can_retire"] = 0.25
    assert solved(file).word["consolidates"] == F(1, 4)


@pytest.mark.parametrize(
    ("other", "provokes"),
    [
        ({}, True),
        ({"kind": "artillery"}, True),
        ({"state": "disordered"}, True),
        ({"state": "pgd"}, False),
        ({"kind": "leader"}, False),
        ({"side": "active"}, False),
    ],
)
def test_HEX_LINE_16_somebody_must_be_left_to_react(other: dict[str, Any], provokes: bool) -> None:
    assert solved(two_on_one()).word.get("provokes", 0) == 0
    file = two_on_one(more={"other": {**INFANTRY, "hexes": [[9, -9]], **other}})
    assert solved(file).word.get("provokes", 0) == (F(14, 36) if provokes else 0)


def test_HEX_LINE_16_who_retired_may_react() -> None:
    file = line(2, tables={"melee": _always("DR")}, reaction={"s2": "retire"})
    file["unit"]["s2"]["can_retire"] = 0.25
    assert solved(file).word["provokes"] == F(1, 4)
    file["unit"]["s1"]["hexes"] = file["unit"]["s1"]["hexes"][:1]
    assert solved(file).word["consolidates"] == 1
    assert solved(file).word["provokes"] == F(1, 4)


def _always(result: str) -> dict[str, Any]:
    """A melee table of one result."""
    return {
        "columns": [{"id": "all", "min_ratio": 1}],
        "rows": {"all": [{"from": 11, "to": 66, "result": result}]},
        "provenance": dict.fromkeys(("source", "edition", "transcribed_by"), "test")
        | {"verified": True},
    }
