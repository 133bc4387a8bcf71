"""What the melees did to the charger: its worst result, disorder, pursuit and recall."""

from __future__ import annotations

from typing import Any

from chargesim.kernels.dice import note
from chargesim.kernels.jit import kernel
from chargesim.rulesets.hex_increment.events import Event
from chargesim.rulesets.hex_increment.rules_move import consolidate_in_head
from chargesim.rulesets.hex_increment.rules_unit import disorder, lose, low_faces_fail, place
from chargesim.rulesets.hex_increment.state import Fate, Place, Severity, State, Word

_RECALL = int(Place.RECALL)
_NONE, _BOUNCE = int(Severity.NONE), int(Severity.BOUNCE)
_DISORDER, _ROUT, _SURRENDER = (
    int(Severity.DISORDER),
    int(Severity.ROUT),
    int(Severity.SURRENDER),
)
_GOOD, _DISORDERED = int(State.GOOD), int(State.DISORDERED)
_PGD, _GONE = int(State.PGD), int(State.GONE)
_NO_CONTACT, _RETIRED = int(Fate.NO_CONTACT), int(Fate.TARGET_RETIRED)
_BROKE_BEFORE, _HELD = int(Fate.TARGET_BROKE_BEFORE_MELEE), int(Fate.TARGET_STOOD)
_T_DISORDERED, _T_BROKE = int(Fate.TARGET_DISORDERED), int(Fate.TARGET_BROKE)
_UNDECIDED, _W_RETIRED, _W_BROKE = (
    int(Word.UNDECIDED),
    int(Word.TARGETS_RETIRED),
    int(Word.TARGETS_BROKE),
)
_W_SURRENDERED, _W_ROUTED = int(Word.CHARGER_SURRENDERED), int(Word.CHARGER_ROUTED)
_W_DISORDERED, _W_BOUNCED = int(Word.CHARGER_DISORDERED), int(Word.BOUNCED)
_W_NO_PURSUIT, _W_RECALLED, _W_PURSUES = (
    int(Word.NO_PURSUIT),
    int(Word.RECALLED),
    int(Word.PURSUES),
)
_E_ALL_GONE, _E_TWO, _E_NO_BOUNCE = (
    int(Event.ALL_GONE),
    int(Event.TWO_DISORDERS),
    int(Event.NO_BOUNCE),
)
_E_BOUNCES, _E_DISORDERED = int(Event.BOUNCES), int(Event.CHARGER_DISORDERED)
_E_ROUTS, _E_SURRENDERS = int(Event.CHARGER_ROUTS), int(Event.CHARGER_SURRENDERS)
_E_FOUGHT, _E_RECALL = int(Event.HAVING_FOUGHT), int(Event.RECALL)
_E_RECALLED, _E_NOT_RECALLED = int(Event.RECALLED), int(Event.NOT_RECALLED)
_E_NARROWS, _E_PROVOKES = int(Event.NARROWS), int(Event.PROVOKES)
_E_PURSUES, _E_NO_PURSUIT = int(Event.PURSUES), int(Event.NO_PURSUIT)
D6 = 6


@kernel
def worst_result(game: Any, dice: Any, c: int) -> int:
    """The worst of a charger's results: blank, AD#, AR, AS (HEX-LINE-10, HEX-COL-08).

    A stack that was hit cancels a bounce (HEX-LINE-12, HEX-COL-10). Two disorders rout a column
    (HEX-COL-09), a line only by the switch line_two_disorders. A bounce has no further effect
    (HEX-SEQ-08).
    """
    charge = game["charges"][c]
    who = int(charge["charger"])
    worst = int(charge["worst"])
    twice = charge["disorders"] == 2 and (charge["company"] or game["head"]["two_rout"])
    if worst == _DISORDER and twice:
        note(dice, _E_TWO, who)
        worst = _ROUT
    if worst == _BOUNCE:
        if charge["hit"]:
            note(dice, _E_NO_BOUNCE, who)
            worst = _NONE
        else:
            note(dice, _E_BOUNCES, who)
    return worst


@kernel
def having_fought(game: Any, dice: Any, c: int) -> None:
    """A line of several hexes that charged and fought is disordered (HEX-LINE-14).

    It does not make PGD of a disorder just taken in the melee, but of one from before the charge.
    A column is not disordered by fighting alone (HEX-COL-13).
    """
    charge = game["charges"][c]
    if charge["company"] or charge["hexes"] < 2:
        return
    who = int(charge["charger"])
    unit = game["units"][who]
    if unit["state"] == _GOOD or (unit["state"] == _DISORDERED and charge["state"] == _DISORDERED):
        note(dice, _E_FOUGHT, who)
        disorder(game, dice, who)


@kernel
def suffers(game: Any, dice: Any, c: int) -> int:
    """Apply the worst result to the charger (HEX-SEQ-09); the severity."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    unit = game["units"][who]
    worst = worst_result(game, dice, c)
    if worst != _DISORDER:
        charge["recoil"] = 0
    if worst == _DISORDER:
        note(dice, _E_DISORDERED, who, int(charge["recoil"]))
        disorder(game, dice, who)
    elif worst == _ROUT:
        unit["state"] = max(int(unit["state"]), _PGD)
        note(dice, _E_ROUTS, who)
    elif worst == _SURRENDER:
        unit["state"] = _GONE
        note(dice, _E_SURRENDERS, who)
    if charge["fell"]:
        lose(game, who, int(charge["fell"]))
    return worst


@kernel
def thrown_back(game: Any, c: int) -> int:
    """What became of the charger as the target of cavalry that reacts; 0 when nobody does."""
    charge = game["charges"][c]
    if charge["reacted"]:
        for t in range(int(game["head"]["targets"])):
            target = game["targets"][t]
            if target["unit"] == charge["charger"]:
                return int(target["fate"])
    return 0


@kernel
def provoke(game: Any, dice: Any, c: int) -> None:
    """That consolidation may provoke opportunity reactions (HEX-LINE-16).

    Of enemies in any order but PGD: who was not charged, retired, or was not contacted.
    """
    charge = game["charges"][c]
    found = int(charge["watched"])
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        target = game["targets"][t]
        if target["fate"] == _RETIRED or target["fate"] == _NO_CONTACT:
            if game["units"][int(target["unit"])]["state"] < _PGD:
                found = 1
    if found:
        charge["provoked"] = 1
        note(dice, _E_PROVOKES, int(charge["charger"]))


@kernel
def consolidate_on_advance(game: Any, dice: Any, c: int) -> None:
    """A line that advances after the charge consolidates to fit its target's hexes (HEX-LINE-15).

    It takes the hexes in front of it of the stacks it fought, by the switch advance_into one alone.
    """
    charge = game["charges"][c]
    if charge["company"] or charge["word"] != _W_PURSUES:
        return
    room = 0
    first = int(charge["first"])
    for t in range(first, first + int(charge["targets"])):
        if game["targets"][t]["fate"] >= _HELD:
            room += int(game["targets"][t]["room"])
    if game["head"]["one_hex"]:
        room = 1
    if room < charge["hexes"]:
        charge["narrowed"] = 1
        note(dice, _E_NARROWS, int(charge["charger"]), room, int(charge["hexes"]))
        provoke(game, dice, c)


@kernel
def result(game: Any, dice: Any, c: int) -> None:
    """Results of a charge once all its melees are rolled, and whether it may pursue.

    It pursues only if all stacks it fought retreat (HEX-LINE-13, HEX-COL-12) and it suffered
    nothing itself, neither as a charger nor from cavalry that reacts.
    """
    charge = game["charges"][c]
    if charge["word"] != _UNDECIDED:
        if charge["reacted"]:
            consolidate_in_head(game, dice, c)
        return
    who = int(charge["charger"])
    thrown = thrown_back(game, c)
    if charge["melees"] == 0 and game["units"][who]["state"] >= _PGD:
        # cavalry that reacts broke it, or took it
        gone = game["units"][who]["state"] == _GONE
        charge["word"] = _W_SURRENDERED if gone else _W_ROUTED
        consolidate_in_head(game, dice, c)
        return
    if charge["melees"] == 0:
        charge["word"] = _W_RETIRED
        first = int(charge["first"])
        for t in range(first, first + int(charge["targets"])):
            target = game["targets"][t]
            if target["contact"] and not target["left"] and target["fate"] == _BROKE_BEFORE:
                charge["word"] = _W_BROKE
        note(dice, _E_ALL_GONE, who)
        if thrown:
            consolidate_in_head(game, dice, c)
        return
    worst = suffers(game, dice, c)
    pursues = worst == _NONE and charge["stayed"] == 0 and charge["wants_pursuit"] == 1
    if not game["head"]["pursue_first"]:
        having_fought(game, dice, c)
    state = int(game["units"][who]["state"])
    pursues = pursues and state < _PGD and thrown < _T_DISORDERED
    if worst == _SURRENDER or state == _GONE:
        charge["word"] = _W_SURRENDERED
    elif worst == _ROUT or thrown == _T_BROKE:
        charge["word"] = _W_ROUTED
    elif worst == _DISORDER:
        charge["word"] = _W_DISORDERED
    elif worst == _BOUNCE:
        charge["word"] = _W_BOUNCED
    else:
        charge["word"] = _W_PURSUES if pursues else _W_NO_PURSUIT
        note(dice, _E_PURSUES if pursues else _E_NO_PURSUIT, who)
    if game["head"]["pursue_first"]:
        having_fought(game, dice, c)
    consolidate_in_head(game, dice, c)
    if charge["recall"] == 0:
        consolidate_on_advance(game, dice, c)


@kernel
def recall(game: Any, dice: Any, c: int) -> None:
    """Recall the whole unit after its melees, never a part of it (HEX-LINE-17)."""
    charge = game["charges"][c]
    who = int(charge["charger"])
    least = int(charge["recall"])
    if charge["melees"] == 0 or game["units"][who]["state"] >= _PGD:
        # it cannot hear it
        consolidate_on_advance(game, dice, c)
        return
    note(dice, _E_RECALL, who, least)
    if low_faces_fail(dice, place(_RECALL, charge), D6, least - 1):
        charge["recalled"] = 1
        if charge["word"] == _W_PURSUES:
            charge["word"] = _W_RECALLED
        note(dice, _E_RECALLED, who)
    else:
        note(dice, _E_NOT_RECALLED, who)
        consolidate_on_advance(game, dice, c)


@kernel
def forget(game: Any) -> None:
    """Drop what led to the outcome, so that equal ends are equal states."""
    head = game["head"]
    for c in range(int(head["charges"])):
        charge = game["charges"][c]
        charge["worst"] = 0
        charge["disorders"] = 0
        charge["hit"] = 0
        charge["stayed"] = 0
        charge["fell"] = 0
        charge["steps"] = 0
    for u in range(int(head["units"])):
        game["units"][u]["in_square"] = 0
