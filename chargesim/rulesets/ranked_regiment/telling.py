"""A trial of ranked_regiment told step by step, as a referee would.

The log of a trial holds the rules' notes and the chance nodes between them. A note becomes a line;
dice are told with the note that follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees
from typing import Any

from chargesim.kernels.refine import leadership_roll
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.reading import REASONS as RULES_BEHIND
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.state import LENGTH, Face, Side, Why
from chargesim.rulesets.ranked_regiment.telling_words import (
    FACES,
    PHRASES,
    REASONS,
    SENTENCES,
    SIDES,
    STEPS,
)
from chargesim.rulesets.telling import NOTE, SUM, TEST, Line, Teller, lines

_OF_A_SIDE = (Event.PASSES, Event.FIRST)
_OF_FLIGHTS = (Why.NEVER_FLEES, Why.TOO_SLOW)


class _Teller(Teller):
    """Reads a log row by row and collects the lines."""

    def __init__(self, names: Sequence[str], lang: str) -> None:
        super().__init__("ranked_regiment", names, lang, SENTENCES[Event.STEP], STEPS)
        self.refused: set[tuple[int, ...]] = set()

    def length(self, parts: int) -> str:
        """A length with at most two decimals, in the language's form."""
        return self.number(parts / LENGTH)

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
        self.tell(rule, event, who, self.filled(event, who, values))

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

    def tell(self, rule: str, event: Event, who: int, values: dict[str, Any]) -> None:
        """Add an event's line."""
        sentence = SENTENCES[event]
        text = self.say(sentence.text).format(**values)
        if event is Event.FIRST:
            text += f" ({self.say(PHRASES['coin' if values['how'] == 2 else 'given'])})"
        unit = None if event in _OF_A_SIDE else self.names[who]
        self.add(sentence, text, unit, rule=rule, shows_dice=event is not Event.FIRST)


def tell(log: Any, model: Model, names: Sequence[str], lang: str = "en") -> list[Line]:
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
    list of Line
        In order; a step in which nothing happened is left out.
    """
    return lines(log, _Teller(names, lang))


def coverage_ids() -> set[str]:
    """All rule ids that a trace can name."""
    return {sentence.rule for sentence in SENTENCES.values()} | set(RULES_BEHIND.values())
