"""Commands on army lists: roster, matchup."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Annotated

import typer

from chargesim.cli.options import (
    Engine,
    EngineName,
    FigureFile,
    Form,
    Format,
    Lang,
    Language,
    MaxStates,
    Seed,
    Threads,
    Trials,
    whole,
)
from chargesim.cli.output import print_json, progress_bar, show
from chargesim.errors import InputError

MOST_DISTANCES = 1_000


class Measure(StrEnum):
    """What a heat map shows."""

    arrive = "arrive"
    win = "win"
    breaks = "break"
    beat = "beat"
    broken = "broken"


def _distance(text: str) -> float:
    values = _distances(text)
    if len(values) != 1:
        raise InputError(f"distance: {text!r} are several: a scenario has one")
    return values[0]


def _distances(text: str) -> list[float]:
    """Read 8, 8,12,16 or 4:16:2."""
    try:
        if ":" in text:
            low, high, step = (Decimal(part) for part in text.split(":"))
            if not (step > 0 and low <= high and (high - low) / step < MOST_DISTANCES):
                raise ValueError
            return [float(low + i * step) for i in range(int((high - low) / step) + 1)]
        values = [float(Decimal(part)) for part in text.split(",")]
        if len(values) > MOST_DISTANCES:
            raise ValueError
        return values
    except (InvalidOperation, ValueError):
        raise InputError(
            f"distance: {text!r} is no distance: write 8, or 8,12,16, or 4:16:2 (from, to, step)"
        ) from None


OverridesFile = Annotated[
    str | None,
    typer.Option(metavar="FILE.toml", help="What the list does not say: [unit.NAME] tables."),
]


def roster(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Army list: .ros, .rosz, New Recruit .json.")
    ],
    overrides: OverridesFile = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first value that is assumed.")
    ] = False,
    scenario: Annotated[
        str | None, typer.Option(metavar="OUT.toml", help="Write a scenario of one charge.")
    ] = None,
    charge: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Charger and target in it.")
    ] = None,
    distance: Annotated[
        float | None, typer.Option(parser=_distance, metavar="D", help="Distance in it.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="B is of this list, or of this .toml of units."),
    ] = None,
    against_overrides: Annotated[
        str | None, typer.Option(metavar="FILE.toml", help="Overrides of that list.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every value, those too that were simply read.")
    ] = False,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Read an army list, say what was understood, and make a scenario of it."""
    from chargesim.report.roster import read_roster, write_scenario
    from chargesim.report.roster_tables import roster_document

    asked = {"--scenario": scenario, "--charge": charge, "--distance": distance}
    absent = [name for name, value in asked.items() if value is None]
    if absent and len(absent) < len(asked):
        raise InputError(f"roster: {', '.join(absent)} is missing: a scenario needs all three")
    found = read_roster(file, overrides=overrides, strict=strict)
    if scenario is not None and charge is not None and distance is not None:
        units = against if against is not None and against.casefold().endswith(".toml") else None
        other = None
        if against is not None and units is None:
            other = read_roster(against, overrides=against_overrides, strict=strict)
        write_scenario(
            found, *charge, distance, scenario, against=other, include=units, lang=lang.value
        )
    if form is Form.json:
        print_json(found.to_dict(lang.value))
    else:
        show(roster_document(found, lang.value, everything=everything), form, lang)


def matchup(
    lists: Annotated[
        list[str],
        typer.Argument(metavar="A B...", help="Army lists, or .toml files of units; two or more."),
    ],
    distance: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            help="Such as 8, 8,12 or 4:16:2; default 20 cm or 8 inches.",
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.toml", help="Once a list, in their order; - for none."),
    ] = None,
    one_way: Annotated[
        bool, typer.Option("--one-way", help="Only the charges of the first list.")
    ] = False,
    measure: Annotated[
        Measure, typer.Option("--show", help="What the figure shows.")
    ] = Measure.win,
    engine: EngineName = Engine.auto,
    trials: Trials = 100_000,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: FigureFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Play more charges than usual.")] = False,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep what is answered; run again, it goes on there."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="N", help="Processes, with --out; default: as needed."),
    ] = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Let every unit of each list charge every unit of the others."""
    from chargesim.report.matchup import matchup as play
    from chargesim.report.matchup_tables import matchup_document
    from chargesim.report.roster import read_roster

    distances = None if distance is None else _distances(distance)
    given = list(overrides or [])
    if len(given) not in (0, len(lists)):
        raise InputError(
            f"overrides: {len(given)} are given for {len(lists)} lists: one each, - for none"
        )
    armies = [
        read_roster(file, overrides=None if extra == "-" else extra)
        if not file.casefold().endswith(".toml")
        else file
        for file, extra in zip(lists, given or ["-"] * len(lists), strict=True)
    ]
    with progress_bar("charges") as progress:
        found = play(
            *armies,
            distance=distances,
            both=not one_way,
            yes=yes,
            engine=engine.value,
            trials=trials,
            seed=seed,
            threads=threads,
            max_states=max_states,
            out=out,
            workers=workers,
            progress=progress,
        )
    picture = None
    if figure is not None or form is Form.html:
        from chargesim.report.figures import save
        from chargesim.report.matchup_figures import heat_maps, picture_of

        drawn = heat_maps(found, measure.value, lang.value)
        if figure is not None:
            save(drawn, figure)
        picture = picture_of(drawn, measure.value, lang.value, figure or "")
    if form is Form.json:
        print_json(found.to_dict())
    else:
        show(matchup_document(found, lang.value, picture), form, lang)
