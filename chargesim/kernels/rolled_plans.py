"""Every die rolled, node by node: trials of a plan that are at the same node roll side by side.

The words are those of :mod:`.rolled`, so that a trial is bit for bit the one that rolls every die
by the rules. Of the plan only the tree is used: no thresholds, no cells, no rows of words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chargesim.kernels.dice import MASK_BITS, Node, roll_node
from chargesim.kernels.jit import kernel
from chargesim.kernels.plans import Plan
from chargesim.kernels.rolled import PURSUERS, luck_of, mixed

STAGE = 4096
"""Trials that go through the tree together."""
_TEST, _COUNT, _LENGTH = int(Node.TEST), int(Node.COUNT), int(Node.LENGTH)
_RACE, _BANDS = int(Node.RACE), int(Node.BANDS)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MASK32 = np.uint64(0xFFFFFFFF)
_U32 = np.uint64(32)


class Tray(NamedTuple):
    """What a thread that rolls the dice of a plan works with.

    ``newest`` (int64, shape (nodes,)) is the last trial to come to a node, or -1, and ``before``
    (int64) the one that came before each. ``keys`` (uint64) are of all trials; of those at the
    present node ``trials`` (int64) are the numbers, ``rolls`` (uint64) the words, and ``faces``,
    ``highest`` and ``spare`` (uint64) what their dice show. ``counts`` (int64, shape (ends,)): how
    many trials came to each end.
    """

    newest: Any
    before: Any
    keys: Any
    trials: Any
    rolls: Any
    faces: Any
    highest: Any
    spare: Any
    counts: Any


@kernel
def can_be_rolled(plan: Plan) -> bool:
    """Tell whether outcomes can be told from dice: a length judged by eye is none of few."""
    return bool(np.all(plan.asks[:, 0] != _LENGTH))


@kernel
def new_tray(plan: Plan, ends: int) -> Tray:
    """Room to roll the dice of a plan of so many ends, nothing counted."""
    return Tray(
        np.full(plan.order.size, -1),
        np.zeros(STAGE, np.int64),
        np.zeros(STAGE, np.uint64),
        np.zeros(STAGE, np.int64),
        np.zeros(STAGE, np.uint64),
        np.zeros(STAGE, np.uint64),
        np.zeros(STAGE, np.uint64),
        np.zeros(STAGE, np.uint64),
        np.zeros(ends, np.int64),
    )


@kernel
def add_faces(rolls: Any, faces: Any, sides: int) -> bool:
    """Roll one more die of each trial, and add what it shows, counted from 0.

    Returns
    -------
    bool
        True when a die has to be rolled again, as :func:`chargesim.kernels.rolled.face` would.
    """
    many = np.uint64(sides)
    over, wrong = (_MASK32 - many + np.uint64(1)) % many, np.uint64(0)
    for k in range(rolls.size):
        rolls[k] += _STEP
        product = (mixed(rolls[k]) >> _U32) * many
        wrong += np.uint64((product & _MASK32) < over)
        faces[k] += product >> _U32
    return bool(wrong > 0)


@kernel
def add_successes(rolls: Any, faces: Any, upto: int, sides: int) -> bool:
    """Roll one more die of each trial, and add 1 where it shows at most ``upto``.

    Returns
    -------
    bool
        As :func:`add_faces`.
    """
    many, most = np.uint64(sides), np.uint64(upto)
    over, wrong = (_MASK32 - many + np.uint64(1)) % many, np.uint64(0)
    for k in range(rolls.size):
        rolls[k] += _STEP
        product = (mixed(rolls[k]) >> _U32) * many
        wrong += np.uint64((product & _MASK32) < over)
        faces[k] += np.uint64((product >> _U32) < most)
    return bool(wrong > 0)


@kernel
def add_lower_two(rolls: Any, faces: Any, highest: Any, spare: Any) -> bool:
    """Roll three D6 of each trial and add what the lower two show, each counted from 0.

    Parameters
    ----------
    rolls, faces
        As for :func:`add_faces`.
    highest, spare
        Room for the highest die, and for one die.

    Returns
    -------
    bool
        As :func:`add_faces`.
    """
    again = False
    highest[:] = 0
    for _ in range(3):
        spare[:] = 0
        again = add_faces(rolls, spare, 6) or again
        for k in range(faces.size):
            faces[k] += spare[k]
            highest[k] = max(highest[k], spare[k])
    for k in range(faces.size):
        faces[k] -= highest[k]
    return again


@kernel
def add_race(
    rolls: Any, faces: Any, farthest: Any, spare: Any, flight: int, hunters: int, edge: int
) -> bool:
    """Roll a flight and every pursuit, as :func:`chargesim.kernels.rolled.rolled_race` does.

    Parameters
    ----------
    rolls
        As for :func:`add_faces`.
    faces
        0 caught, 1 away, 2 away and over an edge.
    farthest, spare
        Room for the farthest pursuit, and for one of them.
    flight, hunters, edge
        As :func:`chargesim.kernels.dice.race` has them.

    Returns
    -------
    bool
        As :func:`add_faces`.
    """
    number, plus = flight // 8, flight % 8 - 4
    slow, fast, less = (2, 3, 1) if number <= 3 else (5, 8, 2)
    again = False
    # all lengths are so much longer that none is below 0
    faces[:] = np.uint64(8 + number + plus)
    farthest[:] = 0
    for _ in range(number):
        again = add_faces(rolls, faces, 6) or again
    for kind in range(4):
        count = fast if kind >= 2 else slow
        for _ in range((hunters >> (5 * kind)) & PURSUERS):
            spare[:] = np.uint64(8 + count - (less if kind % 2 == 1 else 0))
            for _ in range(count):
                again = add_faces(rolls, spare, 6) or again
            for k in range(faces.size):
                farthest[k] = max(farthest[k], spare[k])
    border = np.uint64(8 + edge if edge > 0 else 1 << 32)
    for k in range(faces.size):
        away = np.uint64(1) + np.uint64(faces[k] >= border)
        faces[k] = np.uint64(farthest[k] < faces[k]) * away
    return again


@kernel
def roll_side_by_side(ask: Any, rolls: Any, faces: Any, highest: Any, spare: Any) -> bool:
    """Roll the dice of a node for all trials at it.

    Parameters
    ----------
    ask
        Kind and numbers of the node.
    rolls
        Words of the trials, turned to the node; changed.
    faces
        The outcomes, counted from 0, as :func:`chargesim.kernels.dice.roll_node` gives them.
    highest, spare
        Room for what else their dice show.

    Returns
    -------
    bool
        False when they have to be rolled one trial after the other.
    """
    kind, n, a, b = ask[0], ask[1], ask[2], ask[3]
    again = False
    faces[:] = 0
    if kind == _COUNT:
        for _ in range(n):
            again = add_successes(rolls, faces, a, b) or again
    elif kind == _RACE:
        again = add_race(rolls, faces, highest, spare, n, a, b)
    elif kind == _BANDS:
        again = add_faces(rolls, faces, n)
        bands = np.zeros(n, np.uint64)
        for face in range(1, n):
            bands[face] = bands[face - 1] + np.uint64(((a | (b << MASK_BITS)) >> face) & 1)
        for k in range(faces.size):
            faces[k] = bands[faces[k]]
    elif (a if kind == _TEST else b) != 0:
        again = add_lower_two(rolls, faces, highest, spare)
    else:
        for _ in range(2 if kind == _TEST else n):
            again = add_faces(rolls, faces, 6 if kind == _TEST else a) or again
    if kind == _TEST:
        for k in range(faces.size):
            faces[k] = np.uint64(faces[k] + np.uint64(2) <= np.uint64(n))
    return not again


@kernel
def play_rolled(dice: Any, plan: Plan, tray: Tray, first: int, stop: int) -> None:
    """Play trials first to stop - 1 of a plan, rolling every die.

    Parameters
    ----------
    dice
        Dice record in ROLL mode.
    plan
        A plan that :func:`can_be_rolled`.
    tray
        Its counts are added to.
    first, stop
        Trials to play.
    """
    newest, before, keys, trials = tray.newest, tray.before, tray.keys, tray.trials
    rolls, faces, highest = tray.rolls, tray.faces, tray.highest
    spare, counts = tray.spare, tray.counts
    nodes, asks, targets, order = plan.nodes, plan.asks, plan.targets, plan.order
    total = np.uint32(order.size)
    luck = luck_of(dice)
    for begin in range(first, stop, STAGE):
        count = min(STAGE, stop - begin)
        for trial in range(count):
            keys[trial] = mixed(luck ^ np.uint64(begin + trial))
            before[trial] = trial - 1
        newest[0] = count - 1
        for node in order:
            trial = newest[node]
            if trial < 0:
                continue
            newest[node] = -1
            here = 0
            while trial >= 0:
                trials[here] = trial
                rolls[here] = keys[trial]
                here += 1
                trial = before[trial]
            place, child = np.uint64(nodes[node, 0]), nodes[node, 1]
            for k in range(here):
                rolls[k] = mixed(rolls[k] ^ place)
            ask = asks[node]
            if not roll_side_by_side(ask, rolls[:here], faces[:here], highest[:here], spare[:here]):
                for k in range(here):
                    dice["roll"] = mixed(keys[trials[k]] ^ place)
                    faces[k] = roll_node(dice, ask[0], ask[1], ask[2], ask[3])
            test = ask[0] == _TEST
            for k in range(here):
                # of a test the outcome that is passed comes first
                outcome = np.int64(faces[k])
                target = targets[child + (1 - outcome if test else outcome)]
                if target < total:
                    before[trials[k]] = newest[target]
                    newest[target] = trials[k]
                else:
                    counts[target - total] += 1
