"""The coverage table of ranked_regiment names real functions and tests, and every rule."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from chargesim.rulesets.coverage import Row, rows

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = {
    "TURN": 5, "DECL": 8, "LOS": 5, "SIDE": 4, "ONE": 6, "CTR": 6, "INT": 6, "FLEE": 10, "RES": 7,
    "CMB": 12,
}  # fmt: skip
"""The specification's families in its order, with the number of their rules."""
ROWS = rows("ranked_regiment")


def test_every_rule_has_one_row_in_the_order_of_the_specification() -> None:
    expected = [
        f"RNK-{name}-{i:02}" for name, count in FAMILIES.items() for i in range(1, count + 1)
    ]
    assert [row.id for row in ROWS] == expected


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_rule_names_a_function_whose_docstring_names_it_and_tests(row: Row) -> None:
    assert row.status == "covered"
    module, _, name = row.function.rpartition(".")
    function = getattr(importlib.import_module(module), name)
    assert row.id in (function.__doc__ or "")
    assert row.tests
    for test in row.tests:
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)


def test_every_test_of_a_rule_is_listed() -> None:
    listed = {test for row in ROWS for test in row.tests}
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for name in re.findall(r"^def (test_RNK_\w+)\(", file.read_text("utf-8"), re.MULTILINE):
            assert f"tests/ranked_regiment/{file.name}::{name}" in listed
