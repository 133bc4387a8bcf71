"""Declarations as moves of a game between two players: what is legal now, and making a move."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.rules import next_share
from chargesim.rulesets.ranked_regiment.rules_combat import join
from chargesim.rulesets.ranked_regiment.rules_declare import (
    declare,
    declare_flight,
    may_charge,
    may_flee,
)
from chargesim.rulesets.ranked_regiment.rules_resolve import next_charge, resolve
from chargesim.rulesets.ranked_regiment.state import NOBODY, Phase, State, whole

_BLOWS, _RALLY, _FLED = int(Phase.BLOWS), int(Phase.RALLY), int(State.FLED)


@kernel
def list_moves(game: Any, moves: Any) -> int:
    """Write the moves of the side whose turn it is, apart from passing (RNK-DECL-08).

    ``moves``, int64, shape (moves, 3): unit, its target or -1 for flight, and the side charged.
    Returns how many there are. Who has passed may only let a unit flee (RNK-TURN-04).
    """
    head = game["head"]
    side = whole(head["mover"])
    over = (whole(head["passed"]) >> side) & 1
    count = 0
    for u in range(whole(head["units"])):
        if game["units"][u]["side"] != side:
            continue
        if may_flee(game, u) == 0:
            moves[count, 0], moves[count, 1], moves[count, 2] = u, NOBODY, 0
            count += 1
        if over:
            continue
        for t in range(whole(head["units"])):
            if game["units"][t]["side"] == side:
                continue
            why, face = may_charge(game, u, t)
            if why == 0:
                moves[count, 0], moves[count, 1], moves[count, 2] = u, t, face
                count += 1
    return count


@kernel
def make_move(game: Any, dice: Any, u: int, t: int, face: int) -> None:
    """Make a legal move, -1 for the unit to pass, and hand on the turn (RNK-TURN-03)."""
    head = game["head"]
    side = whole(head["mover"])
    if u < 0:
        head["idle"] += 1
        if head["final"]:
            head["passed"] = whole(head["passed"]) | (1 << side)
    else:
        head["idle"] = 0
        if t < 0:
            declare_flight(game, dice, u)
        else:
            declare(game, dice, u, t, face)
    head["mover"] = 1 - side


@kernel
def resolve_all(game: Any, dice: Any) -> None:
    """Resolve all declared charges and let units in contact form engagements (RNK-RES-01)."""
    turn = next_charge(game, 0)
    while turn >= 0:
        resolve(game, dice, turn)
        turn = next_charge(game, turn + 1)
    join(game, dice)


@kernel
def keep_group(game: Any, f: int, who: int) -> bool:
    """Leave one engagement, or one fleeing unit, to be played; False where nothing happens."""
    for w in range(whole(game["head"]["units"])):
        unit = game["units"][w]
        if who >= 0:
            if w != who:
                unit["state"] = 0
            unit["combat"] = NOBODY
        elif unit["combat"] != f:
            unit["combat"] = NOBODY
            unit["state"] = 0
    for g in range(whole(game["head"]["combats"])):
        if who >= 0 or g != f:
            game["combats"][g]["joined"] = 0
    next_share(game, _RALLY if who >= 0 else _BLOWS, 0)
    return bool(game["head"]["done"] == 0)
