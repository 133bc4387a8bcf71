"""Cells: what the numbers of a study are of, and how they are counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from chargesim.engine.counting import Outcomes, count_outcomes
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.rulesets import View


class Cell(NamedTuple):
    """What a number of a result is of.

    Parameters
    ----------
    kind
        ``charge``, ``redirect``, ``combat``, ``unit`` or ``choice``.
    subject
        Its prefix in an outcome: the charge's number, or the unit's name.
    outcome
        The outcome without its prefix, such as ``contact`` or ``impact_hits=3``.
    quantity
        The quantity or fact that it is of; empty for the words, which exclude each other.
    value
        Of a quantity.
    """

    kind: str
    subject: str
    outcome: str
    quantity: str = ""
    value: int = 0


def cells_of(
    answers: Sequence[Sequence[Tally]], until: str | None, everything: bool
) -> list[dict[Cell, float] | InputError]:
    """What is kept of tallies.

    Parameters
    ----------
    answers
        Tallies of each answer: all samples of as many trials, or all exact.
    until
        The last phase that was played, where that was asked for: what comes later is left out.
    everything
        True keeps quantities and facts, what became of redirections, and of units.

    Returns
    -------
    list of dict, or InputError
        For each answer its counts or chances; or why there are none: a charge that may still be
        going on at the end of the last phase.
    """
    tallies = [tally for own in answers for tally in own]
    counted: list[dict[Cell, float]] = [{} for _ in tallies]
    undecided: dict[int, str] = {}
    for places, outcomes in count_outcomes(tallies):
        for found in outcomes:
            if until is not None and found.kind != "charge":
                continue
            cells = [Cell(found.kind, found.subject, word) for word in found.words]
            for place, row in zip(places, found.weights.tolist(), strict=True):
                counted[place].update(zip(cells, row, strict=True))
            if until is not None:
                for i in _undecided(found, tallies[places[0]].trials):
                    undecided[places[i]] = found.subject
    left = iter(range(len(tallies)))
    kept: list[dict[Cell, float] | InputError] = []
    for own in answers:
        places = list(islice(left, len(own)))
        open_ = [undecided[place] for place in places if place in undecided]
        if open_:
            message = f"until: charge {open_[0]} is not decided by the end of {until!r}"
            kept.append(InputError(f"{message}: name a later phase"))
            continue
        whole: dict[Cell, float] = {}
        for place in places:
            whole = whole | counted[place] if whole else counted[place]
            if everything:
                _add_details(whole, tallies[place], until is None)
        kept.append(whole)
    return kept


def _undecided(found: Outcomes, trials: int | None) -> list[int]:
    """Places of the tallies in which a charge has no outcome somewhere."""
    decided = found.weights.sum(axis=1) / (trials or 1)
    places: list[int] = np.flatnonzero(np.abs(decided - 1) > 1e-9).tolist()
    return places


def _add_details(found: dict[Cell, float], tally: Tally, whole: bool) -> None:
    """Add quantities and facts of a tally, what became of redirections, and of units."""
    reading, weights = tally.reading, tally.weights
    for number, view in reading.charges.items():
        _add_numbers(found, "charge", str(number), view, weights)
        for name, inner in view.within.items():
            _add_words(found, "redirect", f"{number}.{name}", inner, weights)
            _add_numbers(found, "redirect", f"{number}.{name}", inner, weights)
    if not whole:
        return
    for name, view in reading.combats.items():
        _add_numbers(found, "combat", name, view, weights)
    for name, view in reading.units.items():
        _add_words(found, "unit", name, view, weights)
        _add_numbers(found, "unit", name, view, weights)


def _add_words(
    found: dict[Cell, float], kind: str, subject: str, view: View, weights: np.ndarray[Any, Any]
) -> None:
    for code, word in view.words.items():
        found[Cell(kind, subject, word)] = _mass(weights, view.codes == code, True)


def _add_numbers(
    found: dict[Cell, float], kind: str, subject: str, view: View, weights: np.ndarray[Any, Any]
) -> None:
    for name, quantity in view.quantities.items():
        arises = quantity.arises
        values = quantity.values if arises is None else quantity.values[arises]
        own = weights if arises is None else weights[arises]
        for value in np.unique(values).tolist():
            cell = Cell(kind, subject, f"{name}={int(value)}", name, int(value))
            found[cell] = _mass(own, values == value, arises is None)
    for name, flag in view.flags.items():
        found[Cell(kind, subject, name, name, 1)] = _mass(weights, flag, True)


def _mass(weights: np.ndarray[Any, Any], inside: np.ndarray[Any, Any], whole: bool) -> float:
    """Weight of some states; exactly 1 where it is the chance of what is certain."""
    if whole and weights.dtype.kind == "f" and not np.any(weights[~inside] > 0):
        return 1.0
    mass: float = weights[inside].sum().item()
    return mass
