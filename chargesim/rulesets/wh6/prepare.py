"""From the words of a wh6 scenario file to those of its model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chargesim.faults import Fault
from chargesim.rulesets.wh6.scenario import SPANISH


def prepare(data: dict[str, Any], base: Path) -> tuple[dict[str, Any], list[Fault]]:
    """Bring a file's words into the model's form.

    Spanish statistics get their English names; mixed ones are a fault, as is what this version does
    not play, and statistics that only a chariot with a crew may leave out.

    Parameters
    ----------
    data
        The tables of the file; not changed.
    base
        Folder of the file; wh6 reads no further ones.

    Returns
    -------
    tuple
        The tables with English names, and the faults found.
    """
    faults: list[Fault] = []
    data = dict(data)
    units = data.get("unit")
    if isinstance(units, dict):
        data["unit"] = {
            str(name): _prepare_unit(str(name), unit, faults) if isinstance(unit, dict) else unit
            for name, unit in units.items()
        }
    charges = data.get("charge")
    if isinstance(charges, list):
        data["charge"] = [
            _prepare_charge(i, c, faults) if isinstance(c, dict) else c
            for i, c in enumerate(charges)
        ]
    return data, faults


def _prepare_unit(name: str, unit: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    path = f"unit.{name}"
    unit = dict(unit)
    spanish = [k for k in SPANISH if k in unit]
    english = [v for v in SPANISH.values() if v in unit]
    if spanish and english:
        faults.append(
            Fault(
                path,
                f"mixes Spanish statistics ({', '.join(spanish)}) with English ones "
                f"({', '.join(english)}): write all of M HA HP F R H I A L or all of M "
                "WS BS S T W I A Ld",
            )
        )
    for old in spanish:
        value = unit.pop(old)
        unit.setdefault(SPANISH[old], value)
    table = unit.get("chariot")
    crewed = isinstance(table, dict) and isinstance(table.get("crew"), dict)
    if not crewed:
        names = {v: k for k, v in SPANISH.items()} if spanish else {}
        for key in ("WS", "BS", "I", "A", "Ld"):
            if unit.get(key) is None:
                name_shown = names.get(key, key)
                least = 1 if key == "Ld" else 0
                faults.append(
                    Fault(f"{path}.{name_shown}", f"is missing: a whole number from {least} to 10")
                )
    return unit


def _prepare_charge(i: int, charge: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    charge = dict(charge)
    estimate = [key for key in ("mean", "sd") if key in charge]
    if estimate:
        faults.append(
            Fault(
                f"charge.{i}.distance",
                f"both forms of a distance are given ({' and '.join(['distance', *estimate])})"
                if "distance" in charge
                else f"{' and '.join(estimate)} stand outside the distance",
                remedy="write distance = 20, or distance = { mean = 34, sd = 3 }",
            )
        )
        for key in estimate:
            del charge[key]
        charge.setdefault("distance", 1)
    elif "distance" not in charge:
        faults.append(
            Fault(
                f"charge.{i}.distance",
                "is missing",
                "write distance = 20, or distance = { mean = 34, sd = 3 }",
            )
        )
    return charge
