"""JSON Schema of the files: scenarios from the model, results by hand."""

from __future__ import annotations

from typing import Any

from chargesim import rulesets

_P = {"type": "number", "minimum": 0, "maximum": 1}
_SPREAD = {
    "type": "object",
    "description": "Probability of each value; empty: certainly 0, or never rolled.",
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
    texts = ("chargesim", "ruleset", "title")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "chargesim result",
        "type": "object",
        "properties": {
            **{name: {"type": "string"} for name in texts},
            "schema": {"const": 1},
            "ruleset_version": {"type": "integer", "minimum": 1},
            "engine": {"enum": ["exact", "sample"]},
            "trials": {"type": ["integer", "null"], "minimum": 1},
            "seed": {"type": ["integer", "null"], "minimum": 0},
            "scenario_hash": _HASH,
            "rules_hash": _HASH,
            "switches": {"type": "object"},
            "charges": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "charger": {"type": "string"},
                        "target": {"type": "string"},
                        "reaction": {"enum": ["hold", "stand_and_shoot", "flee"]},
                        "outcome": _OUTCOME,
                        "shooting_casualties": _SPREAD,
                        "flee_distance": _SPREAD,
                        "impact_hits": _SPREAD,
                        "impact_wounds": _SPREAD,
                        "needs_sixes": _P,
                    },
                    "required": ["charger", "target", "reaction", "outcome"],
                },
            },
            "combats": {"type": "array", "items": {"type": "object"}},
            "units": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "models_left": _SPREAD,
                        "wounds_left": _SPREAD,
                        "flee_distance": _SPREAD,
                        "state": {"type": "object", "additionalProperties": _P},
                    },
                    "required": ["models_left", "state"],
                },
            },
            "notes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "unit": {"type": ["string", "null"]},
                        "charge": {"type": ["integer", "null"]},
                        "rule": {"type": "string"},
                        "text": {"type": "string"},
                    },
                    "required": ["rule", "text"],
                },
            },
            "alternatives": {"type": "array"},
            "mass_defect": {"type": "number", "minimum": 0},
        },
        "required": [
            *texts,
            "schema",
            "ruleset_version",
            "engine",
            "trials",
            "seed",
            "scenario_hash",
            "rules_hash",
            "switches",
            "charges",
            "combats",
            "units",
            "notes",
            "mass_defect",
        ],
    }
