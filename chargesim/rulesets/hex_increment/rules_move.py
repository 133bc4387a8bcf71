"""The charge's own move: declaration, opportunity fire, changes of width, and how the move ends.

Where it may go, and what it meets there, is settled before any dice by :mod:`.zone` and
:mod:`.setup`; the record holds the outcome.
"""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.rules_unit import (
    disorder,
    lose,
    losses_of,
    morale_check,
    place,
    unit_place,
)
from chargesim.rulesets.hex_increment.state import (
    Fate,
    Named,
    Place,
    Reaction,
    State,
    UnitPlace,
    Word,
)

_CHANGE, _SHOTS = int(Place.CHANGE), int(UnitPlace.OPPORTUNITY_FIRE)
_UNDECIDED, _CHECK_FAILED = int(Word.UNDECIDED), int(Word.CHECK_FAILED)
_GENERAL_ORDER, _NO_TARGET = int(Word.GENERAL_ORDER), int(Word.NO_TARGET)
_NO_CONTACT = int(Fate.NO_CONTACT)
_DISORDERED, _PGD = int(State.DISORDERED), int(State.PGD)
_SQUARE = int(Reaction.SQUARE)
_AT_START, _AT_TWO, _IN_CONTACT = (
    int(Named.AT_THE_START),
    int(Named.AT_TWO_HEXES),
    int(Named.IN_CONTACT),
)
_E_ILLUSTRATIVE, _E_WARNED = int(Event.ILLUSTRATIVE), int(Event.WARNED)
_E_DECLARED, _E_REACTS = int(Event.DECLARED), int(Event.REACTS)
_E_NO_SQUARE, _E_NO_RETIREMENT = int(Event.NO_SQUARE), int(Event.NO_RETIREMENT)
_E_NO_FIRE, _E_FIRE = int(Event.NO_OPPORTUNITY_FIRE), int(Event.OPPORTUNITY_FIRE)
_E_AT_START, _E_AT_TWO = int(Event.NAMED_AT_START), int(Event.NAMED_AT_TWO)
_E_NAMED_IN_CONTACT, _E_CONTACT = int(Event.NAMED_IN_CONTACT), int(Event.IN_CONTACT)
_E_CHANGES, _E_CHANGED = int(Event.CHANGES), int(Event.CHANGED)
_E_CHECK_FAILED, _E_TIRED, _E_MOVED = (
    int(Event.CHECK_FAILED),
    int(Event.TIRED),
    int(Event.MOVED),
)
_E_TURNS, _E_TURNS_AWAY = int(Event.TURNS), int(Event.TURNS_AWAY)
_E_MIXED, _E_GENERAL_ORDER = int(Event.MIXED), int(Event.GENERAL_ORDER)
_E_NO_TARGET, _E_MISSED, _E_HEAD = (
    int(Event.NO_TARGET),
    int(Event.MISSED),
    int(Event.HEAD_HEX),
)


@kernel
def declaration(game: Any, dice: Any, c: int) -> None:
    """Declare: the marker is placed and the zone fixed (HEX-ZONE-01, HEX-SEQ-01)."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    if c == 0 and game["head"]["illustrative"]:
        note(dice, _E_ILLUSTRATIVE, who)
    if c == 0 and game["head"]["warned"]:
        note(dice, _E_WARNED, who)
    note(dice, _E_DECLARED, who, c, int(charge["hexes"]))
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        target = game["targets"][t]
        name = int(target["unit"])
        wish = int(target["wish"])
        if wish != target["reaction"]:
            note(dice, _E_NO_SQUARE if wish == _SQUARE else _E_NO_RETIREMENT, name)
        else:
            note(dice, _E_REACTS, name, wish, int(target["at"]))


@kernel
def opportunity_fire(game: Any, dice: Any, c: int) -> None:
    """Fire at the moving charger; not by stacks next to it at the start (HEX-TGT-11)."""
    charge = game["charges"][c]
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        target = game["targets"][t]
        if target["shots"][0] > 0:
            name = int(target["unit"])
            if target["adjacent"]:
                note(dice, _E_NO_FIRE, name)
            else:
                where = unit_place(_SHOTS, game["units"][name])
                lost = losses_of(dice, where, target["shots"], target["shots_of"])
                note(dice, _E_FIRE, name, int(charge["charger"]), lost)
                lose(game, int(charge["charger"]), lost)


@kernel
def change_width(game: Any, dice: Any, c: int) -> bool:
    """Morale check after each hex of extension or consolidation (HEX-EXP-02).

    A failure ends the charge and disorders the unit (HEX-EXP-03). At most one change a hex moved.
    """
    charge = game["charges"][c]
    who = int(charge["charger"])
    for i in range(int(charge["changes"])):
        note(dice, _E_CHANGES, who, c, i)
        if not morale_check(game, dice, place(_CHANGE, charge) + i, who, 0):
            charge["steps"] = i + 1
            charge["word"] = _CHECK_FAILED
            note(dice, _E_CHECK_FAILED, who)
            disorder(game, dice, who)
            return False
        note(dice, _E_CHANGED, who, c, i)
    return True


@kernel
def mark_tired(game: Any, dice: Any, c: int) -> None:
    """Mark the charger tired for having charged, whatever came of it (HEX-EXP-04)."""
    charge = game["charges"][c]
    charge["tired"] = 1
    note(dice, _E_TIRED, int(charge["charger"]))


@kernel
def name_targets(game: Any, dice: Any, c: int) -> None:
    """Say who is a target: at two hexes with a line of sight (HEX-TGT-03), or at the start.

    Foot and guns one or two hexes away are named before the first step (HEX-TGT-05).
    """
    charge = game["charges"][c]
    who = int(charge["charger"])
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        named = int(game["targets"][t]["named"])
        name = int(game["targets"][t]["unit"])
        if named == _AT_START:
            note(dice, _E_AT_START, who, name)
        elif named == _AT_TWO:
            note(dice, _E_AT_TWO, who, name)
        elif named == _IN_CONTACT:
            note(dice, _E_NAMED_IN_CONTACT, who, name)


@kernel
def end_move(game: Any, dice: Any, c: int) -> None:
    """How the move ends: in contact, or without (HEX-TGT-06, HEX-TGT-07).

    Terrain that puts cavalry in General Order (HEX-TERR-01) ends the charge (HEX-TERR-03).
    """
    charge = game["charges"][c]
    who = int(charge["charger"])
    charge["steps"] = charge["planned"]
    note(dice, _E_MOVED, who, int(charge["planned"]), int(charge["spent"]))
    name_targets(game, dice, c)
    end = int(charge["end"])
    charge["word"] = end
    if end == _GENERAL_ORDER:
        note(dice, _E_GENERAL_ORDER, who)
    elif end == _NO_TARGET:
        note(dice, _E_NO_TARGET, who)
    elif end != _UNDECIDED:
        note(dice, _E_MISSED, who)
    if charge["end_disorders"]:
        disorder(game, dice, who)
        consolidate_in_head(game, dice, c)


@kernel
def consolidate_in_head(game: Any, dice: Any, c: int) -> None:
    """A column that charges and becomes disordered or PGD ends in its head hex (HEX-COL-11).

    One that was disordered before, and has become no worse, stays as it is.
    """
    charge = game["charges"][c]
    state = int(game["units"][int(charge["charger"])]["state"])
    worse = state > charge["state"] and (state == _DISORDERED or state == _PGD)
    if charge["company"] and charge["hexes"] > 1 and worse:
        charge["head_hex"] = 1
        note(dice, _E_HEAD, int(charge["charger"]))


@kernel
def stays_away(charge: Any, target: Any) -> bool:
    """True when a charger that is not to fight a stack never came near enough for its square."""
    return bool(target["reaction"] != _SQUARE or charge["steps"] < target["square_step"])


@kernel
def turn_to_face(game: Any, dice: Any, t: int) -> None:
    """A charger that is charged in turn turns to face the cavalry that reacts (HEX-FORM-03).

    What its front no longer touches it does not fight. With nothing left there it has contacted no
    target, and its charge ends (HEX-TGT-06).
    """
    target = game["targets"][t]
    who = int(target["unit"])
    if target["turns"]:
        note(dice, _E_TURNS, who, int(game["charges"][int(target["charge"])]["charger"]))
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["charger"] == who and charge["word"] == _UNDECIDED:
            kept = 0
            first = int(charge["first"])
            for s in range(first, first + int(charge["targets"])):
                other = game["targets"][s]
                if other["left"]:
                    note(dice, _E_TURNS_AWAY, who, int(other["unit"]))
                    if stays_away(charge, other):
                        other["fate"] = _NO_CONTACT
                elif other["contact"]:
                    kept += 1
            if kept == 0:
                charge["word"] = _NO_TARGET
                note(dice, _E_NO_TARGET, who)


@kernel
def move(game: Any, dice: Any, c: int) -> None:
    """Move the charger through its zone as far as it means to go (HEX-ZONE-03)."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    opportunity_fire(game, dice, c)
    if change_width(game, dice, c):
        end_move(game, dice, c)
    mark_tired(game, dice, c)
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        target = game["targets"][t]
        met = charge["word"] == _UNDECIDED and target["contact"] == 1
        if met:
            note(dice, _E_CONTACT, who, int(target["unit"]))
            if charge["answers"]:
                turn_to_face(game, dice, t)
        else:
            if target["mixed"]:
                note(dice, _E_MIXED, who, int(target["unit"]))
            if stays_away(charge, target):
                target["fate"] = _NO_CONTACT
