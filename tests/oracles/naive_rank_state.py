"""What a charge phase is about: units, terrain, declared charges, switches."""

from dataclasses import dataclass, field

from .naive_rank_shapes import convex_pieces, rectangle

SIDES = ("front", "left", "right", "rear")

# every assumption with its default first
CHOICES = {
    "tie": [("front", "left", "right", "rear")],  # any order of the four is taken
    "pass_final": [True, False],
    "cancelled_counts": [True, False],
    "path": ["segment"],
    "forest_depth": ["any"],
    "los": ["any", "centre"],
    "distance": ["edge", "centre_side"],
    "side_by": ["centre", "majority"],
    "rear_silence": ["toward_rear", "whole_unit"],
    "cancelled_frees_side": [True, False],
    "rear_centre": ["left", "right"],
    "fallback_steps": [1, 0, 2],
    "counter_los": ["any", "waived", "front_only"],
    "midpoint": ["front_gap", "centres"],
    "meeting_blocked": ["both_fail", "as_normal_charges"],
    "intercept": ["any_of", "priority"],
    "orphan_reaction": ["keep_charge_drop_flight"],
    "flight_condition": ["at_least", "more"],
    "flight_move": ["full", "d6_per_4"],
    "run_blocked": ["stop_short", "full_move"],
    "frenzy_must_charge": [False, True],
    "ranks_when": ["after", "before"],
}

SEED_EDITION = {name: choices[0] for name, choices in CHOICES.items()}

OLDER_EDITION = SEED_EDITION | {
    "distance": "centre_side",
    "side_by": "majority",
    "fallback_steps": 0,
    "counter_los": "front_only",
    "intercept": "priority",
    "cancelled_counts": False,
    "flight_condition": "more",
    "flight_move": "d6_per_4",
    "frenzy_must_charge": True,
}

EDITIONS = {"seed": SEED_EDITION, "older": OLDER_EDITION}
TURNS = {"seed": 7, "older": 8}


def switches_of(edition="seed", **changes):
    """The switches of an edition with some of them changed."""
    for name, value in changes.items():
        if name not in CHOICES:
            raise ValueError(f"no such switch: {name}")
        allowed = CHOICES[name]
        if name == "tie":
            if sorted(value) != sorted(SIDES):
                raise ValueError("tie must order the four sides")
        elif value not in allowed:
            raise ValueError(f"{name} must be one of {allowed}")
    return EDITIONS[edition] | changes


@dataclass
class Unit:
    """A regiment: a rectangle that faces along `facing`, and what it may do."""

    name: str
    side: str
    at: tuple
    facing: tuple = (0.0, 1.0)
    frontage: float = 4.0
    depth: float = 2.0
    move: float = 8.0
    crewed: bool = False
    frenzied: bool = False
    reanimated: bool = False
    demonic: bool = False
    may_flee_anyway: bool = False
    in_combat: bool = False
    engaged_sides: set = field(default_factory=set)
    fleeing: bool = False
    flee_declared: bool = False
    may_not_move: bool = False
    destroyed: bool = False
    profile: object = None

    def corners(self):
        """Its four corners, counter-clockwise from front right."""
        return rectangle(self.at, self.facing, self.frontage, self.depth)


@dataclass
class Terrain:
    """A polygon that stops sight, movement or both."""

    kind: str
    polygon: list
    impassable: bool | None = None

    def __post_init__(self):
        """Take what the kind says where nothing else is said; cut into convex pieces."""
        if self.kind not in ("forest", "building", "cliff", "rock", "impassable"):
            raise ValueError(f"no such terrain: {self.kind}")
        if self.impassable is None:
            self.impassable = self.kind != "forest"
        self.pieces = convex_pieces(self.polygon)

    def stops_sight(self):
        """Whether nothing at all is seen through or into it."""
        return self.kind in ("building", "cliff", "rock")


@dataclass
class Charge:
    """A declared charge."""

    unit: str
    target: str
    side: str
    distance: float
    order: int
    is_counter: bool = False
    live: bool = True
    outcome: str = "declared"


@dataclass
class Contact:
    """Two units that fight: each one's side that is touched, and who counts as charging."""

    unit: str
    unit_side: str
    enemy: str
    enemy_side: str
    unit_charged: bool = False
    enemy_charged: bool = False


@dataclass
class State:
    """A charge phase. With active=None either player may be asked about."""

    units: dict
    terrain: list = field(default_factory=list)
    switches: dict = field(default_factory=switches_of)
    turn: int = 2
    active: str | None = None
    passed: set = field(default_factory=set)
    turn_back: str | None = None
    order: list = field(default_factory=list)
    contacts: list = field(default_factory=list)
    table: tuple | None = None
    log: list = field(default_factory=list)


def make_state(units, terrain=(), **more):
    """A state from lists of units and terrain."""
    return State({u.name: u for u in units}, list(terrain), **more)


def standing(state, *without):
    """The units on the table but for those named."""
    return [u for u in state.units.values() if not u.destroyed and u.name not in without]


def obstacles(state, *without):
    """Convex pieces nobody can stand on or pass: units but those named, impassable terrain."""
    pieces = [u.corners() for u in standing(state, *without)]
    for land in state.terrain:
        if land.impassable:
            pieces.extend(land.pieces)
    return pieces


def live_charges(state):
    """The charges that still stand, in declaration order."""
    return [c for c in state.order if c.live]


def live_charge_of(state, name):
    """The live charge a unit has declared, or None."""
    for c in live_charges(state):
        if c.unit == name:
            return c
    return None


def incoming(state, name):
    """The names of the units with a live charge on this one."""
    return {c.unit for c in live_charges(state) if c.target == name}
