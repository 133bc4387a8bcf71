"""What matters most, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chargesim.report.caveats import caveats
from chargesim.report.compare_tables import ends, size
from chargesim.report.grid_tables import KEYS, axis_label, cell_text, level, value_label
from chargesim.report.provenance import made_by, provenance
from chargesim.report.render import Document, Table
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.variations import Variation
    from chargesim.report.why import Influence, Why

MOST_GROUPS = 20
"""So many things are shown to people; all of them stand in CSV and JSON."""


def change_text(change: Variation, lang: str) -> str:
    """Before and after, or what is taken away."""
    say = translation("chargesim", lang).gettext
    if change.new is None:
        key = KEYS.get(str(change.old))  # a table that is left out, else one of several words
        what = say(key) if key is not None else level(change.old, lang).replace("_", " ")
        return say("without {what}").format(what=what)
    return f"{level(change.old, lang)} \u2192 {level(change.new, lang)}"


def why_document(found: Why, lang: str) -> Document:
    """Changes and what they do to a value, the greatest first.

    Parameters
    ----------
    found
        The answer.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    mean = found.is_mean
    told = say("{value}: {amount} as it is.").format(
        value=value_label(found.value, lang),
        amount=cell_text(found.base.estimate, lang, mean=mean),
    )
    heads = [say("what"), say("change"), say("value")]
    heads.append(say("difference") if mean else say("difference, points"))
    heads += [] if found.is_exact else [say("interval (95 %)")]
    shown = found.mattering[:MOST_GROUPS]
    rows = tuple(_row(found, one, lang) for group in shown for one in group if one.matters)
    raw = found.rows()
    table = Table(
        tuple(heads),
        rows,
        say("What one change does to it, the greatest first"),
        (),
        tuple(tuple(row.values()) for row in raw),
        frozenset(range(2, len(heads))),
        heads=tuple(raw[0]) if raw else (),
    )
    blocks: list[str | Table] = [told, table]
    smaller = len(found.mattering) - len(shown)
    if smaller:
        blocks.append(say("{number} more matter less.").format(number=smaller))
    others = len(found.groups) - len(found.mattering)
    if others:
        text = say("No difference was found in {number} others: {names}.")
        names = [
            _name(found, group[0], lang)
            for group in found.groups
            if not any(one.matters for one in group)
        ]
        blocks.append(text.format(number=others, names="; ".join(dict.fromkeys(names))))
    caveat = " ".join(caveats([found.scenario], lang))
    return Document(found.scenario.title, tuple(blocks), source(found, lang), caveat)


def source(found: Why, lang: str) -> tuple[str, ...]:
    """What must be said of the numbers, and how they were made."""
    result = found.base.result
    return (
        *caveats([found.scenario], lang),
        made_by(result.trials, result.seed, lang, mean=found.is_mean),
        *provenance(found.scenario, lang),
    )


def _name(found: Why, one: Influence, lang: str) -> str:
    return axis_label(found.scenario, one.change.path, lang)


def _row(found: Why, one: Influence, lang: str) -> tuple[str, ...]:
    row = [
        _name(found, one, lang),
        change_text(one.change, lang),
        cell_text(one.entry.estimate, lang, mean=found.is_mean),
    ]
    sign = "+" if one.difference.value > 0 else ""
    row.append(sign + size(one.difference, lang, found.is_mean))
    if not found.is_exact:
        span = " \u2026 ".join(ends(one.difference, lang, found.is_mean))
        row.append("\u2013" if one.difference.how == "exact" else span)
    return tuple(row)
