"""Pictures of matplotlib within a page: ids of their own, colours that follow light and dark."""

from __future__ import annotations

import re

VARIABLES = {
    "#ffffff": "--paper",
    "#000000": "--ink",
    "#555555": "--muted",
    "#777777": "--muted",
    "#bbbbbb": "--bar",
    "#dddddd": "--rule",
    "#0072b2": "--c1",
    "#d55e00": "--c2",
    "#009e73": "--c3",
    "#cc79a7": "--c4",
    "#e69f00": "--c5",
    "#56b4e9": "--c6",
}
"""Colours of figures, and the colours of the page that stand in their place."""
INK_ON_COLOUR, PAPER_ON_COLOUR = "#010101", "#fefefe"
"""Black and white of texts upon a colour, the same in light and dark."""
_COLOUR = re.compile("|".join(VARIABLES), re.IGNORECASE)
_ID = re.compile(r'(\bid="|xlink:href="#|\bhref="#|url\(#)')


def inline(svg: str, prefix: str, *, follows: bool = True) -> str:
    """A picture to stand within a page.

    Parameters
    ----------
    svg
        A file as matplotlib writes it.
    prefix
        Put before its ids, which else meet those of other pictures.
    follows
        True for colours that follow light and dark.
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    # a style sheet within a picture holds for the whole page
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.DOTALL)
    body = re.sub(r'(<svg\b[^>]*?)\s(?:width|height)="[^"]*"', r"\1", body, count=1)
    body = re.sub(r'(<svg\b[^>]*?)\s(?:width|height)="[^"]*"', r"\1", body, count=1)
    body = _ID.sub(lambda match: f"{match[1]}{prefix}-", body)
    if follows:
        body = _COLOUR.sub(lambda match: f"var({VARIABLES[match[0].lower()]})", body)
    return re.sub(r"\n\s*", "\n", body).replace("<svg ", '<svg aria-hidden="true" ', 1).strip()
