"""Wrong commands, and calls from Python that cannot be."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bad_input.sound import (
    SOUND,
    TABLES,
    command,
    refused,
)

import chargesim as cs
from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
COMMANDS: list[tuple[list[str], tuple[str, ...]]] = [
    (["run", "S", "--trials", "0"], ("trials: 0", "from 1 to 1,000,000,000,000")),
    (["run", "S", "--trials", "-5"], ("trials: -5", "from 1 to")),
    (["run", "S", "--trials", "1e15"], ("trials: 1,000,000,000,000,000", "from 1 to")),
    (["run", "S", "--trials", "abc"], ("--trials", "'abc'", "100000 or 1e6")),
    (["run", "S", "--trials", "1.5"], ("--trials", "'1.5' is not a whole number")),
    (["run", "S", "--trials", "inf"], ("--trials", "'inf' is not a whole number")),
    (["run", "S", "--trials", "9" * 6000], ("--trials", "is not a whole number")),
    (["check", "S", "--trials", "0"], ("trials: 0", "from 1 to")),
    (["run", "S", "--precision", "0"], ("precision: 0", "above 0 and below 0.5")),
    (["run", "S", "--precision", "nan"], ("precision: nan", "above 0 and below 0.5")),
    (["run", "S", "--precision", "x"], ("--precision", "'x' is not a half-width", "0.001")),
    (["run", "S", "--engine", "sample", "--precision", "1e-9"], ("more than 1,000,000,000,000",)),
    (["run", "S", "--seed", "-1"], ("seed: -1", "from 0 to 2**64 - 1")),
    (["run", "S", "--seed", str(2**64)], ("seed: 18446744073709551616", "2**64 - 1")),
    (["trace", "S", "--seed", "x"], ("--seed", "'x' is not a whole number")),
    (["trace", "S", "--trial", "-1"], ("trial: -1", "from 0 to 999,999,999,999")),
    (["run", "S", "--threads", "0"], ("threads: 0", "from 1 to")),
    (["run", "S", "--threads", "two"], ("--threads", "'two'")),
    (["run", "S", "--max-states", "0"], ("max-states: 0", "at least 1")),
    (["run", "S", "--engine", "exakt"], ("--engine", "'exakt'", "'exact'")),
    (["run", "S", "--format", "pdf"], ("--format", "'pdf'", "'markdown'")),
    (["run", "S", "--lang", "fr"], ("--lang", "'fr'", "'en', 'es'")),
    (["rnu", "S"], ("No such command 'rnu'", "chargesim --help")),
    (["fly"], ("No such command 'fly'", "chargesim --help")),
    (["run"], ("SCENARIO.toml", "chargesim run --help")),
    (["run", "S", "S"], ("unexpected extra argument", "chargesim run --help")),
    (["run", "S", "--trails", "5"], ("No such option: --trails", "--trials")),
    (["run", "S", "--trials"], ("--trials", "requires an argument")),
    (["schema", "studdy"], ("'studdy'", "'scenario', 'result'")),
    (["run", "S", "--figure", "x.gif"], ("'x.gif'", ".svg or .png")),
    (["run", "S", "--figure", "x"], ("'x'", ".svg or .png")),
    (["run", "S", "--figure", "nowhere/x.svg"], ("nowhere", "make it first")),
    (["run", "S", "--engine", "exact", "--max-states", "3"],
     ("exact: more than 3 states after phase 'shooting'", "--engine sample", "--max-states")),
    (["check", "S", "--max-states", "3"], ("3 states after phase 'shooting'", "--max-states")),
    (["odds"], ("EXPRESSION", "chargesim odds --help")),
    (["odds", ""], ("empty", "2d6 <= 7")),
    (["odds", "2d6 <"], ("whole number after <", "< 7")),
    (["odds", "2x6"], ("position", "write")),
    (["odds", "d66"], ("d66", "2d6")),
    (["odds", "2d6 ~ 7"], ('"~"', "<=, <, >=, >, = or !=")),
    (["odds", "10x"], ("10x 4+",)),
    (["odds", "101d6"], ("1 to 100 dice",)),
    (["odds", "2d1"], ("2 to 100 sides",)),
    (["odds", "3d6dh3"], ("keep at least 1",)),
    (["odds", "9" * 6000], ("at most 1000000",)),
    (["rules", "wh7"], ("no ruleset 'wh7'", "wh6")),
    (["rules", "wh6", "WH6-CHG-0"], ("no rule 'WH6-CHG-0'", "nearest known is 'WH6-CHG-")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"), COMMANDS, ids=[" ".join(a)[:40] for a, _ in COMMANDS]
)
def test_a_wrong_command_is_refused(
    arguments: list[str], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, *[str(SOUND) if a == "S" else a for a in arguments])
    assert "\n" not in message
    for word in words:
        assert word in message


def test_no_command_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = command(capsys)
    for name in ("run", "check", "trace", "odds", "rules", "schema"):
        assert f"  {name} " in out + err


def test_a_figure_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken.svg").mkdir()
    message = refused(capsys, "run", str(SOUND), "--figure", str(tmp_path / "taken.svg"))
    assert "taken.svg: cannot be written (" in message


def test_an_interruption_exits_with_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("chargesim.report.result.solve", interrupted)
    code, out, err = command(capsys, "run", str(SOUND))
    assert (code, out) == (3, "")
    assert err.startswith("interrupted")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "none.toml"], "none.toml: cannot be read"),
        (["run", "--trials", "abc", "none.toml"], "'abc' is not a whole number"),
    ],
)
def test_the_real_process_exits_with_2_and_one_line(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    package = str(Path(cs.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "chargesim", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


# the Python API


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "exakt"}, "engine: 'exakt'"),
        ({"trials": 0}, "trials: 0"),
        ({"engine": "sample", "seed": -1}, "seed: -1"),
        ({"seed": -1}, "seed: -1"),
        ({"engine": "sample", "threads": 0}, "threads: 0"),
        ({"engine": "sample", "precision": 0.7}, "precision: 0.7"),
        ({"max_states": 0}, "max-states: 0"),
    ],
)
def test_solve_refuses_options_out_of_range(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        cs.solve(Scenario(**TABLES), **options)


@pytest.mark.parametrize("name", ["bo.ars", "mean"])
@pytest.mark.parametrize("ruleset", ["wh6", "hex_increment", "ranked_regiment"])
def test_no_unit_has_a_name_that_paths_and_outcomes_cannot_hold(name: str, ruleset: str) -> None:
    shipped = {"wh6": "redirect", "hex_increment": "three_waves", "ranked_regiment": "two_editions"}
    tables = dict(cs.load(SHIPPED / f"{shipped[ruleset]}.toml").tables)
    tables["unit"] = tables["unit"] | {name: dict(next(iter(tables["unit"].values())))}
    with pytest.raises(ScenarioError, match=rf"unit\.{re.escape(name)}: is no name"):
        Scenario(**tables)


def test_a_message_moves_no_cursor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "named.toml"
    file.write_text('ruleset = "wh6"\n[unit."a\\u001b[2Jb"]\nside = 5\n', encoding="utf-8")
    assert "unit.a[2Jb.side: " in refused(capsys, "run", str(file))


@pytest.mark.parametrize("path", ["charge.5.distance", "charge.x.distance", "title.x.y"])
def test_replace_of_a_path_that_leads_nowhere(path: str) -> None:
    with pytest.raises(ScenarioError, match="leads to nothing in the scenario"):
        Scenario(**TABLES).replace(**{path: 5})
