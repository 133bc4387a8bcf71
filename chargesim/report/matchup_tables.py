"""Match-ups as documents: matrices of success, best and worst charges, blind spots."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from chargesim.report.labels import label
from chargesim.report.provenance import made_by, provenance
from chargesim.report.render import Document, Picture, Table, number
from chargesim.report.roster_tables import unit_of_length
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.matchup import MatchUp, MatchUps
    from chargesim.report.matchup_play import Meeting
    from chargesim.report.matchup_sides import Side

SHOWN = 3
"""So many of the best and of the worst charges."""


def _(text: str) -> str:
    """Mark a text for the catalogue."""
    return text


CAPTIONS = {
    "arrive": _("The charge arrives, %"),
    "win": _("It arrives and wins the round, %"),
    "break": _("It breaks or wipes out the enemy, %"),
    "beat": _("It wins the round, or the enemy has fled, %"),
    "broken": _("It loses, and breaks or is wiped out itself, %"),
}
"""Measures for people."""


def matchup_document(found: MatchUps, lang: str, picture: Picture | None = None) -> Document:
    """All directions of a match-up.

    Parameters
    ----------
    found
        The match-ups.
    lang
        ``"en"`` or ``"es"``.
    picture
        A figure to be shown on top, where the form shows figures.
    """
    say = translation("chargesim", lang).gettext
    blocks: list[str | Table | Picture] = [_how(found[0], lang)]
    if picture is not None:
        blocks.append(picture)
    for one in found:
        blocks += _direction(one, lang)
    for side in found.sides:
        blocks += _left_out(side, lang)
    title = say("Match-up: {lists}").format(lists=", ".join(side.title for side in found.sides))
    sampled = [one for one in found if one.trials is not None]
    trials = sampled[0].trials if sampled else None
    seed = sampled[0].seed if sampled else None
    origin = provenance(found[0].example, lang)
    # the hash of one of many scenarios would say nothing
    ruleset = found[0].example.ruleset
    first = say("Ruleset {name}, version {version}.").format(
        name=ruleset.name, version=ruleset.version
    )
    return Document(title, tuple(blocks), (made_by(trials, seed, lang), first, origin[1]))


def _how(one: MatchUp, lang: str) -> str:
    """What is asked, in a sentence."""
    say = translation("chargesim", lang).gettext
    shown = [_length(value, lang) for value in one.distances]
    if len(shown) == 1:
        text = say(
            "Every unit charges every enemy at {distance} {unit}: two units, open ground, frontal; "
            "the target answers as is best for its owner."
        )
    else:
        text = say(
            "Every unit charges every enemy at {distance} {unit}, and the mean over these "
            "distances is shown: two units, open ground, frontal; the target answers as is best "
            "for its owner."
        )
    return text.format(distance=", ".join(shown), unit=unit_of_length(one.active.lengths, lang))


def _length(value: float, lang: str) -> str:
    return number(value, 0 if value == int(value) else 2, lang)


def _direction(one: MatchUp, lang: str) -> list[str | Table | Picture]:
    say = translation("chargesim", lang).gettext
    heading = say("{active} charges {reactive}").format(
        active=one.active.title, reactive=one.reactive.title
    )
    blocks: list[str | Table | Picture] = [f"— {heading} —", _columns(one, lang)]
    blocks += [
        _matrix(one, measure, lang, heading) for measure in ("arrive", "win", "break", "beat")
    ]
    blocks.append(say("Reactions in the first table: s stand and shoot, f flee; the others hold."))
    ranked = one.ranked()
    if ranked:
        best, worst = ranked[:SHOWN], ranked[::-1][:SHOWN]
        blocks.append(_charges(one, best, say("The best charges"), lang))
        blocks.append(_charges(one, worst, say("The worst charges"), lang))
        blocks.append(
            say("Swing: worth of the enemy destroyed or fleeing after the round, less one's own, "
                "expected; points, or unit strength where a unit has none.")
        )  # fmt: skip
    blocks.append(_blind(one, lang))
    faults = Counter((m.charger, m.fault.splitlines()[-1].strip()) for m in one.meetings if m.fault)
    blocks += [
        say("{unit} cannot be played: {fault}").format(
            unit=one.active.names[name], fault=fault
        )
        for name, fault in faults
    ]  # fmt: skip
    return blocks


def _columns(one: MatchUp, lang: str) -> str:
    """Numbers of the columns: names would not fit above them."""
    say = translation("chargesim", lang).gettext
    names = "; ".join(f"{i} {one.reactive.names[n]}" for i, n in enumerate(one.targets, start=1))
    return say("Targets: {names}.").format(names=names)


def compact(p: float, lang: str, *, exact: bool) -> str:
    """A chance in whole per cent; 0 and 100 are written only where they are certain."""
    if p != p:
        return "·"
    if exact and p in (0.0, 1.0):
        return f"{100 * p:.0f}"
    if p < 0.005:
        return "<1"
    return ">99" if p > 0.995 else number(100 * p, 0, lang)


def _matrix(one: MatchUp, measure: str, lang: str, heading: str) -> Table:
    say = translation("chargesim", lang).gettext
    values, exact = one.array(measure), one.engines == {"exact"}
    rows, shades = [], []
    for i, charger in enumerate(one.chargers):
        cells = [compact(float(values[i, j]), lang, exact=exact) for j in range(len(one.targets))]
        if measure == "arrive":
            cells = [
                f"{cell}{_mark(one.at(i, j))}" for j, cell in enumerate(cells)
            ]  # fmt: skip
        rows.append((one.active.names[charger], *cells))
        shades.append((None, *(None if v != v else float(v) for v in values[i])))
    return Table(
        (say("charger"), *(str(j) for j in range(1, len(one.targets) + 1))),
        tuple(rows), say(CAPTIONS[measure]), (), _raw(one, measure),
        frozenset(range(1, len(one.targets) + 1)), name=f"{heading}: {measure}",
        heads=("charger", "target", "distance", "reaction", measure, "low", "high", "engine"),
        shades=tuple(shades),
    )  # fmt: skip


def _mark(meetings: list[Meeting]) -> str:
    """How a target answers, at most of the distances."""
    marks = {"stand_and_shoot": " s", "flee": " f"}
    usual = Counter(one.reaction for one in meetings).most_common(1)[0][0]
    return marks.get(usual, "  ")


def _raw(one: MatchUp, measure: str) -> tuple[tuple[object, ...], ...]:
    return tuple(
        (
            one.active.names[m.charger], one.reactive.names[m.target], m.distance, m.reaction,
            m.measure(measure).value, m.measure(measure).low, m.measure(measure).high, m.engine,
        )
        for m in one.meetings
    )  # fmt: skip


def _charges(one: MatchUp, places: list[tuple[int, int]], caption: str, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    exact = one.engines == {"exact"}
    arrays = {name: one.array(name) for name in ("arrive", "win", "break", "beat", "broken")}
    swing = one.array("swing")
    rows, raw = [], []
    for at in places:
        charger, target = one.chargers[at[0]], one.targets[at[1]]
        reaction = Counter(m.reaction for m in one.at(*at)).most_common(1)[0][0]
        rows.append(
            (
                one.active.names[charger], one.reactive.names[target], label(reaction, lang),
                *(f"{compact(float(a[at]), lang, exact=exact)} %" for a in arrays.values()),
                number(float(swing[at]), 1, lang),
            )
        )  # fmt: skip
        raw.append(
            (
                one.active.names[charger], one.reactive.names[target], reaction,
                *(float(a[at]) for a in arrays.values()), float(swing[at]),
            )
        )  # fmt: skip
    return Table(
        (say("charger"), say("target"), say("reaction"), say("arrives"), say("wins"),
         say("breaks the enemy"), say("beats it"), say("is broken"), say("swing")),
        tuple(rows), caption, (), tuple(raw), frozenset(range(3, 9)),
        heads=("charger", "target", "reaction", *arrays, "swing"),
    )  # fmt: skip


def _blind(one: MatchUp, lang: str) -> str:
    """Enemies nobody beats, and units that beat nobody, at least half the time."""
    say = translation("chargesim", lang).gettext
    exact, parts = one.engines == {"exact"}, []
    spots = one.blind_spots()
    if spots:
        shown = "; ".join(
            f"{one.reactive.names[one.targets[j]]} ({one.active.names[one.chargers[i]]} "
            f"{compact(p, lang, exact=exact)} %)"
            for j, i, p in spots
        )
        parts.append(
            say("Blind spots, enemies whom nobody beats half the time (the best try): {names}.")
            .format(names=shown)
        )  # fmt: skip
    else:
        parts.append(say("No blind spots: each enemy is beaten by somebody half the time."))
    idle = [one.active.names[one.chargers[i]] for i in one.idle()]
    if idle:
        parts.append(
            say("Units that beat nobody half the time: {names}.").format(names="; ".join(idle))
        )
    unread = np.isnan(one.array("win")).sum()
    if unread:
        parts.append(say("{count} charges cannot be played.").format(count=int(unread)))
    return " ".join(parts)


def _left_out(side: Side, lang: str) -> list[str]:
    """Units that take no part, and why."""
    say = translation("chargesim", lang).gettext
    lines = []
    if side.left_out:
        names = "; ".join(
            f"{side.names[name]} ({', '.join(paths)})" for name, paths in side.left_out.items()
        )
        lines.append(
            say("Left out of {list}, since the list does not give what they need: {names}.").format(
                list=side.title, names=names
            )
        )
    machines = [name for name in side.units if name not in side.chargers]
    if machines:
        names = "; ".join(side.names[name] for name in machines)
        lines.append(
            say("War machines of {list} are charged, but do not charge: {names}.").format(
                list=side.title, names=names
            )
        )
    return lines
