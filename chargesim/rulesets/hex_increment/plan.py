"""Where each charge goes and whom it meets, settled before any dice.

Positions, facings and zones are known when a charge is declared (HEX-FORM-02), so its way, its end
and its contacts follow from the map alone; only the checks for changes of width may cut it short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

from chargesim.rulesets.hex_increment import state as st
from chargesim.rulesets.hex_increment.hexes import (
    Board,
    Hex,
    Terrain,
    apart,
    direction_to,
    distance,
    in_sight,
    moved,
    turn_to_face,
)
from chargesim.rulesets.hex_increment.scenario import Charge, Model, Unit
from chargesim.rulesets.hex_increment.zone import (
    BUDGET,
    Body,
    Change,
    Move,
    Mover,
    along,
    cheapest,
    rim,
    touches,
    zone,
)

CHANGES = {
    "extend_left": Change(True, True),
    "extend_right": Change(True, False),
    "consolidate_left": Change(False, True),
    "consolidate_right": Change(False, False),
}
FORMED = ("line", "company_column", "column", "general_order", "other")
NEAR, IN_VIEW = 1, 2


@dataclass(frozen=True)
class Met:
    """What a charge has to do with one declared target.

    Parameters
    ----------
    name
        Of the target.
    named
        When it was named.
    contact
        True when it is to be fought.
    mixed
        True when it is contacted, but the charger fights cavalry there.
    adjacent
        True when it stood next to the charger at the start.
    aspect
        Side from which it is charged: front, flank or rear.
    start, square_step
        Distance at the start; hexes moved when it may try to form square, per distance 1 to 4.
    in_reach
        True when it stands in the charge zone or next to it.
    room
        Hexes of it in front of the charger.
    turns
        True when it charges itself and turns to face this charger.
    left
        True when the charger turns away from it, to face cavalry that reacts.
    """

    name: str
    named: st.Named
    contact: bool
    mixed: bool
    adjacent: bool
    aspect: str
    start: int
    square_step: tuple[int, int, int, int]
    in_reach: bool = True
    room: int = 0
    turns: bool = False
    left: bool = False


@dataclass(frozen=True)
class Plan:
    """A charge as it is meant.

    Parameters
    ----------
    charger
        Name of the charging unit.
    zone, rim
        The charge zone and the hexes next to it, as frozen at the declaration.
    move
        The way.
    met
        Its declared targets.
    touched
        For each hex of the charger the contacted targets it touches.
    given
        For each hex the target that its owner gave it to, or an empty text.
    end
        How the move ends; undecided: in contact.
    end_disorders
        True when that end disorders the charger.
    refused
        Units it could not charge later this turn, for it did not name them (HEX-TGT-04).
    hexes
        Hexes that it fights with.
    wrong_step
        Number of the first step of its path that may not be taken, or ``None``.
    stands
        Hexes that it occupies in the end, those behind a column's head among them.
    turned
        New facing of each hex that turns to face cavalry that charges it in turn.
    """

    charger: str
    zone: frozenset[Hex]
    rim: frozenset[Hex]
    move: Move
    met: tuple[Met, ...]
    touched: tuple[tuple[str, ...], ...]
    given: tuple[str, ...]
    end: st.Word
    end_disorders: bool
    refused: tuple[str, ...]
    hexes: int
    wrong_step: int | None = None
    stands: tuple[Hex, ...] = ()
    turned: tuple[tuple[Hex, int], ...] = ()

    @property
    def reacted(self) -> bool:
        """True when reacting cavalry has made it turn, or it faced it already."""
        return bool(self.turned)


def board(model: Model) -> Board:
    """The map of a scenario."""
    kinds = {
        name: Terrain(
            round(one.cost * 2),
            one.general_order,
            one.prohibited,
            one.blocks_sight,
            one.shelter,
        )
        for name, one in model.map.terrain.items()
    }
    kinds.setdefault("open", Terrain())
    ground = {
        at: kinds.get(name, kinds["open"])
        for name, hexes in model.map.hexes.items()
        for at in hexes
    }
    extent = model.map.extent
    return Board(extent.q, extent.r, kinds.get(model.map.default, kinds["open"]), ground)


def facing_of(unit: Unit, place: int = 0) -> int | None:
    """Facing of a unit, or of one of its hexes."""
    if isinstance(unit.facing, tuple):
        return unit.facing[place] if place < len(unit.facing) else None
    return unit.facing


def walls(model: Model, ground: Board, but: str) -> frozenset[Hex]:
    """Hexes that no line of sight passes: skirmishers and squares do not block it (HEX-TGT-08)."""
    found = {at for at, terrain in ground.ground.items() if terrain.blocks_sight}
    for name, unit in model.unit.items():
        if name != but and unit.kind != "leader" and unit.formation in FORMED:
            found.update(unit.hexes)
    return frozenset(found)


def eligible(model: Model, name: str, zone_and_rim: Iterable[Hex]) -> bool:
    """True for an enemy combat unit in or next to the zone as it was declared (HEX-TGT-01).

    In General Order too (HEX-TERR-02).
    """
    unit = model.unit[name]
    inside = set(zone_and_rim)
    if unit.kind == "leader":
        return False
    if unit.late and model.switches.late_arrivals == "ineligible":
        return False
    return bool(inside & set(unit.hexes))


def _named(
    model: Model, unit: Unit, target: Unit, bodies: tuple[Body, ...], blocked: frozenset[Hex]
) -> tuple[st.Named, int]:
    """When a target was named, and after how many hexes (HEX-TGT-03, HEX-TGT-05)."""
    at_once = target.kind != "cavalry" or model.switches.declare_at_start_vs_cav
    if at_once and apart(bodies[0], target.hexes) <= IN_VIEW:
        return st.Named.AT_THE_START, 0
    for steps, body in enumerate(bodies):
        for a in body:
            for b in target.hexes:
                if distance(a, b) == IN_VIEW and in_sight(a, b, blocked - {*body}):
                    return st.Named.AT_TWO_HEXES, steps
        if any(touches(body, facing_of(unit) or 0, {"it": target.hexes})):
            return st.Named.IN_CONTACT, steps
    return st.Named.NEVER, len(bodies)


def _aspect(body: Body, facing: int, target: Unit) -> str:
    """Side of a target that is charged: front where any hex touches its front."""
    seen: set[str] = set()
    if target.formation in ("skirmish", "square"):
        return "front"
    for at in body:
        for place, hexes in enumerate(target.hexes):
            own = facing_of(target, place)
            toward = direction_to(hexes, at)
            if toward is None or own is None or hexes not in _front(at, facing):
                continue
            side = (toward - own) % 6
            seen.add("front" if side <= 1 else "rear" if side in (3, 4) else "flank")
    for name in ("front", "flank", "rear"):
        if name in seen:
            return name
    return "front"


def _front(at: Hex, facing: int) -> tuple[Hex, Hex]:
    return moved(at, facing), moved(at, facing + 1)


def share_out(touched: tuple[tuple[str, ...], ...], wishes: Mapping[str, str]) -> tuple[str, ...]:
    """Give each hex that touches two targets to one: its owner's choice, else as evenly as can be.

    Evenly means: the stack with the fewest hexes has as many as possible, then the one with the
    most as few as possible, then the first in order.
    """
    names = {name for one in touched for name in one}
    options = []
    for place, one in enumerate(touched):
        wish = wishes.get(str(place), "")
        options.append((wish,) if wish in one else one or ("",))

    def worth(given: tuple[str, ...]) -> tuple[int, int]:
        hexes = [given.count(name) for name in names]
        return min(hexes, default=0), -max(hexes, default=0)

    best = max(product(*options), key=worth)
    return tuple(name if len(one) > 1 else "" for name, one in zip(best, touched, strict=True))


def unfought(plan: Plan) -> list[str]:
    """Contacted targets to which no hex of the charger is given."""
    having = {one[0] for one in plan.touched if len(one) == 1} | set(plan.given)
    contacts = [met.name for met in plan.met if met.contact and not met.left]
    return [name for name in contacts if name not in having]


def _end(
    model: Model, move: Move, named: Mapping[str, st.Named], contact: set[str]
) -> tuple[st.Word, bool]:
    """How a move ends and whether that disorders (HEX-TGT-06, HEX-TGT-07, HEX-TERR-03)."""
    switches = model.switches
    declared = {name for name, when in named.items() if when is not st.Named.NEVER}
    missed = declared - contact
    if move.halted:
        spent = bool(declared) and move.spent >= BUDGET
        return st.Word.GENERAL_ORDER, spent or switches.go_end_disorder
    if contact and not (missed and switches.miss_rule == "any_missed"):
        return st.Word.UNDECIDED, False
    if not declared:
        return st.Word.NO_TARGET, False
    # who ends short with points left, stranded or by its own choice, is taken to have spent them
    late = move.spent >= BUDGET or switches.stranded == "as_spent"
    return (st.Word.TARGET_MISSED, True) if late else (st.Word.NO_TARGET, False)


def plan_charge(model: Model, charge: Charge, ground: Board) -> Plan:
    """Settle one charge: no formation or facing changes on the way (HEX-FORM-02).

    Of a company column the zone and the five points bind the head alone (HEX-ZONE-06).

    Parameters
    ----------
    model
        The scenario, sound as far as the charger goes, its units where they stand when the charge
        begins.
    charge
        The charge.
    ground
        The map.
    """
    unit = model.unit[charge.charger]
    switches = model.switches
    facing = facing_of(unit) or 0
    company = unit.formation == "company_column"
    body: Body = unit.hexes[:1] if company else unit.hexes
    inside = zone(body, facing, rays=switches.zone_shape == "rays")
    edge = rim(inside)
    occupied = frozenset(
        at
        for name, other in model.unit.items()
        if name != charge.charger and other.kind != "leader"
        for at in other.hexes
    )
    if company:
        occupied |= frozenset(unit.hexes[1:])
    changes = tuple(CHANGES[name] for name in charge.changes)
    mover = Mover(
        body, facing, inside, ground, occupied, changes, switches.steps == "any_neighbour"
    )
    able = {
        name: model.unit[name].hexes
        for name in charge.targets
        if eligible(model, name, inside | edge)
    }
    wrong_step = None
    if charge.path is None:
        move = cheapest(mover, able)
    else:
        found = along(mover, charge.path)
        if isinstance(found, int):
            wrong_step, move = found, Move((body,), 0)
        else:
            move = found
    blocked = walls(model, ground, charge.charger)
    when = {name: _named(model, unit, model.unit[name], move.bodies, blocked) for name in able}
    named = {name: one[0] for name, one in when.items()}
    met = touches(move.end, facing, {name: able[name] for name in able})
    contact = {name for one in met for name in one}
    if move.halted:
        contact = set()
    fought = fought_of(model, contact)
    if company or len(move.end) == 1:
        fought = set([name for name in charge.targets if name in fought][:1])
    end, disorders = _end(model, move, named, contact)
    touched = tuple(tuple(name for name in one if name in fought) for one in met)
    return Plan(
        charge.charger,
        inside,
        edge,
        move,
        tuple(
            Met(
                name,
                named.get(name, st.Named.NEVER),
                name in fought and end is st.Word.UNDECIDED,
                name in contact - fought,
                apart(body, model.unit[name].hexes) == NEAR,
                _aspect(move.end, facing, model.unit[name]),
                apart(body, model.unit[name].hexes),
                _square_steps(move.bodies, model.unit[name].hexes),
                bool((inside | edge) & set(model.unit[name].hexes)),
                len(
                    {at for side in move.end for at in _front(side, facing)} & {*able.get(name, ())}
                ),
            )
            for name in charge.targets
        ),
        touched,
        share_out(touched, charge.give),
        end,
        disorders,
        _refused(model, charge, unit, move, inside | edge, blocked),
        len(unit.hexes) if company else len(move.end),
        wrong_step,
        _trail(unit, move) if company else move.end,
    )


def _trail(unit: Unit, move: Move) -> tuple[Hex, ...]:
    """Hexes of a column in the end: it need not stay straight, its hexes follow the head's way."""
    way = [body[0] for body in move.bodies]
    return (*reversed(way), *unit.hexes[1:])[: len(unit.hexes)]


def fought_of(model: Model, contact: Iterable[str]) -> set[str]:
    """Contacts that are fought: never cavalry with others, and cavalry first.

    HEX-LINE-02, HEX-LINE-03.
    """
    found = set(contact)
    cavalry = {name for name in found if model.unit[name].kind == "cavalry"}
    return cavalry or found


def _square_steps(bodies: tuple[Body, ...], hexes: tuple[Hex, ...]) -> tuple[int, int, int, int]:
    gaps = [apart(body, hexes) for body in bodies]
    one, two, three, four = (
        next((steps for steps, gap in enumerate(gaps) if gap <= at), st.NEVER) for at in range(1, 5)
    )
    return one, two, three, four


def _refused(
    model: Model,
    charge: Charge,
    unit: Unit,
    move: Move,
    reach: frozenset[Hex],
    blocked: frozenset[Hex],
) -> tuple[str, ...]:
    """Enemies that it came to where it had to name them, and did not (HEX-TGT-04)."""
    return tuple(
        name
        for name, other in model.unit.items()
        if other.side != unit.side
        and name not in charge.targets
        and eligible(model, name, reach)
        and _named(model, unit, other, move.bodies, blocked)[0] is not st.Named.NEVER
    )


def plans(model: Model) -> list[Plan]:
    """Every charge in turn; who has charged stands where its charge ended.

    A company column need not stay straight: its hexes follow the head's way and keep their facing
    (HEX-FORM-04), unless cavalry reacts (HEX-FORM-03).
    """
    global _last
    last = _last  # once: another thread may plan another
    if last is None or last[0] is not model:
        last = _last = model, _plans(model)
    return list(last[1])


_last: tuple[Model, list[Plan]] | None = None
"""The model that was planned last, and its plans: several ask for them in turn."""


def _plans(model: Model) -> list[Plan]:
    ground = board(model)
    now = model
    found: list[Plan] = []
    for charge in model.charge:
        plan = plan_charge(now, charge, ground)
        found.append(plan)
        if charge.kind == "reaction":
            for i, earlier in enumerate(found[:-1]):
                if earlier.charger in [met.name for met in plan.met if met.contact]:
                    found[i], found[-1] = _faced(now, model.charge[i], earlier, found[-1])
        moved_on = now.unit[charge.charger].model_copy(update={"hexes": plan.stands})
        now = now.model_copy(update={"unit": {**now.unit, charge.charger: moved_on}})
    return found


def _faced(model: Model, charge: Charge, plan: Plan, reaction: Plan) -> tuple[Plan, Plan]:
    """A charge whose charger has turned to face a reaction, and the reaction, now met in front.

    What its front no longer touches it does not fight: who can be charged was settled with its zone
    (HEX-FORM-02).
    """
    unit = model.unit[plan.charger]
    enemy = reaction.move.end
    facings = [facing_of(unit, place) or 0 for place in range(len(plan.stands))]
    turned = tuple(
        (at, turn_to_face(at, facing, enemy))
        for at, facing in zip(plan.stands, facings, strict=True)
        if apart((at,), enemy) == NEAR
    )
    new = dict(turned)
    front_of = [
        set(_front(at, new.get(at, facing)))
        for at, facing in zip(plan.stands, facings, strict=True)
    ]
    touched = tuple(
        tuple(name for name in one if ahead & set(model.unit[name].hexes))
        for one, ahead in zip(plan.touched, front_of, strict=False)
    )
    kept = {name for one in touched for name in one}
    met = tuple(
        replace(
            one,
            left=one.contact and one.name not in kept,
            room=len(set().union(*front_of[: len(plan.touched)]) & {*model.unit[one.name].hexes}),
        )
        for one in plan.met
    )
    turns = any(
        new[at] != facing for at, facing in zip(plan.stands, facings, strict=True) if at in new
    )
    answered = tuple(
        replace(one, turns=turns, aspect="front") if one.name == plan.charger else one
        for one in reaction.met
    )
    return (
        replace(
            plan, met=met, touched=touched, given=share_out(touched, charge.give), turned=turned
        ),
        replace(reaction, met=answered),
    )
