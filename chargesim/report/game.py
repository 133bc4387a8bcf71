"""The game of declarations of a scenario: who may charge whom, and what it is best to declare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import chargesim
from chargesim import rulesets
from chargesim.engine.play import ENGINES
from chargesim.engine.sample import check_seed
from chargesim.errors import InputError
from chargesim.report.result_json import SCHEMA
from chargesim.report.shown import Shown
from chargesim.rulesets.games import Game, Opening, Step, Target
from chargesim.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from chargesim.report.render import Document

MOST_TRIALS = 1_000_000
"""Places that are drawn, or games that policies play, at most."""


class Plan(Shown):
    """What the sides of a scenario had best declare; made by :func:`plan`.

    Parameters
    ----------
    scenario
        The question.
    game
        Its game of declarations, solved or played by policies.
    targets
        Who may charge whom, and why not, in the language that was asked for.
    """

    def __init__(self, scenario: Scenario, game: Game, targets: list[Target]) -> None:
        self.scenario, self.game, self.targets = scenario, game, targets

    @property
    def value(self) -> float:
        """Expected worth of enemy units lost, less one's own, to the active side."""
        return self.game.value.mean

    @property
    def line(self) -> tuple[Step, ...]:
        """The line of play, or the likeliest."""
        return self.game.lines[0].steps

    @property
    def is_exact(self) -> bool:
        """True when no number in it is an estimate."""
        return self.game.trials is None

    def rows(self) -> list[dict[str, Any]]:
        """One row a declaration that a side could begin with."""
        return [_opening(opening) for opening in self.game.openings]

    def table(self) -> pd.DataFrame:
        """What :meth:`rows` says as a frame; declarations as texts."""
        import pandas as pd

        from chargesim.report.game_tables import step_text

        shown = [
            {
                **{k: v for k, v in row.items() if k not in ("reply", "better", "marks")},
                "reply": "" if one.reply is None else step_text(one.reply, "en"),
                "better": "" if one.better is None else step_text(one.better, "en"),
            }
            for row, one in zip(self.rows(), self.game.openings, strict=True)
        ]
        return pd.DataFrame(shown)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        from chargesim.kernels.jit import rules_hash

        scenario, game = self.scenario, self.game
        caveat = scenario.caveat("en")
        return {
            "chargesim": chargesim.__version__,
            "schema": SCHEMA,
            "ruleset": scenario.ruleset.name,
            "ruleset_version": scenario.ruleset.version,
            "title": scenario.title,
            "engine": "exact" if self.is_exact else "sample",
            "trials": game.trials,
            "seed": game.seed,
            "policies": None if game.policies is None else list(game.policies),
            "scenario_hash": scenario.hash,
            "rules_hash": rules_hash(scenario.ruleset.name),
            "switches": scenario.switches,
            **({"caveat": caveat} if caveat else {}),
            **dict(zip(("value", "low", "high"), asdict(game.value).values(), strict=True)),
            "complete_lines": game.complete,
            "positions": game.positions,
            "lines": [
                {"chance": line.chance, "steps": [asdict(step) for step in line.steps]}
                for line in game.lines
            ],
            "openings": self.rows(),
            "targets": [
                {
                    **{k: v for k, v in asdict(target).items() if k != "reasons"},
                    "reasons": [
                        {"rule": rule, "text": text, "chance": chance}
                        for rule, text, chance in target.reasons
                    ],
                }
                for target in self.targets
            ],
        }

    def plot(self, lang: str = "en") -> Figure:
        """Draw the line of play on the map, and what each declaration is worth beside it."""
        from chargesim.report.figures_games import game_picture

        return game_picture(self, lang)

    def _document(self) -> Document:
        from chargesim.report.game_tables import game_document

        return game_document(self, "en")

    def __repr__(self) -> str:
        by = "exact" if self.is_exact else f"{self.game.trials:,} trials, seed {self.game.seed}"
        return f"Plan({self.scenario.title!r}, value {self.value:.4g}, {by})"


def _opening(opening: Opening) -> dict[str, Any]:
    """A declaration as a flat row; replies as they are."""
    value = opening.value
    return {
        **asdict(opening.step),
        "chance": opening.chance,
        "value": value.mean,
        "low": value.low,
        "high": value.high,
        "mark": opening.mark or None,
        "marks": opening.marks,
        "reply": None if opening.reply is None else asdict(opening.reply),
        "reply_value": opening.reply_value,
        "better": None if opening.better is None else asdict(opening.better),
    }


def read_policies(text: str) -> tuple[str, str]:
    """Read the policies of both sides, such as ``greedy`` or ``greedy,cautious``.

    Raises
    ------
    InputError
        When they are unknown, or more than two.
    """
    from chargesim.faults import nearest
    from chargesim.rulesets.games import POLICIES

    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in POLICIES:
            raise InputError(f"policies: {word!r} is none" + nearest(word, POLICIES))
    if len(words) > 2:
        raise InputError(f"policies: {text!r} has {len(words)}: one for both sides, or one each")
    return words[0], words[-1]


def plan(
    scenario: Scenario,
    engine: str = "auto",
    trials: int | None = None,
    policies: str | tuple[str, str] | None = None,
    seed: int = 0,
    max_states: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    lang: str = "en",
) -> Plan:
    """Solve the game of declarations of a scenario: what each side had best declare.

    Nothing is hidden from either side, so both can reckon with each other's best answers. The
    charges and reactions that the scenario means are not looked at. Where places or Moves are
    uncertain, both sides see where everybody stands before they declare, and the value is the mean
    over what may be: over all of it where that is little, else over a sample.

    Parameters
    ----------
    scenario
        The question, of a ruleset in which declarations are a game.
    engine
        ``"auto"``; ``"exact"``: nothing may be sampled; ``"sample"``: places are drawn.
    trials
        Places that are drawn, or games that policies play from each beginning, 1 to a million;
        ``None``: 200 places, 20 games.
    policies
        ``None``: both sides choose well, as long as the game has at most ``max_states`` positions,
        else both are ``"cautious"``, or ``"greedy"`` where there are many declarations. A policy
        for both sides, or one each: :data:`chargesim.rulesets.games.POLICIES`.
    seed
        0 to 2**64 - 1.
    max_states
        Positions of one game that are searched; ``None``: half a million.
    progress
        Called with (cases done, cases).
    lang
        Language of the reasons why a charge is not legal.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        For a ruleset without such a game, numbers out of range, unknown policies, or when
        ``exact`` is asked for and cannot be.
    """
    ruleset = scenario.ruleset
    if ruleset.game is None or ruleset.targets is None:
        have = [name for name in rulesets.NAMES if rulesets.get(name).game is not None]
        raise InputError(
            f"plan: ruleset {ruleset.name} has no game of declarations: it is for {', '.join(have)}"
        )
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is none: one of {', '.join(ENGINES)}")
    if trials is not None and not 1 <= trials <= MOST_TRIALS:
        raise InputError(f"trials: {trials:,} cannot be played: from 1 to {MOST_TRIALS:,}")
    if max_states is not None and max_states < 1:
        raise InputError(f"max_states: {max_states} is too few: at least 1")
    check_seed(seed)
    if isinstance(policies, str):
        policies = read_policies(policies)
    game = ruleset.game(
        scenario.model,
        engine=engine,
        trials=trials,
        seed=seed,
        policies=policies,
        max_states=max_states,
        progress=progress,
    )
    targets = ruleset.targets(scenario.model, lang, trials=trials, seed=seed)
    return Plan(scenario, game, targets)
