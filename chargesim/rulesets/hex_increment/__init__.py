"""Napoleonic cavalry charges on hexes, in increments: zone, reactions, melees, pursuit."""

from __future__ import annotations

from typing import Any

from chargesim.rulesets import Ruleset
from chargesim.rulesets.hex_increment import scenario, tables
from chargesim.rulesets.hex_increment.choices import LOST, choices, stakes
from chargesim.rulesets.hex_increment.legality import check
from chargesim.rulesets.hex_increment.reading import BEST_FIRST, FALL, TOLD, pieces, read
from chargesim.rulesets.hex_increment.setup import setup
from chargesim.rulesets.hex_increment.state import LAYOUT, Phase


def _kernels() -> tuple[Any, Any]:
    from chargesim.rulesets.hex_increment.rules import play, step  # imports numba

    return step, play


def _tell(*arguments: Any) -> Any:
    from chargesim.rulesets.hex_increment.telling import tell  # many words, for few questions

    return tell(*arguments)


def _caveat(model: scenario.Model, lang: str) -> str:
    from chargesim.rulesets.hex_increment.telling import caveat

    return caveat(model, lang)


def _draw(*arguments: Any) -> Any:
    from chargesim.rulesets.hex_increment.drawing import draw  # for those who want a figure

    return draw(*arguments)


def _switches(model: scenario.Model) -> dict[str, Any]:
    """Switches in force, and where each table of numbers comes from."""
    origins = {
        f"table_{name}": str(model.tables[name]["provenance"].get("source", ""))
        for name in tables.NAMES
    }
    return {**model.switches.model_dump(), **origins}


RULESET = Ruleset(
    name="hex_increment",
    title="Napoleonic cavalry charges on hexes, in increments",
    version=2,
    layout=LAYOUT,
    model=scenario.Model,
    prepare=scenario.prepare,
    check=check,
    setup=setup,
    kernels=_kernels,
    pieces=pieces,
    read=read,
    cast=(
        ("charges", "number"),
        ("charges", "first"),
        ("charges", "targets"),
        ("targets", "unit"),
    ),
    tell=_tell,
    phases=Phase,
    fall=FALL,
    goal="pursues",
    arrivals=(),
    gains=("targets_broke",),
    choices=choices,
    stakes=stakes,
    lost=LOST,
    switches=_switches,
    switch_rows=scenario.switch_rows,
    fates=BEST_FIRST,
    unfought=("no_contact", "target_retired", "target_broke_before_melee"),
    told=TOLD,
    caveat=_caveat,
    draw=_draw,
)
