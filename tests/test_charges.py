"""What a player asks of a charge: does it arrive, and who wins then?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_hex

import chargesim as cs
from chargesim import rulesets
from chargesim.report import figures
from chargesim.report.charges import answer, waterfall
from chargesim.report.render import text
from chargesim.report.result_tables import result_document

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
FOOT: dict[str, Any] = {"frontage": 5, "depth": 2, "move": 16, "models": 10}


def test_a_charge_that_is_met_halfway_arrives() -> None:
    known = cs.solve(cs.load(SHIPPED / "three_against_three.toml"))
    assert known.probability("2:countered") == 1
    met = answer(known, 2)
    assert met.arrives[0] == 1
    assert met.wins[0] == pytest.approx(known.probability("far_right:target_*"), abs=1e-12)
    assert "Arrives: 100 %; arrives and wins the round: 47.001 %" in text(
        result_document(known, "en")
    )


def battle(reach: float) -> cs.Result:
    """One unit fights since before; another would charge into that fight."""
    units = {
        "old": FOOT | {"side": "active", "at": [30, 34], "facing": 180},
        "late": FOOT | {"side": "active", "at": [45, 30], "facing": 270, "move": reach},
        "target": FOOT | {"side": "reactive", "at": [30, 30], "facing": 0, "engaged": "old"},
    }
    charge = [{"charger": "late", "target": "target"}]
    return cs.solve(cs.Scenario(ruleset="ranked_regiment", turn=2, unit=units, charge=charge))


def test_a_fight_from_before_is_not_won_by_a_charge_that_never_comes() -> None:
    late = battle(3)
    assert late.probability("target:target_*") > 0.1
    assert set(vars(answer(late, 0)).values()) == {(0, 0, 0)}
    there = answer(battle(16), 0)
    assert there.arrives[0] == 1
    assert 0 < there.breaks[0] < there.wins[0] < 1


def colours(name: str) -> dict[str, str]:
    """Colour of the bar of each step of the first charge, or the third of three."""
    known = cs.solve(cs.load(SHIPPED / f"{name}.toml"))
    charge = len(known.charges) - 1
    steps = waterfall(known, charge)
    drawn = figures.waterfall(known, charge=charge).patches
    bars = [bar for bar in drawn if bar.get_alpha() is None]  # without what is left
    assert len(bars) == len(steps) + 1
    return {
        step.word: to_hex(bar.get_facecolor()).upper()
        for step, bar in zip(steps, bars[1:], strict=True)
    }


def test_only_what_is_bad_for_the_charger_has_the_colour_of_loss() -> None:
    assert colours("redirect") == {
        "target_fled_caught": figures.ELSEWHERE,
        "redirected_contact": figures.ELSEWHERE,
        "contact": figures.GOAL,
    }
    assert colours("three_against_three") == {"countered": figures.GOAL, "contact": figures.GOAL}
    assert colours("boar_riders") == {
        "charger_destroyed": figures.LOST,
        "charger_fled_panic": figures.LOST,
        "contact": figures.GOAL,
    }
    assert colours("line_on_three_stacks")["targets_broke"] == figures.ELSEWHERE


def test_long_words_leave_room_for_their_bars() -> None:
    known = cs.solve(cs.load(SHIPPED / "three_against_three.toml"))
    shown = [one.get_text() for one in figures.waterfall(known, None, "es", 2).get_yticklabels()]
    assert "la carga es contestada: se\nencuentran a mitad de camino" in shown


def test_every_gain_is_a_way_by_which_a_charge_ends() -> None:
    for name in rulesets.NAMES:
        ruleset = rulesets.get(name)
        assert set(ruleset.gains) <= set(ruleset.fall)
        assert set(ruleset.arrivals) <= {ruleset.goal, *ruleset.fall}
