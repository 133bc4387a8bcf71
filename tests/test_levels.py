"""Inverse questions: where a value reaches what is asked for, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import chargesim as cs
from chargesim import cli
from chargesim.report.levels import Crossing, read_reach

BOARS = Path(cs.__file__).parent / "data" / "scenarios" / "boar_riders.toml"
STOPPED = "charger_fled_panic+charger_destroyed"
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


def test_fewest_shooters(boars: cs.Scenario) -> None:
    path = "unit.handgunners.shooters"
    found = cs.find_level(boars, {path: range(1, 11)}, STOPPED, 0.1)
    assert found.level == 9
    assert found.crossings == [Crossing(8, 9, rises=True)]
    for shooters, reached in ((8, False), (9, True)):
        chance = cs.solve(boars.replace(**{path: shooters})).probability(STOPPED)
        assert (chance >= 0.1) is reached
    assert found.verdict == (
        f"\u201c{STOPPED}\u201d reaches 10 % from 9 on: 11.077 % there, 9.229 % at 8."
    )


def test_greatest_distance(boars: cs.Scenario) -> None:
    found = cs.find_level(boars, {"charge.0.distance": range(10, 41)}, "contact", 0.5)
    assert (found.level, found.is_monotone) == (36, True)
    assert "reaches 50 % up to 36: 95.692 % there, 0 % at 37." in found.verdict


def test_every_crossing_is_listed(boars: cs.Scenario) -> None:
    found = cs.find_level(boars, {"charge.0.distance": range(10, 41)}, BROKE, 0.6)
    assert not found.is_monotone
    assert found.level == 10
    assert found.reached == [*range(10, 19), *range(31, 37)]
    assert found.crossings == [
        Crossing(18, 19, rises=False), Crossing(30, 31, rises=True), Crossing(36, 37, rises=False)
    ]  # fmt: skip
    assert found.verdict.endswith(
        "reaches 60 % more than once, at 10 \u2026 18, 31 \u2026 36: down between 18 and 19, "
        "up between 30 and 31, down between 36 and 37."
    )


@pytest.mark.parametrize(
    ("levels", "reach", "level", "words"),
    [
        (range(10, 30), 0.5, 10, "always reaches 50 %: at least 87.050 %, at 19."),
        (range(38, 41), 0.5, None, "never reaches 50 %: at most 0 %, at 38."),
        (range(10, 19), 1.0, 10, "always reaches 100 %: at least 100 %, at 10."),
        (range(37, 39), 0.0, 37, "always reaches 0 %"),
    ],
)
def test_always_and_never(
    levels: range, reach: float, level: int | None, words: str, boars: cs.Scenario
) -> None:
    found = cs.find_level(boars, {"charge.0.distance": levels}, "contact", reach)
    assert found.level == level
    assert words in found.verdict


def test_a_sample_decides_by_its_interval(boars: cs.Scenario) -> None:
    options = {"engine": "sample", "trials": 1_000}
    distances = {"charge.0.distance": [19, 21, 37]}
    found = cs.find_level(boars, distances, "contact", 0.87, **options)
    assert (found.level, found.undecided) == (None, [19, 21])
    assert found.verdict == "Not decided: 19 \u2026 21; more trials would tell."
    found = cs.find_level(boars, distances, "contact", 0.8, **options)
    assert (found.level, found.undecided) == (21, [])
    found = cs.find_level(boars, {"charge.0.distance": [10, 19]}, "contact", 0.87, **options)
    assert found.verdict.endswith("reaches 87 % at 10. Not decided: 19; more trials would tell.")


def test_means_words_and_the_undefined(boars: cs.Scenario) -> None:
    models = {"unit.handgunners.shooters": range(1, 11)}
    found = cs.find_level(boars, models, "mean:shooting_casualties", 0.5)
    assert found.level == 5
    assert "reaches 0.5 from 5 on: 0.556 there, 0.444 at 4." in found.verdict
    reactions = {"reaction.handgunners": ["hold", "stand_and_shoot", "flee"]}
    found = cs.find_level(boars, reactions, f"{BROKE} | contact", 0.6)
    assert found.level == "hold"
    assert found.states == [True, False, False]
    found = cs.find_level(boars, {"reaction.handgunners": ["flee"]}, f"{BROKE} | contact", 0.6)
    assert "is undefined at every level" in found.verdict


def test_command(tmp_path: Path, run: Callable[..., str]) -> None:
    arguments = (
        "solve", BOARS, "--for", "unit.handgunners.shooters=1:10", "--value", STOPPED, "--reach"
    )  # fmt: skip
    for reach in ("0.1", "10%", "1/10"):
        assert "reaches 10 % from 9 on" in run(*arguments, reach)
    shown = run(*arguments, "0.1", "--lang", "es")
    assert "llega a 10 % desde 9: 11,077 % ahí, 9,229 % en 8." in shown
    assert "handgunners: tiradores" in shown
    found = json.loads(run(*arguments, "0.1", "--format", "json"))
    assert (found["level"], found["reached"], found["monotone"]) == (9, [9, 10], True)
    assert found["crossings"] == [{"before": 8, "after": 9, "rises": True}]
    assert run(*arguments, "0.1", "--format", "csv").splitlines()[1].endswith("exact,False")
    for name in ("a.svg", "b.svg"):
        run(*arguments, "0.1", "--figure", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("reach", "message"),
    [
        ("1.5", "1.5 is no probability: from 0 to 1, such as 0.25 or 25%"),
        ("often", "'often' is no number: write 0.25, 25% or 1/4"),
        ("1/0", "'1/0' is no number"),
    ],
)
def test_bad_reach(reach: str, message: str, run: Callable[..., str]) -> None:
    axis = "charge.0.distance=10:12"
    arguments = ("solve", BOARS, "--for", axis, "--value", "contact", "--reach", reach)
    assert message in run(*arguments, code=2)


def test_bad_axis_and_value(boars: cs.Scenario, run: Callable[..., str]) -> None:
    arguments = ("--value", "contcat", "--reach", "0.5")
    said = run("solve", BOARS, "--for", "charge.0.distance=10:12", *arguments, code=2)
    assert "the nearest known is 'contact'" in said
    said = run("solve", BOARS, "--for", "charge.0.distanc=10:12", *arguments, code=2)
    assert "the nearest known is 'charge.0.distance'" in said
    with pytest.raises(cs.InputError, match="a whole distribution"):
        cs.find_level(boars, {"charge.0.distance": [1]}, "at_least:shooting_casualties", 0.5)
    with pytest.raises(cs.InputError, match="for: 0 paths are given"):
        cs.find_level(boars, {}, "contact", 0.5)


def test_reach_is_read() -> None:
    assert [read_reach(t) for t in ("0.25", "25%", "1/4", " 25 % ")] == [0.25] * 4


def small(reach: float) -> tuple[float, str, float]:
    """Where the axis of chances ends, on which side the mark is named, and how high."""
    found = cs.find_level(
        cs.load(BOARS), {"unit.handgunners.shooters": range(1, 11)}, STOPPED, reach
    )
    ax = found.plot()
    (mark,) = ax.texts
    return ax.get_ylim()[1], str(mark.get_horizontalalignment()), mark.xy[1]


def test_small_chances_have_an_axis_of_their_own() -> None:
    # at most 12.95 %; the mark is named at the end where the curve is farther from it
    assert small(0.10) == (pytest.approx(1.15 * 12.9503, abs=1e-3), "left", 10)
    assert small(0.02)[1] == "right"
    assert small(0.20)[0] == pytest.approx(1.15 * 20)
    assert small(0.60) == (105, "left", 60)
