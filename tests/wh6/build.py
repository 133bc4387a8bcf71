"""Small scenarios, and what their exact solution says, for the rule tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from chargesim.engine.exact import solve, solve_fractions
from chargesim.rulesets import Quantity, View
from chargesim.scenario import Scenario

MAN: dict[str, Any] = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
RIDERS: dict[str, Any] = {"side": "active", "models": 5, **MAN, "M": 18, "troop": "cavalry"}
SPEARS: dict[str, Any] = {"side": "reactive", "models": 20, **MAN}
CHARIOT: dict[str, Any] = {
    "side": "active",
    "models": 1,
    "M": 18,
    "S": 5,
    "T": 5,
    "W": 4,
    "save": "4+",
    "troop": "chariot",
    "chariot": {
        "impact_hits": "1D6",
        "crew": {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
    },
}
FRIEND: dict[str, Any] = {"side": "active", "models": 5, **MAN, "M": 22, "fleeing": True}


def tables(
    charger: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    reaction: str = "hold",
    *,
    a: dict[str, Any] = RIDERS,
    more: dict[str, dict[str, Any]] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Tables of a file: ``a`` charges ``b`` from 20 away, with changes.

    Parameters
    ----------
    charger, target, charge
        What differs from ``a``, from twenty spearmen, and from the charge.
    reaction
        Of the target.
    a
        The charging unit before its changes: five riders of reach 36.
    more
        Further units by name.
    others
        Further tables, such as ``units`` and ``switches``.
    """
    return {
        "ruleset": "wh6",
        "unit": {"a": {**a, **(charger or {})}, "b": {**SPEARS, **(target or {})}, **(more or {})},
        "charge": [{"charger": "a", "target": "b", "distance": 20, **(charge or {})}],
        "reaction": {"b": reaction},
        **others,
    }


def distribution(quantity: Quantity, weights: Any) -> dict[int, Any]:
    """Chance of each value; for one that may not arise, only where it does."""
    found: dict[int, Any] = {}
    for value, weight in zip(quantity.values, weights, strict=True):
        if weight and (quantity.always or value >= 0):
            found[int(value)] = found.get(int(value), 0) + weight
    return found


def words_of(view: View, weights: Any) -> dict[str, Any]:
    """Chance of each word of a view."""
    found: dict[str, Any] = {}
    for code, weight in zip(view.codes, weights, strict=True):
        if weight:
            word = view.words[int(code)]
            found[word] = found.get(word, 0) + weight
    return found


class Solved:
    """The exact answer to a scenario; all chances are fractions unless a distance is estimated."""

    def __init__(self, scenario: Scenario, weights: Any, games: Any) -> None:
        self.weights = weights
        self.games = games
        self.reading = scenario.ruleset.read(games, scenario.unit_names, scenario.charges)
        self.charge = self.reading.charges[0]

    @property
    def words(self) -> dict[str, Any]:
        """Chance of each word of the charge."""
        return words_of(self.charge, self.weights)

    def p(self, word: str) -> Any:
        """Chance of a word of the charge."""
        return self.words.get(word, 0)

    def dist(self, name: str) -> dict[int, Any]:
        """Distribution of a number of the charge."""
        return distribution(self.charge.quantities[name], self.weights)

    def unit_dist(self, unit: str, name: str) -> dict[int, Any]:
        """Distribution of a number of a unit."""
        return distribution(self.reading.units[unit].quantities[name], self.weights)

    def state(self, unit: str) -> dict[str, Any]:
        """Chance of each state of a unit."""
        return words_of(self.reading.units[unit], self.weights)

    @property
    def sixes(self) -> Any:
        """Chance that the target needs sixes against a charger in contact."""
        flags = self.charge.flags["needs_sixes"]
        return sum((w for w, f in zip(self.weights, flags, strict=True) if f), Fraction(0))

    @property
    def reaction(self) -> str:
        """The target's reaction in force."""
        return str(self.charge.labels["reaction"])

    def mean(self, name: str) -> Any:
        """Mean of a number of the charge."""
        return sum(value * weight for value, weight in self.dist(name).items())


def play(
    charger: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    reaction: str = "hold",
    **others: Any,
) -> Solved:
    """Solve the small scenario of :func:`tables` in fractions, and hold floating point to them."""
    scenario = Scenario(**tables(charger, target, charge, reaction, **others))
    exact = solve_fractions(scenario)
    assert sum(exact.fractions) == 1
    fast = solve(scenario)
    assert np.array_equal(fast.states, exact.states)
    assert np.max(np.abs(fast.weights - exact.weights)) < 1e-12
    return Solved(scenario, exact.fractions, exact.games(scenario))


def estimated(*arguments: Any, **others: Any) -> Solved:
    """Solve a scenario with an estimated distance, in floating point."""
    scenario = Scenario(**tables(*arguments, **others))
    tally = solve(scenario)
    return Solved(scenario, tally.weights, tally.games(scenario))


def dice(number: int, holds: Callable[[int], bool], sides: int = 6) -> Fraction:
    """Chance that something holds of the sum of some dice, by adding one die at a time."""
    sums = Counter({0: 1})
    for _ in range(number):
        after: Counter[int] = Counter()
        for (total, ways), face in product(sums.items(), range(1, sides + 1)):
            after[total + face] += ways
        sums = after
    return Fraction(sum(ways for total, ways in sums.items() if holds(total)), sides**number)
