"""The declaration game: both players declare charges, counter-charges and flights in turn.

Nothing is hidden and nothing is rolled until combat, so the game has a value: the expected worth of
enemy units lost after this turn's combat, less that of one's own, both sides choosing well. Small
battles are searched to the end; large ones are played out by :mod:`.game_policies`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.choices import LOST, stakes
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.setup import setup

if TYPE_CHECKING:
    from chargesim.kernels.expand import Desk

MOST_NODES = 2_000_000
"""Positions of a game that are searched before it is refused."""
MOST_ENDS = 1 << 21
"""End states of a combat that is valued exactly."""
PASS = (-1, -1, 0)
Move = tuple[int, int, int]
"""Unit, its target or -1 for flight, and the side charged; :data:`PASS`."""
SIDES = ("active", "reactive")
_LOST = tuple(int(st.State[word.upper()]) for word in LOST)


@dataclass(frozen=True)
class Step:
    """One declaration of a line of play.

    Parameters
    ----------
    side
        Who declares.
    unit, target
        Whose declaration it is, and on whom; ``None`` for a pass, and for the target of a flight.
    kind
        ``charge``, ``counter``, ``flee`` or ``pass``.
    face
        Side of the target that is charged.
    """

    side: str
    unit: str | None
    target: str | None
    kind: str
    face: str | None = None

    def __str__(self) -> str:
        if self.kind == "pass":
            return f"{self.side}: pass"
        if self.kind == "flee":
            return f"{self.side}: {self.unit} flees"
        verb = "charges" if self.kind == "charge" else "counter-charges"
        on = f" ({self.face})" if self.kind == "charge" else ""
        return f"{self.side}: {self.unit} {verb} {self.target}{on}"


@dataclass(frozen=True)
class Mark:
    """What a charge that may be declared now is worth to who declares it.

    Parameters
    ----------
    step
        The charge.
    value
        Its worth when both sides go on well.
    mark
        ``safe``: worth at least as much as doing without it, whatever the reply; ``dominated``:
        another declaration gives more even against its own best reply than this one against its
        worst; ``contested``: the reply decides.
    reply, reply_value
        The reply that proves it, the best that the enemy has, and the worth after it.
    better
        For a dominated charge the declaration that is better.
    """

    step: Step
    value: float
    mark: str
    reply: Step | None
    reply_value: float
    better: Step | None = None


@dataclass(frozen=True)
class Solution:
    """A declaration game solved.

    Parameters
    ----------
    value
        Expected swing to the active side.
    line
        Best line of play.
    marks
        Every charge that may be declared first.
    lines
        Complete lines of play, forced passes not counted as choices.
    nodes
        Positions that were met.
    """

    value: float
    line: tuple[Step, ...]
    marks: tuple[Mark, ...]
    lines: int
    nodes: int


class Battle:
    """A battle in which declarations are made, taken back, and valued.

    Parameters
    ----------
    model
        A sound scenario; its charges and reactions are not looked at.
    trial, seed
        Where poses or Moves are uncertain: the trial whose luck they take.
    """

    def __init__(self, model: Model, *, trial: int = 0, seed: int = 0) -> None:
        from chargesim.kernels.dice import Mode, new_dice, supply
        from chargesim.kernels.words import set_trial
        from chargesim.rulesets.ranked_regiment import rules, rules_moves, rules_resolve

        self.rules, self.kernels, self.resolving = rules, rules_moves, rules_resolve
        self.names = tuple(model.unit)
        part = setup(model, apart=False)[0]
        self.array = st.LAYOUT.full(part.start)
        self.game = self.array[0]
        units = len(self.names)
        self.game["head"]["charges"] = 0
        self.game["head"]["combats"] = units
        self.game["combats"]["target"][:units] = np.arange(units)
        self.words = self.array.view(np.uint64)
        self.counts = (units, 0, units, 0, 0)
        self.live = st.LAYOUT.live(self.counts)
        worth = stakes(model)
        self.worth = np.array(
            [
                worth[name].worth * (1 if unit.side == "reactive" else -1)
                for name, unit in model.unit.items()
            ]
        )
        self.rallies = int(self.game["head"]["rallies"])
        self.moves = np.zeros((units * units + units, 3), np.int64)
        dice = new_dice(Mode.SAMPLE, seed)[0]
        set_trial(dice, trial)
        begun = self.words[self.live].copy()
        while True:
            self.words[self.live] = begun
            rules.positions(self.game, dice)
            if not dice["wanting"]:
                break
            supply(dice)
        self.dice = new_dice(Mode.ENUMERATE)[0]
        self.desk: Desk | None = None
        self.groups: dict[bytes, float] = {}
        self.values: dict[bytes, float] = {}
        self.swings: dict[bytes, float] = {}
        self.best: dict[bytes, Move] = {}
        self.nodes = 0
        self.root = bytes(self.words[self.live].tobytes())
        """State before the first declaration."""

    def put(self, state: bytes) -> None:
        """Let the game stand as it was."""
        self.words[self.live] = np.frombuffer(state, np.uint64)

    def mover(self, state: bytes) -> int:
        """Side whose turn it is: 0 active, 1 reactive."""
        self.put(state)
        return int(self.game["head"]["mover"])

    def options(self, state: bytes) -> list[Move]:
        """Moves of the side whose turn it is; passing comes last. Empty when all is declared.

        In the older edition a side may not pass while a frenzied unit of it can charge.
        """
        self.put(state)
        if self.game["head"]["idle"] >= 2:
            return []
        count = self.kernels.list_moves(self.game, self.moves)
        found: list[Move] = [(int(u), int(t), int(f)) for u, t, f in self.moves[:count]]
        if self.game["head"]["frenzy"]:
            frenzied = self.game["units"]["frenzied"]
            if any(t >= 0 and frenzied[u] for u, t, _ in found):
                return found
        return [*found, PASS]

    def after(self, state: bytes, move: Move) -> bytes:
        """State after a legal move."""
        self.put(state)
        self.kernels.make_move(self.game, self.dice, *move)
        return bytes(self.words[self.live].tobytes())

    def step(self, state: bytes, move: Move) -> Step:
        """A move in words."""
        self.put(state)
        side = SIDES[int(self.game["head"]["mover"])]
        u, t, face = move
        if u < 0:
            return Step(side, None, None, "pass")
        if t < 0:
            return Step(side, self.names[u], None, "flee")
        counters = int(self.game["units"]["aim"][t]) == u
        kind = "counter" if counters else "charge"
        name = st.Face(face).name.lower()
        return Step(side, self.names[u], self.names[t], kind, name)

    def swing(self, state: bytes) -> float:
        """Expected swing to the active side once all is declared: charges, combat, break tests."""
        self.put(state)
        if self.game["head"]["run_dice"]:
            self.game["head"]["phase"] = st.Phase.RESOLUTION
            self.game["head"]["turn"] = 0
            first = self.resolving.next_charge(self.game, 0)
            if first < 0:
                return 0.0
            self.game["head"]["turn"] = first
            return self._played()
        self.kernels.resolve_all(self.game, self.dice)
        resolved = self.words[self.live].copy()
        units = self.game["units"][: len(self.names)]
        homes = sorted({int(f) for f in units["combat"] if f >= 0})
        fled = np.flatnonzero(units["state"] == st.State.FLED)
        total = float(self.worth[units["state"] == st.State.OFF_TABLE].sum())
        if not self.rallies:
            total += float(self.worth[fled].sum())
            fled = fled[:0]
        keys = [(f, -1, self._key(units, f)) for f in homes]
        keys += [(-1, int(who), b"fled %d" % who) for who in fled]
        for f, who, key in keys:
            if key not in self.groups:
                self.words[self.live] = resolved
                self.game["head"]["rallies"] = int(who >= 0)
                self.groups[key] = 0.0
                if self.kernels.keep_group(self.game, f, who):
                    self.groups[key] = self._played()
                self.game["head"]["rallies"] = self.rallies
            total += self.groups[key]
        return total

    def _key(self, units: Any, f: int) -> bytes:
        """What tells engagements apart: who stands where against whom, and how it came there."""
        members = np.flatnonzero(units["combat"] == f)
        parts = [members.tobytes(), units["foe"][members].tobytes()]
        parts.append(units["charged"][members].tobytes())
        if self.game["head"]["width"] > 0:
            parts += [units[name][members].tobytes() for name in ("x", "y")]
        return b"".join(parts)

    def _played(self) -> float:
        """Expected swing of what is left to play from the state that the game is in."""
        from chargesim.kernels.expand import Desk

        if self.desk is None:
            self.desk = Desk(self.rules.step, self.array)
        start = self.words[self.live][None, :]
        (ends,) = self.desk.expand(self.live, self.live, start, MOST_ENDS)
        if ends.status:
            raise InputError("game: a combat has too many end states to be valued exactly")
        layout = st.LAYOUT
        games = np.zeros(len(ends.states), layout.short_dtype(self.counts))
        short = layout.live(self.counts, short=True)
        games.view(np.uint64).reshape(len(games), -1)[:, short] = ends.states
        lost = np.isin(games["units"]["state"], _LOST)
        return float(ends.chances @ (lost @ self.worth))

    def value(self, state: bytes) -> float:
        """Value of a state to the active side when both go on well."""
        known = self.values.get(state)
        if known is not None:
            return known
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise InputError(
                f"game: more than {MOST_NODES:,} positions: too large to be searched to the end, "
                "play it by policies"
            )
        options = self.options(state)
        if not options:
            found = self.swing(state)
        else:
            sign = 1 if self.mover(state) == 0 else -1
            found, best = -np.inf * sign, PASS
            for move in options:
                worth = self.value(self.after(state, move))
                if sign * worth > sign * found + 1e-12:
                    found, best = worth, move
            self.best[state] = best
        self.values[state] = found
        return found

    def line(self, state: bytes) -> tuple[Step, ...]:
        """Best line of play from a state, passes that are forced left out."""
        steps = []
        self.value(state)
        while state in self.best:
            move = self.best[state]
            if len(self.options(state)) > 1:
                steps.append(self.step(state, move))
            state = self.after(state, move)
        return tuple(steps)

    def count_lines(self, state: bytes, known: dict[bytes, int] | None = None) -> int:
        """Complete lines of play from a state."""
        known = {} if known is None else known
        if state not in known:
            options = self.options(state)
            known[state] = (
                sum(self.count_lines(self.after(state, move), known) for move in options)
                if options
                else 1
            )
        return known[state]

    def marks(self, root: bytes) -> tuple[Mark, ...]:
        """Mark every charge that the side to move may declare now."""
        sign = 1 if self.mover(root) == 0 else -1
        options = self.options(root)
        values = {move: sign * self.value(self.after(root, move)) for move in options}
        found = []
        for move in options:
            if move[1] < 0:
                continue
            after = self.after(root, move)
            replies = {
                reply: sign * self.value(self.after(after, reply)) for reply in self.options(after)
            }
            reply = min(replies, key=lambda r: replies[r]) if replies else None
            worst = values[move]
            hoped = max(replies.values(), default=worst)
            others = {m: v for m, v in values.items() if m != move}
            rival = max(others, key=lambda m: others[m], default=move)
            mark, better = "contested", None
            if worst >= values.get(PASS, 0.0) - 1e-12 and worst >= 0:
                mark = "safe"
            elif others and others[rival] >= hoped - 1e-12 and others[rival] > worst + 1e-12:
                mark, better = "dominated", self.step(root, rival)
            found.append(
                Mark(
                    self.step(root, move),
                    worst,
                    mark,
                    None if reply is None else self.step(after, reply),
                    worst if reply is None else replies[reply],
                    better,
                )
            )
        return tuple(found)


def solve(model: Model, *, trial: int = 0, seed: int = 0) -> Solution:
    """Search a declaration game to the end.

    Parameters
    ----------
    model
        A sound scenario; its charges and reactions are not looked at.
    trial, seed
        Where poses or Moves are uncertain: the trial whose luck they take.

    Returns
    -------
    Solution

    Raises
    ------
    InputError
        When the game is too large.
    """
    battle = Battle(model, trial=trial, seed=seed)
    root = battle.root
    value = battle.value(root)
    return Solution(
        value, battle.line(root), battle.marks(root), battle.count_lines(root), battle.nodes
    )


def solve_noisy(model: Model, trials: int, *, seed: int = 0) -> tuple[float, float]:
    """Mean value of a game over uncertain poses, and half of its 95 % interval.

    Exact over the choices, sampled over the poses; both sides see where everybody stands.
    """
    values = [solve(model, trial=trial, seed=seed).value for trial in range(trials)]
    spread = float(np.std(values, ddof=1)) if trials > 1 else 0.0
    return float(np.mean(values)), 1.96 * spread / sqrt(trials)
