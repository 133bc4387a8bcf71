"""What runs along the rows and columns of tables, and the bars and curves of figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chargesim.errors import InputError
from chargesim.report.article.answers import Answers, Changes
from chargesim.report.article.expressions import Joined, Number, Query, read_reference, read_value
from chargesim.report.article.quantity import Quantity
from chargesim.report.grid_tables import (
    KEYS,
    LENGTHS,
    axis_label,
    level,
    value_label,
)
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis, read_axis
from chargesim.words import translation


@dataclass(frozen=True)
class Entry:
    """One row, column, bar or curve: what it is called, asked of what, with which changes."""

    label: str
    source: str | None = None
    changes: Changes = ()


@dataclass(frozen=True)
class Dim:
    """Entries, or the levels of one path.

    Parameters
    ----------
    entries
        What is asked one after the other; a single one without a label for a path.
    axis
        Path and levels as they were written, or ``None``.
    head
        What stands above it.
    labels
        What stands at each place.
    raw
        What each place is sorted by.
    """

    entries: tuple[Entry, ...]
    axis: tuple[str, str] | None
    head: str
    labels: tuple[str, ...]
    raw: tuple[Any, ...]

    @property
    def is_numeric(self) -> bool:
        """True for levels that are numbers."""
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.raw)


ALONE = Dim((Entry(""),), None, "", ("",), ("",))
"""The dimension of what runs along nothing."""


def read_dim(answers: Answers, given: Any, lang: str, source: str | None = None) -> Dim:
    """A dimension from ``"PATH=SPEC"``, a list of references, or labels and references.

    Parameters
    ----------
    answers
        Knows the names of the plan.
    given
        As a template writes it.
    lang
        Language of the labels.
    source
        Scenario whose paths are meant; the plan's first if ``None``.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    if isinstance(given, str):
        name = source or _first_scenario(answers)
        base = answers.scenario(name)
        axis = read_axis(base, given)
        path, _, spec = given.partition("=")
        return Dim(
            (Entry(""),),
            (path.strip(), spec.strip()),
            axis_label(answers.named(base, lang), _path_named(answers, axis, lang), lang),
            tuple(_level(axis, value, base, answers, lang) for value in axis.values),
            tuple(v if isinstance(v, (int, float)) else str(v) for v in axis.values),
        )
    entries = read_entries(answers, given, lang)
    labels = tuple(entry.label for entry in entries)
    return Dim(entries, None, "", labels, labels)


def read_entries(answers: Answers, given: Any, lang: str) -> tuple[Entry, ...]:
    """References with their labels, from a list or a table of them.

    A reference is ``NAME``, ``NAME[PATH=VALUE]`` or, for changes alone, ``[PATH=VALUE]``.

    Raises
    ------
    InputError
        When there is none, or one cannot be read.
    """
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        pairs: Sequence[tuple[Any, Any]] = list(given.items())
    elif isinstance(given, (list, tuple)):
        pairs = [(None, one) for one in given]
    else:
        raise InputError(f"{given!r} is no list of scenarios: write [NAME, …] or {{LABEL: NAME}}")
    if not pairs:
        raise InputError("there is nothing in the list: name a scenario")
    found = []
    for label, reference in pairs:
        if not isinstance(reference, str):
            raise InputError(f"{reference!r} is no reference: write NAME or NAME[PATH=VALUE]")
        bare = reference.strip()
        if bare.startswith("["):
            name, changes = None, read_reference(f"x{bare}")[1]
        else:
            name, changes = read_reference(bare)
            answers.check(name)
        own = answers.plan.labels.get(name or "", {}).get(lang, name or bare)
        found.append(Entry(str(own if label is None else label), name, changes))
    if len({entry.label for entry in found}) < len(found):
        raise InputError("two entries of the list have one label: write {LABEL: NAME, …}")
    return tuple(found)


def read_values(given: Any, lang: str, label: Callable[[str, str], str]) -> list[tuple[str, str]]:
    """Values with their labels, from one, a list or a table of them."""
    if isinstance(given, Mapping):
        return [(str(key), str(value)) for key, value in given.items()]
    if isinstance(given, (list, tuple)):
        return [(label(str(value), lang), str(value)) for value in given]
    return [(label(str(given), lang), str(given))]


def query_label(text: str, lang: str) -> str:
    """What a value is called where no label is given."""
    tree = read_value(text)
    return value_label(tree.value, lang) if isinstance(tree, Query) else text


def scenario_in(answers: Answers, value: Any) -> str | None:
    """The first scenario or study that a value names."""
    tree: Any = read_value(value) if isinstance(value, str) else value
    while isinstance(tree, Joined):
        tree = tree.one if not isinstance(tree.one, Number) else tree.other
    source = getattr(tree, "source", None)
    known = {**answers.plan.scenarios, **answers.plan.studies, **answers.plan.results}
    return source if source in known else None


def _first_scenario(answers: Answers) -> str:
    for name in answers.plan.scenarios:
        return name
    return answers.first()


def evaluate(
    answers: Answers,
    value: str,
    rows: Dim,
    cols: Dim,
    names: Callable[[str], Any] | None = None,
) -> list[list[Quantity]]:
    """A value at every place of two dimensions."""
    axes = tuple(dim.axis for dim in (rows, cols) if dim.axis is not None)
    cells: list[list[Quantity]] = [[] for _ in rows.labels]
    for i, row in enumerate(rows.entries):
        for col in cols.entries:
            if row.source is not None and col.source is not None:
                raise InputError("rows and cols both name scenarios: give one of them changes")
            source = row.source if row.source is not None else col.source
            found = answers.evaluate(value, source, (*row.changes, *col.changes), axes, names)
            shape = tuple(len(dim.labels) for dim in (rows, cols) if dim.axis is not None)
            found = found.spread_over(shape)
            if rows.axis is None:
                many = len(cols.labels) if cols.axis is not None else 1
                cells[i] += [found.at(k) if cols.axis is not None else found for k in range(many)]
            else:
                for k in range(len(rows.labels)):
                    if cols.axis is None:
                        cells[k].append(found.at(k))
                    else:
                        cells[k] += [found.at(k, j) for j in range(len(cols.labels))]
    return cells


def _path_named(answers: Answers, axis: Axis, lang: str) -> str:
    """A path with the unit in it called as in a language."""
    parts = axis.path.split(".")
    if len(parts) > 1 and parts[0] in ("unit", "reaction"):
        name = answers.plan.names.get(lang, {}).get(parts[1], parts[1])
        parts[1] = parts[1] if "." in name else name
    return ".".join(parts)


def _level(axis: Axis, value: Any, base: Scenario, answers: Answers, lang: str) -> str:
    names = answers.plan.names.get(lang, {})
    if isinstance(value, str) and value in base.unit_names:
        return names.get(value, value)
    return level(value, lang)


def key_label(key: str, aliases: Mapping[str, str], length: str, lang: str) -> str:
    """What a key of a unit is called, with its unit of length.

    Parameters
    ----------
    key
        As the file has it.
    aliases
        Other names of statistics, and the names that the ruleset gives them.
    length
        ``"cm"``, ``"inch"`` or an empty text.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    theirs = {mine: other for other, mine in aliases.items()} if lang != "en" else {}
    name = say(KEYS[key]) if key in KEYS else theirs.get(key, key).replace("_", " ")
    return f"{name}, {length}" if key in LENGTHS and length and key != "M" else name
