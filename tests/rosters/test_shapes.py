"""The shapes of units, in three formats and two languages."""

from __future__ import annotations

from typing import Any

import pytest
from rosters.build import FORMATS, F, L, S, army, line, write
from rosters.shapes import SHAPES, on_foot

import chargesim as cs
from chargesim.rosters.reading import Army, read_army

LANGUAGES = ("en", "es")


def read(what: L, form: str = "ros", **options: Any) -> Army:
    return read_army(write(what, form), f"list.{form}", **options)


def tables(found: Army) -> dict[str, dict[str, Any]]:
    return {key: unit.table for key, unit in found.units.items()}


def everything(found: Army) -> Any:
    """All that was understood, places included."""
    return tables(found), [row.to_dict() for row in found.findings], found.dialect, found.list.name


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("shape", SHAPES)
def test_shape(shape: str, lang: str) -> None:
    selections, wanted = SHAPES[shape](lang)
    found = read(army(lang, *selections))
    assert set(found.units) == set(wanted)
    for key, values in wanted.items():
        table = found.units[key].table
        assert {name: table.get(name) for name in values} == values, key
    assert found.dialect.unit == {"en": "inch", "es": "cm"}[lang]
    assert all(row.status != "conflicting" for row in found.findings if row.field == "points")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("shape", SHAPES)
def test_formats_agree(shape: str, lang: str) -> None:
    what = army(lang, *SHAPES[shape](lang)[0])
    one, other, third = (everything(read(what, form)) for form in FORMATS)
    assert one == other == third


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_shapes_in_one_list_and_in_allied_forces(lang: str) -> None:
    chosen = [SHAPES[name](lang) for name in SHAPES if name != "squadron_of_chariots_each_a_unit"]
    wanted = {key: values for _units, values in chosen for key, values in values.items()}
    halves = [chosen[::2], chosen[1::2]]
    forces = [
        F(f"Half {i}", [s for units, _v in half for s in units]) for i, half in enumerate(halves)
    ]
    beside = read(L("Alliance", forces, lang))
    within = read(L("Alliance", [F(**{**vars(forces[0]), "forces": [forces[1]]})], lang))
    assert set(beside.units) == set(wanted)
    assert tables(beside) == tables(within)
    for key, values in wanted.items():
        table = beside.units[key].table
        assert {name: table.get(name) for name in values} == values, key


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("shape", SHAPES)
def test_units_play(shape: str, lang: str) -> None:
    """A complete unit is a sound unit of a scenario; an incomplete one is refused by name."""
    found = read(army(lang, *SHAPES[shape](lang)[0]))
    foe = {"side": "reactive", "models": 10, "M": 4, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1,
           "I": 3, "A": 1, "Ld": 7}  # fmt: skip
    for key, unit in found.units.items():
        charge = {"charger": key, "target": "foe", "distance": 6}
        if unit.table.get("troop") == "war_machine":
            charge = {"charger": "foe", "target": key, "distance": 6}
        flipped = "reactive" if charge["target"] == key else "active"
        question = {
            "ruleset": "wh6", "units": found.dialect.unit, "charge": [charge],
            "unit": {key: {**unit.table, "side": flipped},
                     "foe": {**foe, "side": "active" if flipped == "reactive" else "reactive"}},
        }  # fmt: skip
        if unit.is_complete:
            assert cs.Scenario(**question).unit_names == (key, "foe")
            continue
        with pytest.raises(cs.InputError) as error:
            cs.Scenario(**question)
        for path in unit.missing:
            assert f"unit.{key}.{path}: is missing" in str(error.value)


def test_a_nested_force_is_not_lost() -> None:
    inner = F(
        "Inner", [S("Reed Bows", "model", 9, profiles=[line("en", "Reed Bow", on_foot("en"))])]
    )
    found = read(L("Host", [F("Outer", [], [F("Middle", [], [inner])])]))
    assert found.units["reed_bows"].table["models"] == 9
    assert "Inner" in found.units["reed_bows"].place
