"""What articles take from elsewhere: results that a notebook kept, and finished studies."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.kernels.jit import rules_hash
from chargesim.report.article.cache import pack, tables_of, unpack
from chargesim.report.article.quantity import Quantity, exactly, from_dict, of_parts
from chargesim.report.compare import Comparison
from chargesim.report.grid import Grid
from chargesim.report.result import Result
from chargesim.report.values import Estimate
from chargesim.scenario import Scenario
from chargesim.study.plan import design_in
from chargesim.study.reading import Reader, read_study

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
"""Version of the files that :func:`keep` writes."""


@dataclass(frozen=True)
class Kept:
    """What a notebook kept.

    Parameters
    ----------
    file
        Where it stands.
    result
        A solved scenario, if it is one.
    number
        A number, if it is one.
    columns, rows
        A table, if it is one: headings, and cells that are numbers, texts or estimates.
    """

    file: Path
    result: Result | None = None
    number: Quantity | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()

    @property
    def scenario(self) -> Scenario:
        """The scenario of a result.

        Raises
        ------
        InputError
            When it is none.
        """
        if self.result is None:
            raise InputError(f"{self.file}: is no kept scenario: show it with kept(NAME)")
        return self.result.scenario


class Finished:
    """A study that was run to its end.

    Parameters
    ----------
    folder
        Where its results are.
    reader
        Reads them.
    """

    def __init__(self, folder: Path, reader: Reader) -> None:
        self.folder, self.reader = folder, reader
        self.design = design_in(reader.manifest)
        self._frames: dict[str, Any] = {}

    @cached_property
    def scenario(self) -> Scenario:
        """What it varies."""
        return Scenario(str(self.folder), self.folder, **self.reader.manifest["scenario"])

    def at(self, value: str, places: Sequence[dict[str, Any]]) -> list[Estimate]:
        """A value at some of its points.

        Parameters
        ----------
        value
            An outcome, or ``mean:`` and a quantity.
        places
            What each of its paths is at the point.

        Raises
        ------
        InputError
            When it keeps no such value, or has no such point.
        """
        if value not in self._frames:
            self._frames[value] = read_study(self.folder, [value], intervals=True)
        frame = self._frames[value]
        ends = [frame[column].to_numpy() for column in (value, f"{value} low", f"{value} high")]
        engines = frame["engine"].to_numpy()
        cells = []
        for place in places:
            number = self._number(place)
            found, low, high = (float(end[number]) for end in ends)
            cells.append(Estimate(found, low, high, str(engines[number])))
        return cells

    def _number(self, place: dict[str, Any]) -> int:
        row = []
        for axis in self.design.axes:
            if axis.path not in place and len(axis.values) > 1:
                raise InputError(
                    f"{self.folder}: at which {axis.path}? write it in brackets, such as "
                    f"[{axis.path}={axis.values[0]}]"
                )
            row.append(place.get(axis.path, axis.values[0]))
        for path in place:
            if path not in self.reader.paths:
                raise InputError(
                    f"{self.folder}: {path} is not varied by this study"
                    + nearest(path, self.reader.paths)
                )
        number = self.design.number_of(row)
        if number is None:
            told = ", ".join(f"{path} = {value}" for path, value in place.items())
            raise InputError(f"{self.folder}: the study has no point with {told}")
        return number


def read_finished(folder: Path) -> Finished:
    """A study that was run to its end, with the rules of today.

    Raises
    ------
    InputError
        When there is none, it is not finished, or was run with other rules.
    """
    reader = Reader(folder)
    if not reader.is_complete:
        raise InputError(f"{folder}: the study is not finished: run it to its end first")
    ruleset, rules = reader.manifest["ruleset"], reader.manifest["rules_hash"]
    now = rules_hash(ruleset)
    if rules != now:
        raise InputError(
            f"{folder}: was run with other rules ({ruleset} {rules[:12]}, now {now[:12]}): run the "
            "study again"
        )
    return Finished(folder, reader)


def keep(name: str, found: Any, folder: str | Path = "kept") -> Path:
    """Keep something that was found in a notebook, for an article to use by name.

    Parameters
    ----------
    name
        What it will be called: letters, digits and ``_``.
    found
        A :class:`~chargesim.Result`, :class:`~chargesim.Grid` or :class:`~chargesim.Comparison`, a
        frame of pandas, an estimate, or a number.
    folder
        Where it is written, as ``NAME.json``; made where it is missing.

    Returns
    -------
    pathlib.Path
        The file, to be named under ``[results]`` in the head of a plan.

    Raises
    ------
    InputError
        When it cannot be kept.
    """
    if not str(name).isidentifier():
        raise InputError(f"keep: {name!r} is no name: write letters, digits and _")
    file = Path(folder) / f"{name}.json"
    content = {"chargesim_kept": FORMAT, **_content(found, file.parent)}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{name}-{os.getpid()}")
        draft.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
        draft.replace(file)
    except OSError as error:
        raise InputError(f"keep: {file} cannot be written ({error.strerror})") from None
    return file


def _content(found: Any, folder: Path) -> dict[str, Any]:
    if isinstance(found, Result):
        scenario = found.scenario
        base = os.path.relpath(scenario.base, folder).replace(os.sep, "/")
        return {
            "kind": "result",
            "ruleset": scenario.ruleset.name,
            "rules_hash": rules_hash(scenario.ruleset.name),
            "scenario": {**tables_of(scenario), "title": scenario.title},
            "base": base,
            "answer": pack(found),
        }
    if isinstance(found, Grid):
        heads = [found.rows.path, *([found.value] if found.cols is None else [])]
        heads += [] if found.cols is None else [str(value) for value in found.cols.values]
        kind = "number" if found.is_mean else "chance"
        rows = [
            [_plain(value), *(_estimate(cell, kind) for cell in cells)]
            for value, cells in zip(found.rows.values, found.cells, strict=True)
        ]
        return {"kind": "table", "columns": heads, "rows": rows}
    if isinstance(found, Comparison):
        kind = "number" if found.is_mean else "chance"
        rows = [[entry.name, _estimate(entry.estimate, kind)] for entry in found.entries]
        return {"kind": "table", "columns": ["", found.value], "rows": rows}
    if isinstance(found, Estimate):
        return {"kind": "number", "number": _estimate(found, "number")}
    if hasattr(found, "reset_index") and hasattr(found, "columns"):
        return _frame(found)
    value = _plain(found)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"kind": "number", "number": exactly(value).to_dict()}
    raise InputError(
        f"keep: {type(found).__name__} cannot be kept: give a Result, Grid, Comparison, frame or "
        "number"
    )


def _frame(frame: pd.DataFrame) -> dict[str, Any]:
    # an index that only counts is no column
    bare = frame.index.name is None and frame.index.equals(frame.reset_index(drop=True).index)
    flat = frame if bare else frame.reset_index()
    return {
        "kind": "table",
        "columns": [str(head) for head in flat.columns],
        "rows": [[_plain(cell) for cell in row] for row in flat.itertuples(index=False)],
    }


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return None if value != value else value
    return str(value)


def _estimate(cell: Estimate, kind: Any) -> dict[str, Any]:
    parts = (cell.value, cell.low, cell.high, cell.is_exact)
    return of_parts(parts, kind).to_dict()


def read_kept(file: Path) -> Kept:
    """Read what :func:`keep` wrote.

    Raises
    ------
    InputError
        When it is no such file, or its result was found with other rules.
    """
    remedy = "keep it anew with cs.keep(NAME, ...)"
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["chargesim_kept"] != FORMAT:
            raise KeyError
        if content["kind"] == "number":
            return Kept(file, number=from_dict(content["number"]))
        if content["kind"] == "table":
            rows = [
                tuple(from_dict(cell) if isinstance(cell, dict) else cell for cell in row)
                for row in content["rows"]
            ]
            return Kept(file, columns=tuple(content["columns"]), rows=tuple(rows))
        ruleset, rules = content["ruleset"], content["rules_hash"]
        scenario = Scenario(str(file), file.parent / content["base"], **content["scenario"])
        now = rules_hash(ruleset)
        if rules != now:
            raise InputError(
                f"{file}: was found with other rules ({ruleset} {rules[:12]}, now {now[:12]}): "
                f"{remedy}"
            )
        return Kept(file, result=unpack(scenario, content["answer"]))
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{file}: is no file that cs.keep wrote, or damaged: {remedy}") from None
