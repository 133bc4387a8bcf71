"""Sentences of the trace: for every event its rule id and English words.

The English texts are the message ids of the catalogue ``ranked_regiment``.
"""

from __future__ import annotations

from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.state import Face, Phase, Side, Why
from chargesim.rulesets.telling import Sentence, Sentences, mark

_SENTENCES = Sentences("RNK-")
told, noted = _SENTENCES.told, _SENTENCES.noted

STEPS = {
    Phase.POSITIONS: mark("Positions"),
    Phase.DECLARATIONS: mark("Declarations"),
    Phase.RESOLUTION: mark("Resolving the charges"),
    Phase.BLOWS: mark("Combat"),
    Phase.RESULT: mark("Combat score"),
    Phase.BREAK_TESTS: mark("Break tests"),
    Phase.RALLY: mark("Rallying, in the next strategic phase"),
}
FACES = {
    Face.FRONT: mark("front"),
    Face.LEFT: mark("left flank"),
    Face.RIGHT: mark("right flank"),
    Face.REAR: mark("rear"),
}
SIDES = {Side.ACTIVE: mark("the active side"), Side.REACTIVE: mark("the reactive side")}
REASONS = {
    Why.PASSED: mark("its side had passed"),
    Why.IN_COMBAT: mark("it is in combat"),
    Why.FLEEING: mark("it is fleeing"),
    Why.DECLARED: mark("it has declared a charge this phase"),
    Why.CHARGED: mark("it is charged itself and may only counter-charge"),
    Why.MOVE_0: mark("its Move is 0"),
    Why.CREWED: mark("it is a Crewed Weapon"),
    Why.RUNNING: mark("it has declared that it flees"),
    Why.OUT_OF_ARC: mark("the target is outside its sight arc"),
    Why.TOO_FAR: mark("the target is farther than its Move"),
    Why.HIDDEN: mark("a unit or terrain hides the target"),
    Why.SIDE_TAKEN: mark("the side it stands at is already charged"),
    Why.SIDE_IN_COMBAT: mark("the side it stands at is in combat"),
    Why.NEXT_SIDE_TAKEN: mark("the next side round is taken too"),
    Why.NOT_AHEAD: mark("the flank is taken and it is not ahead of the target's front line"),
    Why.NO_INTERCEPT: mark(
        "the target has declared a charge, and this one is neither shorter nor on flank or rear, "
        "nor does a friend charge it"
    ),
    Why.NO_ROOM: mark("there is no room in contact"),
    Why.NO_PATH: mark("the path is not clear"),
    Why.NOT_FRONTAL: mark("only a frontal charge may be countered"),
    Why.TARGET_FLEES: mark("the target is fleeing already"),
    Why.NOT_NEAREST: mark("the frenzied must charge the nearest enemy they can"),
    Why.NOT_CHARGED: mark("nobody charges it"),
    Why.TWO_CHARGERS: mark("more than one enemy charges it"),
    Why.NEVER_FLEES: mark("it never flees: Frenzied, Reanimated or Demonic"),
    Why.TOO_SLOW: mark("it is too slow for the charger's Move and the distance"),
    Why.NOT_TRIED: mark("its turn never came"),
}

SENTENCES: dict[Event, Sentence] = {
    Event.STEP: told("TURN-02", mark("{number}. {step}"), level=0),
    Event.STANDS: told(
        "DECL-08", mark("{unit} stood at ({x}, {y}), facing {degrees}°."), "x y fx fy", 2
    ),
    Event.MOVE_DRAWN: told("DECL-06", mark("Move of {unit}: {length}."), "length", 2),
    Event.FIRST: told("TURN-05", mark("First to declare: {side}."), "how"),
    Event.DECLARES: told(
        "DECL-06",
        mark("{unit} declared a charge on the {face} of {enemy}, {length} away."),
        "enemy face length",
    ),
    Event.COUNTERS: told(
        "CTR-01", mark("{unit} counter-charged {enemy}, {length} away."), "enemy length"
    ),
    Event.FLEES: told("FLEE-01", mark("{unit} declared that it flees from {enemy}."), "enemy"),
    Event.PASSES: told("TURN-03", mark("Pass: {side}.")),
    Event.ILLEGAL: told(
        "DECL-06", mark("{unit} could not charge {enemy}: {reason}."), "enemy why face"
    ),
    Event.NO_FLIGHT: noted("FLEE-01", mark("{unit} could not flee: {reason}."), "why"),
    Event.NO_COUNTER: noted(
        "CTR-02", mark("{unit} could not counter-charge {enemy}: {reason}."), "enemy why"
    ),
    Event.CANCELS: told(
        "INT-05", mark("{unit} was intercepted: its charge on {enemy} is cancelled."), "enemy"
    ),
    Event.DROPS_FLIGHT: told(
        "FLEE-05", mark("{unit}, charged by {enemy} too, stays to fight."), "enemy"
    ),
    Event.ORPHANED: told(
        "INT-06",
        mark("The counter-charge of {unit} stands as a charge on the front of {enemy}."),
        "enemy",
    ),
    Event.FLIGHT_POINTLESS: told("INT-06", mark("{unit} has nobody left to flee from and stays.")),
    Event.SIGHT_DECIDES: noted(
        "CTR-02",
        mark(
            "{unit} stands so that the switch counter_los decides whether it may counter-charge "
            "{enemy}."
        ),
        "enemy",
    ),
    Event.MEETS: told(
        "CTR-03", mark("{unit} and {enemy} met at ({x}, {y}), front to front."), "enemy x y"
    ),
    Event.CANNOT_MEET: told(
        "CTR-06", mark("{unit} and {enemy} had no room to meet halfway."), "enemy normal"
    ),
    Event.CONTACT: told("RES-04", mark("Contact: {unit} on the {face} of {enemy}."), "enemy face"),
    Event.SLIDES: told("RES-05", mark("It slid {length} along the side."), "enemy length", 2),
    Event.FAILS: told(
        "RES-06",
        mark("{unit} found no room at the {face} of {enemy}: the charge failed."),
        "enemy face",
    ),
    Event.RUNS: told("FLEE-06", mark("{unit} ran {length} away from {enemy}."), "enemy length"),
    Event.STOPS_SHORT: told(
        "FLEE-10", mark("Something stood in the way of a run of {length}."), "length", 2
    ),
    Event.PURSUES: told("FLEE-06", mark("{unit} pursued {enemy} for {length}."), "enemy length"),
    Event.LEAVES_TABLE: told("FLEE-08", mark("{unit} left the table and is destroyed.")),
    Event.NOT_PLAYED: noted(
        "CMB-01", mark("The fight of {unit} is not played: an enemy of it is not in the file.")
    ),
    Event.STRIKES: told(
        "CMB-02",
        mark("{unit} struck {enemy}: {dice} dice, {hit}+ to hit, save {save}+: wounds {wounds}."),
        "enemy dice code wounds",
    ),
    Event.STRIKES_NOT: told(
        "SIDE-04", mark("{unit} could not strike {enemy} behind it."), "enemy", 2
    ),
    Event.DUEL: told(
        "CMB-12",
        mark("The commander of {unit} struck at {enemy}: {hit}+, save {save}+: wounds {wounds}."),
        "enemy duel code wounds",
    ),
    Event.SCORE: told(
        "CMB-06",
        mark("Score round {unit}: active side {ours}, reactive side {theirs}."),
        "ours theirs",
    ),
    Event.DISRUPTED: told(
        "SIDE-02", mark("{unit}, struck on flank or rear, has no ranks to count."), level=2
    ),
    Event.DESTROYED: told("CMB-04", mark("{unit} was cut down to the last.")),
    Event.TESTS: told(
        "CMB-09", mark("{unit} lost by {behind}: break test on {target}."), "target behind"
    ),
    Event.HOLDS: told("CMB-09", mark("{unit} held.")),
    Event.BREAKS: told("CMB-10", mark("{unit} broke and fled its full Move.")),
    Event.SURROUNDED: told(
        "CMB-10", mark("{unit} broke and had nowhere to go: destroyed."), "pinned"
    ),
    Event.CRUMBLES: told(
        "CMB-09", mark("{unit} lost {lost} wounds instead of a test; models left: {models}."),
        "lost models",
    ),
    Event.RALLIES: told("CMB-11", mark("{unit} would rally, on {target}."), "target"),
    Event.RUNS_ON: told("CMB-11", mark("{unit} would not rally, on {target}."), "target"),
    Event.FORCED: noted(
        "DECL-06", mark("{unit}, frenzied, had to charge {enemy}, the nearest it could."), "enemy"
    ),
}  # fmt: skip
PHRASES = {
    "coin": mark("by a coin"),
    "given": mark("as given"),
}
"""Phrases that belong to no event of their own."""
