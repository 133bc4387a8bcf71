"""The exact engine: phase by phase over every outcome, equal states merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import comb
from time import perf_counter
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from chargesim.engine import pmf as exact_pmf
from chargesim.engine.tally import Tally
from chargesim.engine.threads import thread_count
from chargesim.errors import ChargesimError
from chargesim.parts import Part

if TYPE_CHECKING:
    from chargesim.kernels.expand import Desk, Expansions

    Found = tuple[Expansions, int]

MAX_STATES = 1_000_000
MAX_WORDS = 1 << 23
"""Most states of a phase, and most words of them, unless asked otherwise."""
SHARE = 1024
"""Most games that are taken at one time."""
WORTH_THREADS = 0.02
"""Seconds of work from which threads are worth their start."""


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


class Expander:
    """A game and dice in which phases are enumerated."""

    def __init__(self, part: Part) -> None:
        from chargesim.kernels.expand import own_dice

        self.live = part.live
        self.array = part.game()
        self.words = self.array.view(np.uint64)
        self.begin = self.words[self.live].copy()
        self.dice = own_dice()  # holds nothing from one use to the next
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


_desks: dict[str, list[Desk]] = {}
"""Desks of each ruleset that no thread is using: a fresh one costs more than a small question."""
_reads: dict[tuple[str, int], Any] = {}
"""Bits of a start that can be read, by ruleset and dtype: the layout keeps its dtypes."""


def _bits_read(part: Part) -> Any:
    """Bits of the start of a part that the rules can read in each phase and in a test.

    uint64, shape (bits of what has happened, words of the start); see :mod:`.kernels.reads`.
    """
    from chargesim.kernels.reads import fields_read

    ruleset, dtype = part.ruleset, part.start.dtype
    key = ruleset.name, id(dtype)
    if key not in _reads:
        sets = fields_read(ruleset.kernels()[0], [int(phase) for phase in ruleset.phases])
        rows = {names: ruleset.layout.bits(dtype, names) for names in set(sets)}
        _reads[key] = np.stack([rows[names] for names in sets])
    return _reads[key]


def _most(part: Part, max_states: int | None) -> int:
    """Most states of a phase of a part."""
    return min(MAX_STATES, MAX_WORDS // part.live.size) if max_states is None else max_states


def _expanded(parts: Sequence[Part], max_states: int | None) -> list[Found]:
    """Expand parts of one ruleset that have as many records of each kind."""
    from chargesim.kernels.expand import Desk

    one = parts[0]
    ruleset, layout = one.ruleset, one.ruleset.layout
    live, places = one.live, layout.places(one.start.dtype)
    free = _desks.setdefault(ruleset.name, [])
    try:
        desk = free.pop()
    except IndexError:
        desk = Desk(ruleset.kernels()[0], layout.new())
    starts = desk.put_together([part.words for part in parts])
    reads = None if len(parts) == 1 else _bits_read(one)
    found = desk.expand(live, places, starts, _most(one, max_states), reads)
    free.append(desk)
    return found


class Answers(Sequence["Tally | ExactLimitError"]):
    """Answers to many parts, held as arrays that they have in common.

    All of them are there: their end states, in rising order, with their probabilities. Only the
    small object around them is made when it is asked for, and then kept.

    Parameters
    ----------
    parts
        The questions.
    found
        What each expanded to, and its place there.
    max_states
        As for :func:`solve`.
    """

    def __init__(
        self, parts: Sequence[Part], found: Sequence[Found], max_states: int | None
    ) -> None:
        self._parts, self._found, self._max_states = parts, found, max_states
        self._made: list[Tally | ExactLimitError | None] = [None] * len(found)
        self._states: dict[tuple[int, int], np.ndarray[Any, Any]] = {}

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Tally | ExactLimitError: ...

    @overload
    def __getitem__(self, place: slice) -> list[Tally | ExactLimitError]: ...

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        made = self._made[place]
        if made is None:
            made = self._made[place] = self._make(self._parts[place], *self._found[place])
        return made

    def __iter__(self) -> Iterator[Tally | ExactLimitError]:
        return map(self.__getitem__, range(len(self)))

    def _make(self, part: Part, ends: Expansions, place: int) -> Tally | ExactLimitError:
        many, steps, status, phase, first, chance, step = ends.spans[place].tolist()
        if status:
            return self._error(part, status, part.ruleset.phases(phase).name.lower())
        states = self._states.get((id(ends), first))
        if states is None:
            states = self._states[id(ends), first] = ends.states[first : first + many]
        chances, sizes = ends.chances[chance : chance + many], ends.sizes[step : step + steps]
        return Tally("exact", states, chances, None, None, tuple(sizes.tolist()), (), part)

    def _error(self, part: Part, status: int, phase: str) -> ExactLimitError:
        """Why there is no tally of a part."""
        from chargesim.kernels.branches import UNCOUNTABLE

        if status == UNCOUNTABLE:
            return UncountableError(phase)
        most = _most(part, self._max_states)
        return ExactLimitError(phase, most, most)


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
    (found,) = Answers([part], _expanded([part], max_states), max_states)
    if isinstance(found, ExactLimitError):
        raise found
    return found


def solve_many(
    parts: Iterable[Part], *, max_states: int | None = None, threads: int | None = None
) -> Answers:
    """Solve many parts of scenarios, each exactly as :func:`solve` does, bit for bit.

    Meant for chunks of a few thousand: what is found is held until all are done.

    Parameters
    ----------
    parts
        The questions.
    max_states
        As for :func:`solve`.
    threads
        Threads that share the work; ``None``: one a core. The answers do not depend on it.

    Returns
    -------
    Answers
        Tallies in the order of the parts; in place of one the error of a tree that is too large.
    """
    given = list(parts)
    shapes: dict[Any, list[int]] = {}
    for i, part in enumerate(given):
        shapes.setdefault(part.shape, []).append(i)
    workers = thread_count(threads)
    # in large shares more is alike, and small ones end at the same time
    size = max(min(SHARE, len(given) if workers == 1 else len(given) // (4 * workers)), 1)
    shares = [
        own[first : first + size] for own in shapes.values() for first in range(0, len(own), size)
    ]

    def answer(share: list[int]) -> list[Found]:
        return _expanded([given[i] for i in share], max_states)

    found: list[Any] = [None] * len(given)
    begun = perf_counter()
    answers = [answer(share) for share in shares[:1]]
    rest = shares[1:]
    workers = min(workers, len(rest))
    if workers > 1 and (perf_counter() - begun) * len(rest) > WORTH_THREADS:
        with ThreadPoolExecutor(workers) as pool:
            answers += pool.map(answer, rest)
    else:
        answers += map(answer, rest)
    for share, told in zip(shares, answers, strict=True):
        for i, one in zip(share, told, strict=True):
            found[i] = one
    return Answers(given, found, max_states)


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
