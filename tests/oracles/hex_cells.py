"""Counts of the naive twin and of the engines, quantity by quantity, for hex scenario files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from oracles.hex_charges import NUMBERS, simulate_charge, simulate_reaction
from oracles.wh6_cells import Cells, Dice, numbers, words

from chargesim.engine.tally import Tally
from chargesim.parts import Part
from chargesim.scenario import Scenario

FLAGS = ("recall_passed", "tired", "head_hex", "consolidates", "provokes")


# Counts and chances


JOINT = ("word", "outcome", "state", "increments_left")


def joint_of(names: Sequence[str]) -> list[str]:
    """Quantities whose joint distribution is compared."""
    return sorted(name for name in names if name.rpartition(".")[2] in JOINT)


def twin_cells(file: dict[str, Any], seed: int, trials: int) -> Cells:
    """What the twin saw."""
    rng = Dice(seed)
    cells: Cells = {}
    for number, charge in enumerate(file["charge"]):
        if charge.get("kind") == "reaction":
            continue  # played with the charge that it answers
        after = file["charge"][number + 1 : number + 2]
        answered = any(one.get("kind") == "reaction" for one in after)
        for _ in range(trials):
            values = (simulate_reaction if answered else simulate_charge)(number, file, rng)
            for name, value in values.items():
                cells.setdefault(name, Counter())[value] += 1
            joint = tuple(values[name] for name in joint_of(list(values)))
            cells.setdefault(f"joint.{number}", Counter())[joint] += 1
    return cells


def part_columns(part: Part, tally: Tally) -> Iterator[tuple[str, list[Any]]]:
    """Values of all quantities of a part in every state."""
    reading = part.read(tally.states)
    for number, view in reading.charges.items():
        yield f"charge.{number}.word", list(words(view))
        for key in NUMBERS:
            yield f"charge.{number}.{key}", numbers(view.quantities[key], None)
        for key in FLAGS:
            yield f"charge.{number}.{key}", [bool(flag) for flag in view.flags[key]]
    for name, view in reading.combats.items():
        yield f"combat.{name}.outcome", list(words(view))
        for key in ("recoil", "forms_square", "stands"):
            yield f"combat.{name}.{key}", numbers(view.quantities[key], None)
    for name, view in reading.units.items():
        yield f"unit.{name}.state", list(words(view))
        yield f"unit.{name}.increments_left", numbers(view.quantities["increments_left"], None)


def engine_cells(scenario: Scenario, tallies: Sequence[Tally]) -> Cells:
    """Chances of the same quantities in the end states of an engine, charge by charge."""
    cells: Cells = {}
    for part, tally in zip(scenario.parts, tallies, strict=True):
        columns = dict(part_columns(part, tally))
        number = next(int(name.split(".")[1]) for name in columns if name.startswith("charge."))
        group = joint_of(list(columns))
        columns[f"joint.{number}"] = list(zip(*(columns[name] for name in group), strict=True))
        weights = tally.weights.tolist()
        for name, values in columns.items():
            counter = cells[name] = Counter()
            for value, weight in zip(values, weights, strict=True):
                counter[value] += weight
    return cells
