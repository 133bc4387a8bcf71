"""Declaring a charge, reacting to it, reach, and moving it."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.jit import kernel
from chargesim.kernels.lengths import estimated_length
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_unit import (
    has,
    is_chariot,
    is_frenzied,
    is_immune,
    place,
    take_test,
    unit_place,
)
from chargesim.rulesets.wh6.state import (
    FAR,
    LENGTH,
    REACH_TERMS,
    Arc,
    Dread,
    Kind,
    Place,
    Reaction,
    Rule,
    Side,
    Tested,
    Troop,
    UnitPlace,
    UnitState,
    Word,
)

_HOLD, _SHOOT, _FLEE = (int(r) for r in (Reaction.HOLD, Reaction.STAND_AND_SHOOT, Reaction.FLEE))
_FLYER, _UNDEAD, _SKIRMISHERS = int(Rule.FLYER), int(Rule.UNDEAD), int(Rule.SKIRMISHERS)
_BULL = int(Rule.BULL_CHARGE)
_WAR_MACHINE, _FRONT = int(Troop.WAR_MACHINE), int(Arc.FRONT)
_STEADY, _FIGHTING, _FLEEING = (
    int(UnitState.STEADY),
    int(UnitState.FIGHTING),
    int(UnitState.FLEEING),
)
_OFF_TABLE, _DESTROYED = int(UnitState.FLED_OFF_TABLE), int(UnitState.DESTROYED)
_DREAD_NONE, _DREAD_FEAR = int(Dread.NONE), int(Dread.FEAR)
_DISTANCE, _REACH, _RALLY = int(Place.DISTANCE), int(Place.REACH), int(UnitPlace.RALLY)
_RALLY_TESTED = int(Tested.RALLY)
_ACTIVE, _KIND_REDIRECTED = int(Side.ACTIVE), int(Kind.REDIRECTED)
_CONTACT, _OUT_OF_REACH, _BLOCKED = int(Word.CONTACT), int(Word.OUT_OF_REACH), int(Word.BLOCKED)
_REFUSED, _FLED_TERROR = int(Word.REFUSED_FEAR), int(Word.CHARGER_FLED_TERROR)
_FLED_PANIC, _CHARGER_DESTROYED = int(Word.CHARGER_FLED_PANIC), int(Word.CHARGER_DESTROYED)
_ESCAPED, _CAUGHT = int(Word.TARGET_FLED_ESCAPED), int(Word.TARGET_FLED_CAUGHT)
_LEFT_TABLE, _REDIRECTED = int(Word.TARGET_FLED_OFF_TABLE), int(Word.REDIRECTED_CONTACT)

_REACTS = int(Event.REACTS)
_MUST_FLEE, _ENGAGED_HOLDS = int(Event.MUST_FLEE), int(Event.ENGAGED_HOLDS)
_UNDEAD_HOLDS, _IMMUNE_HOLDS = int(Event.UNDEAD_HOLDS), int(Event.IMMUNE_HOLDS)
_NO_MISSILES, _NOT_IN_SIGHT = int(Event.NO_MISSILES), int(Event.NOT_IN_SIGHT)
_TOO_CLOSE, _MEASURED = int(Event.TOO_CLOSE), int(Event.MEASURED)
_IN_REACH, _SHORT = int(Event.IN_REACH), int(Event.SHORT)
_IN_THE_WAY, _RALLIED, _FLED_ON = int(Event.IN_THE_WAY), int(Event.RALLIED), int(Event.FLED_ON)
_STAYS, _HAS_LEFT = int(Event.STAYS_IN_THE_WAY), int(Event.HAS_LEFT)
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
def exists(game: Any, c: int) -> bool:
    """True for a charge that was made: dared, by the switch, before the reaction (WH6-SEQ-04)."""
    charge = game["charges"][c]
    return charge["made"] == 1 and not (
        game["head"]["test_first"] and charge["refusal"] != _DREAD_NONE
    )


@kernel
def declare_reaction(game: Any, dice: Any, c: int) -> None:
    """Put the declared reaction in force, or the one the rules put in its place (WH6-CHG-10).

    Fleeing units only flee (WH6-FLEE-09), engaged units only hold, undead only hold (WH6-ARMY-01);
    who is immune to psychology, frenzied or unbreakable never chooses to flee. One reaction a
    target: that of its first charger is that of all.

    Also WH6-FLEE-11, WH6-FRENZ-04.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    wanted = int(charge["declared"])
    for k in range(c):
        if game["charges"][k]["target"] == who and exists(game, k):
            charge["reaction"] = game["charges"][k]["reaction"]
            return
    reaction = wanted
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
        reaction = _SHOOT if may_shoot(game, dice, who) else _HOLD
    charge["reaction"] = reaction
    if reaction == wanted:
        note(dice, _REACTS, who, reaction)


@kernel
def may_shoot(game: Any, dice: Any, who: int) -> bool:
    """What stand and shoot asks for before anything is measured (WH6-SS-01, WH6-SS-03).

    A missile weapon, no war machine, and a charger in sight.
    """
    target = game["units"][who]
    if target["missile_range"] == 0 or target["troop"] == _WAR_MACHINE:
        note(dice, _NO_MISSILES, who, int(target["troop"]))
        return False
    arc = _FRONT
    for c in range(int(game["head"]["charges"])):
        if game["charges"][c]["target"] == who and exists(game, c):
            if sees(game, c):
                return True
            arc = int(game["charges"][c]["arc"])
    note(dice, _NOT_IN_SIGHT, who, arc)
    return False


@kernel
def sees(game: Any, c: int) -> bool:
    """True when the target sees its charger: in the front zone, skirmishers anywhere (WH6-SS-01).

    And when its owner has not chosen to shoot at another (WH6-SS-02).
    """
    charge = game["charges"][c]
    if charge["aim"] < 0:
        return False
    return charge["arc"] == _FRONT or has(game["units"][int(charge["target"])], _SKIRMISHERS)


@kernel
def plain_reach(game: Any, unit: Any) -> int:
    """Twice M, for flyers their flight (WH6-CHG-02, WH6-CHG-04).

    A flying chariot takes the longer of the two (WH6-CHAR-01).
    """
    ground = 2 * int(unit["move"])
    if not flies(unit):
        return ground
    return max(ground, flyer_move(game)) if is_chariot(unit) else flyer_move(game)


@kernel
def must_charge(game: Any, who: int, distance: int, blocked: bool) -> bool:
    """True when Frenzy compels a charge on an enemy at a distance (WH6-FRENZ-01, WH6-CHG-13).

    By its plain reach, whatever its items add (WH6-CHG-14), and not through a unit in the way.
    """
    unit = game["units"][who]
    if not is_frenzied(unit) or unit["state"] != _STEADY or unit["engaged"] or blocked:
        return False
    return distance <= plain_reach(game, unit)


@kernel
def charge_reach(game: Any, dice: Any, c: int) -> int:
    """Reach of a charge: the plain one, or as given; redirected, what it was (WH6-REDIR-03).

    Dice in a given reach are items used at this step (WH6-CHG-14); it is never below 0.
    """
    charge = game["charges"][c]
    if charge["kind"] == _KIND_REDIRECTED:
        return int(game["charges"][int(charge["parent"])]["reach"])
    reach = int(charge["given_reach"])
    if reach == FAR:
        return plain_reach(game, game["units"][int(charge["charger"])])
    for term in range(REACH_TERMS):
        number = int(charge["reach_dice"][term])
        if number != 0:
            where = place(_REACH + term, charge)
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
        where = place(_DISTANCE, charge)
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
        note(dice, _TOO_CLOSE, int(charge["target"]), distance, reach)
        for k in range(int(game["head"]["charges"])):
            if game["charges"][k]["target"] == charge["target"]:
                game["charges"][k]["reaction"] = _HOLD


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
    """Find out whether who stands in the path is gone (WH6-CHG-12, WH6-CHG-15).

    A fleeing friend tests to rally, a musician adding 1 (WH6-RALLY-01); one that rallies stays in
    the way. A friend whose charge was declared earlier is gone unless it did not dare; an enemy
    only when it fled.
    """
    charge = game["charges"][c]
    if charge["made"] == 0:
        return
    for i in range(int(charge["blockers"])):
        who = int(charge["blocker"][i])
        unit = game["units"][who]
        note(dice, _IN_THE_WAY, who, int(charge["charger"]))
        # who began to flee this turn may not rally
        if unit["side"] == _ACTIVE and unit["state"] == _FLEEING:
            if unit["tested"] == 0 and unit["flight"] == 0:
                where = unit_place(_RALLY, unit)
                unit["tested"] = _RALLY_TESTED
                if take_test(game, dice, where, who, int(unit["musician"])):
                    unit["state"] = _STEADY
                    note(dice, _RALLIED, who, int(charge["charger"]))
                else:
                    note(dice, _FLED_ON, who)
        stays = unit["state"] == _STEADY or unit["state"] == _FIGHTING
        if unit["side"] == _ACTIVE and stays:
            stays = not has_left(game, who)
        if stays:
            charge["blocked"] = 1
        note(dice, _STAYS if stays else _HAS_LEFT, who, int(charge["charger"]))


@kernel
def has_left(game: Any, who: int) -> bool:
    """True for a charger that moves, its charge completed or failed (WH6-CHG-12 b)."""
    left = False
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["charger"] == who and charge["made"] == 1:
            if charge["refusal"] != _DREAD_NONE:
                return False
            left = True
    return left


@kernel
def fail_charge(game: Any, dice: Any, c: int, gap: int) -> None:
    """Tell the move of a failed charge: it changes no state that a result holds."""
    charger = int(game["charges"][c]["charger"])
    moved = failed_move(game, c, gap)
    event = _FAILED_FLIGHT if flies(game["units"][charger]) else _FAILED_MOVE
    note(dice, event, charger, moved, gap - moved)


@kernel
def would_catch(game: Any, c: int) -> bool:
    """True when a charge reaches as far as the gap and the flight of its target (WH6-FLEE-02)."""
    charge = game["charges"][c]
    flight = int(game["units"][int(charge["target"])]["flight"]) * LENGTH
    return bool(charge["in_reach"] == 1 and int(charge["gap"]) + flight <= charge["reach"])


@kernel
def run_down(game: Any, dice: Any, c: int) -> None:
    """Have this charger run down its fleeing target if it can (WH6-FLEE-02).

    The table edge is looked at first (WH6-FLEE-04). It is caught when the charger, in reach and
    free to move, gets as far as the gap and the flight together with its full reach.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    charger = int(charge["charger"])
    far = int(charge["gap"]) + int(target["flight"]) * LENGTH
    if target["state"] != _FLEEING:
        fail_charge(game, dice, c, far)
    elif would_catch(game, c):
        target["state"] = _DESTROYED
        target["models"] = 0
        target["damage"] = 0
        note(dice, _CATCHES, charger, who, far, int(charge["reach"]))
    else:
        note(dice, _ESCAPES, who, charger, far, int(charge["reach"]))
        fail_charge(game, dice, c, far)


@kernel
def has_flown(unit: Any) -> bool:
    """True for a unit that fled and was not there when its chargers came, caught or not."""
    state = int(unit["state"])
    return state == _FLEEING or state == _OFF_TABLE or (state == _DESTROYED and unit["flight"] > 0)


@kernel
def move_charger(game: Any, dice: Any, c: int) -> None:
    """Move a charge and say how it ended; the order of the questions is that of the words.

    The word for a target's flight is the same for all its chargers and waits for the last.
    """
    charge = game["charges"][c]
    if charge["made"] == 0 or charge["word"] == _REDIRECTED:
        return
    who = int(charge["charger"])
    charger = game["units"][who]
    target = game["units"][int(charge["target"])]
    refusal = int(charge["refusal"])
    flown = has_flown(target)
    if flown and refusal == _DREAD_NONE and not charge["blocked"] and charger["models"] > 0:
        run_down(game, dice, c)
    elif flown and refusal == _DREAD_NONE and charger["models"] > 0:
        fail_charge(game, dice, c, int(charge["gap"]))
    if refusal == _DREAD_FEAR:
        note(dice, _NOT_MOVED, who)
        charge["word"] = _REFUSED
    elif refusal != _DREAD_NONE:
        charge["word"] = _FLED_TERROR
    elif flown:
        charge["word"] = _ESCAPED
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


@kernel
def settle_words(game: Any) -> None:
    """Say of every fled target how its flight ended, and of redirected charges what they became.

    What no result tells apart must not tell states apart: the measures are erased.
    """
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["made"] == 0:
            continue
        state = int(game["units"][int(charge["target"])]["state"])
        if charge["word"] == _REDIRECTED or charge["word"] == _ESCAPED:
            fled = charge["word"] == _ESCAPED
            charge["word"] = _LEFT_TABLE if state == _OFF_TABLE else _ESCAPED
            if state == _DESTROYED and game["units"][int(charge["target"])]["flight"] > 0:
                charge["word"] = _CAUGHT
            if not fled and redirected_home(game, c):
                charge["word"] = _REDIRECTED
        if charge["word"] != _CONTACT:
            charge["sixes"] = 0
        charge["distance"] = 0
        charge["reach"] = 0
        if charge["word"] != _CONTACT or not has(game["units"][int(charge["charger"])], _BULL):
            charge["gap"] = 0
        charge["in_reach"] = 0
        charge["refusal"] = 0
        charge["blocked"] = 0


@kernel
def redirected_home(game: Any, c: int) -> bool:
    """True when the charge to which this one was redirected made contact."""
    for k in range(int(game["head"]["charges"])):
        charge = game["charges"][k]
        if charge["kind"] == _KIND_REDIRECTED and charge["parent"] == c and charge["made"] == 1:
            return bool(charge["word"] == _CONTACT)
    return False
