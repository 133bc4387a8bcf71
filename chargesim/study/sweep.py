"""Running a study: what is missing is given out in jobs, and what comes back is kept at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import chargesim
from chargesim.engine.sample import FIRST_TRIALS
from chargesim.engine.threads import cores
from chargesim.errors import ChargesimError, InputError
from chargesim.study.answers import Answer
from chargesim.study.design import Design
from chargesim.study.file import Study, load_study
from chargesim.study.plan import Plan, design_in, make_plan, seconds
from chargesim.study.reading import read_study
from chargesim.study.sheets import answers_in, read_sheet, said_in, schema_of
from chargesim.study.store import Shelf, Store, checksum_of, is_sound, remove
from chargesim.study.workers import (
    Crew,
    Job,
    Stopped,
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
SHOWN = 20
"""Points that failed, of which a summary tells."""
LONELY = 60.0
"""Seconds that a cluster may be without workers."""
_LOOK = 5.0
"""Seconds after which to look whether anybody is left."""
_KEPT_SHEETS = 16
Progress = Callable[[int, int, int], None]


class IncompleteError(ChargesimError):
    """A study could not be brought to its end; what is finished is kept."""

    exit_code = 3


@dataclass(frozen=True)
class Failure:
    """A point that could not be answered.

    Parameters
    ----------
    point
        Its number.
    values
        By path.
    error
        Why.
    """

    point: int
    values: dict[str, Any]
    error: str


@dataclass(frozen=True)
class Status:
    """How far a study is.

    Parameters
    ----------
    folder
        Of the store.
    shelf
        Of the study.
    manifest
        What the study is.
    jobs, points
        Finished.
    failed, exact
        Points that could not be answered, and that are exact.
    trials
        Played for all points together.
    bytes
        Of its files.
    damaged
        Names of files that are not as they were written.
    failures
        The first of the failed points.
    is_busy
        True while a run is writing.
    others
        Manifests of the studies that were run in the folder before.
    """

    folder: Path
    shelf: Path
    manifest: dict[str, Any]
    jobs: int
    points: int
    failed: int
    exact: int
    trials: int
    bytes: int
    damaged: tuple[str, ...]
    failures: tuple[Failure, ...]
    is_busy: bool
    others: tuple[dict[str, Any], ...]

    @property
    def is_complete(self) -> bool:
        """True when every job is finished."""
        return self.jobs == int(self.manifest["jobs"])

    @property
    def exit_code(self) -> int:
        """0 when every point is answered, else 3."""
        return 0 if self.is_complete and not self.failed else 3

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        left_out = ("is_complete", "files", "scenario", "jobs", "points")
        return {
            **{key: value for key, value in self.manifest.items() if key not in left_out},
            "folder": str(self.folder),
            "is_complete": self.is_complete,
            "is_running": self.is_busy,
            "jobs": {"all": self.manifest["jobs"], "done": self.jobs},
            "points": {
                "all": self.manifest["points"],
                "done": self.points,
                "failed": self.failed,
                "exact": self.exact,
            },
            "trials_played": self.trials,
            "bytes": self.bytes,
            "damaged": list(self.damaged),
            "failures": [
                {"point": one.point, "values": one.values, "error": one.error}
                for one in self.failures
            ],
            "others": [
                {key: other[key] for key in ("title", "hash", "points", "is_complete")}
                for other in self.others
            ],
        }


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
        sound, damaged = _sound_files(shelf)
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


def status(out: str | Path) -> Status:
    """How far the study in a folder is; it may be running.

    Raises
    ------
    InputError
        When the folder holds no study.
    """
    store = Store.existing(out)
    shelf = store.current
    manifest = shelf.manifest()
    sound, damaged = _sound_files(shelf)
    said = {job: said_in(file) for job, file in sound.items()}
    total = {
        what: sum(one[what] for one in said.values())
        for what in ("points", "failed", "exact", "trials")
    }
    paths = [axis["path"] for axis in manifest["axes"]]
    failing = (sound[job] for job, one in said.items() if one["failed"])
    return Status(
        folder=store.folder,
        shelf=shelf.folder,
        manifest=manifest,
        jobs=len(sound),
        **total,
        bytes=sum(file.stat().st_size for file in sound.values()),
        damaged=tuple(file.name for file in damaged),
        failures=tuple(_failures(failing, paths)),
        is_busy=store.is_busy,
        others=tuple(other.manifest() for other in store.others if other.files()),
    )


def _failures(files: Iterator[Path], paths: list[str]) -> list[Failure]:
    found: list[Failure] = []
    for file in files:
        if len(found) >= SHOWN:
            break
        table = read_sheet(file)
        columns = {name: table.column(name).to_pylist() for name in ("point", *paths, "error")}
        for place, error in enumerate(columns["error"]):
            if error is not None:
                values = {path: columns[path][place] for path in paths}
                found.append(Failure(columns["point"][place], values, error))
    return found[:SHOWN]


def _sound_files(shelf: Shelf) -> tuple[dict[int, Path], list[Path]]:
    """Files of finished jobs that are as they were written, by job; those that are not."""
    known: dict[str, str] = {}
    with suppress(InputError, KeyError, TypeError):
        # where it is not there it is written anew, and the files' names hold their checksums too
        known = {one["name"]: one["sha256"] for one in shelf.manifest()["files"]}
    sound: dict[int, Path] = {}
    damaged: list[Path] = []
    for job, file in shelf.files().items():
        if is_sound(file, known.get(file.name)):
            sound[job] = file
        else:
            damaged.append(file)
    return sound, damaged


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
    earlier = _Earlier(store, shelf, plan)
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


def _jobs(plan: Plan, missing: list[int], earlier: _Earlier) -> Iterator[Job]:
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
                except (ChargesimError, Stopped, BrokenProcessPool, OSError, MemoryError):
                    raise
                except (Exception, CancelledError) as error:
                    # of a cluster: whoever had it is lost, and so is what it was at
                    if not tries or not _is_loss(error):
                        raise
                    give(job, tries - 1)
                    continue
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


class _Earlier:
    """Results of other studies that ask the same of their points, to begin from.

    Parameters
    ----------
    store, shelf, plan
        Where they are, and what they are wanted for.
    """

    def __init__(self, store: Store, shelf: Shelf, plan: Plan) -> None:
        self.plan = plan
        self.sources: list[tuple[Shelf, dict[str, Any], Design, dict[int, Path]]] = []
        self.sheets: OrderedDict[Path, dict[int, Answer]] = OrderedDict()
        for other in store.others:
            try:
                manifest = other.manifest()
            except InputError:
                continue
            files = other.files()
            if files and manifest["question_hash"] == plan.question_hash:
                self.sources.append((other, manifest, design_in(manifest), files))
        # those with the most trials first
        self.sources.sort(key=lambda source: -(source[1]["trials"] or 0))

    def answer(self, number: int, row: tuple[Any, ...]) -> Answer | None:
        """What is known of a point, ``None`` where it has to be begun anew."""
        for _, manifest, design, files in self.sources:
            place = design.number_of(row)
            if place is None or place // manifest["points_a_job"] not in files:
                continue
            found = self._sheet(files[place // manifest["points_a_job"]], design).get(place)
            if found is None or found.error:
                continue
            if self._is_of_use(found, place, number, manifest):
                return Answer(number, row, found.trials, dict(found.cells))
        return None

    def _is_of_use(self, found: Answer, place: int, number: int, manifest: dict[str, Any]) -> bool:
        """True where going on from it leads to the numbers of a fresh start."""
        study = self.plan.study
        if found.trials is None:
            return True
        if any(cell.kind == "choice" for cell in found.cells):
            return False
        if study.luck == "independent" and place != number:
            return False
        if study.precision is None:
            return found.trials <= (study.trials or 0)
        # a fresh start doubles from the first trials, and must not stop before these
        wider = manifest["precision"] is not None and manifest["precision"] >= study.precision
        return wider or found.trials <= FIRST_TRIALS

    def _sheet(self, file: Path, design: Design) -> dict[int, Answer]:
        if file not in self.sheets:
            sound = is_sound(file)
            self.sheets[file] = answers_in(read_sheet(file), design.axes) if sound else {}
            if len(self.sheets) > _KEPT_SHEETS:
                self.sheets.popitem(last=False)
        self.sheets.move_to_end(file)
        return self.sheets[file]
