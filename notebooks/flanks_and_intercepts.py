# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Flanks and intercepts
#
# In ranked_regiment units have a place and a facing, and the side that is struck follows from
# them. **What is a flank worth, how well must you know where everybody stands to count on it, and
# what does an interception save?**

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
flank = cs.load(SHIPPED / "price_of_a_flank.toml")
result = cs.solve(flank)
result.picture()

# %% [markdown]
# ## The price of a flank
#
# Ten riders charge twenty spears in front; ten others charge twenty others in the flank. The two
# combats have nothing to do with each other.

# %%
front, side = (result.probability(f"{name}_spears:target_broke") for name in ("front", "flank"))
print(f"the target breaks: {front:.1%} in front, {side:.1%} in the flank")

# %% [markdown]
# ## Do you know where they stand?
#
# The side follows from the angle at which the charger stands to the target. Turn the spears
# towards the riders, step by step, and say that you know their facing only roughly: a normal
# error of so many degrees. In the table is the chance that the charge strikes a flank. With an
# error the answer is sampled, 4,000 trials a cell with shared luck; without one it is exact.

# %%
known = cs.grid(
    flank,
    {"unit.flank_spears.facing": range(0, 91, 15)},
    {"unit.flank_spears.noise.facing": [0, 5, 20]},
    "1:on_left+on_right",
    trials=4_000,
)
known.plot()

# %%
known

# %% [markdown]
# ## An interception
#
# The reactive side declares first: fifteen axes charge archers. Riders stand on their right and
# may charge them, because they strike the flank of a unit that has declared a charge of its own.


# %%
def unit(side, at, facing, frontage, depth, move, models, skill, power, defense):
    """A unit with one attack a model and discipline 7."""
    return {
        "side": side, "at": at, "facing": facing, "frontage": frontage, "depth": depth,
        "move": move, "models": models, "attacks": 1, "skill": skill, "power": power,
        "defense": defense, "discipline": 7,
    }  # fmt: skip


battle = {
    "ruleset": "ranked_regiment",
    "title": "Riders intercept a charge on the archers",
    "turn": 2,
    "first": "reactive",
    "unit": {
        "axes": unit("reactive", [0, 0], 0, 5, 3, 20, 15, 5, 5, 4) | {"width": 5},
        "archers": unit("active", [2, 14], 180, 6, 2, 8, 12, 3, 3, 3) | {"width": 6},
        "riders": unit("active", [18, 0], 270, 5, 2, 20, 10, 5, 5, 4) | {"width": 5},
    },
    "charge": [
        {"charger": "axes", "target": "archers"},
        {"charger": "riders", "target": "axes"},
    ],
}
intercept = cs.Scenario(**battle)
cs.solve(intercept).picture()

# %% [markdown]
# Intercept, or do without? The payoffs are to the side of the riders, in the points that are lost
# with units that break: here each unit is worth its models.

# %%
choice = cs.payoffs(intercept, unit="axes")
choice.plot()

# %%
with_riders, without = choice.frame()["hold"]
print(f"swing {with_riders:+.2f} with the interception, {without:+.2f} without")

# %% [markdown]
# The archers are saved as well: the charge on them is cancelled.

# %%
cs.solve(intercept).table()

# %% [markdown]
# ## The whole game
#
# Who declares what, when both sides choose well, can be searched to its end in a small battle. The
# last table says of every unit and every enemy whether it may charge, and why not.

# %%
game = cs.plan(intercept)
game

# %% [markdown]
# ## Conclusion
#
# A flank is worth four times as many broken targets: 71 in 100 against 18. But the border between
# front and flank is sharp, between 30 and 45 degrees: right at it an error of 5 degrees in the
# facing decides the charge, and with an error of 20 even the sure flank of 30 degrees is missed
# one time in four. The interception turns a loss of 8 points into a gain of 10, since it strikes
# a flank and the charge it answers never moves. Knowing that, the axes do not charge the archers
# in the first place: they pass, and run from the riders.

# %%
assert abs(front - 0.18) < 0.005
assert abs(side - 0.71) < 0.01
table = known.frame()
assert list(table[0]) == [1, 1, 1, 0, 0, 0, 0]
assert 0.2 < table.loc[45, 5] < 0.5
assert 0.7 < table.loc[30, 20] < 0.78
assert round(with_riders) == 10
assert round(without) == -8
assert [step.kind for step in game.line] == ["pass", "charge", "flee"]
