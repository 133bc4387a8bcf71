"""Redirecting a charge when its target has fled (section 5 of the annotated rulebook)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_charge import (
    declare_reaction,
    exists,
    has_flown,
    may_shoot,
    measure,
    sees,
    would_catch,
)
from chargesim.rulesets.wh6.rules_psychology import reactive_flight, test_charger, test_target
from chargesim.rulesets.wh6.rules_unit import has, place, take_test
from chargesim.rulesets.wh6.state import Dread, Kind, Place, Reaction, Rule, UnitState, Word

_REDIRECTED, _TO_CONTACT = int(Kind.REDIRECTED), int(Word.REDIRECTED_CONTACT)
_UNDEAD = int(Rule.UNDEAD)
_STEADY, _FIGHTING = int(UnitState.STEADY), int(UnitState.FIGHTING)
_FLEEING, _NO_DREAD = int(UnitState.FLEEING), int(Dread.NONE)
_SHOOT, _HOLD, _TEST = int(Reaction.STAND_AND_SHOOT), int(Reaction.HOLD), int(Place.REDIRECT_TEST)
_REDIRECTS, _ASKED = int(Event.REDIRECTS), int(Event.REDIRECT_TEST)
_STAYS_ON, _MAY_NOT_SHOOT = int(Event.NO_REDIRECT), int(Event.REDIRECT_HOLDS)


@kernel
def may_redirect(game: Any, c: int) -> bool:
    """True for a charger whose target fled and that would not catch it (WH6-REDIR-01).

    It has seen the flight before it decides (WH6-REDIR-02); one that could run its target down does
    (WH6-REDIR-07), and nobody redirects twice (WH6-REDIR-04).
    """
    charge = game["charges"][c]
    if not exists(game, c) or charge["kind"] == _REDIRECTED or charge["refusal"] != _NO_DREAD:
        return False
    target = game["units"][int(charge["target"])]
    if not has_flown(target) or target["flight"] == 0:
        return False
    return not (target["state"] == _FLEEING and would_catch(game, c))


@kernel
def redirect_entry(game: Any, c: int) -> int:
    """First new target that still stands and is in reach (WH6-REDIR-03); -1: there is none."""
    for k in range(int(game["head"]["charges"])):
        entry = game["charges"][k]
        if entry["kind"] == _REDIRECTED and entry["parent"] == c:
            state = int(game["units"][int(entry["target"])]["state"])
            stands = state == _STEADY or state == _FIGHTING
            if stands and entry["mean"] <= game["charges"][c]["reach"]:
                return k
    return -1


@kernel
def is_charged(game: Any, who: int) -> bool:
    """True for a unit that some charge was made on."""
    for c in range(int(game["head"]["charges"])):
        if game["charges"][c]["target"] == who and exists(game, c):
            return True
    return False


@kernel
def may_shoot_after_all(game: Any, dice: Any, k: int) -> None:
    """Let a target that wished to shoot and saw nobody shoot at the charger that now comes.

    Whether it can is settled when it shoots (WH6-SS-01); another charger too near forbids it still.
    """
    entry = game["charges"][k]
    who = int(entry["target"])
    target = game["units"][who]
    if entry["declared"] != _SHOOT or entry["reaction"] != _HOLD or target["engaged"]:
        return
    if has(target, _UNDEAD) or not sees(game, k):
        return
    for c in range(k):
        charge = game["charges"][c]
        if (
            charge["target"] == who
            and exists(game, c)
            and 2 * charge["distance"] <= charge["reach"]
        ):
            return
    if may_shoot(game, dice, who):
        for c in range(k + 1):
            if game["charges"][c]["target"] == who:
                game["charges"][c]["reaction"] = _SHOOT


@kernel
def redirect(game: Any, dice: Any, c: int) -> None:
    """Redirect a charge and settle all that comes before shooting (WH6-REDIR-01, WH6-REDIR-06).

    By a switch the unit must first pass a Leadership test (WH6-REDIR-05), and by another a unit
    that was not charged before may not stand and shoot.
    """
    if not may_redirect(game, c):
        return
    charge = game["charges"][c]
    k = redirect_entry(game, c)
    who = int(charge["charger"])
    if k < 0:
        return
    if game["head"]["redirect_test"]:
        note(dice, _ASKED, who)
        if not take_test(game, dice, place(_TEST, charge), who, 0):
            note(dice, _STAYS_ON, who)
            return
    entry = game["charges"][k]
    target = int(entry["target"])
    fresh = not is_charged(game, target)
    charge["word"] = _TO_CONTACT
    entry["made"] = 1
    note(dice, _REDIRECTS, who, target)
    if game["head"]["test_first"]:
        test_charger(game, dice, k)
        if not exists(game, k):
            return
    declare_reaction(game, dice, k)
    may_shoot_after_all(game, dice, k)
    if fresh and entry["reaction"] == _SHOOT and not game["head"]["redirect_shoot"]:
        entry["reaction"] = _HOLD
        note(dice, _MAY_NOT_SHOOT, target)
    measure(game, dice, k)
    test_target(game, dice, target, k, k + 1)
    if not game["head"]["test_first"]:
        test_charger(game, dice, k)
    reactive_flight(game, dice, k)
