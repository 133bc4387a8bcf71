"""The naive twin's charges against the worked examples, and against hand calculations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from oracles.naive_wh6_checks import (
    EXAMPLES,
    assert_close,
    assert_distribution,
    play,
    read_example,
)

NUMBERS = (
    *("shooting_casualties", "flee_distance", "impact_hits", "impact_wounds"),
    *("combat_result", "active_wounds", "reactive_wounds", "models_left", "wounds_left"),
)
NEVER = ("flee_distance", "combat_result")
"""Numbers that may not arise; where it is stated empty, any other number is a certain 0."""


def compare(told: list[dict[str, Any]], stated: dict[str, Any], word: str, name: str) -> None:
    """Hold what was told of one charge, combat or unit to all that an example states of it."""
    chances = {
        value: cell["p"] if isinstance(cell, dict) else cell
        for value, cell in stated.get(name, {}).items()
    }
    if chances:
        assert_distribution(Counter(one[word] for one in told), chances, name)
    for number in NUMBERS:
        if number in stated:
            counts = Counter(one[number] for one in told if one[number] is not None)
            certain = {} if number in NEVER else {"0": 1.0}
            assert_distribution(counts, stated[number] or certain, number)
    if "needs_sixes" in stated:
        assert_close(sum(t["needs_sixes"] for t in told), stated["needs_sixes"], "needs_sixes")


@pytest.mark.parametrize("name", EXAMPLES)
def test_conformance(name: str) -> None:
    """Each worked example is reproduced, word by word and cell by cell."""
    scenario, answer = read_example(name)
    trials = play(scenario, name)
    assert all(len(trial["charges"]) == len(answer["charges"]) for trial in trials)
    for i, stated in enumerate(answer["charges"]):
        compare([trial["charges"][i] for trial in trials], stated, "word", "outcome")
    for stated in answer.get("combats", []):
        places = [combat["target"] for combat in trials[0]["combats"]]
        place = places.index(stated["target"])
        compare([trial["combats"][place] for trial in trials], stated, "outcome", "outcome")
    for unit, stated in answer.get("units", {}).items():
        compare([trial["units"][unit] for trial in trials], stated, "state", "state")


def test_there_are_examples() -> None:
    """The comparison above is not empty."""
    assert len(EXAMPLES) >= 12


def small_scenario(
    charger: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    charge: dict[str, Any] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Cavalry of reach 36 charges ten men 20 cm away, with changes."""
    man = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
    rider = {**man, "M": 18, "troop": "cavalry"}
    more_units = others.pop("more_units", {})
    return {
        "ruleset": "wh6",
        "unit": {
            "a": {"side": "active", "models": 5, **rider, **(charger or {})},
            "b": {"side": "reactive", "models": 10, **man, **(target or {})},
            **more_units,
        },
        "charge": [{"charger": "a", "target": "b", "distance": 20, **(charge or {})}],
        **others,
    }


FRIEND = {"side": "active", "models": 5, "M": 22, "T": 3, "Ld": 7, "fleeing": True}
CHARIOT = {"troop": "chariot", "models": 1, "S": 5, "T": 5, "W": 4, "save": "4+"}

# Each entry: scenario, what is counted, its probability by hand.
BY_HAND: dict[str, tuple[dict[str, Any], Callable[[dict[str, Any]], bool], Fraction]] = {
    "T-08 dwarf legs: 5D6 - 2 <= 16": (
        small_scenario(target={"rules": ["dwarf_legs"]}, reaction={"b": "flee"}),
        lambda t: t["word"] == "target_fled_caught",
        Fraction(389, 648),
    ),
    "T-07 a rolled reach: 36 + D6 + 2 against 40": (
        small_scenario(charge={"distance": 40, "reach": "36+1D6+2"}),
        lambda t: t["word"] == "contact",
        Fraction(5, 6),
    ),
    "T-16 the blocking friend must fail to rally": (
        small_scenario(charge={"blocked_by": ["c"]}, more_units={"c": FRIEND}),
        lambda t: t["word"] == "contact",
        Fraction(5, 12),
    ),
    "T-25 cold-blooded, Ld 7": (
        small_scenario(charger={"rules": ["cold_blooded"]}, target={"rules": ["fear"]}),
        lambda t: t["word"] == "contact",
        Fraction(29, 36),
    ),
    "T-26 panic and fear, Ld 7, charged in the flank": (
        small_scenario(
            charger={"rules": ["fear"], "models": 6},
            target={"engaged": True},
            charge={"arc": "flank"},
        ),
        lambda t: t["word"] == "contact",
        Fraction(49, 144),
    ),
    "the edge comes first: 5D6 > 14 leaves the table": (
        small_scenario(charge={"edge": 14}, reaction={"b": "flee"}),
        lambda t: t["word"] == "target_fled_off_table",
        Fraction(6054, 7776),
    ),
    "T-03 exactly half reach is too near to shoot": (
        small_scenario(
            target={"missile": "bow"}, charge={"distance": 18}, reaction={"b": "stand_and_shoot"}
        ),
        lambda t: t["reaction"] == "hold",
        Fraction(1),
    ),
    "a poisoned arrow, BS 3 and T 7: wounds on a 6 to hit only": (
        small_scenario(
            charger={"T": 7},
            target={"missile": {"range": 60, "S": 3, "rules": ["poison"]}, "shooters": 1},
            reaction={"b": "stand_and_shoot"},
        ),
        lambda t: t["shooting_casualties"] == 1,
        Fraction(1, 6),
    ),
    "a killing blow (1/3 * 1/6) is not regenerated, other wounds are on 4+": (
        small_scenario(
            charger={"regeneration": "4+"},
            target={
                "missile": {"range": 60, "S": 3, "rules": ["killing_blow"]},
                "shooters": 1,
            },
            reaction={"b": "stand_and_shoot"},
        ),
        lambda t: t["shooting_casualties"] == 1,
        Fraction(1, 3) * (Fraction(1, 6) + Fraction(2, 6) * Fraction(1, 2)),
    ),
    "a bolt of S 7 destroys the chariot: 5+ to hit, 2+ to wound, no save": (
        small_scenario(
            charger=CHARIOT,
            target={"missile": {"range": 60, "S": 7}, "shooters": 1},
            reaction={"b": "stand_and_shoot"},
        ),
        lambda t: t["word"] == "charger_destroyed",
        Fraction(1, 3) * Fraction(5, 6),
    ),
    "refused by fear, yet the target that declared Flee still runs": (
        small_scenario(target={"rules": ["fear"]}, reaction={"b": "flee"}),
        lambda t: t["word"] == "refused_fear" and t["flee_distance"] is not None,
        Fraction(5, 12),
    ),
    "tested at the declaration, a refusal leaves the target in peace": (
        small_scenario(
            target={"rules": ["fear"]},
            charge={"distance": 90},
            reaction={"b": "flee"},
            switches={"charger_test": "before_reaction"},
        ),
        lambda t: t["word"] == "refused_fear" and t["flee_distance"] is None,
        Fraction(5, 12),
    ),
    "light chariots, 1D3 each: of four, the middle two touch a lone man": (
        small_scenario(
            charger={**CHARIOT, "troop": "light_chariot", "models": 4},
            target={"models": 1},
        ),
        lambda t: t["impact_hits"] == 6,
        Fraction(1, 9),
    ),
    "hand weapon and shield on foot: 5+ becomes 4+, S 5 makes it 6+": (
        small_scenario(
            charger={**CHARIOT, "chariot": {"impact_hits": 1}},
            target={"save": "5+", "shield": True},
        ),
        lambda t: t["impact_wounds"] == 1,
        Fraction(5, 6) * Fraction(5, 6),
    ),
    "the champion is no victim of impact hits": (
        small_scenario(
            charger={**CHARIOT, "chariot": {"impact_hits": "1D6+20"}},
            target={"models": 2, "champion": True},
        ),
        lambda t: t["target"]["models_left"] == 1 and t["impact_wounds"] == 1,
        Fraction(1),
    ),
}


@pytest.mark.parametrize("name", list(BY_HAND))
def test_by_hand(name: str) -> None:
    """Rules that the worked examples do not reach."""
    scenario, happens, p = BY_HAND[name]
    assert_close(sum(happens(trial) for trial in play(scenario, name)), float(p), name)
