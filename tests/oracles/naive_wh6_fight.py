"""Who fights whom in a combat round of the naive `wh6` twin: sides, lines, supports, wounds."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from oracles.naive_wh6_charges import Charge, Game
from oracles.naive_wh6_hits import regain_wounds
from oracles.naive_wh6_units import (
    Unit,
    base_front,
    is_chariot,
    is_immune,
    is_on_foot,
    rank_bonus,
    unit_strength,
)


@dataclass(eq=False)
class Fighter:
    """A unit in a combat round."""

    unit: Unit
    active: bool
    charge: Charge | None  # none for the target and for its old opponent
    first_round: bool
    models: int  # at the start of the round
    strength: int  # unit strength at the start of the round
    frenzied: bool
    hating: bool
    ranks: int = 0
    columns: list[bool] = field(default_factory=list)  # which front models touch the enemy
    touching: dict[str, int] = field(default_factory=dict)  # models that touch each enemy
    supports: dict[str, int] = field(default_factory=dict)  # models behind them that strike too
    regenerable: int = 0

    @property
    def arc(self) -> str:
        """Side of the target on which it fights; an old opponent stands at the front."""
        return "front" if self.charge is None else self.charge.arc

    @property
    def alive(self) -> bool:
        """Whether any model is left."""
        return self.unit.models_left > 0

    @property
    def lance(self) -> bool:
        """WH6-ARMY-04: the unit stands in a lance."""
        return self.unit.has("bretonnian_lance")

    @property
    def width(self) -> int:
        """Models in the front rank, three for a lance."""
        return min(3, self.models) if self.lance else front_width_of(self.unit, self.models)


def front_width_of(unit: Unit, models: int) -> int:
    """Models in the front rank at the start of the round."""
    width: int = unit.raw.get("width", min(unit.start_models, 5))
    return min(width, models)


@dataclass(eq=False)
class Fight:
    """One combat: a charged target, and all that fight it."""

    game: Game
    target: Fighter
    attackers: list[Fighter]
    active_wounds: int = 0
    reactive_wounds: int = 0
    outcome: str = ""
    combat_result: int = 0
    active_lost: bool = False
    reactive_lost: bool = False
    broken: list[Fighter] = field(default_factory=list)
    panicked: list[Fighter] = field(default_factory=list)

    @property
    def fighters(self) -> list[Fighter]:
        """All units in it, the active side first."""
        return [*self.attackers, self.target]

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        """Enemies of a unit, in order of declaration."""
        return [self.target] if fighter.active else self.attackers

    def lost(self, fighter: Fighter) -> bool:
        """Whether the unit's side has lost the round."""
        return self.active_lost if fighter.active else self.reactive_lost


# The line of battle


def hatred_in_force(unit: Unit, game: Game) -> bool:
    """WH6-HATE-01, IMM-02: an immune unit does not hate."""
    if not unit.has("hatred"):
        return False
    return not (game.switches["immune_cancels_native"] and is_immune(unit))


def enter_fight(game: Game, unit: Unit, charge: Charge | None, active: bool) -> Fighter:
    """Take a unit into the round as it stands at its start."""
    return Fighter(
        unit=unit,
        active=active,
        charge=charge,
        first_round=charge is not None or (not active and not unit.engaged),
        models=unit.models_left,
        strength=unit_strength(unit, game.switches),
        frenzied=unit.has("frenzy"),
        hating=hatred_in_force(unit, game),
        ranks=rank_bonus(unit),
    )


def open_fight(game: Game, target: Unit) -> Fight | None:
    """One combat for each charged target that a charger has reached, if it still stands there."""
    if target.state != "fighting":
        return None
    attackers: list[Fighter] = []
    for charge in game.charges_on(target):
        if charge.word == "contact" and charge.charger.state == "fighting":
            attackers.append(enter_fight(game, charge.charger, charge, active=True))
    if not attackers:
        return None
    engaged = target.raw.get("engaged", False)
    if engaged:
        if not isinstance(engaged, str) or engaged not in game.units:
            return None  # contract: a fight against a unit that is not in the file is not played
        old = game.units[engaged]
        if old.state == "fighting":
            attackers.insert(0, enter_fight(game, old, None, active=True))
    fight = Fight(game, enter_fight(game, target, None, active=False), attackers)
    draw_up_lines(fight)
    return fight


def draw_up_lines(fight: Fight) -> None:
    """WH6-CC-05: chargers side by side on each side of the target, their line centred on it."""
    target = fight.target
    flanks = [one for one in fight.attackers if one.arc == "flank"]
    ranks = -(-target.models // target.width)
    meet(target, [one for one in fight.attackers if one.arc == "front"], target.width)
    for turn in (0, 1):
        meet(target, [one for one in flanks if which_flank(fight, one) == turn], ranks)
    meet(target, [one for one in fight.attackers if one.arc == "rear"], target.width)
    for attacker in fight.attackers:
        support_attacker(attacker, target)
    support_target(target, fight.attackers)


def which_flank(fight: Fight, one: Fighter) -> int:
    """Tell on which flank it fights."""
    assert one.charge is not None
    return fight.game.flank_of(one.charge)


def meet(target: Fighter, line: list[Fighter], places: int) -> None:
    """Count the bases that touch, corners included; lengths doubled so that they stay whole."""
    base = base_front(target.unit)
    length = sum(one.width * base_front(one.unit) for one in line)
    left = -length
    spans: list[tuple[int, int, Fighter]] = []
    for one in line:
        own_base = base_front(one.unit)
        start = left
        for _ in range(one.width):
            right = left + 2 * own_base
            one.columns.append(right >= -places * base and left <= places * base)
            left = right
        one.touching[target.unit.name] = sum(one.columns)
        spans.append((start, left, one))
    for place in range(places):
        model_left = -places * base + 2 * place * base
        model_right = model_left + 2 * base
        for start, end, one in spans:
            if end >= model_left and start <= model_right:
                name = one.unit.name
                target.touching[name] = target.touching.get(name, 0) + 1
                break


def ranks_that_fight(fighter: Fighter) -> int:
    """WH6-WPN, ARMY-08: ranks that strike, one fewer on the charge."""
    unit = fighter.unit
    ranks = 1
    if not is_on_foot(unit):
        return 1
    if unit.raw.get("weapon") == "pike":
        ranks = 4
    elif unit.raw.get("weapon") == "spear":
        ranks = 3 if unit.has("elf_spears") else 2
    if ranks > 1 and fighter.charge is not None:
        ranks -= 1
    return ranks


def models_in_rank(fighter: Fighter, rank: int) -> int:
    """Models that stand in a rank, the front rank being the first."""
    return max(0, min(fighter.width, fighter.models - (rank - 1) * fighter.width))


def support_attacker(attacker: Fighter, target: Fighter) -> None:
    """Models that strike from behind an attacker's front."""
    name = target.unit.name
    supporters = 0
    if (
        attacker.lance and attacker.charge is not None
    ):  # WH6-ARMY-04: both flanks of every complete rank behind
        complete_ranks_behind = max(0, attacker.models // 3 - 1)
        for column in (0, 2):
            if column < len(attacker.columns) and attacker.columns[column]:
                supporters += complete_ranks_behind
    else:
        for rank in range(2, ranks_that_fight(attacker) + 1):
            supporters += min(attacker.touching[name], models_in_rank(attacker, rank))
    attacker.supports[name] = supporters


def support_target(target: Fighter, attackers: list[Fighter]) -> None:
    """Models that strike from behind the target's front, at the enemies there only."""
    for rank in range(2, ranks_that_fight(target) + 1):
        left = models_in_rank(target, rank)
        for attacker in attackers:
            if attacker.arc == "front":
                name = attacker.unit.name
                supporters = min(target.touching.get(name, 0), left)
                left -= supporters
                target.supports[name] = target.supports.get(name, 0) + supporters


# Wounds taken in the round


def take_wounds(fight: Fight, victim: Fighter, slain: int, wounds: int) -> int:
    """Take the unsaved wounds of one set of blows; whole models that are slain come first."""
    unit = victim.unit
    slain_wounds = unit.lose_wounds(slain * unit.wounds_each)
    lost_wounds = unit.lose_wounds(wounds)
    victim.regenerable += lost_wounds
    if is_chariot(unit) and fight.game.switches["s7_regen"]:  # else slain for good
        victim.regenerable += slain_wounds
    if victim.active:
        fight.reactive_wounds += slain_wounds + lost_wounds
    else:
        fight.active_wounds += slain_wounds + lost_wounds
    return slain_wounds + lost_wounds


def regenerate(fight: Fight, rng: random.Random) -> None:
    """WH6-SPEC-01: after all blows one die for each wound; what is regained was never lost."""
    for fighter in fight.fighters:
        regained = regain_wounds(fighter.unit, fighter.regenerable, rng)
        fighter.unit.wounds_left += regained
        if fighter.active:
            fight.reactive_wounds -= regained
        else:
            fight.active_wounds -= regained
