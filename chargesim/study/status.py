"""How far a study is, from what its folder holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chargesim.errors import InputError
from chargesim.study.sheets import read_sheet, said_in
from chargesim.study.store import Shelf, Store, is_sound

SHOWN = 20
"""Points that failed, of which a status tells."""


@dataclass(frozen=True)
class Failure:
    """A point that could not be answered.

    Parameters
    ----------
    point
        Its number.
    values
        By path.
    error
        Why.
    """

    point: int
    values: dict[str, Any]
    error: str


@dataclass(frozen=True)
class Status:
    """How far a study is.

    Parameters
    ----------
    folder
        Of the store.
    shelf
        Of the study.
    manifest
        What the study is.
    jobs, points
        Finished.
    failed, exact
        Points that could not be answered, and that are exact.
    trials
        Played for all points together.
    bytes
        Of its files.
    damaged
        Names of files that are not as they were written.
    failures
        The first of the failed points.
    is_busy
        True while a run is writing.
    others
        Manifests of the studies that were run in the folder before.
    """

    folder: Path
    shelf: Path
    manifest: dict[str, Any]
    jobs: int
    points: int
    failed: int
    exact: int
    trials: int
    bytes: int
    damaged: tuple[str, ...]
    failures: tuple[Failure, ...]
    is_busy: bool
    others: tuple[dict[str, Any], ...]

    @property
    def is_complete(self) -> bool:
        """True when every job is finished."""
        return self.jobs == int(self.manifest["jobs"])

    @property
    def exit_code(self) -> int:
        """0 when every point is answered, else 3."""
        return 0 if self.is_complete and not self.failed else 3

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        left_out = ("is_complete", "files", "scenario", "jobs", "points")
        return {
            **{key: value for key, value in self.manifest.items() if key not in left_out},
            "folder": str(self.folder),
            "is_complete": self.is_complete,
            "is_running": self.is_busy,
            "jobs": {"all": self.manifest["jobs"], "done": self.jobs},
            "points": {
                "all": self.manifest["points"],
                "done": self.points,
                "failed": self.failed,
                "exact": self.exact,
            },
            "trials_played": self.trials,
            "bytes": self.bytes,
            "damaged": list(self.damaged),
            "failures": [
                {"point": one.point, "values": one.values, "error": one.error}
                for one in self.failures
            ],
            "others": [
                {key: other[key] for key in ("title", "hash", "points", "is_complete")}
                for other in self.others
            ],
        }


def status(out: str | Path) -> Status:
    """How far the study in a folder is; it may be running.

    Raises
    ------
    InputError
        When the folder holds no study.
    """
    store = Store.existing(out)
    shelf = store.current
    manifest = shelf.manifest()
    sound, damaged = sound_files(shelf)
    said = {job: said_in(file) for job, file in sound.items()}
    total = {
        what: sum(one[what] for one in said.values())
        for what in ("points", "failed", "exact", "trials")
    }
    paths = [axis["path"] for axis in manifest["axes"]]
    failing = (sound[job] for job, one in said.items() if one["failed"])
    return Status(
        folder=store.folder,
        shelf=shelf.folder,
        manifest=manifest,
        jobs=len(sound),
        **total,
        bytes=sum(file.stat().st_size for file in sound.values()),
        damaged=tuple(file.name for file in damaged),
        failures=tuple(_failures(failing, paths)),
        is_busy=store.is_busy,
        others=tuple(_manifests(store)),
    )


def _manifests(store: Store) -> Iterator[dict[str, Any]]:
    """What the other studies of a store are, as far as they can say it."""
    for other in store.others:
        with suppress(InputError):
            if other.files():
                yield other.manifest()


def _failures(files: Iterator[Path], paths: list[str]) -> list[Failure]:
    found: list[Failure] = []
    for file in files:
        if len(found) >= SHOWN:
            break
        table = read_sheet(file)
        columns = {name: table.column(name).to_pylist() for name in ("point", *paths, "error")}
        for place, error in enumerate(columns["error"]):
            if error is not None:
                values = {path: columns[path][place] for path in paths}
                found.append(Failure(columns["point"][place], values, error))
    return found[:SHOWN]


def sound_files(shelf: Shelf) -> tuple[dict[int, Path], list[Path]]:
    """Files of finished jobs that are as they were written, by job; those that are not."""
    known: dict[str, str] = {}
    with suppress(InputError, KeyError, TypeError):
        # where it is not there it is written anew, and the files' names hold their checksums too
        known = {one["name"]: one["sha256"] for one in shelf.manifest()["files"]}
    sound: dict[int, Path] = {}
    damaged: list[Path] = []
    for job, file in shelf.files().items():
        if is_sound(file, known.get(file.name)):
            sound[job] = file
        else:
            damaged.append(file)
    return sound, damaged
