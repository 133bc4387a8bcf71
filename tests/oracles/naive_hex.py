"""A naive second reading of the hex charge rules: the melee of a charge, die by die.

Slow and plain on purpose. The other ``naive_hex_*`` modules hold dice, tables, map and move.
The default tables are ILLUSTRATIVE - not any published table.
"""

from fractions import Fraction

from oracles.naive_hex_dice import as_fraction, chance, check_morale, draw, roll_d66, shift_face
from oracles.naive_hex_map import CHARGING_FORMATIONS, chargeable
from oracles.naive_hex_tables import (
    SYNTHETIC,
    column_state,
    combine_line,
    defender_state,
    disorder,
    is_retreat,
    line_increments,
    line_share,
    line_state,
    odds_column,
    parse_result,
    read_square,
    recoil_of,
    rout,
    run_column,
    split_contacts,
    text_of,
)

STAGES = ("square", "retire", "stand", "fire", "melee", "recall")

SWITCHES = {
    "morale_dice": "d66",
    "auto_faces": "none",
    "square_divisor": 3,
    "line_modifiers": "after_share",
    "split_hex": "choose",
    "line_two_disorders": "worst",
    "ds_counts_as_retreat": True,
    "dd0_stops": False,
    "column_pursuit": "must",
    "pgd_retreat": "number",
    "fraction": "keep",
    "loss_check_fails": "disordered",
    "stages": STAGES,
}


def new_target(described):
    """A target as it stands before the charge, with nothing done to it yet."""
    target = {
        "kind": "INF",
        "formation": "LINE",
        "state": "GOOD",
        "choice": "stand",
        "otherwise": "stand",
        "distance": 1,
        "morale": 36,
        "stand_modifiers": (),
        "stand_modifier": 0,
        "square_modifier": 0,
        "melee_modifier": 0,
        "retire_p": None,
        "increments": None,
        "legal_hex": True,
        "fire": None,
    }
    target.update(described)
    target.update(stage="in", result=None, recoil=0, share=None, share_increments=None)
    target.update(column=None, rolls=0, retreats=False, morale_check=False)
    target.update(formed=None, stood=None, state_in_melee=None)
    return target


def try_square(target, tables, rng, distance):
    """HEX-SEQ-04, HEX-LINE-04: one attempt at a square; it may disorder or rout the target."""
    if target["state"] in ("PGD", "GONE") or target["formation"] == "SQUARE":
        return
    face = shift_face(roll_d66(rng), target["square_modifier"])
    word = read_square(tables["square"][distance], face)
    target["formed"] = word == "SQUARE"
    if word == "SQUARE":
        target["formation"] = "SQUARE"
    elif word == "DISORDER":
        target["state"] = disorder(target["state"])
    else:
        target["state"] = rout(target["state"])


def try_retire(target, rng):
    """HEX-SEQ-06, HEX-LINE-04: retire before the charge; skirmishers with a legal hex do."""
    p = target["retire_p"]
    if p is None:
        p = 1 if target["formation"] == "SKIRMISH" and target["legal_hex"] else 0
    if chance(rng, p):
        target["stage"] = "retired"
        return True
    return False


def stand_modifier(target, tables):
    """Sum of the stand modifiers: named ones, the state's, the formation's, and a plain number."""
    names = list(target["stand_modifiers"])
    if target["state"] == "DISORDERED" and "disordered" not in names:
        names.append("disordered")
    if target["formation"] == "SKIRMISH" and "skirmish" not in names:
        names.append("skirmish")
    return sum(tables["stand"].get(name, 0) for name in names) + target["stand_modifier"]


def try_stand(target, tables, switches, rng):
    """HEX-SEQ-02, HEX-SEQ-05, HEX-LINE-04: a square stands, PGD is broken, others check."""
    if target["formation"] == "SQUARE" and target["state"] != "PGD":
        return
    target["stood"] = check_morale(
        rng,
        target["morale"],
        stand_modifier(target, tables),
        switches["morale_dice"],
        switches["auto_faces"],
    )
    if not target["stood"]:
        if tables["fail_result"] == "DISORDERED":
            target["state"] = disorder(target["state"])
        else:
            target["state"] = rout(target["state"])


def leave_if_broken(target):
    """A stack that is PGD before the melee is broken and out of contact (2.4)."""
    if target["stage"] == "in" and target["state"] in ("PGD", "GONE"):
        target["stage"] = "broken"


def before_the_melee(targets, tables, switches, rng):
    """HEX-SEQ-01: squares, then retirements, then stand rolls, stack after stack."""
    stages = switches["stages"]
    for target in targets:
        if "square" in stages and target["choice"] == "square":
            try_square(target, tables, rng, target["distance"])
        leave_if_broken(target)
    for target in targets:
        if (
            target["stage"] == "in"
            and "retire" in stages
            and target["choice"] == "retire"
            and not try_retire(target, rng)
            and "square" in stages
            and target["otherwise"] == "square"
        ):
            try_square(target, tables, rng, target["distance"])
            leave_if_broken(target)
    for target in targets:
        if target["stage"] == "in" and "stand" in stages:
            try_stand(target, tables, switches, rng)
        leave_if_broken(target)


def defensive_fire(targets, tables, increments, rng):
    """Increments the charger keeps after the fire of those who stand (2.4)."""
    for target in targets:
        fire = target["fire"] or tables.get("fire")
        if target["stage"] == "in" and fire:
            increments -= draw(rng, fire)
    return max(0, increments)


def count_contacts(charge, targets, switches):
    """HEX-SEQ-06, HEX-LINE-08: hexes on each target, counted again among those still there."""
    there = [target for target in targets if target["stage"] == "in"]
    if any("touches" in target for target in targets):
        touching = {}
        for number in range(charge["hexes"]):
            touching[number] = [t["id"] for t in there if number in t["touches"]]
        contacts = split_contacts(
            charge["hexes"], touching, switches["split_hex"], charge.get("choice_of_hex")
        )
    else:
        contacts = {t["id"]: as_fraction(t.get("contacts", 1)) for t in there}
    if sum(contacts.values()) > charge["hexes"]:
        raise ValueError("more hexes in contact than the line has")
    return contacts


def passes_loss_check(unit, switches, rng):
    """Starred losses: the morale check of that side (2.5); who fails is disordered or nothing."""
    passed = check_morale(rng, unit["morale"], 0, switches["morale_dice"], switches["auto_faces"])
    return passed or switches["loss_check_fails"] == "nothing"


def suffer(target, result, switches, rng):
    """HEX-COL-04, HEX-LINE-06: what a melee does to its target."""
    before = target["state"]
    target["state_in_melee"] = before
    target["result"] = text_of(result)
    target["state"] = defender_state(before, result)
    made_pgd = target["state"] == "PGD" and before != "PGD"
    if result[0] in ("DD", "DR", "DS"):
        target["retreats"] = is_retreat(result, made_pgd, switches["ds_counts_as_retreat"])
        target["recoil"] = recoil_of(result, switches["pgd_retreat"], target["state"])
    if result[0] == "LOSS":
        target["morale_check"] = result[1][3]
        if target["increments"]:
            target["increments"] = max(0, target["increments"] - result[1][2])
            if target["increments"] == 0:
                target["state"] = "GONE"
        asked = result[1][3] and target["state"] != "GONE"
        if asked and not passes_loss_check(target, switches, rng):
            target["state"] = disorder(target["state"])
    return made_pgd


def fight_line(charge, targets, tables, switches, melee, increments, rng):
    """HEX-LINE-05 to HEX-LINE-14: one roll for each target, then the worst for the charger."""
    table = tables["melee"]
    contacts = count_contacts(charge, targets, switches)
    results = []
    broke = []
    rolls = 0
    lost = 0
    for target in targets:
        contact = contacts.get(target["id"], 0)
        if target["stage"] != "in" or contact == 0:
            continue
        share = line_share(
            melee,
            contact,
            charge["hexes"],
            charge.get("melee_modifier", 0) + target["melee_modifier"],
            square=target["formation"] == "SQUARE",
            square_divisor=switches["square_divisor"],
            line_modifiers=switches["line_modifiers"],
            fraction=switches["fraction"],
        )
        target["stage"] = "melee"
        target["contact"] = contact
        target["share"] = share
        target["share_increments"] = line_increments(increments, contact, charge["hexes"])
        target["column"] = odds_column(
            share, target["melee"], table["columns"], table.get("below_first", "clamp")
        )
        result = parse_result(
            table["rows"][target["column"]][roll_d66(rng)], tables.get("default_recoil")
        )
        target["rolls"] = 1
        rolls += 1
        broke.append(suffer(target, result, switches, rng))
        results.append(result)
        if result[0] == "LOSS":
            lost += result[1][0]
            if result[1][1] and not passes_loss_check(charge, switches, rng):
                results.append(("AD", 0))
                broke.append(False)
    label, pursuit = combine_line(
        results,
        broke,
        ds_counts_as_retreat=switches["ds_counts_as_retreat"],
        two_disorders=switches["line_two_disorders"],
    )
    return {
        "attacker": label,
        "attacker_recoil": int(label[2:]) if label.startswith("AD") else 0,
        "attacker_state": line_state(charge["state"], label, charge["hexes"], rolls > 0),
        "pursuit": pursuit,
        "may_choose": True,
        "rolls": rolls,
        "lost": lost,
        "consolidate_head": False,
    }


def fight_column(charge, targets, tables, switches, melee, rng):
    """HEX-COL-01 to HEX-COL-13: the waves against the one target."""
    there = [target for target in targets if target["stage"] == "in"]
    if len(targets) > 1:
        raise ValueError("HEX-COL-01: a company column has one target")
    before = charge["state"]
    if not there:
        return nothing_fought(before)
    target = there[0]
    table = tables["melee"]
    square = target["formation"] == "SQUARE"
    total = melee + as_fraction(charge.get("melee_modifier", 0) + target["melee_modifier"])
    state_before = target["state"]
    done = run_column(
        total,
        charge["hexes"],
        target["melee"],
        table,
        lambda: roll_d66(rng),
        state=state_before,
        square_divisor=switches["square_divisor"] if square else 1,
        dd0_stops=switches["dd0_stops"],
        increments=target["increments"],
        default_recoil=tables.get("default_recoil"),
        fraction=switches["fraction"],
        check=lambda side: passes_loss_check(
            charge if side == "attacker" else target, switches, rng
        ),
    )
    target["stage"] = "melee"
    target["state_in_melee"] = state_before
    target["share"] = done["share"]
    target["share_increments"] = as_fraction(charge["increments"]) / charge["hexes"]
    target["column"] = odds_column(
        done["share"], target["melee"], table["columns"], table.get("below_first", "clamp")
    )
    target["rolls"] = done["rolls"]
    target["result"] = done["defender"]
    target["state"] = done["defender_state"]
    target["increments"] = done["defender_left"]
    target["recoil"] = recoil_of(
        done["last_hit"], switches["pgd_retreat"], done["state_at_last_hit"]
    )
    if done["last_hit"]:
        target["retreats"] = is_retreat(
            done["last_hit"], done["state_at_last_hit"] == "PGD", switches["ds_counts_as_retreat"]
        )
    after = column_state(before, done["attacker"])
    return {
        "attacker": done["attacker"],
        "attacker_recoil": done["attacker_recoil"],
        "attacker_state": after,
        "pursuit": target["retreats"] and done["attacker"] in ("NONE", "BOUNCE"),  # HEX-COL-12
        "may_choose": switches["column_pursuit"] == "may",
        "rolls": done["rolls"],
        "lost": done["attacker_lost"],
        "consolidate_head": after in ("DISORDERED", "PGD") and after != before,  # HEX-COL-11
    }


def nothing_fought(state):
    """The charger where no melee was fought: as it was, and no pursuit (V-HEX-17)."""
    return {
        "attacker": "NONE",
        "attacker_recoil": 0,
        "attacker_state": state,
        "pursuit": False,
        "may_choose": True,
        "rolls": 0,
        "lost": 0,
        "consolidate_head": False,
    }


def try_recall(charge, tables, state, rng):
    """HEX-LINE-17: one d6 recalls the whole unit or none of it; a leader adds one.

    None where no recall was wanted or the unit cannot hear it.
    """
    wanted = charge.get("recall")
    if not wanted or state in ("PGD", "GONE"):
        return None
    minimum = tables["recall"].get(wanted.get("class", "default"), tables["recall"]["default"])
    return rng.randint(1, 6) + (1 if wanted.get("leader", False) else 0) >= minimum


def simulate_melee(charge, rng):
    """HEX-SEQ-01: a charge that has become adjacent to its targets, to the end.

    ``charge``: formation (LINE, COMPANY_COLUMN), hexes, increments, melee, melee_modifier, state,
    targets, tables (SYNTHETIC), switches (over SWITCHES), recall ({"class", "leader"} or None),
    pursue (True), choice_of_hex. A target: id, melee, ``contacts`` (hexes) or ``touches`` (numbers
    of the charger's hexes), and what ``new_target`` names. The dice fall in this order: squares,
    retirements, stand rolls, defensive fire, melees, recall; in each, stack after stack.
    """
    charge = {"state": "GOOD", "increments": 1, **charge}
    tables = {**SYNTHETIC, **charge.get("tables", {})}
    switches = {**SWITCHES, **charge.get("switches", {})}
    stages = switches["stages"]
    if charge["formation"] not in CHARGING_FORMATIONS:
        raise ValueError("HEX-FORM-01: only a line or a company column charges")
    if charge["state"] not in ("GOOD", "DISORDERED"):
        raise ValueError("a unit in rout does not charge")

    everybody = [new_target(described) for described in charge["targets"]]
    wanted = chargeable([target["kind"] for target in everybody])
    targets = []
    for number, target in enumerate(everybody):
        if number in wanted:
            targets.append(target)
        else:
            target["stage"] = "not_charged"  # HEX-LINE-02, HEX-LINE-03

    before_the_melee(targets, tables, switches, rng)
    start = charge["increments"]
    increments = defensive_fire(targets, tables, start, rng) if "fire" in stages else start
    melee = as_fraction(charge["melee"]) * Fraction(increments) / Fraction(start)
    charge["increments"] = increments

    if increments == 0:
        end = nothing_fought("GONE")
    elif "melee" not in stages:
        end = nothing_fought(charge["state"])
    elif charge["formation"] == "LINE":
        end = fight_line(charge, targets, tables, switches, melee, increments, rng)
    else:
        end = fight_column(charge, targets, tables, switches, melee, rng)

    # results take their toll before pursuit and recall (HEX-SEQ-01)
    if end["lost"] >= increments > 0:
        end["attacker_state"] = "GONE"
    if end["attacker_state"] == "GONE":
        end["pursuit"] = False
    recalled = None
    if "recall" in stages and end["rolls"] > 0:
        recalled = try_recall(charge, tables, end["attacker_state"], rng)
    wants = charge.get("pursue", True) or not end["may_choose"]
    pursues = end["pursuit"] and wants and recalled is not True
    return {
        "attacker": end["attacker"],
        "attacker_state": end["attacker_state"],
        "attacker_recoil": end["attacker_recoil"],
        "bounce": end["attacker"] == "BOUNCE",  # HEX-SEQ-08: a label, nothing more
        "pursuit": end["pursuit"],
        "pursues": pursues,
        "pursuit_wanted": end["pursuit"] and wants,
        "recalled": recalled,
        "consolidate_head": end["consolidate_head"],
        "after_fire": increments,
        "lost": end["lost"],
        "increments": max(0, increments - end["lost"]),
        "rolls": end["rolls"],
        "fought": end["rolls"] > 0,
        "charge_over": True,
        "tired": True,
        "rally": end["attacker_state"] != "GONE",
        "targets": everybody,
    }
