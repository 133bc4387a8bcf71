"""The map of the hex ruleset: zones, paths, reach, lines of sight, contacts, legal targets.

A unit is ``{"id", "formation", "hexes", "facing"}``, the head of a column first.
A terrain is ``{"cost": {hex: points}, "general_order": {hex}, "prohibited": {hex},
"blocks": {hex}}``; what is not said costs one point and hides nothing.
"""

from fractions import Fraction
from functools import cache

DIRECTIONS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
CHARGING_FORMATIONS = ("LINE", "COMPANY_COLUMN")
TRANSPARENT = ("SKIRMISH", "SQUARE")


def add(a, b):
    """Hex b beyond hex a."""
    return (a[0] + b[0], a[1] + b[1])


def direction(number):
    """Direction 0..5, counter-clockwise from east (2.1)."""
    return DIRECTIONS[number % 6]


def neighbours(hex_):
    """The six hexes around one."""
    return [add(hex_, d) for d in DIRECTIONS]


def distance(a, b):
    """Hexes from a to b."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def front_hexes(hex_, facing):
    """The two front hexes of a facing: hexsides f and f+1 (2.1)."""
    return [add(hex_, direction(facing)), add(hex_, direction(facing + 1))]


def line_of(first, facing, count):
    """Hexes of a line: one after the other along direction f+2 (2.1)."""
    hexes = [first]
    while len(hexes) < count:
        hexes.append(add(hexes[-1], direction(facing + 2)))
    return hexes


def facing_of(unit, number):
    """Facing of a hex of the unit, by hex where ``facings`` says so."""
    return unit["facings"][number] if "facings" in unit else unit["facing"]


def body_of(unit):
    """HEX-ZONE-06: the hexes the limits bind: all of a line, the head of a column."""
    return unit["hexes"][:1] if unit["formation"] == "COMPANY_COLUMN" else list(unit["hexes"])


# ---------------------------------------------------------------- zone


def hex_zone(hex_, facing, shape="wedge", depth=5):
    """HEX-ZONE-01: hexes of the zone before one hex, a wedge or two lanes."""
    one, two = direction(facing), direction(facing + 1)
    zone = set()
    for a in range(depth + 1):
        for b in range(depth + 1):
            if not 1 <= a + b <= depth:
                continue
            if shape == "rays" and a > 0 and b > 0:
                continue
            q = hex_[0] + a * one[0] + b * two[0]
            r = hex_[1] + a * one[1] + b * two[1]
            zone.add((q, r))
    return zone


def zone_of(unit, shape="wedge", depth=5):
    """HEX-ZONE-01: zone of a unit: the union over a line, the head alone for a column."""
    zone = set()
    for number, hex_ in enumerate(body_of(unit)):
        zone |= hex_zone(hex_, facing_of(unit, number), shape, depth)
    return frozenset(zone)


def near_zone(hexes, zone):
    """HEX-TGT-01: whether one of these hexes is inside or adjacent to the zone."""
    for hex_ in hexes:
        if hex_ in zone:
            return True
        for other in neighbours(hex_):
            if other in zone:
                return True
    return False


# ---------------------------------------------------------------- movement


def may_start(unit, terrain):
    """HEX-FORM-01, HEX-TERR-04: ids of the rules that forbid the charge to start."""
    broken = []
    if unit["formation"] not in CHARGING_FORMATIONS:
        broken.append("HEX-FORM-01")
    for hex_ in unit["hexes"]:
        if hex_ in terrain.get("general_order", ()):
            broken.append("HEX-TERR-04")
            break
    return broken


def step_cost(body, terrain):
    """HEX-ZONE-05: cost of a step that brings the body here: its dearest hex (line_step_cost)."""
    return max(terrain.get("cost", {}).get(hex_, 1) for hex_ in body)


def moved(body, displacement):
    """The body, displaced."""
    return [add(hex_, displacement) for hex_ in body]


def may_stand_on(body, zone, terrain, occupied):
    """HEX-ZONE-03, HEX-TERR-05: no step out of the zone, into forbidden hexes, onto others."""
    for hex_ in body:
        if hex_ not in zone or hex_ in terrain.get("prohibited", ()) or hex_ in occupied:
            return False
    return True


def in_general_order(body, terrain):
    """HEX-TERR-01: whether the body has entered terrain of General Order."""
    return any(hex_ in terrain.get("general_order", ()) for hex_ in body)


def reach(unit, zone, terrain, occupied=(), *, steps="front_only", budget=5):
    """HEX-ZONE-02, HEX-ZONE-05, HEX-TERR-03: {displacement: (cost, [displacements on the way])}.

    The cheapest path to every place within the zone and the budget. A line moves as one body;
    beyond a hex of General Order the charge does not go.
    """
    if may_start(unit, terrain):
        return {}
    body = body_of(unit)
    if steps == "front_only":
        ways = [direction(unit["facing"]), direction(unit["facing"] + 1)]
    else:
        ways = DIRECTIONS
    found = {(0, 0): (0, [])}
    changed = True
    while changed:
        changed = False
        for place, (cost, path) in list(found.items()):
            if place != (0, 0) and in_general_order(moved(body, place), terrain):
                continue
            for way in ways:
                there = add(place, way)
                new_body = moved(body, there)
                if not may_stand_on(new_body, zone, terrain, occupied):
                    continue
                new_cost = cost + step_cost(new_body, terrain)
                if new_cost > budget:
                    continue
                if there not in found or new_cost < found[there][0]:
                    found[there] = (new_cost, [*path, there])
                    changed = True
    return found


def cheapest(unit, zone, terrain, goal, occupied=(), *, steps="front_only", budget=5):
    """HEX-ZONE-05: cost of the cheapest path that brings the first hex to the goal, or None."""
    first = unit["hexes"][0]
    place = (goal[0] - first[0], goal[1] - first[1])
    found = reach(unit, zone, terrain, occupied, steps=steps, budget=budget)
    return found[place][0] if place in found else None


def strikes(
    unit, zone, terrain, enemies, *, steps="front_only", budget=5, prohibited_target="barred"
):
    """HEX-ZONE-04, HEX-TGT-02, HEX-TERR-03, HEX-TERR-05: {enemy id: least cost of contact}.

    Struck is what stands in a front hex of a place that was reached and did not end the charge.
    """
    occupied = set()
    for enemy in enemies:
        occupied |= set(enemy["hexes"])
    body = body_of(unit)
    found = {}
    for place, (cost, _) in reach(
        unit, zone, terrain, occupied, steps=steps, budget=budget
    ).items():
        here = moved(body, place)
        if in_general_order(here, terrain):
            continue
        for number, hex_ in enumerate(here):
            for front in front_hexes(hex_, facing_of(unit, number)):
                for enemy in enemies:
                    if front not in enemy["hexes"]:
                        continue
                    if prohibited_target == "barred" and front in terrain.get("prohibited", ()):
                        continue
                    if enemy["id"] not in found or cost < found[enemy["id"]]:
                        found[enemy["id"]] = cost
    return found


def waves_that_strike(path_costs, budget=5):
    """HEX-ZONE-06: waves of a column that strike: all of them where the head came through."""
    return len(path_costs) if path_costs[0] <= budget else 0


def turn_to_face(hex_, facing, reactor):
    """HEX-FORM-03: facing after the turn to the reactor, the least turn; the old if impossible."""
    for turn in (0, 1, -1, 2, -2, 3):
        new = (facing + turn) % 6
        if reactor in front_hexes(hex_, new):
            return new
    return facing


def ends_as_it_faced(before, after):
    """HEX-FORM-02, HEX-FORM-04: hexes keep their facings through the charge."""
    return list(before) == list(after)


def extension_hexes(unit, zone):
    """HEX-EXP-01: hexes into which a line may grow by one: at its ends, inside the zone."""
    if unit["formation"] != "LINE":
        return []
    along = direction(unit["facing"] + 2)
    ends = [
        (unit["hexes"][0][0] - along[0], unit["hexes"][0][1] - along[1]),
        add(unit["hexes"][-1], along),
    ]
    return [hex_ for hex_ in ends if hex_ in zone]


# ---------------------------------------------------------------- sight


def rounded(q, r):
    """Hex that holds a point between hexes."""
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return (rq, rr)


@cache
def hexes_between(a, b, nudge):
    """Hexes strictly between two, the line pushed aside by a trifle."""
    n = distance(a, b)
    between = []
    for i in range(1, n):
        q = a[0] + Fraction((b[0] - a[0]) * i, n) + nudge
        r = a[1] + Fraction((b[1] - a[1]) * i, n) + 2 * nudge
        between.append(rounded(q, r))
    return between


def has_los(a, b, units=(), terrain=None):
    """HEX-TGT-08: sight from a to b; skirmishers and squares hide nothing.

    Along a hexside the line is cut where both hexes beside it are.
    """
    closed = set((terrain or {}).get("blocks", ()))
    for unit in units:
        if unit["formation"] not in TRANSPARENT:
            closed |= set(unit["hexes"])
    for nudge in (Fraction(1, 10**6), Fraction(-1, 10**6)):
        clear = True
        for hex_ in hexes_between(a, b, nudge):
            if hex_ in closed:
                clear = False
        if clear:
            return True
    return False


# ---------------------------------------------------------------- targets


def touching(unit, targets):
    """HEX-TGT-02, HEX-LINE-07: {hex number: [ids of targets in its front hexes]}."""
    found = {}
    for number, hex_ in enumerate(unit["hexes"]):
        front = front_hexes(hex_, facing_of(unit, number))
        found[number] = [t["id"] for t in targets if any(hex_ in t["hexes"] for hex_ in front)]
    return found


def chargeable(kinds):
    """HEX-LINE-02, HEX-LINE-03: numbers of the enemies that may be charged together."""
    if "CAV" in kinds:
        return [i for i, kind in enumerate(kinds) if kind == "CAV"]
    return list(range(len(kinds)))


def melees(contacted):
    """HEX-LINE-05 to HEX-LINE-07: ids that make a melee each, however many hexes they hold."""
    once = []
    for unit_id in contacted:
        if unit_id not in once:
            once.append(unit_id)
    return once


def why_no_target(
    charger,
    target,
    zone,
    terrain=None,
    *,
    late_arrivals="ineligible",
    prohibited_target="barred",
):
    """HEX-TGT-01, 04, 09, 10, HEX-TERR-05: rules that forbid this target; none if it is legal.

    ``target``: hexes, ``hexes_at_declaration``, ``combat``, ``pending`` (the id of the charge
    that waits for its melee, or None), ``pending_grand``; ``charger``: ``passed_targets``,
    ``grand`` (the id of its Grand Charge, or None).
    """
    broken = []
    then = target.get("hexes_at_declaration", target["hexes"])
    near = near_zone(then, zone)
    if late_arrivals == "eligible":
        near = near or near_zone(target["hexes"], zone)
    if not target.get("combat", True) or not near:
        broken.append("HEX-TGT-01")
    if target["id"] in charger.get("passed_targets", ()):
        broken.append("HEX-TGT-04")
    if target.get("pending") is not None:
        grand = charger.get("grand")
        if grand is None or target.get("pending_grand") != grand:
            broken.append("HEX-TGT-09")
    forbidden = (terrain or {}).get("prohibited", ())
    if prohibited_target == "barred" and all(hex_ in forbidden for hex_ in target["hexes"]):
        broken.append("HEX-TERR-05")
    return broken


def in_front(charger, target):
    """HEX-TGT-02: whether the target stands in a front hex of the charger."""
    return any(target["id"] in ids for ids in touching(charger, [target]).values())


def must_declare(gap, los):
    """HEX-TGT-03: at two hexes with sight the charger has to say whether this is a target."""
    return gap == 2 and los


def must_declare_at_start(gap, kind, declare_at_start_vs_cav=False):
    """HEX-TGT-05: from one or two hexes of foot or guns, before the first step."""
    if gap not in (1, 2):
        return False
    return kind in ("INF", "ART") or declare_at_start_vs_cav


def may_fire_at_opportunity(target):
    """HEX-TGT-11: not when it was adjacent to the charger from the start."""
    return not target.get("adjacent_at_start", False)


def missed(declared, contacted, miss_rule="all_missed"):
    """HEX-TGT-07: whether the declared targets count as missed."""
    hit = [target in contacted for target in declared]
    if not hit:
        return False
    if miss_rule == "any_missed":
        return not all(hit)
    return not any(hit)
