"""JSON Schema of the files: scenarios from the model, results by hand."""

from __future__ import annotations

from typing import Any

from chargesim import rulesets

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
_CHARGE = {
    "charger": _TEXT,
    "target": _TEXT,
    "reaction": {"enum": ["hold", "stand_and_shoot", "flee"]},
    "compulsory": {"description": "There, and true, when the rules compelled the charge."},
    "outcome": _OUTCOME,
    "shooting_casualties": _SPREAD,
    "flee_distance": _SPREAD,
    "impact_hits": _SPREAD,
    "impact_wounds": _SPREAD,
    "needs_sixes": _P,
}
_COMBAT = {
    "target": _TEXT,
    "chargers": {"type": "array", "items": _TEXT, "minItems": 1},
    "outcome": _OUTCOME,
    "combat_result": _SPREAD
    | {"description": "Charger's score less target's, over the trials with a fight."},
    "active_wounds": _SPREAD,
    "reactive_wounds": _SPREAD,
}
_UNIT = {
    "models_left": _SPREAD,
    "wounds_left": _SPREAD,
    "flee_distance": _SPREAD,
    "state": {"type": "object", "additionalProperties": _P},
}
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


def scenario_schema(ruleset: str = "wh6") -> dict[str, Any]:
    """JSON Schema of a scenario file."""
    schema: dict[str, Any] = rulesets.get(ruleset).model.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = f"chargesim scenario, ruleset {ruleset}"
    schema["properties"]["include"] = {
        "type": "string",
        "description": "File, relative to this one, whose units are taken.",
    }
    return schema


def result_schema() -> dict[str, Any]:
    """JSON Schema of a result."""
    redirect = {
        "description": "The charge after each redirection, over the trials in which it was made.",
        **_list(_record(_CHARGE, "compulsory")),
    }
    record = _record(
        {
            **dict.fromkeys(("chargesim", "ruleset", "title"), _TEXT),
            "schema": {"const": 1},
            "ruleset_version": {"type": "integer", "minimum": 1},
            "engine": {"enum": ["exact", "sample"]},
            "trials": {"type": ["integer", "null"], "minimum": 1},
            "seed": {"type": ["integer", "null"], "minimum": 0},
            "scenario_hash": _HASH,
            "rules_hash": _HASH,
            "switches": {"type": "object"},
            "charges": _list(_record({**_CHARGE, "redirect": redirect}, "compulsory", "redirect")),
            "combats": _list(_record(_COMBAT)),
            "units": {
                "type": "object",
                "additionalProperties": _record(_UNIT, "flee_distance"),
            },
            "notes": _list(_record(_NOTE)),
            "alternatives": _list(_record(_ALTERNATIVE)),
            "mass_defect": {"type": "number", "minimum": 0},
        }
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "chargesim result",
        **record,
    }
