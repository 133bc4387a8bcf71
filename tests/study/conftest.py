"""Studies small enough for tests, and cut into many jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chargesim.data import scenarios
from chargesim.study import plan
from chargesim.study.file import Study, make_study

BOARS = scenarios()["boar_riders"]
Make = Callable[..., Study]


@pytest.fixture
def small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of a few points, so that a small study has many."""
    monkeypatch.setattr(plan, "JOB", 5e5)


@pytest.fixture
def make() -> Make:
    """Make a study of the boar riders: sampled, distance by Leadership, unless told otherwise."""

    def made(axes: dict[str, Any] | None = None, **keys: Any) -> Study:
        tables = {
            "scenario": str(BOARS),
            "engine": "sample",
            "trials": 2_000,
            "axes": axes or {"charge.0.distance": "16:40:4", "unit.handgunners.Ld": [6, 7, 8]},
            **keys,
        }
        return make_study({key: value for key, value in tables.items() if value is not None})

    return made
