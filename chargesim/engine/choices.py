"""Finding the best choices: backward induction over what a scenario leaves open.

Charges are declared before reactions, and every choice is known to those who choose later, so the
game is one of perfect information: whoever chooses first reckons with the best answer of whoever
chooses next. Luck comes after all choices, or does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any

import numpy as np

from chargesim.engine.outcomes import Masks, masks, quantity, views
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.rulesets import Choice
from chargesim.scenario import Scenario

MOST_LINES = 2_000
"""Most combinations of choices that are tried."""
SIDES = ("active", "reactive")
Play = Callable[[Scenario], list[Tally]]


@dataclass(frozen=True)
class Value:
    """What a line of play is worth to one side.

    Parameters
    ----------
    mean, error
        Expectation, and half the width of its 95 % interval; 0 when exact.
    """

    mean: float
    error: float


@dataclass(frozen=True)
class Chosen:
    """The best line of play.

    Parameters
    ----------
    scenario
        The question with every choice made.
    tallies
        Its answer.
    alternatives
        Every option with its value to its owner, as the contract shows them.
    """

    scenario: Scenario
    tallies: list[Tally]
    alternatives: list[dict[str, Any]]


def choose(scenario: Scenario, play: Play) -> Chosen:
    """Make the choices that a scenario leaves open, each the best for its owner.

    Parameters
    ----------
    scenario
        The question.
    play
        Answers a scenario without open choices; all answers must share their luck.

    Raises
    ------
    InputError
        When there are too many combinations, or a goal cannot be read.
    """
    open_choices = scenario.choices
    lines = prod(len(choice.options) for choice in open_choices)
    if lines > MOST_LINES:
        raise InputError(
            f"reaction: {lines:,} combinations of choices are too many: at most {MOST_LINES:,}, "
            'write fewer "best"'
        )
    tree = _Tree(scenario, open_choices, play)
    line = tree.best(())
    alternatives = []
    for depth, choice in enumerate(open_choices):
        for option, (name, _) in enumerate(choice.options):
            other = tree.best((*line[:depth], option))
            value = tree.value(other, choice.side)
            if tree.is_allowed(other, depth):
                alternatives.append(
                    {
                        "unit": choice.unit,
                        "choice": name,
                        "value": value.mean,
                        "low": value.mean - value.error,
                        "high": value.mean + value.error,
                        "chosen": option == line[depth],
                    }
                )
    played, tallies = tree.played(line)
    return Chosen(played, tallies, alternatives)


class _Tree:
    """Lines of play, each solved once: a line is the number of the option taken at each choice."""

    def __init__(self, scenario: Scenario, open_choices: list[Choice], play: Play) -> None:
        self.scenario, self.choices, self.play = scenario, open_choices, play
        self.solved: dict[tuple[int, ...], tuple[Scenario, list[Tally]]] = {}
        self.values: dict[tuple[tuple[int, ...], str], Value] = {}

    def played(self, line: tuple[int, ...]) -> tuple[Scenario, list[Tally]]:
        """The scenario of a whole line, and its answer."""
        if line not in self.solved:
            changes: dict[str, Any] = {}
            for choice, option in zip(self.choices, line, strict=True):
                changes |= choice.options[option][1]
            variant = self.scenario.replace(**changes)
            self.solved[line] = (variant, self.play(variant))
        return self.solved[line]

    def best(self, begun: tuple[int, ...]) -> tuple[int, ...]:
        """The line that follows from a beginning when everybody chooses well."""
        if len(begun) == len(self.choices):
            return begun
        choice = self.choices[len(begun)]
        found = [self.best((*begun, option)) for option in range(len(choice.options))]
        return max(found, key=lambda line: self.value(line, choice.side).mean)

    def value(self, line: tuple[int, ...], side: str) -> Value:
        """What a whole line is worth to a side."""
        key = (line, side)
        if key not in self.values:
            self.values[key] = worth(*self.played(line), side)
        return self.values[key]

    def is_allowed(self, line: tuple[int, ...], depth: int) -> bool:
        """False for a reaction in whose place the rules put another."""
        choice = self.choices[depth]
        name = choice.options[line[depth]][0]
        reaction = name.split(" ")[0]
        reactions = self.scenario.ruleset.reactions
        for tally in self.played(line)[1]:
            for view in tally.reading.charges.values():
                if view.labels["target"] == choice.unit and reaction in reactions:
                    return bool(view.labels["reaction"] == reaction)
        return True


def worth(scenario: Scenario, tallies: list[Tally], side: str) -> Value:
    """What an answer is worth to a side: by its goal, or by the swing in points.

    The swing is the expected worth of the enemy units that are destroyed or flee after the first
    combat round, less that of one's own.
    """
    goal = getattr(scenario.model.goal, side)
    payoffs = _swing(scenario, tallies, side) if goal is None else None
    if payoffs is None:
        weights = {goal: 1.0} if isinstance(goal, str) else dict(goal)
        return _goal(tallies, weights, f"goal.{side}")
    mean, spread = 0.0, 0.0
    for tally, payoff in zip(tallies, payoffs, strict=True):
        average = float(np.dot(tally.probabilities, payoff))
        mean += average
        if tally.trials is not None:
            square = float(np.dot(tally.probabilities, payoff**2))
            spread += max(square - average**2, 0.0) / tally.trials
    return Value(mean, 1.96 * sqrt(spread))


def _swing(scenario: Scenario, tallies: list[Tally], side: str) -> list[np.ndarray[Any, Any]]:
    stakes = scenario.ruleset.stakes(scenario.model)
    payoffs = []
    for tally in tallies:
        payoff = np.zeros(len(tally.states))
        for name, view in tally.reading.units.items():
            sign = -1.0 if stakes[name].side == side else 1.0
            payoff += sign * stakes[name].worth * view.among(scenario.ruleset.lost)
        payoffs.append(payoff)
    return payoffs


def _goal(tallies: list[Tally], weights: dict[str, float], path: str) -> Value:
    """Weighted sum of outcomes and means."""
    known = views([tally.reading for tally in tallies])
    mean, error = 0.0, 0.0
    for outcome, weight in weights.items():
        try:
            value = _expectation(known, tallies, outcome)
        except InputError as fault:
            raise InputError(f"{path}: {str(fault).removeprefix('value: ')}") from None
        mean += weight * value.mean
        error += abs(weight) * value.error
    return Value(mean, error)


def _expectation(known: Any, tallies: list[Tally], outcome: str) -> Value:
    name = outcome.strip().removeprefix("mean:")
    if name != outcome.strip():
        part, found = quantity(known, name)
        chances = tallies[part].probabilities
        average = float(np.dot(chances, found.values))
        square = float(np.dot(chances, np.asarray(found.values, float) ** 2))
        trials = tallies[part].trials
        spread = 0.0 if trials is None else max(square - average**2, 0.0) / trials
        return Value(average, 1.96 * sqrt(spread))
    asked, given = masks(known, outcome)
    if given is not None:
        raise InputError(f"{outcome!r} has a condition: a goal is a plain outcome")
    return _probability(asked, tallies)


def _probability(asked: Masks, tallies: list[Tally]) -> Value:
    chances = [float(tallies[part].probabilities[mask].sum()) for part, mask in asked.items()]
    p = prod(chances)
    spread = 0.0
    for (part, _), one in zip(asked.items(), chances, strict=True):
        trials = tallies[part].trials
        if trials is not None and one > 0:
            spread += (p / one) ** 2 * one * (1 - one) / trials
    return Value(p, 1.96 * sqrt(spread))
