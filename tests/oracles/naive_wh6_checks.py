"""Frequencies of the naive `wh6` twin against probabilities, for the tests beside this file."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from oracles import naive_wh6 as naive

TRIALS = 4_000
CONFORMANCE = Path(__file__).parent.parent / "conformance"
EXAMPLES = sorted(path.stem for path in CONFORMANCE.glob("*.toml"))


def play(scenario: dict[str, Any], seed: str) -> list[dict[str, Any]]:
    """Play all trials of a scenario."""
    rng = random.Random(seed)
    return [naive.simulate(scenario, rng) for _ in range(TRIALS)]


def assert_close(count: int, p: float, what: str) -> None:
    """Compare a frequency with its probability: 5 binomial standard errors and one trial."""
    allowed = 5 * math.sqrt(p * (1 - p) / TRIALS) + 1 / TRIALS
    assert abs(count / TRIALS - p) <= allowed, f"{what}: {count / TRIALS} instead of {p}"


def assert_distribution(counts: Counter[Any], expected: dict[str, float], what: str) -> None:
    """Compare every cell, the empty ones too."""
    seen = {str(value): number for value, number in counts.items()}
    for value in sorted(set(seen) | set(expected)):
        assert_close(seen.get(value, 0), expected.get(value, 0.0), f"{what} {value}")


def read_example(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scenario and expected results of a worked example."""
    scenario = tomllib.loads((CONFORMANCE / f"{name}.toml").read_text(encoding="utf-8"))
    text = (CONFORMANCE / f"{name}.expected.json").read_text(encoding="utf-8")
    return scenario, json.loads(text)
