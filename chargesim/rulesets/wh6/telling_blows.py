"""How shots, impact hits and blows are told: target numbers, and the rolls behind every count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from chargesim.kernels.refine import roll_off, sort_out
from chargesim.rulesets.telling import Sentence
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import CHARIOTS, Model, Unit
from chargesim.rulesets.wh6.state import NO_SAVE, Place, UnitPlace
from chargesim.rulesets.wh6.telling_speaker import SENTENCES, Teller, charge_place, unit_place
from chargesim.rulesets.wh6.telling_words import WEAPONS

TERMS = frozenset(
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
_REGENERATED = frozenset({Place.SHOTS_REGENERATED, Place.GROUND_REGENERATED})
_SLAIN = frozenset(int(place) for place in Place if place.name.endswith("_SLAIN"))
_ROLL_OFFS = (UnitPlace.RIDERS_FIRST, UnitPlace.STEEDS_FIRST)
_SIX = Fraction(1, 6)


@dataclass
class Blows:
    """Shots, impact hits or blows on their way from the first roll to the unsaved wounds."""

    word: str = "shots"
    """Key of the word that counts them."""
    unit: str = ""
    """Who suffers them."""
    need: int = 0
    """What they hit on; 0: they hit by themselves."""
    hit: Fraction = Fraction(1)
    hit_text: str = ""
    poison: Fraction = Fraction(0)
    """Chance to wound without a roll."""
    killing: bool = False
    wound: Fraction = Fraction(0)
    wound_text: str = ""
    armour: Fraction = Fraction(1)
    armour_text: str = ""
    ward: Fraction = Fraction(1)
    ward_text: str = ""
    wrecks: bool = False
    in_combat: bool = True
    armed: str = ""
    """Who strikes with a weapon; empty: steeds, shots and hits without one."""
    rows: list[list[int]] = field(default_factory=list)

    def fate(self) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        """Chances of one blow, taken apart.

        Returns
        -------
        tuple of list of Fraction
            To slay; to wound by poison, and by a roll; to end without a wound: missed, failed to
            wound, saved by armour (by poison, by a roll), warded (slain, by poison, by a roll).
        """
        rolled = self.hit - self.poison
        deadly = rolled * _SIX if self.killing else Fraction(0)
        plain = rolled * max(self.wound - (_SIX if self.killing else 0), Fraction(0))
        if self.wrecks:
            deadly, plain = rolled * self.wound, Fraction(0)
        pierced = [self.poison * self.armour, plain * self.armour]
        out = [
            1 - self.hit,
            rolled - deadly - plain,
            self.poison - pierced[0],
            plain - pierced[1],
            deadly * (1 - self.ward),
            pierced[0] * (1 - self.ward),
            pierced[1] * (1 - self.ward),
        ]
        return [deadly * self.ward], [chance * self.ward for chance in pierced], out


def sorted_blows(blows: Blows) -> tuple[int, int, list[int], list[int]]:
    """What became of the blows behind the counts that were drawn.

    The slain are drawn first, then the wounds among the rest; the halves of a large count add up.

    Returns
    -------
    tuple
        Blows; slain; wounds by poison and by a roll; blows that ended at each stage, as
        :meth:`Blows.fate` names them.
    """
    slay, wound, out = blows.fate()
    first = [row for row in blows.rows if charge_place(row) in _SLAIN]
    second = [row for row in blows.rows if charge_place(row) not in _SLAIN]
    slain = sum(row[6] for row in first)
    wounds, fallen = [0, 0], [0] * len(out)
    for row in second:
        rest = 1 - sum(slay)
        came, fell = sort_out(
            row[2], [w / rest for w in wound], [o / rest for o in out], row[5], row[6]
        )
        wounds = [a + b for a, b in zip(wounds, came, strict=True)]
        fallen = [a + b for a, b in zip(fallen, fell, strict=True)]
    if not second:
        for row in first:
            _, fell = sort_out(row[2], slay, out, row[5], row[6])
            fallen = [a + b for a, b in zip(fallen, fell, strict=True)]
    return slain + sum(wounds) + sum(fallen), slain, wounds, fallen


class BlowTeller(Teller):
    """Tells the events of shooting, impact hits and blows."""

    def __init__(self, model: Model, names: Sequence[str], lang: str) -> None:
        super().__init__(model, names, lang)
        self.terms: list[str] = []
        self.blows = Blows()
        self.led: set[str] = set()
        self.sixes = False
        self.faces = (0, 0)

    # target numbers

    def term(self, event: Event, row: list[int]) -> None:
        """Keep one term of a target number, with its rule id where it is not the sum's own."""
        sentence = SENTENCES[event]
        more = {}
        if event is Event.MOD_SINGLE_OR_SKIRMISHERS:
            lone = "skirmishers" not in self.model.unit[self.names[row[2]]].rules
            more["what"] = self.phrase("lone" if lone else "skirmishers")
        text = self.sentence(event, row[3:7], **more)
        own = event is Event.BALLISTIC_SKILL
        self.terms.append(text if own else f"{text} [{sentence.rule}]")

    def _to_hit(self, who: int, x: list[int], event: Event = Event.TO_HIT) -> None:
        need = x[0]
        chance = Fraction(7 - max(need, 2), 6) if need <= 6 else Fraction(max(10 - need, 0), 36)
        self.blows.need, self.blows.hit, self.blows.hit_text = need, chance, f"{max(need, 2)}+"
        rule = "WH6-SHOOT-03" if need > 6 else ""
        self.plain(event, who, x, rule=rule, sum="; ".join(self.terms), target=self.target(need))
        self.terms = []

    def _cannot_hit(self, who: int, x: list[int]) -> None:
        self._to_hit(who, x, Event.CANNOT_HIT)

    def _needs_sixes(self, who: int, x: list[int]) -> None:
        self.sixes = True
        if self.names[who] in self.targets.values():
            self.plain(Event.NEEDS_SIXES, who, x)
        else:
            enemy = self.names[x[0]]
            self.variant(Event.NEEDS_SIXES, "defended", who, rule="WH6-CC-08", enemy=enemy)

    def _strike_to_hit(self, who: int, x: list[int]) -> None:
        need = x[0]
        self.blows.need, self.blows.hit = need, Fraction(7 - need, 6)
        self.blows.hit_text = f"{need}+"
        if self.sixes:
            self.variant(Event.STRIKE_TO_HIT, "sixes", who)
        else:
            self.plain(Event.STRIKE_TO_HIT, who, x)
        self.sixes = False

    def _hates(self, who: int, x: list[int]) -> None:
        blows = self.blows
        blows.hit += (1 - blows.hit) * blows.hit
        blows.hit_text = self.phrase("re-rolled", need=blows.hit_text)
        self.plain(Event.HATES, who, x)

    def _poisoned(self, who: int, x: list[int]) -> None:
        blows = self.blows
        plain = Fraction(7 - max(blows.need, 2), 6)
        again = 1 - plain if blows.hit > plain else Fraction(0)
        blows.poison = _SIX + again * _SIX
        self.plain(Event.POISONED, who, x)

    def _killing_blow(self, who: int, x: list[int]) -> None:
        self.blows.killing = True
        self.plain(Event.KILLING_BLOW, who, x)

    def to_wound(self, who: int, chance: Fraction, text: str) -> None:
        """Begin with what a unit suffers: the roll to wound, no saves yet."""
        blows = self.blows
        blows.unit = self.names[who]
        blows.wound, blows.wound_text = chance, text
        blows.armour = blows.ward = Fraction(1)
        blows.armour_text = blows.ward_text = ""
        blows.wrecks = False

    def _to_wound(self, who: int, x: list[int]) -> None:
        self.to_wound(who, Fraction(7 - x[0], 6), f"{x[0]}+")
        values = {**self.values(SENTENCES[Event.TO_WOUND], x), "strength": self.armed(x[1])}
        text = self.say(SENTENCES[Event.TO_WOUND].text).format(**values)
        self.add(SENTENCES[Event.TO_WOUND], text, self.names[who])

    def armed(self, strength: int) -> str:
        """The strength of a blow, and what the weapon adds to it."""
        if not self.blows.armed:
            return str(strength)
        unit = self.model.unit[self.blows.armed]
        crew = unit.chariot.crew if unit.chariot else None
        more = strength - (crew.S if crew else unit.S)
        if not more:
            return str(strength)
        key = "shot close" if unit.weapon in ("pistol", "brace_of_pistols") else "armed"
        weapon = self.say(WEAPONS[unit.weapon])
        text = self.phrase(key, strength=strength, weapon=weapon, more=more)
        return f"{text} [WH6-WPN-{unit.weapon}]"

    def _cannot_wound(self, who: int, x: list[int]) -> None:
        self.to_wound(who, Fraction(0), "6+")
        self.plain(Event.CANNOT_WOUND, who, x)

    def _wrecks_chariot(self, who: int, x: list[int]) -> None:
        self.blows.wrecks = True
        self.plain(Event.WRECKS_CHARIOT, who, x)

    def _armour(self, who: int, x: list[int], event: Event = Event.ARMOUR) -> None:
        base, save, strength = x[:3]
        terms = self.saves_before(self.model.unit[self.names[who]], base)
        weaker = max(strength - 3, 0)
        if weaker:
            terms.append(self.phrase("strength", strength=strength, modifier=f"{-weaker:+d}"))
        if save - base - weaker:
            terms.append(self.phrase("piercing", modifier=f"{weaker + base - save:+d}"))
        if save <= 6:
            self.blows.armour, self.blows.armour_text = (
                Fraction(max(save, 2) - 1, 6),
                f"{max(save, 2)}+",
            )
        target = self.target(save) if save <= 6 else f"{save}+"
        if terms == [target]:
            self.variant(event, "plain save", who, target=target)
        else:
            self.plain(event, who, x, sum="; ".join(terms), target=target)

    def saves_before(self, unit: Unit, base: int) -> list[str]:
        """The save before the blow's strength, and what close combat made of the written one."""
        written = NO_SAVE if unit.save is None else int(unit.save[:-1])
        if written == base or not self.blows.in_combat:
            return [f"{base}+"]
        key = "shield" if base < written else "no shield"
        first = [f"{written}+"] if written < NO_SAVE else []
        return [*first, f"{self.phrase(key)} [WH6-SAVE-02]"]

    def _no_armour(self, who: int, x: list[int]) -> None:
        self._armour(who, x, Event.NO_ARMOUR)

    def _ward(self, who: int, x: list[int]) -> None:
        self.blows.ward, self.blows.ward_text = Fraction(x[0] - 1, 6), f"{x[0]}+"
        self.plain(Event.WARD, who, x)

    # who strikes

    def _shoots(self, who: int, x: list[int]) -> None:
        self.blows = Blows(in_combat=False)
        self.plain(Event.SHOOTS, who, x)

    def _impact_hits(self, who: int, x: list[int]) -> None:
        self.blows = Blows()
        hits = x[0]
        if self.dice and hits > self.rolled:
            self.dice.append(f"{self.rolled} + {hits - self.rolled} = {hits}")
        self.plain(Event.IMPACT_HITS, who, x)

    def _bull_charge(self, who: int, x: list[int]) -> None:
        self.blows = Blows()
        self.plain(Event.BULL_CHARGE, who, x)

    def _ground_hits(self, who: int, x: list[int]) -> None:
        self.blows = Blows()
        self.plain(Event.GROUND_HITS, who, x)

    def striker(self, name: str, steeds: bool) -> str:
        """Who of a unit strikes."""
        unit = self.model.unit[name]
        if unit.troop in CHARIOTS:
            return self.phrase("beasts" if steeds else "crew", unit=name)
        if unit.mount is not None:
            return self.phrase("steeds" if steeds else "riders", unit=name)
        return name

    def more_attacks(self, name: str) -> list[str]:
        """Why riders or foot soldiers have more attacks than their profile says."""
        unit = self.model.unit[name]
        found = []
        if "frenzy" in unit.rules:
            found.append(f"{self.phrase('frenzy')} [WH6-FRENZ-03]")
        if unit.weapon in ("two_hand_weapons", "brace_of_pistols") and unit.troop in (
            "infantry",
            "ogre",
        ):
            text = self.phrase("second weapon", weapon=self.say(WEAPONS[unit.weapon]))
            found.append(f"{text} [WH6-WPN-{unit.weapon}]")
        if unit.champion and name not in self.led:
            found.append(f"{self.phrase('champion')} [WH6-CC-07]")
        return found

    def _strikes(self, who: int, x: list[int]) -> None:
        name, steeds = self.names[who], x[2] == 1
        self.blows = Blows(word="attacks", armed="" if steeds else name)
        reasons = [] if steeds else self.more_attacks(name)
        attacks = f"{x[1]} ({'; '.join(reasons)})" if reasons else str(x[1])
        if not steeds:
            self.led.add(name)
        self.plain(Event.STRIKES, who, x[:1], who=self.striker(name, steeds), attacks=attacks)

    def _nobody_strikes(self, who: int, x: list[int]) -> None:
        name, steeds = self.names[who], x[1] == 1
        if not steeds:
            self.led.add(name)
        self.plain(Event.NOBODY_STRIKES, who, x, who=self.striker(name, steeds))

    def _strikes_first(self, who: int, x: list[int]) -> None:
        """Tell a roll-off between a target and whoever of its chargers is as quick."""
        name, enemy = self.names[who], self.phrase("enemy")
        own, other = self.faces
        self.dice = [f"{name}: {own}", f"{enemy}: {other}"]
        self.plain(Event.STRIKES_FIRST, who, x, first=name if x[0] else enemy)

    # counts

    def count_drawn(self, row: list[int]) -> None:
        """Keep a count for the note that ends its blows, or for the one that rolled off."""
        if unit_place(row) in _ROLL_OFFS:
            self.faces = roll_off(row[5], row[6])
            return
        if charge_place(row) in _REGENERATED and self.blows.rows:
            self.finish_blows()
        self.blows.rows.append(row)

    def finish_blows(self) -> None:
        """Tell the counts that were drawn of shots, hits or blows, as the rolls behind them."""
        blows = self.blows
        if not blows.rows:
            return
        regenerates = charge_place(blows.rows[0]) in _REGENERATED
        if regenerates or unit_place(blows.rows[0]) == UnitPlace.REGENERATED:
            self.dice = self.regeneration(blows.rows)
            blows.rows = []
            return
        number, slain, wounds, fallen = sorted_blows(blows)
        blows.rows = []
        self.dice = self.rolls(number, slain, wounds, fallen)
        if blows.wrecks:
            text, rule = self.phrase("wrecked", slain=slain), "WH6-CHAR-03"
        elif blows.killing:
            text, rule = self.phrase("slain", slain=slain, wounds=sum(wounds)), "WH6-SPEC-03"
        else:
            text, rule = self.phrase("unsaved", wounds=sum(wounds)), "WH6-WND-01"
        self.add(Sentence(rule, "", (), 2), text, blows.unit)

    def rolls(self, number: int, slain: int, wounds: list[int], fallen: list[int]) -> list[str]:
        """The rolls behind the counts, stage by stage."""
        blows = self.blows
        missed, failed, *_ = fallen
        poisoned = wounds[0] + fallen[2] + fallen[5]
        deadly = slain + fallen[4]
        hits = number - missed
        rolled = hits - poisoned
        wounding = rolled - failed
        pierced = hits - failed - deadly - fallen[2] - fallen[3]
        told: list[str] = []

        def stage(word: str, tries: int, need: str, outcome: str, *more: str) -> None:
            if tries and need:
                first = self.plural(word, tries, need=need)
                told.append(", ".join([f"{first}: {outcome}", *more]))

        poison = [self.plural("poisoned", poisoned)] if poisoned else []
        kills = [self.plural("killing", deadly)] if blows.killing and deadly else []
        possible = blows.wound_text if blows.wound or blows.killing else ""
        stage(blows.word, number, blows.hit_text, self.plural("hits", hits), *poison)
        stage("to wound", rolled, possible, self.plural("wounds", wounding), *kills)
        if not blows.wrecks:
            saving = hits - failed - deadly
            stage("saves", saving, blows.armour_text, self.plural("fails", pierced))
        unsaved = slain + sum(wounds)
        stage("wards", pierced + deadly, blows.ward_text, self.plural("fails", unsaved))
        return told

    def regeneration(self, rows: list[list[int]]) -> list[str]:
        """The dice of regeneration, for its note."""
        told = []
        for row in rows:
            need = 7 - row[3] * 6 // row[4]
            first = self.plural("regenerates", row[2], need=f"{need}+")
            told.append(f"{first}: {self.plural('succeeds', row[6])}")
        return told

    # losses

    def _shooting_losses(self, who: int, x: list[int]) -> None:
        self.standing[self.names[who]] = x[1]
        if x[1] == 0:
            self.variant(Event.SHOOTING_LOSSES, "destroyed", who, lost=x[0])
        else:
            self.plain(Event.SHOOTING_LOSSES, who, x)

    def _impact_wounds(self, who: int, x: list[int]) -> None:
        self.standing[self.names[who]] = x[1]
        self.plain(Event.IMPACT_WOUNDS, who, x)

    def _strike_losses(self, who: int, x: list[int]) -> None:
        self.standing[self.names[who]] = x[2]
        self.plain(Event.STRIKE_LOSSES, who, x)

    def _regenerates(self, who: int, x: list[int]) -> None:
        if x[1]:
            self.standing[self.names[who]] = max(self.standing[self.names[who]], 1)
        self.plain(Event.REGENERATES, who, x)
