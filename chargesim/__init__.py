"""Probabilities of charges in tabletop wargames: exact where they can be, sampled beside it.

Importing the package costs next to nothing: names are fetched on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chargesim.errors import ChargesimError, InputError

if TYPE_CHECKING:
    from chargesim.engine.odds import parse as odds
    from chargesim.report.check import check
    from chargesim.report.result import Result, solve
    from chargesim.report.trace import trace
    from chargesim.scenario import Scenario, load

__version__ = "0.1.0"
__all__ = [
    "ChargesimError",
    "InputError",
    "Result",
    "Scenario",
    "__version__",
    "check",
    "load",
    "odds",
    "solve",
    "trace",
]

_HOMES = {
    "Result": ("chargesim.report.result", "Result"),
    "Scenario": ("chargesim.scenario", "Scenario"),
    "check": ("chargesim.report.check", "check"),
    "load": ("chargesim.scenario", "load"),
    "odds": ("chargesim.engine.odds", "parse"),
    "solve": ("chargesim.report.result", "solve"),
    "trace": ("chargesim.report.trace", "trace"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'chargesim' has no attribute {name!r}")
    module, member = _HOMES[name]
    return getattr(import_module(module), member)


def __dir__() -> list[str]:
    return sorted(__all__)
