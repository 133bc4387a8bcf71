"""The command: every command in every form and language, and what its output promises."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

import chargesim as cs
from chargesim import cli
from chargesim.engine.play import play
from chargesim.engine.sample import sample
from chargesim.engine.stats import half_width, wilson
from chargesim.report.render import percent
from chargesim.report.result import Result

CASES = Path(__file__).parent / "conformance"
SHOOT = str(CASES / "02_stand_and_shoot_panic.toml")
FLEE = str(CASES / "07_flee_fast_inch.toml")
CHARIOT = str(CASES / "12_chariot_scythes.toml")
TERROR = str(CASES / "10_terror_on_charger.toml")
PHASE = str(Path(__file__).parent / "scenarios" / "phase.toml")
FILES = [*sorted(CASES.glob("*.toml")), Path(PHASE)]
FORMS = ("text", "json", "csv", "markdown", "html")
Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; standard output, after its exit code and a silent standard error."""

    def runs(*arguments: str, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert (found, err) == (code, "")
        return out

    return runs


class Reader(HTMLParser):
    """Reads HTML and counts tags that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tables += tag == "table"
        if tag not in ("meta", "br", "p"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("p",):
            assert self.open.pop() == tag


def well_formed(form: str, text: str, lang: str) -> None:
    assert text.endswith("\n")
    assert text.strip()
    assert "\x1b" not in text
    if form == "json":
        json.loads(text)
    elif form == "csv":
        assert all(len(row) > 1 for row in csv.reader(io.StringIO(text)))
    elif form == "markdown":
        assert text.startswith("# ")
        assert re.search("<[a-z/!]", text) is None
    elif form == "html":
        assert text.startswith("<!doctype html>")
        assert f"<html lang='{lang}'>" in text
        reader = Reader()
        reader.feed(text)
        reader.close()
        assert reader.open == []


COMMANDS: dict[str, tuple[str, ...]] = {
    "run exact": ("run", SHOOT),
    "run sampled": ("run", FLEE, "--engine", "sample", "--trials", "2000"),
    "run chariot": ("run", CHARIOT),
    "run terror": ("run", TERROR),
    "run phase": ("run", PHASE),
    "run phase sampled": ("run", PHASE, "--engine", "sample", "--trials", "2000"),
    "check phase": ("check", PHASE, "--trials", "2000"),
    "trace phase": ("trace", PHASE),
    "check": ("check", FLEE, "--trials", "2000"),
    "trace": ("trace", SHOOT, "--trial", "3"),
    "table": ("table", SHOOT, "--rows", "charge.0.distance=10:40:10", "--value", "contact"),
    "table of two axes": (
        "table",
        FLEE,
        "--rows",
        "charge.0.distance=5:9",
        "--cols",
        "switches.panic_engaged=true,false",
        "--value",
        "target_fled*",
        "--engine",
        "sample",
        "--trials",
        "2000",
    ),
    "compare": ("compare", SHOOT, CHARIOT, "--value", "contact"),
    "compare sampled": (
        "compare",
        SHOOT,
        CHARIOT,
        "--value",
        "contact",
        "--engine",
        "sample",
        "--trials",
        "2000",
    ),
    "solve": (
        "solve",
        SHOOT,
        "--for",
        "charge.0.distance=10:40:10",
        "--value",
        "contact",
        "--reach",
        "0.5",
    ),
    "why": ("why", CHARIOT, "--value", "contact"),
    "odds sum": ("odds", "2d6 <= 7"),
    "odds chain": ("odds", "10x 4+ 4+ !5+"),
    "rules": ("rules",),
    "rules wh6": ("rules", "wh6"),
    "rule": ("rules", "wh6", "wh6-chg-01"),
}


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_every_form_and_language(
    name: str, form: str, lang: str, run: Run
) -> None:
    well_formed(form, run(*COMMANDS[name], "--format", form, "--lang", lang), lang)


def test_the_same_command_gives_the_same_text(run: Run) -> None:
    arguments = ("run", SHOOT, "--engine", "sample", "--trials", "20000", "--seed", "7")
    first = run(*arguments)
    assert run(*arguments) == first
    assert run(*arguments, "--threads", "1") == first
    assert run(*arguments, "--threads", "2") == first
    assert "seed 7" in first
    assert run(*arguments[:-1], "8") != first


@pytest.mark.parametrize("spelling", ["2000", "2e3", "2_000"])
def test_numbers_may_be_spelt_as_people_do(spelling: str, run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", spelling, "--format", "json")
    assert json.loads(out)["trials"] == 2000


def test_version(run: Run) -> None:
    assert run("--version") == f"{cs.__version__}\n"


def test_help_names_every_command(run: Run) -> None:
    out = run("--help")
    for name in (
        "run",
        "table",
        "compare",
        "solve",
        "why",
        "plan",
        "check",
        "trace",
        "odds",
        "rules",
        "schema",
    ):
        assert f"  {name} " in out


# JSON

FIELDS = {
    "chargesim", "schema", "ruleset", "ruleset_version", "title", "engine", "trials", "seed",
    "scenario_hash", "rules_hash", "switches", "charges", "combats", "units", "notes",
    "alternatives", "mass_defect",
}  # fmt: skip
CHARGE = {
    "charger", "target", "reaction", "outcome", "shooting_casualties", "flee_distance",
    "impact_hits", "impact_wounds", "needs_sixes",
}  # fmt: skip
WORDS = {
    "contact", "out_of_reach", "refused_fear", "charger_fled_terror", "charger_fled_panic",
    "charger_destroyed", "target_fled_escaped", "target_fled_caught", "target_fled_off_table",
    "redirected_contact", "blocked",
}  # fmt: skip
COMBAT = {
    "target", "chargers", "outcome", "combat_result", "active_wounds", "reactive_wounds",
}  # fmt: skip
ENDS = {
    "no_combat", "draw", "target_wiped_out", "target_broke_caught", "target_broke_escaped",
    "target_held", "charger_wiped_out", "charger_broke_caught", "charger_broke_escaped",
    "charger_held",
}  # fmt: skip
STATES = {
    "steady", "fighting", "pursuing", "overran", "fleeing", "fled_off_table", "destroyed",
}  # fmt: skip


def is_sound(outcome: dict[str, dict[str, float]], words: set[str], engine: str) -> None:
    assert set(outcome) <= words
    assert sum(e["p"] for e in outcome.values()) == pytest.approx(1, abs=1e-12)
    for e in outcome.values():
        assert e["low"] <= e["p"] <= e["high"]
        assert (e["low"] == e["p"] == e["high"]) == (engine == "exact")


def adds_up(spread: dict[str, float], mass: float = 1.0) -> None:
    assert sum(spread.values()) == pytest.approx(mass, abs=1e-12)


@pytest.mark.parametrize("engine", ["exact", "sample"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_json_is_what_the_schema_and_the_contract_say(file: Path, engine: str, run: Run) -> None:
    out = run(
        "run", str(file), "--engine", engine, "--trials", "2000", "--format", "json", "--seed", "3"
    )
    found = json.loads(out)
    schema = json.loads(run("schema", "result"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(found)
    assert set(found) == FIELDS
    assert found["chargesim"] == cs.__version__
    assert found["engine"] == engine
    assert (found["trials"], found["seed"]) == ((None, None) if engine == "exact" else (2000, 3))
    assert found["mass_defect"] < 1e-12
    for charge in found["charges"]:
        assert set(charge) - {"redirect", "compulsory"} == CHARGE
        is_sound(charge["outcome"], WORDS, engine)
        adds_up(charge["shooting_casualties"])
        for name in ("impact_hits", "impact_wounds"):
            assert charge[name] != {"0": 1.0}  # {} says so
            adds_up(charge[name] or {"0": 1.0})
        assert sum(charge["flee_distance"].values()) <= 1 + 1e-12
    # one for every charged target, and for those of redirected charges
    charges = found["charges"]
    again = [new for charge in charges for new in charge.get("redirect", ())]
    targets = dict.fromkeys(charge["target"] for charge in (*charges, *again))
    assert [combat["target"] for combat in found["combats"]] == list(targets)
    for combat in found["combats"]:
        assert set(combat) == COMBAT
        is_sound(combat["outcome"], ENDS, engine)
        adds_up(combat["combat_result"], 1 - combat["outcome"].get("no_combat", {"p": 0})["p"])
        adds_up(combat["active_wounds"])
        adds_up(combat["reactive_wounds"])
    for unit in found["units"].values():
        assert {"models_left", "wounds_left", "state"} <= set(unit)
        assert set(unit["state"]) <= STATES
        adds_up(unit["state"])
        adds_up(unit["models_left"])


def test_the_schema_of_results_refuses_what_it_does_not_know(run: Run) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(run("schema", "result")))
    found = json.loads(run("run", PHASE, "--format", "json"))
    validator.validate(found)
    wrong: list[Callable[[dict[str, Any]], Any]] = [
        lambda result: result["combats"][0].pop("combat_result"),
        lambda result: result["combats"][0].update(chargers="orc"),
        lambda result: result["combats"][0]["combat_result"].update(draw=0.5),
        lambda result: result["charges"][1]["redirect"][0].pop("outcome"),
        lambda result: result["charges"][0].update(outcomes={}),
        lambda result: result["alternatives"].append({"unit": "orc", "choice": "hold"}),
        lambda result: result["notes"].append({"unit": "orc", "rule": "WH6-CHG-01"}),
    ]
    for spoil in wrong:
        spoilt = json.loads(json.dumps(found))
        spoil(spoilt)
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(spoilt)


def test_json_numbers_are_not_rounded(run: Run) -> None:
    found = json.loads(run("run", SHOOT, "--format", "json"))
    # 10 shots of 1/3 x 1/2 x 2/3 = 1/9; two to four of five lost: Panic on 7, failed by 15 in 36
    lost = [math.comb(10, k) * 8 ** (10 - k) / 9**10 for k in range(11)]
    outcome = found["charges"][0]["outcome"]
    assert math.isclose(outcome["charger_destroyed"]["p"], sum(lost[5:]), rel_tol=1e-12)
    assert math.isclose(outcome["charger_fled_panic"]["p"], sum(lost[2:5]) * 5 / 12, rel_tol=1e-12)


def test_schema_of_a_scenario_accepts_the_shipped_ones(run: Run) -> None:
    import tomllib

    schema = json.loads(run("schema", "scenario"))
    validator = jsonschema.Draft202012Validator(schema)
    for file in FILES:
        validator.validate(tomllib.loads(file.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"ruleset": "wh6", "unit": {}, "charge": [], "chrge": 1})


# CSV


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_csv_of_a_result_is_unrounded(run: Run) -> None:
    found = json.loads(run("run", SHOOT, "--format", "json"))["charges"][0]
    table = rows(run("run", SHOOT, "--format", "csv"))
    assert table[0] == ["table", "outcome", "p", "low", "high", "still charging"]
    told = {row[1]: tuple(float(cell) for cell in row[2:5]) for row in table[1:4]}
    assert told == {word: tuple(e.values()) for word, e in found["outcome"].items()}
    start = next(i for i, row in enumerate(table) if row[1] == "value")
    assert table[start] == ["table", "value", "p", "low", "high", "at least"]
    casualties = {row[1]: float(row[2]) for row in table[start + 1 : start + 7]}
    assert casualties == found["shooting_casualties"]
    assert {row[0] for row in table[start + 1 : start + 7]} == {"0:shooting_casualties"}


def test_csv_of_a_sample_has_its_intervals_as_numbers(run: Run) -> None:
    arguments = ("run", PHASE, "--engine", "sample", "--trials", "2000", "--format")
    combat = json.loads(run(*arguments, "json"))["combats"][0]["outcome"]
    table = rows(run(*arguments, "csv"))
    told = {row[1]: tuple(float(cell) for cell in row[2:5]) for row in table if row[0] == "man"}
    assert told == {word: tuple(e.values()) for word, e in combat.items()}


def test_csv_of_a_check_has_every_cell_and_json_the_same(run: Run) -> None:
    arguments = ("check", FLEE, "--trials", "2000")
    table = rows(run(*arguments, "--format", "csv"))
    cells = json.loads(run(*arguments, "--format", "json"))["cells"]
    assert table[0] == [
        "cell", "exact", "sampled", "p-value", "rolled", "p-value, rolled", "verdict",
    ]  # fmt: skip
    assert [(r[0], float(r[1]), float(r[2])) for r in table[1:]] == [
        (c["what"], c["exact"], c["sampled"]) for c in cells
    ]
    assert any("=" in row[0] for row in table)


def test_csv_of_odds_is_unrounded(run: Run) -> None:
    table = rows(run("odds", "2d6", "--format", "csv"))
    assert float(table[1][1]) == 1 / 36
    assert math.isclose(sum(float(row[1]) for row in table[1:]), 1)


def test_csv_of_rules_has_a_row_a_rule(run: Run) -> None:
    listed = json.loads(run("rules", "wh6", "--format", "json"))
    table = rows(run("rules", "wh6", "--format", "csv"))
    assert {row["id"] for row in listed} <= {cell for row in table for cell in row}
    assert all(set(row) == {"id", "status", "function", "tests", "why"} for row in listed)


# text


def test_exact_text(run: Run) -> None:
    out = run("run", SHOOT)
    assert "charge makes contact              87.050 %" in out
    assert "charger panics under fire         12.687 %" in out
    assert "charger shot down to the last      0.263 %" in out
    assert "Exact: every outcome enumerated, nothing sampled (no seed used)." in out
    assert "panic_engaged = true" in out


def test_certain_and_impossible_are_written_only_when_exact(run: Run) -> None:
    hold = str(CASES / "01_hold.toml")
    assert re.search(r"charge makes contact +100 %", run("run", hold))
    sampled = run("run", hold, "--engine", "sample", "--trials", "5000")
    assert re.search(r"charge makes contact +> 99\.\d+ %", sampled)
    # to lose or wound at least none is certain in a sample too
    lines = [line for line in sampled.splitlines() if not line.strip().startswith("0 ")]
    assert not re.search(r"(?<![\d.])(0|100) %", "\n".join(lines))


def test_percentages_have_the_decimals_of_their_error() -> None:
    assert percent(0.5, 0.5, 0.5, "en", exact=True) == "50.000 %"
    assert percent(0.0, 0.0, 0.0, "en", exact=True) == "0 %"
    assert percent(1.0, 1.0, 1.0, "en", exact=True) == "100 %"
    assert percent(1e-9, 1e-9, 1e-9, "en", exact=True) == "< 0.001 %"
    assert percent(1 - 1e-9, 1, 1, "en", exact=True) == "> 99.999 %"
    for trials in (100, 3_000, 10_000, 1_000_000, 10**9):
        for count in (0, 1, trials // 3, trials - 1, trials):
            low, high = wilson(count, trials)
            shown = percent(count / trials, low, high, "en", exact=False)
            digits = shown.removesuffix(" %").lstrip("<> ")
            assert digits not in ("0", "100")
            if count == 0 or shown.startswith("< "):
                # never seen, or so rarely that rounding would say never
                assert shown.startswith("< ")
                assert float(digits) == pytest.approx(100 * high, rel=0.1)
            elif count == trials or shown.startswith("> "):
                assert shown.startswith("> ")
                assert float(digits) == pytest.approx(100 * low, rel=0.1)
            else:
                last = 10.0 ** -len(digits.partition(".")[2])
                half = 100 * half_width(count, trials)
                assert last == 1 or last >= half / 2
                assert last < max(10 * half / 2, 1.000001)


def test_a_sampled_zero_is_shown_as_its_upper_bound(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    _, high = wilson(0, 2000)
    assert f"{100 * high:.2f}" == "0.19"
    assert re.search(r"charge makes contact +< 0\.19 %", out)


def test_a_sample_never_says_0_or_100_per_cent(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert not re.search(r" (0(\.0+)?|100) %", out)


def test_a_sample_says_that_it_saw_no_combat_not_that_there_is_none(run: Run) -> None:
    assert "No combat of knights against runners takes place." in run("run", FLEE)
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert "No combat of knights against runners was seen." in out


def test_what_is_left_of_a_charge_is_bounded_by_its_own_interval(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert re.search(r"target flees and is run down .* < 0\.19 % ", out)


def test_output_on_no_terminal_has_no_colour_and_no_progress(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chargesim", "run", SHOOT, "--engine", "sample", "--format", "json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(cs.__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["trials"] == 1_000_000
    assert list(tmp_path.iterdir()) == []


def test_an_answer_does_not_wait_for_scipy_and_a_check_still_gets_it() -> None:
    code = (
        "import sys; from chargesim.cli import _run; "
        f"_run(['run', {SHOOT!r}]); assert 'scipy.linalg' not in sys.modules; "
        f"_run(['check', {SHOOT!r}, '--trials', '1000']); assert 'scipy.stats' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# check


def test_check_agrees(run: Run) -> None:
    out = run("check", SHOOT, "--trials", "20000", "--seed", "2")
    assert re.search(r"\d+ cells compared: all agree\.", out)
    assert "DISAGREES" not in out
    assert "(20,000 + 10,000, seed 2)" in out


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_exits_with_1_when_the_engines_disagree(
    form: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*arguments: Any, **options: Any) -> Any:
        (tally,) = play(*arguments, **options)
        tally.weights[:] = np.roll(tally.weights, 1)
        return [tally]

    monkeypatch.setattr("chargesim.report.check.play", loaded)
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
        (tally,) = play(*arguments, rolled=rolled, **options)
        if rolled:
            tally.weights[:] = np.roll(tally.weights, 1)
        return [tally]

    monkeypatch.setattr("chargesim.report.check.play", loaded)
    out = run("check", SHOOT, "--trials", "20000", "--format", "json", code=1)
    cells = json.loads(out)["cells"]
    assert min(cell["p_value"] for cell in cells) > 1e-6
    for cell in cells:
        assert cell["agrees"] == (cell["rolled_p_value"] >= 1e-6 / (2 * len(cells)))
    assert not all(cell["agrees"] for cell in cells)


def test_check_notices_a_single_wrong_part(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(*arguments: Any, **options: Any) -> Any:
        tallies = play(*arguments, **options)
        tallies[0].weights[:] = np.roll(tallies[0].weights, 1)
        return tallies

    monkeypatch.setattr("chargesim.report.check.play", loaded)
    out = run("check", PHASE, "--trials", "20000", "--format", "json", code=1)
    wrong = {cell["what"] for cell in json.loads(out)["cells"] if not cell["agrees"]}
    assert "man:draw" in wrong
    assert {what.partition(":")[0] for what in wrong} <= {"0", "orc", "man"}


def test_check_calls_the_impossible_by_its_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # contact is certain; a single trial that says otherwise is one too many
    def once(scenario: Any, *arguments: Any, **options: Any) -> Any:
        return play(scenario.replace(**{"charge.0.distance": 90}), *arguments, **options)

    monkeypatch.setattr("chargesim.report.check.play", once)
    out = run("check", str(CASES / "01_hold.toml"), "--trials", "1", "--format", "json", code=1)
    cells = {cell["what"]: cell for cell in json.loads(out)["cells"]}
    assert cells["0:out_of_reach"] == {
        "what": "0:out_of_reach", "exact": 0.0, "sampled": 1.0, "count": 1, "p_value": 0.0,
        "rolled": 1.0, "rolled_count": 1, "rolled_p_value": 0.0, "agrees": False,
    }  # fmt: skip


# trace


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
        assert text.startswith(f"{scenario.title} (seed 5, trial {trial})\n")
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


# precision


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


# odds


@pytest.mark.parametrize(
    ("expression", "fraction"),
    [
        ("2d6 <= 7", "7/12"),
        ("3d6dh1 <= 8", "193/216"),
        ("8d6 > 48", "0"),
        ("10x 4+ 4+ !5+ >= 0", "1"),
        ("1d6+1 = 7", "1/6"),
    ],
)
def test_odds(expression: str, fraction: str, run: Run) -> None:
    found = json.loads(run("odds", expression, "--format", "json"))
    assert found["fraction"] == fraction
    assert math.isclose(sum(found["distribution"].values()), 1, abs_tol=1e-12)
    text = run("odds", expression)
    if fraction in ("0", "1"):
        assert f"= {100 * int(fraction)} %" in text
    else:
        assert f" = {fraction}\n" in text


def test_odds_without_a_comparison(run: Run) -> None:
    found = json.loads(run("odds", "10x 4+ 4+ !5+", "--format", "json"))
    assert found["p"] is None
    assert found["stages"] == [
        {"stage": "4+", "p": 0.5},
        {"stage": "4+", "p": 0.5},
        {"stage": "!5+", "p": 2 / 3},
    ]
    assert math.isclose(found["mean"], 10 / 6)
