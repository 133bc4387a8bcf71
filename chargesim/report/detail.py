"""One side of a result by itself: a distribution, or the losses of a unit by how they end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chargesim.engine.outcomes import quantity
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.report.casualties import Casualties
from chargesim.report.caveats import caveat_of
from chargesim.report.labels import label
from chargesim.report.provenance import source_lines
from chargesim.report.render import Document, Table
from chargesim.report.result_tables import spread_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chargesim.report.result import Result

KINDS = ("casualties", "exactly", "at_least")


class Distribution:
    """How a quantity is distributed.

    Parameters
    ----------
    result
        A solved scenario.
    name
        A quantity such as ``"shooting_casualties"`` or ``"boars:models_left"``.
    upward
        True where it is to be drawn as the chance of at least each value, false as that of exactly.

    Raises
    ------
    InputError
        When there is no such quantity.
    """

    def __init__(self, result: Result, name: str, *, upward: bool = False) -> None:
        self.result, self.name, self.upward = result, name, upward
        self.part, self.quantity = quantity(result.views, name)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON: value, chances of exactly and at least it, with intervals."""
        result, found = self.result, self.quantity
        arises = found.values == found.values if found.arises is None else found.arises
        rows = []
        for value, exactly in result.spread(self.part, found).items():
            above = result.chance(self.part, (found.values >= value) & arises)
            rows.append({"value": value, "exactly": _plain(exactly), "at_least": _plain(above)})
        return {
            **result.heading,
            **caveat_of(result.scenario),
            "quantity": self.name,
            "distribution": rows,
        }

    def plot(self, **options: Any) -> Axes:
        """Draw it as bars, or upward as a curve."""
        from chargesim.report import figures, figures_outcomes

        draw = figures_outcomes.at_least if self.upward else figures.distribution
        return draw(self.result, self.name, **options)

    def document(self, lang: str) -> Document:
        """Its table, with how it was made."""
        result = self.result
        prefix, colon, word = self.name.rpartition(":")
        named = (self.name, f"{prefix}{colon} {label(word, lang)}".strip())
        table = spread_table(result, self.part, self.quantity, named, lang)
        caveat = result.scenario.caveat(lang)
        blocks: list[str | Table] = [table, *([caveat] if caveat else [])]
        return Document(result.scenario.title, tuple(blocks), source_lines(result, lang), caveat)


def _plain(estimate: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("p", "low", "high"), estimate, strict=True))


def read_detail(text: str) -> Callable[[Result], Casualties | Distribution]:
    """Read what is to be shown, such as ``casualties:boars`` or ``at_least:impact_wounds``.

    Raises
    ------
    InputError
        When it is none of the kinds.
    """
    kind, colon, name = text.strip().partition(":")
    if not colon or kind not in KINDS or not name.strip():
        raise InputError(
            f"show: {text!r} cannot be shown{nearest(kind, KINDS)}: write casualties:UNIT, "
            "exactly:QUANTITY or at_least:QUANTITY"
        )
    if kind == "casualties":
        return lambda result: Casualties(result, name.strip())
    return lambda result: Distribution(result, name.strip(), upward=kind == "at_least")
