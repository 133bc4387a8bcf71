"""Payoffs as a document, and what both sides do in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chargesim.report.grid_tables import axis_label, cell_text, level, value_label
from chargesim.report.labels import label
from chargesim.report.payoffs import AND
from chargesim.report.provenance import made_by, provenance
from chargesim.report.render import Document, Table, number
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.payoffs import Payoff, Payoffs
    from chargesim.report.values import Estimate

REPLY, CHOSEN = "\u25c0", "\u25c0\u25c0"
"""Marks of the best reply to an option, and of that to the best option."""


def payoff_label(found: Payoffs, lang: str) -> str:
    """What the payoffs are."""
    say = translation("chargesim", lang).gettext
    if found.value is not None:
        return value_label(found.value, lang)
    goal = found.scenario.model.goal
    if goal.active is None and goal.reactive is None:
        return say("swing in points, to the charger")
    return say("what each side plays for, charger / target")


def reply_label(name: str, lang: str) -> str:
    """A reaction for people, such as to stand and shoot ``at`` one of several chargers."""
    word, at, unit = name.partition(" at ")
    if not at or name == label(name, "en"):
        return label(name, lang)
    if label(name, lang) != name:
        return label(name, lang)
    say = translation("chargesim", lang).gettext
    return say("{choice} at {unit}").format(choice=label(word, lang), unit=unit)


def option_label(found: Payoffs, name: str, lang: str) -> str:
    """An option of the charger for people: its own words, those of a choice, or of an axis."""
    path, equals, value = name.partition(" = ")
    if equals and path in found.scenario.paths:
        return f"{axis_label(found.scenario, path, lang)} = {level(value, lang)}"
    texts = []
    for part in name.split(", "):
        unit, colon, word = part.rpartition(": ")
        words = AND.join(label(one, lang) for one in word.split(AND))
        texts.append(f"{unit}{colon}{words}")
    return ", ".join(texts)


def payoff_text(found: Payoffs, cell: Payoff, lang: str) -> str:
    """A payoff with the decimals of its error; both where one number does not tell both."""
    one = _text(found, cell.charger, lang)
    if found.value is not None or found.is_opposed:
        return one
    return f"{one} / {_text(found, cell.target, lang)}"


def _text(found: Payoffs, cell: Estimate, lang: str) -> str:
    if found.is_chance:
        return cell_text(cell, lang, mean=False)
    # worth is in points: three decimals of a hundred are more than anybody plays for
    exact = cell.is_exact
    shown = number(cell.value, 2, lang) if exact else cell_text(cell, lang, mean=True)
    return shown.replace("-", "\u2212")


def verdict(found: Payoffs, lang: str) -> str:
    """What both do when both choose well, and what that is worth."""
    say = translation("chargesim", lang).gettext
    option = found.best_option
    reply = found.best_replies[option]
    words = {
        "option": option_label(found, found.options[option], lang),
        "reply": reply_label(found.replies[reply], lang),
        "unit": found.unit,
        "value": payoff_label(found, lang),
        "amount": payoff_text(found, found.cells[option][reply], lang),
    }
    if len(found.options) == 1:
        text = say("Best for {unit}: {reply}. That is worth {amount} ({value}).")
    else:
        text = say(
            "Best for the charger: {option}; best answer of {unit}: {reply}. That is worth "
            "{amount} ({value})."
        )
    return text.format(**words)


def payoffs_document(found: Payoffs, lang: str) -> Document:
    """Options by reactions, the best of both marked.

    Parameters
    ----------
    found
        The payoffs.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    replies, chosen = found.best_replies, found.best_option
    rows, raw, shades = [], [], []
    values = [cell.charger.value for row in found.cells for cell in row]
    low, high = min(values), max(values)
    for i, (name, row) in enumerate(zip(found.options, found.cells, strict=True)):
        texts = []
        for j, cell in enumerate(row):
            mark = (CHOSEN if i == chosen else REPLY) if j == replies[i] else ""
            shown = payoff_text(found, cell, lang) if cell.allowed else say("not allowed")
            texts.append(f"{shown} {mark:<2}")
            ends = [
                number for side in (cell.charger, cell.target)
                for number in (side.value, side.low, side.high)
            ]  # fmt: skip
            best = j == replies[i]
            raw.append((name, found.replies[j], *ends, cell.allowed, best, best and i == chosen))
        rows.append((option_label(found, name, lang), *texts))
        shares = [(cell.charger.value - low) / ((high - low) or 1.0) for cell in row]
        shades.append((None, *(s if c.allowed else None for s, c in zip(shares, row, strict=True))))
    heads = (say("option"), *(reply_label(name, lang) for name in found.replies))
    text = say("{value}; across: reactions of {unit}")
    table = Table(
        heads,
        tuple(rows),
        text.format(value=payoff_label(found, lang), unit=found.unit),
        (),
        tuple(raw),
        frozenset(range(1, len(heads))),
        heads=(
            "option", "reaction", "charger", "charger_low", "charger_high", "target", "target_low",
            "target_high", "allowed", "best_reply", "best",
        ),
        shades=tuple(shades),
    )  # fmt: skip
    marks = say("{reply} best answer to the option; {chosen} best option with its answer.")
    caveat = found.scenario.caveat(lang)
    blocks: list[str | Table] = [table, marks.format(reply=REPLY, chosen=CHOSEN)]
    blocks += [verdict(found, lang), *([caveat] if caveat else [])]
    return Document(found.scenario.title, tuple(blocks), source(found, lang), caveat)


def source(found: Payoffs, lang: str) -> tuple[str, ...]:
    """How the numbers were made."""
    made = made_by(found.trials, found.seed, lang, mean=not found.is_chance)
    return (made, *provenance(found.scenario, lang))
