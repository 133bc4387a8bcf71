"""Measure studies: what the study layer costs beside the kernels, and what a cluster costs.

    PYTHONPATH=tests python benchmarks/sweeps.py          points, time, ratios
    PYTHONPATH=tests python benchmarks/sweeps.py --large  a million points too, and their memory

What is compared runs in turns within one run of this script, and is told as ratios.
"""

from __future__ import annotations

import gc
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cases import CASES
from run import machine

from chargesim.engine.sample import sample_many
from chargesim.kernels.process import own_process
from chargesim.scenario import Scenario
from chargesim.study.answers import answers
from chargesim.study.file import Study, make_study
from chargesim.study.plan import make_plan as plan_study
from chargesim.study.sheets import encode, schema_of, sheet_of
from chargesim.study.sweep import run

HERE = Path(__file__).resolve().parent
ROUNDS = 5
TRIALS = 100_000


def study(axes: dict[str, Any], **keys: Any) -> Study:
    """A study of the canonical charge, to contact."""
    tables = {
        "scenario": str(CASES["canonical"].file),
        "until": "charge_moves",
        "axes": axes,
        **keys,
    }
    return make_study(tables, base=HERE)


GRID = {
    "charge.0.distance": "5:54.5:0.5",
    "unit.handgunners.Ld": "1:10",
    "unit.handgunners.shooters": "1:10",
}
"""10,000 points."""


def main() -> None:
    """Measure and print."""
    own_process()
    gc.set_threshold(50_000)  # as in the command and its workers
    gc.freeze()
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as folder:
        _whole(Path(folder), 'engine = "exact"', "exact")
        _whole(Path(folder), f'engine = "sample"\ntrials = {TRIALS}', "sampled")
        _overhead()
        _cluster(Path(folder))
        if "--large" in sys.argv:
            _large(Path(folder))


def _whole(folder: Path, engine: str, what: str) -> None:
    """Time of 10,000 points, from the command to the folder."""
    file = folder / "study.toml"
    levels = "\n".join(f'"{path}" = "{spec}"' for path, spec in GRID.items())
    file.write_text(
        f'scenario = "{CASES["canonical"].file}"\n{engine}\nuntil = "charge_moves"\n'
        f"[axes]\n{levels}\n"
    )
    for workers in (1, 2):
        walls = []
        for place in range(ROUNDS):
            out = folder / f"{what}-{workers}-{place}"
            command = [sys.executable, "-m", "chargesim", "sweep", "run", str(file)]
            begun = time.perf_counter()
            subprocess.run(
                [*command, "--out", str(out), "--workers", str(workers)],
                check=True, capture_output=True,
            )  # fmt: skip
            walls.append(time.perf_counter() - begun)
        print(
            f"10,000 {what} points, the whole command, {workers} workers: "
            f"{min(walls):.1f} s at best, {statistics.median(walls):.1f} s in the middle"
        )


def _overhead() -> None:
    """Time of sampled points through the study layer, and by the kernels alone."""
    asked = study(GRID, engine="sample", trials=TRIALS)
    plan, schema = plan_study(asked), schema_of(asked.axes)
    points = list(enumerate(asked.design.rows(0, asked.design.count)))
    paths = plan.question.paths
    rows = [row for _, row in points]
    parts = [
        part.until("charge_moves")
        for scenario in asked.scenario.variants(paths, rows)
        if isinstance(scenario, Scenario)
        for part in scenario.parts
    ]
    assert len(parts) == len(points)

    def kernels() -> None:
        sample_many(parts, TRIALS, threads=1)

    def layer() -> None:
        encode(*sheet_of(answers(plan.question, points), schema))

    times = _in_turns({"kernels": kernels, "layer": layer})
    ratio = statistics.median(b / a for a, b in zip(times["kernels"], times["layer"], strict=True))
    print(
        f"{len(points)} points of {TRIALS:,} trials, one core: kernels alone "
        f"{min(times['kernels']) / len(points) * 1e3:.2f} ms a point, study "
        f"{min(times['layer']) / len(points) * 1e3:.2f} ms a point, ratio {ratio:.2f}"
    )


def _in_turns(contestants: dict[str, Callable[[], None]]) -> dict[str, list[float]]:
    """Processor time of each, in turns, after a turn that does not count."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for place in range(ROUNDS + 1):
        for name, call in contestants.items():
            gc.collect()
            begun = time.process_time()
            call()
            if place:
                times[name].append(time.process_time() - begun)
    return times


@contextmanager
def _two_workers() -> Iterator[str]:
    """Address of a cluster on this machine."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = [sys.executable, "-m"]
    worker = [*python, "distributed.cli.dask_worker", address]
    scheduler = [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    processes = [
        subprocess.Popen([*scheduler, "--port", str(port), "--no-dashboard"], **quiet),
        *(
            subprocess.Popen([*worker, "--nthreads", "1", "--no-nanny", "--no-dashboard"], **quiet)
            for _ in range(2)
        ),
    ]
    try:
        from distributed import Client

        with Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _cluster(folder: Path) -> None:
    """Time on a cluster of two workers and on two processes, both with what they import."""
    asked = study(GRID, engine="exact")
    ratios, walls = [], []
    with _two_workers() as address:
        run(asked, folder / "warm", dask=address)
        for place in range(ROUNDS):
            begun = time.perf_counter()
            run(asked, folder / f"here-{place}", workers=2)
            between = time.perf_counter()
            run(asked, folder / f"there-{place}", dask=address)
            walls.append(time.perf_counter() - between)
            ratios.append(walls[-1] / (between - begun))
    print(
        f"10,000 exact points on a cluster of two workers: {min(walls):.1f} s at best, "
        f"{statistics.median(ratios):.2f} times two processes"
    )


def _large(folder: Path) -> None:
    """Time and memory of a million points in one process."""
    code = (
        "import sys, resource; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from sweeps import GRID, study\n"
        "from chargesim.study.sweep import run\n"
        "axes = {**GRID, 'unit.handgunners.BS': '1:10', 'unit.chariots.T': '1:10'}\n"
        "done = run(study(axes, engine='exact'), sys.argv[2], threads=1)\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "print(f'{done.status.points:,} points: at most {peak:.0f} MB, '\n"
        "      f'{done.status.bytes / 1e6:.0f} MB of files', end='')\n"
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, str(HERE), str(folder / "large")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    print(f"{done.stdout}, {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
