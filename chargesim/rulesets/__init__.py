"""The rulesets: what the layers above need to know of each, and where to get one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from chargesim.fields import Layout
from chargesim.rulesets.games import Game, Target

NAMES = ("wh6", "hex_increment", "ranked_regiment")
"""Rulesets of this version."""


@dataclass(frozen=True, eq=False)
class Part:
    """Units of a scenario that can influence each other, as one game.

    Parameters
    ----------
    start
        Array of one game in its initial state, short: with room for the records that it uses and
        no more; not to be changed.
    counts
        How many records of each part of the layout are in use.
    units
        Names of its units, in the order of their records.
    """

    start: np.ndarray[Any, Any]
    counts: tuple[int, ...]
    units: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """Some records of a part and what their end states tell by themselves.

    Parameters
    ----------
    records
        Name of the layout's part and place in it, of each.
    charges, combats, units
        Charges by number, combats and units by name, that they tell of.
    """

    records: tuple[tuple[str, int], ...]
    charges: tuple[int, ...]
    combats: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True)
class Quantity:
    """A number that a charge, combat or unit has in the end states.

    Parameters
    ----------
    values
        One a state.
    arises
        States in which it arises, boolean, shape (states,); its mass is their chance. ``None`` when
        it always arises: where there is nothing to count it is 0.
    """

    values: np.ndarray[Any, Any]
    arises: np.ndarray[Any, Any] | None = None


@dataclass(frozen=True)
class View:
    """One charge, combat or unit, seen across all end states.

    Parameters
    ----------
    labels
        What names it, such as charger, target and reaction.
    codes, words
        Code of its exclusive word in each state, and the word of each code.
    quantities
        Its numbers by name.
    flags
        Its yes-or-no facts by name, as boolean arrays.
    within
        Views that belong to it by name, such as a redirected charge.
    at
        Where its code stands in a state: part of the layout, place of a record, live field.
    """

    labels: dict[str, Any]
    codes: np.ndarray[Any, Any]
    words: dict[int, str]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    flags: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    within: dict[str, View] = field(default_factory=dict)
    at: tuple[str, int, str] = ("", 0, "")

    def among(self, words: Collection[str]) -> np.ndarray[Any, Any]:
        """End states with one of some words, as a boolean array."""
        found = np.zeros(len(self.codes), dtype=bool)
        for code, word in self.words.items():
            if word in words:
                found |= self.codes == code
        return found


@dataclass(frozen=True)
class Reading:
    """What the end states of one part of a scenario say.

    Parameters
    ----------
    charges
        By their number in the result.
    combats, units
        By the name of the charged unit, and of the unit.
    """

    charges: dict[int, View]
    combats: dict[str, View]
    units: dict[str, View]


@dataclass(frozen=True)
class Choice:
    """Something a scenario leaves to its owner to choose well.

    Parameters
    ----------
    unit
        The unit it is about.
    side
        Its owner, ``"active"`` or ``"reactive"``.
    options
        Name of each option, and the changes to the scenario that it means, by path.
    """

    unit: str
    side: str
    options: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True)
class Stake:
    """What a unit is worth, and to whom.

    Parameters
    ----------
    side
        Its owner.
    worth
        Its points, or what stands for them.
    """

    side: str
    worth: float


Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """Something on a map.

    Parameters
    ----------
    role
        What it stands for; the figures know how each role looks.
    points
        Corners of an area, points of a line, or the place of a text.
    text, side
        What is written there, and which side of the text the place is: left, center or right.
    charge
        Charge of the file whose chances are to be written there.
    """

    role: str
    points: tuple[Point, ...]
    text: str = ""
    side: str = "center"
    charge: int | None = None


@dataclass(frozen=True)
class Drawing:
    """A map of a scenario.

    Parameters
    ----------
    shapes
        In the order in which they cover each other.
    legend
        Role and words of each line of the legend.
    """

    shapes: tuple[Shape, ...]
    legend: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Told:
    """What the results of a ruleset hold of one kind of view, beside its words.

    Parameters
    ----------
    labels
        JSON Schema of each label.
    spreads
        Quantities.
    chances
        Facts.
    optional
        Those of all these that are not always there.
    """

    labels: dict[str, dict[str, Any]] = field(default_factory=dict)
    spreads: tuple[str, ...] = ()
    chances: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ruleset:
    """A ruleset as plain functions and records.

    Parameters
    ----------
    name, title
        Word used in files, and name for people.
    version
        Raised whenever a result may change.
    layout
        The records of its game.
    model
        Pydantic model of a scenario.
    prepare, check
        Bring a file's words into the model's form, given the folder that further files are
        relative to, each unit and charge by itself; find faults of sense.
    setup
        Model to its parts that stand alone; with ``apart=False`` to one part that holds all.
    kernels
        Gives the kernels (step, play): one phase; a whole trial. Importing numba waits for this
        call.
    pieces
        Part to its pieces: charge by charge, for when it has too many end states.
    read
        (array of end games, their part) to a :class:`Reading`.
    cast
        Name of a part of the layout and a field of its records, of each field that says which
        charge, combat or unit a record is: where they are equal, so are the views.
    tell
        (trace log, scenario model, unit names, language) to lines of text and notes.
    phases
        Enumeration of the steps.
    fall, goal
        Words by which a charge is lost, in their order, and the word of what is left.
    arrivals
        Words of a charge that brings its charger into a fight with its target, where that is one
        thing by itself; none where the words tell how the fight went.
    gains
        Words among ``fall`` that are good for the charger all the same: its target is beaten
        without a fight.
    choices
        Choices that a model leaves open, in the order in which they are made.
    stakes, lost
        What each unit of a model is worth; states in which that is lost.
    switches
        Switches in force of a model.
    switch_rows
        All switches: name, values, default, rule id.
    fates, unfought
        Words of a combat, best first, each with how good it is for the charging side, from 4 to -4,
        or ``None`` where nothing came about; those of which no fight comes.
    told
        What results hold of a ``"charge"``, a ``"combat"`` and a ``"unit"``.
    reactions
        Reactions in whose place the rules may put another: the labels show which is in force.
    caveat
        (scenario model, language) to what must be said wherever its numbers are shown, or an empty
        text; ``None`` where there is never anything to say.
    draw
        (scenario model, language) to the map of it; ``None`` where there is none. Where
        declarations are a game a third argument may be a line of play to draw.
    game
        (scenario model, keywords ``engine``, ``trials``, ``seed``, ``policies``, ``max_states`` and
        ``progress``) to the :class:`.games.Game` of its declarations, solved or played; ``None``
        where declarations are no game.
    targets
        (scenario model, language, keywords ``trials`` and ``seed``) to a list of
        :class:`.games.Target`: who may charge whom, and why not; ``None`` where the ruleset has
        no geometry.
    aliases
        Other names of statistics, and the names that the model gives them.
    """

    name: str
    title: str
    version: int
    layout: Layout
    model: Any
    prepare: Callable[..., Any]
    check: Callable[..., Any]
    setup: Callable[..., list[Part]]
    kernels: Callable[[], tuple[Any, Any]]
    pieces: Callable[[Part], list[Piece]]
    read: Callable[..., Reading]
    cast: tuple[tuple[str, str], ...]
    tell: Callable[..., Any]
    phases: Any
    fall: tuple[str, ...]
    goal: str
    arrivals: tuple[str, ...]
    gains: tuple[str, ...]
    choices: Callable[..., list[Choice]]
    stakes: Callable[..., dict[str, Stake]]
    lost: tuple[str, ...]
    switches: Callable[..., dict[str, Any]]
    switch_rows: Callable[[], list[tuple[str, str, str, str]]]
    fates: dict[str, int | None]
    unfought: tuple[str, ...]
    told: dict[str, Told]
    reactions: tuple[str, ...] = ()
    caveat: Callable[..., str] | None = None
    draw: Callable[..., Drawing] | None = None
    game: Callable[..., Game] | None = None
    targets: Callable[..., list[Target]] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)


@cache
def get(name: str) -> Ruleset:
    """Ruleset by name; it is imported on first use.

    Raises
    ------
    KeyError
        If there is none of that name.
    """
    if name not in NAMES:
        raise KeyError(name)
    ruleset: Ruleset = import_module(f"chargesim.rulesets.{name}").RULESET
    return ruleset
