"""One trial told step by step, and the notes that go with a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chargesim.engine.sample import check_seed
from chargesim.errors import InputError
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    from chargesim.report.result import Result

MOST_TRIAL = 10**12


def told(scenario: Scenario, seed: int = 0, trial: int = 0, lang: str = "en") -> list[Any]:
    """Play one trial by the compiled rules and have the ruleset tell its log.

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
    from chargesim.kernels.dice import Mode, new_dice, set_trial, supply

    check_seed(seed)
    if not 0 <= trial < MOST_TRIAL:
        raise InputError(f"trial: {trial} is none: from 0 to {MOST_TRIAL - 1:,}")
    dice = new_dice(Mode.TRACE, seed)[0]
    set_trial(dice, trial)
    _, play = scenario.ruleset.kernels()
    while True:
        dice["logged"] = 0
        play(scenario.game()[0], dice)
        if not dice["wanting"]:
            break
        supply(dice)
    log = dice["log"][: int(dice["logged"])]
    lines: list[Any] = scenario.ruleset.tell(log, scenario.model, scenario.unit_names, lang)
    return lines


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


def notes(result: Result, lang: str = "en") -> list[dict[str, Any]]:
    """What the rules replaced in this scenario, as the contract's ``notes``.

    They are taken from trial 0: what they speak of does not depend on luck, except where an
    estimated distance makes the reaction vary; then nothing is said of it.
    """
    found: list[dict[str, Any]] = []
    varies = any(
        len({int(code) for code in _reactions(result, c)}) > 1
        for c in range(result.scenario.charges)
    )
    for line in told(result.scenario, 0, 0, lang):
        if line.is_note and not varies:
            note = {"unit": line.unit, "charge": 0, "rule": line.rule, "text": line.text}
            if note not in found:
                found.append(note)
    return found


def _reactions(result: Result, c: int) -> Any:
    return result.tally.games(result.scenario)["charges"][:, c]["reaction"]
