"""The command trace: the trial that was sampled."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cli.files import FLEE, SHOOT, Run

import chargesim as cs
from chargesim.engine.sample import sample
from chargesim.report.result import Result


def sampled_trial(scenario: cs.Scenario, trial: int, seed: int = 0) -> Result:
    return Result(
        scenario,
        [sample(part, 1, seed=seed, first=trial, threads=1) for part in scenario.parts],
    )


def test_trace_tells_the_sampled_trial(run: Run) -> None:
    scenario = cs.load(SHOOT)
    told = []
    for trial in range(40):
        ((_, state),) = sampled_trial(scenario, trial, seed=5).charges
        lost = int(state.quantities["shooting_casualties"].values[0])
        word = state.words[int(state.codes[0])]
        text = run("trace", SHOOT, "--seed", "5", "--trial", str(trial))
        assert text.startswith(f"{scenario.title}\nTrial {trial} of seed 5\n\n")
        (shown,) = re.findall(r"\[WH6-SPEC-05\] +Models of boars lost: (\d)", text) or ["5"]
        assert int(shown) == lost
        assert ("Contact: boars" in text) == (word == "contact")
        assert ("panicked" in text) == (word == "charger_fled_panic")
        told.append((lost, word))
    assert len(set(told)) > 3


def test_trace_tells_the_flight_that_was_sampled(run: Run) -> None:
    scenario = cs.load(FLEE)
    for trial in range(20):
        ((_, state),) = sampled_trial(scenario, trial).charges
        flight = int(state.quantities["flee_distance"].values[0])
        text = run("trace", FLEE, "--trial", str(trial))
        assert re.search(rf"runners fled {flight}\D", text)


def test_trace_in_json_and_text_tell_the_same(run: Run) -> None:
    arguments = ("trace", SHOOT, "--trial", "2")
    steps = json.loads(run(*arguments, "--format", "json"))["steps"]
    text = run(*arguments)
    assert all(set(step) == {"rule", "unit", "dice", "text"} for step in steps)
    for step in steps:
        assert step["text"] in text


def test_names_move_no_cursor(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "named.toml"
    source = Path(SHOOT).read_text(encoding="utf-8").replace('"boars"', r'"b\u001b[2Joars"')
    file.write_text(source.replace("[unit.boars]", r'[unit."b\u001b[2Joars"]'), encoding="utf-8")
    text = run("trace", file)
    assert "\x1b" not in text
    assert "b[2Joars declared a charge on handgunners." in text
