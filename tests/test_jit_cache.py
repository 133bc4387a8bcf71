"""Compiled kernels: kept on disk under a name that follows their sources, and doing without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chargesim
from chargesim.kernels import jit

PACKAGE = Path(chargesim.__file__).parent
# numba looks only at the file of the kernel that is called, so the change is made in the other one
INNER = "from chargesim.kernels.jit import kernel\n\n\n@kernel\ndef inner(x):\n    return x + 1\n"
OUTER = (
    "from chargesim.kernels.jit import kernel\n"
    "from chargesim.kernels.probe_inner import inner\n\n\n"
    "@kernel\ndef outer(x):\n    return 10 * inner(x)\n"
)
CALL = (
    "from chargesim.kernels.probe_outer import outer\n"
    "print(outer(4), sum(outer.dispatcher.stats.cache_hits.values()))\n"
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with two tiny kernels, one calling the other."""
    package = tmp_path / "copy" / "chargesim"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "kernels" / "probe_inner.py").write_text(INNER, encoding="utf-8")
    (package / "kernels" / "probe_outer.py").write_text(OUTER, encoding="utf-8")
    return package


def call(package: Path, cache: Path) -> tuple[int, int, str]:
    """Call the outer kernel in a new process: result, hits in the disk cache, standard error."""
    env = {**os.environ, "PYTHONPATH": str(package.parent), "CHARGESIM_CACHE_DIR": str(cache)}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # an edit within a second of the last must not go unseen
    env.pop("NUMBA_DISABLE_JIT", None)
    env.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", CALL],
        cwd=package.parent, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result, hits = done.stdout.split()
    return int(result), int(hits), done.stderr


def folders(cache: Path) -> set[str]:
    return {folder.name for folder in (cache / "kernels").iterdir()}


def test_the_cache_follows_the_sources(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    inner = copy / "kernels" / "probe_inner.py"

    assert call(copy, cache) == (50, 0, "")
    first = folders(cache)
    assert len(first) == 1
    assert call(copy, cache) == (50, 1, "")
    assert folders(cache) == first

    inner.write_text(INNER.replace("x + 1", "x + 2"), encoding="utf-8")
    assert call(copy, cache) == (60, 0, "")
    assert len(folders(cache)) == 2
    assert folders(cache) > first

    # back to the old text: back to the old code, which is still there
    inner.write_text(INNER, encoding="utf-8")
    assert call(copy, cache) == (50, 1, "")
    assert len(folders(cache)) == 2


def test_it_works_without_a_cache_and_says_so_once(copy: Path, tmp_path: Path) -> None:
    # below a file there can be no folder, not even for root
    (tmp_path / "file").touch()
    result, hits, said = call(copy, tmp_path / "file" / "cache")
    assert (result, hits) == (50, 0)
    (line,) = said.splitlines()
    assert line.startswith("kernels are compiled anew in each process: cannot write ")
    assert str(tmp_path / "file" / "cache") in line


@pytest.mark.parametrize(
    "name", ["fields.py", "kernels/dice.py", "rulesets/wh6/state.py", "rulesets/wh6/rules.py"]
)
def test_every_source_counts_in_the_folders_name(copy: Path, name: str) -> None:
    before = jit.text_hash(jit.kernel_sources(copy))
    with (copy / name).open("a", encoding="utf-8") as file:
        file.write("# a comment moves line numbers, and numba keeps those too\n")
    assert jit.text_hash(jit.kernel_sources(copy)) != before


def code_hash(folder: Path, text: str) -> str:
    """Hash of a text as a rule text, comments apart."""
    file = folder / "rules.py"
    file.write_text(text, encoding="utf-8")
    return jit.text_hash([file], comments=False)


def test_the_hash_of_rules_ignores_comments_and_layout(tmp_path: Path) -> None:
    plain = code_hash(tmp_path, 'def f(x):\n    """Add."""\n    return x + 1\n')
    told = '\n\n# why\ndef f(x):  # add\n    """Add\n    one."""\n\n    return x+1\n'
    assert code_hash(tmp_path, told) == plain
    assert code_hash(tmp_path, told.replace("x+1", "x+2")) != plain


def test_the_hash_of_rules_sees_texts_and_blocks(tmp_path: Path) -> None:
    texts = ["x = 'a + b'\n", "x = 'a+b'\n"]
    blocks = ["if x:\n    y()\nz()\n", "if x:\n    y()\n    z()\n"]
    assert len({code_hash(tmp_path, text) for text in (*texts, *blocks)}) == 4


def test_the_hash_of_rules_ignores_new_docstrings(tmp_path: Path) -> None:
    plain = code_hash(tmp_path, "def f(x):\n    return x + 1\n")
    assert code_hash(tmp_path, 'def f(x):\n    """Add."""\n    return x + 1\n') == plain


def test_the_hash_of_rules_is_kept_beside_the_code_they_became(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    reckoned = jit.rules_hash.__wrapped__("wh6")  # the answer itself is kept for the process
    (kept,) = tmp_path.iterdir()
    assert kept.read_text() == reckoned
    assert len(reckoned) == 64

    kept.write_text("f" * 64)
    assert jit.rules_hash.__wrapped__("wh6") == "f" * 64
    for spoilt in ("", "f" * 63, "é" * 64):
        kept.write_text(spoilt, encoding="utf-8")
        assert jit.rules_hash.__wrapped__("wh6") == reckoned
    assert list(tmp_path.iterdir()) == [kept]

    monkeypatch.setattr(jit, "cache_folder", lambda: None)
    assert jit.rules_hash.__wrapped__("wh6") == reckoned


def test_the_cache_folder_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHARGESIM_CACHE_DIR", str(tmp_path))
    folder = jit.cache_folder.__wrapped__()  # the answer itself is kept for the process
    assert folder == tmp_path / "kernels" / jit.text_hash(jit.kernel_sources())[:20]
    assert folder.is_dir()
    assert not any(folder.iterdir())
