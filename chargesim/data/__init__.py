"""What comes with the program: scenarios, articles, and templates to start articles from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_ENDING = ".toml"


def scenarios() -> dict[str, Path]:
    """The shipped scenarios by name, in alphabetical order.

    Files that only hold units, for ``include``, are left out: their names begin with ``units``.

    Returns
    -------
    dict
        Name of each scenario, without ending, to its file.
    """
    found = (Path(str(file)) for file in files(__name__).joinpath("scenarios").iterdir())
    return {
        file.stem: file
        for file in sorted(found, key=lambda file: file.stem)
        if file.suffix == _ENDING and not file.stem.startswith("units")
    }


def articles() -> dict[str, Path]:
    """The plans of the shipped articles by name, in alphabetical order."""
    return _plans("articles")


def templates() -> dict[str, Path]:
    """The templates of article plans by the kind of article, in alphabetical order."""
    return _plans("templates")


def _plans(folder: str) -> dict[str, Path]:
    found = (Path(str(file)) for file in files(__name__).joinpath(folder).iterdir())
    return {
        file.stem: file
        for file in sorted(found, key=lambda file: file.stem)
        if file.suffix == ".md"
    }
