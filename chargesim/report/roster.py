"""Army lists for people and scripts: units that go into a scenario, and what was understood."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chargesim
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.report.result_json import SCHEMA
from chargesim.report.shown import Shown
from chargesim.rosters.findings import SILENT, Finding
from chargesim.rosters.reading import Army, read_army, read_file
from chargesim.rosters.text import plain, slug
from chargesim.rosters.writing import scenario_text
from chargesim.scenario import Scenario, read_toml

if TYPE_CHECKING:
    import pandas as pd

    from chargesim.report.render import Document

Overrides = Mapping[str, Any] | str | Path | None


class Report(Shown):
    """Field by field what was read, derived, assumed, conflicting, missing, and where it stands.

    Parameters
    ----------
    army
        What was read.
    """

    def __init__(self, army: Army) -> None:
        self.army = army
        self.rows: tuple[Finding, ...] = army.findings

    @property
    def telling(self) -> list[Finding]:
        """Rows that somebody should look at: all that was not simply read."""
        return [row for row in self.rows if row.status not in SILENT]

    def counts(self) -> dict[str, int]:
        """How many rows there are of each status."""
        return self.army.counts()

    def frame(self, lang: str = "en") -> pd.DataFrame:
        """All rows as a frame: unit, field, value, status, place, note."""
        import pandas as pd

        return pd.DataFrame(
            [row.to_dict(lang) for row in self.rows],
            columns=["unit", "field", "value", "status", "place", "note"],
        )

    def __repr__(self) -> str:
        told = ", ".join(f"{n} {status}" for status, n in self.counts().items() if n)
        return f"Report({told})"

    def _document(self) -> Document:
        from chargesim.report.roster_tables import report_document

        return report_document(self.army, "en")


class Roster(Shown):
    """An army list that was read; made by :func:`read_roster`.

    Parameters
    ----------
    army
        What was understood of it.
    """

    def __init__(self, army: Army) -> None:
        self.army = army
        self.report = Report(army)

    @property
    def title(self) -> str:
        """Name of the list."""
        return self.army.list.name

    @property
    def lengths(self) -> str:
        """``"inch"`` or ``"cm"``: the unit of its moves and ranges, for ``Scenario(units=...)``."""
        return self.army.dialect.unit

    @property
    def units(self) -> dict[str, dict[str, Any]]:
        """Every unit as a table for ``Scenario(unit=...)``, by name.

        What the list does not say is left out: a unit that lacks something compulsory is refused
        by the scenario, which names what is missing.
        """
        return {key: dict(unit.table) for key, unit in self.army.units.items()}

    @property
    def complete(self) -> dict[str, dict[str, Any]]:
        """The units that can be simulated."""
        return {k: dict(u.table) for k, u in self.army.units.items() if u.is_complete}

    def find(self, name: str) -> str:
        """Key of a unit by its key, its name or its label.

        Raises
        ------
        InputError
            When there is none, or several; names what there is.
        """
        if name in self.army.units:
            return name
        wanted = plain(name)
        found = [
            key for key, unit in self.army.units.items()
            if wanted in (plain(unit.name), plain(unit.label), plain(unit.title), plain(key))
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(
                f"{self.army.source}: {name!r} is the name of several units: write one of "
                + ", ".join(sorted(found))
            )
        names = [*self.army.units, *(unit.name for unit in self.army.units.values())]
        raise InputError(f"{self.army.source}: there is no unit {name!r}" + nearest(name, names))

    def check_complete(self, key: str) -> None:
        """Refuse a unit that cannot be simulated.

        Raises
        ------
        InputError
            Names what is missing, and how to give it.
        """
        unit = self.army.units[key]
        if unit.is_complete:
            return
        first = unit.missing[0]
        *way, last = first.split(".")
        heading = ".".join(["unit", key, *way])
        raise InputError(
            f"{self.army.source}: {key} cannot be simulated, since the list does not give "
            f"{', '.join(unit.missing)}: write an overrides file with\n  [{heading}]\n  {last} = "
            "..."
        )

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """Plain values for JSON."""
        army = self.army
        total = army.list.total
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "title": self.title,
            "source": army.source,
            "version": army.list.version or None,
            "game": army.list.system or None,
            "dialect": army.dialect.name,
            "units": self.lengths,
            "points": {
                "total": None if total is None else float(total),
                "sum": float(army.list.sum),
            },
            "summary": {
                "units": len(army.units),
                "complete": len(self.complete),
                **army.counts(),
            },
            "unit": {
                key: {
                    "name": unit.name,
                    "label": unit.label or None,
                    "slot": unit.slot or None,
                    "place": unit.place,
                    "missing": list(unit.missing),
                    "table": unit.table,
                }
                for key, unit in army.units.items()
            },
            "findings": [row.to_dict(lang) for row in self.report.rows],
        }

    def _document(self) -> Document:
        from chargesim.report.roster_tables import roster_document

        return roster_document(self, "en")

    def __repr__(self) -> str:
        return f"Roster({self.title!r}, {len(self.army.units)} units, {self.lengths})"


def read_roster(
    file: str | Path | bytes,
    *,
    overrides: Overrides = None,
    strict: bool = False,
    side: str = "active",
) -> Roster:
    """Read an army list of BattleScribe or New Recruit.

    Parameters
    ----------
    file
        Path of a .ros, .rosz or New Recruit .json file, or its bytes. What it is, is told by what
        it holds.
    overrides
        What the list does not say, or says wrongly: a TOML file or its tables, ``[unit.KEY]`` as in
        a scenario.
    strict
        Stop at the first value that is missing, conflicting or assumed.
    side
        ``"active"`` or ``"reactive"``: whose the units are.

    Returns
    -------
    Roster
        ``units``, ready for ``Scenario(unit=...)``, and ``report``.

    Raises
    ------
    InputError
        When the file cannot be read, or is not as strictly sound as was asked.
    """
    given = read_overrides(overrides)
    if isinstance(file, bytes):
        return Roster(read_army(file, "list", given, strict=strict, side=side))
    data = read_file(file)
    return Roster(read_army(data, str(file), given, strict=strict, side=side))


def read_overrides(given: Overrides) -> Mapping[str, Any] | None:
    """Tables of an overrides file.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    return read_toml(given, "overrides") if isinstance(given, (str, Path)) else given


def write_scenario(
    roster: Roster,
    charger: str,
    target: str,
    distance: float,
    file: str | Path,
    *,
    against: Roster | None = None,
    include: str | Path | None = None,
    lang: str = "en",
) -> Scenario:
    """Write a scenario of one charge that can be edited, and read it back.

    Parameters
    ----------
    roster
        The list of the charger, and of the target unless another is given.
    charger, target
        Names of the units.
    distance
        Of the charge, in the list's unit of length.
    file
        Where to.
    against
        The list of the target.
    include
        Or a TOML file of units that the target is in; the scenario will include it.
    lang
        Language of the comments.

    Returns
    -------
    Scenario
        What the file says.

    Raises
    ------
    InputError
        For a unit that there is not or that is not complete, lists in different units of length,
        a file that is there already or that cannot be written; :class:`ScenarioError` when the
        scenario cannot stand.
    """
    text = scenario_of(
        roster, charger, target, distance, folder=Path(file).parent, against=against,
        include=include, lang=lang,
    )  # fmt: skip
    path = Path(file)
    if path.exists():
        raise InputError(f"{path}: is there already, and may have been edited: name another file")
    tables = _tables(text)
    scenario = Scenario(str(path), path.parent, **tables)  # faults are told before a file is made
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    return scenario


def _tables(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def scenario_of(
    roster: Roster,
    charger: str,
    target: str,
    distance: float,
    *,
    folder: str | Path = ".",
    against: Roster | None = None,
    include: str | Path | None = None,
    lang: str = "en",
) -> str:
    """The text of a scenario of one charge; parameters as for :func:`write_scenario`.

    ``folder`` is where the scenario will stand: an included file is named as seen from there.
    """
    one = roster.find(charger)
    roster.check_complete(one)
    whose = against or roster
    if against is not None and against.lengths != roster.lengths:
        raise InputError(_two_lengths([roster, against]))
    units = {one: {**roster.army.units[one].table, "side": "active"}}
    rows = [row for row in roster.report.rows if row.unit == one]
    names = {one: roster.army.units[one].title}
    if include is None:
        key = whose.find(target)
        whose.check_complete(key)
        other = key if key != one else slug(f"{key}_enemy")
        units[other] = {**whose.army.units[key].table, "side": "reactive"}
        rows += [_under(row, other) for row in whose.report.rows if row.unit == key]
        names[other] = whose.army.units[key].title
        target_title = names[other]
    else:
        other, target_title = target, target
        include = _seen_from(folder, include)
    return scenario_text(
        units, lengths=roster.lengths, charger=one, target=other, distance=distance,
        title=f"{names[one]} – {target_title}", include=str(include or ""), findings=rows,
        names=names, lang=lang,
    )  # fmt: skip


def _seen_from(folder: str | Path, file: str | Path) -> str:
    """A file as a scenario in a folder names it; in full where no way leads there."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive
        return Path(file).absolute().as_posix()


def _under(row: Finding, unit: str) -> Finding:
    return Finding(unit, row.field, row.value, row.status, row.place, row.note)


def _two_lengths(rosters: Sequence[Roster]) -> str:
    """Lists in inches and in centimetres do not meet: random moves differ, not lengths alone."""
    each = ", ".join(f"{one.army.source} in {one.lengths}" for one in rosters)
    return (
        f"lists in different units of length ({each}) cannot meet, since nothing is converted: use "
        'lists of one, or write units = "..." in an overrides file'
    )
