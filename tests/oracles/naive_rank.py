"""A whole charge phase of ranked regiments and the fight after it, from a plain dictionary."""

import copy

from .naive_rank_combat import Commander, Fighter, Profile, engagements, simulate_engagement
from .naive_rank_declare import play_declarations
from .naive_rank_geometry import straight_run
from .naive_rank_resolve import now_fleeing, resolve
from .naive_rank_shapes import facing_from_degrees, unit_vector
from .naive_rank_state import EDITIONS, Contact, State, Terrain, Unit, incoming, switches_of

UNIT_KEYS = (
    "frontage",
    "depth",
    "move",
    "crewed",
    "frenzied",
    "reanimated",
    "demonic",
    "may_flee_anyway",
    "in_combat",
    "fleeing",
)


def load_unit(name, data, rng=None):
    """A unit from its table; with an rng its noise is added (normal, x, y and degrees)."""
    x, y = data["at"]
    degrees = data.get("facing", 0.0)
    noise = data.get("noise")
    if rng is not None and noise:
        x += rng.gauss(0.0, noise.get("x", 0.0))
        y += rng.gauss(0.0, noise.get("y", 0.0))
        degrees += rng.gauss(0.0, noise.get("facing", 0.0))
    unit = Unit(name, data["side"], (x, y), facing_from_degrees(degrees))
    for key in UNIT_KEYS:
        if key in data:
            setattr(unit, key, data[key])
    unit.engaged_sides = set(data.get("engaged_sides", ()))
    if "profile" in data:
        unit.profile = load_profile(data["profile"])
        unit.profile.reanimated = unit.profile.reanimated or unit.reanimated
        unit.profile.demonic = unit.profile.demonic or unit.demonic
    return unit


def load_profile(data):
    """A profile from its table."""
    data = dict(data)
    commander = data.pop("commander", None)
    profile = Profile(**data)
    if commander is not None:
        profile.commander = Commander(**commander)
    return profile


def load_state(scenario, rng=None):
    """The state at the start of the charge phase."""
    units = {name: load_unit(name, data, rng) for name, data in scenario["unit"].items()}
    changes = dict(scenario.get("switches", {}))
    edition = changes.pop("edition", "seed")
    if edition not in EDITIONS:
        raise ValueError(f"no such edition: {edition}")
    state = State(
        units,
        [
            Terrain(t["kind"], [tuple(p) for p in t["polygon"]], t.get("impassable"))
            for t in scenario.get("terrain", ())
        ],
        switches_of(edition, **changes),
        scenario.get("turn", 2),
        table=tuple(scenario["table"]) if "table" in scenario else None,
    )
    for c in scenario.get("contact", ()):
        contact = Contact(c["unit"], c["unit_side"], c["enemy"], c["enemy_side"])
        state.contacts.append(contact)
        for name, side in ((c["unit"], c["unit_side"]), (c["enemy"], c["enemy_side"])):
            units[name].in_combat = True
            units[name].engaged_sides.add(side)
    return state


# ---------------------------------------------------------------- policies


def passive_policy(state, side, options, rng):
    """Pass whenever it is allowed."""
    return options[0]


def random_policy(state, side, options, rng):
    """Any option, each as likely."""
    return options[rng.randrange(len(options))]


def scripted_policy(scenario):
    """Reactions as they are asked for, then the listed charges in their order, else pass.

    A reaction is stand, counter or flee; a charge that is not legal when its turn comes is put
    off, and made later if it is legal then.
    """

    def policy(state, side, options, rng):
        reactions = scenario.get("reaction", {})
        for name, reaction in reactions.items():
            if ("flee", name) in options and reaction == "flee":
                return ("flee", name)
            for enemy in sorted(incoming(state, name)):
                if reaction == "counter" and ("charge", name, enemy) in options:
                    return ("charge", name, enemy)
        for charge in scenario.get("charge", ()):
            option = ("charge", charge["unit"], charge["target"])
            stands = reactions.get(charge["unit"]) == "stand"
            if option in options and not (stands and incoming(state, charge["unit"])):
                return option
        return options[0]

    return policy


# ---------------------------------------------------------------- the fight


def fighters_of(state):
    """The fighters of every contact between units with profiles."""
    fighters = {}
    charged = set()
    for c in state.contacts:
        if c.unit_charged:
            charged.add(c.unit)
        if c.enemy_charged:
            charged.add(c.enemy)
    for c in state.contacts:
        one, two = state.units[c.unit], state.units[c.enemy]
        if one.profile is None or two.profile is None:
            continue
        for me, my_side, you, your_side in (
            (one, c.unit_side, two, c.enemy_side),
            (two, c.enemy_side, one, c.unit_side),
        ):
            f = fighters.setdefault(
                me.name,
                Fighter(me.name, me.side, me.profile, {}, me.name in charged, me.move),
            )
            if my_side in f.enemies:
                raise ValueError(f"two enemies on the {my_side} of {me.name}")
            f.enemies[my_side] = (you.name, your_side)
    return fighters


def flight_from(state, fighter):
    """Straight away from its enemies: the sum of the unit vectors from each of them."""
    me = state.units[fighter.name]
    x = y = 0.0
    for enemy, _ in fighter.enemies.values():
        other = state.units[enemy]
        dx, dy = unit_vector(me.at[0] - other.at[0], me.at[1] - other.at[1])
        x, y = x + dx, y + dy
    return unit_vector(x, y)


def flee_broken(state, fighter):
    """RNK-CMB-10: a broken unit flees its full Move away; winners do not pursue."""
    me = state.units[fighter.name]
    ahead = flight_from(state, fighter)
    me.at, me.facing = straight_run(me, ahead, me.move, [], "full_move")
    now_fleeing(state, me)


def fight(state, rng):
    """All engagements one by one, then the broken leave; a list of what came of each."""
    fighters = fighters_of(state)
    silence, when = state.switches["rear_silence"], state.switches["ranks_when"]
    results = [
        simulate_engagement(fighters, names, rng, silence, when) for names in engagements(fighters)
    ]
    runs = []
    for result in results:
        for name, fate in result["fate"].items():
            if fate == "destroyed":
                state.units[name].destroyed = True
            elif fate == "breaks":
                runs.append(fighters[name])
    for fighter in runs:
        flee_broken(state, fighter)
    for c in state.contacts:
        for name in (c.unit, c.enemy):
            if state.units[name].fleeing or state.units[name].destroyed:
                part(state, c)
                break
    return results


def part(state, contact):
    """The two sides of a contact are free again."""
    for name, side in (
        (contact.unit, contact.unit_side),
        (contact.enemy, contact.enemy_side),
    ):
        unit = state.units[name]
        unit.engaged_sides.discard(side)
        unit.in_combat = bool(unit.engaged_sides)


# ---------------------------------------------------------------- all of it


def simulate_battle(scenario, policy=None, rng=None):
    """Noise, declarations, resolution and one round of combat; a dictionary of the outcome.

    Scenario: unit.NAME (side, at, facing in degrees clockwise from +y, frontage, depth, move,
    flags, noise, profile), and optionally terrain, contact, charge, reaction, switches, turn,
    first, table. Policy: policy(state, side, options, rng) -> one of the options.
    """
    state = load_state(copy.deepcopy(scenario), rng)
    names = sorted({u.side for u in state.units.values()})
    policy = policy or scripted_policy(scenario)
    play_declarations(state, scenario.get("first", names[0]), policy, rng)
    steps = resolve(state, rng)
    poses = {u.name: (u.at, u.facing) for u in state.units.values()}
    combats = fight(state, rng)
    return {
        "charges": [
            {
                "unit": c.unit,
                "target": c.target,
                "side": c.side,
                "distance": c.distance,
                "outcome": c.outcome,
            }
            for c in state.order
        ],
        "log": list(state.log),
        "steps": steps,
        "resolved": poses,
        "combats": combats,
        "units": {
            u.name: {
                "at": u.at,
                "facing": u.facing,
                "in_combat": u.in_combat,
                "engaged_sides": sorted(u.engaged_sides),
                "fleeing": u.fleeing,
                "destroyed": u.destroyed,
                "may_not_move": u.may_not_move,
                "models": u.profile.models if u.profile else None,
            }
            for u in state.units.values()
        },
        "flights": sorted(u.name for u in state.units.values() if u.flee_declared),
        "notes": dict(state.switches),
    }
