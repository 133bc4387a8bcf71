# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Chariots
#
# A chariot is one model with four wounds that nobody dares to stand before, and that falls to
# pieces when it is not over in one round. **What do the wheels do, what should it charge, and
# what stops it?**

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
chariot = cs.load(SHIPPED / "chariot_and_crew.toml")
result = cs.solve(chariot)
result.plot("combat")

# %% [markdown]
# Against twenty spearmen in ranks the chariot mostly does not win: the ranks, the standard and
# the numbers give the spearmen more combat result than the wheels take away.
#
# ## What the wheels do
#
# Impact hits come before any blow and need no roll to hit. At least so many of the spearmen fall
# to them, for the number of hits that different chariots have:

# %%
hits = ["1D6", "1D6+1", "1D6+2", "2D6"]
wheels = cs.grid(
    chariot,
    {"unit.chariot.chariot.impact_hits": hits},
    value="at_least:impact_wounds",
)
wheels.plot()

# %%
means = cs.grid(chariot, {"unit.chariot.chariot.impact_hits": hits}, value="mean:impact_wounds")
means

# %% [markdown]
# Hits are only half of it; strength and the target's armour are the other half. Mean of the
# wounds by impact:

# %%
armour = cs.grid(
    chariot,
    {"unit.chariot.S": [4, 5, 6, 7]},
    {"unit.spearmen.save": ["none", "6+", "5+", "4+", "3+", "2+"]},
    "mean:impact_wounds",
)
armour.plot()

# %% [markdown]
# ## What to charge
#
# How often the target breaks, by its number and its Leadership. Ranks make the steps: ten
# spearmen have one rank behind the first, fifteen two, twenty three, and from then on more do not
# help.

# %%
breaks = "spearmen:target_broke*"
targets = cs.grid(
    chariot,
    {"unit.spearmen.models": [5, 10, 15, 20, 25]},
    {"unit.spearmen.Ld": range(5, 11)},
    breaks,
)
targets.plot()

# %% [markdown]
# ## A second charger
#
# Chariots go in pairs, or with somebody who takes the ranks away. Another chariot beside the
# first, or five light riders in the flank. Two chariots, their crews and beasts make more states
# than are worth waiting for, so all three are sampled here, with shared luck:

# %%
pair = chariot.tables | {
    "title": "Two chariots on the spearmen",
    "unit": chariot.tables["unit"] | {"second": chariot.tables["unit"]["chariot"]},
    "charge": [
        *chariot.tables["charge"],
        {"charger": "second", "target": "spearmen", "distance": 24},
    ],
}
riders = {
    "side": "active", "models": 5, "M": 22, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3,
    "A": 1, "Ld": 7, "save": "5+", "troop": "cavalry", "weapon": "spear",
    "mount": {"WS": 3, "S": 3, "I": 2, "A": 1},
}  # fmt: skip
flanked = chariot.tables | {
    "title": "A chariot in front, riders on the flank",
    "unit": chariot.tables["unit"] | {"riders": riders},
    "charge": [
        *chariot.tables["charge"],
        {"charger": "riders", "target": "spearmen", "distance": 30, "arc": "flank"},
    ],
}
help_wanted = cs.compare(
    chariot,
    cs.Scenario(**pair),
    cs.Scenario(**flanked),
    value=breaks,
    names=["alone", "two chariots", "with riders on the flank"],
    engine="sample",
    trials=100_000,
)
help_wanted.plot()

# %%
help_wanted.verdict

# %% [markdown]
# ## What stops it
#
# Bolts of strength 7 or more destroy a chariot at one wound. Here arbalesters shoot at one with a
# ward save of 4+; the bars show what happens with better wards, and with none.

# %%
blessed = cs.load(SHIPPED / "ward_against_bolts.toml")
wards = cs.grid(
    blessed,
    {"unit.chariot.ward": ["none", "6+", "5+", "4+", "3+"]},
    value="charger_destroyed",
)
wards.plot()

# %% [markdown]
# ## What it costs the spearmen
#
# All their losses, by how the fight ends. Run down means all of them:

# %%
loss = result.casualties("spearmen")
loss.plot()

# %% [markdown]
# ## Conclusion
#
# The wheels kill close to four models, and each step of the hits is worth five sixths of one:
# strength 5 wounds on 2+. Alone a chariot beats what has few ranks and low Leadership: ten
# spearmen break more often than not, twenty do so one time in four. Send it with riders on the
# flank, who take the ranks away and count the flank: together they break the spearmen more often
# than two chariots would. Strength 7 in front of it is an even chance even with a ward of 4+, and
# four to one against without.

# %%
wounds = means.frame().iloc[:, 0]
assert 3.5 < wounds["1D6+1"] < 4
assert abs(wounds["1D6+2"] - wounds["1D6+1"] - 5 / 6) < 1e-9
assert targets.frame().loc[10, 7] > 0.5
assert 0.2 < targets.frame().loc[20, 7] < 0.25
assert targets.frame().loc[25, 7] == targets.frame().loc[20, 7]
assert help_wanted.entries[0].name == "with riders on the flank"
assert abs(wards.frame().loc["4+"].item() - 0.5) < 0.01
assert abs(wards.frame().loc["none"].item() - 0.8) < 0.01
