"""Each way to get a scenario wrong, and the message."""

from __future__ import annotations

from typing import Any

import pytest
from hex_increment.build import CAVALRY, INFANTRY, charge
from hex_increment.test_zone import refused

CASES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("off the map", charge({"hexes": [[20, 0]]}), ("unit.cav.hexes", "[20, 0]", "q -12 to 12")),
    (
        "in two places",
        charge(infantry={"hexes": [[3, 0], [5, 0]]}),
        ("unit.inf.hexes", "two places"),
    ),
    ("one hex twice", charge(infantry={"hexes": [[3, 0], [3, 1], [3, 0]]}), ("[3, 0]", "twice")),
    ("two in a hex", charge(more={"b": INFANTRY}), ("unit.b.hexes", "holds inf already", "stack")),
    ("formation", charge({"formation": "column"}), ("charge.0.charger", "HEX-FORM-01")),
    ("no cavalry", charge({"kind": "infantry"}), ("charge.0.charger", "only cavalry")),
    ("pgd", charge({"state": "pgd"}), ("charge.0.charger", "PGD")),
    (
        "disordered",
        charge({"state": "disordered"}, switches={"disordered_may_charge": False}),
        ("disordered_may_charge",),
    ),
    ("no facing", charge({"facing": None}), ("unit.cav.facing", "missing")),
    ("facings", charge({"facing": [0, 0]}), ("unit.cav.facing", "one a hex")),
    (
        "a bent line",
        charge({"hexes": [[0, 0], [1, -1]]}),
        ("unit.cav.hexes", "direction 2", "[0, -1]"),
    ),
    ("morale", charge({"morale": 37}), ("unit.cav.morale", "face of a D66")),
    ("no charge", {**charge(), "charge": []}, ("charge: is missing",)),
    ("unknown charger", charge(charge={"charger": "cva"}), ("charge.0.charger", "'cav'")),
    ("unknown target", charge(charge={"targets": ["inff"]}), ("charge.0.targets", "'inf'")),
    ("own side", charge(infantry={"side": "active"}), ("own side",)),
    ("target twice", charge(charge={"targets": ["inf", "inf"]}), ("stands twice",)),
    ("both forms", charge(charge={"target": "inf"}), ("charge.0.target", "one of the two")),
    ("grand", charge(charge={"kind": "grand"}), ("charge.0.kind", "Grand Charge")),
    ("path", charge(charge={"path": [[5, 5]]}), ("charge.0.path.0", "[5, 5]")),
    ("reaction of nobody", charge(reaction={"cav": "stand"}), ("reaction.cav", "charged unit")),
    ("reaction", charge(reaction={"inf": "flee"}), ("reaction.inf", "stand, square, retire")),
    (
        "distance",
        charge(reaction={"inf": {"do": "square", "at": 4}}),
        ("reaction.inf.at", "begins at 3"),
    ),
    (
        "distance of what",
        charge(reaction={"inf": {"do": "stand", "at": 2}}),
        ("reaction.inf.at", "only square"),
    ),
    ("unknown modifier", charge(infantry={"stand": ["leeder"]}), ("unit.inf.stand", "'leader'")),
    ("own modifier", charge(infantry={"stand": ["flank"]}), ("unit.inf.stand", "by itself")),
    (
        "square modifier",
        charge(infantry={"square": ["x"]}),
        ("unit.inf.square", "not in the table"),
    ),
    ("retire chance", charge(infantry={"can_retire": 2}), ("unit.inf.can_retire", "0 to 1")),
    ("retire hex", charge(infantry={"retire_to": [9, 0]}), ("unit.inf.retire_to", "next to")),
    ("fire", charge(infantry={"defensive_fire": [0.5, 0.6]}), ("unit.inf.defensive_fire", "1.1")),
    (
        "all lost",
        charge({"increments": 1}, {"defensive_fire": [0.5, 0.5]}),
        ("unit.cav.increments", "fire"),
    ),
    ("give", charge(charge={"give": {"0": "cav"}}), ("charge.0.give.0", "no target")),
    ("give where", charge(charge={"give": {"x": "inf"}}), ("charge.0.give.x", "place")),
    ("passed", charge({"passed_targets": ["nobody"]}), ("unit.cav.passed_targets", "not a unit")),
    ("name", charge(more={"7": {**INFANTRY, "hexes": [[9, 0]]}}), ("unit.7", "is no name")),
    ("key", charge({"moral": 3}), ("unit.cav.moral", "unknown key", "'morale'")),
    ("melee", charge({"melee": 0}), ("unit.cav.melee", "too small")),
    ("decimals", charge({"melee": 1.234}), ("unit.cav.melee", "two decimals")),
    ("no hexes", charge({"hexes": []}), ("unit.cav.hexes", "too few: at least 1", "1 fault")),
    (
        "many hexes",
        charge({"hexes": [[0, i] for i in range(13)]}),
        ("unit.cav.hexes", "13 of them are too many: at most 12"),
    ),
    ("facing", charge({"facing": 6}), ("unit.cav.facing: 6 is too large: at most 5", "1 fault")),
    ("facing of a hex", charge({"facing": [6]}), ("unit.cav.facing.0: 6 is too", "1 fault")),
    (
        "facing and hexes",
        charge({"facing": 6, "hexes": [[20, 0]]}),
        ("unit.cav.facing: 6 is", "unit.cav.hexes: [20, 0] lies off the map", "2 faults"),
    ),
    ("retire flag", charge({"can_retire": "x"}), ("unit.cav.can_retire", "0 to 1", "1 fault")),
    (
        "retreat",
        charge(switches={"pgd_retreat": 16}),
        ("switches.pgd_retreat", "whole number from 0 to 15", "1 fault"),
    ),
    ("hex", charge({"hexes": [[0, "a"]]}), ("unit.cav.hexes.0", "axial coordinates")),
    ("switch", charge(switches={"zone_shape": "cone"}), ("switches.zone_shape", "wedge")),
    (
        "unknown switch",
        charge(switches={"zone_shap": "rays"}),
        ("switches.zone_shap", "'zone_shape'"),
    ),
]


@pytest.mark.parametrize(("file", "words"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_message_says_what_where_and_what_would_be_right(
    file: dict[str, Any], words: tuple[str, ...]
) -> None:
    refused(file, *words)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"hexes": {"wod": [[1, 0]]}, "terrain": {"wood": {}}},
            ("map.hexes.wod", "unknown terrain", "'wood'"),
        ),
        ({"default": "field"}, ("map.default", "unknown terrain 'field'")),
        ({"hexes": {"open": [[99, 0]]}}, ("map.hexes.open", "[99, 0]", "off the map")),
        (
            {"hexes": {"open": [[1, 0]], "wood": [[1, 0]]}, "terrain": {"wood": {}}},
            ("[1, 0]", "already"),
        ),
        ({"terrain": {"wood": {"cost": 0.3}}}, ("map.terrain.wood.cost", "halves")),
        ({"extent": {"q": [3, -3], "r": [0, 1]}}, ("map.extent.q", "backwards")),
    ],
)
def test_faults_of_the_map(changes: dict[str, Any], words: tuple[str, ...]) -> None:
    file = charge()
    file["map"] |= changes
    refused(file, *words)


def test_all_faults_at_once() -> None:
    file = charge({"morale": 70}, {"hexes": [[50, 0]]}, charge={"charger": "x"})
    refused(file, "unit.cav.morale", "unit.inf.hexes", "charge.0.charger", "3 faults")


def test_a_unit_charges_once() -> None:
    file = charge(more={"b": {**INFANTRY, "hexes": [[3, -1]]}, "c": {**CAVALRY, "hexes": [[0, 5]]}})
    file["charge"].append({"charger": "cav", "targets": ["b"]})
    refused(file, "charge.1.charger", "charges twice")
