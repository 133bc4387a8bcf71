"""Every way to get it wrong: one clear message that says what, where and what would be right."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tomllib
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import chargesim as cs
from chargesim import cli
from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.scenario import MOST_BYTES, Scenario, read_toml

SOUND = Path(__file__).parent / "conformance" / "02_stand_and_shoot_panic.toml"
TABLES = tomllib.loads(SOUND.read_text(encoding="utf-8"))
GONE = object()
NAN, INF = float("nan"), float("inf")
MAN = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7, "models": 5}
FRIEND = {**MAN, "side": "active"}
ENEMY = {**MAN, "side": "reactive"}
CREW = {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8}


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Tables of the sound scenario with values put at paths, or taken away."""
    tables = deepcopy(TABLES)
    for path, value in changes.items():
        at: Any = tables
        *way, last = path.split(".")
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
        if value is GONE:
            del at[last]
        elif isinstance(at, list):
            at[int(last)] = value
        else:
            at[last] = value
    return tables


def faults(changes: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        Scenario("file.toml", **changed(changes))
    told = [str(fault) for fault in caught.value.faults]
    assert str(caught.value).startswith(f"file.toml: {len(told)} fault")
    assert str(caught.value).splitlines()[1:] == [f"  {line}" for line in told]
    return told


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli._guard(lambda: cli._run([str(a) for a in arguments]))
    out, err = capsys.readouterr()
    return code, out, err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message of a command that must be refused."""
    code, out, err = command(capsys, *arguments)
    assert code == 2, err
    assert out == ""
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err.strip()


def test_the_sound_scenario_is_sound() -> None:
    assert Scenario(**TABLES).whole.counts == (2, 1, 1)


# one fault in a file: path, then words that must stand in the message

ONE: list[tuple[str, Any, str, tuple[str, ...]]] = [
    # unknown or misspelt keys name the nearest
    ("unti", {}, "unti", ("unknown key", "'unit'")),
    ("titel", "x", "titel", ("unknown key", "'title'")),
    ("unit.boars.modles", 5, "unit.boars.modles", ("unknown key", "'models'")),
    ("unit.boars.ld", 7, "unit.boars.ld", ("unknown key", "'Ld'")),
    (
        "switches.insane_courag", True, "switches.insane_courag",
        ("unknown key", "'insane_courage'"),
    ),
    ("charge.0.distence", 20, "charge.0.distence", ("unknown key", "'distance'")),
    ("unit.boars.mount.WSS", 3, "unit.boars.mount.WSS", ("unknown key", "'WS'")),
    ("unit.handgunners.missile", {"range": 60, "S": 4, "shoots": 2},
     "unit.handgunners.missile.shoots", ("unknown key", "'shots'")),
    ("charge.0.distance", {"mean": 20, "sd": 2, "sdd": 1},
     "charge.0.distance.sdd", ("unknown key", "'sd'")),
    ("reaction.handgunners", {"do": "flee", "att": "boars"},
     "reaction.handgunners.att", ("unknown key", "'at'")),
    # wrong types
    ("unit.boars.M", "fast", "unit.boars.M", ("'fast' is not a number",)),
    ("unit.boars.S", "3", "unit.boars.S", ("'3' is not a whole number", "from 1 to 10")),
    ("unit.boars.models", 2.5, "unit.boars.models", ("2.5 is not a whole", "from 1 to 500")),
    ("unit.boars.WS", True, "unit.boars.WS", ("True is not a whole number",)),
    ("unit.boars.shield", 1, "unit.boars.shield", ("1 is neither true nor false",)),
    ("unit.boars.shield", "yes", "unit.boars.shield", ("'yes' is neither true nor false",)),
    ("unit.boars", [1], "unit.boars", ("[1] is not a table", "[unit.boars]")),
    ("unit", [1], "unit", ("[1] is not a table", "[unit.NAME]")),
    ("unit.boars.mount", [1], "unit.boars.mount", ("is not a table", "[unit.boars.mount]")),
    ("switches", 3, "switches", ("3 is not a table", "[switches]")),
    ("reaction", "hold", "reaction", ("'hold' is not a table", "[reaction]")),
    ("charge", TABLES["charge"][0], "charge", ("is not a list of tables", "[[charge]]")),
    ("charge.0", 5, "charge.0", ("5 is not a table", "[[charge]]")),
    ("unit.boars.rules", "fear", "unit.boars.rules", ("is not a list", '["fear"]')),
    ("unit.boars.rules", {"fear": 1}, "unit.boars.rules", ("is not a list",)),
    ("charge.0.blocked_by", "wolves", "charge.0.blocked_by", ('["wolves"]',)),
    ("charge.0.charger", 5, "charge.0.charger", ("5 is not a text",)),
    ("title", 5, "title", ("5 is not a text",)),
    ("unit.boars.engaged", 3, "unit.boars.engaged", ("true", "false", "name of a unit")),
    # words
    ("unit.boars.rules", ["feer"], "unit.boars.rules.0", ("'feer' is not one of", "is 'fear'")),
    ("unit.boars.side", "activ", "unit.boars.side", ("active, reactive", "nearest is 'active'")),
    ("unit.boars.troop", "cavallry", "unit.boars.troop", ("nearest is 'cavalry'",)),
    ("unit.boars.weapon", "halbard", "unit.boars.weapon", ("nearest is 'halberd'",)),
    ("unit.handgunners.missile", "handgunn", "unit.handgunners.missile", ("is 'handgun'",)),
    ("unit.handgunners.missile", ["bow"], "unit.handgunners.missile", ("is not one of",)),
    ("reaction.handgunners", "holdd", "reaction.handgunners", ("nearest is 'hold'",)),
    ("charge.0.terrain", "dificult", "charge.0.terrain", ("nearest is 'difficult'",)),
    ("charge.0.arc", "left", "charge.0.arc", ("front, flank, rear",)),
    ("charge.0.cover", "some", "charge.0.cover", ("none, soft, hard",)),
    ("units", "yards", "units", ("cm, inch",)),
    ("ruleset", "wh7", "ruleset", ("no ruleset 'wh7'", "wh6")),
    ("ruleset", ["wh6"], "ruleset", ("one of wh6",)),
    # out of range
    ("unit.boars.WS", 11, "unit.boars.WS", ("11 is too large", "at most 10")),
    ("unit.boars.Ld", 11, "unit.boars.Ld", ("11 is too large", "at most 10")),
    ("unit.boars.Ld", 0, "unit.boars.Ld", ("0 is too small", "at least 1")),
    ("unit.boars.S", -1, "unit.boars.S", ("-1 is too small", "at least 1")),
    ("unit.boars.models", 0, "unit.boars.models", ("0 is too small", "at least 1")),
    ("unit.boars.models", 10**30, "unit.boars.models", ("at most 500",)),
    ("unit.boars.M", 30_000, "unit.boars.M", ("30000 is too large", "at most 1,000")),
    ("unit.boars.points", -1, "unit.boars.points", ("-1 is too small", "at least 0")),
    ("unit.boars.points", INF, "unit.boars.points", ("inf is not a finite number",)),
    ("unit.boars.mount.A", 99, "unit.boars.mount.A", ("99 is too large", "at most 10")),
    ("unit.boars.save", "7+", "unit.boars.save", ("'7+' is not a save", '"6+"')),
    ("unit.boars.save", 3, "unit.boars.save", ("3 is not a save", '"4+"')),
    ("unit.boars.ward", "1+", "unit.boars.ward", ("'1+' is not a save", '"2+" to "6+"')),
    ("unit.boars.general_ld", 11, "unit.boars.general_ld", ("at most 10",)),
    # missing
    ("unit.boars.T", GONE, "unit.boars.T", ("is missing", "a whole number from 1 to 10")),
    ("unit.boars.WS", GONE, "unit.boars.WS", ("is missing", "a whole number from 0 to 10")),
    ("unit.boars.Ld", GONE, "unit.boars.Ld", ("is missing", "a whole number from 1 to 10")),
    ("unit.boars.M", GONE, "unit.boars.M", ("is missing", "a number from 0 to 1,000")),
    ("unit.boars.side", GONE, "unit.boars.side", ("is missing", "active, reactive")),
    ("unit.boars.mount.S", GONE, "unit.boars.mount.S", ("is missing", "from 1 to 10")),
    ("charge.0.target", GONE, "charge.0.target", ("is missing",)),
    ("charge.0.distance", GONE, "charge.0.distance", ("is missing", "distance = 20")),
    ("charge", GONE, "charge", ("is missing",)),
    ("unit", GONE, "unit", ("is missing",)),
    ("ruleset", GONE, "ruleset", ("is missing", "wh6")),
    # lengths
    ("charge.0.distance", -3, "charge.0.distance", ("-3 is too small", "at least 0.01")),
    ("charge.0.distance", 0, "charge.0.distance", ("0 is too small",)),
    ("charge.0.distance", 1.234, "charge.0.distance", ("1.234", "more than two decimals")),
    ("charge.0.distance", NAN, "charge.0.distance", ("nan is not a finite number",)),
    ("charge.0.distance", -INF, "charge.0.distance", ("-inf is not a finite number",)),
    ("charge.0.distance", "20", "charge.0.distance", ("'20' is not a number",)),
    ("charge.0.distance", True, "charge.0.distance", ("True is not a number",)),
    ("charge.0.distance", 5000, "charge.0.distance", ("at most 1,000",)),
    ("charge.0.distance", {"mean": 20}, "charge.0.distance.sd", ("is missing",)),
    ("charge.0.distance", {"mean": 20, "sd": 0}, "charge.0.distance.sd", ("at least 0.01",)),
    ("charge.0.distance", {"mean": NAN, "sd": 1}, "charge.0.distance.mean", ("finite",)),
    ("charge.0.mean", 20, "charge.0.distance", ("both forms", "{ mean = 34, sd = 3 }")),
    ("charge.0.gap", 25, "charge.0.gap", ("25 is longer than the distance 20",)),
    ("charge.0.edge", NAN, "charge.0.edge", ("finite",)),
    ("charge.0.reach", "2D", "charge.0.reach", ("'2D' is not a reach", '"36+1D6+2"')),
    ("charge.0.reach", "1D6+1D6+1D6+1D6", "charge.0.reach", ("at most 3 dice terms",)),
    ("charge.0.reach", -3, "charge.0.reach", ("-3 is no reach", "from 0 to 1,000")),
    ("charge.0.reach", NAN, "charge.0.reach", ("finite",)),
    ("charge.0.reach", INF, "charge.0.reach", ("finite",)),
    ("charge.0.reach", 1e9, "charge.0.reach", ("from 0 to 1,000",)),
    ("charge.0.reach", "99999999", "charge.0.reach", ("from 0 to 1,000",)),
    # what does not fit together
    ("charge.0.target", "wolves", "charge.0.target", ("no unit 'wolves'", "boars, handgunners")),
    ("charge.0.target", "handguners", "charge.0.target", ("nearest known is 'handgunners'",)),
    ("charge.0.charger", "bors", "charge.0.charger", ("no unit 'bors'", "'boars'")),
    ("unit.handgunners.side", "active", "charge.0.target", ("same side", '"reactive"')),
    ("unit.boars.HA", 3, "unit.boars", ("mixes Spanish", "(HA)", "WS", "M HA HP F R H I A L")),
    ("unit.boars.width", 9, "unit.boars.width", ("9 in front of 5 models", "at most all")),
    ("unit.handgunners.shooters", 11, "unit.handgunners.shooters", ("11 shooters among 10",)),
    ("unit.handgunners.BS", 0, "unit.handgunners.BS", ("missile weapon", "from 1 to 10")),
    ("unit.boars.fleeing", True, "charge.0.charger", ("flees", "WH6-CHG-01", "cannot charge")),
    ("unit.boars.engaged", True, "charge.0.charger", ("fights", "WH6-CHG-01", "cannot charge")),
    ("unit.handgunners.engaged", "wolfs", "unit.handgunners.engaged", ("no unit 'wolfs'",)),
    ("unit.handgunners.engaged", "handgunners", "unit.handgunners.engaged", ("fight itself",)),
    ("unit.boars.chariot", {}, "unit.boars.chariot", ('troop = "chariot"',)),
    ("reaction.boars", "hold", "reaction.boars", ("not a charged unit", "handgunners")),
    ("reaction.handgunners", {"do": "stand_and_shoot", "at": "bors"}, "reaction.handgunners.at",
     ("'bors' does not charge", "'boars'")),
    ("unit.7", FRIEND, "unit.7", ("is no name",)),
    ("charge.0.blocked_by", ["wolves"], "charge.0.blocked_by", ("no unit 'wolves'",)),
    ("charge.0.blocked_by", ["boars"], "charge.0.blocked_by", ("takes part",)),
    # include
    ("include", 5, "include", ("5 is not a file name", 'include = "units.toml"')),
    ("include", "nowhere.toml", "include", ("nowhere.toml", "cannot be read")),
    ("include", "a\0b", "include", ("cannot be read",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "path", "words"), ONE, ids=[f"{n}-{row[2]}" for n, row in enumerate(ONE)]
)
def test_a_fault_is_told_with_its_path_and_a_remedy(
    place: str, value: Any, path: str, words: tuple[str, ...]
) -> None:
    told = faults({place: value})
    mine = [line for line in told if line.startswith(f"{path}: ")]
    assert len(mine) == 1, told
    for word in words:
        assert word in mine[0]
    if place != "unit":  # without any unit its charge has further faults
        assert len(told) == 1, told


SEVERAL: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"charge.0.target": "boars", "reaction": {}}, "charge.0.target", ("itself", "an enemy")),
    (
        {"charge.0.charger": "handgunners", "charge.0.target": "boars", "reaction": {}},
        "charge.0.charger", ("'handgunners'", 'side = "active"'),
    ),
    (
        {"unit.handgunners.engaged": True, "unit.handgunners.fleeing": True},
        "unit.handgunners.fleeing", ("both fight and flee", "keep one"),
    ),
    (
        {"unit.boars.troop": "war_machine", "unit.boars.mount": GONE},
        "charge.0.charger", ("war machine", "cannot charge"),
    ),
    ({"units": "inch", "unit.boars.M": 30}, "unit.boars.M", ("30 inches", 'units = "cm"')),
    # WH6-CHG-12: a charge may be declared only through a friend that may be gone
    (
        {"unit.wolves": FRIEND, "charge.0.blocked_by": ["wolves"]},
        "charge.0.blocked_by", ("'wolves' does not flee", "WH6-CHG-12", "not legal"),
    ),
    (
        {"unit.orcs": ENEMY, "charge.0.blocked_by": ["orcs"]},
        "charge.0.blocked_by", ("'orcs' is an enemy", "WH6-CHG-12", "not legal"),
    ),
    # WH6-CHAR-02: a chariot is not sent through what may wreck it
    (
        {"unit.boars.troop": "chariot", "charge.0.terrain": "difficult"},
        "charge.0.terrain", ("chariot", "WH6-CHAR-02", '"open"'),
    ),
    (
        {"unit.boars.troop": "light_chariot", "charge.0.terrain": "obstacle"},
        "charge.0.terrain", ("chariot", "WH6-CHAR-02"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"crew": {**CREW, "cuont": 1}}},
        "unit.boars.chariot.crew.cuont", ("unknown key", "'count'"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"beasts": {"count": 2, "WS": 3}}},
        "unit.boars.chariot.beasts.S", ("is missing", "from 1 to 10"),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"impact_hits": "many"}},
        "unit.boars.chariot.impact_hits", ("'many' is not a number of impact hits", '"1D6+1"'),
    ),
    (
        {"unit.boars.troop": "chariot", "unit.boars.chariot": {"impact_hits": "1D6+99"}},
        "unit.boars.chariot.impact_hits", ("from 0 to 20",),
    ),
    (
        {f"unit.u{n}": FRIEND for n in range(70)},
        "unit", ("72 units are too many", "at most 64"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "path", "words"), SEVERAL, ids=[f"{n}-{r[1]}" for n, r in enumerate(SEVERAL)]
)
def test_what_does_not_fit_together_is_told(
    changes: dict[str, Any], path: str, words: tuple[str, ...]
) -> None:
    mine = [line for line in faults(changes) if line.startswith(f"{path}: ")]
    assert len(mine) == 1
    for word in words:
        assert word in mine[0]


def test_all_faults_of_a_file_are_told_at_once() -> None:
    told = faults(
        {
            "unit.boars.Ld": 11,
            "unit.boars.shield": "yes",
            "unit.handgunners.modles": 4,
            "charge.0.distance": -1,
            "switches.panic_engagd": True,
        }
    )
    assert {line.split(": ")[0] for line in told} == {
        "unit.boars.Ld",
        "unit.boars.shield",
        "unit.handgunners.modles",
        "charge.0.distance",
        "switches.panic_engagd",
    }
    assert len(told) == 5


def test_faults_of_sense_are_told_at_once_too() -> None:
    changes = {"unit.boars.width": 9, "unit.boars.fleeing": True, "charge.0.gap": 30}
    assert len(faults({**changes, "unit.handgunners.shooters": 11})) == 4


def test_a_long_value_is_cut_short_in_its_message() -> None:
    (told,) = faults({"unit.boars.weapon": "x" * 10_000})
    assert len(told) < 400


def test_spanish_statistics_are_named_in_spanish_when_one_is_missing() -> None:
    spanish = {"WS": "HA", "BS": "HP", "S": "F", "T": "R", "W": "H", "Ld": "L"}
    unit = {spanish.get(k, k): v for k, v in TABLES["unit"]["boars"].items() if k != "Ld"}
    (told,) = faults({"unit.boars": unit})
    assert told.startswith("unit.boars.L: is missing")


# files


def write(folder: Path, text: str | bytes, name: str = "scenario.toml") -> str:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "run", str(tmp_path / "none.toml"))
    assert "none.toml: cannot be read (" in message
    assert message.endswith("give a scenario file")


def test_folder_instead_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "run", str(tmp_path))
    assert f"{tmp_path}: cannot be read (" in message


def test_unreadable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # whoever runs the tests may be allowed to read everything
    def forbidden(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    file = write(tmp_path, SOUND.read_bytes())
    monkeypatch.setattr(Path, "open", forbidden)
    message = refused(capsys, "trace", file)
    assert message == f"{file}: cannot be read (Permission denied): give a scenario file"


def test_file_that_is_not_utf8_names_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, b'ruleset = "wh6"\n# fine\ntitle = "Espa\xf1a"\n')
    message = refused(capsys, "run", file)
    assert message == f"{file}, line 3: is not UTF-8 text: save the file as UTF-8"


def test_utf16_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, SOUND.read_text(encoding="utf-8").encode("utf-16"))
    assert "line 1: is not UTF-8" in refused(capsys, "run", file)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = write(tmp_path, b"\xef\xbb\xbf" + SOUND.read_bytes())
    assert cs.load(file).hash == cs.load(SOUND).hash


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('ruleset = "wh6\n', "line 1"),
        ("a = 1\na = 2\n", "line 2"),
        ("a = 2026-13-45\n", "line 1"),
        ("this is no scenario", "line 1"),
        ("a = " + "9" * 5000, "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
    ],
)
def test_file_that_is_not_toml(
    text: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, "run", write(tmp_path, text))
    assert "scenario.toml: is not TOML: " in message
    assert where in message


def test_ten_megabytes_of_junk_are_not_read(tmp_path: Path) -> None:
    file = write(tmp_path, os.urandom(1) * 10_000_000)
    with pytest.raises(InputError, match=r"too large for a scenario: at most 1,000,000 bytes"):
        read_toml(file)
    assert MOST_BYTES == 1_000_000


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_a_file_without_an_end_is_not_read() -> None:
    with pytest.raises(InputError, match="too large"):
        read_toml("/dev/zero")


def test_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "ruleset: is missing: one of wh6" in refused(capsys, "run", write(tmp_path, ""))


@pytest.mark.parametrize("key", ["source", "base"])
def test_names_of_the_constructor_are_no_keys(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, f'{key} = "x"\n' + SOUND.read_text(encoding="utf-8"))
    assert f"{key}: unknown key" in refused(capsys, "run", file)


def test_faults_of_a_file_stand_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SOUND.read_text(encoding="utf-8").replace("Ld = 7", "Ld = 11").replace("20", "-20")
    lines = refused(capsys, "check", write(tmp_path, text)).splitlines()
    assert lines[0].endswith("scenario.toml: 3 faults")
    assert [line.split(": ")[0].strip() for line in lines[1:]] == [
        "unit.boars.Ld",
        "unit.handgunners.Ld",
        "charge.0.distance",
    ]


def test_include_takes_units_and_refuses_conflicts(tmp_path: Path) -> None:
    text = SOUND.read_text(encoding="utf-8")
    start, stop = text.index("[unit.handgunners]"), text.index("[[charge]]")
    write(tmp_path, text[start:stop], "units.toml")
    rest = text[:start] + text[stop:]
    apart = write(tmp_path, 'include = "units.toml"\n' + rest, "apart.toml")
    assert cs.load(apart).hash == cs.load(SOUND).hash
    twice = write(tmp_path, 'include = "units.toml"\n' + text, "twice.toml")
    with pytest.raises(ScenarioError, match=r"unit\.handgunners: stands in .*twice\.toml and in"):
        cs.load(twice)


@pytest.mark.parametrize(
    ("content", "words"),
    [("[unit", "is not TOML"), (b"\xff", "is not UTF-8"), ("a = 1", "has no units: write [unit")],
)
def test_include_of_something_else(content: str | bytes, words: str, tmp_path: Path) -> None:
    write(tmp_path, content, "units.toml")
    file = write(tmp_path, 'include = "units.toml"\n' + SOUND.read_text(encoding="utf-8"))
    with pytest.raises(ScenarioError) as caught:
        cs.load(file)
    assert any(f.path == "include" and words in f.message for f in caught.value.faults)


# the command line

COMMANDS: list[tuple[list[str], tuple[str, ...]]] = [
    (["run", "S", "--trials", "0"], ("trials: 0", "from 1 to 1,000,000,000,000")),
    (["run", "S", "--trials", "-5"], ("trials: -5", "from 1 to")),
    (["run", "S", "--trials", "1e15"], ("trials: 1,000,000,000,000,000", "from 1 to")),
    (["run", "S", "--trials", "abc"], ("--trials", "'abc'", "100000 or 1e6")),
    (["run", "S", "--trials", "1.5"], ("--trials", "'1.5' is not a whole number")),
    (["run", "S", "--trials", "inf"], ("--trials", "'inf' is not a whole number")),
    (["run", "S", "--trials", "9" * 6000], ("--trials", "is not a whole number")),
    (["check", "S", "--trials", "0"], ("trials: 0", "from 1 to")),
    (["run", "S", "--precision", "0"], ("precision: 0", "above 0 and below 0.5")),
    (["run", "S", "--precision", "nan"], ("precision: nan", "above 0 and below 0.5")),
    (["run", "S", "--precision", "x"], ("--precision", "'x' is not a half-width", "0.001")),
    (["run", "S", "--engine", "sample", "--precision", "1e-9"], ("more than 1,000,000,000,000",)),
    (["run", "S", "--seed", "-1"], ("seed: -1", "from 0 to 2**64 - 1")),
    (["run", "S", "--seed", str(2**64)], ("seed: 18446744073709551616", "2**64 - 1")),
    (["trace", "S", "--seed", "x"], ("--seed", "'x' is not a whole number")),
    (["trace", "S", "--trial", "-1"], ("trial: -1", "from 0 to 999,999,999,999")),
    (["run", "S", "--threads", "0"], ("threads: 0", "from 1 to")),
    (["run", "S", "--threads", "two"], ("--threads", "'two'")),
    (["run", "S", "--max-states", "0"], ("max-states: 0", "at least 1")),
    (["run", "S", "--engine", "exakt"], ("--engine", "'exakt'", "'exact'")),
    (["run", "S", "--format", "pdf"], ("--format", "'pdf'", "'markdown'")),
    (["run", "S", "--lang", "fr"], ("--lang", "'fr'", "'en', 'es'")),
    (["rnu", "S"], ("No such command 'rnu'", "chargesim --help")),
    (["fly"], ("No such command 'fly'", "chargesim --help")),
    (["run"], ("SCENARIO.toml", "chargesim run --help")),
    (["run", "S", "S"], ("unexpected extra argument", "chargesim run --help")),
    (["run", "S", "--trails", "5"], ("No such option: --trails", "--trials")),
    (["run", "S", "--trials"], ("--trials", "requires an argument")),
    (["schema", "studdy"], ("'studdy'", "'scenario', 'result'")),
    (["run", "S", "--figure", "x.gif"], ("'x.gif'", ".svg or .png")),
    (["run", "S", "--figure", "x"], ("'x'", ".svg or .png")),
    (["run", "S", "--figure", "nowhere/x.svg"], ("nowhere", "make it first")),
    (["run", "S", "--engine", "exact", "--max-states", "3"],
     ("exact: more than 3 states after phase 'shooting'", "--engine sample", "--max-states")),
    (["check", "S", "--max-states", "3"], ("3 states after phase 'shooting'", "--max-states")),
    (["odds"], ("expression", "chargesim odds --help")),
    (["odds", ""], ("empty", "2d6 <= 7")),
    (["odds", "2d6 <"], ("whole number after <", "< 7")),
    (["odds", "2x6"], ("position", "write")),
    (["odds", "d66"], ("d66", "2d6")),
    (["odds", "2d6 ~ 7"], ('"~"', "<=, <, >=, >, = or !=")),
    (["odds", "10x"], ("10x 4+",)),
    (["odds", "101d6"], ("1 to 100 dice",)),
    (["odds", "2d1"], ("2 to 100 sides",)),
    (["odds", "3d6dh3"], ("keep at least 1",)),
    (["odds", "9" * 6000], ("at most 1000000",)),
    (["rules", "wh7"], ("no ruleset 'wh7'", "wh6")),
    (["rules", "wh6", "WH6-CHG-0"], ("no rule 'WH6-CHG-0'", "nearest known is 'WH6-CHG-")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"), COMMANDS, ids=[" ".join(a)[:40] for a, _ in COMMANDS]
)
def test_a_wrong_command_is_refused(
    arguments: list[str], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(capsys, *[str(SOUND) if a == "S" else a for a in arguments])
    assert "\n" not in message
    for word in words:
        assert word in message


def test_no_command_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = command(capsys)
    for name in ("run", "check", "trace", "odds", "rules", "schema"):
        assert f"  {name} " in out + err


def test_a_figure_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken.svg").mkdir()
    message = refused(capsys, "run", str(SOUND), "--figure", str(tmp_path / "taken.svg"))
    assert "taken.svg: cannot be written (" in message


def test_an_interruption_exits_with_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("chargesim.report.result.solve", interrupted)
    code, out, err = command(capsys, "run", str(SOUND))
    assert (code, out) == (3, "")
    assert err.startswith("interrupted")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "none.toml"], "none.toml: cannot be read"),
        (["run", "--trials", "abc", "none.toml"], "'abc' is not a whole number"),
    ],
)
def test_the_real_process_exits_with_2_and_one_line(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    package = str(Path(cs.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "chargesim", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


# the Python API


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "exakt"}, "engine: 'exakt'"),
        ({"trials": 0}, "trials: 0"),
        ({"engine": "sample", "seed": -1}, "seed: -1"),
        ({"engine": "sample", "threads": 0}, "threads: 0"),
        ({"engine": "sample", "precision": 0.7}, "precision: 0.7"),
        ({"max_states": 0}, "max-states: 0"),
    ],
)
def test_solve_refuses_options_out_of_range(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        cs.solve(Scenario(**TABLES), **options)


@pytest.mark.parametrize("path", ["charge.5.distance", "charge.x.distance", "title.x.y"])
def test_replace_of_a_path_that_leads_nowhere(path: str) -> None:
    with pytest.raises(ScenarioError, match="leads to nothing in the scenario"):
        Scenario(**TABLES).replace(**{path: 5})


# fuzz

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, 7, 10, 11, -1, 10**9, 10**30, 0.005, 1.5, 19.99, NAN, INF, "",
    "hold", "boars", "handgunners", "3+", "1D6", "36+1D6", "-1D6+40", "\0", "ñ", [], {}, [[]],
    [None], [1], ["fear"], ["boars"], {"": 1}, {"mean": 34, "sd": 3}, {"do": "flee"},
    {"range": 60, "S": 4}, {"crew": CREW}, "flee", "chariot", "monster", "war_machine", "inch",
)  # fmt: skip
KEYS = (
    "rules", "troop", "chariot", "missile", "reach", "gap", "edge", "blocked_by", "engaged",
    "fleeing", "ward", "regeneration", "general_ld", "shooters", "units", "switches", "HA", "L",
    "unit", "base", "points", "arc", "terrain", "mean", "include", "title", "", "0", "a.b",
)  # fmt: skip


def containers(at: Any) -> list[Any]:
    inside = at.values() if isinstance(at, dict) else at if isinstance(at, list) else ()
    found = [at] if isinstance(at, (dict, list)) else []
    for value in inside:
        found += containers(value)
    return found


def mutated(dice: random.Random) -> dict[str, Any]:
    tables = deepcopy(TABLES)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        at = dice.choice(containers(tables))
        value = deepcopy(dice.choice(VALUES))
        if isinstance(at, list):
            at[:] = dice.choice(([], [*at, value], [value], [*at, *at]))
        elif at and dice.random() < 0.2:
            del at[dice.choice(list(at))]
        else:
            key = dice.choice((dice.choice(list(at) or [""]), dice.choice(KEYS)))
            if isinstance(at.get(key), int) and dice.random() < 0.7:
                value = dice.randint(0, 12)
            if not (at is tables and key == "base"):  # a name of the constructor
                at[key] = value
    return tables


def built(tables: dict[str, Any], source: str) -> Scenario | ScenarioError:
    try:
        scenario = Scenario(source, **tables)
    except ScenarioError as error:
        return error
    assert len(scenario.hash) == 64
    whole = scenario.whole
    assert whole.ruleset.layout.check(whole.game(), whole.counts) == []
    return scenario


def test_mutated_scenarios_give_a_result_or_a_scenario_error() -> None:
    kept, refusals = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(1500):
            found = built(mutated(random.Random(seed)), f"seed {seed}")
            (refusals if isinstance(found, ScenarioError) else kept).append(found)
        for scenario in kept[:50]:
            result = cs.solve(scenario, engine="exact", max_states=20_000).to_dict()
            assert result["mass_defect"] < 1e-12
    assert len(kept) > 100
    assert len(refusals) > 800
    for error in refusals:
        assert all(fault.path and fault.message for fault in error.faults)
        assert "pydantic" not in str(error)
