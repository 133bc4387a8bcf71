"""Who may charge whom before anybody has declared, why each other one not, and from where."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.games import Target
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.game import MOST_CASES, TRIALS
from chargesim.rulesets.ranked_regiment.game_tree import Battle
from chargesim.rulesets.ranked_regiment.reading import REASONS
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.setup import setup
from chargesim.rulesets.ranked_regiment.telling_words import REASONS as WORDS
from chargesim.words import translation

MOST_CELLS = 250_000
"""Places of a map."""


def targets(
    model: Model, lang: str = "en", *, trials: int | None = None, seed: int = 0
) -> list[Target]:
    """Every unit and every enemy of it, as things stand before the first declaration.

    RNK-DECL-08: who may be charged on which side, and why each other one may not. Where poses or
    Moves are uncertain the chances are over all they may be, or over a sample of that.

    Parameters
    ----------
    model
        A sound scenario.
    lang
        Language of the reasons.
    trials, seed
        Of the sample.
    """
    from chargesim.rulesets.ranked_regiment.rules_sight import span, survey

    trials = trials or TRIALS
    say = translation("ranked_regiment", lang).gettext
    battle = Battle(model)
    units = len(battle.names)
    verdicts = np.zeros((units, units, 2), np.int64)
    seen: dict[tuple[int, int], Counter[tuple[int, int]]] = {}
    cases = battle.cases(MOST_CASES)
    drawn = ((1.0, case) for case in battle.drawn(range(trials), seed))
    total = 0.0
    for weight, case in cases or drawn:
        battle.begin(case)
        battle.put(battle.root(0))
        battle.kernels.judge_all(battle.game, verdicts)
        total += weight
        for u in range(units):
            for t in range(units):
                verdict = (int(verdicts[u, t, 0]), int(verdicts[u, t, 1]))
                seen.setdefault((u, t), Counter())[verdict] += weight  # type: ignore[assignment]
    battle.begin(battle.stated)
    found = []
    for (u, t), counted in seen.items():
        name, other = battle.names[u], battle.names[t]
        if model.unit[name].side == model.unit[other].side:
            continue
        faces: dict[str, float] = {}
        reasons: dict[tuple[str, str], float] = {}
        for (code, side), weight in counted.most_common():
            if code == st.Why.LEGAL:
                face = st.Face(side).name.lower()
                faces[face] = faces.get(face, 0.0) + weight / total
            else:
                why = REASONS[st.Why(code)], say(WORDS[st.Why(code)])
                reasons[why] = reasons.get(why, 0.0) + weight / total
        pair = survey(battle.game, u, t)
        apart = float(span(battle.game, u, t, int(pair["arc"]))) if pair["distance"] >= 0 else None
        chance = 1.0 if not reasons else sum(faces.values())
        sure = not faces and len(reasons) == 1
        told = tuple((*why, 1.0 if sure else p) for why, p in reasons.items())
        sample = None if cases else trials
        found.append(Target(name, other, chance, faces, apart, told, sample))
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
