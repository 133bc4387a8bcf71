"""The charge sub-phase step by step, in the order of the annotated rulebook (WH6-SEQ-02)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_charge import (
    clear_path,
    declare_reaction,
    measure,
    move_charger,
)
from chargesim.rulesets.wh6.rules_chariots import impact_hits
from chargesim.rulesets.wh6.rules_psychology import flee, test_charger, test_target
from chargesim.rulesets.wh6.rules_shooting import stand_and_shoot
from chargesim.rulesets.wh6.rules_unit import place
from chargesim.rulesets.wh6.state import FAR, Dread, Phase, Place, Reaction, UnitState

_DECLARATION, _REACH, _TESTS = int(Phase.DECLARATION), int(Phase.REACH), int(Phase.TESTS)
_FLIGHTS, _SHOOTING = int(Phase.FLIGHTS), int(Phase.SHOOTING)
_COMPULSORY, _MOVES = int(Phase.COMPULSORY_MOVES), int(Phase.CHARGE_MOVES)
_STEP, _FLEE, _NO_DREAD = int(Event.STEP), int(Reaction.FLEE), int(Dread.NONE)
_TARGET_FLIGHT, _CHARGER_FLIGHT = int(Place.TARGET_FLIGHT), int(Place.CHARGER_FLIGHT)
_DESTROYED = int(UnitState.DESTROYED)


@kernel
def exists(game: Any, c: int) -> bool:
    """False for a charge whose charger failed to dare it before the reaction (WH6-SEQ-04)."""
    return not (game["head"]["test_first"] and game["charges"][c]["refusal"] != _NO_DREAD)


@kernel
def declaration(game: Any, dice: Any, c: int) -> None:
    """Steps 1 and 2: the charge is declared and the target reacts.

    By the switch charger_test the charger must first dare to charge at all (WH6-SEQ-04).
    """
    if game["head"]["test_first"]:
        test_charger(game, dice, c)
    if exists(game, c):
        declare_reaction(game, dice, c)


@kernel
def tests(game: Any, dice: Any, c: int) -> None:
    """Step 5: tests of a charge in reach, the target's first; the charger's whatever they gave."""
    if not exists(game, c):
        return
    test_target(game, dice, c)
    if game["charges"][c]["in_reach"] and not game["head"]["test_first"]:
        test_charger(game, dice, c)


@kernel
def reactive_flight(game: Any, dice: Any, c: int) -> None:
    """Step 6: the target flees, by choice or because a test failed (WH6-FLEE-13)."""
    charge = game["charges"][c]
    who = int(charge["target"])
    if exists(game, c) and (charge["reaction"] == _FLEE or game["units"][who]["flees"]):
        flee(game, dice, place(_TARGET_FLIGHT, c), who, int(charge["edge"]))


@kernel
def compulsory_moves(game: Any, dice: Any, c: int) -> None:
    """Rally of who stands in the path, then flights of the active side (WH6-FLEE-13).

    Also WH6-SEQ-01.
    """
    clear_path(game, dice, c)
    who = int(game["charges"][c]["charger"])
    if game["units"][who]["flees"]:
        flee(game, dice, place(_CHARGER_FLIGHT, c), who, FAR)


@kernel
def step(game: Any, dice: Any) -> None:
    """Advance the game by one step; ``done`` is set after the last.

    Also WH6-SEQ-05.

    Parameters
    ----------
    game
        One record of the wh6 layout.
    dice
        Dice record that answers the chance nodes.
    """
    head = game["head"]
    phase = int(head["phase"])
    charges = int(head["charges"])
    note(dice, _STEP, phase)
    if phase == _DECLARATION:
        for c in range(charges):
            declaration(game, dice, c)
    elif phase == _REACH:
        for c in range(charges):
            if exists(game, c):
                measure(game, dice, c)
    elif phase == _TESTS:
        for c in range(charges):
            tests(game, dice, c)
    elif phase == _FLIGHTS:
        for c in range(charges):
            reactive_flight(game, dice, c)
    elif phase == _SHOOTING:
        for c in range(charges):
            stand_and_shoot(game, dice, c)
            if game["units"][int(game["charges"][c]["charger"])]["models"] == 0:
                game["units"][int(game["charges"][c]["charger"])]["state"] = _DESTROYED
    elif phase == _COMPULSORY:
        for c in range(charges):
            compulsory_moves(game, dice, c)
    elif phase == _MOVES:
        for c in range(charges):
            move_charger(game, dice, c)
    else:
        for c in range(charges):
            impact_hits(game, dice, c)
        head["done"] = 1
    head["phase"] = phase + 1


@kernel
def play(game: Any, dice: Any) -> None:
    """Take every step of a trial: one call from the loop instead of one a step."""
    while game["head"]["done"] == 0:
        step(game, dice)
