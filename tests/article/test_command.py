"""The commands article build and article new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from article.plans import HEAD, Write

import chargesim as cs
from chargesim import cli
from chargesim.report.article.build import build


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli._guard(lambda: cli._run(list(arguments)))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_builds_and_tells_what_it_did(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = str(write("{% claim contact = 0 %}x{% endclaim %}")), str(tmp_path / "out")
    code, text, err = run(capsys, "article", "build", file, "--out", out)
    assert (code, err) == (0, "")
    assert "plan.es.html" in text
    assert "1 claims tested, all supported" in text
    code, text, _ = run(capsys, "article", "build", file, "--out", out, "--format", "json")
    assert json.loads(text)["reused"] == 1
    code, text, _ = run(capsys, "article", "build", file, "--out", out, "--lang", "es")
    assert "plan.en.html" not in text
    assert "afirmaciones comprobadas" in text


@pytest.mark.parametrize(
    ("body", "code"),
    [("{% claim contact > 1 %}x{% endclaim %}", 1), ("{{ pct('x') }}", 2), ("{{", 2)],
)
def test_the_command_ends_with_the_code_of_the_contract(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, code: int
) -> None:
    found, out, err = run(
        capsys, "article", "build", str(write(body)), "--out", str(tmp_path / "out")
    )
    assert (found, out) == (code, "")
    assert "plan.md, line " in err
    assert "Traceback" not in err


def test_new_copies_what_builds_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.md"
    code, out, _ = run(capsys, "article", "new", "flee", str(file))
    assert code == 0
    assert f"chargesim article build {file}" in out
    assert file.read_text(encoding="utf-8").startswith("+++")
    for arguments, told in (
        (("flee", str(file)), "is there already"),
        (
            ("fle", str(tmp_path / "x.md")),
            "no kind 'fle'; the nearest known is 'flee'; all: charge",
        ),
        (("pie", str(tmp_path / "x.md")), "no kind 'pie'; known: charge, editions, flee, list, "),
        (("flee", str(tmp_path / "gone" / "x.md")), "make it first"),
    ):
        code, _, err = run(capsys, "article", "new", *arguments)
        assert code == 2
        assert told in err


def test_a_folder_that_cannot_be_made_is_told(write: Write, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(cs.InputError, match=r"out: .* cannot be made"):
        build(write("x"), tmp_path / "file")


def test_the_usual_plan_is_sound() -> None:
    assert HEAD.startswith("+++")
