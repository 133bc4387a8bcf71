"""A naive twin of the ruleset `wh6`: plain Python, one die at a time.

The charge phase of Warhammer 6th edition (declarations, reactions, compulsory charges, tests,
flights, redirections, stand and shoot, moves, panic) and the combat round that follows it. Written
from the rules specification alone and kept free of everything clever, so that its readings and its
faults are its own: nothing of the package under test is imported, no probability is tabulated,
every die is really rolled.

Lengths are held in hundredths of the scenario's unit; a distance estimated by eye is a continuous
draw and is not rounded. The rules stand beside this file: `naive_wh6_units` (units, Leadership),
`naive_wh6_hits` (shots, wounds, saves), `naive_wh6_charges` and `naive_wh6_moves` (the charge
phase), `naive_wh6_fight` and `naive_wh6_blows` (the fight), `naive_wh6_results` (what comes of it).
"""

from __future__ import annotations

import random
from typing import Any

from oracles.naive_wh6_blows import impact_hits, play_blows
from oracles.naive_wh6_charges import Charge, Game, play_declarations, set_up
from oracles.naive_wh6_fight import Fight, open_fight
from oracles.naive_wh6_moves import play_moves
from oracles.naive_wh6_results import (
    end_fight,
    panic_after_combat,
    settle_result,
    take_break_tests,
)
from oracles.naive_wh6_units import Unit


def charged_targets(game: Game) -> list[Unit]:
    """Every unit that is charged, or may be by a redirection."""
    names = [charge.target.name for charge in game.charges]
    for charge in game.charges:
        names.extend(entry["target"] for entry in charge.entry.get("redirect", []))
    return [game.units[name] for name in dict.fromkeys(names)]


def open_fights(game: Game, rng: random.Random) -> list[Fight]:
    """Draw up every fight and play the impact hits that open it."""
    fights: list[Fight] = []
    for target in charged_targets(game):
        fight = open_fight(game, target)
        if fight is not None:
            impact_hits(fight, rng)
            fights.append(fight)
    return fights


def leave_deserted(game: Game, fights: list[Fight]) -> None:
    """Units whose fight is not played because panic took one side of it away are free again."""
    playing = {one.unit.name for fight in fights for one in fight.fighters}
    for charge in all_charges(game):
        if charge.word != "contact" or charge.target.name in playing:
            continue
        target = charge.target
        if charge.charger.state == "fighting" and target.state != "fighting":
            charge.charger.state = "steady"
        others = [one for one in game.charges_on(target) if one.charger.state == "fighting"]
        if target.state == "fighting" and not others and not target.engaged:
            target.state = "steady"


def free_old_opponents(game: Game) -> None:
    """WH6-FEAR-07: the old opponent of a target that has fled stays where it is."""
    for unit in game.units.values():
        engaged = unit.raw.get("engaged", False)
        if not isinstance(engaged, str) or engaged not in game.units:
            continue
        if unit.raw["side"] == "reactive" and (unit.gone or unit.state == "fleeing"):
            opponent = game.units[engaged]
            if opponent.state == "fighting":
                opponent.state = "steady"


def play_fights(game: Game, fights: list[Fight], rng: random.Random) -> None:
    """WH6-BRK-04: all fights, all results, all break tests, panic, then flights and pursuits."""
    for fight in fights:
        play_blows(fight, rng)
    for fight in fights:
        settle_result(fight)
    for fight in fights:
        take_break_tests(fight, rng)
    panic_after_combat(game, fights, rng)
    for fight in fights:
        end_fight(fight, rng)


# What is told of a trial


def all_charges(game: Game) -> list[Charge]:
    """All charges and the redirected ones they turned into."""
    found: list[Charge] = []
    for charge in game.charges:
        found.append(charge)
        if charge.redirect is not None:
            found.append(charge.redirect)
    return found


def tell_charge(game: Game, charge: Charge) -> dict[str, Any]:
    """Put one charge into a plain dictionary."""
    redirect = charge.redirect
    return {
        "charger": charge.charger.name,
        "target": charge.target.name,
        "word": charge.word,
        "reaction": game.reactions.get(charge.target.name, "hold"),
        "shooting_casualties": charge.shooting_casualties,
        "flee_distance": charge.target.flight_from_charge,
        "impact_hits": charge.impact_hits,
        "impact_wounds": charge.impact_wounds,
        "needs_sixes": charge.word == "contact" and charge.needs_sixes,
        "redirect": None if redirect is None else tell_charge(game, redirect),
        "redirect_place": None if redirect is None else redirect.entry_place,
    }


def tell_combat(target: Unit, fights: list[Fight]) -> dict[str, Any]:
    """Put one combat into a plain dictionary."""
    for fight in fights:
        if fight.target.unit is target:
            return {
                "target": target.name,
                "chargers": [one.unit.name for one in fight.attackers if one.charge is not None],
                "outcome": fight.outcome,
                "combat_result": fight.combat_result,
                "active_wounds": fight.active_wounds,
                "reactive_wounds": fight.reactive_wounds,
            }
    return {
        "target": target.name,
        "chargers": [],
        "outcome": "no_combat",
        "combat_result": None,
        "active_wounds": 0,
        "reactive_wounds": 0,
    }


def tell_unit(unit: Unit) -> dict[str, Any]:
    """Put the end of one unit into a plain dictionary."""
    return {
        "models_left": unit.models_left,
        "wounds_left": unit.wounds_left,
        "state": unit.state,
        "flee_distance": unit.flee_distance,
    }


def tell_contact(game: Game, fights: list[Fight]) -> dict[str, Any]:
    """Tell how the first charge's two units stood when the impact hits were over."""
    if not game.charges:
        return {}
    first = game.charges[0]
    told = {"charger": tell_unit(first.charger), "target": tell_unit(first.target)}
    for fight in fights:
        if fight.target.unit is first.target and not fight.target.alive:
            told["target"]["state"] = "destroyed"
            if first.charger.state == "fighting":
                told["charger"]["state"] = "steady"
    return {**told, "charger_flee_distance": first.charger.flee_distance}


def simulate(scenario: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Play one charge phase and the combat round that follows.

    Parameters
    ----------
    scenario : dict
        What ``tomllib.load`` gives for a scenario file of ruleset `wh6`.
    rng : random.Random
        Source of all dice.

    Returns
    -------
    dict
        ``charges``: a list in order of declaration, compulsory charges last, each with ``charger``,
        ``target``, ``word``, ``reaction``, ``shooting_casualties``, ``flee_distance``,
        ``impact_hits``, ``impact_wounds``, ``needs_sixes``, ``redirect`` (None, or the same for
        the redirected charge) and ``redirect_place`` (which entry it took). ``combats``: a list
        with an entry for each target that is charged or may be by a redirection: ``target``,
        ``chargers`` (those in the fight), ``outcome``, ``combat_result`` (None without a fight),
        ``active_wounds``, ``reactive_wounds``. ``units``: by name ``models_left``,
        ``wounds_left``, ``state`` and ``flee_distance`` (None when no flight was rolled in the
        charge phase or from panic).
        Besides, for scenarios of one charge: the values of the first charge, and ``charger``,
        ``target`` and ``charger_flee_distance`` as they stood after the impact hits.
    """
    game = set_up(scenario)
    play_declarations(game, rng)
    play_moves(game, rng)
    fights = open_fights(game, rng)
    leave_deserted(game, fights)
    free_old_opponents(game)
    contact = tell_contact(game, fights)
    play_fights(game, fights, rng)
    charges = [tell_charge(game, charge) for charge in game.charges]
    return {
        **(charges[0] if charges else {}),
        **contact,
        "charges": charges,
        "combats": [tell_combat(target, fights) for target in charged_targets(game)],
        "units": {name: tell_unit(unit) for name, unit in game.units.items()},
    }
