"""The trace: every event has words in every language, and a trial reads as it was played."""

from __future__ import annotations

import io
import random
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from string import Formatter
from typing import Any

import pytest
from babel.messages import mofile, pofile
from wh6.random_battles import random_battle

from chargesim import words
from chargesim.errors import InputError
from chargesim.kernels import dice
from chargesim.report.trace import logs, told
from chargesim.rulesets.telling import NOTE, RACE, TEST, Line
from chargesim.rulesets.wh6 import (
    telling,
    telling_blows,
    telling_speaker,
    telling_words,
    telling_words_blows,
    telling_words_charge,
    telling_words_combat,
)
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.state import Phase
from chargesim.rulesets.wh6.telling import Referee, coverage_ids, events, tell
from chargesim.scenario import Scenario

ES = words.LOCALES / "es" / "LC_MESSAGES"
LANGUAGES = pytest.mark.parametrize("lang", words.LANGUAGES)


def messages() -> list[str | tuple[str, str]]:
    found: list[str | tuple[str, str]] = []
    for table in (telling_words, telling_words_charge, telling_words_blows, telling_words_combat):
        sentences = getattr(table, "SENTENCES", {}).values()
        found += [(s.text, s.many) if s.many else s.text for s in sentences]
        found += getattr(table, "PHRASES", {}).values()
        found += getattr(table, "PLURALS", {}).values()
    w = telling_words
    found += [*w.STEPS.values(), *w.REACTIONS.values(), *w.ARCS, *w.COVERS, *w.WEAPONS.values()]
    found += [row[3] for row in w.IMMUNITIES]
    return list(dict.fromkeys(found))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def catalogue() -> pofile.Catalog:
    with (ES / "wh6.po").open("rb") as file:
        return pofile.read_po(file, locale="es", domain="wh6")


# words


def test_every_event_has_a_rule_id_and_a_sentence() -> None:
    assert set(events()) == set(Event)
    for rule, text in events().values():
        assert rule.startswith("WH6-")
        assert text


def test_every_step_has_a_heading() -> None:
    assert set(telling_words.STEPS) == set(Phase)


def test_no_table_of_words_hides_another() -> None:
    tables = (telling_words_charge, telling_words_blows, telling_words_combat)
    assert len(telling_speaker.SENTENCES) == sum(len(table.SENTENCES) for table in tables)
    phrases = sum(len(table.PHRASES) for table in (telling_words, *tables))
    assert len(telling_speaker.PHRASES) == phrases


def test_large_counts_are_named_as_the_dice_name_them() -> None:
    assert telling_speaker.NAMED == dice.NAMED


def test_coverage_ids_hold_the_ids_of_all_events() -> None:
    assert {rule for rule, _ in events().values()} <= coverage_ids()


@pytest.mark.parametrize("message", messages(), ids=str)
def test_message_is_translated_with_its_placeholders(message: str | tuple[str, str]) -> None:
    found = catalogue().get(message)
    assert found is not None
    theirs = found.string if isinstance(found.string, tuple) else (found.string,)
    ours = message if isinstance(message, tuple) else (message,)
    assert len(theirs) == len(ours)
    for english, spanish in zip(ours, theirs, strict=True):
        assert spanish
        assert placeholders(spanish) == placeholders(english)


def test_catalogue_holds_nothing_else() -> None:
    ids = {
        message.id if isinstance(message.id, str) else tuple(message.id) for message in catalogue()
    }
    assert ids - {""} == set(messages())


def test_compiled_catalogue_is_up_to_date() -> None:
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with (ES / "wh6.mo").open("rb") as file:
        shipped = [(message.id, message.string) for message in mofile.read_mo(file) if message.id]
    assert [(m.id, m.string) for m in mofile.read_mo(fresh) if m.id] == shipped


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language 'fr': one of en, es"):
        words.translation("wh6", "fr")


# every event, and many trials


@LANGUAGES
@pytest.mark.parametrize("event", Event, ids=lambda event: event.name)
def test_every_event_can_be_told(event: Event, lang: str) -> None:
    scenario = Scenario(**tomllib.loads(HANDGUNNERS))
    referee = Referee(scenario.model, scenario.unit_names, lang)
    place = dice.NAMED - 1  # of a unit, by no name of its own
    referee.read([NOTE, Event.MAKES_CONTACT, 0, 1, 2000, 0, 0])
    referee.read([NOTE, Event.COMBAT_BEGINS, 1, 10, 0, 0, 0])
    if event is Event.RUN_DOWN:
        referee.read([RACE, place, 5 * 8 + 4, 1, 0, 0, 0])
    before = len(referee.lines)
    about = {Event.STEP: Phase.IMPACT, Event.SCORE: 1}.get(event, 0)
    referee.read([NOTE, event, about, 1, 0, 1, 1])
    # what waits for a roll, or for the sum that it is a term of
    referee.read([TEST, place, 7, 0, 0, 0, 1])
    referee.read([NOTE, Event.TO_HIT, 1, 4, 0, 0, 0])
    referee.read([NOTE, Event.SCORE, 1, 3, 2, 1, 0])
    lines = referee.lines[before:]
    assert len(lines) > (0 if event in (Event.TO_HIT, Event.SCORE) else 1)
    assert all(told.text and not set("{}") & set(told.text) for told in lines)
    if lang == "en" and event in telling.SCORES | telling.TERMS:
        fixed = telling_speaker.SENTENCES[event].text.split("{")[0]
        assert fixed in " ".join(told.text for told in lines)


def battles(count: int) -> Iterator[tuple[Scenario, Any]]:
    """Logs of random battles that are legal."""
    for seed in range(count):
        try:
            scenario = Scenario(**random_battle(random.Random(seed)))
        except InputError:
            continue
        for log in logs(scenario, seed, range(2)):
            yield scenario, log


def test_random_battles_are_told_alike_in_every_language() -> None:
    heard: set[Event] = set()
    for scenario, log in battles(120):
        heard |= {Event(int(row[1])) for row in log if row[0] == NOTE}
        english, spanish = (
            tell(log, scenario.model, scenario.unit_names, lang) for lang in ("en", "es")
        )
        assert [(t.rule, t.unit, t.level, t.is_note) for t in spanish] == [
            (t.rule, t.unit, t.level, t.is_note) for t in english
        ]
        headings = [line.text for line in english if line.level == 0]
        assert len(headings) == len(set(headings))
        for line in (*english, *spanish):
            assert not set("{}") & set(line.text)
            assert line.text.endswith(line.dice)
            assert line.level == 0 or line.rule in coverage_ids()
    assert len(heard) > 90


def test_rolls_told_have_the_chances_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = telling_blows.sorted_blows
    seen = 0

    def checked(blows: telling_blows.Blows) -> tuple[int, int, list[int], list[int]]:
        nonlocal seen
        slay, wound, out = blows.fate()
        assert sum(slay) + sum(wound) + sum(out) == 1
        assert min(slay + wound + out) >= 0
        for row in blows.rows:
            slaying = telling_speaker.charge_place(row) in telling_blows._SLAIN
            chance = sum(slay) if slaying else sum(wound) / (1 - sum(slay))
            assert Fraction(row[3], row[4]) == chance
        first = blows.rows[0]
        number, slain, wounds, fallen = plain(blows)
        assert number == sum(row[2] for row in blows.rows if row[1] % 2 == first[1] % 2)
        assert slain + sum(wounds) == sum(row[6] for row in blows.rows)
        assert min([*wounds, *fallen]) >= 0
        seen += 1
        return number, slain, wounds, fallen

    monkeypatch.setattr(telling_blows, "sorted_blows", checked)
    for scenario, log in battles(60):
        tell(log, scenario.model, scenario.unit_names)
    assert seen > 100


# golden traces

HANDGUNNERS = """
ruleset = "wh6"
units = "cm"
[unit.boars]
side = "active"
models = 5
M = 18
HA = 3
HP = 3
F = 3
R = 4
H = 1
I = 2
A = 1
L = 7
save = "3+"
troop = "cavalry"
[unit.handgunners]
side = "reactive"
models = 10
width = 10
M = 10
WS = 3
BS = 3
S = 3
T = 3
W = 1
I = 3
A = 1
Ld = 7
missile = "handgun"
[[charge]]
charger = "boars"
target = "handgunners"
distance = 32.5
[reaction]
handgunners = "stand_and_shoot"
"""


def trace(text: str, trial: int, lang: str = "en", **changes: object) -> list[Line]:
    scenario = Scenario(**tomllib.loads(text))
    if changes:
        scenario = scenario.replace(**changes)
    return told(scenario, seed=0, trial=trial, lang=lang)


def texts(lines: list[Line]) -> list[str]:
    return ["  " * line.level + f"{line.rule} {line.text}" for line in lines]


def test_a_charge_stopped_by_panic_in_english() -> None:
    assert texts(trace(HANDGUNNERS, 28)) == [
        "WH6-SEQ-02 1. Declaration and reactions",
        "  WH6-CHG-01 boars declared a charge on handgunners.",
        "  WH6-CHG-10 Reaction of handgunners: stand and shoot.",
        "WH6-SEQ-02 4. Reach",
        "  WH6-CHG-02 Reach of boars: 36 cm (twice M 18 cm); distance to spend: 32.5 cm.",
        "  WH6-SEQ-02 In reach: 32.5 cm is at most 36 cm.",
        "WH6-SEQ-02 8. Stand and shoot",
        "  WH6-SHOOT-04 handgunners stood and shot at boars, number of shots: 10.",
        "    WH6-SHOOT-01 To hit: 7 - BS 3 = 4+; standing and shooting -1 [WH6-SS-05]; "
        "long range -1 (32.5 of 60 cm) [WH6-SHOOT-02]: 6+.",
        "    WH6-WND-01 To wound: S 4 against T 4: 4+.",
        "    WH6-SAVE-01 Armour save of boars: 3+; S 4 -1; armour piercing -1: 5+.",
        "    WH6-WND-01 Unsaved wounds: 2; 10 shots at 6+: 3 hits; 3 to wound at 4+: 2 "
        "wounds; 2 saves of 5+: 2 failed",
        "  WH6-SPEC-05 Models of boars lost: 2; left: 3.",
        "  WH6-SS-07 boars lost 2 of 5 models, a quarter or more: Panic test.",
        "    WH6-LD-01 Leadership test: Ld 7; 2D6: 6 + 3 = 9 against 7: failed",
        "  WH6-PANIC-07 boars panicked and had to flee from handgunners.",
        "WH6-SEQ-01 9. Rallying and compulsory moves",
        "  WH6-FLEE-01 boars fled 20 cm (M 18 cm is more than 15 cm [WH6-UNIT-04]). 8D6: "
        "1 + 6 + 2 + 2 + 1 + 2 + 4 + 2 = 20",
    ]


def test_the_same_charge_in_spanish() -> None:
    english, spanish = trace(HANDGUNNERS, 28), trace(HANDGUNNERS, 28, "es")
    assert [(t.rule, t.unit, t.level, t.is_note) for t in spanish] == [
        (t.rule, t.unit, t.level, t.is_note) for t in english
    ]
    told = texts(spanish)
    assert told[8] == (
        "    WH6-SHOOT-01 Para impactar: 7 - HP 3 = 4+; Aguantar y disparar -1 [WH6-SS-05]; "
        "largo alcance -1 (32,5 de 60 cm) [WH6-SHOOT-02]: 6+."
    )
    assert told[11] == (
        "    WH6-WND-01 Heridas no salvadas: 2; 10 disparos a 6+: 3 impactos; "
        "3 para herir a 4+: 2 heridas; 2 tiradas de salvación de 5+: 2 falladas"
    )
    assert told[14] == (
        "    WH6-LD-01 Chequeo de Liderazgo: L 7; 2D6: 6 + 3 = 9 contra 7: no superado"
    )


def test_dice_stand_alone_and_in_the_text() -> None:
    told = [line for line in trace(HANDGUNNERS, 28) if line.dice]
    assert [line.dice for line in told][1] == "2D6: 6 + 3 = 9 against 7: failed"
    assert all(line.text.endswith(line.dice) for line in told)


def test_frenzy_that_may_not_flee_is_a_note() -> None:
    changes = {"unit.handgunners.rules": ["frenzy"], "reaction.handgunners": "flee"}
    notes = [line for line in trace(HANDGUNNERS, 0, **changes) if line.is_note]
    assert [(line.rule, line.unit, line.text) for line in notes] == [
        (
            "WH6-FRENZ-04",
            "handgunners",
            "handgunners, being frenzied, could not choose to flee and held.",
        )
    ]


def test_too_close_is_a_note_with_half_the_reach() -> None:
    notes = [line for line in trace(HANDGUNNERS, 0, **{"charge.0.distance": 18}) if line.is_note]
    assert texts(notes) == [
        "  WH6-SS-01 handgunners could not stand and shoot and held: "
        "18 cm is not more than half of the reach, 18 cm."
    ]


def test_inches_and_a_target_number_of_two_rolls() -> None:
    changes = {"units": "inch", "charge.0.distance": 13.5, "unit.boars.M": 7}
    told = texts(trace(HANDGUNNERS, 0, **changes, **{"charge.0.cover": "soft"}))
    assert (
        "    WH6-SHOOT-03 To hit: 7 - BS 3 = 4+; standing and shooting -1 [WH6-SS-05]; "
        'long range -1 (13.5 of 24") [WH6-SHOOT-02]; soft cover -1 [WH6-SHOOT-02]: '
        "7+ (a 6, then 4+)."
    ) in told


def test_regeneration_has_dice_of_its_own() -> None:
    changes = {"unit.boars.regeneration": "4+"}
    told = [line.text for line in trace(HANDGUNNERS, 49, **changes) if "SPEC-01" in line.rule]
    # once after the shots, once after the combat that comes of it
    assert told == [
        "Wounds that boars regenerated: 2 of 2. 2 rolls to regenerate at 4+: 2 succeeded",
        "Wounds that boars regenerated: 1 of 1. 1 roll to regenerate at 4+: 1 succeeded",
    ]


def test_poisoned_shots_skip_the_roll_to_wound() -> None:
    missile = {"range": 60, "S": 3, "rules": ["poison"]}
    told = [line.dice for line in trace(HANDGUNNERS, 28, **{"unit.handgunners.missile": missile})]
    # 6 to hit: whatever hits is poisoned
    assert "10 shots at 6+: 3 hits, 3 of them poisoned; 3 saves of 3+: 2 failed" in told


def test_flight_shows_its_dice_and_why() -> None:
    changes = {"reaction.handgunners": "flee", "unit.handgunners.rules": ["dwarf_legs"]}
    line = next(t for t in trace(HANDGUNNERS, 3, **changes) if t.rule == "WH6-FLEE-01")
    faces, total = line.dice.removeprefix("5D6: ").split("; ")[0].split(" = ")
    assert sum(int(face) for face in faces.split(" + ")) == int(total)
    assert line.dice.endswith(f"; dwarf legs -2 [WH6-ARMY-06] = {int(total) - 2}")
    assert line.text.startswith(
        f"handgunners fled {int(total) - 2} cm (M 10 cm is at most 15 cm [WH6-UNIT-04])."
    )


def test_steps_in_which_nothing_happened_are_left_out() -> None:
    headings = [line.text for line in trace(HANDGUNNERS, 28) if line.level == 0]
    assert headings == [
        "1. Declaration and reactions",
        "4. Reach",
        "8. Stand and shoot",
        "9. Rallying and compulsory moves",
    ]


def test_every_combat_has_headings_of_its_own() -> None:
    for scenario, log in battles(60):
        lines = tell(log, scenario.model, scenario.unit_names)
        combats = [line.text for line in lines if line.text.startswith("12. Combat: ")]
        begun = [row for row in log if row[:2].tolist() == [NOTE, Event.COMBAT_BEGINS]]
        assert len(combats) == len(begun)
        for heading, row in zip(combats, begun, strict=True):
            assert heading.endswith(f" against {scenario.unit_names[int(row[2])]}")
