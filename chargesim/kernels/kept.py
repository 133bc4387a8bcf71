"""Machine code of kernels that is kept, and called without numba.

numba has a cache of its own, but to read it all of numba has to be there, its typing and lowering
of half of numpy included, and to import that takes longer than to answer a short question. The
machine code itself needs no more than numba's small runtime, which is written in C, and a linker.

So the kernels that a command has called are kept once more, as object files in the cache folder,
which is named by their sources. Other versions, processors and settings never see them. Where one
is missing, or anything is amiss, numba does as ever: that costs time, never an answer.
"""

from __future__ import annotations

import builtins
import ctypes
import hashlib
import json
import logging
import os
import platform
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_SETTINGS = ".numba_config.yaml"
"""Where numba looks for settings beside those of the environment."""
log = logging.getLogger("chargesim")


class Code(NamedTuple):
    """Machine code of a kernel for arguments of certain types.

    Parameters
    ----------
    call
        The kernel as Python calls it.
    address
        Where it begins, as kernels call each other.
    """

    call: Callable[..., Any]
    address: int


class _UnnamedTypeError(TypeError):
    """A value of a type that has no name here."""


def _type_of(value: Any) -> Any:
    """What numba's type of a value follows from; hashable.

    Raises
    ------
    _UnnamedTypeError
        For values that kernels are seldom called with.
    """
    if type(value) is np.ndarray:
        flags = value.flags
        if flags.c_contiguous:
            return value.dtype, value.ndim, flags.aligned, flags.writeable
    elif type(value) is np.void:
        return value.dtype
    elif isinstance(value, tuple):
        return type(value), *map(_type_of, value)
    elif type(value) in (bool, float) or (type(value) is int and abs(value) < 2**63):
        return type(value)
    raise _UnnamedTypeError(type(value))


def _text(kind: Any) -> str:
    """A type of :func:`_type_of` as a text that is the same in every process."""
    if isinstance(kind, tuple):
        return f"({', '.join(map(_text, kind))})"
    return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else repr(kind)


def _numba_home() -> Path:
    """Folder of numba, which is not imported."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        raise ImportError("numba has no folder")
    return Path(found.origin).parent


@cache
def _folder(home: Path) -> Path | None:
    """Folder of the object files that this very process may use; ``None`` where it may use none.

    Settings of numba may change what it compiles, and other systems have not been tried.
    """
    if any(name.startswith("NUMBA_") for name in os.environ) or Path(_SETTINGS).exists():
        return None
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return None
    import llvmlite  # type: ignore[import-untyped]  # it ships no types
    from llvmlite import binding

    maker = (
        sys.version,
        (_numba_home() / "_version.py").read_text(encoding="utf-8"),
        llvmlite.__version__,
        np.__version__,
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )
    return home / f"objects-{hashlib.sha256(repr(maker).encode()).hexdigest()[:20]}"


def _file(home: Path, kernel: Any, kind: Any) -> Path | None:
    """Where the machine code of a kernel for arguments of a type is kept, if anywhere."""
    folder = _folder(home)
    if folder is None:
        return None
    types = hashlib.sha256(_text(kind).encode()).hexdigest()[:20]
    return folder / f"{kernel.__module__}.{kernel.__name__}-{types}.o"


def _in_c(name: str) -> Any:
    """A module of numba that is written in C; numba itself is not imported."""
    if name not in sys.modules:
        file = _numba_home().joinpath(*name.split(".")[1:]).with_suffix(EXTENSION_SUFFIXES[0])
        spec = spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ImportError(name)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    return sys.modules[name]


class _Linker:
    """Makes object files callable in this process."""

    def __init__(self) -> None:
        from llvmlite import binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self.jit, self.library = binding.create_lljit_compiler(), binding.JITLibraryBuilder
        self.functions = _in_c("numba._dynfunc")
        helpers = {**_in_c("numba._helperlib").c_helpers, **self.functions.c_helpers}
        runtime = _in_c("numba.core.runtime._nrt_python").c_helpers
        # under the names by which numba's machine code asks for them
        self.symbols = {
            **{f"numba_{name}": address for name, address in helpers.items()},
            **{n if n[0] == "_" else f"NRT_{n}": address for n, address in runtime.items()},
            **{
                f"PyExc_{name}": id(one)
                for name, one in vars(builtins).items()
                if isinstance(one, type) and issubclass(one, BaseException)
            },
            "_Py_NoneStruct": id(None),
        }
        self.in_use: list[Any] = []
        """Neither machine code nor its environment may be given back."""

    def link(self, kernel: Any, names: dict[str, str], image: bytes) -> Code:
        """Link an object file in which symbols have the names that :func:`keep` wrote down."""
        builder = self.library().add_current_process().add_object_img(image)
        for name, address in self.symbols.items():
            builder.import_symbol(name, address)
        for name in names.values():
            builder.export_symbol(name)
        linked = builder.link(self.jit, f"{len(self.in_use)}")
        module = sys.modules[kernel.__module__]
        environment = self.functions.Environment(vars(module))
        self.in_use.append((linked, environment))
        ctypes.c_void_p.from_address(linked[names["environment"]]).value = id(environment)
        wrapper = linked[names["wrapper"]]
        call = self.functions.make_function(module, kernel.__name__, "", wrapper, environment, ())
        return Code(call, linked[names["function"]])


_linker = cache(_Linker)
_lock = threading.Lock()
_codes: dict[Any, Code | None] = {}
_kept: set[Any] = set()


def find(home: Path, kernel: Any, arguments: tuple[Any, ...]) -> Code | None:
    """Machine code of a kernel for arguments like these; ``None`` where none is kept.

    Parameters
    ----------
    home
        The cache folder.
    kernel
        Function of a module.
    arguments
        As it is called with.
    """
    try:
        key = kernel, _type_of(arguments)
    except _UnnamedTypeError:
        return None
    if key not in _codes:
        with _lock:
            if key not in _codes:
                _codes[key] = _load(home, *key)
    return _codes[key]


def _load(home: Path, kernel: Any, kind: Any) -> Code | None:
    try:
        file = _file(home, kernel, kind)
        if file is None or not file.exists():
            return None
        head, _, image = file.read_bytes().partition(b"\n")
        names = json.loads(head)
        if names.pop("sha256") != hashlib.sha256(image).hexdigest():
            raise ValueError(f"{file} is damaged")
        return _linker().link(kernel, names, image)
    except Exception as error:  # of whatever kind: the answer does not depend on it
        log.debug("kept machine code of %s is of no use: %r", kernel.__name__, error)
        return None


def keep(
    home: Path,
    kernel: Any,
    arguments: tuple[Any, ...],
    made: Callable[[], tuple[dict[str, str], bytes] | None],
) -> None:
    """Keep the machine code of a kernel for arguments like these: once in a process.

    Parameters
    ----------
    home, kernel, arguments
        As for :func:`find`.
    made
        Gives the names of its symbols and its object file, or ``None`` when it cannot be called
        without numba.
    """
    try:
        key = kernel, _type_of(arguments)
    except _UnnamedTypeError:
        return
    with _lock:
        if key in _kept:
            return
        _kept.add(key)
    try:
        file = _file(home, *key)
        found = None if file is None else made()
        if file is None or found is None:
            return
        names, image = found
        head = json.dumps({**names, "sha256": hashlib.sha256(image).hexdigest()})
        file.parent.mkdir(exist_ok=True)
        # whole or not at all: another process may read it at this moment
        draft = file.with_name(f"{file.name}-{os.getpid()}-{threading.get_ident()}")
        draft.write_bytes(head.encode() + b"\n" + image)
        draft.replace(file)
    except Exception as error:  # as above
        log.debug("machine code of %s is not kept: %r", kernel.__name__, error)
