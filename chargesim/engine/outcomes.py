"""The little language of outcomes: words, sums, patterns, comparisons, joint and conditional ones.

``contact``, ``target_fled*``, ``contact+blocked``, ``0:contact & boars:fleeing``,
``shooting_casualties>=2``, ``contact | shooting_casualties>=1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.rulesets import Quantity, Reading, View

REMEDY = "write a word such as contact, 0:contact & 1:contact, spears:target_broke*"
_WORD = re.compile(r"^[\w *?\[\]-]+$")
_COMPARISON = re.compile(r"^(\w+)\s*(<=|>=|==|=|<|>)\s*(-?\d+)$")
_COMPARE = {
    "<=": np.less_equal, ">=": np.greater_equal, "<": np.less, ">": np.greater,
    "=": np.equal, "==": np.equal,
}  # fmt: skip


Views = dict[str, tuple[int, list[View]]]
"""What an outcome may be asked of, by prefix: the part it belongs to, and its views."""
Masks = dict[int, np.ndarray[Any, Any]]
"""End states in which an outcome holds, shape (states of the part,), by part; a part that is not
named does not matter. Parts do not influence each other, so the chances of several multiply."""


def views(readings: list[Reading]) -> Views:
    """Everything an outcome may be asked of: charges by number, combats and units by name."""
    known: Views = {}
    charges = {
        number: (i, view) for i, reading in enumerate(readings)
        for number, view in reading.charges.items()
    }  # fmt: skip
    for number in sorted(charges):
        part, view = charges[number]
        known[str(number)] = (part, [view])
        for name, inner in view.within.items():
            known[f"{number}.{name}"] = (part, [inner])
    for i, reading in enumerate(readings):
        for name, unit in reading.units.items():
            combat = [reading.combats[name]] if name in reading.combats else []
            known[name] = (i, [*combat, unit])
    return known


def masks(known: Views, outcome: str) -> tuple[Masks, Masks | None]:
    """States in which an outcome holds, and those of its condition.

    Parameters
    ----------
    known
        What may be asked of, from :func:`views`.
    outcome
        An expression; ``|`` separates it from its condition.

    Returns
    -------
    tuple
        By part; the second is ``None`` without a condition.

    Raises
    ------
    InputError
        When it cannot be read; names the nearest known word.
    """
    what, bar, given = outcome.partition("|")
    return _joint(known, what), _joint(known, given) if bar else None


def _joint(known: Views, text: str) -> Masks:
    found: Masks = {}
    for piece in text.split("&"):
        part, mask = _sum(known, piece.strip())
        found[part] = found[part] & mask if part in found else mask
    return found


def _view(known: Views, text: str) -> tuple[int, list[View], str]:
    prefix, colon, rest = text.rpartition(":")
    prefix = prefix.strip() if colon else next(iter(known))
    if prefix not in known:
        if prefix == "mean":
            raise InputError(f"value: a mean stands alone: write mean:{rest.strip()}")
        if re.search(r"[+<>=:]", prefix):
            raise InputError(f"value: {text!r} cannot be read: {REMEDY}")
        raise InputError(f"value: there is no charge or unit {prefix!r}" + _hint(prefix, known))
    part, found = known[prefix]
    return part, found, rest.strip()


def _sum(known: Views, text: str) -> tuple[int, np.ndarray[Any, Any]]:
    part, found, rest = _view(known, text)
    if text.rpartition(":")[1] == "" and len(known) > 1:
        # without a prefix the first charge is meant, and its combat
        found = _with_combat(known, found)
    mask: np.ndarray[Any, Any] = np.logical_or.reduce(
        [_word(found, word.strip()) for word in rest.split("+")]
    )
    return part, mask


def _with_combat(known: Views, found: list[View]) -> list[View]:
    target = found[0].labels.get("target")
    return [*found, *known[target][1][:-1]] if target in known else found


def _word(found: list[View], word: str) -> np.ndarray[Any, Any]:
    if not word:
        raise InputError(f"value: an outcome is missing: {REMEDY}")
    compared = _COMPARISON.match(word)
    if compared:
        name, sign, number = compared.groups()
        asked = _quantity(found, name)
        holds: np.ndarray[Any, Any] = _COMPARE[sign](asked.values, int(number))
        return holds if asked.arises is None else holds & asked.arises
    for view in found:
        if word in view.flags:
            return view.flags[word]
        codes = [code for code, name in view.words.items() if fnmatchcase(name, word)]
        if codes:
            named: np.ndarray[Any, Any] = np.logical_or.reduce([view.codes == c for c in codes])
            return named
    if any(word in view.quantities for view in found):
        raise InputError(f"value: {word!r} is a number: write {word}>=1 or mean:{word}")
    if not _WORD.match(word):
        raise InputError(f"value: {word!r} cannot be read: {REMEDY}")
    words = [name for view in found for name in (*view.words.values(), *view.flags)]
    raise InputError(f"value: there is no outcome {word!r}" + _hint(word, words))


def _hint(word: str, known: Iterable[str]) -> str:
    """The nearest known word, or what an outcome looks like."""
    return nearest(word, known) or f": {REMEDY}"


def _quantity(found: list[View], name: str) -> Quantity:
    for view in found:
        if name in view.quantities:
            return view.quantities[name]
    names = [name for view in found for name in view.quantities]
    such = f": write a quantity such as {', '.join(names[:2])}" if names else ""
    raise InputError(f"value: there is no quantity {name!r}" + (nearest(name, names) or such))


def quantity(known: Views, name: str) -> tuple[int, Quantity]:
    """A quantity by name, with an optional prefix (``boars:models_left``), and its part.

    Raises
    ------
    InputError
        When there is none of that name.
    """
    part, found, rest = _view(known, name)
    if ":" not in name:
        found = _with_combat(known, found)
    return part, _quantity(found, rest)
