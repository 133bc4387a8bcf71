"""What a unit sees and reaches, the side it stands at, and room to end in contact.

Nothing moves while charges are declared, so what one unit knows of another is surveyed once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.geometry import (
    NEAR,
    RIM,
    ROOM,
    arc_distance,
    area,
    bodies_overlap,
    body_on_polygon,
    cut,
    cut_to_arc,
    edge_to_polygon,
    frame_u,
    frame_v,
    into_frame,
    is_cut_off,
    length,
    polygons_overlap,
    rectangle,
    sees,
    side_at,
    widen,
)
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.state import CORNERS, Face, State, Why, whole

_FRONT, _LEFT, _RIGHT, _REAR = int(Face.FRONT), int(Face.LEFT), int(Face.RIGHT), int(Face.REAR)
_OUT_OF_ARC, _HIDDEN = int(Why.OUT_OF_ARC), int(Why.HIDDEN)
_NO_ROOM, _NO_PATH = int(Why.NO_ROOM), int(Why.NO_PATH)
_OFF_TABLE, _DESTROYED = int(State.OFF_TABLE), int(State.DESTROYED)


@kernel
def on_field(game: Any, who: int) -> bool:
    """True for a unit that stands somewhere."""
    state = whole(game["units"][who]["state"])
    return bool(state != _OFF_TABLE and state != _DESTROYED)


@kernel
def seen_part(game: Any, u: int, t: int, xs: Any, ys: Any, tx: Any, ty: Any) -> int:
    """Write the part of a unit that lies in another's sight arc (RNK-LOS-01).

    In the frame of who looks, ``y`` counted from its front edge; returns the number of corners.
    """
    one, other = game["units"][u], game["units"][t]
    n = rectangle(
        xs, ys, float(other["x"]), float(other["y"]), float(other["fx"]), float(other["fy"]),
        float(other["a"]), float(other["b"]),
    )  # fmt: skip
    into_frame(xs, ys, n, float(one["x"]), float(one["y"]), float(one["fx"]), float(one["fy"]))
    for i in range(n):
        ys[i] -= float(one["b"])
    return cut_to_arc(xs, ys, n, float(one["a"]), tx, ty)


@kernel
def add_to_sight(one: Any, px: Any, py: Any, n: int, box: Any, ox: Any, oy: Any, row: int) -> bool:
    """Put a polygon into a looker's frame, widened, as a thing in the way; False where it is not.

    ``box`` holds least and most x, and the most y, of all that could be a line of sight.
    """
    xs, ys = np.empty(CORNERS), np.empty(CORNERS)
    for i in range(n):
        xs[i], ys[i] = px[i], py[i]
    into_frame(xs, ys, n, float(one["x"]), float(one["y"]), float(one["fx"]), float(one["fy"]))
    left, right, below, above = 1e300, -1e300, 1e300, -1e300
    for i in range(n):
        ys[i] -= float(one["b"])
        left, right = min(left, xs[i]), max(right, xs[i])
        below, above = min(below, ys[i]), max(above, ys[i])
    if right < box[0] - RIM or left > box[1] + RIM or below > box[2] + RIM or above < -RIM:
        return False
    widen(xs, ys, n, RIM, ox[row], oy[row])
    return True


@kernel
def gather(game: Any, u: int, t: int, box: Any, ox: Any, oy: Any, counts: Any, woods: Any) -> int:
    """Write all that may block a unit's sight of another: units, friend or foe, and terrain.

    RNK-LOS-02. Returns how many there are.
    """
    one = game["units"][u]
    px, py = np.empty(CORNERS), np.empty(CORNERS)
    found = 0
    for w in range(whole(game["head"]["units"])):
        if w == u or w == t or not on_field(game, w):
            continue
        unit = game["units"][w]
        n = rectangle(
            px, py, float(unit["x"]), float(unit["y"]), float(unit["fx"]), float(unit["fy"]),
            float(unit["a"]), float(unit["b"]),
        )  # fmt: skip
        if add_to_sight(one, px, py, n, box, ox, oy, found):
            counts[found], woods[found] = n, False
            found += 1
    for k in range(whole(game["head"]["terrains"])):
        piece = game["terrains"][k]
        if not piece["hides"]:
            continue
        n = whole(piece["corners"])
        for i in range(n):
            px[i], py[i] = float(piece["x"][i]), float(piece["y"][i])
        if add_to_sight(one, px, py, n, box, ox, oy, found):
            counts[found], woods[found] = n, piece["wood"] == 1
            found += 1
    return found


@kernel
def look(game: Any, u: int, t: int, xs: Any, ys: Any, n: int) -> int:
    """Does a unit see another? 0, or why not (RNK-LOS-01, RNK-LOS-02, RNK-LOS-03, RNK-LOS-04).

    ``xs``, ``ys``, ``n``: the part of the other in its arc.
    """
    one, other = game["units"][u], game["units"][t]
    a = float(one["a"])
    if n == 0:
        return _OUT_OF_ARC
    u_mid = frame_u(
        float(other["x"]), float(other["y"]), float(one["x"]), float(one["y"]),
        float(one["fx"]), float(one["fy"]),
    )  # fmt: skip
    v_mid = frame_v(
        float(other["x"]), float(other["y"]), float(one["x"]), float(one["y"]),
        float(one["fx"]), float(one["fy"]),
    )  # fmt: skip
    if game["head"]["by_centre"]:
        if arc_distance(u_mid, v_mid, a, float(one["b"])) < 0.0:
            return _OUT_OF_ARC
    if whole(game["head"]["units"]) == 2 and whole(game["head"]["terrains"]) == 0:
        return 0
    box = np.array([-a, a, 0.0])
    for i in range(n):
        box[0], box[1] = min(box[0], xs[i]), max(box[1], xs[i])
        box[2] = max(box[2], ys[i])
    most = whole(game["head"]["units"]) + whole(game["head"]["terrains"])
    ox, oy = np.empty((most, CORNERS)), np.empty((most, CORNERS))
    counts, woods = np.empty(most, np.int64), np.empty(most, np.bool_)
    others = gather(game, u, t, box, ox, oy, counts, woods)
    if others == 0:
        return 0
    if game["head"]["by_centre"]:
        ahead = v_mid - float(one["b"])
        for o in range(others):
            if is_cut_off(0.0, 0.0, u_mid, ahead, ox[o], oy[o], counts[o], woods[o]):
                return _HIDDEN
        return 0
    return 0 if sees(a, xs, ys, n, ox, oy, counts, woods, others) else _HIDDEN


@kernel
def arc_of(game: Any, t: int, u: int) -> int:
    """Side of a unit at whose arc another stands: by its centre (RNK-SIDE-01).

    In the older edition the arc that holds most of it.
    """
    one, other = game["units"][u], game["units"][t]
    x, y = float(other["x"]), float(other["y"])
    fx, fy = float(other["fx"]), float(other["fy"])
    a, b = float(other["a"]), float(other["b"])
    if not game["head"]["majority"]:
        ux, uy = float(one["x"]), float(one["y"])
        return side_at(frame_u(ux, uy, x, y, fx, fy), frame_v(ux, uy, x, y, fx, fy), a, b)
    best, most = 0, -1.0
    for side in range(4):
        share = part_in_arc(one, x, y, fx, fy, a, b, side)
        if share > most + NEAR:
            best, most = side, share
    return best


@kernel
def part_in_arc(
    one: Any, x: float, y: float, fx: float, fy: float, a: float, b: float, side: int
) -> float:
    """Area of a unit that lies in the arc of one side of a body."""
    xs, ys, tx, ty = np.empty(ROOM), np.empty(ROOM), np.empty(ROOM), np.empty(ROOM)
    n = rectangle(
        xs, ys, float(one["x"]), float(one["y"]), float(one["fx"]), float(one["fy"]),
        float(one["a"]), float(one["b"]),
    )  # fmt: skip
    into_frame(xs, ys, n, x, y, fx, fy)
    # score of a side: p u + q v - c
    p = np.array([0.0, -1.0, 1.0, 0.0])
    q = np.array([1.0, 0.0, 0.0, -1.0])
    c = np.array([b, a, a, b])
    for other in range(4):
        if other != side and n > 0:
            n = cut(
                xs, ys, n, p[side] - p[other], q[side] - q[other], c[side] - c[other], tx, ty
            )  # fmt: skip
    return area(xs, ys, n) if n > 2 else 0.0


@kernel
def survey(game: Any, u: int, t: int) -> Any:
    """Give what a unit knows of another, reckoned at the first time of asking (RNK-DECL-08)."""
    pair = game["pairs"][u * whole(game["head"]["units"]) + t]
    if pair["known"]:
        return pair
    one, other = game["units"][u], game["units"][t]
    xs, ys, tx, ty = np.empty(ROOM), np.empty(ROOM), np.empty(ROOM), np.empty(ROOM)
    a = float(one["a"])
    n = seen_part(game, u, t, xs, ys, tx, ty)
    pair["distance"] = edge_to_polygon(a, xs, ys, n) if n > 0 else -1.0
    pair["sight"] = look(game, u, t, xs, ys, n)
    n = rectangle(
        xs, ys, float(other["x"]), float(other["y"]), float(other["fx"]), float(other["fy"]),
        float(other["a"]), float(other["b"]),
    )  # fmt: skip
    into_frame(xs, ys, n, float(one["x"]), float(one["y"]), float(one["fx"]), float(one["fy"]))
    for i in range(n):
        ys[i] -= float(one["b"])
    pair["straight"] = edge_to_polygon(a, xs, ys, n)
    pair["arc"] = arc_of(game, t, u)
    beside = frame_u(
        float(one["x"]), float(one["y"]), float(other["x"]), float(other["y"]),
        float(other["fx"]), float(other["fy"]),
    )  # fmt: skip
    before = frame_v(
        float(one["x"]), float(one["y"]), float(other["x"]), float(other["y"]),
        float(other["fx"]), float(other["fy"]),
    )  # fmt: skip
    pair["ahead"] = before > float(other["b"]) + NEAR
    pair["flank"] = _RIGHT if beside > NEAR else _LEFT
    for side in range(4):
        pair["room"][side] = -1
    pair["known"] = 1
    return pair


@kernel
def out_x(unit: Any, side: int) -> float:
    """Direction away from a side of a unit, to the right."""
    if side == _FRONT:
        return float(unit["fx"])
    if side == _REAR:
        return -float(unit["fx"])
    return float(unit["fy"]) if side == _RIGHT else -float(unit["fy"])


@kernel
def out_y(unit: Any, side: int) -> float:
    """Direction away from a side of a unit, up."""
    if side == _FRONT:
        return float(unit["fy"])
    if side == _REAR:
        return -float(unit["fy"])
    return -float(unit["fx"]) if side == _RIGHT else float(unit["fx"])


@kernel
def side_depth(unit: Any, side: int) -> float:
    """Distance of a side from the unit's centre."""
    return float(unit["b"]) if side == _FRONT or side == _REAR else float(unit["a"])


@kernel
def side_half(unit: Any, side: int) -> float:
    """Half the length of a side."""
    return float(unit["a"]) if side == _FRONT or side == _REAR else float(unit["b"])


@kernel
def span(game: Any, u: int, t: int, side: int) -> float:
    """Length of a charge (RNK-LOS-05).

    From the front edge to the nearest point in the arc, or from front centre to side centre. A
    counter-charge that needs no sight (RNK-CTR-02) is measured to the nearest point anywhere.
    """
    pair = survey(game, u, t)
    if not game["head"]["to_side"]:
        blind = game["head"]["counter"] == 1 and game["units"][t]["aim"] == u
        if blind or float(pair["distance"]) < 0.0:
            return float(pair["straight"])
        return float(pair["distance"])
    one, other = game["units"][u], game["units"][t]
    depth = side_depth(other, side)
    x = float(other["x"]) + out_x(other, side) * depth
    y = float(other["y"]) + out_y(other, side) * depth
    b = float(one["b"])
    return length(
        x - float(one["x"]) - b * float(one["fx"]), y - float(one["y"]) - b * float(one["fy"])
    )


@kernel
def is_clear(
    game: Any, x: float, y: float, fx: float, fy: float, a: float, b: float, u: int, t: int
) -> bool:
    """True when a body would stand on no unit but these two, and on nothing impassable."""
    for w in range(whole(game["head"]["units"])):
        if w == u or w == t or not on_field(game, w):
            continue
        unit = game["units"][w]
        if bodies_overlap(
            x, y, fx, fy, a, b, float(unit["x"]), float(unit["y"]), float(unit["fx"]),
            float(unit["fy"]), float(unit["a"]), float(unit["b"]),
        ):  # fmt: skip
            return False
    for k in range(whole(game["head"]["terrains"])):
        piece = game["terrains"][k]
        if piece["impassable"]:
            if body_on_polygon(x, y, fx, fy, a, b, piece["x"], piece["y"], whole(piece["corners"])):
                return False
    return True


@kernel
def obstacles(game: Any) -> int:
    """How many units and pieces of terrain there are that a body may meet."""
    return int(whole(game["head"]["units"]) + whole(game["head"]["terrains"]))


@kernel
def obstacle(game: Any, w: int, u: int, t: int, px: Any, py: Any) -> int:
    """Write the corners of a thing that no body may share ground with: units first, then terrain.

    Returns how many; 0 where it is in nobody's way: the two units named, those that stand nowhere,
    and passable terrain.
    """
    units = whole(game["head"]["units"])
    if w < units:
        if w == u or w == t or not on_field(game, w):
            return 0
        unit = game["units"][w]
        return int(
            rectangle(
                px, py, float(unit["x"]), float(unit["y"]), float(unit["fx"]), float(unit["fy"]),
                float(unit["a"]), float(unit["b"]),
            )
        )  # fmt: skip
    piece = game["terrains"][w - units]
    if not piece["impassable"]:
        return 0
    n = whole(piece["corners"])
    for i in range(n):
        px[i], py[i] = float(piece["x"][i]), float(piece["y"][i])
    return int(n)


@kernel
def slides_to(game: Any, u: int, t: int, side: int) -> float:
    """How far along a side from its middle a charger finds room; 1e9: nowhere (RNK-RES-05).

    Centred when there is room (RNK-RES-04), else at the nearest clear spot in contact; of two as
    near, the one toward its start. Along front and rear to the unit's right, along a flank ahead.
    """
    one, other = game["units"][u], game["units"][t]
    ox, oy = out_x(other, side), out_y(other, side)
    if side == _FRONT or side == _REAR:
        ex, ey = float(other["fy"]), -float(other["fx"])
    else:
        ex, ey = float(other["fx"]), float(other["fy"])
    a, b = float(one["a"]), float(one["b"])
    depth = side_depth(other, side)
    x0, y0 = float(other["x"]) + ox * depth, float(other["y"]) + oy * depth
    x, y = x0 + ox * b, y0 + oy * b
    if is_clear(game, x, y, -ox, -oy, a, b, u, t):
        return 0.0
    limit = side_half(other, side) + a
    start = (float(one["x"]) - x0) * ex + (float(one["y"]) - y0) * ey
    toward = -1.0 if start < -NEAR else 1.0
    px, py = np.empty(CORNERS), np.empty(CORNERS)
    best = 1e9
    for w in range(obstacles(game)):
        n = obstacle(game, w, u, t, px, py)
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            # the edge's part in the band that the charger would fill, outward and along
            n0 = (px[i] - x0) * ox + (py[i] - y0) * oy
            n1 = (px[j] - x0) * ox + (py[j] - y0) * oy
            s0 = (px[i] - x0) * ex + (py[i] - y0) * ey
            s1 = (px[j] - x0) * ex + (py[j] - y0) * ey
            if max(n0, n1) <= NEAR or min(n0, n1) >= 2.0 * b - NEAR:
                continue
            c0, c1 = min(max(n0, 0.0), 2.0 * b), min(max(n1, 0.0), 2.0 * b)
            if abs(n1 - n0) > NEAR:
                s0, s1 = (
                    s0 + (c0 - n0) / (n1 - n0) * (s1 - s0),
                    s0 + (c1 - n0) / (n1 - n0) * (s1 - s0),
                )
            for way in range(2):
                s = max(s0, s1) + a if way == 0 else min(s0, s1) - a
                nearer = abs(s) < abs(best) - NEAR
                tie = abs(abs(s) - abs(best)) <= NEAR and s * toward > 0.0 and best * toward < 0.0
                if abs(s) < limit - NEAR and (nearer or tie):
                    if is_clear(game, x + s * ex, y + s * ey, -ox, -oy, a, b, u, t):
                        best = s
    return best


@kernel
def room(game: Any, u: int, t: int, side: int) -> int:
    """Room to end in contact with a side, and a clear path to it? 0, or why not (RNK-DECL-07)."""
    pair = survey(game, u, t)
    if pair["room"][side] >= 0:
        return int(whole(pair["room"][side]))
    why = 0
    s = slides_to(game, u, t, side)
    if s > 1e8:
        why = _NO_ROOM
    elif not has_path(game, u, t, side, s):
        why = _NO_PATH
    pair["room"][side] = why
    return why


@kernel
def has_path(game: Any, u: int, t: int, side: int, s: float) -> bool:
    """True when the way from the front to a side meets no other unit and nothing impassable.

    The way is the segment from front centre to side centre, or what the whole front sweeps.
    """
    one, other = game["units"][u], game["units"][t]
    fx, fy = float(one["fx"]), float(one["fy"])
    a, b = float(one["a"]), float(one["b"])
    ox, oy = out_x(other, side), out_y(other, side)
    depth = side_depth(other, side)
    x0, y0 = float(one["x"]) + b * fx, float(one["y"]) + b * fy
    x1, y1 = float(other["x"]) + depth * ox, float(other["y"]) + depth * oy
    swept = game["head"]["swept"] == 1
    hx, hy = np.empty(ROOM), np.empty(ROOM)
    corners = 0
    if swept:
        if side == _FRONT or side == _REAR:
            ex, ey = float(other["fy"]), -float(other["fx"])
        else:
            ex, ey = float(other["fx"]), float(other["fy"])
        x1, y1 = x1 + s * ex, y1 + s * ey
        ends_x = np.array([x0 - a * fy, x0 + a * fy, x1 - a * ex, x1 + a * ex])
        ends_y = np.array([y0 + a * fx, y0 - a * fx, y1 - a * ey, y1 + a * ey])
        corners = hull(ends_x, ends_y, hx, hy)
    px, py = np.empty(CORNERS), np.empty(CORNERS)
    for w in range(obstacles(game)):
        n = obstacle(game, w, u, t, px, py)
        if n == 0:
            continue
        if swept:
            if polygons_overlap(hx, hy, corners, px, py, n):
                return False
        elif is_cut_off(x0, y0, x1, y1, px, py, n, False):
            return False
    return True


@kernel
def hull(px: Any, py: Any, xs: Any, ys: Any) -> int:
    """Write the convex hull of points, anticlockwise; return how many corners it has."""
    n = px.size
    at = 0
    for i in range(n):
        if py[i] < py[at] or (py[i] == py[at] and px[i] < px[at]):
            at = i
    first, count = at, 0
    while count < n:
        xs[count], ys[count] = px[at], py[at]
        count += 1
        best = 0 if at != 0 else 1
        for i in range(n):
            turn = (px[best] - px[at]) * (py[i] - py[at]) - (py[best] - py[at]) * (px[i] - px[at])
            farther = length(px[i] - px[at], py[i] - py[at]) > length(
                px[best] - px[at], py[best] - py[at]
            )
            if turn < -NEAR or (abs(turn) <= NEAR and farther):
                best = i
        at = best
        if at == first:
            break
    return count
