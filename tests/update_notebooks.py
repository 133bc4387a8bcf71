"""Run the notebooks: from their text sources to .ipynb files with outputs that anybody gets again.

    python tests/update_notebooks.py               run all of them
    python tests/update_notebooks.py chariots      run one
    python tests/update_notebooks.py --out DIR …   write them elsewhere

What differs from run to run or from machine to machine is left out: timings, identifiers, versions
of the kernel and the writer of a picture.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
SECONDS = 600
"""Patience with one cell: the first may compile the rules."""
LIVE = "application/vnd.jupyter.widget-view+json"
"""A view of a widget, which a page cannot show without the kernel that made it."""


def sources() -> list[Path]:
    """Text sources of the notebooks."""
    return sorted(FOLDER.glob("*.py"))


def executed(source: Path, room: Path) -> Any:
    """Run a text source and return the notebook, with nothing in it that would change.

    Parameters
    ----------
    source
        The file.
    room
        Folder for what the run needs, and nobody keeps.
    """
    import jupytext
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = jupytext.read(source, fmt="py:percent")
    config = Config()
    if os.name == "posix":  # sockets that nobody else can listen to; elsewhere there are none
        config.KernelManager.transport = "ipc"
        config.KernelManager.ip = str(room / "kernel")
    client = NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", record_timing=False, config=config,
        resources={"metadata": {"path": str(FOLDER)}},
    )  # fmt: skip
    client.execute()
    return settled(notebook)


def settled(notebook: Any) -> Any:
    """Leave out what differs from run to run."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for place, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"cell-{place}", {}
        if cell.cell_type == "code":
            cell.outputs = [one for one in map(_output, cell.outputs) if one is not None]
    return notebook


def _output(output: Any) -> Any:
    if output.output_type == "stream" and output.name == "stderr":
        raise SystemExit(f"a cell wrote to standard error:\n{output.text}")
    data = output.get("data", {})
    output.pop("metadata", None)
    if data:
        output.metadata = {}
    data.pop(LIVE, None)
    if set(data) == {"text/plain"} and data["text/plain"].startswith("<Axes"):
        return None  # the picture stands beside it
    if "image/png" in data:
        picture = _without_texts(base64.b64decode(data["image/png"]))
        data["image/png"] = base64.b64encode(picture).decode("ascii")
    return output


def _without_texts(png: bytes) -> bytes:
    """A PNG without its texts, which name the version of what wrote it."""
    kept, at = [png[:8]], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunk = png[at : at + 12 + length]
        kept += [] if chunk[4:8] == b"tEXt" else [chunk]
        at += len(chunk)
    return b"".join(kept)


def written(notebook: Any) -> str:
    """The file of a notebook; it names no folder of this machine and no address in memory."""
    import nbformat

    text = str(nbformat.writes(notebook)) + "\n"
    for found in (str(FOLDER.parent), str(Path.home()), sys.prefix, tempfile.gettempdir()):
        if f"{found}{os.sep}" in text:
            raise SystemExit(f"an output names the folder {found}")
    if re.search(r" at 0x[0-9a-f]{6,}", text):
        raise SystemExit("an output names an address in memory")
    return text


def main() -> None:
    """Run those that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=FOLDER)
    asked = parser.parse_args()
    wanted = [one for one in sources() if not asked.names or one.stem in asked.names]
    if len(wanted) < len(asked.names):
        known = ", ".join(one.stem for one in sources())
        raise SystemExit(f"there is no such notebook: one of {known}")
    # nobody's own settings
    with tempfile.TemporaryDirectory() as room:
        os.environ |= {"IPYTHONDIR": room, "JUPYTER_CONFIG_DIR": room}
        for source in wanted:
            text = written(executed(source, Path(room)))
            (asked.out / f"{source.stem}.ipynb").write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"{source.stem}\n")


if __name__ == "__main__":
    main()
