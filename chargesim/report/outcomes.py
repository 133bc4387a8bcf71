"""The little language of outcomes: words, sums, patterns, comparisons, joint and conditional ones.

``contact``, ``target_fled*``, ``contact+blocked``, ``0:contact & boars:fleeing``,
``shooting_casualties>=2``, ``contact | shooting_casualties>=1``.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.rulesets import Reading, View

_COMPARISON = re.compile(r"^(\w+)\s*(<=|>=|==|=|<|>)\s*(-?\d+)$")
_COMPARE = {
    "<=": np.less_equal, ">=": np.greater_equal, "<": np.less, ">": np.greater,
    "=": np.equal, "==": np.equal,
}  # fmt: skip


def views(reading: Reading) -> dict[str, View]:
    """Everything an outcome may be asked of, by prefix: charges by place, units by name."""
    return {**{str(i): view for i, view in enumerate(reading.charges)}, **reading.units}


def masks(
    reading: Reading, outcome: str
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]:
    """States in which an outcome holds, and those of its condition.

    Parameters
    ----------
    reading
        The end states.
    outcome
        An expression; ``|`` separates it from its condition.

    Returns
    -------
    tuple
        Boolean arrays, shape (states,); the second is ``None`` without a condition.

    Raises
    ------
    InputError
        When it cannot be read; names the nearest known word.
    """
    what, bar, given = outcome.partition("|")
    return _joint(reading, what), _joint(reading, given) if bar else None


def _joint(reading: Reading, text: str) -> np.ndarray[Any, Any]:
    mask: np.ndarray[Any, Any] | None = None
    for part in text.split("&"):
        found = _sum(reading, part.strip())
        mask = found if mask is None else mask & found
    assert mask is not None  # split gives at least one part
    return mask


def _sum(reading: Reading, text: str) -> np.ndarray[Any, Any]:
    if not text:
        raise InputError("value: an outcome is missing: write a word such as contact")
    prefix, colon, rest = text.partition(":")
    if not colon:
        prefix, rest = "0", text
    known = views(reading)
    if prefix.strip() not in known:
        raise InputError(
            f"value: there is no charge or unit {prefix.strip()!r}" + nearest(prefix.strip(), known)
        )
    view = known[prefix.strip()]
    masks_found = [_word(view, word.strip()) for word in rest.split("+")]
    found: np.ndarray[Any, Any] = np.logical_or.reduce(masks_found)
    return found


def _word(view: View, word: str) -> np.ndarray[Any, Any]:
    compared = _COMPARISON.match(word)
    if compared:
        name, sign, number = compared.groups()
        quantity = _quantity(view, name)
        arises = quantity.values >= 0
        holds: np.ndarray[Any, Any] = _COMPARE[sign](quantity.values, int(number)) & arises
        return holds
    if word in view.flags:
        return view.flags[word]
    codes = [code for code, name in view.words.items() if fnmatchcase(name, word)]
    if not codes:
        known = [*view.words.values(), *view.flags]
        raise InputError(f"value: there is no outcome {word!r}" + nearest(word, known))
    return np.isin(view.codes, codes)


def _quantity(view: View, name: str) -> Any:
    if name not in view.quantities:
        raise InputError(
            f"value: there is no quantity {name!r}" + nearest(name, list(view.quantities))
        )
    return view.quantities[name]


def quantity(reading: Reading, name: str) -> Any:
    """A quantity by name, with an optional prefix (``boars:models_left``).

    Raises
    ------
    InputError
        When there is none of that name.
    """
    prefix, colon, rest = name.partition(":")
    if not colon:
        prefix, rest = "0", name
    known = views(reading)
    if prefix not in known:
        raise InputError(f"value: there is no charge or unit {prefix!r}" + nearest(prefix, known))
    return _quantity(known[prefix], rest)
