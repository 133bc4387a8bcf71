"""Every command, in every form and language."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli.files import CHARIOT, FLEE, FORMS, PHASE, SHOOT, TERROR, Run

import chargesim as cs


class Reader(HTMLParser):
    """Reads HTML and counts tags that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tables += tag == "table"
        if tag not in ("meta", "br", "p"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("p",):
            assert self.open.pop() == tag


def well_formed(form: str, text: str, lang: str) -> None:
    assert text.endswith("\n")
    assert text.strip()
    assert "\x1b" not in text
    if form == "json":
        json.loads(text)
    elif form == "csv":
        assert all(len(row) > 1 for row in csv.reader(io.StringIO(text)))
    elif form == "markdown":
        assert text.startswith("# ")
        assert re.search("<[a-z/!]", text) is None
    elif form == "html":
        assert text.startswith("<!doctype html>")
        assert f"<html lang='{lang}'>" in text
        reader = Reader()
        reader.feed(text)
        reader.close()
        assert reader.open == []


COMMANDS: dict[str, tuple[str, ...]] = {
    "run exact": ("run", SHOOT),
    "run sampled": ("run", FLEE, "--engine", "sample", "--trials", "2000"),
    "run chariot": ("run", CHARIOT),
    "run terror": ("run", TERROR),
    "run phase": ("run", PHASE),
    "run phase sampled": ("run", PHASE, "--engine", "sample", "--trials", "2000"),
    "check phase": ("check", PHASE, "--trials", "2000"),
    "trace phase": ("trace", PHASE),
    "check": ("check", FLEE, "--trials", "2000"),
    "trace": ("trace", SHOOT, "--trial", "3"),
    "table": ("table", SHOOT, "--rows", "charge.0.distance=10:40:10", "--value", "contact"),
    "table of two axes": (
        "table",
        FLEE,
        "--rows",
        "charge.0.distance=5:9",
        "--cols",
        "switches.panic_engaged=true,false",
        "--value",
        "target_fled*",
        "--engine",
        "sample",
        "--trials",
        "2000",
    ),
    "compare": ("compare", SHOOT, CHARIOT, "--value", "contact"),
    "compare sampled": (
        "compare",
        SHOOT,
        CHARIOT,
        "--value",
        "contact",
        "--engine",
        "sample",
        "--trials",
        "2000",
    ),
    "solve": (
        "solve",
        SHOOT,
        "--for",
        "charge.0.distance=10:40:10",
        "--value",
        "contact",
        "--reach",
        "0.5",
    ),
    "why": ("why", CHARIOT, "--value", "contact"),
    "odds sum": ("odds", "2d6 <= 7"),
    "odds chain": ("odds", "10x 4+ 4+ !5+"),
    "rules": ("rules",),
    "rules wh6": ("rules", "wh6"),
    "rule": ("rules", "wh6", "wh6-chg-01"),
}


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_every_form_and_language(
    name: str, form: str, lang: str, run: Run
) -> None:
    well_formed(form, run(*COMMANDS[name], "--format", form, "--lang", lang), lang)


def test_the_same_command_gives_the_same_text(run: Run) -> None:
    arguments = ("run", SHOOT, "--engine", "sample", "--trials", "20000", "--seed", "7")
    first = run(*arguments)
    assert run(*arguments) == first
    assert run(*arguments, "--threads", "1") == first
    assert run(*arguments, "--threads", "2") == first
    assert "seed 7" in first
    assert run(*arguments[:-1], "8") != first


@pytest.mark.parametrize("spelling", ["2000", "2e3", "2_000"])
def test_numbers_may_be_spelt_as_people_do(spelling: str, run: Run) -> None:
    out = run("run", FLEE, "--engine", "sample", "--trials", spelling, "--format", "json")
    assert json.loads(out)["trials"] == 2000


def test_version(run: Run) -> None:
    assert run("--version") == f"{cs.__version__}\n"


def test_help_names_every_command(run: Run) -> None:
    out = run("--help")
    for name in (
        "run",
        "table",
        "compare",
        "solve",
        "why",
        "plan",
        "check",
        "trace",
        "odds",
        "rules",
        "schema",
    ):
        assert f"  {name} " in out


def test_output_on_no_terminal_has_no_colour_and_no_progress(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chargesim", "run", SHOOT, "--engine", "sample", "--format", "json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(cs.__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["trials"] == 1_000_000
    assert list(tmp_path.iterdir()) == []


def test_an_answer_does_not_wait_for_scipy_and_a_check_still_gets_it() -> None:
    code = (
        "import sys; from chargesim.cli import _run; "
        "from chargesim.kernels.process import own_process; own_process(); "
        f"_run(['run', {SHOOT!r}, '--engine', 'sample']); assert 'numba' in sys.modules; "
        "assert 'scipy.linalg' not in sys.modules; "
        f"_run(['check', {SHOOT!r}, '--trials', '1000']); assert 'scipy.stats' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
