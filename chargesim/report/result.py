"""A solved scenario: its probabilities, intervals, distributions, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import chargesim
from chargesim.engine.exact import MAX_STATES
from chargesim.engine.play import play
from chargesim.engine.stats import half_width, wilson
from chargesim.engine.tally import Tally
from chargesim.report.outcomes import masks, quantity
from chargesim.rulesets import Quantity, Reading, View
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SCHEMA = 1
"""Version of the JSON form."""


class Result:
    """What a scenario's end states say; made by :func:`solve`.

    Parameters
    ----------
    scenario
        The question.
    tally
        Its end states, exact or counted.
    """

    def __init__(self, scenario: Scenario, tally: Tally) -> None:
        self.scenario, self.tally = scenario, tally

    @property
    def engine(self) -> str:
        """``"exact"`` or ``"sample"``."""
        return self.tally.engine

    @property
    def is_exact(self) -> bool:
        """True when no number in it is an estimate."""
        return self.tally.trials is None

    @cached_property
    def reading(self) -> Reading:
        """The end states in the ruleset's words."""
        games = self.tally.games(self.scenario)
        return self.scenario.ruleset.read(games, self.scenario.unit_names, self.scenario.charges)

    @cached_property
    def _p(self) -> np.ndarray[Any, Any]:
        return self.tally.probabilities

    def estimate(
        self, mask: np.ndarray[Any, Any], given: np.ndarray[Any, Any] | None = None
    ) -> tuple[float, float, float]:
        """Probability and interval of a set of end states, under a condition if one is given.

        Parameters
        ----------
        mask, given
            Boolean arrays, shape (states,).

        Returns
        -------
        tuple of float
            p, low, high; all NaN when the condition is impossible or was never seen.
        """
        weights = self.tally.weights
        inside = mask if given is None else mask & given
        if self.is_exact:
            whole = 1.0 if given is None else float(weights[given].sum())
            if whole <= 0.0:
                return (float("nan"),) * 3
            outside = ~mask if given is None else ~mask & given
            p = 1.0 if not np.any(weights[outside] > 0) else float(weights[inside].sum()) / whole
            return p, p, p
        trials = int(self.tally.trials or 0) if given is None else int(weights[given].sum())
        if trials == 0:
            return (float("nan"),) * 3
        count = int(weights[inside].sum())
        low, high = wilson(count, trials)
        return count / trials, low, high

    def probability(self, outcome: str) -> float:
        """Probability of an outcome.

        Parameters
        ----------
        outcome
            A word, a sum, a pattern, a comparison, joined with ``&``, conditioned with ``|``.

        Returns
        -------
        float
            NaN when the condition is impossible.

        Raises
        ------
        InputError
            When the outcome cannot be read.
        """
        return self.estimate(*masks(self.reading, outcome))[0]

    def interval(self, outcome: str) -> tuple[float, float]:
        """Wilson 95 % interval of an outcome; both ends equal the probability when exact."""
        _, low, high = self.estimate(*masks(self.reading, outcome))
        return low, high

    def mean(self, name: str) -> float:
        """Mean of a quantity over all trials (of a flight: over those in which it was rolled)."""
        found = quantity(self.reading, name)
        arises = found.values >= 0
        weights = self._p[arises]
        if not weights.sum() > 0:
            return float("nan")
        return float(np.dot(weights, found.values[arises]) / weights.sum())

    def value(self, expression: str) -> float:
        """Value of an expression: ``mean:`` and a quantity, or the probability of an outcome.

        Parameters
        ----------
        expression
            Such as ``"mean:impact_wounds"``, ``"mean:boars:models_left"`` or ``"contact"``.

        Raises
        ------
        InputError
            When it cannot be read.
        """
        name = expression.strip().removeprefix("mean:")
        return self.mean(name) if name != expression.strip() else self.probability(expression)

    def distribution(self, name: str) -> pd.Series[float]:
        """Distribution of a quantity.

        Parameters
        ----------
        name
            Such as ``"shooting_casualties"``, ``"flee_distance"`` or ``"boars:models_left"``.

        Returns
        -------
        pandas.Series
            Probabilities indexed by value, rising.
        """
        import pandas as pd

        spread = self.spread(quantity(self.reading, name))
        return pd.Series(
            [p for p, _, _ in spread.values()], index=pd.Index(list(spread), name=name), name="p"
        )

    def at_least(self, name: str) -> pd.Series[float]:
        """Chance that a quantity is at least each of its values."""
        series = self.distribution(name)
        return series[::-1].cumsum()[::-1]

    def spread(self, found: Quantity) -> dict[int, tuple[float, float, float]]:
        """Values of a quantity with p, low and high, rising; empty when it never arises."""
        values = [int(v) for v in np.unique(found.values) if v >= 0]
        return {v: self.estimate(found.values == v) for v in values}

    def words(self, view: View) -> dict[str, tuple[float, float, float]]:
        """Words of a view that came about, in the order of the ruleset, with p, low and high."""
        return {
            word: self.estimate(view.codes == code)
            for code, word in view.words.items()
            if np.any(view.codes == code)
        }

    @property
    def widest(self) -> float:
        """Widest half-width of an outcome word; 0 when exact."""
        if self.is_exact:
            return 0.0
        return widest(self.scenario, self.tally)

    def table(self) -> pd.DataFrame:
        """Tidy table of the outcomes: one row an outcome of a charge.

        Returns
        -------
        pandas.DataFrame
            Columns charge, charger, target, reaction, outcome, p, low, high.
        """
        import pandas as pd

        rows = [
            {"charge": i, **view.labels, "outcome": word, "p": p, "low": low, "high": high}
            for i, view in enumerate(self.reading.charges)
            for word, (p, low, high) in self.words(view).items()
        ]
        columns = ["charge", "charger", "target", "reaction", "outcome", "p", "low", "high"]
        return pd.DataFrame(rows, columns=columns)

    def plot(self, kind: str = "waterfall", **options: Any) -> Axes:
        """Draw the result: ``"waterfall"``, or the name of a quantity for its distribution.

        Options (``ax``, ``lang``) as in :mod:`chargesim.report.figures`.
        """
        from chargesim.report import figures

        if kind == "waterfall":
            return figures.waterfall(self, **options)
        return figures.distribution(self, kind, **options)

    @cached_property
    def notes(self) -> list[dict[str, Any]]:
        """What the rules replaced or left unused, with rule id and reason."""
        from chargesim.report.trace import notes

        return notes(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form of the contract: plain numbers, nothing rounded."""
        from chargesim.kernels.jit import rules_hash

        scenario, tally = self.scenario, self.tally
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "ruleset": scenario.ruleset.name,
            "ruleset_version": scenario.ruleset.version,
            "title": scenario.title,
            "engine": tally.engine,
            "trials": tally.trials,
            "seed": tally.seed,
            "scenario_hash": scenario.hash,
            "rules_hash": rules_hash(scenario.ruleset.name),
            "switches": scenario.switches,
            "charges": [self._charge(view) for view in self.reading.charges],
            "combats": [],
            "units": {name: self._unit(view) for name, view in self.reading.units.items()},
            "notes": self.notes,
            "alternatives": [],
            "mass_defect": tally.mass_defect,
        }

    def _charge(self, view: View) -> dict[str, Any]:
        return {
            **view.labels,
            "outcome": {
                word: {"p": p, "low": low, "high": high}
                for word, (p, low, high) in self.words(view).items()
            },
            **{name: self._spread(found) for name, found in view.quantities.items()},
            **{name: self.estimate(flag)[0] for name, flag in view.flags.items()},
        }

    def _unit(self, view: View) -> dict[str, Any]:
        content = {name: self._spread(found) for name, found in view.quantities.items()}
        content.setdefault("wounds_left", {})
        return {**content, "state": {w: p for w, (p, _, _) in self.words(view).items()}}

    def _spread(self, found: Quantity) -> dict[str, float]:
        return {str(value): p for value, (p, _, _) in self.spread(found).items()}

    def _repr_html_(self) -> str:
        from chargesim.report.render import html
        from chargesim.report.tables import result_document

        return html(result_document(self, "en"))

    def __repr__(self) -> str:
        by = "exact" if self.is_exact else f"{self.tally.trials:,} trials, seed {self.tally.seed}"
        return f"Result({self.scenario.title!r}, {by})"


def widest(scenario: Scenario, tally: Tally) -> float:
    """Widest half-width among the outcome words of the charges."""
    reading = Result(scenario, tally).reading
    trials = int(tally.trials or 1)
    return max(
        half_width(int(tally.weights[view.codes == code].sum()), trials)
        for view in reading.charges
        for code in view.words
    )


def solve(
    scenario: Scenario,
    engine: str = "auto",
    trials: int = 1_000_000,
    precision: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    max_states: int = MAX_STATES,
) -> Result:
    """Answer a scenario.

    Parameters
    ----------
    scenario
        The question.
    engine
        ``"auto"``: exact while no phase has more than ``max_states`` states, else sampled;
        ``"exact"``; ``"sample"``.
    trials
        Trials of a sample, 1 to 10**12.
    precision
        Instead: double the trials until no outcome's half-width is above this.
    seed
        0 to 2**64 - 1.
    threads
        Threads of a sample; ``None``: one a core. The numbers do not depend on it.
    progress
        Called with (trials played, trials).
    max_states
        Most states of a phase of the exact engine.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        For numbers out of range.
    ExactLimitError
        When ``exact`` is asked for and the tree is larger than ``max_states``.
    """
    tally = play(
        scenario,
        engine=engine,
        trials=trials,
        precision=precision,
        widest=lambda tally: widest(scenario, tally),
        seed=seed,
        threads=threads,
        max_states=max_states,
        progress=progress,
    )
    return Result(scenario, tally)
