"""The exact engine alone and in batches: the same bits however the work is divided."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from cases import CASES
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
from chargesim.kernels import expand, memories, room
from chargesim.parts import Part

FEW = 3_000
"""States that are allowed: some questions have more, and say so."""


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
    threads: int,
    parts: list[Part],
    alone: list[Tally | ExactLimitError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = {type(one) for one in alone}
    assert kinds == {Tally, ExactLimitError, UncountableError}
    monkeypatch.setattr(exact, "WORTH_THREADS", 0)
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


@pytest.mark.parametrize("events", [room.EVENTS, 1_500])
def test_room_does_not_matter(
    events: int,
    parts: list[Part],
    alone: list[Tally | ExactLimitError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With next to no room at first it grows; the end states of few fit into one call.

    What comes of some states does not fit into the room for it, and is dealt with in pieces.
    """
    monkeypatch.setattr(expand, "ROOM", (8, 1 << 14))
    monkeypatch.setattr(expand, "ENDS", (30, 30 * 12, 20))
    monkeypatch.setattr(room, "EVENTS", events)
    monkeypatch.setattr(room, "MEMORIES", 5)
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
    for full in ((3 * room.NODES // 4 - 2, 0), (0, room.CHANCES // 2 - 7)):
        for free in exact._desks.values():
            for desk in free:
                room.forget_nodes(desk.room)
                used = desk.room.used
                used[room.STAMP] = (1 << 32) - 3
                used[room.NODES_USED], used[room.CHANCES_USED] = full
        for one, other in zip(alone, solve_many(parts, max_states=FEW, threads=1), strict=True):
            assert_same(one, other)
        assert exact._desks


VARIED = {
    "canonical": {
        "charge.0.distance": (17.5, 19, 20.25, 24, 24.5),
        "unit.handgunners.Ld": (5, 7, 9),
        "unit.chariots.models": (4, 5),
    },
    "duel": {
        "charge.0.distance": (19, 22, 25),
        "unit.spears0.WS": (2, 3),
        "unit.spears0.Ld": (6, 8),
        "unit.riders0.T": (3, 4),
    },
    "two_on_one": {"charge.0.distance": (14, 16), "charge.1.distance": (12, 15)},
}


def varied(name: str) -> list[Part]:
    """Parts of one shape that differ in a few numbers, in no order."""
    axes = VARIED[name]
    scenario = CASES[name].scenario
    rows = list(product(*axes.values()))
    np.random.default_rng(2).shuffle(rows)
    made = [one for one in scenario.variants(tuple(axes), rows) if isinstance(one, cs.Scenario)]
    assert len(made) == len(rows)
    return [one.whole for one in made]


@pytest.mark.parametrize("name", VARIED)
def test_what_is_alike_in_a_batch_is_answered_as_each_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "_desks", {})
    batch = varied(name)
    solve_many(batch[:1] * 2, threads=1)
    (desk,) = exact._desks[batch[0].ruleset.name]
    of_one = int(desk.room.used[room.MEMORY])
    found = solve_many(batch, threads=1)
    # the rules were not run anew for each
    assert of_one <= desk.room.used[room.MEMORY] < len(batch) * of_one
    for part, one in zip(batch, found, strict=True):
        assert_same(solve(part), one)


@pytest.mark.parametrize("leaderships", [(5, 8, 10), (5, 1, 8)])
def test_tests_are_asked_for_anew(leaderships: tuple[int, ...]) -> None:
    """Of what differs in Leadership alone, only the chances of tests differ; some have but one."""
    scenario = CASES["canonical"].scenario
    paths = ("charge.0.distance", "unit.handgunners.Ld", "unit.chariots.Ld")
    rows = list(product((18, 24), leaderships, leaderships))
    variants = [one for one in scenario.variants(paths, rows) if isinstance(one, cs.Scenario)]
    batch = [one.whole.until("impact") for one in variants]
    assert len(batch) == len(rows)
    for part, one in zip(batch, solve_many(batch, threads=1), strict=True):
        assert_same(solve(part), one)
    solve_many(batch, threads=1)
    desk = exact._desks["wh6"][-1]
    known = desk.room.memories[: desk.room.used[room.MEMORY]]
    tested = known[:, memories.HAPPENED] >> room.TEST_BIT & 1 == 1
    anew = tested & (known[:, memories.PLAIN] == 0)
    if 1 not in leaderships:
        # for each that was found out, eight others were not
        assert np.count_nonzero(anew) > 2 * np.count_nonzero(tested & ~anew) > 0


def test_what_was_remembered_long_ago_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in any order take no more runs of the rules than rows that vary one value at a time."""
    monkeypatch.setattr(exact, "_desks", {})
    scenario = CASES["canonical"].scenario
    rows = [(12 + d / 4, n) for d in range(40) for n in (4, 5)]
    held = []
    for order in (rows, sorted(rows, key=lambda row: row[::-1])):
        variants = scenario.variants(("charge.0.distance", "unit.chariots.models"), order)
        batch = [one.whole.until("impact") for one in variants if isinstance(one, cs.Scenario)]
        solve_many(batch, threads=1)
        held.append(int(exact._desks["wh6"][-1].room.used[room.MEMORY]))
    assert held[0] == held[1]


def test_answers_are_a_sequence(parts: list[Part], alone: list[Tally | ExactLimitError]) -> None:
    found = solve_many(parts, max_states=FEW, threads=1)
    assert len(found) == len(parts)
    assert_same(found[-1], alone[-1])
    assert found[3] is found[3] is list(found)[3]
    for one, other in zip(found[2:9:3], alone[2:9:3], strict=True):
        assert_same(one, other)
    for one, other in zip(reversed(found), reversed(alone), strict=True):
        assert_same(one, other)
    for place in (len(parts), -len(parts) - 1):
        with pytest.raises(IndexError):
            found[place]


def test_games_that_end_alike_share_their_states() -> None:
    part = CASES["canonical"].parts[0]
    one, *others = solve_many([part] * 3, threads=1)
    assert all(other.states is one.states for other in others)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("canonical", "ld"),
        ("duel", "ws"),
        ("duel", "ld"),
        ("duel", "t"),
    ],
)
def test_answers_rest_on_every_field_that_is_read(
    name: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one is left out of what the rules read, games are taken for alike that are not."""
    batch = varied(name)
    kept = exact._bits_read

    def short_sighted(part: Part) -> Any:
        return kept(part) & ~part.ruleset.layout.bits(part.start.dtype, {field})

    monkeypatch.setattr(exact, "_bits_read", short_sighted)
    wrong = 0
    for part, one in zip(batch, solve_many(batch, threads=1), strict=True):
        right = solve(part)
        assert isinstance(one, Tally)
        wrong += not np.array_equal(right.weights, one.weights)
    assert wrong > 0


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


def test_states_wait_where_a_step_asks(parts: list[Part]) -> None:
    """Steps and sizes are those of a naive walk."""
    compared = 0
    for part in parts:
        tally = one_by_one(part)
        if isinstance(tally, Tally) and sum(tally.sizes) < 200:
            assert tally.sizes == tuple(size for _, size in walk(part))
            compared += 1
    assert compared > 15


def test_a_limit_names_the_first_step_that_is_too_large() -> None:
    (part,) = CASES["canonical"].parts
    steps = walk(part)
    sizes = [size for _, size in steps]
    assert solve(part).sizes == tuple(sizes)
    for limit in (1, max(sizes) // 2, max(sizes) - 1):
        with pytest.raises(ExactLimitError) as caught:
            solve(part, max_states=limit)
        assert caught.value.limit == limit
        assert caught.value.phase == next(phase for phase, size in steps if size > limit)
    assert len({phase for phase, _ in steps}) > 2
    assert solve(part, max_states=max(sizes)).sizes == tuple(sizes)


def walk(part: Part) -> list[tuple[str, int]]:
    """Phase of each step in which states waited, and how many wait or have ended after it."""
    game = exact.Expander(part)
    queues: dict[int, dict[bytes, None]] = {}
    ends = set()

    def run_on(time: int, asks: int) -> int:
        while True:
            state = game.words[game.live].tobytes()
            if game.enter(np.frombuffer(state, np.uint64))[0]:
                ends.add(state)
                return asks
            if time == asks or game.run(state, []):
                queues.setdefault(time, {})[state] = None
                return time
            time += 1

    run_on(0, -1)
    found = []
    while queues:
        time = min(queues)
        states = queues.pop(time)
        phase = game.enter(np.frombuffer(next(iter(states)), np.uint64))[1]
        for state in states:
            asks = -1
            tapes: list[list[int]] = [[]]
            while tapes:
                tape = tapes.pop()
                if game.run(state, tape):
                    chances = list(enumerate(exact._weights(game.dice[0])))
                    tapes += [[*tape, k] for k, chance in reversed(chances) if chance > 0]
                else:
                    asks = run_on(time + 1, asks)
        found.append((phase, len(ends) + sum(map(len, queues.values()))))
    return found


def test_threads_are_at_least_one(parts: list[Part]) -> None:
    with pytest.raises(InputError, match="threads: 0 is too few"):
        solve_many(parts[:1], threads=0)
    assert list(solve_many([])) == []
