"""Values in scenario files: one message a fault, whatever the form in which it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from chargesim import rulesets
from chargesim.rulesets.values import (
    LIST,
    PLAIN,
    TABLE,
    Number,
    Section,
    between,
    decimals,
    flag_or,
    forms,
    whole,
)


class Pair(Section):
    a: Number
    b: Number = 0.0


THREE = Annotated[
    Annotated[whole(0, 5), PLAIN]
    | Annotated[tuple[whole(0, 5), ...], LIST]
    | Annotated[Pair, TABLE],
    forms(LIST, TABLE),
]


def faults(kind: Any, value: Any) -> list[tuple[tuple[Any, ...], str]]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    return [(error["loc"], error["msg"]) for error in caught.value.errors()]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (7, ("@plain",)),
        ("x", ("@plain",)),
        (None, ("@plain",)),
        ([1, 7], ("@list", 1)),
        ({"a": "x"}, ("@table", "a")),
        ({"a": 1, "c": 2}, ("@table", "c")),
    ],
)
def test_a_value_is_held_against_the_form_it_is_written_in(value: Any, place: Any) -> None:
    assert [where for where, _ in faults(THREE, value)] == [place]


def test_sound_values_of_every_form() -> None:
    read = TypeAdapter(THREE).validate_python
    assert read(5) == 5
    assert read([0, 5]) == (0, 5)
    assert read({"a": 1}) == read(Pair(a=1.0)) == Pair(a=1.0, b=0.0)


@pytest.mark.parametrize("value", [True, "1", None, float("inf"), float("nan"), [1]])
def test_what_is_no_number(value: Any) -> None:
    ((_, text),) = faults(Number, value)
    assert "number" in text


def test_a_number_too_long_for_a_float_is_a_fault() -> None:
    assert len(faults(between(0, 10), 10**400)) == 1


@pytest.mark.parametrize("value", [1, 0, "bset", None, [True]])
def test_true_false_or_a_word(value: Any) -> None:
    ((where, text),) = faults(Annotated[Any, flag_or("best")], value)
    assert where == ()
    assert "is not one of true, false, best" in text
    assert ("nearest" in text) == (value == "bset")


def test_decimals() -> None:
    assert decimals(0.1 + 0.2, 2, "lengths") == 0.3
    with pytest.raises(ValueError, match="more than two decimals: lengths have at most two"):
        decimals(1.234, 2, "lengths")


def unions(schema: Any, guarded: bool = False, path: str = "") -> Iterator[str]:
    """Paths of unions that try one type after the other: a fault in one is told once a type."""
    if isinstance(schema, dict):
        kind = schema.get("type")
        if kind == "union" and not guarded:
            yield path
        # what a check of ours lets through fits one of the types
        guarded = kind == "function-before" or (guarded and kind != "model")
        for key, value in schema.items():
            yield from unions(value, guarded, f"{path}.{key}")
    elif isinstance(schema, (list, tuple)):
        for i, value in enumerate(schema):
            yield from unions(value, guarded, f"{path}.{i}")


def test_the_search_for_unions_finds_them() -> None:
    assert list(unions(TypeAdapter(tuple[int | list[int], str]).core_schema))
    assert not list(unions(TypeAdapter(THREE).core_schema))
    assert not list(unions(TypeAdapter(Annotated[bool | str, flag_or("x")]).core_schema))


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_no_union_of_a_scenario_tells_a_fault_twice(name: str) -> None:
    assert not list(unions(rulesets.get(name).model.__pydantic_core_schema__))
