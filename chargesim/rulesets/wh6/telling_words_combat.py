"""Sentences of the combat round apart from its blows: result, break tests, pursuit."""

from __future__ import annotations

from chargesim.rulesets.telling import Sentence, mark, marks
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.telling_words import noted, told

SENTENCES: dict[Event, Sentence] = {
    Event.FIGHT_NOT_PLAYED: noted(
        "IMPACT-02",
        mark(
            "{unit} fought a unit outside the scenario: the fight, impact hits "
            "included, was not played."
        ),
    ),
    Event.COMBAT_BEGINS: told("CC-05", mark("Models at the start: {units}."), "models"),
    # result: all but the last are terms of it
    Event.SCORE_WOUNDS: told("CR-01", marks("{points} wound", "{points} wounds"), "points", 2),
    Event.SCORE_RANKS: told("CR-02", marks("{points} rank", "{points} ranks"), "points", 2),
    Event.RANKS_DENIED: told(
        "CR-03",
        mark(
            "{unit}: charged in flank or rear by unit strength 5 or more, its ranks did not count."
        ),
    ),
    Event.SCORE_FLANK: told("CR-07", mark("{points} flank"), "points", 2),
    Event.SCORE_REAR: told("CR-07", mark("{points} rear"), "points", 2),
    Event.SCORE_OUTNUMBER: told(
        "CR-04", mark("1 outnumber (unit strength {own} to {theirs})"), "own theirs", 2
    ),
    Event.SCORE_STANDARD: told("CR-05", mark("{points} standard"), "points", 2),
    Event.SCORE_BONUS: told("CR-01", mark("{points} fixed bonus"), "points", 2),
    Event.SCORE_HIGH_GROUND: told("CR-06", mark("{points} high ground"), "points", 2),
    Event.SCORE_MUSICIAN: told(
        "CR-09", mark("{unit}, the only side with a musician, won the tie by 1.")
    ),
    Event.SCORE: told(
        "CR-01",
        mark("{chargers}: {sum} = {active}, against {unit}: {other_sum} = {reactive}. {verdict}"),
        "active reactive result",
    ),
    # break tests
    Event.LOSES_FRENZY: told("FRENZ-05", mark("{unit} lost the Frenzy with the combat.")),
    Event.UNBREAKABLE_HOLDS: told("UNBR-01", mark("{unit}, unbreakable, took no break test.")),
    Event.CRUMBLES: told(
        "ARMY-01",
        mark("{unit}, undead, crumbled: wounds lost: {wounds}; models left: {left}."),
        "wounds left",
    ),
    Event.INSTABILITY: told(
        "ARMY-02",
        mark(
            "Instability of {unit}: Ld {ld} - {difference}; wounds lost: {wounds}; "
            "models left: {left}."
        ),
        "rolled ld wounds left",
    ),
    Event.FEAR_BREAKS: told(
        "FEAR-05",
        mark(
            "{unit} broke without a test: feared enemies of unit strength {theirs} beat its {own}."
        ),
        "theirs own",
    ),
    Event.STUBBORN: told(
        "STUB-01", mark("Stubborn: the defeat did not lower the own Ld of {unit}."), "target"
    ),
    Event.BREAK_TEST: told("BRK-01", mark("Break test of {unit}: {sum}"), "target difference"),
    Event.BREAK_AGAIN: told(
        "LD-04", mark("The battle standard let {unit} roll once more"), "target"
    ),
    Event.HOLDS: told("BRK-01", mark("{unit} held.")),
    Event.BREAKS: told("BRK-01", mark("{unit} broke and had to flee.")),
    # flight and pursuit
    Event.RESTRAINS: told("PURS-01", mark("{unit} did not pursue.")),
    Event.MUST_PURSUE: noted(
        "PURS-01", mark("{unit}, {cause}, could not be held back from pursuit.")
    ),
    Event.PURSUES: told("PURS-02", mark("{unit} pursued {enemy}."), "enemy"),
    Event.RUN_DOWN: told(
        "PURS-02", mark("{unit} fled {flight}, not further than the pursuit: run down, destroyed.")
    ),
    Event.GETS_AWAY: told("FLEE-01", mark("{unit} fled, and nobody pursued."), "fate"),
    Event.OVERRUNS: told("OVER-01", mark("{unit} overran, with no enemy left.")),
}
PHRASES = {
    "flank and rear": mark("{points} flank and rear"),
    "won": mark("{unit} won by {points}."),
    "draw": mark("A draw."),
    "wiped out": mark("{unit} lost every model and so the combat."),
    "banished": mark("Instability of {unit}: more than Ld {ld}, and nothing was left."),
    "lowered": mark("{ld} - {difference} = {target}"),
    "at least": mark("{sum}, at least {least}"),
    "with ranks": mark("{ld} + {more} for ranks"),
    "restraint": mark("{unit} tried to hold back from pursuit: Leadership test."),
    "hateful": mark("full of hatred"),
    "outran": mark("{unit} fled {flight}, further than the pursuit, and got away."),
    "unpursued": mark("{unit} fled {flight}, and nobody pursued."),
    "over the edge": mark("{unit} fled {flight}, over the table edge, and left the game for good."),
}
