"""The game record of a scenario."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    LENGTH_DIGITS,
    Aimed,
    Charge,
    Estimate,
    MissileTable,
    Model,
    Unit,
    dice_terms,
)
from chargesim.rulesets.wh6.weapons import MISSILES, TWO_HANDED


def _hundredths(length: float) -> int:
    return round(length * LENGTH_DIGITS)


def setup(model: Model) -> tuple[np.ndarray[Any, Any], tuple[str, ...], int]:
    """Make the game record of a model.

    Returns
    -------
    tuple
        Array of one game; names of its units, in order; number of charges.
    """
    game = st.LAYOUT.new()
    names = tuple(model.unit)
    head = game["head"][0]
    switches = model.switches
    head["inches"] = model.units == "inch"
    head["charges"] = len(model.charge)
    head["test_first"] = switches.charger_test == "before_reaction"
    head["shoot_in_range"] = switches.ss_on_failed == "if_in_range_after_failed_move"
    head["panic_engaged"] = switches.panic_engaged
    head["s7_regeneration"] = switches.s7_regen
    head["impact_like_shooting"] = switches.impact_targets == "like_shooting"
    head["machine_crew"] = switches.war_machine_us == "crew"
    for record, unit in zip(game["units"][0], model.unit.values(), strict=False):
        _setup_unit(record, unit, model.units == "inch")
    for record, charge in zip(game["charges"][0], model.charge, strict=False):
        _setup_charge(record, charge, model, names)
    for i, charge in enumerate(model.charge):
        if isinstance(charge.distance, Estimate):
            lengths = cuts(game, i)
            game["charges"][0, i]["cuts"] = len(lengths)
            game["charges"][0, i]["cut"][: len(lengths)] = lengths
    return game, names, len(model.charge)


def _setup_unit(record: Any, unit: Unit, inches: bool) -> None:
    def save(text: str | None) -> int:
        return st.NO_SAVE if text is None else int(text[:-1])

    record["models"] = record["start"] = unit.models
    record["state"] = (
        st.UnitState.FLEEING
        if unit.fleeing
        else st.UnitState.FIGHTING
        if unit.engaged
        else st.UnitState.STEADY
    )
    record["terror_tested"] = unit.terror_tested
    record["move"] = _hundredths(unit.M)
    record["rules"] = sum(int(st.Rule[str(r).upper()]) for r in unit.rules)
    record["side"] = st.Side[unit.side.upper()]
    record["troop"] = st.Troop[str(unit.troop).upper()]
    record["width"], record["base"] = unit.width, unit.base
    record["strength"] = unit.unit_strength
    record["bs"], record["s"], record["t"], record["w"] = unit.BS or 0, unit.S, unit.T, unit.W
    record["ld"], record["general_ld"] = unit.Ld, unit.general_ld or 0
    record["save"], record["ward"] = save(unit.save), save(unit.ward)
    record["regeneration"] = save(unit.regeneration)
    if unit.shield and unit.weapon in TWO_HANDED:
        record["shield"] = -1
    elif unit.shield and unit.weapon == "hand_weapon" and unit.troop == "infantry":
        record["shield"] = 1
    record["engaged"] = 2 if isinstance(unit.engaged, str) else int(unit.engaged)
    record["musician"] = unit.musician
    record["champion"] = unit.champion
    record["shots"] = 1
    record["shooters"] = -1 if unit.shooters is None else unit.shooters
    if unit.missile is not None:
        _setup_missile(record, unit, inches)
    if unit.chariot is not None:
        default = "1D6" if unit.troop == "chariot" else "1D3"
        constant, dice = dice_terms(unit.chariot.impact_hits or default) or (0.0, [])
        record["impact_plus"] = int(constant)
        if dice:
            record["impact_dice"], record["impact_sides"] = dice[0]


def _setup_missile(record: Any, unit: Unit, inches: bool) -> None:
    missile = unit.missile
    if isinstance(missile, MissileTable):
        record["missile_range"] = _hundredths(missile.range)
        record["missile_s"], record["shots"] = missile.S, missile.shots
        record["armour_piercing"], record["thrown"] = missile.armour_piercing, missile.thrown
        record["shot_rules"] = sum(int(st.Rule[r.upper()]) for r in set(missile.rules))
        return
    weapon = MISSILES[str(missile)]
    user = unit.chariot.crew.S if unit.chariot and unit.chariot.crew else unit.S
    record["missile_range"] = (weapon.inches if inches else weapon.centimetres) * LENGTH_DIGITS
    record["missile_s"] = (
        min(user + weapon.extra, 10) if weapon.strength is None else weapon.strength
    )
    record["shots"], record["thrown"] = weapon.shots, weapon.thrown
    record["armour_piercing"] = weapon.armour_piercing
    if weapon.double_within is not None:
        record["double_within"] = weapon.double_within[0 if inches else 1] * LENGTH_DIGITS


def _setup_charge(record: Any, charge: Charge, model: Model, names: tuple[str, ...]) -> None:
    record["charger"], record["target"] = names.index(charge.charger), names.index(charge.target)
    if isinstance(charge.distance, Estimate):
        record["mean"] = _hundredths(charge.distance.mean)
        record["sd"] = _hundredths(charge.distance.sd)
    else:
        record["mean"] = _hundredths(charge.distance)
    record["straight"] = st.FAR if charge.gap is None else _hundredths(charge.gap)
    record["edge"] = st.FAR if charge.edge is None else _hundredths(charge.edge)
    record["given_reach"] = st.FAR
    if charge.reach is not None:
        constant, dice = dice_terms(str(charge.reach)) or (0.0, [])
        record["given_reach"] = _hundredths(constant)
        for term, (number, sides) in enumerate(dice):
            record["reach_dice"][term], record["reach_sides"][term] = number, sides
    record["arc"], record["cover"] = st.Arc[charge.arc.upper()], st.Cover[charge.cover.upper()]
    record["on_hill"] = charge.high_ground == "target"
    record["blockers"] = len(charge.blocked_by)
    for i, name in enumerate(charge.blocked_by):
        record["blocker"][i] = names.index(name)
    wish = model.reaction.get(charge.target, "hold")
    record["declared"] = st.Reaction[(wish.do if isinstance(wish, Aimed) else wish).upper()]


def cuts(game: np.ndarray[Any, Any], c: int) -> list[int]:
    """Lengths, in hundredths, at which a rule treats an estimated distance otherwise.

    The reach and its half; half the range of the target's weapon and its range; the range after a
    failed charge; and the reach less every flight the target may roll.
    """
    from chargesim.kernels.dice import Mode, new_dice
    from chargesim.rulesets.wh6.rules_charge import charge_reach, flies, flyer_move, stop_distance

    record = game["charges"][0, c]
    view = game[0]
    target = game["units"][0, int(record["target"])]
    charger = game["units"][0, int(record["charger"])]
    dice = [
        sorted({sum(roll) for roll in product(*[range(1, int(s) + 1)] * abs(int(n)))})
        for n, s in zip(record["reach_dice"], record["reach_sides"], strict=True)
        if n
    ]
    signs = [1 if n > 0 else -1 for n in record["reach_dice"] if n]
    if dice:
        base = int(record["given_reach"])
        reaches = {
            max(base + sum(s * v for s, v in zip(signs, roll, strict=True)) * LENGTH_DIGITS, 0)
            for roll in product(*dice)
        }
    else:
        reaches = {charge_reach(view, new_dice(Mode.ENUMERATE)[0], c)}
    found: set[int] = set()
    for reach in reaches:
        found |= {reach, reach // 2}
        if record["straight"] == st.FAR:
            found |= {reach - flight * LENGTH_DIGITS for flight in range(1, 49)}
    if record["straight"] == st.FAR:
        weapon = int(target["missile_range"])
        move = flyer_move(view) if flies(charger) else int(charger["move"])
        found |= {weapon // 2, weapon, int(target["double_within"]), weapon + move}
        found.add(stop_distance(view) + move)
    return sorted(length for length in found if length > 0)
