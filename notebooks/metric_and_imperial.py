# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Metric against imperial dice
#
# The Spanish edition measures in centimetres and rolls 5D6 where the English one rolls 2D6
# inches: random moves are replaced, not converted. **Is it the same game?** One charge, asked in
# both.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
metric = cs.load(SHIPPED / "run_or_hold.toml")
imperial = cs.load(SHIPPED / "run_or_hold_inches.toml")

# %% [markdown]
# ## The dice
#
# 2D6 inches are 17.8 cm in the mean, 5D6 cm are 17.5: the same. But five dice crowd around their
# mean and two do not.

# %%
flights = {"5D6 cm": (cs.odds("5d6").answer(), 1.0), "2D6 inches": (cs.odds("2d6").answer(), 2.54)}
for name, (answer, unit) in flights.items():
    mean, spread = float(answer.mean) * unit, answer.standard_deviation * unit
    print(f"{name:10} mean {mean:5.2f} cm, standard deviation {spread:4.2f} cm")

# %%
figure, ax = plt.subplots(figsize=(7.4, 4), layout="constrained")
for (name, (answer, unit)), style in zip(flights.items(), ["-", "--"], strict=True):
    values = sorted(answer.pmf)
    above = np.cumsum([float(answer.pmf[v]) for v in values][::-1])[::-1]
    ax.step(np.array(values) * unit, 100 * above, style, where="pre", label=name)
ax.set(xlabel="flight, cm", ylabel="at least so far, %", ylim=(0, 102))
ax.set_title("Exact; odds 5d6 and 2d6")
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# ## One flight from horsemen
#
# Light horsemen charge archers who run; the table ends behind them. In centimetres the horsemen
# stand at 27 of the 44 they can charge, the edge is 22 away; in inches they stand at 11 of 18,
# the edge at 9. That is the same place within a centimetre.

# %%
words = ["target_fled_caught", "target_fled_escaped", "target_fled_off_table"]
answers = {name: cs.solve(one) for name, one in (("cm", metric), ("inches", imperial))}
fates = pd.DataFrame(
    {name: {word: 100 * one.probability(word) for word in words} for name, one in answers.items()}
)
fates.round(1)

# %% [markdown]
# ## From every distance
#
# How often the archers are caught, by the distance of the charge, on one scale:

# %%
caught = "target_fled_caught"
in_cm = cs.table(metric, {"charge.0.distance": range(14, 45)}, value=caught)[caught]
in_inches = cs.table(imperial, {"charge.0.distance": range(6, 19)}, value=caught)[caught]

figure, ax = plt.subplots(figsize=(7.4, 4), layout="constrained")
ax.plot(in_cm.index, 100 * in_cm, "-", color="#0072B2", label="centimetres, 5D6")
ax.plot(in_inches.index * 2.54, 100 * in_inches, "s--", color="#D55E00", label="inches, 2D6")
ax.set(xlabel="distance, cm", ylabel="archers are caught, %", ylim=(0, 102))
ax.set_title("Exact; ruleset wh6, run_or_hold.toml and run_or_hold_inches.toml")
ax.legend(frameon=False)
plt.show()

# %%
on_scale = np.interp(in_inches.index * 2.54, in_cm.index, in_cm)
gap = pd.Series(100 * (in_inches.to_numpy() - on_scale), index=in_inches.index)
gap.index.name = "distance, inches"
gap.round(1).to_frame("caught in inches less in cm, points")

# %% [markdown]
# ## What it means at the table
#
# Let the archers count those they have left. How much better is it to run than to hold, in
# archers? Running is never worse; but from where on does it save half of the twelve?

# %%
alive = "mean:archers:models_left"
hold = {"reaction.archers": ["hold"]}
spans = {"cm": (metric, range(14, 45)), "inches": (imperial, range(6, 19))}
pays = {
    name: cs.find_level(question, {"charge.0.distance": span}, alive, reach=6, against=hold)
    for name, (question, span) in spans.items()
}
for name, found in pays.items():
    print(f"{name}: {found.verdict}")

# %%
pays["cm"].plot()

# %%
pays["inches"].plot()

# %% [markdown]
# ## Conclusion
#
# It is the same game in the mean and another at the edges. The mean flight is the same within 3 mm,
# but the standard deviation of two dice is six tenths greater, 6.1 cm against 3.8. Where the riders
# are near, flight ends in death or over the edge of the table, and in inches 7 points more often
# over the edge; where in centimetres it is nearly safe, inches catch up to 23 points more. So in
# centimetres half of the archers are saved from 28 cm on, in inches only from 13", which is 33 cm.
# In the charge above that makes running worse on both counts: more are caught, and more run off the
# table.

# %%
assert abs(2.54 * 7 - 17.5) < 0.3
spreads = [answer.standard_deviation * unit for answer, unit in flights.values()]
assert 1.55 < spreads[1] / spreads[0] < 1.65
both = ["target_fled_caught", "target_fled_off_table"]
assert (fates.loc[both, "inches"] > fates.loc[both, "cm"]).all()
assert abs(gap.min() + 7) < 0.2
assert abs(gap.max() - 23) < 0.2
assert pays["cm"].level == 28
assert pays["inches"].level == 13
