"""Plans of made-up trees against a walk from node to node, trial by trial."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels import plans as p
from chargesim.kernels import trees as t
from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.words import PART, UNIFORM, fill_row, set_trial, uniform

ENDS = 40


def random_tree(rng: np.random.Generator, nodes: int, places: int, outcomes: int) -> t.Tree:
    """A joined tree whose nodes lead on to any later ones, or to ends."""
    tree = t.new_tree(max(nodes, outcomes * nodes // 16 + 1), 1)
    at = 0
    for node in range(nodes):
        count = int(rng.integers(2, outcomes + 1))
        # now and then many thresholds in one cell, and outcomes that never come
        weights = rng.random(count) ** rng.choice([1, 20]) * (rng.random(count) < 0.8)
        weights[rng.integers(count)] += 0.01
        shares = weights / weights.sum()
        tree.nodes[node] = rng.integers(places), at, count, 0
        tree.shares[at : at + count] = shares
        upto = np.minimum(np.rint(np.cumsum(shares) * UNIFORM), UNIFORM)
        upto[np.flatnonzero(shares)[-1] :] = UNIFORM
        tree.upto[at : at + count] = upto.astype(np.uint32)
        later = rng.integers(node + 1, nodes, count) if node + 1 < nodes else np.zeros(count)
        ends = -1 - rng.integers(0, ENDS, count)
        goes_on = (rng.random(count) < 0.7) & (node + 1 < nodes)
        tree.children[at : at + count] = np.where(goes_on, later, ends)
        if node + 1 < nodes:
            tree.children[at + int(np.argmax(shares))] = node + 1  # so that none is without parent
        at += count
    tree.sizes[t.NODES], tree.sizes[t.CHILDREN] = nodes, at
    return tree


def walk(tree: t.Tree, dice: np.void) -> int:
    """End of the current trial, from node to node."""
    node = 0
    while node >= 0:
        place, first, count, _ = (int(x) for x in tree.nodes[node])
        if dice["ready"][place] != dice["part"]:
            fill_row(dice, place)
        upto = tree.upto[first : first + count]
        node = int(tree.children[first + int(np.searchsorted(upto, uniform(dice, place), "right"))])
    return -1 - node


@pytest.mark.parametrize(
    ("seed", "nodes", "places", "outcomes"),
    [
        (0, 1, 1, 2),
        (1, 1, 1, 200),
        (2, 8, 8, 5),
        (3, 60, 5, 12),  # places in different order on different ways
        (4, 40, 40, 30),  # more than three ways from a stage
        (5, 20, 20, 250),
    ],
)
def test_a_plan_plays_what_a_walk_plays(seed: int, nodes: int, places: int, outcomes: int) -> None:
    tree = random_tree(np.random.default_rng(seed), nodes, places, outcomes)
    plan = p.lay_out(tree)
    assert plan.places.size <= p.MOST_STAGES
    first, stop = PART - 100, 2 * PART + 57
    dice = new_dice(Mode.SAMPLE, seed)[0]
    expected = np.zeros(ENDS, np.int64)
    for trial in range(first, stop):
        set_trial(dice, trial)
        expected[walk(tree, dice)] += 1
    counts = np.zeros((4, ENDS), np.int64)
    dice = new_dice(Mode.SAMPLE, seed)[0]
    line = p.new_line(plan)
    for start, end in ((first, first + 1), (first + 1, PART), (PART, stop)):
        p.play_plan(dice, plan, line, counts, start, end)
    assert counts.sum(axis=0).tolist() == expected.tolist()


def test_stages_are_as_many_as_places_where_their_order_allows() -> None:
    # 0 leads to 1 and 2 at two places, each of which leads to node 3, which leads to an end
    tree = t.new_tree(4, 1)
    tree.nodes[:4] = [[7, 0, 2, 0], [5, 2, 2, 0], [9, 4, 1, 0], [6, 5, 1, 0]]
    tree.children[:6] = [1, 2, 2, 3, 3, -1]
    tree.shares[:6] = [0.5, 0.5, 0.5, 0.5, 1.0, 1.0]
    tree.upto[:6] = np.array([0.5, 1, 0.5, 1, 1, 1]) * UNIFORM
    tree.sizes[:2] = 4, 6
    plan = p.lay_out(tree)
    assert plan.places.tolist() == [7, 5, 9, 6]
    assert plan.starts.tolist() == [0, 1, 2, 3, 4, 4]


def test_the_trees_above_have_stages_with_many_ways_and_with_few() -> None:
    plan = p.lay_out(random_tree(np.random.default_rng(4), 40, 40, 30))
    assert (plan.ways[:, 0] < 0).any()
    assert (plan.ways[:, 0] >= 0).any()
