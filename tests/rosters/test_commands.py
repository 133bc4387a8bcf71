"""The commands on lists, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rosters.test_documents import BOARS

import chargesim as cs
from chargesim.cli import _guard, _run
from chargesim.data import rosters

LISTS = {name: str(file) for name, file in rosters().items()}


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = _guard(lambda: _run(list(words)))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "html"])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_roster(capsys: pytest.CaptureFixture[str], form: str, lang: str) -> None:
    code, out, err = command(
        capsys, "roster", LISTS["river_host"], "--format", form, "--lang", lang
    )
    assert (code, err) == (0, "")
    assert "tower_knights" in out.replace("\\_", "_")
    if form == "json":
        content = json.loads(out)
        assert content["unit"]["eel_packs"]["missing"] == ["models"]
        assert content["units"] == "inch"
        assert content["summary"]["units"] == 13
        assert content["points"] == {"total": 1417.0, "sum": 1417.0}
        assert len(content["findings"]) == sum(
            n for s, n in content["summary"].items() if s not in ("units", "complete")
        )


def test_everything_is_shown_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    few = command(capsys, "roster", LISTS["hill_clans"])[1]
    many = command(capsys, "roster", LISTS["hill_clans"], "--all")[1]
    assert len(many.splitlines()) > 2 * len(few.splitlines())


def test_strict(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = command(capsys, "roster", LISTS["river_host"], "--strict")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "is assumed at" in err or "is missing at" in err or "is conflicting at" in err


def test_from_a_list_to_an_answer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "question.toml")
    code, _out, err = command(
        capsys, "roster", LISTS["river_host"], "--scenario", file, "--charge", "eel_packs",
        "Crag Trolls", "--distance", "9", "--against", LISTS["hill_clans"], "--overrides",
        str(rosters()["river_host"].with_name("river_host_overrides.toml")),
    )  # fmt: skip
    assert (code, err) == (0, "")
    code, out, _err = command(capsys, "run", file)
    assert code == 0
    assert "eel_packs charge crag_trolls" in out


def test_a_file_of_units_is_included(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    units = tmp_path / "units.toml"
    units.write_text(BOARS, encoding="utf-8")
    file = tmp_path / "question.toml"
    words = ["roster", LISTS["river_host"], "--scenario", str(file), "--charge", "reed_spears",
        "boars",
             "--distance", "7", "--against", str(units)]  # fmt: skip
    assert command(capsys, *words)[0] == 0
    assert cs.load(file).unit_names == ("boars", "reed_spears")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["roster", "none.ros"], "none.ros: cannot be read"),
        (["roster", "FILE", "--scenario", "x.toml"], "--charge, --distance is missing"),
        (["roster", "FILE", "--scenario", "x.toml", "--charge", "a", "b", "--distance", "4:9:1"],
            "are several"),
        (["roster", "FILE", "--overrides", "none.toml"], "none.toml: cannot be read"),
        (["matchup", "FILE"], "one list alone"),
        (["matchup", "FILE", "FILE", "--distance", "near"], "'near' is no distance"),
        (["matchup", "FILE", "FILE", "--distance", "9:4:1"], "is no distance"),
        (["matchup", "FILE", "FILE", "--overrides", "x.toml"], "1 are given for 2 lists"),
        (["matchup", "FILE", "FILE", "--figure", "x.pdf"], "is no figure"),
        (["matchup", "FILE", "none.toml"], "none.toml: cannot be read"),
    ],
)  # fmt: skip
def test_wrong_use(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    code, out, err = command(capsys, *[LISTS["river_host"] if w == "FILE" else w for w in words])
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "html"])
def test_matchup(capsys: pytest.CaptureFixture[str], form: str, tmp_path: Path) -> None:
    figure = tmp_path / "map.svg"
    code, out, err = command(
        capsys, "matchup", LISTS["guardia_del_puerto"], LISTS["hueste_del_pantano"], "--distance",
        "15",
        "--one-way", "--format", form, "--figure", str(figure), "--show", "beat", "--lang", "es",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert figure.read_text(encoding="utf-8").startswith("<?xml")
    if form == "json":
        content = json.loads(out)
        assert content["distances"] == [15.0]
        (only,) = content["matchups"]
        assert len(only["charges"]) == 25
        assert len(only["best"]) == len(only["worst"]) == 3
    else:
        assert "Caballeros del faro" in out


def test_overrides_of_each_list(capsys: pytest.CaptureFixture[str]) -> None:
    extra = str(rosters()["river_host"].with_name("river_host_overrides.toml"))
    words = ["matchup", LISTS["river_host"], LISTS["river_host"], "--one-way", "--format", "json",
             "--overrides", extra, "--overrides", "-", "--distance", "5"]  # fmt: skip
    code, out, _err = command(capsys, *words)
    assert code == 0
    (only,) = json.loads(out)["matchups"]
    assert only["left_out"] == {"active": {}, "reactive": {"eel_packs": ["models"]}}
    assert len(only["charges"]) == 12 * 12
