"""Sheets: answers as rows of a table, written as Parquet and read again.

A sheet has one row a number of a result, so that any tool can filter and pivot it, and one row a
point that could not be answered. Whatever happens in a study, the columns are the same.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from chargesim.engine.stats import wilson_all
from chargesim.study.answers import Answer
from chargesim.study.axes import Axis, shown
from chargesim.study.cells import Cell
from chargesim.study.columns import WORD, array_of, is_there, numbers, texts, words

PLAIN = {pa.bool_(): bool, pa.float64(): float}
OWN = (
    ("engine", WORD), ("trials", pa.int64()), ("kind", WORD), ("subject", WORD),
    ("outcome", WORD), ("quantity", WORD), ("value", pa.int32()), ("count", pa.int64()),
    ("p", pa.float64()), ("low", pa.float64()), ("high", pa.float64()), ("error", WORD),
)  # fmt: skip
"""Columns after the point's number and its values, with their types."""
_LEVEL = 3
"""Of zstd."""


def column_type(values: Sequence[Any]) -> Any:
    """Type of an axis' column: numbers, truth values, or texts."""
    if all(isinstance(v, bool) for v in values):
        return pa.bool_()
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        return pa.float64()
    return WORD


def schema_of(axes: Sequence[Axis]) -> Any:
    """Schema of the sheets of a study: its axes' columns bear their paths."""
    own = [pa.field(name, kind) for name, kind in OWN]
    varied = [pa.field(axis.path, column_type(axis.values)) for axis in axes]
    return pa.schema([pa.field("point", pa.int64()), *varied, *own])


def sheet_of(answers: Iterable[Answer], schema: Any) -> tuple[Any, dict[str, int]]:
    """Answers as a table.

    Parameters
    ----------
    answers
        In the order of their numbers.
    schema
        From :func:`schema_of`.

    Returns
    -------
    tuple
        A ``pyarrow.Table``; how many points it has, how many of them failed, were exact, and the
        trials of all that were sampled.
    """
    seen: dict[Cell | None, int] = {}
    points: list[int] = []
    rows: list[tuple[Any, ...]] = []
    lengths: list[int] = []
    trials: list[int] = []
    errors: list[str] = []
    places: list[int] = []
    weights: list[float] = []
    counts: list[int] = []
    said = {"points": 0, "failed": 0, "exact": 0, "trials": 0}
    for answer in answers:
        said["points"] += 1
        said["failed"] += bool(answer.error)
        said["exact"] += not answer.error and answer.trials is None
        said["trials"] += answer.trials or 0
        cells: dict[Any, float] = answer.cells if not answer.error else {None: 0}
        points.append(answer.number)
        rows.append(answer.row)
        lengths.append(len(cells))
        trials.append(-1 if answer.error else answer.trials or 0)
        errors.append(answer.error)
        places += [seen.setdefault(cell, len(seen)) for cell in cells]
        # counts are kept as whole numbers: they may be larger than floats are exact
        if answer.trials is None:
            weights += cells.values()
            counts += [0] * len(cells)
        else:
            weights += [0.0] * len(cells)
            counts += [int(count) for count in cells.values()]
    known = [cell or Cell("", "", "") for cell in seen]
    of, many = np.array(places, np.int64), np.array(lengths)
    columns = [numbers(np.repeat(np.array(points, np.int64), many))]
    for place, axis in enumerate(schema.names[1 : -len(OWN)]):
        kind = schema.field(axis).type
        own = [row[place] for row in rows]
        # of numbers as they are told, truth values and floats
        column = words(map(shown, own)) if kind == WORD else numbers(np.array(own, PLAIN[kind]))
        columns.append(column.take(numbers(np.repeat(np.arange(len(rows)), many))))
    columns += _own_columns(known, of, many, trials, errors, counts, weights)
    return pa.Table.from_arrays(columns, schema=schema), said


def _own_columns(
    known: list[Cell],
    of: np.ndarray[Any, Any],
    many: np.ndarray[Any, Any],
    trials: list[int],
    errors: list[str],
    counts: list[int],
    weights: list[float],
) -> list[Any]:
    """The columns of :data:`OWN`."""
    played = np.repeat(np.array(trials, np.int64), many)
    failed, sampled = played < 0, played > 0
    count, exact = np.array(counts, np.int64), np.array(weights, float)
    whole = np.where(sampled, played, 1)
    p = np.where(sampled, count / whole, exact)
    low, high = wilson_all(count, whole)
    take = numbers(of)
    engines = words("" if t < 0 else "sample" if t else "exact" for t in trials)
    each = numbers(np.repeat(np.arange(len(many)), many))
    values = numbers(
        np.array([cell.value for cell in known], np.int32),
        np.array([cell.quantity != "" for cell in known]),
    )
    return [
        engines.take(each),
        numbers(played, sampled),
        *(
            words(getattr(cell, name) for cell in known).take(take)
            for name in ("kind", "subject", "outcome", "quantity")
        ),
        values.take(take),
        numbers(count, sampled),
        numbers(p, ~failed),
        numbers(np.where(sampled, low, p), ~failed),
        numbers(np.where(sampled, high, p), ~failed),
        words(errors).take(each),
    ]


def encode(table: Any, said: Mapping[str, Any]) -> bytes:
    """A sheet as a Parquet file; the same rows give the same bytes.

    Parameters
    ----------
    table
        From :func:`sheet_of`.
    said
        What stands in the file beside its rows, to be read without them.
    """
    told = {"chargesim": json.dumps(said, sort_keys=True)}
    out = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata(told), out, compression="zstd", compression_level=_LEVEL
    )
    return out.getvalue()


def said_in(file: Path) -> dict[str, Any]:
    """What stands in a sheet's file beside its rows.

    Raises
    ------
    OSError, ValueError
        When it cannot be read.
    """
    metadata = pq.read_metadata(file).metadata or {}
    found: dict[str, Any] = json.loads(metadata[b"chargesim"])
    return found


def read_sheet(file: Path) -> Any:
    """A sheet's table, with the columns of its study alone."""
    return pq.ParquetFile(file).read()


def answers_in(table: Any, axes: Sequence[Axis]) -> dict[int, Answer]:
    """Answers by number, as they were written: what :func:`sheet_of` takes."""
    paths = [axis.path for axis in axes]
    names = (
        "kind", "subject", "outcome", "quantity", "value", "count", "p", "trials", "error",
    )  # fmt: skip
    columns = [table.column(name).to_pylist() for name in ("point", *names)]
    varied = [table.column(path).to_pylist() for path in paths]
    found: dict[int, Answer] = {}
    for i, (number, kind, subject, outcome, quantity, value, count, p, trials, error) in enumerate(
        zip(*columns, strict=True)
    ):
        answer = found.get(number)
        if answer is None:
            row = tuple(column[i] for column in varied)
            answer = found[number] = Answer(number, row, trials, error=error or "")
        if not error:
            cell = Cell(kind, subject, outcome, quantity or "", value or 0)
            answer.cells[cell] = p if trials is None else count
    return found


def cells_in(file: Path) -> list[Cell]:
    """What the numbers of a sheet are of."""
    seen, _ = _cells(pq.ParquetFile(file).read(_CELL))
    return [cell for cell in seen if cell.kind]


class Sheet:
    """A sheet turned round: one row a point, one column a number.

    Parameters
    ----------
    table
        From :func:`read_sheet`.
    paths
        Of the axes.
    cells
        What there may be numbers of.

    Attributes
    ----------
    p, counts
        Chances and counts, shape (points, cells); 0 where there are none.
    trials
        int64, shape (points,); 0 where exact, -1 where the point failed.
    """

    def __init__(self, table: Any, paths: Sequence[str], cells: Sequence[Cell]) -> None:
        self.cells = cells
        points = array_of(table.column("point"))
        starts = np.flatnonzero(np.diff(points, prepend=-1))
        first = numbers(starts)
        self.head = {
            name: table.column(name).take(first) for name in ("point", *paths, "engine", "trials")
        }
        self.error = table.column("error").take(first)
        point = np.repeat(np.arange(len(starts)), np.diff([*starts, len(points)]))
        place = _places(table, cells)
        real = place >= 0
        shape = (len(starts), len(cells))
        self.p, self.counts = np.zeros(shape), np.zeros(shape, np.int64)
        at = (point[real], place[real])
        self.p[at] = array_of(table.column("p"))[real]
        self.counts[at] = array_of(table.column("count"))[real]
        self._held = np.zeros(shape, bool)
        self._held[at] = True
        failed = is_there(self.error)
        played = array_of(self.head["trials"])
        self.trials = np.where(failed, -1, played)

    def has(self, view: tuple[str, str]) -> np.ndarray[Any, Any]:
        """Points that have a charge, combat or unit, boolean, shape (points,)."""
        own = [place for place, cell in enumerate(self.cells) if cell[:2] == view]
        return np.asarray(self._held[:, own].any(axis=1))

    def chosen(self, unit: str) -> list[str | None]:
        """What a unit chose at each point."""
        own = [
            (place, cell.outcome)
            for place, cell in enumerate(self.cells)
            if cell.kind == "choice" and cell.subject == unit
        ]
        return [next((word for place, word in own if row[place] > 0), None) for row in self.p]


_CELL = ["kind", "subject", "outcome", "quantity", "value"]
"""Columns that say what a number is of."""


def _places(table: Any, cells: Sequence[Cell]) -> np.ndarray[Any, Any]:
    """Place among the cells of each row's, -1 where it has none."""
    seen, of = _cells(table)
    places = {cell: place for place, cell in enumerate(cells)}
    found: np.ndarray[Any, Any] = np.array([places.get(cell, -1) for cell in seen], np.int64)[of]
    return found


def _cells(table: Any) -> tuple[list[Cell], np.ndarray[Any, Any]]:
    """Cells of a sheet, in the order of their first rows, and of each row which it has."""
    whole = np.zeros(len(table), np.int64)
    keys: list[list[Any]] = []
    for name in _CELL:
        column = table.column(name).combine_chunks()
        if not isinstance(column, pa.DictionaryArray):
            column = column.dictionary_encode()
        own = [*column.dictionary.to_pylist(), None]
        codes = array_of(column.indices, len(own) - 1)
        whole = whole * len(own) + codes
        keys.append(own)
    seen, first, back = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    found = []
    for code in seen[order].tolist():
        parts = []
        for own in reversed(keys):
            code, place = divmod(code, len(own))
            parts.append(own[place])
        value, quantity, outcome, subject, kind = parts
        found.append(Cell(kind or "", subject or "", outcome or "", quantity or "", value or 0))
    return found, np.argsort(order)[back]


def table_of(sheet: Sheet, columns: Mapping[str, Any]) -> Any:
    """Points and their values as a table."""
    values = {
        name: texts(own) if isinstance(own, list) else numbers(own) for name, own in columns.items()
    }
    return pa.table({**sheet.head, **values, "error": sheet.error})


def concatenated(tables: Iterable[Any], manifest: Mapping[str, Any]) -> Any:
    """Tables one after the other as one; without any, one without rows."""
    found = list(tables)
    if not found:
        axes = [Axis(axis["path"], tuple(axis["values"])) for axis in manifest["axes"]]
        return schema_of(axes).empty_table()
    return pa.concat_tables(found).unify_dictionaries()


def write_all(tables: Iterable[Any], file: Path) -> int:
    """Write tables one after the other to one file, by its ending .csv or .parquet.

    Returns
    -------
    int
        How many rows there are.
    """
    writer: Any = None
    rows = 0
    try:
        for table in tables:
            plain = _without_dictionaries(table)
            if writer is None and file.suffix == ".csv":
                writer = csv.CSVWriter(file, plain.schema)
            elif writer is None:
                writer = pq.ParquetWriter(file, plain.schema, compression="zstd")
            writer.write_table(plain)
            rows += len(plain)
    finally:
        if writer is not None:
            writer.close()
    return rows


def _without_dictionaries(table: Any) -> Any:
    plain = [
        pa.field(one.name, pa.string() if one.type == WORD else one.type) for one in table.schema
    ]
    return table.cast(pa.schema(plain))
