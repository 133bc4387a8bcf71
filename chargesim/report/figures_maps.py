"""Maps of scenarios, drawn from a ruleset's plain shapes, true to scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from chargesim.rulesets import Drawing

LEAST_MAP = 6.6
"""Inches of height of a picture with a map, at least."""
ROLES: dict[str, dict[str, Any]] = {
    "open": {"facecolor": "white", "edgecolor": "#C8C8C8", "linewidth": 0.6},
    **{
        f"ground {i}": {
            "facecolor": colour, "edgecolor": "#8A8A8A", "linewidth": 0.6, "hatch": hatch,
        }
        for i, (colour, hatch) in enumerate(
            [("#E6E6E6", "xx"), ("#EFEFEF", ".."), ("#DADADA", "///"),
             ("#F2F2F2", "--"), ("#D0D0D0", "++"), ("#E0E0E0", "oo")]
        )
    },
    "zone": {"facecolor": (0.34, 0.71, 0.91, 0.28), "edgecolor": "#56B4E9", "linewidth": 0.8},
    "end": {"facecolor": "none", "edgecolor": "#0072B2", "linewidth": 1.6, "linestyle": "--"},
    "active": {"facecolor": "#0072B2", "edgecolor": "black", "linewidth": 0.8},
    "reactive": {"facecolor": "#F0C27B", "edgecolor": "black", "linewidth": 0.8},
    "target": {"facecolor": "none", "edgecolor": "#B03A00", "linewidth": 2.4},
    "front": {"color": "black", "linewidth": 2.8, "solid_capstyle": "butt"},
    "facing": {"facecolor": "black", "edgecolor": "white", "linewidth": 0.5},
    "way": {"color": "black", "linewidth": 1.6, "linestyle": "-"},
    "flight": {"color": "#B03A00", "linewidth": 1.6, "linestyle": "--"},
    "pursuit": {"color": "#0072B2", "linewidth": 1.6, "linestyle": "--"},
    "failed": {"color": "#B03A00", "linewidth": 1.6, "linestyle": ":"},
    "never": {"color": "#777777", "linewidth": 1.2, "linestyle": (0, (1, 3))},
    "arc": {"color": "#777777", "linewidth": 0.8, "linestyle": "--"},
    "struck": {"color": "#B03A00", "linewidth": 4.0, "solid_capstyle": "butt"},
    "meeting": {"facecolor": "#F5D800", "edgecolor": "black", "linewidth": 0.8},
    "noise": {"facecolor": "none", "edgecolor": "black", "linewidth": 0.9, "linestyle": ":"},
    "table": {"color": "#555555", "linewidth": 1.0},
    "none": {"facecolor": "none", "edgecolor": "none"},
    "name": {
        "fontsize": 8,
        "bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
    },
    "outcome": {
        "fontsize": 6.5,
        "bbox": {
            "facecolor": "#FFFDE8", "edgecolor": "#555555", "linewidth": 0.5, "pad": 2.0,
            "alpha": 0.9,
        },
    },
    "ground name": {"fontsize": 7, "color": "#555555", "style": "italic"},
    "place": {"fontsize": 4.5, "color": "#777777"},
}  # fmt: skip
"""How what stands on a map is drawn: areas have a facecolor, the rest are lines or texts."""
ARROWS = ("way", "flight", "pursuit", "failed", "never")
"""Lines that lead somewhere."""


def beside_map(
    drawing: Drawing, width: float, height: float, spoken: dict[int, str] | None = None
) -> tuple[Figure, SubFigure]:
    """A figure with a map on its left.

    Parameters
    ----------
    drawing
        What a ruleset says is on it.
    width, height
        Inches of what stands beside it.
    spoken
        What is written of each charge.

    Returns
    -------
    tuple
        The figure, and the part of it beside the map.
    """
    beside = _map_width(drawing, height)
    figure = Figure(figsize=(beside + width, height), layout="constrained")
    halves: Any = figure.subfigures(1, 2, width_ratios=[beside, width])
    legend = _legend_height(drawing)
    axes: Any = halves[0].subplots(2, 1, height_ratios=[height - legend, legend])
    plan(drawing, axes[0], axes[1], spoken)
    return figure, halves[1]


def plan(drawing: Drawing, ax: Axes, below: Axes, spoken: dict[int, str] | None = None) -> Axes:
    """Draw a map, true to scale.

    Parameters
    ----------
    drawing
        What a ruleset says is on it.
    ax, below
        Axes to draw on, and those of its legend.
    spoken
        What is written of each charge; those that it lacks are not written of.
    """
    for order, shape in enumerate(drawing.shapes):
        style, x, y = ROLES[shape.role], *zip(*shape.points, strict=True)
        text = shape.text if shape.charge is None else (spoken or {}).get(shape.charge, "")
        if text:
            ax.text(x[0], y[0], text, ha=shape.side, va="center", zorder=order, **style)
        elif shape.role == "outcome":
            continue
        elif "facecolor" in style:
            ax.fill(x, y, zorder=order, **style)
        else:
            ax.plot(x, y, zorder=order, **style)
            if shape.role in ARROWS:
                ax.annotate(
                    "", (x[-1], y[-1]), (x[-2], y[-2]), zorder=order,
                    arrowprops={"arrowstyle": "-|>", "color": style["color"], "shrinkA": 0,
                                "shrinkB": 0, "mutation_scale": 16},
                )  # fmt: skip
    ax.set_aspect("equal")
    ax.set_axis_off()
    keys: list[Any] = []
    for role, text in drawing.legend:
        style = ROLES[role]
        keys.append(
            Patch(**style, label=text)
            if "facecolor" in style
            else Line2D([], [], **style, label=text)
        )
    below.set_axis_off()
    below.legend(handles=keys, loc="center", ncols=2, fontsize=8, frameon=False)
    return ax


def _legend_height(drawing: Drawing) -> float:
    """Inches of a legend in two columns."""
    return 0.19 * ((len(drawing.legend) + 1) // 2) + 0.25


def _map_width(drawing: Drawing, height: float) -> float:
    """Inches that a map takes when it fills its height, or its legend in two columns."""
    points = [point for shape in drawing.shapes for point in shape.points]
    wide, high = (max(axis) - min(axis) for axis in zip(*points, strict=True))
    free = height - _legend_height(drawing) - 0.9
    longest = max((len(text) for _, text in drawing.legend), default=0)
    return float(min(max(free * wide / high, 5.0, 2 * (0.5 + 0.066 * longest)), 9.0))
