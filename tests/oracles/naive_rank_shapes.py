"""Plane geometry in plain Python: frames, rectangles, convex pieces, clipping, overlap."""

import math

TOL = 1e-9


def unit_vector(x, y):
    """The vector of length 1 that points the same way."""
    length = math.hypot(x, y)
    return (x / length, y / length)


def facing_from_degrees(degrees):
    """The unit vector of a facing given in degrees clockwise from +y."""
    return (math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))


def right_of(facing):
    """The unit vector to the right of a facing: (f_y, -f_x)."""
    return (facing[1], -facing[0])


def to_local(point, centre, facing):
    """(u, v): how far a point lies to the right of a centre and how far ahead of it."""
    dx, dy = point[0] - centre[0], point[1] - centre[1]
    right = right_of(facing)
    return (dx * right[0] + dy * right[1], dx * facing[0] + dy * facing[1])


def to_world(u, v, centre, facing):
    """The point u to the right and v ahead of a centre."""
    right = right_of(facing)
    return (
        centre[0] + u * right[0] + v * facing[0],
        centre[1] + u * right[1] + v * facing[1],
    )


def rectangle(centre, facing, frontage, depth):
    """The four corners, counter-clockwise: front right, front left, rear left, rear right."""
    a, b = frontage / 2, depth / 2
    places = [(a, b), (-a, b), (-a, -b), (a, -b)]
    return [to_world(u, v, centre, facing) for u, v in places]


def area(polygon):
    """The signed area: positive when the corners run counter-clockwise."""
    total = 0.0
    for i, (x1, y1) in enumerate(polygon):
        x2, y2 = polygon[(i + 1) % len(polygon)]
        total += x1 * y2 - x2 * y1
    return total / 2


def clip(polygon, nx, ny, limit, tol=TOL):
    """The part of a convex polygon where nx*x + ny*y >= limit, within tol."""
    out = []
    for i, p in enumerate(polygon):
        q = polygon[(i + 1) % len(polygon)]
        hp = nx * p[0] + ny * p[1] - limit
        hq = nx * q[0] + ny * q[1] - limit
        p_in, q_in = hp >= -tol, hq >= -tol
        if p_in:
            out.append(p)
        if p_in != q_in and (hp > 0) != (hq > 0):
            t = hp / (hp - hq)
            out.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return out


def turn(o, p, q):
    """Twice the signed area of the triangle o, p, q."""
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


def is_convex(polygon):
    """Whether a counter-clockwise polygon never turns right."""
    n = len(polygon)
    return all(turn(polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]) >= 0 for i in range(n))


def convex_pieces(polygon):
    """The polygon itself if convex, else triangles cut off ear by ear."""
    rest = [tuple(p) for p in polygon]
    if area(rest) < 0:
        rest.reverse()
    if is_convex(rest):
        return [rest]
    pieces = []
    while len(rest) > 3:
        n = len(rest)
        for i in range(n):
            o, p, q = rest[i - 1], rest[i], rest[(i + 1) % n]
            others = [x for x in rest if x not in (o, p, q)]
            empty = not any(
                turn(o, p, x) >= 0 and turn(p, q, x) >= 0 and turn(q, o, x) >= 0 for x in others
            )
            if turn(o, p, q) > 0 and empty:
                pieces.append([o, p, q])
                rest.pop(i)
                break
        else:
            raise ValueError("the polygon crosses itself")
    return [*pieces, rest]


def inside_interval(p, q, convex, tol):
    """(t0, t1) of the segment p to q within a convex polygon grown by tol, or None."""
    low, high = 0.0, 1.0
    for i, corner in enumerate(convex):
        after = convex[(i + 1) % len(convex)]
        ex, ey = after[0] - corner[0], after[1] - corner[1]
        length = math.hypot(ex, ey)
        if length == 0:
            continue
        nx, ny = -ey / length, ex / length
        at_p = nx * (p[0] - corner[0]) + ny * (p[1] - corner[1]) + tol
        at_q = nx * (q[0] - corner[0]) + ny * (q[1] - corner[1]) + tol
        if at_p < 0 and at_q < 0:
            return None
        if at_p < 0:
            low = max(low, at_p / (at_p - at_q))
        elif at_q < 0:
            high = min(high, at_p / (at_p - at_q))
    return (low, high) if low <= high else None


def overlap(first, second, tol=TOL):
    """Whether two convex polygons share more than their rims (separating axes)."""
    for one, other in ((first, second), (second, first)):
        for i, corner in enumerate(one):
            after = one[(i + 1) % len(one)]
            ex, ey = after[0] - corner[0], after[1] - corner[1]
            length = math.hypot(ex, ey)
            nx, ny = ey / length, -ex / length
            gap = min(nx * (x - corner[0]) + ny * (y - corner[1]) for x, y in other)
            if gap >= -tol:
                return False
    return True


def point_segment(p, a, b):
    """The distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0
    if square > 0:
        t = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def segment_segment(a, b, c, d):
    """The distance between two segments: 0 if they cross."""
    if turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0:
        return 0.0
    return min(
        point_segment(a, c, d),
        point_segment(b, c, d),
        point_segment(c, a, b),
        point_segment(d, a, b),
    )
