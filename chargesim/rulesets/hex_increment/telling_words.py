"""Sentences of the trace: for every event its rule id and English words.

The English texts are the message ids of the catalogue ``hex_increment``.
"""

from __future__ import annotations

from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.state import Phase
from chargesim.rulesets.telling import Sentence, Sentences, mark

_SENTENCES = Sentences("HEX-")
told, noted = _SENTENCES.told, _SENTENCES.noted

STEPS = {
    Phase.DECLARATION: mark("Declaration"),
    Phase.MOVE: mark("Charge move"),
    Phase.SQUARE: mark("Squares"),
    Phase.RETIREMENT: mark("Retirement before the charge"),
    Phase.STAND: mark("Standing against the charge"),
    Phase.DEFENSIVE_FIRE: mark("Defensive fire"),
    Phase.MELEE: mark("Melee"),
    Phase.RESULT: mark("Results for the charger"),
    Phase.PURSUIT: mark("Pursuit or recall"),
}
SENTENCES: dict[Event, Sentence] = {
    Event.STEP: told("SEQ-01", mark("{number}. {step}"), level=0),
    Event.ILLUSTRATIVE: noted(
        "SEQ-09",
        mark("ILLUSTRATIVE - not any published table: the numbers rest on made-up {tables}."),
    ),
    Event.WARNED: noted("SEQ-09", mark("Warning of the melee table: {warning}.")),
    Event.DECLARED: told(
        "ZONE-01", mark("{unit} declared its charge: its zone is fixed (hexes: {zone}).")
    ),
    Event.REACTS: told("LINE-04", mark("Reaction of {unit}: {reaction}."), "reaction at"),
    Event.NO_SQUARE: noted("LINE-04", mark("{unit} cannot form square and has to stand.")),
    Event.NO_RETIREMENT: noted(
        "SEQ-06", mark("{unit} cannot retire before the charge and has to stand.")
    ),
    Event.NO_OPPORTUNITY_FIRE: noted(
        "TGT-11", mark("{unit} was adjacent already: no opportunity fire.")
    ),
    Event.OPPORTUNITY_FIRE: told(
        "TGT-11",
        mark("Opportunity fire of {unit}: {enemy} loses increments: {lost}."),
        "enemy lost",
    ),
    Event.NAMED_AT_START: told(
        "TGT-05",
        mark("{unit} named {enemy} before its first step, one or two hexes away."),
        "enemy",
    ),
    Event.NAMED_AT_TWO: told(
        "TGT-03", mark("{unit} named {enemy} at two hexes, in its line of sight."), "enemy"
    ),
    Event.NAMED_IN_CONTACT: told(
        "TGT-02", mark("{unit} saw {enemy} only in contact, and named it there."), "enemy"
    ),
    Event.CHANGES: told("EXP-01", mark("{unit} changes its width: {change}."), "charge number"),
    Event.CHECK: told(
        "EXP-02",
        mark("Morale check of {unit}: morale {morale}, modifier {modifier}; passes on {need}"),
        "morale modifier failing kind",
        2,
    ),
    Event.CHECK_CHANCE: told(
        "EXP-02", mark("Morale check of {unit}: passes with {chance} %"), "chance modifier", 2
    ),
    Event.CHANGED: told("EXP-01", mark("{unit} keeps its order and goes on."), "charge number"),
    Event.CHECK_FAILED: told("EXP-03", mark("{unit} failed: the charge ends.")),
    Event.TIRED: told("EXP-04", mark("{unit} is marked tired for having charged.")),
    Event.MOVED: told(
        "ZONE-02",
        mark("Move of {unit} through its zone: hexes {steps}, movement points {points} of 5."),
        "steps spent",
    ),
    Event.IN_CONTACT: told("LINE-05", mark("{unit} is adjacent to {enemy}: in contact."), "enemy"),
    Event.TURNS: told("FORM-03", mark("{unit}, charged in turn, turns to face {enemy}."), "enemy"),
    Event.TURNS_AWAY: told(
        "FORM-03", mark("{unit} no longer has {enemy} in front and does not fight it."), "enemy"
    ),
    Event.MIXED: noted(
        "LINE-03", mark("{unit} charges the cavalry only: {enemy} is not fought."), "enemy"
    ),
    Event.GENERAL_ORDER: told(
        "TERR-03", mark("{unit} entered General Order terrain: the charge ends.")
    ),
    Event.NO_TARGET: told("TGT-06", mark("{unit} contacted no target: the charge ends.")),
    Event.MISSED: told(
        "TGT-07", mark("{unit} is not adjacent to the target it named: the charge ends.")
    ),
    Event.DISORDERED: told("SEQ-09", mark("{unit} is disordered.")),
    Event.BECOMES_PGD: told("SEQ-05", mark("{unit} is disordered a second time: PGD.")),
    Event.TRIES_SQUARE: told(
        "SEQ-04", mark("{unit} tries to form square, distance of the charge {at}"), "at", 2
    ),
    Event.SQUARE_FORMED: told("SEQ-04", mark("{unit} formed square.")),
    Event.SQUARE_FAILED: told("SEQ-04", mark("{unit} failed to form square: {result}."), "result"),
    Event.RETIRES: told("SEQ-06", mark("{unit} retired before the charge and is out of contact.")),
    Event.CANNOT_RETIRE: told("SEQ-06", mark("{unit} failed to retire before the charge.")),
    Event.SQUARE_STANDS: told("SEQ-02", mark("{unit} stands in square without a roll.")),
    Event.STAND: told("LINE-04", mark("{unit} rolls to stand against the charge.")),
    Event.STANDS: told("LINE-04", mark("{unit} stands.")),
    Event.DOES_NOT_STAND: told("LINE-04", mark("{unit} does not stand.")),
    Event.BROKEN: told("SEQ-05", mark("{unit} is PGD and broken before the melee.")),
    Event.FIRE: told(
        "SEQ-01", mark("Defensive fire of {unit}: {enemy} loses increments: {lost}."), "enemy lost"
    ),
    Event.SHARE: told(
        "LINE-08",
        mark("{unit} against {enemy}: melee value {value} (hexes: {hexes})"),
        "enemy halves top bottom",
        2,
    ),
    Event.WAVE: told(
        "COL-02",
        mark("{unit}, wave {wave} of {waves}: melee value {value}"),
        "wave waves top bottom",
        2,
    ),
    Event.AGAINST_SQUARE: told(
        "SEQ-03",
        mark("Against the square of {unit}: divided by {divisor}, {value}"),
        "divisor top bottom",
        2,
    ),
    Event.ODDS: told(
        "LINE-06",
        mark("{value} against {against} of {unit}: column {column}"),
        "column top bottom against",
        2,
    ),
    Event.RESULT: told("SEQ-09", mark("Melee with {unit}: {result}."), "code"),
    Event.TARGET_DISORDERED: told(
        "SEQ-07", mark("Recoil of {unit}, in hexes: {number}."), "number"
    ),
    Event.TARGET_ROUTS: told("SEQ-09", mark("{unit} routs: PGD.")),
    Event.TARGET_SURRENDERS: told("SEQ-09", mark("{unit} surrenders.")),
    Event.LOSSES: told(
        "SEQ-09", mark("Increments lost: {fell} of the charger, {lost} of {unit}."), "fell lost"
    ),
    Event.LOSS_CHECK: told("SEQ-09", mark("{unit} checks its morale for its losses.")),
    Event.WAVES_CANCELLED: told(
        "COL-05", mark("The remaining waves of {unit} are cancelled: {left}."), "left"
    ),
    Event.ALL_GONE: told("LINE-14", mark("No stack is left for {unit} to fight: no melee.")),
    Event.TWO_DISORDERS: told("COL-09", mark("{unit} was disordered more than once: it routs.")),
    Event.NO_BOUNCE: told(
        "LINE-12", mark("{unit} does not bounce: a target was disordered, routed or taken.")
    ),
    Event.BOUNCES: told("SEQ-08", mark("{unit} bounces.")),
    Event.CHARGER_DISORDERED: told(
        "LINE-10",
        mark("The worst result of {unit}: disorder, with a recoil in hexes of {recoil}."),
        "recoil",
    ),
    Event.CHARGER_ROUTS: told("LINE-10", mark("{unit} routs: PGD.")),
    Event.CHARGER_SURRENDERS: told("LINE-10", mark("{unit} surrenders.")),
    Event.HAVING_FOUGHT: told(
        "LINE-14", mark("{unit} charged and fought in several hexes: its charge is over.")
    ),
    Event.HEAD_HEX: told("COL-11", mark("{unit} consolidates in its head hex.")),
    Event.NARROWS: told(
        "LINE-15",
        mark("{unit} advances and consolidates to fit the hexes it takes: {room} of {hexes}."),
        "room hexes",
    ),
    Event.PROVOKES: told(
        "LINE-16", mark("The consolidation of {unit} may provoke opportunity reactions.")
    ),
    Event.RECALL: told("LINE-17", mark("{unit}, all of it, is recalled on {least}+"), "least", 2),
    Event.RECALLED: told("LINE-17", mark("{unit} is recalled.")),
    Event.NOT_RECALLED: told("LINE-17", mark("{unit} is not recalled.")),
    Event.PURSUES: told("LINE-13", mark("{unit} pursues.")),
    Event.NO_PURSUIT: told("LINE-13", mark("{unit} may not pursue.")),
}
PHRASES = {
    "stand": mark("stand"),
    "square": mark("form square at distance {at}"),
    "retire": mark("retire before the charge"),
    "extend_left": mark("one hex more to the left"),
    "extend_right": mark("one hex more to the right"),
    "consolidate_left": mark("one hex less at the left"),
    "consolidate_right": mark("one hex less at the right"),
    "disordered": mark("disordered"),
    "pgd": mark("PGD"),
    "never": mark("nothing"),
    "or more": mark("{face} or more"),
    "BLANK": mark("blank"),
    "chance": mark("chance {chance}: {answer}"),
    "yes": mark("yes"),
    "no": mark("no"),
}
"""Phrases that belong to no event, or to several."""
