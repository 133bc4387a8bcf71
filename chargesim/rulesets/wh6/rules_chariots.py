"""Chariots on the charge: who touches, impact hits and their wounds."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_unit import place
from chargesim.rulesets.wh6.rules_wounds import suffer
from chargesim.rulesets.wh6.state import Arc, Place, UnitState, Word

_CONTACT, _FRONT, _FLANK = int(Word.CONTACT), int(Arc.FRONT), int(Arc.FLANK)
_STEADY, _DESTROYED = int(UnitState.STEADY), int(UnitState.DESTROYED)
_HITS, _SLAIN = int(Place.IMPACT_HITS), int(Place.IMPACT_SLAIN)
_IMPACT, _WOUNDS = int(Event.IMPACT_HITS), int(Event.IMPACT_WOUNDS)
_NOT_PLAYED = int(Event.FIGHT_NOT_PLAYED)
_SPARED, _WIPED_OUT = int(Event.CHAMPION_SPARED), int(Event.WIPED_OUT)


@kernel
def front_of(unit: Any, arc: int) -> int:
    """Width in mm of the side a unit shows: its front rank, or on a flank its ranks."""
    models = int(unit["models"])
    width = min(int(unit["width"]), models)
    if arc == _FLANK:
        return (models + width - 1) // width * int(unit["base"])
    return width * int(unit["base"])


@kernel
def models_in_contact(charger: Any, front: int) -> int:
    """Models of the front rank that touch an enemy front, corners included (WH6-CC-05).

    The fronts meet centre to centre.
    """
    width = min(int(charger["width"]), int(charger["models"]))
    base = int(charger["base"])
    touching = 0
    for i in range(width):
        if abs(2 * i + 1 - width) * base <= front + base:
            touching += 1
    return touching


@kernel
def impact_hits(game: Any, dice: Any, c: int) -> None:
    """Impact hits of the chariots in contact, before anybody strikes.

    Each chariot in contact rolls its own number (WH6-IMPACT-01, WH6-IMPACT-05) and hits with its
    own strength (WH6-IMPACT-06), on any side of the target, only when it charged and made contact
    (WH6-IMPACT-02). The champion is out of reach unless they are shared out like shooting
    (WH6-IMPACT-04). They open the fight: a target that fights a unit outside the game is not
    fought. Regeneration comes at the end of the fight (WH6-SPEC-01), after this.

    Also WH6-CHAR-11.
    """
    charge = game["charges"][c]
    charger = game["units"][int(charge["charger"])]
    number = int(charger["impact_dice"])
    plus = int(charger["impact_plus"])
    if charge["word"] != _CONTACT or (number == 0 and plus == 0):
        return
    who = int(charge["target"])
    target = game["units"][who]
    if target["engaged"] == 1:
        note(dice, _NOT_PLAYED, who)
        return
    chariots = models_in_contact(charger, front_of(target, int(charge["arc"])))
    hits = dice_sum(dice, place(_HITS, c), chariots * number, int(charger["impact_sides"]))
    hits += chariots * plus
    note(dice, _IMPACT, int(charge["charger"]), hits, chariots, int(charger["s"]))
    spared = 0
    if target["champion"] and target["models"] > 1 and not game["head"]["impact_like_shooting"]:
        spared = int(target["w"])
        note(dice, _SPARED, who)
    wounds, for_good = suffer(
        game, dice, place(_SLAIN, c), who, hits, 36, 0, int(charger["s"]), 0, False, True, spared
    )
    charge["impact_hits"] = hits
    charge["impact_wounds"] = wounds + for_good
    note(dice, _WOUNDS, who, int(charge["impact_wounds"]), int(target["models"]))
    if target["models"] == 0:
        target["state"] = _DESTROYED
        charger["state"] = _STEADY
        note(dice, _WIPED_OUT, who)
