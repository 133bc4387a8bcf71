"""The catalogue of what is said of lists: whole, translated, compiled."""

from __future__ import annotations

import ast
import io
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import mofile, pofile

import chargesim as cs
from chargesim.words import LOCALES

SOURCES = sorted((Path(cs.__file__).parent / "rosters").glob("*.py"))
FILE = LOCALES / "es" / "LC_MESSAGES" / "rosters.po"


def marked() -> list[str]:
    found = [
        node.args[0].value
        for file in SOURCES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_"
        and isinstance(node.args[0], ast.Constant)
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def catalogue() -> pofile.Catalog:
    with FILE.open("rb") as file:
        return pofile.read_po(file, locale="es", domain="rosters")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("text", marked())
def test_every_sentence_is_translated(text: str) -> None:
    found = catalogue().get(text)
    assert found is not None
    assert found.string
    assert fields(found.string) == fields(text)


def test_the_catalogue_holds_nothing_else() -> None:
    assert {one.id for one in catalogue()} - {""} == set(marked())
    assert len(marked()) > 60


def test_the_compiled_catalogue_is_up_to_date() -> None:
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with FILE.with_suffix(".mo").open("rb") as file:
        shipped = {one.id: one.string for one in mofile.read_mo(file) if one.id}
    assert {one.id: one.string for one in mofile.read_mo(fresh) if one.id} == shipped
