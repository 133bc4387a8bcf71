"""A naive twin of the `wh6` charge: plain Python, one die at a time.

One charger charges one target under Warhammer 6th edition, from the declaration to contact and
impact hits. Written from the rules specification alone and kept free of everything clever, so that
its readings and its faults are its own: nothing of the package under test is imported, no
probability is tabulated, every die is really rolled.

The order of play is that of the Spanish source text S000: 1 declaration, 2 reaction, 4 reach,
5 tests, 6 flights of the reactive side, 8 stand and shoot; then rally, compulsory moves and the
charge move. Lengths are held in hundredths of the scenario's unit; a distance estimated by eye is a
continuous draw and is not rounded.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
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
    "impact_targets": "rank_and_file",
    "war_machine_us": "fixed3",
}

CHARIOTS = ("chariot", "light_chariot")

# WH6-MW: range in inches, range in centimetres, strength ("user" or a number), added strength,
# armour piercing, number of shots, thrown.
MISSILES: dict[str, tuple[int, int, int | str, int, bool, int, bool]] = {
    "short_bow": (16, 40, 3, 0, False, 1, False),
    "bow": (24, 60, 3, 0, False, 1, False),
    "long_bow": (30, 75, 3, 0, False, 1, False),
    "crossbow": (30, 75, 4, 0, False, 1, False),
    "repeater_crossbow": (24, 60, 3, 0, False, 2, False),
    "handgun": (24, 60, 4, 0, True, 1, False),
    "pistol": (8, 20, 4, 0, True, 1, False),
    "sling": (18, 45, 3, 0, False, 1, False),
    "javelin": (8, 20, "user", 0, False, 1, True),
    "throwing_axe": (6, 15, "user", 1, False, 1, True),
    "throwing_knife": (6, 15, "user", 0, False, 1, True),
}

TWO_HANDED = ("great_weapon", "flail", "halberd", "pike")


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


@dataclass
class Missile:
    """A missile weapon as it is used in this scenario (range in hundredths)."""

    name: str
    range: int
    strength: int
    armour_piercing: bool
    shots: int
    thrown: bool
    rules: tuple[str, ...]


@dataclass
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

    @property
    def models_left(self) -> int:
        """Models still there, wounds being gathered on one model at a time."""
        return -(-self.wounds_left // self.wounds_each)

    def has(self, rule: str) -> bool:
        """Tell whether the unit has the rule."""
        return rule in self.rules


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
    width = front_width(unit)
    if width < 4:
        return 0
    behind = unit.models_left - width
    bonus = 0
    while behind >= 4 and bonus < 3:
        bonus += 1
        behind -= width
    return bonus


def leadership(unit: Unit) -> int:
    """WH6-LD-02, LD-03, ARMY-07: the Leadership that the unit tests on, never above 10."""
    value: int = max(own_or_crew(unit, "Ld"), unit.raw.get("general_ld", 0))
    if unit.has("skaven") and unit.state != "fleeing":
        value += rank_bonus(unit)
    return min(value, 10)


def roll_leadership(unit: Unit, rng: random.Random) -> int:
    """WH6-LD-01 two dice; WH6-ARMY-03 cold-blooded: three dice, the highest left out."""
    if unit.has("cold_blooded"):
        dice = [roll_die(rng), roll_die(rng), roll_die(rng)]
        dice.remove(max(dice))
        return sum(dice)
    return roll_die(rng) + roll_die(rng)


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
        if causes_fear(tester) or tester.raw.get("terror_tested", False):
            return "fear"
        return "terror"
    if causes_fear(causer) and not causes_fear(tester):
        return "fear"
    return None


# --------------------------------------------------------------------------------------------
# One trial
# --------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """All that is known in one trial."""

    scenario: dict[str, Any]
    charge: dict[str, Any]
    switches: dict[str, Any]
    charger: Unit
    target: Unit
    inch: bool
    charger_strength: int
    target_strength: int
    distance: float = 0.0
    gap: float = 0.0
    reach: float = 0.0
    reaction: str = "hold"
    target_flees: bool = False
    target_failed_fear: bool = False
    charger_refused: bool = False
    charger_fled_terror: bool = False
    charger_fled_panic: bool = False
    shooting_casualties: int = 0
    flee_distance: int | None = None
    charger_flee_distance: int | None = None
    impact_hits: int = 0
    impact_wounds: int = 0
    word: str = ""

    @property
    def in_reach(self) -> bool:
        """Step 4: the charge is long enough."""
        return self.distance <= self.reach

    @property
    def charger_failed(self) -> bool:
        """The charger failed a Fear or Terror test of its own: there is no charge."""
        return self.charger_refused or self.charger_fled_terror


def set_up(scenario: dict[str, Any]) -> Trial:
    """Read the scenario; unit strengths are counted before any shooting."""
    charge = scenario["charge"][0]
    switches = {**DEFAULT_SWITCHES, **scenario.get("switches", {})}
    charger = read_unit(scenario, charge["charger"])
    target = read_unit(scenario, charge["target"])
    return Trial(
        scenario=scenario,
        charge=charge,
        switches=switches,
        charger=charger,
        target=target,
        inch=scenario.get("units", "cm") == "inch",
        charger_strength=unit_strength(charger, switches),
        target_strength=unit_strength(target, switches),
    )


# Step 2: the reaction


def declared_reaction(trial: Trial) -> str:
    """Read the declared reaction of the target."""
    declared = trial.scenario.get("reaction", {}).get(trial.target.name, "hold")
    if isinstance(declared, dict):
        declared = declared["do"]
    if declared not in ("hold", "stand_and_shoot", "flee"):
        raise ValueError(f"the naive twin cannot play the reaction {declared!r}")
    return str(declared)


def legal_reaction(trial: Trial) -> str:
    """WH6-CHG-10, SS-01, SS-03: the declared reaction, or what the rules put in its place."""
    target = trial.target
    if target.state == "fleeing":
        return "flee"
    if target.state == "fighting" or target.has("undead"):
        return "hold"
    declared = declared_reaction(trial)
    if declared == "flee" and is_immune(target):
        return "hold"
    if declared == "stand_and_shoot" and not can_shoot(trial):
        return "hold"
    return declared


def can_shoot(trial: Trial) -> bool:
    """WH6-SS-01, SS-03: armed, no war machine, and the charger is in sight."""
    target = trial.target
    if "missile" not in target.raw or target.troop == "war_machine":
        return False
    return trial.charge.get("arc", "front") == "front" or target.has("skirmishers")


def far_enough_to_shoot(trial: Trial) -> bool:
    """WH6-SS-01: strictly further away than half of the charge reach."""
    return 2 * trial.distance > trial.reach


# Step 4: measuring


def measure(trial: Trial, rng: random.Random) -> None:
    """WH6-SEQ-02 step 4: distance, gap and reach of this trial, in hundredths."""
    trial.distance = find_distance(trial.charge["distance"], rng)
    trial.gap = trial.distance
    if "gap" in trial.charge:
        trial.gap = hundredths(trial.charge["gap"])
    trial.reach = find_reach(trial, rng)


def find_distance(given: float | dict[str, float], rng: random.Random) -> float:
    """Take the given distance, or one estimated by eye: a normal draw, again while negative."""
    if not isinstance(given, dict):
        return hundredths(given)
    drawn = rng.gauss(given["mean"], given["sd"])
    while drawn < 0:
        drawn = rng.gauss(given["mean"], given["sd"])
    return drawn * 100


def find_reach(trial: Trial, rng: random.Random) -> float:
    """WH6-CHG-02, CHG-04: the reach given, rolled, or twice M; a flyer's single flight."""
    given = trial.charge.get("reach")
    if isinstance(given, str):
        return hundredths(roll_expression(given, rng))
    if given is not None:
        return hundredths(given)
    doubled = 2 * hundredths(trial.charger.raw["M"])
    if not is_flyer(trial.charger):
        return doubled
    if is_chariot(trial.charger):
        return max(doubled, flight_move(trial.charger))
    return flight_move(trial.charger)


def flight_move(unit: Unit) -> int:
    """WH6-UNIT-02: 20 inches or 50 centimetres on the wing, in hundredths."""
    return 2000 if unit.inch else 5000


# Step 5: tests


def take_tests(trial: Trial, rng: random.Random) -> None:
    """WH6-SEQ-02 step 5: panic, fear, the charger's fear, terror, the charger's terror."""
    test_target_panic(trial, rng)
    test_target_fear(trial, rng)
    if trial.switches["charger_test"] == "after_reaction":
        test_charger_fear(trial, rng)
    test_target_terror(trial, rng)
    if trial.switches["charger_test"] == "after_reaction":
        test_charger_terror(trial, rng)


def test_target_panic(trial: Trial, rng: random.Random) -> None:
    """WH6-PANIC-01c, PANIC-08: an engaged target charged in flank or rear by US 5 or more."""
    if trial.target.state != "fighting" or not trial.switches["panic_engaged"]:
        return
    if trial.charge.get("arc", "front") == "front" or trial.charger_strength < 5:
        return
    if is_immune(trial.target):
        return
    if not passes_test(trial.target, rng):
        trial.target_flees = True


def test_target_fear(trial: Trial, rng: random.Random) -> None:
    """WH6-FEAR-01: flee from the stronger charger, otherwise sixes to hit it."""
    if trial.target_flees or kind_of_test(trial.target, trial.charger) != "fear":
        return
    if passes_test(trial.target, rng):
        return
    if trial.charger_strength > trial.target_strength:
        trial.target_flees = True
    else:
        trial.target_failed_fear = True


def test_charger_fear(trial: Trial, rng: random.Random) -> None:
    """WH6-CHG-07, FEAR-03: a charger that fails stays where it is."""
    if kind_of_test(trial.charger, trial.target) != "fear":
        return
    if not passes_test(trial.charger, rng):
        trial.charger_refused = True


def test_target_terror(trial: Trial, rng: random.Random) -> None:
    """WH6-TERR-04: a target that fails flees, whatever the unit strengths."""
    if trial.target_flees or kind_of_test(trial.target, trial.charger) != "terror":
        return
    if not passes_test(trial.target, rng):
        trial.target_flees = True


def test_charger_terror(trial: Trial, rng: random.Random) -> None:
    """WH6-CHG-08: a charger that fails flees in the compulsory moves."""
    if kind_of_test(trial.charger, trial.target) != "terror":
        return
    if not passes_test(trial.charger, rng):
        trial.charger_fled_terror = True


# Step 6 and compulsory moves: flights


def roll_flight(unit: Unit, rng: random.Random) -> int:
    """WH6-UNIT-03, UNIT-04, FLEE-01, ARMY-06, ARMY-07: length of one flight."""
    slow_limit = 6 if unit.inch else 15
    fast = unit.raw["M"] > slow_limit or is_flyer(unit)
    slow_dice, fast_dice = (2, 3) if unit.inch else (5, 8)
    length = roll_dice(fast_dice if fast else slow_dice, rng)
    if unit.has("dwarf_legs"):
        length -= 1 if unit.inch else 2
    if unit.has("skaven"):
        length += 1 if unit.inch else 3
    return length


def move_fleeing_target(trial: Trial, rng: random.Random) -> None:
    """WH6-FLEE-02 steps 1 to 4: roll the flight; over the edge the unit is gone."""
    trial.flee_distance = roll_flight(trial.target, rng)
    trial.target.state = "fleeing"
    edge = trial.charge.get("edge")
    if edge is not None and hundredths(trial.flee_distance) > hundredths(edge):
        trial.target.state = "fled_off_table"


def move_fleeing_charger(trial: Trial, rng: random.Random) -> None:
    """WH6-FLEE-13: the active side's flights are moved in the compulsory moves."""
    if trial.charger_fled_terror or trial.charger_fled_panic:
        trial.charger_flee_distance = roll_flight(trial.charger, rng)
        trial.charger.state = "fleeing"


# Step 8: stand and shoot


def target_shoots(trial: Trial) -> bool:
    """WH6-SS-01, SS-06, SS-08, SS-10: whether the shots are really fired in this trial."""
    if trial.reaction != "stand_and_shoot" or trial.target_flees or trial.charger_failed:
        return False
    if trial.in_reach or trial.switches["ss_on_failed"] == "always":
        return True
    return trial.gap - failed_charge_move(trial.charger) <= read_missile(trial.target).range


def failed_charge_move(charger: Unit) -> int:
    """WH6-CHG-06: a failed charge moves M, a flyer its whole flight."""
    if is_flyer(charger):
        return flight_move(charger)
    return hundredths(charger.raw["M"])


def read_missile(unit: Unit) -> Missile:
    """WH6-MW: the missile weapon of a unit, from the table or given in full."""
    given = unit.raw["missile"]
    if isinstance(given, dict):
        given_strength = stat(given, "S")
        return Missile(
            name="",
            range=hundredths(given["range"]),
            strength=user_strength(unit) if given_strength is None else given_strength,
            armour_piercing=given.get("armour_piercing", False),
            shots=given.get("shots", 1),
            thrown=given.get("thrown", False),
            rules=tuple(given.get("rules", [])),
        )
    inches, centimetres, strength, added, piercing, shots, thrown = MISSILES[given]
    return Missile(
        name=given,
        range=hundredths(inches if unit.inch else centimetres),
        strength=(user_strength(unit) if strength == "user" else int(strength)) + added,
        armour_piercing=piercing,
        shots=shots,
        thrown=thrown,
        rules=(),
    )


def user_strength(unit: Unit) -> int:
    """Strength of the one who throws: on a chariot the crew, never the vehicle (CHAR-07)."""
    crew_strength = stat(crew_profile(unit), "S")
    if is_chariot(unit) and crew_strength is not None:
        return crew_strength
    return own_or_crew(unit, "S")


def number_of_shooters(trial: Trial) -> int:
    """WH6-SHOOT-04: the front rank, all ranks at a large target, or as the file says."""
    if "shooters" in trial.target.raw:
        return int(trial.target.raw["shooters"])
    if trial.charger.has("large_target"):
        return trial.target.models_left
    return front_width(trial.target)


def shots_each(trial: Trial, missile: Missile) -> int:
    """WH6-MW: shots of one model; a sling has two within 9 inches or 22 centimetres."""
    if missile.name == "sling":
        near = 900 if trial.inch else 2200
        return 2 if trial.gap <= near else 1
    return missile.shots


def hard_to_see(charger: Unit) -> bool:
    """WH6-SHOOT-02: skirmishers, or a single man-sized model on foot."""
    if charger.has("skirmishers"):
        return True
    return (
        charger.start_models == 1
        and charger.troop == "infantry"
        and not charger.has("large_target")
    )


def to_hit_needed(trial: Trial, missile: Missile, shots: int) -> int:
    """WH6-SHOOT-01, SHOOT-02, SS-04, SS-05: the number needed to hit, 7 and more included."""
    modifier = -1  # stand and shoot
    if trial.charger.has("large_target"):
        modifier += 1
    if 2 * trial.gap > missile.range and not missile.thrown:
        modifier -= 1
    if hard_to_see(trial.charger):
        modifier -= 1
    cover = trial.charge.get("cover", "none")
    if cover == "soft":
        modifier -= 1
    if cover == "hard":
        modifier -= 2
    if shots > 1:
        modifier -= 1
    return max(2, 7 - own_or_crew(trial.target, "BS") - modifier)


def roll_to_hit(needed: int, rng: random.Random) -> tuple[bool, bool]:
    """WH6-SHOOT-01, SHOOT-03: (hit, natural six of a shot that needed no more than 6)."""
    if needed >= 10:
        return False, False
    die = roll_die(rng)
    if needed <= 6:
        return die >= needed, die == 6
    if die != 6:
        return False, False
    return roll_die(rng) >= needed - 3, False


def to_wound_needed(strength: int, toughness: int) -> int | None:
    """WH6-WND-01: the number needed to wound, None when it cannot be done."""
    if toughness - strength >= 4:
        return None
    return min(6, max(2, 4 + toughness - strength))


def saved_by_armour(save: int, strength: int, piercing: bool, rng: random.Random) -> bool:
    """WH6-SAVE-01: one armour save; a natural 1 always fails."""
    needed = save + max(0, strength - 3) + (1 if piercing else 0)
    if needed > 6:
        return False
    return roll_die(rng) >= max(2, needed)


def saved_by_ward(unit: Unit, rng: random.Random) -> bool:
    """WH6-SAVE-03: one ward save, never modified."""
    if "ward" not in unit.raw:
        return False
    return roll_die(rng) >= max(2, roll_needed(unit.raw["ward"]))


def poison_works_on(unit: Unit) -> bool:
    """WH6-SPEC-04: chariots and war machines do not feel poison."""
    return not is_chariot(unit) and unit.troop != "war_machine"


def killing_blow_works_on(unit: Unit) -> bool:
    """WH6-SPEC-03: man-sized models and riders only."""
    return unit.troop in ("infantry", "cavalry", "flyer")


def shoot_once(trial: Trial, missile: Missile, needed: int, rng: random.Random) -> str | None:
    """Fire one shot: None, "wound" (one wound) or "slain" (a whole model at once)."""
    charger = trial.charger
    hit, natural_six = roll_to_hit(needed, rng)
    if not hit:
        return None
    poisoned = natural_six and "poison" in missile.rules and poison_works_on(charger)
    killing = False
    if not poisoned:
        die = roll_die(rng)
        killing = die == 6 and "killing_blow" in missile.rules and killing_blow_works_on(charger)
        to_wound = to_wound_needed(missile.strength, own_or_crew(charger, "T"))
        if not killing and (to_wound is None or die < to_wound):
            return None
    smashed = is_chariot(charger) and missile.strength >= 7  # WH6-CHAR-03
    if not killing and not smashed:
        save = roll_needed(charger.raw.get("save"))
        if saved_by_armour(save, missile.strength, missile.armour_piercing, rng):
            return None
    if saved_by_ward(charger, rng):
        return None
    return "slain" if killing or smashed else "wound"


def stand_and_shoot(trial: Trial, rng: random.Random) -> None:
    """WH6-SS-05, SPEC-01: all shots, then regeneration, then whole models are removed."""
    charger = trial.charger
    missile = read_missile(trial.target)
    shots = shots_each(trial, missile)
    needed = to_hit_needed(trial, missile, shots)
    slain = 0
    wounds = 0
    for _ in range(number_of_shooters(trial) * shots):
        effect = shoot_once(trial, missile, needed, rng)
        if effect == "slain":
            slain += 1
        if effect == "wound":
            wounds += 1
    slain_wounds = min(slain * charger.wounds_each, charger.wounds_left)
    wounds = min(wounds, charger.wounds_left - slain_wounds)
    if is_chariot(charger) and trial.switches["s7_regen"]:
        slain_wounds -= regain_wounds(charger, slain_wounds, rng)
    wounds -= regain_wounds(charger, wounds, rng)
    charger.wounds_left -= slain_wounds + wounds
    trial.shooting_casualties = charger.start_models - charger.models_left
    if charger.models_left == 0:
        charger.state = "destroyed"


def regain_wounds(unit: Unit, wounds: int, rng: random.Random) -> int:
    """WH6-SPEC-01: one regeneration die for each wound actually suffered."""
    if "regeneration" not in unit.raw:
        return 0
    regained = 0
    for _ in range(wounds):
        if roll_die(rng) >= max(2, roll_needed(unit.raw["regeneration"])):
            regained += 1
    return regained


def test_charger_panic(trial: Trial, rng: random.Random) -> None:
    """WH6-SS-07, PANIC-03: a quarter or more of the models lost to the shots."""
    charger = trial.charger
    if charger.state == "destroyed" or charger.start_models == 1:
        return
    if is_immune(charger) or charger.troop == "war_machine":
        return
    if 4 * trial.shooting_casualties < charger.start_models:
        return
    if not passes_test(charger, rng):
        trial.charger_fled_panic = True


# Rally, and the charge move


def path_is_clear(trial: Trial, rng: random.Random) -> bool:
    """WH6-CHG-12a, CHG-15, RALLY-01: every unit in the path must flee on."""
    clear = True
    for name in trial.charge.get("blocked_by", []):
        blocker = read_unit(trial.scenario, name)
        if blocker.state != "fleeing" or rallies(blocker, rng):
            clear = False
    return clear


def charger_catches(trial: Trial) -> bool:
    """WH6-FLEE-02 step 5: the whole reach from the start covers gap and flight."""
    if trial.target.state == "fled_off_table" or not trial.in_reach:
        return False
    return trial.gap + hundredths(trial.flee_distance or 0) <= trial.reach


def move_charger(trial: Trial, clear: bool, rng: random.Random) -> None:
    """Move the charge and find the word, in the contract's order of precedence."""
    if trial.charger_refused:
        trial.word = "refused_fear"
    elif trial.charger_fled_terror:
        trial.word = "charger_fled_terror"
    elif trial.target_flees:
        finish_flight(trial, clear)
    elif trial.charger.state == "destroyed":
        trial.word = "charger_destroyed"
    elif trial.charger_fled_panic:
        trial.word = "charger_fled_panic"
    elif not trial.in_reach:
        trial.word = "out_of_reach"
    elif not clear:
        trial.word = "blocked"
    else:
        trial.word = "contact"
        make_contact(trial, rng)


def finish_flight(trial: Trial, clear: bool) -> None:
    """WH6-FLEE-02 steps 4 to 7: off the table, caught or away."""
    if trial.target.state == "fled_off_table":
        trial.word = "target_fled_off_table"
    elif clear and charger_catches(trial):
        trial.word = "target_fled_caught"
        trial.target.state = "destroyed"
        trial.target.wounds_left = 0
    else:
        trial.word = "target_fled_escaped"


# Contact and impact hits


def make_contact(trial: Trial, rng: random.Random) -> None:
    """Contact, and the impact hits that open the fight (WH6-IMPACT-02)."""
    fight_is_played = fight_in_the_file(trial)
    trial.charger.state = "fighting"
    trial.target.state = "fighting"
    if fight_is_played:
        resolve_impact_hits(trial, rng)


def fight_in_the_file(trial: Trial) -> bool:
    """Contract: a fight against a unit that is not in the file is not played."""
    engaged = trial.target.raw.get("engaged", False)
    if not engaged:
        return True
    return isinstance(engaged, str) and engaged in trial.scenario["unit"]


def resolve_impact_hits(trial: Trial, rng: random.Random) -> None:
    """WH6-IMPACT-01, SPEC-01: hits, wounds, and the models that are removed for them."""
    target = trial.target
    wounds = 0
    for strength in roll_impact_hits(trial, rng):
        trial.impact_hits += 1
        wounds += wounds_of_impact(target, strength, rng)
    wounds = min(wounds, wounds_open_to_impact(trial))
    trial.impact_wounds = wounds
    target.wounds_left -= wounds
    if target.models_left == 0:
        target.state = "destroyed"
        trial.charger.state = "steady"


def roll_impact_hits(trial: Trial, rng: random.Random) -> list[int]:
    """WH6-IMPACT-01, IMPACT-05, IMPACT-07: the strength of every impact hit."""
    charger = trial.charger
    if is_chariot(charger):
        hits: list[int] = []
        for _ in range(models_in_contact(trial)):
            for _ in range(round(roll_expression(impact_expression(charger), rng))):
                hits.append(own_or_crew(charger, "S"))
        return hits
    if charger.has("bull_charge"):
        return bull_charge_hits(trial)
    return []


def impact_expression(charger: Unit) -> str:
    """WH6-IMPACT-01: D6, a light chariot D3, or as given."""
    default = "1D3" if charger.troop == "light_chariot" else "1D6"
    return str(charger.raw.get("chariot", {}).get("impact_hits", default))


def bull_charge_hits(trial: Trial) -> list[int]:
    """WH6-IMPACT-07: three ogres or more over 6 inches or 15 centimetres or more.

    One hit for each model in contact, stronger by one for each model straight behind it; an
    incomplete last rank stands behind the middle of the front.
    """
    charger = trial.charger
    least = 600 if trial.inch else 1500
    if charger.models_left < 3 or trial.distance < least:
        return []
    width = front_width(charger)
    full_ranks = charger.models_left // width
    last_rank = charger.models_left % width
    hits: list[int] = []
    for place in range(models_in_contact(trial)):
        behind = full_ranks - 1 + (1 if place < last_rank else 0)
        hits.append(own_or_crew(charger, "S") + behind)
    return hits


def side_of_target(trial: Trial) -> int:
    """Length in millimetres of the side that is struck: front and rear, or the ranks."""
    target = trial.target
    width = front_width(target)
    if trial.charge.get("arc", "front") == "flank":
        ranks = -(-target.models_left // width)
        return ranks * base_front(target)
    return width * base_front(target)


def models_in_contact(trial: Trial) -> int:
    """WH6-CC-05: bases of the front rank that meet the target's side, corners included.

    Both sides are centred on 0; lengths are doubled so that they stay whole numbers.
    """
    width = front_width(trial.charger)
    base = base_front(trial.charger)
    side = side_of_target(trial)
    touching = 0
    for place in range(width):
        left = 2 * place * base - width * base
        right = left + 2 * base
        if right >= -side and left <= side:
            touching += 1
    return touching


def save_in_combat(unit: Unit) -> int:
    """WH6-SAVE-02, IMPACT-06: hand weapon and shield on foot; two hands leave the shield."""
    save = roll_needed(unit.raw.get("save"))
    weapon = unit.raw.get("weapon", "hand_weapon")
    if not unit.raw.get("shield", False):
        return save
    if weapon == "hand_weapon" and unit.troop == "infantry":
        return save - 1
    if weapon in TWO_HANDED:
        return save + 1
    return save


def wounds_of_impact(target: Unit, strength: int, rng: random.Random) -> int:
    """WH6-IMPACT-01, CHAR-03: unsaved wounds of one impact hit."""
    needed = to_wound_needed(strength, own_or_crew(target, "T"))
    if needed is None or roll_die(rng) < needed:
        return 0
    smashed = is_chariot(target) and strength >= 7
    if not smashed and saved_by_armour(save_in_combat(target), strength, False, rng):
        return 0
    if saved_by_ward(target, rng):
        return 0
    return target.wounds_each if smashed else 1


def wounds_open_to_impact(trial: Trial) -> int:
    """WH6-IMPACT-04: by default the champion is no victim of impact hits."""
    target = trial.target
    spared = (
        trial.switches["impact_targets"] == "rank_and_file"
        and target.raw.get("champion", False)
        and target.models_left > 1
    )
    return target.wounds_left - (target.wounds_each if spared else 0)


# --------------------------------------------------------------------------------------------
# The whole
# --------------------------------------------------------------------------------------------


def report(trial: Trial) -> dict[str, Any]:
    """Put the end of the trial into a plain dictionary."""
    sides = {}
    for side, unit in (("charger", trial.charger), ("target", trial.target)):
        sides[side] = {
            "models_left": unit.models_left,
            "wounds_left": unit.wounds_left,
            "state": unit.state,
        }
    return {
        "word": trial.word,
        "reaction": trial.reaction,
        "shooting_casualties": trial.shooting_casualties,
        "flee_distance": trial.flee_distance,
        "charger_flee_distance": trial.charger_flee_distance,
        "impact_hits": trial.impact_hits,
        "impact_wounds": trial.impact_wounds,
        "needs_sixes": trial.word == "contact" and trial.target_failed_fear,
        **sides,
    }


def simulate(scenario: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Play one charge of one charger on one target.

    Parameters
    ----------
    scenario : dict
        What ``tomllib.load`` gives for a scenario file of ruleset `wh6` with one charge.
    rng : random.Random
        Source of all dice.

    Returns
    -------
    dict
        The end of the trial: ``word``, ``reaction``, ``shooting_casualties``,
        ``flee_distance``, ``charger_flee_distance``, ``impact_hits``, ``impact_wounds``,
        ``needs_sixes``, and for ``charger`` and ``target`` the ``models_left``,
        ``wounds_left`` and ``state``.
    """
    trial = set_up(scenario)

    # 1. Declaration. WH6-SEQ-04: by the other reading the charger tests now, at any distance;
    # when it fails nothing else happens and no reaction is asked for.
    if trial.switches["charger_test"] == "before_reaction":
        test_charger_fear(trial, rng)
        test_charger_terror(trial, rng)
        if trial.charger_failed:
            move_fleeing_charger(trial, rng)
            move_charger(trial, clear=True, rng=rng)
            return report(trial)

    # 2. Reaction, and 4. measuring.
    trial.reaction = legal_reaction(trial)
    measure(trial, rng)
    if trial.reaction == "stand_and_shoot" and not far_enough_to_shoot(trial):
        trial.reaction = "hold"
    if trial.reaction == "flee":
        trial.target_flees = True

    # 5. Tests, only for a charge that is in reach.
    if trial.in_reach:
        take_tests(trial, rng)

    # 6. Flight of the reactive side.
    if trial.target_flees:
        move_fleeing_target(trial, rng)

    # 8. Stand and shoot, and the charger's panic.
    if target_shoots(trial):
        stand_and_shoot(trial, rng)
        test_charger_panic(trial, rng)

    # Rally of the units in the path, compulsory moves, the charge move.
    clear = path_is_clear(trial, rng)
    move_fleeing_charger(trial, rng)
    move_charger(trial, clear, rng)
    return report(trial)
