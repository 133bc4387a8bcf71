"""Scenarios: from a TOML file or a dictionary to a validated model and its game record."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from chargesim import rulesets
from chargesim.errors import InputError
from chargesim.faults import Fault, ScenarioError, describe, nearest, shown
from chargesim.models import Known, independent, known_keys, wanted
from chargesim.parts import Part
from chargesim.paths import fresh, paths_below, set_at
from chargesim.variants import Mixer, code_of, is_inside

MOST_BYTES = 1_000_000
"""A scenario file larger than this is refused unread."""
_UNSEEN = object()
MOST_FRAMES = 256
"""Combinations of values outside of units and charges that are held at one time."""


class Scenario:
    """A question: units, charges, reactions and switches of one ruleset.

    Parameters
    ----------
    source
        Where it came from, for messages.
    base
        Folder that ``include`` is relative to.
    **tables
        The tables and keys of a scenario file.

    Raises
    ------
    ScenarioError
        With every fault that was found, each with its path.
    """

    _origin: tuple[Scenario, dict[str, Any]]
    """Of a variant: the scenario that it is of, and what was changed."""

    def __init__(self, source: str = "scenario", base: str | Path = ".", **tables: Any) -> None:
        self._given = fresh(tables)
        self._read(source, Path(base), tables, None)

    def _read(self, source: str, base: Path, tables: dict[str, Any], known: Known | None) -> None:
        """Read the tables; of what is known already, only what fits together is looked at again."""
        self.source, self.base = source, base
        faults: list[Fault] = []
        tables = _include(tables, self.base, source, faults)
        self._tables = tables
        name = tables.get("ruleset")
        if name not in rulesets.NAMES:
            what = "is missing" if name is None else f"there is no ruleset {shown(name)}"
            names = ", ".join(rulesets.NAMES)
            raise ScenarioError(source, [*faults, Fault("ruleset", f"{what}: one of {names}")])
        self.ruleset = rulesets.get(name)
        tables, found = self.ruleset.prepare(tables, self.base)
        faults += found
        try:
            self.model = self.ruleset.model.model_validate(
                tables if known is None else known.put_in(self.ruleset.model, tables)
            )
        except ValidationError as error:
            model = self.ruleset.model
            told = {fault.path for fault in faults}
            places = [entry["loc"] for entry in error.errors()]
            for entry in error.errors():
                way = entry["loc"]
                if entry["type"] == "too_short" and any(way == p[: len(way)] != p for p in places):
                    continue  # only for want of those that are told
                fault = describe(entry, partial(known_keys, model), partial(wanted, model))
                if fault.path not in told:
                    faults.append(fault)
            faults += independent(model, tables, error, self.ruleset.check)
        else:
            faults += self.ruleset.check(self.model)
        if faults:
            raise ScenarioError(source, faults)

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tables and keys that it was made of, a copy."""
        copy: dict[str, Any] = fresh(self._given)
        return copy

    @property
    def title(self) -> str:
        """Its title, or the name of its file."""
        return str(self.model.title or Path(self.source).stem)

    @cached_property
    def parts(self) -> list[Part]:
        """Its units divided into parts that cannot influence each other."""
        return [Part(self.ruleset, part) for part in self.ruleset.setup(self.model)]

    @cached_property
    def whole(self) -> Part:
        """All of it as one game."""
        return Part(self.ruleset, self.ruleset.setup(self.model, apart=False)[0])

    @property
    def unit_names(self) -> tuple[str, ...]:
        """Names of the units, in the order of the file."""
        parts = self.parts
        return parts[0].units if len(parts) == 1 else self.whole.units

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the validated model with its defaults, keys sorted, without the title."""
        content = self.model.model_dump(mode="json")
        content.pop("title", None)
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def choices(self) -> list[rulesets.Choice]:
        """Choices that it leaves open, in the order in which they are made."""
        return self.ruleset.choices(self.model)

    def caveat(self, lang: str) -> str:
        """What must be said wherever numbers of it are shown; mostly nothing."""
        return "" if self.ruleset.caveat is None else self.ruleset.caveat(self.model, lang)

    @property
    def switches(self) -> dict[str, Any]:
        """Switches and their values, as printed with a result."""
        return self.ruleset.switches(self.model)

    def like(self, source: str, tables: dict[str, Any]) -> Scenario:
        """Another question, read with what is known of the tables of this one and those like it.

        Parameters
        ----------
        source
            Where it came from, for messages.
        tables
            Its tables and keys, not to be changed any more.

        Raises
        ------
        ScenarioError
            With every fault that was found.
        """
        other = self._like()
        other._given = tables
        other._read(source, self.base, tables, self._known)
        other._shared = other._tables
        return other

    def replace(self, **paths: Any) -> Scenario:
        """The same question with some values changed.

        Parameters
        ----------
        **paths
            Dotted path to value, such as ``{"charge.0.distance": 24}``.

        Raises
        ------
        ScenarioError
            When a path leads nowhere or a value cannot stand.
        """
        other = self._like()
        other._given = self._with(paths)
        other._read(self.source, self.base, other._given, self._known)
        return other

    def _like(self) -> Scenario:
        """A scenario that knows the tables of this one, and is not read yet."""
        other = Scenario.__new__(Scenario)
        other.source, other.base, other.ruleset = self.source, self.base, self.ruleset
        other._known = self._known
        return other

    def _with(self, paths: Mapping[str, Any]) -> dict[str, Any]:
        """Its tables with some values changed."""
        tables = dict(self._shared)
        owned: set[str] = set()
        for path, value in paths.items():
            set_at(tables, path, value, owned, self.source, self.ruleset.aliases)
        return tables

    def _table(
        self, name: str, key: str, paths: Sequence[str], values: Sequence[Any]
    ) -> BaseModel | None:
        """The table of a unit or charge with some values changed; ``None`` where it has a fault."""
        try:
            tables = self._with(dict(zip(paths, values, strict=True)))
        except ScenarioError:
            return None
        tables, faults = self.ruleset.prepare(tables, self.base)
        if faults:
            return None
        own = self._known.put_in(self.ruleset.model, tables)[name]
        found = own[key] if isinstance(own, dict) else own[int(key)]
        return found if isinstance(found, BaseModel) else None

    def _mixer(self, changes: Mapping[str, Any], paths: Sequence[str]) -> Mixer:
        """What puts together the tables of its variants, once some other values are changed."""
        try:
            frame = self.replace(**changes) if changes else self
        except ScenarioError:
            return Mixer(None, {}, self._table, ())
        tables, _ = self.ruleset.prepare(frame._tables, self.base)
        apart = self._known.put_in(self.ruleset.model, tables)
        return Mixer(frame.model, apart, frame._table, paths)

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """Tables that variants share as far as they do not change them."""
        tables: dict[str, Any] = fresh(self._tables)
        return tables

    @cached_property
    def _known(self) -> Known:
        """Parts of models that its variants have in common."""
        return Known()

    def variants(
        self, paths: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> Iterator[Scenario | ScenarioError]:
        """The same question at many combinations of values, one after another.

        Row for row what :meth:`replace` gives, or raises, but a row that cannot stand does not stop
        the others; and faster, since what the paths leave as it is is not read anew.

        Parameters
        ----------
        paths
            Dotted paths, as for :meth:`replace`.
        rows
            Values of each combination, as many as there are paths.

        Yields
        ------
        Scenario or ScenarioError
            The error with every fault of that row.
        """
        inner: list[int] = []
        outer: list[int] = []
        for place, path in enumerate(paths):
            (inner if is_inside(path) else outer).append(place)
        # what is outside of tables is read once for all rows that say the same of it
        mixers = self._mixers.setdefault(tuple(paths), {})
        for row in rows:
            changes = dict(zip(paths, row, strict=True))
            frame = code_of([row[place] for place in outer] if outer else ()) if inner else None
            mixer = None if frame is None else mixers.get(frame, _UNSEEN)
            if frame is not None and mixer is _UNSEEN:
                # with the second row of its kind it begins to be of use
                if len(mixers) >= MOST_FRAMES:
                    mixers.clear()
                mixers[frame] = mixer = None
            elif frame is not None and mixer is None:
                mixer = mixers[frame] = self._mixer(
                    {paths[place]: row[place] for place in outer}, [paths[place] for place in inner]
                )
            model = mixer.model([row[place] for place in inner]) if mixer else None
            if model is not None and not self.ruleset.check(model):
                other = self._like()
                other.model, other._origin = model, (self, changes)
                yield other
                continue
            try:
                yield self.replace(**changes)
            except ScenarioError as error:
                yield error

    @cached_property
    def _mixers(self) -> dict[tuple[str, ...], dict[bytes, Any]]:
        """By paths, and what is said outside of tables: what puts variants together."""
        return {}

    @cached_property
    def _tables(self) -> dict[str, Any]:
        """What is read, that of an included file too; of a variant, made when it is asked for."""
        origin, changes = self._origin
        return origin._with(changes)

    @cached_property
    def _given(self) -> dict[str, Any]:
        """What it was made of."""
        return self._tables

    @cached_property
    def paths(self) -> dict[str, Any]:
        """Every path that :meth:`replace` may be given, with its field in the model.

        A unit by itself (``unit.spears``) and the reaction of each unit are among them; statistics
        may go by either of their names.
        """
        found = {
            path: field
            for path, field in paths_below(self.model, "")
            if path != "reaction" and not path.startswith("tables.")
        }
        names = [path.split(".")[1] for path in found if path.startswith("unit.")]
        for name in dict.fromkeys(names):
            found.setdefault(f"reaction.{name}", None)
            found.setdefault(f"unit.{name}", None)
        return found

    def at(self, path: str) -> Any:
        """Value of the model at one of :attr:`paths`."""
        value: Any = self.model
        for key in path.split("."):
            if isinstance(value, dict):
                value = value.get(key)
            else:
                value = value[int(key)] if isinstance(value, tuple) else getattr(value, key)
        return value

    @property
    def whole_tables(self) -> dict[str, Any]:
        """Its tables with the units of an included file in place, a copy."""
        tables: dict[str, Any] = fresh(self._tables)
        return tables

    def unit_like(self, name: str, other: str) -> dict[str, Any]:
        """Table of a unit that is like another of the file, but on its own side."""
        units = self._tables["unit"]
        return {**fresh(units[other]), "side": units[name]["side"]}

    def full_path(self, path: str) -> str:
        """A path with the name that the model gives to its last key.

        Raises
        ------
        InputError
            When it leads to nothing; names the nearest that leads somewhere.
        """
        way, _, last = path.strip().rpartition(".")
        twin = f"{way}.{self.ruleset.aliases[last]}" if last in self.ruleset.aliases else path
        for known in (path.strip(), twin):
            if known in self.paths:
                return known
        hint = nearest(path, self.paths) or ": write one such as " + next(
            (known for known in self.paths if known.startswith("charge.")), "title"
        )
        raise InputError(f"there is no {path!r} in {self.source}{hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        # what was derived is derived again: some of it knows functions that cannot be sent
        return _again, (self.source, self.base, self._tables)

    def __repr__(self) -> str:
        return f"Scenario({self.title!r}, ruleset={self.ruleset.name!r}, hash={self.hash[:12]})"


def _again(source: str, base: Path, tables: dict[str, Any]) -> Scenario:
    return Scenario(source, base, **tables)


def _include(
    tables: dict[str, Any], base: Path, source: str, faults: list[Fault]
) -> dict[str, Any]:
    """Add the units of the file that ``include`` names; the same name in both is a fault."""
    if "include" not in tables:
        return dict(tables)
    tables = dict(tables)
    name = tables.pop("include")
    if not isinstance(name, str):
        faults.append(
            Fault("include", f'{name!r} is not a file name: write include = "units.toml"')
        )
        return tables
    try:
        included = read_toml(base / name)
    except InputError as error:
        faults.append(Fault("include", str(error)))
        return tables
    own = tables.get("unit", {})
    units = included.get("unit")
    if not isinstance(units, dict):
        faults.append(Fault("include", f"{name!r} has no units: write [unit.NAME] in it"))
    if isinstance(own, dict) and isinstance(units, dict):
        faults += [
            Fault(f"unit.{twice}", f"stands in {source} and in {name}: keep one")
            for twice in sorted(set(own) & set(units))
        ]
        tables["unit"] = {**units, **own}
    return tables


def read_toml(file: str | Path, kind: str = "scenario") -> dict[str, Any]:
    """Read a TOML file; ``kind`` is what messages call it.

    Raises
    ------
    InputError
        When it cannot be read, is too large, is not UTF-8 or is not TOML; names file and line.
    """
    path = Path(file)
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({why}): give a {kind} file") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: is too large for a {kind}: at most {MOST_BYTES:,} bytes")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}, line {line}: is not UTF-8 text: save the file as UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not TOML: {error}") from None


def load(file: str | Path) -> Scenario:
    """Read a scenario file.

    Parameters
    ----------
    file
        Path of a TOML file.

    Returns
    -------
    Scenario

    Raises
    ------
    InputError
        When the file cannot be read, or (:class:`ScenarioError`) is no sound scenario.
    """
    path = Path(file)
    tables = read_toml(path)
    clash = [key for key in ("source", "base") if key in tables]
    if clash:
        raise ScenarioError(
            str(path), [Fault(key, "unknown key" + nearest(key, ())) for key in clash]
        )
    return Scenario(str(path), path.parent, **tables)
