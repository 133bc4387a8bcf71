"""The fences between the modules, as pyproject.toml declares them, and that none has a gap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest
from importlinter.api import read_configuration

import chargesim
from chargesim.kernels.jit import kernel_sources

ROOT = Path(__file__).parent.parent
PACKAGE = Path(chargesim.__file__).parent


def module(file: Path) -> str:
    parts = ("chargesim", *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def declares_kernels(file: Path) -> bool:
    """Whether a file takes a decorator from the one module that compiles."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "chargesim.kernels.jit"
        and {"kernel", "tiny"} & {name.name for name in node.names}
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    )


def test_contracts_hold(tmp_path: Path) -> None:
    code = (
        "import sys; from importlinter.cli import lint_imports; "
        "sys.exit(lint_imports(no_logo=True, cache_dir=sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_no_rule_text_is_outside_its_fence() -> None:
    contracts = read_configuration(str(ROOT / "pyproject.toml"))["contracts_options"]
    (fence,) = (c for c in contracts if c["name"].startswith("What is compiled"))
    fenced = fence["source_modules"]
    for file in kernel_sources():
        name = module(file)
        inside = (
            name in fenced
            or name.startswith("chargesim.kernels")
            or f"chargesim.rulesets.*.{file.stem}" in fenced
        )
        assert inside, f"{name} is missing in the contract {fence['name']!r} of pyproject.toml"


def test_all_that_is_compiled_counts_in_the_cache_folders_name() -> None:
    """A kernel's file and all that it imports: a change of any may change machine code."""
    graph = grimp.build_graph("chargesim", exclude_type_checking_imports=True, cache_dir=None)
    counted = {module(file) for file in kernel_sources()}
    kernels = {module(f) for f in PACKAGE.rglob("*.py") if declares_kernels(f)}
    assert "chargesim.kernels.dice" in kernels
    needed = kernels.union(*(graph.find_upstream_modules(name) for name in kernels))
    assert needed <= counted


@pytest.mark.parametrize("name", ["chargesim", "chargesim.cli"])
def test_importing_costs_nothing(name: str) -> None:
    code = f"import sys, {name}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numba", "numpy", "pandas", "matplotlib", "scipy"}
    assert not heavy & set(done.stdout.split())
