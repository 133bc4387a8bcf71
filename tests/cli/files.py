"""Scenarios and names that the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

CASES = Path(__file__).parent.parent / "conformance"
SHOOT = str(CASES / "02_stand_and_shoot_panic.toml")
FLEE = str(CASES / "07_flee_fast_inch.toml")
CHARIOT = str(CASES / "12_chariot_scythes.toml")
TERROR = str(CASES / "10_terror_on_charger.toml")
PHASE = str(Path(__file__).parent.parent / "scenarios" / "phase.toml")
FILES = [*sorted(CASES.glob("*.toml")), Path(PHASE)]
FORMS = ("text", "json", "csv", "markdown", "html")
Run = Callable[..., str]
