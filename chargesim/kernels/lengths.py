"""Chance primitives whose outcomes cannot be counted: lengths judged by eye, and normal numbers.

They are answered in the modes of :mod:`.dice`, without a table of chances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.chances import cut_lengths, length_at, weigh_lengths
from chargesim.kernels.dice import Mode, Node, ask, from_tape, log_node
from chargesim.kernels.jit import kernel
from chargesim.kernels.normal import normal_quantile
from chargesim.kernels.rolled import rolled_length, rolled_normal, turn_to_node
from chargesim.kernels.words import UNIFORM, uniform

NORMAL_PARTS = 1_000_000
"""Parts of 1 in which a normal number is logged."""
_ENUMERATE, _TRACE, _ROLL = int(Mode.ENUMERATE), int(Mode.TRACE), int(Mode.ROLL)
_LENGTH, _NORMAL = int(Node.LENGTH), int(Node.NORMAL)


@kernel
def estimated_length(dice: Any, place: int, mean: int, sd: int, cuts: Any, count: int) -> int:
    """Draw a length judged by eye, in hundredths: a normal cut off at 0, rounded up.

    Enumeration branches over the cells between the lengths at which a rule changes; a cell is
    represented by its upper end, which every rule treats as it does the rest of the cell.

    Parameters
    ----------
    mean, sd
        Of the normal before it is cut off, in hundredths.
    cuts
        Rising lengths in hundredths: the rules tell apart ``<= cut`` and ``> cut`` only.
    count
        How many of them there are.
    """
    if dice["mode"] == _ENUMERATE:
        outcome = from_tape(dice)
        if outcome < 0:
            if dice["wanting"] == 0:
                weigh_lengths(mean, sd, cuts, count, dice["pmf"])
                if dice["unrolling"]:
                    cut_lengths(mean, sd, cuts, count, dice["upto"])
            ask(dice, place, _LENGTH, count, mean, sd)
            return mean
        if outcome < count:
            return int(cuts[outcome])
        return int(cuts[count - 1]) + 1 if count else mean
    if dice["mode"] == _ROLL:
        turn_to_node(dice, place)
        return rolled_length(dice, mean, sd)
    if dice["ready"][place] != dice["block"]:
        ask(dice, place, _LENGTH, count, mean, sd)
        return mean
    u = uniform(dice, place)
    value = length_at(u, mean, sd)
    if dice["mode"] == _TRACE:
        log_node(dice, place, _LENGTH, count, mean, sd, u, value)
    return value


@kernel
def normal(dice: Any, place: int) -> float:
    """Draw a standard normal number: only samples can answer it, an enumeration stops here."""
    where = np.int64(place)
    if dice["mode"] == _ROLL:
        turn_to_node(dice, where)
        return rolled_normal(dice)
    if dice["mode"] == _ENUMERATE or dice["ready"][where] != dice["block"]:
        ask(dice, where, _NORMAL, np.int64(0), np.int64(0), np.int64(0))
        return 0.0
    u = uniform(dice, where)
    value = normal_quantile((u + 0.5) / UNIFORM)
    if dice["mode"] == _TRACE:
        parts = np.int64(np.floor(value * NORMAL_PARTS + 0.5))
        log_node(dice, where, _NORMAL, np.int64(0), np.int64(0), np.int64(0), u, parts)
    return value
