"""Varied scenarios: what is read anew in part is what would be read anew as a whole."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_questions import questions

import chargesim as cs
from chargesim.faults import ScenarioError
from chargesim.models import ABSENT
from chargesim.paths import fresh, set_at
from chargesim.rulesets import values
from chargesim.rulesets.values import forget
from chargesim.rulesets.wh6.cast import casts
from chargesim.rulesets.wh6.outline import outline_of
from chargesim.scenario import Scenario
from chargesim.variants import is_inside

SCENARIOS = Path(str(files("chargesim") / "data" / "scenarios"))
VALUES = (
    0, 1, 2, 3, 5, 7, 10, 11, 30, -1, 1.0, 3.0, 2.5, 0.125, True, False, "", "x", "4+", "7+", "+",
    "hold", "flee", "best", "front", "flank", "cavalry", "chariot", "lance", None, [], {}, [1],
    {"mean": 20, "sd": 3}, {"do": "flee"}, ["fear"], ["fear", "frenzy"], float("nan"),
    float("inf"), ABSENT, np.float64(8.5), (1, 2), "a", "b", "a0", "b0", "d66", "2d6",
)  # fmt: skip


def slowly(scenario: Scenario, changes: dict[str, Any]) -> Scenario:
    """The variant as a file that says so would be read."""
    tables = fresh(scenario._tables)
    for path, value in changes.items():
        set_at(tables, path, value, set(), scenario.source, scenario.ruleset.aliases)
    return Scenario(scenario.source, scenario.base, **tables)


SETUP = import_module("chargesim.rulesets.wh6.setup")
PLAN = import_module("chargesim.rulesets.hex_increment.plan")


def afresh(make: Any) -> tuple[Any, ...]:
    """As :func:`outcome`, with nothing remembered of other scenarios."""
    forget()
    PLAN._last = None
    return outcome(make)


def outcome(make: Any) -> tuple[Any, ...]:
    """All that a scenario is, or the faults that it has."""
    try:
        made = make()
    except ScenarioError as error:
        return ("faults", str(error), [str(fault) for fault in error.faults])
    except Exception as error:  # whatever it is, it is to be the same
        return ("error", type(error), str(error))
    content = made.model.model_dump()
    starts = [(part.start.tobytes(), part.counts, part.units) for part in made.parts]
    return ("scenario", content, repr(content), made.hash, starts, made.title, made.choices)


def drawn(scenario: Scenario, rng: random.Random) -> dict[str, Any]:
    """One to three paths with values, of which some lead nowhere or cannot stand."""
    paths = [
        *scenario.paths,
        "xyz",
        "unit.nobody.Ld",
        "charge.9.distance",
        "unit",
        "charge",
        "title",
    ]
    changes: dict[str, Any] = {}
    for _ in range(rng.choice((1, 1, 2, 3))):
        path = rng.choice(paths)
        value = rng.choice(VALUES)
        try:
            now = scenario.at(path)
        except (KeyError, AttributeError, IndexError, ValueError, TypeError):
            now = None
        # mostly what may well stand: a neighbour, or the same of another type
        if isinstance(now, (int, float)) and rng.random() < 0.7:
            value = rng.choice((now + 1, now - 1, float(now), now, bool(now), str(now)))
        elif isinstance(now, str) and rng.random() < 0.3:
            value = now
        changes[path] = value
    return changes


def test_a_variant_is_what_its_file_would_be() -> None:
    rng = random.Random(11)
    kinds: dict[str, int] = {}
    for scenario in questions(24, number=7):
        for _ in range(25):
            changes = drawn(scenario, rng)
            fast = outcome(lambda s=scenario, c=changes: s.replace(**c))
            slow = afresh(lambda s=scenario, c=changes: slowly(s, c))
            assert fast == slow, (scenario.tables, changes)
            kinds[fast[0]] = kinds.get(fast[0], 0) + 1
    assert kinds["scenario"] > 60
    assert kinds["faults"] > 100


def test_a_question_like_another_is_read_as_by_itself() -> None:
    """Faults of it too, and whichever tables the two have in common."""
    rng = random.Random(3)
    first: dict[str, Scenario] = {}
    kinds: dict[str, int] = {}
    for scenario in questions(24, number=9):
        other = first.setdefault(scenario.ruleset.name, scenario)
        for changes in ({}, drawn(scenario, rng), drawn(scenario, rng)):
            with contextlib.suppress(ScenarioError):
                tables = scenario._with(changes)
                fast = outcome(lambda o=other, t=tables: o.like("elsewhere", t))
                slow = afresh(lambda s=scenario, t=tables: Scenario("elsewhere", s.base, **t))
                assert fast == slow, (scenario.tables, changes)
                kinds[fast[0]] = kinds.get(fast[0], 0) + 1
    assert kinds["scenario"] > 25
    assert kinds["faults"] > 5


def test_each_of_many_variants_is_what_its_file_would_be() -> None:
    rng = random.Random(13)
    kinds: dict[str, int] = {}
    mixed = 0
    for scenario in questions(24, number=10):
        for _ in range(4):
            changes = [drawn(scenario, rng) for _ in range(3)]
            paths = list(changes[0] | changes[1])[:3]
            values = [[one[path] for one in changes if path in one] for path in paths]
            with contextlib.suppress(Exception):
                for path, own in zip(paths, values, strict=True):
                    own.append(scenario.at(path))
            rows = [[rng.choice(own) for own in values] for _ in range(8)]
            many = scenario.variants(paths, rows)
            for row in rows:
                given = dict(zip(paths, row, strict=True))
                fast = outcome(lambda m=many: raised(next(m)))
                slow = afresh(lambda s=scenario, c=given: slowly(s, c))
                assert fast == slow, (scenario.tables, given)
                kinds[fast[0]] = kinds.get(fast[0], 0) + 1
                if fast[0] == "error":
                    break  # what is no fault of a scenario ends it
                mixed += any(map(is_inside, paths))
    assert mixed > 150
    assert kinds["scenario"] > 60
    assert kinds["faults"] > 100


def raised(one: Scenario | ScenarioError) -> Scenario:
    if isinstance(one, ScenarioError):
        raise one
    return one


def test_variants_of_variants() -> None:
    rng = random.Random(12)
    for scenario in questions(12, number=8):
        fast = slow = scenario
        for _ in range(6):
            changes = drawn(fast, rng)
            try:
                if rng.random() < 0.5:
                    further = fast.replace(**changes)
                else:
                    further = raised(next(fast.variants(list(changes), [list(changes.values())])))
            except ScenarioError:
                continue
            fast, slow = further, slowly(slow, changes)
            assert outcome(lambda f=fast: f) == afresh(lambda s=slow: s)
            assert fast.tables.keys() == slow.tables.keys()


def test_a_number_of_another_type_has_its_fault() -> None:
    boars = cs.load(SCENARIOS / "boar_riders.toml")
    assert boars.replace(**{"unit.boars.models": 5}).model == boars.model
    for value in (5.0, True, "5"):
        with pytest.raises(ScenarioError, match="is not a whole number"):
            boars.replace(**{"unit.boars.models": value})


def test_a_variant_does_not_touch_its_like() -> None:
    """Whoever is named as an opponent fights too, but only where it is named."""
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    tables = scenario.tables
    tables["unit"]["wolves"] = {**tables["unit"]["boars"], "engaged": "handgunners"}
    base = Scenario(**tables)
    assert base.model.unit["handgunners"].engaged == "wolves"
    apart = base.replace(**{"unit.wolves.engaged": False})
    assert apart.model.unit["handgunners"].engaged is False
    assert base.replace(**{"unit.boars.Ld": 5}).model.unit["handgunners"].engaged == "wolves"
    assert base.model.unit["handgunners"].engaged == "wolves"
    assert apart.replace(title="x").model.unit["handgunners"].engaged is False


def test_what_a_user_holds_may_change() -> None:
    reaction = {"do": "flee"}
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    fleeing = scenario.replace(**{"reaction.handgunners": reaction})
    copy = fleeing.tables
    before = fleeing.hash
    copy["unit"]["boars"]["Ld"] = 2
    assert (
        fleeing.tables["unit"]["boars"]["Ld"] == 2
    )  # a copy of one's own, for as long as one likes
    assert fleeing.replace(title="").hash == before
    assert scenario.replace(title="").hash == scenario.hash


def test_rows_that_cannot_stand_come_in_their_places() -> None:
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    paths = ["charge.0.distance", "unit.boars.Ld"]
    rows = [(20, 7), (-1, 7), (20, 11), (25.5, 8)]
    found = list(scenario.variants(paths, rows))
    assert [type(one) for one in found] == [Scenario, ScenarioError, ScenarioError, Scenario]
    assert "charge.0.distance" in str(found[1])
    assert "11 is too large" in str(found[2])
    assert found[3].hash == slowly(scenario, dict(zip(paths, rows[3], strict=True))).hash
    with pytest.raises(ValueError, match="zip"):
        next(scenario.variants(paths, [(20,)]))


def test_parts_that_are_remembered_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chargesim.models.MOST_PARTS", 4)
    monkeypatch.setattr(values, "MOST_MADE", 3)
    forget()
    scenario = cs.load(SCENARIOS / "boar_riders.toml")
    for models in range(5, 20):
        changes = {"unit.boars.models": models}
        variant = scenario.replace(**changes)
        assert outcome(lambda v=variant: v) == afresh(lambda c=changes: slowly(scenario, c))
        assert len(scenario._known.parts) <= 4
        assert 0 < max(map(len, values._memories)) <= 3


def test_outlines_hold_what_tables_have_to_do_with_each_other() -> None:
    boars = cs.load(SCENARIOS / "boar_riders.toml")
    brave = boars.replace(**{"unit.boars.Ld": 10, "charge.0.distance": 11})
    more = boars.replace(**{"unit.boars.models": 20})
    first, second, third = (outline_of(one.model) for one in (boars, brave, more))
    assert first is second
    assert first is not third
    assert third.unit["boars"].models == 20
    for table, name in ((first.unit["boars"], "Ld"), (first.charge[0], "distance")):
        with pytest.raises(AttributeError):
            getattr(table, name)


def test_a_cast_says_nothing_that_a_table_says() -> None:
    for scenario in questions(12, number=9):
        if scenario.ruleset.name != "wh6":
            continue
        forced = tuple(SETUP.compelled(scenario.model).items())
        for cast in casts(outline_of(scenario.model), forced, True):
            tables = SETUP._start(scenario.model, replace(cast, words=np.zeros_like(cast.words)))
            said, by_tables = cast.words.view(np.uint8) > 0, tables.view(np.uint8) > 0
            assert said.any()
            assert not np.any(said & by_tables)
