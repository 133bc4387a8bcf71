"""What the tests of articles share: plans to write, and everything shipped, built once."""

from __future__ import annotations

from pathlib import Path

import pytest
from article.plans import HEAD, Write

from chargesim.data import articles, templates
from chargesim.report.article.build import Built, build


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a plan of the usual front matter, or another, and a body."""

    def writes(body: str, head: str = HEAD, name: str = "plan.md") -> Path:
        file = tmp_path / name
        file.write_text(head + body, encoding="utf-8")
        return file

    return writes


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Built]:
    """Everything that is shipped, built from nothing, by name."""
    folder = tmp_path_factory.mktemp("articles")
    return {name: build(file, folder) for name, file in {**articles(), **templates()}.items()}
