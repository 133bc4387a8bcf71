"""What the end states of hex_increment say, in the words of the results."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.rulesets import Part, Piece, Quantity, Reading, Told, View
from chargesim.rulesets.hex_increment.state import Fate, Kept, Reaction, State, Stood, Word

WORDS = {int(w): w.name.lower() for w in Word if w is not Word.UNDECIDED}
FALL = (
    "check_failed",
    "general_order",
    "no_target",
    "target_missed",
    "targets_retired",
    "targets_broke",
    "charger_surrendered",
    "charger_routed",
    "charger_disordered",
    "bounced",
    "no_pursuit",
    "recalled",
)
"""Words by which a charge comes to less than pursuit, in the order of the sequence."""
BEST_FIRST = {
    "target_surrendered": 4,
    "target_broke": 3,
    "target_broke_before_melee": 2,
    "target_disordered": 1,
    "target_retired": 0,
    "target_stood": -2,
    "no_contact": None,
}
"""How good each fate of a target is for the charging side; last, that it was not reached."""
_TEXTS = {"type": "array", "items": {"type": "string"}, "minItems": 1}
_REACTION = {"type": "string", "pattern": "^(stand|retire|square at [1-4])$"}
TOLD = {
    "charge": Told(
        {
            "charger": {"type": "string"},
            "target": {"type": "string", "description": "The first target; empty without one."},
            "reaction": {"type": "string", "pattern": "^(stand|retire|square at [1-4])?$"},
            "targets": _TEXTS,
            "reactions": {**_TEXTS, "items": _REACTION},
        },
        ("melees", "charger_recoil", "increments_lost"),
        ("recall_passed", "tired", "head_hex", "consolidates", "provokes"),
        ("targets", "reactions"),
    ),
    "combat": Told(
        {"target": {"type": "string"}, "chargers": _TEXTS, "reaction": _REACTION},
        ("recoil", "forms_square", "stands"),
    ),
    "unit": Told({}, ("increments_left",)),
}
"""What results hold; targets and reactions where there are several."""
FATES = {int(f): f.name.lower() for f in Fate if f is not Fate.PENDING}
STATES = {int(s): s.name.lower() for s in State}


def read(games: np.ndarray[Any, Any], part: Part) -> Reading:
    """Read end states.

    Parameters
    ----------
    games
        Array of games of the hex_increment layout, one an end state.
    part
        What they are end states of.
    """
    charges: dict[int, View] = {}
    combats: dict[str, View] = {}
    for c in range(part.counts[1]):
        initial = part.start["charges"][0, c]
        first = int(initial["first"])
        places = range(first, first + int(initial["targets"]))
        charges[int(initial["number"])] = _charge(games, part, c, places)
        for t in places:
            view = _combat(games, part, c, t)
            combats[str(view.labels["target"])] = view
    units = {name: _unit(games, i) for i, name in enumerate(part.units)}
    return Reading(charges, combats, units)


def pieces(part: Part) -> list[Piece]:
    """A piece for each charge with its targets, and one for each unit that takes no part."""
    found, told = [], set()
    for c in range(part.counts[1]):
        record = part.start["charges"][0, c]
        first = int(record["first"])
        places = range(first, first + int(record["targets"]))
        involved = [
            int(record["charger"]),
            *(int(part.start["targets"][0, t]["unit"]) for t in places),
        ]
        units = [u for u in involved if u not in told]
        told |= set(units)
        found.append(
            Piece(
                (
                    *(("units", u) for u in units),
                    ("charges", c),
                    *(("targets", t) for t in places),
                ),
                (int(record["number"]),),
                tuple(_name(part, t) for t in places),
                tuple(part.units[u] for u in units),
            )
        )
    found += [
        Piece((("units", u),), (), (), (name,))
        for u, name in enumerate(part.units)
        if u not in told
    ]
    return found


def _name(part: Part, t: int) -> str:
    return part.units[int(part.start["targets"][0, t]["unit"])]


def _reaction(part: Part, t: int) -> str:
    record = part.start["targets"][0, t]
    word = Reaction(int(record["reaction"])).name.lower()
    return f"{word} at {record['at']}" if record["reaction"] == Reaction.SQUARE else word


def _charge(games: np.ndarray[Any, Any], part: Part, c: int, places: range) -> View:
    charge = games["charges"][:, c]
    charger = games["units"][:, int(charge["charger"][0])]
    targets = [_name(part, t) for t in places]
    labels: dict[str, Any] = {
        "charger": part.units[int(charge["charger"][0])],
        "target": targets[0] if targets else "",
        "reaction": _reaction(part, places[0]) if targets else "",
    }
    if len(targets) > 1:
        labels["targets"] = targets
        labels["reactions"] = [_reaction(part, t) for t in places]
    return View(
        labels,
        charge["word"],
        WORDS,
        {
            "melees": Quantity(charge["melees"]),
            "charger_recoil": Quantity(charge["recoil"]),
            "increments_lost": Quantity(charger["lost"]),
        },
        {
            "recall_passed": charge["recalled"] == 1,
            "tired": charge["tired"] == 1,
            "head_hex": charge["head_hex"] == 1,
            "consolidates": charge["narrowed"] == 1,
            "provokes": charge["provoked"] == 1,
        },
        at=("charges", c, "word"),
    )


def _combat(games: np.ndarray[Any, Any], part: Part, c: int, t: int) -> View:
    target = games["targets"][:, t]
    charger = int(part.start["charges"][0, c]["charger"])
    tried, rolled = target["kept"] != Kept.NOT_TRIED, target["stood"] != Stood.NOT_ROLLED
    return View(
        {
            "target": _name(part, t),
            "chargers": [part.units[charger]],
            "reaction": _reaction(part, t),
        },
        target["fate"],
        FATES,
        {
            "recoil": Quantity(target["recoil"]),
            "forms_square": Quantity((target["kept"] == Kept.SQUARE).astype(np.int64), tried),
            "stands": Quantity((target["stood"] == Stood.PASSED).astype(np.int64), rolled),
        },
        at=("targets", t, "fate"),
    )


def _unit(games: np.ndarray[Any, Any], i: int) -> View:
    unit = games["units"][:, i]
    left = unit["increments"].astype(np.int64) - unit["lost"]
    quantities = {"increments_left": Quantity(left)}
    return View({}, unit["state"], STATES, quantities, at=("units", i, "state"))
