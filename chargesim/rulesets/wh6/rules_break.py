"""After the combat result: break tests, panic, pursuit and overrun (section 15)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import (
    dice_sum,
    leadership_test,
    note,
    one_pursuer,
    packed_flight,
    race,
)
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_contact import is_member
from chargesim.rulesets.wh6.rules_psychology import (
    counts_for_panic,
    is_fast,
    may_panic,
    run_in_panic,
    within,
)
from chargesim.rulesets.wh6.rules_unit import (
    causes_fear,
    has,
    is_frenzied,
    is_immune,
    keeps_native,
    leadership,
    rank_courage,
    take_test,
    unit_place,
    unit_strength,
)
from chargesim.rulesets.wh6.rules_wounds import models_left
from chargesim.rulesets.wh6.state import (
    FAR,
    LENGTH,
    Fate,
    Flees,
    Rule,
    Terrain,
    Tested,
    UnitPlace,
    UnitState,
    Won,
)

_STEADY, _FIGHTING, _FLEEING = (
    int(UnitState.STEADY),
    int(UnitState.FIGHTING),
    int(UnitState.FLEEING),
)
_PURSUING, _OVERRAN = int(UnitState.PURSUING), int(UnitState.OVERRAN)
_OFF_TABLE, _DESTROYED = int(UnitState.FLED_OFF_TABLE), int(UnitState.DESTROYED)
_NOT_FOUGHT, _ACTIVE_WON = int(Won.NOT_FOUGHT), int(Won.ACTIVE)
_DRAWN, _REACTIVE_WON = int(Won.DRAW), int(Won.REACTIVE)
_BROKEN, _PANICKED = int(Flees.BROKEN), int(Flees.PANICKED)
_DRAW = int(Fate.DRAW)
_TARGET_WIPED, _CHARGER_WIPED = int(Fate.TARGET_WIPED_OUT), int(Fate.CHARGER_WIPED_OUT)
_TARGET_CAUGHT, _TARGET_ESCAPED = int(Fate.TARGET_BROKE_CAUGHT), int(Fate.TARGET_BROKE_ESCAPED)
_CHARGER_CAUGHT, _CHARGER_ESCAPED = (
    int(Fate.CHARGER_BROKE_CAUGHT),
    int(Fate.CHARGER_BROKE_ESCAPED),
)
_TARGET_HELD, _CHARGER_HELD = int(Fate.TARGET_HELD), int(Fate.CHARGER_HELD)
_FRENZY, _HATRED, _STUBBORN = int(Rule.FRENZY), int(Rule.HATRED), int(Rule.STUBBORN)
_UNDEAD, _DAEMON, _UNBREAKABLE = int(Rule.UNDEAD), int(Rule.DAEMON), int(Rule.UNBREAKABLE)
_COLD_BLOODED, _DWARF_LEGS, _SKAVEN = (
    int(Rule.COLD_BLOODED),
    int(Rule.DWARF_LEGS),
    int(Rule.SKAVEN),
)
_TESTED = int(Tested.PANIC)
_DEFENDED = int(Terrain.DEFENDED)
_BREAK, _AGAIN = int(UnitPlace.BREAK), int(UnitPlace.BREAK_AGAIN)
_INSTABILITY, _COMBAT_PANIC = int(UnitPlace.INSTABILITY), int(UnitPlace.COMBAT_PANIC)
_COMBAT_FLIGHT, _RESTRAINT = int(UnitPlace.COMBAT_FLIGHT), int(UnitPlace.RESTRAINT)
_PURSUIT = int(UnitPlace.PURSUIT)
_CALMS, _UNBROKEN = int(Event.LOSES_FRENZY), int(Event.UNBREAKABLE_HOLDS)
_CRUMBLES, _UNSTABLE = int(Event.CRUMBLES), int(Event.INSTABILITY)
_FEAR_BREAKS, _STUBBORN_TOLD = int(Event.FEAR_BREAKS), int(Event.STUBBORN)
_TEST_TOLD, _AGAIN_TOLD = int(Event.BREAK_TEST), int(Event.BREAK_AGAIN)
_HOLDS, _BREAKS = int(Event.HOLDS), int(Event.BREAKS)
_FRIEND_PANIC, _IMMUNE_PASSES = int(Event.FRIEND_PANIC), int(Event.IMMUNE_PASSES)
_PANIC_PASSED, _PANIC_FAILED = int(Event.PANIC_PASSED), int(Event.PANIC_FAILED)
_RESTRAINS, _MUST_PURSUE = int(Event.RESTRAINS), int(Event.MUST_PURSUE)
_PURSUES, _RUN_DOWN = int(Event.PURSUES), int(Event.RUN_DOWN)
_GETS_AWAY, _OVERRUNS = int(Event.GETS_AWAY), int(Event.OVERRUNS)


@kernel
def break_tests(game: Any, dice: Any, f: int) -> None:
    """Every losing unit with models left tests, or does what it does instead (WH6-BRK-01).

    Also WH6-BRK-04.
    """
    combat = game["combats"][f]
    who = int(combat["target"])
    difference = abs(int(combat["result"]))
    if combat["won"] == _ACTIVE_WON:
        face_defeat(game, dice, f, who, difference)
    elif combat["won"] == _REACTIVE_WON:
        for c in range(int(game["head"]["charges"])):
            if is_member(game, c, who):
                face_defeat(game, dice, f, int(game["charges"][c]["charger"]), difference)


@kernel
def face_defeat(game: Any, dice: Any, f: int, who: int, difference: int) -> None:
    """What defeat does to one unit, in the order of the rules (WH6-BRK-02).

    Frenzy goes first (WH6-FRENZ-05); undead crumble (WH6-ARMY-01), daemons waver (WH6-ARMY-02), the
    unbreakable stay (WH6-UNBR-01), the frightened may break at once (WH6-FEAR-05).
    """
    unit = game["units"][who]
    if unit["models"] == 0:
        return
    if is_frenzied(unit):
        unit["calm"] = 1
        note(dice, _CALMS, who)
    if has(unit, _UNDEAD):
        wounds = max(difference - int(unit["battle_standard"]), 0)
        crumble(game, who, wounds)
        note(dice, _CRUMBLES, who, wounds, int(unit["models"]))
    elif has(unit, _DAEMON):
        waver(game, dice, who, difference)
    elif has(unit, _UNBREAKABLE):
        note(dice, _UNBROKEN, who)
    elif feared_strength(game, f, who) > unit_strength(game, who):
        unit["flees"] = _BROKEN
        note(dice, _FEAR_BREAKS, who, feared_strength(game, f, who), unit_strength(game, who))
    elif take_break_test(game, dice, who, difference):
        note(dice, _HOLDS, who)
    else:
        unit["flees"] = _BROKEN
        note(dice, _BREAKS, who)


@kernel
def crumble(game: Any, who: int, wounds: int) -> None:
    """Take wounds off a unit without saves of any kind."""
    unit = game["units"][who]
    unit["damage"] = min(int(unit["damage"]) + wounds, int(unit["start"]) * int(unit["w"]))
    unit["models"] = models_left(unit)


@kernel
def waver(game: Any, dice: Any, who: int, difference: int) -> None:
    """Instability of daemons: above Ld they are gone, else they lose what they failed by.

    WH6-ARMY-02.
    """
    unit = game["units"][who]
    rolled = dice_sum(dice, unit_place(_INSTABILITY, unit), 2, 6)
    best = leadership(unit)
    wounds = max(rolled - (best - difference), 0)
    if rolled > best:
        wounds = int(unit["start"]) * int(unit["w"])
    crumble(game, who, wounds)
    note(dice, _UNSTABLE, who, rolled, best, wounds, int(unit["models"]))


@kernel
def feared_strength(game: Any, f: int, who: int) -> int:
    """Total unit strength of the enemies that a unit fears at the end of a round (WH6-FEAR-05).

    Who lost to more than its own breaks without a test; 0 for the immune and those who cause fear
    themselves (WH6-FEAR-06, WH6-TERR-05).
    """
    unit = game["units"][who]
    if is_immune(unit) or causes_fear(unit):
        return 0
    target = int(game["combats"][f]["target"])
    theirs = 0
    if who == target:
        for c in range(int(game["head"]["charges"])):
            charger = int(game["charges"][c]["charger"])
            if is_member(game, c, target) and causes_fear(game["units"][charger]):
                theirs += unit_strength(game, charger)
    elif causes_fear(game["units"][target]):
        theirs = unit_strength(game, target)
    return theirs


@kernel
def break_target(game: Any, who: int, difference: int) -> int:
    """Number that 2D6 must not exceed: Ld less the difference (WH6-BRK-01).

    The stubborn use their own Ld as it is, or a General's lessened, whichever is better
    (WH6-STUB-01). By the switch a double 1 always holds (WH6-BRK-03).
    """
    unit = game["units"][who]
    target = leadership(unit) - difference
    if has(unit, _STUBBORN) and keeps_native(game, unit):
        target = max(target, min(int(unit["ld"]) + rank_courage(unit), 10))
    least = 2 if game["head"]["insane_courage"] else 0
    return max(target, least)


@kernel
def take_break_test(game: Any, dice: Any, who: int, difference: int) -> bool:
    """Roll a break test, once more with a battle standard in reach (WH6-LD-04, WH6-LD-05)."""
    unit = game["units"][who]
    target = break_target(game, who, difference)
    three = 1 if has(unit, _COLD_BLOODED) else 0
    if has(unit, _STUBBORN) and keeps_native(game, unit):
        note(dice, _STUBBORN_TOLD, who, target)
    note(dice, _TEST_TOLD, who, target, difference)
    if leadership_test(dice, unit_place(_BREAK, unit), target, three):
        return True
    if not unit["battle_standard"]:
        return False
    note(dice, _AGAIN_TOLD, who, target)
    return leadership_test(dice, unit_place(_AGAIN, unit), target, three)


@kernel
def far(game: Any) -> int:
    """6 inches or 15 cm: how far a broken friend is felt (WH6-UNIT-02)."""
    return 6 * LENGTH if game["head"]["inches"] else 15 * LENGTH


@kernel
def friend_broken(game: Any, who: int) -> int:
    """Friend near by that broke or was destroyed in combat (WH6-PANIC-01 b); -1: none.

    Size plays no part (WH6-PANIC-05).
    """
    for x in range(int(game["head"]["units"])):
        unit = game["units"][x]
        if unit["mustered"] == 0:
            continue
        gone = unit["models"] == 0 and counts_for_panic(unit)
        if (gone or unit["flees"] == _BROKEN) and within(game, x, who, far(game)):
            return x
    return -1


@kernel
def panic_after_combat(game: Any, dice: Any, who: int) -> None:
    """Panic of a unit whose friends broke or were destroyed near by (WH6-PANIC-01 b).

    Failing it makes no further friend test (WH6-PANIC-06). Outside a combat it flees at once.
    """
    if not may_panic(game, who):
        return
    lost = friend_broken(game, who)
    if lost < 0:
        return
    unit = game["units"][who]
    unit["tested"] = _TESTED
    note(dice, _FRIEND_PANIC, who, lost)
    if is_immune(unit):
        note(dice, _IMMUNE_PASSES, who)
    elif take_test(game, dice, unit_place(_COMBAT_PANIC, unit), who, 0):
        note(dice, _PANIC_PASSED, who)
    else:
        note(dice, _PANIC_FAILED, who, lost)
        unit["flees"] = _PANICKED
        if unit["mustered"] == 0:
            run_in_panic(game, dice, unit_place(_COMBAT_FLIGHT, unit), who)


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
        game["charges"][c]["gap"] = 0
    for f in range(int(game["head"]["combats"])):
        game["combats"][f]["won"] = 0
    game["head"]["turn"] = 0
    game["head"]["level"] = 0
