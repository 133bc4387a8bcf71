"""The hex_increment game declared once: enumerations, records and the names of its chance nodes.

Melee values are whole hundredths. A face of a D66 is held as its index, 1 to 36.
"""

from __future__ import annotations

from enum import IntEnum

from chargesim.fields import Field, Layout, Record

UNITS, CHARGES, TARGETS, COLUMNS = 64, 16, 48, 32
HEXES, CHANGES, FIRE = 12, 5, 4
"""Most hexes of a charger, changes of a line's width, and increments lost to one fire."""
FACES = 36
VALUE = 100
"""Hundredths in a point of melee value."""
MOST_VALUE, MOST_INCREMENTS, MOST_HEXES = 1_000_000, 100, 15
CHANCE = 360_000
"""A plain probability is held in these parts, so that a face of a D66 is a whole number."""
NEVER = 99
"""A step that is not taken."""


class Kind(IntEnum):
    """Arm of a unit or stack."""

    CAVALRY = 0
    INFANTRY = 1
    ARTILLERY = 2
    LEADER = 3


class Formation(IntEnum):
    """Formation at the start of the charge."""

    LINE = 0
    COMPANY_COLUMN = 1
    COLUMN = 2
    GENERAL_ORDER = 3
    SKIRMISH = 4
    SQUARE = 5
    OTHER = 6


class Side(IntEnum):
    """Who charges, and who is charged."""

    ACTIVE = 0
    REACTIVE = 1


class State(IntEnum):
    """The ladder of order, and past its end."""

    GOOD = 0
    DISORDERED = 1
    PGD = 2
    GONE = 3


class Reaction(IntEnum):
    """What a stack does about a charge."""

    STAND = 0
    SQUARE = 1
    RETIRE = 2


class Kept(IntEnum):
    """What came of forming square."""

    NOT_TRIED = 0
    SQUARE = 1
    FAILED = 2


class Stood(IntEnum):
    """What came of the roll to stand."""

    NOT_ROLLED = 0
    PASSED = 1
    FAILED = 2


class Named(IntEnum):
    """When a charger says that a stack is its target."""

    NEVER = 0
    AT_THE_START = 1
    AT_TWO_HEXES = 2
    IN_CONTACT = 3


class Result(IntEnum):
    """Kind of a result of the melee table."""

    BLANK = 0
    AD = 1
    AR = 2
    AS = 3
    DD = 4
    DR = 5
    DS = 6
    LOSS = 7


class Severity(IntEnum):
    """What the charger suffers, from bad to worse."""

    NONE = 0
    BOUNCE = 1
    DISORDER = 2
    ROUT = 3
    SURRENDER = 4


class Word(IntEnum):
    """How a charge ended: exclusive words."""

    UNDECIDED = 0
    CHECK_FAILED = 1
    GENERAL_ORDER = 2
    NO_TARGET = 3
    TARGET_MISSED = 4
    TARGETS_RETIRED = 5
    TARGETS_BROKE = 6
    CHARGER_SURRENDERED = 7
    CHARGER_ROUTED = 8
    CHARGER_DISORDERED = 9
    BOUNCED = 10
    NO_PURSUIT = 11
    RECALLED = 12
    PURSUES = 13


class Fate(IntEnum):
    """How a declared target fared: exclusive words."""

    PENDING = 0
    NO_CONTACT = 1
    TARGET_RETIRED = 2
    TARGET_BROKE_BEFORE_MELEE = 3
    TARGET_STOOD = 4
    TARGET_DISORDERED = 5
    TARGET_BROKE = 6
    TARGET_SURRENDERED = 7


class Dice(IntEnum):
    """Dice of a morale check."""

    D66 = 0
    TWO_D6 = 1
    D10 = 2
    PROBABILITY = 3


class Phase(IntEnum):
    """Steps of the charges; a call of ``step`` takes one charge's or one stack's share of one."""

    DECLARATION = 0
    MOVE = 1
    SQUARE = 2
    RETIREMENT = 3
    STAND = 4
    DEFENSIVE_FIRE = 5
    MELEE = 6
    RESULT = 7
    PURSUIT = 8


class Place(IntEnum):
    """Chance nodes of a charge by name; waves and changes take as many as they need."""

    CHANGE = 0
    RECALL = 7
    WAVE = 8
    WAVE_CHARGER_CHECK = 20
    WAVE_TARGET_CHECK = 32


class UnitPlace(IntEnum):
    """Chance nodes of a charged stack by name; fire takes as many as it needs."""

    SQUARE = 0
    RETIREMENT = 1
    STAND = 2
    MELEE = 3
    CHARGER_CHECK = 4
    TARGET_CHECK = 5
    FIRE = 6
    OPPORTUNITY_FIRE = 10


NAMES, UNIT_NAMES = 48, 16
"""Places of a charge and of a unit: room for the names above."""


def _n(name: str, doc: str, hi: int, lo: int = 0, **more: object) -> Field:
    kind = "i1" if -128 <= lo and hi <= 127 else "i2" if hi <= 32767 else "i4"
    return Field(name, kind, doc, lo=lo, hi=hi, **more)  # type: ignore[arg-type]  # checked by Field


def _value(name: str, doc: str, lo: int = 0) -> Field:
    return Field(name, "i4", doc, unit="1/100", lo=lo, hi=MOST_VALUE)


def _mask(name: str, doc: str) -> Field:
    return Field(name, "i8", doc, lo=0, hi=(1 << FACES) - 1)


def _chances(name: str, doc: str) -> Field:
    return Field(name, "i4", doc, lo=0, hi=CHANCE, shape=(FIRE,))


HEAD = Record(
    "head",
    [
        _n("done", "1 when the sequence is over.", 1, live=True),
        _n("phase", "The step to take next.", 9, live=True),
        _n("turn", "Whose share of it is next.", 64, live=True),
        _n("units", "Units in use.", UNITS),
        _n("charges", "Charges in use.", CHARGES),
        _n("targets", "Declared targets in use.", TARGETS),
        _n("columns", "Columns of the melee table in use.", COLUMNS),
        _n("dice", "Dice of a morale check.", 3, enum=Dice),
        _n("auto_faces", "1: face 11 always fails a morale check, 66 always passes.", 1),
        _n("go_disorders", "1: a charge that ends in General Order terrain disorders.", 1),
        _n("half", "1: a hex that touches two stacks counts half for each.", 1),
        _n("floor", "1: fractions of a melee value are dropped.", 1),
        _n("before_share", "1: a line's modifiers are added before its value is shared out.", 1),
        _n("two_rout", "1: two disorders rout a line as they do a column.", 1),
        _n("ds_retreats", "1: a surrender counts as a retreat.", 1),
        _n("dd0_stops", "1: a disorder without recoil ends a column's waves.", 1),
        _n("pursue_first", "1: a line pursues before it is disordered by having fought.", 1),
        _n("square_divisor", "Divides the melee value against a square.", 12, lo=1),
        _n("pgd_retreat", "Hexes that a stack made PGD goes back; -1: as the result says.", 15, -1),
        _n("loss_disorders", "1: who fails the check of a loss result is disordered.", 1),
        _n("illustrative", "1: a table in use is the shipped one.", 1),
        _n("warned", "1: a table in use has a warning.", 1),
        _n("one_hex", "1: a line advances into one hex, however many its targets held.", 1),
    ],
)

UNIT = Record(
    "unit",
    [
        _n("state", "Its order.", 3, live=True, enum=State),
        _n("lost", "Increments lost.", MOST_INCREMENTS, live=True),
        _n("in_square", "1 while it stands in square.", 1, live=True),
        _value("melee", "Melee value of all its increments.", lo=1),
        Field(
            "morale", "i4", "Morale: a face's index, a roll, or parts of a chance.", lo=0, hi=CHANCE
        ),
        _n("number", "Its number in the scenario, which names its luck.", UNITS - 1),
        _n("side", "Active or reactive.", 1, enum=Side),
        _n("kind", "Arm.", 3, enum=Kind),
        _n("formation", "Formation at the start.", 6, enum=Formation),
        _n("increments", "Increments at the start.", MOST_INCREMENTS, lo=1),
    ],
)

CHARGE = Record(
    "charge",
    [
        _n("word", "How it ended.", 13, live=True, enum=Word),
        _n("steps", "Hexes moved.", MOST_HEXES * 2, live=True),
        _n("worst", "What the charger suffers.", 4, live=True, enum=Severity),
        _n("recoil", "Hexes that the charger recoils.", MOST_HEXES, live=True),
        _n(
            "disorders",
            "Disorders that it took in its melees, no more than two told apart.",
            2,
            live=True,
        ),
        _n("hit", "1 when a stack was disordered, routed or taken.", 1, live=True),
        _n("stayed", "1 when a stack that fought has not retreated.", 1, live=True),
        _n("fell", "Increments lost in its melees, not yet taken off.", MOST_INCREMENTS, live=True),
        _n("melees", "Melees rolled.", HEXES, live=True),
        _n("recalled", "1 when it was recalled.", 1, live=True),
        _n("tired", "1: marked for having charged.", 1, live=True),
        _n("head_hex", "1: a column that has consolidated in its head hex.", 1, live=True),
        _n("narrowed", "1: a line that consolidated as it advanced.", 1, live=True),
        _n("provoked", "1: that may have provoked opportunity reactions.", 1, live=True),
        _value("modifier", "Added to its melee value.", lo=-MOST_VALUE),
        _n("number", "Its number in the scenario, which names its luck.", CHARGES - 1),
        _n("charger", "Place of the charging unit.", UNITS - 1),
        _n("company", "1: a company column.", 1),
        _n("state", "Order of the charger before the charge.", 3, enum=State),
        _n("hexes", "Hexes that it occupies when it fights.", HEXES, lo=1),
        _n("planned", "Hexes that it means to move.", MOST_HEXES * 2),
        _n("changes", "Changes of its width on the way.", CHANGES),
        _n("first", "Its first target's place.", TARGETS - 1),
        _n("targets", "How many targets it has.", TARGETS),
        _n("end", "How its move ends; undecided: in contact.", 4, enum=Word),
        _n("end_disorders", "1: that end disorders it.", 1),
        _n("spent", "Half movement points spent.", 20),
        _n("recall", "Least face of the die that recalls it; 0: no recall.", 7),
        _n("wants_pursuit", "1: it pursues where it may.", 1),
        _n("answers", "1: a reaction charge, which makes a charger turn.", 1),
        _n("reacted", "1: cavalry reacts to it and charges its charger in turn.", 1),
        _n("watched", "1: an enemy that it does not charge could react to its advance.", 1),
        Field(
            "touched",
            "i1",
            "Targets that each of its hexes touches; -1: none.",
            lo=-1,
            hi=TARGETS - 1,
            shape=(HEXES, 2),
        ),
        Field(
            "given",
            "i1",
            "Target that the owner gave a hex to; -1: none.",
            lo=-1,
            hi=TARGETS - 1,
            shape=(HEXES,),
        ),
    ],
)

TARGET = Record(
    "target",
    [
        _n("fate", "How it fared.", 7, live=True, enum=Fate),
        _n("recoil", "Hexes that it goes back.", MOST_HEXES, live=True),
        _n("kept", "What came of forming square.", 2, live=True, enum=Kept),
        _n("stood", "What came of the roll to stand.", 2, live=True, enum=Stood),
        _mask("square_mask", "Faces at which a new band of the square table begins."),
        _chances("fire", "Chance that fire costs at least one more increment, one after another."),
        _chances("fire_of", "The wholes of those chances."),
        _chances("shots", "The same of opportunity fire."),
        _chances("shots_of", "The wholes of those."),
        Field("retire", "i4", "Chance that it may retire.", lo=0, hi=CHANCE),
        Field("retire_of", "i4", "The whole of that chance.", lo=1, hi=CHANCE),
        _n("charge", "Place of the charge.", CHARGES - 1),
        _n("unit", "Place of the unit or stack.", UNITS - 1),
        _n("contact", "1: the charger means to fight it.", 1),
        _n("named", "When the charger named it.", 3, enum=Named),
        _n("mixed", "1: in contact, but its charger fights the cavalry there.", 1),
        _n("adjacent", "1: next to the charger at the start.", 1),
        _n("room", "Hexes of it in front of the charger.", MOST_HEXES * 2),
        _n("turns", "1: it is charging itself and turns to face this charger.", 1),
        _n("left", "1: its charger turns away from it, to face cavalry that reacts.", 1),
        _n("wish", "The reaction asked for.", 2, enum=Reaction),
        _n("reaction", "The reaction in force.", 2, enum=Reaction),
        _n("at", "Distance at which it tries to form square.", 5),
        _n("square_step", "Hexes that the charger has moved when it tries.", NEVER),
        _n("stand", "Modifier of its roll to stand.", 72, lo=-72),
        _n("stand_disordered", "Modifier more when it is disordered.", 72, lo=-72),
        _n("fail", "Its order when it does not stand.", 2, lo=1, enum=State),
        Field(
            "square_band",
            "i1",
            "What each band of the square table means (State).",
            lo=0,
            hi=2,
            shape=(FACES,),
        ),
    ],
)

COLUMN = Record(
    "column",
    [
        _mask("mask", "Faces at which a new band begins."),
        Field("num", "i4", "Least ratio of melee values: numerator.", lo=1, hi=1000),
        Field("den", "i4", "Its denominator.", lo=1, hi=1000),
        Field("band", "i2", "Result of each band, packed.", lo=0, hi=32767, shape=(FACES,)),
    ],
)

LAYOUT = Layout(
    HEAD,
    units=(UNIT, UNITS),
    charges=(CHARGE, CHARGES),
    targets=(TARGET, TARGETS),
    columns=(COLUMN, COLUMNS),
)


def packed(kind: Result, number: int = 0, target: int = 0, checks: int = 0) -> int:
    """A result as one number: kind, its number or the charger's loss, the target's loss, checks."""
    return int(kind) | number << 3 | target << 7 | checks << 11
