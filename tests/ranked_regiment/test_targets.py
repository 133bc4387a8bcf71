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
    assert (found["b"].legal, found["b"].side, found["b"].distance) == (True, "front", 8)
    assert (found["c"].legal, found["c"].rule, found["c"].distance) == (False, "RNK-LOS-01", None)
    assert (found["d"].legal, found["d"].rule) == (False, "RNK-DECL-06")
    assert found["d"].why == "the target is farther than its Move"
    assert RULESET.targets is not None
    assert [t.target for t in RULESET.targets(battle(units()).model)].count("a") == 3


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


def test_the_ruleset_offers_its_game_and_its_picture() -> None:
    model = battle(units()).model
    assert RULESET.game is not None
    assert RULESET.picture is not None
    assert RULESET.game(model).lines > 1
    assert RULESET.picture(model).startswith("<svg")
