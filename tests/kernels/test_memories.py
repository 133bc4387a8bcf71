"""Memories of an exact batch: which of them another start may take."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.kernels import memories as m
from chargesim.kernels.room import RECALLED

STATE, STAMP = 7, np.uint64(3)
START, VARYING = np.array([0b1010], np.uint64), np.array([0])


@pytest.mark.parametrize(
    ("which", "plain", "value", "found"),
    [
        (m.WHOLLY, 0, 0b1010, 0),
        (m.WHOLLY, 0, 0b0010, -1),  # what it rests on was another
        (m.PARTLY, 1, 0b0010, 0),  # which is the target of a test
        (m.PARTLY, 1, 0b1000, -1),
        (m.PARTLY, 0, 0b0010, -1),  # of which one cannot be failed, or passed
    ],
)
def test_a_memory_is_taken_where_what_it_rests_on_agrees(
    which: int, plain: int, value: int, found: int
) -> None:
    given = np.zeros((3, 2, 1), np.uint64)
    # both rest on all four bits, the upper two of them the target of a test
    given[m.WHOLLY], given[m.PARTLY], given[1, 0] = 0b1111, 0b0011, value
    memories = np.zeros((2, 6), np.int64)
    memories[:, m.STATE], memories[0, m.PLAIN] = STATE, plain
    recalled = np.zeros(RECALLED, np.uint64)
    # by whatever way it came to stand where it is looked for
    slot = m.recall_at(given, which, 1, START, VARYING, STATE)
    recalled[slot] = STAMP << np.uint64(32)
    asked = given, memories, recalled, STAMP, which, 1, START, VARYING
    assert m.recall(*asked) == found
    memories[0, m.STATE] = STATE + 1
    assert m.recall(*asked) == -1
