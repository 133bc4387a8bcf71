"""The combat after the charge: who strikes whom, wounds, ranks and the combat score."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note, successes
from chargesim.kernels.jit import kernel
from chargesim.rulesets.ranked_regiment.events import Event
from chargesim.rulesets.ranked_regiment.state import (
    COMBATS,
    NAMES,
    NOBODY,
    Face,
    Place,
    Side,
    State,
    whole,
)

_FRONT, _LEFT, _RIGHT, _REAR = int(Face.FRONT), int(Face.LEFT), int(Face.RIGHT), int(Face.REAR)
_BLOWS, _COMMANDER = int(Place.FRONT_BLOWS), int(Place.COMMANDER)
_ACTIVE = int(Side.ACTIVE)
_DESTROYED = int(State.DESTROYED)
_TELL_NOT_PLAYED, _TELL_STRIKES = int(Event.NOT_PLAYED), int(Event.STRIKES)
_TELL_STRIKES_NOT, _TELL_DUEL = int(Event.STRIKES_NOT), int(Event.DUEL)
_TELL_SCORE, _TELL_DISRUPTED = int(Event.SCORE), int(Event.DISRUPTED)
_TELL_DESTROYED = int(Event.DESTROYED)


@kernel
def join(game: Any, dice: Any) -> None:
    """Let units in contact form engagements, each fought by itself (RNK-CMB-01).

    An engagement with a unit outside the game is not played.
    """
    units = whole(game["head"]["units"])
    for f in range(whole(game["head"]["combats"])):
        combat = game["combats"][f]
        t = whole(combat["target"])
        unit = game["units"][t]
        if unit["combat"] >= 0:
            combat["joined"] = whole(game["combats"][whole(unit["combat"])]["joined"])
            continue
        if unit["foe"][0] < 0 and unit["foe"][1] < 0 and unit["foe"][2] < 0 and unit["foe"][3] < 0:
            continue
        unit["combat"] = f
        grown, outside = True, False
        while grown:
            grown = False
            for w in range(units):
                if game["units"][w]["combat"] != f:
                    continue
                if game["units"][w]["outside"]:
                    outside = True
                for side in range(4):
                    x = whole(game["units"][w]["foe"][side])
                    if x >= 0 and game["units"][x]["combat"] != f:
                        game["units"][x]["combat"] = f
                        grown = True
        combat["joined"] = f + 1
        if outside:
            combat["joined"] = 0
            note(dice, _TELL_NOT_PLAYED, t)


@kernel
def fights(game: Any, who: int) -> bool:
    """True for a unit of an engagement that is played."""
    f = whole(game["units"][who]["combat"])
    return bool(f >= 0 and game["combats"][f]["joined"] > 0)


@kernel
def front_dice(unit: Any, models: int) -> int:
    """Dice to the front: front rank times Attacks and a support die a model of the second rank.

    With Spear and Shield of the third too, but not in a charge; none without Attacks (RNK-CMB-02).
    The charge bonus counts in the first round (RNK-CMB-05).
    """
    attacks = whole(unit["attacks"])
    if attacks == 0:
        return 0
    if unit["charged"]:
        attacks += whole(unit["bonus_attacks"])
    width = whole(unit["width"])
    front = min(width, models)
    ranks = 2 if unit["spears"] and not unit["charged"] else 1
    return int(front * attacks + max(min(models - front, ranks * width), 0))


@kernel
def flank_dice(unit: Any, models: int) -> int:
    """Dice to a flank: models along it times Attacks; whoever strikes to the front is spent.

    RNK-CMB-02.
    """
    width = whole(unit["width"])
    along = (models + width - 1) // width
    if unit["foe"][_FRONT] >= 0:
        along -= 3 if unit["spears"] and not unit["charged"] else 2
    return int(max(along, 0) * whole(unit["attacks"]))


@kernel
def to_hit(skill: int, theirs: int) -> int:
    """Score to hit: 3 with the higher Skill, else 4 (RNK-CMB-03)."""
    return 3 if skill > theirs else 4


@kernel
def to_save(power: int, defense: int) -> int:
    """Score to save, by Power less Defense (RNK-CMB-04)."""
    less = power - defense
    if less >= 3:
        return 6
    if less >= 1:
        return 5
    if less == 0:
        return 4
    return 3 if less >= -2 else 2


@kernel
def add_caused(game: Any, unit: Any, wounds: int) -> None:
    """Add wounds to what a unit's side has caused, overkill included."""
    combat = game["combats"][whole(unit["combat"])]
    if unit["side"] == _ACTIVE:
        combat["active"] += wounds
    else:
        combat["reactive"] += wounds


@kernel
def strike(game: Any, dice: Any, who: int) -> None:
    """All attacks of a unit: to its front first, then to its flanks, never to its rear.

    RNK-CMB-02; simultaneous with everybody else's (RNK-CMB-01). Models charged in the rear cannot
    strike those behind them, or by the switch anybody (RNK-SIDE-04).
    """
    unit = game["units"][who]
    if not fights(game, who):
        return
    if unit["foe"][_REAR] >= 0:
        note(dice, _TELL_STRIKES_NOT, who, whole(unit["foe"][_REAR]))
        if game["head"]["silent"]:
            return
    models = whole(unit["models"])
    skill, power = whole(unit["skill"]), whole(unit["power"])
    if unit["charged"]:
        skill += whole(unit["bonus_skill"])
        power += whole(unit["bonus_power"])
    for side in range(3):
        x = whole(unit["foe"][side])
        if x < 0:
            continue
        foe = game["units"][x]
        dice_count = front_dice(unit, models) if side == _FRONT else flank_dice(unit, models)
        if side == _RIGHT and unit["width"] == 1 and unit["foe"][_LEFT] >= 0:
            dice_count = 0  # the same models stand along both flanks
        hit = to_hit(skill, their_skill(foe))
        save = to_save(power, whole(foe["defense"]))
        where = whole(unit["number"]) * NAMES + _BLOWS + side
        wounds = successes(dice, where, dice_count, (7 - hit) * (save - 1), 36)
        foe["damage"] += wounds
        add_caused(game, unit, wounds)
        note(dice, _TELL_STRIKES, who, x, dice_count, hit * 10 + save, wounds)
    lead(game, dice, who)


@kernel
def their_skill(foe: Any) -> int:
    """Skill of a unit that is struck, with its charge bonus."""
    return int(whole(foe["skill"]) + (whole(foe["bonus_skill"]) if foe["charged"] else 0))


@kernel
def lead(game: Any, dice: Any, who: int) -> None:
    """A commander strikes the enemy commander in contact, else the enemy's models (RNK-CMB-12).

    Rank and file never strike a commander while models of its retinue live.
    """
    unit = game["units"][who]
    if not unit["led"] or unit["led_attacks"] == 0:
        return
    x = NOBODY
    for side in range(3):
        if x < 0:
            x = whole(unit["foe"][side])
    if x < 0:
        return
    foe = game["units"][x]
    duel = foe["led"] == 1
    skill = whole(foe["led_skill"]) if duel else their_skill(foe)
    defense = whole(foe["led_defense"]) if duel else whole(foe["defense"])
    hit, save = to_hit(whole(unit["led_skill"]), skill), to_save(whole(unit["led_power"]), defense)
    where = whole(unit["number"]) * NAMES + _COMMANDER
    wounds = successes(dice, where, whole(unit["led_attacks"]), (7 - hit) * (save - 1), 36)
    if duel:
        foe["hurt"] += wounds
    else:
        foe["damage"] += wounds
    add_caused(game, unit, wounds)
    note(dice, _TELL_DUEL, who, x, whole(duel), hit * 10 + save, wounds)


@kernel
def ranks_of(unit: Any, models: int) -> int:
    """Full ranks, and a last one of three models or more; none below three models (RNK-CMB-08)."""
    if models < 3:
        return 0
    width = whole(unit["width"])
    return int(models // width + (1 if models % width >= 3 else 0))


@kernel
def counted_ranks(game: Any, unit: Any) -> int:
    """Ranks that count after the blows: after the casualties, or by the switch before."""
    return ranks_of(unit, whole(unit["start"]) if game["head"]["before"] else whole(unit["models"]))


@kernel
def is_disrupted(unit: Any) -> bool:
    """True with an enemy on flank or rear, or more than one enemy (RNK-CMB-07, RNK-SIDE-02)."""
    foe = unit["foe"]
    return bool(foe[_LEFT] >= 0 or foe[_RIGHT] >= 0 or foe[_REAR] >= 0)


@kernel
def score_of(game: Any, dice: Any, who: int) -> int:
    """What a unit adds to its side's score apart from wounds (RNK-CMB-06).

    One for standing on an enemy's flank, one for its rear (RNK-SIDE-03), ranks behind the first, at
    most two, unless it is disrupted (RNK-SIDE-02), and its banners.
    """
    unit = game["units"][who]
    score = whole(unit["banners"])
    x = whole(unit["foe"][_FRONT])
    if x >= 0 and game["units"][x]["foe"][_FRONT] != who:
        score += 1
    if is_disrupted(unit):
        note(dice, _TELL_DISRUPTED, who)
        return int(score)
    return int(score + min(max(counted_ranks(game, unit) - 1, 0), 2))


@kernel
def result(game: Any, dice: Any, f: int) -> None:
    """Take off the casualties and compare the scores of both sides (RNK-CMB-06)."""
    combat = game["combats"][f]
    ours, theirs = whole(combat["active"]), whole(combat["reactive"])
    units = whole(game["head"]["units"])
    for who in range(units):
        unit = game["units"][who]
        if unit["combat"] != f:
            continue
        full = whole(unit["start"]) * whole(unit["wounds"])
        left = max(full - whole(unit["damage"]), 0)
        unit["models"] = (left + whole(unit["wounds"]) - 1) // whole(unit["wounds"])
        unit["damage"] = min(whole(unit["damage"]), full)
        if unit["led"]:
            unit["hurt"] = min(whole(unit["hurt"]), whole(unit["led_wounds"]))
    for who in range(units):
        unit = game["units"][who]
        if unit["combat"] != f:
            continue
        if unit["side"] == _ACTIVE:
            ours += score_of(game, dice, who)
        else:
            theirs += score_of(game, dice, who)
    combat["result"] = ours - theirs
    note(dice, _TELL_SCORE, whole(combat["target"]), ours, theirs)
    for who in range(units):
        unit = game["units"][who]
        if unit["combat"] != f:
            continue
        unit["behind"] = max(theirs - ours if unit["side"] == _ACTIVE else ours - theirs, 0)
        if unit["models"] == 0:
            unit["state"] = _DESTROYED
            note(dice, _TELL_DESTROYED, who)


@kernel
def is_home(game: Any, f: int) -> bool:
    """True for the combat in whose record an engagement is kept."""
    return f < COMBATS and game["combats"][f]["joined"] == f + 1
