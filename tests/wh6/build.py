"""Small scenarios, and what their exact solution says, for the rule tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from chargesim.engine.exact import solve, solve_fractions
from chargesim.engine.tally import Tally
from chargesim.parts import Part
from chargesim.rulesets import Quantity, View
from chargesim.rulesets.wh6.state import Fate
from chargesim.scenario import Scenario

MAN: dict[str, Any] = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 0, "Ld": 7}
"""A man who strikes no blow, so that the fight is short where a test is about the charge."""
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
        "crew": {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 0, "Ld": 8},
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
    arises = quantity.arises
    for state, (value, weight) in enumerate(zip(quantity.values, weights, strict=True)):
        if weight and (arises is None or arises[state]):
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
    """The exact answer to a scenario; all chances are fractions unless a distance is estimated.

    Where nothing else is said it speaks of the first charge and of the combat of its target.
    """

    def __init__(self, part: Part, tally: Tally) -> None:
        self.weights: Any = tally.fractions or tally.weights
        self.games = part.games(tally.states)
        self.reading = part.read(tally.states)
        self.charge = self.reading.charges[0]

    @property
    def words(self) -> dict[str, Any]:
        """Chance of each word of the charge."""
        return self.words_of(0)

    def words_of(self, charge: int) -> dict[str, Any]:
        """Chance of each word of a charge."""
        return words_of(self.reading.charges[charge], self.weights)

    def p(self, word: str, charge: int = 0) -> Any:
        """Chance of a word of a charge."""
        return self.words_of(charge).get(word, 0)

    def both(self, *words: str) -> Any:
        """Chance that the charges, in their order, end with these words."""
        codes = [self.reading.charges[i] for i in range(len(words))]
        return sum(
            weight
            for state, weight in enumerate(self.weights)
            if all(v.words[int(v.codes[state])] == w for v, w in zip(codes, words, strict=True))
        )

    def dist(self, name: str, charge: int = 0) -> dict[int, Any]:
        """Distribution of a number of a charge."""
        return distribution(self.reading.charges[charge].quantities[name], self.weights)

    def unit_dist(self, unit: str, name: str) -> dict[int, Any]:
        """Distribution of a number of a unit."""
        return distribution(self.reading.units[unit].quantities[name], self.weights)

    def state(self, unit: str) -> dict[str, Any]:
        """Chance of each state of a unit at the end."""
        return words_of(self.reading.units[unit], self.weights)

    def before_fight(self, unit: str) -> dict[str, Any]:
        """Chance of each state of a unit, the trials in which it came to blows as ``fighting``."""
        found: dict[str, Any] = {}
        view = self.reading.units[unit]
        fought = self._combat(None).codes != Fate.NO_COMBAT
        for state, weight in enumerate(self.weights):
            if weight:
                word = "fighting" if fought[state] else view.words[int(view.codes[state])]
                found[word] = found.get(word, 0) + weight
        return found

    def _combat(self, target: str | None) -> View:
        return self.reading.combats[target or str(self.charge.labels["target"])]

    def fates(self, target: str | None = None) -> dict[str, Any]:
        """Chance of each word of a combat."""
        return words_of(self._combat(target), self.weights)

    def fate(self, word: str, target: str | None = None) -> Any:
        """Chance of a word of a combat."""
        return self.fates(target).get(word, 0)

    def combat(self, name: str = "combat_result", target: str | None = None) -> dict[int, Any]:
        """Distribution of a number of a combat: its result, or the wounds of either side."""
        return distribution(self._combat(target).quantities[name], self.weights)

    def result(self, target: str | None = None) -> int:
        """The result of a combat that has but one."""
        (only,) = self.combat("combat_result", target)
        return only

    def wounds(self, side: str, target: str | None = None) -> Any:
        """Mean wounds that the ``active`` or ``reactive`` side of a combat caused."""
        return sum(v * w for v, w in self.combat(f"{side}_wounds", target).items())

    @property
    def sixes(self) -> Any:
        """Chance that the target needs sixes against a charger in contact."""
        return self.sixes_of(0)

    def sixes_of(self, charge: int) -> Any:
        """Chance that the target needs sixes against this charger, in contact."""
        flags = self.reading.charges[charge].flags["needs_sixes"]
        return sum((w for w, f in zip(self.weights, flags, strict=True) if f), Fraction(0))

    @property
    def reaction(self) -> str:
        """The target's reaction in force."""
        return str(self.charge.labels["reaction"])

    def mean(self, name: str, charge: int = 0) -> Any:
        """Mean of a number of a charge."""
        return sum(value * weight for value, weight in self.dist(name, charge).items())


def solved(scenario: Scenario) -> Solved:
    """Solve a scenario in fractions, and hold floating point to them."""
    part = scenario.whole
    exact = solve_fractions(part)
    assert sum(exact.fractions) == 1
    fast = solve(part)
    assert np.array_equal(fast.states, exact.states)
    assert np.max(np.abs(fast.weights - exact.weights)) < 1e-12
    return Solved(part, exact)


def play(
    charger: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    reaction: str = "hold",
    **others: Any,
) -> Solved:
    """Solve the small scenario of :func:`tables` in fractions."""
    return solved(Scenario(**tables(charger, target, charge, reaction, **others)))


def battle(
    members: dict[str, dict[str, Any]],
    /,
    *charges: tuple[str, str] | tuple[str, str, dict[str, Any]],
    reaction: dict[str, Any] | None = None,
    **others: Any,
) -> Solved:
    """Solve any number of units and charges in fractions.

    Parameters
    ----------
    members
        Units by name.
    charges
        Charger, target and what is not usual: from 10 away to the front.
    reaction
        Reactions by target.
    others
        Further tables, such as ``units`` and ``switches``.
    """
    return solved(Scenario(**battle_tables(members, *charges, reaction=reaction, **others)))


def battle_tables(
    members: dict[str, dict[str, Any]],
    /,
    *charges: tuple[str, str] | tuple[str, str, dict[str, Any]],
    reaction: dict[str, Any] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Tables of a file as :func:`battle` takes them."""
    return {
        "ruleset": "wh6",
        "unit": members,
        "charge": [
            {"charger": charge[0], "target": charge[1], "distance": 10, **dict(*charge[2:])}
            for charge in charges
        ],
        "reaction": reaction or {},
        **others,
    }


def men(models: int = 1, side: str = "active", **changes: Any) -> dict[str, Any]:
    """Men in one rank who strike no blow, whom nothing puts to flight: a fight and nothing else."""
    base = {"side": side, "models": models, "width": models, **MAN, "rules": ["unbreakable"]}
    return {**base, **changes}


def foes(models: int = 1, **changes: Any) -> dict[str, Any]:
    """The same of the other side."""
    return men(models, "reactive", **changes)


def duel(
    a: dict[str, Any], b: dict[str, Any], charge: dict[str, Any] | None = None, **others: Any
) -> Solved:
    """One unit charges another from 10 away, which holds."""
    return battle({"a": a, "b": b}, ("a", "b", charge or {}), **others)


def game_of(**tables: Any) -> Any:
    """Game record of a scenario, for calling functions of the rule text."""
    return Scenario(**tables).whole.game()[0]


def estimated(*arguments: Any, **others: Any) -> Solved:
    """Solve a scenario with an estimated distance, in floating point."""
    scenario = Scenario(**tables(*arguments, **others))
    return Solved(scenario.whole, solve(scenario.whole))


def dice(number: int, holds: Callable[[int], bool], sides: int = 6) -> Fraction:
    """Chance that something holds of the sum of some dice, by adding one die at a time."""
    sums = Counter({0: 1})
    for _ in range(number):
        after: Counter[int] = Counter()
        for (total, ways), face in product(sums.items(), range(1, sides + 1)):
            after[total + face] += ways
        sums = after
    return Fraction(sum(ways for total, ways in sums.items() if holds(total)), sides**number)
