"""Charges and combats of a result: where they end, who fights whom, and what a player asks."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chargesim.report.labels import label
from chargesim.words import translation

if TYPE_CHECKING:
    import numpy as np

    from chargesim.report.result import Result
    from chargesim.rulesets import View

Estimate = tuple[float, float, float]
"""Probability with the ends of its interval."""

ARRIVES = "contact"
"""Word of the charge that arrives, where two units and no others are on the table."""
WINS = ("target_*",)
BREAKS = ("target_broke*", "target_wiped_out")
IS_BROKEN = ("charger_broke*", "charger_wiped_out")


@dataclass(frozen=True)
class Fall:
    """One step of a waterfall.

    Parameters
    ----------
    word
        The outcome by which this share is lost, or the goal.
    p, low, high
        Its probability and interval.
    left, left_low, left_high
        Probability that is left after it, and its interval.
    """

    word: str
    p: float
    low: float
    high: float
    left: float
    left_low: float
    left_high: float


def waterfall(result: Result, charge: int = 0) -> list[Fall]:
    """Where the probability of a charge goes, step by step; the last is the goal.

    A charge that was redirected is lost to its first target, so its new contact is a step too.

    Parameters
    ----------
    result
        A solved scenario.
    charge
        Place of the charge.
    """
    part, view = result.charges[charge]
    words = result.words(part, view)
    ruleset = result.scenario.ruleset
    order = [*ruleset.fall, *(w for w in words if w not in (*ruleset.fall, ruleset.goal))]
    steps: list[Fall] = []
    lost: list[str] = []
    for word in order:
        if word in words:
            lost.append(word)
            left = result.chance(part, ~view.among(lost))
            steps.append(Fall(word, *words[word], *left))
    goal = words.get(ruleset.goal) or result.chance(part, view.codes < 0)
    return [*steps, Fall(ruleset.goal, *goal, *goal)]


def combat_words(result: Result, combat: int) -> dict[str, Estimate]:
    """Words of a combat that came about, best first, each with p, low and high."""
    words = result.words(*result.combats[combat])
    return {word: words[word] for word in result.scenario.ruleset.fates if word in words}


def is_fought(result: Result, combat: int) -> bool:
    """False for a combat that never comes about, or in a sample never did."""
    return not set(combat_words(result, combat)) <= set(result.scenario.ruleset.unfought)


def charge_sentence(view: View, lang: str) -> str:
    """Who charges whom, and what the target does."""
    say = translation("chargesim", lang).gettext
    text = say("{charger} charge {target}; the target's reaction: {reaction}.")
    if view.labels.get("compulsory"):
        text = say(
            "{charger} must charge {target} (compulsory); the target's reaction: {reaction}."
        )
    elif view.labels.get("only_if_forced"):
        text = say(
            "{charger} charge {target} if that is forced; the target's reaction: {reaction}."
        )
    several = view.labels.get("targets", [view.labels["target"]])
    reactions = view.labels.get("reactions", [view.labels["reaction"]])
    return text.format(
        charger=view.labels["charger"],
        target=", ".join(several) or say("nobody"),
        reaction=", ".join(label(reaction, lang) for reaction in reactions if reaction)
        or say("none"),
    )


def combat_sentence(result: Result, combat: int, lang: str) -> str:
    """Who fights whom; a charger that only comes when redirected is marked."""
    say = translation("chargesim", lang).gettext
    _, view = result.combats[combat]
    target = view.labels["target"]
    declared = {
        one.labels["charger"]
        for _, one in result.charges
        if target in one.labels.get("targets", [one.labels["target"]])
    }
    chargers = [
        name if name in declared else say("{charger} (if redirected)").format(charger=name)
        for name in dict.fromkeys(view.labels["chargers"])
    ]
    if is_fought(result, combat):
        text = say("Combat of {chargers} against {target}.")
    elif result.is_exact:
        text = say("No combat of {chargers} against {target} takes place.")
    else:
        text = say("No combat of {chargers} against {target} was seen.")
    return text.format(chargers=", ".join(chargers), target=target)


@dataclass(frozen=True)
class Answer:
    """Will the charge arrive, win and hold, as a player asks.

    Parameters
    ----------
    arrives
        A charger meets the target in a fight: it reaches it, or is met halfway.
    wins
        It does, and the charging side wins the round.
    breaks
        It does, and the target breaks or is wiped out.
    broken
        It does, and the charging side loses, and breaks or is wiped out.
    """

    arrives: Estimate
    wins: Estimate
    breaks: Estimate
    broken: Estimate


def answer(result: Result, combat: int) -> Answer:
    """The player's question of one combat."""
    part, view = result.combats[combat]
    arrived = view.codes < 0
    for other, charge in result.charges:
        for one in (charge, *charge.within.values()):
            if other == part and one.labels["target"] == view.labels["target"]:
                arrived = arrived | _mask(one, result.scenario.ruleset.arrivals)
    return Answer(
        result.chance(part, arrived),
        *(result.chance(part, arrived & _mask(view, words)) for words in (WINS, BREAKS, IS_BROKEN)),
    )


def _mask(view: View, patterns: tuple[str, ...]) -> np.ndarray[Any, Any]:
    """End states of a view whose word fits one of the patterns."""
    return view.among(fitting(tuple(view.words.values()), patterns))


@lru_cache
def fitting(words: tuple[str, ...], patterns: tuple[str, ...]) -> frozenset[str]:
    """Those of some words that fit one of the patterns: views of a kind have the same ones."""
    return frozenset(
        word for word in words if any(fnmatchcase(word, pattern) for pattern in patterns)
    )
