"""What people see of a hex charge: the map, the caveat, the table and the schemas."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hex_increment.build import charge, column, line
from matplotlib.text import Text
from typer.testing import CliRunner

import chargesim as cs
from chargesim.cli import app
from chargesim.data import scenarios
from chargesim.report import figures, figures_maps
from chargesim.report.render import comma_separated
from chargesim.report.result_tables import result_document
from chargesim.report.schema import result_schema, scenario_schema
from chargesim.rulesets import NAMES, Drawing, get
from chargesim.rulesets.hex_increment.drawing import centre, draw
from chargesim.rulesets.hex_increment.hexes import moved
from chargesim.rulesets.hex_increment.telling import caveat
from chargesim.scenario import Scenario

SHIPPED = [name for name, file in scenarios().items() if "hex_increment" in file.read_text()]
TERRAIN = {
    "extent": {"q": [-12, 12], "r": [-12, 12]},
    "terrain": {"mud": {"cost": 2}, "pond": {"prohibited": True}},
    "hexes": {"mud": [[1, 0]], "pond": [[1, 2]]},
}


def drawn(file: dict[str, Any], lang: str = "en") -> Drawing:
    return draw(Scenario(**file).model, lang)


def places(drawing: Drawing, role: str) -> list[tuple[float, float]]:
    """Middles of all shapes of a role."""
    found = []
    for shape in drawing.shapes:
        if shape.role == role:
            x, y = zip(*shape.points, strict=True)
            found.append((round(sum(x) / len(x), 6), round(sum(y) / len(y), 6)))
    return found


def at(*hexes: tuple[int, int]) -> list[tuple[float, float]]:
    return [(round(x, 6), round(y, 6)) for x, y in map(centre, hexes)]


def test_the_map_shows_ground_zone_units_way_and_end() -> None:
    drawing = drawn(charge(map=TERRAIN))
    assert len(places(drawing, "zone")) == 20  # V-HEX-03
    assert places(drawing, "active") == at((0, 0))
    assert places(drawing, "reactive") == places(drawing, "target") == at((3, 0))
    assert places(drawing, "end") == at((2, 0))
    (way,) = [shape for shape in drawing.shapes if shape.role == "way"]
    assert way.points[0] == centre((0, 0))
    assert way.points[-1] == centre((2, 0))
    assert {s.text for s in drawing.shapes if s.role == "name"} == {"cav", "inf"}
    legend = dict(drawing.legend)
    assert legend["ground 0"] == "mud (cost 2)"
    assert legend["ground 1"] == "pond (no cavalry)"
    assert set(legend) == {s.role for s in drawing.shapes} - {"open", "place", "name", "facing"}


@pytest.mark.parametrize("facing", range(6))
def test_the_front_hexsides_are_those_it_faces(facing: int) -> None:
    """Between a hex and each hex in front of it lies a hexside that is drawn as front."""
    drawing = drawn(charge({"facing": facing}, {"hexes": [moved((0, 0), facing, 3)]}))
    front = next(s.points for s in drawing.shapes if s.role == "front")
    middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(front)]
    for (x, y), turn in zip(middles, (0, 1), strict=True):
        ahead = centre(moved((0, 0), facing + turn))
        assert (x / ahead[0] if abs(ahead[0]) > 1e-9 else y / ahead[1]) == pytest.approx(0.45)
        assert x * ahead[1] == pytest.approx(y * ahead[0])


def test_a_line_is_drawn_hex_by_hex_and_skirmishers_face_nowhere() -> None:
    drawing = drawn(line(2, units={"s2": {"formation": "skirmish"}}))
    assert len(places(drawing, "active")) == 4
    assert len(places(drawing, "front")) == 4 + 2
    assert len(places(drawing, "end")) == 4


def test_every_role_has_a_look_and_no_two_grounds_the_same() -> None:
    looks = [str(figures_maps.ROLES[f"ground {i}"]["hatch"]) for i in range(6)]
    assert len(set(looks)) == 6
    for name in SHIPPED:
        roles = {shape.role for shape in draw(cs.load(scenarios()[name]).model, "en").shapes}
        assert roles <= set(figures_maps.ROLES)


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_picture_has_the_map_beside_the_bars(name: str, lang: str, tmp_path: Path) -> None:
    result = cs.solve(cs.load(scenarios()[name]))
    picture = figures.picture(result, lang)
    told = " ".join(found.get_text() for found in picture.findobj(Text))
    words = {
        "en": ("charge zone", "declared target"),
        "es": ("zona de carga", "objetivo declarado"),
    }
    for spoken, legend in words.items():
        assert all((word in told) == (spoken == lang) for word in legend)
    assert ("ILLUSTRATIVE" if lang == "en" else "ILUSTRATIVO") in told
    assert set(result.scenario.model.unit) <= set(told.split())
    for number in (1, 2):
        figures.save(figures.picture(result, lang), tmp_path / f"{number}.svg")
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_single_plots_carry_the_caveat_too() -> None:
    result = cs.solve(Scenario(**column(3)))
    for ax in (result.plot(), result.plot("combat"), result.plot("melees")):
        figure = ax.get_figure(root=True)
        assert figure is not None
        assert any("ILLUSTRATIVE" in found.get_text() for found in figure.findobj(Text))


def test_check_says_that_the_tables_are_made_up() -> None:
    file = WAVES
    made_up = "the numbers rest on made-up"
    for form, lang, word in (
        ("text", "es", "ILUSTRATIVO"), ("markdown", "en", made_up), ("csv", "en", made_up),
    ):  # fmt: skip
        given = ["check", file, "--trials", "2000", "--format", form, "--lang", lang]
        assert word in CliRunner().invoke(app, given).output
    out = CliRunner().invoke(app, ["check", file, "--trials", "2000", "--format", "json"]).output
    assert "ILLUSTRATIVE" in json.loads(out)["caveat"]


WAVES = str(scenarios()["three_waves"])
VARIED = {
    "table": [WAVES, "--rows", "unit.infantry.morale=26,36"],
    "compare": [WAVES, str(scenarios()["three_in_line"])],
    "solve": [WAVES, "--for", "unit.infantry.morale=26,36", "--reach", "0.1"],
    "why": [WAVES],
}


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "html"])
@pytest.mark.parametrize("command", VARIED)
def test_every_command_says_that_the_tables_are_made_up(command: str, form: str) -> None:
    for lang, word in (("en", "ILLUSTRATIVE - not any"), ("es", "ILUSTRATIVO")):
        given = [command, *VARIED[command], "--value", "pursues", "--format", form, "--lang", lang]
        out = CliRunner().invoke(app, given).output
        if form == "json":
            assert "ILLUSTRATIVE" in json.loads(out)["caveat"]
        else:
            assert word in out


def test_no_line_under_a_figure_is_wider_than_it() -> None:
    scenario = cs.load(WAVES)
    axes = {"rows": {"unit.infantry.morale": [26, 36]}, "value": "pursues"}
    grid = cs.grid(scenario, **axes)
    plots = [
        grid.plot(),
        cs.grid(scenario, **axes, cols={"unit.infantry.melee": [11, 12]}).plot(lang="es"),
        cs.solve(scenario).plot(lang="es"),
    ]
    for ax in plots:
        figure = ax.get_figure(root=True)
        assert figure is not None
        figure.draw_without_rendering()
        (foot,) = (
            t for t in figure.findobj(Text) if "ILU" in t.get_text() or "ILLU" in t.get_text()
        )
        box = foot.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= figure.bbox.width


def test_nothing_is_said_where_all_tables_are_the_users_own() -> None:
    model = Scenario(**charge()).model
    tables = {name: {**table, "illustrative": False} for name, table in model.tables.items()}
    assert caveat(model, "en")
    assert caveat(model.model_copy(update={"tables": tables}), "en") == ""


def test_the_table_names_all_targets() -> None:
    frame = cs.solve(Scenario(**line(2, reaction={"s2": "square"}))).table()
    assert set(frame["target"]) == {"s1, s2"}
    assert set(frame["reaction"]) == {"stand, square at 2"}
    assert list(frame.columns) == [
        "charge", "charger", "target", "reaction", "outcome", "p", "low", "high",
    ]  # fmt: skip
    assert frame["p"].sum() == pytest.approx(1)


@pytest.mark.parametrize("name", scenarios())
def test_the_schemas_cover_every_ruleset(name: str) -> None:
    file = scenarios()[name]
    jsonschema.Draft202012Validator(scenario_schema()).validate(tomllib.loads(file.read_text()))
    result = cs.solve(cs.load(file), engine="exact" if "hex" in file.read_text() else "auto")
    jsonschema.Draft202012Validator(result_schema()).validate(result.to_dict())


def test_the_schemas_refuse_what_another_ruleset_would_hold() -> None:
    scenario = jsonschema.Draft202012Validator(scenario_schema())
    result = jsonschema.Draft202012Validator(result_schema())
    jsonschema.Draft202012Validator.check_schema(scenario_schema())
    jsonschema.Draft202012Validator.check_schema(result_schema())
    file = {**charge(), "units": "cm"}
    assert not scenario.is_valid(file)
    del file["units"]
    assert scenario.is_valid(file)
    assert scenario.is_valid({**file, "tables": {"melee": "mine.toml"}})
    assert not scenario.is_valid({**file, "ruleset": "chess"})
    found = cs.solve(Scenario(**charge())).to_dict()
    assert result.is_valid(found)
    assert not result.is_valid({**found, "ruleset": "wh6"})
    assert "wounds_left" not in found["units"]["cav"]
    found["charges"][0]["needs_sixes"] = 0.0
    assert not result.is_valid(found)


def test_results_say_what_the_ruleset_says_they_hold() -> None:
    for name in NAMES:
        ruleset = get(name)
        assert set(ruleset.told) == {"charge", "combat", "unit"}
        assert set(ruleset.unfought) <= set(ruleset.fates)
        order = [good for good in ruleset.fates.values() if good is not None]
        assert order == sorted(order, reverse=True)


def test_comma_separated_results_say_so_in_their_last_row() -> None:
    document = result_document(cs.solve(cs.load(scenarios()["three_waves"])), "en")
    last = comma_separated(document, "en").splitlines()[-1]
    assert last.startswith("note,")
    assert "ILLUSTRATIVE" in last
