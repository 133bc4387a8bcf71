"""The sampler: blocks of trials on threads, reduced to a tally."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from chargesim.engine.plan import Plan, make_plan, play_many
from chargesim.engine.stats import half_width
from chargesim.engine.tally import Tally, in_order, merge
from chargesim.engine.threads import as_done, cores, thread_count
from chargesim.errors import InputError
from chargesim.parts import Part

MOST_TRIALS = 10**12
KEPT_WORDS = 1 << 22
"""Most words of different end states that a sample keeps, before it counts piece by piece."""
FIRST_TRIALS = 65_536
"""Trials from which ``precision`` starts to double."""
SHARE, CALL_TRIALS = 64, 1 << 24
"""Most parts, and most trials of them all, that a thread takes at one time."""
Progress = Callable[[int, int], None]


class TooManyStates(Exception):  # no error: the sample goes on piece by piece
    """A sample has more different end states than it may keep."""


def check_trials(trials: int) -> int:
    """A number of trials that can be played.

    Raises
    ------
    InputError
        Below 1 or above ``MOST_TRIALS``.
    """
    if not 1 <= trials <= MOST_TRIALS:
        raise InputError(f"trials: {trials:,} cannot be played: from 1 to {MOST_TRIALS:,}")
    return int(trials)


def check_seed(seed: int) -> int:
    """A seed of 64 bits.

    Raises
    ------
    InputError
        Below 0 or of more than 64 bits.
    """
    if not 0 <= seed < 2**64:
        raise InputError(f"seed: {seed} is no seed: a whole number from 0 to 2**64 - 1")
    return int(seed)


def most_kept(part: Part) -> int:
    """Most different end states of a part that a sample keeps."""
    return int(KEPT_WORDS // part.live.size)


_spare_dice: list[Any] = []


def _take_dice(seed: int, point: int, rolled: bool) -> Any:
    """Dice to sample with, used ones if there are any: room for the rows takes time to make."""
    from chargesim.kernels.dice import Mode, new_dice, reset_dice

    mode = Mode.ROLL if rolled else Mode.SAMPLE
    try:
        return reset_dice(_spare_dice.pop(), mode, seed, point)
    except IndexError:
        return new_dice(mode, seed, point)


def _return_dice(dice: Any) -> None:
    """Keep dice for the next sample, no more than there are cores."""
    if len(_spare_dice) < cores():
        _spare_dice.append(dice)


class _Planned:
    """One thread that plays trials by a plan."""

    grain = 32
    """Blocks that are worth a thread."""

    def __init__(self, plan: Plan, dice: Any) -> None:
        from chargesim.kernels.plans import new_bench

        self.plan, self.dice = plan, dice
        self.bench = new_bench(plan.layout, len(plan.states))
        self.unread = 0

    def play(self, first: int, stop: int) -> None:
        """Play trials first to stop - 1 and count them."""
        from chargesim.kernels.plans import MOST_UNREAD, play_plan

        if self.unread + stop - first > MOST_UNREAD:
            self._read()
        play_plan(self.dice[0], self.plan.layout, self.bench, first, stop)
        self.unread += stop - first

    def _read(self) -> None:
        from chargesim.kernels.plans import read_tally

        read_tally(self.plan.layout, self.bench)
        self.unread = 0

    def tallied(self) -> Any:
        """How many trials came to each end state of the plan."""
        self._read()
        return self.bench.counts.sum(axis=0)


class _Rolled:
    """One thread that plays trials by a plan and rolls every die."""

    grain = 4

    def __init__(self, plan: Plan, dice: Any) -> None:
        from chargesim.kernels.rolled_plans import new_tray

        self.plan, self.dice = plan, dice
        self.tray = new_tray(plan.layout, len(plan.states))

    def play(self, first: int, stop: int) -> None:
        """Play trials first to stop - 1 and count them."""
        from chargesim.kernels.rolled_plans import play_rolled

        play_rolled(self.dice[0], self.plan.layout, self.tray, first, stop, False)

    def tallied(self) -> Any:
        """How many trials came to each end state of the plan."""
        from chargesim.kernels.rolled_plans import ends_of, play_rolled

        play_rolled(self.dice[0], self.plan.layout, self.tray, 0, 0, True)
        return ends_of(self.tray)


class _Player:
    """One thread that plays trials by the rules: its game, dice and table."""

    grain = 1

    def __init__(self, part: Part, dice: Any, kept: Any, most: int | None) -> None:
        from chargesim.kernels.jit import specialise
        from chargesim.kernels.loops import PART, new_table, play_block

        self.new_table = new_table
        self.live, self.kept = part.live, kept
        self.array = part.game()
        self.words = self.array.view(np.uint64)
        self.start = self.words[self.live].copy()
        self.dice = dice
        # a part of the trials must fit into what a table that is half full has left
        capacity = 1 << (4 * PART * kept.shape[0] - 1).bit_length()
        self.table = new_table(capacity, kept.shape[1])
        self.parts: list[tuple[Any, Any]] = []
        self.most = most
        _, self.step = part.ruleset.kernels()
        span = np.zeros(2, np.int64)
        self.loop = specialise(play_block, self.step, *self._arguments(span))

    def _arguments(self, span: Any) -> tuple[Any, ...]:
        return (
            self.array[0], self.dice[0], self.words, self.live, self.start, self.kept,
            self.table, span,
        )  # fmt: skip

    def play(self, first: int, stop: int) -> None:
        """Play trials first to stop - 1 and count them."""
        span = np.array([first, stop], np.int64)
        while True:
            self.loop(self.step, *self._arguments(span))
            if span[0] >= stop:
                return
            self.parts = [merge([*self.parts, self._counted()])]
            if self.most is not None and len(self.parts[0][0]) > self.most:
                raise TooManyStates
            capacity = self.table.keys.shape[0]
            if self.parts[0][0].shape[0] > capacity // 4:
                capacity *= 4
            self.table = self.new_table(capacity, self.kept.shape[1])

    def _counted(self) -> tuple[Any, Any]:
        full = self.table.counts > 0
        return self.table.keys[full], self.table.counts[full]

    def counts(self) -> list[tuple[Any, Any]]:
        """Everything counted so far."""
        return [*self.parts, self._counted()]


def sample(
    part: Part,
    trials: int = 1_000_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    point: int = 0,
    by_rules: bool = False,
    rolled: bool = False,
    progress: Progress | None = None,
) -> Tally:
    """Play trials of a scenario, by a plan of its tree where that is small enough.

    Parameters
    ----------
    part
        The question.
    trials
        How many, 1 to 10**12.
    seed
        0 to 2**64 - 1; the same seed gives the same tally on any number of threads.
    threads
        How many; ``None``: one a core.
    first
        Number of the first trial, so that a tally can be continued.
    point
        Number of a study point that is to have luck of its own.
    by_rules
        True runs the rules for every trial; the numbers are the same, bit for bit.
    rolled
        True rolls every die, with luck of its own: a witness of chance tables and random words,
        and with ``by_rules`` of plans.
    progress
        Called with (trials played, trials) now and then.

    Returns
    -------
    Tally

    Raises
    ------
    InputError
        For numbers out of range.
    TooManyStates
        When there are more different end states than :func:`most_kept`.
    """
    plan = None if by_rules else make_plan(part)
    if rolled and plan is not None and not plan.can_be_rolled:
        plan = None
    most = most_kept(part)

    def new_player() -> _Planned | _Rolled | _Player:
        dice = _take_dice(seed, point, rolled)
        if plan is not None:
            return _Rolled(plan, dice) if rolled else _Planned(plan, dice)
        return _Player(part, dice, part.live[None, :], most)

    players = _shared_out(new_player, trials, first, threads, seed, progress)
    if plan is not None:
        tallied = sum(player.tallied() for player in players)
        seen = tallied > 0
        return Tally("sample", plan.states[seen], tallied[seen], trials, seed, of=part)
    states, counts = _counted(players)
    if len(states) > most:
        raise TooManyStates
    return Tally("sample", states, counts, trials, seed, of=part)


def sample_pieces(
    part: Part,
    trials: int = 1_000_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    point: int = 0,
    rolled: bool = False,
    progress: Progress | None = None,
) -> list[Tally]:
    """Play trials of a part and count each of its pieces by itself; options as for :func:`sample`.

    The trials are the same; what the pieces have to do with each other is not counted.
    """
    pieces = part.pieces
    kept = np.full((len(pieces), 1 + max(piece.live.size for piece in pieces)), -1, np.int64)
    for number, piece in enumerate(pieces):
        kept[number, 0] = -1 - number
        kept[number, 1 : 1 + piece.live.size] = piece.live

    def new_player() -> _Player:
        return _Player(part, _take_dice(seed, point, rolled), kept, None)

    rows, counts = _counted(_shared_out(new_player, trials, first, threads, seed, progress))
    tallies = []
    for number, piece in enumerate(pieces):
        own = rows[:, 0] == number
        states, weights = rows[own, 1 : 1 + piece.live.size], counts[own]
        tallies.append(Tally("sample", states, weights, trials, seed, of=piece))
    return tallies


def _counted(players: Sequence[_Player]) -> tuple[Any, Any]:
    """Everything that some players have counted, the states in rising order."""
    found = [part for player in players for part in player.counts()]
    return in_order(*found[0]) if len(found) == 1 else merge(found)  # states of one differ


def _shared_out(
    new_player: Callable[[], Any],
    trials: int,
    first: int,
    threads: int | None,
    seed: int,
    progress: Progress | None,
) -> list[Any]:
    """Share trials out over threads, each with a player of its own; all players, done."""
    from chargesim.kernels.words import BLOCK

    check_trials(trials)
    check_seed(seed)
    stop = first + trials
    workers = thread_count(threads)
    players = [new_player()]
    # jobs are whole blocks: large enough to be cheap, small enough to share out and report
    size = BLOCK * max(players[0].grain, min(64, -(-trials // (BLOCK * workers * 8))))
    edges = [first, *range((first // size + 1) * size, stop, size), stop]
    jobs = list(pairwise(edges))
    local = threading.local()
    spare = [players[0]]
    lock = threading.Lock()

    def work(job: tuple[int, int]) -> None:
        if not hasattr(local, "player"):
            with lock:
                if not spare:
                    players.append(new_player())
                    spare.append(players[-1])
                local.player = spare.pop()
        local.player.play(*job)

    played = 0
    for (begin, end), _ in as_done(work, jobs, workers):
        played += end - begin
        if progress:
            progress(played, trials)
    for player in players:
        _return_dice(player.dice)
    return players


def extend(part: Part, tallies: Sequence[Tally], trials: int, **options: Any) -> list[Tally]:
    """Add trials to what :func:`sample` or :func:`sample_pieces` counted; options as for these."""
    done, seed = tallies[0].trials or 0, tallies[0].seed or 0
    if len(tallies) == 1:
        try:
            more = [sample(part, trials, seed=seed, first=done, **options)]
            if len(merge(_both(tallies[0], more[0]))[0]) > most_kept(part):
                raise TooManyStates
        except TooManyStates:
            return sample_pieces(part, done + trials, seed=seed, **options)
    else:
        more = sample_pieces(part, trials, seed=seed, first=done, **options)
    return [
        Tally("sample", *merge(_both(old, new)), done + trials, seed, of=old.of)
        for old, new in zip(tallies, more, strict=True)
    ]


def _both(one: Tally, other: Tally) -> list[tuple[Any, Any]]:
    return [(one.states, one.weights), (other.states, other.weights)]


def sample_whole(part: Part, trials: int, *, by_rules: bool = False, **options: Any) -> list[Tally]:
    """Sample a part with all its end states, or piece by piece where these are too many."""
    try:
        return [sample(part, trials, by_rules=by_rules, **options)]
    except TooManyStates:
        return sample_pieces(part, trials, **options)  # which go by the rules anyway


def check_precision(precision: float) -> None:
    """Refuse a half-width that cannot be reached.

    Raises
    ------
    InputError
        When it is out of range or would take more than ``MOST_TRIALS``.
    """
    if not 0 < precision < 0.5:
        raise InputError(f"precision: {precision:g} is no half-width: above 0 and below 0.5")
    if half_width(MOST_TRIALS // 2, MOST_TRIALS) > precision:
        raise InputError(
            f"precision: {precision:g} would take more than {MOST_TRIALS:,} trials: "
            "ask for a larger one, or for --engine exact"
        )


def sample_many(
    parts: Sequence[Part],
    trials: int = 1_000_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    points: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> list[list[Tally]]:
    """Sample many parts, each exactly as :func:`sample_whole` does, bit for bit.

    Parts of one shape are unrolled and played together, many in one call. Meant for chunks of a few
    thousand: every tally is held until all are done.

    Parameters
    ----------
    parts
        The questions.
    trials, seed, first
        As for :func:`sample`.
    threads
        Threads that share the work; ``None``: one a core. The answers do not depend on it.
    points
        Number of the study point of each part; ``None``: all have the same luck.
    progress
        Called with (parts sampled, parts) now and then.

    Returns
    -------
    list of list of Tally
        In the order of the parts: one tally each, or several where :func:`sample_whole` gives more.

    Raises
    ------
    InputError
        For numbers out of range.
    """
    check_trials(trials)
    check_seed(seed)
    workers = thread_count(threads)
    luck = [0] * len(parts) if points is None else list(points)
    if len(parts) < workers or trials > CALL_TRIALS:
        # rather the trials of each are shared out
        alone: list[list[Tally]] = []

        def tell(_: int, __: int) -> None:
            if progress:
                progress(len(alone), len(parts))

        for part, point in zip(parts, luck, strict=True):
            alone.append(
                sample_whole(
                    part, trials, seed=seed, threads=workers, first=first, point=point,
                    progress=tell,
                )
            )  # fmt: skip
        tell(0, 0)
        return alone

    def answer(share: list[int]) -> list[list[Tally]]:
        own, at = [parts[i] for i in share], [luck[i] for i in share]
        tallies = []
        for part, point, found in zip(
            own, at, play_many(own, first, first + trials, seed, at), strict=True
        ):
            if found is None:
                tallies.append(
                    sample_whole(part, trials, seed=seed, threads=1, first=first, point=point)
                )
            else:
                tallies.append([Tally("sample", *found, trials, seed, of=part)])
        return tallies

    size = max(1, min(SHARE, CALL_TRIALS // trials, len(parts) // workers))
    shapes: dict[Any, list[int]] = {}
    for i, part in enumerate(parts):
        # the layout makes one dtype for so many records of each kind
        shapes.setdefault((part.counts, id(part.start.dtype)), []).append(i)
    shares = [
        own[begin : begin + size] for own in shapes.values() for begin in range(0, len(own), size)
    ]
    found: list[list[Tally]] = [[] for _ in parts]
    done = 0
    for share, tallies in as_done(answer, shares, workers):
        for i, one in zip(share, tallies, strict=True):
            found[i] = one
        done += len(share)
        if progress:
            progress(done, len(parts))
    return found
