"""What a ruleset tells of its game of declarations, and of who may charge whom."""

from __future__ import annotations

from dataclasses import dataclass, field

SIDES = ("active", "reactive")
KINDS = ("charge", "counter", "flee", "pass")
"""Kinds of a declaration."""
MARKS = ("safe", "contested", "dominated")
"""Marks of a charge, as :class:`Opening` explains them."""
POLICIES = ("greedy", "cautious", "random", "pass")
"""Ways to play a game that is too large to be searched.

``greedy`` declares what would be best if it were the last declaration, ``cautious`` what would be
best if the enemy's best reply were the last, ``random`` anything it may, ``pass`` nothing.
"""


@dataclass(frozen=True)
class Step:
    """One declaration of a line of play.

    Parameters
    ----------
    side
        Who declares, one of :data:`SIDES`.
    kind
        One of :data:`KINDS`.
    unit, target
        Whose declaration it is, and on whom; ``None`` for a pass, and for the target of a flight.
    face
        Side of the target that is charged.
    """

    side: str
    kind: str
    unit: str | None = None
    target: str | None = None
    face: str | None = None


PASSES = {side: Step(side, "pass") for side in SIDES}


@dataclass(frozen=True)
class Worth:
    """An expectation with its 95 % interval, whose ends are equal where nothing was sampled."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Opening:
    """A declaration that a side could begin with, and what it is worth.

    Parameters
    ----------
    step
        The declaration.
    chance
        Chance that it is legal; the rest is told of the cases in which it is.
    value
        Its worth to who declares, when both sides go on well, or by their policies.
    marks
        Chance of each mark of a charge. ``safe``: worth no less than doing without it, and no less
        than nothing, whatever the reply; ``dominated``: another declaration gives more against its
        own best reply than this one against its worst; ``contested``: the reply decides. Empty for
        a flight, a pass, and where policies play.
    reply, reply_value
        The reply that proves it: the best that the enemy has, and what is left of the worth then.
        Of several cases the commonest.
    better
        Of a dominated charge the declaration that is better.
    """

    step: Step
    chance: float
    value: Worth
    marks: dict[str, float] = field(default_factory=dict)
    reply: Step | None = None
    reply_value: float | None = None
    better: Step | None = None

    @property
    def mark(self) -> str:
        """The commonest mark; empty where there is none."""
        return max(self.marks, key=lambda mark: self.marks[mark]) if self.marks else ""


@dataclass(frozen=True)
class Line:
    """A line of play, forced passes left out, and the chance that it is the one to be played."""

    chance: float
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Game:
    """A game of declarations, solved or played.

    Parameters
    ----------
    trials, seed
        Of the poses, Moves and coins that were drawn, or of the games that policies played;
        ``None`` where all was counted.
    policies
        How the active and the reactive side play; ``None`` where both choose well.
    value
        Expected worth of enemy units lost after this turn's combat, less one's own, to the active
        side.
    lines
        Lines of play, the likeliest first.
    openings
        What each side could begin with, if it were the first to declare; the best first.
    complete
        Complete lines of play of the only case; 0 where there are several.
    positions
        Positions that were met.
    """

    trials: int | None
    seed: int | None
    policies: tuple[str, str] | None
    value: Worth
    lines: tuple[Line, ...]
    openings: tuple[Opening, ...]
    complete: int
    positions: int


@dataclass(frozen=True)
class Target:
    """One unit as the target of another, before anybody has declared.

    Parameters
    ----------
    unit, target
        Who would charge whom.
    chance
        Chance that it may.
    faces
        Chance of each side of the target that it would strike.
    distance
        Length of the charge at the stated poses; ``None`` where the target is out of sight there.
    reasons
        Why it may not: rule, reason in words, and chance, the likeliest first.
    trials
        Of the sample that the chances are from; ``None`` when they are exact.
    """

    unit: str
    target: str
    chance: float
    faces: dict[str, float]
    distance: float | None
    reasons: tuple[tuple[str, str, float], ...] = ()
    trials: int | None = None
