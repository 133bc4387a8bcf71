"""What units are: unit strength, ranks, Leadership, immunity and who frightens whom."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import leadership_test, note
from chargesim.kernels.jit import kernel, tiny
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.state import (
    CHARGES,
    NAMES,
    UNIT_NAMES,
    Dread,
    Rule,
    Troop,
    UnitState,
)

_FRENZY, _FEAR, _TERROR = int(Rule.FRENZY), int(Rule.FEAR), int(Rule.TERROR)
_UNDEAD, _DAEMON, _COLD_BLOODED = int(Rule.UNDEAD), int(Rule.DAEMON), int(Rule.COLD_BLOODED)
_IMMUNE = int(Rule.IMMUNE_TO_PSYCHOLOGY) | int(Rule.UNBREAKABLE) | _UNDEAD | _DAEMON
_SKAVEN, _LANCE = int(Rule.SKAVEN), int(Rule.BRETONNIAN_LANCE)
_LOOSE = int(Rule.SKIRMISHERS) | int(Rule.FAST_CAVALRY)
_FRIGHTENING = _FEAR | _TERROR | _UNDEAD | _DAEMON
_FLEEING, _WAR_MACHINE = int(UnitState.FLEEING), int(Troop.WAR_MACHINE)
_INFANTRY, _OGRE = int(Troop.INFANTRY), int(Troop.OGRE)
_CHARIOT, _LIGHT_CHARIOT = int(Troop.CHARIOT), int(Troop.LIGHT_CHARIOT)
_NO_DREAD, _DREAD_FEAR, _DREAD_TERROR = int(Dread.NONE), int(Dread.FEAR), int(Dread.TERROR)
_LEADERSHIP, _LEADERSHIP_GENERAL = int(Event.LEADERSHIP), int(Event.LEADERSHIP_GENERAL)


@tiny
def place(name: int, charge: Any) -> int:
    """Where a charge's chance node of some name draws its luck."""
    return int(charge["number"]) * NAMES + name


@tiny
def unit_place(name: int, unit: Any) -> int:
    """Where a unit's chance node of some name draws its luck."""
    return CHARGES * NAMES + int(unit["number"]) * UNIT_NAMES + name


@tiny
def has(unit: Any, rules: int) -> bool:
    """True when a unit has any of these special rules."""
    return (int(unit["rules"]) & rules) != 0


@kernel
def is_chariot(unit: Any) -> bool:
    """True for chariots of either kind (WH6-CHAR-07)."""
    troop = int(unit["troop"])
    return troop == _CHARIOT or troop == _LIGHT_CHARIOT


@kernel
def is_on_foot(unit: Any) -> bool:
    """True for men and ogres on foot, who can use what only foot can (WH6-WPN)."""
    troop = int(unit["troop"])
    return troop == _INFANTRY or troop == _OGRE


@kernel
def strength_of(game: Any, unit: Any, models: int) -> int:
    """Unit strength of so many models (WH6-US-01); of a war machine by the switch."""
    if unit["troop"] == _WAR_MACHINE:
        if models == 0:
            return 0
        if not game["head"]["machine_crew"]:
            return 3
    return models * int(unit["strength"])


@kernel
def unit_strength(game: Any, who: int) -> int:
    """Unit strength of the models left.

    The gates at 5 look at one unit alone: units never pool (WH6-US-02).
    """
    unit = game["units"][who]
    return strength_of(game, unit, int(unit["models"]))


@kernel
def front_rank(unit: Any, models: int) -> int:
    """Models in the front rank of so many; a lance is three wide (WH6-ARMY-04)."""
    if has(unit, _LANCE):
        return min(3, models)
    return min(int(unit["width"]), models)


@kernel
def extra_ranks(unit: Any, models: int) -> int:
    """Ranks that count: at least four wide, at least four models in each behind (WH6-CR-02).

    At most three; none for skirmishers and fast cavalry. A lance counts complete ranks of three
    (WH6-ARMY-04).
    """
    if has(unit, _LOOSE):
        return 0
    if has(unit, _LANCE):
        return min(max(models // 3 - 1, 0), 3)
    width = int(unit["width"])
    if width < 4 or models <= width:
        return 0
    behind = models - width
    ranks = behind // width
    if behind % width >= 4:
        ranks += 1
    return min(ranks, 3)


@kernel
def leadership(unit: Any) -> int:
    """Leadership of a test: the best of the unit's own and a General's, at most 10 (WH6-LD-02).

    For mounted troops the scenario gives the rider's, for chariots the crew's (WH6-LD-03). Skaven
    add their ranks unless they flee (WH6-ARMY-07).
    """
    best = max(int(unit["ld"]), int(unit["general_ld"]))
    return min(best + rank_courage(unit), 10)


@kernel
def rank_courage(unit: Any) -> int:
    """Leadership that skaven draw from their ranks, not while they flee (WH6-ARMY-07)."""
    if not has(unit, _SKAVEN) or unit["state"] == _FLEEING:
        return 0
    return extra_ranks(unit, int(unit["models"]))


@kernel
def take_test(game: Any, dice: Any, where: int, who: int, bonus: int) -> bool:
    """Roll a Leadership test: pass when 2D6 is at most Ld, without exceptions (WH6-LD-01).

    Cold-blooded units roll three dice and drop the highest (WH6-ARMY-03).
    """
    unit = game["units"][who]
    target = min(leadership(unit) + bonus, 10)
    if unit["general_ld"] > unit["ld"]:
        note(dice, _LEADERSHIP_GENERAL, who, target, bonus)
    else:
        note(dice, _LEADERSHIP, who, target, bonus)
    return leadership_test(dice, where, target, 1 if has(unit, _COLD_BLOODED) else 0)


@kernel
def is_frenzied(unit: Any) -> bool:
    """True while Frenzy lasts (WH6-FRENZ-05)."""
    return has(unit, _FRENZY) and unit["calm"] == 0


@kernel
def is_immune(unit: Any) -> bool:
    """True for units that take no psychology test.

    Immune to psychology (WH6-IMM-01), frenzied (WH6-FRENZ-07), unbreakable (WH6-UNBR-01), undead
    (WH6-ARMY-01) and daemons (WH6-ARMY-02).
    """
    return has(unit, _IMMUNE) or is_frenzied(unit)


@kernel
def keeps_native(game: Any, unit: Any) -> bool:
    """True when the unit's own Hatred and Stubborn work: not for the immune (WH6-IMM-02)."""
    return not (game["head"]["immune_cancels"] and is_immune(unit))


@kernel
def causes_fear(unit: Any) -> bool:
    """True for units that cause fear: terror (WH6-TERR-01), undead and daemons included."""
    return has(unit, _FRIGHTENING)


@kernel
def dread(game: Any, of: int, by: int) -> int:
    """The test one unit asks of another when they are to fight (WH6-TERR-05).

    Who causes fear ignores fear and takes terror as fear; who causes terror ignores both; after its
    one Terror test of the battle a unit takes terror as fear (WH6-TERR-03). A unit that was already
    fleeing frightens nobody, and a fleeing unit takes no test (WH6-LD-08).
    """
    feared = game["units"][of]
    tested = game["units"][by]
    if feared["state"] == _FLEEING or tested["state"] == _FLEEING:
        return _NO_DREAD
    if not causes_fear(feared) or is_immune(tested) or has(tested, _TERROR):
        return _NO_DREAD
    if has(feared, _TERROR):
        if causes_fear(tested) or tested["terror_tested"]:
            return _DREAD_FEAR
        return _DREAD_TERROR
    return _NO_DREAD if causes_fear(tested) else _DREAD_FEAR
