"""After the break tests: flight, pursuit and overrun (section 15)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note, one_pursuer, packed_flight, race
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_contact import is_member
from chargesim.rulesets.wh6.rules_psychology import is_fast, run_in_panic
from chargesim.rulesets.wh6.rules_unit import (
    has,
    is_frenzied,
    keeps_native,
    take_test,
    unit_place,
    unit_strength,
)
from chargesim.rulesets.wh6.state import FAR, LENGTH, Fate, Rule, Terrain, UnitPlace, UnitState, Won

_STEADY, _FIGHTING = int(UnitState.STEADY), int(UnitState.FIGHTING)
_FLEEING = int(UnitState.FLEEING)
_PURSUING, _OVERRAN = int(UnitState.PURSUING), int(UnitState.OVERRAN)
_OFF_TABLE, _DESTROYED = int(UnitState.FLED_OFF_TABLE), int(UnitState.DESTROYED)
_NOT_FOUGHT, _ACTIVE_WON = int(Won.NOT_FOUGHT), int(Won.ACTIVE)
_REACTIVE_WON = int(Won.REACTIVE)
_DRAW = int(Fate.DRAW)
_TARGET_WIPED, _CHARGER_WIPED = int(Fate.TARGET_WIPED_OUT), int(Fate.CHARGER_WIPED_OUT)
_TARGET_CAUGHT, _TARGET_ESCAPED = int(Fate.TARGET_BROKE_CAUGHT), int(Fate.TARGET_BROKE_ESCAPED)
_CHARGER_CAUGHT, _CHARGER_ESCAPED = int(Fate.CHARGER_BROKE_CAUGHT), int(Fate.CHARGER_BROKE_ESCAPED)
_TARGET_HELD, _CHARGER_HELD = int(Fate.TARGET_HELD), int(Fate.CHARGER_HELD)
_HATRED = int(Rule.HATRED)
_DWARF_LEGS, _SKAVEN = int(Rule.DWARF_LEGS), int(Rule.SKAVEN)
_DEFENDED = int(Terrain.DEFENDED)
_COMBAT_FLIGHT, _RESTRAINT = int(UnitPlace.COMBAT_FLIGHT), int(UnitPlace.RESTRAINT)
_PURSUIT = int(UnitPlace.PURSUIT)
_RESTRAINS, _MUST_PURSUE = int(Event.RESTRAINS), int(Event.MUST_PURSUE)
_PURSUES, _RUN_DOWN = int(Event.PURSUES), int(Event.RUN_DOWN)
_GETS_AWAY, _OVERRUNS = int(Event.GETS_AWAY), int(Event.OVERRUNS)


@kernel
def flight_dice(game: Any, who: int) -> int:
    """Dice and bonus of a flight out of combat, packed as the chance node takes them.

    As other flights (WH6-UNIT-04); dwarf legs slower (WH6-ARMY-06), skaven faster (WH6-ARMY-07).
    """
    unit = game["units"][who]
    inches = game["head"]["inches"] == 1
    fast = is_fast(game, unit)
    number = (3 if fast else 2) if inches else (8 if fast else 5)
    plus = 0
    if has(unit, _DWARF_LEGS):
        plus -= 1 if inches else 2
    if has(unit, _SKAVEN):
        plus += 1 if inches else 3
    return packed_flight(number, plus)


@kernel
def pursuit_class(game: Any, who: int) -> int:
    """Which pursuit dice a unit rolls: slow or fast, dwarf legs or not (WH6-PURS-02)."""
    unit = game["units"][who]
    return (2 if is_fast(game, unit) else 0) + (1 if has(unit, _DWARF_LEGS) else 0)


@kernel
def pursues(game: Any, dice: Any, f: int, who: int) -> bool:
    """Does a winner pursue? To stay it must pass its Ld before any flight dice (WH6-PURS-01).

    The frenzied and the hating never stay (WH6-FRENZ-04, WH6-HATE-01); behind a defended obstacle
    the choice is free.
    """
    unit = game["units"][who]
    hates = has(unit, _HATRED) and keeps_native(game, unit)
    if not unit["restrain"]:
        return True
    if is_frenzied(unit) or hates:
        note(dice, _MUST_PURSUE, who)
        return True
    target = int(game["combats"][f]["target"])
    if who == target:
        for c in range(int(game["head"]["charges"])):
            if is_member(game, c, who) and game["charges"][c]["terrain"] == _DEFENDED:
                note(dice, _RESTRAINS, who)
                return False
    stays = take_test(game, dice, unit_place(_RESTRAINT, unit), who, 0)
    if stays:
        note(dice, _RESTRAINS, who)
    return not stays


@kernel
def overrun(game: Any, dice: Any, who: int) -> None:
    """A unit that has slain all before it in its first round may go on (WH6-OVER-01).

    The frenzied must (WH6-FRENZ-04).
    """
    unit = game["units"][who]
    if unit["models"] == 0:
        return
    if unit["engaged"] or (unit["restrain"] and not is_frenzied(unit)):
        unit["state"] = _STEADY
    else:
        unit["state"] = _OVERRAN
        note(dice, _OVERRUNS, who)


@kernel
def get_away(game: Any, dice: Any, who: int, caught_or_off: int) -> None:
    """Put a unit that left its fight where it belongs: destroyed, off the table, or fleeing."""
    unit = game["units"][who]
    unit["flees"] = 0
    if caught_or_off == 0:
        unit["state"] = _DESTROYED
        unit["models"] = 0
        unit["damage"] = 0
        note(dice, _RUN_DOWN, who)
    else:
        unit["state"] = _OFF_TABLE if caught_or_off == 2 else _FLEEING
        note(dice, _GETS_AWAY, who, caught_or_off)


@kernel
def edge_behind(game: Any, f: int) -> int:
    """Whole units of length to the table edge behind the target of a combat; 0: far."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who) and game["charges"][c]["edge"] != FAR:
            return int(game["charges"][c]["edge"]) // LENGTH + 1
    return 0


@kernel
def pursuit(game: Any, dice: Any, f: int) -> None:
    """Flights and pursuits out of one combat, and what its units do then (WH6-PURS-02).

    Also WH6-PURS-03, WH6-FLEE-08.
    """
    combat = game["combats"][f]
    won = int(combat["won"])
    if won == _NOT_FOUGHT:
        return
    if won == _ACTIVE_WON:
        target_flees(game, dice, f)
    elif won == _REACTIVE_WON:
        chargers_flee(game, dice, f)
    else:
        combat["word"] = _DRAW
    leave_in_panic(game, dice, f)


@kernel
def target_flees(game: Any, dice: Any, f: int) -> None:
    """The target lost: everybody who beat it pursues it, highest unit strength first."""
    combat = game["combats"][f]
    who = int(combat["target"])
    target = game["units"][who]
    if target["models"] == 0:
        combat["word"] = _TARGET_WIPED
        target["state"] = _DESTROYED
        for c in range(int(game["head"]["charges"])):
            if is_member(game, c, who) and not flees(game, int(game["charges"][c]["charger"])):
                overrun(game, dice, int(game["charges"][c]["charger"]))
        return
    combat["word"] = _TARGET_HELD
    if not target["flees"]:
        return
    hunters = 0
    for c in range(int(game["head"]["charges"])):
        charger = int(game["charges"][c]["charger"])
        unit = game["units"][charger]
        if not is_member(game, c, who) or unit["models"] == 0 or unit["flees"]:
            continue
        if pursues(game, dice, f, charger):
            note(dice, _PURSUES, charger, who)
            hunters += one_pursuer(pursuit_class(game, charger))
            unit["state"] = _PURSUING
        else:
            unit["state"] = _STEADY
    where = unit_place(_PURSUIT, target)
    fate = race(dice, where, flight_dice(game, who), hunters, edge_behind(game, f))
    get_away(game, dice, who, fate)
    combat["word"] = _TARGET_CAUGHT if fate == 0 else _TARGET_ESCAPED


@kernel
def flees(game: Any, who: int) -> bool:
    """True for a unit that is about to flee."""
    return bool(game["units"][who]["flees"] != 0)


@kernel
def chargers_flee(game: Any, dice: Any, f: int) -> None:
    """The charging side lost: the target pursues the strongest of it, if all of it flees."""
    combat = game["combats"][f]
    who = int(combat["target"])
    target = game["units"][who]
    living, running, prey, most = 0, 0, -1, 0
    for c in range(int(game["head"]["charges"])):
        if not is_member(game, c, who):
            continue
        charger = int(game["charges"][c]["charger"])
        unit = game["units"][charger]
        if unit["models"] == 0:
            unit["state"] = _DESTROYED
            continue
        living += 1
        if unit["flees"]:
            running += 1
            if unit_strength(game, charger) > most:
                most = unit_strength(game, charger)
                prey = c
    if living == 0:
        combat["word"] = _CHARGER_WIPED
        if not target["flees"]:
            overrun(game, dice, who)
        return
    combat["word"] = _CHARGER_HELD if running == 0 else _CHARGER_ESCAPED
    hunts = running == living and not target["flees"] and pursues(game, dice, f, who)
    if running == living and not target["flees"]:
        target["state"] = _PURSUING if hunts else _STEADY
    for c in range(int(game["head"]["charges"])):
        charger = int(game["charges"][c]["charger"])
        if not is_member(game, c, who) or not game["units"][charger]["flees"]:
            continue
        fate = 1
        if hunts and c == prey:
            note(dice, _PURSUES, who, charger)
            where = unit_place(_PURSUIT, game["units"][charger])
            hunter = one_pursuer(pursuit_class(game, who))
            fate = race(dice, where, flight_dice(game, charger), hunter, 0)
        get_away(game, dice, charger, fate)
        if fate == 0:
            combat["word"] = _CHARGER_CAUGHT


@kernel
def leave_in_panic(game: Any, dice: Any, f: int) -> None:
    """Units that panicked out of a combat whose enemies did not win it flee unpursued.

    WH6-PANIC-09. Who is left without an enemy stands steady.
    """
    who = int(game["combats"][f]["target"])
    left = 0
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            charger = int(game["charges"][c]["charger"])
            unit = game["units"][charger]
            if unit["flees"]:
                run_in_panic(game, dice, unit_place(_COMBAT_FLIGHT, unit), charger)
            elif unit["models"] == 0:
                unit["state"] = _DESTROYED
            elif unit["state"] == _FIGHTING:
                left += 1
    target = game["units"][who]
    if target["flees"]:
        run_in_panic(game, dice, unit_place(_COMBAT_FLIGHT, target), who)
    if target["state"] == _FIGHTING and left == 0:
        target["state"] = _STEADY
    if target["state"] != _FIGHTING:
        for c in range(int(game["head"]["charges"])):
            unit = game["units"][int(game["charges"][c]["charger"])]
            if is_member(game, c, who) and unit["state"] == _FIGHTING:
                unit["state"] = _STEADY


@kernel
def forget(game: Any) -> None:
    """Erase what no result tells: it must not tell states apart."""
    for who in range(int(game["head"]["units"])):
        unit = game["units"][who]
        unit["mustered"] = 0
        unit["hurt"] = 0
        unit["regenerable"] = 0
        unit["flees"] = 0
        unit["terror_tested"] = 0
        unit["tested"] = 0
        unit["calm"] = 0
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        charge["gap"] = 0
        charge["touching"] = 0
        charge["fighters"] = 0
        charge["facing"] = 0
    for f in range(int(game["head"]["combats"])):
        game["combats"][f]["won"] = 0
    game["head"]["turn"] = 0
    game["head"]["level"] = 0
