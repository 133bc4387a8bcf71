"""Flight from a lost combat, pursuit, restraint and overrun."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import Solved, battle, dice, duel, foes, men

F = Fraction
FLED = {"Ld": 2}
"""Beaten by one or more it cannot hold: 2D6 <= 1."""


def four(side: str, **changes: Any) -> dict[str, Any]:
    """Four men abreast who strike no blow and can be beaten."""
    return men(4, side, **{"rules": [], **changes})


def rout(winner: dict[str, Any], loser: dict[str, Any], **more: Any) -> Solved:
    """A target is beaten by one and breaks for certain."""
    return duel(
        four("active", combat_bonus=1, **winner), four("reactive", **{**FLED, **loser}), **more
    )


def rout_of_charger(winner: dict[str, Any], loser: dict[str, Any], **more: Any) -> Solved:
    """A charger is beaten by one and breaks for certain."""
    return duel(
        four("active", **{**FLED, **loser}), four("reactive", combat_bonus=1, **winner), **more
    )


SLOW, FAST = {"M": 10}, {"M": 18}
SLOW_INCH, FAST_INCH = {"M": 6}, {"M": 7}
DWARF, DWARF_INCH = {"M": 8, "rules": ["dwarf_legs"]}, {"M": 5, "rules": ["dwarf_legs"]}


@pytest.mark.parametrize(
    ("units", "hunter", "prey", "caught"),
    [
        # T-43
        ("inch", SLOW_INCH, SLOW_INCH, F(721, 1296)),
        ("inch", FAST_INCH, SLOW_INCH, F(1099, 1296)),
        ("inch", SLOW_INCH, FAST_INCH, F(287, 1296)),
        ("inch", FAST_INCH, FAST_INCH, F(4249, 7776)),
        ("inch", SLOW_INCH, DWARF_INCH, F(287, 432)),
        ("cm", SLOW, SLOW, F(112607, 209952)),
    ],
)
def test_WH6_PURS_02_caught_when_the_pursuit_is_at_least_the_flight(
    units: str, hunter: dict[str, Any], prey: dict[str, Any], caught: Fraction
) -> None:
    fight = rout(hunter, prey, units=units)
    assert fight.fates() == {"target_broke_caught": caught, "target_broke_escaped": 1 - caught}
    assert fight.state("b") == {"destroyed": caught, "fleeing": 1 - caught}
    assert fight.unit_dist("b", "models_left") == {0: caught, 4: 1 - caught}
    assert fight.state("a") == {"pursuing": 1}
    back = rout_of_charger(hunter, prey, units=units, charge={"distance": 5})
    assert back.fate("charger_broke_caught") == caught
    assert back.state("b") == {"pursuing": 1}


@pytest.mark.parametrize(
    ("hunter", "prey", "caught"),
    [
        (FAST, SLOW, 0.96326),
        (SLOW, FAST, 0.05227),
        (FAST, FAST, 0.52891),
        (SLOW, DWARF, 0.67604),
    ],
)
def test_WH6_PURS_02_in_centimetres(
    hunter: dict[str, Any], prey: dict[str, Any], caught: float
) -> None:
    # T-43 again, to the digits given there.
    assert round(float(rout(hunter, prey).fate("target_broke_caught")), 5) == caught


def test_WH6_PURS_02_every_pursuer_rolls_its_own() -> None:
    # Two of 2D6 after 2D6: escaped when both roll less.
    units = {
        "a": four("active", M=6, combat_bonus=1),
        "c": four("active", M=6),
        "b": men(8, "reactive", M=6, rules=[], **FLED),
    }
    fight = battle(units, ("a", "b"), ("c", "b"), units="inch")
    away = sum(
        dice(2, lambda f, n=n: f == n) * dice(2, lambda p, n=n: p < n) ** 2 for n in range(2, 13)
    )
    assert fight.fate("target_broke_escaped") == away
    assert fight.state("a") == fight.state("c") == {"pursuing": 1}


def test_WH6_PURS_02_the_strongest_of_several_is_pursued() -> None:
    # Both chargers break; the one of US 4 is hunted, the one of US 3 gets away; of equals the
    # first declared.
    units = {
        "a": men(3, rules=[], M=6, **FLED),
        "c": four("active", M=6, **FLED),
        "b": men(8, "reactive", M=6, rules=[], combat_bonus=1),
    }
    fight = battle(units, ("a", "b"), ("c", "b"), units="inch")
    assert fight.state("a") == {"fleeing": 1}
    assert fight.state("c") == {"destroyed": F(721, 1296), "fleeing": 1 - F(721, 1296)}
    assert fight.fate("charger_broke_caught") == F(721, 1296)
    units["a"] = units["c"]
    equal = battle(units, ("a", "b"), ("c", "b"), units="inch")
    assert equal.state("a")["destroyed"] == F(721, 1296)
    assert equal.state("c") == {"fleeing": 1}


def test_WH6_PURS_01_nobody_pursues_past_an_enemy_who_holds() -> None:
    units = {
        "a": four("active", M=6, **FLED),
        "c": men(3, M=6, rules=["unbreakable"]),
        "b": men(7, "reactive", M=6, rules=[], combat_bonus=1),
    }
    fight = battle(units, ("a", "b"), ("c", "b"), units="inch")
    assert fight.state("a") == {"fleeing": 1}
    assert fight.state("b") == fight.state("c") == {"fighting": 1}
    assert fight.fates() == {"charger_broke_escaped": 1}


def test_WH6_PURS_01_to_stay_it_passes_its_leadership() -> None:
    # Ld 7: 21/36 stay.
    fight = rout({"restrain": True, **SLOW}, SLOW)
    assert fight.state("a") == {"steady": F(21, 36), "pursuing": F(15, 36)}
    assert fight.fate("target_broke_caught") == F(15, 36) * F(112607, 209952)
    back = rout_of_charger({"restrain": True}, {})
    assert back.state("b") == {"steady": F(21, 36), "pursuing": F(15, 36)}
    # the cold-blooded on three dice, a General's Ld 9
    cold = rout({"restrain": True, "rules": ["cold_blooded"]}, {})
    assert cold.state("a")["steady"] == F(29, 36)
    assert rout({"restrain": True, "general_ld": 9}, {}).state("a")["steady"] == F(5, 6)


def test_WH6_PURS_01_behind_a_defended_obstacle_the_choice_is_free() -> None:
    fight = rout_of_charger({"restrain": True}, {}, charge={"terrain": "defended"})
    assert fight.state("b") == {"steady": 1}
    # the attacker of one has no such choice
    over = rout({"restrain": True}, {}, charge={"terrain": "defended"})
    assert over.state("a")["steady"] == F(21, 36)
    willing = rout_of_charger({}, {}, charge={"terrain": "defended"})
    assert willing.state("b") == {"pursuing": 1}


def test_WH6_HATE_01_haters_must_pursue() -> None:
    fight = rout({"restrain": True, "rules": ["hatred"]}, {})
    assert fight.state("a") == {"pursuing": 1}
    wall = rout_of_charger(
        {"restrain": True, "rules": ["hatred"]}, {}, charge={"terrain": "defended"}
    )
    assert wall.state("b") == {"pursuing": 1}
    # not where immunity cancels the hatred
    calm = rout({"restrain": True, "rules": ["hatred", "immune_to_psychology"]}, {})
    assert calm.state("a")["steady"] == F(21, 36)


def test_WH6_FRENZ_04_the_frenzied_must_pursue_and_overrun() -> None:
    # T 10 so that nobody is hurt by the attack that Frenzy gives.
    fight = rout({"restrain": True, "rules": ["frenzy"]}, {"T": 10})
    assert fight.state("a") == {"pursuing": 1}
    wall = rout_of_charger(
        {"restrain": True, "rules": ["frenzy"]}, {"T": 10}, charge={"terrain": "defended"}
    )
    assert wall.state("b") == {"pursuing": 1}
    slain = duel(
        men(1, A=8, S=10, WS=10, restrain=True, rules=["frenzy"]), foes(1), {"distance": 5}
    )
    assert slain.state("a")["overran"] == slain.fate("target_wiped_out") > F(1, 2)


def test_WH6_PURS_03_pursuers_that_caught_them_are_pursuing() -> None:
    fight = rout(SLOW, SLOW, charge={"edge": 3})
    assert fight.state("a") == {"pursuing": 1}


def test_WH6_PURS_03_over_the_edge_is_looked_at_after_the_catch() -> None:
    # Flight 2D6 over an edge of 6: gone when not caught; at exactly 6 it stays on the table.
    fight = rout(SLOW_INCH, SLOW_INCH, units="inch", charge={"edge": 6})
    away = {n: dice(2, lambda f, n=n: f == n) * dice(2, lambda p, n=n: p < n) for n in range(2, 13)}
    off = sum(p for n, p in away.items() if n > 6)
    on = sum(p for n, p in away.items() if n <= 6)
    assert fight.state("b") == {"destroyed": F(721, 1296), "fled_off_table": off, "fleeing": on}
    assert fight.fate("target_broke_escaped") == off + on


def test_WH6_ARMY_06_dwarfs_pursue_more_slowly() -> None:
    # 2D6 - 1 after 2D6 catches when the second roll is less than the first: (1 - 146/1296)/2.
    same = sum(dice(2, lambda f, n=n: f == n) ** 2 for n in range(2, 13))
    assert same == F(146, 1296)
    fight = rout(DWARF_INCH, SLOW_INCH, units="inch")
    assert fight.fate("target_broke_caught") == (1 - same) / 2


@pytest.mark.parametrize(("units", "move", "more"), [("inch", 5, 1), ("cm", 12, 3)])
def test_WH6_ARMY_07_skaven_flee_further_and_pursue_alike(units: str, move: int, more: int) -> None:
    number = 2 if units == "inch" else 5
    rats = {"M": move, "rules": ["skaven"]}
    faces = range(number, 6 * number + 1)
    caught = sum(
        dice(number, lambda f, n=n: f == n) * dice(number, lambda p, n=n: p >= n + more)
        for n in faces
    )
    fight = rout({"M": move}, rats, units=units)
    assert fight.fate("target_broke_caught") == caught
    even = rout(rats, {"M": move}, units=units)
    alike = rout({"M": move}, {"M": move}, units=units)
    assert even.fates() == alike.fates()


def test_WH6_CHAR_05_chariots_flee_and_pursue_by_their_movement() -> None:
    chariot = {"troop": "chariot", "W": 4, "unit_strength": 1, "chariot": {"impact_hits": "0"}}
    fast = rout({**chariot, "M": 7}, SLOW_INCH, units="inch")
    assert fast.fate("target_broke_caught") == F(1099, 1296)
    prey = rout(SLOW_INCH, {**chariot, "M": 7}, units="inch")
    assert prey.fate("target_broke_caught") == F(287, 1296)
    assert prey.state("b")["destroyed"] == F(287, 1296)  # caught, it is destroyed whole


def test_WH6_UNIT_04_flyers_flee_and_pursue_fast() -> None:
    flyer = {"M": 4, "rules": ["flyer"]}
    assert rout(flyer, SLOW_INCH, units="inch").fate("target_broke_caught") == F(1099, 1296)


def test_WH6_FLEE_08_a_unit_struck_from_all_sides_flees_through() -> None:
    # Front, both flanks and rear: it escapes as from one, but for their four pursuits.
    units = {name: men(5, rules=[], M=6, combat_bonus=1) for name in "acde"}
    units["b"] = men(20, "reactive", width=5, M=6, rules=[], **FLED)
    fight = battle(
        units,
        ("a", "b"),
        ("c", "b", {"arc": "flank"}),
        ("d", "b", {"arc": "flank"}),
        ("e", "b", {"arc": "rear"}),
        units="inch",
    )
    away = sum(
        dice(2, lambda f, n=n: f == n) * dice(2, lambda p, n=n: p < n) ** 4 for n in range(2, 13)
    )
    assert fight.state("b") == {"fleeing": away, "destroyed": 1 - away}


# overrun


def slay(winner: dict[str, Any], side: str = "active", **charge: Any) -> Solved:
    """A unit of one kills the one man before it with 5/12."""
    killer = {"A": 1, "S": 10, **winner}
    if side == "active":
        return duel(men(1, **killer), foes(1), charge or None)
    return duel(men(1), foes(1, **killer), charge or None)


def test_WH6_OVER_01_who_slays_all_in_its_first_round_overruns() -> None:
    kill = F(5, 12)
    assert slay({}).state("a") == {"overran": kill, "fighting": 1 - kill}
    # also who was charged
    charged = slay({}, "reactive")
    assert charged.state("b")["overran"] == kill
    assert charged.fate("charger_wiped_out") == kill


def test_WH6_OVER_01_it_is_its_choice_and_needs_no_test() -> None:
    kill = F(5, 12)
    assert slay({"restrain": True}).state("a") == {"steady": kill, "fighting": 1 - kill}
    assert slay({"restrain": True}, "reactive").state("b")["steady"] == kill


def test_WH6_OVER_01_not_in_a_later_round() -> None:
    # The old opponent stays where it is, the charger beside it overruns.
    units = {
        "a": men(1, A=1, S=10),
        "b": foes(1, engaged="c"),
        "c": men(1),
    }
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    kill = F(5, 12)
    assert fight.state("a")["overran"] == kill
    assert fight.state("c")["steady"] == kill
    # nor a target that had been fighting
    # (three to the front and two on the flank strike back: both may fall)
    units = {"a": men(1), "b": foes(6, width=3, A=1, S=10, engaged="c"), "c": men(1)}
    fight = battle(units, ("a", "b", {"arc": "flank"}))
    wiped = (1 - F(7, 12) ** 3) * (1 - F(7, 12) ** 2)
    assert fight.fate("charger_wiped_out") == wiped
    assert fight.state("b")["steady"] == wiped
    assert "overran" not in fight.state("b")


def test_WH6_OVER_01_also_by_crumbling() -> None:
    # Four skeletons lose by five: all gone.
    fight = duel(four("active", combat_bonus=5), four("reactive", rules=["undead"]))
    met = fight.p("contact")
    assert met == F(21, 36)
    assert fight.fate("target_wiped_out") == met
    assert fight.state("a")["overran"] == met
