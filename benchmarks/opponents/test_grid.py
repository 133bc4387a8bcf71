"""The table of icepool is that of chargesim, cell by cell, to contact and with the combat."""

from pathlib import Path

import numpy as np
import pytest

import chargesim as cs

from . import icepool_grid

DUEL = Path(__file__).resolve().parents[2] / "tests" / "cases" / "duel.toml"
WORDS = (
    "no_combat", "draw", "target_broke_caught", "target_broke_escaped", "target_held",
    "charger_wiped_out", "charger_broke_caught", "charger_broke_escaped", "charger_held",
)  # fmt: skip


def ours(value: str) -> np.ndarray:
    axes = (
        {"charge.0.distance": icepool_grid.DISTANCES},
        {"unit.riders0.Ld": icepool_grid.LEADERSHIPS},
    )
    return cs.grid(cs.load(DUEL), *axes, value).array()


def test_to_contact() -> None:
    expected = icepool_grid.table("contact", with_combat=False)
    assert expected.shape == (31, 5)
    np.testing.assert_allclose(ours("contact"), expected, atol=1e-12)
    assert (expected[0] == 1).all()
    assert (expected[-1] == 0).all()


@pytest.mark.parametrize("word", WORDS)
def test_with_combat(word: str) -> None:
    expected = icepool_grid.table(word, with_combat=True)
    np.testing.assert_allclose(ours(f"spears0:{word}"), expected, atol=1e-12)


def test_words_share_everything() -> None:
    whole = sum(icepool_grid.table(word, with_combat=True) for word in WORDS)
    np.testing.assert_allclose(whole, 1.0, atol=1e-12)
