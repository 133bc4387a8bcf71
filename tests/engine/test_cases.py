"""What the benchmarks time gives the same answers, by whichever engine."""

from __future__ import annotations

import numpy as np
import pytest
from cases import CASES, Case

from chargesim.engine.exact import ExactLimitError, solve, solve_many
from chargesim.engine.sample import sample
from chargesim.engine.stats import binomial_test
from chargesim.engine.tally import Tally

TRIALS = 20_000
ODD = 1e-7
"""A p-value below this is called a difference: a few hundred states are compared."""


def rows(tally: Tally) -> dict[bytes, float]:
    """Weight of each end state."""
    return {state.tobytes(): float(w) for state, w in zip(tally.states, tally.weights, strict=True)}


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


def test_plan_and_rules_play_the_same_trials(case: Case) -> None:
    for part in case.parts:
        planned = sample(part, TRIALS, seed=3)
        by_rules = sample(part, TRIALS, seed=3, by_rules=True)
        assert rows(planned) == rows(by_rules)


def test_many_at_once_are_answered_as_each_alone(case: Case) -> None:
    for one, part in zip(solve_many(case.parts), case.parts, strict=True):
        assert isinstance(one, Tally)
        assert rows(one) == rows(solve(part))


def test_every_die_rolled_agrees_with_the_exact_answer(case: Case) -> None:
    for part in case.parts:
        try:
            exact = rows(solve(part))
        except ExactLimitError:
            pytest.fail(f"{case.about} is too large to be solved")
        seen = rows(sample(part, TRIALS, seed=5, rolled=True))
        assert set(seen) <= set(exact)
        assert sum(exact.values()) == pytest.approx(1, abs=1e-12)
        worst = min(binomial_test(int(seen.get(s, 0)), TRIALS, p) for s, p in exact.items())
        assert worst > ODD


def test_every_die_rolled_by_a_plan_falls_as_by_the_rules(case: Case) -> None:
    for part in case.parts:
        planned = sample(part, TRIALS // 10, seed=5, first=1_000, rolled=True)
        by_rules = sample(part, TRIALS // 10, seed=5, first=1_000, rolled=True, by_rules=True)
        assert rows(planned) == rows(by_rules)


def test_every_die_rolled_is_luck_of_its_own(case: Case) -> None:
    (part, *_) = case.parts
    assert rows(sample(part, TRIALS, seed=5, rolled=True)) != rows(sample(part, TRIALS, seed=5))
    assert np.array_equal(
        sample(part, TRIALS, seed=5, rolled=True, threads=1).weights,
        sample(part, TRIALS, seed=5, rolled=True, threads=2).weights,
    )
