"""The coverage tables name real functions and real tests, and every rule of the specification."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from chargesim.rulesets import NAMES, get
from chargesim.rulesets.coverage import Row, rows

HERE = Path(__file__).parent
Families = dict[str, int | tuple[str, ...]]
WH6: Families = {
    "UNIT": 4,
    "LD": 8,
    "SEQ": 6,
    "CHG": 15,
    "SS": 10,
    "FLEE": 13,
    "RALLY": 4,
    "REDIR": 7,
    "PANIC": 10,
    "FEAR": 9,
    "TERR": 6,
    "FRENZ": 7,
    "HATE": 1,
    "STUB": 1,
    "STUP": 1,
    "IMM": 3,
    "UNBR": 1,
    "SHOOT": 6,
    "MW": (
        *("short_bow", "bow", "long_bow", "crossbow", "repeater_crossbow", "handgun", "pistol"),
        *("sling", "javelin", "throwing_axe", "throwing_knife"),
    ),
    "WND": 1,
    "SAVE": 3,
    "SPEC": 6,
    "CHAR": 13,
    "IMPACT": 7,
    "CC": 9,
    "WPN": (
        *("hand_weapon", "two_hand_weapons", "great_weapon", "flail", "morning_star", "halberd"),
        *("spear", "pike", "lance", "pistol", "brace_of_pistols"),
    ),
    "CR": 10,
    "BRK": 4,
    "PURS": 4,
    "OVER": 1,
    "US": 2,
    "PSYCH": 2,
    "ARMY": 10,
}
HEX: Families = {
    "ZONE": 6,
    "FORM": 4,
    "EXP": 5,
    "TERR": 5,
    "TGT": 11,
    "LINE": 19,
    "COL": 13,
    "SEQ": 10,
}
RNK = {
    "TURN": 5,
    "DECL": 8,
    "LOS": 5,
    "SIDE": 4,
    "ONE": 6,
    "CTR": 6,
    "INT": 6,
    "FLEE": 10,
    "RES": 7,
    "CMB": 12,
}
SPECIFICATION = {
    "wh6": ("WH6", WH6),
    "hex_increment": ("HEX", HEX),
    "ranked_regiment": ("RNK", RNK),
}
"""Prefix of the ids, and the specification's families in its order, with the number of their rules
or their weapons."""
TABLES = ("MW", "WPN")
"""Families of weapons: facts of a table, not rules that a docstring names."""


@cache
def updater() -> ModuleType:
    """The script that writes the lists of tests."""
    spec = importlib.util.spec_from_file_location("update_coverage", HERE / "update_coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def expected_ids(ruleset: str) -> list[str]:
    """Ids of the specification, in its order."""
    prefix, families = SPECIFICATION[ruleset]
    ids = []
    for family, members in families.items():
        if isinstance(members, int):
            ids += [f"{prefix}-{family}-{number:02}" for number in range(1, members + 1)]
        else:
            ids += [f"{prefix}-{family}-{name}" for name in members]
    return ids


def function_of(row: Row) -> Callable[..., Any]:
    """The function that a row names."""
    module, _, name = row.function.rpartition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


EVERY = [(ruleset, row) for ruleset in NAMES for row in rows(ruleset)]
COVERED = [pytest.param(*one, id=one[1].id) for one in EVERY if one[1].status == "covered"]
LEFT_OUT = [pytest.param(row, id=row.id) for _, row in EVERY if row.status == "left_out"]


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_rule_has_one_row_in_the_order_of_the_specification(ruleset: str) -> None:
    assert [row.id for row in rows(ruleset)] == expected_ids(ruleset)
    assert {row.status for row in rows(ruleset)} <= {"covered", "left_out"}


def test_an_unknown_ruleset_has_no_table() -> None:
    with pytest.raises(FileNotFoundError):
        rows("wh7")


@pytest.mark.parametrize(("ruleset", "row"), COVERED)
def test_a_covered_rule_names_a_function_whose_docstring_names_it(ruleset: str, row: Row) -> None:
    function = function_of(row)
    assert callable(function)
    assert row.function.startswith(f"chargesim.rulesets.{ruleset}.")
    assert not row.why
    if row.id.split("-")[1] not in TABLES:
        module = sys.modules[row.function.rpartition(".")[0]]
        texts = (function.__doc__ or "", module.__doc__ or "")
        assert any(row.id in text for text in texts), f"{row.function} does not name {row.id}"


@pytest.mark.parametrize(("ruleset", "row"), COVERED)
def test_a_covered_rule_has_tests_and_they_exist(ruleset: str, row: Row) -> None:
    known = {test for test, _ in updater().tests_in(HERE)}
    assert row.tests, ruleset
    assert set(row.tests) <= known


@pytest.mark.parametrize("row", LEFT_OUT)
def test_a_rule_left_out_says_why(row: Row) -> None:
    assert len(row.why.split()) >= 3
    assert (row.function, row.tests) == ("", ())


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_test_of_a_rule_is_listed(ruleset: str) -> None:
    listed = {test: row.id for row in rows(ruleset) for test in row.tests}
    for test, name in updater().tests_in(HERE / ruleset):
        if name.startswith(f"test_{SPECIFICATION[ruleset][0]}_"):
            rule = updater().rule_of(name, expected_ids(ruleset))
            assert rule is not None, f"{test} carries no known rule"
            assert listed.get(test) == rule, f"{test}: run python tests/update_coverage.py"


@pytest.mark.parametrize("ruleset", NAMES)
def test_the_table_is_in_step_with_the_tests(ruleset: str) -> None:
    text = updater().table_of(ruleset).read_text(encoding="utf-8")
    assert updater().rewritten(ruleset, text) == text, "run python tests/update_coverage.py"


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_switch_belongs_to_a_rule(ruleset: str) -> None:
    switches = get(ruleset).switch_rows()
    assert len({name for name, *_ in switches}) == len(switches)
    for name, _, _, rule in switches:
        assert set(rule.split(", ")) <= set(expected_ids(ruleset)), name
