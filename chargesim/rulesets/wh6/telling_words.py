"""Sentences of the trace: for every event of the rules its rule id and its English words.

The English texts are the message ids of the catalogue ``wh6``; :func:`mark` and :func:`marks` show
them to the tool that collects messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.scenario import Model
from chargesim.rulesets.wh6.state import LENGTH, Phase, Reaction
from chargesim.words import translation


def mark(text: str) -> str:
    """Give a message back unchanged."""
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
        1 for what happened, 2 for how it was found out.
    is_note
        True when the event belongs to the notes of a result.
    """

    rule: str
    text: str
    fields: tuple[str, ...] = ()
    level: int = 1
    is_note: bool = False


def _s(rule: str, text: str, fields: str = "", level: int = 1) -> Sentence:
    return Sentence("WH6-" + rule, text, tuple(fields.split()), level)


def _n(rule: str, text: str, fields: str = "") -> Sentence:
    return Sentence("WH6-" + rule, text, tuple(fields.split()), 1, is_note=True)


SENTENCES: dict[Event, Sentence] = {
    Event.STEP: _s("SEQ-02", mark("{number}. {step}"), level=0),
    # tests
    Event.LEADERSHIP: _s("LD-01", mark("Leadership test: Ld {ld}"), "target bonus", 2),
    Event.LEADERSHIP_GENERAL: _s(
        "LD-02", mark("Leadership test: Ld {ld} of the General"), "target bonus", 2
    ),
    # declaration and reactions
    Event.DECLARED: _s("CHG-01", mark("{unit} declared a charge on {enemy}."), "enemy"),
    Event.REACTS: _s("CHG-10", mark("Reaction of {unit}: {reaction}."), "reaction"),
    Event.MUST_FLEE: _n(
        "FLEE-09",
        mark("{unit} was fleeing already and could only flee (declared: {reaction})."),
        "reaction",
    ),
    Event.ENGAGED_HOLDS: _n(
        "CHG-10",
        mark("{unit} was fighting already and could only hold (declared: {reaction})."),
        "reaction",
    ),
    Event.UNDEAD_HOLDS: _n(
        "ARMY-01", mark("{unit}, being undead, could only hold (declared: {reaction})."), "reaction"
    ),
    Event.IMMUNE_HOLDS: _n(
        "IMM-01", mark("{unit}, being {cause}, could not choose to flee and held."), "rules"
    ),
    Event.NO_MISSILES: _n(
        "SS-01", mark("{unit} had no missile weapon to stand and shoot with and held."), "troop"
    ),
    Event.NOT_IN_SIGHT: _n(
        "SS-01", mark("{unit} could not see a charger at the {arc} to shoot at, and held."), "arc"
    ),
    Event.TOO_CLOSE: _n(
        "SS-01",
        mark(
            "{unit} could not stand and shoot and held: {distance} is not more "
            "than half of the reach, {half}."
        ),
        "distance reach",
    ),
    # reach
    Event.MEASURED: _s(
        "CHG-02",
        mark("Reach of {unit}: {reach} ({source}); distance to spend: {distance}."),
        "distance reach gap",
    ),
    Event.IN_REACH: _s(
        "SEQ-02", mark("In reach: {distance} is at most {reach}."), "distance reach"
    ),
    Event.SHORT: _s(
        "SEQ-02",
        mark("Out of reach: {distance} is more than {reach}, the charge falls short."),
        "distance reach",
    ),
    # psychology
    Event.FLANK_PANIC: _s(
        "PANIC-01",
        mark(
            "{unit}, already fighting, was charged in the {arc} by {charger} of "
            "unit strength {strength}: Panic test."
        ),
        "charger arc strength",
    ),
    Event.SHOT_PANIC: _s(
        "SS-07",
        mark("{unit} lost {lost} of {start} models, a quarter or more: Panic test."),
        "lost start",
    ),
    Event.NO_SHOT_PANIC: _s(
        "PANIC-03",
        mark("{unit} lost {lost} of {start} models, less than a quarter: no Panic test."),
        "lost start",
    ),
    Event.IMMUNE_PASSES: _s("IMM-01", mark("{unit}, being {cause}, passed without a roll.")),
    Event.PANIC_PASSED: _s("PANIC-01", mark("{unit} did not panic.")),
    Event.PANIC_FAILED: _s(
        "PANIC-07", mark("{unit} panicked and had to flee from {enemy}."), "enemy"
    ),
    Event.FEARS: _s("FEAR-01", mark("{unit} feared {enemy}: Fear test."), "enemy"),
    Event.FEAR_PASSED: _s("FEAR-01", mark("{unit} overcame the fear.")),
    Event.FEAR_FLEES: _s(
        "FEAR-01",
        mark("{unit} had to flee from {enemy}: unit strength {theirs} is more than {own}."),
        "enemy theirs own",
    ),
    Event.FEAR_SIXES: _s(
        "FEAR-09",
        mark(
            "{unit} needs natural sixes to hit {enemy} this turn: unit strength "
            "{theirs} is not more than {own}."
        ),
        "enemy theirs own",
    ),
    Event.FEAR_REFUSES: _s("CHG-07", mark("{unit} did not dare to charge {enemy}."), "enemy"),
    Event.TERRIFIED: _s("TERR-02", mark("{enemy} terrified {unit}: Terror test."), "enemy"),
    Event.TERROR_PASSED: _s("TERR-03", mark("{unit} overcame the terror.")),
    Event.TERROR_FLEES: _s("TERR-04", mark("{unit} had to flee from {enemy} in terror."), "enemy"),
    # flights
    Event.FLIGHT: _s("FLEE-01", mark("{unit} fled {flight} ({source})."), "flight"),
    Event.SHORT_LEGS: _s("ARMY-06", mark("dwarf legs -{less}"), "less", 2),
    Event.LEAVES_TABLE: _s(
        "FLEE-02",
        mark("{unit} fled over the table edge, {edge} away, and was gone for good."),
        "flight edge",
    ),
    # stand and shoot
    Event.NO_TARGET: _s(
        "SS-10",
        mark("{unit} did not shoot: the charge of {charger} did not take place."),
        "charger",
    ),
    Event.STAYS_OUT_OF_RANGE: _s(
        "SS-06",
        mark(
            "{unit} did not shoot: the failed charge would end {short} away, "
            "beyond the range of {range}."
        ),
        "short range",
    ),
    Event.BEYOND_RANGE: _n(
        "SS-04",
        mark("{unit} shot as at full range: {gap} is beyond the range of {range}."),
        "gap range",
    ),
    Event.SHOOTS: _s(
        "SHOOT-04",
        mark("{unit} stood and shot at {enemy}, number of shots: {shots}."),
        "enemy shots",
    ),
    Event.BALLISTIC_SKILL: _s("SHOOT-01", mark("7 - BS {skill} = {need}+"), "skill need", 2),
    Event.MOD_STAND_AND_SHOOT: _s("SS-05", mark("standing and shooting {modifier}"), "modifier", 2),
    Event.MOD_LONG_RANGE: _s(
        "SHOOT-02", mark("long range {modifier} ({part} of {range})"), "modifier part range", 2
    ),
    Event.MOD_LARGE_TARGET: _s("SHOOT-02", mark("large target {modifier}"), "modifier", 2),
    Event.MOD_SINGLE_OR_SKIRMISHERS: _s("SHOOT-02", mark("{what} {modifier}"), "modifier", 2),
    Event.MOD_COVER: _s("SHOOT-02", mark("{cover} {modifier}"), "modifier cover", 2),
    Event.MOD_MULTIPLE_SHOTS: _s(
        "SHOOT-02", mark("multiple shots {modifier} ({shots} a model)"), "modifier shots", 2
    ),
    Event.TO_HIT: _s("SHOOT-01", mark("To hit: {sum}: {target}."), "need", 2),
    Event.CANNOT_HIT: Sentence(
        "WH6-SHOOT-03", mark("To hit: {sum}: {target}, which no roll reaches."), ("need",), 2, True
    ),
    Event.POISONED: _s("SPEC-04", mark("Poison: a natural 6 to hit wounds by itself."), level=2),
    Event.KILLING_BLOW: _s(
        "SPEC-03", mark("Killing blow: a natural 6 to wound slays, past any armour save."), level=2
    ),
    # wounds
    Event.TO_WOUND: _s(
        "WND-01",
        mark("To wound: S {strength} against T {toughness}: {need}+."),
        "need strength toughness",
        2,
    ),
    Event.CANNOT_WOUND: Sentence(
        "WH6-WND-01",
        mark("To wound: S {strength} cannot wound {unit} of T {toughness}."),
        ("strength", "toughness"),
        2,
        True,
    ),
    Event.ARMOUR: _s(
        "SAVE-01", mark("Armour save of {unit}: {sum}: {target}."), "base need strength", 2
    ),
    Event.NO_ARMOUR: _s(
        "SAVE-01", mark("Armour save of {unit}: {sum}: {target}, so none."), "base need strength", 2
    ),
    Event.WARD: _s("SAVE-03", mark("Ward save of {unit}: {need}+."), "need", 2),
    Event.WRECKS_CHARIOT: _s(
        "CHAR-03",
        mark("S {strength}: every wound destroys one chariot of {unit}, without armour save."),
        "strength",
        2,
    ),
    Event.REGENERATES: _s(
        "SPEC-01",
        mark("Wounds that {unit} regenerated: {regained} of {wounds}."),
        "wounds regained need",
    ),
    Event.SHOOTING_LOSSES: _s(
        "SPEC-05", mark("Models of {unit} lost: {lost}; left: {left}."), "lost left"
    ),
    # rallying and compulsory moves
    Event.IN_THE_WAY: _s(
        "CHG-12", mark("{unit} fled in the path of {charger}: rally test."), "charger"
    ),
    Event.RALLIED: _s(
        "CHG-15", mark("{unit} rallied and stood in the way of {charger}."), "charger"
    ),
    Event.FLED_ON: _s("CHG-12", mark("{unit} did not rally, fled on and left the path.")),
    # charge moves
    Event.CATCHES: _s(
        "FLEE-02",
        mark("{unit} ran down {enemy}: gap and flight make {far}, at most the reach of {reach}."),
        "enemy far reach",
    ),
    Event.ESCAPES: _s(
        "FLEE-02",
        mark(
            "{unit} escaped from {charger}: gap and flight make {far}, more than "
            "the reach of {reach}."
        ),
        "charger far reach",
    ),
    Event.FAILED_MOVE: _s(
        "CHG-06",
        mark("Failed charge: {unit} moved {moved} and stopped {short} short of the target."),
        "moved short",
    ),
    Event.FAILED_FLIGHT: _s(
        "CHG-06",
        mark("Failed charge: {unit} flew {moved} and stopped {short} short of the target."),
        "moved short",
    ),
    Event.MAKES_CONTACT: _s(
        "CHG-02", mark("Contact: {unit} spent {distance} and reached {enemy}."), "enemy distance"
    ),
    Event.NOT_MOVED: _s("CHG-07", mark("{unit} stayed where it was and may not shoot this turn.")),
    # impact hits
    Event.FIGHT_NOT_PLAYED: _n(
        "IMPACT-02",
        mark(
            "{unit} fights a unit outside the scenario: the fight, impact hits "
            "included, was not played."
        ),
    ),
    Event.IMPACT_HITS: _s(
        "IMPACT-01",
        mark("Impact hits of {unit}: {hits} at S {strength}; chariots in contact: {chariots}."),
        "hits chariots strength",
    ),
    Event.CHAMPION_SPARED: _n(
        "IMPACT-04", mark("Impact hits do not reach the champion of {unit}.")
    ),
    Event.IMPACT_WOUNDS: _s(
        "IMPACT-02",
        mark("Wounds suffered by {unit}: {wounds}; models left: {left}."),
        "wounds left",
    ),
    Event.WIPED_OUT: _s("CR-01", mark("{unit} was wiped out: nobody is left to fight.")),
}

STEPS = {
    Phase.DECLARATION: mark("Declaration and reactions"),
    Phase.REACH: mark("Reach"),
    Phase.TESTS: mark("Psychology tests"),
    Phase.FLIGHTS: mark("Flights of the charged"),
    Phase.SHOOTING: mark("Stand and shoot"),
    Phase.COMPULSORY_MOVES: mark("Rallying and compulsory moves"),
    Phase.CHARGE_MOVES: mark("Charge moves"),
    Phase.IMPACT: mark("Impact hits"),
}
STEP_RULES = {
    Phase.COMPULSORY_MOVES: "WH6-SEQ-01",
    Phase.CHARGE_MOVES: "WH6-SEQ-01",
    Phase.IMPACT: "WH6-IMPACT-02",
}
"""Rule ids of the steps after the declaration sub-phase."""

REACTIONS = {
    Reaction.HOLD: mark("hold"),
    Reaction.STAND_AND_SHOOT: mark("stand and shoot"),
    Reaction.FLEE: mark("flee"),
}
ARCS = (mark("front"), mark("flank"), mark("rear"))
COVERS = (mark("no cover"), mark("soft cover"), mark("hard cover"))
IMMUNITIES = (
    ("frenzy", "WH6-FRENZ-04", "WH6-FRENZ-07", mark("frenzied")),
    ("unbreakable", "WH6-UNBR-01", "WH6-UNBR-01", mark("unbreakable")),
    ("undead", "WH6-ARMY-01", "WH6-ARMY-01", mark("undead")),
    ("daemon", "WH6-ARMY-02", "WH6-ARMY-02", mark("daemonic")),
    ("immune_to_psychology", "WH6-IMM-01", "WH6-IMM-01", mark("immune to psychology")),
)
"""What makes a unit immune: rule, id why it never chooses to flee, id "
"why it takes no test, word."""

PHRASES = {
    "war machine": mark("{unit}, a war machine, could not stand and shoot and held."),
    "away": mark("Failed charge: {unit} moved {moved}."),
    "flown away": mark("Failed charge: {unit} flew {moved}."),
    "escaped": mark("{unit} escaped from {charger}, which was out of reach from the start."),
    "blocked": mark("{unit} escaped from {charger}, whose path was blocked."),
    "destroyed": mark("{unit} lost every model: {lost}."),
    "straight": mark("Straight distance: {gap}."),
    "twice": mark("twice M {move}"),
    "flight": mark("flight, not doubled"),
    "given": mark("as given"),
    "reach": mark("Dice of the reach {reach}"),
    "estimate": mark("Distance judged by eye: {mean}, standard deviation {sd}; it was {distance}."),
    "musician": mark("musician +{bonus}: {target}"),
    "cold": mark("cold-blooded: the highest die does not count"),
    "slow": mark("M {move} is at most {limit}"),
    "fast": mark("M {move} is more than {limit}"),
    "flyer": mark("flyer"),
    "skirmishers": mark("skirmishers"),
    "lone": mark("single man-sized model on foot"),
    "strength": mark("S {strength} {modifier}"),
    "piercing": mark("armour piercing {modifier}"),
    "shield": mark("hand weapon and shield +1"),
    "no shield": mark("both hands on the weapon, no shield -1"),
    "needs": mark("{need}+"),
    "two rolls": mark("{need}+ (a 6, then {then}+)"),
    "at best": mark("{need}+, but a natural 1 fails: 2+"),
    "passed": mark("{roll} = {total} against {target}: passed"),
    "failed": mark("{roll} = {total} against {target}: failed"),
    "dropped": mark("3D6 without the highest: {roll}"),
    "unsaved": mark("Unsaved wounds: {wounds}"),
    "wrecked": mark("Unsaved wounds that each destroy a chariot: {slain}"),
    "slain": mark("Slain outright: {slain}; unsaved wounds: {wounds}"),
}
PLURALS = {
    "shots": marks("{n} shot at {need}", "{n} shots at {need}"),
    "hits": marks("{n} hit", "{n} hit"),
    "to wound": marks("{n} to wound at {need}", "{n} to wound at {need}"),
    "wounds": marks("{n} wounds", "{n} wound"),
    "saves": marks("{n} save of {need}", "{n} saves of {need}"),
    "wards": marks("{n} ward save of {need}", "{n} ward saves of {need}"),
    "fails": marks("{n} fails", "{n} fail"),
    "regenerates": marks("{n} roll to regenerate at {need}", "{n} rolls to regenerate at {need}"),
    "succeeds": marks("{n} succeeds", "{n} succeed"),
    "slaying": marks(
        "{n} shot that slays with chance {chance}", "{n} shots that slay with chance {chance} each"
    ),
    "wounding": marks(
        "{n} shot that wounds unsaved with chance {chance}",
        "{n} shots that wound unsaved with chance {chance} each",
    ),
    "of them": marks("{n} does", "{n} do"),
}
EXTRA_RULES = frozenset(
    {
        "WH6-ARMY-03",
        "WH6-CHG-04",
        "WH6-CHG-08",
        "WH6-CHG-14",
        "WH6-FEAR-03",
        "WH6-FLEE-01",
        "WH6-RALLY-01",
        "WH6-SAVE-02",
        "WH6-SHOOT-03",
        "WH6-SS-03",
        "WH6-UNIT-04",
    }
)
"""Rule ids that are told of fragments and of variants."""

_UNIT_FIELDS = frozenset({"enemy", "charger"})
_LENGTH_FIELDS = frozenset({"distance", "reach", "gap", "range", "far", "moved", "short", "edge"})


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
