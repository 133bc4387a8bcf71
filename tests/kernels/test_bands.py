"""Bands of codes: the order of digits, and the cells of codes for the heads of last draws."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from cases import CASES
from kernels.test_plans import ENDS, chain, played, walked

from chargesim.engine.plan import make_plan
from chargesim.kernels import bands as b
from chargesim.kernels import plans as p
from chargesim.kernels import trees as t
from chargesim.kernels.layout import lay_out
from chargesim.kernels.words import BLOCK, HEAD_BITS, ROW, UNIFORM

MANY = 60
"""Outcomes that are too many for a digit."""


def forked(kinds: list[int]) -> t.Tree:
    """A tree of two digits, whose ways lead to nodes of many outcomes, each at one of the places.

    The second digit has a way for each of the kinds: the place of the node to which it leads, the
    same one for each way of the first digit if it is odd; 0 is an end.
    """
    nodes: list[tuple[int, list[int]]] = [(1, [1, 2]), (2, []), (2, [])]  # place, children
    for kind in kinds:
        for first in range(2):
            if kind == 0:
                nodes[1 + first][1].append(-1 - first)
            elif first == 1 and kind % 2:
                nodes[2][1].append(nodes[1][1][-1])
            else:
                nodes[1 + first][1].append(len(nodes))
                ends = [-1 - (k * 7 + first + 3 * len(nodes)) % ENDS for k in range(MANY)]
                nodes.append((10 + kind, ends))
    tree, at = t.new_tree(64, 1), 0
    for node, (place, children) in enumerate(nodes):
        count = len(children)
        upto = [UNIFORM * (k + 1) // count for k in range(count)]
        tree.nodes[node] = place, at, count, 0
        tree.children[at : at + count] = children
        tree.upto[at : at + count] = upto
        tree.shares[at : at + count] = np.diff(np.array([0, *upto])) / UNIFORM
        at += count
    tree.sizes[:2] = len(nodes), at
    return tree


@pytest.mark.parametrize(
    ("kinds", "banded"),
    [
        ([2, 2, 2], True),  # one place, a node for each code
        ([3, 3, 2], True),  # places change twice
        ([2, 0, 4, 6, 8], True),  # four places, and an end
        ([3, 4, 3, 4, 3, 4], False),  # too often
        ([2, 4, 6, 8, 10], False),
    ],
)
def test_codes_that_draw_at_one_place_have_bands_if_few(kinds: list[int], banded: bool) -> None:
    tree = forked(kinds)
    plan, counts = played(tree, 5, [(0, 2 * BLOCK + 77)])
    assert not plan.further
    assert plan.dense.tolist() != []
    assert bool(plan.bands.shape[0]) == banded
    assert counts.tolist() == walked(tree, 5, range(2 * BLOCK + 77)).tolist()


def test_the_canonical_charge_has_three_bands_and_few_doubts() -> None:
    plan = make_plan(CASES["canonical"].scenario.whole.until("impact"))
    assert plan is not None
    bands, cells = plan.layout.bands, plan.layout.cells
    # impact hits; the charger's flight; the target's, which is one node for all codes
    assert len({int(row) for row in bands[:, 1]}) == 3
    assert bands[2:, 3].tolist() == [0, 0]
    assert cells.size <= p.MOST_BAND_CELLS
    assert (1 << (HEAD_BITS - bands[0, 2])) >= 256


def test_where_codes_alone_end_all_trials_no_head_matters() -> None:
    plan, counts = played(chain(4, 5), 3, [(0, 5_000)])
    assert plan.bands[0, 2] == HEAD_BITS - b.FEWEST_BITS
    assert counts.tolist() == walked(chain(4, 5), 3, range(5_000)).tolist()


@pytest.mark.parametrize("kinds", [[2, 2, 2], [3, 3, 2], [2, 0, 4, 6, 8], [3, 4, 3, 4, 3, 4]])
def test_every_cell_leads_to_one_end_or_is_marked(kinds: list[int]) -> None:
    plan = lay_out(forked(kinds), ENDS)
    held = (plan.cells >= p.MARK).astype(int)
    for first, stop, end in plan.runs.tolist():
        held[first:stop] += 1
        assert 0 <= end < ENDS
    assert held.tolist() == [1] * plan.cells.size
    assert plan.cells[-1] == p.WALK


def test_digits_along_which_places_change_most_come_last() -> None:
    # places hang on the first digit, and for one of its ways on the third
    sizes = np.array([3, 2, 2])
    places = np.array(
        [(5, 7 if c else 6, 5)[a] for c, _, a in product(range(2), range(2), range(3))]
    )
    order = b.order_digits(places, sizes)
    assert order.tolist() == [1, 2, 0]
    turned = b.recode(places.astype(np.uint32), sizes, order)
    # the second digit counts the units now, then the third
    expected = [places[a + 3 * d + 6 * c] for a, c, d in product(range(3), range(2), range(2))]
    assert turned.tolist() == expected
    assert b.find_bands(turned.astype(np.int64)).tolist() == [[0, 5], [4, 6], [6, 7], [8, 5]]


def test_an_ending_code_belongs_to_any_band() -> None:
    places = np.array([b.ENDING, 4, b.ENDING, 4, 9, b.ENDING])
    assert b.find_bands(places).tolist() == [[0, 4], [4, 9]]
    assert b.count_changes(places, 6, 1) == 1


def banded(weights: list[tuple[float, int]]) -> Any:
    """Bands of codes, two for each node of given reach and so many outcomes, places all apart."""
    tree = t.new_tree(16, 1)
    for node, (_, outcomes) in enumerate(weights):
        tree.nodes[node] = node, 0, outcomes, 0
    tree.sizes[t.NODES] = len(weights)
    ends = len(weights)
    come = np.array([x for node in range(len(weights)) for x in (node, ends)], np.uint32)
    return b.make_bands(tree, np.array([reach for reach, _ in weights]), come)


def test_cells_go_where_most_trials_would_be_doubtful() -> None:
    bands = banded([(0.9, 11), (0.1, 11)])
    # twice as many for a reach three times the root of nine
    assert (HEAD_BITS - bands[:2, 2]).tolist() == [12, 12]
    assert banded([(0.9, 1 << 12), (0.1, 11)]).shape == (0, 5)  # nearly every cell is divided
    assert bands[0, 1:].tolist() == [0, 4, 4096, 0]
    assert bands[1, 1:].tolist() == [ROW, 4, 4096, 0]
