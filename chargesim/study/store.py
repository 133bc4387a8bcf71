"""The store: a folder of results, whole at any moment; the only module that touches its files.

::

    DIR/_chargesim.json            that the folder is ours, and which study is the current one
    DIR/_lock                      held by the run that writes
    DIR/study-0123456789ab/        the current study: all that a reader without us would read
        _manifest.json             what the study is, and the checksum of each file
        job-000000-0123….parquet   one job, its name ends in the beginning of its checksum
    DIR/_study-ba9876543210/       what other studies left; readers of Parquet pass by what begins
                                   with an underscore

A file is written under another name, flushed, and renamed: it is there as a whole or not at all.
Files are never changed afterwards. What a file holds is a function of the study and the number of
the job, so it does not matter who wrote it, when, or how often.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from chargesim.errors import ChargesimError, InputError

SCHEMA = 1
"""Version of the store's form."""
_MARK, _LOCK, _MANIFEST = "_chargesim.json", "_lock", "_manifest.json"
_JOB = re.compile(r"job-(\d{6,})-([0-9a-f]{16})\.parquet")
_STUDY = re.compile(r"_?study-([0-9a-f]{12})")
_WAIT = 1.0
"""Seconds that a run waits for the lock: a look at the status holds it for a moment."""


class StoreError(ChargesimError):
    """A result could not be written; what was finished is kept."""

    exit_code = 3


class Shelf:
    """The files of one study in a store.

    Parameters
    ----------
    folder
        Its folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def hash(self) -> str:
        """The beginning of the study's hash."""
        return self.folder.name[-12:]

    def manifest(self) -> dict[str, Any]:
        """What the study is.

        Raises
        ------
        InputError
            When it is not there or damaged.
        """
        file = self.folder / _MANIFEST
        try:
            found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            if found["schema"] > SCHEMA:
                raise InputError(
                    f"{self.folder}: was written by a later chargesim, {found['chargesim']}: "
                    "update this one"
                )
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{file}: cannot be read: run the study on this folder again"
            ) from None
        return found

    def files(self) -> dict[int, Path]:
        """File of each finished job by the job's number, in their order; unchecked."""
        found = {}
        for file in self.folder.iterdir() if self.folder.is_dir() else ():
            name = _JOB.fullmatch(file.name)
            if name:
                found[int(name[1])] = file
        return dict(sorted(found.items()))

    def write(self, job: int, content: bytes) -> Path:
        """Keep the result of a job.

        Raises
        ------
        StoreError
            When it cannot be written, such as on a full disk.
        """
        file = self.folder / f"job-{job:06}-{_checksum(content)[:16]}.parquet"
        _write(file, content)
        return file

    def write_manifest(self, content: dict[str, Any]) -> None:
        """Write what the study is, where it says anything else so far.

        Raises
        ------
        StoreError
            When it cannot be written.
        """
        _write_json(self.folder / _MANIFEST, content)


class Store:
    """A folder of results.

    Parameters
    ----------
    folder
        Where it is, or is to be.

    Raises
    ------
    InputError
        When the folder holds something else.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._lock = FileLock(str(self.folder / _LOCK))
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{folder}: is a file: give a folder")
        try:
            held = [one.name for one in self.folder.iterdir()] if self.folder.exists() else []
        except OSError as error:
            raise InputError(f"{folder}: cannot be read ({error.strerror})") from None
        if held and _MARK not in held and set(held) - {_LOCK}:
            first = min(set(held) - {_LOCK})
            raise InputError(
                f"{folder}: holds something else ({first!r}): "
                "give the folder of a study, or a new or empty one"
            )

    @classmethod
    def existing(cls, folder: str | Path) -> Store:
        """A store that is there.

        Raises
        ------
        InputError
            When there is none.
        """
        if not Path(folder).is_dir():
            raise InputError(f"{folder}: there is no such folder: name one that a study was run in")
        store = cls(folder)
        if not (store.folder / _MARK).exists():
            raise InputError(f"{folder}: holds no study: run one with --out {folder}")
        return store

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the store, so that nobody else writes to it; the folder is made when there is none.

        The lock is the operating system's: it goes with the process, however that ends.

        Raises
        ------
        InputError
            When another run holds it, or the folder cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=_WAIT)
        except Timeout:
            raise InputError(
                f"{self.folder}: another run is writing to this folder: wait for it, look at it "
                f"with `chargesim sweep status {self.folder}`, or give another folder"
            ) from None
        except (OSError, NotImplementedError) as error:
            why = getattr(error, "strerror", None) or error
            raise InputError(
                f"{self.folder}: cannot be written to ({why}): give another folder"
            ) from None
        try:
            yield
        finally:
            self._lock.release()

    @property
    def is_busy(self) -> bool:
        """True while a run is writing to it."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return True
        except (OSError, NotImplementedError):
            return False  # not ours to write to, so nobody of us is running
        self._lock.release()
        return False

    @property
    def current(self) -> Shelf:
        """The current study.

        Raises
        ------
        InputError
            When there is none.
        """
        try:
            name = json.loads((self.folder / _MARK).read_text(encoding="utf-8"))["current"]
        except (OSError, ValueError, KeyError, TypeError):
            name = None
        # between two steps of a change it may bear its other name
        for folder in (f"study-{name}", f"_study-{name}"):
            if (self.folder / folder).is_dir():
                return Shelf(self.folder / folder)
        raise InputError(f"{self.folder}: holds no study: run one with --out {self.folder}")

    @property
    def others(self) -> list[Shelf]:
        """What other studies left, by name."""
        current = self.current.hash
        return [
            Shelf(one)
            for one in sorted(self.folder.iterdir())
            if one.is_dir() and _STUDY.fullmatch(one.name) and one.name[-12:] != current
        ]

    def turn_to(self, study: str) -> Shelf:
        """Make a study the current one; to be called while the store is locked.

        Parameters
        ----------
        study
            Its hash; what was there under another one is kept beside it.

        Raises
        ------
        InputError
            When the folder cannot be written to.
        """
        name = study[:12]
        folder = self.folder / f"study-{name}"
        try:
            _write_json(self.folder / _MARK, {"schema": SCHEMA, "current": name})
            for one in sorted(self.folder.iterdir()):
                is_open = _STUDY.fullmatch(one.name) and not one.name.startswith("_")
                if is_open and one.is_dir() and one != folder:
                    one.rename(one.with_name(f"_{one.name}"))
            hidden = folder.with_name(f"_{folder.name}")
            if hidden.is_dir():
                hidden.rename(folder)
            folder.mkdir(exist_ok=True)
            for draft in folder.glob(".*.draft"):  # what a run that was killed left
                draft.unlink()
        except (OSError, StoreError) as error:
            why = getattr(error, "strerror", None) or error
            raise InputError(
                f"{self.folder}: cannot be written to ({why}): give another folder"
            ) from None
        return Shelf(folder)


def shelf_at(folder: str | Path) -> Shelf | None:
    """The study whose own folder this is, ``None`` where it is not one."""
    path = Path(folder)
    is_one = _STUDY.fullmatch(path.name) is not None and (path / _MANIFEST).exists()
    return Shelf(path) if is_one else None


def is_sound(file: Path, checksum: str | None = None) -> bool:
    """True for a file of a job that is as it was written.

    Parameters
    ----------
    file
        One of :meth:`Shelf.files`.
    checksum
        The whole of it, where it is known; the name holds its beginning.
    """
    try:
        with file.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return False
    name = _JOB.fullmatch(file.name)
    return name is not None and found.startswith(name[2]) and checksum in (None, found)


def checksum_of(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def remove(file: Path) -> None:
    """Take away a damaged file; one that is gone already is no matter."""
    with suppress(FileNotFoundError):
        file.unlink()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write_json(file: Path, content: dict[str, Any]) -> None:
    data = (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
    with suppress(OSError):
        if file.read_bytes() == data:
            return
    _write(file, data)


def _write(file: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole, or as it was, whatever happens."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        with draft.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
        _flush_folder(file.parent)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise StoreError(
            f"{file}: cannot be written ({error.strerror}): what is finished is kept; when that is "
            "mended, run the same command again"
        ) from None


def _flush_folder(folder: Path) -> None:
    """Put a renaming on the disk, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
