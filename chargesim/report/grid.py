"""Tables of one value over one or two axes of a scenario: one answer a cell, all with one luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

import chargesim
from chargesim.engine.outcomes import quantity
from chargesim.errors import InputError
from chargesim.report.batch import solve_many
from chargesim.report.caveats import caveat_of
from chargesim.report.compare import difference_of, entries_of
from chargesim.report.result import Result, solve
from chargesim.report.result_json import SCHEMA, about
from chargesim.report.shown import Shown
from chargesim.report.values import Estimate, is_mean, measure
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis, make_axis, varied, where

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from pandas.io.formats.style import Styler

    from chargesim.report.render import Document

MOST_CELLS = 10_000
"""More cells have to be asked for with ``yes``."""
SPREADS = {"exactly:": "=", "at_least:": ">="}
"""Beginnings of a value that is a whole distribution, one column a value of the quantity."""
Progress = Callable[[int, int], None]


class Grid(Shown):
    """A value over one or two axes.

    Parameters
    ----------
    scenario
        The question whose paths are varied.
    rows, cols
        Axes; ``cols`` is ``None`` for a single column.
    value
        The expression of every cell.
    cells
        Estimates, rows by columns.
    trials, seed
        Of the cells that were sampled.
    against
        A path and the one value of it that the cells are differences to; chances then in points.
    """

    def __init__(
        self,
        scenario: Scenario,
        rows: Axis,
        cols: Axis | None,
        value: str,
        cells: list[list[Estimate]],
        trials: int | None,
        seed: int | None,
        against: Axis | None = None,
    ) -> None:
        self.against = against
        self.scenario, self.rows, self.cols, self.value = scenario, rows, cols, value
        self.cells, self.trials, self.seed = cells, trials, seed

    @property
    def engines(self) -> set[str]:
        """Engines that made its cells."""
        return {cell.engine for row in self.cells for cell in row}

    @property
    def is_exact(self) -> bool:
        """True when no cell is an estimate."""
        return self.engines == {"exact"}

    @property
    def is_mean(self) -> bool:
        """True when its values are means or differences, false when they are chances."""
        return self.against is not None or is_mean(self.value)

    def array(self, what: str = "value") -> np.ndarray[Any, Any]:
        """``value``, ``low`` or ``high`` of the cells, shape (rows, columns)."""
        return np.array([[getattr(cell, what) for cell in row] for row in self.cells])

    def frame(self, what: str = "value") -> pd.DataFrame:
        """``value``, ``low``, ``high`` or ``engine`` of the cells as a frame."""
        import pandas as pd

        index = pd.Index([_key(v) for v in self.rows.values], name=self.rows.path)
        columns = (
            pd.Index([self.value])
            if self.cols is None
            else pd.Index([_key(v) for v in self.cols.values], name=self.cols.path)
        )
        found = [[getattr(cell, what) for cell in row] for row in self.cells]
        return pd.DataFrame(found, index=index, columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON; what is undefined is ``None``."""
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            **about(self.scenario),
            "trials": self.trials,
            "seed": self.seed,
            "value": self.value,
            "rows": {"path": self.rows.path, "values": list(self.rows.values)},
            "cols": self.cols and {"path": self.cols.path, "values": list(self.cols.values)},
            "against": self.against and {self.against.path: self.against.values[0]},
            "cells": [[plain(cell) for cell in row] for row in self.cells],
            **caveat_of(self.scenario),
        }

    def plot(self, **options: Any) -> Axes:
        """Draw it: a heat map of two axes, a curve or bars of one.

        Parameters
        ----------
        **options
            ``ax``, ``lang``, ``levels``, as in :mod:`chargesim.report.figures_tables`.
        """
        from chargesim.report.figures_tables import draw

        return draw(self, **options)

    def style(self, lang: str = "en") -> Styler:
        """The frame with a background by value and texts with the decimals of their error."""
        from chargesim.report.grid_tables import styled

        return styled(self, lang)

    def _document(self) -> Document:
        from chargesim.report.grid_tables import grid_document

        return grid_document(self, "en")

    def __repr__(self) -> str:
        paths = [axis.path for axis in (self.rows, self.cols) if axis is not None]
        return f"Grid({self.value!r} over {', '.join(paths)})"


def plain(cell: Estimate) -> dict[str, Any]:
    """An estimate for JSON."""
    found = {"p": cell.value, "low": cell.low, "high": cell.high}
    return {**{k: None if v != v else v for k, v in found.items()}, "engine": cell.engine}


def _key(value: Any) -> Any:
    return value if isinstance(value, (int, float, str, bool)) else str(value)


def grid(
    scenario: Scenario,
    rows: Mapping[str, Iterable[Any]] | Axis,
    cols: Mapping[str, Iterable[Any]] | Axis | None = None,
    value: str = "contact",
    *,
    against: Mapping[str, Iterable[Any]] | Axis | None = None,
    yes: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Grid:
    """Answer a scenario at every value of one or two of its paths.

    Parameters
    ----------
    scenario
        The question.
    rows, cols
        One path each and its values: a list, or in words such as ``"10:40:2"`` or ``"hold,flee"``.
    value
        An outcome, ``mean:`` and a quantity, or ``exactly:`` or ``at_least:`` and a quantity: then
        the columns are the values of the quantity.
    against
        A path and one value: each cell is how much greater the value is than with that, in points
        where it is a chance; both with the same luck. 0 is where the two break even.
    yes
        True allows more than ``MOST_CELLS`` cells.
    progress
        Called with (cells done, cells).
    **options
        ``engine``, ``trials``, ``precision``, ``seed``, ``threads``, ``max_states`` as for
        :func:`chargesim.solve`; every cell has the same seed, so sampled cells share their luck.

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        For a path that leads to nothing, values that cannot stand, an unknown outcome, or too many
        cells.
    """
    one, other = _axis(scenario, rows, "rows"), None
    if cols is not None:
        other = _axis(scenario, cols, "cols")
        if other.path == one.path:
            raise InputError(f"cols: {other.path} is the path of the rows too: write another")
    begin = next((begin for begin in SPREADS if value.strip().startswith(begin)), None)
    if begin is not None and other is not None:
        raise InputError(f"value: {value!r} has columns of its own: leave cols out")
    rival = None if against is None else _rival(scenario, against)
    if rival is not None and begin is not None:
        raise InputError(f"value: {value!r} is a whole distribution: compare one of its values")
    _check_cells(scenario, one, other, yes, options)
    if rival is not None:
        return _differences(scenario, one, other, value, rival, progress, options)
    results = _results(scenario, one, other, progress, options)
    if begin is not None:
        name = value.strip().removeprefix(begin)
        return _spread_grid(scenario, one, name, SPREADS[begin], list(results))
    cells: list[list[Estimate]] = [[] for _ in one.values]
    trials, seed = None, None
    for row, result, place in results:
        try:
            cells[row].append(measure(result, value))
        except InputError as error:
            raise InputError(f"{error} (at {place})" if row else str(error)) from None
        if not result.is_exact:
            trials, seed = max(trials or 0, int(result.trials or 0)), result.seed
    return Grid(scenario, one, other, value, cells, trials, seed)


def table(
    scenario: Scenario,
    rows: Mapping[str, Iterable[Any]],
    cols: Mapping[str, Iterable[Any]] | None = None,
    value: str = "contact",
    **options: Any,
) -> pd.DataFrame:
    """Value of a scenario over one or two of its paths, as a frame; NaN where it is undefined.

    Parameters as for :func:`grid`, which gives intervals, texts and figures too.
    """
    return grid(scenario, rows, cols, value, **options).frame()


def _axis(scenario: Scenario, given: Mapping[str, Iterable[Any]] | Axis, name: str) -> Axis:
    if isinstance(given, Axis):
        return given
    if len(given) != 1:
        raise InputError(f"{name}: {len(given)} paths are given: write one, with its values")
    ((path, values),) = given.items()
    return make_axis(scenario, path, values)


def _check_cells(
    scenario: Scenario, rows: Axis, cols: Axis | None, yes: bool, options: dict[str, Any]
) -> None:
    """Refuse a long task that was not confirmed, and say how long it would take."""
    count = _count(rows, cols)
    if yes or count <= MOST_CELLS:
        return
    begun = perf_counter()
    for _ in range(2):  # the first compiles
        begun = perf_counter()
        solve(varied(scenario, *_place(rows, cols, 0, 0)), **options)
    seconds = count * (perf_counter() - begun)
    raise InputError(
        f"table: {count:,} cells would take about {duration(seconds)}: ask for fewer, or say --yes "
        "(yes=True) to go on"
    )


def duration(seconds: float) -> str:
    """A time for people."""
    for name, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.0f} {name}"
    return "a second" if seconds < 1.5 else f"{seconds:.0f} seconds"


def _place(rows: Axis, cols: Axis | None, row: int, col: int) -> list[tuple[Axis, int]]:
    return [(rows, row)] if cols is None else [(rows, row), (cols, col)]


def _results(
    scenario: Scenario,
    rows: Axis,
    cols: Axis | None,
    progress: Progress | None,
    options: dict[str, Any],
) -> Iterator[tuple[int, Result, str]]:
    """Answers row by row, each with its row and the name of its place."""
    answers = solve_many(_questions(scenario, rows, cols), **options)
    for steps, found in zip(_places(rows, cols), answers, strict=True):
        if not isinstance(found, Result):
            raise found
        yield steps[0][1], found, where(*steps)
        if progress:
            progress(_number(steps) + 1, _count(rows, cols))


def _count(rows: Axis, cols: Axis | None) -> int:
    return len(rows.values) * (len(cols.values) if cols else 1)


def _number(steps: list[tuple[Axis, int]]) -> int:
    """Number of a cell, row by row."""
    number = 0
    for axis, place in steps:
        number = number * len(axis.values) + place
    return number


def _places(rows: Axis, cols: Axis | None) -> Iterator[list[tuple[Axis, int]]]:
    """Places of the cells, row by row."""
    width = len(cols.values) if cols else 1
    return (_place(rows, cols, *divmod(number, width)) for number in range(_count(rows, cols)))


def _questions(scenario: Scenario, rows: Axis, cols: Axis | None) -> Iterable[Scenario]:
    """Scenarios row by row."""
    questions = (varied(scenario, *steps) for steps in _places(rows, cols))
    # what cannot stand is told before any work is done
    return list(questions) if _count(rows, cols) <= MOST_CELLS else questions


def _rival(scenario: Scenario, given: Mapping[str, Iterable[Any]] | Axis) -> Axis:
    axis = _axis(scenario, given, "against")
    if len(axis.values) != 1:
        raise InputError(f"against: {axis.path}: {len(axis.values)} values are given: write one")
    return axis


def _differences(
    scenario: Scenario,
    rows: Axis,
    cols: Axis | None,
    value: str,
    rival: Axis,
    progress: Progress | None,
    options: dict[str, Any],
) -> Grid:
    """How much greater a value is than with another value of one more path."""
    scale = 1.0 if is_mean(value) else 100.0
    cells: list[list[Estimate]] = [[] for _ in rows.values]
    trials, seed = None, None
    pairs = (
        ("", one)
        for question in _questions(scenario, rows, cols)
        for one in (question, varied(question, (rival, 0)))
    )
    answers = entries_of(pairs, value, **options)
    for steps, one, other in zip(_places(rows, cols), answers, answers, strict=True):
        entries = one, other
        found = difference_of(one, other)
        engine = "exact" if found.how == "exact" else "sample"
        ends = (scale * found.value, scale * found.low, scale * found.high)
        cells[steps[0][1]].append(Estimate(*ends, engine))
        for result in (entry.result for entry in entries if not entry.result.is_exact):
            trials, seed = result.trials, result.seed
        if progress:
            progress(_number(steps) + 1, _count(rows, cols))
    return Grid(scenario, rows, cols, value, cells, trials, seed, rival)


def _spread_grid(
    scenario: Scenario, rows: Axis, name: str, sign: str, results: list[tuple[int, Result, str]]
) -> Grid:
    """Distribution of a quantity, a row a value of the axis."""
    found: set[int] = set()
    for _, result, _ in results:
        found |= set(result.spread(*quantity(result.views, name)))
    values = tuple(range(min(found, default=0), max(found, default=0) + 1))
    cells = [[measure(result, f"{name}{sign}{v}") for v in values] for _, result, _ in results]
    sampled = [result for _, result, _ in results if not result.is_exact]
    trials = max((int(r.trials or 0) for r in sampled), default=None)
    seed = sampled[0].seed if sampled else None
    return Grid(scenario, rows, Axis(f"{name}{sign}", values), f"{name}{sign}", cells, trials, seed)
