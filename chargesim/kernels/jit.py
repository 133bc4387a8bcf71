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
import threading
import tokenize
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs

from chargesim.kernels import kept
from chargesim.kernels.process import is_own_process

_PACKAGE = Path(__file__).resolve().parent.parent
_Function = TypeVar("_Function", bound=Callable[..., Any])
_SHA256 = re.compile("[0-9a-f]{64}")
_lock = threading.Lock()
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


@cache
def rules_hash(ruleset: str) -> str:
    """Hash of one ruleset's rule text and the shared primitives, comments apart.

    It is kept in the cache folder, whose name follows the same sources: taking the comments out of
    them costs more than an exact answer.
    """
    home = cache_folder()
    if home is None:
        return _reckon_rules_hash(ruleset)
    kept = home / f"rules_hash-{ruleset}"
    with suppress(OSError):
        found = kept.read_text(encoding="ascii", errors="replace")
        if _SHA256.fullmatch(found):
            return found
    found = _reckon_rules_hash(ruleset)
    with suppress(OSError):
        # whole or not at all: another process may read it at this moment
        draft = kept.with_name(f"{kept.name}-{os.getpid()}")
        draft.write_text(found, encoding="ascii")
        draft.replace(kept)
    return found


def _reckon_rules_hash(ruleset: str) -> str:
    folder = _PACKAGE / "rulesets" / ruleset
    files = [*sorted((_PACKAGE / "kernels").glob("*.py")), folder / "state.py"]
    files += sorted(folder.glob("rules*.py"))
    return text_hash(files, comments=False)


def _is_off() -> bool:
    """Whether numba's JIT is off: then kernels are the plain functions that they are written as."""
    numba = sys.modules.get("numba")
    if numba is not None:
        return bool(numba.config.DISABLE_JIT)
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class Kernel:
    """A kernel that is compiled, or loaded, when it is first called from Python or by another.

    There are hundreds of them, and most commands call a few.

    Parameters
    ----------
    function
        Plain Python function of a module.
    options
        Of numba's ``njit``, beside those that all have.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        # under numba's names: its inlining looks for them
        self.py_func, self.targetoptions = function, options
        self._dispatcher: Any = None
        self._call = self._find_out

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        return self._call(*arguments)

    def _find_out(self, *arguments: Any) -> Any:
        """Call it without numba where that can be, and by numba from then on where it cannot."""
        code = self.kept(arguments)
        if code is not None:
            return code.call(*arguments)
        self._call = self.dispatcher
        found = self.dispatcher(*arguments)
        self.keep(arguments)
        return found

    def kept(self, arguments: tuple[Any, ...]) -> kept.Code | None:
        """Its kept machine code for arguments like these."""
        home = cache_folder() if is_own_process() else None
        return None if home is None else kept.find(home, self, arguments)

    def keep(self, arguments: tuple[Any, ...]) -> None:
        """Keep what numba compiled for arguments like these, for processes of our own."""
        home = cache_folder() if is_own_process() else None
        if home is not None:
            from chargesim.kernels.compiling import object_file

            kept.keep(home, self, arguments, lambda: object_file(self.dispatcher, arguments))

    @property
    def dispatcher(self) -> Any:
        """What numba makes of it."""
        if self._dispatcher is None:
            from chargesim.kernels.compiling import compiled

            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = compiled(self.py_func, **self.targetoptions)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """Its type for numba, which finds it so among the globals of another kernel."""
        from chargesim.kernels.compiling import typeof

        return typeof(self.dispatcher)


def kernel(function: _Function) -> _Function:
    """Compile a module-level function: nopython, without the GIL, cached on disk.

    Typed as the identity, so that callers see the plain Python signature.
    """
    return function if _is_off() else cast(_Function, Kernel(function))


def tiny(function: _Function) -> _Function:
    """As :func:`kernel`, for one-line helpers: their text is put in where they are called.

    A kernel is compiled anew for each combination of argument types, at about 0.1 s each; what is
    called with every kind of integer would be most of the compile time.
    """
    return function if _is_off() else cast(_Function, Kernel(function, inline="always"))


SCRATCH = (4, 32)
"""Shape of :func:`scratch`."""


def scratch() -> Any:
    """Words of 64 bits, shape ``SCRATCH``, unset, on the stack of the kernel that asks.

    Other arrays might overlap for all the compiler knows, so it reads and writes them one word at a
    time. What is on the stack it can keep side by side in registers.
    """
    return np.empty(SCRATCH, np.uint64)


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
    if not isinstance(step, Kernel):
        return loop
    key = (loop, step)
    if key not in _specialised:
        from chargesim.kernels.compiling import compiled_loop

        compiled = compiled_loop(loop, arguments)
        _specialised[key] = lambda step, *given: compiled(step.dispatcher, *given)
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
    if not isinstance(step, Kernel):
        return step
    code = step.kept((game, dice))
    if code is not None:
        return code.address
    from chargesim.kernels.compiling import address

    found = address(step.dispatcher, (game, dice))
    step.keep((game, dice))
    return found


def call_step(step: Any, game: Any, dice: Any) -> None:
    """Take a step whose address is given."""
    step(game, dice)
