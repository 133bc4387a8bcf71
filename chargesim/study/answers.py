"""Answers to the points of a study: what is counted of each, added to what was counted before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from chargesim.engine import exact
from chargesim.engine.choices import choose
from chargesim.engine.exact import ExactLimitError
from chargesim.engine.play import play
from chargesim.engine.sample import FIRST_TRIALS, sample_many
from chargesim.engine.stats import half_width
from chargesim.engine.tally import Tally
from chargesim.errors import ChargesimError, InputError
from chargesim.parts import Part
from chargesim.scenario import Scenario
from chargesim.study.axes import meant
from chargesim.study.cells import Cell, cells_of
from chargesim.study.file import Study

TOGETHER = 512
"""Points that are held at one time."""
Progress = Callable[[int, int], None]


@dataclass
class Answer:
    """What is known of a point.

    Parameters
    ----------
    number
        Its number in the study.
    row
        Its values, one an axis.
    trials
        Of a sample, ``None`` when exact.
    cells
        Counts of a sample, probabilities when exact.
    error
        Why it cannot be answered; empty when it can.
    """

    number: int
    row: tuple[Any, ...]
    trials: int | None = None
    cells: dict[Cell, float] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True)
class Question:
    """What answers points, as it is sent to whoever does the work.

    Parameters
    ----------
    scenario
        What is varied.
    paths
        Of the axes.
    rules_hash
        Of the rules that must answer.
    engine, trials, precision, seed, luck, keep, until, max_states
        As in :class:`chargesim.study.file.Study`.
    """

    scenario: Scenario
    paths: tuple[str, ...]
    rules_hash: str
    engine: str
    trials: int | None
    precision: float | None
    seed: int
    luck: str
    keep: str
    until: str | None
    max_states: int | None


def question_of(study: Study) -> Question:
    """What is asked of each point of a study."""
    from chargesim.kernels.jit import rules_hash

    return Question(
        scenario=study.scenario,
        paths=tuple(axis.path for axis in study.axes),
        rules_hash=rules_hash(study.scenario.ruleset.name),
        engine=study.engine,
        trials=study.trials,
        precision=study.precision,
        seed=study.seed,
        luck=study.luck,
        keep=study.keep,
        until=study.until,
        max_states=study.max_states,
    )


def answers(
    question: Question,
    points: Iterable[tuple[int, tuple[Any, ...]]],
    known: Mapping[int, Answer] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Iterator[Answer]:
    """Answer points, each by itself: one that cannot be answered does not stop the others.

    Parameters
    ----------
    question
        What is asked of each.
    points
        Number and values of each.
    known
        By number what is known already; what is exact is taken as it is, trials are added to.
    threads
        Of each sample.
    progress
        Called now and then, and may raise to stop the work.

    Yields
    ------
    Answer
        In the order of the points; the numbers depend on the question, the values and, with luck of
        their own, the number alone.
    """
    rest = iter(points)
    while chunk := list(islice(rest, TOGETHER)):
        yield from _chunk(question, chunk, known or {}, threads, progress)


def _chunk(
    question: Question,
    chunk: Sequence[tuple[int, tuple[Any, ...]]],
    known: Mapping[int, Answer],
    threads: int,
    progress: Progress | None,
) -> list[Answer]:
    found = [known.get(number) or Answer(number, row) for number, row in chunk]
    open_ = [one for one in found if one.trials is not None or not one.cells]
    asked: list[tuple[Answer, list[Part]]] = []
    for one, scenario in zip(open_, _scenarios(question, [one.row for one in open_]), strict=True):
        if isinstance(scenario, ChargesimError):
            _fail(one, scenario)
        elif scenario.choices:
            _choose(one, question, scenario, threads, progress)
        else:
            asked.append((one, _parts(question, scenario)))
    if question.engine != "sample":
        done = _exact(question, [pair for pair in asked if pair[0].trials is None])
        asked = [pair for pair in asked if pair[0].number not in done]
    _sample(question, asked, threads, progress)
    if progress:
        progress(0, 1)
    return found


def _scenarios(
    question: Question, rows: Sequence[tuple[Any, ...]]
) -> Iterator[Scenario | ChargesimError]:
    """The scenario of each row, or why there is none."""
    scenario, paths = question.scenario, question.paths
    meanings: list[list[Any] | ChargesimError] = []
    for row in rows:
        try:
            meanings.append([meant(scenario, *pair) for pair in zip(paths, row, strict=True)])
        except ChargesimError as error:
            meanings.append(error)
    variants = iter(
        scenario.variants(paths, [one for one in meanings if not isinstance(one, ChargesimError)])
    )
    return (one if isinstance(one, ChargesimError) else next(variants) for one in meanings)


def _reason(error: ChargesimError) -> str:
    """Why a point cannot be answered, without the name of the base scenario's file."""
    faults = getattr(error, "faults", None)
    return "; ".join(str(fault) for fault in faults) if faults else str(error)


def _fail(one: Answer, error: ChargesimError) -> None:
    """Let an answer say why there is none."""
    one.trials, one.cells, one.error = None, {}, _reason(error)


def _parts(question: Question, scenario: Scenario) -> list[Part]:
    if question.until is None:
        return scenario.parts
    return [part.until(question.until) for part in scenario.parts]


def _exact(question: Question, asked: Sequence[tuple[Answer, list[Part]]]) -> set[int]:
    """Answer what is small enough for the exact engine; numbers of what is done with."""
    parts = [part for _, own in asked for part in own]
    tallies = iter(exact.solve_many(parts, max_states=question.max_states, threads=1))
    solved: list[tuple[Answer, list[Tally]]] = []
    done = set()
    for one, own in asked:
        found = list(islice(tallies, len(own)))
        failed = next((tally for tally in found if isinstance(tally, ExactLimitError)), None)
        if failed is None:
            solved.append((one, [t for t in found if isinstance(t, Tally)]))
        elif question.engine == "exact":
            one.error = str(failed)
        else:
            continue
        done.add(one.number)
    counted = _count(question, [own for _, own in solved])
    for (one, _), cells in zip(solved, counted, strict=True):
        _take(one, cells, None)
    return done


def _count(
    question: Question, answers: Sequence[Sequence[Tally]]
) -> list[dict[Cell, float] | InputError]:
    return cells_of(answers, question.until, question.keep == "all")


def _take(one: Answer, cells: dict[Cell, float] | InputError, trials: int | None) -> None:
    """Take what was counted, added to what is there, into an answer."""
    if isinstance(cells, InputError):
        _fail(one, cells)
        return
    for cell, count in one.cells.items():
        cells[cell] = cells.get(cell, 0) + count
    one.cells, one.trials = cells, trials


def _sample(
    question: Question,
    asked: Sequence[tuple[Answer, list[Part]]],
    threads: int,
    progress: Progress | None,
) -> None:
    """Sample points, each beginning after the trials that it has."""
    first = question.trials or 1 if question.precision is None else FIRST_TRIALS
    waiting = [(one, parts, max(one.trials or 0, first)) for one, parts in asked]
    while waiting:
        together: dict[tuple[int, int], list[tuple[Answer, list[Part]]]] = {}
        for one, parts, upto in waiting:
            if upto > (one.trials or 0):
                together.setdefault((one.trials or 0, upto), []).append((one, parts))
        for (done, upto), pairs in together.items():
            _play(question, pairs, done, upto, threads, progress)
        waiting = [
            (one, parts, 2 * upto)
            for one, parts, upto in waiting
            if question.precision is not None
            and not one.error
            and _widest(one) > question.precision
        ]


def _play(
    question: Question,
    pairs: Sequence[tuple[Answer, list[Part]]],
    done: int,
    upto: int,
    threads: int,
    progress: Progress | None,
) -> None:
    """Add trials to points that have as many."""
    own_luck = question.luck == "independent"
    tallies = iter(
        sample_many(
            [part for _, parts in pairs for part in parts], upto - done, first=done,
            seed=question.seed, threads=threads, progress=progress,
            points=[one.number if own_luck else 0 for one, parts in pairs for _ in parts],
        )
    )  # fmt: skip
    played = [[tally for own in islice(tallies, len(parts)) for tally in own] for _, parts in pairs]
    for (one, _), cells in zip(pairs, _count(question, played), strict=True):
        _take(one, cells, upto)


def _widest(one: Answer) -> float:
    """Widest half-width of an outcome word of the charges and combats."""
    return max(
        half_width(int(count), one.trials or 1)
        for cell, count in one.cells.items()
        if cell.kind in ("charge", "combat") and not cell.quantity
    )


def _choose(
    one: Answer,
    question: Question,
    scenario: Scenario,
    threads: int,
    progress: Progress | None,
) -> None:
    """Answer a point whose players choose; trials are not added to, which might change a choice."""

    def widest(tallies: list[Tally]) -> float:
        probe = Answer(0, ())
        _take(probe, _count(question, [tallies])[0], tallies[0].trials)
        return _widest(probe)

    def answer(line: Scenario) -> list[Tally]:
        return play(
            line,
            engine=question.engine,
            trials=question.trials or 1,
            precision=question.precision,
            widest=widest,
            seed=question.seed,
            point=one.number if question.luck == "independent" else 0,
            threads=threads,
            max_states=question.max_states,
            progress=progress,
        )

    try:
        if question.until is not None:
            raise InputError('until: choices ("best") are made for the whole game: leave it out')
        chosen = choose(scenario, answer)
    except ChargesimError as error:
        _fail(one, error)
        return
    _take(one, _count(question, [chosen.tallies])[0], chosen.tallies[0].trials)
    whole = 1 if one.trials is None else one.trials
    for other in chosen.alternatives:
        cell = Cell("choice", other["unit"], other["choice"])
        one.cells[cell] = whole if other["chosen"] else 0


def fault_of(scenario: Scenario, paths: Sequence[str], row: Sequence[Any]) -> str | None:
    """``None`` where values make a sound scenario; else why not."""
    try:
        changes = {p: meant(scenario, p, value) for p, value in zip(paths, row, strict=True)}
        scenario.replace(**changes)
    except ChargesimError as error:
        return _reason(error)
    return None
