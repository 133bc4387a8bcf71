"""Columns of numbers and words, made of their bytes, and made into arrays again.

pyarrow itself would do, but it imports pandas first, which takes longer than many a study.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

WORD = pa.dictionary(pa.int32(), pa.string())


def numbers(values: np.ndarray[Any, Any], valid: np.ndarray[Any, Any] | None = None) -> Any:
    """A column of numbers.

    Parameters
    ----------
    values
        One-dimensional, of numbers or truth values.
    valid
        True where there is one, boolean; by default everywhere.
    """
    kind = pa.from_numpy_dtype(values.dtype)
    data = _bits(values) if values.dtype == bool else pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(kind, len(values), [_bits(valid), data])


def _bits(values: np.ndarray[Any, Any] | None) -> Any:
    if values is None:
        return None
    return pa.py_buffer(np.packbits(values, bitorder="little"))


def texts(given: Sequence[str | None]) -> Any:
    """A column of texts; an empty one is nothing."""
    coded = [(text or "").encode() for text in given]
    lengths = np.array([len(one) for one in coded], np.int32)
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    buffers = [_bits(lengths > 0), pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.string(), len(coded), buffers)


def words(given: Iterable[str]) -> Any:
    """A column of texts, each held once; an empty one is nothing."""
    return texts(list(given)).dictionary_encode().cast(WORD)


def array_of(column: Any, absent: float = 0) -> np.ndarray[Any, Any]:
    """Numbers of a column as an array, with ``absent`` where there is none."""
    whole = _whole(column)
    kind = whole.type.to_pandas_dtype()
    values = np.frombuffer(whole.buffers()[1], kind)[whole.offset : whole.offset + len(whole)]
    return np.where(is_there(whole), values, kind(absent)) if whole.null_count else values


def is_there(column: Any) -> np.ndarray[Any, Any]:
    """Where a column has a value, boolean."""
    whole = _whole(column)
    bits = whole.buffers()[0]
    if bits is None:
        return np.ones(len(whole), bool)
    every = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")
    found: np.ndarray[Any, Any] = every[whole.offset : whole.offset + len(whole)].astype(bool)
    return found


def _whole(column: Any) -> Any:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
