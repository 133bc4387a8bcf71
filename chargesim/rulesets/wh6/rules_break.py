"""After the combat result: break tests, and panic among friends (section 15)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, leadership_test, lower_two, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_contact import is_member
from chargesim.rulesets.wh6.rules_psychology import (
    counts_for_panic,
    may_panic,
    panics,
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
    unit_place,
    unit_strength,
)
from chargesim.rulesets.wh6.rules_wounds import models_left
from chargesim.rulesets.wh6.state import LENGTH, Flees, Rule, UnitPlace, Won

_ACTIVE_WON = int(Won.ACTIVE)
_REACTIVE_WON = int(Won.REACTIVE)
_BROKEN, _PANICKED = int(Flees.BROKEN), int(Flees.PANICKED)
_STUBBORN = int(Rule.STUBBORN)
_UNDEAD, _DAEMON = int(Rule.UNDEAD), int(Rule.DAEMON)
_UNBREAKABLE = int(Rule.UNBREAKABLE)
_COLD_BLOODED = int(Rule.COLD_BLOODED)
_BREAK, _AGAIN = int(UnitPlace.BREAK), int(UnitPlace.BREAK_AGAIN)
_INSTABILITY, _COMBAT_PANIC = int(UnitPlace.INSTABILITY), int(UnitPlace.COMBAT_PANIC)
_COMBAT_FLIGHT = int(UnitPlace.COMBAT_FLIGHT)
_CALMS, _UNBROKEN = int(Event.LOSES_FRENZY), int(Event.UNBREAKABLE_HOLDS)
_CRUMBLES, _UNSTABLE = int(Event.CRUMBLES), int(Event.INSTABILITY)
_FEAR_BREAKS, _STUBBORN_TOLD = int(Event.FEAR_BREAKS), int(Event.STUBBORN)
_TEST_TOLD, _AGAIN_TOLD = int(Event.BREAK_TEST), int(Event.BREAK_AGAIN)
_HOLDS, _BREAKS = int(Event.HOLDS), int(Event.BREAKS)
_FRIEND_PANIC = int(Event.FRIEND_PANIC)


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
    where = unit_place(_INSTABILITY, unit)
    rolled = lower_two(dice, where) if has(unit, _COLD_BLOODED) else dice_sum(dice, where, 2, 6)
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
    """Roll a break test, once more with a battle standard in reach (WH6-LD-04, WH6-LD-05).

    Also WH6-LD-06.
    """
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

    Also WH6-PANIC-10.
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
    note(dice, _FRIEND_PANIC, who, lost)
    if panics(game, dice, unit_place(_COMBAT_PANIC, unit), who, lost):
        unit["flees"] = _PANICKED
        if unit["mustered"] == 0:
            run_in_panic(game, dice, unit_place(_COMBAT_FLIGHT, unit), who)
