"""Declaration games too large to be searched: both sides play by named policies."""

from __future__ import annotations

import numpy as np

from chargesim.rulesets.games import Step
from chargesim.rulesets.ranked_regiment.game_tree import Battle, Move, Words


def chosen(battle: Battle, row: Words, policy: str, rng: np.random.Generator) -> Move:
    """Move that a policy makes, one of :data:`chargesim.rulesets.games.POLICIES`.

    Of moves that are as good to it any one, each as likely.
    """
    options = battle.options(row)
    if len(options) == 1:
        return options[0]
    if policy == "pass" and options[-1][0] < 0:
        return options[-1]
    if policy not in ("greedy", "cautious"):
        return options[int(rng.integers(len(options)))]
    sign = 1.0 if row[0] & 1 == 0 else -1.0
    rows = [battle.after(row, move) for move in options]
    worths = sign * battle.worths(np.array(rows))
    if policy == "cautious":
        for i, after in enumerate(rows):
            replies = [battle.after(after, reply) for reply in battle.options(after)]
            if replies:
                worths[i] = (sign * battle.worths(np.array(replies))).min()
    return options[int(rng.choice(np.flatnonzero(worths >= worths.max() - 1e-12)))]


def played_out(
    battle: Battle, row: Words, policies: tuple[str, str], rng: np.random.Generator
) -> tuple[float, tuple[Step, ...]]:
    """Play on from a position by policies; the swing to the active side, and the line played."""
    steps = []
    while options := battle.options(row):
        move = chosen(battle, row, policies[int(row[0] & 1)], rng)
        if len(options) > 1:
            steps.append(battle.step_of(row, move))
        row = battle.after(row, move)
    return float(battle.worths(row[None])[0]), tuple(steps)
