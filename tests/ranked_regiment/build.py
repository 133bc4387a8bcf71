"""Small battles, and hands to play their declarations one by one, for the rule tests."""

from __future__ import annotations

from math import atan2, degrees
from typing import Any

import numpy as np

from chargesim.engine.exact import solve
from chargesim.engine.tally import Tally
from chargesim.kernels.dice import Mode, new_dice
from chargesim.rulesets import View
from chargesim.rulesets.ranked_regiment import rules_declare as d
from chargesim.rulesets.ranked_regiment import rules_resolve as r
from chargesim.rulesets.ranked_regiment import rules_sight as s
from chargesim.rulesets.ranked_regiment.state import Why
from chargesim.scenario import Scenario


def facing(x: float, y: float) -> float:
    """Degrees clockwise from +y of a direction."""
    return degrees(atan2(x, y))


def unit(
    side: str,
    x: float,
    y: float,
    look: float = 0.0,
    w: float = 4.0,
    d: float = 2.0,
    move: Any = 16.0,
    **more: Any,
) -> dict[str, Any]:
    """A unit of a pose and size, with changes."""
    return {
        "side": side, "at": (x, y), "facing": look, "frontage": w, "depth": d, "move": move, **more
    }  # fmt: skip


def block(x0: float, x1: float, y0: float, y1: float, kind: str = "impassable") -> dict[str, Any]:
    """A rectangular piece of terrain."""
    return {"kind": kind, "polygon": ((x0, y0), (x1, y0), (x1, y1), (x0, y1))}


def battle(units: dict[str, dict[str, Any]], **others: Any) -> Scenario:
    """A scenario of these units; charges as pairs of names."""
    charges = [
        {"charger": c[0], "target": c[1]} if isinstance(c, tuple) else c
        for c in others.pop("charges", [])
    ]
    return Scenario(
        ruleset="ranked_regiment", unit=units, charge=charges, **{"rally": False, **others}
    )


class Hands:
    """A battle whose declarations are made one by one, by the rules' own functions."""

    def __init__(self, units: dict[str, dict[str, Any]], **others: Any) -> None:
        self.scenario = battle(units, **others)
        self.array = self.scenario.whole.game()
        self.game = self.array[0]
        self.dice = new_dice(Mode.ENUMERATE)[0]
        self.names = list(units)

    def __getitem__(self, name: str) -> Any:
        return self.game["units"][self.names.index(name)]

    def at(self, name: str) -> int:
        """Place of a unit."""
        return self.names.index(name)

    def judge(self, u: str, t: str) -> tuple[Why, int]:
        """Why a charge is illegal, and its side."""
        why, side = d.may_charge(self.game, self.at(u), self.at(t))
        return Why(int(why)), int(side)

    def why(self, u: str, t: str) -> Why:
        """Why a charge is illegal."""
        return self.judge(u, t)[0]

    def length(self, u: str, t: str, side: int = 0) -> float:
        """Length of a charge."""
        return float(s.span(self.game, self.at(u), self.at(t), side))

    def charge(self, u: str, t: str) -> int:
        """Declare a charge that has to be legal; its side."""
        why, side = self.judge(u, t)
        assert why == Why.LEGAL, why
        d.declare(self.game, self.dice, self.at(u), self.at(t), side)
        return side

    def why_not_flee(self, t: str) -> Why:
        """Why a flight is illegal."""
        return Why(int(d.may_flee(self.game, self.at(t))))

    def flee(self, t: str) -> None:
        """Declare a flight that has to be legal."""
        assert self.why_not_flee(t) == Why.LEGAL
        d.declare_flight(self.game, self.dice, self.at(t))

    def aims(self) -> dict[str, str]:
        """Live charges."""
        return {
            name: self.names[int(self[name]["aim"])]
            for name in self.names
            if self[name]["aim"] >= 0
        }

    def incoming(self, t: str) -> set[str]:
        """Who charges a unit."""
        return {u for u, other in self.aims().items() if other == t}

    def resolve(self) -> list[str]:
        """Resolve all charges; the chargers in their order."""
        done, turn = [], 0
        while True:
            turn = int(r.next_charge(self.game, turn))
            if turn < 0:
                return done
            u = int(r.in_order(self.game, turn % int(self.game["head"]["order"]) + 1))
            done.append(self.names[u])
            r.resolve(self.game, self.dice, turn)
            turn += 1

    def pose(self, name: str) -> tuple[float, float, float, float]:
        """Centre and facing of a unit."""
        record = self[name]
        return tuple(float(record[key]) for key in ("x", "y", "fx", "fy"))  # type: ignore[return-value]


def chances(tally: Tally, view: View) -> dict[str, float]:
    """Chance of each word that may happen."""
    p = tally.probabilities
    found = {word: float(p[view.codes == code].sum()) for code, word in view.words.items()}
    return {word: chance for word, chance in found.items() if chance > 0}


def words(scenario: Scenario) -> list[str]:
    """The word of every charge of a battle in which all is certain before the combat."""
    tally = solve(scenario.whole)
    found = []
    for view in tally.reading.charges.values():
        codes = np.unique(view.codes)
        assert codes.size == 1
        found.append(view.words[int(codes[0])])
    return found
