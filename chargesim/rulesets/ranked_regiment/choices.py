"""What the players of ranked_regiment may choose, and what is at stake."""

from __future__ import annotations

from typing import Any

from chargesim.rulesets import Choice, Stake
from chargesim.rulesets.ranked_regiment.scenario import Model, Timed

LOST = ("fled", "broken", "destroyed", "off_table")
"""States in which a unit's points are lost."""


def choices(model: Model) -> list[Choice]:
    """Every choice that the scenario leaves to its owner, in the order in which they are made.

    Charges first, then reactions. For the whole game of declarations see :mod:`.game_tree`.
    """
    found = []
    for i, charge in enumerate(model.charge):
        if charge.declare == "best":
            path = f"charge.{i}.declare"
            found.append(
                Choice(
                    charge.charger,
                    model.unit[charge.charger].side,
                    (("declare", {path: True}), ("do without", {path: False})),
                )
            )
    for name, wish in model.reaction.items():
        kind = wish.do if isinstance(wish, Timed) else wish
        if kind == "best":
            path = f"reaction.{name}"
            found.append(Choice(name, model.unit[name].side, _reactions(model, name, path)))
    return found


def _reactions(model: Model, name: str, path: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    after = model.wish(name).after
    return tuple(
        (kind, {path: {"do": kind, "after": after} if after else kind})
        for kind in ("hold", "counter", "flee")
    )


def stakes(model: Model) -> dict[str, Stake]:
    """Side and worth of each unit: its points, or its models."""
    return {
        name: Stake(unit.side, unit.points if unit.points is not None else unit.models)
        for name, unit in model.unit.items()
    }
