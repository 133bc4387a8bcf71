"""The declaration game: its lines, its value, and the marks of charges."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from ranked_regiment.build import battle, unit

from chargesim.engine.exact import solve as solve_exactly
from chargesim.errors import InputError
from chargesim.rulesets.ranked_regiment import game_policies, game_tree
from chargesim.rulesets.ranked_regiment.game_tree import PASS, Battle
from chargesim.scenario import Scenario


def duel(**switches: object) -> Scenario:
    """One unit each, in reach of each other, both able to flee."""
    return battle(
        {
            "a": unit("active", 0, 0, 0, move=14.0, models=10, width=5, skill=4),
            "b": unit("reactive", 0, 9, 180, move=14.0, models=10, width=5),
        },
        switches=switches,
        rally=True,
    )


@pytest.mark.parametrize(("final", "lines"), [(True, 6), (False, 7)])
def test_V_RNK_16_declaration_tree(final: bool, lines: int) -> None:
    assert game_tree.solve(duel(pass_final=final).model).lines == lines


def test_the_value_is_that_of_the_best_line_played_by_the_engine() -> None:
    scenario = duel()
    found = game_tree.solve(scenario.model)
    worths = {}
    for reaction in ("hold", "counter", "flee"):
        played = battle(
            scenario.tables["unit"], charges=[("a", "b")], reaction={"b": reaction}, rally=True
        )
        tally = solve_exactly(played.whole)
        swing = np.zeros(len(tally.states))
        for name, sign in (("a", -1), ("b", 1)):
            view = tally.reading.units[name]
            lost = [c for c, w in view.words.items() if w in ("fled", "broken", "destroyed")]
            swing += sign * 10 * np.isin(view.codes, lost)
        worths[reaction] = float(tally.probabilities @ swing)
    reply = min(worths, key=lambda r: worths[r])
    assert found.value == pytest.approx(worths[reply], abs=1e-12)
    assert [step.kind for step in found.line] == ["charge", {"hold": "pass"}.get(reply, reply)]


def brute(scenario: Scenario) -> float:
    """Value by trying every line, nothing remembered."""
    played = Battle(scenario.model)

    def value(state: bytes) -> float:
        options = played.options(state)
        if not options:
            return played.swing(state)
        best = max if played.mover(state) == 0 else min
        return best(value(played.after(state, move)) for move in options)

    return value(played.root)


def two_a_side() -> Scenario:
    """Two units a side, one of them with a bad flank."""
    return battle(
        {
            "a1": unit("active", 0, 0, 0, move=14.0, models=10, skill=4),
            "a2": unit("active", 14, 9, 270, move=14.0, models=10, power=4),
            "b1": unit("reactive", 0, 9, 180, move=14.0, models=20),
            "b2": unit("reactive", 6, 16, 180, move=14.0, models=10, power=5),
        },
        rally=True,
    )


def test_remembering_changes_nothing() -> None:
    for scenario in (duel(), duel(counter_los="waived"), two_a_side()):
        found = game_tree.solve(scenario.model).value
        assert found == pytest.approx(brute(scenario), abs=1e-12)


def test_a_mirrored_battle_has_the_opposite_value() -> None:
    scenario = two_a_side()
    other = {"active": "reactive", "reactive": "active"}
    units = {
        name: {**tables, "side": other[tables["side"]]}
        for name, tables in scenario.tables["unit"].items()
    }
    mirrored = battle(units, rally=True, first="reactive")
    value = game_tree.solve(scenario.model).value
    assert game_tree.solve(mirrored.model).value == pytest.approx(-value, abs=1e-12)


def test_marks_say_what_they_mean() -> None:
    scenario = two_a_side()
    played = Battle(scenario.model)
    root = played.root
    value = played.value(root)
    marks = played.marks(root)
    assert marks
    assert max(mark.value for mark in marks) <= value + 1e-12
    by_pass = played.value(played.after(root, PASS))
    for mark in marks:
        assert mark.reply is not None
        assert mark.reply_value == pytest.approx(mark.value)
        assert mark.mark in ("safe", "contested", "dominated")
        assert (mark.mark == "safe") == (mark.value >= max(by_pass, 0) - 1e-12)
        assert (mark.better is not None) == (mark.mark == "dominated")


def test_three_a_side_takes_less_than_5_s() -> None:
    units = {}
    for i in range(3):
        units[f"a{i}"] = unit("active", 8 * i, 0, 0, 5, 2, 18.0, models=20, width=5, skill=4)
        units[f"b{i}"] = unit("reactive", 8 * i + 2, 12, 180, 5, 2, 18.0, models=20, width=5)
    scenario = battle(units, rally=True)
    game_tree.solve(duel().model)  # compile
    begun = time.process_time()
    found = game_tree.solve(scenario.model)
    assert time.process_time() - begun < 5
    assert found.lines > 1000


def test_the_frenzied_of_the_older_edition_may_not_hold_back() -> None:
    units = {
        "a": unit("active", 0, 0, 0, move=14.0, models=3, rules=["frenzied"]),
        "b": unit("reactive", 0, 9, 180, move=0.0, models=20, power=6),
    }
    free = game_tree.solve(battle(units).model)
    assert free.value >= 0
    assert free.line[0].kind == "pass"
    forced = Battle(battle(units, switches={"frenzy_charges": True}).model)
    assert PASS not in forced.options(forced.root)
    assert forced.value(forced.root) < 0
    assert [mark.mark for mark in forced.marks(forced.root)] == ["contested"]


def test_policies() -> None:
    model = two_a_side().model
    greedy, error = game_policies.play_policies(model, "greedy", "pass", trials=5)
    assert greedy > 0
    assert error == pytest.approx(0, abs=1e-9)
    mean, error = game_policies.play_policies(model, "random", "random", trials=200, seed=3)
    assert error > 0
    assert abs(mean) < 40
    with pytest.raises(InputError, match="'clever' is none"):
        game_policies.play_policies(model, "clever")


def test_first_declarations_are_estimated_in_a_large_battle() -> None:
    units = {}
    for i in range(6):
        units[f"a{i}"] = unit("active", 7 * i, 0, 0, 5, 2, 16.0, models=10, skill=4)
        units[f"b{i}"] = unit("reactive", 7 * i + 1, 12, 180, 5, 2, 16.0, models=10)
    found = game_policies.estimate(battle(units, rally=True).model, "greedy", "random", trials=3)
    assert len(found) > 6
    assert [one.mean for one in found] == sorted((one.mean for one in found), reverse=True)
    assert {one.step.kind for one in found} == {"charge", "pass"}
    with pytest.raises(InputError, match="0 is too few"):
        game_policies.estimate(battle(units).model, trials=0)


def test_noise_is_sampled_and_choices_are_exact() -> None:
    units = {
        "a": unit("active", 0, 0, 0, move=9.0, models=10, noise={"y": 1.0}),
        "b": unit("reactive", 0, 10.5, 180, move=1.0, models=10),
    }
    scenario = battle(units)
    mean, error = game_tree.solve_noisy(scenario.model, 40)
    assert error > 0
    sure = battle({**units, "a": {**units["a"], "noise": {}}})
    assert 0 < mean <= game_tree.solve(sure.model).value + 1e-9


def test_invariants_in_random_games() -> None:
    """Section 3.3: who has a live charge is charged by nobody but its counter-charge partner."""
    rng = np.random.default_rng(33)
    for _ in range(40):
        units = {}
        for i, side in itertools.product(range(3), ("active", "reactive")):
            y, look = (0, 0) if side == "active" else (12, 180)
            units[f"{side}{i}"] = unit(
                side, 9 * i + rng.uniform(-2, 2), y + rng.uniform(-2, 2),
                (look + rng.uniform(-50, 50)) % 360, 4, 2, float(rng.uniform(8, 20)),
            )  # fmt: skip
        try:
            played = Battle(battle(units).model)
        except InputError:
            continue  # two of them overlap
        state, turns = played.root, 0
        while options := played.options(state):
            move = options[int(rng.integers(len(options)))]
            state = played.after(state, move)
            turns += 1
            played.put(state)
            records = played.game["units"][:6]
            declared = int(records["declared"].sum())
            assert declared <= 6
            for u, record in enumerate(records):
                t = int(record["aim"])
                if t < 0:
                    continue
                incoming = [w for w in range(6) if records[w]["aim"] == u]
                assert incoming in ([], [t])
                if incoming:
                    assert record["counter"] or records[t]["counter"]
        assert turns < 40
        played.put(state)
        before = [tuple(float(r[k]) for k in ("x", "y", "fx", "fy")) for r in records]
        contacts = {int(r["aim"]): u for u, r in enumerate(records) if r["aim"] >= 0}
        assert len(contacts) <= 6
        played.kernels.resolve_all(played.game, played.dice)
        poses = [tuple(float(r[k]) for k in ("x", "y", "fx", "fy", "a", "b")) for r in records]
        from chargesim.kernels.geometry import bodies_overlap

        for one, other in itertools.combinations(poses, 2):
            assert not bodies_overlap(*one, *other)
        for u, record in enumerate(records):
            if record["state"] == 0:
                assert poses[u][:4] == before[u]
