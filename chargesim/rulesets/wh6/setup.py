"""The game records of a scenario, one for each part of it that stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from chargesim import rulesets
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    LENGTH_DIGITS,
    Aimed,
    Beasts,
    Charge,
    Compelled,
    Estimate,
    MissileTable,
    Model,
    Redirect,
    Steed,
    Unit,
    dice_terms,
)
from chargesim.rulesets.wh6.weapons import MISSILES, TWO_HANDED


def _hundredths(length: float) -> int:
    return round(length * LENGTH_DIGITS)


@dataclass(frozen=True)
class Entry:
    """A record of the charges to be: where it comes from and what it says."""

    kind: st.Kind
    charger: str
    target: str
    charge: Charge | Compelled | Redirect | None
    number: int
    parent: int = 0
    """Number of the charge that it redirects."""


@dataclass(frozen=True)
class Part:
    """Units that can influence each other, and what happens between them."""

    units: tuple[str, ...]
    entries: tuple[Entry, ...]


def entries(model: Model) -> list[Entry]:
    """Every record of the charges: declared, compelled, redirected, and standing fights."""
    own = [
        Entry(st.Kind.DECLARED, charge.charger, charge.target, charge, number)
        for number, charge in enumerate(model.charge)
    ]
    for name, way in compelled(model).items():
        own.append(Entry(st.Kind.COMPULSORY, name, way.target, way, len(own)))
    for parent in tuple(own):
        if isinstance(parent.charge, Charge | Compelled):
            wanted = parent.charge.redirect_choice != "never"
            for new in parent.charge.redirect if wanted else ():
                own.append(
                    Entry(
                        st.Kind.REDIRECTED,
                        parent.charger,
                        new.target,
                        new,
                        len(own),
                        parent.number,
                    )
                )
    targets = {entry.target for entry in own}
    for name in targets:
        opponent = model.unit[name].engaged
        if isinstance(opponent, str):
            own.append(Entry(st.Kind.STANDING, opponent, name, None, len(own)))
    return own


def compelled(model: Model) -> dict[str, Compelled]:
    """Charge that Frenzy compels each unit to make: the first feasible of those it may reach."""
    from chargesim.rulesets.wh6.rules_charge import must_charge

    declared = {charge.charger for charge in model.charge}
    found: dict[str, Compelled] = {}
    for name, unit in model.unit.items():
        if name in declared or unit.side != "active" or not unit.may_reach:
            continue
        game = st.LAYOUT.new()
        game["head"][0]["inches"] = model.units == "inch"
        _setup_unit(game["units"][0, 0], unit, model.units == "inch")
        for entry in unit.may_reach:
            distance = _hundredths(entry.distance)
            if must_charge(game[0], 0, distance, bool(entry.blocked_by)):
                found[name] = entry
                break
    return found


def parts(model: Model) -> list[Part]:
    """Divide a scenario into parts that cannot influence each other, in the order of the file.

    Units are bound by charges, by standing in the way, by the fights they are in, and where the
    fate of one may panic the other. Whom nothing binds makes one part together.
    """
    every = entries(model)
    group = {name: name for name in model.unit}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    involved: set[str] = set()
    for entry in every:
        bound = [entry.charger, entry.target, *getattr(entry.charge, "blocked_by", ())]
        involved.update(bound)
        for name in bound:
            group[root(name)] = root(bound[0])
    for name in sorted(involved):
        for friend in model.unit[name].neighbours:
            group[root(friend.unit)] = root(name)
            involved.add(friend.unit)
    idle = [name for name in model.unit if name not in involved]
    for name in idle[1:]:
        group[root(name)] = root(idle[0])
    made: dict[str, list[str]] = {}
    for name in model.unit:
        made.setdefault(root(name), []).append(name)
    return [
        Part(tuple(names), tuple(e for e in every if e.charger in names)) for names in made.values()
    ]


def setup(model: Model, *, apart: bool = True) -> list[rulesets.Part]:
    """Make the game records of a model: one for each part that stands alone, or one in all.

    Parameters
    ----------
    model
        A sound scenario.
    apart
        False puts everything into one game.
    """
    divided = parts(model) if apart else [Part(tuple(model.unit), tuple(entries(model)))]
    return [rulesets.Part(*_setup_part(model, part), part.units) for part in divided]


def _setup_part(model: Model, part: Part) -> tuple[np.ndarray[Any, Any], tuple[int, int, int]]:
    # whoever stands in a fight already comes first in the line
    ordered = sorted(part.entries, key=lambda e: (e.kind != st.Kind.STANDING, e.number))
    charged = dict.fromkeys(e.target for e in ordered if e.charge is not None)
    counts = (len(part.units), len(ordered), len(charged))
    game = st.LAYOUT.new(counts)
    head = game["head"][0]
    _setup_switches(head, model)
    numbers = {name: i for i, name in enumerate(model.unit)}
    places = {name: i for i, name in enumerate(part.units)}
    for name, place in places.items():
        game["units"][0, place] = _unit_record(model.unit[name], model.units == "inch")
        record = game["units"][0, place]
        record["number"] = numbers[name]
        for i, friend in enumerate(model.unit[name].neighbours):
            if friend.unit in places:
                record["neighbour"][i] = places[friend.unit]
                record["neighbour_at"][i] = _hundredths(friend.distance)
                record["neighbours"] = i + 1
                head["friends"] = 1
    where = {entry.number: c for c, entry in enumerate(ordered)}
    flanked: dict[str, int] = {}
    for c, entry in enumerate(ordered):
        record = game["charges"][0, c]
        record["number"], record["kind"] = entry.number, entry.kind
        record["charger"], record["target"] = places[entry.charger], places[entry.target]
        if entry.kind is st.Kind.REDIRECTED:
            record["parent"] = where[entry.parent]
        record["given_reach"] = record["edge"] = record["straight"] = st.FAR
        if entry.charge is None:
            opponent = game["units"][0, places[entry.charger]]
            opponent["state"], opponent["engaged"] = st.UnitState.FIGHTING, 2
            continue
        record["made"] = entry.kind is not st.Kind.REDIRECTED
        _setup_charge(record, entry.charge, places)
        _setup_reaction(record, entry, model)
        if record["arc"] == st.Arc.FLANK:
            # the two flanks in turn
            flanked[entry.target] = flanked.get(entry.target, 0) + 1
            record["side"] = 2 - flanked[entry.target] % 2
        elif record["arc"] == st.Arc.REAR:
            record["side"] = 3
    for f, target in enumerate(charged):
        game["combats"][0, f]["target"] = places[target]
    head["units"], head["charges"], head["combats"] = counts
    head["until"] = st.Phase.PURSUIT
    for c, entry in enumerate(ordered):
        if isinstance(entry.charge, Charge) and isinstance(entry.charge.distance, Estimate):
            lengths = cuts(st.LAYOUT.full(game), c)
            game["charges"][0, c]["cuts"] = len(lengths)
            game["charges"][0, c]["cut"][: len(lengths)] = lengths
    return game, counts


def _setup_switches(head: Any, model: Model) -> None:
    switches = model.switches
    head["inches"] = model.units == "inch"
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


MOST_RECORDS = 1024
"""Records of units that are remembered."""
_records: dict[tuple[int, bool], tuple[Unit, Any]] = {}
"""Records of units by the number of their model, which is kept so that no other can take it."""


def _unit_record(unit: Unit, inches: bool) -> Any:
    """Record of a unit as it starts; variants of a scenario have most of their units in common."""
    key = id(unit), inches
    found = _records.get(key)
    if found is None:
        record = np.zeros((), st.UNIT.dtype)
        _setup_unit(record, unit, inches)
        if len(_records) >= MOST_RECORDS:
            _records.clear()
        found = _records[key] = unit, record
    return found[1]


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


def _setup_charge(
    record: Any, charge: Charge | Compelled | Redirect, places: dict[str, int]
) -> None:
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
    for i, name in enumerate(charge.blocked_by):
        record["blocker"][i] = places[name]


def _setup_reaction(record: Any, entry: Entry, model: Model) -> None:
    wish = model.reaction.get(entry.target, "hold")
    do = wish.do if isinstance(wish, Aimed) else wish
    # a choice that is still open stands for holding until it is made
    record["declared"] = st.Reaction.HOLD if do == "best" else st.Reaction[do.upper()]
    if isinstance(wish, Aimed) and wish.at is not None:
        record["aim"] = 1 if wish.at == entry.charger else -1


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
