"""Who stands against whom: the members of a combat, and the models that touch (WH6-CC-05).

A combat is a target and the charges that reached it; a fight from an earlier turn stands among them
as if it were one, and comes first. On each side of the target they stand side by side in order of
declaration, their line centred on it. Widths are in half millimetres, so that centres are whole.
"""

from __future__ import annotations

from typing import Any

from chargesim.kernels.jit import kernel
from chargesim.rulesets.wh6.rules_unit import front_rank, has, is_chariot, is_on_foot
from chargesim.rulesets.wh6.state import Kind, Rule, Weapon, Word

_FRONT_SIDE, _REAR_SIDE = 0, 3
_STANDING, _CONTACT = int(Kind.STANDING), int(Word.CONTACT)
_SPEAR, _PIKE = int(Weapon.SPEAR), int(Weapon.PIKE)
_ELF_SPEARS, _LANCE = int(Rule.ELF_SPEARS), int(Rule.BRETONNIAN_LANCE)


@kernel
def is_member(game: Any, c: int, target: int) -> bool:
    """True for a charge whose charger was in the fight against a target when it began."""
    charge = game["charges"][c]
    if charge["target"] != target or game["units"][int(charge["charger"])]["mustered"] == 0:
        return False
    return bool(charge["kind"] == _STANDING or charge["word"] == _CONTACT)


@kernel
def has_charged(game: Any, c: int) -> bool:
    """True when the member of a fight came into it by a charge this turn."""
    return bool(game["charges"][c]["kind"] != _STANDING)


@kernel
def ranks_deep(unit: Any) -> int:
    """Ranks, the last one incomplete or not, at the start of the fight."""
    models = int(unit["mustered"])
    width = front_rank(unit, models)
    return (models + width - 1) // width


@kernel
def side_models(unit: Any, side: int) -> int:
    """Models along one side of a unit: its front rank, or on a flank its ranks."""
    if side == _FRONT_SIDE or side == _REAR_SIDE:
        return front_rank(unit, int(unit["mustered"]))
    return ranks_deep(unit)


@kernel
def line_width(game: Any, c: int) -> int:
    """Width of a charger's front rank."""
    unit = game["units"][int(game["charges"][c]["charger"])]
    return 2 * front_rank(unit, int(unit["mustered"])) * int(unit["base"])


@kernel
def line_start(game: Any, c: int) -> int:
    """Where a charger's front begins, measured from the middle of the side it struck."""
    target = int(game["charges"][c]["target"])
    side = int(game["charges"][c]["side"])
    before, whole = 0, 0
    for k in range(int(game["head"]["charges"])):
        if game["charges"][k]["side"] == side and is_member(game, k, target):
            width = line_width(game, k)
            whole += width
            if k < c:
                before += width
    return before - whole // 2


@kernel
def touches(game: Any, c: int, i: int) -> bool:
    """True when model ``i`` of a charger's front rank touches the target, corners included."""
    charge = game["charges"][c]
    target = game["units"][int(charge["target"])]
    base = 2 * int(game["units"][int(charge["charger"])]["base"])
    half = side_models(target, int(charge["side"])) * int(target["base"])
    start = line_start(game, c)
    return start + i * base <= half and start + (i + 1) * base >= -half


@kernel
def chargers_touching(game: Any, c: int) -> int:
    """Models of a charger's front rank that touch the target (WH6-CC-05)."""
    charge = game["charges"][c]
    unit = game["units"][int(charge["charger"])]
    target = game["units"][int(charge["target"])]
    base = 2 * int(unit["base"])
    half = side_models(target, int(charge["side"])) * int(target["base"])
    start = line_start(game, c)
    touching = 0
    for i in range(front_rank(unit, int(unit["mustered"]))):
        if start + i * base <= half and start + (i + 1) * base >= -half:
            touching += 1
    return touching


@kernel
def targets_touching(game: Any, c: int) -> int:
    """Models of the target that strike at this charger: they touch it and none before it."""
    charge = game["charges"][c]
    target = game["units"][int(charge["target"])]
    base = 2 * int(target["base"])
    along = side_models(target, int(charge["side"]))
    start = line_start(game, c)
    end = start + line_width(game, c)
    first = start
    for k in range(c):
        same = game["charges"][k]["side"] == charge["side"]
        if same and is_member(game, k, int(charge["target"])):
            first = min(first, line_start(game, k))
    touching = 0
    for i in range(along):
        left = (2 * i - along) * int(target["base"])
        taken = first < start and left <= start and left + base >= first
        if left <= end and left + base >= start and not taken:
            touching += 1
    return touching


@kernel
def ranks_fighting(unit: Any, charging: bool) -> int:
    """Ranks that strike to the front, by weapon (WH6-CC-05).

    Spears on foot two unless they charged (WH6-WPN-spear), elven ones three, charging two
    (WH6-ARMY-08); pikes four, charging three (WH6-WPN-pike).
    """
    weapon = int(unit["weapon"])
    less = 1 if charging else 0
    if not is_on_foot(unit):
        return 1
    if weapon == _PIKE:
        return 4 - less
    if weapon == _SPEAR:
        return (3 if has(unit, _ELF_SPEARS) else 2) - less
    return 1


@kernel
def in_rank(unit: Any, rank: int) -> int:
    """Models standing in a rank, counted from 1, at the start of the fight."""
    models = int(unit["mustered"])
    width = front_rank(unit, models)
    return min(max(models - (rank - 1) * width, 0), width)


@kernel
def lance_fighters(game: Any, c: int) -> int:
    """Knights of a lance that strike on the charge: front and both flanks (WH6-ARMY-04).

    Behind an engaged front-rank knight of either flank, one in every complete rank.
    """
    unit = game["units"][int(game["charges"][c]["charger"])]
    complete = int(unit["mustered"]) // 3
    columns = int(touches(game, c, 0)) + int(touches(game, c, 2))
    return chargers_touching(game, c) + columns * max(complete - 1, 0)


@kernel
def charger_fighters(game: Any, c: int) -> int:
    """Models of a charger that would strike: who touches, and ranks in support."""
    unit = game["units"][int(game["charges"][c]["charger"])]
    charging = has_charged(game, c)
    if has(unit, _LANCE) and charging:
        return lance_fighters(game, c)
    touching = chargers_touching(game, c)
    fighters = touching
    for rank in range(2, ranks_fighting(unit, charging) + 1):
        fighters += min(touching, in_rank(unit, rank))
    return fighters


@kernel
def target_fighters(game: Any, c: int, steeds: bool) -> int:
    """Models of the target that would strike at this charger, ranks in support included."""
    charge = game["charges"][c]
    who = int(charge["target"])
    unit = game["units"][who]
    fighters = targets_touching(game, c)
    if steeds or charge["side"] != _FRONT_SIDE:
        if steeds and is_chariot(unit) and charge["side"] != _FRONT_SIDE:
            return 0  # beasts strike to the front alone (WH6-CHAR-04)
        return fighters
    own = fighters
    for rank in range(2, ranks_fighting(unit, False) + 1):
        left = in_rank(unit, rank)
        for k in range(c):
            if game["charges"][k]["side"] == _FRONT_SIDE and is_member(game, k, who):
                left -= targets_touching(game, k)
        fighters += min(own, max(left, 0))
    return fighters


@kernel
def strikers_left(fighters: int, before: int, all_of_them: int, unit: Any) -> int:
    """Fighters left after the fallen: one subtraction for the whole unit (WH6-CC-06).

    Nobody steps up; those left are dealt out to the living enemies in order of declaration.
    """
    fallen = int(unit["mustered"]) - int(unit["models"])
    left = max(min(all_of_them, int(unit["mustered"])) - fallen, 0)
    return min(max(left - before, 0), fighters)


@kernel
def line_up(game: Any, f: int) -> None:
    """Count once for a combat who touches, who would strike and who would strike back."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            charge = game["charges"][c]
            charge["touching"] = chargers_touching(game, c)
            charge["fighters"] = charger_fighters(game, c)
            charge["facing"] = target_fighters(game, c, False)


@kernel
def stand_down(game: Any, f: int) -> None:
    """Forget who stood in the lines of a combat."""
    who = int(game["combats"][f]["target"])
    for c in range(int(game["head"]["charges"])):
        charge = game["charges"][c]
        if charge["target"] == who:
            charge["touching"] = 0
            charge["fighters"] = 0
            charge["facing"] = 0


@kernel
def facing_models(game: Any, c: int, steeds: bool) -> int:
    """Models of the target lined up against a charger, or those whose steeds are."""
    return target_fighters(game, c, True) if steeds else int(game["charges"][c]["facing"])


@kernel
def living_enemies(game: Any, who: int) -> int:
    """Members of a target's combat that have models left, one bit each."""
    living = 0
    for c in range(int(game["head"]["charges"])):
        if is_member(game, c, who):
            if game["units"][int(game["charges"][c]["charger"])]["models"] > 0:
                living |= 1 << c
    return living


@kernel
def target_strikers(game: Any, c: int, steeds: bool, facing: int) -> int:
    """Models of the target that strike at this charger, one of those that it is facing."""
    who = int(game["charges"][c]["target"])
    before, whole = 0, 0
    for k in range(int(game["head"]["charges"])):
        if is_member(game, k, who):
            fighters = facing_models(game, k, steeds)
            whole += fighters
            if k < c and (facing >> k) & 1:
                before += fighters
    return strikers_left(facing_models(game, c, steeds), before, whole, game["units"][who])


@kernel
def charger_strikers(game: Any, c: int, steeds: bool) -> int:
    """Models of a charger that strike; steeds from the front rank alone."""
    charge = game["charges"][c]
    fighters = int(charge["fighters"])
    strikers = strikers_left(fighters, 0, fighters, game["units"][int(charge["charger"])])
    return min(strikers, int(charge["touching"])) if steeds else strikers
