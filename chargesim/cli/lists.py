"""Commands that tell what the program knows: rules, schema."""

from __future__ import annotations

from typing import Annotated

import typer

from chargesim.cli.options import Form, Format, Lang, Language, SchemaName
from chargesim.cli.output import print_json, show
from chargesim.errors import InputError


def rules(
    ruleset: Annotated[
        str | None,
        typer.Argument(
            metavar="RULESET", help="wh6, hex_increment or ranked_regiment; default: all."
        ),
    ] = None,
    rule_id: Annotated[str | None, typer.Argument(metavar="RULE-ID", help="One rule.")] = None,
    form: Format = Form.text,
    lang: Lang = Language.en,
) -> None:
    """List what is covered, by which function and tests, what is left out and why."""
    from dataclasses import asdict

    from chargesim import rulesets
    from chargesim.faults import nearest
    from chargesim.report.tables import rule_document, rules_document
    from chargesim.rulesets.coverage import rows

    if ruleset is not None and ruleset not in rulesets.NAMES:
        raise InputError(
            f"rules: there is no ruleset {ruleset!r}" + nearest(ruleset, rulesets.NAMES)
        )
    names = rulesets.NAMES if ruleset is None else (ruleset,)
    found = [row for name in names for row in rows(name)]
    if rule_id is not None:
        wanted = [row for row in found if row.id.upper() == rule_id.upper()]
        if not wanted:
            raise InputError(
                f"rules: there is no rule {rule_id!r}" + nearest(rule_id, [r.id for r in found])
            )
        found = wanted
    if form is Form.json:
        print_json([asdict(row) for row in found])
    elif rule_id is not None and form is not Form.csv:
        show(rule_document(found[0], lang.value), form, lang)
    else:
        every = rule_id is None
        table = [row for name in names if every for row in rulesets.get(name).switch_rows()]
        show(rules_document(", ".join(names), found, table, lang.value), form, lang)


def schema(
    name: Annotated[
        SchemaName,
        typer.Argument(help="A file, what run prints (result), or another command that answers."),
    ],
) -> None:
    """Print the JSON Schema of a file, or of an answer in JSON."""
    from chargesim.report.schema import SCHEMAS

    print_json(SCHEMAS[name.value]())
