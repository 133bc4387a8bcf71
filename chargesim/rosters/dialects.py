"""Dialects: how a data set names its columns, and what its bare numbers mean.

The numbers alone do not tell inches from centimetres, nor does one column tell the language: ``R``
is toughness in a Spanish stat line and range in an English weapon. The type of the profile tells
it, or the whole set of its columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chargesim.rosters.findings import RosterError
from chargesim.rosters.lists import ArmyList, Profile
from chargesim.rosters.text import plain

STATS = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")
"""Statistics by the names of the scenario model."""


@dataclass(frozen=True)
class Dialect:
    """A family of data sets.

    Parameters
    ----------
    name
        Of the dialect.
    unit
        ``inch`` or ``cm``, that of every length.
    type_ids
        Types of a stat line, by id.
    stats
        Columns (plain names) and the statistics they are; other names of one are allowed.
    save, ward, strength, troop, base
        Further columns of a stat line.
    range, weapon_strength, special
        Columns of a weapon.
    armour
        Column of an armour.
    whole_save
        True where the save of a line counts all that is worn and ridden.
    whole_strength
        True where a steed's unit strength counts its rider.
    edition
        Name of another edition of the game, if it is one.
    """

    name: str
    unit: str
    type_ids: tuple[str, ...]
    stats: dict[str, str]
    save: tuple[str, ...]
    ward: tuple[str, ...]
    strength: tuple[str, ...]
    troop: tuple[str, ...]
    base: tuple[str, ...]
    range: tuple[str, ...]
    weapon_strength: tuple[str, ...]
    special: tuple[str, ...]
    armour: tuple[str, ...]
    whole_save: bool = False
    whole_strength: bool = False
    edition: str = ""

    def columns(self, profile: Profile) -> dict[str, str]:
        """Statistics of a stat line, all nine; empty when it is none."""
        found: dict[str, str] = {}
        for column, text in profile.columns.items():
            name = self.stats.get(plain(column))
            if name is not None:
                found.setdefault(name, text)
        return found if len(found) == len(STATS) else {}

    def cell(self, profile: Profile, names: Iterable[str]) -> str | None:
        """Text of the first of some columns that a profile has, else ``None``."""
        known = {plain(column): text for column, text in profile.columns.items()}
        return next((known[name] for name in names if name in known), None)


_ENGLISH = {
    "m": "M", "mv": "M", "ws": "WS", "bs": "BS", "s": "S", "t": "T", "w": "W", "i": "I", "a": "A",
    "ld": "Ld",
}  # fmt: skip
_SPANISH = {
    "m": "M", "ha": "WS", "hp": "BS", "f": "S", "r": "T", "h": "W", "i": "I", "a": "A", "l": "Ld",
    "ld": "Ld",
}  # fmt: skip
ENGLISH = Dialect(
    name="english",
    unit="inch",
    type_ids=("a54a-7f00-29bf-12b1",),
    stats=_ENGLISH,
    save=("sv",),
    ward=("sv+",),
    strength=("us", "unit strength"),
    troop=("troop type", "type"),
    base=("base",),
    range=("range", "r"),
    weapon_strength=("strength", "s"),
    special=("special rules",),
    armour=("saving throw modifier", "save", "sv"),
)
SPANISH = Dialect(
    name="spanish",
    unit="cm",
    type_ids=("1025-8460-b30f-58db",),
    stats=_SPANISH,
    save=("tsa",),
    ward=("tse",),
    strength=("potencia",),
    troop=("tipo",),
    base=("peana",),
    range=("alcance",),
    weapon_strength=("fuerza",),
    special=("reglas especiales",),
    armour=("tsa", "salvacion", "modificador"),
    whole_save=True,
    whole_strength=True,
)
OLD_WORLD = Dialect(
    name="old world",
    unit="inch",
    type_ids=("b070-143a-73f-2772",),
    stats=_ENGLISH,
    save=("sv",),
    ward=("sv+",),
    strength=("unit strength", "us"),
    troop=("troop type",),
    base=("base size", "base"),
    range=("r", "range"),
    weapon_strength=("s", "strength"),
    special=("special rules",),
    armour=("armour value", "save"),
    edition="Warhammer: The Old World",
)
DIALECTS = (ENGLISH, SPANISH, OLD_WORLD)


def recognise(army: ArmyList, source: str) -> tuple[Dialect, bool]:
    """The one dialect of a list.

    Parameters
    ----------
    army
        The list.
    source
        Name of its file.

    Returns
    -------
    tuple
        The dialect; whether a profile's type told it (else its columns did).

    Raises
    ------
    RosterError
        When no profile is a stat line of a known dialect, or they are of several.
    """
    by_type: dict[str, Dialect] = {}
    by_columns: dict[str, Dialect] = {}
    seen: dict[str, None] = {}
    for one in army.selections():
        for profile in one.profiles:
            dialect = _of(profile)
            if dialect is None:
                seen.setdefault(", ".join(profile.columns), None)
            elif profile.type_id in dialect.type_ids:
                by_type[dialect.name] = dialect
            else:
                by_columns[dialect.name] = dialect
    found = {**by_columns, **by_type}
    languages = {tuple(dialect.stats) for dialect in found.values()}
    if len(languages) > 1:
        raise RosterError(
            f"{source}: holds stat lines in inches and in centimetres: make a list of each"
        )
    if not found:
        such = next((columns for columns in seen if columns), "")
        what = f" (its first profile has the columns {such[:80]})" if such else ""
        game = f" of {army.system!r}" if army.system else ""
        raise RosterError(
            f"{source}: no profile{game} is a stat line M WS BS S T W I A Ld, or M HA HP F R H I A "
            f"L{what}: save the list with its profiles"
        )
    # a data set that names its types is sure; Old World shares its columns with the 6th edition
    sure = by_type or found
    return next(sure[d.name] for d in DIALECTS if d.name in sure), bool(by_type)


def _of(profile: Profile) -> Dialect | None:
    """The dialect of one stat line: by its type, if its columns do not say otherwise."""
    fits = [dialect for dialect in DIALECTS if dialect.columns(profile)]
    typed = [dialect for dialect in fits if profile.type_id in dialect.type_ids]
    return typed[0] if typed else next(iter(fits), None)
