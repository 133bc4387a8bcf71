"""Measure the canonical charge side by side and write the README's performance section.

All contestants answer the same question and are checked against each other first; then they are
timed in turns within one process, on one core, and compared by medians as ratios.

    PYTHONPATH=tests python benchmarks/run.py            print
    PYTHONPATH=tests python benchmarks/run.py --write    print, and write the section of the README
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import numpy as np
import ranked
from cases import CASES
from opponents import (
    dyce_exact,
    icepool_exact,
    icepool_grid,
    numpy_best,
    numpy_binomial,
    numpy_dice,
    numpy_plain,
    pure_python,
)

from chargesim.data import rosters
from chargesim.engine.exact import solve, solve_many
from chargesim.engine.plan import make_plan
from chargesim.engine.sample import sample
from chargesim.engine.tally import Tally
from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.words import BLOCK, fill_row
from chargesim.parts import Part
from chargesim.report.batch import solve_many as solve_many_scenarios
from chargesim.report.charges import answer
from chargesim.report.grid import grid
from chargesim.report.matchup import matchup
from chargesim.report.matchup_sides import side_of
from chargesim.report.result import Result
from chargesim.report.result import solve as ask
from chargesim.report.roster import read_roster
from chargesim.scenario import Scenario

HERE = Path(__file__).resolve().parent
README = HERE.parent / "README.md"
ROUNDS = 9
AXES = ("charge.0.distance", "unit.handgunners.Ld", "unit.handgunners.BS")
"""Paths that are varied in batches."""
COMBATS = ("duel", "two_on_one", "eight")
OUTCOMES = (
    "contact",
    "target_fled_caught",
    "target_fled_escaped",
    "charger_fled_panic",
    "charger_destroyed",
)


def timed(call: Callable[[], object], size: int) -> float:
    """Nanoseconds of processor time for one of ``size`` trials."""
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / size


def one_core() -> None:
    """Stay on one core from now on, where the system lets a process choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main() -> None:
    """Check, time and print; write with ``--write``."""
    one_core()
    # first: a child's peak of memory counts what its parent had when it was begun
    start_up = _start_up()
    question = CASES["canonical"].scenario
    scenario = question.whole.until("impact")  # as far as the others go
    exact = Result(question, [solve(scenario)])
    reference = icepool_exact.solve().joint.sum(axis=(1, 2))
    ours = [exact.probability(word) for word in OUTCOMES]
    assert np.allclose(ours, reference, atol=1e-12), "exact and icepool disagree"
    for other in (pure_python, numpy_plain, numpy_dice, numpy_binomial, numpy_best):
        counts = other.play(20_000, 1).joint.sum(axis=(1, 2))
        assert np.allclose(counts / 20_000, reference, atol=0.02), other.__name__
    drawn = Result(question, [sample(scenario, 200_000)])
    for word, p in zip(OUTCOMES, reference, strict=True):
        assert abs(drawn.probability(word) - p) < 0.006

    rows = [(12 + d / 10, ld, bs) for d in range(100) for ld in range(5, 10) for bs in range(2, 6)]
    variants = question.variants(AXES, rows)
    batch = [one.whole.until("impact") for one in variants if isinstance(one, Scenario)]
    assert len(batch) == len(rows) == 2_000
    for one, other in zip(solve_many(batch, threads=1), map(solve, batch), strict=True):
        assert isinstance(one, Tally)
        assert np.array_equal(one.weights, other.weights)

    places, dice = make_plan(scenario).layout.places, new_dice(Mode.SAMPLE)
    contestants: dict[str, tuple[Callable[[], object], int]] = {
        "chargesim, sampled by the plan": (
            lambda: sample(scenario, 10_000_000, threads=1),
            10_000_000,
        ),
        "chargesim, by the plan, a million": (
            lambda: sample(scenario, 1_000_000, threads=1),
            1_000_000,
        ),
        "chargesim, its random words alone": (lambda: words(dice[0], places, 244), 244 * BLOCK),
        "chargesim, sampled by the rules": (
            lambda: sample(scenario, 200_000, threads=1, by_rules=True),
            200_000,
        ),
        "chargesim, every die rolled by the plan": (
            lambda: sample(scenario, 2_000_000, threads=1, rolled=True),
            2_000_000,
        ),
        "chargesim, every die rolled by the rules": (
            lambda: sample(scenario, 50_000, threads=1, rolled=True, by_rules=True),
            50_000,
        ),
        "numpy, counts in place of trials": (lambda: numpy_best.play(2_000_000, 1), 2_000_000),
        "numpy, a binomial() a stage": (lambda: numpy_binomial.play(1_000_000, 1), 1_000_000),
        "numpy, the dice that matter rolled": (lambda: numpy_dice.play(500_000, 1), 500_000),
        "numpy, every die of every trial, bytes": (
            lambda: numpy_plain.play(500_000, 1, np.uint8),
            500_000,
        ),
        "numpy, every die of every trial": (lambda: numpy_plain.play(500_000, 1), 500_000),
        "pure Python, every die rolled": (lambda: pure_python.play(10_000, 1), 10_000),
        "chargesim, exact": (lambda: solve(scenario), 1),
        "icepool, exact": (lambda: icepool_exact.solve(), 1),
        "dyce, exact": (_dyce, 1),
        "chargesim, twenty in a row, exact": (lambda: again(lambda: solve(scenario)), 20),
        "icepool, twenty in a row, exact": (lambda: again(icepool_exact.solve), 20),
        # from the parts to all end states in order and their probabilities, as arrays
        "chargesim, a batch of 2,000, exact": (lambda: solve_many(batch, threads=1), len(batch)),
        "chargesim, a batch of 2,000, each by itself, exact": (
            lambda: list(solve_many(batch, threads=1)),
            len(batch),
        ),
        "chargesim, axes to chances of 2,000 points, exact": (
            lambda: study(question, rows),
            len(rows),
        ),
        "dyce, twenty in a row, exact": (lambda: again(_dyce), 20),
        "chargesim, plan made": (lambda: make_plan.__wrapped__(scenario), 1),
    }
    tables = [_canonical(in_turns(contestants)), _combats(), _tables(), _lists()]
    tables += [ranked.declarations(), ranked.games()]
    report = "\n".join(line for table in (*tables, start_up) for line in (*table, "")).rstrip()
    report += f"\n\n{_measured()}"
    print(report)
    if "--write" in sys.argv:
        _write(report)


def study(question: Scenario, rows: list[tuple[float, int, int]]) -> list[float]:
    """Chances of contact at many points, from the values on the axes, on one thread."""
    answers = solve_many_scenarios(
        question.variants(AXES, rows), "exact", threads=1, until="charge_moves"
    )
    return [one.probability("contact") for one in answers if isinstance(one, Result)]


def _dyce() -> None:
    with warnings.catch_warnings(action="ignore"):  # it says that it is experimental
        dyce_exact.solve()


@numba.njit
def words(dice: Any, places: Any, blocks: int) -> None:
    """Make the random words that the plan's trials of so many blocks take, and nothing else."""
    for block in range(blocks):
        dice["block"] = block
        for place in places:
            fill_row(dice, place)


def again(call: Callable[[], object]) -> None:
    """Call twenty times: questions seldom come alone."""
    for _ in range(20):
        call()


def in_turns(
    contestants: dict[str, tuple[Callable[[], object], int]],
) -> dict[str, list[float]]:
    """Times of each contestant, in turns, after a turn that does not count."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for call, _ in contestants.values():
        call()
    for _ in range(ROUNDS):
        for name, (call, size) in contestants.items():
            times[name].append(timed(call, size))
    return times


def _ratio(times: dict[str, list[float]], a: str, b: str) -> float:
    """Median of the ratios of one round each: b over a."""
    return statistics.median(y / x for x, y in zip(times[a], times[b], strict=True))


def _canonical(times: dict[str, list[float]]) -> list[str]:
    plan, exact = "chargesim, sampled by the plan", "chargesim, exact"
    lines = [
        "| the canonical charge | one trial, median [least..most] | against chargesim |",
        "|---|---|---|",
    ]
    for name, values in times.items():
        alone = name.endswith(("exact", "made"))
        scale, unit = (1e-6, "ms") if alone else (1.0, "ns")
        middle, low, high = (f(values) * scale for f in (statistics.median, min, max))
        ratio = _ratio(times, exact if alone else plan, name)
        lines.append(f"| {name} | {middle:,.3g} {unit} [{low:,.3g}..{high:,.3g}] | {ratio:.3g} |")
    return lines


def _combats() -> list[str]:
    """Charges with their combats: exact, and sampled by plan and by rules."""
    lines = [
        "| with the combat round | exact | a trial by the plan | a trial by the rules |",
        "|---|---|---|---|",
    ]
    for name in COMBATS:
        parts = CASES[name].parts

        def exact(parts: list[Part] = parts) -> None:
            for part in parts:
                solve(part)

        def drawn(trials: int, by_rules: bool, parts: list[Part] = parts) -> None:
            for part in parts:
                sample(part, trials, threads=1, by_rules=by_rules)

        times = in_turns(
            {
                "exact": (exact, 1),
                "plan": (lambda drawn=drawn: drawn(500_000, False), 500_000),
                "rules": (lambda drawn=drawn: drawn(20_000, True), 20_000),
            }
        )
        middle = {way: statistics.median(values) for way, values in times.items()}
        lines.append(
            f"| {CASES[name].about} | {middle['exact'] * 1e-6:,.3g} ms | "
            f"{middle['plan']:,.3g} ns | {middle['rules']:,.3g} ns |"
        )
    return lines


def _lists() -> list[str]:
    """Reading an army list, and every charge of two lists, together and one question at a time."""
    files = rosters()
    data = {name: files[name].read_bytes() for name in ("river_host", "hill_clans")}
    extra = files["river_host"].with_name("river_host_overrides.toml")
    mine = read_roster(data["river_host"], overrides=extra)
    theirs = read_roster(data["hill_clans"])
    sides = [(side_of(one), side_of(other)) for one, other in ((mine, theirs), (theirs, mine))]
    questions = [
        {
            "ruleset": "wh6", "units": a.lengths, "reaction": {other: "best"},
            "unit": {one: {**a.units[one], "side": "active"},
                     other: {**b.units[other], "side": "reactive"}},
            "charge": [{"charger": one, "target": other, "distance": 8}],
        }
        for a, b in sides for one in a.chargers for other in b.units
    ]  # fmt: skip

    def one_by_one() -> None:
        """Read each question, answer it with the best reaction, and ask who wins."""
        for question in questions:
            answer(ask(Scenario(**question)), 0)

    times = in_turns(
        {
            "read": (lambda: read_roster(data["hill_clans"]), 1),
            "together": (lambda: matchup(mine, theirs), 1),
            "apart": (one_by_one, 1),
        }
    )
    middle = {way: statistics.median(values) * 1e-9 for way, values in times.items()}
    ratio = _ratio(times, "together", "apart")
    return [
        "| army lists | processor time | against chargesim |",
        "|---|---|---|",
        f"| a list of 1,684 points read | {middle['read'] * 1e3:.3g} ms | |",
        f"| match-up of two lists, {len(questions)} charges, exact, best reactions | "
        f"{middle['together']:.3g} s | 1 |",
        f"| the same, one scenario at a time | {middle['apart']:.3g} s | {ratio:.3g} |",
    ]


def machine() -> str:
    """When and on what this is measured, as a sentence."""
    return (
        f"Measured on {date.today():%Y-%m-%d}, {_processor()}, Python "
        f"{platform.python_version()}, numpy {version('numpy')}, numba {version('numba')}."
    )


def _tables() -> list[str]:
    """A table of exact charges, to contact and with the combat, against icepool's."""
    question = CASES["duel"].scenario
    axes = (
        {"charge.0.distance": icepool_grid.DISTANCES},
        {"unit.riders0.Ld": icepool_grid.LEADERSHIPS},
    )
    lines = [
        "| a table of 31 by 5 exact charges | chargesim | icepool, cell by cell | icepool, what is "
        "alike once |",
        "|---|---|---|---|",
    ]
    for name, value, word in (
        ("to contact", "contact", "contact"),
        ("with the combat", "spears0:charger_broke_escaped", "charger_broke_escaped"),
    ):
        known = {"word": word, "with_combat": word != "contact"}
        ways = {
            "ours": lambda value=value: grid(question, *axes, value).array(),
            "anew": lambda known=known: icepool_grid.table(**known, anew=True),
            "once": lambda known=known: icepool_grid.table(**known),
        }
        assert all(np.allclose(ways["ours"](), one(), atol=1e-12) for one in ways.values()), name
        times = in_turns({who: (call, 1) for who, call in ways.items()})
        middle = [f"{statistics.median(values) * 1e-9:.2f} s" for values in times.values()]
        lines.append(f"| {name} | {' | '.join(middle)} |")
    return lines


def _measured() -> str:
    return (
        f"{machine()} One core, icepool {version('icepool')}, dyce {version('dyce')}; {ROUNDS} "
        "rounds in turns within one process, processor time, ratios as medians over the rounds. "
        "The canonical charge ends with its impact hits. The answer to a batch is one: the end "
        "states of all charges, and the probabilities of each, as arrays."
    )


def _start_up() -> list[str]:
    """Wall time of whole processes, and memory of a large sample."""
    scenario = str(CASES["canonical"].file)
    commands = {
        "run (exact, warm caches)": ["run", scenario],
        "odds": ["odds", "2d6 <= 7"],
        "--help": ["--help"],
    }
    lines = ["| whole process | wall time, median of 5 |", "|---|---|"]
    for name, arguments in commands.items():
        command = [sys.executable, "-m", "chargesim", *arguments]
        subprocess.run(command, check=True, capture_output=True)
        walls = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            walls.append(time.perf_counter() - start)
        lines.append(f"| `chargesim {name}` | {statistics.median(walls):.2f} s |")
    start = time.perf_counter()
    large = ["run", scenario, "--engine", "sample", "--trials", "1e8", "--format", "json"]
    command = [sys.executable, "-m", "chargesim", *large]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)  # of this process alone
    assert status == 0
    wall, peak = time.perf_counter() - start, used.ru_maxrss / 1024
    lines.append(f"| 100,000,000 trials on one core | {wall:.1f} s, at most {peak:.0f} MB |")
    return lines


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
        return next(
            x.split(":")[1].strip() for x in text.splitlines() if x.startswith("model name")
        )
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _write(report: str) -> None:
    text = README.read_text()
    begin, end = "<!-- performance: made by benchmarks/run.py -->", "<!-- end of performance -->"
    head, _, rest = text.partition(begin)
    _, _, tail = rest.partition(end)
    README.write_text(f"{head}{begin}\n{report}\n{end}{tail}")


if __name__ == "__main__":
    main()
