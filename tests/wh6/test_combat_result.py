"""The score of a combat: wounds, ranks, sides, numbers, standards, ground and music."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, duel, foes, men

F = Fraction
KILL = F(1, 2) * F(5, 6)
"""A blow of equal WS and S 10 against T 3."""


def block(side: str, models: int, width: int = 5, **changes: Any) -> dict[str, Any]:
    """Men in ranks who strike no blow."""
    return men(models, side, **{"width": width, **changes})


def score(a: dict[str, Any], b: dict[str, Any], charge: dict[str, Any] | None = None) -> int:
    """Result of a fight without blows."""
    return duel({"side": "active", **a}, {"side": "reactive", **b}, charge).result()


# four abreast on either side: nothing but what a test adds
A, B = block("active", 4, 4), block("reactive", 4, 4)


def test_WH6_CR_01_the_score_is_that_of_the_active_side_less_the_other() -> None:
    assert score(A, B) == 0
    assert score({**A, "combat_bonus": 3}, B) == 3
    assert score(A, {**B, "combat_bonus": 3}) == -3


def test_WH6_CR_01_wounds_of_both_sides_count() -> None:
    # The charger kills with 5/12 and is struck back else: 1, -1 or 0 and 1 for outnumbering.
    fight = duel(men(1, A=1, S=10), foes(1, A=1, S=10))
    assert fight.combat("combat_result") == {
        2: KILL,
        -2: (1 - KILL) * KILL,
        0: (1 - KILL) ** 2,
    }
    assert fight.combat("active_wounds") == {0: 1 - KILL, 1: KILL}


def test_WH6_CR_01_impact_wounds_count() -> None:
    chariot = {"impact_hits": "1"}
    ram = men(1, troop="chariot", S=10, W=4, unit_strength=4, chariot=chariot)
    fight = duel(ram, foes(4))
    # a kill (5/6): 1 and outnumbering by 4 to 3; else 4 to 4
    assert fight.combat("combat_result") == {2: F(5, 6), 0: F(1, 6)}


def test_WH6_CR_01_a_side_wiped_out_has_lost_whatever_the_scores() -> None:
    # One man with a bonus of 9 is slain: the charger has won all the same.
    fight = duel(men(1, A=1, S=10), foes(1, combat_bonus=9))
    assert fight.combat("combat_result") == {2: KILL, -9: 1 - KILL}
    assert fight.fate("target_wiped_out") == KILL
    # and what is left of its score are its ranks: its bonus is gone, a standard too
    many = duel(
        men(9, width=9, A=1, S=10, WS=10, rules=["unbreakable", "frenzy"]),
        block("reactive", 8, 4, standard=True, combat_bonus=1, save=None),
    )
    wiped = many.fate("target_wiped_out")
    assert wiped > 0
    # eight wounds and outnumbering, less one rank
    assert many.combat("combat_result")[8 + 1 - 1] == wiped


def test_WH6_CR_01_nor_does_a_higher_score_save_chargers_wiped_out() -> None:
    # Three blows at nine wounds, then one that slays the man (5+ and 2+): 3 to 2 and yet lost.
    fight = duel(men(1, A=3, S=10, WS=10), foes(1, W=9, A=1, S=10))
    slain = F(2, 6) * F(5, 6)
    hit = F(4, 6) * F(5, 6)
    assert fight.fate("charger_wiped_out") == slain
    one = 3 * hit * (1 - hit) ** 2 * (1 - slain)  # one wound and nobody slain scores the same
    assert fight.combat("combat_result")[3 - 2] == hit**3 * slain + one


def test_WH6_CR_01_no_more_wounds_than_there_are() -> None:
    # Two chargers of two blows each at three wounds.
    units = {"a": men(1, A=2, S=10), "c": men(1, A=2, S=10), "b": foes(1, W=3)}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert max(fight.combat("active_wounds")) == 3
    assert fight.fate("target_wiped_out") == KILL**4 + 4 * KILL**3 * (1 - KILL)


@pytest.mark.parametrize(
    ("models", "width", "ranks"),
    [
        (5, 5, 0),
        (8, 5, 0),
        (9, 5, 1),  # four in the second
        (10, 5, 1),
        (13, 5, 1),
        (14, 5, 2),
        (20, 5, 3),
        (25, 5, 3),  # no more than three
        (8, 4, 1),
        (7, 4, 0),
        (20, 3, 0),  # less than four wide
        (20, 10, 1),
        (14, 10, 1),
        (13, 10, 0),
    ],
)
def test_WH6_CR_02_a_point_for_each_rank_of_four_behind_the_first(
    models: int, width: int, ranks: int
) -> None:
    # equal numbers otherwise, in a single rank
    assert score(block("active", models, width), block("reactive", models, models)) == ranks
    assert score(block("active", models, models), block("reactive", models, width)) == -ranks


def test_WH6_CR_02_none_for_skirmishers_and_fast_cavalry() -> None:
    for rule in ("skirmishers", "fast_cavalry"):
        loose = block("active", 20, rules=["unbreakable", rule])
        assert score(loose, block("reactive", 20, 20)) == 0


def test_WH6_CR_02_only_the_best_unit_of_the_side() -> None:
    units = {"a": block("active", 10), "c": block("active", 15), "b": block("reactive", 25, 25)}
    assert battle(units, ("a", "b"), ("c", "b")).result() == 2
    assert battle(units, ("c", "b"), ("a", "b")).result() == 2


def test_WH6_CR_02_of_a_lance_complete_ranks_of_three() -> None:
    rules = ["bretonnian_lance", "unbreakable"]
    for knights, ranks in ((5, 0), (6, 1), (9, 2), (11, 2), (12, 3), (18, 3)):
        lance = men(knights, troop="cavalry", rules=rules)
        assert score(lance, block("reactive", 2 * knights, 2 * knights)) == ranks


def test_WH6_CR_03_a_flank_of_5_denies_the_ranks() -> None:
    # 20 men, 3 ranks; on the flank 5 men (US 5), 4 men (US 4): outnumbered by 15 and 16.
    ranks = block("reactive", 20)
    assert score(block("active", 5), ranks, {"arc": "flank"}) == 1 - 1
    assert score(block("active", 4, 4), ranks, {"arc": "flank"}) == -3 - 1
    assert score(block("active", 5), ranks, {"arc": "rear"}) == 2 - 1
    assert score(block("active", 5), ranks) == -3 - 1


def test_WH6_CR_03_small_units_do_not_add_up() -> None:
    # T-47: two chariots of US 4, one on each flank: neither denial nor a bonus.
    ram = men(1, troop="chariot", W=4, chariot={"impact_hits": "0"})
    units = {"a": ram, "c": ram, "b": block("reactive", 12, 4)}
    flank = {"arc": "flank"}
    assert battle(units, ("a", "b", flank), ("c", "b", flank)).result() == -2 - 1
    units["a"] = {**ram, "unit_strength": 5}
    assert battle(units, ("a", "b", flank), ("c", "b", flank)).result() == 1 - 1


def test_WH6_CR_04_the_greater_unit_strength_of_the_side() -> None:
    assert score(block("active", 5), block("reactive", 4, 4)) == 1
    assert score(block("active", 4, 4), block("reactive", 5)) == -1
    assert score(men(2, troop="cavalry"), block("reactive", 4, 4)) == 0
    # all chargers together
    units = {"a": block("active", 3, 3), "c": block("active", 2, 2), "b": block("reactive", 4, 4)}
    assert battle(units, ("a", "b"), ("c", "b")).result() == 1


def test_WH6_CR_04_counted_at_the_end_of_the_round() -> None:
    # Five to five; a dead man makes it five to four: 1 and 1.
    fight = duel(block("active", 5, 5, A=0, champion=True, S=10), block("reactive", 5))
    assert fight.combat("combat_result") == {0: 1 - KILL, 2: KILL}


def test_WH6_CR_05_one_point_for_standards_of_a_side() -> None:
    flag = {"standard": True}
    assert score({**A, **flag}, B) == 1
    assert score(A, {**B, **flag}) == -1
    assert score({**A, **flag}, {**B, **flag}) == 0
    units = {"a": {**A, **flag}, "c": {**A, **flag}, "b": block("reactive", 8, 8)}
    assert battle(units, ("a", "b"), ("c", "b")).result() == 1
    # a battle standard in reach is no standard in the unit
    assert score({**A, "battle_standard": True}, B) == 0


def test_WH6_CR_05_gone_with_the_last_of_its_unit() -> None:
    # Of two chargers the one with the standard is a man who may fall: 1 for it, or not.
    units = {
        "a": men(1, standard=True),
        "c": men(3),
        "b": foes(4, A=0, champion=True, S=10, rules=["always_strikes_first", "unbreakable"]),
    }
    # a: -40..-20, c: -20..40; the champion strikes at the first
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert fight.combat("combat_result") == {1: 1 - KILL, -1 - 1: KILL}


def test_WH6_CR_06_high_ground() -> None:
    assert score(A, B, {"high_ground": "charger"}) == 1
    assert score(A, B, {"high_ground": "target"}) == -1
    # never against flyers
    flyer = {"rules": ["flyer", "unbreakable"]}
    assert score(A, {**B, **flyer}, {"high_ground": "charger"}) == 0
    assert score({**A, **flyer}, B, {"high_ground": "target"}) == 0
    assert score({**A, **flyer}, B, {"high_ground": "charger"}) == 1
    # once a side
    units = {"a": A, "c": A, "b": block("reactive", 8, 8)}
    hill = {"high_ground": "charger"}
    assert battle(units, ("a", "b", hill), ("c", "b", hill)).result() == 1


def test_WH6_CR_07_flank_1_rear_2_with_unit_strength_5() -> None:
    five, four = block("active", 5), block("active", 4, 4)
    level = block("reactive", 5)
    assert score(five, level, {"arc": "flank"}) == 1
    assert score(five, level, {"arc": "rear"}) == 2
    assert score(four, level, {"arc": "flank"}) == -1  # outnumbered
    assert score(four, level, {"arc": "rear"}) == -1


@pytest.mark.parametrize(("stack", "points"), [(True, 3), (False, 2)])
def test_WH6_CR_07_flank_rear_stack(stack: bool, points: int) -> None:
    units = {"a": block("active", 5), "c": block("active", 5), "b": block("reactive", 10, 10)}
    sides = (("a", "b", {"arc": "flank"}), ("c", "b", {"arc": "rear"}))
    switches = {"flank_rear_stack": stack}
    assert battle(units, *sides, switches=switches).result() == points
    # two flanks are one point either way
    both = (("a", "b", {"arc": "flank"}), ("c", "b", {"arc": "flank"}))
    assert battle(units, *both, switches=switches).result() == 1
    # a flank alone counts by both
    units["c"] = block("active", 4, 4)
    assert battle(units, *sides, switches=switches).result() == 1 - 1


def test_WH6_CR_09_a_musician_breaks_a_tie() -> None:
    music = {"musician": True}
    assert score({**A, **music}, B) == 1
    assert score(A, {**B, **music}) == -1
    assert score({**A, **music}, {**B, **music}) == 0
    assert score({**A, **music, "combat_bonus": 1}, B) == 1
    assert score(A, {**B, **music, "combat_bonus": 2}) == -2


def test_WH6_CR_10_ranks_at_the_start_the_flank_at_the_end() -> None:
    # T-46: five on the flank (US 5) of twenty (3 ranks). One killed by a sure champion's blow
    # before they strike: the ranks stay denied, the point for the flank is lost.
    ranks = block(
        "reactive", 20, A=0, champion=True, S=10, rules=["unbreakable", "always_strikes_first"]
    )
    fight = duel(block("active", 5), ranks, {"arc": "flank"})
    assert fight.combat("combat_result") == {1 - 1: 1 - KILL, -1 - 1: KILL}


def test_WH6_CR_10_ranks_of_the_target_as_the_round_began() -> None:
    # Nine men five wide (one rank); a man slain leaves eight, which would be none.
    fight = duel(block("active", 9, 9, champion=True, S=10), block("reactive", 9), {"distance": 10})
    assert fight.combat("combat_result") == {-1: 1 - KILL, 1 + 1 - 1: KILL}


def test_WH6_CR_10_ranks_are_those_after_the_shooting() -> None:
    # Ten chargers five wide, one shot dead (25/36): still four behind; two of ten: three, no rank.
    bow = {"missile": {"range": 60, "S": 10}, "BS": 6}
    for shooters, ranks in ((1, 1), (2, 0)):
        units = {
            "a": block("active", 10, M=20),
            "b": block("reactive", 10, 10, shooters=shooters, **bow),
        }
        fight: Solved = battle(units, ("a", "b", {"distance": 30}), reaction=SHOOT)
        dead = F(25, 36) ** shooters
        # all shots hit: that many fewer, so outnumbered by one point
        assert fight.combat("combat_result")[ranks - 1] >= dead
        assert fight.combat("combat_result")[1] == F(11, 36) ** shooters


SHOOT = {"b": "stand_and_shoot"}
