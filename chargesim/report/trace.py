"""One trial told step by step, and the notes that go with a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chargesim.engine.sample import check_seed
from chargesim.errors import InputError
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    from chargesim.report.result import Result

MOST_TRIAL = 10**12


def told(scenario: Scenario, seed: int = 0, trial: int = 0, lang: str = "en") -> list[Any]:
    """Play one trial by the compiled rules and have the ruleset tell its log.

    Of choices that the scenario leaves open the best is played.

    Parameters
    ----------
    scenario
        The question.
    seed
        0 to 2**64 - 1.
    trial
        Number of the trial, from 0; the same that a sample of this seed plays.
    lang
        ``"en"`` or ``"es"``.

    Returns
    -------
    list
        The ruleset's lines, each with rule, text, dice, unit, level and ``is_note``.

    Raises
    ------
    InputError
        For a trial or seed out of range.
    """
    check_seed(seed)
    if not 0 <= trial < MOST_TRIAL:
        raise InputError(f"trial: {trial} is none: from 0 to {MOST_TRIAL - 1:,}")
    if scenario.choices:
        from chargesim.report.result import solve  # which needs this module for its notes

        scenario = solve(scenario).played
    log = next(logs(scenario, seed, range(trial, trial + 1)))
    lines: list[Any] = scenario.ruleset.tell(log, scenario.model, scenario.unit_names, lang)
    return lines


def logs(scenario: Scenario, seed: int, trials: range) -> Iterator[Any]:
    """Play trials by the compiled rules and give the log of each, int64, shape (rows, 12)."""
    from chargesim.kernels.dice import Mode, new_dice, supply
    from chargesim.kernels.words import set_trial

    dice = new_dice(Mode.TRACE, seed)[0]
    # step by step: the exact engine has the step in memory, and it need not wait for the whole play
    step, _ = scenario.ruleset.kernels()
    for trial in trials:
        set_trial(dice, trial)
        while True:
            dice["logged"] = 0
            game = scenario.whole.game()[0]
            while not game["head"]["done"]:
                step(game, dice)
            if not dice["wanting"]:
                break
            supply(dice)
        yield dice["log"][: int(dice["logged"])].copy()


def trace(scenario: Scenario, seed: int = 0, trial: int = 0, lang: str = "en") -> str:
    """Tell one trial as a referee would: rule, dice, modifiers, target number, consequence.

    Parameters and errors as for :func:`told`.

    Returns
    -------
    str
        Several lines of text.
    """
    lines: list[str] = []
    for line in told(scenario, seed, trial, lang):
        if line.level == 0:
            lines.append(("" if not lines else "\n") + line.text)
        else:
            rule = f"[{line.rule}]" if line.rule else ""
            lines.append(f"{'  ' * line.level}{rule:<17} {line.text}")
    return "\n".join(lines)


NOTED_TRIALS = 32
"""Trials looked through for notes: some arise only in what not every trial comes to."""


def notes(result: Result, lang: str = "en") -> list[dict[str, Any]]:
    """What the rules replaced in this scenario, as the contract's ``notes``.

    The charge of a note is the first that its unit makes or receives, 0 where there is none.
    """
    from chargesim.kernels.dice import NOTE

    scenario = result.played
    charges: dict[str | None, int] = {}
    for place, (_, view) in enumerate(result.charges):
        for unit in (view.labels["charger"], view.labels["target"]):
            charges.setdefault(unit, place)
    found: list[dict[str, Any]] = []
    heard: set[int] = set()
    for log in logs(scenario, 0, range(NOTED_TRIALS)):
        events = {int(event) for event in log[log[:, 0] == NOTE, 1]}
        if events <= heard:
            continue
        heard |= events
        for line in scenario.ruleset.tell(log, scenario.model, scenario.unit_names, lang):
            if line.is_note:
                note = {
                    "unit": line.unit,
                    "charge": charges.get(line.unit, 0),
                    "rule": line.rule,
                    "text": line.text,
                }
                if note not in found:
                    found.append(note)
    return found
