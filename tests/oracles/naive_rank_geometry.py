"""Sight, distance, sides, contact, meeting, run and pursuit of ranked regiments."""

import math

from .naive_rank_shapes import (
    TOL,
    area,
    clip,
    inside_interval,
    overlap,
    rectangle,
    right_of,
    segment_segment,
    to_local,
    to_world,
    unit_vector,
)

STEP = 1e-7  # how far a line of sight is moved off a corner it would only graze


def front_edge(unit):
    """The two ends of the front edge, left first."""
    a, b = unit.frontage / 2, unit.depth / 2
    return to_world(-a, b, unit.at, unit.facing), to_world(a, b, unit.at, unit.facing)


def front_centre(unit):
    """The middle of the front edge."""
    return to_world(0.0, unit.depth / 2, unit.at, unit.facing)


def in_sight_arc(unit, point):
    """RNK-LOS-01: straight ahead of the front edge and 45 degrees outward at its corners."""
    u, v = to_local(point, unit.at, unit.facing)
    return v - unit.depth / 2 >= max(0.0, abs(u) - unit.frontage / 2) - TOL


def distance_to_point(unit, point):
    """The distance from the front edge to a point of the arc."""
    u, v = to_local(point, unit.at, unit.facing)
    return math.hypot(max(0.0, abs(u) - unit.frontage / 2), v - unit.depth / 2)


def reach_area(unit):
    """The area of the region a unit can reach: w*Move + (pi/4)*Move**2."""
    return unit.frontage * unit.move + math.pi / 4 * unit.move**2


def part_in_arc(unit, polygon):
    """The part of a convex polygon in the sight arc."""
    left, right = front_edge(unit)
    f, r = unit.facing, right_of(unit.facing)
    part = clip(polygon, f[0], f[1], f[0] * left[0] + f[1] * left[1])
    for corner, sign in ((left, 1), (right, -1)):
        nx, ny = unit_vector(f[0] + sign * r[0], f[1] + sign * r[1])
        part = clip(part, nx, ny, nx * corner[0] + ny * corner[1]) if part else part
    return part


def edge_distance(unit, polygon):
    """The smallest distance between the front edge and a convex polygon, inf if it is empty."""
    if not polygon:
        return math.inf
    left, right = front_edge(unit)
    return min(
        segment_segment(left, right, p, polygon[(i + 1) % len(polygon)])
        for i, p in enumerate(polygon)
    )


def charge_distance(unit, target, side, how, whole=False):
    """RNK-LOS-05: front edge to the nearest target point in the arc, or centre to side centre.

    With whole=True the arc is ignored: the nearest point of all the target.
    """
    if how == "centre_side":
        return math.dist(front_centre(unit), side_centre(target, side))
    corners = target.corners()
    return edge_distance(unit, corners if whole else part_in_arc(unit, corners))


# ---------------------------------------------------------------- line of sight


def solid_blocks(p, q, solids):
    """RNK-LOS-02: whether sight from p to q meets a unit, building, cliff or rock."""
    return any(inside_interval(p, q, piece, 1e-10) is not None for piece in solids)


def forest_blocks(p, q, forest):
    """RNK-LOS-03: sight enters a forest and leaves the one it starts in, but crosses none."""
    dx, dy = unit_vector(q[0] - p[0], q[1] - p[1])
    start = (p[0] - STEP * dx, p[1] - STEP * dy)
    spans = []
    for piece in forest:
        span = inside_interval(start, q, piece, 1e-10)
        if span is not None:
            spans.append(span)
    merged = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1] + 1e-9:
            merged[-1][1] = max(high, merged[-1][1])
        else:
            merged.append([low, high])
    return any(low > 0 and high < 1 and high - low > 1e-9 for low, high in merged)


def sees_point(p, q, solids, forests):
    """Whether nothing stops the sight from p to q."""
    if math.dist(p, q) < 1e-12:
        return True
    return not solid_blocks(p, q, solids) and not any(forest_blocks(p, q, f) for f in forests)


def line_of_sight(unit, target, how, solids, forests):
    """RNK-LOS-04: any front-edge point sees any target point in the arc, or centre to centre."""
    if how == "centre":
        q = target.at
        return in_sight_arc(unit, q) and sees_point(front_centre(unit), q, solids, forests)
    part = part_in_arc(unit, target.corners())
    return bool(part) and any_line(unit, part, solids, forests)


def any_line(unit, part, solids, forests):
    """Whether some point of the front edge sees some point of a polygon in the arc.

    Some straight lines are tried first. Then all that matter: an open set of free lines has a
    corner, and that is a line through two vertices; so every such line is moved a little off both.
    """
    if sampled_line(unit, part, solids, forests, 5):
        return True
    if area(part) < 1e-12:
        return False
    plain = [*front_edge(unit), *part]
    corners = [p for piece in solids for p in piece]
    corners += [p for forest in forests for piece in forest for p in piece]
    points = [(p, (-1, 0, 1)) for p in plain] + [(p, (-1, 1)) for p in corners]
    for i, (p, p_shifts) in enumerate(points):
        for q, q_shifts in points[i + 1 :]:
            if math.dist(p, q) < 1e-6:
                continue
            for sp in p_shifts:
                for sq in q_shifts:
                    ends = shifted_ends(unit, part, p, q, sp, sq)
                    if ends is not None and sees_point(*ends, solids, forests):
                        return True
    return False


def shifted_ends(unit, part, p, q, sp, sq):
    """Where the line through p and q, moved off them, leaves the front edge and enters part."""
    dx, dy = unit_vector(q[0] - p[0], q[1] - p[1])
    p = (p[0] - dy * STEP * sp, p[1] + dx * STEP * sp)
    q = (q[0] - dy * STEP * sq, q[1] + dx * STEP * sq)
    (pu, pv), (qu, qv) = (to_local(x, unit.at, unit.facing) for x in (p, q))
    if abs(qv - pv) < 1e-12:
        return None
    b = unit.depth / 2
    slope = (qu - pu) / (qv - pv)
    u0 = pu + (b - pv) * slope
    if abs(u0) > unit.frontage / 2 + 1e-12:
        return None
    start = to_world(u0, b, unit.at, unit.facing)
    far = max(to_local(x, unit.at, unit.facing)[1] for x in part) + 1.0
    end = to_world(u0 + (far - b) * slope, far, unit.at, unit.facing)
    span = inside_interval(start, end, part, 0.0)
    if span is None:
        return None
    t = span[0] + min(STEP / math.dist(start, end), (span[1] - span[0]) / 2)
    return start, (start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]))


def sampled_line(unit, part, solids, forests, n):
    """Whether one of n front-edge points sees a point on the rim of a polygon, or its middle."""
    left, right = front_edge(unit)
    middle = (
        sum(x for x, _ in part) / len(part),
        sum(y for _, y in part) / len(part),
    )
    goals = [middle]
    for i, p in enumerate(part):
        q = part[(i + 1) % len(part)]
        for k in range(max(1, n - 1)):
            t = k / max(1, n - 1)
            x, y = p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])
            goals.append((x + 1e-6 * (middle[0] - x), y + 1e-6 * (middle[1] - y)))
    for k in range(n):
        t = k / (n - 1)
        p = (left[0] + t * (right[0] - left[0]), left[1] + t * (right[1] - left[1]))
        if any(sees_point(p, q, solids, forests) for q in goals):
            return True
    return False


# ---------------------------------------------------------------- sides


def side_scores(target, point):
    """How far a point is beyond each side's line, in the target's frame."""
    u, v = to_local(point, target.at, target.facing)
    a, b = target.frontage / 2, target.depth / 2
    return {"front": v - b, "left": -u - a, "right": u - a, "rear": -v - b}


def side_hit(target, point, tie=("front", "left", "right", "rear")):
    """RNK-SIDE-01: the arc that holds the charger's centre; ties go by order."""
    scores = side_scores(target, point)
    best = max(scores.values())
    for side in tie:
        if scores[side] >= best - TOL:
            return side
    raise AssertionError("the best score is nobody's")


def arc_areas(target, polygon):
    """The area of a convex polygon in each of the target's four arcs."""
    f, r = target.facing, right_of(target.facing)
    a, b = target.frontage / 2, target.depth / 2
    # score of a side = n . (p - centre) - half
    normals = {
        "front": (f, b),
        "left": ((-r[0], -r[1]), a),
        "right": (r, a),
        "rear": ((-f[0], -f[1]), b),
    }
    areas = {}
    for side, (n, half) in normals.items():
        part = polygon
        for other, (m, other_half) in normals.items():
            if other != side and part:
                nx, ny = n[0] - m[0], n[1] - m[1]
                limit = nx * target.at[0] + ny * target.at[1] + half - other_half
                part = clip(part, nx, ny, limit)
        areas[side] = area(part) if len(part) > 2 else 0.0
    return areas


def side_of_most(target, charger, tie):
    """The older edition's side: the arc that holds most of the charger."""
    areas = arc_areas(target, charger.corners())
    best = max(areas.values())
    return next(side for side in tie if areas[side] >= best - TOL)


def fallback_from_flank(target, point):
    """RNK-ONE-04: from a closed flank to the front, if ahead of the target's front line."""
    _, v = to_local(point, target.at, target.facing)
    return "front" if v > target.depth / 2 + TOL else None


def fallback_from_rear(target, point, centre="left"):
    """RNK-ONE-05: from the closed rear to the flank on the charger's side."""
    u, _ = to_local(point, target.at, target.facing)
    if abs(u) <= TOL:
        return centre
    return "right" if u > 0 else "left"


def open_side(target, point, side, is_closed, steps=1, rear_centre="left"):
    """RNK-ONE-06: the side that is charged after at most so many steps round, or None."""
    while side is not None and is_closed(side):
        if steps == 0 or side == "front":
            return None
        steps -= 1
        if side == "rear":
            side = fallback_from_rear(target, point, rear_centre)
        else:
            side = fallback_from_flank(target, point)
    return side


# ---------------------------------------------------------------- contact


def side_frame(target, side):
    """(normal outward, along, half, length) of a side; along is its right or its facing."""
    f, r = target.facing, right_of(target.facing)
    if side == "front":
        return f, r, target.depth / 2, target.frontage
    if side == "rear":
        return (-f[0], -f[1]), r, target.depth / 2, target.frontage
    if side == "right":
        return r, f, target.frontage / 2, target.depth
    return (-r[0], -r[1]), f, target.frontage / 2, target.depth


def side_centre(target, side):
    """The middle of a side."""
    n, _, half, _ = side_frame(target, side)
    return (target.at[0] + half * n[0], target.at[1] + half * n[1])


def contact_pose(charger, target, side, slide=0.0):
    """RNK-RES-04: flush with the side, centred or slid along it; (centre, facing)."""
    n, along, half, _ = side_frame(target, side)
    out = half + charger.depth / 2
    x = target.at[0] + out * n[0] + slide * along[0]
    y = target.at[1] + out * n[1] + slide * along[1]
    return (x, y), (-n[0], -n[1])


def slide_spot(charger, target, side, pieces):
    """RNK-RES-05: the clear spot nearest to the middle of the side, or None.

    Ties go toward where the charger stands; from straight ahead, the positive way.
    """
    n, along, half, length = side_frame(target, side)
    taken = []
    for piece in pieces:
        flat = []
        for p in piece:
            dx, dy = p[0] - target.at[0], p[1] - target.at[1]
            flat.append((dx * along[0] + dy * along[1], dx * n[0] + dy * n[1] - half))
        flat = clip(flat, 0.0, 1.0, TOL, 0.0)
        flat = clip(flat, 0.0, -1.0, TOL - charger.depth, 0.0) if flat else flat
        if flat:
            xs = [x for x, _ in flat]
            taken.append((min(xs) - charger.frontage / 2, max(xs) + charger.frontage / 2))
    spots = []
    for s in [0.0] + [end for span in taken for end in span]:
        fits = abs(s) < (length + charger.frontage) / 2 - TOL
        if fits and not any(low + TOL < s < high - TOL for low, high in taken):
            spots.append(s)
    if not spots:
        return None
    nearest = min(abs(s) for s in spots)
    dx, dy = charger.at[0] - target.at[0], charger.at[1] - target.at[1]
    start = dx * along[0] + dy * along[1]
    tied = [s for s in spots if abs(s) <= nearest + TOL]
    return min(tied) if start < -TOL else max(tied)


def path_clear(charger, target, side, pieces):
    """Whether the segment from front centre to side centre passes through no piece."""
    p, q = front_centre(charger), side_centre(target, side)
    return all(inside_interval(p, q, piece, -TOL) is None for piece in pieces)


def clear(corners, pieces):
    """Whether a rectangle overlaps none of the pieces."""
    return not any(overlap(corners, piece) for piece in pieces)


# ---------------------------------------------------------------- meeting, run, pursuit


def meeting(first, second, how="front_gap"):
    """RNK-CTR-03: halfway, front to front; (point, pose of first, pose of second)."""
    d = unit_vector(second.at[0] - first.at[0], second.at[1] - first.at[1])
    p, q = first.at, second.at
    if how == "front_gap":
        p = (p[0] + d[0] * first.depth / 2, p[1] + d[1] * first.depth / 2)
        q = (q[0] - d[0] * second.depth / 2, q[1] - d[1] * second.depth / 2)
    m = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
    back, ahead = first.depth / 2, second.depth / 2
    return (
        m,
        ((m[0] - d[0] * back, m[1] - d[1] * back), d),
        ((m[0] + d[0] * ahead, m[1] + d[1] * ahead), (-d[0], -d[1])),
    )


def clear_travel(centre, direction, frontage, depth, full, pieces):
    """How far a rectangle goes straight ahead before the first piece; None if it stands on one."""
    limit = full
    for piece in pieces:
        flat = [to_local(p, centre, direction) for p in piece]
        flat = clip(flat, 1.0, 0.0, TOL - frontage / 2, 0.0)
        flat = clip(flat, -1.0, 0.0, TOL - frontage / 2, 0.0) if flat else flat
        if not flat:
            continue
        nearest, furthest = min(v for _, v in flat), max(v for _, v in flat)
        if nearest >= depth / 2 - TOL:
            limit = min(limit, max(0.0, nearest - depth / 2))
        elif furthest > -depth / 2 + TOL:
            return None
    return limit


def straight_run(unit, direction, full, pieces, blocked="stop_short"):
    """RNK-FLEE-10: a turn and a straight move, short of what is in the way; (centre, facing).

    A unit that has no room even to turn keeps its pose.
    """
    length = full
    if blocked == "stop_short":
        length = clear_travel(unit.at, direction, unit.frontage, unit.depth, full, pieces)
        if length is None:
            return unit.at, unit.facing
    x = unit.at[0] + length * direction[0]
    return (x, unit.at[1] + length * direction[1]), direction


def flight_direction(charger, runner):
    """RNK-FLEE-06: straight away from the charger, centre to centre."""
    return unit_vector(runner.at[0] - charger.at[0], runner.at[1] - charger.at[1])


def pose_corners(unit, pose):
    """The corners of a unit if it stood in another pose."""
    return rectangle(pose[0], pose[1], unit.frontage, unit.depth)
