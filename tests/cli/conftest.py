"""What the tests of the command line share."""

from __future__ import annotations

import pytest
from cli.files import Run

from chargesim import cli


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; standard output, after its exit code and a silent standard error."""

    def runs(*arguments: str, code: int = 0) -> str:
        found = cli._guard(lambda: cli._run([str(a) for a in arguments]))
        out, err = capsys.readouterr()
        assert (found, err) == (code, "")
        return out

    return runs
