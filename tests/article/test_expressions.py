"""The language of values and claims, and the arithmetic of numbers with errors."""

from __future__ import annotations

import numpy as np
import pytest

from chargesim.errors import InputError
from chargesim.report.article import numbers
from chargesim.report.article.expressions import (
    Joined,
    Number,
    Query,
    read_claim,
    read_reference,
    read_value,
)
from chargesim.report.article.quantity import Quantity, combine, exactly, holds, of_parts


def sampled(value: float, low: float, high: float, kind: str = "chance") -> Quantity:
    return of_parts((value, low, high, False), kind)  # type: ignore[arg-type]


def test_a_value_has_its_source_and_changes() -> None:
    found = read_value(
        "spears:target_broke* | 0:contact @ big[unit.a.Ld=6,7,8, charge.0.distance=1:3]"
    )
    assert isinstance(found, Query)
    assert found.value == "spears:target_broke* | 0:contact"
    assert found.source == "big"
    assert found.changes == (("unit.a.Ld", "6,7,8"), ("charge.0.distance", "1:3"))


@pytest.mark.parametrize(
    ("text", "value"), [("0.5", 0.5), ("50%", 0.5), ("12.5 %", 0.125), ("1/4", 0.25), ("-2", -2.0)]
)
def test_numbers_are_read_as_people_write_them(text: str, value: float) -> None:
    found = read_value(text)
    assert isinstance(found, Number)
    assert found.value == value


def test_signs_within_outcomes_are_not_arithmetic() -> None:
    for text in ("contact+blocked", "shooting_casualties>=2", "target_broke*", "5d6-5d6>=0 @ dice"):
        assert isinstance(read_value(text), Query)


def test_products_bind_closer_and_brackets_closest() -> None:
    def shape(value: object) -> object:
        if isinstance(value, Joined):
            return (value.sign, shape(value.one), shape(value.other))
        return getattr(value, "value", None)

    assert shape(read_value("a - 2 * b")) == ("-", "a", ("*", 2.0, "b"))
    assert shape(read_value("(a - 2) * b")) == ("*", ("-", "a", 2.0), "b")
    assert shape(read_value("a - b - c")) == ("-", ("-", "a", "b"), "c")


def test_claims_may_go_on() -> None:
    claim = read_claim("0.4 < contact @ x <= 60%")
    assert claim.signs == ("<", "<=")
    assert claim.texts == ("0.4", "contact @ x", "60%")


def test_the_claim_of_the_contract_is_read() -> None:
    claim = read_claim("0:contact > 0.5")
    assert [getattr(side, "value", None) for side in claim.sides] == ["0:contact", 0.5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("contact", "compares nothing"),
        ("contact >", "it ends too soon"),
        ("> 0.5", "it ends too soon"),
        ("a - > 2", "it ends too soon"),
        ("(a + b > 2", "it ends too soon"),
        ("a ) > 2", "'\\)' stands where it cannot"),
        ("contact @ x[y=1 > 2", "bracket"),
        ("contact @ 7 > 2", "no reference"),
        ("contact @ x[y] > 2", "no change"),
        ("contact @ x[y=] > 2", "without path or value"),
        ("@ x > 2", "asks for nothing"),
        ("1/0 > 2", "no number"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_claim(text)


def test_a_comparison_is_no_value() -> None:
    with pytest.raises(InputError, match="only claims compare"):
        read_value("contact > 0.5")


def test_references() -> None:
    assert read_reference("cm") == ("cm", ())
    assert read_reference(" cm [ a.b = 3 ] ") == ("cm", (("a.b", "3"),))


def test_intervals_are_as_wide_as_their_parts_allow() -> None:
    one, other = sampled(0.5, 0.4, 0.6), sampled(0.2, 0.1, 0.3)
    gap = combine("-", one, other)
    assert (float(gap.value), float(gap.low), float(gap.high)) == pytest.approx((0.3, 0.1, 0.5))
    assert gap.kind == "points"
    product = combine("*", one, -2)
    assert (float(product.low), float(product.high)) == pytest.approx((-1.2, -0.8))
    ratio = combine("/", one, other)
    assert (float(ratio.low), float(ratio.high)) == pytest.approx((4 / 3, 6.0))
    with pytest.raises(InputError, match="divided by what may be 0"):
        combine("/", one, sampled(0.1, -0.1, 0.2))


def test_exact_numbers_stay_exact() -> None:
    gap = combine("-", exactly(0.3), exactly(0.1))
    assert gap.is_exact
    assert float(gap.low) == float(gap.high) == float(gap.value)
    assert not combine("-", exactly(0.3), sampled(0.1, 0.05, 0.2)).is_exact


@pytest.mark.parametrize(
    ("sign", "value", "low", "high", "state"),
    [
        (">", 0.1, 0.05, 0.2, 1),
        (">", 0.1, -0.05, 0.2, 0),
        (">", -0.1, -0.2, -0.05, -1),
        (">", 0.0, 0.0, 0.0, -1),
        (">=", 0.0, 0.0, 0.0, 1),
        (">", 1e-15, 1e-15, 1e-15, -1),
        ("<", -0.1, -0.2, -0.05, 1),
        ("<", 0.0, 0.0, 0.0, -1),
        ("<=", 0.0, 0.0, 0.0, 1),
        ("<=", 0.1, -0.1, 0.2, 0),
        ("=", 0.0, 0.0, 0.0, 1),
        ("=", 0.1, -0.1, 0.2, 0),
        ("=", 0.1, 0.05, 0.2, -1),
        ("!=", 0.1, 0.05, 0.2, 1),
        (">", float("nan"), float("nan"), float("nan"), -1),
    ],
)
def test_a_claim_is_true_when_its_whole_interval_is(
    sign: str, value: float, low: float, high: float, state: int
) -> None:
    exact = low == value == high
    assert int(holds(sign, of_parts((value, low, high, exact), "number"))) == state


def test_comparisons_within_templates_must_be_decided() -> None:
    assert sampled(0.5, 0.4, 0.6) > 0.3
    assert not sampled(0.5, 0.4, 0.6) > 0.7
    with pytest.raises(InputError, match="do not decide"):
        bool(sampled(0.5, 0.4, 0.6) > 0.5)


@pytest.mark.parametrize(
    ("value", "low", "high", "digits", "en", "es"),
    [
        (0.5, 0.5, 0.5, None, "50.0 %", "50,0 %"),
        (0.0, 0.0, 0.0, None, "0 %", "0 %"),
        (1.0, 1.0, 1.0, None, "100 %", "100 %"),
        (1e-6, 1e-6, 1e-6, None, "< 0.1 %", "< 0,1 %"),
        (0.99999, 0.99999, 0.99999, None, "> 99.9 %", "> 99,9 %"),
        (0.123456, 0.123456, 0.123456, 3, "12.346 %", "12,346 %"),
        # half of 4 points: the last digit is worth at least half of it
        (0.123456, 0.103456, 0.143456, 3, "12 %", "12 %"),
        (0.123456, 0.122956, 0.123956, 3, "12.3 %", "12,3 %"),
        (0.0, 0.0, 0.0004, None, "< 0.1 %", "< 0,1 %"),
        (0.0, 0.0, 0.02, None, "< 2 %", "< 2 %"),
    ],
)
def test_chances_have_the_decimals_of_their_error(
    value: float, low: float, high: float, digits: int | None, en: str, es: str
) -> None:
    found = of_parts((value, low, high, low == value == high), "chance")
    assert numbers.percent(found, "en", digits).replace("\u00a0", " ") == en
    assert numbers.percent(found, "es", digits).replace("\u00a0", " ") == es


def test_numbers_of_each_language() -> None:
    assert numbers.plain(1234567.5, "en", 1) == "1,234,567.5"
    assert numbers.plain(1234567.5, "es", 1) == "1.234.567,5"
    assert numbers.plain(-0.04, "en", 1) == "0.0"
    assert numbers.plain(-1.5, "es", 1) == "\u22121,5"
    assert numbers.plural_word(1, "es") == "one"
    assert numbers.plural_word(0, "es") == numbers.plural_word(2, "en") == "other"
    assert numbers.language_name("es") == "Español"


def test_quantities_survive_being_kept() -> None:
    from chargesim.report.article.quantity import from_dict

    before = of_parts(([0.5, np.nan], [0.4, np.nan], [0.6, np.nan], [False, False]), "chance")
    after = from_dict(before.to_dict())
    assert np.array_equal(after.value, before.value, equal_nan=True)
    assert after.kind == "chance"
    assert not after.is_exact
