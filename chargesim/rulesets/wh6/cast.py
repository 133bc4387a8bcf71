"""Who is who in a game: its units and charges, and how they stand to each other.

All of it is made of outlines, and so once for all variants in which the same units do the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chargesim.rulesets.values import remembered
from chargesim.rulesets.wh6 import state as st
from chargesim.rulesets.wh6.scenario import (
    LENGTH_DIGITS,
    Aimed,
    Charge,
    Compelled,
    Model,
    Redirect,
    Unit,
)

Way = Charge | Compelled | Redirect
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Entry:
    """A record of the charges to be: what it is, and where in a model it stands."""

    kind: st.Kind
    charger: str
    target: str
    path: Path
    """Empty for a fight that stands already."""
    number: int
    parent: int = 0
    """Number of the charge that it redirects."""


@dataclass(frozen=True)
class Cast:
    """Units that can influence each other, and what happens between them.

    Parameters
    ----------
    units
        Their names, in the order of their records.
    paths
        Where the charges stand in a model, in the order of their records, as :func:`at` takes it.
    standing
        Of each unit, whether it fights a charged one already.
    counts
        How many units, charges and combats there are.
    words
        The game as 64-bit words, as far as it says who is who: zero wherever a table has its say.
    """

    units: tuple[str, ...]
    paths: tuple[Path, ...]
    standing: tuple[bool, ...]
    counts: tuple[int, int, int]
    words: np.ndarray[Any, Any]


def at(model: Model, path: Path) -> Any:
    """Table at a path; ``None`` for an empty one."""
    found: Any = model if path else None
    for key in path:
        found = getattr(found, key) if isinstance(key, str) and key in _NAMES else found[key]
    return found


_NAMES = ("charge", "unit", "may_reach", "redirect")


def entries(model: Model, forced: tuple[tuple[str, int], ...]) -> list[Entry]:
    """Every record of the charges: declared, compelled, redirected, and standing fights.

    Parameters
    ----------
    model
        A sound scenario, or its outline.
    forced
        Units that must charge, each with the place of whom in its ``may_reach``.
    """
    own = [
        Entry(st.Kind.DECLARED, charge.charger, charge.target, ("charge", number), number)
        for number, charge in enumerate(model.charge)
    ]
    for name, place in forced:
        path: Path = ("unit", name, "may_reach", place)
        own.append(Entry(st.Kind.COMPULSORY, name, at(model, path).target, path, len(own)))
    for parent in tuple(own):
        way = at(model, parent.path)
        for i, new in enumerate(way.redirect if way.redirect_choice != "never" else ()):
            path = (*parent.path, "redirect", i)
            own.append(
                Entry(st.Kind.REDIRECTED, parent.charger, new.target, path, len(own), parent.number)
            )
    for name in dict.fromkeys(entry.target for entry in own):
        opponent = model.unit[name].engaged
        if isinstance(opponent, str):
            own.append(Entry(st.Kind.STANDING, opponent, name, (), len(own)))
    return own


@remembered
def casts(outline: Model, forced: tuple[tuple[str, int], ...], apart: bool) -> list[Cast]:
    """The parts of a scenario that cannot influence each other, in the order of the file.

    Units are bound by charges, by standing in the way, by the fights they are in, and where the
    fate of one may panic the other. Whom nothing binds makes one part together.

    Parameters
    ----------
    outline
        Of a sound scenario.
    forced
        As for :func:`entries`.
    apart
        False: one part that holds all.
    """
    every = entries(outline, forced)
    groups = _bound_together(outline, every) if apart else [tuple(outline.unit)]
    return [
        _cast(outline, names, [entry for entry in every if entry.charger in names])
        for names in groups
    ]


def _bound_together(outline: Model, every: list[Entry]) -> list[tuple[str, ...]]:
    """Names of the units of each part."""
    group = {name: name for name in outline.unit}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    involved: set[str] = set()
    for entry in every:
        blocked_by = getattr(at(outline, entry.path), "blocked_by", ())
        bound = [entry.charger, entry.target, *blocked_by]
        involved.update(bound)
        for name in bound:
            group[root(name)] = root(bound[0])
    for name in sorted(involved):
        for friend in outline.unit[name].neighbours:
            group[root(friend.unit)] = root(name)
            involved.add(friend.unit)
    idle = [name for name in outline.unit if name not in involved]
    for name in idle[1:]:
        group[root(name)] = root(idle[0])
    made: dict[str, list[str]] = {}
    for name in outline.unit:
        made.setdefault(root(name), []).append(name)
    return [tuple(names) for names in made.values()]


def _cast(outline: Model, names: tuple[str, ...], own: list[Entry]) -> Cast:
    # whoever stands in a fight already comes first in the line
    ordered = sorted(own, key=lambda e: (e.kind is not st.Kind.STANDING, e.number))
    charged = tuple(dict.fromkeys(e.target for e in ordered if e.path))
    counts = len(names), len(ordered), len(charged)
    game = st.LAYOUT.new(counts)
    head, units, charges = game["head"][0], game["units"][0], game["charges"][0]
    head["units"], head["charges"], head["combats"] = counts
    numbers = {name: i for i, name in enumerate(outline.unit)}
    units["number"] = [numbers[name] for name in names]
    places = {name: i for i, name in enumerate(names)}
    game["combats"][0]["target"] = [places[name] for name in charged]
    for name, place in places.items():
        _put_neighbours(head, units[place], outline.unit[name], places)
    where = {entry.number: c for c, entry in enumerate(ordered)}
    flanked: dict[str, int] = {}
    for record, entry in zip(charges, ordered, strict=True):
        record["number"], record["kind"] = entry.number, entry.kind
        record["charger"], record["target"] = places[entry.charger], places[entry.target]
        if not entry.path:
            continue
        way: Way = at(outline, entry.path)
        if entry.kind is st.Kind.REDIRECTED:
            record["parent"] = where[entry.parent]
        else:
            record["made"] = 1
        if isinstance(way, Charge):
            for i, name in enumerate(way.blocked_by):
                record["blocker"][i] = places[name]
        _put_reaction(record, entry, outline)
        if way.arc == "flank":
            # the two flanks in turn
            flanked[entry.target] = flanked.get(entry.target, 0) + 1
            record["side"] = 2 - flanked[entry.target] % 2
        elif way.arc == "rear":
            record["side"] = 3
    fighting = {entry.charger for entry in ordered if not entry.path}
    return Cast(
        names,
        tuple(entry.path for entry in ordered),
        tuple(name in fighting for name in names),
        counts,
        game.view(np.uint64),
    )


def _put_neighbours(head: Any, record: Any, unit: Unit, places: dict[str, int]) -> None:
    for i, friend in enumerate(unit.neighbours):
        if friend.unit in places:
            record["neighbour"][i] = places[friend.unit]
            record["neighbour_at"][i] = round(friend.distance * LENGTH_DIGITS)
            record["neighbours"] = i + 1
            head["friends"] = 1


def _put_reaction(record: Any, entry: Entry, outline: Model) -> None:
    wish = outline.reaction.get(entry.target, "hold")
    do = wish.do if isinstance(wish, Aimed) else wish
    # a choice that is still open stands for holding until it is made
    record["declared"] = st.Reaction.HOLD if do == "best" else st.Reaction[do.upper()]
    if isinstance(wish, Aimed) and wish.at is not None:
        record["aim"] = 1 if wish.at == entry.charger else -1
