"""Numbers with their intervals, alone or over axes: arithmetic and comparisons that know error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chargesim.errors import InputError

Array = np.ndarray[Any, Any]
Kind = Literal["chance", "points", "number"]
ROUNDING = 1e-12
"""Exact values that differ by less are equal: so far apart may rounding bring them."""


class Arithmetic:
    """Numbers that templates add, compare and test; :func:`lift` makes quantities of them."""

    def __float__(self) -> float:
        return float(lift(self).only().value)

    def __neg__(self) -> Quantity:
        return combine("-", exactly(0, lift(self).kind), self)

    def __add__(self, other: Any) -> Quantity:
        return combine("+", self, other)

    def __radd__(self, other: Any) -> Quantity:
        return combine("+", other, self)

    def __sub__(self, other: Any) -> Quantity:
        return combine("-", self, other)

    def __rsub__(self, other: Any) -> Quantity:
        return combine("-", other, self)

    def __mul__(self, other: Any) -> Quantity:
        return combine("*", self, other)

    def __rmul__(self, other: Any) -> Quantity:
        return combine("*", other, self)

    def __truediv__(self, other: Any) -> Quantity:
        return combine("/", self, other)

    def __rtruediv__(self, other: Any) -> Quantity:
        return combine("/", other, self)

    def __lt__(self, other: Any) -> bool:
        return _surely("<", self, other)

    def __le__(self, other: Any) -> bool:
        return _surely("<=", self, other)

    def __gt__(self, other: Any) -> bool:
        return _surely(">", self, other)

    def __ge__(self, other: Any) -> bool:
        return _surely(">=", self, other)


@dataclass(frozen=True, eq=False)
class Quantity(Arithmetic):
    """A number and its 95 % interval, or an array of them.

    Parameters
    ----------
    value, low, high
        Of equal shape; equal where exact, NaN where undefined.
    exact
        Where it is no estimate, boolean, of the same shape.
    kind
        ``"chance"``, ``"points"`` (a difference of chances) or ``"number"``; how it is written.
    """

    value: Array
    low: Array
    high: Array
    exact: Array
    kind: Kind = "number"

    @property
    def is_exact(self) -> bool:
        """True when no number in it is an estimate."""
        return bool(self.exact.all())

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape; ``()`` for a single number."""
        return tuple(self.value.shape)

    def at(self, *place: int) -> Quantity:
        """The number at a place."""
        parts = (self.value, self.low, self.high, self.exact)
        return of_parts([np.asarray(part[place]) for part in parts], self.kind)

    def only(self) -> Quantity:
        """Itself, as long as it is a single number.

        Raises
        ------
        InputError
            When it is several.
        """
        if self.shape != ():
            raise InputError(f"value: {self.value.size} values stand where one is meant")
        return self

    def spread_over(self, shape: tuple[int, ...]) -> Quantity:
        """The same repeated over a larger shape."""
        parts = (self.value, self.low, self.high, self.exact)
        return of_parts([np.broadcast_to(part, shape) for part in parts], self.kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what is undefined is ``None``."""
        names = ("value", "low", "high")
        found = {name: np.asarray(getattr(self, name), object) for name in names}
        for array in found.values():
            array[np.array(array != array, bool)] = None
        return {
            **{name: array.tolist() for name, array in found.items()},
            "exact": self.exact.tolist(),
            "kind": self.kind,
        }


def of_parts(parts: Sequence[Any], kind: Kind) -> Quantity:
    """A quantity from value, low, high and exact, arrays or plain numbers."""
    value, low, high, exact = map(np.asarray, parts)
    return Quantity(value, low, high, exact, kind)


def from_dict(content: dict[str, Any]) -> Quantity:
    """A quantity from :meth:`Quantity.to_dict`."""
    arrays = [np.array(content[name], float) for name in ("value", "low", "high")]
    return of_parts([*arrays, np.array(content["exact"], bool)], content["kind"])


def exactly(value: Any, kind: Kind = "number") -> Quantity:
    """A number, or an array of them, without error."""
    array = np.asarray(value, float)
    return Quantity(array, array, array, np.ones(array.shape, bool), kind)


def lift(value: Any) -> Quantity:
    """A quantity from one, or from a plain number.

    Raises
    ------
    InputError
        For anything else.
    """
    if isinstance(value, Quantity):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return exactly(value)
    try:
        return lift(value.quantity)
    except AttributeError:
        raise InputError(f"value: {value!r} is no number") from None


def combine(sign: str, left: Any, right: Any) -> Quantity:
    """Two numbers by ``+``, ``-``, ``*`` or ``/``; intervals as far apart as both allow.

    Raises
    ------
    InputError
        For a division by what may be 0, or quantities over axes of different lengths.
    """
    one, other = lift(left), lift(right)
    try:
        shape = np.broadcast_shapes(one.shape, other.shape)
    except ValueError:
        raise InputError("value: its parts are over axes of different lengths") from None
    one, other = one.spread_over(shape), other.spread_over(shape)
    if sign == "/" and bool(((other.low <= 0) & (other.high >= 0)).any()):
        raise InputError("value: divided by what may be 0")
    apply = _SIGNS[sign]
    ends = np.array([apply(a, b) for a in (one.low, one.high) for b in (other.low, other.high)])
    value = np.asarray(apply(one.value, other.value))
    exact = one.exact & other.exact
    low = np.where(exact, value, ends.min(axis=0))
    high = np.where(exact, value, ends.max(axis=0))
    return Quantity(value, low, high, exact, _kind(sign, one.kind, other.kind))


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}


def _kind(sign: str, one: Kind, other: Kind) -> Kind:
    if sign == "-" and one == other == "chance":
        return "points"
    if sign in "+-" and {one, other} <= {"chance", "points"}:
        return "points" if one == other == "points" else "chance"
    if sign in "+-" and "number" in (one, other) and one != other:
        return "chance" if "chance" in (one, other) else "points"
    if sign == "*" and "number" in (one, other):
        return one if other == "number" else other
    if sign == "/" and other == "number":
        return one
    return "chance" if sign == "*" and one == other == "chance" else "number"


class Shown(Arithmetic):
    """A number as it is written in the text.

    Parameters
    ----------
    quantity
        The number.
    text
        How it is written.
    """

    def __init__(self, quantity: Quantity, text: str) -> None:
        self.quantity, self.text = quantity, text

    def __str__(self) -> str:
        return self.text


COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")


def holds(sign: str, difference: Quantity) -> Array:
    """Where a difference is on the right side of 0: 1 surely, -1 surely not, 0 undecided.

    Parameters
    ----------
    sign
        One of :data:`COMPARISONS`, read as "difference SIGN 0".
    difference
        Left side less right side.

    Returns
    -------
    numpy.ndarray
        Of the difference's shape; undefined values are surely not on the right side.
    """
    low = np.where(np.abs(difference.low) <= ROUNDING, 0.0, difference.low)
    high = np.where(np.abs(difference.high) <= ROUNDING, 0.0, difference.high)
    rules: dict[str, tuple[Any, Any]] = {
        "<": (high < 0, low >= 0),
        "<=": (high <= 0, low > 0),
        ">": (low > 0, high <= 0),
        ">=": (low >= 0, high < 0),
        "=": ((low == 0) & (high == 0), (low > 0) | (high < 0)),
        "!=": ((low > 0) | (high < 0), (low == 0) & (high == 0)),
    }
    surely, surely_not = rules[sign]
    undefined = np.isnan(difference.value)
    return np.where(undefined | surely_not, -1, np.where(surely, 1, 0))


def _surely(sign: str, one: Any, other: Any) -> bool:
    """Whether a comparison within a template holds.

    Raises
    ------
    InputError
        When the trials do not decide it.
    """
    found = holds(sign, combine("-", lift(one).only(), lift(other).only()))
    if int(found) == 0:
        raise InputError(f"value: the trials do not decide whether it is {sign} the other")
    return bool(found > 0)
