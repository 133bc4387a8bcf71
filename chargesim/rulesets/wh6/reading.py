"""What the end states of wh6 say, in the words of the results."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.rulesets import Part, Piece, Quantity, Reading, Told, View
from chargesim.rulesets.wh6.state import Fate, Kind, Reaction, UnitState, Word

WORDS = {int(w): w.name.lower() for w in Word if w is not Word.UNDECIDED}
FALL = (
    "out_of_reach",
    "refused_fear",
    "charger_fled_terror",
    "target_fled_escaped",
    "target_fled_caught",
    "target_fled_off_table",
    "charger_destroyed",
    "charger_fled_panic",
    "blocked",
)
"""Words by which a charge is lost, in the order of the sequence; what is left makes contact."""
BEST_FIRST = {
    "target_wiped_out": 4,
    "target_broke_caught": 3,
    "target_broke_escaped": 2,
    "target_held": 1,
    "draw": 0,
    "charger_held": -1,
    "charger_broke_escaped": -2,
    "charger_broke_caught": -3,
    "charger_wiped_out": -4,
    "no_combat": None,
}
"""How good each end of a combat is for the charging side; last, that there was none."""
TOLD = {
    "charge": Told(
        {
            "charger": {"type": "string"},
            "target": {"type": "string"},
            "reaction": {"enum": ["hold", "stand_and_shoot", "flee"]},
            "compulsory": {"description": "There, and true, when the rules compelled the charge."},
        },
        ("shooting_casualties", "flee_distance", "impact_hits", "impact_wounds"),
        ("needs_sixes",),
        ("compulsory",),
    ),
    "combat": Told(
        {
            "target": {"type": "string"},
            "chargers": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
        ("combat_result", "active_wounds", "reactive_wounds"),
    ),
    "unit": Told({}, ("models_left", "wounds_left", "flee_distance"), (), ("flee_distance",)),
}
"""What results hold."""
STATES = {int(s): s.name.lower() for s in UnitState}
FATES = {int(f): f.name.lower() for f in Fate}


def read(games: np.ndarray[Any, Any], part: Part) -> Reading:
    """Read end states.

    Parameters
    ----------
    games
        Array of games of the wh6 layout, one an end state.
    part
        What they are end states of.
    """
    initial = part.start["charges"][0, : part.counts[1]]
    charges: dict[int, View] = {}
    for c, record in enumerate(initial):
        if record["kind"] in (Kind.DECLARED, Kind.COMPULSORY):
            again = [
                k
                for k, other in enumerate(initial)
                if other["kind"] == Kind.REDIRECTED and other["parent"] == c
            ]
            within = {f"redirect.{i}": _charge(games, part, k) for i, k in enumerate(again)}
            charges[int(record["number"])] = _charge(games, part, c, within)
    combats = {}
    for f in range(part.counts[2]):
        name = part.units[int(part.start["combats"][0, f]["target"])]
        combats[name] = _combat(games, part, f)
    units = {name: _unit(games, i) for i, name in enumerate(part.units)}
    return Reading(charges, combats, units)


def pieces(part: Part) -> list[Piece]:
    """A piece for each charge, with its redirections, units and combats; one for each unit left."""
    records = part.start["charges"][0, : part.counts[1]]
    fights = [int(record["target"]) for record in part.start["combats"][0, : part.counts[2]]]
    found, told, fought = [], set(), set()
    for c, record in enumerate(records):
        if record["kind"] not in (Kind.DECLARED, Kind.COMPULSORY):
            continue
        again = [
            k
            for k, other in enumerate(records)
            if other["kind"] == Kind.REDIRECTED and other["parent"] == c
        ]
        targets = [int(records[k]["target"]) for k in (c, *again)]
        units = dict.fromkeys([int(record["charger"]), *targets])
        combats = dict.fromkeys(fights.index(target) for target in targets)
        found.append(
            Piece(
                (
                    *(("units", u) for u in units),
                    *(("charges", k) for k in (c, *again)),
                    *(("combats", f) for f in combats),
                ),
                (int(record["number"]),),
                tuple(part.units[fights[f]] for f in combats if f not in fought),
                tuple(part.units[u] for u in units if u not in told),
            )
        )
        told |= set(units)
        fought |= set(combats)
    found += [
        Piece((("units", u),), (), (), (name,))
        for u, name in enumerate(part.units)
        if u not in told
    ]
    return found


def _charge(
    games: np.ndarray[Any, Any], part: Part, c: int, within: dict[str, View] | None = None
) -> View:
    charge = games["charges"][:, c]
    charger, target = int(charge["charger"][0]), int(charge["target"][0])
    reactions = charge["reaction"][charge["made"] == 1]
    is_one = reactions.size > 0 and bool((reactions == reactions[0]).all())
    in_force = int(reactions[0]) if is_one else int(charge["declared"][0])
    flight = games["units"]["flight"][:, target].astype(np.int64)
    labels: dict[str, Any] = {
        "charger": part.units[charger],
        "target": part.units[target],
        "reaction": Reaction(in_force).name.lower(),
    }
    if charge["kind"][0] == Kind.COMPULSORY:
        labels["compulsory"] = True
    return View(
        labels,
        charge["word"],
        WORDS,
        {
            "shooting_casualties": Quantity(charge["shot_down"]),
            "flee_distance": Quantity(flight, flight > 0),
            "impact_hits": Quantity(charge["impact_hits"]),
            "impact_wounds": Quantity(charge["impact_wounds"]),
        },
        {"needs_sixes": charge["sixes"] == 1},
        within or {},
        at=("charges", c, "word"),
    )


def _combat(games: np.ndarray[Any, Any], part: Part, f: int) -> View:
    combat = games["combats"][:, f]
    target = int(combat["target"][0])
    initial = part.start["charges"][0, : part.counts[1]]
    fought = combat["word"] != Fate.NO_COMBAT
    chargers = [
        part.units[int(record["charger"])]
        for record in initial
        if record["target"] == target and record["kind"] != Kind.STANDING
    ]
    result = Quantity(combat["result"].astype(np.int64), fought)
    return View(
        {"target": part.units[target], "chargers": chargers},
        combat["word"],
        FATES,
        {
            "combat_result": result,
            "active_wounds": Quantity(combat["active_wounds"]),
            "reactive_wounds": Quantity(combat["reactive_wounds"]),
        },
        at=("combats", f, "word"),
    )


def _unit(games: np.ndarray[Any, Any], i: int) -> View:
    unit = games["units"][:, i]
    wounds = unit["start"].astype(np.int64) * unit["w"] - unit["damage"]
    flight = np.abs(unit["flight"].astype(np.int64))
    quantities = {"models_left": Quantity(unit["models"])}
    if int(unit["w"][0]) > 1:
        quantities["wounds_left"] = Quantity(np.where(unit["models"] > 0, wounds, 0))
    quantities["flee_distance"] = Quantity(flight, flight > 0)
    return View({}, unit["state"], STATES, quantities, at=("units", i, "state"))
