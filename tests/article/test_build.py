"""Building: numbers are those of the scenarios, claims are tested, faults name file and line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from article.plans import FLEE, HEAD, SHOOT, Write

import chargesim as cs
from chargesim import cli
from chargesim.data import rosters
from chargesim.report.article import answers as answering
from chargesim.report.article.build import ArticleFault, ClaimFault, build
from chargesim.report.article.template import escape_markdown


def text_of(file: Path, out: Path, lang: str = "en", **options: Any) -> str:
    """The text of an article, without what stands under it, with plain spaces."""
    build(file, out, **options)
    text = (out / f"{file.stem}.{lang}.md").read_text(encoding="utf-8")
    return text.partition("\n---\n")[0].replace("\u00a0", " ").strip()


def line_of(file: Path, text: str) -> int:
    lines = file.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, start=1) if text in line)


# numbers


def test_numbers_are_those_of_the_scenario(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ pct('target_fled_caught', 3) }}|{{ p('target_fled_escaped', 6) }}|"
        "{{ num('mean:flee_distance') }}|{{ pct('contact @ shoot', 3) }}|"
        "{{ pct('contact @ shoot[unit.boars.Ld=9]', 3) }}|"
        "{{ points('contact @ shoot[unit.boars.Ld=9] - contact @ shoot', 2) }}|"
        "{{ pct('2d6<=7 @ dice') }}|{{ num('sd:5d6 @ dice', 3) }}"
    )
    text = text_of(write(body), tmp_path / "out").splitlines()[-1]
    flee, shoot = (cs.solve(cs.load(file)) for file in (FLEE, SHOOT))
    brave = cs.solve(cs.load(SHOOT).replace(**{"unit.boars.Ld": 9}))
    better = brave.probability("contact") - shoot.probability("contact")
    assert text.split("|") == [
        f"{100 * flee.probability('target_fled_caught'):.3f} %",
        f"{flee.probability('target_fled_escaped'):.6f}",
        f"{flee.mean('flee_distance'):g}",
        f"{100 * shoot.probability('contact'):.3f} %",
        f"{100 * brave.probability('contact'):.3f} %",
        f"{100 * better:.2f}",
        "58.3 %",
        "3.819",
    ]


def test_both_languages_come_from_one_plan(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ pct('contact @ shoot') }} {{ term('Ld') }} {{ term('stand_and_shoot') }} "
        "{{ name('archers') }} {{ plural(1, '{n} one', '{n} many') }} "
        "{{ plural(1500, '{n} one', '{n} many') }} {{ tr(en='yes', es='sí') }} "
        "{% lang en %}prose{% endlang %}{% lang es %}prosa{% endlang %}"
    )
    file = write(body)
    text = text_of(file, tmp_path / "out")
    assert text.endswith("87.0 % Ld stand and shoot archers 1 one 1,500 many yes prose")
    assert text.startswith("# Title")
    text = text_of(file, tmp_path / "out", "es")
    assert text.endswith("87,0 % L Aguantar y disparar arqueros 1 one 1.500 many sí prosa")
    assert text.startswith("# Título")


def test_one_language_alone(write: Write, tmp_path: Path) -> None:
    built = build(write("x"), tmp_path / "out", "es")
    assert [file.name for file in built.pages] == ["plan.es.html"]
    with pytest.raises(cs.InputError, match="is not written in 'fr'"):
        build(write("x"), tmp_path / "out", "fr")


def test_sampled_numbers_have_fewer_decimals(write: Write, tmp_path: Path) -> None:
    body = "{{ pct('contact @ shoot', 3) }} {{ interval('contact @ shoot') }}"
    text = text_of(write(body), tmp_path / "out", engine="sample", trials=10_000)
    exact = 100 * cs.solve(cs.load(SHOOT)).probability("contact")
    p, low, high = (float(found) for found in re.findall(r"[\d.]+", text)[-3:])
    assert low < exact < high
    assert len(re.findall(r"(\d+\.?\d*) %", text)[0].partition(".")[2]) <= 1
    assert low < p < high


def test_levels_are_where_a_value_first_and_last_reaches(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ level('target_fled_caught', 'charge.0.distance=20:36', 0.5, last=True) }} "
        "{{ level('1 - target_fled_caught', 'charge.0.distance=20:36', 0.5) }}"
    )
    # caught on 44 - d or less: half of the flights of 5D6 cm are 17 or less
    assert text_of(write(body), tmp_path / "out").endswith("27 27")


# tables


def test_a_table_over_two_paths_is_that_of_the_command(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ table('contact @ shoot', rows='charge.0.distance=16,20,37', cols='unit.boars.L=6,9') }}"
    )
    text = text_of(write(body), tmp_path / "out")
    frame = cs.table(
        cs.load(SHOOT), {"charge.0.distance": [16, 20, 37]}, {"unit.boars.Ld": [6, 9]}, "contact"
    )
    rows = [line.split("|")[1:-1] for line in text.splitlines() if re.match(r"\| \d", line)]
    assert [row[0].strip() for row in rows] == ["16", "20", "37"]
    for row, values in zip(rows, frame.to_numpy(), strict=True):
        shown = [float(cell.strip(" %")) for cell in row[1:]]
        assert shown == pytest.approx([100 * v for v in values], abs=0.051)


def test_tables_over_scenarios_changes_and_values(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ table({'a': 'contact', 'b': 'mean:shooting_casualties'},"
        " rows={'near': 'shoot[charge.0.distance=10]', 'far': 'shoot'}) }}\n\n"
        "{{ table({'a': 'contact', 'b': 'charger_fled_panic'}, cols=['shoot']) }}\n\n"
        "{{ table('contact', rows=['shoot'], cols={'Ld 9': '[unit.boars.Ld=9]'}) }}"
    )
    text = text_of(write(body), tmp_path / "out")
    assert "| near | 100 % | 0.00 |" in text
    assert "| far | 87.0 % | 1.11 |" in text
    assert "| b | 12.7 % |" in text
    assert "| shoot | 94.7 % |" in text


def test_profiles_go_by_the_names_of_each_edition(write: Write, tmp_path: Path) -> None:
    file = write("{{ profiles('flee') }}")
    english, spanish = (text_of(file, tmp_path / "out", lang) for lang in ("en", "es"))
    assert " M | WS | BS | S | T | W | I | A | Ld |" in english
    assert " M | HA | HP | F | R | H | I | A | L |" in spanish
    assert "| arqueros | 12 |" in spanish
    assert "caballería rápida" in spanish


def test_comparisons_end_in_a_verdict(write: Write, tmp_path: Path) -> None:
    body = "{{ compare('contact', {'plain': 'shoot', 'brave': 'shoot[unit.boars.Ld=9]'}) }}"
    file = write(body)
    text = text_of(file, tmp_path / "out")
    assert re.search(r"\| 1 \| brave \| 94\.7 % \| – \|", text)
    assert "brave beats plain by 7.6" in text
    assert "brave supera a plain" in text_of(file, tmp_path / "out", "es")


def test_traces_are_those_of_the_command(write: Write, tmp_path: Path) -> None:
    file = write("{{ trace('flee', trial=4) }}")
    told = cs.trace(cs.load(FLEE), 0, 4)
    steps = [line.partition("] ")[2].strip() for line in told.splitlines() if "[WH6" in line]
    text = text_of(file, tmp_path / "out").replace("\\", "")
    assert steps
    assert all(step in text for step in steps)
    assert "arqueros" in text_of(file, tmp_path / "out", "es")


FIGURES = [
    "figure('lines', [curve('a', 'contact @ shoot', 'charge.0.distance=10:40:10')], mark=0.5)",
    "figure('bars', 'contact', ['shoot', 'flee'])",
    "figure('bars', {'a': 'contact', 'b': 'blocked'}, ['shoot'])",
    "figure('bars', 'contact @ shoot - 0.9', ['shoot'])",
    "figure('outcomes', ['shoot', 'flee'])",
    "figure('outcomes', ['shoot'], of='combat')",
    "figure('spread', [spread('a', 'flee_distance @ flee'), spread('b', '2d6 @ dice', scale=2.5)])",
    "figure('spread', [spread('a', 'shooting_casualties @ shoot')], at_least=True)",
    "figure('map', 'contact @ shoot', rows='charge.0.distance=10:40:10', cols='unit.boars.Ld=5:9')",
    "figure('charge', 'shoot')",
    "figure('combat', 'shoot', target='handgunners')",
    "figure('why', 'handgunners:target_broke* @ shoot')",
]


def test_every_kind_of_figure_has_a_picture_words_and_numbers(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    # what matters, sampled, is many scenarios
    cases: list[tuple[list[str], dict[str, Any]]] = [
        (FIGURES, {}),
        (FIGURES[:-1], {"engine": "sample", "trials": 5_000}),
    ]
    for figures, options in cases:
        body = "\n\n".join("{{ " + figure + " }}" for figure in figures)
        built = build(write(body), out, **options)
        pictures = [one for one in built.files if one.suffix == ".svg"]
        assert len(pictures) == 2 * len(figures)
        assert all("<svg" in one.read_text(encoding="utf-8") for one in pictures)
        for lang, word in (("en", "makes contact"), ("es", "llega al contacto")):
            page = (out / f"plan.{lang}.html").read_text(encoding="utf-8")
            labels = re.findall(r'role="img" aria-label="([^"]*)"', page)
            assert len(labels) == len(figures)
            assert all(re.search(r"\d", label) for label in labels)
            assert re.search(word, page)


def test_figures_of_maps_are_for_rulesets_that_have_them(write: Write, tmp_path: Path) -> None:
    hexes = FLEE.replace("run_or_hold", "stand_or_square")
    field = FLEE.replace("run_or_hold", "price_of_a_flank")
    head = f'+++\ntitle = "x"\n[scenarios]\nh = "{hexes}"\nr = "{field}"\nw = "{FLEE}"\n+++\n'
    file = write("{{ figure('scene', 'h') }}\n\n{{ figure('scene', 'r') }}", head)
    built = build(file, tmp_path / "out")
    assert sum(one.suffix == ".svg" for one in built.files) == 2
    assert "ILLUSTRATIVE" in (tmp_path / "out" / "plan.en.md").read_text(encoding="utf-8").upper()
    with pytest.raises(ArticleFault, match="wh6 has no map"):
        build(write("{{ figure('scene', 'w') }}", head), tmp_path / "out")


def test_tables_and_figures_need_a_paragraph_of_their_own(write: Write, tmp_path: Path) -> None:
    file = write("one\n\nso {{ table('contact', rows=['shoot']) }} there")
    with pytest.raises(ArticleFault, match=rf"line {line_of(file, 'so {{')}: the table needs"):
        build(file, tmp_path / "out")


def test_a_claim_at_the_end_of_a_paragraph_does_not_join_the_next(
    write: Write, tmp_path: Path
) -> None:
    text = text_of(write("a {% claim contact = 0 %}b{% endclaim %}\n\nc"), tmp_path / "out")
    assert text.endswith("a b\n\nc")


# claims


def test_a_false_claim_fails_with_file_line_sentence_and_values(
    write: Write, tmp_path: Path
) -> None:
    file = write("first\n{% claim contact @ shoot > 0.9 %}nearly *always*{% endclaim %}\n")
    with pytest.raises(ClaimFault) as error:
        build(file, tmp_path / "out")
    told = str(error.value)
    exact = cs.solve(cs.load(SHOOT)).probability("contact")
    assert error.value.exit_code == 1
    assert f"{file}, line {line_of(file, 'claim')}: claim is false: contact @ shoot > 0.9" in told
    assert "sentence (en): nearly *always*" in told
    assert f"contact @ shoot = {exact:.6g} (exact)" in told
    assert not list((tmp_path / "out").glob("*.html"))


def test_every_untrue_claim_is_told(write: Write, tmp_path: Path) -> None:
    body = (
        "{% claim contact @ shoot < 0.5 %}one{% endclaim %}\n"
        "{% lang es %}{% claim contact @ shoot = 1 %}dos{% endclaim %}{% endlang %}"
    )
    with pytest.raises(ClaimFault, match=r"(?s)2 claims not supported.*one.*dos"):
        build(write(body), tmp_path / "out")


def test_an_undecided_claim_fails_like_a_false_one(write: Write, tmp_path: Path) -> None:
    exact = cs.solve(cs.load(SHOOT)).probability("contact")
    file = write("{% claim contact @ shoot > " + f"{exact - 0.003:.6f}" + " %}x{% endclaim %}")
    options: dict[str, Any] = {"engine": "sample", "seed": 3}
    with pytest.raises(ClaimFault, match="claim is not decided at this many trials"):
        build(file, tmp_path / "out", **options, trials=2_000)
    assert build(file, tmp_path / "out", **options, trials=2_000_000).claims == 1


def test_differences_are_judged_with_shared_luck(write: Write, tmp_path: Path) -> None:
    near = "contact @ shoot[unit.handgunners.shooters=9]"
    one, other = (
        cs.solve(s, engine="sample", trials=3_000)
        for s in (cs.load(SHOOT).replace(**{"unit.handgunners.shooters": 9}), cs.load(SHOOT))
    )
    # two samples by themselves would not tell them apart
    assert one.interval("contact")[0] < other.interval("contact")[1]
    file = write("{% claim " + near + " > contact @ shoot %}x{% endclaim %}")
    assert build(file, tmp_path / "out", engine="sample", trials=3_000).claims == 1


def test_claims_hold_at_every_level_that_they_name(write: Write, tmp_path: Path) -> None:
    good = "{% claim target_fled_caught @ flee[charge.0.distance=10:27] >= 0.5 %}x{% endclaim %}"
    assert build(write(good), tmp_path / "out").claims == 1
    with pytest.raises(ClaimFault, match=r"0\.902.*, 0\.399"):
        build(write(good.replace("10:27", "22:28:6")), tmp_path / "out")


def test_claims_know_the_numbers_of_the_template(write: Write, tmp_path: Path) -> None:
    body = (
        "{% set mine = pct('contact @ shoot') %}{% claim mine > 0.5 %}more than half{% endclaim %}"
        "{% for n in [1, 2] %}{% claim n < 3 %}few{% endclaim %}{% endfor %}"
    )
    assert build(write(body), tmp_path / "out").claims == 2
    with pytest.raises(ClaimFault, match="n > 1"):
        build(write(body.replace("n < 3", "n > 1")), tmp_path / "out")


def test_claims_in_comments_and_raw_blocks_are_none(write: Write, tmp_path: Path) -> None:
    body = (
        "{# {% claim contact > 2 %}x{% endclaim %} #}"
        "{% raw %}{% claim contact > 2 %}{% endraw %} {% claim 'contact = 0' %}y{% endclaim %}"
    )
    file = write(body)
    assert build(file, tmp_path / "out").claims == 1
    text = (tmp_path / "out" / "plan.en.md").read_text(encoding="utf-8")
    assert "{% claim contact > 2 %}" in text


def test_a_claim_shows_what_it_was_tested_for(write: Write, tmp_path: Path) -> None:
    build(write("{% claim contact @ shoot > 0.5 %}so *it* is{% endclaim %}"), tmp_path / "out")
    page = (tmp_path / "out" / "plan.en.html").read_text(encoding="utf-8")
    exact = cs.solve(cs.load(SHOOT)).probability("contact")
    told = f"contact @ shoot &gt; 0.5: contact @ shoot = {exact:.6g} (exact); 0.5"
    assert f'<span class="claim" title="{told}">so <em>it</em> is</span>' in page


# faults


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("{{ pctt('contact') }}", "'pctt' is undefined; the nearest known is 'pct'"),
        ("{{ pct(gone) }}", "'gone' is undefined"),
        ("{{ pct('contac') }}", "there is no outcome 'contac'; the nearest known is 'contact'"),
        ("{{ pct('contact @ shot') }}", "no scenario 'shot' in the plan; the nearest known"),
        ("{{ pct('contact @ shoot[unit.boar.Ld=7]') }}", "there is no 'unit.boar.Ld'"),
        ("{{ pct('contact @ shoot[unit.boars.Ld=99]') }}", "99 is too large"),
        ("{{ pct('contact @ shoot[unit.boars.Ld=7,8]') }}", "2 values stand where one is meant"),
        ("{{ pct('contact > 0.5') }}", "only claims compare"),
        ("{{ table('contact', rows='charge.0.distanse=1:3') }}", "there is no 'charge.0.distanse'"),
        ("{{ table('contact', rows=[]) }}", "nothing in the list"),
        ("{{ table({'a': 'contact', 'b': 'contact'}, rows=['shoot'], cols=['flee']) }}",
         "several values need a side"),
        ("{{ table('contact', rows=['shoot'], cols=['flee']) }}", "both name scenarios"),
        ("{{ table('contact', rows=['shoot', 'shoot']) }}", "two entries of the list"),
        ("{{ figure('pie', 'contact') }}", "there is no kind 'pie'"),
        ("{{ figure('lines') }}", "missing 1 required positional argument: 'curves'"),
        ("{{ figure('lines', 'contact') }}", "give a list of curves"),
        ("{{ figure('outcomes', ['shoot'], of='war') }}", "of 'war' is neither"),
        ("{{ figure('combat', 'shoot', target='nobody') }}", "nobody charges 'nobody'"),
        ("{{ compare('contact', ['shoot']) }}", "give two scenarios or more"),
        ("{{ level('contact', 'charge.0.distance=10:40:10', 0.5) }}", "never reaches 0.5"),
        ("{{ tr(en='x') }}", "there is no 'es'"),
        ("{{ kept('x') }}", "no result 'x'"),
        ("{{ trace('shoot', trial=-1) }}", "trial: -1 is none"),
        ("{{ pct('2d7x @ dice') }}", "odds: "),
        ("{{ pct('2d6 @ dice') }}", "is a roll: write mean:2d6"),
        ("{% claim contact %}x{% endclaim %}", "compares nothing"),
        ("{% claim %}x{% endclaim %}", "compares nothing|a claim compares"),
        ("{% lang fr %}x{% endlang %}", "no language 'fr': one of en, es"),
        ("{% claim contact > 0 %}x", "Unexpected end of template"),
        ("{% if %}x{% endif %}", "Expected an expression"),
        ("{{ ''.__class__.__mro__ }}", "access to attribute '__class__' .* is unsafe"),
        ("{{ [].append(1) }}", "is not safely callable|unsafe"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "macros without end"),
        ("{{ 1 / 0 }}", "ZeroDivisionError: division by zero"),
        ("![x](http://elsewhere/x.png)", "is elsewhere: a page loads nothing"),
        ("![x](../../x.png)", "is not beside or below the plan"),
        ("![x](gone.png)", "cannot be read"),
        ("![x](plan.md)", "is no picture"),
    ],
)  # fmt: skip
def test_faults_of_the_text_name_file_and_line(
    write: Write, tmp_path: Path, body: str, told: str
) -> None:
    file = write(f"first\n\n{body}\n")
    with pytest.raises(ArticleFault, match=told) as error:
        build(file, tmp_path / "out")
    assert error.value.exit_code == 2
    assert str(file) in str(error.value)
    if not body.startswith("!"):
        wanted = {line_of(file, "first") + 2, line_of(file, "first") + 3}
        found = {int(n) for n in re.findall(r"plan\.md, line (\d+)", str(error.value))}
        assert found <= wanted
        assert found
    assert not list((tmp_path / "out").glob("*.html"))


def test_all_faults_are_told_at_once(write: Write, tmp_path: Path) -> None:
    file = write("{{ pct('contac') }}\n\n{{ figure('pie') }}\n\n{% claim contact %}x{% endclaim %}")
    with pytest.raises(ArticleFault) as error:
        build(file, tmp_path / "out")
    first = line_of(file, "contac")
    for line in (first, first + 2, first + 4):
        assert f"line {line}: " in str(error.value)
    assert str(error.value).count("\n") == 2  # each once, though there are two languages


# names and pages

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


# keeping


def test_only_what_changed_is_computed(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ pct('contact @ shoot') }}\n\n"
        "{{ table('contact', rows='charge.0.distance=10:30:10') }}\n\n"
        "{{ figure('bars', 'contact', ['shoot']) }}\n\n{{ trace() }}\n\n"
        "{{ compare('contact', ['shoot', 'flee']) }}"
    )
    out = tmp_path / "out"
    first = build(write(body), out)
    assert first.computed
    assert not first.reused
    before = {file: file.stat().st_mtime_ns for file in first.files}
    second = build(write(body), out)
    assert (second.computed, second.reused, second.redone) == (0, first.computed, 0)
    assert {file: file.stat().st_mtime_ns for file in second.files} == before
    third = build(write(body.replace("10:30:10", "10:30:5")), out)
    assert third.computed == 1
    fourth = build(write(body), out, seed=1)
    assert fourth.computed > 1


def test_warm_pages_are_cold_pages(write: Write, tmp_path: Path) -> None:
    body = "\n\n".join("{{ " + figure + " }}" for figure in FIGURES[1:6])
    options: dict[str, Any] = {"engine": "sample", "trials": 3_000}
    pages = []
    for out in ("one", "one", "other"):
        built = build(write(body), tmp_path / out, **options)
        pages.append([file.read_bytes() for file in built.files])
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("harm", ["cut", "changed", "another", "empty", "nonsense"])
def test_damaged_answers_are_found_and_made_anew(write: Write, tmp_path: Path, harm: str) -> None:
    file, out = write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}"), tmp_path / "out"
    text = text_of(file, out)
    assert text.endswith("87.0 % 0 %")  # each scenario its own
    kept = sorted((out / ".chargesim" / "plan").iterdir())
    assert len(kept) == 2
    good = [one.read_bytes() for one in kept]
    bad = {
        "cut": good[0][:-9],
        "changed": good[0].replace(b'"engine": "exact"', b'"engine": "exacT"'),
        "another": good[1],
        "empty": b"",
        "nonsense": b"\xff\x00" * 50,
    }[harm]
    assert bad != good[0]
    kept[0].write_bytes(bad)
    built = build(file, out)
    assert (built.computed, built.reused, built.redone) == (1, 1, 1)
    assert text_of(file, out) == text
    assert kept[0].read_bytes() == good[0]


def test_answers_that_nobody_asks_for_are_thrown_away(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}"), out)
    build(write("{{ pct('contact @ shoot') }}"), out, "en")
    assert len(list((out / ".chargesim" / "plan").iterdir())) == 2
    build(write("{{ pct('contact @ shoot') }}"), out)
    assert len(list((out / ".chargesim" / "plan").iterdir())) == 1


def test_an_interrupted_build_keeps_its_answers(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = write("{{ pct('contact @ shoot') }} {{ pct('contact @ flee') }}")
    solve, asked = answering.solve, []

    def stops(*arguments: Any, **options: Any) -> Any:
        asked.append(arguments)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return solve(*arguments, **options)

    monkeypatch.setattr(answering, "solve", stops)
    command = ["article", "build", str(file), "--out", str(tmp_path / "out")]
    assert cli._guard(lambda: cli._run(command)) == 3
    assert "the answers found are kept" in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*.html"))
    monkeypatch.setattr(answering, "solve", solve)
    built = build(file, tmp_path / "out")
    assert (built.computed, built.reused) == (1, 1)


def test_too_many_charges_to_count_together_are_kept_too(tmp_path: Path, write: Write) -> None:
    phase = (Path(__file__).parent.parent / "scenarios" / "phase.toml").as_posix()
    head = f'+++\ntitle = "x"\n[scenarios]\na = "{phase}"\n[names.en]\n+++\n'
    file = write("{{ pct('contact') }} {{ pct('1:contact') }}", head)
    options: dict[str, Any] = {"engine": "sample", "trials": 20_000}
    cold = text_of(file, tmp_path / "out", **options)
    assert text_of(file, tmp_path / "out", **options) == cold


# what comes from elsewhere


def test_a_notebooks_results_are_used_by_name(write: Write, tmp_path: Path) -> None:
    scenario = cs.load(SHOOT)
    result = cs.solve(scenario, engine="sample", trials=30_000, seed=8)
    cs.keep("charge", result, tmp_path / "kept")
    cs.keep("grid", cs.grid(scenario, {"charge.0.distance": [20, 40]}), tmp_path / "kept")
    cs.keep("frame", result.table(), tmp_path / "kept")
    cs.keep("ratio", result.probability("contact") / 2, tmp_path / "kept")
    names = ("charge", "grid", "frame", "ratio")
    results = "\n".join(f'{name} = "kept/{name}.json"' for name in names)
    head = f'+++\ntitle = "x"\n[results]\n{results}\n+++\n'
    body = (
        "{{ pct('contact @ charge') }} {{ kept('ratio') }}\n\n{{ kept('grid') }}\n\n"
        "{{ kept('frame') }}\n\n{{ figure('charge', 'charge') }}\n\n"
        "{% claim contact > 0.8 %}x{% endclaim %}"
    )
    text = text_of(write(body, head), tmp_path / "out")
    p = result.probability("contact")
    assert f"{100 * p:.0f} % {p / 2:.2f}" in text  # as many decimals as 30,000 trials allow
    assert "| 20 | 87.0 % |" in text
    assert "| 0 | boars | handgunners | stand and shoot | charge makes contact | 0.8" in text


def test_what_is_kept_of_open_choices_is_what_was_played(write: Write, tmp_path: Path) -> None:
    scenario = cs.load(FLEE.replace("run_or_hold", "best_reaction"))
    result = cs.solve(scenario)
    cs.keep("best", result, tmp_path)
    head = '+++\ntitle = "x"\n[results]\nbest = "best.json"\n+++\n'
    shown = text_of(write("{{ pct('contact', 3) }}", head), tmp_path / "out")
    assert f"{100 * result.probability('contact'):.3f} %" in shown


@pytest.mark.parametrize("bad", [object(), True, "text", float("nan") * 1j])
def test_what_cannot_be_kept_is_told(tmp_path: Path, bad: Any) -> None:
    with pytest.raises(cs.InputError, match="cannot be kept: give a Result"):
        cs.keep("x", bad, tmp_path)
    with pytest.raises(cs.InputError, match="'a b' is no name"):
        cs.keep("a b", 1.0, tmp_path)


def test_kept_files_of_other_rules_or_damaged_are_told(write: Write, tmp_path: Path) -> None:
    file = cs.keep("r", cs.solve(cs.load(SHOOT)), tmp_path)
    head = '+++\ntitle = "x"\n[results]\nr = "r.json"\n+++\n'
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**content, "rules_hash": "0" * 64}), encoding="utf-8")
    with pytest.raises(ArticleFault, match=r"was found with other rules.*keep it anew"):
        build(write("{{ pct('contact') }}", head), tmp_path / "out")
    for bad in ("{", "[]", '{"chargesim_kept": 9}', json.dumps({**content, "answer": {}})):
        file.write_text(bad, encoding="utf-8")
        with pytest.raises(ArticleFault, match=r"no file that cs.keep wrote, or damaged"):
            build(write("{{ pct('contact') }}", head), tmp_path / "out")


STUDY = f"""
scenario = "{SHOOT}"
engine = "exact"
keep = "all"
[axes]
"charge.0.distance" = "18:38:4"
"unit.boars.Ld" = [6, 9]
"""


def test_a_studys_store_feeds_an_article(write: Write, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    cs.sweep(study, out=tmp_path / "results", workers=1)
    head = '+++\ntitle = "x"\n[studies]\ns = "results"\n+++\n'
    body = (
        "{{ pct('contact @ s[charge.0.distance=22, unit.boars.L=9]', 3) }} "
        "{{ num('mean:shooting_casualties @ s[charge.0.distance=22, unit.boars.Ld=9]', 4) }}\n\n"
        "{{ table('contact', rows='charge.0.distance=18,22,38', cols='unit.boars.Ld=6,9') }}\n\n"
        "{{ figure('lines', [curve('a', 'contact @ s[unit.boars.Ld=6]',"
        " 'charge.0.distance=18:38:4')]) }}\n\n"
        "{% claim contact @ s[charge.0.distance=18:34:4, unit.boars.Ld=9] > 0.9 %}x{% endclaim %}"
    )
    text = text_of(write(body, head), tmp_path / "out")
    direct = cs.solve(cs.load(SHOOT).replace(**{"charge.0.distance": 22, "unit.boars.Ld": 9}))
    assert f"{100 * direct.probability('contact'):.3f} %" in text
    assert f"{direct.mean('shooting_casualties'):.4f}" in text
    assert "| 38 | 0 % | 0 % |" in text
    for value, told in (
        ("contact @ s", "at which charge.0.distance\\? write it in brackets"),
        ("contact @ s[charge.0.distance=21, unit.boars.Ld=6]", "has no point with"),
        (
            "contact @ s[charge.0.distance=22, unit.boars.Ld=6, unit.boars.M=5]",
            "is not varied by this",
        ),
    ):
        with pytest.raises(ArticleFault, match=told):
            build(write("{{ pct('" + value + "') }}", head), tmp_path / "out")


def test_a_study_that_is_not_there_is_told(write: Write, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    head = '+++\ntitle = "x"\n[studies]\ns = "results"\n+++\n'
    with pytest.raises(ArticleFault, match="results"):
        build(write("{{ pct('contact @ s') }}", head), tmp_path / "out")


LISTS = """+++
title = "x"
[rosters]
ours = "shipped:guardia_del_puerto.ros"
theirs = "shipped:hueste_del_pantano.json"
+++
"""


def test_army_lists_meet(write: Write, tmp_path: Path) -> None:
    body = (
        "{{ matchup('ours', 'theirs', 'win', distance=15) }}\n\n"
        "{{ duel('ours', 'Ballesteros', 'theirs', 'Tiradores', 'arrive', distance=15) }}\n\n"
        "{{ blind_spots('ours', 'theirs', distance=15) }}\n\n{{ roster('theirs') }}"
    )
    out = tmp_path / "out"
    text = text_of(write(body, LISTS), out)
    files = [rosters()[name] for name in ("guardia_del_puerto", "hueste_del_pantano")]
    (found,) = cs.matchup(*files, distance=15, both=False)
    lines = text.splitlines()
    for charger, row in found.frame("win").iterrows():
        (line,) = (one for one in lines if one.startswith(f"| {charger} |"))
        for shown, value in zip(line.split(" | ")[1:], row, strict=True):
            number = float(re.findall(r"[\d.]+", shown)[0])
            assert number == pytest.approx(100 * value, abs=0.11)
    arrives = found.frame("arrive").loc["Ballesteros", "Tiradores"]
    assert f"\n{100 * arrives:.1f} %\n" in text or arrives in (0, 1)
    blind = [found.reactive.names[found.targets[spot[0]]] for spot in found.blind_spots()]
    assert blind
    assert all(any(one.startswith(f"| {name} | ") for one in lines) for name in blind)
    assert "| Jinetes de jabalí |" in text
    foot = (out / "plan.en.md").read_text(encoding="utf-8").partition("\n---\n")[2]
    assert "wh6, version" in foot
    assert "ours: guardia_del_puerto.ros" in foot
    assert build(write(body, LISTS), out).computed == 0


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("{{ matchup('ours', 'thers') }}", "no army list 'thers'; the nearest known is 'theirs'"),
        ("{{ matchup('ours', 'theirs', 'glory') }}", "no measure 'glory': one of arrive, win"),
        ("{{ matchup('ours', 'theirs', distance='x') }}", "distance 'x' is no number"),
        (
            "{{ duel('ours', 'Balesteros', 'theirs', 'Salvajes') }}",
            "nearest known is 'Ballesteros'",
        ),
    ],
)
def test_faults_of_match_ups_are_told(write: Write, tmp_path: Path, body: str, told: str) -> None:
    with pytest.raises(ArticleFault, match=told):
        build(write(body, LISTS), tmp_path / "out")


def test_lists_in_different_units_do_not_meet(write: Write, tmp_path: Path) -> None:
    head = LISTS.replace("hueste_del_pantano", "hill_clans")
    with pytest.raises(ArticleFault, match="different units of length"):
        build(write("{{ matchup('ours', 'theirs') }}", head), tmp_path / "out")


def test_names_of_a_roster_are_escaped(write: Write, tmp_path: Path) -> None:
    text = rosters()["hueste_del_pantano"].read_text(encoding="utf-8")
    evil = "<img src=x onerror=1>*b*|`c`"
    (tmp_path / "list.json").write_text(text.replace("Troll viejo", evil), encoding="utf-8")
    head = LISTS.replace("shipped:hueste_del_pantano.json", "list.json")
    body = "{{ roster('theirs') }}\n\n{{ matchup('ours', 'theirs') }}"
    build(write(body, head), tmp_path / "out")
    page = (tmp_path / "out" / "plan.en.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert "&lt;img src=x onerror=1&gt;*b*|`c`" in page
    markdown = (tmp_path / "out" / "plan.en.md").read_text(encoding="utf-8")
    assert r"\<img src=x onerror=1\>\*b\*\|\`c\`" in markdown


# the command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli._guard(lambda: cli._run(list(arguments)))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_builds_and_tells_what_it_did(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = str(write("{% claim contact = 0 %}x{% endclaim %}")), str(tmp_path / "out")
    code, text, err = run(capsys, "article", "build", file, "--out", out)
    assert (code, err) == (0, "")
    assert "plan.es.html" in text
    assert "1 claims tested, all supported" in text
    code, text, _ = run(capsys, "article", "build", file, "--out", out, "--format", "json")
    assert json.loads(text)["reused"] == 1
    code, text, _ = run(capsys, "article", "build", file, "--out", out, "--lang", "es")
    assert "plan.en.html" not in text
    assert "afirmaciones comprobadas" in text


@pytest.mark.parametrize(
    ("body", "code"),
    [("{% claim contact > 1 %}x{% endclaim %}", 1), ("{{ pct('x') }}", 2), ("{{", 2)],
)
def test_the_command_ends_with_the_code_of_the_contract(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, code: int
) -> None:
    found, out, err = run(
        capsys, "article", "build", str(write(body)), "--out", str(tmp_path / "out")
    )
    assert (found, out) == (code, "")
    assert "plan.md, line " in err
    assert "Traceback" not in err


def test_new_copies_what_builds_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.md"
    code, out, _ = run(capsys, "article", "new", "flee", str(file))
    assert code == 0
    assert f"chargesim article build {file}" in out
    assert file.read_text(encoding="utf-8").startswith("+++")
    for arguments, told in (
        (("flee", str(file)), "is there already"),
        (
            ("fle", str(tmp_path / "x.md")),
            "no kind 'fle'; the nearest known is 'flee'; all: charge",
        ),
        (("pie", str(tmp_path / "x.md")), "no kind 'pie'; known: charge, editions, flee, list, "),
        (("flee", str(tmp_path / "gone" / "x.md")), "make it first"),
    ):
        code, _, err = run(capsys, "article", "new", *arguments)
        assert code == 2
        assert told in err


def test_a_folder_that_cannot_be_made_is_told(write: Write, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(cs.InputError, match=r"out: .* cannot be made"):
        build(write("x"), tmp_path / "file")


def test_the_usual_plan_is_sound() -> None:
    assert HEAD.startswith("+++")
