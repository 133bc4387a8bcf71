"""The exact engine alone and in batches: the same bits however the work is divided."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from random_questions import questions
from ranked_regiment.random_battles import random_battle

import chargesim as cs
from chargesim import rulesets
from chargesim.engine import exact
from chargesim.engine.exact import (
    ExactLimitError,
    UncountableError,
    solve,
    solve_fractions,
    solve_many,
)
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.kernels import expand
from chargesim.parts import Part

FEW = 3_000
"""States that are allowed: some questions have more, and say so."""
SCENARIOS = Path(str(files("chargesim") / "data" / "scenarios"))


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    """Parts of random scenarios, two of each, so that there are several of one shape."""
    found = []
    for scenario in questions(40):
        found += scenario.parts
        found += [Part(scenario.ruleset, part._part) for part in scenario.parts]
    return [*found, *random_battle(5, noise=True, most=1).parts]


@pytest.fixture(scope="module")
def alone(parts: list[Part]) -> list[Tally | ExactLimitError]:
    """Each part solved by itself."""
    return [one_by_one(part) for part in parts]


def one_by_one(part: Part) -> Tally | ExactLimitError:
    try:
        return solve(part, max_states=FEW)
    except ExactLimitError as error:
        return error


def assert_same(one: Tally | ExactLimitError, other: Tally | ExactLimitError) -> None:
    assert type(one) is type(other)
    if isinstance(one, Tally) and isinstance(other, Tally):
        assert np.array_equal(one.states, other.states)
        assert one.weights.tobytes() == other.weights.tobytes()
        assert one.sizes == other.sizes
        assert one.of is other.of
    else:
        assert str(one) == str(other)


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_chances_add_up(name: str) -> None:
    """One ruleset at a time: the first to ask waits for its rules to be compiled."""
    scenario = next(one for one in questions(40) if one.ruleset.name == name)
    for part in scenario.parts:
        tally = one_by_one(part)
        assert isinstance(tally, ExactLimitError) or tally.mass_defect < 1e-12


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_are_solved_as_each_alone(
    threads: int, parts: list[Part], alone: list[Tally | ExactLimitError]
) -> None:
    kinds = {type(one) for one in alone}
    assert kinds == {Tally, ExactLimitError, UncountableError}
    found = solve_many(parts, max_states=FEW, threads=threads)
    for one, other in zip(alone, found, strict=True):
        assert_same(one, other)


def test_order_and_company_do_not_matter(
    parts: list[Part], alone: list[Tally | ExactLimitError]
) -> None:
    order = np.random.default_rng(5).permutation(len(parts))[: len(parts) // 2]
    found = solve_many([parts[i] for i in order], max_states=FEW, threads=1)
    for i, one in zip(order, found, strict=True):
        assert_same(alone[i], one)


def test_room_does_not_matter(
    parts: list[Part],
    alone: list[Tally | ExactLimitError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With next to no room at first it grows; the end states of few fit into one call."""
    monkeypatch.setattr(expand, "ROOM", (8, 1 << 14))
    monkeypatch.setattr(expand, "ENDS", (30, 30 * 12, 20))
    monkeypatch.setattr(exact, "_desks", {})
    for one, other in zip(alone, solve_many(parts, max_states=FEW, threads=1), strict=True):
        assert_same(one, other)


def test_what_is_remembered_does_not_matter(
    parts: list[Part],
    alone: list[Tally | ExactLimitError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stamps at their end begin anew; with nodes and their chances full the rest are reckoned."""
    monkeypatch.setattr(exact, "_desks", {})
    for full in ((3 * expand.NODES // 4 - 2, 0), (0, expand.CHANCES // 2 - 7)):
        for free in exact._desks.values():
            for desk in free:
                expand.forget_nodes(desk.room)
                desk.room.used[:] = ((1 << 32) - 3, *full)
        for one, other in zip(alone, solve_many(parts, max_states=FEW, threads=1), strict=True):
            assert_same(one, other)
        assert exact._desks


def test_states_rise_and_are_met_once(alone: list[Tally | ExactLimitError]) -> None:
    tallies = [one for one in alone if isinstance(one, Tally)]
    for tally in tallies:
        rows = [tuple(row) for row in tally.states.tolist()]
        assert rows == sorted(set(rows))
        assert [1, *tally.sizes][-1] == len(rows)
        assert tally.mass_defect < 1e-12
    assert max(len(tally.states) for tally in tallies) > 256  # more than the least index holds


def test_chances_are_those_of_fractions(
    parts: list[Part], alone: list[Tally | ExactLimitError]
) -> None:
    compared = 0
    for part, tally in zip(parts, alone, strict=True):
        if isinstance(tally, Tally) and sum(tally.sizes) < 300:
            exactly = solve_fractions(part)
            assert np.array_equal(exactly.states, tally.states)
            assert np.allclose(exactly.weights, tally.weights, rtol=1e-12, atol=1e-15)
            compared += 1
    assert compared > 15


def test_a_limit_names_the_first_step_that_is_too_large() -> None:
    part = cs.load(SCENARIOS / "scythed_chariot.toml").whole.until("impact")
    sizes = solve(part).sizes
    for limit in (1, max(sizes) // 2, max(sizes) - 1):
        with pytest.raises(ExactLimitError) as caught:
            solve(part, max_states=limit)
        assert caught.value.limit == limit
        # the phases up to and with the step are played within the limit just above
        step = next(i for i, size in enumerate(sizes) if size > limit)
        assert sizes[step] > limit
        assert caught.value.phase == phases(part)[step]
    assert solve(part, max_states=max(sizes)).sizes == sizes


def phases(part: Part) -> list[str]:
    """Phase of each step, followed state by state."""
    found = []
    game = exact.Expander(part)
    frontier = {game.start()[0].tobytes()}
    while True:
        after, named = set(), set()
        for key in frontier:
            done, phase = game.enter(np.frombuffer(key, np.uint64))
            if done:
                after.add(key)
                continue
            named.add(phase)
            tapes: list[list[int]] = [[]]
            while tapes:
                tape = tapes.pop()
                if game.run(key, tape):
                    tapes += [
                        [*tape, outcome]
                        for outcome, chance in enumerate(exact._weights(game.dice[0]))
                        if chance > 0
                    ]
                else:
                    after.add(game.words[game.live].tobytes())
        if not named:
            return found
        found.append(min(named) if len(named) == 1 else max(named, key=_order(part)))
        frontier = after


def _order(part: Part):
    return lambda name: part.ruleset.phases[name.upper()]


def test_threads_are_at_least_one(parts: list[Part]) -> None:
    with pytest.raises(InputError, match="threads: 0 is too few"):
        solve_many(parts[:1], threads=0)
    assert solve_many([]) == []
