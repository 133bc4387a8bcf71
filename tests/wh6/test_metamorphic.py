"""What must not change when a question is put otherwise, and what can only change one way."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from wh6.build import MAN, battle_tables

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.engine.tally import Tally
from chargesim.parts import Part
from chargesim.rulesets import View
from chargesim.scenario import Scenario

SOLDIER: dict[str, Any] = {**MAN, "A": 1}
STEED = {"WS": 3, "S": 3, "I": 2, "A": 1}
KNIGHTS: dict[str, Any] = {
    **SOLDIER, "side": "active", "models": 5, "troop": "cavalry", "M": 18, "WS": 4, "S": 3,
    "save": "2+", "weapon": "lance", "mount": STEED, "standard": True,
}  # fmt: skip
SPEARS: dict[str, Any] = {
    **SOLDIER, "side": "reactive", "models": 12, "width": 5, "weapon": "spear", "save": "5+",
}  # fmt: skip
ARCHERS: dict[str, Any] = {
    **SOLDIER, "side": "reactive", "models": 6, "width": 6, "missile": "bow",
}  # fmt: skip
OGRES: dict[str, Any] = {
    **SOLDIER, "side": "active", "models": 3, "troop": "ogre", "M": 15, "S": 4, "T": 4, "W": 3,
    "A": 3, "rules": ["fear", "bull_charge"],
}  # fmt: skip
RATS: dict[str, Any] = {
    **SOLDIER, "side": "reactive", "models": 12, "width": 5, "Ld": 5, "rules": ["skaven"],
}  # fmt: skip

UNITS = {
    "knights": KNIGHTS,
    "spears": SPEARS,
    "ogres": OGRES,
    "rats": RATS,
}
CHARGES = [("knights", "spears", {"distance": 20}), ("ogres", "rats", {"distance": 22})]

Marginal = dict[tuple[str, ...], Any]


def marginals(part: Part, tally: Tally) -> Marginal:
    """Weight of each word and number of every charge, combat and unit."""
    reading = part.read(tally.states)
    views: dict[str, View] = {
        **{f"charge {v.labels['charger']}": v for v in reading.charges.values()},
        **{f"combat {name}": v for name, v in reading.combats.items()},
        **{f"unit {name}": v for name, v in reading.units.items()},
    }
    found: Marginal = Counter()
    for name, view in views.items():
        for state, weight in enumerate(tally.weights.tolist()):
            found[name, "word", view.words[int(view.codes[state])]] += weight
            for key, quantity in view.quantities.items():
                if quantity.arises is None or quantity.arises[state]:
                    found[name, key, str(int(quantity.values[state]))] += weight
    return {cell: weight for cell, weight in found.items() if weight}


def solved(scenario: Scenario) -> Marginal:
    """Exact marginals of the whole game."""
    return marginals(scenario.whole, solve(scenario.whole))


def scene(
    units: dict[str, dict[str, Any]] | None = None, charges: Any = CHARGES, **others: Any
) -> Scenario:
    """Two fights that have nothing to do with each other."""
    return Scenario(**battle_tables(units or UNITS, *charges, **others))


def agree(one: Marginal, other: Marginal, error: float = 1e-12) -> None:
    """Hold two sets of marginals to each other."""
    for cell in {**one, **other}:
        assert one.get(cell, 0.0) == pytest.approx(other.get(cell, 0.0), abs=error), cell


def test_the_scene_has_something_to_say() -> None:
    found = solved(scene())
    words = {cell[2] for cell in found if cell[1] == "word"}
    assert {"contact", "target_held", "target_broke_caught", "charger_broke_escaped"} <= words
    assert len(found) > 100


def test_parts_solved_apart_equal_the_whole_game() -> None:
    scenario = scene()
    assert len(scenario.parts) == 2
    apart: Marginal = {}
    for part in scenario.parts:
        apart |= marginals(part, solve(part))
    agree(apart, solved(scenario))


def test_neighbours_bind_parts_together() -> None:
    units = {**UNITS, "spears": {**SPEARS, "neighbours": [{"unit": "rats", "distance": 10}]}}
    assert len(scene(units).parts) == 1
    blocked = [CHARGES[0], ("ogres", "rats", {"distance": 22, "blocked_by": ["knights"]})]
    assert len(scene(charges=blocked).parts) == 1


def test_sampled_parts_are_the_sampled_whole_bit_for_bit() -> None:
    scenario = scene(reaction={"spears": "hold"})
    whole = marginals(scenario.whole, sample(scenario.whole, 20_000, seed=11, threads=1))
    apart: Marginal = {}
    for part in scenario.parts:
        apart |= marginals(part, sample(part, 20_000, seed=11, threads=1))
    assert apart == whole


def test_sampled_by_rules_or_by_plan_is_the_same() -> None:
    part = scene().parts[0]
    by_rules = sample(part, 20_000, seed=5, threads=1, by_rules=True)
    by_plan = sample(part, 20_000, seed=5, threads=1)
    assert (by_rules.states == by_plan.states).all()
    assert (by_rules.weights == by_plan.weights).all()


def test_a_unit_nobody_touches_changes_nothing() -> None:
    plain = solved(scene())
    idle = {**UNITS, "idle": {**ARCHERS, "neighbours": [{"unit": "spears", "distance": 1}]}}
    more = solved(scene(idle))
    assert more.pop(("unit idle", "word", "steady")) == pytest.approx(1)
    assert more.pop(("unit idle", "models_left", "6")) == pytest.approx(1)
    agree(more, plain)


def test_the_order_of_unrelated_charges_changes_nothing() -> None:
    agree(solved(scene(charges=CHARGES[::-1])), solved(scene()))


def test_the_order_of_the_units_changes_nothing() -> None:
    agree(solved(scene(dict(reversed(UNITS.items())))), solved(scene()))


def test_other_names_change_nothing_but_the_names() -> None:
    names = {"knights": "spears", "spears": "knights", "ogres": "x", "rats": "y"}
    units = {names[name]: unit for name, unit in UNITS.items()}
    charges = [(names[a], names[b], way) for a, b, way in CHARGES]

    def renamed(cell: tuple[str, ...]) -> tuple[str, ...]:
        kind, name = cell[0].split(" ")
        return (f"{kind} {names[name]}", *cell[1:])

    back = {renamed(cell): p for cell, p in solved(scene()).items()}
    agree(solved(scene(units, charges)), back)


def test_what_does_not_matter_in_a_unit_changes_nothing() -> None:
    # Points, a battle standard that no test needs, and a title.
    units = {**UNITS, "knights": {**KNIGHTS, "points": 300}, "spears": {**SPEARS, "points": 90}}
    agree(solved(scene(units, title="another")), solved(scene()))


def fled(found: Marginal, unit: str) -> float:
    """Chance that a unit fled from a charge."""
    return sum(p for cell, p in found.items() if cell[:2] == (f"unit {unit}", "flee_distance"))


@pytest.mark.parametrize("models", [3, 5, 12])
def test_a_further_fear_causer_never_lowers_the_flights(models: int) -> None:
    target = {**SPEARS, "models": models, "width": min(models, 5)}
    quiet = {**KNIGHTS, "A": 0, "mount": None}
    one = {"a": {**quiet, "rules": ["fear"]}, "c": quiet, "b": target}
    two = {**one, "c": {**quiet, "rules": ["fear"]}}
    charges = [("a", "b", {"distance": 20}), ("c", "b", {"distance": 20, "arc": "flank"})]
    none = {**one, "a": quiet}
    flights = [fled(solved(scene(units, charges)), "b") for units in (none, one, two)]
    assert flights[0] == 0
    assert flights == sorted(flights)
    if models < 10:
        assert flights[1] < flights[2]


def mean(found: Marginal, view: str, key: str) -> float:
    """Mean of a number."""
    return sum(int(cell[2]) * p for cell, p in found.items() if cell[:2] == (view, key))


@pytest.mark.parametrize("key", ["save", "ward", "regeneration"])
def test_a_better_save_never_raises_the_losses(key: str) -> None:
    # The target's, in the round: what the chargers cause falls from none to 2+.
    lost = []
    for save in (None, "6+", "5+", "4+", "3+", "2+"):
        unit = {**SPEARS, key: save}
        if save is None:
            del unit[key]
        found = solved(scene({**UNITS, "spears": unit}, CHARGES[:1]))
        lost.append(mean(found, "combat spears", "active_wounds"))
    # (lances of S 5 leave nothing of a save of 6+ and 5+)
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] < lost[0] / 2


def test_a_better_save_never_raises_the_losses_to_shots() -> None:
    lost = []
    for save in ("6+", "5+", "4+", "3+", "2+"):
        units = {"a": {**KNIGHTS, "save": save}, "b": ARCHERS}
        found = solved(
            scene(units, [("a", "b", {"distance": 20})], reaction={"b": "stand_and_shoot"})
        )
        lost.append(mean(found, "charge a", "shooting_casualties"))
    assert all(worse > better for worse, better in pairwise(lost))


@pytest.mark.parametrize(
    ("unit", "key", "values"),
    [
        ("knights", "WS", (2, 3, 4)),
        ("knights", "S", (1, 2, 3)),
        ("knights", "A", (0, 1, 2)),
        ("knights", "combat_bonus", (0, 1, 3)),
    ],
)
def test_a_better_charger_breaks_the_target_more_often(
    unit: str, key: str, values: tuple[int, ...]
) -> None:
    gone = []
    for value in values:
        found = solved(scene({**UNITS, unit: {**UNITS[unit], key: value}}, CHARGES[:1]))
        gone.append(
            sum(
                p
                for cell, p in found.items()
                if cell[:2] == ("combat spears", "word")
                and cell[2].startswith(("target_broke", "target_wiped"))
            )
        )
    assert all(worse < better for worse, better in pairwise(gone))


def test_more_leadership_holds_more_often() -> None:
    held = []
    for leadership in range(4, 11):
        units = {**UNITS, "spears": {**SPEARS, "Ld": leadership}}
        found = solved(scene(units, CHARGES[:1]))
        held.append(found.get(("combat spears", "word", "target_held"), 0.0))
    assert held == sorted(held)
    assert held[0] < held[-1]


def test_what_is_turned_round_by_a_draw_is_even() -> None:
    # Two equal units that fought before, with a third that does nothing: each wins as often.
    man = {**SOLDIER, "models": 3, "width": 3, "S": 4, "rules": ["unbreakable"]}
    units = {
        "a": {**MAN, "side": "active", "models": 1, "unit_strength": 1, "rules": ["unbreakable"]},
        "c": {**man, "side": "active"},
        "b": {**man, "side": "reactive", "models": 3, "engaged": "c"},
    }
    found = solved(scene(units, [("a", "b", {"distance": 10, "arc": "flank"})]))
    # equal Initiative is rolled off: neither side is favoured, and all of three face three
    # opponents, so that the third takes no blow
    forth = mean(found, "combat b", "active_wounds")
    back = mean(found, "combat b", "reactive_wounds")
    assert forth == pytest.approx(back, abs=1e-12)
