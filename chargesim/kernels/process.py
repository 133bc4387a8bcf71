"""Whose process this is: the command's, or that of a program that uses the package.

Apart from all else, so that the command can say it before anything is imported.
"""

from __future__ import annotations

_own = False


def own_process() -> None:
    """Say that this process runs the kernels of this package and no other numba code.

    Then kernels whose machine code is kept are called without numba (:mod:`.kept`), and where numba
    is needed its array functions are loaded without BLAS (:mod:`.compiling`).
    """
    global _own
    _own = True


def is_own_process() -> bool:
    """Whether :func:`own_process` was called."""
    return _own
