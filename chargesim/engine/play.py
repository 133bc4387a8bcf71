"""Answer a scenario with the engine asked for; ``auto`` is exact where the tree is small."""

from __future__ import annotations

from collections.abc import Callable

from chargesim.engine.exact import MAX_STATES, ExactLimitError, solve
from chargesim.engine.sample import Progress, check_trials, sample, sample_until
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.scenario import Scenario

ENGINES = ("auto", "exact", "sample")


def play(
    scenario: Scenario,
    *,
    engine: str = "auto",
    trials: int = 1_000_000,
    precision: float | None = None,
    widest: Callable[[Tally], float] | None = None,
    seed: int = 0,
    threads: int | None = None,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Tally:
    """Solve or sample a scenario.

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
        Stop a sample at this half-width instead; ``widest`` measures it.
    seed, threads, progress
        As for :func:`chargesim.engine.sample.sample`.
    max_states
        Most states of a phase.

    Raises
    ------
    InputError
        For an unknown engine or numbers out of range.
    ExactLimitError
        When ``exact`` was asked for and the tree is larger.
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is none: one of {', '.join(ENGINES)}")
    check_trials(trials)
    if max_states < 1:
        raise InputError(f"max-states: {max_states} is too few: at least 1")
    if engine != "sample":
        try:
            return solve(scenario, max_states=max_states)
        except ExactLimitError:
            if engine == "exact":
                raise
    if precision is not None and widest is not None:
        return sample_until(
            scenario, precision, widest, seed=seed, threads=threads, progress=progress
        )
    return sample(scenario, trials, seed=seed, threads=threads, progress=progress)
