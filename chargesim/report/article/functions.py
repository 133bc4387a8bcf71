"""What a plan's template may call: numbers, tables, figures, comparisons, traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from jinja2.runtime import Context, Undefined
from markupsafe import Markup

from chargesim.errors import InputError
from chargesim.report.article import numbers
from chargesim.report.article.answers import Answers
from chargesim.report.article.blocks import (
    BEGIN,
    CLOSE,
    END,
    MIDDLE,
    OPEN,
    Block,
    TableBlock,
    TraceBlock,
)
from chargesim.report.article.dims import (
    ALONE,
    Dim,
    evaluate,
    key_label,
    query_label,
    read_dim,
    read_entries,
    read_values,
)
from chargesim.report.article.expressions import Joined, read_claim
from chargesim.report.article.quantity import (
    Arithmetic,
    Quantity,
    combine,
    exactly,
    from_dict,
    holds,
)
from chargesim.report.article.template import escape_markdown, line_of_call
from chargesim.report.compare_tables import size, verdict
from chargesim.report.grid_tables import level as level_text
from chargesim.report.grid_tables import stat_label
from chargesim.report.labels import label
from chargesim.report.render import Table
from chargesim.words import translation


class Shown(Arithmetic):
    """A number as it is written in the text.

    Parameters
    ----------
    quantity
        The number.
    text
        How it is written.
    """

    def __init__(self, quantity: Quantity, text: str) -> None:
        self.quantity, self.text = quantity, text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Told:
    """Something about a plan that has to be mended: where, and what.

    Parameters
    ----------
    line
        Line of the file.
    message
        What is wrong.
    lang
        Language of the page on which it was found.
    """

    line: int
    message: str
    lang: str


@dataclass(frozen=True)
class Judged:
    """A claim and what became of it.

    Parameters
    ----------
    line
        Line of the file.
    text
        What was claimed.
    sentence
        What it stands for.
    sides
        Text and value of each side.
    state
        1 when it is true, -1 when it is false, 0 when the trials do not decide.
    lang
        Language of the page.
    """

    line: int
    text: str
    sentence: str
    sides: tuple[tuple[str, Quantity], ...]
    state: int
    lang: str


class Functions:
    """The functions of one page.

    Parameters
    ----------
    answers
        Answers to what is asked.
    lang
        Language of the page.
    """

    def __init__(self, answers: Answers, lang: str) -> None:
        self.answers, self.lang = answers, lang
        self.blocks: list[tuple[int, Block]] = []
        self.claims: list[Judged] = []
        self.faults: list[Told] = []

    def variables(self) -> dict[str, Any]:
        """Everything that a template may use, by name."""
        from chargesim.report.article.pictures import Pictures

        plan = self.answers.plan
        pictures = Pictures(self)
        called: dict[str, Callable[..., Any]] = {
            "p": self.p, "pct": self.pct, "num": self.num, "points": self.points,
            "interval": self.interval, "level": self.level, "table": self.table,
            "figure": pictures.figure, "curve": pictures.curve, "spread": pictures.spread,
            "compare": self.compare, "trace": self.trace, "profiles": self.profiles,
            "kept": self.kept, "term": self.term, "name": self.name, "tr": self.tr,
            "plural": self.plural,
        }  # fmt: skip
        return {
            **{name: self._guarded(function) for name, function in called.items()},
            "lang": self.lang,
            "title": plan.titles[self.lang],
            "seed": plan.options.seed,
            "trials": plan.options.trials,
            "__judge__": self.judge,
        }

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function; what is wrong is noted with its line, so that all faults are told."""

        @wraps(function)
        def guarded(*arguments: Any, **named: Any) -> Any:
            for one in (*arguments, *named.values()):
                if isinstance(one, Undefined):
                    str(one)  # which says what is undefined
            try:
                return function(*arguments, **named)
            except InputError as error:
                self.faults.append(Told(line_of_call(), str(error), self.lang))
                return Shown(exactly(float("nan")), "?")

        return guarded

    def finalize(self, value: Any) -> Any:
        """What stands between ``{{ }}`` as text: numbers as written, names escaped."""
        if isinstance(value, (Markup, Undefined)):
            return value
        if isinstance(value, Shown):
            return escape_markdown(value.text)
        if isinstance(value, Quantity):
            return escape_markdown(numbers.written(value.only(), self.lang))
        if isinstance(value, bool) or value is None:
            return escape_markdown(level_text(value, self.lang))
        if isinstance(value, (int, float)):
            return escape_markdown(numbers.plain(value, self.lang, 6, at_most=True))
        return escape_markdown(str(value))

    def place(self, block: Block) -> Markup:
        """Note a block; the mark that stands for it in the text."""
        self.blocks.append((line_of_call(), block))
        return Markup(f"{OPEN}{len(self.blocks) - 1}{CLOSE}")  # noqa: S704  # a number

    def value(self, given: Any) -> Quantity:
        """A single number from a text or a number."""
        return self.answers.evaluate(_plain(given)).only()

    # numbers

    def p(self, value: Any, digits: int = 3) -> Shown:
        """A chance as a number from 0 to 1, or a mean."""
        found = self.value(value)
        return Shown(found, numbers.amount(found, self.lang, digits))

    def pct(self, value: Any, digits: int | None = None) -> Shown:
        """A chance in per cent."""
        found = self.value(value)
        return Shown(found, numbers.percent(found, self.lang, digits))

    def num(self, value: Any, digits: int | None = None) -> Shown:
        """A number, up to two decimals unless asked otherwise."""
        found = self.value(value)
        return Shown(found, numbers.amount(found, self.lang, digits))

    def points(self, value: Any, digits: int | None = None) -> Shown:
        """A difference of chances in percentage points."""
        found = self.value(value)
        return Shown(found, numbers.points(found, self.lang, digits))

    def interval(self, value: Any) -> str:
        """The interval of a value, one decimal more than it itself has."""
        found = self.value(value)
        ends = [exactly(float(end), found.kind) for end in (found.low, found.high)]
        if found.is_exact:
            return numbers.written(found, self.lang)
        scale = 1 if found.kind == "number" else 100
        width = scale * float(found.high - found.low)
        digits = numbers.allowed(0, width, numbers.MOST_DECIMALS) + 1
        return " – ".join(numbers.written(end, self.lang, digits) for end in ends)

    def level(self, value: Any, over: str, reach: Any = 0.5, *, last: bool = False) -> Shown:
        """The first, or last, level of a path at which a value reaches what is asked for."""
        names = self.answers
        dim = read_dim(names, over, self.lang)
        assert dim.axis is not None
        found = names.evaluate(_plain(value), axes=(dim.axis,))
        reached = holds(">=", combine("-", found, self.value(reach))) > 0
        places = [i for i, is_so in enumerate(reached) if is_so]
        if not places:
            best = int(max(range(len(dim.raw)), key=lambda i: float(found.at(i).value)))
            raise InputError(
                f"level: {value} never reaches {numbers.unrounded(self.value(reach))}: at most "
                f"{numbers.unrounded(found.at(best))}, at {dim.labels[best]}"
            )
        place = places[-1 if last else 0]
        if not isinstance(dim.raw[place], (int, float)):
            return Shown(exactly(float("nan")), dim.labels[place])
        return Shown(exactly(dim.raw[place]), dim.labels[place])

    # words

    def tr(self, **texts: str) -> str:
        """The text of the page's language."""
        if self.lang not in texts:
            raise InputError(f"tr: there is no {self.lang!r}: write tr(en=…, es=…)")
        return texts[self.lang]

    def term(self, word: str) -> str:
        """A word of the results or a statistic, as the game calls it in the page's language."""
        first = next(iter(self.answers.plan.scenarios.values()), None)
        if first is not None and word in first.ruleset.aliases.values():
            return stat_label(first, word, self.lang)
        return label(word, self.lang)

    def name(self, unit: str) -> str:
        """What a unit is called in the page's language."""
        return self.answers.plan.names.get(self.lang, {}).get(unit, unit)

    def plural(self, count: Any, one: str, other: str, digits: int | None = None) -> str:
        """The form of a word that goes with a number; ``{n}`` in it is the number."""
        found = self.value(count)
        number = float(found.value)
        form = numbers.plural_word(number, self.lang)
        text = one if form == "one" else other
        return text.replace("{n}", numbers.amount(found, self.lang, digits))

    # blocks

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
        if isinstance(value, Shown) or (isinstance(value, TableBlock)):
            raise InputError("table: give values as texts, such as table('contact', rows=…)")
        values = read_values(value, self.lang, query_label)
        one = ALONE if rows is None else read_dim(self.answers, rows, self.lang, _source(cols))
        other = ALONE if cols is None else read_dim(self.answers, cols, self.lang, _source(rows))
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
        return self.place(
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
        return self.place(
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
        texts = [[numbers.written(cell, self.lang, digits) for cell in row] for row in cells]
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
            kind = "number" if found.is_mean else "chance"
            rows = []
            for rank, entry in zip(found.ranks, found.entries, strict=True):
                one = entry.estimate
                behind = found.difference(found.entries[0].name, entry.name)
                leads = entry is found.entries[0] or not behind.is_defined
                rows.append(
                    {
                        "rank": f"{rank}=" if found.ranks.count(rank) > 1 else str(rank),
                        "name": entry.name,
                        "value": exactly(0).to_dict()
                        | {
                            "value": None if one.value != one.value else one.value,
                            "low": None if one.value != one.value else one.low,
                            "high": None if one.value != one.value else one.high,
                            "exact": one.is_exact,
                            "kind": kind,
                        },
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
        texts, raw = [], []
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
        return self.place(TableBlock(table, (found["verdict"],)))

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
        return self.place(TraceBlock(title or told, tuple(tuple(line) for line in lines)))

    def profiles(self, scenario: str = "", caption: str = "") -> Markup:
        """The units of a scenario with their profiles, as the file writes them."""
        asked = self.answers.named(
            self.answers.reference(scenario or self.answers.first()), self.lang
        )
        say = translation("chargesim", self.lang).gettext
        units = asked.written["unit"]
        aliases = asked.ruleset.aliases
        named = {
            unit: {aliases.get(key, key): value for key, value in keys.items()}
            for unit, keys in units.items()
        }
        told = [
            key
            for key in dict.fromkeys(key for keys in named.values() for key in keys)
            if key != "side" and any(_is_told(keys.get(key)) for keys in named.values())
        ]
        columns = [say("unit"), *(key_label(asked, key, self.lang) for key in told)]
        rows, raw = [], []
        for unit, keys in named.items():
            values = [keys.get(key) for key in told]
            rows.append((unit, *(self._told(value) for value in values)))
            raw.append((unit, *(v if isinstance(v, (int, float)) else str(v) for v in values)))
        right = {
            i + 1
            for i, key in enumerate(told)
            if all(isinstance(keys.get(key, 0), (int, float)) for keys in named.values())
        }
        table = Table(
            tuple(columns), tuple(rows), caption, (), tuple(raw), frozenset(right)
        )
        return self.place(TableBlock(table))

    def _told(self, value: Any) -> str:
        if value is None:
            return "–"
        if isinstance(value, list):
            return ", ".join(label(str(one), self.lang) for one in value) or "–"
        return level_text(value, self.lang).replace("_", " ")

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
            raw.append(
                tuple(float(v.value) if isinstance(v, Quantity) else v for v in row)
            )
        right = {
            i
            for i in range(len(found.columns))
            if all(isinstance(row[i], (int, float, Quantity)) for row in found.rows)
        }
        table = Table(found.columns, tuple(texts), caption, (), tuple(raw), frozenset(right))
        return self.place(TableBlock(table))

    def _cell(self, value: Any) -> str:
        if isinstance(value, Quantity):
            return numbers.written(value, self.lang)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return numbers.plain(value, self.lang, 3, at_most=True)
        return "–" if value is None else level_text(value, self.lang)

    # claims

    def judge(self, text: str, line: int, context: Context, body: str) -> str:
        """Test a claim; its sentence, marked."""

        def names(word: str) -> Any:
            found = context.get(word) if word.isidentifier() else None
            is_number = isinstance(found, (int, float, Arithmetic)) and not isinstance(found, bool)
            return found if is_number else None

        try:
            claim = read_claim(text)
            values = [self.answers.evaluate(side, names=names) for side in claim.sides]
            states = []
            pairs = zip(claim.sides, claim.sides[1:], values, values[1:], claim.signs, strict=False)
            for one, other, left, right, sign in pairs:
                gap = combine("-", left, right)
                if not gap.is_exact:
                    gap = self.answers.evaluate(Joined("-", one, other), names=names)
                states.append(int(holds(sign, gap).min()))
        except InputError as error:
            self.faults.append(Told(line, str(error), self.lang))
            return body
        sentence = " ".join(str(Markup(body).striptags()).split())
        sides = tuple(zip(claim.texts, values, strict=True))
        self.claims.append(Judged(line, text, sentence, sides, min(states), self.lang))
        if "\n\n" in body.strip():
            return body  # of several paragraphs: nothing to put around them
        return f"{BEGIN}{len(self.claims) - 1}{MIDDLE}{body}{END}"


def _plain(given: Any) -> Any:
    return given.quantity if isinstance(given, Shown) else given


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
