"""Claims are tested, and faults are told with file and line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from article.plans import SHOOT, Write, line_of

import chargesim as cs
from chargesim.report.article.build import ArticleFault, ClaimFault, build


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
