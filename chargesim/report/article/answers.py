"""What the names in an article stand for, and answers to what is asked of them, each kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from chargesim.engine.outcomes import quantity
from chargesim.errors import InputError
from chargesim.faults import nearest
from chargesim.kernels.jit import rules_hash
from chargesim.report.article.cache import Cache, called, pack, renamed, unpack
from chargesim.report.article.expressions import (
    Joined,
    Number,
    Query,
    Value,
    read_reference,
    read_value,
)
from chargesim.report.article.plan import DICE, Plan
from chargesim.report.article.quantity import (
    Kind,
    Quantity,
    combine,
    exactly,
    from_dict,
    lift,
    of_parts,
)
from chargesim.report.article.sources import Finished, Kept, read_finished, read_kept
from chargesim.report.compare import Comparison, Entry, compare, difference_of, entry_of
from chargesim.report.result import Result, solve
from chargesim.report.roster import Roster, read_roster
from chargesim.report.trace import told
from chargesim.report.values import Estimate, is_mean, measure
from chargesim.report.why import Why, why
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis, read_axis, varied

SD = "sd:"
Progress = Callable[[int, int], None]
Changes = tuple[tuple[str, str], ...]


class Answers:
    """Answers to the questions of one plan.

    Parameters
    ----------
    plan
        The article.
    cache
        Where answers are kept.
    progress
        Called with (done, all) of the longer ones.
    """

    def __init__(self, plan: Plan, cache: Cache, progress: Progress | None = None) -> None:
        self.plan, self.cache, self.progress = plan, cache, progress
        self.asked: dict[str, Scenario] = {}
        self.engines: set[str] = set()
        self._results: dict[str, Result] = {}
        self._kept: dict[str, Kept] = {}
        self._studies: dict[str, Finished] = {}
        self._armies: dict[str, Roster | Path] = {}

    # names

    def first(self) -> str:
        """Name of what is meant where none is named."""
        names = [*self.plan.scenarios, *self.plan.results, *self.plan.studies]
        if not names:
            raise InputError("value: the plan names no scenario: write [scenarios] in its head")
        return names[0]

    def check(self, name: str) -> str:
        """A name of the plan.

        Raises
        ------
        InputError
            When the plan has nothing of that name.
        """
        plan = self.plan
        known = [*plan.scenarios, *plan.studies, *plan.results, DICE]
        if name not in known:
            raise InputError(f"there is no scenario {name!r} in the plan" + nearest(name, known))
        return name

    def scenario(self, name: str, changes: Changes = ()) -> Scenario:
        """A scenario of the plan, perhaps with some values changed.

        Raises
        ------
        InputError
            For an unknown name, or changes that cannot stand.
        """
        found = self._base(name)
        axes = [read_axis(found, f"{path}={spec}") for path, spec in changes]
        for axis in axes:
            if len(axis.values) > 1:
                raise InputError(f"{name}: {axis.path} has several values where one is meant")
        self.asked.setdefault(name, found)
        return varied(found, *((axis, 0) for axis in axes)) if axes else found

    def reference(self, text: str) -> Scenario:
        """A scenario by ``NAME`` or ``NAME[PATH=VALUE]``."""
        return self.scenario(*read_reference(text))

    def _base(self, name: str) -> Scenario:
        self.check(name)
        if name in self.plan.scenarios:
            return self.plan.scenarios[name]
        if name in self.plan.results:
            return self.kept(name).scenario
        if name in self.plan.studies:
            return self.study(name).scenario
        raise InputError(f"{name!r} is no scenario: name one of the plan's [scenarios]")

    def kept(self, name: str) -> Kept:
        """What a notebook kept under a name of the plan's ``[results]``."""
        if name not in self.plan.results:
            raise InputError(f"kept: no result {name!r}" + nearest(name, self.plan.results))
        if name not in self._kept:
            self._kept[name] = read_kept(self.plan.results[name])
        return self._kept[name]

    def army(self, name: str) -> Roster | Path:
        """An army list of the plan's ``[rosters]``."""
        if name not in self.plan.rosters:
            raise InputError(f"there is no army list {name!r}" + nearest(name, self.plan.rosters))
        if name not in self._armies:
            file, overrides = self.plan.rosters[name]
            is_list = file.suffix.casefold() != ".toml"
            self._armies[name] = read_roster(file, overrides=overrides) if is_list else file
        return self._armies[name]

    def study(self, name: str) -> Finished:
        """A finished study of the plan's ``[studies]``."""
        if name not in self._studies:
            self._studies[name] = read_finished(self.plan.studies[name])
        return self._studies[name]

    # answers

    def result(self, scenario: Scenario) -> Result:
        """The answer to a scenario."""
        if scenario.hash not in self._results:
            for kept in map(self.kept, self.plan.results):
                if kept.result is not None and kept.scenario.hash == scenario.hash:
                    found = kept.result
                    break
            else:
                found = self._solve(scenario)
            self._results[scenario.hash] = found
            self.engines.add(found.engine)
        return self._results[scenario.hash]

    def _solve(self, scenario: Scenario) -> Result:
        fresh: list[Result] = []

        def answer() -> dict[str, Any]:
            fresh.append(solve(scenario, **vars(self.plan.options), progress=self.progress))
            return pack(fresh[0])

        packed = self.cache.ask(self.key("result", scenario), answer)
        return fresh[0] if fresh else unpack(scenario, packed)

    def shown(self, scenario: Scenario, lang: str) -> Result:
        """The answer to a scenario with its units called as in a language."""
        return called(self.result(scenario), self._names(scenario, lang))

    def named(self, scenario: Scenario, lang: str) -> Scenario:
        """A scenario with its units called as in a language."""
        return renamed(scenario, self._names(scenario, lang))

    def value_named(self, value: str, scenario: Scenario, lang: str) -> str:
        """An outcome that names units as a language does."""
        for old, new in self._names(scenario, lang).items():
            value = re.sub(rf"(^|[\s&|:]){re.escape(old)}:", rf"\g<1>{new}:", value)
        return value

    def _names(self, scenario: Scenario, lang: str) -> dict[str, str]:
        names = self.plan.names.get(lang, {})
        return {old: new for old, new in names.items() if old in scenario.unit_names}

    def evaluate(
        self,
        value: str | Value | Quantity | float,
        source: str | None = None,
        changes: Changes = (),
        axes: Sequence[tuple[str, str]] = (),
        names: Callable[[str], Any] | None = None,
    ) -> Quantity:
        """A value, over axes if there are any.

        Parameters
        ----------
        value
            Text or tree of a value, or a number.
        source, changes
            What values are asked of that name nothing, and changes that all are asked with.
        axes
            Paths and their levels; the shape of what is returned has one length each.
        names
            Gives the template's own numbers by name, ``None`` where there is none.
        """
        if not isinstance(value, (str, Number, Query, Joined)):
            return lift(value)
        tree = read_value(value) if isinstance(value, str) else value
        return self._evaluate(tree, source, changes, tuple(axes), names)

    def _evaluate(
        self,
        tree: Value,
        source: str | None,
        changes: Changes,
        axes: Changes,
        names: Callable[[str], Any] | None,
    ) -> Quantity:
        if isinstance(tree, Number):
            return exactly(tree.value, "chance" if tree.is_share else "number")
        if isinstance(tree, Query):
            own = names(tree.value) if names and tree.source is None else None
            return self._query(tree, source, changes, axes) if own is None else lift(own)
        one, other = (
            self._evaluate(part, source, changes, axes, names) for part in (tree.one, tree.other)
        )
        if (
            tree.sign == "-"
            and not (one.is_exact and other.is_exact)
            and isinstance(tree.one, Query)
            and isinstance(tree.other, Query)
            and all(self._is_played(part, source, names) for part in (tree.one, tree.other))
        ):
            return self._difference(tree.one, tree.other, source, changes, axes)
        return combine(tree.sign, one, other)

    def _is_played(
        self, query: Query, source: str | None, names: Callable[[str], Any] | None
    ) -> bool:
        """True for a chance or mean of a scenario, whose trials can be paired with another's."""
        if names and query.source is None and names(query.value) is not None:
            return False
        name = query.source or source or self.first()
        return name in self.plan.scenarios and not query.value.startswith(SD)

    def _query(self, query: Query, source: str | None, changes: Changes, axes: Changes) -> Quantity:
        name = self.check(query.source or source or self.first())
        if name == DICE:
            return _dice(query.value)
        if name in self.plan.studies:
            found = self._of_study(name, query.value, (*changes, *query.changes), axes)
            self._note(found)
            return found
        base = self._base(name)
        self.asked.setdefault(name, base)
        fixed, free = self._axes(base, (*changes, *query.changes), axes)
        return self._over(base, query.value, fixed, free)

    def _axes(
        self, base: Scenario, changes: Changes, axes: Changes
    ) -> tuple[list[Axis], list[Axis]]:
        """Axes of one value, and those of several; changes of several values come first."""
        read = [read_axis(base, f"{path}={spec}") for path, spec in changes]
        last = {axis.path: axis for axis in read}  # the last change of a path counts
        free = [axis for axis in last.values() if len(axis.values) > 1]
        asked = [read_axis(base, f"{path}={spec}") for path, spec in axes]
        taken = {axis.path for axis in asked}
        fixed = [axis for axis in last.values() if len(axis.values) == 1 and axis.path not in taken]
        return fixed, [*(axis for axis in free if axis.path not in taken), *asked]

    def _over(self, base: Scenario, value: str, fixed: list[Axis], free: list[Axis]) -> Quantity:
        """A value of a scenario with changes, at every place of the free axes."""
        if not free:
            scenario = varied(base, *((axis, 0) for axis in fixed)) if fixed else base
            return _quantity([self._estimate(scenario, value)], (), _kind_of(value))
        shape = tuple(len(axis.values) for axis in free)

        def answer() -> dict[str, Any]:
            cells = []
            places = list(np.ndindex(*shape))
            for done, place in enumerate(places, start=1):
                steps = [*((axis, 0) for axis in fixed), *zip(free, place, strict=True)]
                scenario = varied(base, *steps)
                # a cell is kept with its grid, not by itself
                result = solve(scenario, **vars(self.plan.options))
                cells.append(_measure(result, value))
                if self.progress:
                    self.progress(done, len(places))
            return _quantity(cells, shape, _kind_of(value)).to_dict()

        key = self.key("grid", base, value=value, fixed=_plain(fixed), free=_plain(free))
        found = from_dict(self.cache.ask(key, answer))
        self._note(found)
        return found

    def _estimate(self, scenario: Scenario, value: str) -> Estimate:
        return _measure(self.result(scenario), value)

    def _difference(
        self, one: Query, other: Query, source: str | None, changes: Changes, axes: Changes
    ) -> Quantity:
        """A difference of estimates, judged by the trials that both played with the same luck."""
        bases, splits = [], []
        for query in (one, other):
            name = self.check(query.source or source or self.first())
            bases.append(self._base(name))
            splits.append(self._axes(bases[-1], (*changes, *query.changes), axes))
        shapes = [tuple(len(axis.values) for axis in free) for _, free in splits]
        if shapes[0] != shapes[1]:
            raise InputError("value: its parts are over axes of different lengths")
        options: dict[str, Any] = dict(vars(self.plan.options))

        def entry(which: int, place: tuple[int, ...]) -> Entry:
            fixed, free = splits[which]
            steps = [*((axis, 0) for axis in fixed), *zip(free, place, strict=True)]
            scenario = varied(bases[which], *steps) if steps else bases[which]
            return entry_of("", scenario, (one, other)[which].value, **options)

        def answer() -> dict[str, Any]:
            cells = []
            for place in np.ndindex(*shapes[0]):
                found = difference_of(entry(0, place), entry(1, place))
                engine = "exact" if found.how == "exact" else "sample"
                cells.append(Estimate(found.value, found.low, found.high, engine))
            kinds = [_kind_of(query.value) for query in (one, other)]
            kind: Kind = "points" if kinds == ["chance", "chance"] else "number"
            return _quantity(cells, shapes[0], kind).to_dict()

        parts = [
            {"hash": base.hash, "value": query.value, "fixed": _plain(fixed), "free": _plain(free)}
            for base, query, (fixed, free) in zip(bases, (one, other), splits, strict=True)
        ]
        found = from_dict(self.cache.ask(self.key("difference", bases[0], parts=parts), answer))
        self._note(found)
        return found

    def _of_study(self, name: str, value: str, changes: Changes, axes: Changes) -> Quantity:
        """A value of a finished study at one of its points, or over some of its axes."""
        study = self.study(name)
        self.asked.setdefault(name, study.scenario)
        fixed, free = self._axes(study.scenario, changes, axes)
        shape = tuple(len(axis.values) for axis in free)
        places = []
        for place in np.ndindex(*shape):
            steps = [*((axis, 0) for axis in fixed), *zip(free, place, strict=True)]
            places.append({axis.path: axis.values[at] for axis, at in steps})
        cells = study.at(value, places)
        return _quantity(cells, shape, _kind_of(value))

    def comparison(self, value: str, scenarios: Sequence[Scenario], names: list[str]) -> Comparison:
        """Scenarios compared by a value; kept as a whole, since differences need their trials."""
        found = compare(
            *scenarios, value=value, names=names, **vars(self.plan.options), progress=self.progress
        )
        self.engines |= {entry.estimate.engine for entry in found.entries}
        return found

    def reasons(self, scenario: Scenario, value: str) -> Why:
        """What matters most for a value."""
        return why(scenario, value, **vars(self.plan.options), progress=self.progress)

    def told(self, scenario: Scenario, trial: int, lang: str) -> list[Any]:
        """One trial step by step, in a language and its names of units."""
        return told(self.named(scenario, lang), self.plan.options.seed, trial, lang)

    def _note(self, found: Quantity) -> None:
        if found.exact.any():
            self.engines.add("exact")
        if not found.exact.all():
            self.engines.add("sample")

    def key(self, kind: str, scenario: Scenario, **more: Any) -> dict[str, Any]:
        """What an answer to a scenario depends on, for the cache."""
        return {
            "kind": kind,
            "scenario": scenario.hash,
            "ruleset": scenario.ruleset.name,
            "rules": rules_hash(scenario.ruleset.name),
            "options": self.plan.options.key(),
            **more,
        }


def _plain(axes: list[Axis]) -> list[Any]:
    return [[axis.path, [repr(value) for value in axis.values]] for axis in axes]


def _kind_of(value: str) -> Kind:
    return "number" if is_mean(value) or value.startswith(SD) else "chance"


def _measure(result: Result, value: str) -> Estimate:
    if value.startswith(SD):
        return _deviation(result, value.removeprefix(SD))
    return measure(result, value)


def _deviation(result: Result, name: str) -> Estimate:
    """Standard deviation of a quantity over the trials in which it arises, with its interval."""
    from chargesim.engine.stats import Z95

    part, found = quantity(result.views, name)
    weights = np.asarray(result.tallies[part].weights, float)
    if found.arises is not None:
        weights = weights * found.arises
    whole = float(weights.sum())
    if not whole > 0:
        return Estimate(nan, nan, nan, result.engine)
    off = found.values - float(weights @ found.values) / whole
    square = float(weights @ off**2) / whole
    spread = square**0.5
    if result.is_exact or spread == 0:
        return Estimate(spread, spread, spread, result.engine)
    # the delta method: the variance of a variance needs the fourth moment
    fourth = float(weights @ off**4) / whole
    error = Z95 * (max(fourth - square**2, 0.0) / whole) ** 0.5 / (2 * spread)
    return Estimate(spread, spread - error, spread + error, result.engine)


def _quantity(cells: list[Estimate], shape: tuple[int, ...], kind: Kind) -> Quantity:
    arrays = [
        np.array([getattr(cell, name) for cell in cells], float).reshape(shape)
        for name in ("value", "low", "high")
    ]
    exact = np.array([cell.is_exact for cell in cells], bool).reshape(shape)
    return of_parts([*arrays, exact], kind)


def _dice(text: str) -> Quantity:
    """The answer to a dice question: a chance, or ``mean:`` or ``sd:`` of a roll."""
    from chargesim.engine.odds import parse

    for begin in ("mean:", SD):
        if text.startswith(begin):
            answer = parse(text.removeprefix(begin)).answer()
            found = float(answer.mean) if begin == "mean:" else answer.standard_deviation
            return exactly(found)
    answer = parse(text).answer()
    if answer.probability is None:
        raise InputError(f"value: {text!r} is a roll: write mean:{text}, sd:{text} or {text}>=7")
    return exactly(float(answer.probability), "chance")
