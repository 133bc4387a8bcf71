"""What must not change the meaning of a list: order, names, unknown parts, marks of editors."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosters.build import FORMATS, F, L, S, army, write
from rosters.shapes import SHAPES

from chargesim.rosters.reading import Army, read_army

LANGUAGES = st.sampled_from(["en", "es"])


def whole(lang: str) -> L:
    return army(lang, *(one for build in SHAPES.values() for one in build(lang)[0]))


def meaning(found: Army) -> Any:
    """Units, and what was said of them, places in the file aside: those may well move."""
    rows = sorted(
        (row.unit, row.field, str(row.value), row.status, row.note.say()) for row in found.findings
    )
    return {key: unit.table for key, unit in found.units.items()}, rows


def shuffled(one: Any, luck: random.Random) -> Any:
    """A description with all siblings in another order."""
    one = deepcopy(one)
    waiting: list[Any] = [one]
    while waiting:
        at = waiting.pop()
        for name in ("forces", "selections", "inside", "profiles", "rules"):
            inner = getattr(at, name, None)
            if inner is not None:
                luck.shuffle(inner)
                waiting += [below for below in inner if isinstance(below, (F, S))]
    return one


@settings(max_examples=25)
@given(lang=LANGUAGES, seed=st.integers(0, 10**9), form=st.sampled_from(FORMATS))
def test_order_of_siblings(lang: str, seed: int, form: str) -> None:
    what = whole(lang)
    other = shuffled(what, random.Random(seed))
    assert meaning(read_army(write(what, form))) == meaning(read_army(write(other, form)))


@settings(max_examples=12)
@given(lang=LANGUAGES, name=st.text(min_size=1, max_size=30))
def test_names_that_owners_give(lang: str, name: str) -> None:
    """A label changes the key, and nothing that is played."""
    what, other = whole(lang), whole(lang)
    name = "".join(c for c in name if c.isprintable()) or "x"
    for one in other.forces[0].selections:
        one.label = name
    before, after = read_army(write(what, "json")), read_army(write(other, "json"))
    tables = [[unit.table for unit in found.units.values()] for found in (before, after)]
    assert tables[0] == tables[1]
    assert len(after.units) == len(before.units)
    assert all(re.fullmatch(r"[a-z0-9_]*[a-z_][a-z0-9_]*", key) for key in after.units)


def test_renamed_units_keep_their_meaning() -> None:
    """Names of units and lines are names: only words for gear, rules and roles mean anything."""
    text = write(whole("en"), "ros").decode()
    found = read_army(text.encode())
    for old, new in (
        ("Reed", "Quartz"),
        ("Heron", "Falcon"),
        ("Thorn", "Basalt"),
        ("Salt", "Iron"),
    ):
        text = text.replace(old, new)
    other = read_army(text.encode())
    assert [u.table for u in found.units.values()] == [u.table for u in other.units.values()]


@settings(max_examples=15)
@given(lang=LANGUAGES, seed=st.integers(0, 10**9))
def test_unknown_elements_and_attributes(lang: str, seed: int) -> None:
    luck = random.Random(seed)
    text = write(whole(lang), "ros").decode()
    lines = text.splitlines()
    for _i in range(12):
        at = luck.randrange(2, len(lines))
        if "</" in lines[at] and "<selections>" not in lines[at]:
            continue
        lines[at] = re.sub(r"<(\w+)", r"<\1 newFangled='7'", lines[at], count=1)
        lines[at] = f"<!-- said {at} --><shiny><selections2/></shiny>{lines[at]}"
    assert meaning(read_army(text.encode())) == meaning(read_army("\n".join(lines).encode()))


def test_unknown_keys_of_json() -> None:
    data = write(whole("en"), "json")
    other = data.replace(b'"name": ', b'"shiny": {"deep": [1, {"er": null}]}, "name": ')
    assert meaning(read_army(data)) == meaning(read_army(other))


@pytest.mark.parametrize("form", ["ros", "json"])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_marks_of_editors(form: str, lang: str) -> None:
    data = write(whole(lang), form)
    wanted = meaning(read_army(data))
    assert meaning(read_army(b"\xef\xbb\xbf" + data)) == wanted
    assert meaning(read_army(data.replace(b"\n", b"\r\n"))) == wanted
    assert (
        meaning(read_army(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n\r\n")) == wanted
    )


def test_other_encodings_of_xml() -> None:
    data = write(whole("es"), "ros").decode()
    wanted = meaning(read_army(data.encode()))
    latin = data.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    assert meaning(read_army(latin)) == wanted
    assert meaning(read_army(data.replace("UTF-8", "UTF-16").encode("utf-16"))) == wanted


def test_blanks_and_lookalikes_in_values() -> None:
    data = write(whole("en"), "ros").decode()
    wanted = meaning(read_army(data.encode()))
    spaced = re.sub(r">(\d)</characteristic>", "> \u00a0\\1\u00a0 </characteristic>", data)
    assert spaced != data
    assert meaning(read_army(spaced.encode())) == wanted


ALIASES = [
    ("$text", "$t", ""), ("$text", "__text", "_"), ("$text", "#text", "@"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "text", "prefix"), ALIASES)
def test_plain_dumps_of_the_xml(old: str, text: str, prefix: str) -> None:
    """Converters wrap lists, write a single child as a table, and mark attributes."""
    import json

    from chargesim.rosters.nodes import WRAPPERS

    data = write(whole("en"), "json")

    def turned(value: Any, name: str = "") -> Any:
        if isinstance(value, list):
            inner = [turned(one) for one in value]
            return {WRAPPERS[name]: inner[0] if len(inner) == 1 else inner}
        if not isinstance(value, dict):
            return str(value).lower() if isinstance(value, bool) else str(value)
        return {
            text if k == old else k if isinstance(v, (dict, list)) else prefix + k: turned(v, k)
            for k, v in value.items()
        }

    assert meaning(read_army(json.dumps(turned(json.loads(data))).encode())) == meaning(
        read_army(data)
    )


def test_the_same_file_gives_the_same_report() -> None:
    data = write(whole("es"), "rosz")
    one, other = ([row.to_dict("es") for row in read_army(data).findings] for _i in range(2))
    assert one == other
