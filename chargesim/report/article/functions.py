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
)
from chargesim.report.article.dims import (
    read_dim,
    scenario_in,
)
from chargesim.report.article.expressions import Joined, read_claim
from chargesim.report.article.quantity import (
    Arithmetic,
    Quantity,
    Shown,
    combine,
    exactly,
    holds,
)
from chargesim.report.article.template import escape_markdown, line_of_call
from chargesim.report.grid_tables import level as level_text
from chargesim.report.grid_tables import stat_label
from chargesim.report.labels import label


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
        from chargesim.report.article.armies import Armies
        from chargesim.report.article.pictures import Pictures
        from chargesim.report.article.tables import Tables

        plan = self.answers.plan
        pictures, tables, armies = Pictures(self), Tables(self), Armies(self)
        called: dict[str, Callable[..., Any]] = {
            "p": self.p, "pct": self.pct, "num": self.num, "points": self.points,
            "interval": self.interval, "level": self.level, "table": tables.table,
            "figure": pictures.figure, "curve": pictures.curve, "spread": pictures.spread,
            "compare": tables.compare, "trace": tables.trace, "profiles": tables.profiles,
            "kept": tables.kept, "term": self.term, "name": self.name, "tr": self.tr,
            "plural": self.plural, "roster": armies.roster, "matchup": armies.matchup,
            "duel": armies.duel, "blind_spots": armies.blind_spots,
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
        return Markup(f"{OPEN}{len(self.blocks) - 1}{CLOSE}")  # a number

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
        dim = read_dim(names, over, self.lang, scenario_in(names, _plain(value)))
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
