"""How the combat round is told apart from its blows: result, break tests, pursuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chargesim.kernels.refine import Run, race
from chargesim.rulesets.telling import Line
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model
from chargesim.rulesets.wh6.state import LENGTH, Phase
from chargesim.rulesets.wh6.telling_blows import BlowTeller
from chargesim.rulesets.wh6.telling_charge import ChargeTeller
from chargesim.rulesets.wh6.telling_speaker import SENTENCES
from chargesim.rulesets.wh6.telling_words import IMMUNITIES, OF_A_COMBAT, STEP_RULES, STEPS

SCORES = frozenset(
    {
        Event.SCORE_WOUNDS,
        Event.SCORE_RANKS,
        Event.SCORE_FLANK,
        Event.SCORE_REAR,
        Event.SCORE_OUTNUMBER,
        Event.SCORE_STANDARD,
        Event.SCORE_BONUS,
        Event.SCORE_HIGH_GROUND,
    }
)
"""Notes that are a term of the next combat result."""


class CombatTeller(ChargeTeller, BlowTeller):
    """Tells the headings of all steps, and the events of the combat round."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__(model, names, lang)
        self.numbered: dict[int, str] = {}
        self.score: dict[str, list[str]] = {}
        self.difference = 0
        self.stubborn = False
        self.pursuers: list[str] = []
        self.runs: list[Run] = []

    # steps

    def _step(self, number: int, x: list[int]) -> None:
        """Hold a heading until something happens under it.

        A step of a combat names the combat. The numbers are those of WH6-SEQ-02 and go on from
        them; its steps 1 to 3 have one heading.
        """
        phase = Phase(number)
        title = self.say(STEPS[phase])
        target = ""
        if phase in OF_A_COMBAT:
            # combats take their turns in the order in which they began
            if x[0] not in self.numbered:
                self.numbered[x[0]] = list(self.fights)[len(self.numbered)]
            target = self.numbered[x[0]]
            title = f"{title}: {self.combat(target)}"
        shown = 1 if phase <= Phase.REACTIONS else phase + 2
        text = self.say(SENTENCES[Event.STEP].text).format(number=shown, step=title)
        last = next((told.text for told in reversed(self.lines) if told.level == 0), None)
        rule = STEP_RULES.get(phase, SENTENCES[Event.STEP].rule)
        self.heading = None if last == text else Line(rule, text, None, "", False, 0)
        if phase is Phase.IMPACT:
            fighters = [*self.fights[target], target]
            units = ", ".join(f"{name} {self.standing[name]}" for name in fighters)
            text = self.sentence(Event.COMBAT_BEGINS, [], units=units)
            self.add(SENTENCES[Event.COMBAT_BEGINS], text, target)

    def combat(self, target: str) -> str:
        """A combat by the names of those who fight."""
        return self.phrase("combat", chargers=self.listed(self.fights[target]), target=target)

    def _combat_begins(self, who: int, _: list[int]) -> None:
        """Remember who fights: whom the target fought before, and the chargers that came."""
        target = self.names[who]
        before = self.model.unit[target].engaged
        came = [before] if isinstance(before, str) else []
        came += self.contacts.get(target, [])
        self.fights[target] = [name for name in came if name not in self.fled]

    # result

    def side(self, name: str) -> str:
        """Which side of a combat a unit is on: a target by its name, all chargers together."""
        return name if name in self.fights else ""

    def scores(self, event: Event, who: int, x: list[int]) -> None:
        """Keep one term of a combat result, with its rule id where it is not the sum's own."""
        side = self.side(self.names[who])
        if event is Event.SCORE_REAR and x[0] > 2:
            text = self.phrase("flank and rear", points=x[0])
        else:
            text = self.sentence(event, x)
        rule = SENTENCES[event].rule
        own = rule == SENTENCES[Event.SCORE].rule
        self.score.setdefault(side, []).append(text if own else f"{text} [{rule}]")

    def _score(self, who: int, x: list[int]) -> None:
        target = self.names[who]
        chargers = self.listed(self.fights[target])
        self.difference = abs(x[2])
        if self.standing[target] == 0:
            verdict = self.phrase("wiped out", unit=target)
        elif not any(self.standing[name] for name in self.fights[target]):
            verdict = self.phrase("wiped out", unit=chargers)
        elif x[2] == 0:
            verdict = self.phrase("draw")
        else:
            winner = chargers if x[2] > 0 else target
            verdict = self.phrase("won", unit=winner, points=abs(x[2]))
        self.plain(
            Event.SCORE,
            who,
            x,
            chargers=chargers,
            sum=" + ".join(self.score.get("", ["0"])),
            other_sum=" + ".join(self.score.get(target, ["0"])),
            verdict=verdict,
        )
        self.score = {}

    # break tests

    def _stubborn(self, who: int, x: list[int]) -> None:
        self.stubborn = self.best(self.names[who]) - self.difference < x[0]
        if self.stubborn:
            self.plain(Event.STUBBORN, who, x)

    def _break_test(self, who: int, x: list[int]) -> None:
        target, difference = x[:2]
        name = self.names[who]
        best = self.best(name)
        least = 2 if self.model.switches.insane_courage else 0
        if self.stubborn:
            text = self.phrase("as its own", ld=target)
        else:
            # a target that was raised to the least does not say what it was before
            ld = target + difference if target > least else best
            general = (self.model.unit[name].general_ld or 0) > (self.model.unit[name].Ld or 0)
            text = self.phrase("as of the General" if general else "as its own", ld=min(ld, best))
            if general:
                text += " [WH6-LD-02]"
            if ld > best:
                text = self.phrase("with ranks", ld=text, more=ld - best) + " [WH6-ARMY-07]"
            text = self.phrase("lowered", ld=text, difference=difference, target=ld - difference)
            if ld - difference < least > 0:
                text = self.phrase("at least", sum=text, least=least) + " [WH6-BRK-03]"
        self.stubborn = False
        sentence = SENTENCES[Event.BREAK_TEST]
        self.test = sentence, self.say(sentence.text).format(unit=name, sum=text), name

    def _break_again(self, who: int, x: list[int]) -> None:
        sentence, name = SENTENCES[Event.BREAK_AGAIN], self.names[who]
        self.test = sentence, self.sentence(Event.BREAK_AGAIN, x, unit=name), name

    def _instability(self, who: int, x: list[int]) -> None:
        rolled, ld = x[:2]
        if rolled > ld:
            self.variant(Event.INSTABILITY, "banished", who, ld=ld)
        else:
            self.plain(Event.INSTABILITY, who, x, difference=self.difference)

    def _fear_breaks(self, who: int, x: list[int]) -> None:
        self.broken.add(self.names[who])
        self.plain(Event.FEAR_BREAKS, who, x)

    def _breaks(self, who: int, x: list[int]) -> None:
        self.broken.add(self.names[who])
        self.plain(Event.BREAKS, who, x)

    # flight and pursuit

    def _must_pursue(self, who: int, x: list[int]) -> None:
        if "frenzy" in self.model.unit[self.names[who]].rules:
            rule, cause = "WH6-FRENZ-04", self.say(IMMUNITIES[0][3])
        else:
            rule, cause = "WH6-HATE-01", self.phrase("hateful")
        self.plain(Event.MUST_PURSUE, who, x, rule=rule, cause=cause)

    def _pursues(self, who: int, x: list[int]) -> None:
        self.pursuers.append(self.names[who])
        self.plain(Event.PURSUES, who, x)

    def pursuit_class(self, name: str) -> int:
        """Place of a unit among pursuers: slow, slow with short legs, fast, fast with them."""
        return 2 * (self.pace(name) != "slow") + ("dwarf_legs" in self.model.unit[name].rules)

    def race(self, row: list[int]) -> None:
        """Keep the dice of a flight and its pursuers for the note that says how it ended."""
        self.runs = race(row[2], row[3], row[4], row[5], row[6])

    def ran(self, name: str, run: Run) -> str:
        """A unit's dice of a race, written out."""
        text = f"{name} {self.shown(run.dice)}"
        if not run.plus:
            return text
        key, rule = ("skaven", "07") if run.plus > 0 else ("dwarf legs", "06")
        return f"{text}, {self.phrase(key, more=abs(run.plus))} [WH6-ARMY-{rule}] = {run.length}"

    def end_race(self, event: Event, who: int, x: list[int], key: str, rule: str = "") -> None:
        """Tell how a flight from combat ended, with the dice where any were rolled."""
        runners = [self.names[who], *sorted(self.pursuers, key=self.pursuit_class)]
        self.dice = [self.ran(*pair) for pair in zip(runners, self.runs, strict=False)]
        self.fled.add(self.names[who])
        more: dict[str, Any] = {}
        if self.runs:
            more["flight"] = self.length(self.runs[0].length * LENGTH)
        if key:
            self.variant(event, key, who, rule=rule, **more)
        else:
            self.plain(event, who, x, rule=rule, **more)
        self.pursuers, self.runs = [], []

    def _run_down(self, who: int, x: list[int]) -> None:
        self.end_race(Event.RUN_DOWN, who, x, "")

    def _gets_away(self, who: int, x: list[int]) -> None:
        if x[0] == 2:
            self.end_race(Event.GETS_AWAY, who, x, "over the edge", "WH6-FLEE-02")
        elif self.pursuers:
            self.end_race(Event.GETS_AWAY, who, x, "outran", "WH6-PURS-02")
        else:
            self.end_race(Event.GETS_AWAY, who, x, "unpursued" if self.runs else "")
