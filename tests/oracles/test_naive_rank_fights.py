"""The naive ranked regiments: the fight, and the whole phase."""

import math
import random
from fractions import Fraction

import pytest

from . import naive_rank as nr
from . import naive_rank_combat as nc
from .rank_cases import NORTH, WEST, near


def horse(**more):
    """Ten chargers, five wide, that wound the foot with 4/9."""
    return nc.Profile(**({"models": 10, "wide": 5, "skill": 5, "power": 5, "defense": 5} | more))


def foot(**more):
    """Twenty, five wide, Discipline 7, that wound the chargers with 1/6."""
    return nc.Profile(**({"models": 20, "wide": 5, "discipline": 7} | more))


def test_cmb_two_dice():
    """P(2d6 <= t)."""
    ways = [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]
    assert [nc.two_dice_at_most(t) for t in range(2, 13)] == [Fraction(k, 36) for k in ways]
    assert nc.rally_chance(5, 2) == Fraction(21, 36)


def test_cmb_dice():
    """Dice by side."""
    assert nc.attack_dice(foot(), {"front"}) == {"front": 10}
    assert nc.attack_dice(foot(), {"left"}) == {"left": 4}
    assert nc.attack_dice(foot(), {"rear"}) == {"rear": 0}
    assert nc.attack_dice(foot(attacks=2), {"front"}) == {"front": 15}
    assert nc.attack_dice(foot(attacks=0), {"front"}) == {"front": 0}
    spears = foot(spear_and_shield=True)
    assert nc.attack_dice(spears, {"front"}, False) == {"front": 15}
    assert nc.attack_dice(spears, {"front"}, True) == {"front": 10}
    # each model once, the front first
    assert nc.attack_dice(foot(), {"front", "right"}) == {"front": 10, "right": 2}
    assert nc.attack_dice(foot(charge_attacks=1), {"front"}, True) == {"front": 15}
    assert nc.silenced({"rear", "front"}) == {"rear"}
    assert nc.silenced({"rear", "front"}, "whole_unit") == {"rear", "front"}


def test_cmb_hit_save_and_wounds():
    """Ten dice, 4+ to hit, 3+ save."""
    assert [nc.save_needed(k, 0) for k in (4, 3, 2, 1, 0, -1, -2, -3)] == [6, 6, 5, 5, 4, 3, 3, 2]
    assert (nc.hit_needed(5, 4), nc.hit_needed(4, 4), nc.hit_needed(3, 4)) == (3, 4, 4)
    assert nc.wound_chance(horse(), foot(), True) == Fraction(4, 9)
    assert nc.wound_chance(foot(), horse()) == Fraction(1, 6)
    dist = nc.wound_distribution(10, Fraction(1, 6))
    assert sum(dist) == 1
    assert sum(k * p for k, p in enumerate(dist)) == Fraction(5, 3)
    assert dist[0] == Fraction(5, 6) ** 10
    assert float(dist[0]) == pytest.approx(0.16151, abs=5e-6)
    assert float(sum(dist[3:])) == pytest.approx(0.22477, abs=5e-6)


def test_cmb_ranks_and_casualties():
    """Full ranks, a partial one of three, the pool of wounds."""
    counts = [nc.rank_count(m, 5) for m in (20, 18, 17, 13, 10, 8, 7, 5, 3, 2)]
    assert counts == [4, 4, 3, 3, 2, 2, 1, 1, 1, 0]
    assert nc.rank_count(2, 2) == 0
    assert nc.casualties(10, 3, 2, 5) == (8, 1)
    assert nc.casualties(2, 1, 0, 7) == (0, 0)
    assert [nc.rank_bonus(r, False) for r in range(6)] == [0, 0, 1, 2, 2, 2]


PRICES = [
    ("front", "before", 0.19282, 0.74562),
    ("front", "after", 0.27311, 0.70047),
    ("left", "before", 0.66122, None),
    ("left", "after", 0.75454, None),
    ("rear", "before", 0.74246, None),
    ("rear", "after", 0.82292, None),
]


@pytest.mark.parametrize(("side", "when", "breaks", "higher"), PRICES)
def test_cmb_price_of_a_flank(side, when, breaks, higher):
    """V-RNK-CMB."""
    got = nc.fight_exact(horse(), foot(), side, ranks_when=when)
    assert float(got["target_breaks"]) == pytest.approx(breaks, abs=5e-6)
    if higher is not None:
        assert float(got["charger_higher"]) == pytest.approx(higher, abs=5e-6)
    assert got["charger_higher"] + got["target_higher"] + got["tie"] == 1
    for who in ("charger", "target"):
        assert sum(got[f"{who}_{f}"] for f in ("stands", "breaks", "destroyed")) == 1


@pytest.mark.parametrize(
    ("mine", "theirs", "side", "counter"),
    [
        ({}, {}, "front", False),
        ({}, {}, "left", False),
        ({}, {}, "rear", False),
        ({"charge_power": 2}, {"charge_attacks": 1}, "front", True),
        ({"models": 4, "reanimated": True}, {"fearless": True, "models": 8}, "front", False),
        ({"wounds": 3, "banners": 1}, {"construct": True, "models": 3}, "right", False),
    ],
)
def test_cmb_dice_against_the_sum(mine, theirs, side, counter):
    """The sampled round agrees with the exact one."""
    exact = nc.fight_exact(horse(**mine), foot(**theirs), side, counter)
    rng, n = random.Random(5), 3000
    count = dict.fromkeys(exact, 0)
    for _ in range(n):
        fighters = nc.duel_fighters(horse(**mine), foot(**theirs), side, counter)
        out = nc.simulate_engagement(fighters, ["charger", "target"], rng)
        for who in ("charger", "target"):
            count[f"{who}_{out['fate'][who]}"] += 1
        a, b = out["scores"]["A"], out["scores"]["B"]
        count["tie" if a == b else "charger_higher" if a > b else "target_higher"] += 1
    for key, p in exact.items():
        p = float(p)
        assert abs(count[key] / n - p) <= 4 * math.sqrt(max(p * (1 - p), 1 / n) / n), key


def test_cmb_broken_between_two_and_commanders():
    """Opposite enemies destroy; commanders lead, duel and are out of reach behind a retinue."""
    assert nc.destroyed_when_broken({"left", "right"}, 8)
    assert nc.destroyed_when_broken({"front", "rear"}, 8)
    assert not nc.destroyed_when_broken({"front", "left"}, 8)
    assert nc.destroyed_when_broken({"front"}, 0.5)
    led = foot(commander=nc.Commander(discipline=9))
    assert nc.discipline_of(led) == 9
    assert not nc.rank_and_file_may_hit(led)
    led.commander.lost = 1
    assert nc.discipline_of(led) == 7
    assert nc.break_target(foot(fearless=True), 4, 6) == 11
    fighters = nc.duel_fighters(
        horse(attacks=0, commander=nc.Commander(attacks=600, skill=9)),
        foot(attacks=0, commander=nc.Commander(attacks=0, wounds=3)),
        "front",
    )
    out = nc.simulate_engagement(fighters, ["charger", "target"], random.Random(1))
    assert fighters["target"].profile.models == 20
    assert fighters["target"].profile.commander.lost == out["wounds"]["charger"] > 100


def test_cmb_rally_run():
    """RNK-CMB-11: to the nearest edge."""
    table = (0, 0, 48, 48)
    assert nc.run_to_edge((10, 30), 8, table) == ((2, 30), WEST, False)
    assert nc.run_to_edge((40, 44), 8, table) == ((40, 52), NORTH, True)


def battle(**more):
    """Horse before foot, twelve apart."""
    return {
        "turn": 2,
        "first": "A",
        "unit": {
            "horse": {
                "side": "A",
                "at": [0, 0],
                "frontage": 5,
                "depth": 2,
                "move": 16,
                "profile": {"models": 10, "skill": 5, "power": 5, "defense": 5},
            },
            "foot": {
                "side": "B",
                "at": [0, 15],
                "facing": 180,
                "frontage": 5,
                "depth": 4,
                "move": 8,
                "profile": {"models": 20},
            },
        },
        "charge": [{"unit": "horse", "target": "foot"}],
    } | more


def test_battle_breaks_as_often_as_the_sum_says():
    """The whole phase, die by die."""
    exact = float(nc.fight_exact(horse(), foot(), "front")["target_breaks"])
    rng, n, broken = random.Random(9), 1500, 0
    for _ in range(n):
        out = nr.simulate_battle(battle(), rng=rng)
        assert out["charges"][0]["outcome"] == "contact"
        broken += out["units"]["foot"]["fleeing"]
    assert abs(broken / n - exact) < 4 * math.sqrt(exact * (1 - exact) / n)


def test_battle_reactions():
    """Counter-charge and flight as asked for; a passive game; a random one with noise."""
    rng = random.Random(11)
    out = nr.simulate_battle(battle(reaction={"foot": "counter"}), rng=rng)
    assert [c["outcome"] for c in out["charges"]] == ["contact"]  # out of the foot's reach
    near_foot = battle(reaction={"foot": "counter"})
    near_foot["unit"]["foot"]["at"] = [0, 10]
    out = nr.simulate_battle(near_foot, rng=rng)
    assert [c["outcome"] for c in out["charges"]] == ["met", "met"]
    out = nr.simulate_battle(battle(reaction={"foot": "flee"}), rng=rng)
    assert out["charges"][0]["outcome"] == "pursued"
    assert out["units"]["foot"]["fleeing"]
    assert out["combats"] == []
    assert near(out["units"]["foot"]["at"], (0, 23))
    out = nr.simulate_battle(battle(), nr.passive_policy, rng)
    assert out["charges"] == []
    noisy = battle()
    noisy["unit"]["horse"]["noise"] = {"x": 1, "y": 1, "facing": 10}
    for _ in range(20):
        out = nr.simulate_battle(noisy, nr.random_policy, rng)
        assert set(out["units"]) == {"horse", "foot"}


def test_battle_older_edition_and_started_fight():
    """An edition by name; a fight that was there before goes on without a charge bonus."""
    rng = random.Random(12)
    out = nr.simulate_battle(battle(switches={"edition": "older"}), rng=rng)
    assert out["notes"]["distance"] == "centre_side"
    begun = battle(
        contact=[{"unit": "horse", "unit_side": "front", "enemy": "foot", "enemy_side": "front"}]
    )
    begun["unit"]["horse"]["at"] = [0, 12]
    out = nr.simulate_battle(begun, rng=rng)
    assert out["charges"] == []
    assert len(out["combats"]) == 1
