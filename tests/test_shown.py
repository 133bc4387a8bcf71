"""Answers show themselves: printed as the commands print them, and as tables in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import chargesim as cs
from chargesim import cli
from chargesim.data import rosters

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
BOARS, PLAN = SHIPPED / "boar_riders.toml", SHIPPED / "how_fast_are_they.toml"
LIST = rosters()["guardia_del_puerto"]
LD = {"unit.boars.Ld": [6, 7]}
ANSWERS: dict[str, tuple[Callable[[cs.Scenario], object], list[object]]] = {
    "run": (cs.solve, [BOARS]),
    "table": (lambda s: cs.grid(s, LD, value="contact"),
              [BOARS, "--rows", "unit.boars.Ld=6,7", "--value", "contact"]),
    "compare": (lambda s: cs.compare(s, s, value="contact", names=["boar_riders", "other"]), []),
    "solve": (lambda s: cs.find_level(s, LD, "contact", 0.85),
              [BOARS, "--for", "unit.boars.Ld=6,7", "--value", "contact", "--reach", "0.85"]),
    "why": (lambda s: cs.why(s, "contact"), [BOARS, "--value", "contact"]),
    "payoffs": (cs.payoffs, [BOARS]),
    "plan": (lambda _: cs.plan(cs.load(PLAN)), [PLAN]),
    "roster": (lambda _: cs.read_roster(LIST), [LIST]),
}  # fmt: skip


@pytest.mark.parametrize("command", ANSWERS)
def test_what_is_printed_is_what_the_command_prints(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ask, arguments = ANSWERS[command]
    found = ask(cs.load(BOARS))
    shown = f"{found}\n"
    assert len(shown.splitlines()) > 6
    if arguments:
        assert cli._guard(lambda: cli._run([command, *map(str, arguments)])) == 0
        assert shown == capsys.readouterr().out
    assert repr(found).count("\n") == 0
    assert found._repr_html_().startswith("<section class='chargesim'>")  # type: ignore[attr-defined]


def test_losses_show_themselves_too() -> None:
    found = cs.solve(cs.load(BOARS)).casualties("boars")
    assert "however it ends" in str(found)
    assert "<table>" in found._repr_html_()


def test_the_report_of_a_list_shows_itself_too() -> None:
    report = cs.read_roster(LIST).report
    assert "no count of models" in str(report)
    assert "<table>" in report._repr_html_()
