"""The game records of a scenario, one for each charge with all that it can influence."""

from __future__ import annotations

from typing import Any

from chargesim import rulesets
from chargesim.rulesets.hex_increment import state as st
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.hexes import Hex, moved
from chargesim.rulesets.hex_increment.plan import Met, Plan, board, plans
from chargesim.rulesets.hex_increment.scenario import Charge, Model, Unit


def by_class(table: dict[str, Any], unit: Unit) -> Any:
    """Entry of a unit's class, of its arm, or of any."""
    for key in (unit.troop_class, unit.kind, "*"):
        if key and key in table:
            return table[key]
    return None


def square_faces(model: Model, name: str, distance: int) -> list[int] | None:
    """Result of each face of forming square at a distance; ``None`` where no row is for it."""
    unit = model.unit[name]
    table = model.tables["square"]
    steps = sum(table["modifiers"][word] for word in unit.square)
    best: tuple[int, list[int]] | None = None
    for row in table["rows"]:
        fits = row["class"] in ("*", unit.troop_class, unit.kind)
        if row["distance"] == distance and fits and row["formation"] in ("*", unit.formation):
            exact = (row["class"] != "*") + (row["formation"] != "*")
            if best is None or exact > best[0]:
                best = exact, row["faces"]
    if best is None:
        return None
    return [best[1][min(max(i + steps, 0), st.FACES - 1)] for i in range(st.FACES)]


def may_square(model: Model, met: Met) -> tuple[int, ...]:
    """Distances at which a stack may try to form square: infantry in formation only."""
    unit = model.unit[met.name]
    if unit.kind != "infantry" or unit.formation in ("skirmish", "square") or unit.state == "pgd":
        return ()
    return tuple(
        at
        for at in range(1, min(met.start, 4) + 1)
        if square_faces(model, met.name, at) is not None
    )


def may_retire(model: Model, name: str) -> int:
    """Chance, in parts, that a stack may retire before a charge (HEX-SEQ-06).

    Where the file does not say, the table does: by default skirmishers with a free sheltered hex
    next to them.
    """
    unit = model.unit[name]
    if unit.state == "pgd":
        return 0
    if unit.can_retire is not None:
        return tables.parts(float(unit.can_retire)) or 0
    for row in model.tables["retire"]["rows"]:
        if row["formation"] in ("*", unit.formation):
            if not row["shelter"] or _shelter(model, name):
                return int(row["p"])
    return 0


def _shelter(model: Model, name: str) -> bool:
    unit = model.unit[name]
    ground = board(model)
    taken = {at for other in model.unit.values() for at in other.hexes}
    beside: set[Hex] = {moved(at, d) for at in unit.hexes for d in range(6)}
    if unit.retire_to is not None:
        beside &= {unit.retire_to}
    return any(ground.holds(at) and at not in taken and ground.terrain(at).shelter for at in beside)


def setup(model: Model, *, apart: bool = True) -> list[rulesets.Part]:
    """The games that a scenario starts as.

    Parameters
    ----------
    model
        A sound scenario.
    apart
        False for one game that holds everything.
    """
    every = list(enumerate(plans(model)))
    groups = _groups(every) if apart else [every]
    involved = {name for _, plan in every for name in (plan.charger, *(m.name for m in plan.met))}
    idle = [name for name in model.unit if name not in involved]
    numbers = {name: i for i, name in enumerate(model.unit)}
    parts = []
    for k, group in enumerate(groups):
        names = [
            name for _, plan in group for name in (plan.charger, *(met.name for met in plan.met))
        ]
        names = list(dict.fromkeys(names))
        if k == len(groups) - 1:
            names += idle
        names.sort(key=numbers.__getitem__)
        parts.append(_part(model, group, names, numbers))
    return parts


def _groups(every: list[tuple[int, Plan]]) -> list[list[tuple[int, Plan]]]:
    """Charges apart, but for a reaction and the charge it answers (HEX-FORM-03)."""
    found: list[list[tuple[int, Plan]]] = []
    for one in every:
        met = {met.name for met in one[1].met}
        group = [one]
        for other in [other for other in found if met & {plan.charger for _, plan in other}]:
            found.remove(other)
            group = other + group
        found.append(sorted(group, key=lambda numbered: numbered[0]))
    return sorted(found, key=lambda group: group[0][0])


def _part(
    model: Model, group: list[tuple[int, Plan]], names: list[str], numbers: dict[str, int]
) -> rulesets.Part:
    game = st.LAYOUT.new()
    places = {name: i for i, name in enumerate(names)}
    head = game["head"][0]
    _setup_head(head, model)
    head["units"], head["charges"] = len(names), len(group)
    for name, i in places.items():
        _setup_unit(game["units"][0, i], model.unit[name], model, numbers[name])
    first = 0
    for c, (number, plan) in enumerate(group):
        charge = game["charges"][0, c]
        charge["number"], charge["first"] = number, first
        slots = {met.name: first + i for i, met in enumerate(plan.met)}
        _setup_charge(charge, plan, model.charge[number], model, slots)
        charge["charger"] = places[plan.charger]
        for met in plan.met:
            target = game["targets"][0, slots[met.name]]
            target["charge"], target["unit"] = c, places[met.name]
            _setup_target(target, met, model)
        first += len(plan.met)
    head["targets"] = first
    columns = model.tables["melee"]["columns"]
    head["columns"] = len(columns)
    for i, column in enumerate(columns):
        record = game["columns"][0, i]
        record["num"], record["den"] = column["ratio"]
        record["mask"] = _banded(column["faces"], record["band"])
    counts = len(names), len(group), first, len(columns)
    return rulesets.Part(st.LAYOUT.shortened(game, counts), counts, tuple(names))


def _banded(faces: list[int], band: Any) -> int:
    """Write the meaning of each band of faces; the mask of where bands begin."""
    mask, at = 0, 0
    band[0] = faces[0]
    for i in range(1, len(faces)):
        if faces[i] != faces[i - 1]:
            mask |= 1 << i
            at += 1
            band[at] = faces[i]
    return mask


def _setup_head(head: Any, model: Model) -> None:
    switches = model.switches
    head["dice"] = ("d66", "2d6", "d10", "probability").index(switches.morale_dice)
    head["auto_faces"] = switches.auto_faces != "none"
    head["go_disorders"] = switches.go_end_disorder
    head["half"] = switches.split_hex == "half"
    head["floor"] = switches.fraction == "floor"
    head["before_share"] = switches.line_modifiers == "before_share"
    head["two_rout"] = switches.line_two_disorders == "rout"
    head["ds_retreats"] = switches.ds_counts_as_retreat
    head["dd0_stops"] = switches.dd0_stops
    head["pursue_first"] = switches.pursue_then_disorder
    head["square_divisor"] = switches.square_divisor
    head["pgd_retreat"] = -1 if switches.pgd_retreat == "number" else switches.pgd_retreat
    head["loss_disorders"] = switches.loss_check_fails == "disordered"
    head["illustrative"] = any(table["illustrative"] for table in model.tables.values())
    head["one_hex"] = switches.advance_into == "one_hex"
    head["warned"] = any(table["warnings"] for table in model.tables.values())


def _setup_unit(record: Any, unit: Unit, model: Model, number: int) -> None:
    record["number"] = number
    record["side"] = st.Side[unit.side.upper()]
    record["kind"] = st.Kind[unit.kind.upper()]
    record["formation"] = st.Formation[str(unit.formation).upper()]
    record["state"] = st.State[unit.state.upper()]
    record["in_square"] = unit.formation == "square"
    record["increments"] = unit.increments
    record["melee"] = round(unit.melee * st.VALUE)
    kind = model.switches.morale_dice
    if kind == "d66":
        record["morale"] = tables.index(int(unit.morale))
    elif kind == "probability":
        record["morale"] = tables.parts(unit.morale) or 0
    else:
        record["morale"] = int(unit.morale)


def _setup_charge(
    record: Any, plan: Plan, charge: Charge, model: Model, slots: dict[str, int]
) -> None:
    unit = model.unit[plan.charger]
    record["company"] = unit.formation == "company_column"
    record["state"] = st.State[unit.state.upper()]
    record["hexes"], record["targets"] = plan.hexes, len(plan.met)
    record["planned"], record["spent"] = len(plan.move.bodies) - 1, plan.move.spent
    # General Order terrain ends the charge where it is entered: no check after that step
    checks = len(plan.move.bodies) - 2 if plan.move.halted else st.CHANGES
    record["changes"] = min(len(charge.changes), checks)
    record["end"], record["end_disorders"] = plan.end, plan.end_disorders
    record["modifier"] = round(charge.modifier * st.VALUE)
    must = unit.formation == "company_column" and model.switches.column_pursuit == "must"
    record["wants_pursuit"] = must or charge.pursue
    record["answers"], record["reacted"] = charge.kind == "reaction", plan.reacted
    record["watched"] = any(
        other.side != unit.side and other.kind != "leader" and other.state != "pgd"
        for name, other in model.unit.items()
        if name not in charge.targets
    )
    if charge.recall:
        table = model.tables["recall"]
        least = by_class(table["classes"], unit) or 7
        record["recall"] = min(max(least - table["leader"] * unit.leader, 1), 7)
    record["touched"] = -1
    record["given"] = -1
    for h, (one, given) in enumerate(zip(plan.touched, plan.given, strict=True)):
        for i, name in enumerate(one):
            record["touched"][h, i] = slots[name]
        if given:
            record["given"][h] = slots[given]


def _setup_target(record: Any, met: Met, model: Model) -> None:
    unit = model.unit[met.name]
    record["contact"], record["mixed"], record["adjacent"] = met.contact, met.mixed, met.adjacent
    record["named"] = met.named
    record["room"], record["turns"], record["left"] = met.room, met.turns, met.left
    _setup_reaction(record, met, model)
    table = model.tables["stand"]
    steps = table["modifiers"]
    record["stand"] = (
        sum(steps[word] for word in unit.stand)
        + unit.stand_modifier
        + (steps.get(met.aspect, 0) if met.aspect != "front" else 0)
        + (steps.get("skirmish", 0) if unit.formation == "skirmish" else 0)
    )
    record["stand_disordered"] = steps.get("disordered", 0)
    record["fail"] = tables.FAIL_RESULTS[table["fail_result"]]
    pmf = by_class(model.tables["fire"]["classes"], unit) or [st.CHANCE]
    if unit.defensive_fire is not None:
        pmf = tables.losses(list(unit.defensive_fire), _ignore, "")
    _chain(pmf, record["fire"], record["fire_of"])
    if unit.opportunity_fire is not None:
        shots = tables.losses(list(unit.opportunity_fire), _ignore, "")
        _chain(shots, record["shots"], record["shots_of"])


def _ignore(_: str) -> None:
    """A fault that was reported when the file was read."""


def _chain(pmf: list[int], chances: Any, wholes: Any) -> None:
    """Chance of at least one increment more, given those before, one after another."""
    for i in range(len(pmf) - 1):
        chances[i] = sum(pmf[i + 1 :])
        wholes[i] = sum(pmf[i:])


def _setup_reaction(record: Any, met: Met, model: Model) -> None:
    wish, at = model.wish(met.name)
    # a choice that is still open stands for standing until it is made
    record["wish"] = st.Reaction.STAND if wish == "best" else st.Reaction[wish.upper()]
    record["reaction"] = record["wish"]
    record["retire_of"] = st.CHANCE
    record["square_step"] = st.NEVER
    if wish == "square":
        distances = may_square(model, met)
        chosen = at if at is not None else max(distances, default=0)
        if chosen not in distances:
            record["reaction"] = st.Reaction.STAND
            return
        faces = square_faces(model, met.name, chosen)
        record["at"] = chosen
        record["square_step"] = met.square_step[chosen - 1]
        record["square_mask"] = _banded(faces or [], record["square_band"])
    elif wish == "retire":
        record["retire"] = may_retire(model, met.name)
        if record["retire"] == 0:
            record["reaction"] = st.Reaction.STAND
