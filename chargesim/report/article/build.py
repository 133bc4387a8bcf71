"""Building an article: each language rendered, every claim tested, files written at the end."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import chargesim
from chargesim.data import articles, templates
from chargesim.errors import ChargesimError, InputError
from chargesim.faults import nearest
from chargesim.kernels.jit import rules_hash
from chargesim.report.article.answers import Answers, Progress
from chargesim.report.article.blocks import Block, FigureBlock
from chargesim.report.article.cache import Cache
from chargesim.report.article.functions import Functions, Judged, Told
from chargesim.report.article.numbers import language_name, plain, unrounded
from chargesim.report.article.pages import html_page, image_bytes, markdown_page, own_images
from chargesim.report.article.plan import Plan, read_plan
from chargesim.report.article.template import TemplateFault, environment, render
from chargesim.report.render import Document, Table
from chargesim.words import translation

CACHE = ".chargesim"
"""Folder of kept answers within the folder of the pages."""


class ArticleFault(InputError):
    """A plan asks for what cannot be; all that was found, each with file and line."""


class ClaimFault(ChargesimError):
    """Sentences of an article are not true, or not decided; each with file, line and values."""


@dataclass(frozen=True)
class Built:
    """What a build did.

    Parameters
    ----------
    plan
        The article.
    files
        Files of its pages and pictures, in the order of the languages.
    claims
        Sentences tested, each counted once.
    computed, reused, redone
        Answers and pictures made anew, taken from the last build, and made anew because what was
        kept was damaged.
    """

    plan: Plan
    files: tuple[Path, ...]
    claims: int
    computed: int
    reused: int
    redone: int

    @property
    def pages(self) -> list[Path]:
        """The HTML pages."""
        return [file for file in self.files if file.suffix == ".html"]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "chargesim": chargesim.__version__,
            "plan": str(self.plan.file),
            "languages": list(self.plan.languages),
            "files": [str(file) for file in self.files],
            "claims": self.claims,
            "computed": self.computed,
            "reused": self.reused,
            "redone": self.redone,
        }


def build(
    file: str | Path,
    out: str | Path,
    lang: str | None = None,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Built:
    """Build an article.

    Parameters
    ----------
    file
        Its plan.
    out
        Folder of its pages; made where it is missing.
    lang
        One language; ``None`` for all of the plan.
    progress
        Called with (done, all) of longer computations.
    **options
        ``engine``, ``trials``, ``seed``, ``threads``, ``max_states``, in place of the plan's.

    Returns
    -------
    Built

    Raises
    ------
    InputError
        When the plan cannot be used (:class:`ArticleFault` with all that was found).
    ClaimFault
        When a claim is false or undecided; nothing is written then.
    """
    plan = read_plan(file)
    if lang is not None and lang not in plan.languages:
        known = ", ".join(plan.languages)
        raise InputError(f"lang: {plan.file} is not written in {lang!r}: one of {known}")
    given = {name: value for name, value in options.items() if value is not None}
    plan = replace(plan, options=replace(plan.options, **given))
    languages = plan.languages if lang is None else (lang,)
    folder = Path(out)
    _make(folder)
    cache = Cache(folder / CACHE / plan.file.stem)
    answers = Answers(plan, cache, progress)
    pages = [_Page(plan, answers, one) for one in languages]
    _check(plan, pages)
    files = [written for page in pages for written in page.write(folder)]
    if lang is None:
        cache.tidy()  # of one language alone it is not known what the others still need
    claims = {(one.line, one.text) for page in pages for one in page.functions.claims}
    return Built(plan, tuple(files), len(claims), cache.computed, cache.reused, cache.redone)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"out: {folder} cannot be made ({error.strerror})") from None


class _Page:
    """An article in one language, rendered."""

    def __init__(self, plan: Plan, answers: Answers, lang: str) -> None:
        self.plan, self.answers, self.lang = plan, answers, lang
        self.functions = Functions(answers, lang)
        self.broken: str | None = None
        self.text = ""
        made = environment(self.functions.finalize)
        try:
            variables = self.functions.variables()
            self.text = render(made, plan.body, str(plan.file), variables).strip()
        except TemplateFault as error:
            self.broken = str(error)

    @property
    def blocks(self) -> list[Block]:
        """What stands between its paragraphs."""
        return [block for _, block in self.functions.blocks]

    @cached_property
    def html(self) -> str:
        """The page; further faults may be found in it."""
        plan, lang = self.plan, self.lang
        others = [
            (language_name(other), other, f"{plan.file.stem}.{other}.html")
            for other in plan.languages
            if other != lang
        ]
        try:
            return html_page(
                self.text, self.blocks, self.functions.claims, plan.titles[lang],
                plan.summaries[lang], self.facts(), self.command(), lang, others,
                language_name(lang), plan.file.parent,
            )  # fmt: skip
        except InputError as error:
            number, colon, message = str(error).partition(":")
            is_block = colon and number.isdigit()
            line = self.functions.blocks[int(number)][0] if is_block else 0
            text = message if is_block else str(error)
            self.functions.faults.append(Told(line, text, lang))
            return ""

    def write(self, folder: Path) -> list[Path]:
        """Write page, Markdown and pictures; what is the same as before is left alone."""
        stem = f"{self.plan.file.stem}.{self.lang}"
        files: list[Path] = []

        def image(number: int) -> str:
            return f"images/{stem}.{number + 1:02d}.svg"

        def copied(source: str) -> str:
            return f"images/{self.plan.file.stem}-{Path(source).name}"

        for number, block in enumerate(self.blocks):
            if isinstance(block, FigureBlock):
                files.append(_write(folder / image(number), block.svg))
        for source in dict.fromkeys(own_images(self.text)):
            data = image_bytes(source, self.plan.file.parent)
            files.append(_write(folder / copied(source), data))
        text = markdown_page(
            self.text, self.blocks, self.plan.titles[self.lang], self.plan.summaries[self.lang],
            self.facts(), self.command(), self.lang, image, copied,
        )  # fmt: skip
        files.insert(0, _write(folder / f"{stem}.md", text))
        return [_write(folder / f"{stem}.html", self.html), *files]

    def command(self) -> str:
        """What builds this page again."""
        options = self.plan.options
        told = ""
        as_planned = read_plan(self.plan.file).options
        for name in ("engine", "trials", "seed", "max_states"):
            value = getattr(options, name)
            if value != getattr(as_planned, name):
                told += f" --{name.replace('_', '-')} {value}"
        return f"chargesim article build {self.plan.file.name} --out DIR{told}"

    def facts(self) -> list[tuple[str, str]]:
        """What else it takes to find the same numbers."""
        say = translation("chargesim", self.lang).gettext
        plan, answers, options = self.plan, self.answers, self.plan.options
        facts = [("chargesim", chargesim.__version__)]
        asked = answers.asked or plan.scenarios
        rulesets = {scenario.ruleset.name: scenario.ruleset for scenario in asked.values()}
        for name, ruleset in rulesets.items():
            text = say("{name}, version {version}, rules {rules}")
            told = text.format(name=name, version=ruleset.version, rules=rules_hash(name))
            facts.append((say("ruleset"), told))
        trials = plain(options.trials, self.lang)
        if "sample" not in answers.engines:
            text = say(
                "exact: nothing was sampled; seed {seed} and {trials} trials were not needed"
            )
        elif "exact" in answers.engines:
            text = say("exact where possible, else sampled: seed {seed}, {trials} trials")
        else:
            text = say("sampled: seed {seed}, {trials} trials")
        facts.append((say("numbers"), text.format(seed=options.seed, trials=trials)))
        for ruleset in rulesets.values():
            groups: dict[str, list[str]] = {}
            for key, scenario in asked.items():
                if scenario.ruleset is ruleset:
                    switches = scenario.switches.items()
                    told = ", ".join(f"{k} = {_switch(v)}" for k, v in switches)
                    groups.setdefault(told, []).append(key)
            for told, keys in groups.items():
                whose = "" if len(groups) == 1 else f" ({', '.join(keys)})"
                facts.append((say("switches") + whose, told))
        scenarios = ", ".join(f"{key} {scenario.hash[:12]}" for key, scenario in asked.items())
        facts.append((say("scenarios"), scenarios))
        for name, caveat in self._caveats(asked):
            facts.append((name, caveat))
        lists = {name: file for name, (file, _) in plan.rosters.items()}
        for name, place in {**plan.studies, **plan.results, **lists}.items():
            facts.append((say("taken from"), f"{name}: {place.name}"))
        tested = {(one.line, one.text) for one in self.functions.claims}
        if tested:
            facts.append((say("claims"), say("{count}, all tested").format(count=len(tested))))
        return facts

    def _caveats(self, asked: dict[str, Any]) -> list[tuple[str, str]]:
        say = translation("chargesim", self.lang).gettext
        told = dict.fromkeys(scenario.caveat(self.lang) for scenario in asked.values())
        return [(say("note"), caveat) for caveat in told if caveat]


def _switch(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write(file: Path, content: str | bytes) -> Path:
    """Write a file whole or not at all, unless it holds the same already."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if file.is_file() and file.read_bytes() == data:
            return file
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.part")
        draft.write_bytes(data)
        draft.replace(file)
    except OSError as error:
        raise InputError(f"out: {file} cannot be written ({error.strerror})") from None
    return file


def _check(plan: Plan, pages: Sequence[_Page]) -> None:
    """Raise what is wrong with the pages: what cannot be read first, then what is not true."""
    for page in pages:
        if page.broken is None:
            page.html  # noqa: B018  # finds what is wrong
    broken = list(dict.fromkeys(page.broken for page in pages if page.broken is not None))
    told = {(one.line, one.message): one for page in pages for one in page.functions.faults}
    lines = [
        f"{plan.file}, line {one.line}: {one.message}"
        if one.line
        else f"{plan.file}: {one.message}"
        for one in sorted(told.values(), key=lambda one: one.line)
    ]
    if broken or lines:
        raise ArticleFault("\n".join([*broken, *lines]))
    untrue = [one for page in pages for one in page.functions.claims if one.state < 1]
    if untrue:
        seen: dict[tuple[int, str, str], Judged] = {}
        for one in untrue:
            seen.setdefault((one.line, one.text, one.sentence), one)
        told_claims = [_untrue(plan, one) for one in sorted(seen.values(), key=lambda c: c.line)]
        count = len(told_claims)
        head = (
            f"{plan.file}: {count} claim{'s' if count > 1 else ''} not supported; nothing written"
        )
        raise ClaimFault("\n".join([head, *told_claims]))


def _untrue(plan: Plan, claim: Judged) -> str:
    verdict = "is false" if claim.state < 0 else "is not decided at this many trials"
    lines = [
        f"{plan.file}, line {claim.line}: claim {verdict}: {claim.text}",
        f"  sentence ({claim.lang}): {claim.sentence}",
    ]
    for text, value in claim.sides:
        if value.shape == ():
            lines.append(f"  {text} = {unrounded(value)}")
        else:
            shown = ", ".join(unrounded(value.at(i)) for i in range(min(value.value.size, 12)))
            lines.append(f"  {text} = {shown}")
    return "\n".join(lines)


def built_document(built: Built, lang: str) -> Document:
    """What a build did, as a table of its files.

    Parameters
    ----------
    built
        What :func:`build` returns.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    rows = tuple((str(file), f"{file.stat().st_size / 1000:,.0f} kB") for file in built.files)
    raw = tuple((str(file), file.stat().st_size) for file in built.files)
    table = Table((say("file"), say("size")), rows, "", (), raw, frozenset({1}))
    text = say(
        "{claims} claims tested, all supported. Answers and figures: {computed} computed, {reused} "
        "taken from the last build."
    )
    told = text.format(claims=built.claims, computed=built.computed, reused=built.reused)
    if built.redone:
        told += " " + say("{redone} kept ones were damaged and made anew.").format(
            redone=built.redone
        )
    return Document(built.plan.titles[built.plan.languages[0]], (table, told))


def new(kind: str, file: str | Path) -> Path:
    """Copy out a template, or a shipped article, to start from.

    Parameters
    ----------
    kind
        Name of one of them.
    file
        Where it goes; nothing may stand there.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        For an unknown kind, or a file that is there or cannot be written.
    """
    known = {**templates(), **articles()}
    if kind not in known:
        close = nearest(kind, known)
        every = "" if close.startswith("; known") else f"; all: {', '.join(known)}"
        raise InputError(f"article: there is no kind {kind!r}{close}{every}")
    place = Path(file)
    if place.exists():
        raise InputError(f"article: {place} is there already: name another file")
    if not place.parent.is_dir():
        raise InputError(f"article: there is no folder {str(place.parent)!r}: make it first")
    try:
        shutil.copyfile(known[kind], place)
    except OSError as error:
        raise InputError(f"article: {place} cannot be written ({error.strerror})") from None
    return place
