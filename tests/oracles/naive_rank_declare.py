"""Declarations: who may charge whom, counter-charges, interceptions, flights, turns."""

import copy
import math
from dataclasses import dataclass

from .naive_rank_geometry import (
    charge_distance,
    line_of_sight,
    open_side,
    path_clear,
    side_hit,
    side_of_most,
    slide_spot,
)
from .naive_rank_shapes import TOL
from .naive_rank_state import (
    Charge,
    incoming,
    live_charge_of,
    live_charges,
    obstacles,
    standing,
)


@dataclass
class Verdict:
    """Whether something may be declared; if not, the rule that blocks it."""

    ok: bool
    reason: str = ""
    side: str = ""
    distance: float = math.inf
    is_counter: bool = False


# ---------------------------------------------------------------- who can charge


def phase_exists(turn):
    """RNK-TURN-01: there is no charge phase on turn 1."""
    return turn >= 2


def free_to_act(unit):
    """RNK-DECL-01: not in combat, not fleeing."""
    return not unit.in_combat and not unit.engaged_sides and not unit.fleeing


def has_declared(state, name):
    """RNK-DECL-02: has declared a charge this phase; a cancelled one counts by a switch."""
    counts = state.switches["cancelled_counts"]
    return any(c.unit == name and (c.live or counts) for c in state.order)


def bound_by_charge(state, name, target):
    """RNK-DECL-03: charged, and this would not be the counter-charge."""
    return bool(incoming(state, name)) and not is_counter(state, name, target)


def can_move(unit):
    """RNK-DECL-04: Move 0 cannot charge."""
    return unit.move > 0


def has_crew(unit):
    """RNK-DECL-05: a Crewed Weapon cannot charge."""
    return unit.crewed


def is_counter(state, name, target):
    """RNK-CTR-01: charged by exactly one enemy, and it is this one."""
    return incoming(state, name) == {target}


# ---------------------------------------------------------------- whom it can reach


def arc_side(state, charger, target):
    """The side whose arc holds the charger, by the edition's rule."""
    tie = state.switches["tie"]
    if state.switches["side_by"] == "majority":
        return side_of_most(target, charger, tie)
    return side_hit(target, charger.at, tie)


def sight(state, charger, target):
    """Line of sight as the switches have it, past all other units and the terrain."""
    others = standing(state, charger.name, target.name)
    solids = [u.corners() for u in others]
    forests = []
    for land in state.terrain:
        if land.stops_sight():
            solids.extend(land.pieces)
        elif land.kind == "forest":
            forests.append(land.pieces)
    return line_of_sight(charger, target, state.switches["los"], solids, forests)


def can_reach(state, charger, target, side):
    """RNK-DECL-06: within Move and in line of sight; (whether, distance)."""
    far = charge_distance(charger, target, side, state.switches["distance"])
    return far <= charger.move + TOL and sight(state, charger, target), far


def counter_reach(state, charger, target):
    """RNK-CTR-02: it must be able to reach its charger; sight by a switch; (whether, distance)."""
    how = state.switches["counter_los"]
    if how == "waived":
        far = charge_distance(charger, target, "front", state.switches["distance"], whole=True)
        return far <= charger.move + TOL, far
    if how == "front_only" and live_charge_of(state, target.name).side != "front":
        return False, math.inf
    return can_reach(state, charger, target, "front")


def charged_side_taken(state, target, side):
    """RNK-ONE-01: a charge is declared on the side; a cancelled one frees it by a switch."""
    frees = state.switches["cancelled_frees_side"]
    return any(c.target == target and c.side == side and (c.live or not frees) for c in state.order)


def fought_side_taken(target, side):
    """RNK-ONE-02: a side already in combat is closed."""
    return side in target.engaged_sides


def side_closed(state, target, side):
    """RNK-ONE-03: only its closed sides keep a unit in combat from being charged."""
    return fought_side_taken(target, side) or charged_side_taken(state, target.name, side)


def side_charged(state, charger, target):
    """The open side that would be charged, or None."""
    return open_side(
        target,
        charger.at,
        arc_side(state, charger, target),
        lambda side: side_closed(state, target, side),
        state.switches["fallback_steps"],
        state.switches["rear_centre"],
    )


def has_room(state, charger, target, side):
    """RNK-DECL-07: room to end in contact, and a clear path."""
    pieces = obstacles(state, charger.name, target.name)
    if slide_spot(charger, target, side, pieces) is None:
        return False
    return path_clear(charger, target, side, pieces)


# ---------------------------------------------------------------- interceptions


def shorter(distance, declared):
    """RNK-INT-02: strictly shorter than the charge its target declared."""
    return distance < declared - TOL


def hits_flank_or_rear(side):
    """RNK-INT-03: hits the flank or the rear."""
    return side != "front"


def friend_charges_it(state, charger, target):
    """RNK-INT-04: another of the charger's side is already charging the target."""
    return any(state.units[n].side == charger.side for n in incoming(state, target.name))


def may_intercept(state, charger, target, side, distance):
    """RNK-INT-01: a unit that declared a charge is charged only in three cases."""
    theirs = live_charge_of(state, target.name)
    if theirs is None:
        return True
    if state.switches["intercept"] == "priority":
        mine = hits_flank_or_rear(side)
        other = hits_flank_or_rear(theirs.side)
        return mine > other or (mine == other and shorter(distance, theirs.distance))
    return (
        shorter(distance, theirs.distance)
        or hits_flank_or_rear(side)
        or friend_charges_it(state, charger, target)
    )


# ---------------------------------------------------------------- legal charges


def turn_reason(state, unit):
    """Why it is not this unit's turn, or an empty text."""
    if not phase_exists(state.turn):
        return "RNK-TURN-01"
    if state.active is not None and unit.side != state.active:
        return "RNK-TURN-03"
    if unit.side in state.passed:
        return "RNK-TURN-04"
    return ""


def legal(state, name, target_name):
    """The verdict on a charge of one unit on another, with the first reason against it."""
    charger, target = state.units[name], state.units[target_name]
    reason = turn_reason(state, charger)
    if reason:
        return Verdict(False, reason)
    if target.side == charger.side or target.destroyed or charger.destroyed:
        return Verdict(False, "RNK-DECL-06")
    if not free_to_act(charger):
        return Verdict(False, "RNK-DECL-01")
    if has_declared(state, name):
        return Verdict(False, "RNK-DECL-02")
    if not can_move(charger):
        return Verdict(False, "RNK-DECL-04")
    if has_crew(charger):
        return Verdict(False, "RNK-DECL-05")
    if flight_stands(charger):
        return Verdict(False, "RNK-FLEE-09")
    if bound_by_charge(state, name, target_name):
        return Verdict(False, "RNK-DECL-03")
    if is_counter(state, name, target_name):
        reached, far = counter_reach(state, charger, target)
        if not reached:
            return Verdict(False, "RNK-CTR-02", "front", far, True)
        return Verdict(True, "", "front", far, True)
    return legal_ordinary(state, charger, target)


def legal_ordinary(state, charger, target):
    """The verdict on a charge that is no counter-charge, from reach on."""
    first = arc_side(state, charger, target)
    side = side_charged(state, charger, target)
    reached, far = can_reach(state, charger, target, side or first)
    if not reached:
        return Verdict(False, "RNK-DECL-06", side or first, far)
    if side is None:
        fought = fought_side_taken(target, first)
        return Verdict(False, "RNK-ONE-02" if fought else "RNK-ONE-01", first, far)
    if not may_intercept(state, charger, target, side, far):
        return Verdict(False, "RNK-INT-01", side, far)
    if not has_room(state, charger, target, side):
        return Verdict(False, "RNK-DECL-07", side, far)
    if must_take_nearer(state, charger, target, far):
        return Verdict(False, "FRENZY", side, far)
    return Verdict(True, "", side, far)


def must_take_nearer(state, charger, target, far):
    """The older edition's frenzy: only the nearest valid target may be charged."""
    if not (state.switches["frenzy_must_charge"] and charger.frenzied):
        return False
    plain = copy.deepcopy(state)
    plain.switches["frenzy_must_charge"] = False
    for other in standing(state, charger.name, target.name):
        verdict = legal(plain, charger.name, other.name)
        if verdict.ok and verdict.distance < far - TOL:
            return True
    return False


def targets(state, name):
    """RNK-DECL-08: every enemy with the verdict on charging it."""
    side = state.units[name].side
    return {u.name: legal(state, name, u.name) for u in standing(state) if u.side != side}


# ---------------------------------------------------------------- flight


def flight_stands(unit):
    """RNK-FLEE-09: while its flight stands a unit declares no charge."""
    return unit.flee_declared


def one_charger_only(state, unit):
    """RNK-FLEE-01: charged by exactly one, not in combat, no charge declared."""
    if len(incoming(state, unit.name)) != 1 or unit.in_combat or unit.engaged_sides:
        return False
    return not has_declared(state, unit.name)


def can_run(unit):
    """RNK-FLEE-02: its Move is not 0."""
    return unit.move != 0


def nature_allows_flight(unit):
    """RNK-FLEE-03: not Frenzied, Reanimated or Demonic; a gift lifts the last alone."""
    if unit.frenzied or unit.reanimated:
        return False
    return not unit.demonic or unit.may_flee_anyway


def fast_enough(move, charger_move, distance, condition="at_least"):
    """RNK-FLEE-04: Move at least the charger's Move minus the distance of the charge."""
    spare = move - (charger_move - distance)
    return spare > TOL if condition == "more" else spare >= -TOL


def may_flee(state, name):
    """The verdict on a flight, whoever's turn it is."""
    unit = state.units[name]
    if unit.destroyed or not one_charger_only(state, unit):
        return Verdict(False, "RNK-FLEE-01")
    if flight_stands(unit):
        return Verdict(False, "RNK-FLEE-09")
    if not can_run(unit):
        return Verdict(False, "RNK-FLEE-02")
    if not nature_allows_flight(unit):
        return Verdict(False, "RNK-FLEE-03")
    (charge,) = [c for c in live_charges(state) if c.target == name]
    condition = state.switches["flight_condition"]
    if not fast_enough(unit.move, state.units[charge.unit].move, charge.distance, condition):
        return Verdict(False, "RNK-FLEE-04")
    return Verdict(True)


def declare_flight(state, name):
    """Declare that a charged unit flees."""
    verdict = may_flee(state, name)
    if not verdict.ok:
        raise ValueError(f"{name} may not flee: {verdict.reason}")
    state.units[name].flee_declared = True
    state.log.append(("flee", name))


# ---------------------------------------------------------------- declaring


def cancel(state, charge):
    """RNK-INT-05: an intercepted unit's own charge is cancelled and never moves."""
    charge.live = False
    charge.outcome = "cancelled"
    state.log.append(("cancelled", charge.unit, charge.target))
    orphan(state, charge)


def orphan(state, charge):
    """RNK-INT-06: a counter-charge against it becomes ordinary, a flight from it is dropped.

    RNK-CTR-05 is the other way round: where the counter-charge is what was cancelled, the charge
    it answered is live as before and strikes the side it was declared on.
    """
    target = state.units[charge.target]
    answer = live_charge_of(state, charge.target)
    if answer is not None and answer.is_counter and answer.target == charge.unit:
        answer.is_counter = False
    if target.flee_declared:
        target.flee_declared = False
        state.log.append(("flight dropped", target.name))


def drop_flight(state, unit):
    """RNK-FLEE-05: a later charge by another enemy cancels the flight."""
    if unit.flee_declared:
        unit.flee_declared = False
        state.log.append(("flight dropped", unit.name))


def declare(state, name, target_name):
    """Declare a charge, with all it cancels; the charge."""
    verdict = legal(state, name, target_name)
    if not verdict.ok:
        raise ValueError(f"{name} may not charge {target_name}: {verdict.reason}")
    if not verdict.is_counter:
        theirs = live_charge_of(state, target_name)
        if theirs is not None:
            cancel(state, theirs)
        drop_flight(state, state.units[target_name])
    charge = Charge(
        name, target_name, verdict.side, verdict.distance, len(state.order), verdict.is_counter
    )
    state.order.append(charge)
    state.log.append(("counter" if verdict.is_counter else "charge", name, target_name))
    return charge


# ---------------------------------------------------------------- turns


def first_declarer(acted_first_on_turn_1, other, turn):
    """RNK-TURN-05: who acted first in the strategic phase before; that alternates."""
    return acted_first_on_turn_1 if turn % 2 == 0 else other


def options(state):
    """RNK-TURN-03: all a player may do on a turn: a charge, a flight, or pass.

    On a turn given back (RNK-TURN-04): the flight of the unit just charged, or nothing.
    """
    if state.turn_back is not None:
        return [("pass",), ("flee", state.turn_back)]
    out = []
    must = False
    for unit in standing(state):
        if unit.side != state.active:
            continue
        for target, verdict in targets(state, unit.name).items():
            if verdict.ok:
                out.append(("charge", unit.name, target))
                must = must or (unit.frenzied and state.switches["frenzy_must_charge"])
        if may_flee(state, unit.name).ok:
            out.append(("flee", unit.name))
    return out if must else [("pass",), *out]


def other_side(state):
    """The player who is not active."""
    names = sorted({u.side for u in state.units.values()})
    (other,) = [n for n in names if n != state.active]
    return other


def take_turn(state, option):
    """RNK-TURN-04: carry out a choice and find whose turn is next; active None at the end.

    A pass is final, but a newly charged unit of a player who passed may flee.
    """
    mine, theirs = state.active, other_side(state)
    final = state.switches["pass_final"]
    given_back = state.turn_back is not None
    state.turn_back = None
    if given_back:
        if option[0] == "flee":
            declare_flight(state, option[1])
        state.active = theirs
        return
    if option[0] == "pass":
        state.passed.add(mine)
        state.active = None if theirs in state.passed else theirs
        return
    if option[0] == "flee":
        declare_flight(state, option[1])
    else:
        declare(state, option[1], option[2])
    if not final:
        state.passed.clear()
        state.active = theirs
    elif theirs not in state.passed:
        state.active = theirs
    elif option[0] == "charge" and may_flee(state, option[2]).ok:
        state.active, state.turn_back = theirs, option[2]


def play_declarations(state, first, policy, rng):
    """RNK-TURN-02: all is declared, in turns, before anything moves."""
    if not phase_exists(state.turn):
        raise ValueError("RNK-TURN-01: no charge phase on turn 1")
    state.active = first
    while state.active is not None:
        state_options = options(state)
        take_turn(state, policy(state, state.active, state_options, rng))


def complete_lines(state):
    """Every complete line of declarations from here, as lists of (side, choice)."""
    if state.active is None:
        return [[]]
    lines = []
    for option in options(state):
        after = copy.deepcopy(state)
        take_turn(after, option)
        lines.extend([(state.active, option), *rest] for rest in complete_lines(after))
    return lines
