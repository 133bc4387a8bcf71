"""Figures of games of declarations: the line of play on a map, and what each opening is worth."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from chargesim.report.figures_maps import LEAST_MAP, beside_map
from chargesim.report.game_tables import (
    made_line,
    side_text,
    step_text,
    value_sentence,
    worth_text,
)
from chargesim.report.labels import label
from chargesim.report.provenance import provenance
from chargesim.rulesets.games import MARKS, SIDES
from chargesim.words import translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from chargesim.report.game import Plan
    from chargesim.rulesets.games import Opening

LOOKS: dict[str, dict[str, Any]] = {
    "safe": {"facecolor": "#0072B2"},
    "contested": {"facecolor": "#F0C27B", "hatch": "//"},
    "dominated": {"facecolor": "#D55E00", "hatch": "xx"},
    "": {"facecolor": "#BBBBBB"},
}
"""How the bar of a declaration is filled, by its mark; Okabe and Ito's colours, told apart in grey
by their hatches."""
WIDTH, BAR, FRAME = 8.2, 0.3, 1.0
"""Inches of the bars' panel, of a bar, and of the frame round some."""


def game_picture(found: Plan, lang: str = "en") -> Figure:
    """The line of play on the map, and beside it the worth of each declaration of both sides.

    Parameters
    ----------
    found
        The plan.
    lang
        ``"en"`` or ``"es"``.
    """
    ruleset = found.scenario.ruleset
    sides = {side: [one for one in found.game.openings if one.step.side == side] for side in SIDES}
    sides = {side: ones for side, ones in sides.items() if ones}
    heights = [BAR * len(ones) + FRAME for ones in sides.values()]
    height = max(sum(heights) + 1.2, LEAST_MAP)
    right: Figure | SubFigure
    if ruleset.draw is None:
        figure = right = Figure(figsize=(WIDTH, height), layout="constrained")
    else:
        drawing = ruleset.draw(found.scenario.model, lang, found.line)
        figure, right = beside_map(drawing, WIDTH, height)
    axes: Any = right.subplots(len(sides), 1, height_ratios=heights, squeeze=False)
    for ax, (side, ones) in zip(axes[:, 0], sides.items(), strict=True):
        _bars(ax, side, ones, lang)
    shown = [mark for mark in MARKS if any(one.mark == mark for one in found.game.openings)]
    if shown:
        keys = [
            Patch(**LOOKS[mark], edgecolor="#555555", label=label(mark, lang)) for mark in shown
        ]
        below = (0.4, -0.2 / heights[-1] - 0.12)
        axes[-1, 0].legend(
            handles=keys, fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=below,
            frameon=False,
        )  # fmt: skip
    title = fill(found.scenario.title.removesuffix("."), 110)
    figure.suptitle(f"{title}\n{fill(value_sentence(found, lang), 130)}", fontsize=10)
    foot = [
        *([caveat] if (caveat := found.scenario.caveat(lang)) else []),
        made_line(found, lang),
        provenance(found.scenario, lang)[0],
    ]
    figure.supxlabel("\n".join(foot), fontsize=7, color="#555555")
    return figure


def _bars(ax: Axes, side: str, openings: list[Opening], lang: str) -> None:
    """Worth of each declaration of a side, the best first."""
    say = translation("chargesim", lang).gettext
    span = max(max(abs(one.value.high), abs(one.value.low)) for one in openings) or 1.0
    for row, one in enumerate(openings):
        value = one.value
        ax.barh(row, value.mean, edgecolor="#555555", linewidth=0.6, **LOOKS[one.mark])
        if value.low < value.high:
            ends = [[value.mean - value.low], [value.high - value.mean]]
            ax.errorbar(value.mean, row, xerr=ends, color="black", capsize=2, linewidth=0.8)
        ax.text(
            max(value.high, 0) + 0.02 * span, row, worth_text(value, lang), va="center", fontsize=8
        )
    ax.set_yticks(range(len(openings)), [step_text(one.step, lang) for one in openings])
    ax.tick_params(axis="y", labelsize=8)
    ax.set_ylim(len(openings) - 0.4, -0.6)
    least = min(min(one.value.low for one in openings), 0.0)
    ax.set_xlim(1.1 * least, max(max(one.value.high for one in openings), 0.0) + 0.55 * span)
    ax.axvline(0, color="black", linewidth=0.8)
    title = say("What the {side} could declare first, and what that is worth to it")
    ax.set_title(title.format(side=side_text(side, lang)), fontsize=9)
    for edge in ("top", "right"):
        ax.spines[edge].set_visible(False)
