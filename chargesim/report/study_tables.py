"""What a study will take, how far it is, and what came of it, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from chargesim.report.grid_tables import level, value_label
from chargesim.report.provenance import origin
from chargesim.report.render import Document, Table, number, percent
from chargesim.study.plan import Forecast
from chargesim.study.reading import Reader
from chargesim.study.status import Status
from chargesim.study.sweep import Summary
from chargesim.words import translation

_FEW = 6
"""Levels of an axis that are written out."""
_RANGED = 200_000
"""Points up to which a status looks at all results."""


def forecast_document(found: Forecast, lang: str) -> Document:
    """What a study will take; nothing of it was started."""
    say = translation("chargesim", lang).gettext
    manifest = found.plan.manifest()
    points, jobs = found.plan.points, found.plan.jobs
    tried = say(
        "Points that were tried: {probed}; exact {exact}, sampled {sampled}, failed {failed}."
    )
    lines = [
        say("Points: {points}; jobs: {jobs}, of up to {size} points each.").format(
            points=_whole(points, lang), jobs=_whole(jobs, lang), size=_whole(found.plan.size, lang)
        ),
        say("About {time} on one core, and {size} of files.").format(
            time=duration(found.seconds, lang), size=amount(found.bytes, lang)
        ),
        tried.format(
            probed=len(found.probed),
            exact=sum(one.trials is None and not one.error for one in found.probed),
            sampled=sum(one.trials is not None for one in found.probed),
            failed=len(found.failed),
        ),
        say("Nothing was started."),
    ]
    paths = [axis["path"] for axis in manifest["axes"]]
    failures = [
        (one.number, dict(zip(paths, one.row, strict=True)), one.error)
        for one in found.failed[:_FEW]
    ]
    blocks: list[str | Table] = [_axes_table(manifest, lang), *lines]
    if failures:
        blocks.append(_failed_table(failures, paths, len(found.failed), lang))
    return Document(
        manifest["title"], tuple(blocks), _source(manifest, lang), _caveat(manifest, lang)
    )


def status_document(found: Status, lang: str) -> Document:
    """How far a study is."""
    return Document(
        found.manifest["title"],
        tuple(_status_blocks(found, lang)),
        _source(found.manifest, lang),
        _caveat(found.manifest, lang),
    )


def summary_document(found: Summary, lang: str) -> Document:
    """What a run did, and how the study stands after it."""
    say = translation("chargesim", lang).gettext
    lines = []
    if found.damaged:
        text = say("Damaged files, found by their checksums and done again: {files}.")
        lines.append(text.format(files=", ".join(found.damaged)))
    if found.done == 0:
        lines.append(say("Everything was there already: nothing was done again."))
    elif found.reused:
        text = say("{done} points were answered now, {reused} of them from earlier results.")
        lines.append(text.format(done=_whole(found.done, lang), reused=_whole(found.reused, lang)))
    else:
        lines.append(say("{done} points were answered now.").format(done=_whole(found.done, lang)))
    status = found.status
    return Document(
        status.manifest["title"],
        (*lines, *_status_blocks(status, lang)),
        _source(status.manifest, lang),
        _caveat(status.manifest, lang),
    )


def _status_blocks(found: Status, lang: str) -> list[str | Table]:
    say = translation("chargesim", lang).gettext
    manifest = found.manifest
    rows = [
        (say("state"), _state(found, lang)),
        (say("points"), _of(found.points, manifest["points"], lang)),
        (say("jobs"), _of(found.jobs, manifest["jobs"], lang)),
        (say("exact points"), _whole(found.exact, lang)),
        (say("trials played"), _whole(found.trials, lang)),
        (say("failed points"), _whole(found.failed, lang)),
        (say("damaged files"), _whole(len(found.damaged), lang)),
        (say("size"), amount(found.bytes, lang)),
        (say("read it with"), f'pandas.read_parquet("{found.folder}")'),
    ]
    raw = tuple(
        (name, value)
        for (name, _), value in zip(
            rows,
            (
                rows[0][1], found.points, found.jobs, found.exact, found.trials, found.failed,
                len(found.damaged), found.bytes, rows[-1][1],
            ),
            strict=True,
        )
    )  # fmt: skip
    blocks: list[str | Table] = [
        Table((say("what"), say("value")), tuple(rows), "", (), raw, name=say("state"))
    ]
    blocks.append(_axes_table(manifest, lang))
    if found.points > found.failed and found.points <= _RANGED and not found.damaged:
        blocks.append(_ranges_table(found, lang))
    if found.failures:
        failures = [(one.point, one.values, one.error) for one in found.failures]
        paths = [axis["path"] for axis in manifest["axes"]]
        blocks.append(_failed_table(failures, paths, found.failed, lang))
    if found.others:
        blocks.append(_others_table(found, lang))
    return blocks


def _state(found: Status, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    if found.is_busy:
        return say("a run is at work")
    if found.is_complete:
        return say("complete")
    return say("unfinished: the same command goes on")


def _axes_table(manifest: Mapping[str, Any], lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    rows, raw = [], []
    for axis in manifest["axes"]:
        values = [level(value, lang) for value in axis["values"][: _FEW + 1]]
        if len(axis["values"]) > _FEW:
            values = [*values[: _FEW - 1], "…", level(axis["values"][-1], lang)]
        rows.append((axis["path"], _whole(len(axis["values"]), lang), ", ".join(values)))
        raw.append((axis["path"], len(axis["values"]), ", ".join(values)))
    kind = {
        "grid": say("Axes: every combination"),
        "zip": say("Axes: level by level side by side"),
        "lhs": say("Axes: a Latin hypercube"),
    }[manifest["design"]]
    heads = (say("path"), say("levels"), say("values"))
    return Table(heads, tuple(rows), kind, (), tuple(raw), frozenset({1}), name=say("axes"))


def _ranges_table(found: Status, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    ranges = Reader(found.shelf).ranges()
    exact = found.exact + found.failed == found.points
    rows = [
        (value_label(name, lang), *(percent(*end, lang, exact=exact) for end in ends))
        for name, ends in ranges.items()
    ]
    return Table(
        (say("outcome"), say("least"), say("greatest")),
        tuple(rows),
        say("Over the points that are answered"),
        (),
        tuple((name, *(end[0] for end in ends)) for name, ends in ranges.items()),
        frozenset({1, 2}),
        name=say("outcomes"),
    )


def _failed_table(
    failures: list[tuple[int, dict[str, Any], str]], paths: list[str], many: int, lang: str
) -> Table:
    say = translation("chargesim", lang).gettext
    text = say("Points that cannot be answered: {shown} of {all}")
    heads = (say("point"), *paths, say("why"))
    return Table(
        heads,
        tuple(
            (str(point), *(level(values[path], lang) for path in paths), error)
            for point, values, error in failures
        ),
        text.format(shown=len(failures), all=_whole(many, lang)),
        (),
        tuple((point, *values.values(), error) for point, values, error in failures),
        frozenset({0}),
        name=say("failed points"),
    )


def _others_table(found: Status, lang: str) -> Table:
    say = translation("chargesim", lang).gettext
    rows = tuple(
        (f"_study-{one['hash'][:12]}", one["title"], _whole(one["points"], lang))
        for one in found.others
    )
    heads = (say("folder"), say("title"), say("points"))
    caption = say("Earlier studies in this folder, kept apart; they may be deleted")
    return Table(heads, rows, caption, numbers=frozenset({2}), name=say("earlier studies"))


def _source(manifest: Mapping[str, Any], lang: str) -> tuple[str, ...]:
    say = translation("chargesim", lang).gettext
    if manifest["engine"] == "exact":
        made = say("Exact: every outcome enumerated, nothing sampled (no seed used).")
    elif manifest["precision"] is None:
        made = say("Sampled points: {trials} trials, seed {seed}, luck {luck}.").format(
            trials=_whole(manifest["trials"], lang),
            seed=manifest["seed"],
            luck=_luck(manifest["luck"], lang),
        )
    else:
        made = say("Sampled points: half-width {precision}, seed {seed}, luck {luck}.").format(
            precision=level(manifest["precision"], lang),
            seed=manifest["seed"],
            luck=_luck(manifest["luck"], lang),
        )
    return (
        made,
        say("Study {hash}.").format(hash=manifest["hash"][:12]),
        *origin(
            manifest["ruleset"],
            manifest["ruleset_version"],
            manifest["rules_hash"],
            manifest["scenario_hash"],
            manifest["switches"],
            lang,
        ),
    )


def _luck(luck: str, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    return {"shared": say("shared"), "independent": say("of each point its own")}[luck]


def _caveat(manifest: Mapping[str, Any], lang: str) -> str:
    return str(manifest["caveat"].get(lang, ""))


def _of(done: int, everything: int, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    return say("{done} of {all}").format(done=_whole(done, lang), all=_whole(everything, lang))


def _whole(value: int, lang: str) -> str:
    return number(float(value), 0, lang)


def duration(seconds: float, lang: str) -> str:
    """A time for people, in units whose signs are the same in every language."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 1.5 * size:
            return f"{number(seconds / size, 0, lang)} {unit}"
    return f"{number(max(ceil(seconds), 1), 0, lang)} s"


def amount(size: int, lang: str) -> str:
    """A size of files for people."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{number(size / scale, 0 if size >= 10 * scale else 1, lang)} {unit}"
    return f"{size} bytes"
