"""The dice question language: what it reads, what it answers, what it refuses and how."""

from __future__ import annotations

import time
from fractions import Fraction
from math import comb

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chargesim.engine import pmf as dist
from chargesim.engine.odds import COMPARISONS, Chain, Dice, Question, Stage, Sum, parse
from chargesim.errors import ChargesimError, InputError

steady = settings(derandomize=True, deadline=None, max_examples=80)


def probability(expression: str) -> Fraction:
    answer = parse(expression).answer()
    assert answer.probability is not None
    return answer.probability


# Reading


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2d6", "2d6"),
        ("d6", "1d6"),
        ("D6", "1d6"),
        ("1D3", "1d3"),
        ("  2 d 6  ", "2d6"),
        ("5d6+3", "5d6+3"),
        ("2d6 - 1", "2d6-1"),
        ("36+1d6+2", "36+1d6+2"),
        ("2D6 + 1d3", "2d6+1d3"),
        ("2d6-2d6", "2d6-2d6"),
        ("-1+2d6", "-1+2d6"),
        ("+2d6", "2d6"),
        ("002d06", "2d6"),
        ("d100", "1d100"),
        ("3D6DH1", "3d6dh1"),
        ("4d6 dl 1", "4d6dl1"),
        ("5d6dl1dh2", "5d6dh2dl1"),
        ("2d6<=7", "2d6 <= 7"),
        ("2d6 < 7", "2d6 < 7"),
        ("2d6>=+7", "2d6 >= 7"),
        ("2d6> 7", "2d6 > 7"),
        ("2d6 == 7", "2d6 = 7"),
        ("2d6=7", "2d6 = 7"),
        ("2d6 != 7", "2d6 != 7"),
        ("2d6-9 <= - 2", "2d6-9 <= -2"),
        ("10x4+", "10x 4+"),
        ("10 X 4 + 4+ ! 5+", "10x 4+ 4+ !5+"),
        ("10x4+4+!5+>=2", "10x 4+ 4+ !5+ >= 2"),
        ("10x 4+ != 3", "10x 4+ != 3"),
        ("1x 0+ 10+ !7+", "1x 0+ 10+ !7+"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    question = parse(text)
    assert question.expression == canonical
    assert parse(canonical) == question
    assert question.answer().expression == canonical


def test_what_a_sum_and_a_chain_are_read_as() -> None:
    assert parse("36+3d6dh1-D3 <= 40") == Question(
        Sum((36, Dice(3, 6, drop_highest=1), Dice(1, 3, sign=-1))), ("<=", 40)
    )
    assert parse("10x 4+ !5+") == Question(Chain(10, (Stage(4), Stage(5, is_save=True))))


dice = st.builds(Dice, st.integers(1, 4), st.integers(2, 12), sign=st.sampled_from([1, -1]))
sums = st.lists(dice | st.integers(-30, 30), max_size=4).flatmap(
    lambda terms: dice.map(lambda one: Sum((*terms, one)))
)
chains = st.builds(
    Chain,
    st.integers(1, 30),
    st.lists(st.builds(Stage, st.integers(0, 11), st.booleans()), min_size=1, max_size=4).map(
        tuple
    ),
)
comparisons = st.none() | st.tuples(st.sampled_from(sorted(COMPARISONS)), st.integers(-40, 60))
questions = st.builds(Question, sums | chains, comparisons)


@steady
@given(questions)
def test_every_question_survives_its_canonical_text(question: Question) -> None:
    assert parse(question.expression) == question
    assert parse(question.expression.upper().replace(" ", "")) == question


@steady
@given(questions)
def test_every_answer_is_a_distribution_and_agrees_with_its_comparison(question: Question) -> None:
    answer = question.answer()
    assert sum(answer.pmf.values()) == 1
    assert list(answer.pmf) == sorted(answer.pmf)
    assert answer.mean == sum(value * p for value, p in answer.pmf.items())
    assert answer.standard_deviation >= 0
    if question.comparison is None:
        assert answer.probability is None
    else:
        sign, number = question.comparison
        holds = COMPARISONS[sign]
        assert answer.probability == sum(p for x, p in answer.pmf.items() if holds(x, number))


@steady
@given(sums, st.integers(-40, 60))
def test_opposite_comparisons_are_complements(roll: Sum, number: int) -> None:
    for sign, opposite in (("<=", ">"), ("<", ">="), ("=", "!=")):
        parts = [Question(roll, (s, number)).answer().probability for s in (sign, opposite)]
        assert sum(p for p in parts if p is not None) == 1


# Answering sums


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2d6 <= 7", "7/12"),
        ("2d6 < 7", "5/12"),
        ("2d6 >= 7", "7/12"),
        ("2d6 > 7", "5/12"),
        ("2d6 = 7", "1/6"),
        ("2d6 == 7", "1/6"),
        ("2d6 != 7", "5/6"),
        ("2d6 = 13", "0"),
        ("2d6 >= 2", "1"),
        ("1d3 = 3", "1/3"),
        ("36+1d6+2 >= 40", "5/6"),
    ],
)
def test_comparisons_by_hand(expression: str, expected: str) -> None:
    assert probability(expression) == Fraction(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("5d6 <= 16", "259/648"),
        ("8d6 <= 16", "695/93312"),
        ("5d6-2 <= 16", "389/648"),
        ("2d6 <= 6", "5/12"),
        ("3d6 <= 6", "5/54"),
        ("2d6-1 <= 6", "7/12"),
    ],
)
def test_wh6_flee_01_a_fleeing_unit_is_caught(expression: str, expected: str) -> None:
    assert probability(expression) == Fraction(expected)


@pytest.mark.parametrize(
    ("leadership", "expected"),
    [(5, "113/216"), (6, "49/72"), (7, "29/36"), (8, "193/216"), (9, "205/216")],
)
def test_wh6_army_03_a_cold_blooded_test_is_passed(leadership: int, expected: str) -> None:
    assert probability(f"3d6dh1 <= {leadership}") == Fraction(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2d6-2d6 >= 0", "721/1296"),
        ("3d6-2d6 >= 0", "1099/1296"),
        ("2d6-3d6 >= 0", "287/1296"),
        ("5d6-5d6 >= 0", "112607/209952"),
        ("2d6-2d6+1 >= 0", "287/432"),
    ],
)
def test_wh6_t_43_a_pursuer_catches_on_a_tie(expression: str, expected: str) -> None:
    assert probability(expression) == Fraction(expected)


@pytest.mark.parametrize(
    ("expression", "die"),
    [
        ("8d6", 8 @ icepool.d6),
        ("2d6+1d3-1", 2 @ icepool.d6 + icepool.d3 - 1),
        ("2d6-1d3", 2 @ icepool.d6 - icepool.d3),
        ("-3d4+7", 7 - 3 @ icepool.d4),
        ("4d6dl1", icepool.d6.pool(4)[1:].sum()),
        ("3d6dh1+1d6", icepool.d6.pool(3)[:-1].sum() + icepool.d6),
        ("6d10dh1dl2", icepool.d10.pool(6)[2:-1].sum()),
    ],
)
def test_sums_equal_icepool(expression: str, die: icepool.Die[int]) -> None:
    answer = parse(expression).answer()
    assert answer.pmf == {x: Fraction(count, die.denominator()) for x, count in die.items()}
    assert answer.mean == die.mean()
    assert answer.standard_deviation == pytest.approx(die.standard_deviation(), rel=1e-12)
    assert answer.stages == ()


# Answering chains


def test_wh6_chain_of_hits_wounds_and_saves_is_a_binomial() -> None:
    p = Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 3)
    answer = parse("10x 5+ 4+ !5+").answer()
    assert answer.pmf == {k: comb(10, k) * p**k * (1 - p) ** (10 - k) for k in range(11)}
    assert answer.mean == Fraction(10, 9)
    assert answer.standard_deviation == pytest.approx((10 * 8 / 81) ** 0.5, rel=1e-15)
    assert answer.stages == (
        ("5+", Fraction(1, 3)),
        ("4+", Fraction(1, 2)),
        ("!5+", Fraction(2, 3)),
    )


def test_chain_equals_icepool_rolled_stage_by_stage() -> None:
    hits = 6 @ (icepool.d6 >= 4)
    wounds = hits.map(lambda n: n @ (icepool.d6 >= 5) if n else 0)
    die = wounds.map(lambda n: n @ (icepool.d6 < 3) if n else 0)
    expected = {int(x): Fraction(count, die.denominator()) for x, count in die.items()}
    assert parse("6x 4+ 5+ !3+").answer().pmf == expected


def test_counted_dice_by_hand() -> None:
    assert probability("2x 5+ >= 1") == Fraction(5, 9)
    assert probability("10x 5+ >= 2") == 1 - Fraction(2, 3) ** 10 - 10 * Fraction(2**9, 3**10)


@pytest.mark.parametrize(
    ("stage", "chance"),
    [("0+", "5/6"), ("1+", "5/6"), ("7+", "1/12"), ("8+", "1/18"), ("9+", "1/36"), ("10+", "0")],
)
def test_wh6_shoot_03_targets_out_of_reach_of_one_die(stage: str, chance: str) -> None:
    answer = parse(f"1x {stage} = 1").answer()
    assert answer.stages == ((stage, Fraction(chance)),)
    assert answer.probability == Fraction(chance)


@pytest.mark.parametrize(
    ("stage", "chance"), [("!1+", "1/6"), ("!2+", "1/6"), ("!6+", "5/6"), ("!7+", "1")]
)
def test_wh6_save_01_a_save_fails(stage: str, chance: str) -> None:
    assert probability(f"1x {stage} = 1") == Fraction(chance)


def test_chain_that_nothing_can_pass_counts_zero_for_certain() -> None:
    answer = parse("10x 4+ 10+").answer()
    assert answer.pmf == {0: 1}
    assert answer.standard_deviation == 0


@steady
@given(chains)
def test_a_further_stage_never_leaves_more(chain: Chain) -> None:
    more = Chain(chain.count, (*chain.stages, Stage(4)))
    assert 2 * dist.mean(more.pmf()) == dist.mean(chain.pmf())


# Refusing

JOIN = "join terms with + or -, count dice as in 10x 4+, or compare with <=, <, >=, >, = or !="
STAGE = "write a further number needed, as in 4+ or !5+, or compare with <=, <, >=, >, = or !="
COMPARE = "compare with <=, <, >=, >, = or !="
TERM = "write dice or a whole number, as in 2d6+3"
FIRST = "write dice first, as in 2d6 <= 7"
D66 = "a d66 is two digits and no sum: write 2d6, or 1d100 for percent"


@pytest.mark.parametrize(
    ("expression", "piece", "position", "advice"),
    [
        # no dice
        ("7", "7", 1, FIRST),
        ("  36+1", "36+1", 3, FIRST),
        ("7 <= 2d6", "7", 1, FIRST),
        ("foo", "foo", 1, TERM),
        ("<= 7", "<=", 1, TERM),
        # dice
        ("2d", "2d", 1, "write the number of sides, as in 2d6"),
        ("d", "d", 1, "write the number of sides, as in 1d6"),
        ("1d6+3ddh1", "3d", 5, "write the number of sides, as in 3d6"),
        ("d%", "d", 1, "write the number of sides, as in 1d6"),
        ("d66", "d66", 1, D66),
        ("1d6+2D66", "2D66", 5, D66),
        ("2d1", "2d1", 1, "a die has 2 to 100 sides"),
        ("2d0", "2d0", 1, "a die has 2 to 100 sides"),
        ("2d101", "2d101", 1, "a die has 2 to 100 sides"),
        ("0d6", "0d6", 1, "a sum takes 1 to 100 dice"),
        ("101d6", "101d6", 1, "a sum takes 1 to 100 dice"),
        ("101d6dh2", "101d6", 1, "a sum takes 1 to 100 dice"),
        ("60d6 + 41d3 + 2", "41d3", 8, "a sum takes 1 to 100 dice, these make 101"),
        ("9" * 5000 + "d6", "9" * 20 + "...", 1, "a sum takes 1 to 100 dice"),
        # drops
        ("3d6dh", "dh", 4, "write once how many dice to drop, as in 3d6dh1"),
        ("5d6dl1 DL2", "DL2", 8, "write once how many dice to drop, as in 3d6dl1"),
        ("3d6dh0", "dh0", 4, "of 3d6 drop at least 1 die and keep at least 1"),
        ("3d6dh3", "dh3", 4, "of 3d6 drop at least 1 die and keep at least 1"),
        ("5d6dh2dl3", "dl3", 7, "of 5d6 drop at least 1 die and keep at least 1"),
        ("3d6kh1", "kh1", 4, JOIN),
        # between the terms
        ("2d6 d8", "d8", 5, JOIN),
        ("2d6 * 2", "*", 5, JOIN),
        ("2d6 7+", "7+", 5, JOIN),
        ("10d6 4+", "4+", 6, JOIN),
        ("2d6 \N{LESS-THAN OR EQUAL TO} 7", "\N{LESS-THAN OR EQUAL TO}", 5, JOIN),
        ("2d6+-1", "-1", 5, TERM),
        ("101\nd6", "101 d6", 1, "a sum takes 1 to 100 dice"),
        ("2d6+1000001", "1000001", 5, "a number is at most 1000000"),
        ("2d6+" + "8" * 9000, "8" * 20 + "...", 5, "a number is at most 1000000"),
        # comparisons
        ("2d6 => 7", "=>", 5, COMPARE),
        ("2d6 =< 7", "=<", 5, COMPARE),
        ("2d6 <> 7", "<>", 5, COMPARE),
        ("2d6 ! 7", "!", 5, COMPARE),
        ("2d6 <= x", "x", 8, "write a whole number after <=, as in <= 7"),
        ("2d6 == d6", "d6", 8, "write a whole number after =, as in = 7"),
        ("2d6 <= 7.5", ".5", 9, "end with one whole number, as in <= 7"),
        ("2d6 > 7+1", "+1", 8, "end with one whole number, as in > 7"),
        ("2d6 > 7 < 9", "<", 9, "end with one whole number, as in > 7"),
        ("2d6 >= -1000001", "-1000001", 8, "a number is at most 1000000"),
        # chains
        ("x 4+", "x", 1, "write the number of dice before the x, as in 10x 4+"),
        ("0x 4+", "0x", 1, "a chain takes 1 to 1000 dice"),
        ("1001x 4+", "1001x", 1, "a chain takes 1 to 1000 dice"),
        ("10x 4", "4", 5, "write the number needed on a D6, as in 10x 4+"),
        ("10x d6", "d6", 5, "write the number needed on a D6, as in 10x 4+"),
        ("10x >= 2", ">=", 5, "write the number needed on a D6, as in 10x 4+"),
        ("10x 4+ 4", "4", 8, STAGE),
        ("10x 4+ 1d6", "1d6", 8, STAGE),
        ("10x 4+ !", "!", 8, COMPARE),
        ("10x 1000001+", "1000001+", 5, "a number is at most 1000000"),
    ],
)
def test_wrong_input_says_what_where_and_what_would_be_right(
    expression: str, piece: str, position: int, advice: str
) -> None:
    with pytest.raises(InputError) as caught:
        parse(expression)
    assert str(caught.value) == f'odds: cannot read "{piece}" at position {position}: {advice}'


@pytest.mark.parametrize(
    ("expression", "position", "advice"),
    [
        ("2d6+", 5, TERM),
        ("2d6 - ", 6, TERM),
        ("2d6 <= ", 7, "write a whole number after <=, as in <= 7"),
        ("10x", 4, "write the number needed on a D6, as in 10x 4+"),
    ],
)
def test_unfinished_input_says_what_is_missing(expression: str, position: int, advice: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(expression)
    ends = f"odds: the expression ends too soon at position {position}: {advice}"
    assert str(caught.value) == ends


@pytest.mark.parametrize("expression", ["", " \t "])
def test_empty_input_shows_an_example(expression: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(expression)
    assert str(caught.value) == "odds: the expression is empty: write dice, as in 2d6 <= 7"


def test_a_bad_question_is_bad_input() -> None:
    assert issubclass(InputError, ChargesimError)
    assert InputError.exit_code == 2


@steady
@given(st.text(alphabet="0123456789dDhlxX+-!<>= .a", max_size=14))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        question = parse(text)
    except InputError as error:
        message = str(error)
        assert message.startswith("odds: ")
        assert "\n" not in message
    else:
        assert parse(question.expression) == question


def test_bounds_are_inclusive() -> None:
    assert parse("100d100").expression == "100d100"
    assert parse("60d6+40d3").expression == "60d6+40d3"
    assert parse("100d6dh99").expression == "100d6dh99"
    assert parse("1d2+1000000 <= -1000000").expression == "1d2+1000000 <= -1000000"
    assert parse("1000x 1000000+").expression == "1000x 1000000+"


@pytest.mark.parametrize("expression", ["8d6", "100d6", "40d6dh10", "1000x 5+ 4+ >= 170"])
def test_large_questions_take_a_moment(expression: str) -> None:
    start = time.perf_counter()
    parse(expression).answer()
    assert time.perf_counter() - start < 1  # at most about 0.06 s
