"""Reading a store: values of outcomes over the points of a study, one row a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.engine.outcomes import masks, quantity
from chargesim.engine.stats import Z95, wilson_all
from chargesim.errors import InputError
from chargesim.rulesets import Quantity, View
from chargesim.study.cells import Cell
from chargesim.study.sheets import Sheet, cells_in, concatenated, read_sheet, table_of
from chargesim.study.store import Shelf, Store, is_sound, shelf_at

if TYPE_CHECKING:
    import pandas as pd

MEAN = "mean:"
Estimate = tuple[float, float, float]
"""A value and the ends of its interval."""


@dataclass(frozen=True)
class _Value:
    """An expression and the cells that it is made of.

    Parameters
    ----------
    name
        As it was asked for.
    view
        Kind and subject of all its cells.
    cells
        Their places.
    values
        Of a mean: what each counts.
    """

    name: str
    view: tuple[str, str]
    cells: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any] | None = None


class Reader:
    """A study that was run, to be read sheet by sheet.

    Parameters
    ----------
    folder
        Of a store, for its current study; or of one study in it.

    Raises
    ------
    InputError
        When there is none, or a file of it is damaged.
    """

    def __init__(self, folder: str | Path) -> None:
        shelf: Shelf = shelf_at(folder) or Store.existing(folder).current
        self.manifest = shelf.manifest()
        self.paths = [str(axis["path"]) for axis in self.manifest["axes"]]
        self.files = list(shelf.files().values())
        damaged = [file.name for file in self.files if not is_sound(file)]
        if damaged:
            raise InputError(
                f"{shelf.folder}: damaged: {', '.join(damaged)}: run the study on this folder "
                "again, which does anew what is damaged"
            )
        self._cells: list[Cell] | None = None

    @property
    def is_complete(self) -> bool:
        """True when every point of the study is there."""
        return len(self.files) == int(self.manifest["jobs"])

    @property
    def cells(self) -> list[Cell]:
        """What its numbers are of, over all points."""
        if self._cells is None:
            found: dict[Cell, None] = {}
            for file in self.files:
                found |= dict.fromkeys(cells_in(file))
            self._cells = list(found)
        return self._cells

    def rows(
        self, values: Sequence[str] | None = None, *, intervals: bool = False
    ) -> Iterator[Any]:
        """Tables of the points of one file after another, one row a point.

        Parameters
        ----------
        values
            Expressions, each a column; ``None``: every word of the charges and combats.
        intervals
            True adds the ends of their intervals.

        Yields
        ------
        pyarrow.Table
            Columns ``point``, one an axis, ``engine``, ``trials``, the values, ``error``.

        Raises
        ------
        InputError
            When an expression cannot be read.
        """
        asked = self._words() if values is None else [self._value(one) for one in values]
        choices = sorted({c.subject for c in self.cells if c.kind == "choice"})
        for file in self.files:
            sheet = Sheet(read_sheet(file), self.paths, self.cells)
            columns: dict[str, Any] = {}
            for value in asked:
                ends = _measured(sheet, value)
                names = [value.name, f"{value.name} low", f"{value.name} high"]
                columns |= dict(zip(names, ends if intervals else ends[:1], strict=False))
            for unit in choices if values is None else ():
                columns[f"{unit}:choice"] = sheet.chosen(unit)
            yield table_of(sheet, columns)

    def ranges(self) -> dict[str, tuple[Estimate, Estimate]]:
        """Least and greatest chance of each word of the charges and combats that came about."""
        found: dict[str, tuple[Estimate, Estimate]] = {}
        asked = self._words()
        for file in self.files:
            sheet = Sheet(read_sheet(file), self.paths, self.cells)
            for value in asked:
                ends = np.array(_measured(sheet, value))
                ends = ends[:, ~np.isnan(ends[0])]
                if ends.size:
                    some = [
                        tuple(ends[:, i].tolist()) for i in (ends[0].argmin(), ends[0].argmax())
                    ]
                    some += found.get(value.name, ())
                    found[value.name] = (min(some), max(some))
        return {name: ends for name, ends in found.items() if ends[1][0] > 0}

    def sheets(self) -> Iterator[Any]:
        """The tables as they are kept, one row a number, one file after another."""
        return map(read_sheet, self.files)

    def _words(self) -> list[_Value]:
        return [
            _Value(f"{cell.subject}:{cell.outcome}", cell[:2], np.array([place]))
            for place, cell in enumerate(self.cells)
            if cell.kind in ("charge", "combat") and not cell.quantity
        ]

    def _value(self, expression: str) -> _Value:
        text = expression.strip()
        try:
            if text.startswith(MEAN):
                _, found = quantity(self._views(), text.removeprefix(MEAN))
                assert found.arises is not None
                places = np.flatnonzero(found.arises)
                view = self.cells[places[0]][:2]
                return _Value(expression, view, places, found.values[places])
            if "&" in text or "|" in text:
                raise InputError(
                    f"value: {expression!r} joins outcomes; a study keeps each by itself: ask the "
                    "scenario, by `chargesim table` or `run`"
                )
            places = np.flatnonzero(masks(self._views(), text)[0][0])
        except InputError as error:
            more = ""
            if self.manifest["keep"] == "outcome":
                more = ' (the study keeps the words of charges and combats alone: keep = "all")'
            raise InputError(f"{error}{more}") from None
        kinds = {(*self.cells[i][:2], self.cells[i].quantity) for i in places}
        if len(kinds) > 1:
            raise InputError(
                f"value: {expression!r} adds what does not exclude each other: take words of one "
                "charge, or of one combat"
            )
        view = self.cells[places[0]][:2] if len(places) else ("", "")
        return _Value(expression, view, places)

    def _views(self) -> dict[str, tuple[int, list[View]]]:
        """The cells as if each were an end state, so that the language of outcomes picks them."""
        groups: dict[tuple[str, str], list[int]] = {}
        for place, cell in enumerate(self.cells):
            if cell.kind != "choice":
                groups.setdefault((cell.kind, cell.subject), []).append(place)
        order = {"charge": 0, "redirect": 1, "combat": 2, "unit": 3}
        known: dict[str, tuple[int, list[View]]] = {}
        targets = {str(one["number"]): one["target"] for one in self.manifest["charges"]}
        for kind, subject in sorted(groups, key=lambda key: (order[key[0]], *_natural(key[1]))):
            labels = {"target": targets.get(subject)} if kind == "charge" else {}
            view = self._view(groups[kind, subject], labels)
            known.setdefault(subject, (0, []))[1].append(view)
        for kind, subject in groups:
            if kind == "combat" and ("unit", subject) not in groups:
                # the language expects a combat's unit behind it; here it was not kept
                known[subject][1].append(View({}, np.full(len(self.cells), -1), {}))
        return known

    def _view(self, places: list[int], labels: dict[str, Any]) -> View:
        codes = np.full(len(self.cells), -1)
        words: dict[int, str] = {}
        quantities: dict[str, Quantity] = {}
        flags: dict[str, np.ndarray[Any, Any]] = {}
        for place in places:
            cell = self.cells[place]
            if not cell.quantity:
                codes[place], words[place] = place, cell.outcome
            elif cell.outcome == cell.quantity:
                flags[cell.quantity] = np.arange(len(self.cells)) == place
            else:
                found = quantities.setdefault(
                    cell.quantity,
                    Quantity(np.zeros(len(self.cells), np.int64), np.zeros(len(self.cells), bool)),
                )
                assert found.arises is not None
                found.values[place], found.arises[place] = cell.value, True
        return View(labels, codes, words, quantities, flags)


def _natural(subject: str) -> tuple[int, str]:
    """Charges by their number, units by their name."""
    number = subject.split(".")[0]
    return (int(number), subject) if number.isdigit() else (0, subject)


def _measured(sheet: Sheet, value: _Value) -> tuple[np.ndarray[Any, Any], ...]:
    """Value, low and high at each point; not a number where it is undefined."""
    there = sheet.has(value.view)
    weights = sheet.p[:, value.cells]
    if value.values is None:
        p = weights.sum(axis=1)
        sampled = sheet.trials > 0
        counts = sheet.counts[:, value.cells].sum(axis=1)
        whole = np.where(sampled, sheet.trials, 1)
        p = np.where(sampled, counts / whole, p)
        ends = [np.where(sampled, end, p) for end in wilson_all(counts, whole)]
        return tuple(np.where(there, one, nan) for one in (p, *ends))
    mass = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (weights @ value.values) / mass
        square = (weights @ value.values.astype(float) ** 2) / mass
        error = Z95 * np.sqrt(np.maximum(square - mean**2, 0) / (mass * sheet.trials))
    error = np.where(sheet.trials > 0, error, 0)
    return tuple(np.where(there, one, nan) for one in (mean, mean - error, mean + error))


def read_study(
    folder: str | Path,
    values: Sequence[str] | str | None = None,
    *,
    intervals: bool = False,
    tidy: bool = False,
) -> pd.DataFrame:
    """Results of a study, also of one that is still running.

    Parameters
    ----------
    folder
        That it was run in; or a folder of one study in that, such as ``results/_study-…``.
    values
        Outcomes, each a column: a word (``"contact"``, ``"1:contact"``), a sum, a pattern
        (``"spears:target_broke*"``); of a study that keeps all also ``"shooting_casualties>=2"``
        and ``"mean:impact_wounds"``. ``None``: every word of the charges and combats, named by
        charge or target (``"0:contact"``).
    intervals
        True adds columns ``"contact low"`` and ``"contact high"``, the ends of 95 % intervals.
    tidy
        True gives everything that is kept, one row a number of a point: the columns of the Parquet
        files. ``values`` and ``intervals`` do not matter then.

    Returns
    -------
    pandas.DataFrame
        One row a point, in their order: ``point`` (from 0), a column an axis, named by its path,
        ``engine`` (missing where the point failed), ``trials`` (missing where it is exact), the
        values (NaN where they are undefined), and ``error`` (why the point failed). ``attrs`` holds
        ``title``, ``hash``, ``scenario_hash``, ``rules_hash``, ``ruleset``, ``ruleset_version``,
        ``seed``, ``caveat`` and ``is_complete``.

    Raises
    ------
    InputError
        When the folder holds no study, a file of it is damaged, or a value cannot be read.
    """
    reader = Reader(folder)
    wanted = [values] if isinstance(values, str) else values
    tables = reader.sheets() if tidy else reader.rows(wanted, intervals=intervals)
    frame: pd.DataFrame = concatenated(tables, reader.manifest).to_pandas()
    frame.attrs.update(about(reader.manifest), is_complete=reader.is_complete)
    return frame


def about(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a study from others."""
    names = ("title", "hash", "scenario_hash", "rules_hash", "ruleset", "ruleset_version", "seed")
    return {**{name: manifest[name] for name in names}, "caveat": manifest["caveat"]["en"]}
