"""Faults of sense in a scenario of sound form: what does not fit or may not be declared."""

from __future__ import annotations

from fractions import Fraction

from chargesim.faults import Fault, name_faults, nearest
from chargesim.rulesets.hex_increment import state as st
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.hexes import distance, moved
from chargesim.rulesets.hex_increment.plan import Plan, board, facing_of, plans, unfought
from chargesim.rulesets.hex_increment.scenario import Charge, Model, Unit

STARTS = ("line", "company_column")
OWN_WORDS = ("disordered", "flank", "rear", "skirmish")
"""Modifiers of the stand table that apply by themselves."""


def check(model: Model) -> list[Fault]:
    """Faults of sense in a model of sound form; each names the rule it would break."""
    faults = _check_map(model)
    if len(model.unit) > st.UNITS:
        faults.append(Fault("unit", f"{len(model.unit)} units are too many: at most {st.UNITS}"))
    for name, unit in model.unit.items():
        faults += _check_unit(f"unit.{name}", name, unit, model)
    faults += _check_hexes(model)
    if not model.charge:
        faults.append(Fault("charge", "is missing: write one [[charge]]"))
    if len(model.charge) > st.CHARGES:
        faults.append(Fault("charge", f"{len(model.charge)} are too many: at most {st.CHARGES}"))
    for number in range(len(model.charge)):
        faults += check_charge(number, model)
    faults += _check_reactions(model)
    if sum(len(charge.targets) for charge in model.charge) > st.TARGETS:
        faults.append(Fault("charge", f"too many targets: at most {st.TARGETS} in all"))
    if not faults:
        for number, plan in enumerate(plans(model)):
            faults += check_plan(number, plan, model)
    return faults


def _check_map(model: Model) -> list[Fault]:
    faults = []
    known = {"open", *model.map.terrain}
    for name, hexes in model.map.hexes.items():
        if name not in known:
            faults.append(Fault(f"map.hexes.{name}", "unknown terrain" + nearest(name, known)))
        faults += [
            Fault(f"map.hexes.{name}", f"{list(at)} lies off the map")
            for at in hexes
            if not board(model).holds(at)
        ]
    if model.map.default not in known:
        faults.append(
            Fault(
                "map.default",
                f"unknown terrain {model.map.default!r}" + nearest(model.map.default, known),
            )
        )
    seen: dict[tuple[int, int], str] = {}
    for name, hexes in model.map.hexes.items():
        for at in hexes:
            if at in seen:
                faults.append(Fault(f"map.hexes.{name}", f"{list(at)} is {seen[at]} already"))
            seen[at] = name
    return faults


def _check_unit(path: str, name: str, unit: Unit, model: Model) -> list[Fault]:
    faults = name_faults(path, name)
    ground = board(model)
    for at in unit.hexes:
        if not ground.holds(at):
            extent = model.map.extent
            faults.append(
                Fault(
                    f"{path}.hexes",
                    f"{list(at)} lies off the map: q {extent.q[0]} to {extent.q[1]}, "
                    f"r {extent.r[0]} to {extent.r[1]}",
                )
            )
    for before, after in zip(unit.hexes, unit.hexes[1:], strict=False):
        if distance(before, after) != 1:
            faults.append(
                Fault(
                    f"{path}.hexes",
                    f"the unit is in two places: {list(after)} is not next to {list(before)}",
                )
            )
    if isinstance(unit.facing, tuple) and len(unit.facing) != len(unit.hexes):
        faults.append(
            Fault(
                f"{path}.facing",
                f"{len(unit.facing)} facings for {len(unit.hexes)} hexes: one a hex, or one",
            )
        )
    faults += _check_morale(path, unit, model)
    for key, words, known in (
        ("square", unit.square, model.tables["square"]["modifiers"]),
        ("stand", unit.stand, model.tables["stand"]["modifiers"]),
    ):
        faults += [
            Fault(f"{path}.{key}", f"{word!r} is not in the table" + nearest(word, known))
            for word in words
            if word not in known
        ]
        faults += [
            Fault(f"{path}.{key}", f"{word!r} applies by itself: leave it out")
            for word in words
            if key == "stand" and word in OWN_WORDS
        ]
    if unit.retire_to is not None:
        beside = any(distance(unit.retire_to, at) == 1 for at in unit.hexes)
        if not ground.holds(unit.retire_to) or not beside:
            faults.append(
                Fault(f"{path}.retire_to", f"{list(unit.retire_to)} is not next to the unit")
            )
    for key, pmf in (
        ("defensive_fire", unit.defensive_fire),
        ("opportunity_fire", unit.opportunity_fire),
    ):
        if pmf is not None:
            said: list[str] = []
            tables.losses(list(pmf), said.append, "")
            faults += [Fault(f"{path}.{key}", text.removeprefix(": ")) for text in said]
    faults += [
        Fault(f"{path}.passed_targets", f"{other!r} is not a unit" + nearest(other, model.unit))
        for other in unit.passed_targets
        if other not in model.unit
    ]
    return faults


def _check_morale(path: str, unit: Unit, model: Model) -> list[Fault]:
    kind, value = model.switches.morale_dice, unit.morale
    whole = value == int(value)
    if kind == "d66" and not (whole and tables.is_face(int(value))):
        text = "is no face of a D66: two digits from 1 to 6"
    elif kind == "2d6" and not (whole and 2 <= value <= 12):
        text = "is no morale for 2D6: 2 to 12"
    elif kind == "d10" and not (whole and 0 <= value <= 10):
        text = "is no morale for a D10: 0 to 10"
    elif kind == "probability" and not 0 <= value <= 1:
        text = "is no chance: 0 to 1"
    else:
        return []
    return [Fault(f"{path}.morale", f"{value:g} {text} (switch morale_dice = {kind})")]


def _check_hexes(model: Model) -> list[Fault]:
    """Nobody is in a hex twice, and no two units in one: a stack is one unit of the file."""
    faults = []
    seen: dict[tuple[int, int], str] = {}
    for name, unit in model.unit.items():
        for at in unit.hexes:
            if at in seen and unit.kind != "leader":
                text = (
                    f"{list(at)} stands twice"
                    if seen[at] == name
                    else f"{list(at)} holds {seen[at]} already: write a stack as one unit"
                )
                faults.append(Fault(f"unit.{name}.hexes", text))
            if unit.kind != "leader":
                seen[at] = name
    return faults


def check_charge(number: int, model: Model) -> list[Fault]:
    """Faults of one charge, but for where it leads.

    Only cavalry in line or company column charges (HEX-FORM-01), not from General Order terrain
    (HEX-TERR-04). Reaction and opportunity charges keep their width (HEX-EXP-05), only lines
    change it (HEX-EXP-01). A stack is the target of one charge (HEX-TGT-09), of none by a unit that
    has passed it (HEX-TGT-04), nor where cavalry may not go (HEX-TERR-05). Only a line of several
    hexes charges several stacks (HEX-LINE-01).
    """
    charge, path = model.charge[number], f"charge.{number}"
    unit = model.unit.get(charge.charger)
    if unit is None:
        text = f"{charge.charger!r} is not a unit" + nearest(charge.charger, model.unit)
        return [Fault(f"{path}.charger", text)]
    faults = _check_charger(number, charge, unit, model)
    if charge.kind == "grand":
        faults.append(
            Fault(f"{path}.kind", "a Grand Charge is not played: its rules are not in the source")
        )
    if charge.changes:
        if unit.formation != "line":
            faults.append(
                Fault(f"{path}.changes", "only a line extends or consolidates (HEX-EXP-01)")
            )
        if charge.kind in ("reaction", "opportunity"):
            faults.append(
                Fault(
                    f"{path}.changes",
                    f"a {charge.kind} charge may not extend or consolidate (HEX-EXP-05)",
                )
            )
        faults += _check_width(path, charge, unit)
    several = len(set(charge.targets)) > 1
    if several and unit.formation == "company_column":
        faults.append(
            Fault(f"{path}.targets", "a company column charges one stack (switch column_targets)")
        )
    elif several and len(unit.hexes) == 1 and not any("extend" in c for c in charge.changes):
        faults.append(
            Fault(
                f"{path}.targets",
                "only a line of several hexes charges several stacks (HEX-LINE-01)",
            )
        )
    for target in charge.targets:
        faults += _check_target(number, target, model)
    for place, target in charge.give.items():
        if not place.isdigit() or int(place) >= st.HEXES:
            faults.append(Fault(f"{path}.give.{place}", "is no place of a hex, counted from 0"))
        if target not in charge.targets:
            faults.append(Fault(f"{path}.give.{place}", f"{target!r} is no target of the charge"))
    return faults


def _check_charger(number: int, charge: Charge, unit: Unit, model: Model) -> list[Fault]:
    path = f"charge.{number}.charger"
    faults = []
    name = charge.charger
    if name in [other.charger for other in model.charge[:number]]:
        faults.append(Fault(path, f"{name} charges twice: one charge a unit"))
    if unit.kind != "cavalry":
        faults.append(Fault(path, f"{name} is {unit.kind}: only cavalry charges"))
    if unit.formation not in STARTS:
        faults.append(
            Fault(
                path,
                f"{name} is in {unit.formation}: only a line or a company_column may start a "
                "charge (HEX-FORM-01)",
            )
        )
    if unit.state == "pgd":
        faults.append(Fault(path, f"{name} is PGD and cannot charge"))
    if unit.state == "disordered" and not model.switches.disordered_may_charge:
        faults.append(Fault(path, f"{name} is disordered (switch disordered_may_charge)"))
    facing = facing_of(unit)
    if facing is None:
        faults.append(Fault(f"unit.{name}.facing", "is missing: a charger's facing, 0 to 5"))
    elif unit.formation == "line":
        if isinstance(unit.facing, tuple) and len(set(unit.facing)) > 1:
            faults.append(Fault(f"unit.{name}.facing", "a line has one facing"))
        for before, after in zip(unit.hexes, unit.hexes[1:], strict=False):
            if after != moved(before, facing + 2):
                faults.append(
                    Fault(
                        f"unit.{name}.hexes",
                        f"a line that faces {facing} runs along direction {(facing + 2) % 6}, "
                        f"from right to left: after {list(before)} comes "
                        f"{list(moved(before, facing + 2))}",
                    )
                )
                break
    ground = board(model)
    standing = unit.hexes[:1] if unit.formation == "company_column" else unit.hexes
    if any(ground.terrain(at).general_order for at in standing):
        faults.append(
            Fault(
                path,
                f"{name} stands in General Order terrain: no charge starts there (HEX-TERR-04)",
            )
        )
    return faults


def _check_width(path: str, charge: Charge, unit: Unit) -> list[Fault]:
    width = len(unit.hexes)
    for i, change in enumerate(charge.changes):
        width += 1 if change.startswith("extend") else -1
        if not 1 <= width <= st.HEXES:
            return [
                Fault(
                    f"{path}.changes.{i}",
                    f"leaves {width} hexes: a line has 1 to {st.HEXES} (HEX-EXP-01)",
                )
            ]
    return []


def _check_target(number: int, target: str, model: Model) -> list[Fault]:
    charge, path = model.charge[number], f"charge.{number}.targets"
    other = model.unit.get(target)
    if other is None:
        return [Fault(path, f"{target!r} is not a unit" + nearest(target, model.unit))]
    faults = []
    unit = model.unit[charge.charger]
    if charge.targets.count(target) > 1:
        faults.append(Fault(path, f"{target!r} stands twice"))
    if other.side == unit.side:
        faults.append(Fault(path, f"{target} is on the charger's own side"))
    if other.kind == "leader":
        faults.append(Fault(path, f"{target} is no combat unit (HEX-TGT-01)"))
    if target in unit.passed_targets:
        faults.append(
            Fault(
                path,
                f"{charge.charger} passed {target} this turn and may not charge it (HEX-TGT-04)",
            )
        )
    for before, earlier in enumerate(model.charge[:number]):
        if target in earlier.targets:
            faults.append(
                Fault(path, f"{target} is the target of charge {before} already (HEX-TGT-09)")
            )
    faults += _check_reacted(number, target, model)
    columns = model.tables["melee"]["columns"]
    if "increments" not in other.model_fields_set and any(
        tables.is_loss(code) for column in columns for code in column["faces"]
    ):
        faults.append(Fault(f"unit.{target}.increments", "is missing: the melee table has losses"))
    ground = board(model)
    barred = model.switches.prohibited_target == "barred"
    if barred and all(ground.terrain(at).prohibited for at in other.hexes):
        faults.append(Fault(path, f"{target} stands where cavalry may not go (HEX-TERR-05)"))
    return faults


def _check_reacted(number: int, target: str, model: Model) -> list[Fault]:
    """Faults of charging a unit that charges itself: only a reaction meets it (HEX-FORM-03)."""
    charge, path = model.charge[number], f"charge.{number}"
    faults = []
    for other, theirs in enumerate(model.charge):
        if theirs.charger != target or other == number:
            continue
        if charge.kind != "reaction":
            faults.append(
                Fault(
                    f"{path}.kind",
                    f"{target} charges itself (charge {other}): only a reaction charge meets it, "
                    'write kind = "reaction" (HEX-FORM-03)',
                )
            )
        if other > number:
            faults.append(
                Fault(
                    f"{path}.targets",
                    f"{target} declares its charge later (charge {other}): write the reaction "
                    "behind the charge that it answers",
                )
            )
        if theirs.changes:
            faults.append(
                Fault(
                    f"charge.{other}.changes",
                    f"cannot be played where {charge.charger} reacts: where {target} is met would "
                    "hang on its dice",
                )
            )
        if model.wish(target)[0] != "stand":
            faults.append(
                Fault(f"reaction.{target}", "charges itself: all it can do is stand (HEX-FORM-03)")
            )
    return faults


def _check_reactions(model: Model) -> list[Fault]:
    charged = [name for charge in model.charge for name in charge.targets]
    faults = []
    for name in model.reaction:
        if name not in charged and not set(charged) <= model.unit.keys() and name in model.unit:
            continue  # it may be the one whose name is written wrong among the targets
        if name not in charged:
            faults.append(
                Fault(f"reaction.{name}", "is not a charged unit" + nearest(name, charged))
            )
            continue
        do, at = model.wish(name)
        if at is not None and do != "square":
            faults.append(
                Fault(f"reaction.{name}.at", f'is given with "{do}": only square has one')
            )
    return faults


def check_plan(number: int, plan: Plan, model: Model) -> list[Fault]:
    """Faults of where a charge leads: targets outside the zone, a path that cannot be taken.

    Targets lie in or next to the zone (HEX-TGT-01, HEX-ZONE-04); no step leaves it (HEX-ZONE-03);
    every stack in contact has a hex to be fought with (HEX-LINE-05).
    """
    charge, path = model.charge[number], f"charge.{number}"
    faults = []
    if plan.wrong_step is not None and charge.path is not None:
        at = charge.path[plan.wrong_step]
        faults.append(
            Fault(
                f"{path}.path.{plan.wrong_step}",
                f"{list(at)} cannot be entered: a step goes to a front hex in the zone, free and "
                "not forbidden to cavalry, with every hex of a line (HEX-ZONE-03, HEX-TERR-05)",
            )
        )
        return faults
    for target, met in zip(charge.targets, plan.met, strict=True):
        unit = model.unit[target]
        if not met.in_reach:
            faults.append(
                Fault(
                    f"{path}.targets",
                    f"{target} is neither in the charge zone nor next to it (HEX-TGT-01)",
                )
            )
        elif unit.late and model.switches.late_arrivals == "ineligible":
            faults.append(
                Fault(
                    f"{path}.targets",
                    f"{target} came into the zone after the declaration (switch late_arrivals)",
                )
            )
    if len(plan.move.bodies) - 1 < len(charge.changes) and not plan.move.halted:
        faults.append(
            Fault(
                f"{path}.changes",
                f"{len(charge.changes)} changes need as many hexes of movement, the charge moves "
                f"{len(plan.move.bodies) - 1} (HEX-EXP-01)",
            )
        )
    for met in plan.met:
        do, away = model.wish(met.name)
        if do == "square" and away is not None and away > met.start:
            faults.append(
                Fault(model.wish_path(met.name), f"{away} hexes: the charge begins at {met.start}")
            )
    if model.switches.split_hex == "choose":
        faults += [
            Fault(
                f"{path}.give",
                f"leaves no hex to fight {name}, and every stack in contact is fought "
                '(HEX-LINE-05): give it one, name fewer, or write split_hex = "half"',
            )
            for name in unfought(plan)
        ]
    faults += _check_odds(path, plan, charge, model)
    most = sum(_most_lost(model, met.name) for met in plan.met)
    if most >= model.unit[plan.charger].increments and most:
        faults.append(
            Fault(
                f"unit.{plan.charger}.increments",
                f"{model.unit[plan.charger].increments} could all be lost to fire ({most}): "
                "give the charger more",
            )
        )
    return faults


def _most_lost(model: Model, name: str) -> int:
    """Most increments that a target's fire may cost."""
    unit = model.unit[name]
    classes = model.tables["fire"]["classes"]
    table = classes.get(unit.troop_class, classes.get(unit.kind, classes.get("*", [1])))
    defensive = len(table if unit.defensive_fire is None else unit.defensive_fire) - 1
    return defensive + len(unit.opportunity_fire or (1,)) - 1


def _check_odds(path: str, plan: Plan, charge: Charge, model: Model) -> list[Fault]:
    """Melees below the first column of a table that rejects them, at the charger's full value."""
    table = model.tables["melee"]
    if table["below_first"] != "reject":
        return []
    unit = model.unit[plan.charger]
    first = Fraction(*table["columns"][0]["ratio"])
    faults = []
    for met in plan.met:
        if not met.contact:
            continue
        other = model.unit[met.name]
        alone = sum(one == (met.name,) for one in plan.touched)
        hexes = alone + plan.given.count(met.name)
        if unit.formation == "company_column":
            value = (unit.melee + charge.modifier) / plan.hexes
        else:
            value = unit.melee * hexes / plan.hexes + charge.modifier
        if other.formation == "square" or model.wish(met.name)[0] in ("square", "best"):
            value /= model.switches.square_divisor
        if value / other.melee < first:
            faults.append(
                Fault(
                    f"{path}.targets",
                    f"{value:g} against {other.melee:g} of {met.name} is below the first column "
                    f'{table["columns"][0]["id"]}: charge with more, or below_first = "clamp"',
                )
            )
    return faults
