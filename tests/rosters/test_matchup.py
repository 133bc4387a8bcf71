"""Match-ups: each charge is the one the scenario file would ask, the rest follows from them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosters.test_documents import ENGLISH, EVIL, named

import chargesim as cs
from chargesim.data import rosters
from chargesim.report import render
from chargesim.report.charges import answer
from chargesim.report.matchup import DISTANCES, MatchUps
from chargesim.report.matchup_figures import heat_maps, picture_of
from chargesim.report.matchup_play import MEASURES
from chargesim.report.matchup_tables import compact, matchup_document

LISTS = rosters()


@pytest.fixture(scope="module")
def found() -> MatchUps:
    return cs.matchup(LISTS["guardia_del_puerto"], LISTS["hueste_del_pantano"])


def by_hand(found: MatchUps, direction: int, one: str, other: str, **charge: Any) -> cs.Result:
    """The same charge, asked as a scenario with the best reaction."""
    match = found[direction]
    units = {
        one: {**match.active.units[one], "side": "active"},
        other: {**match.reactive.units[other], "side": "reactive"},
    }
    distance = {"distance": match.distances[0], **charge}
    return cs.solve(
        cs.Scenario(
            ruleset="wh6", units=match.active.lengths, unit=units, reaction={other: "best"},
            charge=[{"charger": one, "target": other, **distance}],
        )
    )  # fmt: skip


def test_every_charge_is_what_a_scenario_says(found: MatchUps) -> None:
    assert [match.shape for match in found] == [(5, 5, 1), (5, 5, 1)]
    reactions = set()
    for direction, match in enumerate(found):
        for meeting in match.meetings:
            result = by_hand(found, direction, meeting.charger, meeting.target)
            best = next(one for one in result.alternatives if one["chosen"])
            told = answer(result, 0)
            assert meeting.measure("arrive").value == told.arrives[0]
            assert meeting.measure("win").value == told.wins[0]
            assert meeting.measure("break").value == told.breaks[0]
            assert meeting.measure("broken").value == told.broken[0]
            assert meeting.swing == -best["value"]
            assert meeting.reaction == result.charges[0][1].labels["reaction"]
            assert meeting.engine == "exact"
            reactions.add(meeting.reaction)
    assert {"hold", "stand_and_shoot"} <= reactions


def test_to_beat_is_to_win_or_to_put_to_flight(found: MatchUps) -> None:
    for direction, match in enumerate(found):
        for meeting in match.meetings:
            result = by_hand(found, direction, meeting.charger, meeting.target)
            name = meeting.target
            gone = result.probability(f"{name}:fleeing+destroyed+fled_off_table")
            won = result.probability(f"{name}:target_held")
            assert meeting.measure("beat").value == pytest.approx(gone + won, abs=1e-12)
            chain = [meeting.measure(m).value for m in ("break", "win", "beat")]
            assert chain == sorted(chain)
            assert meeting.measure("win").value <= meeting.measure("arrive").value + 1e-12


def test_ranking_and_blind_spots(found: MatchUps) -> None:
    for match in found:
        ranked, swing, beat = match.ranked(), match.array("swing"), match.array("beat")
        assert len(ranked) == swing.size
        assert [swing[at] for at in ranked] == sorted(swing.ravel(), reverse=True)
        blind = {j for j, _i, _p in match.blind_spots()}
        assert blind == {j for j in range(5) if beat[:, j].max() < 0.5}
        for j, i, p in match.blind_spots():
            assert p == beat[i, j] == beat[:, j].max()
        assert match.idle() == [i for i in range(5) if beat[i].max() < 0.5]
    assert found[0].blind_spots() or found[1].blind_spots() or found[0].idle() or found[1].idle()


def test_several_distances() -> None:
    many = cs.matchup(
        LISTS["guardia_del_puerto"], LISTS["hueste_del_pantano"], distance=(10, 20, 30), both=False
    )
    (match,) = many
    assert match.shape == (5, 5, 3)
    single = [
        cs.matchup(
            LISTS["guardia_del_puerto"], LISTS["hueste_del_pantano"], distance=d, both=False
        )[0]
        for d in (10, 20, 30)
    ]
    for measure in (*MEASURES, "swing"):
        alone = np.array([one.array(measure) for one in single])
        assert np.array_equal(match.array(measure), alone.mean(axis=0))
    # infantry that reaches 20 cm does not reach 30
    at = match.at(
        match.chargers.index("lanceros_del_muelle"), match.targets.index("ogros_del_fango")
    )
    assert [one.measure("arrive").value > 0 for one in at] == [True, True, False]
    assert [one.distance for one in at] == [10, 20, 30]


def test_several_lists_and_equal_names() -> None:
    units = {"a": PLAIN, "b": {**PLAIN, "models": 5, "troop": "war_machine"}}
    three = cs.matchup(units, units, {"c": PLAIN})
    assert len(three) == 6
    assert three[0].chargers == ["a"]
    assert three[0].targets == ["a", "b"]
    assert three[0].array("arrive").shape == (1, 2)
    assert len(cs.matchup(units, units, units, both=False)) == 2


PLAIN = {"side": "active", "models": 10, "M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3,
         "A": 1, "Ld": 7}  # fmt: skip


def test_units_of_one_name_are_told_apart(tmp_path: Path) -> None:
    from rosters.build import army, write
    from rosters.shapes import SHAPES

    file = tmp_path / "twins.ros"
    file.write_bytes(write(army("es", *SHAPES["the_same_name_twice"]("es")[0]), "ros"))
    twins = cs.matchup(file, {"a": PLAIN})
    assert sorted(twins[0].active.names.values()) == ["Reed Bows ×12", "Reed Bows ×8"]


def test_a_list_may_be_a_file_of_units(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    lines = "\n".join(f"{k} = {json.dumps(v)}" for k, v in PLAIN.items())
    file.write_text(f"[unit.own]\n{lines}\nfleeing = false\nneighbours = []\n", encoding="utf-8")
    match = cs.matchup(file, LISTS["hueste_del_pantano"])[0]
    assert match.chargers == ["own"]
    assert match.active.title == "own"


def test_points_of_one_side_alone_are_no_measure() -> None:
    """Without points for both, unit strength is what is won and lost."""
    pointed = cs.matchup({"a": {**PLAIN, "points": 900}}, {"b": PLAIN}, distance=10)
    plain = cs.matchup({"a": PLAIN}, {"b": PLAIN}, distance=10)
    assert pointed[0].array("swing") == plain[0].array("swing")


def test_charges_that_cannot_be_played_are_named() -> None:
    crowd = {**PLAIN, "models": 500, "width": 500, "A": 10}
    match = cs.matchup({"crowd": crowd, "few": PLAIN}, {"b": PLAIN}, distance=10)[0]
    by_name = {one.charger: one for one in match.meetings}
    assert "fewer of either" in by_name["crowd"].fault
    assert np.isnan(match.array("win")[0, 0])
    assert by_name["few"].fault == ""
    assert match.ranked() == [(1, 0)]
    document = render.text(
        matchup_document(
            cs.matchup({"crowd": crowd, "few": PLAIN}, {"b": PLAIN}, distance=10), "en"
        )
    )
    assert "crowd cannot be played: unit.crowd.width" in document
    assert "1 charges cannot be played" in document
    json.dumps(match.to_dict(), allow_nan=False)


def test_sampled_match_ups_have_intervals() -> None:
    sampled = cs.matchup(
        {"a": PLAIN}, {"b": {**PLAIN, "missile": "bow"}}, engine="sample", trials=20_000, seed=3
    )
    exact = cs.matchup({"a": PLAIN}, {"b": {**PLAIN, "missile": "bow"}})
    assert sampled.to_dict()["trials"] == 20_000
    assert exact.to_dict()["trials"] is None
    for one, other in zip(sampled[0].meetings, exact[0].meetings, strict=True):
        low, high = one.measure("win").low, one.measure("win").high
        assert low < high
        assert low - 0.01 < other.measure("win").value < high + 0.01
    assert "Sampled: 20,000 trials, seed 3" in render.text(matchup_document(sampled, "en"))


def test_switches_are_passed_on() -> None:
    units = {"b": {**PLAIN, "troop": "war_machine", "models": 3}}
    played = cs.matchup({"a": PLAIN}, units, switches={"war_machine_us": "fixed3"})
    assert played.to_dict()["switches"]["war_machine_us"] == "fixed3"


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((LISTS["hill_clans"],), {}, "one list alone"),
        ((LISTS["hill_clans"], LISTS["guardia_del_puerto"]), {},
            "Hill Clans in inch, Guardia del puerto in cm"),
        (({"a": PLAIN}, {"b": PLAIN}), {"distance": 0}, "above 0"),
        (({"a": PLAIN}, {"b": PLAIN}), {"distance": []}, "above 0"),
        (({"a": PLAIN}, {"b": PLAIN}), {"distance": float("nan")}, "above 0"),
        (({"a": PLAIN}, {"b": PLAIN}), {"distance": range(1, 1001), "trials": 0}, "trials"),
        (({"a": {**PLAIN, "troop": "war_machine"}}, {"b": PLAIN}), {"both": False},
            "nobody may charge"),
        (({}, {"b": PLAIN}), {}, "no unit in it can be simulated"),
        (({"a": {**PLAIN, "WS": 99}}, {"b": PLAIN}), {}, "too large"),
    ],
)  # fmt: skip
def test_what_cannot_be_matched(
    arguments: tuple[Any, ...], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(cs.InputError) as error:
        cs.matchup(*arguments, **options)
    assert words in str(error.value)


def test_many_charges_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from chargesim.report import matchup as module

    monkeypatch.setattr(module, "MOST_CHARGES", 1)
    with pytest.raises(cs.InputError, match="2 charges are many"):
        cs.matchup({"a": PLAIN}, {"b": PLAIN})
    told: list[tuple[int, int]] = []
    cs.matchup({"a": PLAIN}, {"b": PLAIN}, yes=True, progress=lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]


# Documents


def test_documents(found: MatchUps) -> None:
    text = render.text(matchup_document(found, "en"))
    assert "Every unit charges every enemy at 20 cm" in text
    assert text.count("It arrives and wins the round, %") == 2
    rows = list(csv.reader(io.StringIO(render.write(matchup_document(found, "en"), "csv", "en"))))
    wins = [row for row in rows if row[0].endswith(": win")]
    assert len(wins) == 50
    told = {(row[1], row[2]): float(row[5]) for row in wins[:25]}
    names = found[0].active.names, found[0].reactive.names
    for one in found[0].meetings:
        assert told[names[0][one.charger], names[1][one.target]] == one.measure("win").value
    frame = found[0].frame("break")
    assert frame.shape == (5, 5)
    assert frame.loc["Caballeros del faro", "Tiradores"] == found[0].array("break")[3, 3]
    assert "<table>" in found._repr_html_()


def test_spanish_documents(found: MatchUps) -> None:
    text = render.text(matchup_document(found, "es"))
    body = "\n".join(line for line in text.splitlines() if not line.startswith("Opciones"))
    assert not ENGLISH.search(body)
    assert "Puntos ciegos" in body or "Sin puntos ciegos" in body
    assert "Las mejores cargas" in body


def test_whole_per_cents_keep_0_and_100_for_what_is_certain() -> None:
    assert [compact(p, "en", exact=True) for p in (0, 1, 0.004, 0.996, 0.5, float("nan"))] == [
        "0", "100", "<1", ">99", "50", "·"]  # fmt: skip
    assert [compact(p, "en", exact=False) for p in (0, 1)] == ["<1", ">99"]


def test_the_figure_names_both_sides(found: MatchUps) -> None:
    figure = heat_maps(found, "beat", "es")
    assert len(figure.axes) == 3
    for ax, match in zip(figure.axes, found, strict=False):
        assert [t.get_text() for t in ax.get_yticklabels()] == [
            match.active.names[n] for n in match.chargers
        ]
        assert [t.get_text() for t in ax.get_xticklabels()] == [
            match.reactive.names[n] for n in match.targets
        ]
        shown = np.asarray(ax.images[0].get_array(), float)
        assert np.allclose(shown, 100 * match.array("beat"))
    first, second = (picture_of(heat_maps(found), "win", "en").svg for _i in range(2))
    assert first == second


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_reports_show_the_figure(found: MatchUps, form: str) -> None:
    picture = picture_of(heat_maps(found), "win", "en", "map.svg")
    text = render.write(matchup_document(found, "en", picture), form, "en")
    assert ("data:image/svg+xml;base64," in text) is (form == "html")
    assert ("![Heat map: It arrives and wins the round, %](<map.svg>)" in text) is (
        form == "markdown"
    )


@pytest.mark.parametrize("name", [EVIL[0], EVIL[1], "$x_1$", "a|b"])
def test_names_in_match_ups(name: str) -> None:
    roster = named(name)
    played = cs.matchup(roster, roster, both=False)
    picture = picture_of(heat_maps(played), "win", "en", "map.svg")
    page = render.write(matchup_document(played, "en", picture), "html", "en")
    assert "<script" not in page
    cells = [
        c
        for row in csv.reader(
            io.StringIO(render.write(matchup_document(played, "en"), "csv", "en"))
        )
        for c in row
    ]
    assert not any(c.startswith("=") for c in cells)
    assert DISTANCES["inch"] == played[0].distances[0]


# Kept as studies


def test_a_kept_match_up_says_the_same_and_goes_on(tmp_path: Path, found: MatchUps) -> None:
    lists = LISTS["guardia_del_puerto"], LISTS["hueste_del_pantano"]
    told: list[tuple[int, int]] = []
    kept = cs.matchup(*lists, out=tmp_path / "kept", progress=lambda *done: told.append(done))
    assert sorted(folder.name for folder in (tmp_path / "kept").iterdir()) == ["1_on_2", "2_on_1"]
    assert told[-1] == (50, 50)
    for one, other in zip(kept, found, strict=True):
        for mine, plain in zip(one.meetings, other.meetings, strict=True):
            assert (mine.charger, mine.target, mine.distance) == (
                plain.charger, plain.target, plain.distance)  # fmt: skip
            assert mine.swing == pytest.approx(plain.swing, abs=1e-9)
            for measure in MEASURES:
                wanted = plain.measure(measure).value
                assert mine.measure(measure).value == pytest.approx(wanted, abs=1e-12)
            assert mine.reaction == plain.reaction
            assert mine.engine == "exact"
        assert one.ranked()[:3] == other.ranked()[:3]
    files = {f: f.stat().st_mtime_ns for f in (tmp_path / "kept").rglob("*.parquet")}
    again = cs.matchup(*lists, out=tmp_path / "kept")
    assert {f: f.stat().st_mtime_ns for f in (tmp_path / "kept").rglob("*.parquet")} == files
    assert [m.to_dict() for m in again[0].meetings] == [m.to_dict() for m in kept[0].meetings]


def test_a_kept_match_up_of_samples(tmp_path: Path) -> None:
    sides = {"a": PLAIN}, {"b": {**PLAIN, "missile": "bow"}, "c": {**PLAIN, "WS": 5}}
    options: dict[str, Any] = {"engine": "sample", "trials": 20_000, "seed": 3, "both": False}
    kept, plain = cs.matchup(*sides, out=tmp_path, **options), cs.matchup(*sides, **options)
    for one, other in zip(kept[0].meetings, plain[0].meetings, strict=True):
        for measure in MEASURES:
            # units have other numbers in a study, and so other luck
            here, there = one.measure(measure), other.measure(measure)
            assert here.low < here.high
            assert max(here.low, there.low) <= min(here.high, there.high)
    assert kept.to_dict()["trials"] == 20_000


def test_charges_that_fail_are_named_in_a_study_too(tmp_path: Path) -> None:
    crowd = {**PLAIN, "models": 500, "width": 500, "A": 10}
    (match,) = cs.matchup({"few": PLAIN, "crowd": crowd}, {"b": PLAIN}, out=tmp_path, both=False)
    assert match.meetings[0].fault == ""
    assert "fewer of either" in match.meetings[1].fault
    assert np.isnan(match.array("win")[1, 0])


def test_too_many_units_for_one_study(tmp_path: Path) -> None:
    many = {f"u{i}": PLAIN for i in range(60)}
    with pytest.raises(cs.InputError, match="more than 60 units"):
        cs.matchup(many, {"b": PLAIN}, out=tmp_path, both=False)
