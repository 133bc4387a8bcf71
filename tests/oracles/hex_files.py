"""A hex scenario file in the words of the naive twin."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oracles.naive_hex_map import add, direction, front_hexes, neighbours
from oracles.naive_hex_tables import SYNTHETIC

KINDS = {"cavalry": "CAV", "infantry": "INF", "artillery": "ART", "leader": "LEADER"}


def hexes_of(unit: dict[str, Any]) -> list[tuple[int, int]]:
    return [(q, r) for q, r in unit["hexes"]]


def twin_unit(name: str, unit: dict[str, Any]) -> dict[str, Any]:
    """A unit on the twin's map."""
    return {
        "id": name,
        "formation": unit.get("formation", "line").upper(),
        "hexes": hexes_of(unit),
        "facing": unit.get("facing"),
    }


def twin_terrain(file: dict[str, Any]) -> dict[str, Any]:
    """The ground, flag by flag."""
    found: dict[str, Any] = {"cost": {}}
    kinds = file["map"].get("terrain", {})
    flags = (("general_order",) * 2, ("prohibited",) * 2, ("blocks", "blocks_sight"))
    for name, hexes in file["map"].get("hexes", {}).items():
        for q, r in hexes:
            found["cost"][(q, r)] = Fraction(str(kinds[name].get("cost", 1)))
            for mine, theirs in (*flags, ("shelter", "shelter")):
                if kinds[name].get(theirs, False):
                    found.setdefault(mine, set()).add((q, r))
    return found


def spread_out(bands: list[dict[str, Any]]) -> dict[int, str]:
    """Result of each face."""
    faces = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
    return {f: b["result"] for b in bands for f in faces if b["from"] <= f <= b["to"]}


def twin_tables(file: dict[str, Any]) -> dict[str, Any]:
    """The tables, those of the file in the twin's form; the rest are the made-up ones."""
    given = file.get("tables", {})
    found = dict(SYNTHETIC)
    if "melee" in given:
        table = given["melee"]
        found["melee"] = {
            "columns": [(c["id"], Fraction(str(c["min_ratio"]))) for c in table["columns"]],
            "rows": {name: spread_out(bands) for name, bands in table["rows"].items()},
        }
    if "stand" in given:
        found["stand"] = given["stand"]["modifiers"]
        found["fail_result"] = given["stand"]["fail_result"]
    return found


def pmf_of(chances: Sequence[float] | None) -> list[tuple[int, Fraction]] | None:
    return None if chances is None else [(i, Fraction(str(p))) for i, p in enumerate(chances)]


def side_charged(body: list[Any], facing: int, target: dict[str, Any]) -> str:
    """Side of a stack that the charger is on: the front where any hex is in front of it."""
    if target["formation"] in ("SKIRMISH", "SQUARE") or target["facing"] is None:
        return "front"
    seen = set()
    for at in body:
        for there in target["hexes"]:
            if there in front_hexes(at, facing):
                turn = next(d for d in range(6) if add(there, direction(d)) == at)
                seen.add((turn - target["facing"]) % 6)
    if not seen or seen & {0, 1}:
        return "front"
    return "flank" if seen & {2, 5} else "rear"


def has_shelter(name: str, file: dict[str, Any], terrain: dict[str, Any]) -> bool:
    taken = {at for unit in file["unit"].values() for at in hexes_of(unit)}
    beside = {n for at in hexes_of(file["unit"][name]) for n in neighbours(at)}
    return bool((beside - taken) & terrain.get("shelter", set()))


def reaction_of(name: str, file: dict[str, Any], gap: int) -> tuple[str, int]:
    """Reaction in force and the distance of a square: who may not form one stands."""
    unit, wish = file["unit"][name], file.get("reaction", {}).get(name, "stand")
    do, at = (wish, None) if isinstance(wish, str) else (wish["do"], wish.get("at"))
    able = unit.get("kind") == "infantry" and unit["formation"] not in ("skirmish", "square")
    if do == "square" and not able:
        return "stand", 0
    return do, at or min(gap, 4)


def target_of(
    name: str, file: dict[str, Any], gap: int, aspect: str, terrain: dict[str, Any]
) -> dict[str, Any]:
    """A charged stack as the twin's melee wants it."""
    unit = file["unit"][name]
    do, at = reaction_of(name, file, gap)
    words = list(unit.get("stand", ()))
    return {
        "id": name,
        "kind": KINDS[unit.get("kind", "cavalry")],
        "formation": unit["formation"].upper(),
        "state": unit.get("state", "good").upper(),
        "choice": do,
        "distance": at,
        "morale": unit["morale"],
        "melee": Fraction(str(unit["melee"])),
        "stand_modifiers": words if aspect == "front" else [*words, aspect],
        "stand_modifier": unit.get("stand_modifier", 0),
        "square_modifier": sum(
            {"leader": -3, "light_cavalry": -3, "lancers": 3, "army_morale": 3}[word]
            for word in unit.get("square", ())
        ),
        "retire_p": None if "can_retire" not in unit else Fraction(str(unit["can_retire"])),
        "increments": unit["increments"],
        "legal_hex": has_shelter(name, file, terrain),
        "fire": pmf_of(unit.get("defensive_fire")),
    }
