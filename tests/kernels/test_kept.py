"""Kept machine code: called without numba, and never where it might be another's."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import chargesim

PACKAGE = Path(chargesim.__file__).parent
SCENARIO = Path(__file__).parent.parent / "conformance" / "02_stand_and_shoot_panic.toml"
pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="kept on no other system"
)

# room is asked for and given back, an array is read, and an inner kernel is called
PROBE = """
import numpy as np

from chargesim.kernels.jit import kernel


@kernel
def half(x):
    return x / 2


@kernel
def mean(values, weight):
    room = np.empty(values.size)
    for i in range(values.size):
        room[i] = half(values[i] * weight)
    total = 0.0
    for part in room:
        total += part
    return 2 * total / values.size


@kernel
def doubled(values):
    return 2 * values
"""
BEGIN = """
import sys
import numpy as np
from chargesim.kernels.process import own_process
own_process()
from chargesim.kernels.probe import doubled, mean
whole = np.arange(6)
"""
END = "\nprint('numba' in sys.modules)"
Call = Callable[..., tuple[list[str], bool]]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package with a few kernels more."""
    copy = tmp_path / "copy" / "chargesim"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "kernels" / "probe.py").write_text(PROBE, encoding="utf-8")
    return copy


@pytest.fixture
def call(package: Path, tmp_path: Path) -> Call:
    """Evaluate expressions in a new process: their values, and whether numba was imported."""

    def run(*expressions: str, begin: str = BEGIN, **settings: str) -> tuple[list[str], bool]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        env |= {"PYTHONPATH": str(package.parent), "CHARGESIM_CACHE_DIR": str(tmp_path / "cache")}
        env |= {"PYTHONDONTWRITEBYTECODE": "1", **settings}
        code = begin + "\n".join(f"print({one})" for one in expressions) + END
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=package.parent, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        *values, numba = done.stdout.splitlines()
        return values, numba == "True"

    return run


def objects(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("kernels/*/objects-*/*"))


def test_the_second_process_does_without_numba(call: Call, tmp_path: Path) -> None:
    asked = "mean(whole, 3)", "mean(whole[:3], 3)"
    assert call(*asked) == (["7.5", "3.0"], True)
    (kept,) = objects(tmp_path)
    assert kept.name.startswith("chargesim.kernels.probe.mean-")
    assert call(*asked) == (["7.5", "3.0"], False)


def test_other_types_are_other_code(call: Call, tmp_path: Path) -> None:
    types = {
        "mean(whole, 3)": "7.5",
        "mean(whole, 0.5)": "1.25",
        "mean(whole.astype(np.int32), 3)": "7.5",
        "mean(np.frombuffer(whole.tobytes(), whole.dtype), 3)": "7.5",  # not to be written to
    }
    for count, (asked, answer) in enumerate(types.items(), 1):
        assert call(asked) == ([answer], True)
        assert len(objects(tmp_path)) == count
    assert call(*types) == (list(types.values()), False)


def test_what_has_no_name_or_gives_arrays_is_left_to_numba(call: Call, tmp_path: Path) -> None:
    asked = {
        "mean(whole[::2], 3)": "6.0",
        "mean(whole / 1, 2**63)": str(2.5 * 2**63),
        "doubled(whole)": "[ 0  2  4  6  8 10]",
    }
    assert call(*asked) == (list(asked.values()), True)
    assert objects(tmp_path) == []


def test_numba_can_be_imported_later(call: Call) -> None:
    asked = "mean(whole, 3)", "doubled(whole)", "mean(whole, 3)", "mean(whole, 0.5)"
    answers = ["7.5", "[ 0  2  4  6  8 10]", "7.5", "1.25"]
    call(asked[0])
    assert call(*asked) == (answers, True)


def test_a_change_of_the_sources_is_noticed(call: Call, package: Path) -> None:
    call("mean(whole, 3)")
    text = PROBE.replace("return x / 2", "return x / 4")
    (package / "kernels" / "probe.py").write_text(text, encoding="utf-8")
    assert call("mean(whole, 3)") == (["3.75"], True)
    assert call("mean(whole, 3)") == (["3.75"], False)


@pytest.mark.parametrize("harm", [b"", b"cut", b"flipped"])
def test_a_damaged_file_is_made_anew(call: Call, tmp_path: Path, harm: bytes) -> None:
    call("mean(whole, 3)")
    (kept,) = objects(tmp_path)
    sound = kept.read_bytes()
    begin = sound.index(b"\n") + 1000  # of what is after the head: within the machine code
    flipped = sound[:begin] + bytes([sound[begin] ^ 1]) + sound[begin + 1 :]
    kept.write_bytes({b"cut": sound[:-1], b"flipped": flipped}.get(harm, harm))
    assert call("mean(whole, 3)") == (["7.5"], True)
    assert call("mean(whole, 3)") == (["7.5"], False)
    assert objects(tmp_path) == [kept]


def test_settings_of_numba_and_other_processes_leave_it_alone(call: Call, tmp_path: Path) -> None:
    plain = BEGIN.replace("own_process()\n", "")
    assert call("mean(whole, 3)", begin=plain) == (["7.5"], True)
    assert call("mean(whole, 3)", NUMBA_CPU_NAME="generic") == (["7.5"], True)
    assert objects(tmp_path) == []
    call("mean(whole, 3)")
    assert call("mean(whole, 3)", begin=plain) == (["7.5"], True)
    assert call("mean(whole, 3)", NUMBA_CPU_NAME="generic") == (["7.5"], True)


def test_another_processor_or_numba_has_a_folder_of_its_own(call: Call, tmp_path: Path) -> None:
    call("mean(whole, 3)")
    other = BEGIN + (
        "import llvmlite.binding as binding\nbinding.get_host_cpu_name = lambda: 'nehalem'\n"
    )
    assert call("mean(whole, 3)", begin=other) == (["7.5"], True)
    newer = BEGIN + (
        "from pathlib import Path\nread = Path.read_text\n"
        "Path.read_text = lambda file, **more: read(file, **more)"
        " + 'x' * (file.name == '_version.py')\n"
    )
    assert call("mean(whole, 3)", begin=newer) == (["7.5"], True)
    assert len({kept.parent for kept in objects(tmp_path)}) == 3


def test_a_warm_exact_answer_comes_without_numba() -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    code = (
        "import sys; from chargesim.cli import main; sys.argv[1:] = ['run', sys.argv[1]]\n"
        "try: main()\n"
        "except SystemExit: print('numba' in sys.modules, 'scipy' in sys.modules)"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code, str(SCENARIO)],
            env=env, capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        for _ in range(2)
    )  # fmt: skip
    assert second[:-1] == first[:-1]
    assert len(second) > 30
    assert second[-1] == "False False"
