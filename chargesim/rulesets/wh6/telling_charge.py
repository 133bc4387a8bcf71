"""How the charge phase is told: declarations, reach, Leadership tests, flights, charge moves."""

from __future__ import annotations

from collections.abc import Sequence

from chargesim.kernels.refine import leadership_roll, roll
from chargesim.rulesets.telling import Sentence
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model, dice_terms
from chargesim.rulesets.wh6.state import (
    LENGTH,
    NAMES,
    Kind,
    Place,
    Reaction,
    Troop,
    UnitPlace,
)
from chargesim.rulesets.wh6.telling_speaker import (
    NAMED,
    SENTENCES,
    Teller,
    charge_place,
    unit_place,
)

_TEST_OF_CHARGER = {
    Event.FEARS: "WH6-FEAR-03",
    Event.FEAR_PASSED: "WH6-FEAR-03",
    Event.TERROR_FLEES: "WH6-CHG-08",
}
"""Rule ids where the one who tests is the charger."""
_ANNOUNCED = {
    UnitPlace.RALLY: ("WH6-RALLY-01", "rally test"),
    UnitPlace.RESTRAINT: ("WH6-PURS-01", "restraint"),
}
"""Tests that no note of the rules announces: rule id and phrase."""


class ChargeTeller(Teller):
    """Tells the events of the charge phase, and every Leadership test and flight."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__(model, names, lang)
        self.test: tuple[Sentence, str, str] | None = None
        self.gone: set[str] = set()
        self.redirected: set[str] = set()
        self.own_test = False
        self.friend_lost = False

    # Leadership tests

    def best(self, name: str) -> int:
        """The better of a unit's own Ld and a General's."""
        unit = self.model.unit[name]
        return max(unit.Ld or 0, unit.general_ld or 0)

    def _leadership(self, who: int, x: list[int], event: Event = Event.LEADERSHIP) -> None:
        target, bonus = x[0], x[1]
        sentence, ld = SENTENCES[event], x[0] - x[1]
        best = self.best(self.names[who])
        text = self.say(sentence.text).format(ld=min(ld, best))
        if ld > best:
            text += f"; {self.phrase('ranks', more=ld - best, target=ld)} [WH6-ARMY-07]"
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
        name = unit_place(row)
        if name in _ANNOUNCED:
            rule, key = _ANNOUNCED[UnitPlace(name)]
            self.add(Sentence(rule, ""), self.phrase(key, unit=unit), unit)
        three = row[3] == 1
        dice, total = leadership_roll(row[5], three)
        if three:
            text += f"; {self.phrase('cold')} [WH6-ARMY-03]"
            shown = self.without_highest(dice)
        else:
            shown = "2D6: " + " + ".join(map(str, dice))
        how = "passed" if row[6] else "failed"
        self.dice = [self.phrase(how, roll=shown, total=total, target=row[2])]
        self.add(sentence, text, unit)

    def without_highest(self, dice: tuple[int, ...]) -> str:
        """Three dice, the one that does not count in brackets."""
        drop = dice.index(max(dice))
        faces = " + ".join(f"({d})" if i == drop else str(d) for i, d in enumerate(dice))
        return self.phrase("dropped", roll=faces)

    def test_told(self, event: Event, who: int, x: list[int]) -> None:
        """Tell an event of a Fear or Terror test, the charger's own by its own rule."""
        self.plain(event, who, x, rule=_TEST_OF_CHARGER.get(event, "") if self.own_test else "")

    def _fears(self, who: int, x: list[int], event: Event = Event.FEARS) -> None:
        self.own_test = self.targets.get(self.names[who]) == self.names[x[0]]
        self.test_told(event, who, x)

    def _terrified(self, who: int, x: list[int]) -> None:
        self._fears(who, x, Event.TERRIFIED)

    def _fear_passed(self, who: int, x: list[int]) -> None:
        self.test_told(Event.FEAR_PASSED, who, x)

    def _terror_flees(self, who: int, x: list[int]) -> None:
        self.test_told(Event.TERROR_FLEES, who, x)

    # panic

    def _friend_panic(self, who: int, x: list[int]) -> None:
        self.friend_lost = True
        if self.names[x[0]] in self.broken:
            self.variant(Event.FRIEND_PANIC, "broken friend", who, friend=self.names[x[0]])
        else:
            self.plain(Event.FRIEND_PANIC, who, x)

    def _panic_failed(self, who: int, x: list[int]) -> None:
        if self.friend_lost:
            self.variant(Event.PANIC_FAILED, "panicked", who)
        else:
            self.plain(Event.PANIC_FAILED, who, x)

    def _flank_panic(self, who: int, x: list[int]) -> None:
        self.friend_lost = False
        self.plain(Event.FLANK_PANIC, who, x)

    def _shot_panic(self, who: int, x: list[int]) -> None:
        self.friend_lost = False
        self.plain(Event.SHOT_PANIC, who, x)

    # sums of dice

    def sum_of_dice(self, row: list[int]) -> None:
        """Keep the dice of a sum for the note that uses it."""
        n, sides, u, total = row[2], row[3], row[5], row[6]
        if row[4] == 1:
            self.dice.append(f"{self.without_highest(leadership_roll(u, True)[0])} = {total}")
        else:
            self.dice.append(self.shown(roll(n, sides, u, total), sides))
        self.rolled = total
        name = charge_place(row)
        if Place.REACH <= name < Place.REACH + 3:
            self.reach_dice(row[1] % NAMED // NAMES, name - Place.REACH)

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

    def _must_charge(self, who: int, x: list[int]) -> None:
        self.targets[self.names[who]] = self.names[x[0]]
        self.plain(Event.MUST_CHARGE, who, x)

    def _declared(self, who: int, x: list[int]) -> None:
        """Tell a charge that was declared freely; others have been told where they arose."""
        self.targets[self.names[who]] = self.names[x[0]]
        if x[1] == Kind.DECLARED:
            self.plain(Event.DECLARED, who, x)

    def _redirects(self, who: int, x: list[int]) -> None:
        self.targets[self.names[who]] = self.names[x[0]]
        self.redirected.add(self.names[who])
        self.plain(Event.REDIRECTS, who, x)

    def _must_flee(self, who: int, x: list[int]) -> None:
        self.plain(Event.MUST_FLEE, who, x, note=x[0] != Reaction.FLEE)

    def immune(self, event: Event, who: int, at: int) -> None:
        """Tell what a unit does for its immunity, by the rule that makes it immune."""
        unit = self.names[who]
        rule, cause = self.immunity(unit, at)
        self.plain(event, who, [], rule=rule, cause=cause)

    def _immune_holds(self, who: int, _: list[int]) -> None:
        self.immune(Event.IMMUNE_HOLDS, who, 1)

    def _immune_passes(self, who: int, _: list[int]) -> None:
        self.immune(Event.IMMUNE_PASSES, who, 2)

    def _no_missiles(self, who: int, x: list[int]) -> None:
        if x[0] == Troop.WAR_MACHINE:
            self.variant(Event.NO_MISSILES, "war machine", who, rule="WH6-SS-03")
        else:
            self.plain(Event.NO_MISSILES, who, x)

    def _too_close(self, who: int, x: list[int]) -> None:
        self.plain(Event.TOO_CLOSE, who, x, half=self.length(x[1] / 2))

    def _measured(self, who: int, x: list[int]) -> None:
        name = self.names[who]
        unit = self.model.unit[name]
        given = next((c.reach for c in self.model.charge if c.charger == name), None)
        rule = ""
        if name in self.redirected:
            source, rule = self.phrase("as before"), "WH6-REDIR-03"
        elif given is not None:
            source = self.phrase("given")
        elif "flyer" in unit.rules and x[1] != round(2 * unit.M * LENGTH):
            source, rule = self.phrase("flight"), "WH6-CHG-04"
        else:
            source = self.phrase("twice", move=self.length(unit.M * LENGTH))
        text = self.sentence(Event.MEASURED, x, unit=name, source=source)
        if x[2] != x[0]:
            text += " " + self.phrase("straight", gap=self.length(x[2]))
        self.add(SENTENCES[Event.MEASURED], text, name, rule=rule)

    # flights

    def _short_legs(self, _: int, x: list[int]) -> None:
        text = self.sentence(Event.SHORT_LEGS, x)
        self.rolled -= x[0]
        self.dice.append(f"{text} [{SENTENCES[Event.SHORT_LEGS].rule}] = {self.rolled}")

    def limit(self) -> int:
        """Movement above which a unit flees and pursues on the larger dice."""
        return (6 if self.model.units == "inch" else 15) * LENGTH

    def pace(self, name: str) -> str:
        """Which dice a unit flees and pursues on: key of the phrase that says why."""
        unit = self.model.unit[name]
        if "flyer" in unit.rules:
            return "flyer"
        return "fast" if round(unit.M * LENGTH) > self.limit() else "slow"

    def _flight(self, who: int, x: list[int]) -> None:
        name = self.names[who]
        self.fled.add(name)
        if x[0] > self.rolled:
            more = self.phrase("skaven", more=x[0] - self.rolled)
            self.dice.append(f"{more} [WH6-ARMY-07] = {x[0]}")
        move = self.length(self.model.unit[name].M * LENGTH)
        source = self.phrase(self.pace(name), move=move, limit=self.length(self.limit()))
        self.plain(Event.FLIGHT, who, x, source=f"{source} [WH6-UNIT-04]")

    def _leaves_table(self, who: int, x: list[int]) -> None:
        self.gone.add(self.names[who])
        self.plain(Event.LEAVES_TABLE, who, x)

    # charge moves

    def _catches(self, who: int, x: list[int]) -> None:
        self.gone.add(self.names[x[0]])
        self.plain(Event.CATCHES, who, x)

    def _escapes(self, who: int, x: list[int]) -> None:
        if x[1] > x[2]:
            self.plain(Event.ESCAPES, who, x)
        else:
            self.variant(Event.ESCAPES, "escaped", who, charger=self.names[x[0]])

    def _failed_move(self, who: int, x: list[int], event: Event = Event.FAILED_MOVE) -> None:
        if self.targets[self.names[who]] in self.gone:
            key = "away" if event is Event.FAILED_MOVE else "flown away"
            self.variant(event, key, who, moved=self.length(x[0]))
        else:
            self.plain(event, who, x)

    def _failed_flight(self, who: int, x: list[int]) -> None:
        self._failed_move(who, x, Event.FAILED_FLIGHT)

    def _makes_contact(self, who: int, x: list[int]) -> None:
        self.contacts.setdefault(self.names[x[0]], []).append(self.names[who])
        self.plain(Event.MAKES_CONTACT, who, x)
