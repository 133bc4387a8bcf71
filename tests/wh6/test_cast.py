"""Who is who in a game: the order of its records hangs on the file alone."""

from __future__ import annotations

from typing import Any

import pytest

from chargesim.rulesets.values import forget
from chargesim.rulesets.wh6.cast import entries
from chargesim.rulesets.wh6.state import Kind
from chargesim.scenario import Scenario

MAN: dict[str, Any] = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
NAMES = ("elm", "oak", "ash", "yew", "fir", "box", "bay", "may")


@pytest.fixture
def fights() -> Scenario:
    """Eight units, each fighting already and charged by another, in an order that is no one's."""
    units: dict[str, Any] = {}
    for name in NAMES:
        units[name] = {**MAN, "side": "reactive", "models": 20, "engaged": f"foe of {name}"}
        units[f"foe of {name}"] = {**MAN, "side": "active", "models": 20}
        units[f"rider on {name}"] = {**MAN, "M": 16, "side": "active", "models": 5}
    charges = [
        {"charger": f"rider on {name}", "target": name, "distance": 20, "arc": "flank"}
        for name in NAMES
    ]
    return Scenario(ruleset="wh6", unit=units, charge=charges)


def test_fights_that_stand_come_in_the_order_of_the_charges(fights: Scenario) -> None:
    standing = [one.target for one in entries(fights.model, ()) if one.kind is Kind.STANDING]
    assert tuple(standing) == NAMES


def test_a_fight_that_stands_is_in_the_part_of_its_charge(fights: Scenario) -> None:
    forget()
    assert [part.counts for part in fights.parts] == [(3, 2, 1)] * len(NAMES)
    for part in fights.parts:
        kinds = part.start["charges"][0]["kind"].tolist()
        assert kinds == [Kind.STANDING, Kind.DECLARED]
        foe = part.units.index(f"foe of {part.units[0]}")
        assert part.start["units"][0, foe]["engaged"] == 2
