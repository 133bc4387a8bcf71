"""What comes with the program: scenarios, studies, army lists, articles and their templates."""

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


def studies() -> dict[str, Path]:
    """The shipped studies by name, in alphabetical order.

    Returns
    -------
    dict
        Name of each study, without ending, to its file.
    """
    found = (Path(str(file)) for file in files(__name__).joinpath("studies").iterdir())
    return {
        file.stem: file
        for file in sorted(found, key=lambda file: file.stem)
        if file.suffix == _ENDING
    }


def rosters() -> dict[str, Path]:
    """The shipped army lists by name, all of them invented, in alphabetical order.

    Returns
    -------
    dict
        Name of each list, without ending, to its file.
    """
    found = (Path(str(file)) for file in files(__name__).joinpath("rosters").iterdir())
    lists = (file for file in found if file.suffix in (".ros", ".json"))
    return {file.stem: file for file in sorted(lists, key=lambda file: file.stem)}


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
