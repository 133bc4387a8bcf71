"""The dice question language of ``chargesim odds``, answered exactly.

A question is a roll, with or without a comparison; case and spaces do not matter::

    question = ( sum | chain ) [ ( "<=" | "<" | ">=" | ">" | "=" | "==" | "!=" ) integer ]
    sum      = [ sign ] term { sign term }                one term at least with dice
    term     = [ count ] "d" sides { "dh" n | "dl" n }    or a whole number
    chain    = count "x" stage { stage }
    stage    = target "+"                                 the target number or more on a D6
             | "!" target "+"                             a save on that number fails

``3d6dh1`` drops the highest die, ``4d6dl1`` the lowest. ``10x 4+ 4+ !5+`` rolls ten dice to hit,
the hits to wound, and counts the wounds that a save of 5+ does not stop.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import prod, sqrt
from operator import eq, ge, gt, le, lt, ne
from typing import NoReturn, TypeAlias

from chargesim.engine import pmf as dist
from chargesim.engine.pmf import Pmf
from chargesim.errors import InputError

MAX_SUM_DICE = 100
MAX_SIDES = 100
MAX_CHAIN_DICE = 1_000
MAX_NUMBER = 10**6
TOO_BIG = f"a number is at most {MAX_NUMBER}"
SHOWN = 20  # characters of an offending piece

COMPARISONS = {"<=": le, "<": lt, ">=": ge, ">": gt, "=": eq, "!=": ne}

Match: TypeAlias = re.Match[str]


@dataclass(frozen=True, slots=True)
class Dice:
    """Equal dice that are added, or subtracted when `sign` is -1."""

    count: int
    sides: int
    drop_highest: int = 0
    drop_lowest: int = 0
    sign: int = 1

    def __str__(self) -> str:
        """Canonical text without the sign, as in ``3d6dh1``."""
        drops = (("dh", self.drop_highest), ("dl", self.drop_lowest))
        return f"{self.count}d{self.sides}" + "".join(f"{key}{n}" for key, n in drops if n)

    def pmf(self) -> Pmf:
        """Distribution of the signed sum of the dice kept."""
        pmf = dist.dice_sum(
            self.count, self.sides, drop_highest=self.drop_highest, drop_lowest=self.drop_lowest
        )
        return pmf if self.sign > 0 else {-value: p for value, p in reversed(pmf.items())}


@dataclass(frozen=True, slots=True)
class Sum:
    """Dice and whole numbers added in the order in which they were written."""

    terms: tuple[Dice | int, ...]

    def __str__(self) -> str:
        """Canonical text, as in ``36+1d6+2``."""
        text = ""
        for term in self.terms:
            sign, size = (term, abs(term)) if isinstance(term, int) else (term.sign, term)
            text += f"{'-' if sign < 0 else '+' if text else ''}{size}"
        return text

    def pmf(self) -> Pmf:
        """Distribution of the total."""
        dice = (term.pmf() for term in self.terms if isinstance(term, Dice))
        constant = sum(term for term in self.terms if isinstance(term, int))
        return dist.shift(reduce(dist.add, dice), constant)


@dataclass(frozen=True, slots=True)
class Stage:
    """One D6 of a chain: a target number to reach, or a save that must fail."""

    target: int
    is_save: bool = False

    def __str__(self) -> str:
        """Canonical text, ``4+`` or ``!4+``."""
        return f"{'!' if self.is_save else ''}{self.target}+"

    @property
    def chance(self) -> Fraction:
        """Chance to remain in the chain (WH6-SHOOT-01, WH6-SHOOT-03; WH6-SAVE-01)."""
        return 1 - dist.save_chance(self.target) if self.is_save else dist.chance(self.target)


@dataclass(frozen=True, slots=True)
class Chain:
    """Dice that go through stage after stage; those that remain are counted."""

    count: int
    stages: tuple[Stage, ...]

    def __str__(self) -> str:
        """Canonical text, as in ``10x 4+ 4+ !5+``."""
        return f"{self.count}x {' '.join(map(str, self.stages))}"

    def pmf(self) -> Pmf:
        """Distribution of the number of dice that remain."""
        return dist.successes(self.count, prod((s.chance for s in self.stages), start=Fraction(1)))


@dataclass(frozen=True, slots=True)
class Answer:
    """The exact answer to a dice question.

    `expression` is the canonical text; `probability` the chance that the comparison holds, None
    without one; `stages` the text and the chance of each stage of a chain, empty for a sum.
    """

    expression: str
    pmf: Pmf
    probability: Fraction | None
    mean: Fraction
    standard_deviation: float
    stages: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A dice question within bounds; `comparison` is a key of `COMPARISONS` and a number."""

    roll: Sum | Chain
    comparison: tuple[str, int] | None = None

    @property
    def expression(self) -> str:
        """Canonical text, as in ``2d6 <= 7``: reading it gives an equal question."""
        return " ".join(map(str, (self.roll, *(self.comparison or ()))))

    def answer(self) -> Answer:
        """Answer exactly: distribution, moments and, with a comparison, its probability."""
        pmf = self.roll.pmf()
        probability = None
        if self.comparison:
            holds, number = COMPARISONS[self.comparison[0]], self.comparison[1]
            probability = sum((p for x, p in pmf.items() if holds(x, number)), start=Fraction(0))
        stages = self.roll.stages if isinstance(self.roll, Chain) else ()
        return Answer(
            expression=self.expression,
            pmf=pmf,
            probability=probability,
            mean=dist.mean(pmf),
            standard_deviation=sqrt(dist.variance(pmf)),
            stages=tuple((str(stage), stage.chance) for stage in stages),
        )


def parse(expression: str) -> Question:
    """Read a dice question.

    Parameters
    ----------
    expression : str
        Such as ``2d6 <= 7`` or ``10x 4+ 4+ !5+ >= 2``; the head of this module has the grammar.
        A sum has 1 to 100 dice, dropped ones included, of 2 to 100 sides; a chain has 1 to 1,000
        dice; no number lies beyond a million.

    Returns
    -------
    Question
        The question; `Question.answer` answers it.

    Raises
    ------
    InputError
        If it cannot be read or is out of bounds; the message shows the offending piece and its
        position, counted from 1, and says what would be right.
    """
    return _Reader(expression).question()


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = len(text) - len(text.lstrip())

    def question(self) -> Question:
        if not self.text.strip():
            raise InputError("odds: the expression is empty: write dice, as in 2d6 <= 7")
        roll = self._chain() or self._sum()
        return Question(roll, self._comparison(after_chain=isinstance(roll, Chain)))

    def _chain(self) -> Chain | None:
        dice = self._take(r"([0-9]*)\s*x")
        if not dice:
            return None
        if not dice[1]:
            self._fail("write the number of dice before the x, as in 10x 4+", dice)
        count = self._number(
            dice, 1, 1, MAX_CHAIN_DICE, f"a chain takes 1 to {MAX_CHAIN_DICE} dice"
        )
        stages: list[Stage] = []
        while stage := self._take(r"(!?)\s*([0-9]+)\s*\+"):
            stages.append(Stage(self._number(stage, 2), is_save=stage[1] == "!"))
        if not stages:
            self._fail("write the number needed on a D6, as in 10x 4+")
        return Chain(count, tuple(stages))

    def _sum(self) -> Sum:
        terms: list[Dice | int] = []
        rolled, start = 0, self.place
        while (sign := self._take(r"([+-])")) or not terms:
            factor = -1 if sign and sign[1] == "-" else 1
            if match := self._take(r"([0-9]*)\s*d(?![hl])\s*([0-9]*)"):
                dice = self._dice(match, factor)
                terms.append(dice)
                rolled += dice.count
                if rolled > MAX_SUM_DICE:
                    self._fail(f"a sum takes 1 to {MAX_SUM_DICE} dice, these make {rolled}", match)
            elif match := self._take(r"[0-9]+"):
                terms.append(factor * self._number(match, 0))
            else:
                self._fail("write dice or a whole number, as in 2d6+3")
        if not rolled:
            self.place = start
            self._fail("write dice first, as in 2d6 <= 7")
        return Sum(tuple(terms))

    def _dice(self, match: Match, sign: int) -> Dice:
        if not match[2]:
            self._fail(f"write the number of sides, as in {match[1] or 1}d6", match)
        if match[2].lstrip("0") == "66":
            self._fail("a d66 is two digits and no sum: write 2d6, or 1d100 for percent", match)
        advice = f"a sum takes 1 to {MAX_SUM_DICE} dice"
        count = self._number(match, 1, 1, MAX_SUM_DICE, advice) if match[1] else 1
        sides = self._number(match, 2, 2, MAX_SIDES, f"a die has 2 to {MAX_SIDES} sides")
        dropped = {"dh": 0, "dl": 0}
        while drop := self._take(r"(d[hl])\s*([0-9]*)"):
            key = drop[1].lower()
            if not drop[2] or dropped[key]:
                self._fail(f"write once how many dice to drop, as in 3d6{key}1", drop)
            advice = f"of {count}d{sides} drop at least 1 die and keep at least 1"
            dropped[key] = self._number(drop, 2, 1, count - 1 - sum(dropped.values()), advice)
        return Dice(count, sides, dropped["dh"], dropped["dl"], sign)

    def _comparison(self, *, after_chain: bool) -> tuple[str, int] | None:
        if self.place == len(self.text):
            return None
        known = "compare with <=, <, >=, >, = or !="
        sign = self._take(r"([<>=!~]+)")
        if not sign:
            sums = "join terms with + or -, count dice as in 10x 4+"
            chains = "write a further number needed, as in 4+ or !5+"
            self._fail(f"{chains if after_chain else sums}, or {known}")
        spelling = "=" if sign[1] == "==" else sign[1]
        if spelling not in COMPARISONS:
            self._fail(known, sign)
        number = self._take(r"[+-]?\s*[0-9]+")
        if not number:
            self._fail(f"write a whole number after {spelling}, as in {spelling} 7")
        value = self._number(number, 0, -MAX_NUMBER)
        if self.place < len(self.text):
            self._fail(f"end with one whole number, as in {spelling} 7")
        return spelling, value

    def _take(self, pattern: str) -> Match | None:
        """Match here and move to the next piece, behind spaces."""
        match = re.compile(rf"(?:{pattern})\s*", re.IGNORECASE).match(self.text, self.place)
        if match:
            self.place = match.end()
        return match

    def _number(
        self, match: Match, group: int, low: int = 0, high: int = MAX_NUMBER, advice: str = TOO_BIG
    ) -> int:
        text = re.sub(r"\s", "", match[group])
        # Python refuses to convert thousands of digits, so they are counted first.
        if len(text.lstrip("+-0")) > len(str(MAX_NUMBER)) or not low <= int(text) <= high:
            self._fail(advice, match)
        return int(text)

    def _fail(self, advice: str, match: Match | None = None) -> NoReturn:
        """Refuse what was matched, or else whatever comes next."""
        match = match or self._take(r"\S+")
        if not match:
            end = len(self.text.rstrip()) + 1
            raise InputError(f"odds: the expression ends too soon at position {end}: {advice}")
        whole = " ".join(match[0].split())
        piece = whole[:SHOWN] + "..." * (len(whole) > SHOWN)
        raise InputError(f'odds: cannot read "{piece}" at position {match.start() + 1}: {advice}')
