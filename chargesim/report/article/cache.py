"""Answers kept between builds: one file an answer, named by a hash of its question.

An entry begins with the SHA-256 of the rest. One that does not match, or does not say which
question it answers, is thrown away and the question is answered again.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import chargesim
from chargesim.engine.tally import Tally
from chargesim.kernels.jit import text_hash
from chargesim.report.result import Result
from chargesim.scenario import Scenario

_PACKAGE = Path(chargesim.__file__).parent
_CODE = ("engine", "report", "report/article")


@cache
def code_hash() -> str:
    """Hash of what turns rules and questions into answers and pictures, comments included."""
    files = [file for folder in _CODE for file in sorted((_PACKAGE / folder).glob("*.py"))]
    return text_hash([_PACKAGE / "scenario.py", *files])


class Cache:
    """A folder of answers.

    Parameters
    ----------
    folder
        Made on first use; nothing is kept where it is ``None``.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.computed = self.reused = self.redone = 0
        self._answers: dict[str, Any] = {}

    def ask(self, question: dict[str, Any], answer: Callable[[], Any]) -> Any:
        """The kept answer to a question, else a new one, which is kept.

        Parameters
        ----------
        question
            Everything the answer depends on but the code, as plain data.
        answer
            Gives it anew, as plain data.
        """
        text = json.dumps({**question, "code": code_hash()}, sort_keys=True, ensure_ascii=False)
        name = hashlib.sha256(text.encode()).hexdigest()
        if name in self._answers:
            return self._answers[name]
        found = self._read(name, text)
        if found is not None:
            self.reused += 1
            self._answers[name] = found["answer"]
            return found["answer"]
        # what is read back is what was written, so that a warm build shows what a cold one did
        content = json.dumps({"question": text, "answer": answer()}).encode()
        self.computed += 1
        self._write(name, content)
        self._answers[name] = json.loads(content)["answer"]
        return self._answers[name]

    def tidy(self) -> None:
        """Throw away what this build did not ask for."""
        for file in self._files():
            if file.name not in self._answers:
                with suppress(OSError):
                    file.unlink()

    def _files(self) -> list[Path]:
        if self.folder is None or not self.folder.is_dir():
            return []
        return [file for file in self.folder.iterdir() if file.is_file()]

    def _read(self, name: str, text: str) -> dict[str, Any] | None:
        if self.folder is None:
            return None
        try:
            check, _, content = (self.folder / name).read_bytes().partition(b"\n")
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest().encode() == check:
            with suppress(ValueError):
                found: dict[str, Any] = json.loads(content)
                if found.get("question") == text and "answer" in found:
                    return found
        self.redone += 1
        return None

    def _write(self, name: str, content: bytes) -> None:
        if self.folder is None:
            return
        check = hashlib.sha256(content).hexdigest().encode()
        with suppress(OSError):  # a build without a memory is slow, not wrong
            self.folder.mkdir(parents=True, exist_ok=True)
            # whole or not at all: the build may be interrupted at this moment
            draft = self.folder / f"{name}-{os.getpid()}"
            draft.write_bytes(check + b"\n" + content)
            draft.replace(self.folder / name)


def pack(result: Result) -> dict[str, Any]:
    """A result as plain data: its end states, and the choices that were made.

    Parameters
    ----------
    result
        A solved scenario.
    """
    played = result.played
    return {
        "tables": None if played is result.scenario else tables_of(played),
        "alternatives": result.alternatives,
        "tallies": [_pack_tally(tally) for tally in result.tallies],
    }


def unpack(scenario: Scenario, packed: dict[str, Any]) -> Result:
    """The result of a scenario from :func:`pack`, also under other names of its units.

    Parameters
    ----------
    scenario
        The question; its units may be called otherwise.
    packed
        What was kept.

    Raises
    ------
    ValueError
        When the end states do not fit the scenario.
    """
    played = scenario
    if packed["tables"] is not None:
        before = Scenario(scenario.source, scenario.base, **packed["tables"])
        pairs = zip(before.unit_names, scenario.unit_names, strict=True)
        played = renamed(before, {old: new for old, new in pairs if old != new})
    kept = packed["tallies"]
    holders = _holders(played, [one["words"] for one in kept])
    tallies = [_unpack_tally(one, of) for one, of in zip(kept, holders, strict=True)]
    return Result(scenario, tallies, packed["alternatives"], played=played)


def called(result: Result, names: dict[str, str]) -> Result:
    """The same result with units called otherwise.

    Parameters
    ----------
    result
        A solved scenario.
    names
        New names by old ones.
    """
    if not names:
        return result
    scenario, played = renamed(result.scenario, names), renamed(result.played, names)
    holders = _holders(played, [tally.states.shape[1] for tally in result.tallies])
    tallies = [replace(one, of=of) for one, of in zip(result.tallies, holders, strict=True)]
    other = [{**one, "unit": names.get(one["unit"], one["unit"])} for one in result.alternatives]
    return Result(scenario, tallies, other, played=played)


def _holders(scenario: Scenario, words: list[int]) -> list[Any]:
    """What tallies with so many words a state are of: parts, or where too large their pieces."""
    holders: list[Any] = []
    for part in scenario.parts:
        whole = len(holders) < len(words) and words[len(holders)] == part.live.size
        holders += [part] if whole else part.pieces
    return holders


def tables_of(scenario: Scenario) -> dict[str, Any]:
    """The tables of a scenario with its included units written out, as plain data."""
    tables: dict[str, Any] = json.loads(json.dumps(scenario.whole_tables))
    return tables


def renamed(scenario: Scenario, names: dict[str, str]) -> Scenario:
    """The same scenario with units called otherwise, wherever their names stand.

    Parameters
    ----------
    scenario
        A question.
    names
        New names by old ones.
    """
    if not names:
        return scenario
    tables = tables_of(scenario)
    tables.pop("goal", None)  # names units in expressions; only choices that are open ask for it

    def walk(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            as_names = key in ("unit", "reaction")
            return {
                (names.get(k, k) if as_names else k): walk(inner, key if key == "give" else k)
                for k, inner in value.items()
            }
        if isinstance(value, list):
            return [walk(inner, key) for inner in value]
        named = isinstance(value, str) and key in _NAMED
        return names.get(value, value) if named else value

    return Scenario(scenario.source, scenario.base, **walk(tables, ""))


_NAMED = ("charger", "target", "targets", "unit", "at", "blocked_by", "engaged", "give")
"""Keys of scenario files whose values are names of units."""


def _pack_tally(tally: Tally) -> dict[str, Any]:
    stream = io.BytesIO()
    np.savez_compressed(stream, states=tally.states, weights=tally.weights)
    return {
        "engine": tally.engine,
        "trials": tally.trials,
        "seed": tally.seed,
        "words": int(tally.states.shape[1]),
        "arrays": base64.b64encode(stream.getvalue()).decode(),
    }


def _unpack_tally(packed: dict[str, Any], of: Any) -> Tally:
    with np.load(io.BytesIO(base64.b64decode(packed["arrays"])), allow_pickle=False) as arrays:
        states, weights = arrays["states"], arrays["weights"]
    if states.shape[1:] != (of.live.size,):
        raise ValueError("end states of another scenario")
    return Tally(packed["engine"], states, weights, packed["trials"], packed["seed"], of=of)
