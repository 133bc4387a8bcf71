"""What the tellers of all rulesets share."""

from __future__ import annotations

import pytest

from chargesim.kernels import dice
from chargesim.rulesets import telling
from chargesim.rulesets.telling import Sentence, Teller

HEAD = Sentence("X-01", "{number}. {step}", level=0)
SAID = Sentence("X-02", "said")


def teller(lang: str = "en") -> Teller:
    return Teller("wh6", ["a", "b"], lang, HEAD, {0: "first", 1: "second"})


def test_log_kinds_are_those_of_the_dice() -> None:
    t, node = telling, dice.Node
    kinds = (t.NOTE, t.TEST, t.SUM, t.COUNT, t.ESTIMATE, t.RACE, t.BANDS)
    assert kinds == (
        dice.NOTE,
        *(node.TEST, node.SUM, node.COUNT, node.LENGTH, node.RACE, node.BANDS),
    )


def test_a_step_is_headed_once_and_only_when_something_happens() -> None:
    t = teller()
    t.step(0)
    t.step(1)
    t.add(SAID, "one", "a")
    t.step(1)
    t.add(SAID, "two", "b", rule="X-03")
    assert [(line.rule, line.text, line.unit, line.level) for line in t.lines] == [
        ("X-01", "2. second", None, 0),
        ("X-02", "one", "a", 1),
        ("X-03", "two", "b", 1),
    ]


def test_dice_wait_for_their_line() -> None:
    t = teller()
    t.waiting = ["1D6: 4", "1D6: 2"]
    t.add(SAID, "one", "a")
    t.add(SAID, "two", "a")
    t.waiting = ["1D6: 1"]
    t.add(SAID, "three", "a", shows_dice=False)
    t.add(SAID, "four", "a")
    assert [line.text for line in t.lines] == ["one (1D6: 4; 1D6: 2)", "two", "three", "four"]
    assert [line.dice for line in t.lines] == ["1D6: 4; 1D6: 2", "", "", ""]


@pytest.mark.parametrize(
    ("value", "english", "spanish"),
    [(12, "12", "12"), (1.5, "1.5", "1,5"), (100, "100", "100"), (-0.001, "0", "0")],
)
def test_numbers_have_at_most_two_decimals(value: float, english: str, spanish: str) -> None:
    assert teller().number(value) == english
    assert teller("es").number(value) == spanish
