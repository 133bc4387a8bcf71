"""Figures of articles: narrow enough for a telephone, told apart without colour, told in words."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from chargesim.report import figures as whole
from chargesim.report.article.numbers import plain, written
from chargesim.report.article.quantity import Quantity
from chargesim.report.article.svg import INK_ON_COLOUR, PAPER_ON_COLOUR
from chargesim.report.figures_maps import plan
from chargesim.report.figures_tables import tornado
from chargesim.words import translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chargesim.report.result import Result
    from chargesim.report.why import Why
    from chargesim.rulesets import Drawing

WIDTH = 4.8
"""Inches of every figure: its letters can still be read at the width of a telephone."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
HATCHES = ("", "///", "\\\\\\", "xx", "--", "++")
MARKERS, DASHES = "osD^vP", ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
MADE_WITH = f"matplotlib {mpl.__version__}"
RULE, MUTED = "#DDDDDD", "#555555"
SETTINGS: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.labelsize": 9.5,
    "legend.fontsize": 9,
    "svg.hashsalt": "chargesim",
    "svg.fonttype": "path",
}


@dataclass(frozen=True)
class Curve:
    """A quantity over an axis.

    Parameters
    ----------
    label
        What it is called.
    x
        Numbers of the axis, or words.
    y
        One value each.
    above
        Of a distribution: the chance of at least each.
    """

    label: str
    x: tuple[Any, ...]
    y: Quantity
    above: Quantity | None = None

    @property
    def is_numeric(self) -> bool:
        """True when the axis can be drawn to scale."""
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.x)


def written_svg(draw: Callable[[], Figure]) -> str:
    """A figure as SVG, the same text every time.

    Parameters
    ----------
    draw
        Makes the figure.
    """
    stream = io.StringIO()
    with mpl.rc_context(SETTINGS):
        figure = draw()
        for artist in figure.findobj():
            # an SVG names a clipped area after its size to the last digit, which is not found
            # alike every time
            artist.set_clip_on(False)
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


def _scale(y: Quantity) -> float:
    return 1.0 if y.kind == "number" else 100.0


def _bare(ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)


def _axis_text(kind: str, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    texts = {"chance": say("probability, %"), "points": say("difference, points")}
    return texts.get(kind, say("mean"))


def lines(
    curves: Sequence[Curve], lang: str, *, x: str = "", y: str = "", mark: float | None = None
) -> Figure:
    """Curves over an axis of numbers, with bands where they are estimates.

    Parameters
    ----------
    curves
        At least one.
    lang
        ``"en"`` or ``"es"``.
    x, y
        What the axes show.
    mark
        A value at which a line is drawn across, such as 0.5.
    """
    figure = Figure(figsize=(WIDTH, 3.7), layout="constrained")
    ax = figure.subplots()
    kind = curves[0].y.kind
    for place, curve in enumerate(curves):
        scale = _scale(curve.y)
        colour, at = COLOURS[place % len(COLOURS)], np.array(curve.x, float)
        dash: Any = DASHES[place % len(DASHES)]
        ax.plot(
            at, scale * curve.y.value, color=colour, label=fill(curve.label, 34), linestyle=dash,
            marker=MARKERS[place % len(MARKERS)], markersize=3.5 if len(at) < 40 else 0, zorder=3,
        )  # fmt: skip
        if not curve.y.is_exact:
            low, high = scale * curve.y.low, scale * curve.y.high
            ax.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)
    if mark is not None:
        ax.axhline(_scale(curves[0].y) * mark, color=MUTED, linewidth=1, linestyle="--", zorder=2)
    if kind == "chance":
        ax.set_ylim(0, max(5.0, 1.06 * max(100 * float(np.nanmax(c.y.high)) for c in curves)))
        ax.set_ylim(top=min(ax.get_ylim()[1], 104))
    ax.grid(color=RULE, linewidth=0.6)
    ax.set_xlabel(x)
    ax.set_ylabel(y or _axis_text(kind, lang))
    _localise(ax, lang, curves)
    _bare(ax)
    if len(curves) > 1:
        _legend(figure, len(curves))
    return figure


def _legend(figure: Figure, many: int) -> None:
    figure.legend(loc="outside upper left", ncols=2 if many < 7 else 3, frameon=False)


def _localise(ax: Axes, lang: str, curves: Sequence[Curve]) -> None:
    """Write the numbers at the axes as the language does; no halves between whole levels."""
    if all(float(v).is_integer() for curve in curves for v in curve.x):
        ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))

    def text(value: float, _: Any = None) -> str:
        return plain(round(value, 6), lang, 3, at_most=True)

    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(text)


def bars(
    labels: Sequence[str], groups: Sequence[tuple[str, Quantity]], lang: str, *, x: str = ""
) -> Figure:
    """Bars lying on their side: for each label one of each group.

    Parameters
    ----------
    labels
        What stands at the bars.
    groups
        Name of each group and one value a label.
    lang, x
        As for :func:`lines`.
    """
    many = len(groups)
    height = 0.30 if many > 1 else 0.62
    figure = Figure(
        figsize=(WIDTH, 0.75 + len(labels) * (0.42 + 0.2 * (many - 1)) + 0.25 * (many > 1)),
        layout="constrained",
    )
    ax = figure.subplots()
    height = 0.8 / many
    reach = 0.0
    kind = groups[0][1].kind
    for place, (name, values) in enumerate(groups):
        scale = _scale(values)
        at = np.arange(len(labels)) + (place - (many - 1) / 2) * height
        middle, low, high = (
            np.nan_to_num(scale * v) for v in (values.value, values.low, values.high)
        )
        ax.barh(
            at, middle, height=0.92 * height, color=COLOURS[place % len(COLOURS)], label=name,
            hatch=HATCHES[place % len(HATCHES)], edgecolor="#FFFFFF", linewidth=0,
        )  # fmt: skip
        if not values.is_exact:
            ends = np.array([middle - low, high - middle]).clip(min=0)
            ax.errorbar(
                middle, at, xerr=ends, fmt="none", ecolor="#000000", capsize=2, linewidth=0.8
            )
        for row, top in enumerate(np.maximum(high, 0)):
            ax.annotate(
                written(values.at(row), lang), (top, at[row]), (4, 0),
                textcoords="offset points", va="center", fontsize=8.5,
            )  # fmt: skip
        reach = max(reach, float(high.max()))
    ax.set_yticks(range(len(labels)), [fill(label, 24) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.margins(x=0.2)
    if min(float(np.nanmin(values.value)) for _, values in groups) >= 0:
        ax.set_xlim(0, 1.2 * reach if reach > 0 else 1)
        if kind == "chance":
            ax.set_xticks([t for t in ax.get_xticks() if t <= 100 and t <= 1.1 * reach])
    else:
        ax.axvline(0, color="#000000", linewidth=0.8)
    ax.set_xlabel(x or _axis_text(kind, lang))
    ax.xaxis.set_major_formatter(lambda value, _: plain(round(value, 6), lang, 3, at_most=True))
    _bare(ax)
    if many > 1:
        _legend(figure, many)
    return figure


def outcomes(
    labels: Sequence[str],
    words: Sequence[str],
    shares: np.ndarray[Any, Any],
    styles: Sequence[tuple[str, str, bool]],
    lang: str,
) -> Figure:
    """One stacked bar a label, cut by exclusive outcomes.

    Parameters
    ----------
    labels, words
        What stands at the bars, and what the pieces are.
    shares
        Probabilities, shape (labels, words).
    styles
        Of each word: colour, hatch, and whether letters upon it are white.
    lang
        ``"en"`` or ``"es"``.
    """
    styles = [(_fixed(colour), hatch, dark) for colour, hatch, dark in styles]
    figure = Figure(
        figsize=(WIDTH, 1.0 + 0.5 * len(labels) + 0.2 * len(words)), layout="constrained"
    )
    ax = figure.subplots()
    for row in range(len(labels)):
        start = 0.0
        for p, (colour, hatch, dark) in zip(shares[row], styles, strict=True):
            ax.barh(
                row, 100 * p, left=100 * start, height=0.72, facecolor=colour, hatch=hatch,
                edgecolor="#777777", linewidth=0.5,
            )  # fmt: skip
            if p >= 0.075:
                ax.text(
                    100 * (start + p / 2), row, plain(100 * p, lang), ha="center", va="center",
                    fontsize=8.5, color=PAPER_ON_COLOUR if dark else INK_ON_COLOUR,
                    bbox={"color": "#FEFEFE", "pad": 0.8} if hatch else None,
                )  # fmt: skip
            start += p
    ax.set_yticks(range(len(labels)), [fill(label, 24) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.set_xlabel(_axis_text("chance", lang))
    _bare(ax)
    keys = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="#777777", label=word)
        for word, (colour, hatch, _) in zip(words, styles, strict=True)
    ]
    many = 2 if max(map(len, words)) <= 27 else 1
    figure.legend(
        handles=keys, loc="outside upper left", ncols=many, frameon=False, fontsize=8.5,
        handlelength=1.4, columnspacing=1.0,
    )  # fmt: skip
    return figure


def _fixed(colour: str) -> str:
    """A colour next to the given one, which does not follow light and dark: texts stand on it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue - 1 if blue else 1:02x}"


def spread(
    curves: Sequence[Curve], lang: str, *, x: str = "", y: str = "", at_least: bool = False
) -> Figure:
    """Distributions, as steps whose area is 1, or as the chance of at least so much.

    Parameters
    ----------
    curves
        Values, rising, and their chances.
    lang, x, y
        As for :func:`lines`.
    at_least
        True for the chance of at least so much.
    """
    if at_least:
        summed = [Curve(curve.label, curve.x, curve.above or curve.y) for curve in curves]
        return lines(summed, lang, x=x, y=y)
    say = translation("chargesim", lang).gettext
    figure = Figure(figsize=(WIDTH, 3.5), layout="constrained")
    ax = figure.subplots()
    steps = [_step(curve) for curve in curves]
    for place, (curve, step) in enumerate(zip(curves, steps, strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        edges = np.array([*(v - step / 2 for v in curve.x), curve.x[-1] + step / 2], float)
        heights = 100 * curve.y.value / step
        ax.stairs(
            heights, edges, color=colour, linewidth=1.8, label=curve.label, baseline=None,
            linestyle=DASHES[place % len(DASHES)], zorder=3,
        )  # fmt: skip
        ax.stairs(heights, edges, fill=True, color=colour, alpha=0.18, linewidth=0)
    alike = all(step == 1.0 for step in steps)
    ax.set_ylim(bottom=0)
    ax.grid(axis="y", color=RULE, linewidth=0.6)
    ax.set_xlabel(x)
    ax.set_ylabel(y or (say("probability, %") if alike else say("probability, % per unit")))
    _localise(ax, lang, curves)
    _bare(ax)
    if len(curves) > 1:
        _legend(figure, len(curves))
    return figure


def _step(curve: Curve) -> float:
    """How far apart the values of a distribution are."""
    return float(min(np.diff(np.array(curve.x, float)), default=1.0))


def heat_map(
    values: Quantity, rows: Sequence[str], cols: Sequence[str], lang: str, *, x: str, y: str
) -> Figure:
    """Values over two axes as colours, written into the cells where there is room.

    Parameters
    ----------
    values
        Shape (rows, columns).
    rows, cols
        Texts of the levels.
    lang, x, y
        As for :func:`lines`.
    """
    scale = _scale(values)
    shown = scale * values.value
    many_rows, many_cols = shown.shape
    figure = Figure(
        figsize=(WIDTH, min(max(1.7 + 0.24 * many_rows, 2.6), 6.5)), layout="constrained"
    )
    ax = figure.subplots()
    least, most = (0.0, 100.0) if values.kind == "chance" else _ends(shown)
    colours = colormaps["cividis"]
    mesh = ax.pcolormesh(
        shown, cmap=colours, vmin=least, vmax=most, edgecolors="#777777", linewidth=0.2
    )
    if many_cols <= 11 and many_rows <= 22:
        for row, col in np.ndindex(*shown.shape):
            value = float(shown[row, col])
            text = "–" if value != value else plain(value, lang, 0 if scale == 100 else 1)
            dark = (value - least) / ((most - least) or 1.0) < 0.55
            ax.text(
                col + 0.5, row + 0.5, text, ha="center", va="center", fontsize=8,
                color=PAPER_ON_COLOUR if dark else INK_ON_COLOUR,
            )  # fmt: skip
    for axis, texts in ((ax.xaxis, cols), (ax.yaxis, rows)):
        step = -(-len(texts) // 14)
        places = list(range(0, len(texts), step))
        axis.set_ticks([p + 0.5 for p in places], [texts[p] for p in places])
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    bar: Any = figure.colorbar(mesh, ax=ax, pad=0.02)
    bar.set_label(_axis_text(values.kind, lang))
    bar.outline.set_visible(False)
    bar.solids.set_edgecolor("face")
    return figure


def _ends(shown: np.ndarray[Any, Any]) -> tuple[float, float]:
    defined = shown[shown == shown]
    return (float(defined.min()), float(defined.max())) if defined.size else (0.0, 1.0)


def charge(result: Result, place: int, lang: str) -> Figure:
    """Where the probability of a charge goes, step by step."""
    figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
    ax = figure.subplots()
    whole.waterfall(result, ax, lang, place)
    bars_drawn = len(ax.get_yticks())
    figure.set_figheight(1.25 + 0.36 * bars_drawn)
    _narrow(ax)
    return figure


def combat(result: Result, target: str | None, lang: str) -> Figure:
    """How a combat ends, the best for the charger first."""
    figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
    ax = figure.subplots()
    whole.combat(result, ax, lang, target)
    figure.set_figheight(1.25 + 0.36 * len(ax.get_yticks()))
    _narrow(ax)
    return figure


def reasons(found: Why, lang: str) -> Figure:
    """What single changes do to a value."""
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    ax = figure.subplots()
    tornado(found, ax, lang)
    figure.set_figheight(1.4 + 0.44 * max(len(ax.get_yticks()), 1))
    left, right = ax.get_xlim()
    ax.set_xlim(left - 0.15 * (right - left), right + 0.15 * (right - left))
    _narrow(ax)
    return figure


def _narrow(ax: Axes) -> None:
    """Break long words at an axis, and leave the title to the caption."""
    ax.set_title("")
    ticks = ax.get_yticks()
    ax.set_yticks(ticks, [fill(text.get_text(), 22) for text in ax.get_yticklabels()])


def scene(drawing: Drawing) -> Figure:
    """A map of a scenario, true to scale, with its legend."""
    figure = Figure(figsize=(WIDTH, 6.4), layout="constrained")
    rows = (len(drawing.legend) + 1) // 2
    upper, lower = figure.subplots(2, 1, height_ratios=[6.0, 0.22 * rows + 0.2])
    plan(drawing, upper, lower)
    return figure
