"""Designs: which combinations of the levels of its axes a study looks at, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from chargesim.study.axes import Axis

DESIGNS = ("grid", "zip", "lhs")
"""All combinations; level by level side by side; a Latin hypercube."""


class Design:
    """Points of a study, numbered from 0; they are made when asked for, never all at once.

    Parameters
    ----------
    kind
        One of :data:`DESIGNS`. ``grid``: every combination, the last axis turns fastest; ``zip``:
        the first levels of all axes, then the second, and so on; ``lhs``: ``points`` points, each
        axis cut into as many strata of equal size and each stratum met once.
    axes
        At least one; for ``zip`` all of one length.
    points
        Points of a Latin hypercube.
    seed
        Seed of a Latin hypercube, 0 to 2**64 - 1.
    """

    def __init__(
        self, kind: str, axes: Sequence[Axis], points: int | None = None, seed: int = 0
    ) -> None:
        self.kind, self.axes, self.seed = kind, tuple(axes), seed
        self.lengths = tuple(len(axis.values) for axis in axes)
        if kind == "grid":
            self.count = prod(self.lengths)
        elif kind == "zip":
            self.count = self.lengths[0]
        else:
            self.count = int(points or 0)

    def levels(self, first: int, stop: int) -> np.ndarray[Any, Any]:
        """Levels of the points first to stop - 1, int64, shape (points, axes)."""
        if self.kind == "lhs":
            return self._cube[first:stop]
        numbers = np.arange(first, stop)
        if self.kind == "zip":
            return np.repeat(numbers[:, None], len(self.axes), axis=1)
        found = np.empty((len(numbers), len(self.axes)), np.int64)
        for place in range(len(self.axes) - 1, -1, -1):
            numbers, found[:, place] = np.divmod(numbers, self.lengths[place])
        return found

    def rows(self, first: int, stop: int) -> list[tuple[Any, ...]]:
        """Values of the points first to stop - 1."""
        values = [axis.values for axis in self.axes]
        return [
            tuple(own[level] for own, level in zip(values, row, strict=True))
            for row in self.levels(first, stop).tolist()
        ]

    def spread(self, many: int) -> Iterator[int]:
        """Numbers of at most so many points, each once, evenly spread over all."""
        many = min(many, self.count)
        return (place * self.count // many for place in range(many))

    def number_of(self, row: Sequence[Any]) -> int | None:
        """Number of the point with these values, ``None`` when there is none."""
        try:
            levels = [own[_key(value)] for own, value in zip(self._places, row, strict=True)]
        except KeyError:
            return None
        if self.kind == "grid":
            number = 0
            for length, level in zip(self.lengths, levels, strict=True):
                number = number * length + level
            return number
        if self.kind == "zip":
            return levels[0] if len(set(levels)) == 1 else None
        return self._numbers.get(tuple(levels))

    @cached_property
    def _places(self) -> list[dict[str, int]]:
        return [{_key(v): level for level, v in enumerate(axis.values)} for axis in self.axes]

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {tuple(row): number for number, row in enumerate(self._cube.tolist())}

    @cached_property
    def _cube(self) -> np.ndarray[Any, Any]:
        from scipy.stats import qmc  # slow to import, needed by this design alone

        cube = qmc.LatinHypercube(len(self.axes), rng=np.random.default_rng(self.seed))
        lengths = np.array(self.lengths)
        # below the last level where rounding gives a 1
        levels: np.ndarray[Any, Any] = np.minimum(cube.random(self.count) * lengths, lengths - 1)
        return levels.astype(np.int64)


def _key(value: Any) -> str:
    """A value as a key: 7 and 7.0 are one level, 1 and true are two."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(float(value))
    return repr(value)
