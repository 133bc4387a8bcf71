"""Every opponent answers the same question, so they must give the same answer."""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
import pytest

from . import (
    CHARGER_FLIGHT_SIZE,
    HITS_SIZE,
    JOINT_SHAPE,
    TARGET_FLIGHT_SIZE,
    CanonicalResult,
    dyce_exact,
    icepool_exact,
    numpy_best,
    numpy_dice,
    numpy_plain,
    pure_python,
)

SAMPLERS = [
    pytest.param(pure_python.play, 20_000, id="pure_python"),
    pytest.param(numpy_dice.play, 200_000, id="numpy_dice"),
    pytest.param(numpy_best.play, 200_000, id="numpy_best"),
    pytest.param(numpy_plain.play, 200_000, id="numpy_plain"),
    pytest.param(partial(numpy_plain.play, dtype=np.uint8), 200_000, id="numpy_plain_bytes"),
]


@pytest.fixture(scope="module")
def exact() -> CanonicalResult:
    return icepool_exact.solve()


def reachable() -> np.ndarray:
    """Which cells of the joint distribution the rules allow, read off the rules by hand."""
    cells = np.zeros(JOINT_SHAPE, dtype=bool)
    cells[0, :5, :] = True
    cells[1, 0, 0] = cells[2, 0, 0] = True
    cells[3, 2:5, 0] = True
    cells[4, 5, 0] = True
    return cells


def test_exact_probabilities_are_whole(exact: CanonicalResult) -> None:
    assert exact.joint.sum() == pytest.approx(1, abs=1e-14)
    assert exact.hits.sum() == pytest.approx(1, abs=1e-14)
    by_outcome = exact.joint.sum(axis=(1, 2))
    assert exact.target_flight.sum() == pytest.approx(by_outcome[1] + by_outcome[2], abs=1e-15)
    assert exact.target_flight[:13].sum() == pytest.approx(by_outcome[1], abs=1e-15)
    assert exact.charger_flight.sum() == pytest.approx(by_outcome[3], abs=1e-15)
    assert exact.hits[1:].sum() == pytest.approx(by_outcome[0], abs=1e-15)


def test_exact_probabilities_match_counting_by_hand(exact: CanonicalResult) -> None:
    assert exact.joint[1:3].sum() == pytest.approx(15 / 36, rel=1e-14)
    unharmed = 21 / 36 * (8 / 9) ** 10
    assert exact.joint[0, 0].sum() == pytest.approx(unharmed, rel=1e-14)
    unhurt = sum((11 / 36) ** hits for hits in range(2, 8)) / 6
    assert exact.joint[0, 0, 0] == pytest.approx(unharmed * unhurt, rel=1e-14)
    totals = [sum(roll) for roll in product(range(1, 7), repeat=5)]
    expected = np.bincount(totals) / 6**5 * 15 / 36
    np.testing.assert_allclose(exact.target_flight, expected, rtol=1e-14)


def test_exact_impossible_cells_are_zero(exact: CanonicalResult) -> None:
    np.testing.assert_array_equal(exact.joint > 0, reachable())
    np.testing.assert_array_equal(np.flatnonzero(exact.target_flight), np.arange(5, 31))
    np.testing.assert_array_equal(np.flatnonzero(exact.charger_flight), np.arange(8, 49))
    np.testing.assert_array_equal(np.flatnonzero(exact.hits), [0, *range(2, 8)])


@pytest.mark.filterwarnings("ignore::dyce.lifecycle.ExperimentalWarning")
def test_dyce_and_icepool_give_the_same_probabilities(exact: CanonicalResult) -> None:
    for mine, theirs in zip(dyce_exact.solve(), exact, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-14, atol=0)


@pytest.mark.parametrize(("play", "trials"), SAMPLERS)
def test_sampler_agrees_with_the_exact_answer(
    play: Callable[[int, int], CanonicalResult], trials: int, exact: CanonicalResult
) -> None:
    played = play(trials, 20_260_801)
    assert played.joint.sum() == played.hits.sum() == trials
    for counts, chances in zip(played, exact, strict=True):
        assert counts.shape == chances.shape
        assert counts.dtype == np.int64
        margin = 5 * np.sqrt(trials * chances * (1 - chances)) + 1
        assert np.all(np.abs(counts - trials * chances) <= margin)
        assert not counts[chances == 0].any()


@pytest.mark.parametrize(("play", "trials"), SAMPLERS)
@pytest.mark.parametrize("size", [0, 1, 7])
def test_sampler_plays_a_few_trials(
    play: Callable[[int, int], CanonicalResult], trials: int, size: int
) -> None:
    played = play(size, 3)
    assert played.joint.shape == JOINT_SHAPE
    assert played.target_flight.shape == (TARGET_FLIGHT_SIZE,)
    assert played.charger_flight.shape == (CHARGER_FLIGHT_SIZE,)
    assert played.hits.shape == (HITS_SIZE,)
    assert played.joint.sum() == size


@pytest.mark.parametrize(("play", "trials"), SAMPLERS)
def test_sampler_repeats_itself(play: Callable[[int, int], CanonicalResult], trials: int) -> None:
    once, again, other = play(2_000, 11), play(2_000, 11), play(2_000, 12)
    assert all(np.array_equal(left, right) for left, right in zip(once, again, strict=True))
    assert not np.array_equal(once.joint, other.joint)
