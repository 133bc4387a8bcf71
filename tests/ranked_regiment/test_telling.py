"""The trace: every event has words in every language, and a battle reads as it was played."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import mofile, pofile
from ranked_regiment.build import battle, block, unit

from chargesim import words
from chargesim.report.trace import told
from chargesim.rulesets.coverage import rows
from chargesim.rulesets.ranked_regiment import drawing, events, telling, telling_words
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.state import Why
from chargesim.scenario import Scenario

ES = words.LOCALES / "es" / "LC_MESSAGES"
LED = {"discipline": 9, "attacks": 3}
RULES = sorted(Path(events.__file__).parent.glob("rules*.py"))


def messages() -> list[str]:
    w = telling_words
    found = [sentence.text for sentence in w.SENTENCES.values()]
    for table in (w.STEPS, w.FACES, w.SIDES, w.REASONS, w.PHRASES):
        found += table.values()
    for table in (drawing.GROUND, drawing.WORDS):
        found += table.values()
    found += [drawing.AVERAGE_RUN, drawing.COIN, drawing.STATED]
    return list(dict.fromkeys(found))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def catalogue() -> pofile.Catalog:
    with (ES / "ranked_regiment.po").open("rb") as file:
        return pofile.read_po(file, locale="es", domain="ranked_regiment")


def test_every_event_has_a_sentence_and_is_noted_somewhere() -> None:
    assert set(telling_words.SENTENCES) == set(Event)
    assert set(telling_words.REASONS) == set(Why) - {Why.LEGAL}
    text = "".join(file.read_text("utf-8") for file in RULES)
    for event in Event:
        assert re.search(rf"Event\.{event.name}\b", text), event


@pytest.mark.parametrize("message", messages())
def test_message_is_translated_with_its_placeholders(message: str) -> None:
    found = catalogue().get(message)
    assert found is not None
    assert found.string
    assert placeholders(found.string) == placeholders(message)
    assert message.endswith(".") == found.string.endswith(".")


def test_catalogue_holds_nothing_else_and_is_compiled() -> None:
    assert {message.id for message in catalogue()} - {""} == set(messages())
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with (ES / "ranked_regiment.mo").open("rb") as file:
        shipped = {m.id: m.string for m in mofile.read_mo(file) if m.id}
    assert {m.id: m.string for m in mofile.read_mo(fresh) if m.id} == shipped


def test_rule_ids_of_a_trace_are_rules() -> None:
    assert telling.coverage_ids() <= {row.id for row in rows("ranked_regiment")}


def lines(scenario: Scenario, lang: str = "en") -> list[str]:
    """Rule and text of every line."""
    return [f"[{line.rule}] {line.text}" for line in told(scenario, 1, 0, lang)]


def crowded(**others: object) -> Scenario:
    """A battle in which most things happen."""
    units = {
        "a": unit("active", 0, 0, 0, 5, 2, [14, 16], models=10, noise={"x": 0.2, "facing": 1}),
        "b": unit("reactive", 0, 9, 180, 5, 2, 14, models=20, commander={"discipline": 9}),
        "c": unit("active", 14, 9, 270, 5, 2, 14, models=10, commander=LED),
        "d": unit("active", 14, 39, 270, 5, 2, 14, models=10, rules=["reanimated"]),
        "e": unit("reactive", 2, 39, 90, 5, 2, 14, models=3, discipline=2),
        "f": unit("active", 60, 0, 0, 5, 2, 14, models=5),
        "g": unit("reactive", 60, 12, 0, 5, 2, 14, models=5),
    }  # fmt: skip
    return battle(
        units,
        **{
            "charges": [("a", "b"), ("c", "b"), ("e", "d"), ("f", "g"), ("g", "f")],
            "reaction": {"b": "flee", "d": "counter", "g": "flee"},
            "first": "coin",
            "rally": True,
            "switches": {"pass_final": False},
            **others,
        },
    )


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_a_crowded_battle_is_told(lang: str) -> None:
    for trial in range(6):
        found = told(crowded(), 1, trial, lang)
        assert all("{" not in line.text for line in found)
        levels = [line.level for line in found]
        assert levels[0] == 0
        assert not any(a == b == 0 for a, b in pairwise(levels))


def test_each_declaration_and_each_refusal_is_told() -> None:
    text = "\n".join(lines(crowded()))
    for sentence in (
        "a declared a charge on the front of b",
        "c declared a charge on the left flank of b",
        "d counter-charged e",
        "g declared that it flees from f",
        "b could not flee: more than one enemy charges it",
        "g could not charge f: the target is outside its sight arc",
        "Contact: a on the front of b",
    ):
        assert sentence in text, text
    assert "[RNK-LOS-01] g could not charge f" in text


def test_a_block_and_a_slide_are_told() -> None:
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 14, models=10),
        "b": unit("reactive", 0, 10, 180, 4, 2, 14, models=20),
    }
    wall = [block(0.5, 3, 8.2, 8.8)]
    assert any(
        "slid 1.5" in line for line in lines(battle(units, charges=[("a", "b")], terrain=wall))
    )
    assert any(
        "se deslizó" in line.lower()
        for line in lines(battle(units, charges=[("a", "b")], terrain=wall), "es")
    )
    meet = battle(units, charges=[("a", "b")], terrain=[block(1, 1.9, 4.2, 5.8)],
                  reaction={"b": "counter"})  # fmt: skip
    assert any("no room to meet" in line for line in lines(meet))
