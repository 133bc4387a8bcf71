"""A trial of wh6 told step by step, as a referee would.

The log of a trial holds the rules' notes and the chance nodes between them. Most notes become one
line each; nodes, and notes that are one term of a sum (a modifier to hit), wait for the note that
they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from chargesim.kernels.refine import chain, leadership_roll, roll
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model, Unit, dice_terms
from chargesim.rulesets.wh6.state import LENGTH, NAMES, NO_SAVE, Phase, Place, Reaction, Troop
from chargesim.rulesets.wh6.telling_words import (
    EXTRA_RULES,
    IMMUNITIES,
    SENTENCES,
    STEP_RULES,
    STEPS,
    Sentence,
    Speaker,
)

NOTE, TEST, SUM, COUNT, ESTIMATE = range(5)
"""Kinds of log rows, as in :mod:`chargesim.kernels.dice`, which is not imported: it compiles."""
NAMED = 1024
"""Places from here on are the second halves of large counts."""

_TERMS = frozenset(
    {
        Event.BALLISTIC_SKILL,
        Event.MOD_STAND_AND_SHOOT,
        Event.MOD_LONG_RANGE,
        Event.MOD_LARGE_TARGET,
        Event.MOD_SINGLE_OR_SKIRMISHERS,
        Event.MOD_COVER,
        Event.MOD_MULTIPLE_SHOTS,
    }
)
"""Notes that are a term of the next target number."""
_TEST_OF_CHARGER = {
    Event.FEARS: "WH6-FEAR-03",
    Event.FEAR_PASSED: "WH6-FEAR-03",
    Event.TERROR_FLEES: "WH6-CHG-08",
}
"""Rule ids where the one who tests is the charger."""


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


@dataclass
class _Blows:
    """Shots or impact hits on their way from the first roll to the unsaved wounds."""

    unit: str = ""
    shots: int = 0
    hit: tuple[Fraction, str] | None = None
    wound: tuple[Fraction, str] = (Fraction(0), "")
    armour: tuple[Fraction, str] | None = None
    ward: tuple[Fraction, str] | None = None
    wrecks: bool = False
    rows: list[list[int]] = field(default_factory=list)

    def stages(self) -> list[tuple[str, str, str, Fraction]]:
        """Word of the tries, word of the outcome, target and chance of each stage rolled."""
        rolled = [
            ("shots", "hits", self.hit),
            ("to wound", "wounds", self.wound),
            ("saves", "fails", self.armour),
            ("wards", "fails", self.ward),
        ]
        return [(tries, out, x[1], x[0]) for tries, out, x in rolled if x is not None]


def name_of(row: list[int]) -> int:
    """The name, a :class:`Place`, of the place of a node's row."""
    return row[1] % NAMED % NAMES


class _Teller(Speaker):
    """Reads a log row by row and collects the lines."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__(model, names, lang)
        self.lines: list[Told] = []
        self.heading: Told | None = None
        self.terms: list[str] = []
        self.dice: list[str] = []
        self.rolled = 0
        self.test: tuple[Sentence, str, str] | None = None
        self.blows = _Blows()
        self.gone: set[str] = set()
        self.blocked = False
        self.own_test = False

    # lines

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
        self.lines.append(Told(rule or sentence.rule, text, unit, dice, is_note, sentence.level))

    def read(self, row: list[int]) -> None:
        """Take one row of the log."""
        if row[0] == NOTE:
            event = Event(row[1])
            if self.blows.rows:
                self.finish_blows()
            tell = getattr(self, "_" + event.name.lower(), None)
            if event in _TERMS:
                self.term(event, row)
            elif tell is not None:
                tell(row[2], row[3:7])
            else:
                self.plain(event, row[2], row[3:7])
        elif row[0] == TEST:
            self.leadership_test(row)
        elif row[0] == SUM:
            self.sum_of_dice(row)
        elif row[0] == COUNT:
            rows, regrown = self.blows.rows, Place.SHOTS_REGENERATED
            if rows and name_of(row) == regrown != name_of(rows[0]):
                self.finish_blows()
            self.blows.rows.append(row)
        else:
            self.estimate(row)

    def finish(self) -> list[Told]:
        """All lines, when the log is at its end."""
        if self.blows.rows:
            self.finish_blows()
        return self.lines

    def plain(
        self, event: Event, who: int, x: list[int], note: bool | None = None, **more: Any
    ) -> None:
        """Tell a note by its sentence alone."""
        unit, sentence = self.names[who], SENTENCES[event]
        rule = _TEST_OF_CHARGER.get(event, "") if self.own_test else ""
        text = self.say(sentence.text).format(unit=unit, **self.values(sentence, x), **more)
        self.add(sentence, text, unit, rule=rule, note=note)

    # steps and Leadership tests

    def _step(self, phase: int, _: list[int]) -> None:
        step = Phase(phase)
        text = self.say(SENTENCES[Event.STEP].text)
        rule = STEP_RULES.get(step, SENTENCES[Event.STEP].rule)
        line = text.format(number=phase + 1, step=self.say(STEPS[step]))
        self.heading = Told(rule, line, None, "", False, 0)

    def _leadership(self, who: int, x: list[int], event: Event = Event.LEADERSHIP) -> None:
        target, bonus = x[0], x[1]
        sentence = SENTENCES[event]
        text = self.say(sentence.text).format(ld=target - bonus)
        if bonus:
            text += f"; {self.phrase('musician', bonus=bonus, target=target)} [WH6-RALLY-01]"
        self.test = sentence, text, self.names[who]

    def _leadership_general(self, who: int, x: list[int]) -> None:
        self._leadership(who, x, Event.LEADERSHIP_GENERAL)

    def leadership_test(self, row: list[int]) -> None:
        """Tell a Leadership test with its dice, the row after the note that announced it."""
        if self.test is None:
            return
        sentence, text, unit = self.test
        self.test = None
        three = row[3] == 1
        dice, total = leadership_roll(row[5], three)
        if three:
            text += f"; {self.phrase('cold')} [WH6-ARMY-03]"
            drop = dice.index(max(dice))
            faces = " + ".join(f"({d})" if i == drop else str(d) for i, d in enumerate(dice))
            shown = self.phrase("dropped", roll=faces)
        else:
            shown = "2D6: " + " + ".join(map(str, dice))
        how = "passed" if row[6] else "failed"
        self.dice = [self.phrase(how, roll=shown, total=total, target=row[2])]
        self.add(sentence, text, unit)

    def is_charge(self, charger: str, target: str) -> bool:
        """True when one of the two was the declared charger of the other."""
        return any(c.charger == charger and c.target == target for c in self.model.charge)

    def _fears(self, who: int, x: list[int], event: Event = Event.FEARS) -> None:
        self.own_test = self.is_charge(self.names[who], self.names[x[0]])
        self.plain(event, who, x)

    def _terrified(self, who: int, x: list[int]) -> None:
        self._fears(who, x, Event.TERRIFIED)

    # sums of dice

    def sum_of_dice(self, row: list[int]) -> None:
        """Keep the dice of a sum for the note that uses it."""
        _, place, n, sides, _, u, total = row[:7]
        faces = roll(n, sides, u, total)
        shown = f"{n}D{sides}: " + " + ".join(map(str, faces))
        self.dice.append(shown if n == 1 else f"{shown} = {total}")
        self.rolled = total
        name = place % NAMED % NAMES
        if Place.REACH <= name < Place.REACH + 3:
            self.reach_dice(place % NAMED // NAMES, name - Place.REACH)

    def reach_dice(self, c: int, term: int) -> None:
        """Tell the dice of a charge's reach when the last of them is rolled."""
        charge = self.model.charge[c]
        terms = dice_terms(str(charge.reach))
        if terms is None or term + 1 < len(terms[1]):
            return
        text = self.phrase("reach", reach=charge.reach)
        self.add(SENTENCES[Event.MEASURED], text, charge.charger, rule="WH6-CHG-14")

    def estimate(self, row: list[int]) -> None:
        """Tell what a length judged by eye turned out to be."""
        charge = self.model.charge[row[1] % NAMED // NAMES]
        text = self.phrase(
            "estimate",
            mean=self.length(row[3]),
            sd=self.length(row[4]),
            distance=self.length(row[6]),
        )
        self.add(SENTENCES[Event.IN_REACH], text, charge.charger)

    # declaration and reach

    def _must_flee(self, who: int, x: list[int]) -> None:
        self.plain(Event.MUST_FLEE, who, x, note=x[0] != Reaction.FLEE)

    def _immune_holds(self, who: int, _: list[int], event: Event = Event.IMMUNE_HOLDS) -> None:
        unit, sentence = self.names[who], SENTENCES[event]
        rule, cause = self.immunity(unit, 1 if event is Event.IMMUNE_HOLDS else 2)
        self.add(sentence, self.say(sentence.text).format(unit=unit, cause=cause), unit, rule=rule)

    def _immune_passes(self, who: int, x: list[int]) -> None:
        self._immune_holds(who, x, Event.IMMUNE_PASSES)

    def _no_missiles(self, who: int, x: list[int]) -> None:
        unit, sentence = self.names[who], SENTENCES[Event.NO_MISSILES]
        if x[0] == Troop.WAR_MACHINE:
            self.add(sentence, self.phrase("war machine", unit=unit), unit, rule="WH6-SS-03")
        else:
            self.add(sentence, self.say(sentence.text).format(unit=unit), unit)

    def _too_close(self, who: int, x: list[int]) -> None:
        self.plain(Event.TOO_CLOSE, who, x, half=self.length(x[1] / 2))

    def _measured(self, who: int, x: list[int]) -> None:
        name, sentence = self.names[who], SENTENCES[Event.MEASURED]
        unit = self.model.unit[name]
        given = next((c.reach for c in self.model.charge if c.charger == name), None)
        rule = ""
        if given is not None:
            source = self.phrase("given")
        elif "flyer" in unit.rules and x[1] != round(2 * unit.M * LENGTH):
            source, rule = self.phrase("flight"), "WH6-CHG-04"
        else:
            source = self.phrase("twice", move=self.length(unit.M * LENGTH))
        text = self.say(sentence.text).format(unit=name, source=source, **self.values(sentence, x))
        if x[2] != x[0]:
            text += " " + self.phrase("straight", gap=self.length(x[2]))
        self.add(sentence, text, name, rule=rule)

    # flights

    def _short_legs(self, _: int, x: list[int]) -> None:
        text = self.say(SENTENCES[Event.SHORT_LEGS].text).format(less=x[0])
        self.dice.append(f"{text} [{SENTENCES[Event.SHORT_LEGS].rule}] = {self.rolled - x[0]}")

    def _flight(self, who: int, x: list[int]) -> None:
        unit = self.model.unit[self.names[who]]
        limit = (6 if self.model.units == "inch" else 15) * LENGTH
        move = round(unit.M * LENGTH)
        key = "flyer" if "flyer" in unit.rules else "fast" if move > limit else "slow"
        source = self.phrase(key, move=self.length(move), limit=self.length(limit))
        self.plain(Event.FLIGHT, who, x, source=f"{source} [WH6-UNIT-04]")

    def _leaves_table(self, who: int, x: list[int]) -> None:
        self.gone.add(self.names[who])
        self.plain(Event.LEAVES_TABLE, who, x)

    # target numbers

    def term(self, event: Event, row: list[int]) -> None:
        """Keep one term of a target number, with its rule id where it is not the sum's own."""
        sentence = SENTENCES[event]
        more = {}
        if event is Event.MOD_SINGLE_OR_SKIRMISHERS:
            lone = "skirmishers" not in self.model.unit[self.names[row[2]]].rules
            more["what"] = self.phrase("lone" if lone else "skirmishers")
        text = self.say(sentence.text).format(**self.values(sentence, row[3:7]), **more)
        own = event is Event.BALLISTIC_SKILL
        self.terms.append(text if own else f"{text} [{sentence.rule}]")

    def _to_hit(self, who: int, x: list[int], event: Event = Event.TO_HIT) -> None:
        need = x[0]
        unit, sentence = self.names[who], SENTENCES[event]
        text = self.say(sentence.text).format(sum="; ".join(self.terms), target=self.target(need))
        self.terms = []
        chance = Fraction(7 - max(need, 2), 6) if need <= 6 else Fraction(max(10 - need, 0), 36)
        self.blows.hit = chance, f"{max(need, 2)}+"
        self.add(sentence, text, unit, rule="WH6-SHOOT-03" if need > 6 else "")

    def _cannot_hit(self, who: int, x: list[int]) -> None:
        self._to_hit(who, x, Event.CANNOT_HIT)

    def _to_wound(self, who: int, x: list[int]) -> None:
        self.blows.wound = Fraction(7 - x[0], 6), f"{x[0]}+"
        self.plain(Event.TO_WOUND, who, x)

    def _wrecks_chariot(self, who: int, x: list[int]) -> None:
        self.blows.wrecks = True
        self.plain(Event.WRECKS_CHARIOT, who, x)

    def _armour(self, who: int, x: list[int], event: Event = Event.ARMOUR) -> None:
        base, save, strength = x[:3]
        name, sentence = self.names[who], SENTENCES[event]
        terms = self.saves_before(self.model.unit[name], base)
        weaker = max(strength - 3, 0)
        if weaker:
            terms.append(self.phrase("strength", strength=strength, modifier=f"{-weaker:+d}"))
        if save - base - weaker:
            terms.append(self.phrase("piercing", modifier=f"{weaker + base - save:+d}"))
        if save <= 6:
            self.blows.armour = Fraction(max(save, 2) - 1, 6), f"{max(save, 2)}+"
        target = self.target(save) if save <= 6 else f"{save}+"
        text = self.say(sentence.text).format(unit=name, sum="; ".join(terms), target=target)
        self.add(sentence, text, name)

    def saves_before(self, unit: Unit, base: int) -> list[str]:
        """The save before the blow's strength, and what close combat made of the written one."""
        written = NO_SAVE if unit.save is None else int(unit.save[:-1])
        if written == base or self.blows.hit is not None:
            return [f"{base}+"]
        key = "shield" if base < written else "no shield"
        first = [f"{written}+"] if written < NO_SAVE else []
        return [*first, f"{self.phrase(key)} [WH6-SAVE-02]"]

    def _no_armour(self, who: int, x: list[int]) -> None:
        self._armour(who, x, Event.NO_ARMOUR)

    def _ward(self, who: int, x: list[int]) -> None:
        self.blows.ward = Fraction(x[0] - 1, 6), f"{x[0]}+"
        self.plain(Event.WARD, who, x)

    # blows

    def _shoots(self, who: int, x: list[int]) -> None:
        self.blows = _Blows(unit=self.names[x[0]], shots=x[1])
        self.plain(Event.SHOOTS, who, x)

    def _impact_hits(self, who: int, x: list[int]) -> None:
        hits, name = x[0], self.names[who]
        target = next(c.target for c in self.model.charge if c.charger == name)
        self.blows = _Blows(unit=target, shots=hits)
        if self.dice and hits > self.rolled:
            self.dice.append(f"{self.rolled} + {hits - self.rolled} = {hits}")
        self.plain(Event.IMPACT_HITS, who, x)

    def finish_blows(self) -> None:
        """Tell the counts that were drawn of shots or impact hits, as the rolls behind them."""
        blows, rows = self.blows, self.blows.rows
        blows.rows = []
        name = name_of(rows[0])
        if name == Place.SHOTS_REGENERATED:
            self.regeneration(rows)
            return
        kinds = {name_of(row) for row in rows}
        slain = sum(row[6] for row in rows if name_of(row) == name) * (
            name in (Place.SHOTS_SLAIN, Place.IMPACT_SLAIN)
        )
        wounds = sum(row[6] for row in rows) - slain
        product = Fraction(1)
        for *_, chance in blows.stages():
            product *= chance
        if len(kinds) == 1 and product == Fraction(rows[0][3], rows[0][4]):
            self.dice = self.rolls_of(blows, rows)
        else:
            self.dice = self.chances_of(rows)
        if blows.wrecks:
            text, rule = self.phrase("wrecked", slain=slain), "WH6-CHAR-03"
        elif slain or len(kinds) > 1:
            text, rule = self.phrase("slain", slain=slain, wounds=wounds), "WH6-SPEC-03"
        else:
            text, rule = self.phrase("unsaved", wounds=wounds), "WH6-WND-01"
        self.add(Sentence(rule, "", (), 2), text, blows.unit)

    def rolls_of(self, blows: _Blows, rows: list[list[int]]) -> list[str]:
        """The chain of rolls that leads to one count; the halves of a large one add up."""
        stages = blows.stages()
        chances = [chance for *_, chance in stages]
        halves = [chain(row[2], chances, row[5], row[6]) for row in rows]
        counts = [sum(half[i] for half in halves) for i in range(len(stages))]
        told, tries = [], sum(row[2] for row in rows)
        for (what, outcome, need, _), through in zip(stages, counts, strict=True):
            if tries:
                first = self.plural(what, tries, need=need)
                told.append(f"{first}: {self.plural(outcome, through)}")
            tries = through
        return told

    def chances_of(self, rows: list[list[int]]) -> list[str]:
        """Counts whose rolls fall in two kinds: the tries and the chance of each."""
        told = []
        for row in rows:
            slaying = name_of(row) in (Place.SHOTS_SLAIN, Place.IMPACT_SLAIN)
            key = "slaying" if slaying else "wounding"
            first = self.plural(key, row[2], chance=Fraction(row[3], row[4]))
            told.append(f"{first}: {self.plural('of them', row[6])}")
        return told

    def regeneration(self, rows: list[list[int]]) -> None:
        """Keep the dice of regeneration for its note."""
        self.dice = []
        for row in rows:
            need = 7 - row[3] * 6 // row[4]
            first = self.plural("regenerates", row[2], need=f"{need}+")
            self.dice.append(f"{first}: {self.plural('succeeds', row[6])}")

    def _shooting_losses(self, who: int, x: list[int]) -> None:
        unit, event = self.names[who], Event.SHOOTING_LOSSES
        if x[1] == 0:
            self.add(SENTENCES[event], self.phrase("destroyed", unit=unit, lost=x[0]), unit)
        else:
            self.plain(event, who, x)

    # charge moves

    def _rallied(self, who: int, x: list[int]) -> None:
        self.blocked = True
        self.plain(Event.RALLIED, who, x)

    def _escapes(self, who: int, x: list[int]) -> None:
        unit, sentence = self.names[who], SENTENCES[Event.ESCAPES]
        if x[1] > x[2]:
            self.plain(Event.ESCAPES, who, x)
        else:
            key = "blocked" if self.blocked else "escaped"
            self.add(sentence, self.phrase(key, unit=unit, charger=self.names[x[0]]), unit)

    def _failed_move(self, who: int, x: list[int], event: Event = Event.FAILED_MOVE) -> None:
        unit, sentence = self.names[who], SENTENCES[event]
        if any(c.charger == unit and c.target in self.gone for c in self.model.charge):
            key = "away" if event is Event.FAILED_MOVE else "flown away"
            self.add(sentence, self.phrase(key, unit=unit, moved=self.length(x[0])), unit)
        else:
            self.plain(event, who, x)

    def _failed_flight(self, who: int, x: list[int]) -> None:
        self._failed_move(who, x, Event.FAILED_FLIGHT)


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
    teller = _Teller(model, names, lang)
    for row in log:
        teller.read([int(number) for number in row])
    return teller.finish()


def events() -> dict[Event, tuple[str, str]]:
    """Rule id and English sentence of every event."""
    return {event: (sentence.rule, sentence.text) for event, sentence in SENTENCES.items()}


def coverage_ids() -> set[str]:
    """All rule ids that a trace can name."""
    immune = {rule for row in IMMUNITIES for rule in row[1:3]}
    told = {sentence.rule for sentence in SENTENCES.values()}
    return told | immune | set(STEP_RULES.values()) | EXTRA_RULES
