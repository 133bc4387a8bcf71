"""The one kernel decorator, its disk cache, and the hashes that name a rule text.

numba does not notice a change in an imported kernel module and would silently run old machine code,
so the cache folder is named by a hash over every source file that can be compiled.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import re
import sys
import tokenize
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from llvmlite import ir  # type: ignore[import-untyped]  # it ships no types
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_PACKAGE = Path(__file__).resolve().parent.parent
_Function = TypeVar("_Function", bound=Callable[..., Any])
_SHA256 = re.compile("[0-9a-f]{64}")
log = logging.getLogger("chargesim")


def kernel_sources(package: Path = _PACKAGE) -> list[Path]:
    """Every file whose text can end up in machine code: fields, kernels and rule texts."""
    return [
        package / "fields.py",
        *sorted((package / "kernels").glob("*.py")),
        *sorted((package / "rulesets").glob("*/state.py")),
        *sorted((package / "rulesets").glob("*/events.py")),
        *sorted((package / "rulesets").glob("*/rules*.py")),
    ]


def text_hash(files: Iterable[Path], *, comments: bool = True) -> str:
    """SHA-256 over files in the order given.

    Parameters
    ----------
    files
        Python sources.
    comments
        False leaves out comments, docstrings and layout, so that only the code counts.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for file in files:
        source = file.read_bytes()
        digest.update(file.name.encode())
        digest.update(source if comments else _code_only(source))
        digest.update(b"\0")
    return digest.hexdigest()


def _code_only(source: bytes) -> bytes:
    skip = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING}
    kept: list[str] = []
    start, docstring = True, False
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type in skip:
            continue
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            if not docstring:
                kept.append(tokenize.tok_name[token.type])
            start, docstring = True, False
            continue
        docstring = start and token.type == tokenize.STRING
        if not docstring:
            kept.append(token.string)
        start = False
    return "\n".join(kept).encode()


@cache
def cache_folder() -> Path | None:
    """Folder of compiled code for exactly these sources, or None where none can be written."""
    root = os.environ.get("CHARGESIM_CACHE_DIR") or platformdirs.user_cache_dir("chargesim")
    folder = Path(root) / "kernels" / text_hash(kernel_sources())[:20]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        log.warning("kernels are compiled anew in each process: cannot write %s (%s)", root, error)
        return None
    return folder


def kept(name: str, whole: re.Pattern[str], reckon: Callable[[], str]) -> str:
    """Text that follows from the sources alone, kept in the cache folder.

    The folder's name follows the same sources, and to go through them takes longer than an exact
    answer.

    Parameters
    ----------
    name
        Of the file.
    whole
        What the text looks like.
    reckon
        Gives the text where it is not kept yet.
    """
    home = cache_folder()
    if home is None:
        return reckon()
    file = home / name
    with suppress(OSError):
        found = file.read_text(encoding="ascii", errors="replace")
        if whole.fullmatch(found):
            return found
    found = reckon()
    with suppress(OSError):
        # whole or not at all: another process may read it at this moment
        draft = file.with_name(f"{name}-{os.getpid()}")
        draft.write_text(found, encoding="ascii")
        draft.replace(file)
    return found


@cache
def rules_hash(ruleset: str) -> str:
    """Hash of one ruleset's rule text and the shared primitives, comments apart."""
    return kept(f"rules_hash-{ruleset}", _SHA256, lambda: _reckon_rules_hash(ruleset))


def _reckon_rules_hash(ruleset: str) -> str:
    folder = _PACKAGE / "rulesets" / ruleset
    files = [*sorted((_PACKAGE / "kernels").glob("*.py")), folder / "state.py"]
    files += sorted(folder.glob("rules*.py"))
    return text_hash(files, comments=False)


def spare_blas() -> None:
    """Load numba's array functions without looking for BLAS, which would import half of scipy.

    For a process that runs the kernels of this package alone: they have no linear algebra in them.
    Elsewhere numba would do ``convolve`` and ``correlate`` by its own loops, so a library must not.
    """
    blas = "scipy.linalg.cython_blas"
    if numba.config.DISABLE_JIT or blas in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # Python's own sign: not to be imported
    try:
        import_module("numba.np.arraymath")  # looks for it once, here
    finally:
        del sys.modules[blas]


def _njit(function: Callable[..., Any], signature: Any = None, **more: Any) -> Any:
    folder = cache_folder()
    before = numba.config.CACHE_DIR
    try:
        if folder is not None:
            numba.config.CACHE_DIR = str(folder)
        options = {"nogil": True, "error_model": "numpy", "cache": folder is not None, **more}
        if signature is None:
            return numba.njit(**options)(function)
        return numba.njit(signature, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: _Function) -> _Function:
    """Compile a module-level function: nopython, without the GIL, cached on disk.

    Typed as the identity, so that callers see the plain Python signature.
    """
    compiled: _Function = _njit(function)
    return compiled


def tiny(function: _Function) -> _Function:
    """As :func:`kernel`, for one-line helpers: their text is put in where they are called.

    A kernel is compiled anew for each combination of argument types, at about 0.1 s each; what is
    called with every kind of integer would be most of the compile time.
    """
    inlined: _Function = _njit(function, inline="always")
    return inlined


SCRATCH = (4, 32)
"""Shape of :func:`scratch`."""


def scratch() -> Any:
    """Words of 64 bits, shape ``SCRATCH``, unset, on the stack of the kernel that asks.

    Other arrays might overlap for all the compiler knows, so it reads and writes them one word at a
    time. What is on the stack it can keep side by side in registers.
    """
    return np.empty(SCRATCH, np.uint64)


@overload(scratch, inline="always")  # type: ignore[untyped-decorator]  # numba's
def _scratch() -> Any:
    return lambda: numba.carray(_stack(), SCRATCH)


@intrinsic  # type: ignore[untyped-decorator]  # numba's
def _stack(_: Any) -> Any:
    def generate(_: Any, builder: Any, *__: Any) -> Any:
        return cgutils.alloca_once(builder, ir.IntType(64), size=SCRATCH[0] * SCRATCH[1])

    return types.CPointer(types.uint64)(), generate


_specialised: dict[Any, Any] = {}


def specialise(loop: Callable[..., Any], step: Callable[..., Any], *arguments: Any) -> Any:
    """Compile a shared loop for one ruleset's step.

    The step is typed as a first-class function, the only form of a function argument that numba
    keeps in its disk cache.

    Parameters
    ----------
    loop
        Plain Python function whose first argument is the step.
    step
        Kernel ``step(game, dice)``.
    arguments
        Sample values of the loop's other arguments; ``game`` and ``dice`` are the first two. Their
        types depend on the ruleset alone.

    Returns
    -------
    callable
        The compiled loop, called with ``(step, *arguments)``; the plain one with the JIT off.
    """
    if numba.config.DISABLE_JIT:
        return loop
    key = (loop, step)
    if key not in _specialised:
        types = tuple(numba.typeof(a) for a in arguments)
        step_type = numba.types.FunctionType(numba.void(types[0], types[1]))
        _specialised[key] = _njit(loop, numba.void(step_type, *types))
    return _specialised[key]


def address_of(step: Callable[..., Any], game: Any, dice: Any) -> Any:
    """Address of a step's machine code, as :func:`call_step` takes it; the step with the JIT off.

    To hand over the address costs nothing; numba looks a function up anew at each call.

    Parameters
    ----------
    step
        Kernel ``step(game, dice)``.
    game, dice
        Sample records.
    """
    if numba.config.DISABLE_JIT:
        return step
    dispatcher: Any = step
    compiled = dispatcher.get_compile_result(types.void(numba.typeof(game), numba.typeof(dice)))
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def call_step(step: Any, game: Any, dice: Any) -> None:
    """Take a step whose address is given."""
    step(game, dice)


@overload(call_step, inline="always")
def _call_step(step, game, dice):  # type: ignore[no-untyped-def]  # numba compares the signatures
    return lambda step, game, dice: _jump(step, game, dice)


@intrinsic  # type: ignore[untyped-decorator]  # numba's
def _jump(_: Any, step: Any, game: Any, dice: Any) -> Any:
    def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(types.void, (game, dice))
        target = builder.inttoptr(values[0], kind.as_pointer())
        # kernels raise nothing, so that its status need not be looked at
        context.call_conv.call_function(builder, target, types.void, (game, dice), values[1:])
        return context.get_dummy_value()

    return types.void(step, game, dice), generate
