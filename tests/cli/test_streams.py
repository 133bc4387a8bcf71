"""Standard output of the real process: other encodings than UTF-8, closed, full, read in part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from chargesim.cli.streams import NEAREST

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell does things to the streams")
ODDS = ["odds", "2d6 <= 7", "--lang", "es"]


def finished(
    arguments: Sequence[str], encoding: str = "utf-8", shell: str = '"$@"'
) -> subprocess.CompletedProcess[bytes]:
    """The command, run by a shell that does something to its streams."""
    return subprocess.run(
        ["sh", "-c", shell, "sh", sys.executable, "-m", "chargesim", *arguments],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "PYTHONUNBUFFERED": ""},
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_text_goes_to_places_of_other_encodings(encoding: str) -> None:
    done = finished(ODDS, encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    want = finished(ODDS).stdout.decode()
    assert "desviación típica" in want
    assert "█" in want
    if encoding == "ascii":
        want = want.replace("ó", "o").replace("í", "i")
    bars = str.maketrans({**dict.fromkeys("█▉▊▋▌", "#"), **dict.fromkeys("▍▎▏"), "─": "-"})
    assert text == want.translate(bars)


def test_no_character_is_replaced_by_one_that_is_lacking_too() -> None:
    assert "".join(NEAREST.values()).isascii()


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "html"])
def test_what_programs_read_is_utf8_everywhere(form: str) -> None:
    arguments = [*ODDS, "--format", form]
    done = finished(arguments, "cp1252")
    assert (done.returncode, done.stdout) == (0, finished(arguments).stdout)
    if form == "json":
        assert json.loads(done.stdout)


@pytest.mark.parametrize("arguments", [ODDS, ["--help"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_message(arguments: list[str]) -> None:
    done = finished(arguments, shell='"$@" >/dev/full')
    assert done.returncode == 3
    assert done.stderr.startswith(b"standard output: cannot be written (No space left on device)")
    assert done.stderr.count(b"\n") == 1


def test_closed_streams() -> None:
    done = finished(ODDS, shell='"$@" >&-')
    assert done.returncode == 3
    assert done.stderr.startswith(b"standard output: cannot be written (it is closed)")
    assert done.stderr.count(b"\n") == 1
    answer = finished(["run", "--help"], shell='"$@" 2>&-')
    assert answer.returncode == 0
    refused = finished(["odds", "2d"], shell='"$@" 2>&-')
    assert (refused.returncode, refused.stdout) == (2, b"")


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    done = finished(ODDS, shell='{ "$@"; echo "$?" >&2; } | true')
    assert done.stderr == b"0\n"
