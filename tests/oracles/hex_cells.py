"""A hex scenario file told to the naive twin, and counts of both sides, quantity by quantity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from oracles.naive_hex import SWITCHES, new_target, simulate_melee, try_square
from oracles.naive_hex_dice import check_morale, draw
from oracles.naive_hex_map import (
    add,
    body_of,
    chargeable,
    direction,
    distance,
    front_hexes,
    has_los,
    in_general_order,
    may_fire_at_opportunity,
    may_stand_on,
    missed,
    moved,
    must_declare,
    must_declare_at_start,
    neighbours,
    step_cost,
    touching,
    zone_of,
)
from oracles.naive_hex_tables import SYNTHETIC, disorder
from oracles.wh6_cells import Cells, Dice, numbers, words

from chargesim.engine.tally import Tally
from chargesim.scenario import Part, Scenario

KINDS = {"cavalry": "CAV", "infantry": "INF", "artillery": "ART", "leader": "LEADER"}
BUDGET = 5
NUMBERS = ("melees", "charger_recoil", "increments_lost")
FLAGS = ("recall_passed", "tired", "head_hex")


# The file in the twin's words


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
    able = unit["kind"] == "infantry" and unit["formation"] not in ("skirmish", "square")
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
        "kind": KINDS[unit["kind"]],
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


# A whole charge


def changed(body: list[Any], facing: int, change: str) -> list[Any]:
    """HEX-EXP-01: the line after one hex more or less; it runs along facing + 2, right to left."""
    left = direction(facing + 2)
    if change == "extend_left":
        return [*body, add(body[-1], left)]
    if change == "extend_right":
        return [(body[0][0] - left[0], body[0][1] - left[1]), *body]
    return body[:-1] if change == "consolidate_left" else body[1:]


def nearest(body: list[Any], hexes: list[Any]) -> int:
    return min(distance(a, b) for a in body for b in hexes)


def sees_at_two(body: list[Any], target: dict[str, Any], others: list[Any], terrain: Any) -> bool:
    """HEX-TGT-03: whether the charger is at two hexes of it, with sight."""
    return any(
        must_declare(distance(a, b), has_los(a, b, others, terrain))
        for a in body
        for b in target["hexes"]
    )


def simulate_charge(number: int, file: dict[str, Any], rng: Any) -> dict[str, Any]:
    """One charge from the declaration to the end; quantities by their names."""
    given = file["charge"][number]
    switches = {**SWITCHES, **file.get("switches", {})}
    terrain = twin_terrain(file)
    named = file["unit"][given["charger"]]
    unit = twin_unit(given["charger"], named)
    state = named.get("state", "good").upper()
    company = unit["formation"] == "COMPANY_COLUMN"
    targets = {name: twin_unit(name, file["unit"][name]) for name in given["targets"]}
    others = [twin_unit(n, u) for n, u in file["unit"].items() if n != given["charger"]]
    occupied = {at for other in others for at in other["hexes"]}
    zone = zone_of(unit, switches.get("zone_shape", "wedge"))
    body = body_of(unit)
    gaps = {name: nearest(body, target["hexes"]) for name, target in targets.items()}

    increments = named["increments"]
    for name, gap in gaps.items():
        fire = pmf_of(file["unit"][name].get("opportunity_fire"))
        if fire and may_fire_at_opportunity({"adjacent_at_start": gap == 1}):
            increments -= draw(rng, fire)

    declared, came_near = set(), dict(gaps)
    for name in targets:
        kind = KINDS[file["unit"][name]["kind"]]
        if must_declare_at_start(gaps[name], kind, switches.get("declare_at_start_vs_cav", False)):
            declared.add(name)

    def look() -> None:
        for name, target in targets.items():
            ahead = [f for at in body for f in front_hexes(at, unit["facing"])]
            near = any(f in target["hexes"] for f in ahead)
            if near or sees_at_two(body, target, [o for o in others if o is not target], terrain):
                declared.add(name)
            came_near[name] = min(came_near[name], nearest(body, target["hexes"]))

    look()
    lead, left = body[0], Fraction(BUDGET)
    word, changes = None, list(given.get("changes", ()))
    halted = False
    for at in given["path"]:
        displacement = (at[0] - lead[0], at[1] - lead[1])
        new = moved(body, displacement)
        change = changes.pop(0) if changes else None
        if change:
            new = changed(new, unit["facing"], change)
        assert may_stand_on(new, zone, terrain, occupied), "an illegal step"
        cost = step_cost(new, terrain)
        if cost > left:
            break
        left -= cost
        lead, body = (at[0], at[1]), new
        look()
        if in_general_order(body, terrain):
            halted = True
            break
        if change and not check_morale(
            rng, named["morale"], 0, switches["morale_dice"], switches["auto_faces"]
        ):
            word, state = "check_failed", disorder(state)
            break

    contacts = touching({**unit, "hexes": body}, list(targets.values()))
    contacted = [name for name in targets if any(name in ids for ids in contacts.values())]
    if word is None:
        # reading: a move that ends short, stranded or by choice, has as good as spent its points
        spent = left == 0 or switches.get("stranded", "as_spent") == "as_spent"
        failed = missed(sorted(declared), contacted, switches.get("miss_rule", "all_missed"))
        if halted:
            word = "general_order"
            if (declared and left == 0) or switches.get("go_end_disorder", False):
                state = disorder(state)
        elif not contacted or failed:
            word = "no_target"
            if declared and spent:
                word, state = "target_missed", disorder(state)
    fought = [] if word else contacted
    kinds = [KINDS[file["unit"][name]["kind"]] for name in fought]
    fought = [fought[i] for i in chargeable(kinds)]

    tables = twin_tables(file)
    stacks = {}
    for name, target in targets.items():
        aspect = side_charged(body, unit["facing"], target)
        stacks[name] = target_of(name, file, gaps[name], aspect, terrain)
        stacks[name]["touches"] = [n for n, ids in contacts.items() if name in ids]
    out: dict[str, Any] = {}
    start = named["increments"]
    if word or not fought:
        fates = without_contact(stacks, came_near, tables, rng)
        out |= {f"combat.{n}.{key}": v for n, f in fates.items() for key, v in f.items()}
        tell_units(out, file, given["charger"], state, start - increments, fates)
        tell_charge(out, number, word, 0, 0, start - increments, None)
        out[f"charge.{number}.head_hex"] = (
            company and len(unit["hexes"]) > 1 and moved_down(named, state)
        )
        return out
    rest = {name: one for name, one in stacks.items() if name not in fought}
    fates = without_contact(rest, came_near, tables, rng)
    table = file.get("tables", {})
    assert "recall" not in table
    end = simulate_melee(
        {
            "formation": unit["formation"],
            "hexes": len(unit["hexes"]) if company else len(body),
            "increments": increments,
            "melee": Fraction(str(named["melee"])) * increments / start,
            "melee_modifier": Fraction(str(given.get("modifier", 0))),
            "morale": named["morale"],
            "state": state,
            "targets": [
                {**stacks[n], "melee_modifier": 0} | ({} if not company else {"touches": [0]})
                for n in fought
            ],
            "tables": tables,
            "switches": {k: v for k, v in switches.items() if k in SWITCHES},
            "recall": {"leader": named.get("leader", False)} if given.get("recall") else None,
            "pursue": given.get("pursue", True),
            "choice_of_hex": {int(h): t for h, t in given.get("give", {}).items()},
        },
        rng,
    )
    for target in end["targets"]:
        fates[target["id"]] = fate_of(target)
    out |= {f"combat.{n}.{key}": v for n, f in fates.items() for key, v in f.items()}
    lost = start - end["increments"]
    tell_units(out, file, given["charger"], end["attacker_state"], lost, fates)
    tell_charge(out, number, word_of(end), end["rolls"], end["attacker_recoil"], lost, end)
    out[f"charge.{number}.head_hex"] = (
        company and len(unit["hexes"]) > 1 and bool(end["consolidate_head"])
    )
    return out


def moved_down(unit: dict[str, Any], state: str) -> bool:
    return state != unit.get("state", "good").upper()


def without_contact(
    stacks: dict[str, Any], came_near: dict[str, int], tables: Any, rng: Any
) -> dict[str, dict[str, Any]]:
    """Stacks that are not fought: a square is tried all the same once the charger is that near."""
    found = {}
    for name, described in stacks.items():
        target = new_target(described)
        near = came_near[name] <= target["distance"]
        if near and target["choice"] == "square" and target["state"] != "PGD":
            try_square(target, tables, rng, target["distance"])
        broke = target["formed"] is False and target["state"] == "PGD"
        found[name] = fate_of(target)
        found[name]["outcome"] = "target_broke_before_melee" if broke else "no_contact"
    return found


def fate_of(target: dict[str, Any]) -> dict[str, Any]:
    """What is told of a stack."""
    outcome = {"retired": "target_retired", "broken": "target_broke_before_melee"}.get(
        target["stage"], ""
    )
    if target["stage"] == "melee":
        now = target["state"]
        if now == target["state_in_melee"]:
            outcome = "target_stood"
        else:
            outcome = {
                "DISORDERED": "target_disordered",
                "PGD": "target_broke",
                "GONE": "target_surrendered",
            }[now]
    return {
        "outcome": outcome,
        "recoil": target["recoil"],
        "forms_square": None if target["formed"] is None else int(target["formed"]),
        "stands": None if target["stood"] is None else int(target["stood"]),
        "state": target["state"].lower(),
        "left": target["increments"],
    }


def word_of(end: dict[str, Any]) -> str:
    """The word of a charge that made contact."""
    if end["rolls"] == 0:
        broke = any(target["stage"] == "broken" for target in end["targets"])
        return "targets_broke" if broke else "targets_retired"
    if end["attacker_state"] == "GONE":
        return "charger_surrendered"
    if end["attacker"] in ("AR", "ROUT"):
        return "charger_routed"
    if end["attacker"].startswith(("AD", "DISORDER")):
        return "charger_disordered"
    if end["attacker"] == "BOUNCE":
        return "bounced"
    if end["pursues"]:
        return "pursues"
    return "recalled" if end["pursuit_wanted"] and end["recalled"] else "no_pursuit"


def tell_charge(
    out: dict[str, Any], number: int, word: Any, melees: int, recoil: int, lost: int, end: Any
) -> None:
    name = f"charge.{number}"
    out[f"{name}.word"] = word
    for key, value in zip(NUMBERS, (melees, recoil, lost), strict=True):
        out[f"{name}.{key}"] = value
    out[f"{name}.recall_passed"] = bool(end and end["recalled"])
    out[f"{name}.tired"] = True


def tell_units(
    out: dict[str, Any], file: dict[str, Any], charger: str, state: str, lost: int, fates: Any
) -> None:
    out[f"unit.{charger}.state"] = state.lower()
    out[f"unit.{charger}.increments_left"] = file["unit"][charger]["increments"] - lost
    for name in fates:
        out[f"unit.{name}.state"] = out.pop(f"combat.{name}.state")
        out[f"unit.{name}.increments_left"] = out.pop(f"combat.{name}.left")


# Counts and chances


JOINT = ("word", "outcome", "state", "increments_left")


def joint_of(names: Sequence[str]) -> list[str]:
    """Quantities whose joint distribution is compared."""
    return sorted(name for name in names if name.rpartition(".")[2] in JOINT)


def twin_cells(file: dict[str, Any], seed: int, trials: int) -> Cells:
    """What the twin saw."""
    rng = Dice(seed)
    cells: Cells = {}
    for number in range(len(file["charge"])):
        for _ in range(trials):
            values = simulate_charge(number, file, rng)
            for name, value in values.items():
                cells.setdefault(name, Counter())[value] += 1
            joint = tuple(values[name] for name in joint_of(list(values)))
            cells.setdefault(f"joint.{number}", Counter())[joint] += 1
    return cells


def part_columns(part: Part, tally: Tally) -> Iterator[tuple[str, list[Any]]]:
    """Values of all quantities of a part in every state."""
    reading = part.read(tally.states)
    for number, view in reading.charges.items():
        yield f"charge.{number}.word", list(words(view))
        for key in NUMBERS:
            yield f"charge.{number}.{key}", numbers(view.quantities[key], None)
        for key in FLAGS:
            yield f"charge.{number}.{key}", [bool(flag) for flag in view.flags[key]]
    for name, view in reading.combats.items():
        yield f"combat.{name}.outcome", list(words(view))
        for key in ("recoil", "forms_square", "stands"):
            yield f"combat.{name}.{key}", numbers(view.quantities[key], None)
    for name, view in reading.units.items():
        yield f"unit.{name}.state", list(words(view))
        yield f"unit.{name}.increments_left", numbers(view.quantities["increments_left"], None)


def engine_cells(scenario: Scenario, tallies: Sequence[Tally]) -> Cells:
    """Chances of the same quantities in the end states of an engine, charge by charge."""
    cells: Cells = {}
    for part, tally in zip(scenario.parts, tallies, strict=True):
        columns = dict(part_columns(part, tally))
        number = next(int(name.split(".")[1]) for name in columns if name.startswith("charge."))
        group = joint_of(list(columns))
        columns[f"joint.{number}"] = list(zip(*(columns[name] for name in group), strict=True))
        weights = tally.weights.tolist()
        for name, values in columns.items():
            counter = cells[name] = Counter()
            for value, weight in zip(values, weights, strict=True):
                counter[value] += weight
    return cells
