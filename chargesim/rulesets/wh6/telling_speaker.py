"""Who tells a trace: the words of a language, the lines told so far, and the dice that wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chargesim.rulesets.telling import Line, Sentence
from chargesim.rulesets.wh6 import (
    telling_words,
    telling_words_blows,
    telling_words_charge,
    telling_words_combat,
)
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model
from chargesim.rulesets.wh6.state import CHARGES, LENGTH, NAMES, UNIT_NAMES, Reaction
from chargesim.rulesets.wh6.telling_words import (
    ARCS,
    COVERS,
    IMMUNITIES,
    REACTIONS,
)
from chargesim.words import translation

SENTENCES: dict[Event, Sentence] = {
    **telling_words_charge.SENTENCES,
    **telling_words_blows.SENTENCES,
    **telling_words_combat.SENTENCES,
}
PHRASES = {
    **telling_words.PHRASES,
    **telling_words_charge.PHRASES,
    **telling_words_blows.PHRASES,
    **telling_words_combat.PHRASES,
}
PLURALS = telling_words_blows.PLURALS

NAMED = 2048
"""Places from here on are the second halves of large counts."""
_UNIT_FIELDS = frozenset({"enemy", "charger", "friend"})
_LENGTH_FIELDS = frozenset({"distance", "reach", "gap", "range", "far", "moved", "short", "edge"})


def charge_place(row: list[int]) -> int:
    """Name (:class:`Place`) of a node's place among those of a charge; -1: it is a unit's."""
    place = row[1] % NAMED
    return place % NAMES if place < CHARGES * NAMES else -1


def unit_place(row: list[int]) -> int:
    """Name (:class:`UnitPlace`) of a node's place among those of a unit; -1: it is a charge's."""
    place = row[1] % NAMED - CHARGES * NAMES
    return place % UNIT_NAMES if place >= 0 else -1


class Speaker:
    """The words of a language for one scenario: messages, lengths, names and target numbers."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        words = translation("wh6", lang)
        self.say, self.count = words.gettext, words.ngettext
        self.model, self.names = model, names
        self.decimal = "," if lang == "es" else "."

    def phrase(self, key: str, **values: Any) -> str:
        """A phrase by its key, filled in."""
        return self.say(PHRASES[key]).format(**values)

    def plural(self, key: str, n: int, **values: Any) -> str:
        """A phrase that counts, filled in."""
        return self.count(*PLURALS[key], n).format(n=n, **values)

    def sentence(self, event: Event, numbers: Sequence[int], **values: Any) -> str:
        """An event's sentence, filled in from the numbers of its note and what else it says."""
        sentence = SENTENCES[event]
        if sentence.many:
            text = self.count(sentence.text, sentence.many, numbers[0])
        else:
            text = self.say(sentence.text)
        return text.format(**self.values(sentence, numbers), **values)

    def listed(self, names: Sequence[str]) -> str:
        """Several names in a row."""
        if len(names) < 2:
            return "".join(names)
        return self.phrase("list", first=", ".join(names[:-1]), last=names[-1])

    def number(self, hundredths: float) -> str:
        """A length without its unit, no needless decimals."""
        return f"{hundredths / LENGTH:.3f}".rstrip("0").rstrip(".").replace(".", self.decimal)

    def length(self, hundredths: float) -> str:
        """A length in the scenario's unit."""
        number = self.number(hundredths)
        return f'{number}"' if self.model.units == "inch" else f"{number} cm"

    def target(self, need: int) -> str:
        """A target number on a die; under 2 a natural 1 fails, above 6 it takes two rolls."""
        if need < 2:
            return self.phrase("at best", need=need)
        if 7 <= need <= 9:
            return self.phrase("two rolls", need=need, then=need - 3)
        return self.phrase("needs", need=need)

    def immunity(self, unit: str, at: int) -> tuple[str, str]:
        """Why a unit is immune: rule id and word."""
        rules = self.model.unit[unit].rules
        for row in IMMUNITIES:
            if row[0] in rules:
                return row[at], self.say(row[3])
        return IMMUNITIES[-1][at], self.say(IMMUNITIES[-1][3])

    def values(self, sentence: Sentence, numbers: Sequence[int]) -> dict[str, Any]:
        """Placeholders of a sentence from the numbers of its note."""
        found: dict[str, Any] = {}
        for name, number in zip(sentence.fields, numbers, strict=False):
            if name in _UNIT_FIELDS:
                found[name] = self.names[number]
            elif name in _LENGTH_FIELDS:
                found[name] = self.length(number)
            elif name == "part":
                found[name] = self.number(number)
            elif name == "flight":
                found[name] = self.length(number * LENGTH)
            elif name == "reaction":
                found[name] = self.say(REACTIONS[Reaction(number)])
            elif name == "arc":
                found[name] = self.say(ARCS[number])
            elif name == "cover":
                found[name] = self.say(COVERS[number])
            elif name == "modifier":
                found[name] = f"{number:+d}"
            else:
                found[name] = number
        return found


class Teller(Speaker):
    """Collects the lines of a trial; its parts know how the events of a phase are told."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__(model, names, lang)
        self.lines: list[Line] = []
        self.heading: Line | None = None
        self.dice: list[str] = []
        self.rolled = 0
        self.targets = {charge.charger: charge.target for charge in model.charge}
        """Whom each charger charges, redirected charges included."""
        self.standing = {name: unit.models for name, unit in model.unit.items()}
        """Models left of each unit, as far as it has been told."""
        self.contacts: dict[str, list[str]] = {}
        """Who has reached each target."""
        self.fights: dict[str, list[str]] = {}
        """Who fights each target."""
        self.fled: set[str] = set()
        """Units that have fled, caught or not."""
        self.broken: set[str] = set()
        """Units that broke from combat."""

    def add(
        self,
        sentence: Sentence,
        text: str,
        unit: str | None,
        *,
        rule: str = "",
        note: bool | None = None,
    ) -> None:
        """Add a line and the dice that waited for it."""
        dice = "; ".join(self.dice)
        self.dice = []
        if dice:
            text += (" " if text.endswith(".") else "; ") + dice
        if self.heading is not None:
            self.lines.append(self.heading)
            self.heading = None
        is_note = sentence.is_note if note is None else note
        self.lines.append(Line(rule or sentence.rule, text, unit, dice, is_note, sentence.level))

    def plain(
        self,
        event: Event,
        at: int,
        x: list[int],
        *,
        rule: str = "",
        note: bool | None = None,
        **more: Any,
    ) -> None:
        """Tell a note about the unit at a place by its sentence alone."""
        unit = self.names[at]
        text = self.sentence(event, x, unit=unit, **more)
        self.add(SENTENCES[event], text, unit, rule=rule, note=note)

    def variant(self, event: Event, key: str, who: int, *, rule: str = "", **more: Any) -> None:
        """Tell a note by a phrase instead of its sentence."""
        unit = self.names[who]
        self.add(SENTENCES[event], self.phrase(key, unit=unit, **more), unit, rule=rule)

    @staticmethod
    def shown(faces: Sequence[int], sides: int = 6) -> str:
        """Dice written out, their sum behind several."""
        text = f"{len(faces)}D{sides}: " + " + ".join(map(str, faces))
        return text if len(faces) == 1 else f"{text} = {sum(faces)}"
