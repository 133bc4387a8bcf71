"""An army list as a document: its units, and what was understood of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chargesim.report.render import Document, Table, number
from chargesim.rosters.findings import SILENT, STATUSES
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.roster import Roster
    from chargesim.rosters.findings import Finding
    from chargesim.rosters.reading import Army, Unit

STATS = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")
SPANISH = ("M", "HA", "HP", "F", "R", "H", "I", "A", "L")


def _(text: str) -> str:
    """Mark a text for the catalogue."""
    return text


STATUS = {
    "missing": _("missing"),
    "conflicting": _("conflicting"),
    "assumed": _("assumed"),
    "partial": _("partial"),
    "not read": _("not read"),
    "derived": _("derived"),
    "normalised": _("normalised"),
    "read": _("read"),
    "given": _("given"),
}
"""Statuses for people."""


def roster_document(roster: Roster, lang: str, *, everything: bool = False) -> Document:
    """A list: one line on what was understood, its units, and what needs a look.

    Parameters
    ----------
    roster
        The list.
    lang
        ``"en"`` or ``"es"``.
    everything
        True to show the values too that were simply read.
    """
    blocks: list[str | Table] = [*_lead(roster.army, lang), _units_table(roster.army, lang)]
    return Document(
        roster.title,
        (*blocks, *_report_blocks(roster.army, lang, everything), *_advice(roster.army, lang)),
        _source(roster.army, lang),
    )


def report_document(army: Army, lang: str) -> Document:
    """What was understood alone."""
    return Document(
        army.list.name,
        (*_lead(army, lang), *_report_blocks(army, lang, everything=False), *_advice(army, lang)),
        _source(army, lang),
    )


def unit_of_length(name: str, lang: str) -> str:
    """A unit of length for people."""
    say = translation("chargesim", lang).gettext
    return say("inches") if name == "inch" else say("cm")


def _lead(army: Army, lang: str) -> list[str]:
    """The sentence on top, and whether the costs add up."""
    words = translation("chargesim", lang)
    say, many = words.gettext, words.ngettext
    counts = army.counts()
    complete = sum(unit.is_complete for unit in army.units.values())
    told = ", ".join(
        f"{counts[s]} {many(STATUS[s], STATUS[s], counts[s])}"
        for s in reversed(STATUSES)
        if counts[s]
    )
    first = say("{units} units, {complete} of them complete; values: {told}.").format(
        units=len(army.units), complete=complete, told=told
    )
    total = army.list.total
    if total is None:
        second = say("The file has no total to check the costs against.")
    elif total == army.list.sum:
        second = say("The costs add up to the list's own total of {total} points.").format(
            total=_points(float(total), lang)
        )
    else:
        second = say(
            "The costs add up to {sum} points, but the list says {total}: the file was edited or "
            "is not whole."
        ).format(sum=_points(float(army.list.sum), lang), total=_points(float(total), lang))
    return [first, second]


def _points(value: float, lang: str) -> str:
    return number(value, 0 if value == int(value) else 2, lang)


def _units_table(army: Army, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    heads = (
        say("unit"), say("name"), say("models"), *(SPANISH if lang == "es" else STATS),
        say("save"), say("arms"), say("rules"), say("points"), say("state"),
    )  # fmt: skip
    rows = tuple(_unit_row(unit, lang) for unit in army.units.values())
    raw = tuple(_raw_unit(unit) for unit in army.units.values())
    lengths = unit_of_length(army.dialect.unit, lang)
    return Table(
        heads, rows, say("Units, lengths in {unit}").format(unit=lengths), (), raw,
        frozenset(range(2, 12)) | {15}, name=say("units"),
        heads=("unit", "name", "models", *STATS, "save", "arms", "rules", "points", "missing"),
    )  # fmt: skip


def _unit_row(unit: Unit, lang: str) -> tuple[str, ...]:
    say = translation("chargesim", lang).gettext
    table = unit.table
    points = table.get("points")
    state = say("complete") if unit.is_complete else say("missing: {paths}").format(
        paths=", ".join(unit.missing)
    )  # fmt: skip
    return (
        unit.key, unit.title, _shown(table.get("models")),
        *(_shown(_stat(table, name)) for name in STATS),
        _saves(table), _arms(table), " ".join(_rules(table)),
        "" if points is None else _points(float(points), lang), state,
    )  # fmt: skip


def _raw_unit(unit: Unit) -> tuple[object, ...]:
    table = unit.table
    return (
        unit.key, unit.title, table.get("models"), *(_stat(table, name) for name in STATS),
        _saves(table), _arms(table), " ".join(_rules(table)), table.get("points"),
        " ".join(unit.missing),
    )  # fmt: skip


def _stat(table: dict[str, Any], name: str) -> Any:
    """A statistic; what a chariot takes from its crew is shown as its crew's."""
    if name in table:
        return table[name]
    crew = table.get("chariot", {}).get("crew", {})
    return crew.get(name) if isinstance(crew, dict) else None


def _shown(value: Any) -> str:
    return "?" if value is None else str(value)


def _saves(table: dict[str, Any]) -> str:
    """Armour save / ward save / regeneration, as players write them."""
    marks = (("save", ""), ("ward", "w"), ("regeneration", "r"))
    return " ".join(f"{table[key]}{mark}" for key, mark in marks if key in table) or "-"


def _arms(table: dict[str, Any]) -> str:
    found = [str(table.get("weapon", "")).replace("_", " ")]
    if table.get("shield"):
        found.append("shield")
    missile = table.get("missile")
    if isinstance(missile, dict):
        found.append(f"missile {missile.get('range')} S{missile.get('S')}")
    elif missile:
        found.append(str(missile).replace("_", " "))
    return ", ".join(one for one in found if one)


def _rules(table: dict[str, Any]) -> list[str]:
    flags = ("standard", "musician", "champion", "battle_standard")
    return [*table.get("rules", ()), *(flag for flag in flags if table.get(flag))]


def _report_blocks(army: Army, lang: str, everything: bool) -> list[str | Table]:
    say = translation("chargesim", lang).gettext
    rows = [row for row in army.findings if everything or row.status not in SILENT]
    if not everything:
        rows.sort(key=lambda row: STATUSES.index(row.status))  # what is urgent first
    heads = (say("unit"), say("field"), say("value"), say("status"), say("why"), say("place"))
    caption = (
        say("What was not simply read") if not everything else say("Everything, field by field")
    )
    return [
        Table(
            heads, tuple(_finding_row(row, lang) for row in rows), caption, (),
            tuple(tuple(row.to_dict(lang).values()) for row in army.findings),
            name=say("findings"),
            heads=("unit", "field", "value", "status", "place", "note"),
        )
    ]  # fmt: skip


def _finding_row(row: Finding, lang: str) -> tuple[str, ...]:
    say = translation("chargesim", lang).gettext
    value = "" if row.value is None else str(row.value)
    return (
        row.unit or say("(list)"), row.field, value, say(STATUS[row.status]), row.note.say(lang),
        row.place,
    )  # fmt: skip


def _advice(army: Army, lang: str) -> list[str]:
    """How to give what is missing."""
    say = translation("chargesim", lang).gettext
    lacking = [unit for unit in army.units.values() if not unit.is_complete]
    if not lacking:
        return []
    text = say(
        "Units that lack something cannot be simulated. Give it in a TOML file, read with "
        "--overrides: {lines}"
    )
    lines = "; ".join(f"unit.{unit.key}.{path} = ..." for unit in lacking for path in unit.missing)
    return [text.format(lines=lines)]


def _source(army: Army, lang: str) -> tuple[str, ...]:
    say = translation("chargesim", lang).gettext
    return (
        say("{file}: {game}, format {version}, dialect {dialect}.").format(
            file=army.source,
            game=army.list.system or say("game not named"),
            version=army.list.version or "?",
            dialect=army.dialect.name,
        ),
    )
