"""Dice rolled side by side against the same dice rolled one trial after the other."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels import dice as d
from chargesim.kernels import rolled_plans as r
from chargesim.kernels import trees as t
from chargesim.kernels.layout import lay_out
from chargesim.kernels.rolled import luck_of, mixed
from chargesim.kernels.words import UNIFORM, set_trial

PLACE, TRIALS = 7, 3_000
HUNTERS = int(d.one_pursuer(0)) * 2 + int(d.one_pursuer(1)) + int(d.one_pursuer(3))
MASK = sum(1 << face for face in (2, 5, 8, 28, 31))
BANDS = MASK & ((1 << d.MASK_BITS) - 1), MASK >> d.MASK_BITS
SELDOM = 3 << 20
"""Sides of a die that 1 trial in 4,000 has to roll again."""
ASKS = {
    "test": (d.Node.TEST, 7, 0, 0),
    "test of the cold-blooded": (d.Node.TEST, 7, 1, 0),
    "a test that fails": (d.Node.TEST, 1, 0, 0),
    "sum": (d.Node.SUM, 8, 6, 0),
    "one die": (d.Node.SUM, 1, 3, 0),
    "lower two": (d.Node.SUM, 2, 6, 1),
    "count": (d.Node.COUNT, 10, 4, 36),
    "race in inches": (d.Node.RACE, int(d.packed_flight(2, -4)), HUNTERS, 9),
    "race in centimetres": (d.Node.RACE, int(d.packed_flight(8, 3)), HUNTERS, 0),
    "flight alone": (d.Node.RACE, int(d.packed_flight(3, 0)), 0, 12),
    "bands": (d.Node.BANDS, 36, *BANDS),
}


def side_by_side(ask: tuple[int, ...], seed: int) -> tuple[bool, list[int]]:
    dice = d.new_dice(d.Mode.ROLL, seed)[0]
    luck = np.uint64(luck_of(dice))
    keys = [mixed(mixed(luck ^ np.uint64(t)) ^ np.uint64(PLACE)) for t in range(TRIALS)]
    rolls, room = np.array(keys, np.uint64), np.full((3, TRIALS), 99, np.uint64)
    done = r.roll_side_by_side(np.array(ask, np.int64), rolls, *room)
    return done, room[0].tolist()


def one_by_one(ask: tuple[int, ...], seed: int) -> list[int]:
    dice, outcomes = d.new_dice(d.Mode.ROLL, seed)[0], []
    for trial in range(TRIALS):
        set_trial(dice, trial)
        outcomes.append(int(d.roll(dice, PLACE, *(int(x) for x in ask))))
    return outcomes


@pytest.mark.parametrize("ask", ASKS.values(), ids=list(ASKS))
def test_dice_show_the_same_side_by_side(ask: tuple[int, ...]) -> None:
    done, outcomes = side_by_side(ask, 5)
    assert done
    assert outcomes == one_by_one(ask, 5)
    assert len(set(outcomes)) > 1 or ask[1] == 1


def test_a_die_that_has_to_be_rolled_again_is_told_of() -> None:
    ask = (int(d.Node.SUM), 2, SELDOM, 0)
    done, outcomes = side_by_side(ask, 5)
    assert not done
    assert outcomes != one_by_one(ask, 5)


OUTCOMES = {
    ASKS["test"]: 2,
    (d.Node.SUM, 2, 6, 0): 11,
    (d.Node.COUNT, 3, 2, 6): 4,
    (d.Node.COUNT, 2, SELDOM // 3, SELDOM): 3,
    ASKS["race in inches"]: 3,
}
ENDS = 9


def random_tree(seed: int, nodes: int) -> t.Tree:
    """A joined tree of these dice, whose nodes lead on to any later ones, or to ends."""
    rng, tree, at = np.random.default_rng(seed), t.new_tree(nodes, 1), 0
    for node in range(nodes):
        ask, count = list(OUTCOMES.items())[rng.integers(len(OUTCOMES))]
        tree.nodes[node] = rng.integers(6), at, count, ask[0] == d.Node.TEST
        tree.asks[node] = ask
        tree.shares[at : at + count] = 1 / count
        tree.upto[at : at + count] = np.arange(1, count + 1) * UNIFORM // count
        later = rng.integers(node + 1, nodes, count) if node + 1 < nodes else np.zeros(count)
        goes_on = (rng.random(count) < 0.8) & (node + 1 < nodes)
        tree.children[at : at + count] = np.where(goes_on, later, -1 - rng.integers(0, ENDS, count))
        if node + 1 < nodes:
            tree.children[at] = node + 1  # so that none is without parent
        at += count
    tree.sizes[t.NODES], tree.sizes[t.CHILDREN] = nodes, at
    return tree


def walk(tree: t.Tree, dice: np.void) -> int:
    """End of the current trial, from node to node."""
    node = 0
    while node >= 0:
        place, first, _, test = (int(x) for x in tree.nodes[node])
        outcome = int(d.roll(dice, place, *(int(x) for x in tree.asks[node])))
        node = int(tree.children[first + (1 - outcome if test else outcome)])
    return -1 - node


@pytest.mark.parametrize(("seed", "nodes"), [(0, 1), (1, 12), (2, 60)])
def test_a_plan_rolls_what_a_walk_rolls(seed: int, nodes: int) -> None:
    tree, first, stop = random_tree(seed, nodes), 500, 500 + r.STAGE + 900
    plan = lay_out(tree, ENDS)
    assert r.can_be_rolled(plan)
    tray, dice = r.new_tray(plan, ENDS), d.new_dice(d.Mode.ROLL, 3)[0]
    for begin, end in ((first, first + 1), (first + 1, stop)):
        r.play_rolled(dice, plan, tray, begin, end)
    counts = [0] * ENDS
    for trial in range(first, stop):
        set_trial(dice, trial)
        counts[walk(tree, dice)] += 1
    assert tray.counts.tolist() == counts
