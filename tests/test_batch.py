"""Many scenarios answered together: each as alone, faults in their places."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from random_questions import questions

import chargesim as cs
from chargesim.engine.exact import ExactLimitError
from chargesim.errors import InputError
from chargesim.report.result import Result
from chargesim.scenario import Scenario

SCENARIOS = Path(str(files("chargesim") / "data" / "scenarios"))
SHORT = {"trials": 2_000, "max_states": 2_000}


def alone(scenario: Scenario, engine: str) -> Result | Exception:
    try:
        return cs.solve(scenario, engine, **SHORT)
    except (InputError, ExactLimitError) as error:
        return error


@pytest.mark.parametrize("engine", ["auto", "exact", "sample"])
def test_each_is_answered_as_alone(engine: str) -> None:
    asked = [*questions(16, number=3), cs.load(SCENARIOS / "best_reaction.toml")]
    found = list(cs.solve_many(asked, engine, **SHORT))
    assert len(found) == len(asked)
    for scenario, one in zip(asked, found, strict=True):
        other = alone(scenario, engine)
        if isinstance(one, Result) and isinstance(other, Result):
            assert one.to_dict() == other.to_dict()
            assert one.scenario is scenario
        else:
            assert (type(one), str(one)) == (type(other), str(other))
    kinds = {one.engine if isinstance(one, Result) else "error" for one in found}
    assert kinds == {"auto": {"exact", "sample"}, "exact": {"exact", "error"}}.get(
        engine, {"sample"}
    )


def test_errors_pass_through_and_stop_nothing() -> None:
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    rows = [(d,) for d in (20, 0, 25, -3, 30)]
    found = list(cs.solve_many(scenario.variants(["charge.0.distance"], rows)))
    assert [isinstance(one, Result) for one in found] == [True, False, True, False, True]
    assert "0 is too small" in str(found[1])
    for (distance,), one in zip(rows, found, strict=True):
        if isinstance(one, Result):
            same = cs.solve(scenario.replace(**{"charge.0.distance": distance}))
            assert one.probability("contact") == same.probability("contact")


def test_what_comes_after_a_phase_can_be_left_open() -> None:
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    whole = cs.solve(scenario)
    (one,) = cs.solve_many([scenario], until="charge_moves")
    assert isinstance(one, Result)
    assert one.probability("contact") == pytest.approx(whole.probability("contact"), abs=1e-14)
    assert one.probability("handgunners:no_combat") == 1.0
    assert len(one.tallies[0].sizes) < len(whole.tallies[0].sizes)


def test_only_known_phases_of_rulesets_that_can_stop() -> None:
    with pytest.raises(InputError, match="no phase 'charge_move'; the nearest known is 'charge_"):
        next(cs.solve_many([cs.load(SCENARIOS / "boar_riders.toml")], until="charge_move"))
    with pytest.raises(InputError, match="hex_increment is played to its end"):
        next(cs.solve_many([cs.load(SCENARIOS / "line_on_three_stacks.toml")], until="x"))


def test_they_are_taken_as_they_are_needed() -> None:
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield scenario

    answers = cs.solve_many(endless(), threads=2)
    for _ in range(5):
        next(answers)
    assert 5 <= taken < 2_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "best"}, "engine: 'best' is none"),
        ({"trials": 0}, "trials"),
        ({"max_states": 0}, "max-states: 0 is too few"),
        ({"threads": 0}, "threads: 0 is too few"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        next(cs.solve_many([], **options))
