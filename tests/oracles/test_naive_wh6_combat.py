"""The naive twin's charge phase of several units and its combat round, by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from oracles import naive_wh6 as naive
from oracles.naive_wh6_checks import (
    EXAMPLES,
    assert_close,
    assert_distribution,
    play,
    read_example,
)

CHARIOT = {"troop": "chariot", "models": 1, "S": 5, "T": 5, "W": 4, "save": "4+"}


class Loaded(random.Random):
    """Dice that always show one face."""

    def __init__(self, face: int) -> None:
        super().__init__(0)
        self.face = face

    def randint(self, a: int, b: int) -> int:
        """The face."""
        return self.face


HARMLESS = {"M": 10, "WS": 3, "BS": 3, "S": 1, "T": 5, "W": 1, "I": 1, "A": 1, "Ld": 7}
KILLERS = {"S": 4, "I": 5}
ENDLESS = {"T": 3, "W": 90}


def fight(
    active: dict[str, dict[str, Any]] | None = None,
    reactive: dict[str, dict[str, Any]] | None = None,
    charges: list[dict[str, Any]] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Five harmless men charge five harmless men, 15 cm away, with changes."""
    unit: dict[str, dict[str, Any]] = {}
    sides = (("active", active or {"a": {}}), ("reactive", reactive or {"b": {}}))
    for side, units in sides:
        for name, changes in units.items():
            unit[name] = {"side": side, "models": 5, **HARMLESS, **changes}
    declared = [
        {"charger": "a", "target": "b", "distance": 15, **charge} for charge in charges or [{}]
    ]
    return {"ruleset": "wh6", "unit": unit, "charge": declared, **others}


FEARLESS = {"rules": ["immune_to_psychology"]}


def losing(points: int, **target: Any) -> dict[str, Any]:
    """The target loses by so many points, and nobody is hurt."""
    return fight({"a": {"combat_bonus": points, **FEARLESS}}, {"b": target})


SPEARS = {"weapon": "spear", "models": 25, "width": 5, "rules": ["frenzy"]}
ELF_SPEARS = {**SPEARS, "rules": ["frenzy", "elf_spears"]}
COLD_ONE_CHARIOT = {
    "troop": "chariot",
    "models": 1,
    "M": 18,
    "S": 5,
    "T": 9,
    "W": 4,
    "chariot": {
        "crew": {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
        "beasts": {"count": 2, "WS": 3, "S": 4, "I": 3, "A": 1},
    },
}
KNIGHTS = {**KILLERS, "troop": "cavalry", "models": 9, "rules": ["bretonnian_lance"]}
WIDE = {**ENDLESS, "models": 10, "width": 10, "base": 25}

# All dice show 5: what is not impossible or a six hits and wounds. Wounds of the active side
# (first) or of the reactive side (second) are then its attacks.
COUNTED: dict[str, tuple[dict[str, Any], tuple[int, int]]] = {
    "T-42 frenzied spears that were charged: 10 fighters of 2": (
        fight({"a": ENDLESS}, {"b": {**SPEARS, **KILLERS}}),
        (0, 20),
    ),
    "T-42 frenzy and two hand weapons: 3 attacks": (
        fight(
            {"a": ENDLESS},
            {"b": {**KILLERS, "models": 1, "rules": ["frenzy"], "weapon": "two_hand_weapons"}},
        ),
        (0, 3),
    ),
    "T-58 frenzied elf spears, three ranks": (
        fight({"a": ENDLESS}, {"b": {**ELF_SPEARS, **KILLERS}}),
        (0, 30),
    ),
    "T-58 frenzied pikes, four ranks": (
        fight({"a": ENDLESS}, {"b": {**SPEARS, **KILLERS, "weapon": "pike"}}),
        (0, 40),
    ),
    "charging spears: one rank": (
        fight({"a": {**KILLERS, **SPEARS}}, {"b": ENDLESS}),
        (10, 0),
    ),
    "spears do not reach over their flank: four ranks touch": (
        fight({"a": ENDLESS}, {"b": {**KILLERS, **SPEARS, "models": 20}}, [{"arc": "flank"}]),
        (0, 8),
    ),
    "T-54 three ranks of knights: 3 + 2 + 2": (fight({"a": KNIGHTS}, {"b": WIDE}), (7, 0)),
    "a champion strikes once more": (
        fight({"a": {**KILLERS, "champion": True}}, {"b": ENDLESS}),
        (6, 0),
    ),
    "T-56 five impact hits, two of the crew, two beasts": (
        fight({"a": COLD_ONE_CHARIOT}, {"b": ENDLESS}, [{"distance": 30}]),
        (9, 0),
    ),
    "beasts strike to the front only": (
        fight({"a": ENDLESS}, {"b": COLD_ONE_CHARIOT}, [{"arc": "flank"}]),
        (0, 2),
    ),
    "a steed needs no weapon: S 4 against T 4, the rider's S 1 fails": (
        fight(
            {"a": {"troop": "cavalry", "mount": {"WS": 3, "S": 4, "I": 3, "A": 2}}},
            {"b": {**ENDLESS, "T": 5}},
        ),
        (10, 0),
    ),
    "five casualties of great weapons on the charge: nobody strikes back": (
        fight({"a": {**KILLERS, "weapon": "great_weapon", "I": 1}}, {"b": {**KILLERS, "T": 5}}),
        (5, 0),
    ),
    "always strikes first: five chargers fall before they strike": (
        fight(
            {"a": KILLERS},
            {"b": {**KILLERS, "I": 1, "rules": ["always_strikes_first"]}},
        ),
        (0, 5),
    ),
    "two chargers of four share a front of five: the outer man of each stands clear": (
        fight(
            {"a": {**KILLERS, "models": 4}, "c": {**KILLERS, "models": 4}},
            {"b": ENDLESS},
            [{}, {"charger": "c"}],
        ),
        (6, 0),
    ),
    "the old opponent fights on, second rank and all": (
        fight(
            {"a": {}, "old": {**KILLERS, "weapon": "spear", "models": 10}},
            {"b": {**ENDLESS, "models": 10, "width": 10, "engaged": "old"}},
        ),
        (10, 0),
    ),
}


@pytest.mark.parametrize("name", list(COUNTED))
def test_count_of_attacks(name: str) -> None:
    """Who strikes, how often, and whether before or after his losses."""
    scenario, (active, reactive) = COUNTED[name]
    combat = naive.simulate(scenario, Loaded(5))["combats"][0]
    assert (combat["active_wounds"], combat["reactive_wounds"]) == (active, reactive)


def test_t55_bull_charge() -> None:
    """T-55: one rank behind makes S 5, two make S 6; T 7 is wounded by S 6 on a five."""
    for models, wounds in ((8, 0), (12, 4)):
        ogres = {"troop": "ogre", "models": models, "width": 4, "S": 4, "rules": ["bull_charge"]}
        target = {**ENDLESS, "T": 7, "models": 8, "width": 8}
        end = naive.simulate(fight({"a": ogres}, {"b": target}), Loaded(5))
        assert (end["impact_hits"], end["impact_wounds"]) == (4, wounds)


def result(scenario: dict[str, Any], face: int = 5) -> int:
    """Combat result of the first combat with loaded dice."""
    found: int = naive.simulate(scenario, Loaded(face))["combats"][0]["combat_result"]
    return found


def test_combat_result() -> None:
    """Each bonus by itself, between harmless units."""
    assert result(fight()) == 0
    assert result(fight({"a": {"musician": True}})) == 1
    assert result(fight({"a": {"musician": True}}, {"b": {"musician": True}})) == 0
    assert result(fight(None, {"b": {"standard": True, "combat_bonus": 2}})) == -3
    assert result(fight({"a": {"models": 20}}, {"b": {"models": 20}})) == 0
    assert result(fight({"a": {"models": 13}})) == 2  # one rank of five, three models, outnumber
    assert result(fight({"a": KNIGHTS}, {"b": {**WIDE, "models": 30}})) == 7 + 2 - 2 - 1
    flank = [{"arc": "flank"}]
    assert result(fight(None, {"b": {"models": 20}}, flank)) == 1 - 1
    assert result(fight({"a": {"models": 4}}, {"b": {"models": 20}}, flank)) == -3 - 1
    both = [{"arc": "flank"}, {"charger": "c", "arc": "rear"}]
    two = {"a": {}, "c": {}}
    assert result(fight(two, {"b": {"models": 10}}, both)) == 3
    larger = {"switches": {"flank_rear_stack": False}}
    assert result(fight(two, {"b": {"models": 10}}, both, **larger)) == 2
    assert result(fight(None, None, [{"high_ground": "charger"}])) == 1
    flyer = {"troop": "flyer", "M": 18}
    assert result(fight({"a": flyer}, None, [{"high_ground": "target"}])) == 0


def test_t46_flanker_cut_down() -> None:
    """T-46: at the end no longer US 5, so no bonus, but the ranks stay denied."""
    target = {"models": 20, "rules": ["always_strikes_first"], "S": 4, "width": 20}
    narrow = fight({"a": {"T": 3, "models": 5}}, {"b": target}, [{"arc": "flank"}])
    combat = naive.simulate(narrow, Loaded(5))["combats"][0]
    assert combat["reactive_wounds"] == 1  # one rank only touches the flank
    assert combat["combat_result"] == -1 - 1  # the wound and the numbers


def broke(end: dict[str, Any]) -> bool:
    """Whether the target broke."""
    return str(end["combats"][0]["outcome"]).startswith("target_broke")


def caught(end: dict[str, Any]) -> bool:
    """Whether the target broke and was caught."""
    return bool(end["combats"][0]["outcome"] == "target_broke_caught")


def lost_wounds(number: int) -> Callable[[dict[str, Any]], bool]:
    """The target lost so many wounds."""
    return lambda end: end["units"]["b"]["wounds_left"] == 5 - number


def state(unit: str, *states: str) -> Callable[[dict[str, Any]], bool]:
    """The unit ends in one of the states."""
    return lambda end: end["units"][unit]["state"] in states


def first_word(word: str) -> Callable[[dict[str, Any]], bool]:
    """The first charge ends with the word."""
    return lambda end: end["charges"][0]["word"] == word


SURE = {"combat_bonus": 9}  # nobody passes on Ld 7 less 9
FEARED = {"a": {"combat_bonus": 1, "rules": ["fear"], "models": 6, "width": 6}}
DUELLIST = {"models": 1, "S": 10, "T": 3, "I": 3}
PLAYED: dict[str, tuple[dict[str, Any], Callable[[dict[str, Any]], bool], Fraction]] = {
    "T-40 Ld 8 beaten by 3": (losing(3, Ld=8), broke, Fraction(13, 18)),
    "T-41 stubborn, Ld 9": (losing(6, Ld=9, rules=["stubborn"]), broke, Fraction(1, 6)),
    "a frenzied unit is stubborn again once it has lost": (
        losing(6, Ld=9, rules=["stubborn", "frenzy"]),
        broke,
        Fraction(1, 6),
    ),
    "T-44 a battle standard on a modified Ld 5": (
        losing(2, battle_standard=True),
        broke,
        1 - Fraction(155, 324),
    ),
    "insane courage": (
        fight({"a": {"combat_bonus": 9}}, {"b": {"Ld": 3}}, switches={"insane_courage": True}),
        broke,
        Fraction(35, 36),
    ),
    "T-50 skaven Ld 5 with two ranks, beaten by 1": (
        losing(4, Ld=5, rules=["skaven"], models=15),
        broke,
        1 - Fraction(15, 36),
    ),
    "T-24 frenzy lost, then fear breaks": (
        fight(FEARED, {"b": {"Ld": 10, "rules": ["frenzy", "stubborn"]}}),
        broke,
        Fraction(1),
    ),
    "equal Initiative is rolled off: it dies before it strikes, or after it has missed": (
        fight(
            {"a": {}, "old": DUELLIST},
            {"b": {**DUELLIST, "T": 5, "base": 200, "engaged": "old", "rules": ["unbreakable"]}},
        ),
        state("b", "destroyed"),
        Fraction(1, 2) * Fraction(5, 12) + Fraction(1, 2) * Fraction(7, 12) * Fraction(5, 12),
    ),
    "hatred: a second chance to hit on 4+, then 2+ to wound": (
        fight({"a": {**DUELLIST, "rules": ["hatred"]}}, {"b": {"models": 1, "T": 3}}),
        state("b", "destroyed"),
        Fraction(3, 4) * Fraction(5, 6),
    ),
    "no second chance for the frenzied, though one more attack": (
        fight({"a": {**DUELLIST, "rules": ["hatred", "frenzy"]}}, {"b": {"models": 1, "T": 3}}),
        state("b", "destroyed"),
        1 - Fraction(7, 12) ** 2,
    ),
    "T-52 impact hits come before whoever always strikes first": (
        fight(
            {"a": {**CHARIOT, "M": 18, "T": 3, "W": 1, "chariot": {"impact_hits": 1}, "I": 1}},
            {"b": {**DUELLIST, "rules": ["always_strikes_first"]}},
        ),
        state("a", "destroyed"),
        Fraction(1, 6) * Fraction(5, 12),
    ),
    "whoever regenerates from an impact hit comes back too late to strike": (
        fight(
            {"a": {**CHARIOT, "M": 18, "T": 3, "W": 1, "chariot": {"impact_hits": 1}, "A": 0}},
            {"b": {**DUELLIST, "regeneration": "2+"}},
        ),
        state("a", "destroyed"),
        Fraction(1, 6) * Fraction(5, 12),
    ),
    "unbreakable": (losing(9, rules=["unbreakable"]), broke, Fraction(0)),
    "undead beaten by 3": (losing(3, rules=["undead"]), lost_wounds(3), Fraction(1)),
    "undead beaten by 3 near a battle standard": (
        losing(3, rules=["undead"], battle_standard=True),
        lost_wounds(2),
        Fraction(1),
    ),
    "undead crumble to nothing, and the charger overruns": (
        losing(5, rules=["undead"]),
        state("a", "overran"),
        Fraction(1),
    ),
    "T-48 daemons Ld 8 beaten by 3: unhurt": (
        losing(3, Ld=8, rules=["daemon"]),
        lost_wounds(0),
        Fraction(5, 18),
    ),
    "T-48 daemons Ld 8 beaten by 3: three wounds": (
        losing(3, Ld=8, rules=["daemon"]),
        lost_wounds(3),
        Fraction(5, 36),
    ),
    "T-48 daemons Ld 8 beaten by 3: destroyed": (
        losing(3, Ld=8, rules=["daemon"]),
        state("b", "destroyed"),
        Fraction(5, 18),
    ),
    "T-43 5D6 after 5D6": (losing(9), caught, Fraction(112607, 209952)),
    "T-43 8D6 after 5D6": (
        fight({"a": {**SURE, "M": 18}}),
        caught,
        Fraction(96326, 100000),
    ),
    "T-43 5D6 after dwarfs": (
        losing(9, rules=["dwarf_legs"]),
        caught,
        Fraction(67604, 100000),
    ),
    "two pursuers: one of them is enough": (
        fight(
            {"a": SURE, "c": {"M": 18}},
            {"b": {"models": 10, "width": 10}},
            [{}, {"charger": "c", "arc": "rear"}],
        ),
        lambda end: caught(end) and state("c", "pursuing")(end),
        Fraction(96935, 100000),
    ),
    "a winner that restrains itself: Ld 7": (
        fight({"a": {**SURE, "restrain": True}}),
        state("a", "steady"),
        Fraction(7, 12),
    ),
    "those who hate cannot": (
        fight({"a": {**SURE, "restrain": True, "rules": ["hatred"]}}),
        state("a", "pursuing"),
        Fraction(1),
    ),
    "a friend 15 cm from a unit that breaks": (
        fight(
            {"a": SURE},
            {
                "b": {"neighbours": [{"unit": "d", "distance": 15}]},
                "d": {},
            },
        ),
        state("d", "fleeing"),
        Fraction(5, 12),
    ),
    "a friend 10 cm from a unit that is run down": (
        fight(
            None,
            {
                "b": {"fleeing": True, "neighbours": [{"unit": "d", "distance": 10}]},
                "d": {},
            },
            [{"distance": 1, "reach": 40}],
        ),
        state("d", "fleeing"),
        Fraction(5, 12),
    ),
    "a friend that has just made contact leaves the fight": (
        fight(
            {"a": {}, "c": {}},
            {
                "b": {"fleeing": True, "neighbours": [{"unit": "d", "distance": 10}]},
                "d": {},
            },
            [{"distance": 1, "reach": 40}, {"charger": "c", "target": "d"}],
        ),
        lambda end: (
            end["charges"][1]["word"] == "contact"
            and end["combats"][1]["outcome"] == "no_combat"
            and state("c", "steady")(end)
        ),
        Fraction(5, 12),
    ),
    "T-15 one of two chargers is too near: no shots at either": (
        fight(
            {"a": {}, "c": {}},
            {"b": {"missile": "bow"}},
            [{"distance": 9}, {"charger": "c"}],
            reaction={"b": {"do": "stand_and_shoot", "at": "c"}},
        ),
        lambda end: [charge["reaction"] for charge in end["charges"]] == ["hold", "hold"],
        Fraction(1),
    ),
    "T-26 two fear-causers in flank and rear of an engaged unit, Ld 7": (
        fight(
            {"a": {"rules": ["fear"], "models": 6}, "c": {"rules": ["fear"], "models": 6}},
            {"b": {"engaged": True}},
            [{"arc": "flank"}, {"charger": "c", "arc": "rear"}],
        ),
        first_word("contact"),
        Fraction(343, 1728),
    ),
    "redirected to a unit that fears the charger": (
        fight(
            {"a": {"rules": ["fear"], "models": 6}},
            {"b": {}, "d": {}},
            [{"distance": 18, "redirect": [{"target": "d", "distance": 20}]}],
            reaction={"b": "flee"},
        ),
        first_word("redirected_contact"),
        # b gets away: 5D6 > 2; then d passes on Ld 7
        Fraction(7, 12),
    ),
    "a friend that charged before, but refused, blocks the way": (
        fight(
            {"a": {}, "c": {}},
            {"b": {"rules": ["fear"]}, "d": {}},
            [{}, {"charger": "c", "target": "d", "blocked_by": ["a"]}],
        ),
        lambda end: end["charges"][1]["word"] == "blocked",
        Fraction(5, 12),
    ),
    "an enemy that fled from an earlier charge does not": (
        fight(
            {"a": {"rules": ["fear"], "models": 6}, "c": {}},
            {"b": {}, "d": {}},
            [{}, {"charger": "c", "target": "d", "blocked_by": ["b"]}],
        ),
        lambda end: end["charges"][1]["word"] == "contact",
        Fraction(5, 12),
    ),
    "T-06 a frenzied unit charges what it can reach": (
        fight(
            {
                "a": {},
                "c": {
                    "rules": ["frenzy"],
                    "may_reach": [
                        {"target": "d", "distance": 21},
                        {"target": "b", "distance": 5, "blocked_by": ["a"]},
                        {"target": "d", "distance": 20},
                    ],
                },
            },
            {"b": {}, "d": {}},
        ),
        lambda end: (
            end["charges"][1]["charger"] == "c"
            and end["charges"][1]["word"] == "contact"
            and end["combats"][1]["chargers"] == ["c"]
        ),
        Fraction(1),
    ),
    "both chargers break: the first is pursued, the second escapes": (
        fight(
            {"a": {"Ld": 2}, "c": {"Ld": 2, "models": 4}},
            {"b": {"combat_bonus": 9, "models": 10, "width": 10}},
            [{}, {"charger": "c"}],
        ),
        lambda end: (
            end["combats"][0]["outcome"] == "charger_broke_caught"
            and state("a", "destroyed")(end)
            and state("c", "fleeing")(end)
        ),
        Fraction(112607, 209952),
    ),
    "one holds, so nobody is pursued": (
        fight(
            {"a": {"Ld": 2}, "c": {"rules": ["unbreakable"]}},
            {"b": {"combat_bonus": 9, "models": 10, "width": 10}},
            [{}, {"charger": "c"}],
        ),
        lambda end: (
            end["combats"][0]["outcome"] == "charger_broke_escaped"
            and state("a", "fleeing")(end)
            and state("b", "fighting")(end)
            and state("c", "fighting")(end)
        ),
        Fraction(1),
    ),
}


@pytest.mark.parametrize("name", list(PLAYED))
def test_played(name: str) -> None:
    """Combat rounds and charges of several units, with their probabilities by hand."""
    scenario, happens, p = PLAYED[name]
    assert_close(sum(happens(trial) for trial in play(scenario, name)), float(p), name)


COMBATS = [name for name in EXAMPLES if name[:2] in ("01", "08", "09")]


@pytest.mark.parametrize("name", COMBATS)
def test_conformance_of_combats(name: str) -> None:
    """The worked examples whose first round is plain."""
    scenario, answer = read_example(name)
    expected = answer["combats"][0]
    combats = [trial["combats"][0] for trial in play(scenario, name)]
    words = {word: cell["p"] for word, cell in expected["outcome"].items()}
    assert_distribution(Counter(combat["outcome"] for combat in combats), words, "outcome")
    for quantity in ("combat_result", "active_wounds", "reactive_wounds"):
        if quantity in expected:
            counts = Counter(combat[quantity] for combat in combats)
            assert_distribution(counts, expected[quantity], quantity)
