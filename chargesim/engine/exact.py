"""The exact engine: phase by phase over every outcome, equal states merged."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from chargesim.engine import pmf as exact_pmf
from chargesim.engine.tally import Tally, in_order
from chargesim.errors import ChargesimError
from chargesim.scenario import Part

MAX_STATES = 1_000_000
MAX_WORDS = 1 << 23
"""Most states of a phase, and most words of them, unless asked otherwise."""
SMALL = 2048
"""Places of the first table of states; it is used up to the half."""
MAX_STEPS = 2048
"""More steps than any game takes."""


class ExactLimitError(ChargesimError):
    """The tree of a scenario is larger than allowed; names the phase and the count."""

    exit_code = 2

    def __init__(self, phase: str, states: int, limit: int) -> None:
        self.phase, self.states, self.limit = phase, states, limit
        super().__init__(
            f"exact: more than {states:,} states after phase {phase!r}, {limit:,} are allowed: "
            "use --engine sample, or allow more with --max-states"
        )


class UncountableError(ExactLimitError):
    """A phase draws a number that has no outcomes to count, such as a place that is uncertain."""

    def __init__(self, phase: str) -> None:
        super().__init__(phase, 0, 0)
        self.args = (
            f"exact: phase {phase!r} draws normal numbers, which cannot be enumerated: "
            "use --engine sample, or leave out the noise",
        )


_local = threading.local()


class Expander:
    """A game and dice in which phases are enumerated."""

    def __init__(self, part: Part) -> None:
        from chargesim.kernels.dice import Mode, new_dice

        self.live = part.live
        self.array = part.game()
        self.words = self.array.view(np.uint64)
        self.begin = self.words[self.live].copy()
        if not hasattr(_local, "dice"):
            _local.dice = new_dice(Mode.ENUMERATE)  # holds nothing from one use to the next
        self.dice = _local.dice
        self.step, _ = part.ruleset.kernels()
        self.phases = part.ruleset.phases

    def start(self) -> Any:
        """Live words of the initial state, shape (1, words)."""
        return self.begin[None, :].copy()

    def enter(self, state: Any) -> tuple[bool, str]:
        """Put a state into the game; say whether it is over and which phase is next."""
        self.words[self.live] = state
        head = self.array["head"][0]
        done = bool(head["done"])
        return done, "" if done else self.phases(int(head["phase"])).name.lower()

    def run(self, state: bytes, tape: list[int]) -> bool:
        """Take one step of a state with a tape's outcomes; True when a further node asks."""
        record = self.dice[0]
        self.words[self.live] = np.frombuffer(state, np.uint64)
        record["asked"], record["depth"], record["wanting"] = 0, len(tape), 0
        record["tape"][: len(tape)] = tape
        self.step(self.array[0], record)
        return bool(record["wanting"])


def _expander(part: Part) -> Expander:
    """Give this thread's expander of a part; the last one is kept for the next question."""
    kept: tuple[Part, Expander] | None = getattr(_local, "kept", None)
    if kept is None or kept[0] is not part:
        kept = _local.kept = (part, Expander(part))
    return kept[1]


def solve(part: Part, *, max_states: int | None = None) -> Tally:
    """Solve a part of a scenario exactly, in floating point.

    Parameters
    ----------
    part
        The question.
    max_states
        Most states a phase may end in; ``None``: ``MAX_STATES``, fewer when they are long.

    Returns
    -------
    Tally
        Its probabilities add up to 1 within rounding (``mass_defect``).

    Raises
    ------
    ExactLimitError
        When a phase has more states.
    """
    from chargesim.kernels.jit import specialise
    from chargesim.kernels.loops import FULL, TOO_DEEP, UNCOUNTABLE, expand_all, new_table

    game = _expander(part)
    if max_states is None:
        max_states = min(MAX_STATES, MAX_WORDS // game.live.size)
    sizes = np.zeros((MAX_STEPS, 2), np.int64)
    span = np.zeros(3, np.int64)
    capacity = SMALL
    while True:
        table = new_table(capacity, game.live.size)
        states = np.empty((capacity // 2, game.live.size), np.uint64)
        chances = np.empty(capacity // 2)
        states[0], chances[0] = game.begin, 1.0
        span[:] = (1, 0, 0)
        arguments = (
            game.array[0], game.dice[0], game.words, game.live, states, chances, table, sizes, span
        )  # fmt: skip
        specialise(expand_all, game.step, *arguments)(game.step, *arguments)
        taken = int(span[1])
        if span[2] == UNCOUNTABLE:
            raise UncountableError(game.phases(int(sizes[taken, 0])).name.lower())
        most = int(sizes[:taken, 1].max(initial=0))
        if (
            most > max_states
            or span[2] == TOO_DEEP
            or (span[2] == FULL and table.used[0] > max_states)
        ):
            at = int(np.argmax(sizes[:taken, 1] > max_states)) if most > max_states else taken
            phase = game.phases(int(sizes[at, 0])).name.lower()
            raise ExactLimitError(phase, max_states, max_states)
        if span[2] != FULL:
            break
        # beginning anew costs as much as what was done: what is no longer small gets ample room
        capacity *= 8 if capacity == SMALL else 4
    count = int(span[0])
    ends = in_order(states[:count], chances[:count])
    return Tally("exact", *ends, sizes=tuple(int(size) for size in sizes[:taken, 1]), of=part)


def solve_many(
    parts: Iterable[Part], *, max_states: int | None = None, threads: int | None = None
) -> list[Tally | ExactLimitError]:
    """Solve many parts of scenarios, each exactly as :func:`solve` does, bit for bit.

    Meant for chunks of a few thousand: every tally is held until all are done.

    Parameters
    ----------
    parts
        The questions, all of one ruleset.
    max_states
        As for :func:`solve`.
    threads
        Threads that share the work; ``None``: one a core. The answers do not depend on it.

    Returns
    -------
    list
        In the order of the parts; in place of a tally the error of a tree that is too large.
    """
    found: list[Tally | ExactLimitError] = []
    for part in parts:
        try:
            found.append(solve(part, max_states=max_states))
        except ExactLimitError as error:
            found.append(error)
    return found


def solve_fractions(part: Part, *, max_states: int = 100_000) -> Tally:
    """Solve a part of a scenario in fractions, by the same rule text: slow, for small questions.

    The chance of a cell of an estimated distance is a float, and enters as the fraction it is.

    Raises
    ------
    ExactLimitError
        When a phase has more states.
    """
    game = Expander(part)
    record = game.dice[0]
    normal = _kind_of_normal()
    frontier: dict[bytes, Fraction] = {game.start()[0].tobytes(): Fraction(1)}
    sizes: list[int] = []
    going = True
    while going:
        going = False
        after: dict[bytes, Fraction] = {}
        for key, weight in frontier.items():
            done, phase = game.enter(np.frombuffer(key, np.uint64))
            if done:
                after[key] = after.get(key, Fraction(0)) + weight
                continue
            going = True
            tapes: list[tuple[list[int], Fraction]] = [([], weight)]
            while tapes:
                tape, chance = tapes.pop()
                if game.run(key, tape):
                    if record["pending"][0] == normal:
                        raise UncountableError(phase)
                    for outcome, share in enumerate(_weights(record)):
                        if share > 0:
                            tapes.append(([*tape, outcome], chance * share))
                else:
                    end = game.words[game.live].tobytes()
                    after[end] = after.get(end, Fraction(0)) + chance
            if len(after) > max_states:
                raise ExactLimitError(phase, max_states, max_states)
        frontier = after
        sizes.append(len(frontier))
    keys = sorted(frontier, key=lambda k: tuple(np.frombuffer(k, np.uint64)))
    states = np.array([np.frombuffer(k, np.uint64) for k in keys])
    chances = tuple(frontier[k] for k in keys)
    floats = np.array([float(c) for c in chances])
    return Tally("exact", states, floats, sizes=tuple(sizes), fractions=chances, of=part)


def _kind_of_normal() -> int:
    from chargesim.kernels.dice import Node

    return int(Node.NORMAL)


def _weights(record: Any) -> list[Fraction]:
    """Chances of the outcomes of the node that asks to branch, as fractions."""
    from chargesim.kernels.dice import MASK_BITS, Node

    kind, n, a, b, _ = (int(x) for x in record["pending"])
    if kind == Node.TEST:
        sums = exact_pmf.dice_sum(3, drop_highest=1) if a else exact_pmf.dice_sum(2)
        passed = sum((p for total, p in sums.items() if total <= n), Fraction(0))
        return [1 - passed, passed]
    if kind == Node.SUM:
        sums = exact_pmf.dice_sum(3, drop_highest=1) if b else exact_pmf.dice_sum(n, a)
        return [sums[total] for total in sorted(sums)]
    if kind == Node.COUNT:
        p = Fraction(a, b)
        return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    if kind == Node.RACE:
        return _race(n, a, b)
    if kind == Node.BANDS:
        mask = a | b << MASK_BITS
        edges = [0, *(face for face in range(1, n) if mask >> face & 1), n]
        return [Fraction(end - begin, n) for begin, end in pairwise(edges)]
    return [Fraction(float(p)) for p in record["pmf"][: n + 1]]


def _race(flight: int, hunters: int, edge: int) -> list[Fraction]:
    """Chances of a flight against its pursuers: caught, away, away over an edge."""
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    chances = [Fraction(0)] * 3
    for rolled, p in exact_pmf.dice_sum(number).items():
        away = Fraction(1)
        for kind, (dice, minus) in enumerate(((slow, 0), (slow, less), (fast, 0), (fast, less))):
            count = (hunters >> (5 * kind)) & 31
            if count:
                pursuit = exact_pmf.dice_sum(dice)
                short = sum(
                    (q for r, q in pursuit.items() if r - minus < rolled + plus), Fraction(0)
                )
                away *= short**count
        chances[0] += p * (1 - away)
        chances[2 if 0 < edge <= rolled + plus else 1] += p * away
    return chances
