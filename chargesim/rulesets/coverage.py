"""What a ruleset covers: one row a rule of its specification, read from its ``coverage.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Row:
    """One rule and what became of it.

    Parameters
    ----------
    id
        Rule id, such as ``WH6-SS-01``; of a weapon ``WH6-MW-handgun`` or ``WH6-WPN-lance``.
    status
        ``"covered"`` or ``"left_out"``.
    function
        Dotted name of the function that plays it, empty when left out.
    tests
        Ids of the tests that hold it, as pytest names them.
    why
        Why it is left out, empty when covered.
    """

    id: str
    status: str
    function: str = ""
    tests: tuple[str, ...] = ()
    why: str = ""


def rows(ruleset: str) -> list[Row]:
    """Rows of a ruleset, in the order of its specification.

    Parameters
    ----------
    ruleset
        Its name, such as ``"wh6"``.

    Raises
    ------
    FileNotFoundError
        If there is no table of that name.
    """
    file = resources.files("chargesim.rulesets").joinpath(ruleset, "coverage.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Row(
            rule["id"],
            rule["status"],
            rule.get("function", ""),
            tuple(rule.get("tests", ())),
            rule.get("why", ""),
        )
        for rule in table["rule"]
    ]
