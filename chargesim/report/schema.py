"""JSON Schema of scenario files, from the model, and of what the commands print, by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chargesim import rulesets
from chargesim.rulesets.games import KINDS, MARKS, POLICIES, SIDES
from chargesim.study.file import study_schema

_P = {"type": "number", "minimum": 0, "maximum": 1}
_SPREAD = {
    "type": "object",
    "description": "Probability of each value; empty: always 0, or never rolled.",
    "patternProperties": {"^-?[0-9]+$": _P},
    "additionalProperties": False,
}
_ESTIMATE = {
    "type": "object",
    "properties": {"p": _P, "low": _P, "high": _P},
    "required": ["p", "low", "high"],
    "additionalProperties": False,
}
_OUTCOME = {
    "type": "object",
    "description": "Exclusive words with their probabilities; a word left out has probability 0.",
    "additionalProperties": _ESTIMATE,
}
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TEXT = {"type": "string"}
_ALTERNATIVE = {
    "unit": _TEXT,
    "choice": _TEXT,
    "value": {"type": "number"},
    "low": {"type": "number"},
    "high": {"type": "number"},
    "chosen": {"type": "boolean"},
}
_NOTE = {
    "unit": {"type": ["string", "null"]},
    "charge": {"type": "integer", "minimum": 0},
    "rule": _TEXT,
    "text": _TEXT,
}


def _record(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """Schema of an object with these keys and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def scenario_schema() -> dict[str, Any]:
    """JSON Schema of a scenario file of any ruleset: which one, its ``ruleset`` says."""
    definitions: dict[str, Any] = {}
    branches = []
    for name in rulesets.NAMES:
        # models of two rulesets may have the same name
        model = rulesets.get(name).model.model_json_schema(ref_template=f"#/$defs/{name}.{{model}}")
        inner = model.pop("$defs", {})
        definitions |= {f"{name}.{key}": found for key, found in inner.items()}
        model["title"] = f"chargesim scenario, ruleset {name}"
        model["properties"]["include"] = {
            "type": "string",
            "description": "File, relative to this one, whose units are taken.",
        }
        # the units may all come from another file
        model["required"] = [key for key in model["required"] if key != "unit"]
        model["anyOf"] = [{"required": ["unit"]}, {"required": ["include"]}]
        definitions[name] = model
        branches.append(_of(name, {"$ref": f"#/$defs/{name}"}))
    return {**_head("chargesim scenario"), **_any(branches), "$defs": definitions}


def _head(title: str) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}


def _of(name: str, then: dict[str, Any]) -> dict[str, Any]:
    """What holds for a file of a ruleset."""
    return {"if": {"properties": {"ruleset": {"const": name}}}, "then": then}


def _any(branches: list[dict[str, Any]]) -> dict[str, Any]:
    """A file of one of the rulesets."""
    return {
        "type": "object",
        "properties": {"ruleset": {"enum": list(rulesets.NAMES)}},
        "required": ["ruleset"],
        "allOf": branches,
    }


def _view(told: rulesets.Told, *more: str, **others: dict[str, Any]) -> dict[str, Any]:
    """Schema of what results hold of one charge, combat or unit."""
    properties = {
        **told.labels,
        **dict.fromkeys(told.spreads, _SPREAD),
        **dict.fromkeys(told.chances, _P),
        **others,
    }
    return _record(properties, *told.optional, *more)


def _result_of(ruleset: str) -> dict[str, Any]:
    """What is a ruleset's own in a result."""
    told = rulesets.get(ruleset).told
    again = {
        "description": "The charge after each redirection, over the trials in which it was made.",
        **_list(_view(told["charge"], outcome=_OUTCOME)),
    }
    return {
        "properties": {
            "charges": _list(_view(told["charge"], "redirect", outcome=_OUTCOME, redirect=again)),
            "combats": _list(_view(told["combat"], outcome=_OUTCOME)),
            "units": {
                "type": "object",
                "additionalProperties": _view(
                    told["unit"], state={"type": "object", "additionalProperties": _P}
                ),
            },
        }
    }


def result_schema() -> dict[str, Any]:
    """JSON Schema of a result of any ruleset."""
    record = _record(
        {
            **dict.fromkeys(("chargesim", "title"), _TEXT),
            "ruleset": {"enum": list(rulesets.NAMES)},
            "schema": {"const": 1},
            "ruleset_version": {"type": "integer", "minimum": 1},
            "engine": {"enum": ["exact", "sample"]},
            "trials": {"type": ["integer", "null"], "minimum": 1},
            "seed": {"type": ["integer", "null"], "minimum": 0},
            "scenario_hash": _HASH,
            "rules_hash": _HASH,
            "switches": {"type": "object"},
            "charges": {"type": "array"},
            "combats": {"type": "array"},
            "units": {"type": "object"},
            "notes": _list(_record(_NOTE)),
            "alternatives": _list(_record(_ALTERNATIVE)),
            "mass_defect": {"type": "number", "minimum": 0},
        }
    )
    branches = [_of(name, _result_of(name)) for name in rulesets.NAMES]
    return {**_head("chargesim result"), **record, "allOf": branches}


def plan_schema() -> dict[str, Any]:
    """JSON Schema of what ``plan`` says of a game of declarations."""
    number, text = {"type": "number"}, {"type": ["string", "null"]}
    step = _record(
        {
            "side": {"enum": list(SIDES)},
            "kind": {"enum": list(KINDS)},
            **dict.fromkeys(("unit", "target", "face"), text),
        }
    )
    none_or = {"anyOf": [{"type": "null"}, step]}
    opening = _record(
        {
            **step["properties"],
            "chance": _P,
            **dict.fromkeys(("value", "low", "high"), number),
            "mark": {"enum": [None, *MARKS]},
            "marks": {"type": "object", "propertyNames": {"enum": list(MARKS)},
                      "additionalProperties": _P},
            "reply": none_or,
            "reply_value": {"type": ["number", "null"]},
            "better": none_or,
        }
    )  # fmt: skip
    target = _record(
        {
            "unit": _TEXT,
            "target": _TEXT,
            "chance": _P,
            "faces": {"type": "object", "additionalProperties": _P},
            "distance": {"type": ["number", "null"]},
            "trials": {"type": ["integer", "null"], "minimum": 1},
            "reasons": _list(_record({"rule": _TEXT, "text": _TEXT, "chance": _P})),
        }
    )
    have = [name for name in rulesets.NAMES if rulesets.get(name).game is not None]
    policies = {"type": "array", "items": {"enum": list(POLICIES)}, "minItems": 2, "maxItems": 2}
    record = _record(
        {
            **dict.fromkeys(("chargesim", "title", "caveat"), _TEXT),
            "ruleset": {"enum": have},
            "schema": {"const": 1},
            "ruleset_version": {"type": "integer", "minimum": 1},
            "engine": {"enum": ["exact", "sample"]},
            "trials": {"type": ["integer", "null"], "minimum": 1},
            "seed": {"type": ["integer", "null"], "minimum": 0},
            "policies": {"anyOf": [{"type": "null"}, policies]},
            "scenario_hash": _HASH,
            "rules_hash": _HASH,
            "switches": {"type": "object"},
            **dict.fromkeys(("value", "low", "high"), number),
            "complete_lines": {"type": "integer", "minimum": 0},
            "positions": {"type": "integer", "minimum": 1},
            "lines": _list(_record({"chance": _P, "steps": _list(step)})),
            "openings": _list(opening),
            "targets": _list(target),
        },
        "caveat",
    )
    return {**_head("chargesim plan"), **record}


_NUMBER = {"type": ["number", "null"], "description": "null where it is undefined."}
_WORDS = _list(_TEXT)
_ENGINE = {"enum": ["exact", "sample"]}
_VALUES = {"type": "array", "minItems": 1}
_BOUNDS = {"value": _NUMBER, "low": _NUMBER, "high": _NUMBER}
_CELL = _record({"p": _NUMBER, "low": _NUMBER, "high": _NUMBER, "engine": _ENGINE})
_DIFFERENCE = {"difference": _NUMBER, "difference_low": _NUMBER, "difference_high": _NUMBER}
_ABOUT = {
    "ruleset": {"enum": list(rulesets.NAMES)},
    "ruleset_version": {"type": "integer", "minimum": 1},
    "title": _TEXT,
    "scenario_hash": _HASH,
    "rules_hash": _HASH,
    "switches": {"type": "object"},
    "caveat": {**_TEXT, "description": "There when something must be said of the numbers."},
}
_MADE = {
    "trials": {"type": ["integer", "null"], "minimum": 1},
    "seed": {"type": ["integer", "null"], "minimum": 0},
}
_BEGIN = {"chargesim": _TEXT, "schema": {"const": 1}}


def _answer(title: str, properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """Schema of what a command prints as JSON."""
    record = _record({**_BEGIN, **properties}, "caveat", *optional)
    return {**_head(f"chargesim {title}"), **record}


def _axis(path: dict[str, Any]) -> dict[str, Any]:
    return _record({"path": path, "values": _VALUES})


def _grid() -> dict[str, Any]:
    return {
        **_ABOUT,
        **_MADE,
        "value": _TEXT,
        "rows": _axis(_TEXT),
        "cols": {"anyOf": [{"type": "null"}, _axis(_TEXT)]},
        "against": {
            "description": "The path and value that the cells are differences to, in points.",
            "type": ["object", "null"],
        },
        "cells": _list(_list(_CELL)),
    }


def table_schema() -> dict[str, Any]:
    """JSON Schema of a table over axes."""
    return _answer("table", _grid())


def compare_schema() -> dict[str, Any]:
    """JSON Schema of a comparison."""
    entry = {
        "rank": {"type": "integer", "minimum": 1},
        "scenario": _TEXT,
        **_BOUNDS,
        "engine": _ENGINE,
        **_DIFFERENCE,
        **{key: kind for key, kind in _ABOUT.items() if key != "caveat"},
    }
    pair = {
        "one": _TEXT,
        "other": _TEXT,
        **_BOUNDS,
        "how": {"enum": ["exact", "paired", "independent"]},
        "tie": {"type": "boolean"},
    }
    return _answer(
        "comparison",
        {
            "value": _TEXT,
            **_MADE,
            "ranking": {**_list(_record(entry)), "minItems": 2},
            "differences": _list(_record(pair)),
            "verdict": _TEXT,
            "caveat": _ABOUT["caveat"],
        },
    )


def solve_schema() -> dict[str, Any]:
    """JSON Schema of the answer to an inverse question."""
    crossing = {"before": {}, "after": {}, "rises": {"type": "boolean"}}
    return _answer(
        "levels",
        {
            **_grid(),
            "reach": {"type": "number"},
            "level": {"description": "null when it is never reached."},
            "reached": {"type": "array"},
            "undecided": {"type": "array"},
            "monotone": {"type": "boolean"},
            "crossings": _list(_record(crossing)),
            "verdict": _TEXT,
        },
    )


def why_schema() -> dict[str, Any]:
    """JSON Schema of what matters most."""
    change = {
        "path": _TEXT, "from": {}, "to": {}, **_BOUNDS, "engine": _ENGINE, **_DIFFERENCE,
    }  # fmt: skip
    return _answer(
        "influences",
        {
            **_ABOUT,
            **_MADE,
            "value": _TEXT,
            "base": _record(dict(_BOUNDS)),
            "changes": _list(_record(change)),
        },
    )


def payoffs_schema() -> dict[str, Any]:
    """JSON Schema of payoffs."""
    bounds = _record({key: {"type": "number"} for key in ("value", "low", "high")})
    cell = {"charger": bounds, "target": bounds, "allowed": {"type": "boolean"}}
    return _answer(
        "payoffs",
        {
            **_ABOUT,
            **_MADE,
            "unit": _TEXT,
            "value": {"type": ["string", "null"]},
            "options": _WORDS,
            "replies": _WORDS,
            "payoffs": _list(_list(_record(cell))),
            "best_replies": _WORDS,
            "best_option": _TEXT,
            "verdict": _TEXT,
        },
    )


def casualties_schema() -> dict[str, Any]:
    """JSON Schema of losses by how a charge ends."""
    end = {"p": _P, "low": _P, "high": _P, "mean": {"type": "number"}, "lost": _SPREAD}
    return _answer(
        "casualties",
        {
            **_ABOUT,
            "engine": _ENGINE,
            **_MADE,
            "unit": _TEXT,
            "counted": {"enum": ["models", "increments"]},
            "mean": {"type": "number"},
            "ends": {"type": "object", "additionalProperties": _record(end)},
        },
    )


def distribution_schema() -> dict[str, Any]:
    """JSON Schema of one distribution."""
    row = {"value": {"type": "integer"}, "exactly": _ESTIMATE, "at_least": _ESTIMATE}
    return _answer(
        "distribution",
        {
            **_ABOUT,
            "engine": _ENGINE,
            **_MADE,
            "quantity": _TEXT,
            "distribution": _list(_record(row)),
        },
    )


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "scenario": scenario_schema,
    "study": study_schema,
    "result": result_schema,
    "table": table_schema,
    "compare": compare_schema,
    "solve": solve_schema,
    "why": why_schema,
    "payoffs": payoffs_schema,
    "casualties": casualties_schema,
    "distribution": distribution_schema,
    "plan": plan_schema,
}
"""Schema of scenario and study files, and of what each command prints as JSON."""
