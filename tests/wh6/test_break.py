"""What defeat does: break tests, their re-roll, stubbornness, fear, Frenzy lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, dice, duel, men

F = Fraction


def four(side: str, **changes: Any) -> dict[str, Any]:
    """Four men abreast who strike no blow and can be beaten."""
    return men(4, side, **{"rules": [], **changes})


def beaten(
    by: int, loser: dict[str, Any], winner: dict[str, Any] | None = None, **more: Any
) -> Solved:
    """A target loses a fight without blows by some points."""
    return duel(
        four("active", combat_bonus=by, **(winner or {})), four("reactive", **loser), **more
    )


def beaten_charger(by: int, loser: dict[str, Any], **more: Any) -> Solved:
    """A charger loses a fight without blows by some points."""
    return duel(four("active", **loser), four("reactive", combat_bonus=by), **more)


def broke(fight: Solved, who: str = "target") -> Fraction:
    """Chance that a side broke."""
    found: Fraction = fight.fate(f"{who}_broke_caught") + fight.fate(f"{who}_broke_escaped")
    return found


def passes(number: int) -> Fraction:
    """2D6 at most a number."""
    return dice(2, lambda total: total <= number)


@pytest.mark.parametrize("leadership", [5, 7, 8, 10])
@pytest.mark.parametrize("by", [1, 2, 3, 5, 9])
def test_WH6_BRK_01_leadership_less_the_difference(leadership: int, by: int) -> None:
    fight = beaten(by, {"Ld": leadership})
    assert fight.fate("target_held") == passes(leadership - by)
    assert broke(fight) == 1 - passes(leadership - by)
    charger = beaten_charger(by, {"Ld": leadership})
    assert charger.fate("charger_held") == passes(leadership - by)
    assert broke(charger, "charger") == 1 - passes(leadership - by)


def test_WH6_BRK_01_the_elf_archers() -> None:
    # T-40: 4 wounds against 3 and 3 ranks and outnumbering, 7: lost by 3; Ld 8: P(hold) 5/18.
    assert beaten(3, {"Ld": 8}).fate("target_held") == F(5, 18)


def test_WH6_BRK_01_nobody_tests_after_a_draw() -> None:
    fight = duel(four("active", Ld=2), four("reactive", Ld=2))
    assert fight.fates() == {"draw": 1}
    assert fight.state("a") == fight.state("b") == {"fighting": 1}


def test_WH6_BRK_01_each_losing_unit_tests_by_itself() -> None:
    # Two chargers of Ld 7 and 8 lose by 2: both hold 2D6 <= 5 and <= 6.
    units = {
        "a": four("active", Ld=7),
        "c": four("active", Ld=8),
        "b": men(8, "reactive", combat_bonus=2, restrain=True, rules=[], Ld=7),
    }
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert fight.result() == -2
    assert fight.fate("charger_held") == passes(5) * passes(6)
    assert fight.state("a")["fighting"] == passes(5)
    assert fight.state("c")["fighting"] == passes(6)
    # one still holds: nobody is pursued
    assert fight.fate("charger_broke_caught") <= (1 - passes(5)) * (1 - passes(6))
    assert fight.state("b")["fighting"] == 1 - (1 - passes(5)) * (1 - passes(6))


def test_WH6_BRK_02_the_unbreakable_skip_the_test() -> None:
    assert beaten(20, {"rules": ["unbreakable"], "Ld": 2}).fates() == {"target_held": 1}


@pytest.mark.parametrize(("value", "hold"), [(False, F(0)), (True, F(1, 36))])
def test_WH6_BRK_03_insane_courage(value: bool, hold: Fraction) -> None:
    for lost in (6, 15):
        fight = beaten(lost, {"Ld": 7}, switches={"insane_courage": value})
        assert fight.fate("target_held") == hold
    # where a 2 would hold anyway nothing changes
    assert beaten(3, {"Ld": 7}, switches={"insane_courage": value}).fate("target_held") == F(1, 6)


def test_WH6_BRK_04_all_break_tests_before_the_flights() -> None:
    # Both combats are over before anybody flees: the friend near by who panics is one that fights
    # and has won, so that its enemies' flight comes after its own panic.
    units = {
        "a": four("active", combat_bonus=5),
        "b": four("reactive", neighbours=[{"unit": "d", "distance": 10}]),
        "c": four("active", Ld=2),
        "d": four("reactive", combat_bonus=5, Ld=7),
    }
    fight = battle(units, ("a", "b"), ("c", "d"))
    # b breaks 1 - P(2D6 <= 2); d then panics 15/36 and flees though it has won
    both = (1 - passes(2)) * F(15, 36)
    assert fight.state("d")["fleeing"] == both
    assert fight.state("c")["destroyed"] > 0


@pytest.mark.parametrize(
    ("leadership", "hold"),
    [(5, F(155, 324)), (6, F(95, 144)), (7, F(119, 144)), (8, F(299, 324)), (9, F(35, 36))],
)
def test_WH6_LD_04_a_battle_standard_rolls_again(leadership: int, hold: Fraction) -> None:
    # T-44: P(hold) on a modified Ld with one re-roll.
    standard = {"Ld": leadership + 1, "battle_standard": True}
    assert beaten(1, standard).fate("target_held") == hold
    assert beaten_charger(1, standard).fate("charger_held") == hold


def test_WH6_LD_05_once_only() -> None:
    # Ld 3 less 1: 1/36 a roll; two rolls and no third.
    fight = beaten(1, {"Ld": 3, "battle_standard": True})
    assert fight.fate("target_held") == 1 - F(35, 36) ** 2


def test_WH6_LD_06_a_battle_standard_helps_no_other_test() -> None:
    # Fear to charge, panic near a broken friend, and restraint are rolled once.
    standard = {"battle_standard": True, "Ld": 7}
    afraid = duel(four("active", **standard), four("reactive", rules=["fear"]))
    assert afraid.p("refused_fear") == F(15, 36)
    fight = duel(four("active", combat_bonus=9, restrain=True, **standard), four("reactive", Ld=2))
    assert fight.state("a") == {"steady": F(21, 36), "pursuing": F(15, 36)}


def test_WH6_STUB_01_unmodified_leadership() -> None:
    # T-41: Ld 9 breaks only on 10 and more, whatever it lost by: 1/6.
    for by in (1, 5, 15):
        assert broke(beaten(by, {"rules": ["stubborn"], "Ld": 9})) == F(1, 6)


def test_WH6_STUB_01_or_a_generals_less_the_difference() -> None:
    # Own Ld 6 as it is, or a General's 10 less 2: 8; less 5: his 5 is worse.
    stubborn = {"rules": ["stubborn"], "Ld": 6, "general_ld": 10}
    assert beaten(2, stubborn).fate("target_held") == passes(8)
    assert beaten(5, stubborn).fate("target_held") == passes(6)


@pytest.mark.parametrize("rule", ["immune_to_psychology"])
def test_WH6_IMM_02_immunity_cancels_stubbornness_unless_the_switch_says_no(rule: str) -> None:
    both = {"rules": ["stubborn", rule], "Ld": 9}
    assert beaten(4, both).fate("target_held") == passes(5)
    kept = beaten(4, both, switches={"immune_cancels_native": False})
    assert kept.fate("target_held") == passes(9)


def test_WH6_FRENZ_05_lost_at_once_with_the_fight() -> None:
    # T-24: beaten by a fear-causer of more unit strength: Frenzy is gone, so it breaks unrolled.
    # (T 10: the blows that Frenzy gives do nothing.)
    feared = {"rules": ["fear"], "unit_strength": 2, "T": 10}
    fight = beaten(1, {"rules": ["frenzy"], "Ld": 10}, feared)
    assert broke(fight) == 1
    # not by as strong an enemy: 2D6 <= 10 - 1 (outnumbered by none)
    equal = beaten(1, {"rules": ["frenzy"], "Ld": 10}, {"rules": ["fear"], "T": 10})
    assert equal.fate("target_held") == passes(9)


def test_WH6_FRENZ_05_stubborn_works_again_in_that_test() -> None:
    fight = beaten(5, {"rules": ["frenzy", "stubborn"], "Ld": 9}, {"T": 10})
    assert fight.fate("target_held") == passes(9)


@pytest.mark.parametrize(("strength", "breaks"), [(4, F(1, 6)), (5, F(1))])
def test_WH6_FEAR_05_beaten_by_more_fear_than_ones_own_strength(
    strength: int, breaks: Fraction
) -> None:
    # Ld 10 less the difference (1, or 2 where outnumbered): 2D6 <= 9 fails 1/6; but fear breaks
    # it unrolled (Ld 10 passes the Fear test of the charge 33/36, sixes or flight else).
    feared = men(strength, rules=["fear"], combat_bonus=1 if strength == 4 else 0, troop="infantry")
    target = four("reactive", Ld=10, terror_tested=True)
    fight = duel(feared, target)
    met = fight.p("contact")
    assert met == (1 if strength == 4 else F(33, 36))
    assert broke(fight) == met * breaks


def test_WH6_FEAR_05_per_unit_and_at_the_end_of_the_round() -> None:
    # Both chargers cause fear: 3 and 3 are more than 5 together, each alone is not.
    ghouls = men(3, rules=["fear"], combat_bonus=1)
    units = {"a": ghouls, "c": ghouls, "b": men(5, "reactive", rules=[], Ld=10)}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert broke(fight) == 1
    # one that causes none adds nothing
    units["c"] = men(3, rules=[], combat_bonus=1)
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert fight.result() == 3  # two bonuses and outnumbering 6 to 5
    assert broke(fight) == 1 - passes(7)


def test_WH6_FEAR_05_the_charger_breaks_from_a_feared_target() -> None:
    # Four cavalry-sized foes of US 2 each (8) against four men: a charger that dared (33/36).
    fight = duel(four("active", Ld=10), four("reactive", rules=["fear"], unit_strength=2))
    assert broke(fight, "charger") == F(33, 36)


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        (["stubborn"], {}),
        ([], {"general_ld": 10}),
        ([], {"battle_standard": True}),
        ([], {"Ld": 10}),
    ],
)
def test_WH6_FEAR_06_no_test_so_nothing_helps(rules: list[str], more: dict[str, Any]) -> None:
    loser = {"rules": rules, "terror_tested": True, "Ld": 10, **more}
    fight = beaten(1, loser, {"rules": ["fear"], "unit_strength": 2})
    assert broke(fight) == fight.p("contact")


@pytest.mark.parametrize("rule", ["immune_to_psychology", "unbreakable", "fear", "terror"])
def test_WH6_FEAR_06_but_immunity_and_ones_own_fear(rule: str) -> None:
    # 2 points: bonus and outnumbering (US 8 to 4).
    winner = {"rules": ["terror"], "unit_strength": 2, "terror_tested": True}
    fight = beaten(1, {"rules": [rule], "Ld": 10}, winner)
    hold = 1 if rule == "unbreakable" else passes(8)
    met = fight.p("contact")
    assert fight.fate("target_held") == met * hold
    assert met == (F(33, 36) if rule == "fear" else 1)


def test_WH6_UNBR_01_never_broken_not_even_by_fear() -> None:
    winner = {"rules": ["fear"], "unit_strength": 9}
    assert beaten(9, {"rules": ["unbreakable"], "Ld": 2}, winner).fates() == {"target_held": 1}


def test_WH6_LD_02_a_general_helps_a_break_test() -> None:
    assert beaten(2, {"Ld": 5, "general_ld": 9}).fate("target_held") == passes(7)
    assert beaten(2, {"Ld": 9, "general_ld": 5}).fate("target_held") == passes(7)


def test_WH6_ARMY_03_the_cold_blooded_break_on_three_dice() -> None:
    # T-25: Ld 7 drops the highest of three: 29/36.
    assert beaten(2, {"Ld": 9, "rules": ["cold_blooded"]}).fate("target_held") == F(29, 36)
