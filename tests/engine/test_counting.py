"""Outcomes counted together are those of each tally by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import CASES
from random_questions import questions

from chargesim.engine import exact
from chargesim.engine.counting import count_outcomes
from chargesim.engine.sample import sample_pieces, sample_whole
from chargesim.engine.tally import Tally
from chargesim.parts import alike


def one_by_one(tally: Tally) -> dict[tuple[str, str], dict[str, float]]:
    """Weight of every word, summed over the states of one tally."""
    reading = tally.reading
    views = [("charge", str(number), view) for number, view in reading.charges.items()]
    views += [("combat", name, view) for name, view in reading.combats.items()]
    return {
        (kind, subject): {
            word: sum(tally.weights[view.codes == code].tolist())
            for code, word in view.words.items()
        }
        for kind, subject, view in views
    }


def together(tallies: list[Tally]) -> list[dict[tuple[str, str], dict[str, float]]]:
    found: list[dict[Any, Any]] = [{} for _ in tallies]
    for places, outcomes in count_outcomes(tallies):
        for kind, subject, words, weights in outcomes:
            for place, row in zip(places, weights.tolist(), strict=True):
                assert (kind, subject) not in found[place]
                found[place][kind, subject] = dict(zip(words, row, strict=True))
    return found


def variants() -> list[Any]:
    """Parts of variants of several scenarios, in turns."""
    boars = CASES["canonical"].scenario
    rows = [(d, n) for d in (12, 20, 30) for n in (3, 9)]
    paths = ("charge.0.distance", "unit.handgunners.shooters")
    own = [part for one in boars.variants(paths, rows) for part in one.parts]  # type: ignore[union-attr]  # all stand
    others = [part for one in questions(18, number=21) for part in one.parts]
    return [part for pair in zip(own, others, strict=False) for part in pair] + others[len(own) :]


def test_counts_of_samples_are_those_of_each() -> None:
    tallies = [tally for part in variants() for tally in sample_whole(part, 400, threads=1)]
    assert together(tallies) == [one_by_one(tally) for tally in tallies]


def test_chances_are_those_of_each() -> None:
    found = exact.solve_many(variants(), max_states=20_000, threads=1)
    tallies = [tally for tally in found if isinstance(tally, Tally)]
    assert len(tallies) > 10
    for mine, own in zip(together(tallies), map(one_by_one, tallies), strict=True):
        assert mine.keys() == own.keys()
        for key, words in own.items():
            assert mine[key] == pytest.approx(words, abs=1e-14)
            held = [word for word, weight in words.items() if weight > 0]
            if len(held) == 1:
                assert mine[key][held[0]] == 1.0


def test_tallies_that_share_their_states_are_counted_with_others() -> None:
    scenario = CASES["canonical"].scenario
    rows = [(d, n) for d in (12, 30, 18) for n in (9, 3, 9)]
    batch = [
        one.whole
        for one in scenario.variants(("charge.0.distance", "unit.handgunners.shooters"), rows)
    ]  # type: ignore[union-attr]  # all stand
    tallies = [one for one in exact.solve_many(batch, threads=1) if isinstance(one, Tally)]
    assert len({id(one.states) for one in tallies}) < len(tallies) == len(rows)
    tallies.insert(4, exact.solve(batch[2]))
    for mine, own in zip(together(tallies), map(one_by_one, tallies), strict=True):
        for key, words in own.items():
            assert mine[key] == pytest.approx(words, abs=1e-14)


def test_pieces_are_counted_by_themselves() -> None:
    (part,) = CASES["two_on_one"].scenario.parts
    pieces = sample_pieces(part, 300, threads=1)
    assert together(pieces) == [one_by_one(tally) for tally in pieces]


def test_only_parts_in_which_the_same_is_told_are_read_together() -> None:
    boars = CASES["canonical"].scenario
    (part,) = boars.parts
    (nearer,) = boars.replace(**{"charge.0.distance": 11}).parts
    start = part.start.copy()
    start["charges"]["number"] += 1
    other = type(part)(part.ruleset, type(part._part)(start, part.counts, part.units))
    assert alike([part, other, nearer]) == [[0, 2], [1]]
    assert np.array_equal(other.live, part.live)
