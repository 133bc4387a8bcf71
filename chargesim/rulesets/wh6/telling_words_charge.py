"""Sentences of the charge phase: declaration, reach, psychology, flights and charge moves."""

from __future__ import annotations

from chargesim.rulesets.telling import Sentence, mark, marks
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.telling_words import noted, told

SENTENCES: dict[Event, Sentence] = {
    Event.STEP: told("SEQ-02", mark("{number}. {step}"), level=0),
    # tests
    Event.LEADERSHIP: told("LD-01", mark("Leadership test: Ld {ld}"), "target bonus", 2),
    Event.LEADERSHIP_GENERAL: told(
        "LD-02", mark("Leadership test: Ld {ld} of the General"), "target bonus", 2
    ),
    # declaration and reactions
    Event.MUST_CHARGE: noted(
        "FRENZ-01", mark("{unit}, frenzied, had to charge {enemy}, in sight and in reach."), "enemy"
    ),
    Event.DECLARED: told("CHG-01", mark("{unit} declared a charge on {enemy}."), "enemy kind"),
    Event.REACTS: told("CHG-10", mark("Reaction of {unit}: {reaction}."), "reaction"),
    Event.MUST_FLEE: noted(
        "FLEE-09",
        mark("{unit}, already in flight, could only flee (declared: {reaction})."),
        "reaction",
    ),
    Event.ENGAGED_HOLDS: noted(
        "CHG-10",
        mark("{unit}, already fighting, could only hold (declared: {reaction})."),
        "reaction",
    ),
    Event.UNDEAD_HOLDS: noted(
        "ARMY-01", mark("{unit}, being undead, could only hold (declared: {reaction})."), "reaction"
    ),
    Event.IMMUNE_HOLDS: noted(
        "IMM-01", mark("{unit}, being {cause}, could not choose to flee and held."), "rules"
    ),
    Event.NO_MISSILES: noted(
        "SS-01", mark("{unit} had no missile weapon to stand and shoot with and held."), "troop"
    ),
    Event.NOT_IN_SIGHT: noted(
        "SS-01", mark("{unit} could not see a charger at the {arc} to shoot at, and held."), "arc"
    ),
    Event.TOO_CLOSE: noted(
        "SS-01",
        mark(
            "{unit} could not stand and shoot and held: {distance} is not more "
            "than half of the reach, {half}."
        ),
        "distance reach",
    ),
    # reach
    Event.MEASURED: told(
        "CHG-02",
        mark("Reach of {unit}: {reach} ({source}); distance to spend: {distance}."),
        "distance reach gap",
    ),
    Event.IN_REACH: told(
        "SEQ-02", mark("In reach: {distance} is at most {reach}."), "distance reach"
    ),
    Event.SHORT: told(
        "SEQ-02",
        mark("Out of reach: {distance} is more than {reach}, the charge falls short."),
        "distance reach",
    ),
    # psychology
    Event.FLANK_PANIC: told(
        "PANIC-01",
        mark(
            "{charger}, of unit strength {strength}, charged {unit}, already "
            "fighting, in the {arc}: Panic test."
        ),
        "charger arc strength",
    ),
    Event.FRIEND_PANIC: told(
        "PANIC-01", mark("{unit} saw {friend} destroyed near by: Panic test."), "friend"
    ),
    Event.SHOT_PANIC: told(
        "SS-07",
        mark("{unit} lost {lost} of {start} models, a quarter or more: Panic test."),
        "lost start",
    ),
    Event.NO_SHOT_PANIC: told(
        "PANIC-03",
        mark("{unit} lost {lost} of {start} models, less than a quarter: no Panic test."),
        "lost start",
    ),
    Event.IMMUNE_PASSES: told("IMM-01", mark("{unit}, being {cause}, passed without a roll.")),
    Event.PANIC_PASSED: told("PANIC-01", mark("{unit} did not panic.")),
    Event.PANIC_FAILED: told(
        "PANIC-07", mark("{unit} panicked and had to flee from {enemy}."), "enemy"
    ),
    Event.FEARS: told("FEAR-01", mark("{unit} feared {enemy}: Fear test."), "enemy"),
    Event.FEAR_PASSED: told("FEAR-01", mark("{unit} overcame the fear.")),
    Event.FEAR_FLEES: told(
        "FEAR-01",
        mark("{unit} had to flee from {enemy}: unit strength {theirs} is more than {own}."),
        "enemy theirs own",
    ),
    Event.FEAR_SIXES: told(
        "FEAR-09",
        mark(
            "{unit} could hit {enemy} only with natural sixes this turn: unit "
            "strength {theirs} is not more than {own}."
        ),
        "enemy theirs own",
    ),
    Event.FEAR_REFUSES: told("CHG-07", mark("{unit} did not dare to charge {enemy}."), "enemy"),
    Event.TERRIFIED: told("TERR-02", mark("{enemy} terrified {unit}: Terror test."), "enemy"),
    Event.TERROR_PASSED: told("TERR-03", mark("{unit} overcame the terror.")),
    Event.TERROR_FLEES: told(
        "TERR-04", mark("{unit} had to flee from {enemy} in terror."), "enemy"
    ),
    # flights
    Event.FLIGHT: told("FLEE-01", mark("{unit} fled {flight} ({source})."), "flight"),
    Event.SHORT_LEGS: told("ARMY-06", mark("dwarf legs -{more}"), "more", 2),
    Event.LEAVES_TABLE: told(
        "FLEE-02",
        mark("{unit} fled over the table edge, {edge} away, and left the game for good."),
        "flight edge",
    ),
    # redirection
    Event.REDIRECT_TEST: told(
        "REDIR-05", mark("{unit} tried to redirect the charge: Leadership test.")
    ),
    Event.NO_REDIRECT: told("REDIR-05", mark("{unit} did not redirect the charge.")),
    Event.REDIRECT_HOLDS: noted(
        "REDIR-06",
        mark("{unit}, charged by redirection, may not stand and shoot (redirect_ss): it holds."),
    ),
    Event.REDIRECTS: told("REDIR-01", mark("{unit} redirected the charge to {enemy}."), "enemy"),
    # rallying and compulsory moves
    Event.IN_THE_WAY: told("CHG-12", mark("{unit} stood in the path of {charger}."), "charger"),
    Event.RALLIED: told("RALLY-01", mark("{unit} rallied."), "charger"),
    Event.FLED_ON: told("RALLY-01", mark("{unit} did not rally and fled on.")),
    Event.STAYS_IN_THE_WAY: told(
        "CHG-15", mark("{unit} stayed in the way and blocked the path of {charger}."), "charger"
    ),
    Event.HAS_LEFT: told("CHG-12", mark("{unit} left the path of {charger} clear."), "charger"),
    # charge moves
    Event.CATCHES: told(
        "FLEE-02",
        mark("{unit} ran down {enemy}: gap and flight make {far}, at most the reach of {reach}."),
        "enemy far reach",
    ),
    Event.ESCAPES: told(
        "FLEE-02",
        mark(
            "{unit} escaped from {charger}: gap and flight make {far}, more than "
            "the reach of {reach}."
        ),
        "charger far reach",
    ),
    Event.FAILED_MOVE: told(
        "CHG-06",
        mark("Failed charge: {unit} moved {moved} and stopped {short} short of the target."),
        "moved short",
    ),
    Event.FAILED_FLIGHT: told(
        "CHG-06",
        mark("Failed charge: {unit} flew {moved} and stopped {short} short of the target."),
        "moved short",
    ),
    Event.MAKES_CONTACT: told(
        "CHG-02", mark("Contact: {unit} spent {distance} and reached {enemy}."), "enemy distance"
    ),
    Event.NOT_MOVED: told("CHG-07", mark("{unit} did not move and may not shoot this turn.")),
    Event.GROUND_HITS: told(
        "CHAR-02",
        marks(
            "Forced through difficult ground, {unit} suffered {hits} hit at S 6.",
            "Forced through difficult ground, {unit} suffered {hits} hits at S 6.",
        ),
        "hits",
    ),
}
PHRASES = {
    "war machine": mark("{unit}, a war machine, could not stand and shoot and held."),
    "away": mark("Failed charge: {unit} moved {moved}."),
    "flown away": mark("Failed charge: {unit} flew {moved}."),
    "escaped": mark("{unit} escaped: the charge of {charger} fell short from the start."),
    "straight": mark("Straight distance: {gap}."),
    "twice": mark("twice M {move}"),
    "flight": mark("flight, not doubled"),
    "given": mark("as given"),
    "as before": mark("as for the first target"),
    "reach": mark("Dice of the reach {reach}"),
    "estimate": mark("Distance judged by eye: {mean}, standard deviation {sd}; it was {distance}."),
    "broken friend": mark("{unit} saw {friend} break near by: Panic test."),
    "panicked": mark("{unit} panicked and had to flee."),
    "rally test": mark("{unit}, in flight, tried to rally."),
}
