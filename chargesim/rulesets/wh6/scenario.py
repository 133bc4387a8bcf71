"""A wh6 scenario: what a file may say, what must fit together, and the game record made of it.

Pydantic reports every fault of form; :func:`check` every fault of sense. The rules themselves are
not here: what the rules replace (a reaction that may not be taken) is no fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from math import isfinite
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    Tag,
    model_validator,
)

from chargesim.faults import Fault, nearest, shown
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.weapons import MISSILES, TWO_HANDED, WEAPONS

LENGTH_DIGITS = st.LENGTH
SPANISH = {"HA": "WS", "HP": "BS", "F": "S", "R": "T", "H": "W", "L": "Ld"}
"""Spanish names of the statistics whose names differ; M, I and A are the same."""


def _two_decimals(value: float) -> float:
    if abs(value * LENGTH_DIGITS - round(value * LENGTH_DIGITS)) > 1e-6:
        raise ValueError(f"{value!r} has more than two decimals: lengths have at most two")
    return round(float(value), 2)


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{shown(value)} is not a number")  # pydantic wants ValueError
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return value


def _length(above: float = 0.0) -> Any:
    return Annotated[
        float,
        BeforeValidator(_number),
        Field(ge=above, le=st.MOST_LENGTH / LENGTH_DIGITS, allow_inf_nan=False),
        AfterValidator(_two_decimals),
    ]


Length = _length()
Positive = _length(0.01)


def _whole(lo: int, hi: int) -> Any:
    return Annotated[int, Strict(), Field(ge=lo, le=hi)]


Skill = _whole(0, 10)
Strong = _whole(1, 10)


def _save(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"-?\d\+", value) or int(value[:-1]) > 6:
        raise ValueError(f'{shown(value)} is not a save such as "4+", from "-9+" to "6+"')
    return value


def _fixed_save(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[2-6]\+", value):
        raise ValueError(f'{shown(value)} is not a save from "2+" to "6+"')
    return value


Save = Annotated[str, BeforeValidator(_save)]
FixedSave = Annotated[str, BeforeValidator(_fixed_save)]
_TERM = re.compile(r"([+-]?)(?:(\d{1,2})[dD]([2-6])|(\d+(?:\.\d{1,2})?))")


def dice_terms(text: str) -> tuple[float, list[tuple[int, int]]] | None:
    """Read a sum such as ``36+1D6+2``: its constant and its (number, sides), or ``None``."""
    constant, dice, at = 0.0, [], 0
    plain = text.replace(" ", "")
    while at < len(plain):
        term = _TERM.match(plain, at)
        if term is None or (at > 0 and not term[1]):
            return None
        sign = -1 if term[1] == "-" else 1
        if term[4] is not None:
            constant += sign * float(term[4])
        else:
            number = int(term[2])
            if not 1 <= number <= 10:
                return None
            dice.append((sign * number, int(term[3])))
        at = term.end()
    return (constant, dice) if plain else None


def _reach(value: Any) -> Any:
    if isinstance(value, str):
        read = dice_terms(value)
        if read is None or len(read[1]) > st.REACH_TERMS or read[0] < 0:
            raise ValueError(
                f'{shown(value)} is not a reach such as 36 or "36+1D6+2" (at most 3 dice terms)'
            )
        _reachable(read[0])
        return value.replace(" ", "").upper()
    return _two_decimals(_reachable(_number(value)))


def _reachable(value: float) -> float:
    most = st.MOST_LENGTH // LENGTH_DIGITS
    if not 0 <= value <= most:
        raise ValueError(f"{value:g} is no reach: from 0 to {most:,}")
    return value


def _impact(value: Any) -> str:
    read = dice_terms(value) if isinstance(value, str) else None
    if read is None or len(read[1]) > 1 or any(n < 1 for n, _ in read[1]):
        raise ValueError(f'{shown(value)} is not a number of impact hits such as "1D6+1"')
    if read[0] < 0 or read[0] > 20 or read[0] != int(read[0]):
        raise ValueError(f"{shown(value)} adds other than a whole number from 0 to 20")
    return str(value).replace(" ", "").upper()


def _engagement(value: Any) -> Any:
    if not isinstance(value, (bool, str)):
        raise ValueError(  # pydantic wants ValueError
            f"{shown(value)} is neither true, false nor the name of a unit"
        )
    return value


Reach = Annotated[float | str, BeforeValidator(_reach)]
Impact = Annotated[str, BeforeValidator(_impact)]
RuleName = Literal[tuple(r.name.lower() for r in st.Rule)]  # type: ignore[valid-type,union-attr]  # from the enum
TroopName = Literal[tuple(t.name.lower() for t in st.Troop)]  # type: ignore[valid-type]
MissileName = Literal[tuple(MISSILES)]  # type: ignore[valid-type]
WeaponName = Literal[WEAPONS]
ReactionName = Literal["hold", "stand_and_shoot", "flee"]
Flag = Annotated[bool, Strict()]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Switches(_Model):
    """Where the specification leaves something open: names and defaults of its section 20."""

    charger_test: Literal["after_reaction", "before_reaction"] = "after_reaction"
    ss_on_failed: Literal["always", "if_in_range_after_failed_move"] = "always"
    redirect_test: Literal["none", "leadership"] = "none"
    redirect_ss: Literal["allowed", "forbidden"] = "allowed"
    panic_engaged: Flag = True
    frenzy_move: Literal["compulsory", "after_chargers"] = "compulsory"
    immune_cancels_native: Flag = True
    fire_stops_regen: Literal["battle", "phase"] = "battle"
    s7_regen: Flag = False
    impact_targets: Literal["rank_and_file", "like_shooting"] = "rank_and_file"
    insane_courage: Flag = False
    flank_rear_stack: Flag = True
    war_machine_us: Literal["fixed3", "crew"] = "crew"


SWITCH_RULES = {
    "units": "WH6-UNIT-03",
    "charger_test": "WH6-SEQ-04",
    "ss_on_failed": "WH6-SS-06",
    "redirect_test": "WH6-REDIR-05",
    "redirect_ss": "WH6-REDIR-06",
    "panic_engaged": "WH6-PANIC-08",
    "frenzy_move": "WH6-FRENZ-02",
    "immune_cancels_native": "WH6-IMM-02",
    "fire_stops_regen": "WH6-SPEC-02",
    "s7_regen": "WH6-CHAR-03",
    "impact_targets": "WH6-IMPACT-04",
    "insane_courage": "WH6-BRK-03",
    "flank_rear_stack": "WH6-CR-07",
    "war_machine_us": "WH6-US-01",
}
"""Rule that each switch belongs to."""


def switch_rows() -> list[tuple[str, str, str, str]]:
    """Switches of the ruleset: name, values, default, rule id."""
    fields = {"units": Model.model_fields["units"], **Switches.model_fields}
    rows = []
    for name, field in fields.items():
        values = getattr(field.annotation, "__args__", None) or ("true", "false")
        rows.append(
            (
                name,
                ", ".join(values),
                str(field.default).replace("True", "true").replace("False", "false"),
                SWITCH_RULES[name],
            )
        )
    return rows


class MissileTable(_Model):
    """A missile weapon described by the user."""

    range: Positive
    S: Strong
    armour_piercing: Flag = False
    shots: _whole(1, 10) = 1  # type: ignore[valid-type]
    thrown: Flag = False
    rules: tuple[Literal["poison", "killing_blow"], ...] = ()


class Steed(_Model):
    """Steeds that fight."""

    WS: Skill
    S: Strong
    I: Skill  # noqa: E741  # the game's own name
    A: Skill


class Crew(_Model):
    """Crew of a chariot."""

    count: _whole(1, 10)  # type: ignore[valid-type]
    WS: Skill
    BS: Skill = 0
    S: Strong
    I: Skill  # noqa: E741
    A: Skill
    Ld: Strong


class Beasts(_Model):
    """Beasts that draw a chariot."""

    count: _whole(1, 10)  # type: ignore[valid-type]
    WS: Skill
    S: Strong
    I: Skill  # noqa: E741
    A: Skill


class ChariotTable(_Model):
    """What makes a unit of chariots."""

    impact_hits: Impact | None = None
    crew: Crew | None = None
    beasts: Beasts | None = None


def _tag(kinds: dict[type, str], other: str) -> Any:
    def tag(value: Any) -> str:
        return next((name for kind, name in kinds.items() if isinstance(value, kind)), other)

    return Discriminator(tag)


Missile = Annotated[
    Annotated[MissileName, Tag("@name")] | Annotated[MissileTable, Tag("@table")],
    _tag({dict: "@table", MissileTable: "@table"}, "@name"),
]

_BASES = {
    "infantry": 20, "war_machine": 20, "cavalry": 25, "flyer": 25, "ogre": 40, "swarm": 40,
    "monster": 50, "ridden_monster": 50, "chariot": 50, "light_chariot": 50,
}  # fmt: skip
_STRENGTHS = {
    "infantry": 1, "cavalry": 2, "ogre": 3, "swarm": 3, "chariot": 4, "light_chariot": 3,
    "war_machine": 1, "flyer": 1,
}  # fmt: skip
_CHARIOTS = ("chariot", "light_chariot")


class Unit(_Model):
    """A unit: numbers, profile, equipment and rules."""

    side: Literal["active", "reactive"]
    models: _whole(1, 500)  # type: ignore[valid-type]
    width: _whole(1, 500) | None = None  # type: ignore[valid-type]
    base: _whole(10, 300) | None = None  # type: ignore[valid-type]
    M: Length
    WS: Skill | None = None
    BS: Skill | None = None
    S: Strong
    T: Strong
    W: Strong
    I: Skill | None = None  # noqa: E741
    A: Skill | None = None
    Ld: Strong | None = None
    save: Save | None = None
    ward: FixedSave | None = None
    regeneration: FixedSave | None = None
    troop: TroopName = "infantry"
    unit_strength: _whole(1, 20) | None = None  # type: ignore[valid-type]
    points: Annotated[float, BeforeValidator(_number), Field(ge=0, le=1e6)] | None = None
    weapon: WeaponName = "hand_weapon"
    shield: Flag = False
    missile: Missile | None = None
    shooters: _whole(0, 500) | None = None  # type: ignore[valid-type]
    rules: tuple[RuleName, ...] = ()
    general_ld: Strong | None = None
    battle_standard: Flag = False
    combat_bonus: _whole(0, 20) = 0  # type: ignore[valid-type]
    standard: Flag = False
    musician: Flag = False
    champion: Flag = False
    mount: Steed | None = None
    terror_tested: Flag = False
    engaged: Annotated[Flag | str, BeforeValidator(_engagement)] = False
    fleeing: Flag = False
    restrain: Flag = False
    chariot: ChariotTable | None = None

    @model_validator(mode="after")
    def _derive(self) -> Unit:
        """Write derived defaults into the model, so that they show and are hashed."""

        def default(name: str, value: Any) -> None:
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

        default("width", min(self.models, 5))
        default("base", _BASES[self.troop])
        if self.troop in _CHARIOTS:
            default("chariot", ChariotTable())
        crew = self.chariot.crew if self.chariot else None
        if crew:
            for name in ("WS", "BS", "I", "A", "Ld"):
                default(name, getattr(crew, name))
        if self.troop in ("monster", "ridden_monster"):
            default("unit_strength", self.W + (self.troop == "ridden_monster"))
        default("unit_strength", _STRENGTHS.get(self.troop))
        if self.troop == "flyer" and "flyer" not in self.rules:
            object.__setattr__(self, "rules", (*self.rules, "flyer"))
        object.__setattr__(self, "rules", tuple(sorted(set(self.rules))))
        return self


class Estimate(_Model):
    """A distance judged by eye: a normal, cut off at 0."""

    mean: Positive
    sd: Positive


Distance = Annotated[
    Annotated[Positive, Tag("@known")] | Annotated[Estimate, Tag("@estimate")],
    _tag({dict: "@estimate", Estimate: "@estimate"}, "@known"),
]


class Charge(_Model):
    """A declared charge."""

    charger: str
    target: str
    distance: Distance
    gap: Positive | None = None
    reach: Reach | None = None
    arc: Literal["front", "flank", "rear"] = "front"
    cover: Literal["none", "soft", "hard"] = "none"
    terrain: Literal["open", "difficult", "obstacle", "defended"] = "open"
    high_ground: Literal["charger", "target"] | None = None
    edge: Length | None = None
    blocked_by: tuple[str, ...] = ()


class Aimed(_Model):
    """A reaction with the charger it is aimed at."""

    do: ReactionName
    at: str | None = None


Reaction = Annotated[
    Annotated[ReactionName, Tag("@name")] | Annotated[Aimed, Tag("@table")],
    _tag({dict: "@table", Aimed: "@table"}, "@name"),
]


class Model(_Model):
    """A whole scenario of ruleset wh6."""

    ruleset: Literal["wh6"]
    title: str = ""
    units: Literal["cm", "inch"] = "cm"
    switches: Switches = Switches()
    unit: dict[str, Unit]
    charge: tuple[Charge, ...]
    reaction: dict[str, Reaction] = {}


_LATER = {
    "goal": "choosing the best reaction",
    "redirect": "redirecting a charge",
    "may_reach": "compulsory charges",
    "neighbours": "panic among friends",
}


def prepare(data: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """Bring a file's words into the model's form.

    Spanish statistics get their English names; mixed ones are a fault, as is what this version does
    not play, and statistics that only a chariot with a crew may leave out.

    Parameters
    ----------
    data
        The tables of the file; not changed.

    Returns
    -------
    tuple
        The tables with English names, and the faults found.
    """
    faults: list[Fault] = []
    data = dict(data)
    for key in ("goal",):
        if key in data:
            faults.append(_later(key, key))
            del data[key]
    units = data.get("unit")
    if isinstance(units, dict):
        data["unit"] = {
            str(name): _prepare_unit(str(name), unit, faults) if isinstance(unit, dict) else unit
            for name, unit in units.items()
        }
    charges = data.get("charge")
    if isinstance(charges, list):
        data["charge"] = [
            _prepare_charge(i, c, faults) if isinstance(c, dict) else c
            for i, c in enumerate(charges)
        ]
    reactions = data.get("reaction")
    if isinstance(reactions, dict):
        kept = {}
        for name, wish in reactions.items():
            if wish == "best" or (isinstance(wish, dict) and wish.get("do") == "best"):
                faults.append(
                    Fault(
                        f"reaction.{name}",
                        '"best" is not covered by this version: write hold, stand_and_shoot or '
                        "flee",
                    )
                )
            else:
                kept[name] = wish
        data["reaction"] = kept
    return data, faults


def _later(path: str, key: str) -> Fault:
    return Fault(path, f"is not covered by this version ({_LATER[key]}): leave the key out")


def _prepare_unit(name: str, unit: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    path = f"unit.{name}"
    unit = dict(unit)
    spanish = [k for k in SPANISH if k in unit]
    english = [v for v in SPANISH.values() if v in unit]
    if spanish and english:
        faults.append(
            Fault(
                path,
                f"mixes Spanish statistics ({', '.join(spanish)}) with English ones "
                f"({', '.join(english)}): write all of M HA HP F R H I A L or all of M "
                "WS BS S T W I A Ld",
            )
        )
    for old in spanish:
        value = unit.pop(old)
        unit.setdefault(SPANISH[old], value)
    for key in ("may_reach", "neighbours"):
        if key in unit:
            faults.append(_later(f"{path}.{key}", key))
            del unit[key]
    table = unit.get("chariot")
    crewed = isinstance(table, dict) and isinstance(table.get("crew"), dict)
    if not crewed:
        names = {v: k for k, v in SPANISH.items()} if spanish else {}
        for key in ("WS", "BS", "I", "A", "Ld"):
            if unit.get(key) is None:
                name_shown = names.get(key, key)
                least = 1 if key == "Ld" else 0
                faults.append(
                    Fault(f"{path}.{name_shown}", f"is missing: a whole number from {least} to 10")
                )
    return unit


def _prepare_charge(i: int, charge: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    charge = dict(charge)
    if "redirect" in charge:
        faults.append(_later(f"charge.{i}.redirect", "redirect"))
        del charge["redirect"]
    estimate = [key for key in ("mean", "sd") if key in charge]
    if estimate:
        faults.append(
            Fault(
                f"charge.{i}.distance",
                f"both forms of a distance are given ({' and '.join(['distance', *estimate])})"
                if "distance" in charge
                else f"{' and '.join(estimate)} stand outside the distance",
                remedy="write distance = 20, or distance = { mean = 34, sd = 3 }",
            )
        )
        for key in estimate:
            del charge[key]
        charge.setdefault("distance", 1)
    elif "distance" not in charge:
        faults.append(
            Fault(
                f"charge.{i}.distance",
                "is missing",
                "write distance = 20, or distance = { mean = 34, sd = 3 }",
            )
        )
    return charge


def check(model: Model) -> list[Fault]:
    """Faults of sense in a model of sound form; each names the rule it would break."""
    faults: list[Fault] = []
    if len(model.unit) > st.UNITS:
        faults.append(Fault("unit", f"{len(model.unit)} units are too many: at most {st.UNITS}"))
    for name, unit in model.unit.items():
        faults += _check_unit(f"unit.{name}", unit, model)
        if not name.strip() or name.isdigit():
            faults.append(Fault(f"unit.{name}", "is no name: a name has other than digits in it"))
    if not model.charge:
        faults.append(Fault("charge", "is missing: write one [[charge]]"))
    if len(model.charge) > 1:
        faults.append(
            Fault(
                "charge.1", "several charges are not covered by this version: write one [[charge]]"
            )
        )
    for i, charge in enumerate(model.charge):
        faults += _check_charge(f"charge.{i}", charge, model)
    targets = {c.target: c.charger for c in model.charge}
    for name, wish in model.reaction.items():
        if name not in targets:
            if not set(targets) <= set(model.unit):
                continue  # a misspelt target is told of at its charge
            faults.append(
                Fault(f"reaction.{name}", "is not a charged unit" + nearest(name, targets))
            )
        elif isinstance(wish, Aimed) and wish.at is not None and wish.at != targets[name]:
            faults.append(
                Fault(
                    f"reaction.{name}.at",
                    f"{wish.at!r} does not charge {name}" + nearest(wish.at, [targets[name]]),
                )
            )
    return faults


def _check_unit(path: str, unit: Unit, model: Model) -> list[Fault]:
    faults = []
    if unit.width is not None and unit.width > unit.models:
        faults.append(
            Fault(f"{path}.width", f"{unit.width} in front of {unit.models} models: at most all")
        )
    if unit.shooters is not None and unit.shooters > unit.models:
        faults.append(
            Fault(
                f"{path}.shooters",
                f"{unit.shooters} shooters among {unit.models} models: at most all",
            )
        )
    if unit.chariot is not None and unit.troop not in _CHARIOTS:
        faults.append(
            Fault(
                f"{path}.chariot", f'is given for troop = "{unit.troop}": write troop = "chariot"'
            )
        )
    if unit.missile is not None and unit.BS == 0:
        faults.append(Fault(f"{path}.BS", "is 0, yet the unit has a missile weapon: from 1 to 10"))
    faults += _check_numbers(path, unit)
    if isinstance(unit.engaged, str) and unit.engaged not in model.unit:
        faults.append(
            Fault(
                f"{path}.engaged",
                f"there is no unit {unit.engaged!r}" + nearest(unit.engaged, model.unit),
            )
        )
    if isinstance(unit.engaged, str) and path == f"unit.{unit.engaged}":
        faults.append(Fault(f"{path}.engaged", "a unit cannot fight itself: name an enemy"))
    if unit.engaged and unit.fleeing:
        faults.append(Fault(f"{path}.fleeing", "a unit cannot both fight and flee: keep one"))
    if model.units == "inch" and unit.troop not in ("flyer",) and unit.M > 20:
        faults.append(Fault(f"{path}.M", f'{unit.M:g} inches: for centimetres write units = "cm"'))
    return faults


MOST_AT_ONCE = 510
"""Most shots, hits or regenerating wounds at one time: what a chance node holds."""


def _check_numbers(path: str, unit: Unit) -> list[Fault]:
    """Find numbers that are sound each by itself and too many together."""
    faults = []
    if unit.missile is not None:
        shots = unit.missile.shots if isinstance(unit.missile, MissileTable) else 2
        shooters = unit.models if unit.shooters is None else unit.shooters
        if shots * shooters > MOST_AT_ONCE:
            faults.append(
                Fault(
                    f"{path}.shooters",
                    f"{shooters} models with up to {shots} shots are more than "
                    f"{MOST_AT_ONCE} shots: fewer of either",
                )
            )
    if unit.regeneration is not None and unit.models * unit.W > MOST_AT_ONCE:
        faults.append(
            Fault(
                f"{path}.models",
                f"{unit.models} models of {unit.W} wounds that regenerate are more than "
                f"{MOST_AT_ONCE} wounds: fewer of either",
            )
        )
    if unit.chariot is not None:
        default = "1D6" if unit.troop == "chariot" else "1D3"
        constant, dice = dice_terms(unit.chariot.impact_hits or default) or (0.0, [])
        number, sides = dice[0] if dice else (0, 0)
        front = unit.width or 1
        if front * number > 50 or front * (number * sides + constant) > MOST_AT_ONCE:
            faults.append(
                Fault(
                    f"{path}.width", f"{front} chariots abreast are too many for their hits: fewer"
                )
            )
    return faults


def _check_charge(path: str, charge: Charge, model: Model) -> list[Fault]:
    faults = []
    units = model.unit
    for role in ("charger", "target"):
        name = getattr(charge, role)
        if name not in units:
            faults.append(
                Fault(f"{path}.{role}", f"there is no unit {name!r}" + nearest(name, units))
            )
    if charge.charger == charge.target:
        faults.append(Fault(f"{path}.target", f"{charge.target!r} charges itself: name an enemy"))
        return faults
    charger, target = units.get(charge.charger), units.get(charge.target)
    if charger is not None:
        if charger.side != "active":
            faults.append(
                Fault(
                    f"{path}.charger", f'{charge.charger!r} is not side = "active": only it charges'
                )
            )
        if charger.fleeing:
            faults.append(
                Fault(f"{path}.charger", f"{charge.charger!r} flees (WH6-CHG-01): it cannot charge")
            )
        if charger.engaged:
            faults.append(
                Fault(
                    f"{path}.charger", f"{charge.charger!r} fights (WH6-CHG-01): it cannot charge"
                )
            )
        if charger.troop in _CHARIOTS and charge.terrain != "open":
            faults.append(
                Fault(
                    f"{path}.terrain",
                    f"a chariot may not choose to cross it (WH6-CHAR-02): "
                    f'"{charge.terrain}" must be "open"',
                )
            )
        if charger.troop == "war_machine":
            faults.append(
                Fault(f"{path}.charger", f"{charge.charger!r} is a war machine: it cannot charge")
            )
    if charger is not None and target is not None and target.side == charger.side:
        faults.append(
            Fault(
                f"{path}.target",
                f'{charge.target!r} is on the same side: a target is side = "reactive"',
            )
        )
    if (
        charge.gap is not None
        and isinstance(charge.distance, float)
        and charge.gap > charge.distance
    ):
        faults.append(
            Fault(
                f"{path}.gap",
                f"{charge.gap:g} is longer than the distance {charge.distance:g}: at most that",
            )
        )
    if len(charge.blocked_by) > st.BLOCKERS:
        faults.append(Fault(f"{path}.blocked_by", f"names more than {st.BLOCKERS} units"))
    for name in charge.blocked_by:
        faults += _check_blocker(f"{path}.blocked_by", name, charge, model)
    return faults


def _check_blocker(path: str, name: str, charge: Charge, model: Model) -> list[Fault]:
    """Say why a charge may not be declared through this unit (WH6-CHG-12)."""
    if name not in model.unit:
        return [Fault(path, f"there is no unit {name!r}" + nearest(name, model.unit))]
    if name in (charge.charger, charge.target):
        return [Fault(path, f"{name!r} takes part in the charge: name another unit")]
    unit = model.unit[name]
    if unit.side != "active":
        return [
            Fault(
                path,
                f"{name!r} is an enemy nobody has charged (WH6-CHG-12): the charge is not legal",
            )
        ]
    if not unit.fleeing:
        return [
            Fault(
                path,
                f"{name!r} does not flee (WH6-CHG-12): it cannot be gone, the charge is not legal",
            )
        ]
    return []


def _hundredths(length: float) -> int:
    return round(length * LENGTH_DIGITS)


def setup(model: Model) -> tuple[np.ndarray[Any, Any], tuple[str, ...], int]:
    """Make the game record of a model.

    Returns
    -------
    tuple
        Array of one game; names of its units, in order; number of charges.
    """
    game = st.LAYOUT.new()
    names = tuple(model.unit)
    head = game["head"][0]
    switches = model.switches
    head["inches"] = model.units == "inch"
    head["charges"] = len(model.charge)
    head["test_first"] = switches.charger_test == "before_reaction"
    head["shoot_in_range"] = switches.ss_on_failed == "if_in_range_after_failed_move"
    head["panic_engaged"] = switches.panic_engaged
    head["s7_regeneration"] = switches.s7_regen
    head["impact_like_shooting"] = switches.impact_targets == "like_shooting"
    head["machine_crew"] = switches.war_machine_us == "crew"
    for record, unit in zip(game["units"][0], model.unit.values(), strict=False):
        _setup_unit(record, unit, model.units == "inch")
    for record, charge in zip(game["charges"][0], model.charge, strict=False):
        _setup_charge(record, charge, model, names)
    for i, charge in enumerate(model.charge):
        if isinstance(charge.distance, Estimate):
            lengths = cuts(game, i)
            game["charges"][0, i]["cuts"] = len(lengths)
            game["charges"][0, i]["cut"][: len(lengths)] = lengths
    return game, names, len(model.charge)


def _setup_unit(record: Any, unit: Unit, inches: bool) -> None:
    def save(text: str | None) -> int:
        return st.NO_SAVE if text is None else int(text[:-1])

    record["models"] = record["start"] = unit.models
    record["state"] = (
        st.UnitState.FLEEING
        if unit.fleeing
        else st.UnitState.FIGHTING
        if unit.engaged
        else st.UnitState.STEADY
    )
    record["terror_tested"] = unit.terror_tested
    record["move"] = _hundredths(unit.M)
    record["rules"] = sum(int(st.Rule[r.upper()]) for r in unit.rules)
    record["side"] = st.Side[unit.side.upper()]
    record["troop"] = st.Troop[unit.troop.upper()]
    record["width"], record["base"] = unit.width, unit.base
    record["strength"] = unit.unit_strength
    record["bs"], record["s"], record["t"], record["w"] = unit.BS or 0, unit.S, unit.T, unit.W
    record["ld"], record["general_ld"] = unit.Ld, unit.general_ld or 0
    record["save"], record["ward"] = save(unit.save), save(unit.ward)
    record["regeneration"] = save(unit.regeneration)
    if unit.shield and unit.weapon in TWO_HANDED:
        record["shield"] = -1
    elif unit.shield and unit.weapon == "hand_weapon" and unit.troop == "infantry":
        record["shield"] = 1
    record["engaged"] = 2 if isinstance(unit.engaged, str) else int(unit.engaged)
    record["musician"] = unit.musician
    record["champion"] = unit.champion
    record["shots"] = 1
    record["shooters"] = -1 if unit.shooters is None else unit.shooters
    if unit.missile is not None:
        _setup_missile(record, unit, inches)
    if unit.chariot is not None:
        default = "1D6" if unit.troop == "chariot" else "1D3"
        constant, dice = dice_terms(unit.chariot.impact_hits or default) or (0.0, [])
        record["impact_plus"] = int(constant)
        if dice:
            record["impact_dice"], record["impact_sides"] = dice[0]


def _setup_missile(record: Any, unit: Unit, inches: bool) -> None:
    missile = unit.missile
    if isinstance(missile, MissileTable):
        record["missile_range"] = _hundredths(missile.range)
        record["missile_s"], record["shots"] = missile.S, missile.shots
        record["armour_piercing"], record["thrown"] = missile.armour_piercing, missile.thrown
        record["shot_rules"] = sum(int(st.Rule[r.upper()]) for r in set(missile.rules))
        return
    weapon = MISSILES[str(missile)]
    user = unit.chariot.crew.S if unit.chariot and unit.chariot.crew else unit.S
    record["missile_range"] = (weapon.inches if inches else weapon.centimetres) * LENGTH_DIGITS
    record["missile_s"] = (
        min(user + weapon.extra, 10) if weapon.strength is None else weapon.strength
    )
    record["shots"], record["thrown"] = weapon.shots, weapon.thrown
    record["armour_piercing"] = weapon.armour_piercing
    if weapon.double_within is not None:
        record["double_within"] = weapon.double_within[0 if inches else 1] * LENGTH_DIGITS


def _setup_charge(record: Any, charge: Charge, model: Model, names: tuple[str, ...]) -> None:
    record["charger"], record["target"] = names.index(charge.charger), names.index(charge.target)
    if isinstance(charge.distance, Estimate):
        record["mean"] = _hundredths(charge.distance.mean)
        record["sd"] = _hundredths(charge.distance.sd)
    else:
        record["mean"] = _hundredths(charge.distance)
    record["straight"] = st.FAR if charge.gap is None else _hundredths(charge.gap)
    record["edge"] = st.FAR if charge.edge is None else _hundredths(charge.edge)
    record["given_reach"] = st.FAR
    if charge.reach is not None:
        constant, dice = dice_terms(str(charge.reach)) or (0.0, [])
        record["given_reach"] = _hundredths(constant)
        for term, (number, sides) in enumerate(dice):
            record["reach_dice"][term], record["reach_sides"][term] = number, sides
    record["arc"], record["cover"] = st.Arc[charge.arc.upper()], st.Cover[charge.cover.upper()]
    record["on_hill"] = charge.high_ground == "target"
    record["blockers"] = len(charge.blocked_by)
    for i, name in enumerate(charge.blocked_by):
        record["blocker"][i] = names.index(name)
    wish = model.reaction.get(charge.target, "hold")
    record["declared"] = st.Reaction[(wish.do if isinstance(wish, Aimed) else wish).upper()]


def cuts(game: np.ndarray[Any, Any], c: int) -> list[int]:
    """Lengths, in hundredths, at which a rule treats an estimated distance otherwise.

    The reach and its half; half the range of the target's weapon and its range; the range after a
    failed charge; and the reach less every flight the target may roll.
    """
    from chargesim.kernels.dice import Mode, new_dice
    from chargesim.rulesets.wh6.rules_charge import charge_reach, flies, flyer_move, stop_distance

    record = game["charges"][0, c]
    view = game[0]
    target = game["units"][0, int(record["target"])]
    charger = game["units"][0, int(record["charger"])]
    dice = [
        sorted({sum(roll) for roll in product(*[range(1, int(s) + 1)] * abs(int(n)))})
        for n, s in zip(record["reach_dice"], record["reach_sides"], strict=True)
        if n
    ]
    signs = [1 if n > 0 else -1 for n in record["reach_dice"] if n]
    if dice:
        base = int(record["given_reach"])
        reaches = {
            max(base + sum(s * v for s, v in zip(signs, roll, strict=True)) * LENGTH_DIGITS, 0)
            for roll in product(*dice)
        }
    else:
        reaches = {charge_reach(view, new_dice(Mode.ENUMERATE)[0], c)}
    found: set[int] = set()
    for reach in reaches:
        found |= {reach, reach // 2}
        if record["straight"] == st.FAR:
            found |= {reach - flight * LENGTH_DIGITS for flight in range(1, 49)}
    if record["straight"] == st.FAR:
        weapon = int(target["missile_range"])
        move = flyer_move(view) if flies(charger) else int(charger["move"])
        found |= {weapon // 2, weapon, int(target["double_within"]), weapon + move}
        found.add(stop_distance(view) + move)
    return sorted(length for length in found if length > 0)


def names_of(values: Iterable[int], kind: Any) -> list[str]:
    """Lower-case names of enumeration values."""
    return [kind(int(v)).name.lower() for v in values]
