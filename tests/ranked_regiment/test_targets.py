"""Lists of targets, and maps of the places from which a side can be charged."""

from __future__ import annotations

import numpy as np
import pytest
from ranked_regiment.build import battle, block, unit

from chargesim.errors import InputError
from chargesim.rulesets import get
from chargesim.rulesets.ranked_regiment.state import Face
from chargesim.rulesets.ranked_regiment.targets import position_map, targets

RULESET = get("ranked_regiment")


def units() -> dict[str, dict[str, object]]:
    """A faces B; C is beside it, D behind it."""
    return {
        "a": unit("active", 0, 0, 0, move=12.0),
        "b": unit("reactive", 0, 10, 180),
        "c": unit("reactive", 12, 0, 180),
        "d": unit("reactive", 3, 30, 180),
    }


def test_RNK_DECL_08_each_target_or_why_not() -> None:
    found = {t.target: t for t in targets(battle(units()).model) if t.unit == "a"}
    assert (found["b"].chance, found["b"].faces, found["b"].distance) == (1.0, {"front": 1.0}, 8)
    assert found["b"].reasons == ()
    ((rule, _, chance),) = found["c"].reasons
    assert (found["c"].chance, rule, chance, found["c"].distance) == (0.0, "RNK-LOS-01", 1.0, None)
    assert found["d"].reasons == (("RNK-DECL-06", "the target is farther than its Move", 1.0),)
    assert RULESET.targets is not None
    spoken = RULESET.targets(battle(units()).model, "es")
    assert [t.target for t in spoken].count("a") == 3
    assert any("Movimiento" in reason for t in spoken for _, reason, _ in t.reasons)


def test_targets_of_uncertain_poses_have_chances() -> None:
    """V-RNK-17: the reach of a Move of 8 over a gap of 7.5, give or take 0.5."""
    pair = {
        "a": unit("active", 0, 0, 0, move=8.0, noise={"y": 0.5}),
        "b": unit("reactive", 0, 9.5, 180, move=1.0),
    }
    one = targets(battle(pair).model, trials=4000)[0]
    assert one.trials == 4000
    assert one.chance == pytest.approx(0.84134, abs=0.02)
    assert one.faces == {"front": one.chance}
    assert [(rule, round(p + one.chance, 9)) for rule, _, p in one.reasons] == [("RNK-DECL-06", 1)]
    pair["a"] = unit("active", 0, 0, 0, move=[7.0, 7.5, 8.0])
    one = targets(battle(pair).model)[0]
    assert (one.trials, one.chance) == (None, pytest.approx(2 / 3))


def test_a_map_shows_every_side_and_is_symmetrical() -> None:
    scenario = battle({"t": unit("reactive", 0, 0), "u": unit("active", 0, 14, 180, 2, 1, 9.0)})
    xs = np.linspace(-12, 12, 25)
    found = position_map(scenario.model, "u", "t", xs, xs)
    assert set(np.unique(found)) == {-1, *(int(face) for face in Face)}
    assert found[12, 12] == -1  # on the target itself
    mirrored = found[:, ::-1].copy()
    left, right = mirrored == Face.LEFT, mirrored == Face.RIGHT
    mirrored[left], mirrored[right] = Face.RIGHT, Face.LEFT
    assert (mirrored == found).all()
    kept = position_map(scenario.model, "u", "t", xs, xs, turned=False)
    assert (kept >= 0).sum() < (found >= 0).sum()
    assert not (kept[:12] >= 0).any()  # it looks down: nothing from below


def test_a_map_knows_terrain_and_its_limits() -> None:
    pair = {"t": unit("reactive", 0, 0), "u": unit("active", 0, 14, 180, 2, 1, 9.0)}
    xs = np.linspace(-12, 12, 25)
    free = position_map(battle(pair).model, "u", "t", xs, xs)
    walled = battle(pair, terrain=[block(-30, 30, 3, 4, "cliff")])
    shut = position_map(walled.model, "u", "t", xs, xs)
    assert (shut[xs > 4] == -1).all()
    assert (free[xs > 4] >= 0).any()
    with pytest.raises(InputError, match="there is no unit 'x'"):
        position_map(walled.model, "u", "x", xs, xs)
    with pytest.raises(InputError, match="more than 250,000 places"):
        position_map(walled.model, "u", "t", range(1000), range(1000))
