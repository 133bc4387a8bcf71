"""The shipped scenarios: they load, both engines agree, and what their comments say is true."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import chargesim
from chargesim.data import scenarios
from chargesim.engine.exact import UncountableError
from chargesim.engine.stats import binomial_test
from chargesim.report.result import Result, solve
from chargesim.rulesets import NAMES
from chargesim.scenario import load

FILES = scenarios()
TRIALS = 100_000
SEED = 1
CHANCE_OF_FALSE_ALARM = 1e-6
Cells = dict[str, float]


def cells_of(result: Result) -> Cells:
    """Chance of every outcome word, flag and number of the charges and combats."""
    cells: Cells = {}
    for prefix, (part, views) in result.views.items():
        weights = result.tallies[part].probabilities
        for view in views:
            for code, word in view.words.items():
                cells[f"{prefix}:{word}"] = float(weights[view.codes == code].sum())
            for name, mask in view.flags.items():
                cells[f"{prefix}:{name}"] = float(weights[mask].sum())
            for name, found in view.quantities.items():
                for value, (p, _, _) in result.spread(part, found).items():
                    cells[f"{prefix}:{name}={value}"] = p
    return {what: p for what, p in cells.items() if p > 0}


def is_drawn(name: str) -> bool:
    """True where places are known by a normal distribution, which nobody can count out."""
    units = getattr(load(FILES[name]).model, "unit", {}).values()
    return any(
        noise is not None and (noise.x or noise.y or noise.facing)
        for noise in (getattr(unit, "noise", None) for unit in units)
    )


@cache
def exact(name: str) -> Result:
    return solve(load(FILES[name]), engine="exact")


@cache
def exact_cells(name: str) -> Cells:
    return cells_of(exact(name))


@cache
def rule_ids() -> frozenset[str]:
    """Ids of every rule, covered or left out."""
    found: set[str] = set()
    for ruleset in NAMES:
        table = Path(chargesim.__file__).parent / "rulesets" / ruleset / "coverage.toml"
        found |= {rule["id"] for rule in tomllib.loads(table.read_text(encoding="utf-8"))["rule"]}
    return frozenset(found)


def test_there_are_a_dozen_in_order() -> None:
    assert len(FILES) >= 12
    assert list(FILES) == sorted(FILES)
    assert "boar_riders" in FILES
    assert not any(name.startswith("units") for name in FILES)
    assert all(file.is_file() and file.stem == name for name, file in FILES.items())


def test_each_asks_another_question() -> None:
    loaded = [load(file) for file in FILES.values()]
    assert len({scenario.hash for scenario in loaded}) == len(FILES)
    assert len({scenario.title for scenario in loaded}) == len(FILES)


@pytest.mark.parametrize("name", FILES)
def test_it_begins_with_a_comment_that_names_rules_and_has_a_title(name: str) -> None:
    lines = FILES[name].read_text(encoding="utf-8").splitlines()
    comment = lines[: next(i for i, line in enumerate(lines) if not line.startswith("#"))]
    assert 3 <= len(comment) <= 8
    assert all(len(line) <= 100 for line in comment)
    assert "?" in " ".join(comment)
    named = set(re.findall(r"(?:WH6|HEX|RNK)-[A-Z]+-\w+", " ".join(comment)))
    assert named
    assert named <= rule_ids()
    assert tomllib.loads("\n".join(lines))["title"] == load(FILES[name]).title


@pytest.mark.parametrize("name", FILES)
def test_exact_adds_up_and_leaves_something_open(name: str) -> None:
    if is_drawn(name):
        with pytest.raises(UncountableError):
            exact(name)
        drawn = cells_of(solve(load(FILES[name]), trials=TRIALS))
        assert any(0.01 < p < 0.99 for p in drawn.values())
        return
    assert exact(name).mass_defect < 1e-12
    assert any(0.01 < p < 0.99 for p in exact_cells(name).values())


COUNTED = [name for name in FILES if not is_drawn(name)]


@pytest.mark.parametrize("name", COUNTED)
def test_sampled_agrees_with_exact(name: str) -> None:
    result = solve(load(FILES[name]), engine="sample", trials=TRIALS, seed=SEED)
    assert all(int(tally.weights.sum()) == TRIALS for tally in result.tallies)
    expected, found = exact_cells(name), cells_of(result)
    assert not found.keys() - expected.keys(), "seen, yet impossible"
    bound = CHANCE_OF_FALSE_ALARM / sum(len(exact_cells(each)) for each in COUNTED)
    for cell, p in expected.items():
        # a certain outcome may fall short of 1 by rounding
        p = 1.0 if p > 1 - 1e-12 else p
        count = round(found.get(cell, 0.0) * TRIALS)
        assert binomial_test(count, TRIALS, p) >= bound, (cell, p, count / TRIALS)


def test_boar_riders_by_hand() -> None:
    """Ten shots, each one dead rider in nine; two dead or more, and Ld 7 fails in 5 cases of 12."""
    cells = exact_cells("boar_riders")
    assert cells["0:charger_fled_panic"] == pytest.approx(0.126870, abs=1e-6)
    assert cells["0:contact"] == pytest.approx(0.870497, abs=1e-6)


SAYS: list[tuple[str, dict[str, Any], str, float, float]] = [
    ("by_eye", {}, "contact", 0.747507, 1e-6),
    ("by_eye", {"charge.0.distance": {"mean": 34, "sd": 1.5}}, "contact", 0.91, 0.005),
    ("cold_blooded", {}, "contact", 49 / 72, 1e-9),
    ("cold_blooded", {"unit.lizards.rules": []}, "contact", 15 / 36, 1e-9),
    ("enanos_huyen", {}, "target_fled_caught", 389 / 648, 1e-9),
    ("enanos_huyen", {"unit.enanos.rules": []}, "target_fled_caught", 259 / 648, 1e-9),
    ("fear_twelve", {}, "target_fled_caught", 0.0, 0.0),
    ("fear_twelve", {}, "target_fled_escaped", 0.0, 0.0),
    (
        "fear_twelve",
        {"unit.crossbowmen.models": 11, "unit.crossbowmen.width": 11},
        "target_fled_caught+target_fled_escaped",
        5 / 12,
        1e-9,
    ),
    ("flank_panic", {}, "contact", 7 / 12, 1e-9),
    ("flank_panic", {"unit.riders.models": 3}, "contact", 7 / 12, 1e-9),
    ("flank_panic", {"unit.riders.models": 2}, "contact", 1.0, 1e-9),
    ("frenzied_told_to_flee", {}, "refused_fear", 10 / 36, 1e-9),
    ("friend_in_the_way", {}, "contact", 5 / 12, 1e-9),
    ("killing_blow_arrows", {}, "contact", 0.828, 0.001),
    ("killing_blow_arrows", {"unit.riders.regeneration": None}, "contact", 0.795, 0.001),
    ("long_range", {}, "contact", 0.9, 0.005),
    ("long_range", {"unit.knights.models": 5, "unit.knights.width": 5}, "contact", 0.98, 0.005),
    ("run_or_hold", {}, "target_fled_caught", 0.5, 1e-9),
    ("run_or_hold", {}, "target_fled_off_table", 0.098, 0.001),
    ("run_or_hold", {"reaction.archers": "hold"}, "contact", 1.0, 1e-9),
    ("run_or_hold_inches", {}, "target_fled_caught", 21 / 36, 1e-9),
    ("run_or_hold_inches", {}, "target_fled_off_table", 6 / 36, 1e-9),
    ("speed_banner", {}, "contact", 5 / 6, 1e-9),
    ("speed_banner", {"charge.0.distance": 42}, "contact", 0.5, 1e-9),
    ("terror_on_charger", {}, "charger_fled_terror", 6 / 36, 1e-9),
    ("terror_on_charger", {"unit.knights.general_ld": None}, "charger_fled_terror", 10 / 36, 1e-9),
    ("undead_hold", {}, "refused_fear", 5 / 12, 1e-9),
    ("ward_against_bolts", {}, "charger_destroyed", 1 - (19 / 24) ** 3, 1e-9),
    ("ward_against_bolts", {"unit.chariot.ward": None}, "charger_destroyed", 0.8, 0.005),
    (
        "ward_against_bolts",
        {"unit.chariot.regeneration": None},
        "charger_destroyed",
        1 - (19 / 24) ** 3,
        1e-9,
    ),
    (
        "scythed_chariot",
        {},
        "impact_wounds=4+impact_wounds=5+impact_wounds=6+impact_wounds=7",
        0.4,
        0.01,
    ),
]
"""What the comments claim: scenario, changes, words to add up, their chance, and how exactly."""


@pytest.mark.parametrize(
    ("name", "changes", "words", "chance", "error"),
    SAYS,
    ids=[f"{name}-{i}" for i, (name, *_) in enumerate(SAYS)],
)
def test_the_comment_is_true(
    name: str, changes: dict[str, Any], words: str, chance: float, error: float
) -> None:
    scenario = load(FILES[name]).replace(**changes)
    cells = cells_of(solve(scenario, engine="exact"))
    found = sum(cells.get(f"0:{word}", 0.0) for word in words.split("+"))
    assert found == pytest.approx(chance, abs=error)


@pytest.mark.parametrize(
    ("name", "without"),
    [("frenzied_told_to_flee", "frenzy"), ("undead_hold", "undead")],
)
def test_the_reaction_in_force_is_hold(name: str, without: str) -> None:
    """Told otherwise, they hold; without the rule they do as they are told."""
    scenario = load(FILES[name])
    told = tomllib.loads(FILES[name].read_text(encoding="utf-8"))
    (unit,) = told["reaction"]
    rules = [rule for rule in told["unit"][unit]["rules"] if rule != without]
    for asked, reaction in (
        (scenario, "hold"),
        (scenario.replace(**{f"unit.{unit}.rules": rules}), told["reaction"][unit]),
    ):
        ((_, view),) = solve(asked, engine="exact").charges
        assert view.labels["reaction"] == reaction


def test_one_is_spanish_and_one_includes_shared_units() -> None:
    texts = {name: file.read_text(encoding="utf-8") for name, file in FILES.items()}
    assert any(re.search(r"^HA = ", text, re.MULTILINE) and "¿" in text for text in texts.values())
    assert any('include = "units.toml"' in text for text in texts.values())


def test_counter_hold_or_run_is_best_run_from() -> None:
    found = {one["choice"]: one for one in exact("counter_hold_or_run").alternatives}
    worth = {choice: one["value"] for choice, one in found.items()}
    assert worth["flee"] > worth["counter"] > worth["hold"]
    assert found["flee"]["chosen"]


def test_save_the_slingers_is_done_by_a_charge_on_the_flank() -> None:
    result = exact("save_the_slingers")
    assert result.probability("0:cancelled") == 1
    assert result.probability("1:on_left") == 1
    assert result.probability("slingers:no_combat") == 1
    late = load(FILES["save_the_slingers"]).replace(**{"unit.grey_lancers.at": (0, 40)})
    assert solve(late, engine="exact").probability("0:contact") == 1


def test_front_or_flank_by_eye_is_worth_the_flank() -> None:
    result = solve(load(FILES["front_or_flank_by_eye"]), trials=TRIALS, seed=SEED)
    assert 0.6 < result.probability("0:on_right") < 0.7
    assert result.probability("0:on_front") + result.probability("0:on_right") == 1
    flank = result.probability("phalanx:target_broke | 0:on_right")
    assert flank > 2 * result.probability("phalanx:target_broke | 0:on_front")


def test_edge_of_the_wood_names_what_hides_the_others() -> None:
    result = exact("edge_of_the_wood")
    assert result.probability("0:legal") == 1
    for place in (1, 2):
        part, view = result.charges[place]
        assert result.chance(part, view.flags["illegal_by_RNK-LOS-02"])[0] == 1


def test_two_editions_differ_as_the_comment_says() -> None:
    old, question = exact("two_editions"), load(FILES["two_editions"])
    assert old.probability("0:forced") == 1
    for year in ("2026", 2026):
        new = solve(question.replace(**{"switches.edition": year}), engine="exact")
        assert new.probability("0:not_declared") == 1


def test_how_fast_are_they_counts_the_cases() -> None:
    result = exact("how_fast_are_they")
    assert result.probability("0:flight_possible") == pytest.approx(2 / 3)
    assert result.probability("0:fled") == pytest.approx(2 / 3)


def test_three_against_three_is_solved_by_plan() -> None:
    found = chargesim.plan(load(FILES["three_against_three"]))
    assert found.is_exact
    assert found.game.complete > 2000
    assert {one.mark for one in found.game.openings} == {"", "safe", "contested", "dominated"}
