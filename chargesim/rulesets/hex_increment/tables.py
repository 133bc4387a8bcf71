"""Tables of numbers that users bring: read, checked and brought to one form.

The rules name a melee table, a square table and others without giving them. Each is a TOML file
with its provenance. Faults and warnings carry the codes of the specification, E01 to W12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from chargesim.rulesets.hex_increment.state import (
    CHANCE,
    COLUMNS,
    FACES,
    FIRE,
    Result,
    State,
    packed,
)

NAMES = ("melee", "square", "stand", "recall", "retire", "fire")
"""Tables of a scenario."""
PROVENANCE = ("source", "edition", "transcribed_by", "verified")
ILLUSTRATIVE = "ILLUSTRATIVE - not any published table"
SIDES = 6
MOST_NUMBER = 15
SQUARE_RESULTS = {"SQUARE": State.GOOD, "DISORDER": State.DISORDERED, "ROUT": State.PGD}
FAIL_RESULTS = {"PGD": State.PGD, "DISORDERED": State.DISORDERED}
_RESULT = re.compile(r"(AD|DD)(\d*)|(AR|DR|AS|DS|BLANK)|(\d+)(\*?)/(\d+)(\*?)")
_KINDS = {kind.name: kind for kind in Result}
Report = Callable[[str], None]


def index(face: int) -> int:
    """Place of a D66 face among the 36, from 1."""
    tens, ones = divmod(face, 10)
    return SIDES * (tens - 1) + ones


def face_of(place: int) -> int:
    """Face of a D66 by its place, from 1."""
    tens, ones = divmod(place - 1, SIDES)
    return 10 * (tens + 1) + ones + 1


def shifted(face: int, steps: int) -> int:
    """A face moved by base-six steps, no further than 11 or 66."""
    return face_of(min(max(index(face) + steps, 1), FACES))


def is_face(value: Any) -> bool:
    """True for two digits from 1 to 6."""
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    tens, ones = divmod(value, 10)
    return 1 <= tens <= SIDES and 1 <= ones <= SIDES


def result_code(text: str, default_recoil: int | None) -> int | str:
    """A result of the melee table, packed; the fault's code and words when it is none."""
    match = _RESULT.fullmatch(text)
    if match is None:
        return (
            f"E05: {text!r} is no result: one of BLANK, AD1, DD2, AR, DR, AS, DS, "
            "or losses such as 1*/2"
        )
    if match[1]:
        if not match[2] and default_recoil is None:
            return f"E09: {text} has no number: write {text}1, or default_recoil in the table"
        number = int(match[2]) if match[2] else int(default_recoil or 0)
        if number > MOST_NUMBER:
            return f"E05: {text} recoils too far: at most {MOST_NUMBER} hexes"
        return packed(_KINDS[match[1]], number)
    if match[3]:
        return packed(_KINDS[match[3]])
    ours, theirs = int(match[4]), int(match[6])
    if max(ours, theirs) > MOST_NUMBER:
        return f"E05: {text} loses too many: at most {MOST_NUMBER} increments"
    return packed(Result.LOSS, ours, theirs, bool(match[5]) | bool(match[7]) << 1)


def result_text(code: int) -> str:
    """A packed result as the table writes it."""
    kind, number = Result(code & 7), (code >> 3) & 15
    if kind in (Result.AD, Result.DD):
        return f"{kind.name}{number}"
    if kind is Result.LOSS:
        ours, theirs = "*" * (code >> 11 & 1), "*" * (code >> 12 & 1)
        return f"{number}{ours}/{code >> 7 & 15}{theirs}"
    return kind.name


def is_loss(code: int) -> bool:
    """True for a packed result that costs increments."""
    return code & 7 == _LOSS


_LOSS = int(Result.LOSS)


def faces(
    bands: Any, where: str, report: Report, read: Callable[[str], int | str]
) -> list[int] | None:
    """Meaning of each of the 36 faces from bands of them; ``None`` when there was a fault.

    Parameters
    ----------
    bands
        List of tables with ``from``, ``to`` and ``result``.
    where
        What column or row it is, for messages.
    report
        Takes a fault.
    read
        Result text to its number, or the words of its fault.
    """
    found: list[int | None] = [None] * FACES
    by: list[int] = [0] * FACES
    sound = True

    def fault(text: str) -> None:
        nonlocal sound
        sound = False
        report(text)

    if not isinstance(bands, list) or not all(isinstance(band, Mapping) for band in bands):
        report(f"{where}: is no list of bands: write [{{ from = 11, to = 66, result = ... }}]")
        return None
    for number, band in enumerate(bands, 1):
        row = f"{where}, row {number}"
        ends = band.get("from"), band.get("to")
        wrong = [end for end in ends if not is_face(end)]
        for end in wrong:
            fault(f"E01: {row}: face {end!r} is none: two digits from 1 to 6, 11 to 66")
        code = read(str(band.get("result", "")))
        if isinstance(code, str):
            fault(f"{code[:4]} {row}, face {ends[0]!r}: {code[5:]}")
        if wrong:
            continue
        first, last = index(int(ends[0])), index(int(ends[1]))
        if first > last:
            fault(f"E02: {row}: from face {ends[0]} to {ends[1]} runs backwards: exchange them")
            continue
        for place in range(first, last + 1):
            if by[place - 1]:
                fault(
                    f"E04: {row}: face {face_of(place)} is covered already by "
                    f"row {by[place - 1]}: each face once"
                )
                continue
            by[place - 1] = number
            found[place - 1] = code if isinstance(code, int) else 0
    if sound and None in found:
        holes = [face_of(place) for place in range(1, FACES + 1) if found[place - 1] is None]
        shown = ", ".join(map(str, holes[:6])) + (" and more" if len(holes) > 6 else "")
        many = "s" if len(holes) > 1 else ""
        fault(f"E03: {where}: face{many} {shown} not covered: give every face 11 to 66 a result")
    return [int(code or 0) for code in found] if sound else None


def ratio(value: Any) -> Fraction | None:
    """A least ratio such as ``"3/2"``, ``"3:2"`` or 1.5; ``None`` when it is none."""
    try:
        text = str(value).replace(":", "/")
        found = Fraction(text) if not isinstance(value, bool) else Fraction(0)
    except (ValueError, ZeroDivisionError):
        return None
    found = found.limit_denominator(1000)
    return found if 0 < found <= 1000 else None


def provenance(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Where a table comes from (E08 when it does not say)."""
    given = table.get("provenance")
    if not isinstance(given, Mapping) or any(key not in given for key in PROVENANCE):
        lacks = [key for key in PROVENANCE if not isinstance(given, Mapping) or key not in given]
        report(f"E08: [provenance] lacks {', '.join(lacks)}: say where the table comes from")
        return {}
    return {key: given[key] for key in PROVENANCE}


def known(table: Mapping[str, Any], keys: tuple[str, ...], report: Report) -> None:
    """Report keys that a table does not have."""
    for key in table:
        if key not in (*keys, "provenance"):
            report(f"{key}: unknown key: one of {', '.join(keys)}")


def melee(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Melee and assault table: columns by ratio, a result for each face."""
    known(
        table,
        ("dice", "ratio_rounding", "below_first", "default_recoil", "columns", "rows"),
        report,
    )
    for key, values in (
        ("dice", ("d66",)),
        ("ratio_rounding", ("floor",)),
        ("below_first", ("clamp", "reject")),
    ):
        if table.get(key, values[0]) not in values:
            report(f"{key}: {table[key]!r} is not one of {', '.join(values)}")
    default = table.get("default_recoil")
    recoil = default if isinstance(default, int) and 0 <= default <= MOST_NUMBER else None
    columns, rows = table.get("columns"), table.get("rows", {})
    if not isinstance(columns, list) or not columns or not isinstance(rows, Mapping):
        report('columns: write columns = [{ id = "1:1", min_ratio = "1/1" }] and [rows]')
        return {}
    if len(columns) > COLUMNS:
        report(f"columns: {len(columns)} are too many: at most {COLUMNS}")
    found: list[dict[str, Any]] = []
    for number, column in enumerate(columns, 1):
        name = str(column.get("id", number)) if isinstance(column, Mapping) else str(number)
        least = ratio(column.get("min_ratio")) if isinstance(column, Mapping) else None
        if name in [other["id"] for other in found]:
            report(f"E07: column {name} stands twice: keep one")
            continue
        if least is None:
            report(f'column {name}: min_ratio is no ratio above 0: write min_ratio = "3/2"')
            continue
        if found and least <= Fraction(*found[-1]["ratio"]):
            report(
                f"E06: column {name}: ratio {least} is not above {found[-1]['id']}'s: "
                "columns rise strictly"
            )
        codes = faces(
            rows.get(name, []), f"column {name}", report, lambda text: result_code(text, recoil)
        )
        found.append(
            {
                "id": name,
                "ratio": [least.numerator, least.denominator],
                "faces": codes or [0] * FACES,
            }
        )
    for name in rows:
        if name not in [column["id"] for column in found]:
            report(f"rows.{name}: is no column of the table")
    return {"columns": found, "below_first": table.get("below_first", "clamp")}


def _worth(code: int) -> tuple[int, int]:
    """How good a result is for the charger: greater is better."""
    kind, number = Result(code & 7), (code >> 3) & 15
    order = (Result.AS, Result.AR, Result.AD, Result.BLANK, Result.DD, Result.DR, Result.DS)
    if kind is Result.LOSS:
        return order.index(Result.BLANK), 0
    sign = -number if kind is Result.AD else number
    return order.index(kind), sign


def warnings(columns: list[dict[str, Any]]) -> list[str]:
    """What looks wrong in a sound melee table (W10 to W12)."""
    found = []
    for low, high in pairwise(columns):
        levels = sorted({_worth(code) for code in (*low["faces"], *high["faces"])})
        for level in levels:
            worse = [sum(_worth(code) <= level for code in one["faces"]) for one in (low, high)]
            if worse[1] > worse[0]:
                shown = next(
                    result_text(code)
                    for code in (*low["faces"], *high["faces"])
                    if _worth(code) == level
                )
                found.append(
                    f"W10: column {high['id']} is worse for the charger than {low['id']}: "
                    f"{shown} or worse on {worse[1]} faces against {worse[0]}"
                )
                break
    for code, column, kinds in (
        ("W11", columns[-1], (Result.AS, Result.AR)),
        ("W12", columns[0], (Result.DR, Result.DS)),
    ):
        seen = [place for place, c in enumerate(column["faces"], 1) if Result(c & 7) in kinds]
        if seen:
            what = result_text(column["faces"][seen[0] - 1])
            which = "last" if code == "W11" else "first"
            found.append(
                f"{code}: column {column['id']}, face {face_of(seen[0])}: {what} in the {which} one"
            )
    return found


def square(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Square formation: by class, formation and distance a result for each face; low is good."""
    known(table, ("row", "modifiers"), report)
    found = []
    for number, row in enumerate(_rows(table, report), 1):
        distance = row.get("distance")
        if distance not in (1, 2, 3, 4):
            report(f"row {number}: distance {distance!r} is none: 1 to 4 hexes")
            continue
        name = f"row {number} ({row.get('class', '*')}, {row.get('formation', '*')}, {distance})"

        def read(text: str) -> int | str:
            if text in SQUARE_RESULTS:
                return int(SQUARE_RESULTS[text])
            return f"E05: {text!r} is no result: one of {', '.join(SQUARE_RESULTS)}"

        codes = faces(row.get("bands", []), name, report, read)
        found.append(
            {
                "class": str(row.get("class", "*")),
                "formation": str(row.get("formation", "*")),
                "distance": distance,
                "faces": codes or [0] * FACES,
            }
        )
    return {"rows": found, "modifiers": _steps(table, report)}


def _rows(table: Mapping[str, Any], report: Report) -> list[Mapping[str, Any]]:
    rows = table.get("row")
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        report("row: is missing: write one [[row]] or more")
        return []
    return rows


def _steps(table: Mapping[str, Any], report: Report) -> dict[str, int]:
    given = table.get("modifiers", {})
    if not isinstance(given, Mapping):
        report("modifiers: is no table: write [modifiers] above NAME = steps")
        return {}
    for name, steps in given.items():
        if isinstance(steps, bool) or not isinstance(steps, int) or abs(steps) > FACES:
            report(f"modifiers.{name}: {steps!r} is no number of steps: -{FACES} to {FACES}")
    return {str(name): steps for name, steps in given.items() if isinstance(steps, int)}


def stand(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Modifiers of the roll to stand, and what failing it means."""
    known(table, ("fail_result", "modifiers"), report)
    fail = table.get("fail_result", "PGD")
    if fail not in FAIL_RESULTS:
        report(f"E05: fail_result: {fail!r} is not one of {', '.join(FAIL_RESULTS)}")
        fail = "PGD"
    return {"fail_result": fail, "modifiers": _steps(table, report)}


def recall(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Least face of a D6 that recalls cavalry, by class."""
    known(table, ("classes", "leader"), report)
    classes = table.get("classes", {})
    if not isinstance(classes, Mapping) or not classes:
        report('classes: is missing: write [classes] and "*" = 3')
        return {}
    for name, least in classes.items():
        if isinstance(least, bool) or not isinstance(least, int) or not 1 <= least <= 7:
            report(f"classes.{name}: {least!r} is no face: 1 to 6, or 7 for never")
    leader = table.get("leader", 0)
    if isinstance(leader, bool) or not isinstance(leader, int) or abs(leader) > SIDES:
        report(f"leader: {leader!r} is no modifier: -6 to 6")
    return {"classes": {str(k): v for k, v in classes.items()}, "leader": leader}


def parts(p: Any) -> int | None:
    """A chance in whole parts of :data:`CHANCE`; ``None`` when it is none."""
    if isinstance(p, bool) or not isinstance(p, (int, float, str)):
        return None
    try:
        exact = Fraction(str(p))
    except (ValueError, ZeroDivisionError):
        return None
    return round(exact * CHANCE) if 0 <= exact <= 1 else None


def retire(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Who may retire before a charge, and with what chance."""
    known(table, ("row",), report)
    found = []
    for number, row in enumerate(_rows(table, report), 1):
        p = parts(row.get("p", 1))
        if p is None:
            report(f"row {number}: p {row.get('p')!r} is no chance: 0 to 1")
            continue
        found.append(
            {
                "formation": str(row.get("formation", "*")),
                "shelter": bool(row.get("shelter", False)),
                "p": p,
            }
        )
    return {"rows": found}


def losses(pmf: Any, report: Report, where: str) -> list[int]:
    """Chances of 0, 1, 2 … increments lost, in parts of :data:`CHANCE`."""
    parted = [parts(p) for p in pmf] if isinstance(pmf, list) else [None]
    if any(p is None for p in parted) or not 1 <= len(parted) <= FIRE + 1:
        report(f"{where}: is no list of 1 to {FIRE + 1} chances: write [0.75, 0.25]")
        return [CHANCE]
    whole = sum(p or 0 for p in parted)
    if abs(whole - CHANCE) > len(parted):
        report(f"{where}: the chances add up to {whole / CHANCE:g}, not to 1")
        return [CHANCE]
    found = [int(p or 0) for p in parted]
    found[0] += CHANCE - whole
    return found


def fire(table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Chance of each number of increments lost to defensive fire, by class."""
    known(table, ("classes",), report)
    classes = table.get("classes", {})
    if not isinstance(classes, Mapping):
        report('classes: is missing: write [classes] and "*" = [1.0]')
        return {}
    return {
        "classes": {
            str(name): losses(pmf, report, f"classes.{name}") for name, pmf in classes.items()
        }
    }


READERS: dict[str, Callable[[Mapping[str, Any], Report], dict[str, Any]]] = {
    "melee": melee,
    "square": square,
    "stand": stand,
    "recall": recall,
    "retire": retire,
    "fire": fire,
}


def read(name: str, table: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A table in its one form, and its faults.

    Parameters
    ----------
    name
        One of :data:`NAMES`.
    table
        Content of its file.

    Returns
    -------
    tuple
        The table with ``provenance``, ``illustrative`` and ``warnings``; the faults, each with its
        code where it has one.
    """
    faults: list[str] = []
    origin = provenance(table, faults.append)
    found = READERS[name](table, faults.append)
    found["provenance"] = origin
    found["illustrative"] = origin.get("source") == ILLUSTRATIVE
    found["warnings"] = (
        warnings(found["columns"]) if name == "melee" and not faults and found else []
    )
    return found, faults
