"""Random scenarios of one charge and its combat, for the comparison with the naive twin.

One charger and one target, and perhaps fleeing friends in the path; what takes more units is left
to ``random_battles``. Left out are lengths of more than two decimals. Not every scenario made here
is legal: whoever uses them takes those that are.
"""

from __future__ import annotations

import random
from typing import Any

CHARGERS = (
    *("infantry", "cavalry", "ogre", "swarm", "monster", "ridden_monster"),
    *("chariot", "light_chariot", "flyer"),
)
TARGETS = (*CHARGERS, "war_machine", "infantry", "infantry", "infantry")
RULES = (
    *("frenzy", "fear", "terror", "immune_to_psychology", "hatred", "stubborn", "unbreakable"),
    *("cold_blooded", "undead", "daemon", "skirmishers", "fast_cavalry", "flyer", "large_target"),
    *("killing_blow", "poison", "always_strikes_first", "strikes_last", "zombie", "elf_spears"),
    *("frenzy", "hatred", "stubborn", "skaven", "bretonnian_lance", "bull_charge"),
)
MISSILES = (
    *("short_bow", "bow", "long_bow", "crossbow", "repeater_crossbow", "handgun", "pistol"),
    *("sling", "javelin", "throwing_axe", "throwing_knife"),
)
WEAPONS = (
    *("hand_weapon", "hand_weapon", "two_hand_weapons", "great_weapon", "flail", "morning_star"),
    *("halberd", "spear", "pike", "lance", "pistol", "brace_of_pistols"),
)
RIDERS = ("cavalry", "ridden_monster", "flyer", "chariot", "light_chariot")
"""Troops that may carry lances."""
STEEDS = ("cavalry", "ridden_monster", "flyer")
"""Troops that may have a mount."""
SWITCHES: dict[str, tuple[Any, ...]] = {
    "charger_test": ("after_reaction", "before_reaction"),
    "ss_on_failed": ("always", "if_in_range_after_failed_move"),
    "panic_engaged": (True, False),
    "s7_regen": (False, True),
    "impact_targets": ("rank_and_file", "like_shooting"),
    "war_machine_us": ("fixed3", "crew"),
    "insane_courage": (False, True),
    "immune_cancels_native": (True, False),
}
SPANISH = {"WS": "HA", "BS": "HP", "S": "F", "T": "R", "W": "H", "Ld": "L"}
THEMES = (
    *("shooting", "flight", "dread", "dread", "chariot", "engaged", "anything"),
    *("fight", "fight", "fight"),
)


def _save(rng: random.Random, lo: int, hi: int) -> str:
    return f"{rng.randint(lo, hi)}+"


def _length(value: float) -> float:
    return max(round(value, 2), 0.5)


def _models(rng: random.Random, troop: str) -> int:
    if troop in ("infantry", "cavalry", "flyer"):
        return rng.choice((1, 2, 3, 4, 5, 5, 6, 8, 10, 12, 20))
    if troop in ("ogre", "swarm", "war_machine"):
        return rng.choice((1, 2, 3, 4, 5))
    return rng.choice((1, 1, 1, 2, 3, 4))


def _profile(rng: random.Random) -> dict[str, int]:
    """Statistics of whoever strikes."""
    return {
        "WS": rng.choice((1, 2, 3, 3, 4, 7)),
        "S": rng.choice((2, 3, 3, 4, 5, 7)),
        "I": rng.choice((2, 3, 3, 4)),
        "A": rng.choice((0, 1, 1, 1, 2)),
    }


def _rules(rng: random.Random, troop: str, theme: str) -> list[str]:
    rules = {rng.choice(RULES) for _ in range(rng.choice((0, 0, 1, 2)))}
    if troop == "ogre" and rng.random() < 0.3:
        rules.add("bull_charge")
    if troop == "cavalry" and rng.random() < 0.2:
        rules.add("bretonnian_lance")
    if theme == "dread" and rng.random() < 0.6:
        rules.add(rng.choice(("fear", "terror", "terror", "undead", "daemon", "cold_blooded")))
    if troop == "infantry" and rng.random() < 0.15:
        rules.add("dwarf_legs")
    if "daemon" in rules:  # no such army; how many dice its instability takes is not settled
        rules.discard("cold_blooded")
    return sorted(rules)


def _missile(rng: random.Random, inch: bool) -> Any:
    if rng.random() < 0.6:
        return rng.choice(MISSILES)
    missile: dict[str, Any] = {
        "range": rng.choice((8, 16, 24, 30) if inch else (20, 40, 60, 75)),
        "S": rng.choice((2, 3, 4, 5, 7, 8)),
    }
    if rng.random() < 0.3:
        missile["armour_piercing"] = True
    if rng.random() < 0.3:
        missile["shots"] = rng.choice((1, 2, 3))
    if rng.random() < 0.2:
        missile["thrown"] = True
    if rng.random() < 0.7:
        missile["rules"] = rng.choice((["poison"], ["killing_blow"], ["poison", "killing_blow"]))
    return missile


def _chariot(rng: random.Random, troop: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    if rng.random() < 0.7:
        numbers = ("1D6", "1D6+1", "1D6+2", "2D6", "3", "1D3+1")
        table["impact_hits"] = rng.choice(numbers if troop == "chariot" else ("1D3", "1D3+1", "2"))
    if rng.random() < 0.6:
        crew = {"count": rng.choice((1, 2)), "BS": rng.randint(2, 5), "Ld": rng.randint(5, 9)}
        table["crew"] = {**_profile(rng), **crew}
    if rng.random() < 0.6:
        table["beasts"] = {"count": rng.choice((1, 2)), **_profile(rng)}
    return table


def _unit(rng: random.Random, side: str, troop: str, theme: str, inch: bool) -> dict[str, Any]:
    models = _models(rng, troop)
    large = troop in ("monster", "ridden_monster", "chariot", "light_chariot")
    unit: dict[str, Any] = {
        "side": side,
        "models": models,
        "M": rng.choice((3, 4, 5, 6, 7, 8, 9) if inch else (8, 10, 12, 15, 18, 20, 22)),
        "S": rng.choice((2, 3, 4, 5, 7) if large else (2, 3, 4)),
        "T": rng.choice((2, 3, 3, 4, 4, 5, 6, 7)),
        "W": rng.choice((3, 4)) if large else rng.choice((1, 1, 1, 2, 3)),
        "troop": troop,
        "rules": _rules(rng, troop, theme),
        "weapon": rng.choice(WEAPONS),
    }
    if unit["weapon"] == "lance" and troop not in RIDERS:
        unit["weapon"] = "spear"
    if rng.random() < 0.4:
        unit["width"] = rng.randint(1, models)
    if rng.random() < 0.2:
        unit["base"] = rng.choice((20, 25, 40, 50))
    if rng.random() < 0.2 and troop != "war_machine":
        unit["unit_strength"] = rng.randint(1, 5)
    if rng.random() < 0.6:
        unit["save"] = _save(rng, 0, 6)
    if rng.random() < 0.25:
        unit["ward"] = _save(rng, 2, 6)
    if rng.random() < 0.3:
        unit["regeneration"] = _save(rng, 2, 6)
    if rng.random() < 0.15:
        unit["general_ld"] = rng.randint(6, 10)
    for flag in (
        *("shield", "champion", "terror_tested", "standard", "musician"),
        *("restrain", "battle_standard"),
    ):
        if rng.random() < 0.3:
            unit[flag] = True
    if rng.random() < 0.2:
        unit["combat_bonus"] = rng.randint(1, 4)
    if troop in STEEDS and rng.random() < 0.4:
        unit["mount"] = _profile(rng)
    crewed = False
    if troop in ("chariot", "light_chariot") and rng.random() < 0.8:
        unit["chariot"] = _chariot(rng, troop)
        crewed = "crew" in unit["chariot"]
    if not crewed or rng.random() < 0.3:
        unit = {**_profile(rng), **unit, "BS": rng.randint(1, 6), "Ld": rng.randint(4, 10)}
    if rng.random() < 0.1:
        unit = {SPANISH.get(key, key): value for key, value in unit.items()}
    return unit


def _make_fight(rng: random.Random, charge: dict[str, Any], *units: dict[str, Any]) -> None:
    """Let the charge arrive, and what is on the ground and in the ranks matter."""
    charge["distance"] = _length(rng.uniform(0.5, 0.8) * 2 * units[0]["M"])
    charge.pop("gap", None)
    if rng.random() < 0.3:
        charge["high_ground"] = rng.choice(("charger", "target"))
    if rng.random() < 0.2 and units[0]["troop"] not in ("chariot", "light_chariot"):
        charge["terrain"] = rng.choice(("obstacle", "defended"))
    for unit in units:
        if unit["troop"] in ("infantry", "cavalry"):
            unit["models"] = rng.randint(4, 15)
            unit["width"] = rng.randint(3, min(unit["models"], 6))


def _make_archers(rng: random.Random, a: dict[str, Any], b: dict[str, Any]) -> None:
    """Many who shoot well, at some who feel it, so that the losses matter."""
    if b["troop"] in ("infantry", "cavalry"):
        b["models"] = rng.randint(8, 20)
        b["width"] = rng.randint(5, b["models"])
        b["HP" if "HP" in b else "BS"] = rng.randint(3, 6)
    if a["troop"] in ("infantry", "cavalry", "ogre"):
        a["models"] = rng.randint(2, 10)
        a["R" if "R" in a else "T"] = rng.randint(2, 4)
        a.pop("width", None)


def _distance(rng: random.Random, reach: float) -> float:
    return _length(
        reach
        * rng.choice((0.5, 1.0, rng.uniform(0.2, 0.5), rng.uniform(0.5, 1), rng.uniform(0.6, 1.2)))
        + rng.choice((0, 0, 0.5))
    )


def random_scenario(rng: random.Random) -> dict[str, Any]:
    """Tables of a scenario: charger ``a``, target ``b``, and perhaps friends in the path.

    Parameters
    ----------
    rng
        Source of all choices; equal generators give equal scenarios.
    """
    theme = rng.choice(THEMES)
    inch = rng.random() < 0.4
    troop = rng.choice(("chariot", "light_chariot")) if theme == "chariot" else rng.choice(CHARGERS)
    a = _unit(rng, "active", troop, theme, inch)
    b = _unit(rng, "reactive", rng.choice(TARGETS), theme, inch)
    charge: dict[str, Any] = {"charger": "a", "target": "b"}
    flies = a["troop"] == "flyer" or "flyer" in a["rules"]
    reach: float = 2 * a["M"]
    if flies:
        flight = 20 if inch else 50
        chariot = troop in ("chariot", "light_chariot")
        reach = max(reach, flight) if chariot else flight
    draw = rng.random()
    if draw < 0.15:
        charge["reach"] = reach = rng.randint(10, 45)
    elif draw < 0.3:
        dice = rng.choice(("+1D6", "+1D6+2", "-3D6", "+1D3", "+2D6-1D3"))
        charge["reach"] = f"{reach}{dice}"
    if rng.random() < 0.2:
        mean = _length(reach * rng.uniform(0.4, 1.1))
        charge["distance"] = {"mean": mean, "sd": _length(reach * rng.uniform(0.05, 0.5))}
    elif theme == "shooting" and rng.random() < 0.6:
        charge["distance"] = _length(reach * rng.uniform(0.5, 1.0))
    else:
        charge["distance"] = _distance(rng, reach)
    if rng.random() < 0.25:
        known = charge["distance"] if isinstance(charge["distance"], float) else reach
        charge["gap"] = _length(known * rng.uniform(0.3, 1.0))
        if isinstance(charge["distance"], float):
            charge["gap"] = min(charge["gap"], charge["distance"])
    charge["arc"] = rng.choice(("front", "front", "front", "flank", "rear"))
    charge["cover"] = rng.choice(("none", "none", "soft", "hard"))
    if rng.random() < 0.3:
        charge["edge"] = rng.choice((5, 8, 11, 14, 18, 24, 30))
    if theme == "engaged":
        b["engaged"] = True
        charge["arc"] = rng.choice(("front", "flank", "rear"))
    elif rng.random() < 0.07:
        b["fleeing"] = True
    reaction = rng.choice(("hold", "stand_and_shoot", "flee"))
    if theme == "fight":
        _make_fight(rng, charge, a, b)
        reaction = "hold"
    if theme == "shooting":
        _make_archers(rng, a, b)
    if theme in ("shooting", "flight"):
        reaction = {"shooting": "stand_and_shoot", "flight": "flee"}[theme]
    if reaction == "stand_and_shoot" and rng.random() < 0.95:
        b["missile"] = _missile(rng, inch)
        if rng.random() < 0.3:
            b["shooters"] = rng.randint(0, b["models"])
    unit = {"a": a, "b": b}
    if rng.random() < 0.15:
        friends = [f"friend{i}" for i in range(rng.choice((1, 1, 2)))]
        for name in friends:
            friend = _unit(rng, "active", "infantry", theme, inch)
            friend |= {"fleeing": True, "L" if "L" in friend else "Ld": rng.randint(4, 9)}
            friend.pop("general_ld", None)
            unit[name] = friend
        charge["blocked_by"] = friends
    switches = {k: rng.choice(v) for k, v in SWITCHES.items() if rng.random() < 0.3}
    return {
        "ruleset": "wh6",
        "units": "inch" if inch else "cm",
        "switches": switches,
        "unit": unit,
        "charge": [charge],
        "reaction": {"b": reaction},
    }
