"""The battle as plain shapes: arcs, reach, chosen sides, ways, meetings, flights and failures.

It is drawn as it goes at the stated poses and Moves; where the first declarer is a coin, as when
the active side wins that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

from chargesim.rulesets import Drawing, Point, Shape
from chargesim.rulesets.games import SIDES, Step
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.legality import corners_of, direction
from chargesim.rulesets.ranked_regiment.scenario import KINDS, Model, Unit
from chargesim.rulesets.ranked_regiment.setup import setup
from chargesim.words import translation


def mark(text: str) -> str:
    """Give a message back unchanged, for the tool that collects messages."""
    return text


GROUND = {
    "forest": mark("forest: one sees into it, not through it"),
    "building": mark("building"),
    "cliff": mark("cliff"),
    "rocks": mark("rocks"),
    "impassable": mark("impassable, hides nothing"),
}
WORDS = {
    "table": mark("edge of the table"),
    "zone": mark("reach: within its Move and its sight arc"),
    "arc": mark("arcs that part the sides of a charged unit"),
    "active": mark("active side"),
    "reactive": mark("reactive side"),
    "front": mark("front"),
    "noise": mark("one standard deviation of its place"),
    "struck": mark("side that is charged"),
    "way": mark("way of a charge"),
    "end": mark("where a unit ends up"),
    "meeting": mark("where charge and counter-charge meet"),
    "flight": mark("flight"),
    "pursuit": mark("pursuit"),
    "failed": mark("charge that fails, or is cancelled"),
    "never": mark("charge that is not declared"),
}
AVERAGE_RUN = mark("flight, of its average length")
COIN = mark("as it goes when the active side declares first")
STATED = mark("as it goes at the stated places and Moves")
_FRONT = int(st.Face.FRONT)
_EDGES = {0: (3, 2), 1: (0, 3), 2: (1, 2), 3: (0, 1)}
"""Corners, as :func:`corners_of` counts them, at the ends of each side."""


@dataclass(frozen=True)
class _Pose:
    """Where a unit stands: centre, facing, half its front and depth."""

    x: float
    y: float
    fx: float
    fy: float
    a: float
    b: float

    def at(self, u: float, v: float) -> Point:
        """A point so far to its right and so far ahead of its centre."""
        return self.x + u * self.fy + v * self.fx, self.y - u * self.fx + v * self.fy

    @property
    def corners(self) -> tuple[Point, ...]:
        """Anticlockwise from its rear left."""
        a, b = self.a, self.b
        return self.at(-a, -b), self.at(a, -b), self.at(a, b), self.at(-a, b)


@dataclass(frozen=True)
class _Move:
    """How one declared charge was resolved.

    Parameters
    ----------
    kind
        ``contact``, ``meet``, ``flight`` or ``failed``.
    charger, target
        Places of the units.
    face
        Side of the target that was declared.
    before, after
        Poses of charger and target.
    """

    kind: str
    charger: int
    target: int
    face: int
    before: tuple[_Pose, _Pose]
    after: tuple[_Pose, _Pose]


class _Course:
    """A battle played once, at the stated poses.

    Parameters
    ----------
    model
        A sound scenario.
    line
        Declarations to make; ``None`` for those that the scenario means.
    """

    def __init__(self, model: Model, line: tuple[Step, ...] | None) -> None:
        from chargesim.kernels.dice import Mode, new_dice
        from chargesim.rulesets.ranked_regiment import rules_declare, rules_resolve

        self.names = list(model.unit)
        self.game = st.LAYOUT.full(setup(model, apart=False)[0].start)[0]
        self.dice = new_dice(Mode.ENUMERATE)[0]
        self.resolving = rules_resolve
        head = self.game["head"]
        head["mover"] = int(head["first"]) % 2
        if line is None:
            while rules_declare.take_turn(self.game, self.dice):
                pass
        else:
            head["charges"] = 0
            for step in line:
                self._declare(step)
        self.lost = self._not_resolved(model, line)
        if head["run_dice"]:
            # the average of a die for every 4 points
            head["run_dice"] = 0
            for unit in self.game["units"][: len(self.names)]:
                if unit["runs"]:
                    unit["move"] = int(unit["move"] / 4) * 3.5
        self.moves = list(self._resolved())

    def _declare(self, step: Step) -> None:
        from chargesim.rulesets.ranked_regiment.rules_game import make_move

        self.game["head"]["mover"] = SIDES.index(step.side)
        u = -1 if step.unit is None else self.names.index(step.unit)
        t = -1 if step.target is None else self.names.index(step.target)
        face = 0 if step.face is None else int(st.Face[step.face.upper()])
        make_move(self.game, self.dice, u, t, face)

    def pose(self, who: int) -> _Pose:
        """Where a unit stands now."""
        unit = self.game["units"][who]
        return _Pose(*(float(unit[key]) for key in ("x", "y", "fx", "fy", "a", "b")))

    def _not_resolved(
        self, model: Model, line: tuple[Step, ...] | None
    ) -> list[tuple[str, int, int]]:
        """Charges that come to nothing before anybody moves, and whether they were declared."""
        units = self.game["units"]
        if line is not None:
            meant = [(s.unit, s.target, True) for s in line if s.kind in ("charge", "counter")]
        else:
            made = self.game["charges"]["made"]
            meant = [(c.charger, c.target, bool(made[i])) for i, c in enumerate(model.charge)]
        found = []
        for charger, target, declared in meant:
            u, t = self.names.index(str(charger)), self.names.index(str(target))
            if units["aim"][u] != t:
                found.append(("failed" if declared else "never", u, t))
        return found

    def _resolved(self) -> Any:
        resolving, game = self.resolving, self.game
        turn = int(resolving.next_charge(game, 0))
        while turn >= 0:
            orders = int(game["head"]["order"])
            u = int(resolving.in_order(game, turn % orders + 1))
            t = int(game["units"]["aim"][u])
            partner = int(resolving.partner_of(game, u))
            runs = bool(game["units"]["runs"][t]) and partner < 0
            face = int(game["units"]["aim_side"][u])
            before = self.pose(u), self.pose(t)
            resolving.resolve(game, self.dice, turn)
            after = self.pose(u), self.pose(t)
            fights = t in game["units"]["foe"][u]
            kind = "flight" if runs else "failed" if not fights else "contact"
            if fights and partner >= 0 and after[1] != before[1]:
                kind = "meet"
            yield _Move(kind, u, t, face, before, after)
            turn = int(resolving.next_charge(game, turn + 1))


def reach_region(unit: Unit) -> tuple[Point, ...]:
    """Outline of what a unit reaches: ahead of its front edge and 45 degrees outward."""
    a, b, move = unit.frontage / 2, unit.depth / 2, unit.middle_move
    turns = np.linspace(0.0, np.pi / 4, 11)
    fan = [(move * float(np.sin(t)), move * float(np.cos(t))) for t in turns]
    local = [(-a, b), *((-a - p, b + q) for p, q in reversed(fan))]
    local += [*((a + p, b + q) for p, q in fan), (a, b)]
    pose = _Pose(*unit.at, *direction(unit.facing), a, b)
    return tuple(pose.at(u, v) for u, v in local)


def draw(model: Model, lang: str, line: tuple[Step, ...] | None = None) -> Drawing:
    """Shapes of a battle and what they mean.

    Parameters
    ----------
    model
        A sound scenario.
    lang
        Language of the legend.
    line
        Declarations to draw in place of those that the scenario means.
    """
    say = translation("ranked_regiment", lang).gettext
    course = _Course(model, line)
    shapes, kinds = _ground(model)
    size = _size(model)
    chargers = {course.names[u] for _, u, _ in course.lost} | {
        course.names[move.charger] for move in course.moves
    }
    chargers |= {course.names[move.target] for move in course.moves if move.kind == "meet"}
    charged = {course.names[move.target] for move in course.moves}
    shapes += [
        Shape("zone", reach_region(unit))
        for name, unit in model.unit.items()
        if name in chargers and unit.middle_move > 0
    ]
    for name in model.unit:
        if name in charged:
            shapes += _arcs(model.unit[name], 3 * size)
    for name, unit in model.unit.items():
        shapes += _unit(unit, size)
        shapes.append(_name(name, unit, size))
    places = {(c.charger, c.target): i for i, c in enumerate(model.charge)}
    if line is not None:
        places = {}
    told = []
    for kind, u, t in course.lost:
        ends = model.unit[course.names[u]].at, model.unit[course.names[t]].at
        shapes.append(Shape(kind, ends))
        told += _outcome(places, course, u, t, ends)
    for move in course.moves:
        shapes += _moved(move, size)
        near = move.before[0].at(0, move.before[0].b), move.after[0].at(0, move.after[0].b)
        told += _outcome(places, course, move.charger, move.target, near)
    shapes += told
    met = {shape.role for shape in shapes}
    words = dict(WORDS)
    if "flight" in met and model.switches.flight_move == "dice":
        words["flight"] = AVERAGE_RUN
    legend = [(role, say(GROUND[kind])) for role, kind in kinds.items()]
    legend += [(role, say(text)) for role, text in words.items() if role in met]
    if model.first == "coin":
        legend.append(("none", say(COIN)))
    if "noise" in met or any(not isinstance(unit.move, float) for unit in model.unit.values()):
        legend.append(("none", say(STATED)))
    return Drawing(tuple(shapes), tuple(legend))


def _outcome(
    places: dict[tuple[str, str], int], course: _Course, u: int, t: int, ends: tuple[Point, Point]
) -> list[Shape]:
    """Where the chances of a charge of the file are to be written: on its way."""
    number = places.get((course.names[u], course.names[t]))
    if number is None:
        return []
    (x0, y0), (x1, y1) = ends
    # ways that run side by side are written on at different places
    share = (0.5, 0.72, 0.28)[number % 3]
    return [Shape("outcome", ((x0 + share * (x1 - x0), y0 + share * (y1 - y0)),), charge=number)]


def _size(model: Model) -> float:
    """A length that looks the same in every picture: a fiftieth of what is shown."""
    points = [p for unit in model.unit.values() for p in corners_of(unit)]
    points += [p for piece in model.terrain for p in piece.polygon]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(max(xs) - min(xs), max(ys) - min(ys), 1.0) / 50


def _ground(model: Model) -> tuple[list[Shape], dict[str, str]]:
    """Table and terrain, and the kinds of terrain by their role."""
    shapes, kinds = [], {}
    if model.table is not None:
        w, h = model.table.width, model.table.height
        shapes.append(Shape("table", ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (0.0, 0.0))))
    for piece in model.terrain:
        role = f"ground {list(KINDS).index(piece.kind)}"
        kinds[role] = piece.kind
        shapes.append(Shape(role, tuple(piece.polygon)))
        if piece.name:
            x = sum(x for x, _ in piece.polygon) / len(piece.polygon)
            y = sum(y for _, y in piece.polygon) / len(piece.polygon)
            shapes.append(Shape("ground name", ((x, y),), piece.name))
    return shapes, dict(sorted(kinds.items()))


def _arcs(unit: Unit, far: float) -> list[Shape]:
    """The four lines that part the ground around a unit."""
    pose = _Pose(*unit.at, *direction(unit.facing), unit.frontage / 2, unit.depth / 2)
    ends = ((i * pose.a, j * pose.b, i * far, j * far) for i in (-1, 1) for j in (-1, 1))
    return [Shape("arc", (pose.at(u, v), pose.at(u + du, v + dv))) for u, v, du, dv in ends]


def _unit(unit: Unit, size: float) -> list[Shape]:
    corners = corners_of(unit)
    pose = _Pose(*unit.at, *direction(unit.facing), unit.frontage / 2, unit.depth / 2)
    shapes = [Shape(unit.side, corners), Shape("front", (corners[3], corners[2]))]
    tip, foot = pose.b + size, pose.b + 0.15 * size
    half = min(0.5 * size, pose.a)
    shapes.append(Shape("facing", (pose.at(0, tip), pose.at(-half, foot), pose.at(half, foot))))
    if unit.noise.x or unit.noise.y:
        turns = np.linspace(0.0, 2 * np.pi, 33)
        x, y = unit.at
        ring = tuple(
            (x + unit.noise.x * float(np.cos(t)), y + unit.noise.y * float(np.sin(t)))
            for t in turns
        )
        shapes.append(Shape("noise", ring))
    return shapes


def _name(name: str, unit: Unit, size: float) -> Shape:
    """A unit's name, behind it."""
    fx, fy = direction(unit.facing)
    far = unit.depth / 2 + 1.4 * size
    side = "center" if abs(fx) < 0.5 else "right" if fx > 0 else "left"
    return Shape("name", ((unit.at[0] - far * fx, unit.at[1] - far * fy),), name, side)


def _struck(pose: _Pose, face: int) -> Shape:
    i, j = _EDGES[face]
    return Shape("struck", (pose.corners[i], pose.corners[j]))


def _way(role: str, begin: Point, end: Point) -> list[Shape]:
    """A way, unless it is too short to be drawn."""
    if hypot(end[0] - begin[0], end[1] - begin[1]) < 1e-6:
        return []
    return [Shape(role, (begin, end))]


def _moved(move: _Move, size: float) -> list[Shape]:
    """What became of a charge, as shapes."""
    (one, other), (one_after, other_after) = move.before, move.after
    front = one.at(0, one.b)
    if move.kind == "failed":
        edge = [other.corners[i] for i in _EDGES[move.face]]
        goal = (edge[0][0] + edge[1][0]) / 2, (edge[0][1] + edge[1][1]) / 2
        return [Shape("failed", (front, goal)), _struck(other, move.face)]
    if move.kind == "flight":
        return [
            *_way("flight", (other.x, other.y), (other_after.x, other_after.y)),
            *_way("pursuit", front, one_after.at(0, one_after.b)),
            Shape("end", other_after.corners),
            Shape("end", one_after.corners),
        ]
    end = one_after.at(0, one_after.b)
    shapes = [*_way("way", front, end), Shape("end", one_after.corners)]
    if move.kind == "meet":
        spot = 0.6 * size
        x, y = end
        ring = ((x - spot, y), (x, y - spot), (x + spot, y), (x, y + spot))
        shapes += _way("way", other.at(0, other.b), other_after.at(0, other_after.b))
        return [*shapes, Shape("end", other_after.corners), Shape("meeting", ring)]
    return [*shapes, _struck(other, move.face)]
