"""Overrides: what the user knows and the list does not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chargesim import rulesets
from chargesim.faults import Fault, ScenarioError, nearest
from chargesim.rosters.findings import Findings

NONE = "none"
"""Value that takes a key out."""
SOURCE = "overrides"


def override(units: Mapping[str, Findings], given: Mapping[str, Any] | None, unit: str) -> str:
    """Put what an overrides file gives in place of what a list says.

    Parameters
    ----------
    units
        Findings by key; changed.
    given
        ``units`` (``"cm"`` or ``"inch"``) and a table ``unit.KEY`` a unit, as in a scenario;
        ``"none"`` takes a value out.
    unit
        Unit of lengths that the list has.

    Returns
    -------
    str
        The unit of lengths in force.

    Raises
    ------
    ScenarioError
        With every unit and key that there is not.
    """
    if not given:
        return unit
    faults = [
        Fault(key, "unknown key" + nearest(key, ("unit", "units")))
        for key in given
        if key not in ("unit", "units")
    ]
    wanted = given.get("units", unit)
    if wanted not in ("cm", "inch"):
        faults.append(Fault("units", f"{wanted!r} is not one of cm, inch"))
    tables = given.get("unit", {})
    if not isinstance(tables, Mapping):
        faults.append(Fault("unit", f"{tables!r} is not a table: write [unit.NAME] above its keys"))
        tables = {}
    known = _known()
    for key, table in tables.items():
        path = f"unit.{key}"
        if key not in units:
            faults.append(Fault(path, "there is no such unit in the list" + nearest(key, units)))
        elif not isinstance(table, Mapping):
            faults.append(Fault(path, f"{table!r} is not a table: write [{path}] above its keys"))
        else:
            faults += [
                Fault(f"{path}.{name}", "unknown key" + nearest(name, known))
                for name in table
                if name not in known
            ]
    if faults:
        raise ScenarioError(SOURCE, faults)
    for key, table in tables.items():
        for path, value in _leaves(table, ""):
            _put(units[key], path, value)
    return str(wanted)


def _known() -> list[str]:
    """Keys of a unit's table, its side left out: which that is, the question says."""
    ruleset = rulesets.get("wh6")
    unit = ruleset.model.model_fields["unit"].annotation.__args__[1]
    return [name for name in unit.model_fields if name != "side"]


def _leaves(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        whole = f"{path}.{key}" if path else str(key)
        if isinstance(value, Mapping) and key not in ("missile",):
            yield from _leaves(value, whole)
        else:
            yield whole, value


def _put(found: Findings, path: str, value: Any) -> None:
    found.rows = [row for row in found.rows if row[0] != path and not row[0].startswith(f"{path}.")]
    if value != NONE:
        if isinstance(value, list):
            value = list(value)
        found.put(path, value, "given", SOURCE)
        return
    at = found.table
    *way, last = path.split(".")
    for key in way:
        at = at.get(key, {})
    at.pop(last, None)
    found.tell(path, None, "given", SOURCE)
