"""What is too much at one time is refused; higher ground and opponents inside the game count."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import chargesim as cs
from chargesim.faults import ScenarioError
from chargesim.scenario import Scenario

CANONICAL = Path(__file__).resolve().parent.parent / "conformance" / "02_stand_and_shoot_panic.toml"
CHARIOT = CANONICAL.with_name("12_chariot_scythes.toml")


def changed(file: Path, **paths: object) -> Scenario:
    return Scenario(**tomllib.loads(file.read_text(encoding="utf-8"))).replace(**paths)


@pytest.mark.parametrize(
    ("file", "paths", "message"),
    [
        (
            CANONICAL,
            {"unit.handgunners.models": 300, "unit.handgunners.missile": "repeater_crossbow"},
            "unit.handgunners.shooters: 300 models with up to 2 shots are more than 510 shots",
        ),
        (
            CANONICAL,
            {"unit.boars.models": 200, "unit.boars.W": 3, "unit.boars.regeneration": "4+"},
            "unit.boars.models: 200 models of 3 wounds that regenerate are more than 510 wounds",
        ),
        (
            CHARIOT,
            {
                "unit.chariot.models": 10,
                "unit.chariot.width": 10,
                "unit.chariot.chariot.impact_hits": "10D6",
            },
            "unit.chariot.width: 10 chariots abreast",
        ),
    ],
)
def test_more_than_a_node_holds_is_refused(file: Path, paths: dict, message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        changed(file, **paths)
    assert message in str(error.value)


def test_WH6_SHOOT_04_two_ranks_shoot_from_higher_ground() -> None:
    paths = {"unit.handgunners.models": 10, "unit.handgunners.width": 5}
    one = changed(CANONICAL, **paths)
    two = changed(CANONICAL, **paths, **{"charge.0.high_ground": "target"})
    unhurt = [
        cs.solve(s, engine="exact").distribution("shooting_casualties")[0] for s in (one, two)
    ]
    assert unhurt == [pytest.approx((8 / 9) ** 5), pytest.approx((8 / 9) ** 10)]  # 1/9 a shot


@pytest.mark.parametrize(("engaged", "hits"), [(True, 0.0), ("axes", 4.5)])
def test_WH6_IMPACT_02_no_hits_in_a_fight_with_a_unit_outside_the_game(
    engaged: object, hits: float
) -> None:
    tables = tomllib.loads(CHARIOT.read_text(encoding="utf-8"))
    tables["unit"]["axes"] = {**tables["unit"]["spears"], "side": "active"}
    tables["unit"]["spears"]["engaged"] = engaged
    scenario = Scenario(**tables)
    assert cs.solve(scenario, engine="exact").mean("impact_hits") == pytest.approx(hits)
