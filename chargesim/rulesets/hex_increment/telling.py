"""A trial of hex_increment told step by step, as a referee would.

The log of a trial holds the rules' notes and the chance nodes between them. A note becomes a line;
a die is told with the line of the note before it, a plain chance with the one after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from chargesim.kernels.refine import face, leadership_roll
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.plan import plans
from chargesim.rulesets.hex_increment.scenario import Model
from chargesim.rulesets.hex_increment.state import CHANCE, VALUE, Dice, Reaction, State
from chargesim.rulesets.hex_increment.telling_words import PHRASES, SENTENCES, STEPS
from chargesim.rulesets.telling import BANDS, COUNT, NOTE, TEST, Line, Teller, lines
from chargesim.words import translation

MASK_BITS = 18
SIDES_D66 = 36


def made_up(model: Any) -> list[str]:
    """Names of the tables in use that are the shipped ones."""
    return [name for name in tables.NAMES if model.tables[name]["illustrative"]]


def caveat(model: Any, lang: str) -> str:
    """What stands beside every number that rests on made-up tables; empty where none does."""
    names = made_up(model)
    say = translation("hex_increment", lang).gettext
    return say(SENTENCES[Event.ILLUSTRATIVE].text).format(tables=", ".join(names)) if names else ""


class _Teller(Teller):
    """Reads a log row by row and collects the lines."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__("hex_increment", names, lang, SENTENCES[Event.STEP], STEPS)
        self.model = model
        self.plans = plans(model)

    def phrase(self, key: str, **values: Any) -> str:
        """A phrase in the language."""
        return self.say(PHRASES[key]).format(**values)

    def tell(self, event: Event, who: int, text: str) -> None:
        """Add an event's line; a morale check belongs to the rule that asks for it, told before."""
        is_check = event in (Event.CHECK, Event.CHECK_CHANCE) and self.lines
        rule = self.lines[-1].rule if is_check else ""
        self.add(SENTENCES[event], text, self.names[who], rule=rule)

    def roll(self, dice: str) -> None:
        """Tell a die with the line before it."""
        last = self.lines[-1]
        both = "; ".join(filter(None, (last.dice, dice)))
        self.lines[-1] = replace(last, text=f"{last.text}; {dice}", dice=both)

    def read(self, row: list[int]) -> None:
        """Take one row of the log."""
        kind = row[0]
        if kind == NOTE:
            self.note(Event(row[1]), row[2], row[3:7])
        elif kind == BANDS:
            sides, mask = row[2], row[3] | row[4] << MASK_BITS
            shown = face(sides, mask, row[5], row[6])
            if sides == SIDES_D66:
                self.roll(f"D66: {tables.face_of(shown)}")
            else:
                self.roll(f"D{sides}: {shown}")
        elif kind == TEST:
            dice, total = leadership_roll(row[5], False)
            self.roll("2D6: " + " + ".join(map(str, dice)) + f" = {total}")
        elif kind == COUNT:
            chance = Fraction(row[3], row[4])
            answer = self.phrase("yes" if row[6] else "no")
            self.waiting.append(self.phrase("chance", chance=chance, answer=answer))

    def note(self, event: Event, who: int, x: list[int]) -> None:
        """Tell a note."""
        if event is Event.STEP:
            self.step(who)
            return
        sentence = SENTENCES[event]
        values: dict[str, Any] = dict(zip(sentence.fields, x, strict=False))
        values["unit"] = self.names[who]
        if "enemy" in values:
            values["enemy"] = self.names[values["enemy"]]
        if event is Event.WARNED:
            for warning in self.model.tables["melee"]["warnings"]:
                self.tell(event, who, self.say(sentence.text).format(warning=warning))
            return
        special = getattr(self, f"_{event.name.lower()}", None)
        if special is not None:
            special(values)
        self.tell(event, who, self.say(sentence.text).format(**values))

    # what the numbers of a note mean

    def _illustrative(self, values: dict[str, Any]) -> None:
        values["tables"] = ", ".join(made_up(self.model))

    def _declared(self, values: dict[str, Any]) -> None:
        (plan,) = [plan for plan in self.plans if plan.charger == values["unit"]]
        values["zone"] = len(plan.zone)

    def _reacts(self, values: dict[str, Any]) -> None:
        key = Reaction(values["reaction"]).name.lower()
        values["reaction"] = self.phrase(key, at=values["at"])

    def _changes(self, values: dict[str, Any]) -> None:
        (charge,) = [one for one in self.model.charge if one.charger == values["unit"]]
        values["change"] = self.phrase(charge.changes[values["number"]])

    def _check(self, values: dict[str, Any]) -> None:
        kind, failing = Dice(values["kind"]), values["failing"]
        d66 = kind is Dice.D66
        most = {Dice.D66: SIDES_D66, Dice.TWO_D6: 12, Dice.D10: 10}[kind]
        if d66:
            values["morale"] = tables.face_of(values["morale"])
        values["modifier"] = f"{values['modifier']:+d}"
        if failing >= most:
            values["need"] = self.phrase("never")
        else:
            least = tables.face_of(failing + 1) if d66 else failing + 1
            values["need"] = self.phrase("or more", face=least)

    def _check_chance(self, values: dict[str, Any]) -> None:
        values["chance"] = self.number(values["chance"] * 100 / CHANCE)

    def _moved(self, values: dict[str, Any]) -> None:
        values["points"] = self.number(values["spent"] / 2)

    def _square_failed(self, values: dict[str, Any]) -> None:
        values["result"] = self.phrase(State(values["result"]).name.lower())

    def value(self, values: dict[str, Any]) -> None:
        """A melee value from its fraction."""
        values["value"] = self.number(Fraction(values["top"], values["bottom"] * VALUE))

    def _share(self, values: dict[str, Any]) -> None:
        self.value(values)
        values["hexes"] = self.number(values["halves"] / 2)

    def _wave(self, values: dict[str, Any]) -> None:
        self.value(values)

    def _against_square(self, values: dict[str, Any]) -> None:
        self.value(values)

    def _odds(self, values: dict[str, Any]) -> None:
        self.value(values)
        values["against"] = self.number(values["against"] / VALUE)
        values["column"] = self.model.tables["melee"]["columns"][values["column"]]["id"]

    def _result(self, values: dict[str, Any]) -> None:
        text = tables.result_text(values["code"])
        values["result"] = self.phrase("BLANK") if text == "BLANK" else text


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
    return lines(log, _Teller(model, names, lang))


def coverage_ids() -> set[str]:
    """All rule ids that a trace can name."""
    return {sentence.rule for sentence in SENTENCES.values()}
