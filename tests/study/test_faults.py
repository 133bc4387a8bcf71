"""Processes that are killed: the study, at random moments, and workers of a cluster."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from study.build import content, end_process

from chargesim.errors import InputError
from chargesim.study import sweep as sweeping
from chargesim.study import workers
from chargesim.study.file import Study
from chargesim.study.status import status
from chargesim.study.sweep import run
from chargesim.study.workers import IncompleteError

Make = Callable[..., Study]
KILLS = 10
MOST_TRIES = 40
DRIVER = """
import sys
from chargesim.study import plan
from chargesim.study.file import load_study
from chargesim.study.sweep import run
plan.JOB = 5e5
run(load_study(sys.argv[1]), sys.argv[2], workers=int(sys.argv[3]), threads=2)
"""


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)


def jobs_in(folder: Path) -> int:
    return len(list(folder.rglob("job-*.parquet")))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a kill that cannot be caught")
def test_ten_kills_at_random_moments_change_no_byte(tmp_path: Path, make: Make) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f'scenario = "{make().scenario.source}"\nengine = "sample"\ntrials = 40_000\n'
        '[axes]\n"charge.0.distance" = "13:40"\n"unit.handgunners.Ld" = "5:9"\n',
        encoding="utf-8",
    )
    driver = ("-c", DRIVER, str(study))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert start(*driver, str(whole), "1").wait() == 0
    assert jobs_in(whole) > 30
    moments = random.Random(7)
    kills = 0
    for _ in range(MOST_TRIES):
        before = jobs_in(parts)
        running = start(*driver, str(parts), "1")
        # a moment counted from where the study is, so that no machine is too fast for ten of them
        more, wait = moments.randrange(0, 3), moments.uniform(0.0, 0.03)
        while running.poll() is None and jobs_in(parts) < before + more:
            time.sleep(0.001)
        if more == 0:
            time.sleep(moments.uniform(0.0, 1.0))  # perhaps it has not even begun
        time.sleep(wait)
        running.send_signal(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL, "it came to its end before the kill"
        kills += 1
        if kills == KILLS:
            break
    assert kills == KILLS
    assert 0 < jobs_in(parts) < jobs_in(whole)
    assert start(*driver, str(parts), "1").wait() == 0
    assert content(parts) == content(whole)


@pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")
def test_an_interrupt_leaves_no_process_and_says_how_to_go_on(tmp_path: Path, make: Make) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f'scenario = "{make().scenario.source}"\nengine = "sample"\ntrials = 30_000_000\n'
        '[axes]\n"charge.0.distance" = "13:40"\n"unit.handgunners.Ld" = "5:9"\n',
        encoding="utf-8",
    )
    out = tmp_path / "out"
    command = ("-m", "chargesim", "sweep", "run", str(study), "--out", str(out), "--workers", "2")
    with (tmp_path / "told").open("wb") as told:
        running = subprocess.Popen(
            [sys.executable, *command],
            stderr=told,
            # a shell lets what runs in its background ignore interrupts, and that is inherited
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while running.poll() is None and jobs_in(out) < 1:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 3
    assert (tmp_path / "told").read_text(encoding="utf-8").strip() == (
        "interrupted: what is finished is kept; the same command goes on from there"
    )
    far = status(out)
    assert not far.is_busy
    assert 0 < far.jobs < far.manifest["jobs"]


def test_a_lost_process_is_told(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_jobs: None
) -> None:
    monkeypatch.setattr(sweeping, "do_job", end_process)
    with pytest.raises(IncompleteError, match="a worker process ended before its time"):
        run(make(), tmp_path, workers=2)


# a cluster


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Any]]]:
    """Address of a scheduler, and two workers, each a process."""
    logs = tmp_path_factory.mktemp("cluster")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    processes: list[subprocess.Popen[bytes]] = []

    def begin(*arguments: str) -> subprocess.Popen[bytes]:
        log = (logs / f"{len(processes)}.log").open("wb")
        command = [sys.executable, "-m", f"distributed.cli.{arguments[0]}", *arguments[1:]]
        processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=logs))
        log.close()
        return processes[-1]

    begin("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    of_worker = ("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    yield address, [begin(*of_worker), begin(*of_worker)]
    for process in processes:
        process.kill()
        process.wait()


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(
    cluster: tuple[str, list[Any]], make: Make, tmp_path: Path, small_jobs: None
) -> None:
    from distributed import Client

    address, hired = cluster
    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    study = make({"charge.0.distance": "13:40", "unit.handgunners.Ld": "5:9"}, trials=20_000)
    run(study, tmp_path / "here")
    killed = []

    def kill(done: int, points: int, _: int) -> None:
        if done > points / 4 and not killed:
            hired[0].kill()
            killed.append(done)

    run(study, tmp_path / "there", dask=address, progress=kill)
    assert killed
    assert killed[0] < study.design.count
    assert hired[0].wait() != 0
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_a_cluster_that_is_not_there_is_told_at_once(make: Make, tmp_path: Path) -> None:
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense"):
        with pytest.raises(InputError, match=f"dask: there is no cluster at {address}"):
            run(make(), tmp_path / "new", dask=address)
    assert workers.PATIENCE < 8  # beside the start, within ten seconds
    assert not (tmp_path / "new").exists()


def test_without_dask_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed.comm", None)
    with pytest.raises(InputError, match=r'pip install "chargesim\[dask\]"'):
        workers.reach("tcp://127.0.0.1:8786")
