"""Warhammer Fantasy Battle, 6th edition: the charge phase and the combat round that follows."""

from __future__ import annotations

from typing import Any

from chargesim.rulesets import Ruleset
from chargesim.rulesets.wh6 import scenario
from chargesim.rulesets.wh6.choices import LOST, choices, stakes
from chargesim.rulesets.wh6.legality import check
from chargesim.rulesets.wh6.prepare import prepare
from chargesim.rulesets.wh6.reading import BEST_FIRST, FALL, TOLD, pieces, read
from chargesim.rulesets.wh6.setup import setup
from chargesim.rulesets.wh6.state import LAYOUT, Phase


def _kernels() -> tuple[Any, Any]:
    from chargesim.rulesets.wh6.rules import play, step  # imports numba

    return step, play


def _tell(*arguments: Any) -> Any:
    from chargesim.rulesets.wh6.telling import tell  # many words, for few questions

    return tell(*arguments)


def _switches(model: scenario.Model) -> dict[str, Any]:
    return {"units": model.units, **model.switches.model_dump()}


RULESET = Ruleset(
    name="wh6",
    title="Warhammer Fantasy Battle, 6th edition",
    version=2,
    layout=LAYOUT,
    model=scenario.Model,
    prepare=prepare,
    check=check,
    setup=setup,
    kernels=_kernels,
    pieces=pieces,
    read=read,
    cast=(
        ("charges", "number"),
        ("charges", "kind"),
        ("charges", "parent"),
        ("combats", "target"),
    ),
    tell=_tell,
    phases=Phase,
    fall=FALL,
    goal="contact",
    arrivals=("contact",),
    gains=("target_fled_caught", "target_fled_off_table"),
    choices=choices,
    stakes=stakes,
    lost=LOST,
    switches=_switches,
    switch_rows=scenario.switch_rows,
    fates=BEST_FIRST,
    unfought=("no_combat",),
    told=TOLD,
    reactions=("hold", "stand_and_shoot", "flee"),
    aliases=scenario.SPANISH,
)
