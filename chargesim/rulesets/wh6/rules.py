"""The charge sub-phase step by step, in the order of the annotated rulebook (WH6-SEQ-02)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_break import break_tests, panic_after_combat
from chargesim.rulesets.wh6.rules_charge import (
    clear_path,
    declare_reaction,
    exists,
    measure,
    move_charger,
    settle_words,
)
from chargesim.rulesets.wh6.rules_chariots import rough_ground
from chargesim.rulesets.wh6.rules_combat import (
    LEVELS,
    first_fight,
    impact,
    muster,
    next_level,
    regenerate_all,
    strike_at_level,
)
from chargesim.rulesets.wh6.rules_contact import stand_down
from chargesim.rulesets.wh6.rules_psychology import (
    flee,
    panic_among_friends,
    reactive_flight,
    test_charger,
    test_target,
)
from chargesim.rulesets.wh6.rules_pursuit import forget, pursuit
from chargesim.rulesets.wh6.rules_redirect import redirect
from chargesim.rulesets.wh6.rules_result import combat_result
from chargesim.rulesets.wh6.rules_shooting import stand_and_shoot
from chargesim.rulesets.wh6.rules_unit import unit_place
from chargesim.rulesets.wh6.state import FAR, Kind, Phase, UnitPlace, UnitState, Won

_DECLARATION, _REACTIONS = int(Phase.DECLARATION), int(Phase.REACTIONS)
_REACH, _TESTS = int(Phase.REACH), int(Phase.TESTS)
_FLIGHTS, _REDIRECTION = int(Phase.FLIGHTS), int(Phase.REDIRECTION)
_SHOOTING, _COMPULSORY = int(Phase.SHOOTING), int(Phase.COMPULSORY_MOVES)
_MOVES, _PANIC = int(Phase.CHARGE_MOVES), int(Phase.PANIC)
_IMPACT, _BLOWS, _RESULT = int(Phase.IMPACT), int(Phase.BLOWS), int(Phase.RESULT)
_BREAK_TESTS, _COMBAT_PANIC = int(Phase.BREAK_TESTS), int(Phase.COMBAT_PANIC)
_PURSUIT = int(Phase.PURSUIT)
_STEP, _MUST_CHARGE, _DECLARED = int(Event.STEP), int(Event.MUST_CHARGE), int(Event.DECLARED)
_FLIGHT, _DESTROYED = int(UnitPlace.FLIGHT), int(UnitState.DESTROYED)
_KIND_COMPULSORY, _NOT_FOUGHT = int(Kind.COMPULSORY), int(Won.NOT_FOUGHT)


@kernel
def declaration(game: Any, dice: Any, c: int) -> None:
    """Step 1, and the compulsory charges of step 3 (WH6-FRENZ-06).

    By the switch charger_test the charger must first dare to charge at all (WH6-SEQ-04).
    """
    charge = game["charges"][c]
    if charge["made"] == 0:
        return
    if charge["kind"] == _KIND_COMPULSORY:
        note(dice, _MUST_CHARGE, int(charge["charger"]), int(charge["target"]))
    else:
        note(dice, _DECLARED, int(charge["charger"]), int(charge["target"]), int(charge["kind"]))
    if game["head"]["test_first"]:
        test_charger(game, dice, c)


@kernel
def reactions(game: Any, dice: Any) -> None:
    """Step 2: one reaction a charged unit, all charges known (WH6-SEQ-06)."""
    charges = int(game["head"]["charges"])
    for c in range(charges):
        if exists(game, c):
            declare_reaction(game, dice, c)
    for c in range(charges):
        charge = game["charges"][c]
        if charge["made"] == 1 and not exists(game, c):
            for k in range(charges):
                if game["charges"][k]["target"] == charge["target"] and exists(game, k):
                    charge["reaction"] = game["charges"][k]["reaction"]


@kernel
def tests(game: Any, dice: Any, c: int) -> None:
    """Step 5: tests of charges in reach, each target's first; the charger's whatever they gave."""
    charge = game["charges"][c]
    who = int(charge["target"])
    first = True
    for k in range(c):
        if game["charges"][k]["target"] == who and game["charges"][k]["made"] == 1:
            first = False
    if charge["made"] == 1 and first:
        test_target(game, dice, who, c, int(game["head"]["charges"]))
    if exists(game, c) and charge["in_reach"] and not game["head"]["test_first"]:
        test_charger(game, dice, c)


@kernel
def shooting(game: Any, dice: Any, c: int) -> None:
    """Step 8: stand and shoot; who is shot down to the last is gone.

    Of a charge that ends here the measures are erased: states that they alone told apart are one.
    """
    stand_and_shoot(game, dice, c)
    charge = game["charges"][c]
    charger = game["units"][int(charge["charger"])]
    if charger["models"] == 0:
        charger["state"] = _DESTROYED
    if charge["shot_down"] > 0 and (charger["models"] == 0 or charger["flees"]):
        charge["distance"] = 0
        charge["gap"] = 0
        charge["reach"] = 0


@kernel
def compulsory_moves(game: Any, dice: Any, c: int) -> None:
    """Rally of who stands in the path, then flights of the active side (WH6-FLEE-13).

    Also WH6-SEQ-01.
    """
    clear_path(game, dice, c)
    who = int(game["charges"][c]["charger"])
    unit = game["units"][who]
    if unit["flees"]:
        flee(game, dice, unit_place(_FLIGHT, unit), who, FAR)


@kernel
def charge_moves(game: Any, dice: Any) -> None:
    """Chargers move in order of declaration, the compelled in a sub-phase of their own.

    Before the others, or by the switch after them (WH6-FRENZ-02).
    """
    charges = int(game["head"]["charges"])
    for sub_phase in range(2):
        compelled = (sub_phase == 0) != (game["head"]["frenzy_last"] == 1)
        for c in range(charges):
            if (game["charges"][c]["kind"] == _KIND_COMPULSORY) == compelled:
                rough_ground(game, dice, c)
                move_charger(game, dice, c)
    settle_words(game)


@kernel
def charge_phase(game: Any, dice: Any, phase: int, c: int) -> None:
    """A charge's share of a step of the charge sub-phase."""
    if phase == _DECLARATION:
        declaration(game, dice, c)
    elif phase == _REACH:
        if exists(game, c):
            measure(game, dice, c)
    elif phase == _TESTS:
        tests(game, dice, c)
    elif phase == _FLIGHTS:
        reactive_flight(game, dice, c)
    elif phase == _REDIRECTION:
        redirect(game, dice, c)
    elif phase == _SHOOTING:
        shooting(game, dice, c)
    else:
        compulsory_moves(game, dice, c)


@kernel
def next_fight(game: Any, after: int) -> None:
    """Turn to the next combat that is fought, or to what comes after the last."""
    head = game["head"]
    f = first_fight(game, after)
    head["turn"] = f
    head["level"] = 0
    if f < head["combats"]:
        head["phase"] = _IMPACT
    else:
        head["phase"] = _COMBAT_PANIC if head["friends"] else _PURSUIT
        head["turn"] = first_fight(game, 0) if not head["friends"] else 0
        if first_fight(game, 0) == head["combats"]:
            finish(game)


@kernel
def finish(game: Any) -> None:
    """End the trial."""
    forget(game)
    game["head"]["phase"] = _PURSUIT + 1
    game["head"]["done"] = 1


@kernel
def combat_phase(game: Any, dice: Any, phase: int, f: int) -> None:
    """A combat's share of a step of the combat phase (WH6-BRK-04)."""
    head = game["head"]
    if phase == _IMPACT:
        impact(game, dice, f)
        head["level"] = next_level(game, f, 0)
        head["phase"] = _BLOWS
        if head["until"] == _IMPACT:
            next_fight(game, f + 1)
    elif phase == _BLOWS:
        level = int(head["level"])
        if level < LEVELS:
            strike_at_level(game, dice, f, level)
            head["level"] = next_level(game, f, level + 1)
        if head["level"] >= LEVELS:
            head["phase"] = _RESULT
            head["level"] = 0
    elif phase == _RESULT:
        regenerate_all(game, dice, f)
        combat_result(game, dice, f)
        stand_down(game, f)
        head["phase"] = _BREAK_TESTS
    elif phase == _BREAK_TESTS:
        break_tests(game, dice, f)
        next_fight(game, f + 1)
    else:
        pursuit(game, dice, f)
        head["turn"] = first_fight(game, f + 1)
        if head["turn"] == head["combats"]:
            finish(game)


@kernel
def step(game: Any, dice: Any) -> None:
    """Advance the game by a charge's or a combat's share of one step; ``done`` ends it.

    Also WH6-SEQ-02, WH6-SEQ-05.

    Parameters
    ----------
    game
        One record of the wh6 layout.
    dice
        Dice record that answers the chance nodes.
    """
    head = game["head"]
    phase = int(head["phase"])
    turn = int(head["turn"])
    if turn == 0 or phase > _PANIC:
        note(dice, _STEP, phase, turn, int(head["level"]))
    if phase == _REACTIONS or phase == _MOVES:
        if phase == _REACTIONS:
            reactions(game, dice)
        else:
            charge_moves(game, dice)
        head["phase"] = phase + 1
        if phase == _MOVES and not head["friends"]:
            muster(game, dice)
            next_fight(game, 0)
    elif phase < _PANIC:
        charge_phase(game, dice, phase, turn)
        head["turn"] = turn + 1
        if turn + 1 >= head["charges"]:
            head["turn"] = 0
            head["phase"] = phase + 1
    elif phase == _PANIC or phase == _COMBAT_PANIC:
        if phase == _PANIC:
            panic_among_friends(game, dice, turn)
        else:
            panic_after_combat(game, dice, turn)
        head["turn"] = turn + 1
        if turn + 1 >= head["units"]:
            if phase == _PANIC:
                muster(game, dice)
                next_fight(game, 0)
            else:
                head["phase"] = _PURSUIT
                head["turn"] = first_fight(game, 0)
    else:
        combat_phase(game, dice, phase, turn)
    if head["phase"] > head["until"] and not head["done"]:
        finish(game)


@kernel
def play(game: Any, dice: Any) -> None:
    """Take every step of a trial: one call from the loop instead of one a step."""
    while game["head"]["done"] == 0:
        step(game, dice)
