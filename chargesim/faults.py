"""Faults in what a user gave: each with its path and a remedy, all of them in one error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from chargesim.errors import InputError


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a file.

    Parameters
    ----------
    path
        Where, dotted, places counted from 0.
    message
        What is wrong and what would be right.
    remedy
        What would be right, where the message does not say it.
    """

    path: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" + (f": {self.remedy}" if self.remedy else "")


MEASURES = ("mean", "sd", "exactly", "at_least")
"""Words that stand where outcomes have the name of a unit."""


def name_faults(path: str, name: str) -> list[Fault]:
    """Faults of a unit's name: paths must be able to hold it, and outcomes to begin with it."""
    if not name.strip() or name.isdigit():
        return [Fault(path, "is no name: a name has other than digits in it")]
    if name in MEASURES:
        return [Fault(path, f"is no name: outcomes begin with {name!r} for a number of theirs")]
    if "." in name:
        return [Fault(path, "is no name: a dot in it would divide the paths that lead to it")]
    return []


def nearest(word: str, known: Iterable[str]) -> str:
    """End of a message that names the nearest known word, or all of a few."""
    words = list(known)
    close = [known for known in words if known.lower() == word.lower()]
    close = close or get_close_matches(word, words, n=1, cutoff=0.5)
    if close:
        return f"; the nearest known is {close[0]!r}"
    if 0 < len(words) <= 8:
        return f"; known: {', '.join(words)}"
    return ""


class FaultsError(InputError):
    """A file cannot be used; ``faults`` holds all that was found wrong.

    Parameters
    ----------
    source
        File, or another word for where the data came from.
    faults
        At least one.
    """

    def __init__(self, source: str, faults: list[Fault]) -> None:
        self.source, self.faults = source, faults
        lines = [f"{source}: {len(faults)} fault{'s' if len(faults) > 1 else ''}"]
        lines += [f"  {fault}" for fault in faults]
        super().__init__("\n".join(lines))


class ScenarioError(FaultsError):
    """A scenario cannot be used."""


class StudyError(FaultsError):
    """A study cannot be used."""


def describe(error: Any, keys: Any, wanted: Any = lambda place: "") -> Fault:
    """Put one of pydantic's faults into our words.

    Parameters
    ----------
    error
        An entry of ``ValidationError.errors()``.
    keys
        Function from a path (a tuple of keys) to the keys known there.
    wanted
        Function from a path to what a value there looks like.
    """
    place = tuple(p for p in error["loc"] if not str(p).startswith("@"))
    path = ".".join(str(p) or '""' for p in place)
    kind, context, given = error["type"], error.get("ctx", {}), error.get("input")
    if kind == "extra_forbidden":
        return Fault(path, "unknown key" + nearest(str(place[-1]), keys(place[:-1])))
    if kind == "missing":
        return Fault(path, "is missing", wanted(place))
    if kind in ("greater_than_equal", "greater_than"):
        least = _plain(context.get("ge", context.get("gt")))
        return Fault(path, f"{shown(given)} is too small: at least {least}")
    if kind in ("less_than_equal", "less_than"):
        most = _plain(context.get("le", context.get("lt")))
        return Fault(path, f"{shown(given)} is too large: at most {most}")
    if kind in ("int_type", "int_from_float"):
        span = wanted(place).removeprefix("a whole number ")
        return Fault(path, f"{shown(given)} is not a whole number", span)
    if kind in ("bool_type", "bool_parsing"):
        return Fault(path, f"{shown(given)} is neither true nor false")
    if kind == "string_type":
        return Fault(path, f"{shown(given)} is not a text")
    if kind == "literal_error":
        return _choice(path, given, context["expected"])
    if kind in ("model_type", "dict_type"):
        return Fault(path, f"{shown(given)} is not a table", _heading(place, keys(place)))
    if kind == "tuple_type":
        return _list(path, given, keys(place))
    if kind in ("too_short", "too_long"):
        short = kind == "too_short"
        count, bound = context["actual_length"], context["min_length" if short else "max_length"]
        few = "too few: at least" if short else "too many: at most"
        return Fault(path, f"{count} of them are {few} {bound}")
    if kind == "value_error":
        return Fault(path, str(context["error"]))
    return Fault(path, str(error["msg"]))


def shown(given: Any) -> str:
    """What was given, cut short where it is long."""
    text = repr(given)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


_MOST_SHOWN = 60


def _plain(value: Any) -> str:
    return f"{value:,.12g}" if isinstance(value, float) else str(value)


def _heading(place: tuple[Any, ...], keys: list[str]) -> str:
    """How a table is begun, or written in a list of a table."""
    if isinstance(place[-1], int):
        return f"write [[{place[-2]}]] above its keys" if len(place) == 2 else _table(keys)
    plain = all(isinstance(key, str) for key in place)
    if place == ("unit",):
        return "write [unit.NAME] above the keys of each"
    return f"write [{'.'.join(place)}] above its keys" if plain else ""


def _table(keys: list[str]) -> str:
    """A table in one line, with the first keys that it knows."""
    return f"write {{ {', '.join(f'{key} = …' for key in keys[:2])} }}" if keys else ""


def _list(path: str, given: Any, keys: list[str]) -> Fault:
    if isinstance(given, str) and not keys:
        return Fault(path, f"{given!r} is not a list", f'write ["{given}"]')
    if path == "charge":
        return Fault(path, f"{shown(given)} is not a list of tables", "write [[charge]]")
    remedy = _table(keys).replace("write ", "write [ ") + " ]" if keys else ""
    return Fault(path, f"{shown(given)} is not a list", remedy)


def _choice(path: str, given: Any, expected: str) -> Fault:
    words = [w.strip().strip("'") for w in expected.replace(" or ", ", ").split(",")]
    near = get_close_matches(given, words, n=1, cutoff=0.5) if isinstance(given, str) else []
    hint = f"; the nearest is {near[0]!r}" if near else ""
    return Fault(path, f"{shown(given)} is not one of {', '.join(words)}{hint}")
