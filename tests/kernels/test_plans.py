"""Plans of made-up trees against a walk from node to node, trial by trial."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chargesim.kernels import plans as p
from chargesim.kernels import trees as t
from chargesim.kernels import words as w
from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.layout import MOST_CODES, lay_out
from chargesim.kernels.words import BLOCK, UNIFORM, fill_row, set_trial, uniform

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
        if dice["ready"][place] != dice["block"]:
            fill_row(dice, place)
        upto = tree.upto[first : first + count]
        node = int(tree.children[first + int(np.searchsorted(upto, uniform(dice, place), "right"))])
    return -1 - node


def played(
    tree: t.Tree, seed: int, spans: list[tuple[int, int]]
) -> tuple[p.Plan, np.ndarray[Any, Any]]:
    """Plan of a tree, and how often each end came about in some trials."""
    plan = lay_out(tree, ENDS)
    bench = p.new_bench(plan, ENDS)
    dice = new_dice(Mode.SAMPLE, seed)[0]
    for first, stop in spans:
        p.play_plan(dice, plan, bench, first, stop)
        p.read_tally(plan, bench)
    return plan, bench.counts.sum(axis=0)


def walked(tree: t.Tree, seed: int, trials: range) -> np.ndarray[Any, Any]:
    """How often each end came about in some trials, walked from node to node."""
    dice = new_dice(Mode.SAMPLE, seed)[0]
    counts = np.zeros(ENDS, np.int64)
    for trial in trials:
        set_trial(dice, trial)
        counts[walk(tree, dice)] += 1
    return counts


@pytest.mark.parametrize(
    ("seed", "nodes", "places", "outcomes"),
    [
        (0, 1, 1, 2),
        (1, 1, 1, 200),
        (2, 8, 8, 5),
        (3, 60, 5, 12),  # places in different order on different ways
        (4, 40, 40, 30),
        (5, 20, 20, 250),
        (6, 300, 12, 3),
    ],
)
def test_a_plan_plays_what_a_walk_plays(seed: int, nodes: int, places: int, outcomes: int) -> None:
    tree = random_tree(np.random.default_rng(seed), nodes, places, outcomes)
    first, stop = BLOCK - 1100, BLOCK + 1057
    spans = [(first, first + 1), (first + 1, BLOCK - 3), (BLOCK - 3, BLOCK + 5), (BLOCK + 5, stop)]
    _, counts = played(tree, seed, spans)
    assert counts.tolist() == walked(tree, seed, range(first, stop)).tolist()


def row_of(dice: np.void, place: int) -> np.ndarray[Any, Any]:
    set_trial(dice, 0)
    fill_row(dice, place)
    heads: np.ndarray[Any, Any] = dice["heads"][place, :BLOCK]
    return heads


@pytest.mark.parametrize("outcomes", [2, 3, 6, 40])
def test_where_a_head_settles_nothing_the_tail_does(outcomes: int) -> None:
    # thresholds within the heads that come up most often: many trials have one of them
    dice = new_dice(Mode.SAMPLE, 8)[0]
    heads, often = np.unique(row_of(dice, 3), return_counts=True)
    split = np.sort(heads[np.argsort(often)[1 - outcomes :]]).astype(np.int64)
    tree = t.new_tree(8, 1)
    tree.nodes[:2] = [[3, 0, outcomes, 0], [4, outcomes, 2, 0]]
    tree.children[: outcomes + 2] = [*range(-1, -1 - outcomes, -1), -ENDS, -1]
    tree.children[outcomes - 1] = 1
    upto = [*((split << w.TAIL_BITS) + 12_345), UNIFORM, UNIFORM // 2, UNIFORM]
    tree.upto[: outcomes + 2] = np.array(upto, np.uint32)
    tree.shares[: outcomes + 2] = np.diff(np.array([0, *upto])) / UNIFORM
    tree.shares[outcomes:] = 0.5
    tree.sizes[:2] = 2, outcomes + 2
    plan, counts = played(tree, 8, [(0, BLOCK)])
    assert (plan.dense.size > 0) == (outcomes < 40)  # with and without digits
    expected = walked(tree, 8, range(BLOCK))
    assert counts.tolist() == expected.tolist()
    # had the heads alone decided, it would have come out differently
    u = np.array([tail_free(dice, 3, trial) for trial in range(BLOCK)])
    by_heads = np.bincount(np.searchsorted(tree.upto[:outcomes], u, "right"), minlength=outcomes)
    assert by_heads[: outcomes - 1].tolist() != expected[: outcomes - 1].tolist()


def tail_free(dice: np.void, place: int, trial: int) -> int:
    set_trial(dice, trial)
    return int(w.lowest(dice, place))


def chain(places: int, outcomes: int) -> t.Tree:
    """A tree in which every trial draws evenly at one place after the other."""
    tree = t.new_tree(max(8, places), 1)
    for node in range(places):
        at = node * outcomes
        tree.nodes[node] = node + 5, at, outcomes, 0
        tree.children[at : at + outcomes] = node + 1 if node + 1 < places else -1
        tree.children[at] = -2 - node % 3
        tree.shares[at : at + outcomes] = 1 / outcomes
        tree.upto[at : at + outcomes] = (np.arange(1, outcomes + 1) * UNIFORM) // outcomes
    tree.sizes[:2] = places, places * outcomes
    return tree


def test_what_every_trial_draws_is_drawn_for_all_of_them_as_far_as_codes_go() -> None:
    # ways after the first outcome and the others: two for a digit
    plan = lay_out(chain(4, 5), ENDS)
    assert plan.dense.tolist() == [5, 6, 7, 8]
    assert plan.by_code.size == 2 * 2**4
    assert not plan.further
    plan = lay_out(chain(40, 5), ENDS)
    assert plan.by_code.size <= 2 * MOST_CODES
    assert plan.further


def test_a_draw_of_many_outcomes_is_each_trials_own() -> None:
    tree = t.new_tree(8, 1)
    tree.nodes[0] = 5, 0, 200, 0
    tree.children[:200] = -1 - np.arange(200) % ENDS
    tree.shares[:200] = 1 / 200
    tree.upto[:200] = np.arange(1, 201) * UNIFORM // 200
    tree.sizes[:2] = 1, 200
    plan = lay_out(tree, ENDS)
    assert plan.dense.size == 0
    assert plan.by_code.size == 2


def test_a_rare_draw_is_made_for_all_when_no_trial_draws_twice_then() -> None:
    # one trial in 100 comes to a test, which is not worth it by itself, and then to many outcomes
    tree = t.new_tree(16, 1)
    tree.nodes[:3] = [[5, 0, 100, 0], [6, 100, 2, 0], [7, 102, 100, 0]]
    tree.children[:202] = -1 - np.arange(202) % ENDS
    tree.children[99:101] = 1, 2
    tree.shares[:202] = [*[0.01] * 100, 0.5, 0.5, *[0.01] * 100]
    each = np.arange(1, 101) * UNIFORM // 100
    tree.upto[:202] = [*each, UNIFORM // 2, UNIFORM, *each]
    tree.sizes[:2] = 3, 202
    assert lay_out(tree, ENDS).further  # the first draw has too many thresholds
    tree.children[:99] = -1
    plan = lay_out(tree, ENDS)
    assert plan.dense.tolist() == [5, 6]
    assert not plan.further
    _, counts = played(tree, 4, [(0, 3_000)])
    assert counts.tolist() == walked(tree, 4, range(3_000)).tolist()
