"""Dotted paths: values set in the tables of a scenario file, and the paths that a model has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from chargesim.faults import Fault, ScenarioError
from chargesim.models import ABSENT, is_model


def fresh(value: Any) -> Any:
    """Copy of nested tables in which no two places share one."""
    if isinstance(value, dict):
        return {key: fresh(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [fresh(inner) for inner in value]
    return value


@lru_cache(maxsize=4096)
def _way(path: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Keys on the way of a path, each with the path as far as it, and the last key."""
    *way, last = path.split(".")
    return tuple((key, ".".join(way[: i + 1])) for i, key in enumerate(way)), last


def set_at(
    tables: dict[str, Any],
    path: str,
    value: Any,
    owned: set[str],
    source: str,
    aliases: Mapping[str, str],
) -> None:
    """Set a value in tables whose containers are shared, but for those that are owned by now."""
    at: Any = tables
    way, last = _way(path)
    try:
        for key, so_far in way:
            place: Any = int(key) if isinstance(at, list) else key
            inner = at[place] if isinstance(at, list) else at.setdefault(place, {})
            if so_far not in owned:
                at[place] = inner = inner.copy()
                owned.add(so_far)
            at = inner
        if isinstance(at, list):
            at[int(last)] = value
            return
        if last not in at:
            # a statistic goes by the name that it has in the file
            last = next((key for key in at if _same(key, last, aliases)), last)
        if value is ABSENT:
            at.pop(last, None)
        else:
            at[last] = value
    except (KeyError, IndexError, ValueError, TypeError, AttributeError):
        raise ScenarioError(source, [Fault(path, "leads to nothing in the scenario")]) from None


def _same(one: str, other: str, aliases: Mapping[str, str]) -> bool:
    """True for two names of one statistic."""
    return aliases.get(one, one) == aliases.get(other, other)


def paths_below(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Paths below a part of the model, each with its field (``None`` where it has none)."""
    if is_model(type(value)):
        fields = type(value).model_fields.items()
        below = [(name, field, getattr(value, name)) for name, field in fields]
    elif isinstance(value, dict):
        below = [(str(name), None, inner) for name, inner in value.items()]
    elif isinstance(value, tuple) and any(is_model(type(inner)) for inner in value):
        below = [(str(place), None, inner) for place, inner in enumerate(value)]
    else:
        return
    for name, field, inner in below:
        whole = f"{path}.{name}" if path else name
        further = list(paths_below(inner, whole))
        yield from further or [(whole, field)]
        if further and field is not None and path:
            # a table that may be replaced as a whole, such as an estimated distance
            yield whole, field
