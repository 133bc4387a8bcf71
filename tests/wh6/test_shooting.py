"""Stand and shoot: who shoots, how well, and with what."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import CHARIOT, FRIEND, Solved, play

F = Fraction
MANY = {"models": 20}
"""So many riders that one shot causes no panic and no unit dies."""
SHORT = {"reach": 19}
"""A charge that falls short of 20: nothing but the shots takes wounds."""


def shot(
    target: dict[str, Any] | None = None,
    charger: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    **others: Any,
) -> Solved:
    """One man shoots at twenty riders of T 3 without save, S 3 wounding on 4+, from 20 of 36."""
    base: dict[str, Any] = {"shooters": 1, "missile": {"range": 60, "S": 3}}
    return play(
        {**MANY, **(charger or {})}, base | (target or {}), charge, "stand_and_shoot", **others
    )


def hit(*arguments: Any, **others: Any) -> Fraction:
    """Chance that the one shot hits: its kills are half of it."""
    found: Fraction = shot(*arguments, **others).mean("shooting_casualties") * 2
    return found


# to hit


@pytest.mark.parametrize(
    ("skill", "chance"),
    [
        # BS 1..10 need 6, 5, 4, 3, 2, 1, ... and 1 more standing and shooting; a 1 always misses
        (1, F(3, 36)),
        (2, F(1, 6)),
        (3, F(2, 6)),
        (4, F(3, 6)),
        (5, F(4, 6)),
        (6, F(5, 6)),
        (7, F(5, 6)),
        (10, F(5, 6)),
    ],
)
def test_WH6_SHOOT_01_seven_less_ballistic_skill(skill: int, chance: Fraction) -> None:
    assert hit({"BS": skill}) == chance


def test_WH6_SHOOT_02_each_modifier_by_one() -> None:
    # BS 4, stand and shoot: 4+.
    four = {"BS": 4}
    assert hit(four) == F(3, 6)
    assert hit(four, {"rules": ["large_target"]}) == F(4, 6)
    assert hit(four, {"rules": ["skirmishers"]}) == F(2, 6)
    assert hit(four, charge={"cover": "soft"}) == F(2, 6)
    assert hit(four, charge={"cover": "hard"}) == F(1, 6)
    assert hit({**four, "missile": {"range": 39.98, "S": 3}}) == F(2, 6)
    twice = shot({**four, "missile": {"range": 60, "S": 3, "shots": 2}})
    assert twice.mean("shooting_casualties") == 2 * F(2, 6) / 2


def test_WH6_SHOOT_02_exactly_half_range_is_short() -> None:
    for length, chance in ((40, F(3, 6)), (39.99, F(2, 6))):
        assert hit({"BS": 4, "missile": {"range": length, "S": 3}}) == chance


def test_WH6_SHOOT_02_long_range_by_the_straight_gap() -> None:
    # A path of 30 over a gap of 20, range 40: short.
    assert hit(
        {"BS": 4, "missile": {"range": 40, "S": 3}}, charge={"distance": 30, "gap": 20}
    ) == F(3, 6)


def test_WH6_SHOOT_02_modifiers_add_up() -> None:
    # T-31 without standing: BS 5 at long range behind soft cover 4+; with it 5+.
    assert hit({"BS": 5, "missile": {"range": 30, "S": 3}}, charge={"cover": "soft"}) == F(2, 6)
    # T-32: BS 3, multiple shots, large target, standing in place of moving: 5+. Twenty shots.
    pipes = {"models": 10, "shooters": 10, "missile": {"range": 60, "S": 3, "shots": 2}}
    skinks = shot(pipes, {"rules": ["large_target"]})
    assert skinks.dist("shooting_casualties")[0] == F(5, 6) ** 20


@pytest.mark.parametrize(
    ("troop", "models", "rules", "chance"),
    [
        ("infantry", 1, [], F(1, 6)),
        ("infantry", 2, [], F(2, 6)),
        ("cavalry", 1, [], F(2, 6)),
        ("ogre", 1, [], F(2, 6)),
        ("infantry", 1, ["large_target"], F(3, 6)),
        ("infantry", 1, ["skirmishers"], F(1, 6)),
    ],
)
def test_WH6_SHOOT_02_a_single_man_on_foot(
    troop: str, models: int, rules: list[str], chance: Fraction
) -> None:
    # BS 3, standing: 5+; a single man 6+, a large target 4+.
    solved = shot({}, {"troop": troop, "models": models, "rules": rules})
    lost = solved.dist("shooting_casualties")
    assert 1 - lost[0] == chance / 2


@pytest.mark.parametrize(
    ("cover", "length", "chance"),
    [("none", 60, F(1, 12)), ("soft", 60, F(1, 18)), ("hard", 60, F(1, 36)), ("hard", 30, 0)],
)
def test_WH6_SHOOT_03_seven_and_more(cover: str, length: int, chance: Fraction) -> None:
    # BS 1 standing needs 7: a 6 and 4+. Soft cover 8, hard cover 9, with long range 10: never.
    weak = {"BS": 1, "missile": {"range": length, "S": 3}}
    assert hit(weak, charge={"cover": cover}) == chance


def test_WH6_SHOOT_03_goblins_at_long_range_behind_a_hedge() -> None:
    # T-30: BS 3, long range and soft cover 6+; standing and shooting 7+: 1/12.
    bows = {"missile": "short_bow"}
    assert hit(bows, charge={"cover": "soft", "distance": 10}, units="inch", charger={"M": 8}) == F(
        1, 12
    )


def test_WH6_SHOOT_04_the_front_rank_and_all_ranks_at_a_large_target() -> None:
    # Five of twenty in front; 1/3 to hit, 1/2 to wound. At a large target twenty at 4+: 1/4.
    bows = {"missile": "bow", "width": 5}
    front = play(MANY, bows, None, "stand_and_shoot")
    assert front.dist("shooting_casualties")[0] == F(5, 6) ** 5
    large = play({**MANY, "rules": ["large_target"]}, bows, None, "stand_and_shoot")
    assert large.dist("shooting_casualties")[0] == F(3, 4) ** 20
    given = play(MANY, {**bows, "shooters": 7}, None, "stand_and_shoot")
    assert given.dist("shooting_casualties")[0] == F(5, 6) ** 7
    few = play(MANY, {"missile": "bow", "models": 3}, None, "stand_and_shoot")
    assert few.dist("shooting_casualties")[0] == F(5, 6) ** 3


# range


def test_WH6_SS_04_beyond_its_range_as_at_full_range() -> None:
    # T-14: 40 away, range 30: long range, 6+; shot at where it stands.
    bow = {"missile": {"range": 30, "S": 3}}
    solved = shot(bow, {"M": 22}, {"distance": 40})
    assert solved.mean("shooting_casualties") == F(1, 6) / 2
    assert solved.words == {"contact": 1}


def test_WH6_SS_04_the_charger_panics_where_it_started() -> None:
    # T-14: a lone shot of S 10 kills one of four: long range 3+ of BS 6 (4/6), 5/6 to wound.
    gun = {"missile": {"range": 30, "S": 10}, "BS": 6, "shooters": 1}
    solved = play({"models": 4, "M": 22}, gun, {"distance": 40}, "stand_and_shoot")
    assert solved.p("charger_fled_panic") == F(4, 6) * F(5, 6) * F(5, 12)


def test_WH6_SS_05_standing_costs_one_more_moving_nothing() -> None:
    # BS 3: 4+ becomes 5+; move-or-fire weapons may stand and shoot.
    assert hit() == F(2, 6)
    crossbows = shot({"missile": "crossbow"})
    assert crossbows.mean("shooting_casualties") == F(2, 6) * F(4, 6)


def test_WH6_SPEC_04_poison_wounds_on_a_six_to_hit() -> None:
    # BS 3: 5+. A 6 (1/6) wounds T 7 that S 3 cannot wound; a 5 does nothing.
    venom = {"missile": {"range": 60, "S": 3, "rules": ["poison"]}}
    assert shot(venom, {"T": 7}).mean("shooting_casualties") == F(1, 6)
    # T 3: 1/6 + 1/6 * 1/2; save 4+ as against any S 3: half of that.
    assert shot(venom).mean("shooting_casualties") == F(1, 6) + F(1, 12)
    assert shot(venom, {"save": "4+"}).mean("shooting_casualties") == (F(1, 6) + F(1, 12)) / 2
    # T-32: 5s wound T 5 on 6+: 1/6 + 1/6 * 1/6.
    assert shot(venom, {"T": 5}).mean("shooting_casualties") == F(1, 6) + F(1, 36)


def test_WH6_SPEC_04_no_poison_at_7_or_on_chariots() -> None:
    # T-33: 7+ is 1/12 and wounds on 4+. A chariot of T 7 feels nothing.
    venom = {"missile": {"range": 60, "S": 3, "rules": ["poison"]}}
    needs_seven = shot(venom, charge={"cover": "hard"})
    assert needs_seven.mean("shooting_casualties") == F(1, 12) / 2
    needs_six = shot(venom, charge={"cover": "soft"})
    assert needs_six.mean("shooting_casualties") == F(1, 6)
    chariots = {**CHARIOT, "T": 7, "W": 1}
    assert shot(venom, {}, a=chariots).dist("shooting_casualties") == {0: 1}


def test_WH6_SPEC_03_a_killing_blow_slays_on_a_six_to_wound() -> None:
    # 1/3 to hit. W 2, save 2+ (against S 3): a 6 to wound (1/6) slays; 4 and 5 (2/6) are saved 5/6.
    blow = {"missile": {"range": 60, "S": 3, "rules": ["killing_blow"]}}
    solved = shot(blow, {"W": 2, "save": "2+"})
    assert solved.dist("shooting_casualties")[1] == F(1, 3) * F(1, 6)
    wounds = solved.unit_dist("a", "wounds_left")
    assert wounds[38] == F(1, 3) * F(1, 6)
    assert wounds[39] == F(1, 3) * F(2, 6) * F(1, 6)
    # a ward still saves, regeneration does not
    assert shot(blow, {"ward": "4+", "T": 7}).mean("shooting_casualties") == F(1, 18) / 2
    assert shot(blow, {"regeneration": "2+", "T": 7}).mean("shooting_casualties") == F(1, 18)


@pytest.mark.parametrize(
    ("troop", "slain"),
    [("infantry", True), ("cavalry", True), ("flyer", True)]
    + [(troop, False) for troop in ("ogre", "swarm", "monster", "ridden_monster")],
)
def test_WH6_SPEC_03_only_the_man_sized_and_riders(troop: str, slain: bool) -> None:
    blow = {"missile": {"range": 60, "S": 3, "rules": ["killing_blow"]}}
    solved = shot(blow, {"troop": troop, "W": 3, "T": 7}, {"distance": 30})
    assert solved.mean("shooting_casualties") == (F(1, 18) if slain else 0)


def test_WH6_SPEC_03_not_on_a_chariot() -> None:
    blow = {"missile": {"range": 60, "S": 3, "rules": ["killing_blow"]}}
    assert shot(blow, a={**CHARIOT, "T": 7}).unit_dist("a", "wounds_left") == {80: 1}


def test_WH6_SPEC_04_a_poisoned_wound_is_no_killing_blow() -> None:
    # 6 to hit: one wound. 5 to hit (1/6), then a 6 slays a model of W 2; T 7 else unhurt.
    both = {"missile": {"range": 60, "S": 3, "rules": ["poison", "killing_blow"]}}
    wounds = shot(both, {"W": 2, "T": 7}).unit_dist("a", "wounds_left")
    assert wounds == {40: 1 - F(1, 6) - F(1, 36), 39: F(1, 6), 38: F(1, 36)}


# chariots that shoot and are shot at


def test_WH6_CHAR_09_its_crew_shoots_with_its_own_skill() -> None:
    # Crew BS 4: 4+ standing; it is no war machine. Wounds 4+: 1/4.
    crewed = {k: v for k, v in CHARIOT.items() if k != "side"} | {"rules": []}
    for name in ("WS", "BS", "I", "A", "Ld"):
        crewed[name] = CHARIOT["chariot"]["crew"][name]
    assert shot(crewed).mean("shooting_casualties") == F(3, 6) / 2


def test_WH6_CHAR_09_shot_at_like_any_unit() -> None:
    # 1/3 to hit, S 5 on T 5 4+, save 4+ at -2 is 6+ failed 5/6: one wound of four.
    bolt = {"missile": {"range": 60, "S": 5}}
    wounds = shot(bolt, {"models": 1}, SHORT, a=CHARIOT).unit_dist("a", "wounds_left")
    assert wounds[3] == F(1, 3) * F(1, 2) * F(5, 6)


# weapons: range in centimetres and inches, and the chance that a shot wounds T 4 with save 4+


def weapon(name: str, centimetres: float, inches: float, wounds: Fraction, shots: int = 1) -> None:
    """Check long range at just more than half of the range, and the chance to wound.

    BS 6, standing: 2+; at long range 3+; multiple shots one more.
    """
    for units, length in (("cm", centimetres), ("inch", inches)):
        for gap, to_hit in ((length / 2, F(5, 6)), (length / 2 + 0.01, F(4, 6))):
            if shots > 1:
                to_hit -= F(1, 6)
            charge = {"distance": round(gap, 2), "reach": round(length * 0.9, 2)}
            tough = {"T": 4, "save": "4+"}
            solved = shot({"missile": name, "BS": 6}, tough, charge, units=units)
            assert solved.mean("shooting_casualties") == shots * to_hit * wounds, (units, gap)


def thrown(name: str, wounds: Fraction) -> None:
    """Check a thrown weapon: no long range, even beyond its range; the user has S 3."""
    for distance in (5, 20, 30):
        charge = {"distance": distance, "reach": distance}
        solved = shot({"missile": name, "BS": 6}, {"T": 4, "save": "4+"}, charge)
        assert solved.mean("shooting_casualties") == F(5, 6) * wounds


# S 3 wounds T 4 on 5+ and 4+ saves half: 1/6. S 4: 4+, saved on 5+: 1/2 * 4/6 = 1/3; armour
# piercing: saved on 6+: 1/2 * 5/6 = 5/12.
S3, S4, S4_PIERCING = F(1, 6), F(1, 3), F(5, 12)


def test_WH6_MW_short_bow() -> None:
    weapon("short_bow", 40, 16, S3)


def test_WH6_MW_bow() -> None:
    weapon("bow", 60, 24, S3)


def test_WH6_MW_long_bow() -> None:
    weapon("long_bow", 75, 30, S3)


def test_WH6_MW_crossbow() -> None:
    weapon("crossbow", 75, 30, S4)


def test_WH6_MW_repeater_crossbow() -> None:
    weapon("repeater_crossbow", 60, 24, S3, shots=2)


def test_WH6_MW_handgun() -> None:
    weapon("handgun", 60, 24, S4_PIERCING)


def test_WH6_MW_handgun_worked_example() -> None:
    # T-05: ten handguns, BS 3 standing, T 4; unsaved 1/12, 1/9, 5/36, 1/6 a shot by save.
    unsaved = {"2+": F(1, 12), "3+": F(1, 9), "4+": F(5, 36), "5+": F(1, 6), None: F(1, 6)}
    two_dead = {"2+": 0.20027, "3+": 0.30712, "4+": 0.41425, "5+": 0.51548, None: 0.51548}
    for save, p in unsaved.items():
        boars = {"T": 4, "save": save} if save else {"T": 4}
        guns = {"missile": "handgun", "shooters": 10}
        lost = play(boars, guns, None, "stand_and_shoot").dist("shooting_casualties")
        assert lost[0] == (1 - p) ** 10
        assert round(float(1 - lost[0] - lost[1]), 5) == two_dead[save]


def test_WH6_MW_pistol() -> None:
    weapon("pistol", 20, 8, S4_PIERCING)


def test_WH6_MW_sling() -> None:
    # Two shots up to 22 cm (9 inches), which cost 1; BS 6 standing and shooting otherwise 2+.
    # At 22 of 45: short, two shots at 3+. At 22.01: one shot at 2+. At 22.51: long range, 3+.
    tough = {"T": 4, "save": "4+"}
    slings = {"missile": "sling", "BS": 6}
    cases = [("cm", 22, 2, F(4, 6)), ("cm", 22.01, 1, F(5, 6)), ("cm", 22.51, 1, F(4, 6))]
    cases += [("inch", 9, 2, F(4, 6)), ("inch", 9.01, 1, F(4, 6))]
    for units, distance, shots, to_hit in cases:
        charge = {"distance": distance, "reach": distance}
        solved = shot(slings, tough, charge, units=units)
        assert solved.mean("shooting_casualties") == shots * to_hit * S3, (units, distance)
    # beyond the whole range, 45 cm, still long range and one shot
    far = shot(slings, tough, {"distance": 46, "reach": 46})
    assert far.mean("shooting_casualties") == F(4, 6) * S3


def test_WH6_MW_javelin() -> None:
    thrown("javelin", S3)


def test_WH6_MW_throwing_axe() -> None:
    thrown("throwing_axe", S4)


def test_WH6_MW_throwing_knife() -> None:
    thrown("throwing_knife", S3)


def test_WH6_MW_javelin_of_a_crew_takes_the_crews_strength() -> None:
    # The chariot's own S is 5, its crew's 3: 5+ against T 4, save 4+.
    crewed = {k: v for k, v in CHARIOT.items() if k != "side"}
    crewed |= {"WS": 4, "BS": 6, "I": 5, "A": 1, "Ld": 8, "missile": "javelin"}
    solved = shot(crewed, {"T": 4, "save": "4+"})
    assert solved.mean("shooting_casualties") == F(5, 6) * S3


@pytest.mark.parametrize(
    ("name", "units", "length"),
    [
        ("javelin", "cm", 20),
        ("throwing_axe", "cm", 15),
        ("throwing_knife", "cm", 15),
        ("javelin", "inch", 8),
        ("throwing_axe", "inch", 6),
        ("throwing_knife", "inch", 6),
    ],
)
def test_WH6_SS_06_thrown_weapons_reach_as_far_as_the_table_says(
    name: str, units: str, length: int
) -> None:
    # Falls short: reach 1, M 3; shot at only where the failed charge ends within the range.
    for distance, shoots in ((length + 3, True), (length + 3.01, False)):
        solved = shot(
            {"missile": name, "BS": 6},
            {"M": 3},
            {"distance": distance, "reach": 1},
            units=units,
            switches={"ss_on_failed": "if_in_range_after_failed_move"},
        )
        assert (solved.mean("shooting_casualties") > 0) == shoots


def test_WH6_CHG_15_the_blocked_are_shot_at() -> None:
    solved = shot(charge={"blocked_by": ["c"]}, more={"c": FRIEND})
    assert solved.mean("shooting_casualties") == F(1, 6)
    assert solved.words == {"contact": F(15, 36), "blocked": F(21, 36)}
