"""Options of the command run: precision and figures."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli.files import CHARIOT, PHASE, SHOOT, Run


@pytest.mark.parametrize("target", [0.002, 0.0015])
def test_precision_reaches_its_target(target: float, run: Run) -> None:
    found = json.loads(
        run("run", SHOOT, "--engine", "sample", "--precision", str(target), "--format", "json")
    )
    trials = found["trials"]
    assert trials % 65_536 == 0
    assert math.log2(trials / 65_536).is_integer()
    outcomes = [one["outcome"] for one in (*found["charges"], *found["combats"])]
    widest = max((e["high"] - e["low"]) / 2 for outcome in outcomes for e in outcome.values())
    assert widest <= target
    if trials > 65_536:
        assert widest * math.sqrt(2) > target * 0.95


def test_precision_does_not_touch_an_exact_answer(run: Run) -> None:
    assert run("run", SHOOT, "--precision", "0.001") == run("run", SHOOT)


# figures


def test_figure_svg_is_the_same_bytes_every_time(tmp_path: Path, run: Run) -> None:
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    for file in (first, second):
        assert "makes contact" in run("run", SHOOT, "--figure", str(file))
    content = first.read_bytes()
    assert content == second.read_bytes()
    assert ElementTree.fromstring(content).tag.endswith("svg")
    assert b"chargesim" not in content[:400]


def test_figure_of_several_charges(tmp_path: Path, run: Run) -> None:
    files = [tmp_path / name for name in ("a.svg", "b.svg", "one.svg")]
    for file, scenario in zip(files, (PHASE, PHASE, SHOOT), strict=True):
        run("run", scenario, "--figure", str(file))
    several, again, one = (file.read_bytes() for file in files)
    assert several == again
    assert several.count(b'<g id="axes_') == 5  # a waterfall each, and one panel of combats
    assert one.count(b'<g id="axes_') == 2
    assert ElementTree.fromstring(several).tag.endswith("svg")


def test_figure_png(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.PNG"
    run("run", CHARIOT, "--figure", str(file), "--lang", "es")
    assert file.read_bytes().startswith(b"\x89PNG\r\n")
    assert file.stat().st_size > 5_000
