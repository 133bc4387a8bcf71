"""Standard output that takes every text, and says in one message when it takes none.

Tables have bars and rules in them and Spanish has accents: where output goes to a place of another
encoding than UTF-8 (a file, on Windows; a terminal of an old locale), what it lacks is written as
what comes nearest. What programs read is UTF-8 everywhere.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from errno import EBADF

NEAREST = {
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", ""),
    **dict.fromkeys("─−–—", "-"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("‘’", "'"),
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "◀": "<",
    "×": "x",
    "·": "*",
    "…": "...",
}
"""What stands for a character that an encoding lacks; of letters, the letter without its accent."""


def _near(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded, as :func:`codecs.register_error` asks for it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(NEAREST.get(one, _bare(one)) for one in lacking), error.end


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


def prepare() -> None:
    """Let standard output take every text; a closed standard error swallows what it is told."""
    codecs.register_error("nearest", _near)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="nearest")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # as long as the process


def use_utf8() -> None:
    """Write UTF-8 from here on, whatever the locale: to files and pipes, not to terminals."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and not out.isatty():
        out.reconfigure(encoding="utf-8")


def print_text(text: str) -> None:
    """Print a text, ended by a line end.

    Raises
    ------
    OSError
        When standard output is closed or full; BrokenPipeError when its reader has gone.
    """
    if sys.stdout is None:
        raise OSError(EBADF, "it is closed")
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    finish()


def finish() -> None:
    """Write out what was printed, help by the parser included; errors as of :func:`print_text`."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon() -> None:
    """Send the rest of standard output to nowhere: Python must not fail on it at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
