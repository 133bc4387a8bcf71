"""End states are put in order whatever tells them apart."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels.ends import sort


@pytest.mark.parametrize("count", [1, 2, 3, 40, 315])
@pytest.mark.parametrize(("words", "largest"), [(3, 4), (10, 3), (2, 2**64 - 1), (5, 2**63)])
def test_states_are_sorted(count: int, words: int, largest: int) -> None:
    """By few bits, by bits up to the highest, and by more than a key holds."""
    draw = np.random.default_rng(count)
    rows = np.unique(draw.integers(0, largest, (count, words), np.uint64, endpoint=True), axis=0)
    if largest > 2**62 and len(rows) > 3:
        rows[1:3, :-1] = rows[0, :-1]  # only the last of many bits tell these apart
        rows = np.unique(rows, axis=0)
    states = len(rows)
    places = draw.permutation(states)
    order, spare = np.empty((2, states), np.int64)
    keys, room = np.empty((2, states), np.uint64)
    sort(rows.reshape(-1), words, places, order, keys, spare, room, states)
    assert np.array_equal(places[order], np.arange(states))
