"""Comparisons: exact differences, paired intervals, rankings, ties, and what is said of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

import chargesim as cs
from chargesim import cli
from chargesim.engine.paired import joined, sample_in_blocks
from chargesim.engine.sample import sample
from chargesim.engine.stats import jackknife, t95

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
BOARS = SHIPPED / "boar_riders.toml"
BROKE = "handgunners:target_broke*"


@pytest.fixture(scope="module")
def boars() -> cs.Scenario:
    return cs.load(BOARS)


@pytest.fixture(scope="module")
def brave(boars: cs.Scenario) -> cs.Scenario:
    return boars.replace(**{"unit.boars.Ld": 8})


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def runs(*arguments: object, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert found == code, err
        return err if code else out

    return runs


def write(tmp_path: Path, name: str, old: str, new: str) -> Path:
    file = tmp_path / name
    file.write_text(BOARS.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return file


def test_exact_difference(boars: cs.Scenario, brave: cs.Scenario) -> None:
    found = cs.compare(boars, brave, value="contact", names=["boars", "brave"])
    difference = found.difference("brave", "boars")
    expected = cs.solve(brave).probability("contact") - cs.solve(boars).probability("contact")
    assert difference.value == difference.low == difference.high == expected
    assert (difference.how, difference.is_tie) == ("exact", False)
    assert found.verdict == "brave beats boars by 4.229 points, exactly."
    assert found.ranks == [1, 2]
    assert list(found.table()["scenario"]) == ["brave", "boars"]
    assert found.difference().value == -expected


def test_exact_tie(boars: cs.Scenario) -> None:
    other = boars.replace(**{"unit.boars.points": 50})
    found = cs.compare(boars, other, names=["a", "b"])
    assert found.ranks == [1, 1]
    assert found.verdict == "a and b are equal, exactly: a tie."


def test_blocks_are_the_trials_of_one_sample(boars: cs.Scenario) -> None:
    blocks = sample_in_blocks(boars, 20_000, seed=4)
    assert len(blocks) == 100
    (found,) = joined(blocks)
    tally = found.tally
    (part,) = boars.parts
    whole = sample(part, 20_000, seed=4)
    assert np.array_equal(tally.states, whole.states)
    assert np.array_equal(tally.weights, whole.weights)
    assert (tally.trials, tally.seed) == (20_000, 4)
    ones = np.ones(len(tally.states))
    assert found.sums(ones).tolist() == [200.0] * 100
    assert (
        found.sums(tally.weights == tally.weights.max())[7]
        == blocks[7][0].weights[
            (blocks[7][0].states == tally.states[np.argmax(tally.weights)]).all(axis=1)
        ]
    )


@pytest.mark.parametrize("value", ["contact", f"{BROKE} | contact", "mean:active_wounds"])
def test_paired_interval_is_narrower_and_holds_the_truth(
    value: str, boars: cs.Scenario, brave: cs.Scenario
) -> None:
    truth = cs.compare(brave, boars, value=value).difference().value
    hits, widths = 0, []
    for seed in range(20):
        found = cs.compare(
            brave, boars, value=value, engine="sample", trials=4_000, seed=seed
        ).difference()
        assert found.how == "paired"
        hits += found.low <= truth <= found.high
        widths.append(found.high - found.low)
    # of 20 intervals of 95 % fewer than 16 would hold it once in 400 such tests
    assert hits >= 16
    alone = cs.compare(brave, boars, value=value, engine="sample", trials=4_000)
    spans = [e.estimate.high - e.estimate.low for e in alone.entries]
    assert np.mean(widths) < 0.95 * np.hypot(*spans)


def test_the_paired_interval_is_that_of_the_trials(boars: cs.Scenario, brave: cs.Scenario) -> None:
    """A braver charger is only ever lost where the other is too: the variance is known."""
    trials = 40_000
    found = cs.compare(brave, boars, engine="sample", trials=trials, names=["b", "a"])
    p = found.difference().value
    expected = 1.96 * np.sqrt(p * (1 - p) / trials)
    half = (found.difference().high - found.difference().low) / 2
    assert half == pytest.approx(expected, rel=0.35)


def test_no_difference_seen_is_bounded(boars: cs.Scenario) -> None:
    same = boars.replace(**{"charge.0.distance": 22})
    found = cs.compare(boars, same, engine="sample", trials=10_000, names=["a", "b"])
    difference = found.difference()
    assert difference.value == 0
    assert difference.high == -difference.low == pytest.approx(3.84 / 10_000, rel=0.01)
    assert difference.is_tie
    assert "a and b cannot be told apart, a tie" in found.verdict


def test_few_trials_and_mixed_engines_are_independent(
    boars: cs.Scenario, brave: cs.Scenario
) -> None:
    few = cs.compare(boars, brave, engine="sample", trials=10).difference()
    assert few.how == "independent"
    short = boars.replace(**{"charge.0.distance": 37})
    mixed = cs.compare(boars, short, trials=2_000, max_states=200, names=["a", "b"])
    assert {e.estimate.engine for e in mixed.entries} == {"exact", "sample"}
    assert mixed.difference().how == "independent"
    assert mixed.difference().low < mixed.difference().value < mixed.difference().high


def test_undefined_stands_last(boars: cs.Scenario) -> None:
    flees = boars.replace(**{"reaction.handgunners": "flee"})
    found = cs.compare(flees, boars, value=f"{BROKE} | contact", names=["flees", "stands"])
    assert [entry.name for entry in found.entries] == ["stands", "flees"]
    assert "Undefined, its condition being impossible or never seen: flees." in found.verdict
    assert found.to_dict()["ranking"][1]["value"] is None


def test_command(tmp_path: Path, run: Callable[..., str]) -> None:
    files = [
        BOARS,
        write(tmp_path, "far.toml", "distance = 20", "distance = 33"),
        write(tmp_path, "near.toml", "distance = 20", "distance = 22"),
        write(tmp_path, "back.toml", "distance = 20", "distance = 24"),
    ]
    shown = run("compare", *files, "--value", "contact")
    assert re.search(r"^ +1 +far +95\.\d+ % ", shown, re.MULTILINE)
    assert len(re.findall(r"^ +2= +\w+ +87\.050 % ", shown, re.MULTILINE)) == 3
    assert "Tied: boar_riders, near, back." in shown
    sampled = ("--engine", "sample", "--trials", "5000", "--seed", "2")
    shown = run("compare", *files[:2], "--value", "contact", *sampled, "--lang", "es")
    assert re.search(
        r"far supera a boar_riders en \d,\d+ puntos, intervalo del 95 % de \d,\d+ a \d", shown
    )
    assert "Suerte compartida" in shown
    found = json.loads(run("compare", *files, "--value", "contact", *sampled, "--format", "json"))
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 2, 2]
    assert len(found["differences"]) == 6
    assert {pair["how"] for pair in found["differences"]} == {"paired"}
    assert (found["trials"], found["seed"]) == (5000, 2)
    for name in ("a.svg", "b.svg"):
        run("compare", *files, "--value", "contact", *sampled, "--figure", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_bad_input(boars: cs.Scenario, run: Callable[..., str]) -> None:
    assert "two scenarios or more" in run("compare", BOARS, "--value", "contact", code=2)
    said = run("compare", BOARS, BOARS, "--value", "contcat", code=2)
    assert "the nearest known is 'contact'" in said
    with pytest.raises(cs.InputError, match="a name of its own"):
        cs.compare(boars, boars, names=["a", "a"])
    with pytest.raises(cs.InputError, match="there is no 'c': one of a, b"):
        cs.compare(boars, boars, names=["a", "b"]).difference("c")
    with pytest.raises(cs.InputError, match="'fast' is none"):
        cs.compare(boars, boars, engine="fast")


def test_the_same_file_twice_gets_letters(boars: cs.Scenario) -> None:
    assert [entry.name for entry in cs.compare(boars, boars).given] == ["A", "B"]


@pytest.mark.parametrize("freedom", [5, 19, 99])
def test_student(freedom: int) -> None:
    assert t95(freedom) == pytest.approx(student.ppf(0.975, freedom), abs=1e-3)


def test_jackknife_of_means_is_their_standard_error() -> None:
    values = np.array([1.0, 4.0, 2.0, 7.0])
    without = (values.sum() - values) / 3
    assert jackknife(without) == pytest.approx(values.std(ddof=1) / 2)
