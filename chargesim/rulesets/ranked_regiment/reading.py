"""What the end states of ranked_regiment say, in the words of the results.

Charges: ``contact``; ``countered``, answered and met halfway, front to front; ``fled``, the target
ran and was pursued; ``failed``, no room in contact when its turn came; ``cancelled``, the charger
was intercepted; ``illegal``, it could not be declared whenever its owner's turn came;
``not_declared``, its owner did without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.rulesets import Part, Piece, Quantity, Reading, Told, View
from chargesim.rulesets.ranked_regiment.state import Face, Fate, Reaction, State, Why, Word

WORDS = {int(w): w.name.lower() for w in Word if w is not Word.UNDECIDED}
FALL = ("illegal", "not_declared", "cancelled", "fled", "failed", "countered")
"""Words by which a charge misses the side it was declared on, in their order."""
BEST_FIRST = {
    "target_wiped_out": 3,
    "target_broke": 2,
    "target_held": 1,
    "draw": 0,
    "charger_held": -1,
    "charger_broke": -2,
    "charger_wiped_out": -3,
    "no_combat": None,
}
"""How good each end of a combat is for the charging side; last, that there was none."""
FATES = {int(f): f.name.lower() for f in Fate}
STATES = {int(s): s.name.lower() for s in State}
_TEXTS = {"type": "array", "items": {"type": "string"}, "minItems": 1}
REASONS = {
    Why.PASSED: "RNK-TURN-04",
    Why.IN_COMBAT: "RNK-DECL-01",
    Why.FLEEING: "RNK-DECL-01",
    Why.DECLARED: "RNK-DECL-02",
    Why.CHARGED: "RNK-DECL-03",
    Why.MOVE_0: "RNK-DECL-04",
    Why.CREWED: "RNK-DECL-05",
    Why.RUNNING: "RNK-FLEE-09",
    Why.OUT_OF_ARC: "RNK-LOS-01",
    Why.TOO_FAR: "RNK-DECL-06",
    Why.HIDDEN: "RNK-LOS-02",
    Why.SIDE_TAKEN: "RNK-ONE-01",
    Why.SIDE_IN_COMBAT: "RNK-ONE-02",
    Why.NEXT_SIDE_TAKEN: "RNK-ONE-06",
    Why.NOT_AHEAD: "RNK-ONE-04",
    Why.NO_INTERCEPT: "RNK-INT-01",
    Why.NO_ROOM: "RNK-DECL-07",
    Why.NO_PATH: "RNK-DECL-07",
    Why.NOT_FRONTAL: "RNK-CTR-02",
    Why.TARGET_FLEES: "RNK-DECL-06",
    Why.NOT_NEAREST: "RNK-DECL-06",
    Why.NOT_CHARGED: "RNK-FLEE-01",
    Why.TWO_CHARGERS: "RNK-DECL-03",
    Why.NEVER_FLEES: "RNK-FLEE-03",
    Why.TOO_SLOW: "RNK-FLEE-04",
    Why.NOT_TRIED: "RNK-TURN-03",
}
"""Rule behind each reason why a declaration is illegal."""
_ILLEGAL = tuple(f"illegal_by_{rule}" for rule in sorted(set(REASONS.values())))
TOLD = {
    "charge": Told(
        {
            "charger": {"type": "string"},
            "target": {"type": "string"},
            "reaction": {"enum": [reaction.name.lower() for reaction in Reaction]},
            "only_if_forced": {"type": "boolean"},
        },
        (),
        (
            "legal",
            *(f"on_{face.name.lower()}" for face in Face),
            "as_counter",
            "flight_possible",
            "forced",
            *_ILLEGAL,
        ),
        ("only_if_forced", "forced", *_ILLEGAL),
    ),
    "combat": Told(
        {"target": {"type": "string"}, "chargers": _TEXTS},
        ("combat_result", "active_wounds", "reactive_wounds"),
    ),
    "unit": Told({}, ("models_left", "wounds_left"), ("rallies",)),
}
"""What results hold; rules by which a charge is illegal where one of them is."""


def read(games: np.ndarray[Any, Any], part: Part) -> Reading:
    """Read end states.

    Parameters
    ----------
    games
        Array of games of the ranked_regiment layout, one an end state.
    part
        What they are end states of.
    """
    charges = {
        int(record["number"]): _charge(games, part, c)
        for c, record in enumerate(part.start["charges"][0, : part.counts[1]])
    }
    combats = {}
    for f in range(part.counts[2]):
        target = int(part.start["combats"][0, f]["target"])
        combats[part.units[target]] = _combat(games, part, f)
    own = part.units[: part.counts[0]]
    units = {name: _unit(games, i) for i, name in enumerate(own)}
    return Reading(charges, combats, units)


def pieces(part: Part) -> list[Piece]:
    """A piece for each charge with its units and combat; one for each unit left."""
    found, told, fought = [], set(), set()
    combats = part.start["combats"][0, : part.counts[2]]
    targets = [int(record["target"]) for record in combats]
    for c, record in enumerate(part.start["charges"][0, : part.counts[1]]):
        charger, target = int(record["charger"]), int(record["target"])
        f = targets.index(target)
        own = [u for u in (charger, target) if u < part.counts[0]]
        found.append(
            Piece(
                (("charges", c), *(("units", u) for u in own), ("combats", f)),
                (int(record["number"]),),
                (part.units[target],) if f not in fought else (),
                tuple(part.units[u] for u in own if u not in told),
            )
        )
        told |= {charger, target}
        fought.add(f)
    found += [
        Piece((("units", u),), (), (), (name,))
        for u, name in enumerate(part.units[: part.counts[0]])
        if u not in told
    ]
    return found


def _charge(games: np.ndarray[Any, Any], part: Part, c: int) -> View:
    charge = games["charges"][:, c]
    target = int(charge["target"][0])
    made = charge["made"] == 1
    reaction = Reaction(int(part.start["units"][0, target]["reaction"]))
    # what the target did, where it did the same whenever the charge was declared
    did = np.where(charge["word"] == Word.FLED, int(Reaction.FLEE), int(Reaction.HOLD))
    did = np.where(charge["word"] == Word.COUNTERED, int(Reaction.COUNTER), did)
    seen = np.unique(did[made])
    if seen.size == 1:
        reaction = Reaction(int(seen[0]))
    flags = {"legal": made}
    for face in Face:
        flags[f"on_{face.name.lower()}"] = made & (charge["side"] == face)
    flags["as_counter"] = made & (charge["countering"] == 1)
    flags["flight_possible"] = charge["could_flee"] == 1
    labels: dict[str, Any] = {
        "charger": part.units[int(charge["charger"][0])],
        "target": part.units[target],
        "reaction": reaction.name.lower(),
    }
    if charge["declare"][0] == 2:
        labels["only_if_forced"] = True
    if charge["forced"].any():
        flags["forced"] = charge["forced"] == 1
    for rule in sorted(set(REASONS.values())):
        codes = [int(why) for why, id_ in REASONS.items() if id_ == rule]
        flag = (charge["word"] == Word.ILLEGAL) & np.isin(charge["why"], codes)
        if flag.any():
            flags[f"illegal_by_{rule}"] = flag
    return View(labels, charge["word"], WORDS, {}, flags, at=("charges", c, "word"))


def _combat(games: np.ndarray[Any, Any], part: Part, f: int) -> View:
    combat = games["combats"][:, f]
    target = int(combat["target"][0])
    fought = combat["word"] != Fate.NO_COMBAT
    chargers = [
        part.units[int(record["charger"])]
        for record in part.start["charges"][0, : part.counts[1]]
        if record["target"] == target
    ]
    if not chargers:
        # a fight from before that no charge joins
        foes = part.start["units"][0, target]["foe"]
        chargers = [part.units[int(foe)] for foe in foes if foe >= 0]
    return View(
        {"target": part.units[target], "chargers": chargers},
        combat["word"],
        FATES,
        {
            "combat_result": Quantity(combat["result"].astype(np.int64), fought),
            "active_wounds": Quantity(combat["active"]),
            "reactive_wounds": Quantity(combat["reactive"]),
        },
        at=("combats", f, "word"),
    )


def _unit(games: np.ndarray[Any, Any], i: int) -> View:
    unit = games["units"][:, i]
    quantities = {"models_left": Quantity(unit["models"])}
    if int(unit["wounds"][0]) > 1:
        whole = unit["start"].astype(np.int64) * unit["wounds"]
        quantities["wounds_left"] = Quantity(np.maximum(whole - unit["damage"], 0))
    flags = {"rallies": unit["rallied"] == 1}
    return View({}, unit["state"], STATES, quantities, flags, at=("units", i, "state"))
