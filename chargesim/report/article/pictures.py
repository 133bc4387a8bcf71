"""The figures that a plan's template may call for: what they show, in a picture and in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from chargesim.engine.outcomes import quantity
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.report.article import numbers
from chargesim.report.article.blocks import FigureBlock
from chargesim.report.article.dims import (
    ALONE,
    evaluate,
    query_label,
    read_dim,
    read_entries,
    read_values,
    scenario_in,
)
from chargesim.report.article.expressions import read_value
from chargesim.report.article.plan import DICE
from chargesim.report.article.quantity import Quantity, exactly, of_parts
from chargesim.report.charges import combat_words, waterfall
from chargesim.report.grid_tables import axis_label
from chargesim.report.labels import label
from chargesim.report.render import Table
from chargesim.report.values import measure
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.article.figures import Curve
    from chargesim.report.article.functions import Functions

KINDS = {
    "lines": "lines", "bars": "bars", "outcomes": "outcomes", "spread": "distributions",
    "map": "map", "charge": "charge", "combat": "combat", "why": "why", "scene": "scene",
}  # fmt: skip
"""Kinds of figures, and the methods that draw them."""
FALLS = ("#D55E00", "#E69F00", "#CC79A7", "#56B4E9", "#009E73", "#BBBBBB", "#F0E442", "#777777")
GOAL = "#0072B2"


class Pictures:
    """The figures of one page.

    Parameters
    ----------
    page
        Its other functions.
    """

    def __init__(self, page: Functions) -> None:
        self.page, self.answers, self.lang = page, page.answers, page.lang
        self.say = translation("chargesim", page.lang).gettext

    def figure(
        self, kind: str, *what: Any, caption: str = "", alt: str = "", **more: Any
    ) -> Markup:
        """A figure of one of :data:`KINDS`.

        Parameters
        ----------
        kind
            Which.
        *what, **more
            As the method of that name takes them.
        caption
            What stands under it.
        alt
            What it is of, for those who do not see it; what it shows is added.
        """
        if kind not in KINDS:
            raise InputError(f"figure: there is no kind {kind!r}{nearest(kind, KINDS)}")
        try:
            svg, told, table = getattr(self, KINDS[kind])(*what, **more)
        except TypeError as error:
            text = str(error).replace("Pictures.", "")
            if f"{KINDS[kind]}()" not in text:
                raise
            raise InputError(f"figure: {text.replace(KINDS[kind] + '()', kind)}") from None
        whole = " ".join(part for part in (alt or caption, told) if part)
        # a map has its own grounds, on which letters of another colour would be lost
        return self.page.place(FigureBlock(svg, whole, caption, table, on_paper=kind == "scene"))

    # curves

    def curve(self, label: str, value: Any, over: str, scale: float = 1.0) -> Curve:
        """A value over the levels of a path, for a figure of lines.

        Parameters
        ----------
        label
            What it is called.
        value
            What is asked.
        over
            ``PATH=SPEC``; the path is one of the scenario that the value is asked of.
        scale
            What the levels are multiplied by, to bring two units of length to one axis.
        """
        from chargesim.report.article.figures import Curve

        dim = read_dim(self.answers, over, self.lang, scenario_in(self.answers, value))
        if not dim.is_numeric and scale != 1.0:
            raise InputError(f"curve: {over} has levels that are no numbers: leave scale out")
        assert dim.axis is not None
        found = self.answers.evaluate(value, axes=(dim.axis,))
        levels = dim.raw if dim.is_numeric else dim.labels
        x: tuple[Any, ...] = levels if scale == 1.0 else tuple(scale * v for v in dim.raw)
        return Curve(label, x, found.spread_over((len(x),)))

    def spread(self, label: str, what: str, scale: float = 1.0) -> Curve:
        """The distribution of a quantity or a roll."""
        from chargesim.report.article.figures import Curve

        query: Any = read_value(what)
        if not hasattr(query, "source"):
            raise InputError(f"spread: {what!r} is no quantity: write flee_distance @ NAME")
        if query.source == DICE:
            from chargesim.engine.odds import parse

            pmf = parse(query.value).answer().pmf
            chances = np.array([float(p) for p in pmf.values()])
            values, above = (
                exactly(part, "chance") for part in (chances, chances[::-1].cumsum()[::-1])
            )
            return Curve(label, tuple(v * scale for v in pmf), values, above)
        name = query.source or self.answers.first()
        result = self.answers.result(self.answers.scenario(name, query.changes))
        found = result.spread(*quantity(result.views, query.value))
        if not found:
            raise InputError(f"spread: {what!r} never arises")
        full = range(min(found), max(found) + 1)
        values, above = (
            _stacked([self._chance(result, f"{query.value}{sign}{v}") for v in full])
            for sign in ("=", ">=")
        )
        return Curve(label, tuple(v * scale for v in full), values, above)

    @staticmethod
    def _chance(result: Any, outcome: str) -> Quantity:
        cell = measure(result, outcome)
        return of_parts((cell.value, cell.low, cell.high, cell.is_exact), "chance")

    def distributions(
        self, curves: Any, x: str = "", y: str = "", at_least: bool = False
    ) -> tuple[str, str, Table]:
        """Distributions, or with ``at_least`` the chance of at least so much."""
        from chargesim.report.article import figures

        curves = self._curves(curves)
        svg = self._drawn(
            "spread",
            lambda: figures.spread(curves, self.lang, x=x, y=y, at_least=at_least),
            _numbers_of(curves), x, y, at_least,
        )  # fmt: skip
        text = self.say("{label}: from {low} to {high}, most often {mode} ({p}).")
        told = [
            text.format(
                label=c.label,
                low=self._number(c.x[0]),
                high=self._number(c.x[-1]),
                mode=self._number(c.x[int(np.argmax(c.y.value))]),
                p=numbers.percent(c.y.at(int(np.argmax(c.y.value))), self.lang),
            )
            for c in curves
        ]
        return svg, " ".join(told), self._curve_table(curves, x)

    def lines(
        self, curves: Any, x: str = "", y: str = "", mark: Any = None
    ) -> tuple[str, str, Table]:
        """Curves over an axis of numbers."""
        from chargesim.report.article import figures

        curves = self._curves(curves)
        if not all(curve.is_numeric for curve in curves):
            raise InputError("figure: lines run over numbers: take bars for words")
        level = None if mark is None else float(self.page.value(mark))
        svg = self._drawn(
            "lines",
            lambda: figures.lines(curves, self.lang, x=x, y=y, mark=level),
            _numbers_of(curves), x, y, level,
        )  # fmt: skip
        return svg, " ".join(map(self._curve_told, curves)), self._curve_table(curves, x)

    def _curves(self, curves: Any) -> list[Curve]:
        from chargesim.report.article.figures import Curve

        found = list(curves) if isinstance(curves, (list, tuple)) else [curves]
        if not found or not all(isinstance(one, Curve) for one in found):
            raise InputError("figure: give a list of curves: [curve(LABEL, VALUE, PATH=SPEC), …]")
        return found

    def _curve_told(self, curve: Curve) -> str:
        shown = [numbers.written(curve.y.at(i), self.lang) for i in range(len(curve.x))]
        most = int(np.nanargmax(curve.y.value))
        text = self.say("{label}: {first} at {begin}, {last} at {end}, at most {most} at {at}.")
        return text.format(
            label=curve.label,
            first=shown[0],
            begin=self._number(curve.x[0]),
            last=shown[-1],
            end=self._number(curve.x[-1]),
            most=shown[most],
            at=self._number(curve.x[most]),
        )

    def _curve_table(self, curves: Sequence[Curve], x: str) -> Table:
        """Numbers of curves: beside each other where their levels are the same."""
        head = x or self.say("value")
        if len({curve.x for curve in curves}) == 1:
            columns = (head, *(curve.label for curve in curves))
            rows = [
                (self._number(v), *(numbers.written(c.y.at(i), self.lang) for c in curves))
                for i, v in enumerate(curves[0].x)
            ]
            raw = [(v, *(float(c.y.value[i]) for c in curves)) for i, v in enumerate(curves[0].x)]
            right = frozenset(range(len(columns)))
            return Table(columns, tuple(rows), "", (), tuple(raw), right)
        columns = (self.say("curve"), head, self.say("value"))
        rows, raw = [], []
        for curve in curves:
            for i, v in enumerate(curve.x):
                shown = numbers.written(curve.y.at(i), self.lang)
                rows.append((curve.label, self._number(v), shown))
                raw.append((curve.label, v, float(curve.y.value[i])))
        return Table(columns, tuple(rows), "", (), tuple(raw), frozenset({1, 2}))

    def _number(self, value: Any) -> str:
        if isinstance(value, (int, float)):
            return numbers.plain(value, self.lang, 3, at_most=True)
        return str(value)

    # bars

    def bars(self, value: Any, by: Any, x: str = "") -> tuple[str, str, Table]:
        """Bars of one or several values over scenarios, changes or levels."""
        from chargesim.report.article import figures

        values = read_values(value, self.lang, query_label)
        source = scenario_in(self.answers, values[0][1])
        dim = read_dim(self.answers, by, self.lang, source)
        groups = []
        for name, text in values:
            cells = [row[0] for row in evaluate(self.answers, text, dim, ALONE)]
            groups.append((name, _stacked(cells)))
        svg = self._drawn(
            "bars",
            lambda: figures.bars(dim.labels, groups, self.lang, x=x),
            list(dim.labels), [(name, found.to_dict()) for name, found in groups], x,
        )  # fmt: skip
        columns = (dim.head, *(name for name, _ in groups))
        rows = [
            (text, *(numbers.written(found.at(i), self.lang) for _, found in groups))
            for i, text in enumerate(dim.labels)
        ]
        raw = [
            (dim.raw[i], *(float(found.value[i]) for _, found in groups)) for i in range(len(rows))
        ]
        table = Table(columns, tuple(rows), "", (), tuple(raw), frozenset(range(1, len(columns))))
        told = "; ".join(": ".join((row[0], ", ".join(row[1:]))) for row in rows) + "."
        return svg, told, table

    def map(
        self, value: str, rows: str, cols: str, x: str = "", y: str = ""
    ) -> tuple[str, str, Table]:
        """A value over two paths, as colours."""
        from chargesim.report.article import figures

        source = scenario_in(self.answers, value)
        down, across = (read_dim(self.answers, dim, self.lang, source) for dim in (rows, cols))
        cells = evaluate(self.answers, value, down, across)
        found = _stacked([cell for row in cells for cell in row])
        parts = (found.value, found.low, found.high, found.exact)
        shape = (len(down.labels), len(across.labels))
        found = of_parts([part.reshape(shape) for part in parts], found.kind)
        heads = (x or across.head, y or down.head)
        svg = self._drawn(
            "map",
            lambda: figures.heat_map(
                found, down.labels, across.labels, self.lang, x=heads[0], y=heads[1]
            ),
            found.to_dict(), list(down.labels), list(across.labels), heads,
        )  # fmt: skip
        ends = [
            np.unravel_index(int(pick(found.value)), shape) for pick in (np.nanargmin, np.nanargmax)
        ]
        text = self.say("{rows} down, {cols} across: from {least} at {low} to {most} at {high}.")
        told = text.format(
            rows=heads[1],
            cols=heads[0],
            least=numbers.written(found.at(*map(int, ends[0])), self.lang),
            most=numbers.written(found.at(*map(int, ends[1])), self.lang),
            low=f"{down.labels[ends[0][0]]} / {across.labels[ends[0][1]]}",
            high=f"{down.labels[ends[1][0]]} / {across.labels[ends[1][1]]}",
        )
        columns = (heads[1], *across.labels)
        body = [
            (name, *(numbers.written(cell, self.lang) for cell in row))
            for name, row in zip(down.labels, cells, strict=True)
        ]
        raw = [
            (key, *(float(cell.value) for cell in row))
            for key, row in zip(down.raw, cells, strict=True)
        ]
        right = frozenset(range(0 if down.is_numeric else 1, len(columns)))
        return svg, told, Table(columns, tuple(body), "", (), tuple(raw), right)

    # results

    def outcomes(self, by: Any, of: str = "charge") -> tuple[str, str, Table]:
        """How charges, or combats, end: one stacked bar a scenario.

        Parameters
        ----------
        by
            Scenarios.
        of
            ``"charge"``, or ``"combat"`` for the fight that the first charge leads to.
        """
        from chargesim.report.article import figures
        from chargesim.report.figures import SHADES

        if of not in ("charge", "combat"):
            raise InputError(f"figure: of {of!r} is neither 'charge' nor 'combat'")
        entries = read_entries(self.answers, by, self.lang)
        found, order, fates = [], [], {}
        for entry in entries:
            name = entry.source or self.answers.first()
            result = self.answers.result(self.answers.scenario(name, entry.changes))
            ruleset = result.scenario.ruleset
            if of == "charge":
                steps = waterfall(result)
                found.append({step.word: step.p for step in steps if step.p > 0})
                order = [ruleset.goal, *ruleset.fall]
            else:
                found.append({w: p for w, (p, _, _) in combat_words(result, 0).items() if p > 0})
                order, fates = list(ruleset.fates), ruleset.fates
        met = {word for one in found for word in one}
        words = [w for w in order if w in met] + sorted(met - set(order))
        if of == "combat":
            styles = [
                ("#FFFFFF", "////", False)
                if fates[w] is None
                else (SHADES[4 - int(fates[w] or 0)], "", abs(fates[w] or 0) >= 3)
                for w in words
            ]
        else:
            goal = order[0]
            others = [w for w in words if w != goal]
            styles = [
                (GOAL, "", True) if w == goal else (FALLS[others.index(w) % len(FALLS)], "", False)
                for w in words
            ]
        shares = np.array([[one.get(word, 0.0) for word in words] for one in found])
        names, texts = [e.label for e in entries], [label(word, self.lang) for word in words]
        svg = self._drawn(
            "outcomes",
            lambda: figures.outcomes(names, texts, shares, styles, self.lang),
            names, texts, shares.tolist(), styles,
        )  # fmt: skip
        rows = [
            (name, *(numbers.percent(exactly(p, "chance"), self.lang) for p in row))
            for name, row in zip(names, shares, strict=True)
        ]
        raw = [(name, *map(float, row)) for name, row in zip(names, shares, strict=True)]
        right = frozenset(range(1, len(words) + 1))
        table = Table(("", *texts), tuple(rows), "", (), tuple(raw), right)
        told = " ".join(
            f"{row[0]}: "
            + ", ".join(f"{t} {v}" for t, v, p in zip(texts, row[1:], line, strict=True) if p > 0)
            + "."
            for row, line in zip(rows, shares, strict=True)
        )
        return svg, told, table

    def charge(self, scenario: str = "", charge: int = 0) -> tuple[str, str, None]:
        """Where the probability of a charge goes, step by step."""
        from chargesim.report.article import figures

        asked = self.answers.reference(scenario or self.answers.first())
        result = self.answers.shown(asked, self.lang)
        if not 0 <= charge < len(result.charges):
            raise InputError(f"charge: there is none {charge}: 0 to {len(result.charges) - 1}")
        svg = self._drawn(
            "charge", lambda: figures.charge(result, charge, self.lang),
            self.answers.key("charge", result.scenario), charge,
        )  # fmt: skip
        told = [(step.word, (step.p, step.low, step.high)) for step in waterfall(result, charge)]
        return svg, self._words_told(told, result.is_exact), None

    def combat(self, scenario: str = "", target: str | None = None) -> tuple[str, str, None]:
        """How a combat ends, the best for the charger first."""
        from chargesim.report.article import figures

        asked = self.answers.reference(scenario or self.answers.first())
        result = self.answers.shown(asked, self.lang)
        targets = [str(view.labels["target"]) for _, view in result.combats]
        name = None if target is None else self.page.name(target)
        if name is not None and name not in targets:
            raise InputError(f"target: nobody charges {target!r}{nearest(str(target), targets)}")
        svg = self._drawn(
            "combat", lambda: figures.combat(result, name, self.lang),
            self.answers.key("combat", result.scenario), name,
        )  # fmt: skip
        place = 0 if name is None else targets.index(name)
        words = list(combat_words(result, place).items())
        return svg, self._words_told(words, result.is_exact), None

    def _words_told(self, words: list[tuple[str, Any]], exact: bool) -> str:
        shown = []
        for word, ends in words:
            found = of_parts([*ends, exact], "chance")
            shown.append(f"{label(word, self.lang)}: {numbers.percent(found, self.lang)}")
        return "; ".join(shown) + "."

    def why(self, value: str) -> tuple[str, str, None]:
        """What matters most: single changes of a scenario and what they do to a value."""
        from chargesim.report.article import figures
        from chargesim.report.why_tables import change_text

        query: Any = read_value(value)
        if not hasattr(query, "source"):
            raise InputError(f"figure: {value!r} is no single value: write contact @ NAME")
        name = query.source or self.answers.first()
        base = self.answers.scenario(name, query.changes)
        asked = self.answers.named(base, self.lang)
        outcome = self.answers.value_named(query.value, base, self.lang)

        def answer() -> dict[str, Any]:
            found = self.answers.reasons(asked, outcome)
            drawn = figures.written_svg(lambda: figures.reasons(found, self.lang))
            told = []
            for group in found.mattering[:3]:
                change = group[0].change
                size = group[0].difference.value * (1 if found.is_mean else 100)
                name = axis_label(asked, change.path, self.lang)
                told.append(
                    f"{name} {change_text(change, self.lang)}: {numbers.signed(size, self.lang)}"
                )
            return {"svg": drawn, "told": "; ".join(told) + ".", "exact": found.is_exact}

        key = self.answers.key("why", asked, value=query.value, lang=self.lang)
        found = self.answers.cache.ask(key, answer)
        self.answers.engines.add("exact" if found["exact"] else "sample")
        return found["svg"], found["told"], None

    def scene(self, scenario: str = "") -> tuple[str, str, None]:
        """Where everybody stands, for rulesets that know."""
        from chargesim.report.article import figures

        asked = self.answers.named(
            self.answers.reference(scenario or self.answers.first()), self.lang
        )
        ruleset = asked.ruleset
        if ruleset.draw is not None:
            drawing = ruleset.draw(asked.model, self.lang)
            svg = self._drawn("scene", lambda: figures.scene(drawing), asked.hash)
            return svg, ", ".join(text for _, text in drawing.legend) + ".", None
        raise InputError(f"figure: ruleset {ruleset.name} has no map: units are not in a place")

    def _drawn(self, kind: str, draw: Callable[[], Any], *content: Any) -> str:
        """A figure as SVG, kept by what it shows."""
        from chargesim.report.article import figures

        question = {
            "kind": f"figure {kind}",
            "content": content,
            "lang": self.lang,
            "made_with": figures.MADE_WITH,
        }
        found: str = self.answers.cache.ask(question, lambda: figures.written_svg(draw))
        return found


def _numbers_of(curves: Sequence[Curve]) -> list[Any]:
    return [
        (c.label, c.x, c.y.to_dict(), None if c.above is None else c.above.to_dict())
        for c in curves
    ]


def _stacked(cells: list[Quantity]) -> Quantity:
    """Single numbers side by side."""
    parts = [np.array([getattr(c, name) for c in cells]) for name in ("value", "low", "high")]
    return of_parts([*parts, [bool(c.exact) for c in cells]], cells[0].kind)
