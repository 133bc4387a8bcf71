"""Files that cannot be read, or are no scenarios."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from bad_input.sound import (
    SOUND,
    refused,
)

import chargesim as cs
from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.scenario import MOST_BYTES, read_toml


def write(folder: Path, text: str | bytes, name: str = "scenario.toml") -> str:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "run", str(tmp_path / "none.toml"))
    assert "none.toml: cannot be read (" in message
    assert message.endswith("give a scenario file")


def test_folder_instead_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "run", str(tmp_path))
    assert f"{tmp_path}: cannot be read (" in message


def test_unreadable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # whoever runs the tests may be allowed to read everything
    def forbidden(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    file = write(tmp_path, SOUND.read_bytes())
    monkeypatch.setattr(Path, "open", forbidden)
    message = refused(capsys, "trace", file)
    assert message == f"{file}: cannot be read (Permission denied): give a scenario file"


def test_file_that_is_not_utf8_names_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, b'ruleset = "wh6"\n# fine\ntitle = "Espa\xf1a"\n')
    message = refused(capsys, "run", file)
    assert message == f"{file}, line 3: is not UTF-8 text: save the file as UTF-8"


def test_utf16_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, SOUND.read_text(encoding="utf-8").encode("utf-16"))
    assert "line 1: is not UTF-8" in refused(capsys, "run", file)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = write(tmp_path, b"\xef\xbb\xbf" + SOUND.read_bytes())
    assert cs.load(file).hash == cs.load(SOUND).hash


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('ruleset = "wh6\n', "line 1"),
        ("a = 1\na = 2\n", "line 2"),
        ("a = 2026-13-45\n", "line 1"),
        ("this is no scenario", "line 1"),
        ("a = " + "9" * 5000, "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
    ],
)
def test_file_that_is_not_toml(
    text: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, "run", write(tmp_path, text))
    assert "scenario.toml: is not TOML: " in message
    assert where in message


def test_ten_megabytes_of_junk_are_not_read(tmp_path: Path) -> None:
    file = write(tmp_path, os.urandom(1) * 10_000_000)
    with pytest.raises(InputError, match=r"too large for a scenario: at most 1,000,000 bytes"):
        read_toml(file)
    assert MOST_BYTES == 1_000_000


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_a_file_without_an_end_is_not_read() -> None:
    with pytest.raises(InputError, match="too large"):
        read_toml("/dev/zero")


def test_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "ruleset: is missing: one of wh6" in refused(capsys, "run", write(tmp_path, ""))


@pytest.mark.parametrize("key", ["source", "base"])
def test_names_of_the_constructor_are_no_keys(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, f'{key} = "x"\n' + SOUND.read_text(encoding="utf-8"))
    assert f"{key}: unknown key" in refused(capsys, "run", file)


def test_faults_of_a_file_stand_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SOUND.read_text(encoding="utf-8").replace("Ld = 7", "Ld = 11").replace("20", "-20")
    lines = refused(capsys, "check", write(tmp_path, text)).splitlines()
    assert lines[0].endswith("scenario.toml: 3 faults")
    assert [line.split(": ")[0].strip() for line in lines[1:]] == [
        "unit.boars.Ld",
        "unit.handgunners.Ld",
        "charge.0.distance",
    ]


def test_include_takes_units_and_refuses_conflicts(tmp_path: Path) -> None:
    text = SOUND.read_text(encoding="utf-8")
    start, stop = text.index("[unit.handgunners]"), text.index("[[charge]]")
    write(tmp_path, text[start:stop], "units.toml")
    rest = text[:start] + text[stop:]
    apart = write(tmp_path, 'include = "units.toml"\n' + rest, "apart.toml")
    assert cs.load(apart).hash == cs.load(SOUND).hash
    twice = write(tmp_path, 'include = "units.toml"\n' + text, "twice.toml")
    with pytest.raises(ScenarioError, match=r"unit\.handgunners: stands in .*twice\.toml and in"):
        cs.load(twice)


@pytest.mark.parametrize(
    ("content", "words"),
    [("[unit", "is not TOML"), (b"\xff", "is not UTF-8"), ("a = 1", "has no units: write [unit")],
)
def test_include_of_something_else(content: str | bytes, words: str, tmp_path: Path) -> None:
    write(tmp_path, content, "units.toml")
    file = write(tmp_path, 'include = "units.toml"\n' + SOUND.read_text(encoding="utf-8"))
    with pytest.raises(ScenarioError) as caught:
        cs.load(file)
    assert any(f.path == "include" and words in f.message for f in caught.value.faults)
