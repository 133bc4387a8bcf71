"""Answers that are kept between builds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from article.plans import FIGURES, Write, text_of

from chargesim import cli
from chargesim.report.article import answers as answering
from chargesim.report.article.build import build


def test_only_what_changed_is_computed(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ pct('contact @ shoot') }}\n\n"
        "{{ table('contact', rows='charge.0.distance=10:30:10') }}\n\n"
        "{{ figure('bars', 'contact', ['shoot']) }}\n\n{{ trace() }}\n\n"
        "{{ compare('contact', ['shoot', 'flee']) }}"
    )
    out = tmp_path / "out"
    first = build(write(body), out)
    assert first.computed
    assert not first.reused
    before = {file: file.stat().st_mtime_ns for file in first.files}
    second = build(write(body), out)
    assert (second.computed, second.reused, second.redone) == (0, first.computed, 0)
    assert {file: file.stat().st_mtime_ns for file in second.files} == before
    third = build(write(body.replace("10:30:10", "10:30:5")), out)
    assert third.computed == 1
    fourth = build(write(body), out, seed=1)
    assert fourth.computed > 1


def test_warm_pages_are_cold_pages(write: Write, tmp_path: Path) -> None:
    body = "\n\n".join("{{ " + figure + " }}" for figure in FIGURES[1:6])
    options: dict[str, Any] = {"engine": "sample", "trials": 3_000}
    pages = []
    for out in ("one", "one", "other"):
        built = build(write(body), tmp_path / out, **options)
        pages.append([file.read_bytes() for file in built.files])
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("harm", ["cut", "changed", "another", "empty", "nonsense"])
def test_damaged_answers_are_found_and_made_anew(write: Write, tmp_path: Path, harm: str) -> None:
    file, out = write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}"), tmp_path / "out"
    text = text_of(file, out)
    assert text.endswith("87.0 % 0 %")  # each scenario its own
    kept = sorted((out / ".chargesim" / "plan").iterdir())
    assert len(kept) == 2
    good = [one.read_bytes() for one in kept]
    bad = {
        "cut": good[0][:-9],
        "changed": good[0].replace(b'"engine": "exact"', b'"engine": "exacT"'),
        "another": good[1],
        "empty": b"",
        "nonsense": b"\xff\x00" * 50,
    }[harm]
    assert bad != good[0]
    kept[0].write_bytes(bad)
    built = build(file, out)
    assert (built.computed, built.reused, built.redone) == (1, 1, 1)
    assert text_of(file, out) == text
    assert kept[0].read_bytes() == good[0]


def test_answers_that_nobody_asks_for_are_thrown_away(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}"), out)
    build(write("{{ pct('contact @ shoot') }}"), out, "en")
    assert len(list((out / ".chargesim" / "plan").iterdir())) == 2
    build(write("{{ pct('contact @ shoot') }}"), out)
    assert len(list((out / ".chargesim" / "plan").iterdir())) == 1


def test_an_interrupted_build_keeps_its_answers(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}")
    solve, asked = answering.solve, []

    def stops(*arguments: Any, **options: Any) -> Any:
        asked.append(arguments)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return solve(*arguments, **options)

    monkeypatch.setattr(answering, "solve", stops)
    command = ["article", "build", str(file), "--out", str(tmp_path / "out")]
    assert cli._guard(lambda: cli._run(command)) == 3
    assert "the answers found are kept" in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*.html"))
    monkeypatch.setattr(answering, "solve", solve)
    built = build(file, tmp_path / "out")
    assert (built.computed, built.reused) == (1, 1)


def test_too_many_charges_to_count_together_are_kept_too(tmp_path: Path, write: Write) -> None:
    phase = (Path(__file__).parent.parent / "scenarios" / "phase.toml").as_posix()
    head = f'+++\ntitle = "x"\n[scenarios]\na = "{phase}"\n[names.en]\n+++\n'
    file = write("{{ pct('contact') }} {{ pct('1:contact') }}", head)
    options: dict[str, Any] = {"engine": "sample", "trials": 20_000}
    cold = text_of(file, tmp_path / "out", **options)
    assert text_of(file, tmp_path / "out", **options) == cold
