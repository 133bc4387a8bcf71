"""What is shipped: three articles and a template for each kind, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chargesim.data import articles, scenarios, templates
from chargesim.report.article.build import Built, build

ARTICLES = ("chariot_charge", "metric_dice", "stand_hold_run")
KINDS = ("charge", "editions", "flee", "list")
# words of the pages and figures that are not the author's
ENGLISH = re.compile(
    r"\b(How to reproduce|numbers of this figure|ruleset|switches|scenarios|claims|probability|mean"
    r"|distance|armour save|models|behind the first|beats|Trial|step by step|at most|most often"
    r"|charge makes contact|target (breaks|flees|holds)|draw|unit)\b"
)


def test_all_that_was_promised_is_shipped() -> None:
    assert tuple(articles()) == ARTICLES
    assert tuple(templates()) == KINDS


@pytest.mark.parametrize("name", [*ARTICLES, *KINDS])
def test_it_builds_in_both_languages_with_its_claims_true(
    shipped: dict[str, Built], name: str
) -> None:
    built = shipped[name]
    assert [file.suffixes for file in built.pages] == [[".en", ".html"], [".es", ".html"]]
    assert built.claims >= (16 if name in ARTICLES else 2)


@pytest.mark.parametrize("name", ARTICLES)
def test_articles_are_worth_reading(shipped: dict[str, Built], name: str) -> None:
    texts = {}
    for file in shipped[name].files:
        if file.suffix == ".md":
            texts[file.suffixes[0]] = file.read_text(encoding="utf-8").partition("\n---\n")[0]
    words = {lang: len(re.findall(r"\w+", text)) for lang, text in texts.items()}
    assert min(words.values()) > 900
    assert max(words.values()) < 1.4 * min(words.values())
    for lang, last in ((".en", "## Conclusions"), (".es", "## Conclusiones")):
        assert last in texts[lang]
    for kind in (r"!\[", r"^## ", r"^\|"):
        counts = {lang: len(re.findall(kind, text, re.MULTILINE)) for lang, text in texts.items()}
        assert counts[".en"] == counts[".es"] > 0


@pytest.mark.parametrize("name", ARTICLES)
def test_every_percentage_in_the_prose_is_computed(name: str) -> None:
    body = articles()[name].read_text(encoding="utf-8").split("+++")[2]
    prose = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", " ", body, flags=re.DOTALL)
    assert not re.search(r"\d\s*%", prose)


@pytest.mark.parametrize("name", [*ARTICLES, *KINDS])
def test_spanish_pages_are_spanish(shipped: dict[str, Built], name: str) -> None:
    built = shipped[name]
    (page,) = (file for file in built.pages if ".es" in file.suffixes)
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<(style|script|code).*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r"<dt>opciones.*?</dd>|title=\"[^\"]*\"", "", text, flags=re.DOTALL)
    shown = re.sub(r"<(?!img)[^>]*?>", " ", re.sub(r'aria-label="([^"]*)"', r">\1<", text))
    assert (ENGLISH.search(shown) or [""])[0] == ""
    assert re.search(r"\d,\d", shown)
    assert not re.search(r"\d\.\d+\u00a0%", shown)


def test_the_articles_say_what_the_rules_say(shipped: dict[str, Built]) -> None:
    """Some of their numbers, found otherwise: fractions of the specification's examples."""
    folder = shipped["metric_dice"].pages[0].parent
    text = (folder / "metric_dice.en.md").read_text(encoding="utf-8").replace("\u00a0", " ")
    # T-08, T-09 and T-43 of the specification
    assert f"less: {100 * 259 / 648:.1f} % of the time" in text
    assert f"{100 * 5 / 12:.1f} % of the games" in text
    rows = {line.split(" | ")[0]: line for line in text.splitlines() if line.startswith("| ")}
    assert (
        f"{100 * 112607 / 209952:.1f} % | {100 * 721 / 1296:.1f} %"
        in rows["| on foot after on foot"]
    )
    assert f"96.3 % | {100 * 1099 / 1296:.1f} %" in rows["| mounted after on foot"]
    text = (folder / "chariot_charge.en.md").read_text(encoding="utf-8")
    # T-51: 35/12 wounds by D6 hits of S 5 on T 3, 15/4 with scythes
    assert f"{35 / 12:.2f} wounds go" in text
    assert f"{15 / 4:.2f}" in text


def test_a_template_is_built_where_it_is_copied_to(tmp_path: Path) -> None:
    from chargesim.report.article.build import new

    built = build(new("editions", tmp_path / "mine.md"), tmp_path / "out", "es")
    assert [file.name for file in built.pages] == ["mine.es.html"]


def test_the_plan_of_the_readme_builds(tmp_path: Path) -> None:
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")
    (plan,) = re.findall(r"```markdown\n(\+\+\+.*?)```", readme, re.DOTALL)
    (tmp_path / "boar_riders.toml").write_bytes(scenarios()["boar_riders"].read_bytes())
    (tmp_path / "plan.md").write_text(plan, encoding="utf-8")
    built = build(tmp_path / "plan.md", tmp_path / "out")
    assert built.claims == 2
    assert len(built.files) == 6
    for kind in KINDS:
        assert f"`{kind}`" in readme
