"""The answer to a scenario as a document: charges, combats, units and choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chargesim.report.charges import (
    Estimate,
    answer,
    charge_sentence,
    combat_sentence,
    combat_words,
    is_fought,
    waterfall,
)
from chargesim.report.labels import label, state_label
from chargesim.report.provenance import source_lines
from chargesim.report.render import Document, Table, interval, number, percent
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.result import Result
    from chargesim.rulesets import Quantity, View


MANY_VALUES, TAIL = 10, 0.005
"""A longer table of values has the ends that are rarer than this drawn together, for people."""


def result_document(result: Result, lang: str) -> Document:
    """The answer to a scenario.

    Each charge with its waterfall and what it cost, each combat with its outcome, how the units
    stand afterwards, what the rules replaced, and what else the players could have chosen.

    Parameters
    ----------
    result
        A solved scenario.
    lang
        ``"en"`` or ``"es"``.
    """
    blocks: list[str | Table] = []
    for place in range(len(result.charges)):
        blocks += _charge_blocks(result, place, lang)
    for place in range(len(result.combats)):
        blocks += _combat_blocks(result, place, lang)
    blocks.append(_units_table(result, lang))
    blocks += [f"[{note['rule']}] {note['text']}" for note in _notes(result, lang)]
    if result.alternatives:
        blocks.append(_alternatives_table(result, lang))
    caveat = result.scenario.caveat(lang)
    return Document(result.scenario.title, tuple(blocks), source_lines(result, lang), caveat)


def _notes(result: Result, lang: str) -> list[dict[str, Any]]:
    from chargesim.report.trace import notes

    return result.notes if lang == "en" else notes(result, lang)


def _charge_blocks(result: Result, place: int, lang: str) -> list[str | Table]:
    say = translation("chargesim", lang).gettext
    part, view = result.charges[place]
    blocks: list[str | Table] = [
        charge_sentence(view, lang),
        _fall_table(result, place, lang),
        *_costs(result, part, view, str(place), lang),
    ]
    for name, inner in view.within.items():
        words = result.words(part, inner)
        if words:
            text = say("Redirected to {target} when the first target fled; reaction: {reaction}.")
            blocks.append(
                text.format(
                    target=inner.labels["target"], reaction=label(inner.labels["reaction"], lang)
                )
            )
            key = f"{place}.{name}"
            caption = say("Where the redirected charge ends")
            blocks.append(_words_table(result, words, key, caption, lang))
            blocks += _costs(result, part, inner, key, lang)
    return blocks


def _costs(result: Result, part: int, view: View, key: str, lang: str) -> list[str | Table]:
    """The numbers of a view that are not certainly 0, and its facts that may be."""
    blocks: list[str | Table] = [
        spread_table(result, part, found, (f"{key}:{name}", label(name, lang)), lang)
        for name, found in view.quantities.items()
        if _is_telling(found)
    ]
    for name, flag in view.flags.items():
        estimate = result.chance(part, flag)
        if estimate[0] > 0:
            blocks.append(f"{label(name, lang)}: {_percent(result, estimate, lang)}")
    return blocks


def _combat_blocks(result: Result, place: int, lang: str) -> list[str | Table]:
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table] = [combat_sentence(result, place, lang)]
    if not is_fought(result, place):
        return blocks
    part, view = result.combats[place]
    if result.scenario.ruleset.arrivals:
        found = answer(result, place)
        blocks.append(
            say(
                "Arrives: {arrives}; arrives and wins the round: {wins}; breaks or wipes out the "
                "target: {breaks}; arrives, loses and breaks or is wiped out: {broken}."
            ).format(**{name: _percent(result, p, lang) for name, p in vars(found).items()})
        )
    key, caption = str(view.labels["target"]), say("How the combat ends")
    blocks.append(_words_table(result, combat_words(result, place), key, caption, lang))
    return blocks + _costs(result, part, view, key, lang)


def _is_telling(found: Quantity) -> bool:
    """False for what certainly is 0 or never arises."""
    telling = found.values != 0
    return bool((telling if found.arises is None else telling & found.arises).any())


def _percent(result: Result, estimate: Estimate, lang: str) -> str:
    return percent(*estimate, lang, exact=result.is_exact)


def _cells(result: Result, estimate: Estimate, lang: str) -> list[str]:
    """A probability, and where it is an estimate its interval, as texts."""
    shown = [_percent(result, estimate, lang)]
    return shown if result.is_exact else [*shown, interval(*estimate[1:], lang)]


def _heads(result: Result, name: str, lang: str) -> list[str]:
    """Headings of :func:`_cells`."""
    say = translation("chargesim", lang).gettext
    return [name] if result.is_exact else [name, say("interval (95 %), %")]


def _raw_heads(lang: str) -> tuple[str, ...]:
    say = translation("chargesim", lang).gettext
    return "p", say("low"), say("high")


def _fall_table(result: Result, charge: int, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    steps = waterfall(result, charge)
    heads = [say("outcome"), *_heads(result, say("probability"), lang), say("still charging")]
    rows = []
    for step in steps:
        left = (step.left, step.left_low, step.left_high)
        shown = _cells(result, (step.p, step.low, step.high), lang)
        after = "" if step is steps[-1] else _percent(result, left, lang)
        rows.append((label(step.word, lang), *shown, after))
    return Table(
        tuple(heads),
        tuple(rows),
        say("Where the charge ends"),
        tuple(step.p for step in steps),
        tuple((step.word, step.p, step.low, step.high, step.left) for step in steps),
        frozenset(range(1, len(heads))),
        str(charge),
        (say("outcome"), *_raw_heads(lang), say("still charging")),
    )


def _words_table(
    result: Result, words: dict[str, Estimate], key: str, caption: str, lang: str
) -> Table:
    say = translation("chargesim", lang).gettext
    heads = [say("outcome"), *_heads(result, say("probability"), lang)]
    return Table(
        tuple(heads),
        tuple((label(word, lang), *_cells(result, p, lang)) for word, p in words.items()),
        caption,
        tuple(p for p, _, _ in words.values()),
        tuple((word, *p) for word, p in words.items()),
        frozenset(range(1, len(heads))),
        key,
        (say("outcome"), *_raw_heads(lang)),
    )


def spread_table(
    result: Result, part: int, found: Quantity, name: tuple[str, str], lang: str
) -> Table:
    """Values of a quantity, exactly and at least; ``name``: its key, and what people call it."""
    say = translation("chargesim", lang).gettext
    spread = result.spread(part, found)
    values = found.values

    def among(low: int, high: int | None = None) -> Estimate:
        mask = values >= low if high is None else (values >= low) & (values <= high)
        return result.chance(part, mask if found.arises is None else mask & found.arises)

    def upward(value: int) -> Estimate:
        # nothing that always arises is below 0: certain, sampled or not
        return (1.0,) * 3 if found.arises is None and value == 0 else among(value)

    rows, shares = [], []
    for low, high in _drawn_together(spread):
        joint, above = among(low, high), upward(low)
        sure = above == (1.0,) * 3
        shown = percent(*above, lang, exact=result.is_exact or sure)
        rows.append((_span(low, high, spread), *_cells(result, joint, lang), shown))
        shares.append(joint[0])
    mass = sum(p for p, _, _ in spread.values())
    mean = number(sum(v * p for v, (p, _, _) in spread.items()) / mass, 3, lang)
    partly = found.arises is not None and not found.arises.all()
    told = say("mean {mean} where it arises") if partly else say("mean {mean}")
    heads = [say("value"), *_heads(result, say("exactly"), lang), say("at least")]
    return Table(
        tuple(heads),
        tuple(rows),
        f"{name[1]} ({told.format(mean=mean)})",
        tuple(shares),
        tuple((value, *p, upward(value)[0]) for value, p in spread.items()),
        frozenset(range(len(heads))),
        name[0],
        (say("value"), *_raw_heads(lang), say("at least")),
    )


def _drawn_together(spread: dict[int, Estimate]) -> list[tuple[int, int]]:
    """First and last value of each row: in a long table the rare ends make one row each."""
    values = sorted(spread)
    if len(values) <= MANY_VALUES:
        return [(value, value) for value in values]
    first, last = _tail(spread, values), _tail(spread, values[::-1])
    middle = values[first : len(values) - last]
    low = [(values[0], values[first - 1])] if first else []
    high = [(values[-last], values[-1])] if last else []
    return [*low, *((value, value) for value in middle), *high]


def _tail(spread: dict[int, Estimate], values: Sequence[int]) -> int:
    """How many of the first values are, together, rarer than :data:`TAIL`."""
    total, many = 0.0, 0
    for value in values:
        total += spread[value][0]
        if total >= TAIL:
            break
        many += 1
    return many


def _span(low: int, high: int, spread: dict[int, Estimate]) -> str:
    if low == high:
        return str(low)
    return f"\u2264 {high}" if low == min(spread) else f"\u2265 {low}"


def _units_table(result: Result, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    rows: list[tuple[str, ...]] = []
    raw: list[tuple[object, ...]] = []
    known = next(iter(result.units.values()))[1].quantities
    counted = "models_left" if "models_left" in known else "increments_left"
    for name, (part, view) in result.units.items():
        states = result.words(part, view)
        text = ", ".join(
            f"{state_label(w, lang)} {_percent(result, p, lang)}" for w, p in states.items()
        )
        left = result.spread(part, view.quantities[counted])
        mean = sum(value * p for value, (p, _, _) in left.items())
        rows.append((name, number(mean, 2, lang), text))
        raw += [(name, mean, word, *p) for word, p in states.items()]
    models, increments = say("models left, mean"), say("increments left, mean")
    heads = (say("unit"), models if counted == "models_left" else increments, say("state"))
    return Table(
        heads,
        tuple(rows),
        say("The units afterwards"),
        (),
        tuple(raw),
        frozenset({1}),
        say("units"),
        (*heads, *_raw_heads(lang)),
    )


def _alternatives_table(result: Result, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    interval_head = [] if result.is_exact else [say("interval (95 %)")]
    heads = [say("unit"), say("choice"), say("value"), *interval_head, say("chosen")]
    rows, raw = [], []
    for one in result.alternatives:
        value, low, high = one["value"], one["low"], one["high"]
        shown = [number(value, 3, lang)]
        if not result.is_exact:
            shown.append(f"{number(low, 3, lang)} \u2026 {number(high, 3, lang)}")
        mark = say("chosen") if one["chosen"] else ""
        rows.append((one["unit"], _choice(one["choice"], lang), *shown, mark))
        raw.append((one["unit"], one["choice"], value, low, high, one["chosen"]))
    return Table(
        tuple(heads),
        tuple(rows),
        say("What could have been chosen, and what it is worth to its owner"),
        (),
        tuple(raw),
        frozenset(range(2, len(heads) - 1)),
        say("alternatives"),
        (say("unit"), say("choice"), say("value"), say("low"), say("high"), say("chosen")),
    )


def _choice(name: str, lang: str) -> str:
    """An option for people, such as to stand and shoot ``at`` one of several chargers."""
    word, at, unit = name.partition(" at ")
    if not at:
        return label(word, lang)
    say = translation("chargesim", lang).gettext
    return say("{choice} at {unit}").format(choice=label(word, lang), unit=unit)
