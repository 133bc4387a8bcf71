"""Plane geometry of formed bodies: frames, arcs, sides, distances, overlaps and free sight.

A body is a rectangle: its centre, the unit vector it faces along, half its front ``a`` and half its
depth ``b``. In its own frame ``u`` grows to its right and ``v`` ahead. Polygons are arrays of
corners, anticlockwise, with a count; none may cross itself. Touching is no overlap.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel

CORNERS = 24
"""Most corners of a polygon that is given."""
ROOM = 48
"""Room for the corners of a polygon that is being cut."""
NEAR = 1e-9
"""Lengths that differ by less are equal."""
RIM = 1e-7
"""So much wider than drawn is what blocks sight: bodies that touch leave no gap."""
FRONT, LEFT, RIGHT, REAR = 0, 1, 2, 3


@kernel
def length(dx: float, dy: float) -> float:
    """Length of a way; by a square root, which every machine rounds alike."""
    return sqrt(dx * dx + dy * dy)


@kernel
def frame_u(x: float, y: float, cx: float, cy: float, fx: float, fy: float) -> float:
    """How far right of a body's centre a point lies."""
    return (x - cx) * fy - (y - cy) * fx


@kernel
def frame_v(x: float, y: float, cx: float, cy: float, fx: float, fy: float) -> float:
    """How far ahead of a body's centre a point lies."""
    return (x - cx) * fx + (y - cy) * fy


@kernel
def arc_distance(u: float, v: float, a: float, b: float) -> float:
    """Distance from a body's front edge to a point of its sight arc; -1 outside the arc.

    The arc is all that lies ahead of the front edge and 45 degrees outward from each of its ends.
    """
    ahead, beside = v - b, max(0.0, abs(u) - a)
    if ahead < beside - NEAR:
        return -1.0
    return length(beside, max(ahead, 0.0))


@kernel
def side_at(u: float, v: float, a: float, b: float) -> int:
    """Side of a body in whose arc a point lies: 0 front, 1 left, 2 right, 3 rear.

    Lines at 45 degrees from its corners part the arcs; on a line the first of that order.
    """
    best, side = v - b, FRONT
    if -u - a > best + NEAR:
        best, side = -u - a, LEFT
    if u - a > best + NEAR:
        best, side = u - a, RIGHT
    if -v - b > best + NEAR:
        side = REAR
    return side


@kernel
def rectangle(
    xs: Any, ys: Any, cx: float, cy: float, fx: float, fy: float, a: float, b: float
) -> int:
    """Write a body's corners, anticlockwise from its rear left; return how many there are."""
    for i in range(4):
        u = a if i == 1 or i == 2 else -a
        v = b if i >= 2 else -b
        xs[i] = cx + u * fy + v * fx
        ys[i] = cy - u * fx + v * fy
    return 4


@kernel
def into_frame(xs: Any, ys: Any, n: int, cx: float, cy: float, fx: float, fy: float) -> None:
    """Turn a polygon's corners into a body's frame."""
    for i in range(n):
        x, y = xs[i], ys[i]
        xs[i] = (x - cx) * fy - (y - cy) * fx
        ys[i] = (x - cx) * fx + (y - cy) * fy


@kernel
def cut(xs: Any, ys: Any, n: int, p: float, q: float, c: float, tx: Any, ty: Any) -> int:
    """Keep the part of a polygon where ``p x + q y >= c``; ``tx`` and ``ty`` are working room."""
    m = 0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        here, there = p * xs[i] + q * ys[i] - c, p * xs[j] + q * ys[j] - c
        if here >= 0.0:
            tx[m], ty[m] = xs[i], ys[i]
            m += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            t = here / (here - there)
            tx[m], ty[m] = xs[i] + t * (xs[j] - xs[i]), ys[i] + t * (ys[j] - ys[i])
            m += 1
    for i in range(m):
        xs[i], ys[i] = tx[i], ty[i]
    return m


@kernel
def area(xs: Any, ys: Any, n: int) -> float:
    """Area of a polygon, positive when its corners run anticlockwise."""
    total = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        total += xs[i] * ys[j] - xs[j] * ys[i]
    return 0.5 * total


@kernel
def cut_to_arc(xs: Any, ys: Any, n: int, a: float, tx: Any, ty: Any) -> int:
    """Keep the part of a polygon that lies in a sight arc; ``y`` is counted from the front edge."""
    n = cut(xs, ys, n, 0.0, 1.0, -NEAR, tx, ty)
    n = cut(xs, ys, n, -1.0, 1.0, -a - NEAR, tx, ty)
    return cut(xs, ys, n, 1.0, 1.0, -a - NEAR, tx, ty)


@kernel
def point_to_segment(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Distance of a point from a segment."""
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    t = 0.0
    if square > 0.0:
        t = min(max(((x - x0) * dx + (y - y0) * dy) / square, 0.0), 1.0)
    return length(x - x0 - t * dx, y - y0 - t * dy)


@kernel
def edge_to_polygon(a: float, xs: Any, ys: Any, n: int) -> float:
    """Distance from a front edge, from (-a, 0) to (a, 0), to a polygon beside or ahead of it."""
    best = 1e300
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        best = min(best, point_to_segment(xs[i], ys[i], -a, 0.0, a, 0.0))
        best = min(best, point_to_segment(-a, 0.0, xs[i], ys[i], xs[j], ys[j]))
        best = min(best, point_to_segment(a, 0.0, xs[i], ys[i], xs[j], ys[j]))
    return 0.0 if best < NEAR else best


@kernel
def bodies_overlap(
    x0: float, y0: float, fx0: float, fy0: float, a0: float, b0: float,
    x1: float, y1: float, fx1: float, fy1: float, a1: float, b1: float,
) -> bool:  # fmt: skip
    """True when two bodies share ground: no line along a side of either parts them."""
    dx, dy = x1 - x0, y1 - y0
    if length(dx, dy) >= length(a0, b0) + length(a1, b1):
        return False
    along, across = abs(fx0 * fx1 + fy0 * fy1), abs(fx0 * fy1 - fy0 * fx1)
    if abs(dx * fx0 + dy * fy0) >= b0 + b1 * along + a1 * across - NEAR:
        return False
    if abs(dx * fy0 - dy * fx0) >= a0 + a1 * along + b1 * across - NEAR:
        return False
    if abs(dx * fx1 + dy * fy1) >= b1 + b0 * along + a0 * across - NEAR:
        return False
    return abs(dx * fy1 - dy * fx1) < a1 + a0 * along + b0 * across - NEAR


@kernel
def body_on_polygon(
    cx: float, cy: float, fx: float, fy: float, a: float, b: float, px: Any, py: Any, n: int
) -> bool:
    """True when a body shares ground with a polygon."""
    xs, ys = np.empty(ROOM), np.empty(ROOM)
    tx, ty = np.empty(ROOM), np.empty(ROOM)
    for i in range(n):
        xs[i], ys[i] = px[i], py[i]
    into_frame(xs, ys, n, cx, cy, fx, fy)
    n = cut(xs, ys, n, 1.0, 0.0, -a + NEAR, tx, ty)
    n = cut(xs, ys, n, -1.0, 0.0, -a + NEAR, tx, ty)
    n = cut(xs, ys, n, 0.0, 1.0, -b + NEAR, tx, ty)
    n = cut(xs, ys, n, 0.0, -1.0, -b + NEAR, tx, ty)
    return n > 2 and abs(area(xs, ys, n)) > NEAR


@kernel
def polygons_overlap(px: Any, py: Any, n: int, qx: Any, qy: Any, m: int) -> bool:
    """True when a convex anticlockwise polygon (the first) shares ground with another."""
    xs, ys = np.empty(ROOM), np.empty(ROOM)
    tx, ty = np.empty(ROOM), np.empty(ROOM)
    for i in range(m):
        xs[i], ys[i] = qx[i], qy[i]
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        dx, dy = px[j] - px[i], py[j] - py[i]
        size = length(dx, dy)
        if size > NEAR:
            p, q = -dy / size, dx / size
            m = cut(xs, ys, m, p, q, p * px[i] + q * py[i] + NEAR, tx, ty)
    return m > 2 and abs(area(xs, ys, m)) > NEAR


@kernel
def widen(px: Any, py: Any, n: int, by: float, xs: Any, ys: Any) -> None:
    """Write an anticlockwise polygon's corners, each moved outward by about ``by``."""
    for i in range(n):
        h, j = i - 1 if i > 0 else n - 1, i + 1 if i + 1 < n else 0
        ax, ay, bx, by_ = px[i] - px[h], py[i] - py[h], px[j] - px[i], py[j] - py[i]
        one, two = max(length(ax, ay), NEAR), max(length(bx, by_), NEAR)
        nx, ny = ay / one + by_ / two, -ax / one - bx / two
        share = max(1.0 + (ay * by_ + ax * bx) / (one * two), 0.1)
        xs[i], ys[i] = px[i] + by * nx / share, py[i] + by * ny / share


@kernel
def is_within(x: float, y: float, px: Any, py: Any, n: int) -> bool:
    """True for a point inside a polygon, farther from its edges than rounding."""
    odd = False
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        if point_to_segment(x, y, px[i], py[i], px[j], py[j]) < NEAR / 10:
            return False
        if (py[i] > y) != (py[j] > y):
            if x < px[i] + (y - py[i]) / (py[j] - py[i]) * (px[j] - px[i]):
                odd = not odd
    return odd


@kernel
def rim_distance(x: float, y: float, px: Any, py: Any, n: int) -> float:
    """Distance of a point from the edges of a polygon."""
    best = 1e300
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        best = min(best, point_to_segment(x, y, px[i], py[i], px[j], py[j]))
    return best


@kernel
def is_cut_off(
    x0: float, y0: float, x1: float, y1: float, px: Any, py: Any, n: int, edges_open: bool
) -> bool:
    """True when a polygon stands between two points.

    Parameters
    ----------
    x0, y0, x1, y1
        The two points.
    px, py, n
        The polygon.
    edges_open
        True for a wood: one sees out of it and into it, not through it.
    """
    dx, dy = x1 - x0, y1 - y0
    size = length(dx, dy)
    if size < NEAR:
        return False
    outside = True
    for k in range(4):
        # all corners on the far side of one edge of the box round the segment
        outside = True
        for i in range(n):
            if k == 0:
                apart = px[i] < min(x0, x1)
            elif k == 1:
                apart = px[i] > max(x0, x1)
            elif k == 2:
                apart = py[i] < min(y0, y1)
            else:
                apart = py[i] > max(y0, y1)
            if not apart:
                outside = False
        if outside:
            return False
    ts = np.empty(ROOM + 2)
    ts[0], count = 0.0, 1
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ex, ey = px[j] - px[i], py[j] - py[i]
        across = dx * ey - dy * ex
        if across != 0.0:
            t = ((px[i] - x0) * ey - (py[i] - y0) * ex) / across
            s = ((px[i] - x0) * dy - (py[i] - y0) * dx) / across
            if 0.0 < t < 1.0 and -NEAR <= s <= 1.0 + NEAR:
                k = count
                while k > 1 and ts[k - 1] > t:
                    ts[k] = ts[k - 1]
                    k -= 1
                ts[k] = t
                count += 1
    ts[count] = 1.0
    begun = -1.0
    for k in range(count + 1):
        inside = False
        if k < count:
            middle = 0.5 * (ts[k] + ts[k + 1])
            if (ts[k + 1] - ts[k]) * size < NEAR / 10:
                continue
            inside = is_within(x0 + middle * dx, y0 + middle * dy, px, py, n)
        if inside and begun < 0.0:
            begun = ts[k]
        if not inside and begun >= 0.0:
            if not edges_open:
                return True
            ends = k == count and is_within(x1, y1, px, py, n) and (
                rim_distance(x1, y1, px, py, n) > RIM + NEAR
            )  # fmt: skip
            starts = begun == 0.0 and is_within(x0, y0, px, py, n) and (
                rim_distance(x0, y0, px, py, n) > RIM + NEAR
            )  # fmt: skip
            if not ends and not starts:
                return True
            begun = -1.0
    return False


@kernel
def first_meeting(x0: float, y0: float, dx: float, dy: float, px: Any, py: Any, n: int) -> float:
    """Where a ray first meets a convex anticlockwise polygon, in lengths of (dx, dy); -1: never."""
    low, high = 0.0, 1e300
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ex, ey = px[j] - px[i], py[j] - py[i]
        size = length(ex, ey)
        if size < NEAR:
            continue
        inward = (-ey * dx + ex * dy) / size
        depth = (-ey * (x0 - px[i]) + ex * (y0 - py[i])) / size
        if abs(inward) < 1e-14:
            if depth < -NEAR:
                return -1.0
        elif inward > 0.0:
            low = max(low, (-depth - NEAR / 10) / inward)
        else:
            high = min(high, (depth + NEAR / 10) / -inward)
    return low if low <= high else -1.0


@kernel
def sees(
    a: float, px: Any, py: Any, n: int, ox: Any, oy: Any, counts: Any, woods: Any, others: int
) -> bool:
    """True when some point of a front edge sees some point of a convex polygon ahead of it.

    Of all free lines there is one, if any, that touches two corners: of what is in the way, of the
    polygon, or the ends of the edge. So it is enough to try the lines through every two of them.

    Parameters
    ----------
    a
        The edge goes from (-a, 0) to (a, 0).
    px, py, n
        Polygon of the target's part that lies in the sight arc, anticlockwise.
    ox, oy, counts, woods, others
        What may be in the way, widened by ``RIM``: a row of corners each, how many, and whether it
        is a wood.
    """
    total = 2 + n
    for o in range(others):
        total += counts[o]
    vx, vy = np.empty(total), np.empty(total)
    vx[0], vy[0], vx[1], vy[1] = -a, 0.0, a, 0.0
    for i in range(n):
        vx[2 + i], vy[2 + i] = px[i], py[i]
    at = 2 + n
    for o in range(others):
        for i in range(counts[o]):
            vx[at], vy[at] = ox[o, i], oy[o, i]
            at += 1
    for j in range(2, total):
        for i in range(j):
            dx, dy = vx[j] - vx[i], vy[j] - vy[i]
            if abs(dy) < 1e-12:
                continue
            if dy < 0.0:
                dx, dy = -dx, -dy
            x = vx[i] - vy[i] / dy * dx
            if abs(x) > a + NEAR / 100:
                continue
            far = first_meeting(x, 0.0, dx, dy, px, py, n)
            if far < 0.0:
                continue
            free = True
            for o in range(others):
                if is_cut_off(x, 0.0, x + far * dx, far * dy, ox[o], oy[o], counts[o], woods[o]):
                    free = False
                    break
            if free:
                return True
    return False
