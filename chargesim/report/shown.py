"""Answers that show themselves: as tables in a notebook, as text where they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chargesim.report.render import Document


class Shown:
    """What has a document: a notebook shows it, and ``print`` prints it, in English."""

    def _document(self) -> Document:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from chargesim.report.render import html

        return html(self._document())

    def __str__(self) -> str:
        from chargesim.report.render import text

        return text(self._document()).rstrip()
