"""The Python API: results, outcome expressions, intervals, waterfalls, lazy import."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from scipy.stats import binomtest

import chargesim as cs
from chargesim.engine.stats import binomial_test, half_width, wilson
from chargesim.errors import InputError
from chargesim.report.charges import waterfall

CASES = Path(__file__).parent / "conformance"
SHOOT = CASES / "02_stand_and_shoot_panic.toml"
FLEE = CASES / "07_flee_fast_inch.toml"
TABLES = tomllib.loads(SHOOT.read_text(encoding="utf-8"))

# by hand: each of ten shots hits on 5+ (1/3), wounds on 4+ (1/2) and meets a save of 5+ (2/3
# fail): 1/9. Five boars; two, three or four lost: Panic on Ld 7, failed by 15 of 36
SHOT = [math.comb(10, k) * 8 ** (10 - k) / 9**10 for k in range(11)]
LOST = [*SHOT[:5], sum(SHOT[5:])]
FAILS = 15 / 36
PANIC = sum(LOST[2:5]) * FAILS
DESTROYED = LOST[5]
CONTACT = 1 - PANIC - DESTROYED
REMEDY = "write a word such as contact, 0:contact & 1:contact, spears:target_broke*"
near = pytest.approx


@pytest.fixture(scope="module")
def exact() -> cs.Result:
    return cs.solve(cs.load(SHOOT))


@pytest.fixture(scope="module")
def sampled() -> cs.Result:
    return cs.solve(cs.load(SHOOT), engine="sample", trials=50_000, seed=3)


@pytest.fixture(scope="module")
def flight() -> cs.Result:
    return cs.solve(cs.load(FLEE))


# the result


def test_probabilities_are_those_reckoned_by_hand(exact: cs.Result) -> None:
    assert exact.probability("contact") == near(CONTACT, rel=1e-12)
    assert exact.probability("charger_fled_panic") == near(PANIC, rel=1e-12)
    assert exact.probability("charger_destroyed") == near(DESTROYED, rel=1e-12)
    assert round(exact.probability("contact"), 6) == 0.870497  # as the contract prints it


def test_an_exact_interval_is_a_point(exact: cs.Result) -> None:
    p = exact.probability("contact")
    assert exact.interval("contact") == (p, p)
    assert (exact.engine, exact.is_exact, exact.widest) == ("exact", True, 0.0)


def test_a_sampled_interval_is_wilsons(sampled: cs.Result) -> None:
    assert (sampled.engine, sampled.is_exact) == ("sample", False)
    for word in ("contact", "charger_fled_panic", "charger_destroyed", "blocked"):
        count = round(sampled.probability(word) * 50_000)
        theirs = binomtest(count, 50_000).proportion_ci(0.95, method="wilson")
        assert sampled.interval(word) == near((theirs.low, theirs.high), abs=1e-12)
    ends = [
        sampled.interval(f"{prefix}:{word}")
        for prefix, views in (("0", sampled.charges), ("handgunners", sampled.combats))
        for word in views[0][1].words.values()
    ]
    assert sampled.widest == near(max((high - low) / 2 for low, high in ends))
    z = (sampled.probability("contact") - CONTACT) / math.sqrt(CONTACT * (1 - CONTACT) / 50_000)
    assert abs(z) < 5


def test_end_states_among_some_words(exact: cs.Result) -> None:
    part, view = exact.charges[0]
    words = ("contact", "target_fled_caught", "no such word")
    both = exact.chance(part, view.among(words))[0]
    assert both == pytest.approx(sum(exact.probability(word) for word in words[:2]))
    assert not view.among(()).any()
    assert view.among(list(view.words.values())).sum() == sum(
        int(code) in view.words for code in view.codes
    )


def test_distribution(exact: cs.Result) -> None:
    found = exact.distribution("shooting_casualties")
    assert isinstance(found, pd.Series)
    assert list(found.index) == [0, 1, 2, 3, 4, 5]
    assert list(found) == near(LOST, rel=1e-12)
    assert found.index.name == "shooting_casualties"
    assert found.name == "p"


def test_at_least(exact: cs.Result) -> None:
    curve = exact.at_least("shooting_casualties")
    assert list(curve.index) == [0, 1, 2, 3, 4, 5]
    assert list(curve) == near([sum(LOST[k:]) for k in range(6)], rel=1e-12)


def test_mean(exact: cs.Result, flight: cs.Result) -> None:
    assert exact.mean("shooting_casualties") == near(sum(k * p for k, p in enumerate(LOST)))
    fallen = exact.mean("shooting_casualties") + exact.mean("reactive_wounds")
    assert exact.mean("boars:models_left") < 5 - fallen  # who is run down is lost too
    assert flight.mean("flee_distance") == near(10.5)  # 3D6
    assert math.isnan(exact.mean("flee_distance"))  # the target never flees
    assert exact.mean("boars:flee_distance") == near(28)  # 8D6, where rolled


def test_a_flight_has_the_mass_of_its_chance(exact: cs.Result, flight: cs.Result) -> None:
    assert exact.distribution("boars:flee_distance").sum() == near(PANIC)
    assert exact.distribution("flee_distance").empty
    assert flight.distribution("flee_distance")[3] == near(1 / 216)


def test_table_is_tidy(exact: cs.Result) -> None:
    table = exact.table()
    assert list(table.columns) == [
        "charge", "charger", "target", "reaction", "outcome", "p", "low", "high",
    ]  # fmt: skip
    assert len(table) == 3
    assert table.p.sum() == near(1)
    (row,) = table[table.outcome == "contact"].to_dict("records")
    assert row == {
        "charge": 0, "charger": "boars", "target": "handgunners", "reaction": "stand_and_shoot",
        "outcome": "contact", "p": near(CONTACT), "low": near(CONTACT), "high": near(CONTACT),
    }  # fmt: skip


def test_plot_draws_what_was_asked_for(exact: cs.Result, sampled: cs.Result) -> None:
    ax = exact.plot()
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert labels == [
        "declared", "charger shot down to the last", "charger panics under fire",
        "charge makes contact",
    ]  # fmt: skip
    assert "handgunners" in ax.get_figure().get_suptitle()
    bars = exact.plot("shooting_casualties")
    heights = [bar.get_height() for bar in bars.patches]
    assert heights == near([100 * p for p in LOST], rel=1e-9)
    assert exact.plot("shooting_casualties", lang="es").get_ylabel() == "probabilidad, %"
    fight = exact.plot("combat")
    words = [text.get_text() for text in fight.get_yticklabels()]
    assert (words[0], words[-1]) == ("target wiped out", "no combat")
    assert sum(bar.get_width() for bar in fight.patches) == near(100)
    score = exact.plot("handgunners:combat_result")
    assert sum(bar.get_height() for bar in score.patches) == near(100 * CONTACT)
    assert min(bar.get_x() for bar in score.patches) < -1
    assert sampled.plot(ax=bars) is bars
    with pytest.raises(InputError, match="no quantity 'casualties'"):
        exact.plot("casualties")


def test_to_dict_is_json_without_loss(exact: cs.Result, sampled: cs.Result) -> None:
    for result in (exact, sampled):
        content = result.to_dict()
        assert json.loads(json.dumps(content, allow_nan=False)) == content
        (charge,) = content["charges"]
        for word, e in charge["outcome"].items():
            assert e["p"] == result.probability(word)
            assert (e["low"], e["high"]) == result.interval(word)
        steady = content["units"]["handgunners"]["state"]["steady"]
        assert steady == near(1 - result.probability("contact"))
        assert charge["impact_hits"] == charge["impact_wounds"] == charge["flee_distance"] == {}
        assert content["units"]["boars"]["wounds_left"] == {}
    assert exact.to_dict()["charges"][0]["shooting_casualties"]["2"] == near(LOST[2])


def test_repr_and_html(exact: cs.Result, sampled: cs.Result) -> None:
    title = TABLES["title"]
    assert repr(exact) == f"Result({title!r}, exact)"
    assert repr(sampled) == f"Result({title!r}, 50,000 trials, seed 3)"
    html = exact._repr_html_()
    assert html.startswith("<section")
    assert html.rstrip().endswith("</section>")
    assert "87.050 %" in html


def test_html_escapes_what_the_user_named() -> None:
    tables = {**TABLES, "title": "<script>alert(1)</script> & co"}
    html = cs.solve(cs.Scenario(**tables))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in html


def test_solve_is_the_same_by_seed_and_for_any_threads() -> None:
    scenario = cs.load(SHOOT)
    one, two, other = (
        cs.solve(scenario, engine="sample", trials=30_000, seed=seed, threads=threads)
        for seed, threads in ((9, 1), (9, 2), (10, 2))
    )
    assert one.to_dict() == two.to_dict()
    assert one.to_dict() != other.to_dict()


def test_auto_samples_what_is_too_large_for_exact() -> None:
    result = cs.solve(cs.load(SHOOT), max_states=3, trials=1000)
    assert (result.engine, result.trials) == ("sample", 1000)
    with pytest.raises(cs.ChargesimError, match="more than 3 states after phase 'shooting'"):
        cs.solve(cs.load(SHOOT), engine="exact", max_states=3)


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    cs.solve(
        cs.load(SHOOT), engine="sample", trials=100_000, progress=lambda *n: seen.append(n)
    )  # fmt: skip
    assert seen[-1] == (100_000, 100_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_trace_is_text(exact: cs.Result) -> None:
    text = cs.trace(exact.scenario, seed=1, trial=0)
    assert "boars declared a charge on handgunners." in text
    assert text == cs.trace(exact.scenario, seed=1, trial=0)


def test_what_the_rules_replace_is_noted() -> None:
    result = cs.solve(cs.load(CASES / "11_frenzy_cannot_flee.toml"))
    (note,) = result.notes
    assert set(note) == {"unit", "charge", "rule", "text"}
    assert note["rule"].startswith("WH6-")
    assert result.to_dict()["charges"][0]["reaction"] == "hold"


# outcome expressions


@pytest.mark.parametrize(
    ("outcome", "p"),
    [
        ("contact", CONTACT),
        (" 0:contact ", CONTACT),
        ("charger_fled_panic+charger_destroyed", PANIC + DESTROYED),
        ("contact + contact", CONTACT),
        ("charger_*", PANIC + DESTROYED),
        ("*", 1.0),
        ("out_of_reach", 0.0),
        ("target_fled*", 0.0),
        ("needs_sixes", 0.0),
        ("boars:fleeing & charger_fled_panic", PANIC),
        ("handgunners:steady", PANIC + DESTROYED),
        ("boars:models_left=3 & charger_fled_panic", LOST[2] * FAILS),
        ("boars:models_left <= 1 & charger_*", LOST[4] * FAILS + LOST[5]),
        ("no_combat", PANIC + DESTROYED),
        ("combat_result>=-99", CONTACT),  # it arises where there is a fight
        ("combat_result>=0 + combat_result<0 | 0:contact", 1.0),
        ("shooting_casualties>=2", sum(LOST[2:])),
        ("shooting_casualties > 2", sum(LOST[3:])),
        ("shooting_casualties<2", sum(LOST[:2])),
        ("shooting_casualties == 2", LOST[2]),
        ("shooting_casualties>=-1", 1.0),
        ("shooting_casualties>99", 0.0),
        ("flee_distance<99", 0.0),  # never rolled, so not below anything
        ("contact & shooting_casualties>=2", sum(LOST[2:5]) * (1 - FAILS)),
        ("0:contact & handgunners:no_combat", 0.0),
        ("contact & charger_fled_panic", 0.0),
        ("contact | shooting_casualties=2", 1 - FAILS),
        ("contact | shooting_casualties<2", 1.0),
        ("contact & shooting_casualties=0 | contact", LOST[0] / CONTACT),
        ("contact | *", CONTACT),
    ],
)
def test_outcomes(outcome: str, p: float, exact: cs.Result, sampled: cs.Result) -> None:
    assert exact.probability(outcome) == near(p, rel=1e-12, abs=1e-15)
    assert exact.interval(outcome) == (exact.probability(outcome),) * 2
    low, high = sampled.interval(outcome)
    middle, half = (low + high) / 2, (high - low) / 2
    assert abs(p - middle) <= 3 * half + 1e-12


@pytest.mark.parametrize("outcome", ["contact | blocked", "contact | boars:steady"])
def test_an_impossible_condition_gives_nan(
    outcome: str, exact: cs.Result, sampled: cs.Result
) -> None:
    for result in (exact, sampled):
        assert math.isnan(result.probability(outcome))
        assert all(math.isnan(end) for end in result.interval(outcome))


def test_a_condition_counts_its_own_trials(sampled: cs.Result) -> None:
    part, view = sampled.charges[0]
    weights = sampled.tallies[part].weights
    given = view.quantities["shooting_casualties"].values == 2
    inside = given & (view.codes == next(c for c, w in view.words.items() if w == "contact"))
    count, trials = int(weights[inside].sum()), int(weights[given].sum())
    outcome = "contact | shooting_casualties=2"
    assert sampled.probability(outcome) == count / trials
    assert sampled.interval(outcome) == wilson(count, trials)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("contac", ("no outcome 'contac'", "'contact'")),
        ("contact+blockd", ("no outcome 'blockd'", "'blocked'")),
        ("target_flew*", ("no outcome 'target_flew*'",)),
        ("bors:fleeing", ("no charge or unit 'bors'", "'boars'")),
        ("1:contact", ("no charge or unit '1'", "0, boars, handgunners")),
        ("boars:fleing", ("no outcome 'fleing'", "'fleeing'")),
        ("shoting_casualties>=2", ("no quantity 'shoting_casualties'", "'shooting_casualties'")),
        ("contact | blockd", ("no outcome 'blockd'", "'blocked'")),
        ("contact & blockd", ("no outcome 'blockd'", "'blocked'")),
        ("zzz", ("no outcome 'zzz'", REMEDY)),
        ("", ("an outcome is missing", REMEDY)),
        ("contact+", ("an outcome is missing", REMEDY)),
        ("contact && blocked", ("an outcome is missing", REMEDY)),
        ("(contact)", ("'(contact)' cannot be read", REMEDY)),
        ("0:contact+0:blocked", ("cannot be read", REMEDY)),
        ("contact | blocked | contact", ("'blocked | contact' cannot be read", REMEDY)),
        ("shooting_casualties>=two", ("cannot be read", REMEDY)),
        ("shooting_casualties", ("is a number", "shooting_casualties>=1", "mean:")),
        ("mean:impact_hits & contact", ("a mean stands alone", "mean:impact_hits")),
        ("contact |", ("an outcome is missing", "contact")),
        ("contact & ", ("an outcome is missing", "contact")),
    ],
)
def test_unknown_outcomes_name_the_nearest(
    outcome: str, words: tuple[str, ...], exact: cs.Result
) -> None:
    with pytest.raises(InputError) as caught:
        exact.probability(outcome)
    for word in ("value: ", *words):
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["casualties", "1:impact_hits", "boars:model_left"])
def test_unknown_quantities_are_refused(name: str, exact: cs.Result) -> None:
    for ask in (exact.distribution, exact.at_least, exact.mean):
        with pytest.raises(InputError, match="value: there is no"):
            ask(name)


# statistics


@pytest.mark.parametrize("trials", [1, 2, 10, 1_000, 1_000_000, 10**12])
def test_wilson_against_scipy(trials: int) -> None:
    for count in {0, 1, trials // 7, trials // 2, trials - 1, trials}:
        theirs = binomtest(count, trials).proportion_ci(0.95, method="wilson")
        low, high = wilson(count, trials)
        assert (low, high) == near((theirs.low, theirs.high), rel=1e-9, abs=1e-15)
        assert 0 <= low <= count / trials <= high <= 1
        assert half_width(count, trials) == (high - low) / 2


def test_binomial_test_of_the_certain_and_the_impossible() -> None:
    assert binomial_test(0, 10, 0.0) == binomial_test(10, 10, 1.0) == 1.0
    assert binomial_test(1, 10, 0.0) == binomial_test(9, 10, 1.0) == 0.0
    assert binomial_test(3, 10, 0.5) == near(2 * sum(math.comb(10, k) for k in range(4)) / 1024)


# waterfalls


@pytest.mark.parametrize("engine", ["exact", "sample"])
@pytest.mark.parametrize("file", sorted(CASES.glob("*.toml")), ids=lambda file: file.stem)
def test_a_waterfall_adds_up(file: Path, engine: str) -> None:
    result = cs.solve(cs.load(file), engine=engine, trials=20_000)
    steps = waterfall(result)
    assert sum(step.p for step in steps) == near(1, abs=1e-12)
    left = 1.0
    for step in steps[:-1]:
        left -= step.p
        assert step.left == near(left, abs=1e-12)
        assert step.low <= step.p <= step.high
    assert steps[-1].word == "contact"
    assert steps[-1].p == near(left, abs=1e-12)
    assert steps[-1].p == result.probability("contact")


def test_a_value_is_a_mean_or_a_probability() -> None:
    chariot = cs.solve(cs.load(SHOOT.with_name("12_chariot_scythes.toml")))
    assert chariot.value("mean:impact_wounds") == near(15 / 4)  # 4.5 hits, 5/6 each
    assert chariot.value("mean:spears:models_left") < 20 - 15 / 4
    assert chariot.value("contact") == 1


def test_at_least_nothing_is_certain_even_when_sampled() -> None:
    from chargesim.report.render import text
    from chargesim.report.result_tables import result_document

    shown = text(result_document(cs.solve(cs.load(SHOOT), engine="sample", trials=2000), "en"))
    row = next(line for line in shown.splitlines() if line.strip().startswith("0 "))
    assert " 100 %" in row


def test_a_better_leadership_never_hurts_the_charge() -> None:
    scenario = cs.load(SHOOT)
    chances = [
        cs.solve(scenario.replace(**{"unit.boars.Ld": ld})).probability("contact")
        for ld in range(2, 11)
    ]
    assert chances == sorted(chances)
    assert chances[7 - 2] == near(CONTACT)


def test_names_of_the_package() -> None:
    assert set(cs.__all__) <= set(dir(cs))
    for name in cs.__all__:
        assert getattr(cs, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        _ = cs.slove
    assert cs.odds("2d6 <= 7").answer().probability == Fraction(7, 12)


def test_importing_the_package_imports_next_to_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, chargesim; heavy = {'numpy', 'numba', 'pandas', 'pydantic', 'matplotlib',"
        " 'scipy', 'typer', 'rich'}; print(sorted(heavy & set(sys.modules)));"
        "chargesim.odds('2d6'); print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(cs.__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n") == ["[]", "False", ""]
