"""Documents of headings, lines and tables, written as text, Markdown, HTML or CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from base64 import b64encode
from dataclasses import dataclass, field, replace
from html import escape
from math import floor, isnan, log10

from chargesim.words import translation


@dataclass(frozen=True)
class Table:
    """A table: columns, rows of text, and which columns are numbers.

    Parameters
    ----------
    columns
        Headings.
    rows
        Texts, one a column.
    caption
        What it shows; may be empty.
    shares
        For each row a number from 0 to 1 by which it is coloured or drawn as a bar, or ``None``.
    raw
        Rows of unrounded values for CSV; the texts where ``None``.
    numbers
        Places of the columns that are numbers.
    name
        What it is called in CSV, where its caption would not tell it from others.
    heads
        Headings of ``raw``; the columns where ``None``.
    shades
        For each cell a number from 0 to 1 by which it is coloured, or ``None``.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    shares: tuple[float | None, ...] = ()
    raw: tuple[tuple[object, ...], ...] | None = None
    numbers: frozenset[int] = frozenset()
    name: str = ""
    heads: tuple[str, ...] | None = None
    shades: tuple[tuple[float | None, ...], ...] = ()


@dataclass(frozen=True)
class Picture:
    """A figure.

    Parameters
    ----------
    svg
        Its SVG document, which a page holds within itself.
    text
        What it shows, for those who do not see it.
    file
        Where it was written to, for Markdown; nothing is shown there without.
    """

    svg: str
    text: str
    file: str = ""


@dataclass(frozen=True)
class Document:
    """A title, blocks (lines of text, tables or pictures) in order, and a source line.

    A caveat must be said in every form, also where only tables are written.
    """

    title: str
    blocks: tuple[str | Table | Picture, ...]
    source: tuple[str, ...] = field(default=())
    caveat: str = ""


def number(value: float, decimals: int, lang: str) -> str:
    """A number with so many decimals, in the language's writing."""
    text: str = format(value, f",.{decimals}f")
    if lang == "es":
        text = text.replace(",", "\u202f").replace(".", ",")
    return text


def percent(p: float, low: float, high: float, lang: str, *, exact: bool) -> str:
    """A probability in per cent with as many decimals as its error allows.

    The last digit is worth at least half of the half-width. 0 % and 100 % are written only when
    exact; what is too small to show is written as below a bound.
    """
    if isnan(p):
        return translation("chargesim", lang).gettext("undefined")
    if exact:
        if p in (0.0, 1.0):
            return f"{p * 100:.0f} %"
        if p < 0.5e-5:
            return f"< {number(0.001, 3, lang)} %"
        if p > 1 - 0.5e-5:
            return f"> {number(99.999, 3, lang)} %"
        return f"{number(100 * p, 3, lang)} %"
    half = 50 * (high - low)
    decimals = min(max(floor(-log10(half / 2)), 0), 6) if half > 0 else 3
    shown = round(100 * p, decimals)
    if shown == 0.0:
        return f"< {number(100 * high, decimals + 1, lang)} %"
    if shown == 100.0:
        return f"> {number(100 * low, decimals + 1, lang)} %"
    return f"{number(100 * p, decimals, lang)} %"


def interval(low: float, high: float, lang: str) -> str:
    """An interval in per cent, one decimal more than its half-width allows."""
    half = 50 * (high - low)
    decimals = min(max(floor(-log10(half / 2)), 0), 5) + 1 if half > 0 else 3
    return f"{number(100 * low, decimals, lang)}\u2013{number(100 * high, decimals, lang)}"


_EIGHTHS = ("", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589")


def bar(share: float, width: int = 20) -> str:
    """A bar of block characters, empty below half an eighth."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    return "\u2588" * (eighths // 8) + _EIGHTHS[eighths % 8]


def text(document: Document, *, colour: bool = False) -> str:
    """Plain text for a terminal, legible without colour."""
    lines = [_styled(printable(document.title), "1", colour), ""]
    for block in document.blocks:
        if isinstance(block, str):
            lines += [printable(block), ""]
        if not isinstance(block, Table):
            continue
        block = replace(
            block,
            columns=tuple(map(printable, block.columns)),
            rows=tuple(tuple(map(printable, row)) for row in block.rows),
        )
        if block.caption:
            lines.append(_styled(printable(block.caption), "1", colour))
        widths = [
            max(len(row[i]) for row in (block.columns, *block.rows))
            for i in range(len(block.columns))
        ]
        head = _row(block.columns, widths, block.numbers)
        lines += [_styled(head, "2", colour), _styled("\u2500" * len(head), "2", colour)]
        for i, row in enumerate(block.rows):
            shades = block.shades[i] if block.shades and colour else ()
            line = _row(row, widths, block.numbers, shades)
            share = block.shares[i] if block.shares else None
            if share is not None:
                line = f"{line}  {_styled(bar(share), _shade(share), colour)}".rstrip()
            lines.append(line)
        lines.append("")
    lines += [_styled(printable(line), "2", colour) for line in document.source]
    return "\n".join(lines).rstrip() + "\n"


def printable(line: str) -> str:
    """A text without control characters, which would move a terminal's cursor; line ends stay."""
    if line.isprintable():
        return line
    return "".join(c for c in line if c == "\n" or unicodedata.category(c) != "Cc")


def _row(
    cells: tuple[str, ...],
    widths: list[int],
    numbers: frozenset[int],
    shades: tuple[float | None, ...] = (),
) -> str:
    aligned = [
        cell.rjust(width) if i in numbers else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    if shades:
        # the space beside a cell is coloured with it, so that the colours join
        pairs = zip(aligned, shades, strict=True)
        return " ".join(_shaded(f"{cell} ", shade) for cell, shade in pairs)
    return "  ".join(aligned).rstrip()


def _shaded(cell: str, shade: float | None) -> str:
    """A cell in black on the colour of its value."""
    if shade is None:
        return cell
    return f"\x1b[38;5;16;48;5;{SCALE[_step(shade)][0]}m{cell}\x1b[0m"


SCALE = (
    (67, "#6f9bc8"), (110, "#8fb4d8"), (152, "#b4d2e0"), (188, "#dcdcd8"),
    (223, "#f6dfb6"), (221, "#f3cd79"), (215, "#efb05c"), (173, "#dd8a55"),
)  # fmt: skip
"""Colours from 0 to 1, in terminals and on pages: blue to orange, black legible on each."""


def colour_of(share: float) -> str:
    """Colour of a value from 0 to 1 on a page."""
    return SCALE[_step(share)][1]


def _step(share: float) -> int:
    return min(max(int(share * len(SCALE)), 0), len(SCALE) - 1)


def _styled(line: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{line}\x1b[0m" if colour and line else line


def _shade(share: float) -> str:
    """Terminal colour by value: blue where it is small, orange where it is large."""
    return "38;5;" + ("67", "73", "179", "172")[min(int(share * 4), 3)]


def markdown(document: Document) -> str:
    """Markdown with pipe tables."""
    lines = [f"# {escaped(document.title)}", ""]
    for block in document.blocks:
        if isinstance(block, str):
            lines += [escaped(block), ""]
            continue
        if isinstance(block, Picture):
            # a picture that was not written is nowhere to be shown from
            lines += [f"![{escaped(block.text)}](<{block.file}>)", ""] if block.file else []
            continue
        if block.caption:
            lines += [f"**{escaped(block.caption)}**", ""]
        rule = ["---:" if i in block.numbers else "---" for i in range(len(block.columns))]
        for row in (block.columns, None, *block.rows):
            cells = rule if row is None else [escaped(cell).replace("|", "\\|") for cell in row]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    lines += [f"*{escaped(line)}*  " for line in document.source]
    return "\n".join(lines).rstrip() + "\n"


_MARKS = re.compile(r"[\\`*\[\]]|<(?=[A-Za-z/!?])|(?<![^\W_])_|_(?![^\W_])")


def escaped(line: str) -> str:
    """A text that Markdown shows as it is: a name may hold its marks, or a page's tags."""
    return _MARKS.sub(lambda mark: "&lt;" if mark[0] == "<" else f"\\{mark[0]}", printable(line))


def html(document: Document) -> str:
    """A fragment of HTML: heading, paragraphs, tables."""
    parts = [f"<section class='chargesim'><h2>{escape(document.title)}</h2>"]
    for block in document.blocks:
        if isinstance(block, str):
            parts.append(f"<p>{escape(block)}</p>")
            continue
        if isinstance(block, Picture):
            data = b64encode(block.svg.encode()).decode()
            source = f"data:image/svg+xml;base64,{data}"
            parts.append(f"<figure><img src='{source}' alt='{escape(block.text)}'></figure>")
            continue
        parts.append("<table>")
        if block.caption:
            parts.append(f"<caption>{escape(block.caption)}</caption>")
        head = "".join(f"<th>{escape(c)}</th>" for c in block.columns)
        head += "<th></th>" if block.shares else ""
        parts.append(f"<thead><tr>{head}</tr></thead><tbody>")
        for place, row in enumerate(block.rows):
            shades = block.shades[place] if block.shades else (None,) * len(row)
            cells = "".join(
                f"<td{_cell_style(i in block.numbers, shades[i])}>{escape(c)}</td>"
                for i, c in enumerate(row)
            )
            cells += _html_bar(block.shares[place]) if block.shares else ""
            parts.append(f"<tr>{cells}</tr>")
        parts.append("</tbody></table>")
    source = "<br>".join(escape(line) for line in document.source)
    parts.append(f"<p><small>{source}</small></p></section>")
    return "\n".join(parts) + "\n"


def _html_bar(share: float | None) -> str:
    """A cell with a bar."""
    if share is None:
        return "<td></td>"
    width = f"{100 * min(max(share, 0.0), 1.0):.1f}"
    bar = f"<div style='width:{width}%;height:.8em;background:#0072B2'></div>"
    return f"<td style='min-width:10em'>{bar}</td>"


def _cell_style(is_number: bool, shade: float | None) -> str:
    style = ["text-align:right"] if is_number else []
    if shade is not None:
        style += ["color:#000", f"background:{colour_of(shade)}"]
    return f" style={';'.join(style)}" if style else ""


def comma_separated(document: Document, lang: str = "en") -> str:
    """CSV of all tables, unrounded, each under its own headings.

    Where there are several, the first column tells them apart by name. A caveat is the last row.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    tables = [block for block in document.blocks if isinstance(block, Table)]
    several = len(tables) > 1
    first = translation("chargesim", lang).gettext("table")
    before: tuple[str, ...] = ()
    for table in tables:
        heads = table.columns if table.heads is None else table.heads
        if heads != before:
            writer.writerow([first, *heads] if several else heads)
        before = heads
        name = [table.name or table.caption] if several else []
        for row in table.rows if table.raw is None else table.raw:
            writer.writerow([_inert(cell) for cell in (*name, *row)])
    if document.caveat:
        writer.writerow([translation("chargesim", lang).gettext("note"), document.caveat])
    return out.getvalue()


_FORMULA = re.compile(r"^[\t\r\n]*[=+\-@]")
_NUMBER = re.compile(r"^[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?\+?$|^-$")


def _inert(cell: object) -> object:
    """A cell that a spreadsheet does not take for a formula: an apostrophe before what looks so."""
    if not isinstance(cell, str) or _NUMBER.match(cell) or not _FORMULA.match(cell):
        return cell
    return f"'{cell}"


def page(document: Document, lang: str) -> str:
    """A whole HTML page around the fragment."""
    return (
        f"<!doctype html>\n<html lang='{lang}'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>{escape(document.title)}</title><style>{_STYLE}</style></head><body>\n"
        f"{html(document)}</body></html>\n"
    )


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;"
    "color-scheme:light dark}"
    "table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}"
    "caption{text-align:left;font-weight:600}th,td{padding:.2em .8em;text-align:left;"
    "border-bottom:1px solid #8884}figure{margin:1em 0}img{max-width:100%;background:#fff}"
    "p{max-width:50em}td[style^='text-align:right']{white-space:nowrap}"
)
FORMATS = ("text", "json", "csv", "markdown", "html")


def write(document: Document, form: str, lang: str, *, colour: bool = False) -> str:
    """A document in one of the forms ``text``, ``csv``, ``markdown`` and ``html``."""
    if form == "csv":
        return comma_separated(document, lang)
    if form == "markdown":
        return markdown(document)
    if form == "html":
        return page(document, lang)
    return text(document, colour=colour)
