"""The coverage table of hex_increment: every rule, real functions and tests."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
import update_coverage

from chargesim.rulesets.coverage import Row, rows
from chargesim.rulesets.hex_increment.scenario import SWITCH_RULES, Switches, switch_rows

TESTS = Path(__file__).parent.parent
SPECIFICATION = {
    "ZONE": 6,
    "FORM": 4,
    "EXP": 5,
    "TERR": 5,
    "TGT": 11,
    "LINE": 19,
    "COL": 13,
    "SEQ": 10,
}
"""Families of the specification in its order, with the number of their rules."""
IDS = [f"HEX-{f}-{n:02}" for f, many in SPECIFICATION.items() for n in range(1, many + 1)]
ROWS = rows("hex_increment")
COVERED = [row for row in ROWS if row.status == "covered"]


def test_every_rule_has_one_row_in_the_order_of_the_specification() -> None:
    assert [row.id for row in ROWS] == IDS


@pytest.mark.parametrize("row", COVERED, ids=lambda row: row.id)
def test_a_covered_rule_names_a_function_whose_docstring_names_it(row: Row) -> None:
    place, _, name = row.function.rpartition(".")
    module = importlib.import_module(place)
    function = getattr(module, name)
    assert callable(function)
    assert row.function.startswith("chargesim.rulesets.hex_increment.")
    texts = (function.__doc__ or "", module.__doc__ or "")
    assert any(row.id in text for text in texts), f"{row.function} does not name {row.id}"


@pytest.mark.parametrize("row", COVERED, ids=lambda row: row.id)
def test_a_covered_rule_has_tests(row: Row) -> None:
    assert row.tests
    assert not row.why


def test_a_rule_left_out_says_why() -> None:
    for row in ROWS:
        if row.status == "left_out":
            assert len(row.why.split()) >= 3
            assert (row.function, row.tests) == ("", ())


def test_every_test_of_a_rule_is_listed() -> None:
    listed = {test: row.id for row in ROWS for test in row.tests}
    for test, name in update_coverage.tests_in(TESTS / "hex_increment"):
        if name.startswith("test_HEX_"):
            assert listed.get(test) == update_coverage.rule_of(name, IDS), (
                f"{test}: run tests/update_coverage.py"
            )
    text = update_coverage.table_of("hex_increment").read_text(encoding="utf-8")
    assert update_coverage.rewritten("hex_increment", text) == text, (
        "run python tests/update_coverage.py"
    )


def test_every_switch_belongs_to_a_rule() -> None:
    assert set(SWITCH_RULES) == set(Switches.model_fields)
    assert {rule for *_, rule in switch_rows()} <= set(IDS)
