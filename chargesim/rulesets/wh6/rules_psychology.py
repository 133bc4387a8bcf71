"""Panic, fear and terror at a charge, panic among friends, and the flights they lead to."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_charge import exists, flies
from chargesim.rulesets.wh6.rules_unit import (
    dread,
    has,
    is_immune,
    place,
    take_test,
    unit_place,
    unit_strength,
)
from chargesim.rulesets.wh6.state import (
    FAR,
    LENGTH,
    Arc,
    Dread,
    Flees,
    Place,
    Reaction,
    Rule,
    Tested,
    UnitPlace,
    UnitState,
    Word,
)

_FLEE, _FRONT = int(Reaction.FLEE), int(Arc.FRONT)
_STEADY, _FIGHTING, _FLEEING = (
    int(UnitState.STEADY),
    int(UnitState.FIGHTING),
    int(UnitState.FLEEING),
)
_OFF_TABLE = int(UnitState.FLED_OFF_TABLE)
_TESTED = int(Tested.PANIC)
_BROKEN, _PANICKED = int(Flees.BROKEN), int(Flees.PANICKED)
_CAUGHT = int(Word.TARGET_FLED_CAUGHT)
_DREAD_NONE, _DREAD_FEAR, _DREAD_TERROR = int(Dread.NONE), int(Dread.FEAR), int(Dread.TERROR)
_TARGET_TEST = int(Place.TARGET_TEST)
_CHARGER_TEST, _CHARGER_PANIC = int(Place.CHARGER_TEST), int(Place.CHARGER_PANIC)
_PANIC, _UNIT_FLIGHT = int(UnitPlace.PANIC), int(UnitPlace.FLIGHT)
_DWARF_LEGS, _SKAVEN = int(Rule.DWARF_LEGS), int(Rule.SKAVEN)

_FLANK_PANIC, _PANIC_PASSED, _PANIC_FAILED = (
    int(Event.FLANK_PANIC),
    int(Event.PANIC_PASSED),
    int(Event.PANIC_FAILED),
)
_FEARS, _FEAR_PASSED, _FEAR_FLEES = int(Event.FEARS), int(Event.FEAR_PASSED), int(Event.FEAR_FLEES)
_FEAR_SIXES, _FEAR_REFUSES = int(Event.FEAR_SIXES), int(Event.FEAR_REFUSES)
_TERRIFIED, _TERROR_PASSED = int(Event.TERRIFIED), int(Event.TERROR_PASSED)
_TERROR_FLEES = int(Event.TERROR_FLEES)
_SHOT_PANIC, _NO_SHOT_PANIC = int(Event.SHOT_PANIC), int(Event.NO_SHOT_PANIC)
_IMMUNE_PASSES, _FRIEND_PANIC = int(Event.IMMUNE_PASSES), int(Event.FRIEND_PANIC)
_FLIGHT, _SHORT_LEGS, _LEAVES_TABLE = (
    int(Event.FLIGHT),
    int(Event.SHORT_LEGS),
    int(Event.LEAVES_TABLE),
)


@kernel
def panics(game: Any, dice: Any, where: int, who: int, cause: int) -> bool:
    """Take a unit's one panic test of the phase; True when it fails (WH6-PANIC-02)."""
    unit = game["units"][who]
    unit["tested"] = _TESTED
    if is_immune(unit):
        note(dice, _IMMUNE_PASSES, who)
        return False
    if take_test(game, dice, where, who, 0):
        note(dice, _PANIC_PASSED, who)
        return False
    note(dice, _PANIC_FAILED, who, cause)
    return True


@kernel
def panic_flank_or_rear(game: Any, dice: Any, c: int) -> None:
    """Panic of a unit already fighting when charged in flank or rear (WH6-PANIC-01 c).

    Only by a charger of unit strength 5 or more by itself (WH6-US-02), and once however many there
    are (WH6-PANIC-02); whether engaged units take panic tests at all is a switch (WH6-PANIC-08).

    Also WH6-PANIC-07.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    target = game["units"][who]
    charger = int(charge["charger"])
    if not target["engaged"] or charge["arc"] == _FRONT or not game["head"]["panic_engaged"]:
        return
    if unit_strength(game, charger) < 5 or target["tested"] == _TESTED:
        return
    note(dice, _FLANK_PANIC, who, charger, int(charge["arc"]), unit_strength(game, charger))
    if panics(game, dice, unit_place(_PANIC, target), who, charger):
        target["flees"] = _BROKEN


@kernel
def fear_of_charger(game: Any, dice: Any, c: int) -> None:
    """The target fears its charger (WH6-FEAR-01).

    Failed, it flees from a charger of higher unit strength, each compared by its own (WH6-FEAR-02);
    else it needs natural sixes to hit it until the end of the turn (WH6-FEAR-09).
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    charger = int(charge["charger"])
    note(dice, _FEARS, who, charger)
    if take_test(game, dice, place(_TARGET_TEST, charge), who, 0):
        note(dice, _FEAR_PASSED, who)
        return
    theirs = unit_strength(game, charger)
    own = unit_strength(game, who)
    if theirs > own:
        game["units"][who]["flees"] = _BROKEN
        note(dice, _FEAR_FLEES, who, charger, theirs, own)
    else:
        charge["sixes"] = 1
        note(dice, _FEAR_SIXES, who, charger, theirs, own)


@kernel
def terror_of_charger(game: Any, dice: Any, c: int) -> None:
    """The target is terrified by its charger: failed, it flees whatever the sizes (WH6-TERR-04).

    Also WH6-TERR-02.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    charger = int(charge["charger"])
    note(dice, _TERRIFIED, who, charger)
    game["units"][who]["terror_tested"] = 1
    if take_test(game, dice, place(_TARGET_TEST, charge), who, 0):
        note(dice, _TERROR_PASSED, who)
    else:
        game["units"][who]["flees"] = _BROKEN
        note(dice, _TERROR_FLEES, who, charger)


@kernel
def asks(game: Any, c: int, who: int) -> bool:
    """True for a charge on this unit that is in reach and so asks for its tests (WH6-SEQ-02)."""
    charge = game["charges"][c]
    return charge["target"] == who and charge["in_reach"] == 1 and exists(game, c)


@kernel
def test_target(game: Any, dice: Any, who: int, first: int, stop: int) -> None:
    """Tests of a charged unit, in the order panic, fear, terror (WH6-LD-07, WH6-TERR-06).

    Only charges in reach ask for them; a unit that flees already, or has been put to flight by
    one of them, takes no more (WH6-LD-08), and a failed test overrides the reaction (WH6-CHG-11).

    Parameters
    ----------
    who
        The charged unit.
    first, stop
        The charges that are looked at: first to stop - 1.
    """
    unit = game["units"][who]
    if unit["state"] == _FLEEING:
        return
    for c in range(first, stop):
        if asks(game, c, who):
            if game["charges"][c]["reaction"] == _FLEE:
                return
            panic_flank_or_rear(game, dice, c)
            if unit["flees"]:
                return
    for c in range(first, stop):
        if asks(game, c, who):
            if dread(game, int(game["charges"][c]["charger"]), who) == _DREAD_FEAR:
                fear_of_charger(game, dice, c)
                if unit["flees"]:
                    return
    for c in range(first, stop):
        if asks(game, c, who):
            if dread(game, int(game["charges"][c]["charger"]), who) == _DREAD_TERROR:
                terror_of_charger(game, dice, c)
                return


@kernel
def test_charger(game: Any, dice: Any, c: int) -> None:
    """The charger's own test: failing Fear it stays (WH6-CHG-07), Terror it flees (WH6-CHG-08).

    Also WH6-FEAR-03.
    """
    charge = game["charges"][c]
    who = int(charge["charger"])
    target = int(charge["target"])
    kind = dread(game, target, who)
    if kind == _DREAD_NONE:
        return
    if kind == _DREAD_FEAR:
        note(dice, _FEARS, who, target)
    else:
        note(dice, _TERRIFIED, who, target)
        game["units"][who]["terror_tested"] = 1
    if take_test(game, dice, place(_CHARGER_TEST, charge), who, 0):
        note(dice, _FEAR_PASSED if kind == _DREAD_FEAR else _TERROR_PASSED, who)
        return
    charge["refusal"] = kind
    if kind == _DREAD_FEAR:
        note(dice, _FEAR_REFUSES, who, target)
    else:
        game["units"][who]["flees"] = _BROKEN
        note(dice, _TERROR_FLEES, who, target)


@kernel
def panic_from_shooting(game: Any, dice: Any, c: int, lost: int) -> None:
    """Panic of a charger that lost a quarter of its models to stand and shoot (WH6-SS-07).

    Measured on the models at the start of the phase (WH6-PANIC-03): a single model that has lost a
    quarter is gone.
    """
    who = int(game["charges"][c]["charger"])
    unit = game["units"][who]
    start = int(unit["start"])
    if lost == 0 or unit["models"] == 0:
        return
    if 4 * lost < start:
        note(dice, _NO_SHOT_PANIC, who, lost, start)
        return
    note(dice, _SHOT_PANIC, who, lost, start)
    charge = game["charges"][c]
    if panics(game, dice, place(_CHARGER_PANIC, charge), who, int(charge["target"])):
        unit["flees"] = _BROKEN


@kernel
def is_fast(game: Any, unit: Any) -> bool:
    """True for units that flee on the larger dice: M above 6 inches or 15 cm, and flyers."""
    slow = 6 * LENGTH if game["head"]["inches"] else 15 * LENGTH
    return flies(unit) or int(unit["move"]) > slow


@kernel
def flee(game: Any, dice: Any, where: int, who: int, edge: int) -> None:
    """Roll a flight once and move it (WH6-FLEE-01, WH6-FLEE-02, WH6-UNIT-03, WH6-UNIT-04).

    2D6 or 3D6 inches, 5D6 or 8D6 cm; dwarf legs run 1 inch or 2 cm less (WH6-ARMY-06), skaven 1
    inch or 3 cm more (WH6-ARMY-07). Over the table edge the unit is gone.

    Also WH6-CHAR-05.
    """
    unit = game["units"][who]
    inches = game["head"]["inches"] == 1
    if inches:
        number = 3 if is_fast(game, unit) else 2
    else:
        number = 8 if is_fast(game, unit) else 5
    rolled = dice_sum(dice, where, number, 6)
    if has(unit, _DWARF_LEGS):
        less = 1 if inches else 2
        rolled -= less
        note(dice, _SHORT_LEGS, who, less)
    if has(unit, _SKAVEN):
        rolled += 1 if inches else 3
    unit["flight"] = rolled
    unit["flees"] = 0
    unit["state"] = _FLEEING
    note(dice, _FLIGHT, who, rolled)
    if edge != FAR and rolled * LENGTH > edge:
        unit["state"] = _OFF_TABLE
        note(dice, _LEAVES_TABLE, who, rolled, edge)


@kernel
def run_in_panic(game: Any, dice: Any, where: int, who: int) -> None:
    """Roll the flight of a unit that panicked among friends; no charge has to do with it."""
    flee(game, dice, where, who, FAR)
    game["units"][who]["flight"] = -int(game["units"][who]["flight"])


@kernel
def reactive_flight(game: Any, dice: Any, c: int) -> None:
    """Step 6: the target flees, by choice or because a test failed (WH6-FLEE-13).

    It rolls once however many chargers it has; the table edge is that of the first that names one.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    unit = game["units"][who]
    if not exists(game, c) or unit["flight"] > 0:
        return
    if charge["reaction"] == _FLEE or unit["flees"]:
        edge = FAR
        for k in range(int(game["head"]["charges"]) - 1, -1, -1):
            other = game["charges"][k]
            if other["target"] == who and exists(game, k) and other["edge"] != FAR:
                edge = int(other["edge"])
        flee(game, dice, unit_place(_UNIT_FLIGHT, unit), who, edge)


@kernel
def near(game: Any) -> int:
    """4 inches or 10 cm: how near panic spreads in the movement phase (WH6-UNIT-02)."""
    return 4 * LENGTH if game["head"]["inches"] else 10 * LENGTH


@kernel
def within(game: Any, cause: int, who: int, distance: int) -> bool:
    """True when a unit stands so near to another that its fate concerns it."""
    unit = game["units"][cause]
    for i in range(int(unit["neighbours"])):
        if unit["neighbour"][i] == who and unit["neighbour_at"][i] <= distance:
            return True
    return False


@kernel
def counts_for_panic(unit: Any) -> bool:
    """True for a destroyed unit whose end may panic friends, not for a small lone model.

    A single model, as the phase began, with fewer than five wounds causes none (WH6-PANIC-04).
    """
    began = int(unit["mustered"]) if unit["mustered"] > 0 else int(unit["start"])
    return bool(began > 1 or unit["w"] >= 5)


@kernel
def friend_lost(game: Any, who: int) -> int:
    """Friend near by that was run down in flight or shot to the last model; -1: none.

    WH6-PANIC-01 d and f.
    """
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["word"] == _CAUGHT and within(game, int(charge["target"]), who, near(game)):
            return int(charge["target"])
        shot = int(charge["charger"])
        if charge["shot_down"] == game["units"][shot]["start"]:
            if counts_for_panic(game["units"][shot]) and within(game, shot, who, near(game)):
                return shot
    return -1


@kernel
def may_panic(game: Any, who: int) -> bool:
    """True for a unit that may still be asked for a panic test in this phase.

    One test a phase (WH6-PANIC-02), none for units that flee, and none in combat by the switch
    (WH6-PANIC-08).
    """
    unit = game["units"][who]
    state = int(unit["state"])
    if unit["tested"] == _TESTED or unit["flees"] or unit["models"] == 0:
        return False
    if state == _FIGHTING:
        return bool(game["head"]["panic_engaged"] == 1)
    return bool(state == _STEADY)


@kernel
def panic_among_friends(game: Any, dice: Any, who: int) -> None:
    """Panic at the end of the movement phase for friends that were lost near by (WH6-PANIC-01).

    Failing it makes no further friend test (WH6-PANIC-06).
    """
    if not may_panic(game, who):
        return
    lost = friend_lost(game, who)
    if lost < 0:
        return
    unit = game["units"][who]
    note(dice, _FRIEND_PANIC, who, lost)
    if panics(game, dice, unit_place(_PANIC, unit), who, lost):
        unit["flees"] = _PANICKED
        run_in_panic(game, dice, unit_place(_UNIT_FLIGHT, unit), who)
