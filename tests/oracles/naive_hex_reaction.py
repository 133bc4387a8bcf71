"""HEX-FORM-03, HEX-LINE-15, HEX-LINE-16: cavalry charged in turn, and a line that advances.

Naive as the other ``naive_hex_*`` modules: plain loops, die by die, from the specification alone.
"""

from oracles.naive_hex import SWITCHES, before_the_melee, new_target, simulate_melee, try_recall
from oracles.naive_hex_map import distance, facing_of, front_hexes, turn_to_face
from oracles.naive_hex_tables import SYNTHETIC, disorder, rout


def turned_facings(unit, enemy_hexes):
    """HEX-FORM-03: facing of each hex of the charged charger; those next to the enemy turn."""
    facings = []
    for number, hex_ in enumerate(unit["hexes"]):
        facing = facing_of(unit, number)
        beside = [there for there in enemy_hexes if distance(hex_, there) == 1]
        turns = [(turn_to_face(hex_, facing, there) - facing) % 6 for there in beside]
        # the least turn that brings any hex of the enemy in front, to the left where equal
        for turn in (0, 1, 5, 2, 4, 3):
            if turn in turns:
                facing = (facing + turn) % 6
                break
        facings.append(facing)
    return facings


def hexes_to_take(hexes, facings, targets):
    """HEX-LINE-15: hexes of the beaten targets in front of the line, each counted once."""
    ahead = {
        at for hex_, facing in zip(hexes, facings, strict=True) for at in front_hexes(hex_, facing)
    }
    return len({at for target in targets for at in target if at in ahead})


def narrows(formation, hexes, room, advance_into="target_hexes"):
    """HEX-LINE-15: whether a line that advances has to consolidate."""
    if advance_into == "one_hex":
        room = 1
    return formation == "LINE" and hexes > room


def may_provoke(enemies):
    """HEX-LINE-16: whether one of (fought, is a combat unit, state) is left to react."""
    return any(
        combat and not fought and state in ("GOOD", "DISORDERED")
        for fought, combat, state in enemies
    )


def stands_against(described, charge, rng):
    """The charged charger's own roll to stand; its state afterwards, and whether it broke."""
    target = new_target(described)
    tables = {**SYNTHETIC, **charge.get("tables", {})}
    switches = {**SWITCHES, **charge.get("switches", {})}
    before_the_melee([target], tables, switches, rng)
    return target, target["stage"] == "broken"


def fight_both(first, reaction, as_target, rng):
    """A charge and the reaction that its charger has turned to face.

    ``first``, ``reaction``: charges as for ``simulate_melee``; ``as_target``: the first charger as
    the reaction's only target. Reading: the roll to stand comes before all melees, the melees in
    the order of the charges; who does not stand fights none.
    """
    charged, broke = stands_against(as_target, reaction, rng)
    stages = SWITCHES["stages"]
    own = {**first, "recall": None, "switches": {**first["switches"]}}
    if broke:
        own["switches"]["stages"] = ("square", "retire", "stand", "fire")
        mine = simulate_melee(own, rng)
        theirs = simulate_melee(
            {
                **reaction,
                "targets": [{**as_target, "state": "PGD"}],
                "switches": {**reaction["switches"], "stages": stages},
            },
            rng,
        )
        theirs["targets"][0]["stage"] = "broken"
        theirs["targets"][0]["stood"] = charged["stood"]
        state = "GONE" if mine["increments"] == 0 else "PGD"
        return mine, theirs, {"broke": True, "state": state, "fate": "broken", "recalled": None}
    mine = simulate_melee(own, rng)
    # its value has fallen with the increments that it lost to fire
    left = mine["after_fire"]
    theirs = simulate_melee(
        {
            **reaction,
            "targets": [
                {
                    **as_target,
                    "state": charged["state"],
                    "melee": as_target["melee"] * left / first["all_increments"],
                    "increments": left,
                }
            ],
            "switches": {**reaction["switches"], "stages": ("melee", "recall")},
        },
        rng,
    )
    theirs["targets"][0]["stood"] = charged["stood"]
    after = theirs["targets"][0]
    state = after["state"]
    label = mine["attacker"]
    if state != "GONE":
        if label == "AS":
            state = "GONE"
        elif label in ("AR", "ROUT"):
            state = rout(state)
        elif label.startswith("AD") or label == "DISORDER":
            state = disorder(state)
    lost = mine["lost"] + left - after["increments"]
    if lost >= left:
        state = "GONE"
    # HEX-LINE-14: no PGD of a disorder just taken, but of one from before
    several = first["formation"] == "LINE" and first["hexes"] > 1
    before = state == "DISORDERED" and first["state"] == "DISORDERED"
    if mine["rolls"] and several and (state == "GOOD" or before):
        state = disorder(state)
    recalled = None
    if mine["rolls"]:
        tables = {**SYNTHETIC, **first.get("tables", {})}
        recalled = try_recall(first, tables, state, rng)
    fate = "stood" if after["state"] == charged["state"] else after["state"]
    return (
        mine,
        theirs,
        {"broke": False, "state": state, "fate": fate, "recalled": recalled, "lost": lost},
    )
