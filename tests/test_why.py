"""What matters most: the changes that are tried, what they do, and how it is shown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import chargesim as cs
from chargesim import cli
from chargesim.report.variations import variations

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
BOARS = SHIPPED / "boar_riders.toml"
OGRES = SHIPPED / "ogres_bull_charge.toml"
HEXES = SHIPPED / "line_on_three_stacks.toml"


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


def test_what_is_tried(boars: cs.Scenario) -> None:
    tried = {(one.path, one.old, one.new) for one in variations(boars)}
    assert {
        ("unit.boars.Ld", 7, 6), ("unit.boars.Ld", 7, 8), ("unit.boars.save", "3+", "2+"),
        ("unit.boars.weapon", "spear", "hand_weapon"),
        ("unit.handgunners.missile", "handgun", "none"),
        ("unit.boars.mount", "mount", None), ("unit.boars.standard", False, True),
        ("switches.insane_courage", False, True), ("switches.redirect_test", "none", "leadership"),
        ("charge.0.distance", 20, 21),
    } <= tried  # fmt: skip
    paths = {path for path, _, _ in tried}
    assert not [path for path in paths if path.endswith((".side", ".charger", ".troop", ".title"))]
    rules = [one for one in variations(cs.load(OGRES)) if one.path == "unit.ogres.rules"]
    assert [(one.old, one.new, one.value) for one in rules] == [
        ("bull_charge", None, ["fear"]), ("fear", None, ["bull_charge"])
    ]  # fmt: skip


def test_each_contribution_is_the_difference_of_two_answers(boars: cs.Scenario) -> None:
    found = cs.why(boars, "contact")
    base = cs.solve(boars).probability("contact")
    assert found.base.estimate.value == base
    changes = [one for group in found.groups for one in group]
    assert len(changes) > 50
    for one in changes[:12]:
        changed = cs.solve(boars.replace(**{one.change.path: one.change.value}))
        assert one.difference.value == pytest.approx(changed.probability("contact") - base)
    sizes = [max(abs(one.difference.value) for one in group) for group in found.groups]
    assert sizes == sorted(sizes, reverse=True)
    top = found.groups[0][0].change
    assert (top.path, top.new) == ("unit.boars.models", 4)


def test_what_cannot_stand_is_left_out(boars: cs.Scenario) -> None:
    found = cs.why(boars.replace(**{"unit.boars.Ld": 10}), "contact")
    tried = [row["to"] for row in found.rows() if row["path"] == "unit.boars.Ld"]
    assert tried == [9]


def test_a_sample_shares_its_luck(boars: cs.Scenario) -> None:
    exact = cs.why(boars, "contact")
    sampled = cs.why(boars, "contact", engine="sample", trials=4_000)
    assert not sampled.is_exact
    truth = {(r["path"], r["to"]): r["difference"] for r in exact.rows()}
    inside = [
        r["difference_low"] <= truth[r["path"], r["to"]] <= r["difference_high"]
        for r in sampled.rows()
    ]
    # nothing that touches no die of the charge differs at all, so few are ever wrong
    assert sum(inside) / len(inside) > 0.9
    assert len(sampled.mattering) <= len(exact.mattering) + 1


def test_text_names_what_matters_and_what_does_not(run: Callable[..., str]) -> None:
    shown = run("why", BOARS, "--value", "handgunners:target_broke*")
    assert "handgunners:target_broke*: 51.333 % as it is." in shown
    assert re.search(
        r"^handgunners: missile weapon +handgun → none +79\.503 % +\+28\.170$", shown, re.MULTILINE
    )
    assert re.search(r"^boars: mount, A +1 → 0 ", shown, re.MULTILINE)
    assert "No difference was found in " in shown
    shown = run("why", BOARS, "--value", "contact", "--lang", "es")
    assert re.search(r"handgunners: arma de proyectiles +arcabuz → ninguna +100 % +\+12,950", shown)
    assert "sin " in run("why", OGRES, "--value", "mean:impact_wounds", "--lang", "es")
    for lang, words in (("en", "without mount "), ("es", "sin montura ")):
        assert words in run("why", BOARS, "--value", "handgunners:target_broke*", "--lang", lang)


def test_csv_and_json_hold_every_change(boars: cs.Scenario, run: Callable[..., str]) -> None:
    many = len(cs.why(boars, "contact").rows())
    rows = list(csv.reader(io.StringIO(run("why", BOARS, "--value", "contact", "--format", "csv"))))
    assert len(rows) == many + 1
    assert rows[0][:4] == ["path", "from", "to", "value"]
    found = json.loads(run("why", BOARS, "--value", "contact", "--format", "json"))
    assert len(found["changes"]) == many
    assert found["base"]["value"] == cs.solve(boars).probability("contact")


def test_tornado(boars: cs.Scenario, tmp_path: Path, run: Callable[..., str]) -> None:
    found = cs.why(boars, "contact")
    ax = found.plot()
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert names[0] == "boars: models"
    assert "handgun → none" in {text.get_text() for text in ax.texts}
    assert ax.lines[0].get_xdata()[0] == pytest.approx(100 * found.base.estimate.value)
    for name in ("a.svg", "b.svg"):
        run("why", BOARS, "--value", "contact", "--figure", tmp_path / name, "--lang", "es")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_hexes(run: Callable[..., str]) -> None:
    shown = run("why", HEXES, "--value", "pursues")
    assert re.search(r"^square_divisor +3 → 2 ", shown, re.MULTILINE)


def test_nothing_matters(boars: cs.Scenario) -> None:
    far = boars.replace(**{"charge.0.distance": 300})
    found = cs.why(far, "contact")
    assert found.mattering == []
    found.plot()


def test_bad_input(boars: cs.Scenario, run: Callable[..., str]) -> None:
    assert "the nearest known is 'contact'" in run("why", BOARS, "--value", "contcat", code=2)
    with pytest.raises(cs.InputError, match="'fast' is none"):
        cs.why(boars, engine="fast")
