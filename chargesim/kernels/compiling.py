"""What needs numba: compiling kernels, and the pieces of machine code that are written by hand.

Imported when the first kernel is to be compiled, or loaded from numba's own cache.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numba
from llvmlite import binding, ir  # type: ignore[import-untyped]  # it ships no types
from numba import typeof, types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload

from chargesim.kernels import jit
from chargesim.kernels.process import is_own_process

__all__ = ["address", "compiled", "compiled_loop", "object_file", "typeof"]
_lock = threading.Lock()
"""The cache folder is told to numba by a setting that all threads share."""


def _spare_blas() -> None:
    """Load numba's array functions without looking for BLAS, which would import half of scipy.

    There is no linear algebra in our kernels, but elsewhere numba would do ``convolve`` and
    ``correlate`` by its own loops, so a library must not.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # Python's own sign: not to be imported
    try:
        import_module("numba.np.arraymath")  # looks for it once, here
    finally:
        del sys.modules[blas]


if is_own_process():
    _spare_blas()


def compiled(function: Callable[..., Any], signature: Any = None, **more: Any) -> Any:
    """Numba's dispatcher of a function, which keeps its machine code in the cache folder.

    Parameters
    ----------
    function
        Plain Python function of a module.
    signature
        To compile for at once; ``None``: for the arguments of each call.
    more
        Further options of ``njit``.
    """
    folder = jit.cache_folder()
    with _lock:
        before = numba.config.CACHE_DIR
        try:
            if folder is not None:
                numba.config.CACHE_DIR = str(folder)
            options = {"nogil": True, "error_model": "numpy", "cache": folder is not None, **more}
            dispatcher = numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def compiled_loop(loop: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Dispatcher of a loop whose first argument is a step, typed as a first-class function."""
    given = tuple(typeof(a) for a in arguments)
    step = types.FunctionType(types.void(given[0], given[1]))
    return compiled(loop, types.void(step, *given))


def address(dispatcher: Any, arguments: tuple[Any, ...]) -> int:
    """Address of a step's machine code for arguments like these, as kernels call each other."""
    made = dispatcher.get_compile_result(types.void(*map(typeof, arguments)))
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def object_file(dispatcher: Any, arguments: tuple[Any, ...]) -> tuple[dict[str, str], bytes] | None:
    """What numba compiled for arguments like these, with all that it calls.

    Returns
    -------
    tuple or None
        Names of the symbols by which Python and other kernels call it and by which it knows its
        environment, and the object file; ``None`` where it needs Python objects.
    """
    made = dispatcher.overloads[tuple(map(typeof, arguments))]
    if made.environment.consts:
        return None
    names = {
        "wrapper": made.fndesc.llvm_cpython_wrapper_name,
        "function": made.fndesc.llvm_func_name,
        "environment": made.fndesc.env_name,
    }
    # numba gives its object file away once, to its own cache: this one is of the same module
    with global_compiler_lock:
        whole = binding.parse_bitcode(made.library._get_module_for_linking().as_bitcode())
        return names, made.library.codegen._tm.emit_object(whole)


@overload(jit.scratch, inline="always")  # type: ignore[untyped-decorator]  # numba's
def _scratch() -> Any:
    return lambda: numba.carray(_stack(), jit.SCRATCH)


@intrinsic  # type: ignore[untyped-decorator]  # numba's
def _stack(_: Any) -> Any:
    def generate(_: Any, builder: Any, *__: Any) -> Any:
        return cgutils.alloca_once(builder, ir.IntType(64), size=jit.SCRATCH[0] * jit.SCRATCH[1])

    return types.CPointer(types.uint64)(), generate


@overload(jit.call_step, inline="always")
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
