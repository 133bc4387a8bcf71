"""Commands on one scenario: run, check, trace; and odds, on dice alone."""

from __future__ import annotations

from typing import Annotated

import typer

from chargesim.cli.options import (
    PLAYING,
    TRIALS,
    Engine,
    EngineName,
    FigureFile,
    Form,
    Format,
    Lang,
    Language,
    MaxStates,
    Playing,
    ScenarioFile,
    Seed,
    Threads,
    Trials,
    figure_file,
    half_width,
    unfold,
    whole,
)
from chargesim.cli.output import present, print_json, progress_bar, question_of, show
from chargesim.cli.streams import print_text


def run(
    scenario: ScenarioFile,
    engine: EngineName = Engine.auto,
    trials: Trials = TRIALS,
    precision: Annotated[
        float | None,
        typer.Option(
            parser=half_width,
            metavar="H",
            help="Double the trials until no half-width is above H.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    figure: Annotated[
        str | None,
        typer.Option(
            parser=figure_file, metavar="FILE", help="Draw charges and combats as .svg or .png."
        ),
    ] = None,
    shown: Annotated[
        str | None,
        typer.Option(
            "--show",
            metavar="WHAT",
            help="One thing alone: casualties:UNIT, exactly:QUANTITY or at_least:QUANTITY.",
        ),
    ] = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Answer a scenario: how charges and combats end, and with which probability."""
    from chargesim.report.detail import read_detail
    from chargesim.report.result import solve
    from chargesim.report.result_tables import result_document

    question = question_of(scenario)
    detail = None if shown is None else read_detail(shown)
    with progress_bar("trials") as progress:
        result = solve(
            question,
            engine=engine.value,
            trials=trials,
            precision=precision,
            seed=seed,
            threads=threads,
            max_states=max_states,
            progress=progress,
        )
    found = None if detail is None else detail(result)  # before a figure is written
    if figure is not None:
        from chargesim.report.figures import picture, save

        save(picture(result, lang.value) if found is None else found.plot(lang=lang.value), figure)
    if found is None:
        present(result, result_document, form, lang)
    else:
        present(found, lambda one, language: one.document(language), form, lang)


@unfold
def payoffs(
    scenario: ScenarioFile,
    options: Annotated[
        str | None,
        typer.Option(
            metavar="PATH=SPEC",
            help="Options of the charger, such as charge.0.arc=front,flank; else those it has.",
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(metavar="UNIT", help="Who reacts; else the first target.")
    ] = None,
    value: Annotated[
        str | None,
        typer.Option(
            "--value", metavar="OUTCOME", help="What the charger wants; else the swing in points."
        ),
    ] = None,
    playing: Playing = PLAYING,
    figure: FigureFile = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Set the charger's options against the reactions of its target, and mark the best of both."""
    from chargesim.report.payoffs import payoffs as played
    from chargesim.report.payoffs_tables import payoffs_document
    from chargesim.study.axes import read_axis

    question = question_of(scenario)
    with progress_bar("pairs") as progress:
        found = played(
            question,
            None if options is None else read_axis(question, options),
            unit=unit,
            value=value,
            progress=progress,
            **playing.keywords,
        )
    present(found, payoffs_document, form, lang, figure)


def check(
    scenario: ScenarioFile,
    trials: Trials = TRIALS,
    seed: Seed = 0,
    threads: Threads = None,
    max_states: MaxStates = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Compare exact, sampled and every die rolled, cell by cell; exit 1 when they disagree."""
    from chargesim.report.check import check as compare
    from chargesim.report.check import rolled_trials
    from chargesim.report.result_json import about
    from chargesim.report.tables import check_document

    question = question_of(scenario)
    with progress_bar("trials") as progress:
        cells = compare(question, trials, seed, threads, progress, max_states)
    agree = all(cell.agrees for cell in cells)
    if form is Form.json:
        print_json(
            {
                **about(question),
                "trials": trials,
                "rolled_trials": rolled_trials(trials),
                "seed": seed,
                "agrees": agree,
                **({"caveat": caveat} if (caveat := question.caveat(lang.value)) else {}),
                "cells": [
                    {
                        "what": cell.what,
                        "exact": cell.exact,
                        "sampled": cell.sampled.share,
                        "count": cell.sampled.count,
                        "p_value": cell.sampled.p_value,
                        "rolled": cell.rolled.share,
                        "rolled_count": cell.rolled.count,
                        "rolled_p_value": cell.rolled.p_value,
                        "agrees": cell.agrees,
                    }
                    for cell in cells
                ],
            }
        )
    else:
        document = check_document(
            question, cells, lang.value, trials, seed, everything=form is Form.csv
        )
        show(document, form, lang)
    if not agree:
        raise typer.Exit(1)


def trace(
    scenario: ScenarioFile,
    trial: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Number of the trial, from 0.")
    ] = 0,
    seed: Seed = 0,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Tell one trial of the sample step by step: rule, dice, modifiers, target number, result."""
    from chargesim.report import trace as tracing
    from chargesim.report.render import printable
    from chargesim.report.result_json import about
    from chargesim.report.tables import trace_document, trial_named

    question = question_of(scenario)
    if form is Form.text:
        text = tracing.trace(question, seed, trial, lang.value)
        named = f"{question.title}\n{trial_named(seed, trial, lang.value)}"
        print_text(printable(f"{named}\n\n{text}"))
        return
    lines = tracing.told(question, seed, trial, lang.value)
    if form is Form.json:
        print_json(
            {
                **about(question),
                "seed": seed,
                "trial": trial,
                "steps": [
                    {"rule": line.rule, "unit": line.unit, "dice": line.dice, "text": line.text}
                    for line in lines
                ],
            }
        )
    else:
        show(trace_document(question.title, lines, lang.value, seed, trial), form, lang)


def odds(
    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPRESSION", help='Such as "2d6 <= 7", "3d6dh1 <= 8", "10x 4+ 4+ !5+ >= 2".'
        ),
    ],
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """Answer a dice question exactly."""
    from chargesim.engine.odds import parse

    answer = parse(expression).answer()
    if form is Form.json:
        print_json(
            {
                "expression": answer.expression,
                "engine": "exact",
                "p": None if answer.probability is None else float(answer.probability),
                "fraction": None if answer.probability is None else str(answer.probability),
                "mean": float(answer.mean),
                "standard_deviation": answer.standard_deviation,
                "stages": [{"stage": name, "p": float(p)} for name, p in answer.stages],
                "distribution": {str(value): float(p) for value, p in answer.pmf.items()},
            }
        )
        return
    from chargesim.report.tables import odds_document

    show(odds_document(answer, lang.value), form, lang)
