"""Declaring a charge, reacting to it, reach, and moving it."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, estimated_length, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_unit import has, is_chariot, is_immune, place, take_test
from chargesim.rulesets.wh6.state import (
    FAR,
    LENGTH,
    REACH_TERMS,
    Arc,
    Dread,
    Place,
    Reaction,
    Rule,
    Troop,
    UnitState,
    Word,
)

_HOLD, _SHOOT, _FLEE = (int(r) for r in (Reaction.HOLD, Reaction.STAND_AND_SHOOT, Reaction.FLEE))
_FLYER, _UNDEAD, _SKIRMISHERS = int(Rule.FLYER), int(Rule.UNDEAD), int(Rule.SKIRMISHERS)
_WAR_MACHINE, _FRONT = int(Troop.WAR_MACHINE), int(Arc.FRONT)
_STEADY, _FIGHTING, _FLEEING = (
    int(UnitState.STEADY),
    int(UnitState.FIGHTING),
    int(UnitState.FLEEING),
)
_OFF_TABLE, _DESTROYED = int(UnitState.FLED_OFF_TABLE), int(UnitState.DESTROYED)
_DREAD_NONE, _DREAD_FEAR = int(Dread.NONE), int(Dread.FEAR)
_DISTANCE, _REACH, _RALLY = int(Place.DISTANCE), int(Place.REACH), int(Place.RALLY)
_CONTACT, _OUT_OF_REACH, _BLOCKED = int(Word.CONTACT), int(Word.OUT_OF_REACH), int(Word.BLOCKED)
_REFUSED, _FLED_TERROR = int(Word.REFUSED_FEAR), int(Word.CHARGER_FLED_TERROR)
_FLED_PANIC, _CHARGER_DESTROYED = int(Word.CHARGER_FLED_PANIC), int(Word.CHARGER_DESTROYED)
_ESCAPED, _CAUGHT = int(Word.TARGET_FLED_ESCAPED), int(Word.TARGET_FLED_CAUGHT)
_LEFT_TABLE = int(Word.TARGET_FLED_OFF_TABLE)

_DECLARED, _REACTS = int(Event.DECLARED), int(Event.REACTS)
_MUST_FLEE, _ENGAGED_HOLDS = int(Event.MUST_FLEE), int(Event.ENGAGED_HOLDS)
_UNDEAD_HOLDS, _IMMUNE_HOLDS = int(Event.UNDEAD_HOLDS), int(Event.IMMUNE_HOLDS)
_NO_MISSILES, _NOT_IN_SIGHT = int(Event.NO_MISSILES), int(Event.NOT_IN_SIGHT)
_TOO_CLOSE, _MEASURED = int(Event.TOO_CLOSE), int(Event.MEASURED)
_IN_REACH, _SHORT = int(Event.IN_REACH), int(Event.SHORT)
_IN_THE_WAY, _RALLIED, _FLED_ON = int(Event.IN_THE_WAY), int(Event.RALLIED), int(Event.FLED_ON)
_FAILED_MOVE, _FAILED_FLIGHT = int(Event.FAILED_MOVE), int(Event.FAILED_FLIGHT)
_CATCHES, _ESCAPES = int(Event.CATCHES), int(Event.ESCAPES)
_MAKES_CONTACT, _NOT_MOVED = int(Event.MAKES_CONTACT), int(Event.NOT_MOVED)


@kernel
def flies(unit: Any) -> bool:
    """True for flyers."""
    return has(unit, _FLYER)


@kernel
def flyer_move(game: Any) -> int:
    """Flight of a flyer: 20 inches or 50 cm, never doubled (WH6-CHG-04)."""
    return 20 * LENGTH if game["head"]["inches"] else 50 * LENGTH


@kernel
def declare_reaction(game: Any, dice: Any, c: int) -> None:
    """Put the declared reaction in force, or the one the rules put in its place (WH6-CHG-10).

    Fleeing units only flee (WH6-FLEE-09), engaged units only hold, undead only hold (WH6-ARMY-01);
    who is immune to psychology, frenzied or unbreakable never chooses to flee.

    Also WH6-FLEE-11, WH6-FRENZ-04.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    wanted = int(charge["declared"])
    reaction = wanted
    note(dice, _DECLARED, int(charge["charger"]), who)
    if target["state"] == _FLEEING:
        reaction = _FLEE
        note(dice, _MUST_FLEE, who, wanted)
    elif target["engaged"]:
        reaction = _HOLD
        if wanted != _HOLD:
            note(dice, _ENGAGED_HOLDS, who, wanted)
    elif has(target, _UNDEAD):
        reaction = _HOLD
        if wanted != _HOLD:
            note(dice, _UNDEAD_HOLDS, who, wanted)
    elif wanted == _FLEE and is_immune(target):
        reaction = _HOLD
        note(dice, _IMMUNE_HOLDS, who, int(target["rules"]))
    elif wanted == _SHOOT:
        reaction = _SHOOT if may_shoot(game, dice, c) else _HOLD
    charge["reaction"] = reaction
    if reaction == wanted:
        note(dice, _REACTS, who, reaction)


@kernel
def may_shoot(game: Any, dice: Any, c: int) -> bool:
    """What stand and shoot asks for before anything is measured (WH6-SS-01, WH6-SS-03).

    A missile weapon, no war machine, and the charger in sight: in the front zone, or anywhere for
    skirmishers.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    if target["missile_range"] == 0 or target["troop"] == _WAR_MACHINE:
        note(dice, _NO_MISSILES, who, int(target["troop"]))
        return False
    if charge["arc"] != _FRONT and not has(target, _SKIRMISHERS):
        note(dice, _NOT_IN_SIGHT, who, int(charge["arc"]))
        return False
    return True


@kernel
def charge_reach(game: Any, dice: Any, c: int) -> int:
    """Reach of a charge: twice M, for flyers their flight (WH6-CHG-02, WH6-CHG-04), or as given.

    A flying chariot takes the longer of the two.
    Dice in a given reach are items used at this step (WH6-CHG-14); it is never below 0.

    Also WH6-CHAR-01.
    """
    charge = game["charges"][c]
    charger = game["units"][int(charge["charger"])]
    reach = int(charge["given_reach"])
    if reach == FAR:
        ground = 2 * int(charger["move"])
        if not flies(charger):
            return ground
        return max(ground, flyer_move(game)) if is_chariot(charger) else flyer_move(game)
    for term in range(REACH_TERMS):
        number = int(charge["reach_dice"][term])
        if number != 0:
            where = place(_REACH + term, c)
            rolled = dice_sum(dice, where, abs(number), int(charge["reach_sides"][term])) * LENGTH
            reach += rolled if number > 0 else -rolled
    return max(reach, 0)


@kernel
def measure(game: Any, dice: Any, c: int) -> None:
    """Measure a declared charge: in reach when its reach pays for all it must spend (WH6-SEQ-02).

    Also where stand and shoot turns out to be hold: every charger must be further away than half of
    its reach, strictly, by the path it spends (WH6-SS-01).
    """
    charge = game["charges"][c]
    charge["reach"] = charge_reach(game, dice, c)
    distance = int(charge["mean"])
    if charge["sd"] > 0:
        where = place(_DISTANCE, c)
        distance = estimated_length(
            dice, where, distance, int(charge["sd"]), charge["cut"], int(charge["cuts"])
        )
    charge["distance"] = distance
    straight = int(charge["straight"])
    charge["gap"] = distance if straight == FAR else straight
    reach = int(charge["reach"])
    note(dice, _MEASURED, int(charge["charger"]), distance, reach, int(charge["gap"]))
    if distance <= reach:
        charge["in_reach"] = 1
        note(dice, _IN_REACH, int(charge["charger"]), distance, reach)
    else:
        note(dice, _SHORT, int(charge["charger"]), distance, reach)
    if charge["reaction"] == _SHOOT and 2 * distance <= reach:
        charge["reaction"] = _HOLD
        note(dice, _TOO_CLOSE, int(charge["target"]), distance, reach)


@kernel
def stop_distance(game: Any) -> int:
    """Distance at which a unit stops short of an enemy: 1 inch or 3 cm (WH6-CHG-09).

    Also WH6-UNIT-02.
    """
    return LENGTH if game["head"]["inches"] else 3 * LENGTH


@kernel
def failed_move(game: Any, c: int, gap: int) -> int:
    """Move of a failed charge: M, a flyer's whole flight, short of contact (WH6-CHG-06)."""
    charger = game["units"][int(game["charges"][c]["charger"])]
    move = flyer_move(game) if flies(charger) else int(charger["move"])
    return max(min(move, gap - stop_distance(game)), 0)


@kernel
def clear_path(game: Any, dice: Any, c: int) -> None:
    """Find out whether the fleeing friends in the path flee on (WH6-CHG-12, WH6-CHG-15).

    Each tests to rally, a musician adding 1 (WH6-RALLY-01); one that rallies stays in the way.
    """
    charge = game["charges"][c]
    for i in range(int(charge["blockers"])):
        who = int(charge["blocker"][i])
        unit = game["units"][who]
        note(dice, _IN_THE_WAY, who, int(charge["charger"]))
        if take_test(game, dice, place(_RALLY + i, c), who, int(unit["musician"])):
            unit["state"] = _STEADY
            charge["blocked"] = 1
            note(dice, _RALLIED, who, int(charge["charger"]))
        else:
            note(dice, _FLED_ON, who)


@kernel
def fail_charge(game: Any, dice: Any, c: int, gap: int) -> None:
    """Tell the move of a failed charge: it changes no state that a result holds."""
    charger = int(game["charges"][c]["charger"])
    moved = failed_move(game, c, gap)
    event = _FAILED_FLIGHT if flies(game["units"][charger]) else _FAILED_MOVE
    note(dice, event, charger, moved, gap - moved)


@kernel
def run_down(game: Any, dice: Any, c: int) -> int:
    """Is a fleeing target caught (WH6-FLEE-02)? The word for its flight.

    The table edge is looked at first (WH6-FLEE-04). It is caught when the charger, in reach and
    free to move, gets as far as the gap and the flight together with its full reach.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    charger = int(charge["charger"])
    flight = int(target["flight"]) * LENGTH
    free = charge["refusal"] == _DREAD_NONE and not charge["blocked"]
    far = int(charge["gap"]) + flight
    if target["state"] == _OFF_TABLE:
        if free:
            fail_charge(game, dice, c, far)
        return _LEFT_TABLE
    if free and charge["in_reach"] and far <= charge["reach"]:
        target["state"] = _DESTROYED
        target["models"] = 0
        target["damage"] = 0
        note(dice, _CATCHES, charger, who, far, int(charge["reach"]))
        return _CAUGHT
    if charge["refusal"] == _DREAD_NONE:
        note(dice, _ESCAPES, who, charger, far, int(charge["reach"]))
        fail_charge(game, dice, c, far)
    return _ESCAPED


@kernel
def move_charger(game: Any, dice: Any, c: int) -> None:
    """Move a charge and say how it ended; the order of the questions is that of the words."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    charger = game["units"][who]
    target = game["units"][int(charge["target"])]
    refusal = int(charge["refusal"])
    flown = target["state"] == _FLEEING or target["state"] == _OFF_TABLE
    flight = run_down(game, dice, c) if flown else 0
    if refusal == _DREAD_FEAR:
        note(dice, _NOT_MOVED, who)
        charge["word"] = _REFUSED
    elif refusal != _DREAD_NONE:
        charge["word"] = _FLED_TERROR
    elif flown:
        charge["word"] = flight
    elif charger["models"] == 0:
        charge["word"] = _CHARGER_DESTROYED
    elif charger["state"] == _FLEEING:
        charge["word"] = _FLED_PANIC
    elif not charge["in_reach"]:
        charge["word"] = _OUT_OF_REACH
        fail_charge(game, dice, c, int(charge["gap"]))
    elif charge["blocked"]:
        charge["word"] = _BLOCKED
        fail_charge(game, dice, c, int(charge["gap"]))
    else:
        charge["word"] = _CONTACT
        charger["state"] = _FIGHTING
        target["state"] = _FIGHTING
        note(dice, _MAKES_CONTACT, who, int(charge["target"]), int(charge["distance"]))
    if charge["word"] != _CONTACT:
        charge["sixes"] = 0
    # what no result tells apart must not tell states apart
    charge["distance"] = 0
    charge["gap"] = 0
    charge["reach"] = 0
    charge["in_reach"] = 0
    charge["refusal"] = 0
    charge["blocked"] = 0
