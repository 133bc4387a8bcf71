"""What people see of a list, and that nothing in a name does more than be read."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from rosters.build import S, army, line, write
from rosters.shapes import SHAPES, on_foot

import chargesim as cs
from chargesim.data import rosters
from chargesim.faults import ScenarioError
from chargesim.report import render
from chargesim.report.roster import read_roster, scenario_of, write_scenario
from chargesim.report.roster_tables import roster_document
from chargesim.rosters.findings import STATUSES

LISTS = rosters()
EVIL = [
    "<script>alert(1)</script>", "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "a|b", "*bold*",
    "_under_", "[link](http://x.invalid)", "`code`", "A\x1b[2JB", "A\rB", "A\u202eB", "$x_1$",
        'q"q', "t'''t",
]  # fmt: skip


def named(name: str) -> cs.Roster:
    unit = S(name, "unit", label=name, slot=name, rules=[name],
             profiles=[line("en", name, on_foot("en"))],
             inside=[S(name, "model", 9, points=63), S(name, group="Magic Items",
                 points=5)])  # fmt: skip
    what = army("en", unit)
    what.name = name
    return read_roster(write(what, "json"))


BOARS = """\
[unit.boars]
side = "reactive"
models = 5
M = 7
WS = 3
BS = 3
S = 3
T = 4
W = 1
I = 2
A = 1
Ld = 7
"""


@pytest.mark.parametrize("name", EVIL)
def test_names_are_shown_and_nothing_else(name: str) -> None:
    found = named(name)
    plain = "".join(c for c in name.replace("\r", " ") if c.isprintable())
    document = roster_document(found, "en", everything=True)
    page = render.write(document, "html", "en")
    assert "<script" not in page
    assert html.escape(plain) in page
    text = render.write(document, "text", "en")
    assert all(c.isprintable() or c == "\n" for c in text)
    assert plain in text
    for row in csv.reader(io.StringIO(render.write(document, "csv", "en"))):
        for cell in row:
            assert not re.match(r"[=+\-@]", cell) or re.fullmatch(r"[+-]?[\d.,]+\+?|-", cell), cell
    shown = render.write(document, "markdown", "en")
    assert "<script" not in shown
    for mark in ("*bold*", "_under_", "[link](", "`code`"):
        assert not re.search(rf"(?<!\\){re.escape(mark)}", shown)
    widths = {
        len(re.findall(r"(?<!\\)\|", line)) for line in shown.splitlines() if line.startswith("|")
    }
    assert widths == {7, 18}  # six and seventeen columns: no name opens another
    assert json.loads(json.dumps(found.to_dict()))["title"] == found.title


@pytest.mark.parametrize("name", EVIL)
def test_names_in_a_scenario_are_comments(name: str, tmp_path: Path) -> None:
    found = named(name)
    (key,) = found.units
    text = scenario_of(found, key, key, 8)
    tables = tomllib.loads(text)
    assert set(tables) == {"ruleset", "title", "units", "unit", "charge", "reaction"}
    assert set(tables["unit"]) == {key, f"{key}_enemy"}
    scenario = write_scenario(found, key, key, 8, tmp_path / "s.toml")
    assert cs.load(tmp_path / "s.toml").hash == scenario.hash


def test_a_lying_name_does_not_forge_a_row() -> None:
    found = named("Reed\nGuard\x00")
    assert found.army.units["reed_guard"].name == "Reed Guard"


# Documents


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_shipped_lists(name: str, lang: str) -> None:
    found = cs.read_roster(LISTS[name])
    row = next(row for row in found.report.rows if not row.unit and row.field == "points")
    assert row.status == "read"
    assert not [
        u.key for u in found.army.units.values() if not u.is_complete and u.key != "eel_packs"
    ]
    text = render.text(roster_document(found, lang))
    for unit in found.army.units.values():
        assert unit.title in text


def test_overrides_complete_a_shipped_list() -> None:
    file = LISTS["river_host"]
    assert not cs.read_roster(file).army.units["eel_packs"].is_complete
    found = cs.read_roster(file, overrides=file.with_name("river_host_overrides.toml"))
    assert all(unit.is_complete for unit in found.army.units.values())


def test_the_lead_counts_what_was_understood() -> None:
    found = cs.read_roster(LISTS["river_host"])
    counts = found.report.counts()
    assert sum(counts.values()) == len(found.report.rows)
    lead = str(roster_document(found, "en").blocks[0])
    assert lead.startswith("13 units, 12 of them complete; values:")
    for status in STATUSES:
        assert (f"{counts[status]} {status}" in lead) is (counts[status] > 0)
    lacking = str(roster_document(found, "en").blocks[-1])
    assert "unit.eel_packs.models = ..." in lacking


ENGLISH = re.compile(
    r"\b(unit|models|save|arms|rules|points|state|complete|missing|field|value|status"
    r"|why|place|values|costs|list|file|steed|shield|armour|added|nothing)\b"
)


def test_spanish_reports_are_spanish() -> None:
    """Every sentence of the report, for each shape there is, in both languages."""
    for lang in ("en", "es"):
        what = army(lang, *(one for build in SHAPES.values() for one in build(lang)[0]))
        found = read_roster(write(what, "json"))
        notes = {row.note.text: row.note for row in found.report.rows if row.note}
        for note in notes.values():
            assert note.say("es") != note.say("en")
            parts = "|".join(re.escape(str(part)) for _key, part in note.parts)
            bare = re.sub(rf"\w+ = \S+|{parts or '$^'}", "", note.say("es"))
            assert not ENGLISH.search(bare), bare
        document = roster_document(found, "es")
        heads = " ".join(
            " ".join(b.columns) for b in document.blocks if isinstance(b, render.Table)
        )
        assert not ENGLISH.search(
            " ".join([heads, str(document.blocks[0]), str(document.blocks[1])])
        )


def test_a_report_is_a_frame_and_a_page() -> None:
    found = cs.read_roster(LISTS["hill_clans"])
    frame = found.report.frame()
    assert list(frame.columns) == ["unit", "field", "value", "status", "place", "note"]
    assert len(frame) == len(found.report.rows)
    assert "<table>" in found._repr_html_()
    assert "<table>" in found.report._repr_html_()
    assert "What was not simply read" in str(found.report)
    assert repr(found.report).startswith("Report(6 assumed, 1 not read, ")
    assert repr(found) == "Roster('Hill Clans', 13 units, inch)"


# From a list to a question


def test_units_go_straight_into_a_scenario() -> None:
    mine = cs.read_roster(LISTS["river_host"])
    theirs = cs.read_roster(LISTS["hill_clans"], side="reactive")
    scenario = cs.Scenario(
        ruleset="wh6", units=mine.lengths, unit={**mine.complete, **theirs.complete},
        charge=[{"charger": "tower_knights", "target": "clan_axes", "distance": 12}],
    )  # fmt: skip
    assert len(scenario.unit_names) == 25
    with pytest.raises(ScenarioError, match=r"unit\.eel_packs\.models: is missing"):
        cs.Scenario(
            ruleset="wh6", units="inch", unit={**mine.units, **theirs.units},
            charge=[{"charger": "eel_packs", "target": "clan_axes", "distance": 5}],
        )  # fmt: skip


def test_a_written_scenario_says_what_the_list_says(tmp_path: Path) -> None:
    mine, theirs = (cs.read_roster(LISTS[name]) for name in ("river_host", "hill_clans"))
    file = tmp_path / "question.toml"
    write_scenario(mine, "Old Marl", "Goat Mob", 14, file, against=theirs)
    scenario = cs.load(file)
    assert scenario.title == "Old Marl (Warden Captain) – Goat Mob"
    wanted = cs.Scenario(
        ruleset="wh6", units="inch", reaction={"goat_mob": "best"},
        unit={"old_marl": mine.units["old_marl"], "goat_mob": {**theirs.units["goat_mob"],
            "side": "reactive"}},
        charge=[{"charger": "old_marl", "target": "goat_mob", "distance": 14}],
    )  # fmt: skip
    assert scenario.hash == wanted.hash
    text = file.read_text(encoding="utf-8")
    assert "# Old Marl (Warden Captain)" in text


def test_doubts_stand_beside_the_values(tmp_path: Path) -> None:
    knight = S("Odd Knight", "unit", profiles=[line("en", "Odd Knight", on_foot("en"),
        save="3+(1+)", strength="4*")],
               inside=[S("Odd Knight", "model", 5)])  # fmt: skip
    found = read_roster(write(army("en", knight), "ros"))
    for lang, words in (
        ("en", "# conflicting: the line says '3+(1+)'"),
        ("es", "el perfil dice '3+(1+)'"),
    ):
        text = scenario_of(found, "odd_knight", "odd_knight", 5, lang=lang)
        save = next(one for one in text.splitlines() if one.startswith("save"))
        assert save.startswith('save = "3+" #')
        assert words in save
    assert "# unit_strength: conflicting" in text


def test_the_enemy_may_be_in_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    enemies = tmp_path / "enemies.toml"
    enemies.write_text(BOARS, encoding="utf-8")
    found = cs.read_roster(LISTS["river_host"])
    file = tmp_path / "mine" / "question.toml"
    write_scenario(found, "reed_spears", "boars", 7, file, include=enemies)
    assert tomllib.loads(file.read_text(encoding="utf-8"))["include"] == "../enemies.toml"
    assert cs.load(file).unit_names == ("boars", "reed_spears")


def refused(*arguments: Any, **options: Any) -> str:
    with pytest.raises(cs.InputError) as error:
        write_scenario(*arguments, **options)
    return str(error.value)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    found = cs.read_roster(LISTS["river_host"])
    spanish = cs.read_roster(LISTS["guardia_del_puerto"])
    file = tmp_path / "s.toml"
    assert "nearest known is 'Tower Knights'" in refused(
        found, "Tower Knigts", "oak_shields", 8, file
    )
    assert "[unit.eel_packs]\n  models = ..." in refused(found, "eel_packs", "oak_shields", 8, file)
    assert "in inch" in refused(found, "oak_shields", "ballesteros", 8, file, against=spanish)
    assert "war machine" in refused(found, "long_sling", "oak_shields", 8, file)
    assert "too small" in refused(found, "oak_shields", "eel_boys", -1, file)
    assert not file.exists()
    file.write_text("# mine", encoding="utf-8")
    assert "is there already" in refused(found, "oak_shields", "eel_boys", 8, file)
    assert file.read_text(encoding="utf-8") == "# mine"
    assert "cannot be written" in refused(
        found, "oak_shields", "eel_boys", 8, tmp_path / "no" / "s.toml"
    )
    twins = read_roster(write(army("en", *SHAPES["the_same_name_twice"]("en")[0]), "ros"))
    assert "write one of reed_bows, reed_bows_2" in refused(
        twins, "Reed Bows", "reed_bows", 8, file
    )


def test_spanish_counts_agree_with_what_they_count() -> None:
    document = roster_document(read_roster(LISTS["hueste_del_pantano"]), "es")
    assert document.blocks[0] == (
        "5 unidades, 5 de ellas completas; valores: 78 leídos, 3 normalizados, 13 deducidos, "
        "1 parcial, 5 supuestos."
    )
    assert "supuesto  " in render.text(document)
