"""What the end states of wh6 say, in the words of the results."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.rulesets import Quantity, Reading, View
from chargesim.rulesets.wh6.state import Reaction, UnitState, Word

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
STATES = {int(s): s.name.lower() for s in UnitState}


def read(games: np.ndarray[Any, Any], names: tuple[str, ...], charges: int) -> Reading:
    """Read end states.

    Parameters
    ----------
    games
        Array of games of the wh6 layout, one an end state.
    names
        Names of the units, in the order of their records.
    charges
        Charges in use.

    Returns
    -------
    Reading
        No combats: this version ends when the impact hits are dealt.
    """
    units = games["units"]
    views = []
    for c in range(charges):
        charge = games["charges"][:, c]
        charger, target = int(charge["charger"][0]), int(charge["target"][0])
        reactions = np.unique(charge["reaction"])
        in_force = int(reactions[0]) if reactions.size == 1 else int(charge["declared"][0])
        flight = units["flight"][:, target].astype(np.int64)
        views.append(
            View(
                {
                    "charger": names[charger],
                    "target": names[target],
                    "reaction": Reaction(in_force).name.lower(),
                },
                charge["word"],
                WORDS,
                {
                    "shooting_casualties": Quantity(charge["shot_down"]),
                    "flee_distance": Quantity(np.where(flight > 0, flight, -1), always=False),
                    "impact_hits": Quantity(charge["impact_hits"]),
                    "impact_wounds": Quantity(charge["impact_wounds"]),
                },
                {"needs_sixes": charge["sixes"] == 1},
            )
        )
    by_name = {}
    for i, name in enumerate(names):
        unit = units[:, i]
        wounds = unit["start"].astype(np.int64) * unit["w"] - unit["damage"]
        several = int(unit["w"][0]) > 1
        flight = unit["flight"].astype(np.int64)
        left = np.where(unit["models"] > 0, wounds, 0)
        quantities = {"models_left": Quantity(unit["models"])}
        if several:
            quantities["wounds_left"] = Quantity(left)
        quantities["flee_distance"] = Quantity(np.where(flight > 0, flight, -1), always=False)
        by_name[name] = View({}, unit["state"], STATES, quantities)
    return Reading(views, [], by_name)
