"""A scenario's tree of chance nodes, unrolled once so that trials need not run the rules.

The plan is made by enumerating the one rule text. It keeps each node's place and thresholds, so a
trial played by the plan is bit for bit the trial that the rules play.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.parts import Part

if TYPE_CHECKING:
    from chargesim.kernels.plans import Plan as Layout
    from chargesim.kernels.trees import Tree

MAX_NODES = 50_000
"""A tree with more chance nodes is not planned; its trials run the rules."""
_FIRST_ROOM = 1024
"""Nodes for which there is room at first: most trees are small."""


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
    from chargesim.kernels.layout import lay_out
    from chargesim.kernels.plans import MOST_TARGETS
    from chargesim.kernels.trees import NODES, join

    tree = _grown(part, max_nodes)
    if tree is None or not 0 < tree.sizes[NODES] <= max_nodes:
        return None
    ends = join(tree)
    if tree.sizes[NODES] + ends.size >= MOST_TARGETS:
        return None
    return Plan(lay_out(tree, ends.size), tree.states[ends])


_local = threading.local()


def _workplace(part: Part) -> tuple[Any, Any]:
    """Game of this thread, in the initial state of a part, and its dice.

    They are kept: to make room for a game takes as long as to unroll a small one.
    """
    from chargesim.kernels.dice import Mode, new_dice

    if not hasattr(_local, "dice"):
        _local.dice = new_dice(Mode.ENUMERATE)  # holds nothing from one use to the next
        _local.games = {}
    games = _local.games
    games[part.ruleset.name] = part.game(games.get(part.ruleset.name))
    return games[part.ruleset.name], _local.dice


def _grown(part: Part, max_nodes: int) -> Tree | None:
    """Tree of a part of a scenario; ``None`` when it has no plan or outgrows all room."""
    from chargesim.kernels.jit import specialise
    from chargesim.kernels.trees import NO_ROOM, STATUS, grow, new_tree, state_number

    game, dice = _workplace(part)
    words, live = game.view(np.uint64), part.live
    begin = words[live]
    step, _ = part.ruleset.kernels()
    room = _FIRST_ROOM
    while True:
        tree = new_tree(room, live.size)
        words[live] = begin
        state_number(tree, words, live)
        arguments = (game[0], dice[0], words, live, tree)
        specialise(grow, step, *arguments)(step, *arguments)
        if tree.sizes[STATUS] == 0:
            return tree
        if tree.sizes[STATUS] != NO_ROOM or room > max_nodes:
            return None
        room *= 4
