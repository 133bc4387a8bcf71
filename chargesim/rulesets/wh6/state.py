"""The wh6 game declared once: enumerations, records and the names of its chance nodes.

Lengths are whole hundredths of the game's own unit (centimetre or inch). Saves hold the number of
``N+``; ``NO_SAVE`` means none.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from chargesim.fields import Field, Layout, Record

UNITS, CHARGES = 64, 24
BLOCKERS, REACH_TERMS, CUTS = 4, 3, 1000
NO_SAVE = 99
FAR = -1
"""An edge too far to matter; a gap equal to the distance."""
LENGTH = 100
"""Hundredths in the game's unit of length."""
MOST_LENGTH = 100_000


class Troop(IntEnum):
    """What kind of model a unit is made of."""

    INFANTRY = 0
    CAVALRY = 1
    OGRE = 2
    SWARM = 3
    MONSTER = 4
    RIDDEN_MONSTER = 5
    CHARIOT = 6
    LIGHT_CHARIOT = 7
    WAR_MACHINE = 8
    FLYER = 9


class Rule(IntFlag):
    """Special rules of a unit, one bit each."""

    FRENZY = 1 << 0
    FEAR = 1 << 1
    TERROR = 1 << 2
    IMMUNE_TO_PSYCHOLOGY = 1 << 3
    HATRED = 1 << 4
    STUBBORN = 1 << 5
    UNBREAKABLE = 1 << 6
    STUPIDITY = 1 << 7
    COLD_BLOODED = 1 << 8
    UNDEAD = 1 << 9
    DAEMON = 1 << 10
    SKIRMISHERS = 1 << 11
    FAST_CAVALRY = 1 << 12
    FLYER = 1 << 13
    LARGE_TARGET = 1 << 14
    KILLING_BLOW = 1 << 15
    POISON = 1 << 16
    ALWAYS_STRIKES_FIRST = 1 << 17
    STRIKES_LAST = 1 << 18
    ZOMBIE = 1 << 19
    DWARF_LEGS = 1 << 20
    BRETONNIAN_LANCE = 1 << 21
    SKAVEN = 1 << 22
    ELF_SPEARS = 1 << 23
    BULL_CHARGE = 1 << 24


class Side(IntEnum):
    """Whose turn it is, and the other."""

    ACTIVE = 0
    REACTIVE = 1


class Reaction(IntEnum):
    """Charge reactions."""

    HOLD = 0
    STAND_AND_SHOOT = 1
    FLEE = 2


class Arc(IntEnum):
    """Zone of the target from which it is charged."""

    FRONT = 0
    FLANK = 1
    REAR = 2


class Cover(IntEnum):
    """Cover of the charger against the target's shooting."""

    NONE = 0
    SOFT = 1
    HARD = 2


class UnitState(IntEnum):
    """What a unit is doing at the end."""

    STEADY = 0
    FIGHTING = 1
    PURSUING = 2
    OVERRAN = 3
    FLEEING = 4
    FLED_OFF_TABLE = 5
    DESTROYED = 6


class Word(IntEnum):
    """How a charge ended: exclusive words."""

    UNDECIDED = 0
    CONTACT = 1
    OUT_OF_REACH = 2
    REFUSED_FEAR = 3
    CHARGER_FLED_TERROR = 4
    CHARGER_FLED_PANIC = 5
    CHARGER_DESTROYED = 6
    TARGET_FLED_ESCAPED = 7
    TARGET_FLED_CAUGHT = 8
    TARGET_FLED_OFF_TABLE = 9
    BLOCKED = 10


class Dread(IntEnum):
    """The test that an enemy asks for."""

    NONE = 0
    FEAR = 1
    TERROR = 2


class Phase(IntEnum):
    """Steps of the charge sub-phase; each is one call of ``step``."""

    DECLARATION = 0
    REACH = 1
    TESTS = 2
    FLIGHTS = 3
    SHOOTING = 4
    COMPULSORY_MOVES = 5
    CHARGE_MOVES = 6
    IMPACT = 7


class Place(IntEnum):
    """Chance nodes by name; each has a place of its own for every charge."""

    DISTANCE = 0
    REACH = 1  # and the next two, one a term
    CHARGER_TEST = 4
    TARGET_PANIC = 5
    TARGET_TEST = 6
    TARGET_FLIGHT = 7
    SHOTS_SLAIN = 8
    SHOTS_WOUNDS = 9
    SHOTS_REGENERATED = 10
    CHARGER_PANIC = 11
    CHARGER_FLIGHT = 12
    RALLY = 13  # and the next three, one a blocker
    IMPACT_HITS = 17
    IMPACT_SLAIN = 18
    IMPACT_WOUNDS = 19


NAMES = 32
"""Places of a charge: room for the names above."""


def _n(name: str, doc: str, hi: int, lo: int = 0, **more: object) -> Field:
    kind = "i1" if -128 <= lo and hi <= 127 else "i2" if hi <= 32767 else "i4"
    return Field(name, kind, doc, lo=lo, hi=hi, **more)  # type: ignore[arg-type]  # checked by Field


def _length(name: str, doc: str, lo: int = 0, **more: object) -> Field:
    return Field(name, "i4", doc, unit="1/100", lo=lo, hi=MOST_LENGTH, **more)  # type: ignore[arg-type]  # as above


HEAD = Record(
    "head",
    [
        _n("done", "1 when the sequence is over.", 1, live=True),
        _n("phase", "The step to take next.", 8, live=True),
        _n("inches", "1: inches and 2D6/3D6; 0: centimetres and 5D6/8D6.", 1),
        _n("charges", "Charges in use.", CHARGES),
        _n("test_first", "1: the charger tests before the reaction (charger_test).", 1),
        _n("shoot_in_range", "1: ss_on_failed is if_in_range_after_failed_move.", 1),
        _n("panic_engaged", "1: engaged units take panic tests.", 1),
        _n("s7_regeneration", "1: chariots may regenerate wounds of S 7 and more.", 1),
        _n("impact_like_shooting", "1: impact hits can strike the champion.", 1),
        _n("machine_crew", "1: a war machine's unit strength is its crew, else 3.", 1),
    ],
)

UNIT = Record(
    "unit",
    [
        _n("damage", "Wounds lost.", 32767, live=True),
        _n("models", "Models left.", 1000, live=True),
        _n("state", "What it is doing.", 6, live=True, enum=UnitState),
        _n("flight", "Flight rolled, in whole units of length; 0: none.", 127, live=True),
        _n("flees", "1 while it is to move in flight.", 1, live=True),
        _n("terror_tested", "1 when it has taken its Terror test of the battle.", 1, live=True),
        _length("move", "Movement on the ground."),
        Field("rules", "i4", "Special rules, one bit each (Rule).", lo=0, hi=(1 << 25) - 1),
        _length("missile_range", "Range of the missile weapon; 0: unarmed."),
        _length("double_within", "Two shots a model up to this range (sling); 0: does not apply."),
        _n("start", "Models at the start of the phase.", 1000),
        _n("width", "Models in the front rank.", 1000, lo=1),
        _n("base", "Width of a base, mm.", 1000, lo=1),
        _n("shooters", "Models that may stand and shoot; -1: by the rules.", 1000, lo=-1),
        _n("side", "Active or reactive.", 1, enum=Side),
        _n("troop", "Kind of model.", 9, enum=Troop),
        _n("strength", "Unit strength of a model.", 100),
        _n("bs", "Ballistic skill.", 10),
        _n("s", "Strength; a chariot's own.", 10),
        _n("t", "Toughness.", 10),
        _n("w", "Wounds of a model.", 20, lo=1),
        _n("ld", "Leadership.", 10),
        _n("general_ld", "Leadership of a General in reach; 0: none.", 10),
        _n("save", "Armour save.", NO_SAVE, lo=-9),
        _n("ward", "Ward save.", NO_SAVE, lo=2),
        _n("regeneration", "Regeneration.", NO_SAVE, lo=2),
        _n(
            "shield",
            "Better in combat: 1 hand weapon and shield on foot, -1 shield unused.",
            1,
            lo=-1,
        ),
        _n("missile_s", "Strength of a shot.", 10),
        _n("armour_piercing", "1: its shots are armour piercing.", 1),
        _n("shots", "Shots of a model.", 20, lo=1),
        _n("thrown", "1: its missile weapon is thrown.", 1),
        _n("shot_rules", "Killing blow and poison of its shots (Rule).", (1 << 25) - 1),
        _n("engaged", "Already in combat: 1 with a unit outside the game, 2 inside.", 2),
        _n("musician", "1: has a musician.", 1),
        _n("champion", "1: has a champion.", 1),
        _n("impact_dice", "Dice of its impact hits; 0: none.", 10),
        _n("impact_sides", "Their sides.", 6),
        _n("impact_plus", "Added to them.", 20),
    ],
)

CHARGE = Record(
    "charge",
    [
        _length("distance", "What it must spend to arrive, once measured.", live=True),
        _length("gap", "Straight distance, once measured.", live=True),
        _length("reach", "Its charge reach, once rolled.", live=True),
        _n("shot_down", "Models lost to stand and shoot.", 1000, live=True),
        _n("impact_hits", "Impact hits.", 1000, live=True),
        _n("impact_wounds", "Unsaved wounds of impact hits.", 32767, live=True),
        _n("word", "How it ended.", 10, live=True, enum=Word),
        _n("reaction", "The target's reaction in force.", 2, live=True, enum=Reaction),
        _n("in_reach", "1 when it can arrive.", 1, live=True),
        _n("refusal", "The charger's own test that failed.", 2, live=True, enum=Dread),
        _n("sixes", "1 when the target needs sixes against this charger.", 1, live=True),
        _n("blocked", "1 when another unit stayed in the way.", 1, live=True),
        _length("mean", "Distance, or the middle of an estimate."),
        _length("sd", "Standard deviation of an estimate; 0: known."),
        _length("straight", "Straight distance; -1: equal to the distance.", lo=FAR),
        _length("given_reach", "Reach without its dice; -1: from M and flight.", lo=FAR),
        _length("edge", "From the target to the table edge behind it; -1: far.", lo=FAR),
        _n("charger", "Number of the charging unit.", UNITS - 1),
        _n("target", "Number of the charged unit.", UNITS - 1),
        _n("declared", "The reaction declared.", 2, enum=Reaction),
        _n("arc", "Zone it charges from.", 2, enum=Arc),
        _n("on_hill", "1: the target stands on higher ground.", 1),
        _n("cover", "Cover against the target's shots.", 2, enum=Cover),
        _n("blockers", "Units in the path.", BLOCKERS),
        Field("blocker", "i1", "Numbers of the units in the path.", lo=0, hi=63, shape=(BLOCKERS,)),
        Field(
            "reach_dice",
            "i1",
            "Dice of a reach term, negative to subtract.",
            lo=-20,
            hi=20,
            shape=(REACH_TERMS,),
        ),
        Field("reach_sides", "i1", "Their sides.", lo=0, hi=6, shape=(REACH_TERMS,)),
        _n("cuts", "Lengths at which a rule changes.", CUTS),
        Field(
            "cut", "i4", "Those lengths, rising.", unit="1/100", lo=0, hi=MOST_LENGTH, shape=(CUTS,)
        ),
    ],
)

LAYOUT = Layout(HEAD, UNIT, CHARGE, units=UNITS, charges=CHARGES)
