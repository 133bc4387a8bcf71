"""Numbers, tables and figures of an article: those of the commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from article.plans import FIGURES, FLEE, SHOOT, Write, line_of, text_of

import chargesim as cs
from chargesim.report.article.build import ArticleFault, build


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
