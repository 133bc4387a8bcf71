"""From the rendered Markdown of an article to its files: Markdown with images, one HTML page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

import chargesim
from chargesim.errors import InputError
from chargesim.report.article.blocks import BEGIN, CLOSE, END, MIDDLE, OPEN, Block, FigureBlock
from chargesim.report.article.functions import Judged
from chargesim.report.article.numbers import unrounded
from chargesim.report.article.template import escape_markdown
from chargesim.words import translation

MOST_IMAGE_BYTES = 5_000_000
IMAGES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
    ".webp": "image/webp", ".svg": "image/svg+xml",
}  # fmt: skip
"""Kinds of pictures of the author's own."""
Facts = Sequence[tuple[str, str]]
_TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")
_CLAIM = re.compile(f"{BEGIN}(\\d+){MIDDLE}(.*?){END}", re.DOTALL)
_MARKS = re.compile(f"{BEGIN}\\d+{MIDDLE}|{END}")


def markdown_page(
    text: str,
    blocks: Sequence[Block],
    title: str,
    summary: str,
    facts: Facts,
    command: str,
    lang: str,
    image: Callable[[int], str],
    copied: Callable[[str], str],
) -> str:
    """The article as Markdown.

    Parameters
    ----------
    text
        Rendered Markdown, with marks where blocks stand.
    blocks
        What stands there.
    title, summary
        Above it.
    facts, command
        How it is reproduced.
    lang
        ``"en"`` or ``"es"``.
    image
        Name of the file of a block's picture, from its number.
    copied
        Name of the copy of a picture of the author's own.
    """
    say = translation("chargesim", lang).gettext
    plain = _MARKS.sub("", text)
    plain = _OWN_IMAGE.sub(lambda m: f"{m[1]}{copied(m[2])}{m[3]}", plain)
    plain = _TOKEN.sub(lambda m: blocks[int(m[1])].markdown(image(int(m[1]))), plain)
    head = [f"# {escape_markdown(title)}", ""]
    if summary:
        head += [f"*{escape_markdown(summary)}*", ""]
    foot = [
        "",
        "---",
        "",
        f"## {say('How to reproduce this page')}",
        "",
        "```sh",
        command,
        "```",
        "",
    ]
    foot += [f"- **{name}:** {escape_markdown(told)}" for name, told in facts]
    return "\n".join([*head, _without_gaps(plain), *foot]) + "\n"


def _without_gaps(text: str) -> str:
    """Markdown with at most one empty line in a row, but within fences of code."""
    lines: list[str] = []
    fenced = False
    for line in text.strip().split("\n"):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.strip() or fenced or (lines and lines[-1]):
            lines.append(line.rstrip() if not line.strip() else line)
    return "\n".join(lines)


_OWN_IMAGE = re.compile(r"(!\[[^\]]*\]\()([^)\s]+)((?:\s[^)]*)?\))")


def own_images(text: str) -> list[str]:
    """Pictures of the author's own that Markdown names."""
    return [match[2] for match in _OWN_IMAGE.finditer(text)]


def html_page(
    text: str,
    blocks: Sequence[Block],
    claims: Sequence[Judged],
    title: str,
    summary: str,
    facts: Facts,
    command: str,
    lang: str,
    others: Sequence[tuple[str, str, str]],
    language: str,
    folder: Path,
) -> str:
    """The article as one page that needs nothing else.

    Parameters
    ----------
    text, blocks, title, summary, facts, command, lang
        As for :func:`markdown_page`.
    claims
        Sentences that were tested; each shows what it was tested for.
    others
        Name, code and file of the same article in other languages.
    language
        What its own language is called.
    folder
        Where the plan stands, for pictures of the author's own.

    Raises
    ------
    InputError
        For a block within a line of text, or a picture that cannot stand in the page.
    """
    say = translation("chargesim", lang).gettext
    content = _rendered(text, folder)
    lone = re.compile(f"<p>\\s*{_TOKEN.pattern}\\s*</p>")
    content = lone.sub(lambda m: blocks[int(m[1])].html(int(m[1]), lang), content)
    left = _TOKEN.search(content)
    if left is not None:
        what = "figure" if isinstance(blocks[int(left[1])], FigureBlock) else "table"
        raise InputError(
            f"{int(left[1])}:the {what} needs a paragraph of its own: leave a line free"
        )
    content = _CLAIM.sub(lambda m: _claim(claims[int(m[1])], m[2]), content)
    content = _MARKS.sub("", content)
    home = files("chargesim.report.article").joinpath("page")
    parts = {
        name: home.joinpath(f"page.{name}").read_text(encoding="utf-8") for name in ("css", "js")
    }
    digest = base64.b64encode(hashlib.sha256(parts["js"].encode()).digest()).decode()
    skeleton = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    ).from_string(home.joinpath("page.html").read_text(encoding="utf-8"))
    return skeleton.render(
        lang=lang,
        heading=say("How to reproduce this page"),
        choice=say("Languages"),
        title=title,
        summary=summary,
        # our own files, and what was escaped piece by piece
        style=Markup(parts["css"]),
        script=Markup(parts["js"]),
        script_hash=digest,
        version=chargesim.__version__,
        language=language,
        others=others,
        content=Markup(content),
        command=command,
        facts=facts,
    )


def _claim(claim: Judged, sentence: str) -> str:
    """A sentence that shows what it was tested for."""
    values = "; ".join(
        f"{text} = {unrounded(value)}" if not _is_number(text) else text
        for text, value in claim.sides
        if value.shape == ()
    )
    told = f"{claim.text}: {values}" if values else claim.text
    return f'<span class="claim" title="{escape(told, quote=True)}">{sentence}</span>'


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+\d./% ]+", text) is not None


def _rendered(text: str, folder: Path) -> str:
    """Markdown as HTML: no HTML of the author's, tables in boxes, pictures within the page."""
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    reader.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    reader.add_render_rule("image", lambda _, tokens, at, *__: _image(tokens[at], folder))
    for kind in ("th_open", "td_open"):
        reader.add_render_rule(kind, lambda _, tokens, at, *__: _cell(tokens[at]))
    found: str = reader.render(text)
    return found


def _cell(token: Any) -> str:
    """A cell of the author's own table; right-aligned ones are numbers."""
    right = "right" in str(token.attrs.get("style", ""))
    kind = ' class="n"' if right else ""
    return f"<{token.tag}{kind}>"


def _image(token: Any, folder: Path) -> str:
    source, alt = str(token.attrs["src"]), str(token.content)
    data = base64.b64encode(image_bytes(source, folder)).decode()
    if not alt.strip():
        raise InputError(f"image: {source!r} has no words for those who do not see it: ![what](…)")
    kind = IMAGES[Path(source).suffix.lower()]
    return f'<img src="data:{kind};base64,{data}" alt="{escape(alt, quote=True)}">'


def image_bytes(source: str, folder: Path) -> bytes:
    """A picture of the author's own.

    Raises
    ------
    InputError
        When it is not a file beside or below the plan, or none that pages can show.
    """
    if re.match(r"[a-z][a-z0-9+.-]*:|//", source, re.IGNORECASE):
        raise InputError(
            f"image: {source!r} is elsewhere: a page loads nothing, keep a copy beside"
        )
    place = (folder / source).resolve()
    if not place.is_relative_to(folder.resolve()):
        raise InputError(f"image: {source!r} is not beside or below the plan: move it there")
    if place.suffix.lower() not in IMAGES:
        raise InputError(f"image: {source!r} is no picture: {', '.join(IMAGES)}")
    try:
        with place.open("rb") as stream:
            data = stream.read(MOST_IMAGE_BYTES + 1)
    except OSError as error:
        raise InputError(f"image: {source!r} cannot be read ({error.strerror})") from None
    if len(data) > MOST_IMAGE_BYTES:
        raise InputError(f"image: {source!r} is too large: at most {MOST_IMAGE_BYTES:,} bytes")
    return data
