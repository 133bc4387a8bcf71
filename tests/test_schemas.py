"""What table, compare, solve and why print as JSON is what their schemas say."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import chargesim as cs
from chargesim.cli.options import SchemaName
from chargesim.kernels.jit import rules_hash
from chargesim.report.figures import save
from chargesim.report.schema import SCHEMAS

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
QUESTIONS = {
    "wh6": ("boar_riders", "unit.handgunners.Ld", [6, 7], "handgunners:target_broke*"),
    "hex_increment": ("stand_or_square", "unit.dragoons.melee", [24, 30], "battalion:target_stood"),
    "ranked_regiment": (
        "price_of_a_flank", "unit.front_spears.discipline", [6, 7], "front_spears:target_broke",
    ),
}  # fmt: skip


@cache
def answer(ruleset: str, command: str, engine: str) -> Any:
    """What a command comes to, for a small question of a ruleset."""
    name, path, levels, value = QUESTIONS[ruleset]
    scenario = cs.load(SHIPPED / f"{name}.toml")
    options: dict[str, Any] = {"engine": engine, "trials": 2_000}
    if command == "table":
        against = {path: levels[:1]} if engine == "exact" else None
        return cs.grid(scenario, {path: levels}, value=value, against=against, **options)
    if command == "compare":
        other = scenario.replace(**{path: levels[0]})
        return cs.compare(scenario, other, value=value, names=["as it is", "changed"], **options)
    if command == "solve":
        return cs.find_level(scenario, {path: levels}, value, 0.5, **options)
    return cs.why(scenario, value, **options)


CASES = [
    (ruleset, command, engine)
    for ruleset in QUESTIONS
    for command in ("table", "compare", "solve", "why")
    for engine in ("exact", "sample")
    # a sample of every change takes long, and is written as the exact one is
    if (command, engine) != ("why", "sample")
]


@pytest.mark.parametrize(("ruleset", "command", "engine"), CASES)
def test_what_is_printed_fits_the_schema(ruleset: str, command: str, engine: str) -> None:
    found = answer(ruleset, command, engine)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    validator = jsonschema.Draft202012Validator(SCHEMAS[command]())
    validator.validate(written)
    entries = written["ranking"] if command == "compare" else [written]
    assert all(entry["ruleset"] == ruleset for entry in entries)
    assert ("caveat" in written) == (ruleset == "hex_increment")
    assert (written["trials"] is None) == (engine == "exact")
    # a page of it says the caveat too
    assert ("ILLUSTRATIVE" in found._repr_html_()) == (ruleset == "hex_increment")
    assert ("ILLUSTRATIVE" in _foot(found)) == (ruleset == "hex_increment")


@pytest.mark.parametrize(("ruleset", "command"), sorted({case[:2] for case in CASES}))
def test_every_ruleset_is_drawn_in_both_languages(
    ruleset: str, command: str, tmp_path: Path
) -> None:
    found = answer(ruleset, command, "exact")
    labels = {}
    for lang in ("en", "es"):
        ax = found.plot(lang=lang)
        figure = ax.get_figure(root=True)
        title = figure.get_suptitle() if figure.get_suptitle() else ax.get_title()
        labels[lang] = figure.get_supxlabel()
        assert title
        assert ax.get_xlabel()
        assert ax.get_ylabel() or ax.get_yticklabels()
        assert rules_hash(ruleset)[:12] in figure.get_supxlabel()
        files = [tmp_path / f"{lang}{i}.svg" for i in range(2)]
        for file in files:
            save(found.plot(lang=lang), file)
        assert files[0].read_bytes() == files[1].read_bytes()
    assert labels["en"] != labels["es"]


def _foot(found: Any) -> str:
    return str(found.plot().get_figure(root=True).get_supxlabel())


def test_undefined_values_are_null() -> None:
    scenario = cs.load(SHIPPED / "boar_riders.toml")
    value = "handgunners:target_broke* | 0:contact"
    found = cs.grid(scenario, {"reaction.handgunners": ["hold", "flee"]}, value=value).to_dict()
    assert found["cells"][1][0]["p"] is None
    jsonschema.Draft202012Validator(SCHEMAS["table"]()).validate(found)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_sound_and_strict(name: str) -> None:
    schema = SCHEMAS[name]()
    jsonschema.Draft202012Validator.check_schema(schema)
    if name == "scenario":
        return
    assert schema["additionalProperties"] is False
    if name != "study":  # a question, not an answer
        assert "rules_hash" in json.dumps(schema)


def test_a_schema_refuses_what_it_does_not_know() -> None:
    found = answer("wh6", "table", "exact").to_dict()
    validator = jsonschema.Draft202012Validator(SCHEMAS["table"]())
    assert validator.is_valid(found)
    for break_it in (
        lambda one: one.update(more=1),
        lambda one: one.pop("rules_hash"),
        lambda one: one["cells"][0][0].update(engine="guess"),
        lambda one: one["rows"].update(values=[]),
    ):
        broken = copy.deepcopy(found)
        break_it(broken)
        assert not validator.is_valid(broken)


def test_every_schema_can_be_asked_for() -> None:
    assert {name.value for name in SchemaName} == set(SCHEMAS)
