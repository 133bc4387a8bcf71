"""Ranked regiments: the charge phase of a computer game and the combat that follows."""

from __future__ import annotations

from typing import Any

from chargesim.rulesets import Ruleset
from chargesim.rulesets.ranked_regiment import scenario
from chargesim.rulesets.ranked_regiment.choices import LOST, choices, stakes
from chargesim.rulesets.ranked_regiment.legality import check
from chargesim.rulesets.ranked_regiment.reading import BEST_FIRST, FALL, TOLD, pieces, read
from chargesim.rulesets.ranked_regiment.setup import setup
from chargesim.rulesets.ranked_regiment.state import LAYOUT, Phase


def _kernels() -> tuple[Any, Any]:
    from chargesim.rulesets.ranked_regiment.rules import play, step  # imports numba

    return step, play


def _tell(*arguments: Any) -> Any:
    from chargesim.rulesets.ranked_regiment.telling import tell  # many words, for few questions

    return tell(*arguments)


def _game(model: scenario.Model, **options: Any) -> Any:
    from chargesim.rulesets.ranked_regiment.game import solve  # imports numba

    return solve(model, **options)


def _targets(*arguments: Any, **options: Any) -> Any:
    from chargesim.rulesets.ranked_regiment.targets import targets  # as above

    return targets(*arguments, **options)


def _draw(*arguments: Any) -> Any:
    from chargesim.rulesets.ranked_regiment.drawing import draw  # for those who want a figure

    return draw(*arguments)


def _switches(model: scenario.Model) -> dict[str, Any]:
    return {"turn": model.turn, "first": model.first, **model.switches.model_dump()}


RULESET = Ruleset(
    name="ranked_regiment",
    title="Ranked regiments: charge phase and combat",
    version=2,
    layout=LAYOUT,
    model=scenario.Model,
    prepare=scenario.prepare,
    check=check,
    setup=setup,
    kernels=_kernels,
    pieces=pieces,
    read=read,
    cast=(("charges", "number"), ("combats", "target")),
    tell=_tell,
    phases=Phase,
    fall=FALL,
    goal="contact",
    arrivals=("contact", "countered"),
    gains=(),
    choices=choices,
    stakes=stakes,
    lost=LOST,
    switches=_switches,
    switch_rows=scenario.switch_rows,
    fates=BEST_FIRST,
    unfought=("no_combat",),
    told=TOLD,
    reactions=("hold", "counter", "flee"),
    game=_game,
    targets=_targets,
    draw=_draw,
)
