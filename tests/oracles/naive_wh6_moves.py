"""The end of the charge phase of the naive `wh6` twin: shooting, rally, moves, panic of friends."""

from __future__ import annotations

import random

from oracles.naive_wh6_charges import Charge, Game, flight_move, would_catch
from oracles.naive_wh6_hits import (
    number_of_shooters,
    read_missile,
    regain_wounds,
    save_in_combat,
    shoot_once,
    shots_each,
    to_hit_needed,
    wound_once,
)
from oracles.naive_wh6_units import (
    Unit,
    flee_from_charges,
    hundredths,
    is_chariot,
    is_immune,
    passes_test,
    rallies,
    roll_dice,
)

# Step 8: stand and shoot


def settle_shooting(game: Game, target: Unit) -> Charge | None:
    """WH6-SS-01, SS-02: the charge that is shot at; without one the unit simply holds."""
    if game.reactions.get(target.name) != "stand_and_shoot":
        return None
    charges = [charge for charge in game.charges_on(target) if not charge.never_declared]
    seen = chargers_seen(game, target, charges)
    too_near = any(2 * charge.distance <= charge.reach for charge in charges)
    if not seen or too_near:
        game.reactions[target.name] = "hold"
        return None
    for charge in seen:  # WH6-SS-10: whoever failed its own test does not come
        if not charge.failed:
            return charge
    return None


def chargers_seen(game: Game, target: Unit, charges: list[Charge]) -> list[Charge]:
    """WH6-SS-01, SS-03: an armed unit, no war machine, and the chargers in sight, or the named."""
    if "missile" not in target.raw or target.troop == "war_machine":
        return []
    wish = game.scenario["reaction"][target.name]
    named = wish.get("at") if isinstance(wish, dict) else None
    return [
        charge
        for charge in charges
        if (charge.arc == "front" or target.has("skirmishers"))
        and named in (None, charge.charger.name)
    ]


def really_shoots(game: Game, charge: Charge) -> bool:
    """WH6-SS-06, SS-08: whether the shots are fired in this trial."""
    if charge.target.fled:
        return False
    if charge.in_reach or game.switches["ss_on_failed"] == "always":
        return True
    return charge.gap - failed_charge_move(charge.charger) <= read_missile(charge.target).range


def failed_charge_move(charger: Unit) -> int:
    """WH6-CHG-06: a failed charge moves M, a flyer its whole flight."""
    if charger.troop == "flyer" or charger.has("flyer"):
        return flight_move(charger)
    return hundredths(charger.raw["M"])


def stand_and_shoot(game: Game, charge: Charge, rng: random.Random) -> None:
    """WH6-SS-05, SPEC-01: all shots, then regeneration, then whole models are removed."""
    charger = charge.charger
    shooter = charge.target
    missile = read_missile(shooter)
    shots = shots_each(missile, charge.gap, game.inch)
    cover = charge.entry.get("cover", "none")
    needed = to_hit_needed(shooter, charger, missile, charge.gap, cover, shots)
    slain = 0
    wounds = 0
    on_a_hill = charge.entry.get("high_ground") == "target"
    for _ in range(number_of_shooters(shooter, charger, on_a_hill) * shots):
        effect = shoot_once(missile, charger, needed, rng)
        if effect == "slain":
            slain += 1
        if effect == "wound":
            wounds += 1
    slain_wounds = min(slain * charger.wounds_each, charger.wounds_left)
    wounds = min(wounds, charger.wounds_left - slain_wounds)
    if is_chariot(charger) and game.switches["s7_regen"]:
        slain_wounds -= regain_wounds(charger, slain_wounds, rng)
    wounds -= regain_wounds(charger, wounds, rng)
    charger.wounds_left -= slain_wounds + wounds
    charge.shooting_casualties = charger.start_models - charger.models_left
    if charger.models_left == 0:
        charger.state = "destroyed"
        charger.shot_to_pieces = True


def test_charger_panic(charge: Charge, rng: random.Random) -> None:
    """WH6-SS-07, PANIC-03: a quarter or more of the models lost to the shots."""
    charger = charge.charger
    if charger.state == "destroyed" or charger.start_models == 1:
        return
    if is_immune(charger) or charger.troop == "war_machine":
        return
    if 4 * charge.shooting_casualties < charger.start_models:
        return
    charger.panic_tested = True
    charge.fled_panic = not passes_test(charger, rng)


# Rally, and the units in the path


def rally_blockers(game: Game, rng: random.Random) -> None:
    """WH6-RALLY-01: fleeing friends that stand in a path take their rally test, once."""
    tested: set[str] = set()
    for charge in game.charges:
        for name in charge.entry.get("blocked_by", []):
            blocker = game.units[name]
            if name in tested or blocker.raw["side"] != "active" or blocker.state != "fleeing":
                continue
            tested.add(name)
            if rallies(blocker, rng):
                blocker.state = "steady"


def path_is_clear(game: Game, charge: Charge) -> bool:
    """WH6-CHG-12, CHG-15: every unit in the path must have left it."""
    return all(
        has_left(game, charge, game.units[name]) for name in charge.entry.get("blocked_by", [])
    )


def has_left(game: Game, charge: Charge, blocker: Unit) -> bool:
    """WH6-CHG-12: a friend that flees or has charged before; an enemy that has fled."""
    if blocker.raw["side"] != "active":
        return blocker.fled
    for earlier in game.charges[: charge.place]:
        if earlier.charger is blocker:
            again = earlier.redirect
            return not (earlier.refused or (again is not None and again.refused))
    return blocker.state == "fleeing" and not blocker.fled


# The moves


def move_fleeing_chargers(game: Game, rng: random.Random) -> None:
    """WH6-FLEE-13: the active side's flights are moved in the compulsory moves."""
    for charge in game.charges:
        for one in (charge, charge.redirect):
            if one is not None and (one.fled_terror or one.fled_panic):
                flee_from_charges(charge.charger, rng)


def run_down_fleers(game: Game) -> list[Unit]:
    """WH6-FLEE-02 steps 5 and 6: caught by one charger is caught for all."""
    caught: list[Unit] = []
    for charge in game.charges:
        for one in (charge, charge.redirect):
            if one is None or one.never_declared or one.failed or one.redirect is not None:
                continue
            if not one.target.fled or one.target in caught or not one.clear:
                continue
            if one.charger.gone:
                continue
            if would_catch(one):
                caught.append(one.target)
    for unit in caught:
        unit.destroy()
    return caught


def find_word(charge: Charge, caught: list[Unit]) -> str:
    """Find the word, in the contract's order of precedence."""
    if charge.refused:
        return "refused_fear"
    if charge.fled_terror:
        return "charger_fled_terror"
    if charge.target.fled:
        if charge.redirect is not None and charge.redirect.word == "contact":
            return "redirected_contact"
        if charge.target in caught:
            return "target_fled_caught"
        if charge.target.state == "fled_off_table":
            return "target_fled_off_table"
        return "target_fled_escaped"
    if charge.charger.state == "destroyed":
        return "charger_destroyed"
    if charge.fled_panic:
        return "charger_fled_panic"
    if not charge.in_reach:
        return "out_of_reach"
    if not charge.clear:
        return "blocked"
    return "contact"


def make_contact(charge: Charge) -> None:
    """Contact: both units are now in a fight."""
    charge.charger.state = "fighting"
    charge.target.state = "fighting"


def cross_rough_ground(charge: Charge, rng: random.Random) -> None:
    """WH6-CHAR-02: a chariot forced through what it may not enter takes D6 hits of strength 6."""
    charger = charge.charger
    if not charge.compulsory or charge.entry.get("terrain", "open") == "open":
        return
    if not is_chariot(charger) or not charge.in_reach or charge.redirect is not None:
        return
    if charger.gone or charger.state == "fleeing":
        return
    wounds = 0
    for _ in range(roll_dice(charger.models_left, rng)):
        effect = wound_once(
            charger,
            strength=6,
            piercing=False,
            save=save_in_combat(charger),
            poisoned=False,
            killing_blow=False,
            rng=rng,
        )
        if effect is not None:
            wounds += 1
    lost = charger.lose_wounds(wounds)
    charger.wounds_left += regain_wounds(charger, lost, rng)
    if charger.models_left == 0:
        charger.state = "destroyed"


def move_chargers(game: Game, rng: random.Random) -> list[Unit]:
    """WH6-SEQ-01, FRENZ-02: the words; the order of the moves changes none of them."""
    for charge in game.charges:
        cross_rough_ground(charge, rng)
    caught = run_down_fleers(game)
    words: list[Charge] = []
    for charge in game.charges:
        if charge.redirect is not None:
            words.append(charge.redirect)
        words.append(charge)
    for charge in words:
        charge.word = find_word(charge, caught)
        if charge.word == "contact":
            make_contact(charge)
    return caught


# Panic of friends at the end of the phase


def neighbours_within(game: Game, unit: Unit, limit: int) -> list[Unit]:
    """Friends of a unit that stand no further than the limit (in hundredths)."""
    return [
        game.units[entry["unit"]]
        for entry in unit.raw.get("neighbours", [])
        if hundredths(entry["distance"]) <= limit
    ]


def panic_friends(game: Game, caught: list[Unit], rng: random.Random) -> None:
    """WH6-PANIC-01d, 01f, PANIC-02, PANIC-04: friends near a unit run down or shot to pieces."""
    causes = list(caught)
    for unit in game.units.values():
        if unit.shot_to_pieces and not (unit.start_models == 1 and unit.wounds_each < 5):
            causes.append(unit)
    tested: list[Unit] = []
    for cause in causes:
        for friend in neighbours_within(game, cause, game.near(4, 10)):
            if friend not in tested:
                tested.append(friend)
    for friend in tested:
        if friend.panic_tested or is_immune(friend) or friend.state == "fleeing" or friend.gone:
            continue
        if friend.state == "fighting" and not game.switches["panic_engaged"]:
            continue
        friend.panic_tested = True
        if not passes_test(friend, rng):
            flee_from_charges(friend, rng)


def play_moves(game: Game, rng: random.Random) -> None:
    """WH6-SEQ-02 step 8 and the rest of the movement phase."""
    for target in game.units.values():
        shot_at = settle_shooting(game, target)
        if shot_at is not None and really_shoots(game, shot_at):
            stand_and_shoot(game, shot_at, rng)
            test_charger_panic(shot_at, rng)
    rally_blockers(game, rng)
    for charge in game.charges:
        charge.clear = charge.never_declared or path_is_clear(game, charge)
    move_fleeing_chargers(game, rng)
    caught = move_chargers(game, rng)
    panic_friends(game, caught, rng)
