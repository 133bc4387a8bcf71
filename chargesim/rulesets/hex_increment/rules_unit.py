"""What units are and roll: places of luck, the ladder of order, morale checks and losses."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import band_of, leadership_test, note, successes
from chargesim.kernels.jit import kernel, tiny
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.state import (
    CHANCE,
    CHARGES,
    FACES,
    FIRE,
    NAMES,
    UNIT_NAMES,
    Dice,
    Fate,
    State,
)

_D66, _TWO_D6, _D10 = int(Dice.D66), int(Dice.TWO_D6), int(Dice.D10)
_DISORDERED, _PGD, _GONE = int(State.DISORDERED), int(State.PGD), int(State.GONE)
_PENDING, _HELD = int(Fate.PENDING), int(Fate.TARGET_STOOD)
_CHECK, _CHECK_CHANCE = int(Event.CHECK), int(Event.CHECK_CHANCE)
_E_DISORDERED, _E_PGD = int(Event.DISORDERED), int(Event.BECOMES_PGD)
TEN = 10
MOST_2D6 = 12


@tiny
def place(name: int, charge: Any) -> int:
    """Where a charge's chance node of some name draws its luck."""
    return int(charge["number"]) * NAMES + name


@tiny
def unit_place(name: int, unit: Any) -> int:
    """Where a charged stack's chance node of some name draws its luck."""
    return CHARGES * NAMES + int(unit["number"]) * UNIT_NAMES + name


@tiny
def is_pending(target: Any) -> bool:
    """True for a stack that may still be fought."""
    return bool(target["fate"] == _PENDING)


@tiny
def fights(target: Any) -> bool:
    """True for a stack that is, or was, fought in melee."""
    return bool(target["fate"] == _PENDING or target["fate"] >= _HELD)


@kernel
def failing_faces(morale: int, modifier: int, auto_faces: int) -> int:
    """Lowest faces of a D66 that fail a check: the modified face must be above the morale.

    A modifier counts base-six steps and stops at 11 and 66.
    """
    failing = FACES if morale == FACES else min(max(morale - modifier, 0), FACES)
    if auto_faces:
        failing = min(max(failing, 1), FACES - 1)
    return failing


@kernel
def low_faces_fail(dice: Any, where: int, sides: int, failing: int) -> bool:
    """Roll a die of which the lowest faces fail; True when it passes."""
    if failing <= 0:
        return True
    if failing >= sides:
        return False
    return band_of(dice, where, sides, 1 << failing) == 1


@kernel
def morale_check(game: Any, dice: Any, where: int, who: int, modifier: int) -> bool:
    """Roll a morale check with the dice of the switch morale_dice."""
    head = game["head"]
    morale = int(game["units"][who]["morale"])
    kind = int(head["dice"])
    if kind == _D66:
        failing = failing_faces(morale, modifier, int(head["auto_faces"]))
        note(dice, _CHECK, who, morale, modifier, failing, kind)
        return low_faces_fail(dice, where, FACES, failing)
    if kind == _TWO_D6:
        most = min(max(morale - modifier, 0), MOST_2D6)
        note(dice, _CHECK, who, morale, modifier, most, kind)
        if most == MOST_2D6:
            return False
        if most <= 1:
            return True
        return not leadership_test(dice, where, most, 0)
    if kind == _D10:
        failing = min(max(morale - modifier, 0), TEN)
        note(dice, _CHECK, who, morale, modifier, failing, kind)
        return low_faces_fail(dice, where, TEN, failing)
    chance = min(max(morale + modifier * (CHANCE // FACES), 0), CHANCE)
    note(dice, _CHECK_CHANCE, who, chance, modifier)
    return successes(dice, where, 1, chance, CHANCE) == 1


@kernel
def disorder(game: Any, dice: Any, who: int) -> None:
    """One step down the ladder: good, disordered, PGD; a second disorder gives PGD (HEX-SEQ-05)."""
    unit = game["units"][who]
    state = int(unit["state"])
    if state < _PGD:
        unit["state"] = state + 1
        note(dice, _E_PGD if state + 1 == _PGD else _E_DISORDERED, who)


@kernel
def losses_of(dice: Any, where: int, chances: Any, wholes: Any) -> int:
    """Increments lost to one fire: each more has its chance, given those before it."""
    lost = 0
    while lost < FIRE:
        a = int(chances[lost])
        if a == 0:
            return lost
        if successes(dice, where + lost, 1, a, int(wholes[lost])) == 0:
            return lost
        lost += 1
    return lost


@kernel
def lose(game: Any, who: int, lost: int) -> None:
    """Take increments off a unit; one without any is gone."""
    unit = game["units"][who]
    unit["lost"] = min(int(unit["lost"]) + lost, int(unit["increments"]))
    if unit["lost"] == unit["increments"]:
        unit["state"] = _GONE
