"""The explorer without a browser: set its controls, and look at what it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import ipywidgets as widgets
import pytest

import chargesim as cs
from chargesim.report import explorer

SHIPPED = Path(cs.__file__).parent / "data" / "scenarios"


def shipped(name: str) -> cs.Scenario:
    return cs.load(SHIPPED / f"{name}.toml")


def plain(found: explorer.Explorer) -> str:
    """The text that is shown."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found.table.value))


def test_a_control_moved_is_answered_exactly() -> None:
    boars = shipped("boar_riders")
    found = cs.explore(boars)
    assert "charge makes contact 87.050 % 87.050 % 0.000" in plain(found)
    found.controls["charge.0.distance"].value = 36
    assert found.result.probability("contact") == cs.solve(
        boars.replace(**{"charge.0.distance": 36})
    ).probability("contact")
    assert found.scenario.hash == boars.replace(**{"charge.0.distance": 36}).hash
    now = f"{100 * found.result.probability('contact'):.3f} %"
    assert f"charge makes contact {now} 87.050 % +" in plain(found)
    assert found.result.is_exact
    found.controls["unit.handgunners.shooters"].value = 2
    found.controls["reaction.handgunners"].value = "flee"
    assert found.changes == {
        "charge.0.distance": 36, "unit.handgunners.shooters": 2, "reaction.handgunners": "flee",
    }  # fmt: skip
    assert "target flees" in plain(found)
    found.reset.click()
    assert found.changes == {}
    assert found.scenario.hash == boars.hash


CASES = {
    "boar_riders": {
        "charge.0.distance": (widgets.FloatSlider, 12),
        "unit.handgunners.Ld": (widgets.IntSlider, 9),
        "unit.handgunners.shooters": (widgets.SelectionSlider, 4),
        "unit.boars.save": (widgets.Dropdown, "none"),
        "unit.boars.weapon": (widgets.Dropdown, "lance"),
        "reaction.handgunners": (widgets.Dropdown, "best"),
        "switches.insane_courage": (widgets.Checkbox, True),
    },
    "by_eye": {
        "charge.0.distance.mean": (widgets.FloatSlider, 36),
        "charge.0.distance.sd": (widgets.FloatSlider, 1),
    },
    "stand_or_square": {
        "unit.dragoons.melee": (widgets.FloatSlider, 45),
        "unit.battalion.morale": (widgets.FloatSlider, 26),
        "reaction.battalion": (widgets.Dropdown, "square at 2"),
        "switches.line_two_disorders": (widgets.Dropdown, None),
    },
    "price_of_a_flank": {
        "unit.front_spears.discipline": (widgets.IntSlider, 9),
        "unit.front_riders.move": (widgets.FloatSlider, 20),
        "reaction.front_spears": (widgets.Dropdown, "counter"),
        "switches.side": (widgets.Dropdown, "majority"),
    },
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_kind_of_control_in_every_ruleset(name: str, lang: str) -> None:
    found = cs.explore(shipped(name), lang=lang)
    for path, (kind, value) in CASES[name].items():
        control = found.controls[path]
        assert isinstance(control, kind), path
        assert found.changes == {}
        if value is None:
            value = next(word for _, word in control.options if word != control.value)
        control.value = value
        assert found.message.value == ""
        (changed,) = found.changes
        assert changed == path
        expected = cs.solve(found.start.replace(**found.changes))
        assert found.result.to_dict()["charges"] == expected.to_dict()["charges"]
        found.reset.click()
    for control in found.controls.values():
        assert control.description
    if lang == "es":
        assert not re.search(r"\d\.\d", re.sub(r"\b[\w.]+\.toml", "", plain(found)))


def test_what_cannot_stand_is_told_and_the_answer_stays() -> None:
    found = cs.explore(shipped("best_reaction"))
    before = found.table.value
    found.controls["unit.riders.models"].value = 4
    assert "unit.riders.width: 5 in front of 4 models" in found.message.value
    assert found.table.value == before
    found.controls["unit.riders.models"].value = 6
    assert found.message.value == ""
    assert found.table.value != before


def test_open_choices_are_made_and_told() -> None:
    found = cs.explore(shipped("best_reaction"))
    assert "Best for crossbowmen: stand and shoot." in plain(found)
    found.controls["charge.0.distance"].value = 12
    assert "Best for crossbowmen: hold." in plain(found)


def test_paths_and_values_that_are_asked_for() -> None:
    values = ["mean:boars:models_left", "handgunners:target_broke* | 0:contact"]
    found = cs.explore(shipped("boar_riders"), ["unit.boars.T", "unit.boars.L"], values)
    assert list(found.controls) == ["unit.boars.T", "unit.boars.Ld"]
    assert "boars: mean of models left 3.691 3.691 0.000" in plain(found)
    found.set(**{"unit.boars.T": 5, "unit.boars.Ld": 8})
    assert found.scenario.model.unit["boars"].Ld == 8
    expected = found.result.value(values[1])
    assert f"{100 * expected:.3f} %" in plain(found)
    with pytest.raises(cs.InputError, match=r"no control for 'unit\.boars\.S'"):
        found.set(**{"unit.boars.S": 4})
    with pytest.raises(cs.InputError, match=r"unit.boars.T: 'x' cannot be"):
        found.set(**{"unit.boars.T": "x"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"paths": ["charge.0.distnce"]}, "the nearest known is 'charge.0.distance'"),
        ({"values": ["contcat"]}, "the nearest known is 'contact'"),
    ],
)
def test_bad_input(options: dict[str, list[str]], message: str) -> None:
    with pytest.raises(cs.InputError, match=message):
        cs.explore(shipped("boar_riders"), **options)


def test_what_is_too_large_is_sampled() -> None:
    found = cs.explore(shipped("boar_riders"), max_states=3)
    assert found.result.trials == explorer.TRIALS
    assert "50,000 trials, seed 0" in plain(found)


def test_shown_in_a_notebook_and_on_a_page() -> None:
    found = cs.explore(shipped("boar_riders"), lang="es")
    found.controls["charge.0.distance"].value = 30
    bundle = found._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "distancia, cm = 30" in bundle["text/html"]
    assert found.table.value in bundle["text/html"]
    (tab,) = (child for child in found.view.children if isinstance(child, widgets.Tab))
    assert tab.titles[0] == "la carga"
    first = {control.description for control in tab.children[0].children}
    assert {"distancia, cm", "handgunners: L", "handgunners: tiradores"} <= first


def test_without_ipywidgets_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['ipywidgets'] = None\n"
        "import chargesim as cs\n"
        f"s = cs.load({str(SHIPPED / 'boar_riders.toml')!r})\n"
        "try:\n    cs.explore(s)\nexcept cs.InputError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'chargesim[notebook]'" in done.stdout
