"""Values of cells that are not plain numbers: dice, two values, saves, ranges, shots."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chargesim.rosters.text import clean, plain

ABSENT = ("", "-", "–", "—", "−", "*", ".", "n/a", "na")
"""Cells that say there is no value."""


@dataclass(frozen=True)
class Stat:
    """A cell of a stat line.

    Parameters
    ----------
    kind
        ``number``, ``two`` (a second value under a condition), ``dice``, ``absent`` or ``odd``.
    value
        The number, or the base of two; ``None`` otherwise.
    text
        The cell.
    """

    kind: str
    value: int | None
    text: str


_NUMBER = re.compile(r"^(\d{1,3})(?:\s*(?:\"|''|cm|in|ums?))?$", re.IGNORECASE)
_TWO = re.compile(r"^(\d{1,2})\s*(?:\([^)]*\)|[+/]\s*\d{1,2})$")
_DICE = re.compile(r"^(\d{0,2})\s*[dD]\s*([236])\s*(?:([+-])\s*(\d{1,2}))?(?:\s*(?:\"|cm))?$")


def stat(text: str) -> Stat:
    """Read a cell of a stat line."""
    text = clean(text)
    if plain(text) in ("special", "especial") or text.casefold() in ABSENT:
        return Stat("absent", None, text)
    number = _NUMBER.match(text)
    if number:
        return Stat("number", int(number[1]), text)
    if _DICE.match(text):
        return Stat("dice", None, text)
    two = _TWO.match(text)
    return Stat("two", int(two[1]), text) if two else Stat("odd", None, text)


def dice(text: str) -> str | None:
    """Dice in the writing of a scenario, such as ``1D6+1``; ``None`` if it is no dice."""
    found = _DICE.match(clean(text))
    if found is None or found[1] == "0":
        return None
    plus = f"{found[3]}{int(found[4])}" if found[3] and int(found[4]) else ""
    return f"{int(found[1] or 1)}D{found[2]}{plus}"


@dataclass(frozen=True)
class Save:
    """A cell that tells of a save.

    Parameters
    ----------
    kind
        ``save``; ``bonus`` (points of a save, of a shield or a steed); ``absent``; ``odd``.
    value
        The save, or the points.
    text
        The cell.
    """

    kind: str
    value: int | None
    text: str


def save(text: str) -> Save:
    """Read a save such as ``4+``, or a bonus such as ``+1``; in these lists -1 is better too."""
    text = clean(text)
    if text.casefold() in ABSENT:
        return Save("absent", None, text)
    whole = re.match(r"^([1-6])\s*\+$", text)
    if whole:
        return Save("save", int(whole[1]), text)
    bonus = re.match(r"^[+-]\s*([1-6])\b", text)
    if bonus and int(bonus[1]) <= 2:
        return Save("bonus", int(bonus[1]), text)
    if bonus and text.startswith("-") and re.match(r"^-\s*\d$", text):
        # a display rule of the list builder turns "6+" into "-6"
        return Save("save", int(bonus[1]), text)
    return Save("odd", None, text)


def first_save(text: str) -> int | None:
    """The first save in a text, such as the 3 of ``3+(1+)``."""
    found = re.search(r"(?<!\d)([1-6])\s*\+", clean(text))
    return int(found[1]) if found else None


def whole(text: str, low: int, high: int) -> int | None:
    """A whole number from ``low`` to ``high`` that is all of a text, else ``None``."""
    text = clean(text)
    if not re.match(r"^\d{1,3}$", text):
        return None
    value = int(text)
    return value if low <= value <= high else None


@dataclass(frozen=True)
class Range:
    """How far a weapon shoots.

    Parameters
    ----------
    value
        The length; ``None`` for what does not shoot (``is_melee``) or cannot be told.
    unit
        ``inch`` or ``cm`` where the cell says so.
    is_melee
        True for a weapon of close combat.
    """

    value: float | None
    unit: str | None
    is_melee: bool


def reach(text: str) -> Range:
    """Read the range of a weapon."""
    text = clean(text)
    if text.casefold() in ABSENT or re.match(
        r"^(cc|close|combat|melee|hand|cuerpo|c/c|cac)\b", plain(text)
    ):
        return Range(None, None, True)
    found = re.match(r"^(\d{1,3}(?:[.,]\d{1,2})?)\s*(\"|''|in(?:ches)?|cm|ums?)?\.?$", text, re.I)
    if found is None:
        return Range(None, None, False)
    unit = {None: None, "cm": "cm"}.get(found[2] and found[2].casefold(), "inch")
    return Range(float(found[1].replace(",", ".")), unit, False)


def shots(text: str) -> int | None:
    """Shots of a model that a text of rules speaks of, if more than one."""
    text = plain(text)
    found = (
        re.search(r"\bfires?\s*x\s*(\d)\b", text)
        or re.search(r"\b(\d)\s*x\s*mult", text)
        or re.search(r"\bmult\w*\s*shots?\s*x?\s*(\d)\b", text)
        or re.search(r"\bdisparos?\s*multiples?\s*\(?\s*x?\s*(\d)\b", text)
        or re.search(r"\b(\d)\s*(?:shots|disparos)\b", text)
    )
    return int(found[1]) if found and 2 <= int(found[1]) <= 9 else None
