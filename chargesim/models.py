"""What a model of scenarios says of a place in it: its keys, its values, and values to stand in.

A file with faults of form has no model, but what does not hang on those faults can be told all the
same: :func:`independent` puts other values in their places, several in turn, and keeps the faults
that are found whatever stands there. :class:`Known` remembers parts of models.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from chargesim.faults import Fault

Place = tuple[Any, ...]
ROUNDS = 12
"""How often other values are tried: more often than any of the values that are all tried."""
FEW = 8
"""Whole numbers of so small a range are all tried."""
ANY_NUMBER = (11, 0, 1, 0.5, 7, 36)
"""Numbers tried where none is too small or too large."""


def is_model(kind: Any) -> bool:
    """True for a table of named keys."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def known_keys(model: type[BaseModel], place: Place) -> list[str]:
    """Keys a model knows at a path, found by walking its annotations."""
    current: Any = model
    for key in place:
        current = _below(current, key)
        if current is None:
            return []
    return list(current.model_fields) if is_model(current) else []


def wanted(model: type[BaseModel], place: Place) -> str:
    """What a value at a path looks like, as far as its annotation tells."""
    above: Any = model
    for key in place[:-1]:
        above = _below(above, key)
    found = above.model_fields.get(place[-1]) if is_model(above) else None
    if found is None:
        return ""
    if get_origin(found.annotation) is Literal:
        return "one of " + ", ".join(str(word) for word in get_args(found.annotation))
    low, high = _bounds(found.metadata)
    kind = {int: "a whole number", float: "a number", str: "a text"}.get(found.annotation, "")
    if kind and low is not None and high is not None:
        return f"{kind} from {low:,g} to {high:,g}"
    return kind


def _bounds(metadata: Any) -> tuple[Any, Any]:
    """Least and greatest value, ``None`` where there is none."""
    flat = [one for m in metadata for one in (m.metadata if isinstance(m, FieldInfo) else [m])]
    sides = {side: getattr(m, side) for m in flat for side in ("ge", "le") if hasattr(m, side)}
    return sides.get("ge"), sides.get("le")


def _below(model: Any, key: Any) -> Any:
    """The model under a key, looking through optional, lists, dictionaries and unions."""
    if not is_model(model):
        return None
    if key in model.model_fields:
        found = _models_in(model.model_fields[key].annotation)
        return found[0] if found else None
    # the key is a place in a list or a name in a dictionary: already looked through
    return model


def _models_in(kind: Any) -> list[Any]:
    if is_model(kind):
        return [kind]
    return [m for part in getattr(kind, "__args__", ()) for m in _models_in(part)]


ABSENT = object()
"""Stands in for a key that is left out."""


@dataclass(frozen=True)
class _Hole:
    """A place with a fault, and what may stand there instead: all of that, or only some of it."""

    place: Place
    values: tuple[Any, ...]
    known: bool


def _hole(model: Any, place: Place) -> _Hole | None:
    """The innermost key on a path that can be filled; ``None`` where nothing can stand in."""
    kind: Any = model
    found: _Hole | None = None
    for depth, key in enumerate(place, 1):
        tables = _models_in(kind) if not is_model(kind) else [kind]
        table = next((one for one in tables if key in one.model_fields), None)
        if table is not None:
            field = table.model_fields[key]
            kind = field.annotation
            values = _values(kind, field.metadata)
            if not field.is_required():
                values = (ABSENT, *values)
            found = _Hole(place[:depth], values, len(values) > 1)
            if _models_in(kind):
                # a whole table, or many: too much to be made up, but for what is in it
                found = None
        elif is_model(kind):
            return None
        elif get_origin(kind) is dict:
            kind = get_args(kind)[1]
            if not is_model(kind):
                found = _Hole(place[:depth], (ABSENT, *_values(kind, ())), True)
        elif not tables:
            break
    return found if found is not None and found.values else None


def _values(kind: Any, metadata: Any) -> tuple[Any, ...]:
    """Values that a type allows: all of a few, else the ends and some between."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _values(inside[0], inside[1:])
    if origin is Literal:
        return inside
    if kind is bool:
        return False, True
    if kind in (int, float):
        low, high = _bounds(metadata)
        if low is None or high is None:
            return ANY_NUMBER
        if kind is int and high - low < FEW:
            return tuple(range(low, high + 1))
        some = (low, high, *(low + (high - low) / part for part in (2, 5, 20, 100)))
        return tuple(int(one) if kind is int else round(one, 2) for one in some)
    if origin in (tuple, list, dict, None) or kind is NoneType:
        return ()
    return tuple(value for part in inside for value in _values(part, ()))


def _put(tables: Any, place: Place, value: Any) -> Any:
    """Copy of nested tables with a value at a path."""
    if not place:
        return value
    key, *way = place
    if isinstance(tables, (list, tuple)):
        return [_put(one, tuple(way), value) if i == key else one for i, one in enumerate(tables)]
    tables = dict(tables) if isinstance(tables, dict) else {}
    if value is ABSENT and not way:
        tables.pop(key, None)
    else:
        tables[key] = _put(tables.get(key, {}), tuple(way), value)
    return tables


def _path(place: Place) -> str:
    return ".".join(map(str, place))


def _holes(model: type[BaseModel], error: ValidationError) -> list[_Hole] | None:
    """What has to be filled so that a file has a model; ``None`` where that cannot be."""
    found = []
    for entry in error.errors():
        place = tuple(p for p in entry["loc"] if not str(p).startswith("@"))
        if entry["type"] == "extra_forbidden":
            # what it may have been meant for is not known either
            near = get_close_matches(str(place[-1]), known_keys(model, place[:-1]), n=1, cutoff=0.5)
            found.append(_Hole(place, (ABSENT,), not near))
            meant = _hole(model, (*place[:-1], *near)) if near else None
            found += [meant] if meant is not None else []
            continue
        hole = _hole(model, place)
        if hole is None:
            return None
        found.append(hole)
    return found


def independent(
    model: type[BaseModel],
    tables: dict[str, Any],
    error: ValidationError,
    check: Callable[[Any], list[Fault]],
) -> list[Fault]:
    """Faults of sense that are there whatever stands in the places of the faults of form.

    Parameters
    ----------
    model
        The model that the tables do not fit.
    tables
        What the file says.
    error
        Why they do not fit.
    check
        Gives the faults of sense of a model.

    Returns
    -------
    list of Fault
        None where no values can stand in. A fault is left out where it is about a unit or a charge
        of which too little is known.
    """
    holes = _holes(model, error)
    if holes is None:
        return []
    kept: dict[str, Fault] | None = None
    for filled in _fillings(holes, tables):
        try:
            found = {str(fault): fault for fault in check(model.model_validate(filled))}
        except ValidationError:
            return []
        kept = found if kept is None else {text: kept[text] for text in kept if text in found}
    vague = [hole.place for hole in holes if not hole.known]
    told = [_path(hole.place) for hole in holes]
    return [
        fault
        for fault in (kept or {}).values()
        if not any(_within(fault.path, path) or _within(path, fault.path) for path in told)
        and not any(_is_about(fault, place, tables) for place in vague)
    ]


def _fillings(holes: list[_Hole], tables: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The tables with other values in all holes, each in an order of its own."""
    orders = []
    for number, hole in enumerate(holes):
        order = [hole.values[i % len(hole.values)] for i in range(ROUNDS)]
        random.Random(number).shuffle(order)
        orders.append(order)
    for values in zip(*orders, strict=True):
        filled: Any = tables
        for hole, value in zip(holes, values, strict=True):
            filled = _put(filled, hole.place, value)
        yield filled


def _within(path: str, other: str) -> bool:
    return path == other or path.startswith(other + ".")


def _is_about(fault: Fault, place: Place, tables: dict[str, Any]) -> bool:
    """True for a fault that may hang on what belongs to a place, of which too little is known.

    Whom a charge is on decides who may react; a unit decides on its charges, and on what names it.
    """
    owner = place[:2]
    way = fault.path.split(".")
    if len(place) < 2 or _within(fault.path, _path(owner)):
        return True
    if owner[0] == "charge":
        return way[0] in ("charge", "reaction")
    if owner[0] != "unit":
        return False
    name = str(owner[1])
    if way[0] == "charge":
        charges = tables.get("charge")
        if len(way) == 1 or not way[1].isdigit() or not isinstance(charges, list):
            return True
        return name in repr(charges[int(way[1])])
    return name in str(fault)


class Known:
    """Parts of models that were validated before, by what they were made of.

    A part is valid or not by itself, whatever stands beside it, so what was made of the same words
    and numbers need not be validated again. What is not plain TOML is never remembered, nor is what
    is not valid: it is validated in its place, and its faults are told of there.
    """

    def __init__(self) -> None:
        self.parts: dict[tuple[type[BaseModel], bytes], BaseModel] = {}

    def put_in(self, model: type[BaseModel], tables: dict[str, Any]) -> dict[str, Any]:
        """Tables with parts of the model in place of those that are known."""
        tables = dict(tables)
        for name, (kind, shape) in _sections(model).items():
            given = tables.get(name)
            if shape is dict and isinstance(given, dict):
                tables[name] = {key: self._part(kind, inner) for key, inner in given.items()}
            elif shape is tuple and isinstance(given, list):
                tables[name] = [self._part(kind, inner) for inner in given]
            elif shape is None and given is not None:
                tables[name] = self._part(kind, given)
        return tables

    def _part(self, kind: type[BaseModel], given: Any) -> Any:
        """Part of a model made of a table, or the table itself where that cannot be."""
        if not isinstance(given, dict):
            return given
        try:
            # the same bytes are the same numbers of the same types: 1, 1.0 and true differ
            key = kind, marshal.dumps(given, PLAIN)
        except ValueError:
            return given
        found = self.parts.get(key)
        if found is None:
            try:
                found = kind.model_validate(given)
            except ValidationError:
                return given
            if len(self.parts) >= MOST_PARTS:
                self.parts.clear()
            self.parts[key] = found
        return found


MOST_PARTS = 4096
"""Parts of models that are remembered."""
PLAIN = 2
"""Version of marshal's format that writes equal things alike, however often they are used."""


@cache
def _sections(model: type[BaseModel]) -> dict[str, tuple[type[BaseModel], type | None]]:
    """Keys of a model that hold models: which, and whether in a table, in a list or alone."""
    found: dict[str, tuple[type[BaseModel], type | None]] = {}
    for name, field in model.model_fields.items():
        kind: Any = field.annotation
        shape: type | None = None
        if get_origin(kind) in (dict, tuple):
            shape = get_origin(kind)
            kind = get_args(kind)[1 if shape is dict else 0]
        if is_model(kind):
            found[name] = kind, shape
    return found
