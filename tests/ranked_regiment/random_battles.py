"""Random battles of ranked regiments: everything a file may say, in no order."""

from __future__ import annotations

import random
from typing import Any

from ranked_regiment.build import battle

from chargesim.faults import ScenarioError
from chargesim.rulesets.ranked_regiment.scenario import KINDS, RULES, switch_rows
from chargesim.scenario import Scenario


def _switches(rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, values, _, _ in switch_rows():
        if rng.random() < 0.25:
            word = rng.choice(values.split(", "))
            found[name] = {"true": True, "false": False}.get(word, word)
    return found


def _unit(rng: random.Random, side: str, noise: bool) -> dict[str, Any]:
    models = rng.choice([1, 3, 5, 8, 12, 20])
    unit: dict[str, Any] = {
        "side": side,
        "at": (
            round(rng.uniform(6, 34), 1),
            round(rng.uniform(2, 12) if side == "active" else rng.uniform(12, 24), 1),
        ),
        "facing": round((0 if side == "active" else 180) + rng.gauss(0, 40), 1) % 360,
        "frontage": rng.choice([1, 2, 3, 5]),
        "depth": rng.choice([1, 2, 4]),
        "move": rng.choice([0, 8.5, 12, 16, 20, 24, 24, [8, 12], [8, 16, 24]]),
        "models": models,
        "width": rng.randint(1, min(models, 6)),
        "attacks": rng.choice([0, 1, 1, 2]),
        "skill": rng.randint(2, 5),
        "power": rng.randint(2, 6),
        "defense": rng.randint(2, 6),
        "wounds": rng.choice([1, 1, 3]),
        "discipline": rng.randint(3, 9),
        "banners": rng.choice([0, 0, 1]),
        "rules": rng.sample(RULES, rng.choice([0, 0, 0, 0, 1, 2])),
    }
    if rng.random() < 0.2:
        unit["charge_bonus"] = {"attacks": 1, "power": 1, "skill": rng.randint(0, 1)}
    if rng.random() < 0.2:
        unit["commander"] = {"discipline": 9, "attacks": rng.randint(0, 3), "wounds": 2}
    if rng.random() < 0.05:
        unit["fleeing"] = True
    elif rng.random() < 0.05:
        unit["engaged"] = True
    if noise:
        unit["noise"] = {"x": rng.choice([0, 1]), "y": 1, "facing": rng.choice([0, 5])}
        if rng.random() < 0.3:
            unit["move"] = {"mean": 14, "sd": 4}
    return unit


def random_battle(seed: int, *, noise: bool = False, most: int = 4) -> Scenario:
    """A sound battle drawn by a seed."""
    rng = random.Random(seed)
    while True:
        units = {}
        for side in ("active", "reactive"):
            for i in range(rng.randint(1, most)):
                units[f"{side[0]}{i}"] = _unit(rng, side, noise)
        names = list(units)
        charges = []
        for u in names:
            foes = [t for t in names if units[t]["side"] != units[u]["side"]]
            charges += [
                {"charger": u, "target": t, "after": rng.choice([0] * 9 + [1, 2])}
                for t in rng.sample(foes, rng.randint(1, min(3, len(foes))))
            ]
        rng.shuffle(charges)
        terrain = []
        for _ in range(rng.choice([0, 0, 1, 2])):
            x, y, w, h = (
                rng.uniform(0, 36),
                rng.uniform(0, 26),
                rng.uniform(1, 8),
                rng.uniform(1, 8),
            )
            corners = [(x, y), (x + w, y), (x + w, y + h), (x + w / 2, y + h / 3), (x, y + h)]
            terrain.append({"kind": rng.choice(list(KINDS)), "polygon": corners})
        others: dict[str, Any] = {}
        if rng.random() < 0.5:
            others["table"] = {"width": 42, "height": 32}
        try:
            return battle(
                units,
                charges=charges,
                terrain=terrain,
                reaction={u: rng.choice(["hold", "counter", "flee"]) for u in names},
                first=rng.choice(["active", "reactive", "coin"]),
                switches=_switches(rng),
                rally=rng.random() < 0.5,
                **others,
            )
        except ScenarioError as error:
            if any(
                "stands on unit" not in str(fault) and "off the table" not in str(fault)
                for fault in error.faults
            ):
                raise
