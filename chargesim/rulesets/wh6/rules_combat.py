"""The combat round up to its result: who fights, in which order, and every blow (section 13)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note, successes
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_chariots import bull_charge, impact_hits
from chargesim.rulesets.wh6.rules_contact import (
    charger_strikers,
    has_charged,
    is_member,
    line_up,
    living_enemies,
    target_strikers,
)
from chargesim.rulesets.wh6.rules_shooting import can_be_slain
from chargesim.rulesets.wh6.rules_unit import has, is_chariot, keeps_native, place, unit_place
from chargesim.rulesets.wh6.rules_weapons import (
    CLASSES,
    INITIATIVES,
    attacks_of_rider,
    strike_level,
    weapon_piercing,
    weapon_strength,
)
from chargesim.rulesets.wh6.rules_wounds import regenerate, suffer
from chargesim.rulesets.wh6.state import (
    NO_SAVE,
    Kind,
    Place,
    Rule,
    Terrain,
    Troop,
    UnitPlace,
    UnitState,
    Won,
    Word,
)

_STANDING, _CONTACT = int(Kind.STANDING), int(Word.CONTACT)
_STEADY, _FIGHTING = int(UnitState.STEADY), int(UnitState.FIGHTING)
_UNDECIDED, _NOT_FOUGHT = int(Won.UNDECIDED), int(Won.NOT_FOUGHT)
_HATRED, _POISON, _DEADLY = int(Rule.HATRED), int(Rule.POISON), int(Rule.KILLING_BLOW)
_DEFENDED, _WAR_MACHINE = int(Terrain.DEFENDED), int(Troop.WAR_MACHINE)
_RIDERS, _STEEDS = int(Place.RIDERS_SLAIN), int(Place.STEEDS_SLAIN)
_TARGET_RIDERS, _TARGET_STEEDS = int(Place.TARGET_RIDERS_SLAIN), int(Place.TARGET_STEEDS_SLAIN)
_RIDERS_FIRST, _STEEDS_FIRST = int(UnitPlace.RIDERS_FIRST), int(UnitPlace.STEEDS_FIRST)
_REGENERATED = int(UnitPlace.REGENERATED)
_BEGINS, _NOT_PLAYED = int(Event.COMBAT_BEGINS), int(Event.FIGHT_NOT_PLAYED)
_STRIKES_FIRST, _STRIKES = int(Event.STRIKES_FIRST), int(Event.STRIKES)
_NOBODY, _TO_HIT = int(Event.NOBODY_STRIKES), int(Event.STRIKE_TO_HIT)
_SIXES, _HATES = int(Event.NEEDS_SIXES), int(Event.HATES)
_POISONED, _KILLING = int(Event.POISONED), int(Event.KILLING_BLOW)
_LOSSES = int(Event.STRIKE_LOSSES)
LEVELS = CLASSES * INITIATIVES
"""Strike levels; this number itself means that all have struck."""


@kernel
def enter_fight(game: Any, who: int) -> None:
    """Remember the models and wounds with which a unit begins to fight."""
    unit = game["units"][who]
    unit["mustered"] = unit["models"]
    unit["hurt"] = unit["damage"]


@kernel
def has_come(game: Any, c: int, who: int) -> bool:
    """True for a charge whose charger stands in contact with this target as the fight begins."""
    charge = game["charges"][c]
    there = charge["kind"] == _STANDING or charge["word"] == _CONTACT
    fights = game["units"][int(charge["charger"])]["state"] == _FIGHTING
    return bool(charge["target"] == who and there and fights)


@kernel
def muster(game: Any, dice: Any) -> None:
    """Find out which combats are fought, and by whom; leave the field to those who found nobody.

    A target that fights a unit outside the game is not fought: half of that fight is unknown.

    Also WH6-FEAR-07.
    """
    for who in range(int(game["head"]["units"])):
        game["units"][who]["tested"] = 0
    for f in range(int(game["head"]["combats"])):
        combat = game["combats"][f]
        who = int(combat["target"])
        target = game["units"][who]
        if target["state"] != _FIGHTING:
            continue
        if target["engaged"] == 1:
            note(dice, _NOT_PLAYED, who)
            continue
        charges = int(game["head"]["charges"])
        for c in range(charges):
            if has_come(game, c, who) and game["charges"][c]["kind"] != _STANDING:
                combat["won"] = _UNDECIDED
        if combat["won"] == _UNDECIDED:
            for c in range(charges):
                if has_come(game, c, who):
                    enter_fight(game, int(game["charges"][c]["charger"]))
            enter_fight(game, who)
            line_up(game, f)
            note(dice, _BEGINS, who, int(target["models"]))
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        charger = game["units"][int(charge["charger"])]
        target = game["units"][int(charge["target"])]
        if charge["kind"] == _STANDING:
            # its enemy has fled: it may neither pursue nor charge this turn (WH6-FEAR-07)
            if target["state"] != _FIGHTING and charger["state"] == _FIGHTING:
                charger["state"] = _STEADY
            continue
        if charge["made"] == 0 or charge["word"] != _CONTACT:
            continue
        unplayed = target["engaged"] == 1 and target["state"] == _FIGHTING
        if charger["mustered"] == 0 and charger["state"] == _FIGHTING and not unplayed:
            charger["state"] = _STEADY
        if target["mustered"] == 0 and target["state"] == _FIGHTING and not target["engaged"]:
            target["state"] = _STEADY


@kernel
def first_fight(game: Any, after: int) -> int:
    """Number of the next combat that is fought, from ``after`` on; past the last: none."""
    combats = int(game["head"]["combats"])
    for f in range(after, combats):
        if game["combats"][f]["won"] != _NOT_FOUGHT:
            return f
    return combats


@kernel
def impact(game: Any, dice: Any, f: int) -> None:
    """Whatever strikes before all blows, in order of declaration (WH6-CC-03, WH6-IMPACT-02)."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            impact_hits(game, dice, c)
            bull_charge(game, dice, c)
            game["charges"][c]["gap"] = 0


@kernel
def next_level(game: Any, f: int, after: int) -> int:
    """Lowest strike level, from ``after`` on, at which somebody of a combat strikes."""
    who = int(game["combats"][f]["target"])
    target = game["units"][who]
    found = LEVELS
    for steeds in (False, True):
        if target["steeds"] if steeds else target["riders"]:
            level = strike_level(target, False, steeds)
            if after <= level < found:
                found = level
        for c in range(int(game["head"]["charges"])):
            if is_member(game, c, who):
                unit = game["units"][int(game["charges"][c]["charger"])]
                if unit["steeds"] if steeds else unit["riders"]:
                    level = strike_level(unit, has_charged(game, c), steeds)
                    if after <= level < found:
                        found = level
    return found


@kernel
def strike_at_level(game: Any, dice: Any, f: int, level: int) -> None:
    """Everybody of one class and Initiative strikes (WH6-CC-03).

    Where both sides do, they roll off; never at the same time.
    """
    who = int(game["combats"][f]["target"])
    target = game["units"][who]
    target_riders = target["riders"] > 0 and strike_level(target, False, False) == level
    target_steeds = target["steeds"] > 0 and strike_level(target, False, True) == level
    target_first = False
    if (target_riders or target_steeds) and active_at_level(game, f, level):
        name = _RIDERS_FIRST if target_riders else _STEEDS_FIRST
        target_first = successes(dice, unit_place(name, target), 1, 1, 2) == 1
        note(dice, _STRIKES_FIRST, who, int(target_first))
    for turn in range(2):
        if target_first == (turn == 0):
            if target_riders:
                target_strikes(game, dice, f, False)
            if target_steeds:
                target_strikes(game, dice, f, True)
        else:
            for c in range(int(game["head"]["charges"])):
                if is_member(game, c, who):
                    charger_strikes(game, dice, c, level)


@kernel
def target_strikes(game: Any, dice: Any, f: int, steeds: bool) -> None:
    """Blows of the target on all its enemies, dealt out as these stand before the first falls."""
    who = int(game["combats"][f]["target"])
    facing = living_enemies(game, who)
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            strike(game, dice, c, True, steeds, facing)


@kernel
def charger_strikes(game: Any, dice: Any, c: int, level: int) -> None:
    """Blows of one charger that fall on a level."""
    unit = game["units"][int(game["charges"][c]["charger"])]
    charging = has_charged(game, c)
    if unit["riders"] and strike_level(unit, charging, False) == level:
        strike(game, dice, c, False, False, 0)
    if unit["steeds"] and strike_level(unit, charging, True) == level:
        strike(game, dice, c, False, True, 0)


@kernel
def active_at_level(game: Any, f: int, level: int) -> bool:
    """True when somebody of the charging side strikes at a level."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            unit = game["units"][int(game["charges"][c]["charger"])]
            charging = has_charged(game, c)
            if unit["riders"] and strike_level(unit, charging, False) == level:
                return True
            if unit["steeds"] and strike_level(unit, charging, True) == level:
                return True
    return False


@kernel
def to_hit_in_combat(ws: int, against: int) -> int:
    """Target number of a blow: 3+ on lower WS, 5+ on more than twice one's own, else 4+.

    WH6-CC-01.
    """
    if ws > against:
        return 3
    return 5 if against > 2 * ws else 4


@kernel
def needs_sixes(game: Any, c: int, by_target: bool) -> bool:
    """True for who failed its Fear (WH6-FEAR-01), or attacks a defended obstacle (WH6-CC-08)."""
    charge = game["charges"][c]
    if by_target:
        return bool(charge["sixes"] == 1)
    return bool(charge["terrain"] == _DEFENDED)


@kernel
def is_first_round(game: Any, c: int, by_target: bool) -> bool:
    """True in a unit's own first round of a combat."""
    if by_target:
        return bool(game["units"][int(game["charges"][c]["target"])]["engaged"] == 0)
    return has_charged(game, c)


@kernel
def blows(game: Any, c: int, by_target: bool, steeds: bool, facing: int) -> int:
    """Attacks of a unit's riders or steeds on one enemy; a champion has one more (WH6-CC-07)."""
    charge = game["charges"][c]
    unit = game["units"][int(charge["target"] if by_target else charge["charger"])]
    if by_target:
        strikers = target_strikers(game, c, steeds, facing)
    else:
        strikers = charger_strikers(game, c, steeds)
    if steeds:
        return strikers * int(unit["steeds"]) * int(unit["steed_a"])
    attacks = strikers * int(unit["riders"]) * attacks_of_rider(unit)
    if unit["champion"] and strikers > 0 and leads_here(game, c, by_target, facing):
        attacks += 1
    return attacks


@kernel
def leads_here(game: Any, c: int, by_target: bool, facing: int) -> bool:
    """True for the first enemy that a unit strikes at: its champion is there."""
    if not by_target:
        return True
    for k in range(c):
        living = is_member(game, k, int(game["charges"][c]["target"])) and (facing >> k) & 1
        if living and target_strikers(game, k, False, facing) > 0:
            return False
    return True


@kernel
def strike(game: Any, dice: Any, c: int, by_target: bool, steeds: bool, facing: int) -> None:
    """Blows of riders or steeds of one unit on one enemy: hits, wounds, saves (WH6-CC-01).

    Steeds use neither their rider's weapon nor his killing blow or poison. Hatred re-rolls misses
    in the first round (WH6-HATE-01); a natural 6 poisons or slays (WH6-SPEC-04, WH6-SPEC-03).

    Also WH6-CC-02, WH6-CC-09, WH6-CHAR-04.
    """
    charge = game["charges"][c]
    who = int(charge["target"] if by_target else charge["charger"])
    at = int(charge["charger"] if by_target else charge["target"])
    unit = game["units"][who]
    enemy = game["units"][at]
    if unit["models"] == 0 or enemy["models"] == 0:
        return
    number = blows(game, c, by_target, steeds, facing)
    if number == 0:
        note(dice, _NOBODY, who, at, int(steeds))
        return
    note(dice, _STRIKES, who, at, number, int(steeds))
    first_round = is_first_round(game, c, by_target)
    charging = has_charged(game, c) and not by_target
    ws = int(unit["steed_ws"] if steeds else unit["ws"])
    need = to_hit_in_combat(ws, int(enemy["ws"]))
    if needs_sixes(game, c, by_target):
        need = 6
        note(dice, _SIXES, who, at)
    hits = 6 * (7 - need)
    six = 6
    note(
        dice, _TO_HIT, who, need, int(unit["steed_ws"] if steeds else unit["ws"]), int(enemy["ws"])
    )
    if has(unit, _HATRED) and first_round and keeps_native(game, unit):
        six = 6 + need - 1
        hits = (7 - need) * (5 + need)
        note(dice, _HATES, who)
    straight = 0
    venom = has(unit, _POISON) and not steeds
    if venom and not is_chariot(enemy) and enemy["troop"] != _WAR_MACHINE:
        straight = six
        note(dice, _POISONED, who)
    slaying = has(unit, _DEADLY) and not steeds and can_be_slain(enemy)
    if slaying:
        note(dice, _KILLING, who)
    if steeds:
        name = _TARGET_STEEDS if by_target else _STEEDS
        strength = int(unit["steed_s"])
        piercing = 0
    else:
        name = _TARGET_RIDERS if by_target else _RIDERS
        strength = weapon_strength(unit, charging, first_round)
        piercing = weapon_piercing(unit, first_round)
    before = int(enemy["models"])
    wounds, for_good = suffer(
        game,
        dice,
        place(name, charge),
        at,
        number,
        hits - straight,
        straight,
        strength,
        piercing,
        slaying,
        True,
        0,
    )
    if enemy["regeneration"] < NO_SAVE:
        enemy["regenerable"] += wounds
    note(dice, _LOSSES, at, wounds + for_good, before - int(enemy["models"]), int(enemy["models"]))


@kernel
def regenerate_all(game: Any, dice: Any, f: int) -> None:
    """Regeneration of everybody in a combat, when all blows are struck (WH6-SPEC-01)."""
    who = int(game["combats"][f]["target"])
    regenerate_one(game, dice, who)
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            regenerate_one(game, dice, int(game["charges"][c]["charger"]))


@kernel
def regenerate_one(game: Any, dice: Any, who: int) -> None:
    """Regain what one unit can of the wounds of the round."""
    unit = game["units"][who]
    wounds = int(unit["regenerable"])
    unit["regenerable"] = 0
    if wounds > 0:
        regenerate(game, dice, unit_place(_REGENERATED, unit), who, wounds)
