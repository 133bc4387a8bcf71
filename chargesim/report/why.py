"""What matters most: the contribution of each rule, statistic and modifier to a value."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import chargesim
from chargesim.engine.play import ENGINES
from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.report.caveats import caveat_of
from chargesim.report.compare import Difference, Entry, difference_of, entries_of
from chargesim.report.result_json import SCHEMA, about
from chargesim.report.shown import Shown
from chargesim.report.values import is_mean
from chargesim.report.variations import Variation, variations
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from chargesim.report.render import Document


@dataclass(frozen=True)
class Influence:
    """What one change does to a value.

    Parameters
    ----------
    change
        The change.
    entry
        The answer to the changed scenario.
    difference
        Its value less that of the scenario as it is.
    """

    change: Variation
    entry: Entry
    difference: Difference

    @property
    def matters(self) -> bool:
        """False where no difference was found."""
        return self.difference.is_defined and not self.difference.is_tie


class Why(Shown):
    """Changes of a scenario by what they do to a value, the greatest first.

    Parameters
    ----------
    scenario
        The question.
    value
        The expression.
    base
        Its answer.
    influences
        What each change does.
    """

    def __init__(
        self, scenario: Scenario, value: str, base: Entry, influences: list[Influence]
    ) -> None:
        self.scenario, self.value, self.base = scenario, value, base
        self.groups = _grouped(influences)

    @property
    def is_mean(self) -> bool:
        """True when the value is a mean, false for a chance."""
        return is_mean(self.value)

    @property
    def is_exact(self) -> bool:
        """True when no value is an estimate."""
        every = [self.base, *(one.entry for group in self.groups for one in group)]
        return all(entry.estimate.is_exact for entry in every)

    @property
    def mattering(self) -> list[list[Influence]]:
        """Groups in which some change makes a difference."""
        return [group for group in self.groups if any(one.matters for one in group)]

    def rows(self) -> list[dict[str, Any]]:
        """One row a change, the greatest difference first."""
        return [
            {
                "path": one.change.path, "from": one.change.old, "to": one.change.new,
                "value": one.entry.estimate.value, "low": one.entry.estimate.low,
                "high": one.entry.estimate.high, "engine": one.entry.estimate.engine,
                "difference": one.difference.value, "difference_low": one.difference.low,
                "difference_high": one.difference.high,
            }
            for group in self.groups for one in group
        ]  # fmt: skip

    def table(self) -> pd.DataFrame:
        """What :meth:`rows` says as a frame."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON; what is undefined is ``None``."""
        result, cell = self.base.result, self.base.estimate
        base = {"value": cell.value, "low": cell.low, "high": cell.high}
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            **about(self.scenario),
            "trials": result.trials,
            "seed": result.seed,
            "value": self.value,
            "base": {k: None if v != v else v for k, v in base.items()},
            "changes": [{k: None if v != v else v for k, v in row.items()} for row in self.rows()],
            **caveat_of(self.scenario),
        }

    def plot(self, **options: Any) -> Axes:
        """Draw the tornado: the value as it is, and where each change takes it."""
        from chargesim.report.figures_tables import tornado

        return tornado(self, **options)

    def _document(self) -> Document:
        from chargesim.report.why_tables import why_document

        return why_document(self, "en")

    def __repr__(self) -> str:
        return f"Why({self.value!r}, {len(self.mattering)} of {len(self.groups)} changes matter)"


def _grouped(influences: list[Influence]) -> list[list[Influence]]:
    """The two neighbours of a number together, the greatest difference first."""
    groups: dict[object, list[Influence]] = {}
    for number, one in enumerate(influences):
        key = one.change.path if one.change.is_shift else number
        groups.setdefault(key, []).append(one)
    return sorted(groups.values(), key=lambda group: -_size(group))


def _size(group: list[Influence]) -> float:
    return max(abs(one.difference.value) if one.difference.is_defined else 0.0 for one in group)


def why(
    scenario: Scenario,
    value: str = "contact",
    *,
    engine: str = "auto",
    trials: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
    max_states: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Why:
    """Switch or shift each rule, statistic and modifier in turn, and see what a value does.

    Parameters
    ----------
    scenario
        The question.
    value
        An outcome, or ``mean:`` and a quantity.
    engine, trials, seed, threads, max_states
        As for :func:`chargesim.solve`; sampled scenarios share their luck.
    progress
        Called with (changes tried, changes).

    Returns
    -------
    Why
        Changes that cannot stand, such as an Ld of 11, are left out; so are those that cannot be
        enumerated, when exact answers are asked for.

    Raises
    ------
    InputError
        For an unknown outcome or engine, or numbers out of range.
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is none: one of {', '.join(ENGINES)}")
    changed: list[tuple[Variation, Scenario]] = []
    for change in variations(scenario):
        with suppress(ScenarioError):
            changed.append((change, scenario.replace(**{change.path: change.value})))
    questions = [("base", scenario)]
    questions += [(f"{change.path} {change.new}", variant) for change, variant in changed]
    options = (trials, seed, threads, max_states)
    left_out: list[str] = []
    entries = entries_of(questions, value, engine, *options, left_out=left_out)
    base = next(entries)
    found = []
    changes = iter(zip(changed, questions[1:], strict=True))
    for number, entry in enumerate(entries, start=1):
        # those that were left out have no entry
        change = next(one for (one, _), (name, _) in changes if name == entry.name)
        found.append(Influence(change, entry, difference_of(entry, base)))
        if progress:
            progress(number + len(left_out), len(changed))
    return Why(scenario, value, base, found)
