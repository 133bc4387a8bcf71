"""Several charges at once, and charges redirected when their target has fled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from wh6.build import MAN, Solved, battle, dice, men

F = Fraction
RIDER: dict[str, Any] = {**MAN, "side": "active", "models": 5, "troop": "cavalry", "M": 18}
SPEARS: dict[str, Any] = {**MAN, "side": "reactive", "models": 8, "width": 4}
CAUGHT = F(259, 648)
"""Reach 36, gap 20, flight 5D6 <= 16 (T-08)."""
FLEE = {"b": "flee"}


def redirected(
    entry: dict[str, Any] | None = None,
    second: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    rider: dict[str, Any] | None = None,
    reaction: dict[str, Any] | None = None,
    first: dict[str, Any] | None = None,
    **others: Any,
) -> Solved:
    """Riders charge ``b``, 20 away, who flees; behind it stands ``d``, 24 away."""
    units = {
        "a": {**RIDER, **(rider or {})},
        "b": {**SPEARS, **(first or {})},
        "d": {**SPEARS, "rules": ["unbreakable"], **(second or {})},
    }
    way = {"distance": 20, "redirect": [{"target": "d", "distance": 24, **(entry or {})}]}
    return battle(units, ("a", "b", {**way, **(charge or {})}), reaction=reaction or FLEE, **others)


def test_WH6_REDIR_01_where_the_first_target_has_fled_another_may_be_charged() -> None:
    found = redirected()
    assert found.words == {"redirected_contact": 1 - CAUGHT, "target_fled_caught": CAUGHT}
    assert found.fates("d")["no_combat"] == CAUGHT
    assert found.fates("b") == {"no_combat": 1}
    # no flight, no redirection
    stays = redirected(reaction={"b": "hold"})
    assert stays.words == {"contact": 1}
    assert stays.fates("d") == {"no_combat": 1}


def test_WH6_REDIR_01_forced_flight_allows_it_too() -> None:
    # Five riders that cause fear (US 10) put eight men of Ld 7 to flight with 15/36; the second,
    # unbreakable, is not asked.
    found = redirected(rider={"rules": ["fear"]}, reaction={"b": "hold"})
    assert found.p("redirected_contact") == F(15, 36) * (1 - CAUGHT)
    assert found.p("contact") == F(21, 36)


def test_WH6_REDIR_01_off_the_table_it_may_be_redirected() -> None:
    # Over an edge of 4 every flight of 5D6 leaves the table.
    found = redirected(charge={"edge": 4})
    assert found.words == {"redirected_contact": 1}
    assert found.state("b") == {"fled_off_table": 1}


def test_WH6_REDIR_02_chase_or_redirect_never_both() -> None:
    found = redirected()
    caught = found.state("b")["destroyed"]
    assert caught == CAUGHT
    assert found.p("redirected_contact") + caught == 1


def test_WH6_REDIR_03_the_same_reach_from_where_it_stood() -> None:
    near = redirected({"distance": 36})
    far = redirected({"distance": 36.01})
    assert near.p("redirected_contact") == 1 - CAUGHT
    assert far.words == {"target_fled_escaped": 1 - CAUGHT, "target_fled_caught": CAUGHT}


def test_WH6_REDIR_03_what_was_rolled_for_the_first_counts() -> None:
    # Reach 30 + D6: a target at 34 from D6 >= 4, for the same roll. The first, at 20, flees off
    # the table at once.
    found = redirected({"distance": 34}, charge={"reach": "30+1D6", "edge": 4})
    assert found.words == {"redirected_contact": F(1, 2), "target_fled_off_table": F(1, 2)}


def test_WH6_REDIR_03_a_reach_that_was_given_is_kept() -> None:
    # 40 as given, not twice M 18.
    found = redirected({"distance": 38}, charge={"reach": 40, "edge": 4})
    assert found.words == {"redirected_contact": 1}
    view = found.reading.charges[0].within["redirect.0"]
    assert {view.words[int(code)] for code in view.codes} == {"contact"}


def test_WH6_REDIR_03_a_target_out_of_reach_at_first_may_give_way_to_a_nearer_one() -> None:
    found = redirected(charge={"distance": 40})
    assert found.words == {"redirected_contact": 1}


def test_WH6_REDIR_04_once_only() -> None:
    # The second flees as well: no third is tried, and the word is that of the first flight.
    units = {
        "a": RIDER,
        "b": SPEARS,
        "d": SPEARS,
        "e": {**SPEARS, "rules": ["unbreakable"]},
    }
    way = {
        "distance": 20,
        "edge": 4,
        "redirect": [{"target": "d", "distance": 35}, {"target": "e", "distance": 20}],
    }
    found = battle(units, ("a", "b", way), reaction={"b": "flee", "d": "flee"})
    assert found.words == {"target_fled_off_table": 1}
    assert found.state("d") == {"fleeing": 1}
    assert found.fates("e") == {"no_combat": 1}


def test_WH6_REDIR_04_entries_in_the_order_of_the_file() -> None:
    units = {"a": RIDER, "b": SPEARS, "d": SPEARS, "e": {**SPEARS, "rules": ["unbreakable"]}}
    way = {
        "distance": 20,
        "edge": 4,
        "redirect": [{"target": "d", "distance": 36.01}, {"target": "e", "distance": 20}],
    }
    found = battle(units, ("a", "b", way), reaction=FLEE)
    assert found.words == {"redirected_contact": 1}
    assert found.fate("no_combat", "e") == 0
    assert found.fates("d") == {"no_combat": 1}


@pytest.mark.parametrize(("value", "p"), [("none", F(1)), ("leadership", F(21, 36))])
def test_WH6_REDIR_05_redirect_test(value: str, p: Fraction) -> None:
    found = redirected(switches={"redirect_test": value})
    assert found.p("redirected_contact") == (1 - CAUGHT) * p
    assert found.p("target_fled_escaped") == (1 - CAUGHT) * (1 - p)


BOW = {"missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
SHOT = F(25, 36)


def test_WH6_REDIR_06_the_new_target_reacts() -> None:
    # It shoots when more than half of 36 away: one of twenty riders dies, 25/36.
    many = {"models": 20}
    shoots = {"b": "flee", "d": "stand_and_shoot"}
    found = redirected({}, BOW, {"edge": 4}, many, shoots)
    assert found.reading.charges[0].within["redirect.0"].labels["reaction"] == "stand_and_shoot"
    inner = found.reading.charges[0].within["redirect.0"].quantities["shooting_casualties"]
    dead = sum(w for w, n in zip(found.weights, inner.values, strict=True) if n == 1)
    assert dead == SHOT
    near = redirected({"distance": 18}, BOW, {"edge": 4}, many, shoots)
    inner = near.reading.charges[0].within["redirect.0"].quantities["shooting_casualties"]
    assert not inner.values.any()


def test_WH6_REDIR_06_it_may_flee_in_its_turn() -> None:
    found = redirected({}, {"rules": []}, {"edge": 4}, reaction={"b": "flee", "d": "flee"})
    caught = dice(5, lambda total: total <= 12)
    assert found.words == {"target_fled_off_table": 1}
    assert found.state("d") == {"destroyed": caught, "fleeing": 1 - caught}


@pytest.mark.parametrize(("value", "dead"), [("allowed", SHOT), ("forbidden", F(0))])
def test_WH6_REDIR_06_redirect_ss(value: str, dead: Fraction) -> None:
    found = redirected(
        {},
        BOW,
        {"edge": 4},
        {"models": 20},
        {"b": "flee", "d": "stand_and_shoot"},
        switches={"redirect_ss": value},
    )
    inner = found.reading.charges[0].within["redirect.0"].quantities["shooting_casualties"]
    assert sum(w for w, n in zip(found.weights, inner.values, strict=True) if n == 1) == dead


def test_WH6_REDIR_06_who_was_charged_before_shoots_as_declared() -> None:
    # Even where redirection forbids it: the reaction was given to another charge.
    units = {
        "a": {**RIDER, "models": 20},
        "c": {**RIDER, "models": 20},
        "b": SPEARS,
        "d": {**SPEARS, **BOW, "models": 40, "width": 40, "rules": ["unbreakable"]},
    }
    way = {"distance": 20, "edge": 4, "redirect": [{"target": "d", "distance": 24}]}
    found = battle(
        units,
        ("a", "b", way),
        ("c", "d", {"distance": 20}),
        reaction={"b": "flee", "d": {"do": "stand_and_shoot", "at": "a"}},
        switches={"redirect_ss": "forbidden"},
    )
    inner = found.reading.charges[0].within["redirect.0"].quantities["shooting_casualties"]
    assert sum(w for w, n in zip(found.weights, inner.values, strict=True) if n == 1) == SHOT


def test_WH6_REDIR_06_its_own_tests_are_taken() -> None:
    # The second causes fear: the redirected charger dares with 21/36; else the word stays the
    # first flight's. And it fears what it is charged by.
    found = redirected({}, {"rules": ["fear"]}, {"edge": 4})
    assert found.words == {"redirected_contact": F(21, 36), "target_fled_off_table": F(15, 36)}
    terror = redirected({}, {"rules": ["terror"]}, {"edge": 4})
    assert terror.before_fight("a")["fleeing"] == F(15, 36)
    afraid = redirected({}, {"rules": []}, {"edge": 4}, {"rules": ["fear"]})
    assert afraid.p("redirected_contact") == F(21, 36)  # US 10 to 8: flight
    assert sum(afraid.unit_dist("d", "flee_distance").values()) == F(15, 36)


def test_WH6_REDIR_07_who_can_run_its_target_down_does() -> None:
    # Gap 5: 5D6 <= 31, always.
    found = redirected(charge={"distance": 5})
    assert found.words == {"target_fled_caught": 1}
    assert found.fates("d") == {"no_combat": 1}


def test_WH6_REDIR_07_nor_who_failed_its_own_test() -> None:
    # Fear of the first target, which flees all the same: 15/36 stay.
    found = redirected(first={"rules": ["fear"], "fleeing": False}, reaction={"b": "hold"})
    assert found.words == {"contact": F(21, 36), "refused_fear": F(15, 36)}
    refused = redirected(first={"rules": ["fear"]})
    assert refused.p("refused_fear") == F(15, 36)
    assert refused.p("redirected_contact") == F(21, 36) * (1 - CAUGHT)


def test_WH6_REDIR_01_nobody_redirects_onto_one_who_has_fled() -> None:
    # The second target is charged by another and flees first: the next entry is taken.
    units = {"a": RIDER, "c": RIDER, "b": SPEARS, "d": SPEARS, "e": {**SPEARS}}
    units["e"]["rules"] = ["unbreakable"]
    entries = [{"target": "d", "distance": 24}, {"target": "e", "distance": 24}]
    fled = {"b": "flee", "d": "flee"}
    other = ("c", "d", {"distance": 20})
    way = {"distance": 20, "edge": 4, "redirect": entries}
    found = battle(units, ("a", "b", way), other, reaction=fled)
    assert found.words == {"redirected_contact": 1}
    assert found.fate("no_combat", "e") == 0
    alone = battle(units, ("a", "b", {**way, "redirect": entries[:1]}), other, reaction=fled)
    assert alone.words == {"target_fled_off_table": 1}


def test_WH6_REDIR_01_onto_one_that_others_charge_it_comes_beside_them() -> None:
    # The reaction already given stands: hold.
    units = {
        "a": RIDER,
        "c": RIDER,
        "b": SPEARS,
        "d": {**SPEARS, "models": 40, "width": 20, "rules": ["unbreakable"]},
    }
    way = {"distance": 20, "edge": 4, "redirect": [{"target": "d", "distance": 24}]}
    found = battle(units, ("a", "b", way), ("c", "d", {"distance": 20}), reaction=FLEE)
    assert found.both("redirected_contact", "contact") == 1
    assert found.fate("no_combat", "d") == 0


# several charges on one target


def test_WH6_SEQ_06_one_reaction_that_knows_every_charge() -> None:
    # T-15: two chargers of reach 36, one at 17, one at 35: no stand and shoot at either, whichever
    # was declared first.
    units = {"a": {**RIDER, "models": 20}, "c": {**RIDER, "models": 20}, "b": {**SPEARS, **BOW}}
    units["b"] |= {"models": 40, "width": 40}
    shoot = {"b": "stand_and_shoot"}
    for distances in ((17, 35), (35, 17)):
        charges = [("ac"[i], "b", {"distance": d}) for i, d in enumerate(distances)]
        found = battle(units, *charges, reaction=shoot)
        assert found.dist("shooting_casualties", 0) == {0: 1}
        assert found.dist("shooting_casualties", 1) == {0: 1}
    found = battle(
        units, ("a", "b", {"distance": 19}), ("c", "b", {"distance": 35}), reaction=shoot
    )
    assert found.dist("shooting_casualties", 0)[1] == SHOT


def test_WH6_SS_02_at_one_charger_alone() -> None:
    units = {"a": {**RIDER, "models": 20}, "c": {**RIDER, "models": 20}, "b": {**SPEARS, **BOW}}
    units["b"] |= {"models": 40, "width": 40}
    way = {"distance": 20}
    first = battle(units, ("a", "b", way), ("c", "b", way), reaction={"b": "stand_and_shoot"})
    assert first.dist("shooting_casualties", 0) == {0: 1 - SHOT, 1: SHOT}
    assert first.dist("shooting_casualties", 1) == {0: 1}
    for at, charge in (("a", 0), ("c", 1)):
        aimed = battle(
            units,
            ("a", "b", way),
            ("c", "b", way),
            reaction={"b": {"do": "stand_and_shoot", "at": at}},
        )
        assert aimed.dist("shooting_casualties", charge)[1] == SHOT
        assert aimed.dist("shooting_casualties", 1 - charge) == {0: 1}


def test_WH6_SS_02_the_first_in_sight() -> None:
    # The first comes from the flank: they shoot at the second.
    units = {"a": {**RIDER, "models": 20}, "c": {**RIDER, "models": 20}, "b": {**SPEARS, **BOW}}
    units["b"] |= {"models": 40, "width": 40}
    found = battle(
        units,
        ("a", "b", {"distance": 20, "arc": "flank"}),
        ("c", "b", {"distance": 20}),
        reaction={"b": "stand_and_shoot"},
    )
    assert found.dist("shooting_casualties", 0) == {0: 1}
    assert found.dist("shooting_casualties", 1)[1] == SHOT


def test_WH6_SS_02_who_does_not_dare_is_passed_over() -> None:
    # The first is afraid of them with 15/36: then they shoot at the second, who fears nothing.
    units = {
        "a": {**RIDER, "models": 20},
        "c": {**RIDER, "models": 20, "rules": ["unbreakable"]},
        "b": {**SPEARS, **BOW, "rules": ["fear"], "models": 40, "width": 40},
    }
    way = {"distance": 20}
    found = battle(units, ("a", "b", way), ("c", "b", way), reaction={"b": "stand_and_shoot"})
    assert found.dist("shooting_casualties", 0)[1] == F(21, 36) * SHOT
    assert found.dist("shooting_casualties", 1)[1] == F(15, 36) * SHOT


def test_WH6_FLEE_02_one_flight_and_caught_by_one_it_is_caught_for_all() -> None:
    # Gaps 20 and 30 of reach 36: caught when 5D6 <= 16, by the nearer alone.
    units = {"a": RIDER, "c": RIDER, "b": SPEARS}
    for first, second in ((20, 30), (30, 20)):
        found = battle(
            units,
            ("a", "b", {"distance": first}),
            ("c", "b", {"distance": second}),
            reaction=FLEE,
        )
        assert found.both("target_fled_caught", "target_fled_caught") == CAUGHT
        assert found.both("target_fled_escaped", "target_fled_escaped") == 1 - CAUGHT
        assert found.dist("flee_distance", 0) == found.dist("flee_distance", 1)


def test_WH6_FLEE_02_the_edge_of_the_first_charge_that_names_one() -> None:
    units = {"a": RIDER, "c": RIDER, "b": SPEARS}
    found = battle(
        units,
        ("a", "b", {"distance": 36}),
        ("c", "b", {"distance": 36, "edge": 14}),
        reaction=FLEE,
    )
    off = dice(5, lambda total: total > 14)
    assert found.p("target_fled_off_table") == off
    two = battle(
        units,
        ("a", "b", {"distance": 36, "edge": 20}),
        ("c", "b", {"distance": 36, "edge": 14}),
        reaction=FLEE,
    )
    assert two.p("target_fled_off_table") == dice(5, lambda total: total > 20)


@pytest.mark.parametrize(
    ("value", "shoots"), [("before_reaction", F(15, 36)), ("after_reaction", F(0))]
)
def test_WH6_SEQ_04_who_did_not_dare_before_the_reaction_is_no_charger(
    value: str, shoots: Fraction
) -> None:
    # One is too near for shots, but may fear its target: tested before the reaction it is out of
    # the reckoning, and they shoot at the other; tested after it, they hold.
    units = {
        "a": {**RIDER, "models": 20},
        "c": {**RIDER, "models": 20, "rules": ["unbreakable"]},
        "b": {**SPEARS, **BOW, "rules": ["fear"], "models": 40, "width": 40},
    }
    found = battle(
        units,
        ("a", "b", {"distance": 17}),
        ("c", "b", {"distance": 35}),
        reaction={"b": "stand_and_shoot"},
        switches={"charger_test": value},
    )
    assert found.dist("shooting_casualties", 1).get(1, 0) == shoots * F(20, 36)  # long range: 3+
    assert found.dist("shooting_casualties", 0) == {0: 1}


# several tests of one target


def test_WH6_FEAR_02_one_test_for_each_fear_causing_charger() -> None:
    # T-26: fighting already, charged on both flanks and in the rear by three of US >= 5 that cause
    # fear: one panic test and three of fear; on Ld 7 all passed in 2401/20736. Not fighting: fear
    # alone, 343/1728. (Forty men: fear puts nobody to flight.)
    flanks = [("a", "flank"), ("c", "flank"), ("d", "rear")]
    charges = [(name, "b", {"arc": arc}) for name, arc in flanks]
    units = {name: men(5, rules=["fear", "unbreakable"]) for name, _ in flanks}
    units["b"] = men(40, "reactive", width=10, rules=[])
    free = battle(units, *charges)
    none = sum(
        weight
        for state, weight in enumerate(free.weights)
        if not any(free.reading.charges[i].flags["needs_sixes"][state] for i in range(3))
    )
    assert none == F(343, 1728)
    units["b"] = {**units["b"], "engaged": True}
    held = battle(units, *charges)
    assert held.p("contact") == F(21, 36)
    passed = sum(
        weight
        for state, weight in enumerate(held.weights)
        if held.reading.charges[0].words[int(held.reading.charges[0].codes[state])] == "contact"
        and not any(held.reading.charges[i].flags["needs_sixes"][state] for i in range(3))
    )
    assert passed == F(2401, 20736)


def test_WH6_PANIC_02_one_panic_test_however_many_charges() -> None:
    units = {
        "a": men(5),
        "c": men(5),
        "b": men(40, "reactive", width=10, rules=[], engaged=True),
    }
    found = battle(units, ("a", "b", {"arc": "flank"}), ("c", "b", {"arc": "rear"}))
    assert found.both("contact", "contact") == F(21, 36)


def test_WH6_US_02_two_small_chargers_do_not_add_up() -> None:
    # T-22: a chariot (4) and two riders (4) on a flank each: no panic test.
    units = {
        "a": men(4),
        "c": men(4),
        "b": men(40, "reactive", width=10, rules=[], engaged=True),
    }
    flank = {"arc": "flank"}
    assert battle(units, ("a", "b", flank), ("c", "b", flank)).both("contact", "contact") == 1
    units["c"] = men(5)
    found = battle(units, ("a", "b", flank), ("c", "b", flank))
    assert found.both("contact", "contact") == F(21, 36)


def test_WH6_TERR_06_fear_of_one_charger_then_terror_of_another() -> None:
    # Eight men: the fear of five riders (US 10) puts them to flight with 15/36 and ends their
    # tests; the rest take the terror, 15/36 of them flee.
    units = {
        "a": {**RIDER, "rules": ["terror"]},
        "c": {**RIDER, "rules": ["fear"]},
        "b": {**SPEARS, "models": 8, "width": 8},
    }
    way = {"distance": 20}
    found = battle(units, ("a", "b", way), ("c", "b", way))
    assert found.both("contact", "contact") == F(21, 36) ** 2
    # forty men flee from terror alone, and need sixes against the fear-causer only
    units["b"] = {**SPEARS, "models": 40, "width": 20}
    found = battle(units, ("a", "b", way), ("c", "b", way))
    assert found.both("contact", "contact") == F(21, 36)
    assert (found.sixes, found.sixes_of(1)) == (0, F(15, 36) * F(21, 36))


def test_WH6_TERR_03_a_second_terror_causer_asks_for_nothing_more() -> None:
    units = {
        "a": {**RIDER, "rules": ["terror"]},
        "c": {**RIDER, "rules": ["terror"]},
        "b": {**SPEARS, "models": 40, "width": 20},
    }
    way = {"distance": 20}
    found = battle(units, ("a", "b", way), ("c", "b", way))
    assert found.both("contact", "contact") == F(21, 36)
    assert found.sixes == found.sixes_of(1) == 0


# who stands in the way


def test_WH6_CHG_12_a_friend_that_charged_earlier_has_left() -> None:
    units = {
        "c": RIDER,
        "a": RIDER,
        "b": {**SPEARS, "rules": ["unbreakable"]},
        "d": {**SPEARS, "rules": ["unbreakable"]},
    }
    behind = {"distance": 20, "blocked_by": ["c"]}
    found = battle(units, ("c", "d", {"distance": 20}), ("a", "b", behind))
    assert found.both("contact", "contact") == 1
    # its charge may have failed
    short = battle(units, ("c", "d", {"distance": 37}), ("a", "b", behind))
    assert short.both("out_of_reach", "contact") == 1
    # but one that did not dare stays (WH6-CHG-07)
    units["d"] = {**SPEARS, "rules": ["fear"]}
    afraid = battle(units, ("c", "d", {"distance": 20}), ("a", "b", behind))
    assert afraid.both("refused_fear", "blocked") == F(15, 36)
    assert afraid.both("contact", "contact") == F(21, 36)


def test_WH6_RALLY_01_who_began_to_flee_this_turn_does_not_rally_in_the_path() -> None:
    # The friend in the path charged what terrifies it: whether it dared or fled it is gone.
    units = {
        "c": RIDER,
        "a": RIDER,
        "b": {**SPEARS, "rules": ["unbreakable"]},
        "d": {**SPEARS, "rules": ["terror"]},
    }
    behind = {"distance": 20, "blocked_by": ["c"]}
    found = battle(units, ("c", "d", {"distance": 20}), ("a", "b", behind))
    assert found.both("charger_fled_terror", "contact") == F(15, 36)
    assert found.both("contact", "contact") == F(21, 36)


def test_WH6_RALLY_01_nor_who_panicked_from_shots() -> None:
    bows = {**SPEARS, "missile": {"range": 60, "S": 10}, "BS": 6, "shooters": 1}
    units = {
        "c": {**RIDER, "models": 4},
        "a": RIDER,
        "b": {**SPEARS, "rules": ["unbreakable"]},
        "d": bows,
    }
    behind = {"distance": 20, "blocked_by": ["c"]}
    found = battle(
        units,
        ("c", "d", {"distance": 20}),
        ("a", "b", behind),
        reaction={"d": "stand_and_shoot"},
    )
    assert found.p("charger_fled_panic") == SHOT * F(15, 36)
    assert found.p("contact", 1) == 1


def test_WH6_CHG_12_an_enemy_put_to_flight_is_gone() -> None:
    # An enemy charged earlier by what terrifies it: fled with 15/36, else in the way.
    units = {
        "c": {**RIDER, "rules": ["terror"]},
        "a": RIDER,
        "b": {**SPEARS, "rules": ["unbreakable"]},
        "d": SPEARS,
    }
    behind = {"distance": 20, "blocked_by": ["d"]}
    found = battle(units, ("c", "d", {"distance": 20}), ("a", "b", behind))
    assert found.p("contact", 1) == F(15, 36)
    assert found.p("blocked", 1) == F(21, 36)
