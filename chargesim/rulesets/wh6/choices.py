"""What the players of wh6 may choose, and what is at stake."""

from __future__ import annotations

from chargesim.rulesets import Choice, Stake
from chargesim.rulesets.wh6.cast import entries
from chargesim.rulesets.wh6.scenario import Aimed, Model, Unit
from chargesim.rulesets.wh6.setup import compelled
from chargesim.rulesets.wh6.state import Kind

LOST = ("destroyed", "fleeing", "fled_off_table")
"""States in which a unit's points are lost."""


def choices(model: Model) -> list[Choice]:
    """Every choice that the scenario leaves to its owner, in the order in which they are made.

    Reactions first, then where to redirect, then whether to pursue. Each is made once, before the
    dice it depends on are known.
    """
    found = []
    for name, wish in model.reaction.items():
        if (wish.do if isinstance(wish, Aimed) else wish) == "best":
            found.append(Choice(name, model.unit[name].side, _reactions(model, name)))
    for i, charge in enumerate(model.charge):
        if charge.redirect_choice == "best":
            path = f"charge.{i}.redirect_choice"
            found.append(
                Choice(
                    charge.charger,
                    "active",
                    (("redirect", {path: "first"}), ("never redirect", {path: "never"})),
                )
            )
    for name, unit in model.unit.items():
        if unit.restrain == "best":
            path = f"unit.{name}.restrain"
            found.append(
                Choice(name, unit.side, (("pursue", {path: False}), ("restrain", {path: True})))
            )
    return found


def _reactions(model: Model, name: str) -> tuple[tuple[str, dict[str, object]], ...]:
    """Reactions of a unit; it may stand and shoot at any one of its chargers."""
    unit: Unit = model.unit[name]
    path = f"reaction.{name}"
    options: list[tuple[str, dict[str, object]]] = [("hold", {path: "hold"})]
    if unit.missile is not None:
        chargers = [
            entry.charger
            for entry in entries(model, tuple(compelled(model).items()))
            if entry.target == name and entry.kind in (Kind.DECLARED, Kind.COMPULSORY)
        ]
        if len(chargers) == 1:
            options.append(("stand_and_shoot", {path: "stand_and_shoot"}))
        else:
            options += [
                (f"stand_and_shoot at {at}", {path: {"do": "stand_and_shoot", "at": at}})
                for at in chargers
            ]
    return (*options, ("flee", {path: "flee"}))


def stakes(model: Model) -> dict[str, Stake]:
    """Side and worth of each unit: its points, or the unit strength it began with."""
    return {
        name: Stake(
            unit.side,
            unit.points if unit.points is not None else unit.models * (unit.unit_strength or 0),
        )
        for name, unit in model.unit.items()
    }
