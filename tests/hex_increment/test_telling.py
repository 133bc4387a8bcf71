"""The trace: its sentences, their rules, and both languages."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages import mofile, pofile
from hex_increment.build import charge, column
from hex_increment.test_vectors import first_example

import chargesim
from chargesim.report.trace import trace
from chargesim.rulesets.coverage import rows
from chargesim.rulesets.hex_increment import drawing
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.telling import coverage_ids
from chargesim.rulesets.hex_increment.telling_words import PHRASES, SENTENCES, STEPS
from chargesim.scenario import Scenario

ES = Path(chargesim.__file__).parent / "locale" / "es" / "LC_MESSAGES"
ON_THE_MAP = {*drawing.WORDS.values(), *drawing.FACTS.values(), drawing.COST}
MESSAGES = sorted(
    {*(s.text for s in SENTENCES.values()), *STEPS.values(), *PHRASES.values(), *ON_THE_MAP}
)


def catalogue() -> pofile.Catalog:
    with (ES / "hex_increment.po").open("rb") as file:
        return pofile.read_po(file)


def test_every_event_has_a_sentence_and_every_sentence_a_rule() -> None:
    assert set(SENTENCES) == set(Event)
    assert coverage_ids() <= {row.id for row in rows("hex_increment")}


@pytest.mark.parametrize("message", MESSAGES)
def test_message_is_translated_with_its_placeholders(message: str) -> None:
    found = catalogue().get(message)
    assert found is not None
    assert found.string
    names = re.compile(r"\{\w+\}")
    assert sorted(names.findall(str(found.string))) == sorted(names.findall(message))
    assert message.endswith(".") == str(found.string).endswith(".")


def test_the_catalogue_holds_nothing_else_and_is_compiled() -> None:
    assert {message.id for message in catalogue()} - {""} == set(MESSAGES)
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with (ES / "hex_increment.mo").open("rb") as file:
        shipped = {m.id: m.string for m in mofile.read_mo(file) if m.id}
    assert {m.id: m.string for m in mofile.read_mo(fresh) if m.id} == shipped


def test_the_dice_told_are_the_faces_behind_the_results() -> None:
    for trial in range(60):
        text = trace(Scenario(**charge()), trial=trial)
        rolled = re.search(r"column 2:1; D66: (\d\d)", text)
        if rolled is None:
            continue
        face = int(rolled[1])
        result = re.search(r"Melee with inf: (\w+)", text)
        assert result is not None
        wanted = "AD1" if face <= 12 else "blank" if face <= 44 else "DD1" if face <= 51 else "DD2"
        assert result[1] == wanted


def test_a_trace_names_steps_rules_and_reasons() -> None:
    text = trace(Scenario(**first_example()), trial=0)
    for word in ("1. Declaration", "2. Charge move", "HEX-TGT-03", "s2 retired before the charge"):
        assert word in text
    text = trace(Scenario(**column(3)), trial=1, lang="es")
    for word in ("oleada 1 de 3: valor de melé 11", "columna 1:1; D66:", "HEX-COL-02"):
        assert word in text
