"""Rules of single armies: undead, daemons, skaven, ogres and the like."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, dice, duel, men

from chargesim.rulesets.wh6.state import Place

F = Fraction


def beaten(by: int, loser: dict[str, Any], winner: dict[str, Any] | None = None) -> Solved:
    """A target loses a fight without blows; its foe is immune to its fear."""
    a = {"rules": ["immune_to_psychology"], "combat_bonus": by, **(winner or {})}
    return duel(men(20, width=20, **a), men(20, "reactive", width=20, **loser))


def left(fight: Solved, unit: str = "b") -> dict[int, Fraction]:
    """Models of a unit at the end."""
    return fight.unit_dist(unit, "models_left")


UNDEAD = {"rules": ["undead"]}


def test_WH6_ARMY_01_beaten_undead_lose_a_wound_a_point() -> None:
    for by in (1, 4):
        fight = beaten(by, UNDEAD)
        assert left(fight) == {20 - by: 1}
        assert fight.fates() == {"target_held": 1}
        assert fight.state("b") == {"fighting": 1}


def test_WH6_ARMY_01_no_save_of_any_kind() -> None:
    saved = {**UNDEAD, "save": "1+", "ward": "2+", "regeneration": "2+"}
    assert left(beaten(3, saved)) == {17: 1}


def test_WH6_ARMY_01_a_battle_standard_saves_one_wound() -> None:
    assert left(beaten(3, {**UNDEAD, "battle_standard": True})) == {18: 1}
    assert left(beaten(1, {**UNDEAD, "battle_standard": True})) == {20: 1}


def test_WH6_ARMY_01_wounds_of_models_of_several() -> None:
    fight = beaten(4, {**UNDEAD, "W": 3})
    assert left(fight) == {19: 1}
    assert fight.unit_dist("b", "wounds_left") == {56: 1}


def test_WH6_ARMY_01_all_gone_is_wiped_out() -> None:
    fight = beaten(20, UNDEAD)
    assert fight.fates() == {"target_wiped_out": 1}
    assert fight.state("b") == {"destroyed": 1}
    assert beaten(19, UNDEAD).fates() == {"target_held": 1}


def test_WH6_ARMY_01_undead_chargers_crumble_too() -> None:
    held = {"rules": ["immune_to_psychology"], "combat_bonus": 3}
    fight = duel(men(20, width=20, **UNDEAD), men(20, "reactive", width=20, **held))
    assert left(fight, "a") == {17: 1}
    assert fight.fates() == {"charger_held": 1}
    gone = duel(men(3, **UNDEAD), men(3, "reactive", **held))
    assert gone.fates() == {"charger_wiped_out": 1}


def test_WH6_ARMY_02_instability_of_daemons() -> None:
    # T-48: Ld 8 loses by 3: up to 5 nothing (5/18 in all 10/36); 6, 7, 8 lose 1, 2, 3; 9 and more
    # destroyed (10/36). Mean 8/9 counting the other outcomes as 0.
    fight = beaten(3, {"rules": ["daemon"], "Ld": 8})
    models = left(fight)
    assert models == {20: F(10, 36), 19: F(5, 36), 18: F(6, 36), 17: F(5, 36), 0: F(10, 36)}
    assert sum((20 - n) * p for n, p in models.items() if n) == F(8, 9)
    assert fight.fates() == {"target_wiped_out": F(5, 18), "target_held": F(13, 18)}
    assert set(fight.state("b")) == {"destroyed", "fighting"}


def test_WH6_ARMY_02_with_a_generals_leadership() -> None:
    # Ld 9 by a General: above 9 destroyed, 6/36; 6 + k loses k.
    models = left(beaten(3, {"rules": ["daemon"], "Ld": 5, "general_ld": 9}))
    assert models[0] == F(6, 36)
    assert models[20] == dice(2, lambda total: total <= 6)


def test_WH6_ARMY_02_lost_by_more_than_it_has() -> None:
    # Four daemons of Ld 8 lose by 11: every roll costs more than four wounds.
    a = {"rules": ["immune_to_psychology"], "combat_bonus": 11}
    fight = duel(men(4, **a), men(4, "reactive", rules=["daemon"], Ld=8))
    assert fight.fates() == {"target_wiped_out": 1}


def skaven(models: int, **changes: Any) -> dict[str, Any]:
    """Clanrats five wide, of Ld 5."""
    return {"models": models, "width": 5, "Ld": 5, "rules": ["skaven"], **changes}


@pytest.mark.parametrize(
    ("models", "general", "ld"),
    [
        *((5, None, 5), (9, None, 6), (15, None, 7), (20, None, 8), (40, None, 8)),
        *((15, 7, 9), (20, 9, 10)),
    ],
)
def test_WH6_ARMY_07_skaven_add_their_ranks(models: int, general: int | None, ld: int) -> None:
    # T-50: Ld 5 and two ranks 7; a chieftain or General of 7: 9; at most 3 ranks and Ld 10.
    rats = men(**{**skaven(models), **({"general_ld": general} if general else {})})
    fight = duel(rats, men(4, "reactive", rules=["fear"], Ld=10))
    assert fight.p("refused_fear") == dice(2, lambda total: total > ld)


def test_WH6_ARMY_07_ranks_of_the_moment_in_a_break_test() -> None:
    # Fourteen rats (2 ranks) lose one in the blows: thirteen have one rank. Beaten by 2 and 2.
    blow = {"champion": True, "S": 10, "WS": 10, "rules": ["always_strikes_first", "unbreakable"]}
    foe = men(14, "reactive", width=14, combat_bonus=4, **blow)
    fight = duel(men(**skaven(14)), foe)
    kill = F(4, 6) * F(5, 6)
    # unhurt: 2 ranks to 4: by 2, Ld 7; hurt: 1 wound and outnumbered: by 4, Ld 6
    assert fight.combat("combat_result") == {-2: 1 - kill, -4: kill}
    held = (1 - kill) * dice(2, lambda t: t <= 5) + kill * dice(2, lambda t: t <= 2)
    assert fight.fate("charger_held") == held


def test_WH6_ARMY_07_not_while_they_flee() -> None:
    # Fleeing rats in the path of a charge rally on their own 5.
    rats = men(**skaven(20, fleeing=True))
    riders = men(2, M=18, rules=[])
    units = {"a": riders, "b": men(4, "reactive"), "c": rats}
    fight = battle(units, ("a", "b", {"blocked_by": ["c"]}))
    assert fight.p("blocked") == dice(2, lambda total: total <= 5)


def test_WH6_ARMY_07_stubborn_skaven_keep_their_ranks() -> None:
    # Ld 5 and two ranks, as they are: 7, by whatever they lose.
    rats = skaven(15, rules=["skaven", "stubborn"])
    for by in (3, 9):
        winner = men(15, width=15, combat_bonus=by + 2, rules=["immune_to_psychology"])
        fight = duel(winner, men(side="reactive", **rats))
        assert fight.result() == by
        assert fight.fate("target_held") == dice(2, lambda total: total <= 7)


def test_WH6_ARMY_07_no_more_than_10_in_a_break_test() -> None:
    # A General of 9 and three ranks are 10, less 2.
    rats = skaven(20, general_ld=9)
    winner = men(20, width=20, combat_bonus=3 + 2, rules=["immune_to_psychology"])
    fight = duel(winner, men(side="reactive", **rats))
    assert fight.result() == 2
    assert fight.fate("target_held") == dice(2, lambda total: total <= 8)


# the ogres' bull charge


def bulls(models: int, width: int, charge: dict[str, Any] | None = None, **changes: Any) -> Solved:
    """Ogres of S 4 charge twenty men of T 3, W 9 from 20 away."""
    ogre = {"troop": "ogre", "W": 3, "S": 4, "M": 15, "rules": ["bull_charge", "unbreakable"]}
    a = men(models, **{"width": width, **ogre, **changes})
    return duel(a, men(20, "reactive", W=9), {"distance": 20, **(charge or {})})


@pytest.mark.parametrize(
    ("models", "width", "hits", "wounds"),
    [
        # T-55: four S 5 hits (2+ against T 3), eight in two ranks; twelve: S 6, the same 2+
        (8, 4, 4, 4 * F(5, 6)),
        (12, 4, 4, 4 * F(5, 6)),
        (4, 4, 4, 4 * F(4, 6)),  # nobody behind: S 4
        (6, 4, 4, 2 * F(5, 6) + 2 * F(4, 6)),  # two files of two
        (3, 3, 3, 3 * F(4, 6)),
        (2, 2, 0, F(0)),  # less than three
    ],
)
def test_WH6_IMPACT_07_a_hit_an_ogre_stronger_by_those_behind(
    models: int, width: int, hits: int, wounds: Fraction
) -> None:
    fight = bulls(models, width)
    assert fight.mean("impact_hits") == hits
    assert fight.mean("impact_wounds") == fight.wounds("active") == wounds


def test_WH6_IMPACT_07_strength_by_depth() -> None:
    # T 6: S 5 on 5+, S 6 on 4+, S 7 on 3+.
    ogre = {"troop": "ogre", "W": 3, "S": 4, "M": 15, "rules": ["bull_charge", "unbreakable"]}
    for models, need in ((8, 5), (12, 4), (16, 3)):
        a = men(models, width=4, **ogre)
        fight = duel(a, men(20, "reactive", T=6, W=9), {"distance": 20})
        assert fight.mean("impact_wounds") == 4 * F(7 - need, 6)


@pytest.mark.parametrize(("units", "run"), [("cm", 15), ("inch", 6)])
def test_WH6_IMPACT_07_only_after_a_run_up(units: str, run: int) -> None:
    ogre = {"troop": "ogre", "W": 3, "S": 4, "M": 15, "rules": ["bull_charge", "unbreakable"]}
    for gap, hits in ((run, 3), (run - 0.01, 0)):
        fight = duel(men(3, **ogre), men(20, "reactive", W=9), {"distance": gap}, units=units)
        assert fight.mean("impact_hits") == hits


def test_WH6_IMPACT_07_only_of_ogres_and_only_when_they_charge() -> None:
    assert bulls(4, 4, troop="infantry").mean("impact_hits") == 0
    ogre = {"troop": "ogre", "W": 3, "S": 4, "rules": ["bull_charge", "unbreakable"]}
    charged = duel(men(20, W=9, M=15), men(4, "reactive", **ogre), {"distance": 20})
    assert charged.wounds("reactive") == 0


def test_places_of_the_two_strengths_are_apart() -> None:
    # Each kind of hit draws two nodes: they must not share their luck with others.
    places = sorted(int(p) for p in Place if p.name.endswith(("SLAIN", "WOUNDS")))
    assert len(set(places)) == len(places)
