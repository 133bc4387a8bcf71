"""In which order blows are struck, and with what chance they hit, wound and slay."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, duel, foes, men

F = Fraction
KILL = F(1, 2) * F(5, 6)
"""A blow of equal WS and S 10 against T 3: 4+ and 2+."""
STEED = {"WS": 3, "S": 10, "I": 3, "A": 1}
Changes = dict[str, Any]


def killer(side: str, changes: Changes) -> Changes:
    """One man of S 10 who strikes once; a list of rules makes him no coward for it."""
    rules = ["unbreakable", *changes.get("rules", ())]
    return men(1, side, **{"A": 1, "S": 10, **changes, "rules": rules})


def first(a: Changes, b: Changes, **others: Any) -> str:
    """Who strikes first: the other only strikes when it is still there, and else both the same."""
    fight = duel(killer("active", a), killer("reactive", b), **others)
    forth, back = fight.wounds("active"), fight.wounds("reactive")
    if (forth, back) == (KILL, (1 - KILL) * KILL):
        return "a"
    if (forth, back) == ((1 - KILL) * KILL, KILL):
        return "b"
    assert forth == back == (KILL + (1 - KILL) * KILL) / 2
    return "roll-off"


def rules(*names: str, **more: Any) -> Changes:
    """Changes with rules."""
    return {"rules": list(names), **more}


@pytest.mark.parametrize(
    ("a", "b", "who"),
    [
        ({}, {}, "a"),  # chargers before the rest, whatever the Initiative
        ({"I": 1}, {"I": 10}, "a"),
        ({"weapon": "great_weapon"}, {"I": 10}, "a"),  # with the chargers that round
        ({}, rules("always_strikes_first"), "b"),
        (rules("always_strikes_first"), rules("always_strikes_first"), "roll-off"),
        (rules("always_strikes_first", I=4), rules("always_strikes_first", I=3), "a"),
        (rules("always_strikes_first", I=3), rules("always_strikes_first", I=4), "b"),
        (rules("strikes_last"), {}, "b"),
        (rules("strikes_last", I=5), {"weapon": "great_weapon", "I": 4}, "a"),
        (rules("strikes_last", I=4), {"weapon": "great_weapon", "I": 5}, "b"),
        (rules("strikes_last"), {"weapon": "great_weapon"}, "roll-off"),
        (rules("always_strikes_first", weapon="great_weapon"), {"I": 9}, "a"),
        ({}, rules("always_strikes_first", weapon="great_weapon"), "b"),
        (rules("zombie"), rules("strikes_last", I=1), "b"),
        (rules("zombie"), rules("zombie"), "roll-off"),
        (rules("zombie", "always_strikes_first"), {}, "b"),
    ],
)
def test_WH6_CC_03_who_strikes_first(a: Changes, b: Changes, who: str) -> None:
    assert first(a, b) == who


def test_WH6_ARMY_09_zombies_strike_after_everything() -> None:
    assert first(rules("zombie"), {"weapon": "great_weapon", "I": 1}) == "b"
    assert first({}, rules("zombie", I=10)) == "a"


TWO = 1 - (1 - KILL) ** 2
"""One man falls to two blows."""


def old_fight(b: Changes, c: Changes) -> Solved:
    """A fight of an earlier turn: two men of ``c`` touch one man of ``b``.

    The unit that charges makes it a fight of this turn; it touches a corner of the man, who
    strikes at those he fought before.
    """
    units = {
        "a": men(1),
        "b": foes(1, **{"S": 10, "base": 20, **b, "engaged": "c"}),
        "c": men(2, **{"A": 1, "S": 10, **c}),
    }
    return battle(units, ("a", "b"))


def earlier(c: Changes, b: Changes) -> str:
    """Who strikes first in an old fight, from the wounds of both sides."""
    fight = old_fight({"A": 1, **b}, c)
    found = (fight.wounds("active"), fight.wounds("reactive"))
    cases = {"c": (TWO, (1 - TWO) * KILL), "b": (KILL * KILL + (1 - KILL) * TWO, KILL)}
    cases["roll-off"] = tuple(sum(pair) / 2 for pair in zip(*cases.values(), strict=True))
    (who,) = [name for name, wounds in cases.items() if wounds == found]
    return who


@pytest.mark.parametrize(
    ("c", "b", "who"),
    [
        ({"I": 4}, {"I": 3}, "c"),
        ({"I": 3}, {"I": 4}, "b"),
        ({"I": 3}, {"I": 3}, "roll-off"),
        ({"I": 9, "weapon": "great_weapon"}, {"I": 1}, "b"),
        ({"I": 1}, {"I": 9, "weapon": "great_weapon"}, "c"),
        ({"I": 5, "weapon": "great_weapon"}, {"I": 4, "weapon": "great_weapon"}, "c"),
    ],
)
def test_WH6_CC_03_the_rest_by_initiative(c: Changes, b: Changes, who: str) -> None:
    assert earlier(c, b) == who


@pytest.mark.parametrize(
    ("steed", "c", "rider"),
    [
        ({"I": 5}, {"I": 4}, {"I": 3}),
        ({"I": 3}, {"I": 2}, {"I": 9, "weapon": "great_weapon"}),  # delays its bearer alone
    ],
)
def test_WH6_CC_03_steeds_strike_by_their_own_initiative(
    steed: Changes, c: Changes, rider: Changes
) -> None:
    # Steed, opponents (two, or one when it has slain one), rider if he lives.
    changes = {"troop": "cavalry", "A": 1, "mount": {**STEED, **steed}, **rider}
    fight = old_fight(changes, c)
    forth = KILL * KILL + (1 - KILL) * TWO
    assert fight.wounds("active") == forth
    assert fight.wounds("reactive") == KILL + (1 - forth) * KILL


def test_WH6_CC_03_a_roll_off_is_won_with_all_blows_of_the_level() -> None:
    # Riders and steeds of the same Initiative as their opponents: one roll-off for both blows.
    fight = old_fight({"troop": "cavalry", "A": 1, "mount": STEED}, {})
    second = 2 * KILL * (1 - KILL) * KILL + (1 - KILL) ** 2 * TWO
    assert fight.wounds("active") == (TWO + second) / 2
    assert fight.wounds("reactive") == ((1 - TWO) * 2 * KILL + 2 * KILL) / 2


def test_WH6_CC_03_all_chargers_strike_before_the_target() -> None:
    # Two blows at two men, both of whom face the first charger: it meets 2, 1 or 0 blows.
    units = {
        "a": killer("active", {"I": 2}),
        "c": killer("active", {"I": 5}),
        "b": foes(2, A=1, S=10),
    }
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert fight.wounds("active") == 2 * KILL
    assert fight.wounds("reactive") == (1 - KILL) ** 2 * TWO + 2 * KILL * (1 - KILL) * KILL


def test_WH6_CC_06_who_has_struck_at_one_enemy_does_not_strike_at_the_next() -> None:
    # One man, one charger before him and one on his flank: one blow, whether it slays or not.
    units = {"a": men(), "c": men(), "b": foes(A=1, S=10)}
    fight = battle(units, ("a", "b"), ("c", "b", {"arc": "flank"}))
    assert fight.combat("reactive_wounds") == {0: 1 - KILL, 1: KILL}


def test_WH6_CC_03_impact_hits_before_who_always_strikes_first() -> None:
    # T-52. One sure hit of S 10 at 5/6: the man strikes only if it misses.
    chariot = {
        "side": "active", "models": 1, "M": 18, "S": 10, "T": 5, "W": 4, "troop": "chariot",
        "rules": ["unbreakable"], "WS": 3, "BS": 3, "I": 3, "A": 0, "Ld": 7,
        "chariot": {"impact_hits": "1"},
    }  # fmt: skip
    fight = duel(chariot, foes(1, A=1, S=4, rules=["always_strikes_first", "unbreakable"]))
    assert fight.wounds("active") == F(5, 6)
    assert fight.wounds("reactive") == F(1, 6) * F(1, 2) * F(2, 6)  # S 4 on T 5: 5+


# to hit


@pytest.mark.parametrize("own", range(1, 11))
def test_WH6_CC_01_to_hit_by_weapon_skill(own: int) -> None:
    # The printed table: 3+ on lower WS, 5+ on more than twice one's own, else 4+.
    for enemy in range(1, 11):
        need = 3 if own > enemy else 5 if enemy > 2 * own else 4
        fight = duel(men(A=1, WS=own, S=10), foes(WS=enemy))
        assert fight.wounds("active") == F(7 - need, 6) * F(5, 6)


def test_WH6_CC_02_a_riders_weapon_skill_is_struck_at() -> None:
    # The rider's WS 6 counts, not his steed's 1: WS 3 against 6 is 4+, against 7 is 5+.
    for skill, need in ((6, 4), (7, 5)):
        rider = foes(WS=skill, troop="cavalry", mount={"WS": 1, "S": 3, "I": 3, "A": 0})
        assert duel(men(A=1, S=10), rider).wounds("active") == F(7 - need, 6) * F(5, 6)
    # and the steed hits with its own: 1 against 3 is 5+
    steed = men(troop="cavalry", mount={"WS": 1, "S": 10, "I": 3, "A": 1})
    assert duel(steed, foes()).wounds("active") == F(2, 6) * F(5, 6)


def test_WH6_CC_02_against_a_chariot_the_crews_weapon_skill() -> None:
    crew = {"count": 2, "WS": 7, "S": 3, "I": 5, "A": 0, "Ld": 8}
    chariot = {
        "side": "reactive", "models": 1, "M": 18, "S": 5, "T": 5, "W": 4, "troop": "chariot",
        "rules": ["unbreakable"], "chariot": {"crew": crew},
    }  # fmt: skip
    # WS 3 on 7: 5+; S 5 on T 5: 4+
    assert duel(men(A=1, S=5), chariot).wounds("active") == F(2, 6) * F(1, 2)


def test_WH6_CC_08_a_defended_obstacle_needs_sixes_of_the_attackers() -> None:
    for terrain, hit in (("defended", F(1, 6)), ("obstacle", F(1, 2)), ("open", F(1, 2))):
        fight = duel(men(A=1, S=10), foes(), {"terrain": terrain})
        assert fight.wounds("active") == hit * F(5, 6)
        steed = men(troop="cavalry", mount=STEED)
        assert duel(steed, foes(), {"terrain": terrain}).wounds("active") == hit * F(5, 6)
        # who stands behind it strikes as ever
        back = duel(men(), foes(A=1, S=10), {"terrain": terrain})
        assert back.wounds("reactive") == KILL


def test_WH6_FEAR_09_natural_sixes_against_the_charger_it_fears() -> None:
    # Fear on Ld 7: failed 15/36 (equal size: no flight): a 6 instead of a 4+.
    feared = men(rules=["fear", "unbreakable"])
    fight = duel(feared, foes(A=1, S=10, rules=[]), {"distance": 5})
    assert fight.sixes == F(15, 36)
    assert fight.wounds("reactive") == F(5, 6) * (F(21, 36) * F(1, 2) + F(15, 36) * F(1, 6))


def test_WH6_FEAR_09_not_against_another_charger() -> None:
    # Two face the target; only the first causes fear, and the second is hit on 4+ as ever.
    units = {
        "a": men(2, W=9, rules=["fear", "unbreakable"]),
        "c": men(2, W=9),
        "b": foes(4, A=1, S=10, rules=[]),
    }
    fight = battle(units, ("a", "b"), ("c", "b"))
    # -40..0 and 0..40; of four bases the three up to the corner at 0 face the first, one the second
    assert fight.sixes == F(15, 36)
    assert fight.sixes_of(1) == 0
    sixes = F(21, 36) * F(1, 2) + F(15, 36) * F(1, 6)
    assert fight.wounds("reactive") == F(5, 6) * (3 * sixes + F(1, 2))


# hatred


def test_WH6_HATE_01_missed_hits_are_rolled_again() -> None:
    # 4+: 1/2 + 1/2 * 1/2; sixes: 1/6 + 5/6 * 1/6.
    hate = {"side": "active", **men(A=1, S=10, rules=["hatred"])}
    assert duel(hate, foes()).wounds("active") == F(3, 4) * F(5, 6)
    wall = duel(hate, foes(), {"terrain": "defended"})
    assert wall.wounds("active") == F(11, 36) * F(5, 6)
    strong = duel({**hate, "WS": 4}, foes())
    assert strong.wounds("active") == F(8, 9) * F(5, 6)


def test_WH6_HATE_01_in_the_own_first_round_alone() -> None:
    # Charged for the first time it hates; one that has fought before does not, nor its opponent.
    hate = foes(A=1, S=10, rules=["hatred"])
    assert duel(men(), hate).wounds("reactive") == F(3, 4) * F(5, 6)
    units = {"a": men(), "b": {**hate, "engaged": "c"}, "c": men(9)}
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    assert fight.wounds("reactive") == KILL
    units = {"a": men(), "b": foes(9, engaged="c"), "c": men(A=1, S=10, rules=["hatred"])}
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    assert fight.wounds("active") == KILL


def test_WH6_HATE_01_steeds_hate_with_their_riders() -> None:
    steed = men(troop="cavalry", mount=STEED, rules=["hatred"])
    assert duel(steed, foes()).wounds("active") == F(3, 4) * F(5, 6)


@pytest.mark.parametrize("rule", ["unbreakable", "immune_to_psychology", "undead", "daemon"])
def test_WH6_IMM_02_immunity_cancels_hatred_unless_the_switch_says_no(rule: str) -> None:
    hate = men(A=1, S=10, rules=["hatred", rule])
    immune = foes(rules=["immune_to_psychology"])
    assert duel(hate, immune).wounds("active") == KILL
    kept = duel(hate, immune, switches={"immune_cancels_native": False})
    assert kept.wounds("active") == F(3, 4) * F(5, 6)


def test_WH6_FRENZ_07_the_frenzied_do_not_hate() -> None:
    # Two blows for the frenzied, each of 1/2.
    both = duel(men(A=1, S=10, rules=["hatred", "frenzy"]), foes(9))
    assert both.wounds("active") == 2 * KILL


# poison and killing blow in combat


def test_WH6_SPEC_04_poison_in_combat() -> None:
    # T 10 cannot be wounded by S 3: only the sixes, 1/6. With sixes needed every hit poisons.
    venom = men(A=1, rules=["poison", "unbreakable"])
    assert duel(venom, foes(T=10)).wounds("active") == F(1, 6)
    assert duel(venom, foes(T=10), {"terrain": "defended"}).wounds("active") == F(1, 6)
    # 4+: a six wounds at once, 4 and 5 on 4+
    assert duel(venom, foes()).wounds("active") == F(1, 6) + F(2, 6) * F(1, 2)
    # with hatred the second roll may be a six too: 1/6 + 3/6 * 1/6
    hating = men(A=1, rules=["poison", "hatred"])
    assert duel(hating, foes(T=10)).wounds("active") == F(1, 6) + F(1, 2) * F(1, 6)


def test_WH6_SPEC_04_no_poison_on_chariots_and_war_machines_nor_from_steeds() -> None:
    venom = men(A=1, rules=["poison", "unbreakable"])
    chariot = foes(T=10, troop="chariot", chariot={"impact_hits": "1"})
    assert duel(venom, chariot).wounds("active") == 0
    assert duel(venom, foes(T=10, troop="war_machine")).wounds("active") == 0
    steed = men(troop="cavalry", mount={**STEED, "S": 3}, rules=["poison", "unbreakable"])
    assert duel(steed, foes(T=10)).wounds("active") == 0


@pytest.mark.parametrize(
    ("troop", "slain"),
    [("infantry", 9), ("cavalry", 9), ("flyer", 9), ("ogre", 1), ("swarm", 1), ("monster", 1)],
)
def test_WH6_SPEC_03_killing_blow_in_combat(troop: str, slain: int) -> None:
    # Half hit; of these a 6 slays all nine wounds, 4 and 5 take one.
    blow = men(A=1, rules=["killing_blow", "unbreakable"])
    fight = duel(blow, foes(troop=troop, W=9))
    assert fight.wounds("active") == F(1, 2) * (F(1, 6) * slain + F(2, 6))


def test_WH6_SPEC_03_no_armour_but_a_ward_and_no_regeneration() -> None:
    blow = men(A=1, rules=["killing_blow", "unbreakable"])
    armoured = duel(blow, foes(T=7, save="2+"))
    assert armoured.wounds("active") == F(1, 12)
    assert duel(blow, foes(T=7, ward="4+")).wounds("active") == F(1, 24)
    assert duel(blow, foes(T=7, regeneration="2+")).wounds("active") == F(1, 12)
    steed = men(troop="cavalry", mount={**STEED, "S": 3}, rules=["killing_blow", "unbreakable"])
    assert duel(steed, foes(T=7)).wounds("active") == 0


def test_WH6_SAVE_03_armour_then_ward_in_combat() -> None:
    # S 4 on T 3: 3+ (4/6); save 4+ at -1 fails 4/6; ward 5+ fails 4/6.
    fight = duel(men(A=1, S=4), foes(save="4+", ward="5+"))
    assert fight.wounds("active") == F(1, 2) * F(4, 6) * F(4, 6) * F(4, 6)


# regeneration after all blows


def test_WH6_SPEC_01_regained_wounds_do_not_count_in_the_result() -> None:
    fight = duel(men(A=1, S=10), foes(regeneration="4+"))
    assert fight.wounds("active") == KILL / 2
    assert fight.fate("target_wiped_out") == KILL / 2


def test_WH6_SPEC_01_who_comes_back_has_lost_the_chance_to_strike() -> None:
    # The charger strikes first; the slain man regains his wound but does not strike.
    fight = duel(men(A=1, S=10), foes(A=1, S=10, regeneration="4+"))
    assert fight.wounds("reactive") == (1 - KILL) * KILL


def test_WH6_SPEC_01_impact_wounds_are_regained_with_the_others() -> None:
    chariot = {
        "side": "active", "models": 1, "M": 18, "S": 10, "T": 5, "W": 4, "troop": "chariot",
        "rules": ["unbreakable"], "WS": 3, "BS": 3, "I": 3, "A": 0, "Ld": 7,
        "chariot": {"impact_hits": "1"},
    }  # fmt: skip
    fight = duel(chariot, foes(regeneration="5+"))
    assert fight.mean("impact_wounds") == F(5, 6)  # told before regeneration
    assert fight.wounds("active") == F(5, 6) * F(4, 6)


def test_WH6_SPEC_01_shot_wounds_are_regained_once_only() -> None:
    # Wounds of the shooting had their die then: those of the round have theirs.
    bow = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    units = {
        "a": men(9, width=1, M=20, regeneration="4+"),
        "b": foes(A=1, S=10, **bow),
    }
    fight = battle(units, ("a", "b", {"distance": 30}), reaction={"b": "stand_and_shoot"})
    shot = F(5, 6) * F(5, 6) / 2
    assert fight.mean("shooting_casualties") == shot
    assert fight.wounds("reactive") == KILL / 2


def test_WH6_SPEC_01_wounds_of_all_enemies_are_regained() -> None:
    units = {"a": men(1, A=1, S=10), "c": men(1, A=1, S=10), "b": foes(1, W=9, regeneration="4+")}
    fight = battle(units, ("a", "b"), ("c", "b"))
    assert fight.wounds("active") == 2 * KILL / 2
    assert fight.combat("active_wounds")[0] == (1 - KILL / 2) ** 2
