"""The plan of a study: its jobs, the hashes that name it, what it will take."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, prod
from time import perf_counter
from typing import Any

import chargesim
from chargesim.engine import exact
from chargesim.engine.exact import MAX_STATES, ExactLimitError
from chargesim.engine.plan import make_plan as plan_of
from chargesim.engine.sample import FIRST_TRIALS, sample_whole
from chargesim.errors import InputError
from chargesim.scenario import Scenario
from chargesim.study.answers import Answer, Question, answers, fault_of, question_of
from chargesim.study.axes import Axis, shown
from chargesim.study.design import Design
from chargesim.study.file import Study
from chargesim.study.sheets import column_type, encode, schema_of, sheet_of
from chargesim.study.store import SCHEMA
from chargesim.words import LANGUAGES

JOB = 3e8
"""Nanoseconds that a job should take at the least, by the costs below."""
MOST_IN_JOB = 4096
"""Most points of a job."""
_POINT, _STATE, _TRIAL, _RULES = 6e4, 2e2, 3e0, 3e2
"""Nanoseconds of a point, of a state of a phase, and of a trial by a plan or by the rules: about
what they take. Jobs are cut by counts and these numbers, never by the clock, so that every machine
cuts alike."""
PROBES = 48
"""Points that are answered to forecast a study."""
_PATIENCE = 3.0
"""Seconds that a forecast takes at the most, once it has answered a point."""
_LOOK = 2_000
"""Points among which one must stand."""


@dataclass(frozen=True)
class Plan:
    """What is to be done for a study.

    Parameters
    ----------
    study
        The study.
    question
        What is asked of each point.
    size
        Points of a job, all but the last.
    """

    study: Study
    question: Question
    size: int

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.study.design.count

    @property
    def jobs(self) -> int:
        """How many jobs there are."""
        return -(-self.points // self.size)

    def span(self, job: int) -> tuple[int, int]:
        """First point of a job, and the one after its last."""
        return job * self.size, min((job + 1) * self.size, self.points)

    @property
    def question_hash(self) -> str:
        """Hash of what decides the numbers of a point with given values and trials."""
        study, ruleset = self.study, self.study.scenario.ruleset
        luck = () if study.engine == "exact" else (study.seed, study.luck)
        return _hash(
            {
                "ruleset": ruleset.name,
                "ruleset_version": ruleset.version,
                "rules_hash": self.question.rules_hash,
                "scenario_hash": study.scenario.hash,
                "axes": [[axis.path, str(column_type(axis.values))] for axis in study.axes],
                "engine": study.engine,
                "luck": luck,
                "keep": study.keep,
                "until": study.until,
                "max_states": study.max_states,
                "store": SCHEMA,
            }
        )

    @property
    def hash(self) -> str:
        """Hash of the study: of the question, its points, trials and jobs."""
        study = self.study
        return _hash(
            {
                "question": self.question_hash,
                "design": study.design.kind,
                "lhs": (study.design.count, study.seed) if study.design.kind == "lhs" else (),
                "axes": [[axis.path, axis.values] for axis in study.axes],
                "trials": None if study.engine == "exact" else study.trials,
                "precision": None if study.engine == "exact" else study.precision,
                "size": self.size,
            }
        )

    def manifest(self, files: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """What the store says of the study.

        Parameters
        ----------
        files
            Name, checksum and contents of each, when all are there.
        """
        study = self.study
        scenario = study.scenario
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "title": study.title,
            "hash": self.hash,
            "question_hash": self.question_hash,
            "ruleset": scenario.ruleset.name,
            "ruleset_version": scenario.ruleset.version,
            "rules_hash": self.question.rules_hash,
            "scenario_hash": scenario.hash,
            "switches": scenario.switches,
            "caveat": {lang: scenario.caveat(lang) for lang in LANGUAGES},
            "scenario": scenario.whole_tables,
            "charges": _charges(scenario),
            "engine": study.engine,
            "trials": study.trials,
            "precision": study.precision,
            "seed": study.seed,
            "luck": study.luck,
            "keep": study.keep,
            "until": study.until,
            "max_states": study.max_states,
            "design": study.design.kind,
            "points": self.points,
            "points_a_job": self.size,
            "jobs": self.jobs,
            "axes": [{"path": axis.path, "values": list(axis.values)} for axis in study.axes],
            "is_complete": files is not None,
            "files": files or [],
        }


def _charges(scenario: Scenario) -> list[dict[str, Any]]:
    """Number, charger and target of the charges of a scenario."""
    for choice in scenario.choices:
        scenario = scenario.replace(**choice.options[0][1])
    found = {
        number: view.labels
        for part in scenario.parts
        for tally in sample_whole(part, 1, threads=1)
        for number, view in tally.reading.charges.items()
    }
    return [
        {"number": number, "charger": labels["charger"], "target": labels["target"]}
        for number, labels in sorted(found.items())
    ]


def design_in(manifest: Mapping[str, Any]) -> Design:
    """The design that a manifest tells of."""
    axes = [Axis(axis["path"], tuple(axis["values"])) for axis in manifest["axes"]]
    return Design(manifest["design"], axes, manifest["points"], manifest["seed"])


def _hash(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def make_plan(study: Study) -> Plan:
    """Cut a study into jobs.

    Raises
    ------
    InputError
        When no point of it can stand.
    """
    plan = Plan(study, question_of(study), _points_in_job(study))
    _check_some_stand(plan)
    return plan


def _points_in_job(study: Study) -> int:
    return min(max(ceil(JOB / _cost(study)), 1), MOST_IN_JOB)


def seconds(plan: Plan) -> float:
    """About how long all of it takes on one core, by the costs that jobs are cut by."""
    return _cost(plan.study) * plan.points * 1e-9


def _cost(study: Study) -> float:
    """Nanoseconds of a point, as far as the base scenario tells."""
    scenario = study.scenario
    lines = prod(len(choice.options) for choice in scenario.choices)
    parts = scenario.parts
    if study.until is not None:
        parts = [part.until(study.until) for part in parts]
    states: float = 0
    if study.engine != "sample" and not scenario.choices:
        try:
            tallies = [exact.solve(part, max_states=study.max_states) for part in parts]
            return _POINT + _STATE * sum(sum(tally.sizes) for tally in tallies)
        except ExactLimitError:
            states = float(study.max_states or MAX_STATES)
            if study.engine == "exact":
                return _POINT + _STATE * states
    trials = study.trials or FIRST_TRIALS
    each = sum(_TRIAL if plan_of(part) else _RULES for part in parts)
    return _POINT + _STATE * states + trials * each * lines


def _check_some_stand(plan: Plan) -> None:
    """Refuse a study in which not one point of many stands, and say of which axis that comes."""
    study = plan.study
    paths = plan.question.paths
    for number in study.design.spread(_LOOK):
        (row,) = study.design.rows(number, number + 1)
        if fault_of(study.scenario, paths, row) is None:
            return
    told = []
    for axis in study.axes:
        faults = [fault_of(study.scenario, (axis.path,), (value,)) for value in axis.values[:_LOOK]]
        if all(faults):
            values = ", ".join(shown(value) for value in axis.values[:3])
            more = ", …" if len(axis.values) > 3 else ""
            told.append(f'  axes."{axis.path}": none of {values}{more} can stand: {faults[0]}')
    if not told and study.design.count > _LOOK:
        return  # somewhere among the others there may be one
    if not told:
        (row,) = study.design.rows(0, 1)
        told = [f"  {_where(paths, row)}: {fault_of(study.scenario, paths, row)}"]
    raise InputError("\n".join([f"{study.title}: no point of this study can stand", *told]))


def _where(paths: tuple[str, ...], row: tuple[Any, ...]) -> str:
    return ", ".join(f"{path} = {shown(v)}" for path, v in zip(paths, row, strict=True))


@dataclass(frozen=True)
class Forecast:
    """What a study will take, from some of its points.

    Parameters
    ----------
    plan
        Of the study.
    probed
        Answers to some points, spread over all.
    seconds
        On one core.
    bytes
        Of all files.
    """

    plan: Plan
    probed: list[Answer]
    seconds: float
    bytes: int

    @property
    def failed(self) -> list[Answer]:
        """Probed points that cannot be answered."""
        return [one for one in self.probed if one.error]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        plan = self.plan
        manifest = plan.manifest()
        left_out = ("is_complete", "files", "scenario", "caveat", "charges")
        return {
            **{key: value for key, value in manifest.items() if key not in left_out},
            "seconds_on_one_core": self.seconds,
            "bytes": self.bytes,
            "probed": {
                "points": len(self.probed),
                "failed": len(self.failed),
                "sampled": sum(one.trials is not None for one in self.probed),
            },
        }


def forecast(plan: Plan) -> Forecast:
    """Answer some points, and reckon from them what the whole study will take."""
    # neighbours, as in a job: how many of their numbers are the same decides the size
    places = [first + i for first in plan.study.design.spread(3) for i in range(PROBES // 3)]
    numbers = sorted({place for place in places if place < plan.points})
    probed: list[Answer] = []
    begun = perf_counter()
    each = 0.0
    while len(probed) < len(numbers) and (not probed or perf_counter() - begun < _PATIENCE):
        # ever more at a time: the first compile, and together they take less than one by one
        more = numbers[len(probed) : 2 * len(probed) + 1]
        start = perf_counter()
        found = list(answers(plan.question, _points(plan.study.design, more)))
        each = (perf_counter() - start) / len(found)
        probed += found
    return Forecast(plan, probed, each * plan.points, _size(plan, probed))


def _size(plan: Plan, probed: list[Answer]) -> int:
    """Bytes of all files: what a file has beside its points, and what the points have."""
    schema = schema_of(plan.study.axes)
    some = probed[: len(probed) // 2]
    fewer, more = (len(encode(*sheet_of(group, schema))) for group in (some, probed))
    slope = (more - fewer) / max(len(probed) - len(some), 1)
    head = max(more - slope * len(probed), 0.0)
    return round(head * plan.jobs + slope * plan.points)


def _points(design: Design, numbers: list[int]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    return ((number, design.rows(number, number + 1)[0]) for number in numbers)
