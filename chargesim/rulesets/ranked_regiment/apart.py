"""A battle in parts: where all is certain until combat, each engagement is a game of its own.

Declarations and their resolution roll no dice. When no pose, Move or coin is uncertain they are
played once, and what is left to chance are fights and rally tests that have nothing to do with each
other: solved apart, a large battle has as few states as its largest fight.
"""

from __future__ import annotations

from typing import Any

from chargesim import rulesets
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.scenario import Model


def is_certain(model: Model) -> bool:
    """True when nothing is left to chance before the combats."""
    poses = all(
        isinstance(unit.move, float)
        and not (unit.noise.x or unit.noise.y or unit.noise.facing)
        for unit in model.unit.values()
    )  # fmt: skip
    return poses and model.first != "coin" and model.switches.flight_move == "full"


def split(part: rulesets.Part) -> list[rulesets.Part]:
    """Play the declarations of a battle in which they are certain, and part what is left.

    Parameters
    ----------
    part
        All of it as one game.

    Returns
    -------
    list of Part
        One an engagement and one a fleeing unit, whose luck has the same names as in the whole, and
        one for all others. Units that a charge names are listed after a part's own.
    """
    from chargesim.kernels.expand import own_dice
    from chargesim.rulesets.ranked_regiment.rules import step

    array = st.LAYOUT.full(part.start)
    game, dice = array[0], own_dice()[0]
    while not game["head"]["done"] and game["head"]["phase"] <= st.Phase.RESOLUTION:
        step(game, dice)
    if game["head"]["done"]:
        return [part]
    count = len(part.units)
    groups: dict[tuple[int, int], list[int]] = {}
    for i in range(count):
        unit = game["units"][i]
        if unit["combat"] >= 0:
            key = (0, int(unit["combat"]))
        else:
            key = (1, i) if unit["state"] == st.State.FLED else (2, 0)
        groups.setdefault(key, []).append(i)
    ordered = sorted(groups.values(), key=lambda members: members[0])
    return [_part(part, game, members) for members in ordered]


def _part(whole: rulesets.Part, game: Any, members: list[int]) -> rulesets.Part:
    """One group of units as a game of its own, its blows still to come."""
    from chargesim.rulesets.ranked_regiment.rules import next_share

    charges = [c for c in range(whole.counts[1]) if int(game["charges"][c]["target"]) in members]
    combats = [f for f in range(whole.counts[2]) if int(game["combats"][f]["target"]) in members]
    named = dict.fromkeys(int(game["charges"][c]["charger"]) for c in charges)
    units = [*members, *(u for u in named if u not in members)]
    places = {u: i for i, u in enumerate(units)}
    fights = {f: i for i, f in enumerate(combats)}
    array = st.LAYOUT.new()
    new = array[0]
    new["head"] = game["head"]
    head = new["head"]
    head["units"], head["charges"], head["combats"] = len(members), len(charges), len(combats)
    head["terrains"] = 0
    for u, i in places.items():
        new["units"][i] = game["units"][u]
        record = new["units"][i]
        record["aim"] = record["wish"] = st.NOBODY
        record["foe"] = [places.get(int(x), st.NOBODY) for x in record["foe"]]
        record["combat"] = fights.get(int(record["combat"]), st.NOBODY)
    for i, c in enumerate(charges):
        new["charges"][i] = game["charges"][c]
        for key in ("charger", "target"):
            new["charges"][i][key] = places[int(game["charges"][c][key])]
    for f, i in fights.items():
        new["combats"][i] = game["combats"][f]
        new["combats"][i]["target"] = places[int(game["combats"][f]["target"])]
        joined = int(game["combats"][f]["joined"])
        new["combats"][i]["joined"] = fights[joined - 1] + 1 if joined else 0
    next_share(new, int(st.Phase.BLOWS), 0)
    counts = len(members), len(charges), len(combats), 0, 0
    start = st.LAYOUT.shortened(array, (len(units), *counts[1:]))
    return rulesets.Part(start, counts, tuple(whole.units[u] for u in units))
