"""The command ``plan`` and what stands behind it: games of declarations."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import chargesim as cs
from chargesim import cli
from chargesim.cli import app
from chargesim.data import scenarios
from chargesim.errors import InputError
from chargesim.report.game import read_policies

FOLDER = scenarios()["three_against_three"].parent
THREE = str(FOLDER / "three_against_three.toml")
EYE = str(FOLDER / "front_or_flank_by_eye.toml")
FAST = str(FOLDER / "how_fast_are_they.toml")


def said(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["plan", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.output


def test_the_text_tells_value_line_marks_and_reasons() -> None:
    text = said(THREE)
    found = cs.plan(cs.load(THREE))
    assert f"the phase is worth {found.value:.3f} to the active side" in text
    assert "Best line of play" in text
    assert "left_horse charge far_centre, right flank" in text
    assert "dominated" in text
    assert "the target is farther than its Move [RNK-DECL-06]" in text
    assert f"complete lines of play: {found.game.complete:,}" in text
    assert "Ruleset ranked_regiment" in text


def test_in_spanish_no_word_is_left_in_english() -> None:
    text = said(THREE, "--lang", "es")
    for word in ("Mejor línea de juego", "bando activo", "segura", "dominada", "flanco derecho",
                 "el objetivo está más lejos que su Movimiento", "puede cargar"):  # fmt: skip
        assert word in text
    head = text.split("Opciones:")[0]
    for word in (" charge ", " front", "flank", "side", "reply", "worth", "the target"):
        assert word not in head, word


def test_json_has_it_all() -> None:
    found = json.loads(said(THREE, "--format", "json"))
    assert (found["engine"], found["trials"], found["seed"]) == ("exact", None, None)
    assert found["low"] == found["value"] == found["high"]
    best = max(one["value"] for one in found["openings"] if one["side"] == "active")
    assert best == pytest.approx(found["value"])
    (line,) = found["lines"]
    assert line["chance"] == 1
    assert line["steps"][0]["kind"] == "charge"
    assert {one["mark"] for one in found["openings"]} == {"safe", "contested", "dominated", None}
    reasons = [reason for one in found["targets"] for reason in one["reasons"]]
    assert {"RNK-DECL-06", "RNK-LOS-01"} <= {reason["rule"] for reason in reasons}
    assert len(found["targets"]) == 18


@pytest.mark.parametrize("arguments", [[THREE], [FAST], [THREE, "--policies", "random"], [EYE]])
def test_json_is_what_the_schema_says(arguments: list[str]) -> None:
    made = CliRunner().invoke(app, ["schema", "plan"])
    schema = jsonschema.Draft202012Validator(json.loads(made.output))
    found = json.loads(said(*arguments, "--trials", "5", "--format", "json"))
    schema.validate(found)
    with pytest.raises(jsonschema.ValidationError):
        schema.validate({**found, "unknown": 1})


def test_other_forms() -> None:
    rows = list(csv.reader(io.StringIO(said(THREE, "--format", "csv"))))
    assert any(row[1:3] == ["left_horse", "far_left"] for row in rows)
    assert any("dominated" in row for row in rows)
    assert "| left_horse | far_left | yes |" in said(THREE, "--format", "markdown")
    assert "<table>" in said(THREE, "--format", "html")


def test_uncertain_places_give_chances_and_an_interval() -> None:
    found = json.loads(said(EYE, "--format", "json", "--trials", "100", "--seed", "3"))
    assert (found["engine"], found["trials"], found["seed"]) == ("sample", 100, 3)
    assert found["low"] < found["value"] < found["high"]
    assert sum(line["chance"] for line in found["lines"]) == pytest.approx(1)
    text = said(EYE, "--trials", "100", "--seed", "3")
    assert "Exact over all choices, sampled over places and Moves: 100 trials, seed 3" in text
    assert "Likeliest line of play" in text


def test_few_cases_are_exact() -> None:
    found = cs.plan(cs.load(FAST))
    assert found.is_exact
    assert [line.chance for line in found.game.lines] == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert repr(found).endswith("exact)")


def test_policies_are_named_in_the_answer() -> None:
    text = said(THREE, "--policies", "greedy,cautious", "--trials", "5")
    assert "Played by policies, active side greedy, reactive side cautious: 5 games" in text
    text = said(THREE, "--max-states", "20", "--trials", "2")
    assert "active side cautious, reactive side cautious" in text


def test_the_picture_shows_line_and_worth(tmp_path: Path) -> None:
    said(THREE, "--figure", str(tmp_path / "a.svg"))
    figure = cs.plan(cs.load(THREE)).plot("es")
    from matplotlib.text import Text

    from chargesim.report.figures import save

    texts = [text.get_text() for text in figure.findobj(Text)]
    assert any("left_horse carga contra far_centre" in text for text in texts)
    save(figure, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").stat().st_size > 10_000


def test_frames_and_notebooks() -> None:
    found = cs.plan(cs.load(THREE))
    frame = found.table()
    assert list(frame["mark"][frame["kind"] == "charge"].unique()) == [
        "safe", "dominated", "contested"
    ]  # fmt: skip
    assert frame["reply"].str.len().min() > 0
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(FOLDER / "boar_riders.toml")],
         "plan: ruleset wh6 has no game of declarations: it is for ranked_regiment"),
        ([THREE, "--policies", "greddy"], "'greddy' is none; the nearest known is 'greedy'"),
        ([THREE, "--policies", "pass,pass,pass"], "has 3: one for both sides, or one each"),
        ([THREE, "--trials", "0"], "trials: 0 cannot be played: from 1 to 1,000,000"),
        ([THREE, "--engine", "exact", "--max-states", "20"], "more than 20 positions"),
        ([EYE, "--engine", "exact"], "poses or Moves are uncertain"),
        ([THREE, "--max-states", "0"], "max_states: 0 is too few"),
    ],
)  # fmt: skip
def test_bad_input_is_one_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli._guard(lambda: cli._run(["plan", *arguments])) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1


def test_policies_are_read() -> None:
    assert read_policies("greedy") == ("greedy", "greedy")
    assert read_policies("pass, random") == ("pass", "random")
    with pytest.raises(InputError, match="'' is none; known: greedy"):
        read_policies("")
