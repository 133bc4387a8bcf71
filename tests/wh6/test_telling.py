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
        shipped = [(message.id, message.string) for message in mofile.read_mo(file) if message.id]
    assert [(m.id, m.string) for m in mofile.read_mo(fresh) if m.id] == shipped


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


def test_a_charge_stopped_by_panic_in_english() -> None:
    assert texts(trace(HANDGUNNERS, 16)) == [
        "WH6-SEQ-02 1. Declaration and reactions",
        "  WH6-CHG-01 boars declared a charge on handgunners.",
        "  WH6-CHG-10 Reaction of handgunners: stand and shoot.",
        "WH6-SEQ-02 2. Reach",
        "  WH6-CHG-02 Reach of boars: 36 cm (twice M 18 cm); distance to spend: 32.5 cm.",
        "  WH6-SEQ-02 In reach: 32.5 cm is at most 36 cm.",
        "WH6-SEQ-02 5. Stand and shoot",
        "  WH6-SHOOT-04 handgunners stood and shot at boars, number of shots: 10.",
        "    WH6-SHOOT-01 To hit: 7 - BS 3 = 4+; standing and shooting -1 [WH6-SS-05]; "
        "long range -1 (32.5 of 60 cm) [WH6-SHOOT-02]: 6+.",
        "    WH6-WND-01 To wound: S 4 against T 4: 4+.",
        "    WH6-SAVE-01 Armour save of boars: 3+; S 4 -1; armour piercing -1: 5+.",
        "    WH6-WND-01 Unsaved wounds: 2; 10 shots at 6+: 4 hit; 4 to wound at 4+: 2 wound; "
        "2 saves of 5+: 2 fail",
        "  WH6-SPEC-05 Models of boars lost: 2; left: 3.",
        "  WH6-SS-07 boars lost 2 of 5 models, a quarter or more: Panic test.",
        "    WH6-LD-01 Leadership test: Ld 7; 2D6: 5 + 5 = 10 against 7: failed",
        "  WH6-PANIC-07 boars panicked and had to flee from handgunners.",
        "WH6-SEQ-01 6. Rallying and compulsory moves",
        "  WH6-FLEE-01 boars fled 25 cm (M 18 cm is more than 15 cm [WH6-UNIT-04]). "
        "8D6: 2 + 1 + 2 + 5 + 5 + 6 + 3 + 1 = 25",
    ]


def test_the_same_charge_in_spanish() -> None:
    english, spanish = trace(HANDGUNNERS, 16), trace(HANDGUNNERS, 16, "es")
    assert [(t.rule, t.unit, t.level, t.is_note) for t in spanish] == [
        (t.rule, t.unit, t.level, t.is_note) for t in english
    ]
    told = texts(spanish)
    assert told[8] == (
        "    WH6-SHOOT-01 Para impactar: 7 - HP 3 = 4+; Aguantar y disparar -1 [WH6-SS-05]; "
        "largo alcance -1 (32,5 de 60 cm) [WH6-SHOOT-02]: 6+."
    )
    assert told[11] == (
        "    WH6-WND-01 Heridas no salvadas: 2; 10 disparos a 6+: 4 impactos; "
        "4 para herir a 4+: 2 heridas; 2 tiradas de salvación de 5+: 2 falladas"
    )
    assert told[14] == (
        "    WH6-LD-01 Chequeo de Liderazgo: L 7; 2D6: 5 + 5 = 10 contra 7: no superado"
    )


def test_dice_stand_alone_and_in_the_text() -> None:
    told = [line for line in trace(HANDGUNNERS, 16) if line.dice]
    assert [line.dice for line in told][1] == "2D6: 5 + 5 = 10 against 7: failed"
    assert all(line.text.endswith(line.dice) for line in told)


def test_frenzy_that_may_not_flee_is_a_note() -> None:
    changes = {"unit.handgunners.rules": ["frenzy"], "reaction.handgunners": "flee"}
    notes = [line for line in trace(HANDGUNNERS, 0, **changes) if line.is_note]
    assert [(line.rule, line.unit, line.text) for line in notes] == [
        (
            "WH6-FRENZ-04",
            "handgunners",
            "handgunners, being frenzied, could not choose to flee and held.",
        )
    ]


def test_too_close_is_a_note_with_half_the_reach() -> None:
    notes = [line for line in trace(HANDGUNNERS, 0, **{"charge.0.distance": 18}) if line.is_note]
    assert texts(notes) == [
        "  WH6-SS-01 handgunners could not stand and shoot and held: "
        "18 cm is not more than half of the reach, 18 cm."
    ]


def test_inches_and_a_target_number_of_two_rolls() -> None:
    changes = {"units": "inch", "charge.0.distance": 13.5, "unit.boars.M": 7}
    told = texts(trace(HANDGUNNERS, 0, **changes, **{"charge.0.cover": "soft"}))
    assert (
        "    WH6-SHOOT-03 To hit: 7 - BS 3 = 4+; standing and shooting -1 [WH6-SS-05]; "
        'long range -1 (13.5 of 24") [WH6-SHOOT-02]; soft cover -1 [WH6-SHOOT-02]: '
        "7+ (a 6, then 4+)."
    ) in told


def test_regeneration_has_dice_of_its_own() -> None:
    changes = {"unit.boars.regeneration": "4+"}
    told = [line.text for line in trace(HANDGUNNERS, 16, **changes) if "SPEC-01" in line.rule]
    assert len(told) == 1
    assert told[0].startswith("Wounds that boars regenerated: ")
    assert " of 2. 2 rolls to regenerate at 4+: " in told[0]


def test_poison_tells_the_chance_of_a_shot() -> None:
    missile = {"range": 60, "S": 3, "rules": ["poison"]}
    told = [line.dice for line in trace(HANDGUNNERS, 16, **{"unit.handgunners.missile": missile})]
    # 6 to hit: all that hit wound by themselves; a save of 3+ fails two times in six
    assert any(
        dice.startswith("10 shots that wound unsaved with chance 1/18 each: ") for dice in told
    )


def test_flight_shows_its_dice_and_why() -> None:
    changes = {"reaction.handgunners": "flee", "unit.handgunners.rules": ["dwarf_legs"]}
    line = next(t for t in trace(HANDGUNNERS, 3, **changes) if t.rule == "WH6-FLEE-01")
    faces, total = line.dice.removeprefix("5D6: ").split("; ")[0].split(" = ")
    assert sum(int(face) for face in faces.split(" + ")) == int(total)
    assert line.dice.endswith(f"; dwarf legs -2 [WH6-ARMY-06] = {int(total) - 2}")
    assert line.text.startswith(
        f"handgunners fled {int(total) - 2} cm (M 10 cm is at most 15 cm [WH6-UNIT-04])."
    )


def test_steps_in_which_nothing_happened_are_left_out() -> None:
    headings = [line.text for line in trace(HANDGUNNERS, 16) if line.level == 0]
    assert headings == [
        "1. Declaration and reactions",
        "2. Reach",
        "5. Stand and shoot",
        "6. Rallying and compulsory moves",
    ]
