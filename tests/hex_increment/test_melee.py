"""Lines and company columns: shares, results on both sides, pursuit, order."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hex_increment.build import (
    ALL_RESULTS,
    INFANTRY,
    STEADY,
    charge,
    column,
    face,
    line,
    played,
    row,
    solved,
)
from hex_increment.test_vectors import first_example
from hex_increment.test_zone import ground, planned, refused

ALL = {"melee": ALL_RESULTS}


def results(*texts: str) -> dict[str, int]:
    """Rolls of a line's melees."""
    return {f"melee.s{i}": face(text) for i, text in enumerate(texts, 1)}


def waves(*texts: str) -> dict[str, int]:
    """Rolls of a column's waves."""
    return {f"wave.{i}": face(text) for i, text in enumerate(texts)}


def test_HEX_LINE_01_several_stacks() -> None:
    assert played(line(3)).melees == 3
    file = charge(
        more={"other": {**INFANTRY, "hexes": [[3, -1]]}}, charge={"targets": ["inf", "other"]}
    )
    refused(file, "HEX-LINE-01")


def test_HEX_LINE_02_never_cavalry_with_others() -> None:
    end = played(line(3, units={"s2": {"kind": "cavalry"}, "s3": {"kind": "artillery"}}))
    assert end.fates["s1"] == end.fates["s3"] == "no_contact"


def test_HEX_LINE_03_the_cavalry_and_only_it() -> None:
    end = played(line(2, units={"s1": {"kind": "cavalry"}}))
    assert end.melees == 1
    assert end.fates["s2"] == "no_contact"


def test_HEX_LINE_04_every_stack_for_itself() -> None:
    file = line(3, reaction={"s1": "square", "s3": "retire"}, units={"s3": {"can_retire": 0.5}})
    asked = played(file, {"square.s1": 66}).asked
    assert asked[:2] == ["square.s1", "retirement.s3"]
    end = solved(line(2, units={"s1": {"morale": 36, "stand_modifier": 0}}))
    assert end.combats["s1"]["target_broke_before_melee"] == F(1, 2)
    assert "target_broke_before_melee" not in end.combats["s2"]


def test_HEX_LINE_05_every_contact_is_fought() -> None:
    assert [q for q in played(line(3)).asked if q.startswith("melee")] == [
        "melee.s1", "melee.s2", "melee.s3",
    ]  # fmt: skip


def test_HEX_LINE_06_one_roll_each() -> None:
    end = played(line(2, tables=ALL), results("DR", "AD1"))
    assert end.fates == {"s1": "target_broke", "s2": "target_stood"}


def test_HEX_LINE_07_one_unit_on_two_hexes_is_one_roll() -> None:
    end = played(line(1))
    assert end.melees == 1
    assert end.values == [("s1", F(48))]


def test_HEX_LINE_08_shares_by_hexes() -> None:
    assert played(line(2)).values == [("s1", F(24)), ("s2", F(24))]
    # idle hexes add nothing
    assert played(line(1, hexes=4)).values == [("s1", F(24))]
    assert played(line(1, 50, hexes=3)).values == [("s1", F(100, 3))]
    floored = line(1, 50, hexes=3, switches={"fraction": "floor"})
    assert played(floored).values == [("s1", F(33))]


def test_HEX_LINE_08_a_hex_that_touches_two() -> None:
    units = {"s2": {"hexes": [[1, 1]]}, "s1": {"hexes": [[0, 2]]}}
    file = line(2, 24, hexes=2, units=units)
    assert planned(file).touched == (("s1", "s2"), ("s2",))
    assert planned(file).given == ("s1", "")
    chosen = {"give": {"0": "s1"}}
    assert played(line(2, 24, hexes=2, units=units, charge=chosen)).values == [
        ("s1", F(12)), ("s2", F(12)),
    ]  # fmt: skip
    chosen = {"give": {"0": "s2"}}
    refused(line(2, 24, hexes=2, units=units, charge=chosen), "charge.0.give", "s1", "HEX-LINE-05")
    halves = line(2, 24, hexes=2, units=units, switches={"split_hex": "half"})
    assert played(halves).values == [("s1", F(6)), ("s2", F(18))]


def test_HEX_LINE_09_modifiers_in_each_melee() -> None:
    file = line(2, 48, charge={"modifier": 6})
    assert played(file).values == [("s1", F(30)), ("s2", F(30))]
    file["switches"] = {"line_modifiers": "before_share"}
    assert played(file).values == [("s1", F(27)), ("s2", F(27))]


@pytest.mark.parametrize(
    ("texts", "word", "recoil"),
    [
        (("BLANK", "AD1", "BLANK"), "charger_disordered", 1),
        (("AD2", "AR", "BLANK"), "charger_routed", 0),
        (("AS", "AR", "AD2"), "charger_surrendered", 0),
        (("2/1", "2/1", "2/1"), "no_pursuit", 0),
        (("AD1", "AD2", "DD1"), "charger_disordered", 2),
    ],
)
def test_HEX_LINE_10_the_worst_of_all(texts: tuple[str, ...], word: str, recoil: int) -> None:
    end = played(
        line(3, tables=ALL, units={f"s{i}": {"increments": 4} for i in (1, 2, 3)}), results(*texts)
    )
    assert (end.word, end.charger_recoil) == (word, recoil)


def test_HEX_LINE_11_nothing_is_cancelled_between_targets() -> None:
    end = played(line(3, tables=ALL), results("AS", "DR", "DD1"))
    assert end.melees == 3
    assert end.fates["s3"] == "target_disordered"
    file = line(2, tables=ALL)
    assert played(file, results("AD1", "AD1")).states["cav"] == "disordered"
    file["switches"] = {"line_two_disorders": "rout"}
    assert played(file, results("AD1", "AD1")).word == "charger_routed"


@pytest.mark.parametrize("text", ["DD1", "DR", "DS", "DD0"])
def test_HEX_LINE_12_a_hit_negates_the_bounce(text: str) -> None:
    assert played(line(2, tables=ALL), results(text, "BLANK")).word == "no_pursuit"
    assert played(line(2, tables=ALL), results("BLANK", "BLANK")).word == "bounced"


def test_HEX_LINE_13_pursuit_only_if_all_retreat() -> None:
    assert played(line(2, tables=ALL), results("DD1", "DR")).word == "pursues"
    assert played(line(2, tables=ALL), results("DD1", "BLANK")).word == "no_pursuit"
    assert played(line(2, tables=ALL), results("DD1", "DS")).word == "pursues"
    file = line(2, tables=ALL, switches={"ds_counts_as_retreat": False})
    assert played(file, results("DD1", "DS")).word == "no_pursuit"
    # who is gone before the melee does not count
    file = line(2, tables=ALL, units={"s2": {"morale": 66, "stand_modifier": 0}})
    assert played(file, results("DD1")).word == "pursues"
    assert played(line(1, tables=ALL, charge={"pursue": False}), results("DR")).word == "no_pursuit"


def test_HEX_LINE_14_over_and_disordered() -> None:
    assert played(line(1, tables=ALL), results("BLANK")).states["cav"] == "disordered"
    assert played(line(1, tables=ALL), results("AD1")).states["cav"] == "disordered"
    before = line(1, tables=ALL, cavalry={"state": "disordered"})
    assert played(before, results("BLANK")).states["cav"] == "pgd"
    # one hex is not several
    assert (
        played(charge(infantry=STEADY, tables=ALL), {"melee.inf": face("BLANK")}).states["cav"]
        == "good"
    )
    first = {**before, "switches": {"pursue_then_disorder": False}}
    assert played(before, results("DR")).word == "pursues"
    assert played(first, results("DR")).word == "no_pursuit"


def test_HEX_LINE_17_all_of_it_is_recalled_or_none() -> None:
    file = line(2, tables=ALL, charge={"recall": True})
    end = played(file, {**results("DR", "DR"), "recall": 3})
    assert (end.word, end.flags["recall_passed"]) == ("recalled", True)
    end = played(file, {**results("DR", "DR"), "recall": 2})
    assert (end.word, end.flags["recall_passed"]) == ("pursues", False)
    assert end.asked.count("recall") == 1
    file["unit"]["cav"]["leader"] = True
    assert played(file, {**results("DR", "DR"), "recall": 2}).word == "recalled"
    assert "recall" not in played(file, results("AR", "DR")).asked


def test_HEX_LINE_18_three_hexes_against_a_line_of_two_and_a_column() -> None:
    units = {"s2": {"formation": "column", "hexes": [[2, 0]]}}
    end = played(line(2, 48, hexes=3, units=units))
    assert end.melees == 2


def test_HEX_COL_01_one_melee_a_hex() -> None:
    for hexes in (1, 2, 3, 4):
        assert played(column(hexes, tables=ALL), {}).melees == hexes
    refused(
        column(2, more={"b": {**INFANTRY, "hexes": [[3, -1]]}}, charge={"targets": ["inf", "b"]}),
        "column_targets",
    )


def test_HEX_COL_02_the_value_after_modifiers_divided() -> None:
    assert played(column(3, 33, tables=ALL)).values == [("inf", F(11))] * 3
    assert played(column(4, 40, charge={"modifier": 6})).values[0] == ("inf", F(23, 2))


def test_HEX_COL_03_the_counters_do_not_move() -> None:
    end = played(column(3, tables=ALL), waves("BLANK", "AD1", "BLANK"))
    assert end.values == [("inf", F(11))] * 3


def test_HEX_COL_04_the_defender_suffers_at_once() -> None:
    end = played(column(3, tables=ALL), waves("DD0", "DD0"))
    assert (end.states["inf"], end.melees) == ("pgd", 2)


@pytest.mark.parametrize(("text", "state"), [("DD1", "disordered"), ("DR", "pgd"), ("DS", "gone")])
def test_HEX_COL_05_recoil_rout_surrender_cancel_the_rest(text: str, state: str) -> None:
    end = played(column(3, tables=ALL), waves("BLANK", text))
    assert (end.melees, end.states["inf"]) == (2, state)


def test_HEX_COL_06_adverse_results_wait() -> None:
    end = played(column(3, tables=ALL), waves("AD1", "BLANK", "DD1"))
    assert end.melees == 3
    assert end.states["cav"] == "disordered"


@pytest.mark.parametrize(("text", "melees"), [("AR", 1), ("AS", 1), ("AD1", 3), ("BLANK", 3)])
def test_HEX_COL_07_rout_and_surrender_cancel_the_rest(text: str, melees: int) -> None:
    assert played(column(3, tables=ALL), waves(text)).melees == melees


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (("AD1", "AS"), "charger_surrendered"),
        (("AD1", "AR"), "charger_routed"),
        (("BLANK", "AD2", "BLANK"), "charger_disordered"),
        (("BLANK", "BLANK", "BLANK"), "bounced"),
    ],
)
def test_HEX_COL_08_the_worst(texts: tuple[str, ...], word: str) -> None:
    assert played(column(3, tables=ALL), waves(*texts)).word == word


def test_HEX_COL_09_more_than_one_disorder_routs() -> None:
    end = played(column(3, tables=ALL), waves("AD1", "BLANK", "AD1"))
    assert (end.word, end.states["cav"]) == ("charger_routed", "pgd")


@pytest.mark.parametrize("text", ["DD1", "DR", "DS"])
def test_HEX_COL_10_a_bounce_is_dropped(text: str) -> None:
    assert played(column(3, tables=ALL), waves("BLANK", text)).word == "pursues"


def test_HEX_COL_11_into_the_head_hex() -> None:
    end = played(column(3, tables=ALL), waves("AD1"))
    assert end.flags["head_hex"]
    assert not played(column(3, tables=ALL), waves("DD1")).flags["head_hex"]
    assert not played(line(2, tables=ALL), results("AD1")).flags["head_hex"]


def test_HEX_COL_12_the_column_pursues() -> None:
    file = column(3, tables=ALL, charge={"pursue": False})
    assert played(file, waves("DD2")).word == "pursues"
    file["switches"] = {"column_pursuit": "may"}
    assert played(file, waves("DD2")).word == "no_pursuit"
    assert played(column(3, tables=ALL), waves("AD1", "DD2")).word == "charger_disordered"


def test_HEX_COL_13_fighting_alone_does_not_disorder_a_column() -> None:
    assert played(column(3, tables=ALL), waves("BLANK", "BLANK", "BLANK")).states["cav"] == "good"


def test_HEX_SEQ_01_the_order_of_the_steps() -> None:
    file = line(3, reaction={"s1": "square", "s2": "retire"}, charge={"recall": True})
    file["unit"]["s1"] |= {"defensive_fire": [0.5, 0.5], "morale": 36, "stand_modifier": 0}
    file["unit"]["s2"] |= {"can_retire": 0.5}
    asked = played(file, {"square.s1": 46}).asked
    assert asked == [
        "square.s1", "retirement.s2", "stand.s1", "fire.s1", "melee.s1", "melee.s3", "recall",
    ]  # fmt: skip


def test_HEX_SEQ_02_a_square_stands() -> None:
    file = charge(infantry={"morale": 66}, reaction={"inf": {"do": "square", "at": 3}})
    assert "stand.inf" not in played(file, {"square.inf": 11}).asked
    assert played(file, {"square.inf": 11}).melees == 1
    formed = charge(infantry={"morale": 66, "formation": "square"})
    assert played(formed).values == [("inf", F(8))]


def test_HEX_SEQ_03_a_third_against_a_square() -> None:
    file = charge(infantry=STEADY, reaction={"inf": "square"})
    assert played(file, {"square.inf": 11}).values == [("inf", F(8))]
    file["switches"] = {"square_divisor": 2}
    assert played(file, {"square.inf": 11}).values == [("inf", F(12))]


@pytest.mark.parametrize(("at", "formed"), [(3, F(24, 36)), (2, F(16, 36)), (1, F(10, 36))])
def test_HEX_SEQ_04_square_by_distance(at: int, formed: F) -> None:
    end = solved(charge(reaction={"inf": {"do": "square", "at": at}}))
    assert end.combats["inf"]["forms_square=1"] == formed


def test_HEX_SEQ_04_a_failure_disorders_or_routs() -> None:
    file = charge(reaction={"inf": {"do": "square", "at": 3}})
    assert played(file, {"square.inf": 51}).states["inf"] != "good"
    assert played(file, {"square.inf": 66}).states["inf"] == "pgd"
    # in a failed charge it has tried all the same, when the charger came so near
    missed = {**file, "charge": [{**file["charge"][0], "path": [[1, 0]]}]}
    assert played(missed, {"square.inf": 66}).fates["inf"] == "target_broke_before_melee"
    helped = charge(infantry={"square": ["leader"]}, reaction={"inf": {"do": "square", "at": 3}})
    assert solved(helped).combats["inf"]["forms_square=1"] == F(27, 36)


def test_HEX_SEQ_05_a_second_disorder_is_pgd() -> None:
    file = charge(tables=ALL, reaction={"inf": {"do": "square", "at": 3}})
    end = played(file, {"square.inf": 51, "melee.inf": face("DD1")})
    assert "stand.inf" in end.asked
    assert (end.fates["inf"], end.states["inf"]) == ("target_broke", "pgd")


def test_HEX_SEQ_06_skirmishers_retire_and_contacts_are_counted_again() -> None:
    file = charge(infantry={"formation": "skirmish"}, reaction={"inf": "retire"})
    assert played(file).fates["inf"] != "target_retired"  # nowhere to go
    ground(file, town=({"shelter": True}, [[4, 0]]))
    end = played(file)
    assert (end.fates["inf"], end.word, end.states["cav"]) == (
        "target_retired",
        "targets_retired",
        "good",
    )
    # while the skirmishers are there one hex is theirs; when they are gone it fights the others
    shared = first_example()
    del shared["reaction"]["s2"]
    rolls = {"square.s1": 51, "square.s3": 11}
    assert [value for _, value in played(shared, rolls).values] == [F(24), F(12), F(4)]
    shared["reaction"]["s2"] = "retire"
    assert [value for _, value in played(shared, rolls).values] == [F(24), F(8)]


def test_HEX_SEQ_07_the_number_is_the_recoil() -> None:
    assert played(line(1, tables=ALL), results("DD2")).recoil["s1"] == 2
    assert played(line(1, tables=ALL), results("AD2")).charger_recoil == 2
    fixed = line(1, tables=ALL, switches={"pgd_retreat": 4})
    assert played(fixed, results("DR")).recoil["s1"] == 4
    assert played(fixed, results("DD2")).recoil["s1"] == 2


def test_HEX_SEQ_08_blank_bounces_the_charger() -> None:
    end = played(charge(infantry=STEADY, tables=ALL), {"melee.inf": face("BLANK")})
    assert (end.word, end.states["cav"]) == ("bounced", "good")


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        ("AS", "gone", "good"), ("AR", "pgd", "good"), ("AD1", "disordered", "good"),
        ("DD1", "good", "disordered"), ("DR", "good", "pgd"), ("DS", "good", "gone"),
    ],
)  # fmt: skip
def test_HEX_SEQ_09_what_the_letters_mean(text: str, ours: str, theirs: str) -> None:
    end = played(charge(infantry=STEADY, tables=ALL), {"melee.inf": face(text)})
    assert end.states == {"cav": ours, "inf": theirs}


def test_HEX_SEQ_09_losses_and_their_checks() -> None:
    file = charge(infantry={**STEADY, "increments": 4}, tables=ALL)
    end = played(file, {"melee.inf": face("2/1")})
    assert (end.lost, end.word) == (2, "no_pursuit")
    end = played(
        file, {"melee.inf": face("1*/1*"), "target_check.inf": 11, "charger_check.inf": 11}
    )
    assert end.states == {"cav": "disordered", "inf": "disordered"}
    file["switches"] = {"loss_check_fails": "nothing"}
    end = played(
        file, {"melee.inf": face("1*/1*"), "target_check.inf": 11, "charger_check.inf": 11}
    )
    assert end.states == {"cav": "good", "inf": "good"}


def test_HEX_SEQ_10_melees_wait_for_all_charges() -> None:
    from chargesim.engine.exact import Expander
    from chargesim.rulesets.hex_increment import state as st
    from chargesim.scenario import Scenario

    file = charge(infantry=STEADY)
    file["unit"]["hussars"] = {**file["unit"]["cav"], "hexes": [[-6, 6]]}
    file["unit"]["guns"] = {**file["unit"]["inf"], "kind": "artillery", "hexes": [[-3, 6]]}
    file["charge"].append({"charger": "hussars", "targets": ["guns"]})
    whole = Scenario(**file).whole
    game = Expander(whole)
    phases = []
    while not game.enter(game.words[game.live].copy())[0]:
        phases.append(int(game.array["head"]["phase"][0]))
        tape: list[int] = []
        state = game.words[game.live].tobytes()
        while game.run(state, tape):
            tape.append(0)
    assert phases == sorted(phases)
    assert phases.count(st.Phase.MOVE) == 2
    end = solved(file)
    assert len(end.charges) == 2


def test_defensive_fire_lowers_the_value_in_proportion() -> None:
    file = charge({"increments": 8, "melee": 24}, {**STEADY, "defensive_fire": [0.5, 0.25, 0.25]})
    assert played(file, {"fire.inf": 0}).values == [("inf", F(24))]
    end = solved(file)
    assert [end.word[f"increments_lost={n}"] for n in (0, 1, 2)] == [F(1, 2), F(1, 4), F(1, 4)]
    assert played(file).values == [("inf", F(18))]


@pytest.mark.parametrize(
    ("facing", "formation", "chance"),
    [
        (3, "line", F(1, 2)),
        (2, "line", F(1, 2)),
        (0, "line", F(1, 6)),
        (1, "line", F(1, 6)),
        (5, "line", F(1, 6)),
        (3, "skirmish", F(1, 6)),
    ],
)
def test_flank_rear_and_skirmish_weigh_on_standing(facing: int, formation: str, chance: F) -> None:
    file = charge(
        infantry={"facing": facing, "formation": formation}, charge={"path": [[1, 0], [2, 0]]}
    )
    assert solved(file).combats["inf"]["stands=1"] == chance


def test_a_pgd_stack_is_broken_and_a_disordered_one_stands_worse() -> None:
    assert played(charge(infantry={"state": "pgd"})).fates["inf"] == "target_broke_before_melee"
    assert solved(charge(infantry={"state": "disordered"})).combats["inf"]["stands=1"] == F(1, 3)


def test_reactions_a_stack_cannot_take_become_standing() -> None:
    for infantry, reaction in (
        ({"kind": "cavalry"}, "square"),
        ({"formation": "skirmish"}, "square"),
        ({}, "retire"),
    ):
        file = charge(infantry={**infantry, **STEADY}, reaction={"inf": reaction})
        assert played(file).asked[0] in ("stand.inf", "melee.inf")


def test_row_of_a_line_is_as_the_specification_says() -> None:
    assert row(0, 3) == [[0, 0], [0, -1], [0, -2]]
