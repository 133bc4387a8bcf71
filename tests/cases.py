"""Questions that the tests hold still and the benchmarks time: one list for both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chargesim.data import scenarios
from chargesim.parts import Part
from chargesim.scenario import Scenario, load

FILES = Path(__file__).resolve().parent / "cases"


@dataclass(frozen=True)
class Case:
    """A question, and how far it is played.

    Parameters
    ----------
    about
        What it is, in words.
    file
        Scenario file.
    until
        Last phase that is played; ``None``: all of them.
    """

    about: str
    file: Path
    until: str | None = None

    @property
    def scenario(self) -> Scenario:
        """The question, read once."""
        return _read(self.file)

    @property
    def parts(self) -> list[Part]:
        """Its parts, none of which influences another, as far as they are played."""
        parts = self.scenario.parts
        return parts if self.until is None else [part.until(self.until) for part in parts]


@cache
def _read(file: Path) -> Scenario:
    return load(file)


CASES = {
    "canonical": Case("the canonical charge", FILES / "canonical.toml", "impact"),
    "duel": Case("one charge and its combat", FILES / "duel.toml"),
    "two_on_one": Case("two chargers on one target", FILES / "two_on_one.toml"),
    "eight": Case("eight charges and their combats", FILES / "eight.toml"),
    "by_eye": Case("a distance judged by eye", scenarios()["by_eye"]),
    "line": Case("a line on three stacks", scenarios()["line_on_three_stacks"]),
    "waves": Case("a column of four waves", FILES / "four_waves.toml"),
    "reaction": Case("a charge and the reaction to it", scenarios()["charged_in_turn"]),
    "flank": Case("the price of a flank", scenarios()["price_of_a_flank"]),
}
"""By name; what is measured is tested too."""
