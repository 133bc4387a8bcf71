"""The ranked_regiment game declared once: enumerations, records and its chance nodes by name.

Lengths are in the game's own unit. Poses are floats, live only until the charges have been
resolved: what a trial ends in is told by whole numbers alone.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from chargesim.fields import Field, Layout, Record

UNITS, CHARGES, COMBATS, TERRAINS = 24, 24, 24, 16
CORNERS = 24
"""Most corners of a piece of terrain, as in :mod:`chargesim.kernels.geometry`."""
MOVES = 6
"""Most values of a Move that is a choice of several."""
NOBODY = -1
LENGTH = 1000
"""Parts of a unit of length in the notes of a trace."""
MOST_LENGTH = 10_000


whole: Any = np.int64
"""Makes any whole number one of 64 bits: a kernel is compiled anew for each combination of types of
its arguments, and numbers of records come in many widths."""


def cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine of an angle in radians, by + - x / and square roots alone.

    Poses must come out alike whatever mathematics library a machine has. An eighth of the angle by
    its series, then doubled three times; off by less than 1e-14.
    """
    turns = angle / 6.283185307179586
    part = (turns - np.floor(turns + 0.5)) * 0.7853981633974483
    square = part * part
    c, s = 0.0, 0.0
    for k in range(8, 0, -1):
        c = (1.0 + c) * -square / ((2.0 * k - 1.0) * (2.0 * k))
        s = (1.0 + s) * -square / ((2.0 * k) * (2.0 * k + 1.0))
    c, s = 1.0 + c, part * (1.0 + s)
    for _ in range(3):
        c, s = c * c - s * s, 2.0 * c * s
    size = (c * c + s * s) ** 0.5
    return float(c / size), float(s / size)


class Side(IntEnum):
    """Whose unit it is; the active side is the one whose view the results take."""

    ACTIVE = 0
    REACTIVE = 1


class Face(IntEnum):
    """Side of a unit."""

    FRONT = 0
    LEFT = 1
    RIGHT = 2
    REAR = 3


class Reaction(IntEnum):
    """What a charged unit would do in its owner's next turn to declare."""

    HOLD = 0
    COUNTER = 1
    FLEE = 2


class Why(IntEnum):
    """Why a declaration is illegal; 0: it is legal."""

    LEGAL = 0
    PASSED = 1
    IN_COMBAT = 2
    FLEEING = 3
    DECLARED = 4
    CHARGED = 5
    MOVE_0 = 6
    CREWED = 7
    RUNNING = 8
    OUT_OF_ARC = 9
    TOO_FAR = 10
    HIDDEN = 11
    SIDE_TAKEN = 12
    SIDE_IN_COMBAT = 13
    NEXT_SIDE_TAKEN = 14
    NOT_AHEAD = 15
    NO_INTERCEPT = 16
    NO_ROOM = 17
    NO_PATH = 18
    NOT_FRONTAL = 19
    TARGET_FLEES = 20
    NOT_NEAREST = 21
    NOT_CHARGED = 22
    TWO_CHARGERS = 23
    NEVER_FLEES = 24
    TOO_SLOW = 25
    NOT_TRIED = 26


class Word(IntEnum):
    """How a charge of the file ended: exclusive words."""

    UNDECIDED = 0
    CONTACT = 1
    COUNTERED = 2
    FLED = 3
    FAILED = 4
    CANCELLED = 5
    ILLEGAL = 6
    NOT_DECLARED = 7


class State(IntEnum):
    """What a unit is doing at the end of the turn."""

    STEADY = 0
    FIGHTING = 1
    PURSUED = 2
    FLED = 3
    RALLIED = 4
    BROKEN = 5
    DESTROYED = 6
    OFF_TABLE = 7


class Fate(IntEnum):
    """How the combat of a charged unit ended: exclusive words."""

    NO_COMBAT = 0
    DRAW = 1
    TARGET_WIPED_OUT = 2
    TARGET_BROKE = 3
    TARGET_HELD = 4
    CHARGER_WIPED_OUT = 5
    CHARGER_BROKE = 6
    CHARGER_HELD = 7


class Phase(IntEnum):
    """Steps of the turn; a call of ``step`` takes one, or one unit's share of it."""

    POSITIONS = 0
    DECLARATIONS = 1
    RESOLUTION = 2
    BLOWS = 3
    RESULT = 4
    BREAK_TESTS = 5
    RALLY = 6


class Place(IntEnum):
    """Chance nodes of a unit by name."""

    X = 0
    Y = 1
    FACING = 2
    MOVE = 3
    RUN = 4
    FRONT_BLOWS = 5
    LEFT_BLOWS = 6
    RIGHT_BLOWS = 7
    COMMANDER = 8
    BREAK = 9
    CRUMBLE = 10
    RALLY = 11


NAMES = 16
"""Places of a unit: room for the names above."""
COIN = UNITS * NAMES
"""Place of the coin that says who declares first."""


def _n(name: str, doc: str, hi: int, lo: int = 0, **more: object) -> Field:
    kind = "i1" if -128 <= lo and hi <= 127 else "i2" if hi <= 32767 else "i4"
    return Field(name, kind, doc, lo=lo, hi=hi, **more)  # type: ignore[arg-type]  # checked by Field


def _f(name: str, doc: str, **more: object) -> Field:
    return Field(name, "f8", doc, **more)  # type: ignore[arg-type]  # as above


HEAD = Record(
    "head",
    [
        _n("done", "1 when the sequence is over.", 1, live=True),
        _n("phase", "The step to take next.", 7, live=True),
        _n("turn", "Whose share of it is next.", UNITS, live=True),
        _n("mover", "Side whose turn it is to declare.", 1, live=True, enum=Side),
        _n("passed", "Sides that have passed for good, one bit each.", 3, live=True),
        _n("idle", "Passes in a row.", 2, live=True),
        _n("order", "Declarations made.", 100, live=True),
        _f("width", "Width of the table; 0: no edges.", unit="length"),
        _f("height", "Height of the table.", unit="length"),
        _n("units", "Units in use.", UNITS),
        _n("charges", "Charges of the file in use.", CHARGES),
        _n("combats", "Combats in use: one a charged unit.", COMBATS),
        _n("terrains", "Pieces of terrain in use.", TERRAINS),
        _n("first", "Who declares first: a side, or 2: a coin.", 2),
        _n("noisy", "1: poses are drawn anew in each trial.", 1),
        _n("to_side", "1: distances from front centre to side centre.", 1),
        _n("by_centre", "1: sight from front centre to centre.", 1),
        _n("majority", "1: the arc that holds most of the charger is the side.", 1),
        _n("next_side", "1: a taken side sends the charge to the next side round.", 1),
        _n("counter", "Counter-charges need 0 sight, 1 distance alone, 2 a frontal charge.", 2),
        _n("centres", "1: counter-charges meet between the centres.", 1),
        _n("as_normal", "1: a pair that cannot meet charges as others do.", 1),
        _n("frees", "1: a cancelled charge frees its side.", 1),
        _n("counts", "1: a cancelled charge counts as declared.", 1),
        _n("priority", "1: intercepts by priority (older rules).", 1),
        _n("faster", "1: a flight must be faster than needed.", 1),
        _n("run_dice", "1: flights of a die for every 4 points of Move.", 1),
        _n("frenzy", "1: the frenzied must charge the nearest enemy they can.", 1),
        _n("final", "1: a pass is final.", 1),
        _n("swept", "1: the path is swept by the whole front.", 1),
        _n("stops", "1: runs and pursuits stop short of what is in the way.", 1),
        _n("silent", "1: a unit struck in the rear strikes nobody.", 1),
        _n("before", "1: ranks as before the casualties.", 1),
        _n("orphans", "1: a counter-charge outlives the charge that it answered.", 1),
        _n("hunts", "1: fleeing units may be charged.", 1),
        _n("rallies", "1: play the rally tests of the next strategic phase.", 1),
    ],
)

UNIT = Record(
    "unit",
    [
        _f("x", "Centre, to the right.", live=True, unit="length"),
        _f("y", "Centre, up.", live=True, unit="length"),
        _f("fx", "Facing, to the right.", live=True),
        _f("fy", "Facing, up.", live=True),
        _f("move", "Move of this trial.", live=True, unit="length"),
        _n("damage", "Wounds lost.", 32767, live=True),
        _n("models", "Models left.", 1000, live=True),
        _n("behind", "By how much its side lost the combat.", 32767, live=True),
        _n("state", "What it is doing.", 7, live=True, enum=State),
        _n("aim", "Unit that its live charge is on; -1: none.", UNITS - 1, lo=-1, live=True),
        _n("aim_side", "Side that it is on.", 3, live=True, enum=Face),
        _n("counter", "1: its charge is a counter-charge.", 1, live=True),
        _n("order", "Number of its declaration; 0: none.", 100, live=True),
        _n("declared", "1 when it has declared a charge.", 1, live=True),
        _n("cancelled", "1 when that was cancelled.", 1, live=True),
        _n("runs", "1 when it has declared flight and that stands.", 1, live=True),
        _n("closed", "Sides of it closed by cancelled charges, one bit each.", 15, live=True),
        _n("wish", "Charge of the file that it made; -1: none.", CHARGES - 1, lo=-1, live=True),
        Field(
            "foe",
            "i1",
            "Enemy in contact with each side; -1: none.",
            lo=-1,
            hi=UNITS - 1,
            shape=(4,),
            live=True,
        ),
        _n("charged", "1: has its charge bonus.", 1, live=True),
        _n("combat", "Combat that it fights in; -1: none.", COMBATS - 1, lo=-1, live=True),
        _n("hurt", "Wounds lost by its commander.", 100, live=True),
        _n("rallied", "1 when it would rally in the next strategic phase.", 1, live=True),
        _f("x0", "Centre as given, to the right.", unit="length"),
        _f("y0", "Centre as given, up.", unit="length"),
        _f("fx0", "Facing as given, to the right."),
        _f("fy0", "Facing as given, up."),
        _f("a", "Half its frontage.", unit="length"),
        _f("b", "Half its depth.", unit="length"),
        _f("sd_x", "Standard deviation of its place, to the right.", unit="length"),
        _f("sd_y", "The same, up.", unit="length"),
        _f("sd_facing", "The same of its facing.", unit="radian"),
        _f("mean_move", "Move as given, or the middle of it.", unit="length"),
        _f("sd_move", "Standard deviation of its Move.", unit="length"),
        Field("moves", "f8", "Moves it may have, equally likely.", unit="length", shape=(MOVES,)),
        _n("move_count", "How many of them; 0: as given.", MOVES),
        _n("number", "Its number in the scenario, which names its luck.", UNITS - 1),
        _n("side", "Active or reactive.", 1, enum=Side),
        _n("crewed", "1: a Crewed Weapon.", 1),
        _n("frenzied", "1: Frenzied.", 1),
        _n("reanimated", "1: Reanimated.", 1),
        _n("demonic", "1: Demonic.", 1),
        _n("construct", "1: a Construct.", 1),
        _n("fearless", "1: Fearless.", 1),
        _n("may_flee", "1: may flee though Demonic.", 1),
        _n("spears", "1: Spear and Shield.", 1),
        _n("fleeing", "1: already in flight.", 1),
        _n("outside", "Sides in combat with units outside the game, one bit each.", 15),
        _n("reaction", "What it would do when charged.", 2, enum=Reaction),
        _n("after", "Declarations that come before its reaction.", 100),
        _n("start", "Models at the start.", 1000),
        _n("width", "Models in the front rank.", 1000, lo=1),
        _n("attacks", "Attacks of a model.", 20),
        _n("skill", "Skill.", 20),
        _n("power", "Power.", 20),
        _n("defense", "Defense.", 20),
        _n("wounds", "Wounds of a model.", 50, lo=1),
        _n("discipline", "Discipline.", 12),
        _n("banners", "Points of combat score from banners.", 20),
        _n("bonus_attacks", "Charge bonus to Attacks.", 20),
        _n("bonus_skill", "Charge bonus to Skill.", 20),
        _n("bonus_power", "Charge bonus to Power.", 20),
        _n("led", "1: has a commander.", 1),
        _n("led_attacks", "Attacks of its commander.", 20),
        _n("led_skill", "Skill of its commander.", 20),
        _n("led_power", "Power of its commander.", 20),
        _n("led_defense", "Defense of its commander.", 20),
        _n("led_wounds", "Wounds of its commander.", 100),
        _n("led_discipline", "Discipline of its commander.", 12),
    ],
)

CHARGE = Record(
    "charge",
    [
        _n("word", "How it ended.", 7, live=True, enum=Word),
        _n("why", "Why it was illegal when it was last tried.", 26, live=True, enum=Why),
        _n("made", "1 when it was declared.", 1, live=True),
        _n("side", "Side that it was declared on.", 3, live=True, enum=Face),
        _n("countering", "1 when it was a counter-charge.", 1, live=True),
        _n("forced", "1 when Frenzy forced it.", 1, live=True),
        _n("could_flee", "1 when its target could have fled from it.", 1, live=True),
        _n("number", "Its number in the scenario.", CHARGES - 1),
        _n("charger", "Place of the charging unit.", UNITS - 1),
        _n("target", "Place of the charged unit.", UNITS - 1),
        _n("declare", "0: its owner does without it; 2: in no file, Frenzy may force it.", 2),
        _n("after", "Declarations that come before it.", 100),
    ],
)

COMBAT = Record(
    "combat",
    [
        _n(
            "result",
            "Score of the active side less that of the other.",
            32767,
            lo=-32768,
            live=True,
        ),
        _n("active", "Wounds caused by the active side, overkill included.", 32767, live=True),
        _n("reactive", "Wounds caused by the reactive side, overkill included.", 32767, live=True),
        _n("word", "How it ended.", 7, live=True, enum=Fate),
        _n("joined", "Combat that it is part of, counted from 1; 0: none.", COMBATS, live=True),
        _n("target", "Place of the charged unit.", UNITS - 1),
    ],
)

TERRAIN = Record(
    "terrain",
    [
        Field("x", "f8", "Corners, anticlockwise.", unit="length", shape=(CORNERS,)),
        Field("y", "f8", "Corners, anticlockwise.", unit="length", shape=(CORNERS,)),
        _n("corners", "How many corners.", CORNERS),
        _n("hides", "1: blocks sight.", 1),
        _n("wood", "1: one sees into it and out of it, not through it.", 1),
        _n("impassable", "1: no unit may enter.", 1),
    ],
)

PAIR = Record(
    "pair",
    [
        _f("distance", "From the front edge to the nearest point in the arc.", unit="length"),
        _f("straight", "The same, whether in the arc or not.", unit="length"),
        _n("known", "1 when the two have been surveyed in this trial.", 1),
        _n("sight", "Why the one does not see the other; 0: it does.", 26, enum=Why),
        _n("arc", "Arc of the other that the one stands in.", 3, enum=Face),
        _n("ahead", "1: the one is ahead of the other's front line.", 1),
        _n("flank", "Flank of the other that the one is nearer to.", 3, enum=Face),
        Field("room", "i1", "For each side: -1 unknown, else why it cannot be reached.",
              lo=-1, hi=26, shape=(4,)),
    ],
)  # fmt: skip
"""What one unit knows of another: reckoned when first asked for, and the same for a whole trial."""

LAYOUT = Layout(
    HEAD,
    units=(UNIT, UNITS),
    charges=(CHARGE, CHARGES),
    combats=(COMBAT, COMBATS),
    terrains=(TERRAIN, TERRAINS),
    pairs=(PAIR, UNITS * UNITS),
)
