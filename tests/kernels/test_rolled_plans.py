"""Dice rolled side by side against the same dice rolled one trial after the other."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels import dice as d
from chargesim.kernels import rolled_batches as b
from chargesim.kernels import rolled_plans as r
from chargesim.kernels import trees as t
from chargesim.kernels.layout import lay_out
from chargesim.kernels.rolled import STEP, hand_of, luck_at, luck_of, mixed
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
    "thirty dice": (d.Node.SUM, 30, 6, 0),
    "lower two": (d.Node.SUM, 2, 6, 1),
    "count": (d.Node.COUNT, 10, 4, 36),
    "count of large dice": (d.Node.COUNT, 3, 5183, 7776),
    "race in inches": (d.Node.RACE, int(d.packed_flight(2, -4)), HUNTERS, 9),
    "race in centimetres": (d.Node.RACE, int(d.packed_flight(8, 3)), HUNTERS, 0),
    "flight alone": (d.Node.RACE, int(d.packed_flight(3, 0)), 0, 12),
    "bands": (d.Node.BANDS, 36, *BANDS),
}


def side_by_side(ask: tuple[int, ...], seed: int) -> tuple[bool, np.ndarray]:
    luck = np.uint64(luck_of(d.new_dice(d.Mode.ROLL, seed)[0]))
    keys = np.array([mixed(luck ^ np.uint64(trial)) for trial in range(TRIALS)], np.uint64)
    room = np.full((4, TRIALS), 99, np.uint64)
    again = b.roll_side_by_side(tuple(int(x) for x in ask), PLACE, keys, *room)
    if ask[0] == d.Node.TEST:  # the outcome that is passed comes first
        room[1] ^= np.uint64(1)
    return again, room[1]


def one_by_one(ask: tuple[int, ...], seed: int) -> list[int]:
    dice, outcomes = d.new_dice(d.Mode.ROLL, seed)[0], []
    for trial in range(TRIALS):
        set_trial(dice, trial)
        outcomes.append(int(d.roll(dice, PLACE, *(int(x) for x in ask))))
    return outcomes


@pytest.mark.parametrize("ask", ASKS.values(), ids=list(ASKS))
def test_dice_show_the_same_side_by_side(ask: tuple[int, ...]) -> None:
    again, outcomes = side_by_side(ask, 5)
    assert not again
    assert outcomes.tolist() == one_by_one(ask, 5)
    assert len(set(outcomes.tolist())) > 1 or ask[1] == 1


@pytest.mark.parametrize(
    "ask",
    [
        (d.Node.SUM, 2, SELDOM, 0),
        (d.Node.COUNT, 2, SELDOM // 3 + 1, SELDOM),
    ],
)
def test_a_die_that_has_to_be_rolled_again_is_told_of(ask: tuple[int, ...]) -> None:
    again, outcomes = side_by_side(ask, 5)
    alone = np.array(one_by_one(ask, 5), np.uint64)
    marked = outcomes >= b.AGAIN
    assert again
    assert 0 < marked.sum() < 20
    assert np.array_equal(outcomes[~marked], alone[~marked])


def key_of(word: int) -> int:
    """Key of a trial whose first word at the place is this one: all steps backwards."""
    x = word
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        y = x
        for _ in range(3):
            y = x ^ (y >> shift)
        x = y * pow(factor, -1, 2**64) % 2**64
    return (x - int(STEP)) % 2**64 ^ int(luck_at(PLACE))


MANY_HANDS = {
    "thirty dice",
    "count",
    "count of large dice",
    "race in inches",
    "race in centimetres",
}


@pytest.mark.parametrize("name", ASKS)
def test_whichever_number_is_not_fair_its_trial_is_marked(name: str) -> None:
    fair, lower, upper = 0x9E3779B97F4A7C15, 0x9E3779B900000000, 0x7F4A7C15
    keys = np.array([key_of(word) for word in (fair, lower, upper, fair)], np.uint64)
    words, faces, farthest, spare = np.full((4, 4), 99, np.uint64)
    ask = tuple(int(x) for x in ASKS[name])
    assert b.roll_side_by_side(ask, PLACE, keys, words, faces, farthest, spare)
    marked = faces >= b.AGAIN
    assert marked.tolist() == [False, True, name in MANY_HANDS, False]


def throws(n: int, sides: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Digits of all throws of n dice, and the first and last number of 32 bits of each."""
    count = sides**n
    number = np.arange(count, dtype=np.uint64)
    digits = np.stack([number // np.uint64(sides**k) % np.uint64(sides) for k in range(n)])
    up = np.uint64(count - 1)
    first = ((number << np.uint64(32)) + up) // np.uint64(count)
    last = (((number + np.uint64(1)) << np.uint64(32)) + up) // np.uint64(count) - np.uint64(1)
    return digits, first, last


@pytest.mark.parametrize("sides", [2, 3, 6, 9, 12, 36, 1296, 7776])
def test_every_throw_of_every_hand_has_as_many_numbers(sides: int) -> None:
    for n in range(1, int(hand_of(sides)) + 1):
        digits, first, last = throws(n, sides)
        upto = sides // 2
        unfair = np.zeros(first.size, bool)
        # the numbers of a throw are an interval, of which only the first may be unfair
        for x in (first, first + np.uint64(1), last):
            added, counted = np.full((2, first.size), 99, np.uint64)
            b.add_dice(x, 0, added, b.NOTHING, n, sides)
            b.count_dice(x << np.uint64(32), 1, counted, b.NOTHING, n, sides, upto)
            marks = added >= b.AGAIN
            assert np.array_equal(marks, counted >= b.AGAIN)
            assert np.array_equal(added % b.AGAIN, digits.sum(axis=0))
            assert np.array_equal(counted % b.AGAIN, (digits < upto).sum(axis=0))
            if x is first:
                unfair = marks
            else:
                assert not marks.any()
        numbers = last - first + np.uint64(1) - unfair
        assert np.all(numbers == 2**32 // sides**n)


OUTCOMES = {
    ASKS["test"]: 2,
    (d.Node.SUM, 2, 6, 0): 11,
    (d.Node.COUNT, 3, 2, 6): 4,
    (d.Node.COUNT, 20, SELDOM // 3 + 1, SELDOM): 21,
    ASKS["race in inches"]: 3,
    ASKS["count"]: 11,
    ASKS["sum"]: 41,
    ASKS["bands"]: 6,
}
ENDS = 9


def random_tree(seed: int, nodes: int) -> t.Tree:
    """A joined tree of these dice, whose nodes lead on to any later ones, or to ends."""
    rng, tree, at = np.random.default_rng(seed), t.new_tree(2 * nodes, 1), 0
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


def with_batches_of(tray: r.Tray, batch: int) -> r.Tray:
    """The same tray, empty, and with more nodes than it has: for smaller batches."""
    free = np.zeros_like(tray.free)
    free[: tray.sizes.size] = 2 * batch * np.arange(tray.sizes.size)
    return tray._replace(batch=batch, free=free)


@pytest.mark.parametrize(("seed", "nodes"), [(0, 1), (1, 12), (2, 60)])
def test_a_plan_rolls_what_a_walk_rolls(seed: int, nodes: int) -> None:
    tree, first, stop = random_tree(seed, nodes), 500, 4_500
    plan = lay_out(tree, ENDS)
    assert r.can_be_rolled(plan)
    dice, tray = d.new_dice(d.Mode.ROLL, 3)[0], r.new_tray(plan, ENDS)
    assert nodes < 60 or set(tray.ways.tolist()) == {0, 1, 2}
    counts = [0] * ENDS
    for trial in range(first, stop):
        set_trial(dice, trial)
        counts[walk(tree, dice)] += 1
    for batch in (tray.batch, 48, 1):
        smaller = with_batches_of(tray, batch)
        for begin, end in ((first, first + 1), (first + 1, stop - 700), (stop - 700, stop)):
            r.play_rolled(dice, plan, smaller, begin, end, end == stop)
        assert r.ends_of(smaller).tolist() == counts


def test_many_nodes_take_no_more_room_than_few() -> None:
    sizes = {}
    for nodes in (1, 60, 2_000, 20_000):
        tray = r.new_tray(lay_out(random_tree(3, nodes), ENDS), ENDS)
        assert tray.queue.size >= 2 * tray.batch * nodes
        sizes[nodes] = tray.batch
    assert sizes[1] == sizes[60] == r.MOST_BATCH
    assert r.LEAST_BATCH < sizes[2_000] < r.MOST_BATCH
    assert sizes[20_000] == r.LEAST_BATCH
