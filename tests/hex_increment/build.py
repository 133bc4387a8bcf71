"""Small scenarios, their exact solutions in fractions, and trials with chosen dice."""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from chargesim.engine.exact import solve_fractions
from chargesim.kernels.dice import MASK_BITS, Mode, Node, new_dice
from chargesim.rulesets.hex_increment import state as st
from chargesim.rulesets.hex_increment import tables
from chargesim.rulesets.hex_increment.rules_melee import melee_value
from chargesim.scenario import Scenario

MAP: dict[str, Any] = {"extent": {"q": [-12, 12], "r": [-12, 12]}}
CAVALRY: dict[str, Any] = {
    "side": "active",
    "hexes": [[0, 0]],
    "facing": 0,
    "increments": 8,
    "melee": 24,
    "morale": 36,
}
INFANTRY: dict[str, Any] = {
    "side": "reactive",
    "kind": "infantry",
    "formation": "line",
    "facing": 3,
    "hexes": [[3, 0]],
    "increments": 4,
    "melee": 12,
    "morale": 36,
}
STEADY: dict[str, Any] = {"morale": 16, "stand_modifier": 6}
"""Who always stands."""
RESULTS = ("AS", "AR", "AD2", "AD1", "BLANK", "DD0", "DD1", "DD2", "DR", "DS", "2/1", "1*/1*")
ALL_RESULTS: dict[str, Any] = {
    "columns": [{"id": "all", "min_ratio": 1}],
    "rows": {
        "all": [
            *(
                {"from": tables.face_of(i), "to": tables.face_of(i), "result": result}
                for i, result in enumerate(RESULTS, 1)
            ),
            {"from": 31, "to": 66, "result": "BLANK"},
        ]
    },
    "provenance": {"source": "test", "edition": "-", "transcribed_by": "-", "verified": True},
}
"""A melee table with one column in which every result has a face of its own."""


def face(result: str) -> int:
    """Face of a result in :data:`ALL_RESULTS`."""
    return tables.face_of(RESULTS.index(result) + 1)


def row(facing: int, hexes: int, at: tuple[int, int] = (0, 0)) -> list[list[int]]:
    """Hexes of a line from right to left."""
    from chargesim.rulesets.hex_increment.hexes import moved

    return [list(moved(at, facing + 2, i)) for i in range(hexes)]


def charge(
    cavalry: dict[str, Any] | None = None,
    infantry: dict[str, Any] | None = None,
    *,
    more: dict[str, dict[str, Any]] | None = None,
    without: str = "",
    **others: Any,
) -> dict[str, Any]:
    """Tables of a file: ``cav`` charges ``inf`` three hexes ahead, with changes.

    Parameters
    ----------
    cavalry, infantry
        What differs from one hex of cavalry, and from a line of infantry.
    more
        Further units.
    others
        Further tables; ``charge`` holds what differs from a plain charge on ``inf``.
    """
    given = others.pop("charge", {})
    built: dict[str, Any] = {
        "ruleset": "hex_increment",
        "map": deepcopy(others.pop("map", MAP)),
        "unit": {
            "cav": {**CAVALRY, **(cavalry or {})},
            "inf": {**INFANTRY, **(infantry or {})},
            **(more or {}),
        },
        "charge": [{"charger": "cav", "targets": ["inf"], **given}],
        **others,
    }
    return built


def line(
    stacks: int, melee: float = 48, *, hexes: int | None = None, **others: Any
) -> dict[str, Any]:
    """A line that faces 5 two hexes before a row of steady stacks ``s1``, ``s2`` … of D 12.

    Each stack lies in front of hexes of its own: a stack is two hexes of one unit.
    """
    size = hexes or 2 * stacks
    units: dict[str, Any] = {
        "cav": {
            **CAVALRY,
            "facing": 5,
            "hexes": row(5, size),
            "melee": melee,
            "increments": 4 * size,
            **others.pop("cavalry", {}),
        }
    }
    for i in range(stacks):
        # two steps ahead, along direction 5, of the line's hexes 2i and 2i + 1
        hexes_of = [[2 * i, 2 - 2 * i], [2 * i + 1, 1 - 2 * i]]
        units[f"s{i + 1}"] = {**INFANTRY, **STEADY, "facing": 2, "hexes": hexes_of}
    for name, changes in others.pop("units", {}).items():
        units[name] = {**units.get(name, {}), **changes}
    given = others.pop("charge", {})
    names = [f"s{i + 1}" for i in range(stacks)]
    return {
        "ruleset": "hex_increment",
        "map": deepcopy(MAP),
        "unit": units,
        "charge": [{"charger": "cav", "targets": names, "path": [[0, 1]], **given}],
        **others,
    }


def column(waves: int, melee: float = 33, defence: float = 11, **others: Any) -> dict[str, Any]:
    """A company column three hexes from a steady stack."""
    return charge(
        {
            "formation": "company_column",
            "hexes": [[-i, 0] for i in range(waves)],
            "melee": melee,
            "increments": 4 * waves,
            **others.pop("cavalry", {}),
        },
        {**STEADY, "melee": defence, **others.pop("infantry", {})},
        **others,
    )


@dataclass(frozen=True)
class Solved:
    """Exact chances of words and values."""

    charges: list[dict[str, Fraction]]
    combats: dict[str, dict[str, Fraction]]
    units: dict[str, dict[str, Fraction]]
    joint: dict[Any, Fraction]

    @property
    def word(self) -> dict[str, Fraction]:
        """Words of the first charge."""
        return self.charges[0]


def solved(file: dict[str, Any]) -> Solved:
    """A scenario solved in fractions; ``joint`` is by (word, charger's recoil, melees, fates)."""
    scenario = Scenario(**file)
    charges: dict[int, dict[str, Fraction]] = {}
    combats: dict[str, dict[str, Fraction]] = {}
    units: dict[str, dict[str, Fraction]] = {}
    joint: dict[Any, Fraction] = defaultdict(Fraction)
    for part in scenario.parts:
        tally = solve_fractions(part)
        assert sum(tally.fractions) == 1
        reading = part.read(tally.states)
        for many, views in ((charges, reading.charges), (combats, reading.combats)):
            for key, view in views.items():
                found: dict[str, Fraction] = defaultdict(Fraction)
                for i, p in enumerate(tally.fractions):
                    found[view.words[int(view.codes[i])]] += p
                    for name, quantity in view.quantities.items():
                        if quantity.arises is None or quantity.arises[i]:
                            found[f"{name}={int(quantity.values[i])}"] += p
                    for name, flag in view.flags.items():
                        found[name] += p * int(flag[i])
                many[key] = dict(found)  # type: ignore[index]  # one kind of key each
        for name, view in reading.units.items():
            found = defaultdict(Fraction)
            for i, p in enumerate(tally.fractions):
                found[view.words[int(view.codes[i])]] += p
            units[name] = dict(found)
        for i, p in enumerate(tally.fractions):
            for view in reading.charges.values():
                key = (
                    view.words[int(view.codes[i])],
                    int(view.quantities["charger_recoil"].values[i]),
                    int(view.quantities["melees"].values[i]),
                    tuple(v.words[int(v.codes[i])] for v in reading.combats.values()),
                )
                joint[key] += p
    return Solved([charges[i] for i in sorted(charges)], combats, units, dict(joint))


@dataclass(frozen=True)
class Played:
    """A trial with chosen dice."""

    word: str
    fates: dict[str, str]
    states: dict[str, str]
    recoil: dict[str, int]
    charger_recoil: int
    melees: int
    asked: list[str]
    flags: dict[str, bool]
    lost: int
    values: list[tuple[str, Fraction]]


_PLACES = {place.value: place.name.lower() for place in st.Place}
_UNIT_PLACES = {place.value: place.name.lower() for place in st.UnitPlace}


def _question(part: Any, place: int) -> str:
    """What a chance node is about, such as ``wave.1``, ``change.0`` or ``stand.inf``."""
    border = st.CHARGES * st.NAMES
    if place < border:
        name = place % st.NAMES
        base = max(p for p in _PLACES if p <= name)
        return f"{_PLACES[base]}.{name - base}" if _PLACES[base] != "recall" else "recall"
    number, name = divmod(place - border, st.UNIT_NAMES)
    base = max(p for p in _UNIT_PLACES if p <= name)
    units = part.game()["units"][0]["number"]
    return f"{_UNIT_PLACES[base]}.{part.units[int(np.flatnonzero(units == number)[0])]}"


def played(file: dict[str, Any], rolls: dict[str, int] | None = None, number: int = 0) -> Played:
    """Play a trial with the faces given; what is not given rolls its highest face.

    Parameters
    ----------
    file
        Tables of the scenario.
    rolls
        Question (as in ``asked``) to D66 face, D6 face for a recall, or outcome of a plain chance.
    number
        Which part.
    """
    part = Scenario(**file).parts[number]
    step, _ = part.ruleset.kernels()
    game = part.game()
    dice = new_dice(Mode.ENUMERATE)[0]
    words = game.view(np.uint64)
    asked: list[str] = []
    values: list[tuple[str, Fraction]] = []
    while not game["head"]["done"][0]:
        before = words.copy()
        head = game["head"][0]
        if head["phase"] == st.Phase.MELEE:
            target = game["targets"][0, head["turn"]]
            value = melee_value(game[0], dice, target["charge"], head["turn"])
            values.append((part.units[target["unit"]], Fraction(*map(int, value)) / st.VALUE))
        tape: list[int] = []
        while True:
            words[:] = before
            dice["asked"], dice["depth"], dice["wanting"] = 0, len(tape), 0
            dice["tape"][: len(tape)] = tape
            step(game[0], dice)
            if not dice["wanting"]:
                break
            kind, n, a, b, place = (int(x) for x in dice["pending"])
            question = _question(part, place)
            asked.append(question)
            given = (rolls or {}).get(question)
            if kind == Node.BANDS:
                sides = n
                index = sides if given is None else tables.index(given) if sides > 10 else given
                mask = a | b << MASK_BITS
                tape.append(sum(mask >> i & 1 for i in range(1, index)))
            else:
                tape.append(1 if given is None else given)
    reading = part.read(words[part.live][None, :])
    view = next(iter(reading.charges.values()))
    return Played(
        view.words[int(view.codes[0])],
        {name: v.words[int(v.codes[0])] for name, v in reading.combats.items()},
        {name: v.words[int(v.codes[0])] for name, v in reading.units.items()},
        {name: int(v.quantities["recoil"].values[0]) for name, v in reading.combats.items()},
        int(view.quantities["charger_recoil"].values[0]),
        int(view.quantities["melees"].values[0]),
        asked,
        {name: bool(flag[0]) for name, flag in view.flags.items()},
        int(view.quantities["increments_lost"].values[0]),
        values,
    )
