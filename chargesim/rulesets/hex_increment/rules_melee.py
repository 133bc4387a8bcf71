"""Melees of a charge: shares of its value, the column of the table, the result on both sides."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import band_of, note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.rules_unit import (
    disorder,
    fights,
    morale_check,
    place,
    unit_place,
)
from chargesim.rulesets.hex_increment.state import (
    FACES,
    HEXES,
    VALUE,
    Fate,
    Place,
    Result,
    Severity,
    State,
    UnitPlace,
)

_WAVE, _WAVE_CHARGER = int(Place.WAVE), int(Place.WAVE_CHARGER_CHECK)
_WAVE_TARGET = int(Place.WAVE_TARGET_CHECK)
_MELEE, _CHARGER_CHECK = int(UnitPlace.MELEE), int(UnitPlace.CHARGER_CHECK)
_TARGET_CHECK = int(UnitPlace.TARGET_CHECK)
_BLANK, _AD, _AR, _AS = int(Result.BLANK), int(Result.AD), int(Result.AR), int(Result.AS)
_DD, _DR, _DS, _LOSS = int(Result.DD), int(Result.DR), int(Result.DS), int(Result.LOSS)
_BOUNCE, _DISORDER = int(Severity.BOUNCE), int(Severity.DISORDER)
_ROUT, _SURRENDER = int(Severity.ROUT), int(Severity.SURRENDER)
_GOOD, _PGD, _GONE = int(State.GOOD), int(State.PGD), int(State.GONE)
_HELD, _F_DISORDERED = int(Fate.TARGET_STOOD), int(Fate.TARGET_DISORDERED)
_F_BROKE, _F_SURRENDERED = int(Fate.TARGET_BROKE), int(Fate.TARGET_SURRENDERED)
_E_SHARE, _E_WAVE, _E_SQUARE = (
    int(Event.SHARE),
    int(Event.WAVE),
    int(Event.AGAINST_SQUARE),
)
_E_ODDS, _E_RESULT = int(Event.ODDS), int(Event.RESULT)
_E_TARGET_DISORDERED, _E_TARGET_ROUTS = (
    int(Event.TARGET_DISORDERED),
    int(Event.TARGET_ROUTS),
)
_E_TARGET_SURRENDERS, _E_LOSSES = int(Event.TARGET_SURRENDERS), int(Event.LOSSES)
_E_LOSS_CHECK, _E_CANCELLED = int(Event.LOSS_CHECK), int(Event.WAVES_CANCELLED)


@kernel
def half_hexes(game: Any, c: int, t: int) -> int:
    """Halves of charger hexes that fight a stack, of those that are left (HEX-LINE-08).

    A hex that touches two stacks goes to the one its owner gave it to, or counts half for each;
    where one of them has gone, it goes to the other (HEX-SEQ-06).
    """
    charge = game["charges"][c]
    half = int(game["head"]["half"])
    found = 0
    for h in range(int(charge["hexes"])):
        one, two = int(charge["touched"][h, 0]), int(charge["touched"][h, 1])
        if one != t and two != t:
            continue
        other = two if one == t else one
        if other < 0 or other == t or not fights(game["targets"][other]):
            found += 2
        elif half:
            found += 1
        elif charge["given"][h] == t:
            found += 2
    return found


@kernel
def melee_value(game: Any, dice: Any, c: int, t: int) -> tuple[int, int]:
    """Melee value of one melee of a charge, as a fraction, numerator and denominator.

    A line's share is by hexes (HEX-LINE-08), and each melee gets the modifiers (HEX-LINE-09); a
    column divides its value after all modifiers by its hexes (HEX-COL-02). Against a square it is
    divided by 3 (HEX-SEQ-03). Increments lost to fire lower it in proportion.
    """
    head = game["head"]
    charge = game["charges"][c]
    target = game["targets"][t]
    unit = game["units"][int(charge["charger"])]
    increments = int(unit["increments"])
    whole = int(unit["melee"]) * (increments - int(unit["lost"]))
    modifier = int(charge["modifier"]) * increments
    hexes = int(charge["hexes"])
    if charge["company"]:
        top, bottom = whole + modifier, increments * hexes
        note(dice, _E_WAVE, int(charge["charger"]), int(charge["melees"]) + 1, hexes, top, bottom)
    else:
        halves = half_hexes(game, c, t)
        bottom = increments * 2 * hexes
        if head["before_share"]:
            top = (whole + modifier) * halves
        else:
            top = whole * halves + modifier * 2 * hexes
        note(dice, _E_SHARE, int(charge["charger"]), int(target["unit"]), halves, top, bottom)
    if game["units"][int(target["unit"])]["in_square"]:
        bottom *= int(head["square_divisor"])
        note(dice, _E_SQUARE, int(target["unit"]), int(head["square_divisor"]), top, bottom)
    top = max(top, 0)
    if head["floor"]:
        top = top // (bottom * VALUE) * VALUE
        bottom = 1
    return top, bottom


@kernel
def odds_column(game: Any, dice: Any, t: int, top: int, bottom: int) -> int:
    """Column of the melee table: the last whose ratio is reached, else the first.

    The value of a stack that lost increments is read anew for each melee.
    """
    unit = game["units"][int(game["targets"][t]["unit"])]
    increments = int(unit["increments"])
    against = int(unit["melee"]) * (increments - int(unit["lost"]))
    found = 0
    for k in range(1, int(game["head"]["columns"])):
        column = game["columns"][k]
        if top * increments * int(column["den"]) < against * bottom * int(column["num"]):
            break
        found = k
    note(dice, _E_ODDS, int(game["targets"][t]["unit"]), found, top, bottom, against // increments)
    return found


@kernel
def worsen(target: Any, fate: int) -> None:
    """Keep the worst of what befell a stack."""
    if target["fate"] < fate:
        target["fate"] = fate


@kernel
def suffer(game: Any, dice: Any, t: int, kind: int, number: int) -> bool:
    """Apply a result to a stack at once (HEX-COL-04); True when it retreats.

    The number is the recoil in hexes (HEX-SEQ-07). A second disorder makes it PGD, and only then is
    a disorder without recoil a retreat (HEX-LINE-13). What the letters mean: HEX-SEQ-09.
    """
    head = game["head"]
    target = game["targets"][t]
    who = int(target["unit"])
    unit = game["units"][who]
    if kind == _DS:
        unit["state"] = _GONE
        worsen(target, _F_SURRENDERED)
        note(dice, _E_TARGET_SURRENDERS, who)
        return bool(head["ds_retreats"] == 1)
    if kind == _DR:
        unit["state"] = _PGD
        worsen(target, _F_BROKE)
        note(dice, _E_TARGET_ROUTS, who)
        if head["pgd_retreat"] >= 0:
            target["recoil"] = head["pgd_retreat"]
        return True
    if kind != _DD:
        return False
    disorder(game, dice, who)
    target["recoil"] = number
    note(dice, _E_TARGET_DISORDERED, who, number)
    if unit["state"] == _PGD:
        worsen(target, _F_BROKE)
        if head["pgd_retreat"] >= 0:
            target["recoil"] = head["pgd_retreat"]
        return True
    worsen(target, _F_DISORDERED)
    return number > 0


@kernel
def take_losses(game: Any, dice: Any, c: int, t: int, code: int, ours: int, theirs: int) -> None:
    """Losses of a result: the stack's at once, the charger's kept for later; a star asks a check.

    By the switch loss_check_fails who fails it is disordered.
    """
    charge = game["charges"][c]
    target = game["targets"][t]
    who, charger = int(target["unit"]), int(charge["charger"])
    unit = game["units"][who]
    fell, lost, checks = (code >> 3) & 15, (code >> 7) & 15, code >> 11
    note(dice, _E_LOSSES, who, fell, lost)
    charge["fell"] = int(charge["fell"]) + fell
    unit["lost"] = min(int(unit["lost"]) + lost, int(unit["increments"]))
    disorders = game["head"]["loss_disorders"] == 1
    if unit["lost"] == unit["increments"]:
        unit["state"] = _GONE
        worsen(target, _F_SURRENDERED)
    elif checks & 2:
        note(dice, _E_LOSS_CHECK, who)
        if not morale_check(game, dice, theirs, who, 0) and disorders:
            disorder(game, dice, who)
            worsen(target, _F_BROKE if unit["state"] == _PGD else _F_DISORDERED)
    if checks & 1:
        note(dice, _E_LOSS_CHECK, charger)
        if not morale_check(game, dice, ours, charger, 0) and disorders:
            charge["disorders"] = min(int(charge["disorders"]) + 1, 2)
            charge["worst"] = max(int(charge["worst"]), _DISORDER)


@kernel
def remember(charge: Any, kind: int, number: int) -> None:
    """Keep a result for the charger, who suffers the worst of all (HEX-LINE-10, HEX-COL-08).

    Nothing is applied to it before all its melees are rolled (HEX-LINE-11, HEX-COL-06).
    """
    if kind == _DD or kind == _DR or kind == _DS:
        charge["hit"] = 1
        return
    severity = 0
    if kind == _BLANK:
        severity = _BOUNCE
    elif kind == _AD:
        severity = _DISORDER
        charge["disorders"] = min(int(charge["disorders"]) + 1, 2)
        charge["recoil"] = max(int(charge["recoil"]), number)
    elif kind == _AR:
        severity = _ROUT
    elif kind == _AS:
        severity = _SURRENDER
    charge["worst"] = max(int(charge["worst"]), severity)


@kernel
def drop_what_is_settled(game: Any, c: int) -> None:
    """Forget what no longer matters to the charger, so that equal ends come together early.

    Who is disordered neither bounces nor pursues; who routs has no recoil of its own.
    """
    charge = game["charges"][c]
    worst = int(charge["worst"])
    if worst < _DISORDER:
        return
    charge["hit"] = 0
    charge["stayed"] = 0
    if worst > _DISORDER:
        charge["recoil"] = 0
    if worst > _DISORDER or not (charge["company"] or game["head"]["two_rout"]):
        charge["disorders"] = 0


@kernel
def fight(game: Any, dice: Any, c: int, t: int, where: int, ours: int, theirs: int) -> int:
    """Fight one melee: one roll, resolved on its own (HEX-LINE-06); the result, packed.

    A unit spread over several hexes is one stack and one roll (HEX-LINE-07): a line of three hexes
    against a unit on two and a column fights two melees (HEX-LINE-18).
    """
    charge = game["charges"][c]
    target = game["targets"][t]
    top, bottom = melee_value(game, dice, c, t)
    column = game["columns"][odds_column(game, dice, t, top, bottom)]
    code = int(column["band"][band_of(dice, where, FACES, int(column["mask"]))])
    kind, number = code & 7, (code >> 3) & 15
    note(dice, _E_RESULT, int(target["unit"]), code)
    charge["melees"] = int(charge["melees"]) + 1
    worsen(target, _HELD)
    remember(charge, kind, number)
    retreats = suffer(game, dice, t, kind, number)
    if kind == _LOSS:
        take_losses(game, dice, c, t, code, ours, theirs)
    if charge["company"]:
        charge["stayed"] = 0 if retreats else 1
    elif not retreats:
        charge["stayed"] = 1
    drop_what_is_settled(game, c)
    return code


@kernel
def is_broken(game: Any, charge: Any) -> bool:
    """True for a charger that has not stood against cavalry that reacts: it fights no melee."""
    if not charge["reacted"]:
        return False
    return bool(game["units"][int(charge["charger"])]["state"] >= _PGD)


@kernel
def melee_of_line(game: Any, dice: Any, t: int) -> None:
    """A line's melee with one of the stacks it contacted: every one is fought (HEX-LINE-05)."""
    target = game["targets"][t]
    unit = game["units"][int(target["unit"])]
    fight(
        game,
        dice,
        int(target["charge"]),
        t,
        unit_place(_MELEE, unit),
        unit_place(_CHARGER_CHECK, unit),
        unit_place(_TARGET_CHECK, unit),
    )


@kernel
def wave_of_column(game: Any, dice: Any, t: int) -> bool:
    """One wave of a company column, one melee a hex (HEX-COL-01); True when it was the last.

    A stack that recoils, routs or surrenders stops the waves (HEX-COL-05), and so does a charger
    that routs or surrenders (HEX-COL-07). The counters do not move between waves (HEX-COL-03).
    """
    target = game["targets"][t]
    c = int(target["charge"])
    charge = game["charges"][c]
    wave = int(charge["melees"])
    code = fight(
        game,
        dice,
        c,
        t,
        place(_WAVE, charge) + wave,
        place(_WAVE_CHARGER, charge) + wave,
        place(_WAVE_TARGET, charge) + wave,
    )
    kind, number = code & 7, (code >> 3) & 15
    stops = kind == _AR or kind == _AS or kind == _DR or kind == _DS
    if kind == _DD and (number > 0 or game["head"]["dd0_stops"]):
        stops = True
    if game["units"][int(target["unit"])]["state"] >= _PGD:
        stops = True
    left = int(charge["hexes"]) - wave - 1
    if stops and left > 0:
        note(dice, _E_CANCELLED, int(charge["charger"]), left)
    return stops or left <= 0 or wave + 1 >= HEXES


@kernel
def melee(game: Any, dice: Any, t: int) -> bool:
    """The next melee with a stack; True when it was the last one.

    Melees are rolled in the order of the charges, each unit with the state it has by then.
    """
    target = game["targets"][t]
    charge = game["charges"][int(target["charge"])]
    if is_broken(game, charge):
        target["fate"] = _HELD
        return True
    if charge["company"]:
        return wave_of_column(game, dice, t)
    melee_of_line(game, dice, t)
    return True
