"""What every ruleset must keep: bits, bounds, masses, and that a trial is the same for all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ranked_regiment.random_battles import random_battle

from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.sample import sample, sample_whole
from chargesim.engine.stats import binomial_test
from chargesim.kernels.dice import Mode, new_dice, supply
from chargesim.kernels.words import set_trial
from chargesim.report.trace import told
from chargesim.rulesets.ranked_regiment import rules
from chargesim.rulesets.ranked_regiment.state import LAYOUT
from chargesim.scenario import Scenario

TESTS = Path(__file__).parents[1]


def played(scenario: Scenario, trials: int, seed: int = 5) -> str:
    """End states of some trials, as text."""
    part = scenario.whole
    dice = new_dice(Mode.SAMPLE, seed)[0]
    found = []
    for trial in range(trials):
        set_trial(dice, trial)
        while True:
            game = part.game()
            rules.play(game[0], dice)
            if not dice["wanting"]:
                break
            supply(dice)
        assert LAYOUT.check(game, part.counts) == []
        found.append(game.view(np.uint64)[part.live].tobytes().hex())
    return "\n".join(found)


def everything() -> str:
    """End states of random battles, with noise and without."""
    return "\n".join(
        played(random_battle(seed, noise=noise), 3) for seed in range(60) for noise in (False, True)
    )


def test_compiled_equals_plain_python() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r}); "
        "import warnings; warnings.simplefilter('ignore'); "
        "from ranked_regiment.test_twin import everything; print(everything())"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == everything()


@pytest.mark.parametrize("noise", [False, True])
def test_same_seed_same_counts(noise: bool) -> None:
    part = random_battle(11, noise=noise).whole
    one = sample(part, 20_000, seed=3, threads=1)
    for threads, by_rules in ((2, False), (4, False), (1, True)):
        other = sample(part, 20_000, seed=3, threads=threads, by_rules=by_rules)
        assert (one.states == other.states).all()
        assert (one.weights == other.weights).all()


@pytest.mark.parametrize("seed", range(40))
def test_exact_and_sampled_agree(seed: int) -> None:
    part = random_battle(seed, most=2).whole
    try:
        exact = solve(part, max_states=200_000)
    except ExactLimitError:
        pytest.skip("too large")
    assert exact.mass_defect < 1e-12
    trials = 20_000
    seen = sample_whole(part, trials, seed=seed)
    for tally in seen:
        reading = tally.reading
        for kind in ("charges", "combats", "units"):
            for name, view in getattr(reading, kind).items():
                own = getattr(exact.reading, kind)[name]
                for code in view.words:
                    count = int(tally.weights[view.codes == code].sum())
                    p = float(exact.probabilities[own.codes == code].sum())
                    assert binomial_test(count, trials, min(p, 1.0)) > 1e-8


def test_every_trial_can_be_told() -> None:
    for seed in range(25):
        for lang in ("en", "es"):
            assert told(random_battle(seed, noise=seed % 2 == 0), seed, 1, lang)
