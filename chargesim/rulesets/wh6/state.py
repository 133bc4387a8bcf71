"""The wh6 game declared once: enumerations, records and the names of its chance nodes.

Lengths are whole hundredths of the game's own unit (centimetre or inch). Saves hold the number of
``N+``; ``NO_SAVE`` means none.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from chargesim.fields import Field, Layout, Record

UNITS, CHARGES, COMBATS = 64, 32, 24
BLOCKERS, NEIGHBOURS, REACH_TERMS, CUTS = 4, 8, 3, 1000
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
    REDIRECTED_CONTACT = 11


class Kind(IntEnum):
    """What a record of the charges is."""

    DECLARED = 0
    COMPULSORY = 1
    REDIRECTED = 2
    STANDING = 3  # a fight from an earlier turn: no charge, but somebody to fight


class Terrain(IntEnum):
    """Ground in the way of a charge."""

    OPEN = 0
    DIFFICULT = 1
    OBSTACLE = 2
    DEFENDED = 3


class Hill(IntEnum):
    """Who stands on higher ground."""

    NOBODY = 0
    CHARGER = 1
    TARGET = 2


class Weapon(IntEnum):
    """Close combat weapons."""

    HAND_WEAPON = 0
    TWO_HAND_WEAPONS = 1
    GREAT_WEAPON = 2
    FLAIL = 3
    MORNING_STAR = 4
    HALBERD = 5
    SPEAR = 6
    PIKE = 7
    LANCE = 8
    PISTOL = 9
    BRACE_OF_PISTOLS = 10


class Won(IntEnum):
    """Who has the better of a combat."""

    NOT_FOUGHT = 0
    ACTIVE = 1
    DRAW = 2
    REACTIVE = 3
    UNDECIDED = 4


class Flees(IntEnum):
    """Why a unit is about to flee."""

    NO = 0
    BROKEN = 1  # by the rules of charge or combat
    PANICKED = 2  # by what happened to friends


class Tested(IntEnum):
    """Test that a unit has taken, and takes but once a phase."""

    NO = 0
    PANIC = 1
    RALLY = 2


class Fate(IntEnum):
    """How a combat ended: exclusive words."""

    NO_COMBAT = 0
    DRAW = 1
    TARGET_WIPED_OUT = 2
    TARGET_BROKE_CAUGHT = 3
    TARGET_BROKE_ESCAPED = 4
    TARGET_HELD = 5
    CHARGER_WIPED_OUT = 6
    CHARGER_BROKE_CAUGHT = 7
    CHARGER_BROKE_ESCAPED = 8
    CHARGER_HELD = 9


class Dread(IntEnum):
    """The test that an enemy asks for."""

    NONE = 0
    FEAR = 1
    TERROR = 2


class Phase(IntEnum):
    """Steps of the turn; a call of ``step`` takes one, or one charge's or combat's share of it."""

    DECLARATION = 0
    REACTIONS = 1
    REACH = 2
    TESTS = 3
    FLIGHTS = 4
    REDIRECTION = 5
    SHOOTING = 6
    COMPULSORY_MOVES = 7
    CHARGE_MOVES = 8
    PANIC = 9
    IMPACT = 10
    BLOWS = 11
    RESULT = 12
    BREAK_TESTS = 13
    COMBAT_PANIC = 14
    PURSUIT = 15


class Place(IntEnum):
    """Chance nodes of a charge by name."""

    DISTANCE = 0
    REACH = 1  # and the next two, one a term
    CHARGER_TEST = 4
    TARGET_TEST = 5
    REDIRECT_TEST = 6
    SHOTS_SLAIN = 7
    SHOTS_WOUNDS = 8
    SHOTS_REGENERATED = 9
    CHARGER_PANIC = 10
    GROUND_HITS = 11
    GROUND_SLAIN = 12
    GROUND_WOUNDS = 13
    IMPACT_HITS = 14
    IMPACT_SLAIN = 15
    IMPACT_WOUNDS = 16
    DEEP_SLAIN = 17
    DEEP_WOUNDS = 18
    RIDERS_SLAIN = 19
    RIDERS_WOUNDS = 20
    STEEDS_SLAIN = 21
    STEEDS_WOUNDS = 22
    TARGET_RIDERS_SLAIN = 23
    TARGET_RIDERS_WOUNDS = 24
    TARGET_STEEDS_SLAIN = 25
    TARGET_STEEDS_WOUNDS = 26
    GROUND_REGENERATED = 27


class UnitPlace(IntEnum):
    """Chance nodes of a unit by name."""

    PANIC = 0
    FLIGHT = 1
    RALLY = 2
    RIDERS_FIRST = 3
    STEEDS_FIRST = 4
    REGENERATED = 5
    BREAK = 6
    BREAK_AGAIN = 7
    INSTABILITY = 8
    COMBAT_PANIC = 9
    COMBAT_FLIGHT = 10
    RESTRAINT = 11
    PURSUIT = 12


NAMES, UNIT_NAMES = 32, 16
"""Places of a charge and of a unit: room for the names above."""


def _n(name: str, doc: str, hi: int, lo: int = 0, **more: object) -> Field:
    kind = "i1" if -128 <= lo and hi <= 127 else "i2" if hi <= 32767 else "i4"
    return Field(name, kind, doc, lo=lo, hi=hi, **more)  # type: ignore[arg-type]  # checked by Field


def _length(name: str, doc: str, lo: int = 0, **more: object) -> Field:
    return Field(name, "i4", doc, unit="1/100", lo=lo, hi=MOST_LENGTH, **more)  # type: ignore[arg-type]  # as above


HEAD = Record(
    "head",
    [
        _n("done", "1 when the sequence is over.", 1, live=True),
        _n("phase", "The step to take next.", 16, live=True),
        _n("turn", "Whose share of it is next.", 64, live=True),
        _n("level", "Strike order: what has struck already.", 64, live=True),
        _n("inches", "1: inches and 2D6/3D6; 0: centimetres and 5D6/8D6.", 1),
        _n("until", "The last step that is played.", 15, enum=Phase),
        _n("units", "Units in use.", UNITS),
        _n("charges", "Charges in use, standing fights among them.", CHARGES),
        _n("combats", "Combats in use: one a charged unit.", COMBATS),
        _n("test_first", "1: the charger tests before the reaction (charger_test).", 1),
        _n("shoot_in_range", "1: ss_on_failed is if_in_range_after_failed_move.", 1),
        _n("panic_engaged", "1: engaged units take panic tests.", 1),
        _n("s7_regeneration", "1: chariots may regenerate wounds of S 7 and more.", 1),
        _n("impact_like_shooting", "1: impact hits can strike the champion.", 1),
        _n("machine_crew", "1: a war machine's unit strength is its crew, else 3.", 1),
        _n("redirect_test", "1: a Leadership test before redirecting.", 1),
        _n("redirect_shoot", "1: who is charged by redirection may stand and shoot.", 1),
        _n("frenzy_last", "1: compulsory charges move after the others.", 1),
        _n("immune_cancels", "1: immunity cancels the unit's own Hatred and Stubborn.", 1),
        _n("insane_courage", "1: a double 1 always holds.", 1),
        _n("stack", "1: bonuses of flank and rear add up.", 1),
        _n("friends", "1: some unit's fate may panic its friends.", 1),
    ],
)

UNIT = Record(
    "unit",
    [
        _n("damage", "Wounds lost.", 32767, live=True),
        _n("models", "Models left.", 1000, live=True),
        _n("mustered", "Models at the start of the combat; 0: not in one.", 1000, live=True),
        _n("hurt", "Wounds lost before the combat.", 32767, live=True),
        _n("regenerable", "Wounds of the combat that may be regenerated.", 32767, live=True),
        _n("state", "What it is doing.", 6, live=True, enum=UnitState),
        _n(
            "flight",
            "Flight rolled, in whole units of length; negative in panic among friends.",
            127,
            lo=-127,
            live=True,
        ),
        _n("flees", "What puts it to flight, until it has moved.", 2, live=True, enum=Flees),
        _n("terror_tested", "1 when it has taken its Terror test of the battle.", 1, live=True),
        _n("tested", "Test of the phase that it has taken.", 2, live=True, enum=Tested),
        _n("calm", "1 when it has lost its Frenzy.", 1, live=True),
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
        _n("number", "Its number in the scenario, which names its luck.", UNITS - 1),
        _n("weapon", "Close combat weapon.", 10, enum=Weapon),
        _n("ws", "Weapon skill.", 10),
        _n("i", "Initiative.", 10),
        _n("a", "Attacks.", 10),
        _n("riders", "Who strike with the unit's A on a model: crew of a chariot, else 1.", 10),
        _n("riders_s", "Their strength.", 10),
        _n("steeds", "Steeds or beasts of a model that fight.", 10),
        _n("steed_ws", "Their weapon skill.", 10),
        _n("steed_s", "Their strength.", 10),
        _n("steed_i", "Their initiative.", 10),
        _n("steed_a", "Their attacks.", 10),
        _n("battle_standard", "1: a battle standard in reach.", 1),
        _n("combat_bonus", "Fixed points of combat result.", 20),
        _n("standard", "1: has a standard.", 1),
        _n("restrain", "1: would rather not pursue.", 1),
        _n("neighbours", "Friends that its fate may panic.", NEIGHBOURS),
        Field("neighbour", "i1", "Numbers of those friends.", lo=0, hi=63, shape=(NEIGHBOURS,)),
        Field(
            "neighbour_at",
            "i4",
            "How far away they are.",
            unit="1/100",
            lo=0,
            hi=MOST_LENGTH,
            shape=(NEIGHBOURS,),
        ),
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
        _n("touching", "Models of the charger that touch the target.", 1000, live=True),
        _n("fighters", "Models of the charger lined up to strike.", 1000, live=True),
        _n("facing", "Models of the target lined up to strike back.", 1000, live=True),
        _n("made", "1 when it has been declared.", 1, live=True),
        _n("word", "How it ended.", 11, live=True, enum=Word),
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
        _n("number", "Its number in the scenario, which names its luck.", CHARGES - 1),
        _n("kind", "Declared, compulsory, redirected, or a standing fight.", 3, enum=Kind),
        _n("parent", "Charge that this one redirects.", CHARGES - 1),
        _n("charger", "Place of the charging unit.", UNITS - 1),
        _n("target", "Place of the charged unit.", UNITS - 1),
        _n("declared", "The reaction declared.", 2, enum=Reaction),
        _n(
            "aim",
            "1: the target would shoot at this charger, -1: at another.",
            1,
            lo=-1,
        ),
        _n("arc", "Zone it charges from.", 2, enum=Arc),
        _n("side", "Side struck: 0 front, 1 and 2 flanks, 3 rear.", 3),
        _n("terrain", "Ground in the way.", 3, enum=Terrain),
        _n("hill", "Who stands on higher ground.", 2, enum=Hill),
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

COMBAT = Record(
    "combat",
    [
        _n("result", "Score of the active side less that of the other.", 32767, -32767, live=True),
        _n("active_wounds", "Wounds that the active side caused.", 32767, live=True),
        _n("reactive_wounds", "Wounds that the other side caused.", 32767, live=True),
        _n("won", "Who has the better of it.", 4, live=True, enum=Won),
        _n("word", "How it ended.", 9, live=True, enum=Fate),
        _n("target", "Place of the charged unit.", UNITS - 1),
    ],
)

LAYOUT = Layout(HEAD, units=(UNIT, UNITS), charges=(CHARGE, CHARGES), combats=(COMBAT, COMBATS))
