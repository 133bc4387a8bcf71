"""Faults of a scenario: each told with its path and a remedy, all at once."""

from __future__ import annotations

from typing import Any

import pytest
from bad_input.sound import (
    CREW,
    ENEMY,
    FRIEND,
    GONE,
    INF,
    NAN,
    TABLES,
    faults,
)

from chargesim.scenario import Scenario


def test_the_sound_scenario_is_sound() -> None:
    assert Scenario(**TABLES).whole.counts == (2, 1, 1)


# one fault in a file: path, then words that must stand in the message

ONE: list[tuple[str, Any, str, tuple[str, ...]]] = [
    # unknown or misspelt keys name the nearest
    ("unti", {}, "unti", ("unknown key", "'unit'")),
    ("titel", "x", "titel", ("unknown key", "'title'")),
    ("unit.boars.modles", 5, "unit.boars.modles", ("unknown key", "'models'")),
    ("unit.boars.ld", 7, "unit.boars.ld", ("unknown key", "'Ld'")),
    (
        "switches.insane_courag", True, "switches.insane_courag",
        ("unknown key", "'insane_courage'"),
    ),
    ("charge.0.distence", 20, "charge.0.distence", ("unknown key", "'distance'")),
    ("unit.boars.mount.WSS", 3, "unit.boars.mount.WSS", ("unknown key", "'WS'")),
    ("unit.handgunners.missile", {"range": 60, "S": 4, "shoots": 2},
     "unit.handgunners.missile.shoots", ("unknown key", "'shots'")),
    ("charge.0.distance", {"mean": 20, "sd": 2, "sdd": 1},
     "charge.0.distance.sdd", ("unknown key", "'sd'")),
    ("reaction.handgunners", {"do": "flee", "att": "boars"},
     "reaction.handgunners.att", ("unknown key", "'at'")),
    # wrong types
    ("unit.boars.M", "fast", "unit.boars.M", ("'fast' is not a number",)),
    ("unit.boars.S", "3", "unit.boars.S", ("'3' is not a whole number", "from 1 to 10")),
    ("unit.boars.models", 2.5, "unit.boars.models", ("2.5 is not a whole", "from 1 to 500")),
    ("unit.boars.WS", True, "unit.boars.WS", ("True is not a whole number",)),
    ("unit.boars.shield", 1, "unit.boars.shield", ("1 is neither true nor false",)),
    ("unit.boars.shield", "yes", "unit.boars.shield", ("'yes' is neither true nor false",)),
    ("unit.boars", [1], "unit.boars", ("[1] is not a table", "[unit.boars]")),
    ("unit", [1], "unit", ("[1] is not a table", "[unit.NAME]")),
    ("unit.boars.mount", [1], "unit.boars.mount", ("is not a table", "[unit.boars.mount]")),
    ("switches", 3, "switches", ("3 is not a table", "[switches]")),
    ("reaction", "hold", "reaction", ("'hold' is not a table", "[reaction]")),
    ("charge", TABLES["charge"][0], "charge", ("is not a list of tables", "[[charge]]")),
    ("charge.0", 5, "charge.0", ("5 is not a table", "[[charge]]")),
    ("unit.boars.rules", "fear", "unit.boars.rules", ("is not a list", '["fear"]')),
    ("unit.boars.rules", {"fear": 1}, "unit.boars.rules", ("is not a list",)),
    ("charge.0.blocked_by", "wolves", "charge.0.blocked_by", ('["wolves"]',)),
    ("charge.0.charger", 5, "charge.0.charger", ("5 is not a text",)),
    ("title", 5, "title", ("5 is not a text",)),
    ("unit.boars.engaged", 3, "unit.boars.engaged", ("true", "false", "name of a unit")),
    # words
    ("unit.boars.rules", ["feer"], "unit.boars.rules.0", ("'feer' is not one of", "is 'fear'")),
    ("unit.boars.side", "activ", "unit.boars.side", ("active, reactive", "nearest is 'active'")),
    ("unit.boars.troop", "cavallry", "unit.boars.troop", ("nearest is 'cavalry'",)),
    ("unit.boars.weapon", "halbard", "unit.boars.weapon", ("nearest is 'halberd'",)),
    ("unit.handgunners.missile", "handgunn", "unit.handgunners.missile", ("is 'handgun'",)),
    ("unit.handgunners.missile", ["bow"], "unit.handgunners.missile", ("is not one of",)),
    ("reaction.handgunners", "holdd", "reaction.handgunners", ("nearest is 'hold'",)),
    ("charge.0.terrain", "dificult", "charge.0.terrain", ("nearest is 'difficult'",)),
    ("charge.0.arc", "left", "charge.0.arc", ("front, flank, rear",)),
    ("charge.0.cover", "some", "charge.0.cover", ("none, soft, hard",)),
    ("units", "yards", "units", ("cm, inch",)),
    ("ruleset", "wh7", "ruleset", ("no ruleset 'wh7'", "wh6")),
    ("ruleset", ["wh6"], "ruleset", ("one of wh6",)),
    # out of range
    ("unit.boars.WS", 11, "unit.boars.WS", ("11 is too large", "at most 10")),
    ("unit.boars.Ld", 11, "unit.boars.Ld", ("11 is too large", "at most 10")),
    ("unit.boars.Ld", 0, "unit.boars.Ld", ("0 is too small", "at least 1")),
    ("unit.boars.S", -1, "unit.boars.S", ("-1 is too small", "at least 1")),
    ("unit.boars.models", 0, "unit.boars.models", ("0 is too small", "at least 1")),
    ("unit.boars.models", 10**30, "unit.boars.models", ("at most 500",)),
    ("unit.boars.M", 30_000, "unit.boars.M", ("30000 is too large", "at most 1,000")),
    ("unit.boars.points", -1, "unit.boars.points", ("-1 is too small", "at least 0")),
    ("unit.boars.points", INF, "unit.boars.points", ("inf is not a finite number",)),
    ("unit.boars.mount.A", 99, "unit.boars.mount.A", ("99 is too large", "at most 10")),
    ("unit.boars.save", "7+", "unit.boars.save", ("'7+' is not a save", '"6+"')),
    ("unit.boars.save", 3, "unit.boars.save", ("3 is not a save", '"4+"')),
    ("unit.boars.ward", "1+", "unit.boars.ward", ("'1+' is not a save", '"2+" to "6+"')),
    ("unit.boars.general_ld", 11, "unit.boars.general_ld", ("at most 10",)),
    # missing
    ("unit.boars.T", GONE, "unit.boars.T", ("is missing", "a whole number from 1 to 10")),
    ("unit.boars.WS", GONE, "unit.boars.WS", ("is missing", "a whole number from 0 to 10")),
    ("unit.boars.Ld", GONE, "unit.boars.Ld", ("is missing", "a whole number from 1 to 10")),
    ("unit.boars.M", GONE, "unit.boars.M", ("is missing", "a number from 0 to 1,000")),
    ("unit.boars.side", GONE, "unit.boars.side", ("is missing", "active, reactive")),
    ("unit.boars.mount.S", GONE, "unit.boars.mount.S", ("is missing", "from 1 to 10")),
    ("charge.0.target", GONE, "charge.0.target", ("is missing",)),
    ("charge.0.distance", GONE, "charge.0.distance", ("is missing", "distance = 20")),
    ("charge", GONE, "charge", ("is missing",)),
    ("unit", GONE, "unit", ("is missing",)),
    ("ruleset", GONE, "ruleset", ("is missing", "wh6")),
    # lengths
    ("charge.0.distance", -3, "charge.0.distance", ("-3 is too small", "at least 0.01")),
    ("charge.0.distance", 0, "charge.0.distance", ("0 is too small",)),
    ("charge.0.distance", 1.234, "charge.0.distance", ("1.234", "more than two decimals")),
    ("charge.0.distance", NAN, "charge.0.distance", ("nan is not a finite number",)),
    ("charge.0.distance", -INF, "charge.0.distance", ("-inf is not a finite number",)),
    ("charge.0.distance", "20", "charge.0.distance", ("'20' is not a number",)),
    ("charge.0.distance", True, "charge.0.distance", ("True is not a number",)),
    ("charge.0.distance", 5000, "charge.0.distance", ("at most 1,000",)),
    ("charge.0.distance", {"mean": 20}, "charge.0.distance.sd", ("is missing",)),
    ("charge.0.distance", {"mean": 20, "sd": 0}, "charge.0.distance.sd", ("at least 0.01",)),
    ("charge.0.distance", {"mean": NAN, "sd": 1}, "charge.0.distance.mean", ("finite",)),
    ("charge.0.mean", 20, "charge.0.distance", ("both forms", "{ mean = 34, sd = 3 }")),
    ("charge.0.gap", 25, "charge.0.gap", ("25 is longer than the distance 20",)),
    ("charge.0.edge", NAN, "charge.0.edge", ("finite",)),
    ("charge.0.reach", "2D", "charge.0.reach", ("'2D' is not a reach", '"36+1D6+2"')),
    ("charge.0.reach", "1D6+1D6+1D6+1D6", "charge.0.reach", ("at most 3 dice terms",)),
    ("charge.0.reach", -3, "charge.0.reach", ("-3 is no reach", "from 0 to 1,000")),
    ("charge.0.reach", NAN, "charge.0.reach", ("finite",)),
    ("charge.0.reach", INF, "charge.0.reach", ("finite",)),
    ("charge.0.reach", 1e9, "charge.0.reach", ("from 0 to 1,000",)),
    ("charge.0.reach", "99999999", "charge.0.reach", ("from 0 to 1,000",)),
    # what does not fit together
    ("charge.0.target", "wolves", "charge.0.target", ("no unit 'wolves'", "boars, handgunners")),
    ("charge.0.target", "handguners", "charge.0.target", ("nearest known is 'handgunners'",)),
    ("charge.0.charger", "bors", "charge.0.charger", ("no unit 'bors'", "'boars'")),
    ("unit.handgunners.side", "active", "charge.0.target", ("same side", '"reactive"')),
    ("unit.boars.HA", 3, "unit.boars", ("mixes Spanish", "(HA)", "WS", "M HA HP F R H I A L")),
    ("unit.boars.width", 9, "unit.boars.width", ("9 in front of 5 models", "at most all")),
    ("unit.handgunners.shooters", 11, "unit.handgunners.shooters", ("11 shooters among 10",)),
    ("unit.handgunners.BS", 0, "unit.handgunners.BS", ("missile weapon", "from 1 to 10")),
    ("unit.boars.fleeing", True, "charge.0.charger", ("flees", "WH6-CHG-01", "cannot charge")),
    ("unit.boars.engaged", True, "charge.0.charger", ("fights", "WH6-CHG-01", "cannot charge")),
    ("unit.handgunners.engaged", "wolfs", "unit.handgunners.engaged", ("no unit 'wolfs'",)),
    ("unit.handgunners.engaged", "handgunners", "unit.handgunners.engaged", ("fight itself",)),
    ("unit.boars.chariot", {}, "unit.boars.chariot", ('troop = "chariot"',)),
    ("reaction.boars", "hold", "reaction.boars", ("not a charged unit", "handgunners")),
    ("reaction.handgunners", {"do": "stand_and_shoot", "at": "bors"}, "reaction.handgunners.at",
     ("'bors' does not charge", "'boars'")),
    ("unit.7", FRIEND, "unit.7", ("is no name",)),
    ("unit.exactly", FRIEND, "unit.exactly", ("is no name", "'exactly'")),
    ("charge.0.blocked_by", ["wolves"], "charge.0.blocked_by", ("no unit 'wolves'",)),
    ("charge.0.blocked_by", ["boars"], "charge.0.blocked_by", ("takes part",)),
    # include
    ("include", 5, "include", ("5 is not a file name", 'include = "units.toml"')),
    ("include", "nowhere.toml", "include", ("nowhere.toml", "cannot be read")),
    ("include", "a\0b", "include", ("cannot be read",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "path", "words"), ONE, ids=[f"{n}-{row[2]}" for n, row in enumerate(ONE)]
)
def test_a_fault_is_told_with_its_path_and_a_remedy(
    place: str, value: Any, path: str, words: tuple[str, ...]
) -> None:
    told = faults({place: value})
    mine = [line for line in told if line.startswith(f"{path}: ")]
    assert len(mine) == 1, told
    for word in words:
        assert word in mine[0]
    if place != "unit":  # without any unit its charge has further faults
        assert len(told) == 1, told


SEVERAL: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"charge.0.target": "boars", "reaction": {}}, "charge.0.target", ("itself", "an enemy")),
    (
        {"charge.0.charger": "handgunners", "charge.0.target": "boars", "reaction": {}},
        "charge.0.charger", ("'handgunners'", 'side = "active"'),
    ),
    (
        {"unit.handgunners.engaged": True, "unit.handgunners.fleeing": True},
        "unit.handgunners.fleeing", ("both fight and flee", "keep one"),
    ),
    (
        {"unit.boars.troop": "war_machine", "unit.boars.mount": GONE},
        "charge.0.charger", ("war machine", "cannot charge"),
    ),
    ({"units": "inch", "unit.boars.M": 30}, "unit.boars.M", ("30 inches", 'units = "cm"')),
    # WH6-CHG-12: a charge may be declared only through a friend that may be gone
    (
        {"unit.wolves": FRIEND, "charge.0.blocked_by": ["wolves"]},
        "charge.0.blocked_by", ("'wolves' does not flee", "WH6-CHG-12", "not legal"),
    ),
    (
        {"unit.orcs": ENEMY, "charge.0.blocked_by": ["orcs"]},
        "charge.0.blocked_by", ("'orcs' is an enemy", "WH6-CHG-12", "not legal"),
    ),
    # WH6-CHAR-02: a chariot is not sent through what may wreck it
    (
        {"unit.boars.troop": "chariot", "charge.0.terrain": "difficult"},
        "charge.0.terrain", ("chariot", "WH6-CHAR-02", '"open"'),
    ),
    (
        {"unit.boars.troop": "light_chariot", "charge.0.terrain": "obstacle"},
        "charge.0.terrain", ("chariot", "WH6-CHAR-02"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"crew": {**CREW, "cuont": 1}}},
        "unit.boars.chariot.crew.cuont", ("unknown key", "'count'"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"beasts": {"count": 2, "WS": 3}}},
        "unit.boars.chariot.beasts.S", ("is missing", "from 1 to 10"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"impact_hits": "many"}},
        "unit.boars.chariot.impact_hits", ("'many' is not a number of impact hits", '"1D6+1"'),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"impact_hits": "1D6+99"}},
        "unit.boars.chariot.impact_hits", ("from 0 to 20",),
    ),
    (
        {f"unit.u{n}": FRIEND for n in range(70)},
        "unit", ("72 units are too many", "at most 64"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "path", "words"), SEVERAL, ids=[f"{n}-{r[1]}" for n, r in enumerate(SEVERAL)]
)
def test_what_does_not_fit_together_is_told(
    changes: dict[str, Any], path: str, words: tuple[str, ...]
) -> None:
    mine = [line for line in faults(changes) if line.startswith(f"{path}: ")]
    assert len(mine) == 1
    for word in words:
        assert word in mine[0]


def test_all_faults_of_a_file_are_told_at_once() -> None:
    told = faults(
        {
            "unit.boars.Ld": 11,
            "unit.boars.shield": "yes",
            "unit.handgunners.modles": 4,
            "charge.0.distance": -1,
            "switches.panic_engagd": True,
        }
    )
    assert {line.split(": ")[0] for line in told} == {
        "unit.boars.Ld",
        "unit.boars.shield",
        "unit.handgunners.modles",
        "charge.0.distance",
        "switches.panic_engagd",
    }
    assert len(told) == 5


def test_faults_of_sense_are_told_at_once_too() -> None:
    changes = {"unit.boars.width": 9, "unit.boars.fleeing": True, "charge.0.gap": 30}
    assert len(faults({**changes, "unit.handgunners.shooters": 11})) == 4


def test_a_long_value_is_cut_short_in_its_message() -> None:
    (told,) = faults({"unit.boars.weapon": "x" * 10_000})
    assert len(told) < 400


def test_spanish_statistics_are_named_in_spanish_when_one_is_missing() -> None:
    spanish = {"WS": "HA", "BS": "HP", "S": "F", "T": "R", "W": "H", "Ld": "L"}
    unit = {spanish.get(k, k): v for k, v in TABLES["unit"]["boars"].items() if k != "Ld"}
    (told,) = faults({"unit.boars": unit})
    assert told.startswith("unit.boars.L: is missing")
