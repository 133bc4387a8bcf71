"""The move of a charge step by step: points, declarations, extension, General Order."""

from oracles.naive_hex_dice import check_morale, morale_probability
from oracles.naive_hex_map import CHARGING_FORMATIONS, must_declare, must_declare_at_start
from oracles.naive_hex_tables import disorder


def why_no_extension(formation, hexes, kind, changes):
    """HEX-EXP-01, HEX-EXP-05: rules that forbid these changes of width, one for each step."""
    broken = []
    if not any(changes):
        return broken
    if kind in ("REACTION", "OPPORTUNITY"):
        broken.append("HEX-EXP-05")
    width = hexes
    for change in changes:
        width += change
        if formation != "LINE" or abs(change) > 1 or width < 1:
            broken.append("HEX-EXP-01")
            break
    return broken


def extension_probability(morale, checks, modifier=0):
    """HEX-EXP-02: chance that so many checks are all passed."""
    p = 1
    for _ in range(checks):
        p *= morale_probability(morale, modifier)
    return p


def simulate_move(charge, rng):
    """HEX-ZONE-02, HEX-EXP, HEX-TERR, HEX-TGT-03 to 07: walk a charge towards one enemy.

    ``charge``: formation, hexes, state, kind (NORMAL), morale, morale_modifier, morale_dice,
    budget (5), start_general_order, enemy_kind, enemy_seen (True), answer (True: "it is my
    target"), distance (steps + 1), steps: dictionaries of cost, change, general_order.
    Switches: stranded, go_end_disorder, declare_at_start_vs_cav, exp_check.
    """
    formation = charge.get("formation", "LINE")
    hexes = charge.get("hexes", 1)
    state = charge.get("state", "GOOD")
    steps = charge["steps"]
    gap = charge.get("distance", len(steps) + 1)
    left = charge.get("budget", 5)
    seen = charge.get("enemy_seen", True)
    log = []
    out = {"contact": False, "spent": 0, "steps": 0, "checks": 0, "passed": False}

    changes = [step.get("change", 0) for step in steps]
    if formation not in CHARGING_FORMATIONS:
        log.append("HEX-FORM-01")
    if charge.get("start_general_order", False):
        log.append("HEX-TERR-04")
    log += why_no_extension(formation, hexes, charge.get("kind", "NORMAL"), changes)
    if log:
        out.update(rejected=True, tired=False, state=state, hexes=hexes, distance=gap)
        out.update(formation=formation, log=log)
        return out

    declared = False

    def ask():
        """HEX-TGT-03, HEX-TGT-04: the answer counts from now on."""
        nonlocal declared
        declared = charge.get("answer", True)
        out["passed"] = not declared

    early = must_declare_at_start(
        gap, charge.get("enemy_kind", "INF"), charge.get("declare_at_start_vs_cav", False)
    )
    if early:
        log.append("HEX-TGT-05")
        ask()
    elif must_declare(gap, seen):
        log.append("HEX-TGT-03")
        ask()
    elif gap == 1:
        declared = charge.get("answer", True)  # cavalry at one hex: named when it is struck

    stranded = False
    failed = False
    ended_by_terrain = False
    for step in steps:
        if gap == 1 or out["passed"]:
            break
        cost = step.get("cost", 1)
        if cost > left:
            stranded = True
            break
        left -= cost
        gap -= 1
        out["spent"] += cost
        out["steps"] += 1
        if step.get("general_order", False):
            log += ["HEX-TERR-01", "HEX-TERR-03"]
            formation = "GENERAL_ORDER"
            ended_by_terrain = True
            break
        change = step.get("change", 0)
        if change:
            out["checks"] += 1
            if charge.get("exp_check", "after_step") == "after_step":
                hexes += change
            if not check_morale(
                rng,
                charge["morale"],
                charge.get("morale_modifier", 0),
                charge.get("morale_dice", "d66"),
            ):
                log.append("HEX-EXP-03")
                failed = True
                break
            if charge.get("exp_check", "after_step") != "after_step":
                hexes += change
        if must_declare(gap, seen):
            log.append("HEX-TGT-03")
            ask()

    if failed:
        state = disorder(state)
    elif gap == 1 and declared and not ended_by_terrain:
        out["contact"] = True
    else:
        spent_all = left == 0 or (stranded and charge.get("stranded", "as_spent") == "as_spent")
        if declared and gap > 1 and spent_all:
            log.append("HEX-TGT-07")
            state = disorder(state)
        elif ended_by_terrain and charge.get("go_end_disorder", False):
            state = disorder(state)
        else:
            log.append("HEX-TGT-06")
    log.append("HEX-EXP-04")
    out.update(rejected=False, tired=True, state=state, hexes=hexes, distance=gap)
    out.update(formation=formation, log=log)
    return out
