"""The declaration game over all that is uncertain: exact over choices, sampled over positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, TypeVar

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.games import MARKS, POLICIES, SIDES, Game, Line, Opening, Step, Worth
from chargesim.rulesets.ranked_regiment.game_policies import played_out
from chargesim.rulesets.ranked_regiment.game_tree import Battle, Mark, TooLarge, Words
from chargesim.rulesets.ranked_regiment.scenario import Model

MOST_CASES = 64
"""So many cases are looked at one by one; more, and such as cannot be counted, are sampled."""
MOST_POSITIONS = 500_000
"""Positions of a game that are searched before policies play it."""
TRIALS, PLAYED = 200, 20
"""Cases that are drawn, and games that policies play from each beginning, unless it is said."""
MOST_CAREFUL = 20
"""Where a side has more declarations to begin with, looking at every reply would take too long."""
_ANY = 1e-9
Progress = Callable[[int, int], None]
_T = TypeVar("_T")


@dataclass
class _Met:
    """What has been seen of one first declaration: chance of each case, and what it was worth."""

    weights: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def add(self, weight: float, value: float, mark: Mark | None = None) -> None:
        self.weights.append(weight)
        self.values.append(value)
        if mark is not None:
            self.marks.append(mark)


class _Book:
    """Gathers cases into a game."""

    def __init__(self, sampled: bool) -> None:
        self.sampled = sampled
        self.weights: list[float] = []
        self.values: list[float] = []
        self.lines: Counter[tuple[Step, ...]] = Counter()
        self.met: dict[Step, _Met] = {}
        self.complete, self.positions = 0, 0

    def enter(self, weight: float, value: float, line: tuple[Step, ...]) -> None:
        """Add what came of one case."""
        self.weights.append(weight)
        self.values.append(value)
        self.lines[line] += weight  # type: ignore[assignment]  # shares are counted like numbers

    def worth(self, weights: list[float], values: list[float]) -> Worth:
        """Mean, with its interval where cases were sampled."""
        if max(values) - min(values) < _ANY:
            return Worth(values[0], values[0], values[0])
        mean = float(np.average(values, weights=weights))
        error = 0.0
        if self.sampled:
            error = 1.96 * float(np.std(values, ddof=1)) / sqrt(len(values))
        return Worth(mean, mean - error, mean + error)

    def game(self, trials: int | None, seed: int | None, policies: tuple[str, str] | None) -> Game:
        """All of it; openings by side, the best first."""
        total = sum(self.weights)
        lines = [Line(share / total, line) for line, share in self.lines.most_common()]
        openings = [self.opening(step, met, total) for step, met in self.met.items()]
        openings.sort(key=lambda one: (SIDES.index(one.step.side), -one.value.mean))
        return Game(
            trials, seed, policies, self.worth(self.weights, self.values), tuple(lines),
            tuple(openings), self.complete, self.positions,
        )  # fmt: skip

    def opening(self, step: Step, met: _Met, total: float) -> Opening:
        """What has been seen of one first declaration."""
        within = sum(met.weights)
        chance = 1.0 if abs(within - total) < _ANY * total else within / total
        value = self.worth(met.weights, met.values)
        if not any(mark.mark for mark in met.marks):
            replies = _commonest(mark.reply for mark in met.marks if mark.reply is not None)
            return Opening(step, chance, value, {}, replies)
        marks: dict[str, float] = dict.fromkeys(MARKS, 0.0)
        for weight, mark in zip(met.weights, met.marks, strict=True):
            marks[mark.mark] += weight / within
        marks = {word: min(p, 1.0) for word, p in marks.items() if p > 0}
        likeliest = max(marks, key=lambda word: marks[word])
        proving = [mark for mark in met.marks if mark.mark == likeliest]
        reply = _commonest(mark.reply for mark in proving if mark.reply is not None)
        left = [mark.reply_value for mark in proving if mark.reply == reply]
        known = [value for value in left if value is not None]
        better = _commonest(mark.better for mark in proving if mark.better is not None)
        return Opening(
            step, chance, value, marks, reply, float(np.mean(known)) if known else None, better
        )


def _commonest(found: Iterable[_T]) -> _T | None:
    counted = Counter(found)
    return counted.most_common(1)[0][0] if counted else None


def solve(
    model: Model,
    *,
    engine: str = "auto",
    trials: int | None = None,
    seed: int = 0,
    policies: tuple[str, str] | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> Game:
    """Solve the declaration game of a battle, or let policies play it.

    Both sides see where everybody stands. Where poses, Moves or the first declarer are uncertain
    each case is a game of its own, and the value is the mean over them.

    Parameters
    ----------
    model
        A sound scenario; its charges and reactions are not looked at.
    engine
        ``"auto"``: all cases where they are few, else a sample; the best choices while a game has
        at most ``max_states`` positions, else both sides are cautious, or greedy where there are
        many declarations to choose from. ``"exact"``: all cases, best choices, or an error.
        ``"sample"``: cases are drawn.
    trials
        Cases that are drawn, or games that policies play from each beginning; ``None``: 200 and 20.
    seed
        0 to 2**64 - 1; trial N is the same as everywhere.
    policies
        How the active and the reactive side play; ``None``: both choose well.
    max_states
        Positions of one game that are searched; ``None``: half a million.
    progress
        Called with (cases done, cases).

    Raises
    ------
    InputError
        For an unknown policy, or when ``exact`` is asked for and the game is too large.
    """
    _check(trials, policies)
    most = MOST_POSITIONS if max_states is None else max_states
    battle = Battle(model)
    cases = None if engine == "sample" else battle.cases(MOST_CASES)
    if engine == "exact" and (cases is None or policies is not None):
        why = "policies play it" if cases is not None else "poses or Moves are uncertain"
        raise InputError(
            f"engine: exact cannot be: {why}, so that cases are sampled: auto or sample"
        )
    if policies is None:
        try:
            return _searched(battle, cases, trials or TRIALS, seed, most, progress)
        except TooLarge:
            if engine == "exact":
                raise
        careful = all(len(battle.options(battle.root(side))) <= MOST_CAREFUL for side in (0, 1))
        policies = ("cautious", "cautious") if careful else ("greedy", "greedy")
    return _played(battle, trials or PLAYED, seed, policies, progress)


def _check(trials: int | None, policies: tuple[str, str] | None) -> None:
    for policy in policies or ():
        if policy not in POLICIES:
            raise InputError(f"policies: {policy!r} is none: one of {', '.join(POLICIES)}")
    if trials is not None and trials < 1:
        raise InputError(f"trials: {trials} is too few: at least 1")


def _searched(
    battle: Battle,
    cases: list[tuple[float, Words]] | None,
    trials: int,
    seed: int,
    most: int,
    progress: Progress | None,
) -> Game:
    """Both sides choose well in every case."""
    book = _Book(sampled=cases is None)
    count = trials if cases is None else len(cases)
    found: Any = cases or ((1.0, words) for words in battle.drawn(range(trials), seed))
    for number, (weight, case) in enumerate(found, start=1):
        mover = battle.begin(case)
        for side in (mover, 1 - mover):
            tree = battle.search(side, most)
            book.positions += len(tree.states)
            if side == mover:
                book.enter(weight, tree.value, tree.line())
                # of several cases each has its own
                book.complete = tree.complete if cases is not None and count == 1 else 0
            for mark in tree.marks():
                book.met.setdefault(mark.step, _Met()).add(weight, mark.value, mark)
        if progress:
            progress(number, count)
    sampled = cases is None
    return book.game(trials if sampled else None, seed if sampled else None, None)


def _played(
    battle: Battle, trials: int, seed: int, policies: tuple[str, str], progress: Progress | None
) -> Game:
    """Policies play a game from the beginning, and one after each first declaration, in a trial."""
    book = _Book(sampled=True)
    rng = np.random.default_rng(seed)
    before = None
    for number, case in enumerate(battle.drawn(range(trials), seed), start=1):
        poses = case.tobytes()
        if poses != before:  # else what single positions are worth is still known
            battle.begin(case)
            before = poses
        mover = int(battle.begun_by)
        value, line = played_out(battle, battle.root(mover), policies, rng)
        book.enter(1.0, value, line)
        for side in (mover, 1 - mover):
            root, sign = battle.root(side), 1.0 if side == 0 else -1.0
            for move in battle.options(root):
                after = battle.after(root, move)
                value, _ = played_out(battle, after, policies, rng)
                step = battle.step_of(root, move)
                book.met.setdefault(step, _Met()).add(1.0, sign * value)
        if progress:
            progress(number, trials)
    book.positions = len(battle.swings)
    return book.game(trials, seed, policies)
