"""The tables, comparisons and traces that a plan's template may call for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from chargesim.errors import InputError
from chargesim.report.article import numbers
from chargesim.report.article.blocks import TableBlock, TraceBlock
from chargesim.report.article.dims import (
    ALONE,
    Dim,
    evaluate,
    key_label,
    query_label,
    read_dim,
    read_entries,
    read_values,
    scenario_in,
)
from chargesim.report.article.quantity import Kind, Quantity, Shown, from_dict, of_parts
from chargesim.report.compare_tables import size, verdict
from chargesim.report.grid_tables import level as level_text
from chargesim.report.labels import label
from chargesim.report.render import Table
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.article.functions import Functions


class Tables:
    """The tables of one page.

    Parameters
    ----------
    page
        Its other functions.
    """

    def __init__(self, page: Functions) -> None:
        self.page, self.answers, self.lang = page, page.answers, page.lang

    def table(
        self,
        value: Any,
        rows: Any = None,
        cols: Any = None,
        caption: str = "",
        head: str | None = None,
        digits: int | None = None,
    ) -> Markup:
        """A table of one or several values over scenarios, changes or levels."""
        if not isinstance(value, (str, list, tuple, dict)):
            raise InputError("table: give values as texts, such as table('contact', rows=…)")
        values = read_values(value, self.lang, query_label)
        named = scenario_in(self.answers, values[0][1])
        one, other = (
            ALONE
            if side is None
            else read_dim(self.answers, side, self.lang, named or _source(beside))
            for side, beside in ((rows, cols), (cols, rows))
        )
        if len(values) > 1 and rows is not None and cols is not None:
            raise InputError("table: several values need a side of their own: give rows or cols")
        if len(values) > 1 and cols is not None:
            return self._values_down(values, other, caption, head or "", digits)
        grids = [evaluate(self.answers, text, one, other) for _, text in values]
        columns = [head if head is not None else one.head]
        columns += [name for name, _ in values] if cols is None else list(other.labels)
        cells = [[cell for grid in grids for cell in grid[i]] for i in range(len(one.labels))]
        if not caption and cols is not None:
            say = translation("chargesim", self.lang).gettext
            text = say("{value}; across: {columns}")
            caption = text.format(value=values[0][0], columns=other.head) if other.head else ""
        firsts = list(zip(one.labels, one.raw, strict=True))
        shaded = cols is not None and len(values) == 1
        return self.page.place(
            TableBlock(self._table(columns, firsts, cells, caption, digits, shaded, one.is_numeric))
        )

    def _values_down(
        self,
        values: list[tuple[str, str]],
        cols: Dim,
        caption: str,
        head: str,
        digits: int | None,
    ) -> Markup:
        cells = [evaluate(self.answers, text, ALONE, cols)[0] for _, text in values]
        firsts = [(name, name) for name, _ in values]
        columns = [head, *cols.labels]
        return self.page.place(
            TableBlock(self._table(columns, firsts, cells, caption, digits, False, False))
        )

    def _table(
        self,
        columns: list[str],
        firsts: list[tuple[str, Any]],
        cells: list[list[Quantity]],
        caption: str,
        digits: int | None,
        shaded: bool,
        numeric: bool,
    ) -> Table:
        wanted = [_digits(column, digits) for column in zip(*cells, strict=True)]
        texts = [
            [numbers.written(c, self.lang, d) for c, d in zip(row, wanted, strict=True)]
            for row in cells
        ]
        raw = [[float(cell.value) for cell in row] for row in cells]
        return Table(
            tuple(columns),
            tuple((first, *row) for (first, _), row in zip(firsts, texts, strict=True)),
            caption,
            (),
            tuple((key, *row) for (_, key), row in zip(firsts, raw, strict=True)),
            frozenset(range(0 if numeric else 1, len(columns))),
            shades=_shades(cells) if shaded else (),
        )

    def compare(self, value: str, scenarios: Any, caption: str = "") -> Markup:
        """Scenarios ranked by a value, and who is ahead of whom by how much."""
        entries = read_entries(self.answers, scenarios, self.lang)
        if len(entries) < 2:
            raise InputError("compare: give two scenarios or more")
        first = self.answers.first()
        asked = [self.answers.scenario(e.source or first, e.changes) for e in entries]
        names = [entry.label for entry in entries]
        say = translation("chargesim", self.lang).gettext

        def answer() -> dict[str, Any]:
            found = self.answers.comparison(value, asked, names)
            kind: Kind = "number" if found.is_mean else "chance"
            rows = []
            for rank, entry in zip(found.ranks, found.entries, strict=True):
                one = entry.estimate
                behind = found.difference(found.entries[0].name, entry.name)
                leads = entry is found.entries[0] or not behind.is_defined
                rows.append(
                    {
                        "rank": f"{rank}=" if found.ranks.count(rank) > 1 else str(rank),
                        "name": entry.name,
                        "value": of_parts(
                            (one.value, one.low, one.high, one.is_exact), kind
                        ).to_dict(),
                        "behind": "–" if leads else size(behind, self.lang, found.is_mean),
                        "sort": 0.0 if leads else behind.value,
                        "engine": one.engine,
                    }
                )
            return {"rows": rows, "verdict": verdict(found, self.lang), "mean": found.is_mean}

        question = {
            **self.answers.key("compare", asked[0]),
            "scenarios": [one.hash for one in asked],
            "names": names,
            "value": value,
            "lang": self.lang,
        }
        found = self.answers.cache.ask(question, answer)
        self.answers.engines |= {row["engine"] for row in found["rows"]}
        texts: list[tuple[str, ...]] = []
        raw: list[tuple[Any, ...]] = []
        for row in found["rows"]:
            number = from_dict(row["value"])
            shown = numbers.written(number, self.lang)
            texts.append((row["rank"], row["name"], shown, row["behind"]))
            raw.append((len(raw), row["name"], float(number.value), row["sort"]))
        behind = say("behind the first") if found["mean"] else say("behind the first, points")
        table = Table(
            (say("rank"), say("scenario"), query_label(value, self.lang), behind),
            tuple(texts), caption, (), tuple(raw), frozenset({0, 2, 3}),
        )  # fmt: skip
        return self.page.place(TableBlock(table, (found["verdict"],)))

    def trace(self, scenario: str = "", trial: int = 0, title: str = "") -> Markup:
        """One trial told step by step."""
        asked = self.answers.reference(scenario or self.answers.first())
        say = translation("chargesim", self.lang).gettext
        question = {
            **self.answers.key("trace", asked),
            "trial": trial,
            "names": self.answers.plan.names.get(self.lang, {}),
            "lang": self.lang,
        }
        lines = self.answers.cache.ask(
            question,
            lambda: [
                [line.level, line.rule or "", line.text]
                for line in self.answers.told(asked, trial, self.lang)
            ],
        )
        text = say("Trial {trial} of seed {seed}, step by step")
        told = text.format(trial=trial, seed=self.answers.plan.options.seed)
        return self.page.place(TraceBlock(title or told, tuple(tuple(line) for line in lines)))

    def profiles(self, scenario: str = "", caption: str = "") -> Markup:
        """The units of a scenario with their profiles, as the file writes them."""
        asked = self.answers.named(
            self.answers.reference(scenario or self.answers.first()), self.lang
        )
        unit = str(asked.switches.get("units", ""))
        units = asked.whole_tables["unit"]
        return self.page.place(
            TableBlock(units_table(units, asked.ruleset.aliases, unit, caption, self.lang))
        )

    def kept(self, name: str, caption: str = "") -> Any:
        """A number or table that a notebook kept."""
        found = self.answers.kept(name)
        if found.number is not None:
            return Shown(found.number, numbers.written(found.number, self.lang))
        if found.result is not None:
            raise InputError(f"kept: {name!r} is a scenario: ask for a value, contact @ {name}")
        texts, raw = [], []
        for row in found.rows:
            texts.append(tuple(self._cell(value) for value in row))
            raw.append(tuple(float(v.value) if isinstance(v, Quantity) else v for v in row))
        right = {
            i
            for i in range(len(found.columns))
            if all(isinstance(row[i], (int, float, Quantity)) for row in found.rows)
        }
        table = Table(found.columns, tuple(texts), caption, (), tuple(raw), frozenset(right))
        return self.page.place(TableBlock(table))

    def _cell(self, value: Any) -> str:
        if isinstance(value, Quantity):
            return numbers.written(value, self.lang)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return numbers.plain(value, self.lang, 3, at_most=True)
        return "–" if value is None else level_text(value, self.lang)


def _digits(column: tuple[Quantity, ...], asked: int | None) -> int | None:
    """Decimals of a column, the same in all its cells; of means none where all are whole."""
    if asked is not None or any(cell.kind != "number" for cell in column):
        return asked
    return 0 if all(float(cell.value).is_integer() for cell in column) else numbers.NUMBER_DECIMALS


def units_table(
    units: dict[str, dict[str, Any]],
    aliases: Mapping[str, str],
    length: str,
    caption: str,
    lang: str,
) -> Table:
    """Units with their profiles, statistics called as in the language.

    Parameters
    ----------
    units
    Their tables by name.
    aliases
    Other names of statistics, and the names that the ruleset gives them.
    length
    Unit of length, or an empty text.
    caption, lang
    What stands above, and the language.
    """
    say = translation("chargesim", lang).gettext
    named = {
        unit: {aliases.get(key, key): value for key, value in keys.items()}
        for unit, keys in units.items()
    }
    told = [
        key
        for key in dict.fromkeys(key for keys in named.values() for key in keys)
        if key != "side" and any(_is_told(keys.get(key)) for keys in named.values())
    ]
    columns = [say("unit"), *(key_label(key, aliases, length, lang) for key in told)]
    rows, raw = [], []
    for unit, keys in named.items():
        values = [keys.get(key) for key in told]
        rows.append((unit, *(_told(value, lang) for value in values)))
        raw.append((unit, *(v if isinstance(v, (int, float)) else str(v) for v in values)))
    right = {
        i + 1
        for i, key in enumerate(told)
        if all(_is_number(keys.get(key, 0)) for keys in named.values())
    }
    return Table(tuple(columns), tuple(rows), caption, (), tuple(raw), frozenset(right))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _told(value: Any, lang: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(label(str(one), lang) for one in value) or "–"
    return level_text(value, lang).replace("_", " ")


def _source(given: Any) -> str | None:
    """Scenario whose paths the other side of a table means: the first that this side names."""
    if isinstance(given, dict):
        given = list(given.values())
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], str):
        name = given[0].partition("[")[0].strip()
        return name or None
    return None


def _is_told(value: Any) -> bool:
    """True for what a table of profiles has room for."""
    return value is not None and not isinstance(value, dict)


def _shades(cells: list[list[Quantity]]) -> tuple[tuple[float | None, ...], ...]:
    """Share of each cell between 0 and 1, or between the least and the greatest; none beside."""
    flat = [float(cell.value) for row in cells for cell in row if cell.value == cell.value]
    is_share = all(cell.kind == "chance" for row in cells for cell in row)
    low, high = (0.0, 1.0) if is_share or not flat else (min(flat), max(flat))
    span = (high - low) or 1.0
    return tuple(
        (None, *(None if c.value != c.value else (float(c.value) - low) / span for c in row))
        for row in cells
    )
