"""A scenario's tree of chance nodes, unrolled once so that trials need not run the rules.

The plan is made by enumerating the one rule text. It keeps each node's place and thresholds, so a
trial played by the plan is bit for bit the trial that the rules play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chargesim.engine.exact import Expander
from chargesim.scenario import Part

if TYPE_CHECKING:
    from chargesim.kernels.plans import Plan as Layout
    from chargesim.kernels.trees import Tree

MAX_NODES = 50_000
"""A tree with more chance nodes is not planned; its trials run the rules."""
_FIRST_ROOM = 256
"""Nodes for which there is room at first: most trees are small."""


@dataclass(frozen=True)
class Plan:
    """A scenario's plan.

    Parameters
    ----------
    layout
        Its nodes, as :func:`chargesim.kernels.plans.play_plan` takes them.
    states
        Live words of the end states, uint64, shape (states, words).
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
    from chargesim.kernels.plans import MOST_STAGES, lay_out
    from chargesim.kernels.trees import NODES, join

    tree = _grown(part, max_nodes)
    if tree is None or not 0 < tree.sizes[NODES] <= max_nodes:
        return None
    ends = join(tree)
    layout = lay_out(tree)
    if layout.places.size > MOST_STAGES:
        return None
    return Plan(layout, tree.states[ends])


def _grown(part: Part, max_nodes: int) -> Tree | None:
    """Tree of a part of a scenario; ``None`` when it has no plan or outgrows all room."""
    from chargesim.kernels.jit import specialise
    from chargesim.kernels.trees import NO_ROOM, STATUS, grow, new_tree, state_number

    game = Expander(part)
    room = _FIRST_ROOM
    while True:
        tree = new_tree(room, game.live.size)
        game.words[game.live] = game.begin
        state_number(tree, game.words, game.live)
        arguments = (game.array[0], game.dice[0], game.words, game.live, tree)
        specialise(grow, game.step, *arguments)(game.step, *arguments)
        if tree.sizes[STATUS] == 0:
            return tree
        if tree.sizes[STATUS] != NO_ROOM or room > max_nodes:
            return None
        room *= 4
