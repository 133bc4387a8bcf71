"""Declarations as moves of a game between two players: all positions that it can come to."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.rules import next_share, positions
from chargesim.rulesets.ranked_regiment.rules_combat import join
from chargesim.rulesets.ranked_regiment.rules_declare import (
    declare,
    declare_flight,
    may_charge,
    may_flee,
)
from chargesim.rulesets.ranked_regiment.rules_resolve import next_charge, resolve
from chargesim.rulesets.ranked_regiment.state import NOBODY, UNITS, Phase, State, whole

_BLOWS, _RALLY, _FLED = int(Phase.BLOWS), int(Phase.RALLY), int(State.FLED)
ROOMY, FULL = 0, 1
"""How :func:`expand_game` ended: all is there, or its arrays are full."""
_MOST_MOVES = UNITS * UNITS + UNITS + 1


@kernel
def list_moves(game: Any, moves: Any) -> int:
    """Write the moves of the side whose turn it is, passing last (RNK-DECL-08, RNK-TURN-03).

    ``moves``, int64, shape (moves, 3): unit, its target or -1 for flight, and the side charged;
    a pass is -1, -1, 0. Returns how many there are; 0 when all is declared. Who has passed may only
    let a unit flee (RNK-TURN-04); in the older edition none passes while a frenzied unit can
    charge.
    """
    head = game["head"]
    if head["idle"] >= 2:
        return 0
    side = whole(head["mover"])
    over = (whole(head["passed"]) >> side) & 1
    count, forced = 0, False
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
                if head["frenzy"] and game["units"][u]["frenzied"]:
                    forced = True
    if not forced:
        moves[count, 0], moves[count, 1], moves[count, 2] = NOBODY, NOBODY, 0
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
def pack(game: Any, row: Any, depth: int) -> None:
    """Write what has been declared into a row of int64: a head, then a word a unit.

    Declarations are told apart by their order among those that stand, not by their number.
    """
    head = game["head"]
    row[0] = whole(head["mover"]) | (whole(head["passed"]) << 1) | (whole(head["idle"]) << 3)
    row[0] |= depth << 5
    units = whole(head["units"])
    for who in range(units):
        unit = game["units"][who]
        rank = 0
        if unit["aim"] >= 0:
            rank = 1
            for w in range(units):
                if game["units"][w]["aim"] >= 0 and game["units"][w]["order"] < unit["order"]:
                    rank += 1
        row[1 + who] = (
            (whole(unit["aim"]) + 1)
            | (whole(unit["aim_side"]) << 5)
            | (whole(unit["counter"]) << 7)
            | (whole(unit["runs"]) << 8)
            | (rank << 9)
            | (whole(unit["declared"]) << 14)
            | (whole(unit["cancelled"]) << 15)
            | (whole(unit["closed"]) << 16)
        )


STANDING = (1 << 14) - 1
"""Bits of a unit's word that say what it will do; the others only say what it may declare."""


@kernel
def unpack(game: Any, row: Any) -> None:
    """Let a game stand where the declarations of a row have brought it."""
    head = game["head"]
    head["mover"] = row[0] & 1
    head["passed"] = (row[0] >> 1) & 3
    head["idle"] = (row[0] >> 3) & 3
    orders = 0
    for who in range(whole(head["units"])):
        unit, word = game["units"][who], row[1 + who]
        unit["aim"] = (word & 31) - 1
        unit["aim_side"] = (word >> 5) & 3
        unit["counter"] = (word >> 7) & 1
        unit["runs"] = (word >> 8) & 1
        unit["order"] = (word >> 9) & 31
        unit["declared"] = (word >> 14) & 1
        unit["cancelled"] = (word >> 15) & 1
        unit["closed"] = (word >> 16) & 15
        if unit["aim"] >= 0:
            orders += 1
    head["order"] = orders


@kernel
def place_of(row: Any, states: Any, table: Any) -> int:
    """Place in a hash table at which a row stands, or would."""
    mask = table.size - 1
    h = np.uint64(0x9E3779B97F4A7C15)
    for j in range(row.size):
        h = (h ^ np.uint64(row[j])) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    at = np.int64(h & np.uint64(mask))
    while table[at] > 0:
        same = True
        for j in range(row.size):
            if states[table[at] - 1, j] != row[j]:
                same = False
                break
        if same:
            break
        at = (at + 1) & mask
    return int(at)


@kernel
def expand_game(
    game: Any, dice: Any, states: Any, first: Any, edges: Any, table: Any, span: Any
) -> None:
    """Find every position that a game can come to, each once, in order of the moves made.

    Parameters
    ----------
    game
        Poses and Moves as they are; where nobody has declared.
    dice
        Dice record in ENUMERATE mode.
    states
        int64, shape (most, 1 + units): rows as :func:`pack` writes them; row 0 is the beginning.
    first
        int64, shape (most + 1,): moves of position i are the edges ``first[i]`` to
        ``first[i + 1]``.
    edges
        int32, shape (most, 4): unit, target, side, and the position that it leads to.
    table
        int64, zeros; its size a power of two, more than twice ``most``.
    span
        int64: positions, edges, the next position to look at, and how it ended.
    """
    moves = np.empty((_MOST_MOVES, 3), np.int64)
    row = np.empty(states.shape[1], np.int64)
    while span[2] < span[0]:
        i = span[2]
        unpack(game, states[i])
        depth = states[i, 0] >> 5
        count = list_moves(game, moves)
        if span[0] + count > states.shape[0] or span[1] + count > edges.shape[0]:
            span[3] = FULL
            return
        first[i] = span[1]
        for k in range(count):
            unpack(game, states[i])
            make_move(game, dice, moves[k, 0], moves[k, 1], moves[k, 2])
            pack(game, row, depth + 1)
            at = place_of(row, states, table)
            if table[at] == 0:
                for j in range(row.size):
                    states[span[0], j] = row[j]
                span[0] += 1
                table[at] = span[0]
            edge = edges[span[1]]
            edge[0], edge[1], edge[2] = moves[k, 0], moves[k, 1], moves[k, 2]
            edge[3] = table[at] - 1
            span[1] += 1
        first[i + 1] = span[1]
        span[2] += 1
    span[3] = ROOMY


@kernel
def induce(states: Any, first: Any, edges: Any, values: Any, lines: Any, best: Any) -> None:
    """Backward induction: the value of each position, and the move that its mover should make.

    ``values``, float64, holds the swing to the active side where all is declared; ``lines``,
    float64, becomes the complete lines of play from each position; ``best``, int64, the edge to
    take, -1 at the end. Of equal moves the first is taken.
    """
    for i in range(first.size - 2, -1, -1):
        best[i] = -1
        if first[i] == first[i + 1]:
            lines[i] = 1.0
            continue
        sign = 1.0 if states[i, 0] & 1 == 0 else -1.0
        most, total = -1e300, 0.0
        for e in range(first[i], first[i + 1]):
            after = edges[e, 3]
            total += lines[after]
            if sign * values[after] > most + 1e-12:
                most = sign * values[after]
                best[i] = e
        values[i] = sign * most
        lines[i] = total


@kernel
def draw_positions(game: Any, dice: Any) -> None:
    """Draw poses, Moves and the coin, and no more: a step to enumerate."""
    positions(game, dice)
    game["head"]["done"] = 1


@kernel
def resolve_on(game: Any, dice: Any) -> None:
    """Resolve the next of the declared charges; then let units in contact form engagements."""
    head = game["head"]
    turn = next_charge(game, whole(head["turn"]))
    if turn >= 0:
        resolve(game, dice, turn)
        head["turn"] = turn + 1
    else:
        join(game, dice)
        head["turn"] = 0
        head["done"] = 1


@kernel
def resolve_all(game: Any, dice: Any) -> None:
    """Resolve all declared charges (RNK-RES-01); dice that are needed are not asked for."""
    game["head"]["turn"] = 0
    game["head"]["done"] = 0
    while game["head"]["done"] == 0:
        resolve_on(game, dice)


@kernel
def tell_units(game: Any, codes: Any, spots: Any) -> None:
    """Write what tells engagements apart: who fights where against whom, and who runs.

    ``codes``, int64, shape (units, 2): engagement counted from 1 or 0, then enemies in contact,
    charge bonus and state. ``spots``, float64, shape (units, 4): place and facing.
    """
    for who in range(whole(game["head"]["units"])):
        unit = game["units"][who]
        codes[who, 0] = whole(unit["combat"]) + 1
        code = whole(unit["state"]) | (whole(unit["charged"]) << 3)
        for side in range(4):
            code |= (whole(unit["foe"][side]) + 1) << (4 + 5 * side)
        codes[who, 1] = code
        spots[who, 0], spots[who, 1] = float(unit["x"]), float(unit["y"])
        spots[who, 2], spots[who, 3] = float(unit["fx"]), float(unit["fy"])


@kernel
def tell_states(game: Any, words: Any, live: Any, states: Any, codes: Any, spots: Any) -> None:
    """As :func:`tell_units`, of many games: uint64, shape (games, live words)."""
    for i in range(states.shape[0]):
        for j in range(live.size):
            words[live[j]] = states[i, j]
        tell_units(game, codes[i], spots[i])


@kernel
def settle_leaves(
    game: Any, dice: Any, words: Any, live: Any, begun: Any, leaves: Any, codes: Any, spots: Any
) -> None:
    """Resolve the charges of each of many positions; ``codes`` and ``spots`` have a row for each.

    As :func:`tell_units` writes them. ``begun``: live words of the game before any declaration.
    """
    for i in range(leaves.shape[0]):
        for j in range(live.size):
            words[live[j]] = begun[j]
        unpack(game, leaves[i])
        resolve_all(game, dice)
        tell_units(game, codes[i], spots[i])


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


@kernel
def judge_all(game: Any, verdicts: Any) -> None:
    """Why each unit may not charge each other one now, and the side: int64, (units, units, 2)."""
    units = whole(game["head"]["units"])
    for u in range(units):
        for t in range(units):
            if game["units"][u]["side"] != game["units"][t]["side"]:
                why, side = may_charge(game, u, t)
                verdicts[u, t, 0], verdicts[u, t, 1] = why, side
