"""A trial of wh6 told step by step, as a referee would.

The log of a trial holds the rules' notes and the chance nodes between them. Most notes become one
line each; nodes, and notes that are one term of a sum (a modifier to hit, a bonus of the combat
result), wait for the note that they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chargesim.rulesets.telling import COUNT, NOTE, RACE, SUM, TEST, Line, lines
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model
from chargesim.rulesets.wh6.telling_blows import TERMS
from chargesim.rulesets.wh6.telling_combat import SCORES, CombatTeller
from chargesim.rulesets.wh6.telling_speaker import SENTENCES
from chargesim.rulesets.wh6.telling_words import EXTRA_RULES, IMMUNITIES, STEP_RULES


class Referee(CombatTeller):
    """Reads a log row by row; the parts of its class tell the events."""

    def read(self, row: list[int]) -> None:
        """Take one row of the log."""
        if row[0] == NOTE:
            self.note(Event(row[1]), row)
        elif row[0] == TEST:
            self.leadership_test(row)
        elif row[0] == SUM:
            self.sum_of_dice(row)
        elif row[0] == COUNT:
            self.count_drawn(row)
        elif row[0] == RACE:
            self.race(row)
        else:
            self.estimate(row)

    def note(self, event: Event, row: list[int]) -> None:
        """Tell a note by the method named after its event, or by its sentence alone."""
        self.finish_blows()
        tell = getattr(self, "_" + event.name.lower(), None)
        if event in TERMS:
            self.term(event, row)
        elif event in SCORES:
            self.scores(event, row[2], row[3:7])
        elif tell is not None:
            tell(row[2], row[3:7])
        else:
            self.plain(event, row[2], row[3:7])


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
    referee = Referee(model, names, lang)
    lines(log, referee)
    referee.finish_blows()
    return referee.lines


def events() -> dict[Event, tuple[str, str]]:
    """Rule id and English sentence of every event."""
    return {event: (sentence.rule, sentence.text) for event, sentence in SENTENCES.items()}


def coverage_ids() -> set[str]:
    """All rule ids that a trace can name."""
    immune = {rule for row in IMMUNITIES for rule in row[1:3]}
    told = {sentence.rule for sentence in SENTENCES.values()}
    return told | immune | set(STEP_RULES.values()) | EXTRA_RULES
