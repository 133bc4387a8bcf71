"""Counts of the naive `wh6` twin against the end states of the engines, quantity by quantity."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from oracles import naive_wh6

from chargesim.engine.stats import binomial_test
from chargesim.engine.tally import Tally
from chargesim.parts import Part
from chargesim.rulesets import Quantity, View
from chargesim.rulesets.wh6.state import Kind, Reaction
from chargesim.scenario import Scenario

Cells = dict[str, Counter[Any]]
"""Counts or chances of every value, by the name of the quantity."""
CHARGE_NUMBERS = ("shooting_casualties", "flee_distance", "impact_hits", "impact_wounds")
NONE = "none"


class Dice(random.Random):
    """A generator whose dice are quick: its uniforms have 53 bits, so a face is fair to 1e-15."""

    def randint(self, a: int, b: int) -> int:
        """One face, ``a`` to ``b``."""
        return a + int(self.random() * (b - a + 1))


# What the twin saw


def redirections(tables: dict[str, Any], end: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Entries to which each charge of the twin's telling may be redirected."""
    found = [charge.get("redirect", []) for charge in tables.get("charge", [])]
    for charge in end["charges"][len(found) :]:
        ways = tables["unit"][charge["charger"]]["may_reach"]
        found.append(next(w.get("redirect", []) for w in ways if w["target"] == charge["target"]))
    return found


def told_charge(name: str, charge: dict[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """Values of one charge, made or not."""
    if charge is None:
        yield f"{name}.word", NONE
        return
    yield f"{name}.word", charge["word"]
    yield f"{name}.reaction", charge["reaction"]
    yield f"{name}.needs_sixes", charge["needs_sixes"]
    for number in CHARGE_NUMBERS:
        yield f"{name}.{number}", charge[number] or 0


def told(tables: dict[str, Any], end: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Values of all quantities in one trial of the twin."""
    for i, (charge, ways) in enumerate(zip(end["charges"], redirections(tables, end), strict=True)):
        yield from told_charge(f"charge.{i}", charge)
        for k in range(len(ways)):
            taken = charge["redirect_place"] == k
            yield from told_charge(
                f"charge.{i}.redirect.{k}", charge["redirect"] if taken else None
            )
    for combat in end["combats"]:
        for key in ("outcome", "combat_result", "active_wounds", "reactive_wounds"):
            yield f"combat.{combat['target']}.{key}", combat[key]
    for name, unit in end["units"].items():
        for key in ("state", "models_left", "wounds_left"):
            yield f"unit.{name}.{key}", unit[key]
        yield f"unit.{name}.flee_distance", unit["flee_distance"] or 0


JOINT = ("word", "outcome", "state", "models_left")


def joint_names(names: Sequence[str], units: Sequence[str], charges: Sequence[int]) -> list[str]:
    """Names of the quantities of a part whose joint distribution is compared."""
    found = []
    for name in names:
        kind, who, *_, key = name.split(".")
        mine = int(who) in charges if kind == "charge" else who in units
        if mine and key in JOINT:
            found.append(name)
    return sorted(found)


def twin_cells(tables: dict[str, Any], scenario: Scenario, seed: int, trials: int) -> Cells:
    """What the twin saw."""
    rng = Dice(seed)
    cells: Cells = {}
    groups: list[list[str]] = []
    for _ in range(trials):
        values = dict(told(tables, naive_wh6.simulate(tables, rng)))
        if not groups:
            for part in scenario.parts:
                groups.append(joint_names(list(values), part.units, charge_numbers(part)))
        for name, value in values.items():
            cells.setdefault(name, Counter())[value] += 1
        for i, group in enumerate(groups):
            cells.setdefault(f"joint.{i}", Counter())[tuple(values[n] for n in group)] += 1
    return cells


# What the engines say


def charge_numbers(part: Part) -> list[int]:
    """Numbers of the charges of a part."""
    initial = part.game()["charges"][0, : part.counts[1]]
    kinds = (Kind.DECLARED, Kind.COMPULSORY)
    return [int(record["number"]) for record in initial if record["kind"] in kinds]


def numbers(quantity: Quantity, otherwise: Any) -> list[Any]:
    """Values of a quantity; ``otherwise`` where it does not arise."""
    values = quantity.values.astype(int).tolist()
    if quantity.arises is None:
        return list(values)
    return [v if a else otherwise for v, a in zip(values, quantity.arises.tolist(), strict=True)]


def words(view: View) -> list[str]:
    """Word of every state."""
    return [view.words.get(code, NONE) for code in view.codes.astype(int).tolist()]


def charge_columns(
    name: str, view: View, records: np.ndarray[Any, Any]
) -> Iterator[tuple[str, list[Any]]]:
    """Values of one charge in every state; None where it was not made."""
    word = words(view)
    yield f"{name}.word", word
    columns = {
        "reaction": [Reaction(r).name.lower() for r in records["reaction"].astype(int).tolist()],
        "needs_sixes": [bool(s) for s in view.flags["needs_sixes"]],
        **{number: numbers(view.quantities[number], 0) for number in CHARGE_NUMBERS},
    }
    for key, values in columns.items():
        made = [None if w == NONE else v for v, w in zip(values, word, strict=True)]
        yield f"{name}.{key}", made


def part_columns(part: Part, tally: Tally) -> dict[str, list[Any]]:
    """Values of all quantities of a part in every state."""
    reading = part.read(tally.states)
    games = part.games(tally.states)["charges"]
    initial = part.game()["charges"][0, : part.counts[1]]
    found: dict[str, list[Any]] = {}
    for c, record in enumerate(initial):
        number = int(record["number"])
        if number not in reading.charges:
            continue
        view = reading.charges[number]
        found |= charge_columns(f"charge.{number}", view, games[:, c])
        again = [
            k
            for k, other in enumerate(initial)
            if other["kind"] == Kind.REDIRECTED and other["parent"] == c
        ]
        for i, k in enumerate(again):
            name = f"redirect.{i}"
            found |= charge_columns(f"charge.{number}.{name}", view.within[name], games[:, k])
    for name, combat in reading.combats.items():
        found[f"combat.{name}.outcome"] = words(combat)
        for key in ("combat_result", "active_wounds", "reactive_wounds"):
            found[f"combat.{name}.{key}"] = numbers(combat.quantities[key], None)
    for name, unit in reading.units.items():
        found[f"unit.{name}.state"] = words(unit)
        models = numbers(unit.quantities["models_left"], 0)
        found[f"unit.{name}.models_left"] = models
        wounds = unit.quantities.get("wounds_left")
        found[f"unit.{name}.wounds_left"] = models if wounds is None else numbers(wounds, 0)
        found[f"unit.{name}.flee_distance"] = numbers(unit.quantities["flee_distance"], 0)
    return found


def engine_cells(scenario: Scenario, tallies: Sequence[Tally]) -> Cells:
    """Weights of the same quantities in the end states of an engine, part by part."""
    cells: Cells = {}
    for i, (part, tally) in enumerate(zip(scenario.parts, tallies, strict=True)):
        columns = part_columns(part, tally)
        group = joint_names(list(columns), part.units, charge_numbers(part))
        columns[f"joint.{i}"] = list(zip(*(columns[name] for name in group), strict=True))
        weights = tally.weights.tolist()
        for name, values in columns.items():
            counter = cells[name] = Counter()
            for value, weight in zip(values, weights, strict=True):
                counter[value] += weight
            if ".redirect." in name:
                del counter[None]
    return cells


def disagreements(exact: Cells, seen: Cells, trials: int, bound: float) -> list[str]:
    """Cells whose frequency is no fair sample of their probability.

    Parameters
    ----------
    bound
        Chance of a false alarm over all cells.
    """
    pairs = [
        (name, value)
        for name in exact
        for value in sorted({*exact[name], *seen.get(name, Counter())}, key=repr)
    ]
    found = [f"{name}: seen, and no quantity of the engine" for name in seen if name not in exact]
    for name, value in pairs:
        p = min(exact[name][value], 1.0)
        count = seen[name][value] if name in seen else 0
        if 1.0 - p < 1e-12:
            p = 1.0
        if (count - trials * p) ** 2 <= 9 * trials * p * (1 - p):
            continue  # within three standard deviations: no need to be exact
        if binomial_test(count, trials, p) < bound / len(pairs):
            found.append(f"{name} = {value!r}: exact {p:.6f}, seen {count} of {trials}")
    return found
