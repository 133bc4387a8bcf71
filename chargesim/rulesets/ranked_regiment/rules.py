"""The turn step by step: declarations, resolution, combat, break tests (RNK-TURN-02)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.jit import kernel
from chargesim.kernels.lengths import normal
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.rules_break import face_defeat, rally, settle
from chargesim.rulesets.ranked_regiment.rules_combat import fights, is_home, join, result, strike
from chargesim.rulesets.ranked_regiment.rules_declare import close_declarations, take_turn
from chargesim.rulesets.ranked_regiment.rules_resolve import next_charge, parts, resolve
from chargesim.rulesets.ranked_regiment.state import (
    COIN,
    NAMES,
    Phase,
    Place,
    State,
    cos_sin,
    whole,
)

_POSITIONS, _DECLARATIONS = int(Phase.POSITIONS), int(Phase.DECLARATIONS)
_RESOLUTION, _BLOWS, _RESULT = int(Phase.RESOLUTION), int(Phase.BLOWS), int(Phase.RESULT)
_BREAK_TESTS, _RALLY = int(Phase.BREAK_TESTS), int(Phase.RALLY)
_X, _Y, _FACING, _MOVE = int(Place.X), int(Place.Y), int(Place.FACING), int(Place.MOVE)
_FLED, _BROKEN = int(State.FLED), int(State.BROKEN)
_STEP, _STANDS, _MOVE_DRAWN = int(Event.STEP), int(Event.STANDS), int(Event.MOVE_DRAWN)
_FIRST = int(Event.FIRST)


turned = kernel(cos_sin)


@kernel
def place(game: Any, dice: Any, who: int) -> None:
    """Put a unit where it stands in this trial, with its Move of this trial."""
    unit = game["units"][who]
    where = whole(unit["number"]) * NAMES
    x, y = float(unit["x0"]), float(unit["y0"])
    fx, fy = float(unit["fx0"]), float(unit["fy0"])
    if unit["sd_x"] > 0.0:
        x += float(unit["sd_x"]) * normal(dice, where + _X)
    if unit["sd_y"] > 0.0:
        y += float(unit["sd_y"]) * normal(dice, where + _Y)
    if unit["sd_facing"] > 0.0:
        turn = float(unit["sd_facing"]) * normal(dice, where + _FACING)
        c, s = turned(turn)
        fx, fy = fx * c + fy * s, fy * c - fx * s
    unit["x"], unit["y"], unit["fx"], unit["fy"] = x, y, fx, fy
    move = float(unit["mean_move"])
    if unit["move_count"] > 0:
        move = float(unit["moves"][dice_sum(dice, where + _MOVE, 1, whole(unit["move_count"])) - 1])
        note(dice, _MOVE_DRAWN, who, parts(move))
    if unit["sd_move"] > 0.0:
        move = max(move + float(unit["sd_move"]) * normal(dice, where + _MOVE), 0.0)
        note(dice, _MOVE_DRAWN, who, parts(move))
    unit["move"] = move
    if unit["sd_x"] > 0.0 or unit["sd_y"] > 0.0 or unit["sd_facing"] > 0.0:
        note(dice, _STANDS, who, parts(x), parts(y), parts(fx), parts(fy))


@kernel
def positions(game: Any, dice: Any) -> None:
    """Draw poses, Moves and who declares first: who acted first before, or a coin (RNK-TURN-05)."""
    head = game["head"]
    units = whole(head["units"])
    for who in range(units):
        place(game, dice, who)
    if head["noisy"]:
        for i in range(units * units):
            game["pairs"][i]["known"] = 0
    first = whole(head["first"])
    if first == 2:
        first = dice_sum(dice, COIN, 1, 2) - 1
    head["mover"] = first
    note(dice, _FIRST, first, whole(head["first"]))


@kernel
def has_share(game: Any, phase: int, turn: int) -> bool:
    """True when a unit or combat has something to do in a step."""
    if phase == _RESULT:
        return is_home(game, turn)
    unit = game["units"][turn]
    if phase == _RALLY:
        flees = unit["state"] == _FLED or unit["state"] == _BROKEN
        return bool(flees and game["head"]["rallies"] == 1)
    return fights(game, turn) and bool(phase != _BREAK_TESTS or unit["behind"] > 0)


@kernel
def next_share(game: Any, phase: int, turn: int) -> None:
    """Turn to the next share from here on, or to the end."""
    head = game["head"]
    while phase <= _RALLY:
        count = whole(head["combats"]) if phase == _RESULT else whole(head["units"])
        while turn < count:
            if has_share(game, phase, turn):
                head["phase"] = phase
                head["turn"] = turn
                return
            turn += 1
        phase += 1
        turn = 0
    settle(game)
    head["phase"] = 0
    head["turn"] = 0
    head["mover"] = 0
    head["passed"] = 0
    head["idle"] = 0
    head["order"] = 0
    head["done"] = 1


@kernel
def resolution(game: Any, dice: Any, turn: int) -> None:
    """Resolve the charge whose turn it is and go on to the next, or to the combats."""
    head = game["head"]
    if turn >= 0:
        resolve(game, dice, turn)
    after = next_charge(game, turn + 1)
    if after >= 0:
        head["turn"] = after
        return
    join(game, dice)
    next_share(game, _BLOWS, 0)


@kernel
def step(game: Any, dice: Any) -> None:
    """Advance the game by one step, or one unit's share of it; ``done`` ends it.

    Parameters
    ----------
    game
        One record of the ranked_regiment layout.
    dice
        Dice record that answers the chance nodes.
    """
    head = game["head"]
    phase, turn = whole(head["phase"]), whole(head["turn"])
    note(dice, _STEP, phase)
    if phase == _POSITIONS:
        positions(game, dice)
        head["phase"] = _DECLARATIONS
    elif phase == _DECLARATIONS:
        while take_turn(game, dice):
            pass
        close_declarations(game)
        after = next_charge(game, 0)
        head["phase"] = _RESOLUTION
        if after < 0:
            resolution(game, dice, -1)
        else:
            head["turn"] = after
    elif phase == _RESOLUTION:
        resolution(game, dice, turn)
    else:
        if phase == _BLOWS:
            strike(game, dice, turn)
        elif phase == _RESULT:
            result(game, dice, turn)
        elif phase == _BREAK_TESTS:
            face_defeat(game, dice, turn)
        else:
            rally(game, dice, turn)
        next_share(game, phase, turn + 1)


@kernel
def play(game: Any, dice: Any) -> None:
    """Take every step of a trial: one call from the loop instead of one a step."""
    while game["head"]["done"] == 0:
        step(game, dice)
