"""What each charged stack does for itself: square, retirement, standing, fire (HEX-LINE-04)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import band_of, note, successes
from chargesim.kernels.jit import kernel
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.rules_unit import (
    disorder,
    lose,
    losses_of,
    morale_check,
    unit_place,
)
from chargesim.rulesets.hex_increment.state import (
    FACES,
    Fate,
    Kept,
    State,
    Stood,
    UnitPlace,
    Word,
)

_SQUARE, _RETIREMENT = int(UnitPlace.SQUARE), int(UnitPlace.RETIREMENT)
_STAND, _FIRE = int(UnitPlace.STAND), int(UnitPlace.FIRE)
_NO_CONTACT, _RETIRED = int(Fate.NO_CONTACT), int(Fate.TARGET_RETIRED)
_BROKE_BEFORE = int(Fate.TARGET_BROKE_BEFORE_MELEE)
_GOOD, _DISORDERED, _PGD = int(State.GOOD), int(State.DISORDERED), int(State.PGD)
_UNDECIDED = int(Word.UNDECIDED)
_KEPT_SQUARE, _KEPT_FAILED = int(Kept.SQUARE), int(Kept.FAILED)
_PASSED, _FAILED = int(Stood.PASSED), int(Stood.FAILED)
_E_TRIES, _E_FORMED = int(Event.TRIES_SQUARE), int(Event.SQUARE_FORMED)
_E_SQUARE_FAILED, _E_RETIRES = int(Event.SQUARE_FAILED), int(Event.RETIRES)
_E_CANNOT, _E_SQUARE_STANDS = int(Event.CANNOT_RETIRE), int(Event.SQUARE_STANDS)
_E_STAND, _E_STANDS, _E_NOT = (
    int(Event.STAND),
    int(Event.STANDS),
    int(Event.DOES_NOT_STAND),
)
_E_BROKEN, _E_FIRE = int(Event.BROKEN), int(Event.FIRE)


@kernel
def form_square(game: Any, dice: Any, t: int) -> None:
    """Try to form square before the charger is adjacent (HEX-SEQ-04).

    A failure may disorder the stack, or rout it; who is disordered twice is PGD.
    """
    target = game["targets"][t]
    who = int(target["unit"])
    unit = game["units"][who]
    note(dice, _E_TRIES, who, int(target["at"]))
    band = band_of(dice, unit_place(_SQUARE, unit), FACES, int(target["square_mask"]))
    result = int(target["square_band"][band])
    if result == _GOOD:
        target["kept"] = _KEPT_SQUARE
        unit["in_square"] = 1
        note(dice, _E_FORMED, who)
    else:
        target["kept"] = _KEPT_FAILED
        note(dice, _E_SQUARE_FAILED, who, result)
        if result == _DISORDERED:
            disorder(game, dice, who)
        else:
            unit["state"] = _PGD
    charge = game["charges"][int(target["charge"])]
    if charge["word"] != _UNDECIDED or not target["contact"] or target["left"]:
        target["fate"] = _BROKE_BEFORE if unit["state"] >= _PGD else _NO_CONTACT


@kernel
def retire(game: Any, dice: Any, t: int) -> None:
    """Retire before the charge, out of contact (HEX-SEQ-06); otherwise it has to stand."""
    target = game["targets"][t]
    who = int(target["unit"])
    unit = game["units"][who]
    where = unit_place(_RETIREMENT, unit)
    if successes(dice, where, 1, int(target["retire"]), int(target["retire_of"])) == 1:
        target["fate"] = _RETIRED
        note(dice, _E_RETIRES, who)
    else:
        note(dice, _E_CANNOT, who)


@kernel
def stand(game: Any, dice: Any, t: int) -> None:
    """Roll to stand; a square does not need to (HEX-SEQ-02), a PGD stack is broken (HEX-SEQ-05)."""
    target = game["targets"][t]
    who = int(target["unit"])
    unit = game["units"][who]
    if unit["state"] >= _PGD:
        target["fate"] = _BROKE_BEFORE
        note(dice, _E_BROKEN, who)
        return
    if unit["in_square"]:
        note(dice, _E_SQUARE_STANDS, who)
        return
    modifier = int(target["stand"])
    if unit["state"] == _DISORDERED:
        modifier += int(target["stand_disordered"])
    note(dice, _E_STAND, who)
    if morale_check(game, dice, unit_place(_STAND, unit), who, modifier):
        target["stood"] = _PASSED
        note(dice, _E_STANDS, who)
        return
    target["stood"] = _FAILED
    note(dice, _E_NOT, who)
    if target["fail"] == _DISORDERED:
        disorder(game, dice, who)
    else:
        unit["state"] = _PGD
    if unit["state"] >= _PGD:
        target["fate"] = _BROKE_BEFORE
        note(dice, _E_BROKEN, who)


@kernel
def defensive_fire(game: Any, dice: Any, t: int) -> None:
    """Fire of a stack that stands: the charger's melee value falls with its increments."""
    target = game["targets"][t]
    who = int(target["unit"])
    charger = int(game["charges"][int(target["charge"])]["charger"])
    where = unit_place(_FIRE, game["units"][who])
    lost = losses_of(dice, where, target["fire"], target["fire_of"])
    note(dice, _E_FIRE, who, charger, lost)
    lose(game, charger, lost)
