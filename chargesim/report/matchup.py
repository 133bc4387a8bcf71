"""Match-ups: every unit of one list charging every unit of another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import chargesim
from chargesim.errors import InputError
from chargesim.report.batch import solve_many
from chargesim.report.choices import worth
from chargesim.report.result import SCHEMA, Result
from chargesim.report.result_tables import answer
from chargesim.report.roster import Overrides, Roster, read_roster
from chargesim.report.values import Estimate
from chargesim.scenario import Scenario, read_toml

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MEASURES = ("arrive", "win", "break", "broken")
"""What is measured of a charge: it arrives; arrives and wins the round; breaks or wipes out the
enemy; loses, and breaks or is wiped out itself."""
DISTANCES = {"cm": 20.0, "inch": 8.0}
"""Distance of a charge when none is given: within reach of almost everybody."""
BLIND = 0.5
"""An enemy whom nobody beats at least this often is a blind spot."""
MOST_CHARGES = 20_000
"""More charges have to be asked for with ``yes``."""
TRIALS = 100_000
"""Trials of a charge that is too large for the exact engine."""
Progress = Callable[[int, int], None]
Given = Roster | str | Path | Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Side:
    """An army in a match-up.

    Parameters
    ----------
    title
        Its name.
    lengths
        ``"cm"`` or ``"inch"``.
    units
        Tables of the units that can be simulated, by name.
    names
        What people call each of them.
    left_out
        Units that cannot be, each with what they lack.
    roster
        The list it was read from, if it was.
    """

    title: str
    lengths: str
    units: dict[str, dict[str, Any]]
    names: dict[str, str]
    left_out: dict[str, tuple[str, ...]]
    roster: Roster | None = None

    @property
    def chargers(self) -> list[str]:
        """Units that may charge: all but war machines."""
        return [name for name, unit in self.units.items() if unit.get("troop") != "war_machine"]


def side_of(given: Given, overrides: Overrides = None) -> Side:
    """An army from a list, its file, a TOML file of units, or tables of units.

    Raises
    ------
    InputError
        When it cannot be read or has no unit that can be simulated.
    """
    if isinstance(given, (str, Path)):
        if str(given).casefold().endswith(".toml"):
            return _side_of_toml(Path(given))
        given = read_roster(given, overrides=overrides)
    if isinstance(given, Roster):
        army = given.army
        side = Side(
            given.title,
            given.lengths,
            given.complete,
            {key: unit.title for key, unit in army.units.items()},
            {key: unit.missing for key, unit in army.units.items() if not unit.is_complete},
            given,
        )
    else:
        side = _plain_side("units", "cm", given)
    if not side.units:
        raise InputError(f"matchup: {side.title}: no unit in it can be simulated: see its report")
    return side


def _side_of_toml(path: Path) -> Side:
    tables = read_toml(path)
    units = tables.get("unit")
    if not isinstance(units, dict) or not all(isinstance(one, dict) for one in units.values()):
        raise InputError(f"{path}: has no units: write [unit.NAME] in it")
    return _plain_side(
        str(tables.get("title") or path.stem), str(tables.get("units", "cm")), units
    )


def _plain_side(title: str, lengths: str, units: Mapping[str, Mapping[str, Any]]) -> Side:
    # who stands near or fights whom belongs to a question, not to an army
    loose = ("neighbours", "may_reach", "engaged", "fleeing")
    tables = {
        str(name): {key: value for key, value in unit.items() if key not in loose}
        for name, unit in units.items()
    }
    return Side(title, lengths, tables, {name: name for name in tables}, {})


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
    arrive, win, break_, broken
        Chances, as in :data:`MEASURES`.
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
    arrive: Estimate
    win: Estimate
    break_: Estimate
    broken: Estimate
    swing: float
    engine: str
    fault: str = ""

    def measure(self, name: str) -> Estimate:
        """One of :data:`MEASURES`."""
        found: Estimate = getattr(self, "break_" if name == "break" else name)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is undefined is ``None``."""
        chances = {
            name: {k: _plain(getattr(self.measure(name), k)) for k in ("value", "low", "high")}
            for name in MEASURES
        }
        return {
            "charger": self.charger, "target": self.target, "distance": self.distance,
            "reaction": self.reaction or None, **chances, "swing": _plain(self.swing),
            "engine": self.engine or None, "fault": self.fault or None,
        }  # fmt: skip


def _plain(value: float) -> float | None:
    return None if value != value else value


class MatchUp:
    """All charges of one army on another.

    Parameters
    ----------
    active, reactive
        Who charges, and who is charged.
    distances
        At which.
    meetings
        By charger, target and place of the distance.
    trials, seed
        Of what was sampled.
    """

    def __init__(
        self,
        active: Side,
        reactive: Side,
        distances: tuple[float, ...],
        meetings: list[Meeting],
        trials: int | None,
        seed: int | None,
        example: Scenario,
    ) -> None:
        self.active, self.reactive, self.distances = active, reactive, distances
        self.meetings, self.trials, self.seed, self.example = meetings, trials, seed, example
        self.chargers, self.targets = active.chargers, list(reactive.units)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Chargers, targets, distances."""
        return len(self.chargers), len(self.targets), len(self.distances)

    def at(self, charger: int, target: int) -> list[Meeting]:
        """The charges of one unit on another, by distance."""
        step = len(self.distances)
        first = (charger * len(self.targets) + target) * step
        return self.meetings[first : first + step]

    def array(self, measure: str = "win") -> np.ndarray[Any, Any]:
        """A measure of every charge, or ``"swing"``; the mean over the distances.

        Parameters
        ----------
        measure
            One of :data:`MEASURES`, or ``"swing"``.

        Returns
        -------
        numpy.ndarray
            Shape (chargers, targets); NaN where a charge cannot be played.

        Raises
        ------
        InputError
            For another measure.
        """
        if measure not in (*MEASURES, "swing"):
            known = ", ".join((*MEASURES, "swing"))
            raise InputError(f"measure: {measure!r} is none: one of {known}")
        values = [
            one.swing if measure == "swing" else one.measure(measure).value
            for one in self.meetings
        ]
        found: np.ndarray[Any, Any] = np.array(values, float).reshape(self.shape).mean(axis=2)
        return found

    def frame(self, measure: str = "win") -> pd.DataFrame:
        """A measure as a frame, a row a charger and a column a target."""
        import pandas as pd

        return pd.DataFrame(
            self.array(measure),
            index=pd.Index([self.active.names[name] for name in self.chargers], name="charger"),
            columns=pd.Index([self.reactive.names[name] for name in self.targets], name="target"),
        )

    def ranked(self) -> list[tuple[int, int]]:
        """Charges, the best first: by swing, then by the chance to break the enemy."""
        swing, breaks = self.array("swing"), self.array("break")
        places = [
            (i, j)
            for i in range(len(self.chargers))
            for j in range(len(self.targets))
            if swing[i, j] == swing[i, j]
        ]
        return sorted(
            places,
            key=lambda at: (-round(swing[at], 9), -round(breaks[at], 12), *self._names(*at)),
        )

    def _names(self, i: int, j: int) -> tuple[str, str]:
        return self.chargers[i], self.targets[j]

    def blind_spots(self) -> list[tuple[int, int, float]]:
        """Targets whom no charger beats at least half the time, with the best charger and how often.

        Returns
        -------
        list of tuple
            Place of the target, of its best charger, and the latter's chance to arrive and win.
        """
        win = np.nan_to_num(self.array("win"))
        best = [(j, int(win[:, j].argmax()), float(win[:, j].max())) for j in range(win.shape[1])]
        return sorted((one for one in best if one[2] < BLIND), key=lambda one: (one[2], one[0]))

    def idle(self) -> list[int]:
        """Chargers that beat nobody at least half the time."""
        win = np.nan_to_num(self.array("win"))
        return [i for i in range(win.shape[0]) if win[i].max() < BLIND]

    @property
    def engines(self) -> set[str]:
        """Engines that made the numbers."""
        return {one.engine for one in self.meetings if one.engine}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        ranked = self.ranked()
        return {
            "active": self.active.title,
            "reactive": self.reactive.title,
            "chargers": [{"unit": n, "name": self.active.names[n]} for n in self.chargers],
            "targets": [{"unit": n, "name": self.reactive.names[n]} for n in self.targets],
            "left_out": {
                "active": {name: list(paths) for name, paths in self.active.left_out.items()},
                "reactive": {name: list(paths) for name, paths in self.reactive.left_out.items()},
            },
            "best": [list(self._names(*at)) for at in ranked[:3]],
            "worst": [list(self._names(*at)) for at in ranked[::-1][:3]],
            "blind_spots": [self.targets[j] for j, _best, _p in self.blind_spots()],
            "idle": [self.chargers[i] for i in self.idle()],
            "charges": [one.to_dict() for one in self.meetings],
        }


class MatchUps(Sequence[MatchUp]):
    """Match-ups of two lists or more, in both directions; made by :func:`matchup`.

    Parameters
    ----------
    sides
        The armies.
    found
        A match-up each ordered pair.
    """

    def __init__(self, sides: list[Side], found: list[MatchUp]) -> None:
        self.sides, self._found = sides, found

    def __getitem__(self, place: Any) -> Any:
        return self._found[place]

    def __len__(self) -> int:
        return len(self._found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        from chargesim.kernels.jit import rules_hash

        first = self._found[0]
        ruleset = first.example.ruleset
        sampled = [one for one in self._found if one.trials is not None]
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "ruleset": ruleset.name,
            "ruleset_version": ruleset.version,
            "rules_hash": rules_hash(ruleset.name),
            "switches": first.example.switches,
            "units": first.active.lengths,
            "distances": list(first.distances),
            "trials": sampled[0].trials if sampled else None,
            "seed": sampled[0].seed if sampled else None,
            "matchups": [one.to_dict() for one in self._found],
        }

    def plot(self, measure: str = "win", lang: str = "en") -> Figure:
        """A heat map each direction.

        Parameters
        ----------
        measure
            One of :data:`MEASURES`.
        lang
            ``"en"`` or ``"es"``.
        """
        from chargesim.report.matchup_figures import heat_maps

        return heat_maps(self, measure, lang)

    def _repr_html_(self) -> str:
        from chargesim.report.matchup_tables import matchup_document
        from chargesim.report.render import html

        return html(matchup_document(self, "en"))

    def __repr__(self) -> str:
        pairs = ", ".join(f"{one.active.title} on {one.reactive.title}" for one in self)
        return f"MatchUps({pairs})"


def matchup(
    *armies: Given,
    distance: float | Iterable[float] | None = None,
    overrides: Overrides = None,
    both: bool = True,
    switches: Mapping[str, Any] | None = None,
    yes: bool = False,
    engine: str = "auto",
    trials: int = TRIALS,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> MatchUps:
    """Let every unit of each list charge every unit of the others.

    Each charge is a question of its own: two units, nobody else near, open ground, the charger
    alone; the target answers as is best for its owner.

    Parameters
    ----------
    *armies
        Two lists or more: files, what :func:`read_roster` gave, TOML files or tables of units.
    distance
        Of every charge, or several; the default is 20 cm or 8 inches.
    overrides
        For the lists that are read here.
    both
        False for the charges of the first on the others alone.
    switches
        Of the ruleset.
    yes
        True allows more than ``MOST_CHARGES`` charges.
    engine, trials, seed, threads, max_states
        As for :func:`chargesim.solve`.
    progress
        Called with (charges played, charges).

    Returns
    -------
    MatchUps

    Raises
    ------
    InputError
        For fewer than two lists, lists in different units of length, a distance that cannot be, or
        too many charges.
    """
    if len(armies) < 2:
        raise InputError("matchup: one list alone has nobody to charge: name two or more")
    sides = [side_of(one, overrides) for one in armies]
    lengths = {side.lengths for side in sides}
    if len(lengths) > 1 or not lengths <= set(DISTANCES):
        each = ", ".join(f"{side.title} in {side.lengths}" for side in sides)
        raise InputError(
            f"matchup: lists in different units of length ({each}) cannot meet, since nothing is "
            'converted: use lists of one, or write units = "..." in an overrides file'
        )
    distances = _distances(distance, sides[0].lengths)
    pairs = [
        (one, other)
        for i, one in enumerate(sides)
        for j, other in enumerate(sides)
        if i != j and (both or i == 0)
    ]
    total = sum(len(a.chargers) * len(b.units) for a, b in pairs) * len(distances)
    if total > MOST_CHARGES and not yes:
        raise InputError(
            f"matchup: {total:,} charges are many: ask for fewer distances or lists, or say --yes "
            "(yes=True) to go on"
        )
    options = {
        "engine": engine, "trials": trials, "seed": seed, "threads": threads,
        "max_states": max_states,
    }  # fmt: skip
    found, done = [], 0
    for active, reactive in pairs:
        one = _play(active, reactive, distances, dict(switches or {}), options, done, total, progress)
        found.append(one)
        done += len(one.meetings)
    return MatchUps(sides, found)


def _distances(given: float | Iterable[float] | None, lengths: str) -> tuple[float, ...]:
    if given is None:
        return (DISTANCES[lengths],)
    values = [given] if isinstance(given, (int, float)) else list(given)
    taken = tuple(float(value) for value in values)
    if not taken or not all(0 < value <= 1000 for value in taken):
        raise InputError("distance: must be above 0 and at most 1,000, one or several")
    return taken


def _play(
    active: Side, reactive: Side, distances: tuple[float, ...], switches: dict[str, Any],
    options: dict[str, Any], done: int, total: int, progress: Progress | None,
) -> MatchUp:  # fmt: skip
    """Play all charges of one army on another, every reaction of every target."""
    pairs = [(one, other) for one in active.chargers for other in reactive.units]
    if not pairs:
        raise InputError(f"matchup: {active.title}: nobody in it may charge")
    asked: list[list[tuple[str, Scenario | InputError]]] = []

    def questions() -> Iterator[Scenario | InputError]:
        for one, other in pairs:
            for lines in _lines(active, reactive, one, other, distances, switches):
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
    sampled = any(one.engine == "sample" for one in meetings)
    example = _example(active, reactive, pairs, distances, switches)
    return MatchUp(
        active, reactive, distances, meetings,
        options["trials"] if sampled else None, options["seed"] if sampled else None, example,
    )  # fmt: skip


def _example(
    active: Side, reactive: Side, pairs: list[tuple[str, str]], distances: tuple[float, ...],
    switches: dict[str, Any],
) -> Scenario:  # fmt: skip
    """One of the questions, which tells ruleset and switches of all."""
    tries = (
        question
        for one, other in pairs
        for _name, question in next(
            iter(_lines(active, reactive, one, other, distances[:1], switches))
        )
    )
    first: InputError | None = None
    for question in tries:
        if isinstance(question, Scenario):
            return question
        first = first or question
    raise first or InputError("matchup: there is nothing to play")


def _lines(
    active: Side, reactive: Side, one: str, other: str, distances: tuple[float, ...],
    switches: dict[str, Any],
) -> Iterator[list[tuple[str, Scenario | InputError]]]:  # fmt: skip
    """For each distance, the question with each reaction that the target has."""
    attacker, defender = dict(active.units[one]), dict(reactive.units[other])
    if "points" not in attacker or "points" not in defender:
        # points of one against unit strength of the other would be no measure
        attacker.pop("points", None)
        defender.pop("points", None)
    names = _apart(one, other)
    reactions = ["hold", *(["stand_and_shoot"] if "missile" in defender else []), "flee"]
    base: Scenario | InputError
    try:
        base = Scenario(
            f"{one} on {other}",
            ruleset="wh6",
            units=active.lengths,
            unit={
                names[0]: {**attacker, "side": "active"},
                names[1]: {**defender, "side": "reactive"},
            },
            charge=[{"charger": names[0], "target": names[1], "distance": distances[0]}],
            reaction={names[1]: "hold"},
            **({"switches": switches} if switches else {}),
        )
    except InputError as error:
        base = error
    if not isinstance(base, Scenario):
        for _distance in distances:
            yield [("", base)]
        return
    paths = ["charge.0.distance", f"reaction.{names[1]}"]
    rows = [(distance, reaction) for distance in distances for reaction in reactions]
    variants = iter(base.variants(paths, rows))
    for _distance in distances:
        yield [(reaction, next(variants)) for reaction in reactions]


def _apart(one: str, other: str) -> tuple[str, str]:
    """Names of the two units in a question: lists may well share one."""
    return (one, other) if one != other else (one, f"{other}_enemy")


NOTHING = Estimate(nan, nan, nan, "")


def _meeting(
    one: str, other: str, distance: float, names: list[str], results: list[Any]
) -> Meeting:
    """The best reaction for the target's owner, and what comes of it."""
    played = [(name, r) for name, r in zip(names, results, strict=True) if isinstance(r, Result)]
    if not played:
        fault = str(results[0])
        return Meeting(one, other, distance, "", *[NOTHING] * 4, nan, "", fault)
    worths = [worth(result.scenario, list(result.tallies), "reactive").mean for _n, result in played]
    reaction, result = played[max(range(len(played)), key=lambda i: (worths[i], -i))]
    found = answer(result, 0)
    estimates = [
        Estimate(*estimate, result.engine)
        for estimate in (found.arrives, found.wins, found.breaks, found.broken)
    ]
    # what the rules put in the place of a reaction is what the target does
    in_force = str(result.charges[0][1].labels.get("reaction", reaction))
    return Meeting(one, other, distance, in_force, *estimates, -max(worths), result.engine)


def engines_of(found: MatchUps) -> set[str]:
    """Engines that made the numbers of all match-ups."""
    return set(chain.from_iterable(one.engines for one in found))
