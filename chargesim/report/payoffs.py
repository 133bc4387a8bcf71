"""Payoffs: each option of a charger against each reaction of its target, and the best of both."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Any, get_args

import chargesim
from chargesim.engine.choices import worth
from chargesim.errors import InputError
from chargesim.faults import ScenarioError, nearest
from chargesim.report.caveats import caveat_of
from chargesim.report.compare import EQUAL
from chargesim.report.result import Result, solve
from chargesim.report.result_json import SCHEMA, about
from chargesim.report.shown import Shown
from chargesim.report.values import Estimate, measure
from chargesim.rulesets import Choice
from chargesim.scenario import Scenario
from chargesim.study.axes import Axis, shown

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from chargesim.report.render import Document

MOST_LINES = 1_000
"""Most pairs of an option and a reaction that are answered."""
BEST = "best"
AND = " + "
"""Between several choices of one unit."""
DECLARED = "as declared"
"""Name of the only option where the charger has none that makes a difference."""
Options = Mapping[str, Mapping[str, Any]]
Option = tuple[dict[tuple[int, str], str], dict[str, Any]]
"""What is chosen, by place of the choice and who chooses; the changes that it means, by path."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Payoff:
    """What one option against one reaction is worth.

    Parameters
    ----------
    charger, target
        To the side that charges and to the side that is charged.
    allowed
        False where the rules put another reaction in the place of this one.
    """

    charger: Estimate
    target: Estimate
    allowed: bool


Cells = list[list[Payoff]]


class Payoffs(Shown):
    """A game of two moves: the charger takes an option, its target answers it.

    Parameters
    ----------
    scenario
        The question.
    unit
        The unit that reacts.
    value
        The expression that the charger wants to be great and its target small; ``None``: what each
        side plays for, its goal or the swing in points.
    options, replies
        Names of the charger's options and of the reactions.
    cells
        Payoffs, options by reactions.
    trials, seed
        Of the answers that were sampled.
    """

    def __init__(
        self,
        scenario: Scenario,
        unit: str,
        value: str | None,
        options: list[str],
        replies: list[str],
        cells: Cells,
        trials: int | None,
        seed: int | None,
    ) -> None:
        self.scenario, self.unit, self.value = scenario, unit, value
        self.options, self.replies, self.cells = options, replies, cells
        self.trials, self.seed = trials, seed

    @property
    def is_exact(self) -> bool:
        """True when no payoff is an estimate."""
        return self.trials is None

    @property
    def is_chance(self) -> bool:
        """True when the payoff is a probability."""
        return self.value is not None and not self.value.strip().startswith("mean:")

    @property
    def is_opposed(self) -> bool:
        """True when what one side gains the other loses, so that one number tells both."""
        return all(
            abs(cell.charger.value + cell.target.value) < 1e-9 for row in self.cells for cell in row
        )

    @property
    def best_replies(self) -> list[int]:
        """Place of the reaction that answers each option best, for the owner of the target."""
        return [
            _first([cell.target.value if cell.allowed else float("-inf") for cell in row])
            for row in self.cells
        ]

    @property
    def best_option(self) -> int:
        """Place of the option that is best for the charger when it is answered best."""
        replies = self.best_replies
        values = [row[reply].charger.value for row, reply in zip(self.cells, replies, strict=True)]
        return _first(values)

    @property
    def verdict(self) -> str:
        """What both do when both choose well, in a sentence."""
        from chargesim.report.payoffs_tables import verdict

        return verdict(self, "en")

    def frame(self, side: str = "charger") -> pd.DataFrame:
        """Payoffs to the ``"charger"`` or to the ``"target"``, options by reactions."""
        import pandas as pd

        return pd.DataFrame(
            [[getattr(cell, side).value for cell in row] for row in self.cells],
            index=pd.Index(self.options, name="option"),
            columns=pd.Index(self.replies, name=f"reaction of {self.unit}"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            **about(self.scenario),
            **caveat_of(self.scenario),
            "trials": self.trials,
            "seed": self.seed,
            "unit": self.unit,
            "value": self.value,
            "options": self.options,
            "replies": self.replies,
            "payoffs": [
                [
                    {
                        "charger": _plain(cell.charger),
                        "target": _plain(cell.target),
                        "allowed": cell.allowed,
                    }
                    for cell in row
                ]
                for row in self.cells
            ],
            "best_replies": [self.replies[place] for place in self.best_replies],
            "best_option": self.options[self.best_option],
            "verdict": self.verdict,
        }

    def plot(self, **options: Any) -> Axes:
        """Draw the table of payoffs with the best replies and the best option marked.

        Parameters
        ----------
        **options
            ``ax``, ``lang``, as in :mod:`chargesim.report.figures_outcomes`.
        """
        from chargesim.report.figures_outcomes import payoffs

        return payoffs(self, **options)

    def _document(self) -> Document:
        from chargesim.report.payoffs_tables import payoffs_document

        return payoffs_document(self, "en")

    def __repr__(self) -> str:
        return f"Payoffs({self.verdict})"


def _first(values: list[float]) -> int:
    """Place of the greatest, the first of those that are equal."""
    most = max(values)
    return next(i for i, value in enumerate(values) if value >= most - EQUAL)


def _plain(cell: Estimate) -> dict[str, float]:
    return {"value": cell.value, "low": cell.low, "high": cell.high}


def payoffs(
    scenario: Scenario,
    options: Options | Axis | None = None,
    *,
    unit: str | None = None,
    value: str | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Payoffs:
    """Play every option of a charger against every reaction of its target.

    Parameters
    ----------
    scenario
        The question. Choices of others that it leaves open are made for each pair anew.
    options
        Name of each option of the charger and the changes to the scenario that it means, by path;
        or an axis. By default everything that the rules leave to the side that charges.
    unit
        The unit that reacts; by default the target of the first charge.
    value
        An outcome, or ``mean:`` and a quantity, that the charger wants to be great and the target
        small. By default each side plays for its ``[goal]``, or for the swing in points: the
        expected worth of enemies destroyed or fleeing after the round, less that of its own.
    progress
        Called with (pairs answered, pairs).
    **settings
        ``engine``, ``trials``, ``seed``, ``threads``, ``max_states`` as for
        :func:`chargesim.solve`; all pairs share their luck.

    Returns
    -------
    Payoffs

    Raises
    ------
    InputError
        For a unit that nobody charges, an option that cannot stand, an undefined payoff, or too
        many pairs.
    """
    unit = reacting(scenario, unit)
    replies = reactions(scenario, unit)
    named = _named(scenario, unit, options)
    if len(named) * len(replies) > MOST_LINES:
        raise InputError(
            f"options: {len(named)} of them against {len(replies)} reactions are too many: at most "
            f"{MOST_LINES:,} pairs"
        )
    questions = [
        [
            _varied(scenario, _name(line), {**changes, **reply}, f"{unit}: {answer}")
            for answer, reply in replies
        ]
        for line, changes in named
    ]
    cells: Cells = []
    sampled: list[Result] = []
    pairs = len(named) * len(replies)
    for row in questions:
        cells.append([])
        for (answer, _), question in zip(replies, row, strict=True):
            result = solve(question, **settings)
            sampled += [] if result.is_exact else [result]
            ends = _ends(result, unit, value)
            cells[-1].append(Payoff(*ends, _is_allowed(result, unit, answer)))
            if progress:
                progress(sum(map(len, cells)), pairs)
    trials = max((int(result.trials or 0) for result in sampled), default=None)
    seed = sampled[0].seed if sampled else None
    if options is None:
        named, cells = _that_matter(named, cells)
    names = [_name(option) for option, _ in named]
    answers = [name for name, _ in replies]
    return Payoffs(scenario, unit, value, names, answers, cells, trials, seed)


def reacting(scenario: Scenario, unit: str | None) -> str:
    """The unit that reacts: one that somebody charges, the first where none is named.

    Raises
    ------
    InputError
        When nobody charges it.
    """
    charges = scenario.model.charge
    several = [getattr(charge, "targets", None) or (charge.target,) for charge in charges]
    targets = list(dict.fromkeys(name for names in several for name in names if name))
    if unit is None and targets:
        return str(targets[0])
    if unit not in targets:
        raise InputError(f"unit: nobody charges {unit!r}{nearest(str(unit), targets)}")
    return str(unit)


def reactions(scenario: Scenario, unit: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every reaction that a unit may declare, with the changes that it means.

    Raises
    ------
    InputError
        When nobody charges it, or it has none to choose from.
    """
    path = f"reaction.{unit}"
    asked = _left_open(scenario, path)
    for choice in [] if asked is None else asked.choices:
        if _sets(choice, path):
            return choice.options
    raise InputError(f"unit: {unit!r} has no reactions to choose from")


def _left_open(scenario: Scenario, path: str) -> Scenario | None:
    """The question with one more choice left open; ``None`` when it cannot be."""
    try:
        return scenario.replace(**{path: BEST})
    except ScenarioError:
        return None


def _sets(choice: Choice, path: str) -> bool:
    """True for the choice that a path is about."""
    return any(path in changes for _, changes in choice.options)


def _named(scenario: Scenario, unit: str, options: Options | Axis | None) -> list[Option]:
    """Options of the charger: what is chosen, by whom, and the changes that it means."""
    if isinstance(options, Axis):
        return [
            (
                {(0, options.path): f"{options.path} = {shown(value)}"},
                options.changes(scenario, place),
            )
            for place, value in enumerate(options.values)
        ]
    if options is not None:
        if not options:
            raise InputError("options: there is none: name at least one, and its changes")
        return [({(0, name): name}, dict(changes)) for name, changes in options.items()]
    return _own(scenario, unit)


def _own(scenario: Scenario, unit: str) -> list[Option]:
    """What the rules leave to the side that charges, each combination an option."""
    side, paths = _other_side(scenario, unit), []
    for path, field in scenario.paths.items():
        if field is None or path.startswith("reaction.") or not _may_be_best(field.annotation):
            continue
        asked = _left_open(scenario, path)
        if asked is not None and any(
            choice.side == side and _sets(choice, path) for choice in asked.choices
        ):
            scenario = asked
            paths.append(path)
    choices = [choice for choice in scenario.choices if any(_sets(choice, path) for path in paths)]
    found: list[Option] = []
    for line in itertools.product(*(choice.options for choice in choices)):
        chosen: dict[tuple[int, str], str] = {}
        changes: dict[str, Any] = {}
        for place, (choice, (name, change)) in enumerate(zip(choices, line, strict=True)):
            chosen[place, choice.unit] = name
            changes |= change
        found.append((chosen, changes))
    return found


def _may_be_best(kind: Any) -> bool:
    return BEST in get_args(kind) or any(_may_be_best(inner) for inner in get_args(kind))


def _that_matter(options: list[Option], cells: Cells) -> tuple[list[Option], Cells]:
    """Leave out the choices that never make a difference."""
    for choice in list(options[0][0]):
        rows: dict[str, int] = {}
        alike = True
        for i, (line, _) in enumerate(options):
            rest = repr({key: name for key, name in line.items() if key != choice})
            alike = alike and _same(cells[rows.setdefault(rest, i)], cells[i])
        if alike:
            kept = sorted(rows.values())
            options = [
                ({k: v for k, v in options[i][0].items() if k != choice}, options[i][1])
                for i in kept
            ]
            cells = [cells[i] for i in kept]
    return options, cells


def _same(row: list[Payoff], other: list[Payoff]) -> bool:
    pairs = [
        (getattr(one, side), getattr(two, side))
        for one, two in zip(row, other, strict=True)
        for side in ("charger", "target")
    ]
    return all(
        isclose(a, b, abs_tol=EQUAL)
        for one, two in pairs
        for a, b in ((one.value, two.value), (one.low, two.low), (one.high, two.high))
    )


def _name(line: Mapping[tuple[int, str], str]) -> str:
    """An option for files and people: who does what, or just what where it is one unit."""
    by_unit: dict[str, list[str]] = {}
    for (_, who), what in line.items():
        by_unit.setdefault(who, []).append(what)
    texts = {who: AND.join(whats) for who, whats in by_unit.items()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    return ", ".join(f"{who}: {what}" for who, what in texts.items()) or DECLARED


def _varied(scenario: Scenario, name: str, changes: dict[str, Any], answer: str) -> Scenario:
    try:
        return scenario.replace(**changes)
    except ScenarioError as error:
        faults = "\n".join(f"  {fault}" for fault in error.faults)
        raise InputError(f"options: {name!r} against {answer} cannot stand\n{faults}") from None


def _other_side(scenario: Scenario, unit: str) -> str:
    """The side that charges a unit."""
    return "active" if scenario.model.unit[unit].side == "reactive" else "reactive"


def _ends(result: Result, unit: str, value: str | None) -> tuple[Estimate, Estimate]:
    """What an answer is worth to the charger and to its target."""
    if value is None:
        owners = (_other_side(result.scenario, unit), result.scenario.model.unit[unit].side)
        sides = [worth(result.played, list(result.tallies), side) for side in owners]
        one, other = (
            Estimate(v.mean, v.mean - v.error, v.mean + v.error, result.engine) for v in sides
        )
        return one, other
    found = measure(result, value)
    if found.value != found.value:
        raise InputError(f"value: {value!r} is undefined in {result.scenario.title!r}")
    return found, Estimate(-found.value, -found.high, -found.low, found.engine)


def _is_allowed(result: Result, unit: str, answer: str) -> bool:
    """False for a reaction in whose place the rules put another."""
    reaction = answer.split(" ")[0]
    if reaction not in result.scenario.ruleset.reactions:
        return True
    views = [view for _, view in result.charges if view.labels["target"] == unit]
    return all(view.labels["reaction"] == reaction for view in views)
