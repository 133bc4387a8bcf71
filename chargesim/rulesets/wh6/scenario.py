"""What a wh6 scenario file may say; pydantic reports every fault of form.

What must fit together stands in :mod:`.legality`, the game record in :mod:`.setup`. The rules are
in neither: what the rules replace (a reaction that may not be taken) is no fault.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, model_validator

from chargesim.faults import shown
from chargesim.rulesets import values
from chargesim.rulesets.values import (
    PLAIN,
    TABLE,
    Flag,
    Goals,
    Points,
    Section,
    between,
    decimals,
    flag_or,
    forms,
    number,
    whole,
)
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.weapons import MISSILES, WEAPONS

LENGTH_DIGITS = st.LENGTH
SPANISH = {"HA": "WS", "HP": "BS", "F": "S", "R": "T", "H": "W", "L": "Ld"}
"""Spanish names of the statistics whose names differ; M, I and A are the same."""


def _two_decimals(value: float) -> float:
    return decimals(value, 2, "lengths")


def _length(above: float = 0.0) -> Any:
    return Annotated[between(above, st.MOST_LENGTH / LENGTH_DIGITS), AfterValidator(_two_decimals)]


Length = _length()
Positive = _length(0.01)
Skill = whole(0, 10)
Strong = whole(1, 10)


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
    return _two_decimals(_reachable(number(value)))


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
TroopName = Literal[tuple(t.name.lower() for t in st.Troop)]  # type: ignore[valid-type]  # from the enum
MissileName = Literal[tuple(MISSILES)]  # type: ignore[valid-type]  # from the table
WeaponName = Literal[WEAPONS]
ReactionName = Literal["hold", "stand_and_shoot", "flee", "best"]


class Switches(Section):
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
    return values.switch_rows(fields, SWITCH_RULES)


class MissileTable(Section):
    """A missile weapon described by the user."""

    range: Positive
    S: Strong
    armour_piercing: Flag = False
    shots: whole(1, 10) = 1  # type: ignore[valid-type]
    thrown: Flag = False
    rules: tuple[Literal["poison", "killing_blow"], ...] = ()


class Steed(Section):
    """Steeds that fight."""

    WS: Skill
    S: Strong
    I: Skill  # noqa: E741  # the game's own name
    A: Skill


class Crew(Section):
    """Crew of a chariot."""

    count: whole(1, 10)  # type: ignore[valid-type]
    WS: Skill
    BS: Skill = 0
    S: Strong
    I: Skill  # noqa: E741
    A: Skill
    Ld: Strong


class Beasts(Section):
    """Beasts that draw a chariot."""

    count: whole(1, 10)  # type: ignore[valid-type]
    WS: Skill
    S: Strong
    I: Skill  # noqa: E741
    A: Skill


class ChariotTable(Section):
    """What makes a unit of chariots."""

    impact_hits: Impact | None = None
    crew: Crew | None = None
    beasts: Beasts | None = None


Missile = Annotated[
    Annotated[MissileName, PLAIN] | Annotated[MissileTable, TABLE],
    forms(TABLE),
]

_BASES = {
    "infantry": 20, "war_machine": 20, "cavalry": 25, "flyer": 25, "ogre": 40, "swarm": 40,
    "monster": 50, "ridden_monster": 50, "chariot": 50, "light_chariot": 50,
}  # fmt: skip
_STRENGTHS = {
    "infantry": 1, "cavalry": 2, "ogre": 3, "swarm": 3, "chariot": 4, "light_chariot": 3,
    "war_machine": 1, "flyer": 1,
}  # fmt: skip
CHARIOTS = ("chariot", "light_chariot")


class Estimate(Section):
    """A distance judged by eye: a normal, cut off at 0."""

    mean: Positive
    sd: Positive


Distance = Annotated[
    Annotated[Positive, PLAIN] | Annotated[Estimate, TABLE],
    forms(TABLE),
]


RedirectChoice = Literal["first", "never", "best"]


class _Way(Section):
    """What lies between a charger and a target."""

    target: str
    distance: Positive
    gap: Positive | None = None
    arc: Literal["front", "flank", "rear"] = "front"
    cover: Literal["none", "soft", "hard"] = "none"
    terrain: Literal["open", "difficult", "obstacle", "defended"] = "open"
    high_ground: Literal["charger", "target"] | None = None
    edge: Length | None = None


class Redirect(_Way):
    """Where a charge may be redirected when its target has fled."""


class Compelled(_Way):
    """An enemy in sight of a unit that Frenzy may compel to charge."""

    blocked_by: tuple[str, ...] = ()
    redirect: tuple[Redirect, ...] = ()
    redirect_choice: RedirectChoice = "first"


class Charge(_Way):
    """A declared charge."""

    ALONE = frozenset({"distance", "gap", "cover", "high_ground", "edge", "reach"})

    charger: str
    distance: Distance
    reach: Reach | None = None
    blocked_by: tuple[str, ...] = ()
    redirect: tuple[Redirect, ...] = ()
    redirect_choice: RedirectChoice = "first"


class Neighbour(Section):
    """A friend near by, and how far away it is."""

    unit: str
    distance: Length


def _in_spanish_too(schema: dict[str, Any]) -> None:
    """Let the schema of a unit take the Spanish names of its statistics as well."""
    known = schema["properties"]
    known |= {theirs: known[mine] for theirs, mine in SPANISH.items()}
    needed = {t: mine for t, mine in SPANISH.items() if mine in schema["required"]}
    schema["required"] = [key for key in schema["required"] if key not in needed.values()]
    schema["anyOf"] = [{"required": list(needed.values())}, {"required": list(needed)}]


class Unit(Section):
    """A unit: numbers, profile, equipment and rules."""

    model_config = ConfigDict(json_schema_extra=_in_spanish_too)
    ALONE = frozenset(
        {
            "WS", "BS", "S", "T", "W", "I", "A", "Ld", "save", "ward", "regeneration", "points",
            "weapon", "shield", "missile", "shooters", "general_ld", "battle_standard",
            "combat_bonus", "standard", "musician", "champion", "mount", "restrain", "chariot",
        }
    )  # fmt: skip

    side: Literal["active", "reactive"]
    models: whole(1, 500)  # type: ignore[valid-type]
    width: whole(1, 500) | None = None  # type: ignore[valid-type]
    base: whole(10, 300) | None = None  # type: ignore[valid-type]
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
    unit_strength: whole(1, 20) | None = None  # type: ignore[valid-type]
    points: Points | None = None  # type: ignore[valid-type]
    weapon: WeaponName = "hand_weapon"
    shield: Flag = False
    missile: Missile | None = None
    shooters: whole(0, 500) | None = None  # type: ignore[valid-type]
    rules: tuple[RuleName, ...] = ()
    general_ld: Strong | None = None
    battle_standard: Flag = False
    combat_bonus: whole(0, 20) = 0  # type: ignore[valid-type]
    standard: Flag = False
    musician: Flag = False
    champion: Flag = False
    mount: Steed | None = None
    terror_tested: Flag = False
    engaged: Annotated[Flag | str, BeforeValidator(_engagement)] = False
    fleeing: Flag = False
    restrain: Annotated[bool | Literal["best"], flag_or("best")] = False
    neighbours: tuple[Neighbour, ...] = ()
    may_reach: tuple[Compelled, ...] = ()
    chariot: ChariotTable | None = None

    @model_validator(mode="after")
    def _derive(self) -> Unit:
        """Write derived defaults into the model, so that they show and are hashed."""

        def default(name: str, value: Any) -> None:
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

        default("width", min(self.models, 5))
        default("base", _BASES[self.troop])
        if self.troop in CHARIOTS:
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


class Aimed(Section):
    """A reaction with the charger it is aimed at."""

    do: ReactionName
    at: str | None = None


Reaction = Annotated[
    Annotated[ReactionName, PLAIN] | Annotated[Aimed, TABLE],
    forms(TABLE),
]


class Model(Section):
    """A whole scenario of ruleset wh6."""

    ruleset: Literal["wh6"]
    title: str = ""
    units: Literal["cm", "inch"] = "cm"
    switches: Switches = Switches()
    unit: dict[str, Unit]
    charge: tuple[Charge, ...] = ()
    reaction: dict[str, Reaction] = {}
    goal: Goals = Goals()

    def joined(self) -> Self:
        """Let whoever is named as a unit's opponent fight it too, where its own table is silent."""
        named: dict[str, list[str]] = {}
        for name, unit in self.unit.items():
            foe = self.unit.get(unit.engaged) if isinstance(unit.engaged, str) else None
            if foe is not None and foe.side != unit.side and not foe.fleeing:
                named.setdefault(str(unit.engaged), []).append(name)
        for name, by in named.items():
            if isinstance(self.unit[name].engaged, bool):
                # a copy: the unit may be a part of other models
                fights = {"engaged": by[0] if len(by) == 1 else True}
                self.unit[name] = self.unit[name].model_copy(update=fights)
        return self

    @model_validator(mode="after")
    def _join(self) -> Self:
        return self.joined()
