"""Tables and results of the hex ruleset: odds, the grammar of results, states, shares.

The numbers are ILLUSTRATIVE - not any published table.
"""

import re
from fractions import Fraction

from oracles.naive_hex_dice import FACES, as_fraction, index_of

# ---------------------------------------------------------------- states


def disorder(state):
    """HEX state ladder: GOOD, DISORDERED, PGD; a second disorder is PGD (2.1)."""
    return {"GOOD": "DISORDERED", "DISORDERED": "PGD", "PGD": "PGD", "GONE": "GONE"}[state]


def rout(state):
    """HEX-SEQ-09: a rout is PGD, whatever the state was."""
    return "GONE" if state == "GONE" else "PGD"


def defender_state(state, result):
    """HEX-COL-04, HEX-SEQ-05, HEX-SEQ-09: state of a defender that takes this result."""
    kind = result[0]
    if kind == "DD":
        return disorder(state)
    if kind == "DR":
        return rout(state)
    if kind == "DS":
        return "GONE"
    return state


# ---------------------------------------------------------------- results


def parse_result(text, default_recoil=None):
    """HEX-SEQ-07, HEX-SEQ-09: (kind, number) of a cell; losses are (a, check, d, check) (2.5)."""
    if text == "BLANK":
        return ("BLANK", None)
    if text in ("AR", "AS", "DR", "DS"):
        return (text, None)
    found = re.fullmatch(r"(AD|DD)(\d*)", text)
    if found:
        if found[2] != "":
            return (found[1], int(found[2]))
        if default_recoil is None:
            raise ValueError(f"{text} needs a number or a default recoil")
        return (found[1], default_recoil)
    found = re.fullmatch(r"(\d+)(\*?)/(\d+)(\*?)", text)
    if found:
        return ("LOSS", (int(found[1]), found[2] == "*", int(found[3]), found[4] == "*"))
    raise ValueError(f"unknown result {text}")


def text_of(result):
    """A result as it is written in a cell; a dash for none."""
    if result is None:
        return "-"
    kind, number = result
    if kind == "LOSS":
        a, a_check, d, d_check = number
        return f"{a}{'*' if a_check else ''}/{d}{'*' if d_check else ''}"
    return kind if number is None else f"{kind}{number}"


def hits_defender(result):
    """HEX-LINE-12, HEX-COL-10: a result the defender suffers, losses apart."""
    return result[0] in ("DD", "DR", "DS")


def is_retreat(result, made_pgd, ds_counts_as_retreat=True):
    """HEX-LINE-13, HEX-SEQ-09: whether the defender retreats; DD0 only where it makes PGD."""
    kind, number = result
    if kind == "DD":
        return number > 0 or made_pgd
    if kind == "DR":
        return True
    if kind == "DS":
        return ds_counts_as_retreat
    return False


def recoil_of(result, pgd_retreat="number", state=None):
    """HEX-SEQ-07: hexes of recoil, the # of DD# or AD#.

    A stack made PGD goes as many, or as ``pgd_retreat`` says.
    """
    if pgd_retreat != "number" and result is not None and state == "PGD":
        return pgd_retreat
    if result is not None and result[0] in ("AD", "DD"):
        return result[1]
    return 0


# ---------------------------------------------------------------- the melee table

COLUMNS = [
    ("1:3", Fraction(1, 3), -10),
    ("1:2", Fraction(1, 2), -5),
    ("1:1", Fraction(1), 0),
    ("3:2", Fraction(3, 2), 3),
    ("2:1", Fraction(2), 6),
    ("3:1", Fraction(3), 12),
    ("4:1", Fraction(4), 18),
    ("5:1", Fraction(5), 24),
]


def synthetic_cell(face, column_shift):
    """Cell of the synthetic melee table: index and shift of the column (2.6)."""
    j = index_of(face) + column_shift
    if j <= -6:
        return "AS"
    if j <= 2:
        return "AR"
    if j <= 5:
        return "AD2"
    if j <= 8:
        return "AD1"
    if j <= 28:
        return "BLANK"
    if j <= 31:
        return "DD1"
    if j <= 44:
        return "DD2"
    if j <= 54:
        return "DR"
    return "DS"


def synthetic_melee():
    """The synthetic melee table, every face of every column written out (2.6)."""
    rows = {}
    for name, _, column_shift in COLUMNS:
        rows[name] = {}
        for face in FACES:
            rows[name][face] = synthetic_cell(face, column_shift)
    return {
        "columns": [(name, ratio) for name, ratio, _ in COLUMNS],
        "rows": rows,
        "below_first": "clamp",
    }


SYNTHETIC = {
    "melee": synthetic_melee(),
    "square": {
        4: [(11, 56, "SQUARE"), (61, 64, "DISORDER"), (65, 66, "ROUT")],
        3: [(11, 46, "SQUARE"), (51, 56, "DISORDER"), (61, 66, "ROUT")],
        2: [(11, 34, "SQUARE"), (35, 54, "DISORDER"), (55, 66, "ROUT")],
        1: [(11, 24, "SQUARE"), (25, 46, "DISORDER"), (51, 66, "ROUT")],
    },
    "stand": {"disordered": -6, "flank": -12, "rear": -12, "skirmish": -12},
    "fail_result": "PGD",
    "recall": {"default": 3},
    "fire": None,
    "default_recoil": None,
}


def odds_column(attack, defence, columns, below_first="clamp"):
    """Largest column whose ratio is not above attack : defence (2.5, ratio_rounding floor)."""
    chosen = None
    for name, ratio in columns:
        if attack >= ratio * defence:
            chosen = name
    if chosen is None:
        if below_first == "reject":
            raise ValueError(f"{attack}:{defence} is below the first column")
        chosen = columns[0][0]
    return chosen


def read_melee(table, attack, defence, face, default_recoil=None):
    """Result of one face at attack : defence."""
    name = odds_column(attack, defence, table["columns"], table.get("below_first", "clamp"))
    return parse_result(table["rows"][name][face], default_recoil)


def read_square(bands, face):
    """HEX-SEQ-04: SQUARE, DISORDER or ROUT of a face; low is good."""
    for first, last, word in bands:
        if first <= face <= last:
            return word
    raise ValueError(f"face {face} is in no band")


# ---------------------------------------------------------------- shares


def line_share(
    melee,
    contact,
    hexes,
    modifier=0,
    *,
    square=False,
    square_divisor=3,
    line_modifiers="after_share",
    fraction="keep",
):
    """HEX-LINE-08, HEX-LINE-09, HEX-SEQ-03: melee of a line against one of its targets."""
    if line_modifiers == "after_share":
        value = as_fraction(melee) * as_fraction(contact) / hexes + as_fraction(modifier)
    else:
        value = (as_fraction(melee) + as_fraction(modifier)) * as_fraction(contact) / hexes
    if square:
        value /= square_divisor
    return whole_or_not(value, fraction)


def whole_or_not(value, fraction):
    """HEX-LINE-08: fractions of a share are kept, or dropped by the switch."""
    return value if fraction == "keep" else Fraction(max(value, 0) // 1)


def line_increments(increments, contact, hexes):
    """HEX-LINE-08: increments of a line against one of its targets, fractions kept."""
    return as_fraction(increments) * as_fraction(contact) / hexes


def column_share(melee, waves, modifier=0, *, square=False, square_divisor=3):
    """HEX-COL-02, HEX-SEQ-03: melee of each wave, all modifiers divided too."""
    value = (as_fraction(melee) + as_fraction(modifier)) / waves
    if square:
        value /= square_divisor
    return value


def split_contacts(hexes, touching, split_hex="choose", choice=None):
    """HEX-LINE-08: hexes of the line on each target; ``touching[hex] = [target, ...]``.

    A hex that touches several goes to the chosen one (else the first named), or to each in part.
    """
    contacts = {}
    for number in range(hexes):
        targets = touching.get(number, [])
        for target in targets:
            contacts.setdefault(target, Fraction(0))
        if not targets:
            continue
        if split_hex == "half":
            for target in targets:
                contacts[target] += Fraction(1, len(targets))
        else:
            wanted = (choice or {}).get(number)
            contacts[wanted if wanted in targets else targets[0]] += 1
    return contacts


# ---------------------------------------------------------------- several results


def severity(label):
    """HEX-LINE-10: place of an attacker's result; among AD# the larger # is worse."""
    if label in ("NONE", "BOUNCE"):
        return (["NONE", "BOUNCE"].index(label), 0)
    if label.startswith("AD"):
        return (2, int(label[2:]))
    return ({"AR": 3, "ROUT": 3, "AS": 4}[label], 0)


def combine_line(results, made_pgd=None, *, ds_counts_as_retreat=True, two_disorders="worst"):
    """HEX-LINE-10 to HEX-LINE-13: the line's own result and whether it may pursue.

    ``made_pgd``: for each result, whether it made its target PGD (asked of DD0 alone).
    """
    if made_pgd is None:
        made_pgd = [False] * len(results)
    any_defender = False
    for result in results:
        if hits_defender(result):
            any_defender = True
    worst = "NONE"
    disorders = 0
    for result in results:
        kind = result[0]
        label = "NONE"
        if kind == "BLANK" and not any_defender:
            label = "BOUNCE"
        if kind in ("AD", "AR", "AS"):
            label = text_of(result)
        if kind == "AD":
            disorders += 1
        if severity(label) > severity(worst):
            worst = label
    if two_disorders == "rout" and disorders >= 2 and worst.startswith("AD"):
        worst = "ROUT"
    pursuit = len(results) > 0
    for result, broke in zip(results, made_pgd, strict=True):
        if not is_retreat(result, broke, ds_counts_as_retreat):
            pursuit = False
    return worst, pursuit


def worse_hit(one, other):
    """Worse of two defender's results: DD by number, then DR, then DS."""
    if one is None:
        return other
    order = ["DD", "DR", "DS"]
    first = (order.index(one[0]), one[1] or 0)
    second = (order.index(other[0]), other[1] or 0)
    return one if first >= second else other


def run_column(
    total,
    waves,
    defence,
    table,
    roll,
    *,
    state="GOOD",
    square_divisor=1,
    dd0_stops=False,
    increments=None,
    default_recoil=None,
    fraction="keep",
    check=None,
):
    """HEX-COL-01 to HEX-COL-10: the waves of a company column, one after the other.

    ``roll()`` gives a d66 face; ``total`` is after all modifiers; ``square_divisor`` is 3 against
    a square; ``increments`` of the defender are needed to scale its melee after losses;
    ``check(side)`` rolls the morale check that starred losses ask of a side.
    """
    share = whole_or_not(as_fraction(total) / waves / square_divisor, fraction)
    left = increments
    results = []
    numbers = []
    blank = False
    hit = None
    last_hit = None
    state_at_last_hit = None
    stopped_by = None
    lost = 0
    for _ in range(waves):
        value = as_fraction(defence)
        if increments:
            value = value * left / increments
        result = read_melee(table, share, value, roll(), default_recoil)
        results.append(result)
        kind = result[0]
        if hits_defender(result):
            hit = worse_hit(hit, result)
            last_hit = result
            state = defender_state(state, result)
            state_at_last_hit = state
            if result != ("DD", 0) or dd0_stops or state == "PGD":
                break
        elif kind in ("AR", "AS"):
            stopped_by = kind
            break
        elif kind == "AD":
            numbers.append(result[1])
        elif kind == "BLANK":
            blank = True
        elif kind == "LOSS":
            lost += result[1][0]
            if increments:
                left = max(0, left - result[1][2])
                if left == 0:
                    state = "GONE"
            if check and result[1][1] and not check("attacker"):
                numbers.append(0)
            if check and result[1][3] and state != "GONE" and not check("defender"):
                state = disorder(state)
            if state in ("PGD", "GONE"):
                break
    if stopped_by:
        attacker = stopped_by
    elif len(numbers) >= 2:
        attacker = "ROUT"
    elif len(numbers) == 1:
        attacker = "DISORDER"
    elif blank and hit is None:
        attacker = "BOUNCE"
    else:
        attacker = "NONE"
    return {
        "attacker": attacker,
        "attacker_recoil": numbers[0] if attacker == "DISORDER" else 0,
        "attacker_lost": lost,
        "defender": text_of(hit),
        "hit": hit,
        "last_hit": last_hit,
        "state_at_last_hit": state_at_last_hit,
        "defender_state": state,
        "defender_left": left,
        "rolls": len(results),
        "results": [text_of(result) for result in results],
        "share": share,
    }


# ---------------------------------------------------------------- the charger's state


def line_state(state, label, hexes, fought):
    """HEX-LINE-14, V-HEX-17: a line's state after its melees; one hex is no multi-hex line."""
    if label == "AS":
        return "GONE"
    if label in ("AR", "ROUT"):
        return "PGD"
    if label.startswith("AD"):
        return disorder(state)
    if fought and hexes >= 2:
        return disorder(state)
    return state


def column_state(state, label):
    """HEX-COL-08, HEX-COL-09, HEX-COL-13: a column's state after its waves."""
    if label == "AS":
        return "GONE"
    if label in ("AR", "ROUT"):
        return "PGD"
    if label == "DISORDER":
        return disorder(state)
    return state
