"""Targets: who may or must be named; and changes of a line's width on the way."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from hex_increment.build import CAVALRY, INFANTRY, STEADY, charge, line, played, solved
from hex_increment.test_vectors import extending
from hex_increment.test_zone import ground, planned, refused

from chargesim.rulesets.hex_increment.state import Named


def test_HEX_EXP_01_one_hex_a_hex_of_movement_and_lines_only() -> None:
    refused(extending(26, path=[[1, 0], [2, 0]]), "charge.0.changes", "HEX-EXP-01")
    file = charge({"formation": "company_column"}, charge={"changes": ["extend_left"]})
    refused(file, "only a line", "HEX-EXP-01")
    refused(charge(charge={"changes": ["consolidate_left"]}), "leaves 0 hexes", "HEX-EXP-01")


def test_HEX_EXP_01_new_hexes_lie_in_the_zone() -> None:
    # to the right of a lone hex that has moved along its right front hexside there is no zone
    file = charge(
        infantry={"hexes": [[5, 0]]}, charge={"path": [[1, 0]], "changes": ["extend_right"]}
    )
    refused(file, "charge.0.path.0")


def test_HEX_EXP_01_the_line_fights_with_the_hexes_it_grew_to() -> None:
    plan = planned(extending(16))
    assert plan.hexes == 4
    assert len(plan.move.end) == 4
    # a share of one hex in four
    assert played(extending(16)).values == [("inf", F(6))]


def test_HEX_EXP_02_one_morale_check_a_hex() -> None:
    asked = [q for q in played(extending(26)).asked if q.startswith("change")]
    assert asked == ["change.0", "change.1", "change.2"]
    assert solved(extending(26)).word["check_failed"] == 1 - F(2, 3) ** 3


@pytest.mark.parametrize(
    ("dice", "morale", "passed"),
    [
        ("2d6", 7, F(15, 36)),
        ("d10", 4, F(6, 10)),
        ("probability", 0.25, F(1, 4)),
        ("d66", 36, F(1, 2)),
    ],
)  # fmt: skip
def test_HEX_EXP_02_other_dice(dice: str, morale: float, passed: F) -> None:
    file = extending(0)
    file["unit"]["cav"]["morale"] = morale
    file["unit"]["inf"]["morale"] = {"2d6": 2, "d10": 0, "probability": 1.0, "d66": 16}[dice]
    file["charge"][0]["changes"] = ["extend_left"]
    file["switches"] = {"morale_dice": dice}
    assert 1 - solved(file).word["check_failed"] == passed


def test_HEX_EXP_02_faces_that_always_decide() -> None:
    file = extending(66)
    file["switches"] = {"auto_faces": "11_fails_66_passes"}
    assert 1 - solved(file).word["check_failed"] == F(1, 36) ** 3


def test_HEX_EXP_03_a_failure_ends_the_charge_and_disorders() -> None:
    end = played(extending(26), {"change.0": 11})
    assert (end.word, end.states["cav"], end.fates["inf"]) == (
        "check_failed",
        "disordered",
        "no_contact",
    )
    file = extending(26)
    file["unit"]["cav"]["state"] = "disordered"
    assert played(file, {"change.0": 11}).states["cav"] == "pgd"


def test_HEX_EXP_04_tired_in_every_case() -> None:
    assert played(extending(26), {"change.0": 11}).flags["tired"]
    assert played(extending(26)).flags["tired"]
    assert solved(charge()).word["tired"] == 1


@pytest.mark.parametrize("kind", ["reaction", "opportunity"])
def test_HEX_EXP_05_not_in_reaction_and_opportunity_charges(kind: str) -> None:
    refused(extending(26, kind=kind), "HEX-EXP-05", kind)
    assert planned(charge(charge={"kind": kind})).met[0].contact


def test_HEX_LINE_19_the_owner_chooses_the_hex() -> None:
    def ends(change: str) -> set[tuple[int, int]]:
        file = line(1, charge={"changes": [change]})
        return set(planned(file).move.end)

    assert ends("consolidate_left") != ends("consolidate_right")
    assert len(ends("consolidate_left")) == 1


def test_HEX_TGT_01_combat_units_in_or_next_to_the_zone() -> None:
    refused(charge(infantry={"kind": "leader"}), "HEX-TGT-01")
    refused(charge(infantry={"hexes": [[9, 0]]}), "HEX-TGT-01")
    late = charge(infantry={"late": True, **STEADY})
    refused(late, "late_arrivals")
    late["switches"] = {"late_arrivals": "eligible"}
    assert played(late).melees == 1


def test_HEX_TGT_02_only_in_a_front_hex() -> None:
    for at, met in (([1, 0], True), ([1, -1], True), ([0, -1], False), ([0, 1], False)):
        file = charge(infantry={"hexes": [at]})
        if met:
            assert planned(file).met[0].contact
        else:
            assert (
                not planned({**file, "charge": [{**file["charge"][0], "path": []}]}).met[0].contact
            )


def test_HEX_TGT_03_named_at_two_hexes_in_sight() -> None:
    assert planned(charge()).met[0].named is Named.AT_TWO_HEXES
    # a formed line in between hides it until contact
    file = charge(infantry={"hexes": [[4, -2]]}, more={"wall": {**INFANTRY, "hexes": [[3, -1]]}})
    file["charge"][0]["path"] = [[1, 0], [2, 0], [3, -1]]
    refused(file, "charge.0.path.2")
    file = ground(charge(infantry={"hexes": [[4, 0]]}), wood=({"blocks_sight": True}, [[3, 0]]))
    file["charge"][0]["path"] = [[1, 0], [2, 0], [3, 0]]
    assert planned(file).met[0].named is Named.IN_CONTACT


def test_HEX_TGT_04_who_was_passed_may_not_be_charged() -> None:
    refused(charge({"passed_targets": ["inf"]}), "HEX-TGT-04")
    file = charge(charge={"targets": [], "path": [[1, 0]]})
    assert planned(file).refused == ("inf",)


def test_HEX_TGT_05_foot_and_guns_near_the_start_are_named_at_once() -> None:
    for kind in ("infantry", "artillery"):
        file = charge(infantry={"hexes": [[2, 0]], "kind": kind})
        assert planned(file).met[0].named is Named.AT_THE_START
    file = charge(infantry={"hexes": [[2, 0]], "kind": "cavalry"})
    assert planned(file).met[0].named is Named.AT_TWO_HEXES
    file["switches"] = {"declare_at_start_vs_cav": True}
    assert planned(file).met[0].named is Named.AT_THE_START


def test_HEX_TGT_06_no_contact_ends_the_charge() -> None:
    end = played(charge(charge={"targets": [], "path": [[1, 0]]}))
    assert (end.word, end.states["cav"]) == ("no_target", "good")


def test_HEX_TGT_07_a_named_target_not_reached_disorders() -> None:
    end = played(charge(charge={"path": [[1, 0]]}))
    assert (end.word, end.states["cav"]) == ("target_missed", "disordered")
    column = charge(
        {"formation": "company_column", "hexes": [[0, 0], [-1, 0]]}, charge={"path": [[1, 0]]}
    )
    assert played(column).flags["head_hex"]
    # who was never two hexes away in sight was never named
    end = played(charge(infantry={"hexes": [[4, 0]]}, charge={"path": [[1, 0]]}))
    assert (end.word, end.states["cav"]) == ("no_target", "good")


def test_HEX_TGT_07_one_of_several_missed() -> None:
    file = line(2, units={"s2": {"hexes": [[2, 1], [3, 0]]}})
    assert played(file).melees == 1
    file["switches"] = {"miss_rule": "any_missed"}
    assert played(file).word == "target_missed"


@pytest.mark.parametrize(("formation", "named"), [
    ("skirmish", Named.AT_TWO_HEXES), ("square", Named.AT_TWO_HEXES), ("line", Named.IN_CONTACT),
])  # fmt: skip
def test_HEX_TGT_08_skirmishers_and_squares_do_not_hide(formation: str, named: Named) -> None:
    # after two hexes the target is two away behind the other, then the way leads round it
    other: dict[str, Any] = {**INFANTRY, "formation": formation, "hexes": [[2, 0]]}
    file = charge(infantry={"hexes": [[3, 0]], "kind": "cavalry"}, more={"other": other})
    file["charge"][0]["path"] = [[1, 0]]
    assert planned(file).met[0].named is (named if formation != "line" else Named.NEVER)


def test_HEX_TGT_09_a_waiting_target_is_not_charged_again() -> None:
    file = charge(more={"hussars": {**CAVALRY, "hexes": [[0, 1]]}})
    file["charge"].append({"charger": "hussars", "targets": ["inf"]})
    refused(file, "charge.1.targets", "HEX-TGT-09")


def test_HEX_TGT_11_no_opportunity_fire_from_next_to_the_charger() -> None:
    fire = {"opportunity_fire": [0, 1], **STEADY}
    assert played(charge(infantry=fire)).lost == 1
    assert played(charge(infantry={**fire, "hexes": [[1, 0]]})).lost == 0
