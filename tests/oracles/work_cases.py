"""Numbers of the conformance cases named ``own_``, worked out in fractions without the package.

Run as a script it writes the files of expectations. Every case is in inches with slow units, so
that flights and pursuits are two dice. What happens in a case stands in its TOML file; here are its
chances: who touches whom is counted by hand and told at each case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

F = Fraction
CASES = Path(__file__).resolve().parent.parent / "conformance"
Chances = dict[int, Fraction]


def tries(number: int, p: Fraction) -> Chances:
    """Successes among independent tries."""
    return {k: comb(number, k) * p**k * (1 - p) ** (number - k) for k in range(number + 1)}


def capped(chances: Chances, most: int) -> Chances:
    """The same, no more than there are to lose."""
    found: Chances = {}
    for n, p in chances.items():
        found[min(n, most)] = found.get(min(n, most), F(0)) + p
    return found


TWO_DICE: Chances = {n: F(6 - abs(n - 7), 36) for n in range(2, 13)}


def at_most(number: int) -> Fraction:
    """2D6 at most a number."""
    return sum((p for n, p in TWO_DICE.items() if n <= number), F(0))


def fates(pursuers: int, edge: int | None = None) -> dict[str, Fraction]:
    """A flight of 2D6 before pursuers of 2D6 each: caught, away, away over a table edge."""
    found = {"caught": F(0), "away": F(0), "off": F(0)}
    for flight, p in TWO_DICE.items():
        away = p * at_most(flight - 1) ** pursuers
        found["caught"] += p - away
        found["off" if edge is not None and flight > edge else "away"] += away
    return found


@dataclass
class Member:
    """A unit in a fight: its models at the start and at the end, and what it is like."""

    name: str
    models: int
    left: int
    leadership: int
    strength: int = 1
    bonus: int = 0
    standard: bool = False
    musician: bool = False
    ranks: int = 0
    fear: bool = False
    fearless: bool = False
    undead: bool = False
    saved: int = 0
    wounds: int = 1
    worst: int = 0
    """Wounds lost so far, of models of several."""

    @property
    def size(self) -> int:
        """Unit strength at the end of the round."""
        return self.left * self.strength


@dataclass
class Answer:
    """Chances of a case as they add up."""

    words: list[dict[str, Fraction]] = field(default_factory=list)
    numbers: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    combats: dict[str, dict[str, dict[str, Fraction]]] = field(default_factory=dict)
    units: dict[str, dict[str, dict[str, Fraction]]] = field(default_factory=dict)

    def combat(self, p: Fraction, target: str, word: str, **numbers: int) -> None:
        """One way a combat may end."""
        table = self.combats.setdefault(target, {})
        add(table, "outcome", word, p)
        for name, value in numbers.items():
            add(table, name, value, p)

    def unit(self, p: Fraction, name: str, models: int, state: str) -> None:
        """One way a unit may end."""
        table = self.units.setdefault(name, {})
        add(table, "models_left", models, p)
        add(table, "state", state, p)


def add(table: dict[str, dict[str, Fraction]], name: str, value: Any, p: Fraction) -> None:
    """Add a chance to a cell."""
    if p:
        cells = table.setdefault(name, {})
        cells[str(value)] = cells.get(str(value), F(0)) + p


def score(active: list[Member], target: Member, wounds: tuple[int, int]) -> int:
    """Combat result of a frontal fight without hills."""
    living = [m for m in active if m.left]
    forth = wounds[0] + max(m.ranks for m in active) + sum(m.bonus for m in living)
    forth += any(m.standard for m in living)
    back = wounds[1] + target.ranks
    if target.left:
        back += target.bonus + target.standard
    theirs, own = sum(m.size for m in active), target.size
    forth, back = forth + (theirs > own), back + (own > theirs)
    music = any(m.musician for m in living), bool(target.left and target.musician)
    if forth == back and music[0] != music[1]:
        return 1 if music[0] else -1
    return forth - back


def settle(
    answer: Answer,
    p: Fraction,
    active: list[Member],
    target: Member,
    wounds: tuple[int, int],
    edge: int | None = None,
) -> None:
    """All that may come of a round: tests, flights, pursuits."""
    result = score(active, target, wounds)
    told = {"combat_result": result, "active_wounds": wounds[0], "reactive_wounds": wounds[1]}

    def end(p: Fraction, word: str, states: dict[str, tuple[int, str]]) -> None:
        answer.combat(p, target.name, word, **told)
        for member in (*active, target):
            models, state = states[member.name]
            answer.unit(p, member.name, models, state)

    now = {m.name: (m.left, "fighting" if m.left else "destroyed") for m in (*active, target)}
    if not target.left:
        end(p, "target_wiped_out", {**now, **going(active, "overran")})
    elif not any(m.left for m in active):
        end(p, "charger_wiped_out", {**now, **going([target], "overran")})
    elif result == 0:
        end(p, "draw", now)
    elif result > 0:
        target_loses(end, p, active, target, result, now, edge)
    else:
        chargers_lose(end, p, active, target, -result, now)


End = Callable[[Fraction, str, dict[str, tuple[int, str]]], None]
Now = dict[str, tuple[int, str]]


def going(members: list[Member], state: str) -> Now:
    """Who is alive of some units does this."""
    return {m.name: (m.left, state if m.left else "destroyed") for m in members}


def holds(loser: Member, by: int, enemies: list[Member]) -> Fraction:
    """Chance that a beaten unit holds."""
    if not (loser.fear or loser.fearless) and sum(m.size for m in enemies if m.fear) > loser.size:
        return F(0)
    return at_most(loser.leadership - by)


def target_loses(
    end: End,
    p: Fraction,
    active: list[Member],
    target: Member,
    by: int,
    now: Now,
    edge: int | None,
) -> None:
    """The target lost: it crumbles, holds, or flees before all who beat it."""
    if target.undead:
        left = target.left * target.wounds - target.worst - max(by - target.saved, 0)
        models = -(-max(left, 0) // target.wounds)
        if models:
            end(p, "target_held", {**now, target.name: (models, "fighting")})
        else:
            gone = {target.name: (0, "destroyed")}
            end(p, "target_wiped_out", {**now, **going(active, "overran"), **gone})
        return
    hold = holds(target, by, active)
    end(p * hold, "target_held", now)
    hunt = going(active, "pursuing")
    found = fates(sum(1 for m in active if m.left), edge)
    p *= 1 - hold
    end(p * found["caught"], "target_broke_caught", {**hunt, target.name: (0, "destroyed")})
    for fate, state in (("away", "fleeing"), ("off", "fled_off_table")):
        end(p * found[fate], "target_broke_escaped", {**hunt, target.name: (target.left, state)})


def chargers_lose(
    end: End, p: Fraction, active: list[Member], target: Member, by: int, now: Now
) -> None:
    """The chargers lost: each tests; if all flee, the strongest is pursued."""
    living = [m for m in active if m.left]
    for broken, chance in subsets(living, [1 - holds(m, by, [target]) for m in living]):
        share = p * chance
        if not broken:
            end(share, "charger_held", now)
            continue
        after = {**now, **going(broken, "fleeing")}
        if len(broken) < len(living):
            end(share, "charger_broke_escaped", after)
            continue
        after[target.name] = (target.left, "pursuing")
        prey = max(broken, key=lambda m: m.size)  # of equals the first
        caught = fates(1)["caught"]
        end(share * (1 - caught), "charger_broke_escaped", after)
        end(share * caught, "charger_broke_caught", {**after, prey.name: (0, "destroyed")})


def subsets(
    members: list[Member], chances: list[Fraction]
) -> Iterator[tuple[list[Member], Fraction]]:
    """Which of some independent things happen, and with what chance."""
    if not members:
        yield [], F(1)
        return
    for rest, p in subsets(members[1:], chances[1:]):
        yield rest, p * (1 - chances[0])
        yield [members[0], *rest], p * chances[0]


# the cases


def two_chargers() -> Answer:
    """Three and two men, side by side, meet five abreast.

    Each side 100 mm: the three cover -50..10, the two 10..50. All five chargers touch: five blows,
    3+ (WS 4 on 3), 3+ (S 4 on T 3), save 5+ at -1 fails 5/6. Of the target's five the four that
    touch the three up to the corner at 10 strike at them, the fifth at the two; the fallen are
    missed from the end of the line. Blows back: 4+, 4+, save 4+.
    """
    answer = Answer([{"contact": F(1)}, {"contact": F(1)}])
    forth, back = F(4, 6) * F(4, 6) * F(5, 6), F(1, 8)
    for slain, p in tries(5, forth).items():
        strikers = 5 - slain
        first, second = min(strikers, 4), max(strikers - 4, 0)
        for x, px in capped(tries(first, back), 3).items():
            for y, py in capped(tries(second, back), 2).items():
                active = [
                    Member("axes", 3, 3 - x, 7, standard=True),
                    Member("swords", 2, 2 - y, 8),
                ]
                target = Member("guards", 5, 5 - slain, 7, musician=True)
                settle(answer, p * px * py, active, target, (slain, x + y))
    return answer


def redirection() -> Answer:
    """Reach 10, gap 6: the first target flees 2D6, caught on 4 and less; then the second, 9 away.

    The second causes fear: dared on Ld 8. Four men meet four: four blows (4+, 4+: 1/4), and four
    less the fallen back (3+, 4+: 1/3).
    """
    caught, dares = at_most(4), at_most(8)
    met = (1 - caught) * dares
    answer = Answer(
        [
            {
                "redirected_contact": met,
                "target_fled_caught": caught,
                "target_fled_escaped": (1 - caught) * (1 - dares),
            }
        ]
    )
    answer.numbers["flee_distance"] = {str(n): p for n, p in TWO_DICE.items()}
    answer.unit(caught, "scouts", 0, "destroyed")
    answer.unit(1 - caught, "scouts", 4, "fleeing")
    answer.combat(F(1), "scouts", "no_combat", active_wounds=0, reactive_wounds=0)
    answer.combat(1 - met, "ghouls", "no_combat", active_wounds=0, reactive_wounds=0)
    answer.unit(1 - met, "ghouls", 4, "steady")
    answer.unit(1 - met, "swords", 4, "steady")
    for slain, p in tries(4, F(1, 4)).items():
        for lost, q in tries(4 - slain, F(1, 3)).items():
            active = [Member("swords", 4, 4 - lost, 8)]
            target = Member("ghouls", 4, 4 - slain, 7, fear=True, bonus=1)
            settle(answer, met * p * q, active, target, (slain, lost))
    return answer


def table_edge() -> Answer:
    """One target flees with the edge 5 behind it; another breaks with the edge 6 behind it.

    The first: off the table above 5, before the catch at 4 and less (reach 10, gap 6): up to 4
    caught, 5 escaped. The second loses by 3 without blows: its Ld 8 is 5.
    """
    off, caught = 1 - at_most(5), at_most(4)
    answer = Answer(
        [
            {
                "target_fled_off_table": off,
                "target_fled_caught": caught,
                "target_fled_escaped": 1 - off - caught,
            },
            {"contact": F(1)},
        ]
    )
    answer.unit(off, "scouts", 4, "fled_off_table")
    answer.unit(caught, "scouts", 0, "destroyed")
    answer.unit(1 - off - caught, "scouts", 4, "fleeing")
    answer.unit(F(1), "swords", 4, "steady")
    answer.combat(F(1), "scouts", "no_combat", active_wounds=0, reactive_wounds=0)
    active = [Member("axes", 4, 4, 7, bonus=3)]
    settle(answer, F(1), active, Member("spears", 4, 4, 8), (0, 0), edge=6)
    return answer


def regeneration() -> Answer:
    """Three men with a ward of 5+ charge a troll of three wounds that regenerates on 4+.

    20 mm each, a base of 40: all three touch. Blows 4+ (WS 3 on 3), 4+ (S 4 on T 4): 1/4, at most
    three. Not slain before it strikes: three blows, 4+, 2+ (S 5 on T 3), save 5+ at -2 none, ward
    fails 4/6. Then each wound of the troll is regained on 4+.
    """
    answer = Answer([{"contact": F(1)}])
    back = F(1, 2) * F(5, 6) * F(4, 6)
    for hurt, p in tries(3, F(1, 4)).items():
        for lost, q in tries(0 if hurt == 3 else 3, back).items():
            for regained, r in tries(hurt, F(1, 2)).items():
                worst = hurt - regained
                active = [Member("guards", 3, 3 - lost, 9, standard=True)]
                # US 3, which fear does not count for: it causes none here
                target = Member("troll", 1, 0 if worst == 3 else 1, 6, strength=3)
                settle(answer, p * q * r, active, target, (worst, lost))
    return answer


def frenzy_lost() -> Answer:
    """Four frenzied men (two attacks each) charge four ogres that cause fear.

    Bases of 40 mm, 160 mm: of -40..40 all four touch. Eight blows: 4+, 5+ (S 3 on T 4), save 6+
    fails 5/6: 5/36; wounds add up, three a model. Back: an attack of each ogre left of four: 4+ and
    3+ (S 4 on T 3): 1/3. Two points of bonus for the ogres. The beaten men have lost their Frenzy,
    and 3 for each ogre is more than they are: they break unrolled.
    """
    answer = Answer([{"contact": F(1)}])
    for hurt, p in tries(8, F(5, 36)).items():
        ogres = 4 - hurt // 3
        for lost, q in capped(tries(ogres, F(1, 3)), 4).items():
            active = [Member("savages", 4, 4 - lost, 8)]
            target = Member("ogres", 4, ogres, 7, strength=3, bonus=2, fear=True)
            settle(answer, p * q, active, target, (hurt, lost))
    return answer


def crumbling() -> Answer:
    """Five men who fear nothing charge nine skeletons, five abreast, with a battle standard.

    Both 100 mm: five blows, 3+ (WS 4 on 2), 3+ (S 4 on T 3), save 6+ at -1 none: 4/9. Back: five
    less the fallen, 4+ (WS 2 on 4 is not more than twice), 4+, save 4+: 1/8. The skeletons have one
    rank, and outnumber or not. What they lose by, less 1, crumbles without a save.
    """
    answer = Answer([{"contact": F(1)}])
    for slain, p in tries(5, F(4, 9)).items():
        for lost, q in capped(tries(5 - slain, F(1, 8)), 5).items():
            active = [Member("zealots", 5, 5 - lost, 8, standard=True, bonus=1, fearless=True)]
            target = Member("skeletons", 9, 9 - slain, 3, ranks=1, undead=True, saved=1, fear=True)
            settle(answer, p * q, active, target, (slain, lost))
    return answer


def wrecked_chariots() -> Answer:
    """Two ogres with great weapons (S 5 + 2) charge three light chariots of W 3.

    Ogres 40 mm: -40..40 touches all three bases of 50 mm. Four blows, 4+ and 2+ (S 7 on T 4), no
    save: 5/12; each takes a chariot and counts 3. Back: of each chariot left one crewman, 4+, 5+
    (S 3 on T 4), save 6+ fails 5/6: 5/36; beasts none. US: ogres 3, light chariots 3.
    """
    answer = Answer([{"contact": F(1)}])
    for wrecked, p in capped(tries(4, F(5, 12)), 3).items():
        for hurt, q in tries(3 - wrecked, F(5, 36)).items():
            ogres = 1 if hurt >= 3 else 2
            active = [Member("ogres", 2, ogres, 8, strength=3)]
            target = Member("chariots", 3, 3 - wrecked, 7, strength=3)
            settle(answer, p * q, active, target, (3 * wrecked, hurt))
    return answer


ALL: dict[str, tuple[Callable[[], Answer], list[tuple[str, str]], dict[str, list[str]]]] = {
    "own_13_two_chargers": (
        two_chargers,
        [("axes", "guards"), ("swords", "guards")],
        {"guards": ["axes", "swords"]},
    ),
    "own_14_redirection": (
        redirection,
        [("swords", "scouts")],
        {"scouts": ["swords"], "ghouls": ["swords"]},
    ),
    "own_15_table_edge": (
        table_edge,
        [("swords", "scouts"), ("axes", "spears")],
        {"scouts": ["swords"], "spears": ["axes"]},
    ),
    "own_16_regeneration_and_ward": (
        regeneration,
        [("guards", "troll")],
        {"troll": ["guards"]},
    ),
    "own_17_frenzy_lost": (frenzy_lost, [("savages", "ogres")], {"ogres": ["savages"]}),
    "own_18_crumbling_undead": (
        crumbling,
        [("zealots", "skeletons")],
        {"skeletons": ["zealots"]},
    ),
    "own_19_strength_7_on_chariots": (
        wrecked_chariots,
        [("ogres", "chariots")],
        {"chariots": ["ogres"]},
    ),
}
"""Name of each case: its chances, its charges, and who charged in each combat."""


def expected(name: str) -> dict[str, Any]:
    """What a case must give, in the form of the result."""
    work, charges, combats = ALL[name]
    answer = work()
    told: dict[str, Any] = {"charges": [], "combats": [], "units": {}}
    for (charger, target), words in zip(charges, answer.words, strict=True):
        assert sum(words.values()) == 1
        entry: dict[str, Any] = {"charger": charger, "target": target, "outcome": plain(words)}
        if answer.numbers:
            entry |= {key: plain(cells) for key, cells in answer.numbers.items()}
        told["charges"].append(entry)
    for target, chargers in combats.items():
        table = answer.combats[target]
        assert sum(table["outcome"].values()) == 1
        cells = {key: plain(value) for key, value in table.items()}
        told["combats"].append({"target": target, "chargers": chargers, **cells})
    for unit, table in answer.units.items():
        assert all(sum(cells.values()) == 1 for cells in table.values())
        told["units"][unit] = {key: plain(cells) for key, cells in table.items()}
    return told


def plain(cells: dict[str, Fraction]) -> dict[str, float]:
    """Chances as floats, the impossible left out."""
    return {name: float(p) for name, p in cells.items() if p}


def text_of(name: str) -> str:
    """File of expectations of a case."""
    return json.dumps(expected(name), indent=1) + "\n"


def main() -> None:
    """Write all of them."""
    for name in ALL:
        file = CASES / f"{name}.expected.json"
        file.write_text(text_of(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
