"""Resolution of declared charges: counter-charges, contact, flights and pursuits."""

from .naive_rank_geometry import (
    clear,
    contact_pose,
    flight_direction,
    meeting,
    pose_corners,
    slide_spot,
    straight_run,
)
from .naive_rank_state import Contact, live_charge_of, live_charges, obstacles


def resolve(state, rng=None):
    """RNK-RES-01: counter-charge pairs first, by the order the counter-charges were declared."""
    steps = []
    for charge in live_charges(state):
        if charge.is_counter:
            first = live_charge_of(state, charge.target)
            steps.append(resolve_pair(state, first, charge))
    resolve_others(state, steps, rng)
    return steps


def resolve_others(state, steps, rng):
    """RNK-RES-02: then every other charge in declaration order.

    RNK-RES-03: a target that declared flight runs, at that place in the order.
    """
    for charge in live_charges(state):
        if charge.outcome != "declared":
            continue
        if state.units[charge.target].flee_declared:
            steps.append(resolve_flight(state, charge, rng))
        else:
            steps.append(resolve_contact(state, charge))


def put(unit, pose):
    """Move a unit to a pose."""
    unit.at, unit.facing = pose


def resolve_pair(state, first, counter):
    """RNK-CTR-04: a charger and its counter-charger meet, and both count as charging.

    RNK-CTR-05: whatever side was charged, they fight front to front.
    """
    one, two = state.units[first.unit], state.units[counter.unit]
    _, pose_one, pose_two = meeting(one, two, state.switches["midpoint"])
    pieces = obstacles(state, one.name, two.name)
    fits = clear(pose_corners(one, pose_one), pieces)
    if not (fits and clear(pose_corners(two, pose_two), pieces)):
        return meeting_blocked(state, first, counter)
    put(one, pose_one)
    put(two, pose_two)
    first.outcome = counter.outcome = "met"
    engage(state, Contact(one.name, "front", two.name, "front", True, True))
    return ("counter", one.name, two.name)


def meeting_blocked(state, first, counter):
    """RNK-CTR-06: no room to meet: both fail, or both go on as ordinary charges."""
    if state.switches["meeting_blocked"] == "both_fail":
        first.outcome = counter.outcome = "failed"
    else:
        counter.is_counter = False
    return ("no meeting", first.unit, counter.unit)


def resolve_contact(state, charge):
    """RNK-RES-06: contact with the chosen side, or the charge fails and the charger stays."""
    charger, target = state.units[charge.unit], state.units[charge.target]
    if in_contact(state, charger.name, target.name):
        # the other half of a pair that could not meet has struck first
        charge.outcome = "met"
        for c in state.contacts:
            if (c.unit, c.enemy) == (target.name, charger.name):
                c.enemy_charged = True
        return ("met", charger.name, target.name)
    pieces = obstacles(state, charger.name, target.name)
    s = slide_spot(charger, target, charge.side, pieces)
    if s is None:
        charge.outcome = "failed"
        return ("failed", charger.name, target.name)
    put(charger, contact_pose(charger, target, charge.side, s))
    charge.outcome = "contact"
    engage(state, Contact(charger.name, "front", target.name, charge.side, True, False))
    return ("charge", charger.name, target.name)


def in_contact(state, one, two):
    """Whether two units fight each other already."""
    return any({c.unit, c.enemy} == {one, two} for c in state.contacts)


def engage(state, contact):
    """RNK-RES-07: chargers and charged are in combat from now on."""
    state.contacts.append(contact)
    for name, side in (
        (contact.unit, contact.unit_side),
        (contact.enemy, contact.enemy_side),
    ):
        state.units[name].in_combat = True
        state.units[name].engaged_sides.add(side)


def flight_length(unit, how, rng):
    """The full Move, or in the older edition a d6 for every whole 4 points of it."""
    if how == "full":
        return unit.move
    return sum(rng.randint(1, 6) for _ in range(int(unit.move // 4)))


def resolve_flight(state, charge, rng):
    """RNK-FLEE-06: the runner runs straight away, the charger follows, and nobody fights."""
    charger, runner = state.units[charge.unit], state.units[charge.target]
    ahead = flight_direction(charger, runner)
    blocked = state.switches["run_blocked"]
    length = flight_length(runner, state.switches["flight_move"], rng)
    pieces = obstacles(state, charger.name, runner.name)
    put(runner, straight_run(runner, ahead, length, pieces, blocked))
    now_fleeing(state, runner)
    pieces = obstacles(state, charger.name)
    put(charger, straight_run(charger, ahead, charger.move, pieces, blocked))
    charge.outcome = "pursued"
    has_pursued(charger)
    return ("flight", charger.name, runner.name)


def has_pursued(charger):
    """RNK-FLEE-07: the pursuer may not move again this turn."""
    charger.may_not_move = True


def now_fleeing(state, runner):
    """RNK-FLEE-08: the runner is fleeing; over the table's edge it is destroyed."""
    runner.fleeing = True
    runner.destroyed = off_table(state, runner)


def off_table(state, unit):
    """Whether any corner lies beyond the table, where there is one."""
    if state.table is None:
        return False
    x0, y0, x1, y1 = state.table
    return any(not (x0 <= x <= x1 and y0 <= y <= y1) for x, y in unit.corners())


def lost_at_battle_end(unit):
    """The other half of RNK-FLEE-08: still fleeing at the end counts as lost."""
    return unit.fleeing or unit.destroyed
