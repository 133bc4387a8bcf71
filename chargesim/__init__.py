"""Probabilities of charges in tabletop wargames: exact where they can be, sampled beside it.

Importing the package costs next to nothing: names are fetched on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chargesim.errors import ChargesimError, InputError

if TYPE_CHECKING:
    from chargesim.engine.odds import parse as odds
    from chargesim.report.article.build import build as build_article
    from chargesim.report.article.sources import keep
    from chargesim.report.batch import solve_many
    from chargesim.report.check import check
    from chargesim.report.compare import Comparison, compare
    from chargesim.report.explorer import explore
    from chargesim.report.game import Plan, plan
    from chargesim.report.grid import Grid, grid, table
    from chargesim.report.levels import Levels, find_level
    from chargesim.report.matchup import MatchUps, matchup
    from chargesim.report.payoffs import Payoffs, payoffs
    from chargesim.report.result import Result, solve
    from chargesim.report.roster import Roster, read_roster
    from chargesim.report.trace import trace
    from chargesim.report.why import Why, why
    from chargesim.scenario import Scenario, load
    from chargesim.study.reading import read_study
    from chargesim.study.sweep import sweep

__version__ = "0.1.0"
__all__ = [
    "ChargesimError",
    "Comparison",
    "Grid",
    "InputError",
    "Levels",
    "MatchUps",
    "Payoffs",
    "Plan",
    "Result",
    "Roster",
    "Scenario",
    "Why",
    "__version__",
    "build_article",
    "check",
    "compare",
    "explore",
    "find_level",
    "grid",
    "keep",
    "load",
    "matchup",
    "odds",
    "payoffs",
    "plan",
    "read_roster",
    "read_study",
    "solve",
    "solve_many",
    "sweep",
    "table",
    "trace",
    "why",
]

_HOMES = {
    "Comparison": ("chargesim.report.compare", "Comparison"),
    "Grid": ("chargesim.report.grid", "Grid"),
    "Levels": ("chargesim.report.levels", "Levels"),
    "Payoffs": ("chargesim.report.payoffs", "Payoffs"),
    "Plan": ("chargesim.report.game", "Plan"),
    "MatchUps": ("chargesim.report.matchup", "MatchUps"),
    "Result": ("chargesim.report.result", "Result"),
    "Roster": ("chargesim.report.roster", "Roster"),
    "Scenario": ("chargesim.scenario", "Scenario"),
    "Why": ("chargesim.report.why", "Why"),
    "build_article": ("chargesim.report.article.build", "build"),
    "check": ("chargesim.report.check", "check"),
    "compare": ("chargesim.report.compare", "compare"),
    "explore": ("chargesim.report.explorer", "explore"),
    "find_level": ("chargesim.report.levels", "find_level"),
    "grid": ("chargesim.report.grid", "grid"),
    "keep": ("chargesim.report.article.sources", "keep"),
    "load": ("chargesim.scenario", "load"),
    "matchup": ("chargesim.report.matchup", "matchup"),
    "odds": ("chargesim.engine.odds", "parse"),
    "payoffs": ("chargesim.report.payoffs", "payoffs"),
    "plan": ("chargesim.report.game", "plan"),
    "read_roster": ("chargesim.report.roster", "read_roster"),
    "read_study": ("chargesim.study.reading", "read_study"),
    "solve": ("chargesim.report.result", "solve"),
    "solve_many": ("chargesim.report.batch", "solve_many"),
    "sweep": ("chargesim.study.sweep", "sweep"),
    "table": ("chargesim.report.grid", "table"),
    "trace": ("chargesim.report.trace", "trace"),
    "why": ("chargesim.report.why", "why"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'chargesim' has no attribute {name!r}")
    module, member = _HOMES[name]
    return getattr(import_module(module), member)


def __dir__() -> list[str]:
    return sorted(__all__)
