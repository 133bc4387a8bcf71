"""What a hex_increment scenario file may say; pydantic reports every fault of form.

What must fit together stands in :mod:`.legality`, where a charge can go in :mod:`.plan`, the game
record in :mod:`.setup`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from chargesim.faults import Fault, nearest, shown
from chargesim.rulesets import values
from chargesim.rulesets.hex_increment import state as st
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.values import (
    LIST,
    PLAIN,
    TABLE,
    Flag,
    Goals,
    Number,
    Points,
    Section,
    decimals,
    forms,
    number,
    whole,
)

MOST_BYTES = 1_000_000
MOST_COORDINATE = 200


def _hex(value: Any) -> Any:
    if (
        not isinstance(value, (list, tuple))
        or len(value) != 2
        or any(isinstance(x, bool) or not isinstance(x, int) for x in value)
        or any(abs(x) > MOST_COORDINATE for x in value)
    ):
        raise ValueError(f"{shown(value)} is no hex: write axial coordinates such as [3, -1]")
    return tuple(value)


def _span(value: Any) -> Any:
    low, high = _hex(value)
    if low > high:
        raise ValueError(f"{shown(value)} runs backwards: write the least first")
    return low, high


def _halves(value: Any) -> Any:
    number(value)
    if value * 2 != int(value * 2) or not 0.5 <= value <= 10:
        raise ValueError(f"{value!r} is no cost: 0.5 to 10 in halves")
    return value


def _value(lo: float) -> Any:
    return Annotated[
        float,
        BeforeValidator(lambda value: decimals(number(value), 2, "melee values")),
        Field(ge=lo, le=st.MOST_VALUE / st.VALUE),
    ]


def _chance(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"{shown(value)} is neither true, false nor a chance: 0 to 1")
    return value


def _retreat(value: Any) -> Any:
    if value == "number":
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 15:
        raise ValueError(f'{shown(value)} is neither "number" nor a whole number from 0 to 15')
    return value


Hex = Annotated[tuple[int, int], BeforeValidator(_hex)]
Cost = Annotated[float, BeforeValidator(_halves)]
Facing = whole(0, 5)
Facings = Annotated[
    Annotated[Facing, PLAIN] | Annotated[tuple[Facing, ...], LIST],
    forms(LIST),
]
Span = Annotated[tuple[int, int], BeforeValidator(_span)]
KindName = Literal["cavalry", "infantry", "artillery", "leader"]
FormationName = Literal[tuple(f.name.lower() for f in st.Formation)]  # type: ignore[valid-type]  # from the enum
StateName = Literal["good", "disordered", "pgd"]
ReactionName = Literal["stand", "square", "retire", "best"]
AnyReaction = Literal[ReactionName, "square at 1", "square at 2", "square at 3", "square at 4"]
ChangeName = Literal["extend_left", "extend_right", "consolidate_left", "consolidate_right"]


class Switches(Section):
    """Where the source leaves something open: the assumption made, with its default."""

    morale_dice: Literal["d66", "2d6", "d10", "probability"] = "d66"
    auto_faces: Literal["none", "11_fails_66_passes"] = "none"
    zone_shape: Literal["wedge", "rays"] = "wedge"
    steps: Literal["front_only", "any_neighbour"] = "front_only"
    line_step_cost: Literal["max"] = "max"
    exp_check: Literal["after_step"] = "after_step"
    go_end_disorder: Flag = False
    prohibited_target: Literal["barred", "open"] = "barred"
    late_arrivals: Literal["ineligible", "eligible"] = "ineligible"
    declare_at_start_vs_cav: Flag = False
    miss_rule: Literal["all_missed", "any_missed"] = "all_missed"
    stranded: Literal["as_spent", "ends"] = "as_spent"
    disordered_may_charge: Flag = True
    turn_possible: Literal["front_hex"] = "front_hex"
    split_hex: Literal["choose", "half"] = "choose"
    fraction: Literal["keep", "floor"] = "keep"
    line_modifiers: Literal["after_share", "before_share"] = "after_share"
    line_two_disorders: Literal["worst", "rout"] = "worst"
    ds_counts_as_retreat: Flag = True
    pursue_then_disorder: Flag = True
    advance_into: Literal["target_hexes", "one_hex"] = "target_hexes"
    column_targets: Literal["1"] = "1"
    dd0_stops: Flag = False
    column_pursuit: Literal["must", "may"] = "must"
    square_divisor: whole(1, 12) = 3  # type: ignore[valid-type]
    pgd_retreat: Annotated[Literal["number"] | int, BeforeValidator(_retreat)] = "number"
    bounce_effect: Literal["label_only"] = "label_only"
    loss_check_fails: Literal["disordered", "nothing"] = "disordered"


SWITCH_RULES = {
    "morale_dice": "HEX-EXP-02",
    "auto_faces": "HEX-EXP-02",
    "zone_shape": "HEX-ZONE-01",
    "steps": "HEX-ZONE-05",
    "line_step_cost": "HEX-ZONE-05",
    "exp_check": "HEX-EXP-02",
    "go_end_disorder": "HEX-TERR-03",
    "prohibited_target": "HEX-TERR-05",
    "late_arrivals": "HEX-TGT-01",
    "declare_at_start_vs_cav": "HEX-TGT-05",
    "miss_rule": "HEX-TGT-07",
    "stranded": "HEX-TGT-07",
    "disordered_may_charge": "HEX-FORM-01",
    "turn_possible": "HEX-FORM-03",
    "split_hex": "HEX-LINE-08",
    "fraction": "HEX-LINE-08",
    "line_modifiers": "HEX-LINE-09",
    "line_two_disorders": "HEX-LINE-11",
    "ds_counts_as_retreat": "HEX-LINE-13",
    "pursue_then_disorder": "HEX-LINE-14",
    "advance_into": "HEX-LINE-15",
    "column_targets": "HEX-COL-01",
    "dd0_stops": "HEX-COL-05",
    "column_pursuit": "HEX-COL-12",
    "square_divisor": "HEX-SEQ-03",
    "pgd_retreat": "HEX-SEQ-07",
    "bounce_effect": "HEX-SEQ-08",
    "loss_check_fails": "HEX-SEQ-09",
}
"""Rule that each switch belongs to."""


def switch_rows() -> list[tuple[str, str, str, str]]:
    """Switches of the ruleset: name, values, default, rule id."""
    written = {"square_divisor": "1 to 12", "pgd_retreat": "number, 0 to 15"}
    return values.switch_rows(Switches.model_fields, SWITCH_RULES, written)


class Terrain(Section):
    """Ground of a hex."""

    cost: Cost = 1.0
    general_order: Flag = False
    prohibited: Flag = False
    blocks_sight: Flag = False
    shelter: Flag = False


class Extent(Section):
    """Least and greatest coordinates of the map, inclusive."""

    q: Span
    r: Span


class Map(Section):
    """The map: its extent, kinds of terrain, and which hexes have which."""

    extent: Extent
    default: str = "open"
    terrain: dict[str, Terrain] = {}
    hexes: dict[str, tuple[Hex, ...]] = {}


class Unit(Section):
    """A unit, or a stack of units that is charged as one."""

    side: Literal["active", "reactive"]
    kind: KindName = "cavalry"
    formation: FormationName = "line"
    facing: Facings | None = None
    hexes: Annotated[tuple[Hex, ...], Field(min_length=1, max_length=st.HEXES)]
    increments: whole(1, st.MOST_INCREMENTS) = 1  # type: ignore[valid-type]
    melee: _value(0.01)  # type: ignore[valid-type]
    morale: Number
    state: StateName = "good"
    troop_class: str = ""
    leader: Flag = False
    square: tuple[str, ...] = ()
    stand: tuple[str, ...] = ()
    stand_modifier: whole(-36, 36) = 0  # type: ignore[valid-type]
    passed_targets: tuple[str, ...] = ()
    can_retire: Annotated[bool | float, BeforeValidator(_chance)] | None = None
    retire_to: Hex | None = None
    defensive_fire: tuple[Number, ...] | None = None
    opportunity_fire: tuple[Number, ...] | None = None
    late: Flag = False
    points: Points | None = None  # type: ignore[valid-type]


class Charge(Section):
    """A charge: who, by which way, and whom it names when it has to."""

    charger: str
    kind: Literal["normal", "reaction", "opportunity", "grand"] = "normal"
    targets: Annotated[tuple[str, ...], Field(max_length=8)] = ()
    path: tuple[Hex, ...] | None = None
    changes: Annotated[tuple[ChangeName, ...], Field(max_length=st.CHANGES)] = ()
    modifier: _value(-1000.0) = 0.0  # type: ignore[valid-type]
    give: dict[str, str] = {}
    recall: Flag = False
    pursue: Flag = True


class AtDistance(Section):
    """A reaction and the distance at which it is tried."""

    do: ReactionName
    at: whole(1, 4) | None = None  # type: ignore[valid-type]


Reaction = Annotated[
    Annotated[AnyReaction, PLAIN] | Annotated[AtDistance, TABLE],
    forms(TABLE),
]


class Model(Section):
    """A whole scenario of ruleset hex_increment."""

    ruleset: Literal["hex_increment"]
    title: str = ""
    switches: Switches = Switches()
    map: Map
    unit: dict[str, Unit]
    charge: tuple[Charge, ...] = ()
    reaction: dict[str, Reaction] = {}
    goal: Goals = Goals()
    tables: Annotated[
        dict[str, dict[str, Any]],
        Field(json_schema_extra={"additionalProperties": {"type": ["object", "string"]}}),
    ] = {}

    def wish(self, name: str) -> tuple[str, int | None]:
        """Reaction asked of a stack, and its distance."""
        given = self.reaction.get(name, "stand")
        if isinstance(given, AtDistance):
            return given.do, given.at
        do, _, at = given.partition(" at ")
        return do, int(at) if at else None

    def wish_path(self, name: str) -> str:
        """Path of the distance that a stack's reaction names."""
        return f"reaction.{name}" + (".at" if isinstance(self.reaction[name], AtDistance) else "")


@cache
def _shipped(name: str) -> dict[str, Any]:
    """A shipped table in its one form, not to be changed; whoever asks again gets the same."""
    file = resources.files("chargesim.rulesets.hex_increment").joinpath(
        "illustrative", f"{name}.toml"
    )
    return tables.read(name, tomllib.loads(file.read_text(encoding="utf-8")))[0]


def _content(name: str, given: Any, base: Path, faults: list[Fault]) -> dict[str, Any] | None:
    """Tables of a named file, or given in place."""
    path = f"tables.{name}"
    if isinstance(given, dict):
        return given
    if not isinstance(given, str):
        faults.append(Fault(path, f'{shown(given)} is no file name: write {name} = "{name}.toml"'))
        return None
    file = base / given
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            faults.append(Fault(path, f"{given}: is too large: at most {MOST_BYTES:,} bytes"))
            return None
        return tomllib.loads(data.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or error
        faults.append(Fault(path, f"{given}: cannot be read ({why}): give a TOML file"))
        return None


def prepare(data: dict[str, Any], base: Path) -> tuple[dict[str, Any], list[Fault]]:
    """Bring a file's words into the model's form: tables are read and checked, one target listed.

    Parameters
    ----------
    data
        The tables of the file; not changed.
    base
        Folder that the files of tables are relative to.

    Returns
    -------
    tuple
        The tables with every table of numbers in place, and the faults found.
    """
    faults: list[Fault] = []
    data = dict(data)
    given = data.get("tables", {})
    if not isinstance(given, dict):
        faults.append(Fault("tables", f'{shown(given)} is no table: write melee = "melee.toml"'))
        given = {}
    for name in given:
        if name not in tables.NAMES:
            faults.append(Fault(f"tables.{name}", "unknown key" + nearest(str(name), tables.NAMES)))
    whole: dict[str, Any] = {}
    for name in tables.NAMES:
        source = given.get(name)
        content = None if source is None else _content(name, source, base, faults)
        if content is None:
            whole[name] = _shipped(name)
            continue
        table, wrong = tables.read(name, content)
        said = f"{source}: " if isinstance(source, str) else ""
        faults += [Fault(f"tables.{name}", said + text) for text in wrong]
        # with a fault in it, the shipped one stands in while the rest is checked
        whole[name] = _shipped(name) if wrong else table
    data["tables"] = whole
    charges = data.get("charge")
    if isinstance(charges, list):
        data["charge"] = [
            _prepare_charge(i, one, faults) if isinstance(one, dict) else one
            for i, one in enumerate(charges)
        ]
    return data, faults


def _prepare_charge(i: int, charge: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    charge = dict(charge)
    if "target" in charge:
        target = charge.pop("target")
        if "targets" in charge:
            faults.append(
                Fault(f"charge.{i}.target", "stands beside targets: write one of the two")
            )
        else:
            charge["targets"] = [target]
    return charge
