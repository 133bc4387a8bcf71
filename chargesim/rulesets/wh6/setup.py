"""The game records of a scenario, one for each part of it that stands alone."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from chargesim import rulesets
from chargesim.rulesets.values import remembered
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.cast import Cast, at, casts
from chargesim.rulesets.wh6.outline import outline_of
from chargesim.rulesets.wh6.scenario import (
    LENGTH_DIGITS,
    Beasts,
    Charge,
    Compelled,
    Estimate,
    MissileTable,
    Model,
    Redirect,
    Steed,
    Switches,
    Unit,
    dice_terms,
)
from chargesim.rulesets.wh6.weapons import MISSILES, TWO_HANDED


def _hundredths(length: float) -> int:
    return round(length * LENGTH_DIGITS)


def compelled(model: Model) -> dict[str, int]:
    """Units that Frenzy compels to charge, with the place of the first feasible target."""
    from chargesim.rulesets.wh6.rules_charge import must_charge

    found: dict[str, int] = {}
    declared = {charge.charger for charge in model.charge}
    for name, unit in model.unit.items():
        if name in declared or unit.side != "active" or not unit.may_reach:
            continue
        game = st.LAYOUT.new()
        game["head"][0]["inches"] = model.units == "inch"
        _setup_unit(game["units"][0, 0], unit, model.units == "inch")
        for place, entry in enumerate(unit.may_reach):
            distance = _hundredths(entry.distance)
            if must_charge(game[0], 0, distance, bool(entry.blocked_by)):
                found[name] = place
                break
    return found


def setup(model: Model, *, apart: bool = True) -> list[rulesets.Part]:
    """Make the game records of a model: one for each part that stands alone, or one in all.

    Parameters
    ----------
    model
        A sound scenario.
    apart
        False puts everything into one game.
    """
    outline = outline_of(model)
    forced = tuple(compelled(model).items()) if _is_anyone_reached(outline) else ()
    return [
        rulesets.Part(_start(model, cast), cast.counts, cast.units)
        for cast in casts(outline, forced, apart)
    ]


@remembered
def _is_anyone_reached(outline: Model) -> bool:
    return any(unit.may_reach for unit in outline.unit.values())


def _start(model: Model, cast: Cast) -> np.ndarray[Any, Any]:
    """The game that a part starts as: what its tables say, and who is who."""
    inches = model.units == "inch"
    charges = [at(model, path) for path in cast.paths]
    game = st.LAYOUT.assembled(
        head=[_head_words(model.switches, inches)],
        units=[
            _unit_words(model.unit[name], inches, stands)
            for name, stands in zip(cast.units, cast.standing, strict=True)
        ],
        charges=[_charge_words(charge) for charge in charges],
        combats=[_NO_COMBAT] * cast.counts[2],
    )
    words = game.view(np.uint64)
    words |= cast.words
    for c, charge in enumerate(charges):
        if isinstance(charge, Charge) and isinstance(charge.distance, Estimate):
            lengths = cuts(st.LAYOUT.full(game), c)
            game["charges"][0, c]["cuts"] = len(lengths)
            game["charges"][0, c]["cut"][: len(lengths)] = lengths
    return game


# records of variants are mostly the same: each is made once for the table of the file it is of


@remembered
def _head_words(switches: Switches, inches: bool) -> Any:
    head = np.zeros(1, st.HEAD.dtype)
    _setup_switches(head[0], switches)
    head["inches"], head["until"] = inches, st.Phase.PURSUIT
    return head.view(np.uint64)


@remembered
def _unit_words(unit: Unit, inches: bool, stands: bool) -> Any:
    record = np.zeros(1, st.UNIT.dtype)
    _setup_unit(record[0], unit, inches)
    if stands:
        record["state"], record["engaged"] = st.UnitState.FIGHTING, 2
    return record.view(np.uint64)


@remembered
def _charge_words(charge: Charge | Compelled | Redirect | None) -> Any:
    record = np.zeros(1, st.CHARGE.dtype)
    record["given_reach"] = record["edge"] = record["straight"] = st.FAR
    if charge is not None:
        _setup_charge(record[0], charge)
    return record.view(np.uint64)


_NO_COMBAT = np.zeros(1, st.COMBAT.dtype).view(np.uint64)


def _setup_switches(head: Any, switches: Switches) -> None:
    head["test_first"] = switches.charger_test == "before_reaction"
    head["shoot_in_range"] = switches.ss_on_failed == "if_in_range_after_failed_move"
    head["panic_engaged"] = switches.panic_engaged
    head["s7_regeneration"] = switches.s7_regen
    head["impact_like_shooting"] = switches.impact_targets == "like_shooting"
    head["machine_crew"] = switches.war_machine_us == "crew"
    head["redirect_test"] = switches.redirect_test == "leadership"
    head["redirect_shoot"] = switches.redirect_ss == "allowed"
    head["frenzy_last"] = switches.frenzy_move == "after_chargers"
    head["immune_cancels"] = switches.immune_cancels_native
    head["insane_courage"] = switches.insane_courage
    head["stack"] = switches.flank_rear_stack


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
    elif unit.shield and unit.weapon == "hand_weapon" and unit.troop in ("infantry", "ogre"):
        record["shield"] = 1
    record["engaged"] = 2 if isinstance(unit.engaged, str) else int(unit.engaged)
    record["standard"], record["musician"] = unit.standard, unit.musician
    record["champion"], record["battle_standard"] = unit.champion, unit.battle_standard
    record["combat_bonus"], record["restrain"] = unit.combat_bonus, unit.restrain is True
    record["shots"] = 1
    record["shooters"] = -1 if unit.shooters is None else unit.shooters
    if unit.missile is not None:
        _setup_missile(record, unit, inches)
    _setup_blows(record, unit)
    if unit.chariot is not None:
        default = "1D6" if unit.troop == "chariot" else "1D3"
        constant, dice = dice_terms(unit.chariot.impact_hits or default) or (0.0, [])
        record["impact_plus"] = int(constant)
        if dice:
            record["impact_dice"], record["impact_sides"] = dice[0]


def _setup_blows(record: Any, unit: Unit) -> None:
    """Who strikes from a model: riders or crew with the unit's statistics, steeds or beasts."""
    record["weapon"] = st.Weapon[unit.weapon.upper()]
    record["ws"], record["i"], record["a"] = unit.WS or 0, unit.I or 0, unit.A or 0
    record["riders"], record["riders_s"] = 1, unit.S
    steed: Steed | Beasts | None = unit.mount
    record["steeds"] = 0 if steed is None else 1
    if unit.chariot is not None:
        crew, steed = unit.chariot.crew, unit.chariot.beasts
        if crew is not None:
            record["riders"], record["riders_s"] = crew.count, crew.S
            record["ws"], record["i"], record["a"] = crew.WS, crew.I, crew.A
        record["steeds"] = 0 if steed is None else steed.count
    if steed is not None:
        record["steed_ws"], record["steed_s"] = steed.WS, steed.S
        record["steed_i"], record["steed_a"] = steed.I, steed.A


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


def _setup_charge(record: Any, charge: Charge | Compelled | Redirect) -> None:
    if isinstance(charge.distance, Estimate):
        record["mean"] = _hundredths(charge.distance.mean)
        record["sd"] = _hundredths(charge.distance.sd)
    else:
        record["mean"] = _hundredths(charge.distance)
    record["straight"] = st.FAR if charge.gap is None else _hundredths(charge.gap)
    record["edge"] = st.FAR if charge.edge is None else _hundredths(charge.edge)
    record["arc"], record["cover"] = st.Arc[charge.arc.upper()], st.Cover[charge.cover.upper()]
    record["terrain"] = st.Terrain[charge.terrain.upper()]
    record["hill"] = st.Hill[(charge.high_ground or "nobody").upper()]
    if not isinstance(charge, Charge):
        return
    if charge.reach is not None:
        constant, dice = dice_terms(str(charge.reach)) or (0.0, [])
        record["given_reach"] = _hundredths(constant)
        for term, (number, sides) in enumerate(dice):
            record["reach_dice"][term], record["reach_sides"][term] = number, sides
    record["blockers"] = len(charge.blocked_by)


def cuts(game: np.ndarray[Any, Any], c: int) -> list[int]:
    """Lengths, in hundredths, at which a rule treats an estimated distance otherwise.

    The reach and its half; half the range of the target's weapon and its range; the range after a
    failed charge; and the reach less every flight the target may roll.
    """
    from chargesim.kernels.expand import own_dice
    from chargesim.rulesets.wh6.rules_charge import charge_reach, flies, flyer_move, stop_distance
    from chargesim.rulesets.wh6.rules_chariots import bull_run

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
        reaches = {charge_reach(view, own_dice()[0], c)}
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
        found.add(bull_run(view) - 1)
    return sorted(length for length in found if length > 0)
