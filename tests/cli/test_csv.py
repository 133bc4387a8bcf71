"""Answers as CSV: a row a number, unrounded."""

from __future__ import annotations

import csv
import io
import json
import math

from cli.files import FLEE, PHASE, SHOOT, Run


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_csv_of_a_result_is_unrounded(run: Run) -> None:
    found = json.loads(run("run", SHOOT, "--format", "json"))["charges"][0]
    table = rows(run("run", SHOOT, "--format", "csv"))
    assert table[0] == ["table", "outcome", "p", "low", "high", "still charging"]
    told = {row[1]: tuple(float(cell) for cell in row[2:5]) for row in table[1:4]}
    assert told == {word: tuple(e.values()) for word, e in found["outcome"].items()}
    start = next(i for i, row in enumerate(table) if row[1] == "value")
    assert table[start] == ["table", "value", "p", "low", "high", "at least"]
    casualties = {row[1]: float(row[2]) for row in table[start + 1 : start + 7]}
    assert casualties == found["shooting_casualties"]
    assert {row[0] for row in table[start + 1 : start + 7]} == {"0:shooting_casualties"}


def test_csv_of_a_sample_has_its_intervals_as_numbers(run: Run) -> None:
    arguments = ("run", PHASE, "--engine", "sample", "--trials", "2000", "--format")
    combat = json.loads(run(*arguments, "json"))["combats"][0]["outcome"]
    table = rows(run(*arguments, "csv"))
    told = {row[1]: tuple(float(cell) for cell in row[2:5]) for row in table if row[0] == "man"}
    assert told == {word: tuple(e.values()) for word, e in combat.items()}


def test_csv_of_a_check_has_every_cell_and_json_the_same(run: Run) -> None:
    arguments = ("check", FLEE, "--trials", "2000")
    table = rows(run(*arguments, "--format", "csv"))
    cells = json.loads(run(*arguments, "--format", "json"))["cells"]
    assert table[0] == [
        "cell", "exact", "sampled", "p-value", "rolled", "p-value, rolled", "verdict",
    ]  # fmt: skip
    assert [(r[0], float(r[1]), float(r[2])) for r in table[1:]] == [
        (c["what"], c["exact"], c["sampled"]) for c in cells
    ]
    assert any("=" in row[0] for row in table)


def test_csv_of_odds_is_unrounded(run: Run) -> None:
    table = rows(run("odds", "2d6", "--format", "csv"))
    assert float(table[1][1]) == 1 / 36
    assert math.isclose(sum(float(row[1]) for row in table[1:]), 1)


def test_csv_of_rules_has_a_row_a_rule(run: Run) -> None:
    listed = json.loads(run("rules", "wh6", "--format", "json"))
    table = rows(run("rules", "wh6", "--format", "csv"))
    assert {row["id"] for row in listed} <= {cell for row in table for cell in row}
    assert all(set(row) == {"id", "status", "function", "tests", "why"} for row in listed)
