"""The README shows what the program really does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

import chargesim as cs
from chargesim import cli

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ chargesim (.+?)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_console_samples_are_real(
    command: str,
    output: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    code = cli._guard(lambda: cli._run(shlex.split(command)))
    assert code == 0
    assert capsys.readouterr().out == output


def test_there_is_a_sample() -> None:
    assert CONSOLE


def test_the_numbers_of_the_python_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    stated = float(re.search(r'probability\("contact"\)  # ([0-9.]+)', code)[1])
    result = cs.solve(cs.load("chargesim/data/scenarios/boar_riders.toml"))
    assert result.probability("contact") == pytest.approx(stated, abs=1e-12)


def test_files_it_names_are_there() -> None:
    for name in re.findall(r"\]\(([\w/.]+)\)", README) + re.findall(r"`(tests/[\w/.]+)`", README):
        assert (ROOT / name).exists(), name


def test_no_command_is_missing() -> None:
    for command in typer.main.get_command(cli.app).commands:
        assert f"`chargesim {command}" in README
