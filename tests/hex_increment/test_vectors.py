"""The specification's vectors, V-HEX-01 to V-HEX-19, as it gives them."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from hex_increment.build import (
    ALL_RESULTS,
    STEADY,
    charge,
    column,
    face,
    line,
    played,
    row,
    solved,
)

from chargesim.errors import InputError
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.hexes import in_sight
from chargesim.rulesets.hex_increment.plan import board, fought_of, plans, walls
from chargesim.rulesets.hex_increment.rules_unit import failing_faces
from chargesim.rulesets.hex_increment.zone import zone
from chargesim.scenario import Scenario

ALL = {"melee": ALL_RESULTS}


@pytest.mark.parametrize(
    ("value", "steps", "result"),
    [
        (43, 4, 51), (36, 6, 46), (16, 1, 21), (66, 1, 66),
        (11, -1, 11), (62, -12, 42), (41, -18, 11), (25, 12, 45),
    ],
)  # fmt: skip
def test_V_HEX_01_base_six(value: int, steps: int, result: int) -> None:
    assert tables.shifted(value, steps) == result


@pytest.mark.parametrize(
    ("morale", "modifier", "chance"),
    [
        (36, 0, F(1, 2)), (36, -6, F(1, 3)), (36, 12, F(5, 6)), (26, 0, F(2, 3)), (46, -12, F(0)),
        (16, 6, F(1)), (56, 0, F(1, 6)), (66, 0, F(0)), (66, 30, F(0)), (11, 0, F(35, 36)),
    ],
)  # fmt: skip
def test_V_HEX_02_morale(morale: int, modifier: int, chance: F) -> None:
    assert 1 - F(failing_faces(tables.index(morale), modifier, 0), 36) == chance
    end = solved(charge(infantry={"morale": morale, "stand_modifier": modifier}))
    assert end.combats["inf"].get("target_broke_before_melee", 0) == 1 - chance


@pytest.mark.parametrize("facing", range(6))
def test_V_HEX_03_zone_size(facing: int) -> None:
    for n, (wedge, rays) in enumerate(zip((20, 25, 30, 35, 40), (10, 19, 27, 34, 40), strict=True)):
        body = [tuple(at) for at in row(facing, n + 1)]
        assert len(zone(body, facing)) == wedge  # type: ignore[arg-type]  # pairs
        assert len(zone(body, facing, rays=True)) == rays  # type: ignore[arg-type]  # pairs


def reach(costs: list[int], targets: list[str], company: bool = False) -> dict[str, Any]:
    """A charge straight east over hexes of given costs to a stack behind the last."""
    ground = {f"c{c}": {"cost": c} for c in set(costs)}
    hexes: dict[str, list[list[int]]] = {f"c{c}": [] for c in set(costs)}
    for i, cost in enumerate(costs, 1):
        hexes[f"c{cost}"].append([i, 0])
    file = charge(
        {"formation": "company_column", "hexes": [[0, 0], [-1, 0]]} if company else {},
        {"hexes": [[len(costs) + 1, 0]], **STEADY},
        charge={"targets": targets, "path": [[i, 0] for i in range(1, len(costs) + 1)]},
    )
    file["map"] |= {"terrain": ground, "hexes": hexes}
    return file


def test_V_HEX_04_reach_within_five_points() -> None:
    for costs in ([1, 1, 1, 1, 1], [1, 1, 2, 1]):
        (plan,) = plans(Scenario(**reach(costs, ["inf"])).model)
        assert plan.move.spent == 10
        assert [met.contact for met in plan.met] == [True]


def test_V_HEX_04_six_points_stop_at_two_hexes() -> None:
    file = reach([1, 1, 2, 1, 1], ["inf"])
    (plan,) = plans(Scenario(**file).model)
    assert plan.move.spent == 10
    assert plan.move.end == ((4, 0),)
    end = played(file)
    assert (end.word, end.states["cav"]) == ("target_missed", "disordered")
    end = played(reach([1, 1, 2, 1, 1], []))
    assert (end.word, end.states["cav"]) == ("no_target", "good")
    assert plans(Scenario(**reach([1, 1, 2, 1, 1], [])).model)[0].refused == ("inf",)


def test_V_HEX_04_too_few_points_left_are_as_spent() -> None:
    file = reach([1, 1, 1, 3], ["inf"])
    end = played(file)
    assert (end.word, end.states["cav"]) == ("target_missed", "disordered")
    file["switches"] = {"stranded": "ends"}
    end = played(file)
    assert (end.word, end.states["cav"]) == ("no_target", "good")


def test_V_HEX_04_a_column_is_bound_by_its_head_alone() -> None:
    file = reach([1, 1, 1, 1, 1], ["inf"], company=True)
    file["map"]["terrain"]["mud"] = {"cost": 2}
    file["map"]["hexes"]["mud"] = [[0, 0]]
    file["tables"] = ALL
    assert played(file, {"wave.0": face("BLANK"), "wave.1": face("BLANK")}).melees == 2


def extending(morale: int, **more: Any) -> dict[str, Any]:
    return charge(
        {"morale": morale, "hexes": [[0, 0]]},
        {"hexes": [[5, 0]], **STEADY},
        charge={
            "path": [[1, 0], [2, 0], [3, 0], [4, 0]],
            "changes": ["extend_left"] * 3,
            **more,
        },
    )


def test_V_HEX_05_extension() -> None:
    for morale, passed in ((26, F(8, 27)), (36, F(1, 8))):
        end = solved(extending(morale))
        assert end.word["check_failed"] == 1 - passed
        assert end.word["tired"] == 1
    end = played(extending(26), {"change.1": 11})
    assert (end.word, end.states["cav"]) == ("check_failed", "disordered")
    with pytest.raises(InputError, match="HEX-EXP-05"):
        Scenario(**extending(26, kind="reaction"))


def test_V_HEX_06_declaration() -> None:
    file = charge(charge={"targets": []})
    file["charge"][0]["path"] = [[1, 0], [2, 0]]
    (plan,) = plans(Scenario(**file).model)
    assert plan.refused == ("inf",)
    assert played(file).word == "no_target"
    again = charge({"passed_targets": ["inf"]})
    with pytest.raises(InputError, match="HEX-TGT-04"):
        Scenario(**again)
    other = charge(more={"hussars": {**charge()["unit"]["cav"], "hexes": [[0, 1]]}})
    other["charge"] = [{"charger": "cav", "path": [[1, 0], [2, 0]]}]
    other["charge"].append({"charger": "hussars", "targets": ["inf"]})
    assert plans(Scenario(**other).model)[1].met[0].contact


@pytest.mark.parametrize(
    ("formation", "seen"), [("skirmish", True), ("square", True), ("line", False)]
)
def test_V_HEX_06_line_of_sight(formation: str, seen: bool) -> None:
    between = {**charge()["unit"]["inf"], "formation": formation, "hexes": [[1, 0]]}
    model = Scenario(**charge(more={"between": between})).model
    blocked = walls(model, board(model), "cav")
    assert in_sight((0, 0), (2, 0), blocked) is seen


def test_V_HEX_07_mix() -> None:
    units = {
        name: {**charge()["unit"]["inf"], "kind": kind, "hexes": [[5, i]]}
        for i, (name, kind) in enumerate(
            {"foot": "infantry", "horse": "cavalry", "guns": "artillery", "more": "cavalry"}.items()
        )
    }
    model = Scenario(**charge(more=units)).model
    assert fought_of(model, {"foot", "horse"}) == {"horse"}
    assert fought_of(model, {"foot", "guns"}) == {"foot", "guns"}
    assert fought_of(model, {"horse", "more"}) == {"horse", "more"}
    end = played(line(2, units={"s2": {"kind": "cavalry"}}))
    assert end.fates["s1"] == "no_contact"
    assert end.melees == 1
    assert played(line(2)).melees == 2
    assert played(line(1)).melees == 1  # one unit on two hexes


def first_example() -> dict[str, Any]:
    """The first long example: a line of four hexes against line, skirmishers and column."""
    return {
        "ruleset": "hex_increment",
        "map": {
            "extent": {"q": [-9, 9], "r": [-9, 9]},
            "terrain": {"town": {"shelter": True}},
            "hexes": {"town": [[2, 2]]},
        },
        "unit": {
            "cav": {
                "side": "active",
                "facing": 5,
                "hexes": row(5, 4),
                "increments": 16,
                "melee": 48,
                "morale": 26,
            },
            "s1": {**charge()["unit"]["inf"], "facing": 2, "hexes": [[0, 3], [1, 2]]},
            "s2": {
                **charge()["unit"]["inf"], "facing": 2, "formation": "skirmish", "hexes": [[2, 1]],
            },
            "s3": {
                **charge()["unit"]["inf"], "facing": 2, "formation": "column",
                "hexes": [[3, 0], [4, -1]],
            },
        },
        "charge": [
            {
                "charger": "cav", "targets": ["s1", "s2", "s3"], "path": [[0, 1], [0, 2]],
            }
        ],
        "reaction": {"s1": "square", "s2": "retire", "s3": "square"},
    }  # fmt: skip


def test_V_HEX_08_the_first_example() -> None:
    file = first_example()
    rolls = {"square.s1": 51, "square.s3": 11, "stand.s1": 66, "melee.s1": 56, "melee.s3": 41}
    end = played(file, rolls)
    # in the column of 24 against 12, 2:1, a 56 is DD2; in that of 8 against 12, 1:2, a 41 is blank
    assert end.fates == {
        "s1": "target_broke",
        "s2": "target_retired",
        "s3": "target_stood",
    }
    assert end.states == {"cav": "disordered", "s1": "pgd", "s2": "good", "s3": "good"}
    assert end.recoil["s1"] == 2
    assert end.word == "no_pursuit"
    assert end.melees == 2
    assert end.values == [("s1", F(24)), ("s3", F(8))]


def test_V_HEX_09_the_second_example() -> None:
    end = played(column(3), {"wave.0": 41, "wave.1": 62})
    assert end.melees == 2
    assert end.fates["inf"] == "target_disordered"
    assert end.recoil["inf"] == 2
    assert end.word == "pursues"
    assert end.states == {"cav": "good", "inf": "disordered"}


COMBINED = [
    (("BLANK", "BLANK"), "bounced", 0),
    (("DD1", "DR"), "pursues", 0),
    (("AD1", "DD2"), "charger_disordered", 1),
    (("AD1", "AD2"), "charger_disordered", 2),
    (("AR", "DR"), "charger_routed", 0),
    (("AS", "DS"), "charger_surrendered", 0),
    (("BLANK", "DS"), "no_pursuit", 0),
    (("BLANK", "AD1"), "charger_disordered", 1),
    (("DS",), "pursues", 0),
    (("DD2", "BLANK"), "no_pursuit", 0),
]


@pytest.mark.parametrize(("results", "word", "recoil"), COMBINED)
def test_V_HEX_10_combine_line(results: tuple[str, ...], word: str, recoil: int) -> None:
    file = line(len(results), tables=ALL)
    end = played(file, {f"melee.s{i}": face(r) for i, r in enumerate(results, 1)})
    assert (end.word, end.charger_recoil) == (word, recoil)
    if results == ("AD1", "DD2"):
        assert end.states["cav"] == "disordered"


RUN = [
    (("BLANK", "BLANK", "BLANK"), "bounced", "target_stood", 3),
    (("AD1", "AD1", "BLANK"), "charger_routed", "target_stood", 3),
    (("AD1", "BLANK", "DD2"), "charger_disordered", "target_disordered", 3),
    (("AD1", "AR"), "charger_routed", "target_stood", 2),
    (("AD2", "AD1", "DD1"), "charger_routed", "target_disordered", 3),
    (("DR",), "pursues", "target_broke", 1),
    (("AS",), "charger_surrendered", "target_stood", 1),
    (("BLANK", "AD1", "BLANK"), "charger_disordered", "target_stood", 3),
]


@pytest.mark.parametrize(("results", "word", "fate", "rolls"), RUN)
def test_V_HEX_11_run_column(results: tuple[str, ...], word: str, fate: str, rolls: int) -> None:
    file = column(3, tables=ALL)
    end = played(file, {f"wave.{i}": face(r) for i, r in enumerate(results)})
    assert (end.word, end.fates["inf"], end.melees) == (word, fate, rolls)
    if results == ("AD1", "BLANK", "DD2"):
        assert end.recoil["inf"] == 2
        assert end.flags["head_hex"]


def test_V_HEX_12_column_exact() -> None:
    end = solved(column(3))
    hit = 1 - end.combats["inf"]["target_stood"]
    assert hit == F(727, 1458)
    # of the routs those by AR alone, and those by two disorders
    routs = end.word["charger_routed"]
    assert routs == F(727, 5832) + F(37, 648)
    assert end.word["charger_disordered"] == F(113, 486)
    assert end.word["bounced"] == F(125, 729)
    assert end.word["pursues"] == F(302, 729)
    rolls = [end.word[f"melees={n}"] for n in (1, 2, 3)]
    assert rolls == [F(5, 18), F(65, 324), F(169, 324)]
    assert end.combats["inf"]["recoil=1"] == F(727, 3888)
    assert end.combats["inf"]["recoil=2"] == F(3635, 11664)


def test_V_HEX_12_the_same_value_at_once() -> None:
    end = solved(column(1, 33, 11))
    assert 1 - end.combats["inf"]["target_stood"] == F(5, 9)
    assert end.word["bounced"] == F(4, 9)


def pair(first: int, second: int) -> dict[str, Any]:
    """A line of four hexes with 48 against two stacks, 24 against each."""
    return line(2, units={"s1": {"melee": first}, "s2": {"melee": second}})


@pytest.mark.parametrize(
    ("first", "second", "chances"),
    [
        (12, 48, (F(7, 36), F(1, 12), F(77, 648), F(25, 81), F(85, 324), F(7, 216))),
        (24, 24, (F(35, 324), F(65, 432), F(59, 432), F(25, 81), F(20, 81), F(4, 81))),
    ],
)
def test_V_HEX_13_line_pair(first: int, second: int, chances: tuple[F, ...]) -> None:
    end = solved(pair(first, second))
    recoils = {
        n: sum(p for k, p in end.joint.items() if k[:2] == ("charger_disordered", n))
        for n in (1, 2)
    }
    found = (
        end.word["charger_routed"], recoils[2], recoils[1],
        end.word["bounced"], end.word["no_pursuit"], end.word["pursues"],
    )  # fmt: skip
    assert found == chances


@pytest.mark.parametrize(
    ("reaction", "broken"),
    [
        ("stand", F(25, 36)),
        ({"do": "square", "at": 4}, F(415, 1944)),
        ({"do": "square", "at": 3}, F(115, 324)),
        ({"do": "square", "at": 2}, F(85, 162)),
        ({"do": "square", "at": 1}, F(1295, 1944)),
    ],
)
def test_V_HEX_14_stand_or_square(reaction: Any, broken: F) -> None:
    end = solved(charge(infantry={"hexes": [[5, 0]]}, reaction={"inf": reaction}))
    assert 1 - end.combats["inf"]["target_stood"] == broken


@pytest.mark.parametrize(
    ("attack", "defence", "column_id"),
    [
        (24, 12, "2:1"), (8, 12, "1:2"), (11, 11, "1:1"), (33, 11, "3:1"),
        (47, 12, "3:1"), (48, 11, "4:1"), (8, 24, "1:3"),
    ],
)  # fmt: skip
def test_V_HEX_15_column_choice(attack: int, defence: int, column_id: str) -> None:
    end = solved(charge({"melee": attack}, {"melee": defence, **STEADY}))
    columns = Scenario(**charge()).model.tables["melee"]["columns"]
    codes = next(one["faces"] for one in columns if one["id"] == column_id)
    blank = sum(code & 7 == 0 for code in codes)
    assert end.word.get("bounced", 0) == F(blank, 36)


@pytest.mark.parametrize(
    ("before", "results", "after"),
    [
        ("good", ("DD1", "BLANK"), "disordered"),
        ("good", ("BLANK", "BLANK"), "disordered"),
        ("good", ("AD1", "DD1"), "disordered"),
        ("disordered", ("DD1", "BLANK"), "pgd"),
        ("disordered", ("BLANK", "BLANK"), "pgd"),
        ("disordered", ("AD1", "DD1"), "pgd"),
        ("good", ("AR", "DD1"), "pgd"),
    ],
)
def test_V_HEX_17_charger_state(before: str, results: tuple[str, ...], after: str) -> None:
    file = line(2, tables=ALL, cavalry={"state": before})
    end = played(file, {f"melee.s{i}": face(r) for i, r in enumerate(results, 1)})
    assert end.states["cav"] == after


@pytest.mark.parametrize("before", ["good", "disordered"])
def test_V_HEX_17_no_melee_changes_nothing(before: str) -> None:
    file = line(1, cavalry={"state": before}, units={"s1": {"morale": 66}})
    end = played(file)
    assert (end.word, end.states["cav"]) == ("targets_broke", before)


def test_V_HEX_17_columns() -> None:
    end = played(column(2, tables=ALL), {"wave.0": face("BLANK"), "wave.1": face("DD1")})
    assert end.states["cav"] == "good"
    file = column(3, tables=ALL, cavalry={"state": "disordered"})
    end = played(file, {"wave.0": face("AD1")})
    assert end.states["cav"] == "pgd"
    assert end.flags["head_hex"]


def test_V_HEX_18_modifiers() -> None:
    file = line(2, 40, charge={"modifier": 6})
    assert played(file).values[0] == ("s1", F(26))
    file = column(4, 40, charge={"modifier": 6})
    assert played(file).values[0] == ("inf", F(23, 2))


def test_V_HEX_19_disorder_without_recoil() -> None:
    file = column(3, tables=ALL)
    end = played(file, {"wave.0": face("DD0"), "wave.1": face("BLANK"), "wave.2": face("AD1")})
    assert (end.word, end.fates["inf"], end.melees) == (
        "charger_disordered", "target_disordered", 3,
    )  # fmt: skip
    end = played(file, {"wave.0": face("DD0"), "wave.1": face("DD0")})
    assert (end.word, end.states["inf"], end.melees) == ("pursues", "pgd", 2)
    end = played({**file, "switches": {"dd0_stops": True}}, {"wave.0": face("DD0")})
    assert (end.word, end.fates["inf"], end.melees) == ("no_pursuit", "target_disordered", 1)


def test_V_HEX_19_a_line() -> None:
    rolls = {"melee.s1": face("DD0"), "melee.s2": face("DD1")}
    assert played(line(2, tables=ALL), rolls).word == "no_pursuit"
    file = line(2, tables=ALL, units={"s1": {"state": "disordered", "stand_modifier": 12}})
    assert played(file, rolls).word == "pursues"
