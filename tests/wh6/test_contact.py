"""Who touches whom, who strikes from behind, and how many blows that makes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, duel, foes, men

F = Fraction
BLOW = F(1, 4)
"""Chance that a blow of equal WS and S 3 against T 3 kills: 4+ and 4+."""
STEED = {"WS": 3, "S": 3, "I": 3, "A": 1}


def charging(fight: Solved) -> Fraction:
    """Blows of the charging side, from its wounds on a target that does not run out."""
    return fight.wounds("active") / BLOW


def charged(fight: Solved) -> Fraction:
    """Blows of the target."""
    return fight.wounds("reactive") / BLOW


def on_front(chargers: int, targets: int) -> tuple[Fraction, Fraction]:
    """Blows of either side when ranks of 20 mm bases meet front to front, each struck alone."""
    forth = duel(men(chargers, A=1), foes(targets, W=3))
    back = duel(men(chargers, W=3), foes(targets, A=1))
    return charging(forth), charged(back)


@pytest.mark.parametrize(
    ("chargers", "targets", "forth", "back"),
    [
        (1, 1, 1, 1),
        (2, 2, 2, 2),
        (1, 2, 1, 2),  # 10 mm to either side of the middle: both
        (1, 3, 1, 3),  # corner to corner with the outer two
        (1, 4, 1, 2),  # the outer two begin at 20
        (2, 5, 2, 3),  # -20..20; the middle one and those from 10; 30 is past 20
        (5, 10, 5, 6),  # -50..50: from -60 to 60
        (5, 11, 5, 7),  # the outermost touch at 50 with a corner
        (6, 1, 2, 1),  # -10..10: the two that meet in the middle
        (7, 1, 3, 1),  # the middle one and two corners
    ],
)
def test_WH6_CC_05_every_model_that_touches_fights(
    chargers: int, targets: int, forth: int, back: int
) -> None:
    assert on_front(chargers, targets) == (forth, back)


def test_WH6_CC_05_wider_bases_reach_further() -> None:
    # Five cavalry, 125 mm: up to 62.5: bases of 20 mm from -80 (to -60) to 60 of a rank of ten.
    cavalry = men(5, troop="cavalry", W=3)
    assert charged(duel(cavalry, foes(10, A=1))) == 8
    assert charging(duel({**cavalry, "A": 1}, foes(2, W=9))) == 3  # -20..20: up to 37.5, then not


def test_WH6_CC_05_only_the_front_rank_touches() -> None:
    # Ten men five wide against ten: five and seven of the wider fight to the front.
    assert charging(duel(men(10, width=5, A=1), foes(5, W=4))) == 5
    assert charged(duel(men(5, W=4), foes(10, width=5, A=1))) == 5


def test_WH6_CC_05_chargers_stand_side_by_side_in_order_of_declaration() -> None:
    # Two fives of 20 mm fill a front of ten: all ten fight. The first covers -100..0 and is struck
    # by the six that touch it, the base from 0 on with a corner; the second by the other four.
    units = {"a": men(5, W=3), "c": men(5, W=3), "b": foes(10, A=1)}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert charged(fight) == 10
    assert lost(fight, "a", 15) / BLOW == 6
    assert lost(fight, "c", 15) / BLOW == 4
    back = battle(units, ("c", "b"), ("a", "b"))
    assert lost(back, "c", 15) / BLOW == 6
    active = {"a": men(5, A=1), "c": men(5, A=1), "b": foes(10, W=2)}
    assert charging(battle(active, ("a", "b"), ("c", "b"))) == 10


def lost(fight: Solved, unit: str, began: int) -> Fraction:
    """Mean wounds that a unit of several wounds a model lost."""
    left = fight.unit_dist(unit, "wounds_left")
    return began - sum((n * p for n, p in left.items()), F(0))


def test_WH6_CC_05_the_line_is_centred_on_the_front() -> None:
    # Three and three against five: -60..0..60, the front -50..50. Of the first the outer man
    # stands at -60..-40: he touches too. Against one man (-10..10) only the inner two do.
    units = {"a": men(3, A=1), "c": men(3, A=1), "b": foes(5, W=3)}
    assert charging(battle(units, ("a", "b"), ("c", "b"))) == 6
    units["b"] = foes(1, W=9)
    assert charging(battle(units, ("a", "b"), ("c", "b"))) == 2


def test_WH6_CC_05_on_a_flank_a_model_a_rank() -> None:
    # Twenty men five wide: four ranks, 80 mm. Struck in the flank they have four blows.
    ranks = foes(20, width=5, A=1)
    assert charged(duel(men(5, W=3), ranks, {"arc": "flank"})) == 4
    assert charged(duel(men(5, W=3), ranks, {"arc": "rear"})) == 5
    # three incomplete ranks count as they stand
    assert charged(duel(men(5, W=3), {**ranks, "models": 11}, {"arc": "flank"})) == 3
    # the chargers meet 80 mm: six men of 20 mm, -60..60, touch up to 40: all
    assert charging(duel(men(6, A=1), foes(20, width=5), {"arc": "flank"})) == 6
    assert charging(duel(men(8, A=1), foes(20, width=5), {"arc": "flank"})) == 6


def test_WH6_CC_05_two_flanks_are_taken_in_turn() -> None:
    # One on each flank: four ranks strike at both. The third stands beside the first on its flank.
    ranks = foes(20, width=5, A=1)
    units = {name: men(4, W=3) for name in "ace"} | {"b": ranks}
    flank = {"arc": "flank"}
    two = battle(units, ("a", "b", flank), ("c", "b", flank))
    assert [lost(two, name, 12) / BLOW for name in "ac"] == [4, 4]
    three = battle(units, ("a", "b", flank), ("c", "b", flank), ("e", "b", flank))
    # a: -80..0, e: 0..80; ranks at -40..40: three touch a (one by the corner at 0), one is left
    assert [lost(three, name, 12) / BLOW for name in "ace"] == [3, 4, 1]


def test_WH6_CC_05_fighters_on_all_sides_are_no_more_than_the_models() -> None:
    # Three men in a rank: three to the front, one on the flank; four fighters, three models, and
    # the first in order of declaration has its fill.
    units = {"a": men(3, W=3), "c": men(1, W=9), "b": foes(3, A=1)}
    fight = battle(units, ("a", "b"), ("c", "b", {"arc": "flank"}))
    assert charged(fight) == 3
    assert lost(fight, "c", 9) == 0
    turned = battle(units, ("c", "b", {"arc": "flank"}), ("a", "b"))
    assert lost(turned, "c", 9) / BLOW == 1
    assert lost(turned, "a", 9) / BLOW == 2


def test_WH6_CC_05_who_fought_already_stands_first_in_the_line() -> None:
    # The old opponent, five wide, has the left half of a front of ten; charged later, yet first.
    units = {"a": men(5, W=3), "b": foes(10, A=1, engaged="c"), "c": men(5, W=3)}
    fight = battle(units, ("a", "b"))
    assert [lost(fight, name, 15) / BLOW for name in "ca"] == [6, 4]


# weapons that strike from behind


@pytest.mark.parametrize(
    ("weapon", "rules", "models", "standing", "moving"),
    [
        ("hand_weapon", [], 20, 5, 5),
        ("spear", [], 20, 10, 5),
        ("pike", [], 20, 20, 15),
        ("spear", ["elf_spears"], 20, 15, 10),
        ("hand_weapon", ["elf_spears"], 20, 5, 5),
        ("spear", [], 8, 8, 5),
        ("spear", ["elf_spears"], 12, 12, 10),
        ("pike", [], 17, 17, 15),
        ("pike", [], 25, 20, 15),
    ],
)
def test_WH6_CC_05_ranks_in_support(
    weapon: str, rules: list[str], models: int, standing: int, moving: int
) -> None:
    armed = {"weapon": weapon, "width": 5, "A": 1, "rules": ["unbreakable", *rules]}
    assert charged(duel(men(5, W=8), foes(models, **armed))) == standing
    assert charging(duel(men(models, **armed), foes(5, W=8))) == moving


def test_WH6_WPN_spear_two_ranks_unless_it_charged() -> None:
    armed = {"weapon": "spear", "width": 5, "A": 1}
    assert charged(duel(men(5, W=8), foes(20, **armed))) == 10
    assert charging(duel(men(20, **armed), foes(5, W=8))) == 5
    # an old opponent did not charge; a third unit on the flank lets the fight go on
    units = {"a": men(), "b": foes(5, W=8, engaged="c"), "c": men(20, **armed)}
    assert charging(battle(units, ("a", "b", {"arc": "flank"}))) == 10


def test_WH6_WPN_pike_four_ranks_three_when_it_charged() -> None:
    armed = {"weapon": "pike", "width": 5, "A": 1}
    assert charged(duel(men(5, W=8), foes(20, **armed))) == 20
    assert charging(duel(men(20, **armed), foes(5, W=8))) == 15


def test_WH6_ARMY_08_elf_spears_in_three_ranks() -> None:
    armed = {"weapon": "spear", "width": 5, "A": 1, "rules": ["elf_spears", "unbreakable"]}
    assert charged(duel(men(5, W=8), foes(20, **armed))) == 15
    assert charging(duel(men(20, **armed), foes(5, W=8))) == 10


def test_WH6_CC_05_no_support_on_flank_and_rear_nor_mounted() -> None:
    spears = foes(20, width=5, A=1, weapon="spear")
    assert charged(duel(men(5, W=8), spears, {"arc": "flank"})) == 4
    assert charged(duel(men(5, W=8), spears, {"arc": "rear"})) == 5
    riders = {**spears, "troop": "cavalry", "base": 20}
    assert charged(duel(men(5, W=8), riders)) == 5


def test_WH6_CC_05_support_is_no_wider_than_the_fight() -> None:
    # One man (-10..10) touches three of five: three and three behind them.
    assert charged(duel(men(1, W=10), foes(20, width=5, A=1, weapon="spear"))) == 6


def test_WH6_CC_05_support_follows_the_front_rank() -> None:
    # Eight spears five wide; threes on -60..0 and 0..60 are touched by three and by two. The three
    # behind support in that order: three and none.
    units = {"a": men(3, W=5), "c": men(3, W=5), "b": foes(8, width=5, A=1, weapon="spear")}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert [lost(fight, name, 15) / BLOW for name in "ac"] == [6, 2]


def test_WH6_CC_05_who_supports_one_neighbour_does_not_support_the_next() -> None:
    # Seven spears five wide: two face the first man, one the second; of the two behind both
    # support the first.
    units = {"a": men(1, W=9), "c": men(1, W=9), "b": foes(7, width=5, A=1, weapon="spear")}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert [lost(fight, name, 9) / BLOW for name in "ac"] == [4, 1]


# the fallen


def test_WH6_CC_06_the_fallen_do_not_strike_nor_does_anybody_step_up() -> None:
    # Two chargers, 40 mm, touch three of ten (five wide) and kill k of them: 3 - k strike back.
    fight = duel(men(2, A=1, W=9), foes(10, width=5, A=1))
    assert charged(fight) == 3 - 2 * BLOW


def test_WH6_CC_06_one_subtraction_for_the_whole_unit() -> None:
    # Ten spears, five of them behind: fighters 10 less the dead, not less than none.
    fight = duel(men(5, A=2, S=10, WS=10, W=9), foes(10, width=5, A=1, weapon="spear"))
    kill = F(4, 6) * F(5, 6)
    assert fight.wounds("active") == 10 * kill
    assert charged(fight) / (10 - 10 * kill) == F(2, 3)  # WS 3 on WS 10: 5+, a third for a half


def test_WH6_CC_06_the_dead_are_taken_from_all_fighters_of_the_charger() -> None:
    # The target strikes first; three of five chargers may fall.
    swift = foes(3, A=1, rules=["always_strikes_first", "unbreakable"], W=9)
    fight = duel(men(5, A=1), swift)
    assert charging(fight) == 5 - 3 * BLOW


# the lance of Bretonnia


@pytest.mark.parametrize(
    ("knights", "fighting"),
    [(3, 3), (5, 3), (6, 5), (8, 5), (9, 7), (12, 9), (15, 11)],
)
def test_WH6_ARMY_04_knights_of_a_lance(knights: int, fighting: int) -> None:
    # T-54: 3 + 2 (k - 1) for k complete ranks.
    lance = men(knights, troop="cavalry", A=1, rules=["bretonnian_lance", "unbreakable"])
    assert charging(duel(lance, foes(5, W=9))) == fighting


def test_WH6_ARMY_04_its_steeds_fight_in_front_alone() -> None:
    rules = ["bretonnian_lance", "unbreakable"]
    lance = men(9, troop="cavalry", mount=STEED, rules=rules)
    assert charging(duel(lance, foes(5, W=9))) == 3


def test_WH6_ARMY_04_only_columns_behind_an_engaged_knight_fight() -> None:
    # One man (-10..10) touches the middle knight alone, and nobody fights from behind a knight of
    # neither flank; two men (-20..20) touch all three and both flank columns.
    lance = men(9, troop="cavalry", A=1, rules=["bretonnian_lance", "unbreakable"])
    assert charging(duel(lance, foes(1, W=10))) == 1
    assert charging(duel(lance, foes(2, W=10))) == 7
    # beside four men, 155 mm in all, either end of the lance reaches those two: one knight in front
    # and the two behind him
    units = {"a": lance, "c": men(4), "b": foes(2, W=10)}
    assert charging(battle(units, ("a", "b"), ("c", "b"))) == 3
    assert charging(battle(units, ("c", "b"), ("a", "b"))) == 3


def test_WH6_ARMY_04_the_enemy_strikes_at_a_front_of_three() -> None:
    # 75 mm: up to 37.5: of ten men in a rank the four from -40 to 40.
    lance = men(9, troop="cavalry", W=5, rules=["bretonnian_lance", "unbreakable"])
    assert charged(duel(lance, foes(10, A=1))) == 4
    # without the rule nine in a rank are met by all ten
    assert charged(duel(men(9, troop="cavalry", W=5), foes(10, A=1))) == 10


# attacks of a model


def test_WH6_FRENZ_03_one_more_attack_each() -> None:
    frenzy = ["frenzy"]
    # T-42: a savage orc with two hand weapons 3; five wide in spears that did not charge 20.
    orc = men(1, A=1, weapon="two_hand_weapons", rules=frenzy)
    assert charging(duel(orc, foes(9))) == 3
    spears = foes(20, width=5, A=1, weapon="spear", rules=frenzy)
    assert charged(duel(men(5, W=9), spears)) == 20


def test_WH6_FRENZ_03_supporting_ranks_too() -> None:
    # T-58: elf spears in three ranks 30, pikes in four ranks 40; A 1, five wide, not charging.
    elves = foes(20, width=5, A=1, weapon="spear", rules=["frenzy", "elf_spears"])
    assert charged(duel(men(5, W=10), elves)) == 30
    pikes = foes(20, width=5, A=1, weapon="pike", rules=["frenzy"])
    assert charged(duel(men(5, W=10), pikes)) == 40


def test_WH6_FRENZ_03_the_rider_gains_it_the_steed_does_not() -> None:
    rider = men(1, troop="cavalry", mount=STEED, rules=["frenzy"])
    assert charging(duel(rider, foes(9))) == 2  # A 0 and one more, and the steed's one


def test_WH6_CC_07_a_champion_strikes_once_more() -> None:
    assert charging(duel(men(5, A=1, champion=True), foes(5, W=9))) == 6
    assert charged(duel(men(5, W=9), foes(5, A=1, champion=True))) == 6
    # against the first enemy alone
    units = {"a": men(5, W=3), "c": men(5, W=3), "b": foes(10, A=1, champion=True)}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert [lost(fight, name, 15) / BLOW for name in "ac"] == [7, 4]


def test_WH6_CC_07_a_champion_strikes_at_the_next_when_the_first_is_gone() -> None:
    # Of three in a rank two face the first man, one the second. Their steeds (I 10, 4 attacks)
    # strike first: if the first man falls, the champion's blow goes to the second.
    steeds = {"WS": 10, "S": 10, "I": 10, "A": 4}
    riders = foes(3, troop="cavalry", base=20, A=1, I=1, champion=True, mount=steeds)
    units: dict[str, Any] = {"a": men(1), "c": men(1, W=10), "b": riders}
    fight = battle(units, ("a", "b"), ("c", "b"))
    kill = F(4, 6) * F(5, 6)
    dead = 1 - (1 - kill) ** 8
    assert lost(fight, "c", 10) == 4 * kill + (1 + dead) * BLOW


def test_WH6_CC_07_wounds_carry_over_among_the_rank_and_file() -> None:
    # Four kills among two: no more than there are.
    fight = duel(men(4, A=1, S=10, WS=10), foes(2))
    kill = F(4, 6) * F(5, 6)
    assert fight.combat("active_wounds")[2] == 1 - (1 - kill) ** 4 - 4 * kill * (1 - kill) ** 3
