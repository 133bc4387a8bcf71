"""Dice, units, unit strength, Leadership and flights of the naive `wh6` twin."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

SPANISH = {
    "WS": "HA",
    "BS": "HP",
    "S": "F",
    "T": "R",
    "W": "H",
    "Ld": "L",
}

DEFAULT_SWITCHES: dict[str, Any] = {
    "charger_test": "after_reaction",
    "ss_on_failed": "always",
    "panic_engaged": True,
    "s7_regen": False,
    "redirect_test": "none",
    "redirect_ss": "allowed",
    "frenzy_move": "compulsory",
    "immune_cancels_native": True,
    "impact_targets": "rank_and_file",
    "insane_courage": False,
    "flank_rear_stack": True,
    "war_machine_us": "crew",
}

CHARIOTS = ("chariot", "light_chariot")

# --------------------------------------------------------------------------------------------
# Dice
# --------------------------------------------------------------------------------------------


def roll_die(rng: random.Random) -> int:
    """Roll one six-sided die."""
    return rng.randint(1, 6)


def roll_dice(count: int, rng: random.Random) -> int:
    """Roll `count` six-sided dice one by one and add them."""
    total = 0
    for _ in range(count):
        total += roll_die(rng)
    return total


def roll_expression(text: str, rng: random.Random) -> float:
    """Roll an expression such as ``36+1D6+2`` or ``1D3``; a D3 is half a D6, rounded up."""
    compact = text.replace(" ", "")
    term = re.compile(r"([+-]?)(?:(\d*)[dD]([36])|(\d+(?:\.\d+)?))")
    total = 0.0
    place = 0
    while place < len(compact):
        found = term.match(compact, place)
        if found is None:
            raise ValueError(f"cannot read the dice expression {text!r}")
        sign = -1 if found.group(1) == "-" else 1
        if found.group(3) is None:
            total += sign * float(found.group(4))
        else:
            for _ in range(int(found.group(2) or "1")):
                die = roll_die(rng)
                total += sign * (die if found.group(3) == "6" else (die + 1) // 2)
        place = found.end()
    return total


def hundredths(length: float) -> int:
    """Turn a length of the file into whole hundredths."""
    return round(length * 100)


# --------------------------------------------------------------------------------------------
# Units
# --------------------------------------------------------------------------------------------


def stat(profile: dict[str, Any], name: str) -> int | None:
    """Look up a characteristic under its English or its Spanish name."""
    value: int | None = profile.get(name)
    if value is None:
        value = profile.get(SPANISH.get(name, name))
    return value


def roll_needed(text: str | int | None) -> int:
    """Read a save such as ``"4+"``; no save at all counts as 7."""
    if text is None:
        return 7
    return int(str(text).strip().rstrip("+"))


@dataclass(eq=False)
class Unit:
    """One unit of the scenario, and what has happened to it in this trial."""

    raw: dict[str, Any]
    name: str
    inch: bool
    start_models: int
    wounds_each: int
    wounds_left: int
    rules: frozenset[str]
    troop: str
    state: str
    engaged: bool
    terror_tested: bool
    flees: bool = False  # must flee in this phase, and is not yet moved
    fled: bool = False  # has fled in this phase
    panic_tested: bool = False  # in this phase
    frenzy_lost: bool = False
    flee_distance: int | None = None  # in the charge phase or from panic
    flight_from_charge: int | None = None
    fears: set[str] = field(default_factory=set)  # chargers that it hits only on sixes
    shot_to_pieces: bool = False

    @property
    def models_left(self) -> int:
        """Models still there, wounds being gathered on one model at a time."""
        return -(-self.wounds_left // self.wounds_each)

    @property
    def gone(self) -> bool:
        """No longer on the table."""
        return self.state in ("destroyed", "fled_off_table")

    def has(self, rule: str) -> bool:
        """Tell whether the unit has the rule; Frenzy may have been lost (WH6-FRENZ-05)."""
        return rule in self.rules and not (rule == "frenzy" and self.frenzy_lost)

    def destroy(self) -> None:
        """Take the whole unit away."""
        self.wounds_left = 0
        self.state = "destroyed"

    def lose_wounds(self, wounds: int) -> int:
        """Take wounds from the unit, no more than it has; tell how many."""
        lost = min(wounds, self.wounds_left)
        self.wounds_left -= lost
        return lost


def read_unit(scenario: dict[str, Any], name: str) -> Unit:
    """Read one unit of the scenario."""
    raw = scenario["unit"][name]
    wounds = stat(raw, "W") or 1
    state = "steady"
    if raw.get("engaged"):
        state = "fighting"
    if raw.get("fleeing"):
        state = "fleeing"
    return Unit(
        raw=raw,
        name=name,
        inch=scenario.get("units", "cm") == "inch",
        start_models=raw["models"],
        wounds_each=wounds,
        wounds_left=raw["models"] * wounds,
        rules=frozenset(raw.get("rules", [])),
        troop=raw.get("troop", "infantry"),
        state=state,
        engaged=state == "fighting",
        terror_tested=bool(raw.get("terror_tested", False)),
    )


def crew_profile(unit: Unit) -> dict[str, Any]:
    """Return the crew's profile of a chariot, empty for all others."""
    crew: dict[str, Any] = unit.raw.get("chariot", {}).get("crew", {})
    return crew


def own_or_crew(unit: Unit, name: str) -> int:
    """WH6-CHAR-07, WH6-LD-03: what the chariot's own line leaves blank is its crew's."""
    value = stat(unit.raw, name)
    if value is None:
        value = stat(crew_profile(unit), name)
    if value is None:
        raise ValueError(f"unit {unit.name} has no {name}")
    return value


def weapon_skill(unit: Unit) -> int:
    """WH6-CC-02, CHAR-04, CHAR-07: of what is struck at, a chariot's being its crew's."""
    crew = stat(crew_profile(unit), "WS") if is_chariot(unit) else None
    return own_or_crew(unit, "WS") if crew is None else crew


def front_width(unit: Unit) -> int:
    """Models in the front rank now: casualties are lifted from the rear (WH6-CC-06)."""
    width: int = unit.raw.get("width", min(unit.start_models, 5))
    return min(width, unit.models_left)


def base_front(unit: Unit) -> int:
    """Front of one base in millimetres, by default from the kind of troop."""
    if "base" in unit.raw:
        return int(unit.raw["base"])
    if unit.troop in ("infantry", "war_machine"):
        return 20
    if unit.troop in ("cavalry", "flyer"):
        return 25
    if unit.troop in ("ogre", "swarm"):
        return 40
    return 50


def is_flyer(unit: Unit) -> bool:
    """Contract: the troop implies the rule; the rule alone makes other troops move so."""
    return unit.troop == "flyer" or unit.has("flyer")


def is_on_foot(unit: Unit) -> bool:
    """WH6-WPN, SAVE-02: for what weapons and shields do on foot; ogres go on foot."""
    return unit.troop in ("infantry", "ogre")


def is_chariot(unit: Unit) -> bool:
    """Tell whether the unit consists of chariots."""
    return unit.troop in CHARIOTS


def is_immune(unit: Unit) -> bool:
    """WH6-IMM-01, FRENZ-07, UNBR-01, ARMY-01, ARMY-02: immune to psychology."""
    return (
        unit.has("immune_to_psychology")
        or unit.has("frenzy")
        or unit.has("unbreakable")
        or unit.has("undead")
        or unit.has("daemon")
    )


def causes_terror(unit: Unit) -> bool:
    """WH6-TERR: the unit causes terror."""
    return unit.has("terror")


def causes_fear(unit: Unit) -> bool:
    """WH6-TERR-01, ARMY-01, ARMY-02: terror, undeath and being a daemon bring fear with them."""
    return unit.has("fear") or unit.has("terror") or unit.has("undead") or unit.has("daemon")


def unit_strength(unit: Unit, switches: dict[str, Any]) -> int:
    """WH6-US: unit strength of the whole unit as it stands."""
    models = unit.models_left
    if models == 0:
        return 0
    if "unit_strength" in unit.raw:
        return int(unit.raw["unit_strength"]) * models
    if unit.troop == "war_machine":
        return 3 if switches["war_machine_us"] == "fixed3" else models
    if unit.troop == "cavalry":
        return 2 * models
    if unit.troop in ("ogre", "swarm"):
        return 3 * models
    if unit.troop == "monster":
        return unit.wounds_each * models
    if unit.troop == "ridden_monster":
        return (unit.wounds_each + 1) * models
    if unit.troop == "chariot":
        return 4 * models
    if unit.troop == "light_chariot":
        return 3 * models
    return models


# --------------------------------------------------------------------------------------------
# Leadership
# --------------------------------------------------------------------------------------------


def rank_bonus(unit: Unit) -> int:
    """WH6-CR-02: ranks of at least four models behind the first of a front at least four wide."""
    if unit.has("skirmishers") or unit.has("fast_cavalry"):
        return 0
    if unit.has("bretonnian_lance"):  # WH6-ARMY-04: complete ranks of three
        return min(3, max(0, unit.models_left // 3 - 1))
    width = front_width(unit)
    if width < 4:
        return 0
    behind = unit.models_left - width
    bonus = 0
    while behind >= 4 and bonus < 3:
        bonus += 1
        behind -= width
    return bonus


def with_ranks(unit: Unit, value: int) -> int:
    """WH6-ARMY-07, LD-02: skaven add their ranks unless they flee; never above 10."""
    if unit.has("skaven") and unit.state != "fleeing":
        value += rank_bonus(unit)
    return min(value, 10)


def own_leadership(unit: Unit) -> int:
    """WH6-LD-03: the unit's own Leadership, a chariot's being its crew's."""
    return with_ranks(unit, own_or_crew(unit, "Ld"))


def leadership(unit: Unit) -> int:
    """WH6-LD-02: the Leadership that the unit tests on, its own or a General's."""
    return with_ranks(unit, max(own_or_crew(unit, "Ld"), unit.raw.get("general_ld", 0)))


def roll_leadership_dice(unit: Unit, rng: random.Random) -> list[int]:
    """WH6-LD-01 two dice; WH6-ARMY-03 cold-blooded: three dice, the highest left out."""
    dice = [roll_die(rng), roll_die(rng)]
    if unit.has("cold_blooded"):
        dice.append(roll_die(rng))
        dice.remove(max(dice))
    return dice


def roll_leadership(unit: Unit, rng: random.Random) -> int:
    """Roll the dice of a Leadership test and add them."""
    return sum(roll_leadership_dice(unit, rng))


def passes_test(unit: Unit, rng: random.Random) -> bool:
    """WH6-LD-01: pass on a roll of at most the Leadership; no automatic results."""
    return roll_leadership(unit, rng) <= leadership(unit)


def rallies(unit: Unit, rng: random.Random) -> bool:
    """WH6-RALLY-01: the rally test, a musician adding one to the Leadership."""
    target_number = leadership(unit)
    if unit.raw.get("musician", False):
        target_number = min(target_number + 1, 10)
    return roll_leadership(unit, rng) <= target_number


def kind_of_test(tester: Unit, causer: Unit) -> str | None:
    """WH6-TERR-03, TERR-05: the test that `causer` forces on `tester`: terror, fear or none."""
    if tester.state == "fleeing" or causer.state == "fleeing" or is_immune(tester):
        return None
    if causes_terror(tester):
        return None
    if causes_terror(causer):
        if causes_fear(tester) or tester.terror_tested:
            return "fear"
        return "terror"
    if causes_fear(causer) and not causes_fear(tester):
        return "fear"
    return None


# --------------------------------------------------------------------------------------------
# Flights
# --------------------------------------------------------------------------------------------


def roll_speed_dice(unit: Unit, rng: random.Random) -> int:
    """WH6-UNIT-03, UNIT-04: the dice of a flight or a pursuit, by the unit's own M."""
    slow_limit = 6 if unit.inch else 15
    fast = unit.raw["M"] > slow_limit or is_flyer(unit)
    slow_dice, fast_dice = (2, 3) if unit.inch else (5, 8)
    return roll_dice(fast_dice if fast else slow_dice, rng)


def short_legs(unit: Unit) -> int:
    """WH6-FLEE-01, ARMY-06: what dwarf legs take from flight and pursuit."""
    if not unit.has("dwarf_legs"):
        return 0
    return 1 if unit.inch else 2


def roll_flight(unit: Unit, rng: random.Random) -> int:
    """WH6-FLEE-01, ARMY-06, ARMY-07: length of one flight."""
    length = roll_speed_dice(unit, rng) - short_legs(unit)
    if unit.has("skaven"):
        length += 1 if unit.inch else 3
    return length


def roll_pursuit(unit: Unit, rng: random.Random) -> int:
    """WH6-PURS-02, ARMY-06: length of one pursuit; skaven are no faster in it."""
    return roll_speed_dice(unit, rng) - short_legs(unit)


def flee_from_charges(unit: Unit, rng: random.Random) -> int:
    """WH6-FLEE-13, PANIC-07: a flight of the charge phase or from panic; it is reported."""
    length = roll_flight(unit, rng)
    unit.flee_distance = length
    unit.state = "fleeing"
    unit.flees = False
    unit.fled = True
    return length
