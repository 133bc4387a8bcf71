"""Other ways to compute the canonical charge, each the best of its kind.

The canonical charge: a column of five scythed chariots causing fear charges ten handgunners.

1. Fear: the target tests 2D6 <= 7; if it fails it flees 5D6 cm and is caught if 24 + flight <= 36.
2. Stand and shoot: ten shots, 5+ to hit, 4+ to wound, saved on 5+; casualties are capped at five.
3. Five casualties destroy the charger; two or more make it test 2D6 <= 8, or flee 8D6 cm.
4. Contact: D6 + 1 impact hits, 2+ to wound, saved on 6+; the unsaved ones are the wounds.

Every opponent answers with a `CanonicalResult`, so that their answers can be compared cell by cell.
"""

from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

OUTCOMES: Final = (
    "contact",
    "target_fled_caught",
    "target_fled_escaped",
    "charger_fled_panic",
    "charger_destroyed",
)
"""Names of the first axis of `CanonicalResult.joint`, in order."""

JOINT_SHAPE: Final = (len(OUTCOMES), 6, 8)
"""Outcomes, casualties 0..5, wounds 0..7."""

TARGET_FLIGHT_SIZE: Final = 31
"""5D6 cm, indexed by the distance itself."""

CHARGER_FLIGHT_SIZE: Final = 49
"""8D6 cm, indexed by the distance itself."""

HITS_SIZE: Final = 8
"""Impact hits 0..7, where 0 means that there was no contact."""


class CanonicalResult(NamedTuple):
    """What became of the canonical charge: counts of trials (samplers) or probabilities (exact).

    `joint` is indexed by outcome, casualties and wounds. The two flight arrays are indexed by
    centimetres and count only units that fled; `hits` counts every trial, at 0 if no contact.
    """

    joint: NDArray[Any]
    target_flight: NDArray[Any]
    charger_flight: NDArray[Any]
    hits: NDArray[Any]
