"""A match-up as studies: for many charges, kept as they are answered, and gone on with later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chargesim.errors import InputError
from chargesim.report.charges import ARRIVES, BREAKS, IS_BROKEN, WINS
from chargesim.report.matchup_play import MEASURES, NOTHING, Meeting, Progress, with_points
from chargesim.report.matchup_sides import Side
from chargesim.report.values import Estimate
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis
from chargesim.study.design import Design
from chargesim.study.file import Study
from chargesim.study.reading import read_study
from chargesim.study.sweep import run

CHARGER, TARGET = "charger", "target"
"""Names of the two units whose places the units of the lists take in turn."""
REACTIONS = ("hold", "stand_and_shoot", "flee")
MOST_UNITS = 60
"""Most units of two lists together: what a scenario has room for, less the two in question."""


def play_in(
    folder: Path, active: Side, reactive: Side, distances: tuple[float, ...],
    switches: dict[str, Any], options: dict[str, Any], workers: int | None, done: int, total: int,
    progress: Progress | None,
) -> tuple[list[Meeting], Scenario]:  # fmt: skip
    """Play all charges of one army on another as a study whose results a folder keeps.

    What the folder holds of them already is not played again.

    Parameters
    ----------
    folder
        Where to.
    active, reactive, distances, switches
        The charges.
    options
        Engine, trials, seed, threads, max_states.
    workers
        Processes, as for :func:`chargesim.sweep`.
    done, total, progress
        How many charges were played before, how many there are, and whom to tell.

    Raises
    ------
    InputError
        When there are too many units for one scenario, or the folder cannot be used.
    IncompleteError
        When it could not be finished; the same call goes on from there.
    """
    if len(active.units) + len(reactive.units) > MOST_UNITS:
        raise InputError(
            f"matchup: {active.title} and {reactive.title} have more than {MOST_UNITS} units "
            "together: too many for one study, take some out"
        )
    scenario = _scenario(active, reactive, distances, switches)
    axes = [
        Axis(f"unit.{CHARGER}", tuple(f"a_{name}" for name in active.chargers)),
        Axis(f"unit.{TARGET}", tuple(f"b_{name}" for name in reactive.units)),
        Axis("charge.0.distance", distances),
        Axis(f"reaction.{TARGET}", REACTIONS),
    ]
    study = Study(
        title=scenario.title, scenario=scenario, design=Design("grid", axes, None, options["seed"]),
        engine=options["engine"], trials=options["trials"], seed=options["seed"], keep="all",
        max_states=options["max_states"],
    )  # fmt: skip
    steps = len(REACTIONS)

    def told(points: int, _all: int, _failed: int) -> None:
        if progress:
            progress(done + points // steps, total)

    run(study, folder, workers=workers, threads=options["threads"], progress=told)
    return _meetings(folder, active, reactive, distances, scenario), scenario


def _scenario(
    active: Side, reactive: Side, distances: tuple[float, ...], switches: dict[str, Any]
) -> Scenario:
    """A charge of one unit on another, with all units of both lists at hand."""
    units = {f"a_{name}": {**unit, "side": "active"} for name, unit in active.units.items()}
    units |= {f"b_{name}": {**unit, "side": "reactive"} for name, unit in reactive.units.items()}
    units[CHARGER] = dict(units[f"a_{active.chargers[0]}"])
    units[TARGET] = dict(units[f"b_{next(iter(reactive.units))}"])
    return Scenario(
        f"{active.title} charges {reactive.title}",
        ruleset="wh6",
        title=f"{active.title} charges {reactive.title}",
        units=active.lengths,
        switches=switches,
        unit=units,
        charge=[{"charger": CHARGER, "target": TARGET, "distance": distances[0]}],
        reaction={TARGET: "hold"},
    )


def _meetings(
    folder: Path, active: Side, reactive: Side, distances: tuple[float, ...], scenario: Scenario
) -> list[Meeting]:
    """What the study says of each charge, with the reaction that is best for the target's owner."""
    lost = "+".join(scenario.ruleset.lost)
    asked = {
        "arrive": f"0:{ARRIVES}",
        "win": f"{TARGET}:{WINS[0]}",
        "break": f"{TARGET}:{'+'.join(BREAKS)}",
        "held": f"{TARGET}:target_held",
        "broken": f"{TARGET}:{'+'.join(IS_BROKEN)}",
        "gone": f"{TARGET}:{lost}",
        "lost": f"{CHARGER}:{lost}",
    }
    frame = read_study(folder, list(asked.values()), intervals=True)
    rows: Iterator[Any] = iter(frame.to_dict("records"))
    found = []
    for one in active.chargers:
        for other in reactive.units:
            worths = _worths(scenario, f"a_{one}", f"b_{other}", active, reactive)
            for distance in distances:
                lines = [next(rows) for _reaction in REACTIONS]
                found.append(_meeting(one, other, distance, lines, asked, worths))
    return found


def _worths(
    scenario: Scenario, one: str, other: str, active: Side, reactive: Side
) -> tuple[float, float]:
    """Points of both, or the unit strength of both where one has none."""
    units = scenario.model.unit
    if with_points(active.units[one[2:]], reactive.units[other[2:]]):
        return float(units[one].points), float(units[other].points)
    return tuple(  # type: ignore[return-value]  # of two
        float(units[name].models * (units[name].unit_strength or 0)) for name in (one, other)
    )


def _meeting(
    one: str, other: str, distance: float, lines: list[dict[str, Any]], asked: dict[str, str],
    worths: tuple[float, float],
) -> Meeting:  # fmt: skip
    fault = next((str(line["error"]) for line in lines if isinstance(line["error"], str)), "")
    if fault:
        return Meeting(
            one, other, distance, "", (NOTHING,) * len(MEASURES), NOTHING.value, "", fault
        )
    mine, theirs = worths
    swings = [theirs * line[asked["gone"]] - mine * line[asked["lost"]] for line in lines]
    best = min(range(len(lines)), key=lambda i: (swings[i], i))
    line = lines[best]
    engine = str(line["engine"])

    def ends(name: str) -> Estimate:
        text = asked[name]
        return Estimate(line[text], line[f"{text} low"], line[f"{text} high"], engine)

    chances = {name: ends(name) for name in ("arrive", "win", "break", "broken")}
    # whoever holds has lost the round and stands; whoever fled or is gone is counted by its state
    held, gone = ends("held"), ends("gone")
    chances["beat"] = Estimate(
        held.value + gone.value, max(held.low + gone.low, 0.0), min(held.high + gone.high, 1.0),
        engine,
    )  # fmt: skip
    return Meeting(
        one, other, distance, REACTIONS[best], tuple(chances[name] for name in MEASURES),
        swings[best], engine,
    )  # fmt: skip
