"""What checks, dice questions, rules and traces look like as documents of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chargesim.report.render import Document, Table, number, percent
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.engine.odds import Answer
    from chargesim.report.check import Cell
    from chargesim.scenario import Scenario


def check_document(
    scenario: Scenario, cells: list[Cell], lang: str, trials: int, seed: int, *, everything: bool
) -> Document:
    """Exact against both samples; all cells, or those of the outcomes and any that disagree.

    Parameters
    ----------
    scenario
        What was checked.
    cells
        What was compared.
    lang
        ``"en"`` or ``"es"``.
    trials, seed
        Of the sample.
    everything
        True shows all cells.
    """
    # dice questions use this module too, and must start at once
    from chargesim.report.check import rolled_trials
    from chargesim.report.provenance import provenance

    say = translation("chargesim", lang).gettext
    shown = [c for c in cells if everything or not c.agrees or "=" not in c.what]
    rows = [
        (
            c.what,
            percent(c.exact, c.exact, c.exact, lang, exact=True),
            *(
                text
                for seen in (c.sampled, c.rolled)
                for text in (
                    number(100 * seen.share, 3, lang) + " %",
                    number(seen.p_value, 4, lang),
                )
            ),
            say("agrees") if c.agrees else say("DISAGREES"),
        )
        for c in shown
    ]
    wrong = sum(not c.agrees for c in cells)
    verdict = (
        say("{cells} cells compared: all agree.")
        if wrong == 0
        else say("{cells} cells compared: {wrong} disagree.")
    ).format(cells=len(cells), wrong=wrong)
    table = Table(
        (
            say("cell"),
            say("exact"),
            say("sampled"),
            say("p-value"),
            say("rolled"),
            say("p-value, rolled"),
            say("verdict"),
        ),
        tuple(rows),
        "",
        (),
        tuple(
            (
                c.what,
                c.exact,
                c.sampled.share,
                c.sampled.p_value,
                c.rolled.share,
                c.rolled.p_value,
                c.agrees,
            )
            for c in shown
        ),
        frozenset({1, 2, 3, 4, 5}),
    )
    played = say("Sampled: {trials} trials; with every die rolled: {rolled}; seed {seed}.").format(
        trials=number(float(trials), 0, lang),
        rolled=number(float(rolled_trials(trials)), 0, lang),
        seed=seed,
    )
    caveat = scenario.caveat(lang)
    source = (*([caveat] if caveat else []), played, *provenance(scenario, lang))
    return Document(scenario.title, (table, verdict), source, caveat)


def odds_document(answer: Answer, lang: str) -> Document:
    """The answer to a dice question: distribution, mean, and the chance that was asked for."""
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table] = []
    if answer.probability is not None:
        p = float(answer.probability)
        certain = answer.probability in (0, 1)
        shown = f"{p * 100:.0f} %" if certain else percent(p, p, p, lang, exact=True)
        fraction = str(answer.probability)
        blocks.append(
            f"P({answer.expression}) = {shown}" + (f" = {fraction}" if len(fraction) < 30 else "")
        )
    if answer.stages:
        blocks.append(
            "; ".join(
                f"{name}: {percent(float(p), float(p), float(p), lang, exact=True)} = {p}"
                for name, p in answer.stages
            )
        )
    upward = 1.0
    rows, raw, shares = [], [], []
    for value, chance in answer.pmf.items():
        p = float(chance)
        rows.append(
            (
                str(value),
                percent(p, p, p, lang, exact=True),
                percent(upward, upward, upward, lang, exact=True),
            )
        )
        raw.append((value, p, upward))
        shares.append(p)
        upward = max(upward - p, 0.0)
    caption = say("mean {mean}, standard deviation {deviation}").format(
        mean=number(float(answer.mean), 3, lang),
        deviation=number(answer.standard_deviation, 3, lang),
    )
    blocks.append(
        Table(
            (say("value"), say("exactly"), say("at least")),
            tuple(rows),
            caption,
            tuple(shares),
            tuple(raw),
            frozenset({0, 1, 2}),
        )
    )
    return Document(answer.expression, tuple(blocks), (say("Exact: counted, not rolled."),))


def rules_document(title: str, rows: list[Any], switches: list[Any], lang: str) -> Document:
    """Which rules are covered, by what, and which are left out and why; and the switches."""
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table] = []
    covered = sum(row.status == "covered" for row in rows)
    blocks.append(
        say("{covered} of {all} rules are covered.").format(covered=covered, all=len(rows))
    )
    blocks.append(
        Table(
            (say("rule"), say("status"), say("function, or why not"), say("tests")),
            tuple(
                (
                    row.id,
                    say("covered") if row.status == "covered" else say("left out"),
                    ".".join(row.function.split(".")[3:]) if row.status == "covered" else row.why,
                    str(len(row.tests)),
                )
                for row in rows
            ),
            "",
            (),
            tuple(
                (row.id, row.status, row.function or row.why, " ".join(row.tests)) for row in rows
            ),
            frozenset({3}),
        )
    )
    if switches:
        blocks.append(
            Table(
                (say("switch"), say("values"), say("default"), say("rule")),
                tuple(switches),
                say("Switches"),
            )
        )
    return Document(title, tuple(blocks))


def rule_document(row: Any, lang: str) -> Document:
    """One rule: what covers it and what tests it."""
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table] = [say("covered") if row.status == "covered" else say("left out")]
    if row.function:
        blocks.append(f"{say('function')}: {row.function}")
    if row.why:
        blocks.append(row.why)
    blocks += [f"{say('test')}: {test}" for test in row.tests]
    return Document(row.id, tuple(blocks))


def trace_document(title: str, lines: list[Any], lang: str, seed: int, trial: int) -> Document:
    """A told trial as a table of rules and what they did."""
    say = translation("chargesim", lang).gettext
    return Document(
        title,
        (
            Table(
                (say("rule"), say("what happened")),
                tuple((line.rule, line.text) for line in lines),
                trial_named(seed, trial, lang),
            ),
        ),
    )


def trial_named(seed: int, trial: int, lang: str) -> str:
    """Which trial of a sample it is."""
    text = translation("chargesim", lang).gettext("Trial {trial} of seed {seed}")
    return text.format(trial=trial, seed=seed)
