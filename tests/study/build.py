"""What the tests of studies share."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any


def content(folder: Path) -> dict[str, str]:
    """Checksum of every file of a store but its lock, by its path."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != "_lock"
    }


def end_process(*_: Any) -> None:
    """What a worker process does that is killed."""
    os._exit(1)
