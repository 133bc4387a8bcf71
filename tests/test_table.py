"""Tables over axes: what they hold, what they look like, and what they say of bad input."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.report.figures import save
from chargesim.report.figures_tables import draw
from chargesim.report.grid import MOST_CELLS, duration
from chargesim.report.grid_tables import KEYS, axis_label, grid_document, level
from chargesim.report.render import text
from chargesim.study.axes import make_axis, read_axis

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
BOARS = SHIPPED / "boar_riders.toml"
HEXES = SHIPPED / "line_on_three_stacks.toml"
BY_EYE = SHIPPED / "by_eye.toml"
BROKE = "handgunners:target_broke*"


@pytest.fixture(scope="module")
def boars() -> cs.Scenario:
    return cs.load(BOARS)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def runs(*arguments: object, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert found == code, err
        return err if code else out

    return runs


# axes


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        ("10:40:10", (10, 20, 30, 40)),
        ("10:39:10", (10, 20, 30)),
        ("5:8", (5, 6, 7, 8)),
        ("8:5:-1", (8, 7, 6, 5)),
        ("1:2:0.25", (1, 1.25, 1.5, 1.75, 2)),
        ("6,7, 8", (6, 7, 8)),
        ("12.5", (12.5,)),
    ],
)
def test_spec_is_read(spec: str, values: tuple[float, ...], boars: cs.Scenario) -> None:
    axis = read_axis(boars, f"charge.0.distance={spec}")
    assert axis.values == values
    assert [type(v) for v in axis.values] == [type(v) for v in values]
    assert axis.is_numeric


def test_words_truth_and_saves_are_read(boars: cs.Scenario) -> None:
    assert read_axis(boars, "unit.boars.save=none,3+").values == ("none", "3+")
    assert read_axis(boars, "switches.insane_courage=true,false").values == (True, False)
    assert read_axis(boars, "reaction.handgunners=hold,flee").values == ("hold", "flee")


def test_statistics_go_by_either_name(boars: cs.Scenario) -> None:
    assert read_axis(boars, "unit.boars.L=6:9").path == "unit.boars.Ld"
    assert boars.replace(**{"unit.boars.L": 9}).model.unit["boars"].Ld == 9


def test_units_of_an_included_file_can_be_varied() -> None:
    scenario = cs.load(BY_EYE)
    changed = scenario.replace(**{"unit.knights.M": 10})
    assert changed.model.unit["knights"].M == 10
    assert changed.hash != scenario.hash


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        ("charge.0.distnce=1:2", "the nearest known is 'charge.0.distance'"),
        ("unit.bors.Ld=1:2", "the nearest known is 'unit.boars.Ld'"),
        ("xyz=1:2", "write one such as charge.0."),
        ("charge.0.distance=5:1", "'5:1' is empty: from 5 no step of 1 leads to 1"),
        ("charge.0.distance=1:5:-1", "'1:5:-1' is empty"),
        ("charge.0.distance=1:5:0", "has a step of 0"),
        ("charge.0.distance=1:x", "'1:x' is no range: write from:to or from:to:step"),
        ("charge.0.distance=1:2:3:4", "is no range"),
        ("charge.0.distance=1:inf", "is no range"),
        ("charge.0.distance", "write PATH=SPEC"),
        ("charge.0.distance=", "write PATH=SPEC"),
        ("charge.0.distance=1,,2", "an empty place between commas"),
        ("charge.0.distance=5,6,5", "5 stands twice"),
        ("charge.0.distance=0:1e9:0.01", "too many: at most 1,000,000"),
        ("unit.handgunners.Ld=9:12", "unit.handgunners.Ld = 11 cannot stand"),
        ("unit.handgunners.Ld=9:12", "11 is too large: at most 10"),
        ("unit.boars=orcs", "there is no unit 'orcs'"),
        ("reaction.handgunners=hold,dance", "reaction.handgunners = dance cannot stand"),
    ],
)
def test_bad_axis(axis: str, message: str, run: Callable[..., str]) -> None:
    said = run("table", BOARS, "--rows", axis, "--value", "contact", code=2)
    assert message in said
    assert "Traceback" not in said


def test_a_cell_that_cannot_stand_is_named_by_row_and_column(run: Callable[..., str]) -> None:
    said = run(
        "table", BOARS, "--rows", "unit.boars.models=3:5", "--cols", "unit.boars.width=4,5",
        "--value", "contact", code=2,
    )  # fmt: skip
    assert said.startswith("unit.boars.models = 3, unit.boars.width = 4 cannot stand\n")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("contcat", "there is no outcome 'contcat'; the nearest known is 'contact'"),
        ("mean:impact_wound", "the nearest known is 'impact_wounds'"),
        ("goblins:fleeing", "there is no charge or unit 'goblins'"),
        ("at_least:casualties", "there is no quantity 'casualties'"),
    ],
)
def test_bad_value(value: str, message: str, run: Callable[..., str]) -> None:
    rows = "charge.0.distance=10:12"
    assert message in run("table", BOARS, "--rows", rows, "--value", value, code=2)


def test_columns_of_the_same_path_or_of_a_distribution(run: Callable[..., str]) -> None:
    rows, cols = "charge.0.distance=10:12", "unit.boars.Ld=6,7"
    said = run("table", BOARS, "--rows", rows, "--cols", rows, "--value", "contact", code=2)
    assert "is the path of the rows too" in said
    value = "at_least:shooting_casualties"
    said = run("table", BOARS, "--rows", rows, "--cols", cols, "--value", value, code=2)
    assert "has columns of its own" in said


def test_a_million_cells_are_refused_with_their_time(run: Callable[..., str]) -> None:
    rows, cols = "charge.0.distance=1:100:0.1", "unit.boars.points=1:1000"
    said = run("table", BOARS, "--rows", rows, "--cols", cols, "--value", "contact", code=2)
    assert re.search(r"991,000 cells would take about \d+ \w+: ask for fewer, or say --yes", said)


def test_more_cells_than_the_bound_when_confirmed(
    boars: cs.Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chargesim.report.grid.MOST_CELLS", 3)
    rows = {"charge.0.distance": range(10, 15)}
    with pytest.raises(cs.InputError, match="5 cells would take about a second"):
        cs.table(boars, rows)
    assert cs.table(boars, rows, yes=True).shape == (5, 1)
    assert MOST_CELLS == 10_000


def test_durations() -> None:
    assert [duration(s) for s in (0.1, 80, 600, 7200, 864_000)] == [
        "a second", "80 seconds", "10 minutes", "2 hours", "10 days",
    ]  # fmt: skip


@pytest.mark.parametrize("given", [{}, {"charge.0.distance": [1], "unit.boars.Ld": [1]}])
def test_an_axis_has_one_path(given: dict[str, list[int]], boars: cs.Scenario) -> None:
    with pytest.raises(cs.InputError, match=r"rows: \d paths are given"):
        cs.table(boars, given)
    with pytest.raises(cs.InputError, match="there is no value in it"):
        make_axis(boars, "charge.0.distance", [])


def test_values_may_be_given_in_words(boars: cs.Scenario) -> None:
    frame = cs.table(boars, {"charge.0.distance": "20:24:2"}, {"reaction.handgunners": "hold,flee"})
    assert frame.index.tolist() == [20, 22, 24]
    assert frame.columns.tolist() == ["hold", "flee"]
    with pytest.raises(cs.InputError, match="'20:x' is no range"):
        cs.table(boars, {"charge.0.distance": "20:x"})


# values


def test_every_cell_is_what_solve_says(boars: cs.Scenario) -> None:
    rows, cols = [18, 20, 33, 37], np.arange(6, 9)
    frame = cs.table(boars, {"charge.0.distance": rows}, {"unit.handgunners.Ld": cols}, BROKE)
    assert frame.index.name == "charge.0.distance"
    assert frame.columns.name == "unit.handgunners.Ld"
    for distance in rows:
        for ld in cols:
            changed = boars.replace(
                **{"charge.0.distance": distance, "unit.handgunners.Ld": int(ld)}
            )
            assert frame.loc[distance, ld] == cs.solve(changed).probability(BROKE)
    assert (frame.loc[37] == 0).all()


@pytest.mark.parametrize("value", ["contact", f"{BROKE} | 0:contact", "mean:active_wounds"])
def test_sampled_cells_are_what_solve_samples(value: str, boars: cs.Scenario) -> None:
    options = {"engine": "sample", "trials": 5_000, "seed": 3}
    found = cs.grid(boars, {"unit.boars.Ld": [6, 7]}, value=value, **options)
    exact = cs.grid(boars, {"unit.boars.Ld": [6, 7]}, value=value)
    assert (found.engines, exact.engines) == ({"sample"}, {"exact"})
    assert (found.trials, found.seed, exact.trials) == (5_000, 3, None)
    for row, (ld, cell) in enumerate(zip([6, 7], found.array()[:, 0], strict=True)):
        result = cs.solve(boars.replace(**{"unit.boars.Ld": ld}), **options)
        assert cell == result.value(value)
        wide = found.array("high")[row, 0] - found.array("low")[row, 0]
        assert wide > 0
        assert abs(cell - exact.array()[row, 0]) < 1.5 * wide
    assert (exact.array("low") == exact.array("high")).all()


def test_a_condition_that_is_impossible_is_undefined(
    boars: cs.Scenario, run: Callable[..., str]
) -> None:
    value = f"{BROKE} | 0:contact"
    rows = {"reaction.handgunners": ["hold", "flee"]}
    frame = cs.table(boars, rows, value=value)
    assert frame.loc["hold", value] == pytest.approx(0.79503, abs=1e-5)
    assert math.isnan(frame.loc["flee", value])
    arguments = ("table", BOARS, "--rows", "reaction.handgunners=hold,flee", "--value", value)
    shown = run(*arguments)
    assert re.search(r"^flee +undefined$", shown, re.MULTILINE)
    assert "undefined: its condition is impossible" in shown
    cells = json.loads(run(*arguments, "--format", "json"))["cells"]
    assert cells[1] == [{"p": None, "low": None, "high": None, "engine": "exact"}]
    draw(cs.grid(boars, rows, {"unit.boars.Ld": [6, 7]}, value))


def test_none_leaves_a_key_out_and_plus_makes_a_list(boars: cs.Scenario) -> None:
    bare = cs.table(boars, {"unit.boars.save": ["none", "6+"]}, value=BROKE)
    tables = json.loads(json.dumps(boars.tables))
    del tables["unit"]["boars"]["save"]
    assert bare.loc["none", BROKE] == cs.solve(cs.Scenario(**tables)).probability(BROKE)
    rules = cs.table(boars, {"unit.boars.rules": ["none", "fear+stubborn"]}, value="contact")
    feared = cs.solve(boars.replace(**{"unit.boars.rules": ["fear", "stubborn"]}))
    assert rules.loc["fear+stubborn", "contact"] == feared.probability("contact")


def test_a_unit_is_swapped_for_another_on_its_own_side(boars: cs.Scenario) -> None:
    frame = cs.table(boars, {"unit.boars": ["boars", "handgunners"]})
    assert frame.loc["boars", "contact"] == cs.solve(boars).probability("contact")
    assert frame.loc["handgunners", "contact"] != frame.loc["boars", "contact"]


@pytest.mark.parametrize(("begin", "falls"), [("exactly:", False), ("at_least:", True)])
def test_distributions(begin: str, falls: bool, boars: cs.Scenario) -> None:
    rows = {"unit.handgunners.shooters": [4, 8]}
    frame = cs.table(boars, rows, value=f"{begin}shooting_casualties")
    assert list(frame.columns) == list(range(6))
    for shooters in (4, 8):
        result = cs.solve(boars.replace(**{"unit.handgunners.shooters": shooters}))
        series = result.at_least if falls else result.distribution
        expected = series("shooting_casualties")
        assert frame.loc[shooters].loc[expected.index].to_numpy() == pytest.approx(
            expected.to_numpy()
        )


def test_hexes(run: Callable[..., str]) -> None:
    rows, value = (
        "unit.cavalry.melee=30:60:10",
        "line:target_broke* | line:target_stood+target_broke",
    )
    shown = run("table", HEXES, "--rows", rows, "--value", value, "--lang", "es")
    assert "cavalry: fuerza en la melé" in shown


@pytest.mark.parametrize("value", [BROKE, "mean:handgunners:models_left"])
def test_differences_to_another_choice(value: str, boars: cs.Scenario) -> None:
    rows, flee = {"charge.0.distance": [12, 24]}, {"reaction.handgunners": ["flee"]}
    found = cs.grid(boars, rows, value=value, against=flee)
    for row, distance in enumerate((12, 24)):
        stands = cs.solve(boars.replace(**{"charge.0.distance": distance})).value(value)
        changes = {"charge.0.distance": distance, "reaction.handgunners": "flee"}
        flees = cs.solve(boars.replace(**changes)).value(value)
        scale = 1 if value.startswith("mean") else 100
        assert found.array()[row, 0] == pytest.approx(scale * (stands - flees))
    sampled = cs.grid(boars, rows, value=value, against=flee, engine="sample", trials=4_000)
    assert sampled.engines == {"sample"}
    assert (sampled.array("low") < found.array()).all()
    assert (found.array() < sampled.array("high")).all()


def test_break_even(boars: cs.Scenario, tmp_path: Path, run: Callable[..., str]) -> None:
    flee = {"reaction.handgunners": ["flee"]}
    found = cs.find_level(
        boars, {"charge.0.distance": range(10, 36)}, "mean:handgunners:models_left", 0, against=flee
    )
    assert found.level == found.reached[-1] == found.crossings[0].before
    assert "difference to reaction of handgunners = flee" in found.verdict
    arguments = (
        "table", BOARS, "--rows", "charge.0.distance=10:18", "--cols", "unit.boars.models=3:14",
        "--value", "mean:handgunners:models_left", "--against", "reaction.handgunners=flee",
    )  # fmt: skip
    shown = run(*arguments, "--lang", "es", "--figure", tmp_path / "a.svg")
    assert "diferencia con reacción de handgunners = Huir" in shown
    assert json.loads(run(*arguments, "--format", "json"))["against"] == {
        "reaction.handgunners": "flee"
    }
    assert "2 values are given: write one" in run(*arguments[:-1], "unit.boars.Ld=6,7", code=2)
    whole = ("exactly:shooting_casualties", "--against", "reaction.handgunners=flee")
    said = run("table", BOARS, "--rows", "unit.boars.Ld=6,7", "--value", *whole, code=2)
    assert "compare one of its values" in said


# forms


def test_csv_is_long_and_unrounded(boars: cs.Scenario, run: Callable[..., str]) -> None:
    rows = list(csv.reader(io.StringIO(run(
        "table", BOARS, "--rows", "charge.0.distance=20,33", "--cols", "unit.boars.Ld=6,7",
        "--value", "contact", "--format", "csv",
    ))))  # fmt: skip
    assert rows[0] == ["charge.0.distance", "unit.boars.Ld", "contact", "low", "high", "engine"]
    assert len(rows) == 5
    assert float(rows[2][2]) == cs.solve(boars).probability("contact")


def test_json_names_axes_and_engine(run: Callable[..., str]) -> None:
    found = json.loads(run(
        "table", BOARS, "--rows", "charge.0.distance=20,33", "--cols", "unit.boars.Ld=6,7",
        "--value", "contact", "--format", "json", "--engine", "sample", "--trials", "2000",
        "--seed", "5",
    ))  # fmt: skip
    assert found["rows"] == {"path": "charge.0.distance", "values": [20, 33]}
    assert found["cols"] == {"path": "unit.boars.Ld", "values": [6, 7]}
    assert (found["trials"], found["seed"], found["value"]) == (2000, 5, "contact")
    assert {cell["engine"] for row in found["cells"] for cell in row} == {"sample"}


def test_a_sampled_table_shows_its_error_and_no_certainty(run: Callable[..., str]) -> None:
    shown = run(
        "table", BOARS, "--rows", "charge.0.distance=10,20,37", "--value", "contact",
        "--engine", "sample", "--trials", "3000",
    )  # fmt: skip
    assert re.search(r"^ +10 +> 99\.\d+ %", shown, re.MULTILINE)
    assert re.search(r"^ +20 +87 % +85\.\d–88\.\d$", shown, re.MULTILINE)
    assert re.search(r"^ +37 +< 0\.\d+ %", shown, re.MULTILINE)
    assert "3,000 trials, seed 0" in shown


def test_colours_are_added_and_numbers_stay(boars: cs.Scenario) -> None:
    document = grid_document(cs.grid(boars, {"charge.0.distance": [10, 20, 37]}), "en")
    coloured = text(document, colour=True)
    assert "\x1b[38;5;16;48;5;173m" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.split() for line in plain.splitlines()] == [
        line.split() for line in text(document).splitlines()
    ]


def test_html_is_coloured_by_value(boars: cs.Scenario, run: Callable[..., str]) -> None:
    found = cs.grid(boars, {"charge.0.distance": [10, 37]}, {"unit.boars.Ld": [6, 7]})
    styled = found.style().to_html()
    assert "background-color: #dd8a55" in styled
    assert "100 %" in styled
    assert "background:#dd8a55" in found._repr_html_()
    page = run(
        "table", BOARS, "--rows", "charge.0.distance=10,37", "--value", "contact",
        "--format", "html", "--lang", "es",
    )  # fmt: skip
    assert "background:#6f9bc8" in page
    assert "distancia, cm" in page


def test_spanish(run: Callable[..., str]) -> None:
    shown = run(
        "table", BOARS, "--rows", "reaction.handgunners=hold,flee", "--cols",
        "unit.boars.save=none,3+", "--value", f"{BROKE} | 0:contact", "--lang", "es",
    )  # fmt: skip
    for word in ("en columnas", "reacción de handgunners", "indefinida", "ninguna", "79,503 %"):
        assert word in shown
    assert not re.search(r"\d\.\d", shown.replace(BOARS.name, ""))


def test_labels(boars: cs.Scenario) -> None:
    phase = cs.load(Path(__file__).parent / "scenarios" / "phase.toml")
    assert axis_label(boars, "charge.0.distance", "en") == "distance, cm"
    assert axis_label(phase, "charge.1.distance", "en").startswith("charge 1: distance, ")
    assert axis_label(boars, "unit.boars.Ld", "es") == "boars: L"
    assert axis_label(boars, "unit.boars.mount.A", "en") == "boars: mount, A"
    assert axis_label(cs.load(BY_EYE), "charge.0.distance.sd", "es") == (
        "distancia (desviación típica), cm"
    )
    assert axis_label(boars, "switches.insane_courage", "en") == "insane_courage"
    assert [level(v, "en") for v in (True, 2.5, "flee", None)] == ["yes", "2.5", "flee", "none"]
    assert level(2.5, "es") == "2,5"


# figures


def test_heat_map_has_axes_units_contours_and_source(boars: cs.Scenario, tmp_path: Path) -> None:
    found = cs.grid(
        boars, {"charge.0.distance": range(10, 41)}, {"unit.handgunners.Ld": range(5, 10)}, BROKE
    )
    ax = found.plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("handgunners: Ld", "distance, cm")
    shown = {text.get_text() for text in ax.texts}
    assert {"25 %", "50 %", "75 %"} <= shown
    assert ax.images[0].get_array().shape == (31, 5)
    figure = ax.get_figure(root=True)
    assert "Exact" in figure.get_supxlabel()
    assert "scenario 32dbdce3f390" in figure.get_supxlabel()
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        save(found.plot(lang="es"), file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_heat_map_with_levels_asked_for(tmp_path: Path, run: Callable[..., str]) -> None:
    arguments = (
        "table", BOARS, "--rows", "unit.handgunners.shooters=1:10", "--cols", "unit.boars.Ld=5:9",
        "--value", "contact", "--figure", tmp_path / "a.svg",
    )  # fmt: skip
    run(*arguments, "--levels", "90,95")
    assert (tmp_path / "a.svg").stat().st_size > 5_000
    assert "are no levels" in run(*arguments, "--levels", "x", code=2)


def test_curve_and_bars(boars: cs.Scenario) -> None:
    rows = {"charge.0.distance": [10, 20, 37]}
    exact = cs.grid(boars, rows).plot()
    sampled = cs.grid(boars, rows, engine="sample", trials=2_000).plot()
    assert list(exact.lines[0].get_ydata()) == pytest.approx([100, 87.0497, 0], abs=1e-3)
    assert (len(exact.collections), len(sampled.collections)) == (0, 1)
    bars = cs.grid(boars, {"reaction.handgunners": ["hold", "flee"]}).plot()
    assert [bar.get_height() for bar in bars.patches] == pytest.approx([100, 0])
    assert [tick.get_text() for tick in bars.get_xticklabels()] == ["hold", "flee"]


FOR_PROGRAMS = {"side", "unit", "at", "give", "passed_targets", "retire_to", "hexes"}
"""Keys that are names or places: nobody makes an axis of them."""


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.toml")), ids=lambda file: file.stem)
def test_every_key_that_may_be_an_axis_has_a_name_for_people(file: Path) -> None:
    if file.stem == "units":
        return
    scenario = cs.load(file)
    statistics = {*scenario.ruleset.aliases.values(), "M", "I", "A", "x", "y"}
    for path in scenario.paths:
        parts = path.split(".")
        if parts[0] in ("unit", "charge") and len(parts) > 2:
            last = parts[-1]
            assert last in KEYS or last in statistics or last in FOR_PROGRAMS, path
