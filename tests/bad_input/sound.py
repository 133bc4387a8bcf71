"""A sound scenario, ways to spoil it, and what must be said of it then."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from chargesim import cli
from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

SOUND = Path(__file__).parent.parent / "conformance" / "02_stand_and_shoot_panic.toml"
TABLES = tomllib.loads(SOUND.read_text(encoding="utf-8"))
GONE = object()
NAN, INF = float("nan"), float("inf")
MAN = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7, "models": 5}
FRIEND = {**MAN, "side": "active"}
ENEMY = {**MAN, "side": "reactive"}
CREW = {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8}


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Tables of the sound scenario with values put at paths, or taken away."""
    tables = deepcopy(TABLES)
    for path, value in changes.items():
        at: Any = tables
        *way, last = path.split(".")
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
        if value is GONE:
            del at[last]
        elif isinstance(at, list):
            at[int(last)] = value
        else:
            at[last] = value
    return tables


def faults(changes: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        Scenario("file.toml", **changed(changes))
    told = [str(fault) for fault in caught.value.faults]
    assert str(caught.value).startswith(f"file.toml: {len(told)} fault")
    assert str(caught.value).splitlines()[1:] == [f"  {line}" for line in told]
    return told


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli._guard(lambda: cli._run([str(a) for a in arguments]))
    out, err = capsys.readouterr()
    return code, out, err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message of a command that must be refused."""
    code, out, err = command(capsys, *arguments)
    assert code == 2, err
    assert out == ""
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err.strip()
