"""How many threads share the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from chargesim.errors import InputError

_Job = TypeVar("_Job")
_Answer = TypeVar("_Answer")


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


def as_done(
    work: Callable[[_Job], _Answer], jobs: Sequence[_Job], workers: int
) -> Iterator[tuple[_Job, _Answer]]:
    """Do jobs on threads, each of which takes one at a time.

    Whoever stops listening stops it: jobs that have not begun by then are left undone.

    Parameters
    ----------
    work
        Does one job.
    jobs
        All of them.
    workers
        Threads; with one job or worker it is done on the caller's.

    Yields
    ------
    tuple
        A job and what came of it, in the order in which they are done.
    """
    if min(workers, len(jobs)) <= 1:
        for job in jobs:
            yield job, work(job)
        return
    with ThreadPoolExecutor(min(workers, len(jobs))) as pool:
        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            for task in as_completed(waiting):
                yield waiting[task], task.result()
        finally:
            for task in waiting:
                task.cancel()
