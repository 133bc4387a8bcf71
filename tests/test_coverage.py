"""The coverage table names real functions and real tests, and every rule of the specification."""

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

from chargesim.rulesets.coverage import Row, rows

HERE = Path(__file__).parent
# The specification's families in its order, with the number of their rules or their weapons.
SPECIFICATION: dict[str, int | tuple[str, ...]] = {
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


def expected_ids() -> list[str]:
    """Ids of the specification, in its order."""
    ids = []
    for family, members in SPECIFICATION.items():
        if isinstance(members, int):
            ids += [f"WH6-{family}-{number:02}" for number in range(1, members + 1)]
        else:
            ids += [f"WH6-{family}-{name}" for name in members]
    return ids


def function_of(row: Row) -> Callable[..., Any]:
    """The function that a row names."""
    module, _, name = row.function.rpartition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


COVERED = [row for row in rows("wh6") if row.status == "covered"]
LEFT_OUT = [row for row in rows("wh6") if row.status == "left_out"]


def by_id(row: Row) -> str:
    """Name of a row among the tests."""
    return row.id


def test_every_rule_has_one_row_in_the_order_of_the_specification() -> None:
    assert [row.id for row in rows("wh6")] == expected_ids()
    assert {row.status for row in rows("wh6")} == {"covered", "left_out"}


def test_an_unknown_ruleset_has_no_table() -> None:
    with pytest.raises(FileNotFoundError):
        rows("wh7")


@pytest.mark.parametrize("row", COVERED, ids=by_id)
def test_a_covered_rule_names_a_function_whose_docstring_names_it(row: Row) -> None:
    function = function_of(row)
    assert callable(function)
    assert row.function.startswith("chargesim.rulesets.wh6.")
    assert not row.why
    if row.id.split("-")[1] not in TABLES:
        module = sys.modules[row.function.rpartition(".")[0]]
        texts = (function.__doc__ or "", module.__doc__ or "")
        assert any(row.id in text for text in texts), f"{row.function} does not name {row.id}"


@pytest.mark.parametrize("row", COVERED, ids=by_id)
def test_a_covered_rule_has_tests_and_they_exist(row: Row) -> None:
    known = {test for test, _ in updater().tests_in(HERE)}
    assert row.tests
    assert set(row.tests) <= known


@pytest.mark.parametrize("row", LEFT_OUT, ids=by_id)
def test_a_rule_left_out_says_why(row: Row) -> None:
    assert len(row.why.split()) >= 3
    assert (row.function, row.tests) == ("", ())


def test_every_test_of_a_rule_is_listed() -> None:
    listed = {test: row.id for row in rows("wh6") for test in row.tests}
    for test, name in updater().tests_in(HERE / "wh6"):
        if name.startswith("test_WH6_"):
            rule = updater().rule_of(name, expected_ids())
            assert rule is not None, f"{test} carries no known rule"
            assert listed.get(test) == rule, f"{test}: run python tests/update_coverage.py"


def test_the_table_is_in_step_with_the_tests() -> None:
    text = updater().table_of("wh6").read_text(encoding="utf-8")
    assert updater().rewritten("wh6", text) == text, "run python tests/update_coverage.py"
