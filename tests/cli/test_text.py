"""Answers as text for people: decimals, bounds, what is certain."""

from __future__ import annotations

import re

import pytest
from cli.files import CASES, FLEE, SHOOT, Run

from chargesim.engine.stats import half_width, wilson
from chargesim.report.render import percent


def test_exact_text(run: Run) -> None:
    out = run("run", SHOOT)
    assert "charge makes contact              87.050 %" in out
    assert "charger panics under fire         12.687 %" in out
    assert "charger shot down to the last      0.263 %" in out
    assert "Exact: every outcome enumerated, nothing sampled (no seed used)." in out
    assert "panic_engaged = true" in out


def test_certain_and_impossible_are_written_only_when_exact(run: Run) -> None:
    hold = str(CASES / "01_hold.toml")
    assert re.search(r"charge makes contact +100 %", run("run", hold))
    sampled = run("run", hold, "--engine", "sample", "--trials", "5000")
    assert re.search(r"charge makes contact +> 99\.\d+ %", sampled)
    # to lose or wound at least none is certain in a sample too
    lines = [line for line in sampled.splitlines() if not line.strip().startswith("0 ")]
    assert not re.search(r"(?<![\d.])(0|100) %", "\n".join(lines))


def test_percentages_have_the_decimals_of_their_error() -> None:
    assert percent(0.5, 0.5, 0.5, "en", exact=True) == "50.000 %"
    assert percent(0.0, 0.0, 0.0, "en", exact=True) == "0 %"
    assert percent(1.0, 1.0, 1.0, "en", exact=True) == "100 %"
    assert percent(1e-9, 1e-9, 1e-9, "en", exact=True) == "< 0.001 %"
    assert percent(1 - 1e-9, 1, 1, "en", exact=True) == "> 99.999 %"
    for trials in (100, 3_000, 10_000, 1_000_000, 10**9):
        for count in (0, 1, trials // 3, trials - 1, trials):
            low, high = wilson(count, trials)
            shown = percent(count / trials, low, high, "en", exact=False)
            digits = shown.removesuffix(" %").lstrip("<> ")
            assert digits not in ("0", "100")
            if count == 0 or shown.startswith("< "):
                # never seen, or so rarely that rounding would say never
                assert shown.startswith("< ")
                assert float(digits) == pytest.approx(100 * high, rel=0.1)
            elif count == trials or shown.startswith("> "):
                assert shown.startswith("> ")
                assert float(digits) == pytest.approx(100 * low, rel=0.1)
            else:
                last = 10.0 ** -len(digits.partition(".")[2])
                half = 100 * half_width(count, trials)
                assert last == 1 or last >= half / 2
                assert last < max(10 * half / 2, 1.000001)


def test_a_sampled_zero_is_shown_as_its_upper_bound(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    _, high = wilson(0, 2000)
    assert f"{100 * high:.2f}" == "0.19"
    assert re.search(r"charge makes contact +< 0\.19 %", out)


def test_a_sample_never_says_0_or_100_per_cent(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert not re.search(r" (0(\.0+)?|100) %", out)


def test_a_sample_says_that_it_saw_no_combat_not_that_there_is_none(run: Run) -> None:
    assert "No combat of knights against runners takes place." in run("run", FLEE)
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert "No combat of knights against runners was seen." in out


def test_what_is_left_of_a_charge_is_bounded_by_its_own_interval(run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", "2000")
    assert re.search(r"target flees and is run down .* < 0\.19 % ", out)
