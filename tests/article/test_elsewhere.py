"""Results, studies and army lists that an article takes in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from article.plans import FLEE, SHOOT, Write, text_of

import chargesim as cs
from chargesim.data import rosters
from chargesim.report.article.build import ArticleFault, build


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
