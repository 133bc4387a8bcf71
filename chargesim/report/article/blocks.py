"""What stands between the paragraphs of an article, as Markdown and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from chargesim.report.article.template import escape_markdown
from chargesim.report.render import Table
from chargesim.words import translation

OPEN, CLOSE = "\ue010", "\ue011"
"""Around the number of a block, in text that is still Markdown."""
FEW_COLUMNS = 7
"""Tables with more are set closer."""
BEGIN, MIDDLE, END = "\ue012", "\ue013", "\ue014"
"""Before the number of a claim, before its sentence, and after that."""


@dataclass(frozen=True)
class TableBlock:
    """A table, perhaps with sentences under it."""

    table: Table
    notes: tuple[str, ...] = ()

    def markdown(self, image: str) -> str:
        """Pipe tables; ``image`` is for blocks that have one."""
        lines = _pipes(self.table)
        if self.table.caption:
            lines = [f"**{_text(self.table.caption)}**", "", *lines]
        for note in self.notes:
            lines += ["", _text(note)]
        return "\n".join(lines)

    def html(self, number: int, lang: str) -> str:
        """A table that can be sorted."""
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return _html_table(self.table) + notes


@dataclass(frozen=True)
class FigureBlock:
    """A figure with its caption, what it shows in words, and its numbers.

    Parameters
    ----------
    svg
        The picture, as a file would hold it.
    alt
        What it shows.
    caption
        Under it; may be empty.
    table
        Its numbers; ``None`` where there are none.
    on_paper
        True for black on white in the dark too.
    """

    svg: str
    alt: str
    caption: str = ""
    table: Table | None = None
    on_paper: bool = False

    def markdown(self, image: str) -> str:
        """A link to the image file."""
        lines = [f"![{_text(self.alt)}]({image})"]
        if self.caption:
            lines += ["", f"*{_text(self.caption)}*"]
        return "\n".join(lines)

    def html(self, number: int, lang: str) -> str:
        """The picture within the page, and its numbers to unfold."""
        from chargesim.report.article.svg import inline

        say = translation("chargesim", lang).gettext
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        numbers = ""
        if self.table is not None:
            summary = escape(say("The numbers of this figure"))
            numbers = f"<details><summary>{summary}</summary>{_html_table(self.table)}</details>"
        picture = inline(self.svg, f"f{number}", follows=not self.on_paper)
        kind = "plot paper" if self.on_paper else "plot"
        alt = escape(self.alt, quote=True)
        return (
            f'<figure><div class="{kind}" role="img" aria-label="{alt}">{picture}</div>'
            f"{caption}{numbers}</figure>"
        )


@dataclass(frozen=True)
class TraceBlock:
    """One trial told step by step; ``lines`` have level, rule and text."""

    title: str
    lines: tuple[tuple[int, str, str], ...]

    def markdown(self, image: str) -> str:
        """A quotation with a list a step."""
        lines = [f"> **{_text(self.title)}**", ">"]
        for level, rule, text in self.lines:
            mark = f" `{rule}`" if rule else ""
            if level == 0:
                lines += [">", f"> *{_text(text)}*", ">"]
            else:
                lines.append(f"> {'  ' * (level - 1)}- {_text(text)}{mark}")
        return "\n".join(lines)

    def html(self, number: int, lang: str) -> str:
        """Steps under headings, how each was found out set back, the rule behind it."""
        parts = [f'<section class="trace"><p class="title">{escape(self.title)}</p>']
        for level, rule, text in self.lines:
            if level == 0:
                parts.append(f'<p class="step">{escape(text)}</p>')
            else:
                mark = f" <code>{escape(rule)}</code>" if rule else ""
                parts.append(f'<p class="level{min(level, 3)}">{escape(text)}{mark}</p>')
        return "".join([*parts, "</section>"])


Block = TableBlock | FigureBlock | TraceBlock


def _text(text: str) -> str:
    return str(escape_markdown(text))


def _pipes(table: Table) -> list[str]:
    rule = ["---:" if i in table.numbers else "---" for i in range(len(table.columns))]
    rows = [tuple(map(_text, table.columns)), tuple(rule)]
    rows += [tuple(map(_text, row)) for row in table.rows]
    return ["| " + " | ".join(row) + " |" for row in rows]


def _html_table(table: Table) -> str:
    """A table within a box that scrolls by itself; cells know what they are sorted by."""
    raw = table.rows if table.raw is None else table.raw
    head = "".join(
        f'<th scope="col"{_class(i in table.numbers)}>{escape(column)}</th>'
        for i, column in enumerate(table.columns)
    )
    body = []
    for place, (row, values) in enumerate(zip(table.rows, raw, strict=True)):
        shades = table.shades[place] if table.shades else (None,) * len(row)
        cells = "".join(
            _cell(i, text, value, i in table.numbers, shade)
            for i, (text, value, shade) in enumerate(zip(row, values, shades, strict=True))
        )
        body.append(f"<tr>{cells}</tr>")
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    label = escape(table.caption or table.columns[0] or "table", quote=True)
    kind = ' class="dense"' if len(table.columns) > FEW_COLUMNS else ""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{label}"><table{kind}>{caption}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _class(is_number: bool) -> str:
    return ' class="n"' if is_number else ""


def _cell(place: int, text: str, value: Any, is_number: bool, shade: float | None) -> str:
    tag, scope = ("th", ' scope="row"') if place == 0 else ("td", "")
    key = ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        key = f' data-key="{float(value):.12g}"' if value == value else ' data-key=""'
    style = "" if shade is None else f' style="--s:{shade:.3f}"'
    kind = " ".join(word for word in ("n" * is_number, "s" * (shade is not None)) if word)
    named = f' class="{kind}"' if kind else ""
    return f"<{tag}{scope}{named}{key}{style}>{escape(text)}</{tag}>"
