"""Chance primitives: the only way in which a rule text asks for luck.

Each primitive is one chance node. How it is answered depends on the mode of the dice record:

* ``SAMPLE``: one 31-bit uniform against cumulative thresholds, each rounded once to 31 bits, so
  that an outcome's chance is right to 2**-31;
* ``ENUMERATE``: the next value of the tape, or, at its end, a request to branch over all outcomes;
* ``TRACE``: as ``SAMPLE``, and the node, its uniform and every note of the rules are logged;
* ``ROLL``: every die of the node is rolled, without tables (:mod:`.rolled`).

Where the uniforms come from is told in :mod:`.words`. Two more primitives, of which the outcomes
cannot be counted, are in :mod:`.lengths`.
Primitives stay small: making words and thresholds is the work of :func:`supply`, which the loops
call when a primitive found something missing; the trial is then played again from its start.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from chargesim.kernels.chances import (
    GUIDE,
    LEADERSHIP,
    bands_pmf,
    count_pmf,
    cumulate,
    guide_to,
    lower_two_pmf,
    race_pmf,
    sum_pmf,
)
from chargesim.kernels.jit import kernel, tiny
from chargesim.kernels.rolled import (
    rolled_band,
    rolled_count,
    rolled_lower_two,
    rolled_race,
    rolled_sum,
    turn_to_node,
)
from chargesim.kernels.words import (
    LANES,
    PLACES,
    ROW,
    SPAN,
    UNIFORM,
    fill_row,
    lowest,
    set_trial,
    tail,
    uniform,
)

NAMED = PLACES // 2
"""Chance nodes that a ruleset may name; the upper half of the places is for second draws."""
OUTCOMES = 256
"""Most outcomes of a node that is answered from a table."""
MEMO = 256  # the top eight bits of a hash name a slot
MEMO_LIMIT = 224
TAPE = 64
LOG = 1024
LOG_WIDTH = 12


class Mode(IntEnum):
    """How the primitives are answered."""

    SAMPLE = 0
    ENUMERATE = 1
    TRACE = 2
    ROLL = 3


class Node(IntEnum):
    """Kinds of chance nodes."""

    TEST = 1
    """Leadership test: 1 when 2D6 (or 3D6 without the highest) is at most the target."""
    SUM = 2
    """Sum of n dice of some sides."""
    COUNT = 3
    """Successes among n with chance a/b: binomial."""
    LENGTH = 4
    """A length estimated by eye: normal, truncated at 0, rounded up to a hundredth."""
    RACE = 5
    """A flight and the dice of its pursuers: 0 caught, 1 away, 2 away and over an edge."""
    BANDS = 6
    """One die read on a table: the band of faces it falls in."""
    NORMAL = 7
    """A standard normal number: it has no outcomes that could be counted."""


NOTE = 0
"""Kind of a log row that holds a note of the rules instead of a node."""

_ENUMERATE, _TRACE, _ROLL = int(Mode.ENUMERATE), int(Mode.TRACE), int(Mode.ROLL)
_TEST, _SUM, _COUNT, _LENGTH = int(Node.TEST), int(Node.SUM), int(Node.COUNT), int(Node.LENGTH)
_RACE, _BANDS, _NORMAL = int(Node.RACE), int(Node.BANDS), int(Node.NORMAL)
MASK_BITS = 18
"""Bits of a mask of bands in each of a node's two numbers."""

DICE = np.dtype(
    [
        ("mode", "i8"),
        ("roll", "u8"),
        ("halves", "i8"),
        ("hand", "u8"),
        ("seed", "u8"),
        ("point", "u8"),
        ("block", "i8"),
        ("slot", "i8"),
        # enumeration: outcomes already chosen; both: the node that asks
        ("depth", "i8"),
        ("asked", "i8"),
        ("tape", "i8", (TAPE,)),
        ("wanting", "i8"),
        ("pending", "i8", (5,)),
        ("pmf", "f8", (2 * OUTCOMES * 4,)),
        ("unrolling", "i8"),
        ("upto", "u4", (2 * OUTCOMES * 4,)),
        # trace
        ("logged", "i8"),
        ("log", "i8", (LOG, LOG_WIDTH)),
        # sampling
        ("used", "i8"),
        ("in_use", "i8", (PLACES,)),
        ("ready", "i8", (PLACES,)),
        ("memo_used", "i8"),
        ("memo_key", "i8", (MEMO,)),
        ("memo_guide", "u1", (MEMO, GUIDE)),
        ("memo", "u4", (MEMO, OUTCOMES)),
        ("lanes", "u8", (4, LANES)),
        ("heads", "u2", (PLACES, ROW)),
    ]
)
"""The dice record: no game state in it, and none of it in the game."""


def new_dice(mode: Mode, seed: int = 0, point: int = 0) -> Any:
    """Array of one dice record, nothing drawn yet.

    Parameters
    ----------
    mode
        How the primitives are to be answered.
    seed
        The user's seed, 0 to 2**64 - 1.
    point
        Number of the study point when points are to have independent luck, 0 to 2**32 - 1.
    """
    dice = np.zeros(1, DICE)
    dice["memo_key"] = -1
    return reset_dice(dice, mode, seed, point)


def reset_dice(dice: Any, mode: Mode, seed: int, point: int) -> Any:
    """Give dice another mode, seed and point; they keep room, and the thresholds they know."""
    dice["mode"] = int(mode)
    dice["seed"] = seed
    dice["point"] = point
    dice["block"] = -1
    dice["used"] = 0
    dice["ready"] = -1
    return dice


@kernel
def node_pmf(kind: int, n: int, a: int, b: int, pmf: Any) -> int:
    """Write the exact weights of a SUM, COUNT, RACE or BANDS node; return how many there are.

    Only a few sums and products, in a fixed order, so every machine gets the same bits.
    """
    if kind == _SUM:
        return lower_two_pmf(pmf) if b else sum_pmf(n, a, pmf)
    if kind == _RACE:
        return race_pmf(n, a, b, pmf)
    if kind == _BANDS:
        return bands_pmf(n, a | (b << MASK_BITS), pmf)
    return count_pmf(n, a, b, pmf)


@kernel
def memo_key(kind: int, n: int, a: int, b: int) -> int:
    """A node's numbers packed into one."""
    return (((kind << 16 | n) << 22 | a) << 22) | b


@kernel
def memo_slot(dice: Any, key: int) -> Any:
    """Place of a key in the memo, or the free one where it belongs; the memo is never full."""
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(56))
    while dice["memo_key"][slot] != key and dice["memo_key"][slot] != -1:
        slot = (slot + 1) % MEMO
    return slot


@kernel
def supply(dice: Any) -> None:
    """Make what a primitive found missing: the row of a place, and the thresholds of its node."""
    pending = dice["pending"]
    kind, n, a, b = int(pending[0]), int(pending[1]), int(pending[2]), int(pending[3])
    place = int(pending[4])
    if dice["ready"][place] != dice["block"]:
        if dice["ready"][place] < 0:
            dice["in_use"][int(dice["used"])] = place
            dice["used"] += 1
        fill_row(dice, place)
    if kind == _SUM or kind == _COUNT or kind == _RACE or kind == _BANDS:
        key = memo_key(kind, n, a, b)
        slot = memo_slot(dice, key)
        if dice["memo_key"][slot] == -1:
            if dice["memo_used"] == MEMO_LIMIT:
                # more nodes than one trial can ask for: begin again
                for i in range(MEMO):
                    dice["memo_key"][i] = -1
                dice["memo_used"] = 0
                slot = memo_slot(dice, key)
            dice["memo_used"] += 1
        row = dice["memo"][slot]
        cumulate(dice["pmf"], node_pmf(kind, n, a, b, dice["pmf"]), row)
        guide_to(row, dice["memo_guide"][slot])
        dice["memo_key"][slot] = key
    dice["wanting"] = 0


@kernel
def turn_to(dice: Any, trial: int) -> None:
    """Turn to a trial and make ready, block by block, the rows that trials have used so far."""
    set_trial(dice, trial)
    for i in range(int(dice["used"])):
        place = int(dice["in_use"][i])
        if dice["ready"][place] != dice["block"]:
            fill_row(dice, place)


@kernel
def weigh(dice: Any) -> int:
    """Write the chances of the node that asks to branch into ``pmf``; how many outcomes it has.

    0 for a node whose outcomes cannot be counted.
    """
    pending = dice["pending"]
    kind, n, a, b = int(pending[0]), int(pending[1]), int(pending[2]), int(pending[3])
    if kind == _NORMAL:
        return 0
    if kind == _LENGTH:
        return n + 1  # its cells were weighed where it asked
    if kind == _TEST:
        cases = 216 if a else 36
        passed = np.rint(LEADERSHIP[a, n] / UNIFORM * cases) / cases
        dice["pmf"][0] = 1.0 - passed
        dice["pmf"][1] = passed
        return 2
    return node_pmf(kind, n, a, b, dice["pmf"])


@kernel
def ask(dice: Any, place: int, kind: int, n: int, a: int, b: int) -> None:
    """Note which node asks: to branch, or for something that is missing; only the first counts."""
    if dice["wanting"] == 0:
        pending = dice["pending"]
        pending[0], pending[1], pending[2], pending[3], pending[4] = kind, n, a, b, place
        dice["wanting"] = 1


@kernel
def from_tape(dice: Any) -> int:
    """Next outcome of the tape, counted from 0; -1 where the tape has ended."""
    asked = int(dice["asked"])
    if asked < dice["depth"]:
        dice["asked"] = asked + 1
        return int(dice["tape"][asked])
    return -1


@kernel
def log_node(dice: Any, place: int, kind: int, n: int, a: int, b: int, u: int, value: int) -> None:
    """Write a node into the log."""
    at = int(dice["logged"])
    if at < LOG:
        row = dice["log"][at]
        row[0], row[1], row[2], row[3], row[4], row[5], row[6] = kind, place, n, a, b, u, value
        dice["logged"] = at + 1


@kernel
def log_note(dice: Any, event: int, who: int, x: int, y: int, z: int, w: int) -> None:
    """Write a note into the log."""
    at = int(dice["logged"])
    if at < LOG:
        row = dice["log"][at]
        row[0], row[1], row[2] = NOTE, event, who
        row[3], row[4], row[5], row[6] = x, y, z, w
        dice["logged"] = at + 1


@tiny
def note(dice: Any, event: int, who: int, x: int = 0, y: int = 0, z: int = 0, w: int = 0) -> None:
    """Say what a rule did, when somebody listens."""
    if dice["mode"] == _TRACE:
        log_note(
            dice, np.int64(event), np.int64(who), np.int64(x), np.int64(y), np.int64(z), np.int64(w)
        )


@kernel
def child_at(dice: Any, place: int, upto: Any, first: int) -> int:
    """First outcome from ``first`` on whose cumulative threshold is above the trial's uniform."""
    u, k = int(lowest(dice, place)), int(first)
    while u >= upto[k]:
        k += 1
    if u + SPAN >= upto[k]:  # seldom: the head does not settle it
        u += int(tail(dice, place))
        while u >= upto[k]:
            k += 1
    return k


@kernel
def roll_node(dice: Any, kind: int, n: int, a: int, b: int) -> int:
    """Roll the dice of the node to which they have been turned; the outcome counted from 0."""
    if kind == _TEST:
        return int((rolled_lower_two(dice) if a else rolled_sum(dice, 2, 6)) <= n)
    if kind == _SUM:
        return (rolled_lower_two(dice) if b else rolled_sum(dice, n, a)) - n
    if kind == _RACE:
        return rolled_race(dice, n, a, b)
    if kind == _BANDS:
        return rolled_band(dice, n, a | (b << MASK_BITS))
    return rolled_count(dice, n, a, b)


@kernel
def roll(dice: Any, place: int, kind: int, n: int, a: int, b: int) -> int:
    """Answer a node by rolling its dice; the outcome counted from 0."""
    turn_to_node(dice, place)
    return int(roll_node(dice, kind, n, a, b))


@kernel
def draw(dice: Any, place: int, kind: int, n: int, a: int, b: int) -> int:
    """Answer a node with a table of at most 256 outcomes; the outcome counted from 0."""
    if dice["mode"] == _ENUMERATE:
        outcome = from_tape(dice)
        if outcome < 0:
            ask(dice, place, kind, n, a, b)
            return 0
        return outcome
    if dice["mode"] == _ROLL:
        return roll(dice, place, kind, n, a, b)
    key = memo_key(kind, n, a, b)
    slot = memo_slot(dice, key)
    if dice["memo_key"][slot] != key or dice["ready"][place] != dice["block"]:
        ask(dice, place, kind, n, a, b)
        return 0
    guide = dice["memo_guide"][slot]
    first = int(guide[lowest(dice, place) // (UNIFORM // GUIDE)])
    k = int(child_at(dice, place, dice["memo"][slot], first))
    if dice["mode"] == _TRACE:
        log_node(dice, place, kind, n, a, b, uniform(dice, place), k + n if kind == _SUM else k)
    return k


@kernel
def leadership_test(dice: Any, place: int, target: int, three_dice: int) -> bool:
    """Pass when 2D6 (cold-blooded: 3D6 without the highest) is at most the target, 0 to 12."""
    if dice["mode"] == _ENUMERATE:
        outcome = from_tape(dice)
        if outcome < 0:
            ask(dice, place, _TEST, target, three_dice, 0)
        return outcome == 1
    if dice["mode"] == _ROLL:
        return roll(dice, place, _TEST, target, three_dice, 0) == 1
    if dice["ready"][place] != dice["block"]:
        ask(dice, place, _TEST, target, three_dice, 0)
        return True
    u = lowest(dice, place)
    upto = LEADERSHIP[three_dice, target]
    if u < upto <= u + SPAN:
        u += tail(dice, place)
    passed = u < upto
    if dice["mode"] == _TRACE:
        log_node(dice, place, _TEST, target, three_dice, 0, uniform(dice, place), int(passed))
    return passed


@kernel
def dice_sum(dice: Any, place: int, n: int, sides: int) -> int:
    """Sum of ``n`` dice, 0 to 50 of 2 to 6 sides (a D66 is one die of 36)."""
    if n == 0:
        return 0
    return n + draw(
        dice, np.int64(place), np.int64(_SUM), np.int64(n), np.int64(sides), np.int64(0)
    )


@kernel
def lower_two(dice: Any, place: int) -> int:
    """Sum of three dice without the highest: how the cold-blooded roll."""
    return 2 + draw(dice, np.int64(place), np.int64(_SUM), np.int64(2), np.int64(6), np.int64(1))


@kernel
def successes(dice: Any, place: int, n: int, a: int, b: int) -> int:
    """Successes among ``n`` independent tries of chance ``a / b``.

    What is certain is not drawn. More tries than a table holds are drawn in two halves, the second
    in the upper half of the places; ``n`` is at most 510.
    """
    if n <= 0 or a <= 0:
        return 0
    if a >= b:
        return n
    where, kind, half = np.int64(place), np.int64(_COUNT), np.int64(n // 2)
    if n < OUTCOMES:
        return draw(dice, where, kind, np.int64(n), np.int64(a), np.int64(b))
    rest = draw(dice, where + NAMED, kind, n - half, np.int64(a), np.int64(b))
    return rest + draw(dice, where, kind, half, np.int64(a), np.int64(b))


@kernel
def band_of(dice: Any, place: int, sides: int, mask: int) -> int:
    """Roll one die and read it on a table: the band it falls in, counted from 0.

    Faces that mean the same are one outcome, so a table of few results makes few branches. What is
    certain is not drawn.

    Parameters
    ----------
    sides
        2 to 36; a D66 is one die of 36.
    mask
        Bit ``i`` is set, 0 < i < sides, where a new band begins at the face of index ``i``.
    """
    if mask == 0:
        return 0
    return draw(
        dice,
        np.int64(place),
        np.int64(_BANDS),
        np.int64(sides),
        np.int64(mask & ((1 << MASK_BITS) - 1)),
        np.int64(mask >> MASK_BITS),
    )


@tiny
def packed_flight(number: int, plus: int) -> int:
    """Flight dice of a race and what is added to their sum, -4 to 3, in one number."""
    return number * 8 + plus + 4


@tiny
def one_pursuer(kind: int) -> int:
    """One pursuer of a race: 0 slow, 1 slow with short legs, 2 fast, 3 fast with short legs.

    Add them up for several, at most 31 of each.
    """
    return 1 << (5 * kind)


@kernel
def race(dice: Any, place: int, flight: int, hunters: int, edge: int) -> int:
    """Flight against pursuit, one node: 0 caught, 1 away, 2 away and over an edge.

    The flight is rolled once, each pursuer rolls for itself, and any that reaches as far catches.

    Parameters
    ----------
    flight
        As :func:`packed_flight` gives it: 2 or 3 dice for inches, 5 or 8 for centimetres.
    hunters
        Sum of :func:`one_pursuer`.
    edge
        Length from which a flight crosses the table edge; 0: far.
    """
    if hunters == 0 and edge == 0:
        return 1
    return draw(
        dice,
        np.int64(place),
        np.int64(_RACE),
        np.int64(flight),
        np.int64(hunters),
        np.int64(edge),
    )
