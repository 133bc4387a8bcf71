"""Figures of one question's ends: losses by outcome, at-least curves, payoffs of a choice."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from chargesim.engine.outcomes import quantity
from chargesim.report.casualties import lost_label
from chargesim.report.figures import GOAL, SHADES, new_axes, with_unit
from chargesim.report.labels import label
from chargesim.report.payoffs_tables import (
    option_label,
    payoff_text,
    reply_label,
    source,
    verdict,
)
from chargesim.report.provenance import foot_lines
from chargesim.report.render import percent
from chargesim.words import translation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from chargesim.report.casualties import Casualties
    from chargesim.report.payoffs import Payoffs
    from chargesim.report.result import Result

BEFORE = (
    ("#CC79A7", ""), ("#F0E442", "\\\\\\\\"), ("#009E73", "...."), ("#FFFFFF", "xxxx"),
    ("#999999", "----"), ("#E8D7F1", "++++"), ("#4D4D4D", ""), ("#B8E0C8", "oo"),
    ("#FFFFFF", "////"), ("#C49A6C", ""), ("#DDDDDD", "||||"), ("#FFFFFF", "..."),
)  # fmt: skip
"""Colour and hatch of the ends of a charge that come before the fight, in their order."""
GREY, MARK = "#555555", "#D55E00"
MOST_TEXTS = 14
"""So many bars have their chance written on them, where all places between them count."""


def casualties(found: Casualties, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Bars of how many a unit loses, each split by how its charge ends.

    Parameters
    ----------
    found
        The losses.
    ax
        Axes to draw on; new ones if ``None``.
    lang
        ``"en"`` or ``"es"``.

    Returns
    -------
    matplotlib.axes.Axes
    """
    say = translation("chargesim", lang).gettext
    own, result = ax is None, found.result
    ax = new_axes(8.4, 4.8) if ax is None else ax
    values = np.array(found.values)
    bottom = np.zeros(len(values))
    for end, style in zip(found.ends, _styles(result, found.ends), strict=True):
        heights = np.array([100 * found.joint(value, value, end)[0] for value in found.values])
        shown = percent(*found.end(end), lang, exact=result.is_exact)
        ax.bar(values, heights, bottom=bottom, label=f"{label(end, lang)}, {shown}", **style)
        bottom += heights
    totals = [found.joint(value, value) for value in found.values]
    tops = np.array([100 * p for p, _, _ in totals])
    highs = tops
    if not result.is_exact:
        errors = [
            [max(100 * (p - low), 0) for p, low, _ in totals],
            [max(100 * (high - p), 0) for p, _, high in totals],
        ]
        ax.errorbar(values, tops, yerr=errors, fmt="none", color="black", capsize=2, linewidth=0.8)
        highs = tops + np.array(errors[1])
    if values[-1] - values[0] < MOST_TEXTS:
        for value, top, total in zip(values, highs, totals, strict=True):
            text = percent(*total, lang, exact=result.is_exact)
            ax.annotate(
                text, (value, top), (0, 3), textcoords="offset points", ha="center", fontsize=7.5
            )
        ax.set_xticks(values)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(0, 1.08 * float(highs.max()))
    ax.set_xlabel(lost_label(found, lang))
    ax.set_ylabel(say("probability, %"))
    ax.legend(
        fontsize=8, frameon=False, reverse=True, loc="upper left", bbox_to_anchor=(1.0, 1.0),
        title=say("how it ends"), title_fontsize=9, alignment="left",
    )  # fmt: skip
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _dress(ax, result.scenario.title, say("Losses by how it ends"), foot_lines(result, lang), own)
    return ax


def _styles(result: Result, ends: Sequence[str]) -> list[dict[str, Any]]:
    """How each end is filled: those of the fight by how good they are, the others by place."""
    fates = result.scenario.ruleset.fates
    others = [end for end in ends if fates.get(end) is None]
    styles = []
    for end in ends:
        good = fates.get(end)
        if good is None:
            colour, hatch = BEFORE[others.index(end) % len(BEFORE)]
        else:
            colour, hatch = SHADES[4 - good], ""
        styles.append(
            {"facecolor": colour, "hatch": hatch, "edgecolor": GREY, "linewidth": 0.6, "width": 0.8}
        )
    return styles


def at_least(result: Result, name: str, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Chance that a quantity is at least each of its values, with the band of its interval.

    Parameters
    ----------
    result
        A solved scenario.
    name
        A quantity such as ``"shooting_casualties"`` or ``"boars:models_left"``.
    ax, lang
        As for :func:`casualties`.

    Raises
    ------
    InputError
        When there is no such quantity.
    """
    say = translation("chargesim", lang).gettext
    own = ax is None
    ax = new_axes(7.0, 4.2) if ax is None else ax
    part, found = quantity(result.views, name)
    values = list(result.spread(part, found))
    arises = np.ones(found.values.shape, bool) if found.arises is None else found.arises
    above = [
        # nothing that always arises is below 0: certain, sampled or not
        (1.0,) * 3
        if found.arises is None and value <= 0
        else result.chance(part, (found.values >= value) & arises)
        for value in values
    ]
    p, low, high = (100 * np.array(side) for side in zip(*above, strict=True))
    ax.plot(values, p, color=GOAL, marker="o" if len(values) <= 40 else "", markersize=4, zorder=3)
    if not result.is_exact:
        ax.fill_between(values, low, high, color=GOAL, alpha=0.25, linewidth=0)
    if len(values) <= MOST_TEXTS:
        for value, height, one in zip(values, p, above, strict=True):
            text = percent(*one, lang, exact=result.is_exact or one == (1.0,) * 3)
            ax.annotate(text, (value, height), (4, 4), textcoords="offset points", fontsize=7.5)
        ax.set_xticks(values)
        ax.margins(x=0.08)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(0, 108)
    ax.set_yticks(range(0, 101, 20))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    ax.set_xlabel(say("{quantity}, at least").format(quantity=with_unit(result, name, lang)))
    ax.set_ylabel(say("probability, %"))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _dress(ax, result.scenario.title, "", foot_lines(result, lang), own)
    return ax


def payoffs(found: Payoffs, ax: Axes | None = None, lang: str = "en") -> Axes:
    """A table of the charger's options against the reactions, the best of both marked.

    Parameters
    ----------
    found
        The payoffs.
    ax, lang
        As for :func:`casualties`.
    """
    say = translation("chargesim", lang).gettext
    own = ax is None
    rows, columns = len(found.options), len(found.replies)
    ax = new_axes(max(3.8 + 1.5 * columns, 7.0), 3.0 + 0.55 * rows) if ax is None else ax
    values = np.array([[cell.charger.value for cell in row] for row in found.cells])
    allowed = np.array([[cell.allowed for cell in row] for row in found.cells])
    least, most = float(values[allowed].min()), float(values[allowed].max())
    colours = colormaps["cividis"].with_extremes(bad="white")
    ax.imshow(
        np.where(allowed, values, np.nan), cmap=colours, vmin=least, vmax=most, aspect="auto",
        interpolation="nearest",
    )  # fmt: skip
    for i, row in enumerate(found.cells):
        for j, cell in enumerate(row):
            share = (cell.charger.value - least) / ((most - least) or 1.0)
            shown = payoff_text(found, cell, lang) if cell.allowed else say("not allowed")
            colour = "white" if cell.allowed and share < 0.55 else "black"
            ax.text(j, i, shown, ha="center", va="center", fontsize=9, color=colour)
            if not cell.allowed:
                ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="//",
                                       edgecolor="#BBBBBB", linewidth=0))  # fmt: skip
    replies, chosen = found.best_replies, found.best_option
    for i, j in enumerate(replies):
        style: dict[str, Any] = {"linewidth": 2.2, "linestyle": "--"}
        if i == chosen:
            style = {"linewidth": 3.4, "linestyle": "-"}
        ax.add_patch(
            Rectangle((j - 0.46, i - 0.44), 0.92, 0.88, fill=False, edgecolor=MARK, **style)
        )
    ax.set_xticks(range(columns), [fill(reply_label(name, lang), 18) for name in found.replies])
    ax.set_yticks(
        range(rows), [fill(option_label(found, name, lang), 26) for name in found.options]
    )
    ax.set_xlabel(say("reaction of {unit}").format(unit=found.unit))
    ax.set_ylabel(say("option of the charger"))
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    keys = [
        Patch(fill=False, edgecolor=MARK, linewidth=1.6, linestyle="--",
              label=say("best answer to the option")),
        Patch(fill=False, edgecolor=MARK, linewidth=2.6, label=say("best option, with its answer")),
    ]  # fmt: skip
    shown_keys = keys if rows > 1 else keys[1:]
    ax.legend(
        handles=shown_keys, fontsize=8, frameon=False, ncols=2, loc="lower left",
        bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2,
    )  # fmt: skip
    caveat = found.scenario.caveat(lang)
    foot = (*([caveat] if caveat else []), *source(found, lang)[:2])
    _dress(ax, found.scenario.title, verdict(found, lang), foot, own)
    return ax


def _dress(ax: Axes, title: str, what: str, foot: Sequence[str], own: bool) -> None:
    """Write the title, and under a figure of our own how the numbers were made."""
    lines = [fill(line, 84) for line in (*([title] if own else []), *what.split("\n")) if line]
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        figure.suptitle("\n".join(lines), fontsize=10)
        figure.supxlabel("\n".join(foot), fontsize=7, color=GREY)
    else:
        ax.set_title("\n".join(lines), fontsize=9)
