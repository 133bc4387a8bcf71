"""Combat result, break tests, panic, pursuit and overrun of the naive `wh6` twin."""

from __future__ import annotations

import random

from oracles.naive_wh6_charges import Game, edge_behind
from oracles.naive_wh6_fight import Fight, Fighter, hatred_in_force
from oracles.naive_wh6_moves import neighbours_within
from oracles.naive_wh6_units import (
    Unit,
    causes_fear,
    flee_from_charges,
    hundredths,
    is_flyer,
    is_immune,
    leadership,
    own_leadership,
    passes_test,
    roll_flight,
    roll_leadership_dice,
    roll_pursuit,
    unit_strength,
    with_ranks,
)

# The score


def living(fighters: list[Fighter]) -> list[Fighter]:
    """Units of which anything is left."""
    return [one for one in fighters if one.alive]


def strength_now(fight: Fight, fighter: Fighter) -> int:
    """Unit strength at the end of the round (WH6-CR-10)."""
    return unit_strength(fighter.unit, fight.game.switches)


def flank_and_rear(fight: Fight) -> int:
    """WH6-CR-07: +1 and +2, for a charger of US 5 or more at the end."""
    arcs = {
        one.arc
        for one in living(fight.attackers)
        if one.charge is not None and strength_now(fight, one) >= 5
    }
    bonuses = [{"flank": 1, "rear": 2}[arc] for arc in arcs if arc != "front"]
    if not bonuses:
        return 0
    return sum(bonuses) if fight.game.switches["flank_rear_stack"] else max(bonuses)


def ranks_denied(fight: Fight) -> bool:
    """WH6-CR-03: a charger of US 5 or more at the start of the round on flank or rear."""
    return any(
        one.charge is not None and one.arc != "front" and one.strength >= 5
        for one in fight.attackers
    )


def active_high_ground(fight: Fight) -> int:
    """WH6-CR-06: a charger stands higher; never against flyers."""
    for one in living(fight.attackers):
        if one.charge is not None and one.charge.entry.get("high_ground") == "charger":
            return 0 if is_flyer(fight.target.unit) else 1
    return 0


def reactive_high_ground(fight: Fight) -> int:
    """WH6-CR-06: the target stands higher than a charger that does not fly."""
    below = [
        one
        for one in living(fight.attackers)
        if one.charge is not None and one.charge.entry.get("high_ground") == "target"
    ]
    return int(any(not is_flyer(one.unit) for one in below))


def side_bonus(side: list[Fighter]) -> int:
    """WH6-CR-05 and the fixed bonuses: the standards and banners of living units."""
    bonus = 0
    if any(one.unit.raw.get("standard", False) for one in side):
        bonus += 1
    for one in side:
        bonus += one.unit.raw.get("combat_bonus", 0)
    return bonus


def scores(fight: Fight) -> tuple[int, int]:
    """WH6-CR-01 to CR-07: the scores of the active and of the reactive side."""
    attackers = living(fight.attackers)
    targets = living([fight.target])
    active = fight.active_wounds + max(one.ranks for one in fight.attackers)
    reactive = fight.reactive_wounds
    if not ranks_denied(fight):
        reactive += fight.target.ranks
    active_strength = sum(strength_now(fight, one) for one in attackers)
    reactive_strength = sum(strength_now(fight, one) for one in targets)
    if attackers:
        active += flank_and_rear(fight) + side_bonus(attackers) + active_high_ground(fight)
    if targets:
        reactive += side_bonus(targets) + reactive_high_ground(fight)
    if active_strength > reactive_strength:
        active += 1
    if reactive_strength > active_strength:
        reactive += 1
    return active, reactive


def settle_result(fight: Fight) -> None:
    """WH6-CR-01, CR-09, FRENZ-05: who has lost, by how much, and Frenzy lost with it."""
    active, reactive = scores(fight)
    difference = active - reactive
    attackers = living(fight.attackers)
    if difference == 0:  # a single side with a musician wins by one
        active_music = any(one.unit.raw.get("musician", False) for one in attackers)
        reactive_music = fight.target.alive and fight.target.unit.raw.get("musician", False)
        difference = int(active_music) - int(reactive_music)
    fight.combat_result = difference
    if not fight.target.alive:
        fight.reactive_lost = True
    elif not attackers:
        fight.active_lost = True
    else:
        fight.reactive_lost = difference > 0
        fight.active_lost = difference < 0
    for one in fight.fighters:
        if fight.lost(one):
            one.unit.frenzy_lost = True


# Break tests


def take_break_tests(fight: Fight, rng: random.Random) -> None:
    """WH6-BRK-01 to BRK-04: every losing unit that still has models."""
    if not fight.target.alive or not living(fight.attackers):
        return
    difference = abs(fight.combat_result)
    for one in fight.fighters:
        if not fight.lost(one) or not one.alive:
            continue
        unit = one.unit
        if unit.has("undead"):
            crumble(unit, difference)
        elif unit.has("daemon"):
            test_instability(unit, difference, rng)
        elif not unit.has("unbreakable") and breaks(fight, one, difference, rng):
            fight.broken.append(one)


def crumble(unit: Unit, difference: int) -> None:
    """WH6-ARMY-01: a wound for each point, one fewer near a battle standard; no saves."""
    wounds = difference - (1 if unit.raw.get("battle_standard", False) else 0)
    unit.lose_wounds(wounds)
    if unit.models_left == 0:
        unit.destroy()


def test_instability(unit: Unit, difference: int, rng: random.Random) -> None:
    """WH6-ARMY-02: above the plain Leadership all is lost, else wounds by the shortfall."""
    roll = sum(roll_leadership_dice(unit, rng))
    plain = leadership(unit)
    if roll > plain:
        unit.destroy()
        return
    unit.lose_wounds(max(0, roll - (plain - difference)))
    if unit.models_left == 0:
        unit.destroy()


def breaks(fight: Fight, loser: Fighter, difference: int, rng: random.Random) -> bool:
    """WH6-FEAR-05, FEAR-06, BRK-01, BRK-03, LD-04: whether a losing unit breaks."""
    if fear_breaks(fight, loser):
        return True
    unit = loser.unit
    needed = break_leadership(fight, unit, difference)
    if holds_on(fight, unit, needed, rng):
        return False
    if unit.raw.get("battle_standard", False):
        return not holds_on(fight, unit, needed, rng)
    return True


def fear_breaks(fight: Fight, loser: Fighter) -> bool:
    """WH6-FEAR-05: beaten by feared enemies of a greater total unit strength."""
    if is_immune(loser.unit) or causes_fear(loser.unit):
        return False
    feared = [one for one in living(fight.enemies(loser)) if causes_fear(one.unit)]
    return sum(strength_now(fight, one) for one in feared) > strength_now(fight, loser)


def break_leadership(fight: Fight, unit: Unit, difference: int) -> int:
    """WH6-BRK-01, STUB-01, IMM-02: what the roll must not exceed."""
    modified = leadership(unit) - difference
    stubborn = unit.has("stubborn")
    if fight.game.switches["immune_cancels_native"] and is_immune(unit):
        stubborn = False
    if not stubborn:
        return modified
    general = with_ranks(unit, unit.raw.get("general_ld", 0)) - difference
    return max(own_leadership(unit), general)


def holds_on(fight: Fight, unit: Unit, needed: int, rng: random.Random) -> bool:
    """Roll one break test; WH6-BRK-03: a double 1 by the switch."""
    dice = roll_leadership_dice(unit, rng)
    if fight.game.switches["insane_courage"] and dice == [1, 1]:
        return True
    return sum(dice) <= needed


# Panic


def panic_after_combat(game: Game, fights: list[Fight], rng: random.Random) -> None:
    """WH6-PANIC-01b, PANIC-02, PANIC-04, PANIC-06: after all break tests, before the flights."""
    where: dict[str, tuple[Fight, Fighter]] = {}
    broken: list[str] = []
    tested: list[Unit] = []
    for fight in fights:
        for one in fight.fighters:
            where[one.unit.name] = (fight, one)
        broken.extend(one.unit.name for one in fight.broken)
    for fight in fights:
        for one in fight.fighters:
            alone = one.models == 1 and one.unit.wounds_each < 5
            if one.unit.name in broken or (not one.alive and not alone):
                for friend in neighbours_within(game, one.unit, game.near(6, 15)):
                    if friend not in tested:
                        tested.append(friend)
    for friend in tested:
        if friend.name in broken or friend.state == "fleeing" or friend.gone or is_immune(friend):
            continue
        if friend.state == "fighting" and not game.switches["panic_engaged"]:
            continue
        if passes_test(friend, rng):
            continue
        if friend.name in where:
            fight, fighter = where[friend.name]
            fight.panicked.append(fighter)
        else:
            flee_from_charges(friend, rng)


# Pursuit


def stays(fight: Fight, winner: Fighter, rng: random.Random) -> bool:
    """WH6-PURS-01, FRENZ-04, HATE-01: whether a winner holds back from the pursuit."""
    unit = winner.unit
    if not unit.raw.get("restrain", False):
        return False
    if unit.has("frenzy") or hatred_in_force(unit, fight.game):
        return False
    if not winner.active and behind_defended_obstacle(fight):
        return True
    return passes_test(unit, rng)


def behind_defended_obstacle(fight: Fight) -> bool:
    """Whether the target holds an obstacle against a charger."""
    return any(
        one.charge is not None and one.charge.entry.get("terrain") == "defended"
        for one in fight.attackers
    )


def end_fight(fight: Fight, rng: random.Random) -> None:
    """WH6-BRK-04: flights and pursuits, overruns, and the word of the combat."""
    leave_in_panic(fight, rng)
    if fight.reactive_lost:
        end_for_losing_target(fight, rng)
    elif fight.active_lost:
        end_for_losing_chargers(fight, rng)
    else:
        fight.outcome = "draw"
    set_free(fight)


def leave_in_panic(fight: Fight, rng: random.Random) -> None:
    """WH6-PANIC-09: a loser that panics is as good as broken; the others simply get away."""
    for one in fight.panicked:
        if fight.lost(one):
            fight.broken.append(one)
        else:
            flee_from_charges(one.unit, rng)


def roll_way(fight: Fight, runner: Fighter, rng: random.Random) -> int:
    """WH6-PURS-02: one flight of a loser, which is not reported."""
    runner.unit.state = "fleeing"
    return roll_flight(runner.unit, rng)


def chase(fight: Fight, runner: Fighter, winners: list[Fighter], rng: random.Random) -> bool:
    """WH6-PURS-01, PURS-02: who goes after it, and whether any of them catches it."""
    pursuers = [one for one in winners if not stays(fight, one, rng)]
    flight = roll_way(fight, runner, rng)
    caught = False
    for one in pursuers:
        one.unit.state = "pursuing"
        if roll_pursuit(one.unit, rng) >= flight:
            caught = True
    if caught:
        runner.unit.destroy()
    elif not runner.active:
        edge = edge_behind([one.charge for one in fight.attackers if one.charge is not None])
        if edge is not None and hundredths(flight) > edge:
            runner.unit.state = "fled_off_table"
    return caught


def overrun(winners: list[Fighter]) -> None:
    """WH6-OVER-01, FRENZ-04: after wiping the enemy out in the unit's first round."""
    for one in winners:
        wants = not one.unit.raw.get("restrain", False) or one.unit.has("frenzy")
        one.unit.state = "overran" if one.first_round and wants else "steady"


def still_there(fighters: list[Fighter]) -> list[Fighter]:
    """Units that stand in the fight: neither destroyed nor fled in panic."""
    return [one for one in fighters if one.alive and one.unit.state == "fighting"]


def end_for_losing_target(fight: Fight, rng: random.Random) -> None:
    """The target is wiped out, flees or holds."""
    target = fight.target
    winners = still_there(fight.attackers)
    if not target.alive:
        fight.outcome = "target_wiped_out"
        overrun(winners)
    elif target in fight.broken:
        caught = chase(fight, target, winners, rng)
        fight.outcome = "target_broke_caught" if caught else "target_broke_escaped"
    else:
        fight.outcome = "target_held"


def end_for_losing_chargers(fight: Fight, rng: random.Random) -> None:
    """WH6-PURS-01: the target pursues only when nobody holds; then the strongest of them."""
    attackers = living(fight.attackers)
    winners = still_there([fight.target])
    broken = [one for one in attackers if one in fight.broken]
    if not attackers:
        fight.outcome = "charger_wiped_out"
        overrun(winners)
        return
    caught = False
    quarry: Fighter | None = None
    if winners and len(broken) == len(attackers):
        quarry = max(broken, key=lambda one: strength_now(fight, one))  # the first of equals
    for one in broken:
        if one is quarry:
            caught = chase(fight, one, winners, rng)
        else:
            roll_way(fight, one, rng)
    if caught:
        fight.outcome = "charger_broke_caught"
    elif broken:
        fight.outcome = "charger_broke_escaped"
    else:
        fight.outcome = "charger_held"


def set_free(fight: Fight) -> None:
    """Whoever still stands and has no enemy left in the fight is out of it."""
    for one in still_there(fight.fighters):
        if not still_there(fight.enemies(one)):
            one.unit.state = "steady"
