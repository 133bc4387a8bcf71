"""Break tests, flight out of combat, and rallying in the next strategic phase."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, leadership_test, note
from chargesim.kernels.geometry import NEAR, length
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.rules_combat import counted_ranks, fights, ranks_of
from chargesim.rulesets.ranked_regiment.rules_resolve import leaves_table
from chargesim.rulesets.ranked_regiment.state import (
    NAMES,
    NOBODY,
    Face,
    Fate,
    Place,
    Side,
    State,
    whole,
)

_FRONT, _LEFT, _RIGHT, _REAR = int(Face.FRONT), int(Face.LEFT), int(Face.RIGHT), int(Face.REAR)
_BREAK, _CRUMBLE, _RALLY = int(Place.BREAK), int(Place.CRUMBLE), int(Place.RALLY)
_ACTIVE, _STEADY = int(Side.ACTIVE), int(State.STEADY)
_FLED, _RALLIED, _BROKEN = int(State.FLED), int(State.RALLIED), int(State.BROKEN)
_DESTROYED, _OFF_TABLE = int(State.DESTROYED), int(State.OFF_TABLE)
_DRAW = int(Fate.DRAW)
_TARGET_WIPED_OUT, _TARGET_BROKE = int(Fate.TARGET_WIPED_OUT), int(Fate.TARGET_BROKE)
_TARGET_HELD, _CHARGER_HELD = int(Fate.TARGET_HELD), int(Fate.CHARGER_HELD)
_CHARGER_WIPED_OUT, _CHARGER_BROKE = int(Fate.CHARGER_WIPED_OUT), int(Fate.CHARGER_BROKE)
_TELL_TESTS = int(Event.TESTS)
_TELL_HOLDS, _TELL_BREAKS = int(Event.HOLDS), int(Event.BREAKS)
_TELL_SURROUNDED, _TELL_CRUMBLES = int(Event.SURROUNDED), int(Event.CRUMBLES)
_TELL_LEAVES, _TELL_RALLIES = int(Event.LEAVES_TABLE), int(Event.RALLIES)
_TELL_RUNS_ON = int(Event.RUNS_ON)


@kernel
def discipline(unit: Any) -> int:
    """Discipline of a unit; its commander's while that lives (RNK-CMB-09)."""
    if unit["led"] and unit["hurt"] < unit["led_wounds"]:
        return int(whole(unit["led_discipline"]))
    return int(whole(unit["discipline"]))


@kernel
def break_target(game: Any, who: int) -> int:
    """Number that 2D6 must not exceed: Discipline and ranks less the difference (RNK-CMB-09).

    All ranks count, even of the disrupted; the Fearless ignore the difference.
    """
    unit = game["units"][who]
    target = discipline(unit) + counted_ranks(game, unit)
    if not unit["fearless"]:
        target -= whole(unit["behind"])
    return min(max(target, 0), 12)


@kernel
def face_defeat(game: Any, dice: Any, who: int) -> None:
    """What a lost combat does to a unit (RNK-CMB-09).

    It tests and holds or flees; the Reanimated, Demonic and Constructs lose D3 wounds instead. In a
    tie nobody tests.
    """
    unit = game["units"][who]
    if not fights(game, who) or unit["behind"] == 0 or unit["models"] == 0:
        return
    place = whole(unit["number"]) * NAMES
    if unit["reanimated"] or unit["demonic"] or unit["construct"]:
        lost = dice_sum(dice, place + _CRUMBLE, 1, 3)
        full = whole(unit["start"]) * whole(unit["wounds"])
        unit["damage"] = min(whole(unit["damage"]) + lost, full)
        left = full - whole(unit["damage"])
        unit["models"] = (left + whole(unit["wounds"]) - 1) // whole(unit["wounds"])
        note(dice, _TELL_CRUMBLES, who, lost, whole(unit["models"]))
        if unit["models"] == 0:
            unit["state"] = _DESTROYED
        return
    target = break_target(game, who)
    note(dice, _TELL_TESTS, who, target, whole(unit["behind"]))
    if leadership_test(dice, place + _BREAK, target, 0):
        note(dice, _TELL_HOLDS, who)
    else:
        flee_combat(game, dice, who)


@kernel
def flee_combat(game: Any, dice: Any, who: int) -> None:
    """A broken unit flees its full Move; winners do not pursue (RNK-CMB-10).

    It is destroyed with enemies on opposite sides, with a Move below 1, or over the table edge.
    """
    unit = game["units"][who]
    foe = unit["foe"]
    unit["state"] = _BROKEN
    pinned = (foe[_FRONT] >= 0 and foe[_REAR] >= 0) or (foe[_LEFT] >= 0 and foe[_RIGHT] >= 0)
    if pinned or float(unit["move"]) < 1.0:
        unit["state"] = _DESTROYED
        note(dice, _TELL_SURROUNDED, who, whole(pinned))
        return
    x, y = 0.0, 0.0
    for side in range(4):
        if foe[side] >= 0:
            enemy = game["units"][whole(foe[side])]
            dx, dy = float(unit["x"]) - float(enemy["x"]), float(unit["y"]) - float(enemy["y"])
            apart = max(length(dx, dy), NEAR)
            x, y = x + dx / apart, y + dy / apart
    size = max(length(x, y), NEAR)
    move = float(unit["move"])
    unit["x"] = float(unit["x"]) + move * x / size
    unit["y"] = float(unit["y"]) + move * y / size
    unit["fx"], unit["fy"] = x / size, y / size
    note(dice, _TELL_BREAKS, who)
    if leaves_table(game, who):
        unit["state"] = _OFF_TABLE
        note(dice, _TELL_LEAVES, who)


@kernel
def rally(game: Any, dice: Any, who: int) -> None:
    """Rally test of a fleeing unit in the next strategic phase (RNK-CMB-11).

    2D6 at most Discipline and ranks; else it runs its full Move to the nearest edge.
    """
    unit = game["units"][who]
    if unit["state"] != _FLED and unit["state"] != _BROKEN:
        return
    target = min(max(discipline(unit) + ranks_of(unit, whole(unit["models"])), 0), 12)
    if leadership_test(dice, whole(unit["number"]) * NAMES + _RALLY, target, 0):
        unit["rallied"] = 1
        note(dice, _TELL_RALLIES, who, target)
        if unit["state"] == _FLED:
            unit["state"] = _RALLIED
        return
    note(dice, _TELL_RUNS_ON, who, target)
    head = game["head"]
    if float(head["width"]) > 0.0:
        near = min(float(unit["x"]), float(head["width"]) - float(unit["x"]))
        near = min(near, min(float(unit["y"]), float(head["height"]) - float(unit["y"])))
        if near - float(unit["b"]) < float(unit["move"]) and unit["state"] == _FLED:
            unit["state"] = _OFF_TABLE
            note(dice, _TELL_LEAVES, who)


@kernel
def fate_of(game: Any, f: int) -> int:
    """Word of a charged unit's combat, when all tests are done."""
    combat = game["combats"][f]
    if combat["joined"] == 0:
        return 0
    home = game["combats"][whole(combat["joined"]) - 1]
    target = game["units"][whole(combat["target"])]
    result = whole(home["result"])
    if target["models"] == 0:
        return _TARGET_WIPED_OUT
    if target["behind"] > 0:
        state = whole(target["state"])
        return _TARGET_BROKE if (
            state == _BROKEN or state == _OFF_TABLE or state == _DESTROYED
        ) else _TARGET_HELD  # fmt: skip
    worst = _CHARGER_HELD
    for side in range(4):
        x = whole(target["foe"][side])
        if x < 0:
            continue
        state = whole(game["units"][x]["state"])
        if game["units"][x]["models"] == 0:
            return _CHARGER_WIPED_OUT
        if state == _BROKEN or state == _OFF_TABLE or state == _DESTROYED:
            worst = _CHARGER_BROKE
    return _DRAW if result == 0 else worst


@kernel
def settle(game: Any) -> None:
    """Give combats their words and scores, and erase what no result tells of."""
    for f in range(whole(game["head"]["combats"])):
        combat = game["combats"][f]
        combat["word"] = fate_of(game, f)
        home = whole(combat["joined"]) - 1
        if home >= 0 and home != f:
            combat["result"] = game["combats"][home]["result"]
            combat["active"] = game["combats"][home]["active"]
            combat["reactive"] = game["combats"][home]["reactive"]
    for who in range(whole(game["head"]["units"])):
        forget(game["units"][who])


@kernel
def forget(unit: Any) -> None:
    """Erase what tells end states of a unit apart without being told in a result."""
    unit["x"], unit["y"], unit["fx"], unit["fy"], unit["move"] = 0.0, 0.0, 0.0, 0.0, 0.0
    unit["behind"] = 0
    unit["aim"] = NOBODY
    unit["aim_side"] = 0
    unit["counter"] = 0
    unit["order"] = 0
    unit["declared"] = 0
    unit["cancelled"] = 0
    unit["runs"] = 0
    unit["closed"] = 0
    unit["wish"] = NOBODY
    unit["combat"] = NOBODY
    for side in range(4):
        unit["foe"][side] = NOBODY
    if unit["state"] == _DESTROYED or unit["state"] == _OFF_TABLE:
        unit["rallied"] = 0
