"""A picture of the battle: units with their fronts, terrain, sight arcs and charges, as SVG."""

from __future__ import annotations

from html import escape
from math import cos, pi, sin
from typing import Any

from chargesim.rulesets.ranked_regiment.legality import corners_of, direction
from chargesim.rulesets.ranked_regiment.scenario import Estimate, Model, Unit

COLOURS = {"active": "#3b6ea8", "reactive": "#b5523b"}
GROUND = {
    "forest": "#9dbf8a",
    "building": "#9a8f83",
    "cliff": "#7d7468",
    "rocks": "#b3aca3",
    "impassable": "#a9c6d8",
}
_SIZE = 640
"""Longer side of a picture, in pixels."""


def reach_of(unit: Unit) -> float:
    """Greatest Move that a unit may have, estimates at their middle."""
    if isinstance(unit.move, Estimate):
        return float(unit.move.mean)
    return float(max(unit.move)) if isinstance(unit.move, tuple) else float(unit.move)


class _Sheet:
    """The part of the plane that a picture shows, and how it lies on the page."""

    def __init__(self, model: Model) -> None:
        points = [p for unit in model.unit.values() for p in corners_of(unit)]
        points += [p for piece in model.terrain for p in piece.polygon]
        if model.table is not None:
            points += [(0.0, 0.0), (model.table.width, model.table.height)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        rim = 0.08 * max(max(xs) - min(xs), max(ys) - min(ys), 1.0)
        self.left, self.top = min(xs) - rim, max(ys) + rim
        width, height = max(xs) + rim - self.left, self.top - min(ys) + rim
        self.scale = _SIZE / max(width, height)
        self.width, self.height = width * self.scale, height * self.scale

    def at(self, x: float, y: float) -> str:
        """A point on the page."""
        return f"{(x - self.left) * self.scale:.1f},{(self.top - y) * self.scale:.1f}"

    def polygon(self, corners: Any, **style: str) -> str:
        """A closed shape."""
        points = " ".join(self.at(x, y) for x, y in corners)
        return f'<polygon points="{points}"{_attributes(style)}/>'

    def line(self, x0: float, y0: float, x1: float, y1: float, **style: str) -> str:
        """A straight line."""
        points = f"{self.at(x0, y0)} {self.at(x1, y1)}"
        return f'<polyline points="{points}" fill="none"{_attributes(style)}/>'

    def label(self, x: float, y: float, text: str) -> str:
        """A word, centred."""
        px, py = self.at(x, y).split(",")
        return (
            f'<text x="{px}" y="{py}" font-size="12" font-family="sans-serif" '
            f'text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
        )


def _attributes(style: dict[str, str]) -> str:
    return "".join(f' {key.replace("_", "-")}="{value}"' for key, value in style.items())


def reach_region(unit: Unit) -> list[tuple[float, float]]:
    """Outline of what a unit reaches: ahead of its front edge and 45 degrees outward."""
    a, b, move = unit.frontage / 2, unit.depth / 2, reach_of(unit)
    fan = [(move * sin(t * pi / 40), move * cos(t * pi / 40)) for t in range(11)]
    local = [(-a, b), *((-a - p, b + q) for p, q in reversed(fan))]
    local += [*((a + p, b + q) for p, q in fan), (a, b)]
    (x, y), (fx, fy) = unit.at, direction(unit.facing)
    return [(x + u * fy + v * fx, y - u * fx + v * fy) for u, v in local]


def picture(model: Model) -> str:
    """Draw a battle before anything moves.

    Parameters
    ----------
    model
        A sound scenario.

    Returns
    -------
    str
        An SVG document: terrain, each unit with its front and its reach, an arrow a charge.
    """
    sheet = _Sheet(model)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width:.0f}" '
        f'height="{sheet.height:.0f}" role="img" aria-label="{escape(model.title or "battle")}">',
        '<rect width="100%" height="100%" fill="#fbfaf5"/>',
    ]
    if model.table is not None:
        w, h = model.table.width, model.table.height
        edge = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
        parts.append(sheet.polygon(edge, fill="none", stroke="#888888"))
    parts += [
        sheet.polygon(piece.polygon, fill=GROUND[piece.kind], stroke="#555555")
        for piece in model.terrain
    ]
    chargers = {charge.charger for charge in model.charge}
    for name, unit in model.unit.items():
        colour = COLOURS[unit.side]
        if name in chargers and reach_of(unit) > 0:
            parts.append(sheet.polygon(reach_region(unit), fill=colour, fill_opacity="0.07"))
        corners = corners_of(unit)
        parts.append(sheet.polygon(corners, fill=colour, fill_opacity="0.45", stroke=colour))
        parts.append(sheet.line(*corners[3], *corners[2], stroke=colour, stroke_width="4"))
    for charge in model.charge:
        one, other = model.unit[charge.charger], model.unit[charge.target]
        parts.append(
            sheet.line(*one.at, *other.at, stroke="#222222", stroke_dasharray="5 4")
        )  # fmt: skip
        parts.append(
            f'<circle cx="{sheet.at(*other.at).split(",")[0]}" '
            f'cy="{sheet.at(*other.at).split(",")[1]}" r="4" fill="#222222"/>'
        )
    parts += [sheet.label(*unit.at, name) for name, unit in model.unit.items()]
    return "\n".join([*parts, "</svg>"]) + "\n"
