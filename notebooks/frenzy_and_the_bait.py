# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Frenzy and the bait
#
# The frenzied must charge whoever stands in sight and in reach. An enemy who knows that sets a
# bait: a cheap unit that is charged, runs, and leaves the frenzied where he wants them. **How
# near must the bait stand, who can be the bait, and what does the trap cost or save?** Lengths
# are centimetres.

# %%
from pathlib import Path

import chargesim as cs

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"

# %% [markdown]
# ## Without a bait
#
# Twenty savages stand 18 cm before a shield wall they would rather leave alone. Nobody declared a
# charge for them, but 18 is within twice their M of 10.

# %%
alone = cs.solve(cs.load(SHIPPED / "frenzy_must_charge.toml"))
alone.plot("combat")

# %%
for note in alone.notes:
    print(f"[{note['rule']}] {note['text']}")
lost = alone.probability("shields:charger_broke*")
print(f"the savages break in {lost:.1%} of such fights")

# %% [markdown]
# For the owner of the shield wall the Frenzy is a gift: in the fight the savages lose it with the
# round, and break two times in three. For the owner of the savages it is a trap. Both would like
# to steer it.
#
# ## Who can be the bait
#
# The same savages, and a bait at some distance that flees. It is caught when distance and flight
# together are no more than the reach of the charge. A unit on foot flees 5D6 cm, one faster than
# M 15 flees 8D6.


# %%
def trap(pursuer_move, bait_move, distance, edge=None):
    """Frenzied pursuers of some M compelled to charge a fleeing bait of some M."""
    profile = {"WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
    sight = {"target": "bait", "distance": distance} | ({"edge": edge} if edge else {})
    mounted = {"troop": "cavalry", "mount": {"WS": 3, "S": 3, "I": 2, "A": 1}}
    return cs.Scenario(
        ruleset="wh6",
        title="Frenzied savages and a bait that flees",
        unit={
            "savages": {
                "side": "active", "models": 10, "width": 5, "M": pursuer_move, **profile,
                "rules": ["frenzy"], "may_reach": [sight], **(mounted if pursuer_move > 15 else {}),
            },
            "bait": {
                "side": "reactive", "models": 5, "M": bait_move, **profile,
                **(mounted if bait_move > 15 else {}),
            },
        },
        reaction={"bait": "flee"},
    )  # fmt: skip


pairs = {
    "on foot after foot": (10, 10),
    "riders after foot": (18, 10),
    "on foot after riders": (10, 20),
    "riders after riders": (18, 20),
}
caught = {}
for name, (pursuer, bait) in pairs.items():
    start = trap(pursuer, bait, 6)
    path, distances = "unit.savages.may_reach.0.distance", range(2, 2 * pursuer + 1)
    grid = cs.grid(start, {path: distances}, value="target_fled_caught")
    caught[name] = grid.frame()["target_fled_caught"]

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(7.4, 4), layout="constrained")
styles = zip(caught.items(), ["-", "--", ":", "-."], strict=True)
for (name, series), style in styles:
    ax.plot(series.index, 100 * series, style, label=name)
ax.set(xlabel="distance of the bait, cm", ylabel="bait is caught, %", xlim=(0, 37))
ax.set_title("Exact; ruleset wh6; each line ends where the charge is no longer compulsory")
ax.legend(frameon=False)
plt.show()

# %% [markdown]
# The line ends at twice M: beyond that nobody is compelled, and the trap does not spring. The
# room for a bait is between "safe enough" and "still in reach". At most one death in twenty:

# %%
room = {}
for name, series in caught.items():
    safe = series[series <= 0.05]
    room[name] = (int(safe.index.min()), int(series.index.max()))
    print(f"{name:22} stand at {room[name][0]} to {room[name][1]} cm")

# %% [markdown]
# ## The table behind the bait
#
# A bait that flees needs room behind it. Riders as bait before savages on foot, at 14 cm, with
# the edge of the table at some distance behind them:

# %%
edges = cs.grid(
    trap(10, 20, 14, edge=40),
    {"unit.savages.may_reach.0.edge": range(10, 49, 2)},
    value="target_fled_off_table",
)
edges.plot()

# %% [markdown]
# ## What the bait is worth
#
# With a bait the savages have spent their charge on riders who are gone, and nobody has lost a
# model. Without it there is the fight above. What does that cost both?

# %%
costs = {name: alone.casualties(name).mean() for name in ("savages", "shields")}
for name, mean in costs.items():
    print(f"{name}: {mean:.1f} models lost in the mean")

# %% [markdown]
# ## Conclusion
#
# Against savages on foot, bait on foot must stand at 10 cm or more, and has all the room up to 20
# cm; riders can stand nearly anywhere. Against frenzied riders bait on foot has only the last 10
# cm before their reach ends, and riders twice that. Look behind you: with less than 40 cm to the
# edge even the right bait may be lost off the table, and with 28 cm it is close to an even
# chance. And ask whether you want the trap at all: a steady wall loses one model for eight of the
# savages, and would rather be charged.

# %%
assert room["on foot after foot"][1] == 20
assert room["on foot after foot"][0] <= 10
assert room["on foot after riders"][0] <= 4
assert room["riders after foot"] == (26, 36)
assert room["riders after riders"] == (17, 36)
assert 0.4 < edges.frame().loc[28].item() < 0.6
assert edges.frame().loc[40].item() < 0.05
assert abs(lost - 2 / 3) < 0.01
assert costs["savages"] > 4 * costs["shields"]
