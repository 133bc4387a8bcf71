"""The rulesets: what the layers above need to know of each, and where to get one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from chargesim.fields import Layout

NAMES = ("wh6",)
"""Rulesets of this version."""


@dataclass(frozen=True)
class Quantity:
    """A number that a charge, combat or unit has in every end state.

    Parameters
    ----------
    values
        One a state.
    always
        True when states in which it does not arise count at 0; else its mass is the chance that it
        arises, and ``values`` is negative where it does not.
    """

    values: np.ndarray[Any, Any]
    always: bool = True


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
    """

    labels: dict[str, Any]
    codes: np.ndarray[Any, Any]
    words: dict[int, str]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    flags: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """What the end states of a scenario say: charges in order, combats, and units by name."""

    charges: list[View]
    combats: list[View]
    units: dict[str, View]


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
        Bring a file's words into the model's form; find faults of sense.
    setup
        Model to (array of one game, unit names, number of charges).
    kernels
        Gives the kernels (step, play): one phase; a whole trial. Importing numba waits for this
        call.
    read
        (array of end games, unit names, charges) to a :class:`Reading`.
    tell
        (trace log, scenario model, unit names, language) to lines of text and notes.
    phases
        Enumeration of the steps.
    fall, goal
        Words by which a charge is lost, in their order, and the word of what is left.
    switches
        Switches in force of a model.
    switch_rows
        All switches: name, values, default, rule id.
    """

    name: str
    title: str
    version: int
    layout: Layout
    model: Any
    prepare: Callable[..., Any]
    check: Callable[..., Any]
    setup: Callable[..., Any]
    kernels: Callable[[], tuple[Any, Any]]
    read: Callable[..., Reading]
    tell: Callable[..., Any]
    phases: Any
    fall: tuple[str, ...]
    goal: str
    switches: Callable[..., dict[str, Any]]
    switch_rows: Callable[[], list[tuple[str, str, str, str]]]


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
