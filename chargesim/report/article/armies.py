"""Army lists in articles: their units, and every charge of one list on another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.kernels.jit import rules_hash
from chargesim.report.article import numbers
from chargesim.report.article.blocks import TableBlock
from chargesim.report.article.cache import tables_of
from chargesim.report.article.quantity import Quantity, Shown, from_dict, of_parts
from chargesim.report.article.tables import units_table
from chargesim.report.matchup import BLIND, DISTANCES, matchup
from chargesim.report.matchup_play import MEASURES
from chargesim.report.matchup_sides import Side, side_of
from chargesim.report.matchup_tables import CAPTIONS
from chargesim.report.render import Table
from chargesim.rulesets import get
from chargesim.scenario import Scenario
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.article.functions import Functions

USUAL = "beat"
"""Measure that is shown unless another is asked for."""


class Armies:
    """What a page may ask of army lists.

    Parameters
    ----------
    page
        Its other functions.
    """

    def __init__(self, page: Functions) -> None:
        self.page, self.answers, self.lang = page, page.answers, page.lang
        self.say = translation("chargesim", page.lang).gettext

    def roster(self, name: str, caption: str = "") -> Markup:
        """The units of a list that can be simulated, with their profiles."""
        side = side_of(self.answers.army(name))
        units = {side.names[key]: table for key, table in side.units.items()}
        table = units_table(units, get("wh6").aliases, side.lengths, caption, self.lang)
        return self.page.place(TableBlock(table))

    def matchup(
        self, one: str, other: str, measure: str = USUAL, distance: Any = None, caption: str = ""
    ) -> Markup:
        """Every unit of a list charging every unit of another: a chance each.

        Parameters
        ----------
        one, other
            Who charges, and who is charged: names of the plan's ``[rosters]``.
        measure
            ``arrive``, ``win``, ``break``, ``beat`` (wins the round or put the target to flight)
            or ``broken``.
        distance
            Of every charge; by default 20 cm or 8 inches.
        caption
            What stands above.
        """
        found = self._met(one, other, distance)
        cells = self._cells(found, measure)
        texts = [[numbers.percent(cell, self.lang) for cell in row] for row in cells]
        values = [[float(cell.value) for cell in row] for row in cells]
        shades = tuple((None, *(None if v != v else v for v in row)) for row in values)
        table = Table(
            ("", *found["targets"]),
            tuple((name, *row) for name, row in zip(found["chargers"], texts, strict=True)),
            caption or self.say(CAPTIONS[measure]).removesuffix(", %"),
            (),
            tuple((name, *row) for name, row in zip(found["chargers"], values, strict=True)),
            frozenset(range(1, len(found["targets"]) + 1)),
            shades=shades,
        )
        return self.page.place(TableBlock(table))

    def duel(
        self,
        one: str,
        charger: str,
        other: str,
        target: str,
        measure: str = USUAL,
        distance: Any = None,
    ) -> Shown:
        """The chance of one charge of a match-up, for the text and for claims."""
        found = self._met(one, other, distance)
        places = []
        for name, key in ((charger, "chargers"), (target, "targets")):
            if name not in found[key]:
                raise InputError(f"duel: no unit {name!r}" + nearest(name, found[key]))
            places.append(found[key].index(name))
        cell = self._cells(found, measure)[places[0]][places[1]]
        return Shown(cell, numbers.percent(cell, self.lang))

    def blind_spots(self, one: str, other: str, distance: Any = None, caption: str = "") -> Markup:
        """Units of the other list that nobody beats in half of the charges, and who is nearest."""
        found = self._met(one, other, distance)
        cells = self._cells(found, USUAL)
        rows, raw = [], []
        for place, target in enumerate(found["targets"]):
            column = [row[place] for row in cells]
            known = [i for i, cell in enumerate(column) if cell.value == cell.value]
            if not known:
                continue
            best = max(known, key=lambda i: float(column[i].value))
            if float(column[best].value) < BLIND:
                shown = numbers.percent(column[best], self.lang)
                rows.append((target, found["chargers"][best], shown))
                raw.append((target, found["chargers"][best], float(column[best].value)))
        columns = (self.say("enemy"), self.say("comes nearest"), self.say("beats it"))
        table = Table(columns, tuple(rows), caption, (), tuple(raw), frozenset({2}))
        return self.page.place(TableBlock(table))

    def _cells(self, found: dict[str, Any], measure: str) -> list[list[Quantity]]:
        if measure not in MEASURES:
            raise InputError(f"matchup: no measure {measure!r}: one of {', '.join(MEASURES)}")
        wide = len(found["targets"])
        cells = [from_dict(one) for one in found["measures"][measure]]
        return [cells[i : i + wide] for i in range(0, len(cells), wide)]

    def _met(self, one: str, other: str, distance: Any) -> dict[str, Any]:
        """Every charge of one list on another, kept."""
        armies = [self.answers.army(name) for name in (one, other)]
        active, reactive = map(side_of, armies)
        options = dict(vars(self.answers.plan.options))
        if distance is None:
            distance = DISTANCES.get(active.lengths, 0.0)
        if isinstance(distance, bool) or not isinstance(distance, (int, float)):
            raise InputError(f"matchup: distance {distance!r} is no number")

        def answer() -> dict[str, Any]:
            (found,) = matchup(
                *armies, distance=distance, both=False,
                progress=self.answers.progress, **options,
            )  # fmt: skip
            measures = {
                name: [
                    of_parts(
                        (cell.value, cell.low, cell.high, meeting.engine != "sample"), "chance"
                    ).to_dict()
                    for meeting in found.meetings
                    for cell in [meeting.measure(name)]
                ]
                for name in MEASURES
            }
            return {
                "chargers": [found.active.names[name] for name in found.chargers],
                "targets": [found.reactive.names[name] for name in found.targets],
                "measures": measures,
                "engines": sorted(found.engines),
                "example": tables_of(found.example),
            }

        question = {
            "kind": "matchup",
            "sides": [_digest(active), _digest(reactive)],
            "distance": float(distance),
            "rules": rules_hash("wh6"),
            "options": self.answers.plan.options.key(),
        }
        kept: dict[str, Any] = self.answers.cache.ask(question, answer)
        self.answers.engines |= set(kept["engines"])
        # one of many, for rules and switches
        self.answers.asked.setdefault(f"{one}_on_{other}", Scenario("matchup", **kept["example"]))
        return kept


def _digest(side: Side) -> str:
    content: Sequence[Any] = (side.title, side.lengths, side.units, side.names)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
