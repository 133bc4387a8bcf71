"""Write the tests of each covered rule into the coverage tables, from the names of the tests.

Run it as a script after adding or renaming a rule test: ``python tests/update_coverage.py``. A test
``test_WH6_SS_01_half_reach_is_strict`` belongs to rule WH6-SS-01, ``test_WH6_MW_short_bow`` to
WH6-MW-short_bow.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ("wh6", "hex_increment", "ranked_regiment")


def table_of(ruleset: str) -> Path:
    """File of a ruleset's coverage table."""
    return ROOT / "chargesim" / "rulesets" / ruleset / "coverage.toml"


@cache
def tests_in(folder: Path) -> list[tuple[str, str]]:
    """(pytest id, name) of every test function below a folder, by file and line."""
    found = []
    for file in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        where = file.relative_to(ROOT).as_posix()
        found += [
            (f"{where}::{node.name}", node.name)
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
    return found


def rule_of(name: str, ids: list[str]) -> str | None:
    """Rule id that a test's name carries; of several that fit, the longest."""
    fits = [rule for rule in ids if f"{name}_".startswith(f"test_{rule.replace('-', '_')}_")]
    return max(fits, key=len) if fits else None


def tests_by_rule(ruleset: str, ids: list[str]) -> dict[str, list[str]]:
    """Pytest ids of the tests of each rule."""
    found: dict[str, list[str]] = {rule: [] for rule in ids}
    for test, name in tests_in(ROOT / "tests" / ruleset):
        rule = rule_of(name, ids)
        if rule is not None:
            found[rule].append(test)
    return found


def rewritten(ruleset: str, text: str) -> str:
    """A coverage table with the lists of tests as they should be."""
    ids = re.findall(r'^id = "(.+)"$', text, re.MULTILINE)
    tests = tests_by_rule(ruleset, ids)

    def row(match: re.Match[str]) -> str:
        listed = tests[match[1]]
        inside = "".join(f'\n    "{test}",' for test in listed)
        return f"{match[0][: match.start(2) - match.start()]}tests = [{inside}\n]\n"

    pattern = r'^id = "([^"]+)"\nstatus = "covered"\nfunction = "[^"]+"\n(tests = \[[^\]]*\]\n)'
    return re.sub(pattern, row, text, flags=re.MULTILINE)


def main() -> int:
    """Rewrite every table that is out of step."""
    for ruleset in RULESETS:
        file = table_of(ruleset)
        text = file.read_text(encoding="utf-8")
        new = rewritten(ruleset, text)
        if new != text:
            file.write_text(new, encoding="utf-8", newline="\n")
            sys.stdout.write(f"rewrote {file.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
