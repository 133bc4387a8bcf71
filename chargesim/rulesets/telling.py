"""How a trial is told in every ruleset: sentences of events, and the lines that come of them.

The log of a trial holds the rules' notes and the chance nodes between them. The sentences of each
ruleset stand in its own ``telling_words``, and what the numbers of a note mean in its ``telling``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chargesim.words import translation

NOTE, TEST, SUM, COUNT, ESTIMATE, RACE, BANDS = range(7)
"""Kinds of log rows, as in :mod:`chargesim.kernels.dice`, which is not imported: it compiles."""


def mark(text: str) -> str:
    """Give a message back unchanged, for the tool that collects messages."""
    return text


def marks(one: str, many: str) -> tuple[str, str]:
    """Give a message that counts back unchanged: for one, for many."""
    return one, many


@dataclass(frozen=True)
class Sentence:
    """How an event is told.

    Parameters
    ----------
    rule
        Rule id.
    text
        English sentence; ``{unit}`` is the unit the event is about.
    fields
        What the numbers of the note mean, in their order, by placeholder.
    level
        0 for a step, 1 for what happened, 2 for how it was found out.
    is_note
        True when the event belongs to the notes of a result.
    many
        The sentence for other numbers than one where it counts its first field, else empty.
    """

    rule: str
    text: str
    fields: tuple[str, ...] = ()
    level: int = 1
    is_note: bool = False
    many: str = ""


class Sentences:
    """Makes the sentences of one ruleset.

    Parameters
    ----------
    prefix
        What its rule ids begin with, such as ``"WH6-"``.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def told(
        self, rule: str, text: str | tuple[str, str], fields: str = "", level: int = 1
    ) -> Sentence:
        """A sentence by its rule's id without the prefix; two texts when it counts."""
        one, many = (text, "") if isinstance(text, str) else text
        return Sentence(self.prefix + rule, one, tuple(fields.split()), level, many=many)

    def noted(self, rule: str, text: str, fields: str = "", level: int = 1) -> Sentence:
        """A sentence that belongs to the notes of a result."""
        return Sentence(self.prefix + rule, text, tuple(fields.split()), level, is_note=True)


@dataclass(frozen=True)
class Line:
    """One line of a trace.

    Parameters
    ----------
    rule
        Rule id.
    text
        What happened, the dice included.
    unit
        Name of the unit it is about, ``None`` for a step's heading.
    dice
        The dice alone, empty when none were rolled.
    is_note
        True when it belongs to the notes of a result: what the rules replaced or left out.
    level
        0 for the heading of a step, 1 for what happened, 2 for how it was found out.
    """

    rule: str
    text: str
    unit: str | None
    dice: str
    is_note: bool
    level: int


class Teller:
    """Collects the lines of a trial, and the dice that wait for theirs.

    Parameters
    ----------
    domain
        The ruleset's catalogue of messages.
    names
        Names of the units, in the order of their records.
    lang
        ``"en"`` or ``"es"``.
    step
        Sentence that heads a step, from its ``number`` and ``step``.
    steps
        Name of each step.
    """

    def __init__(
        self,
        domain: str,
        names: Sequence[str],
        lang: str,
        step: Sentence,
        steps: Mapping[Any, str],
    ) -> None:
        self.names, self.lang = names, lang
        self.say = translation(domain, lang).gettext
        self.lines: list[Line] = []
        self.waiting: list[str] = []
        self._heading: Line | None = None
        self._step, self._steps, self._number = step, steps, -1

    def number(self, value: Any) -> str:
        """A number with at most two decimals, in the language's form."""
        text = f"{float(value):.2f}".rstrip("0").rstrip(".")
        text = "0" if text == "-0" else text
        return text.replace(".", ",") if self.lang == "es" else text

    def step(self, number: int) -> None:
        """Begin a step, once for all who take a share in it; told when something happens in it."""
        if number == self._number:
            return
        self._number = number
        text = self.say(self._step.text).format(
            number=number + 1, step=self.say(self._steps[number])
        )
        self._heading = Line(self._step.rule, text, None, "", False, 0)

    def add(
        self,
        sentence: Sentence,
        text: str,
        unit: str | None,
        *,
        rule: str = "",
        shows_dice: bool = True,
    ) -> None:
        """Add a line, and the dice that waited for it.

        Parameters
        ----------
        sentence
            What it was made of.
        text
            Its words.
        unit
            Whom it is about.
        rule
            Its rule where that is not the sentence's own.
        shows_dice
            False where the words say already how the dice fell.
        """
        dice = "; ".join(self.waiting) if shows_dice else ""
        self.waiting = []
        if dice:
            text += f" ({dice})"
        if self._heading is not None:
            self.lines.append(self._heading)
            self._heading = None
        rule = rule or sentence.rule
        self.lines.append(Line(rule, text, unit, dice, sentence.is_note, sentence.level))


def lines(log: Any, teller: Any) -> list[Line]:
    """What a teller makes of the rows of a trial's log that were filled, in order.

    Parameters
    ----------
    log
        Rows of the dice record's log.
    teller
        Reads one row at a time, as a list of whole numbers.
    """
    for row in log:
        teller.read([int(number) for number in row])
    found: list[Line] = teller.lines
    return found
