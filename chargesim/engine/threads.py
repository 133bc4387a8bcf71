"""How many threads share the work."""

from __future__ import annotations

import os

from chargesim.errors import InputError


def cores() -> int:
    """Cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Threads to use: as many as asked for, by default one a core.

    Raises
    ------
    InputError
        For fewer than one.
    """
    workers = cores() if threads is None else threads
    if workers < 1:
        raise InputError(f"threads: {workers} is too few: at least 1")
    return workers
