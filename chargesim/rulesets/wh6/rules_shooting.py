"""Stand and shoot: who shoots, how many, at what, and what it does."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_charge import exists, failed_move, sees
from chargesim.rulesets.wh6.rules_psychology import panic_from_shooting
from chargesim.rulesets.wh6.rules_unit import has, is_chariot, place
from chargesim.rulesets.wh6.rules_wounds import regenerate, suffer
from chargesim.rulesets.wh6.state import Cover, Dread, Hill, Place, Reaction, Rule, Troop

_SHOOT, _DREAD_NONE = int(Reaction.STAND_AND_SHOOT), int(Dread.NONE)
_LARGE, _SKIRMISHERS = int(Rule.LARGE_TARGET), int(Rule.SKIRMISHERS)
_POISON, _KILLING_BLOW = int(Rule.POISON), int(Rule.KILLING_BLOW)
_INFANTRY, _CAVALRY, _FLYER = int(Troop.INFANTRY), int(Troop.CAVALRY), int(Troop.FLYER)
_WAR_MACHINE = int(Troop.WAR_MACHINE)
_SOFT, _HARD = int(Cover.SOFT), int(Cover.HARD)
_TARGET_HILL = int(Hill.TARGET)
_SLAIN, _REGENERATED = int(Place.SHOTS_SLAIN), int(Place.SHOTS_REGENERATED)

_SHOOTS, _BEYOND, _NO_TARGET = int(Event.SHOOTS), int(Event.BEYOND_RANGE), int(Event.NO_TARGET)
_NOT_IN_RANGE, _BALLISTIC = int(Event.STAYS_OUT_OF_RANGE), int(Event.BALLISTIC_SKILL)
_MOD_STAND, _MOD_LONG = int(Event.MOD_STAND_AND_SHOOT), int(Event.MOD_LONG_RANGE)
_MOD_LARGE, _MOD_SINGLE = int(Event.MOD_LARGE_TARGET), int(Event.MOD_SINGLE_OR_SKIRMISHERS)
_MOD_COVER, _MOD_MULTIPLE = int(Event.MOD_COVER), int(Event.MOD_MULTIPLE_SHOTS)
_TO_HIT, _CANNOT_HIT = int(Event.TO_HIT), int(Event.CANNOT_HIT)
_POISONED, _DEADLY = int(Event.POISONED), int(Event.KILLING_BLOW)
_LOSSES = int(Event.SHOOTING_LOSSES)


@kernel
def shots_of_a_model(unit: Any, gap: int) -> int:
    """Shots a model fires; a sling two up to half of its range (WH6-MW-sling)."""
    within = int(unit["double_within"])
    if within > 0:
        return 2 if gap <= within else 1
    return int(unit["shots"])


@kernel
def shooters(game: Any, c: int, who: int, at: int) -> int:
    """Models that shoot: the front rank, all at a large target (WH6-SHOOT-04), or as given.

    Two ranks shoot from higher ground.
    """
    unit = game["units"][who]
    models = int(unit["models"])
    if unit["shooters"] >= 0:
        return min(int(unit["shooters"]), models)
    if has(game["units"][at], _LARGE):
        return models
    ranks = 2 if game["charges"][c]["hill"] == _TARGET_HILL else 1
    return min(ranks * int(unit["width"]), models)


@kernel
def to_hit(game: Any, dice: Any, c: int, shots: int) -> int:
    """Target number of a shot at the charger, all modifiers counted (WH6-SHOOT-01, WH6-SHOOT-02).

    Standing and shooting costs 1 on top of all others (WH6-SS-05). Beyond its range the weapon
    shoots as at full range (WH6-SS-04). Thrown weapons suffer nothing at long range.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    unit = game["units"][who]
    at = int(charge["charger"])
    charger = game["units"][at]
    gap = int(charge["gap"])
    need = 7 - int(unit["bs"])
    note(dice, _BALLISTIC, who, int(unit["bs"]), need)
    need += 1
    note(dice, _MOD_STAND, who, -1)
    if 2 * gap > unit["missile_range"] and not unit["thrown"]:
        need += 1
        note(dice, _MOD_LONG, who, -1, gap, int(unit["missile_range"]))
    if shots > 1:
        need += 1
        note(dice, _MOD_MULTIPLE, who, -1, shots)
    if has(charger, _LARGE):
        need -= 1
        note(dice, _MOD_LARGE, at, 1)
    if is_hard_to_hit(charger):
        need += 1
        note(dice, _MOD_SINGLE, at, -1)
    cover = int(charge["cover"])
    if cover == _SOFT or cover == _HARD:
        need += cover
        note(dice, _MOD_COVER, at, -cover, cover)
    return need


@kernel
def is_hard_to_hit(unit: Any) -> bool:
    """True for skirmishers and for a single man-sized model on foot (WH6-SHOOT-02)."""
    if has(unit, _SKIRMISHERS):
        return True
    return unit["start"] == 1 and unit["troop"] == _INFANTRY and not has(unit, _LARGE)


@kernel
def hit_chance(need: int) -> int:
    """Chance to hit in 36ths: 7+ is a 6 and then 4+, 8+ and 9+ alike, 10+ never (WH6-SHOOT-03)."""
    if need <= 6:
        return 6 * (7 - max(need, 2))
    return max(10 - need, 0)


@kernel
def can_be_slain(unit: Any) -> bool:
    """True for the man-sized and for riders, whom a Killing Blow slays (WH6-SPEC-03)."""
    troop = int(unit["troop"])
    return troop == _INFANTRY or troop == _CAVALRY or troop == _FLYER


@kernel
def shoots(game: Any, dice: Any, c: int) -> bool:
    """Say whether the target shoots at this charger, all tests taken (WH6-SS-06, WH6-SS-10).

    Not at a charger that failed its own test: there is no charge. At one that falls short it
    shoots, or by the switch only when the failed charge ends within range. A unit shoots at one
    charger alone: the one its owner named, or the first in sight that still comes (WH6-SS-02).

    Also WH6-SS-08.
    """
    charge = game["charges"][c]
    who = int(charge["target"])
    if not exists(game, c) or charge["reaction"] != _SHOOT or game["units"][who]["flees"]:
        return False
    if game["units"][who]["flight"] > 0 or not sees(game, c):
        return False
    if charge["refusal"] != _DREAD_NONE:
        note(dice, _NO_TARGET, who, int(charge["charger"]))
        return False
    for k in range(c):
        other = game["charges"][k]
        if other["target"] == who and exists(game, k) and sees(game, k):
            if other["refusal"] == _DREAD_NONE:
                return False
    if not charge["in_reach"] and game["head"]["shoot_in_range"]:
        gap = int(charge["gap"])
        left = gap - failed_move(game, c, gap)
        if left > game["units"][who]["missile_range"]:
            note(dice, _NOT_IN_RANGE, who, left, int(game["units"][who]["missile_range"]))
            return False
    return True


@kernel
def stand_and_shoot(game: Any, dice: Any, c: int) -> None:
    """Shoot at a charger where it stands, take off its losses, and test its nerve (WH6-SS-07).

    Also WH6-SPEC-04, WH6-CHAR-09.
    """
    if not shoots(game, dice, c):
        return
    charge = game["charges"][c]
    who = int(charge["target"])
    at = int(charge["charger"])
    unit = game["units"][who]
    charger = game["units"][at]
    gap = int(charge["gap"])
    if gap > unit["missile_range"]:
        note(dice, _BEYOND, who, gap, int(unit["missile_range"]))
    each = shots_of_a_model(unit, gap)
    shots = shooters(game, c, who, at) * each
    note(dice, _SHOOTS, who, at, shots)
    need = to_hit(game, dice, c, each)
    hits = hit_chance(need)
    note(dice, _TO_HIT if hits else _CANNOT_HIT, who, need)
    straight = 0
    venom = int(unit["shot_rules"]) & _POISON
    if venom and need <= 6 and not is_chariot(charger) and charger["troop"] != _WAR_MACHINE:
        straight = 6
        note(dice, _POISONED, who)
    slaying = (int(unit["shot_rules"]) & _KILLING_BLOW) != 0 and can_be_slain(charger)
    if slaying:
        note(dice, _DEADLY, who)
    before = int(charger["models"])
    wounds, _ = suffer(
        game,
        dice,
        place(_SLAIN, charge),
        at,
        shots,
        hits - straight,
        straight,
        int(unit["missile_s"]),
        int(unit["armour_piercing"]),
        slaying,
        False,
        0,
    )
    regenerate(game, dice, place(_REGENERATED, charge), at, wounds)
    lost = before - int(charger["models"])
    charge["shot_down"] = lost
    note(dice, _LOSSES, at, lost, int(charger["models"]))
    panic_from_shooting(game, dice, c, lost)
