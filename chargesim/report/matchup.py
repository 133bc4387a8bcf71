"""Match-ups: every unit of one list charging every unit of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import chargesim
from chargesim.errors import InputError
from chargesim.report.matchup_play import MEASURES, Meeting, Progress, play
from chargesim.report.matchup_sides import Given, Side, side_of
from chargesim.report.result_json import SCHEMA
from chargesim.report.roster import Overrides
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

DISTANCES = {"cm": 20.0, "inch": 8.0}
"""Distance of a charge when none is given: within reach of almost everybody."""
BLIND = 0.5
"""An enemy whom nobody beats at least this often is a blind spot."""
MOST_CHARGES = 20_000
"""More charges have to be asked for with ``yes``."""
TRIALS = 100_000
"""Trials of a charge that is too large for the exact engine."""


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
            one.swing if measure == "swing" else one.measure(measure).value for one in self.meetings
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
            key=lambda at: (
                -round(float(swing[at]), 9),
                -round(float(breaks[at]), 12),
                *self._names(*at),
            ),
        )

    def _names(self, i: int, j: int) -> tuple[str, str]:
        return self.chargers[i], self.targets[j]

    def blind_spots(self) -> list[tuple[int, int, float]]:
        """Targets whom no charger beats at least half the time, with who comes nearest.

        Returns
        -------
        list of tuple
            Place of the target, of its best charger, and the latter's chance to beat it.
        """
        beat = np.nan_to_num(self.array("beat"))
        best = [
            (j, int(beat[:, j].argmax()), float(beat[:, j].max())) for j in range(beat.shape[1])
        ]
        return sorted((one for one in best if one[2] < BLIND), key=lambda one: (one[2], one[0]))

    def idle(self) -> list[int]:
        """Chargers that beat nobody at least half the time."""
        beat = np.nan_to_num(self.array("beat"))
        return [i for i in range(beat.shape[0]) if beat[i].max() < BLIND]

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
    out: str | Path | None = None,
    workers: int | None = 1,
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
    out
        Folder that keeps what is answered, a study each direction: for many charges. The same call
        goes on from there, and ``chargesim sweep status`` and ``export`` read it.
    workers
        Processes of such studies; ``None``: one a core where that is worth it.
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
        (i, j)
        for i, one in enumerate(sides)
        for j in range(len(sides))
        if i != j and (both or i == 0) and one.chargers
    ]
    if not pairs:
        raise InputError("matchup: nobody may charge: name a list with other than war machines")
    total = sum(len(sides[i].chargers) * len(sides[j].units) for i, j in pairs) * len(distances)
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
    for i, j in pairs:
        active, reactive = sides[i], sides[j]
        asked = (active, reactive, distances, dict(switches or {}), options)
        if out is None:
            meetings, example = play(*asked, done, total, progress)
        else:
            from chargesim.report.matchup_study import play_in

            folder = Path(out) / f"{i + 1}_on_{j + 1}"
            meetings, example = play_in(folder, *asked, workers, done, total, progress)
        is_sampled = any(one.engine == "sample" for one in meetings)
        found.append(
            MatchUp(
                active,
                reactive,
                distances,
                meetings,
                trials if is_sampled else None,
                seed if is_sampled else None,
                example,
            )
        )
        done += len(meetings)
    return MatchUps(sides, found)


def _distances(given: float | Iterable[float] | None, lengths: str) -> tuple[float, ...]:
    if given is None:
        return (DISTANCES[lengths],)
    values = [given] if isinstance(given, (int, float)) else list(given)
    taken = tuple(float(value) for value in values)
    if not taken or not all(0 < value <= 1000 for value in taken):
        raise InputError("distance: must be above 0 and at most 1,000, one or several")
    return taken
