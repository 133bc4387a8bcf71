"""A scenario's tree of chance nodes, unrolled once so that trials need not run the rules.

The plan is made by enumerating the one rule text. It keeps each node's place and thresholds, so a
trial played by the plan is bit for bit the trial that the rules play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from chargesim.engine.exact import Expander
from chargesim.scenario import Part

MAX_NODES = 5_000
"""A tree with more chance nodes is not planned; its trials run the rules."""


@dataclass(frozen=True)
class Plan:
    """Arrays of a plan, as :func:`chargesim.kernels.loops.play_plan` takes them.

    Parameters
    ----------
    places, nodes, children, rows, guides
        The tree.
    states
        Live words of the end states, uint64, shape (states, words).
    """

    places: Any
    nodes: Any
    children: Any
    rows: Any
    guides: Any
    states: Any


class _Grower:
    """Nodes, children and threshold rows while a plan grows."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, int, int, int]] = []
        self.children: list[int] = []
        self.rows: dict[tuple[int, int, int, int], int] = {}

    def node(self, place: int, kind: int, n: int, a: int, b: int, outcomes: int) -> int:
        row = self.rows.setdefault((kind, n, a, b), len(self.rows))
        self.nodes.append((place, row, len(self.children), outcomes))
        self.children += [0] * outcomes
        return len(self.nodes) - 1


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
        ``None`` for an estimated distance (its node has no fixed outcomes) and for larger trees.
    """
    from chargesim.kernels.dice import GUIDE, OUTCOMES, Node, thresholds, weigh

    game = Expander(part)
    record = game.dice[0]
    grown = _Grower()
    # a place to which a child will be written: (children index), or None for the root
    layer: dict[bytes, list[int | None]] = {game.start()[0].tobytes(): [None]}
    root = 0
    going = True
    while going:
        going = False
        after: dict[bytes, list[int | None]] = {}
        for state, entrances in layer.items():
            done, _ = game.enter(np.frombuffer(state, np.uint64))
            if done:
                after.setdefault(state, []).extend(entrances)
                continue
            going = True
            # entrance of each branch still to run, with the outcomes that lead to it
            branches: list[tuple[list[int], list[int | None]]] = [([], entrances)]
            while branches:
                tape, ways = branches.pop()
                asks = game.run(state, tape)
                if not asks:
                    after.setdefault(game.words[game.live].tobytes(), []).extend(ways)
                    continue
                kind, n, a, b, place = (int(x) for x in record["pending"])
                if kind == Node.LENGTH or len(grown.nodes) >= max_nodes:
                    return None
                outcomes = weigh(record)
                node = grown.node(place, kind, n, a, b, outcomes)
                for way in ways:
                    if way is None:
                        root = node
                    else:
                        grown.children[way] = node
                first = grown.nodes[node][2]
                for outcome in range(outcomes):
                    if record["pmf"][outcome] > 0:
                        # a TEST's thresholds put pass (1) before fail (0)
                        slot = 1 - outcome if kind == Node.TEST else outcome
                        branches.append(([*tape, outcome], [first + slot]))
        layer = after
    states = np.array([np.frombuffer(key, np.uint64) for key in layer])
    for number, ways in enumerate(layer.values()):
        for way in ways:
            if way is None:
                return None  # nothing is left to chance: the rules are as quick
            grown.children[way] = -1 - number
    assert root == 0  # the first node made is the first met
    rows = np.zeros((len(grown.rows), OUTCOMES), np.uint32)
    guides = np.zeros((len(grown.rows), GUIDE), np.uint8)
    for (kind, n, a, b), row in grown.rows.items():
        thresholds(kind, n, a, b, record["pmf"], rows[row], guides[row])
    return Plan(
        np.unique([node[0] for node in grown.nodes]),
        np.array(grown.nodes, np.int64),
        np.array(grown.children, np.int64),
        rows,
        guides,
        states,
    )
