"""A scenario's tree of chance nodes, unrolled once so that trials need not run the rules.

The plan is made by enumerating the one rule text. It keeps each node's place and thresholds, so a
trial played by the plan is bit for bit the trial that the rules play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.parts import Part
from chargesim.rulesets import Ruleset

if TYPE_CHECKING:
    from chargesim.kernels.plans import Plan as Layout

MAX_NODES = 50_000
"""A tree with more chance nodes is not planned; its trials run the rules."""
_FIRST_ROOM = 1024
"""Nodes for which there is room at first: most trees are small."""
_FIRST_WORDS = 16
"""Words of a state for which there is room at first, for each state."""


@dataclass(frozen=True)
class Plan:
    """A scenario's plan.

    Parameters
    ----------
    layout
        Its nodes, as :func:`chargesim.kernels.plans.play_plan` takes them.
    states
        Live words of the end states, uint64, shape (states, words), no two alike.
    """

    layout: Layout
    states: Any

    @property
    def can_be_rolled(self) -> bool:
        """Whether its trials may roll every die: a length judged by eye is no outcome of dice."""
        from chargesim.kernels.rolled_plans import can_be_rolled

        return bool(can_be_rolled(self.layout))


class _Desk:
    """A game, dice and tree with which one thread at a time unrolls games of a ruleset.

    They are kept: to make room for them takes as long as to unroll a small game.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        from chargesim.kernels.dice import Mode, new_dice
        from chargesim.kernels.jit import address_of
        from chargesim.kernels.trees import new_tree

        self.game, self.dice = ruleset.layout.new(), new_dice(Mode.ENUMERATE)
        self.words = self.game.view(np.uint64)
        self.step = address_of(ruleset.kernels()[0], self.game[0], self.dice[0])
        self.tree = new_tree(_FIRST_ROOM, _FIRST_WORDS)
        self.places: np.ndarray[Any, Any] | None = None

    def turn_to(self, places: np.ndarray[Any, Any]) -> None:
        """Make the game one of which the words at these places may be set."""
        if self.places is not None and places is not self.places:
            self.words[self.places] = 0  # of another shape
        self.places = places


_desks: dict[str, list[_Desk]] = {}
"""Those of each ruleset that no thread is using."""


@contextmanager
def _desk_for(part: Part) -> Iterator[_Desk]:
    """Desk for games of the shape of a part, nobody else's meanwhile."""
    free = _desks.setdefault(part.ruleset.name, [])
    try:
        desk = free.pop()
    except IndexError:
        desk = _Desk(part.ruleset)
    desk.turn_to(part.ruleset.layout.places(part.start.dtype))
    yield desk
    free.append(desk)  # not after an error: it may be in the middle of something


@lru_cache(maxsize=16)
def make_plan(part: Part, max_nodes: int = MAX_NODES) -> Plan | None:
    """Unroll a part of a scenario, or give ``None`` when it cannot be planned.

    Parameters
    ----------
    part
        The question.
    max_nodes
        Most chance nodes.

    Returns
    -------
    Plan or None
        ``None`` for larger trees, and where nothing is left to chance: there the rules are as
        quick.
    """
    from chargesim.kernels.batch import can_be_planned
    from chargesim.kernels.layout import lay_out
    from chargesim.kernels.plans import MOST_TARGETS
    from chargesim.kernels.trees import NODES, join, unroll

    with _desk_for(part) as desk:
        live = part.live
        desk.words[desk.places] = part.start.view(np.uint64)
        tree = unroll(desk.step, desk.game[0], desk.dice[0], desk.words, live, desk.tree, max_nodes)
        if not can_be_planned(tree, max_nodes):
            return None
        ends = join(tree, live.size)
        if tree.sizes[NODES] + len(ends) >= MOST_TARGETS:
            return None
        return Plan(lay_out(tree, len(ends)), ends)


def play_many(
    parts: Sequence[Part], first: int, stop: int, seed: int, points: Sequence[int]
) -> list[tuple[Any, Any] | None]:
    """Plan parts of one shape and play the same trials of each, one after another.

    Parameters
    ----------
    parts
        Parts of one ruleset with as many records of each kind.
    first, stop
        Trials first to stop - 1 are played.
    seed
        The user's.
    points
        Number of the study point of each part.

    Returns
    -------
    list
        For each part its end states in rising order (uint64, shape (states, words)) and how many
        trials came to each (int64), or ``None`` for one that cannot be planned.
    """
    from chargesim.kernels.batch import play_games
    from chargesim.kernels.dice import Mode, reset_dice

    with _desk_for(parts[0]) as desk:
        reset_dice(desk.dice, Mode.ENUMERATE, seed, points[0])
        # word by word: numpy copies records field by field
        starts = np.stack([part.start.view(np.uint64) for part in parts])
        found, states, counts = play_games(
            desk.step, desk.game, desk.dice, desk.words, parts[0].live, desk.places, starts,
            np.array(points, np.uint64), desk.tree, MAX_NODES, first, stop,
        )  # fmt: skip
    told: list[tuple[Any, Any] | None] = []
    at = 0
    for size in found.tolist():
        if size < 0:
            told.append(None)
            continue
        told.append((states[at : at + size], counts[at : at + size]))
        at += size
    return told
