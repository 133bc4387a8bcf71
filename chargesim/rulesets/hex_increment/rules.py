"""The charges step by step, in the order of the examples (HEX-SEQ-01)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.rules_melee import melee
from chargesim.rulesets.hex_increment.rules_move import declaration, move
from chargesim.rulesets.hex_increment.rules_reaction import (
    defensive_fire,
    form_square,
    retire,
    stand,
)
from chargesim.rulesets.hex_increment.rules_result import forget, recall, result
from chargesim.rulesets.hex_increment.rules_unit import fights, is_pending
from chargesim.rulesets.hex_increment.state import Phase, Reaction

_DECLARATION, _MOVE = int(Phase.DECLARATION), int(Phase.MOVE)
_SQUARE, _RETIREMENT = int(Phase.SQUARE), int(Phase.RETIREMENT)
_STAND, _FIRE, _MELEE = int(Phase.STAND), int(Phase.DEFENSIVE_FIRE), int(Phase.MELEE)
_RESULT, _PURSUIT = int(Phase.RESULT), int(Phase.PURSUIT)
_DO_SQUARE, _DO_RETIRE = int(Reaction.SQUARE), int(Reaction.RETIRE)
_STEP = int(Event.STEP)


@kernel
def has_share(game: Any, phase: int, turn: int) -> bool:
    """True when a charge or a stack has something to do in a step."""
    if phase == _PURSUIT:
        return bool(game["charges"][turn]["recall"] > 0)
    if phase <= _MOVE or phase == _RESULT:
        return True
    target = game["targets"][turn]
    if phase == _MELEE:
        return fights(target)
    if not is_pending(target):
        return False
    if phase == _SQUARE:
        return bool(target["reaction"] == _DO_SQUARE)
    if phase == _RETIREMENT:
        return bool(target["reaction"] == _DO_RETIRE)
    if phase == _FIRE:
        return bool(target["fire"][0] > 0)
    return True


@kernel
def next_share(game: Any, phase: int, turn: int) -> None:
    """Turn to the next share from here on, or to the end.

    Melees wait until all charges have been made (HEX-SEQ-10).
    """
    head = game["head"]
    while phase <= _PURSUIT:
        by_charge = phase <= _MOVE or phase >= _RESULT
        count = int(head["charges"]) if by_charge else int(head["targets"])
        while turn < count:
            if has_share(game, phase, turn):
                head["phase"] = phase
                head["turn"] = turn
                return
            turn += 1
        phase += 1
        turn = 0
    forget(game)
    head["phase"] = phase
    head["turn"] = 0
    head["done"] = 1


@kernel
def step(game: Any, dice: Any) -> None:
    """Advance the game by a charge's or a stack's share of one step; ``done`` ends it.

    Parameters
    ----------
    game
        One record of the hex_increment layout.
    dice
        Dice record that answers the chance nodes.
    """
    head = game["head"]
    phase, turn = int(head["phase"]), int(head["turn"])
    note(dice, _STEP, phase)
    after = turn + 1
    if phase == _DECLARATION:
        declaration(game, dice, turn)
    elif phase == _MOVE:
        move(game, dice, turn)
    elif phase == _SQUARE:
        form_square(game, dice, turn)
    elif phase == _RETIREMENT:
        retire(game, dice, turn)
    elif phase == _STAND:
        stand(game, dice, turn)
    elif phase == _FIRE:
        defensive_fire(game, dice, turn)
    elif phase == _MELEE:
        if not melee(game, dice, turn):
            after = turn
    elif phase == _RESULT:
        result(game, dice, turn)
    else:
        recall(game, dice, turn)
    next_share(game, phase, after)


@kernel
def play(game: Any, dice: Any) -> None:
    """Take every step of a trial: one call from the loop instead of one a step."""
    while game["head"]["done"] == 0:
        step(game, dice)
