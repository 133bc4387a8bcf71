"""Names, pages and pictures: escaped, whole and reproducible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from article.plans import FLEE, SHOOT, Write

import chargesim as cs
from chargesim.report.article.build import ArticleFault, build
from chargesim.report.article.template import escape_markdown

EVIL = '<script>alert(1)</script> *b* [x](javascript:1) | `c` & "q"'


def test_names_are_escaped_everywhere(write: Write, tmp_path: Path) -> None:
    text = Path(FLEE).read_text(encoding="utf-8")
    quoted = json.dumps(EVIL)
    roster = tmp_path / "roster.toml"
    roster.write_text(
        text.replace("[unit.archers]", f"[unit.{quoted}]")
        .replace('target = "archers"', f"target = {quoted}")
        .replace("archers = ", f"{quoted} = ")
        .replace('title = "Run', 'title = "<b>Run'),
        encoding="utf-8",
    )
    flee = f'flee = {{ file = "roster.toml", label = {quoted} }}'
    head = f"+++\ntitle = {quoted}\n[scenarios]\n{flee}\n+++\n"
    body = (
        "{{ name(" + quoted + ") }}\n\n{{ profiles() }}\n\n{{ trace() }}\n\n"
        "{{ table('target_fled_caught', rows=['flee']) }}\n\n"
        "{{ figure('charge', caption=" + quoted + ") }}\n\n"
        "{{ figure('bars', 'target_fled_caught', ['flee']) }}\n\n"
        "{% claim target_fled_caught > 0 %}{{ name(" + quoted + ") }}{% endclaim %}"
    )
    build(write(body, head), tmp_path / "out")
    page = (tmp_path / "out" / "plan.en.html").read_text(encoding="utf-8")
    assert page.count("<script>") == 1  # our own
    assert "<em>b</em>" not in page
    assert 'href="javascript' not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8
    from markdown_it import MarkdownIt

    written = (tmp_path / "out" / "plan.en.md").read_text(encoding="utf-8")
    shown = MarkdownIt("commonmark").enable("table").render(written)
    assert "<script>" not in shown
    assert 'javascript:1"' not in shown


@pytest.mark.parametrize(
    "text",
    [
        "# a",
        "- a",
        "1. a",
        "+ a",
        "a\n# b",
        "===",
        "a_b",
        "_a_",
        "a|b",
        "&lt;",
        "a\\b",
        "\ue0100\ue011",
    ],
)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    from markdown_it import MarkdownIt

    shown = MarkdownIt("commonmark", {"html": False}).render(str(escape_markdown(text)))
    bare = text.replace("\n", " ").replace("\ue010", "").replace("\ue011", "")
    wanted = bare.replace("&", "&amp;").replace("<", "&lt;")
    assert shown == f"<p>{wanted}</p>\n"


def test_html_of_the_author_is_shown_not_used(write: Write, tmp_path: Path) -> None:
    build(write("<b onclick='x'>bold</b> <script>1</script>"), tmp_path / "out")
    page = (tmp_path / "out" / "plan.en.html").read_text(encoding="utf-8")
    assert "&lt;b onclick=" in page
    assert page.count("<script>") == 1


def test_own_pictures_are_within_the_page_and_beside_the_markdown(
    write: Write, tmp_path: Path
) -> None:
    (tmp_path / "map.png").write_bytes(b"\x89PNG\r\n")
    built = build(write("![the field](map.png)"), tmp_path / "out")
    page = (tmp_path / "out" / "plan.en.html").read_text(encoding="utf-8")
    assert '<img src="data:image/png;base64,iVBORw0K" alt="the field">' in page
    assert "![the field](images/plan-map.png)" in built.files[1].read_text(encoding="utf-8")
    assert (tmp_path / "out" / "images" / "plan-map.png").read_bytes() == b"\x89PNG\r\n"
    with pytest.raises(ArticleFault, match="no words for those who do not see it"):
        build(write("![](map.png)"), tmp_path / "out")


def test_every_page_ends_with_how_to_reproduce_it(write: Write, tmp_path: Path) -> None:
    file = write("{{ pct('contact @ shoot') }}")
    build(file, tmp_path / "out", seed=5, trials=9_000, engine="sample")
    scenario = cs.load(SHOOT)
    from chargesim.kernels.jit import rules_hash

    for lang, words in (("en", "sampled: seed 5, 9,000 trials"), ("es", "semilla 5, 9.000")):
        for ending in ("md", "html"):
            page = (tmp_path / "out" / f"plan.{lang}.{ending}").read_text(encoding="utf-8")
            for fact in (
                "chargesim article build plan.md --out DIR --engine sample --trials 9000 --seed 5",
                f"{scenario.ruleset.version}",
                rules_hash("wh6"),
                scenario.hash[:12],
                words,
                cs.__version__,
            ):
                assert fact in page
            for name, value in scenario.switches.items():
                shown = f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
                assert shown in page.replace("\\", "")
