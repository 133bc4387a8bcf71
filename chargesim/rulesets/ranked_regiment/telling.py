"""A trial of ranked_regiment told step by step, as a referee would.

The log of a trial holds the rules' notes and the chance nodes between them. A note becomes a line;
dice are told with the note that follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Any

from chargesim.kernels.refine import leadership_roll
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.reading import REASONS as RULES_BEHIND
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.state import LENGTH, Face, Phase, Side, Why
from chargesim.rulesets.ranked_regiment.telling_words import (
    FACES,
    PHRASES,
    REASONS,
    SENTENCES,
    SIDES,
    STEPS,
    Sentence,
)
from chargesim.words import translation

NOTE, TEST, SUM = 0, 1, 2
"""Kinds of log rows, as in :mod:`chargesim.kernels.dice`, which is not imported: it compiles."""
_OF_A_SIDE = (Event.PASSES, Event.FIRST)
_OF_FLIGHTS = (Why.NEVER_FLEES, Why.TOO_SLOW)


@dataclass(frozen=True)
class Told:
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


class _Teller:
    """Reads a log row by row and collects the lines."""

    def __init__(self, names: Sequence[str], lang: str) -> None:
        self.names, self.lang = names, lang
        self.say = translation("ranked_regiment", lang).gettext
        self.lines: list[Told] = []
        self.heading: Told | None = None
        self.phase = -1
        self.waiting: list[str] = []
        self.refused: set[tuple[int, ...]] = set()

    def length(self, parts: int) -> str:
        """A length with at most two decimals, in the language's form."""
        text = f"{parts / LENGTH:.2f}".rstrip("0").rstrip(".")
        text = "0" if text in ("", "-0") else text
        return text.replace(".", ",") if self.lang == "es" else text

    def read(self, row: list[int]) -> None:
        """Take one row of the log."""
        if row[0] == NOTE:
            self.note(Event(row[1]), row[2], row[3:7])
        elif row[0] == TEST:
            dice, total = leadership_roll(row[5], False)
            self.waiting.append("2D6: " + " + ".join(map(str, dice)) + f" = {total}")
        elif row[0] == SUM:
            self.waiting.append(f"{row[2]}D{row[3]}: {row[6]}")

    def note(self, event: Event, who: int, numbers: list[int]) -> None:
        """Tell a note."""
        if event is Event.STEP:
            self.step(who)
            return
        sentence = SENTENCES[event]
        values = dict(zip(sentence.fields, numbers, strict=False))
        rule = sentence.rule
        if "why" in values:
            # a side tries again at each of its turns: the same answer is told once
            key = (int(event), who, *numbers)
            if key in self.refused:
                return
            self.refused.add(key)
            if event is Event.ILLEGAL or values["why"] in _OF_FLIGHTS:
                rule = RULES_BEHIND[Why(values["why"])]
            if event is Event.NO_FLIGHT and values["why"] == Why.MOVE_0:
                rule = "RNK-FLEE-02"
        self.add(rule, sentence, event, who, self.filled(event, who, values))

    def filled(self, event: Event, who: int, numbers: dict[str, int]) -> dict[str, Any]:
        """Placeholders of a sentence from the numbers of its note."""
        values: dict[str, Any] = dict(numbers)
        if event in _OF_A_SIDE:
            values["side"] = self.say(SIDES[Side(who)])
        else:
            values["unit"] = self.names[who]
        if "enemy" in values:
            values["enemy"] = self.names[numbers["enemy"]]
        if "face" in values:
            values["face"] = self.say(FACES[Face(numbers["face"])])
        if "why" in values:
            values["reason"] = self.say(REASONS[Why(numbers["why"])])
        if "fx" in values:
            turned = degrees(atan2(numbers["fx"], numbers["fy"])) % 360
            values["degrees"] = self.length(round(turned * LENGTH))
        if "code" in values:
            values["hit"], values["save"] = divmod(numbers["code"], 10)
        for key in ("x", "y", "length"):
            if key in values:
                values[key] = self.length(numbers[key])
        return values

    def add(
        self, rule: str, sentence: Sentence, event: Event, who: int, values: dict[str, Any]
    ) -> None:
        """Add a line, and the dice that waited for it."""
        text = self.say(sentence.text).format(**values)
        dice = "; ".join(self.waiting)
        self.waiting = []
        if event is Event.FIRST:
            dice = ""
            text += f" ({self.say(PHRASES['coin' if values['how'] == 2 else 'given'])})"
        if dice:
            text += f" ({dice})"
        if self.heading is not None:
            self.lines.append(self.heading)
            self.heading = None
        unit = None if event in _OF_A_SIDE else self.names[who]
        self.lines.append(Told(rule, text, unit, dice, sentence.is_note, sentence.level))

    def step(self, number: int) -> None:
        """Begin a step, once for all who take a share in it."""
        if number == self.phase:
            return
        self.phase = number
        sentence = SENTENCES[Event.STEP]
        text = self.say(sentence.text).format(
            number=number + 1, step=self.say(STEPS[Phase(number)])
        )
        self.heading = Told(sentence.rule, text, None, "", False, 0)


def tell(log: Any, model: Model, names: Sequence[str], lang: str = "en") -> list[Told]:
    """Tell a traced trial.

    Parameters
    ----------
    log
        The rows of the dice record's log that were filled.
    model
        The scenario played.
    names
        Names of its units, in the order of their records.
    lang
        ``"en"`` or ``"es"``.

    Returns
    -------
    list of Told
        In order; a step in which nothing happened is left out.
    """
    teller = _Teller(names, lang)
    for row in log:
        teller.read([int(number) for number in row])
    return teller.lines


def coverage_ids() -> set[str]:
    """All rule ids that a trace can name."""
    return {sentence.rule for sentence in SENTENCES.values()} | set(RULES_BEHIND.values())
