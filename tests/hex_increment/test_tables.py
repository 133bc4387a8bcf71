"""Tables of the user: every code of the validator, and what the shipped ones say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hex_increment.build import ALL_RESULTS, charge, played
from hex_increment.test_zone import refused

from chargesim.report.trace import told
from chargesim.rulesets.hex_increment import tables
from chargesim.scenario import Scenario

BAD = Path(__file__).parent / "bad_tables"


def with_table(name: str, **others: Any) -> dict[str, Any]:
    """A charge that uses a table of the folder."""
    return charge(base=BAD, tables={"melee": f"{name}.toml"}, **others)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("E01", ("column 1:1, row 1", "face 57", "two digits from 1 to 6")),
        ("E02", ("column 1:1, row 1", "66 to 11")),
        ("E03", ("column 1:1", "face 43", "give every face 11 to 66 a result")),
        ("E04", ("column 1:1, row 2", "face 43", "row 1")),
        ("E05", ("column 1:1, row 1", "face 11", "'XX'", "BLANK, AD1")),
        ("E06", ("column 1:2", "1:1")),
        ("E07", ("column 1:1",)),
        ("E08", ("source, edition, transcribed_by, verified",)),
        ("E09", ("column 1:1, row 1", "face 11", "DD has no number", "default_recoil")),
    ],
)
def test_V_HEX_16_each_fault_says_row_face_and_column(code: str, words: tuple[str, ...]) -> None:
    refused(with_table(code), f"tables.melee: {code}.toml: {code}: ", *words)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("W10", ("column 2:1", "than 1:1", "AD1")),
        ("W11", ("column 1:1", "face 11", "AR")),
        ("W12", ("column 1:1", "face 66", "DR")),
    ],
)
def test_V_HEX_16_a_warning_stands_with_the_result(code: str, words: tuple[str, ...]) -> None:
    scenario = Scenario(**with_table(code))
    notes = [line.text for line in told(scenario) if line.is_note]
    (text,) = [note for note in notes if f"{code}: " in note]
    for word in words:
        assert word in text


def test_there_is_a_bad_file_for_every_code() -> None:
    assert [file.stem for file in sorted(BAD.glob("*.toml"))] == [
        *(f"E{n:02}" for n in range(1, 10)), "W10", "W11", "W12",
    ]  # fmt: skip


def test_the_shipped_melee_table_is_the_specifications() -> None:
    shipped = Scenario(**charge()).model.tables["melee"]
    counts = {
        "1:3": (4, 8, 3, 3, 18, 0, 0, 0, 0), "1:2": (0, 7, 3, 3, 20, 3, 0, 0, 0),
        "1:1": (0, 2, 3, 3, 20, 3, 5, 0, 0), "3:2": (0, 0, 2, 3, 20, 3, 8, 0, 0),
        "2:1": (0, 0, 0, 2, 20, 3, 11, 0, 0), "3:1": (0, 0, 0, 0, 16, 3, 13, 4, 0),
        "4:1": (0, 0, 0, 0, 10, 3, 13, 10, 0), "5:1": (0, 0, 0, 0, 4, 3, 13, 10, 6),
    }  # fmt: skip
    order = ("AS", "AR", "AD2", "AD1", "BLANK", "DD1", "DD2", "DR", "DS")
    for column in shipped["columns"]:
        found = Counter(map(tables.result_text, column["faces"]))
        assert tuple(found[text] for text in order) == counts[column["id"]]
    assert shipped["warnings"] == []


@pytest.mark.parametrize("lang", ["en", "es"])
def test_what_rests_on_a_shipped_table_says_that_it_is_illustrative(lang: str) -> None:
    scenario = Scenario(**charge())
    notes = [line.text for line in told(scenario, lang=lang) if line.is_note]
    assert any(
        note.upper().startswith("ILUSTRATIVO" if lang == "es" else "ILLUSTRATIVE") for note in notes
    )
    assert scenario.switches["table_melee"] == tables.ILLUSTRATIVE


def test_ones_own_tables_are_not() -> None:
    own = {
        "melee": ALL_RESULTS,
        "square": {"row": [], **_provenance()},
        "stand": _provenance(),
        "recall": {"classes": {"*": 3}, **_provenance()},
        "retire": {"row": [], **_provenance()},
        "fire": _provenance(),
    }
    scenario = Scenario(**charge(tables=own))
    assert not any("ILLUSTRATIVE" in line.text for line in told(scenario))
    assert scenario.switches["table_melee"] == "test"


def _provenance() -> dict[str, Any]:
    return {"provenance": ALL_RESULTS["provenance"]}


@pytest.mark.parametrize(
    "text", ["BLANK", "AD1", "AD15", "DD0", "AR", "DR", "AS", "DS", "1/2", "1*/0*"]
)
def test_results_are_read_and_written_alike(text: str) -> None:
    code = tables.result_code(text, None)
    assert isinstance(code, int)
    assert tables.result_text(code) == text


def test_a_default_recoil_stands_for_a_missing_number() -> None:
    code = tables.result_code("DD", 2)
    assert isinstance(code, int)
    assert tables.result_text(code) == "DD2"


FLAT = {"from": 11, "to": 66}
OTHERS: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("square", {"row": [{"distance": 5, "bands": []}]}, ("row 1", "distance 5")),
    (
        "square",
        {"row": [{"distance": 1, "bands": [{**FLAT, "result": "AD1"}]}]},
        ("E05", "SQUARE"),
    ),
    (
        "square",
        {"row": [{"distance": 1, "bands": [{**FLAT, "to": 65, "result": "SQUARE"}]}]},
        ("E03", "face 66"),
    ),
    ("square", {}, ("row: is missing",)),
    ("stand", {"fail_result": "FLEES"}, ("fail_result", "PGD")),
    ("stand", {"modifiers": {"hill": 1.5}}, ("modifiers.hill",)),
    ("recall", {"classes": {"*": 0}}, ("classes.*",)),
    ("recall", {}, ("classes: is missing",)),
    ("retire", {"row": [{"p": 2}]}, ("row 1", "0 to 1")),
    ("fire", {"classes": {"*": [0.5, 0.4]}}, ("add up to 0.9",)),
    ("melee", {"columns": []}, ("columns: write",)),
    ("melee", {**ALL_RESULTS, "dice": "2d6"}, ("dice", "d66")),
    ("melee", {**ALL_RESULTS, "collumns": 1}, ("unknown key",)),
    ("melee", {**ALL_RESULTS, "columns": [{"id": "a", "min_ratio": "x"}]}, ("column a", "ratio")),
]


@pytest.mark.parametrize(("name", "table", "words"), OTHERS)
def test_other_faults_of_tables(name: str, table: dict[str, Any], words: tuple[str, ...]) -> None:
    refused(charge(tables={name: {**_provenance(), **table}}), f"tables.{name}", *words)


def test_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    absent = charge(base=tmp_path, tables={"melee": "none.toml"})
    refused(absent, "tables.melee", "none.toml", "cannot be read")
    (tmp_path / "bad.toml").write_text("columns = [", encoding="utf-8")
    refused(charge(base=tmp_path, tables={"melee": "bad.toml"}), "tables.melee", "bad.toml")
    refused(charge(tables={"melle": "x.toml"}), "tables.melle", "'melee'")
    refused(charge(tables={"melee": 3}), "tables.melee", "no file name")


def test_a_class_has_rows_of_its_own() -> None:
    bands = {
        False: [{"from": 11, "to": 66, "result": "ROUT"}],
        True: [{"from": 11, "to": 66, "result": "SQUARE"}],
    }
    rows = [
        {"class": kind, "formation": "*", "distance": at, "bands": bands[kind == "guard"]}
        for kind in ("*", "guard")
        for at in (1, 2, 3, 4)
    ]
    file = charge(tables={"square": {"row": rows, **_provenance()}}, reaction={"inf": "square"})
    assert played(file).fates["inf"] == "target_broke_before_melee"
    file["unit"]["inf"]["troop_class"] = "guard"
    assert played(file).melees == 1


def test_below_the_first_column_the_first_one_counts() -> None:
    low = {**ALL_RESULTS, "columns": [{"id": "all", "min_ratio": 5}]}
    assert played(charge({"melee": 1}, tables={"melee": low})).melees == 1
    refused(
        charge({"melee": 1}, tables={"melee": {**low, "below_first": "reject"}}),
        "charge.0.targets", "below the first column",
    )  # fmt: skip


def test_losses_need_increments_to_be_lost() -> None:
    file = charge(tables={"melee": ALL_RESULTS})
    del file["unit"]["inf"]["increments"]
    refused(file, "unit.inf.increments", "losses")
