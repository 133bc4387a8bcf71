"""Figures of tables: heat maps with contours, curves and bars over one axis."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator, ScalarFormatter

from chargesim.report.compare_tables import sources
from chargesim.report.figures import foot, new_axes
from chargesim.report.grid_tables import (
    axis_label,
    cell_text,
    grid_label,
    level,
    source,
    value_label,
)
from chargesim.report.levels_tables import reach_text
from chargesim.report.render import number
from chargesim.report.values import is_mean
from chargesim.report.why_tables import change_text
from chargesim.report.why_tables import source as why_source
from chargesim.words import translation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from chargesim.report.compare import Comparison
    from chargesim.report.grid import Grid
    from chargesim.report.levels import Levels
    from chargesim.report.why import Influence, Why
    from chargesim.study.axes import Axis

COLOUR, MARK = "#0072B2", "#D55E00"
CURVES = (
    ("#0072B2", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"),
    ("#CC79A7", ":", "D"), ("#000000", "-", "x"), ("#56B4E9", "--", "v"),
)  # fmt: skip
"""Colour, line and mark of each of a few curves, told apart in grey too."""
MAP = "cividis"
"""Even in lightness, so that it prints, and the same to the colour-blind."""
LEVELS = (0.25, 0.5, 0.75)
"""Chances at which contours are drawn."""
SMALL = 30.0
"""Per cent; where no chance is as large, the axis ends above the largest."""
MOST_BARS = 16
"""So many things a tornado shows."""
MOST_TEXTS, MOST_TICKS = 80, 16
"""So many cells are written into; so many values stand at an axis."""


def draw(
    grid: Grid, ax: Axes | None = None, lang: str = "en", levels: Sequence[float] | None = None
) -> Axes:
    """A heat map of two axes, a curve or bars of one; a few at-least distributions as curves.

    Parameters
    ----------
    grid
        A table of values.
    ax
        Axes to draw on; new ones if ``None``.
    lang
        ``"en"`` or ``"es"``.
    levels
        Values at which contours are drawn over a heat map; by default chances of 25, 50 and 75 %.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if grid.cols is None:
        return line(grid, ax, lang)
    if grid.value.endswith(">=") and len(grid.rows.values) <= len(CURVES):
        return curves(grid, ax, lang)
    return heat_map(grid, ax, lang, levels)


def curves(grid: Grid, ax: Axes | None = None, lang: str = "en") -> Axes:
    """The chance of at least each value of a quantity, a curve each row, with their intervals.

    Parameters and what is returned as for :func:`draw`.
    """
    own = ax is None
    ax = new_axes(7.8, 4.6) if ax is None else ax
    assert grid.cols is not None
    at = np.array(grid.cols.values, float)
    values, low, high = (100.0 * grid.array(what) for what in ("value", "low", "high"))
    for row, (name, (colour, style, mark)) in enumerate(
        zip(grid.rows.values, CURVES, strict=False)
    ):
        text = level(name, lang)
        ax.plot(at, values[row], style, color=colour, marker=mark, markersize=4, label=text)
        if not grid.is_exact:
            ax.fill_between(at, low[row], high[row], color=colour, alpha=0.2, linewidth=0)
    ax.set_ylim(0, 105)
    ax.set_yticks(range(0, 101, 20))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.set_xlabel(grid_label(grid, lang))
    ax.set_ylabel(_value_axis(grid, lang))
    title = fill(axis_label(grid.scenario, grid.rows.path, lang), 30)
    ax.legend(title=title, fontsize=8, title_fontsize=9, frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _dress(grid, ax, lang, own)
    return ax


def line(grid: Grid, ax: Axes | None = None, lang: str = "en") -> Axes:
    """A curve over an axis of numbers with the band of its interval, bars over one of words.

    Parameters and what is returned as for :func:`draw`.
    """
    own = ax is None
    ax = new_axes(7.2, 4.4) if ax is None else ax
    scale = 1.0 if grid.is_mean else 100.0
    values, low, high = (scale * grid.array(what)[:, 0] for what in ("value", "low", "high"))
    if grid.rows.is_numeric and len(values) > 1:
        at = np.array(grid.rows.values, float)
        many = len(values) > 40
        ax.plot(at, values, color=COLOUR, marker="" if many else "o", markersize=4, zorder=3)
        if not grid.is_exact:
            ax.fill_between(at, low, high, color=COLOUR, alpha=0.25, linewidth=0)
    else:
        at = np.arange(len(values), dtype=float)
        errors = None if grid.is_exact else [values - low, high - values]
        ax.bar(at, np.nan_to_num(values), color=COLOUR, width=0.7, yerr=errors, capsize=3)
        for x, top, row in zip(at, np.nan_to_num(high), grid.cells, strict=True):
            text = cell_text(row[0], lang, mean=grid.is_mean)
            ax.annotate(text, (x, top), (0, 3), textcoords="offset points", ha="center", fontsize=8)
        ax.set_xticks(at, [level(value, lang) for value in grid.rows.values])
    if not grid.is_mean:
        _chances(ax, float(np.nanmax(high, initial=0)))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.set_xlabel(axis_label(grid.scenario, grid.rows.path, lang))
    ax.set_ylabel(_value_axis(grid, lang))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _dress(grid, ax, lang, own)
    return ax


def _chances(ax: Axes, most: float) -> None:
    """Scale an axis of per cent: all of it, unless everything is small."""
    if most < SMALL:
        ax.set_ylim(0, 1.15 * (most or SMALL))
    else:
        ax.set_ylim(0, 105)
        ax.set_yticks(range(0, 101, 20))


def levels(found: Levels, ax: Axes | None = None, lang: str = "en") -> Axes:
    """A value over the levels of a path, what it is to reach, and where it does.

    Parameters
    ----------
    found
        The answer to an inverse question.
    ax, lang
        As for :func:`draw`.
    """
    ax = line(found.grid, ax, lang)
    height = found.reach * (1.0 if found.grid.is_mean else 100.0)
    if not found.grid.is_mean:
        _chances(ax, max(height, 100 * float(np.nanmax(found.grid.array("high"), initial=0))))
    ax.axhline(height, color=MARK, linewidth=1.2, linestyle="--", zorder=2)
    ends = [abs(v - found.reach) for v in np.nan_to_num(found.grid.array()[[0, -1], 0], nan=9.0)]
    right = ends[1] >= ends[0]  # where the curve is farther from it
    ax.annotate(
        reach_text(found, lang), (float(right), height), (-2 if right else 2, 2),
        xycoords=("axes fraction", "data"), textcoords="offset points",
        ha="right" if right else "left", va="bottom", color=MARK, fontsize=9,
    )  # fmt: skip
    numeric = found.grid.rows.is_numeric and len(found.values) > 1
    for change in found.crossings:
        places = [found.values.index(one) for one in (change.before, change.after)]
        ends = [float(found.values[i]) for i in places] if numeric else [float(i) for i in places]
        ax.axvline(sum(ends) / 2, color=MARK, linewidth=0.8, linestyle=":", zorder=2)
    return ax


def heat_map(
    grid: Grid, ax: Axes | None = None, lang: str = "en", levels: Sequence[float] | None = None
) -> Axes:
    """Values of two axes as colours, with contours where both axes are numbers.

    Parameters and what is returned as for :func:`draw`.
    """
    say = translation("chargesim", lang).gettext
    own = ax is None
    values = grid.array()
    rows, columns = values.shape
    if ax is None:
        width = min(max(3.6 + 0.62 * columns, 6.4), 12.0)
        height = min(max(2.4 + 0.26 * rows, 4.2), 11.0)
        ax = new_axes(width, height)
    scale = 1.0 if grid.is_mean else 100.0
    defined = scale * values[values == values]
    least, most = (float(defined.min()), float(defined.max())) if defined.size else (0.0, 1.0)
    if not grid.is_mean:
        least, most = 0.0, 100.0
    colours = colormaps[MAP].with_extremes(bad="white")
    ax.set_facecolor("white")
    image = ax.imshow(
        scale * values, cmap=colours, vmin=least, vmax=most, aspect="auto", origin="lower",
        interpolation="nearest",
    )  # fmt: skip
    _undefined(values, ax, say("undefined"))
    if levels is not None or rows * columns > MOST_TEXTS:
        _contours(grid, ax, scale * values, _levels(grid, levels, scale * values), lang)
    else:
        _write_cells(grid, ax, (scale * values - least) / ((most - least) or 1.0), lang)
    for axis, which in ((grid.cols, ax.xaxis), (grid.rows, ax.yaxis)):
        if axis is not None:
            places = _ticks(len(axis.values))
            which.set_ticks(places, [level(axis.values[i], lang) for i in places])
    if grid.cols is not None:
        ax.set_xlabel(axis_label(grid.scenario, grid.cols.path, lang))
    ax.set_ylabel(axis_label(grid.scenario, grid.rows.path, lang))
    figure: Any = ax.get_figure()
    bar = figure.colorbar(image, ax=ax, pad=0.02)
    bar.set_label(_value_axis(grid, lang))
    bar.outline.set_visible(False)
    _comma(bar.ax, lang)
    _dress(grid, ax, lang, own)
    return ax


def _has_contours(grid: Grid) -> bool:
    axes: list[Axis | None] = [grid.rows, grid.cols]
    return all(axis is not None and axis.is_numeric and len(axis.values) > 2 for axis in axes)


def _levels(grid: Grid, levels: Sequence[float] | None, values: Any) -> list[float]:
    """Levels asked for; else quarters of a chance, or round numbers where it reaches none."""
    if levels is not None:
        return sorted({one * (1.0 if grid.is_mean else 100.0) for one in levels})
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if grid.against is not None:
        return [0.0]  # where the two break even
    usual = [] if grid.is_mean else [100.0 * one for one in LEVELS if low < 100.0 * one < high]
    return usual or [float(one) for one in MaxNLocator(5).tick_values(low, high)]


def _contours(grid: Grid, ax: Axes, values: Any, levels: list[float], lang: str) -> None:
    """Lines of equal value between the cells, and what they are."""
    if not _has_contours(grid) or np.isnan(values).all():
        return
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    crossed = [one for one in levels if low < one < high]
    if not crossed:
        return
    for colour, width in (("black", 2.6), ("white", 1.3)):
        lines = ax.contour(values, levels=crossed, colors=colour, linewidths=width)
    unit = "" if grid.is_mean else " %"
    texts = {one: number(one, 0 if one == round(one) else 2, lang) + unit for one in crossed}
    for text in ax.clabel(lines, fmt=texts, fontsize=8, colors="white"):
        text.set_bbox({"facecolor": "black", "pad": 1, "edgecolor": "none", "alpha": 0.75})


def _undefined(values: Any, ax: Axes, text: str) -> None:
    """Hatch the cells that have no value, and say so."""
    empty = np.argwhere(values != values)
    if not len(empty):
        return
    style: dict[str, Any] = {"facecolor": "white", "edgecolor": "#999999", "hatch": "////"}
    for row, column in empty:
        ax.fill_between([column - 0.5, column + 0.5], row - 0.5, row + 0.5, linewidth=0, **style)
    ax.legend(handles=[Patch(label=text, **style)], fontsize=8, loc="upper right")


def _write_cells(grid: Grid, ax: Axes, shares: Any, lang: str) -> None:
    for row, cells in enumerate(grid.cells):
        for column, cell in enumerate(cells):
            if cell.value == cell.value:
                colour = "white" if shares[row, column] < 0.55 else "black"
                shown = cell_text(cell, lang, mean=grid.is_mean)
                ax.text(column, row, shown, ha="center", va="center", fontsize=7.5, color=colour)


def _ticks(count: int) -> list[int]:
    """Places of an axis that are written at it, evenly apart."""
    step = 1
    while count / step > MOST_TICKS:
        step += 1
    return list(range(0, count, step))


def _value_axis(grid: Grid, lang: str) -> str:
    say = translation("chargesim", lang).gettext
    if grid.against is not None:
        return say("difference") if is_mean(grid.value) else say("difference, points")
    return say("mean") if grid.is_mean else say("probability, %")


def _comma(ax: Axes, lang: str) -> None:
    """Write the numbers at the axes in the language's writing."""
    if lang != "es":
        return
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_formatter(), ScalarFormatter):
            text = FuncFormatter(lambda v, _: f"{v:g}".replace("-", "\u2212").replace(".", ","))
            axis.set_major_formatter(text)


def _dress(grid: Grid, ax: Axes, lang: str, own: bool) -> None:
    """Write the title, and under a figure of our own how the numbers were made."""
    _comma(ax, lang)
    name = grid_label(grid, lang)
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        title = "\n".join(fill(text, 64) for text in (grid.scenario.title, name))
        figure.suptitle(title, fontsize=10)
        lines = source(grid, lang)[:-1]
        foot(figure, lines)
    else:
        ax.set_title(fill(name, 64), fontsize=9)


def _foot(caveats: Sequence[str], lines: Sequence[str]) -> str:
    """What stands under a figure: what must be said of its numbers, and how they were made."""
    return "\n".join(fill(line, 130) for line in (*caveats, *lines) if line)


def ranking(found: Comparison, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Scenarios of a comparison with their intervals, the greatest value first.

    Parameters
    ----------
    found
        The comparison.
    ax, lang
        As for :func:`draw`.
    """
    say = translation("chargesim", lang).gettext
    own, many = ax is None, len(found.entries)
    ax = new_axes(8.0, 2.0 + 0.42 * many) if own else ax
    assert ax is not None
    scale = 1.0 if found.is_mean else 100.0
    for row, entry in enumerate(found.entries):
        cell = entry.estimate
        shown = cell_text(cell, lang, mean=found.is_mean)
        if cell.value == cell.value:
            errors = [[scale * (cell.value - cell.low)], [scale * (cell.high - cell.value)]]
            ax.barh(row, scale * cell.value, color=COLOUR, height=0.6)
            if not cell.is_exact:
                ax.errorbar(scale * cell.value, row, xerr=errors, color="black", capsize=2)
        end = 0.0 if cell.high != cell.high else scale * cell.high
        ax.annotate(shown, (end, row), (5, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_yticks(range(many), [entry.name for entry in found.entries])
    ax.set_ylim(many - 0.5, -0.5)
    if not found.is_mean:
        ax.set_xlim(0, 115)
        ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel(say("mean") if found.is_mean else say("probability, %"))
    _comma(ax, lang)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    name = value_label(found.value, lang)
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        figure.suptitle(fill(name, 64), fontsize=10)
        foot(figure, sources(found, lang))
    else:
        ax.set_title(fill(name, 64), fontsize=9)
    return ax


def tornado(found: Why, ax: Axes | None = None, lang: str = "en") -> Axes:
    """The value as it is, and where each change takes it, the greatest difference on top.

    Parameters
    ----------
    found
        What matters.
    ax, lang
        As for :func:`draw`.
    """
    say = translation("chargesim", lang).gettext
    groups, own = found.mattering[:MOST_BARS], ax is None
    height = 1.9 + 0.42 * max(len(groups), 1)
    ax = new_axes(8.6, height) if ax is None else ax
    scale = 1.0 if found.is_mean else 100.0
    base = scale * found.base.estimate.value
    for row, group in enumerate(groups):
        for one in group:
            if one.matters:
                _tornado_bar(ax, row, base, scale, one, lang)
    names = [axis_label(found.scenario, group[0].change.path, lang) for group in groups]
    ax.set_yticks(range(len(groups)), names)
    ax.set_ylim(max(len(groups), 1) - 0.4, -0.6)
    ax.axvline(base, color="black", linewidth=1)
    ax.margins(x=0.22)
    low, high = ax.get_xlim()
    if not found.is_mean:
        # room for the texts, but no ticks where there can be no chance
        ax.set_xticks(
            [tick for tick in ax.get_xticks() if low <= tick <= high and 0 <= tick <= 100]
        )
        ax.set_xlim(low, high)
    ax.set_xlabel(say("mean") if found.is_mean else say("probability, %"))
    _comma(ax, lang)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    name = value_label(found.value, lang)
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        shown = cell_text(found.base.estimate, lang, mean=found.is_mean)
        told = say("{value}: {amount} as it is.").format(value=name, amount=shown)
        title = "\n".join(fill(text, 72) for text in (found.scenario.title, told))
        figure.suptitle(title, fontsize=10)
        lines = why_source(found, lang)[:-1]
        foot(figure, lines)
    else:
        ax.set_title(fill(name, 64), fontsize=9)
    return ax


def _tornado_bar(ax: Axes, row: int, base: float, scale: float, one: Influence, lang: str) -> None:
    """Draw one change as a bar from the value as it is; blue up, orange and hatched down."""
    size = scale * one.difference.value
    up = size > 0
    ax.barh(
        row, size, left=base, height=0.62, color=COLOUR if up else MARK, edgecolor="white",
        hatch="" if up else "///", zorder=2,
    )  # fmt: skip
    if one.difference.how != "exact":
        error = (one.difference.high - one.difference.low) / 2 * scale
        ax.errorbar(base + size, row, xerr=error, color="black", capsize=2, linewidth=0.8)
    ax.annotate(
        change_text(one.change, lang), (base + size, row), (6 if up else -6, 0),
        textcoords="offset points", ha="left" if up else "right", va="center", fontsize=8,
    )  # fmt: skip
