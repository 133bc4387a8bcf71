"""What holds in every game of declarations: thousands of random ones, played to their end."""

from __future__ import annotations

from typing import Any

import numpy as np
from ranked_regiment.build import battle, block, unit

from chargesim.kernels.dice import Mode, new_dice
from chargesim.kernels.geometry import bodies_overlap, body_on_polygon
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.rules_game import list_moves, make_move, resolve_all
from chargesim.scenario import Scenario

BROKEN = ("a unit with a live charge is charged by another", "a unit declared twice",
          "a game without end", "two units overlap", "a unit on a rock",
          "a failed charge moved")  # fmt: skip
GAMES = 10_000


def three_a_side(**others: Any) -> Scenario:
    """Three units a side, whose poses are drawn anew for every game."""
    units = {}
    for i in range(3):
        units[f"a{i}"] = unit("active", 10 * i, 0, 0, 4, 2, 16.0)
        units[f"r{i}"] = unit("reactive", 10 * i, 40, 180, 5, 3, 16.0)
    units["a2"]["rules"] = ["frenzied"]
    return battle(units, terrain=[block(6, 9, 6, 8), block(18, 22, 3, 6, "forest")], **others)


@kernel
def poses_are_sound(game: Any) -> int:
    """0, or what is wrong with where the units stand."""
    for u in range(6):
        one = game["units"][u]
        for t in range(u):
            two = game["units"][t]
            if bodies_overlap(
                one["x"], one["y"], one["fx"], one["fy"], one["a"], one["b"],
                two["x"], two["y"], two["fx"], two["fy"], two["a"], two["b"],
            ):  # fmt: skip
                return 4
        rock = game["terrains"][0]
        if body_on_polygon(
            one["x"], one["y"], one["fx"], one["fy"], one["a"], one["b"], rock["x"], rock["y"], 4
        ):
            return 5
    return 0


@kernel
def invariant(game: Any) -> int:
    """0, or what of section 3.3 does not hold."""
    for u in range(6):
        unit = game["units"][u]
        if unit["aim"] < 0:
            continue
        for w in range(6):
            other = game["units"][w]
            answered = unit["aim"] == w and (unit["counter"] or other["counter"])
            if other["aim"] == u and not answered:
                return 1
    return 0


@kernel
def play_games(
    game: Any, dice: Any, words: Any, live: Any, begun: Any, draws: Any, seen: Any
) -> int:
    """Play a game for each row of draws; 0, or the first thing that is wrong.

    ``seen``: games whose poses are sound, moves made, counter-charges, interceptions, flights.
    """
    moves = np.empty((64, 3), np.int64)
    for g in range(draws.shape[0]):
        for j in range(live.size):
            words[live[j]] = begun[j]
        for u in range(6):
            unit, draw = game["units"][u], draws[g, 5 * u : 5 * u + 5]
            unit["x"], unit["y"] = 40.0 * draw[0], 24.0 * draw[1]
            c, s = draw[2] - 0.5, draw[3] - 0.5
            size = np.sqrt(c * c + s * s)
            unit["fx"], unit["fy"] = c / size, s / size
            unit["move"] = 4.0 + 24.0 * draw[4]
        game["pairs"]["known"][:36] = 0
        if poses_are_sound(game):
            continue
        seen[0] += 1
        k, made = 30, 0
        while True:
            count = list_moves(game, moves)
            if count == 0:
                break
            pick = int(draws[g, k] * count)
            k = k + 1 if k < draws.shape[1] - 1 else 30
            u, t = moves[pick, 0], moves[pick, 1]
            if u >= 0:
                if game["units"][u]["declared"] and game["head"]["counts"]:
                    return 2
                if t >= 0 and game["units"][t]["aim"] == u:
                    seen[2] += 1
                elif t >= 0 and game["units"][t]["aim"] >= 0:
                    seen[3] += 1
                elif t < 0:
                    seen[4] += 1
            make_move(game, dice, u, t, moves[pick, 2])
            wrong = invariant(game)
            if wrong:
                return wrong
            made += 1
            seen[1] += 1
            if made > 60:
                return 3
        before = np.empty((6, 2))
        for u in range(6):
            before[u, 0], before[u, 1] = game["units"][u]["x"], game["units"][u]["y"]
        resolve_all(game, dice)
        wrong = poses_are_sound(game)
        if wrong:
            return wrong
        for u in range(6):
            unit = game["units"][u]
            still = unit["x"] == before[u, 0] and unit["y"] == before[u, 1]
            if unit["state"] == 0 and not still:
                return 6
    return 0


def play_many(scenario: Scenario, games: int, seed: int) -> Any:
    """Play random games of a scenario; what was seen."""
    part = scenario.whole
    array = part.game()
    words = array.view(np.uint64)
    begun = words[part.live].copy()
    draws = np.random.default_rng(seed).random((games, 60))
    seen = np.zeros(5, np.int64)
    dice = new_dice(Mode.ENUMERATE)
    wrong = play_games(array[0], dice[0], words, part.live, begun, draws, seen)
    assert wrong == 0, BROKEN[wrong - 1]
    return seen


def test_section_3_3_holds_in_thousands_of_random_games() -> None:
    seen = play_many(three_a_side(), GAMES, 1)
    assert seen[0] > GAMES / 4, seen
    assert (seen[2:] > 50).all(), seen  # counter-charges, interceptions, flights came about


def test_it_holds_by_every_other_switch() -> None:
    switches: list[dict[str, Any]] = [
        {"counter_los": "waived", "pass_final": False},
        {"edition": "2022", "flight_move": "full"},
        {"cancelled_frees_side": False, "orphan_reaction": "drop_both", "path": "swept"},
        {"los": "centre", "blocked_meeting": "as_normal_charges", "midpoint": "centres"},
    ]
    for number, changed in enumerate(switches):
        assert play_many(three_a_side(switches=changed), GAMES // 3, 10 + number)[1] > 500
