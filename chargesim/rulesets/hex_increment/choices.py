"""What the players of hex_increment may choose, and what is at stake."""

from __future__ import annotations

from typing import Any

from chargesim.rulesets import Choice, Stake
from chargesim.rulesets.hex_increment.plan import plans
from chargesim.rulesets.hex_increment.scenario import Model
from chargesim.rulesets.hex_increment.setup import may_retire, may_square

LOST = ("pgd", "gone")
"""States in which a unit's points are lost."""


def choices(model: Model) -> list[Choice]:
    """Every reaction that the scenario leaves to its owner: stand, square at a distance, retire."""
    found = []
    met = {one.name: one for plan in plans(model) for one in plan.met}
    for name in model.reaction:
        if model.wish(name)[0] != "best":
            continue
        path = f"reaction.{name}"
        options: list[tuple[str, dict[str, Any]]] = [("stand", {path: "stand"})]
        options += [
            (word, {path: word})
            for word in (f"square at {at}" for at in may_square(model, met[name]))
        ]
        if may_retire(model, name):
            options.append(("retire", {path: "retire"}))
        found.append(Choice(name, model.unit[name].side, tuple(options)))
    return found


def stakes(model: Model) -> dict[str, Stake]:
    """Side and worth of each unit: its points, or its melee value."""
    return {
        name: Stake(unit.side, unit.points if unit.points is not None else unit.melee)
        for name, unit in model.unit.items()
    }
