"""Resolving the declared charges: counter-charges meet, flights run, the others make contact."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.geometry import NEAR, ROOM, cut, into_frame, length, rectangle
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.rules_sight import (
    is_clear,
    obstacle,
    obstacles,
    out_x,
    out_y,
    side_depth,
    slides_to,
)
from chargesim.rulesets.ranked_regiment.state import (
    LENGTH,
    NAMES,
    NOBODY,
    Face,
    Place,
    State,
    Word,
    whole,
)

_FRONT, _REAR = int(Face.FRONT), int(Face.REAR)
_FIGHTING, _PURSUED = int(State.FIGHTING), int(State.PURSUED)
_FLED, _OFF_TABLE = int(State.FLED), int(State.OFF_TABLE)
_CONTACT, _COUNTERED = int(Word.CONTACT), int(Word.COUNTERED)
_RAN, _FAILED = int(Word.FLED), int(Word.FAILED)
_RUN = int(Place.RUN)
_TELL_MEETS, _TELL_CANNOT = int(Event.MEETS), int(Event.CANNOT_MEET)
_TELL_CONTACT, _TELL_SLIDES = int(Event.CONTACT), int(Event.SLIDES)
_TELL_FAILS, _TELL_RUNS = int(Event.FAILS), int(Event.RUNS)
_TELL_STOPS, _TELL_PURSUES = int(Event.STOPS_SHORT), int(Event.PURSUES)
_TELL_LEAVES = int(Event.LEAVES_TABLE)


@kernel
def parts(far: float) -> int:
    """A length in the whole numbers of a note."""
    return int(whole(np.floor(far * LENGTH + 0.5)))


@kernel
def set_word(game: Any, u: int, word: int) -> None:
    """Give the charge of the file that a unit made its word."""
    c = whole(game["units"][u]["wish"])
    if c >= 0:
        game["charges"][c]["word"] = word


@kernel
def engage(game: Any, u: int, t: int, side: int) -> None:
    """Bring a charger's front into contact with a side: both are now in combat (RNK-RES-07)."""
    unit, other = game["units"][u], game["units"][t]
    unit["foe"][_FRONT] = t
    other["foe"][side] = u
    unit["charged"] = 1
    unit["state"] = _FIGHTING
    other["state"] = _FIGHTING


@kernel
def contact(game: Any, dice: Any, u: int) -> bool:
    """Move a charger into contact, centred when there is room (RNK-RES-04).

    Else it slides along the side (RNK-RES-05); where nothing fits the charge fails and the charger
    stays where it is (RNK-RES-06).
    """
    unit = game["units"][u]
    t, side = whole(unit["aim"]), whole(unit["aim_side"])
    other = game["units"][t]
    s = slides_to(game, u, t, side)
    if s > 1e8:
        note(dice, _TELL_FAILS, u, t, side)
        set_word(game, u, _FAILED)
        return False
    ox, oy = out_x(other, side), out_y(other, side)
    if side == _FRONT or side == _REAR:
        ex, ey = float(other["fy"]), -float(other["fx"])
    else:
        ex, ey = float(other["fx"]), float(other["fy"])
    depth = side_depth(other, side) + float(unit["b"])
    unit["x"] = float(other["x"]) + ox * depth + ex * s
    unit["y"] = float(other["y"]) + oy * depth + ey * s
    unit["fx"] = -ox
    unit["fy"] = -oy
    engage(game, u, t, side)
    set_word(game, u, _CONTACT)
    note(dice, _TELL_CONTACT, u, t, side)
    if abs(s) > NEAR:
        note(dice, _TELL_SLIDES, u, t, parts(s))
    return True


@kernel
def meet(game: Any, dice: Any, u: int, t: int) -> None:
    """Let a charger and who answered it meet halfway, front to front (RNK-CTR-03).

    Both count as charging (RNK-CTR-04), whatever side the first was declared on (RNK-CTR-05). By
    the switch, when another unit or impassable terrain is in the way both fail, or the pair charges
    as others do (RNK-CTR-06).
    """
    unit, other = game["units"][u], game["units"][t]
    dx, dy = float(other["x"]) - float(unit["x"]), float(other["y"]) - float(unit["y"])
    apart = max(length(dx, dy), NEAR)
    dx, dy = dx / apart, dy / apart
    b0, b1 = float(unit["b"]), float(other["b"])
    at = 0.5 * apart if game["head"]["centres"] else 0.5 * (apart + b0 - b1)
    x, y = float(unit["x"]) + at * dx, float(unit["y"]) + at * dy
    a0, a1 = float(unit["a"]), float(other["a"])
    if is_clear(game, x - b0 * dx, y - b0 * dy, dx, dy, a0, b0, u, t) and is_clear(
        game, x + b1 * dx, y + b1 * dy, -dx, -dy, a1, b1, u, t
    ):
        unit["x"], unit["y"], unit["fx"], unit["fy"] = x - b0 * dx, y - b0 * dy, dx, dy
        other["x"], other["y"], other["fx"], other["fy"] = x + b1 * dx, y + b1 * dy, -dx, -dy
        engage(game, u, t, _FRONT)
        other["charged"] = 1
        set_word(game, u, _COUNTERED)
        set_word(game, t, _CONTACT)
        note(dice, _TELL_MEETS, u, t, parts(x), parts(y))
        return
    note(dice, _TELL_CANNOT, u, t, whole(game["head"]["as_normal"]))
    set_word(game, u, _FAILED)
    set_word(game, t, _FAILED)
    if game["head"]["as_normal"]:
        if not contact(game, dice, u):
            contact(game, dice, t)


@kernel
def free_way(game: Any, who: int, dx: float, dy: float, far: float, spare: int) -> float:
    """How far a unit that faces along a line can go on it before it meets a unit or terrain.

    ``spare`` names a unit that is not in the way.
    """
    unit = game["units"][who]
    x, y = float(unit["x"]), float(unit["y"])
    a, b = float(unit["a"]), float(unit["b"])
    px, py, tx, ty = np.empty(ROOM), np.empty(ROOM), np.empty(ROOM), np.empty(ROOM)
    for w in range(obstacles(game)):
        n = obstacle(game, w, who, spare, px, py)
        into_frame(px, py, n, x, y, dx, dy)
        n = cut(px, py, n, 1.0, 0.0, -a + NEAR, tx, ty)
        n = cut(px, py, n, -1.0, 0.0, -a + NEAR, tx, ty)
        n = cut(px, py, n, 0.0, 1.0, -b + NEAR, tx, ty)
        if n < 3:
            continue
        nearest = 1e300
        for i in range(n):
            nearest = min(nearest, py[i])
        far = min(far, max(nearest - b, 0.0))
    return far


@kernel
def go_straight(game: Any, who: int, dx: float, dy: float, wanted: float, spare: int) -> float:
    """Turn a unit along a line and move it; how far it went (RNK-FLEE-10).

    It stops short of what is in the way, by the switch; without room even to turn it stays as it
    is. ``spare`` names a unit that is not in the way.
    """
    unit = game["units"][who]
    x, y = float(unit["x"]), float(unit["y"])
    far = wanted
    if game["head"]["stops"]:
        if not is_clear(game, x, y, dx, dy, float(unit["a"]), float(unit["b"]), who, spare):
            return 0.0
        far = free_way(game, who, dx, dy, wanted, spare)
    unit["x"] = x + far * dx
    unit["y"] = y + far * dy
    unit["fx"], unit["fy"] = dx, dy
    return far


@kernel
def leaves_table(game: Any, who: int) -> bool:
    """True when a corner of a unit lies beyond the edges of the table."""
    head, unit = game["head"], game["units"][who]
    if float(head["width"]) <= 0.0:
        return False
    px, py = np.empty(4), np.empty(4)
    n = rectangle(
        px, py, float(unit["x"]), float(unit["y"]), float(unit["fx"]), float(unit["fy"]),
        float(unit["a"]), float(unit["b"]),
    )  # fmt: skip
    for i in range(n):
        if px[i] < -NEAR or py[i] < -NEAR:
            return True
        if px[i] > float(head["width"]) + NEAR or py[i] > float(head["height"]) + NEAR:
            return True
    return False


@kernel
def run_length(game: Any, dice: Any, t: int) -> float:
    """How far a unit runs: its full Move; in the older edition a die for every 4 points of it."""
    unit = game["units"][t]
    move = float(unit["move"])
    if not game["head"]["run_dice"]:
        return move
    return float(dice_sum(dice, whole(unit["number"]) * NAMES + _RUN, whole(move / 4.0), 6))


@kernel
def flight(game: Any, dice: Any, u: int) -> None:
    """Let a charged unit run and its charger pursue; there is no fight (RNK-RES-03).

    The runner turns and runs straight away from the charger, who turns to follow and moves its full
    Move ahead (RNK-FLEE-06) and may not move again this turn (RNK-FLEE-07). Both stop short of what
    is in the way (RNK-FLEE-10). The runner is fleeing; over the table edge it is destroyed
    (RNK-FLEE-08).
    """
    unit = game["units"][u]
    t = whole(unit["aim"])
    other = game["units"][t]
    dx, dy = float(other["x"]) - float(unit["x"]), float(other["y"]) - float(unit["y"])
    apart = max(length(dx, dy), NEAR)
    dx, dy = dx / apart, dy / apart
    wanted = run_length(game, dice, t)
    far = go_straight(game, t, dx, dy, wanted, u)
    other["state"] = _FLED
    note(dice, _TELL_RUNS, t, u, parts(far))
    if far < wanted - NEAR:
        note(dice, _TELL_STOPS, t, parts(wanted))
    if leaves_table(game, t):
        other["state"] = _OFF_TABLE
        note(dice, _TELL_LEAVES, t)
    far = go_straight(game, u, dx, dy, float(unit["move"]), u)
    unit["state"] = _PURSUED
    set_word(game, u, _RAN)
    note(dice, _TELL_PURSUES, u, t, parts(far))


@kernel
def partner_of(game: Any, u: int) -> int:
    """Unit that answers this one's charge with a counter-charge; -1: none."""
    t = whole(game["units"][u]["aim"])
    if t >= 0:
        other = game["units"][t]
        if other["aim"] == u and other["counter"]:
            return int(t)
    return NOBODY


@kernel
def in_order(game: Any, number: int) -> int:
    """Unit whose live charge was the declaration of this number; -1: none."""
    for u in range(whole(game["head"]["units"])):
        unit = game["units"][u]
        if unit["aim"] >= 0 and unit["order"] == number:
            return u
    return NOBODY


@kernel
def next_charge(game: Any, turn: int) -> int:
    """Turn at which the next charge is resolved, from here on; -1: none is left.

    First the pairs of charge and counter-charge, in the order of declaration (RNK-RES-01), then
    every other charge in that order (RNK-RES-02).
    """
    orders = whole(game["head"]["order"])
    while turn < 2 * orders:
        u = in_order(game, turn % orders + 1)
        if u >= 0 and not game["units"][u]["counter"]:
            if (partner_of(game, u) >= 0) == (turn < orders):
                return turn
        turn += 1
    return -1


@kernel
def resolve(game: Any, dice: Any, turn: int) -> None:
    """Resolve the charge whose turn it is."""
    u = in_order(game, turn % whole(game["head"]["order"]) + 1)
    t = whole(game["units"][u]["aim"])
    partner = partner_of(game, u)
    if partner >= 0:
        meet(game, dice, u, partner)
    elif game["units"][t]["runs"]:
        flight(game, dice, u)
    else:
        contact(game, dice, u)
