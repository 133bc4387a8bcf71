"""Who does the jobs: threads of this process, other processes, or a cluster of dask."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event as ProcessEvent
from typing import Any

import chargesim
from chargesim.errors import ChargesimError, InputError
from chargesim.study.answers import Answer, Question, answers
from chargesim.study.sheets import encode, sheet_of

PATIENCE = 5
"""Seconds that a cluster has to answer."""
RETRIES = 5
"""Times that a job is given to another worker of a cluster, after one was lost with it."""


@dataclass(frozen=True)
class Job:
    """Some points of a study, to be answered wherever there is time.

    Parameters
    ----------
    number
        Its number in the study.
    first
        Number of its first point.
    rows
        Values of each.
    known
        By number what is known of them already.
    """

    number: int
    first: int
    rows: list[tuple[Any, ...]]
    known: Mapping[int, Answer] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """What all jobs of a study have in common.

    Parameters
    ----------
    question
        What is asked of each point.
    schema
        Of their sheets, as :func:`chargesim.study.sheets.schema_of` makes it.
    study
        Hash of the study, which stands in each file.
    version
        Of the program that must do it.
    threads
        Of each job.
    """

    question: Question
    schema: Any
    study: str
    version: str
    threads: int = 1


class IncompleteError(ChargesimError):
    """A study could not be brought to its end; what is finished is kept."""

    exit_code = 3


class Stopped(Exception):  # no error: the work was told to stop
    """A job was told to stop."""


_stop: ProcessEvent | None = None


def do_job(task: Task, job: Job, stop: Callable[[], bool] | None = None) -> tuple[int, bytes]:
    """Answer the points of a job; the same bytes wherever it is done.

    Parameters
    ----------
    task, job
        What to do.
    stop
        Asked now and then whether to give up.

    Returns
    -------
    tuple
        The job's number and its sheet as a Parquet file.

    Raises
    ------
    InputError
        When this worker has other rules than the study.
    Stopped
        When it was told to stop.
    """
    from chargesim.kernels.jit import rules_hash

    ruleset = task.question.scenario.ruleset.name
    if (task.version, task.question.rules_hash) != (chargesim.__version__, rules_hash(ruleset)):
        raise InputError(
            f"worker: has chargesim {chargesim.__version__} with rules "
            f"{rules_hash(ruleset)[:12]}, the study is of {task.version} with rules "
            f"{task.question.rules_hash[:12]}: install the same on every machine"
        )

    def look(_: int, __: int) -> None:
        if (stop is not None and stop()) or (_stop is not None and _stop.is_set()):
            raise Stopped

    points = enumerate(job.rows, job.first)
    found = answers(task.question, points, job.known, task.threads, look)
    table, said = sheet_of(found, task.schema)
    return job.number, encode(table, {**said, "study": task.study, "job": job.number})


@dataclass(frozen=True)
class Crew:
    """Who works.

    Parameters
    ----------
    executor
        Takes the jobs.
    hands
        How many of them can be done at one time.
    stop
        Tells them to give up what they are at.
    retries
        Times that a job is given out again when whoever had it is lost.
    """

    executor: Executor
    hands: Callable[[], int]
    stop: Callable[[], None]
    arguments: tuple[Any, ...] = ()
    retries: int = 0


@contextmanager
def threads_of(many: int) -> Iterator[Crew]:
    """Threads of this process."""
    event = threading.Event()
    with ThreadPoolExecutor(many) as pool:
        yield Crew(pool, lambda: many, event.set, (event.is_set,))


@contextmanager
def processes_of(many: int) -> Iterator[Crew]:
    """Processes on this machine."""
    context = multiprocessing.get_context("spawn")  # threads and forks do not go together
    event = context.Event()
    with ProcessPoolExecutor(many, context, _begin, (event,)) as pool:
        yield Crew(pool, lambda: many, event.set)


def _begin(event: ProcessEvent) -> None:
    """Set up a worker process: it stops when it is told to, and with the process it works for."""
    from chargesim.kernels.process import own_process

    global _stop
    _stop = event
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one that gives out the jobs
    own_process()
    gc.set_threshold(50_000)  # as in the command: hardly one object of the imports is garbage
    gc.freeze()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def reach(address: str) -> None:
    """See that there is a cluster of dask, before anything is done for it.

    Parameters
    ----------
    address
        Of its scheduler, such as ``tcp://HOST:8786``.

    Raises
    ------
    InputError
        When dask is not installed, or there is no cluster.
    """
    try:
        from distributed.comm import connect
    except ImportError:
        raise InputError('dask: is not installed: pip install "chargesim[dask]"') from None

    async def knock() -> None:
        comm = await connect(address, timeout=PATIENCE)
        await comm.close()

    try:
        # in a thread of its own: a notebook has a loop running in this one
        with ThreadPoolExecutor(1) as aside:
            aside.submit(lambda: asyncio.run(knock())).result()
    except Exception as error:  # whatever may answer at an address that is not dask's
        raise InputError(
            f"dask: there is no cluster at {address} ({_short(error)}): start one with "
            "`dask scheduler`, then `dask worker tcp://HOST:8786`, and name its address"
        ) from None


@contextmanager
def cluster_at(address: str) -> Iterator[Crew]:
    """A cluster of dask that was reached.

    Raises
    ------
    InputError
        When it has no workers.
    IncompleteError
        When it is lost on the way.
    """
    from distributed import Client
    from distributed.scheduler import KilledWorker

    try:
        with Client(address, timeout=PATIENCE, set_as_default=False) as client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise InputError(
                    f"dask: the cluster at {address} has no workers: start them with "
                    f"`dask worker {address}`"
                ) from None
            executor = client.get_executor(pure=False, retries=RETRIES)
            yield Crew(
                executor,
                lambda: sum(client.nthreads().values()),
                lambda: executor.shutdown(wait=False),
                retries=RETRIES,
            )
    except (OSError, CancelledError, KilledWorker) as error:
        raise IncompleteError(
            f"dask: the cluster at {address} is lost ({_short(error)}): what is finished is kept; "
            "start it and run the same command again"
        ) from None


def _short(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0][:120] if text else type(error).__name__
