"""Figures of match-ups: a heat map each direction, named on both sides."""

from __future__ import annotations

import io
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib import colormaps
from matplotlib.figure import Figure

from chargesim.report.figures import new_figure
from chargesim.report.figures_tables import MAP
from chargesim.report.matchup_tables import CAPTIONS, compact
from chargesim.report.provenance import made_by
from chargesim.report.render import Picture
from chargesim.report.roster_tables import unit_of_length
from chargesim.words import translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chargesim.report.matchup import MatchUp, MatchUps

MOST_LETTERS = 30
"""Longer names are cut, so that the map keeps its room."""
ABREAST = 2
"""So many heat maps stand side by side."""


def heat_maps(found: MatchUps, measure: str = "win", lang: str = "en") -> Figure:
    """Heat maps of one measure.

    Parameters
    ----------
    found
        The match-ups.
    measure
        One of :data:`chargesim.report.matchup.MEASURES`.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    columns = min(ABREAST, len(found))
    rows = -(-len(found) // columns)
    widest = max(len(one.targets) for one in found)
    tallest = max(len(one.chargers) for one in found)
    figure = new_figure(columns * (3.4 + 0.46 * widest), rows * (2.6 + 0.32 * tallest) + 0.7)
    axes: Any = figure.subplots(rows, columns, squeeze=False)
    image: Any = None
    for place, ax in enumerate(axes.flat):
        if place < len(found):
            image = _heat_map(found[place], measure, ax, lang)
        else:
            ax.set_axis_off()
    bar = figure.colorbar(image, ax=axes, pad=0.01, aspect=40)
    bar.set_label(say(CAPTIONS[measure]), fontsize=8)
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)
    sampled = [one for one in found if one.trials is not None]
    first = sampled[0] if sampled else found[0]
    distances = ", ".join(f"{value:g}" for value in found[0].distances)
    where = say("charges at {distance} {unit}").format(
        distance=distances, unit=unit_of_length(found[0].active.lengths, lang)
    )
    figure.supxlabel(
        f"{where}. {made_by(first.trials, first.seed, lang)}", fontsize=7, color="#555555"
    )
    for text in figure.findobj(mpl.text.Text):
        text.set_parse_math(False)  # a name may hold a dollar sign
    return figure


def _heat_map(one: MatchUp, measure: str, ax: Axes, lang: str) -> Any:
    say = translation("chargesim", lang).gettext
    values, exact = 100 * one.array(measure), one.engines == {"exact"}
    ax.set_facecolor("#DDDDDD")
    image = ax.imshow(values, cmap=colormaps[MAP], vmin=0, vmax=100, aspect="auto")
    small = max(values.shape) > 16
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            value = float(values[i, j])
            ax.text(
                j, i, compact(value / 100, lang, exact=exact), ha="center", va="center",
                fontsize=6 if small else 7.5, color="black" if value > 55 else "white",
            )  # fmt: skip
    ax.set_xticks(
        range(len(one.targets)), [_cut(one.reactive.names[n]) for n in one.targets],
        rotation=40, ha="right", rotation_mode="anchor", fontsize=7,
    )  # fmt: skip
    ax.set_yticks(
        range(len(one.chargers)), [_cut(one.active.names[n]) for n in one.chargers], fontsize=7
    )
    title = say("{active} charges {reactive}").format(
        active=_cut(one.active.title), reactive=_cut(one.reactive.title)
    )
    ax.set_title(title, fontsize=9)
    return image


def _cut(name: str) -> str:
    return shorten(name, MOST_LETTERS, placeholder=" …") or name[:MOST_LETTERS]


def svg(figure: Figure) -> str:
    """A figure as an SVG document, the same text every time."""
    for artist in figure.findobj():
        artist.set_clip_on(False)
    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "chargesim", "svg.fonttype": "path"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def picture_of(figure: Figure, measure: str, lang: str, file: str = "") -> Picture:
    """A figure for a document, with words for those who do not see it."""
    say = translation("chargesim", lang).gettext
    text = say("Heat map: {measure}").format(measure=say(CAPTIONS[measure]))
    return Picture(svg(figure), text, file)
