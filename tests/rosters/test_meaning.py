"""Values that need judgement: what is taken, what is asked, and what the report says of it."""

from __future__ import annotations

from typing import Any

import pytest
from rosters.build import F, L, S, armour, army, line, weapon, write
from rosters.shapes import on_foot

import chargesim as cs
from chargesim.faults import ScenarioError
from chargesim.rosters.findings import Finding, RosterError
from chargesim.rosters.reading import Army, read_army


def read(what: L, **options: Any) -> Army:
    return read_army(write(what, "ros"), "list.ros", **options)


def unit(
    *inside: S, lang: str = "en", stats: str = "", rules: tuple[str, ...] = (), **cells: Any
) -> Army:
    profile = line(lang, "Reed Guard", stats or on_foot(lang), **cells)
    one = S("Reed Guard", "unit", profiles=[profile], rules=list(rules),
            inside=[S("Reed Guard", "model", 10, points=70), *inside])  # fmt: skip
    return read(army(lang, one))


def of(found: Army, field: str) -> Finding:
    rows = [row for row in found.findings if row.unit == "reed_guard" and row.field == field]
    assert len(rows) == 1, rows
    return rows[0]


def table(found: Army) -> dict[str, Any]:
    return found.units["reed_guard"].table


SHIELD = S("Shield", profiles=[armour("Shield", "-1 SV, -2SV with HW")])
HEAVY = S("Heavy Armour", profiles=[armour("Heavy Armour", "5+")])
LIGHT = S("Light Armour", profiles=[armour("Light Armour", "-6")])


@pytest.mark.parametrize(
    ("inside", "save", "value", "status"),
    [
        ((), "4+", "4+", "read"), ((), "", None, "assumed"), ((), "-", None, "read"),
        ((LIGHT, SHIELD), "", "5+", "derived"), ((HEAVY,), "", "5+", "derived"),
        ((LIGHT, SHIELD), "5+", "5+", "read"),
        # the line counts the shield that is added in combat
        ((LIGHT, SHIELD), "4+", "5+", "conflicting"), ((HEAVY, SHIELD), "6+", "4+", "conflicting"),
        ((), "3+(1+)", "3+", "conflicting"), ((HEAVY,), "3+(1+)", "5+", "conflicting"),
        ((), "+1", None, "conflicting"), ((SHIELD,), "5+", "5+", "conflicting"),
        ((S("Light Armour"), S("Shields")), "", "5+", "derived"),
        ((S("Enchanted Shield", group="Magic Armour", points=10),), "", None, "assumed"),
    ],
)  # fmt: skip
def test_armour_saves(inside: tuple[S, ...], save: str, value: str | None, status: str) -> None:
    found = unit(*inside, save=save)
    assert table(found).get("save") == value
    assert of(found, "save").status == status


def test_a_shield_counted_twice_is_explained() -> None:
    found = unit(LIGHT, SHIELD, save="4+")
    assert "counts the shield in combat" in of(found, "save").note.say()
    assert "counts the shield" not in of(unit(HEAVY, SHIELD, save="6+"), "save").note.say()


def test_scales_add_to_armour() -> None:
    found = unit(LIGHT, rules=("Scaly Skin 5+",))
    assert table(found)["save"] == "4+"
    assert of(found, "save").note.say("es") == "sumado: armadura 1 + escamas 2"


def test_a_save_of_the_spanish_dialect_counts_everything() -> None:
    found = unit(S("Armadura ligera"), S("Escudo"), lang="es", save="5+")
    assert (table(found)["save"], of(found, "save").status) == ("5+", "read")
    assert table(found)["shield"] is True
    odd = unit(lang="es", save="4+ (salvo que usen escudo que sería 3+)")
    assert (table(odd)["save"], of(odd, "save").status) == ("4+", "conflicting")


def test_ward_and_regeneration() -> None:
    assert table(unit(ward="5+"))["ward"] == "5+"
    assert table(unit(rules=("Ward Save (4+)",)))["ward"] == "4+"
    assert table(unit(lang="es", rules=("Tirada de salvación especial 5+",)))["ward"] == "5+"
    assert "ward" not in table(unit(ward="1+"))
    assert table(unit(rules=("Regeneración (5+)",)))["regeneration"] == "5+"
    troll = unit(rules=("Regeneration",))
    assert (table(troll)["regeneration"], of(troll, "regeneration").status) == ("4+", "derived")


@pytest.mark.parametrize(
    ("text", "rules", "value", "status"),
    [("1", (), 1, "read"), ("", (), None, "derived"), ("4*", (), None, "conflicting"),
     ("30", (), None, "conflicting"), ("(4)", (), None, "conflicting"),
     ("3 (1 per crew)", (), None, "conflicting"), ("", ("Unit Strength 3",), 3, "read")],
)  # fmt: skip
def test_unit_strength(text: str, rules: tuple[str, ...], value: int | None, status: str) -> None:
    found = unit(strength=text, rules=rules)
    assert table(found).get("unit_strength") == value
    assert of(found, "unit_strength").status == status


@pytest.mark.parametrize(
    ("stats", "field", "kind"),
    [("4 3 3 3 3 1 3 1(2) 7", "A", "conflicting"), ("4 3 3 55 3 1 3 1 7", "S", "missing"),
     ("4 3 3 3 3 1 3 Special 7", "A", "missing"), ("4 3 3 3 3 34 3 1 7", "W", "missing"),
     ("99 3 3 3 3 1 3 1 7", "M", "missing"), ("4 3 3 3 3 1 3 1 7+1", "Ld", "conflicting"),
     ('4" 3 3 3 3 1 3 1 7', "M", "normalised"), ("4 3 - 3 3 1 3 1 7", "BS", "derived")],
)  # fmt: skip
def test_numbers_that_are_none(stats: str, field: str, kind: str) -> None:
    found = unit(stats=stats)
    assert of(found, field).status == kind
    assert (field in table(found)) is (kind != "missing")
    assert found.units["reed_guard"].is_complete is (kind != "missing")


def test_rules_for_a_part_are_not_played() -> None:
    found = unit(
        rules=("Fear", "Hate Eel Folk", "Unbreakable (the boys)", "Reed Lore", "Fear Eels")
    )
    assert table(found)["rules"] == ["fear"]
    partial = [row.value for row in found.findings if row.status == "partial"]
    assert partial == ["hatred", "unbreakable"]
    unknown = next(
        row for row in found.findings if row.field == "rules" and row.status == "not read"
    )
    assert "Fear Eels, Reed Lore" in unknown.note.say()


def test_rules_of_gear_and_champions_are_not_the_units() -> None:
    found = unit(
        S("Great Weapon", rules=["Strikes Last"]),
        S("Reed Hero", group="Command", rules=["Killing Blow"],
          profiles=[line("en", "Reed Hero", on_foot("en", "3 3 3 3 1 3 2 7"))]),
        S("Hat of Dread", group="Magic Items::Talismans", rules=["Terror"], points=20),
    )  # fmt: skip
    assert "rules" not in table(found)
    assert of(found, "equipment").value == "Hat of Dread"


def test_several_weapons() -> None:
    found = unit(S("Halberds"), S("Spears"), S("Hand Weapon"))
    assert table(found)["weapon"] == "halberd"
    assert of(found, "weapon").status == "assumed"
    assert "spear" in of(found, "weapon").note.say()


def test_missile_weapons() -> None:
    bow = S("Long Bow", profiles=[weapon("en", "Long Bow", '30"', "3")])
    assert table(unit(bow))["missile"] == "long_bow"
    odd = S("Long Bow", profiles=[weapon("en", "Long Bow", '32"', "3")])
    assert table(unit(odd))["missile"] == {"range": 32, "S": 3}
    knives = S(
        "Darts",
        profiles=[weapon("en", "Darts", "8", "As user", "Thrown weapon, 2 x multiple shots")],
    )
    assert table(unit(knives))["missile"] == {"range": 8, "S": 3, "shots": 2, "thrown": True}
    engine = S("Fire pot", profiles=[weapon("en", "Fire pot", "Artillery dice", "5")])
    assert "missile" not in table(unit(engine))
    both = unit(bow, S("Javelins"))
    assert (table(both)["missile"], of(both, "missile").status) == ("long_bow", "conflicting")
    blind = unit(bow, stats="4 3 0 3 3 1 3 1 7")
    assert "missile" not in table(blind)
    assert of(blind, "missile").status == "conflicting"


def test_a_choice_of_weapons_typed_as_a_model_is_no_model() -> None:
    found = unit(S("Great Weapon", "model", 10))
    assert table(found)["models"] == 10


def test_the_costs_are_checked() -> None:
    one = S("Reed Guard", "unit", profiles=[line("en", "Reed Guard", on_foot("en"))],
            inside=[S("Reed Guard", "model", 10, points=70.5)])  # fmt: skip
    sound, short = read(army("en", one)), read(army("en", one, total=90))
    rows = [
        next(r for r in f.findings if not r.unit and r.field == "points") for f in (sound, short)
    ]
    assert [row.status for row in rows] == ["read", "conflicting"]
    assert rows[1].note.say().startswith("the costs add up to 70.5, not to 90")


def test_a_container_is_no_unit() -> None:
    inner = S("Reed Wing", "unit", 2, profiles=[line("en", "Reed Wing", on_foot("en"))])
    found = read(army("en", S("Reed Wings", "unit", inside=[inner])))
    assert {key: one.table["models"] for key, one in found.units.items()} == {"reed_wing": 2}


def test_a_unit_without_a_line_is_incomplete() -> None:
    ghost = S("Ghost", "unit", inside=[S("Ghost", "model", 4)])
    lined = S("Reed Guard", "unit", profiles=[line("en", "Reed Guard", on_foot("en"))])
    found = read(army("en", ghost, lined))
    assert found.units["ghost"].missing[0] == "M"
    assert table(found)["models"] == 1
    assert of(found, "models").status == "assumed"


# Overrides and strictness


def test_strict_stops_at_the_first_doubt() -> None:
    with pytest.raises(
        RosterError, match=r"list\.ros: reed_guard: save is assumed at 'Invented, Main"
    ):
        read_army(write(army("en", S("Reed Guard", "model", 9, profiles=[line("en", "Reed Guard",
            on_foot("en"))])),
                        "ros"), "list.ros", strict=True)  # fmt: skip
    sound = S(
        "Reed Guard", "model", 9, profiles=[line("en", "Reed Guard", on_foot("en"), save="5+")]
    )
    assert read(army("en", sound), strict=True).units
    ghost = S("Ghost", "model", 9, profiles=[line("en", "Ghost", "2D6 3 3 3 3 1 3 1 7", save="5+")])
    with pytest.raises(RosterError, match="ghost: M is missing"):
        read(army("en", ghost), strict=True)
    given = {"unit": {"ghost": {"M": 7}}}
    assert read(army("en", ghost), strict=True, overrides=given).units["ghost"].is_complete


def test_overrides_stand_in_place_of_the_list() -> None:
    given = {"unit": {"reed_guard": {
        "models": 12, "save": "none", "rules": ["fear"], "missile": {"range": 20, "S": 3},
        "chariot": {"crew": {"count": 2}},
    }}}  # fmt: skip
    one = S("Reed Guard", "unit", profiles=[line("en", "Reed Guard", on_foot("en"), save="5+")],
            inside=[S("Reed Guard", "model", 10)])  # fmt: skip
    found = read(army("en", one), overrides=given)
    values = table(found)
    assert (values["models"], values["rules"], values["missile"]) == (
        12,
        ["fear"],
        {"range": 20, "S": 3},
    )
    assert "save" not in values
    assert values["chariot"] == {"crew": {"count": 2}}
    assert of(found, "models").status == "given"


def test_overrides_that_do_not_fit_are_told_all_at_once() -> None:
    given = {
        "unit": {"reed_gard": {"models": 3}, "reed_guard": {"modles": 3}},
        "unitz": 1,
        "units": "yard",
    }
    with pytest.raises(ScenarioError) as error:
        unit_with(given)
    text = str(error.value)
    assert "4 faults" in text
    assert "nearest known is 'reed_guard'" in text
    assert "nearest known is 'models'" in text
    for bad in ({"unit": 3}, {"unit": {"reed_guard": 3}}):
        with pytest.raises(ScenarioError, match="is not a table"):
            unit_with(bad)


def unit_with(given: dict[str, Any]) -> Army:
    one = S("Reed Guard", "model", 9, profiles=[line("en", "Reed Guard", on_foot("en"))])
    return read(army("en", one), overrides=given)


def test_overrides_come_from_a_file_too(tmp_path: Any) -> None:
    data = write(
        L(
            "Host",
            [
                F(
                    "Force",
                    [S("Ghost", "model", 9, profiles=[line("en", "Ghost", "D6 3 3 3 3 1 3 1 7")])],
                )
            ],
        ),
        "json",
    )
    file = tmp_path / "more.toml"
    file.write_text("[unit.ghost]\nM = 7\n", encoding="utf-8")
    assert cs.read_roster(data, overrides=file).complete["ghost"]["M"] == 7
    assert not cs.read_roster(data).complete
