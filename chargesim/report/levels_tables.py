"""The answer to an inverse question as a document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chargesim.report.grid_tables import cell_text, grid_document, grid_label, level
from chargesim.report.render import Document, Table, number
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.levels import Levels


def reach_text(found: Levels, lang: str) -> str:
    """What is asked for, for people."""
    if found.grid.is_mean:
        return f"{found.reach:g}".replace(".", "," if lang == "es" else ".")
    shown = number(100 * found.reach, 6, lang).rstrip("0").rstrip(".,")
    return f"{shown} %"


def verdict(found: Levels, lang: str) -> str:
    """From which level on, up to which, never, always, or every crossing."""
    say = translation("chargesim", lang).gettext
    words: dict[str, Any] = {
        "value": grid_label(found.grid, lang),
        "reach": reach_text(found, lang),
    }
    crossings = found.crossings
    if found.undecided and not crossings and not found.reached:
        text = say("Not decided: {levels}; more trials would tell.")
        return text.format(levels=_list(found, found.undecided, lang))
    if not found.reached:
        best = _extreme(found, greatest=True)
        if best is None:
            return say("\u201c{value}\u201d is undefined at every level.").format(**words)
        text = say("\u201c{value}\u201d never reaches {reach}: at most {most}, at {level}.")
        return text.format(**words, most=best[1](lang), level=level(best[0], lang))
    least = _extreme(found, greatest=False)
    if not crossings and found.undecided:
        text = say("\u201c{value}\u201d reaches {reach} at {levels}.")
        shown = text.format(**words, levels=_list(found, found.reached, lang))
    elif not crossings and least is not None:
        text = say("\u201c{value}\u201d always reaches {reach}: at least {least}, at {level}.")
        shown = text.format(**words, least=least[1](lang), level=level(least[0], lang))
    elif len(crossings) == 1:
        shown = _once(found, words, lang)
    else:
        text = say("\u201c{value}\u201d reaches {reach} more than once, at {levels}: {crossings}.")
        changes = ", ".join(_change(one, lang) for one in crossings)
        shown = text.format(**words, levels=_list(found, found.reached, lang), crossings=changes)
    if found.undecided:
        text = say("Not decided: {levels}; more trials would tell.")
        shown += " " + text.format(levels=_list(found, found.undecided, lang))
    return shown


def _once(found: Levels, words: dict[str, Any], lang: str) -> str:
    say = translation("chargesim", lang).gettext
    (change,) = found.crossings
    here, there = change.before, change.after
    if change.rises:
        here, there = there, here
        text = say(
            "\u201c{value}\u201d reaches {reach} from {level} on: {here} there, {there} at {other}."
        )
    else:
        text = say(
            "\u201c{value}\u201d reaches {reach} up to {level}: {here} there, {there} at {other}."
        )
    return text.format(
        **words,
        level=level(here, lang),
        other=level(there, lang),
        here=_value(found, here, lang),
        there=_value(found, there, lang),
    )


def _change(one: Any, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    text = (
        say("up between {before} and {after}")
        if one.rises
        else say("down between {before} and {after}")
    )
    return text.format(before=level(one.before, lang), after=level(one.after, lang))


def _value(found: Levels, at: Any, lang: str) -> str:
    cell = found.cells[found.values.index(at)]
    return cell_text(cell, lang, mean=found.grid.is_mean)


def _extreme(found: Levels, *, greatest: bool) -> tuple[Any, Any] | None:
    """Level of the greatest or least value, and a function that writes the value."""
    cells = [(v, c) for v, c in zip(found.values, found.cells, strict=True) if c.value == c.value]
    if not cells:
        return None
    best = (max if greatest else min)(cells, key=lambda pair: pair[1].value)
    return best[0], lambda lang: cell_text(best[1], lang, mean=found.grid.is_mean)


def _list(found: Levels, wanted: list[Any], lang: str) -> str:
    """Levels, those that follow each other on a numeric axis as a span."""
    places = [found.values.index(value) for value in wanted]
    spans: list[list[int]] = []
    for place in places:
        if spans and place == spans[-1][1] + 1:
            spans[-1][1] = place
        else:
            spans.append([place, place])
    texts = []
    for first, last in spans:
        one, other = (level(found.values[place], lang) for place in (first, last))
        texts.append(one if first == last else f"{one} \u2026 {other}")
    return ", ".join(texts)


def levels_document(found: Levels, lang: str) -> Document:
    """The verdict, and the value at every level.

    Parameters
    ----------
    found
        The answer.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    marks = {True: say("yes"), False: say("no"), None: say("not decided")}
    whole = grid_document(found.grid, lang)
    (table,) = (block for block in whole.blocks if isinstance(block, Table))
    head = say("reaches {reach}").format(reach=reach_text(found, lang))
    rows = tuple((*row, marks[s]) for row, s in zip(table.rows, found.states, strict=True))
    raw = tuple((*row, s) for row, s in zip(table.raw or (), found.states, strict=True))
    wider = replace(
        table,
        columns=(*table.columns, head),
        rows=rows,
        raw=raw,
        heads=(*(table.heads or ()), "reached"),
        shades=tuple((*row, None) for row in table.shades),
    )
    rest = tuple(block for block in whole.blocks if not isinstance(block, Table))
    return replace(whole, blocks=(verdict(found, lang), wider, *rest))
