"""The trace: its dice are a refinement of the nodes, its words exist in every language."""

from __future__ import annotations

import io
import tomllib
from collections import Counter
from fractions import Fraction
from itertools import product
from string import Formatter

import pytest
from babel.messages import mofile, pofile

from chargesim import words
from chargesim.kernels import dice, refine
from chargesim.rulesets.wh6 import telling, telling_words
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.telling import Told, coverage_ids, events, tell
from chargesim.scenario import Scenario

UNIFORM = dice.UNIFORM
ES = words.LOCALES / "es" / "LC_MESSAGES"


def messages() -> list[str | tuple[str, str]]:
    w = telling_words
    single = [sentence.text for sentence in w.SENTENCES.values()]
    single += [*w.STEPS.values(), *w.REACTIONS.values(), *w.ARCS, *w.COVERS, *w.PHRASES.values()]
    single += [row[3] for row in w.IMMUNITIES]
    return [*dict.fromkeys(single), *w.PLURALS.values()]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def catalogue() -> pofile.Catalog:
    with (ES / "wh6.po").open("rb") as file:
        return pofile.read_po(file, locale="es", domain="wh6")


# words


def test_every_event_has_a_rule_id_and_a_sentence() -> None:
    assert set(events()) == set(Event)
    for rule, text in events().values():
        assert rule.startswith("WH6-")
        assert text


def test_log_kinds_are_those_of_the_dice() -> None:
    assert (telling.NOTE, telling.TEST, telling.SUM, telling.COUNT, telling.ESTIMATE) == (
        dice.NOTE,
        dice.Node.TEST,
        dice.Node.SUM,
        dice.Node.COUNT,
        dice.Node.LENGTH,
    )
    assert telling.NAMED == dice.NAMED
    assert refine.UNIFORM == dice.UNIFORM


def test_coverage_ids_hold_the_ids_of_all_events() -> None:
    assert {rule for rule, _ in events().values()} <= coverage_ids()


@pytest.mark.parametrize("message", messages(), ids=str)
def test_message_is_translated_with_its_placeholders(message: str | tuple[str, str]) -> None:
    found = catalogue().get(message)
    assert found is not None
    theirs = found.string if isinstance(found.string, tuple) else (found.string,)
    ours = message if isinstance(message, tuple) else (message,)
    assert len(theirs) == len(ours)
    for english, spanish in zip(ours, theirs, strict=True):
        assert spanish
        assert placeholders(spanish) == placeholders(english)


def test_catalogue_holds_nothing_else() -> None:
    ids = {
        message.id if isinstance(message.id, str) else tuple(message.id) for message in catalogue()
    }
    assert ids - {""} == set(messages())


def test_compiled_catalogue_is_up_to_date() -> None:
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with (ES / "wh6.mo").open("rb") as file:
        shipped = {message.id: message.string for message in mofile.read_mo(file) if message.id}
    assert {m.id: m.string for m in mofile.read_mo(fresh) if m.id} == shipped


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language 'fr': one of en, es"):
        words.translation("wh6", "fr")


# dice


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (3, 6), (5, 6), (8, 6), (2, 3)])
def test_dice_add_up_at_the_edges_of_every_interval(n: int, sides: int) -> None:
    ways = refine._ways(n, sides)
    assert sum(ways) == sides**n
    below = 0
    for total, count in enumerate(ways, start=n):
        low = refine.threshold(below, sides**n)
        high = refine.threshold(below + count, sides**n)
        for u in {low, (low + high) // 2, high - 1}:
            faces = refine.roll(n, sides, u, total)
            assert len(faces) == n
            assert sum(faces) == total
            assert all(1 <= face <= sides for face in faces)
        assert (
            refine.roll(n, sides, low, total)
            == min(roll for roll in product(range(1, sides + 1), repeat=n) if sum(roll) == total)
            if n <= 3
            else True
        )
        below += count


def test_ordered_rolls_have_equal_shares() -> None:
    grid = 36 * 200
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        faces, total = refine.leadership_roll(u, three_dice=False)
        assert faces == refine.roll(2, 6, u, total)
        seen[faces] += 1
    assert set(seen) == set(product(range(1, 7), repeat=2))
    assert set(seen.values()) == {200}


def test_three_dice_have_equal_shares_and_lose_the_highest() -> None:
    grid = 216 * 50
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        faces, total = refine.leadership_roll((2 * i + 1) * UNIFORM // (2 * grid), three_dice=True)
        assert sum(faces) - max(faces) == total
        seen[faces] += 1
    assert set(seen) == set(product(range(1, 7), repeat=3))
    assert set(seen.values()) == {50}


@pytest.mark.parametrize("three", [0, 1])
def test_leadership_dice_agree_with_the_test_at_every_threshold(three: int) -> None:
    for edge in {int(t) for t in dice.LEADERSHIP[three]}:
        for u in {max(edge - 1, 0), min(edge, UNIFORM - 1)}:
            _, total = refine.leadership_roll(u, three_dice=bool(three))
            for target in range(13):
                assert (total <= target) == (u < dice.LEADERSHIP[three, target])


STAGES = [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(5, 6)]


def binomial_thresholds(n: int, chance: Fraction) -> list[int]:
    a, b = chance.numerator, chance.denominator
    below, edges = 0, [0]
    for k in range(n + 1):
        below += refine.comb(n, k) * a**k * (b - a) ** (n - k)
        edges.append(refine.threshold(below, b**n))
    return edges


def test_chain_is_consistent_at_the_edges() -> None:
    chance = Fraction(1)
    for stage in STAGES:
        chance *= stage
    edges = binomial_thresholds(10, chance)
    for value in range(11):
        low, high = edges[value], edges[value + 1]
        if low == high:
            continue
        for u in {low, (low + high) // 2, high - 1}:
            counts = refine.chain(10, STAGES, u, value)
            assert len(counts) == len(STAGES)
            assert counts[-1] == value
            assert counts[0] <= 10
            assert counts == sorted(counts, reverse=True)


def test_chain_is_distributed_as_rolling_the_stages() -> None:
    n, stages, grid = 3, STAGES[:3], 40_000
    chance = stages[0] * stages[1] * stages[2]
    edges = binomial_thresholds(n, chance)
    seen: Counter[tuple[int, ...]] = Counter()
    for i in range(grid):
        u = (2 * i + 1) * UNIFORM // (2 * grid)
        value = next(k for k in range(n + 1) if u < edges[k + 1])
        seen[tuple(refine.chain(n, stages, u, value))] += 1

    def binomial(m: int, p: Fraction, k: int) -> Fraction:
        return refine.comb(m, k) * p**k * (1 - p) ** (m - k)

    total = Fraction(0)
    for a, b, c in product(range(n + 1), repeat=3):
        if a >= b >= c:
            weight = (
                binomial(n, stages[0], a) * binomial(a, stages[1], b) * binomial(b, stages[2], c)
            )
            total += weight
            # the grid is even, so a cell of the refinement is off by less than two points
            assert abs(seen[a, b, c] - weight * grid) < 2
    assert total == 1


def test_chain_of_certain_stages() -> None:
    assert refine.chain(4, [Fraction(1), Fraction(1)], 0, 4) == [4, 4]
    assert refine.chain(3, [Fraction(1, 2)], UNIFORM - 1, 3) == [3]


# golden traces

HANDGUNNERS = """
ruleset = "wh6"
units = "cm"
[unit.boars]
side = "active"
models = 5
M = 18
HA = 3
HP = 3
F = 3
R = 4
H = 1
I = 2
A = 1
L = 7
save = "3+"
troop = "cavalry"
[unit.handgunners]
side = "reactive"
models = 10
width = 10
M = 10
WS = 3
BS = 3
S = 3
T = 3
W = 1
I = 3
A = 1
Ld = 7
missile = "handgun"
[[charge]]
charger = "boars"
target = "handgunners"
distance = 32.5
[reaction]
handgunners = "stand_and_shoot"
"""


def trace(text: str, trial: int, lang: str = "en", **changes: object) -> list[Told]:
    scenario = Scenario(**tomllib.loads(text))
    if changes:
        scenario = scenario.replace(**changes)
    record = dice.new_dice(dice.Mode.TRACE, 0)[0]
    dice.set_trial(record, trial)
    _, play = scenario.ruleset.kernels()
    while True:
        record["logged"] = 0
        play(scenario.game()[0], record)
        if not record["wanting"]:
            break
        dice.supply(record)
    log = record["log"][: int(record["logged"])]
    return tell(log, scenario.model, scenario.unit_names, lang)


def texts(lines: list[Told]) -> list[str]:
    return ["  " * line.level + f"{line.rule} {line.text}" for line in lines]
