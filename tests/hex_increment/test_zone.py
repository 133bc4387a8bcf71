"""Zone, way, formation and terrain: where a charge may go."""

from __future__ import annotations

from typing import Any

import pytest
from hex_increment.build import CAVALRY, INFANTRY, STEADY, charge, line, played, row

from chargesim.errors import InputError
from chargesim.rulesets.hex_increment.hexes import distance
from chargesim.rulesets.hex_increment.plan import Plan, plans
from chargesim.rulesets.hex_increment.zone import rim, zone
from chargesim.scenario import Scenario


def planned(file: dict[str, Any]) -> Plan:
    """Plan of the first charge."""
    return plans(Scenario(**file).model)[0]


def refused(file: dict[str, Any], *words: str) -> None:
    """A scenario is refused with all these words."""
    with pytest.raises(InputError) as caught:
        Scenario(**file)
    for word in words:
        assert word in str(caught.value)


def ground(file: dict[str, Any], **kinds: Any) -> dict[str, Any]:
    """Give hexes of a map a terrain: name = (properties, hexes)."""
    file["map"]["terrain"] = {name: one[0] for name, one in kinds.items()}
    file["map"]["hexes"] = {name: one[1] for name, one in kinds.items()}
    return file


def test_HEX_ZONE_01_the_formation_decides_the_shape() -> None:
    assert len(planned(charge()).zone) == 20
    assert len(planned(charge({"hexes": row(0, 3)})).zone) == 30
    column = {"formation": "company_column", "hexes": [[0, 0], [-1, 0], [-2, 0]]}
    assert len(planned(charge(column)).zone) == 20
    assert len(planned(charge(switches={"zone_shape": "rays"})).zone) == 10


@pytest.mark.parametrize("facing", range(6))
def test_HEX_ZONE_01_five_hexes_from_each_front_hexside(facing: int) -> None:
    found = zone([(0, 0)], facing)
    assert max(distance((0, 0), at) for at in found) == 5
    assert min(distance((0, 0), at) for at in found) == 1


def test_HEX_ZONE_02_five_points_whatever_the_allowance() -> None:
    file = charge(infantry={"hexes": [[5, 0]]})
    file["map"]["default"] = "field"
    ground(file, field=({"cost": 1.5}, []))
    plan = planned(file)
    assert plan.move.spent == 9
    assert plan.move.end == ((3, 0),)
    assert plan.move.stranded


def test_HEX_ZONE_03_no_step_leaves_the_zone() -> None:
    file = charge(charge={"path": [[0, 1]]})
    refused(file, "charge.0.path.0", "HEX-ZONE-03")
    # with any neighbour a step may go sideways, still inside
    file = charge(charge={"path": [[1, 0], [0, 1]]}, switches={"steps": "any_neighbour"})
    refused(file, "charge.0.path.1", "HEX-ZONE-03")


def test_HEX_ZONE_04_a_unit_next_to_the_zone() -> None:
    file = charge(infantry={"hexes": [[6, 0]], **STEADY})
    plan = planned(file)
    assert (6, 0) not in plan.zone
    assert (6, 0) in rim(plan.zone)
    assert plan.met[0].contact
    # not from a hex that ends the charge
    ground(file, wood=({"general_order": True}, [[5, 0], [5, -1], [4, 0], [4, -1]]))
    assert not planned(file).met[0].contact


def test_HEX_ZONE_05_terrain_keeps_the_far_end_out_of_reach() -> None:
    file = charge(infantry={"hexes": [[6, 0]]})
    ground(file, mud=({"cost": 2}, [[2, 0], [2, -1], [2, -2], [1, 0], [1, -1]]))
    plan = planned(file)
    assert not plan.met[0].contact
    assert plan.move.spent <= 10


def test_HEX_ZONE_05_the_cheapest_way_is_taken() -> None:
    file = charge(infantry={"hexes": [[3, -1]]})
    ground(file, mud=({"cost": 3}, [[1, 0]]))
    plan = planned(file)
    assert plan.move.spent == 4
    assert (1, -1) in [body[0] for body in plan.move.bodies]


def test_HEX_ZONE_05_a_step_of_a_line_costs_what_its_dearest_hex_costs() -> None:
    file = charge({"hexes": row(0, 2)}, {"hexes": [[2, 0]]})
    ground(file, mud=({"cost": 3}, [[0, -1]]))
    assert planned(file).move.spent == 2
    for at in ([1, 0], [1, -1]):
        ground(file, mud=({"cost": 3}, [at]))
        assert planned(file).move.spent == 6


def test_HEX_ZONE_06_the_limit_binds_the_head_alone() -> None:
    column = {"formation": "company_column", "hexes": [[0, 0], [-1, 0]]}
    file = charge(column, {"hexes": [[6, 0]], **STEADY})
    ground(file, mud=({"cost": 4}, [[0, 0], [-1, 0]]))
    assert planned(file).move.spent == 10
    assert played(file, {"wave.0": 23}).melees == 2


@pytest.mark.parametrize("formation", ["column", "general_order", "skirmish", "other", "square"])
def test_HEX_FORM_01_only_line_or_company_column(formation: str) -> None:
    refused(charge({"formation": formation}), "HEX-FORM-01", formation)


def test_HEX_FORM_02_the_zone_of_the_declaration_fixes_who_can_be_charged() -> None:
    refused(charge(infantry={"hexes": [[-3, 0]]}), "HEX-TGT-01")
    # beside the end of the move, but not in its front
    plan = planned(charge(infantry={"hexes": [[2, 0]]}, charge={"path": [[1, 0], [2, -1]]}))
    assert not plan.met[0].contact


def test_HEX_FORM_04_a_column_follows_its_head_round_a_bend() -> None:
    column = {"formation": "company_column", "hexes": [[0, 0], [-1, 0], [-2, 0]]}
    file = charge(column, {"hexes": [[3, -2]], **STEADY})
    plan = planned(file)
    assert plan.hexes == 3
    assert plan.met[0].contact
    assert len({body[0][1] for body in plan.move.bodies}) > 1
    assert played(file, {"wave.0": 23, "wave.1": 23}).melees == 3


def test_HEX_TERR_01_any_formation_is_in_general_order_there() -> None:
    for formation in ("line", "company_column"):
        file = charge({"formation": formation}, charge={"path": [[1, 0], [2, 0]]})
        ground(file, wood=({"general_order": True}, [[1, 0]]))
        assert played(file).word == "general_order"


def test_HEX_TERR_02_enemies_in_general_order_may_be_charged() -> None:
    file = charge(infantry={"formation": "general_order", **STEADY})
    ground(file, wood=({"general_order": True}, [[3, 0]]))
    assert planned(file).met[0].contact


def test_HEX_TERR_03_entering_ends_the_charge() -> None:
    file = charge(infantry=STEADY, charge={"path": [[1, 0], [2, 0]]})
    ground(file, wood=({"general_order": True}, [[2, 0]]))
    end = played(file)
    assert (end.word, end.fates["inf"], end.states["cav"]) == (
        "general_order",
        "no_contact",
        "good",
    )
    file["switches"] = {"go_end_disorder": True}
    assert played(file).states["cav"] == "disordered"


def test_HEX_TERR_03_a_target_missed_there_with_all_points_spent_disorders() -> None:
    file = charge(infantry={"hexes": [[3, 0]], **STEADY}, charge={"path": [[1, 0], [2, 0]]})
    ground(file, wood=({"general_order": True, "cost": 4}, [[2, 0]]))
    end = played(file)
    assert (end.word, end.states["cav"]) == ("general_order", "disordered")


def test_HEX_TERR_04_no_charge_starts_there() -> None:
    file = ground(charge(), wood=({"general_order": True}, [[0, 0]]))
    refused(file, "charge.0.charger", "HEX-TERR-04")


def test_HEX_TERR_05_no_charge_where_cavalry_may_not_go() -> None:
    file = ground(charge(), marsh=({"prohibited": True}, [[3, 0]]))
    refused(file, "charge.0.targets", "HEX-TERR-05")
    file["switches"] = {"prohibited_target": "open"}
    assert planned(file).met[0].contact
    file = ground(charge(charge={"path": [[1, 0]]}), marsh=({"prohibited": True}, [[1, 0]]))
    refused(file, "HEX-TERR-05")
    # the way leads round it
    file = ground(charge(infantry={"hexes": [[3, -1]]}), marsh=({"prohibited": True}, [[1, 0]]))
    assert planned(file).met[0].contact


def test_a_line_meets_its_targets_where_they_stand() -> None:
    plan = planned(line(2))
    assert plan.touched == (("s1",), ("s1", "s2"), ("s2",), ("s2",))
    assert {met.name: met.contact for met in plan.met} == {"s1": True, "s2": True}


def test_units_bar_the_way() -> None:
    friend = {**CAVALRY, "hexes": [[1, 0]]}
    plan = planned(charge(infantry={"hexes": [[3, -1]]}, more={"friend": friend}))
    assert (1, 0) not in [body[0] for body in plan.move.bodies]
    foe = {**INFANTRY, "hexes": [[1, 0]]}
    blocked = {**INFANTRY, "hexes": [[1, -1]]}
    plan = planned(charge(infantry={"hexes": [[3, -1]]}, more={"one": foe, "two": blocked}))
    assert not plan.met[0].contact
    assert len(plan.move.bodies) == 1
