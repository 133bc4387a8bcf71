"""What results, checks, dice questions and rules look like as documents of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chargesim.report.labels import label
from chargesim.report.render import Document, Table, interval, number, percent
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.engine.odds import Answer
    from chargesim.report.check import Cell
    from chargesim.report.result import Result
    from chargesim.rulesets import Quantity, View


@dataclass(frozen=True)
class Fall:
    """One step of a waterfall.

    Parameters
    ----------
    word
        The outcome by which this share is lost, or the goal.
    p, low, high
        Its probability and interval.
    left, left_low, left_high
        Probability that is left after it, and its interval.
    """

    word: str
    p: float
    low: float
    high: float
    left: float
    left_low: float
    left_high: float


def waterfall(result: Result, charge: int = 0) -> list[Fall]:
    """Where the probability of a charge goes, step by step; the last is the goal.

    Parameters
    ----------
    result
        A solved scenario.
    charge
        Place of the charge.
    """
    import numpy as np  # dice questions use this module too, and must start at once

    view = result.reading.charges[charge]
    words = result.words(view)
    ruleset = result.scenario.ruleset
    codes = {word: code for code, word in view.words.items()}
    steps: list[Fall] = []
    lost: list[int] = []
    for word in ruleset.fall:
        if word in words:
            lost.append(codes[word])
            left = result.estimate(~np.isin(view.codes, lost))
            steps.append(Fall(word, *words[word], *left))
    goal = words.get(ruleset.goal)
    if goal is None:
        nothing = result.estimate(view.codes < 0)
        return [*steps, Fall(ruleset.goal, *nothing, *nothing)]
    return [*steps, Fall(ruleset.goal, *goal, *goal)]


def source_lines(result: Result, lang: str) -> tuple[str, ...]:
    """How the numbers were made: engine, trials, seed, versions, hashes, switches."""
    from chargesim.kernels.jit import rules_hash

    say = translation("chargesim", lang).gettext
    tally, scenario = result.tally, result.scenario
    if result.is_exact:
        made = say("Exact: every outcome enumerated, nothing sampled (no seed used).")
    else:
        made = say("Sampled: {trials} trials, seed {seed}, Wilson 95 % intervals.").format(
            trials=number(float(tally.trials or 0), 0, lang), seed=tally.seed
        )
    ruleset = scenario.ruleset
    origin = say("Ruleset {name}, version {version}, rules {rules}, scenario {scenario}.").format(
        name=ruleset.name,
        version=ruleset.version,
        rules=rules_hash(ruleset.name)[:12],
        scenario=scenario.hash[:12],
    )
    switches = ", ".join(f"{k} = {_switch(v)}" for k, v in scenario.switches.items())
    return made, origin, say("Switches: {switches}.").format(switches=switches)


def _switch(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def result_document(result: Result, lang: str) -> Document:
    """The answer to a scenario: each charge's waterfall and distributions, each unit's end."""
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table] = []
    for i, view in enumerate(result.reading.charges):
        blocks.append(
            say("{charger} charge {target}; the target's reaction: {reaction}.").format(
                charger=view.labels["charger"],
                target=view.labels["target"],
                reaction=label(view.labels["reaction"], lang),
            )
        )
        blocks.append(_fall_table(result, i, lang))
        blocks += [
            _spread_table(result, label(name, lang), found, lang)
            for name, found in view.quantities.items()
            if _is_telling(found)
        ]
        for name, flag in view.flags.items():
            p, low, high = result.estimate(flag)
            if p > 0:
                blocks.append(
                    f"{label(name, lang)}: {percent(p, low, high, lang, exact=result.is_exact)}"
                )
    blocks.append(_units_table(result, lang))
    blocks += [f"[{note['rule']}] {note['text']}" for note in _notes(result, lang)]
    return Document(result.scenario.title, tuple(blocks), source_lines(result, lang))


def _notes(result: Result, lang: str) -> list[dict[str, Any]]:
    from chargesim.report.trace import notes

    return result.notes if lang == "en" else notes(result, lang)


def _is_telling(found: Quantity) -> bool:
    """False for what certainly is 0 or never arises."""
    return bool((found.values > 0).any())


def _fall_table(result: Result, charge: int, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    steps = waterfall(result, charge)
    exact = result.is_exact
    head = [say("outcome"), say("probability")]
    if not exact:
        head.append(say("95 % interval, %"))
    head.append(say("still charging"))
    rows = []
    for step in steps:
        row = [label(step.word, lang), percent(step.p, step.low, step.high, lang, exact=exact)]
        if not exact:
            row.append(interval(step.low, step.high, lang))
        last = step is steps[-1]
        row.append(
            "" if last else percent(step.left, step.left_low, step.left_high, lang, exact=exact)
        )
        rows.append(tuple(row))
    return Table(
        tuple(head),
        tuple(rows),
        say("Where the charge ends"),
        tuple(step.p for step in steps),
        tuple(
            (step.word, step.p, *(() if exact else (f"{step.low}..{step.high}",)), step.left)
            for step in steps
        ),
        frozenset(range(1, len(head))),
    )


def _spread_table(result: Result, caption: str, found: Quantity, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    exact = result.is_exact
    spread = result.spread(found)
    mass = sum(p for p, _, _ in spread.values())
    mean = sum(v * p for v, (p, _, _) in spread.items()) / mass if mass else 0.0
    head = [say("value"), say("exactly"), say("at least")]
    if not exact:
        head.insert(2, say("95 % interval, %"))
    rows, raw = [], []
    for value, (p, low, high) in spread.items():
        # nothing that always arises is below 0: certain, sampled or not
        sure = found.always and value == 0
        upward = (1.0, 1.0, 1.0) if sure else result.estimate(found.values >= value)
        row = [str(value), percent(p, low, high, lang, exact=exact)]
        if not exact:
            row.append(interval(low, high, lang))
        row.append(percent(*upward, lang, exact=exact or sure))
        rows.append(tuple(row))
        raw.append((value, p, *(() if exact else (f"{low}..{high}",)), upward[0]))
    return Table(
        tuple(head),
        tuple(rows),
        f"{caption} ({say('mean')} {number(mean, 3, lang)})",
        tuple(p for p, _, _ in spread.values()),
        tuple(raw),
        frozenset(range(len(head))),
    )


def _units_table(result: Result, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    exact = result.is_exact
    rows, raw = [], []
    for name, view in result.reading.units.items():
        states = result.words(view)
        text = ", ".join(
            f"{label(word, lang)} {percent(*estimate, lang, exact=exact)}"
            for word, estimate in states.items()
        )
        mean = _mean(result, view)
        rows.append((name, number(mean, 2, lang), text))
        raw.append((name, mean, "; ".join(f"{w} {p}" for w, (p, _, _) in states.items())))
    return Table(
        (say("unit"), say("models left, mean"), say("state")),
        tuple(rows),
        say("The units afterwards"),
        (),
        tuple(raw),
        frozenset({1}),
    )


def _mean(result: Result, view: View) -> float:
    return sum(v * p for v, (p, _, _) in result.spread(view.quantities["models_left"]).items())


def check_document(title: str, cells: list[Cell], lang: str, *, everything: bool) -> Document:
    """Exact against sampled; all cells, or those of the outcomes and any that disagree."""
    say = translation("chargesim", lang).gettext
    shown = [c for c in cells if everything or not c.agrees or "=" not in c.what]
    rows = [
        (
            c.what,
            percent(c.exact, c.exact, c.exact, lang, exact=True),
            number(100 * c.count / c.trials, 3, lang) + " %",
            number(c.p_value, 4, lang),
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
        (say("cell"), say("exact"), say("sampled"), say("p-value"), say("verdict")),
        tuple(rows),
        "",
        (),
        tuple((c.what, c.exact, c.count / c.trials, c.p_value, c.agrees) for c in shown),
        frozenset({1, 2, 3}),
    )
    return Document(title, (table, verdict))


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
                    row.function.rpartition("wh6.")[2] if row.status == "covered" else row.why,
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
                say("Trial {trial} of seed {seed}").format(trial=trial, seed=seed),
            ),
        ),
    )
