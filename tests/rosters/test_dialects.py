"""What tells a dialect: the type of a profile, or the whole set of its columns."""

from __future__ import annotations

from typing import Any

import pytest
from rosters.build import F, L, P, S, army, line, weapon, write
from rosters.shapes import on_foot

from chargesim.rosters.findings import RosterError
from chargesim.rosters.reading import Army, read_army


def one(lang: str, profile: P, *inside: S) -> L:
    return army(
        lang,
        S("Reed Bows", "unit", profiles=[profile], inside=[S("Reed Bows", "model", 9), *inside]),
    )


def read(what: L, **options: Any) -> Army:
    return read_army(write(what, "ros"), "list.ros", **options)


def said(found: Army, field: str) -> tuple[str, str]:
    row = next(row for row in found.findings if not row.unit and row.field == field)
    return row.status, row.note.say()


def test_by_type_and_by_columns() -> None:
    for lang, unit in (("en", "inch"), ("es", "cm")):
        typed = read(one(lang, line(lang, "Reed Bow", on_foot(lang))))
        untyped = read(one(lang, line(lang, "Reed Bow", on_foot(lang), type_id="another")))
        assert typed.dialect.unit == untyped.dialect.unit == unit
        assert "type" in said(typed, "units")[1]
        assert "columns" in said(untyped, "units")[1]
        assert typed.units["reed_bows"].table == untyped.units["reed_bows"].table


def test_the_same_letter_means_other_things() -> None:
    """H is wounds, F strength and R toughness in Spanish; in an English weapon R is its range."""
    spanish = read(one("es", line("es", "Reed Bow", "10 3 4 2 5 6 7 8 9")))
    assert {k: spanish.units["reed_bows"].table[k] for k in ("BS", "S", "T", "W", "I", "A",
        "Ld")} == {
        "BS": 4, "S": 2, "T": 5, "W": 6, "I": 7, "A": 8, "Ld": 9}  # fmt: skip
    profile = line("en", "Reed Bow", "4 3 4 2 5 6 7 8 9", type_id="b070-143a-73f-2772")
    profile.columns["Troop Type"] = "Regular infantry"
    gun = S(
        "Odd gun",
        profiles=[
            P("Odd gun", {"R": '30"', "S": "4", "AP": "-1", "Special Rules": "Armour piercing"})
        ],
    )
    other = read(one("en", profile, gun))
    assert other.units["reed_bows"].table["missile"] == {
        "range": 30,
        "S": 4,
        "armour_piercing": True,
    }
    assert other.units["reed_bows"].table["troop"] == "infantry"
    assert said(other, "game")[0] == "assumed"
    assert "The Old World" in said(other, "game")[1]


def test_lists_of_two_dialects_are_refused() -> None:
    units = [S("A", "model", profiles=[line(lang, "A", on_foot(lang))]) for lang in ("en", "es")]
    with pytest.raises(RosterError, match="in inches and in centimetres"):
        read(L("Both", [F(str(i), [unit]) for i, unit in enumerate(units)]))


def test_other_games_are_refused_with_their_columns() -> None:
    strange = P("Trooper", {"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2"})
    with pytest.raises(
        RosterError, match=r"no profile of 'Invented armies' is a stat line.*columns M, T, SV"
    ):
        read(one("en", strange))


def test_a_line_that_lacks_a_column_is_no_line() -> None:
    profile = line("en", "Reed Bow", on_foot("en"))
    del profile.columns["Ld"]
    with pytest.raises(RosterError, match="no profile"):
        read(one("en", profile))


def test_moves_that_do_not_look_like_their_unit() -> None:
    metric = read(one("en", line("en", "Reed Bow", "10 3 3 3 3 1 3 1 7")))
    assert said(metric, "units")[0] == "conflicting"
    imperial = read(one("es", line("es", "Reed Bow", "4 3 3 3 3 1 3 1 7")))
    assert said(imperial, "units")[0] == "conflicting"
    told = read(one("en", line("en", "Reed Bow", "10 3 3 3 3 1 3 1 7")), overrides={"units": "cm"})
    assert told.dialect.unit == "cm"
    assert said(told, "units")[0] == "given"


def test_dice_are_never_turned_into_lengths() -> None:
    for lang, dice in (("en", "2D6"), ("es", "5D6")):
        found = read(one(lang, line(lang, "Reed Bow", f"{dice} 3 3 3 3 1 3 1 7")))
        assert found.units["reed_bows"].missing == ("M",)
        row = next(row for row in found.findings if row.field == "M")
        assert (row.status, row.value) == ("missing", dice)


def test_ranges_in_the_other_unit_are_not_read() -> None:
    odd = S("Marsh gun", profiles=[weapon("en", "Marsh gun", "60 cm", "4")])
    found = read(one("en", line("en", "Reed Bow", on_foot("en")), odd))
    assert "missile" not in found.units["reed_bows"].table
    assert any(row.field == "equipment" and row.value == "Marsh gun" for row in found.findings)


def test_a_data_set_without_further_columns() -> None:
    """Some English data sets have the nine statistics alone: saves come from armour, if at all."""
    profile = line("en", "Reed Bow", on_foot("en"))
    profile.columns = {
        {"Mv": "M"}.get(name, name): text for name, text in list(profile.columns.items())[:9]
    }
    bare = read(one("en", profile)).units["reed_bows"]
    assert bare.is_complete
    assert "save" not in bare.table
    armoured = read(one("en", profile, S("Light Armour"), S("Shields"))).units["reed_bows"]
    assert armoured.table["save"] == "5+"


def test_columns_tell_against_a_type_that_lies() -> None:
    """The type of an English line on Spanish columns: the columns are what is there."""
    profile = line("es", "Reed Bow", on_foot("es"), type_id="a54a-7f00-29bf-12b1")
    found = read(one("es", profile))
    assert found.dialect.name == "spanish"
    assert "columns" in said(found, "units")[1]
