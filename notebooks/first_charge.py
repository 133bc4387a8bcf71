# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A first charge
#
# Five boar riders stand 20 cm in front of ten handgunners in line. **Should they charge, and what
# decides it?** This notebook asks the question the way every other one can be asked: load a
# scenario, solve it, look at the answer from several sides, and change one thing at a time.

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
boars = cs.load(SHIPPED / "boar_riders.toml")
result = cs.solve(boars)
result.plot()

# %% [markdown]
# Every step that can go wrong takes its share away, in the order of the game; the blue bar is
# what is left. Nothing here is estimated: all outcomes of all dice were enumerated, so there is
# no interval and no error. The fight that follows has its own picture.

# %%
result.plot("combat")

# %% [markdown]
# ## What it costs
#
# The volley hits on fives. The chance of losing *at least* so many riders to it:

# %%
result.plot("at_least:shooting_casualties")

# %% [markdown]
# Losses and outcome hang together: a charge that is broken up has cost two riders or more, and
# one that runs the enemy down has mostly cost none or one. The bars split all losses of the
# boars, by shooting and in the fight, by how the charge ended.

# %%
losses = result.casualties("boars")
losses.plot()

# %%
losses

# %% [markdown]
# ## What decides it
#
# `why` takes each rule away and shifts each number by one, alone, and shows what that does to the
# chance of breaking the handgunners.

# %%
breaks = "handgunners:target_broke*"
matters = cs.why(boars, breaks)
matters.plot()

# %% [markdown]
# ## From farther away, and with more riders
#
# Within 18 cm, half their reach, the boars are too close to be shot at. Beyond 36 cm they cannot
# charge at all.

# %%
grid = cs.grid(
    boars,
    {"charge.0.distance": [12, 18, 20, 24, 30, 36, 37]},
    {"unit.boars.models": [4, 5, 6, 7]},
    breaks,
)
grid.plot()

# %% [markdown]
# The handgunners hit worse at more than half the range of their weapons, which is why 36 cm is
# better for the boars than 24. How many shooters does it take to stop the charge one time in ten?

# %%
stopped = "charger_fled_panic+charger_destroyed"
cs.find_level(boars, {"unit.handgunners.shooters": range(1, 11)}, stopped, 0.10)

# %% [markdown]
# ## One trial, told
#
# The same rules can be told. This is the first trial of seed 0, die by die:

# %%
print(cs.trace(boars, seed=0, trial=0))

# %% [markdown]
# ## All of it under your hands
#
# Run this cell in Jupyter and move the sliders; the answer is exact and comes at once. Without
# widgets the page shows the answer as it stands.

# %%
explorer = cs.explore(boars, ["charge.0.distance", "unit.boars.models", "reaction.handgunners"])
explorer.set(**{"charge.0.distance": 12, "reaction.handgunners": "hold"})
explorer

# %% [markdown]
# ## Conclusion
#
# Charge: it arrives seven times in eight and breaks the handgunners every other time, at a mean
# loss of 1.3 riders. The volley decides: if the handgunners could not shoot, they would break
# four times in five, and 18 cm instead of 20 have the same effect. A sixth rider is worth another
# 14 points, because then two dead are less than every other rider, and more are left to fight.

# %%
assert 0.86 < result.probability("contact") < 7 / 8
assert abs(result.probability(breaks) - 0.5) < 0.02
assert abs(losses.mean() - 1.3) < 0.05
close = grid.frame().loc[18, 5]
assert abs(close - 0.8) < 0.01
assert abs(grid.frame().loc[20, 6] - grid.frame().loc[20, 5] - 0.14) < 0.005
