"""Hexes by axial coordinates, pointy top, and the board they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor

Hex = tuple[int, int]
DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""Steps of the directions 0 to 5, counter-clockwise from east."""


@dataclass(frozen=True)
class Terrain:
    """Ground of a hex as cavalry meets it.

    Parameters
    ----------
    cost
        Half movement points to enter.
    general_order
        True where normal movement puts cavalry in General Order.
    prohibited
        True where cavalry may not go.
    blocks_sight
        True where no line of sight passes.
    shelter
        True where skirmishers may retire to, such as a town.
    """

    cost: int = 2
    general_order: bool = False
    prohibited: bool = False
    blocks_sight: bool = False
    shelter: bool = False


OPEN = Terrain()


@dataclass(frozen=True)
class Board:
    """The map: its extent and the ground of each hex.

    Parameters
    ----------
    q, r
        Least and greatest coordinate, inclusive.
    default
        Ground of hexes not named.
    ground
        Ground of the others.
    """

    q: tuple[int, int]
    r: tuple[int, int]
    default: Terrain
    ground: Mapping[Hex, Terrain]

    def holds(self, at: Hex) -> bool:
        """True for a hex of the map."""
        return self.q[0] <= at[0] <= self.q[1] and self.r[0] <= at[1] <= self.r[1]

    def terrain(self, at: Hex) -> Terrain:
        """Ground of a hex."""
        return self.ground.get(at, self.default)


def moved(at: Hex, direction: int, steps: int = 1) -> Hex:
    """The hex so many steps away in a direction."""
    dq, dr = DIRECTIONS[direction % 6]
    return at[0] + steps * dq, at[1] + steps * dr


def distance(a: Hex, b: Hex) -> int:
    """Hexes from one to another."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def apart(some: Iterable[Hex], others: Iterable[Hex]) -> int:
    """Hexes between the nearest two of two groups."""
    far = tuple(others)
    return min(distance(a, b) for a in some for b in far)


def direction_to(a: Hex, b: Hex) -> int | None:
    """Direction of a neighbour; ``None`` when it is none."""
    step = b[0] - a[0], b[1] - a[1]
    return DIRECTIONS.index(step) if step in DIRECTIONS else None


def front(at: Hex, facing: int) -> tuple[Hex, Hex]:
    """The two hexes in front of a facing."""
    return moved(at, facing), moved(at, facing + 1)


def turn_to_face(at: Hex, facing: int, enemy: Sequence[Hex]) -> int:
    """Facing of a charging hex once it faces the cavalry that reacts to it (HEX-FORM-03).

    It turns no farther than it must for a hex of the enemy to be in front of it, counter-clockwise
    where both ways are as far; it keeps its facing where no turn brings one there.
    """
    for turn in (0, 1, -1, 2, -2, 3):
        if not set(enemy).isdisjoint(front(at, facing + turn)):
            return (facing + turn) % 6
    return facing


def _rounded(q: float, r: float) -> Hex:
    """Hex that holds a point in axial coordinates."""
    s = -q - r
    cells = [floor(x + 0.5) for x in (q, r, s)]
    off = [abs(cell - x) for cell, x in zip(cells, (q, r, s), strict=True)]
    worst = off.index(max(off))
    if worst == 0:
        return -cells[1] - cells[2], cells[1]
    if worst == 1:
        return cells[0], -cells[0] - cells[2]
    return cells[0], cells[1]


def between(a: Hex, b: Hex, lean: float) -> list[Hex]:
    """Hexes on the line from centre to centre, ends left out.

    Parameters
    ----------
    lean
        Small shift that decides for a side where the line runs along a hexside.
    """
    n = distance(a, b)
    found: list[Hex] = []
    for i in range(1, n):
        q = a[0] + (b[0] - a[0]) * i / n + lean
        r = a[1] + (b[1] - a[1]) * i / n + 2 * lean
        found.append(_rounded(q, r))
    return found


def in_sight(a: Hex, b: Hex, blocked: Iterable[Hex]) -> bool:
    """True when a line of sight runs from hex to hex past what blocks it.

    Along a hexside it is blocked only where both hexes are.
    """
    walls = set(blocked) - {a, b}
    return any(not walls & set(between(a, b, lean)) for lean in (1e-6, -1e-6))
