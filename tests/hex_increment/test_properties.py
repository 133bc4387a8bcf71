"""What must hold for every charge, whatever its numbers."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import permutations
from typing import Any

import pytest
from hex_increment.build import (
    ALL_RESULTS,
    CAVALRY,
    INFANTRY,
    RESULTS,
    STEADY,
    charge,
    column,
    face,
    line,
    played,
    row,
    solved,
)
from hypothesis import given, settings
from hypothesis import strategies as some

from chargesim.errors import InputError
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.plan import plans
from chargesim.rulesets.hex_increment.rules_unit import failing_faces
from chargesim.rulesets.hex_increment.zone import zone
from chargesim.scenario import Scenario

ALL = {"melee": ALL_RESULTS}
SEVERITY = ["no_pursuit", "pursues", "bounced", "charger_disordered", "charger_routed"]
SEVERITY += ["charger_surrendered"]


@given(some.integers(1, 36), some.integers(-72, 72))
def test_a_shift_stays_on_the_dice_and_rises(place: int, steps: int) -> None:
    shifted = tables.shifted(tables.face_of(place), steps)
    assert tables.is_face(shifted)
    assert tables.index(shifted) == min(max(place + steps, 1), 36)


@given(some.integers(1, 36), some.integers(-40, 40))
def test_a_better_modifier_never_fails_more(morale: int, modifier: int) -> None:
    assert failing_faces(morale, modifier + 1, 0) <= failing_faces(morale, modifier, 0)
    # what the rule says of every face: the modified one must be above the morale
    fails = sum(min(max(i + modifier, 1), 36) <= morale for i in range(1, 37))
    assert failing_faces(morale, modifier, 0) == fails


@given(some.integers(0, 5), some.integers(1, 6))
def test_the_zone_turns_with_the_facing(facing: int, hexes: int) -> None:
    here = zone([tuple(at) for at in row(facing, hexes)], facing)  # type: ignore[misc]  # pairs

    def turned(at: tuple[int, int]) -> tuple[int, int]:
        # a sixth of a turn counter-clockwise
        return at[0] + at[1], -at[0]

    there = zone([tuple(at) for at in row(facing + 1, hexes)], (facing + 1) % 6)  # type: ignore[misc]  # pairs
    assert {turned(at) for at in here} == set(there)


def random_charge(number: int) -> dict[str, Any]:
    """A charge over random ground against random stacks, not always legal."""
    rng = random.Random(number)
    width = rng.randint(1, 4)
    company = rng.random() < 0.3
    unit = {
        **CAVALRY,
        "formation": "company_column" if company else "line",
        "hexes": [[-i, 0] for i in range(width)] if company else row(0, width),
        "melee": rng.randint(6, 90),
        "increments": 4 * width,
        "morale": tables.face_of(rng.randint(1, 36)),
        "state": rng.choice(["good", "good", "disordered"]),
    }
    stacks = {}
    taken: set[tuple[int, int]] = set()
    for i in range(rng.randint(1, 1 if company or width == 1 else 3)):
        at = rng.choice(sorted(zone([(0, 0)], 0) - taken))
        taken.add(at)
        stacks[f"s{i}"] = {
            **INFANTRY,
            "kind": rng.choice(["infantry", "infantry", "artillery", "cavalry"]),
            "formation": rng.choice(["line", "column", "skirmish", "square"]),
            "facing": rng.randint(0, 5),
            "hexes": [list(at)],
            "melee": rng.randint(4, 40),
            "morale": tables.face_of(rng.randint(1, 36)),
            "state": rng.choice(["good", "good", "disordered", "pgd"]),
            "can_retire": rng.choice([0, 0.5, 1]),
            "defensive_fire": rng.choice([[1], [0.5, 0.5], [0.25, 0.5, 0.25]]),
        }
    ground = {
        "mud": [list(at) for at in sorted(zone([(0, 0)], 0)) if rng.random() < 0.2],
        "wood": [],
        "marsh": [],
    }
    for at in ground["mud"][::3]:
        ground["mud"].remove(at)
        ground[rng.choice(["wood", "marsh"])].append(at)
    return {
        "ruleset": "hex_increment",
        "map": {
            "extent": {"q": [-12, 12], "r": [-12, 12]},
            "terrain": {
                "mud": {"cost": 2},
                "wood": {"general_order": True, "blocks_sight": True},
                "marsh": {"prohibited": True},
            },
            "hexes": ground,
        },
        "unit": {"cav": unit, **stacks},
        "charge": [
            {"charger": "cav", "targets": list(stacks), "recall": rng.random() < 0.5,
             "modifier": rng.choice([0, 0, 4, -3])},
        ],
        "reaction": {name: rng.choice(["stand", "square", "retire"]) for name in stacks},
        "switches": {
            "split_hex": "half",
            "miss_rule": rng.choice(["all_missed", "any_missed"]),
            "steps": rng.choice(["front_only", "any_neighbour"]),
            "line_two_disorders": rng.choice(["worst", "rout"]),
            "fraction": rng.choice(["keep", "floor"]),
        },
    }  # fmt: skip


def legal_charges(count: int) -> list[dict[str, Any]]:
    """The first so many random charges that are legal."""
    found: list[dict[str, Any]] = []
    number = 0
    while len(found) < count:
        number += 1
        file = random_charge(number)
        try:
            Scenario(**file)
        except InputError:
            continue
        found.append(file)
    return found


CHARGES = legal_charges(60)


@pytest.mark.parametrize("file", CHARGES[:30])
def test_masses_add_up_to_one_and_records_stay_in_range(file: dict[str, Any]) -> None:
    end = solved(file)
    words = [p for name, p in end.word.items() if name in set(_words())]
    assert sum(words) == 1
    for part in Scenario(**file).parts:
        assert part.ruleset.layout.check(part.game(), part.counts) == []


def _words() -> list[str]:
    from chargesim.rulesets.hex_increment.reading import WORDS

    return list(WORDS.values())


@pytest.mark.parametrize("file", CHARGES)
def test_no_step_leaves_the_zone_or_enters_what_it_may_not(file: dict[str, Any]) -> None:
    (plan,) = plans(Scenario(**file).model)
    marsh = {tuple(at) for at in file["map"]["hexes"]["marsh"]}
    wood = {tuple(at) for at in file["map"]["hexes"]["wood"]}
    stood = {
        tuple(at) for u in file["unit"].values() if u["side"] == "reactive" for at in u["hexes"]
    }
    assert plan.move.spent <= 10
    for body in plan.move.bodies[1:]:
        assert set(body) <= plan.zone
        assert not set(body) & (marsh | stood)
    for body in plan.move.bodies[1:-1]:
        assert not set(body) & wood
    if set(plan.move.end) & wood:
        assert not any(met.contact for met in plan.met)


@pytest.mark.parametrize("file", [f for f in CHARGES if len(f["unit"]) > 2][:8])
def test_the_order_of_the_targets_is_irrelevant(file: dict[str, Any]) -> None:
    names = file["charge"][0]["targets"]
    path = [list(body[0]) for body in plans(Scenario(**file).model)[0].move.bodies[1:]]
    first = None
    for order in permutations(names):
        variant = {**file, "charge": [{**file["charge"][0], "targets": list(order), "path": path}]}
        end = solved(variant)
        seen = end.word, {name: end.combats[name] for name in names}, end.units
        first = first or seen
        assert seen == first


@pytest.mark.parametrize("file", CHARGES[:30])
def test_shares_never_exceed_the_whole(file: dict[str, Any]) -> None:
    plain = {**file, "charge": [{**file["charge"][0], "modifier": 0}]}
    plain["unit"] = {
        name: {**u, "defensive_fire": [1]} if u["side"] == "reactive" else u
        for name, u in plain["unit"].items()
    }
    end = played(plain)
    whole = F(plain["unit"]["cav"]["melee"])
    divided = [
        v * (3 if "square" in str(plain["unit"][n]["formation"]) else 1) for n, v in end.values
    ]
    if plain["unit"]["cav"]["formation"] == "line" and "square" not in end.asked:
        assert sum(v for _, v in end.values) <= whole
    assert all(value <= whole for value in divided)


@settings(max_examples=40)
@given(
    some.lists(some.sampled_from(RESULTS[:10]), min_size=1, max_size=3),
    some.sampled_from(RESULTS[:10]),
)
def test_one_target_more_never_eases_the_charger(results: list[str], more: str) -> None:
    def worst(texts: list[str]) -> int:
        end = played(
            line(4, tables=ALL, charge={"targets": [f"s{i}" for i in range(1, len(texts) + 1)]}),
            {f"melee.s{i}": face(text) for i, text in enumerate(texts, 1)},
        )
        return max(SEVERITY.index(end.word) - 1, 0)

    before, after = worst(results), worst([*results, more])
    # a bounce may be cancelled, nothing else gets better
    assert after >= before or before == SEVERITY.index("bounced") - 1


def test_more_waves_hit_more_at_the_same_share() -> None:
    hits = [1 - solved(column(n, 11 * n)).combats["inf"]["target_stood"] for n in range(1, 6)]
    assert hits == sorted(hits)
    assert len(set(hits)) == len(hits)


@pytest.mark.parametrize("melee", [6, 12, 24, 36, 60])
def test_one_wave_is_one_melee(melee: int) -> None:
    wave, hexes = solved(column(1, melee, 12)), solved(charge({"melee": melee}, STEADY))
    assert wave.word == hexes.word
    assert wave.combats == hexes.combats


@pytest.mark.parametrize("file", [f for f in CHARGES if "square" in f["reaction"].values()][:10])
def test_a_square_never_fails_to_stand(file: dict[str, Any]) -> None:
    for name, reaction in file["reaction"].items():
        if reaction == "square":
            end = played(file, {f"square.{name}": 11})
            assert end.fates[name] not in ("target_broke_before_melee", "target_retired") or (
                file["unit"][name]["state"] == "pgd"
                or file["unit"][name]["kind"] != "infantry"
                or file["unit"][name]["formation"] in ("skirmish", "square")
            )
