"""Whole charges of a hex scenario file, played by the naive twin: move, reactions, melees, end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracles.hex_files import (
    KINDS,
    hexes_of,
    pmf_of,
    side_charged,
    target_of,
    twin_tables,
    twin_terrain,
    twin_unit,
)
from oracles.naive_hex import SWITCHES, new_target, simulate_melee, try_square
from oracles.naive_hex_dice import check_morale, draw
from oracles.naive_hex_map import (
    add,
    body_of,
    chargeable,
    direction,
    distance,
    facing_of,
    front_hexes,
    has_los,
    in_general_order,
    may_fire_at_opportunity,
    may_stand_on,
    missed,
    moved,
    must_declare,
    must_declare_at_start,
    step_cost,
    touching,
    zone_of,
)
from oracles.naive_hex_reaction import (
    fight_both,
    hexes_to_take,
    may_provoke,
    narrows,
    turned_facings,
)
from oracles.naive_hex_tables import disorder

BUDGET = 5
NUMBERS = ("melees", "charger_recoil", "increments_lost")


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


def walk(number: int, file: dict[str, Any], rng: Any, elsewhere: Any = None) -> dict[str, Any]:
    """The move of a charge, and all that its melees need.

    Parameters
    ----------
    elsewhere
        Hexes of units that have charged before, by name.
    """
    given = file["charge"][number]
    switches = {**SWITCHES, **file.get("switches", {})}
    terrain = twin_terrain(file)
    named = file["unit"][given["charger"]]
    unit = twin_unit(given["charger"], named)
    state = named.get("state", "good").upper()
    company = unit["formation"] == "COMPANY_COLUMN"
    there = {name: twin_unit(name, one) for name, one in file["unit"].items()}
    for name, hexes in (elsewhere or {}).items():
        there[name]["hexes"] = hexes
    targets = {name: there[name] for name in given["targets"]}
    others = [one for name, one in there.items() if name != given["charger"]]
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
        kind = KINDS[file["unit"][name].get("kind", "cavalry")]
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
    way = [body[0]]
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
        way.append(body[0])
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
    kinds = [KINDS[file["unit"][name].get("kind", "cavalry")] for name in fought]
    fought = [fought[i] for i in chargeable(kinds)]

    stacks = {}
    for name, target in targets.items():
        aspect = side_charged(body, unit["facing"], target)
        stacks[name] = target_of(name, file, gaps[name], aspect, terrain)
        stacks[name]["touches"] = [n for n, ids in contacts.items() if name in ids]
    behind = hexes_of(named)[1:]
    return {
        "number": number,
        "given": given,
        "named": named,
        "unit": unit,
        "company": company,
        "switches": switches,
        "tables": twin_tables(file),
        "word": word,
        "state": state,
        "increments": increments,
        "body": body,
        "hexes": [*reversed(way), *behind][: len(unit["hexes"])] if company else body,
        "facings": [facing_of(unit, place) for place in range(len(body))],
        "targets": targets,
        "stacks": stacks,
        "fought": fought,
        "came_near": came_near,
    }


def described(one: dict[str, Any]) -> dict[str, Any]:
    """A charge in contact as the twin's melee wants it."""
    named, given, switches = one["named"], one["given"], one["switches"]
    start = named["increments"]
    return {
        "formation": one["unit"]["formation"],
        "hexes": len(one["unit"]["hexes"]) if one["company"] else len(one["body"]),
        "increments": one["increments"],
        "all_increments": start,
        "melee": Fraction(str(named["melee"])) * one["increments"] / start,
        "melee_modifier": Fraction(str(given.get("modifier", 0))),
        "morale": named["morale"],
        "state": one["state"],
        "targets": [
            {**one["stacks"][n], "melee_modifier": 0}
            | ({} if not one["company"] else {"touches": [0]})
            for n in one["fought"]
        ],
        "tables": one["tables"],
        "switches": {k: v for k, v in switches.items() if k in SWITCHES},
        "recall": {"leader": named.get("leader", False)} if given.get("recall") else None,
        "pursue": given.get("pursue", True),
        "choice_of_hex": {int(h): t for h, t in given.get("give", {}).items()},
    }


def simulate_charge(number: int, file: dict[str, Any], rng: Any) -> dict[str, Any]:
    """One charge from the declaration to the end; quantities by their names."""
    one = walk(number, file, rng)
    out: dict[str, Any] = {}
    fates = rest_of(one, rng)
    start = one["named"]["increments"]
    if one["word"] or not one["fought"]:
        tell(out, one, file, fates, one["word"], 0, 0, start - one["increments"], None)
        tell_unit(out, one, one["state"], start - one["increments"])
        tell_head(out, one, one["state"])
        return out
    end = simulate_melee(described(one), rng)
    for target in end["targets"]:
        fates[target["id"]] = fate_of(target)
    lost = start - end["increments"]
    tell(out, one, file, fates, word_of(end), end["rolls"], end["attacker_recoil"], lost, end)
    tell_unit(out, one, end["attacker_state"], lost)
    tell_head(out, one, end["attacker_state"])
    return out


def simulate_reaction(number: int, file: dict[str, Any], rng: Any) -> dict[str, Any]:
    """A charge and, next in the file, the reaction that answers it."""
    one = walk(number, file, rng)
    two = walk(number + 1, file, rng, {one["unit"]["id"]: one["hexes"]})
    name = one["unit"]["id"]
    met = two["fought"] == [name]
    standing = {**one["unit"], "hexes": one["hexes"]}
    facings = turned_facings(standing, two["body"]) if met else one["facings"]
    if met and not one["word"]:
        touched = {
            n: [t for t in one["fought"] if set(one["targets"][t]["hexes"]) & set(front)]
            for n, front in enumerate(map(front_hexes, one["body"], facings))
        }
        one["fought"] = [t for t in one["fought"] if any(t in ids for ids in touched.values())]
        for target in one["fought"]:
            one["stacks"][target]["touches"] = [n for n in touched if target in touched[n]]
        if not one["fought"]:
            one["word"] = "no_target"
    one["facings"] = facings[: len(one["body"])]
    out: dict[str, Any] = {}
    fates = rest_of(one, rng)
    start = one["named"]["increments"]
    assert met, "a reaction that meets nobody is a charge apart"
    as_target = two["stacks"][name]
    # who turns to face it is met in front
    as_target["stand_modifiers"] = [
        word for word in as_target["stand_modifiers"] if word not in ("flank", "rear")
    ]
    as_target |= {"state": one["state"], "touches": two["stacks"][name]["touches"]}
    as_target["melee_modifier"] = 0
    reaction = described(two)
    if two["company"]:
        as_target["touches"] = [0]
    if one["word"]:
        as_target["melee"] = as_target["melee"] * one["increments"] / start
        as_target["increments"] = one["increments"]
        theirs = simulate_melee({**reaction, "targets": [as_target]}, rng)
        state = theirs["targets"][0]["state"]
        lost = start - (theirs["targets"][0]["increments"] or 0)
        tell(out, one, file, fates, one["word"], 0, 0, lost, None)
    else:
        mine, theirs, both = fight_both(described(one), reaction, as_target, rng)
        state = both["state"]
        for target in mine["targets"]:
            if both["broke"] and target["stage"] == "in":
                target["stage"], target["state_in_melee"] = "melee", target["state"]
            fates[target["id"]] = fate_of(target)
        after = theirs["targets"][0]
        lost = start - mine["after_fire"]
        if not both["broke"]:
            lost = min(start, start - after["increments"] + mine["lost"])
        end = {
            **mine,
            "attacker_state": state,
            "recalled": both["recalled"],
            "pursuit_wanted": mine["pursuit_wanted"]
            and both["fate"] == "stood"
            and state not in ("PGD", "GONE"),
        }
        end["pursues"] = end["pursuit_wanted"] and both["recalled"] is not True
        word = word_of(end)
        if both["broke"] or (both["fate"] == "PGD" and word != "charger_surrendered"):
            word = "charger_routed"
        elif mine["rolls"] == 0 and state == "GONE":
            word = "charger_surrendered"
        tell(out, one, file, fates, word, mine["rolls"], mine["attacker_recoil"], lost, end)
    tell_unit(out, one, state, lost)
    tell_head(out, one, state)
    rest = {name: fate_of(theirs["targets"][0])}
    fallen = two["named"]["increments"] - theirs["increments"]
    second: dict[str, Any] = {}
    tell(
        second, two, file, rest, word_of(theirs), theirs["rolls"], theirs["attacker_recoil"],
        fallen, theirs,
    )  # fmt: skip
    for key in [key for key in second if key.startswith(f"unit.{name}.")]:
        second.pop(key)
    out |= second
    tell_unit(out, two, theirs["attacker_state"], fallen)
    tell_head(out, two, theirs["attacker_state"])
    return out


def rest_of(one: dict[str, Any], rng: Any) -> dict[str, dict[str, Any]]:
    """What becomes of the targets that are not fought."""
    rest = {name: stack for name, stack in one["stacks"].items() if name not in one["fought"]}
    return without_contact(rest, one["came_near"], one["tables"], rng)


def tell(
    out: dict[str, Any], one: dict[str, Any], file: dict[str, Any], fates: Any, word: Any,
    melees: int, recoil: int, lost: int, end: Any,
) -> None:  # fmt: skip
    """Tell of a charge and its targets."""
    for name, fate in fates.items():
        out |= {f"combat.{name}.{key}": value for key, value in fate.items()}
    for name in fates:
        out[f"unit.{name}.state"] = out.pop(f"combat.{name}.state")
        out[f"unit.{name}.increments_left"] = out.pop(f"combat.{name}.left")
    number = one["number"]
    tell_charge(out, number, word, melees, recoil, lost, end)
    hexes = len(one["body"])
    taken = [one["targets"][t["id"]]["hexes"] for t in (end or {"targets": ()})["targets"]
             if t["stage"] == "melee"]  # fmt: skip
    room = hexes_to_take(one["body"], one["facings"], taken)
    into = one["switches"].get("advance_into", "target_hexes")
    shrinks = word == "pursues" and narrows(one["unit"]["formation"], hexes, room, into)
    out[f"charge.{number}.consolidates"] = shrinks
    side = one["named"]["side"]
    enemies = []
    for name, unit in file["unit"].items():
        if unit["side"] != side:
            away = fates.get(name, {"outcome": "no_contact"})["outcome"]
            fought = away not in ("no_contact", "target_retired")
            state = fates[name]["state"] if name in fates else unit.get("state", "good")
            enemies.append((fought, unit.get("kind") != "leader", state.upper()))
    out[f"charge.{number}.provokes"] = shrinks and may_provoke(enemies)


def tell_unit(out: dict[str, Any], one: dict[str, Any], state: str, lost: int) -> None:
    name = one["unit"]["id"]
    out[f"unit.{name}.state"] = state.lower()
    out[f"unit.{name}.increments_left"] = one["named"]["increments"] - lost


def tell_head(out: dict[str, Any], one: dict[str, Any], state: str) -> None:
    """HEX-COL-11: a column of several hexes that has become worse is in its head hex."""
    worse = state in ("DISORDERED", "PGD") and moved_down(one["named"], state)
    several = one["company"] and len(one["unit"]["hexes"]) > 1
    out[f"charge.{one['number']}.head_hex"] = several and worse


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
