"""Scenarios compared with shared luck: differences, intervals, verdicts and a ranking."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import chargesim
from chargesim.engine.exact import ExactLimitError, UncountableError
from chargesim.engine.paired import joined, sample_in_blocks
from chargesim.engine.play import ENGINES
from chargesim.engine.stats import jackknife, t95, wilson
from chargesim.errors import InputError
from chargesim.report.batch import solve_many
from chargesim.report.caveats import caveat_of
from chargesim.report.result import Result, solve
from chargesim.report.result_json import SCHEMA, about
from chargesim.report.shown import Shown
from chargesim.report.values import Estimate, factors, is_mean, measure
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from chargesim.report.render import Document

EQUAL = 1e-12
"""Exact values that differ by less are equal: so far apart may rounding bring them."""
FEWEST_BLOCKS = 20
"""With fewer blocks of trials the paired interval would be no better than a guess."""


@dataclass(frozen=True)
class Entry:
    """One scenario of a comparison.

    Parameters
    ----------
    name
        What it is called.
    result
        Its answer.
    estimate
        The value that is compared.
    sums
        Of a sample: sums above and below the ratios of the value, shape (blocks, factors, 2).
    """

    name: str
    result: Result
    estimate: Estimate
    sums: np.ndarray[Any, Any] | None


@dataclass(frozen=True)
class Difference:
    """How much greater the value of one scenario is than that of another.

    Parameters
    ----------
    one, other
        Names.
    value, low, high
        The difference and its 95 % interval, equal when exact.
    how
        ``"exact"``, ``"paired"`` (from the same trials of both) or ``"independent"`` (as if their
        trials had nothing to do with each other: too wide).
    """

    one: str
    other: str
    value: float
    low: float
    high: float
    how: str

    @property
    def is_tie(self) -> bool:
        """True when it cannot be told from 0."""
        if self.how == "exact":
            return abs(self.value) < EQUAL
        return self.low <= 0.0 <= self.high

    @property
    def is_defined(self) -> bool:
        """False when one of the two values is undefined."""
        return self.value == self.value


class Comparison(Shown):
    """Several scenarios by one value, the greatest first.

    Parameters
    ----------
    value
        The expression.
    entries
        The scenarios, in the order they were given.
    """

    def __init__(self, value: str, entries: Sequence[Entry]) -> None:
        self.value, self.given = value, tuple(entries)
        defined = [entry for entry in entries if entry.estimate.value == entry.estimate.value]
        ranked = sorted(defined, key=lambda entry: -entry.estimate.value)
        self.entries = (*ranked, *(entry for entry in entries if entry not in defined))

    @property
    def is_mean(self) -> bool:
        """True when means are compared, false for chances."""
        return is_mean(self.value)

    @property
    def is_exact(self) -> bool:
        """True when no value is an estimate."""
        return all(entry.estimate.is_exact for entry in self.entries)

    def difference(self, one: str | None = None, other: str | None = None) -> Difference:
        """How much greater the value of one is than that of the other.

        Parameters
        ----------
        one, other
            Names; the first and the second that were given.

        Raises
        ------
        InputError
            When there is none of a name.
        """
        names = [entry.name for entry in self.given]
        found = []
        for name, default in ((one, 0), (other, 1)):
            if name is not None and name not in names:
                raise InputError(f"compare: there is no {name!r}: one of {', '.join(names)}")
            found.append(self.given[default if name is None else names.index(name)])
        return difference_of(*found)

    @property
    def ranks(self) -> list[int]:
        """Rank of each entry from 1, shared with those that cannot be told from its first."""
        ranks: list[int] = []
        lead = 0
        for place, entry in enumerate(self.entries):
            if place and not difference_of(self.entries[lead], entry).is_tie:
                lead = place
            ranks.append(lead + 1)
        return ranks

    @property
    def verdict(self) -> str:
        """What came of it, in a sentence or two."""
        from chargesim.report.compare_tables import verdict

        return verdict(self, "en")

    def table(self) -> pd.DataFrame:
        """One row a scenario, the greatest value first; differences are to the first."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """What :meth:`table` holds."""
        rows = []
        for rank, entry in zip(self.ranks, self.entries, strict=True):
            behind = difference_of(entry, self.entries[0])
            rows.append(
                {
                    "rank": rank, "scenario": entry.name, "value": entry.estimate.value,
                    "low": entry.estimate.low, "high": entry.estimate.high,
                    "engine": entry.estimate.engine, "difference": behind.value,
                    "difference_low": behind.low, "difference_high": behind.high,
                }
            )  # fmt: skip
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON; what is undefined is ``None``."""
        sampled = [entry.result for entry in self.given if not entry.result.is_exact]
        pairs = [
            difference_of(self.entries[i], self.entries[j])
            for i in range(len(self.entries))
            for j in range(i + 1, len(self.entries))
        ]
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "value": self.value,
            "trials": sampled[0].trials if sampled else None,
            "seed": sampled[0].seed if sampled else None,
            "ranking": [
                {**_plain(row), **about(entry.result.scenario)}
                for row, entry in zip(self.rows(), self.entries, strict=True)
            ],
            "differences": [_plain({**vars(pair), "tie": pair.is_tie}) for pair in pairs],
            "verdict": self.verdict,
            **caveat_of(*(entry.result.scenario for entry in self.given)),
        }  # fmt: skip

    def plot(self, **options: Any) -> Axes:
        """Draw the values with their intervals, the greatest first."""
        from chargesim.report.figures_tables import ranking

        return ranking(self, **options)

    def _document(self) -> Document:
        from chargesim.report.compare_tables import compare_document

        return compare_document(self, "en")

    def __repr__(self) -> str:
        return f"Comparison({self.value!r}: {self.verdict})"


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {key: None if value != value else value for key, value in row.items()}


def compare(
    *scenarios: Scenario,
    value: str = "contact",
    names: Sequence[str] | None = None,
    engine: str = "auto",
    trials: int = 1_000_000,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare scenarios by one value, with shared luck where they are sampled.

    Parameters
    ----------
    *scenarios
        Two or more.
    value
        An outcome, or ``mean:`` and a quantity.
    names
        What they are to be called; by default after their files.
    engine, trials, seed, threads, max_states
        As for :func:`chargesim.solve`.
    progress
        Called with (scenarios done, scenarios).

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two scenarios, an unknown outcome, or numbers out of range.
    """
    if len(scenarios) < 2:
        raise InputError("compare: give two scenarios or more")
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is none: one of {', '.join(ENGINES)}")
    called = _names(scenarios) if names is None else list(names)
    if len(set(called)) != len(scenarios):
        raise InputError("compare: give each scenario a name of its own")
    entries = []
    for number, (name, scenario) in enumerate(zip(called, scenarios, strict=True), start=1):
        try:
            entries.append(
                entry_of(name, scenario, value, engine, trials, seed, threads, max_states)
            )
        except ExactLimitError:
            raise
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        if progress:
            progress(number, len(scenarios))
    return Comparison(value, entries)


def _names(scenarios: Sequence[Scenario]) -> list[str]:
    """Names of their files, else their titles, else letters."""
    for names in ([Path(s.source).stem for s in scenarios], [s.title for s in scenarios]):
        if len(set(names)) == len(names):
            return names
    return [chr(ord("A") + i) if i < 26 else str(i + 1) for i in range(len(scenarios))]


def entry_of(
    name: str,
    scenario: Scenario,
    value: str,
    engine: str = "auto",
    trials: int = 1_000_000,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
) -> Entry:
    """Answer a scenario, block by block where it has to be sampled."""
    played = scenario
    if engine != "sample" or scenario.choices:
        try:
            first = "exact" if engine == "auto" and not scenario.choices else engine
            result = solve(
                scenario, first, trials, seed=seed, threads=threads, max_states=max_states
            )
            if result.is_exact:
                return Entry(name, result, measure(result, value), None)
            played = result.played
        except ExactLimitError:
            if engine == "exact":
                raise
    parts = joined(sample_in_blocks(played, trials, seed=seed, threads=threads))
    result = Result(scenario, [part.tally for part in parts], played=played)
    sums = [
        [parts[one.part].sums(one.top), parts[one.part].sums(one.bottom)]
        for one in factors(result, value)
    ]
    return Entry(name, result, measure(result, value), np.array(sums).transpose(2, 0, 1))


def entries_of(
    questions: Iterable[tuple[str, Scenario]],
    value: str,
    engine: str = "auto",
    trials: int = 1_000_000,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    *,
    left_out: list[str] | None = None,
) -> Iterator[Entry]:
    """Answer many scenarios as :func:`entry_of` does, those together that can be exact.

    Parameters
    ----------
    questions
        Name and scenario of each.
    value, engine, trials, seed, threads, max_states
        As for :func:`compare`.
    left_out
        Given a list, what cannot be enumerated at all is no fault: it is passed over, and its name
        added here.
    """
    options = (trials, seed, threads, max_states)
    if engine == "sample":
        for name, scenario in questions:
            yield entry_of(name, scenario, value, engine, *options)
        return
    waiting: deque[tuple[str, Scenario]] = deque()

    def asked() -> Iterator[Scenario]:
        for question in questions:
            waiting.append(question)
            yield question[1]

    exactly = solve_many(
        asked(), "exact", trials, seed=seed, threads=threads, max_states=max_states
    )
    for found in exactly:
        name, scenario = waiting.popleft()
        if isinstance(found, Result):
            yield Entry(name, found, measure(found, value), None)
        elif engine == "exact" and left_out is not None and isinstance(found, UncountableError):
            left_out.append(name)  # such as a place that is not known for sure
        elif engine == "exact" or not isinstance(found, ExactLimitError):
            raise found
        else:
            way = engine if scenario.choices else "sample"
            yield entry_of(name, scenario, value, way, *options)


def difference_of(one: Entry, other: Entry) -> Difference:
    """How much greater the value of one is than that of the other, by the trials of both."""
    a, b = one.estimate, other.estimate
    value = a.value - b.value
    if value != value:
        return Difference(one.name, other.name, nan, nan, nan, "exact")
    if a.is_exact and b.is_exact:
        return Difference(one.name, other.name, value, value, value, "exact")
    error = _paired_error(one, other)
    if error is not None:
        return Difference(one.name, other.name, value, value - error, value + error, "paired")
    # Newcombe's interval of a difference of two independent ones
    low = value - hypot(a.value - a.low, b.high - b.value)
    high = value + hypot(a.high - a.value, b.value - b.low)
    return Difference(one.name, other.name, value, low, high, "independent")


def _paired_error(one: Entry, other: Entry) -> float | None:
    """Half of the interval of a difference, from the blocks that both played with the same luck."""
    if one.sums is None or other.sums is None or len(one.sums) != len(other.sums):
        return None
    if len(one.sums) < FEWEST_BLOCKS:
        return None
    without = _without_each(one.sums) - _without_each(other.sums)
    if not np.isfinite(without).all():
        return None
    error = t95(len(without) - 1) * jackknife(without)
    if error > 0:
        return error
    if one.estimate.value != other.estimate.value or (one.sums[..., 1] != other.sums[..., 1]).any():
        return None
    # no block differs: bounded by how often trials may differ that were never seen to
    return wilson(0, int(one.sums[:, 0, 1].sum()))[1]


def _without_each(sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The value without each block in turn, shape (blocks,)."""
    rest = sums.sum(axis=0) - sums
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: np.ndarray[Any, Any] = np.prod(rest[..., 0] / rest[..., 1], axis=1)
    return ratios
