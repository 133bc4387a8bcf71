"""Who may charge whom before anybody has declared, why each other one not, and from where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.reading import REASONS
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.setup import setup
from chargesim.rulesets.ranked_regiment.telling_words import REASONS as WORDS

MOST_CELLS = 250_000
"""Places of a map."""


@dataclass(frozen=True)
class Target:
    """One unit as the target of another.

    Parameters
    ----------
    unit, target
        Who would charge whom.
    legal
        Whether it may.
    side
        Side of the target that it would strike, ``None`` where that is not reached.
    distance
        Length of the charge; ``None`` where the target is outside the sight arc.
    rule, why
        Rule that forbids it and the reason, empty when it is legal.
    """

    unit: str
    target: str
    legal: bool
    side: str | None
    distance: float | None
    rule: str = ""
    why: str = ""


def targets(model: Model) -> list[Target]:
    """Every unit and every enemy of it, as things stand before the first declaration.

    RNK-DECL-08: poses and Moves that are uncertain are taken at their middle.
    """
    from chargesim.rulesets.ranked_regiment.rules_declare import may_charge
    from chargesim.rulesets.ranked_regiment.rules_sight import span, survey

    game = st.LAYOUT.full(setup(model, apart=False)[0].start)[0]
    names = list(model.unit)
    found = []
    for u, name in enumerate(names):
        for t, other in enumerate(names):
            if model.unit[name].side == model.unit[other].side:
                continue
            code, side = (int(x) for x in may_charge(game, u, t))
            why = st.Why(code)
            pair = survey(game, u, t)
            distance = float(span(game, u, t, int(pair["arc"]))) if pair["distance"] >= 0 else None
            if why is st.Why.LEGAL:
                face = st.Face(side).name.lower()
                found.append(Target(name, other, True, face, distance))
            else:
                found.append(Target(name, other, False, None, distance, REASONS[why], WORDS[why]))
    return found


def position_map(
    model: Model, unit: str, target: str, xs: Any, ys: Any, *, turned: bool = True
) -> np.ndarray[Any, Any]:
    """Side of a target that a unit could charge from each of many places.

    Parameters
    ----------
    model
        A sound scenario.
    unit, target
        Who charges whom.
    xs, ys
        Coordinates of the places.
    turned
        True when the unit faces the target from each place; False keeps its facing.

    Returns
    -------
    array of int
        Shape (ys, xs): 0 front, 1 left, 2 right, 3 rear; -1 where no charge is legal, as where it
        would stand on another unit or on impassable terrain.

    Raises
    ------
    InputError
        For an unknown unit, or too many places.
    """
    from chargesim.rulesets.ranked_regiment.rules_declare import may_charge
    from chargesim.rulesets.ranked_regiment.rules_sight import is_clear

    names = list(model.unit)
    for name in (unit, target):
        if name not in names:
            raise InputError(f"map: there is no unit {name!r}: one of {', '.join(names)}")
    if len(xs) * len(ys) > MOST_CELLS:
        raise InputError(f"map: more than {MOST_CELLS:,} places: fewer, or a wider step")
    u, t = names.index(unit), names.index(target)
    game = st.LAYOUT.full(setup(model, apart=False)[0].start)[0]
    one, other = game["units"][u], game["units"][t]
    units = len(names)
    fx, fy = float(one["fx"]), float(one["fy"])
    found = np.full((len(ys), len(xs)), -1, np.int8)
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            if turned:
                dx, dy = float(other["x"]) - float(x), float(other["y"]) - float(y)
                size = (dx * dx + dy * dy) ** 0.5 or 1.0
                fx, fy = dx / size, dy / size
            one["x"], one["y"], one["fx"], one["fy"] = x, y, fx, fy
            game["pairs"]["known"][: units * units] = 0
            a, b = float(one["a"]), float(one["b"])
            if not is_clear(game, float(x), float(y), fx, fy, a, b, u, u):
                continue
            why, side = may_charge(game, u, t)
            if why == 0:
                found[i, j] = side
    return found
