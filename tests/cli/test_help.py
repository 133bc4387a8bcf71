"""Help that players read: nothing cut off, no words of Python, and examples that work."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.files import Run

import chargesim as cs
from chargesim.cli import app
from chargesim.cli.manner import ASKING
from chargesim.data import articles, templates
from chargesim.report.values import measure

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"


def commands() -> list[list[str]]:
    """Every command there is, a group of commands before what stands in it."""
    found: list[list[str]] = [[]]
    for one in app.registered_commands:
        assert one.callback is not None
        found.append([one.callback.__name__])
    for inner in app.registered_groups:
        assert inner.typer_instance is not None
        name = str(inner.typer_instance.info.name)
        found.append([name])
        for one in inner.typer_instance.registered_commands:
            assert one.callback is not None
            found.append([name, one.callback.__name__])
    return found


@pytest.mark.parametrize("width", ["40", "80", "200"])
@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_help_is_whole_at_every_width(
    command: list[str], width: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    out = run(*command, "--help")
    assert "... \n" not in out
    assert not any(line.endswith("...") for line in out.splitlines()[2:] if "toml" not in line)
    assert "<str>" not in out
    assert "list[" not in out
    assert "{" not in out


@pytest.mark.parametrize(
    ("command", "taken"),
    [("compare", "A.toml B.toml..."), ("rules", "[RULESET] [RULE-ID]"), ("run", "SCENARIO.toml")],
)
def test_usage_names_arguments_as_they_are(command: str, taken: str, run: Run) -> None:
    assert run(command, "--help").startswith(f"Usage: chargesim {command} [OPTIONS] {taken}\n")


def test_the_list_of_commands_has_whole_sentences(run: Run) -> None:
    out = " ".join(run("--help").split())
    assert "Set the charger's options against the reactions of its target, and mark the best" in out


@pytest.mark.parametrize("command", ["table", "compare", "solve", "why", "payoffs"])
def test_commands_that_ask_for_values_say_how(command: str, run: Run) -> None:
    out = run(command, "--help")
    for line in ASKING.splitlines()[1:]:
        assert line.rstrip() in out


def examples() -> list[str]:
    """The values that help names."""
    lines = ASKING.partition("OUTCOME\n")[2].splitlines()
    left = [line.strip().split("  ")[0] for line in lines]
    return [value for one in left for value in one.split(", ") if not value.startswith("exactly")]


@pytest.mark.parametrize("value", examples())
def test_the_values_that_help_names_can_be_asked(value: str) -> None:
    known = cs.solve(cs.load(SHIPPED / "flank_and_front.toml"))
    assert measure(known, value.replace("spears", "spearmen")).is_exact


def test_help_names_every_kind_of_article(run: Run) -> None:
    out = " ".join(run("article", "new", "--help").split())
    for kind in {**templates(), **articles()}:
        assert kind in out
