"""Losses of a unit by how its charge ends: a distribution split by outcome."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.report.caveats import caveat_of
from chargesim.report.labels import label
from chargesim.report.provenance import source_lines
from chargesim.report.render import Document, Table, number, percent
from chargesim.report.shown import Shown
from chargesim.words import translation

if TYPE_CHECKING:
    import pandas as pd

    from chargesim.report.result import Result
    from chargesim.rulesets import View

Estimate = tuple[float, float, float]
"""Probability with the ends of its interval."""
MOST_COLUMNS = 8
"""Columns of losses in a table for people; more values are drawn together."""
Mask = np.ndarray[Any, Any]


class Casualties(Shown):
    """How much a unit loses, split by how its charge and the combat after it end.

    Parameters
    ----------
    result
        A solved scenario.
    unit
        Name of the unit.

    Attributes
    ----------
    counted
        What it loses: ``"models"`` or ``"increments"``.
    values
        How many are lost, rising.
    ends
        Words of the ends that came about, in the order of the sequence, then best first for the
        charging side; they exclude each other, and their probabilities add up to 1.

    Raises
    ------
    InputError
        When there is no such unit.
    """

    def __init__(self, result: Result, unit: str) -> None:
        if unit not in result.units:
            known = list(result.units)
            raise InputError(f"unit: there is no unit {unit!r}{nearest(unit, known)}")
        self.result, self.unit = result, unit
        self.part, view = result.units[unit]
        left = next(name for name in view.quantities if name.endswith("_left"))
        self.counted = left.removesuffix("_left")
        start = getattr(result.scenario.model.unit[unit], self.counted)
        lost = int(start) - np.asarray(view.quantities[left].values, np.int64)
        seen = result.tallies[self.part].weights > 0
        self.values = tuple(int(value) for value in np.unique(lost[seen]))
        masks = {word: mask & seen for word, mask in _ends(result, unit).items()}
        self.ends = tuple(word for word, mask in masks.items() if mask.any())
        self._lost, self._masks = lost, masks

    def joint(self, low: int, high: int, end: str | None = None) -> Estimate:
        """Chance of losing so many, together with an end or whatever the end.

        Parameters
        ----------
        low, high
            How many are lost, both ends included.
        end
            One of ``ends``, or ``None`` for all of them.

        Returns
        -------
        tuple of float
            p, low, high.
        """
        mask = (self._lost >= low) & (self._lost <= high)
        return self.result.chance(self.part, mask if end is None else mask & self._masks[end])

    def end(self, end: str) -> Estimate:
        """Chance of an end: p, low, high."""
        return self.result.chance(self.part, self._masks[end])

    def mean(self, end: str | None = None) -> float:
        """Mean of what is lost, given an end or over all of them."""
        weights = self.result.tallies[self.part].probabilities
        mask = np.ones(self._lost.shape, bool) if end is None else self._masks[end]
        return float(np.dot(weights[mask], self._lost[mask]) / weights[mask].sum())

    def frame(self) -> pd.DataFrame:
        """Joint probabilities: a row a number of losses, a column an end."""
        import pandas as pd

        index = pd.Index(self.values, name=f"{self.counted} lost")
        cells = [[self.joint(value, value, end)[0] for end in self.ends] for value in self.values]
        return pd.DataFrame(cells, index=index, columns=pd.Index(self.ends, name="end"))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON: the joint distribution, and the mean of each end."""
        return {
            **self.result.heading,
            **caveat_of(self.result.scenario),
            "unit": self.unit,
            "counted": self.counted,
            "mean": self.mean(),
            "ends": {
                end: {
                    **dict(zip(("p", "low", "high"), self.end(end), strict=True)),
                    "mean": self.mean(end),
                    "lost": {
                        str(value): p
                        for value in self.values
                        if (p := self.joint(value, value, end)[0]) > 0
                    },
                }
                for end in self.ends
            },
        }

    def plot(self, **options: Any) -> Any:
        """Draw it: a stacked bar a number of losses, one colour an end.

        Parameters
        ----------
        **options
            ``ax``, ``lang``, as in :mod:`chargesim.report.figures_outcomes`.
        """
        from chargesim.report.figures_outcomes import casualties

        return casualties(self, **options)

    def document(self, lang: str) -> Document:
        """A row an end, with its chance and mean loss, and across how much is lost."""
        return casualties_document(self, lang)

    def _document(self) -> Document:
        return self.document("en")

    def __repr__(self) -> str:
        return f"Casualties({self.unit!r}, mean {self.mean():.3f} {self.counted} lost)"


def _ends(result: Result, unit: str) -> dict[str, Mask]:
    """Ends that concern a unit, each with its end states; they share all states among them.

    A charger ends as its charge does, and where that brings it into combat as the combat does; a
    charged unit as its combat, and where it is not fought as the charge on it. A unit that nobody
    charges, and that charges nobody, ends in its state.
    """
    ruleset, (part, own) = result.scenario.ruleset, result.units[unit]
    # what was counted apart cannot be split by each other
    charges = [view for other, view in result.charges if other == part]
    combats = [view for other, view in result.combats if other == part]
    charge = next((view for view in charges if view.labels["charger"] == unit), None) or next(
        (view for view in charges if unit in _targets(view)), None
    )
    if charge is None:
        return {word: own.codes == code for code, word in own.words.items()}
    found = {word: charge.codes == code for code, word in charge.words.items()}
    for view in combats:
        never = [code for code, word in view.words.items() if ruleset.fates[word] is None]
        fought = ~np.isin(view.codes, never)
        if view.labels["target"] != unit:
            fought = fought & _brought(charge, view, unit, ruleset.arrivals)
        if not fought.any():
            continue
        found = {word: mask & ~fought for word, mask in found.items()}
        for code, word in view.words.items():
            mask = fought & (view.codes == code)
            found[word] = found[word] | mask if word in found else mask
    order = [*ruleset.fall, *(w for w in found if w not in ruleset.fates), *ruleset.fates]
    return {word: found[word] for word in dict.fromkeys(order) if word in found}


def _targets(view: View) -> list[str]:
    return list(view.labels.get("targets", [view.labels["target"]]))


def _brought(charge: View, combat: View, unit: str, arrivals: Collection[str]) -> Mask:
    """States in which a charge brings its unit into a combat."""
    never = np.zeros(charge.codes.shape, bool)
    if charge.labels["charger"] != unit or unit not in combat.labels["chargers"]:
        return never
    if not arrivals:
        return never  # its words say themselves how the melees went
    target = combat.labels["target"]
    if target == charge.labels["target"]:
        alone = len(combat.labels["chargers"]) == 1
        return ~never if alone else _is(charge, arrivals)
    inner = [one for one in charge.within.values() if one.labels["target"] == target]
    mask: Mask = np.logical_or.reduce([never, *(_is(one, arrivals) for one in inner)])
    return mask


def _is(view: View, words: Collection[str]) -> Mask:
    return np.isin(view.codes, [code for code, name in view.words.items() if name in words])


def _spans(values: tuple[int, ...]) -> list[tuple[int, int]]:
    """At most so many columns of losses, each of as many values."""
    first, last = values[0], values[-1]
    step = -(-(last - first + 1) // MOST_COLUMNS)
    return [(low, min(low + step - 1, last)) for low in range(first, last + 1, step)]


def lost_label(found: Casualties, lang: str) -> str:
    """What is counted, for people."""
    say = translation("chargesim", lang).gettext
    text = (
        say("{unit}: models lost") if found.counted == "models" else say("{unit}: increments lost")
    )
    return text.format(unit=found.unit)


def casualties_document(found: Casualties, lang: str) -> Document:
    """A row an end, with its chance and mean loss, and across how much is lost.

    Parameters
    ----------
    found
        The losses.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    result, title = found.result, lost_label(found, lang)
    exact = result.is_exact

    def shown(estimate: Estimate) -> str:
        return percent(*estimate, lang, exact=exact)

    spans = _spans(found.values)

    def row(name: str, end: str | None, whole: str) -> tuple[str, ...]:
        mean = number(found.mean(end), 3 if exact else 2, lang)
        return (name, whole, mean, *(shown(found.joint(*span, end)) for span in spans))

    rows = [row(label(end, lang), end, shown(found.end(end))) for end in found.ends]
    rows.append(row(say("however it ends"), None, "100 %"))
    heads = (
        say("how it ends"),
        say("probability"),
        say("mean lost"),
        *(str(low) if low == high else f"{low}\u2013{high}" for low, high in spans),
    )
    table = Table(
        heads,
        tuple(rows),
        say("Losses by how it ends; across: {what}").format(what=title),
        (),
        tuple(
            (end, value, *found.joint(value, value, end))
            for end in found.ends
            for value in found.values
        ),
        frozenset(range(1, len(heads))),
        heads=(say("outcome"), f"{found.counted}_lost", "p", say("low"), say("high")),
    )
    caveat = result.scenario.caveat(lang)
    blocks: list[str | Table] = [table, *([caveat] if caveat else [])]
    return Document(result.scenario.title, tuple(blocks), source_lines(result, lang), caveat)
