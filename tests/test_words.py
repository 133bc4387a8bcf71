"""The words for people: every marked text has a Spanish translation, and Spanish output uses it."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path
from string import Formatter
from typing import IO

import pytest
from babel.messages import mofile, pofile
from matplotlib.text import Text

import chargesim as cs
from chargesim import words
from chargesim.engine.odds import parse
from chargesim.report import check as checking
from chargesim.report import render, result_tables, tables
from chargesim.report.figures import combat, distribution, picture, waterfall
from chargesim.report.labels import LABELS, label

PACKAGE = Path(cs.__file__).parent
SOURCES = [*sorted((PACKAGE / "report").rglob("*.py")), *sorted((PACKAGE / "cli").glob("*.py"))]
MARKS = {"say", "_", "gettext"}
ES = words.LOCALES / "es" / "LC_MESSAGES"
SOUND = Path(__file__).parent / "conformance" / "02_stand_and_shoot_panic.toml"
FLIGHT = Path(__file__).parent / "conformance" / "07_flee_fast_inch.toml"
PHASE = Path(__file__).parent / "scenarios" / "phase.toml"


def marked(source: str) -> list[str]:
    """Texts in calls of the marks, those inside f-strings included."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        text = node.args[0]
        if name in MARKS and isinstance(text, ast.Constant) and isinstance(text.value, str):
            found.append(text.value)
    return found


def messages() -> list[str]:
    texts = [t for file in SOURCES for t in marked(file.read_text(encoding="utf-8"))]
    return list(dict.fromkeys(texts))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def catalogue() -> pofile.Catalog:
    with (ES / "chargesim.po").open("rb") as file:
        return pofile.read_po(file, locale="es", domain="chargesim")


def forms(text: object) -> tuple[str, ...]:
    """The one form of a text, or its singular and plural."""
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def compiled(file: IO[bytes]) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {forms(one.id): forms(one.string) for one in mofile.read_mo(file) if one.id}


def test_marks_are_found() -> None:
    found = marked('say("a"); f"({say("b")})"; x.gettext("c"); _("d"); other("e")'.replace(
        'say("b")', "say('b')"
    ))  # fmt: skip
    assert sorted(found) == ["a", "b", "c", "d"]
    assert len(messages()) > 60


@pytest.mark.parametrize("message", messages())
def test_message_is_translated_with_its_placeholders(message: str) -> None:
    found = catalogue().get(message)
    assert found is not None
    assert not found.fuzzy
    for text in forms(found.string):
        assert text
        assert placeholders(text) == placeholders(message)
        assert message.endswith(".") == text.endswith(".")


def test_catalogue_holds_nothing_else() -> None:
    assert {forms(message.id)[0] for message in catalogue()} - {""} == set(messages())


def test_compiled_catalogue_is_up_to_date() -> None:
    fresh = io.BytesIO()
    mofile.write_mo(fresh, catalogue())
    fresh.seek(0)
    with (ES / "chargesim.mo").open("rb") as file:
        shipped = compiled(file)
    assert compiled(fresh) == shipped


def test_every_word_of_the_results_has_a_label() -> None:
    result = cs.solve(cs.load(SOUND))
    views = [*result.charges, *result.combats, *result.units.values()]
    known = {w for _, v in views for w in (*v.words.values(), *v.quantities, *v.flags)}
    assert known <= set(LABELS)
    for word in LABELS:
        assert label(word, "es") != label(word, "en")


# Spanish output

ENGLISH = re.compile(
    r"\b(charge|charger|target|outcome|probability|interval|still|value|exactly|least|mean|unit"
    r"|models|state|afterwards|trials|seed|ruleset|switches|agree|agrees|cells?|sampled|verdict"
    r"|rules are|status|covered|left|fighting|fleeing|steady|destroyed|stand and shoot|flee"
    r"|combat|against|draw|breaks?|wiped|holds?|wins|arrives|redirected|wounds|compulsory|units"
    r"|groups|choice|chosen|worth|restrain|pursue|low|high|table)\b"
)


def spanish(document: render.Document) -> str:
    """Text of a document without what the user named and the words of the files."""
    text = render.text(document).replace(document.title, "")
    return re.sub(r"^Opciones: .*$", "Opciones", text, flags=re.MULTILINE)


ALTERNATIVES = [
    {"unit": "man", "choice": choice, "value": 1.0, "low": 0.5, "high": 1.5, "chosen": chosen}
    for choice, chosen in (
        ("stand_and_shoot at orc", True), ("never redirect", False), ("restrain", False),
        ("redirect", False), ("pursue", False), ("hold", False), ("flee", False),
    )
]  # fmt: skip


def sampled_and_exact() -> list[cs.Result]:
    sound, flight, phase = cs.load(SOUND), cs.load(FLIGHT), cs.load(PHASE)
    whole = cs.solve(phase)
    return [
        whole,
        cs.Result(phase, whole.tallies, ALTERNATIVES),
        cs.solve(phase, engine="sample", trials=5_000),
        cs.solve(sound),
        cs.solve(sound, engine="sample", trials=20_000),
        cs.solve(flight),
        cs.solve(flight, engine="sample", trials=5_000),
    ]


def test_spanish_results_have_no_english_and_decimal_commas() -> None:
    for result in sampled_and_exact():
        text = spanish(result_tables.result_document(result, "es"))
        assert ENGLISH.search(text) is None
        assert "Cómo acaba la carga" in text
        assert re.search(r"\d,\d", text)
        assert not re.search(r"\d\.\d", text)


def test_spanish_numbers() -> None:
    assert render.number(1234567.891, 2, "es") == "1\u202f234\u202f567,89"
    assert render.number(1234567.891, 2, "en") == "1,234,567.89"
    assert render.percent(1e-7, 1e-7, 1e-7, "es", exact=True) == "< 0,001 %"
    assert render.percent(float("nan"), 0, 0, "es", exact=True) == "indefinida"
    assert render.interval(0.1, 0.2, "es") == "10,0–20,0"


def test_spanish_check_has_no_english() -> None:
    scenario = cs.load(SOUND)
    cells = checking.check(scenario, trials=50_000)
    text = spanish(tables.check_document(scenario, cells, "es", 50_000, 3, everything=False))
    assert (
        "Muestreado: 50\u202f000 simulaciones; tirando cada dado: 10\u202f000; semilla 3." in text
    )
    assert re.search(r"\d+ casillas comparadas: todas coinciden\.", text)
    head = next(line for line in text.splitlines() if line.startswith("casilla"))
    assert ENGLISH.search(head) is None


def test_spanish_odds_have_no_english() -> None:
    text = spanish(tables.odds_document(parse("2d6 <= 7").answer(), "es"))
    assert ENGLISH.search(text) is None
    assert "58,333 %" in text
    assert "media 7,000, desviación típica 2,415" in text


def test_spanish_rules_and_traces_have_no_english_headings() -> None:
    from chargesim.report.trace import told
    from chargesim.rulesets import get
    from chargesim.rulesets.coverage import rows

    document = tables.rules_document("wh6", rows("wh6"), get("wh6").switch_rows(), "es")
    lines = told(cs.load(SOUND), 0, 0, "es")
    tables_shown = [document, tables.trace_document("", lines, "es", 0, 0)]
    for shown in tables_shown:
        for block in shown.blocks:
            heads = [block] if isinstance(block, str) else [*block.columns, block.caption]
            assert ENGLISH.search(" ".join(heads)) is None


def test_spanish_figures_have_no_english() -> None:
    result, phase = cs.solve(cs.load(SOUND)), cs.solve(cs.load(PHASE))
    for figure in (
        waterfall(result, lang="es").get_figure(root=True),
        combat(result, lang="es").get_figure(root=True),
        distribution(result, "shooting_casualties", lang="es").get_figure(root=True),
        distribution(result, "handgunners:combat_result", lang="es").get_figure(root=True),
        picture(result, "es"),
        picture(phase, "es"),
    ):
        texts = [text.get_text() for text in figure.findobj(Text)]
        shown = "\n".join(texts)
        for title in (result.scenario.title, phase.scenario.title):
            shown = shown.replace(title, "")
        assert "probabilidad, %" in shown
        assert ENGLISH.search(shown) is None


@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv"])
def test_spanish_in_every_form(form: str) -> None:
    document = result_tables.result_document(cs.solve(cs.load(SOUND)), "es")
    text = render.write(document, form, "es")
    assert "desenlace" in text
    assert "outcome" not in text
