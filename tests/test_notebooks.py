"""The notebooks run, and what stands in their .ipynb files is what their text sources give."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import numpy as np
import pytest
import update_notebooks
from matplotlib.image import imread

SCRIPT = Path(update_notebooks.__file__)
SOURCES = {source.stem: source for source in update_notebooks.sources()}
WANTED = {
    "analyse_your_list", "chariots", "exact_and_sampled", "first_charge", "flanks_and_intercepts",
    "frenzy_and_the_bait", "hex_cavalry_against_squares", "metric_and_imperial",
    "stand_flee_or_hold",
}  # fmt: skip
LANGUAGE = {"name": "python", "version": "3.11.7"}
AT_ONCE = 2
"""Kernels that run at the same time."""


def stored(name: str) -> Any:
    return nbformat.read(SOURCES[name].with_suffix(".ipynb"), as_version=4)


@pytest.fixture(scope="module")
def runs(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[dict[str, Future[str]]]:
    """The notebooks whose tests were asked for, run again in processes of their own."""
    folder = tmp_path_factory.mktemp("notebooks")
    asked = [
        item.callspec.params["name"]
        for item in request.session.items
        if "runs" in item.fixturenames
    ]

    def run(name: str) -> str:
        command = [sys.executable, str(SCRIPT), name, "--out", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
        assert done.returncode == 0, done.stdout + done.stderr
        return (folder / f"{name}.ipynb").read_text(encoding="utf-8")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(run, name) for name in asked}


def test_there_is_one_for_each_question() -> None:
    assert set(SOURCES) == WANTED
    assert {file.stem for file in update_notebooks.FOLDER.glob("*.ipynb")} == WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_a_notebook_has_the_cells_of_its_source(name: str) -> None:
    source = jupytext.read(SOURCES[name], fmt="py:percent")
    cells = [(cell.cell_type, cell.source) for cell in source.cells]
    assert [(cell.cell_type, cell.source) for cell in stored(name).cells] == cells


@pytest.mark.parametrize("name", sorted(WANTED))
def test_a_notebook_asks_shows_and_concludes(name: str) -> None:
    cells = stored(name).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    assert texts[0].startswith("# ")
    assert "?**" in texts[0]
    assert texts[-1].startswith("## Conclusion")
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert "assert" in code[-1].source, "the conclusion is held against the numbers"
    pictures = [out for cell in code for out in cell.outputs if "image/png" in out.get("data", {})]
    assert len(pictures) >= 1
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


@pytest.mark.parametrize("name", sorted(WANTED))
def test_run_again_it_says_the_same(name: str, runs: dict[str, Future[str]]) -> None:
    again, kept = nbformat.reads(runs[name].result(), as_version=4), stored(name)
    hint = f"{name} is not what its source gives: make notebooks"
    assert again.metadata == kept.metadata, hint
    assert len(again.cells) == len(kept.cells), hint
    for cell, other in zip(again.cells, kept.cells, strict=True):
        assert cell.id == other.id
        outs, others = cell.get("outputs", []), other.get("outputs", [])
        assert [texts_of(out) for out in outs] == [texts_of(out) for out in others], hint
        for out, old in zip(outs, others, strict=True):
            picture = out.get("data", {}).get("image/png")
            assert picture is None or look_alike(picture, old["data"]["image/png"]), hint


def texts_of(output: Any) -> Any:
    """An output without its picture, whose bytes are the business of the drawing library."""
    data = {kind: text for kind, text in output.get("data", {}).items() if kind != "image/png"}
    return output.output_type, output.get("name"), output.get("text"), data


def look_alike(picture: str, other: str) -> bool:
    """Whether two pictures are of one size and differ in hardly a point."""
    one, two = (imread(io.BytesIO(base64.b64decode(each))) for each in (picture, other))
    return one.shape == two.shape and float((np.abs(one - two) > 0.2).mean()) < 0.002


def test_pictures_that_differ_are_told_apart() -> None:
    pictures = [
        out.data["image/png"]
        for cell in stored("first_charge").cells
        for out in cell.get("outputs", [])
        if "image/png" in out.get("data", {})
    ]
    assert look_alike(pictures[0], pictures[0])
    assert not look_alike(pictures[0], pictures[1])


def test_what_changes_from_run_to_run_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    output = nbformat.v4.new_output(
        "display_data",
        {"text/plain": "Explorer()", update_notebooks.LIVE: {"model_id": "1f"}},
        metadata={"took": 3},
    )
    cell = nbformat.v4.new_code_cell("1", outputs=[output], metadata={"execution": {"a": "12:00"}})
    axes = nbformat.v4.new_output("execute_result", {"text/plain": "<Axes: title='a'>"})
    cell.outputs.append(axes)
    book = nbformat.v4.new_notebook(cells=[cell], metadata={"language_info": LANGUAGE})
    settled = update_notebooks.settled(book)
    assert settled.cells[0].outputs[0].data == {"text/plain": "Explorer()"}
    assert len(settled.cells[0].outputs) == 1
    text = update_notebooks.written(settled)
    assert all(word not in text for word in ("3.11.7", "12:00", "took", "1f"))
    for secret in (" at 0x7f12345678", str(Path.home() / "x")):
        book.cells[0].source = secret
        with pytest.raises(SystemExit, match="an output names"):
            update_notebooks.written(book)


def test_a_cell_that_warns_is_refused() -> None:
    warned = nbformat.v4.new_output("stream", name="stderr", text="DeprecationWarning")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=[warned])])
    with pytest.raises(SystemExit, match="standard error"):
        update_notebooks.settled(book)
