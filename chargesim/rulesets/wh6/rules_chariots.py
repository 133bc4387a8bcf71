"""What strikes before all blows: impact hits of chariots and ogres; ground that hurts chariots."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import dice_sum, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_contact import in_rank
from chargesim.rulesets.wh6.rules_unit import front_rank, has, is_chariot, place
from chargesim.rulesets.wh6.rules_wounds import regenerate, suffer
from chargesim.rulesets.wh6.state import (
    LENGTH,
    NO_SAVE,
    Kind,
    Place,
    Rule,
    Terrain,
    Troop,
    UnitState,
    Word,
)

_OPEN, _COMPULSORY, _STANDING = int(Terrain.OPEN), int(Kind.COMPULSORY), int(Kind.STANDING)
_DESTROYED, _OGRE, _BULL = int(UnitState.DESTROYED), int(Troop.OGRE), int(Rule.BULL_CHARGE)
_HITS, _SLAIN, _DEEP = int(Place.IMPACT_HITS), int(Place.IMPACT_SLAIN), int(Place.DEEP_SLAIN)
_GROUND_REGENERATED, _REDIRECTED = (
    int(Place.GROUND_REGENERATED),
    int(Word.REDIRECTED_CONTACT),
)
_GROUND, _GROUND_SLAIN = int(Place.GROUND_HITS), int(Place.GROUND_SLAIN)
_IMPACT, _WOUNDS = int(Event.IMPACT_HITS), int(Event.IMPACT_WOUNDS)
_SPARED, _GROUND_TOLD = int(Event.CHAMPION_SPARED), int(Event.GROUND_HITS)
_BULL_TOLD, _LOSSES = int(Event.BULL_CHARGE), int(Event.STRIKE_LOSSES)


@kernel
def rough_ground(game: Any, dice: Any, c: int) -> None:
    """Ground that a chariot was forced through strikes it with D6 hits of S 6 (WH6-CHAR-02)."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    unit = game["units"][who]
    if charge["kind"] != _COMPULSORY or charge["terrain"] == _OPEN or not is_chariot(unit):
        return
    if not charge["in_reach"] or charge["word"] == _REDIRECTED:
        return
    if unit["models"] == 0 or unit["flees"] or unit["flight"] > 0:
        return
    hits = dice_sum(dice, place(_GROUND, charge), int(unit["models"]), 6)
    note(dice, _GROUND_TOLD, who, hits)
    before = int(unit["models"])
    wounds, for_good = suffer(
        game, dice, place(_GROUND_SLAIN, charge), who, hits, 36, 0, 6, 0, False, True, 0
    )
    regenerate(game, dice, place(_GROUND_REGENERATED, charge), who, wounds)
    left = int(unit["models"])
    note(dice, _LOSSES, who, wounds + for_good, before - left, left)
    if unit["models"] == 0:
        unit["state"] = _DESTROYED


@kernel
def spared_by_impact(game: Any, dice: Any, who: int) -> int:
    """Wounds of a champion, whom impact hits do not reach (WH6-IMPACT-04)."""
    unit = game["units"][who]
    if unit["champion"] and unit["mustered"] > 1 and not game["head"]["impact_like_shooting"]:
        note(dice, _SPARED, who)
        return int(unit["w"])
    return 0


@kernel
def crash(game: Any, dice: Any, c: int, where: int, hits: int, strength: int) -> int:
    """Wounds of automatic hits before the fight; they count for it (WH6-IMPACT-02)."""
    if hits == 0:
        return 0
    who = int(game["charges"][c]["target"])
    spared = spared_by_impact(game, dice, who)
    wounds, for_good = suffer(game, dice, where, who, hits, 36, 0, strength, 0, False, True, spared)
    if game["units"][who]["regeneration"] < NO_SAVE:
        game["units"][who]["regenerable"] += wounds
    return wounds + for_good


@kernel
def impact_hits(game: Any, dice: Any, c: int) -> None:
    """Impact hits of the chariots in contact, before anybody strikes.

    Each chariot in contact rolls its own number (WH6-IMPACT-01, WH6-IMPACT-05) and hits with its
    own strength (WH6-IMPACT-06), on any side of the target, only when it charged and made contact
    (WH6-IMPACT-02).

    Also WH6-CHAR-11.
    """
    charge = game["charges"][c]
    charger = game["units"][int(charge["charger"])]
    number = int(charger["impact_dice"])
    plus = int(charger["impact_plus"])
    if charge["kind"] == _STANDING or (number == 0 and plus == 0):
        return
    chariots = min(int(charge["touching"]), int(charger["models"]))
    hits = dice_sum(dice, place(_HITS, charge), chariots * number, int(charger["impact_sides"]))
    hits += chariots * plus
    note(dice, _IMPACT, int(charge["charger"]), hits, chariots, int(charger["s"]))
    charge["impact_hits"] = hits
    charge["impact_wounds"] = crash(game, dice, c, place(_SLAIN, charge), hits, int(charger["s"]))
    who = int(charge["target"])
    note(dice, _WOUNDS, who, int(charge["impact_wounds"]), int(game["units"][who]["models"]))


@kernel
def bull_run(game: Any) -> int:
    """Run-up that a bull charge needs: 6 inches or 15 cm."""
    return 6 * LENGTH if game["head"]["inches"] else 15 * LENGTH


@kernel
def bull_charge(game: Any, dice: Any, c: int) -> None:
    """A hit for each ogre in contact, stronger by one for each directly behind (WH6-IMPACT-07).

    Only for three and more that charged over 6 inches or 15 cm.
    """
    charge = game["charges"][c]
    unit = game["units"][int(charge["charger"])]
    if not has(unit, _BULL) or unit["troop"] != _OGRE or charge["kind"] == _STANDING:
        return
    if unit["mustered"] < 3 or charge["gap"] < bull_run(game):
        return
    touching = int(charge["touching"])
    width = front_rank(unit, int(unit["mustered"]))
    behind = int(unit["mustered"]) // width - 1  # ogres behind each file, complete ranks alone
    deep = min(touching, in_rank(unit, behind + 2))  # files with one more
    shallow = touching - deep
    strength = min(int(unit["s"]) + behind, 10)
    note(dice, _BULL_TOLD, int(charge["charger"]), touching, strength)
    wounds = crash(game, dice, c, place(_SLAIN, charge), shallow, strength)
    wounds += crash(game, dice, c, place(_DEEP, charge), deep, min(strength + 1, 10))
    charge["impact_hits"] = touching
    charge["impact_wounds"] = wounds
    who = int(charge["target"])
    note(dice, _WOUNDS, who, wounds, int(game["units"][who]["models"]))
