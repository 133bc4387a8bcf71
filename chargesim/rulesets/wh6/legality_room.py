"""Whether all who charge a unit find room on its sides (WH6-CHG-05, WH6-CC-05).

The same lines as in the rule text, with the models at the start: chargers side by side in order of
declaration, whoever fights the target already first, their line centred on the side they strike.
"""

from __future__ import annotations

from dataclasses import dataclass

from chargesim.faults import Fault
from chargesim.rulesets.wh6.legality_charges import compelled
from chargesim.rulesets.wh6.scenario import Model, Unit


@dataclass(frozen=True)
class _Place:
    """A unit in a line: where the file says so, its name and its width in mm."""

    path: str
    name: str
    width: int


def check_room(model: Model) -> list[Fault]:
    """Faults of charges for which a side of their target has no room."""
    lines: dict[tuple[str, str, int], list[_Place]] = {}
    flanked: dict[str, int] = {}
    for path, charger, target, arc in _charges(model):
        unit = model.unit.get(charger)
        if unit is None or target not in model.unit or charger == target:
            continue
        turn = 0
        if arc == "flank":  # the two flanks in turn
            turn = flanked.get(target, 0) % 2
            flanked[target] = flanked.get(target, 0) + 1
        line = lines.setdefault((target, arc, turn), [])
        line.append(_Place(path, charger, _front(unit) * (unit.base or 0)))
    faults = []
    for (target, arc, _), line in lines.items():
        faults += _check_line(target, arc, line, model)
    return faults


def _charges(model: Model) -> list[tuple[str, str, str, str]]:
    """Path, charger, target and arc of all who charge or stand in a fight, in their order."""
    found, seen = [], set()
    for i, charge in enumerate(model.charge):
        if charge.charger not in seen:  # a second charge of a unit is a fault of its own
            found.append((f"charge.{i}", charge.charger, charge.target, str(charge.arc)))
            seen.add(charge.charger)
    for name, place in compelled(model).items():
        way = model.unit[name].may_reach[place]
        found.append((f"unit.{name}.may_reach.{place}", name, way.target, str(way.arc)))
    standing = []
    for target in dict.fromkeys(target for _, _, target, _ in found):
        opponent = model.unit[target].engaged if target in model.unit else False
        if isinstance(opponent, str):
            standing.append((f"unit.{target}.engaged", opponent, target, "front"))
    return standing + found


def _front(unit: Unit) -> int:
    """Models in the front rank; a lance is three wide (WH6-ARMY-04)."""
    width = 3 if "bretonnian_lance" in unit.rules else unit.width or 1
    return int(min(width, unit.models))


def _check_line(target: str, arc: str, line: list[_Place], model: Model) -> list[Fault]:
    unit = model.unit[target]
    front = _front(unit)
    along = -(-unit.models // front) if arc == "flank" else front
    side = along * (unit.base or 0)
    whole = sum(place.width for place in line)
    faults, start = [], -whole
    for place in line:  # in half millimetres from the middle of the side
        end = start + 2 * place.width
        if start > side or end < -side:
            widths = ", ".join(f"{other.name} {other.width}" for other in line)
            faults.append(
                Fault(
                    place.path,
                    f"no room on the {arc} of {target!r} for {place.name!r} (WH6-CHG-05): a line "
                    f"of {whole} mm ({widths}) on a side of {side} mm",
                    "leave out a charge, declare it from another side, or draw up fewer in front",
                )
            )
        start = end
    return faults
