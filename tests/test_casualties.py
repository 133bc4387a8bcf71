"""Losses by how a charge ends, single distributions, and the figures of both."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.report.figures import save
from chargesim.report.schema import casualties_schema, distribution_schema

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
BOARS = SHIPPED / "boar_riders.toml"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def boars() -> cs.Result:
    return cs.solve(cs.load(BOARS))


@pytest.fixture(scope="module")
def sampled() -> cs.Result:
    return cs.solve(cs.load(BOARS), engine="sample", trials=5_000, seed=2)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def runs(*arguments: object, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert found == code, err
        return err if code else out

    return runs


@pytest.mark.parametrize("name", sorted(file.stem for file in SHIPPED.glob("*.toml")))
def test_ends_share_everything_among_them(name: str) -> None:
    if name == "units":
        pytest.skip("it holds units alone")
    result = cs.solve(cs.load(SHIPPED / f"{name}.toml"))
    for unit in result.units:
        found = result.casualties(unit)
        frame = found.frame()
        assert frame.to_numpy().sum() == pytest.approx(1, abs=1e-12)
        for end in found.ends:
            assert frame[end].sum() == pytest.approx(found.end(end)[0], abs=1e-12)
        left = result.distribution(f"{unit}:{found.counted}_left")
        start = getattr(result.scenario.model.unit[unit], found.counted)
        lost = frame.sum(axis=1)
        lost = lost[lost > 0]
        assert list(lost.index) == sorted(int(start) - value for value in left.index)
        assert lost.to_numpy() == pytest.approx(left.to_numpy()[::-1], abs=1e-12)


def test_a_charger_ends_as_its_charge_and_then_as_its_combat(boars: cs.Result) -> None:
    found = boars.casualties("boars")
    for end in found.ends:
        prefix = "0" if end.startswith(("charger_destroyed", "charger_fled")) else "handgunners"
        assert found.end(end)[0] == pytest.approx(boars.probability(f"{prefix}:{end}"), abs=1e-12)
    # shot down means all of them, and panic comes with two dead or more
    assert set(found.frame().index[found.frame()["charger_destroyed"] > 0]) == {5}
    assert min(found.frame().index[found.frame()["charger_fled_panic"] > 0]) == 2
    mean = sum(found.mean(end) * found.end(end)[0] for end in found.ends)
    assert found.mean() == pytest.approx(mean)


def test_with_two_chargers_each_goes_by_its_own_charge() -> None:
    result = cs.solve(cs.load(SHIPPED / "flank_and_front.toml"))
    target = result.casualties("spearmen")
    for unit in ("knights", "riders"):
        assert result.casualties(unit).ends == target.ends


def test_a_redirected_charger_ends_as_its_new_combat() -> None:
    result = cs.solve(cs.load(SHIPPED / "redirect.toml"))
    found = result.casualties("riders")
    caught = found.end("target_fled_caught")[0]
    assert caught == pytest.approx(result.probability("target_fled_caught"))
    assert found.end("draw")[0] == pytest.approx(result.probability("halberdiers:draw"))
    assert "redirected_contact" not in found.ends


def test_who_takes_no_part_ends_in_its_state() -> None:
    result = cs.solve(cs.load(SHIPPED / "panic_spreads.toml"))
    bystander = next(
        unit
        for unit in result.units
        if unit
        not in {
            str(view.labels[who]) for _, view in result.charges for who in ("charger", "target")
        }
    )
    assert "steady" in result.casualties(bystander).ends


def test_hexes_lose_increments() -> None:
    found = cs.solve(cs.load(SHIPPED / "stand_or_square.toml")).casualties("battalion")
    assert found.counted == "increments"
    assert "target_stood" in found.ends
    assert "ILLUSTRATIVE" in found.to_dict()["caveat"]
    assert "ILLUSTRATIVE" in found._repr_html_()


def test_many_values_are_drawn_together_for_people_alone() -> None:
    result = cs.solve(cs.load(SHIPPED / "price_of_a_flank.toml"))
    found = result.casualties("front_spears")
    assert len(found.values) > 8
    (table, *_) = found.document("en").blocks
    assert len(table.columns) <= 3 + 8
    assert len(table.raw) == len(found.values) * len(found.ends)


def test_sampled_losses_have_intervals(sampled: cs.Result, boars: cs.Result) -> None:
    found, exact = sampled.casualties("boars"), boars.casualties("boars")
    for value in (0, 1, 2, 3):
        p, low, high = found.joint(value, value)
        assert low < p < high
        assert abs(p - exact.joint(value, value)[0]) < 1.5 * (high - low)
    ax = found.plot()
    assert len(ax.containers) == len(found.ends) + 1, "bars of each end, and the whiskers"


@pytest.mark.parametrize("lang", ["en", "es"])
def test_figure(lang: str, boars: cs.Result, tmp_path: Path) -> None:
    found = boars.casualties("boars")
    ax = boars.plot("casualties:boars", lang=lang)
    assert len(ax.containers) == len(found.ends)
    heights = np.array([[bar.get_height() for bar in bars] for bars in ax.containers])
    assert heights == pytest.approx(100 * found.frame().to_numpy().T)
    tops = {round(bar.get_y() + bar.get_height(), 6) for bar in ax.containers[-1]}
    assert round(100 * found.joint(1, 1)[0], 6) in tops
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(labels) == len(set(labels)) == len(found.ends)
    styles = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in ax.containers}
    assert len(styles) == len(found.ends), "no two ends look alike"
    names = {"en": ("boars: models lost", "probability, %"),
             "es": ("boars: miniaturas perdidas", "probabilidad, %")}  # fmt: skip
    assert (ax.get_xlabel(), ax.get_ylabel()) == names[lang]
    assert boars.scenario.hash[:12] in ax.get_figure(root=True).get_supxlabel()
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        save(boars.plot("casualties:boars", lang=lang), file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_at_least_curve(boars: cs.Result, sampled: cs.Result) -> None:
    name = "shooting_casualties"
    ax = boars.plot(f"at_least:{name}")
    expected = 100 * boars.at_least(name)
    (line,) = ax.lines
    assert list(line.get_xdata()) == list(expected.index)
    assert line.get_ydata() == pytest.approx(expected.to_numpy())
    assert ax.get_xlabel() == "models lost to stand and shoot, at least"
    assert not ax.collections
    band = sampled.plot(f"at_least:{name}", lang="es")
    assert len(band.collections) == 1
    shown = [text.get_text() for text in band.texts]
    assert shown[0] == "100 %", "at least 0 is certain, sampled or not"
    assert not any(text.startswith("100 %") or text == "0 %" for text in shown[1:])
    falls = boars.plot("at_least:handgunners:combat_result").lines[0].get_ydata()
    assert falls[0] == pytest.approx(100 * boars.probability("contact"))
    assert list(falls) == sorted(falls, reverse=True)


def test_a_few_distributions_are_curves_and_many_a_map(boars: cs.Result) -> None:
    rows = {"unit.handgunners.shooters": [2, 5, 8]}
    value = "at_least:shooting_casualties"
    ax = cs.grid(boars.scenario, rows, value=value).plot()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["2", "5", "8"]
    for line, shooters in zip(ax.lines, (2, 5, 8), strict=True):
        one = cs.solve(boars.scenario.replace(**{"unit.handgunners.shooters": shooters}))
        whole = one.at_least("shooting_casualties").reindex(range(6), fill_value=0.0)
        assert line.get_ydata() == pytest.approx(100 * whole.to_numpy())
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.lines}) == 3
    many = {"unit.handgunners.shooters": range(2, 10)}
    assert cs.grid(boars.scenario, many, value=value).plot().images
    assert cs.grid(boars.scenario, rows, value="exactly:shooting_casualties").plot().images


def test_forms(run: Run, tmp_path: Path) -> None:
    arguments = ("run", BOARS, "--show", "casualties:boars")
    shown = run(*arguments, "--lang", "es", "--figure", tmp_path / "a.png")
    assert "pérdida media" in shown
    assert "49,447 %" in shown
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads(run(*arguments, "--format", "json"))
    jsonschema.Draft202012Validator(casualties_schema()).validate(found)
    assert sum(end["p"] for end in found["ends"].values()) == pytest.approx(1)
    rows = list(csv.reader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert rows[0] == ["outcome", "models_lost", "p", "low", "high"]
    assert sum(float(row[2]) for row in rows[1:]) == pytest.approx(1)


@pytest.mark.parametrize("kind", ["exactly", "at_least"])
def test_one_distribution(kind: str, run: Run, tmp_path: Path, boars: cs.Result) -> None:
    arguments = ("run", BOARS, "--show", f"{kind}:handgunners:combat_result")
    run(*arguments, "--figure", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").is_file()
    found = json.loads(run(*arguments, "--format", "json"))
    jsonschema.Draft202012Validator(distribution_schema()).validate(found)
    exactly = boars.distribution("handgunners:combat_result")
    above = boars.at_least("handgunners:combat_result")
    assert [row["exactly"]["p"] for row in found["distribution"]] == pytest.approx(list(exactly))
    assert [row["at_least"]["p"] for row in found["distribution"]] == pytest.approx(list(above))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("casualties", "write casualties:UNIT"),
        ("casualties:bors", "there is no unit 'bors'; the nearest known is 'boars'"),
        ("casulties:boars", "the nearest known is 'casualties'"),
        ("at_least:impact_hit", "the nearest known is 'impact_hits'"),
        ("exactly:", "write casualties:UNIT"),
    ],
)
def test_bad_input(what: str, message: str, run: Run, tmp_path: Path) -> None:
    said = run("run", BOARS, "--show", what, "--figure", tmp_path / "a.svg", code=2)
    assert message in said
    assert not (tmp_path / "a.svg").exists()


def test_bars_that_stand_too_close_have_no_texts() -> None:
    # 5 boars lose 0 to 5; 20 spearmen lose 0 to 11, or all when they are run down
    few = cs.solve(cs.load(BOARS)).plot("casualties:boars")
    assert len(few.texts) == 6
    many = cs.solve(cs.load(SHIPPED / "chariot_and_crew.toml")).plot("casualties:spearmen")
    assert not many.texts
