"""The scenarios that come with the program: questions players ask, each one file."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

_FOLDER = "scenarios"
_ENDING = ".toml"


def scenarios() -> dict[str, Traversable]:
    """The shipped scenarios by name, in alphabetical order.

    Files that only hold units, for ``include``, are left out: their names begin with ``units``.

    Returns
    -------
    dict
        Name of each scenario, without ending, to its file.
    """
    found = {
        file.name.removesuffix(_ENDING): file
        for file in files(__name__).joinpath(_FOLDER).iterdir()
        if file.name.endswith(_ENDING) and not file.name.startswith("units")
    }
    return dict(sorted(found.items()))
