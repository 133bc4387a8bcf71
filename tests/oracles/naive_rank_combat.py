"""The fight after a charge: one rule a function, sampled die by die and summed exactly."""

from dataclasses import dataclass, field
from fractions import Fraction

OPPOSITE = {"front": "rear", "rear": "front", "left": "right", "right": "left"}


@dataclass
class Commander:
    """A commander inside a unit."""

    attacks: int = 1
    skill: int = 4
    power: int = 4
    defense: int = 4
    wounds: int = 1
    discipline: int = 7
    lost: int = 0


@dataclass
class Profile:
    """What a unit fights with. The charge_ numbers are its charge bonus."""

    models: int = 10
    wide: int = 5
    attacks: int = 1
    skill: int = 4
    power: int = 4
    defense: int = 4
    wounds: int = 1
    discipline: int = 7
    banners: int = 0
    charge_attacks: int = 0
    charge_skill: int = 0
    charge_power: int = 0
    spear_and_shield: bool = False
    fearless: bool = False
    reanimated: bool = False
    demonic: bool = False
    construct: bool = False
    commander: Commander | None = None
    lost: int = 0  # wounds lost of the model that is hurt but alive


@dataclass
class Fighter:
    """A unit in an engagement: whom it has on which side, and whether it charged."""

    name: str
    side: str
    profile: Profile
    enemies: dict = field(default_factory=dict)  # own side -> (enemy name, enemy's side)
    charged: bool = False
    move: float = 1.0


# ---------------------------------------------------------------- dice and chances


def bonus(profile, charged):
    """RNK-CMB-05: (attacks, skill, power), raised in the first round after a charge."""
    if not charged:
        return profile.attacks, profile.skill, profile.power
    return (
        profile.attacks + profile.charge_attacks,
        profile.skill + profile.charge_skill,
        profile.power + profile.charge_power,
    )


def models_in_row(profile, row):
    """How many models stand in a row; row 0 is the front."""
    return max(0, min(profile.wide, profile.models - row * profile.wide))


def rows(profile):
    """How many rows hold a model."""
    return -(-profile.models // profile.wide)


def attack_dice(profile, sides, charged=False):
    """RNK-CMB-02: dice against each side, each model striking once and the front first.

    Along a flank one model a row strikes, but for rows that strike or support to the front.
    """
    attacks = bonus(profile, charged)[0]
    out = {}
    used = set()  # rows done
    if "front" in sides:
        dice = models_in_row(profile, 0) * attacks
        used.add(0)
        if attacks > 0:
            supporting = [1]
            if profile.spear_and_shield and not charged:
                supporting.append(2)
            for row in supporting:
                dice += models_in_row(profile, row)
                used.add(row)
        out["front"] = dice
    free = [row for row in range(rows(profile)) if row not in used]
    for side in ("left", "right"):
        if side in sides:
            out[side] = len(free) * attacks
            if profile.wide == 1:
                free = []  # the same models stand along both flanks
    if "rear" in sides:
        out["rear"] = 0
    return out


def silenced(sides, rear_silence="toward_rear"):
    """RNK-SIDE-04: the sides on which a unit cannot attack."""
    if "rear" not in sides:
        return set()
    return set(sides) if rear_silence == "whole_unit" else {"rear"}


def hit_needed(skill, enemy_skill):
    """RNK-CMB-03: 3+ with the higher Skill, else 4+, never outside 2+ to 6+."""
    return max(2, min(6, 3 if skill > enemy_skill else 4))


def save_needed(power, defense):
    """RNK-CMB-04: the save by Power minus Defense."""
    difference = power - defense
    if difference >= 3:
        return 6
    if difference >= 1:
        return 5
    if difference == 0:
        return 4
    if difference >= -2:
        return 3
    return 2


def wound_chance(profile, enemy, charged=False):
    """The chance that one die wounds."""
    _, skill, power = bonus(profile, charged)
    hit = Fraction(7 - hit_needed(skill, enemy.skill), 6)
    return hit * Fraction(save_needed(power, enemy.defense) - 1, 6)


def roll_wounds(dice, skill, power, enemy_skill, defense, rng):
    """The wounds of some dice, rolled one by one."""
    wounds = 0
    for _ in range(dice):
        hits = rng.randint(1, 6) >= hit_needed(skill, enemy_skill)
        if hits and rng.randint(1, 6) < save_needed(power, defense):
            wounds += 1
    return wounds


def wound_distribution(dice, chance):
    """P(0), P(1), ... wounds of some dice, added die by die."""
    out = [Fraction(1)]
    for _ in range(dice):
        longer = [Fraction(0)] * (len(out) + 1)
        for k, p in enumerate(out):
            longer[k] += p * (1 - chance)
            longer[k + 1] += p * chance
        out = longer
    return out


# ---------------------------------------------------------------- score


def rank_count(models, wide):
    """RNK-CMB-08: full ranks, and a partial last one of 3 or more; under 3 models none."""
    if models < 3:
        return 0
    return models // wide + (1 if models % wide >= 3 else 0)


def is_disrupted(sides, enemies):
    """RNK-CMB-07: an enemy on flank or rear, or more than one enemy."""
    return enemies > 1 or any(side != "front" for side in sides)


def rank_bonus(ranks, disrupted):
    """RNK-SIDE-02: up to 2 for ranks beyond the first, none with an enemy on flank or rear."""
    return 0 if disrupted else max(0, min(2, ranks - 1))


def position_bonus(enemy_side):
    """RNK-SIDE-03: 1 for being on a flank, 1 for being on the rear."""
    return 0 if enemy_side == "front" else 1


def score(wounds_caused, enemy_sides, ranks, disrupted, banners):
    """RNK-CMB-06: one unit's part of its player's score; wounds count with overkill."""
    positions = sum(position_bonus(side) for side in enemy_sides)
    return wounds_caused + positions + rank_bonus(ranks, disrupted) + banners


def casualties(models, each, lost, wounds):
    """RNK-CMB-04, pooled: (models left, wounds on the hurt one); overflow carries."""
    pool = lost + wounds
    dead = min(models, pool // each)
    return models - dead, (pool % each if dead < models else 0)


# ---------------------------------------------------------------- break, rally


def two_dice_at_most(t):
    """P(2d6 <= t)."""
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= t)
    return Fraction(ways, 36)


def discipline_of(profile):
    """A living commander's Discipline, else the unit's own."""
    c = profile.commander
    return c.discipline if c is not None and c.lost < c.wounds else profile.discipline


def takes_no_test(profile):
    """RNK-CMB-09: Reanimated, Demonic and Construct lose D3 wounds instead."""
    return profile.reanimated or profile.demonic or profile.construct


def break_target(profile, ranks, difference):
    """RNK-CMB-09: a loser stays with 2d6 at most this; Fearless ignores the difference."""
    lead = 0 if profile.fearless else difference
    return discipline_of(profile) + ranks - lead


def three_sided(rng):
    """D3: a d6 halved, rounded up."""
    return (rng.randint(1, 6) + 1) // 2


def destroyed_when_broken(sides, move):
    """RNK-CMB-10: a unit that fails is destroyed between opposite enemies or if it cannot move."""
    return move < 1 or any(OPPOSITE[side] in sides for side in sides)


def rally_chance(discipline, ranks):
    """RNK-CMB-11: rallies on 2d6 at most Discipline plus ranks."""
    return two_dice_at_most(discipline + ranks)


def run_to_edge(at, move, table):
    """RNK-CMB-11: (centre, facing, off) of one that did not rally: to the nearest edge."""
    x0, y0, x1, y1 = table
    ways = [
        (at[0] - x0, (-1.0, 0.0)),
        (x1 - at[0], (1.0, 0.0)),
        (at[1] - y0, (0.0, -1.0)),
        (y1 - at[1], (0.0, 1.0)),
    ]
    nearest, way = min(ways, key=lambda w: w[0])
    return (at[0] + move * way[0], at[1] + move * way[1]), way, move >= nearest


def commander_target(enemy):
    """RNK-CMB-12: commanders duel: one strikes the enemy's commander if it lives."""
    c = enemy.commander
    return c if c is not None and c.lost < c.wounds else None


def rank_and_file_may_hit(enemy):
    """RNK-CMB-12: whether rank and file can hit the commander: only without a retinue."""
    return commander_target(enemy) is not None and enemy.models == 0


# ---------------------------------------------------------------- die by die


def engagements(fighters):
    """RNK-CMB-01: units in contact, directly or through others, as lists of names."""
    left = sorted(name for name, f in fighters.items() if f.enemies)
    out = []
    while left:
        group = [left.pop(0)]
        for name in group:
            for enemy, _ in fighters[name].enemies.values():
                if enemy in left:
                    left.remove(enemy)
                    group.append(enemy)
        out.append(sorted(group))
    return out


def strike(fighters, name, rear_silence, rng):
    """All attacks of one unit: {enemy: (wounds, wounds on its commander)}."""
    mine = fighters[name]
    _, skill, power = bonus(mine.profile, mine.charged)
    dice = attack_dice(mine.profile, mine.enemies, mine.charged)
    quiet = silenced(mine.enemies, rear_silence)
    out = {}
    for side, (enemy, _) in mine.enemies.items():
        theirs = fighters[enemy].profile
        n = 0 if side in quiet else dice[side]
        wounds = on_commander = 0
        if rank_and_file_may_hit(theirs):
            c = theirs.commander
            on_commander = roll_wounds(n, skill, power, c.skill, c.defense, rng)
        elif theirs.models > 0:
            wounds = roll_wounds(n, skill, power, theirs.skill, theirs.defense, rng)
        before, before_c = out.get(enemy, (0, 0))
        out[enemy] = (before + wounds, before_c + on_commander)
    leader = commander_target(mine.profile)
    if leader is not None and set(mine.enemies) - quiet:
        enemy = next(e for s, (e, _) in mine.enemies.items() if s not in quiet)
        theirs = fighters[enemy].profile
        foe = commander_target(theirs)
        against = theirs if foe is None else foe
        n = roll_wounds(
            leader.attacks, leader.skill, leader.power, against.skill, against.defense, rng
        )
        wounds, on_commander = out[enemy]
        out[enemy] = (wounds + n, on_commander) if foe is None else (wounds, on_commander + n)
    return out


def simulate_engagement(fighters, names, rng, rear_silence="toward_rear", ranks_when="after"):
    """One round of one engagement; profiles are changed. A dictionary of what came of it."""
    counted = {n: rank_count(fighters[n].profile.models, fighters[n].profile.wide) for n in names}
    struck = {n: strike(fighters, n, rear_silence, rng) for n in names}
    for n in names:
        for enemy, (wounds, on_commander) in struck[n].items():
            p = fighters[enemy].profile
            p.models, p.lost = casualties(p.models, p.wounds, p.lost, wounds)
            if p.commander is not None:
                p.commander.lost += on_commander
    if ranks_when == "after":
        for n in names:
            counted[n] = rank_count(fighters[n].profile.models, fighters[n].profile.wide)
    scores = {fighters[n].side: 0 for n in names}
    for n in names:
        f = fighters[n]
        enemies = {enemy for enemy, _ in f.enemies.values()}
        caused = sum(w + c for w, c in struck[n].values())
        scores[f.side] += score(
            caused,
            [enemy_side for _, enemy_side in f.enemies.values()],
            counted[n],
            is_disrupted(f.enemies, len(enemies)),
            f.profile.banners,
        )
    best = max(scores.values())
    fate = {}
    for n in names:
        f = fighters[n]
        fate[n] = "stands" if has_any(f.profile) else "destroyed"
        behind = best - scores[f.side]
        if behind > 0 and fate[n] == "stands":
            fate[n] = loser(f, counted[n], behind, rng)
    return {
        "units": names,
        "wounds": {n: sum(w + c for w, c in struck[n].values()) for n in names},
        "scores": scores,
        "ranks": counted,
        "fate": fate,
    }


def has_any(profile):
    """Whether a model or the commander lives."""
    return profile.models > 0 or commander_target(profile) is not None


def loser(fighter, ranks, difference, rng):
    """RNK-CMB-09, rolled: stands, breaks or destroyed."""
    p = fighter.profile
    if takes_no_test(p):
        p.models, p.lost = casualties(p.models, p.wounds, p.lost, three_sided(rng))
        return "stands" if has_any(p) else "destroyed"
    roll = rng.randint(1, 6) + rng.randint(1, 6)
    if roll <= break_target(p, ranks, difference):
        return "stands"
    return "destroyed" if destroyed_when_broken(fighter.enemies, fighter.move) else "breaks"


def duel_fighters(charger, target, side, counter=False):
    """Two fighters: one that charged a side of the other."""
    return {
        "charger": Fighter("charger", "A", charger, {"front": ("target", side)}, True),
        "target": Fighter("target", "B", target, {side: ("charger", "front")}, counter),
    }


# ---------------------------------------------------------------- exactly


def loser_exact(profile, models, lost, ranks, difference):
    """{fate: chance} of a losing unit that has models left."""
    if takes_no_test(profile):
        out = {"stands": Fraction(0), "destroyed": Fraction(0)}
        for d3 in (1, 2, 3):
            left, _ = casualties(models, profile.wounds, lost, d3)
            out["stands" if left else "destroyed"] += Fraction(1, 3)
        return out
    stays = two_dice_at_most(break_target(profile, ranks, difference))
    return {"stands": stays, "breaks": 1 - stays}


def fight_exact(
    charger, target, side, counter=False, rear_silence="toward_rear", ranks_when="after"
):
    """One charger against one target, no commanders: exact chances of all that may come of it.

    Keys: charger_higher, target_higher, tie, and for each of the two stands, breaks, destroyed.
    """
    names = ("charger_higher", "target_higher", "tie")
    fates = [
        f"{who}_{f}" for who in ("charger", "target") for f in ("stands", "breaks", "destroyed")
    ]
    out = dict.fromkeys([*names, *fates], Fraction(0))
    forward = attack_dice(charger, {"front"}, True)["front"]
    back = 0 if silenced({side}, rear_silence) else attack_dice(target, {side}, counter)[side]
    given = wound_distribution(forward, wound_chance(charger, target, True))
    taken = wound_distribution(back, wound_chance(target, charger, counter))
    for g, p_given in enumerate(given):
        for k, p_taken in enumerate(taken):
            chance = p_given * p_taken
            c_left, c_lost = casualties(charger.models, charger.wounds, charger.lost, k)
            t_left, t_lost = casualties(target.models, target.wounds, target.lost, g)
            after = ranks_when == "after"
            c_ranks = rank_count(c_left if after else charger.models, charger.wide)
            t_ranks = rank_count(t_left if after else target.models, target.wide)
            mine = score(g, [side], c_ranks, False, charger.banners)
            theirs = score(k, ["front"], t_ranks, is_disrupted({side}, 1), target.banners)
            word = "tie" if mine == theirs else names[0] if mine > theirs else names[1]
            out[word] += chance
            for who, profile, left, lost, ranks, behind in (
                ("charger", charger, c_left, c_lost, c_ranks, theirs - mine),
                ("target", target, t_left, t_lost, t_ranks, mine - theirs),
            ):
                if left == 0:
                    fate = {"destroyed": Fraction(1)}
                elif behind <= 0:
                    fate = {"stands": Fraction(1)}
                else:
                    fate = loser_exact(profile, left, lost, ranks, behind)
                for f, p in fate.items():
                    out[f"{who}_{f}"] += chance * p
    return out
