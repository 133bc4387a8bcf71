"""The game record that a scenario starts as."""

from __future__ import annotations

from math import radians
from typing import Any

from chargesim import rulesets
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.apart import is_certain, split
from chargesim.rulesets.ranked_regiment.legality import direction, signed_area
from chargesim.rulesets.ranked_regiment.scenario import (
    FACES,
    KINDS,
    Estimate,
    Model,
    Switches,
    Terrain,
    Unit,
)

_FLAGS = {
    "crewed_weapon": "crewed",
    "frenzied": "frenzied",
    "reanimated": "reanimated",
    "demonic": "demonic",
    "construct": "construct",
    "fearless": "fearless",
    "may_flee_anyway": "may_flee",
    "spear_and_shield": "spears",
}
"""Field of each special rule."""


def setup(model: Model, *, apart: bool = True) -> list[rulesets.Part]:
    """The games that a scenario starts as.

    Any unit may stand in another's way, so there is one part, but for a battle in which all is
    certain until the combats: there each fight is apart.

    Parameters
    ----------
    model
        A sound scenario.
    apart
        False for one game that holds everything.
    """
    part = _whole(model)
    if not apart or not is_certain(model):
        return [part]
    return split(part)


def _whole(model: Model) -> rulesets.Part:
    game = st.LAYOUT.new()
    names = tuple(model.unit)
    places = {name: i for i, name in enumerate(names)}
    head = game["head"][0]
    _setup_head(head, model)
    for name, i in places.items():
        _setup_unit(game["units"][0, i], model.unit[name], i)
        wish = model.wish(name)
        # a choice that is still open stands for holding until it is made
        kind = "hold" if wish.do == "best" else wish.do
        game["units"][0, i]["reaction"] = st.Reaction[kind.upper()]
        game["units"][0, i]["after"] = wish.after
    for name, i in places.items():
        _setup_engaged(game["units"][0], i, model.unit[name], model, places)
    for c, charge in enumerate(model.charge):
        record = game["charges"][0, c]
        record["number"] = c
        record["charger"], record["target"] = places[charge.charger], places[charge.target]
        record["declare"] = charge.declare is not False
        record["after"] = charge.after
        record["why"] = st.Why.NOT_TRIED
    rushes = model.rushes()
    for c, (charger, target) in enumerate(rushes, len(model.charge)):
        record = game["charges"][0, c]
        record["number"] = c
        record["charger"], record["target"] = places[charger], places[target]
        record["declare"] = 2
    charges = len(model.charge) + len(rushes)
    aims = [charge.target for charge in model.charge] + [target for _, target in rushes]
    targets = list(dict.fromkeys(aims))
    # a fight that goes on from before is told of at its reactive unit, unless at one of its charges
    for pair in model.fights():
        if not set(pair) & set(targets):
            targets.append(pair[1])
    for f, name in enumerate(targets):
        game["combats"][0, f]["target"] = places[name]
    for k, piece in enumerate(model.terrain):
        _setup_terrain(game["terrains"][0, k], piece)
    head["units"], head["charges"] = len(names), charges
    head["combats"], head["terrains"] = len(targets), len(model.terrain)
    counts = len(names), charges, len(targets), len(model.terrain), len(names) ** 2
    return rulesets.Part(st.LAYOUT.shortened(game, counts), counts, names)


def _setup_head(head: Any, model: Model) -> None:
    switches: Switches = model.switches
    head["first"] = ("active", "reactive", "coin").index(model.first)
    head["noisy"] = any(
        unit.noise.x or unit.noise.y or unit.noise.facing for unit in model.unit.values()
    )
    if model.table is not None:
        head["width"], head["height"] = model.table.width, model.table.height
    head["to_side"] = switches.distance == "centre_side"
    head["by_centre"] = switches.los == "centre"
    head["majority"] = switches.side == "majority"
    head["next_side"] = switches.taken_side == "next"
    head["counter"] = ("any", "waived", "front_only").index(str(switches.counter_los))
    head["centres"] = switches.midpoint == "centres"
    head["as_normal"] = switches.blocked_meeting == "as_normal_charges"
    head["frees"] = switches.cancelled_frees_side
    head["counts"] = bool(switches.cancelled_counts)
    head["priority"] = switches.intercept == "priority"
    head["faster"] = switches.flight_speed == "more"
    head["run_dice"] = switches.flight_move == "dice"
    head["frenzy"] = bool(switches.frenzy_charges)
    head["final"] = switches.pass_final
    head["swept"] = switches.path == "swept"
    head["stops"] = switches.run_blocked == "stop_short"
    head["silent"] = switches.rear_silence == "whole_unit"
    head["before"] = switches.ranks_when == "before"
    head["orphans"] = switches.orphan_reaction == "keep_charge_drop_flight"
    head["hunts"] = switches.fleeing_targets == "open"
    head["rallies"] = model.rally


def _setup_unit(record: Any, unit: Unit, number: int) -> None:
    fx, fy = direction(unit.facing)
    record["x0"], record["y0"] = unit.at
    record["fx0"], record["fy0"] = fx, fy
    record["x"], record["y"], record["fx"], record["fy"] = *unit.at, fx, fy
    record["a"], record["b"] = unit.frontage / 2, unit.depth / 2
    record["sd_x"], record["sd_y"] = unit.noise.x, unit.noise.y
    record["sd_facing"] = radians(unit.noise.facing)
    if isinstance(unit.move, Estimate):
        record["mean_move"], record["sd_move"] = unit.move.mean, unit.move.sd
    elif isinstance(unit.move, tuple):
        record["move_count"] = len(unit.move)
        record["moves"][: len(unit.move)] = unit.move
        record["mean_move"] = unit.middle_move
    else:
        record["mean_move"] = unit.move
    record["move"] = record["mean_move"]
    record["number"] = number
    record["side"] = st.Side[unit.side.upper()]
    for rule in unit.rules:
        record[_FLAGS[rule]] = 1
    record["fleeing"] = unit.fleeing
    record["state"] = st.State.FLED if unit.fleeing else st.State.STEADY
    record["models"] = record["start"] = unit.models
    record["width"] = unit.width
    for name in ("attacks", "skill", "power", "defense", "wounds", "discipline", "banners"):
        record[name] = getattr(unit, name)
    for name in ("attacks", "skill", "power"):
        record[f"bonus_{name}"] = getattr(unit.charge_bonus, name)
    if unit.commander is not None:
        record["led"] = 1
        for name in ("attacks", "skill", "power", "defense", "wounds", "discipline"):
            record[f"led_{name}"] = getattr(unit.commander, name)
    record["aim"] = record["wish"] = record["combat"] = st.NOBODY
    record["foe"] = st.NOBODY


def _setup_engaged(units: Any, i: int, unit: Unit, model: Model, places: dict[str, int]) -> None:
    """Bring a unit that is fighting into contact; whom it names fights it with its front."""
    engaged = unit.engaged
    if engaged is False:
        return
    sides = engaged if isinstance(engaged, dict) else {"front": engaged}
    units[i]["state"] = st.State.FIGHTING
    for face, foe in sides.items():
        side = FACES.index(face)
        if not isinstance(foe, str):
            units[i]["outside"] |= 1 << side
            continue
        x = places[foe]
        units[i]["foe"][side] = x
        units[x]["state"] = st.State.FIGHTING
        if model.unit[foe].engaged is False:
            units[x]["foe"][st.Face.FRONT] = i


def _setup_terrain(record: Any, piece: Terrain) -> None:
    corners = piece.polygon if signed_area(piece.polygon) > 0 else piece.polygon[::-1]
    record["corners"] = len(corners)
    record["x"][: len(corners)] = [x for x, _ in corners]
    record["y"][: len(corners)] = [y for _, y in corners]
    record["hides"], record["wood"], record["impassable"] = KINDS[piece.kind]
