# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Stand, flee or hold
#
# Five heavy riders charge ten crossbowmen. **Should they stand and shoot, hold, or run?** It
# depends on what the crossbowmen are for: to win points, to be alive next turn, or to keep the
# riders away from what stands behind them.

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
crossbows = cs.load(SHIPPED / "best_reaction.toml")

# %% [markdown]
# ## Playing for points
#
# The riders are worth 150 points, the crossbowmen 110. By default each side plays for the swing:
# the expected points of enemies destroyed or fleeing after the round, less its own.

# %%
points = cs.payoffs(crossbows)
points.plot()

# %% [markdown]
# To run is certain to lose 110 points, for who flees counts as lost. The volley is worth more
# than thirty points over holding.
#
# ## Playing to be alive
#
# Now let the crossbowmen count the models they have left, wherever they run. The charger wants
# that number small. Distance makes the difference: what flees 5D6 cm is caught when distance and
# flight together are within the 36 cm of the charge.

# %%
alive = "mean:crossbowmen:models_left"
reactions = {"reaction.crossbowmen": ["hold", "stand_and_shoot", "flee"]}
distances = {"charge.0.distance": range(10, 37, 2)}
survivors = cs.grid(crossbows, distances, reactions, alive)
survivors.plot()

# %% [markdown]
# From how far on is it better to run than to stand and shoot, or to hold where the riders are too
# close to be shot at? The values are now differences, and 0 is where the two break even.

# %%
flight = cs.find_level(
    crossbows.replace(**{"reaction.crossbowmen": "flee"}),
    {"charge.0.distance": range(10, 37)},
    alive,
    reach=0,
    against={"reaction.crossbowmen": ["stand_and_shoot"]},
)
flight.plot()

# %%
flight.verdict

# %% [markdown]
# The kink is where the volley becomes possible: more than half the reach away. The same
# break-even as a surface, with the Leadership of the crossbowmen: on the line, running and
# standing leave as many alive. The better led they are, the farther away the riders must be
# before running pays.

# %%
surface = cs.grid(
    crossbows.replace(**{"reaction.crossbowmen": "flee"}),
    {"charge.0.distance": range(10, 25)},
    {"unit.crossbowmen.Ld": range(5, 11)},
    alive,
    against={"reaction.crossbowmen": ["stand_and_shoot"]},
)
surface.plot()

# %% [markdown]
# ## Playing for what is behind
#
# If all that counts is that the riders do not arrive, the crossbowmen have two ways to stop them:
# to shoot enough of them, or not to be there.

# %%
arrive = cs.payoffs(crossbows, value="contact")
arrive

# %% [markdown]
# ## Conclusion
#
# For points: stand and shoot where the distance allows it, hold where it does not, and never run:
# flight gives all 110 points away. To be alive: run from 16 cm on, for then the riders catch too
# few; nearer than that who turns his back is run down more often than he would be beaten. To keep
# the riders off: run, and there is no contact at all. The same charge has three best answers, so
# say what you play for before you ask for `best`.

# %%
assert points.replies[points.best_replies[0]] == "stand_and_shoot"
assert abs(points.frame()["flee"].item() - 110) < 1e-9
assert flight.level == 16
assert flight.is_monotone
break_even = [(surface.frame()[ld] >= 0).idxmax() for ld in (5, 7, 9)]
assert break_even == sorted(break_even)
assert break_even[0] < break_even[-1]
assert arrive.replies[arrive.best_replies[0]] == "flee"
