"""The commands of studies: what they print, in every form and language, and their exit codes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.data import scenarios

Run = Callable[..., str]
FORMS = ("text", "json", "csv", "markdown", "html")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; its standard output, or with code 2 its standard error."""

    def runs(*arguments: object, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run(["sweep", *map(str, arguments)]))
        out, err = capsys.readouterr()
        assert found == code, err
        assert (out if code == 2 else err) == ""
        return err if code == 2 else out

    return runs


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    file.write_text(
        f'scenario = "{scenarios()["boar_riders"]}"\ntitle = "Boars"\nengine = "exact"\n'
        '[axes]\n"charge.0.distance" = "16:28:4"\n"unit.handgunners.Ld" = [7, 11]\n',
        encoding="utf-8",
    )
    return file


def test_a_study_from_its_forecast_to_its_export(run: Run, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    told = run("run", study, "--dry-run", "--out", out)
    assert "Points: 8; jobs: 1" in told
    assert "Nothing was started." in told
    assert not out.exists()
    told = run("run", study, "--out", out, code=3)
    assert "8 points were answered now." in told
    assert "Points that cannot be answered: 4 of 4" in told
    assert "unit.handgunners.Ld: 11 is too large: at most 10" in told
    assert f'pandas.read_parquet("{out}")' in told
    assert "nothing was done again" in run("run", study, "--out", out, code=3)
    assert "8 of 8" in run("status", out, code=3)
    whole = pd.read_parquet(out)
    assert whole["point"].nunique() == 8

    file = tmp_path / "all.csv"
    assert run("export", out, file) == f"{file}: 8 rows.\n"
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    frame = cs.read_study(out)
    assert [float(row["0:contact"] or "nan") for row in rows] == pytest.approx(
        frame["0:contact"].to_list(), nan_ok=True
    )
    file = tmp_path / "some.parquet"
    run("export", out, file, "--value", "contact", "--intervals")
    columns = ["contact", "contact low", "contact high"]
    asked = cs.read_study(out, ["contact"], intervals=True)
    assert pd.read_parquet(file)[columns].equals(asked[columns])
    run("export", out, file, "--tidy")
    assert len(pd.read_parquet(file)) == len(whole)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_and_language(
    run: Run, study: Path, tmp_path: Path, form: str, lang: str
) -> None:
    how = ("--format", form, "--lang", lang)
    told = [
        run("run", study, "--dry-run", *how),
        run("run", study, "--out", tmp_path / "out", *how, code=3),
        run("status", tmp_path / "out", *how, code=3),
    ]
    for text in told:
        if form == "json":
            content = json.loads(text)
            assert (content["title"], content["design"]) == ("Boars", "grid")
        else:
            assert ("desenlace" in text or "niveles" in text) == (lang == "es")
            assert "charge.0.distance" in text
    if form == "json":
        assert json.loads(told[1])["points"] == {"all": 8, "done": 8, "failed": 4, "exact": 4}
        assert json.loads(told[1])["run"]["points"] == 8
        assert json.loads(told[0])["bytes"] > 1_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "STUDY"), "write --out DIR"),
        (("run", "nowhere.toml", "--out", "OUT"), "give a study file"),
        (("run", "STUDY", "--out", "STUDY"), "is a file: give a folder"),
        (("run", "STUDY", "--out", "HERE"), "holds something else"),
        (("run", "STUDY", "--out", "HERE", "--dry-run"), "holds something else"),
        (("run", "STUDY", "--out", "OUT", "--workers", "0"), "workers: 0 cannot be"),
        (("status", "OUT"), "there is no such folder"),
        (("status", "HERE"), "give the folder of a study"),
        (("export", "OUT", "x.csv"), "there is no such folder"),
        (("export", "OUT", "x.xlsx"), "end it in .csv or .parquet"),
        (("export", "OUT", "no/where/x.csv"), "no folder 'no/where'"),
    ],
)
def test_bad_input_is_told_in_one_message(
    run: Run, study: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    places = {"STUDY": study, "OUT": tmp_path / "out", "HERE": tmp_path}
    told = run(*(places.get(one, one) for one in arguments), code=2)
    assert message in told
    assert "Traceback" not in told
