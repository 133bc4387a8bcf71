# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Exact and sampled
#
# The program answers a question in two ways: it enumerates every outcome with its weight, or it
# plays trials and counts. Both read the same text of the rules. **When do you need which, how far
# can a sample be trusted, and what is shared luck worth?**

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"
boars = cs.load(SHIPPED / "boar_riders.toml")
exact = cs.solve(boars)
exact

# %% [markdown]
# ## The sample closes in
#
# The same question from a hundred to a million trials. The line is the exact answer, the bars are
# Wilson's 95 % intervals: ten times narrower for a hundred times the trials.

# %%
panic = "charger_fled_panic"
sizes = [10**k for k in range(2, 7)]
samples = [cs.solve(boars, engine="sample", trials=n, seed=1) for n in sizes]
shares = np.array([100 * one.probability(panic) for one in samples])
ends = 100 * np.array([one.interval(panic) for one in samples])

figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
errors = np.array([shares - ends[:, 0], ends[:, 1] - shares])
ax.errorbar(sizes, shares, yerr=errors, fmt="o", color="#0072B2", capsize=3, label="sampled, 95 %")
ax.axhline(100 * exact.probability(panic), color="#D55E00", linestyle="--", label="exact")
ax.set(xscale="log", xlabel="trials", ylabel="charger panics under fire, %")
ax.set_title("Seed 1; ruleset wh6, boar_riders.toml")
ax.legend(frameon=False)
plt.show()

# %%
widths = ends[:, 1] - ends[:, 0]
for trials, width in zip(sizes, widths, strict=True):
    print(f"{trials:>9,} trials: interval {width:6.3f} points wide")

# %% [markdown]
# ## Does a 95 % interval hold 95 times in 100?
#
# Four hundred samples of 2,000 trials, each with a seed of its own, and how many of their
# intervals hold the exact answer. Of 400 we expect 380, give or take 9.

# %%
true = exact.probability(panic)
seeds = range(400)
inside = 0
for seed in seeds:
    low, high = cs.solve(boars, engine="sample", trials=2_000, seed=seed).interval(panic)
    inside += low <= true <= high
print(f"{inside} of {len(seeds)} intervals hold the exact answer")

# %% [markdown]
# ## What was never seen
#
# That all five boars fall to the volley comes about in 0.26 charges of a hundred, that the target
# is wiped out before it can break far more seldom. A sample that never saw it does not say 0 %:
# it says how much it could be.

# %%
rare = "handgunners:target_wiped_out"
few = cs.solve(boars, engine="sample", trials=10_000, seed=1)
print(f"exact  {100 * exact.probability(rare):.7f} %")
print(
    f"10,000 trials: {few.probability(rare):.0%} seen, at most {100 * few.interval(rare)[1]:.4f} %"
)

# %% [markdown]
# ## Shared luck
#
# Does a better save help, 2+ in place of 3+? Sampled apart, two answers have two errors. Here
# trial N rolls the same dice in both scenarios, and the difference is judged by what each block
# of trials did in both.

# %%
breaks = "handgunners:target_broke*"
better = boars.replace(**{"unit.boars.save": "2+"})
pair = cs.compare(
    boars, better, value=breaks, names=["3+", "2+"], engine="sample", trials=200_000, seed=1
)
pair

# %%
paired = pair.difference("2+", "3+")
one, other = (entry.estimate for entry in pair.given)
apart = np.hypot(one.high - one.low, other.high - other.low)
print(f"interval with shared luck {100 * (paired.high - paired.low):.3f} points wide")
print(f"interval as if apart      {100 * apart:.3f} points wide")
truth = cs.solve(better).probability(breaks) - exact.probability(breaks)
print(f"exact difference          {100 * truth:.3f} points")

# %% [markdown]
# ## Which engine, then?
#
# `auto` enumerates whenever the states of a phase can be held; only what explodes is sampled. And
# when both can be done, `check` sets one against the other, cell by cell, and plays some trials
# again with every die rolled.

# %%
cells = cs.check(boars, trials=200_000, seed=1)
print(f"{len(cells)} cells, {sum(not cell.agrees for cell in cells)} disagree")
smallest = min(min(cell.sampled.p_value, cell.rolled.p_value) for cell in cells)
print(f"smallest p-value of {2 * len(cells)} tests: {smallest:.4f}")

# %% [markdown]
# ## Conclusion
#
# Where the exact engine can answer, there is no reason to sample: it is quicker and has no error.
# A sample keeps its word: its intervals hold as often as they say, and a hundred times the trials
# make them ten times narrower. For a difference, shared luck is worth a lot: the interval of the
# save above is less than half as wide as that of two samples apart, which is as good as four
# times the trials.

# %%
assert abs(widths[0] / widths[2] - 10) < 2.5
assert abs(inside - 380) < 3 * 4.4
assert paired.low <= truth <= paired.high
assert 2 * (paired.high - paired.low) < 100 * apart
assert all(cell.agrees for cell in cells)
