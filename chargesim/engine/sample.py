"""The sampler: blocks of trials on threads, reduced to a tally."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise
from typing import Any

import numpy as np

from chargesim.engine.plan import Plan, make_plan
from chargesim.engine.stats import half_width
from chargesim.engine.tally import Tally, live_words, merge
from chargesim.errors import InputError
from chargesim.scenario import Scenario

MOST_TRIALS = 10**12
FIRST_TRIALS = 65_536
"""Trials from which ``precision`` starts to double."""
Progress = Callable[[int, int], None]


def check_trials(trials: int) -> int:
    """A number of trials that can be played.

    Raises
    ------
    InputError
        Below 1 or above ``MOST_TRIALS``.
    """
    if not 1 <= trials <= MOST_TRIALS:
        raise InputError(f"trials: {trials:,} cannot be played: from 1 to {MOST_TRIALS:,}")
    return int(trials)


def check_seed(seed: int) -> int:
    """A seed of 64 bits.

    Raises
    ------
    InputError
        Below 0 or of more than 64 bits.
    """
    if not 0 <= seed < 2**64:
        raise InputError(f"seed: {seed} is no seed: a whole number from 0 to 2**64 - 1")
    return int(seed)


class _Planned:
    """One thread that plays trials by a plan."""

    def __init__(self, plan: Plan, seed: int, point: int) -> None:
        from chargesim.kernels.dice import Mode, new_dice
        from chargesim.kernels.plans import new_line

        self.plan = plan
        self.dice = new_dice(Mode.SAMPLE, seed, point)
        self.tallied = np.zeros((4, len(plan.states)), np.int64)
        self.line = new_line(plan.layout)

    def play(self, first: int, stop: int) -> None:
        """Play trials first to stop - 1 and count them."""
        from chargesim.kernels.plans import play_plan

        play_plan(self.dice[0], self.plan.layout, self.line, self.tallied, first, stop)

    def counts(self) -> list[tuple[Any, Any]]:
        """Everything counted so far."""
        tallied = self.tallied.sum(axis=0)
        seen = tallied > 0
        return [(self.plan.states[seen], tallied[seen])]


class _Player:
    """One thread that plays trials by the rules: its game, dice and table."""

    def __init__(self, scenario: Scenario, seed: int, point: int) -> None:
        from chargesim.kernels.dice import Mode, new_dice
        from chargesim.kernels.jit import specialise
        from chargesim.kernels.loops import new_table, play_block

        self.new_table = new_table
        self.live = live_words(scenario)
        self.array = scenario.game()
        self.words = self.array.view(np.uint64)
        self.start = self.words[self.live].copy()
        self.dice = new_dice(Mode.SAMPLE, seed, point)
        self.table = new_table(4096, self.live.size)
        self.parts: list[tuple[Any, Any]] = []
        _, self.step = scenario.ruleset.kernels()
        span = np.zeros(2, np.int64)
        self.loop = specialise(play_block, self.step, *self._arguments(span))

    def _arguments(self, span: Any) -> tuple[Any, ...]:
        return (
            self.array[0], self.dice[0], self.words, self.live, self.start, self.table, span
        )  # fmt: skip

    def play(self, first: int, stop: int) -> None:
        """Play trials first to stop - 1 and count them."""
        span = np.array([first, stop], np.int64)
        while True:
            self.loop(self.step, *self._arguments(span))
            if span[0] >= stop:
                return
            self.parts = [merge([*self.parts, self._counted()])]
            capacity = self.table.keys.shape[0]
            if self.parts[0][0].shape[0] > capacity // 4:
                capacity *= 4
            self.table = self.new_table(capacity, self.live.size)

    def _counted(self) -> tuple[Any, Any]:
        full = self.table.counts > 0
        return self.table.keys[full], self.table.counts[full]

    def counts(self) -> list[tuple[Any, Any]]:
        """Everything counted so far."""
        return [*self.parts, self._counted()]


def cores() -> int:
    """Cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def sample(
    scenario: Scenario,
    trials: int = 1_000_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    point: int = 0,
    by_rules: bool = False,
    progress: Progress | None = None,
) -> Tally:
    """Play trials of a scenario, by a plan of its tree where that is small enough.

    Parameters
    ----------
    scenario
        The question.
    trials
        How many, 1 to 10**12.
    seed
        0 to 2**64 - 1; the same seed gives the same tally on any number of threads.
    threads
        How many; ``None``: one a core.
    first
        Number of the first trial, so that a tally can be continued.
    point
        Number of a study point that is to have luck of its own.
    by_rules
        True runs the rules for every trial; the numbers are the same, bit for bit.
    progress
        Called with (trials played, trials) now and then.

    Returns
    -------
    Tally

    Raises
    ------
    InputError
        For numbers out of range.
    """
    from chargesim.kernels.words import BLOCK

    check_trials(trials)
    check_seed(seed)
    stop = first + trials
    workers = cores() if threads is None else threads
    if workers < 1:
        raise InputError(f"threads: {workers} is too few: at least 1")
    # jobs are whole blocks: large enough to be cheap, small enough to share out and report
    size = BLOCK * max(1, min(64, -(-trials // (BLOCK * workers * 8))))
    edges = [first, *range((first // size + 1) * size, stop, size), stop]
    jobs = list(pairwise(edges))
    workers = min(workers, len(jobs))
    local = threading.local()
    plan = None if by_rules else make_plan(scenario)

    def new_player() -> _Planned | _Player:
        return _Player(scenario, seed, point) if plan is None else _Planned(plan, seed, point)

    players = [new_player()]
    spare = [players[0]]
    lock = threading.Lock()

    def work(job: tuple[int, int]) -> int:
        if not hasattr(local, "player"):
            with lock:
                if not spare:
                    players.append(new_player())
                    spare.append(players[-1])
                local.player = spare.pop()
        local.player.play(*job)
        return job[1] - job[0]

    played = 0
    if workers == 1:
        for job in jobs:
            played += work(job)
            if progress:
                progress(played, trials)
    else:
        with ThreadPoolExecutor(workers) as pool:
            waiting = [pool.submit(work, job) for job in jobs]
            try:
                for done in as_completed(waiting):
                    played += done.result()
                    if progress:
                        progress(played, trials)
            except BaseException:
                for task in waiting:
                    task.cancel()
                raise
    states, counts = merge([part for player in players for part in player.counts()])
    return Tally("sample", states, counts, trials, seed)


def extend(scenario: Scenario, tally: Tally, trials: int, **options: Any) -> Tally:
    """Add trials to a tally, going on where it stopped; options as for :func:`sample`."""
    done = tally.trials or 0
    more = sample(scenario, trials, seed=tally.seed or 0, first=done, **options)
    states, counts = merge([(tally.states, tally.weights), (more.states, more.weights)])
    return Tally("sample", states, counts, done + trials, tally.seed)


def sample_until(
    scenario: Scenario,
    precision: float,
    widest: Callable[[Tally], float],
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tally:
    """Double the trials from 65,536 until no outcome's half-width exceeds a target.

    Parameters
    ----------
    precision
        Target half-width, above 0 and below 0.5.
    widest
        Gives the widest half-width of a tally.

    Raises
    ------
    InputError
        When the target is out of range or would take more than ``MOST_TRIALS``.
    """
    if not 0 < precision < 0.5:
        raise InputError(f"precision: {precision:g} is no half-width: above 0 and below 0.5")
    if half_width(MOST_TRIALS // 2, MOST_TRIALS) > precision:
        raise InputError(
            f"precision: {precision:g} would take more than {MOST_TRIALS:,} trials: "
            "ask for a larger one, or for --engine exact"
        )
    tally = sample(scenario, FIRST_TRIALS, seed=seed, threads=threads, progress=progress)
    while widest(tally) > precision:
        tally = extend(scenario, tally, tally.trials or 0, threads=threads, progress=progress)
    return tally
