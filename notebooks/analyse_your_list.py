# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Analyse your list
#
# You have a list from a list builder, and so has your opponent. **What can your list charge, and
# what can charge it?** Point the next cell at your files (.ros, .rosz, or New Recruit's .json) and
# read on; as it stands it reads two invented lists that come with the program.

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "rosters"
MINE = SHIPPED / "river_host.ros"
THEIRS = SHIPPED / "hill_clans.json"
DISTANCE = 8  # inches, or centimetres where the lists are in centimetres

mine, theirs = cs.read_roster(MINE), cs.read_roster(THEIRS)

# %% [markdown]
# ## What was understood
#
# A list does not say everything that a fight depends on. Each value that was not simply read is
# told of with its place in the file: *missing* must be given before the unit can be played,
# *conflicting* and *assumed* deserve a look, *not read* is left out of the game here.

# %%
mine.report

# %% [markdown]
# The counts and the costs are the first thing to check against your own knowledge of the list.

# %%
frame = mine.report.frame()
frame[frame.status.isin(["missing", "conflicting", "assumed", "partial"])]

# %% [markdown]
# ## What the list does not say
#
# The list says that there are two packs of an eel and a handler each, not how many heads that is.
# What you know goes into a file of overrides, or straight into the call, in the words of a
# scenario file. `"none"` takes a value out.

# %%
known = {"unit": {"eel_packs": {"models": 2, "Ld": 7}}}
mine = cs.read_roster(MINE, overrides=known)
mine

# %% [markdown]
# ## Every charge there is
#
# Each unit of one list charges each unit of the other, in the open and from the front; the target
# answers as is best for its owner. The figure shows how often the charge arrives and wins the
# round.

# %%
both = cs.matchup(mine, theirs, distance=DISTANCE)
both.plot()

# %% [markdown]
# To win is not the only way to be rid of an enemy: who flees from terror is gone as well. *Beat*
# counts both.

# %%
both.plot("beat")

# %% [markdown]
# ## The best and the worst
#
# The swing is what is expected to be won and lost: points of the enemy destroyed or fleeing after
# the round, less one's own. Of a charge that goes well, and one that goes badly:

# %%
attack, defence = both
best, worst = attack.ranked()[0], attack.ranked()[-1]
for i, j in (best, worst):
    meeting = attack.at(i, j)[0]
    print(
        f"{attack.active.names[meeting.charger]} on {attack.reactive.names[meeting.target]}: "
        f"arrives {meeting.measure('arrive').value:.0%}, beats it "
        f"{meeting.measure('beat').value:.0%}, swing {meeting.swing:+.0f} points"
    )

# %% [markdown]
# ## Blind spots
#
# Enemies whom nobody of yours beats even half the time, with whoever comes nearest; then the same
# with the lists changed about: what of yours has nothing to fear.

# %%
for j, i, p in attack.blind_spots():
    print(f"{attack.reactive.names[attack.targets[j]]}: {attack.chargers[i]} {p:.0%}")

# %%
for j, i, p in defence.blind_spots():
    print(f"{defence.reactive.names[defence.targets[j]]}: {defence.chargers[i]} {p:.0%}")

# %% [markdown]
# ## From how far?
#
# The mean over the distances of a real game says more than one of them.

# %%
far = cs.matchup(mine, theirs, distance=range(4, 17, 4), both=False)
far.plot("beat")

# %% [markdown]
# ## One charge in full
#
# A pair of units becomes a scenario like any other: to be solved, traced, varied. `chargesim roster
# FILE --scenario OUT.toml --charge A B --distance D` writes it into a file that you can edit.

# %%
knights = {
    **mine.complete["tower_knights"],
    "side": "active",
}
trolls = {**theirs.complete["crag_trolls"], "side": "reactive"}
question = cs.Scenario(
    ruleset="wh6",
    title="Tower Knights on Crag Trolls",
    units=mine.lengths,
    unit={"knights": knights, "trolls": trolls},
    charge=[{"charger": "knights", "target": "trolls", "distance": DISTANCE}],
    reaction={"trolls": "best"},
)
result = cs.solve(question)
result.plot()

# %%
cs.why(question, "trolls:target_broke*").plot()

# %% [markdown]
# ## Conclusion
#
# The whole of it as a page to keep: `chargesim matchup MINE THEIRS --format html`. With these two
# lists the match-up is what the scenario of the same two units says, number for number; the list's
# costs add up, so nothing of it was lost; and every unit that could not be played is named.

# %%
pair = (attack.chargers.index("tower_knights"), attack.targets.index("crag_trolls"))
same = attack.at(*pair)[0]
assert same.measure("arrive").value == result.probability("contact")
assert mine.army.list.total == mine.army.list.sum
assert not attack.active.left_out
assert best != worst
assert attack.array("swing")[best] > 0 > attack.array("swing")[worst]
