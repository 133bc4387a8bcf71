"""Measure how cost grows, and write the page about it: benchmarks/SCALING.md and scaling.svg.

PYTHONPATH=tests python benchmarks/scaling.py            print
PYTHONPATH=tests python benchmarks/scaling.py --write    print, and write page and figure
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from run import machine, one_core

import chargesim as cs
from chargesim.engine.exact import ExactLimitError, solve
from chargesim.engine.plan import make_plan
from chargesim.engine.sample import sample
from chargesim.engine.threads import cores

HERE = Path(__file__).resolve().parent
ROUNDS = 5
LONG = 20_000_000
"""Trials a core: short ones are all start and end."""
SPAN = 0.15
"""Seconds that a timed sample takes about, so that a clock's grain does not show."""

RIDERS: dict[str, Any] = {
    "side": "active", "models": 5, "M": 18, "WS": 3, "BS": 3, "S": 3, "T": 4, "W": 1, "I": 2,
    "A": 1, "Ld": 7, "save": "3+", "troop": "cavalry", "weapon": "spear",
    "mount": {"WS": 3, "S": 3, "I": 3, "A": 1},
}  # fmt: skip
SPEARS: dict[str, Any] = {
    "side": "reactive", "models": 20, "M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3,
    "A": 1, "Ld": 7, "save": "5+", "weapon": "spear", "missile": "bow", "standard": True,
}  # fmt: skip


def volley(shooters: int) -> cs.Scenario:
    """One charge on so many bows in one rank."""
    bows = {**SPEARS, "models": shooters, "width": shooters}
    return cs.Scenario(
        ruleset="wh6",
        unit={"riders": {**RIDERS, "models": 20}, "bows": bows},
        charge=[{"charger": "riders", "target": "bows", "distance": 24}],
        reaction={"bows": "stand_and_shoot"},
    )


def phase(charges: int) -> cs.Scenario:
    """So many charges that have nothing to do with each other, with their combats."""
    units: dict[str, Any] = {}
    for number in range(charges):
        units[f"riders{number}"] = RIDERS
        units[f"spears{number}"] = SPEARS
    return cs.Scenario(
        ruleset="wh6",
        unit=units,
        charge=[
            {"charger": f"riders{n}", "target": f"spears{n}", "distance": 24}
            for n in range(charges)
        ],
    )


def together(chargers: int) -> cs.Scenario:
    """So many chargers on the front of one long line, with the combat."""
    units: dict[str, Any] = {f"riders{n}": {**RIDERS, "models": 3} for n in range(chargers)}
    units["spears"] = {**SPEARS, "models": 40, "width": 20}
    return cs.Scenario(
        ruleset="wh6",
        unit=units,
        charge=[
            {"charger": f"riders{n}", "target": "spears", "distance": 24} for n in range(chargers)
        ],
    )


def fight(models: int) -> cs.Scenario:
    """So many models a side, ten wide, charge and combat."""
    size = {"models": models, "width": min(models, 10)}
    infantry = {**SPEARS, **size, "side": "active", "weapon": "hand_weapon"}
    return cs.Scenario(
        ruleset="wh6",
        unit={"swords": infantry, "spears": {**SPEARS, **size}},
        charge=[{"charger": "swords", "target": "spears", "distance": 10}],
    )


@dataclass(frozen=True)
class Series:
    """One thing that grows: what it is called, its levels and the question at each."""

    name: str
    levels: tuple[int, ...]
    question: Callable[[int], cs.Scenario]


GROWING = (
    Series("shooters", (5, 10, 20, 40, 80), volley),
    Series("charges in a phase", (1, 2, 4, 8, 16, 24), phase),
    Series("chargers on one target", (1, 2, 3, 4), together),
    Series("models a side in combat", (5, 10, 20, 40), fight),
)
CELLS = (10, 100, 1_000, 10_000)


def least(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Least seconds of several rounds, after one that does not count."""
    call()
    found = []
    for _ in range(ROUNDS):
        start = clock()
        call()
        found.append(clock() - start)
    return min(found)


def exact_time(scenario: cs.Scenario) -> float | None:
    """Seconds to solve every part; None where the tree is too large."""
    try:
        return least(lambda: [solve(part) for part in scenario.parts])
    except ExactLimitError:
        return None


def trial_time(scenario: cs.Scenario) -> float:
    """Seconds of one trial of the whole scenario on one core."""

    def played(trials: int) -> None:
        for part in scenario.parts:
            sample(part, trials, threads=1)

    played(1_000)
    start = time.process_time()
    played(50_000)
    rate = 50_000 / (time.process_time() - start)
    trials = max(50_000, int(rate * SPAN))
    return least(lambda: played(trials)) / trials


def growth(series: Series) -> Iterable[tuple[int, float | None, float, bool]]:
    """Level, seconds exact, seconds a trial, and whether a plan played the trials."""
    for level in series.levels:
        scenario = series.question(level)
        planned = all(make_plan(part) is not None for part in scenario.parts)
        yield level, exact_time(scenario), trial_time(scenario), planned


def cell_times() -> list[tuple[int, float]]:
    """Seconds of one cell in tables of more and more cells, one path alone."""
    scenario = volley(10)
    found = []
    for cells in CELLS:
        axis = [10 + 0.01 * n for n in range(min(cells, 100))]
        levels = [2 + n % 9 for n in range(cells // len(axis))]
        cols = {"unit.riders.models": [5 + n for n in range(len(levels))]} if levels[1:] else None
        took = least(
            lambda axis=axis, cols=cols: cs.grid(
                scenario, {"charge.0.distance": axis}, cols, "contact", engine="exact"
            ),
            time.perf_counter,
        )
        found.append((cells, took / cells))
    return found


def core_rates() -> list[tuple[int, float]]:
    """Trials a second by wall time on one core and on all, the least times of turns."""
    (part,) = volley(10).parts
    best = dict.fromkeys(range(1, cores() + 1), 0.0)
    for _ in range(ROUNDS + 1):
        for threads in best:
            start = time.perf_counter()
            sample(part, LONG * threads, threads=threads)
            best[threads] = max(best[threads], LONG * threads / (time.perf_counter() - start))
    return list(best.items())


def report(measured: dict[str, Any], cells: Any, rates: Any) -> str:
    """The page."""
    lines = [
        "# How cost grows",
        "",
        "Made by `python benchmarks/scaling.py --write`: one question grows in one direction at a",
        f"time. {machine()}",
        f"Least of {ROUNDS} rounds; exact and trials by processor time on one core, tables and",
        "cores by wall time.",
        "",
        "![Cost against what grows](scaling.svg)",
    ]
    for name, rows in measured.items():
        lines += ["", f"| {name} | exact | a trial | played by |", "|---:|---:|---:|---|"]
        for level, exact, trial, planned in rows:
            shown = "too large" if exact is None else f"{exact * 1e3:,.3g} ms"
            way = "plan" if planned else "rules"
            lines.append(f"| {level} | {shown} | {trial * 1e9:,.3g} ns | {way} |")
    lines += ["", "| cells of a table, exact | a cell | the table |", "|---:|---:|---:|"]
    lines += [f"| {n:,} | {t * 1e6:,.3g} us | {t * n:,.3g} s |" for n, t in cells]
    lines += ["", "| cores | trials a second | a core, against one |", "|---:|---:|---:|"]
    lines += [f"| {n} | {r / 1e6:,.3g} million | {r / n / rates[0][1]:.2f} |" for n, r in rates]
    return "\n".join(lines) + "\n"


def drawn(measured: dict[str, Any], cells: Any) -> Figure:
    """One panel for each thing that grows."""
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    panels = list(figure.subplots(2, 3).flat)
    for panel, (name, rows) in zip(panels, measured.items(), strict=False):
        known = [(level, exact) for level, exact, *_ in rows if exact is not None]
        panel.loglog(*zip(*known, strict=True), marker="o", color="#0072b2", label="exact answer")
        panel.loglog(
            [row[0] for row in rows], [row[2] * 1e6 for row in rows], marker="s", color="#d55e00",
            linestyle="--", label="1,000,000 trials",
        )  # fmt: skip
        panel.set_xlabel(name)
        panel.set_xticks([row[0] for row in rows], [str(row[0]) for row in rows])
        panel.minorticks_off()
    panels[0].legend(frameon=False)
    panels[4].loglog(*zip(*cells, strict=True), marker="o", color="#0072b2")
    panels[4].set_xlabel("cells of a table, exact (seconds a cell)")
    # two decades, or a tenth more would look like a cliff
    middle = cells[0][1]
    panels[4].set_ylim(middle / 10, middle * 10)
    panels[5].set_visible(False)
    for panel in panels[:5]:
        panel.set_ylabel("seconds")
        panel.grid(alpha=0.3)
    figure.suptitle("Cost against what grows")
    return figure


def main() -> None:
    """Measure and print; write page and figure with ``--write``."""
    rates = core_rates()  # before this process is bound to one core
    cells = cell_times()
    one_core()
    measured = {series.name: list(growth(series)) for series in GROWING}
    page = report(measured, cells, rates)
    print(page)
    if "--write" in sys.argv:
        (HERE / "SCALING.md").write_text(page, encoding="utf-8")
        with mpl.rc_context({"svg.hashsalt": "scaling", "svg.fonttype": "none"}):
            drawn(measured, cells).savefig(HERE / "scaling.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
