"""What a ranked_regiment scenario file may say; pydantic reports every fault of form.

What must fit together stands in :mod:`.legality`, the game record in :mod:`.setup`. A declaration
that the rules forbid is no fault: the results say how often, and why. An example::

    ruleset = "ranked_regiment"
    turn    = 2                       # 1 has no charge phase
    first   = "coin"                  # who declares first: active, reactive, or a coin
    rally   = true                    # play the rally tests of the next strategic phase
    table   = { width = 72, height = 48 }          # optional: edges over which units are lost

    [switches]
    edition = "2026"                  # or "2022": sets every switch in which the two differ

    [unit.knights]
    side     = "active"
    at       = [14, 3]                # centre
    facing   = 270                    # degrees clockwise from +y
    frontage = 5
    depth    = 3
    move     = 16                     # or [14, 16], equally likely, or { mean = 16, sd = 1 }
    noise    = { x = 0.5, y = 0.5, facing = 5 }    # standard deviations
    models   = 10
    width    = 5                      # models in the front rank; default min(models, 5)
    attacks  = 1
    skill    = 5
    power    = 5
    defense  = 5
    discipline = 8
    charge_bonus = { power = 1 }
    commander = { discipline = 9, attacks = 3, skill = 5, power = 5, defense = 5, wounds = 2 }
    rules    = ["frenzied"]           # see RULES
    points   = 200                    # its worth; default its models
    engaged  = false                  # true, an enemy's name, or { left = "spears", front = true }

    [[terrain]]
    kind    = "forest"                # forest building cliff rocks impassable
    polygon = [[-12, 2], [-6, 2], [-6, 8], [-12, 8]]

    [[charge]]                        # what its owner means to declare, in this order
    charger = "knights"
    target  = "spears"
    declare = true                    # or false, or "best"
    after   = 0                       # declarations of anybody that must come before

    [reaction]
    spears = "flee"                   # hold counter flee best, or { do = "counter", after = 2 }

A side whose turn comes declares its first reaction that is due and legal, else its first charge
that is due and legal, else it passes, which is final by default.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from chargesim.faults import Fault, shown
from chargesim.rulesets import values
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.values import (
    LIST,
    PLAIN,
    TABLE,
    Flag,
    Goals,
    Points,
    Section,
    between,
    flag_or,
    forms,
    number,
    whole,
)

FACES = tuple(face.name.lower() for face in st.Face)
RULES = (
    "crewed_weapon",
    "frenzied",
    "reanimated",
    "demonic",
    "construct",
    "fearless",
    "may_flee_anyway",
    "spear_and_shield",
)
"""Special rules of a unit."""
KINDS = {
    "forest": (True, True, False),
    "building": (True, False, True),
    "cliff": (True, False, True),
    "rocks": (True, False, True),
    "impassable": (False, False, True),
}
"""Kinds of terrain: whether it hides, whether it is a wood, whether it is impassable."""


def _facing(value: Any) -> float:
    degrees: float = number(value)
    if not -360 <= degrees <= 360:
        raise ValueError(f"{degrees:g} degrees is no facing: from -360 to 360, clockwise from +y")
    return degrees


Place = between(-st.MOST_LENGTH, st.MOST_LENGTH)
Length = between(0, st.MOST_LENGTH)
Size = between(0.01, st.MOST_LENGTH)
Facing = Annotated[float, BeforeValidator(_facing)]
Stat = whole(0, 20)
FaceName = Literal["front", "left", "right", "rear"]
ReactionName = Literal["hold", "counter", "flee", "best"]


EDITIONS: dict[str, dict[str, Any]] = {
    "2026": {
        "distance": "edge",
        "side": "centre",
        "taken_side": "next",
        "counter_los": "any",
        "intercept": "any_of_three",
        "cancelled_counts": True,
        "flight_speed": "at_least",
        "flight_move": "full",
        "frenzy_charges": False,
    },
    "2022": {
        "distance": "centre_side",
        "side": "majority",
        "taken_side": "illegal",
        "counter_los": "front_only",
        "intercept": "priority",
        "cancelled_counts": False,
        "flight_speed": "more",
        "flight_move": "dice",
        "frenzy_charges": True,
    },
}
"""What each edition makes of the switches that it differs in (section 3.6)."""


class Switches(Section):
    """Where the specification leaves something open, or the editions differ."""

    edition: Literal["2026", "2022"] = "2026"
    distance: Literal["edge", "centre_side"] | None = None
    los: Literal["any", "centre"] = "any"
    path: Literal["segment", "swept"] = "segment"
    side: Literal["centre", "majority"] | None = None
    taken_side: Literal["next", "illegal"] | None = None
    cancelled_frees_side: Flag = True
    cancelled_counts: Flag | None = None
    counter_los: Literal["any", "waived", "front_only"] | None = None
    midpoint: Literal["front_gap", "centres"] = "front_gap"
    blocked_meeting: Literal["both_fail", "as_normal_charges"] = "both_fail"
    intercept: Literal["any_of_three", "priority"] | None = None
    orphan_reaction: Literal["keep_charge_drop_flight", "drop_both"] = "keep_charge_drop_flight"
    flight_speed: Literal["at_least", "more"] | None = None
    flight_move: Literal["full", "dice"] | None = None
    run_blocked: Literal["stop_short", "full_move"] = "stop_short"
    frenzy_charges: Flag | None = None
    fleeing_targets: Literal["open", "barred"] = "open"
    pass_final: Flag = True
    rear_silence: Literal["toward_rear", "whole_unit"] = "toward_rear"
    ranks_when: Literal["after", "before"] = "after"

    @field_validator("edition", mode="before")
    @classmethod
    def _year(cls, value: Any) -> Any:
        """A year may be written as the number that it is."""
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _derive(self) -> Switches:
        """Write what the edition says into the model, so that it shows and is hashed."""
        for name, value in EDITIONS[self.edition].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        return self


SWITCH_RULES = {
    "edition": "RNK-TURN-02",
    "distance": "RNK-LOS-05",
    "los": "RNK-LOS-04",
    "path": "RNK-DECL-07",
    "side": "RNK-SIDE-01",
    "taken_side": "RNK-ONE-04",
    "cancelled_frees_side": "RNK-ONE-01",
    "cancelled_counts": "RNK-DECL-02",
    "counter_los": "RNK-CTR-02",
    "midpoint": "RNK-CTR-03",
    "blocked_meeting": "RNK-CTR-06",
    "intercept": "RNK-INT-01",
    "orphan_reaction": "RNK-INT-06",
    "flight_speed": "RNK-FLEE-04",
    "flight_move": "RNK-FLEE-06",
    "run_blocked": "RNK-FLEE-10",
    "frenzy_charges": "RNK-DECL-06",
    "fleeing_targets": "RNK-DECL-06",
    "pass_final": "RNK-TURN-04",
    "rear_silence": "RNK-SIDE-04",
    "ranks_when": "RNK-CMB-08",
}
"""Rule that each switch belongs to."""


def switch_rows() -> list[tuple[str, str, str, str]]:
    """Switches of the ruleset: name, values, default, rule id."""
    return values.switch_rows(Switches.model_fields, SWITCH_RULES, defaults=EDITIONS["2026"])


_SURELY = 12.0
"""Standard deviations: two normals together differ by more in no trial that anybody will play."""


class Noise(Section):
    """How uncertain a pose is: standard deviations of place and facing."""

    x: Length = 0.0
    y: Length = 0.0
    facing: between(0, 180) = 0.0  # type: ignore[valid-type]


class Estimate(Section):
    """A Move that is not known: a normal, cut off at 0."""

    mean: Length
    sd: Size


Move = Annotated[
    Annotated[Length, PLAIN]
    | Annotated[tuple[Length, ...], Field(min_length=2, max_length=st.MOVES), LIST]
    | Annotated[Estimate, TABLE],
    forms(LIST, TABLE),
]


class Bonus(Section):
    """What a charge adds in the first round."""

    attacks: Stat = 0
    skill: Stat = 0
    power: Stat = 0


class Commander(Section):
    """A commander and its own profile."""

    discipline: whole(0, 12)  # type: ignore[valid-type]
    attacks: Stat = 0
    skill: Stat = 0
    power: Stat = 0
    defense: Stat = 0
    wounds: whole(1, 100) = 1  # type: ignore[valid-type]


def _engagement(value: Any) -> Any:
    if isinstance(value, dict):
        for key, foe in value.items():
            if key not in FACES:
                raise ValueError(f"{shown(key)} is no side: one of {', '.join(FACES)}")
            if not isinstance(foe, str) and foe is not True:
                raise ValueError(f"{shown(foe)} is neither true nor the name of a unit")
        return value
    if not isinstance(value, (bool, str)):
        raise ValueError(  # pydantic wants ValueError
            f"{shown(value)} is neither true, false, the name of a unit nor a table of sides"
        )
    return value


class Unit(Section):
    """A unit: where it stands, its size, its profile and its rules."""

    side: Literal["active", "reactive"]
    at: tuple[Place, Place]
    facing: Facing
    frontage: Size
    depth: Size
    move: Move
    noise: Noise = Noise()
    models: whole(1, 500) = 1  # type: ignore[valid-type]
    width: whole(1, 500) | None = None  # type: ignore[valid-type]
    attacks: Stat = 1
    skill: Stat = 3
    power: Stat = 3
    defense: Stat = 3
    wounds: whole(1, 50) = 1  # type: ignore[valid-type]
    discipline: whole(0, 12) = 7  # type: ignore[valid-type]
    banners: Stat = 0
    charge_bonus: Bonus = Bonus()
    commander: Commander | None = None
    rules: tuple[Literal[RULES], ...] = ()  # type: ignore[valid-type]
    points: Points | None = None  # type: ignore[valid-type]
    engaged: Annotated[
        bool | str | dict[str, bool | str], BeforeValidator(_engagement)
    ] = False  # fmt: skip
    fleeing: Flag = False

    @model_validator(mode="after")
    def _derive(self) -> Unit:
        """Write derived defaults into the model, so that they show and are hashed."""
        if self.width is None:
            object.__setattr__(self, "width", min(self.models, 5))
        object.__setattr__(self, "rules", tuple(sorted(set(self.rules))))
        return self

    @property
    def reach(self) -> float:
        """Greatest Move that it may have; of an estimate its mean."""
        if isinstance(self.move, Estimate):
            return float(self.move.mean)
        return float(max(self.move) if isinstance(self.move, tuple) else self.move)

    @property
    def middle_move(self) -> float:
        """Its Move, or the mean of what that may be."""
        if isinstance(self.move, tuple):
            return float(sum(self.move) / len(self.move))
        return self.reach

    def may_reach(self, other: Unit) -> bool:
        """False for an enemy out of reach in every pose that the two may have."""
        spread = sum(_SURELY * max(u.noise.x, u.noise.y) for u in (self, other))
        if isinstance(self.move, Estimate):
            spread += _SURELY * self.move.sd
        sizes = sum(hypot(u.frontage, u.depth) / 2 for u in (self, other))
        (x, y), (u, v) = self.at, other.at
        apart = hypot(float(u) - float(x), float(v) - float(y))
        return bool(apart - sizes <= self.reach + spread)


class Terrain(Section):
    """A piece of terrain: a polygon that does not cross itself."""

    kind: Literal["forest", "building", "cliff", "rocks", "impassable"]
    polygon: tuple[tuple[Place, Place], ...]
    name: str = ""


class Charge(Section):
    """A charge that its owner means to declare when its turn comes."""

    charger: str
    target: str
    declare: Annotated[bool | Literal["best"], flag_or("best")] = True
    after: whole(0, 99) = 0  # type: ignore[valid-type]


class Timed(Section):
    """A reaction that waits for a number of declarations."""

    do: ReactionName
    after: whole(0, 99) = 0  # type: ignore[valid-type]


Reaction = Annotated[
    Annotated[ReactionName, PLAIN] | Annotated[Timed, TABLE],
    forms(TABLE),
]


class Table(Section):
    """Size of the table, its lower left corner at (0, 0)."""

    width: Size
    height: Size


class Model(Section):
    """A whole scenario of ruleset ranked_regiment."""

    ruleset: Literal["ranked_regiment"]
    title: str = ""
    turn: whole(1, 99) = 2  # type: ignore[valid-type]
    first: Literal["active", "reactive", "coin"] = "active"
    rally: Flag = True
    table: Table | None = None
    switches: Switches = Switches()
    unit: dict[str, Unit]
    terrain: tuple[Terrain, ...] = ()
    charge: tuple[Charge, ...] = ()
    reaction: dict[str, Reaction] = {}
    goal: Goals = Goals()

    def wish(self, name: str) -> Timed:
        """Reaction of a unit, with the declarations that come before it."""
        found = self.reaction.get(name, "hold")
        return found if isinstance(found, Timed) else Timed(do=found)

    def rushes(self) -> list[tuple[str, str]]:
        """Charges in no line of the file that Frenzy may force in the older edition.

        Those on enemies so far away that no pose of the two would bring them into reach are left
        out.
        """
        if not self.switches.frenzy_charges:
            return []
        meant = {(charge.charger, charge.target) for charge in self.charge}
        return [
            (name, foe)
            for name, unit in self.unit.items()
            if "frenzied" in unit.rules
            for foe, other in self.unit.items()
            if other.side != unit.side and (name, foe) not in meant and unit.may_reach(other)
        ]

    def fights(self) -> list[tuple[str, str]]:
        """Pairs of enemies who fight each other from the start: active unit, reactive unit."""
        found = []
        for name, unit in self.unit.items():
            engaged = unit.engaged
            foes = engaged.values() if isinstance(engaged, dict) else [engaged]
            for foe in foes:
                if isinstance(foe, str):
                    found.append((name, foe) if unit.side == "active" else (foe, name))
        return list(dict.fromkeys(found))


def prepare(data: dict[str, Any], base: Path | None = None) -> tuple[dict[str, Any], list[Fault]]:
    """Bring a file's words into the model's form.

    Parameters
    ----------
    data
        The tables of the file; not changed.
    base
        Folder of the file, of no use here.

    Returns
    -------
    tuple
        The tables, and the faults found.
    """
    return dict(data), []
