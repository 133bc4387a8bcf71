"""What the rules can read is found in their text: never less than they do read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chargesim import rulesets
from chargesim.kernels import dice as luck
from chargesim.kernels.dice import leadership_test
from chargesim.kernels.reads import _reckon, fields_read
from chargesim.kernels.room import BITS, TEST_BIT

_EARLY, _LATE, _NAMED = 1, 4, "by_name"


def step(game, dice):
    head = game["head"]
    phase = int(head["phase"])
    if phase == _EARLY or (phase == 2 and head["two"]):
        early(game)
    elif phase < _LATE:
        by_phase(game, dice, phase)
    else:
        luck.dice_sum(dice, game[_NAMED], 2, 6)
    if head["odd"]:
        always(game, dice)


def early(game):
    """Read "nothing" of a docstring."""
    return game["early"]


def by_phase(game, dice, phase):
    if phase != 3 and _LATE == 4:
        return game["not_three"]
    return game["three"] if phase == 3 else game["other"]


def always(game, dice):
    return leadership_test(dice, 0, nerve(game), 0)


def nerve(game):
    return game["nerve"]


def undecided(game, dice):
    head = game["head"]
    phase = int(head["turn"])
    if phase == _EARLY:
        early(game)


def changed(game, dice):
    head = game["head"]
    phase = int(head["phase"])
    if head["odd"]:
        phase = 1
    by_phase(game, dice, phase)


def renamed(game, dice):
    head = game["head"]
    was = int(head["phase"])
    phase = was - 1
    if phase == _EARLY:
        early(game)


def marking(game, dice):
    game["marked"] = game["nerve"]
    return leadership_test(dice, 0, 7, 0)


def rolling(game, dice):
    sum_of = luck.dice_sum(dice, game["nerve"], 2, 6)
    return leadership_test(dice, 0, sum_of, 0)


def noting(game, dice):
    luck.note(dice, 1, game["nerve"])
    return leadership_test(dice, 0, nerve(game), 0)


def step_that_marks(game, dice):
    marking(game, dice)


def step_that_rolls(game, dice):
    rolling(game, dice)


def step_that_notes(game, dice):
    noting(game, dice)


def test_more_may_hang_on_a_test_than_its_chances() -> None:
    """Then all that is read for it counts as read by the step."""
    for function, more in ((step_that_marks, True), (step_that_rolls, True), (step_that_notes, 0)):
        found = _reckon(function, [1, 4])
        assert "nerve" in found[TEST_BIT]
        assert ("nerve" in found[1], "nerve" in found[4]) == (more, more)


def test_branches_on_the_phase_are_followed() -> None:
    found = _reckon(step, [0, 1, 2, 3, 4])
    common = {"head", "phase", "two", "odd"}
    assert {"early"} | common - {"two"} <= found[1]
    assert not found[1] & {"three", "not_three", "other", "by_name", "nothing", "nerve"}
    assert {"early", "two", "not_three", "three", "other"} <= found[2]
    assert {"three"} <= found[3]
    assert not found[3] & {"early", "by_name"}
    assert {"by_name"} <= found[4]
    assert not found[4] & {"early", "three"}
    assert "nerve" in found[TEST_BIT]
    assert not found[TEST_BIT] & {"early", "three"}
    # phases of which nothing is known may read whatever there is
    assert found[7] >= {"early", "three", "by_name", "nerve"}


def test_a_phase_by_another_name_is_not_followed() -> None:
    assert "early" in _reckon(undecided, [4])[4]
    assert "early" in _reckon(renamed, [4])[4]
    assert {"three", "not_three", "other"} <= _reckon(changed, [4])[4]


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_what_is_kept_is_what_is_found(name: str) -> None:
    ruleset = rulesets.get(name)
    function, _ = ruleset.kernels()
    phases = [int(phase) for phase in ruleset.phases]
    found = fields_read(function, phases)
    assert len(found) == BITS
    assert fields_read(function, phases) == found
    assert _reckon(getattr(function, "py_func", function), phases) == found


def test_leadership_matters_to_tests_alone() -> None:
    """What a batch gains by it: rows of a table that differ in Leadership have much in common."""
    ruleset = rulesets.get("wh6")
    found = fields_read(ruleset.kernels()[0], [int(phase) for phase in ruleset.phases])
    assert "ld" in found[TEST_BIT]
    assert not any("ld" in found[ruleset.phases[name]] for name in ("TESTS", "IMPACT", "BLOWS"))


_WATCH = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from random_questions import questions
from chargesim.engine.exact import Expander, _weights
from chargesim.kernels.dice import Node
from chargesim.kernels.reads import fields_read
from chargesim.kernels.room import TEST_BIT

class Watched:
    def __init__(self, record, read):
        self.record, self.read = record, read
    def __getitem__(self, key):
        if isinstance(key, str):
            self.read.add(key)
        value = self.record[key]
        watch = isinstance(value, (np.void, np.ndarray)) and value.dtype.names
        return Watched(value, self.read) if watch else value
    def __setitem__(self, key, value):
        self.record[key] = value

draw = np.random.default_rng(4)
watched = 0
for scenario in questions(40):
    ruleset = scenario.ruleset
    phases = {int(phase) for phase in ruleset.phases}
    step, _ = ruleset.kernels()
    can = fields_read(step, phases)
    for part in scenario.parts[:2]:
        game = Expander(part)
        dice, head = game.dice[0], game.array["head"][0]
        for _ in range(3):
            game.words[game.live] = game.begin
            while not head["done"]:
                phase, before, tape, read = int(head["phase"]), game.words[game.live], [], set()
                allowed = set(can[phase])
                while True:
                    game.words[game.live] = before
                    dice["asked"], dice["depth"], dice["wanting"] = 0, len(tape), 0
                    dice["tape"][: len(tape)] = tape
                    step(Watched(game.array[0], read), dice)
                    if not dice["wanting"]:
                        break
                    if dice["pending"][0] == Node.TEST:
                        allowed |= can[TEST_BIT]
                    if dice["pending"][0] == Node.NORMAL:
                        break
                    chances = np.array([float(p) for p in _weights(dice)])
                    tape.append(int(draw.choice(len(chances), p=chances / chances.sum())))
                assert phase in phases
                assert read <= allowed, (ruleset.name, phase, read - allowed)
                watched += 1
                if dice["wanting"]:
                    break
print(watched)
"""


def test_the_rules_read_no_more_than_they_can() -> None:
    """Played by the interpreter, every field that is read is seen."""
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", _WATCH, str(tests)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1_000
