"""Commands on games of declarations: plan."""

from __future__ import annotations

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
    ScenarioFile,
    Seed,
    whole,
)
from chargesim.cli.output import present, progress_bar, question_of


def plan(
    scenario: ScenarioFile,
    engine: EngineName = Engine.auto,
    trials: Annotated[
        int | None,
        typer.Option(
            parser=whole, metavar="N", help="Places drawn (200), or games policies play (20)."
        ),
    ] = None,
    policies: Annotated[
        str | None,
        typer.Option(
            metavar="ACTIVE,REACTIVE",
            help="Let policies play: greedy, cautious, random or pass, for both sides or one each.",
        ),
    ] = None,
    seed: Seed = 0,
    max_states: MaxStates = None,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Tell what each side had best declare: the value, the line of play, every target."""
    from chargesim.report.game import plan as planned
    from chargesim.report.game_tables import game_document

    question = question_of(scenario)
    with progress_bar("games") as progress:
        found = planned(
            question,
            engine=engine.value,
            trials=trials,
            policies=policies,
            seed=seed,
            max_states=max_states,
            progress=progress,
            lang=lang.value,
        )
    present(found, game_document, form, lang, figure)
