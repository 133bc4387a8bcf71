"""Faults of sense in charges, declared, redirected and compelled, and who stands in the way."""

from __future__ import annotations

from collections.abc import Iterator

from chargesim.faults import Fault, nearest
from chargesim.rulesets.values import remembered
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    CHARIOTS,
    Charge,
    Compelled,
    Model,
    Redirect,
    Unit,
)

_FRIGHTENING = {"fear", "terror", "undead", "daemon"}
_IMMUNE = {"immune_to_psychology", "unbreakable", "undead", "daemon", "frenzy"}
_FLIGHT = {"cm": 50, "inch": 20}


def compelled(model: Model) -> dict[str, int]:
    """Units that Frenzy compels to charge, with the place of the entry of ``may_reach``.

    The first that is within plain reach with nobody in the way (WH6-FRENZ-01, WH6-CHG-13); nobody
    who flees, fights or has declared a charge (WH6-FRENZ-06).
    """
    declared = {charge.charger for charge in model.charge}
    found: dict[str, int] = {}
    for name, unit in model.unit.items():
        idle = name not in declared and unit.side == "active"
        if (
            not unit.may_reach
            or not idle
            or unit.fleeing
            or unit.engaged
            or "frenzy" not in unit.rules
        ):
            continue
        reach = 2 * unit.M
        if "flyer" in unit.rules:
            flight = _FLIGHT[model.units]
            reach = max(reach, flight) if unit.troop in CHARIOTS else flight
        for place, way in enumerate(unit.may_reach):
            if not way.blocked_by and round(100 * way.distance) <= round(100 * reach):
                found[name] = place
                break
    return found


def check_charge(number: int, model: Model, alone: bool = True) -> list[Fault]:
    """Faults of one declared charge (WH6-CHG-01); ``alone`` as for :func:`.legality.faults_of`."""
    charge, units = model.charge[number], model.unit
    path = f"charge.{number}"
    faults = []
    charger = units.get(charge.charger)
    if charger is None:
        message = f"there is no unit {charge.charger!r}" + nearest(charge.charger, units)
        faults.append(Fault(f"{path}.charger", message))
    elif charge.charger == charge.target:
        return [Fault(f"{path}.target", f"{charge.target!r} charges itself: name an enemy")]
    else:
        faults += _check_charger(f"{path}.charger", charge.charger, charger)
        before = [c.charger for c in model.charge[:number]]
        if charge.charger in before:
            faults.append(
                Fault(
                    f"{path}.charger",
                    f"{charge.charger!r} has declared charge.{before.index(charge.charger)} "
                    "(WH6-CHG-01): one charge a unit; where to go when its target flees stands in "
                    "redirect",
                )
            )
    faults += _check_way(path, charge.charger, charge, model)
    if alone:
        faults += check_gap(path, charge)
    faults += _check_ground(path, charger, charge)
    faults += _check_redirects(path, charge.charger, charge, model)
    if len(charge.blocked_by) > st.BLOCKERS:
        faults.append(Fault(f"{path}.blocked_by", f"names more than {st.BLOCKERS} units"))
    for i, name in enumerate(charge.blocked_by):
        if name in charge.blocked_by[:i]:
            faults.append(Fault(f"{path}.blocked_by", f"{name!r} is named twice: keep one"))
        else:
            faults += _check_blocker(f"{path}.blocked_by", name, number, model)
    return faults


def _check_charger(path: str, name: str, unit: Unit) -> Iterator[Fault]:
    if unit.side != "active":
        yield Fault(path, f'{name!r} is not side = "active": only it charges')
    if unit.fleeing:
        yield Fault(path, f"{name!r} flees (WH6-CHG-01): it cannot charge")
    if unit.engaged:
        whom = f" {unit.engaged!r}" if isinstance(unit.engaged, str) else ""
        yield Fault(path, f"{name!r} fights{whom} (WH6-CHG-01): it cannot charge")
    if unit.troop == "war_machine":
        yield Fault(path, f"{name!r} is a war machine: it cannot charge")


def _check_way(
    path: str, charger: str, way: Charge | Compelled | Redirect, model: Model
) -> Iterator[Fault]:
    """Whether there is such an enemy, at no more than its distance in a straight line."""
    target, unit = model.unit.get(way.target), model.unit.get(charger)
    if target is None:
        message = f"there is no unit {way.target!r}" + nearest(way.target, model.unit)
        yield Fault(f"{path}.target", message)
    elif way.target == charger:
        yield Fault(f"{path}.target", f"{way.target!r} charges itself: name an enemy")
    elif unit is not None and target.side == unit.side:
        yield Fault(
            f"{path}.target",
            f'{way.target!r} is on the same side: a target is side = "reactive"',
        )


@remembered
def check_gap(path: str, way: Charge | Compelled | Redirect) -> list[Fault]:
    """Faults of the lengths of a way, whatever else there is."""
    if way.gap is None or not isinstance(way.distance, float) or way.gap <= way.distance:
        return []
    message = f"{way.gap:g} is longer than the distance {way.distance:g}: at most that"
    return [Fault(f"{path}.gap", message)]


def _check_ground(path: str, unit: Unit | None, way: Charge | Redirect) -> Iterator[Fault]:
    if unit is not None and unit.troop in CHARIOTS and way.terrain != "open":
        yield Fault(
            f"{path}.terrain",
            f'a chariot may not choose to cross it (WH6-CHAR-02): "{way.terrain}" must be "open"',
        )


def _check_redirects(
    path: str, charger: str, way: Charge | Compelled, model: Model
) -> Iterator[Fault]:
    """Whether the targets that may take the place of one that fled are others (WH6-REDIR-01)."""
    for i, new in enumerate(way.redirect):
        at = f"{path}.redirect.{i}"
        if new.target == way.target:
            yield Fault(
                f"{at}.target",
                f"{new.target!r} is the target of the charge itself (WH6-REDIR-01): name another "
                "enemy",
            )
        elif new.target in [other.target for other in way.redirect[:i]]:
            yield Fault(f"{at}.target", f"{new.target!r} is named twice: keep one")
        yield from _check_way(at, charger, new, model)
        yield from check_gap(at, new)
        yield from _check_ground(at, model.unit.get(charger), new)


def check_compelled(path: str, name: str, unit: Unit, model: Model) -> list[Fault]:
    """Faults of the enemies that Frenzy may compel a unit to charge.

    Without Frenzy they have no effect, and chariots may be forced through any ground (WH6-CHAR-02).
    """
    if not unit.may_reach:
        return []
    if unit.side != "active":
        return [
            Fault(
                path,
                'is given for side = "reactive": only the active side charges (WH6-FRENZ-01)',
            )
        ]
    if unit.troop == "war_machine":
        return [Fault(path, "is given for a war machine, which cannot charge: leave it out")]
    faults: list[Fault] = []
    for i, way in enumerate(unit.may_reach):
        at = f"{path}.{i}"
        faults += _check_way(at, name, way, model)
        faults += check_gap(at, way)
        faults += _check_redirects(at, name, way, model)
        if way.target in [other.target for other in unit.may_reach[:i]]:
            faults.append(Fault(f"{at}.target", f"{way.target!r} is named twice: keep one"))
        for other in way.blocked_by:
            if other not in model.unit:
                message = f"there is no unit {other!r}" + nearest(other, model.unit)
                faults.append(Fault(f"{at}.blocked_by", message))
            elif other in (name, way.target):
                faults.append(
                    Fault(f"{at}.blocked_by", f"{other!r} takes part in the charge: name another")
                )
    return faults


def _check_blocker(path: str, name: str, number: int, model: Model) -> list[Fault]:
    """Say why a charge may not be declared through this unit (WH6-CHG-12)."""
    charge = model.charge[number]
    if name not in model.unit:
        return [Fault(path, f"there is no unit {name!r}" + nearest(name, model.unit))]
    if name in (charge.charger, charge.target):
        return [Fault(path, f"{name!r} takes part in the charge: name another unit")]
    unit = model.unit[name]
    if unit.side == "active":
        why = "" if unit.fleeing else _why_friend_stays(name, number, model)
    else:
        why = _why_enemy_stays(name, unit, number, model)
    if why:
        return [Fault(path, f"{name!r} {why}")]
    return []


def _why_friend_stays(name: str, number: int, model: Model) -> str:
    """Reason why a steady friend cannot be gone in time, empty when it can (WH6-CHG-12 b)."""
    chargers = [charge.charger for charge in model.charge]
    if name in chargers[:number]:
        return ""
    if name in chargers:
        return (
            f"charges later, in charge.{chargers.index(name)} (WH6-CHG-12 b): it is in the way "
            f"still; declare its charge before charge.{number}"
        )
    return (
        "does not flee and has declared no charge before (WH6-CHG-12 a, b): it cannot be gone, "
        "the charge is not legal"
    )


def _why_enemy_stays(name: str, unit: Unit, number: int, model: Model) -> str:
    """Reason why an enemy cannot be forced to flee in time, empty when it can (WH6-CHG-12 c, d)."""
    earlier = [charge for charge in model.charge[:number] if charge.target == name]
    if not earlier:
        later = [i for i, charge in enumerate(model.charge) if charge.target == name and i > number]
        if later:
            return (
                f"is charged later, in charge.{later[0]} (WH6-CHG-12 c): declare that charge "
                f"before charge.{number}"
            )
        return "is an enemy nobody has charged (WH6-CHG-12 c, d): the charge is not legal"
    if unit.fleeing or any(_may_rout(charge, unit, model) for charge in earlier):
        return ""
    chargers = " and ".join(repr(charge.charger) for charge in earlier)
    return (
        f"cannot be forced to flee by the charge of {chargers} (WH6-CHG-12 c, d): that takes fear "
        "of a charger of more unit strength, terror, or panic when engaged and charged in flank or "
        "rear by unit strength 5; the charge is not legal"
    )


def _may_rout(charge: Charge, target: Unit, model: Model) -> bool:
    """True when a charge makes its target take a test by which it may flee (WH6-CHG-11)."""
    charger = model.unit.get(charge.charger)
    if charger is None:
        return True  # a misspelt name is told of at its charge
    mine, of = set(target.rules), set(charger.rules)
    if mine & _IMMUNE:
        return False
    if (
        target.engaged
        and charge.arc != "front"
        and model.switches.panic_engaged
        and strength(charger, model) >= 5
    ):
        return True
    if not of & _FRIGHTENING or "terror" in mine:
        return False
    if "terror" in of and not mine & _FRIGHTENING and not target.terror_tested:
        return True
    fears = "terror" in of or not mine & _FRIGHTENING
    return fears and strength(charger, model) > strength(target, model)


def strength(unit: Unit, model: Model) -> int:
    """Unit strength of all the models of a unit (WH6-US-01)."""
    if unit.troop == "war_machine" and model.switches.war_machine_us == "fixed3":
        return 3
    return int(unit.models * (unit.unit_strength or 1))
