"""Payoffs: what they hold, who does what, how they are shown, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.report.figures import save
from chargesim.report.payoffs import DECLARED, reactions
from chargesim.report.payoffs_tables import payoffs_document
from chargesim.report.schema import payoffs_schema

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
Run = Callable[..., str]


def shipped(name: str) -> cs.Scenario:
    return cs.load(SHIPPED / f"{name}.toml")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def runs(*arguments: object, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert found == code, err
        return err if code else out

    return runs


def test_each_payoff_is_what_the_choice_of_best_reckons_with() -> None:
    scenario = shipped("best_reaction")
    found = cs.payoffs(scenario)
    assert found.options == [DECLARED]
    alternatives = {one["choice"]: one for one in cs.solve(scenario).alternatives}
    assert set(alternatives) == set(found.replies)
    for name, cell in zip(found.replies, found.cells[0], strict=True):
        assert cell.target.value == pytest.approx(alternatives[name]["value"], abs=1e-9)
        assert cell.charger.value == pytest.approx(-cell.target.value, abs=1e-9)
    (best,) = (one["choice"] for one in alternatives.values() if one["chosen"])
    assert found.replies[found.best_replies[0]] == best == "stand_and_shoot"
    assert found.is_opposed


def test_options_are_what_the_rules_leave_to_the_charger_and_matter() -> None:
    assert cs.payoffs(shipped("redirect")).options == ["redirect", "never redirect"]
    flank = cs.payoffs(shipped("price_of_a_flank"))
    assert flank.options[0] == "front_riders: declare, flank_riders: declare"
    assert len(flank.options) == 4
    assert (flank.best_option, flank.unit) == (0, "front_spears")
    lone = flank.frame().iloc[:, 0]
    # two combats that have nothing to do with each other: their swings add up
    assert lone.iloc[0] == pytest.approx(lone.iloc[1] + lone.iloc[2])
    assert lone.iloc[3] == 0


def test_a_reaction_that_the_rules_replace_is_no_answer() -> None:
    found = cs.payoffs(shipped("frenzied_told_to_flee"))
    allowed = dict(zip(found.replies, [cell.allowed for cell in found.cells[0]], strict=True))
    assert allowed == {"hold": True, "flee": False}
    assert found.replies[found.best_replies[0]] == "hold"
    boars = cs.payoffs(shipped("boar_riders"), {"near": {"charge.0.distance": 12}})
    assert not boars.cells[0][boars.replies.index("stand_and_shoot")].allowed


def test_best_of_both_by_hand() -> None:
    """The target answers each option with the least, the charger takes the greatest of these."""
    values = {"far": {"charge.0.distance": 30}, "near": {"charge.0.distance": 12}}
    found = cs.payoffs(shipped("best_reaction"), values, value="mean:crossbowmen:models_left")
    table = [[cell.target.value for cell in row] for row in found.cells]
    for row, place in zip(found.cells, found.best_replies, strict=True):
        allowed = [cell.target.value for cell in row if cell.allowed]
        assert row[place].target.value == max(allowed)
    answers = [row[place] for row, place in zip(table, found.best_replies, strict=True)]
    assert found.best_option == answers.index(min(answers))


def test_goals_of_both_sides_are_told_where_they_are_not_opposed() -> None:
    found = cs.payoffs(shipped("stand_or_square"))
    assert not found.is_opposed
    assert found.frame("target").iloc[0].idxmax() == "square at 4"
    (table, *_) = payoffs_document(found, "en").blocks
    assert all(" / " in cell for cell in table.rows[0][1:])
    assert "ILLUSTRATIVE" in payoffs_document(found, "en").caveat
    assert found.to_dict()["caveat"] == payoffs_document(found, "en").caveat


def test_who_charges_may_be_of_either_side() -> None:
    """In ranked regiments both sides charge: the payoffs are to whoever charges the unit."""
    tables = {
        "ruleset": "ranked_regiment", "turn": 2, "first": "reactive",
        "unit": {
            "axes": {"side": "reactive", "at": [0, 0], "facing": 0, "frontage": 5, "depth": 2,
                     "move": 20, "models": 10, "width": 5, "power": 6},
            "archers": {"side": "active", "at": [0, 12], "facing": 180, "frontage": 5, "depth": 2,
                        "move": 4, "models": 10, "width": 5},
        },
        "charge": [{"charger": "axes", "target": "archers"}],
    }  # fmt: skip
    found = cs.payoffs(cs.Scenario(**tables))
    assert (found.unit, found.options) == ("archers", ["declare", "do without"])
    assert found.frame().loc["declare", "hold"] > 0
    assert found.best_option == 0


def test_sampled_payoffs_share_their_luck() -> None:
    options = {"engine": "sample", "trials": 4_000, "seed": 3}
    one, two = (cs.payoffs(shipped("best_reaction"), **options) for _ in range(2))
    assert one.to_dict() == two.to_dict()
    assert (one.trials, one.seed, one.is_exact) == (4_000, 3, False)
    exact = cs.payoffs(shipped("best_reaction"))
    for cell, true in zip(one.cells[0], exact.cells[0], strict=True):
        wide = cell.charger.high - cell.charger.low
        assert abs(cell.charger.value - true.charger.value) <= 1.5 * wide + 1e-9
    # options that make no difference are left out though they are sampled
    assert one.options == [DECLARED]


def test_reactions_of_each_ruleset() -> None:
    assert dict(reactions(shipped("boar_riders"), "handgunners")) == {
        name: {"reaction.handgunners": name} for name in ("hold", "stand_and_shoot", "flee")
    }
    squares = dict(reactions(shipped("stand_or_square"), "battalion"))
    assert squares["square at 3"] == {"reaction.battalion": "square at 3"}
    with pytest.raises(cs.InputError, match="'goblins' has no reactions"):
        reactions(shipped("boar_riders"), "goblins")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unit", "boars"], "nobody charges 'boars'; known: handgunners"),
        (["--options", "charge.0.distnce=1,2"], "the nearest known is 'charge.0.distance'"),
        (["--options", "unit.boars.models=3,501"], "cannot stand"),
        (["--value", "contcat"], "the nearest known is 'contact'"),
        (["--value", "contact | target_fled*"], "is undefined"),
        (["--figure", "x.gif"], "end it in .svg or .png"),
    ],
)
def test_bad_input(arguments: list[str], message: str, run: Run) -> None:
    said = run("payoffs", SHIPPED / "boar_riders.toml", *arguments, code=2)
    assert message in said
    assert "Traceback" not in said


def test_too_many_pairs_and_no_options() -> None:
    boars = shipped("boar_riders")
    with pytest.raises(cs.InputError, match="too many"):
        cs.payoffs(boars, {str(i): {} for i in range(1_000)})
    with pytest.raises(cs.InputError, match="there is none"):
        cs.payoffs(boars, {})


def test_forms(run: Run, tmp_path: Path) -> None:
    arguments = (
        "payoffs", SHIPPED / "boar_riders.toml", "--options", "charge.0.distance=12,24",
        "--value", "handgunners:target_broke*",
    )  # fmt: skip
    shown = run(*arguments, "--lang", "es", "--figure", tmp_path / "a.svg")
    for word in ("distancia, cm = 12", "no permitido", "reacciones de handgunners", "79,503 %"):
        assert word in shown
    found = json.loads(run(*arguments, "--format", "json"))
    jsonschema.Draft202012Validator(payoffs_schema()).validate(found)
    assert found["options"] == ["charge.0.distance = 12", "charge.0.distance = 24"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert len(rows) == 6
    assert [row["reaction"] for row in rows if row["best"] == "True"] == ["flee"]
    assert float(rows[0]["charger"]) == found["payoffs"][0][0]["charger"]["value"]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_figure(lang: str, tmp_path: Path) -> None:
    found = cs.payoffs(shipped("redirect"))
    ax = found.plot(lang=lang)
    texts = {text.get_text() for text in ax.texts}
    assert {"5.17", "2.59", "8.00"} <= texts if lang == "en" else {"5,17", "2,59"} <= texts
    assert ax.images[0].get_array().shape == (2, 3)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        ("reaction of archers", "option of the charger")
        if lang == "en"
        else ("reacción de archers", "opción del atacante")
    )
    # a frame a row: the best answers, and the thicker one of the best option
    frames = [patch for patch in ax.patches if not patch.get_hatch()]
    assert sorted(frame.get_linewidth() for frame in frames) == [2.2, 3.4]
    (chosen,) = (frame for frame in frames if frame.get_linewidth() == 3.4)
    assert chosen.get_y() == pytest.approx(found.best_option - 0.44)
    assert chosen.get_x() == pytest.approx(found.best_replies[found.best_option] - 0.46)
    figure = ax.get_figure(root=True)
    assert found.scenario.hash[:12] in figure.get_supxlabel()
    assert "2" in figure.get_suptitle()
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        save(found.plot(lang=lang), file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_notebook_form() -> None:
    found = cs.payoffs(shipped("redirect"))
    assert found.verdict in found._repr_html_()
    assert repr(found) == f"Payoffs({found.verdict})"
