"""The command odds."""

from __future__ import annotations

import json
import math

import pytest
from cli.files import Run


@pytest.mark.parametrize(
    ("expression", "fraction"),
    [
        ("2d6 <= 7", "7/12"),
        ("3d6dh1 <= 8", "193/216"),
        ("8d6 > 48", "0"),
        ("10x 4+ 4+ !5+ >= 0", "1"),
        ("1d6+1 = 7", "1/6"),
    ],
)
def test_odds(expression: str, fraction: str, run: Run) -> None:
    found = json.loads(run("odds", expression, "--format", "json"))
    assert found["fraction"] == fraction
    assert math.isclose(sum(found["distribution"].values()), 1, abs_tol=1e-12)
    text = run("odds", expression)
    if fraction in ("0", "1"):
        assert f"= {100 * int(fraction)} %" in text
    else:
        assert f" = {fraction}\n" in text


def test_odds_without_a_comparison(run: Run) -> None:
    found = json.loads(run("odds", "10x 4+ 4+ !5+", "--format", "json"))
    assert found["p"] is None
    assert found["stages"] == [
        {"stage": "4+", "p": 0.5},
        {"stage": "4+", "p": 0.5},
        {"stage": "!5+", "p": 2 / 3},
    ]
    assert math.isclose(found["mean"], 10 / 6)
