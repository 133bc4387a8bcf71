"""The table of 31 by 5 charges of `duel.toml`, to contact and with the combat, with icepool.

Rows are distances of 10 to 40 cm, columns the riders' Leadership, 6 to 10. Five riders charge
twenty spearmen in four ranks, five of whom stand and shoot.

1. Stand and shoot, at more than 18 cm: five shots, 5+ to hit (6+ at more than 30 cm), 5+ to wound,
   saved on 3+; nothing reaches beyond 60 cm. Two casualties of five make the riders test 2D6 <= Ld.
2. The charge reaches 36 cm.
3. Combat: each rider and each steed strikes, 4+ to hit; steeds wound on 4+ and are saved on 5+,
   riders on 3+ and 6+. Whoever stands opposite and is left strikes back, in two ranks: 4+, 5+, 3+.
4. Result: wounds; three ranks, a standard, and the greater unit strength for the spearmen or, two
   to a rider, for the riders. The loser tests 2D6 + difference <= Ld or breaks. Riders flee and
   pursue 8D6, spearmen 5D6; a pursuit as far as the flight catches.
"""

from functools import cache

import icepool
import numpy as np
from numpy.typing import NDArray

DISTANCES = range(10, 41)
LEADERSHIPS = range(6, 11)
OPPOSITE = {1: 3, 2: 3, 3: 5, 4: 5, 5: 5}
"""Files of spearmen that so many riders touch, corners included: 25 mm against 20 mm a base."""
RIDERS, SPEARS, TARGET_LD = 5, 20, 7


@cache
def casualties(distance: int) -> "icepool.Die[int]":
    """Riders shot down: nobody shoots at half the reach of the charge or less."""
    if distance <= 18:
        return icepool.Die([0])
    to_hit = 1 if distance > 30 else 2
    return icepool.coin(to_hit * 2 * 2, 6**3).pool(5).sum()


@cache
def test(needed: int) -> "icepool.Die[bool]":
    """A Leadership test against so much."""
    return (2 @ icepool.d6) <= needed


@cache
def caught(flight: int, pursuit: int) -> "icepool.Die[bool]":
    """Whether so many dice of pursuit come as far as those of the flight."""
    return (pursuit @ icepool.d6) >= (flight @ icepool.d6)


@cache
def blows(riders: int) -> "icepool.Die[tuple[int, int]]":
    """Wounds of both sides, the riders' first."""
    first = icepool.coin(1, 6).pool(riders).sum() + icepool.coin(5, 18).pool(riders).sum()

    def answered(wounds: int) -> "icepool.Die[tuple[int, int]]":
        attacks = max(2 * OPPOSITE[riders] - wounds, 0)
        back = icepool.coin(1, 18).pool(attacks).sum() if attacks else icepool.Die([0])
        return back.map(lambda lost: (wounds, min(lost, riders)))

    return first.map(answered)


@cache
def combat(riders: int, leadership: int) -> "icepool.Die[str]":
    """How a combat of so many riders ends."""

    def ended(wounds: int, lost: int) -> "icepool.Die[str] | str":
        if lost == riders:
            return "charger_wiped_out"
        strengths = SPEARS - wounds, 2 * (riders - lost)
        score = (
            wounds - lost - 3 - 1 + (strengths[1] > strengths[0]) - (strengths[0] > strengths[1])
        )
        if score == 0:
            return "draw"
        if score > 0:
            ran = caught(5, 8).map({True: "target_broke_caught", False: "target_broke_escaped"})
            return test(TARGET_LD - score).map({True: "target_held", False: ran})
        ran = caught(8, 5).map({True: "charger_broke_caught", False: "charger_broke_escaped"})
        return test(leadership + score).map({True: "charger_held", False: ran})

    return blows(riders).map(ended)


@cache
def charge(distance: int, leadership: int, *, with_combat: bool) -> "icepool.Die[str]":
    """How a charge ends, in contact or after the combat."""

    def arrived(lost: int) -> "icepool.Die[str] | str":
        if lost >= RIDERS:
            return "no_combat"
        on = "no_combat"
        if distance <= 36:
            on = combat(RIDERS - lost, leadership) if with_combat else "contact"
        if 4 * lost < RIDERS:
            return on
        return test(leadership).map({True: on, False: "no_combat"})

    return casualties(distance).map(arrived)


def table(word: str, *, with_combat: bool, anew: bool = False) -> NDArray[np.float64]:
    """Probability of a word at each distance and Leadership.

    What several cells have in common is computed once, or with ``anew`` for each of them.
    """
    cells = np.zeros((len(DISTANCES), len(LEADERSHIPS)))
    _forget()
    for i, distance in enumerate(DISTANCES):
        for j, leadership in enumerate(LEADERSHIPS):
            if anew:
                _forget()
            ends = charge(distance, leadership, with_combat=with_combat)
            cells[i, j] = ends.probability(word)
    return cells


def _forget() -> None:
    for cached in (casualties, test, caught, blows, combat, charge):
        cached.cache_clear()
