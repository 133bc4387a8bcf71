"""Outlines of scenarios: what units and charges have to do with each other.

Variants of a scenario differ mostly in numbers of one unit or charge, such as leadership or a
distance. Who fights whom, and whether it all fits together, does not hang on these.
"""

from __future__ import annotations

from typing import Any

from chargesim.rulesets.values import keep, new_memory, outlined
from chargesim.rulesets.wh6.scenario import Model

_outlines: dict[Any, Model] = new_memory()
_last: dict[str, tuple[Model, Model]] = new_memory()
"""The last model and its outline: what is checked is mostly set up next."""


def outline_of(model: Model) -> Model:
    """The model with outlines of its units and charges; for equal ones, mostly the same one."""
    last = _last.get("")
    if last is None or last[0] is not model:
        last = _last[""] = model, _reckon(model)
    return last[1]


def _reckon(model: Model) -> Model:
    units = {name: outlined(unit) for name, unit in model.unit.items()}
    charges = tuple([outlined(charge) for charge in model.charge])
    # tables by number: those of an outline that is remembered are kept with it
    key = (
        model.units,
        id(model.switches),
        tuple(model.reaction.items()),
        tuple([(name, id(unit)) for name, unit in units.items()]),
        tuple(map(id, charges)),
    )
    found = _outlines.get(key)
    if found is None:
        update = {"unit": units, "charge": charges, "title": ""}
        found = keep(_outlines, key, model.model_copy(update=update))
    return found
