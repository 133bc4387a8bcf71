"""The game of declarations as a document: its value, the line of play, openings and targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chargesim.engine.stats import wilson
from chargesim.report.labels import label
from chargesim.report.provenance import provenance
from chargesim.report.render import Document, Table, number, percent
from chargesim.rulesets.games import SIDES
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.game import Plan
    from chargesim.rulesets.games import Opening, Step, Target, Worth

MOST_LINES = 5
"""So many lines of play are counted out for people."""


def step_text(step: Step, lang: str) -> str:
    """A declaration in words, without the side that makes it."""
    say = translation("chargesim", lang).gettext
    texts = {
        "charge": say("{unit} charge {target}, {face}"),
        "counter": say("{unit} counter-charge {target}"),
        "flee": say("{unit} flee"),
        "pass": say("pass"),
    }
    face = "" if step.face is None else label(step.face, lang)
    return texts[step.kind].format(unit=step.unit, target=step.target, face=face)


def side_text(side: str, lang: str) -> str:
    """A side by its name."""
    return label(f"{side}_side", lang)


def worth_text(worth: Worth, lang: str) -> str:
    """A worth, with its interval where it was sampled."""
    text = number(worth.mean, 3, lang)
    if worth.low == worth.high:
        return text
    return f"{text} ({number(worth.low, 3, lang)} \u2026 {number(worth.high, 3, lang)})"


def chance_text(chance: float, trials: int | None, lang: str) -> str:
    """A chance, with as many decimals as its error allows."""
    if trials is None:
        return percent(chance, chance, chance, lang, exact=True)
    low, high = wilson(round(chance * trials), trials)
    return percent(chance, low, high, lang, exact=False)


def game_document(found: Plan, lang: str) -> Document:
    """All of a plan: value, line of play step by step, openings of each side, targets.

    Parameters
    ----------
    found
        The plan.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    game = found.game
    blocks: list[str | Table] = [value_sentence(found, lang), _line_table(found, lang)]
    if len(game.lines) > 1:
        blocks.append(_lines_table(found, lang))
    for side in SIDES:
        openings = [one for one in game.openings if one.step.side == side]
        if openings:
            blocks.append(_openings_table(found, side, openings, lang))
    if any(one.marks for one in game.openings):
        blocks.append(
            say(
                "Safe: worth no less than a pass, and no less than nothing, whatever the reply. "
                "Dominated: another declaration gives more against its own best reply than this "
                "one against its worst. Contested: the reply decides."
            )
        )
    blocks.append(_targets_table(found, lang))
    source = (made_line(found, lang), *provenance(found.scenario, lang))
    return Document(found.scenario.title, tuple(blocks), source, found.scenario.caveat(lang))


def value_sentence(found: Plan, lang: str) -> str:
    """What the game is worth, and how it was played for that."""
    say = translation("chargesim", lang).gettext
    game = found.game
    worth = worth_text(game.value, lang)
    if game.policies is None:
        text = say("When both sides declare well, the phase is worth {worth} to the active side")
    else:
        text = say("Played by policies, the phase is worth {worth} to the active side")
    what = say(
        "expected points (models, where a unit has none) of enemy units that are lost after this "
        "turn's combat, less its own"
    )
    return f"{text.format(worth=worth)}: {what}."


def made_line(found: Plan, lang: str) -> str:
    """How the numbers were made."""
    say = translation("chargesim", lang).gettext
    game = found.game
    trials = "" if game.trials is None else number(game.trials, 0, lang)
    if game.policies is not None:
        active, reactive = (label(policy, lang) for policy in game.policies)
        return say(
            "Played by policies, active side {active}, reactive side {reactive}: {trials} games "
            "from each beginning, seed {seed}, normal intervals (95 %)."
        ).format(active=active, reactive=reactive, trials=trials, seed=game.seed)
    if game.trials is not None:
        return say(
            "Exact over all choices, sampled over places and Moves: {trials} trials, seed {seed}, "
            "normal intervals (95 %)."
        ).format(trials=trials, seed=game.seed)
    positions = number(game.positions, 0, lang)
    if not game.complete:
        return say("Exact: all {positions} positions were looked at.").format(positions=positions)
    return say(
        "Exact: all {positions} positions were looked at; complete lines of play: {lines}."
    ).format(positions=positions, lines=number(game.complete, 0, lang))


def _line_table(found: Plan, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    line = found.game.lines[0]
    caption = say("Best line of play") if found.game.policies is None else say("Line of play")
    if line.chance < 1.0:
        chance = chance_text(line.chance, found.game.trials, lang)
        caption = say("Likeliest line of play ({chance})").format(chance=chance)
    steps = [
        (str(i), side_text(step.side, lang), step_text(step, lang))
        for i, step in enumerate(line.steps, start=1)
    ] or [("1", "\u2013", say("pass"))]
    heads = (say("turn"), say("who declares"), say("declaration"))
    return Table(heads, tuple(steps), caption, numbers=frozenset({0}), name=say("line of play"))


def _lines_table(found: Plan, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    rows = [
        (
            chance_text(line.chance, found.game.trials, lang),
            "; ".join(step_text(step, lang) for step in line.steps) or say("pass"),
        )
        for line in found.game.lines[:MOST_LINES]
    ]
    raw = [
        (line.chance, "; ".join(step_text(step, lang) for step in line.steps))
        for line in found.game.lines
    ]
    return Table(
        (say("chance"), say("line of play")),
        tuple(rows),
        say("The likeliest of {count} lines of play").format(count=len(found.game.lines)),
        raw=tuple(raw),
        numbers=frozenset({0}),
        name=say("lines of play"),
    )


def _openings_table(found: Plan, side: str, openings: list[Opening], lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    partly = any(one.chance < 1.0 for one in openings)
    marked = any(one.marks for one in openings)
    answered = any(one.reply is not None for one in openings)
    better = any(one.better is not None for one in openings)
    heads = [say("declaration"), *([say("legal")] if partly else []), say("worth")]
    heads += [say("mark")] if marked else []
    heads += [say("best reply")] if answered else []
    heads += [say("better instead")] if better else []
    rows = []
    for one in openings:
        row = [step_text(one.step, lang)]
        row += [_chance_of(one, found, lang)] if partly else []
        row.append(worth_text(one.value, lang))
        row += [_marks_text(one, found.game.trials, lang)] if marked else []
        row += ["" if one.reply is None else step_text(one.reply, lang)] if answered else []
        row += ["" if one.better is None else step_text(one.better, lang)] if better else []
        rows.append(tuple(row))
    raw = [
        (
            step_text(one.step, lang), one.chance, one.value.mean, one.value.low, one.value.high,
            label(one.mark, lang) if one.mark else "",
            "" if one.reply is None else step_text(one.reply, lang),
            one.reply_value,
            "" if one.better is None else step_text(one.better, lang),
        )
        for one in openings
    ]  # fmt: skip
    return Table(
        tuple(heads),
        tuple(rows),
        say("What the {side} could declare first, and what that is worth to it").format(
            side=side_text(side, lang)
        ),
        raw=tuple(raw),
        numbers=frozenset({1, 2} if partly else {1}),
        name=side_text(side, lang),
        heads=(
            say("declaration"), say("legal"), say("worth"), say("low"), say("high"), say("mark"),
            say("best reply"), say("worth after the reply"), say("better instead"),
        ),
    )  # fmt: skip


def _chance_of(opening: Opening, found: Plan, lang: str) -> str:
    """How often a declaration is legal; that a pass always is, needs no saying."""
    if opening.step.kind == "pass" and opening.chance == 1.0:
        return ""
    return chance_text(opening.chance, found.game.trials, lang)


def _marks_text(opening: Opening, trials: int | None, lang: str) -> str:
    """The mark of a charge; where it varies each with its share of the cases."""
    if len(opening.marks) < 2:
        return "".join(label(mark, lang) for mark in opening.marks)
    within = None if trials is None else max(round(opening.chance * trials), 1)
    return ", ".join(
        f"{label(mark, lang)} {chance_text(p, within, lang)}" for mark, p in opening.marks.items()
    )


def _targets_table(found: Plan, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    rows = [
        (
            one.unit, one.target, _legal_text(one, lang),
            _faces_text(one, lang),
            "" if one.distance is None else number(one.distance, 2, lang),
            "; ".join(_reason_text(reason, one, lang) for reason in one.reasons),
        )
        for one in found.targets
    ]  # fmt: skip
    raw = [
        (
            one.unit, one.target, one.chance, " ".join(one.faces), one.distance,
            "; ".join(f"{text} [{rule}]" for rule, text, _ in one.reasons),
        )
        for one in found.targets
    ]  # fmt: skip
    return Table(
        (
            say("unit"), say("target"), say("may charge"), say("side"), say("distance"),
            say("why not"),
        ),
        tuple(rows),
        say("Who may charge whom, before anybody has declared"),
        raw=tuple(raw),
        numbers=frozenset({4}),
        name=say("targets"),
    )  # fmt: skip


def _legal_text(target: Target, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    if target.trials is None and target.chance == 1.0:
        return say("yes")
    if target.trials is None and not target.faces:
        return say("no")
    return chance_text(target.chance, target.trials, lang)


def _faces_text(target: Target, lang: str) -> str:
    """Sides that would be struck, with their chances where there are several."""
    if len(target.faces) < 2:
        return "".join(label(face, lang) for face in target.faces)
    return ", ".join(
        f"{label(face, lang)} {chance_text(p, target.trials, lang)}"
        for face, p in target.faces.items()
    )


def _reason_text(reason: tuple[str, str, float], target: Target, lang: str) -> str:
    rule, text, chance = reason
    if len(target.reasons) == 1 and not target.faces:
        return f"{text} [{rule}]"
    return f"{text} [{rule}] {chance_text(chance, target.trials, lang)}"
