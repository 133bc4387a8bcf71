"""Outcomes of the charges and combats of many tallies, counted together.

To read the end states of one small question takes longer than to play it: most of that is the cost
of calling numpy, which is the same for many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chargesim.engine.tally import Tally
from chargesim.parts import Part, alike
from chargesim.rulesets import Reading


class Outcomes(NamedTuple):
    """What became of one charge or combat in some tallies.

    Parameters
    ----------
    kind, subject
        ``charge`` and its number, or ``combat`` and the name of the charged unit.
    words
        Its outcomes, which exclude each other.
    weights
        Counts (int64) of samples, probabilities (float64) of exact solutions, shape
        (tallies, words); a word that alone is possible has a probability of exactly 1.
    """

    kind: str
    subject: str
    words: tuple[str, ...]
    weights: np.ndarray[Any, Any]


def count_outcomes(tallies: Sequence[Tally]) -> list[tuple[list[int], list[Outcomes]]]:
    """Count the outcomes of tallies, of all together whose parts are alike.

    What is counted of a tally does not depend on the others.

    Parameters
    ----------
    tallies
        All samples or all exact.

    Returns
    -------
    list of tuple
        Places of some tallies, and the outcomes of their charges and combats; each tally is in one
        group.
    """
    whole = [place for place, tally in enumerate(tallies) if isinstance(tally.of, Part)]
    found = [
        ([place], _counted([tally], tally.reading))
        for place, tally in enumerate(tallies)
        if not isinstance(tally.of, Part)
    ]
    for group in alike([tallies[place].of for place in whole]):
        places = [whole[i] for i in group]
        own = [tallies[place] for place in places]
        found.append((places, _counted(own, own[0].reading)))
    return found


def _counted(tallies: Sequence[Tally], reading: Reading) -> list[Outcomes]:
    """Outcomes of tallies that are alike, given what is read of the first."""
    sizes = np.array([len(tally.states) for tally in tallies])
    owner = np.repeat(np.arange(len(tallies)), sizes)
    weights = np.concatenate([tally.weights for tally in tallies])
    # many exact ones of a batch end in the same states, and share them: these are read once
    begins: dict[int, int] = {}
    distinct = []
    upto = 0
    for tally in tallies:
        if id(tally.states) not in begins:
            begins[id(tally.states)] = upto
            distinct.append(tally.states)
            upto += len(tally.states)
    states = np.concatenate(distinct)
    ahead = [begins[id(tally.states)] for tally in tallies] - (np.cumsum(sizes) - sizes)
    rows = np.repeat(ahead, sizes) + np.arange(len(owner))
    views = [("charge", str(number), view) for number, view in reading.charges.items()]
    views += [("combat", name, view) for name, view in reading.combats.items()]
    return [
        Outcomes(
            kind,
            subject,
            tuple(view.words.values()),
            _sums(list(view.words), tallies[0].of.column(view.at, states)[rows], owner, weights),
        )
        for kind, subject, view in views
    ]


def _sums(
    words: list[int],
    codes: np.ndarray[Any, Any],
    owner: np.ndarray[Any, Any],
    weights: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:
    """Weight of each word in each tally, shape (tallies, words)."""
    width = 1 + max(*words, int(codes.max()))
    cells, many = owner * width + codes, (1 + int(owner[-1])) * width
    if weights.dtype.kind == "f":
        sums = np.bincount(cells, weights, many)
    else:
        sums = np.zeros(many, weights.dtype)
        np.add.at(sums, cells, weights)
    found = sums.reshape(-1, width)[:, words]
    if weights.dtype.kind == "f":
        held = found > 0
        found[held & (held.sum(axis=1) == 1)[:, None]] = 1.0
    return found
