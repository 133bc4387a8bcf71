"""The language of values and claims in articles, read into trees.

A value is an outcome (``0:contact``, ``spears:target_broke* | 0:contact``), ``mean:`` or ``sd:``
and a quantity, or a dice question; after ``@`` stands what it is asked of, changes in brackets:

``contact``, ``contact @ inch``, ``mean:impact_wounds @ plain[unit.chariot.S=6, unit.men.T=4]``,
``5d6<=16 @ dice``.

Values are joined by ``+ - * /`` and compared by ``< <= > >= = !=``, each between spaces: outcomes
have such signs too, and none of theirs stands between spaces. A comparison may go on:
``0.4 < contact < 0.6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from chargesim.errors import InputError
from chargesim.report.article.quantity import COMPARISONS

REMEDY = "write such as contact @ NAME > 0.5, with spaces around > and @"


@dataclass(frozen=True)
class Number:
    """A number as written: ``0.5``, ``50%``, ``1/3``."""

    text: str
    value: float
    is_share: bool


@dataclass(frozen=True)
class Query:
    """A value of something.

    Parameters
    ----------
    value
        An outcome, ``mean:`` or ``sd:`` and a quantity, or a dice question.
    source
        Name of what it is asked of; the first scenario if ``None``.
    changes
        Paths and what they are set to, or the levels that they take.
    text
        As it was written.
    """

    value: str
    source: str | None
    changes: tuple[tuple[str, str], ...]
    text: str


@dataclass(frozen=True)
class Joined:
    """Two values and ``+``, ``-``, ``*`` or ``/`` between them."""

    sign: str
    one: Value
    other: Value


Value = Number | Query | Joined


@dataclass(frozen=True)
class Claim:
    """Values and the comparisons between them, one fewer than values."""

    sides: tuple[Value, ...]
    signs: tuple[str, ...]
    texts: tuple[str, ...]


def read_value(text: str) -> Value:
    """Read a value.

    Raises
    ------
    InputError
        When it cannot be read, or is a comparison.
    """
    sides, signs, _ = _sides(text)
    if signs:
        raise InputError(
            f"value: {text!r} is a comparison ({signs[0]} between spaces): only claims compare; "
            "write shooting_casualties>=2 without spaces for a comparison within an outcome"
        )
    return sides[0]


def read_claim(text: str) -> Claim:
    """Read a claim.

    Raises
    ------
    InputError
        When it cannot be read, or compares nothing.
    """
    sides, signs, texts = _sides(text) if text.strip() else ((), (), ())
    if not signs:
        raise InputError(f"claim: {text!r} compares nothing: {REMEDY}")
    return Claim(sides, signs, texts)


def read_reference(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Read a name and its changes: ``NAME`` or ``NAME[PATH=VALUE, PATH=VALUE]``.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    match = re.fullmatch(r"@?\s*([^\W\d]\w*)\s*(?:\[(.*)\])?", text.strip(), re.DOTALL)
    if match is None:
        raise InputError(f"{text!r} is no reference: write NAME or NAME[PATH=VALUE, PATH=VALUE]")
    changes: list[tuple[str, str]] = []
    for piece in (match[2] or "").split(",") if match[2] is not None else []:
        path, equals, spec = piece.partition("=")
        if equals:
            changes.append((path.strip(), spec.strip()))
        elif changes:
            # a value of several levels: 6,7,8
            changes[-1] = (changes[-1][0], f"{changes[-1][1]},{piece.strip()}")
        else:
            raise InputError(f"{text!r}: {piece.strip()!r} is no change: write PATH=VALUE")
    for path, spec in changes:
        if not path or not spec.strip(", "):
            raise InputError(f"{text!r} has a change without path or value: write PATH=VALUE")
    return match[1], tuple(changes)


def _sides(text: str) -> tuple[tuple[Value, ...], tuple[str, ...], tuple[str, ...]]:
    sides: list[Value] = []
    signs: list[str] = []
    texts: list[str] = []
    piece: list[str] = []
    for token in [*_tokens(f" {text} "), "="]:
        if token in COMPARISONS or token == "==":
            shown = " ".join(piece).replace("( ", "(").replace(" )", ")")
            sides.append(_Parser(piece, text).whole())
            texts.append(shown)
            signs.append("=" if token == "==" else token)
            piece = []
        else:
            piece.append(token)
    return tuple(sides), tuple(signs[:-1]), tuple(texts)


_OPERATOR = re.compile(r"\s(<=|>=|!=|==|[-+*/<>=])(?=\s)")


def _tokens(text: str) -> Iterator[str]:
    """Values, signs between spaces, and brackets around sums."""
    begin = place = depth = 0
    while place < len(text):
        match = _OPERATOR.match(text, place) if depth == 0 else None
        if match:
            yield from _bare(text[begin:place])
            yield match[1]
            begin = place = match.end()
            continue
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if depth < 0:
            break
        place += 1
    if depth:
        raise InputError(f"value: {text!r} has a bracket that is opened or closed alone")
    yield from _bare(text[begin:])


def _bare(piece: str) -> Iterator[str]:
    """A value without the round brackets around the sum that it begins or ends."""
    piece = piece.strip()
    while piece.startswith("("):
        yield "("
        piece = piece[1:].strip()
    tail = len(piece) - len(piece.rstrip(") "))
    ends = piece[len(piece) - tail :].count(")") if tail else 0
    piece = piece[: len(piece) - tail] if ends else piece
    if piece:
        yield piece.strip()
    yield from ")" * ends


class _Parser:
    """Reads sums and products of values."""

    def __init__(self, tokens: list[str], text: str) -> None:
        self.tokens, self.text, self.place = tokens, text, 0

    def whole(self) -> Value:
        found = self._sum()
        if self.place < len(self.tokens):
            self._fail()
        return found

    def _sum(self) -> Value:
        found = self._product()
        while self._next() in ("+", "-"):
            found = Joined(self._take(), found, self._product())
        return found

    def _product(self) -> Value:
        found = self._one()
        while self._next() in ("*", "/"):
            found = Joined(self._take(), found, self._one())
        return found

    def _one(self) -> Value:
        token = self._next()
        if token == "(":
            self._take()
            found = self._sum()
            if self._next() != ")":
                self._fail()
            self._take()
            return found
        if token is None or token in (*"+-*/)", *COMPARISONS):
            self._fail()
        return _read_one(self._take())

    def _next(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def _fail(self) -> None:
        at = self._next()
        where = "it ends too soon" if at is None else f"{at!r} stands where it cannot"
        raise InputError(f"value: {self.text.strip()!r} cannot be read, {where}: {REMEDY}")


def _read_one(text: str) -> Value:
    number = re.fullmatch(r"([+-]?\d+(?:\.\d+)?(?:/\d+)?)\s*(%?)", text)
    if number:
        try:
            value = float(Fraction(number[1]))
        except (ValueError, ZeroDivisionError):
            raise InputError(f"value: {text!r} is no number: write 0.5, 50% or 1/2") from None
        return Number(text, value / 100 if number[2] else value, bool(number[2]))
    value_text, at, reference = text.partition("@")
    if not at:
        return Query(text.strip(), None, (), text)
    source, changes = read_reference(reference)
    if not value_text.strip():
        raise InputError(f"value: {text!r} asks for nothing: write a value before the @")
    return Query(value_text.strip(), source, changes, text)
