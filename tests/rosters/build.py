"""Invented army lists: one description, written as .ros, .rosz and New Recruit's JSON."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr

STATS = {
    "en": ("Mv", "WS", "BS", "S", "T", "W", "I", "A", "Ld"),
    "es": ("M", "HA", "HP", "F", "R", "H", "I", "A", "L"),
}
LINE_TYPE = {"en": "a54a-7f00-29bf-12b1", "es": "1025-8460-b30f-58db"}
FORMATS = ("ros", "rosz", "json")
POINTS = {"en": "pts", "es": "Puntos"}


@dataclass
class P:
    """A profile."""

    name: str
    columns: dict[str, str]
    type_name: str = "Profile"
    type_id: str = "made-up"


@dataclass
class S:
    """A selection."""

    name: str
    type: str = "upgrade"
    number: int = 1
    label: str = ""
    group: str = ""
    slot: str = ""
    points: float = 0
    profiles: list[P] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    inside: list[S] = field(default_factory=list)


@dataclass
class F:
    """A force."""

    name: str
    selections: list[S]
    forces: list[F] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)


def line(
    lang: str, name: str, stats: str, *, save: str = "", ward: str = "", strength: str = "",
    troop: str = "", base: str = "", type_id: str | None = None,
) -> P:  # fmt: skip
    """A stat line: nine cells separated by blanks, ``_`` for a blank within one."""
    cells = [cell.replace("_", " ") for cell in stats.split()]
    columns = dict(zip(STATS[lang], cells, strict=True))
    if lang == "en":
        columns |= {"Sv": save, "Sv+": ward, "US": strength, "Base": base}
    else:
        columns |= {"TSA": save, "TSE": ward, "Tipo": troop, "Potencia": strength, "Peana": base}
    return P(name, columns, "Profile", LINE_TYPE[lang] if type_id is None else type_id)


def weapon(lang: str, name: str, length: str, strength: str, special: str = "") -> P:
    heads = ("Range", "Strength", "Special Rules")
    if lang == "es":
        heads = ("Alcance", "Fuerza", "Reglas especiales")
    cells = dict(zip(heads, (length, strength, special), strict=True))
    return P(name, cells, "Weapon" if lang == "en" else "Arma")


def armour(name: str, value: str) -> P:
    return P(name, {"Saving Throw Modifier": value, "Special rules": ""}, "Armour")


@dataclass
class L:
    """A list."""

    name: str
    forces: list[F]
    lang: str = "en"
    version: str = "2.03"
    total: float | None = None

    def points(self) -> float:
        return sum(one.points for one in self.walk()) if self.total is None else self.total

    def walk(self) -> Iterator[S]:
        waiting = list(self.forces)
        while waiting:
            force = waiting.pop()
            waiting += force.forces
            below = list(force.selections)
            while below:
                one = below.pop()
                yield one
                below += one.inside


def army(lang: str, *selections: S, **extra: Any) -> L:
    """A list of one force."""
    return L("Invented host", [F("Main force", list(selections))], lang, **extra)


def write(what: L, form: str) -> bytes:
    """The bytes of a list in one of the formats."""
    if form == "json":
        return json.dumps(as_json(what), ensure_ascii=False, indent=1).encode()
    if form == "rosz":
        return packed({"list.ros": write(what, "ros")})
    return (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n"
        + "\n".join(_roster(what))
        + "\n"
    ).encode()


def packed(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            # the same bytes on every day
            file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def _attributes(**values: Any) -> str:
    return "".join(
        f" {key}={quoteattr(str(value))}" for key, value in values.items() if value != ""
    )


def _roster(what: L) -> Iterator[str]:
    kind = POINTS[what.lang]
    yield (
        "<roster xmlns='http://www.battlescribe.net/schema/rosterSchema'"
        + _attributes(
            id="invented", name=what.name, battleScribeVersion=what.version,
            gameSystemId="made-up", gameSystemName="Invented armies", gameSystemRevision=1,
        )
        + ">"
    )  # fmt: skip
    yield f" <costs><cost name='{kind}' typeId='{kind}' value='{what.points():g}'/></costs>"
    yield " <forces>"
    for force in what.forces:
        yield from _force(force, kind, "  ")
    yield " </forces>"
    yield "</roster>"


def _force(force: F, kind: str, pad: str) -> Iterator[str]:
    yield f"{pad}<force{_attributes(name=force.name, catalogueName='Invented')}>"
    yield from _rules(force.rules, pad)
    yield from _selections(force.selections, kind, pad + " ")
    if force.forces:
        yield f"{pad} <forces>"
        for inner in force.forces:
            yield from _force(inner, kind, pad + "  ")
        yield f"{pad} </forces>"
    yield f"{pad}</force>"


def _rules(rules: list[str], pad: str) -> Iterator[str]:
    if rules:
        yield f"{pad} <rules>"
        for name in rules:
            yield f"{pad}  <rule{_attributes(name=name, hidden='false')}/>"
        yield f"{pad} </rules>"


def _selections(selections: list[S], kind: str, pad: str) -> Iterator[str]:
    if not selections:
        return
    yield f"{pad}<selections>"
    for one in selections:
        yield f"{pad} <selection" + _attributes(
            name=one.name, customName=one.label, entryId="x", type=one.type, number=one.number,
            group=one.group,
        ) + ">"  # fmt: skip
        yield from _rules(one.rules, pad + " ")
        yield from _profiles(one.profiles, pad + "  ")
        yield from _selections(one.inside, kind, pad + "  ")
        if one.points:
            cost = _attributes(name=kind, typeId=kind, value=f"{one.points:g}")
            yield f"{pad}  <costs><cost{cost}/></costs>"
        if one.slot:
            slot = _attributes(name=one.slot, primary="true")
            yield f"{pad}  <categories><category{slot}/></categories>"
        yield f"{pad} </selection>"
    yield f"{pad}</selections>"


def _profiles(profiles: list[P], pad: str) -> Iterator[str]:
    if not profiles:
        return
    yield f"{pad}<profiles>"
    for one in profiles:
        head = _attributes(
            name=one.name, hidden="false", typeId=one.type_id, typeName=one.type_name
        )
        yield f"{pad} <profile{head}><characteristics>"
        for name, text in one.columns.items():
            yield f"{pad}  <characteristic{_attributes(name=name)}>{escape(text)}</characteristic>"
        yield f"{pad} </characteristics></profile>"
    yield f"{pad}</profiles>"


def as_json(what: L) -> dict[str, Any]:
    """New Recruit's JSON: empty lists and empty values left out, numbers as numbers."""
    kind = POINTS[what.lang]
    return {
        "roster": {
            "name": what.name,
            "battleScribeVersion": float(what.version),
            "gameSystemName": "Invented armies",
            "costs": [{"name": kind, "typeId": kind, "value": what.points()}],
            "forces": [_json_force(force, kind) for force in what.forces],
        }
    }


def _json_force(force: F, kind: str) -> dict[str, Any]:
    return _full(
        name=force.name, catalogueName="Invented", rules=[{"name": r} for r in force.rules],
        selections=[_json_selection(one, kind) for one in force.selections],
        forces=[_json_force(one, kind) for one in force.forces],
    )  # fmt: skip


def _json_selection(one: S, kind: str) -> dict[str, Any]:
    return _full(
        name=one.name, customName=one.label, type=one.type, number=one.number, group=one.group,
        rules=[{"name": name, "hidden": False} for name in one.rules],
        profiles=[_json_profile(profile) for profile in one.profiles],
        selections=[_json_selection(below, kind) for below in one.inside],
        costs=[{"name": kind, "typeId": kind, "value": one.points}] if one.points else [],
        categories=[{"name": one.slot, "primary": True}] if one.slot else [],
    )  # fmt: skip


def _json_profile(one: P) -> dict[str, Any]:
    cells = [_full(name=name, **{"$text": text}) for name, text in one.columns.items()]
    return {
        "name": one.name, "hidden": False, "typeId": one.type_id, "typeName": one.type_name,
        "characteristics": cells,
    }  # fmt: skip


def _full(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in ("", [])}
