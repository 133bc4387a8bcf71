"""Steps of a plan over rows of trials: no branches and no look-ups, so that many go at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from chargesim.kernels.jit import kernel, tiny

WIDE = 4
"""Thresholds that a row of heads is compared with at one time."""


@kernel
def draw_one(heads: Any, codes: Any, edge: Any, worth: Any, doubt: Any) -> None:
    """Add a digit of two values to codes: what :func:`draw_wide` does, for one threshold."""
    zero = np.uint16(0)
    for i in range(codes.size):
        head = heads[i]
        more = np.uint16(codes[i] + (worth if head >= edge else zero))
        codes[i] = np.uint16(more | (doubt if head == edge else zero))


@kernel
def draw_wide(heads: Any, codes: Any, edges: Any, worth: Any, doubt: Any) -> None:
    """Draw for all trials at a place, by comparing with thresholds.

    Parameters
    ----------
    heads
        Of the trials at that place, uint16.
    codes
        Of the trials, uint16; changed.
    edges, worth
        Heads from which on a code grows, and by how much, uint16, shape (WIDE,).
    doubt
        Bit that is set where a head does not settle it.
    """
    zero = np.uint16(0)
    e0, e1, e2, e3 = edges[0], edges[1], edges[2], edges[3]
    w0, w1, w2, w3 = worth[0], worth[1], worth[2], worth[3]
    for i in range(codes.size):
        head = heads[i]
        low = np.uint16((w0 if head >= e0 else zero) + (w1 if head >= e1 else zero))
        high = np.uint16((w2 if head >= e2 else zero) + (w3 if head >= e3 else zero))
        apart = min(min(head ^ e0, head ^ e1), min(head ^ e2, head ^ e3))
        more = np.uint16(codes[i] + np.uint16(low + high))
        codes[i] = np.uint16(more | (doubt if apart == zero else zero))


@kernel
def numbers_of(bands: Any, column: int) -> tuple[Any, Any, Any, Any]:
    """One number of each band; apart from the array, they stay in registers."""
    return (
        np.uint16(bands[0, column]),
        np.uint16(bands[1, column]),
        np.uint16(bands[2, column]),
        np.uint16(bands[3, column]),
    )


@tiny
def cell_in_band(head: Any, code: Any, shift: Any, step: Any, first: Any) -> Any:
    """Cell of a code's head in a band; a shift that might be above 15 would take wider numbers."""
    return np.uint16(
        np.uint16(head >> (shift & np.uint16(15))) + np.uint16(np.uint16(code * step) + first)
    )


@kernel
def reckon_cells(
    rows: Any,
    codes: Any,
    begins: Any,
    shifts: Any,
    steps: Any,
    firsts: Any,
    untold: Any,
    inside: Any,
) -> None:
    """Reckon the cell of each trial, from the last band that begins at its code or before.

    Parameters
    ----------
    rows
        Heads of the trials in the row of each band, uint16.
    codes
        Of the trials.
    begins, shifts, steps, firsts
        Numbers of the bands.
    untold
        The first code that cannot be trusted, and the cell of all those.
    inside
        Numbers of the cells, as long as the codes.
    """
    h0, h1, h2, h3 = rows
    doubt, walk = untold
    for i in range(codes.size):
        code = codes[i]
        # every row is read: what hangs on a condition would be read one by one
        a, b, c, d = h0[i], h1[i], h2[i], h3[i]
        x = cell_in_band(a, code, shifts[0], steps[0], firsts[0])
        y = cell_in_band(b, code, shifts[1], steps[1], firsts[1])
        x = np.uint16(y if code >= begins[1] else x)
        y = cell_in_band(c, code, shifts[2], steps[2], firsts[2])
        x = np.uint16(y if code >= begins[2] else x)
        y = cell_in_band(d, code, shifts[3], steps[3], firsts[3])
        x = np.uint16(y if code >= begins[3] else x)
        inside[i] = np.uint16(walk if code >= doubt else x)
