"""Front matter: what is read, and what each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from article.plans import FLEE, Write

from chargesim.errors import InputError
from chargesim.report.article.plan import read_plan


def plan_with(write: Write, head: str) -> Path:
    return write("Text.\n", f"+++\n{head}\n+++\n")


def test_the_body_keeps_its_lines(write: Write) -> None:
    file = plan_with(write, f'title = "T"\n[scenarios]\na = "{FLEE}"')
    plan = read_plan(file)
    lines = file.read_text(encoding="utf-8").split("\n")
    assert plan.body.split("\n")[lines.index("Text.")] == "Text."
    assert plan.languages == ("en",)
    assert plan.titles == {"en": "T"}


def test_scenarios_are_files_tables_or_like_others(write: Write) -> None:
    head = f"""
title = "T"
seed = 7
trials = 5000
[scenarios]
a = "{FLEE}"
b = {{ file = "{FLEE}", set = {{ "charge.0.distance" = 30 }} }}
[scenarios.c]
like = "b"
label = "the third"
set = {{ "unit.archers.L" = 9 }}
"""
    plan = read_plan(plan_with(write, head))
    assert plan.scenarios["a"].at("charge.0.distance") == 27
    assert plan.scenarios["b"].at("charge.0.distance") == 30
    assert plan.scenarios["c"].at("charge.0.distance") == 30
    assert plan.scenarios["c"].at("unit.archers.Ld") == 9
    assert plan.labels["c"] == {"en": "the third"}
    assert (plan.options.seed, plan.options.trials) == (7, 5000)


def test_a_scenario_written_in_the_plan_is_the_one_of_its_file(write: Write) -> None:
    text = Path(FLEE).read_text(encoding="utf-8")
    nested = "\n".join(
        line.replace("[[", "[[scenarios.a.").replace("[", "[scenarios.a.", 1)
        if line.startswith("[") and not line.startswith("[[")
        else line.replace("[[", "[[scenarios.a.")
        for line in text.splitlines()
    )
    first = nested.index("ruleset")
    plan = read_plan(plan_with(write, f'title = "T"\n[scenarios.a]\n{nested[first:]}'))
    from chargesim.scenario import load

    assert plan.scenarios["a"].hash == load(FLEE).hash


BAD = [
    ("", "title: is missing"),
    ("title = 3", "title: 3 is no text"),
    ('title = { en = "x" }\nlanguages = ["en", "es"]', "title.es: is missing"),
    ('title = { en = "x", fr = "y" }', "title.fr: no language 'fr'"),
    ('titel = "x"', "titel: unknown key; the nearest known is 'title'"),
    ('title = "x"\nlanguages = "en"', "languages: 'en' is no list"),
    ('title = "x"\nlanguages = ["fr"]', "no language 'fr': one of en, es"),
    ('title = "x"\ntrials = 0', "trials: 0 cannot be played"),
    ('title = "x"\ntrials = 1.5', "trials: 1.5 is not a whole number"),
    ('title = "x"\nseed = -1', "seed: -1 is no seed"),
    ('title = "x"\nmax_states = 0', "max_states: 0 is too few"),
    ('title = "x"\nengine = "fast"', "engine: 'fast' is none of"),
    ('title = "x"\nscenarios = 3', "scenarios: 3 is not a table"),
    ('title = "x"\n[scenarios]\na = 3', "scenarios.a: 3 is no scenario"),
    ('title = "x"\n[scenarios]\na = "gone.toml"', "scenarios.a: .*gone.toml: cannot be read"),
    ('title = "x"\n[scenarios]\ndice = "f.toml"', "scenarios.dice: 'dice' is no name here"),
    ('title = "x"\n[scenarios]\n"a b" = "f.toml"', "'a b' is no name here"),
    ('title = "x"\n[scenarios.a]\ntitle = "y"', "scenarios.a: cannot be read: write its tables"),
    ('title = "x"\n[scenarios.a]\nlike = "b"', "scenarios.a.like: no scenario 'b' above"),
    (f'title = "x"\n[scenarios.a]\nfile = "{FLEE}"\nsett = {{}}', "scenarios.a.sett: unknown key"),
    (f'title = "x"\n[scenarios.a]\nfile = "{FLEE}"\nset = 3', "scenarios.a.set: 3 is not a table"),
    (
        f'title = "x"\n[scenarios.a]\nfile = "{FLEE}"\nset = {{ "charge.0.distanse" = 3 }}',
        "there is no 'charge.0.distanse'.*nearest known is 'charge.0.distance'",
    ),
    (
        f'title = "x"\n[scenarios.a]\nfile = "{FLEE}"\nset = {{ "charge.0.distance" = -3 }}',
        "scenarios.a.charge.0.distance: -3",
    ),
    ('title = "x"\n[studies]\na = "gone"', "studies.a: there is no 'gone' beside the plan"),
    ('title = "x"\n[rosters]\na = 3', "rosters.a: 3 is no army list"),
    ('title = "x"\n[rosters]\na = "shipped:gone.ros"', "rosters.a: there is no 'shipped:gone.ros'"),
    ('title = "x"\n[rosters.a]\nfile = "x.ros"\nover = 1', "rosters.a.over: unknown key"),
    ('title = "x"\n[results]\na = 3', "results.a: 3 is no path"),
    ('title = "x"\n[names.es]\na = "b"', "names.es: is no language of this plan"),
    ('title = "x"\n[names.en]\na = 3', "names.en: .* is no table of names"),
    (f'title = "x"\n[scenarios]\ns = "{FLEE}"\n[names.en]\narcher = "b"',
     "names.en.archer: no such unit; the nearest known is 'archers'"),
    (f'title = "x"\n[scenarios]\ns = "{FLEE}"\n[names.en]\narchers = "b"\nhorsemen = "b"',
     "two units have one name"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "told"), BAD)
def test_each_mistake_is_told(write: Write, head: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        read_plan(plan_with(write, head))
    assert "plan.md" in str(error.value)
    assert error.value.exit_code == 2


def test_all_mistakes_are_told_at_once(write: Write) -> None:
    with pytest.raises(InputError) as error:
        read_plan(plan_with(write, 'engine = "fast"\ntrials = 0\n[scenarios]\na = 3'))
    assert "4 faults" in str(error.value)


def test_a_name_stands_for_one_thing(write: Write, tmp_path: Path) -> None:
    (tmp_path / "f.json").touch()
    head = f'title = "x"\n[scenarios]\na = "{FLEE}"\n[results]\na = "f.json"'
    with pytest.raises(InputError, match=r"results.a: is the name of something else too"):
        read_plan(plan_with(write, head))


def test_faults_of_toml_name_the_line_of_the_file(write: Write) -> None:
    with pytest.raises(InputError, match=r"front matter is not TOML: .*line 3"):
        read_plan(plan_with(write, 'title = "x"\nsecond = = 2'))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"# no front matter\n", "line 1: a plan begins with its front matter"),
        (b"+++\ntitle = 'x'\n", "has no end"),
        (b"+++\n+++\n\xff\n", "line 3: is not UTF-8"),
        (b"x" * 1_000_001, "too large"),
    ],
)
def test_files_that_are_no_plans(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_plan(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read .*: give an article plan"):
        read_plan(tmp_path / "gone.md")
