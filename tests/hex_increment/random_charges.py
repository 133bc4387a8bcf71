"""Random charges on hexes: lines, columns and stacks with every reaction, state and switch."""

from __future__ import annotations

import random
from typing import Any

Hex = tuple[int, int]
RESULTS = ("AS", "AR", "AD2", "AD1", "BLANK", "DD0", "DD1", "DD2", "DR", "DS")
LOSSES = ("1/1", "1*/0", "0/1*", "2*/2*", "1/2")
SWITCHES: dict[str, tuple[Any, ...]] = {
    "auto_faces": ("11_fails_66_passes",),
    "zone_shape": ("rays",),
    "go_end_disorder": (True,),
    "declare_at_start_vs_cav": (True,),
    "miss_rule": ("any_missed",),
    "stranded": ("ends",),
    "split_hex": ("half",),
    "fraction": ("floor",),
    "line_modifiers": ("before_share",),
    "line_two_disorders": ("rout",),
    "ds_counts_as_retreat": (False,),
    "dd0_stops": (True,),
    "column_pursuit": ("may",),
    "square_divisor": (1, 2, 4),
    "pgd_retreat": (0, 4),
    "loss_check_fails": ("nothing",),
    "advance_into": ("one_hex",),
}
"""Values other than the default."""
CHANGES = ["extend_left", "extend_right", "consolidate_left", "consolidate_right"]
MORALE = {"d66": None, "2d6": (2, 12), "d10": (0, 10), "probability": None}


def faces() -> list[int]:
    return [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]


def turned(at: Hex, times: int) -> Hex:
    """The hex, the map turned by so many sixths counter-clockwise."""
    q, r = at
    for _ in range(times):
        q, r = q + r, -q
    return q, r


def melee_table(rng: random.Random) -> dict[str, Any]:
    """A melee table of no sense but of sound form, in half of them with losses."""
    found: dict[str, Any] = {
        "columns": [{"id": name, "min_ratio": name.replace(":", "/")} for name in
                    ("1:2", "1:1", "2:1", "3:1")],
        "rows": {},
        "provenance": dict.fromkeys(("source", "edition", "transcribed_by"), "test")
        | {"verified": True},
    }  # fmt: skip
    results = [*RESULTS, *(LOSSES if rng.random() < 0.5 else ())]
    for column in found["columns"]:
        cuts = sorted(rng.sample(range(1, 36), 7))
        ends = [*cuts, 36]
        starts = [0, *cuts]
        found["rows"][column["id"]] = [
            {"from": faces()[a], "to": faces()[b - 1], "result": rng.choice(results)}
            for a, b in zip(starts, ends, strict=True)
        ]
    return found


def morale(rng: random.Random, dice: str) -> float:
    if dice == "d66":
        return rng.choice(faces())
    if dice == "probability":
        return rng.choice([0.25, 0.5, 0.9])
    return rng.randint(*MORALE[dice])  # type: ignore[misc]  # a pair


def stack(rng: random.Random, hexes: list[Hex], dice: str) -> dict[str, Any]:
    """A unit to be charged."""
    found: dict[str, Any] = {
        "side": "reactive",
        "kind": rng.choices(["infantry", "artillery", "cavalry"], [8, 1, 1])[0],
        "formation": rng.choices(
            ["line", "column", "skirmish", "square", "general_order"], [4, 3, 2, 1, 1]
        )[0],
        "facing": rng.randint(0, 5),
        "hexes": hexes,
        "increments": rng.randint(2, 8),
        "melee": rng.choice([4, 7.5, 11, 12, 18, 24]),
        "morale": morale(rng, dice),
        "state": rng.choices(["good", "disordered", "pgd"], [8, 3, 0.5])[0],
    }
    if rng.random() < 0.3:
        found["stand_modifier"] = rng.choice([-8, 5, 12])
    if rng.random() < 0.3:
        found["square"] = rng.sample(["leader", "lancers", "army_morale"], rng.randint(1, 2))
    if rng.random() < 0.4:
        found["can_retire"] = rng.choice([0, 0.5, 0.75, 1])
    if rng.random() < 0.4:
        found["defensive_fire"] = rng.choice([[0.5, 0.5], [0.25, 0.5, 0.25]])
    if rng.random() < 0.2:
        found["opportunity_fire"] = rng.choice([[0.5, 0.5], [0.6, 0.3, 0.1]])
    return found


def _row_ahead(body: list[Hex]) -> list[Hex]:
    """Hexes in front of a line that faces east, from right to left."""
    return [*((q + 1, r) for q, r in body), (body[-1][0] + 1, body[-1][1] - 1)]


STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def reactor(rng: random.Random, charger: list[Hex], dice: str) -> tuple[dict[str, Any], list[Hex]]:
    """Cavalry that charges one of a charger's hexes, and its way there; the map not yet turned."""
    q, r = rng.choice(charger)
    side = rng.randint(0, 5)
    facing = (side + 3 - rng.randint(0, 1)) % 6
    dq, dr = STEPS[(facing + rng.randint(0, 1)) % 6]
    far = rng.randint(0, 2)
    end = q + STEPS[side][0], r + STEPS[side][1]
    start = end[0] - far * dq, end[1] - far * dr
    company = rng.random() < 0.3
    behind = STEPS[(facing + (3 if company else 2)) % 6]
    width = rng.randint(1, 2)
    unit = {
        "side": "reactive",
        "formation": "company_column" if company else "line",
        "facing": facing,
        "hexes": [(start[0] + i * behind[0], start[1] + i * behind[1]) for i in range(width)],
        "increments": rng.choice([6, 10]),
        "melee": rng.choice([12, 16, 30]),
        "morale": morale(rng, dice),
    }
    return unit, [(start[0] + i * dq, start[1] + i * dr) for i in range(1, far + 1)]


def random_charge(rng: random.Random, prefix: str, east: int, dice: str) -> dict[str, Any]:
    """Units, charge, reactions and ground of one charge; its charger starts so far east."""
    company = rng.random() < 0.35
    width = rng.randint(1, 4)
    turn = rng.randint(0, 5)
    hexes = [(-i, 0) for i in range(width)] if company else [(0, -i) for i in range(width)]
    changes: list[str] = []
    body = hexes[:1] if company else list(hexes)
    steps = rng.randint(0, 4)
    ways = [rng.choice([(1, 0), (1, -1)]) for _ in range(steps)]
    if rng.random() < 0.4:
        ways = [rng.choice([(1, 0), (1, -1)])] * steps
    if not company and steps and rng.random() < 0.5:
        changes = rng.choices(CHANGES, k=rng.randint(1, min(2, steps)))
    path, lead = [], body[0]
    for i, (dq, dr) in enumerate(ways):
        lead = lead[0] + dq, lead[1] + dr
        path.append(lead)
        body = [(q + dq, r + dr) for q, r in body]
        if i < len(changes):
            if changes[i] == "extend_left":
                body.append((body[-1][0], body[-1][1] - 1))
            elif changes[i] == "extend_right":
                body.insert(0, (body[0][0], body[0][1] + 1))
            else:
                body = body[:-1] if changes[i] == "consolidate_left" else body[1:]
        if not body:
            body = [lead]
    row = _row_ahead(body)
    beyond = rng.choices([0, 1, 2], [8, 1, 0.5])[0]
    row = [(q + beyond, r) for q, r in row]
    stacks: dict[str, list[Hex]] = {}
    while row:
        size = 2 if rng.random() < 0.4 and not company else 1
        taken, row = row[:size], row[size:]
        if rng.random() < 0.75 or not stacks:
            stacks[f"{prefix}s{len(stacks)}"] = taken
        if company or len(body) == 1:
            break
    ground: dict[str, list[Hex]] = {}
    if path and rng.random() < 0.3:
        for at in rng.sample(path, rng.randint(1, len(path))):
            kind = rng.choice(["mud", "mud", "bog", "wood"])
            ground.setdefault(kind, []).append(at)
    if rng.random() < 0.4:
        ground.setdefault("town", []).append(row[0] if row else (body[0][0] + 2 + beyond, -1))
    units: dict[str, Any] = {
        f"{prefix}cav": {
            "side": "active",
            "formation": "company_column" if company else "line",
            "facing": turn,
            "hexes": hexes,
            "increments": rng.choice([9, 12, 16]),
            "melee": rng.choice([12, 24, 33, 40.5, 48, 72]),
            "morale": morale(rng, dice),
            "state": rng.choices(["good", "disordered"], [3, 1])[0],
            "leader": rng.random() < 0.3,
        }
    }
    for name, at in stacks.items():
        units[name] = stack(rng, at, dice)
    touched: list[list[str]] = []
    for q, r in body:
        ahead = [(q + 1, r), (q + 1, r - 1)]
        touched.append([n for n, at in stacks.items() if set(at) & set(ahead)])
    reactions: dict[str, Any] = {}
    for name in stacks:
        do = rng.choice(["stand", "square", "square", "retire"])
        near = min(4, steps + 1 + beyond)
        reactions[name] = do
        if do == "square" and rng.random() < 0.5:
            reactions[name] = {"do": do, "at": rng.randint(1, near)}

    def placed(at: Hex) -> list[int]:
        q, r = turned(at, turn)
        return [q + east, r]

    answer = None
    if not changes and rng.random() < 0.3:
        rider, way = reactor(rng, body, dice)
        rider["facing"] = (rider["facing"] + turn) % 6
        units[f"{prefix}rx"] = rider
        answer = {
            "charger": f"{prefix}rx",
            "kind": "reaction",
            "targets": [f"{prefix}cav"],
            "path": [placed(at) for at in way],
            "recall": rng.random() < 0.3,
        }
    for unit in units.values():
        unit["hexes"] = [placed(at) for at in unit["hexes"]]
    return {
        "unit": units,
        "charge": {
            "charger": f"{prefix}cav",
            "targets": list(stacks),
            "path": [placed(at) for at in path],
            "changes": changes,
            "modifier": rng.choice([0, 0, 0, 6, -5]),
            "recall": rng.random() < 0.4,
            "pursue": rng.random() < 0.8,
            "give": {
                str(h): rng.choice(names) for h, names in enumerate(touched) if len(names) > 1
            },
        },
        "answer": answer,
        "reaction": reactions,
        "hexes": {kind: [placed(at) for at in found] for kind, found in ground.items()},
    }


def random_file(rng: random.Random) -> dict[str, Any]:
    """Tables of a file with one or two random charges; not always a legal one."""
    dice = rng.choices(["d66", "2d6", "d10", "probability"], [7, 1, 1, 1])[0]
    built = [random_charge(rng, "a", 0, dice)]
    if rng.random() < 0.2:
        built.append(random_charge(rng, "b", 60, dice))
    switches: dict[str, Any] = {
        name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.2
    }
    switches["morale_dice"] = dice
    file: dict[str, Any] = {
        "ruleset": "hex_increment",
        "map": {
            "extent": {"q": [-20, 100], "r": [-20, 20]},
            "terrain": {
                "mud": {"cost": 1.5},
                "bog": {"cost": 3},
                "wood": {"cost": 2, "general_order": True, "blocks_sight": True},
                "town": {"cost": 1, "shelter": True, "blocks_sight": True},
            },
            "hexes": {
                kind: [at for one in built for at in one["hexes"].get(kind, [])]
                for kind in ("mud", "bog", "wood", "town")
            },
        },
        "unit": {name: unit for one in built for name, unit in one["unit"].items()},
        "charge": [one[key] for one in built for key in ("charge", "answer") if one[key]],
        "reaction": {name: do for one in built for name, do in one["reaction"].items()},
        "switches": switches,
    }
    tables: dict[str, Any] = {}
    if rng.random() < 0.5:
        tables["melee"] = melee_table(rng)
    if rng.random() < 0.3:
        tables["stand"] = {
            "fail_result": rng.choice(["PGD", "DISORDERED"]),
            "modifiers": {"disordered": -4, "flank": -9, "rear": -15, "skirmish": -3},
            "provenance": dict.fromkeys(("source", "edition", "transcribed_by"), "test")
            | {"verified": True},
        }
    if tables:
        file["tables"] = tables
    return file
