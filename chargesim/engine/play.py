"""Answer a scenario with the engine asked for; ``auto`` is exact where the tree is small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.sample import (
    FIRST_TRIALS,
    Progress,
    check_precision,
    check_seed,
    check_trials,
    extend,
    sample_whole,
)
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.scenario import Scenario

ENGINES = ("auto", "exact", "sample")


def check_options(engine: str, trials: int, max_states: int | None) -> None:
    """Refuse an unknown engine and numbers out of range.

    Raises
    ------
    InputError
        Says which.
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is none: one of {', '.join(ENGINES)}")
    check_trials(trials)
    if max_states is not None and max_states < 1:
        raise InputError(f"max-states: {max_states} is too few: at least 1")


def play(
    scenario: Scenario,
    *,
    engine: str = "auto",
    trials: int = 1_000_000,
    precision: float | None = None,
    widest: Callable[[list[Tally]], float] | None = None,
    seed: int = 0,
    point: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> list[Tally]:
    """Solve or sample every part of a scenario.

    Parameters
    ----------
    scenario
        The question.
    engine
        ``exact``, ``sample``, or ``auto``: exact unless a phase has more than ``max_states``
        states.
    trials
        Trials of a sample.
    precision, widest
        Stop a sample at this half-width instead, its trials doubled until then; ``widest`` measures
        it.
    seed, point, threads, progress
        As for :func:`chargesim.engine.sample.sample`.
    max_states
        Most states of a phase.

    Returns
    -------
    list of Tally
        One a part, all exact or all of the same trials: where one part is too large for the exact
        engine, ``auto`` samples all of them. A part with too many end states to keep gives one for
        each of its pieces.

    Raises
    ------
    InputError
        For an unknown engine or numbers out of range.
    ExactLimitError
        When ``exact`` was asked for and the tree is larger.
    """
    check_options(engine, trials, max_states)
    check_seed(seed)  # also where nothing will be sampled: whether it is, hangs on the question
    if engine != "sample":
        try:
            return [solve(part, max_states=max_states) for part in scenario.parts]
        except ExactLimitError:
            if engine == "exact":
                raise
    options: dict[str, Any] = {
        "seed": seed, "point": point, "threads": threads,
        "progress": progress,
    }  # fmt: skip
    if precision is None or widest is None:
        return [tally for part in scenario.parts for tally in sample_whole(part, trials, **options)]
    check_precision(precision)
    sampled = [sample_whole(part, FIRST_TRIALS, **options) for part in scenario.parts]
    del options["seed"]
    while widest([tally for tallies in sampled for tally in tallies]) > precision:
        sampled = [
            extend(part, tallies, tallies[0].trials or 0, **options)
            for part, tallies in zip(scenario.parts, sampled, strict=True)
        ]
    return [tally for tallies in sampled for tally in tallies]
