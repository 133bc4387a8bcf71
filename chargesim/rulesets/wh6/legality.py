"""Faults of sense in a scenario of sound form: what does not fit or may not be declared."""

from __future__ import annotations

from chargesim.faults import Fault, nearest
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    CHARIOTS,
    Aimed,
    Charge,
    MissileTable,
    Model,
    Unit,
    dice_terms,
)


def check(model: Model) -> list[Fault]:
    """Faults of sense in a model of sound form; each names the rule it would break.

    Also WH6-CHG-01, WH6-CHAR-02.
    """
    faults: list[Fault] = []
    if len(model.unit) > st.UNITS:
        faults.append(Fault("unit", f"{len(model.unit)} units are too many: at most {st.UNITS}"))
    for name, unit in model.unit.items():
        faults += _check_unit(f"unit.{name}", unit, model)
        if not name.strip() or name.isdigit():
            faults.append(Fault(f"unit.{name}", "is no name: a name has other than digits in it"))
    if not model.charge:
        faults.append(Fault("charge", "is missing: write one [[charge]]"))
    for i, charge in enumerate(model.charge):
        faults += _check_charge(f"charge.{i}", charge, model)
    targets = {c.target: c.charger for c in model.charge}
    for name, wish in model.reaction.items():
        if name not in targets:
            if not set(targets) <= set(model.unit):
                continue  # a misspelt target is told of at its charge
            faults.append(
                Fault(f"reaction.{name}", "is not a charged unit" + nearest(name, targets))
            )
        elif isinstance(wish, Aimed) and wish.at is not None and wish.at != targets[name]:
            faults.append(
                Fault(
                    f"reaction.{name}.at",
                    f"{wish.at!r} does not charge {name}" + nearest(wish.at, [targets[name]]),
                )
            )
    return faults


def _check_unit(path: str, unit: Unit, model: Model) -> list[Fault]:
    faults = []
    if unit.width is not None and unit.width > unit.models:
        faults.append(
            Fault(f"{path}.width", f"{unit.width} in front of {unit.models} models: at most all")
        )
    if unit.shooters is not None and unit.shooters > unit.models:
        faults.append(
            Fault(
                f"{path}.shooters",
                f"{unit.shooters} shooters among {unit.models} models: at most all",
            )
        )
    if unit.chariot is not None and unit.troop not in CHARIOTS:
        faults.append(
            Fault(
                f"{path}.chariot", f'is given for troop = "{unit.troop}": write troop = "chariot"'
            )
        )
    if unit.missile is not None and unit.BS == 0:
        faults.append(Fault(f"{path}.BS", "is 0, yet the unit has a missile weapon: from 1 to 10"))
    faults += _check_numbers(path, unit)
    if isinstance(unit.engaged, str) and unit.engaged not in model.unit:
        faults.append(
            Fault(
                f"{path}.engaged",
                f"there is no unit {unit.engaged!r}" + nearest(unit.engaged, model.unit),
            )
        )
    if isinstance(unit.engaged, str) and path == f"unit.{unit.engaged}":
        faults.append(Fault(f"{path}.engaged", "a unit cannot fight itself: name an enemy"))
    if unit.engaged and unit.fleeing:
        faults.append(Fault(f"{path}.fleeing", "a unit cannot both fight and flee: keep one"))
    if model.units == "inch" and unit.troop not in ("flyer",) and unit.M > 20:
        faults.append(Fault(f"{path}.M", f'{unit.M:g} inches: for centimetres write units = "cm"'))
    return faults


MOST_AT_ONCE = 510
"""Most shots, hits or regenerating wounds at one time: what a chance node holds."""


def _check_numbers(path: str, unit: Unit) -> list[Fault]:
    """Find numbers that are sound each by itself and too many together."""
    faults = []
    if unit.missile is not None:
        shots = unit.missile.shots if isinstance(unit.missile, MissileTable) else 2
        shooters = unit.models if unit.shooters is None else unit.shooters
        if shots * shooters > MOST_AT_ONCE:
            faults.append(
                Fault(
                    f"{path}.shooters",
                    f"{shooters} models with up to {shots} shots are more than "
                    f"{MOST_AT_ONCE} shots: fewer of either",
                )
            )
    if unit.regeneration is not None and unit.models * unit.W > MOST_AT_ONCE:
        faults.append(
            Fault(
                f"{path}.models",
                f"{unit.models} models of {unit.W} wounds that regenerate are more than "
                f"{MOST_AT_ONCE} wounds: fewer of either",
            )
        )
    if unit.chariot is not None:
        default = "1D6" if unit.troop == "chariot" else "1D3"
        constant, dice = dice_terms(unit.chariot.impact_hits or default) or (0.0, [])
        number, sides = dice[0] if dice else (0, 0)
        front = unit.width or 1
        if front * number > 50 or front * (number * sides + constant) > MOST_AT_ONCE:
            faults.append(
                Fault(
                    f"{path}.width", f"{front} chariots abreast are too many for their hits: fewer"
                )
            )
    return faults


def _check_charge(path: str, charge: Charge, model: Model) -> list[Fault]:
    faults = []
    units = model.unit
    for role in ("charger", "target"):
        name = getattr(charge, role)
        if name not in units:
            faults.append(
                Fault(f"{path}.{role}", f"there is no unit {name!r}" + nearest(name, units))
            )
    if charge.charger == charge.target:
        faults.append(Fault(f"{path}.target", f"{charge.target!r} charges itself: name an enemy"))
        return faults
    charger, target = units.get(charge.charger), units.get(charge.target)
    if charger is not None:
        if charger.side != "active":
            faults.append(
                Fault(
                    f"{path}.charger", f'{charge.charger!r} is not side = "active": only it charges'
                )
            )
        if charger.fleeing:
            faults.append(
                Fault(f"{path}.charger", f"{charge.charger!r} flees (WH6-CHG-01): it cannot charge")
            )
        if charger.engaged:
            faults.append(
                Fault(
                    f"{path}.charger", f"{charge.charger!r} fights (WH6-CHG-01): it cannot charge"
                )
            )
        if charger.troop in CHARIOTS and charge.terrain != "open":
            faults.append(
                Fault(
                    f"{path}.terrain",
                    f"a chariot may not choose to cross it (WH6-CHAR-02): "
                    f'"{charge.terrain}" must be "open"',
                )
            )
        if charger.troop == "war_machine":
            faults.append(
                Fault(f"{path}.charger", f"{charge.charger!r} is a war machine: it cannot charge")
            )
    if charger is not None and target is not None and target.side == charger.side:
        faults.append(
            Fault(
                f"{path}.target",
                f'{charge.target!r} is on the same side: a target is side = "reactive"',
            )
        )
    if (
        charge.gap is not None
        and isinstance(charge.distance, float)
        and charge.gap > charge.distance
    ):
        faults.append(
            Fault(
                f"{path}.gap",
                f"{charge.gap:g} is longer than the distance {charge.distance:g}: at most that",
            )
        )
    if len(charge.blocked_by) > st.BLOCKERS:
        faults.append(Fault(f"{path}.blocked_by", f"names more than {st.BLOCKERS} units"))
    for name in charge.blocked_by:
        faults += _check_blocker(f"{path}.blocked_by", name, charge, model)
    return faults


def _check_blocker(path: str, name: str, charge: Charge, model: Model) -> list[Fault]:
    """Say why a charge may not be declared through this unit (WH6-CHG-12)."""
    if name not in model.unit:
        return [Fault(path, f"there is no unit {name!r}" + nearest(name, model.unit))]
    if name in (charge.charger, charge.target):
        return [Fault(path, f"{name!r} takes part in the charge: name another unit")]
    unit = model.unit[name]
    if unit.side != "active":
        return [
            Fault(
                path,
                f"{name!r} is an enemy nobody has charged (WH6-CHG-12): the charge is not legal",
            )
        ]
    if not unit.fleeing:
        return [
            Fault(
                path,
                f"{name!r} does not flee (WH6-CHG-12): it cannot be gone, the charge is not legal",
            )
        ]
    return []
