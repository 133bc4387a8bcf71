"""Faults of sense in a scenario of sound form: what cannot be on a table, or is nobody."""

from __future__ import annotations

from math import hypot, radians

from chargesim.faults import Fault, name_faults, nearest
from chargesim.rulesets.ranked_regiment import state as st
from chargesim.rulesets.ranked_regiment.scenario import Model, Terrain, Unit

Point = tuple[float, float]
_SEAM = 1e-6
"""So much may bodies overlap, or stand over an edge, by rounding."""


def check(model: Model) -> list[Fault]:
    """Faults of sense in a model of sound form; RNK-TURN-01 among them."""
    faults: list[Fault] = []
    if model.turn == 1:
        faults.append(Fault("turn", "there is no charge phase on turn 1 (RNK-TURN-01): 2 or more"))
    known = set(model.unit)
    rushes = model.rushes() if all(charge.target in known for charge in model.charge) else []
    if rushes and len(model.charge) + len(rushes) > st.CHARGES:
        what = f"with {len(rushes)} that Frenzy may force there are more than {st.CHARGES} charges"
        faults.append(Fault("charge", f"{what}: fewer units, or switches.frenzy_charges = false"))
    for what, count, most in (
        ("unit", len(model.unit), st.UNITS),
        ("charge", len(model.charge), st.CHARGES),
        ("terrain", len(model.terrain), st.TERRAINS),
    ):
        if count > most:
            faults.append(Fault(what, f"{count} are too many: at most {most}"))
    if not model.unit:
        faults.append(Fault("unit", "is empty: write [unit.NAME] above the keys of each"))
    for name, unit in model.unit.items():
        faults += _check_unit(f"unit.{name}", name, unit, model)
    for i, piece in enumerate(model.terrain):
        faults += _check_terrain(f"terrain.{i}", piece)
    faults += _check_overlaps(model)
    faults += _check_table(model)
    faults += _check_charges(model)
    faults += [
        Fault(f"reaction.{name}", "is no unit" + nearest(name, model.unit))
        for name in model.reaction
        if name not in model.unit
    ]
    return faults


def _check_unit(path: str, name: str, unit: Unit, model: Model) -> list[Fault]:
    faults = name_faults(path, name)
    if unit.width is not None and unit.width > unit.models:
        faults.append(
            Fault(f"{path}.width", f"{unit.width} in front of {unit.models} models: at most all")
        )
    width, attacks = unit.width or 1, int(unit.attacks)
    most = max(
        width * (attacks + int(unit.charge_bonus.attacks) + 2),
        -(-unit.models // width) * attacks,
    )
    if most > 510:
        faults.append(
            Fault(f"{path}.attacks", f"{most} dice at one time are too many: at most 510")
        )
    if unit.models * unit.wounds > 32_000:
        faults.append(Fault(f"{path}.wounds", "of all its models are more than 32,000: fewer"))
    engaged = unit.engaged
    foes = [engaged] if isinstance(engaged, str) else []
    if isinstance(engaged, dict):
        foes = [foe for foe in engaged.values() if isinstance(foe, str)]
    for foe in foes:
        if foe not in model.unit:
            faults.append(
                Fault(f"{path}.engaged", f"there is no unit {foe!r}" + nearest(foe, model.unit))
            )
        elif model.unit[foe].side == unit.side:
            faults.append(Fault(f"{path}.engaged", f"{foe!r} is of its own side: name an enemy"))
    if engaged and unit.fleeing:
        faults.append(Fault(f"{path}.fleeing", "and engaged at one time: keep one"))
    return faults


def _check_terrain(path: str, piece: Terrain) -> list[Fault]:
    corners = piece.polygon
    where = f"{path}.polygon"
    if not 3 <= len(corners) <= st.CORNERS:
        return [Fault(where, f"{len(corners)} corners: from 3 to {st.CORNERS}")]
    if len(set(corners)) < len(corners):
        return [Fault(where, "names a corner twice: each once, the last joins the first by itself")]
    if crosses_itself(corners):
        return [Fault(where, "crosses itself: name the corners in order round the piece")]
    if abs(signed_area(corners)) < 1e-6:
        return [Fault(where, "encloses no ground: name corners that do")]
    return []


def signed_area(corners: tuple[Point, ...]) -> float:
    """Area of a polygon, positive when its corners run anticlockwise."""
    return 0.5 * sum(
        x0 * y1 - x1 * y0
        for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True)
    )


def crosses_itself(corners: tuple[Point, ...]) -> bool:
    """True when two edges that are not neighbours touch, or neighbours fold back."""
    n = len(corners)

    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    def on(p: Point, q: Point, r: Point) -> bool:
        return (
            min(p[0], q[0]) <= r[0] <= max(p[0], q[0])
            and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])
        )  # fmt: skip

    for i in range(n):
        a, b = corners[i], corners[(i + 1) % n]
        for j in range(i + 1, n):
            c, d = corners[j], corners[(j + 1) % n]
            if j == i + 1 or (i == 0 and j == n - 1):
                shared, p, q = (b, a, d) if j == i + 1 else (a, b, c)
                dot = (p[0] - shared[0]) * (q[0] - shared[0]) + (p[1] - shared[1]) * (
                    q[1] - shared[1]
                )
                if turn(p, shared, q) == 0 and dot > 0:
                    return True
                continue
            t1, t2, t3, t4 = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
            if (t1 > 0) != (t2 > 0) and (t3 > 0) != (t4 > 0) and 0 not in (t1, t2, t3, t4):
                return True
            if (
                (t1 == 0 and on(a, b, c)) or (t2 == 0 and on(a, b, d))
                or (t3 == 0 and on(c, d, a)) or (t4 == 0 and on(c, d, b))
            ):  # fmt: skip
                return True
    return False


def direction(degrees: float) -> Point:
    """Unit vector of a facing in degrees clockwise from +y, exact on the axes."""
    quarter, rest = divmod(degrees, 90.0)
    if rest == 0.0:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(quarter) % 4]
    c, s = st.cos_sin(radians(degrees))
    return s, c


def corners_of(unit: Unit) -> tuple[Point, ...]:
    """Corners of a unit, anticlockwise from its rear left."""
    (x, y), (fx, fy) = unit.at, direction(unit.facing)
    a, b = unit.frontage / 2, unit.depth / 2
    return tuple(
        (x + u * fy + v * fx, y - u * fx + v * fy)
        for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))
    )  # fmt: skip


def overlap(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """True when two rectangles share more ground than a seam."""
    for shape in (one, other):
        for (x0, y0), (x1, y1) in zip(shape, (*shape[1:], shape[0]), strict=True):
            size = hypot(x1 - x0, y1 - y0)
            nx, ny = (y1 - y0) / size, (x0 - x1) / size
            mine = [nx * x + ny * y for x, y in one]
            theirs = [nx * x + ny * y for x, y in other]
            if min(max(mine), max(theirs)) - max(min(mine), min(theirs)) < _SEAM:
                return False
    return True


def _check_overlaps(model: Model) -> list[Fault]:
    names = list(model.unit)
    shapes = [corners_of(unit) for unit in model.unit.values()]
    return [
        Fault(f"unit.{names[j]}.at", f"stands on unit {names[i]!r}: move one of them")
        for i in range(len(names))
        for j in range(i + 1, len(names))
        if overlap(shapes[i], shapes[j])
    ]


def _check_table(model: Model) -> list[Fault]:
    """Units that do not stand on the table, where there is one."""
    if model.table is None:
        return []
    wide, high = float(model.table.width), float(model.table.height)
    faults = []
    for name, unit in model.unit.items():
        xs, ys = zip(*corners_of(unit), strict=True)
        if min(*xs, *ys) < -_SEAM or max(xs) > wide + _SEAM or max(ys) > high + _SEAM:
            spans = f"x from {min(xs):g} to {max(xs):g}, y from {min(ys):g} to {max(ys):g}"
            faults.append(
                Fault(
                    f"unit.{name}.at",
                    f"stands off the table ({spans}): that goes from (0, 0) to "
                    f"({wide:g}, {high:g})",
                )
            )
    return faults


def _check_charges(model: Model) -> list[Fault]:
    faults = []
    seen: set[tuple[str, str]] = set()
    for i, charge in enumerate(model.charge):
        path = f"charge.{i}"
        unknown = False
        for key, name in (("charger", charge.charger), ("target", charge.target)):
            if name not in model.unit:
                unknown = True
                faults.append(
                    Fault(f"{path}.{key}", f"there is no unit {name!r}" + nearest(name, model.unit))
                )
        if unknown:
            continue
        if model.unit[charge.charger].side == model.unit[charge.target].side:
            faults.append(
                Fault(
                    f"{path}.target",
                    f"{charge.target!r} is of the charger's own side (RNK-DECL-06): name an enemy",
                )
            )
        if (charge.charger, charge.target) in seen:
            faults.append(Fault(path, f"stands twice: {charge.charger} on {charge.target}"))
        seen.add((charge.charger, charge.target))
    return faults
