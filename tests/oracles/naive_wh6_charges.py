"""The charge phase of the naive `wh6` twin, from the declarations to the reactions and tests.

The order of play is that of the Spanish source text S000: 1 declarations, 2 reactions, 3 compulsory
charges, 4 reach, 5 tests, 6 flights of the reactive side, 7 redirections. What follows (8 stand and
shoot, the moves) stands in `naive_wh6_moves`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from oracles.naive_wh6_units import (
    DEFAULT_SWITCHES,
    Unit,
    flee_from_charges,
    hundredths,
    is_chariot,
    is_flyer,
    is_immune,
    kind_of_test,
    passes_test,
    read_unit,
    roll_expression,
    unit_strength,
)


@dataclass(eq=False)
class Charge:
    """One charge, or the redirected charge into which it turns."""

    entry: dict[str, Any]
    charger: Unit
    target: Unit
    place: int
    compulsory: bool = False
    redirected: bool = False
    distance: float = 0.0
    gap: float = 0.0
    reach: float = 0.0
    refused: bool = False  # the charger failed its Fear test
    fled_terror: bool = False
    fled_panic: bool = False
    never_declared: bool = False  # failed a test taken before the declaration (WH6-SEQ-04)
    clear: bool = True
    needs_sixes: bool = False
    shooting_casualties: int = 0
    impact_hits: int = 0
    impact_wounds: int = 0
    word: str = ""
    redirect: Charge | None = None
    entry_place: int = 0  # of a redirected charge, among the entries that might have been taken

    @property
    def arc(self) -> str:
        """Side of the target that is struck."""
        return str(self.entry.get("arc", "front"))

    @property
    def in_reach(self) -> bool:
        """Step 4: the charge is long enough."""
        return self.distance <= self.reach

    @property
    def failed(self) -> bool:
        """The charger failed a Fear or Terror test of its own: there is no charge."""
        return self.refused or self.fled_terror


@dataclass(eq=False)
class Game:
    """All that is known in one trial."""

    scenario: dict[str, Any]
    switches: dict[str, Any]
    inch: bool
    units: dict[str, Unit]
    strengths: dict[str, int]  # unit strengths before any shooting
    charges: list[Charge] = field(default_factory=list)
    reactions: dict[str, str] = field(default_factory=dict)
    reacted_before: set[str] = field(default_factory=set)

    def charges_on(self, target: Unit) -> list[Charge]:
        """All charges on a unit in order of declaration: redirected ones came last."""
        redirected = [charge.redirect for charge in self.charges if charge.redirect is not None]
        return [charge for charge in [*self.charges, *redirected] if charge.target is target]

    def flank_of(self, charge: Charge) -> int:
        """Which flank a charge strikes, 0 or 1: the flank charges of the file take them in turn."""
        entries = [one.entry for one in self.charges]
        for one in self.charges:
            entries.extend(one.entry.get("redirect", []))
        turn = 0
        for entry in entries:
            if entry is charge.entry:
                return turn % 2
            if entry["target"] == charge.target.name and entry.get("arc", "front") == "flank":
                turn += 1
        raise ValueError("no such charge")

    def near(self, inches: int, centimetres: int) -> int:
        """Return a distance of the rules, in hundredths."""
        return 100 * (inches if self.inch else centimetres)


def set_up(scenario: dict[str, Any]) -> Game:
    """Read the scenario; unit strengths are counted before any shooting."""
    switches = {**DEFAULT_SWITCHES, **scenario.get("switches", {})}
    units = {name: read_unit(scenario, name) for name in scenario["unit"]}
    for unit in units.values():
        opponent = units.get(str(unit.raw.get("engaged", False)))
        if opponent is not None:
            opponent.state = "fighting"
            opponent.engaged = True
    return Game(
        scenario=scenario,
        switches=switches,
        inch=scenario.get("units", "cm") == "inch",
        units=units,
        strengths={name: unit_strength(unit, switches) for name, unit in units.items()},
    )


# Steps 1 and 3: declarations


def declare_voluntary(game: Game, rng: random.Random) -> None:
    """WH6-CHG-01; WH6-SEQ-04: by the other reading the chargers test now, at any distance."""
    for place, entry in enumerate(game.scenario.get("charge", [])):
        charger = game.units[entry["charger"]]
        charge = Charge(entry, charger, game.units[entry["target"]], place)
        game.charges.append(charge)
        if game.switches["charger_test"] == "before_reaction":
            test_charger(charge, rng)
            charge.never_declared = charge.failed


def declare_compulsory(game: Game) -> None:
    """WH6-CHG-13, FRENZ-01: frenzied units that have not declared take the first feasible enemy."""
    busy = {charge.charger.name for charge in game.charges}
    for name, unit in game.units.items():
        if unit.raw["side"] != "active" or name in busy or not unit.has("frenzy"):
            continue
        if unit.state in ("fleeing", "fighting"):
            continue
        for entry in unit.raw.get("may_reach", []):
            if entry.get("blocked_by", []):
                continue
            if hundredths(entry["distance"]) <= plain_reach(unit):
                target = game.units[entry["target"]]
                place = len(game.charges)
                game.charges.append(Charge(entry, unit, target, place, compulsory=True))
                break


# Step 2: reactions


def react(game: Game, target: Unit) -> None:
    """WH6-CHG-10: one reaction a unit; what it may not choose is replaced by the rules.

    Whether it can really stand and shoot is settled when that is resolved (WH6-SS-01).
    """
    if target.name in game.reactions:
        return
    declared = game.scenario.get("reaction", {}).get(target.name, "hold")
    if isinstance(declared, dict):
        declared = declared["do"]
    if declared not in ("hold", "stand_and_shoot", "flee"):
        raise ValueError(f"the naive twin cannot play the reaction {declared!r}")
    if target.state == "fleeing":
        declared = "flee"
    elif target.state == "fighting" or target.has("undead"):
        declared = "hold"
    if declared == "flee" and is_immune(target) and target.state != "fleeing":
        declared = "hold"
    game.reactions[target.name] = declared
    target.flees = declared == "flee"


# Step 4: measuring


def measure(charge: Charge, rng: random.Random) -> None:
    """WH6-SEQ-02 step 4: distance, gap and reach of this trial, in hundredths."""
    charge.distance = find_distance(charge.entry["distance"], rng)
    charge.gap = charge.distance
    if "gap" in charge.entry:
        charge.gap = hundredths(charge.entry["gap"])
    charge.reach = find_reach(charge, rng)


def find_distance(given: float | dict[str, float], rng: random.Random) -> float:
    """Take the given distance, or one estimated by eye: a normal draw, again while negative."""
    if not isinstance(given, dict):
        return hundredths(given)
    drawn = rng.gauss(given["mean"], given["sd"])
    while drawn < 0:
        drawn = rng.gauss(given["mean"], given["sd"])
    return drawn * 100


def find_reach(charge: Charge, rng: random.Random) -> float:
    """WH6-CHG-02, CHG-14: the reach given, rolled, or the plain one."""
    given = charge.entry.get("reach")
    if isinstance(given, str):
        return hundredths(roll_expression(given, rng))
    if given is not None:
        return hundredths(given)
    return plain_reach(charge.charger)


def plain_reach(unit: Unit) -> int:
    """WH6-CHG-02, CHG-04: twice M, or a flyer's single flight."""
    doubled = 2 * hundredths(unit.raw["M"])
    if not is_flyer(unit):
        return doubled
    if is_chariot(unit):
        return max(doubled, flight_move(unit))
    return flight_move(unit)


def flight_move(unit: Unit) -> int:
    """WH6-UNIT-02: 20 inches or 50 centimetres on the wing, in hundredths."""
    return 2000 if unit.inch else 5000


# Step 5: tests


def test_target(game: Game, target: Unit, charges: list[Charge], rng: random.Random) -> None:
    """WH6-TERR-06, LD-07: panic once, fear of each charger, terror once; only in reach."""
    in_reach = [charge for charge in charges if charge.in_reach and not charge.never_declared]
    test_target_panic(game, target, in_reach, rng)
    for charge in in_reach:
        test_target_fear(game, charge, rng)
    test_target_terror(target, in_reach, rng)


def test_target_panic(game: Game, target: Unit, in_reach: list[Charge], rng: random.Random) -> None:
    """WH6-PANIC-01c, PANIC-02, PANIC-08: an engaged target, by a flank or rear charge of US 5."""
    if target.state != "fighting" or not game.switches["panic_engaged"]:
        return
    if is_immune(target) or target.panic_tested or target.flees:
        return
    for charge in in_reach:
        if charge.arc != "front" and game.strengths[charge.charger.name] >= 5:
            target.panic_tested = True
            if not passes_test(target, rng):
                target.flees = True
            return


def test_target_fear(game: Game, charge: Charge, rng: random.Random) -> None:
    """WH6-FEAR-01, FEAR-02: flee from the stronger charger, otherwise sixes to hit it."""
    target = charge.target
    if target.flees or kind_of_test(target, charge.charger) != "fear":
        return
    if passes_test(target, rng):
        return
    if game.strengths[charge.charger.name] > game.strengths[target.name]:
        target.flees = True
    else:
        charge.needs_sixes = True
        target.fears.add(charge.charger.name)


def test_target_terror(target: Unit, in_reach: list[Charge], rng: random.Random) -> None:
    """WH6-TERR-03, TERR-04: one test; a target that fails flees, whatever the unit strengths."""
    for charge in in_reach:
        if not target.flees and kind_of_test(target, charge.charger) == "terror":
            target.terror_tested = True
            if not passes_test(target, rng):
                target.flees = True
            return


def test_charger_fear(charge: Charge, rng: random.Random) -> None:
    """WH6-CHG-07, FEAR-03: a charger that fails stays where it is."""
    if kind_of_test(charge.charger, charge.target) == "fear":
        charge.refused = not passes_test(charge.charger, rng)


def test_charger_terror(charge: Charge, rng: random.Random) -> None:
    """WH6-CHG-08: a charger that fails flees in the compulsory moves."""
    if kind_of_test(charge.charger, charge.target) == "terror":
        charge.charger.terror_tested = True
        charge.fled_terror = not passes_test(charge.charger, rng)


def test_charger(charge: Charge, rng: random.Random) -> None:
    """WH6-TERR-03: the fear test or the terror test, never both at one moment."""
    if kind_of_test(charge.charger, charge.target) == "fear":
        test_charger_fear(charge, rng)
    else:
        test_charger_terror(charge, rng)


# Step 6: flights of the reactive side


def move_fleeing_target(game: Game, target: Unit, rng: random.Random) -> None:
    """WH6-FLEE-02 steps 1 to 4: one roll for all chargers; over the edge the unit is gone."""
    length = flee_from_charges(target, rng)
    target.flight_from_charge = length
    edge = edge_behind([one for one in game.charges_on(target) if not one.never_declared])
    if edge is not None and hundredths(length) > edge:
        target.state = "fled_off_table"


def edge_behind(charges: list[Charge]) -> int | None:
    """Find the edge of the first of the charges on a unit that gives one."""
    for charge in charges:
        if "edge" in charge.entry:
            return hundredths(charge.entry["edge"])
    return None


def would_catch(charge: Charge) -> bool:
    """WH6-FLEE-02 step 5: the whole reach from the start covers gap and flight."""
    if charge.target.state == "fled_off_table" or not charge.in_reach:
        return False
    return charge.gap + hundredths(charge.target.flee_distance or 0) <= charge.reach


# Step 7: redirections


def redirect_charges(game: Game, rng: random.Random) -> None:
    """WH6-REDIR-01 to 07: chargers whose target got away, in order of declaration."""
    for charge in game.charges:
        if charge.never_declared or charge.failed or not charge.target.fled:
            continue
        if would_catch(charge):
            continue
        entry = legal_redirection(game, charge, rng)
        if entry is None:
            continue
        if game.switches["redirect_test"] == "leadership" and not passes_test(charge.charger, rng):
            continue
        redirect(game, charge, entry, rng)


def legal_redirection(game: Game, charge: Charge, rng: random.Random) -> Charge | None:
    """WH6-REDIR-01, REDIR-03: the first entry whose target stands, in reach from the start."""
    for place, entry in enumerate(charge.entry.get("redirect", [])):
        target = game.units[entry["target"]]
        if target.state == "fleeing" or target.gone or target.fled:
            continue
        new = Charge(entry, charge.charger, target, charge.place, redirected=True)
        new.entry_place = place
        new.distance = find_distance(entry["distance"], rng)
        new.gap = hundredths(entry["gap"]) if "gap" in entry else new.distance
        new.reach = charge.reach
        if new.in_reach:
            return new
    return None


def redirect(game: Game, parent: Charge, new: Charge, rng: random.Random) -> None:
    """WH6-REDIR-06: reaction, tests of the target and of the charger, flight: all at once."""
    target = new.target
    parent.redirect = new
    if game.switches["charger_test"] == "before_reaction":
        test_charger(new, rng)
        new.never_declared = new.failed
        if new.failed:
            return
    if target.name not in game.reactions:
        react(game, target)
        shoots = game.reactions[target.name] == "stand_and_shoot"
        if shoots and game.switches["redirect_ss"] == "forbidden":
            game.reactions[target.name] = "hold"
    test_target(game, target, [new], rng)
    if game.switches["charger_test"] == "after_reaction":
        test_charger(new, rng)
    if target.flees:
        move_fleeing_target(game, target, rng)


# The phase up to here


def play_declarations(game: Game, rng: random.Random) -> None:
    """WH6-SEQ-02 steps 1 to 7."""
    declare_voluntary(game, rng)
    declare_compulsory(game)
    targets: list[Unit] = []
    for charge in game.charges:
        if not charge.never_declared:
            react(game, charge.target)
            measure(charge, rng)
        if charge.target not in targets:
            targets.append(charge.target)
    for target in targets:
        test_target(game, target, game.charges_on(target), rng)
    if game.switches["charger_test"] == "after_reaction":
        for charge in game.charges:
            if charge.in_reach:
                test_charger(charge, rng)
    for target in targets:
        if target.flees:
            move_fleeing_target(game, target, rng)
    redirect_charges(game, rng)
