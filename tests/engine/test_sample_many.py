"""Many parts sampled at once: each as if it were alone, bit for bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cases import CASES, Case

import chargesim as cs
from chargesim.engine import sample as module
from chargesim.engine.plan import make_plan, play_many
from chargesim.engine.sample import MOST_TRIALS, sample_many, sample_pieces, sample_whole
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.kernels.batch import GROUP
from chargesim.kernels.words import BLOCK
from chargesim.parts import Part
from chargesim.scenario import Scenario

TRIALS = BLOCK + 700
FIRST = BLOCK - 300
"""From one block into the third."""
CERTAIN = Path(__file__).parent.parent / "conformance" / "01_hold.toml"


def alike(one: list[Tally], other: list[Tally]) -> bool:
    """Whether two answers to one part are the same."""
    return len(one) == len(other) and all(
        np.array_equal(a.states, b.states)
        and np.array_equal(a.weights, b.weights)
        and (a.engine, a.trials, a.seed, a.of) == (b.engine, b.trials, b.seed, b.of)
        for a, b in zip(one, other, strict=True)
    )


@pytest.fixture(scope="module")
def variants() -> list[Part]:
    """More parts of one shape than are played side by side."""
    rows = [(shots, ld) for shots in range(1, GROUP) for ld in (6, 8, 9)]
    paths = ("unit.handgunners.shooters", "unit.handgunners.Ld")
    scenarios = CASES["canonical"].scenario.variants(paths, rows)
    return [s.whole.until("impact") for s in scenarios if isinstance(s, Scenario)]


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_every_case_is_sampled_as_alone(case: Case) -> None:
    parts = case.parts
    alone = [sample_whole(part, TRIALS, seed=7, first=FIRST) for part in parts]
    for threads in (1, 2):
        many = sample_many(parts, TRIALS, seed=7, first=FIRST, threads=threads)
        assert all(map(alike, many, alone))


def test_cases_of_all_rulesets_and_shapes_may_be_mixed() -> None:
    parts = [part for case in CASES.values() for part in case.parts] * 2
    many = sample_many(parts, 1_000, seed=2, threads=2)
    assert all(map(alike, many, (sample_whole(part, 1_000, seed=2) for part in parts)))


@pytest.mark.parametrize("share", [1, 7, 64])
def test_shares_and_threads_do_not_matter(
    variants: list[Part], share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [sample_whole(part, TRIALS, seed=1) for part in variants]
    assert len({tuple(tally.weights) for (tally,) in alone}) > GROUP
    monkeypatch.setattr(module, "SHARE", share)
    for threads in (1, 2):
        assert all(map(alike, sample_many(variants, TRIALS, seed=1, threads=threads), alone))


def test_points_have_luck_of_their_own(variants: list[Part]) -> None:
    parts = [variants[0]] * 6
    points = [0, 4, 4, 2**32 - 1, 0, 4]
    many = sample_many(parts, TRIALS, seed=1, points=points, threads=1)
    for part, point, one in zip(parts, points, many, strict=True):
        assert alike(one, sample_whole(part, TRIALS, seed=1, point=point))
    assert not alike(many[0], many[1])
    # rows that were made for one point are not taken for those of another
    other = sample_many(parts, TRIALS, seed=1, points=[4] * 6, threads=1)
    assert alike(other[0], many[1])


def test_what_has_no_plan_is_played_by_the_rules_among_the_others() -> None:
    question = cs.load(CERTAIN)
    certain = question.replace(**{"unit.handgunners.engaged": True}).whole
    parts = [question.whole, certain, question.whole]
    assert make_plan(certain) is None
    assert [found is None for found in play_many(parts, 0, 10, 0, [0] * 3)] == [False, True, False]
    for threads in (1, 2):
        many = sample_many(parts, TRIALS, seed=3, threads=threads)
        assert all(map(alike, many, (sample_whole(part, TRIALS, seed=3) for part in parts)))


def test_what_has_too_many_states_is_counted_in_pieces_among_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eight = CASES["eight"].scenario.whole
    (duel,) = CASES["duel"].parts
    monkeypatch.setattr(module, "KEPT_WORDS", eight.live.size * 50)
    many = sample_many([duel, eight, duel], 200, seed=3, threads=1)
    assert len(many[1]) == len(eight.pieces) > 1
    assert alike(many[1], sample_pieces(eight, 200, seed=3))
    assert alike(many[0], sample_whole(duel, 200, seed=3))
    assert alike(many[2], many[0])


def test_few_parts_or_many_trials_share_out_the_trials(
    variants: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = sample_many(variants[:3], TRIALS, seed=1, threads=1)
    assert alike(sample_many(variants[:1], TRIALS, seed=1, threads=2)[0], alone[0])
    monkeypatch.setattr(module, "CALL_TRIALS", TRIALS - 1)
    assert all(map(alike, sample_many(variants[:3], TRIALS, seed=1, threads=2), alone))
    assert sample_many([], TRIALS) == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("most", [1, 1 << 24])
def test_progress_is_told_and_may_stop_it(
    variants: list[Part], threads: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SHARE", 5)
    monkeypatch.setattr(module, "CALL_TRIALS", most)
    told: list[tuple[int, int]] = []
    sample_many(variants, 10, threads=threads, progress=lambda *at: told.append(at))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1] == (len(variants), len(variants))
    assert len(told) >= len(variants) // 5

    def stop(done: int, _: int) -> None:
        if done > 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sample_many(variants, 10, threads=threads, progress=stop)


def test_numbers_out_of_range_are_refused(variants: list[Part]) -> None:
    for wrong in ({"trials": 0}, {"trials": MOST_TRIALS + 1}, {"seed": -1}, {"threads": 0}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            sample_many(variants, **wrong)
