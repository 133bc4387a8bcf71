"""A scenario file from units of lists: to be edited, with what is doubtful said beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Item

from chargesim.rosters.findings import SILENT, Finding
from chargesim.rosters.text import clean

INLINE = ("missile", "mount", "crew", "beasts")
"""Tables that stand in one line."""


def scenario_text(
    units: Mapping[str, Mapping[str, Any]],
    *,
    lengths: str,
    charger: str,
    target: str,
    distance: float,
    title: str,
    include: str = "",
    findings: Iterable[Finding] = (),
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> str:
    """A scenario of one charge as TOML.

    Parameters
    ----------
    units
        Tables by name, sides included.
    lengths
        ``"cm"`` or ``"inch"``.
    charger, target
        Names of units; the target may stand in the included file.
    distance
        Of the charge, above 0.
    title
        Of the scenario.
    include
        File of further units, as the scenario is to name it.
    findings
        Of those units, under the names that they have here: doubts become comments.
    names
        What people call each unit.
    lang
        Language of the comments.
    """
    doubts: dict[tuple[str, str], str] = {}
    loose: dict[str, list[str]] = {}
    for row in findings:
        if row.status in SILENT or row.status == "derived":
            continue
        text = clean(f"{row.status}: {row.note.say(lang)}") if row.note else row.status
        if _has(units.get(row.unit, {}), row.field) and row.field != "rules":
            doubts[row.unit, row.field] = text
        else:
            loose.setdefault(row.unit, []).append(f"{row.field}: {text}")
    document = tomlkit.document()
    document.add("ruleset", _item("wh6"))
    document.add("title", _item(title))
    document.add("units", _item(lengths))
    if include:
        document.add("include", _item(include))
    document.add(tomlkit.nl())
    tables = tomlkit.table(is_super_table=True)
    for name, unit in units.items():
        table = tomlkit.table()
        for text in [*([names[name]] if names and name in names else []), *loose.get(name, [])]:
            table.add(tomlkit.comment(clean(text)))
        _fill(table, unit, name, "", doubts)
        table.add(tomlkit.nl())
        tables.add(name, table)
    document.add("unit", tables)
    charges = tomlkit.aot()
    charge = tomlkit.table()
    for key, value in (("charger", charger), ("target", target), ("distance", distance)):
        charge.add(key, _item(value))
    charge.add(tomlkit.nl())
    charges.append(charge)
    document.add("charge", charges)
    reaction = tomlkit.table()
    reaction.add(target, _item("best"))
    reaction[target].comment("hold, stand_and_shoot, flee, or best: the best for its owner")
    document.add("reaction", reaction)
    return tomlkit.dumps(document)


def _has(table: Any, path: str) -> bool:
    for key in path.split("."):
        if not isinstance(table, Mapping) or key not in table:
            return False
        table = table[key]
    return True


def _fill(
    into: Any, table: Mapping[str, Any], name: str, path: str, doubts: Mapping[tuple[str, str], str]
) -> None:
    for key, value in table.items():
        whole = f"{path}.{key}" if path else key
        if isinstance(value, Mapping) and key not in INLINE:
            inner = tomlkit.table()
            _fill(inner, value, name, whole, doubts)
            into.add(key, inner)
            continue
        item = _item(value)
        text = doubts.get((name, whole)) or "; ".join(
            doubt for (unit, at), doubt in doubts.items()
            if unit == name and at.startswith(f"{whole}.")
        )  # fmt: skip
        if text:
            item.comment(text)
        into.add(key, item)


def _item(value: Any) -> Item:
    if isinstance(value, Mapping):
        table: InlineTable = tomlkit.inline_table()
        for key, inner in value.items():
            table.add(key, _item(inner))
        return table
    if isinstance(value, float) and value == int(value):
        value = int(value)
    item: Item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    return item
