"""The declaration game of one case: its positions, their values, the best line and the marks.

Nothing is hidden and nothing is rolled until combat, so the game has a value: the expected worth of
enemy units lost after this turn's combat, less that of one's own, both sides choosing well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.errors import InputError
from chargesim.rulesets.games import PASSES, SIDES, Step
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.choices import LOST, stakes
from chargesim.rulesets.ranked_regiment.scenario import Model
from chargesim.rulesets.ranked_regiment.setup import setup

if TYPE_CHECKING:
    from chargesim.kernels.expand import Desk

Move = tuple[int, int, int]
"""Unit, its target or -1 for flight, and the side charged; (-1, -1, 0) is a pass."""
Words = np.ndarray[Any, Any]
_LOST = tuple(int(st.State[word.upper()]) for word in LOST)
_STATE, _COMBAT = 7, 0


class TooLarge(InputError):
    """A game has more positions than may be searched."""


@dataclass(frozen=True)
class Mark:
    """What a first declaration is worth to who makes it, in one case.

    Parameters
    ----------
    step, value
        The declaration, and its worth when both sides go on well.
    mark
        ``safe``, ``contested`` or ``dominated`` for a charge, else empty.
    reply, reply_value, better
        As in :class:`chargesim.rulesets.games.Opening`.
    """

    step: Step
    value: float
    mark: str
    reply: Step | None
    reply_value: float | None
    better: Step | None


class Battle:
    """A battle in which declarations are made and valued, case by case.

    Parameters
    ----------
    model
        A sound scenario; its charges and reactions are not looked at.
    """

    def __init__(self, model: Model) -> None:
        from chargesim.kernels.dice import Mode, new_dice
        from chargesim.rulesets.ranked_regiment import rules, rules_game

        self.kernels, self.step = rules_game, rules.step
        self.names = tuple(model.unit)
        self.array = st.LAYOUT.full(setup(model, apart=False)[0].start)
        self.game = self.array[0]
        units = len(self.names)
        head = self.game["head"]
        head["charges"], head["combats"] = 0, units
        self.game["combats"]["target"][:units] = np.arange(units)
        self.words = self.array.view(np.uint64)
        self.counts = (units, 0, units, 0, 0)
        self.live = st.LAYOUT.live(self.counts)
        self.stated = self.words[self.live].copy()
        worth = stakes(model)
        signs = {"active": -1.0, "reactive": 1.0}
        self.worth = np.array([signs[worth[n].side] * worth[n].worth for n in self.names])
        self.sizes = np.array([hypot(u.frontage, u.depth) / 2 for u in model.unit.values()])
        self.rallies, self.dicey = int(head["rallies"]), bool(head["run_dice"])
        self.edges = (float(head["width"]), float(head["height"]))
        self.dice = new_dice(Mode.ENUMERATE)[0]
        self.begun, self.begun_by = self.stated, 0
        self.desks: dict[Any, Desk] = {}
        self.groups: dict[bytes, float] = {}
        self.swings: dict[bytes, float] = {}
        self.size = 4096
        """Positions that the last game had room for."""

    # ------------------------------------------------------------------ cases

    def cases(self, most: int) -> list[tuple[float, Words]] | None:
        """Poses, Moves and first declarers that the scenario leaves open, each with its chance.

        ``None`` where they cannot be counted, or are more than ``most``.
        """
        self.words[self.live] = self.stated
        found = enumerate_ends(self, self.kernels.draw_positions, most)
        if found is None:
            return None
        return [(float(chance), words) for words, chance in zip(*found, strict=True)]

    def drawn(self, trials: range, seed: int) -> Iterator[Words]:
        """Cases of trials of a sample, the same as every reader of this seed plays."""
        from chargesim.kernels.dice import Mode, new_dice, supply
        from chargesim.kernels.words import set_trial

        dice = new_dice(Mode.SAMPLE, seed)[0]
        for trial in trials:
            set_trial(dice, trial)
            while True:
                self.words[self.live] = self.stated
                self.kernels.draw_positions(self.game, dice)
                if not dice["wanting"]:
                    break
                supply(dice)
            yield self.words[self.live].copy()

    def begin(self, case: Words) -> int:
        """Let a case be the one that is played; the side that declares first in it."""
        self.begun = case
        self.words[self.live] = case
        self.game["pairs"]["known"] = 0
        self.swings = {}
        self.begun_by = int(self.game["head"]["mover"])
        return self.begun_by

    def root(self, mover: int) -> Words:
        """Row of the position before the first declaration, when a side makes that."""
        self.words[self.live] = self.begun
        self.game["head"]["done"] = 0
        self.game["head"]["mover"] = mover
        row = np.zeros(1 + len(self.names), np.int64)
        self.kernels.pack(self.game, row, 0)
        return row

    # ------------------------------------------------------------- single moves

    def put(self, row: Words) -> None:
        """Let the game stand where a row says."""
        self.words[self.live] = self.begun
        self.game["head"]["done"] = 0
        self.kernels.unpack(self.game, row)

    def options(self, row: Words) -> list[Move]:
        """Moves of the side whose turn it is; none when all is declared."""
        self.put(row)
        moves = np.zeros((len(self.names) ** 2 + len(self.names) + 1, 3), np.int64)
        count = self.kernels.list_moves(self.game, moves)
        return [(int(u), int(t), int(f)) for u, t, f in moves[:count]]

    def after(self, row: Words, move: Move) -> Words:
        """Row of the position after a legal move."""
        self.put(row)
        self.kernels.make_move(self.game, self.dice, *move)
        found = np.zeros_like(row)
        self.kernels.pack(self.game, found, int(row[0] >> 5) + 1)
        return found

    def step_of(self, row: Words, move: Move) -> Step:
        """A move in words."""
        side = SIDES[int(row[0] & 1)]
        u, t, face = move
        if u < 0:
            return PASSES[side]
        if t < 0:
            return Step(side, "flee", self.names[u])
        kind = "counter" if (int(row[1 + t]) & 31) - 1 == u else "charge"
        return Step(side, kind, self.names[u], self.names[t], st.Face(face).name.lower())

    # ----------------------------------------------------------------- worth

    def worths(self, rows: Words) -> Words:
        """Expected swing to the active side if nothing more were declared, one a row."""
        leaves = rows.copy()
        leaves[:, 0] = 0
        leaves[:, 1:] &= self.kernels.STANDING
        keys = [leaf.tobytes() for leaf in leaves]
        unknown = {key: i for i, key in enumerate(keys) if key not in self.swings}
        if unknown:
            fresh = leaves[list(unknown.values())]
            runs = (fresh[:, 1:] >> 8 & 1).any(axis=1) if self.dicey else np.zeros(len(fresh), bool)
            plain = np.flatnonzero(~runs)
            found = np.zeros(len(fresh))
            found[plain] = self._settled(fresh[plain])
            for i in np.flatnonzero(runs):
                found[i] = self._diced(fresh[i])
            self.swings.update(zip(unknown, found, strict=True))
        return np.array([self.swings[key] for key in keys])

    def _settled(self, leaves: Words) -> Words:
        """Worth of positions whose resolution needs no dice."""
        codes, spots = self._empty(len(leaves))
        self.kernels.settle_leaves(
            self.game, self.dice, self.words, self.live, self.begun, leaves, codes, spots
        )
        return self._summed(codes, spots, lambda i: self._resolved(leaves[i]))

    def _resolved(self, leaf: Words) -> None:
        self.put(leaf)
        self.kernels.resolve_all(self.game, self.dice)

    def _diced(self, leaf: Words) -> float:
        """Worth of a position in which runs are rolled: over every resolution."""
        self.put(leaf)
        self.game["head"]["turn"] = 0
        ends = enumerate_ends(self, self.kernels.resolve_on, 1 << 20)
        if ends is None:
            raise InputError("game: flights have too many ends to be valued exactly")
        states, chances = ends
        codes, spots = self._empty(len(states))
        self.kernels.tell_states(self.game, self.words, self.live, states, codes, spots)

        def stand(i: int) -> None:
            self.words[self.live] = states[i]

        return float(chances @ self._summed(codes, spots, stand))

    def _empty(self, count: int) -> tuple[Words, Words]:
        units = len(self.names)
        return np.zeros((count, units, 2), np.int64), np.zeros((count, units, 4))

    def _summed(self, codes: Words, spots: Words, stand: Any) -> Words:
        """Swing of each resolved position: of its engagements, runners and units off the table."""
        states = codes[:, :, 1] & _STATE
        total = (states == st.State.OFF_TABLE) @ self.worth
        fled = states == st.State.FLED
        if not self.rallies:
            total += fled @ self.worth
        moves = np.array(self.game["units"]["move"][: len(self.names)], float)
        near = self._near_an_edge(spots, moves)
        # positions that differ in nothing that matters now are looked at once
        places = np.where(near[:, :, None], spots, 0.0).view(np.int64)
        rows = np.concatenate([codes, places], axis=2).reshape(len(codes), 6 * len(self.names))
        _, kinds, kind_of = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        sums = np.zeros(len(kinds))
        for k, i in enumerate(kinds):
            homes = codes[i, :, 0]
            groups = [(f - 1, -1, homes == f) for f in sorted(set(homes[homes > 0].tolist()))]
            if self.rallies:
                groups += [(-1, int(who), who) for who in np.flatnonzero(fled[i])]
            for f, who, members in groups:
                key = b"%d %d " % (f, who) + codes[i, members].tobytes() + moves[members].tobytes()
                if near[i, members].any():
                    key += spots[i, members].tobytes()
                if key not in self.groups:
                    stand(i)
                    self.groups[key] = self._group(f, who)
                sums[k] += self.groups[key]
        return np.asarray(total + sums[kind_of.reshape(-1)])

    def _near_an_edge(self, spots: Words, moves: Words) -> Words:
        """Whether a run out of combat, and one more, could take a unit over an edge."""
        if self.edges[0] <= 0:
            return np.zeros(spots.shape[:2], bool)
        x, y = spots[:, :, 0], spots[:, :, 1]
        free = np.minimum(np.minimum(x, self.edges[0] - x), np.minimum(y, self.edges[1] - y))
        return np.asarray(free - self.sizes < 2 * moves)

    def _group(self, f: int, who: int) -> float:
        """Expected swing of one engagement, or of one runner, of the position that stands."""
        head = self.game["head"]
        head["rallies"], head["done"] = int(who >= 0), 0
        value = 0.0
        if self.kernels.keep_group(self.game, f, who):
            ends = enumerate_ends(self, self.step, 1 << 21)
            if ends is None:
                raise InputError("game: a combat has too many end states to be valued exactly")
            states, chances = ends
            games = np.zeros(len(states), st.LAYOUT.short_dtype(self.counts))
            short = st.LAYOUT.live(self.counts, short=True)
            games.view(np.uint64).reshape(len(states), -1)[:, short] = states
            lost = np.isin(games["units"]["state"], _LOST)
            value = float(chances @ (lost @ self.worth))
        head["rallies"] = self.rallies
        return value

    # ------------------------------------------------------------------ search

    def search(self, mover: int, most: int) -> Tree:
        """Every position of the case that is played, when a side declares first, with its value.

        Raises
        ------
        TooLarge
            When there are more than ``most`` positions.
        """
        root = self.root(mover)
        size = min(self.size, most)
        while True:
            states = np.zeros((size, root.size), np.int64)
            states[0] = root
            first = np.zeros(size + 1, np.int64)
            edges = np.zeros((8 * size, 4), np.int32)
            table = np.zeros(1 << (4 * size - 1).bit_length(), np.int64)
            table[self.kernels.place_of(root, states, table)] = 1
            span = np.array([1, 0, 0, 0])
            self.put(root)
            self.kernels.expand_game(self.game, self.dice, states, first, edges, table, span)
            if span[3] != self.kernels.FULL:
                break
            if size >= most:
                raise TooLarge(
                    f"plan: the game has more than {most:,} positions: too large to be searched to "
                    "its end; let policies play it, or raise --max-states"
                )
            size = min(4 * size, most)
        self.size = size
        count = int(span[0])
        return Tree(self, states[:count], first[: count + 1], edges[: int(span[1])])


class Tree:
    """All positions of a game, valued.

    Parameters
    ----------
    battle
        Where they arise.
    states, first, edges
        As :func:`.rules_game.expand_game` leaves them.
    """

    def __init__(self, battle: Battle, states: Words, first: Words, edges: Words) -> None:
        self.battle, self.states, self.first, self.edges = battle, states, first, edges
        self.values = np.zeros(len(states))
        self.lines = np.zeros(len(states))
        self.best = np.zeros(len(states), np.int64)
        ends = first[:-1] == first[1:]
        self.values[ends] = battle.worths(states[ends])
        battle.kernels.induce(states, first, edges, self.values, self.lines, self.best)

    @property
    def value(self) -> float:
        """Value of the game to the active side."""
        return float(self.values[0])

    @property
    def complete(self) -> int:
        """Complete lines of play."""
        return int(self.lines[0])

    def step(self, edge: int) -> Step:
        """A move in words."""
        u, t, face, _ = (int(x) for x in self.edges[edge])
        at = int(np.searchsorted(self.first, edge, side="right")) - 1
        return self.battle.step_of(self.states[at], (u, t, face))

    def out_of(self, at: int) -> range:
        """Moves from a position."""
        return range(int(self.first[at]), int(self.first[at + 1]))

    def line(self) -> tuple[Step, ...]:
        """Best line of play, passes that are forced left out."""
        at, found = 0, []
        while self.best[at] >= 0:
            edge = int(self.best[at])
            if len(self.out_of(at)) > 1:
                found.append(self.step(edge))
            at = int(self.edges[edge, 3])
        return tuple(found)

    def marks(self) -> list[Mark]:
        """Worth of every first declaration to who makes it, and the mark of every charge."""
        sign = 1.0 if self.states[0, 0] & 1 == 0 else -1.0
        moves = self.out_of(0)
        worth = {edge: sign * float(self.values[self.edges[edge, 3]]) for edge in moves}
        idle = next((worth[edge] for edge in moves if self.edges[edge, 0] < 0), 0.0)
        found = []
        for edge in moves:
            step, value = self.step(edge), worth[edge]
            replies = {
                reply: sign * float(self.values[self.edges[reply, 3]])
                for reply in self.out_of(int(self.edges[edge, 3]))
            }
            reply = min(replies, key=lambda r: replies[r]) if replies else None
            mark, better = "", None
            if step.kind == "charge":
                others = {e: v for e, v in worth.items() if e != edge}
                rival = max(others, key=lambda e: others[e]) if others else edge
                hoped = max(replies.values(), default=value)
                if value >= idle - 1e-12 and value >= -1e-12:
                    mark = "safe"
                elif worth[rival] >= hoped - 1e-12 and worth[rival] > value + 1e-12:
                    mark, better = "dominated", self.step(rival)
                else:
                    mark = "contested"
            found.append(
                Mark(
                    step,
                    value,
                    mark,
                    None if reply is None else self.step(reply),
                    None if reply is None else replies[reply],
                    better,
                )
            )
        return found


def enumerate_ends(battle: Battle, step: Any, most: int) -> tuple[Words, Words] | None:
    """Live words of all that a game can come to by a step, and their chances.

    ``None`` when they cannot be counted, or are more than ``most``.
    """
    from chargesim.kernels.branches import STATUS
    from chargesim.kernels.expand import Desk

    if step not in battle.desks:
        battle.desks[step] = Desk(step, battle.array)
    start = battle.words[battle.live][None, :]
    ((ends, _),) = battle.desks[step].expand(battle.live, battle.live, start, most)
    return None if ends.spans[0, STATUS] else (ends.states, ends.chances)
