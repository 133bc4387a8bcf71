"""The declaration game: its lines, its value, the marks of charges, and what is uncertain."""

from __future__ import annotations

import numpy as np
import pytest
from ranked_regiment.build import battle, unit

from chargesim.engine.exact import solve as solve_exactly
from chargesim.errors import InputError
from chargesim.rulesets.games import Game, Step
from chargesim.rulesets.ranked_regiment.game import solve
from chargesim.rulesets.ranked_regiment.game_tree import Battle, TooLarge, Tree
from chargesim.scenario import Scenario

PASS = (-1, -1, 0)


def tree(scenario: Scenario, mover: int = 0) -> Tree:
    """Positions of the game at the stated poses."""
    played = Battle(scenario.model)
    ((_, case),) = played.cases(1) or ()
    played.begin(case)
    return played.search(mover, 100_000)


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
    assert solve(duel(pass_final=final).model).complete == lines


def test_the_value_is_that_of_the_best_line_played_by_the_engine() -> None:
    scenario = duel()
    found = solve(scenario.model)
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
    assert found.value.mean == pytest.approx(worths[reply], abs=1e-12)
    kinds = [step.kind for step in found.lines[0].steps]
    assert kinds == ["charge", {"hold": "pass"}.get(reply, reply)]


def brute(scenario: Scenario) -> tuple[float, int]:
    """Value and number of lines by trying every line, nothing remembered."""
    played = Battle(scenario.model)
    ((_, case),) = played.cases(1) or ()
    played.begin(case)

    def value(row: np.ndarray) -> tuple[float, int]:
        options = played.options(row)
        if not options:
            return float(played.worths(row[None])[0]), 1
        best = max if row[0] & 1 == 0 else min
        found = [value(played.after(row, move)) for move in options]
        return best(worth for worth, _ in found), sum(lines for _, lines in found)

    return value(played.root(0))


def two_a_side(**others: object) -> Scenario:
    """Two units a side, one of them with a bad flank."""
    return battle(
        {
            "a1": unit("active", 0, 0, 0, move=14.0, models=10, skill=4),
            "a2": unit("active", 14, 9, 270, move=14.0, models=10, power=4),
            "b1": unit("reactive", 0, 9, 180, move=14.0, models=20),
            "b2": unit("reactive", 6, 16, 180, move=14.0, models=10, power=5),
        },
        rally=True,
        **others,
    )


SWITCHES: list[dict[str, object]] = [
    {}, {"pass_final": False}, {"cancelled_counts": False}, {"cancelled_frees_side": False},
    {"orphan_reaction": "drop_both"}, {"intercept": "priority"}, {"flight_move": "dice"},
    {"edition": "2022"},
]  # fmt: skip


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_merging_positions_changes_nothing(switches: dict[str, object]) -> None:
    scenario = two_a_side(switches=switches)
    found = tree(scenario)
    worth, lines = brute(scenario)
    assert found.value == pytest.approx(worth, abs=1e-12)
    assert found.complete == lines


def test_worth_of_a_position_is_what_the_engine_says_of_its_script() -> None:
    """Every end of the game, scripted, resolved and fought by the exact engine."""
    scenario = two_a_side()
    units = {
        name: {**table, "at": (table["at"][0] + 8, table["at"][1] + 2)}
        for name, table in scenario.tables["unit"].items()
    }
    scenario = battle(units, rally=True, table={"width": 30.0, "height": 20.0})
    played = Battle(scenario.model)
    ((_, case),) = played.cases(1) or ()
    played.begin(case)
    found = played.search(0, 10_000)
    ends = np.flatnonzero(found.first[:-1] == found.first[1:])
    rng = np.random.default_rng(7)
    values = set()
    for end in rng.choice(ends, 12, replace=False):
        part = scenario.whole.game()
        played.put(found.states[end])
        head, count = part["head"][0], len(units)
        keys = ("aim", "aim_side", "counter", "runs", "order", "declared", "cancelled", "closed")
        for who in range(count):
            for key in keys:
                part["units"][0, who][key] = played.game["units"][who][key]
        head["order"], head["phase"], head["combats"] = played.game["head"]["order"], 2, count
        part["combats"]["target"][0, :count] = np.arange(count)
        first = int(played.kernels.next_charge(part[0], 0))
        head["turn"] = first
        if first < 0:
            head["phase"], head["passed"], head["order"] = 1, 3, 0
        from chargesim.parts import Part
        from chargesim.rulesets import Part as Start

        counts = (count, 0, count, 0, count * count)
        tally = solve_exactly(Part(scenario.ruleset, Start(part, counts, tuple(units))))
        swing = 0.0
        for name, view in tally.reading.units.items():
            lost = ("fled", "broken", "destroyed", "off_table")
            codes = [c for c, w in view.words.items() if w in lost]
            sign = 1 if units[name]["side"] == "reactive" else -1
            worth = sign * units[name]["models"]
            swing += worth * float(tally.probabilities[np.isin(view.codes, codes)].sum())
        assert found.values[end] == pytest.approx(swing, abs=1e-9)
        values.add(round(swing, 6))
    assert len(values) > 3


def test_a_mirrored_battle_has_the_opposite_value() -> None:
    scenario = two_a_side()
    other = {"active": "reactive", "reactive": "active"}
    units = {
        name: {**tables, "side": other[tables["side"]]}
        for name, tables in scenario.tables["unit"].items()
    }
    mirrored = battle(units, rally=True, first="reactive")
    one, two = solve(scenario.model), solve(mirrored.model)
    assert two.value.mean == pytest.approx(-one.value.mean, abs=1e-12)
    assert sorted(o.value.mean for o in one.openings) == pytest.approx(
        sorted(o.value.mean for o in two.openings), abs=1e-12
    )


def test_marks_say_what_they_mean() -> None:
    found = tree(two_a_side())
    marks = found.marks()
    worth = {mark.step: mark.value for mark in marks}
    idle = worth[Step("active", "pass")]
    assert max(worth.values()) == pytest.approx(found.value)
    assert len(marks) > 3
    for mark in marks:
        if mark.step.kind != "charge":
            assert mark.mark == ""
            continue
        assert mark.reply is not None
        assert mark.reply_value == pytest.approx(mark.value)
        assert (mark.mark == "safe") == (mark.value >= max(idle, 0) - 1e-12)
        assert (mark.better is not None) == (mark.mark == "dominated")
        if mark.better is not None:
            assert worth[mark.better] > mark.value


def dominated() -> Scenario:
    """A weak unit that could charge the front of a strong one, or the rear of a weak one."""
    return battle(
        {
            "a": unit("active", 0, 0, 0, 4, 2, 14.0, models=10, width=5, skill=5, power=5),
            "strong": unit(
                "reactive", -5, 8, 180, 4, 2, 1.0, models=20, width=5, power=7, defense=7
            ),
            "weak": unit("reactive", 5, 8, 0, 4, 2, 1.0, models=10, width=5),
        }
    )


def test_a_dominated_charge_names_what_is_better() -> None:
    marks = {mark.step.target: mark for mark in tree(dominated()).marks()}
    assert (marks["weak"].mark, marks["strong"].mark) == ("safe", "dominated")
    assert marks["strong"].better == marks["weak"].step
    assert marks["weak"].step.face == "rear"


def test_the_frenzied_of_the_older_edition_may_not_hold_back() -> None:
    units = {
        "a": unit("active", 0, 0, 0, move=14.0, models=3, rules=["frenzied"]),
        "b": unit("reactive", 0, 9, 180, move=0.0, models=20, power=6),
    }
    free = solve(battle(units).model)
    assert free.value.mean >= 0
    assert free.lines[0].steps[0].kind == "pass"
    forced = solve(battle(units, switches={"frenzy_charges": True}).model)
    own = [one for one in forced.openings if one.step.side == "active"]
    assert [one.step.kind for one in own] == ["charge"]
    assert forced.value.mean < 0
    assert own[0].mark == "contested"


def test_a_game_that_is_too_large_is_refused_or_played_by_policies() -> None:
    model = two_a_side().model
    with pytest.raises(TooLarge, match="more than 50 positions"):
        solve(model, engine="exact", max_states=50)
    found = solve(model, max_states=50, trials=2)
    assert found.policies == ("cautious", "cautious")
    assert found.trials == 2


def test_policies() -> None:
    model = two_a_side().model
    best = solve(model).value.mean
    greedy = solve(model, policies=("greedy", "pass"), trials=5)
    assert greedy.value.mean >= best  # who passes cannot do better than who declares well
    assert greedy.value.low == greedy.value.high
    careful = solve(model, policies=("cautious", "greedy"), trials=5)
    assert careful.value.mean <= greedy.value.mean
    wild = solve(model, policies=("random", "random"), trials=200, seed=3)
    assert wild.value.low < wild.value.mean < wild.value.high
    assert len(wild.lines) > 5
    assert sum(line.chance for line in wild.lines) == pytest.approx(1)
    with pytest.raises(InputError, match="'clever' is none"):
        solve(model, policies=("clever", "pass"))
    with pytest.raises(InputError, match="exact cannot be: policies play it"):
        solve(model, engine="exact", policies=("pass", "pass"))


def test_the_cautious_see_a_reply_that_the_greedy_do_not() -> None:
    """A charge that looks good, until its target's friend hits the charger in the flank."""
    units = {
        "a": unit("active", 0, 0, 0, 4, 2, 12.0, models=10, width=5, skill=4, power=4),
        "bait": unit("reactive", 0, 10, 180, 4, 2, 1.0, models=5, width=5, discipline=5),
        "hammer": unit(
            "reactive", 9, 4, 270, 4, 2, 12.0, models=10, width=5, skill=5, power=6, attacks=2
        ),
    }
    model = battle(units).model
    lines = {
        policy: solve(model, policies=(policy, "greedy"), trials=1).lines[0].steps
        for policy in ("greedy", "cautious")
    }
    assert lines["greedy"][0].target == "bait"
    assert lines["cautious"] != lines["greedy"]


def test_first_declarations_are_estimated_in_a_large_battle() -> None:
    units = {}
    for i in range(6):
        units[f"a{i}"] = unit("active", 7 * i, 0, 0, 5, 2, 16.0, models=10, skill=4)
        units[f"b{i}"] = unit("reactive", 7 * i + 1, 12, 180, 5, 2, 16.0, models=10)
    model = battle(units, rally=True).model
    found = solve(model, policies=("greedy", "random"), trials=3)
    own = [one for one in found.openings if one.step.side == "active"]
    assert len(own) > 6
    assert [one.value.mean for one in own] == sorted((o.value.mean for o in own), reverse=True)
    assert {one.step.kind for one in own} == {"charge", "pass"}
    with pytest.raises(InputError, match="0 is too few"):
        solve(model, trials=0)


def noisy() -> Scenario:
    """A charge that is in reach at about half of the places where its unit may stand."""
    return battle(
        {
            "a": unit("active", 0, 0, 0, move=9.0, models=10, skill=5, noise={"y": 1.0}),
            "b": unit("reactive", 0, 11, 180, move=1.0, models=10),
        }
    )


def test_noise_is_sampled_and_choices_are_exact() -> None:
    found = solve(noisy().model, trials=400)
    near = unit("active", 0, 1, move=9.0, models=10, skill=5)
    sure = solve(battle({**noisy().tables["unit"], "a": near}).model)
    assert (found.trials, found.seed, found.policies) == (400, 0, None)
    charge = next(one for one in found.openings if one.step.kind == "charge")
    assert charge.value.mean == pytest.approx(sure.value.mean, abs=1e-12)
    # the value is its worth, when it is legal, and nothing else
    assert found.value.mean == pytest.approx(charge.chance * charge.value.mean, abs=1e-9)
    assert 0.4 < charge.chance < 0.6
    assert found.value.low < found.value.mean < found.value.high
    with pytest.raises(InputError, match="exact cannot be: poses or Moves are uncertain"):
        solve(noisy().model, engine="exact")


def test_few_cases_are_counted_not_sampled() -> None:
    units = {
        "a": unit("active", 0, 0, 0, move=[6.0, 12.0, 14.0], models=10),
        "b": unit("reactive", 0, 10, 180, move=[1.0, 11.0], models=10, power=5),
    }
    found = solve(battle(units, first="coin").model)
    assert found.trials is None
    total = 0.0
    for a in (6.0, 12.0, 14.0):
        for b in (1.0, 11.0):
            for first in ("active", "reactive"):
                sure = {"a": {**units["a"], "move": a}, "b": {**units["b"], "move": b}}
                total += solve(battle(sure, first=first).model).value.mean / 12
    assert found.value.mean == pytest.approx(total, abs=1e-12)
    drawn = solve(battle(units, first="coin").model, engine="sample", trials=300, seed=4)
    assert drawn.value.low < total < drawn.value.high


def test_the_same_seed_gives_the_same_game() -> None:
    model = noisy().model
    one, two, other = (solve(model, trials=30, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one != other
    assert isinstance(one, Game)
