"""What scenario files of every ruleset are made of: tables, and values with one message for each.

A value may often be written in several forms, such as a word or a table. :func:`forms` looks at
the form first and holds the value against that one alone, so that a fault is told once and in the
words of the form that was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from math import isfinite
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Strict, Tag

from chargesim.faults import nearest, shown


class Section(BaseModel):
    """A table of a scenario file: unknown keys are faults, and what was read does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)
    ALONE: ClassVar[frozenset[str]] = frozenset()
    """Values that concern no other table: :func:`outlined` leaves them out."""

    def joined(self) -> Self:
        """The table once those in it fit each other: what one says may stand in another too."""
        return self


Made = TypeVar("Made")
Table = TypeVar("Table", bound=Section)
MOST_MADE = 1024
"""Things that each memory holds."""
_PLAIN = frozenset((str, bool, int, tuple))
_memories: list[dict[Any, Any]] = []


def new_memory() -> dict[Any, Any]:
    """A dictionary that :func:`forget` empties."""
    _memories.append({})
    return _memories[-1]


def keep(memory: dict[Any, Made], key: Any, made: Made) -> Made:
    """Keep something in a memory; a full one begins anew."""
    if len(memory) >= MOST_MADE:
        memory.clear()
    memory[key] = made
    return made


def forget() -> None:
    """Forget all that was remembered: answers do not hang on it."""
    for memory in _memories:
        memory.clear()


def remembered(function: Callable[..., Made]) -> Callable[..., Made]:
    """Let a function of tables, which do not change, and of plain values remember what it made.

    Variants of a scenario have most of their tables in common: what hangs on one table alone is
    made once for all of them. What was made is not to be changed. A single argument is a table.
    """
    # tables by number, which is quick to look up, and kept so that no other can take it
    known: dict[Any, tuple[Any, Made]] = new_memory()

    @wraps(function)
    def recall(*arguments: Any) -> Made:
        key = tuple([one if type(one) in _PLAIN else id(one) for one in arguments])
        found = known.get(key)
        if found is None:
            found = keep(known, key, (arguments, function(*arguments)))
        return found[1]

    @wraps(function)
    def recall_of(table: Any) -> Made:
        found = known.get(id(table))
        if found is None:
            found = keep(known, id(table), (table, function(table)))
        return found[1]

    return recall_of if len(signature(function).parameters) == 1 else recall


_outlines = new_memory()


@remembered
def outlined(table: Table) -> Table:
    """A table without what concerns no other table; of equal outlines, mostly the same one.

    What is made of outlines cannot hang on anything else: to read what was left out raises
    AttributeError. So it can be remembered for all variants with the same outlines.
    """
    kind = type(table)
    kept = [value for name, value in table.__dict__.items() if name not in kind.ALONE]
    key = (kind, *kept)
    found: Table | None = _outlines.get(key)
    if found is None:
        found = keep(_outlines, key, table.model_copy())
        for name in kind.ALONE:
            del found.__dict__[name]
    return found


def number(value: Any) -> Any:
    """A finite number, given back as it is.

    Raises
    ------
    ValueError
        For anything else, true and false among them: pydantic tells it as a fault.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{shown(value)} is not a number")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return value


def decimals(value: float, digits: int, what: str) -> float:
    """A number with few decimals, rounded to them.

    Parameters
    ----------
    value
        The number.
    digits
        Most decimals, 0 to 9.
    what
        What such numbers are, in the plural, for the message.

    Raises
    ------
    ValueError
        When it has more decimals.
    """
    parts = value * 10**digits
    if abs(parts - round(parts)) > 1e-6:
        most = _COUNTS.get(digits, str(digits))
        raise ValueError(f"{value!r} has more than {most} decimals: {what} have at most {most}")
    return round(float(value), digits)


_COUNTS = {2: "two"}


def whole(lo: int, hi: int) -> Any:
    """Type of a whole number from ``lo`` to ``hi``."""
    return Annotated[int, Strict(), Field(ge=lo, le=hi)]


def between(lo: float, hi: float) -> Any:
    """Type of a number from ``lo`` to ``hi``."""
    return Annotated[float, BeforeValidator(number), Field(ge=lo, le=hi)]


Flag = Annotated[bool, Strict()]
Number = Annotated[float, BeforeValidator(number)]
Points = between(0, 1e6)


def flag_or(*words: str) -> BeforeValidator:
    """Check of a value that is true, false or one of some words."""

    def read(value: Any) -> Any:
        if isinstance(value, bool) or value in words:
            return value
        near = nearest(value, words) if isinstance(value, str) else ""
        known = ", ".join(("true", "false", *words))
        raise ValueError(f"{shown(value)} is not one of {known}" + near)

    return BeforeValidator(read)


PLAIN, TABLE, LIST = Tag("@plain"), Tag("@table"), Tag("@list")
"""Forms in which a value may be written; every one that has no type of its own is plain."""


def forms(*own: Tag) -> Discriminator:
    """Choice of a value's type by the form in which it is written.

    It stands behind a union of types, each with its form::

        Annotated[Annotated[str, PLAIN] | Annotated[dict[str, int], TABLE], forms(TABLE)]

    Parameters
    ----------
    own
        Forms that have a type of their own: tables, lists.
    """

    def form(value: Any) -> str:
        if isinstance(value, (Mapping, BaseModel)):
            found = TABLE
        else:
            found = LIST if isinstance(value, (list, tuple)) else PLAIN
        return (found if found in own else PLAIN).tag

    return Discriminator(form)


Goal = Annotated[Annotated[str, PLAIN] | Annotated[dict[str, Number], TABLE], forms(TABLE)]


class Goals(Section):
    """What each side's best choices serve; without one, the swing in points."""

    active: Goal | None = None
    reactive: Goal | None = None


def switch_rows(
    fields: Mapping[str, Any],
    rules: Mapping[str, str],
    written: Mapping[str, str] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> list[tuple[str, str, str, str]]:
    """Switches of a ruleset: name, values, default, rule id.

    Parameters
    ----------
    fields
        Field of the model, by name of the switch.
    rules
        Rule id of each.
    written
        Values of those that are no plain list of words, as they are shown.
    defaults
        Defaults of those whose field has none of its own.
    """
    rows = []
    for name, field in fields.items():
        values = (written or {}).get(name) or ", ".join(_words(field.annotation)) or "true, false"
        default = (defaults or {}).get(name) if field.default is None else field.default
        shown_default = str(default).replace("True", "true").replace("False", "false")
        rows.append((name, values, shown_default, rules[name]))
    return rows


def _words(kind: Any) -> list[str]:
    """Words of an annotation, looking through what may be absent."""
    return [
        word
        for part in getattr(kind, "__args__", ())
        for word in ([part] if isinstance(part, str) else _words(part))
    ]
