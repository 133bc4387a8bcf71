"""Random battles of several units, for the comparison of the engines with the naive twin.

Units are small and slow to kill, so that the exact engine stays quick; what one charge alone can
show is left to ``random_scenarios``. Many of the battles made here are not legal (no room on a
front, a blocker that cannot leave): whoever uses them takes those that make a scenario.
"""

from __future__ import annotations

import random
from typing import Any

CHARGERS = (
    *("infantry", "infantry", "infantry", "cavalry", "cavalry", "cavalry", "ogre", "ogre"),
    *("swarm", "monster", "ridden_monster", "chariot", "light_chariot", "flyer"),
)
TARGETS = (*CHARGERS, "infantry", "infantry", "war_machine")
FOOT = (
    *("hand_weapon", "hand_weapon", "two_hand_weapons", "great_weapon", "flail", "morning_star"),
    *("halberd", "spear", "spear", "pike", "pistol", "brace_of_pistols"),
)
MOUNTED = (*FOOT, "lance", "lance")
RIDERS = ("cavalry", "ridden_monster", "flyer")
CHARIOTS = ("chariot", "light_chariot")
MISSILES = (
    *("short_bow", "bow", "long_bow", "crossbow", "repeater_crossbow", "handgun", "pistol"),
    *("sling", "javelin", "throwing_axe", "throwing_knife"),
)
RULES = (
    *("frenzy", "frenzy", "fear", "fear", "terror", "immune_to_psychology", "hatred", "hatred"),
    *("stubborn", "unbreakable", "cold_blooded", "undead", "daemon", "skirmishers"),
    *("fast_cavalry", "flyer", "large_target", "killing_blow", "poison", "always_strikes_first"),
    *("strikes_last", "zombie", "dwarf_legs", "skaven", "skaven"),
)
SWITCHES: dict[str, tuple[Any, ...]] = {
    "charger_test": ("after_reaction", "before_reaction"),
    "ss_on_failed": ("always", "if_in_range_after_failed_move"),
    "redirect_test": ("none", "leadership"),
    "redirect_ss": ("allowed", "forbidden"),
    "panic_engaged": (True, False),
    "frenzy_move": ("compulsory", "after_chargers"),
    "immune_cancels_native": (True, False),
    "s7_regen": (False, True),
    "impact_targets": ("rank_and_file", "like_shooting"),
    "insane_courage": (False, True),
    "flank_rear_stack": (True, False),
    "war_machine_us": ("fixed3", "crew"),
}
FRIGHTENING = ("fear", "terror", "undead", "daemon")


def _models(rng: random.Random, troop: str) -> int:
    if troop in ("infantry", "cavalry", "flyer"):
        return rng.choice((1, 2, 3, 3, 4, 5, 5, 6, 8, 9, 12))
    if troop == "ogre":
        return rng.choice((1, 2, 3, 3, 4, 6))
    return rng.choice((1, 1, 1, 2, 3))


def _profile(rng: random.Random) -> dict[str, int]:
    """Statistics of whoever strikes."""
    return {
        "WS": rng.choice((1, 2, 3, 3, 4, 7)),
        "S": rng.choice((1, 2, 3, 3, 4, 5, 7)),
        "I": rng.choice((2, 3, 3, 4)),
        "A": rng.choice((0, 1, 1, 1, 2)),
    }


def _chariot(rng: random.Random, troop: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    if rng.random() < 0.7:
        table["impact_hits"] = rng.choice(("1D3", "1D3+1", "2", "1D6") if troop else ())
    if rng.random() < 0.6:
        crew = {"count": rng.choice((1, 2)), "BS": rng.randint(2, 5), "Ld": rng.randint(5, 9)}
        table["crew"] = {**crew, **_profile(rng)}
    if rng.random() < 0.6:
        table["beasts"] = {"count": rng.choice((1, 2)), **_profile(rng)}
    return table


def _rules(rng: random.Random, troop: str, weapon: str) -> list[str]:
    rules = {rng.choice(RULES) for _ in range(rng.choice((0, 0, 1, 1, 2, 3)))}
    if weapon == "spear" and rng.random() < 0.4:
        rules.add("elf_spears")
    if troop == "ogre" and rng.random() < 0.5:
        rules.add("bull_charge")
    if troop == "cavalry" and rng.random() < 0.3:
        rules.add("bretonnian_lance")
    if "daemon" in rules:  # no such army; how many dice its instability takes is not settled
        rules.discard("cold_blooded")
    return sorted(rules)


def random_unit(rng: random.Random, side: str, troop: str, inch: bool) -> dict[str, Any]:
    """A unit of a kind of troop, with anything that it may have."""
    models = _models(rng, troop)
    rides = troop in RIDERS or troop in CHARIOTS
    weapon = rng.choice(MOUNTED if rides else FOOT)
    unit: dict[str, Any] = {
        "side": side,
        "models": models,
        "troop": troop,
        "M": rng.choice((4, 5, 6, 7, 9) if inch else (10, 12, 15, 18, 22)),
        **_profile(rng),
        "BS": rng.randint(1, 6),
        "T": rng.choice((3, 3, 4, 4, 5, 6)),
        "W": rng.choice((1, 2, 3, 5)) if models < 3 else rng.choice((1, 1, 1, 1, 2)),
        "Ld": rng.randint(3, 10),
        "weapon": weapon,
        "rules": _rules(rng, troop, weapon),
    }
    if rng.random() < 0.6:
        unit["width"] = rng.randint(1, min(models, 6))
    if rng.random() < 0.3:
        unit["base"] = rng.choice((20, 25, 40, 50))
    if rng.random() < 0.15 and troop != "war_machine":
        unit["unit_strength"] = rng.randint(1, 5)
    if rng.random() < 0.6:
        unit["save"] = f"{rng.randint(1, 6)}+"
    for key, odds in (("ward", 0.2), ("regeneration", 0.2)):
        if rng.random() < odds:
            unit[key] = f"{rng.randint(2, 6)}+"
    if rng.random() < 0.15:
        unit["general_ld"] = rng.randint(6, 10)
    if rng.random() < 0.3:
        unit["combat_bonus"] = rng.randint(1, 4)
    for flag in ("shield", "champion", "standard", "musician", "restrain", "battle_standard"):
        if rng.random() < 0.3:
            unit[flag] = True
    if rng.random() < 0.1:
        unit["terror_tested"] = True
    if troop in RIDERS and rng.random() < 0.4:
        unit["mount"] = _profile(rng)
    if troop in CHARIOTS:
        unit["chariot"] = _chariot(rng, troop)
        if "crew" in unit["chariot"] and rng.random() < 0.6:
            for key in ("WS", "BS", "I", "A", "Ld"):
                del unit[key]
    if rng.random() < (0.5 if side == "reactive" else 0.05) and unit.get("BS", 1):
        unit["missile"] = _missile(rng, inch)
        if rng.random() < 0.3:
            unit["shooters"] = rng.randint(0, models)
    return unit


def _missile(rng: random.Random, inch: bool) -> Any:
    if rng.random() < 0.6:
        return rng.choice(MISSILES)
    missile: dict[str, Any] = {
        "range": rng.choice((8, 16, 30) if inch else (20, 40, 75)),
        "S": rng.choice((3, 4, 5, 8)),
        "shots": rng.choice((1, 1, 2)),
    }
    if rng.random() < 0.5:
        missile["rules"] = rng.choice((["poison"], ["killing_blow"], ["poison", "killing_blow"]))
    return missile


def reach_of(unit: dict[str, Any], inch: bool) -> float:
    """Plain reach of a charge."""
    if unit["troop"] != "flyer" and "flyer" not in unit["rules"]:
        return float(2 * unit["M"])
    flight = 20 if inch else 50
    return float(max(2 * unit["M"], flight) if unit["troop"] in CHARIOTS else flight)


def _way(rng: random.Random, unit: dict[str, Any], target: str, inch: bool) -> dict[str, Any]:
    """What lies between a charger and a target."""
    reach = reach_of(unit, inch)
    part = rng.choice((0.4, 0.5, 0.6, 0.75, 0.9, 1.0, 1.0, 1.1))
    way: dict[str, Any] = {
        "target": target,
        "distance": round(reach * part + rng.choice((0, 0, 0.5)), 2),
        "arc": rng.choice(("front", "front", "front", "flank", "flank", "rear")),
    }
    if rng.random() < 0.25:
        way["gap"] = round(way["distance"] * rng.uniform(0.3, 1.0), 2)
    if rng.random() < 0.3:
        way["cover"] = rng.choice(("none", "soft", "hard"))
    if rng.random() < 0.2:
        way["terrain"] = rng.choice(("difficult", "obstacle", "defended", "defended"))
    if rng.random() < 0.25:
        way["high_ground"] = rng.choice(("charger", "target"))
    if rng.random() < 0.25:
        way["edge"] = rng.choice((0, 5, 8, 11, 14, 18, 24, 30))
    return way


def _open_ground(way: dict[str, Any], unit: dict[str, Any]) -> dict[str, Any]:
    if unit["troop"] in CHARIOTS:
        way.pop("terrain", None)
    return way


def _redirect(
    rng: random.Random, name: str, way: dict[str, Any], battle: dict[str, Any], inch: bool
) -> None:
    """Other targets, should this one flee."""
    unit = battle["unit"][name]
    others = [t for t in _enemies(battle) if t != way["target"]]
    if others and rng.random() < 0.5:
        rng.shuffle(others)
        way["redirect"] = [
            _open_ground(_way(rng, unit, target, inch), unit)
            for target in others[: rng.choice((1, 2))]
        ]


def _enemies(battle: dict[str, Any]) -> list[str]:
    return [name for name, unit in battle["unit"].items() if unit["side"] == "reactive"]


def _declare(rng: random.Random, battle: dict[str, Any], inch: bool) -> None:
    """One charge of each charger, most of them on the first target."""
    enemies = _enemies(battle)
    for name, unit in battle["unit"].items():
        if name[0] != "a":
            continue
        target = enemies[0] if rng.random() < 0.65 else rng.choice(enemies)
        way = _open_ground(_way(rng, unit, target, inch), unit)
        _redirect(rng, name, way, battle, inch)
        if rng.random() < (0.6 if "frenzy" in unit["rules"] else 0.1):
            unit["rules"] = sorted({*unit["rules"], "frenzy"})
            others = [other for other in enemies if other != target and rng.random() < 0.5]
            entries = [way, *(_way(rng, unit, other, inch) for other in others)]
            if unit["troop"] in CHARIOTS and rng.random() < 0.6:
                entries[0]["terrain"] = rng.choice(("difficult", "obstacle"))
            if len(entries) > 1 and rng.random() < 0.3:
                entries[0]["blocked_by"] = [entries[1]["target"]]
            unit["may_reach"] = entries
            continue
        charge = {"charger": name, **way}
        draw = rng.random()
        if draw < 0.1:
            charge["reach"] = f"{reach_of(unit, inch):g}{rng.choice(('+1D3', '-1D3', '+1D6'))}"
        elif draw < 0.2:
            charge["distance"] = {"mean": way["distance"], "sd": rng.choice((1, 2, 3))}
        battle["charge"].append(charge)
    rng.shuffle(battle["charge"])


def _block(rng: random.Random, battle: dict[str, Any], inch: bool) -> None:
    """Put units into the path of charges: fleeing friends, earlier chargers, frightened enemies."""
    for i, charge in enumerate(battle["charge"]):
        if rng.random() > 0.35:
            continue
        before = battle["charge"][:i]
        names = [other["charger"] for other in before]
        names += [other["target"] for other in before if other["target"] != charge["target"]]
        if rng.random() < 0.4 or not names:
            if "friend" not in battle["unit"]:
                friend = random_unit(rng, "active", "infantry", inch)
                battle["unit"]["friend"] = {**friend, "fleeing": True}
            names.append("friend")
        charge["blocked_by"] = [rng.choice(names)]


def _engage(rng: random.Random, battle: dict[str, Any], inch: bool) -> None:
    """Let the first target be in a fight already, perhaps with a unit of the file."""
    target = battle["unit"][_enemies(battle)[0]]
    if rng.random() < 0.25:
        target["engaged"] = True
        return
    old = random_unit(rng, "active", rng.choice(("infantry", "cavalry", "ogre")), inch)
    battle["unit"]["old"] = old
    target["engaged"] = "old"
    if rng.random() < 0.3:
        old["engaged"] = _enemies(battle)[0]


def _neighbours(rng: random.Random, battle: dict[str, Any], inch: bool) -> None:
    """Let some units stand near their friends."""
    for name, unit in battle["unit"].items():
        friends = [
            other
            for other, one in battle["unit"].items()
            if other != name and one["side"] == unit["side"] and rng.random() < 0.6
        ]
        if friends:
            near, far = (4, 6) if inch else (10, 15)
            unit["neighbours"] = [
                {"unit": friend, "distance": rng.choice((near, near, near + 0.5, far, far + 0.5))}
                for friend in friends
            ]


def _reactions(rng: random.Random, battle: dict[str, Any]) -> None:
    for name in _enemies(battle):
        do = rng.choice(("hold", "hold", "stand_and_shoot", "stand_and_shoot", "flee"))
        if do == "stand_and_shoot" and rng.random() < 0.3:
            chargers = [c["charger"] for c in battle["charge"] if c["target"] == name]
            if chargers:
                battle["reaction"][name] = {"do": do, "at": rng.choice(chargers)}
                continue
        battle["reaction"][name] = do


def _uncharged(battle: dict[str, Any]) -> None:
    """Take away the reactions of units that nobody can charge."""
    ways = [*battle["charge"]]
    for unit in battle["unit"].values():
        ways += unit.get("may_reach", [])
    met = {way["target"] for way in ways}
    met |= {new["target"] for way in ways for new in way.get("redirect", [])}
    for name in [n for n in battle["reaction"] if n not in met]:
        del battle["reaction"][name]


def random_battle(rng: random.Random) -> dict[str, Any]:
    """Tables of a battle; it need not be legal.

    Parameters
    ----------
    rng
        Source of all choices; equal generators give equal battles.
    """
    inch = rng.random() < 0.4
    battle: dict[str, Any] = {
        "ruleset": "wh6",
        "units": "inch" if inch else "cm",
        "switches": {k: rng.choice(v) for k, v in SWITCHES.items() if rng.random() < 0.3},
        "unit": {},
        "charge": [],
        "reaction": {},
    }
    for i in range(rng.choice((1, 2, 2, 2, 3))):
        battle["unit"][f"a{i}"] = random_unit(rng, "active", rng.choice(CHARGERS), inch)
    for i in range(rng.choice((1, 1, 2, 2))):
        battle["unit"][f"b{i}"] = random_unit(rng, "reactive", rng.choice(TARGETS), inch)
    if rng.random() < 0.15:
        battle["unit"]["b0"]["fleeing"] = True
    elif rng.random() < 0.3:
        _engage(rng, battle, inch)
    _declare(rng, battle, inch)
    if rng.random() < 0.5:
        _block(rng, battle, inch)
    if rng.random() < 0.4:
        side = rng.choice(("active", "reactive"))
        battle["unit"]["near"] = random_unit(rng, side, "infantry", inch)
    if rng.random() < 0.6:
        _neighbours(rng, battle, inch)
    _reactions(rng, battle)
    _uncharged(battle)
    return battle
