"""The charge zone and the way through it: where a charge may go, and what it contacts there."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chargesim.rulesets.hex_increment.hexes import OPEN, Board, Hex, distance, front, moved

DEPTH = 5
"""Hexes that a zone reaches from each front hexside."""
BUDGET = 10
"""Half movement points of a charge: five points, whatever the printed allowance (HEX-ZONE-02)."""
Body = tuple[Hex, ...]


def zone(body: Sequence[Hex], facing: int, *, rays: bool = False) -> frozenset[Hex]:
    """Charge zone of a line's hexes, or of a column's head (HEX-ZONE-01).

    Parameters
    ----------
    body
        The hexes that project it.
    facing
        Their facing: the front hexsides are this one and the next.
    rays
        True for straight lanes only; else all that lies between them too.
    """
    found: set[Hex] = set()
    for at in body:
        for a in range(DEPTH + 1):
            for b in range(DEPTH + 1 - a):
                if 1 <= a + b and not (rays and a and b):
                    found.add(moved(moved(at, facing, a), facing + 1, b))
    return frozenset(found)


def rim(inside: frozenset[Hex]) -> frozenset[Hex]:
    """Hexes next to a zone, outside it (HEX-ZONE-04)."""
    return frozenset(moved(at, d) for at in inside for d in range(6)) - inside


@dataclass(frozen=True)
class Change:
    """One hex of extension or consolidation, at the end that the owner chooses (HEX-LINE-19).

    Parameters
    ----------
    grows
        True for extension.
    left
        True at the left end of the line, seen from behind it.
    """

    grows: bool
    left: bool

    def applied(self, body: Body, facing: int) -> Body:
        """The line after it; its hexes follow each other along direction facing + 2."""
        if self.grows:
            if self.left:
                return (*body, moved(body[-1], facing + 2))
            return (moved(body[0], facing + 5), *body)
        return body[:-1] if self.left else body[1:]


@dataclass(frozen=True)
class Mover:
    """A charging unit on the map.

    Parameters
    ----------
    body
        Hexes that move as one: those of a line, or the head of a column.
    facing
        Its facing, fixed while it charges (HEX-FORM-02).
    zone
        Its charge zone.
    board, occupied
        The map, and hexes that other units stand in.
    changes
        Changes of its width, one after each of the first hexes moved (HEX-EXP-01).
    any_neighbour
        True when a step may enter any neighbour in the zone, not a front hex alone.
    """

    body: Body
    facing: int
    zone: frozenset[Hex]
    board: Board
    occupied: frozenset[Hex]
    changes: tuple[Change, ...] = ()
    any_neighbour: bool = False

    def stepped(self, body: Body, direction: int, steps: int) -> tuple[Body, int, bool] | None:
        """One step of the whole body: where it stands, its cost, and whether it ends the charge.

        A step costs what its dearest hex costs (HEX-ZONE-05). No step leaves the zone
        (HEX-ZONE-03) or enters forbidden ground (HEX-TERR-05); General Order terrain ends the
        charge (HEX-TERR-03).

        Returns
        -------
        tuple or None
            ``None`` for a step that may not be taken.
        """
        new = tuple(moved(at, direction) for at in body)
        if steps < len(self.changes):
            new = self.changes[steps].applied(new, self.facing)
        if not new or not all(self._free(at) for at in new):
            return None
        ground = [self.board.terrain(at) for at in new]
        if any(one.prohibited for one in ground):
            return None
        entered = [self.board.terrain(at).cost for at in new if at not in body]
        cost = max(entered, default=OPEN.cost)
        return new, cost, any(one.general_order for one in ground)

    def _free(self, at: Hex) -> bool:
        return at in self.zone and self.board.holds(at) and at not in self.occupied

    def ways(self) -> tuple[int, ...]:
        """Directions of a step."""
        return tuple(range(6)) if self.any_neighbour else (self.facing, (self.facing + 1) % 6)


@dataclass(frozen=True)
class Move:
    """A move made or meant.

    Parameters
    ----------
    bodies
        Where it stood, from the start to the end.
    spent
        Half movement points spent.
    halted
        True when General Order terrain ended it.
    stranded
        True when it meant to go on and could not pay.
    """

    bodies: tuple[Body, ...]
    spent: int
    halted: bool = False
    stranded: bool = False

    @property
    def end(self) -> Body:
        """Where it stands in the end."""
        return self.bodies[-1]


@dataclass(order=True)
class _Node:
    cost: int
    steps: int
    order: int
    bodies: tuple[Body, ...] = field(compare=False)
    halted: bool = field(compare=False)


def reached(mover: Mover, most: int | None = BUDGET) -> Iterator[Move]:
    """Cheapest ways to all places in the zone, cheapest first; with ``None`` beyond 5 points."""
    queue = [_Node(0, 0, 0, (mover.body,), False)]
    seen: set[tuple[Body, int]] = set()
    order = 0
    while queue:
        node = heapq.heappop(queue)
        body = node.bodies[-1]
        key = body, min(node.steps, len(mover.changes))
        if key in seen:
            continue
        seen.add(key)
        yield Move(node.bodies, node.cost, node.halted)
        if node.halted or node.steps > 4 * DEPTH:
            continue
        for direction in mover.ways():
            step = mover.stepped(body, direction, node.steps)
            if step is None or (most is not None and node.cost + step[1] > most):
                continue
            order += 1
            heapq.heappush(
                queue,
                _Node(node.cost + step[1], node.steps + 1, order, (*node.bodies, step[0]), step[2]),
            )


def touches(
    body: Body, facing: int, targets: Mapping[str, Sequence[Hex]]
) -> tuple[tuple[str, ...], ...]:
    """Targets in the front hexes of each hex of a body (HEX-TGT-02), in the order of its sides."""
    found = []
    for at in body:
        ahead = front(at, facing)
        found.append(
            tuple(
                dict.fromkeys(
                    name for side in ahead for name, stood in targets.items() if side in stood
                )
            )
        )
    return tuple(found)


def cheapest(mover: Mover, targets: Mapping[str, Sequence[Hex]]) -> Move:
    """The way that contacts the most targets with the most hexes at the least cost.

    Where none can be contacted within five points it is the beginning of the way that would
    contact them, as far as the points last (HEX-ZONE-05).
    """
    if not targets:
        return Move((mover.body,), 0)

    def worth(move: Move) -> tuple[int, int, int]:
        if move.halted or len(move.bodies) - 1 < len(mover.changes):
            return 0, 0, -move.spent
        met = touches(move.end, mover.facing, targets)
        return len({name for one in met for name in one}), sum(map(bool, met)), -move.spent

    best = max(reached(mover), key=worth)
    if worth(best)[0]:
        return best
    meant = max(reached(mover, None), key=worth)
    if worth(meant)[0]:
        return cut(mover, meant)
    nearest: Callable[[Move], tuple[int, int]] = lambda move: (  # noqa: E731  # one use
        min(distance(a, b) for a in move.end for hexes in targets.values() for b in hexes),
        move.spent,
    )
    return min(reached(mover), key=nearest)


def cut(mover: Mover, meant: Move) -> Move:
    """A move as far as its five points last, whatever the printed allowance (HEX-ZONE-02)."""
    spent = 0
    bodies = [meant.bodies[0]]
    for steps, (before, after) in enumerate(zip(meant.bodies, meant.bodies[1:], strict=False)):
        for direction in mover.ways():
            step = mover.stepped(before, direction, steps)
            if step is not None and step[0] == after:
                break
        else:
            return Move(tuple(bodies), spent)
        if spent + step[1] > BUDGET:
            return Move(tuple(bodies), spent, stranded=True)
        spent += step[1]
        bodies.append(after)
        if step[2]:
            return Move(tuple(bodies), spent, halted=True)
    return Move(tuple(bodies), spent)


def along(mover: Mover, path: Sequence[Hex]) -> Move | int:
    """The move along a path of hexes that the first hex of the body enters.

    Returns
    -------
    Move or int
        The number of the first step that may not be taken.
    """
    spent = 0
    bodies = [mover.body]
    # a change at the right end puts another hex first: follow the hex that began as the first
    lead = mover.body[0]
    for steps, at in enumerate(path):
        for direction in mover.ways():
            if moved(lead, direction) == at:
                break
        else:
            return steps
        step = mover.stepped(bodies[-1], direction, steps)
        if step is None:
            return steps
        if spent + step[1] > BUDGET:
            return Move(tuple(bodies), spent, stranded=True)
        spent += step[1]
        bodies.append(step[0])
        lead = at
        if step[2]:
            return Move(tuple(bodies), spent, halted=True)
    return Move(tuple(bodies), spent)
