"""A comparison as a document, and its verdict in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chargesim.report.caveats import caveats
from chargesim.report.grid_tables import cell_text, span, value_label
from chargesim.report.provenance import made_by, ruleset_line
from chargesim.report.render import Document, Table, number
from chargesim.report.values import Estimate
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.compare import Comparison, Difference


def verdict(found: Comparison, lang: str) -> str:
    """Who is ahead of whom and by how much, and who cannot be told apart."""
    say = translation("chargesim", lang).gettext
    defined = [one for one in found.entries if one.estimate.value == one.estimate.value]
    unknown = [one.name for one in found.entries if one.estimate.value != one.estimate.value]
    sentences = []
    if len(defined) >= 2:
        sentences.append(sentence(found, defined[0].name, defined[1].name, lang))
    ranks = found.ranks
    for rank in sorted(set(ranks)):
        tied = [one.name for one, other in zip(found.entries, ranks, strict=True) if other == rank]
        if len(tied) > 2:
            sentences.append(say("Tied: {names}.").format(names=", ".join(tied)))
    if unknown:
        text = say("Undefined, its condition being impossible or never seen: {names}.")
        sentences.append(text.format(names=", ".join(unknown)))
    return " ".join(sentences)


def sentence(found: Comparison, one: str, other: str, lang: str) -> str:
    """Two scenarios of a comparison in a sentence."""
    say = translation("chargesim", lang).gettext
    pair = found.difference(one, other)
    amount = size(pair, lang, found.is_mean)
    unit = "" if found.is_mean else say(" points")
    words = {"one": one, "other": other, "size": amount + unit}
    if pair.how == "exact":
        if pair.is_tie:
            return say("{one} and {other} are equal, exactly: a tie.").format(**words)
        return say("{one} beats {other} by {size}, exactly.").format(**words)
    words["low"], words["high"] = ends(pair, lang, found.is_mean)
    if pair.is_tie:
        text = say(
            "{one} and {other} cannot be told apart, a tie: difference {size}, 95 % interval "
            "{low} to {high}."
        )
    else:
        text = say("{one} beats {other} by {size}, 95 % interval {low} to {high}.")
    return text.format(**words)


def _decimals(pair: Difference, mean: bool) -> int:
    if pair.how == "exact":
        return 3
    half = (pair.high - pair.low) / 2 * (1 if mean else 100)
    decimals = 0
    while decimals < 6 and 10.0**-decimals > half / 2:
        decimals += 1
    return decimals


def size(pair: Difference, lang: str, mean: bool) -> str:
    """A difference, in points where it is one of chances, with the decimals of its error."""
    value = pair.value * (1 if mean else 100)
    decimals = _decimals(pair, mean)
    if pair.how == "exact" and 0 < abs(value) < 0.0005 and not pair.is_tie:
        return f"{value:.2g}".replace(".", "," if lang == "es" else ".")
    return signless(number(value, decimals, lang))


def ends(pair: Difference, lang: str, mean: bool) -> tuple[str, str]:
    """The interval of a difference."""
    decimals = _decimals(pair, mean)
    low, high = (
        signless(number(end * (1 if mean else 100), decimals, lang))
        for end in (pair.low, pair.high)
    )
    return low, high


def signless(text: str) -> str:
    """No minus sign before nothing, and a proper one before something."""
    bare = text.removeprefix("-")
    return bare if not bare.strip("0.,") else text.replace("-", "\u2212")


def compare_document(found: Comparison, lang: str) -> Document:
    """A comparison: ranking, differences to the first, verdict.

    Parameters
    ----------
    found
        The comparison.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    exact, mean = found.is_exact, found.is_mean
    heads = [say("rank"), say("scenario"), say("value")]
    interval_head = say("interval (95 %)") if mean else say("interval (95 %), %")
    heads += [] if exact else [interval_head]
    heads.append(say("behind the first") if mean else say("behind the first, points"))
    heads += [] if exact else [say("interval (95 %)")]
    rows, ranks = [], found.ranks
    for rank, entry in zip(ranks, found.entries, strict=True):
        shown = f"{rank}=" if ranks.count(rank) > 1 else str(rank)
        row = [shown, entry.name, cell_text(entry.estimate, lang, mean=mean)]
        row += [] if exact else [span(entry.estimate, lang, mean)]
        behind = found.difference(found.entries[0].name, entry.name)
        first = entry is found.entries[0]
        known = behind.is_defined and not first
        row.append(size(behind, lang, mean) if known else "\u2013")
        if not exact:
            judged = known and behind.how != "exact"
            row.append(" \u2026 ".join(ends(behind, lang, mean)) if judged else "\u2013")
        rows.append(tuple(row))
    raw = found.rows()
    table = Table(
        tuple(heads),
        tuple(rows),
        value_label(found.value, lang),
        () if mean else tuple(_share(entry.estimate) for entry in found.entries),
        tuple(tuple(row.values()) for row in raw),
        frozenset({0, *range(2, len(heads))}),
        heads=tuple(raw[0]),
    )
    caveat = " ".join(_caveats(found, lang))
    return Document(say("Comparison"), (table, verdict(found, lang)), sources(found, lang), caveat)


def _caveats(found: Comparison, lang: str) -> tuple[str, ...]:
    return caveats((entry.result.scenario for entry in found.given), lang)


def _share(cell: Estimate) -> float | None:
    return cell.value if cell.value == cell.value else None


def sources(found: Comparison, lang: str) -> tuple[str, ...]:
    """How the numbers were made, and how differences were judged."""
    say = translation("chargesim", lang).gettext
    sampled = [entry.result for entry in found.given if not entry.result.is_exact]
    lines = []
    if sampled:
        lines.append(made_by(sampled[0].trials, sampled[0].seed, lang, mean=found.is_mean))
        pairs = {
            found.difference(one.name, other.name).how
            for one in found.given
            for other in found.given
            if one is not other
        }
        if "paired" in pairs:
            lines.append(
                say("Shared luck: differences are judged by the same trials of both, in blocks.")
            )
        if "independent" in pairs:
            lines.append(
                say("Where that is not possible, as if they were independent: too wide rather "
                    "than too narrow.")
            )  # fmt: skip
    if len(sampled) < len(found.given):
        lines.append(made_by(None, None, lang))
    text = say("{name}: scenario {hash}.")
    hashes = [
        text.format(name=entry.name, hash=entry.result.scenario.hash[:12]) for entry in found.given
    ]
    rulesets = dict.fromkeys(ruleset_line(entry.result.scenario, lang) for entry in found.given)
    return (*_caveats(found, lang), *lines, *rulesets, " ".join(hashes))
