"""Rules of the combat after the charge, of break tests and of rallying."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from ranked_regiment.build import Hands, battle, chances, unit

from chargesim.engine.exact import solve, solve_fractions
from chargesim.rulesets.ranked_regiment import rules_combat as c
from chargesim.rulesets.ranked_regiment.state import Face
from chargesim.scenario import Scenario

F, L, R, B = (int(face) for face in Face)
TWO_DICE = (1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36)


def fight(a: dict[str, Any], t: dict[str, Any], face: str = "front", **others: Any) -> Scenario:
    """A charges T on a side."""
    x, y, look = {"front": (0, 20, 180), "right": (20, 0, 270), "rear": (0, -20, 0)}[face]
    common = {"models": 10, "width": 5}
    return battle(
        {
            "a": unit("active", x, y, look, 5, 2, 30, **{**common, **a}),
            "t": unit("reactive", 0, 0, 0, 5, 4, 8, **{**common, **t}),
        },
        charges=[("a", "t")],
        **others,
    )


def contact(scenario: Scenario) -> Hands:
    """The two in contact, blows still to come."""
    hands = Hands.__new__(Hands)
    from chargesim.kernels.dice import Mode, new_dice

    hands.scenario = scenario
    hands.array = scenario.whole.game()
    hands.game, hands.names = hands.array[0], list(scenario.unit_names)
    hands.dice = new_dice(Mode.ENUMERATE)[0]
    hands.charge("a", "t")
    hands.resolve()
    return hands


def mean(scenario: Scenario, name: str) -> float:
    """Mean of a number of the combat of T."""
    tally = solve(scenario.whole)
    values = tally.reading.combats["t"].quantities[name].values
    return float(tally.probabilities @ values)


def test_RNK_CMB_01_blows_are_simultaneous() -> None:
    deadly = {"models": 1, "width": 1, "attacks": 20, "skill": 9, "power": 20, "defense": 0}
    scenario = fight(deadly, deadly)
    # 20 dice, 3+ would need the higher Skill: 4+ on both sides, save 6+
    assert mean(scenario, "active_wounds") == pytest.approx(mean(scenario, "reactive_wounds"))


def test_RNK_CMB_01_a_fight_with_a_unit_outside_is_not_played() -> None:
    units = {
        "a": unit("active", 20, 0, 270, 5, 2, 30),
        "t": unit("reactive", 0, 0, 0, 5, 4, 8, engaged=True),
    }
    tally = solve(battle(units, charges=[("a", "t")]).whole)
    assert chances(tally, tally.reading.charges[0]) == {"contact": 1}
    assert chances(tally, tally.reading.combats["t"]) == {"no_combat": 1}


@pytest.mark.parametrize(
    ("face", "attacks", "dice"),
    [("front", 1, 10), ("right", 1, 4), ("rear", 1, 0), ("front", 2, 15), ("front", 0, 0)],
)
def test_RNK_CMB_02_dice_of_a_side(face: str, attacks: int, dice: int) -> None:
    """20 models 5 wide."""
    scenario = fight({"attacks": 0}, {"models": 20, "attacks": attacks}, face)
    # chance of a wound: 4+ and a save of 4+
    assert mean(scenario, "reactive_wounds") == pytest.approx(dice / 4)


def test_RNK_CMB_02_spears_strike_from_the_third_rank_unless_they_charge() -> None:
    rules = ("spear_and_shield",)
    hands = contact(fight({"models": 20, "rules": rules}, {"models": 20, "rules": rules}))
    assert c.front_dice(hands["t"], 20) == 15
    assert c.front_dice(hands["a"], 20) == 10
    assert c.front_dice(hands["t"], 7) == 7


def test_RNK_CMB_02_each_model_strikes_once_the_front_first() -> None:
    units = {
        "a": unit("active", 0, 20, 180, 5, 2, 30),
        "b": unit("active", 20, 0, 270, 4, 2, 30),
        "t": unit("reactive", 0, 0, 0, 5, 4, 8, models=20, width=5),
    }
    hands = Hands(units)
    hands.charge("a", "t")
    hands.charge("b", "t")
    hands.resolve()
    assert c.front_dice(hands["t"], 20) == 10
    assert c.flank_dice(hands["t"], 20) == 2


def test_RNK_CMB_03_to_hit() -> None:
    assert [int(c.to_hit(skill, 4)) for skill in (3, 4, 5)] == [4, 4, 3]


def test_RNK_CMB_04_to_save() -> None:
    less = {4: 6, 3: 6, 2: 5, 1: 5, 0: 4, -1: 3, -2: 3, -3: 2, -4: 2}
    assert {k: int(c.to_save(5 + k, 5)) for k in less} == less


def test_RNK_CMB_04_ten_dice_4_to_hit_and_a_save_of_3() -> None:
    scenario = fight({"power": 3, "defense": 9}, {"defense": 4, "attacks": 0, "models": 20})
    tally = solve_fractions(scenario.whole)
    wounds = tally.reading.combats["t"].quantities["active_wounds"].values
    pmf: dict[int, Fraction] = {}
    for value, p in zip(wounds, tally.fractions, strict=True):
        pmf[int(value)] = pmf.get(int(value), Fraction(0)) + p
    assert pmf[0] == Fraction(5, 6) ** 10
    assert sum(k * p for k, p in pmf.items()) == Fraction(5, 3)
    assert float(sum(p for k, p in pmf.items() if k >= 3)) == pytest.approx(0.22477, abs=5e-6)


def test_RNK_CMB_04_wounds_are_pooled() -> None:
    scenario = fight({"power": 3}, {"wounds": 3, "attacks": 0})
    tally = solve(scenario.whole)
    view = tally.reading.units["t"]
    wounds = tally.reading.combats["t"].quantities["active_wounds"].values
    assert (view.quantities["wounds_left"].values == 30 - wounds).all()
    assert (view.quantities["models_left"].values == -(-(30 - wounds) // 3)).all()


def test_RNK_CMB_05_the_charge_bonus() -> None:
    plain = mean(fight({}, {"attacks": 0}), "active_wounds")
    bonus = {"charge_bonus": {"attacks": 1, "skill": 1, "power": 1}}
    assert plain == pytest.approx(10 / 4)
    charging = mean(fight(bonus, {"attacks": 0}), "active_wounds")
    assert charging == pytest.approx(15 * 4 / 9)
    assert mean(fight({"attacks": 0}, bonus), "reactive_wounds") == pytest.approx(10 / 4)


def scores(scenario: Scenario) -> set[int]:
    """Results of a combat without blows."""
    tally = solve(scenario.whole)
    return {int(x) for x in tally.reading.combats["t"].quantities["combat_result"].values}


QUIET = {"attacks": 0}


@pytest.mark.parametrize(("face", "score"), [("front", 1 - 2), ("right", 1 + 1), ("rear", 1 + 1)])
def test_RNK_CMB_06_score(face: str, score: int) -> None:
    assert scores(fight(QUIET, {**QUIET, "models": 20}, face)) == {score}
    with_banner = fight({**QUIET, "banners": 3}, {**QUIET, "models": 20}, face)
    assert scores(with_banner) == {score + 3}


def test_RNK_SIDE_02_no_rank_bonus_with_an_enemy_on_flank_or_rear() -> None:
    assert scores(fight({**QUIET, "models": 5}, {**QUIET, "models": 20}, "right")) == {1}


def test_RNK_SIDE_03_one_for_a_flank_one_for_the_rear() -> None:
    lone = {**QUIET, "models": 5}
    assert [scores(fight(lone, lone, f)) for f in ("front", "right", "rear")] == [{0}, {1}, {1}]


@pytest.mark.parametrize(("rule", "dice"), [("toward_rear", 10), ("whole_unit", 0)])
def test_RNK_SIDE_04_nobody_strikes_behind_it(rule: str, dice: int) -> None:
    units = {
        "a": unit("active", 0, 20, 180, 5, 2, 30, attacks=0, models=10),
        "b": unit("active", 0, -20, 0, 5, 2, 30, attacks=0, models=10),
        "t": unit("reactive", 0, 0, 0, 5, 4, 8, models=20, width=5),
    }
    scenario = battle(units, charges=[("a", "t"), ("b", "t")], switches={"rear_silence": rule})
    assert mean(scenario, "reactive_wounds") == pytest.approx(dice / 4)


def test_RNK_CMB_07_disrupted() -> None:
    hands = contact(fight({}, {}, "front"))
    assert not c.is_disrupted(hands["t"])
    for face in ("right", "rear"):
        hands = contact(fight({}, {}, face))
        assert c.is_disrupted(hands["t"])
        assert not c.is_disrupted(hands["a"])


def test_RNK_CMB_08_ranks() -> None:
    hands = contact(fight({}, {}))
    expected = {0: 0, 2: 0, 3: 1, 5: 1, 7: 1, 8: 2, 10: 2, 12: 2, 13: 3, 20: 4}
    assert {n: int(c.ranks_of(hands["t"], n)) for n in expected} == expected


def test_RNK_CMB_08_ranks_before_or_after_the_casualties() -> None:
    # every blow kills: five lost of ten
    hands = contact(fight({}, {}))
    hands["t"]["models"] = 5
    assert int(c.counted_ranks(hands.game, hands["t"])) == 1
    hands.game["head"]["before"] = 1
    assert int(c.counted_ranks(hands.game, hands["t"])) == 2


@pytest.mark.parametrize("discipline", [3, 5, 7])
def test_RNK_CMB_09_two_dice_at_most_discipline_and_ranks_less_the_difference(
    discipline: int,
) -> None:
    target = {**QUIET, "models": 10, "discipline": discipline}
    scenario = fight({**QUIET, "banners": 3}, target)
    tally = solve_fractions(scenario.whole)
    view = tally.reading.combats["t"]
    told = [view.words[int(code)] for code in view.codes]
    held = sum(p for p, word in zip(tally.fractions, told, strict=True) if word == "target_held")
    needed = discipline + 2 - 3
    assert held == Fraction(TWO_DICE[needed - 2], 36)


def outcome(target: dict[str, Any], **others: Any) -> dict[str, float]:
    """What becomes of T, who loses by 3 without a blow."""
    tally = solve(fight({**QUIET, "banners": 3}, {**QUIET, **target}, **others).whole)
    return chances(tally, tally.reading.units["t"])


def test_RNK_CMB_09_the_fearless_and_commanders() -> None:
    plain = outcome({"discipline": 5})["fighting"]
    assert plain == pytest.approx(3 / 36 * 2)  # on 4
    assert outcome({"discipline": 5, "rules": ["fearless"]})["fighting"] == pytest.approx(21 / 36)
    led = {"discipline": 5, "commander": {"discipline": 8}}
    assert outcome(led)["fighting"] == pytest.approx(21 / 36)


@pytest.mark.parametrize("rule", ["reanimated", "demonic", "construct"])
def test_RNK_CMB_09_some_crumble_instead(rule: str) -> None:
    tally = solve(fight({**QUIET, "banners": 3}, {**QUIET, "rules": [rule]}).whole)
    view = tally.reading.units["t"]
    assert chances(tally, view) == {"fighting": pytest.approx(1)}
    left = view.quantities["models_left"].values
    assert sorted({int(x) for x in left}) == [7, 8, 9]


def test_RNK_CMB_09_nobody_tests_in_a_tie() -> None:
    tally = solve(fight(QUIET, QUIET).whole)
    assert chances(tally, tally.reading.combats["t"]) == {"draw": 1}


def test_RNK_CMB_10_where_a_broken_unit_ends() -> None:
    coward = {"discipline": 0, "models": 5}
    assert outcome(coward) == {"broken": 1}
    units = {
        "a": unit("active", 0, 20, 180, 5, 2, 30, attacks=0, models=10),
        "b": unit("active", 0, -20, 0, 5, 2, 30, attacks=0, models=10),
        "t": unit("reactive", 0, 0, 0, 5, 4, 8, attacks=0, discipline=0, models=2),
    }
    tally = solve(battle(units, charges=[("a", "t"), ("b", "t")]).whole)
    assert chances(tally, tally.reading.units["t"]) == {"destroyed": 1}


def test_RNK_CMB_10_slow_units_and_the_table_edge() -> None:
    for move, width, word in ((0.5, 40, "destroyed"), (8, 40, "off_table"), (8, 400, "broken")):
        units = {
            "a": unit("active", 20, 25, 180, 5, 2, 30, attacks=0, models=10),
            "t": unit("reactive", 20, 5, 0, 5, 4, move, attacks=0, discipline=0, models=2),
        }
        if width == 400:
            units["a"]["at"], units["t"]["at"] = (20, 45), (20, 25)
        scenario = battle(units, charges=[("a", "t")], table={"width": width, "height": 400})
        tally = solve(scenario.whole)
        assert chances(tally, tally.reading.units["t"]) == {word: 1}


def test_RNK_CMB_11_rallying() -> None:
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 16),
        "r": unit("reactive", 0, 12, 0, 4, 4, 9.0, models=10, width=5, discipline=6),
    }
    scenario = battle(units, charges=[("a", "r")], reaction={"r": "flee"}, rally=True)
    tally = solve(scenario.whole)
    found = chances(tally, tally.reading.units["r"])
    assert found == pytest.approx({"rallied": 26 / 36, "fled": 10 / 36})  # on 8


def test_RNK_CMB_11_who_does_not_rally_runs_to_the_edge() -> None:
    units = {
        "a": unit("active", 20, 10, 0, 4, 2, 16),
        "r": unit("reactive", 20, 22, 0, 4, 4, 9.0, discipline=2),
    }
    table = {"width": 40, "height": 34}
    scenario = battle(units, charges=[("a", "r")], reaction={"r": "flee"}, rally=True, table=table)
    tally = solve(scenario.whole)
    found = chances(tally, tally.reading.units["r"])
    assert found == pytest.approx({"rallied": 1 / 36, "off_table": 35 / 36})


def test_RNK_CMB_12_commanders_duel() -> None:
    hero = {"discipline": 8, "attacks": 4, "skill": 5, "power": 5, "defense": 5, "wounds": 2}
    duel = fight({**QUIET, "commander": hero}, {**QUIET, "commander": {**hero, "skill": 4}})
    # 4 dice, 3+ and 4+ to hit, save 4+
    assert mean(duel, "active_wounds") == pytest.approx(4 * 4 / 6 / 2)
    assert mean(duel, "reactive_wounds") == pytest.approx(4 * 3 / 6 / 2)
    tally = solve(duel.whole)
    assert (tally.reading.units["t"].quantities["models_left"].values == 10).all()
    alone = fight({**QUIET, "commander": hero}, QUIET)
    tally = solve(alone.whole)
    assert (tally.reading.units["t"].quantities["models_left"].values < 10).any()
