"""The command check: it agrees, and notices what is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from cli.files import CASES, PHASE, SHOOT, Run

from chargesim.engine.sample import sample_whole
from chargesim.scenario import load


def test_check_agrees(run: Run) -> None:
    out = run("check", SHOOT, "--trials", "20000", "--seed", "2")
    assert re.search(r"\d+ cells compared: all agree\.", out)
    assert "DISAGREES" not in out
    assert "Sampled: 20,000 trials; with every die rolled: 10,000; seed 2.\nRuleset wh6" in out


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_exits_with_1_when_the_engines_disagree(
    form: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*arguments: Any, **options: Any) -> Any:
        (tally,) = sample_whole(*arguments, **options)
        tally.weights[:] = np.roll(tally.weights, 1)
        return [tally]

    monkeypatch.setattr("chargesim.report.check.sample_whole", loaded)
    out = run("check", SHOOT, "--trials", "20000", "--format", form, code=1)
    if form == "json":
        found = json.loads(out)
        assert found["agrees"] is False
        assert not all(cell["agrees"] for cell in found["cells"])
    else:
        assert "DISAGREES" in out
        assert re.search(r"\d+ cells compared: \d+ disagree\.", out)


def test_check_notices_when_only_the_rolled_dice_disagree(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*arguments: Any, rolled: bool = False, **options: Any) -> Any:
        (tally,) = sample_whole(*arguments, rolled=rolled, **options)
        if rolled:
            tally.weights[:] = np.roll(tally.weights, 1)
        return [tally]

    monkeypatch.setattr("chargesim.report.check.sample_whole", loaded)
    out = run("check", SHOOT, "--trials", "20000", "--format", "json", code=1)
    cells = json.loads(out)["cells"]
    assert min(cell["p_value"] for cell in cells) > 1e-6
    for cell in cells:
        assert cell["agrees"] == (cell["rolled_p_value"] >= 1e-6 / (2 * len(cells)))
    assert not all(cell["agrees"] for cell in cells)


def test_check_notices_a_single_wrong_part(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(part: Any, *arguments: Any, **options: Any) -> Any:
        tallies = sample_whole(part, *arguments, **options)
        if "man" in part.units:
            tallies[0].weights[:] = np.roll(tallies[0].weights, 1)
        return tallies

    monkeypatch.setattr("chargesim.report.check.sample_whole", loaded)
    out = run("check", PHASE, "--trials", "20000", "--format", "json", code=1)
    wrong = {cell["what"] for cell in json.loads(out)["cells"] if not cell["agrees"]}
    assert "man:draw" in wrong
    assert {what.partition(":")[0] for what in wrong} <= {"0", "orc", "man"}


def test_check_calls_the_impossible_by_its_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # contact is certain; a single trial that says otherwise is one too many
    def once(_: Any, *arguments: Any, **options: Any) -> Any:
        (far,) = load(CASES / "01_hold.toml").replace(**{"charge.0.distance": 90}).parts
        return sample_whole(far, *arguments, **options)

    monkeypatch.setattr("chargesim.report.check.sample_whole", once)
    out = run("check", str(CASES / "01_hold.toml"), "--trials", "1", "--format", "json", code=1)
    cells = {cell["what"]: cell for cell in json.loads(out)["cells"]}
    assert cells["0:out_of_reach"] == {
        "what": "0:out_of_reach", "exact": 0.0, "sampled": 1.0, "count": 1, "p_value": 0.0,
        "rolled": 1.0, "rolled_count": 1, "rolled_p_value": 0.0, "agrees": False,
    }  # fmt: skip
