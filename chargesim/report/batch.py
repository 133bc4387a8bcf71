"""Answers to many scenarios: all that can be exact in a few compiled calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any

from chargesim.engine import exact
from chargesim.engine.exact import ExactLimitError
from chargesim.engine.play import check_options
from chargesim.engine.tally import Tally
from chargesim.engine.threads import thread_count
from chargesim.errors import InputError
from chargesim.report.result import Result, solve
from chargesim.scenario import Scenario

MOST = 128
"""Most scenarios that are answered together: of more, the garbage collector makes more work than
the compiled call saves."""
SOON = 0.1
"""Seconds in which some should be answered: nobody waits long for the first, or to interrupt."""


def solve_many(
    scenarios: Iterable[Scenario | InputError],
    engine: str = "auto",
    trials: int = 1_000_000,
    precision: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    until: str | None = None,
) -> Iterator[Result | InputError | ExactLimitError]:
    """Answer many scenarios, each as :func:`solve` would, bit for bit.

    What can be answered exactly is answered by the hundred in one compiled call. One scenario that
    cannot be answered does not stop the others.

    Parameters
    ----------
    scenarios
        The questions, such as :meth:`Scenario.variants` makes them; an error among them comes back
        in its place.
    engine, trials, precision, seed, threads, max_states
        As for :func:`solve`.
    until
        Play exact scenarios no further than this phase, such as ``"charge_moves"``, where nothing
        is asked of what comes after it; a scenario with open choices is played to its end, and so
        is every one that is sampled.

    Yields
    ------
    Result, InputError or ExactLimitError
        One a scenario, in their order; at most a few hundred are held at a time, large ones fewer.

    Raises
    ------
    InputError
        For an unknown engine, an unknown phase, or numbers out of range.
    """
    check_options(engine, trials, max_states)
    options: dict[str, Any] = {
        "trials": trials, "precision": precision, "seed": seed, "threads": threads,
        "max_states": max_states,
    }  # fmt: skip
    questions = iter(scenarios)
    size = thread_count(threads)
    while chunk := list(islice(questions, size)):
        begun = perf_counter()
        answers = _answers(chunk, engine, until, options)
        first = next(answers)
        quick = perf_counter() - begun < SOON
        yield first
        yield from answers
        size = min(2 * size, MOST) if quick else max(size // 2, thread_count(threads))


def _answers(
    chunk: list[Scenario | InputError], engine: str, until: str | None, options: dict[str, Any]
) -> Iterator[Result | InputError | ExactLimitError]:
    """Answer some scenarios: first all that can be exact at one time, then the others in turn."""
    together = [
        one for one in chunk if isinstance(one, Scenario) and engine != "sample" and not one.choices
    ]
    whole = [one.parts for one in together]
    played = whole if until is None else [[part.until(until) for part in one] for one in whole]
    tallies = iter(
        exact.solve_many(
            [part for parts in played for part in parts],
            max_states=options["max_states"],
            threads=options["threads"],
        )
    )
    solved = {
        id(one): list(islice(tallies, len(parts)))
        for one, parts in zip(together, played, strict=True)
    }
    for one in chunk:
        if not isinstance(one, Scenario):
            yield one
            continue
        found = solved.get(id(one), [])
        failed = next((tally for tally in found if isinstance(tally, ExactLimitError)), None)
        if found and failed is None:
            yield Result(one, [tally for tally in found if isinstance(tally, Tally)])
        elif failed is not None and engine == "exact":
            yield failed
        else:
            try:
                yield solve(one, engine if failed is None else "sample", **options)
            except (InputError, ExactLimitError) as error:
                yield error
