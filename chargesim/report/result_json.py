"""The JSON form of a result, and what the JSON forms of all answers begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import chargesim

if TYPE_CHECKING:
    from chargesim.report.result import Result
    from chargesim.rulesets import Quantity, View
    from chargesim.scenario import Scenario

SCHEMA = 1
"""Version of the JSON form."""
_BARE = ("impact_hits", "impact_wounds", "wounds_left")
"""Quantities that few charges and units have: ``{}`` where they always are 0."""


def about(scenario: Scenario) -> dict[str, Any]:
    """What the JSON form of any answer says of its question."""
    from chargesim.kernels.jit import rules_hash

    return {
        "ruleset": scenario.ruleset.name,
        "ruleset_version": scenario.ruleset.version,
        "title": scenario.title,
        "scenario_hash": scenario.hash,
        "rules_hash": rules_hash(scenario.ruleset.name),
        "switches": scenario.switches,
    }


def heading(result: Result) -> dict[str, Any]:
    """What the JSON form of anything about a result begins with."""
    made = {"engine": result.engine, "trials": result.trials, "seed": result.seed}
    return {
        "chargesim": chargesim.__version__,
        "schema": SCHEMA,
        **about(result.scenario),
        **made,
    }


def json_form(result: Result) -> dict[str, Any]:
    """The JSON form of the contract: plain numbers, nothing rounded."""
    return {
        **heading(result),
        "charges": [_charge(result, *one) for one in result.charges],
        "combats": [_combat(result, *one) for one in result.combats],
        "units": {name: _unit(result, *one) for name, one in result.units.items()},
        "notes": result.notes,
        "alternatives": result.alternatives,
        "mass_defect": result.mass_defect,
    }


def _outcome(result: Result, part: int, view: View) -> dict[str, dict[str, float]]:
    return {
        word: {"p": p, "low": low, "high": high}
        for word, (p, low, high) in result.words(part, view).items()
    }


def _charge(result: Result, part: int, view: View) -> dict[str, Any]:
    content = {
        **view.labels,
        "outcome": _outcome(result, part, view),
        **{name: _spread(result, name, part, found) for name, found in view.quantities.items()},
        **{name: result.chance(part, flag)[0] for name, flag in view.flags.items()},
    }
    if view.within:
        content["redirect"] = [_charge(result, part, inner) for inner in view.within.values()]
    return content


def _combat(result: Result, part: int, view: View) -> dict[str, Any]:
    return {
        **view.labels,
        "outcome": _outcome(result, part, view),
        **{name: _spread(result, name, part, found) for name, found in view.quantities.items()},
    }


def _unit(result: Result, part: int, view: View) -> dict[str, Any]:
    content = {name: _spread(result, name, part, found) for name, found in view.quantities.items()}
    told = result.scenario.ruleset.told["unit"]
    for name in told.spreads:
        if name not in told.optional:
            content.setdefault(name, {})
    facts = {name: result.chance(part, flag)[0] for name, flag in view.flags.items()}
    states = {word: p for word, (p, _, _) in result.words(part, view).items()}
    return {**content, **facts, "state": states}


def _spread(result: Result, name: str, part: int, found: Quantity) -> dict[str, float]:
    if name in _BARE and not found.values.any():
        return {}
    return {str(value): p for value, (p, _, _) in result.spread(part, found).items()}
