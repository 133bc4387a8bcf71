"""The charges of a match-up, each answered with every reaction of its target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import nan
from typing import Any

from chargesim.engine.choices import worth
from chargesim.errors import InputError
from chargesim.report.batch import solve_many
from chargesim.report.charges import WINS, answer, fitting
from chargesim.report.matchup_sides import Side
from chargesim.report.result import Result
from chargesim.report.values import Estimate
from chargesim.scenario import Scenario

MEASURES = ("arrive", "win", "break", "beat", "broken")
"""What is measured of a charge: it arrives; arrives and wins the round; breaks or wipes out the
enemy; beats it, which is to win the round or to put it to flight before; loses, and breaks or is
wiped out itself."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Meeting:
    """One charge at one distance, its target answering as is best for it.

    Parameters
    ----------
    charger, target
        Names of the units.
    distance
        Of the charge.
    reaction
        What the target does.
    chances
        In the order of :data:`MEASURES`.
    swing
        Expected worth of the target destroyed or fleeing, less that of the charger: points, or unit
        strength where a unit has none.
    engine
        ``"exact"`` or ``"sample"``; empty for a charge that cannot be played.
    fault
        Why it cannot be.
    """

    charger: str
    target: str
    distance: float
    reaction: str
    chances: tuple[Estimate, ...]
    swing: float
    engine: str
    fault: str = ""

    def measure(self, name: str) -> Estimate:
        """One of :data:`MEASURES`."""
        return self.chances[MEASURES.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is undefined is ``None``."""
        chances = {
            name: {k: _plain(getattr(one, k)) for k in ("value", "low", "high")}
            for name, one in zip(MEASURES, self.chances, strict=True)
        }
        return {
            "charger": self.charger,
            "target": self.target,
            "distance": self.distance,
            "reaction": self.reaction or None,
            **chances,
            "swing": _plain(self.swing),
            "engine": self.engine or None,
            "fault": self.fault or None,
        }


def _plain(value: float) -> float | None:
    return None if value != value else value


def play(
    active: Side, reactive: Side, distances: tuple[float, ...], switches: dict[str, Any],
    options: dict[str, Any], done: int, total: int, progress: Progress | None,
) -> tuple[list[Meeting], Scenario]:  # fmt: skip
    """Play all charges of one army on another, every reaction of every target."""
    pairs = [(one, other) for one in active.chargers for other in reactive.units]
    asked: list[list[tuple[str, Scenario | InputError]]] = []

    made = _Questions(active, reactive, distances, switches)

    def questions() -> Iterator[Scenario | InputError]:
        for one, other in pairs:
            for lines in made.lines(one, other):
                asked.append(lines)
                yield from (question for _name, question in lines)

    answers = solve_many(questions(), **options)
    meetings: list[Meeting] = []
    for one, other in pairs:
        for distance in distances:
            first = next(answers)  # fills `asked` as far as it goes
            lines = asked[len(meetings)]
            results = [first, *(next(answers) for _ in lines[1:])]
            names = [name for name, _question in lines]
            meetings.append(_meeting(one, other, distance, names, results))
            asked[len(meetings) - 1] = []
            if progress:
                progress(done + len(meetings), total)
    return meetings, made.example


class _Questions:
    """The questions of a match-up; what two of them have in common is read once.

    Parameters
    ----------
    active, reactive, distances, switches
        As for :func:`play`.
    """

    def __init__(
        self, active: Side, reactive: Side, distances: tuple[float, ...], switches: dict[str, Any]
    ) -> None:
        self._active, self._reactive = active, reactive
        self._distances, self._switches = distances, switches
        self._any: Scenario | None = None
        self.first_fault: InputError | None = None

    @property
    def example(self) -> Scenario:
        """One of the questions, which tells ruleset and switches of all.

        Raises
        ------
        InputError
            When none of them can be played.
        """
        if self._any is None:
            raise self.first_fault or InputError("matchup: there is nothing to play")
        return self._any

    def lines(self, one: str, other: str) -> Iterator[list[tuple[str, Scenario | InputError]]]:
        """For each distance, the question with each reaction that the target has."""
        attacker, defender = dict(self._active.units[one]), dict(self._reactive.units[other])
        if not with_points(attacker, defender):
            attacker.pop("points", None)
            defender.pop("points", None)
        names = _apart(one, other)
        reactions = ["hold", *(["stand_and_shoot"] if "missile" in defender else []), "flee"]
        rows = [(distance, reaction) for distance in self._distances for reaction in reactions]
        tables = {
            "ruleset": "wh6",
            "units": self._active.lengths,
            "unit": {
                names[0]: {**attacker, "side": "active"},
                names[1]: {**defender, "side": "reactive"},
            },
            "charge": [{"charger": names[0], "target": names[1], "distance": self._distances[0]}],
            "reaction": {names[1]: reactions[0]},
            "switches": self._switches,
        }
        try:
            base = self._read(f"{one} on {other}", tables)
        except InputError as error:
            self.first_fault = self.first_fault or error
            for _distance in self._distances:
                yield [("", error)]
            return
        # the first row is what it says already
        paths = ["charge.0.distance", f"reaction.{names[1]}"]
        variants = chain([base], base.variants(paths, rows[1:]))
        for _distance in self._distances:
            yield [(reaction, next(variants)) for reaction in reactions]

    def _read(self, source: str, tables: dict[str, Any]) -> Scenario:
        if self._any is None:
            self._any = Scenario(source, **tables)
            return self._any
        return self._any.like(source, tables)


def with_points(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether points measure a charge: points against unit strength would be no measure."""
    return "points" in one and "points" in other


def _apart(one: str, other: str) -> tuple[str, str]:
    """Names of the two units in a question: lists may well share one."""
    return (one, other) if one != other else (one, f"{other}_enemy")


NOTHING = Estimate(nan, nan, nan, "")


def _meeting(
    one: str, other: str, distance: float, names: list[str], results: list[Any]
) -> Meeting:
    """The best reaction for the target's owner, and what comes of it."""
    failed = next((r for r in results if not isinstance(r, Result)), None)
    if failed is not None:
        # the best of what is left would be no best
        return Meeting(one, other, distance, "", (NOTHING,) * len(MEASURES), nan, "", str(failed))
    played = list(zip(names, results, strict=True))
    worths = [
        worth(result.scenario, list(result.tallies), "reactive").mean for _n, result in played
    ]
    reaction, result = played[max(range(len(played)), key=lambda i: (worths[i], -i))]
    found = answer(result, 0)
    estimates = tuple(
        Estimate(*estimate, result.engine)
        for estimate in (found.arrives, found.wins, found.breaks, _beats(result), found.broken)
    )
    # what the rules put in the place of a reaction is what the target does
    in_force = str(result.charges[0][1].labels.get("reaction", reaction))
    return Meeting(one, other, distance, in_force, estimates, -max(worths), result.engine)


def _beats(result: Result) -> tuple[float, float, float]:
    """The charger wins the round, or its target flees or is gone after it, whatever the cause."""
    part, combat = result.combats[0]
    unit = result.units[str(combat.labels["target"])][1]
    won = combat.among(fitting(tuple(combat.words.values()), WINS))
    return result.chance(part, won | unit.among(result.scenario.ruleset.lost))
