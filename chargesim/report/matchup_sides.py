"""The armies of a match-up: from a list, its file, a TOML file of units, or tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chargesim.errors import InputError
from chargesim.report.roster import Overrides, Roster, read_roster
from chargesim.scenario import read_toml

Given = Roster | str | Path | Mapping[str, Mapping[str, Any]]
"""What an army may be given as."""


@dataclass(frozen=True)
class Side:
    """An army in a match-up.

    Parameters
    ----------
    title
        Its name.
    lengths
        ``"cm"`` or ``"inch"``.
    units
        Tables of the units that can be simulated, by name.
    names
        What people call each of them.
    left_out
        Units that cannot be, each with what they lack.
    roster
        The list it was read from, if it was.
    """

    title: str
    lengths: str
    units: dict[str, dict[str, Any]]
    names: dict[str, str]
    left_out: dict[str, tuple[str, ...]]
    roster: Roster | None = None

    @property
    def chargers(self) -> list[str]:
        """Units that may charge: all but war machines."""
        return [name for name, unit in self.units.items() if unit.get("troop") != "war_machine"]


def side_of(given: Given, overrides: Overrides = None) -> Side:
    """An army from a list, its file, a TOML file of units, or tables of units.

    Raises
    ------
    InputError
        When it cannot be read or has no unit that can be simulated.
    """
    if isinstance(given, (str, Path)):
        if str(given).casefold().endswith(".toml"):
            return _side_of_toml(Path(given))
        given = read_roster(given, overrides=overrides)
    if isinstance(given, Roster):
        army = given.army
        side = Side(
            given.title,
            given.lengths,
            given.complete,
            _told_apart({key: (unit.title, unit.table) for key, unit in army.units.items()}),
            {key: unit.missing for key, unit in army.units.items() if not unit.is_complete},
            given,
        )
    else:
        side = _plain_side("units", "cm", given)
    if not side.units:
        raise InputError(f"matchup: {side.title}: no unit in it can be simulated: see its report")
    return side


def _told_apart(units: Mapping[str, tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Names of units; those of one name with their models, and with a number where that is one."""
    titles = Counter(title for title, _table in units.values())
    names: dict[str, str] = {}
    for key, (title, table) in units.items():
        if titles[title] > 1:
            title = f"{title} ×{table.get('models', '?')}"
        same = sum(name == title or name.startswith(f"{title} #") for name in names.values())
        names[key] = f"{title} #{same + 1}" if same else title
    return names


def _side_of_toml(path: Path) -> Side:
    tables = read_toml(path)
    units = tables.get("unit")
    if not isinstance(units, dict) or not all(isinstance(one, dict) for one in units.values()):
        raise InputError(f"{path}: has no units: write [unit.NAME] in it")
    return _plain_side(str(tables.get("title") or path.stem), str(tables.get("units", "cm")), units)


def _plain_side(title: str, lengths: str, units: Mapping[str, Mapping[str, Any]]) -> Side:
    # who stands near or fights whom belongs to a question, not to an army
    loose = ("neighbours", "may_reach", "engaged", "fleeing")
    tables = {
        str(name): {key: value for key, value in unit.items() if key not in loose}
        for name, unit in units.items()
    }
    return Side(title, lengths, tables, {name: name for name in tables}, {})
