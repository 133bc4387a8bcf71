"""Faults of sense in units: numbers, arms, whom they fight and who stands near them."""

from __future__ import annotations

from collections.abc import Iterator

from chargesim.faults import Fault, nearest
from chargesim.rulesets.values import remembered
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    CHARIOTS,
    Charge,
    Compelled,
    MissileTable,
    Model,
    Unit,
    dice_terms,
)
from chargesim.rulesets.wh6.weapons import MISSILES

MOST_AT_ONCE = 510
"""Most shots, hits, attacks or regenerating wounds at one time: what a chance node holds."""
MOST_DICE = 50
"""Most dice of one sum."""
MOUNTED = ("cavalry", "ridden_monster", "flyer")
"""Troops that may have steeds; the beasts of a chariot are its own."""


def check_unit(
    path: str, name: str, unit: Unit, model: Model, fighting: set[str], alone: bool = True
) -> list[Fault]:
    """Faults of one unit.

    Parameters
    ----------
    path, name
        Where it stands in the file, and its name.
    unit, model
        The unit, and what it is in.
    fighting
        From :func:`fighting_in`.
    alone
        As for :func:`.legality.faults_of`.
    """
    faults: list[Fault] = []
    if alone:
        faults += check_alone(path, unit, model.units)
        if name in fighting:
            faults += check_attacks(path, unit)
    if unit.engaged:
        faults += _check_engaged(path, name, unit, model)
    if unit.neighbours:
        faults += _check_neighbours(path, name, unit, model)
    return faults


@remembered
def check_alone(path: str, unit: Unit, lengths: str) -> list[Fault]:
    """Faults of a unit whatever else there is."""
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
    if lengths == "inch" and unit.troop not in ("flyer",) and unit.M > 20:
        faults.append(Fault(f"{path}.M", f'{unit.M:g} inches: for centimetres write units = "cm"'))
    return [*faults, *_check_mount(path, unit), *_check_numbers(path, unit)]


def _check_mount(path: str, unit: Unit) -> list[Fault]:
    """Find steeds and lances of those who do not ride (WH6-WPN-lance)."""
    faults = []
    if unit.mount is not None and unit.troop in CHARIOTS:
        faults.append(
            Fault(
                f"{path}.mount",
                f'is given for troop = "{unit.troop}": what draws it stands in '
                f"{path}.chariot.beasts",
            )
        )
    elif unit.mount is not None and unit.troop not in MOUNTED:
        faults.append(
            Fault(
                f"{path}.mount",
                f'is given for troop = "{unit.troop}", which does not ride: '
                f'write troop = "cavalry" or "ridden_monster"',
            )
        )
    if unit.weapon == "lance" and unit.troop not in (*MOUNTED, *CHARIOTS):
        faults.append(
            Fault(
                f"{path}.weapon",
                f'troop = "{unit.troop}" has no steed for a lance (WH6-WPN-lance): '
                'write troop = "cavalry", or weapon = "spear"',
            )
        )
    return faults


def _check_numbers(path: str, unit: Unit) -> list[Fault]:
    """Find numbers that are sound each by itself and too many together."""
    faults = []
    if unit.missile is not None:
        if isinstance(unit.missile, MissileTable):
            shots = unit.missile.shots
        else:
            weapon = MISSILES[str(unit.missile)]
            shots = weapon.shots if weapon.double_within is None else 2
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
        if front * number > MOST_DICE or front * (number * sides + constant) > MOST_AT_ONCE:
            faults.append(
                Fault(
                    f"{path}.width", f"{front} chariots abreast are too many for their hits: fewer"
                )
            )
    rough = any(way.terrain != "open" for way in unit.may_reach)
    if unit.troop in CHARIOTS and rough and unit.models > MOST_DICE:
        faults.append(
            Fault(
                f"{path}.models",
                f"{unit.models} chariots forced through difficult ground (WH6-CHAR-02) are too "
                f"many: at most {MOST_DICE}",
            )
        )
    return faults


def fighting_in(model: Model) -> set[str]:
    """Names of the units that may strike a blow: whoever is in a charge or a fight."""
    found: set[str] = set()
    ways: list[tuple[str, Charge | Compelled]] = [(c.charger, c) for c in model.charge]
    ways += [(name, way) for name, unit in model.unit.items() for way in unit.may_reach]
    for charger, way in ways:
        found |= {charger, way.target, *(new.target for new in way.redirect)}
    return found | {unit.engaged for unit in model.unit.values() if isinstance(unit.engaged, str)}


@remembered
def check_attacks(path: str, unit: Unit) -> list[Fault]:
    """Find more attacks at one time than a chance node holds."""
    front, fighters = _fighters(unit)
    crew = unit.chariot.crew if unit.chariot else None
    beasts = unit.chariot.beasts if unit.chariot else None
    attacks = (crew.A if crew else unit.A) or 0
    if unit.weapon in ("two_hand_weapons", "brace_of_pistols") and unit.troop in (
        "infantry",
        "ogre",
    ):
        attacks += 1
    attacks += "frenzy" in unit.rules
    blows = [(fighters, attacks * (crew.count if crew else 1), "attacks", int(unit.champion))]
    if beasts is not None:
        blows.append((front, beasts.A * beasts.count, "attacks of beasts", 0))
    elif unit.mount is not None:
        blows.append((front, unit.mount.A, "attacks of steeds", 0))
    return [
        Fault(
            f"{path}.width",
            f"{strikers} models that fight with {each} {what} each are more than "
            f"{MOST_AT_ONCE} at once: fewer of either",
        )
        for strikers, each, what, champion in blows
        if strikers * each + champion > MOST_AT_ONCE
    ]


def _fighters(unit: Unit) -> tuple[int, int]:
    """Most models of a unit that fight at one time: without and with ranks in support."""
    models = unit.models
    width = min(unit.width or 1, models)
    ranks = 1
    if "bretonnian_lance" in unit.rules:
        width = min(3, models)
        front = width + 2 * max(models // 3 - 1, 0)
    else:
        front = max(width, -(-models // width))  # struck in front or on a flank
    if unit.troop == "infantry" and unit.weapon in ("spear", "pike"):
        ranks = 4 if unit.weapon == "pike" else 3 if "elf_spears" in unit.rules else 2
    return front, max(front, min(width * ranks, models))


def _check_engaged(path: str, name: str, unit: Unit, model: Model) -> list[Fault]:
    """Whether the unit that this one fights can be fighting it."""
    if unit.fleeing:
        return [Fault(f"{path}.fleeing", "a unit cannot both fight and flee: keep one")]
    if not isinstance(unit.engaged, str):
        return []
    path = f"{path}.engaged"
    foe = model.unit.get(unit.engaged)
    if foe is None:
        return [
            Fault(path, f"there is no unit {unit.engaged!r}" + nearest(unit.engaged, model.unit))
        ]
    if unit.engaged == name:
        return [Fault(path, "a unit cannot fight itself: name an enemy")]
    if foe.side == unit.side:
        other = "reactive" if unit.side == "active" else "active"
        return [
            Fault(
                path,
                f"{unit.engaged!r} is on the same side: name a unit of the {other} side, or write "
                "true for one that is not in the file",
            )
        ]
    if foe.fleeing:
        return [
            Fault(path, f"{unit.engaged!r} flees and fights nobody: write false, or let it stand")
        ]
    if isinstance(foe.engaged, str) and foe.engaged != name:
        return [
            Fault(
                path,
                f"{unit.engaged!r} fights {foe.engaged!r} by unit.{unit.engaged}.engaged: "
                f"write {name!r} there, or true here",
            )
        ]
    return list(_check_rivals(path, name, unit, foe, model))


def _check_rivals(path: str, name: str, unit: Unit, foe: Unit, model: Model) -> Iterator[Fault]:
    """Find a second old opponent of a charged unit: only one stands in the fight."""
    charged = any(charge.target == unit.engaged for charge in model.charge)
    rivals = [n for n, u in model.unit.items() if u.engaged == unit.engaged]
    if foe.side == "reactive" and charged and len(rivals) > 1 and name != rivals[0]:
        yield Fault(
            path,
            f"{unit.engaged!r} is charged and fights {rivals[0]!r} already: one old opponent of a "
            "charged unit can be played, keep one",
        )


def _check_neighbours(path: str, name: str, unit: Unit, model: Model) -> list[Fault]:
    """Whether those who may panic are other units of the same side, each once."""
    path = f"{path}.neighbours"
    faults = []
    if len(unit.neighbours) > st.NEIGHBOURS:
        faults.append(
            Fault(
                path,
                f"{len(unit.neighbours)} units are too many: keep the nearest {st.NEIGHBOURS}",
            )
        )
    seen: set[str] = set()
    for i, friend in enumerate(unit.neighbours):
        at = f"{path}.{i}.unit"
        if friend.unit not in model.unit:
            message = f"there is no unit {friend.unit!r}" + nearest(friend.unit, model.unit)
            faults.append(Fault(at, message))
        elif friend.unit == name:
            faults.append(Fault(at, f"{name!r} is its own neighbour: name another unit"))
        elif model.unit[friend.unit].side != unit.side:
            faults.append(
                Fault(
                    at,
                    f"{friend.unit!r} is an enemy: neighbours are friends, who may panic "
                    "(WH6-PANIC-01)",
                )
            )
        elif friend.unit in seen:
            faults.append(Fault(at, f"{friend.unit!r} is named twice: keep one distance"))
        seen.add(friend.unit)
    return faults
