"""Figures of results: one function a kind, matplotlib, legible in print and to the colour-blind."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from chargesim.engine.outcomes import quantity
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.report.charges import (
    answer,
    charge_sentence,
    combat_sentence,
    combat_words,
    is_fought,
)
from chargesim.report.charges import waterfall as falls
from chargesim.report.figures_maps import LEAST_MAP, beside_map
from chargesim.report.labels import label
from chargesim.report.provenance import foot_lines
from chargesim.report.render import number, percent
from chargesim.words import translation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from chargesim.report.result import Result
    from chargesim.rulesets import Ruleset

# Okabe and Ito's colours, told apart by the colour-blind and in grey
LOST, LEFT, GOAL, ELSEWHERE = "#D55E00", "#BBBBBB", "#0072B2", "#56B4E9"
SHADES = (
    *("#08306B", "#0072B2", "#56A5D8", "#B5D7EE"),
    "#DDDDDD",
    *("#FBD3A5", "#F09A4B", "#D55E00", "#7A2E00"),
    "#FFFFFF",
)
"""Of the words of a combat, best first: blue is good for the charger, and better when darker."""
FORMATS = (".svg", ".png")
SIDE_BY_SIDE = 3
"""So many charges and combats stand beside each other in one picture; more are drawn smaller."""
Filled = tuple[float, float, Callable[["Figure | SubFigure"], None]]
"""Width and height of panels in inches, and what fills them in."""
SPOKEN = 26
"""Letters of a line that is written on a map."""
MOST_LETTERS = 36
"""Letters of a line beside a bar."""
BAR, FRAME = 0.34, 1.05
"""Inches of a bar, and of the title and axis around a panel."""


def new_axes(width: float, height: float) -> Axes:
    """Axes of a new figure, so many inches wide and high.

    Where somebody will show it, in a notebook or after importing pyplot, the figure is one of
    pyplot's, so that it is shown like any other; else nobody but its user knows of it.
    """
    if _in_notebook() or "matplotlib.pyplot" in sys.modules:
        from matplotlib import pyplot

        return pyplot.figure(figsize=(width, height), layout="constrained").subplots()
    return new_figure(width, height).subplots()


def new_figure(width: float, height: float) -> Figure:
    """A figure that its user alone knows of; a notebook shows it where it is the last value."""
    if _in_notebook():
        from matplotlib import pyplot

        # the first figure of pyplot tells the notebook how figures are shown
        pyplot.close(pyplot.figure())
    return Figure(figsize=(width, height), layout="constrained")


def _in_notebook() -> bool:
    return "ipykernel.zmqshell" in sys.modules


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    return new_axes(width, height) if ax is None else ax


def _title(result: Result, ax: Axes, text: str, own: bool) -> None:
    """Write the title over the whole of a figure of our own, over the axes of another's."""
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        figure.suptitle(f"{_wrapped(result.scenario.title, 90)}\n{text}".rstrip(), fontsize=10)
    else:
        ax.set_title(text, fontsize=9)


def _wrapped(text: str, width: int = 62) -> str:
    """A title in lines of so many letters, without a full stop."""
    return fill(text.removesuffix("."), width)


LETTERS_AN_INCH = 17
"""Letters of the foot's size that surely fit."""


def _foot(ax: Axes, result: Result, lang: str) -> None:
    """Write under the axes how the numbers were made."""
    figure = ax.get_figure(root=True)
    if figure is not None:
        foot(figure, foot_lines(result, lang))


def foot(figure: Figure, lines: Iterable[str]) -> None:
    """Write lines under a figure, no wider than it is."""
    width = int(LETTERS_AN_INCH * figure.get_figwidth())
    text = "\n".join(fill(line, width) for line in lines)
    figure.supxlabel(text, fontsize=7, color="#555555")


def _whisker(ax: Axes, start: float, row: int, estimate: tuple[float, float, float]) -> None:
    """Draw the interval of an estimate at the end of its bar."""
    p, low, high = estimate
    ax.errorbar(
        100 * (start + p),
        row,
        xerr=[[max(100 * (p - low), 0)], [max(100 * (high - p), 0)]],
        color="black",
        capsize=2,
        linewidth=0.8,
    )


def _per_cent(ax: Axes, names: list[str], lang: str) -> None:
    """Dress axes whose bars are per cent, one a name, from the top down; long ones in lines."""
    ax.set_yticks(range(len(names)), [fill(name, MOST_LETTERS) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.6)
    ax.set_xlim(0, 118)
    ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel(translation("chargesim", lang).gettext("probability, %"))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


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

    Raises
    ------
    InputError
        When there is no such charge.
    """
    if not 0 <= charge < len(result.charges):
        raise InputError(f"charge: there is none {charge}: from 0 to {len(result.charges) - 1}")
    say = translation("chargesim", lang).gettext
    own = ax is None
    steps = falls(result, charge)
    ax = _axes(ax, 8.0, 1.8 + 0.42 * (len(steps) + 1))
    ax.barh(0, 100, color=LEFT)
    ax.text(100, 0, " 100 %", va="center", fontsize=9)
    before = 1.0
    for row, step in enumerate(steps, start=1):
        goal = step is steps[-1]
        start = 0.0 if goal else step.left
        colour = GOAL if goal else _colour(result.scenario.ruleset, step.word)
        ax.barh(row, 100 * step.p, left=100 * start, color=colour, zorder=2)
        if not goal:
            ax.barh(row, 100 * step.left, color=LEFT, alpha=0.35)
            ax.plot([100 * before] * 2, [row - 0.6, row - 0.4], color="#777777", linewidth=0.8)
        past = start + step.p
        if not result.is_exact:
            _whisker(ax, start, row, (step.p, step.low, step.high))
            past = start + max(step.high, step.p)
        shown = percent(step.p, step.low, step.high, lang, exact=result.is_exact)
        ax.text(100 * past, row, f"  {shown}", va="center", fontsize=9)
        before = step.left
    _per_cent(ax, [say("declared"), *(label(step.word, lang) for step in steps)], lang)
    _title(result, ax, _wrapped(charge_sentence(result.charges[charge][1], lang)), own)
    if own:
        _foot(ax, result, lang)
    return ax


def _colour(ruleset: Ruleset, word: str) -> str:
    """Of a step before the last: lost, unless it brings a fight, or somebody else, or a victory."""
    if word in ruleset.arrivals:
        return GOAL
    return LOST if word in ruleset.fall and word not in ruleset.gains else ELSEWHERE


def combat(
    result: Result, ax: Axes | None = None, lang: str = "en", target: str | None = None
) -> Axes:
    """Bars of how a combat ends, the best for the charger first.

    Parameters
    ----------
    result
        A solved scenario.
    ax, lang
        As for :func:`waterfall`.
    target
        Name of the unit that was charged; the first combat if ``None``.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        When nobody charges such a unit.
    """
    targets = [str(view.labels["target"]) for _, view in result.combats]
    target = targets[0] if target is None else target
    if target not in targets:
        raise InputError(f"target: nobody charges {target!r}" + nearest(target, targets))
    own, place = ax is None, targets.index(target)
    words = combat_words(result, place)
    ax = _axes(ax, 8.0, 1.8 + 0.42 * len(words))
    for row, (word, (p, low, high)) in enumerate(words.items()):
        ax.barh(row, 100 * p, **_shade(result.scenario.ruleset.fates[word]))
        past = p
        if not result.is_exact:
            _whisker(ax, 0.0, row, (p, low, high))
            past = max(p, high)
        shown = percent(p, low, high, lang, exact=result.is_exact)
        ax.text(100 * past, row, f"  {shown}", va="center", fontsize=9)
    _per_cent(ax, [label(word, lang) for word in words], lang)
    _title(result, ax, _wrapped(combat_sentence(result, place, lang)), own)
    if own:
        _foot(ax, result, lang)
    return ax


def _shade(good: int | None) -> dict[str, Any]:
    """How a word of a combat is filled, by how good it is; that there was none is hatched."""
    return {
        "facecolor": SHADES[-1] if good is None else SHADES[4 - good],
        "edgecolor": "#555555",
        "linewidth": 0.6,
        "hatch": "////" if good is None else None,
    }


def combats(result: Result, ax: Axes | None = None, lang: str = "en") -> Axes:
    """One stacked bar for each combat that may come about, the best for the charger first.

    Parameters and what is returned as for :func:`waterfall`.
    """
    own, fates = ax is None, result.scenario.ruleset.fates
    places = [i for i in range(len(result.combats)) if is_fought(result, i)]
    ax = _axes(ax, 8.0, 2.4 + 0.5 * len(places))
    met: set[str] = set()
    for row, place in enumerate(places):
        start = 0.0
        for word, (p, _, _) in combat_words(result, place).items():
            met.add(word)
            ax.barh(row, 100 * p, left=100 * start, **_shade(fates[word]))
            if p >= 0.07:
                dark = abs(fates[word] or 0) >= 3
                ax.text(
                    100 * (start + p / 2), row, number(100 * p, 0, lang), ha="center",
                    va="center", fontsize=8, color="white" if dark else "black",
                    bbox={"color": "white", "pad": 0.8} if fates[word] is None else None,
                )  # fmt: skip
            start += p
    names = [_wrapped(combat_sentence(result, place, lang), 34) for place in places]
    _per_cent(ax, names, lang)
    ax.set_xlim(0, 100)
    keys = [
        Patch(**_shade(good), label=label(word, lang))
        for word, good in fates.items()
        if word in met
    ]
    ax.legend(handles=keys, ncols=3, fontsize=8, loc="lower center", bbox_to_anchor=(0.3, 1.0))
    if own:
        _title(result, ax, "", own)
        _foot(ax, result, lang)
    return ax


def picture(result: Result, lang: str = "en") -> Figure:
    """The whole result in one figure: a waterfall a charge, and how the combats end.

    Parameters
    ----------
    result
        A solved scenario.
    lang
        ``"en"`` or ``"es"``.
    """
    charges = [len(falls(result, i)) + 1 for i in range(len(result.charges))]
    fought = [i for i in range(len(result.combats)) if is_fought(result, i)]
    few = max(len(charges), len(fought)) <= SIDE_BY_SIDE
    width, height, fill_in = (_beside if few else _below)(result, charges, fought, lang)
    ruleset, model = result.scenario.ruleset, result.played.model
    if ruleset.draw is None:
        figure = new_figure(width, height)
        fill_in(figure)
    else:
        drawing = ruleset.draw(model, lang)
        height = max(height, LEAST_MAP)
        figure, right = beside_map(drawing, width, height, _spoken(result, lang))
        fill_in(right)
    figure.suptitle(_wrapped(result.scenario.title, 110), fontsize=11)
    foot(figure, foot_lines(result, lang))
    return figure


def _spoken(result: Result, lang: str) -> dict[int, str]:
    """What is written on a map of each charge: its number, where it ends, and whom it breaks."""
    say = translation("chargesim", lang).gettext
    fights = {str(view.labels["target"]): i for i, (_, view) in enumerate(result.combats)}
    spoken = {}
    for place, (part, view) in enumerate(result.charges):
        ends = sorted(result.words(part, view).items(), key=lambda one: -one[1][0])
        lines = [
            fill(f"{label(word, lang)} {percent(*p, lang, exact=result.is_exact)}", SPOKEN)
            for word, p in ends[:2]
        ]
        fight = fights.get(str(view.labels["target"]))
        if fight is not None and is_fought(result, fight):
            broken = percent(*answer(result, fight).breaks, lang, exact=result.is_exact)
            lines.append(say("breaks it {chance}").format(chance=broken))
        spoken[place] = f"{place}: " + "\n".join(lines)
    return spoken


def _beside(result: Result, charges: list[int], fought: list[int], lang: str) -> Filled:
    """Few charges: each combat beside them, its bars in words."""
    fights = [len(combat_words(result, place)) for place in fought]
    columns = [[BAR * bars + FRAME for bars in panels] for panels in (charges, fights) if panels]
    if len(fought) == len(charges):
        # a combat stands beside its charge
        columns = [[max(pair) for pair in zip(*columns, strict=True)]] * 2
    height = max(sum(column) for column in columns) + 0.9

    def fill_in(figure: Figure | SubFigure) -> None:
        halves: Any = figure.subfigures(1, len(columns), squeeze=False)[0]
        for place, ax in enumerate(_panels(halves[0], columns[0])):
            waterfall(result, ax, lang, place)
        panels = _panels(halves[-1], columns[-1]) if fought else []
        for place, ax in zip(fought, panels, strict=True):
            combat(result, ax, lang, str(result.combats[place][1].labels["target"]))

    return 6.6 * len(columns) + 0.4, height, fill_in


def _below(result: Result, charges: list[int], fought: list[int], lang: str) -> Filled:
    """Many charges: in two columns, and below them one stacked bar a combat."""
    pairs = [charges[i : i + 2] for i in range(0, len(charges), 2)]
    rows = [BAR * max(pair) + FRAME for pair in pairs]
    bottom = 0.55 * len(fought) + 1.9 if fought else 0.0
    heights = [sum(rows), bottom] if fought else [sum(rows)]

    def fill_in(figure: Figure | SubFigure) -> None:
        bands: Any = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        grid: Any = bands[0].subplots(len(rows), 2, height_ratios=rows, squeeze=False)
        for place, ax in enumerate(grid.flat):
            if place < len(charges):
                waterfall(result, ax, lang, place)
            else:
                ax.set_axis_off()
        if fought:
            combats(result, bands[1].subplots(), lang)

    return 13.6, sum(rows) + bottom + 0.9, fill_in


def _panels(figure: SubFigure, heights: list[float]) -> list[Axes]:
    axes: Any = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)
    return list(axes[:, 0])


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
    spread = result.spread(*quantity(result.views, name))
    own = ax is None
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
    ax.set_xlabel(with_unit(result, name, lang))
    ax.set_ylabel(say("probability, %"))
    ax.set_title(result.scenario.title, fontsize=10)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    if own:
        _foot(ax, result, lang)
    return ax


def with_unit(result: Result, name: str, lang: str) -> str:
    """A quantity for people, with its unit of length."""
    prefix, colon, word = name.rpartition(":")
    text = label(word, lang)
    if word == "flee_distance":
        unit = str(result.scenario.switches.get("units", ""))
        text = f"{text}, {unit}"
    return f"{prefix}: {text}" if colon else text


def save(drawn: Axes | Figure, file: str | Path) -> None:
    """Write a figure, or that of some axes, as SVG (the same bytes every time) or PNG.

    Raises
    ------
    InputError
        For another kind of file, or one that cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: a figure is written as {' or '.join(FORMATS)}")
    figure: Any = drawn.get_figure(root=True)
    for artist in figure.findobj():
        # nothing reaches beyond its axes, and an SVG names a clipped area after its size to the
        # last digit, which the layout does not find alike every time
        artist.set_clip_on(False)
    layout = figure.get_layout_engine()
    if layout is not None:
        _lay_out(figure)
    options: dict[str, Any] = (
        {"metadata": {"Date": None}} if path.suffix.lower() == ".svg" else {"dpi": 150}
    )
    try:
        with mpl.rc_context({"svg.hashsalt": "chargesim", "svg.fonttype": "path"}):
            figure.savefig(path, **options)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        figure.set_layout_engine(layout)


def _lay_out(figure: Any) -> None:
    """Let the layout find the places of all axes, and round them.

    It adds up in the order in which its variables lie in memory, so the last digits differ.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(side, 6) for side in axes.get_position(original=True).bounds])
