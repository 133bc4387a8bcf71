"""Records declared once: packed, filled up to whole words, checked in plain words."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import pytest

from chargesim import rulesets
from chargesim.fields import WORD, Field, Layout, Record


class Colour(IntEnum):
    RED = 1
    BLUE = 4


HEAD = Record("head", [Field("turn", "i2", "Turn.", lo=0, hi=9, live=True)])
UNIT = Record(
    "unit",
    [
        Field("move", "i2", "Move.", unit="cm", lo=1, hi=40),
        Field("losses", "i1", "Models lost.", lo=0, live=True),
        Field("place", "i4", "Where it is.", live=True, shape=(2,)),
        Field("colour", "u1", "Its colour.", enum=Colour),
        Field("luck", "f8", "Its luck.", lo=-1, hi=1),
    ],
)
CHARGE = Record("charge", [Field("charger", "i1", "Number of the charger.", lo=0, hi=3)])
LAYOUT = Layout(HEAD, units=(UNIT, 3), charges=(CHARGE, 2))
LAYOUTS = {
    "toy": LAYOUT,
    **{name: rulesets.get(name).layout for name in rulesets.NAMES},
}


def unit(**values: object) -> np.ndarray:
    records = np.zeros(1, UNIT.dtype)
    records["move"], records["colour"] = 10, Colour.RED
    for name, value in values.items():
        records[name] = value
    return records


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> Layout:
    return LAYOUTS[request.param]


def test_live_fields_come_first_and_wide_ones_before_narrow_ones() -> None:
    assert UNIT.dtype.names == (
        "place", "losses", "filler_live", "luck", "move", "colour", "filler_fixed",
    )  # fmt: skip


def test_halves_are_filled_up_to_whole_words() -> None:
    offsets = {name: UNIT.dtype.fields[name][1] for name in UNIT.dtype.names}
    assert UNIT.live_words == 2
    assert offsets["luck"] == 2 * WORD
    assert UNIT.dtype["filler_live"].shape == (7,)
    assert UNIT.dtype["filler_fixed"].shape == (5,)
    assert UNIT.dtype.itemsize == 4 * WORD


def test_a_record_without_live_fields_has_no_live_words() -> None:
    assert CHARGE.live_words == 0
    assert CHARGE.dtype.names == ("charger", "filler_fixed")


def test_a_record_that_fits_needs_no_filler() -> None:
    record = Record("full", [Field("a", "i8", "A.", live=True), Field("b", "i4", "B.", shape=(2,))])
    assert record.dtype.names == ("a", "b")


def test_records_are_packed(layout: Layout) -> None:
    for record in (layout.head, *layout.parts.values()):
        end = 0
        for name in record.dtype.names:
            kind, offset = record.dtype.fields[name][:2]
            assert offset == end, f"{record.name}.{name}: bytes before it that nobody declared"
            end += kind.itemsize
        assert end == record.dtype.itemsize
        assert end % WORD == 0
        assert not record.dtype.isalignedstruct
        assert not record.dtype.hasobject


def test_every_field_is_declared_with_its_meaning(layout: Layout) -> None:
    for record in (layout.head, *layout.parts.values()):
        declared = {field.name for field in record}
        fillers = {name for name in record.dtype.names if name.startswith("filler_")}
        assert declared | fillers == set(record.dtype.names)
        for field in record:
            assert field.doc.strip(), f"{record.name}.{field.name} has no meaning"
            if field.lo is not None and field.hi is not None:
                assert field.lo <= field.hi, f"{record.name}.{field.name}: empty range"
            if np.dtype(field.type).kind in "iu":
                room = np.iinfo(field.type)
                for bound in (field.lo, field.hi, *(field.enum or ())):
                    assert bound is None or room.min <= bound <= room.max, (
                        f"{record.name}.{field.name}: {bound} does not fit {field.type}"
                    )


def test_equal_games_have_equal_bytes(layout: Layout) -> None:
    one, other = layout.new(), layout.new()
    assert one.tobytes() == other.tobytes() == bytes(layout.dtype.itemsize)
    assert one.shape == (1,)


def test_check_is_silent_when_all_is_well() -> None:
    assert UNIT.check(unit()) == []
    assert UNIT.check(unit(move=40, colour=Colour.BLUE, luck=-1)) == []
    assert UNIT.check(np.zeros(0, UNIT.dtype)) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"move": 0}, "unit 0: move is 0, not 1 to 40"),
        ({"move": 41}, "unit 0: move is 41, not 1 to 40"),
        ({"luck": 1.5}, "unit 0: luck is 1.5, not -1 to 1"),
        ({"colour": 2}, "unit 0: colour is 2, not one of RED, BLUE"),
    ],
)
def test_check_names_record_field_value_and_range(values: dict[str, object], message: str) -> None:
    assert UNIT.check(unit(**values)) == [message]


def test_check_looks_at_an_end_that_stands_alone() -> None:
    (fault,) = UNIT.check(unit(losses=-1))
    assert fault.startswith("unit 0: losses is -1, not ")


def test_check_looks_into_sub_arrays_and_names_each_fault() -> None:
    record = Record("row", [Field("x", "i1", "X.", lo=0, hi=5, shape=(3,))])
    rows = np.zeros(2, record.dtype)
    rows["x"] = [[0, 6, 5], [-1, 0, 7]]
    assert record.check(rows) == [
        "row 0: x is 6, not 0 to 5",
        "row 1: x is -1, not 0 to 5",
        "row 1: x is 7, not 0 to 5",
    ]


def test_a_game_is_checked_only_where_it_is_in_use() -> None:
    game = LAYOUT.new()
    game["head"]["turn"] = 10
    game["units"][0, 0] = unit()[0]
    game["units"][0, 1] = unit(move=50)[0]
    game["charges"][0, 1]["charger"] = 9
    assert LAYOUT.check(game, (1, 1)) == ["head 0: turn is 10, not 0 to 9"]
    assert LAYOUT.check(game, (2, 2)) == [
        "head 0: turn is 10, not 0 to 9",
        "unit 1: move is 50, not 1 to 40",
        "charge 1: charger is 9, not 0 to 3",
    ]


def test_the_table_documents_every_field() -> None:
    lines = UNIT.table().splitlines()
    assert lines[0] == "| field | type | unit | range | meaning |"
    assert "| `move` | i2 | cm | 1 to 40 | Move. |" in lines
    assert "| `place` | i4[2] |  |  | Where it is. |" in lines
    assert "| `colour` | u1 |  | 1 red, 4 blue | Its colour. |" in lines
    assert len(lines) == 2 + len(list(UNIT))


def test_short_dtype_has_room_for_what_is_asked(layout: Layout) -> None:
    counts = tuple(range(1, len(layout.parts) + 1))
    short = layout.short_dtype(counts)
    assert short["head"] == layout.head.dtype
    for (name, record), count in zip(layout.parts.items(), counts, strict=True):
        assert short[name] == np.dtype((record.dtype, (count,)))
    assert short.itemsize == layout.head.dtype.itemsize + sum(
        count * record.dtype.itemsize
        for record, count in zip(layout.parts.values(), counts, strict=True)
    )
    assert layout.short_dtype(layout.rooms) == layout.dtype


def test_a_game_needs_a_count_of_every_part(layout: Layout) -> None:
    for counts in ((1,) * (len(layout.parts) - 1), (1,) * (len(layout.parts) + 1)):
        with pytest.raises(ValueError, match="zip"):
            layout.short_dtype(counts)
        with pytest.raises(ValueError, match="zip"):
            layout.live(counts)


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(("units", "charges"), [(1, 1), (2, 1), (3, 2)])
def test_live_words_are_the_bytes_of_live_fields_in_use(
    units: int, charges: int, short: bool
) -> None:
    dtype = LAYOUT.short_dtype((units, charges)) if short else LAYOUT.dtype
    game = np.zeros(1, dtype)
    # every byte that is live and in use becomes 255, found by name and not by place
    for name, record, used in (
        ("head", HEAD, 1),
        ("units", UNIT, units),
        ("charges", CHARGE, charges),
    ):
        for i in range(used):
            part = game[name] if name == "head" else game[name][:, i]
            for field in record:
                if field.live:
                    part[field.name] = -1
            if "filler_live" in record.dtype.names:
                part["filler_live"] = 255
    words = game.view(np.int64)
    expected = np.flatnonzero(words == -1)
    assert LAYOUT.live((units, charges), short=short).tolist() == expected.tolist()
    assert len(expected) == HEAD.live_words + units * UNIT.live_words
    # nothing else was touched, so no fixed byte shares a word with a live one
    assert np.count_nonzero(words) == len(expected)


def test_live_words_of_a_full_game_stay_in_it(layout: Layout) -> None:
    places = layout.live(layout.rooms)
    assert len(set(places.tolist())) == len(places)
    assert 0 <= places.min() <= places.max() < layout.dtype.itemsize // WORD


def filled(layout: Layout, counts: tuple[int, ...]) -> np.ndarray:
    """A full game whose fields in use hold different numbers; all else is zero."""
    game = layout.new()
    number = 0
    for name, i in layout.records(counts):
        record = game["head"][0] if name == "head" else game[name][0, i]
        kind = layout.head if name == "head" else layout.parts[name]
        for field in kind:
            number += 1
            record[field.name] = number % 100 + 1
    return game


@pytest.mark.parametrize("counts", ["least", "some", "all"])
def test_short_games_hold_what_full_ones_do(layout: Layout, counts: str) -> None:
    rooms = layout.rooms
    used = {"least": (1,) * len(rooms), "some": tuple((r + 1) // 2 for r in rooms), "all": rooms}
    game = filled(layout, used[counts])
    short = layout.shortened(game, used[counts])
    assert short.dtype is layout.short_dtype(used[counts])
    for name, i in layout.records(used[counts]):
        one, other = (g[name][0] if name == "head" else g[name][0, i] for g in (short, game))
        assert one.tobytes() == other.tobytes()
    assert layout.full(short).tobytes() == game.tobytes()
    places = layout.places(short.dtype)
    assert np.array_equal(game.view(np.uint64)[places], short.view(np.uint64))


def test_slim_games_lack_lists_that_never_change(layout: Layout) -> None:
    held = tuple(min(room, 3) for room in layout.rooms)
    counts = tuple(min(room, 2) for room in layout.rooms)
    short = layout.shortened(filled(layout, held), held)
    slim = layout.slim(short, counts)
    assert slim.dtype is layout.short_dtype(counts, slim=True)
    for name, i in layout.records(counts):
        one, other = (g[name][0] if name == "head" else g[name][0, i] for g in (slim, short))
        record = layout.head if name == "head" else layout.parts[name]
        for field in record:
            if field.shape and not field.live:
                assert field.name not in one.dtype.names
            else:
                assert np.array_equal(one[field.name], other[field.name])
    live = layout.live(counts, slim=True)
    words = slim.view(np.uint64)
    assert np.array_equal(words[live], short.view(np.uint64)[layout.live_of(
        layout.records(counts), short.dtype
    )])  # fmt: skip
    assert slim.dtype.itemsize % WORD == 0
