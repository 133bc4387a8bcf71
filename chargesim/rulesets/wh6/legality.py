"""Faults of sense in a scenario of sound form: what does not fit or may not be declared.

Units in :mod:`.legality_units`, charges in :mod:`.legality_charges`, room for them in
:mod:`.legality_room`; here is what concerns the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from chargesim.faults import Fault, name_faults, nearest
from chargesim.rulesets.values import remembered
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.legality_charges import (
    check_charge,
    check_compelled,
    check_gap,
    compelled,
)
from chargesim.rulesets.wh6.legality_room import check_room
from chargesim.rulesets.wh6.legality_units import (
    check_alone,
    check_attacks,
    check_unit,
    fighting_in,
)
from chargesim.rulesets.wh6.outline import outline_of
from chargesim.rulesets.wh6.scenario import Aimed, Charge, Compelled, Model, Unit

MOST_CHARGERS = 31
"""Most chargers and opponents of one unit: what the race of pursuit holds."""


def check(model: Model) -> list[Fault]:
    """Faults of sense in a model of sound form; each names the rule it would break.

    Also WH6-CHG-01, WH6-CHG-05, WH6-CHG-12, WH6-CHAR-02.
    """
    # variants are mostly sound, and that is quickly seen
    return [] if _is_sound(model) else faults_of(model)


def _is_sound(model: Model) -> bool:
    """True when there is no fault; in some rare cases false all the same."""
    for unit in model.unit.values():
        if not _is_sound_alone(unit, model.units):
            return False
    for charge in model.charge:
        if check_gap("", charge):
            return False
    return _fits_together(outline_of(model))


@remembered
def _is_sound_alone(unit: Unit, lengths: str) -> bool:
    # of those that do not fight it is not known whether they may
    return not check_alone("", unit, lengths) and not check_attacks("", unit)


@remembered
def _fits_together(outline: Model) -> bool:
    return not faults_of(outline, alone=False)


def faults_of(model: Model, alone: bool = True) -> list[Fault]:
    """All faults of sense.

    Parameters
    ----------
    model
        The model, or an outline of it.
    alone
        False leaves out what a table tells by itself, which is not in its outline.
    """
    faults: list[Fault] = []
    if len(model.unit) > st.UNITS:
        faults.append(Fault("unit", f"{len(model.unit)} units are too many: at most {st.UNITS}"))
    fighting = fighting_in(model)
    for name, unit in model.unit.items():
        faults += check_unit(f"unit.{name}", name, unit, model, fighting, alone)
        faults += check_compelled(f"unit.{name}.may_reach", name, unit, model)
        faults += name_faults(f"unit.{name}", name)
    if not model.charge and not compelled(model):
        why = ""
        if any(unit.may_reach for unit in model.unit.values()):
            why = ", and nobody is compelled to charge (WH6-FRENZ-01)"
        faults.append(Fault("charge", f"is missing{why}: write one [[charge]]"))
    for number in range(len(model.charge)):
        faults += check_charge(number, model, alone)
    faults += _check_counts(model)
    faults += check_room(model)
    faults += _check_reactions(model)
    return faults


def _meetings(model: Model) -> Iterator[tuple[str, str]]:
    """Every charger and target that the file speaks of, redirected and compelled ones too."""
    ways: list[tuple[str, Charge | Compelled]] = [(c.charger, c) for c in model.charge]
    ways += [(name, way) for name, unit in model.unit.items() for way in unit.may_reach]
    for charger, way in ways:
        yield charger, way.target
        for new in way.redirect:
            yield charger, new.target


def _check_counts(model: Model) -> list[Fault]:
    """Find more charges, charged units or chargers of one unit than a game has room for."""
    met = [(charge.charger, charge.target) for charge in model.charge]
    forced = compelled(model)
    met += [(name, model.unit[name].may_reach[place].target) for name, place in forced.items()]
    for charge in model.charge:
        met += [(charge.charger, new.target) for new in charge.redirect]
    for name, place in forced.items():
        met += [(name, new.target) for new in model.unit[name].may_reach[place].redirect]
    targets = list(dict.fromkeys(target for _, target in met))
    for target in targets:
        unit = model.unit.get(target)
        if unit is not None and isinstance(unit.engaged, str):
            met.append((unit.engaged, target))
    faults = []
    if len(met) > st.CHARGES:
        faults.append(
            Fault(
                "charge",
                f"{len(met)} charges, redirections and fights of charged units are too many: "
                f"at most {st.CHARGES}",
            )
        )
    if len(targets) > st.COMBATS:
        faults.append(
            Fault("charge", f"{len(targets)} charged units are too many: at most {st.COMBATS}")
        )
    for target in targets:
        number = sum(other == target for _, other in met)
        if number > MOST_CHARGERS and len(met) <= st.CHARGES:
            faults.append(
                Fault(
                    "charge",
                    f"{number} units against {target!r} are too many: at most {MOST_CHARGERS}",
                )
            )
    return faults


def _check_reactions(model: Model) -> list[Fault]:
    chargers: dict[str, list[str]] = {}
    for charger, target in _meetings(model):
        chargers.setdefault(target, []).append(charger)
    faults = []
    for name, wish in model.reaction.items():
        path = f"reaction.{name}"
        if name not in chargers:
            if not chargers or not set(chargers) <= set(model.unit):
                continue  # that nobody charges, or a misspelt target, is told of elsewhere
            faults.append(Fault(path, "is not a charged unit" + nearest(name, chargers)))
        elif isinstance(wish, Aimed) and wish.at is not None:
            own = list(dict.fromkeys(chargers[name]))
            if wish.do in ("hold", "flee"):
                faults.append(
                    Fault(f"{path}.at", f'is given with "{wish.do}": only stand_and_shoot aims')
                )
            if wish.at not in own:
                faults.append(
                    Fault(
                        f"{path}.at", f"{wish.at!r} does not charge {name}" + nearest(wish.at, own)
                    )
                )
    return faults
