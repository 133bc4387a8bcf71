"""Every switch that changes a result of this version, both ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, play

F = Fraction
BOW = {"missile": "bow"}


def switch(name: str, value: Any) -> dict[str, Any]:
    """Further table of a scenario with one switch set."""
    return {"switches": {name: value}}


def test_WH6_SEQ_04_charger_test_before_or_after_the_reaction() -> None:
    # Ld 7 fails 15/36. Afterwards the target has fled by then; before, nobody moves at all.
    scene = (None, {"rules": ["fear"]}, None, "flee")
    after = play(*scene, **switch("charger_test", "after_reaction"))
    before = play(*scene, **switch("charger_test", "before_reaction"))
    assert sum(after.dist("flee_distance").values()) == 1
    assert sum(before.dist("flee_distance").values()) == F(21, 36)
    assert after.p("refused_fear") == before.p("refused_fear") == F(15, 36)
    assert before.state("b")["steady"] == F(15, 36)


def test_WH6_SEQ_04_before_the_reaction_it_tests_at_any_distance() -> None:
    far = (None, {"rules": ["terror"]}, {"distance": 90}, "hold")
    assert play(*far).words == {"out_of_reach": 1}
    before = play(*far, **switch("charger_test", "before_reaction"))
    assert before.words == {"charger_fled_terror": F(15, 36), "out_of_reach": F(21, 36)}


def test_WH6_SEQ_04_a_charger_terrified_before_the_reaction_is_not_shot_at() -> None:
    # Bows that cause terror: 15/36 flee before anything is declared; at the rest five shots of 1/6.
    scene = ({"models": 20}, {**BOW, "rules": ["terror"]}, None, "stand_and_shoot")
    before = play(*scene, **switch("charger_test", "before_reaction"))
    assert before.p("charger_fled_terror") == F(15, 36)
    assert before.dist("shooting_casualties")[0] == F(15, 36) + F(21, 36) * F(5, 6) ** 5


def test_WH6_SS_06_ss_on_failed_always_or_if_in_range() -> None:
    # 100 away, failed move 18: 82 is beyond a bow's 60.
    far = ({"models": 20}, BOW, {"distance": 100}, "stand_and_shoot")
    always = play(*far, **switch("ss_on_failed", "always"))
    in_range = play(*far, **switch("ss_on_failed", "if_in_range_after_failed_move"))
    assert always.dist("shooting_casualties")[0] == F(11, 12) ** 5
    assert in_range.dist("shooting_casualties") == {0: 1}


def test_WH6_PANIC_08_panic_engaged() -> None:
    scene = ({"models": 6}, {"engaged": True}, {"arc": "rear"})
    assert play(*scene, **switch("panic_engaged", True)).p("contact") == F(21, 36)
    assert play(*scene, **switch("panic_engaged", False)).p("contact") == 1
    # the switch is about those who fight, not about a charger that is shot at
    gun = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    shot = play({"models": 4}, gun, None, "stand_and_shoot", **switch("panic_engaged", False))
    assert shot.p("charger_fled_panic") == F(25, 36) * F(15, 36)


def test_WH6_CHAR_03_s7_regen_lets_a_chariot_regenerate() -> None:
    # S 10: 25/36 take all four wounds; the chariot survives unless none is regained: (1/2)^4.
    bolt = {"BS": 6, "shooters": 1, "missile": {"range": 60, "S": 10}}
    scene = ({"regeneration": "4+"}, bolt, {"reach": 19}, "stand_and_shoot")
    off = play(*scene, a=CHARIOT, **switch("s7_regen", False))
    on = play(*scene, a=CHARIOT, **switch("s7_regen", True))
    assert off.p("charger_destroyed") == F(25, 36)
    assert on.p("charger_destroyed") == F(25, 36) * F(1, 16)
    assert on.unit_dist("a", "wounds_left")[2] == F(25, 36) * F(6, 16)


def test_WH6_IMPACT_04_impact_targets() -> None:
    # Two men, one a champion, and many hits: one wound, or both dead.
    hits = {**CHARIOT, "chariot": {**CHARIOT["chariot"], "impact_hits": "20"}}
    pair = {"models": 2, "champion": True}
    spared = play(None, pair, a=hits, **switch("impact_targets", "rank_and_file"))
    shared = play(None, pair, a=hits, **switch("impact_targets", "like_shooting"))
    assert max(spared.dist("impact_wounds")) == 1
    assert shared.dist("impact_wounds")[2] == 1 - F(1, 6) ** 20 - 20 * F(5, 6) * F(1, 6) ** 19


@pytest.mark.parametrize(("value", "strength"), [("fixed3", 3), ("crew", 2)])
def test_WH6_US_01_war_machine_us(value: str, strength: int) -> None:
    # A crew of two: who frightens it with more than its strength puts it to flight (15/36).
    machine = {"troop": "war_machine", "models": 2}
    equal = {"troop": "infantry", "rules": ["fear"], "models": strength}
    larger = {**equal, "models": strength + 1}
    assert play(equal, machine, **switch("war_machine_us", value)).p("contact") == 1
    assert play(larger, machine, **switch("war_machine_us", value)).p("contact") == F(21, 36)


def test_WH6_UNIT_03_units() -> None:
    # Reach 14, gap 8: 5D6 <= 6 (6 ways of 7776) in cm, 2D6 <= 6 in inches.
    scene = (None, None, {"distance": 8, "reach": 14}, "flee")
    assert play(*scene, units="cm").p("target_fled_caught") == F(6, 7776)
    assert play(None, {"M": 5}, *scene[2:], units="inch").p("target_fled_caught") == F(5, 12)


def test_fire_stops_regen_changes_nothing_without_flaming_attacks() -> None:
    scene = ({"models": 6, "rules": ["fear"]}, {"regeneration": "4+", "A": 1}, None)
    first, second = (
        play(*scene, **switch("fire_stops_regen", value)).fates() for value in ("battle", "phase")
    )
    assert first == second
