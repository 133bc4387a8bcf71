"""An army list, common to all its forms: forces, selections, profiles, rules, costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from chargesim.rosters.findings import RosterError
from chargesim.rosters.nodes import Node, parse
from chargesim.rosters.text import clean, plain

VERSIONS = ("2.02", "2.03")
"""Versions of the format that are read."""
MOST_NUMBER = 1_000
"""Most of one selection."""
MOST_SELECTIONS = 5_000
"""Most selections of a list; the largest that was seen has 360."""
MOST_COST = Decimal(1_000_000)
_POINTS = re.compile(r"^(pts?|points?|puntos|ptos)\.?$")


@dataclass(frozen=True)
class Profile:
    """A table of characteristics.

    Parameters
    ----------
    name
        Its own.
    type_id, type_name
        Its kind: a stat line, a weapon, ...
    columns
        Texts by the name of their column; New Recruit's attributes among them.
    """

    name: str
    type_id: str
    type_name: str
    columns: dict[str, str]


@dataclass(eq=False)
class Selection:
    """Something that was taken: a unit, models, an option.

    Parameters
    ----------
    name, label
        As the catalogue calls it, and as its owner does (empty if not at all).
    type
        ``unit``, ``model``, ``upgrade``, ``mount`` or ``crew``; anything else counts as an
        upgrade.
    number
        How many, over the whole branch: never multiplied again.
    group
        The group of options it was chosen from.
    categories, primary
        All its categories, and the slot of the army it fills.
    profiles, rules, costs, selections
        What it holds; costs are its own, by kind.
    place
        Names from the force down to it, a number where a name stands twice.
    above
        What holds it; ``None`` in a force.
    """

    name: str
    label: str
    type: str
    number: int
    group: str
    categories: tuple[str, ...]
    primary: str
    profiles: list[Profile] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    costs: dict[str, Decimal] = field(default_factory=dict)
    selections: list[Selection] = field(default_factory=list)
    place: str = ""
    above: Selection | None = None

    def walk(self) -> Iterator[Selection]:
        """Itself and all below it."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting.extend(reversed(one.selections))

    @property
    def points(self) -> Decimal:
        """Points of its whole branch."""
        return sum((_points(one.costs) for one in self.walk()), Decimal(0))

    @property
    def own_points(self) -> Decimal:
        """Points of itself alone."""
        return _points(self.costs)


@dataclass
class Force:
    """A part of an army with a catalogue of its own.

    Parameters
    ----------
    name, catalogue
        What it is called, and whose it is.
    rules
        Names of rules for all of it.
    selections
        What it is made of.
    place
        Where it stands.
    """

    name: str
    catalogue: str
    rules: list[str]
    selections: list[Selection]
    place: str


@dataclass
class ArmyList:
    """A list as it stands in the file.

    Parameters
    ----------
    name
        Its title.
    version
        Of the format, empty when the file does not say.
    system
        The game it was made for.
    forces
        All of them, nested ones too.
    totals
        Costs that the file says it has, by kind.
    sums
        Costs of all selections, added up.
    """

    name: str
    version: str
    system: str
    forces: list[Force]
    totals: dict[str, Decimal]
    sums: dict[str, Decimal]

    @property
    def total(self) -> Decimal | None:
        """Points that the file says it has."""
        found = [cost for kind, cost in self.totals.items() if _POINTS.match(plain(kind))]
        return found[0] if found else None

    @property
    def sum(self) -> Decimal:
        """Points of all selections."""
        return _points(self.sums)

    def selections(self) -> Iterator[Selection]:
        """Every selection of every force."""
        for force in self.forces:
            for one in force.selections:
                yield from one.walk()


def _points(costs: dict[str, Decimal]) -> Decimal:
    return sum((c for kind, c in costs.items() if _POINTS.match(plain(kind))), Decimal(0))


def read_list(data: bytes, source: str) -> ArmyList:
    """An army list from the bytes of a file.

    Raises
    ------
    RosterError
        When it is no list, or of a version that is not read.
    """
    root = parse(data, source)
    version = _check_version(root, source)
    forces: list[Force] = []
    for place, node in _placed(root.each("forces"), "force"):
        _read_force(node, place, forces, source)
    if not forces:
        raise RosterError(f"{source}: holds no forces: add units to the list and save it again")
    found = ArmyList(
        clean(root.get("name")) or "army list",
        version,
        clean(root.get("gameSystemName")),
        forces,
        _costs(root, source),
        {},
    )
    count = sum(1 for _one in found.selections())
    if count > MOST_SELECTIONS:
        raise RosterError(
            f"{source}: has {count:,} selections: at most {MOST_SELECTIONS:,} are an army list"
        )
    for one in found.selections():
        for kind, cost in one.costs.items():
            found.sums[kind] = found.sums.get(kind, Decimal(0)) + cost
    return found


def _check_version(root: Node, source: str) -> str:
    """The version of the format; older ones keep the same things in other places."""
    version = clean(root.get("battleScribeVersion"))
    if not version:
        return ""
    number = re.match(r"^(\d+)\.(\d+)", version)
    if number is None:
        raise RosterError(
            f"{source}: version {version[:20]!r} of the format is not known: save the list in "
            f"version {' or '.join(VERSIONS)}"
        )
    at = (int(number[1]), int(number[2]))
    if at < (2, 2):
        raise RosterError(
            f"{source}: is of version {version} of the format: versions {' and '.join(VERSIONS)} "
            "are read; open the list in a newer list builder and save it again"
        )
    if at >= (3, 0):
        raise RosterError(
            f"{source}: is of version {version} of the format, newer than what is read "
            f"({' and '.join(VERSIONS)}): save it in one of these"
        )
    return version


def _placed(nodes: list[Node], what: str) -> Iterator[tuple[str, Node]]:
    """Nodes with their names as places, numbered where one stands twice."""
    names = [clean(node.get("customName") or node.get("name")) or what for node in nodes]
    many, met = Counter(names), Counter[str]()
    for name, node in zip(names, nodes, strict=True):
        met[name] += 1
        yield (f"{name} [{met[name]}]" if many[name] > 1 else name), node


def _read_force(node: Node, place: str, forces: list[Force], source: str) -> None:
    name, catalogue = clean(node.get("name")), clean(node.get("catalogueName"))
    whole = f"{catalogue}, {place}" if catalogue and catalogue != place else place
    force = Force(name, catalogue, _rules(node), [], whole)
    forces.append(force)
    force.selections = _selections(node, whole, None, source)
    for inner, below in _placed(node.each("forces"), "force"):
        _read_force(below, f"{place} > {inner}", forces, source)


def _selections(node: Node, place: str, above: Selection | None, source: str) -> list[Selection]:
    found = []
    for name, below in _placed(node.each("selections"), "selection"):
        one = _read_selection(below, f"{place} > {name}", source)
        one.above = above
        one.selections = _selections(below, one.place, one, source)
        found.append(one)
    return found


def _read_selection(node: Node, place: str, source: str) -> Selection:
    categories = [(clean(c.get("name")), c.get("primary")) for c in node.each("categories")]
    return Selection(
        clean(node.get("name")) or "selection",
        clean(node.get("customName")),
        clean(node.get("type")).casefold() or "upgrade",
        _number(node.get("number"), place, source),
        clean(node.get("group")),
        tuple(sorted(name for name, _ in categories)),
        next((name for name, primary in categories if primary == "true"), ""),
        [_profile(one) for one in node.each("profiles") if one.get("hidden") != "true"],
        _rules(node),
        _costs(node, f"{source}: {place}"),
        place=place,
    )


def _rules(node: Node) -> list[str]:
    return [clean(r.get("name")) for r in node.each("rules") if r.get("hidden") != "true"]


def _profile(node: Node) -> Profile:
    cells = [*node.each("characteristics"), *node.each("attributes")]
    columns: dict[str, str] = {}
    for cell in cells:
        columns.setdefault(clean(cell.get("name")), clean(cell.text))
    return Profile(
        clean(node.get("name")),
        clean(node.get("typeId", "profileTypeId")),
        clean(node.get("typeName", "profileTypeName")),
        columns,
    )


def _number(text: str, place: str, source: str) -> int:
    if not text:
        return 1
    whole = re.fullmatch(r"(\d{1,4})(?:\.0{1,20})?", text.strip())
    if whole is None or not 1 <= int(whole[1]) <= MOST_NUMBER:
        raise RosterError(
            f"{source}: {place}: number {text[:20]!r} is not a whole number from 1 to "
            f"{MOST_NUMBER:,}: correct it in the list builder"
        )
    return int(whole[1])


def _costs(node: Node, where: str) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for cost in node.each("costs"):
        text = cost.get("value")
        try:
            value = Decimal(text[:40] or "0")
        except InvalidOperation:
            value = Decimal("nan")
        if not value.is_finite() or abs(value) > MOST_COST:
            raise RosterError(f"{where}: cost {text[:20]!r} is not a number of points")
        kind = clean(cost.get("name"))
        # list builders write 0.30000000000000004
        found[kind] = found.get(kind, Decimal(0)) + round(value, 2)
    return found
