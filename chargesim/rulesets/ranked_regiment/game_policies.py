"""Declaration games too large to be searched: both players play by policies, many times."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.ranked_regiment.apart import is_certain
from chargesim.rulesets.ranked_regiment.game_tree import PASS, Battle, Move, Step
from chargesim.rulesets.ranked_regiment.scenario import Model

POLICIES = ("greedy", "random", "pass")
"""The declaration that would be best if it were the last, any of them, or none."""


@dataclass(frozen=True)
class Estimate:
    """A first declaration and what it is worth when policies go on.

    Parameters
    ----------
    step
        The declaration.
    mean, error
        Mean swing to who declares, and half of its 95 % interval.
    """

    step: Step
    mean: float
    error: float


def chosen(battle: Battle, state: bytes, policy: str, rng: np.random.Generator) -> Move:
    """Move that a policy makes."""
    options = battle.options(state)
    if len(options) == 1 or (policy == "pass" and PASS in options):
        return options[-1]
    if policy == "random":
        return options[int(rng.integers(len(options)))]
    sign = 1 if battle.mover(state) == 0 else -1
    worths = np.array([sign * settled(battle, battle.after(state, move)) for move in options])
    return options[int(rng.choice(np.flatnonzero(worths >= worths.max() - 1e-12)))]


def settled(battle: Battle, state: bytes) -> float:
    """Swing to the active side if a state were the last, remembered."""
    if state not in battle.swings:
        battle.swings[state] = battle.swing(state)
    return battle.swings[state]


def played_out(
    battle: Battle, state: bytes, policies: tuple[str, str], rng: np.random.Generator
) -> float:
    """Swing to the active side when both play by their policies from a state."""
    while battle.options(state):
        move = chosen(battle, state, policies[battle.mover(state)], rng)
        state = battle.after(state, move)
    return settled(battle, state)


def _check(policies: tuple[str, str], trials: int) -> None:
    for policy in policies:
        if policy not in POLICIES:
            raise InputError(f"policy: {policy!r} is none: one of {', '.join(POLICIES)}")
    if trials < 1:
        raise InputError(f"trials: {trials} is too few: at least 1")


def _mean(values: Any) -> tuple[float, float]:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return float(np.mean(values)), 1.96 * spread / sqrt(len(values))


def play_policies(
    model: Model,
    active: str = "greedy",
    reactive: str = "greedy",
    *,
    trials: int = 100,
    seed: int = 0,
) -> tuple[float, float]:
    """Mean swing to the active side when both play by policies, and half of its 95 % interval.

    Parameters
    ----------
    model
        A sound scenario; its charges and reactions are not looked at.
    active, reactive
        Policy of each side, one of :data:`POLICIES`.
    trials
        How many games; uncertain poses are drawn anew for each.
    seed
        Of poses and policies.

    Raises
    ------
    InputError
        For an unknown policy, or no trials.
    """
    _check((active, reactive), trials)
    rng = np.random.default_rng(seed)
    values, battle = [], Battle(model, seed=seed)
    root = battle.root
    for trial in range(trials):
        if trial and not is_certain(model):
            battle = Battle(model, trial=trial, seed=seed)
            root = battle.root
        values.append(played_out(battle, root, (active, reactive), rng))
    return _mean(values)


def estimate(
    model: Model,
    active: str = "greedy",
    reactive: str = "greedy",
    *,
    trials: int = 100,
    seed: int = 0,
) -> list[Estimate]:
    """Worth of each first declaration, passing among them, when policies go on; best first.

    Parameters and errors as for :func:`play_policies`. Where poses are uncertain, a declaration
    counts over the trials in which it is legal.
    """
    _check((active, reactive), trials)
    rng = np.random.default_rng(seed)
    found: dict[Step, list[float]] = {}
    battle = Battle(model, seed=seed)
    root = battle.root
    for trial in range(trials):
        if trial and not is_certain(model):
            battle = Battle(model, trial=trial, seed=seed)
            root = battle.root
        sign = 1 if battle.mover(root) == 0 else -1
        for move in battle.options(root):
            step = battle.step(root, move)
            value = played_out(battle, battle.after(root, move), (active, reactive), rng)
            found.setdefault(step, []).append(sign * value)
    estimates = [Estimate(step, *_mean(values)) for step, values in found.items()]
    return sorted(estimates, key=lambda one: -one.mean)
