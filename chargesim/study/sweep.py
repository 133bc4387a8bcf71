"""Running a study: what is missing is given out in jobs, and what comes back is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import chargesim
from chargesim.engine.threads import cores
from chargesim.errors import ChargesimError, InputError
from chargesim.study.earlier import Earlier
from chargesim.study.file import Study, load_study
from chargesim.study.plan import Plan, make_plan, seconds
from chargesim.study.reading import read_study
from chargesim.study.sheets import said_in, schema_of
from chargesim.study.status import Status, sound_files, status
from chargesim.study.store import Shelf, Store, checksum_of, remove
from chargesim.study.workers import (
    Crew,
    IncompleteError,
    Job,
    Task,
    cluster_at,
    do_job,
    processes_of,
    reach,
    threads_of,
)

if TYPE_CHECKING:
    import pandas as pd

AHEAD = 2
"""Jobs that are given out for each that is being done."""
WORTH_PROCESSES = 6.0
"""Seconds of work from which other processes are worth their start."""
LONELY = 60.0
"""Seconds that a cluster may be without workers."""
_LOOK = 5.0
"""Seconds after which to look whether anybody is left."""
Progress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class Summary:
    """What a run did.

    Parameters
    ----------
    status
        How the study stands after it.
    done, reused
        Points that were answered, and those of them that began from earlier results.
    damaged
        Names of files that were found damaged and done again.
    """

    status: Status
    done: int
    reused: int
    damaged: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        run = {"points": self.done, "reused": self.reused, "damaged": list(self.damaged)}
        return {**self.status.to_dict(), "run": run}


def run(
    study: Study,
    out: str | Path,
    *,
    workers: int | None = 1,
    threads: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Bring a study to its end: what the folder holds of it already is not done again.

    Parameters
    ----------
    study
        The study.
    out
        Folder of the results; made when there is none.
    workers
        Processes on this machine; 1: threads of this one; ``None``: one a core where that is worth
        it. More than 1 need a program that can be imported, as for :mod:`multiprocessing`.
    threads
        Threads of all of them together; ``None``: one a core.
    dask
        Address of a cluster that does the work instead.
    progress
        Called with (points done, points, points that failed).

    Returns
    -------
    Summary

    Raises
    ------
    InputError
        When no point can stand, the folder cannot be used, or there is no cluster.
    IncompleteError, chargesim.study.store.StoreError
        When it could not be finished; the same call goes on from there.
    """
    for name, value in (("workers", workers), ("threads", threads)):
        if value is not None and not 1 <= value <= 1024:
            raise InputError(f"{name}: {value} cannot be: from 1 to 1,024")
    store = Store(out)  # a folder that holds something else is told before any work
    if dask is not None:
        reach(dask)
    plan = make_plan(study)
    with store.locked():
        shelf = store.turn_to(plan.hash)
        sound, damaged = sound_files(shelf)
        for file in damaged:
            remove(file)
        missing = [job for job in range(plan.jobs) if job not in sound]
        said = {job: said_in(file) for job, file in sound.items()}
        reused = 0
        if missing or damaged:
            shelf.write_manifest(plan.manifest())
            crew = _crew(plan, len(missing), workers, threads, dask)
            reused = _work(plan, store, shelf, missing, said, crew, progress)
        shelf.write_manifest(plan.manifest(_listed(shelf)))
    done = sum(stop - first for first, stop in map(plan.span, missing))
    return Summary(status(out), done, reused, tuple(file.name for file in damaged))


def sweep(
    study: Study | str | Path,
    out: str | Path,
    *,
    workers: int | None = 1,
    threads: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run a study, or what is missing of it, and give its results.

    Parameters
    ----------
    study
        A study file.
    out
        Folder of the results; made when there is none. What it holds of the study is not done
        again, and what other studies left there is kept.
    workers, threads, dask, progress
        As for :func:`run`.

    Returns
    -------
    pandas.DataFrame
        One row a point, as :func:`chargesim.read_study` gives it; a point that cannot be answered
        says why under ``error``.

    Raises
    ------
    InputError
        When the study or the folder cannot be used.
    IncompleteError, chargesim.study.store.StoreError
        When it could not be finished; the same call goes on from there.
    """
    asked = study if isinstance(study, Study) else load_study(study)
    run(asked, out, workers=workers, threads=threads, dask=dask, progress=progress)
    return read_study(out)


def _listed(shelf: Shelf) -> list[dict[str, Any]]:
    return [
        {
            "name": file.name,
            "sha256": checksum_of(file),
            "bytes": file.stat().st_size,
            **{k: v for k, v in said_in(file).items() if k not in ("study", "job")},
        }
        for file in shelf.files().values()
    ]


def _crew(
    plan: Plan, jobs: int, workers: int | None, threads: int | None, dask: str | None
) -> tuple[AbstractContextManager[Crew], int]:
    """Who is to work, and the threads of each job."""
    if dask is not None:
        return cluster_at(dask), 1
    many = threads or cores()
    if workers is None:
        rest = seconds(plan) * jobs / plan.jobs
        workers = many if rest > WORTH_PROCESSES else 1
    hands = max(min(jobs, many if workers == 1 else workers), 1)
    each = max(many // hands, 1)
    return (threads_of(hands) if workers == 1 else processes_of(hands)), each


def _work(
    plan: Plan,
    store: Store,
    shelf: Shelf,
    missing: list[int],
    said: dict[int, dict[str, Any]],
    crew: tuple[AbstractContextManager[Crew], int],
    progress: Progress | None,
) -> int:
    """Do the missing jobs and keep what comes of them; how many points began from known ones."""
    points = sum(one["points"] for one in said.values())
    failed = sum(one["failed"] for one in said.values())
    if progress:
        progress(points, plan.points, failed)
    earlier = Earlier(store, shelf, plan)
    workers, threads = crew
    schema = schema_of(plan.study.axes)
    task = Task(plan.question, schema, plan.hash, chargesim.__version__, threads)
    reused = 0
    try:
        with workers as hired:
            for job, content in _given_out(hired, task, _jobs(plan, missing, earlier)):
                one = said_in(shelf.write(job.number, content))
                points, failed = points + one["points"], failed + one["failed"]
                reused += len(job.known)
                if progress:
                    progress(points, plan.points, failed)
    except BrokenProcessPool:
        raise IncompleteError(
            f"{shelf.folder}: a worker process ended before its time: what is finished is kept. "
            "Run the same command again, with fewer workers if memory is short; from Python, call "
            'sweep below `if __name__ == "__main__":`'
        ) from None
    return reused


def _jobs(plan: Plan, missing: list[int], earlier: Earlier) -> Iterator[Job]:
    for number in missing:
        first, stop = plan.span(number)
        rows = plan.study.design.rows(first, stop)
        known = {}
        for place, row in enumerate(rows, first):
            found = earlier.answer(place, row)
            if found is not None:
                known[place] = found
        yield Job(number, first, rows, known)


def _given_out(crew: Crew, task: Task, jobs: Iterator[Job]) -> Iterator[tuple[Job, bytes]]:
    """Give out jobs, a few at a time, and yield each with its result as it comes back."""
    pending: dict[Future[tuple[int, bytes]], tuple[Job, int]] = {}

    def give(job: Job, tries: int) -> None:
        pending[crew.executor.submit(do_job, task, job, *crew.arguments)] = (job, tries)

    alone_since: float | None = None
    try:
        while True:
            while len(pending) < AHEAD * max(crew.hands(), 1):
                job = next(jobs, None)
                if job is None:
                    break
                give(job, crew.retries)
            if not pending:
                return
            done = wait(pending, timeout=_LOOK, return_when=FIRST_COMPLETED).done
            alone_since = _alone_since(crew, alone_since)
            for future in done:
                job, tries = pending.pop(future)
                try:
                    _, content = future.result()
                except (Exception, CancelledError) as error:
                    if not crew.retries or isinstance(error, ChargesimError):
                        raise
                    # of a cluster: whoever had it is lost, and so is what it was at
                    if tries and _is_loss(error):
                        give(job, tries - 1)
                        continue
                    raise
                yield job, content
    finally:
        if pending:
            crew.stop()
            for future in pending:
                future.cancel()


def _alone_since(crew: Crew, before: float | None) -> float | None:
    """Since when there is nobody left to work; too long, and there is no end to wait for."""
    if crew.hands() > 0:
        return None
    if before is not None and monotonic() - before > LONELY:
        raise IncompleteError(
            "dask: the cluster has lost all its workers: what is finished is kept; start workers "
            "and run the same command again"
        )
    return monotonic() if before is None else before


def _is_loss(error: BaseException) -> bool:
    """True for the errors by which a cluster tells that a worker is gone."""
    return isinstance(error, CancelledError) or type(error).__name__ == "KilledWorker"
