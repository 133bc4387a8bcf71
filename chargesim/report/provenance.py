"""Where numbers come from: engine, trials and seed, versions and hashes, switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chargesim.report.caveats import caveats
from chargesim.report.render import number
from chargesim.words import translation

if TYPE_CHECKING:
    from chargesim.report.result import Result
    from chargesim.scenario import Scenario


def foot_lines(result: Result, lang: str) -> tuple[str, ...]:
    """What stands under a figure: what must be said of its numbers, and how they were made."""
    return (*caveats([result.scenario], lang), *source_lines(result, lang)[:2])


def source_lines(result: Result, lang: str) -> tuple[str, ...]:
    """How the numbers were made: engine, trials, seed, versions, hashes, switches."""
    say = translation("chargesim", lang).gettext
    lines = (
        made_by(result.trials, result.seed, lang),
        *provenance(result.scenario, lang),
    )
    if len(result.tallies) == 1:
        return lines
    parts = say("{parts} groups of units cannot influence each other and were solved apart.")
    return (*lines, parts.format(parts=len(result.tallies)))


def made_by(trials: int | None, seed: int | None, lang: str, *, mean: bool = False) -> str:
    """Which engine made the numbers, chances or means; ``trials`` is ``None`` when exact."""
    say = translation("chargesim", lang).gettext
    if trials is None:
        return say("Exact: every outcome enumerated, nothing sampled (no seed used).")
    text = (
        say("Sampled: {trials} trials, seed {seed}, normal intervals (95 %).")
        if mean
        else say("Sampled: {trials} trials, seed {seed}, Wilson intervals (95 %).")
    )
    return text.format(trials=number(float(trials), 0, lang), seed=seed)


def provenance(scenario: Scenario, lang: str) -> tuple[str, str]:
    """Versions, hashes and switches of a scenario."""
    from chargesim.kernels.jit import rules_hash

    ruleset = scenario.ruleset
    names = (ruleset.name, ruleset.version, rules_hash(ruleset.name), scenario.hash)
    return origin(*names, scenario.switches, lang)


def origin(
    ruleset: str, version: int, rules: str, scenario: str, switches: dict[str, Any], lang: str
) -> tuple[str, str]:
    """Where numbers come from: versions, hashes and switches."""
    say = translation("chargesim", lang).gettext
    told = say("Ruleset {name}, version {version}, rules {rules}, scenario {scenario}.").format(
        name=ruleset, version=version, rules=rules[:12], scenario=scenario[:12]
    )
    values = ", ".join(f"{k} = {_switch(v)}" for k, v in switches.items())
    return told, say("Switches: {switches}.").format(switches=values)


def ruleset_line(scenario: Scenario, lang: str) -> str:
    """Ruleset and version of several scenarios, where each has a hash of its own."""
    from chargesim.kernels.jit import rules_hash

    text = translation("chargesim", lang).gettext(
        "Ruleset {name}, version {version}, rules {rules}."
    )
    ruleset = scenario.ruleset
    rules = rules_hash(ruleset.name)[:12]
    return text.format(name=ruleset.name, version=ruleset.version, rules=rules)


def _switch(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
