"""Several charges and their combats in one result, against chances reckoned by hand."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

import chargesim as cs
from chargesim.errors import InputError
from chargesim.report import figures, result_tables
from chargesim.report.charges import answer, combat_sentence, combat_words, waterfall
from chargesim.report.check import check
from chargesim.report.render import comma_separated, text

PHASE = Path(__file__).parent / "scenarios" / "phase.toml"
TRIALS = 40_000
near = pytest.approx

# A blow of WS 3, S 3 on WS 3, T 3 without armour kills with 1/4, and the charger strikes first
KILLS = Fraction(1, 4)
DUEL = {
    "target_wiped_out": KILLS,
    "draw": (1 - KILLS) ** 2,
    "charger_wiped_out": (1 - KILLS) * KILLS,
}
# with Frenzy the charger has two blows
FRENZIED = 1 - (1 - KILLS) ** 2
# a redirected charge of 18 + 1D6 that has 22 to go
REACHES = Fraction(3, 6)
# two shots at 25 cm: 5+ to hit, 3+ to wound; one lost of two is a panic test on 7
SHOT = Fraction(1, 3) * Fraction(2, 3)
STANDS = (1 - SHOT) ** 2 + 2 * SHOT * (1 - SHOT) * Fraction(21, 36)


@pytest.fixture(scope="module")
def exact() -> cs.Result:
    return cs.solve(cs.load(PHASE))


@pytest.fixture(scope="module")
def sampled() -> cs.Result:
    return cs.solve(cs.load(PHASE), engine="sample", trials=TRIALS, seed=5)


CHANCES: list[tuple[str, Fraction]] = [
    ("0:contact", Fraction(1)),
    ("2:contact", STANDS),
    ("3:contact", Fraction(1)),
    ("1:redirected_contact", REACHES),
    ("1:target_fled_escaped", 1 - REACHES),
    ("1.redirect.0:contact", REACHES),
    *((f"man:{word}", p) for word, p in DUEL.items()),
    *((f"guard:{word}", REACHES * p) for word, p in DUEL.items()),
    ("guard:no_combat", 1 - REACHES),
    ("archer:no_combat", Fraction(1)),
    ("peasant:target_wiped_out", FRENZIED),
    ("gunners:no_combat", 1 - STANDS),
    ("target_broke*+target_wiped_out+target_held", KILLS),  # of the first charge's combat
    # who is left outnumbers the enemy, which adds 1 to the wound
    ("combat_result=2", KILLS),
    ("man:combat_result<=-2", (1 - KILLS) * KILLS),
    ("gunners:combat_result>=-9", STANDS),
    ("gunners:combat_result<0 + combat_result>=0", STANDS),
    ("orc:models_left=0", (1 - KILLS) * KILLS),
    ("guard:active_wounds=0", 1 - REACHES * KILLS),
    # parts that cannot influence each other
    ("0:contact & 2:contact", STANDS),
    ("1:redirected_contact & 2:contact", REACHES * STANDS),
    ("man:draw & peasant:target_wiped_out", DUEL["draw"] * FRENZIED),
    ("man:target_* & peasant:target_* & guard:target_*", KILLS * FRENZIED * REACHES * KILLS),
    # one part, so not their product
    ("1:redirected_contact & guard:no_combat", Fraction(0)),
    ("1:target_fled_escaped & guard:no_combat", 1 - REACHES),
    ("guard:target_wiped_out | 1:redirected_contact", KILLS),
    ("guard:draw & man:draw | 1:redirected_contact", DUEL["draw"] ** 2),
    ("guard:draw | 1:redirected_contact & man:draw", DUEL["draw"]),
    ("1.redirect.0:contact | guard:draw", Fraction(1)),
]


@pytest.mark.parametrize(("outcome", "p"), CHANCES, ids=[outcome for outcome, _ in CHANCES])
def test_chances_by_hand(outcome: str, p: Fraction, exact: cs.Result, sampled: cs.Result) -> None:
    assert exact.probability(outcome) == near(float(p), rel=1e-12, abs=1e-15)
    assert exact.interval(outcome) == (exact.probability(outcome),) * 2
    low, high = sampled.interval(outcome)
    assert low <= sampled.probability(outcome) <= high
    middle, half = (low + high) / 2, (high - low) / 2
    assert abs(float(p) - middle) <= 3 * half + 1e-12


def test_a_condition_that_cannot_be_met_in_another_part_gives_nan(exact: cs.Result) -> None:
    assert math.isnan(exact.probability("0:contact | archer:draw"))


def test_the_interval_of_a_product_is_about_as_wide_as_its_error(sampled: cs.Result) -> None:
    """By the delta method: relative variances of independent estimates add up."""
    parts = [sampled.probability(word) for word in ("man:draw", "peasant:target_wiped_out")]
    low, high = sampled.interval("man:draw & peasant:target_wiped_out")
    p = math.prod(parts)
    deviation = p * math.sqrt(sum((1 - one) / one / TRIALS for one in parts))
    assert (high - low) / 2 == near(1.96 * deviation, rel=0.02)


def test_means_of_a_combat(exact: cs.Result) -> None:
    assert exact.mean("man:combat_result") == near(float(2 * KILLS - 2 * (1 - KILLS) * KILLS))
    # over the trials with a fight, as it does not arise in the others
    assert exact.mean("guard:combat_result") == near(exact.mean("man:combat_result"))
    assert exact.value("mean:guard:active_wounds") == near(float(REACHES * KILLS))
    assert exact.value("mean:1.redirect.0:shooting_casualties") == 0
    assert math.isnan(exact.mean("archer:combat_result"))


def test_order_and_numbers_of_charges_and_combats(exact: cs.Result) -> None:
    assert [view.labels["charger"] for _, view in exact.charges] == [
        "orc", "scout", "riders", "berserk",
    ]  # fmt: skip
    # in the order of the charges; whom only a redirected charge can reach comes last
    assert [view.labels["target"] for _, view in exact.combats] == [
        "man", "archer", "gunners", "peasant", "guard",
    ]  # fmt: skip
    assert list(exact.units) == list(exact.scenario.unit_names)
    table = exact.table()
    assert sorted(set(table.charge)) == [0, 1, 2, 3]
    assert table.groupby("charge").p.sum().to_list() == near([1] * 4)


def test_json_of_combats_and_redirections(exact: cs.Result) -> None:
    content = exact.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    orc, scout, _, berserk = content["charges"]
    (redirect,) = scout["redirect"]
    assert redirect["target"] == "guard"
    assert redirect["outcome"]["contact"]["p"] == near(0.5)
    assert "redirect" not in orc
    assert berserk["compulsory"]
    assert "compulsory" not in orc
    assert orc["shooting_casualties"] == {"0": 1.0}
    duel = content["combats"][0]
    assert (duel["target"], duel["chargers"]) == ("man", ["orc"])
    assert {word: e["p"] for word, e in duel["outcome"].items()} == near(
        {word: float(p) for word, p in DUEL.items()}
    )
    assert duel["combat_result"] == near({"-2": 3 / 16, "0": 9 / 16, "2": 1 / 4})
    assert content["combats"][1]["combat_result"] == {}
    assert content["combats"][1]["active_wounds"] == {"0": 1.0}
    guard = content["combats"][4]
    assert sum(guard["combat_result"].values()) == near(0.5)
    assert sum(guard["active_wounds"].values()) == near(1)


def test_a_note_names_the_charge_of_its_unit(exact: cs.Result) -> None:
    (note,) = [note for note in exact.notes if note["unit"] == "berserk"]
    assert note["charge"] == 3
    assert note["rule"].startswith("WH6-FRENZ-")


def test_of_open_choices_the_best_is_told_checked_and_drawn() -> None:
    tables = cs.load(PHASE).tables
    tables = {**tables, "reaction": {"archer": "flee", "gunners": "best"}}
    scenario = cs.Scenario(**tables)
    result = cs.solve(scenario)
    (chosen,) = [one for one in result.alternatives if one["chosen"]]
    values = {one["choice"]: one["value"] for one in result.alternatives}
    assert set(values) == {"hold", "stand_and_shoot", "flee"}
    assert values[chosen["choice"]] == max(values.values())
    assert result.charges[2][1].labels["reaction"] == chosen["choice"] == "stand_and_shoot"
    told = cs.trace(scenario)
    assert "Reaction of gunners: stand and shoot" in told
    cells = {cell.what: cell for cell in check(scenario, trials=5_000)}
    assert cells["2:contact"].exact == near(float(STANDS))
    assert all(cell.agrees for cell in cells.values())
    shown = text(result_tables.result_document(result, "en"))
    assert "stand and shoot" in shown[shown.index("What could have been chosen") :]


def test_the_players_question(exact: cs.Result) -> None:
    duel, guard = answer(exact, 0), answer(exact, 4)
    found = [estimate[0] for estimate in vars(duel).values()]
    lost = (1 - KILLS) * KILLS
    assert found == near([1, float(KILLS), float(KILLS), float(lost)])
    found = [estimate[0] for estimate in vars(guard).values()]
    assert found == near([float(REACHES * p) for p in (1, KILLS, KILLS, lost)])
    gunners = answer(exact, 2)
    assert gunners.arrives[0] == near(float(STANDS))
    assert gunners.wins[0] == near(exact.probability("gunners:target_*"))
    assert gunners.breaks[0] == near(gunners.wins[0] - exact.probability("gunners:target_held"))
    assert gunners.broken[0] == near(
        exact.probability("gunners:charger_*") - exact.probability("gunners:charger_held")
    )


def test_a_redirected_charge_is_a_step_of_its_waterfall(exact: cs.Result) -> None:
    steps = waterfall(exact, 1)
    assert [step.word for step in steps] == [
        "target_fled_escaped", "redirected_contact", "contact",
    ]  # fmt: skip
    assert [step.left for step in steps] == near([0.5, 0, 0], abs=1e-12)


def test_words_of_a_combat_are_told_best_first(exact: cs.Result) -> None:
    words = list(combat_words(exact, 2))
    assert words == [word for word in exact.scenario.ruleset.fates if word in words]
    assert (words[0], words[-1]) == ("target_wiped_out", "no_combat")
    assert {word: p for word, (p, _, _) in combat_words(exact, 0).items()} == near(
        {word: float(p) for word, p in DUEL.items()}
    )


# text


@pytest.fixture
def shown(exact: cs.Result) -> str:
    return text(result_tables.result_document(exact, "en"))


def test_text_tells_each_charge_and_each_combat(shown: str) -> None:
    for sentence in (
        "orc charge man; the target's reaction: hold.",
        "berserk must charge peasant (compulsory); the target's reaction: hold.",
        "Redirected to guard when the first target fled; reaction: hold.",
        "Combat of orc against man.",
        "Combat of scout (if redirected) against guard.",
        "No combat of scout against archer takes place.",
        "4 groups of units cannot influence each other and were solved apart.",
        "Arrives: 50.000 %; arrives and wins the round: 12.500 %; breaks or wipes out the target:"
        " 12.500 %; arrives, loses and breaks or is wiped out: 9.375 %.",
    ):
        assert shown.count(sentence) == 1
    assert shown.count("How the combat ends") == 4
    assert "combat result, charger's less target's (mean 0.125 where it arises)" in shown
    # the certain is not told: nobody has chariots
    assert "impact hits" not in shown


def test_rare_ends_of_a_long_table_are_drawn_together(exact: cs.Result, shown: str) -> None:
    start = shown.index("flight rolled")
    lines = shown[start : shown.index("\n\n", start)].splitlines()[3:]
    first, *middle, last = [line.split()[0] for line in lines]
    assert (first, last) == ("≤", "≥")
    assert lines[0].split()[1:4] == ["7", "0.270", "%"]  # 21 of 7776
    assert lines[0].split()[4:6] == ["100", "%"]
    assert lines[-1].split()[1:4] == ["28", "0.270", "%"]
    assert [int(value) for value in middle] == list(range(8, 28))


def test_csv_has_numbers_and_a_name_for_each_table(exact: cs.Result, sampled: cs.Result) -> None:
    for result in (exact, sampled):
        rows = [
            line.split(",")
            for line in comma_separated(result_tables.result_document(result, "en")).splitlines()
        ]
        told = {(row[0], row[1]): row[2:] for row in rows}
        for name, outcome in (("man", "draw"), ("2", "contact"), ("1.redirect.0", "contact")):
            p, low, high = (float(cell) for cell in told[name, outcome][:3])
            assert p == result.probability(f"{name}:{outcome}")
            assert (low, high) == result.interval(f"{name}:{outcome}")
        for value, p in result.distribution("gunners:combat_result").items():
            assert float(told["gunners:combat_result", str(value)][0]) == p
        heads = [row for row in rows if row[0] == "table"]
        assert ["table", "outcome", "p", "low", "high", "still charging"] in heads
        units = [row for row in rows if row[0] == "units" and row[1] == "orc"]
        assert {row[3]: float(row[4]) for row in units}["destroyed"] == result.probability(
            "orc:destroyed"
        )
        assert [float(row[2]) for row in units] == near([result.mean("orc:models_left")] * 3)


ALTERNATIVES: list[dict[str, Any]] = [
    {"unit": "man", "choice": "hold", "value": 1.5, "low": 1.4, "high": 1.6, "chosen": True},
    {
        "unit": "man", "choice": "stand_and_shoot at orc", "value": -1.25, "low": -1.3,
        "high": -1.2, "chosen": False,
    },
]  # fmt: skip


def test_alternatives_are_shown_and_the_chosen_marked(exact: cs.Result, sampled: cs.Result) -> None:
    def lines(result: cs.Result, lang: str) -> list[list[str]]:
        other = cs.Result(result.scenario, result.tallies, ALTERNATIVES)
        told = text(result_tables.result_document(other, lang))
        start = told.index("\nunit " if lang == "en" else "\nunidad ", told.index("worth"
            if lang == "en" else "cuánto vale"))  # fmt: skip
        return [line.split("  ") for line in told[start + 1 :].splitlines()[:4]]

    _, _, hold, shoot = [
        [cell.strip() for cell in row if cell.strip()] for row in lines(exact, "en")
    ]
    assert hold == ["man", "hold", "1.500", "chosen"]
    assert shoot == ["man", "stand and shoot at orc", "-1.250"]
    head, _, hold, _ = [[c.strip() for c in row if c.strip()] for row in lines(sampled, "es")]
    assert head == ["unidad", "elección", "valor", "intervalo (95 %)", "elegida"]
    assert hold == ["man", "Mantener la posición", "1,500", "1,400 … 1,600", "elegida"]
    assert "worth" not in text(result_tables.result_document(exact, "en"))


# check


def test_check_compares_every_cell_of_every_part(exact: cs.Result) -> None:
    cells = {cell.what: cell for cell in check(exact.scenario, trials=20_000, seed=2)}
    assert all(cell.agrees for cell in cells.values())
    for what, p in (
        ("0:contact", 1.0),
        ("1.redirect.0:contact", 0.5),
        ("man:draw", 9 / 16),
        ("man:combat_result=-2", 3 / 16),
        ("guard:combat_result=0", 9 / 32),
        ("guard:active_wounds=0", 7 / 8),
        ("man:fighting", 9 / 16),
        ("man:models_left=0", 1 / 4),
    ):
        assert cells[what].exact == near(p)
    asked = [what for what in cells if "=" not in what]
    assert {what: cells[what].exact for what in asked} == near(
        {what: exact.probability(what) for what in asked}
    )
    # where it does not arise there is nothing to compare
    assert not [what for what in cells if what.startswith("archer:combat_result")]


# figures


def texts(figure: Any) -> list[str]:
    return [found.get_text() for found in figure.findobj(Text) if found.get_text()]


def test_a_picture_has_a_panel_a_charge_and_one_a_combat(
    exact: cs.Result, sampled: cs.Result
) -> None:
    for result in (exact, sampled):
        # four charges: the combats are stacked bars in one panel below
        figure = figures.picture(result)
        told = texts(figure)
        titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
        assert titles[0] == "orc charge man; the target's reaction: hold"
        assert len(titles) == 4
        stacked = next(ax for ax in figure.axes if ax.get_legend())
        widths: dict[float, float] = {}
        for bar in stacked.patches:
            widths[bar.get_y()] = widths.get(bar.get_y(), 0) + bar.get_width()
        assert list(widths.values()) == near([100] * 4)
        assert "A whole charge phase" in told


def test_a_small_picture_has_the_combat_beside_the_charge(exact: cs.Result) -> None:
    tables = {**exact.scenario.tables, "charge": exact.scenario.tables["charge"][:1]}
    tables["unit"] = {name: tables["unit"][name] for name in ("orc", "man")}
    tables["reaction"] = {}
    result = cs.solve(cs.Scenario(**tables))
    waterfall_, fight = figures.picture(result, "es").axes
    assert waterfall_.get_title() == (
        "Carga de orc contra man; reacción del objetivo: Mantener la\nposición"
    )
    assert fight.get_title() == "Combate de orc contra man"
    assert [bar.get_width() for bar in fight.patches] == near(
        [100 * float(DUEL[word]) for word in ("target_wiped_out", "draw", "charger_wiped_out")]
    )


def test_a_combat_that_never_comes_about_has_no_panel(exact: cs.Result) -> None:
    charge = {"charger": "scout", "target": "archer", "distance": 20}
    units = {name: exact.scenario.tables["unit"][name] for name in ("scout", "archer")}
    tables = {"ruleset": "wh6", "unit": units, "charge": [charge], "reaction": {"archer": "flee"}}
    result = cs.solve(cs.Scenario(**tables))
    assert combat_sentence(result, 0, "en") == "No combat of scout against archer takes place."
    (only,) = figures.picture(result).axes
    assert only.get_title() == "scout charge archer; the target's reaction: flee"


def test_plots_of_one_charge_or_combat(exact: cs.Result) -> None:
    assert "gunners" in exact.plot(charge=2).get_figure().get_suptitle()
    assert "guard" in exact.plot("combat", target="guard").get_figure().get_suptitle()
    assert combat_sentence(exact, 0, "en") == "Combat of orc against man."
    bars = exact.plot("guard:combat_result").patches
    assert sum(bar.get_height() for bar in bars) == near(50)
    with pytest.raises(InputError, match="charge: there is none 4: from 0 to 3"):
        exact.plot(charge=4)
    with pytest.raises(InputError, match="nobody charges 'guards'; the nearest known is 'guard'"):
        exact.plot("combat", target="guards")


def test_a_picture_is_the_same_bytes_every_time(exact: cs.Result, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        figures.save(figures.picture(exact, "es"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
