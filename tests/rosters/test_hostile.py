"""Files that mean harm, or are not what they are called: one clear error each, or the list."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosters.build import FORMATS, L, S, army, as_json, line, packed, write
from rosters.shapes import SHAPES, on_foot

import chargesim as cs
from chargesim.rosters import nodes
from chargesim.rosters.findings import RosterError
from chargesim.rosters.reading import read_army


def bows(**extra: object) -> L:
    unit = S("Reed Bows", "unit", profiles=[line("en", "Reed Bow", on_foot("en"))],
             inside=[S("Reed Bows", "model", 9, points=63)])  # fmt: skip
    return army("en", unit, **extra)


SOUND = write(bows(), "ros")
BODY = SOUND.decode().partition("?>\n")[2]


def refused(data: bytes) -> str:
    with pytest.raises(RosterError) as error:
        read_army(data, "list.ros")
    text = str(error.value)
    assert text.startswith("list.ros")
    assert error.value.exit_code == 2
    return text


def with_head(head: str, body: str = BODY) -> bytes:
    return f"<?xml version='1.0'?>\n{head}\n{body}".encode()


LAUGHS = "".join(f"<!ENTITY a{i + 1} '{f'&a{i};' * 10}'>" for i in range(9))


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE roster>",
        "<!DOCTYPE roster SYSTEM 'http://invalid.invalid/roster.dtd'>",
        "<!DOCTYPE roster [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>",
        "<!DOCTYPE roster [<!ENTITY % x SYSTEM 'http://invalid.invalid/x'> %x;]>",
        f"<!DOCTYPE roster [<!ENTITY a0 'ha'>{LAUGHS}]>",
    ],
)
def test_document_types_and_entities(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_args: object, **_named: object) -> None:
        raise AssertionError("the reader opened a connection")

    monkeypatch.setattr(socket, "socket", no_network)
    body = BODY.replace("Invented host", "&a9;") if "a9" in head else BODY
    assert "document type or an entity" in refused(with_head(head, body))


def test_an_entity_that_nobody_declared() -> None:
    assert "not sound XML" in refused(with_head("", BODY.replace("Invented host", "&who;")))


@pytest.mark.parametrize("levels", [nodes.MOST_DEPTH + 1, 20_000])
def test_depth_of_xml(levels: int) -> None:
    inner = "<selections><selection name='x'>" * levels + "</selection></selections>" * levels
    assert "deep" in refused(SOUND.replace(b"<selections>", f"<selections>{inner}".encode(), 1))


def test_number_of_elements() -> None:
    many = "<rules>" + "<rule name='r'/>" * (nodes.MOST_ELEMENTS + 1) + "</rules>"
    assert "elements" in refused(SOUND.replace(b"<selections>", f"{many}<selections>".encode(), 1))


def test_number_of_parts() -> None:
    """What grows with the square of a number is bounded, so that no list takes long."""
    one = "<selection name='x' type='model'/>"
    many = SOUND.replace(b"<selections>", b"<selections>" + one.encode() * 5_000, 1)
    assert "5,002 selections" in refused(many)
    lined = [line("en", f"Line {i}", on_foot("en")) for i in range(61)]
    wide = write(army("en", S("x", "unit", profiles=lined)), "ros")
    with pytest.raises(RosterError, match="61 different stat lines"):
        read_army(wide, "list.ros")
    units = [S(f"Unit {i}", "unit", profiles=lined[:1]) for i in range(501)]
    assert "more than 500 units" in refused(write(army("en", *units), "ros"))
    rules = [f"Hate {i}" for i in range(20_000)]
    hater = S("Hater", "unit", profiles=lined[:1], rules=rules)
    rows = read_army(write(army("en", hater), "ros")).findings
    assert sum(row.status == "partial" for row in rows) == len(rules)


def test_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MOST_BYTES", len(SOUND) - 1)
    assert "too large" in refused(SOUND)


def test_a_packed_file_that_expands_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MOST_EXPANDED", 1_000_000)
    assert "expands" in refused(packed({"list.ros": b" " * 1_000_001}))
    # a header that lies about the size
    lying = bytearray(packed({"list.ros": b" " * 5_000_000}))
    at = lying.index(b"PK\x01\x02") + 24
    lying[at : at + 4] = (100).to_bytes(4, "little")
    refused(bytes(lying))


def test_members_of_a_packed_file() -> None:
    litter = {"__MACOSX/._list.ros": b"x", "._list.ros": b"x"}
    assert read_army(packed({"list.ros": SOUND, **litter})).units
    assert read_army(packed({"army.bin": SOUND})).units
    assert read_army(packed({"../../etc/list.ros": SOUND, "note.txt": b"x"})).units
    assert "2 lists" in refused(packed({"a.ros": SOUND, "b.ros": SOUND}))
    assert "no list" in refused(packed(litter))
    many = {f"{i}.txt": b"x" for i in range(nodes.MOST_MEMBERS + 1)}
    assert "17 files" in refused(packed(many))
    assert "within another" in refused(packed({"list.rosz": packed({"list.ros": SOUND})}))


def test_nothing_is_extracted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read_army(packed({"../out.ros": SOUND}))
    assert not list(tmp_path.parent.glob("out.ros"))
    assert not list(tmp_path.iterdir())


def test_damaged_and_encrypted_packed_files() -> None:
    whole = packed({"list.ros": SOUND})
    refused(whole[: len(whole) // 2])
    broken = bytearray(whole)
    broken[60] ^= 0xFF
    refused(bytes(broken))
    locked = bytearray(whole)
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted: save the list without" in refused(bytes(locked))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("list.ros", SOUND)
    strange = bytearray(out.getvalue())
    at = strange.index(b"PK\x01\x02") + 10
    strange[at : at + 2] = (9).to_bytes(2, "little")  # Deflate64
    refused(bytes(strange))


def test_json_that_means_harm() -> None:
    sound = as_json(bows())
    assert "deep" in refused(b"[" * 100_000 + b"]" * 100_000)
    assert "deep" in refused(b'{"roster":' * 200 + b"{}" + b"}" * 200)
    text = json.dumps(sound)
    assert "NaN is no number" in refused(text.replace(": 63", ": NaN", 1).encode())
    assert "stands twice" in refused(text.replace('"name"', '"name": "x", "name"', 1).encode())
    assert "not a whole number" in refused(
        text.replace('"number": 9', '"number": ' + "9" * 5_000).encode()
    )
    assert "not a table" in refused(text.replace('"forces": [', '"forces": [7, ', 1).encode())
    assert 'without a "roster"' in refused(b'{"list": []}')
    assert "Old World Builder" in refused(b'{"characters": [], "core": [], "game": "x"}')
    assert "line 1: is not UTF-8" in refused(b'{"roster": "\xff"}')


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (b"<!DOCTYPE html><html></html>", "is a web page"),
        (b"<html><body>List</body></html>", "is a web page"),
        (b"%PDF-1.7 ...", "is a PDF"),
        (b"\x1f\x8b\x08rest", "is a gzip file"),
        (b"12 spearmen", "is neither XML, JSON nor a .rosz"),
        (b"<catalogue name='x'/>", "is a data file of a list builder"),
        (b"<gameSystem name='x'/>", "is a data file of a list builder"),
        (b"<svg/>", "begins with <svg>, not <roster>"),
        (b"<roster>", "not sound XML"),
        (b"<roster name='x'/>", "holds no forces"),
        (b"<roster><forces><force name='x'/></forces></roster>", "no profile is a stat line"),
    ],
)
def test_what_is_no_list(data: bytes, words: str) -> None:
    assert words in refused(data)


@pytest.mark.parametrize("version", ["1.15", "2.00", "2.01"])
def test_older_versions_are_refused_by_number(version: str) -> None:
    text = refused(SOUND.replace(b'"2.03"', f'"{version}"'.encode()))
    assert f"is of version {version}" in text
    assert "2.02 and 2.03" in text


@pytest.mark.parametrize("version", ["2.02", "2.03", "2.03b"])
def test_versions_that_are_read(version: str) -> None:
    assert read_army(SOUND.replace(b'"2.03"', f'"{version}"'.encode())).list.version == version


@pytest.mark.parametrize(("version", "words"), [("3.0", "newer"), ("two", "is not known")])
def test_versions_that_nobody_knows(version: str, words: str) -> None:
    assert words in refused(SOUND.replace(b'"2.03"', f'"{version}"'.encode()))


@pytest.mark.parametrize("number", ["0", "-3", "1001", "1e9", "9.5", "nine", "9" * 5000])
def test_numbers_out_of_range(number: str) -> None:
    text = refused(SOUND.replace(b'number="9"', f'number="{number}"'.encode()))
    assert "Reed Bows > Reed Bows: number" in text
    assert len(text) < 300


@pytest.mark.parametrize("cost", ["NaN", "Infinity", "1e40", "-1e7", "cheap"])
def test_costs_out_of_range(cost: str) -> None:
    text = refused(SOUND.replace(b'value="63"', f'value="{cost}"'.encode()))
    assert "is not a number of points" in text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["list.ros", "list.rosz", "list.json", "list.zip", "list"])
def test_files_are_known_by_what_they_hold(form: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(write(bows(), form))
    assert cs.read_roster(file).units["reed_bows"]["models"] == 9


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(cs.InputError, match=r"none\.ros: cannot be read"):
        cs.read_roster(tmp_path / "none.ros")
    with pytest.raises(cs.InputError, match="cannot be read"):
        cs.read_roster(tmp_path)
    with pytest.raises(cs.InputError, match="cannot be read"):
        cs.read_roster("a\0b")


def all_shapes(lang: str) -> list[S]:
    return [one for build in SHAPES.values() for one in build(lang)[0]]


WHOLE = {(form, lang): write(army(lang, *all_shapes(lang)), form)
         for form in FORMATS for lang in ("en", "es")}  # fmt: skip


def read_or_refuse(data: bytes) -> None:
    told = ""
    try:
        read_army(data, "list")
    except RosterError as error:
        told = str(error)
    assert not told or told.startswith("list")
    assert len(told) < 2_000


@settings(max_examples=150)
@given(data=st.binary(max_size=400), head=st.sampled_from([b"", b"PK", b"<roster>", b'{"roster":']))
def test_random_bytes(data: bytes, head: bytes) -> None:
    read_or_refuse(head + data)


@settings(max_examples=60)
@given(
    kind=st.sampled_from(sorted(WHOLE)),
    changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=12),
    cut=st.floats(0.5, 1),
)
def test_damaged_lists(kind: tuple[str, str], changes: list[tuple[float, int]], cut: float) -> None:
    data = bytearray(WHOLE[kind])
    for where, byte in changes:
        data[min(int(where * len(data)), len(data) - 1)] = byte
    read_or_refuse(bytes(data[: int(cut * len(data))] if cut < 0.9 else data))


CELLS = st.sampled_from(
    ["-", "", "*", "Special", "D6", "5D6", "1(2)", "7+1", "55", ".3", "2D5", "3+(1+)", "+1", "4*",
     "-6", '12"*24"', "٣", "½", "9999999999", "2+ (en la howdah)", "=1+1", "<b>"]
) | st.text(max_size=12)  # fmt: skip


@settings(max_examples=60)
@given(cells=st.lists(CELLS, min_size=9, max_size=9), save=CELLS, strength=CELLS, base=CELLS,
       troop=CELLS, length=CELLS, lang=st.sampled_from(["en", "es"]))  # fmt: skip
def test_cells_of_any_kind(
    cells: list[str], save: str, strength: str, base: str, troop: str, length: str, lang: str
) -> None:
    """Whatever stands in a cell, what comes of it is a value in its range, or nothing."""
    from rosters.build import STATS, P, weapon

    words = [c if c.isprintable() else "-" for c in (*cells, save, strength, base, troop, length)]
    columns = dict(zip(STATS[lang], words[:9], strict=True))
    rest = zip(
        ("Sv", "US", "Base") if lang == "en" else ("TSA", "Potencia", "Peana"),
        words[9:12],
        strict=True,
    )
    unit = S("Odd Folk", "unit", profiles=[P("Odd One", {**columns, **dict(rest),
        "Tipo": words[12]})],
             inside=[S("Odd Folk", "model", 5), S("Odd bow", profiles=[weapon(lang, "Odd bow",
                 words[13], words[0])])])  # fmt: skip
    found = read_army(write(army(lang, unit), "json"))
    table = found.units["odd_folk"].table
    for name in ("WS", "BS", "S", "T", "W", "I", "A", "Ld"):
        assert table.get(name) is None or 0 <= table[name] <= 10
    if found.units["odd_folk"].is_complete:
        foe = {**table, "side": "reactive"}
        cs.Scenario(
            ruleset="wh6", units=found.dialect.unit, unit={"odd": table, "foe": foe},
            charge=[{"charger": "odd", "target": "foe", "distance": 5}],
        )  # fmt: skip
