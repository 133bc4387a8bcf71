"""The study file: what it may hold, and what is said of everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.data import scenarios, studies
from chargesim.faults import StudyError
from chargesim.scenario import read_toml
from chargesim.study.axes import Axis
from chargesim.study.design import Design
from chargesim.study.file import Study, load_study, make_study, study_schema

Make = Callable[..., Study]
BOARS = str(scenarios()["boar_riders"])
GOOD: dict[str, Any] = {"scenario": BOARS, "axes": {"charge.0.distance": "10:40:2"}}


def test_defaults() -> None:
    study = make_study(GOOD)
    assert study.title == "Boar riders charge ten handgunners who stand and shoot"
    assert (study.engine, study.trials, study.precision, study.seed) == ("auto", 100_000, None, 0)
    assert (study.luck, study.keep, study.until, study.design.kind) == (
        "shared", "outcome", None, "grid",
    )  # fmt: skip
    assert study.axes == (Axis("charge.0.distance", tuple(range(10, 41, 2))),)


@pytest.mark.parametrize("file", studies().values(), ids=lambda file: file.stem)
def test_shipped_studies_are_sound_and_match_the_schema(file: Path) -> None:
    study = load_study(file)
    assert study.design.count > 1
    jsonschema.validate(read_toml(file), study_schema())


def test_every_ruleset_has_a_shipped_study() -> None:
    shipped = {load_study(file).scenario.ruleset.name for file in studies().values()}
    assert shipped == {"wh6", "hex_increment", "ranked_regiment"}


def test_schema_knows_every_key_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli._guard(lambda: cli._run(["schema", "study"])) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(GOOD, schema)
    with pytest.raises(jsonschema.ValidationError, match="trails"):
        jsonschema.validate({**GOOD, "trails": 5}, schema)


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        ({"trails": 5}, ["trails: unknown key; the nearest known is 'trials'"]),
        ({"scenario": None}, ["scenario: is missing: write scenario ="]),
        ({"scenario": "nowhere.toml"}, ["scenario: ", "nowhere.toml: cannot be read"]),
        ({"axes": None}, ["axes: is missing: write [axes]"]),
        ({"axes": {}}, ["axes: there is none"]),
        (
            {"axes": {"charge.0.distnce": "1:2"}},
            ['axes."charge.0.distnce": there is no', "the nearest known is 'charge.0.distance'"],
        ),
        (
            {"axes": {"charge.0.distance": "5:1", "unit.bors.Ld": [1]}},
            ["2 faults", "'5:1' is empty", "the nearest known is 'unit.boars.Ld'"],
        ),
        ({"axes": {"charge.0.distance": []}}, ["there is no value in it"]),
        ({"axes": {"charge.0.distance": [5, 5]}}, ["5 stands twice"]),
        (
            {"axes": {"unit.boars.L": "6:8", "unit.boars.Ld": "6:8"}},
            ["unit.boars.Ld has an axis already"],
        ),
        ({"axes": {"charge.0.distance": {"low": 1, "high": 2}}}, ['belongs to design = "lhs"']),
        ({"design": "cube"}, ["design: 'cube' is not one of grid, zip, lhs"]),
        ({"design": "lhs"}, ["points: is missing"]),
        ({"points": 5}, ["points: belongs to design"]),
        (
            {"design": "zip", "axes": {"charge.0.distance": "1:3", "unit.boars.Ld": "6:7"}},
            ["of one length", "charge.0.distance 3, unit.boars.Ld 2"],
        ),
        ({"trials": 0}, ["trials: 0 is too small: at least 1"]),
        ({"trials": "many"}, ["trials: 'many' is not a number"]),
        ({"trials": True}, ["trials: True is not a number"]),
        ({"precision": 0.7}, ["precision: 0.7 cannot be: below 0.5"]),
        ({"precision": 1e-9}, ["precision: 1e-09 would take more than"]),
        ({"precision": 0.01, "trials": 5}, ["precision: stands beside trials"]),
        ({"seed": -1}, ["seed: -1 is too small: at least 0"]),
        ({"luck": "good"}, ["luck: 'good' is not one of shared, independent"]),
        ({"keep": "everything"}, ["keep: 'everything' is not one of outcome, all"]),
        ({"until": "charge_move"}, ["until: there is no phase", "'charge_moves'"]),
        ({"axes": {"charge.0.distance": "1:1e6:1", "unit.boars.models": "1:10000"}},
         ["10,000,000,000 points are too many"]),
        (
            {"design": "lhs", "points": 9, "axes": {"unit.boars.Ld": {"low": 5, "hihg": 9}}},
            ["hihg: unknown key; the nearest known is 'high'", "high: is missing"],
        ),
        (
            {"design": "lhs", "points": 9, "axes": {"unit.boars.Ld": {"low": 9, "high": 5}}},
            ["low is 9 and high 5: turn them"],
        ),
        (
            {"trials": 0, "keep": "x", "axes": {"charge.0.x": "1"}, "sed": 1},
            ["4 faults", "trials: 0", "keep: 'x'", "charge.0.x", "sed: unknown key"],
        ),
    ],
)  # fmt: skip
def test_faults_are_told_with_their_paths(changes: dict[str, Any], messages: list[str]) -> None:
    tables = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    with pytest.raises(StudyError) as caught:
        make_study(tables, "my.toml")
    for message in ["my.toml: ", *messages]:
        assert message in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text("scenario = ", encoding="utf-8")
    with pytest.raises(cs.InputError, match="is not TOML"):
        load_study(file)


# designs


def axes(*lengths: int) -> list[Axis]:
    return [Axis(f"axis.{i}", tuple(range(many))) for i, many in enumerate(lengths)]


def test_a_grid_has_every_combination_once_the_last_axis_first() -> None:
    design = Design("grid", axes(3, 2, 4))
    rows = design.rows(0, design.count)
    assert design.count == 24 == len(set(rows))
    assert rows[:5] == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 1, 0)]
    assert rows[7:11] == design.rows(7, 11)
    assert [design.number_of(row) for row in rows] == list(range(24))
    assert design.number_of((0, 0, 4)) is None


def test_a_zip_goes_side_by_side() -> None:
    design = Design("zip", axes(3, 3))
    assert design.rows(1, 3) == [(1, 1), (2, 2)]
    assert design.number_of((2, 2)) == 2
    assert design.number_of((1, 2)) is None


def test_a_latin_hypercube_meets_each_stratum_once_and_depends_on_its_seed() -> None:
    design = Design("lhs", axes(1000, 50), 50, seed=3)
    levels = design.levels(0, 50)
    assert sorted(levels[:, 0] // 20) == list(range(50))
    assert sorted(levels[:, 1]) == list(range(50))
    again, other = Design("lhs", axes(1000, 50), 50, 3), Design("lhs", axes(1000, 50), 50, 4)
    assert np.array_equal(again.levels(0, 50), levels)
    assert not np.array_equal(other.levels(0, 50), levels)
    assert design.number_of(design.rows(17, 18)[0]) == 17


def test_levels_of_a_span_fit_what_may_stand() -> None:
    tables = {
        **GOOD, "design": "lhs", "points": 5,
        "axes": {
            "unit.boars.Ld": {"low": 6, "high": 9},
            "charge.0.distance": {"low": 10, "high": 10.05},
            "unit.handgunners.shooters": {"low": 2, "high": 10, "step": 4},
        },
    }  # fmt: skip
    levels = [axis.values for axis in make_study(tables).axes]
    assert levels == [(6, 7, 8, 9), (10, 10.01, 10.02, 10.03, 10.04, 10.05), (2, 6, 10)]


def test_a_million_points_are_numbered_without_being_made() -> None:
    design = Design("grid", axes(1000, 1000, 1000))
    assert design.rows(10**9 - 1, 10**9) == [(999, 999, 999)]
    assert list(design.spread(3)) == [0, 333_333_333, 666_666_666]
