"""The map of a scenario as plain shapes: ground, zones, units with their facing, ways and ends."""

from __future__ import annotations

from itertools import product
from math import cos, hypot, radians, sin, sqrt
from typing import Any

from chargesim.rulesets import Drawing, Point, Shape
from chargesim.rulesets.hex_increment.hexes import Board, Hex, moved
from chargesim.rulesets.hex_increment.plan import board, facing_of, plans
from chargesim.rulesets.hex_increment.scenario import Model, Terrain, Unit
from chargesim.words import translation

MOST_NUMBERED, MOST_EMPTY = 250, 3_000
"""So many hexes are drawn with their coordinates; so many at all, where they are empty."""
ROUND_ABOUT = ("skirmish", "square")
"""Formations that face all round."""
AROUND = 1.8
"""What is drawn around all that matters, in sides of a hex."""


def mark(text: str) -> str:
    """Give a message back unchanged, for the tool that collects messages."""
    return text


WORDS = {
    "zone": mark("charge zone"),
    "active": mark("the side that charges"),
    "reactive": mark("the side that is charged"),
    "target": mark("declared target"),
    "front": mark("front hexsides"),
    "way": mark("way of the charge"),
    "end": mark("where it ends"),
}
FACTS = {
    "general_order": mark("General Order"),
    "prohibited": mark("no cavalry"),
    "blocks_sight": mark("blocks sight"),
    "shelter": mark("shelter"),
}
COST = mark("cost {cost}")


def centre(at: Hex) -> Point:
    """Middle of a hex whose sides are 1 long; direction 1 leads up to the right."""
    q, r = at
    return sqrt(3) * (q + r / 2), -1.5 * r


def _outline(at: Hex, size: float = 1.0) -> tuple[Point, ...]:
    x, y = centre(at)
    corners = [radians(30 + 60 * i) for i in range(6)]
    return tuple((x + size * cos(a), y + size * sin(a)) for a in corners)


def _front_sides(at: Hex, facing: int, size: float) -> tuple[Point, ...]:
    """The two hexsides that a unit faces, and the corner between them."""
    x, y = centre(at)
    corners = [radians(60 * facing + turn) for turn in (-30, 30, 90)]
    return tuple((x + size * cos(a), y + size * sin(a)) for a in corners)


def _arrow(at: Hex, facing: int) -> tuple[Point, ...]:
    """A small head that points to the corner between the two front hexsides."""
    x, y = centre(at)
    ahead = radians(60 * facing + 30)
    turns = ((0.66, 0.0), (0.46, 0.9), (0.2, 0.0), (0.46, -0.9))
    return tuple((x + far * cos(ahead + turn), y + far * sin(ahead + turn)) for far, turn in turns)


def draw(model: Model, lang: str) -> Drawing:
    """Shapes of the map and what its colours mean.

    Parameters
    ----------
    model
        A sound scenario.
    lang
        Language of the legend.
    """
    say = translation("hex_increment", lang).gettext
    every = plans(model)
    targets = {met.name for plan in every for met in plan.met}
    zone = {at for plan in every for at in plan.zone}
    shapes, kinds = _ground(model, zone)
    ground = board(model)
    shapes += [Shape("zone", _outline(at)) for at in sorted(zone) if ground.holds(at)]
    for plan in every:
        before = set(plan.move.bodies[0])
        shapes += [Shape("end", _outline(at, 0.86)) for at in plan.move.end if at not in before]
    for name, unit in model.unit.items():
        shapes += _unit(unit, name in targets)
    for plan in every:
        for at, facing in plan.turned:
            shapes.append(Shape("front", _front_sides(at, facing, 0.92)))
            shapes.append(Shape("facing", _arrow(at, facing)))
    for plan in every:
        line = tuple(_middle(body) for body in plan.move.bodies)
        if len(line) > 1:
            shapes.append(Shape("way", line))
    taken = {at for unit in model.unit.values() for at in unit.hexes}
    taken |= {at for plan in every for at in plan.move.end}
    shapes += [_name(name, unit, taken) for name, unit in model.unit.items()]
    met = {shape.role for shape in shapes}
    legend = [(kind, _terrain_words(kind_name, model, say)) for kind, kind_name in kinds.items()]
    legend += [(role, say(text)) for role, text in WORDS.items() if role in met]
    return Drawing(tuple(shapes), tuple(legend))


def _middle(body: tuple[Hex, ...]) -> Point:
    points = [centre(at) for at in body]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _name(name: str, unit: Unit, taken: set[Hex]) -> Shape:
    """A unit's name: behind it where there is room, else beside it; its hex is taken then."""
    facing = facing_of(unit)
    toward = 0 if facing is None or unit.formation in ROUND_ABOUT else facing + 3
    if unit.formation == "company_column":
        toward = 5
    x, y = _middle(unit.hexes)
    hexes = sorted(unit.hexes, key=lambda at: (hypot(centre(at)[0] - x, centre(at)[1] - y), at))
    for turn, at in product((0, 1, -1, 2, -2, 3), hexes):
        if moved(at, toward + turn) not in taken:
            break
    else:
        turn, at = 0, hexes[0]
    taken.add(moved(at, toward + turn))
    angle = radians(60 * (toward + turn))
    x, y = centre(at)
    side = "left" if cos(angle) > 0.1 else "right"
    return Shape("name", ((x + 0.95 * cos(angle), y + 1.05 * sin(angle)),), name, side)


def _unit(unit: Unit, is_target: bool) -> list[Shape]:
    shapes = []
    for place, at in enumerate(unit.hexes):
        shapes.append(Shape(unit.side, _outline(at, 0.8)))
        if is_target:
            shapes.append(Shape("target", _outline(at, 0.8)))
        facing = facing_of(unit, place)
        if facing is not None and unit.formation not in ROUND_ABOUT:
            shapes.append(Shape("front", _front_sides(at, facing, 0.9)))
            shapes.append(Shape("facing", _arrow(at, facing)))
    return shapes


def _ground(model: Model, zone: set[Hex]) -> tuple[list[Shape], dict[str, str]]:
    """The hexes around all that matters, and the kinds of ground among them by their role."""
    ground = board(model)
    matters = {at for at in zone if ground.holds(at)}
    matters |= {at for unit in model.unit.values() for at in unit.hexes}
    named = {at: kind for kind, hexes in model.map.hexes.items() for at in hexes}
    seen = _around(matters | named.keys(), ground)
    if len(seen) > MOST_NUMBERED:
        seen = _around(matters, ground)
    if len(seen) > MOST_EMPTY:
        seen = [at for at in seen if at in named]
    order = list(dict.fromkeys((*model.map.terrain, model.map.default)))
    order = [kind for kind in order if kind != "open" or "open" in model.map.terrain]
    roles = {kind: f"ground {i % GROUNDS}" for i, kind in enumerate(order)}
    shapes, kinds = [], {}
    for at in seen:
        kind = named.get(at, model.map.default)
        role = roles.get(kind, "open")
        if role != "open":
            kinds[role] = kind
        shapes.append(Shape(role, _outline(at)))
        if len(seen) <= MOST_NUMBERED:
            x, y = centre(at)
            shapes.append(Shape("place", ((x, y - 0.72),), f"{at[0]},{at[1]}"))
    return shapes, dict(sorted(kinds.items()))


def _around(matters: set[Hex], ground: Board) -> list[Hex]:
    """Hexes of the map in the rectangle that holds what matters."""
    points = [centre(at) for at in matters]
    left, right = min(x for x, _ in points) - AROUND, max(x for x, _ in points) + AROUND
    low, high = min(y for _, y in points) - AROUND, max(y for _, y in points) + AROUND
    found = []
    for r in range(int(-high / 1.5) - 1, int(-low / 1.5) + 2):
        first, last = (int(x / sqrt(3) - r / 2) for x in (left, right))
        for q in range(first - 1, last + 2):
            x, y = centre((q, r))
            if ground.holds((q, r)) and left <= x <= right and low <= y <= high:
                found.append((q, r))
    return found


GROUNDS = 6
"""Kinds of ground that are told apart."""


def _terrain_words(kind: str, model: Model, say: Any) -> str:
    """A kind of ground by its name and what it does to a charge."""
    terrain = model.map.terrain.get(kind, Terrain())
    facts = [say(text) for key, text in FACTS.items() if getattr(terrain, key)]
    if terrain.cost != 1:
        facts.insert(0, say(COST).format(cost=f"{terrain.cost:g}"))
    return f"{kind} ({', '.join(facts)})" if facts else kind
