"""Reading an article plan: Markdown under a front matter in TOML between lines of ``+++``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chargesim.engine.play import ENGINES
from chargesim.errors import InputError
from chargesim.faults import Fault, ScenarioError, nearest, shown
from chargesim.scenario import Scenario, load
from chargesim.words import LANGUAGES

FENCE = "+++"
MOST_BYTES = 1_000_000
"""A plan larger than this is refused unread."""
KEYS = (
    "title", "summary", "languages", "engine", "trials", "seed", "max_states", "scenarios",
    "studies", "results", "rosters", "names",
)  # fmt: skip
SHIPPED = "shipped:"
DICE = "dice"
"""What dice questions are asked of; no scenario may be called so."""
Texts = dict[str, str]
"""A text by language."""


@dataclass(frozen=True)
class Options:
    """How the questions of an article are answered, as for :func:`chargesim.solve`."""

    engine: str = "auto"
    trials: int = 1_000_000
    seed: int = 0
    max_states: int | None = None
    threads: int | None = None

    def key(self) -> dict[str, Any]:
        """What an answer depends on: all but the threads."""
        return {name: value for name, value in vars(self).items() if name != "threads"}


@dataclass(frozen=True)
class Plan:
    """An article before it is built.

    Parameters
    ----------
    file
        Where it stands.
    body
        Its Markdown, with as many empty lines before it as the front matter has lines, so that
        lines count as in the file.
    titles, summaries
        By language.
    languages
        Languages that it is written in, in order.
    options
        How its questions are answered.
    scenarios
        Questions by name; the first is meant where none is named.
    labels
        What each scenario is called, by language.
    studies, results
        Folders of finished studies, and files of kept results, by name.
    rosters
        Army lists by name, each with the file of its overrides.
    names
        What units are called in a language.
    """

    file: Path
    body: str
    titles: Texts
    summaries: Texts
    languages: tuple[str, ...]
    options: Options
    scenarios: dict[str, Scenario]
    labels: dict[str, Texts] = field(default_factory=dict)
    studies: dict[str, Path] = field(default_factory=dict)
    results: dict[str, Path] = field(default_factory=dict)
    rosters: dict[str, tuple[Path, Path | None]] = field(default_factory=dict)
    names: dict[str, Texts] = field(default_factory=dict)


def read_plan(file: str | Path) -> Plan:
    """Read an article plan.

    Parameters
    ----------
    file
        Path of a Markdown file.

    Raises
    ------
    InputError
        When the file cannot be read, or (:class:`ScenarioError`) its front matter is at fault; all
        its faults at once.
    """
    path = Path(file)
    head, body = _split(path, _text(path))
    try:
        # an empty line in place of the fence: lines count as in the file
        tables = tomllib.loads("\n" + head)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: its front matter is not TOML: {error}") from None
    faults: list[Fault] = []
    reader = _Reader(path, tables, faults)
    languages = reader.languages()
    scenarios, labels = reader.scenarios(languages)
    plan = Plan(
        path,
        body,
        reader.texts("title", languages),
        reader.texts("summary", languages),
        languages,
        reader.options(),
        scenarios,
        labels,
        reader.paths("studies", "a folder with a finished study"),
        reader.paths("results", "a file that cs.keep wrote"),
        reader.rosters(),
        reader.names(languages),
    )
    reader.check_once(plan)
    if faults:
        raise ScenarioError(str(path), faults)
    return plan


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({why}): give an article plan") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: is too large for a plan: at most {MOST_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}, line {line}: is not UTF-8 text: save the file as UTF-8"
        ) from None
    return text.replace("\r\n", "\n")


def _split(path: Path, text: str) -> tuple[str, str]:
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        raise InputError(
            f"{path}, line 1: a plan begins with its front matter: write a line of {FENCE}, then "
            f"TOML with [scenarios], then a line of {FENCE}"
        )
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == FENCE:
            # the body keeps its place: its lines count as in the file
            return "\n".join(lines[1:number]), "\n" * (number + 1) + "\n".join(lines[number + 1 :])
    raise InputError(f"{path}: its front matter has no end: write a line of {FENCE} under it")


class _Reader:
    """Takes the front matter apart; what is wrong goes into ``faults``."""

    def __init__(self, file: Path, tables: dict[str, Any], faults: list[Fault]) -> None:
        self.file, self.tables, self.faults = file, tables, faults
        for key in tables:
            if key not in KEYS:
                self.fault(key, "unknown key" + nearest(key, KEYS))

    def fault(self, path: str, message: str) -> None:
        self.faults.append(Fault(path, message))

    def languages(self) -> tuple[str, ...]:
        given = self.tables.get("languages", list(LANGUAGES[:1]))
        if not isinstance(given, list) or not given or len(set(map(str, given))) < len(given):
            self.fault("languages", f'{shown(given)} is no list of languages: write ["en", "es"]')
            return LANGUAGES[:1]
        for word in given:
            if word not in LANGUAGES:
                self.fault("languages", f"no language {word!r}: one of {', '.join(LANGUAGES)}")
        return tuple(word for word in given if word in LANGUAGES) or LANGUAGES[:1]

    def options(self) -> Options:
        from chargesim.engine.sample import check_seed, check_trials

        found: dict[str, Any] = {}
        whole = {"trials": check_trials, "seed": check_seed, "max_states": _check_states}
        for key, check in whole.items():
            if key in self.tables:
                value = self.tables[key]
                if isinstance(value, bool) or not isinstance(value, int):
                    self.fault(key, f"{shown(value)} is not a whole number")
                    continue
                try:
                    found[key] = check(value)
                except InputError as error:
                    self.fault(key, str(error).partition(": ")[2])
        if "engine" in self.tables:
            found["engine"] = self.tables["engine"]
            if found["engine"] not in ENGINES:
                self.fault("engine", f"{shown(found['engine'])} is none of {', '.join(ENGINES)}")
        return Options(**found)

    def texts(self, key: str, languages: Iterable[str]) -> Texts:
        if key not in self.tables:
            if key == "title":
                self.fault(key, 'is missing: write title = "…" or title = { en = "…", es = "…" }')
            return dict.fromkeys(languages, "")
        return self._texts(key, self.tables[key], languages)

    def _texts(self, path: str, given: Any, languages: Iterable[str]) -> Texts:
        """A text for all languages, or one for each."""
        if isinstance(given, str):
            return dict.fromkeys(languages, given)
        if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
            self.fault(path, f'{shown(given)} is no text: write "…" or {{ en = "…", es = "…" }}')
            return dict.fromkeys(languages, "")
        for lang in languages:
            if lang not in given:
                self.fault(f"{path}.{lang}", "is missing: the article is in this language too")
        for lang in given:
            if lang not in LANGUAGES:
                self.fault(f"{path}.{lang}", f"no language {lang!r}: {', '.join(LANGUAGES)}")
        return {lang: given.get(lang, "") for lang in languages}

    def _table(self, key: str) -> dict[str, Any]:
        given = self.tables.get(key, {})
        if not isinstance(given, dict):
            self.fault(key, f"{shown(given)} is not a table: write [{key}] above its keys")
            return {}
        return given

    def scenarios(self, languages: tuple[str, ...]) -> tuple[dict[str, Scenario], dict[str, Texts]]:
        found: dict[str, Scenario] = {}
        labels: dict[str, Texts] = {}
        for name, given in self._table("scenarios").items():
            path = f"scenarios.{name}"
            self._check_name(path, name)
            content = {"file": given} if isinstance(given, str) else given
            if not isinstance(content, dict):
                self.fault(path, f'{shown(given)} is no scenario: write "FILE.toml" or a table')
                continue
            content = dict(content)
            told = content.pop("label", None)
            labels[name] = (
                dict.fromkeys(languages, name)
                if told is None
                else self._texts(f"{path}.label", told, languages)
            )
            try:
                scenario = self._scenario(path, name, content, found)
            except ScenarioError as error:
                self.faults += [Fault(f"{path}.{one.path}", one.message) for one in error.faults]
            except InputError as error:
                self.fault(path, str(error))
            else:
                if scenario is not None:
                    found[name] = scenario
        return found, labels

    def _scenario(
        self, path: str, name: str, content: dict[str, Any], found: dict[str, Scenario]
    ) -> Scenario | None:
        """A scenario written here, from a file, or like one above; perhaps with changes."""
        begins = [key for key in ("ruleset", "file", "like") if key in content]
        if len(begins) != 1:
            self.fault(
                path,
                "cannot be read: write its tables here with ruleset = …, or one of file = "
                '"FILE.toml" and like = "NAME", perhaps with set = { "charge.0.distance" = 12 }',
            )
            return None
        if begins == ["ruleset"]:
            return Scenario(name, self.file.parent, **content)
        changes = content.pop("set", {})
        begin = content.pop(begins[0])
        for key in content:
            self.fault(f"{path}.{key}", "unknown key" + nearest(key, (*begins, "set", "label")))
        if not isinstance(changes, dict):
            self.fault(f"{path}.set", f"{shown(changes)} is not a table of paths and values")
            return None
        if begins == ["file"]:
            if not isinstance(begin, str):
                self.fault(f"{path}.file", f"{shown(begin)} is no file name")
                return None
            scenario = load(self.file.parent / begin)
        elif begin not in found:
            self.fault(f"{path}.like", f"no scenario {begin!r} above" + nearest(str(begin), found))
            return None
        else:
            scenario = found[begin]
        if not changes:
            return scenario
        # a list of paths with values of TOML: what they lead to is known once it is read
        full = {scenario.full_path(key): value for key, value in changes.items()}
        return scenario.replace(**full)

    def _check_name(self, path: str, name: str) -> None:
        if not name.isidentifier() or name == DICE:
            self.fault(path, f"{name!r} is no name here: write letters, digits and _, not {DICE!r}")

    def paths(self, key: str, what: str) -> dict[str, Path]:
        found = {}
        for name, given in self._table(key).items():
            path = f"{key}.{name}"
            self._check_name(path, name)
            if not isinstance(given, str):
                self.fault(path, f"{shown(given)} is no path: write {what}")
                continue
            place = self.file.parent / given
            if not place.exists():
                self.fault(path, f"there is no {given!r} beside the plan: name {what}")
            found[name] = place
        return found

    def rosters(self) -> dict[str, tuple[Path, Path | None]]:
        found = {}
        for name, given in self._table("rosters").items():
            path = f"rosters.{name}"
            self._check_name(path, name)
            content = {"file": given} if isinstance(given, str) else given
            if not isinstance(content, dict) or not isinstance(content.get("file"), str):
                self.fault(path, f'{shown(given)} is no army list: write "LIST.ros"')
                continue
            for key in content:
                if key not in ("file", "overrides"):
                    self.fault(f"{path}.{key}", "unknown key" + nearest(key, ("overrides",)))
            files = [self._list(path, str(content["file"]))]
            if "overrides" in content:
                files.append(self._list(f"{path}.overrides", str(content["overrides"])))
            found[name] = (files[0], files[1] if len(files) > 1 else None)
        return found

    def _list(self, path: str, given: str) -> Path:
        """A file beside the plan, or after ``shipped:`` one that comes with the program."""
        if given.startswith(SHIPPED):
            from chargesim.data import rosters

            place = next(iter(rosters().values())).parent / given.removeprefix(SHIPPED)
        else:
            place = self.file.parent / given
        if not place.is_file():
            self.fault(path, f"there is no {given!r}: name an army list beside the plan")
        return place

    def names(self, languages: tuple[str, ...]) -> dict[str, Texts]:
        found = {}
        for lang, given in self._table("names").items():
            if lang not in languages:
                self.fault(f"names.{lang}", f"is no language of this plan: {', '.join(languages)}")
            elif not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
                self.fault(f"names.{lang}", f'{shown(given)} is no table of names: NAME = "…"')
            elif len(set(given.values())) < len(given):
                self.fault(f"names.{lang}", "two units have one name")
            else:
                found[lang] = given
        return found

    def check_once(self, plan: Plan) -> None:
        """A name stands for one thing, and units that are named are there."""
        seen: set[str] = set()
        for key, table in (
            ("scenarios", plan.scenarios), ("studies", plan.studies), ("results", plan.results),
            ("rosters", plan.rosters),
        ):  # fmt: skip
            for name in table:
                if name in seen:
                    self.fault(f"{key}.{name}", "is the name of something else too")
                seen.add(name)
        units = {unit for scenario in plan.scenarios.values() for unit in scenario.unit_names}
        for lang, names in plan.names.items():
            for name in names:
                if units and name not in units:
                    self.fault(f"names.{lang}.{name}", "no such unit" + nearest(name, units))


def _check_states(value: int) -> int:
    if value < 1:
        raise InputError(f"max_states: {value} is too few: at least 1")
    return value
