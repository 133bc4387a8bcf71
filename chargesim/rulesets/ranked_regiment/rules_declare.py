"""Declaring: who may charge whom, counter-charges, interceptions, flights, and whose turn it is."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.geometry import NEAR
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.rules_sight import room, span, survey
from chargesim.rulesets.ranked_regiment.state import (
    LENGTH,
    NOBODY,
    Face,
    Reaction,
    Why,
    Word,
    whole,
)

_FRONT, _REAR = int(Face.FRONT), int(Face.REAR)
_PASSED, _IN_COMBAT, _FLEEING = int(Why.PASSED), int(Why.IN_COMBAT), int(Why.FLEEING)
_DECLARED, _CHARGED, _MOVE_0 = int(Why.DECLARED), int(Why.CHARGED), int(Why.MOVE_0)
_CREWED, _RUNNING, _TOO_FAR = int(Why.CREWED), int(Why.RUNNING), int(Why.TOO_FAR)
_OUT_OF_ARC = int(Why.OUT_OF_ARC)
_TAKEN, _TAKEN_COMBAT = int(Why.SIDE_TAKEN), int(Why.SIDE_IN_COMBAT)
_NEXT_TAKEN, _NOT_AHEAD = int(Why.NEXT_SIDE_TAKEN), int(Why.NOT_AHEAD)
_NO_INTERCEPT, _NOT_FRONTAL = int(Why.NO_INTERCEPT), int(Why.NOT_FRONTAL)
_TARGET_FLEES, _NOT_NEAREST = int(Why.TARGET_FLEES), int(Why.NOT_NEAREST)
_NOT_CHARGED, _TWO, _NEVER = int(Why.NOT_CHARGED), int(Why.TWO_CHARGERS), int(Why.NEVER_FLEES)
_TOO_SLOW, _NOT_TRIED = int(Why.TOO_SLOW), int(Why.NOT_TRIED)
_COUNTER, _FLEE = int(Reaction.COUNTER), int(Reaction.FLEE)
_CANCELLED, _ILLEGAL, _UNDECLARED = int(Word.CANCELLED), int(Word.ILLEGAL), int(Word.NOT_DECLARED)
_TELL_DECLARES, _TELL_COUNTERS = int(Event.DECLARES), int(Event.COUNTERS)
_TELL_FLEES, _TELL_PASSES = int(Event.FLEES), int(Event.PASSES)
_TELL_ILLEGAL, _TELL_CANCELS = int(Event.ILLEGAL), int(Event.CANCELS)
_TELL_NO_FLIGHT, _TELL_NO_COUNTER = int(Event.NO_FLIGHT), int(Event.NO_COUNTER)
_TELL_DROPS, _TELL_ORPHANED = int(Event.DROPS_FLIGHT), int(Event.ORPHANED)
_TELL_FORCED = int(Event.FORCED)
_TELL_POINTLESS, _TELL_DECIDES = int(Event.FLIGHT_POINTLESS), int(Event.SIGHT_DECIDES)


@kernel
def in_combat(unit: Any) -> bool:
    """True for a unit in contact with an enemy, inside the game or out of it."""
    foe = unit["foe"]
    here = foe[0] >= 0 or foe[1] >= 0 or foe[2] >= 0 or foe[3] >= 0
    return bool(here or unit["outside"] != 0)


@kernel
def chargers_of(game: Any, t: int) -> int:
    """How many live charges are on a unit."""
    count = 0
    for w in range(whole(game["head"]["units"])):
        if game["units"][w]["aim"] == t:
            count += 1
    return count


@kernel
def charger_of(game: Any, t: int) -> int:
    """The first unit with a live charge on this one; -1: none."""
    for w in range(whole(game["head"]["units"])):
        if game["units"][w]["aim"] == t:
            return w
    return NOBODY


@kernel
def why_closed(game: Any, t: int, side: int) -> int:
    """Is a side of a unit closed to further charges? 0, or why (RNK-ONE-01, RNK-ONE-02).

    A charge that is answered by a counter-charge still holds the side it was declared on
    (RNK-CTR-05). Other sides stay open, to a unit in combat too (RNK-ONE-03).
    """
    unit = game["units"][t]
    if unit["foe"][side] >= 0 or (whole(unit["outside"]) >> side) & 1:
        return _TAKEN_COMBAT
    if (whole(unit["closed"]) >> side) & 1:
        return _TAKEN
    for w in range(whole(game["head"]["units"])):
        other = game["units"][w]
        if other["aim"] == t and other["aim_side"] == side:
            return _TAKEN
    return 0


@kernel
def side_for(game: Any, u: int, t: int) -> tuple[int, int]:
    """Side that a charge would take, and why it is illegal, or 0.

    The arc it stands in (RNK-SIDE-01); when that is taken the next side round: from a flank the
    front, if it is ahead of it (RNK-ONE-04), from the rear the flank it is nearer to (RNK-ONE-05),
    one step and no more (RNK-ONE-06).
    """
    pair = survey(game, u, t)
    side = whole(pair["arc"])
    why = why_closed(game, t, side)
    if why == 0:
        return side, 0
    if side == _FRONT or not game["head"]["next_side"]:
        return side, why
    if side == _REAR:
        side = whole(pair["flank"])
    elif pair["ahead"]:
        side = _FRONT
    else:
        return side, _NOT_AHEAD
    if why_closed(game, t, side):
        return side, _NEXT_TAKEN
    return side, 0


@kernel
def may_intercept(game: Any, u: int, t: int, side: int) -> bool:
    """May a unit that has declared a charge be charged itself? (RNK-INT-01).

    By a shorter charge (RNK-INT-02), on flank or rear (RNK-INT-03), or when a friend of the
    interceptor charges it already (RNK-INT-04). In the older edition by a charge of higher
    priority: flank and rear before front, shorter before longer.
    """
    unit = game["units"][t]
    if unit["aim"] < 0:
        return True
    theirs = span(game, t, whole(unit["aim"]), whole(unit["aim_side"]))
    shorter = span(game, u, t, side) < theirs - NEAR
    if game["head"]["priority"]:
        if (side != _FRONT) != (unit["aim_side"] != _FRONT):
            return side != _FRONT
        return shorter
    if shorter or side != _FRONT:
        return True
    for w in range(whole(game["head"]["units"])):
        other = game["units"][w]
        if w != u and other["aim"] == t and other["side"] == game["units"][u]["side"]:
            return True
    return False


@kernel
def why_not_charge(game: Any, u: int) -> int:
    """Can a unit declare a charge at all? 0, or why not.

    Not in combat, not fleeing (RNK-DECL-01); once a phase (RNK-DECL-02); with a Move
    (RNK-DECL-04); no Crewed Weapon (RNK-DECL-05); not while it has declared flight (RNK-FLEE-09).
    """
    unit = game["units"][u]
    if in_combat(unit):
        return _IN_COMBAT
    if unit["fleeing"]:
        return _FLEEING
    if unit["declared"]:
        if not unit["cancelled"] or game["head"]["counts"]:
            return _DECLARED
    if float(unit["move"]) <= 0.0:
        return _MOVE_0
    if unit["crewed"]:
        return _CREWED
    if unit["runs"]:
        return _RUNNING
    return 0


@kernel
def judge(game: Any, u: int, t: int) -> tuple[int, int]:
    """May a unit charge another now? Why not, or 0, and the side that it would strike.

    Who is charged may only counter-charge its one charger (RNK-DECL-03, RNK-CTR-01), and must be
    able to reach it (RNK-CTR-02). Anybody else needs an enemy in reach and in sight (RNK-DECL-06),
    an open side, leave to intercept, room and a path (RNK-DECL-07).
    """
    head = game["head"]
    unit, other = game["units"][u], game["units"][t]
    why = why_not_charge(game, u)
    if why:
        return why, 0
    incoming = chargers_of(game, u)
    counters = incoming == 1 and other["aim"] == u
    if incoming > 0 and not counters:
        return (_TWO if incoming > 1 else _CHARGED), 0
    if unit["declared"] and not counters:
        return _DECLARED, 0
    if other["fleeing"] and not head["hunts"]:
        return _TARGET_FLEES, 0
    pair = survey(game, u, t)
    if counters and head["counter"] == 2 and other["aim_side"] != _FRONT:
        return _NOT_FRONTAL, 0
    seen = whole(pair["sight"])
    if counters and head["counter"] == 1:
        seen = whole(0)
    if seen == _OUT_OF_ARC:
        return seen, 0
    side, why = _FRONT, 0
    if not counters:
        side, why = side_for(game, u, t)
    if span(game, u, t, side) > float(unit["move"]) + NEAR:
        return _TOO_FAR, 0
    if seen:
        return seen, 0
    if counters:
        return 0, _FRONT
    if why:
        return why, side
    if not may_intercept(game, u, t, side):
        return _NO_INTERCEPT, side
    return room(game, u, t, side), side


@kernel
def may_charge(game: Any, u: int, t: int) -> tuple[int, int]:
    """As :func:`judge`; in the older edition the frenzied charge the nearest enemy they can."""
    why, side = judge(game, u, t)
    unit = game["units"][u]
    if why == 0 and game["head"]["frenzy"] and unit["frenzied"]:
        mine = span(game, u, t, side)
        for w in range(whole(game["head"]["units"])):
            if w != t and game["units"][w]["side"] != unit["side"]:
                other, at = judge(game, u, w)
                if other == 0 and span(game, u, w, at) < mine - NEAR:
                    return _NOT_NEAREST, side
    return why, side


@kernel
def may_flee(game: Any, t: int) -> int:
    """May a unit declare that it flees? 0, or why not.

    Charged by exactly one, in no combat, no charge declared (RNK-FLEE-01); with a Move
    (RNK-FLEE-02); neither Frenzied nor Reanimated nor Demonic without the gift (RNK-FLEE-03); fast
    enough: its Move at least the charger's less the distance (RNK-FLEE-04).
    """
    unit = game["units"][t]
    incoming = chargers_of(game, t)
    if incoming == 0:
        return _NOT_CHARGED
    if incoming > 1:
        return _TWO
    if in_combat(unit):
        return _IN_COMBAT
    if unit["fleeing"]:
        return _FLEEING
    if unit["declared"] and (not unit["cancelled"] or game["head"]["counts"]):
        return _DECLARED
    if unit["runs"]:
        return _RUNNING
    if float(unit["move"]) <= 0.0:
        return _MOVE_0
    if unit["frenzied"] or unit["reanimated"] or (unit["demonic"] and not unit["may_flee"]):
        return _NEVER
    u = charger_of(game, t)
    need = float(game["units"][u]["move"]) - span(game, u, t, whole(game["units"][u]["aim_side"]))
    if game["head"]["faster"]:
        return 0 if float(unit["move"]) > need + NEAR else _TOO_SLOW
    return 0 if float(unit["move"]) >= need - NEAR else _TOO_SLOW


@kernel
def cancel(game: Any, dice: Any, t: int) -> None:
    """Cancel a unit's live charge: it never moves (RNK-INT-05).

    A counter-charge that answered it becomes an ordinary charge on the front, a flight from it is
    dropped (RNK-INT-06).
    """
    unit = game["units"][t]
    was = whole(unit["aim"])
    other = game["units"][was]
    note(dice, _TELL_CANCELS, t, was)
    if not game["head"]["frees"]:
        other["closed"] = whole(other["closed"]) | (1 << whole(unit["aim_side"]))
    unit["aim"] = NOBODY
    unit["aim_side"] = 0
    unit["order"] = 0
    unit["counter"] = 0
    unit["cancelled"] = 1
    if unit["wish"] >= 0:
        game["charges"][whole(unit["wish"])]["word"] = _CANCELLED
    unit["wish"] = NOBODY
    if other["aim"] == t and other["counter"]:
        if game["head"]["orphans"]:
            other["counter"] = 0
            other["aim_side"] = _FRONT
            note(dice, _TELL_ORPHANED, was, t)
        else:
            cancel_alone(game, was)
    if other["runs"] and chargers_of(game, was) == 0:
        other["runs"] = 0
        note(dice, _TELL_POINTLESS, was)


@kernel
def cancel_alone(game: Any, u: int) -> None:
    """Cancel a charge that nobody answers."""
    unit = game["units"][u]
    unit["aim"] = NOBODY
    unit["aim_side"] = 0
    unit["order"] = 0
    unit["counter"] = 0
    unit["cancelled"] = 1
    if unit["wish"] >= 0:
        game["charges"][whole(unit["wish"])]["word"] = _CANCELLED
    unit["wish"] = NOBODY


@kernel
def declare(game: Any, dice: Any, u: int, t: int, side: int) -> None:
    """Declare a legal charge or counter-charge; an interception cancels (RNK-INT-05).

    A flight of the target that another declared before is dropped (RNK-FLEE-05).
    """
    unit, other = game["units"][u], game["units"][t]
    counters = other["aim"] == u
    if not counters and other["aim"] >= 0:
        cancel(game, dice, t)
    if other["runs"]:
        other["runs"] = 0
        note(dice, _TELL_DROPS, t, u)
    unit["aim"] = t
    unit["aim_side"] = _FRONT if counters else side
    unit["counter"] = 1 if counters else 0
    unit["declared"] = 1
    unit["cancelled"] = 0
    game["head"]["order"] += 1
    unit["order"] = game["head"]["order"]


@kernel
def declare_flight(game: Any, dice: Any, t: int) -> None:
    """Declare a legal flight: it stands in place of a counter-charge (RNK-FLEE-09)."""
    game["units"][t]["runs"] = 1
    game["head"]["order"] += 1
    note(dice, _TELL_FLEES, t, charger_of(game, t))


@kernel
def tell_charge(game: Any, dice: Any, u: int, t: int) -> None:
    """Note a declaration, and when the switch for the sight of counter-charges decided it."""
    unit = game["units"][u]
    far = whole(span(game, u, t, whole(unit["aim_side"])) * LENGTH + 0.5)
    if unit["counter"]:
        note(dice, _TELL_COUNTERS, u, t, far)
        if game["head"]["counter"] == 1 and survey(game, u, t)["sight"]:
            note(dice, _TELL_DECIDES, u, t)
    else:
        note(dice, _TELL_DECLARES, u, t, whole(unit["aim_side"]), far)


@kernel
def react(game: Any, dice: Any, side: int, only_flight: bool) -> bool:
    """Declare the first reaction of a side that is due and legal; False when there is none.

    A flight or counter-charge takes the turn (RNK-TURN-03).
    """
    for t in range(whole(game["head"]["units"])):
        unit = game["units"][t]
        wish = whole(unit["reaction"])
        if unit["side"] != side or wish == 0 or whole(game["head"]["order"]) < unit["after"]:
            continue
        if chargers_of(game, t) == 0 or unit["runs"] or unit["aim"] >= 0:
            continue
        if wish == _FLEE:
            why = may_flee(game, t)
            if why == 0:
                declare_flight(game, dice, t)
                return True
            note(dice, _TELL_NO_FLIGHT, t, why)
        elif not only_flight:
            u = charger_of(game, t)
            why, _ = may_charge(game, t, u)
            if why == 0:
                declare(game, dice, t, u, _FRONT)
                tell_charge(game, dice, t, u)
                return True
            note(dice, _TELL_NO_COUNTER, t, u, why)
            if game["head"]["counter"] == 0 and survey(game, t, u)["sight"] == why:
                note(dice, _TELL_DECIDES, t, u)
    return False


@kernel
def attempt(game: Any, dice: Any, c: int) -> bool:
    """Declare a charge of the file if that is legal now; else keep why it is not."""
    charge = game["charges"][c]
    u, t = whole(charge["charger"]), whole(charge["target"])
    unit = game["units"][u]
    why, at = may_charge(game, u, t)
    if why:
        if why != charge["why"]:
            note(dice, _TELL_ILLEGAL, u, t, why, at)
        charge["why"] = why
        return False
    declare(game, dice, u, t, at)
    unit["wish"] = c
    charge["made"] = 1
    charge["why"] = 0
    charge["side"] = at
    charge["countering"] = unit["counter"]
    if not unit["counter"]:
        charge["could_flee"] = may_flee(game, t) == 0
    tell_charge(game, dice, u, t)
    return True


@kernel
def wish(game: Any, dice: Any, side: int) -> bool:
    """Declare the first charge of the file that is due and legal for a side; False: none is."""
    for c in range(whole(game["head"]["charges"])):
        charge = game["charges"][c]
        if game["units"][whole(charge["charger"])]["side"] != side or charge["made"]:
            continue
        if charge["declare"] == 1 and whole(game["head"]["order"]) >= charge["after"]:
            if attempt(game, dice, c):
                return True
    return False


@kernel
def rush(game: Any, dice: Any, side: int) -> bool:
    """Before a side may pass, in the older edition, let a frenzied unit of it charge; False: none.

    Whatever its owner meant to do, or when: the nearest enemy that it can charge.
    """
    if not game["head"]["frenzy"]:
        return False
    for c in range(whole(game["head"]["charges"])):
        charge = game["charges"][c]
        unit = game["units"][whole(charge["charger"])]
        if unit["side"] == side and unit["frenzied"] and not charge["made"]:
            if attempt(game, dice, c):
                charge["forced"] = 1
                note(dice, _TELL_FORCED, whole(charge["charger"]), whole(charge["target"]))
                return True
    return False


@kernel
def take_turn(game: Any, dice: Any) -> bool:
    """One turn to declare of the side whose turn it is; False when both have passed.

    Players alternate until both have passed (RNK-TURN-03); nothing moves before (RNK-TURN-02). A
    pass is final, but who has passed may still let a charged unit flee (RNK-TURN-04). In the older
    edition none passes while a frenzied unit can charge.
    """
    head = game["head"]
    side = whole(head["mover"])
    over = (whole(head["passed"]) >> side) & 1
    done = react(game, dice, side, over == 1)
    if not done and not over:
        done = wish(game, dice, side) or rush(game, dice, side)
    if done:
        head["idle"] = 0
    else:
        head["idle"] += 1
        if not over:
            note(dice, _TELL_PASSES, side)
        if head["final"]:
            head["passed"] = whole(head["passed"]) | (1 << side)
    head["mover"] = 1 - side
    return bool(head["idle"] < 2)


@kernel
def close_declarations(game: Any) -> None:
    """Give charges that were never declared their word."""
    for c in range(whole(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["made"]:
            continue
        if charge["declare"] != 1:
            charge["word"] = _UNDECLARED
            continue
        charge["word"] = _ILLEGAL
        if charge["why"] == _NOT_TRIED:
            charge["why"] = _PASSED
