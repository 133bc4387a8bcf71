"""One file of a study's results, for whatever reads CSV or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from chargesim.errors import InputError
from chargesim.study.reading import Reader
from chargesim.study.sheets import write_all
from chargesim.study.store import StoreError

ENDINGS = (".csv", ".parquet")


def export(
    folder: str | Path,
    file: str | Path,
    values: Sequence[str] | None = None,
    *,
    intervals: bool = False,
    tidy: bool = False,
) -> int:
    """Write the results of a study to one file.

    Parameters
    ----------
    folder
        Of the results.
    file
        Its ending, .csv or .parquet, says how; it is replaced when it is there.
    values, intervals, tidy
        As for :func:`chargesim.read_study`.

    Returns
    -------
    int
        How many rows were written.

    Raises
    ------
    InputError
        When the file has another ending or no folder, or the study cannot be read.
    chargesim.study.store.StoreError
        When it cannot be written; what was there before is left as it was.
    """
    path = Path(file)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"export: {str(file)!r} cannot be written: end it in .csv or .parquet")
    if not path.parent.is_dir():
        raise InputError(f"export: {str(file)!r}: no folder {str(path.parent)!r}: make it first")
    reader = Reader(folder)
    if not reader.files:
        raise InputError(f"export: {folder}: no point is finished yet: run the study")
    tables = reader.sheets() if tidy else reader.rows(values, intervals=intervals)
    draft = path.with_name(f".{path.name}.draft{path.suffix.lower()}")
    try:
        rows = write_all(tables, draft)
        draft.replace(path)
    except OSError as error:
        raise StoreError(f"export: {file}: cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):
            draft.unlink()
    return rows
