"""Figures of results: one function a kind, matplotlib, legible in print and to the colour-blind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

from chargesim.errors import InputError
from chargesim.report.labels import label
from chargesim.report.outcomes import quantity
from chargesim.report.render import number, percent
from chargesim.report.tables import source_lines
from chargesim.report.tables import waterfall as falls
from chargesim.words import translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chargesim.report.result import Result

# Okabe and Ito's colours, told apart by the colour-blind and in grey
LOST, LEFT, GOAL = "#D55E00", "#BBBBBB", "#0072B2"
FORMATS = (".svg", ".png")


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    return Figure(figsize=(width, height), layout="constrained").subplots() if ax is None else ax


def _title(ax: Axes, text: str, own: bool) -> None:
    """Write the title over the whole of a figure of our own, over the axes of another's."""
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        figure.suptitle(text, fontsize=10)
    else:
        ax.set_title(text, fontsize=10)


def _foot(ax: Axes, result: Result, lang: str) -> None:
    """Write under the axes how the numbers were made."""
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.supxlabel("\n".join(source_lines(result, lang)[:2]), fontsize=7, color="#555555")


def waterfall(result: Result, ax: Axes | None = None, lang: str = "en", charge: int = 0) -> Axes:
    """Where the probability of a charge goes, from declared to contact.

    Parameters
    ----------
    result
        A solved scenario.
    ax
        Axes to draw on; new ones if ``None``.
    lang
        ``"en"`` or ``"es"``.
    charge
        Place of the charge.

    Returns
    -------
    matplotlib.axes.Axes
    """
    say = translation("chargesim", lang).gettext
    own = ax is None
    steps = falls(result, charge)
    ax = _axes(ax, 8.0, 1.8 + 0.42 * (len(steps) + 1))
    names = [say("declared"), *(label(step.word, lang) for step in steps)]
    ax.barh(0, 100, color=LEFT)
    ax.text(100, 0, " 100 %", va="center", fontsize=9)
    before = 1.0
    for row, step in enumerate(steps, start=1):
        goal = step is steps[-1]
        start = 0.0 if goal else step.left
        ax.barh(row, 100 * step.p, left=100 * start, color=GOAL if goal else LOST, zorder=2)
        if not goal:
            ax.barh(row, 100 * step.left, color=LEFT, alpha=0.35)
            ax.plot([100 * before] * 2, [row - 0.6, row - 0.4], color="#777777", linewidth=0.8)
        if not result.is_exact:
            middle = 100 * (start + step.p)
            ax.errorbar(
                middle,
                row,
                xerr=[[max(100 * (step.p - step.low), 0)], [max(100 * (step.high - step.p), 0)]],
                color="black",
                capsize=2,
                linewidth=0.8,
            )
        shown = percent(step.p, step.low, step.high, lang, exact=result.is_exact)
        past = 100 * (start + (step.p if result.is_exact else max(step.high, step.p)))
        ax.text(past, row, f"  {shown}", va="center", fontsize=9)
        before = step.left
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlim(0, 118)
    ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel(say("probability, %"))
    view = result.reading.charges[charge]
    _title(
        ax,
        f"{result.scenario.title}\n"
        + say("{charger} charge {target}; the target's reaction: {reaction}.").format(
            charger=view.labels["charger"],
            target=view.labels["target"],
            reaction=label(view.labels["reaction"], lang),
        ),
        own,
    )
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _foot(ax, result, lang)
    return ax


def distribution(result: Result, name: str, ax: Axes | None = None, lang: str = "en") -> Axes:
    """Bars of a quantity's distribution, with intervals where sampled.

    Parameters
    ----------
    result
        A solved scenario.
    name
        A quantity such as ``"shooting_casualties"`` or ``"boars:models_left"``.
    ax, lang
        As for :func:`waterfall`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        When there is no such quantity.
    """
    say = translation("chargesim", lang).gettext
    spread = result.spread(quantity(result.reading, name))
    ax = _axes(ax, 7.0, 4.2)
    values = list(spread)
    heights = [100 * p for p, _, _ in spread.values()]
    errors = None
    if not result.is_exact:
        errors = [
            [max(100 * (p - low), 0) for p, low, _ in spread.values()],
            [max(100 * (high - p), 0) for p, _, high in spread.values()],
        ]
    ax.bar(values, heights, color=GOAL, yerr=errors, capsize=2)
    if len(values) <= 12:
        ax.set_xticks(values)
        for value, height in zip(values, heights, strict=True):
            ax.annotate(
                number(height, 1, lang),
                (value, height),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=8,
            )
    ax.set_xlabel(_with_unit(result, name, lang))
    ax.set_ylabel(say("probability, %"))
    ax.set_title(result.scenario.title, fontsize=10)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _foot(ax, result, lang)
    return ax


def _with_unit(result: Result, name: str, lang: str) -> str:
    prefix, colon, word = name.rpartition(":")
    text = label(word, lang)
    if word == "flee_distance":
        unit = str(result.scenario.switches.get("units", ""))
        text = f"{text}, {unit}"
    return f"{prefix}: {text}" if colon else text


def save(ax: Axes, file: str | Path) -> None:
    """Write a figure as SVG (the same bytes every time) or PNG.

    Raises
    ------
    InputError
        For another kind of file, or one that cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: a figure is written as {' or '.join(FORMATS)}")
    figure: Any = ax.get_figure(root=True)
    options: dict[str, Any] = (
        {"metadata": {"Date": None}} if path.suffix.lower() == ".svg" else {"dpi": 150}
    )
    try:
        with mpl.rc_context({"svg.hashsalt": "chargesim", "svg.fonttype": "path"}):
            figure.savefig(path, **options)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
