# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Hex cavalry against squares
#
# Dragoons charge a battalion across a muddy field. **Should it stand in line or form square, and
# how far away should the cavalry still be when it does?** A square stands by itself and faces a
# third of the melee value; but the nearer the cavalry, the likelier the attempt goes wrong.
#
# The numbers rest on made-up tables: they show how such a question is asked, not what a published
# game answers. Name your own game's tables in the scenario and run the notebook again.

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
field = cs.load(SHIPPED / "stand_or_square.toml")
result = cs.solve(field)
result.picture()

# %% [markdown]
# ## Every reaction
#
# The scenario leaves the reaction open and says what the battalion plays for, to hold its ground.

# %%
result

# %%
holds = "battalion:target_stood"
choice = cs.payoffs(field)
choice.plot()

# %% [markdown]
# The first number is what the cavalry plays for, the swing in strength lost; the second is the
# chance that the battalion holds its ground, which is what it plays for. At one hex the square
# comes too late: it is no better than the line.
#
# ## How strong the cavalry is
#
# Melee is decided by the ratio of strengths. Against a square the cavalry counts a third.

# %%
strengths = [12, 18, 24, 30, 36, 42, 48]
reactions = {"stand in line": "stand", "square at 4": {"do": "square", "at": 4},
             "square at 2": {"do": "square", "at": 2}}  # fmt: skip
curves = {
    name: cs.table(
        field.replace(**{"reaction.battalion": reaction}),
        {"unit.dragoons.melee": strengths},
        value=holds,
    )[holds]
    for name, reaction in reactions.items()
}

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(7.4, 4), layout="constrained")
for (name, series), style in zip(curves.items(), ["o-", "s--", "^:"], strict=True):
    ax.plot(series.index, 100 * series, style, label=name)
ax.set(xlabel="melee value of the dragoons", ylabel="battalion holds its ground, %", ylim=(0, 100))
ax.set_title(f"Exact; ruleset hex_increment\n{field.caveat('en')}", fontsize=8)
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# ## When is standing better?
#
# A steady battalion passes its checks on more faces: `morale` is the face of the D66 it has to
# beat. The table gives the difference that forming square at two hexes makes to standing, in
# points: below 0 the line is the better choice.

# %%
late = field.replace(**{"reaction.battalion": {"do": "square", "at": 2}})
difference = cs.grid(
    late,
    {"unit.dragoons.melee": strengths},
    {"unit.battalion.morale": [11, 16, 26, 36, 46, 56]},
    holds,
    against={"reaction.battalion": ["stand"]},
)
difference.plot()

# %% [markdown]
# ## A column in waves
#
# A company column attacks in successive waves, and the infantry must hold against each.

# %%
waves = cs.load(SHIPPED / "three_waves.toml")
stands = "infantry:target_stood"
column = cs.payoffs(waves.replace(**{"goal.reactive": stands}))
column

# %% [markdown]
# ## What it costs the cavalry
#
# How far the dragoons get, by what the battalion does:

# %%
standing = cs.solve(field.replace(**{"reaction.battalion": "stand"}))
standing.plot()

# %%
squared = cs.solve(field.replace(**{"reaction.battalion": {"do": "square", "at": 4}}))
squared.plot()

# %% [markdown]
# ## Conclusion
#
# With these tables: form square, and early. Tried at four hexes it holds in seven charges of
# eight, where the line holds in half; tried at one hex it is no better than the line. The
# stronger the cavalry, the more the square is worth: the line falls from two thirds to a quarter
# while the square still holds nearly three times in four. And what the square saves the battalion
# it takes from the dragoons: they pursue one time in ten in place of one in three.

# %%
frame = choice.frame("target").iloc[0]
assert frame.idxmax() == "square at 4"
assert frame["square at 4"] > 0.87
assert abs(frame["stand"] - 0.5) < 0.02
assert frame["square at 1"] < frame["stand"]
line, square = curves["stand in line"], curves["square at 4"]
assert line[12] > 0.66
assert 0.25 < line[48] < 0.3
assert 0.7 < square[48] < 0.76
assert (square - line).idxmin() == 12
assert abs(standing.probability("pursues") - 1 / 3) < 0.02
assert abs(squared.probability("pursues") - 0.1) < 0.01
assert column.frame("target").iloc[0].idxmax() == "square at 4"
