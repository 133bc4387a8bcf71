"""What does not fit together when several units charge, and what looks like it and is legal."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from wh6.random_scenarios import random_scenario

import chargesim
from chargesim.faults import ScenarioError
from chargesim.rulesets.wh6.legality_charges import compelled
from chargesim.rulesets.wh6.setup import compelled as compelled_by_rules
from chargesim.scenario import Scenario, load

MAN: dict[str, Any] = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
FRIEND: dict[str, Any] = {**MAN, "side": "active", "models": 5}
ENEMY: dict[str, Any] = {**MAN, "side": "reactive", "models": 20}
RIDERS: dict[str, Any] = {**FRIEND, "M": 18, "troop": "cavalry"}
CHARIOT: dict[str, Any] = {**FRIEND, "models": 1, "W": 4, "M": 18, "troop": "chariot"}
SAVAGES: dict[str, Any] = {**FRIEND, "rules": ["frenzy"]}
BEASTS = {"count": 2, "WS": 3, "S": 4, "I": 3, "A": 1}


def charge(charger: str, target: str, **more: Any) -> dict[str, Any]:
    return {"charger": charger, "target": target, "distance": 20, **more}


TABLES: dict[str, Any] = {
    "ruleset": "wh6",
    "unit": {
        "knights": {**RIDERS},
        "axes": {**FRIEND},
        "car": {**CHARIOT},
        "savages": {**SAVAGES},
        "spears": {**ENEMY},
        "orcs": {**ENEMY},
        "ghouls": {**ENEMY, "models": 10},
    },
    "charge": [charge("knights", "spears"), charge("axes", "orcs", distance=10)],
}


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Tables with values put at paths; ``+`` goes one past the end of a list."""
    tables = deepcopy(TABLES)
    for path, value in changes.items():
        at: Any = tables
        *way, last = path.split(".")
        for key in way:
            if isinstance(at, list):
                at = at[int(key)]
            else:
                at = at.setdefault(key, [] if key == "charge" else {})
        if isinstance(at, list) and last == "+":
            at.append(value)
        elif isinstance(at, list):
            at[int(last)] = value
        else:
            at[last] = value
    return tables


def faults(changes: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        Scenario("file.toml", **changed(changes))
    return [str(fault) for fault in caught.value.faults]


def row(path: str, *words: str, **changes: Any) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    """Changes (dots written as double underscores), the path of the one fault, its words."""
    return {key.replace("__", "."): value for key, value in changes.items()}, path, words


def legal(**changes: Any) -> dict[str, Any]:
    return {key.replace("__", "."): value for key, value in changes.items()}


def to(target: str, distance: float = 24, **more: Any) -> dict[str, Any]:
    return {"target": target, "distance": distance, **more}


def near(unit: str, distance: float = 8) -> dict[str, Any]:
    return {"unit": unit, "distance": distance}


def test_the_tables_are_sound() -> None:
    assert Scenario(**TABLES).whole.counts == (7, 2, 2)


ONCE = [
    row(
        "charge.2.charger", "'knights' has declared charge.0", "WH6-CHG-01", "one charge a unit",
        "redirect", charge=[*TABLES["charge"], charge("knights", "ghouls")],
    ),
    row(
        "charge.1.charger", "'knights' has declared charge.0", "WH6-CHG-01",
        charge=[charge("knights", "spears"), charge("knights", "spears", arc="flank")],
    ),
]  # fmt: skip

REDIRECTED = [
    row("charge.0.redirect.0.target", "'spears' is the target of the charge itself", "WH6-REDIR-01",
        "another enemy", charge__0__redirect=[to("spears")]),
    row("charge.0.redirect.1.target", "'axes' is on the same side", 'side = "reactive"',
        charge__0__redirect=[to("orcs"), to("axes")]),
    row("charge.0.redirect.0.target", "no unit 'gouls'", "nearest known is 'ghouls'",
        charge__0__redirect=[to("gouls")]),
    row("charge.0.redirect.0.target", "'knights' charges itself", "an enemy",
        charge__0__redirect=[to("knights")]),
    row("charge.0.redirect.1.target", "'orcs' is named twice", "keep one",
        charge__0__redirect=[to("orcs"), to("orcs", 9)]),
    row("charge.0.redirect.0.gap", "30 is longer than the distance 24",
        charge__0__redirect=[to("orcs", gap=30)]),
    row("charge.2.redirect.0.terrain", "chariot", "WH6-CHAR-02", '"open"',
        **{"charge__+": charge("car", "ghouls", redirect=[to("orcs", terrain="difficult")])}),
    row("unit.savages.may_reach.0.redirect.0.target", "'spears' is the target", "WH6-REDIR-01",
        unit__savages__may_reach=[to("spears", redirect=[to("spears")])]),
]  # fmt: skip

KEYS = [
    row("charge.0.redirect.0.traget", "unknown key", "'target'",
        charge__0__redirect=[{**to("orcs"), "traget": "orcs"}]),
    row("charge.1.redirect.0.blocked_by", "unknown key",
        charge__1__redirect=[to("ghouls", blocked_by=["car"])]),
    row("unit.savages.may_reach.0.distence", "unknown key", "'distance'",
        unit__savages__may_reach=[to("spears", distence=3)]),
    row("unit.savages.may_reach.0.redirect.0.arcs", "unknown key", "'arc'",
        unit__savages__may_reach=[to("spears", redirect=[to("orcs", arcs="front")])]),
    row("unit.spears.neighbours.0.untis", "unknown key", "'unit'",
        unit__spears__neighbours=[{**near("orcs"), "untis": "orcs"}]),
    row("charge.0.redirect.0.arc", "'fornt' is not one of", "'front'",
        charge__0__redirect=[to("orcs", arc="fornt")]),
    row("unit.savages.may_reach.0.arc", "'side' is not one of front, flank, rear",
        unit__savages__may_reach=[to("spears", arc="side")]),
    row("unit.savages.may_reach.1.distance", "is too small", "at least 0.01",
        unit__savages__may_reach=[to("spears"), to("orcs", 0)]),
    row("charge.0.redirect.0.distance", "is not a number",
        charge__0__redirect=[to("orcs", {"mean": 20, "sd": 2})]),
    row("charge.0.redirect.0.distance", "is missing", "a number from 0.01 to 1,000",
        charge__0__redirect=[{"target": "orcs"}]),
    row("unit.spears.neighbours.0.distance", "is missing", "a number from 0 to 1,000",
        unit__spears__neighbours=[{"unit": "orcs"}]),
    row("unit.spears.neighbours.0", "'orcs' is not a table", "{ unit = …, distance = … }",
        unit__spears__neighbours=["orcs"]),
    row("unit.spears.neighbours", "is not a list", "[ { unit = …, distance = … } ]",
        unit__spears__neighbours=near("orcs")),
    row("charge.0.redirect", "'orcs' is not a list", "[ { target = …, distance = … } ]",
        charge__0__redirect="orcs"),
    row("charge.0.redirect.0", "is not a table", "{ target = …, distance = … }",
        charge__0__redirect=["orcs"]),
    row("unit.savages.may_reach", "is not a list", "[ { target = …, distance = … } ]",
        unit__savages__may_reach=to("spears")),
]  # fmt: skip

TWO_LINES = [charge("knights", "spears"), charge("axes", "spears", distance=10)]
ROOM = [
    # three lines of 125 mm on a front of 100 mm: none of it is left for the outermost
    row("charge.0", "no room on the front of 'spears' for 'knights'", "WH6-CHG-05",
        "a line of 375 mm (knights 125, more 125, most 125) on a side of 100 mm",
        "leave out a charge, declare it from another side, or draw up fewer in front",
        charge=[charge(name, "spears") for name in ("knights", "more", "most")],
        unit__more=RIDERS, unit__most=RIDERS),
    # beside a wide unit there may be no room for a second
    row("charge.0", "(knights 125, axes 240)",
        charge=TWO_LINES, unit__axes__models=12, unit__axes__width=12),
    # one flank of four ranks of 20 mm takes the first, the third and the fifth charge
    row("charge.0", "no room on the flank of 'spears' for 'knights'", "WH6-CHG-05",
        "(knights 125, more 125, most 125) on a side of 80 mm",
        charge=[charge(name, "spears", arc="flank")
                for name in ("knights", "axes", "more", "car", "most")],
        unit__more=RIDERS, unit__most=RIDERS),
    row("charge.0", "no room on the rear of 'spears'", "WH6-CHG-05",
        charge=[charge(name, "spears", arc="rear") for name in ("knights", "more", "most")],
        unit__more=RIDERS, unit__most=RIDERS),
    # who fights the target already stands in the line, and first
    row("charge.1", "no room on the front of 'spears' for 'axes'", "(foes 125, knights 125, axes",
        charge=TWO_LINES, unit__foes={**RIDERS, "engaged": "spears"}, unit__axes__width=5,
        unit__spears__engaged="foes"),
    # compelled charges come after the declared ones
    row("unit.savages.may_reach.0", "no room on the front of 'spears' for 'savages'", "WH6-CHG-05",
        "(knights 125, axes 100, savages 100)",
        charge=TWO_LINES, unit__savages__may_reach=[to("spears", 20)]),
    # a lance is three wide, whatever its width
    row("charge.0", "(knights 75, axes 100, car 50, more 75)",
        charge=[*TWO_LINES, charge("car", "spears"), charge("more", "spears")],
        unit__knights__rules=["bretonnian_lance"], unit__spears__width=1, unit__spears__models=1,
        unit__more={**RIDERS, "rules": ["bretonnian_lance"]}),
]  # fmt: skip

GROUND = [
    row("charge.2.terrain", "chariot", "WH6-CHAR-02", '"obstacle" must be "open"',
        **{"charge__+": charge("car", "ghouls", terrain="obstacle")}),
]  # fmt: skip

BLOCKED = [
    row("charge.1.blocked_by", "no unit 'karr'", "'car'",
        charge__1=charge("axes", "orcs", blocked_by=["karr"])),
    row("charge.1.blocked_by", "'orcs' takes part", charge__1__blocked_by=["orcs"]),
    row("charge.1.blocked_by", "'axes' takes part", charge__1__blocked_by=["axes"]),
    row("charge.1.blocked_by", "'knights' is named twice",
        charge__1__blocked_by=["knights", "knights"]),
    # friends
    row("charge.1.blocked_by", "'car' does not flee and has declared no charge before",
        "WH6-CHG-12 a, b", "not legal", charge__1__blocked_by=["car"]),
    row("charge.0.blocked_by", "'axes' charges later, in charge.1", "WH6-CHG-12 b",
        "declare its charge before charge.0", charge__0__blocked_by=["axes"]),
    row("charge.1.blocked_by", "'foes' does not flee", "WH6-CHG-12",
        charge__1__blocked_by=["foes"], unit__foes={**FRIEND, "engaged": True}),
    # enemies
    row("charge.1.blocked_by", "'ghouls' is an enemy nobody has charged", "WH6-CHG-12 c, d",
        "not legal", charge__1__blocked_by=["ghouls"]),
    row("charge.1.blocked_by", "'ghouls' is an enemy nobody has charged",
        charge__1__blocked_by=["ghouls"], unit__ghouls__fleeing=True),
    row("charge.0.blocked_by", "'orcs' is charged later, in charge.1", "WH6-CHG-12 c",
        "declare that charge before charge.0",
        charge__0__blocked_by=["orcs"], unit__axes__rules=["terror"]),
    # its owner may choose to flee, but nothing makes it
    row("charge.1.blocked_by", "'spears' cannot be forced to flee by the charge of 'knights'",
        "WH6-CHG-12 c, d", "fear of a charger of more unit strength", "terror", "flank or rear",
        charge__1__blocked_by=["spears"], reaction={"spears": "flee"}),
    # the rest of what is missing, one by one: more unit strength, being engaged, five of strength
    row("charge.1.blocked_by", "cannot be forced to flee",
        charge__1__blocked_by=["spears"], unit__knights__rules=["fear"]),
    row("charge.1.blocked_by", "cannot be forced to flee",
        charge__1__blocked_by=["spears"], charge__0__arc="flank"),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        charge__0__arc="flank", unit__spears__engaged=True, unit__knights__models=2),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        charge__0__arc="flank", unit__spears__engaged=True, switches={"panic_engaged": False}),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        unit__knights__rules=["terror"], unit__spears__rules=["frenzy"]),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        unit__knights__rules=["terror"], unit__spears__rules=["fear"]),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        unit__knights__rules=["terror"], unit__spears__terror_tested=True),
    row("charge.1.blocked_by", "cannot be forced to flee", charge__1__blocked_by=["spears"],
        unit__knights__rules=["terror"], unit__spears__rules=["terror"]),
]  # fmt: skip

COMPELLED = [
    row("unit.savages.may_reach.0.target", "no unit 'spaers'", "'spears'",
        unit__savages__may_reach=[to("spaers")]),
    row("unit.savages.may_reach.1.target", "'axes' is on the same side", '"reactive"',
        unit__savages__may_reach=[to("spears"), to("axes")]),
    row("unit.savages.may_reach.0.target", "'savages' charges itself",
        unit__savages__may_reach=[to("savages")]),
    row("unit.savages.may_reach.1.target", "'spears' is named twice",
        unit__savages__may_reach=[to("spears"), to("spears", 9)]),
    row("unit.savages.may_reach.0.gap", "30 is longer than the distance 24",
        unit__savages__may_reach=[to("spears", gap=30)]),
    row("unit.spears.may_reach", 'side = "reactive"', "only the active side", "WH6-FRENZ-01",
        unit__spears__may_reach=[to("axes")]),
    row("unit.gun.may_reach", "war machine", "leave it out",
        unit__gun={**FRIEND, "troop": "war_machine", "may_reach": [to("spears")]}),
    row("unit.savages.may_reach.0.blocked_by", "no unit 'ghoul'", "'ghouls'",
        unit__savages__may_reach=[to("spears", blocked_by=["ghoul"])]),
    row("unit.savages.may_reach.0.blocked_by", "'spears' takes part",
        unit__savages__may_reach=[to("spears", blocked_by=["spears"])]),
    row("charge", "is missing", "nobody is compelled", "WH6-FRENZ-01", "[[charge]]",
        charge=[], unit__savages__may_reach=[to("spears", 21)]),
]  # fmt: skip

NEIGHBOURS = [
    row("unit.spears.neighbours.0.unit", "no unit 'orks'", "'orcs'",
        unit__spears__neighbours=[near("orks")]),
    row("unit.spears.neighbours.1.unit", "'spears' is its own neighbour", "another unit",
        unit__spears__neighbours=[near("orcs"), near("spears")]),
    row("unit.spears.neighbours.0.unit", "'axes' is an enemy", "friends", "WH6-PANIC-01",
        unit__spears__neighbours=[near("axes")]),
    row("unit.spears.neighbours.1.unit", "'orcs' is named twice", "keep one",
        unit__spears__neighbours=[near("orcs"), near("orcs", 9)]),
    row("unit.spears.neighbours", "9 units are too many", "keep the nearest 8",
        unit__spears__neighbours=[near(f"u{n}") for n in range(9)],
        **{f"unit__u{n}": ENEMY for n in range(9)}),
]  # fmt: skip

REACTIONS = [
    row("reaction.ghouls", "is not a charged unit", "spears, orcs", reaction={"ghouls": "flee"}),
    row("reaction.spears.at", "'axes' does not charge spears", "knights",
        reaction={"spears": {"do": "stand_and_shoot", "at": "axes"}}),
    row("reaction.spears.at", "'knigts' does not charge spears", "'knights'",
        reaction={"spears": {"do": "stand_and_shoot", "at": "knigts"}}),
    row("reaction.spears.at", '"flee"', "only stand_and_shoot aims",
        reaction={"spears": {"do": "flee", "at": "knights"}}),
    row("reaction.spears.at", '"hold"', "only stand_and_shoot aims",
        reaction={"spears": {"do": "hold", "at": "knights"}}),
    row("reaction.spears.do", "is missing", reaction={"spears": {"at": "knights"}}),
]  # fmt: skip

ENGAGED = [
    row("unit.spears.engaged", "'orcs' is on the same side", "the active side", "true",
        unit__spears__engaged="orcs"),
    row("unit.spears.engaged", "no unit 'savage'", "'savages'", unit__spears__engaged="savage"),
    row("charge.1.charger", "'axes' fights 'spears'", "WH6-CHG-01", "cannot charge",
        unit__spears__engaged="axes"),
    row("unit.spears.engaged", "'savages' flees and fights nobody",
        unit__spears__engaged="savages", unit__savages__fleeing=True),
    row("unit.spears.engaged", "'savages' fights 'ghouls' by unit.savages.engaged",
        "write 'spears' there, or true here", unit__spears__engaged="savages",
        unit__savages__engaged="ghouls", unit__ghouls__engaged="savages"),
    row("unit.savages.engaged", "'spears' is charged and fights 'car' already", "keep one",
        unit__savages__engaged="spears", unit__car__engaged="spears"),
    row("unit.spears.fleeing", "both fight and flee",
        unit__spears__engaged=True, unit__spears__fleeing=True),
]  # fmt: skip

CROWD = {f"unit__u{n}": {**FRIEND, "models": 1, "base": 10} for n in range(32)}
CROWDS = [
    row("charge", "34 charges, redirections and fights", "at most 32",
        charge__0__redirect=[to(f"e{n}") for n in range(16)],
        charge__1__redirect=[to(f"e{n}") for n in range(16)],
        **{f"unit__e{n}": ENEMY for n in range(16)}),
    row("charge", "25 charged units are too many", "at most 24",
        charge=[charge(f"u{n}", f"e{n}") for n in range(25)],
        **{f"unit__u{n}": FRIEND for n in range(25)}, **{f"unit__e{n}": ENEMY for n in range(25)}),
    row("charge", "32 units against 'spears' are too many", "at most 31",
        charge=[charge(f"u{n}", "spears") for n in range(32)], unit__spears__width=20, **CROWD),
    row("unit", "65 units are too many", "at most 64",
        **{f"unit__u{n}": FRIEND for n in range(58)}),
]  # fmt: skip

SUMS = [
    row("unit.spears.width", "60 models that fight with 9 attacks each are more than 510 at once",
        "fewer of either", unit__spears__models=60, unit__spears__width=60, unit__spears__A=9),
    # two ranks of spears with frenzy
    row("unit.spears.width", "120 models that fight with 5 attacks each",
        unit__spears={**ENEMY, "models": 120, "width": 60, "A": 4, "weapon": "spear",
                      "rules": ["frenzy"]}),
    row("unit.knights.width", "100 models that fight with 6 attacks of steeds each",
        unit__knights={**RIDERS, "models": 100, "width": 100,
                       "mount": {"WS": 3, "S": 3, "I": 3, "A": 6}}),
    row("unit.spears.shooters", "300 models with up to 2 shots are more than 510 shots",
        unit__spears__models=300, unit__spears__missile="sling"),
    row("unit.cars.models", "60 chariots forced through difficult ground", "WH6-CHAR-02",
        "at most 50", unit__cars={**CHARIOT, "models": 60, "width": 5,
                                  "may_reach": [to("orcs", terrain="difficult")]}),
]  # fmt: skip

MOUNTS = [
    row("unit.axes.mount", 'troop = "infantry"', "does not ride", '"cavalry"',
        unit__axes__mount={"WS": 3, "S": 3, "I": 3, "A": 1}),
    row("unit.car.mount", 'troop = "chariot"', "unit.car.chariot.beasts",
        unit__car__mount={"WS": 3, "S": 3, "I": 3, "A": 1}),
    row("unit.axes.weapon", 'troop = "infantry" has no steed for a lance', "WH6-WPN-lance",
        'troop = "cavalry"', 'weapon = "spear"', unit__axes__weapon="lance"),
]  # fmt: skip

GROUPS = {
    "once": ONCE, "redirected": REDIRECTED, "keys": KEYS, "ground": GROUND, "blocked": BLOCKED,
    "compelled": COMPELLED, "neighbours": NEIGHBOURS, "reactions": REACTIONS, "engaged": ENGAGED,
    "crowds": CROWDS, "sums": SUMS, "mounts": MOUNTS,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        pytest.param(*case, id=f"{name}-{n}-{case[1]}")
        for name, cases in GROUPS.items()
        for n, case in enumerate(cases)
    ],
)
def test_one_fault_is_told_with_its_path_and_a_remedy(
    changes: dict[str, Any], path: str, words: tuple[str, ...]
) -> None:
    (told,) = faults(changes)
    assert told.startswith(f"{path}: ")
    for word in words:
        assert word in told


@pytest.mark.parametrize(
    ("changes", "path", "words"), [pytest.param(*c, id=f"{n}-{c[1]}") for n, c in enumerate(ROOM)]
)
def test_WH6_CHG_05_who_finds_no_room_is_told(
    changes: dict[str, Any], path: str, words: tuple[str, ...]
) -> None:
    told = faults(changes)
    assert all("WH6-CHG-05" in line for line in told)
    (mine,) = [line for line in told if line.startswith(f"{path}: ")]
    for word in words:
        assert word in mine


LEGAL = {
    "compelled, its own charge spares the check": legal(
        unit__savages__may_reach=[to("spears", 9)], **{"charge__+": charge("savages", "ghouls")}
    ),
    "not frenzied: no effect": legal(unit__axes__may_reach=[to("spears", 9)]),
    "flees, may reach": legal(
        unit__savages__may_reach=[to("spears", 9)], unit__savages__fleeing=True
    ),
    "fights, may reach": legal(
        unit__savages__may_reach=[to("spears", 9)], unit__savages__engaged=True
    ),
    "a chariot is forced through anything": legal(
        unit__car__rules=["frenzy"], unit__car__may_reach=[to("ghouls", terrain="difficult")]
    ),
    "compelled alone": legal(charge=[], unit__savages__may_reach=[to("spears", 20)]),
    "anybody in the way excuses": legal(
        unit__savages__may_reach=[to("spears", blocked_by=["ghouls", "axes"])]
    ),
    "redirected beyond reach": legal(charge__0__redirect=[to("orcs", 500)]),
    "redirected to who flees": legal(
        charge__0__redirect=[to("ghouls")], unit__ghouls__fleeing=True
    ),
    "redirected to who is charged": legal(charge__0__redirect=[to("orcs"), to("ghouls")]),
    "a reaction of who may be charged by redirection": legal(
        charge__0__redirect=[to("ghouls")],
        reaction={"ghouls": {"do": "stand_and_shoot", "at": "knights"}},
    ),
    "a reaction of who may be charged by compulsion": legal(
        unit__savages__may_reach=[to("ghouls", 30)],
        reaction={"ghouls": {"do": "stand_and_shoot", "at": "savages"}},
    ),
    "two on a front": legal(charge=TWO_LINES),
    "three on a front, the outer ones by a corner": legal(
        charge=[*TWO_LINES, charge("more", "spears")], unit__more=RIDERS
    ),
    "a side each": legal(
        charge=[
            charge("knights", "spears"),
            charge("axes", "spears", arc="flank"),
            charge("car", "spears", arc="flank"),
            charge("savages", "spears", arc="rear"),
        ]
    ),
    "four on the flanks, two each": legal(
        charge=[charge(n, "spears", arc="flank") for n in ("knights", "axes", "more", "savages")],
        unit__more=RIDERS,
    ),
    "redirected charges take no room": legal(
        charge=[*TWO_LINES, charge("car", "orcs", redirect=[to("spears")]),
                charge("more", "ghouls", redirect=[to("spears")])],
        unit__more=RIDERS,
    ),
    "the front of who fights outside the file": legal(unit__spears__engaged=True),
    "beside an old opponent": legal(unit__spears__engaged="savages"),
    "named from either side": legal(unit__savages__engaged="spears"),
    "named from both sides": legal(
        unit__savages__engaged="spears", unit__spears__engaged="savages"
    ),
    "who says that it fights, and is named": legal(
        unit__savages__engaged=True, unit__spears__engaged="savages"
    ),
    "two that fight the same": legal(
        unit__spears__engaged="savages", unit__orcs__engaged="savages"
    ),
    "blocked by who flees": legal(charge__0__blocked_by=["car"], unit__car__fleeing=True),
    "blocked by who charged before": legal(charge__1__blocked_by=["knights"]),
    "blocked by an enemy that terror may rout": legal(
        charge__1__blocked_by=["spears"], unit__knights__rules=["terror"]
    ),
    "blocked by an enemy that fear may rout": legal(
        charge__1__blocked_by=["spears"], unit__knights__rules=["fear"], unit__spears__models=9
    ),
    "blocked by an enemy that has felt terror and fears more": legal(
        charge__1__blocked_by=["spears"], unit__knights__rules=["terror"], unit__spears__models=9,
        unit__spears__terror_tested=True,
    ),
    "blocked by an enemy that panic may rout": legal(
        charge__1__blocked_by=["spears"], charge__0__arc="rear", unit__spears__engaged=True
    ),
    "blocked by an enemy that flees and is charged": legal(
        charge__1__blocked_by=["spears"], unit__spears__fleeing=True
    ),
    "the same rule twice": legal(unit__spears__rules=["fear", "fear"]),
    "spears without their troop": legal(
        unit__spears__rules=["elf_spears"], unit__knights__weapon="pike"
    ),
    "a lance on a chariot": legal(unit__car__weapon="lance"),
    "a mount of flyers": legal(
        unit__knights__troop="flyer", unit__knights__mount={"WS": 3, "S": 3, "I": 3, "A": 1}
    ),
    "a crowd that does not fight": legal(
        unit__ghouls__models=500, unit__ghouls__width=500, unit__ghouls__A=10
    ),
    "many with a single shot": legal(unit__spears__models=500, unit__spears__missile="bow"),
    "eight neighbours": legal(
        unit__spears__neighbours=[near(f"u{n}") for n in range(8)],
        **{f"unit__u{n}": ENEMY for n in range(8)},
    ),
    "neighbours at different distances": legal(
        unit__spears__neighbours=[near("orcs", 8)], unit__orcs__neighbours=[near("spears", 9)]
    ),
    "as many charges as there is room for": legal(
        charge=[charge("knights", "spears", redirect=[to(f"e{n}") for n in range(23)])],
        **{f"unit__e{n}": ENEMY for n in range(23)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("changes", LEGAL.values(), ids=LEGAL)
def test_what_only_looks_wrong_is_legal(changes: dict[str, Any]) -> None:
    whole = Scenario(**changed(changes)).whole
    assert whole.ruleset.layout.check(whole.game(), whole.counts) == []


def test_all_faults_are_told_at_once() -> None:
    told = faults(
        {
            "charge.0.redirect": [to("spears")],
            "charge.1.charger": "knights",
            "charge.1.blocked_by": ["ghouls"],
            "unit.savages.may_reach": [to("axes")],
            "unit.spears.neighbours": [near("axes")],
            "reaction": {"spears": {"do": "flee", "at": "axes"}},
        }
    )
    assert [line.split(": ")[0] for line in told] == [
        "unit.savages.may_reach.0.target",
        "unit.spears.neighbours.0.unit",
        "charge.0.redirect.0.target",
        "charge.1.charger",
        "charge.1.blocked_by",
        "reaction.spears.at",
        "reaction.spears.at",
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"unit.savages.engaged": "spears"},
        {"unit.spears.engaged": "savages"},
        {"unit.spears.engaged": "savages", "unit.savages.engaged": "spears"},
        {"unit.spears.engaged": "savages", "unit.savages.engaged": True},
    ],
)
def test_a_fight_told_of_one_side_is_a_fight_of_both(changes: dict[str, Any]) -> None:
    scenario = Scenario(**changed(changes))
    units = scenario.model.unit
    assert (units["spears"].engaged, units["savages"].engaged) == ("savages", "spears")
    assert scenario.whole.counts == (7, 3, 2)


def test_two_that_fight_the_same_leave_it_fighting() -> None:
    changes = {"unit.spears.engaged": "savages", "unit.orcs.engaged": "savages"}
    assert Scenario(**changed(changes)).model.unit["savages"].engaged is True


FORCED: list[dict[str, Any]] = [
    {"may_reach": [to("spears", 20)]},
    {"may_reach": [to("spears", 20.01)]},
    {"may_reach": [to("spears", 30), to("orcs", 12)]},
    {"may_reach": [to("spears", 9, blocked_by=["axes"]), to("ghouls", 20)]},
    {"may_reach": [to("spears", 9)], "fleeing": True},
    {"may_reach": [to("spears", 9)], "engaged": True},
    {"may_reach": [to("spears", 9)], "rules": []},
    {"may_reach": [to("spears", 50)], "rules": ["frenzy", "flyer"]},
    {"may_reach": [to("spears", 50.01)], "rules": ["frenzy", "flyer"], "M": 30},
    {"may_reach": [to("ghouls", 60)], "troop": "chariot", "rules": ["frenzy", "flyer"], "M": 30},
    {"may_reach": [to("spears", 24.3)], "M": 12.15},
]


@pytest.mark.parametrize("units", ["cm", "inch"])
@pytest.mark.parametrize("unit", FORCED)
def test_WH6_FRENZ_01_legality_and_the_rule_text_compel_the_same(
    unit: dict[str, Any], units: str
) -> None:
    more = {"units": units} | ({"unit.knights.M": 9} if units == "inch" else {})
    if units == "inch":
        unit = {**unit, "M": min(unit.get("M", 10), 20)}
    model = Scenario(**changed({"unit.savages": {**SAVAGES, **unit}, **more})).model
    assert compelled(model) == compelled_by_rules(model)


def test_shipped_and_random_scenarios_are_legal() -> None:
    package, tests = Path(chargesim.__file__).parent, Path(__file__).parents[1]
    files = [*(package / "data" / "scenarios").glob("*.toml"), *tests.glob("conformance/*.toml")]
    whole = [file for file in files if "charge" in tomllib.loads(file.read_text("utf-8"))]
    assert len(whole) > 20
    for file in whole:
        load(file)
    for seed in range(500):
        Scenario(**random_scenario(random.Random(seed)))


def test_faults_are_found_without_numba() -> None:
    code = (
        "import sys, json\n"
        "from chargesim.scenario import Scenario\n"
        "Scenario(**json.loads(sys.argv[1]))\n"
        "assert 'numba' not in sys.modules"
    )
    tables = changed({"unit.savages.may_reach": [to("spears", 9)]})
    subprocess.run([sys.executable, "-c", code, json.dumps(tables)], check=True)


NAMES = ("knights", "axes", "car", "savages", "spears", "orcs", "ghouls")
WAYS: tuple[Any, ...] = ([], [to("orcs")], [to("spears", 20, arc="flank"), to("ghouls", 9)])
OF_CHARGES: dict[str, tuple[Any, ...]] = {
    "charger": ("axes", "car", "savages", "knights"), "target": ("spears", "orcs", "ghouls"),
    "arc": ("front", "flank", "rear"), "gap": (5, 20), "terrain": ("open", "difficult"),
    "blocked_by": (["axes"], ["spears"], ["knights"], []), "redirect": WAYS,
}  # fmt: skip
OF_UNITS: dict[str, tuple[Any, ...]] = {
    "may_reach": WAYS, "engaged": (True, False, *NAMES), "fleeing": (True, False),
    "neighbours": ([near("orcs")], [near("axes"), near("car")], [near("ghouls"), near("orcs", 5)]),
    "models": (1, 5, 40, 500), "width": (1, 5, 12), "base": (20, 50), "A": (0, 1, 10),
    "rules": (["frenzy"], ["terror", "flyer"], ["bretonnian_lance"], ["fear", "skirmishers"]),
    "troop": ("chariot", "cavalry", "war_machine", "flyer"), "weapon": ("lance", "spear", "pike"),
    "mount": ({"WS": 3, "S": 3, "I": 3, "A": 10},), "side": ("active", "reactive"),
}  # fmt: skip
WRONG: tuple[Any, ...] = ("nobody", 0, -1, [], {}, ["nobody"], [near("spears")], None, "rear")


def mutated(dice: random.Random) -> dict[str, Any]:
    tables = deepcopy(TABLES)
    tables["reaction"] = {"spears": "stand_and_shoot"}
    tables["unit"]["savages"]["may_reach"] = [to("spears", 20)]
    if dice.random() < 0.5:
        tables["charge"].append(charge("car", dice.choice(NAMES)))
    for _ in range(dice.choice((1, 1, 2, 2, 3, 4))):
        if dice.random() < 0.5:
            at, known = dice.choice(tables["charge"]), OF_CHARGES
        else:
            at, known = tables["unit"][dice.choice(NAMES)], OF_UNITS
        key = dice.choice(list(known))
        at[key] = deepcopy(dice.choice(WRONG if dice.random() < 0.1 else known[key]))
    return tables


def test_mutated_charges_are_games_or_told_as_faults() -> None:
    kept, refusals = 0, []
    for seed in range(3000):
        try:
            scenario = Scenario(f"seed {seed}", **mutated(random.Random(seed)))
        except ScenarioError as error:
            refusals.append(error)
            continue
        kept += 1
        whole = scenario.whole
        assert whole.ruleset.layout.check(whole.game(), whole.counts) == []
        assert sum(len(part.units) for part in scenario.parts) == len(scenario.unit_names)
    assert kept > 300
    assert len(refusals) > 1500
    for refusal in refusals:
        assert all(fault.path and fault.message for fault in refusal.faults)
