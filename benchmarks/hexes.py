"""Measure charges on hexes side by side: all answer the same, then they are timed in turns.

PYTHONPATH=tests python benchmarks/hexes.py
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
from cases import CASES
from opponents import waves
from run import in_turns, machine, one_core

from chargesim.engine.exact import solve
from chargesim.engine.sample import sample
from chargesim.parts import Part
from chargesim.report.result import Result

TRIALS = 1_000_000
HEXES = ("line", "waves", "reaction")


def main() -> None:
    """Check, time and print."""
    one_core()
    question = CASES["waves"].scenario
    (part,) = question.parts
    reference = waves.with_icepool()
    exact = Result(question, [solve(part)])
    ours = [exact.probability(word) for word in waves.WORDS]
    assert np.allclose(ours, reference, atol=1e-12), "exact and icepool disagree"
    counts = waves.with_numpy(TRIALS, 1)
    drawn = Result(question, [sample(part, TRIALS, threads=1)])
    for word, count, p in zip(waves.WORDS, counts, reference, strict=True):
        assert abs(count / TRIALS - p) < 0.003, word
        assert abs(drawn.probability(word) - p) < 0.003, word

    contestants: dict[str, tuple[Callable[[], object], int]] = {
        "numpy, four waves": (lambda: waves.with_numpy(TRIALS, 1), TRIALS),
        "icepool, four waves": (waves.with_icepool, 1),
    }
    for name in HEXES:
        about, (one,) = CASES[name].about, CASES[name].parts

        def exactly(one: Part = one) -> object:
            return solve(one)

        def by_plan(one: Part = one) -> object:
            return sample(one, TRIALS, threads=1)

        def by_rules(one: Part = one) -> object:
            return sample(one, TRIALS // 10, threads=1, by_rules=True)

        contestants[f"exact, {about}"] = exactly, 1
        contestants[f"sampled by the plan, {about}"] = by_plan, TRIALS
        contestants[f"sampled by the rules, {about}"] = by_rules, TRIALS // 10
    times = in_turns(contestants)
    print("| charges on hexes | median | least |\n|---|---|---|")
    for name, values in times.items():
        alone = contestants[name][1] == 1
        scale, unit = (1e-6, "ms") if alone else (1.0, "ns a trial")
        middle, low = statistics.median(values) * scale, min(values) * scale
        print(f"| {name} | {middle:,.3g} {unit} | {low:,.3g} {unit} |")
    print()
    for ours_is, theirs in (("exact", "icepool"), ("sampled by the plan", "numpy")):
        pairs = zip(
            times[f"{ours_is}, a column of four waves"], times[f"{theirs}, four waves"], strict=True
        )
        ratio = statistics.median(y / x for x, y in pairs)
        print(f"{theirs} takes {ratio:.3g} times as long for the four waves.")
    print(f"\n{machine()} One core, rounds in turns within one process, processor time.")


if __name__ == "__main__":
    main()
