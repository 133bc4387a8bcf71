"""A solved scenario: its probabilities, intervals, distributions, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chargesim.engine.choices import choose
from chargesim.engine.outcomes import Masks, Views, masks, quantity, views
from chargesim.engine.play import play
from chargesim.engine.stats import half_width, wilson
from chargesim.engine.tally import Tally
from chargesim.errors import InputError
from chargesim.report.shown import Shown
from chargesim.rulesets import Quantity, Reading, View
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from chargesim.report.casualties import Casualties
    from chargesim.report.render import Document


class Result(Shown):
    """What a scenario's end states say; made by :func:`solve`.

    Parameters
    ----------
    scenario
        The question.
    tallies
        End states of each of its parts, all exact or all counted.
    alternatives
        What else a player could have chosen, as in the contract.
    played
        The question with its open choices made, when it had any.
    """

    def __init__(
        self,
        scenario: Scenario,
        tallies: Sequence[Tally],
        alternatives: Sequence[dict[str, Any]] = (),
        played: Scenario | None = None,
    ) -> None:
        self.scenario, self.tallies = scenario, tuple(tallies)
        self.played = played or scenario
        self.alternatives = list(alternatives)

    @property
    def engine(self) -> str:
        """``"exact"`` or ``"sample"``."""
        return self.tallies[0].engine

    @property
    def trials(self) -> int | None:
        """Trials of a sample, ``None`` when exact."""
        return self.tallies[0].trials

    @property
    def seed(self) -> int | None:
        """Seed of a sample, ``None`` when exact."""
        return self.tallies[0].seed

    @property
    def is_exact(self) -> bool:
        """True when no number in it is an estimate."""
        return self.trials is None

    @property
    def mass_defect(self) -> float:
        """How far the probabilities are from adding up to 1, in the worst part."""
        return max(tally.mass_defect for tally in self.tallies)

    @cached_property
    def views(self) -> Views:
        """The end states in the ruleset's words: charges, combats and units by name."""
        return views(self.readings)

    @cached_property
    def readings(self) -> list[Reading]:
        """What the end states of each part say."""
        return [tally.reading for tally in self.tallies]

    @cached_property
    def charges(self) -> list[tuple[int, View]]:
        """Charges in their order, each with its part."""
        found = {
            number: (i, view)
            for i, reading in enumerate(self.readings)
            for number, view in reading.charges.items()
        }
        return [found[number] for number in sorted(found)]

    @cached_property
    def combats(self) -> list[tuple[int, View]]:
        """Combats in the order of the charges, each with its part."""
        found = {
            name: (i, view)
            for i, reading in enumerate(self.readings)
            for name, view in reading.combats.items()
        }
        order = dict.fromkeys(str(view.labels["target"]) for _, view in self.charges)
        return [found[name] for name in dict.fromkeys([*order, *found]) if name in found]

    @cached_property
    def units(self) -> dict[str, tuple[int, View]]:
        """Units by name, in the order of the file, each with its part."""
        found = {
            name: (i, view)
            for i, reading in enumerate(self.readings)
            for name, view in reading.units.items()
        }
        return {name: found[name] for name in self.scenario.unit_names}

    def chance(
        self,
        part: int,
        mask: np.ndarray[Any, Any],
        given: np.ndarray[Any, Any] | None = None,
    ) -> tuple[float, float, float]:
        """Probability and interval of a set of end states of one part, perhaps conditional.

        Parameters
        ----------
        part
            Number of the part.
        mask, given
            Boolean arrays, shape (states,).

        Returns
        -------
        tuple of float
            p, low, high; all NaN when the condition is impossible or was never seen.
        """
        weights = self.tallies[part].weights
        inside = mask if given is None else mask & given
        if self.is_exact:
            whole = 1.0 if given is None else float(weights[given].sum())
            if whole <= 0.0:
                return (float("nan"),) * 3
            outside = ~mask if given is None else ~mask & given
            p = 1.0 if not weights[outside].any() else float(weights[inside].sum()) / whole
            return p, p, p
        trials = int(self.trials or 0) if given is None else int(weights[given].sum())
        if trials == 0:
            return (float("nan"),) * 3
        count = int(weights[inside].sum())
        low, high = wilson(count, trials)
        return count / trials, low, high

    def estimate(self, masks: Masks, given: Masks | None = None) -> tuple[float, float, float]:
        """Probability and interval of an outcome over several parts, perhaps conditional.

        Parts do not influence each other: their chances multiply. The interval of a product of
        estimates is Wilson's for as many trials as would give the product its variance.

        Returns
        -------
        tuple of float
            p, low, high; all NaN when the condition is impossible or was never seen.
        """
        given = given or {}
        self._check_apart([*masks, *given])
        found = []
        for part in sorted({*masks, *given}):
            condition = given.get(part)
            if part in masks:
                trials = self.trials
                if condition is not None and trials is not None:
                    trials = int(self.tallies[part].weights[condition].sum())
                found.append((*self.chance(part, masks[part], condition), trials))
            elif not np.any(self.tallies[part].weights[condition] > 0):
                return (float("nan"),) * 3
        if len(found) == 1:
            return found[0][:3]
        p = float(np.prod([one[0] for one in found]))
        if self.is_exact or not p > 0:
            return p, p, p if self.is_exact else float(np.prod([one[2] for one in found]))
        spread = sum((1 - one[0]) / one[0] / max(int(one[3] or 1), 1) for one in found)
        if spread == 0:
            return p, min(one[1] for one in found), 1.0
        trials = max(round((1 - p) / p / spread), 1)
        low, high = wilson(round(p * trials), trials)
        return p, min(low, p), max(high, p)

    def _check_apart(self, parts: Sequence[int]) -> None:
        """Refuse to multiply what was counted apart and may yet hang together."""
        wholes = [getattr(self.tallies[part].of, "part", None) for part in dict.fromkeys(parts)]
        wholes = [whole for whole in wholes if whole is not None]
        if len(wholes) != len({id(whole) for whole in wholes}):
            raise InputError(
                "value: these charges influence each other and had too many end states to be "
                "counted together: ask about each by itself, or take units out of the scenario"
            )

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
        return self.estimate(*masks(self.views, outcome))[0]

    def interval(self, outcome: str) -> tuple[float, float]:
        """Wilson 95 % interval of an outcome; both ends equal the probability when exact."""
        _, low, high = self.estimate(*masks(self.views, outcome))
        return low, high

    def mean(self, name: str) -> float:
        """Mean of a quantity over the trials in which it arises."""
        part, found = quantity(self.views, name)
        weights, values = self.tallies[part].probabilities, found.values
        if found.arises is not None:
            weights, values = weights[found.arises], values[found.arises]
        if not weights.sum() > 0:
            return float("nan")
        return float(np.dot(weights, values) / weights.sum())

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

        spread = self.spread(*quantity(self.views, name))
        return pd.Series(
            [p for p, _, _ in spread.values()], index=pd.Index(list(spread), name=name), name="p"
        )

    def at_least(self, name: str) -> pd.Series[float]:
        """Chance that a quantity is at least each of its values."""
        series = self.distribution(name)
        return series[::-1].cumsum()[::-1]

    def spread(self, part: int, found: Quantity) -> dict[int, tuple[float, float, float]]:
        """Values of a quantity with p, low and high, rising; empty when it never arises."""
        arises = np.ones(found.values.shape, bool) if found.arises is None else found.arises
        return {
            int(v): self.chance(part, (found.values == v) & arises)
            for v in sorted(set(found.values[arises].tolist()))  # np.unique imports masked arrays
        }

    def words(self, part: int, view: View) -> dict[str, tuple[float, float, float]]:
        """Words of a view that came about, in the order of the ruleset, with p, low and high."""
        return {
            word: self.chance(part, view.codes == code)
            for code, word in view.words.items()
            if np.any(view.codes == code)
        }

    @property
    def widest(self) -> float:
        """Widest half-width of an outcome word; 0 when exact."""
        if self.is_exact:
            return 0.0
        return widest(self)

    def table(self) -> pd.DataFrame:
        """Tidy table of the outcomes: one row an outcome of a charge.

        Returns
        -------
        pandas.DataFrame
            Columns charge, charger, target, reaction, outcome, p, low, high; of several targets
            of one charge all are named, and all their reactions, with commas.
        """
        import pandas as pd

        rows = [
            {"charge": i, **named(view), "outcome": word, "p": p, "low": low, "high": high}
            for i, (part, view) in enumerate(self.charges)
            for word, (p, low, high) in self.words(part, view).items()
        ]
        columns = ["charge", "charger", "target", "reaction", "outcome", "p", "low", "high"]
        return pd.DataFrame(rows, columns=columns)

    def plot(self, kind: str = "waterfall", **options: Any) -> Axes:
        """Draw one side of the result.

        Parameters
        ----------
        kind
            ``"waterfall"`` of a charge (the first, or ``charge=1``), ``"combat"`` (the first, or
            ``target="spears"``), ``"casualties:boars"`` by how the charge ends, a quantity such as
            ``"handgunners:combat_result"``, or ``"at_least:"`` and a quantity.
        **options
            ``ax``, ``lang`` and the like, as in :mod:`chargesim.report.figures` and
            :mod:`chargesim.report.figures_outcomes`.
        """
        from chargesim.report import figures, figures_outcomes

        if kind == "waterfall":
            return figures.waterfall(self, **options)
        if kind == "combat":
            return figures.combat(self, **options)
        begin, colon, name = kind.partition(":")
        if colon and begin == "casualties":
            return figures_outcomes.casualties(self.casualties(name), **options)
        if colon and begin == "at_least":
            return figures_outcomes.at_least(self, name, **options)
        return figures.distribution(self, kind.removeprefix("exactly:"), **options)

    def picture(self, lang: str = "en") -> Figure:
        """Draw all of it in one figure: a waterfall a charge, and how the combats end."""
        from chargesim.report import figures

        return figures.picture(self, lang)

    def casualties(self, unit: str) -> Casualties:
        """How much a unit loses, split by how its charge ends.

        Parameters
        ----------
        unit
            Its name.

        Raises
        ------
        InputError
            When there is no such unit.
        """
        from chargesim.report.casualties import Casualties

        return Casualties(self, unit)

    @cached_property
    def notes(self) -> list[dict[str, Any]]:
        """What the rules replaced or left unused, with rule id and reason."""
        from chargesim.report.trace import notes

        return notes(self)

    @property
    def heading(self) -> dict[str, Any]:
        """What the JSON form of anything about it begins with."""
        from chargesim.report.result_json import heading

        return heading(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form of the contract: plain numbers, nothing rounded."""
        from chargesim.report.result_json import json_form

        return json_form(self)

    def _document(self) -> Document:
        from chargesim.report.result_tables import result_document

        return result_document(self, "en")

    def __repr__(self) -> str:
        by = "exact" if self.is_exact else f"{self.trials:,} trials, seed {self.seed}"
        return f"Result({self.scenario.title!r}, {by})"


def named(view: View) -> dict[str, str]:
    """Charger, targets and reactions of a charge as texts."""
    labels = view.labels
    return {
        "charger": str(labels["charger"]),
        "target": ", ".join(labels.get("targets", [labels["target"]])),
        "reaction": ", ".join(labels.get("reactions", [labels["reaction"]])),
    }


def widest(result: Result) -> float:
    """Widest half-width among the outcome words of the charges and combats."""
    trials = int(result.trials or 1)
    return max(
        half_width(int(result.tallies[part].weights[view.codes == code].sum()), trials)
        for part, view in (*result.charges, *result.combats)
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
    max_states: int | None = None,
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
        Most states of a phase of the exact engine; ``None``: a million, fewer when they are long.

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

    def answer(question: Scenario) -> list[Tally]:
        return play(
            question,
            engine=engine,
            trials=trials,
            precision=precision,
            widest=lambda tallies: widest(Result(question, tallies)),
            seed=seed,
            threads=threads,
            max_states=max_states,
            progress=progress,
        )

    if not scenario.choices:
        return Result(scenario, answer(scenario))
    chosen = choose(scenario, answer)
    return Result(scenario, chosen.tallies, chosen.alternatives, played=chosen.scenario)
