"""The result of a combat: wounds and bonuses of either side (section 14)."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.rules_charge import flies
from chargesim.rulesets.wh6.rules_contact import is_member
from chargesim.rulesets.wh6.rules_unit import extra_ranks, strength_of, unit_strength
from chargesim.rulesets.wh6.state import Arc, Hill, Won

_FRONT, _FLANK = int(Arc.FRONT), int(Arc.FLANK)
_CHARGER_HILL, _TARGET_HILL = int(Hill.CHARGER), int(Hill.TARGET)
_ACTIVE_WON, _DRAW, _REACTIVE_WON = int(Won.ACTIVE), int(Won.DRAW), int(Won.REACTIVE)
_WOUNDS, _RANKS = int(Event.SCORE_WOUNDS), int(Event.SCORE_RANKS)
_SCORE_FLANK, _SCORE_REAR = int(Event.SCORE_FLANK), int(Event.SCORE_REAR)
_OUTNUMBER, _STANDARD = int(Event.SCORE_OUTNUMBER), int(Event.SCORE_STANDARD)
_BONUS, _HIGH = int(Event.SCORE_BONUS), int(Event.SCORE_HIGH_GROUND)
_DENIED = int(Event.RANKS_DENIED)
_MUSICIAN, _SCORE = int(Event.SCORE_MUSICIAN), int(Event.SCORE)


@kernel
def wounds_lost(game: Any, who: int) -> int:
    """Wounds that a unit lost in the round, no more than it had (WH6-CR-01)."""
    unit = game["units"][who]
    return int(unit["damage"]) - int(unit["hurt"])


@kernel
def is_outflanked(game: Any, f: int) -> bool:
    """True when a flank or rear charger of unit strength 5 denies the target its ranks.

    As it stood when the round began (WH6-CR-03, WH6-CR-10).
    """
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if is_member(game, c, who) and charge["arc"] != _FRONT:
            charger = game["units"][int(charge["charger"])]
            if strength_of(game, charger, int(charger["mustered"])) >= 5:
                return True
    return False


@kernel
def flank_and_rear(game: Any, f: int) -> int:
    """1 for the flank, 2 for the rear, by unit strength 5 at the end (WH6-CR-07)."""
    who = int(game["combats"][f]["target"])
    flank, rear = 0, 0
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if is_member(game, c, who) and unit_strength(game, int(charge["charger"])) >= 5:
            if charge["arc"] == _FLANK:
                flank = 1
            elif charge["arc"] != _FRONT:
                rear = 2
    if flank and (game["head"]["stack"] or not rear):
        return flank + rear
    return rear


@kernel
def high_ground(game: Any, f: int, hill: int) -> int:
    """1 for standing higher, never against flyers (WH6-CR-06)."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        enemy = who if hill == _CHARGER_HILL else int(charge["charger"])
        alive = game["units"][int(charge["charger"])]["models"] > 0
        if is_member(game, c, who) and charge["hill"] == hill and alive:
            if not flies(game["units"][enemy]):
                return 1
    return 0


@kernel
def side_score(game: Any, dice: Any, f: int, active: bool) -> tuple[int, int, int]:
    """Points of one side apart from wounds and outnumbering.

    The best unit's ranks at the start (WH6-CR-02, WH6-CR-10), a standard (WH6-CR-05), fixed
    bonuses.

    Returns
    -------
    tuple of int
        Points; total unit strength at the end; whether it has a musician.
    """
    who = int(game["combats"][f]["target"])
    ranks, standard, bonus, strength, musician, denied = 0, 0, 0, 0, 0, 0
    speaker = who
    for c in range(int(game["head"]["charges"])):
        if not is_member(game, c, who):
            continue
        member = int(game["charges"][c]["charger"]) if active else who
        unit = game["units"][member]
        deep = extra_ranks(unit, int(unit["mustered"]))
        if active or not is_outflanked(game, f):
            ranks = max(ranks, deep)
        denied = max(denied, deep - ranks)
        if unit["models"] > 0:
            standard = max(standard, int(unit["standard"]))
            musician = max(musician, int(unit["musician"]))
            bonus = bonus + int(unit["combat_bonus"]) if active else int(unit["combat_bonus"])
            own = unit_strength(game, member)
            strength = strength + own if active else own
        if active:
            speaker = member
    if denied and not active:
        note(dice, _DENIED, speaker, denied)
    if ranks:
        note(dice, _RANKS, speaker, ranks)
    if standard:
        note(dice, _STANDARD, speaker, standard)
    if bonus:
        note(dice, _BONUS, speaker, bonus)
    return ranks + standard + bonus, strength, musician


@kernel
def combat_result(game: Any, dice: Any, f: int) -> None:
    """Score both sides and say who has won (WH6-CR-01).

    A side without a model left has lost, whatever the scores; a tie goes to the only side with a
    musician, by one (WH6-CR-09).

    Also WH6-CR-04.
    """
    combat = game["combats"][f]
    who = int(combat["target"])
    active_wounds = wounds_lost(game, who)
    reactive_wounds, alive = 0, 0
    speaker = who
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            speaker = int(game["charges"][c]["charger"])
            reactive_wounds += wounds_lost(game, speaker)
            alive += int(game["units"][speaker]["models"])
    note(dice, _WOUNDS, speaker, active_wounds)
    active, active_strength, active_musician = side_score(game, dice, f, True)
    flank = flank_and_rear(game, f)
    if flank:
        note(dice, _SCORE_FLANK if flank == 1 else _SCORE_REAR, speaker, flank)
    higher = high_ground(game, f, _CHARGER_HILL)
    if higher:
        note(dice, _HIGH, speaker, higher)
    active += active_wounds + flank + higher
    note(dice, _WOUNDS, who, reactive_wounds)
    reactive, reactive_strength, reactive_musician = side_score(game, dice, f, False)
    if game["units"][who]["models"] > 0:
        lower = high_ground(game, f, _TARGET_HILL)
        if lower:
            note(dice, _HIGH, who, lower)
        reactive += lower
    reactive += reactive_wounds
    if active_strength > reactive_strength:
        active += 1
        note(dice, _OUTNUMBER, speaker, active_strength, reactive_strength)
    elif reactive_strength > active_strength:
        reactive += 1
        note(dice, _OUTNUMBER, who, reactive_strength, active_strength)
    result = active - reactive
    if result == 0 and active_musician != reactive_musician:
        result = 1 if active_musician else -1
        note(dice, _MUSICIAN, speaker if active_musician else who)
    combat["result"] = result
    combat["active_wounds"] = active_wounds
    combat["reactive_wounds"] = reactive_wounds
    note(dice, _SCORE, who, active, reactive, result)
    if game["units"][who]["models"] == 0:
        combat["won"] = _ACTIVE_WON
    elif alive == 0:
        combat["won"] = _REACTIVE_WON
    elif result > 0:
        combat["won"] = _ACTIVE_WON
    else:
        combat["won"] = _REACTIVE_WON if result < 0 else _DRAW
