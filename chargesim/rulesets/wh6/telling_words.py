"""Sentences of the trace, and the words that all parts of it share.

For every event of the rules a table gives its rule id and its English words:
:mod:`.telling_words_charge` for the charge phase, :mod:`.telling_words_combat` for the combat
round, :mod:`.telling_words_blows` for shots, impact hits and blows. The English texts are the
message ids of the catalogue ``wh6``; :func:`mark` and :func:`marks` show them to the tool that
collects messages.
"""

from __future__ import annotations

from chargesim.rulesets.telling import Sentences, mark
from chargesim.rulesets.wh6.state import Phase, Reaction

_SENTENCES = Sentences("WH6-")
told, noted = _SENTENCES.told, _SENTENCES.noted

STEPS = {
    Phase.DECLARATION: mark("Declaration and reactions"),
    Phase.REACTIONS: mark("Declaration and reactions"),
    Phase.REACH: mark("Reach"),
    Phase.TESTS: mark("Psychology tests"),
    Phase.FLIGHTS: mark("Flights of the charged"),
    Phase.REDIRECTION: mark("Redirected charges"),
    Phase.SHOOTING: mark("Stand and shoot"),
    Phase.COMPULSORY_MOVES: mark("Rallying and compulsory moves"),
    Phase.CHARGE_MOVES: mark("Charge moves"),
    Phase.PANIC: mark("Panic among friends"),
    Phase.IMPACT: mark("Combat"),
    Phase.BLOWS: mark("Blows"),
    Phase.RESULT: mark("Combat result"),
    Phase.BREAK_TESTS: mark("Break tests"),
    Phase.COMBAT_PANIC: mark("Panic among friends"),
    Phase.PURSUIT: mark("Flight and pursuit"),
}
STEP_RULES = {
    Phase.REDIRECTION: "WH6-REDIR-01",
    Phase.COMPULSORY_MOVES: "WH6-SEQ-01",
    Phase.CHARGE_MOVES: "WH6-SEQ-01",
    Phase.PANIC: "WH6-PANIC-01",
    Phase.IMPACT: "WH6-IMPACT-02",
    Phase.BLOWS: "WH6-CC-03",
    Phase.RESULT: "WH6-CR-01",
    Phase.BREAK_TESTS: "WH6-BRK-01",
    Phase.COMBAT_PANIC: "WH6-PANIC-01",
    Phase.PURSUIT: "WH6-PURS-02",
}
"""Rule ids of the steps that have one of their own."""
OF_A_COMBAT = frozenset({Phase.IMPACT, Phase.BLOWS, Phase.RESULT, Phase.BREAK_TESTS, Phase.PURSUIT})
"""Steps that each combat takes by itself."""

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
"""What makes a unit immune: rule, id for never choosing to flee, id for taking no test, word."""
WEAPONS = {
    "hand_weapon": mark("hand weapon"),
    "two_hand_weapons": mark("two hand weapons"),
    "great_weapon": mark("great weapon"),
    "flail": mark("flail"),
    "morning_star": mark("morning star"),
    "halberd": mark("halberd"),
    "spear": mark("spear"),
    "pike": mark("pike"),
    "lance": mark("lance"),
    "pistol": mark("pistol"),
    "brace_of_pistols": mark("brace of pistols"),
}
PHRASES = {
    "list": mark("{first} and {last}"),
    "combat": mark("{chargers} against {target}"),
    "as of the General": mark("Ld {ld} of the General"),
    "as its own": mark("Ld {ld}"),
    "cold": mark("cold-blooded: the highest die does not count"),
    "ranks": mark("ranks +{more}: {target}"),
    "musician": mark("musician +{bonus}: {target}"),
    "passed": mark("{roll} = {total} against {target}: passed"),
    "failed": mark("{roll} = {total} against {target}: failed"),
    "dropped": mark("3D6 without the highest: {roll}"),
    "skaven": mark("skaven +{more}"),
    "dwarf legs": mark("dwarf legs -{more}"),
    "needs": mark("{need}+"),
    "two rolls": mark("{need}+ (a 6, then {then}+)"),
    "at best": mark("{need}+, but a natural 1 fails: 2+"),
    "slow": mark("M {move} is at most {limit}"),
    "fast": mark("M {move} is more than {limit}"),
    "flyer": mark("flyer"),
}
"""Phrases that belong to no event, or to several."""
EXTRA_RULES = frozenset(
    {
        "WH6-ARMY-03",
        "WH6-ARMY-07",
        "WH6-BRK-03",
        "WH6-CC-07",
        "WH6-CC-08",
        "WH6-CHG-04",
        "WH6-CHG-08",
        "WH6-CHG-14",
        "WH6-FEAR-03",
        "WH6-FLEE-01",
        "WH6-FRENZ-03",
        "WH6-FRENZ-04",
        "WH6-HATE-01",
        "WH6-LD-02",
        "WH6-PURS-01",
        "WH6-RALLY-01",
        "WH6-REDIR-03",
        "WH6-SAVE-02",
        "WH6-SHOOT-03",
        "WH6-SS-03",
        "WH6-UNIT-04",
        *(f"WH6-WPN-{weapon}" for weapon in WEAPONS),
    }
)
"""Rule ids that are told of fragments and of variants."""
